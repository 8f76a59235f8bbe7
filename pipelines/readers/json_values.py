"""JSON as this project accepts it: NaN is null, no infinities, no duplicate keys, no characters that cannot be written."""

import json
import math
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from pydantic import JsonValue

MAX_DEPTH = 100
"""Levels of lists and objects in one value; more is a mistake, and other programs could not read what we write."""


def parse_json(text: str) -> Any:
    """Return the value of a JSON text; raise ValueError saying what is wrong with it, and at which column."""
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"not valid JSON: {error.msg} at column {error.colno}") from error
    except RecursionError as error:
        raise ValueError(f"nested deeper than {MAX_DEPTH} levels") from error
    if text.count("[") + text.count("{") > MAX_DEPTH:
        check_depth(value)
    # Only escapes can smuggle these in: UTF-8 holds no surrogates, and JSON refuses a raw NUL.
    if "\\" in text and ("\\u0000" in text or "\\ud" in text or "\\uD" in text):
        check_characters(value)
    return value


def json_value(value: object, *, levels: int = MAX_DEPTH) -> JsonValue:
    """Return a Python value, such as a cell of a Parquet file, as a JSON value.

    NaN is None (it is how tables mark a missing number); dates and times are ISO 8601 text, decimals their digits.
    Raises ValueError for what JSON cannot hold (infinity, bytes, unpaired surrogates, other types) and for more than `levels` of
    lists and objects.
    """
    if isinstance(value, Mapping | list | tuple) and levels == 0:
        raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
    if isinstance(value, Mapping):
        return {_writable(str(key)): json_value(part, levels=levels - 1) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [json_value(part, levels=levels - 1) for part in value]
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return _scalar(value)


def check_characters(value: JsonValue) -> None:
    """Raise ValueError if a text anywhere in the value holds a NUL or an unpaired surrogate."""
    for text in _texts(value):
        if "\0" in text:
            raise ValueError("holds a NUL character")
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise ValueError(f"holds an unpaired surrogate, half of a character ({text[error.start]!a})") from error


def check_depth(value: JsonValue, *, levels: int = MAX_DEPTH) -> None:
    """Raise ValueError if lists and objects are nested deeper than `levels`."""
    if not isinstance(value, dict | list):
        return
    if levels == 0:
        raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
    for part in value.values() if isinstance(value, dict) else value:
        check_depth(part, levels=levels - 1)


def kind_of(value: object) -> str:
    """Name what was found, for messages: `a list of 2 objects with the fields vars, assert`."""
    kind = json.dumps(value) if value is None or isinstance(value, bool) else _KINDS.get(type(value), "something else")
    if isinstance(value, dict):
        return f"{kind} with the fields {', '.join(value)}" if value else f"{kind} without fields"
    if isinstance(value, list):
        are_objects = bool(value) and all(isinstance(part, dict) for part in value)
        names = dict.fromkeys(name for part in value for name in part) if are_objects else {}
        return f"{kind} of {len(value)} objects with the fields {', '.join(names)}" if are_objects else f"{kind} of {len(value)}"
    return kind


def _scalar(value: object) -> JsonValue:
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return _writable(value)
    if isinstance(value, float):
        return None if math.isnan(value) else _finite(value)
    if isinstance(value, Decimal):
        return str(value)
    raise ValueError(f"JSON cannot hold a value of type {type(value).__name__}")


def _writable(text: str) -> str:
    check_characters(text)
    return text


def _texts(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield key
            yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        names = [name for name, _ in pairs]
        repeated = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key `{repeated}` occurs twice in one object")
    return value


def _finite(number: float | str) -> float:
    value = float(number)
    if not math.isfinite(value):
        raise ValueError(f"{number} is not a number that JSON can hold")
    return value


def _constant(name: str) -> None:
    """Return None for NaN, by which tables and some tools mark a missing number; infinities mean nothing here."""
    if name == "NaN":
        return
    raise ValueError(f"{name} is not a JSON number; use null for a missing one")


_KINDS = {str: "a text", int: "a number", float: "a number", dict: "an object", list: "a list"}
_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_float=_finite, parse_constant=_constant)
