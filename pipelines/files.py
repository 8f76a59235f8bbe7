"""The run folder: the only place that touches it."""

import json
import os
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from filelock import FileLock, Timeout
from pydantic import BaseModel

from judge.errors import InputError, RunFolderError
from judge.schema.manifests import RunManifest
from judge.schema.summaries import Summary
from judge.standard.catalogue import BY_SYMBOL
from judge.standard.stated import shown
from pipelines.documents.file_bytes import PlacedFault, read_bytes, refuse
from pipelines.documents.places import ROOT, child
from pipelines.documents.strict_json import whole_of
from pipelines.documents.wording import Record_, checked
from pipelines.journal import JOURNAL, Journal
from pipelines.write_faults import is_storage_fault, write_fault

MANIFEST = "manifest.json"
ITEMS = "items.jsonl"
PROPOSITIONS = "propositions.jsonl"
RESULTS = "results.jsonl"
SUMMARY = "summary.json"
REPORT_MARKDOWN = "report.md"
REPORT_HTML = "report.html"
REPORT_CSV = "propositions.csv"
PANEL = "panel.jsonl"
AUDIT = "audit.json"
AUDIT_MARKDOWN, AUDIT_HTML = "audit.md", "audit.html"
"""An audit's own reports, where `report.md` and `report.html` are those of the run that it rests on."""
OUR_FILES = (
    MANIFEST,
    ITEMS,
    PROPOSITIONS,
    JOURNAL,
    RESULTS,
    SUMMARY,
    REPORT_MARKDOWN,
    REPORT_HTML,
    REPORT_CSV,
    PANEL,
    AUDIT,
    AUDIT_MARKDOWN,
    AUDIT_HTML,
)
_FORMAT = 1
_LOCK = ".lock"
_PARTIAL = ".partial"


@contextmanager
def whole_file(path: Path, *, is_private: bool = False) -> Iterator[IO[str]]:
    """Yield a file that takes its name when the block ends; after an error nothing of it is left. Raises OSError.

    A private one is for nobody but its owner to read.
    """
    partial = path.with_name(path.name + _PARTIAL)
    try:
        if is_private:
            partial.touch(mode=0o600)
            partial.chmod(0o600)
        with partial.open("w", encoding="utf-8", newline="\n") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
        _sync_folder(path.parent)
    except BaseException:  # whatever it was, half a file takes room and helps nobody
        with suppress(OSError):
            partial.unlink(missing_ok=True)
        raise


