"""How many items or labels a wanted precision needs, and what a given number of them can show.

Differences are tested two-sided; `deff` is the design effect of clusters, 1 for independent items. Sizes are not rounded.
"""

from math import asin, exp, lgamma, log, sqrt
from statistics import NormalDist

from judge.statistics.student_t import student_t_quantile

_CLOSE = 1e-7
_STEPS = 400
_TAILS = 9
"""Standard deviations of an estimated deviation, on each side, beyond which nothing counts."""


def power_factor(alpha: float = 0.05, power: float = 0.8) -> float:
    """Return z of alpha / 2 plus z of the power, 2.80 for 5 % and 80 %. Raises ValueError for shares outside 0 to 1."""
    if not (0 < alpha < 1 and 0 < power < 1):
        raise ValueError(f"expected alpha and power between 0 and 1, got {alpha} and {power}")
    return NormalDist().inv_cdf(1 - alpha / 2) + NormalDist().inv_cdf(power)


def minimum_detectable_effect(deviation: float, n: float, *, deff: float = 1.0, alpha: float = 0.05, power: float = 0.8) -> float:
    """Return the smallest true mean difference that n paired differences of this standard deviation detect with this power."""
    return power_factor(alpha, power) * deviation * sqrt(deff / n)


def paired_size(deviation: float, difference: float, *, deff: float = 1.0, alpha: float = 0.05, power: float = 0.8) -> float:
    """Return how many paired differences detect a true mean difference; by the normal distribution, fit from about 30 on."""
    return deff * (power_factor(alpha, power) * deviation / difference) ** 2


def paired_t_power(deviation: float, difference: float, n: float, *, alpha: float = 0.05) -> float:
    """Return how often a paired t test of n independent differences finds a true mean difference, between alpha and 1.

    By the noncentral t distribution: its normal numerator is averaged over the spread of the estimated deviation.
    """
    df, shift = n - 1, difference / deviation * sqrt(n)
    limit = student_t_quantile(1 - alpha / 2, df)
    normal = NormalDist()
    low, high = max(0.0, 1 - _TAILS / sqrt(2 * df)), 1 + _TAILS / sqrt(2 * df)
    width = (high - low) / _STEPS
    found = 0.0
    for step in range(_STEPS):
        scale = low + (step + 0.5) * width
        found += _scale_density(scale, df) * (normal.cdf(shift - limit * scale) + normal.cdf(-shift - limit * scale))
    return found * width


def paired_t_size(deviation: float, difference: float, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """Return how many independent paired differences give a paired t test this power; at least 2."""
    low = 2.0
    high = paired_size(deviation, difference, alpha=alpha, power=power) + 10
    while high - low > _CLOSE * high:
        middle = (low + high) / 2
        low, high = (middle, high) if paired_t_power(deviation, difference, middle, alpha=alpha) < power else (low, middle)
    return high


def repeated_size(between: float, within: tuple[float, float], difference: float, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """Return how many questions detect a difference of two agents that answer each several times (arXiv 2411.00640).

    `between` is the variance of the difference of the question means; `within` is each agent's variance of single answers around
    its question mean, divided by its number of answers a question.
    """
    return power_factor(alpha, power) ** 2 * (between + sum(within)) / difference**2


def two_share_size(first: float, second: float, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """Return how many items each of two independent groups needs to tell their shares apart, by Cohen's h (arcsine)."""
    h = 2 * asin(sqrt(first)) - 2 * asin(sqrt(second))
    return 2 * (power_factor(alpha, power) / h) ** 2


def share_size(share: float, half_width: float, *, deff: float = 1.0, confidence: float = 0.95) -> float:
    """Return how many items give a share's Wald interval this half width."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    return deff * z * z * share * (1 - share) / half_width**2


def _scale_density(scale: float, df: float) -> float:
    """Return the density of an estimated deviation over the true one: the root of a mean chi-squared."""
    return exp(log(2) + df / 2 * log(df / 2) - lgamma(df / 2) + (df - 1) * log(scale) - df * scale * scale / 2)
