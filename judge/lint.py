"""What a person should look at in a decomposition: what got lost, what was added, and what cannot be judged alone."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from judge.schema.propositions import LintFinding, Proposition
from judge.text.assertions import joins_assertions, opens_with_pronoun
from judge.text.checkable import is_checkable
from judge.text.folding import is_unspaced
from judge.text.normalise import JOINER, folded
from judge.text.numbers import CLOCK, COUNT, DATE, Quantity, read_quantities
from judge.text.qualifiers import KINDS, STANDS_FOR, count_qualifiers
from judge.text.sentences import sentences
from judge.text.words import content

NOT_CHECKABLE = "not_checkable"
"""Why a question, a greeting or an opinion is no proposition."""

NO_SOURCE_SPAN = "no_source_span"
"""Why a proposition that comes from nowhere in the ground truth is none."""

INVENTED = "invented"
"""Why a proposition without a word of the ground truth is none; as a finding, most of its words are not there."""

ENOUGH_KEPT = 0.5
"""Share of the content words of a sentence that the propositions must repeat where none of them has its span there."""

ENOUGH_GROUND = 0.5
"""Share of the content words of a proposition that must stand in the ground truth or the question."""

ENOUGH_GROUND_UNSPACED = 0.25
"""The same for scripts without spaces, where particles change the pairs of characters that are compared."""

SAME_WORDS = 0.8
"""Share of common content words from which two propositions, one of which adds no word, are probably the same fact."""

SAME_WORDS_AND_NUMBERS = 0.5
"""The same where both hold the same numbers."""

_NUMERAL = re.compile(
    r"[a-z]*\d(?:[\da-z.,:/-]*[\da-z])?[百千万亿億]*|[二三四五六七八九十百千万亿億两兩]+|一[二三四五六七八九十百千万亿億]+"
)


_NUMBER_PART = re.compile(r"\d+|[^\W\d_]+|[%$€£¥°]")
_REFERENCE_MARK = re.compile(r"\[\d{1,3}\]")
# A line may begin with the number of a clause; that of a day stands before a month.
_ITEM_NUMBER = re.compile(
    r"^\d{1,4}[.)]\s+(?!(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[a-zäé]*\b)(?=[^\W\d_])", re.IGNORECASE
)


class _Part(NamedTuple):
    """One sentence of the ground truth, where it stands, and the propositions that have their span in it."""

    text: str
    start: int
    end: int
    is_heading: bool
    propositions: dict[str, Proposition]


def lint(ground_truth: str, question: str | None, propositions: Sequence[Proposition]) -> tuple[LintFinding, ...]:
    """Return the findings in a fixed order; an empty decomposition is a matter of its own and has none."""
    if not propositions:
        return ()
    parts = _parts(ground_truth, propositions)
    said = "\n".join(_ITEM_NUMBER.sub("", _REFERENCE_MARK.sub("", part.text)) for part in parts if is_checkable(part.text))
    return (
        *_lost_quantities(said, propositions),
        *_lost_qualifiers(parts),
        *_lost_sentences(parts, propositions),
        *_of_each(propositions, ground_truth, question),
        *_probable_duplicates(propositions),
    )


def same_fact_key(text: str) -> str:
    """Return what two wordings of one fact share when they differ in case, spacing or end punctuation only."""
    return folded(text).rstrip(".!。！।؟ ")


def duplicate_finding(text: str, twin: Proposition) -> LintFinding:
    """Return the trace that a merged duplicate leaves."""
    return LintFinding(kind="duplicate", detail=f"merged: {text}", proposition=twin.id)


def ground_share(text: str, ground_truth: str, question: str | None) -> float:
    """Return which part of a proposition's content words and numbers stands in the ground truth or the question; 1 without any."""
    return _shared(text, _known(f"{ground_truth}\n{question or ''}"))


def uncheckable_sentences(ground_truth: str, propositions: Sequence[Proposition]) -> list[str]:
    """Return the questions, greetings and opinions of a ground truth that no proposition comes from."""
    return [part.text for part in _parts(ground_truth, propositions) if not part.propositions and not is_checkable(part.text)]


