"""Krippendorff's alpha: agreement of any number of raters, with gaps."""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from math import fsum
from typing import NamedTuple


class AlphaPart(NamedTuple):
    """All that alpha needs to know of some units: how often each label occurs in rated ones, and how far their raters differ."""

    totals: Counter[Hashable]
    disagreement: float


def krippendorff_alpha(units: Iterable[Sequence[Hashable | None]]) -> float | None:
    """Return the nominal alpha, 1 - D_o / D_e, at most 1; higher is better (Krippendorff 2011, "Computing Krippendorff's Alpha").

    A unit is one thing with what each rater said of it, None where a rater said nothing; units with fewer than two values are
    left out. None where no unit is left, or only one label occurs among those left.
    """
    return alpha_of_parts([alpha_part(units)])


def alpha_part(units: Iterable[Sequence[Hashable | None]]) -> AlphaPart:
    """Return what some of the units add to alpha; the parts of all clusters together give that of all units."""
    counted = [Counter(value for value in unit if value is not None) for unit in units]
    rated = [counts for counts in counted if counts.total() >= 2]
    return AlphaPart(sum(rated, Counter()), fsum(_differing_pairs(counts) / (counts.total() - 1) for counts in rated))


def alpha_of_parts(parts: Iterable[AlphaPart]) -> float | None:
    """Return alpha of all units of the parts; None as in `krippendorff_alpha`."""
    totals: Counter[Hashable] = Counter()
    observed = 0.0
    for part in parts:
        totals.update(part.totals)
        observed += part.disagreement
    n = totals.total()
    if len(totals) < 2:
        return None
    return 1 - observed * (n - 1) / _differing_pairs(totals)


def _differing_pairs(counts: Counter[Hashable]) -> int:
    return counts.total() ** 2 - sum(count * count for count in counts.values())
