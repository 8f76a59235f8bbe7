"""One metric over the items of a run, in as few bytes an item as it takes."""

from array import array
from collections import Counter
from itertools import chain
from math import fsum
from typing import NamedTuple

from judge.schema.rates import Rate
from judge.schema.summaries import MetricSummary
from judge.statistics.clustering import mean_interval

ONE_CLUSTER = "one-cluster"
"""Stands for the method where there is no interval: differing values in a single cluster say nothing of any other."""

UNKNOWN = (0.0, 1.0)
"""The bounds of a value of which nothing is known."""


_NOT_ASKED = "not_asked"


class ColumnFacts(NamedTuple):
    """What a summary says of a metric beside its numbers; `no_items` is the reason where no item has one of its own."""

    no_items: str
    layer: str
    is_covered: bool
    pooled: Rate | None
    basis: str | None


class Column:
    """One metric over the items: known values with their clusters, bounds of the nulls, and why other items are left out."""

    __slots__ = ("clusters", "highs", "left_out", "lows", "values")

    def __init__(self) -> None:
        self.values = array("d")
        self.clusters = array("i")
        self.lows = array("d")
        self.highs = array("d")
        self.left_out: Counter[str] = Counter()

    def add(self, value: float | None, cluster: int, bounds: tuple[float, float] = UNKNOWN, *, absence: str | None = None) -> None:
        """Add an item. Without a value it is a null within `bounds`, or left out where `absence` says why the metric does not apply."""
        if value is not None:
            self.values.append(value)
            self.clusters.append(cluster)
        elif absence is not None:
            self.left_out[absence] += 1
        else:
            self.lows.append(bounds[0])
            self.highs.append(bounds[1])

    def absorb(self, other: "Column") -> None:
        """Add all items of another column."""
        self.values.extend(other.values)
        self.clusters.extend(other.clusters)
        self.lows.extend(other.lows)
        self.highs.extend(other.highs)
        self.left_out.update(other.left_out)

    @property
    def coverage(self) -> Rate:
        """Items with a value over items to which the metric applies."""
        return Rate(numerator=len(self.values), denominator=len(self.values) + len(self.lows))

    def summary(self, facts: ColumnFacts) -> MetricSummary:
        """Return the metric over all items; one with nulls that is not covered keeps its bounds but has no headline."""
        reason = self._why_none(facts)
        interval = None if reason else mean_interval(self.values, self.clusters)
        return MetricSummary(
            value=None if reason else fsum(self.values) / len(self.values),
            n=len(self.values),
            nulls=len(self.lows),
            reason=reason,
            bounds=self._bounds(),
            ci95=None if interval is None else (interval.low, interval.high),
            ci_method=interval.method if interval is not None else None if reason else ONE_CLUSTER,
            pooled=facts.pooled,
            layer=facts.layer,
            basis=facts.basis if self.values or self.lows else None,
        )

    def _why_none(self, facts: ColumnFacts) -> str | None:
        if not self.values and not self.lows:
            # The commonest reason speaks for all; of equally common ones the first by name, whatever the order of items.
            # An item that nobody wanted judged explains a null only where no other reason does.
            return min(self.left_out, key=lambda reason: (reason == _NOT_ASKED, -self.left_out[reason], reason), default=facts.no_items)
        if self.lows and not facts.is_covered:
            return "coverage"
        return None if self.values else "no_fully_judged_items"

    def _bounds(self) -> tuple[float, float] | None:
        applicable = len(self.values) + len(self.lows)
        if not applicable:
            return None
        return fsum(chain(self.values, self.lows)) / applicable, fsum(chain(self.values, self.highs)) / applicable
