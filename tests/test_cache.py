"""The cache on a real disk: what makes a hit, and that nothing in its folder can change a label or run code."""

import asyncio
import os
import pickle
import shutil
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from judge.cache.cached_judge import CachedJudge
from judge.cache.folder import network_type
from judge.cache.leases import Leases
from judge.cache.store import JudgmentCache
from judge.errors import CacheError
from judge.hashing import cache_key, content_hash
from judge.schema.judgments import JudgeIdentity, Judgment, Labels, PromptIdentity
from judge.schema.labels import Label, Mode, RequestKind, UnjudgedReason
from judge.schema.outcomes import Outcome
from judge.schema.requests import LabelRequest
from pipelines.cli.root import root
from tests.support.asking import label_request, words
from tests.support.judges import OneWordJudge, unjudged, verdict

ROOT = Path(__file__).resolve().parent.parent
PROMPT = PromptIdentity(name="label", version="v1", sha256="a" * 64)
POLICY = PromptIdentity(name="standard", version="v1", sha256="b" * 64)
IDENTITY = JudgeIdentity(
    kind=RequestKind.LABEL,
    backend="llm",
    backend_version="1",
    model="openai/one",
    endpoint="127.0.0.1:8000/v1",
    parameters={"temperature": 0.0, "seed": 1},
    mode=Mode.AUTO,
    prompt=PROMPT,
    policy=POLICY,
    reply_schema_sha256="c" * 64,
    re_asks=1,
)
REQUEST = label_request(["It rained.", "It snowed."], question="Weather?", answer="There was rain.", ask_abstention=False)
SUPPORTED = {"s1": "supported", "s2": "supported"}


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[JudgmentCache]:
    opened = JudgmentCache(tmp_path / "cache")
    yield opened
    opened.close()


def judge(label: Outcome | None = None, **changes: Any) -> OneWordJudge:
    return OneWordJudge(IDENTITY.model_copy(update=changes), verdict(Label.SUPPORTED) if label is None else label)


def ask(cached: CachedJudge, request: LabelRequest = REQUEST) -> Judgment:
    return asyncio.run(cached.judge(request))


def filled(cache: JudgmentCache, count: int = 1) -> list[LabelRequest]:
    """Keep supported verdicts on as many requests and return these."""
    requests = [REQUEST.model_copy(update={"repeat": number}) for number in range(count)]
    cached = CachedJudge(judge(), cache)
    for request in requests:
        ask(cached, request)
    return requests


def change(cache: JudgmentCache, statement: str, *values: Any) -> None:
    """Change the database behind the cache's back."""
    with sqlite3.connect(cache.folder / "cache.db") as database:
        database.execute(statement, values)
    database.close()


def test_the_second_time_nobody_is_asked(cache: JudgmentCache) -> None:
    """A hit is the same judgment to the last byte, also in another process's eyes."""
    first, second = judge(), judge()
    fresh = ask(CachedJudge(first, cache))
    cached = CachedJudge(second, cache)
    assert ask(cached).model_dump_json() == fresh.model_dump_json()
    assert (len(first.asked), len(second.asked)) == (1, 0)
    assert (cached.hits, cached.hit_calls, cached.first_misses) == (1, 1, {})


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"model": "openai/two"}, "model"),
        ({"endpoint": "127.0.0.1:9000/v1"}, "endpoint"),
        ({"prompt": PROMPT.model_copy(update={"sha256": "d" * 64})}, "prompt"),
        ({"prompt": PROMPT.model_copy(update={"version": "v2"})}, "prompt"),
        ({"policy": POLICY.model_copy(update={"sha256": "d" * 64})}, "policy"),
        ({"parameters": {"temperature": 0.7, "seed": 1}}, "settings"),
        ({"parameters": {"temperature": 0.0, "seed": 2}}, "settings"),
        ({"parameters": {"temperature": 0.0}}, "settings"),
        ({"mode": Mode.TOOLS}, "settings"),
        ({"backend_version": "2"}, "version"),
        ({"client": "instructor 1"}, "version"),
        ({"reply_schema_sha256": "d" * 64}, "version"),
        ({"re_asks": 0}, "version"),
    ],
)
def test_another_judge_is_asked_itself(cache: JudgmentCache, changes: dict[str, Any], part: str) -> None:
    """No judge is ever served another's verdicts, and what tells the two apart is named."""
    filled(cache)
    other = CachedJudge(judge(verdict(Label.CONTRADICTED), **changes), cache)
    assert other.explain(REQUEST) == f"the nearest entry differs in: {part}"
    assert words(ask(other)) == {"s1": "contradicted", "s2": "contradicted"}
    assert words(ask(CachedJudge(judge(), cache))) == SUPPORTED


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"question": "Sky?"}, "question"),
        ({"question": None}, "question"),
        ({"answer": "There was no rain."}, "answer"),
        ({"answer": "There was rain. "}, "answer"),
        ({"statements": REQUEST.statements[::-1]}, "statements"),
        ({"statements": REQUEST.statements[:1]}, "statements"),
        ({"ask_abstention": True}, "ask_abstention"),
        ({"repeat": 1}, "repeat"),
    ],
)
def test_another_request_is_asked_anew(cache: JudgmentCache, changes: dict[str, Any], part: str) -> None:
    """Every text and number of a request is part of its key, the order of statements included."""
    filled(cache)
    cached = CachedJudge(asked := judge(), cache)
    request = REQUEST.model_copy(update=changes)
    assert cached.explain(request) == f"the nearest entry differs in: {part}"
    ask(cached, request)
    assert asked.asked == [request]
    assert cached.first_misses == {RequestKind.LABEL: request}
    assert cached.explain(request) == "it is there"


