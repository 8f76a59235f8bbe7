"""Whether the labels after a change are what a relation expects."""

from collections.abc import Sequence
from typing import NamedTuple

from judge.relations.case import Change, Expectation, Said
from judge.schema.labels import AbstentionValue, Label, UnjudgedReason
from judge.schema.outcomes import AbstentionOutcome, Outcome, Unjudged, Verdict

Word = Label | AbstentionValue | UnjudgedReason
"""What was said of one thing: a label, of an answer as a whole its abstention, or why nothing was."""


class Comparison(NamedTuple):
    """One proposition before and after a change. `violated` is None where what had to be judged was not.

    `proposition` is an id, None for the abstention of the answer.
    """

    proposition: str | None
    before: Word
    after: Word
    violated: bool | None

    @property
    def unjudged(self) -> UnjudgedReason | None:
        """Why there is no comparison; None where there is one."""
        if self.violated is not None:
            return None
        return next(word for word in (self.after, self.before) if isinstance(word, UnjudgedReason))


def compare(change: Change, before: Said, after: Said) -> tuple[Comparison, ...]:
    """Return the comparison of every proposition that the expectation of a change speaks of."""
    if change.expects is Expectation.ABST:
        return (_abstention(change.abstention, before.abstention, after.abstention),)
    return tuple(_comparison(change, name, before, after) for name in compared(change))


def compared(change: Change) -> Sequence[str | None]:
    """Return the ids that the expectation speaks of; a None stands for the answer as a whole."""
    names = [one.id for one in change.case.propositions]
    match change.expects:
        case Expectation.ABST:
            return [None]
        case Expectation.FLIP_C | Expectation.DROP_N:
            return [change.target]
        case Expectation.LOCAL:
            return [name for name in names if name != change.target]
        case Expectation.NOT_S | Expectation.NOT_UP:
            return names if change.target is None else [change.target]
        case _:
            return names


def word_of(outcome: Outcome) -> Label | UnjudgedReason:
    """Return the label of an outcome, or why it has none."""
    return outcome.label if isinstance(outcome, Verdict) else outcome.reason


def abstention_word(outcome: AbstentionOutcome) -> AbstentionValue | UnjudgedReason:
    """Return what the judge says of abstention, or why it says nothing."""
    return outcome.reason if isinstance(outcome, Unjudged) else outcome.value


def _abstention(wanted: AbstentionValue | None, before: AbstentionOutcome, after: AbstentionOutcome) -> Comparison:
    first, second = abstention_word(before), abstention_word(after)
    expected = first if wanted is None else wanted
    is_known = not isinstance(second, UnjudgedReason) and not isinstance(expected, UnjudgedReason)
    return Comparison(None, first, second, second is not expected if is_known else None)


def _comparison(change: Change, name: str | None, before: Said, after: Said) -> Comparison:
    assert name is not None, "a change that aims at a proposition names it"
    first, second = word_of(before.outcomes[name]), word_of(after.outcomes[name])
    return Comparison(name, first, second, _violates(change.expects, first, second))


def _violates(expects: Expectation, before: Word, after: Word) -> bool | None:
    """Return whether two labels break an expectation; None where one that it needs is missing."""
    if isinstance(after, UnjudgedReason):
        return None
    match expects:
        case Expectation.NOT_S:
            return after is Label.SUPPORTED
        case Expectation.FLIP_C:
            return after is not Label.CONTRADICTED
        case Expectation.DROP_N:
            return after is not Label.NOT_ADDRESSED
    if isinstance(before, UnjudgedReason):
        return None
    if expects is Expectation.NOT_UP:
        return after is Label.SUPPORTED and before is not Label.SUPPORTED
    return before is not after
