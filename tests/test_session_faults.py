"""What a fixture and a trace cannot both say, and what became of the documents of what was missed."""

from typing import Any

import pytest

from judge.session.faults import session_faults
from judge.session.missed import Missed, missed
from judge.session.notices import session_notices
from tests.support.sessions import Fields, agent, call, event, fixture, loaded, says, trace, used, user

KILL, RESTART, CORRECTION = event("kill"), event("restart"), event("correction")


@pytest.mark.parametrize(
    ("fixed", "events", "fields", "expected"),
    [
        pytest.param(
            {"T_human_s": 1800},
            [],
            {"T_human_s": 900.5},
            "T_human_s: found 900.5, but the fixture harbour says 1800; rule: T_human comes from the fixture alone",
            id="another-human-time",
        ),
        pytest.param(
            {},
            [],
            {"given": {"T_human_s": 900}},
            "given.T_human_s: found 900, but the fixture harbour has no T_human_s (version 1); rule: T_human comes from the fixture alone",
            id="a-human-time-the-fixture-lacks",
        ),
        pytest.param(
            {},
            [user(at=1.0), agent("a", "2026-11-30T10:00Z")],
            {},
            "events[1].at: found 2026-11-30T10:00:00+00:00 after 1 in events[0].at; "
            "rule: a trace has seconds throughout or dates throughout",
            id="two-kinds-of-times",
        ),
        pytest.param(
            {},
            [user(at=2.0), agent("a"), agent("b", 1.5)],
            {},
            "events[2].at: found 1.5 after 2 in events[0].at; rule: times do not run backwards",
            id="backwards",
        ),
        pytest.param(
            {},
            [user(at="2026-11-30T10:00:00Z")],
            {"started_at": "2026-11-30T10:00:01Z"},
            "events[0].at: found 2026-11-30T10:00:00+00:00 after 2026-11-30T10:00:01+00:00 in started_at; rule: times do not run backwards",
            id="before-the-start",
        ),
        pytest.param(
            {"unanswerable_questions": [{"id": "a"}, {"id": "b"}, {"id": "a"}]},
            [],
            {},
            "fixture.unanswerable_questions: found the id 'a' 2 times; rule: each id stands once",
            id="doubled-question",
        ),
        pytest.param(
            {"tools": [{"name": "x"}, {"name": "x", "changes_state": True}]},
            [],
            {},
            "fixture.tools: found the name 'x' 2 times; rule: each name stands once",
            id="doubled-tool",
        ),
        pytest.param(
            {},
            [],
            {"answers": [{"id": "a"}, {"id": "a"}]},
            "answers: found the id 'a' 2 times; rule: each id stands once",
            id="doubled-answer",
        ),
        pytest.param(
            {},
            [call("x", id="1", arguments=[1]), call("x", id="1", arguments=[2])],
            {},
            "events[1].id: found '1', as on a different call in events[0]; rule: an id names one call",
            id="doubled-call",
        ),
        pytest.param(
            {"supersession_queries": [{"id": "q", "current": "V3", "older": ["v2", "v3"]}]},
            [],
            {},
            "fixture.supersession_queries[0].older[1]: found 'v3', which is the current value; rule: an older value differs from it",
            id="older-is-current",
        ),
        pytest.param(
            {},
            [user(), RESTART],
            {},
            "events[1]: found a restart without a kill before it; rule: each restart follows a kill",
            id="restart-alone",
        ),
        pytest.param(
            {},
            [KILL, RESTART, RESTART],
            {},
            "events[2]: found a restart without a kill before it; rule: each restart follows a kill",
            id="two-restarts",
        ),
        pytest.param(
            {},
            [user(), agent("a"), CORRECTION],
            {"automated": True},
            "events: found 1 corrections in a session with automated true; rule: nobody corrects an automated session",
            id="corrected-though-automated",
        ),
        pytest.param(
            {},
            [user(), CORRECTION, CORRECTION],
            {},
            "events: found 2 corrections and N_turns 0; rule: a correction needs a turn of user and agent",
            id="corrections-without-turns",
        ),
        pytest.param(
            {},
            [],
            {"given": {"N_turns": 0, "N_corrections": 2}},
            "given.N_corrections: found 2 corrections and N_turns 0; rule: a correction needs a turn of user and agent",
            id="given-corrections-without-turns",
        ),
    ],
)
def test_a_fault_names_field_value_and_rule(fixed: Fields, events: list[Fields], fields: Fields, expected: str) -> None:
    """Each fault is told once, and alone where there is no other."""
    assert list(session_faults(fixture(**fixed), trace(*events, **fields))) == [expected]


