"""The sub-metrics of a floor, their dimensions, and the rules that recommend a change; every value computed by hand."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from judge.schema.campaign_events import FloorEvent
from judge.schema.campaigns import FloorAttempt
from judge.standard.diagnostics import diagnose, mean_dimension
from judge.standard.ordering import kendall_tau_b, ordering_score
from judge.standard.queries import refinements, unique_queries
from judge.standard.recommendations import RULES, DiagnosedFloor, Numbers
from judge.standard.sub_metrics import SUB_METRICS
from tests.support.campaigns import attempt, dimensions, event, metric, raw_metric

SIGNAL = [event("document_opened", turn, id=f"s{turn}", kind="signal") for turn in range(1, 10)]
NOISE = [event("document_opened", turn, id=f"n{turn}", kind="noise") for turn in range(1, 10)]
Events = list[dict[str, Any]]


def searches(*queries: str) -> Events:
    """Return searches, all in the first turn."""
    return [event("search", query=query) for query in queries]


def objectives(*optimal: int, order: list[int] | None = None) -> Events:
    """Return objectives attempted one after another, given their places in the optimal order."""
    places = [None] * len(optimal) if order is None else order
    pairs = zip(optimal, places, strict=True)
    return [
        event("objective_attempted", objective=f"o{number}", optimal_order=best, order=place) for number, (best, place) in enumerate(pairs)
    ]


# --- by events ---

VALUES: list[tuple[str, str, Events, dict[str, Any], float]] = [
    ("two-of-five", "triage_precision", [*SIGNAL[:2], *NOISE[2:5]], {}, 0.4),
    ("opened-twice-counts-once", "triage_precision", [SIGNAL[0], SIGNAL[0], NOISE[0]], {}, 0.5),
    ("two-of-eight", "recall", SIGNAL[:2], {"signal_documents": 8}, 0.25),
    ("none-of-eight", "recall", [], {"signal_documents": 8}, 0.0),
    ("a-repeat-whatever-its-case", "search_efficiency", searches("red door", "Red  Door", "key", "lift"), {}, 0.75),
    ("refined-once-of-three", "query_refinement_rate", searches("red door", "red key", "red key", "lift"), {}, 1 / 3),
    ("third-turn", "time_to_first_signal", [*NOISE[:2], *SIGNAL[2:4]], {}, 3.0),
    ("third-turn-of-ten", "first_signal_share", [*NOISE[:2], *SIGNAL[2:4]], {}, 0.3),
    (
        "two-of-three",
        "deduction_accuracy",
        [event("conclusion", correct=True), event("conclusion", correct=False), event("conclusion", correct=True)],
        {},
        2 / 3,
    ),
    (
        "one-of-four-followed",
        "false_lead_resistance",
        [event("false_lead_followed", id="a"), *(event("false_lead_met", id=name) for name in "abcd")],
        {},
        0.75,
    ),
    ("followed-is-met", "false_lead_resistance", [event("false_lead_followed", id="a")], {}, 0.0),
    (
        "cites-two-different",
        "synthesis_events",
        [event("conclusion", correct=False, documents=names) for names in (["a", "b"], ["a"], ["a", "a"], ["a", "b", "c"])],
        {},
        2.0,
    ),
    ("no-conclusion", "synthesis_events", [], {}, 0.0),
    ("two-hypotheses", "hypothesis_formation", [event("hypothesis"), event("hypothesis")], {}, 2.0),
    ("as-best", "dependency_aware_ordering", objectives(1, 2, 3), {}, 1.0),
    ("reversed", "dependency_aware_ordering", objectives(3, 2, 1), {}, 0.0),
    ("one-pair-of-three-wrong", "dependency_aware_ordering", objectives(2, 1, 3), {}, 2 / 3),
    ("one-objective", "dependency_aware_ordering", objectives(4), {}, 1.0),
    ("only-the-first-attempt", "dependency_aware_ordering", [*objectives(1, 2), *objectives(1)], {}, 1.0),
    ("order-as-given", "dependency_aware_ordering", objectives(1, 2, 3, order=[3, 2, 1]), {}, 0.0),
    (
        "two-challenges-one-passed",
        "code_challenge_pass_rate",
        [event("code_challenge", id="a", passed=passed) for passed in (False, True)] + [event("code_challenge", passed=False)],
        {},
        0.5,
    ),
    ("derived", "elevator_key_derivation", [event("elevator_key", 7)], {}, 1.0),
    ("not-derived", "elevator_key_derivation", [], {}, 0.0),
    ("in-turn-seven", "elevator_key_turns", [event("elevator_key", 7), event("elevator_key", 9)], {}, 7.0),
    ("ten-over-four", "turns_per_objective", [], {"objectives_solved": 4}, 2.5),
    ("over-solved-not-over-one", "tokens_per_objective", [], {"objectives_solved": 3, "tokens": 1200}, 400.0),
    (
        "four-of-ten-idle",
        "idle_turn_ratio",
        [
            event("tool_call", 1, ok=False),
            event("finding", 1),
            event("search", 2, query="x"),
            event("hypothesis", 3),
            event("conclusion", 4, correct=True),
            event("code_challenge", 5, passed=True),
            event("fact_stored", 6, id="f"),
            event("elevator_key", 7),
        ],
        {},
        0.4,
    ),
    ("one-of-four-failed", "tool_call_success_rate", [event("tool_call", ok=number > 0) for number in range(4)], {}, 0.75),
    (
        "only-tool-calls-enter",
        "tool_call_success_rate",
        [event("tool_call", ok=False), event("search", query="x"), event("code_challenge", passed=True), event("fact_stored", id="f")],
        {},
        0.0,
    ),
    (
        "two-needed-one-stored",
        "pre_wipe_preparation",
        [
            event("fact_needed", 1, id="early"),
            event("fact_stored", 1, id="a"),
            event("wipe", 2),
            event("fact_stored", 3, id="b"),
            event("fact_recalled", 4, id="a"),
            event("fact_needed", 4, id="b"),
            event("fact_needed", 5, id="elsewhere", from_floor=1),
        ],
        {"floor": 2},
        0.5,
    ),
    (
        # Of the facts of earlier floors `a` was stored before the wipe, `b` after it, `c` never here; `d` is of this floor.
        "earlier-floors-once-stored-here",
        "pre_wipe_preparation",
        [
            event("fact_stored", 1, id="a"),
            event("wipe", 2),
            event("fact_stored", 3, id="b"),
            *(event("fact_needed", 4, id=name, from_floor=1) for name in "abc"),
            event("fact_needed", 4, id="d"),
        ],
        {"floor": 2},
        1 / 3,
    ),
    (
        "stored-before-the-second-wipe",
        "pre_wipe_preparation",
        [event("wipe"), event("fact_stored", id="b"), event("wipe"), event("fact_needed", id="b")],
        {},
        1.0,
    ),
    (
        "without-a-wipe-all-needed-later",
        "pre_wipe_preparation",
        [event("fact_needed", id="a"), event("fact_stored", id="b"), event("fact_needed", id="b")],
        {},
        0.5,
    ),
    (
        "one-of-four",
        "recovery_rate",
        [
            *(event("fact_stored", id=name) for name in "abcd"),
            event("fact_recalled", id="b"),
            event("wipe"),
            event("fact_recalled", id="a"),
            event("fact_recalled", id="unknown"),
        ],
        {},
        0.25,
    ),
    (
        "two-wipes-pooled",
        "recovery_rate",
        [
            event("fact_stored", id="a"),
            event("wipe"),
            event("fact_recalled", id="a"),
            event("fact_stored", id="b"),
            event("wipe"),
            event("fact_recalled", id="b"),
        ],
        {},
        2 / 3,
    ),
    (
        "one-of-three",
        "cross_floor_recall",
        [
            event("fact_needed", id="a", from_floor=0),
            event("fact_recalled", id="a"),
            event("fact_needed", id="b", from_floor=0),
            event("fact_needed", id="c", from_floor=2),
            event("fact_recalled", id="d", from_floor=3),
            event("fact_recalled", id="e", from_floor=4),
        ],
        {"floor": 3},
        1 / 3,
    ),
    ("three-turns", "wipe_detection_speed", [event("wipe", 2), event("wipe_mentioned", 5), event("wipe_mentioned", 6)], {}, 3.0),
    (
        "of-the-first-wipe",
        "wipe_detection_speed",
        [event("wipe", 1), event("wipe_mentioned", 2), event("wipe", 4), event("wipe_mentioned", 7)],
        {},
        1.0,
    ),
    ("after-the-second-wipe", "wipe_detection_speed", [event("wipe", 1), event("wipe", 4), event("wipe_mentioned", 7)], {}, 6.0),
]


@pytest.mark.parametrize(
    ("name", "events", "others", "value"), [case[1:] for case in VALUES], ids=[f"{case[1]}-{case[0]}" for case in VALUES]
)
def test_sub_metrics_from_events(name: str, events: Events, others: dict[str, Any], value: float) -> None:
    """The formula of each sub-metric."""
    found = metric(name, *events, **others)
    assert found.value == pytest.approx(value, abs=1e-12)
    assert found.reason is None


def test_every_sub_metric_is_among_the_cases() -> None:
    """None is left without a value computed by hand."""
    assert {name for _, name, *_ in VALUES} == {name for metrics in SUB_METRICS.values() for name in metrics}


NULLS: list[tuple[str, str, Events, dict[str, Any]]] = [
    ("triage_precision", "no_document_opened", [], {}),
    ("recall", "not_recorded", SIGNAL[:1], {}),
    ("recall", "no_signal_document", NOISE[:1], {"signal_documents": 0}),
    ("search_efficiency", "no_search", [], {}),
    ("query_refinement_rate", "no_search", [], {}),
    ("query_refinement_rate", "one_search", searches("door"), {}),
    ("time_to_first_signal", "no_signal_opened", NOISE[:2], {}),
    ("first_signal_share", "no_signal_opened", NOISE[:2], {}),
    ("deduction_accuracy", "no_conclusion", [], {}),
    ("false_lead_resistance", "no_false_lead", [], {}),
    ("dependency_aware_ordering", "no_objective_attempted", [], {}),
    ("dependency_aware_ordering", "all_tied", objectives(1, 1, 1), {}),
    ("code_challenge_pass_rate", "no_code_challenge", [], {}),
    ("elevator_key_turns", "key_not_derived", [], {}),
    ("turns_per_objective", "not_recorded", [], {}),
    ("turns_per_objective", "no_objective_solved", [], {"objectives_solved": 0}),
    ("tokens_per_objective", "not_recorded", [], {"objectives_solved": 2}),
    ("tokens_per_objective", "no_objective_solved", [], {"objectives_solved": 0, "tokens": 10}),
    ("tool_call_success_rate", "no_tool_call", [], {}),
    ("pre_wipe_preparation", "no_fact_needed", [event("fact_stored", id="a")], {}),
    ("recovery_rate", "no_wipe", [event("fact_stored", id="a"), event("fact_recalled", id="a")], {}),
    ("recovery_rate", "nothing_stored", [event("wipe")], {}),
    ("cross_floor_recall", "no_fact_needed", [event("fact_needed", id="a"), event("fact_recalled", id="b", from_floor=1)], {}),
    ("wipe_detection_speed", "no_wipe", [event("wipe_mentioned")], {}),
    ("wipe_detection_speed", "wipe_not_mentioned", [event("wipe_mentioned"), event("wipe", 2)], {}),
    ("wipe_detection_speed", "wipe_not_mentioned", [event("wipe"), event("wipe", 4)], {}),
]


@pytest.mark.parametrize(("name", "reason", "events", "others"), NULLS, ids=[f"{case[0]}-{case[1]}" for case in NULLS])
def test_what_cannot_be_divided_is_null(name: str, reason: str, events: Events, others: dict[str, Any]) -> None:
    """An empty denominator gives no value, a reason, and nothing to the mean."""
    found = metric(name, *events, **others)
    assert (found.value, found.reason, found.contribution) == (None, reason, None)


def test_without_events_and_raw_values_nothing_is_known() -> None:
    """What was not recorded is null, never 0; what the attempt itself says is still there."""
    found = diagnose(FloorAttempt.model_validate(attempt(objectives_solved=5)))
    assert {dimension.score for dimension in found.values()} == {None}
    assert {dimension.reason for dimension in found.values()} == {"no_ratio_measured"}
    assert found["efficiency"].sub_metrics["turns_per_objective"].value == 2.0
    assert found["problem_solving"].sub_metrics["elevator_key_derivation"].reason == "not_recorded"


# --- the parts by themselves ---


@pytest.mark.parametrize(
    ("first", "second", "tau"),
    [
        ([1, 2, 3, 4], [1, 2, 3, 4], 1.0),
        ([1, 2, 3, 4], [4, 3, 2, 1], -1.0),
        ([1, 2, 3, 4], [2, 1, 4, 3], 1 / 3),
        # Five concordant, none discordant, one pair tied in the second: 5 / sqrt(6 x 5).
        ([1, 2, 3, 4], [1, 1, 2, 3], 5 / 30**0.5),
        # Ties in both: pairs 12 tied first, 34 tied second; four concordant: 4 / sqrt(5 x 5).
        ([1, 1, 2, 3], [1, 2, 3, 3], 4 / 5),
        ([1, 2, 3], [1, 1, 1], None),
        ([], [], None),
    ],
)
def test_kendall_tau_b(first: list[float], second: list[float], tau: float | None) -> None:
    """Ties leave the numerator and shrink the denominator on their own side only."""
    assert kendall_tau_b(first, second) == (None if tau is None else pytest.approx(tau, abs=1e-12))


@given(pairs=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12))
def test_ordering_stays_between_0_and_1(pairs: list[tuple[int, int]]) -> None:
    """And swapping the two orders changes nothing, reversing one mirrors it."""
    first, second = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    score = ordering_score(first, second)
    assert score is None or 0 <= score <= 1
    assert ordering_score(second, first) == score
    if score is not None and len(pairs) > 1:
        assert ordering_score(first, [-place for place in second]) == pytest.approx(1 - score)


@pytest.mark.parametrize(
    ("queries", "count"),
    [
        ([], 0),
        (["red door"], 0),
        (["red door", "red door"], 0),
        (["red door", " RED  door "], 0),
        (["red door", "red lift"], 1),
        (["red door", "green lift"], 0),
        (["red door", "red lift", "red door"], 2),
        (["red door", "key", "red lift"], 0),
        (["red-door", "door: red, big"], 1),
        (["!!", "?!"], 0),
    ],
)
def test_refinements(queries: list[str], count: int) -> None:
    """A refinement changes the query before and shares a term with it; to come back to an older query is a change."""
    assert refinements(queries) == count


@given(queries=st.lists(st.text(alphabet="ab ", min_size=1, max_size=5), max_size=10))
def test_refinements_need_two_neighbours_that_differ(queries: list[str]) -> None:
    """Never more than the searches less one; to repeat every query at once adds none."""
    found = refinements(queries)
    assert found <= max(len(queries) - 1, 0)
    assert refinements([query for query in queries for _ in range(2)]) == found
    assert unique_queries(queries) > 1 or found == 0


# --- dimensions ---


def test_a_dimension_is_the_mean_of_its_ratios() -> None:
    """Lower-is-better ones enter as 1 - x; counts, turns, what is spent per objective, and nulls do not."""
    found = dimensions(*SIGNAL[:1], *NOISE[1:4], *[event("search", 4, query=query) for query in ("a b", "a c")], signal_documents=2)
    retrieval = found["retrieval"]
    # Precision 1/4, recall 1/2, efficiency 1, refinement 1, first signal in turn 1 of 10: 1 - 0.1.
    assert retrieval.n == 5
    assert retrieval.score == pytest.approx((0.25 + 0.5 + 1 + 1 + 0.9) / 5)
    # Idle in turns 5 to 10: 1 - 0.6; no tool call was written down.
    assert found["efficiency"].n == 1
    assert found["efficiency"].score == pytest.approx(0.4)
    assert (found["reasoning"].n, found["reasoning"].score) == (0, None)


def test_the_mean_over_a_campaign_leaves_nulls_out() -> None:
    """1 and 0.5 and null are 0.75 over two attempts; only nulls are null."""
    conclusions = [event("conclusion", correct=True), event("conclusion", correct=False)]
    three = [dimensions(conclusions[0]), dimensions(*conclusions), dimensions()]
    assert mean_dimension("reasoning", three) == (0.75, 2)
    assert mean_dimension("reasoning", three[2:]) == (None, 0)


EVENTS = st.lists(
    st.one_of(
        st.builds(event, st.just("search"), query=st.sampled_from(["a", "a b", "b c", "d"])),
        st.builds(event, st.just("document_opened"), id=st.sampled_from("ab"), kind=st.just("signal")),
        st.builds(event, st.just("document_opened"), id=st.sampled_from("cd"), kind=st.just("noise")),
        st.builds(event, st.just("conclusion"), correct=st.booleans()),
        st.builds(event, st.sampled_from(["false_lead_met", "false_lead_followed", "fact_stored"]), id=st.sampled_from("abc")),
        st.builds(event, st.just("objective_attempted"), objective=st.sampled_from("xyz"), optimal_order=st.just(1)),
        st.builds(event, st.just("code_challenge"), passed=st.booleans(), id=st.sampled_from(["p", "q", None])),
        st.builds(event, st.sampled_from(["wipe", "wipe_mentioned", "elevator_key", "finding"])),
        st.builds(event, st.just("tool_call"), ok=st.booleans()),
        st.builds(
            event,
            st.sampled_from(["fact_needed", "fact_recalled"]),
            id=st.sampled_from("abc"),
            from_floor=st.sampled_from([None, 1, 2]),
        ),
    ),
    max_size=25,
)


@given(events=EVENTS)
def test_ratios_stay_between_0_and_1(events: Events) -> None:
    """Whatever happens: every ratio, every contribution and every score; and a value or a reason, never both."""
    for dimension in dimensions(*events, signal_documents=3).values():
        assert dimension.score is None or 0 <= dimension.score <= 1
        for found in dimension.sub_metrics.values():
            assert (found.value is None) == (found.reason is not None)
            assert found.kind != "ratio" or found.value is None or 0 <= found.value <= 1


@given(events=EVENTS)
def test_events_survive_json(events: Events) -> None:
    """Read, written and read again they are the same."""
    adapter: TypeAdapter[tuple[FloorEvent, ...]] = TypeAdapter(tuple[FloorEvent, ...])
    read = adapter.validate_python(events)
    assert adapter.validate_json(adapter.dump_json(read, exclude_none=True)) == read


# --- from raw values ---


@pytest.mark.parametrize(
    ("name", "groups", "value", "basis"),
    [
        ("triage_precision", {"retrieval": {"signalDocsFound": 1, "noiseDocsAccessed": 3, "documentTriagePrecision": 0.9}}, 0.25, "raw"),
        ("triage_precision", {"retrieval": {"documentTriagePrecision": 0.9}}, 0.9, "given"),
        ("recall", {"retrieval": {"signalDocsFound": 1, "signalDocsTotal": 8}}, 0.125, "raw"),
        ("search_efficiency", {"retrieval": {"uniqueQueries": 27, "searchCount": 28}}, 27 / 28, "raw"),
        ("query_refinement_rate", {"retrieval": {"queryRefinementRate": 0.25}}, 0.25, "given"),
        ("time_to_first_signal", {"retrieval": {"timeToFirstSignalTurn": 4}}, 4.0, "raw"),
        ("first_signal_share", {"retrieval": {"timeToFirstSignalTurn": 4}, "efficiency": {"totalTurns": 16}}, 0.4, "raw"),
        ("deduction_accuracy", {"reasoning": {"deductionAccuracy": 0.5}}, 0.5, "given"),
        ("false_lead_resistance", {"reasoning": {"falseLeadsFollowed": 1, "falseLeadsMet": 4}}, 0.75, "raw"),
        ("false_lead_resistance", {"reasoning": {"falseLeadsFollowed": 1, "falseLeadResistance": 0.5}}, 0.5, "given"),
        ("synthesis_events", {"reasoning": {"synthesisEvents": 3}}, 3.0, "given"),
        ("hypothesis_formation", {"reasoning": {"hypothesesFormed": 2}}, 2.0, "given"),
        ("dependency_aware_ordering", {"problemSolving": {"orderingScore": 0.5}}, 0.5, "given"),
        ("code_challenge_pass_rate", {"problemSolving": {"codeAttempted": True, "codePassed": False}}, 0.0, "raw"),
        ("elevator_key_derivation", {"problemSolving": {"elevatorKeyDerivationTurns": 6}}, 1.0, "raw"),
        ("elevator_key_turns", {"problemSolving": {"elevatorKeyDerivationTurns": 6}}, 6.0, "raw"),
        ("turns_per_objective", {"efficiency": {"avgTurnsPerObjective": 10}}, 5.0, "attempt"),
        ("tokens_per_objective", {}, 2500.0, "attempt"),
        ("idle_turn_ratio", {"efficiency": {"idleTurns": 2, "totalTurns": 8}}, 0.2, "raw"),
        ("idle_turn_ratio", {"efficiency": {"idleTurns": 2}}, 0.2, "raw"),
        ("pre_wipe_preparation", {"memory": {"preWipePreparationScore": 0.8}}, 0.8, "given"),
        ("recovery_rate", {"memory": {"wipeOccurred": True, "recoveryRate": 0.5}}, 0.5, "given"),
        ("wipe_detection_speed", {"memory": {"wipeTurn": 3, "wipeDetectedTurn": 7}}, 4.0, "raw"),
    ],
)
def test_sub_metrics_from_raw_values(name: str, groups: dict[str, Any], value: float, basis: str) -> None:
    """Counts are computed with, the turns being those of the attempt; a rate as such is given, and wins over no count."""
    found = raw_metric(name, **groups)
    assert found.value == pytest.approx(value)
    assert found.basis == basis


@pytest.mark.parametrize(
    ("name", "groups", "reason"),
    [
        (
            "triage_precision",
            {"retrieval": {"signalDocsFound": 0, "noiseDocsAccessed": 0, "documentTriagePrecision": 0}},
            "no_document_opened",
        ),
        ("triage_precision", {"retrieval": {"signalDocsFound": 2}}, "not_recorded"),
        ("recall", {"retrieval": {"signalDocsFound": 0, "signalDocsTotal": 0}}, "no_signal_document"),
        ("search_efficiency", {"retrieval": {"uniqueQueries": 0, "searchCount": 0}}, "no_search"),
        ("query_refinement_rate", {"retrieval": {"searchCount": 1, "queryRefinementRate": 0}}, "one_search"),
        ("query_refinement_rate", {"retrieval": {"searchCount": 0, "queryRefinementRate": 0}}, "no_search"),
        ("time_to_first_signal", {"retrieval": {"signalDocsFound": 0}}, "no_signal_opened"),
        ("first_signal_share", {"retrieval": {"signalDocsFound": 2}}, "not_recorded"),
        ("code_challenge_pass_rate", {"problemSolving": {"codeAttempted": False}}, "no_code_challenge"),
        ("code_challenge_pass_rate", {"problemSolving": {"codeAttempted": True}}, "not_recorded"),
        ("elevator_key_derivation", {}, "not_recorded"),
        ("tool_call_success_rate", {"efficiency": {"idleTurns": 0}}, "not_recorded"),
        ("recovery_rate", {"memory": {"wipeOccurred": False, "recoveryRate": 0}}, "no_wipe"),
        ("recovery_rate", {"memory": {"wipeOccurred": True}}, "not_recorded"),
        ("cross_floor_recall", {"memory": {"crossFloorRecalls": 1}}, "not_recorded"),
        ("wipe_detection_speed", {"memory": {"wipeOccurred": False}}, "no_wipe"),
        ("wipe_detection_speed", {"memory": {"wipeOccurred": True, "wipeDetected": False}}, "wipe_not_mentioned"),
        ("wipe_detection_speed", {"memory": {"wipeDetectedTurn": 7}}, "not_recorded"),
        ("wipe_detection_speed", {"memory": {"wipeTurn": 7}}, "not_recorded"),
    ],
)
def test_what_raw_values_do_not_say_is_null(name: str, groups: dict[str, Any], reason: str) -> None:
    """With the reason; a published 0 over nothing is nothing."""
    found = raw_metric(name, **groups)
    assert (found.value, found.reason) == (None, reason)


def test_events_win_over_raw_values() -> None:
    """Where an attempt has both, the raw values are not mixed in."""
    found = metric("triage_precision", SIGNAL[0], diagnostics={"retrieval": {"signalDocsFound": 1, "noiseDocsAccessed": 3}})
    assert (found.value, found.basis) == (1.0, "events")


# --- recommendations ---


def fired(*, arm: str | None = None, **fields: Any) -> dict[str, Numbers]:
    """Return the numbers of the rules that fire on an attempt, by rule."""
    given_attempt = FloorAttempt.model_validate(attempt(turns=100, **fields))
    floor = DiagnosedFloor(given_attempt, diagnose(given_attempt), arm)
    return {rule.name: numbers for rule in RULES if (numbers := rule.fires(floor)) is not None}


def _raw(**retrieval: Any) -> dict[str, Any]:
    return {"diagnostics": {"retrieval": retrieval}}


@pytest.mark.parametrize(
    ("rule", "at", "beyond", "arm"),
    [
        ("low_triage_precision", _raw(signalDocsFound=2, noiseDocsAccessed=3), _raw(signalDocsFound=39, noiseDocsAccessed=61), None),
        ("many_searches_low_refinement", _raw(searchCount=15, queryRefinementRate=0), _raw(searchCount=16, queryRefinementRate=0.25), None),
        (
            "many_searches_low_refinement",
            _raw(searchCount=16, queryRefinementRate=0.26),
            _raw(searchCount=16, queryRefinementRate=0),
            None,
        ),
        ("slow_first_signal", _raw(timeToFirstSignalTurn=50), _raw(timeToFirstSignalTurn=51), None),
        (
            "low_recall_on_temporal_corpus",
            {"temporal": True, **_raw(signalDocsFound=1, signalDocsTotal=2)},
            {"temporal": True, **_raw(signalDocsFound=1, signalDocsTotal=3)},
            None,
        ),
        (
            "poor_wipe_recovery",
            {"diagnostics": {"memory": {"wipeOccurred": True, "recoveryRate": 0.30}}},
            {"diagnostics": {"memory": {"wipeOccurred": True, "recoveryRate": 0.29}}},
            "T1",
        ),
        (
            "context_stuffing",
            {"context_tokens": 2000, "context_budget_tokens": 1000},
            {"context_tokens": 2001, "context_budget_tokens": 1000},
            None,
        ),
    ],
    ids=["triage", "searches", "refinement", "first-signal", "recall", "recovery", "context"],
)
def test_a_rule_fires_beyond_its_threshold_only(rule: str, at: dict[str, Any], beyond: dict[str, Any], arm: str | None) -> None:
    """Exactly at the threshold nothing fires, but a refinement of exactly 0.25, which is still low."""
    assert rule not in fired(arm=arm, **at)
    assert fired(arm=arm, **beyond)[rule]


def test_the_numbers_that_fired_are_told() -> None:
    """By name, as they were compared."""
    assert fired(**_raw(searchCount=28, queryRefinementRate=0.25)) == {
        "many_searches_low_refinement": {"searches": 28.0, "query_refinement_rate": 0.25}
    }
    assert fired(**_raw(timeToFirstSignalTurn=80)) == {"slow_first_signal": {"time_to_first_signal": 80.0, "first_signal_share": 0.8}}


@pytest.mark.parametrize(
    ("fields", "arm"),
    [
        pytest.param({}, "T1", id="nothing-recorded"),
        pytest.param({"events": []}, "T1", id="nothing-happened"),
        pytest.param(_raw(signalDocsFound=0, noiseDocsAccessed=0, searchCount=40), "T1", id="nulls"),
        pytest.param({"temporal": False, **_raw(signalDocsFound=0, signalDocsTotal=9)}, "T1", id="not-temporal"),
        pytest.param({"diagnostics": {"memory": {"wipeOccurred": True, "recoveryRate": 0.0}}}, "T2", id="other-arm"),
        pytest.param({"diagnostics": {"memory": {"wipeOccurred": True, "recoveryRate": 0.0}}}, None, id="no-arm"),
        pytest.param({"context_tokens": 10**6}, "T1", id="no-budget"),
    ],
)
def test_a_null_never_fires(fields: dict[str, Any], arm: str | None) -> None:
    """Nor does a rule whose floor or arm is another."""
    assert fired(arm=arm, **fields) == {}


def test_searches_are_counted_from_events() -> None:
    """Sixteen searches of which none refines."""
    events = searches(*(f"word{number}" for number in range(16)))
    assert "many_searches_low_refinement" in fired(events=events)
    assert "many_searches_low_refinement" not in fired(events=events[:15])


def test_rules_stand_as_the_standard_has_them() -> None:
    """Pattern, recommendation and configuration, word by word."""
    assert [(rule.pattern, rule.recommendation, rule.config) for rule in RULES] == [
        ("Triage precision < 40%", "Enable cross-encoder reranking", "FEATURE_CROSS_ENCODER_RERANK"),
        ("Many searches, low refinement", "Enable HyDE query expansion", "FEATURE_DQP_HYDE_RETRIEVAL"),
        ("Slow first signal (>50% turns)", "Increase retrieval topK", "RETRIEVAL_LIMIT: 8 → 20"),
        ("Low recall on temporal corpus", "Enable temporal surface", "FEATURE_SURFACE_VERSION_CHAIN"),
        ("Wipe recovery < 30% on T1", "Switch to T2 (persistent memory)", "Arm change"),
        ("Context-stuffing > 2x budget", "Switch to tool-mediated retrieval", "Arm change"),
    ]