def test_an_empty_cache_says_so(cache: JudgmentCache) -> None:
    """Where nothing is near there is nothing to compare with."""
    assert CachedJudge(judge(), cache).explain(REQUEST) == "the cache holds no label judgment at all"


@pytest.mark.parametrize("reason", [UnjudgedReason.RATE_LIMITED, UnjudgedReason.INVALID_OUTPUT, UnjudgedReason.QUOTE_NOT_FOUND])
def test_what_is_not_judged_is_never_kept(cache: JudgmentCache, reason: UnjudgedReason) -> None:
    """A fault of today is asked again tomorrow."""
    failing, working = judge(unjudged(reason)), judge()
    ask(CachedJudge(failing, cache))
    assert list(cache.entries()) == []
    assert words(ask(CachedJudge(working, cache))) == SUPPORTED
    assert len(working.asked) == 1


def stored(cache: JudgmentCache) -> str:
    with sqlite3.connect(cache.folder / "cache.db") as database:
        (value,) = database.execute("SELECT value FROM Cache WHERE key NOT LIKE 'damaged:%'").fetchone()
    database.close()
    return str(value)


def check_judged_anew(cache: JudgmentCache, request: LabelRequest = REQUEST) -> None:
    """Show that a damaged entry costs one call and no label, is set aside with a warning, and is replaced."""
    cached = CachedJudge(asked := judge(verdict(Label.CONTRADICTED)), cache)
    assert words(ask(cached, request)) == {"s1": "contradicted", "s2": "contradicted"}
    assert words(ask(cached, request)) == {"s1": "contradicted", "s2": "contradicted"}
    assert len(asked.asked) == 1
    assert cached.set_aside == 1
    assert len(cached.warnings) == 1


FLIPS = pytest.mark.parametrize(
    "every", [pytest.param(60, id="some"), pytest.param(1, id="all", marks=[pytest.mark.long, pytest.mark.timeout(1200)])]
)


@pytest.mark.faults
@FLIPS
def test_row26_a_bit_flipped_anywhere_changes_no_label(tmp_path: Path, every: int) -> None:
    """At every offset of a small database that holds anything: no error, the right labels, and a warning where a call was repeated."""
    opened = JudgmentCache(tmp_path / "sound")
    requests = filled(opened, count=3)
    opened.close()
    sound = (tmp_path / "sound" / "cache.db").read_bytes()
    table = sound.index(b"CREATE TABLE Cache")
    places = [
        place
        for number, place in enumerate(place for place, byte in enumerate(sound) if byte)
        # The header, and how the table is declared, have the most ways to go wrong.
        if number % every == 0 or place < 100 or table <= place < table + 60
    ]
    for place in places:
        folder = tmp_path / "flipped"
        folder.mkdir()
        flipped = sound[place] ^ (1 << place % 8)
        (folder / "cache.db").write_bytes(sound[:place] + bytes([flipped]) + sound[place + 1 :])
        cache = JudgmentCache(folder)
        cached = CachedJudge(asked := judge(), cache)
        assert [words(ask(cached, request)) for request in requests] == [SUPPORTED] * 3, place
        assert not asked.asked or (cached.set_aside and cached.warnings), place
        again = CachedJudge(judge(verdict(Label.CONTRADICTED)), cache)
        assert [words(ask(again, request)) for request in requests] == [SUPPORTED] * 3, place
        assert len(list(cache.entries())) == 3, place
        cache.close()
        shutil.rmtree(folder)
    assert len(places) > 90


