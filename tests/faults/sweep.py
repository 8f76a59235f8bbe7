"""Sweeps: the nth operation of a run fails, the run is resumed, and the result must be that of an undisturbed run."""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

from pydantic import ValidationError

from judge.cache.store import JudgmentCache
from judge.errors import CruxError
from judge.schema.judgments import Judgment
from pipelines.api import ScoreResult, score
from tests.endpoint.server import Endpoint
from tests.runs.items import trams, write_items
from tests.runs.running import MODEL, written

ITEMS = 20
CALLS = 3 * ITEMS
"""Each item is split, labelled and appraised."""

CONNECTIONS = 4


class Tally(NamedTuple):
    """What rounds came to.

    `repeated` counts calls for judgments that were kept, `lost` journal lines that are gone or broken, and `told` says which
    rounds were not as they should be.
    """

    rounds: int = 0
    identical: int = 0
    repeated: int = 0
    lost: int = 0
    told: tuple[str, ...] = ()

    def plus(self, other: "Tally") -> "Tally":
        """Return the sum of both."""
        counts = (self.rounds + other.rounds, self.identical + other.identical, self.repeated + other.repeated, self.lost + other.lost)
        return Tally(*counts, self.told + other.told)

    def __str__(self) -> str:
        return f"{self.rounds} rounds, {self.identical} identical results, {self.repeated} repeated calls, {self.lost} lost lines"


class Bed:
    """Where a sweep happens: an endpoint, a folder, the items, and what an undisturbed run makes of them."""

    def __init__(self, endpoint: Endpoint, folder: Path) -> None:
        self.endpoint = endpoint
        self.folder = folder
        self.source = write_items(folder / "items.jsonl", trams(ITEMS))
        self.undisturbed = written(self.run(folder / "undisturbed"))
        self._rounds = 0

    def run(self, place: Path, **settings: float) -> ScoreResult:
        """Score the items into a place of its own, with a cache of its own; the same place again resumes."""
        named = {"judge": MODEL, "api_base": self.endpoint.url, "max_connections": CONNECTIONS, **settings}
        return score(self.source, out=place / "run", cache=place / "cache", **named)

    def round(self, breaking: Callable[[Path], AbstractContextManager[None]] = lambda _: nullcontext(), **settings: float) -> Tally:
        """Run with a fault, take the fault away, resume, and compare."""
        self._rounds += 1
        place = self.folder / f"round-{self._rounds}"
        place.mkdir()
        ended = "it ended by itself"
        try:
            with breaking(place):
                self.run(place, **settings)
        except CruxError as error:  # how a fault is told is tested elsewhere; here it counts what the run leaves behind
            ended = str(error)
        return self._resumed(place, ended)

    def _resumed(self, place: Path, ended: str) -> Tally:
        lines = whole_lines(place / "run" / "journal.jsonl")
        kept = kept_judgments(lines, place / "cache")
        self._settle()
        self.endpoint.reset()
        is_identical = written(self.run(place)) == self.undisturbed
        repeated = max(self.endpoint.calls() - (CALLS - len(kept)), 0)
        lost = _unreadable(lines) + len(set(lines) - set(whole_lines(place / "run" / "journal.jsonl")))
        told = f"{place.name}: identical {is_identical}, {repeated} repeated, {lost} lost; {ended}"
        return Tally(1, int(is_identical), repeated, lost, () if is_identical and not repeated + lost else (told,))

    def _settle(self) -> None:
        """Return once the endpoint has read what the run before sent and did not wait for, so that it counts to that run.

        Connections are taken in the order in which they came: after the second answer everything before the first is read.
        """
        for _ in range(2):
            with urlopen(f"{self.endpoint.url}/models", timeout=60) as reply:
                reply.read()


def _unreadable(lines: Iterable[bytes]) -> int:
    """Return how many lines hold no judgment: a line that was cut and went on with the next one has lost that as well."""
    return sum(judgment_in(line) is None for line in lines)


def whole_lines(journal: Path) -> list[bytes]:
    """Return the whole lines of a journal, none if it is not there."""
    return journal.read_bytes().split(b"\n")[:-1] if journal.exists() else []


def kept_judgments(lines: Iterable[bytes], cache: Path) -> set[str]:
    """Return the requests whose judgment is paid for and kept: whole and complete in the journal, or in the cache."""
    judgments = (judgment_in(line) for line in lines)
    return {each.request_sha256 for each in judgments if each is not None and each.is_complete} | cached_requests(cache)


def judgment_in(line: bytes) -> Judgment | None:
    """Return the judgment of a journal line, or None where the line holds none."""
    try:
        return Judgment.model_validate_json(line)
    except ValidationError:
        return None


def cached_requests(folder: Path) -> set[str]:
    """Return the requests whose judgment the cache holds."""
    if not (folder / "cache.db").exists():
        return set()
    cache = JudgmentCache(folder)
    try:
        return {entry.judgment.request_sha256 for entry in cache.entries()}
    finally:
        cache.close()
