"""The run record: a flat JSON file with what no judge can find out about a run."""

import hashlib
import json
import math
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from judge.errors import ConfigError, plain_cause
from judge.schema.run_records import RunRecord
from judge.standard.derived import DERIVATIONS, check_turns
from judge.standard.fundamentals import FUNDAMENTALS, Fundamental
from judge.standard.run_values import Conflict, conflicts

AUTOMATED = "automated"

_FUNDAMENTAL_OF = {fundamental.key: fundamental for fundamental in FUNDAMENTALS.values()}
_POSITIVE = {"V_time"}
_UNBOUNDED = {"V_time", "V_cost"}
_KNOWN = (*_FUNDAMENTAL_OF, *DERIVATIONS, AUTOMATED)


class _Pairs(list[tuple[str, Any]]):
    """A JSON object as it is written, with keys that stand twice."""


class _NoNumber(NamedTuple):
    """NaN or an infinity, which other programs write into JSON."""

    text: str


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
        faults = list(map(_contradiction, conflicts(record)))
    if faults:
        raise ConfigError("\n".join(f"run record {path}: {fault}" for fault in faults))
    return record


def _contradiction(conflict: Conflict) -> str:
    own = ", ".join(f"`{_key_of(symbol)}` {value:.12g}" for symbol, value in conflict.inputs.items())
    allowed = conflict.allowed.in_words()
    return f"`{conflict.symbol}` is {conflict.given:.12g}, yet by the record's own values ({own}) it can only be {allowed}"


def _key_of(symbol: str) -> str:
    return FUNDAMENTALS[symbol].key if symbol in FUNDAMENTALS else symbol


def _pairs(path: Path, data: bytes) -> _Pairs:
    try:
        found = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_Pairs, parse_constant=_NoNumber)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"the run record {path} is not valid JSON: {error}") from error
    if not isinstance(found, _Pairs):
        raise ConfigError(f"the run record {path} holds {_shown(found)}, expected one JSON object")
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
                yield f"`{key}` is {_shown(value)}, expected true or false"
        elif key not in _KNOWN:
            near = _closest(key)
            yield f"`{name}` is no known key; " + (f"the closest is `{near}`" if near else f"known are {', '.join(_KNOWN)}")
        elif value is not None and (expected := _expected(key, value)):
            yield f"`{key}` is {_shown(value)}, expected {expected}"
    values = {key: _number(value) for key, value in pairs}
    corrections = values.get("N_corrections")
    if corrections is not None and corrections > 0 and any(key == AUTOMATED and value is True for key, value in pairs):
        yield f"`{AUTOMATED}` is true and `N_corrections` is {corrections:.12g}: in an automated run nobody corrects"
    try:
        check_turns(values.get("N_corrections"), values.get("N_turns"))
    except ConfigError as error:
        yield str(error)


def _closest(key: str) -> str | None:
    """Return the known key that is meant most likely, the symbol with its unit before any that only looks alike; None if none is near."""
    if key in FUNDAMENTALS:
        return FUNDAMENTALS[key].key
    folded = {known.lower(): known for known in _KNOWN}
    near = get_close_matches(key.lower(), folded, n=1, cutoff=0.6)
    return folded[near[0]] if near else None


def _expected(key: str, value: object) -> str | None:
    """Return what should stand there instead, or None if the value is right."""
    number = _number(value)
    fundamental = _FUNDAMENTAL_OF.get(key) or _derived_range(key)
    if number is not None and _is_within(number, fundamental):
        return None
    match fundamental.unit:
        case "ratio" if math.isinf(fundamental.high):
            words = "a number"
        case "ratio":
            return "a number from 0 to 1"
        case "binary":
            return "0 or 1"
        case "count":
            return "a whole number, 0 or more"
        case "s":
            words = "a number of seconds"
        case "USD":
            words = "a number of US dollars"
    return f"{words} above 0" if fundamental.is_positive else f"{words}, 0 or more"


def _derived_range(symbol: str) -> Fundamental:
    return Fundamental(symbol, "ratio", 0.0, math.inf if symbol in _UNBOUNDED else 1.0, is_positive=symbol in _POSITIVE)


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _is_within(number: float, fundamental: Fundamental) -> bool:
    if not fundamental.low <= number <= fundamental.high or (fundamental.is_positive and number == 0):
        return False
    return fundamental.unit not in ("binary", "count") or number.is_integer()


def _shown(value: object) -> str:
    """Return a found value in a few characters."""
    if isinstance(value, _NoNumber):
        return value.text
    if isinstance(value, list):
        return "an object" if isinstance(value, _Pairs) else "a list"
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= 40 else f"{text[:40]}..."


def _record(path: Path, data: bytes, values: Mapping[str, Any]) -> RunRecord:
    numbers = {key: None if value is None else float(value) for key, value in values.items() if key != AUTOMATED}
    return RunRecord(
        name=path.name,
        sha256=hashlib.sha256(data).hexdigest(),
        automated=bool(values.get(AUTOMATED)),
        fundamentals={fundamental.symbol: numbers[key] for key, fundamental in _FUNDAMENTAL_OF.items() if key in numbers},
        derived={symbol: numbers[symbol] for symbol in DERIVATIONS if symbol in numbers},
    )
