"""How many labels of people a wanted interval takes, with a judge to help and without."""

from math import ceil, sqrt
from statistics import NormalDist

from judge.schema.plans import LabelPlan
from judge.statistics.planning import share_size
from judge.statistics.rogan_gladen import TwoLabels, rogan_gladen, smoothed, split_budget, youden

_Z = NormalDist().inv_cdf(0.975)
_LEAST_YOUDEN = 0.1
_MARGIN = 0.05


def expected_recall(sample: TwoLabels) -> float:
    """Return the recall that a plan reckons with: the corrected one, kept 0.05 away from 0 and 1, where no interval has a width."""
    return min(1 - _MARGIN, max(_MARGIN, rogan_gladen(smoothed(sample, _Z)) or 0.0))


def human_only(recall: float, width: float, deff: float) -> LabelPlan:
    """Return how many statements people must label where no judge helps, by Wald's width; `recall` in (0, 1)."""
    return LabelPlan(statements=ceil(share_size(recall, width / 2, deff=deff)), deff=deff)


def corrected_labels(sample: TwoLabels, width: float, deff: float) -> LabelPlan:
    """Return how many statements people must label to correct a run by them, and how many of each label.

    `sample` holds the run's judged share with its effective size (very large where the run is not known) and the judge's errors with the
    effective sizes of the pilot that they are known from. The width is by the delta method, the split of Lee et al. (arXiv 2511.21140).
    """
    pilot = min(sample.negatives, sample.positives)
    seen = smoothed(sample, _Z)
    theta = expected_recall(sample)
    informed = youden(seen)
    if informed <= _LEAST_YOUDEN:
        return LabelPlan(statements=None, deff=deff, reason="judge_too_poor")
    own = seen.share * (1 - seen.share) / sample.n
    narrowest = 2 * _Z * sqrt(own) / informed
    room = (width / (2 * _Z) * informed) ** 2 - own
    if room <= 0:
        return LabelPlan(statements=None, deff=deff, narrowest=narrowest, reason="run_too_small")
    split = split_budget(1.0, seen._replace(specificity=sample.specificity, sensitivity=sample.sensitivity), pilot)
    negative = (1 - theta) ** 2 * seen.specificity * (1 - seen.specificity) / split.negatives
    positive = theta**2 * seen.sensitivity * (1 - seen.sensitivity) / split.positives
    labels = deff * (negative + positive) / room
    positives, negatives = ceil(labels * split.positives), ceil(labels * split.negatives)
    drawn = ceil(max(positives / theta, negatives / (1 - theta)))
    return LabelPlan(
        statements=positives + negatives, positives=positives, negatives=negatives, drawn=drawn, deff=deff, narrowest=narrowest
    )
