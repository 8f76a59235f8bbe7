"""Traces in this project's own form."""

import re
from collections.abc import Iterator
from typing import Any

from judge.schema.traces import Trace
from judge.session.faults import trace_faults
from judge.standard.stated import STATED_KEYS, shown, unknown_key
from pipelines.documents.file_bytes import PlacedFault
from pipelines.documents.places import ROOT, child
from pipelines.documents.rules import MOMENT
from pipelines.documents.stated_values import key_faults, stated_faults
from pipelines.documents.wording import validated

_BESIDE = frozenset(STATED_KEYS) - Trace.model_fields.keys()
"""Keys of the standard that are no fields of a trace."""

_NUMBER = re.compile(r"\s*[-+]?[0-9.]+\s*")


def read_native(value: Any, root: str = ROOT, name: str | None = None) -> Trace | list[PlacedFault]:
    """Return the trace that a JSON value is, or everything that is wrong with it; `root` is its path in the file.

    Values by the keys of the standard may stand in `given` or beside it, as in a run record. `name` stands for a missing `id`.
    """
    faults: list[PlacedFault] = []
    if isinstance(value, dict):
        faults += _faults_beside(value, root)
        value = _gathered(value, name, without={fault.path.removeprefix(f"{root}.") for fault in faults})
    found = validated(Trace, value, root)
    given = value.get("given") if isinstance(value, dict) else None
    place = child(root, "given")
    faults += [] if isinstance(found, Trace) else [_hinted(fault, root) for fault in found if not fault.path.startswith(f"{place}.")]
    faults += _timeless_dates(value, root)
    if isinstance(given, dict):
        faults += stated_faults(given, place, is_automated=value.get("automated") is True)
    if faults or not isinstance(found, Trace):
        return faults
    return [PlacedFault(f"{root}.{fault.path}", fault.message) for fault in trace_faults(found)] or found


def _hinted(fault: PlacedFault, root: str) -> PlacedFault:
    """Return a fault that knows of the keys of the standard too, where a field of the trace itself is unknown."""
    key = fault.path.removeprefix(f"{root}.")
    is_unknown = fault.message.startswith("is no known field") and fault.path == child(root, key)
    return fault._replace(message=unknown_key(key, tuple(Trace.model_fields))) if is_unknown else fault


def _faults_beside(value: dict[str, Any], root: str) -> Iterator[PlacedFault]:
    """Yield what is wrong with values that stand beside `given`."""
    beside = {key: each for key, each in value.items() if key in _BESIDE}
    given = value.get("given")
    for key in beside.keys() & (given.keys() if isinstance(given, dict) else ()):
        yield PlacedFault(child(root, key), "stands in `given` too, expected it in one of the two places")
    yield from key_faults(beside, root)


def _gathered(value: dict[str, Any], name: str | None, without: set[str]) -> dict[str, Any]:
    """Return a trace with all stated values in `given`, but for those `without` which it is told, and with an id."""
    beside = {key: each for key, each in value.items() if key in _BESIDE and key not in without}
    trace = {key: each for key, each in value.items() if key not in _BESIDE}
    if beside and isinstance(trace.get("given", {}), dict):
        trace["given"] = {**trace.get("given", {}), **beside}
    return trace if name is None else {"id": name, **trace}


def _timeless_dates(value: Any, root: str) -> Iterator[PlacedFault]:
    """Yield the times that are texts of a number: read as a date they would be seconds since 1970."""
    told = value if isinstance(value, dict) else {}
    events = told.get("events")
    times = [(child(root, "started_at"), told.get("started_at"))]
    for number, event in enumerate(events if isinstance(events, list) else []):
        times.append((f"{root}.events[{number}].at", event.get("at") if isinstance(event, dict) else None))
    for path, time in times:
        if isinstance(time, str) and _NUMBER.fullmatch(time):
            yield PlacedFault(path, f"is {shown(time)}, expected {MOMENT}")
