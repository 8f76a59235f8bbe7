"""What an answer has to say for a statement to be supported."""

import re
from functools import partial
from typing import NamedTuple

from judge.text.names import Names, names
from judge.text.negation import denied
from judge.text.normalise import folded
from judge.text.quantities import Quantity
from judge.text.words import Content, content

DIGIT_WEIGHT = 2.5
"""A significant digit says as much as so many letters of English (3.3 bits against 1.3); no number weighs less than two digits."""

_ALTERNATIVES = re.compile(r"^(?P<head>.*)\b(?:any|one|either)\s(?:one\s)?of\b[^:;()]*\)?\s?:\s*(?P<list>.+;.+)$", re.DOTALL)
# Short sides are left alone: `km/h`, `w/o`, `7/5`.
_SLASHED = re.compile(r"(?<![\w/])[^\W\d_]{3,}(?:\s?/\s?[^\W\d_]{3,})+(?![\w/])")


class Wanted(NamedTuple):
    """What an answer has to say for a statement to be supported."""

    text: str
    content: Content
    stems: frozenset[str]
    own: frozenset[str]
    """The stems beyond those of the question."""
    quantities: tuple[Quantity, ...]
    """The quantities beyond those of the question."""
    weights: tuple[float, ...]
    """What each of them counts for beside words, in letters."""
    known: frozenset[str]
    """The stems that the answer need not repeat, since the question holds them."""
    names: Names
    denied: frozenset[str]


def options(statement: str) -> list[str]:
    """Return the statements of which one is enough: those of a list after `any one of these`, or with one side of each `this/that`."""
    listed = _ALTERNATIVES.match(statement)
    if listed is not None:
        return [f"{listed['head'].rstrip()} {option.strip()}" for option in listed["list"].split(";") if option.strip()]
    longest = max((match.group().count("/") for match in _SLASHED.finditer(statement)), default=0)
    return [_SLASHED.sub(partial(_choose, place), statement) for place in range(longest + 1)]


def _choose(place: int, slashed: re.Match[str]) -> str:
    sides = slashed.group().split("/")
    return sides[min(place, len(sides) - 1)].strip()


def wanted(statement: str, question: str | None) -> Wanted:
    """Return what the statement says beyond the question; one that says nothing beyond it must be repeated as a whole."""
    asked, given = content(statement), content(question or "")
    stems, known = frozenset(asked.stems), frozenset(given.stems)
    own = stems - known
    quantities = tuple(quantity for quantity in asked.quantities if quantity not in given.quantities)
    if not own and not quantities:
        own, known = stems, frozenset()
    return Wanted(
        statement, asked, stems, own, quantities, tuple(map(_weight, quantities)), known, names(statement), denied(folded(statement))
    )


def _weight(quantity: Quantity) -> float:
    known = [part for part in quantity.value if part is not None]
    return DIGIT_WEIGHT * max(2, *(len(str(part.numerator).strip("0")) for part in known))
