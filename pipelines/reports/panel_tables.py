"""What the judges of a panel say, each for itself and compared, as tables of a run's reports."""

from collections.abc import Iterator

from judge.schema.labels import Label
from judge.schema.panels import PanelSummary
from pipelines.reports.audit_parts import figure_cells
from pipelines.reports.numbers import format_count, format_number, format_rate
from pipelines.reports.table import Column, Table

SHOWN = 10
"""Disputed statements in a report; the file of votes holds all."""

_TEXT = 120


def panel_tables(panel: PanelSummary | None) -> Iterator[Table]:
    """Yield the tables of a panel: its judges, how they agree, and where they differ. None for a run of one judge."""
    if panel is None:
        return
    yield _member_table(panel)
    yield _agreement_table(panel)
    if panel.disputed:
        yield _disputed_table(panel)


def _member_table(panel: PanelSummary) -> Table:
    columns = (
        Column("judge"),
        *(Column(label.replace("_", " "), numeric=True) for label in Label),
        *(Column(name, numeric=True) for name in ("unjudged", "own recall", "own contradiction")),
    )
    rows = tuple(
        (
            member.spec,
            *(format_count(member.labels[label]) for label in Label),
            format_count(member.unjudged),
            format_number(member.metrics.get("R_proposition")),
            format_number(member.metrics.get("C_contradiction")),
        )
        for member in panel.members
    )
    needed = "more than half of all judges" if panel.rule == "majority" else "all judges"
    note = f"A verdict of the panel takes {needed}; otherwise it is unjudged, no_majority. Every vote stands in panel.jsonl."
    return Table(f"Panel of {len(panel.members)} judges ({panel.rule})", columns, rows, note)


def _agreement_table(panel: PanelSummary) -> Table:
    columns = (Column("agreement of the judges", wraps=True), *(Column(name, numeric=True) for name in ("value", "95 % interval", "n")))
    rows = [
        ("all give one label", format_rate(panel.unanimous), "", ""),
        ("the panel has a verdict", format_rate(panel.decided), "", ""),
        ("Krippendorff's alpha, statements", *figure_cells(panel.krippendorff_alpha)),
        ("Krippendorff's alpha, abstention", *figure_cells(panel.abstention_alpha)),
    ]
    for pair in panel.pairs:
        name = f"{pair.first} and {pair.second}: Cohen's kappa"
        rows.append((name, format_number(pair.cohen_kappa), "", format_count(pair.n)))
    note = "Agreement of judges is not agreement with people: judges may share an error. The n of an interval counts questions."
    return Table("Agreement within the panel", columns, tuple(rows), note)


def _disputed_table(panel: PanelSummary) -> Table:
    columns = (Column("item"), Column("statement", wraps=True), Column("judges", wraps=True), Column("panel"))
    rows = tuple(
        (
            each.item_id,
            each.text if len(each.text) <= _TEXT else f"{each.text[: _TEXT - 1]}…",
            "; ".join(f"{judge}: {word.replace('_', ' ')}" for judge, word in each.votes.items()),
            each.panel.replace("_", " "),
        )
        for each in panel.disputed[:SHOWN]
    )
    return Table("Statements on which the judges differ", columns, rows)
