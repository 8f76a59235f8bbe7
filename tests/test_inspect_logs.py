"""Inspect logs as sessions: samples, times from events, tokens without the grader's, and the container."""

import io
import json
import os
import zipfile
import zlib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import zstandard

from judge.errors import InputError
from judge.schema.events import Message, ToolCall
from judge.schema.traces import TokenUsage
from pipelines.documents.file_bytes import read_bytes
from pipelines.sessions.inspect_archive import read_archive
from pipelines.sessions.trace_file import TraceFile
from pipelines.sessions.traces import read_traces

START = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)
GOLD = pytest.mark.skipif("CRUX_GOLD_DIR" not in os.environ, reason="CRUX_GOLD_DIR is not set")


def at(seconds: float) -> str:
    """Return a time after the start, as a log writes it."""
    return (START + timedelta(seconds=seconds)).isoformat()


def generation(message: str, asked: float, answered: float) -> dict[str, Any]:
    """Return the event of one call of the model."""
    output = {"choices": [{"message": {"id": message, "role": "assistant", "content": "..."}}]}
    return {"event": "model", "timestamp": at(asked), "completed": at(answered), "output": output}


def call(identifier: str, when: float, **more: Any) -> dict[str, Any]:
    """Return the event of one call of a tool."""
    return {
        "event": "tool",
        "id": identifier,
        "function": "search",
        "arguments": {"q": identifier},
        "timestamp": at(when),
        "result": "found",
        **more,
    }


def nested(levels: int) -> Any:
    """Return lists within lists."""
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


USER = {"id": "u", "role": "user", "content": "When?"}
CALLING = {"id": "a1", "role": "assistant", "content": "", "tool_calls": [{"id": "c1", "function": "search", "arguments": {"q": "c1"}}]}
BACK = {"id": "t1", "role": "tool", "tool_call_id": "c1", "function": "search", "content": "found"}
ANSWER = {"id": "a2", "role": "assistant", "content": [{"type": "reasoning", "reasoning": "secret"}, {"type": "text", "text": "22:40"}]}
SAMPLE: dict[str, Any] = {
    "id": "q1",
    "epoch": 1,
    "input": "When?",
    "messages": [USER, CALLING, BACK, ANSWER],
    "output": {"completion": "22:40"},
    "events": [generation("a1", 1, 2), call("c1", 3), generation("a2", 4, 6)],
    "model_usage": {"openai/m": {"input_tokens": 20, "output_tokens": 5, "input_tokens_cache_read": 100, "input_tokens_cache_write": 7}},
    "started_at": at(0),
}
HEAD: dict[str, Any] = {"version": 2, "status": "success", "eval": {"task": "ferry", "model": "openai/m"}}


def log(*samples: Any, **more: Any) -> dict[str, Any]:
    """Return a log of samples."""
    return {**HEAD, **more, "samples": list(samples)}


def wrote(folder: Path, content: Any) -> Path:
    """Write JSON, or bytes, and return the path; the name tells nothing."""
    path = folder / "log.bin"
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return path


def read(folder: Path, content: Any) -> tuple[TraceFile, ...]:
    """Write a log and read its sessions."""
    return read_traces(wrote(folder, content))


def told(folder: Path, content: Any) -> str:
    """Return the faults of a log as one text."""
    with pytest.raises(InputError) as caught:
        read(folder, content)
    return str(caught.value)


