"""An interval and how it was made."""

from typing import NamedTuple


class Interval(NamedTuple):
    """A confidence interval; `method` names how it was computed, since methods may not be compared blindly."""

    low: float
    high: float
    method: str
