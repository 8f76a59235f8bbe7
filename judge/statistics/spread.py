"""How values of repeated sessions spread."""

from collections.abc import Sequence
from math import fsum, sqrt


def sample_deviation(values: Sequence[float]) -> float | None:
    """Return the standard deviation with n - 1; None below two values."""
    if len(values) < 2:
        return None
    mean = fsum(values) / len(values)
    return sqrt(fsum((value - mean) ** 2 for value in values) / (len(values) - 1))


def percentile(values: Sequence[float], share: float) -> float | None:
    """Return the value below which a share (0..1) of the values lies, interpolated between the two nearest; None without values."""
    if not values:
        return None
    ordered = sorted(values)
    position = share * (len(ordered) - 1)
    below = int(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (position - below)
