"""Fixtures and traces as files: what is read, what is refused and how it is told, and the published schemas."""

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.errors import ConfigError, InputError
from judge.schema.events import Message, ToolCall
from pipelines.documents.published import SCHEMAS, generated_text, schema_text, write_schemas
from pipelines.sessions.fixtures import read_fixture, resolve_fixture
from pipelines.sessions.traces import read_traces

FIXTURE: dict[str, Any] = {
    "id": "ferry",
    "T_human_s": 1800,
    "expected_decisions": ["freeze the schedule", {"key": "tell the pier", "document": "notice-3"}],
    "constraints": ["no sailing after 23:00"],
    "supersession_queries": [{"id": "last", "current": "22:40", "older": ["21:40"]}],
    "tools": [{"name": "search", "role": "retrieval"}],
    "stale_inputs": [],
}
TRACE: dict[str, Any] = {
    "id": "s1",
    "agent": "atlas",
    "started_at": 0,
    "events": [
        {"type": "message", "role": "user", "text": "When does the last ferry leave?", "at": 1},
        {"type": "tool_call", "id": "c1", "name": "search", "arguments": {"q": "ferry"}, "at": 2.5},
        {"type": "message", "role": "assistant", "text": "At 22:40.", "at": 4},
    ],
    "usage": [{"model": "atlas-1", "input_tokens": 10, "output_tokens": 3}],
}


def wrote(folder: Path, content: Any, name: str = "file.json") -> Path:
    """Write bytes, text as it is, or anything else as JSON, and return the path."""
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else (content if isinstance(content, str) else json.dumps(content)).encode())
    return path


def told(path: Path, *, of_fixture: bool = False) -> list[str]:
    """Return the faults of a file, without its name, which each of them must begin with."""
    with pytest.raises(InputError) as caught:
        read_fixture(path) if of_fixture else read_traces(path)
    assert all(str(fault).startswith(str(path)) for fault in caught.value.faults)
    return [str(fault).removeprefix(str(path)).removeprefix(":").strip() for fault in caught.value.faults]


# --- what is read ---


def test_fixture_is_read_with_name_and_hash(tmp_path: Path) -> None:
    """A key may stand alone or with its document; the hash is that of the bytes."""
    path = wrote(tmp_path, FIXTURE, "ferry.json")
    found = read_fixture(path)
    assert [(expected.key, expected.document) for expected in found.fixture.expected_decisions] == [
        ("freeze the schedule", None),
        ("tell the pier", "notice-3"),
    ]
    assert found.fixture.T_human_s == 1800
    assert found.name == "ferry.json"
    assert found.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize(
    ("content", "names"),
    [
        pytest.param(TRACE, ["file.json"], id="one-object"),
        pytest.param([TRACE], ["file.json"], id="list-of-one"),
        pytest.param([TRACE, {**TRACE, "id": "s2"}], ["file.json:s1", "file.json:s2"], id="list"),
        pytest.param(json.dumps(TRACE) + "\n\n" + json.dumps({**TRACE, "id": "s2"}), ["file.json:s1", "file.json:s2"], id="json-lines"),
        pytest.param(b"\xef\xbb\xbf" + json.dumps(TRACE).encode(), ["file.json"], id="byte-order-mark"),
        pytest.param(json.dumps(TRACE, indent=2).replace("\n", "\r\n"), ["file.json"], id="several-lines-of-one-object"),
    ],
)
def test_traces_are_read(tmp_path: Path, content: Any, names: list[str]) -> None:
    """A file holds a trace, a list of them, or one a line."""
    found = read_traces(wrote(tmp_path, content))
    assert [trace.name for trace in found] == names
    assert {trace.recognised for trace in found} == {"trace"}
    assert found[0].trace.events[0] == Message(role="user", text="When does the last ferry leave?", at=1.0)
    assert found[0].trace.events[1] == ToolCall(id="c1", name="search", arguments={"q": "ferry"}, at=2.5)


