"""Propositions that say one fact twice."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from judge.lint.figures import Value
from judge.schema.propositions import LintFinding, Proposition
from judge.text.normalise import folded
from judge.text.numbers import Quantity
from judge.text.qualifiers import count_qualifiers
from judge.text.words import content

SAME_WORDS = 0.8
"""Share of common content words from which two propositions, one of which adds no word, are probably the same fact."""

SAME_WORDS_AND_NUMBERS = 0.5
"""The same where both hold the same numbers."""

COMPARED = 200
"""So many earlier propositions with the same numbers are compared with one; a list of thousands is not a repetition."""


def same_fact_key(text: str) -> str:
    """Return what two wordings of one fact share when they differ in case, spacing or end punctuation only."""
    return folded(text).rstrip(".!。！।؟ ")


def duplicate_finding(text: str, twin: Proposition) -> LintFinding:
    """Return the trace that a merged duplicate leaves."""
    return LintFinding(kind="duplicate", detail=f"merged: {text}", proposition=twin.id)


def probable_duplicates(propositions: Sequence[Proposition]) -> Iterator[LintFinding]:
    """Yield a finding for each proposition that an earlier one says in other words; a denial never repeats what it denies."""
    seen: defaultdict[tuple[frozenset[Value], bool], list[tuple[str, frozenset[str]]]] = defaultdict(list)
    for proposition in propositions:
        found = content(proposition.text)
        numbers = _numbers(found.quantities)
        alike = seen[numbers, bool(count_qualifiers("negation", folded(proposition.text)))]
        stems = frozenset(found.stems)
        enough = SAME_WORDS_AND_NUMBERS if numbers else SAME_WORDS
        twin = next((name for name, other in alike[-COMPARED:] if _overlap(other, stems) >= enough), None)
        if twin is not None:
            yield LintFinding(kind="probable_duplicate", detail=f"says what {twin} says", proposition=proposition.id)
        alike.append((proposition.id, stems))


def _overlap(first: frozenset[str], second: frozenset[str]) -> float:
    """Return the share of common words, 0 where each has a word of its own or there is none."""
    nested = first <= second or second <= first
    return len(first & second) / len(first | second) if nested and first | second else 0.0


def _numbers(quantities: Sequence[Quantity]) -> frozenset[Value]:
    """Return the values without their units: `6` and `6 o'clock` may be one hour."""
    return frozenset(quantity.value for quantity in quantities)
