"""Signals of one item about conflicting and misleading material. Higher is better in all of them."""

from collections.abc import Sequence

from judge.metrics.bounds import Bounds
from judge.metrics.counts import AnyOutcome, count_outcomes, has_failed
from judge.schema.labels import AbstentionValue, Label
from judge.schema.outcomes import Outcome, Unjudged

_HALF = 0.5
"""What resisting all decoys is worth by the option of half credit where none of them is named."""


def conflict_resolved(current: Outcome, superseded: Sequence[Outcome]) -> bool | None:
    """Return whether the answer supports the current statement and no superseded one.

    One supported superseded statement, or a verdict other than supported on the current one, decides it (False) whatever
    is unjudged; otherwise anything unjudged leaves it open (None).
    """
    if any(_is_supported(outcome) for outcome in superseded):
        return False
    if not isinstance(current, Unjudged) and not _is_supported(current):
        return False
    return None if any(isinstance(outcome, Unjudged) for outcome in (current, *superseded)) else True


def conflict_resolution(resolved: Sequence[bool | None], sides: Sequence[Outcome]) -> float | None:
    """Return the share of an item's conflicts that are resolved.

    None without conflicts, while one is open, and while any of the `sides` of them all has failed, decided or not.
    """
    bounds = conflict_resolution_bounds(resolved)
    return None if bounds is None or None in resolved or any(map(has_failed, sides)) else bounds.low


def conflict_resolution_bounds(resolved: Sequence[bool | None]) -> Bounds | None:
    """Return the share of resolved conflicts with every open one as unresolved, and as resolved; None without conflicts."""
    if not resolved:
        return None
    yes, still_open = resolved.count(True), resolved.count(None)
    return Bounds(yes / len(resolved), (yes + still_open) / len(resolved))


def engaged(answerable: bool | None, propositions: Sequence[Outcome], abstention: AbstentionValue | None) -> bool | None:
    """Return whether the answer does what the question calls for, so that resisting noise is worth something.

    An unanswerable question calls for abstaining wholly, any other for at least one supported proposition. None while that
    is open for lack of verdicts, and where there is no proposition to support.
    """
    if answerable is False:
        return None if abstention is None else abstention is AbstentionValue.ABSTAINED
    if any(_is_supported(outcome) for outcome in propositions):
        return True
    return None if not propositions or any(isinstance(outcome, Unjudged) for outcome in propositions) else False


def noise_resistance(engaged: bool | None, decoys: Sequence[Outcome], tells: Sequence[AnyOutcome]) -> float | None:
    """Return 0 for an answer that is not engaged, else the share of decoys it does not adopt (support).

    None without decoys, while a decoy or one of the `tells` of engagement has failed, and while what was never asked could
    change the value.
    """
    bounds = noise_resistance_bounds(engaged, decoys)
    if bounds is None or any(map(has_failed, (*decoys, *tells))):
        return None
    return bounds.low if bounds.low == bounds.high else None


def noise_resistance_bounds(engaged: bool | None, decoys: Sequence[Outcome]) -> Bounds | None:
    """Return noise resistance with every unjudged decoy adopted, and with none; None without decoys.

    Where engagement is open, the low end takes it as missing and the high end as given.
    """
    if not decoys:
        return None
    counts = count_outcomes(decoys)
    unjudged = counts.failed + counts.not_asked
    low = (len(decoys) - counts.supported - unjudged) / len(decoys) if engaged is True else 0.0
    high = 0.0 if engaged is False else (len(decoys) - counts.supported) / len(decoys)
    return Bounds(low, high)


def half_credit(plain: float | None, decoys: Sequence[Outcome]) -> float | None:
    """Return noise resistance by the option that an answer which names no decoy earns half of it.

    `plain` is `noise_resistance` of the same decoys. A decoy is named where the answer supports or contradicts it, so adopting one
    names it too. None where `plain` is None, whose reasons leave this open as well; 0 stays 0. Never above `plain`.
    """
    # With a plain value either every decoy is judged, or the answer is not engaged and the value is 0 whatever is named.
    return plain if plain is None or any(map(_is_named, decoys)) else plain * _HALF


def half_credit_bounds(plain: Bounds, decoys: Sequence[Outcome]) -> Bounds:
    """Return between what half credit lies, from the plain bounds of the same decoys.

    Once a decoy is named they are the plain ones. Until then the low end is the worse of two: every unjudged decoy adopted, or none
    named at all, which is worth one half; the high end has an unjudged decoy named and rejected, and where none is unjudged is half.
    """
    if any(map(_is_named, decoys)):
        return plain
    has_unjudged = any(isinstance(outcome, Unjudged) for outcome in decoys)
    return Bounds(min(plain.low, _HALF), plain.high if has_unjudged else min(plain.high, _HALF))


def _is_named(outcome: Outcome) -> bool:
    return not isinstance(outcome, Unjudged) and outcome.label is not Label.NOT_ADDRESSED


def _is_supported(outcome: Outcome) -> bool:
    return not isinstance(outcome, Unjudged) and outcome.label is Label.SUPPORTED
