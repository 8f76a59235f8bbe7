"""Paid judgments kept on disk: the only file that names diskcache.

A value is JSON text with its own SHA-256 and the digests of the parts of its key, all checked on reading. What does not
check is set aside and judged anew; nothing is ever unpickled, evicted or expired.
"""

import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import diskcache
from filelock import FileLock
from pydantic import ValidationError

from judge.errors import CacheError
from judge.hashing import cache_key, content_hash, identity_id, request_sha256, sha256_text
from judge.protocol import Judge
from judge.schema.judgments import JudgeIdentity, Judgment
from judge.schema.labels import RequestKind
from judge.schema.requests import Request

FORMAT = 1
_SET_ASIDE = "damaged:"
_REFUSED_KEY = ""
_BUSY_SECONDS = 60

Parts = dict[str, str]
"""Name of a part of the key to the first 16 hex digits of its SHA-256."""


class _TextDisk(diskcache.Disk):  # type: ignore[misc]
    """Stores text as text. A row that asks to be unpickled, as key or as value, is refused."""

    def put(self, key: Any) -> Any:
        if not isinstance(key, str):
            raise TypeError(f"a cache key is text, got {type(key).__name__}")
        return super().put(key)

    def get(self, key: Any, raw: bool) -> Any:
        # An error would end the iteration over all keys; ours are never empty.
        return super().get(key, raw) if raw else _REFUSED_KEY

    def store(self, value: Any, read: bool, key: Any = diskcache.UNKNOWN) -> Any:
        if not isinstance(value, str):
            raise TypeError(f"a cache value is text, got {type(value).__name__}")
        return super().store(value, read, key)

    def fetch(self, mode: int, filename: str | None, value: Any, read: bool) -> Any:
        if mode == diskcache.core.MODE_PICKLE:
            raise ValueError("pickled cache value refused")
        return super().fetch(mode, filename, value, read)


class Entry(NamedTuple):
    """One cached judgment with the digests of the parts of its key."""

    key: str
    parts: Parts
    judgment: Judgment


class JudgmentCache:
    """Judgments by identity and request, in one folder that several processes may share."""

    def __init__(self, folder: Path) -> None:
        """Open or make the cache. Raises CacheError if the folder cannot be used; a damaged database is set aside."""
        self.folder = folder
        self.warnings: list[str] = []
        self.set_aside = 0
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Two processes that create one database at the same moment can break it.
            with FileLock(folder / "create.lock", timeout=_BUSY_SECONDS, mode=0o600):
                self._store = self._open()
        except (OSError, sqlite3.Error) as error:
            raise CacheError(f"the cache folder {folder} cannot be used: {error}") from error

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
            self._quarantine(key, error)
            return None
        return entry.judgment

    def put(self, key: str, parts: Parts, judgment: Judgment) -> None:
        """Keep a judgment. A full disk costs the entry, not the run."""
        try:
            self._store.set(key, _entry_text(parts, judgment))
        except (OSError, sqlite3.Error, diskcache.Timeout) as error:
            if not any("not be written" in warning for warning in self.warnings):
                self.warnings.append(f"the cache in {self.folder} could not be written and is not complete: {error}")

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
        try:
            for key in self._store:
                if key == _REFUSED_KEY:
                    self.set_aside += 1
                elif not key.startswith(_SET_ASIDE):
                    yield key
        except sqlite3.DatabaseError as error:
            self.warnings.append(f"the cache in {self.folder} is damaged and could not be listed to the end: {error}")

    def size_bytes(self) -> int:
        """Return the size of the cache on disk."""
        return int(self._store.volume())

    def export_line(self, entry: Entry) -> str:
        """Return an entry as one line of an export file."""
        return json.dumps({"key": entry.key, "value": _entry_text(entry.parts, entry.judgment)}, ensure_ascii=False)

    def import_line(self, line: str) -> bool:
        """Take over one exported line; return False if it is here already. Raises ValueError if it does not check."""
        try:
            fields = json.loads(line)
            entry = read_entry(fields["key"], fields["value"])
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError("it is not a line of an export") from error
        return bool(self._store.add(entry.key, _entry_text(entry.parts, entry.judgment)))

    def clear(self) -> int:
        """Remove everything; return how many entries there were."""
        return int(self._store.clear())

    def close(self) -> None:
        """Close the database."""
        self._store.close()

    def _open(self) -> Any:
        try:
            return self._connect()
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError as error:
            database = self.folder / "cache.db"
            aside = next(path for number in range(1, 10_000) if not (path := self.folder / f"cache.db.damaged-{number}").exists())
            database.rename(aside)
            self.set_aside += 1
            self.warnings.append(f"the cache database was damaged ({error}); it was set aside as {aside.name} and a new one begun")
            return self._connect()

    def _connect(self) -> Any:
        store = diskcache.Cache(
            str(self.folder),
            disk=_TextDisk,
            eviction_policy="none",
            size_limit=2**50,
            cull_limit=0,
            disk_min_file_size=2**24,
            timeout=_BUSY_SECONDS,
        )
        for path in self.folder.glob("cache.db*"):
            os.chmod(path, 0o600)  # noqa: PTH101 - the mode of an existing file, link or not
        return store

    def _quarantine(self, key: str, error: Exception) -> None:
        self.set_aside += 1
        self.warnings.append(f"the cache entry {key[:12]} was damaged ({error}) and was set aside")
        try:
            text = self._store.get(key)
        except Exception:  # noqa: BLE001 - it cannot even be read
            text = None
        try:
            if isinstance(text, str):
                self._store.set(_SET_ASIDE + key, text)
            self._store.delete(key)
        except (sqlite3.Error, diskcache.Timeout):
            self.warnings.append(f"the damaged cache entry {key[:12]} could not be removed")


