"""What a person sees of a text, and whether two texts say the same in other characters."""

import re
from collections.abc import Iterator

from judge.text.folding import INVISIBLE, Folding, Span, compatible, folding, inside_word, plain

_INVISIBLE = re.compile(f"[{INVISIBLE}]+")
_SUBSTANCE = re.compile(r"[^\W_]")
_ELLIPSIS = re.compile(r"\s*(?:[\[(](?:…|\.{3})[\])]|…|\.{3,})\s*")
_AROUND = " \t\r\n\"'\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb\u2039\u203a\u300c\u300d\u300e\u300f`*_"
_TRAILING = _AROUND + ".,;:!?\u2026\u3002\uff0c\uff1b\uff01\uff1f\u061f\u06d4\u0964"
_LEADING = _AROUND + ".\u2026"

MAX_COMPARED = 50_000_000
"""Characters compared in search of one quote that never stands at word boundaries, before it counts as not found."""

WORDS_TO_COMPLETE = 3
"""Words from which on a quote is recognised although it was cut inside a word."""

JOINER = " … "
"""What joins the pieces of a quote that was found in several places."""


def visible(text: str) -> str:
    """Return the text without characters that nobody sees and that carry no meaning; joiners stay, scripts need them."""
    if text.isascii() or _INVISIBLE.search(text) is None:
        return text
    return _INVISIBLE.sub("", text)


def folded(text: str) -> str:
    """Return the text for comparison: NFKC, no case, no invisible characters, plain quotes and dashes, single spaces."""
    return " ".join(plain(visible(text)).split())


def is_empty(text: str) -> bool:
    """Return whether the text holds no letter and no digit that a person can see; `㎏` and `℃` are symbols, and hold some."""
    seen = visible(text)
    return _SUBSTANCE.search(seen) is None and (seen.isascii() or _SUBSTANCE.search(compatible(seen)) is None)


def find_quote(quote: str, text: str) -> str | None:
    """Return the exact characters of `text` that the quote repeats, or None.

    Case, white space, typography, emphasis marks, outer quotation marks and end punctuation are forgiven. A quote in
    pieces (`a … b`) is found when every piece stands in the text; they come back joined by ` … `. Cutting a word or a
    number is not forgiven: `21` is not a quote of `1921`. A quote without a letter or digit is never found.
    """
    # Nearly every quote is an exact copy of whole words, and is found without any folding.
    start = text.find(quote)
    if (
        start >= 0
        and _SUBSTANCE.search(quote)
        and text.isascii()
        and not inside_word(text, start)
        and not inside_word(text, start + len(quote))
    ):
        return quote.strip()
    if is_empty(quote):
        return None
    bare = quote.strip(_TRAILING).lstrip(_LEADING)
    for wanted in dict.fromkeys((quote.strip(), bare)):
        found = _first(wanted, text, 0)
        # The exact text does not see through an invisible character beside the quote; the folded one does.
        if found is not None and not _touches_invisible(text, found):
            return text[found.start : found.end]
    whole = _find_pieces([bare], text)
    if whole is not None:
        return whole
    pieces = [piece.strip(_TRAILING).lstrip(_LEADING) for piece in _ELLIPSIS.split(quote)]
    pieces = [piece for piece in pieces if not is_empty(piece)]
    return _find_pieces(pieces, text) if len(pieces) > 1 else None


_PREFIXES = frozenset("وفبلكהושבלכמ")
"""Arabic and Hebrew words that are written together with the next one: `and`, `so`, `in`, `to`, `as`, `the`, `that`, `from`."""


def find_cut_quote(quote: str, text: str) -> str | None:
    """Return what `find_quote` does, and for a quote of several words that was cut off inside the last one the whole word as well.

    A word written together with the first one, as the Arabic `and` is, is completed likewise.
    """
    found = find_quote(quote, text)
    wanted = quote.strip()
    if found is not None or len(wanted.split()) < WORDS_TO_COMPLETE or is_empty(wanted):
        return found
    start = text.find(wanted)
    if start > 0 and inside_word(text, start) and text[start - 1] in _PREFIXES and not inside_word(text, start - 1):
        start -= 1
    if start < 0 or inside_word(text, start):
        return None
    end = start + len(wanted)
    while inside_word(text, end):
        end += 1
    return None if _touches_invisible(text, Span(start, end)) else text[start:end]


def _find_pieces(pieces: list[str], text: str) -> str | None:
    """Find all pieces in the comparison form of the text, each after the one before it where that is possible."""
    haystack = folding(text)
    found: list[str] = []
    position = 0
    for piece in pieces:
        form = folding(piece).form.strip()
        place = _first(form, haystack.form, position, haystack) or _first(form, haystack.form, 0, haystack)
        if place is None:
            return None
        position = place.end
        span = haystack.original(place.start, place.end)
        found.append(text[span.start : span.end])
    return JOINER.join(found)


def _first(wanted: str, text: str, start: int, form: Folding | None = None) -> Span | None:
    """Return the first place at word boundaries, and of a `form` at those of characters; gives up after a bounded amount of work."""
    for place in _places(wanted, text, start):
        if inside_word(text, place.start) or inside_word(text, place.end):
            continue
        if form is None or not (form.splits_character(place.start) or form.splits_character(place.end)):
            return place
    return None


def _places(wanted: str, text: str, start: int) -> Iterator[Span]:
    """Yield where the wanted text stands, overlapping places included, as many as the bound on work allows."""
    if not wanted:
        return
    for _ in range(max(16, MAX_COMPARED // len(wanted))):
        place = text.find(wanted, start)
        if place < 0:
            return
        yield Span(place, place + len(wanted))
        start = place + 1


def _touches_invisible(text: str, span: Span) -> bool:
    """Return whether an invisible character stands directly before or after the span."""
    around = text[max(0, span.start - 1) : span.start] + text[span.end : span.end + 1]
    return _INVISIBLE.search(around) is not None
