"""What in an answer speaks for or against a statement, going by words, numbers, names and denials alone."""

import re
from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache, partial
from itertools import pairwise
from typing import NamedTuple

from judge.text.declining import declines
from judge.text.names import Names, names
from judge.text.negation import denied
from judge.text.normalise import find_quote, folded
from judge.text.numbers import Comparison, Quantity, compare
from judge.text.sentences import sentences
from judge.text.stance import Stance, endorses, stance, without_denial
from judge.text.words import Content, content

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

DIGIT_WEIGHT = 2.5
"""A significant digit says as much as so many letters of English (3.3 bits against 1.3); no number weighs less than two digits."""

_ALTERNATIVES = re.compile(r"^(?P<head>.*)\b(?:any|one|either)\s(?:one\s)?of\b[^:;()]*\)?\s?:\s*(?P<list>.+;.+)$", re.DOTALL)
# Short sides are left alone: `km/h`, `w/o`, `7/5`.
_SLASHED = re.compile(r"(?<![\w/])[^\W\d_]{3,}(?:\s?/\s?[^\W\d_]{3,})+(?![\w/])")
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


class _Sentence(NamedTuple):
    """One sentence of the answer, and what can be known of it without a statement."""

    span: str
    content: Content
    stems: frozenset[str]
    passage: frozenset[str]
    """Its stems and those of its neighbours; only its own where it begins with a name."""
    quantities: tuple[Quantity, ...]
    """The quantities of the passage."""
    names: Names
    stance: Stance
    denied: frozenset[str]


class _Answer(NamedTuple):
    """All that an answer says in sentences that do not decline."""

    sentences: tuple[_Sentence, ...]
    stems: frozenset[str]
    quantities: tuple[Quantity, ...]


class _Decided(NamedTuple):
    """What one sentence says of a statement, in the order of what counts more."""

    whole: bool
    """It repeats every word of the statement."""
    supports: bool
    closeness: float
    found: Found


class _Wanted(NamedTuple):
    """What an answer has to say for a statement to be supported."""

    text: str
    content: Content
    stems: frozenset[str]
    own: frozenset[str]
    """The stems beyond those of the question."""
    quantities: tuple[Quantity, ...]
    """The quantities beyond those of the question."""
    known: frozenset[str]
    """The stems of the question."""
    names: Names
    denied: frozenset[str]


def find_grounds(statement: str, answer: str, question: str | None) -> Found | None:
    """Return what speaks for or against the statement, or None when the answer does not address it.

    A statement that is a whole sentence of the answer is always supported, and so is one that stands within a sentence which
    asserts it. One that lists alternatives (`any one of these: a; b`) needs only one of them.
    """
    quote = _verbatim(statement, answer)
    if quote is not None:
        return Found(Grounds.VERBATIM, quote)
    found = [_by_overlap(_wanted(option, question), _read(answer)) for option in _options(statement)]
    supported = [one for one in found if one is not None and one.grounds is Grounds.OVERLAP]
    return next(iter(supported or [one for one in found if one is not None]), None)


def _verbatim(statement: str, answer: str) -> str | None:
    """Return where the statement stands in the answer as a sentence of its own, or within one that asserts it."""
    spans = sentences(answer)
    if statement in (answer, *spans):
        return statement  # even where its ends look as if they cut a word
    quote = find_quote(statement, answer)
    if quote is None:
        return None
    around = [(span, following) for span, following in pairwise([*spans, ""]) if quote in span]
    return quote if not around or any(endorses(span, quote, following) for span, following in around) else None


def _options(statement: str) -> list[str]:
    """Return the statements of which one is enough: those of a list after `any one of these`, or with one side of each `this/that`."""
    listed = _ALTERNATIVES.match(statement)
    if listed is not None:
        return [f"{listed['head']} {option.strip()}" for option in listed["list"].split(";") if option.strip()]
    longest = max((match.group().count("/") for match in _SLASHED.finditer(statement)), default=0)
    return [_SLASHED.sub(partial(_choose, place), statement) for place in range(longest + 1)]


def _choose(place: int, slashed: re.Match[str]) -> str:
    sides = slashed.group().split("/")
    return sides[min(place, len(sides) - 1)].strip()


def _wanted(statement: str, question: str | None) -> _Wanted:
    asked, known = content(statement), content(question or "")
    stems = frozenset(asked.stems)
    own = stems - frozenset(known.stems)
    quantities = tuple(quantity for quantity in asked.quantities if quantity not in known.quantities)
    if not own and not quantities:  # nothing but words of the question: the answer has to repeat them
        own = stems
    return _Wanted(statement, asked, stems, own, quantities, frozenset(known.stems), names(statement), denied(folded(statement)))


@lru_cache(maxsize=4)
def _read(answer: str) -> _Answer:
    """Read an answer once for all statements about it; sentences that decline say nothing."""
    spans = [span for span in sentences(answer) if not declines(span)]
    contents = [content(span) for span in spans]
    stems = [frozenset(one.stems) for one in contents]
    read: list[_Sentence] = []
    for place, span in enumerate(spans):
        own = names(span)
        near = slice(place, place + 1) if own.leading else slice(max(0, place - 1), place + 2)
        stands = stance(span, spans[place + 1] if place + 1 < len(spans) else "")
        read.append(
            _Sentence(
                span=span,
                content=contents[place],
                stems=stems[place],
                passage=frozenset().union(*stems[near]),
                quantities=tuple(quantity for one in contents[near] for quantity in one.quantities),
                names=own,
                stance=stands,
                denied=denied(without_denial(span) if stands is Stance.DENIED else folded(span)),
            )
        )
    return _Answer(tuple(read), frozenset().union(*stems), tuple(quantity for one in contents for quantity in one.quantities))


