"""What an answer has to say for a statement to be supported."""

import re
from functools import partial
from typing import NamedTuple

from judge.text.names import Names, names
from judge.text.negation import denied
from judge.text.opposites import Side, sides
from judge.text.quantities import COUNT, Quantity
from judge.text.stance import without_affirmation
from judge.text.words import Content, content

DIGIT_WEIGHT = 2.5
"""A significant digit says as much as so many letters of English (3.3 bits against 1.3); no number weighs less than two digits."""

_ALTERNATIVES = re.compile(r"^(?P<head>.*?)\b(?:any|one|either)\s(?:one\s)?of\b[^:;()]{0,200}\)?\s?:\s*(?P<list>.+;.+)$", re.DOTALL)
# Short sides are left alone: `km/h`, `w/o`, `7/5`.
_SLASHED = re.compile(r"(?<![\w/])[^\W\d_]{3,}(?:\s?/\s?[^\W\d_]{3,})+(?![\w/])")


_GAP = re.compile(r"\w.{0,9}(?:…|\.{3}).{0,9}\w")
OPTIONS = 8
"""So many alternatives are tried."""


class Wanted(NamedTuple):
    """What an answer has to say for a statement to be supported."""

    text: str
    content: Content
    stems: frozenset[str]
    own: frozenset[str]
    """The stems beyond those of the question."""
    quantities: tuple[Quantity, ...]
    """The quantities beyond those of the question."""
    loose: tuple[Quantity, ...]
    """Words that may be numbers (`one boat`): they need not be repeated, but another number of the same differs."""
    weights: tuple[float, ...]
    """What each of them counts for beside words, in letters."""
    known: frozenset[str]
    """The stems that the answer need not repeat, since the question holds them."""
    names: Names
    codes: frozenset[str]
    """The codes beyond those of the question."""
    is_broken: bool
    """It leaves something out (`Oda … the mill`)."""
    denied: frozenset[str]
    sides: frozenset[Side]


def options(statement: str) -> list[str]:
    """Return the statements of which one is enough: those of a list after `any one of these`, or with one side of each `this/that`."""
    listed = _ALTERNATIVES.match(statement)
    if listed is not None:
        return [f"{listed['head'].rstrip()} {option.strip()}" for option in listed["list"].split(";") if option.strip()][:OPTIONS]
    longest = max((match.group().count("/") for match in _SLASHED.finditer(statement)), default=0)
    longest = min(longest, OPTIONS - 1)
    return [_SLASHED.sub(partial(_choose, place), statement) for place in range(longest + 1)]


def _choose(place: int, slashed: re.Match[str]) -> str:
    sides = slashed.group().split("/")
    return sides[min(place, len(sides) - 1)].strip()


def wanted(statement: str, question: str | None) -> Wanted:
    """Return what the statement says beyond the question; one that says nothing beyond it must be repeated as a whole."""
    asked, given = content(statement), content(question or "")
    stems, known = frozenset(asked.stems), frozenset(given.stems)
    own = stems - known
    firm = tuple(quantity for quantity in asked.quantities if not (quantity.is_loose and quantity.dimension == COUNT))
    quantities = tuple(quantity for quantity in firm if quantity not in given.quantities)
    if not own and not quantities:
        own, known = stems, frozenset()
    return Wanted(
        text=statement,
        content=asked,
        stems=stems,
        own=own,
        quantities=quantities,
        loose=tuple(quantity for quantity in asked.quantities if quantity not in firm),
        weights=tuple(map(_weight, quantities)),
        known=known,
        names=names(statement),
        codes=asked.codes - given.codes,
        is_broken=_GAP.search(statement) is not None,
        denied=denied(without_affirmation(statement)),
        sides=sides(statement),
    )


def _weight(quantity: Quantity) -> float:
    known = [part for part in quantity.value if part is not None]
    return DIGIT_WEIGHT * max(2, *(len(str(part.numerator).strip("0")) for part in known))
