"""What in a campaign contradicts something else in it: faults, notes, and published raw values against the events."""

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic.alias_generators import to_camel

from judge.errors import InputError
from judge.schema.campaign_scorecards import CampaignScorecard
from judge.schema.campaign_values import RawDiagnostics
from judge.schema.campaigns import Campaign
from judge.schema.manifests import FileFacts
from judge.standard.campaign_faults import campaign_faults
from judge.standard.campaign_scoring import score_campaign
from judge.standard.diagnostics import DIMENSIONS
from pipelines.campaigns.reading import read_campaign
from tests.support.campaigns import attempt, campaign, event

KEY = event("elevator_key", 3)


def faults_of(*floors: dict[str, Any]) -> list[tuple[str, object, str]]:
    """Return the faults as path, value and rule."""
    return [(fault.path, fault.found, fault.rule) for fault in campaign_faults(Campaign.model_validate({"floors": list(floors)}))]


def scored(*floors: dict[str, Any]) -> CampaignScorecard:
    """Return the scorecard of these attempts."""
    return score_campaign(campaign(*floors), file=FileFacts(name="campaign.json", sha256="0" * 64), metrics_version="1.5")


# --- raw values against the attempt ---


@pytest.mark.parametrize(
    ("group", "values", "field", "found", "rule"),
    [
        ("efficiency", {"totalTurns": 999}, "totalTurns", 999, "the 10 of `turns`"),
        ("efficiency", {"totalTurns": 9}, "totalTurns", 9, "the 10 of `turns`"),
        ("efficiency", {"idleTurns": 11}, "idleTurns", 11, "no more than the 10 of `turns`"),
        ("retrieval", {"signalDocsTotal": 4}, "signalDocsTotal", 4, "the 5 of `signal_documents`"),
        ("retrieval", {"timeToFirstSignalTurn": 11}, "timeToFirstSignalTurn", 11, "no more than the 10 of `turns`"),
        (
            "retrieval",
            {"signalDocsFound": 0, "timeToFirstSignalTurn": 5},
            "timeToFirstSignalTurn",
            5,
            "null, since `signalDocsFound` is 0",
        ),
        ("problemSolving", {"elevatorKeyDerivationTurns": 70}, "elevatorKeyDerivationTurns", 70, "no more than the 10 of `turns`"),
        (
            "problemSolving",
            {"codeAttempted": False, "codePassed": True},
            "codePassed",
            True,
            "false or null, since `codeAttempted` is false",
        ),
        ("memory", {"wipeTurn": 11}, "wipeTurn", 11, "no more than the 10 of `turns`"),
        ("memory", {"wipeOccurred": True, "wipeTurn": 5, "wipeDetectedTurn": 80}, "wipeDetectedTurn", 80, "no more than the 10 of `turns`"),
        ("memory", {"wipeTurn": 5, "wipeDetectedTurn": 4}, "wipeTurn", 5, "no more than the 4 of `wipeDetectedTurn`"),
        ("memory", {"wipeOccurred": False, "recoveryRate": 0.2}, "recoveryRate", 0.2, "0 or null, since `wipeOccurred` is false"),
        ("memory", {"wipeOccurred": False, "wipeTurn": 2}, "wipeTurn", 2, "null, since `wipeOccurred` is false"),
        ("memory", {"wipeOccurred": False, "wipeDetectedTurn": 3}, "wipeDetectedTurn", 3, "null, since `wipeOccurred` is false"),
        ("memory", {"wipeOccurred": False, "wipeDetected": True}, "wipeDetected", True, "false or null, since `wipeOccurred` is false"),
        ("memory", {"wipeDetected": False, "wipeDetectedTurn": 8}, "wipeDetectedTurn", 8, "null, since `wipeDetected` is false"),
    ],
)
def test_raw_values_that_cannot_be(group: str, values: dict[str, Any], field: str, found: object, rule: str) -> None:
    """One fault, with field, value and rule; 10 turns, 5 signal documents."""
    floor = attempt(diagnostics={group: values}, signal_documents=5)
    assert faults_of(floor) == [(f"floors[0].diagnostics.{group}.{field}", found, rule)]


def test_raw_values_at_their_limits_can_be() -> None:
    """Every turn in the last one, and a 0 or false over nothing, as publishers write nothing."""
    most = {
        "retrieval": {"signalDocsFound": 5, "signalDocsTotal": 5, "timeToFirstSignalTurn": 10},
        "problemSolving": {"codeAttempted": True, "codePassed": True, "elevatorKeyDerivationTurns": 10},
        "efficiency": {"idleTurns": 10, "totalTurns": 10},
        "memory": {"wipeOccurred": True, "wipeTurn": 10, "wipeDetected": True, "wipeDetectedTurn": 10, "recoveryRate": 1},
    }
    nothing = {
        "retrieval": {"signalDocsFound": 0, "timeToFirstSignalTurn": None},
        "problemSolving": {"codeAttempted": False, "codePassed": False},
        "memory": {"wipeOccurred": False, "wipeDetected": False, "recoveryRate": 0},
    }
    assert faults_of(*(attempt(diagnostics=raw, signal_documents=5) for raw in (most, nothing))) == []


