"""Whether an item that tests something in particular was answered right. Higher is better."""

from collections.abc import Sequence

from judge.metrics.bounds import Bounds
from judge.metrics.counts import has_failed
from judge.schema.items import ItemTest
from judge.schema.labels import Label
from judge.schema.outcomes import Outcome, Unjudged

SIGNAL_OF = {
    ItemTest.TEMPORAL: "R_temporal",
    ItemTest.SUPERSESSION: "R_supersession",
    ItemTest.SYNTHESIS: "K_synthesis",
}
"""Which signal an item with this test feeds."""


def all_supported(propositions: Sequence[Outcome]) -> float | None:
    """Return 1 if every proposition is supported, 0 if one is judged anything else.

    None without propositions, while one has failed, and while only ones that were never asked stand between the item and 1.
    """
    bounds = all_supported_bounds(propositions)
    if bounds is None or any(map(has_failed, propositions)):
        return None
    return bounds.low if bounds.low == bounds.high else None


def all_supported_bounds(propositions: Sequence[Outcome]) -> Bounds | None:
    """Return the value with what is unjudged not supported, and supported; None without propositions."""
    if not propositions:
        return None
    judged = [outcome.label for outcome in propositions if not isinstance(outcome, Unjudged)]
    if any(label is not Label.SUPPORTED for label in judged):
        return Bounds(0.0, 0.0)
    return Bounds(float(len(judged) == len(propositions)), 1.0)
