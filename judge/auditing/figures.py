"""Means and other statistics with the interval that fits them, or with why there is none."""

from collections.abc import Callable, Sequence
from math import fsum
from typing import TypeVar

from judge.schema.figures import Figure
from judge.statistics.bootstrap import cluster_bootstrap
from judge.statistics.clustering import cluster_t_interval, mean_interval
from judge.statistics.interval import Interval

T = TypeVar("T")

_ONE_CLUSTER = "a single document or question allows no interval"
_NO_VARIATION = "no variation, which is not certainty"
_RARE = "undefined in too many of the resampled documents or questions"
_UNDEFINED = "undefined: one label only, or nothing to compare"


def share_figure(values: Sequence[float], clusters: Sequence[str], nothing: str) -> Figure:
    """Return a mean of values in [0, 1] with its clustered interval; where none varies, with Wilson's over clusters.

    `nothing` says why there is no value where there are none.
    """
    if not values:
        return Figure(value=None, n=0, reason=nothing)
    return _figure(fsum(values) / len(values), len(values), mean_interval(values, clusters), clusters)


def mean_figure(values: Sequence[float], clusters: Sequence[str], nothing: str) -> Figure:
    """Return a mean of values of any range, such as differences, with its clustered interval; values that are all equal have none."""
    if not values:
        return Figure(value=None, n=0, reason=nothing)
    return _figure(fsum(values) / len(values), len(values), _unlike(cluster_t_interval(values, clusters)), clusters)


def resampled_figure(
    groups: Sequence[T], statistic: Callable[[Sequence[T]], float | None], seed: int, nothing: str, *, undefined: str = _UNDEFINED
) -> Figure:
    """Return a statistic of groups, one a cluster, with the interval of a cluster bootstrap; its `n` counts clusters.

    `nothing` says why there is no value without groups, `undefined` why there is none although there are some.
    """
    value = statistic(groups) if groups else None
    if value is None:
        return Figure(value=None, n=len(groups), reason=undefined if groups else nothing)
    interval = cluster_bootstrap(groups, statistic, seed=seed)
    if interval is None and len(groups) > 1:
        return Figure(value=value, n=len(groups), reason=_RARE)
    return _figure(value, len(groups), _unlike(interval), list(map(str, range(len(groups)))))


def _figure(value: float, n: int, interval: Interval | None, clusters: Sequence[str]) -> Figure:
    if interval is None:
        return Figure(value=value, n=n, reason=_ONE_CLUSTER if len(set(clusters)) < 2 else _NO_VARIATION)
    return Figure(value=value, n=n, ci95=(interval.low, interval.high), ci_method=interval.method)


def _unlike(interval: Interval | None) -> Interval | None:
    """Return the interval unless it has no width, which would claim certainty."""
    return None if interval is None or interval.high - interval.low < 1e-13 else interval
