"""The terminal summary: plain text, aligned, no line wider than 100 columns."""

from collections.abc import Iterable
from itertools import zip_longest

from judge.schema.reviews import SplitReview
from judge.schema.summaries import Summary
from pipelines.counting import counted
from pipelines.reports.escapes import escape_terminal
from pipelines.reports.facts import RunFacts
from pipelines.reports.review import flag_table, meaning_table
from pipelines.reports.table import Table
from pipelines.reports.terminal import column_count, cut, pad, wrap
from pipelines.reports.view import build_view

WIDTH = 100
AGENT_CAP = 20
FLAG_CAP = 40

_GAP = "  "
_CELL_LIMIT = 60
_KEY_WIDTH = 17
_TEXT_LIMIT = 6 * WIDTH


def render_text(summary: Summary, facts: RunFacts) -> str:
    """Return the summary for a terminal, ending in a line end; data can neither steer the terminal nor break a line."""
    view = build_view(summary, facts, agent_cap=AGENT_CAP)
    blocks = [
        wrapped(view.incomplete or ""),
        [heading(view.title), *pair_lines(view.facts)],
        table_lines(view.headline),
        wrapped(*view.notes),
        *(table_lines(table) for table in view.tables),
        pair_lines(view.counts),
        wrapped(*(f"warning: {warning}" for warning in view.warnings)),
        wrap(escape_terminal(view.disclosure), WIDTH),
    ]
    return joined(blocks)


def render_review(review: SplitReview) -> str:
    """Return what a person should look at after splitting, ending in a line end."""
    tables = [table for table in (flag_table(review, FLAG_CAP), meaning_table(review)) if table is not None]
    done = f"{counted(review.ground_truths, 'ground truth')}, {counted(review.propositions, 'proposition')}"
    head = f"{done}, written to {review.file}" if review.ground_truths else f"nothing was split; {review.file} is left as it was"
    taken = f"{review.taken_over:,} split before and taken over unchanged" if review.taken_over else ""
    spared = f"{counted(review.spared, 'other line')} of the file left as before" if review.spared else ""
    return joined([[escape_terminal(head), *wrapped(taken, spared)], *(table_lines(table) for table in tables), wrapped(*review.drift)])


def heading(title: str) -> str:
    """Return a title as one line."""
    return cut(escape_terminal(title), WIDTH)


def joined(blocks: Iterable[list[str]]) -> str:
    """Return blocks of lines, an empty line between them; empty blocks are left out."""
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def wrapped(*texts: str) -> list[str]:
    """Return texts as lines, each text beginning a line; data can neither steer the terminal nor break a line."""
    return [line for text in texts for line in wrap(cut(escape_terminal(text), _TEXT_LIMIT), WIDTH)]


def pair_lines(pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Return pairs as `key: value`, values aligned."""
    lines = []
    for key, value in pairs:
        first, *rest = wrap(cut(escape_terminal(value), _TEXT_LIMIT), WIDTH - _KEY_WIDTH) or [""]
        lines += [pad(f"{key}:", _KEY_WIDTH) + first, *(" " * _KEY_WIDTH + line for line in rest)]
    return lines


def table_lines(table: Table) -> list[str]:
    """Return a table as aligned lines, its title first and its note last."""
    cells = [[escape_terminal(cell) for cell in row] for row in [[column.name for column in table.columns], *table.rows]]
    widths = _fitting_widths(table, cells)
    rows = [line for row in cells for line in _row_lines(table, row, widths)]
    return [table.title, *(cut(_GAP + row.rstrip(), WIDTH) for row in rows), *wrapped(table.note or "")]


def _row_lines(table: Table, row: list[str], widths: list[int]) -> list[str]:
    """Return a row as one line, or as many as its longest wrapping cell takes."""
    parts = [
        wrap(cut(cell, _TEXT_LIMIT), width) or [""] if column.wraps else [cut(cell, width)]
        for cell, width, column in zip(row, widths, table.columns, strict=True)
    ]
    numeric = [column.numeric for column in table.columns]
    lines = zip_longest(*parts, fillvalue="")
    return [_GAP.join(pad(part, width, right=right) for part, width, right in zip(line, widths, numeric, strict=True)) for line in lines]


def _fitting_widths(table: Table, cells: list[list[str]]) -> list[int]:
    """Return a width for each column, taking from the widest column of text until a row fits."""
    widths = [max(map(column_count, column)) for column in zip(*cells, strict=True)]
    texts = [position for position, column in enumerate(table.columns) if not column.numeric]
    for position in texts:
        widths[position] = min(widths[position], _CELL_LIMIT)
    while sum(widths) + len(_GAP) * len(widths) > WIDTH and max(widths[position] for position in texts) > 1:
        widths[max(texts, key=lambda position: widths[position])] -= 1
    return widths
