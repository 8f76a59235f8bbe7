"""What a user may state of a run or a session: which keys and symbols the standard knows, and what each of them can hold."""

import json
import math
from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from typing import NamedTuple

from judge.errors import ConfigError
from judge.schema.definitions import Definition
from judge.standard.catalogue import BY_SYMBOL, STANDARD
from judge.standard.fundamentals import FUNDAMENTALS

DERIVED = tuple(one.symbol for one in STANDARD if one.kind == "derived")
"""The symbols of the derived values, in the order of the standard."""

_SYMBOL_OF = {fundamental.key: symbol for symbol, fundamental in FUNDAMENTALS.items()}

STATED_KEYS = (*_SYMBOL_OF, *DERIVED)
"""Fundamentals with `_s` on times and `_usd` on cost, then the derived values."""

STATED_BASES = ("given", "trace", "automated")
"""On what a value of a run rests that no judge found: what a user gave, a recorded session, or that nobody was there to correct."""

_COMPUTED = frozenset(one.symbol for one in STANDARD if one.kind == "composite") | {"Q_combined", "Cx"}
_STAMP = "metrics_version"


class NotANumber(NamedTuple):
    """NaN or an infinity, which other programs write into JSON, as it is written there."""

    text: str


def value_fault(key: str, value: object) -> str | None:
    """Return what is wrong with a value, and what should stand there; None if it is right or null. The key must be known."""
    return symbol_fault(_SYMBOL_OF.get(key, key), value)


def symbol_fault(symbol: str, value: object) -> str | None:
    """Return the same for a metric by its symbol."""
    one = BY_SYMBOL[symbol]
    return None if value is None or _is_within(value, one) else f"is {shown(value)}, expected {expected(one)}"


def check_values(values: Mapping[str, object], known: Collection[str], kind: str) -> None:
    """Raise ConfigError naming every symbol that is not `known`, and every value that lies outside the range of its metric."""
    if faults := list(_faults(values, known, kind)):
        raise ConfigError("\n".join(faults))


def unknown_key(key: str, also: tuple[str, ...] = ()) -> str:
    """Return what a user meant most likely; `also` are keys of the file that are none of the standard."""
    if key in _COMPUTED:
        return "is a composite, which is computed and never stated"
    if key == _STAMP:
        return "is a stamp that no formula follows: leave it out"
    near = _closest(key, (*STATED_KEYS, *also))
    return "is no known key; " + (
        f"the closest is `{near}`" if near else "`judge metrics` lists the symbols, with `_s` on times and `_usd` on cost"
    )


def check_turns(corrections: float | None, turns: float | None) -> None:
    """Raise ConfigError for corrections in a session without turns, which cannot be."""
    if fault := turns_fault(corrections, turns):
        raise ConfigError(fault)


def turns_fault(corrections: float | None, turns: float | None) -> str | None:
    """Return why corrections and turns cannot both be, or None."""
    if turns == 0 and corrections:
        return f"`N_corrections` is {corrections:g} and `N_turns` is 0: there is no correction without a turn"
    return None


def by_symbol(values: Mapping[str, float | None]) -> tuple[dict[str, float | None], dict[str, float | None]]:
    """Return fundamentals and derived values by symbol from values by key."""
    fundamentals = {symbol: values[key] for key, symbol in _SYMBOL_OF.items() if key in values}
    return fundamentals, {symbol: values[symbol] for symbol in DERIVED if symbol in values}


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
    text = json.dumps(value, ensure_ascii=True, default=repr)
    return text if len(text) <= 40 else f"{text[:40]}..."


def _closest(key: str, known: tuple[str, ...]) -> str | None:
    """Return the known key that is meant most likely, the symbol with its unit before any that only looks alike; None if none is near."""
    if key in FUNDAMENTALS:
        return FUNDAMENTALS[key].key
    folded = {name.lower(): name for name in known}
    near = get_close_matches(key.lower(), folded, n=1, cutoff=0.6)
    return folded[near[0]] if near else None


def expected(one: Definition) -> str:
    """Return in words what a value of a metric must be, by its range and unit."""
    number = {"s": "a number of seconds", "USD": "a number of US dollars"}.get(one.unit, "a number")
    words = {
        "0..1": "a number from 0 to 1",
        "0,1": "0 or 1",
        "(0,1]": "a number above 0, up to 1",
        "int >= 0": "a whole number, 0 or more",
        "> 0": f"{number} above 0",
    }
    return words.get(one.range, f"{number}, 0 or more")


def _is_within(value: object, one: Definition) -> bool:
    number, values = number_of(value), one.values
    if number is None or not values.low <= number <= values.high or (values.is_positive and number == 0):
        return False
    return number.is_integer() or not values.is_whole


def _faults(values: Mapping[str, object], known: Collection[str], kind: str) -> Iterator[str]:
    for symbol, value in values.items():
        if symbol not in known:
            yield _unknown(symbol, known, kind)
        elif fault := symbol_fault(symbol, value):
            yield f"`{symbol}` {fault}"


def _unknown(symbol: str, known: Collection[str], kind: str) -> str:
    name = str(symbol)
    if name in BY_SYMBOL:
        return f"`{name}` is no {kind}: it is of the group {BY_SYMBOL[name].group}"
    near = get_close_matches(name.lower(), {each.lower(): each for each in known}, n=1, cutoff=0.6)
    closest = [each for each in known if near and each.lower() == near[0]]
    hint = f"; the closest is `{closest[0]}`" if closest else ""
    return f"`{name if name.isprintable() else ascii(name)}` is no known symbol of a {kind}{hint}; `judge metrics` lists them"
