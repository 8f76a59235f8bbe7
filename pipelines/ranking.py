"""`judge leaderboard`: runs in the order of one value."""

from collections.abc import Sequence
from pathlib import Path

from judge.errors import ConfigError
from judge.schema.leaderboards import Leaderboard
from judge.standard.leaderboard import leaderboard
from judge.standard.registry import definition
from pipelines.entries import read_entries
from pipelines.gates import KNOWN


def rank_runs(paths: Sequence[Path], by: str | None = None, *, across_judges: bool = False) -> Leaderboard:
    """Return the runs ranked by a symbol, id or JSON key (`C_tokens`, `E1`, `C_tokens_usd`), or by the default choice.

    Raises ConfigError for a value that ranks nobody, for what is no run, and where the runs cannot be compared.
    """
    symbol = None if by is None else ranking_symbol(by)
    return leaderboard(read_entries(paths), symbol, across_judges=across_judges)


def ranking_symbol(name: str) -> str:
    """Return the symbol of a symbol, id or JSON key. Raises ConfigError for an unknown one, and for one that cannot rank runs."""
    try:
        known = definition(name)
    except ConfigError as error:
        raise ConfigError(f"--by {error}") from error
    if known.symbol not in KNOWN:
        expected = "a fundamental, a derived value, a composite or over_abstention_rate"
        raise ConfigError(f"--by {known.symbol}: it is no number that a run can be ranked by; expected {expected}")
    if known.direction == "ctx":
        raise ConfigError(f"--by {known.symbol}: it describes the task and ranks nobody; expected a value of which more or less is better")
    return known.symbol