def _sync_folder(folder: Path) -> None:
    """Make a new name last over a loss of power, where the system can do that for a folder."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if is_storage_fault(error):
            raise
    finally:
        os.close(descriptor)


def write_atomically(path: Path, lines: Iterable[str], *, is_private: bool = False) -> int:
    """Write lines so that a reader sees the old file or the whole new one; return how many there were. Raises OSError."""
    count = 0
    with whole_file(path, is_private=is_private) as file:
        for line in lines:
            file.write(line)
            count += 1
    return count


class RunFolder:
    """One run on disk, locked against a second process while it is open."""

    def __init__(self, path: Path) -> None:
        """Lock the folder, making it if needed. Raises RunFolderError if it is in use or cannot be made."""
        self.path = path
        try:
            path.mkdir(parents=True, exist_ok=True)
            self._lock = FileLock(path / _LOCK, timeout=0)
            self._lock.acquire()
        except Timeout as error:
            raise RunFolderError(f"the run folder {path} is in use by {_holder(path / _LOCK)}") from error
        except OSError as error:
            if is_storage_fault(error):
                raise write_fault(path, error) from error
            raise RunFolderError(f"the run folder {path} cannot be used: {error.strerror or error}") from error
        with suppress(OSError):  # it only tells others who we are
            (path / _LOCK).write_text(f"{os.getpid()} {socket.gethostname()}\n", encoding="utf-8")

    def close(self) -> None:
        """Release the folder. The lock file goes while the lock is held, so that no other process has just taken it."""
        with suppress(OSError):
            (self.path / _LOCK).unlink(missing_ok=True)
        self._lock.release()

    def manifest(self) -> RunManifest | None:
        """Return what the folder says of itself, or None if it is new. Raises RunFolderError if it is not a run folder."""
        if (self.path / MANIFEST).is_file():
            return read_manifest(self.path)
        # The manifest is the first file of a run: a kill before it stands leaves these two at most.
        if any(entry.name not in (_LOCK, f"{MANIFEST}{_PARTIAL}") for entry in self.path.iterdir()):
            raise RunFolderError(f"the folder {self.path} is not empty and holds no run; name another one with --out")
        return None

    def clear(self) -> None:
        """Remove the files of an earlier run, and nothing else; a folder that holds no run is left as it is."""
        if not (self.path / MANIFEST).is_file():
            return
        journals = [path.name for path in self.path.glob("journal-*.jsonl")]
        for name in (*journals, *OUR_FILES[1:], MANIFEST):
            (self.path / name).unlink(missing_ok=True)
            (self.path / f"{name}{_PARTIAL}").unlink(missing_ok=True)

    @contextmanager
    def writing(self, name: str) -> Iterator[Callable[[str], object]]:
        """Write a file piece by piece; it takes its name only when the block ends without an error.

        Raises StorageError if the disk is full or broken, RunFolderError if it cannot be written for another reason.
        """
        try:
            with whole_file(self.path / name) as file:
                yield file.write
        except OSError as error:
            raise write_fault(self.path / name, error) from error

    def write(self, name: str, chunks: Iterable[str]) -> None:
        """Write one file of the run so that a reader sees the old content or the whole new one."""
        with self.writing(name) as write:
            for chunk in chunks:
                write(chunk)

    def lines(self, name: str) -> Iterator[str]:
        """Yield the lines of a file of the run."""
        with (self.path / name).open(encoding="utf-8", newline="\n") as file:
            yield from file

    def journal(self, name: str = JOURNAL) -> "Journal":
        """Open a journal for reading and appending."""
        return Journal(self.path / name)


def read_manifest(folder: Path) -> RunManifest:
    """Return the manifest of a run folder. Raises RunFolderError if there is none or it cannot be understood."""
    if not (folder / MANIFEST).is_file():
        raise RunFolderError(f"{folder} is not a run folder: it holds no {MANIFEST}")
    return read_document(folder / MANIFEST, RunManifest)


def read_summary(folder: Path) -> Summary:
    """Return the summary of a run folder. Raises RunFolderError if there is none or it cannot be understood."""
    if not (folder / SUMMARY).is_file():
        if (folder / AUDIT).is_file():
            raise RunFolderError(f"{folder} holds an audit and no scored run: its figures are in {AUDIT}, its report in {REPORT_MARKDOWN}")
        cut_off = "the run was cut off; the `judge score` command that began it finishes it"
        raise RunFolderError(f"{folder} is not a finished run folder: it holds no {SUMMARY}: {cut_off}")
    summary = read_document(folder / SUMMARY, Summary)
    named = {*summary.metrics, *(symbol for composite in summary.composite.values() for symbol in composite.weights)}
    if unknown := sorted(named - BY_SYMBOL.keys()):
        raise RunFolderError(f"{folder / SUMMARY}: no metric is named {', '.join(map(shown, unknown))}")
    return summary


def read_document(path: Path, kind: type[Record_]) -> Record_:
    """Return a JSON file that this tool wrote. Raises RunFolderError with its faults; in another format nothing else is a fault."""
    try:
        file = read_bytes(path)
        part = whole_of(file)
        written = part.value.get("format") if isinstance(part.value, dict) else None
        if written != _FORMAT:
            by = "it was written by another version of this tool, or not by it"
            refuse(file, [PlacedFault(child(ROOT, "format"), f"is {shown(written)}, expected {_FORMAT}: {by}")])
        return checked(file, part, kind)
    except InputError as error:
        raise RunFolderError(str(error)) from error


def _holder(lock: Path) -> str:
    """Return who holds a run folder, as far as the lock says so."""
    try:
        pid, host = lock.read_text(encoding="utf-8").split()
    except (OSError, ValueError):
        return "another process"
    return f"another process ({pid} on {host})"


def json_line(record: BaseModel) -> str:
    """Return a record as one line of a JSON Lines file."""
    return record.model_dump_json() + "\n"


def json_document(record: BaseModel) -> str:
    """Return a record as a readable JSON file: indented, keys in the order of the record."""
    fields: dict[str, Any] = record.model_dump(mode="json", by_alias=True)
    return json.dumps(fields, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
