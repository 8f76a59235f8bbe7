"""The journal of one judge in a run: every judgment as it was made, so that a run that was cut off goes on."""

from pathlib import Path
from typing import IO

from pydantic import ValidationError

from judge.errors import RunFolderError
from judge.schema.judgments import Judgment
from pipelines.write_faults import is_storage_fault, write_fault

JOURNAL = "journal.jsonl"


def journal_name(number: int) -> str:
    """Return the file that holds the judgments of the judge with this number, from 1; most runs have one judge."""
    return JOURNAL if number == 1 else f"journal-{number}.jsonl"


class Journal:
    """Judgments, one a line, append-only; the last line for a request counts.

    Only a position per request is kept in memory. A line cut off by a crash is removed on opening; any other line that
    cannot be read is reported by number, and its request is judged again.
    """

    _HEAD = b'{"request_sha256":"'

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        """Open or make the journal and index it. Raises RunFolderError, or StorageError, if it cannot be used."""
        self.path = path
        self.warnings: list[str] = []
        self._positions: dict[bytes, int] = {}
        try:
            end = self._index() if path.exists() else 0
            self._writer: IO[bytes] | None = None
            if not read_only:
                self._writer = path.open("ab", buffering=0)
                self._writer.truncate(end)
            self._end = self._begun = end
            self._reader = path.open("rb")
        except OSError as error:
            if is_storage_fault(error):
                raise write_fault(path, error) from error
            raise RunFolderError(f"{path} cannot be used: {error.strerror or error}") from error
        self._fault: RunFolderError | None = None

    def get(self, request_sha256: str) -> Judgment | None:
        """Return the last judgment of a request, or None if there is none that can be read."""
        position = self._positions.get(bytes.fromhex(request_sha256)[:16])
        if position is None:
            return None
        self._reader.seek(position)
        try:
            judgment = Judgment.model_validate_json(self._reader.readline())
        except ValidationError:
            self.warnings.append(f"{self.path.name}: the line at byte {position} cannot be read and its request is judged again")
            return None
        return judgment if judgment.request_sha256 == request_sha256 else None

    def has_appended(self, request_sha256: str) -> bool:
        """Return whether the last judgment of a request was added since the journal was opened."""
        return self._positions.get(bytes.fromhex(request_sha256)[:16], -1) >= self._begun

    def append(self, judgment: Judgment) -> None:
        """Add a judgment in one write. Raises StorageError if the disk is full or broken, RunFolderError for another reason.

        After an error the journal holds whole lines only. If not even the piece that was written could be taken back, it takes no
        more; opening it again removes that piece.
        """
        assert self._writer is not None
        if self._fault is not None:
            raise self._fault
        line = judgment.model_dump_json().encode() + b"\n"
        try:
            written = self._writer.write(line)
            while written < len(line):
                # A write that was cut short does not say why; the next one does.
                written += self._writer.write(line[written:])
        except OSError as error:
            fault = write_fault(self.path, error)
            try:
                self._writer.truncate(self._end)
            except OSError:
                self._fault = fault
            raise fault from error
        self._positions[bytes.fromhex(judgment.request_sha256)[:16]] = self._end
        self._end += len(line)

    def close(self) -> None:
        """Close the file."""
        self._reader.close()
        if self._writer is not None:
            self._writer.close()

    def _index(self) -> int:
        """Note where each request's last line begins; return where the last whole line ends."""
        position = 0
        with self.path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if not line.endswith(b"\n"):
                    break
                start = len(self._HEAD)
                try:
                    if not line.startswith(self._HEAD):
                        raise ValueError
                    self._positions[bytes.fromhex(line[start : start + 64].decode())[:16]] = position
                except ValueError:
                    self.warnings.append(f"{self.path.name}:{number}: not a judgment; the line is ignored")
                position += len(line)
        return position
