"""Prices as litellm lists them, read as our own."""

import math
import re
from collections.abc import Mapping
from typing import Any

from judge.schema.prices import ModelPrice

_KEYS = {
    "input": "input_cost_per_token",
    "output": "output_cost_per_token",
    "cache_read": "cache_read_input_token_cost",
    "cache_write": "cache_creation_input_token_cost",
}

_INPUT_TIERS = re.compile(r"input_cost_per_token(?:_above_\d+k_tokens)?")
_OUTPUT_TIERS = re.compile(r"output_cost_per_(?:reasoning_)?token(?:_above_\d+k_tokens)?")

_OTHER_NAMES = {"google": "gemini", "together": "together_ai"}
"""Providers by the names that evaluation tools give them, where litellm has another."""


def listed_price(models: Mapping[str, Any], model: str) -> ModelPrice | None:
    """Return the price of a model in a list, by its full name or, after its provider, by the name that the provider gives it.

    None if it is not listed, or listed as free of charge: there 0 stands for models that somebody runs himself, for previews and for
    prices nobody entered, and what is unknown is not 0.
    """
    entry = _entry(models, model)
    if entry is None:
        return None
    price = ModelPrice(**{kind: _price(entry.get(key)) for kind, key in _KEYS.items()})
    return price if price.input or price.output else None


def dearest_price(models: Mapping[str, Any], model: str) -> ModelPrice | None:
    """Return the most that a token of a model can cost in ordinary use: long prompts and hidden reasoning may be dearer.

    None where `listed_price` knows none.
    """
    entry, listed = _entry(models, model), listed_price(models, model)
    if entry is None or listed is None:
        return None
    return ModelPrice(input=_dearest(entry, _INPUT_TIERS), output=_dearest(entry, _OUTPUT_TIERS))


def _dearest(entry: Mapping[str, Any], tiers: re.Pattern[str]) -> float | None:
    found = [price for key, value in entry.items() if tiers.fullmatch(key) and (price := _price(value)) is not None]
    return max(found, default=None)


def _entry(models: Mapping[str, Any], model: str) -> Mapping[str, Any] | None:
    provider, _, short = model.partition("/")
    provider = _OTHER_NAMES.get(provider, provider)
    entry = models.get(model, models.get(f"{provider}/{short}"))
    if entry is None and short:
        found = models.get(short)
        entry = found if isinstance(found, Mapping) and found.get("litellm_provider") == provider else None
    return None if not isinstance(entry, Mapping) or model == "sample_spec" else entry


def _price(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        return None
    return float(value)