def test_only_a_line_feed_ends_a_line(tmp_path: Path) -> None:
    """U+2028 inside a text is a part of it."""
    lines = [json.dumps({"id": name, "final_output": "a\u2028b"}, ensure_ascii=False) for name in ("s1", "s2")]
    assert [found.trace.final_output for found in read_traces(wrote(tmp_path, "\n".join(lines)))] == ["a\u2028b", "a\u2028b"]


# --- what is refused ---


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        pytest.param(
            {"expected_decision": ["x"]}, "$.expected_decision: is no known field; the closest is `expected_decisions`", id="misspelt"
        ),
        pytest.param({"T_human_s": 0}, "$.T_human_s: is 0, expected a number above 0", id="no-time"),
        pytest.param({"T_human_s": "1800"}, '$.T_human_s: is "1800", expected a number', id="text-for-number"),
        pytest.param({"T_human_s": True}, "$.T_human_s: is true, expected a number", id="truth-for-number"),
        pytest.param({"format": 2}, "$.format: is 2, expected 1", id="format"),
        pytest.param({"gaps": "one"}, '$.gaps: is "one", expected a list', id="text-for-list"),
        pytest.param({"gaps": ["a", " "]}, '$.gaps[1]: is " ", expected text with something in it', id="blank"),
        pytest.param(
            {"expected_decisions": ["a", 3]},
            "$.expected_decisions[1]: is 3, expected text with something in it, or an object with `key`",
            id="number-for-key",
        ),
        pytest.param(
            {"expected_decisions": [{"ky": "a"}]}, "$.expected_decisions[0].ky: is no known field; the closest is `key`", id="inner-field"
        ),
        pytest.param({"temporal_queries": [{"id": "t"}]}, "$.temporal_queries[0].current: is missing", id="missing-inside"),
        pytest.param(
            {"synthesis_facts": [{"id": "f", "parts": []}]},
            "$.synthesis_facts[0].parts: is a list, expected a list with at least one entry",
            id="empty-list",
        ),
        pytest.param(
            {"tools": [{"name": "x", "role": "cook"}]}, '$.tools[0].role: is "cook", expected retrieval, constraint_check', id="role"
        ),
        pytest.param({"safety_tested": 1}, "$.safety_tested: is 1, expected true or false", id="number-for-truth"),
        pytest.param({"x\u001b[2J": 1}, '$["x\\u001b[2J"]: is no known field', id="control-characters"),
    ],
)
def test_faults_of_a_fixture_name_field_value_and_rule(tmp_path: Path, change: dict[str, Any], expected: str) -> None:
    """Each message says where, what was found, and what is expected."""
    faults = told(wrote(tmp_path, {**FIXTURE, **change}), of_fixture=True)
    assert any(fault.startswith(expected) for fault in faults), faults


def test_names_that_stand_twice_in_a_fixture_are_refused(tmp_path: Path) -> None:
    """An answer names its question by id, whatever list that is in; a tool has one role."""
    query = {"id": "q", "current": "22:40"}
    doubled = {"temporal_queries": [query], "supersession_queries": [query], "tools": [{"name": "x"}, {"name": "y"}, {"name": "x"}]}
    assert told(wrote(tmp_path, {"id": "f", **doubled}), of_fixture=True) == [
        '$.supersession_queries[0].id: is "q", expected an id that no earlier question has',
        '$.tools[2].name: is "x", expected a name that no earlier tool has',
    ]


def test_an_answer_that_stands_twice_is_refused(tmp_path: Path) -> None:
    """One of the two would be dropped without a word."""
    assert told(wrote(tmp_path, {"id": "s", "answers": [{"id": "q"}, {"id": "r"}, {"id": "q"}]})) == [
        '$.answers[2].id: is "q", expected an id that no earlier answer has'
    ]


def test_faults_of_json_and_of_fields_are_told_together(tmp_path: Path) -> None:
    """NaN in a field that cannot be null is told once, by the field; a field that stands twice is told beside what is wrong with it."""
    text = '{"id": NaN, "T_human_s": NaN, "gaps": [""], "gaps": 3, "gapps": []}'
    assert told(wrote(tmp_path, text.encode()), of_fixture=True) == [
        "$.gaps: stands twice in one object",
        "$.T_human_s: is NaN, which is no number; use null for a value that is not known",
        "$.id: is NaN, expected text with something in it",
        "$.gaps: is 3, expected a list",
        "$.gapps: is no known field; the closest is `gaps`",
    ]


