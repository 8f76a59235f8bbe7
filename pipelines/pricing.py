"""What a session's tokens cost: by a bill, by the user's prices, or by the list that comes with the model client."""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import Field, StringConstraints

from judge.schema.prices import ModelPrice, Price, PriceMap
from judge.schema.record import Record
from judge.schema.traces import TokenUsage, Trace
from judge.session.finding import Finding
from judge.standard.formulas import cost
from pipelines.documents.file_bytes import read_bytes
from pipelines.documents.strict_json import whole_of
from pipelines.documents.wording import checked

_MILLION = 1e6


class ModelPrices(Record):
    """One entry of a price file, in US dollars per million tokens."""

    input_usd_per_million: Price | None = None
    output_usd_per_million: Price | None = None
    cache_read_usd_per_million: Price | None = None
    cache_write_usd_per_million: Price | None = None

    def per_token(self) -> ModelPrice:
        """Return the same prices for one token."""
        return ModelPrice(**{kind: _per_token(getattr(self, f"{kind}_usd_per_million")) for kind in ModelPrice.model_fields})


class PriceFile(Record):
    """A price file: what identifies it, and the prices by model."""

    version: Annotated[str, StringConstraints(pattern=r"\S")]
    models: dict[str, ModelPrices] = Field(min_length=1)


def read_prices(path: Path) -> PriceMap:
    """Return the prices in a file; its version is the one it states, with the SHA-256 of its bytes.

    Raises InputError with every fault, each naming the file, the field and the value.
    """
    file = read_bytes(path, is_regular=True)
    found = checked(file, whole_of(file, "one object with `version` and `models`"), PriceFile)
    models = {model: prices.per_token() for model, prices in found.models.items()}
    return PriceMap(version=f"{found.version}, file {path.name}, sha256 {file.sha256}", models=models)


class _Cost(NamedTuple):
    """What one model's tokens cost, in words and dollars; or why that is not known."""

    words: str
    usd: float | None = None
    reason: str | None = None


def cost_of(trace: Trace, prices: PriceMap | None = None) -> Finding:
    """Return C_tokens of a session in US dollars: the sum over its models.

    A bill wins, 0 included, which is how a model of one's own states that it costs nothing; then come the prices given, then the
    list that comes with the model client. Without token counts, model or price there is no value, for one of the reasons
    `no_token_counts`, `no_model`, `unknown_price`, `no_cache_price`; what is unknown is never 0. What judging cost never enters.
    """
    if not trace.usage:
        return Finding(None, "the trace has no `usage`", "no_token_counts")
    costs = [_cost(usage, trace.model, prices) for usage in trace.usage]
    made_of = "; ".join(each.words for each in costs)
    reason = next((each.reason for each in costs if each.reason is not None), None)
    if reason is not None:
        return Finding(None, made_of, reason)
    total = _total([each.usd for each in costs])
    return Finding(None, made_of, "too_large") if total is None else Finding(total, made_of, basis="trace")


def _total(parts: Sequence[float | None]) -> float | None:
    """Return the sum by the standard; None for more than a number holds, which no single part need be."""
    try:
        total = cost(parts)
    except OverflowError:
        return None
    return total if total is not None and math.isfinite(total) else None


def _cost(usage: TokenUsage, model: str | None, prices: PriceMap | None) -> _Cost:
    name = model if usage.model is None else usage.model
    words = f"{'a model without a name' if name is None else name}: {_counts(usage)}"
    if usage.cost_usd is not None:
        return _Cost(f"{words}; a bill of {usage.cost_usd:.6g} USD", usage.cost_usd)
    if usage.input_tokens is None or usage.output_tokens is None:
        return _Cost(words, reason="no_token_counts")
    if name is None:
        return _Cost(words, reason="no_model")
    price, source = find_price(name, prices)
    words = f"{words}; price map {source}"
    if price is None:
        return _Cost(words, reason="unknown_price")
    return _priced(usage, price, words)


class FoundPrice(NamedTuple):
    """The price of a model, None if it is unknown, and what identifies the list that was asked."""

    price: ModelPrice | None
    source: str


def find_price(model: str, prices: PriceMap | None) -> FoundPrice:
    """Return the price of a model: by the user's prices where they name it, else by the list that comes with the model client."""
    if prices is not None and model in prices.models:
        return FoundPrice(prices.models[model], prices.version)
    from judge.price_list import price_map_version, price_of

    return FoundPrice(price_of(model), price_map_version())


def _priced(usage: TokenUsage, price: ModelPrice, words: str) -> _Cost:
    parts = []
    for tokens, usd, missing in _kinds(usage, price):
        if not tokens:
            continue
        if usd is None:
            return _Cost(words, reason=missing)
        parts.append(float(tokens) * usd if tokens < _LARGEST else math.inf)
    return _Cost(words, sum(parts))


_LARGEST = 10**300
"""More tokens than that are no number of dollars any more."""


def _kinds(usage: TokenUsage, price: ModelPrice) -> Iterator[tuple[int, float | None, str]]:
    """Yield tokens, price and what it means that there is none, kind by kind."""
    yield usage.input_tokens or 0, price.input, "unknown_price"
    yield usage.output_tokens or 0, price.output, "unknown_price"
    yield usage.cache_read_tokens, price.cache_read, "no_cache_price"
    yield usage.cache_write_tokens, price.cache_write, "no_cache_price"


def _counts(usage: TokenUsage) -> str:
    counts = [f"{_number(usage.input_tokens)} input", f"{_number(usage.output_tokens)} output"]
    if usage.cache_read_tokens:
        counts.append(f"{_number(usage.cache_read_tokens)} cached")
    if usage.cache_write_tokens:
        counts.append(f"{_number(usage.cache_write_tokens)} cache-written")
    return f"{', '.join(counts)} tokens"


def _number(count: int | None) -> str:
    return "unknown" if count is None else f"{count:,}"


def _per_token(per_million: float | None) -> float | None:
    return None if per_million is None else per_million / _MILLION
