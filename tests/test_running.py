"""How many things are asked at once, what is asked twice, and when a run stops."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import aclosing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.errors import ConfigError, CredentialError
from judge.hashing import request_sha256
from judge.schema.judgments import Appraisal, JudgeIdentity, Judgment
from judge.schema.labels import RequestKind, UnjudgedReason
from judge.schema.outcomes import Mark, Unjudged
from judge.schema.requests import AppraiseRequest, Request
from pipelines.journal import Journal
from pipelines.running import RecordingJudge, Stop, in_order

Answer = Callable[[Request], Awaitable[Judgment]]


class ScriptedJudge:
    """Answers as a function says and notes what was asked, and how much at once."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self.asked: list[Request] = []
        self.at_once = 0
        self.most_at_once = 0

    def identity(self, kind: RequestKind) -> JudgeIdentity:
        return JudgeIdentity(kind=kind, backend="scripted", backend_version="1")

    def offers(self, kind: RequestKind) -> bool:
        return True

    async def judge(self, request: Request) -> Judgment:
        self.asked.append(request)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            return await self._answer(request)
        finally:
            self.at_once -= 1


def asking(name: str) -> AppraiseRequest:
    return AppraiseRequest(question=None, answer=name, references=("x",))


def marked(request: Request, model: str | None = None) -> Judgment:
    content = Appraisal(mark=Mark(value=4, rationale=""))
    return Judgment(request_sha256=request_sha256(request), identity_id="0" * 64, content=content, attempts=2, reported_model=model)


def failed(request: Request, reason: UnjudgedReason, detail: str = "why") -> Judgment:
    return Judgment(
        request_sha256=request_sha256(request), identity_id="0" * 64, content=Unjudged(reason=reason, detail=detail), attempts=1
    )


def reason_of(judgment: Judgment) -> UnjudgedReason | None:
    return judgment.content.reason if isinstance(judgment.content, Unjudged) else None


async def soon(request: Request) -> Judgment:
    await asyncio.sleep(0.001)
    return marked(request)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    opened = Journal(tmp_path / "journal.jsonl")
    yield opened
    opened.close()


# --- asking ---


@pytest.mark.parametrize("slots", [1, 3, 50])
async def test_no_more_is_asked_at_once_than_there_are_slots(journal: Journal, slots: int) -> None:
    """Twenty requests in as many slots as allowed, all of them answered."""
    judge = ScriptedJudge(soon)
    recorder = RecordingJudge(judge, journal, Stop(), slots)
    judgments = await asyncio.gather(*(recorder.judge(asking(str(number))) for number in range(20)))
    assert judge.most_at_once == min(slots, 20)
    assert [judgment.request_sha256 for judgment in judgments] == [request_sha256(asking(str(number))) for number in range(20)]
    assert (recorder.asked, recorder.calls, recorder.from_journal) == (20, 40, 0)


async def test_equal_requests_are_asked_once_at_once_or_one_after_another(journal: Journal) -> None:
    """Sharing neither asks again nor counts as journalled."""
    judge = ScriptedJudge(soon)
    recorder = RecordingJudge(judge, journal, Stop(), 8)
    together = await asyncio.gather(*(recorder.judge(asking("same")) for _ in range(5)))
    later = await recorder.judge(asking("same"))
    assert {*together, later} == {marked(asking("same"))}
    assert (len(judge.asked), recorder.asked, recorder.from_journal) == (1, 1, 0)


async def test_what_an_earlier_run_judged_is_not_asked(tmp_path: Path) -> None:
    """Complete judgments are taken over, counted once each; unjudged ones are tried again."""
    path = tmp_path / "journal.jsonl"
    earlier = Journal(path)
    earlier.append(marked(asking("done"), model="m-1"))
    earlier.append(failed(asking("failed"), UnjudgedReason.SERVER_ERROR))
    earlier.close()
    journal = Journal(path)
    judge = ScriptedJudge(soon)
    recorder = RecordingJudge(judge, journal, Stop(), 1)
    for name in ("done", "done", "failed", "failed"):
        assert reason_of(await recorder.judge(asking(name))) is None
    assert judge.asked == [asking("failed")]
    assert (recorder.from_journal, recorder.asked, recorder.reported_models) == (1, 1, ["m-1"])
    journal.close()


