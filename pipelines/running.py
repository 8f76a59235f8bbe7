"""Asking a judge many things at once: bounded, journalled, resumable, and stopped for good reasons only."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator
from typing import TypeVar

from judge.errors import ConfigError, CredentialError, StorageError
from judge.hashing import identity_id, request_sha256
from judge.logs import process_redactor
from judge.protocol import Judge
from judge.schema.judgments import Appraisal, Judgment, Labels
from judge.schema.labels import RequestKind, UnjudgedReason
from judge.schema.outcomes import Unjudged
from judge.schema.requests import Request
from pipelines.journal import Journal

BAD_REQUESTS_AT_START = 3
"""So many refused requests in a row, before any success, mean a wrong setting and not a strange item."""

NETWORK_FAILURES_IN_A_ROW = 5
"""So many judgments in a row that never got through mean that the endpoint is gone."""

_NEVER_JOURNALLED = frozenset({UnjudgedReason.NOT_RUN, UnjudgedReason.NOT_RECORDED})

_SPENT = {UnjudgedReason.QUOTA_EXHAUSTED: "the quota of the endpoint is exhausted", UnjudgedReason.BUDGET_STOP: "the budget is reached"}
"""Reasons after which no later call would be answered, whichever part of a judgment met them."""

Unit = TypeVar("Unit")
Done = TypeVar("Done")


class Stop:
    """Whether a run goes on, and if not, why and with which exit code. The first reason stays."""

    def __init__(self) -> None:
        """Begin with nothing in the way."""
        self.reason: str | None = None
        self.exit_code: int | None = None
        self._tasks: set[asyncio.Task[object]] = set()
        self._bad_requests = 0
        self._network_failures = 0
        self._has_succeeded = False

    def now(self, reason: str, exit_code: int | None) -> None:
        """Start nothing more and give up what is under way. `exit_code` None leaves the code to the coverage."""
        if self.reason is None:
            self.reason, self.exit_code = reason, exit_code
            for task in self._tasks:
                task.cancel()

    def watch(self, judgment: Judgment) -> None:
        """Stop the run where a judgment shows that the next ones will fail as well."""
        unjudged = judgment.content if isinstance(judgment.content, Unjudged) else None
        reason = unjudged.reason if unjudged else None
        self._has_succeeded = self._has_succeeded or reason is None
        self._bad_requests = self._bad_requests + 1 if reason is UnjudgedReason.BAD_REQUEST else 0
        self._network_failures = self._network_failures + 1 if reason is UnjudgedReason.NETWORK_ERROR else 0
        spent = next((part for part in _failures(judgment) if part.reason in _SPENT), None)
        if spent is not None:
            self.now(f"{_SPENT[spent.reason]}: {spent.detail}", 4)
        elif self._bad_requests >= BAD_REQUESTS_AT_START and not self._has_succeeded and unjudged:
            self.now(f"the endpoint refused the first {self._bad_requests} requests: {unjudged.detail}", 2)
        elif self._network_failures >= NETWORK_FAILURES_IN_A_ROW and unjudged:
            self.now(f"{self._network_failures} judgments in a row did not reach the endpoint: {unjudged.detail}", None)

    async def run(self, work: Awaitable[Judgment]) -> Judgment | None:
        """Return the judgment, or None if the run was stopped before it was there."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            return await work
        except asyncio.CancelledError:
            if self.reason is None:
                raise
            task.uncancel()
            return None
        finally:
            self._tasks.discard(task)