def test_sample_becomes_a_session_with_the_times_of_its_events(tmp_path: Path) -> None:
    """An answer has the time when it was generated, what the agent was told the time when it was asked, a call that of its event."""
    (found,) = read(tmp_path, log(SAMPLE))
    trace = found.trace
    assert found.recognised == "Inspect log, status success"
    assert found.warnings == ()
    assert (trace.id, trace.agent, trace.model, trace.automated, trace.source) == ("q1#1", "openai/m", "openai/m", True, "inspect")
    assert trace.started_at == START
    assert trace.final_output == "22:40"
    assert trace.events == (
        Message(role="user", text="When?", at=START + timedelta(seconds=1)),
        ToolCall(id="c1", name="search", arguments={"q": "c1"}, result="found", at=START + timedelta(seconds=3)),
        Message(role="assistant", text="22:40", at=START + timedelta(seconds=6)),
    )
    assert trace.usage == (TokenUsage(model="openai/m", input_tokens=20, output_tokens=5, cache_read_tokens=100, cache_write_tokens=7),)


def test_sample_without_events_has_no_times(tmp_path: Path) -> None:
    """Its calls come from its messages."""
    (found,) = read(tmp_path, log({**SAMPLE, "events": []}))
    assert found.trace.events == (
        Message(role="user", text="When?"),
        ToolCall(id="c1", name="search", arguments={"q": "c1"}, result="found"),
        Message(role="assistant", text="22:40"),
    )


@pytest.mark.parametrize(
    ("more", "outcome"),
    [
        pytest.param({}, "ok", id="ok"),
        pytest.param({"error": {"type": "timeout", "message": "late"}}, "error", id="error"),
        pytest.param({"error": {"type": "approval", "message": "no"}}, "denied", id="not-approved"),
        pytest.param({"failed": True}, "error", id="failed"),
        pytest.param({"result": "Error: nothing found"}, "ok", id="words-tell-nothing"),
    ],
)
def test_outcome_of_a_call_is_told_by_its_event(tmp_path: Path, more: dict[str, Any], outcome: str) -> None:
    """A call that was not approved never happened."""
    (found,) = read(tmp_path, log({**SAMPLE, "events": [call("c1", 3, **more)]}))
    assert [event.outcome for event in found.trace.events if isinstance(event, ToolCall)] == [outcome]


def test_calls_that_no_message_tells_of_are_kept_in_time(tmp_path: Path) -> None:
    """An agent within the agent calls tools too; what never ended did not happen, and a grader's answers are not the agent's."""
    events = [*SAMPLE["events"][:2], call("inner", 3.5), call("open", 3.6, pending=True), SAMPLE["events"][2], generation("g", 7, 8)]
    (found,) = read(tmp_path, log({**SAMPLE, "events": events}))
    assert [event.name if isinstance(event, Message) else event.id for event in found.trace.events if isinstance(event, ToolCall)] == [
        "c1",
        "inner",
    ]
    assert [event.type for event in found.trace.events] == ["message", "tool_call", "tool_call", "message"]


def test_attachments_stand_where_they_belong(tmp_path: Path) -> None:
    """A long text is kept apart and only pointed to; one that is gone stays a pointer."""
    sample = {
        **SAMPLE,
        "messages": [{**USER, "content": "attachment://aa"}, CALLING, BACK, ANSWER],
        "events": [call("c1", 3, arguments={"q": "attachment://bb"}, result="attachment://gone")],
        "attachments": {"aa": "a long question", "bb": "a long query"},
    }
    (found,) = read(tmp_path, log(sample))
    assert found.trace.events[0] == Message(role="user", text="a long question")
    event = found.trace.events[1]
    assert isinstance(event, ToolCall)
    assert (event.arguments, event.result) == ({"q": "a long query"}, "attachment://gone")


def test_old_logs_without_message_ids_are_matched_by_text(tmp_path: Path) -> None:
    """Their events stand in `transcript`."""
    answer = {"role": "assistant", "content": "22:40"}
    event = {"event": "model", "timestamp": at(1), "output": {"choices": [{"message": answer}]}}
    sample = {"id": 1, "epoch": 1, "messages": [{"role": "user", "content": "When?"}, answer], "transcript": {"events": [event]}}
    (found,) = read(tmp_path, log(sample))
    assert [event.at for event in found.trace.events] == [START + timedelta(seconds=1)] * 2


