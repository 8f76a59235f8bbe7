"""The comparison of two runs as a page."""

from collections.abc import Iterator

from judge.schema.betweens import Between, RunsAgreement, RunsDisagreement, RunWord
from pipelines.reports.audit_parts import COEFFICIENTS, figure_cells, reason_words
from pipelines.reports.numbers import NOT_AVAILABLE, format_bounds, format_count, format_number
from pipelines.reports.page import Page
from pipelines.reports.table import Column, Table

SHOWN = 20
"""Disagreements on the page; `audit.json` holds all of them."""

_FIGURES = (("agreement", "agreement"), *COEFFICIENTS)
_TEXT = 160


def between_page(audit: Between) -> Page:
    """Return the page: in what the judges differ, how far they agree, how far their rates lie apart, and where they differ."""
    return Page(
        title=f"{audit.first.run} and {audit.second.run} side by side",
        facts=tuple(_facts(audit)),
        tables=tuple(_tables(audit)),
        notes=tuple(_notes(audit)),
        warnings=audit.warnings,
        disclosure=audit.disclosure,
    )


def _facts(audit: Between) -> Iterator[tuple[str, str]]:
    if not audit.complete:
        yield "state", "INCOMPLETE: a run judged too little; the figures are of what both judged"
    for name, run in (("first run", audit.first), ("second run", audit.second)):
        yield name, f"{run.run}, judged by {run.judge.spec} under {run.judge.policy}"
    if audit.first.data.sha256 == audit.second.data.sha256:
        yield "data", f"{audit.data.name}, {audit.data.items} items (SHA-256 {audit.data.sha256[:12]}), the same in both runs"
    else:
        each = (f"{run.data.name}, {run.data.items} items (SHA-256 {run.data.sha256[:12]})" for run in (audit.first, audit.second))
        yield "data", "; ".join(each)
    yield "compared", f"{format_count(audit.joined.items)} answers, {format_count(audit.joined.statements)} statements; no call was made"


def _blocks(audit: Between) -> Iterator[tuple[str, RunsAgreement]]:
    blocks = (("propositions", audit.propositions), ("other statements", audit.other_statements), ("abstention", audit.abstention))
    yield from ((name, block) for name, block in blocks if block is not None)


def _tables(audit: Between) -> Iterator[Table]:
    if audit.differs:
        yield _judge_table(audit)
    yield _summary_table(audit)
    for name, block in _blocks(audit):
        yield _confusion_table(name, block)
    yield _rate_table(audit)
    if audit.disagreements:
        yield _disagreement_table(audit)


def _judge_table(audit: Between) -> Table:
    columns = (Column("part"), Column("first run", wraps=True), Column("second run", wraps=True))
    rows = [(each.part, each.first or "none", each.second or "none") for each in audit.differs]
    return Table("In what the judges differ", columns, tuple(rows))


def _summary_table(audit: Between) -> Table:
    blocks = list(_blocks(audit))
    columns = (Column("figure"), *(Column(head, numeric=True) for name, _ in blocks for head in (name, "95 % interval")))
    rows = [("judged by both", *(cell for _, block in blocks for cell in (format_count(block.n), "")))]
    for name, title in _FIGURES:
        rows.append((title, *(cell for _, block in blocks for cell in _cells(block, name))))
    return Table("How far they agree", columns, tuple(rows))


def _cells(block: RunsAgreement, name: str) -> tuple[str, str]:
    interval = block.ci95.get(name)
    return format_number(getattr(block, name)), NOT_AVAILABLE if interval is None else format_bounds(interval)


def _confusion_table(name: str, block: RunsAgreement) -> Table:
    heads = (*(f"second: {word}".replace("_", " ") for word in block.confusion), "specific agreement")
    columns = (Column("first"), *(Column(head, numeric=True) for head in heads))
    rows = [
        (word.replace("_", " "), *(format_count(count) for count in row.values()), format_number(block.by_word[word].specific_agreement))
        for word, row in block.confusion.items()
    ]
    return Table(f"{name}: what the first says and the second", columns, tuple(rows))


def _rate_table(audit: Between) -> Table:
    heads = ("first", "second", "second less first", "95 % interval", "answers", "p")
    columns = (Column("rate"), *(Column(head, numeric=True) for head in heads))
    rows = []
    for rate in audit.rates:
        value, interval, n = figure_cells(rate.difference)
        rows.append((rate.metric, format_number(rate.first), format_number(rate.second), value, interval, n, format_number(rate.p)))
    left_out = audit.rates[0].other_statements
    note = f"{format_count(left_out)} answers are left out: they have other propositions in the other run." if left_out else None
    return Table("Rates, answer by answer", columns, tuple(rows), note)


def _disagreement_table(audit: Between) -> Table:
    wide = ("question and answer", "statement", "first run", "second run")
    columns = (Column("item"), *(Column(head, wraps=True) for head in wide))
    rows = [_disagreement_row(each) for each in audit.disagreements[:SHOWN]]
    rest = len(audit.disagreements) - len(rows)
    note = f"{format_count(rest)} more stand in audit.json, with whole answers." if rest else None
    return Table(f"Where they differ ({format_count(len(audit.disagreements))})", columns, tuple(rows), note)


def _disagreement_row(each: RunsDisagreement) -> tuple[str, ...]:
    asked = _short(each.answer) if each.question is None else f"{_short(each.question)} / {_short(each.answer)}"
    return (each.item_id, asked, _short(each.statement), _said(each.first), _said(each.second))


def _said(word: RunWord) -> str:
    quote = "" if word.quote is None else f' "{_short(word.quote)}"'
    why = f" ({_short(word.rationale)})" if word.rationale else ""
    return f"{word.label.replace('_', ' ')}{quote}{why}"


def _short(text: str) -> str:
    return text if len(text) <= _TEXT else f"{text[: _TEXT - 1]}…"


def _notes(audit: Between) -> Iterator[str]:
    yield "Neither run is taken to be right. Intervals are clustered by document or question; p is that of flipping the signs of clusters."
    yield "Kappa, pi and alpha take out chance agreement; where one label dominates, read them beside AC1."
    yield from _left_out(audit)
    for name, block in _blocks(audit):
        if block.n < block.things:
            unjudged = "; ".join(f"{side} {reason_words(counts)}" for side, counts in block.unjudged.items())
            bounds = format_bounds(block.agreement_bounds)
            yield f"{name}: unjudged by the {unjudged}; agreement {bounds} with all of them differing, or alike."
        for why in dict.fromkeys(block.reasons.values()):
            figures = ", ".join(title for figure, title in _FIGURES if block.reasons.get(figure) == why)
            yield f"{name}: {why}: {figures}."
    for rate in audit.rates:
        if rate.difference.reason is not None:
            yield f"{rate.metric}: {rate.difference.reason}."


def _left_out(audit: Between) -> Iterator[str]:
    joined = audit.joined
    counts = (
        (joined.only_in_first, "items in the first run only"),
        (joined.only_in_second, "items in the second run only"),
        (joined.another_answer, "items with another answer"),
        (joined.another_question, "items with another question"),
        (joined.statements_only_in_first, "statements of compared answers in the first run only"),
        (joined.statements_only_in_second, "statements of compared answers in the second run only"),
    )
    if told := ", ".join(f"{format_count(count)} {what}" for count, what in counts if count):
        yield f"Not compared: {told}."
