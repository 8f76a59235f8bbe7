"""The sub-metrics of the five diagnostic dimensions, and how a dimension is scored. The definitions are this project's own."""

from collections.abc import Mapping
from math import fsum
from typing import NamedTuple

from judge.schema.diagnostics import Basis, Dimension, Kind, NullReason, SubMetric
from judge.standard.formulas import share

DIAGNOSTICS_VERSION = "diagnostics-v1"


class SubMetricRule(NamedTuple):
    """What kind of number a sub-metric is; ratios enter the score of their dimension, as 1 - x where lower is better."""

    kind: Kind
    lower_is_better: bool = False


_RATIO = SubMetricRule("ratio")
_LOWER = SubMetricRule("ratio", lower_is_better=True)
_TURNS, _COUNT, _PER_OBJECTIVE = SubMetricRule("turns"), SubMetricRule("count"), SubMetricRule("per_objective")

SUB_METRICS: dict[str, dict[str, SubMetricRule]] = {
    "retrieval": {
        "triage_precision": _RATIO,
        "recall": _RATIO,
        "search_efficiency": _RATIO,
        "query_refinement_rate": _RATIO,
        "time_to_first_signal": _TURNS,
        "first_signal_share": _LOWER,
    },
    "reasoning": {
        "deduction_accuracy": _RATIO,
        "false_lead_resistance": _RATIO,
        "synthesis_events": _COUNT,
        "hypothesis_formation": _COUNT,
    },
    "problem_solving": {
        "dependency_aware_ordering": _RATIO,
        "code_challenge_pass_rate": _RATIO,
        "elevator_key_derivation": _RATIO,
        "elevator_key_turns": _TURNS,
    },
    "efficiency": {
        "turns_per_objective": _PER_OBJECTIVE,
        "tokens_per_objective": _PER_OBJECTIVE,
        "idle_turn_ratio": _LOWER,
        "tool_call_success_rate": _RATIO,
    },
    "memory": {
        "pre_wipe_preparation": _RATIO,
        "recovery_rate": _RATIO,
        "cross_floor_recall": _RATIO,
        "wipe_detection_speed": _TURNS,
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
