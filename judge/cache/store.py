"""Paid judgments kept on disk: the only file that names diskcache.

A value is JSON text with its own SHA-256 and the digests of the parts of its key, all checked on reading. What does not
check is set aside and judged anew; nothing is ever unpickled, evicted or expired.
"""

import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import diskcache
from filelock import FileLock

from judge.cache.damage import fault_of, has_no_room, in_words, is_busy, is_damage, is_of_system, salvaged
from judge.cache.entries import Entry, Parts, entry_text, read_entry
from judge.cache.folder import CREATING, DATABASE, LEASES, close_to_others, database_bytes, file_id, prepare_folder, set_database_aside
from judge.errors import CacheError, plain_cause
from judge.schema.judgments import Judgment

_SET_ASIDE = "damaged:"
_REFUSED_KEY = ""
_BUSY_SECONDS = 60
_REPAIRS = 3
"""How often one process begins a new database before it goes on without."""
_SMALL = 2**23
"""Bytes up to which a database is checked as a whole whenever it is opened; a larger one only by `check`."""
_TOLD = 20
"""Warnings about single entries; further ones are only counted."""


class _TextDisk(diskcache.Disk):  # type: ignore[misc]
    """Stores text as text, in the database. A row that asks to be unpickled or read from a file is refused."""

    def put(self, key: Any) -> Any:
        if not isinstance(key, str):
            raise TypeError(f"a cache key is text, got {type(key).__name__}")
        return super().put(key)

    def get(self, key: Any, raw: bool) -> Any:
        # An error would end the iteration over all keys; ours are never empty.
        return key if raw and isinstance(key, str) else _REFUSED_KEY

    def store(self, value: Any, read: bool, key: Any = diskcache.UNKNOWN) -> Any:
        if not isinstance(value, str):
            raise TypeError(f"a cache value is text, got {type(value).__name__}")
        return super().store(value, read, key)

    def fetch(self, mode: int, filename: str | None, value: Any, read: bool) -> Any:
        if mode == diskcache.core.MODE_PICKLE:
            raise ValueError("pickled cache value refused")
        if mode != diskcache.core.MODE_RAW:
            raise ValueError("a value in a file of its own is none of ours")
        return super().fetch(mode, filename, value, read)


class _Nowhere(dict[str, str]):
    """Stands in for a store that could not be made: holds nothing and keeps nothing."""

    def set(self, _key: str, _value: str) -> None:
        """Keep nothing."""

    def close(self) -> None:
        """Close nothing."""


