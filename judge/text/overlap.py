"""What in an answer speaks for or against a statement, going by words, numbers and denials alone."""

import re
from enum import StrEnum
from typing import NamedTuple

from judge.text.declining import declines
from judge.text.negation import clauses, is_negated
from judge.text.normalise import find_quote, folded
from judge.text.numbers import Comparison, Quantity, compare
from judge.text.sentences import sentences
from judge.text.words import Content, content

ENOUGH_IN_SENTENCE = 0.5
"""Share of the statement's words beyond the question that one sentence must repeat."""

ENOUGH_IN_ALL = 0.6
"""Share of all its words that question and answer together must repeat."""

ENOUGH_TO_DENY = 0.6
"""Share of all its words that one sentence must repeat before another number or a denial in it contradicts."""

SHORT = 4
"""A sentence of so few content words can only be about what was asked."""

_ALTERNATIVES = re.compile(r"^(?P<head>.*)\b(?:any|one|either)\s(?:one\s)?of\b[^:;()]*\)?\s?:\s*(?P<list>.+;.+)$", re.DOTALL)
_PASSIVE = re.compile(r"\bby\b")


class Grounds(StrEnum):
    """Why the baseline decided as it did."""

    VERBATIM = "verbatim"
    OVERLAP = "overlap"
    NUMBER = "number"
    NEGATION = "negation"
    SWAP = "swap"


class Found(NamedTuple):
    """A decision and the span of the answer that it rests on."""

    grounds: Grounds
    quote: str


def find_grounds(statement: str, answer: str, question: str | None) -> Found | None:
    """Return what speaks for or against the statement, or None when the answer does not address it.

    A statement that stands in the answer word for word is always supported. One that lists alternatives (`any one of
    these: a; b`) needs only one of them.
    """
    quote = _verbatim(statement, answer)
    if quote is not None:
        return Found(Grounds.VERBATIM, quote)
    found = [_by_overlap(option, answer, question) for option in _options(statement)]
    supported = [one for one in found if one is not None and one.grounds is Grounds.OVERLAP]
    return next(iter(supported or found), None)


def _verbatim(statement: str, answer: str) -> str | None:
    quote = find_quote(statement, answer)
    # A sentence of the answer is in the answer, even where its ends look as if they cut a word.
    return statement if quote is None and statement in (answer, *sentences(answer)) else quote


def _options(statement: str) -> list[str]:
    listed = _ALTERNATIVES.match(statement)
    if listed is None:
        return [statement]
    return [f"{listed['head']} {option.strip()}" for option in listed["list"].split(";") if option.strip()]


def _by_overlap(statement: str, answer: str, question: str | None) -> Found | None:
    asked, known = content(statement), content(question or "")
    own = frozenset(asked.stems) - frozenset(known.stems)
    numbers = tuple(quantity for quantity in asked.quantities if quantity not in known.quantities)
    if not own and not numbers:  # nothing but words of the question: the answer has to repeat them
        own = frozenset(asked.stems)
    sources = [_Source(span, content(span)) for span in sentences(answer) if not declines(span)]
    everywhere = frozenset(known.stems).union(*(source.content.stems for source in sources))
    if _share(frozenset(asked.stems), everywhere) < ENOUGH_IN_ALL:
        return None
    decided = [
        decision
        for source in sorted(sources, key=lambda source: -_share(own, frozenset(source.content.stems)))
        if (decision := _by_sentence(statement, asked, own, numbers, source)) is not None
    ]
    supported = [decision for decision in decided if decision.grounds is Grounds.OVERLAP]
    return next(iter(supported or decided), None)


class _Source(NamedTuple):
    """One sentence of the answer and its content."""

    span: str
    content: Content


def _by_sentence(statement: str, asked: Content, own: frozenset[str], numbers: tuple[Quantity, ...], source: _Source) -> Found | None:
    """Decide on one sentence alone."""
    stated = frozenset(source.content.stems)
    share = _share(own, stated)
    if share < ENOUGH_IN_SENTENCE:
        return None
    comparison = compare(numbers, source.content.quantities)
    about = _share(frozenset(asked.stems), stated) >= ENOUGH_TO_DENY or len(stated) <= SHORT
    if comparison is Comparison.ABSENT:
        return None
    if comparison is Comparison.DIFFER:
        return Found(Grounds.NUMBER, source.span) if about else None
    if _is_denied(asked, source) != is_negated(folded(statement)):
        return Found(Grounds.NEGATION, source.span) if about else None
    swapped = _swaps_names(statement, asked, source)
    return Found(Grounds.SWAP if swapped else Grounds.OVERLAP, source.span)


def _is_denied(asked: Content, source: _Source) -> bool:
    """Return whether the clauses that share words with the statement hold a denial."""
    wanted = frozenset(asked.stems)
    near = [clause for clause in clauses(folded(source.span)) if wanted.intersection(content(clause).stems)]
    return is_negated(" ; ".join(near))


def _swaps_names(statement: str, asked: Content, source: _Source) -> bool:
    """Return whether the names at both ends of the statement change places in the sentence, and its voice does not change."""
    words = statement.strip(" .!").split()
    if len(set(asked.stems)) < 3 or not (words[0][0].isupper() and words[-1][0].isupper()):
        return False
    order = source.content.stems
    first, middle, last = asked.stems[0], asked.stems[1:-1], asked.stems[-1]
    if first not in order or last not in order or _PASSIVE.search(folded(statement)) or _PASSIVE.search(folded(source.span)):
        return False
    start, end = order.index(last), order.index(first)
    return start < end and any(word in middle for word in order[start:end])


def _share(wanted: frozenset[str], given: frozenset[str]) -> float:
    """Return which part of the wanted words is given; nothing wanted is all given."""
    return len(wanted & given) / len(wanted) if wanted else 1.0
