"""When two numbers are the same, and whether a stated one can be true of a run."""

from decimal import Decimal
from math import isclose, isfinite, isinf
from typing import NamedTuple

_RELATIVE_TOLERANCE = 1e-6
_DIGITS = 6
_FEWEST_DECIMALS = 2


class Range(NamedTuple):
    """All that a value can be, its ends included; `high` may be infinite."""

    low: float
    high: float

    def allows(self, value: float) -> bool:
        """Return whether a value lies within, or is one of the ends as far as a record tells."""
        return self.low <= value <= self.high or is_same(value, self.low) or is_same(value, self.high)

    def in_words(self) -> str:
        """Return the one value, 'LOW to HIGH', or 'LOW or more'."""
        low = f"{self.low:.12g}"
        if self.low == self.high:
            return low
        return f"{low} or more" if isinf(self.high) else f"{low} to {self.high:.12g}"


ANY_RATIO = Range(0.0, 1.0)


def is_same(stated: float, found: float | None) -> bool:
    """Return whether a stated number is the found one: to a millionth of it, or rounded as records often are.

    That is to six digits or decimals, or to as many decimals as it is stated with, if there are two or more: 0.88 is 0.875.
    """
    if found is None:
        return False
    if isinf(found):
        return stated == found
    if isclose(stated, found, rel_tol=_RELATIVE_TOLERANCE) or stated in (round(found, _DIGITS), float(f"{found:.{_DIGITS}g}")):
        return True
    return isfinite(stated) and _is_rounded(Decimal(repr(stated)), Decimal(repr(found)))


def _is_rounded(stated: Decimal, found: Decimal) -> bool:
    """Return whether a number is another one to the decimals that it is written with."""
    exponent = stated.as_tuple().exponent
    decimals = -exponent if isinstance(exponent, int) else 0
    return decimals >= _FEWEST_DECIMALS and abs(stated - found) <= Decimal(5).scaleb(-decimals - 1)
