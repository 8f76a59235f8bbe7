"""Several processes on one cache: each judgment is asked for once, whoever dies, and nobody waits for the dead."""

import asyncio
import os
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from judge.cache.cached_judge import CachedJudge
from judge.cache.leases import Lease, Leases
from judge.cache.store import JudgmentCache
from judge.schema.judgments import Judgment
from judge.schema.labels import Label, RequestKind
from judge.schema.requests import Request
from tests.endpoint.server import Endpoint
from tests.runs.forking import Launcher
from tests.runs.items import Fields, given, write_items
from tests.runs.running import Bench, wait_until
from tests.support.asking import words
from tests.support.judges import OneWordJudge, verdict
from tests.test_cache import IDENTITY, REQUEST, SUPPORTED

KEY = "a" * 64
Note = Callable[[str, object], None]


class SlowJudge(OneWordJudge):
    """Says supported once the gate is open; raises what it is told to."""

    def __init__(self, error: Exception | None = None) -> None:
        super().__init__(IDENTITY, verdict(Label.SUPPORTED))
        self.gate = asyncio.Event()
        self._error = error

    async def judge(self, request: Request) -> Judgment:
        judgment = await super().judge(request)
        await self.gate.wait()
        if self._error is not None:
            raise self._error
        return judgment


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[JudgmentCache]:
    opened = JudgmentCache(tmp_path / "cache")
    yield opened
    opened.close()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with Endpoint() as endpoint:
        yield Bench(endpoint, tmp_path)


@pytest.fixture(scope="module")
def launcher() -> Iterator[Launcher]:
    with Launcher() as started:
        yield started


def wrapped(judge: OneWordJudge, cache: JudgmentCache, patience: float = 60) -> CachedJudge:
    return CachedJudge(judge, cache, leases=Leases(cache.folder, patience))


def free(cache: JudgmentCache) -> bool:
    """Return whether nobody holds a lease in the cache, and none is left behind."""
    return not list((cache.folder / "leases").glob("*"))


def questions(count: int) -> list[Fields]:
    """Return that many items, each of which needs one call."""
    return [given(1, id=f"item-{number}", question=f"Question {number}?") for number in range(count)]


# --- one after the other ---


def test_a_lease_is_held_by_one_at_a_time(tmp_path: Path) -> None:
    """While one has it another gets none; other keys are free; afterwards it can be had again, and no file is left."""
    first, second = Leases(tmp_path, 1), Leases(tmp_path, 1)
    held = first.take(KEY)
    assert held is not None
    assert second.take(KEY) is None
    assert first.take(KEY) is None
    other = second.take("b" * 64)
    assert other is not None
    other.end()
    held.end()
    held.end()
    again = second.take(KEY)
    assert again is not None
    again.end()
    assert list((tmp_path / "leases").iterdir()) == []


async def test_who_comes_second_waits_and_asks_nobody(cache: JudgmentCache) -> None:
    """Two runs on one cache ask for the same judgment at once: one call, two equal judgments, the second is a hit."""
    first, second = SlowJudge(), SlowJudge()
    holder, waiter = wrapped(first, cache), wrapped(second, cache)
    asked = [asyncio.create_task(holder.judge(REQUEST)), asyncio.create_task(waiter.judge(REQUEST))]
    await asyncio.sleep(0.1)
    assert (len(first.asked), len(second.asked)) == (1, 0)
    first.gate.set()
    judgments = await asyncio.gather(*asked)
    assert words(judgments[0]) == SUPPORTED
    assert judgments[0] == judgments[1]
    assert (second.asked, holder.hits, waiter.hits, waiter.first_misses) == ([], 0, 1, {})
    assert free(cache)


async def test_a_lease_expires(cache: JudgmentCache) -> None:
    """Who holds one for longer than a judgment may take is not waited for any longer."""
    stuck, patient = SlowJudge(), SlowJudge()
    patient.gate.set()
    holding = asyncio.create_task(wrapped(stuck, cache).judge(REQUEST))
    await asyncio.sleep(0)
    started_at = time.monotonic()
    assert words(await wrapped(patient, cache, patience=0.3).judge(REQUEST)) == SUPPORTED
    assert 0.3 <= time.monotonic() - started_at < 2
    assert len(patient.asked) == 1
    stuck.gate.set()
    await holding
    assert free(cache)


async def test_a_lease_ends_with_an_error_and_with_a_cancelled_call(cache: JudgmentCache) -> None:
    """Whatever becomes of the one who asks, the next one may."""
    failing = SlowJudge(error=ValueError("scripted"))
    failing.gate.set()
    with pytest.raises(ValueError, match="scripted"):
        await wrapped(failing, cache).judge(REQUEST)
    assert free(cache)
    cancelled = asyncio.create_task(wrapped(SlowJudge(), cache).judge(REQUEST))
    await asyncio.sleep(0.05)
    cancelled.cancel()
    with pytest.raises(asyncio.CancelledError):
        await cancelled
    assert free(cache)


async def test_what_is_asked_anew_waits_for_nobody(cache: JudgmentCache) -> None:
    """A refreshed kind is asked by everyone who wants it anew."""
    first, second = SlowJudge(), SlowJudge()
    kinds = frozenset({RequestKind.LABEL})
    judges = [CachedJudge(judge, cache, kinds, leases=Leases(cache.folder, 60)) for judge in (first, second)]
    asked = [asyncio.create_task(judge.judge(REQUEST)) for judge in judges]
    await asyncio.sleep(0.05)
    assert (len(first.asked), len(second.asked)) == (1, 1)
    first.gate.set()
    second.gate.set()
    await asyncio.gather(*asked)


