"""How far two orders of the same things agree."""

from collections.abc import Sequence
from itertools import combinations
from math import sqrt


def kendall_tau_b(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return Kendall's tau-b of two rankings in -1..1, position by position; None where a ranking ties everything or is empty.

    tau-b = (concordant - discordant) / sqrt(pairs not tied in the first x pairs not tied in the second). Kendall, The treatment of
    ties in ranking problems, Biometrika 33 (1945).
    """
    balance = untied_first = untied_second = 0
    for (a, x), (b, y) in combinations(zip(first, second, strict=True), 2):
        left, right = (a > b) - (a < b), (x > y) - (x < y)
        balance += left * right
        untied_first += left != 0
        untied_second += right != 0
    whole = sqrt(untied_first * untied_second)
    # Rounding of the root may reach beyond the ends by the last digit.
    return min(max(balance / whole, -1.0), 1.0) if whole else None


def ordering_score(attempted: Sequence[float], optimal: Sequence[float]) -> float | None:
    """Return (tau-b + 1) / 2 in 0..1; 1 for one objective, None for none or where an order ties all of them."""
    if len(attempted) == 1:
        return 1.0
    tau = kendall_tau_b(attempted, optimal)
    return None if tau is None else (tau + 1.0) / 2.0
