"""Adjusted p values where several differences are tested at once."""

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p values adjusted by Holm (1979), in the order given: below alpha bounds the chance of any false finding."""
    n = len(p_values)
    adjusted, highest = [0.0] * n, 0.0
    for rank, place in enumerate(_ascending(p_values)):
        highest = max(highest, min(1.0, (n - rank) * p_values[place]))
        adjusted[place] = highest
    return adjusted


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Return the p values adjusted by Benjamini and Hochberg (1995), in the order given: bounds the expected share of false findings."""
    n = len(p_values)
    adjusted, lowest = [0.0] * n, 1.0
    for rank, place in reversed(list(enumerate(_ascending(p_values), 1))):
        lowest = min(lowest, p_values[place] * n / rank)
        adjusted[place] = lowest
    return adjusted


def _ascending(p_values: Sequence[float]) -> list[int]:
    if not all(0 <= p <= 1 for p in p_values):
        raise ValueError("expected p values between 0 and 1")
    return sorted(range(len(p_values)), key=p_values.__getitem__)
