"""Reads fixtures, and finds the one that a trace is measured against."""

from pathlib import Path
from typing import NamedTuple

from judge.errors import InputError
from judge.schema.fixtures import Fixture
from judge.session.faults import fixture_faults
from pipelines.documents.file_bytes import PlacedFault, read_bytes, refuse
from pipelines.documents.strict_json import whole_of
from pipelines.documents.wording import checked
from pipelines.sessions.trace_file import TraceFile


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
    refuse(file, [PlacedFault(f"$.{fault.path}", fault.message) for fault in fixture_faults(fixture)])
    return FixtureFile(fixture, path.name, file.sha256)


def resolve_fixture(trace: TraceFile, given: FixtureFile | None) -> FixtureFile:
    """Return the fixture of a trace: the one given, or the file that the trace names, relative to the trace itself.

    Raises InputError if there is none, or if the trace names another one by SHA-256 than is there or was given.
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
