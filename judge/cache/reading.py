"""A judgment cache read without changing it: no folder, file or row is made, moved or set aside."""

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from judge.cache.entries import identity_parts, read_entry, request_parts
from judge.cache.folder import DATABASE
from judge.hashing import cache_key, identity_id, request_sha256
from judge.protocol import Judge
from judge.schema.judgments import Judgment
from judge.schema.labels import RequestKind
from judge.schema.requests import Request

_ROW = "SELECT value FROM Cache WHERE key = ? AND raw = 1 AND filename IS NULL"
_BUSY_SECONDS = 10


class KeptJudgments:
    """What a cache holds for one judge. A folder without a cache holds nothing, and so does a database that cannot be read."""

    def __init__(self, folder: Path, judge: Judge) -> None:
        """Open the database, if there is one, for reading only; `warnings` says where that failed."""
        self._folder = folder
        self._identity_ids = {kind: identity_id(judge.identity(kind)) for kind in RequestKind}
        self._identity_parts = {kind: identity_parts(judge.identity(kind)) for kind in RequestKind}
        self.warnings: list[str] = []
        self._database = self._opened() if _has_content(folder / DATABASE) else None

    def kept(self, request: Request) -> Judgment | None:
        """Return the judgment that a run would find here, or None; what is damaged is not there."""
        if self._database is None:
            return None
        key = cache_key(self._identity_ids[request.kind], request_sha256(request))
        try:
            row = self._database.execute(_ROW, (key,)).fetchone()
            entry = None if row is None else read_entry(key, *row)
        except Exception:  # noqa: BLE001 - whatever a damaged row raises, a run would judge the request anew
            return None
        parts = {**self._identity_parts[request.kind], **request_parts(request)}
        return entry.judgment if entry is not None and entry.parts == parts else None

    def close(self) -> None:
        """Close the database."""
        if self._database is not None:
            self._database.close()

    def _opened(self) -> sqlite3.Connection | None:
        # Without a log of pending writes nobody has the database open. Read as immutable, it gets no such log from us either.
        mode = "mode=ro" if _has_content(self._folder / f"{DATABASE}-wal") else "mode=ro&immutable=1"
        address = f"{(self._folder / DATABASE).absolute().as_uri()}?{mode}"
        database: sqlite3.Connection | None = None
        try:
            database = sqlite3.connect(address, uri=True, timeout=_BUSY_SECONDS)
            with suppress(StopIteration), closing(database.execute(_ROW, ("",))) as rows:
                next(rows)
        except (OSError, sqlite3.Error, UnicodeDecodeError) as error:  # the last for a schema that is no text
            if database is not None:
                database.close()
            self.warnings.append(f"the cache in {self._folder} cannot be read ({error}): the estimate takes it for empty")
            return None
        return database


def _has_content(path: Path) -> bool:
    return path.is_file() and path.stat().st_size > 0
