"""OpenAI-style transcripts as sessions: texts, tool calls joined with their results, times and tokens."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.errors import InputError
from judge.schema.events import Message, ToolCall
from judge.schema.traces import TokenUsage
from pipelines.sessions.steps import Called, Returned, Said, joined
from pipelines.sessions.trace_file import TraceFile
from pipelines.sessions.traces import read_traces

USER = {"role": "user", "content": "When does the last ferry leave?"}
CALL = {
    "role": "assistant",
    "content": None,
    "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "search", "arguments": '{"q": "ferry"}'}}],
}
RESULT = {"role": "tool", "tool_call_id": "c1", "content": "Last departure 22:40"}
ANSWER = {"role": "assistant", "content": "At 22:40."}
CHAT = [{"role": "developer", "content": "Be brief."}, USER, CALL, RESULT, ANSWER]


def read(folder: Path, content: Any, name: str = "chat.json") -> TraceFile:
    """Write text or JSON, and read the one session in it."""
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    (found,) = read_traces(path)
    return found


def faults(folder: Path, content: Any) -> list[str]:
    """Return the faults of a file without its name."""
    with pytest.raises(InputError) as caught:
        read(folder, content)
    return [str(fault).removeprefix(str(folder / "chat.json")).removeprefix(":").strip() for fault in caught.value.faults]


@pytest.mark.parametrize(
    ("content", "form"),
    [
        pytest.param(CHAT, "OpenAI-style transcript, a list of messages", id="list"),
        pytest.param({"messages": CHAT}, "OpenAI-style transcript, an object with messages", id="object"),
        pytest.param("\n".join(map(json.dumps, CHAT)), "OpenAI-style transcript, one message a line", id="json-lines"),
    ],
)
def test_chat_becomes_messages_and_calls(tmp_path: Path, content: Any, form: str) -> None:
    """A result joins its call, an agent's message without text is only its calls, and a developer speaks as the system."""
    found = read(tmp_path, content)
    assert found.recognised == form
    assert found.warnings == ()
    assert found.trace.id == "chat"
    assert found.trace.source == "transcript"
    assert found.trace.events == (
        Message(role="system", text="Be brief."),
        Message(role="user", text="When does the last ferry leave?"),
        ToolCall(id="c1", name="search", arguments={"q": "ferry"}, result="Last departure 22:40"),
        Message(role="assistant", text="At 22:40."),
    )


@pytest.mark.parametrize(
    ("content", "text"),
    [
        pytest.param("plain", "plain", id="string"),
        pytest.param([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "a\nb", id="two-parts"),
        pytest.param([{"type": "reasoning", "text": "secret"}, {"type": "output_text", "text": "said"}], "said", id="reasoning-left-out"),
        pytest.param([{"type": "thinking", "thinking": "secret"}, {"type": "text", "text": "said"}], "said", id="thinking-left-out"),
        pytest.param([{"type": "refusal", "refusal": "I will not."}], "I will not.", id="refusal-part"),
        pytest.param(["bare", {"type": "image_url", "image_url": {}}], "bare", id="bare-string-and-image"),
    ],
)
def test_only_texts_of_a_content_count(tmp_path: Path, content: Any, text: str) -> None:
    """What the agent thought is no answer."""
    assert read(tmp_path, [USER, {"role": "assistant", "content": content}]).trace.events[1] == Message(role="assistant", text=text)


def test_a_refusal_beside_the_content_is_said(tmp_path: Path) -> None:
    """A refusal has a field of its own in a chat message."""
    found = read(tmp_path, [USER, {"role": "assistant", "content": None, "refusal": "I will not."}])
    assert found.trace.events[-1] == Message(role="assistant", text="I will not.")


def test_an_image_alone_is_a_turn_of_the_user(tmp_path: Path) -> None:
    """It has no text and is a message all the same."""
    found = read(tmp_path, [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}, ANSWER])
    assert found.trace.events[0] == Message(role="user", text="")


