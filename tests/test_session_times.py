"""T_orient and T_task: from when to when, and exact in the digits as recorded."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.sessions import Fields, agent, call, event, fixture, found, says, trace, user

DEPLOY = {"tools": [{"name": "deploy", "changes_state": True}, {"name": "search"}]}


@pytest.mark.parametrize(
    ("events", "fields", "expected"),
    [
        pytest.param([user(at=0.0), call("deploy", at=4.2)], {}, 4.2, id="first-event-to-the-change"),
        pytest.param([user(at=3.0), call("deploy", at=4.0)], {"started_at": 0.5}, 3.5, id="started-at"),
        pytest.param(
            [says("system", "x", 2.0), user(at=3.0), call("deploy", at=4.0)], {"started_at": 0.0}, 2.0, id="system-prompt-excluded"
        ),
        pytest.param([says("system", "x", 1.0), says("system", "y", 2.0), call("deploy", at=4.0)], {}, 2.0, id="the-last-leading-one"),
        pytest.param([says("system", "x"), call("deploy", at=4.0)], {"started_at": 1.0}, 3.0, id="system-prompt-without-a-time"),
        pytest.param([says("system", "x"), says("system", "y", 2.0), call("deploy", at=4.0)], {}, 2.0, id="only-the-last-one-has-a-time"),
        pytest.param([says("system", "x", 0.0), call("deploy", at=4.0)], {"started_at": 1.0}, 3.0, id="system-prompt-before-the-start"),
        pytest.param(
            [user(at=1.0), says("system", "late", 2.0), call("deploy", at=4.0)], {}, 3.0, id="a-later-system-message-does-not-lead"
        ),
        pytest.param([user(at=0.0), call("search", at=1.0), call("deploy", at=2.0)], {}, 2.0, id="reading-is-no-change"),
        pytest.param([user(at=0.0), call("search", at=1.0, changes_state=True)], {}, 1.0, id="the-call-itself-says-so"),
        pytest.param([user(at=0.0), call("deploy", at=1.0, changes_state=False), call("deploy", at=2.0)], {}, 2.0, id="the-call-says-not"),
        pytest.param([user(at=0.0), call("deploy", at=1.0, outcome="denied"), call("deploy", at=2.0)], {}, 2.0, id="denied-did-nothing"),
        pytest.param([user(at=0.0), call("deploy", at=1.0, outcome="error")], {}, 1.0, id="failed-was-tried"),
        pytest.param(
            [user(at=0.0), agent("let me see", 1.0), call("search", at=2.0), agent("so", 3.0)], {}, 3.0, id="a-text-before-a-call-is-a-note"
        ),
        pytest.param([user(at=0.0), agent("yes", 1.0), user(at=2.0), call("deploy", at=3.0)], {}, 1.0, id="the-user-ends-the-turn"),
        pytest.param([user(at=0.0), agent("yes", 1.0), event("kill", at=2.0), call("deploy", at=3.0)], {}, 1.0, id="the-kill-ends-it"),
        pytest.param([user(at=0.0), agent("x = 1", 1.0, kind="code"), call("search", at=2.0)], {}, 1.0, id="code"),
        pytest.param([user(at=0.0), agent("hm", 1.0, kind="note"), agent("so", 2.0)], {}, 2.0, id="a-note-by-its-kind"),
        pytest.param([user(at=0.0), agent(" ", 1.0), agent("so", 2.0)], {}, 2.0, id="an-empty-text-is-nothing"),
        pytest.param([agent("so", 2.0)], {}, 0.0, id="at-once"),
        pytest.param(
            [user(at="2026-11-30T10:00:00+01:00"), call("deploy", at="2026-11-30T09:00:00.125Z")], {}, 0.125, id="dates-with-their-zones"
        ),
    ],
)
def test_orient_time(events: list[Fields], fields: Fields, expected: float) -> None:
    """T_orient: session start, system prompt left out, to the first change of state, answer or code."""
    assert found("T_orient", fixture(**DEPLOY), trace(*events, **fields)).value == expected


@pytest.mark.parametrize(
    ("events", "fields", "reason"),
    [
        pytest.param([user(), call("deploy", at=1.0)], {}, "no_times", id="start-unknown"),
        pytest.param([user(at=0.0), call("deploy"), agent("done", 5.0)], {}, "no_times", id="action-unknown"),
        pytest.param([user(at=0.0), call("deploy", at=1.0)], {"started_at": "2026-11-30T10:00:00Z"}, "mixed_times", id="two-kinds"),
        pytest.param([user(at=5.0), call("deploy", at=1.0)], {}, "no_duration", id="backwards"),
        pytest.param([user(at=0.0), call("search", at=1.0)], {}, "no_substantive_action", id="only-reading"),
        pytest.param([user(at=0.0), call("unheard_of", at=1.0)], {}, "no_substantive_action", id="unknown-tool"),
        pytest.param([user(at=0.0), agent("hm", 1.0, kind="note")], {}, "no_substantive_action", id="only-a-note"),
    ],
)
def test_orient_time_is_null(events: list[Fields], fields: Fields, reason: str) -> None:
    """Without a start, an action or their times there is no T_orient; a later action does not stand in."""
    finding = found("T_orient", fixture(**DEPLOY), trace(*events, **fields))
    assert (finding.value, finding.reason) == (None, reason)


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        pytest.param([says("system", "x", 0.0), user(at=1.0), agent("a", 2.0), user(at=3.0), agent("b", 157.3)], 156.3, id="first-to-last"),
        pytest.param([user(at=1.0), agent("a", 2.5), call("x", at=9.0)], 1.5, id="a-call-is-no-response"),
        pytest.param([agent("hello", 0.0), user(at=1.0), agent("a", 2.5), agent("", 7.0)], 1.5, id="an-empty-text-is-no-response"),
        pytest.param([user(at=1.0), agent("a", 1.0)], None, id="no-time-passed"),
        pytest.param([agent("a", 0.0), user(at=1.0)], None, id="the-agent-spoke-before"),
        pytest.param([user(at=1.0), agent("a", 2.0), agent("b")], None, id="end-unknown"),
        pytest.param([user(at=-1e308), agent("a", 1e308)], None, id="beyond-all-numbers"),
    ],
)
def test_task_time(events: list[Fields], expected: float | None) -> None:
    """T_task: first message of the user to the last text of the agent, above 0."""
    assert found("T_task", fixture(), trace(*events)).value == expected


@given(st.decimals(0, 10**6, places=3), st.decimals(1, 10**6, places=3))
def test_seconds_are_exact_in_the_digits_as_recorded(start: Any, seconds: Any) -> None:
    """The origin of the seconds changes no digit of a duration."""
    recorded = trace(user(at=float(start)), agent("a", float(start + seconds)))
    assert found("T_task", fixture(), recorded).value == float(seconds)


def test_the_human_time_comes_from_the_fixture_alone() -> None:
    """A time in the trace neither replaces nor supplies it."""
    assert found("T_human", fixture(T_human_s=1800), trace(agent("a"), T_human_s=60.0)).value == 1800.0
    assert found("T_human", fixture(), trace(agent("a"), T_human_s=60.0)).value is None
