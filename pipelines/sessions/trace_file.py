"""A trace as it came out of a file."""

from pathlib import Path
from typing import NamedTuple

from judge.errors import InputFault
from judge.schema.traces import Trace


class TraceFile(NamedTuple):
    """One session, where it was found, the SHA-256 of the file's bytes, as what the file was recognised, and what is odd about it.

    `place` is the path of the session in a file of several, else empty.
    """

    trace: Trace
    path: Path
    sha256: str
    recognised: str
    warnings: tuple[str, ...] = ()
    place: str = ""

    @property
    def name(self) -> str:
        """The file's name, with the session's id where the file holds several."""
        return f"{self.path.name}:{self.trace.id}" if self.place else self.path.name

    def fault(self, message: str) -> InputFault:
        """Return a fault of this session."""
        return InputFault(str(self.path), None, f"session `{self.trace.id}`: {message}" if self.place else message)