@pytest.mark.parametrize(
    ("more", "outcome"),
    [
        pytest.param({}, "ok", id="nothing-told"),
        pytest.param({"content": "An error occurred while running the tool."}, "ok", id="words-tell-nothing"),
        pytest.param({"is_error": True}, "error", id="is-error"),
        pytest.param({"is_error": False}, "ok", id="is-no-error"),
        pytest.param({"status": "error"}, "error", id="status-error"),
        pytest.param({"status": "Failed"}, "error", id="status-failed"),
        pytest.param({"status": "completed"}, "ok", id="status-completed"),
        pytest.param({"status": "denied"}, "denied", id="status-denied"),
        pytest.param({"error": {"type": "timeout", "message": "late"}}, "error", id="error-object"),
    ],
)
def test_explicit_fields_alone_tell_of_an_error(tmp_path: Path, more: dict[str, Any], outcome: str) -> None:
    """A tool that returns a text about errors did not fail."""
    call = read(tmp_path, [USER, CALL, {**RESULT, **more}, ANSWER]).trace.events[1]
    assert isinstance(call, ToolCall)
    assert call.outcome == outcome


def test_several_calls_of_one_message_are_joined_by_id(tmp_path: Path) -> None:
    """Results may come in any order; an id that a program uses again belongs to the earliest open call."""
    calls = [{"id": name, "function": {"name": name, "arguments": ""}} for name in ("a", "b", "a")]
    results = [{"role": "tool", "tool_call_id": name, "content": text} for name, text in (("b", "2"), ("a", "1"), ("a", "3"))]
    events = read(tmp_path, [USER, {"role": "assistant", "tool_calls": calls}, *results]).trace.events
    assert [(event.name, event.result) for event in events if isinstance(event, ToolCall)] == [("a", "1"), ("b", "2"), ("a", "3")]


def test_calls_of_old_files_are_joined_by_name(tmp_path: Path) -> None:
    """`function_call` and the role `function` have no ids."""
    old = {"role": "assistant", "content": None, "function_call": {"name": "search", "arguments": "{not json"}}
    found = read(tmp_path, [USER, old, {"role": "function", "name": "search", "content": "found"}])
    assert found.trace.events[1] == ToolCall(name="search", arguments="{not json", result="found")


def test_what_does_not_join_is_told(tmp_path: Path) -> None:
    """A result without a call is no call; a call without a result is one."""
    found = read(tmp_path, [USER, {**RESULT, "tool_call_id": "other"}, CALL])
    assert found.warnings == ("tool results without a call, left out: 1", "tool calls without a result: 1")
    assert len(found.trace.events) == 2


def test_content_parts_can_hold_calls_and_results(tmp_path: Path) -> None:
    """A user's message of results alone is no turn of the user."""
    use = {
        "role": "assistant",
        "content": [{"type": "text", "text": "Looking."}, {"type": "tool_use", "id": "t", "name": "x", "input": {"a": 1}}],
    }
    back = {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "no"}], "is_error": True}],
    }
    assert read(tmp_path, [USER, use, back]).trace.events[1:] == (
        Message(role="assistant", text="Looking."),
        ToolCall(id="t", name="x", arguments={"a": 1}, result="no", outcome="error"),
    )


def test_responses_items_are_read(tmp_path: Path) -> None:
    """Calls, their outputs and messages; reasoning is passed over, and a hosted tool is a call without an output of its own."""
    items = [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "When?"}]},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "secret"}]},
        {"type": "function_call", "call_id": "c1", "name": "search", "arguments": '{"q": 1}', "id": "fc_1"},
        {"type": "function_call_output", "call_id": "c1", "output": "22:40"},
        {"type": "web_search_call", "id": "ws_1", "status": "failed", "action": {"query": "ferry"}},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "22:40."}]},
    ]
    found = read(tmp_path, items)
    assert found.warnings == ()
    assert found.trace.events == (
        Message(role="user", text="When?"),
        ToolCall(id="c1", name="search", arguments={"q": 1}, result="22:40"),
        ToolCall(id="ws_1", name="web_search", arguments={"query": "ferry"}, outcome="error"),
        Message(role="assistant", text="22:40."),
    )


@pytest.mark.gold
@pytest.mark.skipif("CRUX_GOLD_DIR" not in os.environ, reason="CRUX_GOLD_DIR is not set")
def test_real_session_items_are_read() -> None:
    """The list that the OpenAI Agents SDK wrote: two calls, of which the second returned a text about an error, and no times."""
    (found,) = read_traces(Path(os.environ["CRUX_GOLD_DIR"]) / "formats/agent-traces/openai_agents_session_items.jsonl")
    kinds = [event.type for event in found.trace.events]
    assert kinds == ["message", "tool_call", "tool_call", "message"]
    assert [event.outcome for event in found.trace.events if isinstance(event, ToolCall)] == ["ok", "ok"]
    assert {event.at for event in found.trace.events} == {None}
    assert found.trace.usage == ()