def _parts(ground_truth: str, propositions: Sequence[Proposition]) -> list[_Part]:
    parts: list[_Part] = []
    position = 0
    for text in sentences(ground_truth):
        start = ground_truth.index(text, position)
        position = start + len(text)
        before = ground_truth[ground_truth.rfind("\n", 0, start) + 1 : start]
        parts.append(_Part(text, start, position, before.lstrip().startswith("#"), {}))
    starts = [part.start for part in parts]
    for proposition in propositions:
        for start, end in _spans(proposition, ground_truth):
            for part in parts[max(0, bisect_right(starts, start) - 1) : bisect_left(starts, end)]:
                if start < part.end:
                    part.propositions[proposition.id] = proposition
    return parts


def _spans(proposition: Proposition, ground_truth: str) -> Iterator[tuple[int, int]]:
    """Yield where the pieces of a source quote stand, everywhere: a repeated sentence is covered wherever it stands."""
    for piece in (proposition.source_quote or "").split(JOINER):
        start = ground_truth.find(piece) if piece else -1
        while start >= 0:
            yield start, start + len(piece)
            start = ground_truth.find(piece, start + len(piece))


def _lost_quantities(said: str, propositions: Sequence[Proposition]) -> Iterator[LintFinding]:
    reading = read_quantities(folded(said))
    shown = folded("\n".join(f"{part.text}" for part in propositions))
    kept = read_quantities(shown)
    values, numbers = _values(kept.quantities), {quantity.value[0] for quantity in kept.quantities if quantity.dimension in (COUNT, DATE)}
    for quantity, written in zip(reading.quantities, reading.written, strict=True):
        if _value(quantity) in values or _is_within_date(quantity, kept.quantities) or _contains(shown, written):
            continue
        has_bare_value = quantity.dimension not in (COUNT, DATE, CLOCK) and _bare(written) in {_bare(text) for text in kept.written}
        kind = "lost_date" if quantity.dimension in (DATE, CLOCK) else "lost_unit" if has_bare_value else "lost_number"
        if kind == "lost_number" and quantity.dimension == COUNT and quantity.value[0] in numbers:
            continue
        yield LintFinding(kind=kind, detail=f"{written.strip()!r} is in the ground truth and in no proposition")
    for numeral in dict.fromkeys(_NUMERAL.findall(reading.rest)):
        if not _contains(_plain_digits(shown), _plain_digits(numeral)):
            yield LintFinding(kind="lost_number", detail=f"{numeral!r} is in the ground truth and in no proposition")


def _lost_qualifiers(parts: Sequence[_Part]) -> Iterator[LintFinding]:
    for part in parts:
        if not part.propositions or not is_checkable(part.text):
            continue
        source, kept = folded(part.text), folded("\n".join(proposition.text for proposition in part.propositions.values()))
        for kind in KINDS:
            wanted = count_qualifiers(kind, source)
            found = sum(count_qualifiers(other, kept) for other in STANDS_FOR.get(kind, (kind,)))
            if found < wanted:
                yield LintFinding(kind=f"lost_{kind}", detail=f"{wanted} of this kind in {_short(part.text)}, {found} in its propositions")


def _lost_sentences(parts: Sequence[_Part], propositions: Sequence[Proposition]) -> Iterator[LintFinding]:
    kept = _known("\n".join(proposition.text for proposition in propositions))
    for part in parts:
        if part.is_heading or part.propositions or not is_checkable(part.text) or _shared(part.text, kept) >= ENOUGH_KEPT:
            continue
        yield LintFinding(kind="lost_sentence", detail=f"no proposition comes from {_short(part.text)}")


def _of_each(propositions: Sequence[Proposition], ground_truth: str, question: str | None) -> Iterator[LintFinding]:
    shown = folded(f"{ground_truth}\n{question or ''}")
    known, words = read_quantities(shown).quantities, frozenset(_NUMBER_PART.findall(shown))
    ground = _known(f"{ground_truth}\n{question or ''}")
    for proposition in propositions:
        for kind, detail in _faults_of(proposition, ground_truth):
            yield LintFinding(kind=kind, detail=detail, proposition=proposition.id)
        own = read_quantities(folded(proposition.text))
        for quantity, written in zip(own.quantities, own.written, strict=True):
            is_known = (
                _value(quantity) in ground.values or _is_within_date(quantity, known) or words.issuperset(_NUMBER_PART.findall(written))
            )
            if not is_known:
                detail = f"{written.strip()!r} is neither in the ground truth nor in the question"
                yield LintFinding(kind="invented_number", detail=detail, proposition=proposition.id)
        enough = ENOUGH_GROUND_UNSPACED if any(map(is_unspaced, proposition.text)) else ENOUGH_GROUND
        if _shared(proposition.text, ground) < enough:
            detail = "most of its words are neither in the ground truth nor in the question"
            yield LintFinding(kind=INVENTED, detail=detail, proposition=proposition.id)


