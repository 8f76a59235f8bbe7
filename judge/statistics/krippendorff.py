"""Krippendorff's alpha: agreement of any number of raters, with gaps."""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from math import fsum


def krippendorff_alpha(units: Iterable[Sequence[Hashable | None]]) -> float | None:
    """Return the nominal alpha, 1 - D_o / D_e, at most 1; higher is better (Krippendorff 2011, "Computing Krippendorff's Alpha").

    A unit is one thing with what each rater said of it, None where a rater said nothing; units with fewer than two values are
    left out. None where no unit is left, or only one label occurs among those left.
    """
    counted = [Counter(value for value in unit if value is not None) for unit in units]
    rated = [counts for counts in counted if counts.total() >= 2]
    totals: Counter[Hashable] = sum(rated, Counter())
    n = totals.total()
    if len(totals) < 2:
        return None
    observed = fsum(_differing_pairs(counts) / (counts.total() - 1) for counts in rated) / n
    return 1 - observed * n * (n - 1) / _differing_pairs(totals)


def _differing_pairs(counts: Counter[Hashable]) -> int:
    return counts.total() ** 2 - sum(count * count for count in counts.values())
