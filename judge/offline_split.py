"""Splitting a ground truth without a model: by sentences, and where a sentence shows a seam."""

import re

from judge.lint.coverage import parts_of_text
from judge.lint.duplicates import duplicate_finding, same_fact_key
from judge.lint.findings import NOT_CHECKABLE, lint
from judge.schema.judgments import Split
from judge.schema.propositions import Excluded, LintFinding, Proposition
from judge.text.assertions import split_assertions
from judge.text.checkable import is_checkable
from judge.text.normalise import folded, is_empty
from judge.text.numbers import read_quantities

_LIST_COMMA = re.compile(r"[,;]\s+")
HEADING = "heading"
"""Why a heading, the head of a table or what introduces a list is no proposition; one with a figure is kept."""

VALUE_WORDS = 4
"""A part of so few words that holds a number is a value; a line of nothing but values is a list of them."""


def split_offline(text: str, question: str | None) -> Split:
    """Return the sentences of a text as propositions; a text that has none, such as a lone question, is one by itself.

    Sentences are cut at semicolons, before a second clause with a subject of its own, and between bare values in a row.
    Nothing is reworded: each proposition is its own span. Duplicates are merged, with a trace. A blank text has none.
    """
    split = cut_offline(text)
    return split.model_copy(update={"lint": (*split.lint, *lint(text, question, split.propositions))})


def cut_offline(text: str) -> Split:
    """Return the same propositions without looking for what was lost, which takes most of the time."""
    kept: dict[str, Proposition] = {}
    excluded: list[Excluded] = []
    findings: list[LintFinding] = []
    for part in parts_of_text(text, ()):
        if part.is_heading and not _holds_figure(part.text):
            excluded.append(Excluded(text=part.text, reason=HEADING))
            continue
        if not is_checkable(part.text):
            excluded.append(Excluded(text=part.text, reason=NOT_CHECKABLE))
            continue
        for span in _facts(part.text):
            key = same_fact_key(span)
            if key in kept:
                findings.append(duplicate_finding(span, kept[key]))
            else:
                kept[key] = Proposition(id=f"p{len(kept) + 1}", text=span, source_quote=span)
    if not kept and not is_empty(text):
        whole = text.strip()
        kept, excluded = {"": Proposition(id="p1", text=whole, source_quote=whole)}, []
        findings.append(LintFinding(kind="whole_text", detail="no checkable sentence was found; the whole text is one proposition"))
    return Split(propositions=tuple(kept.values()), excluded=tuple(excluded), lint=tuple(findings))


def _facts(sentence: str) -> list[str]:
    if "\n" in sentence:  # a block of code stays whole
        return [sentence]
    values = [part.strip() for part in _LIST_COMMA.split(sentence)]
    if len(values) > 1 and all(map(_is_value, values)):
        return values
    return split_assertions(sentence)


def _is_value(part: str) -> bool:
    return len(part.split()) <= VALUE_WORDS and _holds_figure(part)


def _holds_figure(text: str) -> bool:
    return any(character.isdigit() for character in text) or bool(read_quantities(folded(text)).quantities)
