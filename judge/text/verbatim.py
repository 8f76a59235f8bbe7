"""Where a statement stands in an answer word for word, and is asserted there."""

from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice, takewhile
from typing import NamedTuple

from judge.text.folding import inside_word
from judge.text.normalise import find_quote, folded
from judge.text.qualifiers import count_qualifiers
from judge.text.quantities import Comparison, compare
from judge.text.sentences import sentences
from judge.text.stance import endorses, is_taken_back
from judge.text.words import content

PLACES = 16
"""A statement that no sentence asserts at so many places of the answer is not searched any further."""


class _Placed(NamedTuple):
    """A sentence of the answer, where it stands, and the one after it."""

    text: str
    start: int
    end: int
    following: str


def find_verbatim(statement: str, answer: str) -> str | None:
    """Return the one span of the answer that repeats the statement and stands behind it, or None.

    A sentence that is the statement is enough, unless the next one takes it back. Of a span over several sentences each has to assert
    its part. Pieces that only stand somewhere in the answer are no span.
    """
    placed = _placed(answer)
    whole = placed.by_text.get(statement, ())
    if statement == answer or any(not is_taken_back(one.following) for one in whole):
        return statement  # even where its ends look as if they cut a word
    quote = find_quote(statement, answer)
    if quote is None or (quote != statement and not _same_values(statement, quote)):
        return None
    return next((quote for start in _starts(quote, answer) if _is_asserted(start, start + len(quote), answer, placed)), None)


class _Sentences(NamedTuple):
    """All sentences of an answer in order, where each begins, and where each text stands."""

    placed: list[_Placed]
    starts: list[int]
    by_text: dict[str, list[_Placed]]

    def touching(self, start: int, end: int) -> Iterator[_Placed]:
        """Yield the sentences that share a character with a span."""
        first = max(0, bisect_right(self.starts, start) - 1)
        for one in takewhile(lambda one: one.start < end, islice(self.placed, first, None)):
            if one.end > start:
                yield one


@lru_cache(maxsize=4)
def _placed(answer: str) -> _Sentences:
    """Find the sentences of an answer once for all statements about it."""
    found: list[_Placed] = []
    by_text: dict[str, list[_Placed]] = {}
    position = 0
    spans = sentences(answer)
    for text, following in zip(spans, [*spans[1:], ""], strict=True):
        start = answer.index(text, position)
        position = start + len(text)
        found.append(_Placed(text, start, position, following))
        by_text.setdefault(text, []).append(found[-1])
    return _Sentences(found, [one.start for one in found], by_text)


def _starts(quote: str, answer: str) -> Iterator[int]:
    """Yield where the quote stands in the answer as whole words, up to a bound; nowhere, where it was joined from pieces."""
    start = answer.find(quote)
    for _ in range(PLACES):
        if start < 0:
            return
        if not inside_word(answer, start) and not inside_word(answer, start + len(quote)):
            yield start
        start = answer.find(quote, start + 1)


def _is_asserted(start: int, end: int, answer: str, placed: _Sentences) -> bool:
    for one in placed.touching(start, end):
        part = answer[max(start, one.start) : min(end, one.end)]
        following = one.following if end <= one.end else ""
        if not endorses(one.text, part, following) or not _same_values(part, one.text) or _is_limited(part, one.text):
            return False
    return True


def _is_limited(part: str, sentence: str) -> bool:
    """Return whether the words around the part deny it, limit it or make it a condition: then the sentence says less than the part."""
    around = folded(sentence.replace(part, " ", 1))
    return any(count_qualifiers(kind, around) for kind in ("negation", "exception", "condition"))


def _same_values(quote: str, sentence: str) -> bool:
    """Return whether the values of the quote are those of the sentence: `1 hour` is not what `1 hour 30 minutes` says."""
    return compare(content(quote).quantities, content(sentence).quantities) is Comparison.AGREE
