"""The statements that people labelled, as corrections use them: which labels they know, and how good the judge is on them."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from math import fsum
from typing import NamedTuple

from judge.auditing.item_labels import Counts
from judge.schema.calibrations import Calibration
from judge.statistics.interval import Interval
from judge.statistics.matrix_correction import summed_rows
from judge.statistics.rogan_gladen import TwoLabels, youden, youden_interval

Rows = tuple[Counts, ...]
"""Rows are labels of people, columns those of the judge."""

LABELS = ("supported", "contradicted", "not_addressed")
TWO = ("supported", "not supported")

MIN_EXAMPLES = 10
MIN_DOCUMENTS = 5
MIN_YOUDEN = 0.1


class Informed(NamedTuple):
    """How much a judge's label tells: J = sensitivity + specificity - 1 of the label against the rest, with its interval."""

    value: float
    interval: Interval

    @property
    def is_too_poor(self) -> bool:
        """Whether it tells nothing that a correction could rest on: J at most 0.1, or an interval that covers 0."""
        return self.value <= MIN_YOUDEN or self.interval.low <= 0


class LabelledRows:
    """The counts of each document by its name, with the labels in the order of the rows. Not to be changed.

    Where statements weigh, their number is not known from the counts: then each document counts as one example.
    """

    def __init__(self, labels: Sequence[str], documents: Mapping[str, Rows], *, is_weighted: bool = False) -> None:
        """Hold what was counted."""
        self.labels = labels
        self.documents = documents
        self._is_weighted = is_weighted

    @cached_property
    def total(self) -> list[list[float]]:
        """The sum over documents; empty without any."""
        return summed_rows(self.documents.values())

    @cached_property
    def too_few(self) -> list[str]:
        """Which human labels have fewer than 10 examples or come from fewer than 5 documents, in words."""
        return [fault for place, label in enumerate(self.labels) if (fault := self._shortage(place, label))]

    @cached_property
    def informed(self) -> list[Informed | None]:
        """How much each label tells of the rest; None where people never gave the label, or no other."""
        return [self._informed(place) for place in range(len(self.labels))]

    def _shortage(self, place: int, label: str) -> str:
        examples = [fsum(rows[place]) for rows in self.documents.values() if fsum(rows[place]) > 0]
        number = len(examples) if self._is_weighted else fsum(examples)
        if number >= MIN_EXAMPLES and len(examples) >= MIN_DOCUMENTS:
            return ""
        return f"{label} {'weighted' if self._is_weighted else format(number, 'g')} in {len(examples)} documents"

    def _informed(self, place: int) -> Informed | None:
        # What a run holds has no part in J.
        found = two_label_sample(one_against_rest(self, place), {"": (1.0, 1.0)})
        return None if found is None else Informed(youden(found), youden_interval(found))


def three_labels(calibration: Calibration, prefix: str) -> LabelledRows:
    """Return the statements with three-way labels; `prefix` keeps documents apart from those of a run that they do not come from."""
    documents = _merged([(prefix + document.cluster, document.three_way) for document in calibration.documents])
    return LabelledRows(LABELS, documents, is_weighted=calibration.weighted)


def two_labels(calibration: Calibration, prefix: str) -> LabelledRows:
    """Return the statements of which people said whether they are supported."""
    documents = _merged([(prefix + document.cluster, document.two_way) for document in calibration.documents])
    return LabelledRows(TWO, documents, is_weighted=calibration.weighted)


def one_against_rest(sample: LabelledRows, place: int) -> LabelledRows:
    """Return the same statements with one label against all others together."""
    others = [k for k in range(len(sample.labels)) if k != place]
    documents = {name: (_pair(rows[place], place), _pair(_sum(rows, others), place)) for name, rows in sample.documents.items()}
    return LabelledRows((sample.labels[place], f"not {sample.labels[place]}"), documents)


def two_label_sample(sample: LabelledRows, judged: Mapping[str, Counts]) -> TwoLabels | None:
    """Return share, sensitivity and specificity with their effective sizes, so that formulas for independent things fit.

    None where a human label was never seen or nothing was judged.
    """
    shares = (
        effective_share([(counts[0], fsum(counts)) for counts in judged.values()]),
        effective_share([(rows[1][1], fsum(rows[1])) for rows in sample.documents.values()]),
        effective_share([(rows[0][0], fsum(rows[0])) for rows in sample.documents.values()]),
    )
    observed, negative, positive = shares
    if observed is None or negative is None or positive is None:
        return None
    return TwoLabels(observed.share, observed.n, negative.share, negative.n, positive.share, positive.n)


class EffectiveShare(NamedTuple):
    """A share, and how many independent things would know it as well as the clustered ones do."""

    share: float
    n: float


def effective_share(clusters: Sequence[tuple[float, float]]) -> EffectiveShare | None:
    """Return a share of things in clusters (hits and size of each), and how many independent things would know it as well.

    Without variation between clusters each counts once: equal things tell nothing of how they differ.
    """
    known = [(hits, size) for hits, size in clusters if size > 0]
    n, groups = fsum(size for _, size in known), len(known)
    if not known:
        return None
    share = fsum(hits for hits, _ in known) / n
    squares = fsum((hits - share * size) ** 2 for hits, size in known)
    if groups < 2 or squares == 0 or not 0 < share < 1:
        return EffectiveShare(share, groups)
    variance = groups / (groups - 1) * squares / (n * n)
    return EffectiveShare(share, share * (1 - share) / variance)


def _merged(documents: Sequence[tuple[str, Rows]]) -> dict[str, Rows]:
    found: dict[str, Rows] = {}
    for name, rows in documents:
        if any(map(any, rows)):
            found[name] = tuple(map(tuple, summed_rows([found[name], rows]))) if name in found else rows
    return found


def _sum(rows: Rows, places: Sequence[int]) -> Counts:
    return tuple(map(fsum, zip(*(rows[place] for place in places), strict=True)))


def _pair(counts: Counts, place: int) -> Counts:
    return counts[place], fsum(counts) - counts[place]
