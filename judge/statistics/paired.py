"""Tests of differences between two series about the same things; always paired, since that is what makes them sharp."""

from collections.abc import Sequence
from math import comb, erfc, fsum, sqrt
from random import Random
from typing import NamedTuple

from judge.statistics.clustering import clustered_standard_error
from judge.statistics.student_t import student_t_tail

_EXACT = 20
"""Up to this many differences all 2^n signs are tried."""

_ROUNDING = 1e-12


class PairedDifference(NamedTuple):
    """The mean of first - second with its standard error; t has G - 1 degrees of freedom for G clusters, `p` is two-sided.

    Standard error, t and p are None with fewer than two clusters, t and p also where nothing varies.
    """

    mean: float
    standard_error: float | None
    t: float | None
    p: float | None
    n: int


class Discordant(NamedTuple):
    """Of `n` pairs of yes and no, how often only the first said yes, and how often only the second."""

    only_first: int
    only_second: int
    n: int


def paired_difference(
    first: Sequence[float], second: Sequence[float], clusters: Sequence[int] | Sequence[str] | None = None
) -> PairedDifference | None:
    """Return the paired t test, cluster-robust where `clusters` are given; None without pairs. Raises ValueError where lengths differ."""
    if len(first) != len(second):
        raise ValueError(f"two sequences of equal length are needed, got {len(first)} and {len(second)}")
    if not first:
        return None
    differences = [one - other for one, other in zip(first, second, strict=True)]
    groups = range(len(differences)) if clusters is None else clusters
    mean, error = fsum(differences) / len(differences), clustered_standard_error(differences, groups)
    if not error:
        return PairedDifference(mean, error, None, None, len(differences))
    t = mean / error
    return PairedDifference(mean, error, t, 2 * student_t_tail(abs(t), len(set(groups)) - 1), len(differences))


def sign_flip_p(differences: Sequence[float], *, seed: int = 0, resamples: int = 9999) -> float | None:
    """Return the two-sided p of the sign-flip permutation test of a mean difference of 0; None without differences.

    Exact for up to 20 differences, else by `resamples` seeded draws as (as extreme + 1) / (resamples + 1). Where differences come
    in clusters, pass the sum of each.
    """
    if not differences:
        return None
    extreme = abs(fsum(differences)) - _ROUNDING * max(map(abs, differences))
    if len(differences) <= _EXACT:
        sums = [0.0]
        for difference in differences:
            sums = [*(total + difference for total in sums), *(total - difference for total in sums)]
        return sum(abs(total) >= extreme for total in sums) / len(sums)
    rng = Random(seed)  # noqa: S311 (a recorded seed, nothing secret)
    drawn = (fsum(d if rng.random() < 0.5 else -d for d in differences) for _ in range(resamples))
    return (sum(abs(total) >= extreme for total in drawn) + 1) / (resamples + 1)


def mcnemar_exact(pairs: Discordant) -> float:
    """Return the two-sided exact p of McNemar's test: the discordant pairs are a fair coin's; 1 without any."""
    n, few = pairs.only_first + pairs.only_second, min(pairs.only_first, pairs.only_second)
    return min(1.0, 2 * sum(comb(n, k) for k in range(few + 1)) / (1 << n))


class McNemar(NamedTuple):
    """A chi-squared with one degree of freedom, and its p."""

    chi2: float
    p: float


def mcnemar_corrected(pairs: Discordant) -> McNemar | None:
    """Return McNemar's chi-squared with the correction for continuity (Edwards 1948); None without discordant pairs."""
    n = pairs.only_first + pairs.only_second
    if not n:
        return None
    chi2 = max(0, abs(pairs.only_first - pairs.only_second) - 1) ** 2 / n
    return McNemar(chi2, erfc(sqrt(chi2 / 2)))


def share_difference(pairs: Discordant) -> tuple[float, float]:
    """Return the difference of the two shares of yes, first - second, and its Wald standard error. Raises ValueError for no pairs."""
    if pairs.n <= 0:
        raise ValueError(f"expected one or more pairs, got {pairs.n}")
    gap = pairs.only_first - pairs.only_second
    square = pairs.only_first + pairs.only_second - gap * gap / pairs.n
    return gap / pairs.n, sqrt(max(0.0, square)) / pairs.n
