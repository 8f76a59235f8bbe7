"""Places of values that are known within intervals: who is better for sure, and who cannot be told apart."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple


class Spread(NamedTuple):
    """A value and the interval around it, low <= value <= high; without an interval all three are the value."""

    value: float
    low: float
    high: float


class Place(NamedTuple):
    """The best and the worst place that a value can have, from 1; equal where it can only have one."""

    best: int
    worst: int

    def in_words(self) -> str:
        """Return `2`, or `1-3`."""
        return str(self.best) if self.best == self.worst else f"{self.best}-{self.worst}"


def places(spreads: Sequence[Spread], *, lower_is_better: bool = False) -> list[Place]:
    """Return the place of each, in the order given.

    The best place is 1 plus the number of intervals that lie wholly on the better side, the worst one the number of all less
    those wholly on the worse side. Overlap is not transitive: of three runs the middle one may overlap with both others, which
    do not overlap, and then the ranges are 1-2, 1-3 and 2-3. Intervals that touch overlap.
    """
    turned = [Spread(-value, -high, -low) for value, low, high in spreads] if lower_is_better else list(spreads)
    lows, highs = sorted(each.low for each in turned), sorted(each.high for each in turned)
    count = len(turned)
    return [Place(1 + count - bisect_right(lows, each.high), count - bisect_left(highs, each.low)) for each in turned]
