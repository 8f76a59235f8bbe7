"""Human-labelled sets: they are scored as they stand, and their labels reach nobody who judges."""

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from benchmarks.baseline_on_gold import FLOORS, Line, measure
from tests.endpoint.server import Endpoint
from tests.runs.items import Fields, read_lines, write_items
from tests.runs.running import Bench, command

pytestmark = [
    pytest.mark.gold,
    pytest.mark.skipif("CRUX_GOLD_DIR" not in os.environ, reason="CRUX_GOLD_DIR is not set"),
]

FOLDER = Path(os.environ.get("CRUX_GOLD_DIR", "."))
FILES = sorted([*FOLDER.glob("judge-gold/*.jsonl"), *FOLDER.glob("*.dev.jsonl")])
CANARY = "canary-xyz"
SHOWN = {"id", "question", "answer", "propositions"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_set_is_understood(path: Path) -> None:
    """Each set validates as it stands, every record an item."""
    run = command("validate", path, "--json")
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["items"] == len(read_lines(path))


def test_a_set_is_scored_as_it_stands(tmp_path: Path) -> None:
    """The documented command, by the offline baseline: every item is in the results, once."""
    path = next(path for path in FILES if path.name == "contractnli.dev.jsonl")
    run = command("score", path, "--judge", "lexical", "--out", tmp_path / "run")
    assert run.returncode == 0
    assert [line["item_id"] for line in read_lines(tmp_path / "run" / "results.jsonl")] == [line["id"] for line in read_lines(path)]


@pytest.mark.parametrize(("name", "kind", "figure"), FLOORS)
def test_the_baseline_is_above_its_floors(name: str, kind: str, figure: str) -> None:
    """What comparing words reaches on human labels, from the benchmark that prints it."""
    [line] = [line for line in baseline() if line.name == f"{name}.dev" and line.kind == kind]
    value = line.figures[figure]
    assert value is not None
    assert value >= FLOORS[name, kind, figure]


@cache
def baseline() -> list[Line]:
    """Judge all sets once."""
    return measure(FOLDER)


def without_labels(item: Fields, number: int) -> Fields:
    """Return the item with a canary for everything but question, answer and the texts of its propositions."""
    propositions = [
        {**{name: hidden(value) for name, value in given.items()}, "id": f"{CANARY}-{place}", "text": given["text"]}
        for place, given in enumerate(item["propositions"])
    ]
    rest = {name: hidden(value) for name, value in item.items() if name not in SHOWN}
    return {**rest, "id": f"{CANARY}-{number}", "question": item["question"], "answer": item["answer"], "propositions": propositions}


def hidden(value: Any) -> Any:
    """Return a value of the same form in which every text is the canary and every other leaf is changed."""
    if isinstance(value, dict):
        return {f"{CANARY} {name}": hidden(part) for name, part in value.items()}
    if isinstance(value, list):
        return [hidden(part) for part in value]
    return CANARY if isinstance(value, str) or value is None else (not value if isinstance(value, bool) else value + 1)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_labels_and_ids_reach_no_request(path: Path, tmp_path: Path) -> None:
    """With every label, vote, span and id replaced the same bytes are sent, none of them holds a canary, and the numbers are the same."""
    items = sorted(read_lines(path), key=lambda item: len(item["answer"]))[:3]
    canaries = [without_labels(item, number) for number, item in enumerate(items)]
    with Endpoint() as endpoint:
        bench = Bench(endpoint, tmp_path)
        labelled = bench.score(write_items(tmp_path / "labelled.jsonl", items), out="labelled", no_cache=True, max_connections=1)
        before = [request.body for request in endpoint.requests]
        endpoint.reset()
        blind = bench.score(write_items(tmp_path / "blind.jsonl", canaries), out="blind", no_cache=True, max_connections=1)
        sent = [request.body for request in endpoint.requests]
    assert sent
    assert sent == before
    assert CANARY not in json.dumps(sent)
    assert [item.signals for item in blind.items()] == [item.signals for item in labelled.items()]
    assert blind.summary.metrics == labelled.summary.metrics
    assert CANARY in (blind.folder / "items.jsonl").read_text(encoding="utf-8")
