"""Which statements are put beside which text of the answer, so that every label request fits."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from judge.lengths import Limits, size_of, too_long
from judge.schema.outcomes import Unjudged
from judge.text.normalise import is_empty
from judge.text.parts import overlapping_parts

SHORTEST_PART = 200
"""Characters; parts of an answer shorter than this say nothing on their own, and there would be too many of them."""

_SPLIT = ", or give --long-answers split to judge the answer in parts"
_STATEMENT = ": the question and the statement leave too little room for any part of the answer"


class Batch(NamedTuple):
    """What one label request is about: the answer or a part of it, some statements, and whether it abstains."""

    answer: str
    texts: tuple[str, ...]
    asks_abstention: bool


class Batches(NamedTuple):
    """All label requests of an item, and what cannot be asked because it would be too long.

    `abstention` is set where no request asks for it. `is_split` says that parts of the answer stand for the answer.
    """

    batches: tuple[Batch, ...]
    too_long: Mapping[str, Unjudged] = {}
    abstention: Unjudged | None = None
    is_split: bool = False


class Texts(NamedTuple):
    """What the label requests of an item are made from; the statements are all different."""

    question: str | None
    answer: str
    statements: Sequence[str]


def batches_of(texts: Texts, batch_size: int, limits: Limits | None) -> Batches:
    """Return batches of at most `batch_size` statements; without limits nothing is too long.

    A batch that does not fit beside the answer becomes several. A statement that does not fit beside it alone is refused,
    or asked of every part of the answer; an answer that does not fit alone is refused or split as a whole.
    """
    if limits is None:
        return Batches(tuple(_beside(texts.answer, texts.statements, batch_size, asks_abstention=True)))
    beside = limits.max_chars - size_of(texts.question, texts.answer)
    fitting = [text for text in texts.statements if len(text) <= beside]
    rest = [text for text in texts.statements if len(text) > beside]
    whole = tuple(_beside(texts.answer, fitting, batch_size, beside, asks_abstention=True)) if beside >= 0 else ()
    if whole and not rest:
        return Batches(whole)
    if limits.splits:
        other = _in_parts(texts, rest, batch_size, limits, asks_abstention=not whole)
    else:
        other = _refused(texts, rest, limits, _SPLIT)
    return other._replace(batches=(*whole, *other.batches), abstention=None if whole else other.abstention)


def _refused(texts: Texts, rest: Sequence[str], limits: Limits, way_out: str) -> Batches:
    held = size_of(texts.question, texts.answer)
    return Batches((), {text: too_long(held + len(text), limits, way_out) for text in rest}, too_long(held, limits, way_out))


def _in_parts(texts: Texts, rest: Sequence[str], batch_size: int, limits: Limits, *, asks_abstention: bool) -> Batches:
    """Return batches about every part of the answer; statements that leave no part enough room are refused."""
    room = limits.max_chars - size_of(texts.question)
    longest_askable = room - max(SHORTEST_PART, room // 2)
    askable = [text for text in rest if len(text) <= longest_askable]
    if longest_askable < 0 or not (askable or asks_abstention):
        return _refused(texts, rest, limits, _STATEMENT)
    refused = _refused(texts, [text for text in rest if len(text) > longest_askable], limits, _STATEMENT)
    longest = sorted(map(len, askable), reverse=True)[:batch_size]
    room_for_part = room - max(min(sum(longest), room // 4), *longest[:1], 0)
    parts = [part for part in overlapping_parts(texts.answer, room_for_part) if not is_empty(part)]
    beside = room - max(map(len, parts))
    chunks = list(_chunks(askable, batch_size, beside)) or [()]
    batches = tuple(Batch(part, chunk, asks_abstention and chunk is chunks[0]) for chunk in chunks for part in parts)
    return Batches(batches, refused.too_long, is_split=True)


def _beside(answer: str, texts: Sequence[str], batch_size: int, room: int | None = None, *, asks_abstention: bool) -> Iterator[Batch]:
    """Yield the batches about one text, the first of them with abstention; without statements it is all that is asked."""
    for number, chunk in enumerate(list(_chunks(texts, batch_size, room)) or [()]):
        yield Batch(answer, chunk, asks_abstention and number == 0)


def _chunks(texts: Sequence[str], batch_size: int, room: int | None) -> Iterator[tuple[str, ...]]:
    """Yield the texts in chunks of at most `batch_size` texts and `room` characters; every text fits alone."""
    chunk: list[str] = []
    used = 0
    for text in texts:
        if chunk and (len(chunk) == batch_size or (room is not None and used + len(text) > room)):
            yield tuple(chunk)
            chunk, used = [], 0
        chunk.append(text)
        used += len(text)
    if chunk:
        yield tuple(chunk)
