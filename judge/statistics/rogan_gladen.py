"""The true share of a label, from a judge's share and its known errors: the case of two labels."""

from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

from judge.statistics.interval import Interval


class TwoLabels(NamedTuple):
    """A judge's positive share among `n` things, and how it did on things that people labelled.

    `sensitivity` is the share of `positives` human-positive things that it called positive, `specificity` that of `negatives`
    human-negative ones that it called negative; shares are in [0, 1], and all three numbers are positive.
    """

    share: float
    n: float
    specificity: float
    negatives: float
    sensitivity: float
    positives: float


def youden(sample: TwoLabels) -> float:
    """Return J = sensitivity + specificity - 1, between -1 and 1: 0 for a judge without information."""
    return sample.sensitivity + sample.specificity - 1


def youden_interval(sample: TwoLabels, confidence: float = 0.95) -> Interval:
    """Return the interval of J, method `wald-smoothed`: one success and one failure are added to each side, so it has a width always."""
    smooth = smoothed(sample, _z(confidence))
    half_width = _z(confidence) * sqrt(_variance(smooth.specificity, smooth.negatives) + _variance(smooth.sensitivity, smooth.positives))
    return Interval(youden(smooth) - half_width, youden(smooth) + half_width, "wald-smoothed")


def rogan_gladen(sample: TwoLabels) -> float | None:
    """Return (share + specificity - 1) / J, not clipped to [0, 1] (Rogan and Gladen 1978); None where J is 0."""
    return (sample.share + sample.specificity - 1) / youden(sample) if youden(sample) else None


def rogan_gladen_variance(sample: TwoLabels) -> float | None:
    """Return the variance of `rogan_gladen` by the delta method, for independent things; None where J is 0."""
    theta = rogan_gladen(sample)
    return None if theta is None else _delta_variance(sample, theta)


def lee_interval(sample: TwoLabels, confidence: float = 0.95, *, quantile: float | None = None) -> Interval | None:
    """Return the interval of Lee et al. (arXiv 2511.21140) within [0, 1], method `lee`; None where the smoothed J is 0.

    Shares are drawn towards the middle and the centre is shifted against bias, so it need not hold the point estimate. `quantile`
    stands in for the normal one, such as that of t where samples are few clusters.
    """
    z = _z(confidence) if quantile is None else quantile
    smooth = smoothed(sample, z)
    theta = rogan_gladen(smooth)
    if theta is None:
        return None
    gain = theta * _variance(smooth.sensitivity, smooth.positives) - (1 - theta) * _variance(smooth.specificity, smooth.negatives)
    centre, half_width = theta + 2 * z * z * gain, z * sqrt(_delta_variance(smooth, theta))
    return Interval(_clip(centre - half_width), _clip(centre + half_width), "lee")


class BudgetSplit(NamedTuple):
    """How many human-negative and human-positive things to label."""

    negatives: float
    positives: float


def split_budget(labels: float, sample: TwoLabels, pilot: float) -> BudgetSplit:
    """Return the best split of `labels` for a judge's positive share and its errors seen on `pilot` things a side (Lee et al.).

    Not rounded. Where the judge calls everything or nothing positive, all labels go to that side.
    """
    if sample.share <= 0:
        return BudgetSplit(labels, 0.0)
    ratio = (pilot * (1 - sample.specificity) + 1) / (pilot * (1 - sample.sensitivity) + 1)
    positives = labels / (1 + (1 / sample.share - 1) * sqrt(ratio))
    return BudgetSplit(labels - positives, positives)


def smoothed(sample: TwoLabels, z: float) -> TwoLabels:
    """Return shares drawn towards the middle, as Lee et al. do: z^2 things to the judge's share, two to each side of people's labels."""
    return TwoLabels(
        share=(sample.n * sample.share + z * z / 2) / (sample.n + z * z),
        n=sample.n + z * z,
        specificity=(sample.negatives * sample.specificity + 1) / (sample.negatives + 2),
        negatives=sample.negatives + 2,
        sensitivity=(sample.positives * sample.sensitivity + 1) / (sample.positives + 2),
        positives=sample.positives + 2,
    )


def _delta_variance(sample: TwoLabels, theta: float) -> float:
    observed = _variance(sample.share, sample.n)
    negative, positive = _variance(sample.specificity, sample.negatives), _variance(sample.sensitivity, sample.positives)
    return (observed + (1 - theta) ** 2 * negative + theta**2 * positive) / youden(sample) ** 2


def _variance(share: float, n: float) -> float:
    return share * (1 - share) / n


def _z(confidence: float) -> float:
    return NormalDist().inv_cdf((1 + confidence) / 2)


def _clip(value: float) -> float:
    return min(1.0, max(0.0, value))
