"""What it takes to know more: labels for a wanted interval, questions for a wanted difference."""

from judge.schema.figures import Figure
from judge.schema.record import Record


class LabelPlan(Record):
    """How many statements people must label so that the 95 % interval of the recall is as wide as wanted; rounded up.

    Of `statements` so many are `positives` and `negatives` by people's labels; `drawn` is how many must be drawn at random to hold
    both. `deff` is the design effect of clusters by which a number of independent statements was multiplied. `narrowest` is the width
    that no number of labels gets below. Numbers are None where none suffices; `reason` says why.
    """

    statements: int | None
    positives: int | None = None
    negatives: int | None = None
    drawn: int | None = None
    deff: float
    narrowest: float = 0.0
    reason: str | None = None


class ComparisonPlan(Record):
    """What a comparison of two runs on the same questions can detect, two-sided at 5 % with power 0.8.

    `questions` are those with a recall in both runs, or in the one; `left_out` have it in one of two only. `deviation` is the standard
    deviation of the paired differences, `assumed` where there is one run. `detectable` is the smallest true difference; `difference` is
    the one found, first less second, with its p.
    """

    questions: int
    left_out: int
    deviation: float | None
    assumed: bool
    deff: float
    detectable: float | None
    difference: Figure | None = None
    p: float | None = None
    reason: str | None = None


class Plan(Record):
    """A plan from a run, a calibration, or both. `width` is that of the whole interval, between 0 and 1.

    `statements_in_run` bounds what can be labelled there. `recall` is the expected one, in [0, 1]; sensitivity and specificity are the
    judge's on labelled statements, or assumed, as `assumptions` then say.
    """

    format: int = 1
    audit: str = "plan"
    run: str | None
    statements_in_run: int | None
    against: str | None
    calibration: str | None
    width: float
    recall: float
    sensitivity: float
    specificity: float
    human_only: LabelPlan
    corrected: LabelPlan
    comparison: ComparisonPlan | None
    assumptions: tuple[str, ...]
    disclosure: str