# --- what an object says beside its messages ---


def test_facts_beside_the_messages_are_taken(tmp_path: Path) -> None:
    """Whatever a trace may say, an object with messages may say too; what nobody asked for is named."""
    told = {
        "id": 7,
        "agent": "atlas",
        "model": "atlas-1",
        "automated": True,
        "created": 1767225600,
        "fixture": "ferry.json",
        "given": {"Q_info": 0.5},
        "temperature": 0,
        "messages": [USER, ANSWER],
    }
    found = read(tmp_path, told)
    trace = found.trace
    assert (trace.id, trace.agent, trace.model, trace.automated, trace.started_at) == ("7", "atlas", "atlas-1", True, 1767225600.0)
    assert trace.fixture is not None
    assert (trace.fixture.path, trace.fixture.sha256) == ("ferry.json", None)
    assert trace.given == {"Q_info": 0.5}
    assert found.warnings == ("fields that a session has no use for: temperature",)


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        pytest.param((100, 101.5), (100.0, 101.5), id="seconds"),
        pytest.param((1767225600000, 1767225601500), (1767225600.0, 1767225601.5), id="milliseconds"),
        pytest.param(
            ("2026-01-01T00:00:00Z", "2026-01-01T01:00:01+01:00"),
            (datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, 0, 0, 1, tzinfo=UTC)),
            id="dates",
        ),
        pytest.param(
            ("2026-01-01 00:00:00", 1767225601),
            (datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, 0, 0, 1, tzinfo=UTC)),
            id="no-zone-is-utc-and-seconds-become-dates",
        ),
    ],
)
@pytest.mark.parametrize("key", ["timestamp", "created_at"])
def test_times_of_messages_are_kept(tmp_path: Path, key: str, times: Any, expected: Any) -> None:
    """Seconds since 1970 or dates; a call has the time of its message."""
    events = read(tmp_path, [{**USER, key: times[0]}, {**CALL, key: times[1]}]).trace.events
    assert tuple(event.at for event in events) == expected


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        pytest.param(
            {"prompt_tokens": 1000, "completion_tokens": 200, "prompt_tokens_details": {"cached_tokens": 800}},
            [TokenUsage(model="m", input_tokens=200, output_tokens=200, cache_read_tokens=800)],
            id="cached-ones-are-a-part-of-input",
        ),
        pytest.param(
            {"input_tokens": 50, "output_tokens": 5, "input_tokens_details": {"cached_tokens": 50}},
            [TokenUsage(model="m", input_tokens=0, output_tokens=5, cache_read_tokens=50)],
            id="responses-names",
        ),
        pytest.param(
            {"input_tokens": 50, "output_tokens": 5, "cache_read_input_tokens": 400, "cache_creation_input_tokens": 7},
            [TokenUsage(model="m", input_tokens=50, output_tokens=5, cache_read_tokens=400, cache_write_tokens=7)],
            id="the-other-way-of-counting",
        ),
        pytest.param(
            [
                {"prompt_tokens": 1, "completion_tokens": 2},
                {"prompt_tokens": 10, "completion_tokens": 20},
                {"model": "n", "prompt_tokens": 5},
            ],
            [TokenUsage(model="m", input_tokens=11, output_tokens=22), TokenUsage(model="n", input_tokens=5)],
            id="list-summed-by-model",
        ),
        pytest.param(
            [{"prompt_tokens": 1, "completion_tokens": 2}, {"prompt_tokens": 10}],
            [TokenUsage(model="m", input_tokens=11, output_tokens=None)],
            id="one-unknown-makes-the-sum-unknown",
        ),
        pytest.param(
            {"prompt_tokens": 1, "completion_tokens": 2, "cost_usd": 0},
            [TokenUsage(model="m", input_tokens=1, output_tokens=2, cost_usd=0.0)],
            id="bill-of-nothing",
        ),
    ],
)
def test_tokens_are_counted_once(tmp_path: Path, usage: Any, expected: list[TokenUsage]) -> None:
    """Input tokens without cached ones, one entry a model."""
    assert list(read(tmp_path, {"model": "m", "messages": [USER, ANSWER], "usage": usage}).trace.usage) == expected


