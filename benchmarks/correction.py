"""How often a 95 % interval holds the true rate: as judged, and corrected for judge error.

python -m benchmarks.correction [--quick]

Each line draws samples from a population whose true recall and judge errors are known, runs the correction of `judge score
--calibration` on each, and counts how often the intervals hold the truth, with the Monte-Carlo error of that count. Exits 1 where a
corrected interval holds it less often than 0.93 or more often than 0.97, or where a large sample does not lead back to the truth.
With --quick there are few samples, and the bounds are wider by three Monte-Carlo errors.
"""

import sys
from collections.abc import Callable, Sequence
from math import sqrt
from random import Random
from typing import NamedTuple

from judge.auditing.correcting import Known, correct
from judge.auditing.item_labels import ItemLabels
from judge.schema.calibrations import Calibration, DocumentCounts, ScoredItem
from judge.schema.corrections import Correction
from judge.schema.figures import Figure
from judge.schema.manifests import FileFacts

TRUTH = (0.55, 0.15, 0.30)
"""True shares of supported, contradicted, not_addressed."""

ERRORS = ((0.80, 0.04, 0.16), (0.07, 0.80, 0.13), (0.14, 0.09, 0.77))
"""How the judge labels what people call each of them: too rarely supported."""

NOMINAL, LOWEST, HIGHEST = 0.95, 0.93, 0.97
TRIALS, QUICK_TRIALS = 1000, 250
DOCUMENTS, QUICK_DOCUMENTS = 4000, 1000
RECOVERED = 0.03
FILE = FileFacts(name="simulated", sha256="")

Rows = list[list[float]]


class Population(NamedTuple):
    """Documents of `items` answers with `size` propositions each. Shares and errors vary between documents, more where spreads are low."""

    items: int
    size: int
    spread: float | None
    error_spread: float | None
    truth: tuple[float, float, float] = TRUTH

    def document(self, rng: Random, name: str) -> "Document":
        """Draw one document."""
        truth = _around(rng, self.truth, self.spread)
        errors = [_around(rng, row, self.error_spread) for row in ERRORS]
        return Document(name, [self._item(rng, truth, errors) for _ in range(self.items)])

    def _item(self, rng: Random, truth: Sequence[float], errors: Sequence[Sequence[float]]) -> Rows:
        rows = [[0.0] * 3 for _ in range(3)]
        for human in rng.choices(range(3), truth, k=self.size):
            rows[human][rng.choices(range(3), errors[human])[0]] += 1
        return rows


class Document(NamedTuple):
    """One document: for each item its rows, human labels by judged ones."""

    name: str
    items: list[Rows]

    def judged(self) -> list[ItemLabels]:
        """Return what a run knows of it."""
        return [ItemLabels(f"{self.name}/{k}", self.name, tuple(map(sum, zip(*rows, strict=True)))) for k, rows in enumerate(self.items)]

    def counts(self, *, has_three: bool) -> DocumentCounts:
        """Return what people and the judge say of it."""
        rows = [[sum(item[i][j] for item in self.items) for j in range(3)] for i in range(3)]
        two = ((rows[0][0], sum(rows[0][1:])), (rows[1][0] + rows[2][0], sum(rows[1][1:]) + sum(rows[2][1:])))
        three = rows if has_three else [[0.0] * 3] * 3
        return DocumentCounts.model_validate({"cluster": self.name, "three_way": three, "two_way": two})

    def scored(self) -> list[ScoredItem]:
        """Return the recall of each item by people and by the judge."""
        return [
            ScoredItem(item=each.item, cluster=self.name, judged=each.shares[0], human=sum(rows[0]) / sum(map(sum, rows)))
            for each, rows in zip(self.judged(), self.items, strict=True)
        ]


class Design(NamedTuple):
    """How many documents a run has and how many are labelled; drawn from the run, or others. `has_three` labels, or supported or not."""

    population: Population
    documents: int
    labelled: int
    is_drawn: bool
    has_three: bool = True

    def correction(self, rng: Random) -> Correction:
        """Draw a run and a labelled sample, and correct the one by the other."""
        run = [self.population.document(rng, f"run {k}") for k in range(self.documents)]
        sample = run[: self.labelled] if self.is_drawn else [self.population.document(rng, f"other {k}") for k in range(self.labelled)]
        calibration = Calibration(
            judge_key="",
            policy="",
            policy_sha256="",
            data=(),
            sampled_from="run" if self.is_drawn else None,
            documents=tuple(document.counts(has_three=self.has_three) for document in sample),
            items=tuple(item for document in sample for item in document.scored()) if self.is_drawn else (),
        )
        return correct(Known(calibration, FILE, [item for document in run for item in document.judged()], "run"))


SINGLE = Population(1, 1, None, None)
GROUPED = Population(2, 4, 5.0, 10.0)
RARE = Population(2, 4, 20.0, 20.0, truth=(0.60, 0.03, 0.37))
"""Few contradictions, as a good agent makes them."""

Pick = Callable[[Correction], Figure]


def _rate(name: str) -> Pick:
    return lambda correction: correction.rates[name].corrected


def _recall_by(method: str) -> Pick:
    return lambda correction: correction.recall_by_method[method]


