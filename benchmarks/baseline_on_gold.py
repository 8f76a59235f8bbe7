"""How far the offline baseline agrees with people, per set of human labels, beside the floors that it must not be under.

    CRUX_GOLD_DIR=FOLDER python -m benchmarks.baseline_on_gold

Thresholds and patterns of the baseline were chosen while looking at the aggregate figures of these very sets, so they flatter it.
A record of another shape is passed over, with a line on standard error. A set with a floor that is not there is named.
Exit code 0 when no floor is missed, 1 when one is, 2 when there are no sets.
"""

import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.gold_records import LabelledPair, read_records
from judge.backends.lexical import LexicalJudge
from judge.schema.judgments import Labels, Split
from judge.schema.labels import AbstentionValue, Label
from judge.schema.outcomes import AbstentionVerdict, Verdict
from judge.schema.requests import DecomposeRequest, LabelRequest, Statement
from judge.statistics.agreement import cohen_kappa, f1_score

KAPPA, F1, ACCURACY = "kappa", "F1", "accuracy"
FLOORS = {
    ("realsumm", "supported", KAPPA): 0.51,
    ("evouna", "supported", KAPPA): 0.70,
    ("fm2", "supported", KAPPA): 0.12,
    ("xstest", "abstention", F1): 0.75,
    ("chatgpt-refusals", "abstention", F1): 0.63,
}
"""Set, kind of label and figure to what the figure must reach."""


class Pair(NamedTuple):
    """What a person said of a statement or an answer, and what the baseline says."""

    gold: str
    judged: str


class Line(NamedTuple):
    """What the baseline reached on the labels of one kind in one set."""

    name: str
    kind: str
    pairs: Sequence[Pair]

    @property
    def figures(self) -> dict[str, float | None]:
        """Accuracy and kappa, and F1 where one of two labels is the rare one that matters."""
        gold, judged = [pair.gold for pair in self.pairs], [pair.judged for pair in self.pairs]
        accuracy = sum(pair.gold == pair.judged for pair in self.pairs) / len(self.pairs)
        figures = {ACCURACY: accuracy, KAPPA: cohen_kappa(gold, judged)}
        return figures | {F1: f1_score(gold, judged, "True")} if self.kind == "abstention" else figures

    def floors(self) -> dict[str, float]:
        """Return the floor of each figure that has one."""
        return {figure: floor for (name, kind, figure), floor in FLOORS.items() if (name, kind) == (self.name.split(".")[0], self.kind)}

    def missed(self) -> list[str]:
        """Return the figures that are under their floors; one that cannot be computed is."""
        figures = self.figures
        return [figure for figure, floor in self.floors().items() if (value := figures[figure]) is None or value < floor]


def main() -> int:
    """Print one line per gold set and kind of label, and what is under its floor."""
    root = os.environ.get("CRUX_GOLD_DIR")
    lines = [] if root is None else measure(Path(root))
    if not lines:
        where = "CRUX_GOLD_DIR is not set" if root is None else f"there is none in {root}"
        print(f"Needs gold sets as *.jsonl or judge-gold/*.jsonl in the folder that CRUX_GOLD_DIR names; {where}.", file=sys.stderr)
        return 2
    print("The offline baseline compares words; these figures say what that is worth, not what a judge model reaches.\n")
    print(f"{'set':<24}{'labels':<12}{'n':>6}{ACCURACY:>10}{KAPPA:>8}{F1:>8}  floor")
    for line in lines:
        print(_shown(line))
    absent = sorted({name for name, _, _ in FLOORS} - {line.name.split(".")[0] for line in lines})
    missed = [f"{line.name} ({figure})" for line in lines for figure in line.missed()]
    print(f"\nunder the floor: {', '.join(missed) or 'none'}; sets with a floor that are not there: {', '.join(absent) or 'none'}")
    return 1 if missed else 0


def measure(root: Path) -> list[Line]:
    """Judge every set in the folder, or in `judge-gold` below it, in the order of their names."""
    files = sorted([*root.glob("*.jsonl"), *root.glob("judge-gold/*.jsonl")], key=lambda path: path.name)
    return [Line(path.stem, kind, pairs) for path in files for kind, pairs in _pairs_by_kind(path).items() if pairs]


def _pairs_by_kind(path: Path) -> dict[str, list[Pair]]:
    """Judge every record that has a label; records of other shapes are passed over, with a line on standard error."""
    pairs: dict[str, list[Pair]] = {"three-way": [], "supported": [], "abstention": [], "preference": []}
    for record in read_records(path):
        if isinstance(record, LabelledPair):
            pairs["preference"].extend(_preference(record))
            continue
        labels = _judge(record.question, record.answer, [Statement(id=one.id, text=one.text) for one in record.propositions])
        for one in record.propositions:
            outcome = labels.outcomes[one.id]
            assert isinstance(outcome, Verdict)
            if one.supported is not None:
                pairs["supported"].append(Pair(str(one.supported), str(outcome.label is Label.SUPPORTED)))
            if one.label is not None:
                pairs["three-way"].append(Pair(one.label, outcome.label))
        if record.abstained is not None and isinstance(labels.abstention, AbstentionVerdict):
            pairs["abstention"].append(Pair(str(record.abstained), str(labels.abstention.value is AbstentionValue.ABSTAINED)))
    if len({pair.gold for pair in pairs["three-way"]}) < 2:
        pairs["three-way"] = []
    return pairs


def _judge(question: str | None, answer: str, statements: Sequence[Statement]) -> Labels:
    request = LabelRequest(question=question, answer=answer, statements=tuple(statements), ask_abstention=True)
    content = asyncio.run(LexicalJudge().judge(request)).content
    assert isinstance(content, Labels)
    return content


def _preference(record: LabelledPair) -> list[Pair]:
    """Return which answer people found more complete and which has the higher recall of the gold answer.

    Nothing where people are tied; equal recall is a tie, which agrees with nobody.
    """
    preferred = sum(record.human_preference.completeness)
    if not preferred:
        return []
    split = asyncio.run(LexicalJudge().judge(DecomposeRequest(question=record.question, ground_truth=record.gold_answer))).content
    assert isinstance(split, Split)
    statements = [Statement(id=one.id, text=one.text) for one in split.propositions]
    first, second = (_supported(_judge(record.question, answer, statements)) for answer in (record.answer, record.answer_b))
    judged = "tie" if first == second else ("answer", "answer_b")[second > first]
    return [Pair(("answer", "answer_b")[preferred > 0], judged)]


def _supported(labels: Labels) -> int:
    return sum(isinstance(outcome, Verdict) and outcome.label is Label.SUPPORTED for outcome in labels.outcomes.values())


def _shown(line: Line) -> str:
    figures, floors, missed = line.figures, line.floors(), line.missed()
    columns = f"{_show(figures[ACCURACY]):>10}{_show(figures[KAPPA]):>8}{_show(figures[F1]) if F1 in figures else '':>8}"
    judged = [f"{figure} {floor:.2f} {'under' if figure in missed else 'PASS'}" for figure, floor in floors.items()]
    return f"{line.name:<24}{line.kind:<12}{len(line.pairs):>6}{columns}  {', '.join(judged)}".rstrip()


def _show(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.3f}"


if __name__ == "__main__":
    sys.exit(main())