@pytest.mark.parametrize(
    ("fixed", "events", "fields"),
    [
        pytest.param({"T_human_s": 1800}, [], {"T_human_s": 1800.0, "given": {"T_human_s": 1800}}, id="the-same-human-time"),
        pytest.param(
            {}, [says("system", "x"), user(at=1.0), agent("a"), agent("b", 1.0)], {"started_at": 0.0}, id="times-that-stand-still-or-lack"
        ),
        pytest.param({}, [user(at="2026-11-30T10:00:00+01:00"), agent("a", "2026-11-30T09:00:00Z")], {}, id="zones"),
        pytest.param({}, [call("x", id="1", arguments=[1]), call("x", id="1", arguments=[1], result="late")], {}, id="the-same-call-twice"),
        pytest.param({}, [KILL, KILL, RESTART, KILL], {}, id="kills"),
        pytest.param({}, [used("never loaded")], {}, id="used-but-never-loaded"),
        pytest.param({}, [user(), agent("a"), CORRECTION, CORRECTION], {}, id="more-corrections-than-turns-are-clamped"),
        pytest.param({}, [CORRECTION], {}, id="turns-unknown"),
        pytest.param(
            {"temporal_queries": [{"id": "q", "current": "1"}], "supersession_queries": [{"id": "q", "current": "1"}]},
            [],
            {},
            id="one-question-for-two",
        ),
    ],
)
def test_what_is_no_fault(fixed: Fields, events: list[Fields], fields: Fields) -> None:
    """A session that can be measured has no faults."""
    assert list(session_faults(fixture(**fixed), trace(*events, **fields))) == []


def test_all_faults_are_told_at_once() -> None:
    """One reading shows everything that is wrong."""
    recorded = trace(user(at=2.0), RESTART, agent("a", 1.0), T_human_s=5.0, answers=[{"id": "a"}, {"id": "a"}])
    assert len(list(session_faults(fixture(T_human_s=6), recorded))) == 4


EXPECTED: dict[str, Any] = {
    "expected_decisions": [{"key": "rollback", "document": "doc-1"}, {"key": "freeze", "document": "doc-2"}, "canary"],
    "constraints": [{"key": "no downtime", "document": "doc-3"}],
    "incident": {"key": "INC-7", "document": "doc-4"},
}
SEARCH = {"tools": [{"name": "search", "role": "retrieval"}]}


def test_each_missed_key_tells_the_fate_of_its_document() -> None:
    """Found in a search, loaded or used, never found, or not named at all; what was not missed is left out."""
    events = [event("retrieval", documents=["DOC-2"]), loaded("doc-3"), used("doc-4"), agent("INC-8")]
    assert missed(fixture(**EXPECTED), trace(*events)) == (
        Missed("decision", "rollback", "doc-1", "never found"),
        Missed("decision", "freeze", "doc-2", "found and not used"),
        Missed("decision", "canary", None, "no document named"),
        Missed("constraint", "no downtime", "doc-3", "found and not used"),
        Missed("incident", "INC-7", "doc-4", "found and not used"),
    )


@pytest.mark.parametrize(
    ("fixed", "events", "expected"),
    [
        pytest.param({}, [agent("nothing")], "retrieval not recorded", id="no-search-in-the-record"),
        pytest.param({}, [loaded("doc-9"), agent("nothing")], "never found", id="something-else-was-loaded"),
        pytest.param(SEARCH, [agent("nothing")], "never found", id="the-tool-was-not-called"),
        pytest.param(SEARCH, [call("search", result="[doc-1] ..."), agent("nothing")], "found and not used", id="in-a-result"),
        pytest.param(SEARCH, [call("search", result="doc-11"), agent("nothing")], "never found", id="longer-id"),
    ],
)
def test_the_fate_of_one_document(fixed: Fields, events: list[Fields], expected: str) -> None:
    """Whether the pipeline never found it, or the agent had it and did not use it."""
    recorded = trace(*events)
    assert [lack.fate for lack in missed(fixture(expected_decisions=EXPECTED["expected_decisions"][:1], **fixed), recorded)] == [expected]


def test_nothing_is_missed_where_nothing_is_known() -> None:
    """A session without a final output, or with everything in it, misses nothing."""
    assert missed(fixture(**EXPECTED), trace(user())) == ()
    assert missed(fixture(**EXPECTED), trace(final_output="rollback freeze canary no downtime INC-7")) == ()


# --- what is odd ---


def test_names_that_nothing_else_knows_are_told() -> None:
    """A slip of the pen lowers no value in silence; a session without any is told nothing."""
    asked = fixture(temporal_queries=[{"id": "when", "current": "22:40"}])
    odd = trace(loaded("minutes"), used("minutes", "minuets"), answers=[{"id": "when", "text": "22:40"}, {"id": "wehn"}])
    assert list(session_notices(asked, odd)) == [
        "context that was used and never loaded does not count for P_context: minuets",
        "answers to questions that the fixture does not ask count for nothing: wehn",
    ]
    assert not list(session_notices(asked, trace(loaded("minutes"), used("Minutes"))))
