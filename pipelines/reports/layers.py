"""Numbers grouped by what they speak of."""

from collections.abc import Iterable
from typing import Protocol, TypeVar

LAYERS = ("pipeline", "llm", "agent")
"""In this order; what combines layers comes after them."""


class _HasLayer(Protocol):
    @property
    def layer(self) -> str: ...


_Known = TypeVar("_Known", bound=_HasLayer)


def by_layer(named: Iterable[tuple[str, _Known]]) -> list[tuple[str, _Known]]:
    """Return names with their numbers, one layer after the other; within a layer the order stays."""
    return sorted(named, key=lambda pair: LAYERS.index(pair[1].layer) if pair[1].layer in LAYERS else len(LAYERS))
