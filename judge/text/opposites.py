"""Words that say the opposite of one another, as far as they tell what became, was asked or was meant."""

import re
from functools import lru_cache
from typing import NamedTuple

from judge.text.normalise import folded
from judge.text.stems import stem

# One line a pair of sides. Of an event marked with a star both sides may be told of one thing, at two times.
_PAIRS = """
rise rose risen rises rising increase increased increases grew climbed soared | fall fell fallen falls falling decrease decreased decreases
  dropped drops declined shrank plunged
longer | shorter; larger bigger greater | smaller; higher taller | lower shorter; more | less fewer; older | younger; earlier | later
before | after; above over | below under beneath; all every everybody everyone most | few none
allowed permitted | forbidden prohibited banned; won wins win | lost loses lose; accepted approved | rejected refused
best | worst; maximum | minimum; north northern | south southern; east eastern | west western; male | female; hot | cold; public | private
increasing | decreasing; strongest | weakest; rich | poor; cheaper | dearer; faster | slower; imports imported | exports exported
*open opens opened | close closes closed shut; *born | died; *begins began starts started | ends ended finishes finished
*arrives arrived | leaves departed
"""


class Side(NamedTuple):
    """One side of a pair of opposites, and the stem of the word that names it."""

    pair: int
    is_first: bool
    stem: str
    is_event: bool


def _sides() -> dict[str, list[Side]]:
    found: dict[str, list[Side]] = {}
    for number, pair in enumerate(re.split(r";|\n(?!\s)", _PAIRS.strip())):
        for place, words in enumerate(pair.lstrip(" *").split("|")):
            for word in words.split():
                found.setdefault(word, []).append(Side(number, place == 0, stem(word), "*" in pair))
    return found


# Words that are opposites only beside certain others.
_BESIDE = [
    (
        re.compile(
            r"\b(?:(?:is|are|was|were|be|been|stays?|stayed)\s(?:\w+\s)?(on|off)\b(?!\s[^\W_])|(?:turn|switch)(?:s|es|ed)?\s(on|off)\b)"
        ),
        ("on", "off"),
    ),
    (re.compile(r"\b(?:go|goes|went|gone|come|came|moved?|moves|is|are|was|were)\s(up|down)\b"), ("up", "down")),
    (re.compile(r"\b(?:vot\w+\s(?:\w+\s){0,2}?(for|against)|in\s(favou?r)\sof)\b"), ("for", "against")),
]


@lru_cache(maxsize=8192)
def sides(text: str) -> frozenset[Side]:
    """Return the sides that the text takes; words in capitals count like any other."""
    shown = folded(text)
    found = {side for word in set(re.findall(r"[a-z]+", shown)) for side in _word_sides().get(word, ())}
    for number, (pattern, (first, second)) in enumerate(_BESIDE):
        for match in pattern.finditer(shown):
            word = next(group for group in match.groups() if group)
            found.add(Side(-1 - number, word != second, word if word in (first, second) else first, is_event=False))
    return frozenset(found)


@lru_cache(maxsize=1)
def _word_sides() -> dict[str, list[Side]]:
    """Build the table on first use, since stemming loads a library."""
    return _sides()


def opposed(asked: frozenset[Side], stated: frozenset[Side]) -> frozenset[Side]:
    """Return the sides asked for of which only the opposite is stated; a text that takes both sides opposes none."""
    if not asked or not stated:
        return frozenset()
    wanted, given = {side[:2] for side in asked}, {side[:2] for side in stated}
    return frozenset(side for side in asked if (side.pair, not side.is_first) in given - wanted and (side.pair, side.is_first) not in given)
