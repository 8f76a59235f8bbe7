"""What two runs on the same questions can show of each other."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from math import fsum, sqrt
from typing import NamedTuple

from judge.auditing.keys import cluster_digest
from judge.schema.figures import Figure
from judge.schema.plans import ComparisonPlan
from judge.schema.results import ItemResult
from judge.statistics.clustering import cluster_t_interval, clustered_standard_error
from judge.statistics.paired import paired_difference
from judge.statistics.planning import minimum_detectable_effect
from judge.statistics.spread import sample_deviation

_RECALL = "R_proposition"


class QuestionScore(NamedTuple):
    """The mean recall of one question's answers, and the cluster that it belongs to."""

    recall: float
    cluster: str


def question_scores(results: Iterable[ItemResult]) -> dict[str, QuestionScore]:
    """Return the mean recall of each question; an item without a question is one of its own, by its id."""
    recalls, clusters = defaultdict[str, list[float]](list), dict[str, str]()
    for result in results:
        recall = result.signals.get(_RECALL)
        if recall is not None:
            question = result.item_id if result.question_id is None else result.question_id
            recalls[question].append(recall)
            clusters.setdefault(question, cluster_digest(result.cluster, result.question_id, result.item_id))
    return {question: QuestionScore(fsum(found) / len(found), clusters[question]) for question, found in recalls.items()}


def one_run(scores: Mapping[str, QuestionScore]) -> ComparisonPlan:
    """Return what a comparison with another such run could detect, if their recalls correlated by 0.5 from question to question.

    Then differences spread as much as single recalls.
    """
    return _plan([score.recall for score in scores.values()], [score.cluster for score in scores.values()], is_assumed=True)


def two_runs(first: Mapping[str, QuestionScore], second: Mapping[str, QuestionScore]) -> ComparisonPlan:
    """Return what the comparison of two runs can detect, and the difference that it found, with its paired test."""
    common = [question for question in first if question in second]
    clusters = [first[question].cluster for question in common]
    pairs = [(first[question].recall, second[question].recall) for question in common]
    differences = [one - other for one, other in pairs]
    plan = _plan(differences, clusters, is_assumed=False)
    found = paired_difference([one for one, _ in pairs], [other for _, other in pairs], clusters)
    update: dict[str, object] = {"left_out": len(first) + len(second) - 2 * len(common)}
    if found is not None:
        # Without variation an interval would claim certainty.
        interval = cluster_t_interval(differences, clusters) if plan.reason is None else None
        ci95 = None if interval is None else (interval.low, interval.high)
        method = None if interval is None else interval.method
        update["difference"] = Figure(value=found.mean, n=found.n, ci95=ci95, ci_method=method, reason=plan.reason)
        update["p"] = found.p
    return plan.model_copy(update=update)


def _plan(values: list[float], clusters: list[str], *, is_assumed: bool) -> ComparisonPlan:
    n, deviation = len(values), sample_deviation(values)
    error = clustered_standard_error(values, clusters)
    deff = 1.0 if not deviation or not error else (error / (deviation / sqrt(n))) ** 2
    reason = None
    if deviation is None or error is None:
        reason = "one_cluster" if n > 1 else "too_few_questions"
    elif deviation == 0:
        reason = "no_variation"
    return ComparisonPlan(
        questions=n,
        left_out=0,
        deviation=deviation,
        assumed=is_assumed,
        deff=deff,
        detectable=None if reason is not None or not deviation else minimum_detectable_effect(deviation, n, deff=deff),
        reason=reason,
    )
