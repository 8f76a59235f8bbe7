"""Where the rows of the matrix are shown: a real command, a scripted endpoint, and all that the command leaves behind."""

import json
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

from judge.calling.transport import MAX_CALLS
from judge.schema.labels import RequestKind
from tests.endpoint.replies import parse_request
from tests.endpoint.server import Endpoint, Received
from tests.faults.matrix import ROWS
from tests.runs.canary import CANARY, assert_no_canary
from tests.runs.forking import Launched, Launcher
from tests.runs.items import Fields, read_lines, write_items
from tests.runs.running import MODEL

KEY = {"OPENAI_API_KEY": CANARY}
"""Every command of a station runs with a key that must turn up nowhere."""


class Ended:
    """One command that has ended: its exit code, what it said, and its run folder."""

    def __init__(self, process: Launched, folder: Path) -> None:
        self.code = process.wait()
        self.stdout = process.stdout.read_text()
        self.stderr = process.stderr.read_text()
        self.folder = folder

    @cached_property
    def results(self) -> list[Fields]:
        """The items of the run, by the order of the input."""
        return read_lines(self.folder / "results.jsonl")

    @cached_property
    def summary(self) -> Fields:
        found: Fields = json.loads((self.folder / "summary.json").read_text())
        return found

    @cached_property
    def manifest(self) -> Fields:
        found: Fields = json.loads((self.folder / "manifest.json").read_text())
        return found

    @property
    def reasons(self) -> dict[str, int]:
        """How many outcomes each reason stands for; those that are no failure are left out."""
        found: dict[str, int] = self.summary["unjudged"]
        return found

    def outcomes(self, item_id: str) -> list[Fields]:
        """Return every outcome of one item: of its propositions, of abstention, and the mark."""
        item = next(item for item in self.results if item["item_id"] == item_id)
        return [*(part["outcome"] for part in item["propositions"]), item["abstention"], item["mark"]]


class Station:
    """One endpoint, one folder, and commands on them."""

    def __init__(self, endpoint: Endpoint, launcher: Launcher, folder: Path) -> None:
        self.endpoint = endpoint
        self.folder = folder
        self._launcher = launcher

    def start(self, items: Sequence[Fields], *flags: str, out: str = "run", api_base: str | None = None) -> Launched:
        """Start `judge score` on the items, by the scripted model and on the station's cache."""
        source = write_items(self.folder / "items.jsonl", items)
        judge = ["--judge", MODEL, "--api-base", api_base or self.endpoint.url]
        places = ["--out", str(self.folder / out), "--cache", str(self.folder / "cache")]
        return self._launcher.start("score", source, *judge, *places, *flags, env=KEY)

    def score(self, items: Sequence[Fields], *flags: str, out: str = "run", api_base: str | None = None) -> Ended:
        """Run `judge score` to its end.

        Whatever happened: every item comes out once, no failure has a label, no judgment took more than four calls, and the
        key is nowhere.
        """
        ended = Ended(self.start(items, *flags, out=out, api_base=api_base), self.folder / out)
        self.look_through(ended)
        assert "Traceback" not in ended.stderr
        assert [item["item_id"] for item in ended.results] == [item["id"] for item in items]
        assert_no_label(ended)
        attempts = [judgment["attempts"] for judgment in read_lines(ended.folder / "journal.jsonl")]
        assert max(attempts, default=0) <= MAX_CALLS
        return ended

    def look_through(self, ended: Ended) -> None:
        """Search everything that a command left behind for the key."""
        assert_no_canary(ended.stdout, ended.stderr, *(path for path in self.folder.iterdir()))

    def cached(self) -> int:
        """Return how many judgments `judge cache stats` counts; none where no cache was made."""
        process = self._launcher.start("cache", "stats", "--cache", self.folder / "cache")
        if process.wait() == 2:
            assert "there is no judgment cache" in process.stderr.read_text()
            return 0
        counts = dict(line.split(None, 1) for line in process.stdout.read_text().splitlines())
        return sum(int(counts.get(kind, "0")) for kind in RequestKind)

    def sent(self, text: str, kind: RequestKind | None = None) -> list[Received]:
        """Return the requests on the wire that hold a text, of one kind or of all."""
        return [each for each in self.endpoint.requests if kind in (None, each.kind) and text in parse_request(each.body).text]


def assert_no_label(ended: Ended) -> None:
    """Raise AssertionError if an unjudged outcome has a label or a value, or counts in the rate of its item."""
    for item in ended.results:
        statements = [part["outcome"] for part in item["propositions"]]
        for outcome in (*statements, item["abstention"], item["mark"]):
            assert outcome["kind"] == "verdict" or set(outcome) == {"kind", "reason", "detail"}
        if any(outcome["kind"] == "unjudged" for outcome in statements):
            assert item["signals"]["R_proposition"] is None


def gaps(requests: Sequence[Received]) -> list[float]:
    """Return the seconds between each request and the next."""
    return [later.arrived - earlier.arrived for earlier, later in pairwise(requests)]


def agrees(number: int, ended: Ended) -> Iterator[tuple[str, Any]]:
    """Yield what a run shows of a row, to be recorded; fail where it is not what the matrix says."""
    row = ROWS[number - 1]
    assert ended.code in row.exit_codes, f"{row.name}: exit {ended.code}, expected {row.exit_codes}: {ended.stderr}"
    found = set(ended.reasons)
    assert found <= {*row.reasons, "decomposition_failed"}, f"{row.name}: {found}, expected {row.reasons}"
    if found:
        yield "reason", "+".join(sorted(found))
    yield "exit", ended.code


def row_of(test_id: str) -> int:
    """Return the number of the one row that a test id carries."""
    (number,) = set(re.findall(r"row(\d\d)", test_id))
    return int(number)
