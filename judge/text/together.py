"""What numbers mean together: `1 hour 30 minutes`, `10 to 20`, `at least 5`."""

import re
from fractions import Fraction
from typing import NamedTuple

from judge.text.quantities import CLOCK, COUNT, DATE, ORDINAL, Limit, Quantity

_LEAST = re.compile(
    r"\b(?:at\sleast|(?:more|longer|taller|higher|greater|larger|older|heavier|wider|deeper|later|bigger|faster|further|farther)\sthan"
    r"|over|above|exceed(?:s|ed|ing)?|no(?:t)?\s(?:less|fewer|shorter)\sthan|(?:a\s)?minimum\sof|upwards\sof)\s$"
)
_MOST = re.compile(
    r"\b(?:at\smost|(?:less|fewer|shorter|lower|smaller|younger|lighter|earlier|narrower|slower|nearer)\sthan"
    r"|under|below|up\sto|no(?:t)?\s(?:more|longer|taller|higher|larger|greater)\sthan|(?:a\s)?maximum\sof)\s$"
)
_AFTER, _BEFORE = re.compile(r"\bafter\s$"), re.compile(r"\bbefore\s$")
_REACH = 24
"""So many characters before a number its limit is looked for."""

_BETWEEN = re.compile(r"\bbetween\s$")
_FROM = re.compile(r"\bfrom\s$")
_JOINING = re.compile(r",?\s(?:and\s)?|")
_SUMMED = frozenset({"time", "months", "length", "mass"})


class Placed(NamedTuple):
    """A quantity and where it stands in the text."""

    quantity: Quantity
    start: int
    end: int


def combine(placed: list[Placed], text: str) -> list[Placed]:
    """Return the quantities with what belongs together summed up, and each with its limit."""
    limited: list[Placed] = []
    for one in _summed(placed, text):
        before = text[max(0, one.start - _REACH) : one.start]
        if limited and (pair := _pair(limited[-1], one, text)) is not None:
            limited[-1:] = pair
        else:
            limited.append(one._replace(quantity=one.quantity._replace(limit=_limit(one.quantity, before))))
    return limited


def _limit(quantity: Quantity, before: str) -> Limit:
    timely = quantity.dimension in (DATE, CLOCK)
    if quantity.dimension == ORDINAL:
        return Limit.NONE
    if _LEAST.search(before) or (timely and _AFTER.search(before)):
        return Limit.LEAST
    return Limit.MOST if _MOST.search(before) or (timely and _BEFORE.search(before)) else Limit.NONE


def _summed(placed: list[Placed], text: str) -> list[Placed]:
    """Add up measures of one dimension in falling units that stand side by side."""
    found: list[Placed] = []
    for one in placed:
        if found and _continues(found[-1], one, text):
            before = found[-1]
            value = (before.quantity.value[0] or 0) + (one.quantity.value[0] or 0)
            found[-1] = Placed(one.quantity._replace(value=(value,)), before.start, one.end)
        else:
            found.append(one)
    return found


def _continues(before: Placed, one: Placed, text: str) -> bool:
    """Return whether the value goes on in a smaller unit of which it is less than one of the larger."""
    first, second = before.quantity, one.quantity
    if first.dimension != second.dimension or first.dimension not in _SUMMED or not _JOINING.fullmatch(text, before.end, one.start):
        return False
    larger, smaller = first.scale.factor, second.scale.factor
    return larger > smaller and (larger / smaller).denominator == 1 and 0 <= (second.value[0] or 0) < larger


def _pair(before: Placed, one: Placed, text: str) -> list[Placed] | None:
    """Return the two ends of a range, the two sides of a score or two values of which one holds; None where the numbers are no pair."""
    first, second = before.quantity, one.quantity
    gap = text[before.end : one.start]
    leading = text[max(0, before.start - _REACH) : before.start]
    if gap == " or " and first.dimension == second.dimension and not first.limit:
        return [before._replace(quantity=first._replace(limit=Limit.CHOICE)), one._replace(quantity=second._replace(limit=Limit.CHOICE))]
    joined = gap == "-" or (gap in (" - ", " to ") and not _FROM.search(leading)) or (gap == " and " and _BETWEEN.search(leading))
    if not joined or first.limit or {first.dimension, second.dimension} & {DATE, CLOCK, ORDINAL}:
        return None
    if first.dimension == COUNT and second.dimension != COUNT:
        value = ((Fraction(first.value[0] or 0)) - second.scale.offset) * second.scale.factor
        first = Quantity(second.dimension, (value.numerator if value.denominator == 1 else value,), scale=second.scale)
    elif first.dimension != second.dimension:
        return None
    pair = (first._replace(counted=second.counted, limit=Limit.FIRST), second._replace(limit=Limit.SECOND))
    return [Placed(pair[0], before.start, before.end), Placed(pair[1], one.start, one.end)]