def _faults_of(proposition: Proposition, ground_truth: str) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a proposition by itself, kind and detail."""
    if opens_with_pronoun(proposition.text):
        yield "pronoun", "begins with a pronoun and cannot be judged alone"
    if joins_assertions(proposition.text):
        yield "compound", "asserts more than one thing"
    quote = proposition.source_quote
    if quote is not None and any(piece not in ground_truth for piece in quote.split(JOINER)):
        yield NO_SOURCE_SPAN, f"its source quote {_short(quote)} is not in the ground truth"


def _probable_duplicates(propositions: Sequence[Proposition]) -> Iterator[LintFinding]:
    seen: list[tuple[str, frozenset[str], frozenset[tuple[object, ...]], bool]] = []
    for proposition in propositions:
        shown, found = folded(proposition.text), content(proposition.text)
        mine = (proposition.id, frozenset(found.stems), _numbers(found.quantities), bool(count_qualifiers("negation", shown)))
        enough = SAME_WORDS_AND_NUMBERS if mine[2] else SAME_WORDS
        twin = next((other for other in seen if other[2:] == mine[2:] and _overlap(other[1], mine[1]) >= enough), None)
        if twin is not None:
            yield LintFinding(kind="probable_duplicate", detail=f"says what {twin[0]} says", proposition=proposition.id)
        seen.append(mine)


class _Known(NamedTuple):
    """The content words of a text, and its numbers without regard to how they are written."""

    stems: frozenset[str]
    values: frozenset[tuple[object, ...]]


@lru_cache(maxsize=8)
def _known(text: str) -> _Known:
    found = content(text)
    return _Known(frozenset(found.stems), _values(found.quantities))


def _shared(text: str, known: _Known) -> float:
    """Return which part of the content words and numbers of a text is known; 1 where it has none."""
    asked = content(text)
    stems = frozenset(asked.stems)
    wanted = len(stems) + len(asked.quantities)
    found = len(stems & known.stems) + sum(_value(quantity) in known.values for quantity in asked.quantities)
    return found / wanted if wanted else 1.0


def _overlap(first: frozenset[str], second: frozenset[str]) -> float:
    """Return the share of common words, 0 where each has a word of its own or there is none."""
    nested = first <= second or second <= first
    return len(first & second) / len(first | second) if nested and first | second else 0.0


def _numbers(quantities: Sequence[Quantity]) -> frozenset[tuple[object, ...]]:
    """Return the values without their units: `6` and `6 o'clock` may be one hour."""
    return frozenset(quantity.value for quantity in quantities)


def _value(quantity: Quantity) -> tuple[object, ...]:
    """Return what equal quantities share; a bare year and a plain number look alike."""
    if quantity.dimension == DATE and quantity.value[1:] == (None, None):
        return (COUNT, quantity.value[:1])
    return (quantity.dimension, quantity.value)


def _values(quantities: Sequence[Quantity]) -> frozenset[tuple[object, ...]]:
    return frozenset(map(_value, quantities))


def _is_within_date(quantity: Quantity, others: Sequence[Quantity]) -> bool:
    """Return whether a date, or a plain year, is what others say more precisely."""
    parts = quantity.value if quantity.dimension == DATE else ((*quantity.value, None, None) if quantity.dimension == COUNT else None)
    if parts is None:
        return False
    dates = [other.value for other in others if other.dimension == DATE]
    return any(all(part is None or part == whole for part, whole in zip(parts, date, strict=True)) for date in dates)


def _contains(text: str, written: str) -> bool:
    """Return whether a number is written in the text just so, and not as part of a longer one."""
    if not written.isascii() and written in text:
        return True
    return re.search(rf"(?<![\da-z])(?<!\d[.,]){re.escape(written.strip())}(?![\da-z]|[.,]\d)", text) is not None


def _bare(written: str) -> str:
    return "".join(re.findall(r"\d[\d.,]*", written)).rstrip(".,")


def _plain_digits(text: str) -> str:
    """Return the text with the digits of every script as ASCII."""
    return "".join(str(unicodedata.digit(char)) if char.isdigit() and not char.isascii() else char for char in text)


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:59] + "…")
