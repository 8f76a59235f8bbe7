"""The propositions of a run as one table for spreadsheets: harmless there, and therefore not lossless."""

import csv
import io
import unicodedata
from collections.abc import Iterable, Iterator

from judge.schema.outcomes import Mark, Unjudged
from judge.schema.results import ItemResult, PropositionResult
from pipelines.reports.escapes import escape_line

COLUMNS = (
    *("item_id", "question_id", "trial", "agent", "cluster", "state", "flags", "R_proposition", "C_contradiction", "mark"),
    *("abstention", "proposition_id", "text", "label", "reason", "detail", "quote", "rationale", "source_quote"),
)

_FORMULA = frozenset("=+-@\u2212")
_ACTIVE_START = ("\t", "\r", "\n")

Cell = str | int | float | None


def render_csv(results: Iterable[ItemResult]) -> Iterator[str]:
    r"""Yield the table line by line (RFC 4180), one row a proposition; an item without any has one row, those cells empty.

    Text that a spreadsheet would take for a formula gets a leading `'`, controls are spelled out (`\n`), numbers stay
    numbers. An unjudged proposition has a reason and no label. `results.jsonl` is the lossless form.
    """
    yield _line(COLUMNS)
    for result in results:
        shared = _shared_cells(result)
        for proposition in result.propositions or (None,):
            yield _line([*shared, *_proposition_cells(proposition)])


def text_cell(text: str) -> str:
    """Return a text on one line that no spreadsheet runs: a formula is looked for behind white space and in wide letters too."""
    shown = escape_line(text)
    return f"'{shown}" if starts_formula(text) else shown


def starts_formula(text: str) -> bool:
    """Return whether a spreadsheet might run a text: it begins with a mark of a formula, or with what hides one."""
    return text.startswith(_ACTIVE_START) or _begins_formula(text)


def _begins_formula(text: str) -> bool:
    first = next((character for character in text if character.isprintable() and not character.isspace()), "")
    return unicodedata.normalize("NFKC", first)[:1] in _FORMULA if first else False


def _shared_cells(result: ItemResult) -> list[Cell]:
    signals = result.signals
    return [
        *(result.item_id, result.question_id, result.trial, result.agent, result.cluster, result.state.value),
        " ".join(flag.value for flag in result.flags),
        *(signals.get("R_proposition"), signals.get("C_contradiction")),
        result.mark.value if isinstance(result.mark, Mark) else None,
        None if isinstance(result.abstention, Unjudged) else result.abstention.value.value,
    ]


def _proposition_cells(proposition: PropositionResult | None) -> list[Cell]:
    if proposition is None:
        return [None] * 8
    outcome = proposition.outcome
    said: list[Cell] = (
        [None, outcome.reason.value, outcome.detail, None, None]
        if isinstance(outcome, Unjudged)
        else [outcome.label.value, None, None, outcome.quote, outcome.rationale]
    )
    return [proposition.id, proposition.text, *said, proposition.source_quote]


def _line(cells: Iterable[Cell]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\r\n").writerow([text_cell(cell) if isinstance(cell, str) else cell for cell in cells])
    return buffer.getvalue()
