"""The numbers of a run by the standard: what was judged, joined with what a run record states."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from judge.schema.run_records import RunRecord
from judge.schema.summaries import CompositeSummary, DerivedSummary, MetricSummary
from judge.standard.composites import COMPOSITES, WEIGHTS, compose
from judge.standard.derived import ALWAYS_DERIVED, DERIVATIONS, derive, possible_values
from judge.standard.fundamentals import FUNDAMENTALS, layer_of
from judge.standard.given import Range, is_same
from judge.standard.measured import Measured, as_measured, measured_metrics
from judge.standard.nulls import NullPolicy

_COVERAGE = "A_coverage"


class RunValues(NamedTuple):
    """Metrics, derived values and composites of a run; `warnings` name what a run record states in vain."""

    metrics: dict[str, MetricSummary]
    derived: dict[str, DerivedSummary]
    composite: dict[str, CompositeSummary]
    warnings: tuple[str, ...]


class Conflict(NamedTuple):
    """A derived value that a run record states, and the fundamentals of its own, by symbol, that allow others only."""

    symbol: str
    given: float
    inputs: dict[str, float]
    allowed: Range


def run_values(metrics: Mapping[str, MetricSummary], record: RunRecord | None, policy: NullPolicy) -> RunValues:
    """Return the numbers of a run. What it measured wins over its record, except for A_coverage, of which the session knows more."""
    if record is None:
        derived = derive(measured_metrics(metrics), policy)
        unknown = {
            symbol: DerivedSummary(value=None, inputs={}, reason="no_run_record", bounds=(0.0, 1.0), layer=layer_of(symbol))
            for symbol in DERIVATIONS
            if symbol not in ALWAYS_DERIVED
        }
        composite = compose({}, {**derived, **unknown})
        return RunValues(
            dict(metrics),
            {symbol: derived[symbol] for symbol in ALWAYS_DERIVED},
            {name: composite[name] for name in WEIGHTS},
            (),
        )
    joined = _joined(metrics, record)
    inputs = measured_metrics(joined)
    derived = derive(inputs, policy, record.derived)
    warnings = (
        *_outweighed(metrics, record),
        *unused_derived(inputs, derived, Stated("the run record", "run", record.derived)),
        *too_slow(derived),
    )
    composite = compose(inputs, derived)
    return RunValues(
        joined,
        {symbol: derived[symbol] for symbol in (*ALWAYS_DERIVED, *(name for name in derived if name not in ALWAYS_DERIVED))},
        {name: composite[name] for name in COMPOSITES},
        warnings,
    )


def conflicts(record: RunRecord) -> Iterator[Conflict]:
    """Yield each derived value of a record that its own fundamentals do not allow, whatever the null policy."""
    stated = as_measured(_fundamentals(record))
    derived = derive(stated, "strict")
    for symbol, allowed in possible_values(stated, derived).items():
        given = record.derived.get(symbol)
        if given is not None and allowed is not None and not allowed.allows(given):
            inputs = {name: value for name, value in derived[symbol].inputs.items() if value is not None}
            yield Conflict(symbol, given, inputs, allowed)


def _fundamentals(record: RunRecord) -> dict[str, float | None]:
    """Return the stated fundamentals; in an automated run nobody corrects."""
    stated = dict(record.fundamentals)
    if record.automated and stated.get("N_corrections") is None:
        stated["N_corrections"] = 0.0
    return stated


def _joined(metrics: Mapping[str, MetricSummary], record: RunRecord) -> dict[str, MetricSummary]:
    """Return the metrics of the run in their order, then the other fundamentals in that of the standard."""
    joined = dict(metrics)
    stated = _fundamentals(record)
    for symbol in FUNDAMENTALS:
        value = stated.get(symbol)
        if value is None and symbol not in joined:
            joined[symbol] = MetricSummary(value=None, n=0, nulls=0, reason="not_measured", layer=layer_of(symbol))
        elif value is not None and (symbol == _COVERAGE or not _is_measured(joined.get(symbol))):
            basis = "trace" if symbol == _COVERAGE else "given" if record.fundamentals.get(symbol) is not None else "automated"
            joined[symbol] = MetricSummary(value=value, n=0, nulls=0, bounds=(value, value), layer=layer_of(symbol), basis=basis)
    return joined


def _is_measured(metric: MetricSummary | None) -> bool:
    return metric is not None and metric.n + metric.nulls > 0


def _outweighed(metrics: Mapping[str, MetricSummary], record: RunRecord) -> Iterator[str]:
    for symbol, given in record.fundamentals.items():
        metric = metrics.get(symbol)
        if given is None or metric is None or not _is_measured(metric) or is_same(given, metric.value):
            continue
        found = f"n/a ({metric.reason})" if metric.value is None else f"{metric.value:.6g}"
        if symbol == _COVERAGE:
            yield f"{symbol} is {given:.6g} by the session in the run record (basis trace); the answers alone give {found}"
        else:
            yield f"the run record's {symbol} {given:.6g} is not used: this run measured {found}"


class Stated(NamedTuple):
    """Derived values that a user states: where, and of what (a run, a session), in words."""

    where: str
    of: str
    values: Mapping[str, float | None]


def unused_derived(inputs: Mapping[str, Measured], derived: Mapping[str, DerivedSummary], stated: Stated) -> Iterator[str]:
    """Yield why a stated derived value does not count: another one is computed, or what was measured does not allow it."""
    possible = possible_values(inputs, derived)
    for symbol in DERIVATIONS:
        given, found, allowed = stated.values.get(symbol), derived[symbol], possible[symbol]
        if given is not None and found.basis is not None and symbol == "C_efficiency":
            yield f"{stated.where}'s C_efficiency {given:.6g} enters no composite: while C_tokens is null those with cost are null"
        if given is None or found.basis is not None or is_same(given, found.value):
            continue
        unused = f"{stated.where}'s {symbol} {given:.6g} is not used"
        if found.value is not None:
            yield f"{unused}: computed from the numbers of this {stated.of} it is {found.value:.6g}"
        elif allowed is None:
            yield f"{unused}: the numbers of this {stated.of} allow no value ({found.reason})"
        else:
            yield f"{unused}: the numbers of this {stated.of} allow {allowed.in_words()}"


def too_slow(derived: Mapping[str, DerivedSummary]) -> Iterator[str]:
    """Yield that orientation took longer than the task, which leaves V_orient without a value."""
    orient = derived["V_orient"]
    if orient.reason == "orient_exceeds_task":
        inputs = orient.inputs
        yield f"T_orient ({inputs['T_orient']:g} s) exceeds T_task ({inputs['T_task']:g} s), so V_orient has no value"
