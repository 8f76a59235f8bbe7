"""Whatever a disk, a crash or a stranger made of what was stored: a judgment comes back as it was written, or not at all."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from judge.cache.store import JudgmentCache
from judge.hashing import cache_key, sha256_text
from judge.schema.judgments import Judgment, Labels
from judge.schema.labels import Label
from judge.schema.outcomes import Verdict
from pipelines.files import json_line
from pipelines.journal import JOURNAL, Journal
from tests.fuzz.effort import DATABASES, FILES, fuzzed
from tests.fuzz.files import DEEP, objects, torn
from tests.fuzz.replies import ANY_JSON, PLAIN


def judgment(number: int) -> Judgment:
    """Return one of several judgments."""
    verdict = Verdict(label=list(Label)[number % 2], quote="It rained", quote_verified=True, rationale=f"Because {number}.")
    content = Labels(abstention=None, outcomes={"s1": verdict})
    return Judgment(request_sha256=sha256_text(str(number)), identity_id=sha256_text("judge"), content=content, attempts=1)


JUDGMENTS = [judgment(number) for number in range(3)]
LINES = [json_line(each).encode() for each in JUDGMENTS]


@fuzzed(cost=FILES, data=torn(b"".join(LINES)) | st.binary(max_size=80).map(lambda rest: LINES[0] + rest + b"\n" + LINES[1]))
def test_a_journal(folder: Path, data: bytes) -> None:
    """Cut, torn, or with anything between its lines: whole lines count, and what is appended is found by the next reader."""
    path = folder / JOURNAL
    path.write_bytes(data)
    journal = Journal(path)
    for each, line in zip(JUDGMENTS, LINES, strict=True):
        found = journal.get(each.request_sha256)
        assert found is None or found.request_sha256 == each.request_sha256
        if data.splitlines(keepends=True).count(line) and data.count(each.request_sha256.encode()) == 1:
            assert found == each
    new = judgment(9)
    journal.append(new)
    journal.close()
    assert path.read_bytes().endswith(json_line(new).encode())
    again = Journal(path, read_only=True)
    assert again.get(new.request_sha256) == new
    again.close()


PARTS = {"kind": "label", "model": "m"}
KEYS = [cache_key(each.identity_id, each.request_sha256) for each in JUDGMENTS]


def stored_texts(cache: JudgmentCache) -> dict[str, str]:
    """Put the judgments, and return their values as the cache writes them."""
    for key, each in zip(KEYS, JUDGMENTS, strict=True):
        cache.put(key, PARTS, each)
    return {entry.key: json.loads(cache.export_line(entry))["value"] for entry in cache.entries()}


def put_raw(folder: Path, key: str, value: str | bytes) -> None:
    """Write a value under a key that is there, past everything that checks it."""
    with sqlite3.connect(folder / "cache.db") as database:
        database.execute("UPDATE Cache SET value = ? WHERE key = ?", (value, key))
    database.close()


VALUES = st.tuples(st.sampled_from([0, 1, 2]), st.integers(0, 2**32)) | PLAIN | DEEP | ANY_JSON.map(json.dumps) | st.binary(max_size=20)


@fuzzed(cost=DATABASES, values=st.lists(st.tuples(VALUES, st.booleans()), min_size=10, max_size=10))
def test_a_cache(folder: Path, values: list[tuple[tuple[int, int] | str | bytes, bool]]) -> None:
    """Another entry's value, one with a changed character, text or bytes under a key: the judgment as it was, or none, and no error."""
    cache = JudgmentCache(folder / "cache")
    right = stored_texts(cache)
    for given, is_whole in values:
        value = given
        if isinstance(given, tuple):
            value = text = right[KEYS[given[0]]]
            place = given[1] % len(text)
            value = text if is_whole else text[:place] + chr(ord(text[place]) ^ 1) + text[place + 1 :]
        assert not isinstance(value, tuple)
        put_raw(cache.folder, KEYS[0], value)
        found = cache.get(KEYS[0], PARTS)
        assert found is None or (found == JUDGMENTS[0] and value == right[KEYS[0]])
        assert {entry.key for entry in cache.entries()} <= set(KEYS)
        cache.put(KEYS[0], PARTS, JUDGMENTS[0])
    assert [cache.get(key, PARTS) for key in KEYS] == JUDGMENTS
    cache.close()


EXPORTED = {"key": KEYS[0], "value": json.dumps({"format": 1, "sha256": "", "parts": PARTS, "judgment": LINES[0].decode()})}


OTHER_PARTS = ANY_JSON.filter(lambda parts: not isinstance(parts, dict) or any(not isinstance(part, str) for part in parts.values()))


def with_parts(parts: Any) -> str:
    """Return an export line that is right but for what it says of its key."""
    text = JUDGMENTS[0].model_dump_json()
    value = {"format": 1, "sha256": sha256_text(text), "parts": parts, "judgment": text}
    return json.dumps({"key": KEYS[0], "value": json.dumps(value)})


IMPORTS = OTHER_PARTS.map(with_parts) | objects(EXPORTED) | DEEP | PLAIN | ANY_JSON.map(json.dumps)


@fuzzed(cost=DATABASES, lines=st.lists(IMPORTS, min_size=20, max_size=20))
def test_an_import(folder: Path, lines: list[str]) -> None:
    """A line that is no export is refused with the one error that the command tells, and nothing is stored."""
    cache = JudgmentCache(folder / "cache")
    for line in lines:
        with pytest.raises(ValueError):  # noqa: PT011 - whatever it says
            cache.import_line(line)
    assert not list(cache.keys())
    cache.close()
