"""Rates of labels as a judge gave them, with intervals that know of clusters."""

from collections.abc import Sequence
from math import fsum

from judge.auditing.item_labels import ItemLabels
from judge.schema.figures import Figure
from judge.statistics.clustering import cluster_t_interval, mean_interval
from judge.statistics.interval import Interval
from judge.statistics.wilson import wilson_interval

_ROUNDING = 1e-12


def mean_share(items: Sequence[ItemLabels], place: int) -> Figure:
    """Return the mean over one or more items of the share of one label; `n` counts items."""
    shares = [item.shares[place] for item in items]
    return _figure(fsum(shares) / len(shares), len(items), mean_interval(shares, [item.cluster for item in items]))


def pooled_share(items: Sequence[ItemLabels], place: int) -> Figure:
    """Return the share of one label among all propositions of one or more items; `n` counts propositions.

    Without variation the interval is Wilson's over clusters.
    """
    n = round(fsum(sum(item.counts) for item in items))
    share = fsum(item.counts[place] for item in items) / n
    # A ratio varies, to first order, as the mean of what each item adds beyond its size.
    pulls = [share + (item.counts[place] - share * sum(item.counts)) * len(items) / n for item in items]
    clusters = [item.cluster for item in items]
    interval = cluster_t_interval(pulls, clusters)
    if interval is not None and interval.high - interval.low < _ROUNDING:
        groups = len(set(clusters))
        interval = wilson_interval(min(1.0, share) * groups, groups)
    return _figure(share, n, interval)


def _figure(value: float, n: int, interval: Interval | None) -> Figure:
    if interval is None:
        return Figure(value=value, n=n, reason="one_cluster")
    return Figure(value=value, n=n, ci95=(interval.low, interval.high), ci_method=interval.method)
