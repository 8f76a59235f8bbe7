"""What a fixture and a trace cannot both say, and what became of the documents of what was missed."""

from typing import Any

import pytest

from judge.session.faults import fixture_faults, session_faults, trace_faults
from judge.session.missed import Missed, missed
from judge.session.notices import session_notices
from tests.support.sessions import Fields, agent, call, event, fixture, loaded, says, trace, used, user

KILL, RESTART, CORRECTION = event("kill"), event("restart"), event("correction")


QUERY = {"id": "q", "current": "1"}


@pytest.mark.parametrize(
    ("fields", "path", "message"),
    [
        pytest.param(
            {"unanswerable_questions": [{"id": "a"}, {"id": "b"}, {"id": "a"}]},
            "unanswerable_questions[2].id",
            'is "a", expected an id that no earlier question has',
            id="doubled-question",
        ),
        pytest.param(
            {"temporal_queries": [QUERY], "supersession_queries": [QUERY]},
            "supersession_queries[0].id",
            'is "q", expected an id that no earlier question has',
            id="one-id-in-two-lists",
        ),
        pytest.param(
            {"synthesis_facts": [{"id": "a", "parts": ["x"]}], "unanswerable_questions": [{"id": "a"}]},
            "unanswerable_questions[0].id",
            'is "a", expected an id that no earlier question has',
            id="one-id-for-a-fact-and-a-question",
        ),
        pytest.param(
            {"tools": [{"name": "x"}, {"name": "x", "changes_state": True}]},
            "tools[1].name",
            'is "x", expected a name that no earlier tool has',
            id="doubled-tool",
        ),
        pytest.param(
            {"supersession_queries": [{"id": "q", "current": "V3", "older": ["v2", "v3"]}]},
            "supersession_queries[0].older[1]",
            'is "v3", expected another value than the one of `current`',
            id="older-is-current",
        ),
    ],
)
def test_a_fault_of_a_fixture_names_field_value_and_rule(fields: Fields, path: str, message: str) -> None:
    """Each fault is told once, and alone where there is no other."""
    assert list(fixture_faults(fixture(**fields))) == [(path, message)]


def test_a_tool_may_be_called_as_a_question_is() -> None:
    """Names of tools and ids of questions never meet."""
    assert list(fixture_faults(fixture(tools=[{"name": "q"}], temporal_queries=[QUERY]))) == []


@pytest.mark.parametrize(
    ("events", "fields", "path", "message"),
    [
        pytest.param(
            [user(at=1.0), agent("a", "2026-11-30T10:00Z"), agent("b", "2026-11-30T10:01Z")],
            {},
            "events[1].at",
            "is 2026-11-30T10:00:00+00:00, expected seconds, as `events[0].at` has: a trace has seconds or dates throughout",
            id="a-date-among-seconds",
        ),
        pytest.param(
            [user(), agent("a", 3)],
            {"started_at": "2026-11-30T10:00:01Z"},
            "events[1].at",
            "is 3, expected a date, as `started_at` has: a trace has seconds or dates throughout",
            id="seconds-among-dates",
        ),
        pytest.param(
            [user(at=2.0), agent("a"), agent("b", 1.5)],
            {},
            "events[2].at",
            "is 1.5, expected 2 or later, as `events[0].at` before it has",
            id="backwards",
        ),
        pytest.param(
            [user(at="2026-11-30T10:00:00Z")],
            {"started_at": "2026-11-30T10:00:01Z"},
            "events[0].at",
            "is 2026-11-30T10:00:00+00:00, expected 2026-11-30T10:00:01+00:00 or later, as `started_at` before it has",
            id="before-the-start",
        ),
        pytest.param(
            [], {"answers": [{"id": "a"}, {"id": "a"}]}, "answers[1].id", 'is "a", expected an id that no earlier answer has', id="answer"
        ),
        pytest.param(
            [call("x", id="1", arguments=[1]), call("x", id="1", arguments=[2])],
            {},
            "events[1].id",
            'is "1", expected another id than that of the different call in events[0]',
            id="doubled-call",
        ),
        pytest.param([user(), RESTART], {}, "events[1]", "is a restart, expected a kill before it", id="restart-alone"),
        pytest.param([KILL, RESTART, RESTART], {}, "events[2]", "is a restart, expected a kill before it", id="two-restarts"),
    ],
)
def test_a_fault_of_a_trace_names_field_value_and_rule(events: list[Fields], fields: Fields, path: str, message: str) -> None:
    """Each fault is told once, and alone where there is no other."""
    assert list(trace_faults(trace(*events, **fields))) == [(path, message)]


