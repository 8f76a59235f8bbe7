"""Values of a text, and whether those of two texts are the same."""

from collections.abc import Iterable
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

DATE, COUNT, CLOCK, PERCENT, ORDINAL = "date", "count", "clock", "percent", "ordinal"
CURRENCIES = frozenset({"usd", "eur", "gbp", "jpy"})

HALF_A_DAY = 720
TOLERANCE = Fraction(1, 50)
"""However coarsely a converted value was rounded, it may be off by so much."""


class Limit(StrEnum):
    """What a value bounds instead of giving it."""

    NONE = ""
    LEAST = "least"
    MOST = "most"
    FIRST = "first"
    """The first of a pair: a range or a score."""
    SECOND = "second"
    CHOICE = "choice"
    """One of several that may hold: `1912 or 1913`."""


class Scale(NamedTuple):
    """How a value was written: the unit in base units, its zero, and the smallest step that it shows, in that unit."""

    factor: Fraction = Fraction(1)
    offset: int = 0
    step: Fraction = Fraction(0)


class Quantity(NamedTuple):
    """A value of one dimension, in its base unit; a date has year, month and day, each of which may be unknown."""

    dimension: str
    value: tuple[Fraction | int | None, ...]
    counted: str = ""
    """The stem of the word after a plain number or an ordinal, which is what is counted; of a year whatever shows that it is one."""
    limit: Limit = Limit.NONE
    scale: Scale = Scale()
    is_loose: bool = False
    """A time of which half of the day is open, or a `one` that may be no number."""
    is_grouped: bool = False
    """Written as `3.500`, which may be a thousand times as much."""


class Comparison(StrEnum):
    """How the quantities of a statement stand to those of a sentence."""

    AGREE = "agree"
    ABSENT = "absent"
    DIFFER = "differ"


def compare(asked: Iterable[Quantity], stated: Iterable[Quantity]) -> Comparison:
    """Compare what a statement says with what a sentence says; nothing asked agrees with everything.

    Plain numbers differ only where the same thing is counted. A stated date less precise than the one asked for is absent, and so
    is a value where only a bound of it or one end of a range is stated.
    """
    stated = tuple(stated)
    found = [_compare_one(quantity, stated) for quantity in asked]
    if Comparison.DIFFER in found:
        return Comparison.DIFFER
    return Comparison.ABSENT if Comparison.ABSENT in found else Comparison.AGREE


def _compare_one(asked: Quantity, stated: tuple[Quantity, ...]) -> Comparison:
    """Compare with every stated quantity of a dimension that can be compared; a loose `one` asks for nothing, but may differ."""
    found = Comparison.AGREE if asked.is_loose and asked.dimension == COUNT else Comparison.ABSENT
    differs = False
    for other in stated:
        relation = _relate(asked, other)
        if relation is Comparison.AGREE:
            return relation
        differs = differs or relation is Comparison.DIFFER
    return Comparison.DIFFER if differs else found


def _relate(asked: Quantity, stated: Quantity) -> Comparison:
    if asked.dimension != stated.dimension:
        return _relate_kinds(asked, stated)
    if (asked.is_grouped or stated.is_grouped) and readings(asked) & readings(stated):
        return Comparison.AGREE
    if _equal(asked, stated):
        if asked.limit is stated.limit or (stated.limit is Limit.NONE and asked.limit in (Limit.LEAST, Limit.MOST)):
            return Comparison.AGREE
        return Comparison.DIFFER if {asked.limit, stated.limit} == {Limit.LEAST, Limit.MOST} else Comparison.ABSENT
    return Comparison.DIFFER if _differ(asked, stated) and _excludes(asked, stated) else Comparison.ABSENT


def readings(quantity: Quantity) -> frozenset[tuple[Fraction | int | None, ...]]:
    """Return the values that a quantity may have: two, where a full stop may part the thousands or the decimals."""
    if not quantity.is_grouped:
        return frozenset({quantity.value})
    return frozenset({quantity.value, tuple(None if part is None else part * 1000 for part in quantity.value)})


def _relate_kinds(asked: Quantity, stated: Quantity) -> Comparison:
    """Compare a number that may be a year with a count, which may be the same, and equal amounts of two currencies, which are not."""
    if {asked.dimension, stated.dimension} == {DATE, COUNT}:
        year = asked if asked.dimension == DATE else stated
        is_bare = not year.counted and not any(year.value[1:])
        return Comparison.AGREE if is_bare and asked.value[0] == stated.value[0] else Comparison.ABSENT
    if {asked.dimension, stated.dimension} <= CURRENCIES and asked.value == stated.value:
        return Comparison.DIFFER
    return Comparison.ABSENT


def _equal(asked: Quantity, stated: Quantity) -> bool:
    return all(part is None or part == other for part, other in zip(asked.value, stated.value, strict=True)) or _rounds_to(asked, stated)


def _rounds_to(asked: Quantity, stated: Quantity) -> bool:
    """Return whether a value converted from a unit of another system is the other one at the precision that was written."""
    one, other = asked.scale, stated.scale
    if one.factor == other.factor or not (one.step or other.step):
        return False
    if (one.factor / other.factor).denominator == 1 or (other.factor / one.factor).denominator == 1:
        return False  # minutes and hours convert exactly
    first, second = Fraction(asked.value[0] or 0), Fraction(stated.value[0] or 0)
    apart = abs(first - second)
    if apart > TOLERANCE * max(abs(first), abs(second)):
        return False
    return any(apart / scale.factor <= scale.step / 2 for scale in (one, other) if scale.step)


def _differ(asked: Quantity, stated: Quantity) -> bool:
    if asked.dimension != DATE and asked.counted != stated.counted:
        return False
    if asked.dimension == CLOCK and asked.is_loose != stated.is_loose:
        first, second = asked.value[0] or 0, stated.value[0] or 0
        return abs(first - second) != HALF_A_DAY
    return any(part is not None and other is not None and part != other for part, other in zip(asked.value, stated.value, strict=True))


def _excludes(asked: Quantity, stated: Quantity) -> bool:
    """Return whether two values that are not equal cannot both hold, given what they bound."""
    if asked.limit is stated.limit:
        return True
    first, second = asked.value[0] or 0, stated.value[0] or 0
    if asked.limit is Limit.NONE or stated.limit is Limit.NONE:
        below = {asked.limit, stated.limit} == {Limit.NONE, Limit.LEAST}
        above = {asked.limit, stated.limit} == {Limit.NONE, Limit.MOST}
        bound, value = (second, first) if asked.limit is Limit.NONE else (first, second)
        return (below and value < bound) or (above and value > bound)
    return False
