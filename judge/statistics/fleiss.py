"""Agreement of many raters who all rated every thing."""

from collections.abc import Iterable, Sequence
from math import fsum
from typing import NamedTuple

Ratings = Sequence[Sequence[int]]
"""One row a thing: how many raters gave it each label. Rows have the same labels and the same number of raters."""


class RatingsPart(NamedTuple):
    """All that agreement needs to know of some things: ratings by label, the sum of their agreements, how many they are, and raters."""

    totals: tuple[int, ...]
    agreement: float
    things: int
    raters: int


def fleiss_kappa(counts: Ratings) -> float | None:
    """Return Fleiss' kappa (Fleiss 1971); None without things, with fewer than two raters, and where only one label occurs.

    Raises ValueError where the things have different numbers of raters or labels.
    """
    return fleiss_kappa_of_parts([ratings_part(counts)])


def gwet_ac1_of_many(counts: Ratings) -> float | None:
    """Return Gwet's AC1 of many raters (Gwet 2008); None without things, and with fewer than two raters or labels.

    Raises ValueError where the things have different numbers of raters or labels.
    """
    part = ratings_part(counts)
    shares = _label_shares(part)
    if shares is None or len(shares) < 2:
        return None
    by_chance = fsum(share * (1 - share) for share in shares) / (len(shares) - 1)
    return (part.agreement / part.things - by_chance) / (1 - by_chance)


def ratings_part(counts: Ratings) -> RatingsPart:
    """Return what some things add; the parts of all clusters together give the kappa of all things. Raises ValueError as `fleiss_kappa`."""
    if len({(sum(row), len(row)) for row in counts}) > 1:
        raise ValueError("expected the same number of raters and labels for every thing")
    if not counts:
        return RatingsPart((), 0.0, 0, 0)
    raters = sum(counts[0])
    pairs = raters * (raters - 1)
    agreement = fsum((sum(count * count for count in row) - raters) / pairs for row in counts) if pairs else 0.0
    return RatingsPart(tuple(sum(column) for column in zip(*counts, strict=True)), agreement, len(counts), raters)


def fleiss_kappa_of_parts(parts: Iterable[RatingsPart]) -> float | None:
    """Return Fleiss' kappa of all things of the parts. Raises ValueError where they differ in raters or labels."""
    known = [part for part in parts if part.things]
    if len({(part.raters, len(part.totals)) for part in known}) > 1:
        raise ValueError("expected the same number of raters and labels for every thing")
    if not known:
        return None
    totals = tuple(sum(column) for column in zip(*(part.totals for part in known), strict=True))
    whole = RatingsPart(totals, fsum(part.agreement for part in known), sum(part.things for part in known), known[0].raters)
    shares = _label_shares(whole)
    if shares is None or max(shares) == 1:
        return None
    by_chance = fsum(share * share for share in shares)
    return (whole.agreement / whole.things - by_chance) / (1 - by_chance)


def _label_shares(part: RatingsPart) -> list[float] | None:
    """Return the share of each label among all ratings; None where there is nothing to agree on."""
    total = sum(part.totals)
    return None if not part.things or total < 2 * part.things else [count / total for count in part.totals]