def test_all_faults_of_a_file_are_told_at_once(tmp_path: Path) -> None:
    """A user corrects a file once, not fault by fault."""
    faults = told(wrote(tmp_path, {"T_human_s": -1, "gapps": [], "constraints": [4]}), of_fixture=True)
    assert sorted(fault.partition(":")[0] for fault in faults) == ["$.T_human_s", "$.constraints[0]", "$.gapps", "$.id"]


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        pytest.param({"type": "tool"}, '$.events[0]: has the `type` "tool", expected one of message, tool_call', id="unknown-type"),
        pytest.param({"role": "user"}, "$.events[0]: has no `type`", id="no-type"),
        pytest.param(
            {"type": "message", "role": "bot", "text": "x"}, '$.events[0].role: is "bot", expected system, user or assistant', id="role"
        ),
        pytest.param(
            {"type": "tool_call", "nme": "x"}, "$.events[0].nme: is no known field; the closest is `name`", id="field-of-the-kind"
        ),
        pytest.param({"type": "kill", "at": "noon"}, '$.events[0].at: is "noon", expected seconds as a number, or a date', id="time"),
        pytest.param(
            {"type": "kill", "at": "2026-01-01T00:00:00"},
            '$.events[0].at: is "2026-01-01T00:00:00", expected seconds',
            id="time-without-zone",
        ),
        pytest.param({"type": "kill", "at": "12"}, '$.events[0].at: is "12", expected seconds as a number', id="text-of-a-number"),
        pytest.param({"type": "kill", "at": True}, "$.events[0].at: is true, expected seconds", id="truth-for-time"),
        pytest.param({"type": "kill", "decisions": [""]}, '$.events[0].decisions[0]: is "", expected text', id="blank-decision"),
        pytest.param(7, "$.events[0]: is 7, expected an object", id="number"),
    ],
)
def test_faults_of_an_event_are_told_once(tmp_path: Path, event: Any, expected: str) -> None:
    """An unknown kind, and a time that is neither of its two forms, is one fault each."""
    faults = told(wrote(tmp_path, {"id": "s", "events": [event]}))
    assert sum(fault.startswith(expected) for fault in faults) == 1, faults


def test_unknown_type_names_the_closest(tmp_path: Path) -> None:
    """`tool` was meant to be `tool_call`."""
    assert told(wrote(tmp_path, {"id": "s", "events": [{"type": "tool"}]}))[0].endswith("; the closest is `tool_call`")


@pytest.mark.parametrize(
    ("given_values", "expected"),
    [
        pytest.param({"C_tokens": 1}, "$.given.C_tokens: is no known key; the closest is `C_tokens_usd`", id="unit-forgotten"),
        pytest.param({"R_decision": 1.2}, "$.given.R_decision: is 1.2, expected a number from 0 to 1", id="ratio"),
        pytest.param(
            {"C_tokens_usd": -0.5}, "$.given.C_tokens_usd: is -0.5, expected a number of US dollars, 0 or more", id="negative-cost"
        ),
        pytest.param({"S_gate": True}, "$.given.S_gate: is true, expected 0 or 1", id="truth"),
        pytest.param({"N_tools": 2.5}, "$.given.N_tools: is 2.5, expected a whole number, 0 or more", id="count"),
        pytest.param({"Cx_em": 3}, "$.given.Cx_em: is a composite, which is computed", id="composite"),
        pytest.param({"N_turns": 0, "N_corrections": 2}, "$.given: `N_corrections` is 2 and `N_turns` is 0", id="no-turns"),
        pytest.param(
            {"R_decision": 1, "R_constraint": 1, "R_incident": 1, "Q_info": 0.5},
            "$.given: `Q_info` is 0.5, yet by the record's own values (`R_decision` 1",
            id="contradiction",
        ),
    ],
)
def test_given_values_meet_the_rules_of_a_run_record(tmp_path: Path, given_values: dict[str, Any], expected: str) -> None:
    """The same ranges and words as for a run record, and one fault for each."""
    faults = told(wrote(tmp_path, {"id": "s", "given": given_values}))
    assert len(faults) == 1
    assert faults[0].startswith(expected)


