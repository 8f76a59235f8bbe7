"""What models cost."""

from typing import Annotated

from pydantic import Field

from judge.schema.record import Record

Price = Annotated[float, Field(ge=0, allow_inf_nan=False)]
"""US dollars per token."""


class ModelPrice(Record):
    """The price of one token by kind, in US dollars; None means unknown, 0 that it costs nothing.

    `input` is for tokens that were not read from a cache. Prices of batches, priorities and long contexts are left out: the sums of
    a session do not tell which of its calls they would apply to.
    """

    input: Price | None = None
    output: Price | None = None
    cache_read: Price | None = None
    cache_write: Price | None = None


class PriceMap(Record):
    """Prices by the name of the model; `version` identifies the list in every result that rests on it."""

    version: str
    models: dict[str, ModelPrice]
