"""A number as audits give it: with its interval, and with why it has none."""

from judge.schema.record import Record


class Figure(Record):
    """A number with its 95 % interval. `n` counts what it is a mean or share of; `reason` says why `value` or `ci95` is None.

    The interval is not clipped to the range of the number; `ci_method` names how it was made.
    """

    value: float | None
    n: int
    ci95: tuple[float, float] | None = None
    ci_method: str | None = None
    reason: str | None = None
