"""What in an answer speaks for or against a statement, going by words, numbers, names and denials alone."""

import re
from enum import StrEnum
from typing import NamedTuple

from judge.text.declining import declines
from judge.text.nearness import InAll, candidates, repeating, share
from judge.text.negation import clauses, denied
from judge.text.opposites import Side, opposed
from judge.text.passages import Answer, Sentence, read_answer
from judge.text.quantities import Comparison, Limit, compare
from judge.text.roles import leaves_a_choice, names_another, swaps
from judge.text.stance import Stance, without_affirmation
from judge.text.verbatim import find_verbatim
from judge.text.wanted import Wanted, options, wanted
from judge.text.words import content

_SLASHED_DATE = re.compile(r"\d{1,4}/\d{1,2}(?:/\d{1,4})?")

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


class Grounds(StrEnum):
    """Why the baseline decided as it did."""

    VERBATIM = "verbatim"
    OVERLAP = "overlap"
    NUMBER = "number"
    NEGATION = "negation"
    OPPOSITE = "opposite"
    SWAP = "swap"


class Absence(StrEnum):
    """Why the baseline decided nothing; of several sentences the one closest to the statement tells."""

    WORDS = "words"
    NEWS = "news"
    VALUE = "value"
    AMBIGUOUS = "ambiguous"
    REPORTED = "reported"
    OTHER = "other"


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


def find_grounds(statement: str, answer: str, question: str | None) -> Found | Absence:
    """Return what speaks for or against the statement, or why the answer does not address it.

    A statement that is a whole sentence of the answer is supported unless the next one takes it back, and so is one that stands in one
    span of sentences which assert it. One that lists alternatives (`any one of these: a; b`) needs only one of them.
    """
    quote = find_verbatim(statement, answer)
    if quote is not None:
        return Found(Grounds.VERBATIM, quote)
    read = read_answer(answer, declining=declines(statement))
    tried = [_by_overlap(wanted(option, question), read) for option in options(statement)]
    found = [one for one in tried if isinstance(one, Found)]
    supported = [one for one in found if one.grounds is Grounds.OVERLAP]
    return next(iter([*supported, *found, *tried]), Absence.WORDS)


def _by_overlap(asked: Wanted, answer: Answer) -> Found | Absence:
    """Decide by the sentences that are close enough: one that repeats every word outweighs those that repeat some, then support counts."""
    if asked.quantities and not answer.stems:  # an answer that is only a value answers what was asked, whatever it was
        asked = asked._replace(own=frozenset(), known=asked.known | asked.stems)
    enough = ENOUGH + MARGIN / max(1, len(asked.own) + len(asked.quantities))
    in_all = InAll(asked, answer)
    sources = (answer.sentence(position) for position in candidates(asked, answer, IN_SENTENCE))
    close = [(closeness, one) for one in sources if (closeness := _closeness(asked, one, in_all, enough)) >= enough]
    decided: list[_Decided] = []
    absences: list[tuple[float, Absence]] = []
    for closeness, source in close:
        found = _by_sentence(asked, source)
        if isinstance(found, Found):
            whole = asked.stems <= source.stems | asked.known
            decided.append(_Decided(whole, found.grounds is Grounds.OVERLAP, closeness, found))
        else:
            absences.append((closeness, found))
    if decided:
        return max(decided, key=lambda one: one[:3]).found
    return max(absences)[1] if absences else _why_far(asked, answer)


def _why_far(asked: Wanted, answer: Answer) -> Absence:
    """Return why no sentence is close: where one repeats the words, it is the value that is missing."""
    if asked.quantities and asked.stems:
        for position in repeating(asked, answer, TO_DENY):
            source = answer.sentence(position)
            if share(asked, asked.stems, source.stems | asked.known, None) >= TO_DENY:
                return _why_no_value(source)
    return Absence.WORDS


def _why_no_value(source: Sentence) -> Absence:
    return Absence.AMBIGUOUS if any(_SLASHED_DATE.fullmatch(code) for code in source.codes) else Absence.VALUE


