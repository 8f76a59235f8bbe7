"""A number as far as it is known: its value, and between what it lies."""

from collections.abc import Mapping
from typing import NamedTuple

from judge.errors import ConfigError
from judge.schema.summaries import DerivedSummary, MetricSummary
from judge.standard.fundamentals import FUNDAMENTALS
from judge.standard.stated import check_values


class Measured(NamedTuple):
    """A value, None where there is none, and the bounds between which it lies all the same; `high` may be infinite."""

    value: float | None
    low: float
    high: float


def unmeasured(symbol: str) -> Measured:
    """Return a fundamental of which nothing is known but its range."""
    fundamental = FUNDAMENTALS[symbol]
    return Measured(None, fundamental.low, fundamental.high)


def measured_of(symbol: str, inputs: Mapping[str, Measured]) -> Measured:
    """Return an input, or the whole range of one that is not named."""
    return inputs[symbol] if symbol in inputs else unmeasured(symbol)


def exactly(value: float) -> Measured:
    """Return a value that is known to the last digit."""
    return Measured(value, value, value)


def as_measured(values: Mapping[str, float | None]) -> dict[str, Measured]:
    """Return fundamentals by symbol; one that is None, or not named at all, can be anything in its range.

    Raises ConfigError naming every symbol that is no fundamental, and every value that lies outside the range of its own.
    """
    check_values(values, FUNDAMENTALS, "fundamental")
    return {symbol: unmeasured(symbol) if (value := values.get(symbol)) is None else exactly(value) for symbol in FUNDAMENTALS}


def check_measured(inputs: Mapping[str, Measured]) -> None:
    """Raise ConfigError naming every symbol that is no fundamental, every value outside its range and all bounds that are none."""
    if strange := [symbol for symbol, part in inputs.items() if not isinstance(part, Measured)]:
        raise ConfigError(f"the values of {', '.join(map(str, strange))} are plain ones, expected what `as_measured` makes of them")
    check_values({symbol: part.value for symbol, part in inputs.items()}, FUNDAMENTALS, "fundamental")
    crossed = [
        f"`{symbol}` lies in {part.low} to {part.high}, expected the lower end first"
        for symbol, part in inputs.items()
        if not part.low <= part.high
    ]
    if crossed:
        raise ConfigError("\n".join(crossed))


def measured_metrics(metrics: Mapping[str, MetricSummary]) -> dict[str, Measured]:
    """Return the fundamentals among the metrics of a run with the bounds that what is unjudged leaves them."""
    found = as_measured({})
    for symbol in found.keys() & metrics.keys():
        metric = metrics[symbol]
        low, high = found[symbol][1:] if metric.bounds is None else metric.bounds
        found[symbol] = Measured(metric.value, low, high)
    return found


def measured_derived(derived: DerivedSummary) -> Measured:
    """Return a derived ratio for use in what is computed from it."""
    low, high = (0.0, 1.0) if derived.bounds is None else derived.bounds
    return Measured(derived.value, low, high)