def test_failed_and_limited_samples_are_kept_and_told(tmp_path: Path) -> None:
    """An empty answer of a failed sample is none."""
    failed = {
        **SAMPLE,
        "messages": [USER],
        "events": [],
        "output": {"completion": ""},
        "error": {"message": "backend timed out"},
        "model_usage": {},
    }
    limited = {**SAMPLE, "id": "q2", "limit": {"type": "time", "limit": 5}}
    first, second = read(tmp_path, log(failed, limited))
    assert first.warnings == ("the sample ended in an error: backend timed out",)
    assert (first.trace.final_output, first.trace.usage) == (None, ())
    assert second.warnings == ("the sample was stopped by a limit: time",)


def test_tokens_of_the_grader_are_left_out(tmp_path: Path) -> None:
    """What judging cost is no cost of the agent, whether or not both use one model."""
    usage = {"openai/m": {"input_tokens": 20, "output_tokens": 5}, "openai/g": {"input_tokens": 9, "output_tokens": 2}}
    roles = {"grader": {"input_tokens": 9, "output_tokens": 2}}
    for grader, expected in (
        ("openai/g", [TokenUsage(model="openai/m", input_tokens=20, output_tokens=5)]),
        (
            "openai/m",
            [TokenUsage(model="openai/m", input_tokens=11, output_tokens=3), TokenUsage(model="openai/g", input_tokens=9, output_tokens=2)],
        ),
    ):
        head = {**HEAD["eval"], "model_roles": {"grader": {"model": grader}}}
        (found,) = read(tmp_path, log({**SAMPLE, "model_usage": usage, "role_usage": roles}, eval=head))
        assert list(found.trace.usage) == expected
        assert found.warnings == (f"the tokens of the grader {grader} are left out: judging is no cost of the agent",)


def test_more_tokens_of_the_grader_than_of_its_model_are_an_error(tmp_path: Path) -> None:
    """Then nobody can tell what the agent used."""
    head = {**HEAD["eval"], "model_roles": {"grader": {"model": "openai/m"}}}
    sample = {**SAMPLE, "role_usage": {"grader": {"input_tokens": 21}}}
    assert '$.samples[0].model_usage["openai/m"].input_tokens: is 20, yet the grader\'s part of it is 21' in told(
        tmp_path, log(sample, eval=head)
    )


def test_sessions_stand_in_the_order_of_the_data_set(tmp_path: Path) -> None:
    """The order in a log changes when it is written again; ids may be numbers."""
    samples = [{**SAMPLE, "id": identifier, "epoch": epoch} for identifier, epoch in ((2, 2), ("b", 1), (2, 1), ("a", 1))]
    head = {**HEAD["eval"], "dataset": {"sample_ids": ["b", 2, "a"]}}
    assert [found.trace.id for found in read(tmp_path, log(*samples, eval=head))] == ["b#1", "2#1", "2#2", "a#1"]


