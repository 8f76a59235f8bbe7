"""Numbers grouped by what they speak of."""

from collections.abc import Iterable
from typing import Protocol, TypeVar

from judge.schema.definitions import LAYERS, Layer
from judge.standard.composites import COMPOSITES

LAYER_TITLES: dict[Layer, str] = {
    "pipeline": "Pipeline: what retrieval found",
    "llm": "LLM: what the answer says",
    "agent": "Agent: what the session did",
}
"""With what each layer speaks of."""


class _HasLayer(Protocol):
    @property
    def layer(self) -> str: ...


_Known = TypeVar("_Known", bound=_HasLayer)


def by_layer(named: Iterable[tuple[str, _Known]]) -> list[tuple[str, _Known]]:
    """Return names with their numbers, one layer after the other; within a layer the order stays, and composites come last."""
    return sorted(named, key=lambda pair: len(LAYERS) if pair[0] in COMPOSITES else LAYERS.index(pair[1].layer))