@pytest.mark.parametrize("share", [0.0, 0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.999])
def test_a_flipped_bit_is_noticed(cache: JudgmentCache, share: float) -> None:
    """Wherever a value is damaged, its own hash tells."""
    filled(cache)
    value = stored(cache)
    place = int(len(value) * share)
    change(cache, "UPDATE Cache SET value = ?", value[:place] + chr(ord(value[place]) ^ 1) + value[place + 1 :])
    check_judged_anew(cache)


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(lambda value: value.replace("supported", "contradicted"), id="another-label"),
        pytest.param(lambda value: value.replace('"format": 1', '"format": 2'), id="another-format"),
        pytest.param(lambda value: value[:-5], id="cut-off"),
        pytest.param(lambda _: "", id="empty"),
        pytest.param(lambda _: "[]", id="a-list"),
        pytest.param(lambda _: "null", id="null"),
        pytest.param(lambda _: 3, id="a-number"),
        pytest.param(lambda _: b"\x80\x04", id="bytes"),
    ],
)
def test_a_value_of_another_form_is_judged_anew(cache: JudgmentCache, edit: Callable[[str], Any]) -> None:
    """Whatever stands in a row, nothing is taken from it that does not check."""
    filled(cache)
    change(cache, "UPDATE Cache SET value = ?", edit(stored(cache)))
    check_judged_anew(cache)


def test_values_under_each_others_keys_are_judged_anew(cache: JudgmentCache) -> None:
    """A whole entry of another request is no answer to this one."""
    first, second = filled(cache, count=2)
    with sqlite3.connect(cache.folder / "cache.db") as database:
        rows = database.execute("SELECT rowid, value FROM Cache ORDER BY rowid").fetchall()
        for (row, _), (_, value) in zip(rows, reversed(rows), strict=True):
            database.execute("UPDATE Cache SET value = ? WHERE rowid = ?", (value, row))
    database.close()
    cached = CachedJudge(asked := judge(), cache)
    ask(cached, first)
    ask(cached, second)
    assert asked.asked == [first, second]
    assert cached.set_aside == 2