def test_given_corrections_of_an_automated_session_are_refused(tmp_path: Path) -> None:
    """Where nobody is there, nobody corrects."""
    faults = told(wrote(tmp_path, {"id": "s", "automated": True, "given": {"N_corrections": 1, "N_turns": 3}}))
    assert faults == ["$.given.N_corrections: is 1 and `automated` is true: in an automated run nobody corrects"]


def test_seconds_and_dates_do_not_mix(tmp_path: Path) -> None:
    """Between a number of seconds and a date there is no duration."""
    trace = {"id": "s", "started_at": 3, "events": [{"type": "kill", "at": "2026-01-01T00:00:00Z"}]}
    assert told(wrote(tmp_path, trace)) == [
        "$.events[0].at: is 2026-01-01T00:00:00+00:00, expected seconds, as `started_at` has: a trace has seconds or dates throughout"
    ]


def test_faults_of_a_transcript_say_that_it_was_read_as_a_trace(tmp_path: Path) -> None:
    """Its file holds messages; a path in events alone would lead nowhere. What the file itself holds keeps its path."""
    messages = [{"role": "user", "content": "x", "timestamp": 5}, {"role": "assistant", "content": "y", "timestamp": 4}]
    assert told(wrote(tmp_path, {"messages": messages, "answers": [{"id": "q"}, {"id": "q"}]})) == [
        '$.answers[1].id: is "q", expected an id that no earlier answer has',
        "read as a trace: $.events[1].at: is 4, expected 5 or later, as `events[0].at` before it has",
    ]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param(b"", "the file is empty; JSON is expected", id="empty"),
        pytest.param(b" \n ", "the file is empty; JSON is expected", id="blank"),
        pytest.param(b"{", "not valid JSON: ", id="no-json"),
        pytest.param(b"caf\xe9", "not UTF-8 (byte 0xe9 at position 4)", id="latin-1"),
        pytest.param(b"[" * 100_000, "nested deeper than 100 levels", id="endless"),
        pytest.param(b'{"id": "a", "id": "b"}', "$.id: stands twice in one object", id="doubled-key"),
        pytest.param(b'{"id": "a", "T_human_s": NaN}', "$.T_human_s: is NaN, which is no number", id="nan"),
        pytest.param(b'{"id": "a", "T_human_s": 1e999}', "$.T_human_s: is 1e999, which is no number", id="overflow"),
        pytest.param(
            b'{"id": "a", "T_human_s": 1' + b"0" * 400 + b"}", "$.T_human_s: is a whole number of more than 300 digits", id="huge"
        ),
        pytest.param(b'{"id": "a", "T_human_s": 1' + b"0" * 5000 + b"}", "not valid JSON: ", id="gigantic"),
        pytest.param(b'{"id": "\\ud800"}', "$.id: holds an unpaired surrogate", id="half-character"),
        pytest.param(b'{"id": "a", "x": ' + b"[" * 101 + b"]" * 101 + b"}", "$.x[0]", id="deep"),
        pytest.param(b"null", "is null, expected an object", id="null"),
        pytest.param(b'"a"', 'is "a", expected an object', id="text"),
    ],
)
@pytest.mark.parametrize("of_fixture", [True, False], ids=["fixture", "trace"])
def test_hostile_files_are_refused_with_their_place(tmp_path: Path, content: bytes, expected: str, of_fixture: bool) -> None:
    """Whatever the bytes are, the message names what is wrong with them."""
    assert told(wrote(tmp_path, content), of_fixture=of_fixture)[0].startswith(expected)