async def test_a_failure_is_shared_by_equal_requests_of_one_run(journal: Journal) -> None:
    """Items that ask the same thing get the same outcome, however late they ask."""

    async def answer(request: Request) -> Judgment:
        return failed(request, UnjudgedReason.REFUSED)

    judge = ScriptedJudge(answer)
    recorder = RecordingJudge(judge, journal, Stop(), 1)
    assert [reason_of(await recorder.judge(asking("x"))) for _ in range(3)] == [UnjudgedReason.REFUSED] * 3
    assert len(judge.asked) == 1


async def test_a_bug_met_by_one_request_does_not_take_the_others_with_it(journal: Journal) -> None:
    """It becomes internal_error for that request, and is kept for the manifest."""

    async def answer(request: Request) -> Judgment:
        return marked(request) if request != asking("bad") else marked(request, model=str(1 // 0))

    recorder = RecordingJudge(ScriptedJudge(answer), journal, Stop(), 2)
    judgments = await asyncio.gather(*(recorder.judge(asking(name)) for name in ("good", "bad", "fine")))
    assert [reason_of(judgment) for judgment in judgments] == [None, UnjudgedReason.INTERNAL_ERROR, None]
    assert recorder.internal_errors == ["ZeroDivisionError: integer division or modulo by zero"]


async def test_a_wrong_setting_is_raised(journal: Journal) -> None:
    """Nothing was sent, so there is no run to keep."""

    async def answer(request: Request) -> Judgment:
        raise ConfigError("no such model")

    recorder = RecordingJudge(ScriptedJudge(answer), journal, Stop(), 1)
    with pytest.raises(ConfigError, match="no such model"):
        await recorder.judge(asking("x"))


async def test_a_refused_key_stops_the_run(journal: Journal) -> None:
    """Nothing more is asked; what waited is not run, and is not journalled; the call it took is counted."""
    error = CredentialError("no key", calls=1)

    async def answer(request: Request) -> Judgment:
        raise error

    stop, judge = Stop(), ScriptedJudge(answer)
    recorder = RecordingJudge(judge, journal, stop, 1)
    judgments = await asyncio.gather(*(recorder.judge(asking(str(number))) for number in range(5)))
    assert {reason_of(judgment) for judgment in judgments} == {UnjudgedReason.NOT_RUN}
    assert (stop.reason, stop.exit_code, len(judge.asked), recorder.calls) == (str(error), 2, 1, 1)
    assert journal.get(request_sha256(asking("0"))) is None


async def test_what_is_not_recorded_is_not_journalled(journal: Journal) -> None:
    """An offline run leaves nothing that an online one would have to undo."""

    async def answer(request: Request) -> Judgment:
        return failed(request, UnjudgedReason.NOT_RECORDED)

    recorder = RecordingJudge(ScriptedJudge(answer), journal, Stop(), 1)
    await recorder.judge(asking("x"))
    assert journal.get(request_sha256(asking("x"))) is None


async def test_stopping_gives_up_what_is_under_way(journal: Journal) -> None:
    """A call that hangs is cancelled and becomes not_run; the one before it stays judged."""

    async def answer(request: Request) -> Judgment:
        if request != asking("quick"):
            await asyncio.sleep(3600)
        return marked(request)

    stop = Stop()
    recorder = RecordingJudge(ScriptedJudge(answer), journal, stop, 2)
    asked = [asyncio.create_task(recorder.judge(asking(name))) for name in ("quick", "hangs", "hangs", "waits", "waits too")]
    await asyncio.sleep(0.01)
    stop.now("interrupted", 130)
    stop.now("something later", 2)
    judgments = await asyncio.wait_for(asyncio.gather(*asked), 1)
    assert [reason_of(judgment) for judgment in judgments] == [None, *[UnjudgedReason.NOT_RUN] * 4]
    assert (stop.reason, stop.exit_code) == ("interrupted", 130)


# --- when to stop ---

OK, BAD, NET, QUOTA, REFUSED = (
    None,
    UnjudgedReason.BAD_REQUEST,
    UnjudgedReason.NETWORK_ERROR,
    UnjudgedReason.QUOTA_EXHAUSTED,
    UnjudgedReason.REFUSED,
)


@pytest.mark.parametrize(
    ("seen", "stopped_after", "code"),
    [
        pytest.param([BAD, BAD, BAD], 3, 2, id="refused-from-the-start"),
        pytest.param([BAD, BAD, REFUSED, BAD, BAD], None, None, id="another-failure-between"),
        pytest.param([OK, BAD, BAD, BAD, BAD], None, None, id="refused-after-a-success"),
        pytest.param([NET] * 4 + [OK] + [NET] * 5, 10, None, id="gone-in-mid-run"),
        pytest.param([NET] * 5, 5, None, id="never-there"),
        pytest.param([OK, QUOTA], 2, 4, id="quota"),
        pytest.param([REFUSED] * 50, None, None, id="one-by-one"),
    ],
)
def test_stop_watches_for_what_will_not_get_better(seen: list[UnjudgedReason | None], stopped_after: int | None, code: int | None) -> None:
    """Strange items do not stop a run; wrong settings, a lost endpoint and an empty account do."""
    stop = Stop()
    found: int | None = None
    for number, reason in enumerate(seen, start=1):
        stop.watch(marked(asking("x")) if reason is None else failed(asking("x"), reason, "the detail"))
        if stop.reason is not None and found is None:
            found = number
            assert "the detail" in stop.reason
    assert (found, stop.exit_code) == (stopped_after, code)


# --- in order ---


@given(pauses=st.lists(st.integers(0, 3), max_size=20), window=st.integers(1, 8))
def test_results_come_in_the_order_of_the_units(pauses: list[int], window: int) -> None:
    """However long each takes, order holds, and no more units are drawn than the window is wide."""
    drawn = 0
    finished = 0

    def units() -> Iterator[int]:
        nonlocal drawn
        for pause in pauses:
            drawn += 1
            assert drawn - finished <= window
            yield pause

    async def work(pause: int) -> int:
        for _ in range(pause):
            await asyncio.sleep(0)
        return pause

    async def collect() -> list[int]:
        nonlocal finished
        found = []
        async for done in in_order(units(), work, window=window):
            found.append(done)
            finished += 1
        return found

    assert asyncio.run(collect()) == pauses


async def test_units_left_over_are_cancelled() -> None:
    """Whoever stops listening, or meets an error, leaves nothing running behind."""
    cancelled = []

    async def work(number: int) -> int:
        try:
            await asyncio.sleep(0.001 if number == 0 else 3600)
        except asyncio.CancelledError:
            cancelled.append(number)
            raise
        return number

    results = in_order(range(4), work, window=4)
    assert isinstance(results, AsyncGenerator)
    async with aclosing(results):
        assert await anext(results) == 0
    assert cancelled == [1, 2, 3]


async def test_an_error_of_one_unit_is_raised_in_its_place() -> None:
    """Units before it come out first."""

    async def work(number: int) -> float:
        return 1 / number

    results = in_order([2, 0, 1], work, window=3)
    assert await anext(results) == 0.5
    with pytest.raises(ZeroDivisionError):
        await anext(results)


async def test_nothing_works_on_after_its_reader_has_failed() -> None:
    """An error of whoever reads the results ends the units under way before it is passed on."""
    begun: list[asyncio.Task[object]] = []

    async def unit(number: int) -> int:
        task = asyncio.current_task()
        assert task is not None
        begun.append(task)
        if number:
            await asyncio.sleep(60)
        return number

    async def read() -> None:
        async with aclosing(in_order(range(20), unit, window=8)) as results:
            async for _ in results:
                raise OSError("no room")

    with pytest.raises(OSError, match="no room"):
        await read()
    assert len(begun) == 8
    assert all(task.done() for task in begun)