class Payload:
    """Runs code when it is unpickled: makes a file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __reduce__(self) -> Any:
        return Path.touch, (self._path,)


def test_a_pickled_value_does_not_run(cache: JudgmentCache, tmp_path: Path) -> None:
    """Who can write to the folder cannot run code in whoever reads it."""
    filled(cache)
    payload = pickle.dumps(Payload(tmp_path / "owned"))
    change(cache, "UPDATE Cache SET mode = 4, value = ?", sqlite3.Binary(payload))
    check_judged_anew(cache)
    assert not (tmp_path / "owned").exists()


def test_a_pickled_file_does_not_run(cache: JudgmentCache, tmp_path: Path) -> None:
    """The same for a value kept in a file of its own."""
    filled(cache)
    (cache.folder / "owned.val").write_bytes(pickle.dumps(Payload(tmp_path / "owned")))
    change(cache, "UPDATE Cache SET mode = 4, value = NULL, filename = 'owned.val'")
    check_judged_anew(cache)
    assert not (tmp_path / "owned").exists()


def test_a_pickled_key_does_not_run_and_hides_nothing(cache: JudgmentCache, tmp_path: Path) -> None:
    """A planted key is passed over; the entries before and after it are all there."""
    filled(cache, count=2)
    payload = pickle.dumps(Payload(tmp_path / "owned"))
    change(cache, "UPDATE Cache SET rowid = rowid * 10")
    change(
        cache,
        "INSERT INTO Cache (rowid, key, raw, store_time, access_time, mode, value) VALUES (15, ?, 0, 0, 0, 1, 'x')",
        sqlite3.Binary(payload),
    )
    assert len(list(cache.entries())) == 2
    assert cache.set_aside == 1
    assert not (tmp_path / "owned").exists()


def test_listing_passes_over_damaged_entries(cache: JudgmentCache) -> None:
    """A damaged entry is set aside while listing, and the rest is listed."""
    filled(cache, count=3)
    change(cache, "UPDATE Cache SET value = 'x' WHERE rowid = 2")
    assert len(list(cache.entries())) == 2
    assert cache.set_aside == 1
    assert len(list(cache.entries())) == 2


@pytest.mark.parametrize("damage", ["header", "garbage", "empty-but-for-a-line"])
def test_a_damaged_database_is_set_aside(tmp_path: Path, damage: str) -> None:
    """A new database is begun, the old file is kept, and the run says so."""
    folder = tmp_path / "cache"
    opened = JudgmentCache(folder)
    filled(opened)
    opened.close()
    database = folder / "cache.db"
    content = {"header": b"\0" * 100 + database.read_bytes()[100:], "garbage": os.urandom(8192), "empty-but-for-a-line": b"hello\n" * 100}
    database.write_bytes(content[damage])
    reopened = JudgmentCache(folder)
    cached = CachedJudge(asked := judge(), reopened)
    assert words(ask(cached)) == SUPPORTED
    assert len(asked.asked) == 1
    assert cached.set_aside == 1
    assert "set aside as cache.db.damaged-1" in cached.warnings[0]
    assert (folder / "cache.db.damaged-1").read_bytes() == content[damage]
    reopened.close()


def test_what_can_be_read_of_a_damaged_database_is_taken_over(tmp_path: Path) -> None:
    """A page lost in the middle costs the entries on it, and no others; the damaged file is kept."""
    folder = tmp_path / "cache"
    opened = JudgmentCache(folder)
    requests = filled(opened, count=200)
    opened.close()
    content = bytearray((folder / "cache.db").read_bytes())
    content[4096 * 60 : 4096 * 61] = os.urandom(4096)
    (folder / "cache.db").write_bytes(content)
    reopened = JudgmentCache(folder)
    cached = CachedJudge(asked := judge(), reopened)
    assert [words(ask(cached, request)) for request in requests] == [SUPPORTED] * 200
    assert 0 < len(asked.asked) < 20
    (warning,) = cached.warnings
    assert f"a new one begun with the {200 - len(asked.asked)} entries that could be read" in warning
    assert content[4096 * 60 : 4096 * 61] in (folder / "cache.db.damaged-1").read_bytes()
    assert reopened.check()
    reopened.close()


def test_damage_met_by_several_processes_is_repaired_once(tmp_path: Path) -> None:
    """Whoever finds the database replaced by another takes the new one; nobody sets a sound one aside."""
    folder = tmp_path / "cache"
    first, second = JudgmentCache(folder), JudgmentCache(folder)
    requests = filled(first, count=3)
    change(first, "DROP TABLE Cache")
    for opened in (first, second):
        cached = CachedJudge(judge(), opened)
        assert [words(ask(cached, request)) for request in requests] == [SUPPORTED] * 3
    assert (first.set_aside, second.set_aside) == (1, 0)
    assert len(list(folder.glob("cache.db.damaged-?"))) == 1
    assert first.clear() == 3
    assert not list(folder.glob("cache.db.damaged-*"))
    first.close()
    second.close()


def test_a_database_damaged_further_in_stops_nothing(tmp_path: Path) -> None:
    """Pages overwritten behind a sound header cost calls, not the run."""
    folder = tmp_path / "cache"
    opened = JudgmentCache(folder)
    requests = filled(opened, count=40)
    opened.close()
    database = folder / "cache.db"
    content = database.read_bytes()
    database.write_bytes(content[:4096] + bytes(byte ^ 0xFF for byte in content[4096:]))
    reopened = JudgmentCache(folder)
    cached = CachedJudge(judge(), reopened)
    assert [words(ask(cached, request)) for request in requests[:5]] == [SUPPORTED] * 5
    assert len(list(reopened.entries())) < 40
    assert cached.warnings
    reopened.close()


FULL_DISK = """
import asyncio, resource, signal, sys
from pathlib import Path
from judge.cache.store import JudgmentCache
from judge.cache.cached_judge import CachedJudge
from tests.support.asking import words
from tests.test_cache import REQUEST, judge

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
cache = JudgmentCache(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (120_000, 120_000))
cached = CachedJudge(judge(), cache)
for number in range(300):
    judgment = asyncio.run(cached.judge(REQUEST.model_copy(update={"repeat": number})))
    assert words(judgment) == {"s1": "supported", "s2": "supported"}
