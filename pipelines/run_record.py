"""The run record: a flat JSON file with what no judge can find out about a run."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from judge.errors import ConfigError, plain_cause
from judge.schema.run_records import RunRecord
from judge.standard.stated import (
    STATED_KEYS,
    NotANumber,
    by_symbol,
    contradictions,
    number_of,
    shown,
    turns_fault,
    unknown_key,
    value_fault,
)

AUTOMATED = "automated"


class _Pairs(list[tuple[str, Any]]):
    """A JSON object as it is written, with keys that stand twice."""


def read_run_record(path: Path) -> RunRecord:
    """Return the record in a file. Raises ConfigError with every fault of it, each naming the file and the key."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"the run record {path} cannot be read: {plain_cause(error)}") from error
    pairs = _pairs(path, data)
    faults = list(_faults(pairs))
    if not faults:
        record = _record(path, data, dict(pairs))
        faults = contradictions(record)
    if faults:
        raise ConfigError("\n".join(f"run record {path}: {fault}" for fault in faults))
    return record


def _pairs(path: Path, data: bytes) -> _Pairs:
    try:
        found = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_Pairs, parse_constant=NotANumber)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"the run record {path} is not valid JSON: {error}") from error
    if not isinstance(found, _Pairs):
        raise ConfigError(f"the run record {path} holds {shown(found)}, expected one JSON object")
    return found


def _faults(pairs: _Pairs) -> Iterator[str]:
    """Yield what is wrong, key by key in the order of the file."""
    seen: set[str] = set()
    for key, value in pairs:
        name = key if key.isprintable() else ascii(key)
        if key in seen:
            yield f"`{name}` is there twice"
        seen.add(key)
        if key == AUTOMATED:
            if not isinstance(value, bool | None):
                yield f"`{key}` is {shown(_plain(value))}, expected true or false"
        elif key not in STATED_KEYS:
            yield f"`{name}` {unknown_key(key, (AUTOMATED,))}"
        elif fault := value_fault(key, _plain(value)):
            yield f"`{key}` {fault}"
    values = dict(pairs)
    corrections = number_of(values.get("N_corrections"))
    if corrections is not None and corrections > 0 and any(key == AUTOMATED and value is True for key, value in pairs):
        yield f"`{AUTOMATED}` is true and `N_corrections` is {corrections:.12g}: in an automated run nobody corrects"
    if fault := turns_fault(values.get("N_corrections"), values.get("N_turns")):
        yield fault


def _plain(value: object) -> object:
    return dict(value) if isinstance(value, _Pairs) else value


def _record(path: Path, data: bytes, values: Mapping[str, Any]) -> RunRecord:
    fundamentals, derived = by_symbol({key: None if value is None else float(value) for key, value in values.items() if key != AUTOMATED})
    return RunRecord(
        name=path.name,
        sha256=hashlib.sha256(data).hexdigest(),
        automated=bool(values.get(AUTOMATED)),
        fundamentals=fundamentals,
        derived=derived,
    )
