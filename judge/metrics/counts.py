"""How many outcomes of each kind there are: what every proportion is made of."""

from collections.abc import Iterable
from typing import NamedTuple

from judge.schema.labels import NOT_A_FAILURE, Label
from judge.schema.outcomes import AbstentionVerdict, Mark, Outcome, Unjudged, Verdict

AnyOutcome = Verdict | AbstentionVerdict | Mark | Unjudged


class OutcomeCounts(NamedTuple):
    """Outcomes by kind. `failed` were asked and have no verdict; `not_asked` were never asked and count nowhere."""

    supported: int
    contradicted: int
    not_addressed: int
    failed: int
    not_asked: int

    @property
    def judged(self) -> int:
        """Outcomes that are verdicts."""
        return self.supported + self.contradicted + self.not_addressed

    @property
    def asked(self) -> int:
        """Outcomes that should be verdicts."""
        return self.judged + self.failed


def is_asked(outcome: AnyOutcome) -> bool:
    """Return whether a judge should have said something: a verdict, or one that failed."""
    return not (isinstance(outcome, Unjudged) and outcome.reason in NOT_A_FAILURE)


def has_failed(outcome: AnyOutcome) -> bool:
    """Return whether a judge was asked and gave no verdict."""
    return isinstance(outcome, Unjudged) and outcome.reason not in NOT_A_FAILURE


def count_outcomes(outcomes: Iterable[Outcome]) -> OutcomeCounts:
    """Count the outcomes in one pass; nothing gives all zeros."""
    supported = contradicted = not_addressed = failed = not_asked = 0
    for outcome in outcomes:
        # Asked this way round because Python answers an exact type at once.
        if isinstance(outcome, Verdict):
            if outcome.label is Label.SUPPORTED:
                supported += 1
            elif outcome.label is Label.CONTRADICTED:
                contradicted += 1
            else:
                not_addressed += 1
        elif outcome.reason in NOT_A_FAILURE:
            not_asked += 1
        else:
            failed += 1
    return OutcomeCounts(supported, contradicted, not_addressed, failed, not_asked)
