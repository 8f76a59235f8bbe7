"""How far the offline baseline agrees with people, per set of human labels."""

import asyncio
import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from judge.backends.lexical import LexicalJudge
from judge.schema.judgments import Labels
from judge.schema.labels import AbstentionValue, Label
from judge.schema.outcomes import AbstentionVerdict, Verdict
from judge.schema.requests import LabelRequest, Statement


class Pair(NamedTuple):
    """What a person said of a statement or an answer, and what the baseline says."""

    gold: str
    judged: str


def main() -> int:
    """Print one line per gold set and kind of label; 2 when the folder of the sets is not known."""
    root = os.environ.get("CRUX_GOLD_DIR")
    if root is None:
        print("Set CRUX_GOLD_DIR to a folder that holds the gold sets, as *.jsonl or judge-gold/*.jsonl.", file=sys.stderr)
        return 2
    files = sorted([*Path(root).glob("*.jsonl"), *Path(root).glob("judge-gold/*.jsonl")])
    print(f"{'set':<24}{'labels':<12}{'n':>6}{'accuracy':>10}{'kappa':>8}{'F1':>8}")
    for path in files:
        for kind, pairs in _pairs_by_kind(path).items():
            if pairs:
                f1 = _show(_f1(pairs)) if kind == "abstention" else ""
                print(f"{path.stem:<24}{kind:<12}{len(pairs):>6}{_show(_accuracy(pairs)):>10}{_show(_kappa(pairs)):>8}{f1:>8}")
    return 0


def _pairs_by_kind(path: Path) -> dict[str, list[Pair]]:
    """Judge every record that has a label; records of other shapes are passed over."""
    pairs: dict[str, list[Pair]] = {"three-way": [], "supported": [], "abstention": []}
    for record in _records(path):
        labels = _judge(record)
        for proposition in record["propositions"]:
            outcome = labels.outcomes[proposition["id"]]
            assert isinstance(outcome, Verdict)
            pairs["supported"].append(Pair(str(proposition["supported"]), str(outcome.label is Label.SUPPORTED)))
            if proposition["label"] is not None:
                pairs["three-way"].append(Pair(proposition["label"], outcome.label))
        if record["abstained"] is not None and isinstance(labels.abstention, AbstentionVerdict):
            pairs["abstention"].append(Pair(str(record["abstained"]), str(labels.abstention.value is AbstentionValue.ABSTAINED)))
    if len({pair.gold for pair in pairs["three-way"]}) < 2:
        pairs["three-way"] = []
    return pairs


def _records(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if "propositions" in record and "answer_b" not in record:
                yield record


def _judge(record: dict[str, Any]) -> Labels:
    statements = tuple(Statement(id=proposition["id"], text=proposition["text"]) for proposition in record["propositions"])
    request = LabelRequest(question=record["question"], answer=record["answer"], statements=statements, ask_abstention=True)
    content = asyncio.run(LexicalJudge().judge(request)).content
    assert isinstance(content, Labels)
    return content


def _accuracy(pairs: Sequence[Pair]) -> float:
    return sum(pair.gold == pair.judged for pair in pairs) / len(pairs)


def _kappa(pairs: Sequence[Pair]) -> float | None:
    """Cohen's kappa; None when both give one and the same label throughout."""
    gold, judged = [pair.gold for pair in pairs], [pair.judged for pair in pairs]
    by_chance = sum(gold.count(name) * judged.count(name) for name in set(gold)) / len(pairs) ** 2
    return None if by_chance == 1 else (_accuracy(pairs) - by_chance) / (1 - by_chance)


def _f1(pairs: Sequence[Pair]) -> float | None:
    """F1 of abstained answers; None when there are none and none was found."""
    hits = pairs.count(Pair("True", "True"))
    named = sum(pair.gold == "True" for pair in pairs) + sum(pair.judged == "True" for pair in pairs)
    return 2 * hits / named if named else None


def _show(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.3f}"


if __name__ == "__main__":
    sys.exit(main())
