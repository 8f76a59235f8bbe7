"""Whether an answer abstains: what the agent declared, else what the judge found."""

from judge.schema.labels import AbstentionValue
from judge.schema.outcomes import AbstentionOutcome, Unjudged


def abstained(declared: bool | None, outcome: AbstentionOutcome) -> AbstentionValue | None:
    """Return what the answer does: the agent's own flag where there is one, else the verdict; None if unjudged."""
    if declared is not None:
        return AbstentionValue.ABSTAINED if declared else AbstentionValue.ANSWERED
    return None if isinstance(outcome, Unjudged) else outcome.value
