"""Bounds on metrics that decide the exit code."""

from collections.abc import Iterable
from difflib import get_close_matches

from judge.errors import ConfigError
from judge.schema.crux import CruxSummary, SessionMetric, Spread
from judge.schema.manifests import GateResult
from judge.schema.summaries import CompositeSummary, DerivedSummary, MetricSummary, Summary
from judge.scorecard import METRICS
from judge.standard.composites import COMPOSITES
from judge.standard.derived import DERIVATIONS
from judge.standard.fundamentals import FUNDAMENTALS
from judge.standard.stated import STATED_BASES
from pipelines.config import RunConfig

KNOWN = tuple(dict.fromkeys((*METRICS, *FUNDAMENTALS, *DERIVATIONS, *COMPOSITES)))
"""Every name that a gate can be set on; what a run does not measure is null there."""

_SYMBOL_OF = {fundamental.key: fundamental.symbol for fundamental in FUNDAMENTALS.values()}
"""By JSON key, which names its unit too and may stand for the symbol."""


def check_gates(config: RunConfig) -> None:
    """Raise ConfigError for a gate on an unknown metric, and for any gate while the judge is not named.

    A key that expired must not turn a gate into noise by letting the baseline speak.
    """
    check_gate_names(config)
    if config.has_gate and config.judge is None:
        raise ConfigError("a gate needs a named judge: give --judge MODEL, or --judge lexical if the offline baseline is meant")


def check_gate_names(config: RunConfig) -> None:
    """Raise ConfigError for a gate on an unknown metric."""
    if unknown := [name for name in (*config.fail_under, *config.fail_over) if _SYMBOL_OF.get(name, name) not in KNOWN]:
        raise ConfigError("\n".join(f"no metric is named {name}{_closest(name)}; gates can be set on {_WHAT}" for name in unknown))


_WHAT = "fundamentals, derived values, composites and over_abstention_rate, which `judge metrics` lists"


def _closest(name: str) -> str:
    folded = {known.lower(): known for known in KNOWN}
    near = [folded[found] for found in get_close_matches(name.lower(), folded, n=3, cutoff=0.6)]
    return f"; the closest is {', then '.join(near)}" if near else ""


def gate_results(summary: Summary | CruxSummary, config: RunConfig) -> tuple[GateResult, ...]:
    """Return every gate with the value it was held against; a null metric misses its gate."""
    return (*_results(summary, config.fail_under.items(), "fail_under"), *_results(summary, config.fail_over.items(), "fail_over"))


def statistic_of(name: str, summary: Summary) -> str:
    """Say what kind of number a gate is held against."""
    if name in COMPOSITES:
        return "composite"
    if name not in DERIVATIONS:
        return "mean over items" if _is_of_items(name, summary) else "from the run record"
    derived = summary.derived.get(name)
    if derived is not None and derived.basis is not None:
        return "from the run record"
    return "derived"


def why_null(name: str, summary: Summary | CruxSummary) -> str | None:
    """Return why a number that a gate is set on has no value; None where it has one. Without a run record most have none."""
    found = _found(name, summary)
    if found is None:
        return "no_run_record" if isinstance(summary, Summary) else "not_of_a_session"
    return found.reason if found.value is None else None


def _is_of_items(name: str, summary: Summary) -> bool:
    return name in METRICS and summary.metrics[name].basis not in STATED_BASES


_Found = MetricSummary | SessionMetric | DerivedSummary | CompositeSummary | Spread


def _found(name: str, summary: Summary | CruxSummary) -> _Found | None:
    symbol = _SYMBOL_OF.get(name, name)
    return summary.metrics.get(symbol) or summary.derived.get(symbol) or summary.composite.get(symbol)


def _results(summary: Summary | CruxSummary, gates: Iterable[tuple[str, float]], kind: str) -> Iterable[GateResult]:
    for metric, threshold in gates:
        found = _found(metric, summary)
        value = found.value if found is not None else None
        met = value is not None and (value >= threshold if kind == "fail_under" else value <= threshold)
        yield GateResult(metric=metric, kind=kind, threshold=threshold, value=value, met=met)
