"""The fundamentals of the standard: what can be measured of a run, in which unit and range, and in which layer."""

from math import inf
from typing import Literal, NamedTuple

Unit = Literal["ratio", "binary", "s", "USD", "count"]

_SUFFIXES = {"s": "_s", "USD": "_usd"}
_LLM = ("Q_info", "Q_abstention", "Q_proposition", "Q_reasoning", "C_contradiction", "over_abstention_rate")


class Fundamental(NamedTuple):
    """One fundamental. Values lie in [low, high]; where `is_positive`, 0 itself is no value."""

    symbol: str
    unit: Unit
    low: float
    high: float
    is_positive: bool = False

    @property
    def key(self) -> str:
        """The name in JSON: the symbol, with `_s` on times and `_usd` on cost."""
        return self.symbol + _SUFFIXES.get(self.unit, "")


def _ratios(*symbols: str) -> tuple[Fundamental, ...]:
    return tuple(Fundamental(symbol, "ratio", 0.0, 1.0) for symbol in symbols)


def _counts(*symbols: str) -> tuple[Fundamental, ...]:
    return tuple(Fundamental(symbol, "count", 0.0, inf) for symbol in symbols)


_ALL = (
    Fundamental("T_orient", "s", 0.0, inf),
    Fundamental("T_task", "s", 0.0, inf, is_positive=True),
    Fundamental("T_human", "s", 0.0, inf, is_positive=True),
    *_ratios("R_decision", "R_constraint"),
    Fundamental("R_incident", "binary", 0.0, 1.0),
    *_ratios("P_context", "A_coverage", "R_temporal", "R_supersession", "A_abstention", "R_retrieval"),
    *_ratios("R_proposition", "C_contradiction", "R_judge", "R_conflict_resolution", "R_noise_resistance"),
    *_ratios("K_decision", "K_causal", "K_checkpoint", "K_synthesis"),
    Fundamental("S_gate", "binary", 0.0, 1.0),
    Fundamental("S_detect", "binary", 0.0, 1.0),
    Fundamental("S_stale", "ratio", 0.0, 1.0),
    Fundamental("C_tokens", "USD", 0.0, inf),
    *_counts("N_tools", "N_turns", "N_corrections"),
)

FUNDAMENTALS = {fundamental.symbol: fundamental for fundamental in _ALL}
"""By symbol, in the order of the standard."""


def layer_of(symbol: str) -> str:
    """Return what a number speaks of: the retrieval `pipeline`, the `llm`, the `agent` as a whole, or `llm+agent` where it mixes them."""
    if symbol.startswith("Q_combined_"):
        return "llm+agent"
    if symbol.endswith("_retrieval"):
        return "pipeline"
    return "llm" if symbol.startswith(("R_", "A_")) or symbol in _LLM else "agent"
