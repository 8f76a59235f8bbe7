"""Several judges as one: what they say of the same question, by majority or unanimity of all of them."""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TypeVar

from judge.schema.labels import PanelRule, UnjudgedReason
from judge.schema.outcomes import AbstentionOutcome, MarkOutcome, Outcome, Unjudged

_V = TypeVar("_V")


def combine_outcomes(judges: Sequence[Mapping[str, Outcome]], rule: PanelRule) -> dict[str, Outcome]:
    """Return the panel's outcome on each statement; every judge was asked about the same ones."""
    return {text: panel_outcome([outcomes[text] for outcomes in judges], rule) for text in judges[0]}


def panel_outcome(votes: Sequence[Outcome], rule: PanelRule) -> Outcome:
    """Return the panel's verdict, as the first judge with that label words it, else Unjudged `no_majority`.

    A judge without a verdict still counts as a member, so that a panel does not shrink to those that answered. The label does
    not depend on the order of the judges.
    """
    return _decided(votes, lambda verdict: verdict.label, rule)


def panel_abstention(votes: Sequence[AbstentionOutcome], rule: PanelRule) -> AbstentionOutcome:
    """Return the panel's word on abstention, by the same rule."""
    return _decided(votes, lambda verdict: verdict.value, rule)


def panel_mark(marks: Sequence[MarkOutcome], rule: PanelRule) -> MarkOutcome:
    """Return the panel's mark: of a majority panel the lower median, where more than half gave one; of a unanimous one the common mark.

    `marks` holds those of the judges that give marks at all, at least one.
    """
    if rule is PanelRule.UNANIMITY or len(marks) == 1:
        return _decided(marks, lambda mark: mark.value, rule)
    given = sorted((mark for mark in marks if not isinstance(mark, Unjudged)), key=lambda mark: mark.value)
    if 2 * len(given) <= len(marks):
        return _undecided(marks, Counter(str(mark.value) for mark in given))
    return given[(len(given) - 1) // 2]


def _decided(votes: Sequence[_V | Unjudged], word: Callable[[_V], Hashable], rule: PanelRule) -> _V | Unjudged:
    if len(votes) == 1:
        return votes[0]
    given = [vote for vote in votes if not isinstance(vote, Unjudged)]
    counts = Counter(word(vote) for vote in given)
    needed = len(votes) if rule is PanelRule.UNANIMITY else len(votes) // 2 + 1
    for vote in given:
        if counts[word(vote)] >= needed:
            return vote
    return _undecided(votes, Counter({str(label): count for label, count in counts.items()}))


def _undecided(votes: Sequence[object], counts: Counter[str]) -> Unjudged:
    """Return why there is no verdict; where no judge has one for the same reason, that reason."""
    failures = [vote for vote in votes if isinstance(vote, Unjudged)]
    if len(failures) == len(votes) and len({failure.reason for failure in failures}) == 1:
        return failures[0]
    shown = ", ".join(f"{count} {label}" for label, count in sorted(counts.items()))
    detail = f"of {len(votes)} judges: {shown or 'no verdict'}, {len(failures)} unjudged"
    return Unjudged(reason=UnjudgedReason.NO_MAJORITY, detail=detail)
