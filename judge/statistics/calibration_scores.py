"""How well a judge's stated confidence fits how often it is right; each is None without verdicts."""

from collections import defaultdict
from collections.abc import Sequence
from math import fsum, inf, log


def brier_score(confidences: Sequence[float], right: Sequence[bool]) -> float | None:
    """Return the mean squared distance of confidence and outcome, between 0 and 1; lower is better (Brier 1950).

    Raises ValueError where lengths differ or a confidence is not in [0, 1], as do the others here.
    """
    _check(confidences, right)
    return _mean([(confidence - hit) ** 2 for confidence, hit in zip(confidences, right, strict=True)])


def log_loss(confidences: Sequence[float], right: Sequence[bool]) -> float | None:
    """Return the mean -log of the chance given to what happened, in nats; lower is better; None where certain and wrong: infinite."""
    _check(confidences, right)
    chances = [confidence if hit else 1 - confidence for confidence, hit in zip(confidences, right, strict=True)]
    return None if 0 in chances else _mean([-log(chance) for chance in chances])


def expected_calibration_error(confidences: Sequence[float], right: Sequence[bool], bins: int) -> float | None:
    """Return the mean distance of confidence and accuracy over `bins` bins of equal width, weighted by size; lower is better.

    A confidence p lies in bin min(floor(p * bins), bins - 1) (Naeini et al. 2015).
    """
    _check(confidences, right)
    gaps: defaultdict[int, list[float]] = defaultdict(list)
    for confidence, hit in zip(confidences, right, strict=True):
        gaps[min(int(confidence * bins), bins - 1)].append(confidence - hit)
    return fsum(abs(fsum(gap)) for gap in gaps.values()) / len(confidences) if confidences else None


def auc(scores: Sequence[float], positive: Sequence[bool]) -> float | None:
    """Return the chance that a positive scores above a negative, ties counting a half; None where a side is empty."""
    _check(scores, positive, low=-inf, high=inf)
    above = [score for score, is_positive in zip(scores, positive, strict=True) if is_positive]
    below = [score for score, is_positive in zip(scores, positive, strict=True) if not is_positive]
    if not above or not below:
        return None
    return fsum((one > other) + (one == other) / 2 for one in above for other in below) / (len(above) * len(below))


def _check(values: Sequence[float], others: Sequence[bool], low: float = 0.0, high: float = 1.0) -> None:
    if len(values) != len(others):
        raise ValueError(f"two sequences of equal length are needed, got {len(values)} and {len(others)}")
    if not all(low <= value <= high for value in values):
        raise ValueError(f"expected numbers between {low} and {high}")


def _mean(values: list[float]) -> float | None:
    return fsum(values) / len(values) if values else None
