"""What a number could still be while something is unjudged."""

from typing import NamedTuple


class Bounds(NamedTuple):
    """The least and the greatest value a number can take, whatever the unjudged outcomes would have been."""

    low: float
    high: float
