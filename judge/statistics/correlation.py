"""Correlation of two series of numbers about the same things; each is None below three pairs, or where a side does not vary."""

from bisect import bisect_right, insort
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from math import fsum, isfinite, sqrt

Numbers = Sequence[float]


def pearson(x: Numbers, y: Numbers) -> float | None:
    """Return Pearson's r, between -1 and 1. Raises ValueError where lengths differ or a number is not finite."""
    if not _varies(x, y):
        return None
    left, right = _centred(x), _centred(y)
    spread = sqrt(fsum(a * a for a in left)) * sqrt(fsum(b * b for b in right))
    if spread == 0:
        return None
    return max(-1.0, min(1.0, fsum(a * b for a, b in zip(left, right, strict=True)) / spread))


def spearman(x: Numbers, y: Numbers) -> float | None:
    """Return Pearson's r of the ranks, ties sharing their mean rank. Raises ValueError where lengths differ or a number is not finite."""
    return pearson(_ranks(x), _ranks(y)) if _varies(x, y) else None


def kendall_tau_b(x: Numbers, y: Numbers) -> float | None:
    """Return Kendall's tau-b, which allows for ties (Kendall 1945). Raises ValueError where lengths differ or a number is not finite."""
    if not _varies(x, y):
        return None
    pairs = sorted(zip(x, y, strict=True))
    n = len(pairs)
    everything, tied_x, tied_y, tied = n * (n - 1) // 2, _ties(x), _ties(y), _ties(pairs)
    balance = everything - tied_x - tied_y + tied - 2 * _discordant(pairs)
    return balance / sqrt((everything - tied_x) * (everything - tied_y))


def _varies(x: Numbers, y: Numbers) -> bool:
    if len(x) != len(y):
        raise ValueError(f"two sequences of equal length are needed, got {len(x)} and {len(y)}")
    if not all(map(isfinite, (*x, *y))):
        raise ValueError("numbers must be finite; a pair that is not known must be left out")
    return len(x) >= 3 and min(x) < max(x) and min(y) < max(y)


def _centred(values: Numbers) -> list[float]:
    mean = fsum(values) / len(values)
    return [value - mean for value in values]


def _ranks(values: Numbers) -> list[float]:
    counts = Counter(values)
    rank, below = {}, 0
    for value in sorted(counts):
        rank[value] = below + (counts[value] + 1) / 2
        below += counts[value]
    return [rank[value] for value in values]


def _ties(values: Iterable[Hashable]) -> int:
    return sum(count * (count - 1) // 2 for count in Counter(values).values())


def _discordant(pairs: Sequence[tuple[float, float]]) -> int:
    """Count the pairs of pairs, sorted by x then y, whose y goes down as x goes up; equal x are sorted, so they never count."""
    seen: list[float] = []
    total = 0
    for _, y in pairs:
        total += len(seen) - bisect_right(seen, y)
        insort(seen, y)
    return total
