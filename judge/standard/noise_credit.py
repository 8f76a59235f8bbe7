"""By which rule a noise resistance was made: the plain one, or with half credit where no decoy is named."""

from collections.abc import Mapping

from judge.schema.summaries import MetricSummary

NOISE = "R_noise_resistance"

OPTIONS_VERSION = "options-v1"
"""The definition of the option."""

RESTS_ON_NOISE = frozenset({NOISE, "Q_reasoning", "Q_combined_v1_5", "Cx_community_em"})
"""What may hold it; runs by different rules cannot be ranked by these."""

HALF_CREDIT = "half credit if no decoy is named"
"""The basis of a metric of a run that was made so."""


def has_half_credit(metrics: Mapping[str, MetricSummary]) -> bool | None:
    """Return whether the noise resistance of a run was made with half credit; None where the run measured none."""
    metric = metrics.get(NOISE)
    return None if metric is None or not metric.n + metric.nulls else metric.basis == HALF_CREDIT


def signals_rule(version: str, metrics: Mapping[str, MetricSummary]) -> str:
    """Return the version of the judge signals as a disclosure names it, with the option if it had a part in the metrics."""
    return f"{version} with half credit where no decoy is named ({OPTIONS_VERSION})" if has_half_credit(metrics) else version
