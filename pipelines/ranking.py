"""`judge leaderboard`: runs in the order of one value."""

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from judge.errors import ConfigError
from judge.schema.leaderboards import Leaderboard
from judge.standard.fundamentals import FUNDAMENTALS
from judge.standard.leaderboard import leaderboard
from judge.standard.registry import definition
from pipelines.entries import read_entries
from pipelines.gates import KNOWN

_SYMBOL_OF = {fundamental.key: fundamental.symbol for fundamental in FUNDAMENTALS.values()} | {name: name for name in KNOWN}


def rank_runs(paths: Sequence[Path], by: str | None = None, *, across_judges: bool = False) -> Leaderboard:
    """Return the runs ranked by a symbol or its JSON key (`C_tokens_usd`), by default as `judge.standard.leaderboard` chooses.

    Raises ConfigError for a value that ranks nobody, for what is no run, and where the runs cannot be compared.
    """
    symbol = None if by is None else ranking_symbol(by)
    return leaderboard(read_entries(paths), symbol, across_judges=across_judges)


def ranking_symbol(name: str) -> str:
    """Return the symbol of a name. Raises ConfigError for an unknown one, and for one that only describes the task."""
    if name not in _SYMBOL_OF:
        near = get_close_matches(name, _SYMBOL_OF, n=1, cutoff=0.6)
        hint = f"the closest is {near[0]}" if near else f"known are {', '.join(KNOWN)}"
        raise ConfigError(f"--by {name}: no metric is named so; {hint}")
    symbol = _SYMBOL_OF[name]
    if definition(symbol).direction == "context":
        raise ConfigError(f"--by {name}: {symbol} describes the task and ranks nobody; expected a value of which more or less is better")
    return symbol