class RecordingJudge:
    """Asks a judge within a number of slots and journals every judgment; what the journal holds is not asked again.

    Counts what came from where: `from_journal` (distinct judgments of an earlier run), `asked` (judgments of the judge
    inside), `calls` (their HTTP calls).
    """

    def __init__(
        self,
        judge: Judge,
        journal: Journal,
        stop: Stop,
        slots: int | asyncio.Semaphore,
        *,
        refreshed: frozenset[RequestKind] = frozenset(),
    ) -> None:
        """Wrap a judge for one run. Of the `refreshed` kinds an earlier run's judgments do not count.

        `slots` is how many requests may be under way at once; several judges of one run share a semaphore.
        """
        self._refreshed = refreshed
        self._judge = judge
        self._journal = journal
        self._stop = stop
        self._slots = asyncio.Semaphore(slots) if isinstance(slots, int) else slots
        self._under_way: dict[str, asyncio.Future[Judgment]] = {}
        self._models: dict[str, None] = {}
        self._reused: set[bytes] = set()
        self.asked = 0
        self.calls = 0
        self.internal_errors: list[str] = []

    @property
    def from_journal(self) -> int:
        """How many distinct judgments an earlier run had journalled."""
        return len(self._reused)

    @property
    def reported_models(self) -> list[str]:
        """Models as the endpoint named them, in the order they first appeared."""
        return list(self._models)

    async def judge(self, request: Request) -> Judgment:
        """Return the judgment of a request; equal requests are asked once. Never raises for one request, only ConfigError.

        What an earlier run left unjudged is asked again; what failed in this one is not, however many items share it.
        """
        digest = request_sha256(request)
        found = self._journal.get(digest)
        if found is not None and self._journal.has_appended(digest):
            return found
        if found is not None and found.is_complete and request.kind not in self._refreshed:
            self._reused.add(bytes.fromhex(digest)[:16])
            self._note_model(found)
            return found
        if (running := self._under_way.get(digest)) is not None:
            return await asyncio.shield(running)
        future: asyncio.Future[Judgment] = asyncio.get_running_loop().create_future()
        self._under_way[digest] = future
        try:
            judgment = await self._ask(request, digest)
            future.set_result(judgment)
        finally:
            del self._under_way[digest]
            if not future.done():
                future.cancel()
        return judgment

    async def _ask(self, request: Request, digest: str) -> Judgment:
        async with self._slots:
            if self._stop.reason is not None:
                return self._unjudged(request, digest, UnjudgedReason.NOT_RUN, self._stop.reason)
            try:
                judgment = await self._stop.run(self._judge.judge(request))
            except CredentialError as error:
                self.calls += error.calls
                self._stop.now(str(error), 2)
                judgment = None
            except ConfigError:
                # Nothing was sent, and nothing could be: the settings have to be mended before there is a run.
                raise
            except Exception as error:  # noqa: BLE001 - a bug met by one item must not take the others with it
                said = process_redactor().error(f"{type(error).__name__}: {error}")
                judgment = self._unjudged(request, digest, UnjudgedReason.INTERNAL_ERROR, said)
        if judgment is None:
            return self._unjudged(request, digest, UnjudgedReason.NOT_RUN, self._stop.reason or "stopped")
        self.calls += judgment.attempts
        self.internal_errors += [part.detail for part in _failures(judgment) if part.reason is UnjudgedReason.INTERNAL_ERROR]
        self._note_model(judgment)
        if not _is_empty(judgment):
            self.asked += 1
            try:
                self._journal.append(judgment)
            except StorageError as error:
                # What stands in no journal counts as not judged: the run that goes on later has to find the same.
                self._stop.now(str(error), 3)
                return self._unjudged(request, digest, UnjudgedReason.NOT_RUN, str(error))
        self._stop.watch(judgment)
        return judgment

    def _note_model(self, judgment: Judgment) -> None:
        if judgment.reported_model is not None:
            self._models.setdefault(judgment.reported_model)

    def _unjudged(self, request: Request, digest: str, reason: UnjudgedReason, detail: str) -> Judgment:
        return Judgment(
            request_sha256=digest,
            identity_id=identity_id(self._judge.identity(request.kind)),
            content=Unjudged(reason=reason, detail=detail),
        )


def _is_empty(judgment: Judgment) -> bool:
    """Return whether a judgment says nothing that a later run could not find out for the same price."""
    content = judgment.content
    if not isinstance(content, Unjudged):
        return False
    return content.reason in _NEVER_JOURNALLED or (content.reason is UnjudgedReason.BUDGET_STOP and not judgment.attempts)


def _failures(judgment: Judgment) -> Iterator[Unjudged]:
    """Yield every part of a judgment that is none."""
    match judgment.content:
        case Unjudged() as whole:
            yield whole
        case Appraisal(mark=Unjudged() as mark):
            yield mark
        case Labels(abstention=abstention, outcomes=outcomes):
            yield from (part for part in (*outcomes.values(), abstention) if isinstance(part, Unjudged))


def window_for(slots: int) -> int:
    """Return how many units to have under way: enough that one slow unit at the head does not starve the slots behind it."""
    return max(64, 8 * slots)


async def in_order(units: Iterable[Unit], work: Callable[[Unit], Awaitable[Done]], *, window: int) -> AsyncGenerator[Done, None]:
    """Work on up to `window` units at once and yield what became of them in the order of the units.

    Units are drawn only as they are needed, so that memory holds a window and not the input. Close it (`aclosing`), so that
    nothing of it works on after its reader has met an error.
    """
    pending: deque[asyncio.Task[Done]] = deque()

    async def started(unit: Unit) -> Done:
        return await work(unit)

    try:
        for unit in units:
            pending.append(asyncio.create_task(started(unit)))
            if len(pending) >= window:
                yield await pending.popleft()
        while pending:
            yield await pending.popleft()
    finally:
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)
