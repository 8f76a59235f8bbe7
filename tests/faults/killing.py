"""Kill sweep: three processes with a run folder each share one cache, are killed again and again, and must lose nothing."""

import random
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from tests.endpoint.server import Endpoint
from tests.faults.sweep import judgment_in, whole_lines
from tests.runs.forking import Launched, Launcher
from tests.runs.items import trams, write_items
from tests.runs.running import MODEL, Written, line_count, wait_until

ITEMS = 6
CALLS = 3 * ITEMS
CONNECTIONS = 2
RUNS = 3
LATENCY = 0.02
"""Seconds that each reply takes, so that calls are under way when a kill comes."""

LONGEST_LIFE = 0.8
"""Seconds within which a random kill comes; a run that is left alone takes about as long."""


LONGEST_WAIT = 20.0
"""Seconds after which a run is killed wherever it is."""


class KillTally(NamedTuple):
    """What rounds came to. `repeated` counts calls beyond one for each judgment, `in_flight` how many the kills may cost."""

    rounds: int = 0
    kills: int = 0
    identical: int = 0
    repeated: int = 0
    in_flight: int = 0
    lost: int = 0

    def plus(self, other: "KillTally") -> "KillTally":
        """Return the sum of both."""
        return KillTally(*(mine + its for mine, its in zip(self, other, strict=True)))

    def __str__(self) -> str:
        return (
            f"{self.rounds} rounds, {self.kills} kills, {self.identical} identical results, "
            f"{self.repeated} repeated calls of at most {self.in_flight} in flight, {self.lost} lost lines"
        )


class KillBed:
    """Where the rounds happen: an endpoint that takes its time, the items, and what an undisturbed run makes of them."""

    def __init__(self, endpoint: Endpoint, launcher: Launcher, folder: Path, seed: int) -> None:
        self._endpoint = endpoint
        self._launcher = launcher
        self._folder = folder
        self._random = random.Random(seed)
        self._source = write_items(folder / "items.jsonl", trams(ITEMS))
        place = folder / "undisturbed"
        assert self._start(place, 0).wait() == 0
        self.undisturbed = written_in(place / "run-0")
        endpoint.latency = LATENCY

    def round(self, number: int) -> KillTally:
        """Start three runs on one cache, kill each at a moment of its own, resume them all, and compare."""
        place = self._folder / f"round-{number}"
        self._endpoint.reset()
        running = [self._start(place, run) for run in range(RUNS)]
        lines: list[list[bytes]] = []
        kills = 0
        for run in self._random.sample(range(RUNS), RUNS):
            self._wait_for_its_moment(running[run], place / f"run-{run}")
            running[run].kill()
            kills += running[run].wait() == -9
            lines.append(whole_lines(place / f"run-{run}" / "journal.jsonl"))
            running[run] = self._start(place, run)
        codes = [process.wait() for process in running]
        assert codes == [0] * RUNS, [process.stderr.read_text() for process in running]
        after = {line for run in range(RUNS) for line in whole_lines(place / f"run-{run}" / "journal.jsonl")}
        before = [line for several in lines for line in several]
        return KillTally(
            rounds=1,
            kills=kills,
            identical=int(all(written_in(place / f"run-{run}") == self.undisturbed for run in range(RUNS))),
            repeated=self._endpoint.calls() - CALLS,
            in_flight=kills * CONNECTIONS,
            lost=len(set(before) - after) + sum(judgment_in(line) is None for line in before),
        )

    def _start(self, place: Path, run: int) -> Launched:
        judge = ["--judge", MODEL, "--api-base", self._endpoint.url, "--max-connections", str(CONNECTIONS)]
        places = ["--out", str(place / f"run-{run}"), "--cache", str(place / "cache")]
        return self._launcher.start("score", self._source, *judge, *places, "--quiet")

    def _wait_for_its_moment(self, process: Launched, folder: Path) -> None:
        """Wait for a random while, or until the run has journalled a random number of lines, or asked so many requests."""
        moment = self._random.choice(["while", "line", "request"])
        if moment == "while":
            time.sleep(self._random.uniform(0, LONGEST_LIFE))
            return
        count = self._random.randint(1, CALLS - 1)
        reached: Callable[[], bool] = (
            (lambda: line_count(folder / "journal.jsonl") >= count) if moment == "line" else (lambda: self._endpoint.calls() >= count)
        )
        with suppress(TimeoutError):  # any moment will do; on a machine that is busy elsewhere it is this one
            wait_until(lambda: reached() or process.poll() is not None, seconds=LONGEST_WAIT)


def written_in(folder: Path) -> Written:
    """Return the files of a finished run."""
    return Written((folder / "results.jsonl").read_bytes(), (folder / "summary.json").read_bytes())
