"""What two raters said of the same things, counted, and the coefficients of agreement that follow from the counts."""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import fsum, sqrt
from typing import NamedTuple, Self


class Confusion(NamedTuple):
    """Rows are the gold label, columns the judged one, both in the order of `labels`; a count is a sum of weights where things weigh."""

    labels: tuple[str, ...]
    counts: tuple[tuple[float, ...], ...]

    @classmethod
    def of(cls, labels: Sequence[str], pairs: Iterable[tuple[str, str]]) -> Self:
        """Count pairs of gold and judged label. Raises ValueError for a label that is not in `labels`."""
        counted = Counter(pairs)
        strange = {label for pair in counted for label in pair}.difference(labels)
        if strange:
            raise ValueError(f"expected labels of {list(labels)}, got {sorted(strange)}")
        return cls(tuple(labels), tuple(tuple(counted[row, column] for column in labels) for row in labels))

    @classmethod
    def total(cls, parts: Sequence[Self]) -> Self:
        """Return the cell by cell sum of one or more; quick enough for resampling. Raises ValueError for none, or other labels."""
        if len({part.labels for part in parts}) != 1:
            raise ValueError(f"expected one or more confusions of the same labels, got {len(parts)}")
        rows = zip(*(part.counts for part in parts), strict=True)
        return cls(parts[0].labels, tuple(tuple(map(fsum, zip(*row, strict=True))) for row in rows))

    @property
    def n(self) -> float:
        """How many things were rated, or what they weigh."""
        return fsum(map(fsum, self.counts))

    @property
    def agreed(self) -> float:
        """How many things, or what weight, got one and the same label."""
        return fsum(self.counts[k][k] for k in range(len(self.labels)))

    @property
    def gold(self) -> tuple[float, ...]:
        """How often each label is the gold one."""
        return tuple(map(fsum, self.counts))

    @property
    def judged(self) -> tuple[float, ...]:
        """How often each label is the judged one."""
        return tuple(map(fsum, zip(*self.counts, strict=True)))

    def transposed(self) -> "Confusion":
        """Return the same with gold and judged exchanged."""
        return Confusion(self.labels, tuple(zip(*self.counts, strict=True)))

    def plus(self, other: "Confusion") -> "Confusion":
        """Return the cell by cell sum. Raises ValueError where the labels differ."""
        return Confusion.total((self, other))

    def reordered(self, labels: Sequence[str]) -> "Confusion":
        """Return the same with its labels in another order, which matters to `weighted_kappa` only."""
        if sorted(labels) != sorted(self.labels):
            raise ValueError(f"expected the labels {list(self.labels)} in some order, got {list(labels)}")
        places = [self.labels.index(label) for label in labels]
        return Confusion(tuple(labels), tuple(tuple(self.counts[row][column] for column in places) for row in places))


class LabelScores(NamedTuple):
    """One label against the rest. `n` counts it in gold; a share is None where it would be of nothing."""

    n: float
    precision: float | None
    recall: float | None
    specificity: float | None
    f1: float | None


def accuracy(confusion: Confusion) -> float | None:
    """Return the share of things with one and the same label, p_o; None where nothing was rated."""
    return _share(confusion.agreed, confusion.n)


def balanced_accuracy(confusion: Confusion) -> float | None:
    """Return the mean recall of the labels that occur in gold; None where nothing was rated."""
    return _mean(scores.recall for scores in label_scores(confusion).values())


def macro_f1(confusion: Confusion) -> float | None:
    """Return the mean F1 of the labels that occur on either side; None where nothing was rated."""
    return _mean(scores.f1 for scores in label_scores(confusion).values())


def label_scores(confusion: Confusion) -> dict[str, LabelScores]:
    """Return precision, recall (sensitivity), specificity and F1 of each label against the rest."""
    n = confusion.n
    return {label: _scores(confusion.counts[k][k], confusion.gold[k], confusion.judged[k], n) for k, label in enumerate(confusion.labels)}


def cohen_kappa_of(confusion: Confusion) -> float | None:
    """Return Cohen's kappa, (p_o - p_e) / (1 - p_e) with p_e from each rater's own shares (Cohen 1960).

    None where nothing was rated, and where both sides use one and the same label throughout (p_e is 1).
    """
    n = confusion.n
    if not n or _one_label(confusion):
        return None
    by_chance = fsum(row * column for row, column in zip(confusion.gold, confusion.judged, strict=True))
    return (n * confusion.agreed - by_chance) / (n * n - by_chance)


