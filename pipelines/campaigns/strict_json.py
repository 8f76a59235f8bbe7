"""JSON with nothing lost on the way: keys that stand twice and numbers that are none stay to be told."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from pipelines.readers.json_values import MAX_DEPTH, check_characters


class NoNumber(NamedTuple):
    """NaN or an infinity, which other programs write into JSON. It fits no field, so that the message of the field tells of it."""

    text: str


class ReadJson(NamedTuple):
    """A value of dicts and lists, and what is wrong with it wherever it stands: keys that are there twice, halves of characters."""

    value: Any
    faults: tuple[str, ...]


class _Pairs(list[tuple[str, Any]]):
    """An object as it is written."""


def read_json(data: bytes) -> ReadJson:
    """Return the value of a JSON text in UTF-8, with or without a byte order mark. Raises ValueError saying what is wrong with it."""
    try:
        written = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_Pairs, parse_constant=NoNumber)
    except RecursionError as error:
        raise ValueError(f"nested deeper than {MAX_DEPTH} levels") from error
    faults = tuple(_faults(written, ""))
    return ReadJson(_plain(written), faults)


def shown_value(value: object) -> str:
    """Return a found value in a few characters, for messages."""
    if isinstance(value, NoNumber):
        return value.text
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list | tuple):
        return "a list"
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= 40 else f"{text[:40]}..."


def shown_key(key: str) -> str:
    """Return a key that can neither steer a terminal nor break a line, cut to what a message bears."""
    name = key if key.isprintable() else ascii(key)
    return name if len(name) <= 60 else f"{name[:60]}..."


def _faults(written: object, path: str, levels: int = MAX_DEPTH) -> Iterator[str]:
    if levels == 0 and isinstance(written, list):
        raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
    if isinstance(written, _Pairs):
        seen: set[str] = set()
        for key, value in written:
            place = f"{path}.{shown_key(key)}" if path else shown_key(key)
            if key in seen:
                yield f"`{place}` is there twice"
            seen.add(key)
            yield from _faults(value, place, levels - 1)
    elif isinstance(written, list):
        for position, value in enumerate(written):
            yield from _faults(value, f"{path}[{position}]", levels - 1)
    elif isinstance(written, str):
        try:
            check_characters(written)
        except ValueError as error:
            yield f"`{path}` {error}"


def _plain(written: object) -> object:
    if isinstance(written, _Pairs):
        return {key: _plain(value) for key, value in written}
    return [_plain(value) for value in written] if isinstance(written, list) else written
