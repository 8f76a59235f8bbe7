"""The tables of a panel of judges: what each said, how far they agree, and where they do not."""

from judge.schema.figures import Figure
from judge.schema.labels import Label, PanelRule
from judge.schema.panels import DisputedStatement, PairAgreement, PanelMember, PanelSummary
from judge.schema.rates import Rate
from pipelines.reports.audit_parts import figure_cells, reason_words
from pipelines.reports.numbers import format_count, format_number, format_rate
from pipelines.reports.table import Column, Table

_METRICS = (("R_proposition", "recall"), ("C_contradiction", "contradiction"), ("R_judge", "mark"))
_LABELS = frozenset(Label)
_TEXT = 120


def panel_tables(panel: PanelSummary) -> tuple[Table, ...]:
    """Return the tables of a panel; that of disputed statements is left out where there are none."""
    tables = (_member_table(panel), _agreement_table(panel), _pair_table(panel))
    return (*tables, _disputed_table(panel)) if panel.disputed else tables


def _member_table(panel: PanelSummary) -> Table:
    columns = (
        Column("no."),
        Column("judge"),
        *(Column(_words(label), numeric=True) for label in Label),
        Column("unjudged", numeric=True),
        *(Column(title, numeric=True) for _, title in _METRICS),
    )
    rows = tuple(_member_row(number, member) for number, member in enumerate(panel.members, start=1))
    needed = "more than half of all judges" if panel.rule is PanelRule.MAJORITY else "all judges"
    note = f"A verdict of the panel takes {needed}, those without a label counted in; otherwise it is unjudged, no_majority. "
    note += "Recall, contradiction and mark are those that each judge would give alone."
    failed = [f"{member.name} {reason_words(member.unjudged_by_reason)}" for member in panel.members if member.unjudged]
    note += f" Unjudged: {'; '.join(failed)}." if failed else ""
    return Table(f"Panel of {len(panel.members)} judges ({panel.rule})", columns, rows, note)


def _member_row(number: int, member: PanelMember) -> tuple[str, ...]:
    labels = (format_count(member.labels[label]) for label in Label)
    metrics = (format_number(member.metrics.get(symbol)) for symbol, _ in _METRICS)
    return (str(number), member.name, *labels, format_count(member.unjudged), *metrics)


def _agreement_table(panel: PanelSummary) -> Table:
    columns = (
        Column("agreement of the judges"),
        Column("value", numeric=True),
        Column("95 % interval", numeric=True),
        Column("n", numeric=True),
        Column("note", wraps=True),
    )
    rows = (
        _rate_row("unanimous statements", panel.unanimous, "all judges gave one label"),
        _rate_row("decided statements", panel.decided, "the panel has a verdict"),
        _alpha_row("alpha, statements", panel.krippendorff_alpha),
        _alpha_row("alpha, abstention", panel.abstention_alpha),
    )
    note = "Krippendorff's alpha: 1 is full agreement, 0 that of chance; its n counts clusters. Agreeing judges may share errors."
    return Table("Agreement within the panel", columns, rows, note)


def _rate_row(name: str, rate: Rate, note: str) -> tuple[str, ...]:
    return name, format_rate(rate), "", format_count(rate.denominator), note


def _alpha_row(name: str, figure: Figure) -> tuple[str, ...]:
    return (name, *figure_cells(figure), figure.reason or "nominal; a judge without a label is a gap")


def _pair_table(panel: PanelSummary) -> Table:
    numbers = {member.name: str(number) for number, member in enumerate(panel.members, start=1)}
    columns = (
        Column("pair"),
        *(Column(name, numeric=True) for name in ("both judged", "agreement", "Cohen's kappa")),
        Column("judges", wraps=True),
    )
    rows = tuple(_pair_row(pair, numbers) for pair in panel.pairs)
    undefined = any(pair.cohen_kappa is None for pair in panel.pairs)
    return Table("Pairs of judges", columns, rows, "Kappa is n/a where both gave one label only, or nothing." if undefined else None)


def _pair_row(pair: PairAgreement, numbers: dict[str, str]) -> tuple[str, ...]:
    values = format_count(pair.n), format_number(pair.agreement), format_number(pair.cohen_kappa)
    return (f"{numbers[pair.first]} and {numbers[pair.second]}", *values, f"{pair.first}, {pair.second}")


def _disputed_table(panel: PanelSummary) -> Table:
    """Return the disputed statements; judges are columns by their numbers, since names are long."""
    columns = (
        Column("item"),
        Column("statement", wraps=True),
        Column("panel", wraps=True),
        *(Column(f"judge {number}", wraps=True) for number in range(1, len(panel.members) + 1)),
    )
    rows = tuple(_disputed_row(statement, panel.members) for statement in panel.disputed)
    left = panel.disputed_statements - len(panel.disputed)
    more = f"{format_count(left)} more. " if left else ""
    return Table("Disputed statements", columns, rows, f"{more}All votes, with quotes and rationales, are in panel.jsonl.")


def _disputed_row(statement: DisputedStatement, members: tuple[PanelMember, ...]) -> tuple[str, ...]:
    text = statement.text if len(statement.text) <= _TEXT else f"{statement.text[: _TEXT - 1]}…"
    return (statement.item_id, text, _word(statement.panel), *(_word(statement.votes[member.name]) for member in members))


def _word(said: str) -> str:
    """Return a label as words; a reason for none says that it is one."""
    return _words(said) if said in _LABELS else f"unjudged: {said}"


def _words(name: str) -> str:
    return name.replace("_", " ")
