"""What a user may state of a run or a session: which keys the standard knows, and what each of them can hold."""

import json
import math
from collections.abc import Mapping
from difflib import get_close_matches
from typing import NamedTuple

from judge.errors import ConfigError
from judge.schema.run_records import RunRecord
from judge.standard.derived import DERIVATIONS, check_turns
from judge.standard.fundamentals import FUNDAMENTALS, Fundamental
from judge.standard.run_values import Conflict, conflicts

_FUNDAMENTAL_OF = {fundamental.key: fundamental for fundamental in FUNDAMENTALS.values()}
_POSITIVE = {"V_time"}
_UNBOUNDED = {"V_time", "V_cost"}

STATED_KEYS = (*_FUNDAMENTAL_OF, *DERIVATIONS)
"""Fundamentals with `_s` on times and `_usd` on cost, then the derived values."""


class NotANumber(NamedTuple):
    """NaN or an infinity, which other programs write into JSON, as it is written there."""

    text: str


def value_fault(key: str, value: object) -> str | None:
    """Return what is wrong with a value, and what should stand there; None if it is right or null. The key must be known."""
    if value is None or (expected := _expected(key, value)) is None:
        return None
    return f"is {shown(value)}, expected {expected}"


def unknown_key(key: str, also: tuple[str, ...] = ()) -> str:
    """Return what a user meant most likely; `also` are keys of the file that are none of the standard."""
    known = (*STATED_KEYS, *also)
    near = _closest(key, known)
    return "is no known key; " + (f"the closest is `{near}`" if near else f"known are {', '.join(known)}")


def turns_fault(corrections: object, turns: object) -> str | None:
    """Return why corrections and turns cannot both be, or None."""
    try:
        check_turns(number_of(corrections), number_of(turns))
    except ConfigError as error:
        return str(error)
    return None


def contradictions(record: RunRecord) -> list[str]:
    """Return a sentence for each derived value that the fundamentals stated beside it do not allow."""
    return [_contradiction(conflict) for conflict in conflicts(record)]


def by_symbol(values: Mapping[str, float | None]) -> tuple[dict[str, float | None], dict[str, float | None]]:
    """Return fundamentals and derived values by symbol from values by key."""
    fundamentals = {fundamental.symbol: values[key] for key, fundamental in _FUNDAMENTAL_OF.items() if key in values}
    return fundamentals, {symbol: values[symbol] for symbol in DERIVATIONS if symbol in values}


def number_of(value: object) -> float | None:
    """Return a finite number, or None for anything else; true and false are no numbers."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def shown(value: object) -> str:
    """Return a found value in a few characters."""
    if isinstance(value, NotANumber):
        return value.text
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= 40 else f"{text[:40]}..."


def _closest(key: str, known: tuple[str, ...]) -> str | None:
    """Return the known key that is meant most likely, the symbol with its unit before any that only looks alike; None if none is near."""
    if key in FUNDAMENTALS:
        return FUNDAMENTALS[key].key
    folded = {name.lower(): name for name in known}
    near = get_close_matches(key.lower(), folded, n=1, cutoff=0.6)
    return folded[near[0]] if near else None


def _contradiction(conflict: Conflict) -> str:
    own = ", ".join(f"`{_key_of(symbol)}` {value:.12g}" for symbol, value in conflict.inputs.items())
    allowed = conflict.allowed.in_words()
    return f"`{conflict.symbol}` is {conflict.given:.12g}, yet by the record's own values ({own}) it can only be {allowed}"


def _key_of(symbol: str) -> str:
    return FUNDAMENTALS[symbol].key if symbol in FUNDAMENTALS else symbol


def _expected(key: str, value: object) -> str | None:
    """Return what should stand there instead, or None if the value is right."""
    number = number_of(value)
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


def _is_within(number: float, fundamental: Fundamental) -> bool:
    if not fundamental.low <= number <= fundamental.high or (fundamental.is_positive and number == 0):
        return False
    return fundamental.unit not in ("binary", "count") or number.is_integer()
