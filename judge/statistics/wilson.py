"""The interval of a proportion over independent units."""

from math import sqrt
from statistics import NormalDist

from judge.statistics.interval import Interval


def wilson_interval(successes: float, n: int, confidence: float = 0.95) -> Interval | None:
    """Return Wilson's score interval of `successes` out of `n`, within [0, 1]; None when n is 0.

    `successes` need not be whole: a mean of partial successes is treated as a proportion.
    Raises ValueError unless 0 <= successes <= n and 0 < confidence < 1.
    """
    if not (0.0 <= successes <= n and 0.0 < confidence < 1.0):
        raise ValueError(f"needs 0 <= successes <= n and 0 < confidence < 1, got {successes} of {n} at {confidence}")
    if n == 0:
        return None
    z = NormalDist().inv_cdf((1.0 + confidence) / 2)
    share = successes / n
    scale = 1.0 + z * z / n
    centre = (share + z * z / (2 * n)) / scale
    half_width = z / scale * sqrt(share * (1.0 - share) / n + z * z / (4 * n * n))
    # At 0 and at n the formula gives the end point itself, up to rounding.
    low = 0.0 if successes == 0 else max(0.0, centre - half_width)
    high = 1.0 if successes == n else min(1.0, centre + half_width)
    return Interval(low, high, "wilson")