def kappa_standard_error(confusion: Confusion) -> float | None:
    """Return the large-sample standard error of Cohen's kappa for independent things (Fleiss, Cohen and Everitt 1969).

    None where kappa is undefined. Things that come in groups need `cluster_bootstrap` instead.
    """
    kappa = cohen_kappa_of(confusion)
    if kappa is None:
        return None
    n = confusion.n
    gold, judged = ([count / n for count in side] for side in (confusion.gold, confusion.judged))
    by_chance = fsum(row * column for row, column in zip(gold, judged, strict=True))
    places = range(len(confusion.labels))
    on = fsum(confusion.counts[k][k] / n * (1 - (gold[k] + judged[k]) * (1 - kappa)) ** 2 for k in places)
    off = fsum(confusion.counts[i][j] / n * (judged[i] + gold[j]) ** 2 for i in places for j in places if i != j)
    square = on + off * (1 - kappa) ** 2 - (kappa - by_chance * (1 - kappa)) ** 2
    return sqrt(max(0.0, square) / n) / (1 - by_chance)


def weighted_kappa(confusion: Confusion, *, power: int) -> float | None:
    """Return kappa with disagreements weighing |i - j| (`power` 1) or its square (2), by the places of `labels` (Cohen 1968).

    Meaningful only where the labels have an order. None where chance leaves no disagreement. Raises ValueError for other powers.
    """
    if power not in (1, 2):
        raise ValueError(f"expected power 1 or 2, got {power}")
    cells = [(i, j, abs(i - j) ** power) for i in range(len(confusion.labels)) for j in range(len(confusion.labels))]
    expected = fsum(weight * confusion.gold[i] * confusion.judged[j] for i, j, weight in cells)
    observed = fsum(weight * confusion.counts[i][j] for i, j, weight in cells)
    return None if expected == 0 else 1 - confusion.n * observed / expected


def scott_pi(confusion: Confusion) -> float | None:
    """Return Scott's pi, with p_e from the shares of both raters together (Scott 1955); None where only one label occurs, or none."""
    n = confusion.n
    if not n or _one_label(confusion):
        return None
    by_chance = fsum((count / (2 * n)) ** 2 for count in _pooled(confusion))
    return (confusion.agreed / n - by_chance) / (1 - by_chance)


def gwet_ac1(confusion: Confusion) -> float | None:
    """Return Gwet's AC1 (Gwet 2008), stable where one label dominates; K is the number of `labels`, also of those that never occur.

    None where nothing was rated, or with fewer than two labels.
    """
    n, number = confusion.n, len(confusion.labels)
    if not n or number < 2:
        return None
    shares = [count / (2 * n) for count in _pooled(confusion)]
    by_chance = fsum(share * (1 - share) for share in shares) / (number - 1)
    return (confusion.agreed / n - by_chance) / (1 - by_chance)


def alpha_of_two(confusion: Confusion) -> float | None:
    """Return Krippendorff's nominal alpha of two raters without gaps; None where only one label occurs, or none."""
    n = confusion.n
    if not n or _one_label(confusion):
        return None
    pooled = _pooled(confusion)
    expected = (4 * n * n - fsum(count * count for count in pooled)) / (2 * n * (2 * n - 1))
    return 1 - (n - confusion.agreed) / n / expected


def matthews(confusion: Confusion) -> float | None:
    """Return Matthews' correlation for any number of labels (Gorodkin 2004); None where a side uses fewer than two labels."""
    n = confusion.n
    if min(_used(confusion.gold), _used(confusion.judged)) < 2:
        return None
    together = n * confusion.agreed - fsum(row * column for row, column in zip(confusion.gold, confusion.judged, strict=True))
    return together / sqrt(_spread(n, confusion.gold) * _spread(n, confusion.judged))


def _scores(hits: float, gold: float, judged: float, n: float) -> LabelScores:
    return LabelScores(
        n=gold,
        precision=_share(hits, judged),
        recall=_share(hits, gold),
        specificity=_share(n - gold - judged + hits, n - gold),
        f1=_share(2 * hits, gold + judged),
    )


def _pooled(confusion: Confusion) -> list[float]:
    return [row + column for row, column in zip(confusion.gold, confusion.judged, strict=True)]


def _one_label(confusion: Confusion) -> bool:
    # By what occurs, not by p_e == 1: that must not hang on rounding.
    return _used(_pooled(confusion)) == 1


def _used(counts: Iterable[float]) -> int:
    return sum(count > 0 for count in counts)


def _spread(n: float, counts: Iterable[float]) -> float:
    return n * n - fsum(count * count for count in counts)


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole > 0 else None


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fsum(known) / len(known) if known else None
