"""Agreement of many raters who all rated every thing."""

from collections.abc import Sequence
from math import fsum

Ratings = Sequence[Sequence[int]]
"""One row a thing: how many raters gave it each label. Rows have the same labels and the same number of raters."""


def fleiss_kappa(counts: Ratings) -> float | None:
    """Return Fleiss' kappa (Fleiss 1971); None without things, with fewer than two raters, and where only one label occurs.

    Raises ValueError where the things have different numbers of raters or labels.
    """
    shares = _label_shares(counts)
    if shares is None or max(shares) == 1:
        return None
    by_chance = fsum(share * share for share in shares)
    return (_mean_agreement(counts) - by_chance) / (1 - by_chance)


def gwet_ac1_of_many(counts: Ratings) -> float | None:
    """Return Gwet's AC1 of many raters (Gwet 2008); None without things, and with fewer than two raters or labels.

    Raises ValueError where the things have different numbers of raters or labels.
    """
    shares = _label_shares(counts)
    if shares is None or len(shares) < 2:
        return None
    by_chance = fsum(share * (1 - share) for share in shares) / (len(shares) - 1)
    return (_mean_agreement(counts) - by_chance) / (1 - by_chance)


def _label_shares(counts: Ratings) -> list[float] | None:
    """Return the share of each label among all ratings; None where there is nothing to agree on."""
    if len({(sum(row), len(row)) for row in counts}) > 1:
        raise ValueError("expected the same number of raters and labels for every thing")
    total = sum(map(sum, counts))
    if not counts or total < 2 * len(counts):
        return None
    return [sum(column) / total for column in zip(*counts, strict=True)]


def _mean_agreement(counts: Ratings) -> float:
    raters = sum(counts[0])
    pairs = raters * (raters - 1)
    return fsum((sum(count * count for count in row) - raters) / pairs for row in counts) / len(counts)