def _entry_text(parts: Parts, judgment: Judgment) -> str:
    text = judgment.model_dump_json()
    return json.dumps({"format": FORMAT, "sha256": sha256_text(text), "parts": parts, "judgment": text}, ensure_ascii=False)


def read_entry(key: str, text: str) -> Entry:
    """Return a checked entry. Raises ValueError, saying what is wrong with it."""
    fields = json.loads(text)
    if fields.get("format") != FORMAT or fields["sha256"] != sha256_text(fields["judgment"]):
        raise ValueError("its hash does not match its content")
    try:
        judgment = Judgment.model_validate_json(fields["judgment"])
    except ValidationError as error:
        raise ValueError("it is not a judgment of this version") from error
    if key != cache_key(judgment.identity_id, judgment.request_sha256) or not judgment.is_complete:
        raise ValueError("it stands under another key")
    return Entry(key, fields["parts"], judgment)


def identity_parts(identity: JudgeIdentity) -> Parts:
    """Return the digests of what makes up a judge identity, under the names that users know."""
    return {
        "kind": str(identity.kind),
        "model": _digest(identity.model),
        "endpoint": _digest(identity.endpoint),
        "prompt": _digest(identity.prompt),
        "policy": _digest(identity.policy),
        "settings": _digest(identity.parameters, identity.mode),
        "version": _digest(identity.backend, identity.backend_version, identity.client, identity.reply_schema_sha256, identity.re_asks),
    }


def request_parts(request: Request) -> Parts:
    """Return the digests of the texts of a request, under the names of its fields, and its numbers as they are."""
    return {name: _text_digest(value) for name, value in request if name != "kind"}


def _text_digest(value: Any) -> str:
    """Return the digest of a text or of several; the hash of the whole request, which is in the key, tells the rest apart."""
    if isinstance(value, tuple):
        value = "\0".join(part if isinstance(part, str) else f"{part.id}\0{part.text}" for part in value)
    return sha256_text(value)[:16] if isinstance(value, str) else str(value)


def _digest(*values: Any) -> str:
    return content_hash(*values)[:16]


class CachedJudge:
    """Answers from the cache where it can, asks the judge it wraps where it cannot, and keeps complete judgments."""

    def __init__(self, judge: Judge, cache: JudgmentCache, refreshed: frozenset[RequestKind] = frozenset()) -> None:
        """Wrap a judge. `hits` counts judgments that needed no call; `first_misses` keeps one request of each kind.

        Requests of the `refreshed` kinds are asked anew; what they come to replaces what was kept.
        """
        self._judge = judge
        self._refreshed = refreshed
        self._cache = cache
        self._identity_ids = {kind: identity_id(judge.identity(kind)) for kind in RequestKind}
        self._identity_parts = {kind: identity_parts(judge.identity(kind)) for kind in RequestKind}
        self.hits = 0
        self.hit_calls = 0
        self.first_misses: dict[RequestKind, Request] = {}

    def identity(self, kind: RequestKind) -> JudgeIdentity:
        """Return the identity of the judge inside."""
        return self._judge.identity(kind)

    def offers(self, kind: RequestKind) -> bool:
        """Return what the judge inside offers."""
        return self._judge.offers(kind)

    async def judge(self, request: Request) -> Judgment:
        """Return the cached judgment, or a new one, which is kept if every part of it was judged."""
        digest = request_sha256(request)
        key = cache_key(self._identity_ids[request.kind], digest)
        parts = {**self._identity_parts[request.kind], **request_parts(request)}
        if request.kind not in self._refreshed and (found := self._cache.get(key, parts)) is not None:
            self.hits += 1
            self.hit_calls += found.attempts
            return found
        self.first_misses.setdefault(request.kind, request)
        judgment = await self._judge.judge(request)
        if judgment.is_complete:
            self._cache.put(key, parts, judgment)
        return judgment

    def kept(self, request: Request) -> Judgment | None:
        """Return what the cache holds of a request, and ask nobody."""
        parts = {**self._identity_parts[request.kind], **request_parts(request)}
        return self._cache.get(cache_key(self._identity_ids[request.kind], request_sha256(request)), parts)

    @property
    def warnings(self) -> list[str]:
        """What went wrong with the cache without stopping anything."""
        return self._cache.warnings

    @property
    def set_aside(self) -> int:
        """How many damaged entries were set aside."""
        return self._cache.set_aside

    def explain(self, request: Request) -> str:
        """Say why a request is not in the cache: what differs from the nearest entry of its kind."""
        parts = {**self._identity_parts[request.kind], **request_parts(request)}
        nearest = max(
            (entry.parts for entry in self._cache.entries() if entry.parts.get("kind") == request.kind),
            key=lambda other: sum(other.get(name) == digest for name, digest in parts.items()),
            default=None,
        )
        if nearest is None:
            return f"the cache holds no {request.kind} judgment at all"
        differing = [name for name, digest in parts.items() if nearest.get(name) != digest]
        return "it is there" if not differing else "the nearest entry differs in: " + ", ".join(differing)
