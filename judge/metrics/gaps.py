"""Whether an answer admits what the sources do not say. Higher is better."""

from collections.abc import Sequence

from judge.metrics.bounds import Bounds
from judge.metrics.counts import count_outcomes
from judge.schema.outcomes import Outcome


def coverage_awareness(gaps: Sequence[Outcome]) -> float | None:
    """Return the share of an item's gaps that the answer supports, and so admits; None without gaps or with one unjudged."""
    counts = count_outcomes(gaps)
    return counts.supported / len(gaps) if gaps and counts.judged == len(gaps) else None


def coverage_awareness_bounds(gaps: Sequence[Outcome]) -> Bounds | None:
    """Return the share of admitted gaps with every unjudged one as not admitted, and as admitted; None without gaps."""
    if not gaps:
        return None
    counts = count_outcomes(gaps)
    unjudged = len(gaps) - counts.judged
    return Bounds(counts.supported / len(gaps), (counts.supported + unjudged) / len(gaps))