def _by_overlap(wanted: _Wanted, answer: _Answer) -> Found | None:
    """Decide by the sentences that are close enough: one that repeats every word outweighs those that repeat some, then support counts."""
    if wanted.quantities and not answer.stems:  # an answer that is only a value answers what was asked, whatever it was
        wanted = wanted._replace(own=frozenset(), known=wanted.known | wanted.stems)
    in_all = _share(wanted, wanted.own, answer.stems | wanted.known, answer.quantities)
    enough = ENOUGH + MARGIN / max(1, len(wanted.own) + len(wanted.quantities))
    close = [(closeness, one) for one in answer.sentences if (closeness := _closeness(wanted, one, in_all)) >= enough]
    decided: list[_Decided] = []
    for closeness, source in close:
        found = _by_sentence(wanted, source)
        if found is not None:
            whole = wanted.stems <= source.stems | wanted.known
            decided.append(_Decided(whole, found.grounds is Grounds.OVERLAP, closeness, found))
    return max(decided, key=lambda one: one[:3]).found if decided else None


def _closeness(wanted: _Wanted, source: _Sentence, in_all: float) -> float:
    """Return the mean of what the sentence, its passage and the whole answer repeat; 0 where the sentence itself repeats little."""
    if wanted.own.isdisjoint(source.stems) and not source.content.quantities:
        return 0.0
    in_sentence = _share(wanted, wanted.own, source.stems, source.content.quantities)
    if in_sentence < IN_SENTENCE:
        return 0.0
    return (in_sentence + _share(wanted, wanted.own, source.passage | wanted.known, source.quantities) + in_all) / 3


def _by_sentence(wanted: _Wanted, source: _Sentence) -> Found | None:
    """Decide on one sentence that repeats enough of the statement."""
    if _lacks_the_news(wanted, source):
        return None
    about = _share(wanted, wanted.stems, source.stems, None) >= TO_DENY or len(source.stems) <= SHORT
    comparison = compare(wanted.quantities, source.content.quantities)
    if comparison is Comparison.DIFFER:
        return Found(Grounds.NUMBER, source.span) if about else None
    if comparison is Comparison.ABSENT and compare(wanted.quantities, source.quantities) is not Comparison.AGREE:
        return None
    if source.stance is Stance.REPORTED:
        return None
    if (source.stance is Stance.DENIED) != _denials_differ(wanted, source):
        return Found(Grounds.NEGATION, source.span) if about else None
    if _names_another(wanted, source):
        return None
    swapped = _swaps_names(wanted, source)
    return Found(Grounds.SWAP if swapped else Grounds.OVERLAP, source.span)


def _lacks_the_news(wanted: _Wanted, source: _Sentence) -> bool:
    """Return whether a terse statement without numbers ends in a word that neither the passage nor the question holds."""
    terse = 0 < len(wanted.stems) <= TERSE and not wanted.content.quantities
    return terse and wanted.content.stems[-1] not in source.passage | wanted.known


def _denials_differ(wanted: _Wanted, source: _Sentence) -> bool:
    """Return whether only one of the two denies a word that the other repeats; two denials are taken for the same."""
    if wanted.denied:
        return not source.denied and bool(wanted.denied & source.stems)
    return bool(source.denied & wanted.stems)


def _names_another(wanted: _Wanted, source: _Sentence) -> bool:
    """Return whether the sentence has another name where the statement has one."""
    leading, other = wanted.names.leading, source.names.leading
    if leading and other and not leading & (source.stems | wanted.known) and not other & wanted.stems:
        return True
    missing = [name for name in wanted.names.all if not name & (source.passage | wanted.known)]
    surplus = [name for name in source.names.all if not name & (wanted.stems | wanted.known)]
    if not missing or not surplus:
        return False
    rest = wanted.stems.difference(*missing)
    return bool(rest) and rest <= source.stems | wanted.known


def _swaps_names(wanted: _Wanted, source: _Sentence) -> bool:
    """Return whether the names at both ends of the statement change places in the sentence, and its voice does not change."""
    words = wanted.text.strip(" .!").split()
    if len(wanted.stems) < 3 or not (words[0][0].isupper() and words[-1][0].isupper()):
        return False
    order, stems = source.content.stems, wanted.content.stems
    first, middle, last = stems[0], stems[1:-1], stems[-1]
    if first not in order or last not in order or _PASSIVE.search(folded(wanted.text)) or _PASSIVE.search(folded(source.span)):
        return False
    start, end = order.index(last), order.index(first)
    return start < end and any(word in middle for word in order[start:end])


def _share(wanted: _Wanted, stems: frozenset[str], given: frozenset[str], quantities: Iterable[Quantity] | None) -> float:
    """Return which part of the wanted words and quantities is given, long ones weighing more; nothing wanted is all given.

    A quantity is given where another value stands in its place: whether it is the same is not asked here.
    """
    total: float = sum(map(len, stems))
    hit: float = sum(map(len, stems & given))
    if quantities is not None and wanted.quantities:
        stated = tuple(quantities)
        for one in wanted.quantities:
            weight = _weight(one)
            total += weight
            hit += weight * (compare((one,), stated) is not Comparison.ABSENT)
    return hit / total if total else 1.0


def _weight(quantity: Quantity) -> float:
    known = [part for part in quantity.value if part is not None]
    return DIGIT_WEIGHT * max(2, *(len(str(part.numerator).strip("0")) for part in known))
