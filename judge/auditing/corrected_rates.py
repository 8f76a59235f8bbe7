"""One rate corrected by each method: the estimate with its interval, or why there is none."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from math import fsum, sqrt
from typing import NamedTuple

from judge.auditing.item_labels import Counts, ItemLabels, against_rest
from judge.auditing.labelled_samples import MIN_DOCUMENTS, MIN_EXAMPLES, LabelledRows, one_against_rest, two_label_sample
from judge.schema.calibrations import ScoredItem
from judge.schema.figures import Figure
from judge.statistics.interval import Interval
from judge.statistics.matrix_correction import Covariance, MatrixCorrection, clustered_covariance, correct_shares, summed
from judge.statistics.prediction_powered import Clusters, Scores, clustered_powered_interval, powered_mean
from judge.statistics.rogan_gladen import lee_interval, rogan_gladen
from judge.statistics.student_t import student_t_quantile

MAX_CONDITION = 20.0

ONE_CLUSTER = "one_cluster"
FEW_LABELS = "too_few_labels"
POOR_JUDGE = "judge_too_poor"
NO_ITEMS = "no_judged_items"
ALL_LABELLED = "all_labelled"
DOES_NOT_FIT = "calibration_does_not_fit"

FEW_WITH_LABEL = 15
"""In fewer documents than these a label is rare: the spread between so few is known badly."""

_CONFIDENCE = 0.95


class Estimated(NamedTuple):
    """An estimate that is not clipped, its interval, and what it rests on; or the reason why there is none."""

    value: float | None
    interval: Interval | None = None
    reason: str | None = None

    def figure(self, n: int) -> Figure:
        """Return what a summary shows of it: the value within [0, 1], the interval as it is."""
        if self.value is None:
            return Figure(value=None, n=n, reason=self.reason)
        low_high = None if self.interval is None else (self.interval.low, self.interval.high)
        method = None if self.interval is None else self.interval.method
        return Figure(value=min(1.0, max(0.0, self.value)), n=n, ci95=low_high, ci_method=method, reason=self.reason)


class MatrixMethod:
    """The shares of all labels by inverting the confusion matrix, solved once for a labelled sample and a run's judged labels."""

    def __init__(self, sample: LabelledRows, judged: Mapping[str, Counts]) -> None:
        """Hold both; nothing is computed before it is asked for."""
        self._sample = sample
        self._judged = judged

    def estimate(self, place: int) -> Estimated:
        """Return the share of one label with a clustered t interval; its degrees of freedom are those of the smaller sample of clusters.

        The reason is `too_few_labels`, `judge_too_poor` (the label cannot be told from the rest, or the condition number is above 20),
        `no_judged_items`, `calibration_does_not_fit` (no share in [0, 1] is within the interval), or of a missing interval `one_cluster`.
        Where a label is rare the interval is widened to that of Lee et al. as well, method `matrix-lee-cluster-t`.
        """
        if why := why_not(self._sample, place, self._judged):
            return Estimated(None, reason=why)
        if self._found is None or self._found.condition > MAX_CONDITION:
            return Estimated(None, reason=POOR_JUDGE)
        share = self._found.shares[place]
        if self._covariance is None:
            return Estimated(share, reason=ONE_CLUSTER)
        half_width = _quantile(self._sample, self._judged) * sqrt(self._covariance[place][place])
        interval = Interval(share - half_width, share + half_width, "matrix-cluster-t")
        return _fitting(Estimated(share, self._widened(interval, place) if self._is_rare(place) else interval))

    def _is_rare(self, place: int) -> bool:
        """Return whether a label, or any other one, was given in so few documents that their spread says little of it."""
        people = [rows[place] for rows in self._sample.documents.values()]
        both = [(counts[place], fsum(counts) - counts[place]) for counts in self._judged.values()]
        seen = (sum(fsum(row) > 0 for row in people), sum(own > 0 for own, _ in both), sum(rest > 0 for _, rest in both))
        return min(seen) < FEW_WITH_LABEL

    def _widened(self, interval: Interval, place: int) -> Interval:
        """Return what an interval and that of Lee et al., the label against the rest, hold together: theirs has a width always."""
        found = two_label_sample(one_against_rest(self._sample, place), against_rest(self._judged, place))
        other = None if found is None else lee_interval(found, quantile=_quantile(self._sample, self._judged))
        if other is None:
            return interval
        return Interval(min(interval.low, other.low), max(interval.high, other.high), "matrix-lee-cluster-t")

    @cached_property
    def _found(self) -> MatrixCorrection | None:
        return correct_shares(self._sample.total, summed(self._judged.values()))

    @cached_property
    def _covariance(self) -> Covariance | None:
        return clustered_covariance(self._sample.documents, self._judged)


def by_rogan_gladen(sample: LabelledRows, judged: Mapping[str, Counts]) -> Estimated:
    """Return the share of the first of two labels with the interval of Lee et al., sizes divided by the design effect of clusters.

    Quantiles are those of t for the smaller sample of clusters. Reasons as for the matrix.
    """
    if why := why_not(sample, 0, judged):
        return Estimated(None, reason=why)
    found = two_label_sample(sample, judged)
    assert found is not None, "both labels and judged things were seen"
    if len(judged) < 2:
        return Estimated(rogan_gladen(found), reason=ONE_CLUSTER)
    interval = lee_interval(found, quantile=_quantile(sample, judged))
    return _fitting(Estimated(rogan_gladen(found), None if interval is None else interval._replace(method="lee-cluster-t")))


def by_ppi(labelled: Sequence[ScoredItem], items: Sequence[ItemLabels]) -> Estimated:
    """Return the mean recall by PPI++ from labelled items that were drawn from these; each item counts on one side only.

    The reason is `too_few_labels` below 10 items or 5 clusters, `all_labelled` where no item is left for the judge alone.
    """
    if len(labelled) < MIN_EXAMPLES or len({item.cluster for item in labelled}) < MIN_DOCUMENTS:
        return Estimated(None, reason=FEW_LABELS)
    known = {item.item for item in labelled}
    others = [item for item in items if item.item not in known]
    if not others:
        return Estimated(None, reason=ALL_LABELLED)
    scores = Scores([item.human for item in labelled], [item.judged for item in labelled], [item.shares[0] for item in others])
    clusters = Clusters([item.cluster for item in labelled], [item.cluster for item in others])
    interval = clustered_powered_interval(scores, clusters)
    return Estimated(powered_mean(scores).mean, interval, None if interval is not None else ONE_CLUSTER)


def why_not(sample: LabelledRows, place: int, judged: Mapping[str, Counts]) -> str | None:
    """Return why a sample cannot correct the share of a label; None where it can."""
    if not judged:
        return NO_ITEMS
    if sample.too_few:
        return FEW_LABELS
    informed = sample.informed[place]
    return POOR_JUDGE if informed is None or informed.is_too_poor else None


def _fitting(found: Estimated) -> Estimated:
    """Return an estimate, or none where no share in [0, 1] is within its interval: then the judge did not err as it did on the labels."""
    value, interval = found.value, found.interval
    if value is None or interval is None or 0 <= value <= 1:
        return found
    is_apart = interval.high <= 0 if value < 0 else interval.low >= 1
    return Estimated(None, reason=DOES_NOT_FIT) if is_apart else found


def _quantile(sample: LabelledRows, judged: Mapping[str, Counts]) -> float:
    return student_t_quantile((1 + _CONFIDENCE) / 2, min(len(sample.documents), len(judged)) - 1)
