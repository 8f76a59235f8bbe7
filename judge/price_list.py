"""The price list that litellm brings along, read from its file: importing litellm takes seconds and may ask the network for a newer one."""

import hashlib
import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from judge.prices import dearest_price, listed_price
from judge.schema.prices import ModelPrice


def price_of(model: str) -> ModelPrice | None:
    """Return the price of a model by the list that litellm brings along, or None if it is not there. Nothing is downloaded."""
    return listed_price(_price_list().models, model)


def dearest_price_of(model: str) -> ModelPrice | None:
    """Return the most that a token of a model can cost by the list that litellm brings along, or None if it is not there."""
    return dearest_price(_price_list().models, model)


def price_map_version() -> str:
    """Return what identifies that list: litellm's version and the SHA-256 of the file."""
    from importlib.metadata import version

    return f"litellm {version('litellm')}, bundled price map, sha256 {_price_list().sha256 or 'unknown'}"


class _PriceList(NamedTuple):
    models: dict[str, Any]
    sha256: str | None


@cache
def _price_list() -> _PriceList:
    found = find_spec("litellm")
    for folder in (found.submodule_search_locations or ()) if found is not None else ():
        file = Path(folder) / "model_prices_and_context_window_backup.json"
        if file.is_file():
            data = file.read_bytes()
            return _PriceList(json.loads(data), hashlib.sha256(data).hexdigest())
    return _PriceList({}, None)