print(len(cached.warnings), "not complete" in cached.warnings[0])
"""


def test_a_full_disk_costs_entries_and_not_the_run(tmp_path: Path) -> None:
    """Every request is judged, one warning says that the cache is not complete, and what was kept can be read."""
    assert run(FULL_DISK, tmp_path / "cache") == "1 True"
    reopened = JudgmentCache(tmp_path / "cache")
    assert 0 < len(list(reopened.entries())) < 300
    assert reopened.set_aside == 0
    reopened.close()


def start(program: str, *arguments: object) -> subprocess.Popen[str]:
    """Run a program in a Python of its own from the project's folder."""
    command = [sys.executable, "-c", program, *map(str, arguments)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def run(program: str, *arguments: object) -> str:
    process = start(program, *arguments)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    return output.strip()


SHARED = """
import asyncio, sys, time
from pathlib import Path
from judge.cache.store import JudgmentCache
from judge.cache.cached_judge import CachedJudge
from tests.test_cache import REQUEST, judge

folder, gate, name = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
gate.with_name(name).touch()
while not gate.exists():
    time.sleep(0.001)
cache = JudgmentCache(folder)
cached = CachedJudge(judge(), cache)
for number in range(30):
    asyncio.run(cached.judge(REQUEST.model_copy(update={"repeat": number})))
    asyncio.run(cached.judge(REQUEST.model_copy(update={"answer": f"{name} {number}"})))
print(cached.warnings, cached.set_aside)
"""


def test_processes_may_begin_one_cache_together(tmp_path: Path) -> None:
    """Three at the same moment: all end without a warning and nobody's entries are lost."""
    gate = tmp_path / "gate"
    processes = [start(SHARED, tmp_path / "cache", gate, f"process{number}") for number in range(3)]
    while len(list(tmp_path.glob("process*"))) < len(processes):
        assert all(process.poll() is None for process in processes)
        time.sleep(0.01)
    gate.touch()
    for process in processes:
        output, errors = process.communicate(timeout=90)
        assert (output.strip(), process.returncode) == ("[] 0", 0), errors
    shared = JudgmentCache(tmp_path / "cache")
    assert len(list(shared.entries())) == 30 + 3 * 30
    shared.close()


def test_a_folder_that_cannot_be_used_is_an_error(tmp_path: Path) -> None:
    """Paid judgments are not lost in silence: the error names the folder."""
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(CacheError, match="file"):
        JudgmentCache(tmp_path / "file" / "cache")


def modes(folder: Path) -> dict[str, str]:
    """Return the mode of a folder, under the name `.`, and of everything in it."""
    return {str(path.relative_to(folder)): oct(stat.S_IMODE(path.stat().st_mode)) for path in (folder, *folder.rglob("*"))}


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o777])
def test_the_cache_is_its_owners_whatever_the_umask(tmp_path: Path, umask: int) -> None:
    """Answers may be confidential: nobody else may read the folder or any file in it, while it is open and afterwards."""
    before = os.umask(umask)
    try:
        cache = JudgmentCache(tmp_path / "cache")
        filled(cache, count=3)
        lease = Leases(cache.folder, 1).take("a" * 64)
        during = modes(cache.folder)
        cache.close()
    finally:
        os.umask(before)
    assert lease is not None
    assert during == {
        ".": "0o700",
        "cache.db": "0o600",
        "cache.db-shm": "0o600",
        "cache.db-wal": "0o600",
        "create.lock": "0o600",
        "leases": "0o700",
        f"leases/{'a' * 64}.lock": "0o600",
    }
    lease.end()
    assert modes(cache.folder) == {".": "0o700", "cache.db": "0o600", "create.lock": "0o600", "leases": "0o700"}


@pytest.mark.parametrize("mode", [0o700, 0o750, 0o777])
def test_a_wider_folder_of_ours_is_closed(tmp_path: Path, mode: int) -> None:
    """An empty folder, and one that holds a cache and nothing else, is closed to others without a word, files included."""
    folder = tmp_path / "cache"
    folder.mkdir()
    for _ in range(2):
        folder.chmod(mode)
        cache = JudgmentCache(folder)
        filled(cache)
        assert cache.warnings == []
        cache.close()
        assert set(modes(folder).values()) == {"0o700", "0o600"}
        (folder / "cache.db").chmod(0o644)


def test_a_wider_folder_of_others_is_left_and_told(tmp_path: Path) -> None:
    """A folder with other things in it keeps its mode, also the second time; what is ours in it is closed."""
    (tmp_path / "mine.txt").write_text("x", encoding="utf-8")
    tmp_path.chmod(0o755)
    for _ in range(2):
        cache = JudgmentCache(tmp_path)
        filled(cache)
        cache.close()
        (warning,) = cache.warnings
        assert f"the cache folder {tmp_path} may be entered by others (mode 755) and was left so" in warning
        assert (modes(tmp_path)["."], modes(tmp_path)["cache.db"]) == ("0o755", "0o600")


