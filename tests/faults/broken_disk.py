"""A disk that fails: the operations of Python's own files and databases, counted, and failing from the nth on.

Nothing of the project is replaced. The standard library is wrapped at the edge to the operating system, for one block and
for paths under one folder only.
"""

import builtins
import errno
import io
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any, Protocol
from unittest.mock import patch

FULL = "database or disk is full"
_WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE", "CREATE", "ALTER", "PRAGMA", "COMMIT")
_PATH_CALLS = ("mkdir", "open", "replace", "rename", "unlink", "chmod")
_DESCRIPTOR_CALLS = ("fsync", "ftruncate")


class Breakage:
    """Counts operations; the one of a number fails, and with `for_good` all after it. Number 0 breaks nothing."""

    def __init__(self, number: int = 0, *, for_good: bool = False) -> None:
        self._number = number
        self._for_good = for_good
        self._lock = threading.Lock()
        self.seen = 0
        self.struck: list[str] = []

    def strikes(self, operation: str) -> bool:
        """Count an operation and return whether it must fail."""
        with self._lock:
            self.seen += 1
            hit = self._number > 0 and (self.seen >= self._number if self._for_good else self.seen == self._number)
            if hit:
                self.struck.append(operation)
            return hit

    def check(self, operation: str) -> None:
        """Count an operation. Raises OSError, a full disk, where it must fail."""
        if self.strikes(operation):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


class Breaking(Protocol):
    """Breaks what happens under a folder for the length of a block."""

    def __call__(self, folder: Path, breakage: Breakage) -> AbstractContextManager[None]:
        """Return the block."""
        ...


class _BreakingFile(io.FileIO):
    """A file whose reads, writes and cuts are counted; of a write that fails, half the bytes are on the disk."""

    breakage: Breakage

    def write(self, data: Any) -> int:
        if self.breakage.strikes(f"write {self.name}"):
            super().write(bytes(data)[: len(data) // 2])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(data)

    def truncate(self, size: int | None = None) -> int:
        self.breakage.check(f"truncate {self.name}")
        return super().truncate(size)


@contextmanager
def breaking_files(folder: Path, breakage: Breakage) -> Iterator[None]:
    """Count, and break, what is done to files under a folder: opening, writing, cutting, syncing, renaming, removing."""
    within = _under(folder)
    real_open = io.open

    def opened(file: Any, mode: str = "r", buffering: int = -1, *options: Any, **named: Any) -> Any:
        if not within(file):
            return real_open(file, mode, buffering, *options, **named)
        breakage.check(f"open {file}")
        raw = _BreakingFile(file, mode.replace("b", "").replace("t", ""))
        raw.breakage = breakage
        return _dressed(raw, mode, buffering, *options, **named)

    with ExitStack() as stack:
        stack.enter_context(patch.object(io, "open", opened))
        stack.enter_context(patch.object(builtins, "open", opened))
        for name in _PATH_CALLS:
            stack.enter_context(patch.object(os, name, _counted(getattr(os, name), breakage, name, within)))
        for name in _DESCRIPTOR_CALLS:
            stack.enter_context(patch.object(os, name, _counted(getattr(os, name), breakage, name, _is_descriptor_under(folder))))
        yield


@contextmanager
def breaking_database(folder: Path, breakage: Breakage) -> Iterator[None]:
    """Count, and break, the statements that write to databases under a folder."""
    within = _under(folder)
    real_connect = sqlite3.connect

    class Breaking(sqlite3.Connection):
        def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
            word = sql.split(None, 1)[0].upper()
            if word in _WRITES and breakage.strikes(word):
                if word == "COMMIT":
                    super().execute("ROLLBACK")  # as SQLite does when it finds the disk full
                raise sqlite3.OperationalError(FULL)
            return super().execute(sql, *parameters)

    def connected(database: Any, *options: Any, **named: Any) -> sqlite3.Connection:
        if within(database):
            named["factory"] = Breaking
        connection: sqlite3.Connection = real_connect(database, *options, **named)
        return connection

    with patch.object(sqlite3, "connect", connected):
        yield


def _under(folder: Path) -> Callable[[Any], bool]:
    root = os.fspath(folder.resolve())

    def within(path: Any) -> bool:
        if not isinstance(path, str | os.PathLike):
            return False
        name = os.fsdecode(path)
        return name == root or name.startswith(root + os.sep)

    return within


def _is_descriptor_under(folder: Path) -> Callable[[Any], bool]:
    within = _under(folder)

    def holds(descriptor: Any) -> bool:
        return isinstance(descriptor, int) and within(Path(f"/proc/self/fd/{descriptor}").readlink())

    return holds


def _counted(real: Callable[..., Any], breakage: Breakage, name: str, within: Callable[[Any], bool]) -> Callable[..., Any]:
    def call(*given: Any, **named: Any) -> Any:
        if given and within(given[0]):
            breakage.check(f"{name} {given[0]}")
        return real(*given, **named)

    return call


def _dressed(
    raw: io.FileIO, mode: str, buffering: int, encoding: str | None = None, errors: str | None = None, newline: str | None = None
) -> Any:
    """Return a raw file as `open` would: buffered unless 0 was asked for, and with text on top unless it is binary."""
    if buffering == 0:
        return raw
    buffered: Any = io.BufferedReader(raw) if mode.strip("bt") == "r" else io.BufferedWriter(raw)
    if "+" in mode:
        buffered = io.BufferedRandom(raw)
    return buffered if "b" in mode else io.TextIOWrapper(buffered, encoding, errors, newline)
