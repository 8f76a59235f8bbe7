"""What survives a kill and restart: K_decision, K_causal, K_checkpoint."""

import json
from typing import Any

import pytest

from tests.support.sessions import Fields, agent, call, event, fixture, found, loaded, trace, user

KEYS = {"expected_decisions": ["rollback", "freeze", "canary"], "tools": [{"name": "save", "role": "checkpoint"}]}
KILL, RESTART = event("kill"), event("restart")


def saved(**fields: Any) -> Fields:
    return event("checkpoint", fields=fields)


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        pytest.param([event("kill", decisions=["a", "b"]), event("restart", decisions=["B", "c"])], 0.5, id="two-lists"),
        pytest.param(
            [event("kill", decisions=["roll back"]), event("restart", decisions=["do not roll back"])], 0.0, id="two-lists-are-equal-or-not"
        ),
        pytest.param([event("kill", decisions=["a"]), event("restart", decisions=[])], 0.0, id="nothing-left"),
        pytest.param([agent("rollback, freeze"), KILL, event("restart", restored="Rollback.")], 0.5, id="restored"),
        pytest.param([agent("rollback"), KILL, RESTART, agent("go on with the rollback")], 1.0, id="said-again"),
        pytest.param([agent("rollback"), KILL, RESTART, loaded("rollback.md")], 1.0, id="loaded-again"),
        pytest.param([agent("rollback"), KILL, RESTART, user("rollback?")], 0.0, id="the-user-does-not-count"),
        pytest.param([saved(decisions=["freeze"]), KILL, event("restart", restored="freeze")], 1.0, id="saved-before"),
        pytest.param(
            [call("save", arguments={"decisions": "freeze"}), KILL, event("restart", restored="freeze")], 1.0, id="saved-by-a-tool"
        ),
        pytest.param([agent("rollback"), KILL, event("restart", decisions=["Rollback to v2"])], 1.0, id="key-in-a-listed-decision"),
        pytest.param([event("kill", decisions=["use v2"]), RESTART, agent("we use  V2")], 1.0, id="listed-decision-in-a-text"),
        pytest.param([agent("rollback"), KILL, RESTART, agent("rollback, freeze")], 1.0, id="new-ones-do-not-count"),
        pytest.param(
            [agent("rollback"), KILL, event("restart", restored="rollback"), agent("freeze"), KILL, event("restart", restored="freeze")],
            2 / 3,
            id="two-kills-are-pooled",
        ),
        pytest.param([agent("rollback"), KILL, event("restart", restored="rollback"), KILL], 1.0, id="a-last-kill-without-a-restart"),
        pytest.param([agent("freeze"), KILL, KILL, event("restart", restored="freeze")], 1.0, id="killed-twice"),
        pytest.param([agent("freeze")], None, id="no-kill"),
        pytest.param([event("kill", decisions=[]), event("restart", decisions=["a"])], None, id="none-stood-before"),
    ],
)
def test_decision_preservation(events: list[Fields], expected: float | None) -> None:
    """K_decision: decisions after the restart that stood before / decisions before."""
    assert found("K_decision", fixture(**KEYS), trace(*events)).value == expected


LINKS = {
    "dependency_links": [{"decision": "freeze", "depends_on": "rollback"}, {"decision": "canary", "depends_on": "freeze"}],
    "tools": [{"name": "why", "role": "causal_chain"}],
}
FIRST, TURNED = {"decision": "Freeze", "depends_on": "rollback"}, {"decision": "rollback", "depends_on": "freeze"}


def linked(*links: Fields) -> Fields:
    return event("causal_links", links=list(links))


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        pytest.param([linked(FIRST)], 0.5, id="one-of-two"),
        pytest.param([linked(FIRST), linked(FIRST)], 0.5, id="twice-is-once"),
        pytest.param([linked(TURNED)], 0.0, id="the-wrong-way-round"),
        pytest.param([linked()], 0.0, id="stated-none"),
        pytest.param([linked(FIRST), KILL, RESTART, linked(TURNED)], 0.0, id="after-the-restart"),
        pytest.param([linked(FIRST), KILL, RESTART], 0.0, id="not-rebuilt-after-the-restart"),
        pytest.param([KILL, RESTART, linked(FIRST)], 0.5, id="rebuilt"),
        pytest.param([call("why", result=json.dumps([FIRST]))], 0.5, id="by-a-tool"),
        pytest.param(
            [call("why", result=json.dumps({"links": [{**FIRST, "weight": 2}, 7, {"decision": "x"}]}))], 0.5, id="other-entries-ignored"
        ),
        pytest.param([call("why", result='{"links": []}')], 0.0, id="no-links-are-a-statement-too"),
        pytest.param([call("why", result="{}")], 0.0, id="nothing-came-back"),
        pytest.param([call("why", result="freeze rests on rollback")], None, id="a-result-without-links"),
        pytest.param([call("why", result="[" * 100_000)], None, id="a-result-that-is-no-json"),
        pytest.param([agent("freeze depends on rollback")], None, id="never-stated"),
    ],
)
def test_causal_integrity(events: list[Fields], expected: float | None) -> None:
    """K_causal: links of the fixture that were stated / all links; null if none ever was."""
    assert found("K_causal", fixture(**LINKS), trace(*events)).value == expected


