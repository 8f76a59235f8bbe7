"""Rates as judged and corrected for judge error, side by side."""

from collections.abc import Iterator

from judge.schema.corrections import CorrectedRate, Correction, LabelledSample
from judge.schema.figures import Figure
from pipelines.counting import counted
from pipelines.reports.numbers import NOT_AVAILABLE, format_interval, format_number
from pipelines.reports.table import Column, Table

_METHODS = {"matrix": "matrix", "rogan_gladen": "Rogan-Gladen", "ppi": "PPI++"}


def corrected_table(correction: Correction) -> Table:
    """Return the corrected rates beside those as judged, then the recall by every method; a missing one says why."""
    columns = (
        Column("rate"),
        Column("as judged", numeric=True),
        Column("95 % interval", numeric=True),
        Column("corrected", numeric=True),
        Column("95 % interval", numeric=True),
        Column("method"),
    )
    rows = [
        *(_rate_row(name, rate) for name, rate in correction.rates.items()),
        *(_rate_row(f"{name}, pooled", rate) for name, rate in correction.pooled.items()),
        *_method_rows(correction),
    ]
    return Table("Corrected for judge error", columns, tuple(rows), _note(correction.sample))


def _rate_row(name: str, rate: CorrectedRate) -> tuple[str, ...]:
    method = _words(rate.corrected.reason or "") if rate.method is None else _METHODS[rate.method]
    if rate.unclipped is not None:
        method += f" ({rate.unclipped:.3f})"
    return (name, *_numbers(rate.raw), *_numbers(rate.corrected), method)


def _method_rows(correction: Correction) -> Iterator[tuple[str, ...]]:
    shown = correction.rates["R_proposition"].method
    for method, figure in correction.recall_by_method.items():
        if method != shown and figure.value is not None:
            yield ("R_proposition, otherwise", "", "", *_numbers(figure), _METHODS[method])


def _numbers(figure: Figure) -> tuple[str, str]:
    return format_number(figure.value), NOT_AVAILABLE if figure.value is None else format_interval(figure.ci95)


def _note(sample: LabelledSample) -> str:
    labels = ", ".join(f"{count:g} {_words(label)}" for label, count in sample.labels.items())
    youden = "" if sample.youden.value is None else f"; J {sample.youden.value:.2f} ({format_interval(sample.youden.ci95)})"
    condition = "" if sample.condition is None else f"; condition number {sample.condition:.1f}"
    drawn = "drawn from this run" if sample.drawn_from_this_run else "not drawn from this run"
    documents = f"in {counted(sample.documents, 'document')}"
    if sample.weighted:
        # How many rows people labelled is not in a calibration; only their weights are.
        labelled = f"statements {documents} labelled by people, weighted to stand for {sample.statements:g} ({labels})"
    else:
        labelled = f"{sample.statements:g} statements {documents} labelled by people ({labels})"
    return f"By {sample.calibration.name}: {labelled}, {drawn}{youden}{condition}."


def _words(name: str) -> str:
    return name.replace("_", " ")
