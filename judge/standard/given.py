"""When two numbers are the same, and whether a stated one can be true of a run."""

from math import isclose, isinf
from typing import NamedTuple

_RELATIVE_TOLERANCE = 1e-6
_DIGITS = 6


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
    """Return whether a stated number is the found one: to a millionth of it, or rounded to six digits or decimals as records often are."""
    if found is None:
        return False
    if isinf(found):
        return stated == found
    return isclose(stated, found, rel_tol=_RELATIVE_TOLERANCE) or stated in (round(found, _DIGITS), float(f"{found:.{_DIGITS}g}"))
