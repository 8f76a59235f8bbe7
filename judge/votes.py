"""Several repeats of one question as one outcome: strict majority for words, lower median for marks."""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from judge.schema.labels import UnjudgedReason
from judge.schema.outcomes import AbstentionOutcome, MarkOutcome, Outcome, Unjudged

_V = TypeVar("_V")


def majority_outcome(outcomes: Sequence[Outcome]) -> Outcome:
    """Return the first verdict whose label more than half of all repeats gave, else Unjudged `no_majority`."""
    return _majority(outcomes, lambda verdict: verdict.label)


def majority_abstention(outcomes: Sequence[AbstentionOutcome]) -> AbstentionOutcome:
    """Return the first abstention verdict that more than half of all repeats gave, else Unjudged `no_majority`."""
    return _majority(outcomes, lambda verdict: verdict.value)


def median_mark(marks: Sequence[MarkOutcome]) -> MarkOutcome:
    """Return the median mark, of an even number the lower one; Unjudged unless more than half of the repeats gave one."""
    given = sorted((mark for mark in marks if not isinstance(mark, Unjudged)), key=lambda mark: mark.value)
    if 2 * len(given) <= len(marks):
        return next(mark for mark in marks if isinstance(mark, Unjudged))
    return given[(len(given) - 1) // 2]


def _majority(outcomes: Sequence[_V | Unjudged], word: Callable[[_V], Hashable]) -> _V | Unjudged:
    if len(outcomes) == 1:
        return outcomes[0]
    votes = [outcome for outcome in outcomes if not isinstance(outcome, Unjudged)]
    counts = Counter(word(vote) for vote in votes)
    for vote in votes:
        if 2 * counts[word(vote)] > len(outcomes):
            return vote
    if not votes:
        return outcomes[0]
    shown = ", ".join(f"{count} {label}" for label, count in sorted(counts.items(), key=str))
    return Unjudged(reason=UnjudgedReason.NO_MAJORITY, detail=f"of {len(outcomes)} repeats: {shown}, {len(outcomes) - len(votes)} unjudged")
