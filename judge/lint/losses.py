"""What of a ground truth is in no proposition."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from judge.lint.coverage import Part
from judge.lint.figures import bare, figures, is_said, is_written, measured
from judge.lint.wording import shared, wording
from judge.schema.propositions import LintFinding, Proposition
from judge.text.checkable import is_checkable
from judge.text.normalise import folded
from judge.text.numbers import CLOCK, COUNT, DATE
from judge.text.qualifiers import KINDS, STANDS_FOR, count_qualifiers
from judge.text.units import UNITS

ENOUGH_KEPT = 0.8
"""Share of the content words and numbers of a sentence that the propositions must repeat where none of them comes from it."""

_REFERENCE_MARK = re.compile(r"\[\d{1,3}(?:\s?[,–-]\s?\d{1,3})*\]")
# A line may begin with the number of a clause; that of a day stands before a month.
_ITEM_NUMBER = re.compile(
    r"^\d{1,4}[.)]\s+(?!(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[a-zäé]*\b)(?=[^\W\d_])", re.IGNORECASE
)


def losses(parts: Sequence[Part], propositions: Sequence[Proposition]) -> Iterator[LintFinding]:
    """Yield what is lost: numbers, dates and units of the whole text, qualifiers by sentence, whole sentences."""
    kept = folded("\n".join(proposition.text for proposition in propositions))
    said = folded("\n".join(_ITEM_NUMBER.sub("", _REFERENCE_MARK.sub("", part.text)) for part in parts if is_checkable(part.text)))
    yield from _lost_numbers(said, kept)
    yield from _lost_units([folded(part.text) for part in parts if is_checkable(part.text)], kept)
    for part in parts:
        if is_checkable(part.text):
            yield from _lost_qualifiers(part) if part.propositions else _lost_sentence(part, propositions)


def _lost_numbers(said: str, kept: str) -> Iterator[LintFinding]:
    source, target = figures(said), figures(kept)
    plain = {quantity.value[0] for quantity in target.quantities if quantity.dimension in (COUNT, DATE)}
    bare_kept = {bare(text) for text in target.written}
    for quantity, written in zip(source.quantities, source.written, strict=True):
        if is_said(quantity, written, target) or (quantity.dimension == COUNT and quantity.value[0] in plain):
            continue
        is_date = quantity.dimension in (DATE, CLOCK)
        kind = "lost_date" if is_date else "lost_unit" if quantity.dimension != COUNT and bare(written) in bare_kept else "lost_number"
        yield LintFinding(kind=kind, detail=f"{written.strip()!r} is in the ground truth and in no proposition")
    for numeral in source.numerals:
        if not is_written(numeral, target):
            yield LintFinding(kind="lost_number", detail=f"{numeral!r} is in the ground truth and in no proposition")


def _lost_units(said: Sequence[str], kept: str) -> Iterator[LintFinding]:
    """Yield words after a number that stand nowhere in the propositions although the number does: units that no table knows."""
    followers: defaultdict[str, set[str]] = defaultdict(set)
    for number, word in measured(kept):
        followers[number].add(word)
    words, target = wording(kept), figures(kept)
    for number, word in dict.fromkeys(pair for sentence in said for pair in measured(sentence)):
        if word in UNITS or word in followers[number] or word in kept or wording(word).stems & words.stems:
            continue
        if wording(word).stems and is_written(number, target):
            yield LintFinding(kind="lost_unit", detail=f"{word!r} after {number!r} is in the ground truth and in no proposition")


def _lost_qualifiers(part: Part) -> Iterator[LintFinding]:
    source, kept = folded(part.text), folded("\n".join(proposition.text for proposition in part.propositions.values()))
    for kind in KINDS:
        wanted = count_qualifiers(kind, source)
        found = count_qualifiers(kind, kept) if wanted else 0
        for other in STANDS_FOR.get(kind, ()) if found < wanted else ():
            # Only those that the sentence itself has not can stand for something else in it.
            found += max(0, count_qualifiers(other, kept) - count_qualifiers(other, source))
        if found < wanted:
            yield LintFinding(kind=f"lost_{kind}", detail=f"{wanted} of this kind in {shortened(part.text)}, {found} in its propositions")


def _lost_sentence(part: Part, propositions: Sequence[Proposition]) -> Iterator[LintFinding]:
    told = wording("\n".join(proposition.text for proposition in propositions))
    if not part.is_heading and shared(part.text, told) < ENOUGH_KEPT:
        yield LintFinding(kind="lost_sentence", detail=f"no proposition comes from {shortened(part.text)}")


def shortened(text: str) -> str:
    """Return the text in quotes, cut after 60 characters."""
    return repr(text if len(text) <= 60 else text[:59] + "…")