@pytest.mark.parametrize("of_fixture", [True, False], ids=["fixture", "trace"])
def test_what_is_no_file_is_refused(tmp_path: Path, of_fixture: bool) -> None:
    """A folder, a missing file and a pipe are named as such."""
    os.mkfifo(tmp_path / "pipe")
    assert told(tmp_path, of_fixture=of_fixture) == ["cannot be read: it is a folder; a file is expected"]
    assert told(tmp_path / "none.json", of_fixture=of_fixture) == ["cannot be read: there is no such file"]
    assert told(tmp_path / "pipe", of_fixture=of_fixture) == ["cannot be read: it is no regular file"]


def test_a_torn_line_is_named_with_its_number(tmp_path: Path) -> None:
    """A session that was cut off would give wrong numbers."""
    faults = told(wrote(tmp_path, json.dumps(TRACE) + "\n" + '{"id": "s2", "ev'))
    assert len(faults) == 1
    assert faults[0].startswith("2: not valid JSON")
    assert faults[0].endswith("(is the file cut off?)")


def test_every_broken_line_is_named(tmp_path: Path) -> None:
    """The first one too, as long as the second shows that the file has a session a line."""
    faults = told(wrote(tmp_path, "{\n" + json.dumps(TRACE) + "\nnull x\n" + json.dumps(TRACE)))
    assert [fault.partition(":")[0] for fault in faults] == ["1", "3"]


def test_a_file_name_of_odd_bytes_gives_an_id(tmp_path: Path) -> None:
    """Such a name is no text; what stands in its place is."""
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/chat\xff.json"))
    path.write_text(json.dumps([{"role": "user", "content": "Hello"}]), encoding="utf-8")
    assert read_traces(path)[0].trace.id == "chat?"


def test_faults_in_several_traces_name_the_trace(tmp_path: Path) -> None:
    """In a list by index, in JSON Lines by line."""
    bad = {**TRACE, "agent": 5}
    assert told(wrote(tmp_path, [TRACE, bad])) == ["$[1].agent: is 5, expected text"]
    assert told(wrote(tmp_path, json.dumps(TRACE) + "\n" + json.dumps(bad))) == ["2: $.agent: is 5, expected text"]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param(FIXTURE, "holds a fixture; expected a trace", id="fixture"),
        pytest.param({"resourceSpans": []}, "holds an OpenTelemetry export; expected a trace", id="otlp"),
        pytest.param({"results": {}, "config": {}}, 'holds an object with the fields "results", "config"; expected', id="unknown"),
        pytest.param([], "holds no session; expected a trace", id="empty-list"),
    ],
)
def test_other_files_are_named(tmp_path: Path, content: Any, expected: str) -> None:
    """One message says what the file is, in place of a fault for every field."""
    faults = told(wrote(tmp_path, content))
    assert len(faults) == 1
    assert faults[0].startswith(expected)


def test_a_trace_in_place_of_a_fixture_is_named(tmp_path: Path) -> None:
    """The other of the two files is the likeliest mistake."""
    assert told(wrote(tmp_path, TRACE), of_fixture=True) == ["holds a trace (it has `events`), expected a fixture"]
    assert told(wrote(tmp_path, "{}\n{}"), of_fixture=True) == ["holds 2 JSON values, expected one fixture"]


def is_read_or_refused(read: Callable[[Path], Any], path: Path) -> bool:
    """Return whether a file was read, or refused for faults that are told; anything else that is raised goes on."""
    try:
        read(path)
    except InputError as error:
        return bool(error.faults)
    return True


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["id", "events", "type", "role", "content", "messages", "usage", "tool_calls", "function", "eval", "samples"])
            | st.sampled_from(["given", "S_gate", "fixture", "at", "name", "input", "output", "epoch", "model_usage", "message", "x"]),
            inner | st.sampled_from(["message", "tool_call", "user", "assistant", "tool", "model"]),
            max_size=5,
        )
    ),
    max_leaves=25,
)


@given(value=_JSON)
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_json_ends_in_anything_but_sessions_or_faults(tmp_path: Path, value: Any) -> None:
    """Arbitrary JSON is a session, or an error for users."""
    path = wrote(tmp_path, value)
    assert all(is_read_or_refused(read, path) for read in (read_traces, read_fixture))


