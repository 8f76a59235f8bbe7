"""How far two raters agree about the same things."""

from collections import Counter
from collections.abc import Hashable, Sequence


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float | None:
    """Return Cohen's kappa of two raters, (p_o - p_e) / (1 - p_e), between -1 and 1; higher is better.

    p_o is the share of things with one and the same label, p_e the share that the raters' own shares of labels would give by
    chance (Cohen 1960). None when nothing was rated, and when both give one and the same label throughout (p_e is 1).
    Raises ValueError when the raters did not rate the same number of things.
    """
    n = _paired(first, second)
    counts, others = Counter(first), Counter(second)
    by_chance = sum(count * others[label] for label, count in counts.items())
    agreed = sum(one == other for one, other in zip(first, second, strict=True))
    # In whole numbers: whether p_e is 1 must not hang on rounding.
    return None if by_chance == n * n else (n * agreed - by_chance) / (n * n - by_chance)


def f1_score(truth: Sequence[Hashable], found: Sequence[Hashable], positive: Hashable) -> float | None:
    """Return F1 of one label, 2 TP / (2 TP + FP + FN), between 0 and 1; higher is better.

    None when the label occurs on neither side. Raises ValueError when the two are not of the same length.
    """
    _paired(truth, found)
    hits = sum(one == other == positive for one, other in zip(truth, found, strict=True))
    named = sum(one == positive for one in truth) + sum(one == positive for one in found)
    return 2 * hits / named if named else None


def _paired(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    if len(first) != len(second):
        raise ValueError(f"needs one label of each rater for each thing, got {len(first)} and {len(second)}")
    return len(first)