def test_an_export_is_its_owners(cache: JudgmentCache, tmp_path: Path) -> None:
    """A file that was there with a wider mode is replaced by one that nobody else can read."""
    filled(cache)
    (tmp_path / "export.jsonl").touch(mode=0o666)
    result = CliRunner().invoke(root, ["cache", "export", str(tmp_path / "export.jsonl"), "--cache", str(cache.folder)])
    assert result.exception is None, result.output
    assert oct(stat.S_IMODE((tmp_path / "export.jsonl").stat().st_mode)) == "0o600"


MOUNTS = """\
/dev/vda / ext4 rw,relatime 0 0
proc /proc proc rw 0 0
server:/home /home nfs4 rw,vers=4.2 0 0
/dev/vdb /home/local ext4 rw 0 0
//nas/share /mnt/my\\040share cifs rw 0 0
me@host:/ /mnt/ssh fuse.sshfs rw 0 0
server:/new /mnt/twice nfs rw 0 0
tmpfs /mnt/twice tmpfs rw 0 0
broken
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/var/cache", None),
        ("/home", "nfs4"),
        ("/home/me/.cache/crux-judge", "nfs4"),
        ("/home/local/cache", None),
        ("/homes/me", None),
        ("/mnt/my share/cache", "cifs"),
        ("/mnt/ssh/cache", "fuse.sshfs"),
        ("/mnt/twice/cache", None),
    ],
)
def test_network_file_systems_are_told_by_the_table_of_mounts(path: str, kind: str | None) -> None:
    """The innermost mount counts, and of two on one place the later one."""
    assert network_type(MOUNTS, path) == kind


def test_entries_move_by_export_and_import(cache: JudgmentCache, tmp_path: Path) -> None:
    """An imported entry is a hit like any other; one that is there already is left alone."""
    requests = filled(cache, count=3)
    lines = [cache.export_line(entry) for entry in cache.entries()]
    assert all("\n" not in line for line in lines)
    other = JudgmentCache(tmp_path / "other")
    assert [other.import_line(line) for line in lines] == [True, True, True]
    assert [other.import_line(line) for line in lines] == [False, False, False]
    cached = CachedJudge(asked := judge(), other)
    assert [words(ask(cached, request)) for request in requests] == [SUPPORTED] * 3
    assert asked.asked == []
    other.close()


def test_an_import_takes_nothing_that_does_not_check(cache: JudgmentCache) -> None:
    """Every line is checked like a row of the database."""
    filled(cache)
    (entry,) = cache.entries()
    line = cache.export_line(entry)
    bad = ["", "x", "{}", "[]", "null", "3", '{"key": "k", "value": "{}"}', '{"key": 1, "value": 2}', '{"key": "k", "value": "[]"}']
    for other in [*bad, line.replace("supported", "contradicted"), line.replace(entry.key, content_hash("x"))]:
        with pytest.raises(ValueError, match=r"."):
            cache.import_line(other)
    assert len(list(cache.entries())) == 1


def test_nothing_is_ever_evicted(cache: JudgmentCache) -> None:
    """Five thousand paid judgments are still there, in the order they were kept."""
    content = Labels(abstention=None, outcomes={"s1": verdict(rationale="x" * 500)})
    judgments = [Judgment(request_sha256=content_hash(number), identity_id="i", content=content) for number in range(5_000)]
    keys = [cache_key("i", judgment.request_sha256) for judgment in judgments]
    for key, judgment in zip(keys, judgments, strict=True):
        cache.put(key, {"kind": "label"}, judgment)
    assert list(cache.keys()) == keys
    assert all(cache.get(key, {"kind": "label"}) == judgment for key, judgment in list(zip(keys, judgments, strict=True))[::500])
    assert cache.size_bytes() > 5_000 * 500
    assert cache.clear() == 5_000
    assert list(cache.keys()) == []


def test_only_text_is_written(cache: JudgmentCache) -> None:
    """No value of ours is ever pickled or put in a file of its own."""
    filled(cache, count=3)
    with sqlite3.connect(cache.folder / "cache.db") as database:
        rows = database.execute("SELECT DISTINCT raw, mode, filename, expire_time, typeof(key), typeof(value) FROM Cache").fetchall()
    database.close()
    assert rows == [(1, 1, None, None, "text", "text")]
