"""Which part of a text's content words and numbers another text repeats."""

from functools import lru_cache
from typing import NamedTuple

from judge.lint.figures import Value, value_of
from judge.text.words import content


class Wording(NamedTuple):
    """The stems of the content words of a text, and its numbers without regard to how they are written."""

    stems: frozenset[str]
    values: frozenset[Value]


@lru_cache(maxsize=64)
def wording(text: str) -> Wording:
    """Return the wording of a text."""
    found = content(text)
    return Wording(frozenset(found.stems), frozenset(map(value_of, found.quantities)))


def shared(text: str, known: Wording) -> float:
    """Return which part of the content words and numbers of a text is known; 1 where it has none."""
    own = wording(text)
    wanted = len(own.stems) + len(own.values)
    return (len(own.stems & known.stems) + len(own.values & known.values)) / wanted if wanted else 1.0
