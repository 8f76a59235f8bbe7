"""How a ground truth is split by a model and by the offline baseline, over sixty texts, as read blind by a third party.

`splits/ground_truths.jsonl` holds 36 texts written for this; `gold_texts.jsonl` names 24 more in the human-labelled sets,
found by CRUX_GOLD_DIR. `model.jsonl` is what a large language model made of the 36 with prompt decompose-v2, as recorded
replies at a loopback endpoint. `readings.jsonl` says of each proposition, by the hash of its text, whether it holds two
assertions (2), opens with an unresolved pronoun (p), both (2p), or neither (0). The model's propositions of the 24 are not kept, only
what a plain count found lost in them.
"""

import hashlib
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from judge.lint.findings import lint
from judge.offline_split import split_offline
from judge.schema.propositions import Proposition

FOLDER = Path(__file__).parent / "splits"
FLAGS = ("lost_", "invented", "no_source_span")
DIGITS = re.compile(r"\d+")
LIST_NUMBER = re.compile(r"^\s*\d{1,4}[.)]\s|\[\d{1,3}\]", re.MULTILINE)
NEGATION = re.compile(r"\b(?:not|no|none|never|nobody|neither|nor|nicht|nie|kein\w*|لا|لم|नहीं)\b|n't\b|cannot|不|没|ない|ません")


Split = tuple[str, str | None, tuple[Proposition, ...]]
"""A text, its question, and the propositions made of it."""


class Row(NamedTuple):
    """One line of the table: who split which texts, the readings, and what the lint of today finds; None where no text is kept."""

    texts: str
    by: str
    readings: Counter[str]
    lint: Counter[str] | None
    lost: "Lost"


class Lost(NamedTuple):
    """What a plain count finds, without the lint: digit runs that no proposition holds, and texts that lost negation words."""

    digits: int
    negations: int


def count_lost(text: str, propositions: Iterable[str]) -> Lost:
    """Count by the simplest means; a number written in words or a negation in other words counts as lost."""
    kept = "\n".join(propositions)
    digits = set(DIGITS.findall(LIST_NUMBER.sub(" ", text))) - set(DIGITS.findall(kept))
    return Lost(len(digits), len(NEGATION.findall(kept.lower())) < len(NEGATION.findall(text.lower())))


def main() -> int:
    """Print the shares read blind, digit runs and negations lost by a plain count, and what the lint flags as lost or added."""
    own = [(line["ground_truth"], line["question"]) for line in _lines("ground_truths.jsonl")]
    gold: list[tuple[str, str | None]] = [(text, None) for text in _gold_texts()]
    rows = [_model_on_own(own), _baseline("own", own), _model_on_gold()]
    if gold:
        rows.append(_baseline("gold", gold))
    else:
        print("Set CRUX_GOLD_DIR to see the baseline on the 24 texts of the human-labelled sets.", file=sys.stderr)
    print(f"{'':<46}{'read blind as':<31}{'lost by a plain count'}")
    columns = ("propositions", 13), ("unread", 8), ("two", 6), ("pronoun", 9), ("either", 8), ("share", 8), ("digits", 8), ("negations", 11)
    print(f"{'texts':<10}{'split by':<10}{''.join(f'{name:>{width}}' for name, width in columns)}  flagged by the lint")
    for row in rows:
        _print(row)
    return 0


def _print(row: Row) -> None:
    read = sum(count for reading, count in row.readings.items() if reading != "unread")
    two, pronoun = (sum(count for reading, count in row.readings.items() if code in reading and reading != "unread") for code in "2p")
    either = read - row.readings["0"]
    share = f"{100 * either / read:.1f} %" if read else "n/a"
    cells = f"{row.readings.total():>13}{row.readings['unread']:>8}{two:>6}{pronoun:>9}{either:>8}{share:>8}"
    cells += f"{row.lost.digits:>8}{row.lost.negations:>11}"
    print(f"{row.texts:<10}{row.by:<10}{cells}  {_flagged(row.lint)}")


def _flagged(found: Counter[str] | None) -> str:
    if found is None:
        return "texts are not kept"
    return ", ".join(f"{kind} {found[kind]}" for kind in sorted(found) if kind.startswith(FLAGS)) or "nothing lost or added"


def _model_on_own(texts: list[tuple[str, str | None]]) -> Row:
    recorded = {line["ground_truth"]: _propositions(line) for line in _lines("model.jsonl")}
    splits = [(text, question, recorded[text]) for text, question in texts]
    return Row(f"own, {len(texts)}", "model", _read("own", "model", splits), _linted(splits), _lost(splits))


def _model_on_gold() -> Row:
    named = [*_lines("gold_texts.jsonl")]
    readings = Counter(line["reading"] for line in _lines("readings.jsonl") if (line["set"], line["by"]) == ("gold", "model"))
    digits, negations = (sum(line["model_lost"][place] for line in named) for place in (0, 1))
    return Row(f"gold, {len(named)}", "model", readings, None, Lost(digits, negations))


def _baseline(name: str, texts: list[tuple[str, str | None]]) -> Row:
    splits = [(text, question, split_offline(text, question).propositions) for text, question in texts]
    return Row(f"{name}, {len(texts)}", "baseline", _read(name, "baseline", splits), _linted(splits), _lost(splits))


def _read(name: str, by: str, splits: list[Split]) -> Counter[str]:
    """Count what was read of each proposition; one that changed since, or is new, is `unread`."""
    known = {line["text_sha256"]: line["reading"] for line in _lines("readings.jsonl") if (line["set"], line["by"]) == (name, by)}
    return Counter(known.get(_sha256(part.text), "unread") for *_, parts in splits for part in parts)


def _lost(splits: list[Split]) -> Lost:
    lost = [count_lost(text, (part.text for part in parts)) for text, _, parts in splits]
    return Lost(sum(one.digits for one in lost), sum(one.negations for one in lost))


def _linted(splits: list[Split]) -> Counter[str]:
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
