"""Reads recorded sessions, whatever of the known forms a file has; the form is told by content, never by name."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from judge.errors import InputError
from judge.schema.fixtures import Fixture
from judge.schema.traces import Trace
from judge.standard.stated import STATED_KEYS, shown
from pipelines.documents.file_bytes import FileBytes, PlacedFault, read_bytes, refuse
from pipelines.documents.places import ROOT, child
from pipelines.documents.strict_json import Part, parts_of, value_faults
from pipelines.sessions.inspect_archive import is_archive, read_archive
from pipelines.sessions.inspect_logs import is_inspect_log, read_inspect_log
from pipelines.sessions.messages import is_message
from pipelines.sessions.native import read_native
from pipelines.sessions.trace_file import TraceFile
from pipelines.sessions.transcripts import Told, Transcript, read_messages, read_object

_OTHERS = {
    ("parentUuid", "sessionId"): "a Claude Code session",
    ("resourceSpans",): "an OpenTelemetry export",
    ("span_data",): "spans of the OpenAI Agents SDK",
    ("trace_id", "span_id"): "spans of a tracing tool",
    ("context", "start_time"): "spans of a tracing tool",
    ("choices", "object"): "a chat completion, which is one reply; the messages of the whole session are needed",
}
"""Keys by which files of other tools are known that tell of a session and are not read."""

_KNOWN = "expected a trace, a transcript of chat messages, or an Inspect log"


class _Session(NamedTuple):
    """One value of a file that should be a session, and its path."""

    part: Part
    path: str


def read_traces(path: Path) -> tuple[TraceFile, ...]:
    """Return every session of a file, in its order.

    A file holds a trace, a list of traces, or one a line; the same of objects with `messages`; a list of chat messages, or one a
    line; or an Inspect log, `.json` or `.eval`. Raises InputError with every fault, each naming the file, the field and the value.
    """
    file = read_bytes(path, is_regular=True)
    if is_archive(file.data):
        return read_archive(file)
    parts = parts_of(file)
    if len(parts) == 1 and is_inspect_log(parts[0].value):
        return read_inspect_log(file, parts[0].value)
    refuse(file, [fault for part in parts for fault in value_faults(part)])
    sessions = _sessions(parts)
    if not sessions:
        raise InputError([file.fault(f"holds no session; {_KNOWN}")])
    for session in sessions:
        if (other := _other(session.part.value)) is not None:
            raise InputError([file.fault(f"holds {other}; {_KNOWN}", session.part.line)])
    if all(is_message(session.part.value) for session in sessions):
        return (_of_messages(file, sessions),)
    return _of_sessions(file, sessions)


def _sessions(parts: Sequence[Part]) -> list[_Session]:
    """Return the values of the file, a list opened up."""
    if len(parts) == 1 and isinstance(parts[0].value, list):
        return [_Session(Part(value), child(ROOT, number)) for number, value in enumerate(parts[0].value)]
    return [_Session(part, ROOT) for part in parts]


def _of_messages(file: FileBytes, sessions: Sequence[_Session]) -> TraceFile:
    told = [Told(session.part.value, session.path, session.part.line) for session in sessions]
    found = read_messages(told, _stem(file))
    if not isinstance(found, Transcript):
        raise InputError([file.fault(str(fault), fault.line) for fault in found])
    form = "OpenAI-style transcript, " + ("one message a line" if told[0].line is not None else "a list of messages")
    return TraceFile(found.trace, file.path, file.sha256, form, tuple(found.warnings))


def _of_sessions(file: FileBytes, sessions: Sequence[_Session]) -> tuple[TraceFile, ...]:
    found: list[TraceFile] = []
    faults: list[PlacedFault] = []
    for number, session in enumerate(sessions, start=1):
        name = f"{_stem(file)}#{number}" if len(sessions) > 1 else _stem(file)
        read = _one(session, name)
        if isinstance(read, list):
            faults += [fault._replace(line=session.part.line) for fault in read]
        else:
            place = "" if len(sessions) == 1 else f"line {session.part.line}" if session.part.line is not None else session.path
            found.append(TraceFile(read.trace, file.path, file.sha256, _form(read.trace), tuple(read.warnings), place))
    refuse(file, faults)
    return tuple(found)


def _one(session: _Session, name: str) -> Transcript | list[PlacedFault]:
    value = session.part.value
    if isinstance(value, dict) and "messages" in value and "events" not in value:
        return read_object(session.part, session.path, name)
    found = read_native(value, session.path, name)
    return found if isinstance(found, list) else Transcript(found, [])


def _stem(file: FileBytes) -> str:
    """Return the name of a file without its ending as text: a name of odd bytes has no text of its own."""
    return file.path.stem.encode("utf-8", "replace").decode().strip() or "session"


def _form(trace: Trace) -> str:
    return "OpenAI-style transcript, an object with messages" if trace.source == "transcript" else "trace"


def _other(value: Any) -> str | None:
    """Return what an object is that is no trace, if that can be told."""
    if not isinstance(value, dict) or "events" in value or "messages" in value or is_message(value):
        return None
    if value.keys() & (Fixture.model_fields.keys() - Trace.model_fields.keys()):
        return "a fixture"
    named = next((name for keys, name in _OTHERS.items() if value.keys() >= set(keys)), None)
    if named is None and len(value.keys() - Trace.model_fields.keys() - set(STATED_KEYS)) > len(value) / 2:
        return f"an object with the fields {', '.join(map(shown, value))}"
    return named