def test_nan_is_null_and_the_solver_stands_in_for_a_model(tmp_path: Path) -> None:
    """Inspect writes NaN where nothing was scored."""
    sample = {**SAMPLE, "scores": {"s": {"value": float("nan")}}, "events": [call("c1", 1, arguments={"x": float("nan")})]}
    (found,) = read(tmp_path, log(sample, eval={"solver": "react", "model": "none/none"}))
    assert found.trace.agent == "react"
    assert [event.arguments for event in found.trace.events if isinstance(event, ToolCall)] == [{"x": None}]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param(log(), "is an Inspect log without samples, which tells of no session", id="none"),
        pytest.param({**HEAD, "samples": 3}, "$.samples: is 3, expected a list", id="no-list"),
        pytest.param(log(3), "$.samples[0]: is 3, expected a sample", id="number"),
        pytest.param(log({**SAMPLE, "id": None}), "$.samples[0].id: is null, expected text or a whole number", id="no-id"),
        pytest.param(log({**SAMPLE, "epoch": "1"}), '$.samples[0].epoch: is "1", expected a whole number', id="epoch"),
        pytest.param(log({**SAMPLE, "messages": {}}), "$.samples[0].messages: is an object, expected a list", id="messages"),
        pytest.param(
            log({**SAMPLE, "events": [{"event": "tool"}]}), "$.samples[0].events[0].function: is null, expected the name", id="call"
        ),
        pytest.param(log({**SAMPLE, "started_at": "noon"}), '$.samples[0].started_at: is "noon", expected seconds', id="time"),
        pytest.param(
            log({**SAMPLE, "model_usage": {"m": {"input_tokens": -1}}}), "$.samples[0].model_usage.m.input_tokens: is -1", id="tokens"
        ),
        pytest.param(
            log({**SAMPLE, "messages": [{"role": "user", "content": "\ud800"}]}), "holds an unpaired surrogate", id="half-character"
        ),
    ],
)
def test_faults_of_a_log_name_the_sample(tmp_path: Path, content: Any, expected: str) -> None:
    """With the path of the field and what was found."""
    assert expected in told(tmp_path, content)


def test_all_faults_of_a_log_are_told_at_once(tmp_path: Path) -> None:
    """One a sample."""
    assert len(told(tmp_path, log({**SAMPLE, "id": None}, SAMPLE, {**SAMPLE, "epoch": 1.5})).splitlines()) == 2


# --- the container ---


def archive(members: dict[str, bytes], *, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip of members."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as packed:
        for name, data in members.items():
            packed.writestr(name, data)
    return target.getvalue()


def zstandard_archive(name: str, data: bytes, packed: bytes) -> bytes:
    """Return a zip of one stored member whose method and sizes say that it was compressed with Zstandard."""
    plain = bytearray(archive({name: packed}, method=zipfile.ZIP_STORED))
    directory = plain.rindex(b"PK\x01\x02")
    for place in (8, directory + 10):
        plain[place : place + 2] = (93).to_bytes(2, "little")
    for place in (14, directory + 16):
        plain[place : place + 4] = zlib.crc32(data).to_bytes(4, "little")
    for place in (22, directory + 24):
        plain[place : place + 4] = len(data).to_bytes(4, "little")
    return bytes(plain)


MEMBERS = {
    "header.json": json.dumps(HEAD).encode(),
    "samples/q1_epoch_1.json": json.dumps(SAMPLE).encode(),
    "summaries.json": b"never read",
}


def test_container_is_read_like_the_plain_log(tmp_path: Path) -> None:
    """The same session, whatever the file is named."""
    (packed,) = read(tmp_path, archive(MEMBERS))
    (plain,) = read(tmp_path, log(SAMPLE))
    assert packed.trace == plain.trace
    assert packed.name == "log.bin:q1#1"


def test_interrupted_container_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    """It has no head of its own, and says so."""
    start = {key: value for key, value in HEAD.items() if key != "status"}
    members = {"_journal/start.json": json.dumps(start).encode(), "samples/q1_epoch_1.json": json.dumps(SAMPLE).encode()}
    (found,) = read(tmp_path, archive(members))
    assert found.recognised == "Inspect log, status started"
    assert found.warnings == ("the log was interrupted: it holds 1 sample",)


def test_zstandard_members_of_several_frames_are_read(tmp_path: Path) -> None:
    """A head alone is a log without samples: reading came that far."""
    data = MEMBERS["header.json"]
    frames = b"".join(zstandard.compress(part) for part in (data[:20], data[20:]))
    assert "is an Inspect log without samples" in told(tmp_path, zstandard_archive("header.json", data, frames))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param(archive({"a.txt": b"x"}), "is a zip without the head of an Inspect log", id="other-zip"),
        pytest.param(archive(MEMBERS)[:200], "is no readable Inspect log", id="cut-off"),
        pytest.param(archive({**MEMBERS, "samples/x_epoch_1.json": b"{"}), "samples/x_epoch_1.json: not valid JSON", id="no-json"),
        pytest.param(archive({"header.json": b"[]"}), "header.json: is no JSON object", id="head-is-a-list"),
        pytest.param(
            zstandard_archive("header.json", b"{}", zstandard.compress(b"[]")),
            "header.json: is damaged (its checksum differs)",
            id="checksum",
        ),
        pytest.param(zstandard_archive("header.json", b"{}", b"no frame at all"), "a member cannot be unpacked", id="no-frame"),
    ],
)
def test_containers_that_cannot_be_read_are_refused(tmp_path: Path, content: bytes, expected: str) -> None:
    """The message names the member."""
    assert expected in told(tmp_path, content)


