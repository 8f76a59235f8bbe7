"""An answer as a baseline reads it: its sentences, what stands around each, and how far each stands behind its words."""

from functools import lru_cache
from typing import NamedTuple

from judge.text.declining import declines
from judge.text.names import Names, names
from judge.text.negation import denied
from judge.text.opposites import Side, sides
from judge.text.quantities import Quantity
from judge.text.sentences import sentences
from judge.text.stance import Stance, stance, without_affirmation, without_denial
from judge.text.words import Content, content


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
    """All that an answer says."""

    sentences: tuple[Sentence, ...]
    stems: frozenset[str]
    quantities: tuple[Quantity, ...]


@lru_cache(maxsize=4)
def read_answer(answer: str, *, declining: bool = False) -> Answer:
    """Read an answer once for all statements about it.

    Sentences that decline say nothing, except of a statement that speaks of what is not known: for it, `declining` keeps them.
    """
    spans = [span for span in sentences(answer) if declining or not declines(span)]
    contents = [content(span) for span in spans]
    stems = [frozenset(one.stems) for one in contents]
    read: list[Sentence] = []
    stances = [stance(span, following) for span, following in zip(spans, [*spans[1:], ""], strict=False)]
    for place, (span, stands) in enumerate(zip(spans, stances, strict=True)):
        own = names(span)
        around = range(max(0, place - 1), min(place + 2, len(spans)))
        near = [other for other in around if other == place or (not own.leading and stances[other] is Stance.ASSERTED)]
        read.append(
            Sentence(
                span=span,
                content=contents[place],
                stems=stems[place],
                passage=frozenset().union(*(stems[other] for other in near)),
                quantities=tuple(quantity for other in near for quantity in contents[other].quantities),
                codes=frozenset().union(*(contents[other].codes for other in near)),
                names=own,
                stance=stands,
                sides=sides(span),
                denied=denied(without_denial(span) if stands is Stance.DENIED else without_affirmation(span)),
            )
        )
    return Answer(tuple(read), frozenset().union(*stems), tuple(quantity for one in contents for quantity in one.quantities))
