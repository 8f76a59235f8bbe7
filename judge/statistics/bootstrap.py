"""Intervals by resampling whole clusters, for statistics that have no formula of their own."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from math import fsum
from random import Random
from statistics import NormalDist
from typing import NamedTuple, TypeVar

from judge.statistics.interval import Interval
from judge.statistics.spread import percentile

Part = TypeVar("Part")
"""All that a statistic needs to know of one cluster, such as its counts."""

_LEFT_OUT = 0.05
"""More resamples than this without a value, and the rest no longer stand for all."""

_MOST_RESAMPLES = 200_000
"""The exact distribution is for a handful of clusters."""


def cluster_bootstrap(
    parts: Mapping[str, Part] | Sequence[Part],
    statistic: Callable[[Sequence[Part]], float | None],
    *,
    seed: int,
    resamples: int = 2000,
    confidence: float = 0.95,
) -> Interval | None:
    """Return the percentile interval of a statistic over resampled clusters; see `cluster_bootstrap_many`."""

    def named(sample: Sequence[Part]) -> dict[str, float | None]:
        return {"": statistic(sample)}

    return cluster_bootstrap_many(parts, named, seed=seed, resamples=resamples, confidence=confidence)[""]


def cluster_bootstrap_many(
    parts: Mapping[str, Part] | Sequence[Part],
    statistic: Callable[[Sequence[Part]], Mapping[str, float | None]],
    *,
    seed: int,
    resamples: int = 2000,
    confidence: float = 0.95,
) -> dict[str, Interval | None]:
    """Return the percentile interval of several statistics at once, method `cluster-bootstrap`.

    `parts` has one element a cluster; each resample draws as many of them, with replacement. The parts of a mapping are taken in
    the order of their names, so that the order of the data does not matter. Resamples where a statistic is None are left out; where
    these are more than 5 %, or there are fewer than two clusters, there is no interval. A statistic that never varies has an
    interval of width 0, which is not certainty. `statistic` must give the same names every time.
    """
    clusters = _ordered(parts)
    names = statistic(clusters).keys()
    if len(clusters) < 2:
        return dict.fromkeys(names)
    rng = Random(seed)  # noqa: S311 (a recorded seed, nothing secret)
    drawn = [statistic(rng.choices(clusters, k=len(clusters))) for _ in range(resamples)]
    return {name: percentile_interval([values[name] for values in drawn], confidence) for name in names}


def percentile_interval(values: Sequence[float | None], confidence: float = 0.95) -> Interval | None:
    """Return the middle share `confidence` of resampled values; None where more than 5 % of them are None, or there are none."""
    known = [value for value in values if value is not None]
    if len(values) - len(known) > _LEFT_OUT * len(values):
        return None
    return _between(known, ((1 - confidence) / 2, (1 + confidence) / 2), "cluster-bootstrap")


def exact_bootstrap(parts: Sequence[Part], statistic: Callable[[Sequence[Part]], float]) -> list[float]:
    """Return the statistic of all n^n resamples of n clusters. Raises ValueError where these are more than 200,000."""
    number = len(parts) ** len(parts)
    if number > _MOST_RESAMPLES:
        raise ValueError(f"expected at most {_MOST_RESAMPLES} resamples, got {number} for {len(parts)} clusters")
    return [statistic(sample) for sample in product(parts, repeat=len(parts))]


class BcaLevels(NamedTuple):
    """Bias correction and acceleration, and the levels at which the distribution is to be read for them."""

    bias: float
    acceleration: float
    low: float
    high: float


def bca_levels(estimate: float, distribution: Sequence[float], jackknife: Sequence[float], confidence: float = 0.95) -> BcaLevels | None:
    """Return where BCa reads the resampled `distribution` (Efron 1987); None where nothing varies, or all lies on one side.

    `jackknife` holds the statistic with each cluster left out in turn.
    """
    below = sum((value < estimate) + (value == estimate) / 2 for value in distribution) / len(distribution)
    mean = fsum(jackknife) / len(jackknife)
    squares = fsum((mean - value) ** 2 for value in jackknife)
    if squares == 0 or not 0 < below < 1:
        return None
    normal = NormalDist()
    bias = normal.inv_cdf(below)
    acceleration = fsum((mean - value) ** 3 for value in jackknife) / (6 * squares**1.5)
    z = normal.inv_cdf((1 + confidence) / 2)
    low, high = (normal.cdf(bias + (bias + end) / (1 - acceleration * (bias + end))) for end in (-z, z))
    return BcaLevels(bias, acceleration, low, high)


def bca_interval(estimate: float, distribution: Sequence[float], jackknife: Sequence[float], confidence: float = 0.95) -> Interval | None:
    """Return the BCa interval, method `cluster-bca`; where it is undefined, the percentile one under its own name."""
    levels = bca_levels(estimate, distribution, jackknife, confidence)
    if levels is None:
        return percentile_interval(distribution, confidence)
    return _between(distribution, (levels.low, levels.high), "cluster-bca")


def leave_one_out(parts: Sequence[Part], statistic: Callable[[Sequence[Part]], float]) -> list[float]:
    """Return the statistic without each cluster in turn, as BCa needs it."""
    return [statistic(rest) for rest in _rests(parts)]


def _rests(parts: Sequence[Part]) -> Iterator[list[Part]]:
    return ([*parts[:place], *parts[place + 1 :]] for place in range(len(parts)))


def _ordered(parts: Mapping[str, Part] | Sequence[Part]) -> Sequence[Part]:
    return [parts[name] for name in sorted(parts)] if isinstance(parts, Mapping) else parts


def _between(values: Sequence[float], levels: tuple[float, float], method: str) -> Interval | None:
    low, high = (percentile(values, level) for level in levels)
    return None if low is None or high is None else Interval(low, high, method)
