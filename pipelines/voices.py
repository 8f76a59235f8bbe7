"""One judge of a run: what was built for it, its cache, its journal, and the recorder that asks it."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import NamedTuple

from judge.schema.labels import RequestKind
from judge.schema.manifests import MadeNow
from pipelines.config import RunConfig
from pipelines.journal import Journal
from pipelines.judges import BuiltJudge, with_cache
from pipelines.running import RecordingJudge, Stop


class Tally(NamedTuple):
    """What a run made now, and what it found in cache and journal."""

    made: MadeNow
    from_cache: int
    from_journal: int

    def plus(self, other: "Tally") -> "Tally":
        """Return both together."""
        made = MadeNow(judgments=self.made.judgments + other.made.judgments, calls=self.made.calls + other.made.calls)
        return Tally(made, self.from_cache + other.from_cache, self.from_journal + other.from_journal)


class Voice:
    """A judge as a run asks it; `recorder` is there once the run's folder is taken (`begin`)."""

    recorder: RecordingJudge
    journal: Journal

    def __init__(self, built: BuiltJudge, config: RunConfig, stack: AsyncExitStack, refreshed: frozenset[RequestKind]) -> None:
        """Put the cache before the judge. Of the `refreshed` kinds neither cache nor journal counts."""
        self.built = built
        self._config = config
        self._refreshed = refreshed
        self.cached, self._judge = with_cache(built, config, stack, refreshed)

    def begin(self, journal: Journal, stop: Stop, slots: asyncio.Semaphore) -> None:
        """Take the journal, and be ready for the first call; voices of one run share its slots."""
        self.journal = journal
        self.recorder = RecordingJudge(self._judge, journal, stop, slots, refreshed=self._refreshed)

    def offers(self, kind: RequestKind) -> bool:
        """Return whether this judge can be asked for a kind at all."""
        return self.built.judge.offers(kind)

    def tally(self) -> Tally:
        """Return what was made now and what was found."""
        hits, hit_calls = (self.cached.hits, self.cached.hit_calls) if self.cached is not None else (0, 0)
        if self.built.replayed_from is not None or (self._config.offline and self.built.can_cache):
            return Tally(MadeNow(), hits, self.recorder.from_journal)
        made = MadeNow(judgments=self.recorder.asked - hits, calls=self.recorder.calls - hit_calls)
        return Tally(made, hits, self.recorder.from_journal)

    def warnings(self) -> Iterator[str]:
        """Yield what a user should know of this judge after the run."""
        built = self.built
        yield from built.notices
        yield from (f"in the recorded run: {warning}" for warning in built.warnings)
        yield from self.journal.warnings
        if built.unlike_recorded:
            yield f"the recorded run was asked otherwise: {built.unlike_recorded}"
        if self.cached is not None:
            yield from self.cached.warnings
            if self._config.offline:
                for kind, request in self.cached.first_misses.items():
                    yield f"not in the cache ({kind}): {self.cached.explain(request)}"
        if len(self.recorder.reported_models) > 1:
            yield f"the endpoint changed its model during the run: {', '.join(self.recorder.reported_models)}"
        for error in dict.fromkeys(self.recorder.internal_errors):
            yield f"internal error while judging (please report it): {error}"
