"""Means of human scores, sharpened by a judge's scores of many more items: prediction-powered inference."""

from collections import defaultdict
from collections.abc import Sequence
from math import fsum, sqrt
from statistics import NormalDist
from typing import NamedTuple

from judge.statistics.interval import Interval
from judge.statistics.student_t import student_t_quantile


class Scores(NamedTuple):
    """`human` and `judged` are scores of the same labelled items; `others` the judge's scores of items that nobody labelled.

    The labelled items must be a random sample of all of them.
    """

    human: Sequence[float]
    judged: Sequence[float]
    others: Sequence[float]


class Clusters(NamedTuple):
    """The cluster of each labelled item and of each other one; the same name is the same cluster."""

    labelled: Sequence[str]
    others: Sequence[str]


class PoweredMean(NamedTuple):
    """An estimate with its standard error; `weight` is lambda, 0 for people alone and 1 for plain PPI."""

    mean: float
    standard_error: float
    weight: float


def power_weight(scores: Scores) -> float:
    """Return lambda of PPI++ (arXiv 2311.01453) in [0, 1]: cov(Y, F) / ((1 + n/N) var(F and F')), 0 where the judge never varies.

    The covariance is divided by n, the variance by n + N - 1. Raises ValueError without labelled or other items, as do the others.
    """
    _check(scores)
    n, number = len(scores.human), len(scores.others)
    human, judged = _mean(scores.human), _mean(scores.judged)
    covariance = fsum((y - human) * (f - judged) for y, f in zip(scores.human, scores.judged, strict=True)) / n
    everything = [*scores.judged, *scores.others]
    spread = _variance(everything) * len(everything) / (len(everything) - 1)
    return min(1.0, max(0.0, covariance / ((1 + n / number) * spread))) if spread > 0 else 0.0


def powered_mean(scores: Scores, weight: float | None = None) -> PoweredMean:
    """Return weight mean(F') + mean(Y - weight F) for independent items; the weight is that of PPI++ unless given."""
    chosen = power_weight(scores) if weight is None else weight
    left = [y - chosen * f for y, f in zip(scores.human, scores.judged, strict=True)]
    square = chosen * chosen * _variance(scores.others) / len(scores.others) + _variance(left) / len(left)
    return PoweredMean(chosen * _mean(scores.others) + _mean(left), sqrt(square), chosen)


def powered_interval(scores: Scores, weight: float | None = None, confidence: float = 0.95) -> Interval:
    """Return the normal interval of `powered_mean`, not clipped; method `ppi++`."""
    found = powered_mean(scores, weight)
    half_width = NormalDist().inv_cdf((1 + confidence) / 2) * found.standard_error
    return Interval(found.mean - half_width, found.mean + half_width, "ppi++")


def clustered_powered_mean(scores: Scores, clusters: Clusters) -> PoweredMean | None:
    """Return `powered_mean` with a cluster-robust standard error, each part enlarged by G / (G - 1) for its G clusters.

    None where the labelled items or the others have fewer than two clusters.
    """
    found = powered_mean(scores)
    left = [y - found.weight * f for y, f in zip(scores.human, scores.judged, strict=True)]
    pulls: defaultdict[str, list[float]] = defaultdict(list)
    for values, names, factor in ((left, clusters.labelled, 1.0), (scores.others, clusters.others, found.weight)):
        groups = len(set(names))
        if groups < 2:
            return None
        scale = factor * sqrt(groups / (groups - 1)) / len(values)
        mean = _mean(values)
        for value, name in zip(values, names, strict=True):
            pulls[name].append(scale * (value - mean))
    return found._replace(standard_error=sqrt(fsum(fsum(pull) ** 2 for pull in pulls.values())))


def clustered_powered_interval(scores: Scores, clusters: Clusters, confidence: float = 0.95) -> Interval | None:
    """Return the t interval of `clustered_powered_mean` with the labelled items' G - 1 degrees of freedom; method `ppi++-cluster-t`."""
    found = clustered_powered_mean(scores, clusters)
    if found is None:
        return None
    half_width = student_t_quantile((1 + confidence) / 2, len(set(clusters.labelled)) - 1) * found.standard_error
    return Interval(found.mean - half_width, found.mean + half_width, "ppi++-cluster-t")


def _check(scores: Scores) -> None:
    if not scores.human or not scores.others or len(scores.human) != len(scores.judged):
        found = f"{len(scores.human)} human, {len(scores.judged)} judged, {len(scores.others)} other"
        raise ValueError(f"needs as many human as judged scores, one or more, and other ones, got {found}")


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values)


def _variance(values: Sequence[float]) -> float:
    mean = _mean(values)
    return fsum((value - mean) ** 2 for value in values) / len(values)
