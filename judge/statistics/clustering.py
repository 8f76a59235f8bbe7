"""Standard errors and intervals of means whose values come in dependent groups."""

from collections.abc import Sequence
from itertools import groupby
from math import fsum, isfinite, sqrt

from judge.statistics.interval import Interval
from judge.statistics.student_t import student_t_quantile
from judge.statistics.wilson import wilson_interval

ClusterLabels = Sequence[int] | Sequence[str]
"""Which group each value belongs to: equal labels, same group."""

_ROUNDING = 1e-13
"""Intervals of values in [0, 1] narrower than this show rounding, not variation."""


def clustered_standard_error(values: Sequence[float], clusters: ClusterLabels, *, correction: bool = True) -> float | None:
    """Return the cluster-robust standard error of the mean; None with fewer than two clusters.

    With `correction` it is CR1 (CR0 times sqrt(G / (G - 1)) for G clusters), without it CR0, which is too small for few
    clusters. Where each value is its own cluster CR1 is the ordinary standard error. The order of the values does not
    matter, to the last digit. Raises ValueError where lengths differ or a value is not finite.
    """
    _check(values, clusters)
    residuals = _cluster_residuals(values, clusters)
    groups = len(residuals)
    if groups < 2:
        return None
    uncorrected = sqrt(fsum(residual * residual for residual in residuals)) / len(values)
    return uncorrected * sqrt(groups / (groups - 1)) if correction else uncorrected


def cluster_t_interval(values: Sequence[float], clusters: ClusterLabels, confidence: float = 0.95) -> Interval | None:
    """Return the mean plus and minus t times its CR1 standard error, with G - 1 degrees of freedom for G clusters.

    Method `cluster-t`; fit for values of any range, such as paired differences. Without variation its width is 0, which is
    not certainty. None with fewer than two clusters. Raises ValueError where lengths differ or a value is not finite.
    """
    error = clustered_standard_error(values, clusters)
    if error is None:
        return None
    mean = fsum(values) / len(values)
    half_width = student_t_quantile((1.0 + confidence) / 2, len(set(clusters)) - 1) * error
    return Interval(mean - half_width, mean + half_width, "cluster-t")


def mean_interval(values: Sequence[float], clusters: ClusterLabels, confidence: float = 0.95) -> Interval | None:
    """Return the interval of a mean of values in [0, 1]; the interval itself is not clipped to that range.

    Method `cluster-t` (see `cluster_t_interval`). Where nothing varies (all values equal, or all clusters pulling equally)
    that would claim certainty, so it is Wilson's interval with each cluster as one unit, method `wilson`.
    None without values, and for differing values in a single cluster.
    Raises ValueError where lengths differ, or a value is not in [0, 1].
    """
    _check(values, clusters)
    if not values:
        return None
    if min(values) < 0.0 or max(values) > 1.0:
        raise ValueError(f"values must be in [0, 1], got {min(values)} to {max(values)}")
    if min(values) == max(values):
        return _wilson_over_clusters(values[0], clusters, confidence)
    interval = cluster_t_interval(values, clusters, confidence)
    if interval is not None and interval.high - interval.low < _ROUNDING:
        return _wilson_over_clusters(fsum(values) / len(values), clusters, confidence)
    return interval


def ratio_standard_error(numerators: Sequence[float], denominators: Sequence[float]) -> float | None:
    """Return the linearised standard error of sum(numerators) / sum(denominators) over independent units.

    None with fewer than two units, or where the denominators sum to 0.
    Raises ValueError where lengths differ or a number is not finite.
    """
    _check(numerators, denominators)
    _check(denominators, numerators)
    n, total = len(numerators), fsum(denominators)
    if n < 2 or total == 0:
        return None
    ratio = fsum(numerators) / total
    squares = fsum((k - ratio * m) ** 2 for k, m in zip(numerators, denominators, strict=True))
    return sqrt(n / (n - 1) * squares) / total


def _check(values: Sequence[float], others: Sequence[object]) -> None:
    if len(values) != len(others):
        raise ValueError(f"two sequences of equal length are needed, got {len(values)} and {len(others)}")
    if not all(map(isfinite, values)):
        raise ValueError("values must be finite; a value that is not known must be left out")


def _cluster_residuals(values: Sequence[float], clusters: ClusterLabels) -> list[float]:
    """Return each cluster's summed distance from the mean."""
    if not values:
        return []
    mean = fsum(values) / len(values)
    label = clusters.__getitem__
    order = sorted(range(len(values)), key=label)
    return [fsum(values[i] - mean for i in members) for _, members in groupby(order, key=label)]


def _wilson_over_clusters(mean: float, clusters: ClusterLabels, confidence: float) -> Interval | None:
    groups = len(set(clusters))
    return wilson_interval(mean * groups, groups, confidence)
