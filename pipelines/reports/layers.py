"""Numbers grouped by what they speak of."""

from collections.abc import Iterable
from typing import Protocol, TypeVar

from judge.standard.composites import COMPOSITES

LAYERS = ("pipeline", "llm", "agent")
"""In this order; composites, which combine the last two, come after them."""


class _HasLayer(Protocol):
    @property
    def layer(self) -> str: ...


_Known = TypeVar("_Known", bound=_HasLayer)


def by_layer(named: Iterable[tuple[str, _Known]]) -> list[tuple[str, _Known]]:
    """Return names with their numbers, one layer after the other; within a layer the order stays, and composites come last."""
    return sorted(named, key=lambda pair: len(LAYERS) if pair[0] in COMPOSITES else LAYERS.index(pair[1].layer))