def _closeness(asked: Wanted, source: Sentence, in_all: InAll, enough: float) -> float:
    """Return the mean of what the sentence, its passage and the whole answer repeat; 0 where it cannot be enough.

    A word whose opposite is there instead is given, as a value is in whose place another stands.
    """
    if asked.own.isdisjoint(source.stems) and not source.content.quantities:
        return 0.0
    instead = frozenset(side.stem for side in opposed(asked.sides, source.sides))
    in_sentence = share(asked, asked.own, source.stems | instead, source.content.quantities)
    if in_sentence < IN_SENTENCE or in_sentence + 1 + (whole := in_all.share(instead)) < 3 * enough:
        return 0.0
    return (in_sentence + share(asked, asked.own, source.passage | asked.known | instead, source.quantities) + whole) / 3


def _by_sentence(asked: Wanted, source: Sentence) -> Found | Absence:  # noqa: PLR0911 - one reason after the other, in order
    """Decide on one sentence that repeats enough of the statement."""
    against = opposed(asked.sides, source.sides)
    if against:
        return _by_opposite(asked, source, against)
    if _lacks_the_news(asked, source):
        return Absence.NEWS
    if not asked.codes <= source.codes:
        return Absence.VALUE
    about = share(asked, asked.stems, source.stems, None) >= TO_DENY or len(source.stems) <= SHORT
    comparison = compare((*asked.quantities, *asked.loose), source.content.quantities)
    if comparison is Comparison.DIFFER:
        return Found(Grounds.NUMBER, source.span) if about else Absence.VALUE
    if comparison is Comparison.ABSENT and compare(asked.quantities, source.quantities) is not Comparison.AGREE:
        return _why_no_value(source)
    if source.stance is Stance.REPORTED or leaves_a_choice(asked, source):
        return Absence.REPORTED
    if (source.stance is Stance.DENIED) != _denials_differ(asked, source):
        return Found(Grounds.NEGATION, source.span) if about else Absence.OTHER
    if names_another(asked, source):
        return Absence.OTHER
    return Found(Grounds.SWAP if swaps(asked, source) else Grounds.OVERLAP, source.span)


def _by_opposite(asked: Wanted, source: Sentence, against: frozenset[Side]) -> Found | Absence:
    """Decide on a sentence with the opposite of a word: it contradicts where all else is the same, and parties that swap undo it."""
    instead = frozenset(side.stem for side in against)
    values, stated = ([one._replace(limit=Limit.NONE) for one in given] for given in (asked.quantities, source.content.quantities))
    agrees = compare(values, stated) is Comparison.AGREE and asked.codes <= source.codes
    is_same = agrees and asked.stems - instead <= source.stems | asked.known and source.stance is Stance.ASSERTED
    is_told_once = all(side.is_event for side in against) and bool(asked.quantities)
    if not is_same or is_told_once or asked.denied or source.denied:
        return Absence.OTHER
    return Found(Grounds.OVERLAP if swaps(asked, source) else Grounds.OPPOSITE, source.span)


def _lacks_the_news(asked: Wanted, source: Sentence) -> bool:
    """Return whether a word is missing that must not: of a terse statement without numbers the last, of one with a gap any."""
    if asked.is_broken and not asked.stems <= source.stems | asked.known:
        return True
    terse = 0 < len(asked.stems) <= TERSE and not asked.content.quantities
    return terse and asked.content.stems[-1] not in source.passage | asked.known


def _denials_differ(asked: Wanted, source: Sentence) -> bool:
    """Return whether only one of the two denies a word that the other repeats; two denials are taken for the same."""
    stated = _denied_beside(asked, source)
    if asked.denied:
        return not stated and bool(asked.denied & source.stems)
    return bool(stated & asked.stems)


def _denied_beside(asked: Wanted, source: Sentence) -> frozenset[str]:
    """Return what the sentence denies in the clauses that hold the values of the statement; anywhere in it, where none does."""
    parts = clauses(without_affirmation(source.span)) if asked.quantities and source.denied else []
    near = [part for part in parts if compare(asked.quantities, content(part).quantities) is Comparison.AGREE]
    return frozenset().union(*map(denied, near)) if near else source.denied
