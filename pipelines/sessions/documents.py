"""The bytes of a session file as JSON values, with every fault of the JSON itself and where it is."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from judge.errors import InputError, InputFault, plain_cause
from judge.standard.stated import NotANumber
from pipelines.readers.json_values import MAX_DEPTH
from pipelines.readers.lines import not_utf8
from pipelines.sessions.paths import ROOT, child
from pipelines.sessions.wording import PlacedFault

_LARGEST_INTEGER = 10**300
"""Larger whole numbers become infinite where a metric needs them."""


class FileBytes(NamedTuple):
    """A file as it is: where it was found, its content, and the SHA-256 of that."""

    path: Path
    data: bytes
    sha256: str

    def fault(self, message: str, line: int | None = None) -> InputFault:
        """Return a fault of this file."""
        return InputFault(str(self.path), line, message)


def refuse(file: FileBytes, faults: Sequence[PlacedFault]) -> None:
    """Raise InputError with the faults of a file, if there are any."""
    if faults:
        raise InputError([file.fault(str(fault), fault.line) for fault in faults])


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


def read_bytes(path: Path) -> FileBytes:
    """Return a regular file's content. Raises InputError for a folder, a pipe, or a file that is missing or cannot be read."""
    fault = None
    try:
        if path.is_dir():
            fault = "is a folder; a file is expected"
        elif path.exists() and not path.is_file():
            fault = "is no regular file"
        else:
            data = path.read_bytes()
    except FileNotFoundError:
        fault = "there is no such file"
    except (OSError, ValueError) as error:
        fault = f"cannot be read: {plain_cause(error)}"
    if fault is not None:
        raise InputError([InputFault(str(path), None, fault)])
    return FileBytes(path, data, hashlib.sha256(data).hexdigest())


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


def value_faults(part: Part) -> list[PlacedFault]:
    """Return what JSON can hold and no session may: doubled keys, NaN, numbers beyond any measure, half characters, endless nesting."""
    return [PlacedFault(path, message, part.line) for path, message in _walk(part.value, ROOT, 0)]


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


def loads(text: str) -> Any:
    """Return the value of a JSON text. Raises ValueError with the place of the first fault."""
    try:
        return json.loads(text, object_pairs_hook=_Object, parse_constant=NotANumber, parse_float=_number)
    except json.JSONDecodeError as error:
        where = f"column {error.colno}" if error.lineno == 1 else f"line {error.lineno}, column {error.colno}"
        raise ValueError(f"not valid JSON: {error.msg} at {where}") from error
    except RecursionError as error:
        raise ValueError(f"nested deeper than {MAX_DEPTH} levels") from error
    except ValueError as error:
        raise ValueError(f"not valid JSON: {error}") from error


def _number(digits: str) -> float | NotANumber:
    value = float(digits)
    return NotANumber(digits) if abs(value) == float("inf") else value


def _walk(value: Any, path: str, depth: int) -> Iterator[tuple[str, str]]:
    """Yield path and fault for everything in a value that cannot be used."""
    if isinstance(value, NotANumber):
        yield path, f"is {value.text[:40]}, which is no number; use null for a value that is not known"
    elif isinstance(value, str):
        yield from _half_characters(value, path)
    elif isinstance(value, int) and abs(value) > _LARGEST_INTEGER:
        yield path, "is a whole number of more than 300 digits"
    elif isinstance(value, list | dict):
        if depth == MAX_DEPTH:
            yield path, f"is nested deeper than {MAX_DEPTH} levels"
            return
        if isinstance(value, _Object):
            yield from ((child(path, name), "stands twice in one object") for name in value.twice)
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, part in pairs:
            if isinstance(key, str):
                yield from _half_characters(key, path)
            yield from _walk(part, child(path, key), depth + 1)


def _half_characters(text: str, path: str) -> Iterator[tuple[str, str]]:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        yield path, f"holds an unpaired surrogate, half of a character ({text[error.start]!a})"
