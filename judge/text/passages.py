"""An answer as a baseline reads it: its sentences, what stands around each, and how far each stands behind its words."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
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


class Answer:
    """All that an answer says, each sentence once in each of its surroundings; and where to look for what a statement needs.

    `holding` gives the positions of the sentences with a stem, in order, `stating` of those with a quantity, `with_quantities` of
    those with any. Most of what can be known of a sentence is found out when it is first asked for.
    """

    def __init__(self, spans: Sequence[str]) -> None:
        """Index the sentences of an answer."""
        self._contents = {span: content(span) for span in dict.fromkeys(spans)}
        around = [None, *spans, None, None]
        # What is known of a sentence depends on the one before it and the two after it: a repetition of all four says nothing new.
        self._places = tuple(_Place(*place) for place in dict.fromkeys(zip(around, spans, around[2:], around[3:], strict=False)))
        self._read: dict[int, Sentence] = {}
        each = [self._contents[place.span] for place in self._places]
        self.stems = frozenset().union(*(one.stems for one in each))
        self.quantities = tuple(dict.fromkeys(quantity for one in each for quantity in one.quantities))
        self.holding = _index(frozenset(one.stems) for one in each)
        self.stating = _index(frozenset(one.quantities) for one in each)
        self.with_quantities = tuple(position for position, one in enumerate(each) if one.quantities)

    def __len__(self) -> int:
        """Return how many sentences there are."""
        return len(self._places)

    def sentence(self, position: int) -> Sentence:
        """Return what is known of one sentence."""
        if position not in self._read:
            self._read[position] = _sentence(self._places[position], self._contents)
        return self._read[position]

    @cached_property
    def with_sides(self) -> tuple[int, ...]:
        """The positions of the sentences that take a side of a pair of opposites."""
        return tuple(position for position, place in enumerate(self._places) if sides(place.span))


@lru_cache(maxsize=4)
def read_answer(answer: str, *, declining: bool = False) -> Answer:
    """Read an answer once for all statements about it.

    Sentences that decline say nothing, except of a statement that speaks of what is not known: for it, `declining` keeps them.
    """
    return Answer([span for span in sentences(answer) if declining or not declines(span)])


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
