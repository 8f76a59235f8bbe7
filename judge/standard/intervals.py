"""95 % intervals of everything a run has: those of its metrics, and what they leave to what is made from them."""

from collections.abc import Callable, Iterable, Mapping
from math import fsum, prod
from typing import NamedTuple

from judge.schema.leaderboards import Estimate
from judge.schema.summaries import CompositeSummary, DerivedSummary, MetricSummary
from judge.standard.derivation import Known
from judge.standard.derived import DERIVATIONS
from judge.standard.fundamentals import FUNDAMENTALS
from judge.standard.nulls import NullPolicy
from judge.standard.stated import STATED_BASES

EXACT, ENDS_OF_INPUTS = "exact", "ends-of-inputs"

_SECONDS_PER_MINUTE = 60.0


class _Part(NamedTuple):
    """An input by name with its estimate; it has a value."""

    name: str
    estimate: Estimate


def estimates(
    metrics: Mapping[str, MetricSummary],
    derived: Mapping[str, DerivedSummary],
    composite: Mapping[str, CompositeSummary],
    policy: NullPolicy,
) -> dict[str, Estimate]:
    """Return every metric, derived value and composite of a run with its interval."""
    return estimates_from({symbol: estimate_of_metric(symbol, metric) for symbol, metric in metrics.items()}, derived, composite, policy)


def estimates_from(
    fundamentals: Mapping[str, Estimate],
    derived: Mapping[str, DerivedSummary],
    composite: Mapping[str, CompositeSummary],
    policy: NullPolicy,
) -> dict[str, Estimate]:
    """Return every value with its interval, from those of the fundamentals.

    Formulas rise or fall in each input throughout, so that their values at the ends of the inputs' intervals enclose those at all
    that lies between. Such an interval is wide: it supposes that all inputs err together. A stated value is taken as exact. With
    an input that has no interval there is none for what is made of it.
    """
    found = dict(fundamentals)
    for symbol in DERIVATIONS:
        if symbol in derived:
            found[symbol] = _of_derived(symbol, derived[symbol], found, policy)
    for name, value in composite.items():
        found[name] = _of_mean(value, found) if value.factors is None else _of_minutes(value, found)
    return found


def estimate_of_metric(symbol: str, metric: MetricSummary) -> Estimate:
    """Return a metric with its interval, clipped to the range of the metric."""
    if metric.value is None:
        return _missing(metric.reason)
    if metric.basis in STATED_BASES:
        return exact(metric.value)
    if metric.ci95 is None:
        return Estimate(value=metric.value, ci_reason=metric.ci_method or "no_interval")
    low, high = (FUNDAMENTALS[symbol].low, FUNDAMENTALS[symbol].high) if symbol in FUNDAMENTALS else (0.0, 1.0)
    ends = (max(metric.ci95[0], low), min(metric.ci95[1], high))
    return _around(metric.value, ends, metric.ci_method or "unknown")


def exact(value: float) -> Estimate:
    """Return a value that is taken as it is."""
    return Estimate(value=value, ci95=(value, value), ci_method=EXACT)


def _of_derived(symbol: str, derived: DerivedSummary, found: Mapping[str, Estimate], policy: NullPolicy) -> Estimate:
    if derived.value is None:
        return _missing(derived.reason)
    if derived.basis is not None:
        return exact(derived.value)
    derivation = DERIVATIONS[symbol]
    parts = [_named(name, found) for name in derivation.inputs]
    known = [_Part(name, part) for name, part in zip(derivation.inputs, parts, strict=True) if part.value is not None]
    if reason := _without_interval(known):
        return Estimate(value=derived.value, ci_reason=reason)
    rises = [name not in derivation.falling for name in derivation.inputs]
    lows: Known = [_end(part, high=not up) for part, up in zip(parts, rises, strict=True)]
    highs: Known = [_end(part, high=up) for part, up in zip(parts, rises, strict=True)]
    low, high = derivation.value(lows, policy), derivation.value(highs, policy)
    if low is None or high is None:
        return Estimate(value=derived.value, ci_reason="undetermined_at_an_end")
    return _around(derived.value, (low, min(high, derivation.ceiling)), _method(known))


def _of_mean(composite: CompositeSummary, found: Mapping[str, Estimate]) -> Estimate:
    """Return a weighted mean of the components that are there, at the ends of those."""
    if composite.value is None:
        return _missing(composite.reason)
    known = [_Part(name, _named(name, found)) for name in composite.active_components]
    if reason := _without_interval(known):
        return Estimate(value=composite.value, ci_reason=reason)
    total = composite.active_weight_sum
    low, high = (
        fsum(composite.weights[part.name] * (_end(part.estimate, high=is_high) or 0.0) for part in known) / total
        for is_high in (False, True)
    )
    return _around(composite.value, (low, high), _method(known))


def _of_minutes(composite: CompositeSummary, found: Mapping[str, Estimate]) -> Estimate:
    """Return effective minutes at the ends of their factors; a closed gate leaves nothing open."""
    factors = composite.factors or {}
    if composite.value is None:
        return _missing(composite.reason)
    if factors.get("S_gate") == 0:
        return exact(composite.value)
    known = [_Part(name, _factor(name, found)) for name in factors]
    if reason := _without_interval(known):
        return Estimate(value=composite.value, ci_reason=reason)
    low, high = (prod(_end(part.estimate, high=is_high) or 0.0 for part in known) for is_high in (False, True))
    return _around(composite.value, (low, high), _method(known))


def _factor(name: str, found: Mapping[str, Estimate]) -> Estimate:
    """Return a factor of effective minutes; two of them are made of a fundamental of another name."""
    if name == "T_human_minutes":
        return _mapped(_named("T_human", found), lambda seconds: seconds / _SECONDS_PER_MINUTE)
    if name == "correction_factor":
        return _mapped(_named("N_corrections", found), lambda corrections: 1.0 / (1.0 + corrections))
    return _named(name, found)


def _named(name: str, found: Mapping[str, Estimate]) -> Estimate:
    """Return an estimate, or that there is none: what a file says a value is made of need not be in it."""
    return found.get(name, _missing(None))


def _mapped(estimate: Estimate, formula: Callable[[float], float]) -> Estimate:
    if estimate.value is None or estimate.ci95 is None:
        return estimate
    first, second = map(formula, estimate.ci95)
    return estimate.model_copy(update={"value": formula(estimate.value), "ci95": (min(first, second), max(first, second))})


def _end(estimate: Estimate, *, high: bool) -> float | None:
    return None if estimate.ci95 is None else estimate.ci95[high]


def _method(parts: Iterable[_Part]) -> str:
    return EXACT if all(part.estimate.ci_method == EXACT for part in parts) else ENDS_OF_INPUTS


def _without_interval(parts: Iterable[_Part]) -> str | None:
    """Name the inputs that have no interval and why, each once; None where all have one."""
    reasons = [
        reason if (reason := part.estimate.ci_reason or "no_interval").startswith("no interval of ") else f"{part.name} ({reason})"
        for part in parts
        if part.estimate.ci95 is None
    ]
    names = dict.fromkeys(name for reason in reasons for name in reason.removeprefix("no interval of ").split(", "))
    return f"no interval of {', '.join(names)}" if names else None


def _around(value: float, ends: tuple[float, float], method: str) -> Estimate:
    """Return an interval that holds its value whatever rounding did to its ends."""
    return Estimate(value=value, ci95=(min(ends[0], value), max(ends[1], value)), ci_method=method)


def _missing(reason: str | None) -> Estimate:
    return Estimate(value=None, reason=reason or "not_measured")