def test_a_hit_touches_no_lease(cache: JudgmentCache) -> None:
    """A warm cache costs what it cost before: not even the folder of leases is made."""
    asyncio.run(CachedJudge(OneWordJudge(IDENTITY, verdict(Label.SUPPORTED)), cache).judge(REQUEST))
    warm = wrapped(SlowJudge(), cache)
    assert words(asyncio.run(warm.judge(REQUEST))) == SUPPORTED
    assert not (cache.folder / "leases").exists()


# --- where none can be had ---


async def test_leases_that_cannot_be_made_hold_nobody_up(cache: JudgmentCache) -> None:
    """The judgments are asked for, and one warning says what it may cost."""
    (cache.folder / "leases").write_text("in the way")
    judge = SlowJudge()
    judge.gate.set()
    cached = wrapped(judge, cache)
    for number in range(3):
        assert words(await cached.judge(REQUEST.model_copy(update={"repeat": number}))) == SUPPORTED
    assert len(cached.warnings) == 1
    assert "may ask for the same judgment" in cached.warnings[0]


def test_leases_leave_files_for_connections(tmp_path: Path) -> None:
    """A lease is an open file; beyond a quarter of what a process may open, the work goes on without."""
    leases = Leases(tmp_path, 1)
    limit = max(16, os.sysconf("SC_OPEN_MAX") // 4)
    held = [leases.take(f"{number:064x}") for number in range(min(limit, 5000) + 10)]
    assert all(isinstance(lease, Lease) for lease in held)
    assert len(list((tmp_path / "leases").iterdir())) <= limit
    for lease in held:
        assert lease is not None
        lease.end()
    assert list((tmp_path / "leases").iterdir()) == []


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o777])
def test_leases_are_their_owners(tmp_path: Path, umask: int) -> None:
    """Keys say what was asked: folder 0700 and files 0600, whatever the umask."""
    before = os.umask(umask)
    try:
        lease = Leases(tmp_path, 1).take(KEY)
    finally:
        os.umask(before)
    assert lease is not None
    (path,) = (tmp_path / "leases").iterdir()
    assert (stat.S_IMODE(path.parent.stat().st_mode), stat.S_IMODE(path.stat().st_mode)) == (0o700, 0o600)
    lease.end()


# --- real processes ---


@pytest.mark.faults
@pytest.mark.timeout(180)
def test_row30_eight_processes_ask_for_each_judgment_once(
    bench: Bench, launcher: Launcher, record_property: Callable[[str, object], None]
) -> None:
    """Eight runs with a folder each, begun together on one empty cache, 200 keys: no error, the same bytes, hardly a call twice."""
    items = write_items(bench.folder / "items.jsonl", questions(200))
    bench.endpoint.latency = 0.03
    processes = [launcher.start("score", items, *bench.flags(f"run-{number}"), "--quiet") for number in range(8)]
    assert [process.wait() for process in processes] == [0] * 8
    assert [process.stderr.read_text() for process in processes] == [""] * 8
    calls = bench.endpoint.calls()
    assert 200 <= calls <= 210
    for name in ("results.jsonl", "summary.json"):
        assert len({(bench.folder / f"run-{number}" / name).read_bytes() for number in range(8)}) == 1
    assert '"label":"supported"' in (bench.folder / "run-0" / "results.jsonl").read_text()
    assert list((bench.cache / "leases").iterdir()) == []
    record_property("measured", f"8 processes, 200 keys: {calls} calls, exit 0, 1 distinct result")


@pytest.mark.faults
def test_row22_nobody_waits_for_a_killed_process(bench: Bench, launcher: Launcher) -> None:
    """A run killed while it holds leases is out of the way at once: another one ends long before the deadline."""
    items = write_items(bench.folder / "items.jsonl", questions(16))
    bench.endpoint.latency = 30
    killed = launcher.start("score", items, *bench.flags("killed"))
    wait_until(lambda: bench.endpoint.calls() == 16)
    waiting = launcher.start("score", items, *bench.flags("waiting"))
    wait_until((bench.folder / "waiting" / "journal.jsonl").exists)
    time.sleep(0.5)
    assert bench.endpoint.calls() == 16
    bench.endpoint.latency = 0
    killed.kill()
    died_at = time.monotonic()
    assert killed.wait() == -9
    assert waiting.wait() == 0
    assert time.monotonic() - died_at < 10
    assert bench.endpoint.calls() == 32
    assert list((bench.cache / "leases").iterdir()) == []
    resumed = launcher.start("score", items, *bench.flags("killed"))
    assert resumed.wait() == 0
    assert bench.endpoint.calls() == 32
    for name in ("results.jsonl", "summary.json"):
        assert (bench.folder / "killed" / name).read_bytes() == (bench.folder / "waiting" / name).read_bytes()


def test_offline_waits_for_nobody(bench: Bench, launcher: Launcher) -> None:
    """A run that may not ask does not wait for one that does."""
    items = write_items(bench.folder / "items.jsonl", [given(1)])
    bench.endpoint.latency = 30
    asking = launcher.start("score", items, *bench.flags("asking"))
    wait_until(lambda: bench.endpoint.calls() == 1)
    assert launcher.start("score", items, *bench.flags("offline"), "--offline").wait(20) == 5
    asking.kill()
    asking.wait()
