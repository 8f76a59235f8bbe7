"""Proportions of the propositions of one ground truth, or of many pooled together."""

from collections.abc import Iterable

from judge.metrics.bounds import Bounds
from judge.metrics.counts import count_outcomes
from judge.schema.outcomes import Outcome
from judge.schema.rates import Rate


def proposition_recall(outcomes: Iterable[Outcome]) -> Rate:
    """Return supported over judged propositions; unjudged ones are in neither count. Higher is better."""
    counts = count_outcomes(outcomes)
    return Rate(numerator=counts.supported, denominator=counts.judged)


def contradiction_rate(outcomes: Iterable[Outcome]) -> Rate:
    """Return contradicted over judged propositions; unjudged ones are in neither count. Lower is better."""
    counts = count_outcomes(outcomes)
    return Rate(numerator=counts.contradicted, denominator=counts.judged)


def not_addressed_rate(outcomes: Iterable[Outcome]) -> Rate:
    """Return not addressed over judged propositions; unjudged ones are in neither count. Lower is better."""
    counts = count_outcomes(outcomes)
    return Rate(numerator=counts.not_addressed, denominator=counts.judged)


def coverage(outcomes: Iterable[Outcome]) -> Rate:
    """Return verdicts over statements asked; what was never asked is in neither count. Higher is better."""
    counts = count_outcomes(outcomes)
    return Rate(numerator=counts.judged, denominator=counts.asked)


def recall_bounds(outcomes: Iterable[Outcome]) -> Bounds | None:
    """Return proposition recall with every failed outcome as not supported, and as supported; None if nothing was asked."""
    counts = count_outcomes(outcomes)
    if not counts.asked:
        return None
    return Bounds(counts.supported / counts.asked, (counts.supported + counts.failed) / counts.asked)


def contradiction_bounds(outcomes: Iterable[Outcome]) -> Bounds | None:
    """Return the contradiction rate with no failed outcome contradicted, and with all; None if nothing was asked.

    The low end is the better one.
    """
    counts = count_outcomes(outcomes)
    if not counts.asked:
        return None
    return Bounds(counts.contradicted / counts.asked, (counts.contradicted + counts.failed) / counts.asked)


def quality_bounds(outcomes: Iterable[Outcome]) -> Bounds | None:
    """Return the range of Q_proposition = recall x (1 - contradiction rate); None if nothing was asked.

    A supported outcome raises the first factor only and a contradicted one lowers the second only, so the extremes are
    reached with all failed outcomes contradicted, and with all supported.
    """
    given = tuple(outcomes)
    recall, contradiction = recall_bounds(given), contradiction_bounds(given)
    if recall is None or contradiction is None:
        return None
    return Bounds(recall.low * (1.0 - contradiction.high), recall.high * (1.0 - contradiction.low))