@given(data=st.binary(max_size=60), start=st.sampled_from([b"", b"PK\x03\x04", b"PK\x05\x06", b'{"eval": {}, "samples": ']))
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_bytes_end_in_anything_but_sessions_or_faults(tmp_path: Path, data: bytes, start: bytes) -> None:
    """So are arbitrary bytes, those that begin like a zip included."""
    assert is_read_or_refused(read_traces, wrote(tmp_path, start + data))


# --- the fixture of a trace ---


def traced(folder: Path, reference: Any = None, **more: Any) -> Any:
    """Write a trace that names a fixture, and read it."""
    return read_traces(wrote(folder, {**TRACE, **({} if reference is None else {"fixture": reference}), **more}, "trace.json"))[0]


def test_named_fixture_is_found_beside_the_trace(tmp_path: Path) -> None:
    """The path is relative to the trace, and may leave its folder."""
    (tmp_path / "inner").mkdir()
    path = wrote(tmp_path, FIXTURE, "ferry.json")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    found = resolve_fixture(traced(tmp_path / "inner", {"path": "../ferry.json", "sha256": digest}), None)
    assert (found.fixture.id, found.sha256) == ("ferry", digest)


def test_differing_hash_is_an_error_that_names_both(tmp_path: Path) -> None:
    """A fixture that changed since the session is another fixture, named by file or given."""
    path = wrote(tmp_path, FIXTURE, "ferry.json")
    own, other = hashlib.sha256(path.read_bytes()).hexdigest(), "0" * 64
    trace = traced(tmp_path, {"path": "ferry.json", "sha256": other})
    for given_fixture in (None, read_fixture(path)):
        with pytest.raises(InputError) as caught:
            resolve_fixture(trace, given_fixture)
        assert f"$.fixture.sha256: is {other}" in str(caught.value)
        assert own in str(caught.value)


def test_given_fixture_counts_where_the_trace_names_none_or_the_same(tmp_path: Path) -> None:
    """The file that a trace names need not be there when the same one is given."""
    path = wrote(tmp_path, FIXTURE, "ferry.json")
    fixture = read_fixture(path)
    assert resolve_fixture(traced(tmp_path), fixture) == fixture
    assert resolve_fixture(traced(tmp_path, {"path": "elsewhere.json", "sha256": fixture.sha256}), fixture) == fixture


def test_given_fixture_must_be_the_one_that_a_trace_names_without_a_hash(tmp_path: Path) -> None:
    """The file beside the trace is the one it was measured against; another one given in its place is refused."""
    wrote(tmp_path, FIXTURE, "ferry.json")
    other = read_fixture(wrote(tmp_path, {**FIXTURE, "T_human_s": 60}, "other.json"))
    with pytest.raises(InputError, match=r"\$\.fixture: names .*ferry\.json .*, yet the fixture given, other\.json, differs"):
        resolve_fixture(traced(tmp_path, {"path": "ferry.json"}), other)
    assert resolve_fixture(traced(tmp_path, {"path": "gone.json"}), other) == other


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        pytest.param(None, "names no `fixture`, and none was given: give one with --fixture FIXTURE.json", id="none"),
        pytest.param({"path": "gone.json"}, "there is no such file", id="missing"),
        pytest.param({"path": "."}, "is a folder; a file is expected", id="folder"),
        pytest.param({"path": "/dev/null"}, "is no regular file", id="device"),
        pytest.param({"path": "a\0b"}, "cannot be read: embedded null", id="no-path-at-all"),
        pytest.param({"path": "x" * 5000}, "cannot be read: File name too long", id="too-long"),
    ],
)
def test_a_fixture_that_cannot_be_had_is_an_error(tmp_path: Path, reference: Any, expected: str) -> None:
    """A session without a fixture has nothing to be measured against."""
    with pytest.raises(InputError, match=expected):
        resolve_fixture(traced(tmp_path, reference), None)


