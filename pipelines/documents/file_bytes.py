"""A file as it is on disk, and the refusal of one."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from judge.errors import InputError, InputFault, plain_cause
from pipelines.documents.places import ROOT

MAX_FAULTS = 200
"""Faults listed of one file; the rest is counted."""


class PlacedFault(NamedTuple):
    """What is wrong, and where: the JSON path, and in JSON Lines the line."""

    path: str
    message: str
    line: int | None = None

    def __str__(self) -> str:
        """Format as `path: message`; of a whole document the message alone."""
        return self.message if self.path == ROOT else f"{self.path}: {self.message}"


class FileBytes(NamedTuple):
    """A file as it is: where it was found, its content, and the SHA-256 of that."""

    path: Path
    data: bytes
    sha256: str

    def fault(self, message: str, line: int | None = None) -> InputFault:
        """Return a fault of this file."""
        return InputFault(str(self.path), line, message)


def read_bytes(path: Path, *, is_regular: bool = False) -> FileBytes:
    """Return a file's content. Raises InputError for a folder, a file that is missing or cannot be read, a pipe where none may be."""
    fault = None
    try:
        if path.is_dir():
            fault = "it is a folder; a file is expected"
        elif is_regular and path.exists() and not path.is_file():
            fault = "it is no regular file"
        else:
            data = path.read_bytes()
    except FileNotFoundError:
        fault = "there is no such file"
    except (OSError, ValueError) as error:
        fault = plain_cause(error)
    if fault is not None:
        raise InputError([InputFault(str(path), None, f"cannot be read: {fault}")])
    return FileBytes(path, data, hashlib.sha256(data).hexdigest())


def refuse(file: FileBytes, faults: Sequence[PlacedFault]) -> None:
    """Raise InputError with the faults of a file, if there are any."""
    if faults:
        listed = [file.fault(str(fault), fault.line) for fault in faults[:MAX_FAULTS]]
        if len(faults) > MAX_FAULTS:
            listed.append(file.fault(f"... and {len(faults) - MAX_FAULTS} more"))
        raise InputError(listed)
