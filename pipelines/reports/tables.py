"""The tables that every report shows, in cells of unescaped text."""

from collections.abc import Iterator

from judge.schema.rates import Rate
from judge.schema.summaries import CompositeSummary, DerivedSummary, DiagnosticSummary, MetricSummary, Scorecard, Summary
from judge.scorecard import METRICS
from judge.standard.stated import STATED_BASES
from pipelines.reports.layers import by_layer
from pipelines.reports.numbers import NOT_AVAILABLE, format_bounds, format_count, format_interval, format_number, format_rate
from pipelines.reports.table import Column, Table

HEADLINE = (
    "R_proposition",
    "C_contradiction",
    "Q_proposition",
    "A_abstention",
    "over_abstention_rate",
    "R_judge",
    "Q_reasoning",
    "Q_combined_v1_5",
)
"""Always shown, in this order within a layer, measured or not; any other metric is shown where it applies to an item."""

LOWER_IS_BETTER = ("C_contradiction", "over_abstention_rate")


def metric_table(summary: Summary) -> Table:
    """Return the metrics by layer: in each the headline ones, then the others that apply to this run."""
    columns = (
        Column("metric"),
        Column("layer"),
        Column("value", numeric=True),
        Column("95 % interval", numeric=True),
        Column("method"),
        Column("n", numeric=True),
        Column("nulls", numeric=True),
        Column("pooled", numeric=True),
    )
    rows = tuple(_metric_row(name, value) for name, value in _shown_metrics(summary))
    return Table("Metrics", columns, rows, f"Lower is better for {' and '.join(LOWER_IS_BETTER)}, higher for the others.")


_Known = MetricSummary | DerivedSummary | CompositeSummary


def _shown_metrics(summary: Summary) -> list[tuple[str, _Known]]:
    return by_layer(_applying_metrics(summary))


def _applying_metrics(summary: Summary) -> Iterator[tuple[str, _Known]]:
    for name in HEADLINE:
        known = summary.metrics.get(name) or summary.derived.get(name) or summary.composite.get(name)
        if known is not None:
            yield name, known
    for name, metric in summary.metrics.items():
        if name in METRICS and name not in HEADLINE and (metric.n or metric.nulls or metric.basis):
            yield name, metric


def _metric_row(name: str, metric: _Known) -> tuple[str, ...]:
    head = (name, metric.layer, format_number(metric.value))
    if isinstance(metric, CompositeSummary):
        return (*head, "", "composite", "", "", "")
    if isinstance(metric, DerivedSummary):
        return (*head, "", metric.basis or "derived", "", "", "")
    if metric.basis in STATED_BASES:
        return (*head, "", metric.basis, "", "", "")
    pooled = "" if metric.pooled is None else format_rate(metric.pooled)
    interval = format_interval(None if metric.value is None else metric.ci95)
    return (*head, interval, metric.ci_method or "", format_count(metric.n), format_count(metric.nulls), pooled)


def metric_notes(summary: Summary) -> tuple[str, ...]:
    """Say why a shown value is missing, on what it rests, and between what it lies where items are not fully judged."""
    return tuple(note for name, metric in _shown_metrics(summary) if (note := _metric_note(name, metric)))


def _metric_note(name: str, metric: _Known) -> str:
    parts = []
    if metric.value is None:
        parts.append(f"{NOT_AVAILABLE}, {metric.reason or 'no reason given'}")
    if isinstance(metric, MetricSummary) and metric.nulls and metric.bounds is not None:
        parts.append(f"{format_interval(metric.bounds)} with what is unjudged at its worst and at its best")
    elif not isinstance(metric, MetricSummary) and metric.value is None and metric.bounds is not None:
        parts.append(f"{format_bounds(metric.bounds)} whatever the missing values are")
    if isinstance(metric, MetricSummary) and metric.basis is not None:
        parts.append(_BASES.get(metric.basis, f"basis {metric.basis}"))
    return f"{name}: {'; '.join(parts)}" if parts else ""


_BASES = {
    "answer": "basis answer, the gaps that the answers admit",
    "trace": "basis trace, what the session did by the run record",
    "given": "given by the run record",
    "sources": "basis sources, every marked item listed some",
    "reference": "basis reference, no marked item listed sources",
}


def diagnostic_table(diagnostics: dict[str, DiagnosticSummary]) -> Table | None:
    """Return the numbers that feed nothing, or None where there are none; what is missing says why."""
    columns = (Column("diagnostic"), Column("value", numeric=True), Column("n", numeric=True), Column("version"), Column("note"))
    rows = tuple(
        (name, format_number(each.value), format_count(each.n), each.version, each.reason or "") for name, each in diagnostics.items()
    )
    return Table("Diagnostics", columns, rows, "Of the answers (llm); they feed no other number.") if rows else None


def coverage_table(coverage: dict[str, Rate]) -> Table:
    """Return what share of the questions to the judge has a verdict, by signal."""
    rows = tuple((name, format_rate(rate)) for name, rate in coverage.items())
    return Table("Coverage", (Column("signal"), Column("judged", numeric=True)), rows)


def unjudged_table(unjudged: dict[str, int]) -> Table | None:
    """Return the reasons for missing verdicts, the most frequent first, or None where nothing failed."""
    ranked = sorted(unjudged.items(), key=lambda pair: (-pair[1], pair[0]))
    rows = tuple((reason, format_count(count)) for reason, count in ranked if count)
    return Table("Unjudged", (Column("reason"), Column("count", numeric=True)), rows) if rows else None


def agent_table(by_agent: dict[str, Scorecard], cap: int) -> Table | None:
    """Return up to `cap` agents, highest recall first and unknown recall last, or None where no agent is named."""
    columns = (
        Column("agent"),
        Column("items", numeric=True),
        Column("unjudged", numeric=True),
        Column("recall", numeric=True),
        Column("95 % interval", numeric=True),
        Column("contradiction", numeric=True),
        Column("quality", numeric=True),
        Column("abstention", numeric=True),
        Column("mark", numeric=True),
    )
    ranked = sorted(by_agent.items(), key=_agent_rank)
    rows = tuple(_agent_row(name, scorecard) for name, scorecard in ranked[:cap])
    left = len(ranked) - len(rows)
    notes = [f"{format_count(left)} more in summary.json."] if left else []
    if any(NOT_AVAILABLE in row[1:] for row in rows):
        notes.append("Why a value is n/a stands in summary.json.")
    return Table("By agent", columns, rows, " ".join(notes) or None) if rows else None


def _agent_rank(pair: tuple[str, Scorecard]) -> tuple[bool, float, str]:
    recall = _value(pair[1], "R_proposition")
    return (recall is None, -(recall or 0.0), pair[0])


def _agent_row(name: str, scorecard: Scorecard) -> tuple[str, ...]:
    recall = scorecard.metrics.get("R_proposition")
    shown = ("C_contradiction", "Q_proposition", "A_abstention", "R_judge")
    return (
        name,
        format_count(scorecard.items.total),
        format_count(scorecard.items.partly_judged + scorecard.items.unjudged),
        format_number(_value(scorecard, "R_proposition")),
        format_interval(recall.ci95 if recall else None),
        *(format_number(_value(scorecard, metric)) for metric in shown),
    )


def _value(scorecard: Scorecard, name: str) -> float | None:
    known = scorecard.metrics.get(name) or scorecard.derived.get(name)
    return None if known is None else known.value