class Line(NamedTuple):
    """One line of the table: the design, the rate, and the figure that is to hold the truth."""

    title: str
    design: Design
    rate: str
    figure: Pick

    @property
    def truth(self) -> float:
        """The true rate."""
        return self.design.population.truth[("R_proposition", "C_contradiction").index(self.rate)]


def _lines() -> list[Line]:
    apart, drawn = Design(GROUPED, 100, 60, is_drawn=False), Design(GROUPED, 100, 60, is_drawn=True)
    single = Design(SINGLE, 400, 400, is_drawn=False)
    recall, contradiction = "R_proposition", "C_contradiction"
    return [
        Line("Lee, single statements", single._replace(has_three=False), recall, _rate(recall)),
        Line("Lee, documents", apart._replace(has_three=False), recall, _rate(recall)),
        Line("matrix, single statements", single, recall, _rate(recall)),
        Line("matrix, documents", apart, recall, _rate(recall)),
        Line("matrix, documents", apart, contradiction, _rate(contradiction)),
        Line("matrix, documents of the run", drawn, recall, _rate(recall)),
        Line("matrix, documents of the run", drawn, contradiction, _rate(contradiction)),
        Line("PPI++, documents of the run", drawn, recall, _recall_by("ppi")),
        Line("matrix, few contradictions", Design(RARE, 60, 120, is_drawn=False), contradiction, _rate(contradiction)),
    ]


class Coverage(NamedTuple):
    """How many trials had an interval, and the shares of these where the judged and the corrected one hold the truth."""

    trials: int
    naive: float
    corrected: float
    width: float

    @property
    def error(self) -> float:
        """The Monte-Carlo standard error of the corrected coverage."""
        return sqrt(self.corrected * (1 - self.corrected) / self.trials)

    def is_right(self, slack: float) -> bool:
        """Whether the corrected interval holds the truth as often as it should."""
        return LOWEST - slack <= self.corrected <= HIGHEST + slack


def coverages(trials: int, seed: int = 1) -> list[tuple[Line, Coverage]]:
    """Return the coverage of each line; lines of one design share their samples."""
    lines, found = _lines(), dict[Design, list[Correction]]()
    for design in dict.fromkeys(line.design for line in lines):
        rng = Random(seed)
        found[design] = [design.correction(rng) for _ in range(trials)]
    return [(line, _coverage(line, found[line.design])) for line in lines]


def _coverage(line: Line, corrections: Sequence[Correction]) -> Coverage:
    pairs = [(each.rates[line.rate].raw, line.figure(each)) for each in corrections]
    known = [(raw.ci95, corrected.ci95) for raw, corrected in pairs if raw.ci95 is not None and corrected.ci95 is not None]
    naive = sum(raw[0] <= line.truth <= raw[1] for raw, _ in known) / len(known)
    corrected = sum(low <= line.truth <= high for _, (low, high) in known) / len(known)
    return Coverage(len(known), naive, corrected, sum(high - low for _, (low, high) in known) / len(known))


def recovered(documents: int) -> list[tuple[str, float, float, float]]:
    """Return name, truth, rate as judged and corrected rate in a sample so large that chance has little part in it."""
    correction = Design(GROUPED, documents, documents, is_drawn=False).correction(Random(7))
    rates = [(name, correction.rates[name]) for name in ("R_proposition", "C_contradiction")]
    return [(name, TRUTH[k], rate.raw.value or 0.0, rate.corrected.value or 0.0) for k, (name, rate) in enumerate(rates)]


def _around(rng: Random, shares: Sequence[float], spread: float | None) -> Sequence[float]:
    """Draw shares around given ones (Dirichlet), or return these."""
    if spread is None:
        return shares
    drawn = [rng.gammavariate(spread * share, 1) for share in shares]
    return [value / sum(drawn) for value in drawn]


def main(arguments: Sequence[str]) -> int:
    """Print the table and return the exit code."""
    is_quick = "--quick" in arguments
    trials = QUICK_TRIALS if is_quick else TRIALS
    slack = 3 * sqrt(NOMINAL * (1 - NOMINAL) / trials) if is_quick else 0.0
    print(
        f"true recall {TRUTH[0]}, contradiction {TRUTH[1]}, where few {RARE.truth[1]}; {trials} samples a line, nominal coverage {NOMINAL}"
    )
    print(f"a corrected interval is right from {LOWEST - slack:.3f} to {HIGHEST + slack:.3f}\n")
    print(f"{'design':<30}{'rate':<17}{'as judged':>10}{'corrected':>11}{'+/-':>7}{'width':>8}")
    table = coverages(trials)
    for line, found in table:
        verdict = "" if found.is_right(slack) else "  OUTSIDE 0.93 to 0.97"
        shown = f"{found.naive:>10.3f}{found.corrected:>11.3f}{found.error:>7.3f}{found.width:>8.3f}"
        print(f"{line.title:<30}{line.rate:<17}{shown}{verdict}")
    print("\none large sample: truth, as judged, corrected")
    large = recovered(QUICK_DOCUMENTS if is_quick else DOCUMENTS)
    for name, truth, raw, corrected in large:
        print(f"{name:<30}{truth:>8.3f}{raw:>8.3f}{corrected:>8.3f}")
    is_lost = any(abs(corrected - truth) > RECOVERED for _, truth, _, corrected in large)
    is_wrong = any(not found.is_right(slack) for _, found in table)
    return int(is_lost or is_wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