# --- the published schemas ---


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_published_schema_is_that_of_the_record(name: str) -> None:
    """After a change of a record: python -m pipelines.documents.published."""
    assert schema_text(name) == generated_text(name)


def test_schemas_are_written_as_they_are_published(tmp_path: Path) -> None:
    """The module that reads them writes them."""
    write_schemas(tmp_path)
    assert {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()} == {
        f"{name}.schema.json": schema_text(name) for name in SCHEMAS
    }


def test_unknown_schema_is_a_config_error() -> None:
    """The message names what there is."""
    with pytest.raises(ConfigError, match="no schema named 'item'; known are fixture, trace, campaign"):
        schema_text("item")


@pytest.mark.parametrize(("name", "record"), [("fixture", FIXTURE), ("trace", TRACE)])
def test_schema_accepts_what_the_reader_accepts(tmp_path: Path, name: str, record: Any) -> None:
    """The example records are valid by both."""
    jsonschema.Draft202012Validator(json.loads(schema_text(name))).validate(record)
    path = wrote(tmp_path, record)
    assert read_fixture(path) if name == "fixture" else read_traces(path)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        pytest.param("fixture", {"expected_decision": []}, id="unknown-field"),
        pytest.param("fixture", {"T_human_s": 0}, id="no-time"),
        pytest.param("fixture", {"gaps": [" "]}, id="blank"),
        pytest.param("fixture", {"tools": [{"name": "x", "role": "cook"}]}, id="role"),
        pytest.param("fixture", {"id": 5}, id="number-for-text"),
        pytest.param("trace", {"events": [{"type": "tool"}]}, id="unknown-type"),
        pytest.param("trace", {"events": [{"type": "tool_call"}]}, id="missing-name"),
        pytest.param("trace", {"events": [{"decisions": []}]}, id="no-type"),
        pytest.param("trace", {"usage": [{"input_tokens": -1}]}, id="negative-tokens"),
        pytest.param("trace", {"automated": "yes"}, id="text-for-truth"),
        pytest.param("trace", {"fixture": {"path": "f", "sha256": "abc"}}, id="hash"),
        pytest.param("trace", {"given": {"S_gate": "open"}}, id="given"),
    ],
)
def test_schema_refuses_what_the_reader_refuses(tmp_path: Path, name: str, change: dict[str, Any]) -> None:
    """A fault of structure is one for both."""
    record = {**(FIXTURE if name == "fixture" else TRACE), **change}
    assert not jsonschema.Draft202012Validator(json.loads(schema_text(name))).is_valid(record)
    assert told(wrote(tmp_path, record), of_fixture=name == "fixture")


@pytest.mark.parametrize(
    ("trace", "is_valid"),
    [
        pytest.param({"id": "a", "given": {"R_judge": 0.5, "C_tokens_usd": None, "N_turns": 3}}, True, id="given"),
        pytest.param({"Q_info": 0.5, "C_tokens_usd": 0.07, "automated": True}, True, id="flat-and-called-after-its-file"),
        pytest.param({"given": {"R_judge": 1.2}}, False, id="beyond-its-range"),
        pytest.param({"given": {"T_task_s": 0}}, False, id="zero-seconds"),
        pytest.param({"given": {"S_gate": 0.5}}, False, id="half-a-gate"),
        pytest.param({"N_turns": 2.5}, False, id="half-a-turn"),
        pytest.param({"given": {"R_foo": 1}}, False, id="unknown-key"),
    ],
)
def test_the_schema_and_the_reader_agree_on_stated_values(tmp_path: Path, trace: dict[str, Any], *, is_valid: bool) -> None:
    """What one of them refuses the other refuses too."""
    assert jsonschema.Draft202012Validator(json.loads(schema_text("trace"))).is_valid(trace) is is_valid
    path = tmp_path / "trace.json"
    path.write_text(json.dumps(trace), encoding="utf-8")
    if is_valid:
        assert read_traces(path)[0].trace.id == trace.get("id", "trace")
    else:
        with pytest.raises(InputError):
            read_traces(path)
