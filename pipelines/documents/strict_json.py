"""JSON with nothing lost on the way: what it allows and nobody can use rightly is kept, and told with its place."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from judge.errors import InputError
from judge.standard.stated import NotANumber
from pipelines.documents.file_bytes import FileBytes, PlacedFault
from pipelines.documents.places import ROOT, child
from pipelines.readers.json_values import MAX_DEPTH
from pipelines.readers.lines import not_utf8

TWICE = "stands twice in one object"
_NUL = "holds a NUL character"

_LARGEST_INTEGER = 10**300
"""Larger whole numbers become infinite where a metric needs them."""


class Part(NamedTuple):
    """One JSON value of a file: the whole of it, or one line of JSON Lines."""

    value: Any
    line: int | None = None


class _Object(dict[str, Any]):
    """A JSON object that remembers which of its keys stood twice."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        names = [name for name, _ in pairs] if len(self) < len(pairs) else []
        self.twice = [name for name in self if names.count(name) > 1]


def parts_of(file: FileBytes) -> list[Part]:
    """Return the JSON value of a file, or one a line where it is JSON Lines; a byte order mark and blank lines are tolerated.

    Raises InputError if anything in it is no JSON. What JSON itself allows and nobody can read rightly is told by `value_faults`.
    """
    try:
        text = file.data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError([file.fault(not_utf8(error))]) from error
    if not text.strip():
        raise InputError([file.fault("the file is empty; JSON is expected")])
    try:
        return [Part(loads(text))]
    except ValueError as error:
        lines = _lines(text)
        if len(lines) == 1 or not any(_is_object(line) for _, line in lines[:2]):
            raise InputError([file.fault(str(error))]) from error
    return _parts(file, lines)


def whole_of(file: FileBytes, expected: str = "one object") -> Part:
    """Return the one JSON value of a file. Raises InputError if there are more, or if it is no JSON."""
    parts = parts_of(file)
    if len(parts) != 1:
        raise InputError([file.fault(f"holds {len(parts)} JSON values, expected {expected}")])
    return parts[0]


def line_of(file: FileBytes, number: int, line: bytes) -> Part:
    """Return the value of one line of JSON Lines. Raises InputError if it is no JSON."""
    try:
        return Part(loads(line.decode("utf-8")), number)
    except ValueError as error:
        message = not_utf8(error) if isinstance(error, UnicodeDecodeError) else str(error)
        raise InputError([file.fault(message, number)]) from error


def value_faults(part: Part, *, allows_nul: bool = True) -> list[PlacedFault]:
    """Return what JSON can hold and no file may: doubled keys, NaN, numbers beyond any measure, half characters, endless nesting.

    What a tool returned may hold a NUL, which is refused only where it is not allowed.
    """
    found = _walk(part.value, ROOT, 0)
    return [PlacedFault(path, message, part.line) for path, message in found if not (allows_nul and message == _NUL)]


def usable(value: Any, depth: int = 0) -> Any:
    """Return a value without what `value_faults` tells of it, null in its place, so that the rest of it can be checked."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list | dict) and depth < MAX_DEPTH:
        if isinstance(value, list):
            return [usable(part, depth + 1) for part in value]
        return {usable(key): usable(part, depth + 1) for key, part in value.items()}
    if isinstance(value, int):
        return value if abs(value) <= _LARGEST_INTEGER else None
    return value if isinstance(value, float) else None


def loads(text: str) -> Any:
    """Return the value of a JSON text. Raises ValueError with the place of the first fault."""
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        where = f"column {error.colno}" if error.lineno == 1 else f"line {error.lineno}, column {error.colno}"
        raise ValueError(f"not valid JSON: {error.msg} at {where}") from error
    except RecursionError as error:
        raise ValueError(f"nested deeper than {MAX_DEPTH} levels") from error
    except ValueError as error:
        raise ValueError(f"not valid JSON: {error}") from error


def _lines(text: str) -> list[tuple[int, str]]:
    # A line feed alone ends a line: U+2028 may stand inside a text.
    return [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]


def _parts(file: FileBytes, lines: list[tuple[int, str]]) -> list[Part]:
    parts, faults = [], []
    for number, line in lines:
        try:
            parts.append(Part(loads(line), number))
        except ValueError as error:
            last = " (is the file cut off?)" if number == lines[-1][0] else ""
            faults.append(file.fault(f"{error}{last}", number))
    if faults:
        raise InputError(faults)
    return parts


def _is_object(line: str) -> bool:
    """Return whether a line is a whole object, as it would not be in one document of several lines."""
    try:
        return isinstance(loads(line), dict)
    except ValueError:
        return False


def _number(digits: str) -> float | NotANumber:
    value = float(digits)
    return NotANumber(digits) if abs(value) == float("inf") else value


def _walk(value: Any, path: str, depth: int) -> Iterator[tuple[str, str]]:
    """Yield path and fault for everything in a value that cannot be used."""
    if isinstance(value, NotANumber):
        yield path, f"is {value.text[:40]}, which is no number; use null for a value that is not known"
    elif isinstance(value, str):
        yield from _odd_characters(value, path)
    elif isinstance(value, int) and abs(value) > _LARGEST_INTEGER:
        yield path, "is a whole number of more than 300 digits"
    elif isinstance(value, list | dict):
        if depth == MAX_DEPTH:
            yield path, f"is nested deeper than {MAX_DEPTH} levels"
            return
        if isinstance(value, _Object):
            yield from ((child(path, name), TWICE) for name in value.twice)
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, part in pairs:
            if isinstance(key, str):
                yield from _odd_characters(key, path)
            yield from _walk(part, child(path, key), depth + 1)


def _odd_characters(text: str, path: str) -> Iterator[tuple[str, str]]:
    if "\0" in text:
        yield path, _NUL
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        yield path, f"holds an unpaired surrogate, half of a character ({text[error.start]!a})"


_DECODER = json.JSONDecoder(object_pairs_hook=_Object, parse_constant=NotANumber, parse_float=_number)