@pytest.mark.parametrize("packs", ["deflate", "zstandard"])
def test_a_member_unpacks_to_a_bounded_size(tmp_path: Path, packs: str) -> None:
    """A small file must not fill the memory, whatever its directory says."""
    data = b" " * 2**21
    content = archive({"header.json": data}) if packs == "deflate" else zstandard_archive("header.json", data, zstandard.compress(data))
    file = read_bytes(wrote(tmp_path, content))
    assert len(file.data) < 2**12
    with pytest.raises(InputError, match=r"header\.json: unpacks to more than 1 MB"):
        read_archive(file, largest=2**20)


def test_all_samples_unpack_to_a_bounded_size(tmp_path: Path) -> None:
    """Many members that are just small enough are too much together."""
    samples = {f"samples/{number}.json": b" " * 2**20 for number in range(5)}
    with pytest.raises(InputError, match="unpacks to more than 4 MB"):
        read_archive(read_bytes(wrote(tmp_path, archive({**MEMBERS, **samples}))), largest=2**20)


# --- real logs ---


def real(name: str) -> tuple[TraceFile, ...]:
    """Read a log that Inspect wrote."""
    return read_traces(Path(os.environ["CRUX_GOLD_DIR"]) / "formats" / "inspect" / name)


@pytest.mark.gold
@GOLD
def test_real_container_and_plain_log_tell_of_the_same_sessions() -> None:
    """Four samples in two epochs; the container alone has events, and so times."""
    packed, plain = real("ferry.eval"), real("ferry.json")
    assert [found.trace.id for found in packed] == ["q1#1", "q1#2", "2#1", "2#2", "q3#1", "q3#2", "q4#1", "q4#2"]
    without_times = [
        found.trace.model_copy(update={"events": tuple(event.model_copy(update={"at": None}) for event in found.trace.events)})
        for found in packed
    ]
    assert without_times == [found.trace for found in plain]
    # 0.166228 s from the question at 10:11:41.744482 to the answer at 10:11:41.910712, rounded by hand.
    asked, answered = (event.at for event in packed[0].trace.events)
    assert isinstance(asked, datetime)
    assert isinstance(answered, datetime)
    assert (answered - asked).total_seconds() == pytest.approx(0.16623, abs=1e-9)


@pytest.mark.gold
@GOLD
def test_real_failed_samples_are_kept() -> None:
    """Both epochs of q4 ended in an error, without an answer and without tokens."""
    failed = [found for found in real("ferry.eval") if found.trace.id.startswith("q4")]
    assert [found.warnings for found in failed] == [("the sample ended in an error: RuntimeError('backend timed out')",)] * 2
    assert all(found.trace.final_output is None and found.trace.usage == () for found in failed)


@pytest.mark.gold
@GOLD
def test_real_interrupted_log_is_read() -> None:
    """Two samples had ended when it was."""
    found = real("ferry-interrupted.eval")
    assert [one.trace.id for one in found] == ["q1#1", "2#1"]
    assert found[1].trace.final_output == "Um 22:40."
    assert all(one.warnings == ("the log was interrupted: it holds 2 samples",) for one in found)
