"""How to reach a judge model."""

from judge.schema.labels import Mode
from judge.schema.prices import ModelPrice
from judge.schema.record import Record


class ModelSettings(Record):
    """Which model to ask, where, and how.

    `model` is a litellm name; `api_base` an address of the operator's; `deadline` is in seconds and covers one judgment;
    `connections` bounds the calls under way; `price` is the operator's own, which wins over the list of the client.
    """

    model: str
    api_base: str | None = None
    endpoint: str | None = None
    temperature: float | None = 0.0
    seed: int | None = None
    mode: Mode = Mode.AUTO
    deadline: float = 120.0
    connections: int = 16
    price: ModelPrice | None = None
