"""From settings to a budget, and to the price that it is reckoned with."""

from typing import TYPE_CHECKING, NamedTuple

from judge.errors import ConfigError
from judge.schema.prices import ModelPrice
from pipelines.config import RunConfig
from pipelines.pricing import find_price, read_prices

if TYPE_CHECKING:
    from judge.calling.budget import Budget, Purse


def told_price(model: str, config: RunConfig) -> ModelPrice | None:
    """Return the price that the operator told for a model, or None. Raises InputError for a price file that cannot be used."""
    return None if config.prices is None else read_prices(config.prices).models.get(model)


def purse_of(config: RunConfig) -> "Purse":
    """Return what a command may spend, by however many judges."""
    from judge.calling.budget import Purse

    return Purse(config.max_calls, config.budget_usd)


def budget_of(model: str, purse: "Purse", told: ModelPrice | None) -> "Budget":
    """Return what one judge may spend of a purse. Raises ConfigError where dollars are bounded and its model's price is unknown."""
    from judge.calling.budget import Budget

    if purse.max_usd is None:
        return Budget(purse)
    price = told if told is not None else _listed(model)
    missing = [name for name in ("input", "output") if price is None or getattr(price, name) is None]
    if missing:
        entry = f'{{"version": "mine", "models": {{"{model}": {{"input_usd_per_million": 0.5, "output_usd_per_million": 2}}}}}}'
        raise ConfigError(
            f"--budget-usd {purse.max_usd:g} needs the {' and '.join(missing)} price of {model!r}, which is not known: "
            f"tell it with --prices FILE, such as {entry}, or bound the calls with --max-calls"
        )
    return Budget(purse, price)


class Prices(NamedTuple):
    """What a token of a model costs, usually and at most; None is unknown. `source` identifies the list."""

    usual: ModelPrice | None
    dearest: ModelPrice | None
    source: str


def prices_of(model: str, config: RunConfig) -> Prices:
    """Return the prices that an estimate rests on: the operator's own, or those that are listed."""
    found = find_price(model, None if config.prices is None else read_prices(config.prices))
    told = told_price(model, config)
    return Prices(found.price, told if told is not None else _listed(model), found.source)


def _listed(model: str) -> ModelPrice | None:
    from judge.price_list import dearest_price_of

    return dearest_price_of(model)
