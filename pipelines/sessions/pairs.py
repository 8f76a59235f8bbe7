"""Reads sessions, each with the fixture that it is measured against."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

from judge.errors import InputError, InputFault
from judge.session.faults import session_faults
from pipelines.documents.file_bytes import MAX_FAULTS
from pipelines.sessions.fixtures import FixtureFile, read_fixture, resolve_fixture
from pipelines.sessions.trace_file import TraceFile
from pipelines.sessions.traces import read_traces

_A = TypeVar("_A")
_B = TypeVar("_B")


class SessionPair(NamedTuple):
    """A session and its fixture."""

    trace: TraceFile
    fixture: FixtureFile


def read_pairs(traces: Sequence[Path], fixture: Path | None) -> tuple[SessionPair, ...]:
    """Return every session of the files with its fixture: the one given, or the one that its trace names.

    A session is called after its file too where others have its id. Raises InputError with the faults of all files at once.
    """
    faults: list[InputFault] = []
    given = None if fixture is None else _tried(read_fixture, fixture, faults)
    read = [trace for path in traces for trace in _tried(read_traces, path, faults) or ()]
    pairs: list[SessionPair] = []
    # Without the fixture that was given there is no telling whether a trace goes with it.
    for trace in read if fixture is None or given is not None else ():
        found = _tried(partial(resolve_fixture, given=given), trace, faults)
        if found is not None:
            pairs.append(SessionPair(trace, found))
    faults += [fault for pair in pairs for fault in _faults_of(pair)]
    faults += _named_twice(traces)
    _refuse(list(dict.fromkeys(faults)))
    shared = {name for name, count in Counter(trace.trace.id for trace in read).items() if count > 1}
    return tuple(pair._replace(trace=_told_apart(pair.trace)) if pair.trace.trace.id in shared else pair for pair in pairs)


def _tried(read: Callable[[_A], _B], source: _A, faults: list[InputFault]) -> _B | None:
    """Return what is read, or None with its faults added to `faults`."""
    try:
        return read(source)
    except InputError as error:
        faults += error.faults
        return None


def _faults_of(pair: SessionPair) -> Iterator[InputFault]:
    for fault in session_faults(pair.fixture.fixture, pair.trace.trace):
        yield pair.trace.fault(f"$.{fault.path}: {fault.message}")


def _named_twice(paths: Sequence[Path]) -> list[InputFault]:
    counts = Counter(path.resolve() for path in paths)
    message = "is named {} times: each trace counts once"
    return [InputFault(str(path), None, message.format(count)) for path, count in counts.items() if count > 1]


def _refuse(faults: list[InputFault]) -> None:
    if len(faults) > MAX_FAULTS:
        left = faults[MAX_FAULTS:]
        raise InputError([*faults[:MAX_FAULTS], InputFault(left[0].file, None, f"... and {len(left)} more")])
    if faults:
        raise InputError(faults)


def _told_apart(trace: TraceFile) -> TraceFile:
    """Return a session called after its file too."""
    place = f" {trace.place}" if trace.place else ""
    return trace._replace(trace=trace.trace.model_copy(update={"id": f"{trace.trace.id} ({trace.path}{place})"}))
