"""What in an answer speaks for or against a statement, going by words, numbers, names and denials alone."""

import re
from enum import StrEnum
from typing import NamedTuple

from judge.text.declining import declines
from judge.text.normalise import folded
from judge.text.passages import Answer, Sentence, read_answer
from judge.text.quantities import Comparison, Quantity, compare
from judge.text.stance import Stance
from judge.text.verbatim import find_verbatim
from judge.text.wanted import Wanted, options, wanted

ENOUGH = 0.53
"""Share of the statement's words beyond the question that must be repeated, as a mean over a sentence, its neighbourhood and the answer."""

MARGIN = 0.25
"""What is added over the number of those words: of a short statement nearly all must be repeated."""

TO_DENY = 0.6
"""Share of all its words that one sentence must repeat before another number or a denial in it contradicts."""

IN_SENTENCE = 0.3
"""Share of them that one sentence must repeat by itself."""

TERSE = 3
"""Of a statement of so few content words the last one, which mostly is the news in it, must be repeated."""

SHORT = 4
"""A sentence of so few content words can only be about what was asked."""

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


class _Decided(NamedTuple):
    """What one sentence says of a statement, in the order of what counts more."""

    whole: bool
    """It repeats every word of the statement."""
    supports: bool
    closeness: float
    found: Found


def find_grounds(statement: str, answer: str, question: str | None) -> Found | None:
    """Return what speaks for or against the statement, or None when the answer does not address it.

    A statement that is a whole sentence of the answer is always supported, and so is one that stands within a sentence which
    asserts it. One that lists alternatives (`any one of these: a; b`) needs only one of them.
    """
    quote = find_verbatim(statement, answer)
    if quote is not None:
        return Found(Grounds.VERBATIM, quote)
    read = read_answer(answer, declining=declines(statement))
    found = [_by_overlap(wanted(option, question), read) for option in options(statement)]
    supported = [one for one in found if one is not None and one.grounds is Grounds.OVERLAP]
    return next(iter(supported or [one for one in found if one is not None]), None)


def _by_overlap(asked: Wanted, answer: Answer) -> Found | None:
    """Decide by the sentences that are close enough: one that repeats every word outweighs those that repeat some, then support counts."""
    if asked.quantities and not answer.stems:  # an answer that is only a value answers what was asked, whatever it was
        asked = asked._replace(own=frozenset(), known=asked.known | asked.stems)
    in_all = _share(asked, asked.own, answer.stems | asked.known, answer.quantities)
    enough = ENOUGH + MARGIN / max(1, len(asked.own) + len(asked.quantities))
    close = [(closeness, one) for one in answer.sentences if (closeness := _closeness(asked, one, in_all, enough)) >= enough]
    decided: list[_Decided] = []
    for closeness, source in close:
        found = _by_sentence(asked, source)
        if found is not None:
            whole = asked.stems <= source.stems | asked.known
            decided.append(_Decided(whole, found.grounds is Grounds.OVERLAP, closeness, found))
    return max(decided, key=lambda one: one[:3]).found if decided else None


def _closeness(asked: Wanted, source: Sentence, in_all: float, enough: float) -> float:
    """Return the mean of what the sentence, its passage and the whole answer repeat; 0 where it cannot be enough."""
    if asked.own.isdisjoint(source.stems) and not source.content.quantities:
        return 0.0
    in_sentence = _share(asked, asked.own, source.stems, source.content.quantities)
    if in_sentence < IN_SENTENCE or in_sentence + 1 + in_all < 3 * enough:
        return 0.0
    return (in_sentence + _share(asked, asked.own, source.passage | asked.known, source.quantities) + in_all) / 3


def _by_sentence(asked: Wanted, source: Sentence) -> Found | None:
    """Decide on one sentence that repeats enough of the statement."""
    if _lacks_the_news(asked, source) or not asked.codes <= source.codes:
        return None
    about = _share(asked, asked.stems, source.stems, None) >= TO_DENY or len(source.stems) <= SHORT
    comparison = compare((*asked.quantities, *asked.loose), source.content.quantities)
    if comparison is Comparison.DIFFER:
        return Found(Grounds.NUMBER, source.span) if about else None
    if comparison is Comparison.ABSENT and compare(asked.quantities, source.quantities) is not Comparison.AGREE:
        return None
    if source.stance is Stance.REPORTED:
        return None
    if (source.stance is Stance.DENIED) != _denials_differ(asked, source):
        return Found(Grounds.NEGATION, source.span) if about else None
    if _names_another(asked, source):
        return None
    swapped = _swaps_names(asked, source)
    return Found(Grounds.SWAP if swapped else Grounds.OVERLAP, source.span)


def _lacks_the_news(asked: Wanted, source: Sentence) -> bool:
    """Return whether a word is missing that must not: of a terse statement without numbers the last, of one with a gap any."""
    if asked.is_broken and not asked.stems <= source.stems | asked.known:
        return True
    terse = 0 < len(asked.stems) <= TERSE and not asked.content.quantities
    return terse and asked.content.stems[-1] not in source.passage | asked.known


def _denials_differ(asked: Wanted, source: Sentence) -> bool:
    """Return whether only one of the two denies a word that the other repeats; two denials are taken for the same."""
    if asked.denied:
        return not source.denied and bool(asked.denied & source.stems)
    return bool(source.denied & asked.stems)


def _names_another(asked: Wanted, source: Sentence) -> bool:
    """Return whether the sentence has another name where the statement has one."""
    leading, other = asked.names.leading, source.names.leading
    if leading and other and not leading & (source.stems | asked.known) and not other & asked.stems:
        return True
    missing = [name for name in asked.names.all if not name & (source.passage | asked.known)]
    surplus = [name for name in source.names.all if not name & (asked.stems | asked.known)]
    if not missing or not surplus:
        return False
    rest = asked.stems.difference(*missing)
    return bool(rest) and rest <= source.stems | asked.known


def _swaps_names(asked: Wanted, source: Sentence) -> bool:
    """Return whether the names at both ends of the statement change places in the sentence, and its voice does not change."""
    words = asked.text.strip(" .!").split()
    if len(asked.stems) < 3 or not (words[0][0].isupper() and words[-1][0].isupper()):
        return False
    order, stems = source.content.stems, asked.content.stems
    first, middle, last = stems[0], stems[1:-1], stems[-1]
    if first not in order or last not in order or _PASSIVE.search(folded(asked.text)) or _PASSIVE.search(folded(source.span)):
        return False
    start, end = order.index(last), order.index(first)
    return start < end and any(word in middle for word in order[start:end])


def _share(asked: Wanted, stems: frozenset[str], given: frozenset[str], quantities: tuple[Quantity, ...] | None) -> float:
    """Return which part of the wanted words and quantities is given, long ones weighing more; nothing wanted is all given.

    A quantity is given where another value stands in its place: whether it is the same is not asked here.
    """
    total: float = sum(map(len, stems))
    hit: float = sum(map(len, stems & given))
    if quantities is not None:
        for one, weight in zip(asked.quantities, asked.weights, strict=True):
            total += weight
            hit += weight * (compare((one,), quantities) is not Comparison.ABSENT)
    return hit / total if total else 1.0