class JudgmentCache:
    """Judgments by identity and request, in one folder that several processes may share."""

    def __init__(self, folder: Path, *, needs_room: bool = True) -> None:
        """Open or make the cache; a damaged database is set aside.

        Raises CacheError if the folder cannot be used. With `needs_room` False a full disk is no error: nothing is kept then.
        """
        self.folder = folder
        self.warnings: list[str] = []
        self.set_aside = 0
        self._repairs = 0
        self._told = 0
        self._store: Any = _Nowhere()
        try:
            self.warnings += prepare_folder(folder)
            with self._creating():
                self._open()
        except (OSError, sqlite3.Error, diskcache.Timeout) as error:
            if needs_room or not has_no_room(error):
                raise CacheError(
                    f"the cache folder {folder} cannot be used: {plain_cause(error)}; name another one with --cache, "
                    "or do without with --no-cache"
                ) from error
            self._tell_incomplete(error)

    def get(self, key: str, parts: Parts) -> Judgment | None:
        """Return the judgment under this key if it is whole and was made for exactly these parts, else None."""
        try:
            text = self._store.get(key)
            if text is None:
                return None
            entry = read_entry(key, text)
            if entry.parts != parts:
                raise ValueError("it was made for another request")
        except Exception as error:  # noqa: BLE001 - whatever a damaged row raises, the request is judged anew
            self._note(key, error)
            return None
        return entry.judgment

    def put(self, key: str, parts: Parts, judgment: Judgment) -> None:
        """Keep a judgment. A full disk costs the entry, not the run."""
        text = entry_text(parts, judgment)
        try:
            self._store.set(key, text)
        except Exception as error:  # noqa: BLE001 - as in `get`: what the database does must not end a run
            if is_damage(error) and self._repair(error):
                self.put(key, parts, judgment)
                return
            self._tell_incomplete(error)
            # What was begun and could not be ended must not keep other processes from writing.
            with suppress(sqlite3.Error):
                self._store.close()

    def entries(self) -> Iterator[Entry]:
        """Yield every whole entry; damaged ones are set aside on the way."""
        for key in self.keys():
            try:
                entry = read_entry(key, self._store.get(key))
            except Exception as error:  # noqa: BLE001 - as in `get`
                self._quarantine(key, error)
            else:
                yield entry

    def keys(self) -> Iterator[str]:
        """Yield the keys of all entries in the order they were written, as far as the database can be read."""
        is_first = True
        try:
            for key in self._store:
                is_first = False
                if key == _REFUSED_KEY:
                    self.set_aside += 1
                elif not key.startswith(_SET_ASIDE):
                    yield key
        except (sqlite3.Error, UnicodeDecodeError) as error:
            if is_first and is_damage(error) and self._repair(error):
                yield from self.keys()
                return
            self.warnings.append(f"the cache in {self.folder} is damaged and could not be listed to the end: {error}")

    def check(self) -> bool:
        """Return whether the database is whole by SQLite's own check; a damaged one is set aside and what can be read taken over."""
        fault = fault_of(self.folder / DATABASE)
        if fault is not None:
            self._repair(sqlite3.DatabaseError(fault))
        return fault is None

    def size_bytes(self) -> int:
        """Return the size of the cache on disk."""
        return database_bytes(self.folder)

    def export_line(self, entry: Entry) -> str:
        """Return an entry as one line of an export file."""
        return json.dumps({"key": entry.key, "value": entry_text(entry.parts, entry.judgment)}, ensure_ascii=False)

    def import_line(self, line: str) -> bool:
        """Take over one exported line; return False if it is here already.

        Raises ValueError if it does not check, and CacheError if it cannot be written.
        """
        try:
            fields = json.loads(line)
            entry = read_entry(fields["key"], fields["value"])
        except (KeyError, TypeError, AttributeError, RecursionError) as error:
            raise ValueError("it is not a line of an export") from error
        try:
            return bool(self._store.add(entry.key, entry_text(entry.parts, entry.judgment)))
        except (sqlite3.Error, diskcache.Timeout) as error:
            raise CacheError(f"the cache in {self.folder} cannot be written: {in_words(error)}") from error

    def clear(self) -> int:
        """Remove everything, databases that were set aside too; return how many entries there were. Raises CacheError."""
        try:
            count = int(self._store.clear())
            for path in (*self.folder.glob(f"{DATABASE}.damaged-*"), *(self.folder / LEASES).glob("*.lock")):
                path.unlink(missing_ok=True)
        except (OSError, sqlite3.Error, diskcache.Timeout) as error:
            raise CacheError(f"the cache in {self.folder} cannot be cleared: {in_words(error)}; remove the folder by hand") from error
        return count

    def close(self) -> None:
        """Close the database."""
        with suppress(sqlite3.Error):
            self._store.close()

    def _creating(self) -> FileLock:
        # Two processes that create one database at the same moment can break it.
        return FileLock(self.folder / CREATING, timeout=_BUSY_SECONDS, mode=0o600)

    def _open(self) -> None:
        """Connect to the database, or to a new one where it is damaged. Raises OSError or sqlite3.Error for what is no damage."""
        close_to_others(self.folder)
        try:
            self._connect()
            if self.size_bytes() <= _SMALL and (fault := fault_of(self.folder / DATABASE)) is not None:
                raise sqlite3.DatabaseError(fault)
        except Exception as error:
            # Whatever else a spoilt table of settings raises inside diskcache is damage too.
            if isinstance(error, OSError) or is_of_system(error):
                raise
            self._begin_anew(error)

    def _connect(self) -> None:
        started_at = time.monotonic()
        while True:
            try:
                self._store = diskcache.Cache(
                    str(self.folder),
                    disk=_TextDisk,
                    eviction_policy="none",
                    statistics=0,
                    tag_index=0,
                    size_limit=2**50,
                    cull_limit=0,
                    disk_min_file_size=2**50,
                    timeout=_BUSY_SECONDS,
                )
            except sqlite3.OperationalError as error:
                # diskcache waits by the wall clock, which may jump.
                if not is_busy(error) or time.monotonic() - started_at > _BUSY_SECONDS:
                    raise
            else:
                self._file = file_id(self.folder / DATABASE)
                return

    def _repair(self, error: Exception) -> bool:
        """Begin a new database in place of a damaged one; return whether there is one now."""
        self._repairs += 1
        try:
            self.close()
            with self._creating():
                if self._repairs > _REPAIRS:
                    raise CacheError("it is damaged again and again")
                if file_id(self.folder / DATABASE) != self._file:
                    self._open()  # another process has done it already
                else:
                    self._begin_anew(error)
        except (OSError, sqlite3.Error, diskcache.Timeout, CacheError) as second:
            self._store = _Nowhere()
            self._tell_incomplete(second)
            return False
        return True

    def _begin_anew(self, error: Exception) -> None:
        """Set the database aside and take what can be read of it into a new one."""
        self.close()
        aside = set_database_aside(self.folder)
        self.set_aside += 1
        close_to_others(self.folder)
        self._connect()
        taken = 0
        with self._store.transact():
            for entry in salvaged(aside):
                taken += bool(self._store.add(entry.key, entry_text(entry.parts, entry.judgment)))
        self.warnings.append(
            f"the cache database was damaged ({in_words(error)}); it was set aside as {aside.name} and a new one begun with "
            f"the {taken} entries that could be read"
        )

    def _note(self, key: str, error: Exception) -> None:
        """Deal with an entry that could not be read: a fault of the disk, of the database, or of the entry itself."""
        if is_damage(error):
            self._repair(error)
        elif isinstance(error, diskcache.Timeout) or getattr(error, "sqlite_errorcode", None) is not None:
            self._tell_incomplete(error)
        else:
            self._quarantine(key, error)

    def _tell_incomplete(self, error: Exception) -> None:
        if not any("is not complete" in warning for warning in self.warnings):
            why = f"there is no room, or the disk is broken ({in_words(error)})" if has_no_room(error) else in_words(error)
            self.warnings.append(f"the cache in {self.folder} could not be written and is not complete: {why}")

    def _quarantine(self, key: str, error: Exception) -> None:
        self.set_aside += 1
        self._told += 1
        if self._told <= _TOLD:
            self.warnings.append(f"the cache entry {key[:12]} was damaged ({error}) and was set aside")
        elif self._told == _TOLD + 1:
            self.warnings.append(f"more than {_TOLD} cache entries were damaged and set aside; the others are only counted")
        try:
            text = self._store.get(key)
        except Exception:  # noqa: BLE001 - it cannot even be read
            text = None
        try:
            if isinstance(text, str):
                self._store.set(_SET_ASIDE + key, text)
            self._store.delete(key)
        except Exception as second:  # noqa: BLE001 - as in `get`
            if not (is_damage(second) and self._repair(second)):
                self.warnings.append(f"the damaged cache entry {key[:12]} could not be removed")
