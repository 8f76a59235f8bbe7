"""A long text as parts that overlap, cut where a reader would cut it."""

import re

from judge.text.folding import inside_word

OVERLAP = 2_000
"""Characters that two neighbours share at most; a sentence at a seam is whole in one of them."""

_PARAGRAPH = re.compile(r"\n\s*\n\s*")
_SENTENCE = re.compile(r"(?:(?<=[.!?\u2026])[\"'\u201d\u2019)\]]*\s+|(?<=[\u3002\uff01\uff1f])|\n+)")
_SPACE = re.compile(r"\s+")
_BOUNDARIES = (_PARAGRAPH, _SENTENCE, _SPACE)
_WORD_REACH = 100
"""Characters that a cut without any white space moves back in search of the end of a word."""


def overlapping_parts(text: str, room: int) -> list[str]:
    """Return parts of at most `room` (2 or more) characters, exact substrings in order, that cover the whole text.

    A part ends after a paragraph, else after a sentence, else at white space, else between two words, else anywhere; the
    best of these in its second half. The next one begins at a sentence (else at white space) within the last `OVERLAP`
    characters of it, at most a quarter of the room, so that what stands at a seam is whole in one of them.
    """
    overlap = min(OVERLAP, room // 4)
    parts: list[str] = []
    start = 0
    while len(text) - start > room:
        end = _end(text, start + room // 2, start + room)
        parts.append(text[start:end])
        start = _start(text, max(end - overlap, start + 1), end)
    return [*parts, text[start:]]


def _end(text: str, low: int, high: int) -> int:
    """Return the last good place to cut in `text[low:high]`, by the best kind of boundary that it holds."""
    for boundary in _BOUNDARIES:
        ends = [found.end() for found in boundary.finditer(text, low, high)]
        if ends:
            return ends[-1]
    return _between_words(text, low, high)


def _start(text: str, low: int, high: int) -> int:
    """Return the first beginning of a sentence, else of a word, in `text[low:high]`."""
    for boundary in (_SENTENCE, _SPACE):
        found = boundary.search(text, low, high)
        if found is not None and low <= found.end() <= high:
            return found.end()
    return _between_words(text, low, low + 1) if low < high else high


def _between_words(text: str, low: int, high: int) -> int:
    """Return the last place at or before `high` that cuts no word, if one is near; else `high`."""
    for place in range(high, max(low, high - _WORD_REACH), -1):
        if not inside_word(text, place):
            return place
    return high