def test_a_transcript_without_the_tool_does_not_tell_links() -> None:
    """What the record cannot hold is not recorded, rather than never stated."""
    assert (
        found("K_causal", fixture(dependency_links=LINKS["dependency_links"]), trace(agent("a"), source="inspect")).reason == "not_recorded"
    )


FULL = {"decisions": ["a"], "Open-Questions": "b", "assumptions": {"c": 1}, "next steps": 0}


@pytest.mark.parametrize(
    ("fields", "events", "expected"),
    [
        pytest.param(None, [saved(**FULL)], 1.0, id="the-four-of-the-standard"),
        pytest.param(None, [saved(decisions=["a"], note="x")], 0.25, id="one-of-four"),
        pytest.param(["decisions"], [saved(**FULL)], 1.0, id="a-list-of-its-own"),
        pytest.param(["Next Steps", "risks"], [saved(**FULL)], 0.5, id="names-are-folded"),
        pytest.param(
            ["a", "b", "c", "d", "e"],
            [saved(a="", b=[], c=None, d=[" "], e="x")],
            0.4,
            id="no-texts-but-an-empty-list",
        ),
        pytest.param(["a"], [saved(b="x")], 0.0, id="missing"),
        pytest.param(["a"], [saved(a="x"), saved(b="x")], 0.0, id="the-last-one"),
        pytest.param(["a"], [saved(a="x"), KILL, RESTART, saved(b="x")], 1.0, id="the-last-before-the-kill"),
        pytest.param(["a"], [KILL, RESTART, saved(a="x")], 1.0, id="only-after-the-kill"),
        pytest.param(["a"], [agent("a: x")], 0.0, id="none-made"),
        pytest.param(["a"], [call("save", arguments={"a": "x"})], 1.0, id="by-a-tool"),
        pytest.param(["a"], [call("save", arguments='{"a": "x"}')], 1.0, id="arguments-as-text"),
        pytest.param(["a"], [call("save", arguments={"snapshot": {"a": "x"}})], 1.0, id="in-an-only-argument"),
        pytest.param(["a"], [call("save", arguments={"a": "x"}, outcome="error")], 0.0, id="failed"),
        pytest.param(["a"], [call("save", arguments="x")], 0.0, id="no-fields"),
        pytest.param(None, [agent("a")], None, id="none-made-and-none-asked"),
        pytest.param([], [saved(**FULL)], None, id="nothing-expected"),
    ],
)
def test_checkpoint_quality(fields: list[str] | None, events: list[Fields], expected: float | None) -> None:
    """K_checkpoint: expected fields that hold something / expected fields."""
    fixed = fixture(checkpoint_fields=fields, tools=KEYS["tools"])
    assert found("K_checkpoint", fixed, trace(*events)).value == expected


def test_a_transcript_without_the_tool_does_not_tell_checkpoints() -> None:
    """With the tool in the fixture a missing checkpoint is 0; without it nothing is known."""
    recorded = trace(agent("a"), source="transcript")
    assert found("K_checkpoint", fixture(checkpoint_fields=["a"]), recorded).reason == "not_recorded"
    assert found("K_checkpoint", fixture(checkpoint_fields=["a"], tools=KEYS["tools"]), recorded).value == 0.0


def test_what_tools_show_and_what_is_left_at_the_end_are_available_decisions() -> None:
    """A memory read after the restart gives decisions back, and so does the final output; a failed read does not."""
    before = [event("kill", decisions=["alpha", "beta"]), event("restart")]
    fixed = fixture(expected_decisions=["alpha", "beta"])
    assert found("K_decision", fixed, trace(*before, call("recall", result="alpha; beta"))).value == 1.0
    assert found("K_decision", fixed, trace(*before, call("recall", result="alpha; beta", outcome="error"))).value == 0.0
    assert found("K_decision", fixed, trace(*before, final_output="alpha stands")).value == 0.5


def test_links_may_be_handed_to_the_tool() -> None:
    """What the agent states in a call counts as what a call returns; a question without links states none."""
    fixed = fixture(dependency_links=[FIRST], tools=[{"name": "why", "role": "causal_chain"}])
    assert found("K_causal", fixed, trace(call("why", arguments={"links": [FIRST]}, result="saved"))).value == 1.0
    assert found("K_causal", fixed, trace(call("why", arguments={"decision": "x"}, result="prose"))).value is None
