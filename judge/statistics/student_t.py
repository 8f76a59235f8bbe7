"""Quantiles and tails of Student's t distribution, without a heavy library."""

from math import exp, lgamma, log, pi, sqrt

_RELATIVE_STEP = 1e-12
_TINY = 1e-300


def student_t_quantile(p: float, df: float) -> float:
    """Return the t below which a share `p` of the distribution lies; accurate to 1e-9 for `df` up to a million.

    Raises ValueError unless 0 < p < 1 and df > 0.
    """
    if not (0.0 < p < 1.0 and df > 0.0):
        raise ValueError(f"a t quantile needs 0 < p < 1 and df > 0, got p={p}, df={df}")
    upper = _upper_quantile(min(p, 1.0 - p), df)
    return upper if p > 0.5 else -upper


def student_t_tail(t: float, df: float) -> float:
    """Return the share of the distribution above `t`, which is not negative; accurate to 1e-12.

    Raises ValueError unless t >= 0 and df > 0.
    """
    if not (t >= 0.0 and df > 0.0):
        raise ValueError(f"a t tail needs t >= 0 and df > 0, got t={t}, df={df}")
    return _upper_tail(t, df)


def _upper_quantile(tail: float, df: float) -> float:
    # The upper tail is convex for t > 0, so Newton's steps from the middle approach the solution and never pass it.
    t = 0.0
    while True:
        step = (_upper_tail(t, df) - tail) / _density(t, df)
        t += step
        if step <= _RELATIVE_STEP * t:
            return t


def _density(t: float, df: float) -> float:
    return exp(lgamma((df + 1) / 2) - lgamma(df / 2) - (df + 1) / 2 * log(1 + t * t / df)) / sqrt(df * pi)


def _upper_tail(t: float, df: float) -> float:
    total = df + t * t
    return _incomplete_beta(df / total, t * t / total, df / 2, 0.5) / 2


def _incomplete_beta(x: float, y: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function at x; y = 1 - x is given because subtracting would lose its digits."""
    if y <= 0.0:
        return 1.0
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(y))
    # The fraction converges fast on one side of the mean only; the other side is its mirror image.
    if x < (a + 1) / (a + b + 2):
        return front * _beta_fraction(x, a, b) / a
    return 1.0 - front * _beta_fraction(y, b, a) / b


def _beta_fraction(x: float, a: float, b: float) -> float:
    """Evaluate the continued fraction of the incomplete beta function by Lentz's method."""
    c = 1.0
    d = 1.0 / _away_from_zero(1.0 - (a + b) * x / (a + 1))
    fraction = d
    m = 1
    while True:
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        change = 1.0
        for coefficient in (even, odd):
            d = 1.0 / _away_from_zero(1.0 + coefficient * d)
            c = _away_from_zero(1.0 + coefficient / c)
            change = c * d
            fraction *= change
        if abs(change - 1.0) < 1e-15:
            return fraction
        m += 1


def _away_from_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
