"""What an error of the cache database means, and what can be read of a damaged one."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from judge.cache.entries import Entry, read_entry

_DAMAGE = {
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_ERROR,
    sqlite3.SQLITE_SCHEMA,
    sqlite3.SQLITE_CONSTRAINT,
    sqlite3.SQLITE_MISMATCH,
    sqlite3.SQLITE_FORMAT,
    sqlite3.SQLITE_RANGE,
    sqlite3.SQLITE_INTERNAL,
}
_SYSTEM = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_AUTH,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_INTERRUPT,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
}
_NO_ROOM = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}
_NO_ROOM_ERRNO = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}


def has_no_room(error: BaseException) -> bool:
    """Return whether a write failed for lack of room, or because the disk does not do its work."""
    return any(code in _NO_ROOM for code in _codes(error)) or getattr(error, "errno", None) in _NO_ROOM_ERRNO


def is_busy(error: BaseException) -> bool:
    """Return whether another process was writing for longer than we waited."""
    return any(code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) for code in _codes(error))


def is_damage(error: BaseException) -> bool:
    """Return whether the database itself is damaged, and not one row of it, or the system it lives on."""
    # Only names of the schema that are no text raise this; a value that is none is told as an error of SQLite.
    is_schema = isinstance(error, UnicodeDecodeError)
    return is_schema or (any(code in _DAMAGE for code in _codes(error)) and not is_of_system(error))


def is_of_system(error: BaseException) -> bool:
    """Return whether the system refused what the database needed, whatever else the error says."""
    return any(code in _SYSTEM for code in _codes(error)) and not _is_read_only_by_itself(error)


def _is_read_only_by_itself(error: BaseException) -> bool:
    """Return whether the header of a database says that it may not be written; what a folder or a disk says has codes of its own."""
    return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_READONLY


def in_words(error: BaseException) -> str:
    """Return why the database could not be used, in words for users; the error for a busy one says nothing by itself."""
    if not str(error) and error.__context__ is not None:
        error = error.__context__
    return getattr(error, "strerror", None) or str(error) or "another process is writing"


def _codes(error: BaseException | None) -> list[int]:
    """Return the primary codes of SQLite in an error and in those on whose way it arose: a failed rollback hides the cause."""
    found = []
    while error is not None:
        if (code := getattr(error, "sqlite_errorcode", None)) is not None:
            found.append(code & 0xFF)
        error = error.__cause__ or error.__context__
    return found


def fault_of(database: Path) -> str | None:
    """Return what is wrong with a database by SQLite's own check, in one line; None if it is whole or cannot be looked at now."""
    try:
        with closing(_opened(database)) as connection:
            faults = [str(line) for (line,) in connection.execute("PRAGMA integrity_check(3)")]
            # A spoilt type of this column passes the check, and hides every row from a listing.
            if connection.execute("SELECT 1 FROM Cache WHERE rowid IS NULL LIMIT 1").fetchone() is not None:
                return "its rows have lost their numbers"
    except UnicodeDecodeError:
        return "its schema is not text"
    except sqlite3.Error as error:
        return str(error) if is_damage(error) else None
    return None if faults == ["ok"] else "; ".join(" ".join(fault.split()) for fault in faults)


def salvaged(database: Path) -> Iterator[Entry]:
    """Yield every whole entry of a damaged database that can be read from its front or from its end."""
    seen: set[int] = set()
    for order in ("ASC", "DESC"):
        try:
            with closing(_opened(database)) as connection:
                connection.text_factory = bytes
                for row, key, value in connection.execute(f"SELECT _rowid_, key, value FROM Cache WHERE raw = 1 ORDER BY _rowid_ {order}"):  # noqa: S608
                    if row in seen:
                        break
                    seen.add(row)
                    if (entry := _entry(key, value)) is not None:
                        yield entry
        except (sqlite3.Error, UnicodeDecodeError):  # an error message made of damaged names is no text either
            continue


def _entry(key: object, value: object) -> Entry | None:
    if not isinstance(key, bytes) or not isinstance(value, bytes):
        return None
    try:
        return read_entry(key.decode(), value.decode())
    except Exception:  # noqa: BLE001 - whatever is wrong with it, it is left where it is
        return None


def _opened(database: Path) -> sqlite3.Connection:
    """Return a connection that changes nothing. Raises sqlite3.Error."""
    return sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)
