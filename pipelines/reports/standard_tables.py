"""The tables of the scoring standard: what is derived from metrics, the composites, and what a run record states."""

from collections.abc import Iterator

from judge.schema.summaries import CompositeSummary, DerivedSummary, Summary
from judge.scorecard import METRICS
from judge.standard.fundamentals import FUNDAMENTALS, Unit, layer_of
from judge.standard.stated import STATED_BASES
from pipelines.reports.layers import by_layer
from pipelines.reports.numbers import format_bounds, format_count, format_number, format_significant, format_two_decimals
from pipelines.reports.profiles import profiles_in_words
from pipelines.reports.table import Column, Table


def derived_table(summary: Summary) -> Table | None:
    """Return each derived value by layer, followed by its inputs, or None where there are none; what is missing says why."""
    columns = (
        Column("derived"),
        Column("layer"),
        Column("input"),
        Column("value", numeric=True),
        Column("bounds", numeric=True),
        Column("note"),
    )
    rows = tuple(row for name, derived in by_layer(summary.derived.items()) for row in _derived_rows(summary, name, derived))
    return Table("Derived", columns, rows) if rows else None


def _derived_rows(summary: Summary, name: str, derived: DerivedSummary) -> Iterator[tuple[str, ...]]:
    yield (name, derived.layer, "", format_number(derived.value), _bounds(derived), derived.basis or derived.reason or "")
    for symbol, value in derived.inputs.items():
        yield ("", "", symbol, _number(symbol, value), "", _note(summary, symbol, value))


def _bounds(found: DerivedSummary | CompositeSummary) -> str:
    """Say between what a number lies; 'exact' where that is its value, nothing where it lies nowhere."""
    if found.reason == "orient_exceeds_task":
        return ""
    is_exact = found.value is not None and found.bounds is not None and found.bounds[0] == found.bounds[1]
    return "exact" if is_exact else format_bounds(found.bounds)


def _note(summary: Summary, symbol: str, value: float | None) -> str:
    """Say why an input has no value, or that a run record gave it."""
    known = summary.metrics.get(symbol) or summary.derived.get(symbol) or summary.composite.get(symbol)
    if value is None:
        return (known.reason if known is not None else None) or "not_measured"
    basis = None if known is None or isinstance(known, CompositeSummary) else known.basis
    return basis if basis in STATED_BASES else ""


def composite_table(summary: Summary) -> Table | None:
    """Return each composite followed by what it is made of, or None where there are none."""
    columns = (
        Column("composite"),
        Column("made of"),
        Column("weight", numeric=True),
        Column("value", numeric=True),
        Column("bounds", numeric=True),
        Column("note"),
    )
    rows = tuple(row for name, composite in summary.composite.items() for row in _composite_rows(summary, name, composite))
    note = (
        f"{_layers(summary)} {profiles_in_words(summary.composite)} A missing component leaves its weight to the others. The bounds give "
        "it its full weight and every value it could have, so a value over fewer components may lie outside of them."
    )
    return Table("Composites", columns, rows, note) if rows else None


def _layers(summary: Summary) -> str:
    """Say which components speak of the language model and which of the agent."""
    by_layer: dict[str, list[str]] = {}
    for symbol in dict.fromkeys(symbol for composite in summary.composite.values() for symbol in composite.components):
        by_layer.setdefault(layer_of(symbol), []).append(symbol)
    parts = [f"{layer} ({', '.join(symbols)})" for layer, symbols in by_layer.items()]
    return f"Composites combine the layers {' and '.join(parts)}."


def _composite_rows(summary: Summary, name: str, composite: CompositeSummary) -> Iterator[tuple[str, ...]]:
    if composite.factors is None:
        yield (name, "", "", format_number(composite.value), _bounds(composite), composite.reason or "")
        for symbol, value in composite.components.items():
            reason = composite.reasons.get(symbol) or _note(summary, symbol, value)
            yield ("", symbol, format_count(composite.weights[symbol]), format_number(value), "", reason)
        total = sum(composite.weights.values())
        yield ("", "active weight", f"{composite.active_weight_sum} of {total}", "", "", "")
        yield ("", "redistributed", format_count(composite.redistributed_weight), "", "", "")
        return
    note = composite.reason or f"{composite.unit}, {composite.band}"
    yield (name, "", "", format_two_decimals(composite.value), _bounds(composite), note)
    for factor, value in composite.factors.items():
        yield ("", factor, "", format_number(value), "", _note(summary, _STATED_AS.get(factor, factor), value))


_STATED_AS = {"T_human_minutes": "T_human", "correction_factor": "N_corrections"}
"""From which fundamental a factor is made that has another name."""


def given_table(summary: Summary) -> Table | None:
    """Return by layer what only a run record can state, or None without one; the note names what it leaves open."""
    others = {symbol: metric for symbol, metric in summary.metrics.items() if symbol not in METRICS}
    if not others:
        return None
    columns = (Column("metric"), Column("layer"), Column("value", numeric=True), Column("unit"), Column("basis"))
    rows = tuple(
        (symbol, metric.layer, _number(symbol, metric.value), FUNDAMENTALS[symbol].unit, metric.basis or "")
        for symbol, metric in by_layer(others.items())
        if metric.value is not None
    )
    missing = [symbol for symbol, metric in others.items() if metric.value is None]
    return Table("Given by the run record", columns, rows, f"Not measured: {', '.join(missing)}." if missing else None)


def _number(symbol: str, value: float | None) -> str:
    unit: Unit = FUNDAMENTALS[symbol].unit if symbol in FUNDAMENTALS else "ratio"
    return format_number(value) if unit == "ratio" or value is None else format_significant(value)
