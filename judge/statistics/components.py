"""Where the variation of scores comes from: between groups, or within them."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import fsum
from typing import NamedTuple


class Components(NamedTuple):
    """One-way analysis of variance: mean squares, the mean group size `n0` that fits unequal groups, and ICC(1).

    `icc` may be negative; it is None where nothing varies.
    """

    between_square: float
    within_square: float
    n0: float
    icc: float | None

    @property
    def between(self) -> float:
        """Return the variance of the true group means; 0 where the estimate is negative."""
        return max(0.0, (self.between_square - self.within_square) / self.n0)


def variance_components(groups: Iterable[Sequence[float]]) -> Components | None:
    """Return the components of values in groups, such as an item's scores in repeats (Fisher 1925).

    None below two groups, or where no group has two values: then there is nothing to tell within from between.
    """
    known = [group for group in groups if group]
    total, number = sum(map(len, known)), len(known)
    if number < 2 or total == number:
        return None
    grand = fsum(map(fsum, known)) / total
    means = [fsum(group) / len(group) for group in known]
    between = fsum(len(group) * (mean - grand) ** 2 for group, mean in zip(known, means, strict=True)) / (number - 1)
    within = fsum((value - mean) ** 2 for group, mean in zip(known, means, strict=True) for value in group) / (total - number)
    n0 = (total - sum(len(group) ** 2 for group in known) / total) / (number - 1)
    spread = between + (n0 - 1) * within
    return Components(between, within, n0, (between - within) / spread if spread > 0 else None)


def grouped(values: Sequence[float], clusters: Sequence[Hashable]) -> list[list[float]]:
    """Return the values of each cluster, in order of first appearance. Raises ValueError where lengths differ."""
    groups: dict[Hashable, list[float]] = {}
    for value, cluster in zip(values, clusters, strict=True):
        groups.setdefault(cluster, []).append(value)
    return list(groups.values())


def noise_share(scores: Mapping[str, Sequence[float]]) -> float | None:
    """Return the share of the spread of single scores that comes from repeating, within / (between + within), between 0 and 1.

    `scores` holds each item's scores, one a repeat. It is 1 - ICC(1), and 1 where the items differ no more than repeats do.
    None without repeats, below two items, and where no score varies.
    """
    components = variance_components(scores.values())
    if components is None or components.icc is None:
        return None
    return components.within_square / (components.between + components.within_square)


def design_effect(size: float, icc: float) -> float:
    """Return 1 + (size - 1) icc: how much clusters of this size enlarge a variance (Kish 1965)."""
    return 1 + (size - 1) * icc


def effective_size(n: float, deff: float) -> float:
    """Return how many independent values n dependent ones are worth."""
    return n / deff
