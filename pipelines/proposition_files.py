"""Propositions files, as judges write them and as people edit them."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from judge.errors import RunFolderError, plain_cause
from judge.hashing import decomposition_key
from judge.schema.labels import Origin
from judge.schema.propositions import Decomposition
from judge.text.normalise import is_empty
from pipelines.documents.strict_json import Part, loads, value_faults
from pipelines.documents.wording import model_faults
from pipelines.readers.lines import not_utf8


class DecompositionFile:
    """A propositions file read by key: only positions are kept in memory."""

    def __init__(self, path: Path) -> None:
        """Index the file. Raises RunFolderError for one that cannot be read, naming the line that is not a decomposition."""
        self.path = path
        self._positions: dict[str, int] = {}
        try:
            self._reader = path.open("rb")
        except OSError as error:
            raise RunFolderError(f"{path} cannot be read: {error.strerror or error}") from error
        try:
            self._index()
        except RunFolderError:
            self._reader.close()
            raise

    def get(self, key: str) -> Decomposition | None:
        """Return the decomposition under a key, or None.

        Raises RunFolderError if its line cannot be understood or used: not of this form, an id twice, or a blank text.
        """
        position = self._positions.get(key)
        if position is None:
            return None
        self._reader.seek(position)
        line = self._reader.readline()
        try:
            found = _decomposition(_completed(_parsed(line), key))
        except ValueError as error:
            raise RunFolderError("\n".join(f"{self._place(position)}: {fault}" for fault in str(error).splitlines())) from error
        if fault := _fault_of(found):
            raise RunFolderError(f"{self._place(position)}: {fault}")
        return found

    def keys(self) -> Iterable[str]:
        """Return all keys in file order."""
        return self._positions.keys()

    def close(self) -> None:
        """Close the file."""
        self._reader.close()

    def _index(self) -> None:
        position = 0
        for number, line in enumerate(iter(self._reader.readline, b""), start=1):
            if line.strip():
                try:
                    key = _key_of(_parsed(line))
                except (ValueError, KeyError, TypeError, AttributeError) as error:
                    raise RunFolderError(f"{self.path}:{number}: not a line of propositions: {plain_cause(error)}") from error
                if key in self._positions:
                    raise RunFolderError(
                        f"{self.path}:{number}: the same question and ground truth as in {self._place(self._positions[key])}"
                    )
                self._positions[key] = position
            position += len(line)

    def lines(self) -> Iterator[tuple[str, str]]:
        """Yield the key and the text of each line, in file order."""
        for key, position in self._positions.items():
            self._reader.seek(position)
            yield key, _text(self._reader.readline()).rstrip("\n") + "\n"

    def _place(self, position: int) -> str:
        """Return file and line of what begins at a byte."""
        self._reader.seek(0)
        line = self._reader.read(position).count(b"\n") + 1
        return f"{self.path}:{line}"


def _text(line: bytes) -> str:
    # Editors put a byte order mark at the head; what `json` guesses from bytes could be UTF-16 as well.
    return line.decode("utf-8-sig")


def _parsed(line: bytes) -> Any:
    """Return the value of a line. Raises ValueError for what is no JSON, nested without end, or holds a key twice."""
    try:
        part = Part(loads(_text(line)))
    except UnicodeDecodeError as error:
        raise ValueError(not_utf8(error)) from error
    if faults := value_faults(part):
        raise ValueError(str(faults[0]))
    return part.value


def _key_of(fields: dict[str, Any]) -> str:
    """Return the key of a line; one that a person wrote without a key gets that of its question and ground truth."""
    key = fields.get("key")
    if key is None and not isinstance(fields.get("ground_truth"), str):
        raise ValueError("it has neither a key nor a `ground_truth`")
    return str(key) if key is not None else decomposition_key(fields.get("question"), fields["ground_truth"])


def _completed(fields: dict[str, Any], key: str) -> dict[str, Any]:
    """Return a line as a record: what a person who wrote it need not know is filled in, and propositions may be plain texts."""
    listed = fields.get("propositions")
    if not isinstance(listed, list):
        raise ValueError(f"`propositions` is {type(listed).__name__}, expected a list of texts or of objects with `text`")
    parts = [{"text": part} if isinstance(part, str) else part for part in listed]
    for number, part in enumerate(parts, start=1):
        if not isinstance(part, dict) or not isinstance(part.get("text"), str):
            raise ValueError(f"proposition {number} has no `text`: expected a text, or an object with `text`")
    listed = [{"id": f"p{number}", **part} for number, part in enumerate(parts, start=1)]
    return {"key": key, "question": None, "origin": Origin.HUMAN, **fields, "propositions": listed}


def _decomposition(fields: dict[str, Any]) -> Decomposition:
    """Return a whole line as a record. Raises ValueError with a line for each of its faults."""
    try:
        return Decomposition.model_validate(fields)
    except ValidationError as error:
        raise ValueError("\n".join(map(str, model_faults(error, fields, Decomposition)))) from error


def _fault_of(found: Decomposition) -> str | None:
    """Say why propositions cannot be used as they stand, or None."""
    ids = [part.id for part in found.propositions]
    if repeated := [identifier for identifier in dict.fromkeys(ids) if ids.count(identifier) > 1]:
        return f"several propositions have the id {repeated[0]!r}; ids must differ"
    if blank := [part.id for part in found.propositions if is_empty(part.text)]:
        return f"the proposition {blank[0]!r} is blank; remove its entry or write its text"
    return None
