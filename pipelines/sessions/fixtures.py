"""Reads fixtures, and finds the one that a trace is measured against."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from judge.errors import InputError
from judge.schema.fixtures import Fixture
from judge.standard.stated import shown
from pipelines.documents.file_bytes import PlacedFault, read_bytes, refuse
from pipelines.documents.strict_json import whole_of
from pipelines.documents.wording import checked
from pipelines.sessions.trace_file import TraceFile

_QUESTIONS = ("temporal_queries", "supersession_queries", "synthesis_facts", "unanswerable_questions")


class FixtureFile(NamedTuple):
    """A fixture, where it was found, and the SHA-256 of the file's bytes."""

    fixture: Fixture
    name: str
    sha256: str


def read_fixture(path: Path) -> FixtureFile:
    """Return the fixture in a file. Raises InputError with every fault of it, each naming the file, the field and the value."""
    file = read_bytes(path, is_regular=True)
    part = whole_of(file, "one fixture")
    if isinstance(part.value, dict) and "events" in part.value:
        raise InputError([file.fault("holds a trace (it has `events`), expected a fixture")])
    fixture = checked(file, part, Fixture)
    refuse(file, list(_repeated(fixture)))
    return FixtureFile(fixture, path.name, file.sha256)


def _repeated(fixture: Fixture) -> Iterator[PlacedFault]:
    """Yield the names that stand twice: ids of questions, to which answers refer, and tools."""
    asked = {field: [entry.id for entry in getattr(fixture, field)] for field in _QUESTIONS}
    for kinds, key in ((asked, "id"), ({"tools": [tool.name for tool in fixture.tools]}, "name")):
        seen: set[str] = set()
        for field, names in kinds.items():
            for number, name in enumerate(names):
                if name in seen:
                    yield PlacedFault(f"$.{field}[{number}].{key}", f"is {shown(name)}, which an earlier entry has")
                seen.add(name)


def resolve_fixture(trace: TraceFile, given: FixtureFile | None) -> FixtureFile:
    """Return the fixture of a trace: the one given, or the file that the trace names, relative to the trace itself.

    Raises InputError if there is none, if the trace names another one by SHA-256 than is there or was given, or if the trace states
    another `T_human_s` than the fixture.
    """
    named = trace.trace.fixture
    if given is None and named is None:
        raise InputError([trace.fault("names no `fixture`, and none was given: give one with --fixture FIXTURE.json")])
    if given is not None:
        found, where = given, f"the fixture given, {given.name},"
        _check_same(trace, given)
    else:
        assert named is not None
        path = trace.path.parent / named.path
        found, where = _named_fixture(trace, path), f"the file {path}"
    if named is not None and named.sha256 is not None and named.sha256 != found.sha256:
        raise InputError([trace.fault(f"$.fixture.sha256: is {named.sha256}, yet {where} has {found.sha256}")])
    _check_human_time(trace, found)
    return found


def _named_fixture(trace: TraceFile, path: Path) -> FixtureFile:
    """Return the fixture that a trace names; a fault of it says which trace it belongs to."""
    try:
        return read_fixture(path)
    except InputError as error:
        raise InputError([*error.faults, trace.fault(f"names this fixture by a path relative to the trace: {path}")]) from error


def _check_same(trace: TraceFile, given: FixtureFile) -> None:
    """Refuse to measure a trace against another fixture than the one it names, as far as that one is there."""
    named = trace.trace.fixture
    path = None if named is None else trace.path.parent / named.path
    if path is not None and _is_there(path) and (own := read_fixture(path)).sha256 != given.sha256:
        raise InputError(
            [trace.fault(f"$.fixture: names {path} (SHA-256 {own.sha256[:12]}), yet the fixture given, {given.name}, differs")]
        )


def _is_there(path: Path) -> bool:
    """Return whether a path leads to a file; one that no file can have leads nowhere."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _check_human_time(trace: TraceFile, found: FixtureFile) -> None:
    """Refuse another human baseline than the fixture's: it is fixed there, so that nobody can improve a score with it."""
    stated = {"$.T_human_s": trace.trace.T_human_s, "$.given.T_human_s": trace.trace.given.get("T_human_s")}
    own = found.fixture.T_human_s
    known = "states none" if own is None else f"has {own:g}"
    faults = [
        trace.fault(f"{path}: is {value:g}, yet the fixture {found.name} {known}; it comes from there alone")
        for path, value in stated.items()
        if value is not None and value != own
    ]
    if faults:
        raise InputError(faults)
