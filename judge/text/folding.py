"""The comparison form of a text, with a way back to the original characters."""

import re
import unicodedata
from bisect import bisect_right
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

INVISIBLE = "\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\u3164\ufeff\uffa0\U000e0000-\U000e007f"
"""Regex class content: characters that nobody sees and that carry no meaning; the joiners U+200C and U+200D are not among them."""

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u300c\u300d", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        "\u2039": "<",
        "\u203a": ">",
    }
)

# Marks that compose with the character before them; together they are folded as one.
_MARKS = (
    "\u0300-\u036f\u0653-\u0655\u093c\u09bc\u09be\u09d7\u0a3c\u0b3c\u0b3e\u0b56\u0b57\u0bbe\u0bd7\u0c56\u0cc2\u0cd5\u0cd6"
    "\u0d3e\u0d57\u0dcf\u0ddf\u102e\u1161-\u1175\u11a8-\u11c2\u3099\u309a"
)
_PIECE = re.compile(
    rf"(?P<space>\s+)|(?P<gone>[{INVISIBLE}]+)"
    r"|(?P<emphasis>(?<![^\W_])[*_`]+(?=\S)|(?<=\S)[*_`]+(?![^\W_]))"
    # Printable ASCII without emphasis marks folds one to one, so a whole run is one piece.
    rf"|(?P<run>[!-)+-^a-~]+(?: [!-)+-^a-~]+)*(?![{_MARKS}])|[*_`]+)"
    rf"|(?P<one>.[{_MARKS}]{{0,30}})",
    re.DOTALL,
)

# Canonical ordering is quadratic in a run of combining marks; such runs are cut into bounded parts.
_LONG_RUN = re.compile(r"([^\w\s\x00-\x7f]{30})")


def compatible(text: str) -> str:
    """Return the text in NFKC, in linear time whatever the text."""
    if text.isascii():
        return text
    return "".join(unicodedata.normalize("NFKC", part) for part in _LONG_RUN.split(text))


def plain(text: str) -> str:
    """Return the text in NFKC without case, with plain quotation marks and dashes; white space is left alone."""
    if text.isascii():
        return text.lower()
    # Some quotation marks are no longer themselves after NFKC, so plain forms come first.
    return compatible(compatible(text.translate(_PLAIN)).casefold()).translate(_PLAIN)


class Span(NamedTuple):
    """Where something stands: from `start` up to, not including, `end`."""

    start: int
    end: int


class Folding:
    """A text in comparison form: `form` has no case, emphasis marks, invisible characters or runs of white space."""

    def __init__(self, text: str) -> None:
        """Fold the text piece by piece, remembering where each piece came from."""
        forms: list[str] = []
        self._starts: list[int] = []
        self._spans: list[Span] = []
        self._linear: list[bool] = []
        length, after_space = 0, False
        for piece in _PIECE.finditer(text):
            kind = piece.lastgroup
            if kind in {"gone", "emphasis"} or (kind == "space" and after_space):
                continue
            form = " " if kind == "space" else plain(piece.group())
            after_space = kind == "space"
            forms.append(form)
            self._starts.append(length)
            self._spans.append(Span(piece.start(), piece.end()))
            self._linear.append(kind == "run")
            length += len(form)
        self.form = "".join(forms)

    def splits_character(self, position: int) -> bool:
        """Return whether the form, cut at this position, would be cut inside what one character stands for: `½` is `1⁄2`."""
        if position >= len(self.form):
            return False
        piece = bisect_right(self._starts, position) - 1
        return self._starts[piece] != position and not self._linear[piece]

    def original(self, start: int, end: int) -> Span:
        """Return the span of the original text that `form[start:end]` stands for; `start < end`."""
        first = bisect_right(self._starts, start) - 1
        last = bisect_right(self._starts, end - 1) - 1
        begin = self._spans[first].start + (start - self._starts[first] if self._linear[first] else 0)
        if self._linear[last]:
            return Span(begin, self._spans[last].start + end - self._starts[last])
        return Span(begin, self._spans[last].end)


@lru_cache(maxsize=4)
def folding(text: str) -> Folding:
    """Return the folding of a text; the last few are kept, since an answer is searched once per quote."""
    return Folding(text)


# Scripts written without spaces between words: there every character may begin or end a quote.
_UNSPACED = ((0x0E00, 0x0FFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x2E80, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF))
_JOINERS = "\u200c\u200d"


def is_unspaced(character: str) -> bool:
    """Return whether the character belongs to a script that puts no spaces between words."""
    code = ord(character)
    return code >= 0x0E00 and any(low <= code <= high for low, high in _UNSPACED)


def inside_word(text: str, position: int) -> bool:
    """Return whether cutting the text at this position would cut a word or a number in two."""
    if not 0 < position < len(text):
        return False
    before, after = text[position - 1], text[position]
    if after in _JOINERS or _is_mark(after):
        return not before.isspace()
    if after.isdigit() and before in ".,":
        return position > 1 and text[position - 2].isdigit()
    if before.isdigit() and after in ".,":
        return position + 1 < len(text) and text[position + 1].isdigit()
    goes_on = before.isalnum() or before in _JOINERS or _is_mark(before)
    return goes_on and after.isalnum() and not is_unspaced(before) and not is_unspaced(after)


def _is_mark(character: str) -> bool:
    return unicodedata.category(character).startswith("M")


def script_bigrams(word: str) -> list[str]:
    """Return the overlapping pairs of characters of a word, or the word itself when it has only one character."""
    return [first + second for first, second in pairwise(word)] or [word]