@pytest.mark.parametrize("field", ["floor", "turns", "tokens"])
def test_the_highest_whole_number_is_told(field: str, tmp_path: Path) -> None:
    """A number beyond it is met with the limit, not with the rule that it keeps."""
    path = tmp_path / "campaign.json"
    path.write_text(json.dumps({"floors": [{**attempt(), field: 2**60}]}), encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_campaign(path)
    (fault,) = error.value.faults
    assert field in fault.message
    assert "9007199254740992" in fault.message.replace(",", "")


# --- events against the attempt ---


@pytest.mark.parametrize("type_", ["fact_needed", "fact_recalled"])
def test_an_earlier_floor_has_a_lower_number(type_: str) -> None:
    """The floor itself and a later one are none."""
    events = [event(type_, id="a", from_floor=floor) for floor in (0, 1, 2, 7, None)]
    rule = "an earlier floor, below the 2 of `floor`, or null for a fact of this floor"
    assert faults_of(attempt(2, events=events)) == [
        ("floors[0].events[2].from_floor", 2, rule),
        ("floors[0].events[3].from_floor", 7, rule),
    ]


@pytest.mark.parametrize(
    ("fields", "note"),
    [
        pytest.param(
            {"cleared": True, "events": []},
            "Attempt 2: given as cleared, yet no event tells that the elevator key was derived. It counts as cleared.",
            id="cleared-without-key",
        ),
        pytest.param(
            {"cleared": False, "events": [KEY]},
            "Attempt 2: given as not cleared, yet the elevator key was derived. It does not count.",
            id="key-not-cleared",
        ),
        pytest.param(
            {"cleared": False, "diagnostics": {"problemSolving": {"elevatorKeyDerivationTurns": 4}}},
            "Attempt 2: given as not cleared, yet the elevator key was derived. It does not count.",
            id="raw-key-not-cleared",
        ),
        pytest.param(
            {"cleared": False, "events": []},
            "Attempt 2: every objective met without the key of the floor, so not cleared and not counted.",
            id="whole-without-key",
        ),
        pytest.param({"cleared": False, "completion": 0.5, "events": []}, None, id="neither"),
        pytest.param({"cleared": True, "events": [KEY]}, None, id="both"),
        pytest.param({"cleared": True}, None, id="nothing-recorded"),
    ],
)
def test_cleared_and_the_key_may_contradict_each_other(fields: dict[str, Any], note: str | None) -> None:
    """The note says so and what counts: the key that is there is never said to be missing."""
    card = scored(attempt(1), attempt(2, **fields))
    assert list(card.notes) == ([] if note is None else [note])
    assert card.cleared_floors == 1 + fields["cleared"]


def test_several_attempts_stand_in_one_note() -> None:
    """In their order."""
    notes = scored(*(attempt(floor, cleared=False, completion=1) for floor in (1, 2))).notes
    assert notes[1].startswith("Attempts 1, 2: every objective met without the key of the floor")


# --- raw values against the events ---

EVENTS = [
    event("search", 1, query="red door"),
    event("search", 1, query="red lift"),
    event("document_opened", 2, id="s", kind="signal"),
    event("document_opened", 2, id="n", kind="noise"),
    event("false_lead_met", 3, id="a"),
    event("false_lead_followed", 3, id="b"),
    event("hypothesis", 3),
    event("conclusion", 3, correct=True, documents=["s", "n"]),
    event("objective_attempted", 4, objective="x", optimal_order=1),
    event("code_challenge", 4, passed=True),
    event("fact_stored", 5, id="f"),
    event("wipe", 6),
    event("wipe_mentioned", 7),
    event("fact_recalled", 8, id="f"),
    event("fact_recalled", 8, id="e", from_floor=1),
    event("elevator_key", 9),
]
AGREEING: dict[str, dict[str, Any]] = {
    "retrieval": {
        "signalDocsFound": 1,
        "noiseDocsAccessed": 1,
        "searchCount": 2,
        "uniqueQueries": 2,
        "queryRefinementRate": 1,
        "timeToFirstSignalTurn": 2,
        "documentTriagePrecision": 0.5,
    },
    "reasoning": {
        "hypothesesFormed": 1,
        "falseLeadsMet": 2,
        "falseLeadsFollowed": 1,
        "falseLeadResistance": 0.5,
        "deductionAccuracy": 1,
        "synthesisEvents": 1,
    },
    "problemSolving": {"orderingScore": 1, "codeAttempted": True, "codePassed": True, "elevatorKeyDerivationTurns": 9},
    # Busy are the turns 1, 2, 3, 4, 5 and 9 of ten; ten turns and 300 tokens for two objectives.
    "efficiency": {"idleTurns": 4, "totalTurns": 10, "avgTurnsPerObjective": 5, "avgTokensPerObjective": 150},
    "memory": {
        "wipeOccurred": True,
        "wipeTurn": 6,
        "preWipeMemoryStores": 1,
        "recoveryRate": 1,
        "crossFloorRecalls": 1,
        "wipeDetectedTurn": 7,
        "wipeDetected": True,
        "preWipePreparationScore": 1,
    },
}


def both(raw: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return an attempt with the events above and these raw values."""
    return attempt(2, events=EVENTS, diagnostics=raw, tokens=300, objectives_solved=2)


def test_raw_values_that_the_events_bear_out_make_no_difference() -> None:
    """Every one that has a counterpart, counted by hand; the note says what is done with them."""
    card = scored(both(AGREEING))
    assert card.published is None
    assert card.notes == ("Attempt 1: events and raw values. The events are used, and the raw values compared with them.",)


OTHERS: list[tuple[str, str, Any, str, float]] = [
    ("retrieval", "signalDocsFound", 7, "signal_docs_found", 1),
    ("retrieval", "noiseDocsAccessed", 9, "noise_docs_accessed", 1),
    ("retrieval", "searchCount", 40, "search_count", 2),
    ("retrieval", "uniqueQueries", 1, "unique_queries", 2),
    ("retrieval", "queryRefinementRate", 0.9, "query_refinement_rate", 1),
    ("retrieval", "timeToFirstSignalTurn", 3, "time_to_first_signal", 2),
    ("retrieval", "documentTriagePrecision", 0.25, "triage_precision", 0.5),
    ("reasoning", "hypothesesFormed", 3, "hypothesis_formation", 1),
    ("reasoning", "falseLeadsMet", 3, "false_leads_met", 2),
    ("reasoning", "falseLeadsFollowed", 2, "false_leads_followed", 1),
    ("reasoning", "falseLeadResistance", 0.75, "false_lead_resistance", 0.5),
    ("reasoning", "deductionAccuracy", 0.1, "deduction_accuracy", 1),
    ("reasoning", "synthesisEvents", 0, "synthesis_events", 1),
    ("problemSolving", "orderingScore", 0.3, "dependency_aware_ordering", 1),
    ("problemSolving", "codeAttempted", False, "code_attempted", 1),
    ("problemSolving", "codePassed", False, "code_passed", 1),
    ("problemSolving", "elevatorKeyDerivationTurns", 8, "elevator_key_turns", 9),
    ("efficiency", "idleTurns", 0, "idle_turns", 4),
    ("efficiency", "avgTurnsPerObjective", 10, "turns_per_objective", 5),
    ("efficiency", "avgTokensPerObjective", 300, "tokens_per_objective", 150),
    ("memory", "wipeOccurred", False, "wipe_occurred", 1),
    ("memory", "wipeTurn", 5, "wipe_turn", 6),
    ("memory", "preWipeMemoryStores", 4, "pre_wipe_memory_stores", 1),
    ("memory", "recoveryRate", 0.5, "recovery_rate", 1),
    ("memory", "crossFloorRecalls", 0, "cross_floor_recalls", 1),
    ("memory", "wipeDetectedTurn", 9, "wipe_detected_turn", 7),
    ("memory", "wipeDetected", False, "wipe_detected", 1),
    ("memory", "preWipePreparationScore", 0.8, "pre_wipe_preparation", 1),
]


@pytest.mark.parametrize(("group", "field", "value", "what", "ours"), OTHERS, ids=[field for _, field, *_ in OTHERS])
def test_each_raw_value_is_held_against_the_events(group: str, field: str, value: Any, what: str, ours: float) -> None:
    """One that says otherwise is one difference, with the published value and what the events give."""
    found = scored(both({group: {field: value}})).published
    assert found is not None
    assert [(one.what, one.published, one.ours) for one in found.differences] == [(what, float(value), ours)]


def test_no_raw_value_is_left_out() -> None:
    """Each field has its case above, but the scores, and two that a fault holds against the attempt."""
    raw = RawDiagnostics()
    fields = {(to_camel(group), to_camel(name)) for group in DIMENSIONS for name in type(getattr(raw, group)).model_fields}
    scores = {(to_camel(group), "score") for group in DIMENSIONS}
    compared = {(group, field) for group, field, *_ in OTHERS}
    assert fields - compared == {("retrieval", "signalDocsTotal"), ("efficiency", "totalTurns"), *scores}


def test_what_the_events_do_not_have_has_its_reason() -> None:
    """A turn of a wipe that never was, and a rate of nothing."""
    raw = {"memory": {"wipeTurn": 3, "recoveryRate": 0.5}}
    found = scored(attempt(1, events=[KEY], diagnostics=raw)).published
    assert found is not None
    assert [(one.what, one.ours, one.reason) for one in found.differences] == [
        ("recovery_rate", None, "no_wipe"),
        ("wipe_turn", None, "did_not_happen"),
    ]


def test_a_score_among_the_raw_values_is_compared() -> None:
    """That of the attempt wins where both are published. One of four documents opened is signal: 0.25."""
    raw = {"retrieval": {"signalDocsFound": 1, "noiseDocsAccessed": 3, "score": 0.2}}
    found = scored(attempt(1, diagnostics=raw), attempt(2, diagnostics=raw, published_dimension_scores={"retrieval": 0.3})).published
    assert found is not None
    assert [(one.what, one.published, one.ours) for one in found.differences] == [("retrieval", 0.2, 0.25), ("retrieval", 0.3, 0.25)]
