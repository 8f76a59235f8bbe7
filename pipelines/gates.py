"""Bounds on metrics that decide the exit code."""

from collections.abc import Iterable

from judge.errors import ConfigError
from judge.schema.manifests import GateResult
from judge.schema.summaries import Summary
from judge.scorecard import DERIVED, METRICS
from pipelines.config import RunConfig


def check_gates(config: RunConfig) -> None:
    """Raise ConfigError for a gate on an unknown metric, and for any gate while the judge is not named.

    A key that expired must not turn a gate into noise by letting the baseline speak.
    """
    known = (*METRICS, *DERIVED)
    if unknown := [name for name in (*config.fail_under, *config.fail_over) if name not in known]:
        raise ConfigError(f"no metric is named {', '.join(unknown)}; gates can be set on {', '.join(known)}")
    if config.has_gate and config.judge is None:
        raise ConfigError("a gate needs a named judge: give --judge MODEL, or --judge lexical if the offline baseline is meant")


def gate_results(summary: Summary, config: RunConfig) -> tuple[GateResult, ...]:
    """Return every gate with the value it was held against; a null metric misses its gate."""
    return (*_results(summary, config.fail_under.items(), "fail_under"), *_results(summary, config.fail_over.items(), "fail_over"))


def _results(summary: Summary, gates: Iterable[tuple[str, float]], kind: str) -> Iterable[GateResult]:
    for metric, threshold in gates:
        found = summary.metrics.get(metric) or summary.derived.get(metric)
        value = found.value if found is not None else None
        met = value is not None and (value >= threshold if kind == "fail_under" else value <= threshold)
        yield GateResult(metric=metric, kind=kind, threshold=threshold, value=value, met=met)
