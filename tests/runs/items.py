"""Items whose verdicts by the scripted endpoint are known beforehand."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Fields = dict[str, Any]


def tram(number: int, **more: Any) -> Fields:
    """Return an item of three statements: one supported, one contradicted, one not addressed; mark 2.

    Every number has its own question, answer and ground truth, so that each needs three calls.
    """
    fields = {
        "id": f"tram-{number}",
        "question": f"What is known about tram {number}?",
        "answer": f"Tram {number} is red. Tram {number} carries 90 people.",
        "ground_truth": f"Tram {number} is red. Tram {number} carries 80 people. Tram {number} has a bell.",
    }
    return {**fields, **more}


def trams(count: int) -> list[Fields]:
    """Return that many different items."""
    return [tram(number) for number in range(1, count + 1)]


def given(statements: int, **more: Any) -> Fields:
    """Return an item that brings that many propositions along, the first of them supported."""
    propositions = [f"Fact {number} holds." for number in range(1, statements + 1)]
    return {"id": f"given-{statements}", "answer": "Fact 1 holds.", "propositions": propositions, **more}


def write_items(path: Path, items: Iterable[Fields]) -> Path:
    """Write items as JSON Lines and return the path."""
    path.write_text("".join(json.dumps(item, ensure_ascii=False) + "\n" for item in items), encoding="utf-8")
    return path


def read_lines(path: Path) -> list[Fields]:
    """Return the objects of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
