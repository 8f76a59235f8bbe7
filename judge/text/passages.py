"""An answer as a baseline reads it: its sentences, what stands around each, and how far each stands behind its words."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple, TypeVar

from judge.text.declining import declines
from judge.text.names import Names, names
from judge.text.negation import denied
from judge.text.opposites import Side, sides
from judge.text.quantities import Quantity
from judge.text.sentences import sentences
from judge.text.stance import Stance, stance, without_affirmation, without_denial
from judge.text.words import Content, content

_Key = TypeVar("_Key")


class Sentence(NamedTuple):
    """One sentence of the answer, and what can be known of it without a statement."""

    span: str
    content: Content
    stems: frozenset[str]
    passage: frozenset[str]
    """Its stems and those of the neighbours that assert something; only its own where it begins with a name."""
    quantities: tuple[Quantity, ...]
    """The quantities of the passage."""
    codes: frozenset[str]
    """The codes of the passage."""
    names: Names
    stance: Stance
    denied: frozenset[str]
    sides: frozenset[Side]


class Answer(NamedTuple):
    """All that an answer says, each sentence once in each of its surroundings; and where to look for what a statement needs.

    `holding` gives the positions of the sentences with a stem, in order, `stating` of those with a quantity; the others of those
    with any quantities of their own, and with a side of a pair of opposites.
    """

    sentences: tuple[Sentence, ...]
    stems: frozenset[str]
    quantities: tuple[Quantity, ...]
    holding: Mapping[str, tuple[int, ...]]
    stating: Mapping[Quantity, tuple[int, ...]]
    with_quantities: tuple[int, ...]
    with_sides: tuple[int, ...]


@lru_cache(maxsize=4)
def read_answer(answer: str, *, declining: bool = False) -> Answer:
    """Read an answer once for all statements about it.

    Sentences that decline say nothing, except of a statement that speaks of what is not known: for it, `declining` keeps them.
    """
    spans = [span for span in sentences(answer) if declining or not declines(span)]
    contents = {span: content(span) for span in dict.fromkeys(spans)}
    around = [None, *spans, None, None]
    # What is known of a sentence depends on the one before it and the two after it: a repetition of all four says nothing new.
    distinct = dict.fromkeys(zip(around, spans, around[2:], around[3:], strict=False))
    read = tuple(_sentence(_Place(*place), contents) for place in distinct)
    return Answer(
        sentences=read,
        stems=frozenset().union(*(one.stems for one in read)),
        quantities=tuple(dict.fromkeys(quantity for one in read for quantity in one.content.quantities)),
        holding=_index(one.stems for one in read),
        stating=_index(frozenset(one.content.quantities) for one in read),
        with_quantities=_where(read, lambda one: bool(one.content.quantities)),
        with_sides=_where(read, lambda one: bool(one.sides)),
    )


class _Place(NamedTuple):
    """A sentence between its neighbours."""

    before: str | None
    span: str
    after: str | None
    then: str | None


def _sentence(place: _Place, contents: Mapping[str, Content]) -> Sentence:
    span, own = place.span, names(place.span)
    stands = stance(span, place.after or "")
    near = [span]
    if not own.leading:
        neighbours = ((place.before, span), (place.after, place.then or ""))
        near += [text for text, following in neighbours if text is not None and stance(text, following) is Stance.ASSERTED]
    return Sentence(
        span=span,
        content=contents[span],
        stems=frozenset(contents[span].stems),
        passage=frozenset().union(*(contents[text].stems for text in near)),
        quantities=tuple(quantity for text in near for quantity in contents[text].quantities),
        codes=frozenset().union(*(contents[text].codes for text in near)),
        names=own,
        stance=stands,
        sides=sides(span),
        denied=denied(without_denial(span) if stands is Stance.DENIED else without_affirmation(span)),
    )


def _index(keys_of_each: Iterable[frozenset[_Key]]) -> dict[_Key, tuple[int, ...]]:
    found: dict[_Key, list[int]] = {}
    for position, keys in enumerate(keys_of_each):
        for key in keys:
            found.setdefault(key, []).append(position)
    return {key: tuple(positions) for key, positions in found.items()}


def _where(read: Iterable[Sentence], holds: Callable[[Sentence], bool]) -> tuple[int, ...]:
    return tuple(position for position, one in enumerate(read) if holds(one))
