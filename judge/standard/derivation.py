"""How a derived value comes from its inputs: as data, with all that sets one apart from another."""

import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

from judge.standard.given import Range
from judge.standard.measured import Measured
from judge.standard.nulls import NullPolicy

LARGEST = sys.float_info.max
"""The largest number that can be written down."""

Known = Sequence[float | None]
"""The inputs in their order, None where one is missing."""


def _needs_all(_known: Known, _policy: NullPolicy) -> float | None:
    return None


def _nothing_to_check(*_known: float | None) -> None:
    return


class Derivation(NamedTuple):
    """How a derived value is made. `formula` takes all inputs in order and rises in each of them, or falls in those of `falling`.

    `of_known` returns the value where an input is missing; the first input of `special` that is missing names the reason.
    Above `ceiling` there is no value, for the reason `beyond`. `check` raises ConfigError for inputs that cannot be.
    """

    inputs: tuple[str, ...]
    formula: Callable[..., float]
    falling: frozenset[str] = frozenset()
    of_known: Callable[[Known, NullPolicy], float | None] = _needs_all
    special: tuple[tuple[str, str], ...] = ()
    ceiling: float = LARGEST
    beyond: str = "too_large"
    check: Callable[..., None] = _nothing_to_check

    def value(self, known: Known, policy: NullPolicy) -> float | None:
        """Return the value as far as the known inputs decide it, however large."""
        complete = [value for value in known if value is not None]
        return self.formula(*complete) if len(complete) == len(known) else self.of_known(known, policy)

    def why_none(self, known: Known) -> str:
        """Return why there is no value while an input is missing."""
        inputs = dict(zip(self.inputs, known, strict=True))
        return next((reason for name, reason in self.special if inputs[name] is None), "input_null")

    def possible(self, parts: Sequence[Measured]) -> Range | None:
        """Return the formula at the ends of its inputs, up to the ceiling; None where all of it lies above."""
        rising = [name not in self.falling for name in self.inputs]
        low = self.formula(*(part.low if rises else part.high for part, rises in zip(parts, rising, strict=True)))
        high = self.formula(*(part.high if rises else part.low for part, rises in zip(parts, rising, strict=True)))
        if low > self.ceiling:
            return None
        return Range(low, high if self.ceiling == LARGEST else min(high, self.ceiling))
