"""Who does what to whom, as far as the order of names and words tells."""

import re

from judge.text.normalise import folded
from judge.text.opposites import opposed
from judge.text.passages import Sentence
from judge.text.wanted import Wanted
from judge.text.words import content

_PASSIVE = (re.compile(r"\b(?:is|are|was|were|been|being|be)\b"), re.compile(r"\bby\b"))
_NAME = r"[A-Z][\w’'-]*(?:\s[A-Z][\w’'-]*){0,3}"
_CHOICE = re.compile(rf"({_NAME})\sor\s({_NAME})")

PLAIN = 3
"""A statement of so many content words is taken for one noun, a verb and another noun."""


def names_another(asked: Wanted, source: Sentence) -> bool:
    """Return whether the sentence has another name where the statement has one."""
    leading, other = asked.names.leading, source.names.leading
    if leading and other and not leading & (source.stems | asked.known) and not other & asked.stems:
        return True
    missing = [name for name in asked.names.all if not name & (source.passage | asked.known)]
    surplus = [name for name in source.names.all if not name & (asked.stems | asked.known)]
    if not missing or not surplus:
        return False
    rest = asked.stems.difference(*missing)
    return bool(rest) and rest <= source.stems | asked.known


def leaves_a_choice(asked: Wanted, source: Sentence) -> bool:
    """Return whether the sentence names two of whom one is meant (`Oda or Karl`), and the statement only one of them."""
    for match in _CHOICE.finditer(source.span):
        first, second = (frozenset(content(side).stems) for side in match.groups())
        if (first <= asked.stems) != (second <= asked.stems) and first and second:
            return True
    return False


def swaps(asked: Wanted, source: Sentence) -> bool:
    """Return whether the parties of the statement change places in the sentence, and its voice does not change.

    The parties are the first and the last name; without two names, the nouns of a plain statement.
    """
    order = source.content.stems
    middle = asked.content.stems[1:-1]
    if len(asked.stems) < PLAIN or _voice(asked.text) != _voice(source.span):
        return False
    named = asked.names.all
    if len(named) > 1 and asked.names.leading:
        first, last = named[0] - named[-1], named[-1] - named[0]
    elif len(asked.content.stems) == PLAIN:
        first, last = frozenset(asked.content.stems[:1]), frozenset(asked.content.stems[-1:])
    else:
        return False
    begin = next((place for place, word in enumerate(order) if word in last), None)
    end = next((place for place, word in enumerate(order) if word in first), None)
    if begin is None or end is None:
        return False
    between = frozenset(middle) | {side.stem for side in opposed(source.sides, asked.sides)}
    return any(word in between - first - last for word in order[begin:end])


def _voice(text: str) -> tuple[bool, ...]:
    """Return whether the text has a form of `to be`, and whether it has a `by`: together they mostly are a passive."""
    return tuple(pattern.search(folded(text)) is not None for pattern in _PASSIVE)
