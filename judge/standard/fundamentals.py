"""The fundamentals of the standard: what can be measured of a run, in which unit and range; and the layer of any metric."""

from typing import Literal, NamedTuple, cast

from judge.schema.definitions import Layer, key_of
from judge.standard.catalogue import BY_SYMBOL, STANDARD

Unit = Literal["ratio", "binary", "s", "USD", "count"]


class Fundamental(NamedTuple):
    """One fundamental. Values lie in [low, high]; where `is_positive`, 0 itself is no value."""

    symbol: str
    unit: Unit
    low: float
    high: float
    is_positive: bool = False

    @property
    def key(self) -> str:
        """The name in JSON: the symbol, with `_s` on times and `_usd` on cost."""
        return key_of(self.symbol, self.unit)


FUNDAMENTALS = {
    definition.symbol: Fundamental(definition.symbol, cast("Unit", definition.unit), *definition.values[:3])
    for definition in STANDARD
    if definition.kind == "fundamental"
}
"""By symbol, in the order of the standard."""


def layer_of(symbol: str) -> Layer:
    """Return what a number speaks of: the retrieval `pipeline`, the `llm`, or the `agent` as a whole, as composites do."""
    return BY_SYMBOL[symbol].layer
