"""The sub-metrics of the five diagnostic dimensions, and how a dimension is scored. The definitions are this project's own."""

from collections.abc import Mapping
from math import fsum
from typing import NamedTuple

from judge.schema.diagnostics import Basis, Dimension, Kind, NullReason, SubMetric
from judge.standard.formulas import share

DIAGNOSTICS_VERSION = "diagnostics-v1"


class SubMetricRule(NamedTuple):
    """What a sub-metric is, in words, and whether it enters the score of its dimension."""

    kind: Kind
    formula: str
    lower_is_better: bool = False


SUB_METRICS: dict[str, dict[str, SubMetricRule]] = {
    "retrieval": {
        "triage_precision": SubMetricRule("ratio", "signal documents opened / documents opened"),
        "recall": SubMetricRule("ratio", "signal documents opened / signal documents that exist"),
        "search_efficiency": SubMetricRule("ratio", "unique queries / searches"),
        "query_refinement_rate": SubMetricRule("ratio", "searches that refine the previous query / (searches - 1)"),
        "time_to_first_signal": SubMetricRule("turns", "turn of the first signal document opened"),
        "first_signal_share": SubMetricRule("ratio", "turn of the first signal document opened / turns", lower_is_better=True),
    },
    "reasoning": {
        "deduction_accuracy": SubMetricRule("ratio", "correct conclusions / conclusions stated"),
        "false_lead_resistance": SubMetricRule("ratio", "1 - false leads followed / false leads met"),
        "synthesis_events": SubMetricRule("count", "conclusions that cite two or more documents"),
        "hypothesis_formation": SubMetricRule("count", "hypotheses stated"),
    },
    "problem_solving": {
        "dependency_aware_ordering": SubMetricRule(
            "ratio", "(Kendall's tau-b of attempted against optimal order + 1) / 2; 1 with one objective"
        ),
        "code_challenge_pass_rate": SubMetricRule("ratio", "code challenges passed / attempted"),
        "elevator_key_derivation": SubMetricRule("ratio", "1 if the elevator key was derived, else 0"),
        "elevator_key_turns": SubMetricRule("turns", "turn in which the elevator key was derived"),
    },
    "efficiency": {
        "turns_per_objective": SubMetricRule("per_objective", "turns / objectives solved"),
        "tokens_per_objective": SubMetricRule("per_objective", "tokens / objectives solved"),
        "idle_turn_ratio": SubMetricRule("ratio", "turns with no tool call and no finding / turns", lower_is_better=True),
        "tool_call_success_rate": SubMetricRule("ratio", "successful tool calls / tool calls"),
    },
    "memory": {
        "pre_wipe_preparation": SubMetricRule("ratio", "stored facts that were needed later / facts needed later"),
        "recovery_rate": SubMetricRule("ratio", "facts recovered after a wipe / facts stored before it"),
        "cross_floor_recall": SubMetricRule("ratio", "facts of earlier floors used / facts of earlier floors needed"),
        "wipe_detection_speed": SubMetricRule("turns", "turns from the wipe to its first mention"),
    },
}
"""By dimension and name, in the order in which they are shown."""


class Reading(NamedTuple):
    """A value with what it was made of in words; without a value the reason."""

    value: float | None
    made_of: str
    reason: NullReason | None = None
    basis: Basis | None = None


NOT_RECORDED = Reading(None, "neither events nor raw values say", "not_recorded")


def ratio(part: int, whole: int, words: str, empty: NullReason, basis: Basis = "events") -> Reading:
    """Return part / whole as '2 of 5 documents opened are signal' (`words` follow the numbers); nothing to divide by is a null."""
    value = share(part, whole)
    return Reading(value, f"{part} of {whole} {words}", None if value is not None else empty, basis)


def dimension_of(name: str, readings: Mapping[str, Reading]) -> Dimension:
    """Return a dimension scored from the readings of its sub-metrics; one that is not among them was not recorded."""
    found = {metric: _sub_metric(rule, readings.get(metric, NOT_RECORDED)) for metric, rule in SUB_METRICS[name].items()}
    parts = [metric.contribution for metric in found.values() if metric.contribution is not None]
    return Dimension(
        score=fsum(parts) / len(parts) if parts else None,
        reason=None if parts else "no_ratio_measured",
        n=len(parts),
        sub_metrics=found,
    )


def _sub_metric(rule: SubMetricRule, reading: Reading) -> SubMetric:
    return SubMetric(
        value=reading.value,
        reason=reading.reason,
        kind=rule.kind,
        lower_is_better=rule.lower_is_better,
        contribution=_contribution(rule, reading.value),
        basis=reading.basis,
        made_of=reading.made_of,
    )


def _contribution(rule: SubMetricRule, value: float | None) -> float | None:
    if rule.kind != "ratio" or value is None:
        return None
    return 1.0 - value if rule.lower_is_better else value