def test_usage_of_every_answer_is_summed_and_of_some_is_none(tmp_path: Path) -> None:
    """A part of the tokens must not pass for all of them."""
    used = {**ANSWER, "usage": {"prompt_tokens": 3, "completion_tokens": 1}, "model": "m"}
    assert read(tmp_path, [USER, used, USER, used]).trace.usage == (TokenUsage(model="m", input_tokens=6, output_tokens=2),)
    assert read(tmp_path, [USER, used, USER, ANSWER]).trace.usage == ()


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param(
            [USER, {"role": "bot", "content": "x"}],
            ['$[1].role: is "bot", expected one of system, developer, user, assistant, tool, function'],
            id="role",
        ),
        pytest.param(
            [USER, {"role": "assistant", "content": 5}], ["$[1].content: is 5, expected text, null or a list of parts"], id="content"
        ),
        pytest.param([{"role": "user", "content": [{"type": "text"}]}], ["$[0].content[0].text: is null, expected text"], id="part"),
        pytest.param(
            {"messages": [USER, 3, {**CALL, "tool_calls": [{"function": {}}]}], "automated": 1, "usage": {"prompt_tokens": -1}},
            [
                "$.messages[1]: is 3, expected a message with a `role`",
                "$.messages[2].tool_calls[0].function.name: is missing",
                "$.usage.prompt_tokens: is -1, expected a number of tokens, 0 or more",
                "$.automated: is 1, expected true or false",
            ],
            id="all-at-once",
        ),
        pytest.param({"messages": "none"}, ["$.messages: is no list of messages"], id="no-list"),
        pytest.param(
            {"messages": [USER], "usage": {"prompt_tokens": 5, "prompt_tokens_details": {"cached_tokens": 6}}},
            ["$.usage: counts 6 cached tokens among 5 input tokens; cached ones are a part of them"],
            id="more-cached-than-there-are",
        ),
        pytest.param(
            [{**USER, "timestamp": "noon"}],
            ['$[0].timestamp: is "noon", expected seconds since 1970, or a date and time such as'],
            id="time",
        ),
        pytest.param({"messages": [USER], "given": {"S_gate": 3}}, ["$.given.S_gate: is 3, expected 0 or 1"], id="given"),
        pytest.param(json.dumps(USER) + "\n" + '{"role": "cook"}', ['2: $.role: is "cook", expected one of'], id="line"),
    ],
)
def test_faults_of_a_transcript_name_the_message(tmp_path: Path, content: Any, expected: list[str]) -> None:
    """All of them at once, with path or line."""
    found = faults(tmp_path, content)
    assert len(found) == len(expected)
    assert all(fault.startswith(start) for fault, start in zip(found, expected, strict=True)), found


def test_several_objects_with_messages_are_several_sessions(tmp_path: Path) -> None:
    """One a line, each with its own id or that of the file and its place."""
    path = tmp_path / "many.jsonl"
    path.write_text("\n".join(json.dumps({**more, "messages": [USER, ANSWER]}) for more in ({"id": "a"}, {})), encoding="utf-8")
    assert [found.trace.id for found in read_traces(path)] == ["a", "many#2"]


@given(
    steps=st.lists(
        st.builds(Said, role=st.sampled_from(["user", "assistant"]), text=st.text(max_size=3), at=st.none())
        | st.builds(Called, id=st.sampled_from(["a", "b", None]), name=st.just("t"), arguments=st.none(), at=st.none())
        | st.builds(Returned, id=st.sampled_from(["a", "b", "c"]), name=st.none(), result=st.text(max_size=3), outcome=st.just("ok")),
        max_size=12,
    )
)
def test_joining_keeps_every_text_and_call_in_order(steps: list[Any]) -> None:
    """Results never make, drop or move a call."""
    events = joined(steps).events
    assert [type(event).__name__ for event in events] == [
        "Message" if isinstance(step, Said) else "ToolCall" for step in steps if not isinstance(step, Returned)
    ]
    assert [event.id for event in events if isinstance(event, ToolCall)] == [step.id for step in steps if isinstance(step, Called)]
