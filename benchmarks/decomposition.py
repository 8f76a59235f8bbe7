"""How a ground truth is split by a model and by the offline baseline, over sixty texts, as read blind by a third party.

`splits/ground_truths.jsonl` holds 36 texts written for this; `gold_texts.jsonl` names 24 more in the human-labelled sets,
found by CRUX_GOLD_DIR. `model.jsonl` is what a large language model made of the 36 with prompt decompose-v2, as recorded
replies at a loopback endpoint. `readings.jsonl` says of each proposition, by the hash of its text, whether it holds two
assertions (2), opens with an unresolved pronoun (p), both (2p), or neither (0).
"""

import hashlib
import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from judge.lint.findings import lint
from judge.offline_split import split_offline
from judge.schema.propositions import Proposition

FOLDER = Path(__file__).parent / "splits"
HARD_LOSSES = ("lost_number", "lost_date", "lost_unit", "lost_negation", "lost_exception", "lost_comparison", "invented_number", "invented")


class Row(NamedTuple):
    """One line of the table: who split which texts, the readings, and what the lint of today finds; None where no text is kept."""

    texts: str
    by: str
    readings: Counter[str]
    lint: Counter[str] | None


def main() -> int:
    """Print the shares read blind, and the losses found by the lint."""
    own = [*_lines("ground_truths.jsonl")]
    recorded = {line["ground_truth"]: line for line in _lines("model.jsonl")}
    readings = {(line["set"], line["by"], line["text_sha256"]): line["reading"] for line in _lines("readings.jsonl")}
    model = [(text["ground_truth"], text["question"], _propositions(recorded[text["ground_truth"]])) for text in own]
    rows = [
        Row("own, 36", "model", _read(readings, "own", "model", (part.text for *_, parts in model for part in parts)), _linted(model)),
        _baseline(readings, "own", [(text["ground_truth"], text["question"]) for text in own]),
        Row(
            "gold, 24",
            "model",
            Counter(line["reading"] for line in _lines("readings.jsonl") if (line["set"], line["by"]) == ("gold", "model")),
            None,
        ),
    ]
    gold = _gold_texts()
    if gold:
        rows.append(_baseline(readings, "gold", [(text, None) for text in gold]))
    else:
        print("Set CRUX_GOLD_DIR to see the baseline on the 24 texts of the human-labelled sets.", file=sys.stderr)
    print(f"{'texts':<10}{'split by':<10}{'propositions':>13}{'unread':>8}{'two':>6}{'pronoun':>9}{'either':>8}{'share':>8}  lint of today")
    for row in rows:
        _print(row)
    return 0


def _print(row: Row) -> None:
    read = sum(count for reading, count in row.readings.items() if reading != "unread")
    two, pronoun = (sum(count for reading, count in row.readings.items() if code in reading and reading != "unread") for code in "2p")
    either = read - row.readings["0"]
    share = f"{100 * either / read:.1f} %" if read else "n/a"
    found = "texts are not kept" if row.lint is None else ", ".join(f"{kind} {row.lint[kind]}" for kind in HARD_LOSSES if row.lint[kind])
    counts = f"{row.readings.total():>13}{row.readings['unread']:>8}{two:>6}{pronoun:>9}{either:>8}{share:>8}"
    print(f"{row.texts:<10}{row.by:<10}{counts}  {found or 'nothing lost'}")


def _baseline(readings: dict[tuple[str, str, str], str], name: str, texts: list[tuple[str, str | None]]) -> Row:
    splits = [(text, question, split_offline(text, question).propositions) for text, question in texts]
    counted = _read(readings, name, "baseline", (part.text for *_, parts in splits for part in parts))
    return Row(f"{name}, {len(texts)}", "baseline", counted, _linted(splits))


def _read(readings: dict[tuple[str, str, str], str], name: str, by: str, texts: Iterable[str]) -> Counter[str]:
    """Count what was read of each text; one that changed since, or is new, is `unread`."""
    return Counter(readings.get((name, by, _sha256(text)), "unread") for text in texts)


def _linted(splits: Iterable[tuple[str, str | None, tuple[Proposition, ...]]]) -> Counter[str]:
    return Counter(finding.kind for text, question, parts in splits for finding in lint(text, question, parts))


def _propositions(line: dict[str, Any]) -> tuple[Proposition, ...]:
    return tuple(Proposition.model_validate(part) for part in line["propositions"])


def _gold_texts() -> list[str]:
    """Return the texts that are named by hash, in the order of their names; empty where the sets are not at hand."""
    root = os.environ.get("CRUX_GOLD_DIR")
    if root is None:
        return []
    wanted = [(line["source"], line["sha256"]) for line in _lines("gold_texts.jsonl")]
    found: dict[str, str] = {}
    for source in dict.fromkeys(source for source, _ in wanted):
        path = next((path for path in (Path(root) / source, Path(root) / "judge-gold" / source) if path.is_file()), None)
        if path is not None:
            for line in path.read_text(encoding="utf-8").splitlines():
                found |= {_sha256(text): text for text in _texts_in(json.loads(line))}
    return [found[digest] for _, digest in wanted if digest in found]


def _texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _texts_in(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts_in(part)


def _lines(name: str) -> Iterator[dict[str, Any]]:
    with (FOLDER / name).open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
