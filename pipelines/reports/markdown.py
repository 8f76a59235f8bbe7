"""The run as Markdown that fits one comment on a pull request."""

import heapq
from collections.abc import Iterable, Iterator
from itertools import chain

from judge.schema.items import Item
from judge.schema.outcomes import Outcome, Unjudged
from judge.schema.results import ItemResult
from judge.schema.summaries import Summary
from pipelines.reports.escapes import escape_markdown
from pipelines.reports.facts import RunFacts
from pipelines.reports.numbers import format_number
from pipelines.reports.table import Table
from pipelines.reports.view import build_view, words

MAX_CHARACTERS = 60_000
"""A comment on GitHub holds 65,536."""

AGENT_CAP = 20
WORST_ITEMS = 10

_CELL_LIMIT = 300
_TEXT_LIMIT = 600
_CUT_NOTE = "\nThe rest does not fit here; results.jsonl has everything.\n"


def render_markdown(summary: Summary, facts: RunFacts, results: Iterable[tuple[Item, ItemResult]]) -> Iterator[str]:
    """Yield the document line by line, at most `MAX_CHARACTERS` in all; of the results only the worst are held."""
    room = MAX_CHARACTERS - len(_CUT_NOTE)
    for line in chain(_summary_lines(summary, facts), _worst_lines(results)):
        room -= len(line) + 1
        if room < 0:
            yield _CUT_NOTE
            return
        yield f"{line}\n"


def _summary_lines(summary: Summary, facts: RunFacts) -> Iterator[str]:
    view = build_view(summary, facts, agent_cap=AGENT_CAP)
    yield f"# {cell_text(view.title)}"
    yield ""
    if view.incomplete is not None:
        yield f"**{cell_text(view.incomplete)}**"
        yield ""
    # Here, before all that grows with the data, the disclosure can never be what does not fit.
    yield escape_markdown(view.disclosure)
    yield ""
    yield from (f"- {key}: {cell_text(value)}" for key, value in view.facts)
    yield from table_lines(view.headline)
    if view.notes:
        yield ""
        yield from (f"- {cell_text(note)}" for note in view.notes)
    for table in view.tables:
        yield from table_lines(table)
    yield ""
    yield from (f"- {key}: {cell_text(value)}" for key, value in view.counts)
    yield from (f"- warning: {cell_text(warning)}" for warning in view.warnings)


def table_lines(table: Table) -> Iterator[str]:
    """Yield a table with its heading and its note."""
    yield ""
    yield f"## {table.title}"
    yield ""
    yield _row(column.name for column in table.columns)
    yield _row("---:" if column.numeric else "---" for column in table.columns)
    yield from (_row(map(cell_text, cells)) for cells in table.rows)
    if table.note is not None:
        yield ""
        yield escape_markdown(table.note)


def _worst_lines(results: Iterable[tuple[Item, ItemResult]]) -> Iterator[str]:
    with_propositions = (pair for pair in results if pair[1].propositions)
    worst = heapq.nsmallest(WORST_ITEMS, with_propositions, key=_goodness)
    if not worst:
        return
    yield ""
    yield "## Items with the lowest recall"
    for item, result in worst:
        yield from _item_lines(item, result)


def _goodness(pair: tuple[Item, ItemResult]) -> tuple[bool, float, float]:
    """Order by recall, then by contradiction; an item without a recall of its own comes last."""
    signals = pair[1].signals
    recall = signals.get("R_proposition")
    return (recall is None, recall or 0.0, -(signals.get("C_contradiction") or 0.0))


def _item_lines(item: Item, result: ItemResult) -> Iterator[str]:
    agent = "" if item.agent is None else f" by {cell_text(item.agent)}"
    yield ""
    yield f"### {cell_text(item.id)}{agent}"
    yield ""
    recall = format_number(result.signals.get("R_proposition"))
    contradiction = format_number(result.signals.get("C_contradiction"))
    yield f"- {words(result.state)}; recall {recall}, contradiction {contradiction}"
    if result.flags:
        yield f"- flags: {', '.join(map(words, result.flags))}"
    if item.question is not None:
        yield f"- question: {escape_markdown(item.question, _TEXT_LIMIT)}"
    yield f"- answer: {escape_markdown(item.answer, _TEXT_LIMIT)}"
    yield ""
    yield _row(("label", "proposition", "quote", "rationale"))
    yield _row(("---",) * 4)
    for proposition in result.propositions:
        label, quote, rationale = _outcome_cells(proposition.outcome)
        yield _row((label, cell_text(proposition.text), quote, rationale))


def _outcome_cells(outcome: Outcome) -> tuple[str, str, str]:
    """Return label, quote and rationale; of an unjudged outcome its reason, nothing, and its detail."""
    if isinstance(outcome, Unjudged):
        return f"**unjudged**: {words(outcome.reason)}", "", cell_text(outcome.detail)
    return words(outcome.label), cell_text(outcome.quote or ""), cell_text(outcome.rationale)


def cell_text(text: str) -> str:
    """Return a text that can neither mark up nor break a cell, cut to a length that a cell bears."""
    return escape_markdown(text, _CELL_LIMIT)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