@pytest.mark.parametrize(
    ("fixed", "events", "fields", "path", "message"),
    [
        pytest.param(
            {"T_human_s": 1800},
            [],
            {"T_human_s": 900.5},
            "T_human_s",
            'is 900.5, expected 1800, which the fixture "harbour" states; it comes from there alone',
            id="another-human-time",
        ),
        pytest.param(
            {},
            [],
            {"given": {"T_human_s": 900}},
            "given.T_human_s",
            'is 900, expected none: the fixture "harbour" states none; it comes from there alone',
            id="a-human-time-the-fixture-lacks",
        ),
        pytest.param(
            {},
            [user(), agent("a"), CORRECTION],
            {"automated": True},
            "automated",
            "is true, expected false, as events hold corrections (1): nobody corrects an automated session",
            id="corrected-though-automated",
        ),
        pytest.param(
            {},
            [user(), CORRECTION, CORRECTION],
            {},
            "events",
            "is a list with corrections (2), expected none, as N_turns is 0: a correction needs a turn of user and agent",
            id="corrections-without-turns",
        ),
        pytest.param(
            {},
            [user(), CORRECTION],
            {"given": {"N_corrections": 2}},
            "events",
            "is a list with corrections (1), expected none, as N_turns is 0: a correction needs a turn of user and agent",
            id="what-is-recorded-goes-before-what-is-given",
        ),
        pytest.param(
            {},
            [CORRECTION],
            {"given": {"N_turns": 0}},
            "events",
            "is a list with corrections (1), expected none, as N_turns is 0: a correction needs a turn of user and agent",
            id="corrections-without-given-turns",
        ),
        pytest.param(
            {},
            [user()],
            {"given": {"N_corrections": 2}},
            "given.N_corrections",
            "is 2, expected 0, as N_turns is 0: a correction needs a turn of user and agent",
            id="given-corrections-without-turns",
        ),
    ],
)
def test_a_fault_of_both_names_field_value_and_rule(fixed: Fields, events: list[Fields], fields: Fields, path: str, message: str) -> None:
    """Each fault is told once, and alone where there is no other."""
    assert list(session_faults(fixture(**fixed), trace(*events, **fields))) == [(path, message)]


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
    ],
)
def test_what_is_no_fault(fixed: Fields, events: list[Fields], fields: Fields) -> None:
    """A session that can be measured has no faults."""
    held, recorded = fixture(**fixed), trace(*events, **fields)
    assert [*fixture_faults(held), *trace_faults(recorded), *session_faults(held, recorded)] == []


def test_all_faults_are_told_at_once() -> None:
    """One reading shows everything that is wrong."""
    recorded = trace(user(at=2.0), RESTART, agent("a", 1.0), T_human_s=5.0, automated=True, answers=[{"id": "a"}, {"id": "a"}])
    assert [fault.path for fault in trace_faults(recorded)] == ["answers[1].id", "events[2].at", "events[1]"]
    both = trace(CORRECTION, T_human_s=5.0, automated=True)
    assert [fault.path for fault in session_faults(fixture(T_human_s=6), both)] == ["T_human_s", "automated"]


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


def test_a_trace_that_records_no_loading_is_told_nothing_of_it() -> None:
    """Where nothing was recorded as loaded, what was used may well have been: P_context is null there, and no slip is seen."""
    assert not list(session_notices(fixture(), trace(used("minutes", "minuets"))))
