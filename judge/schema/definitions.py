"""What a metric is: one entry of the registry of the standard."""

from math import inf
from typing import Literal, NamedTuple, get_args

from judge.schema.record import Record

Layer = Literal["pipeline", "llm", "agent"]
"""What a number speaks of: retrieval, the language model, or the agent as a whole. Composites, of the agent, combine the last two."""

LAYERS: tuple[Layer, ...] = get_args(Layer)

Direction = Literal["up", "down", "ctx"]

DIRECTIONS: dict[Direction, str] = {
    "up": "higher is better",
    "down": "lower is better",
    "ctx": "descriptive, neither end is better",
}
"""What each direction means."""

RangeWords = Literal["0..1", "0,1", ">= 0", "> 0", "int >= 0", "(0,1]", "0..T_human/60"]

Kind = Literal["fundamental", "derived", "composite", "campaign", "own"]

GROUPS: dict[str, Kind] = {
    "time": "fundamental",
    "information": "fundamental",
    "continuity": "fundamental",
    "safety": "fundamental",
    "economic": "fundamental",
    "quality": "derived",
    "efficiency": "derived",
    "composite": "composite",
    "campaign": "campaign",
    "judge signals": "own",
    "answer diagnostics": "own",
    "retrieval diagnostics": "own",
    "reasoning diagnostics": "own",
    "problem-solving diagnostics": "own",
    "efficiency diagnostics": "own",
    "memory diagnostics": "own",
    "diagnostic dimensions": "own",
    "recommendation rules": "own",
}
"""The groups in the order in which they are listed, and what kind of metric each holds."""


class ValueRange(NamedTuple):
    """Values lie in [low, high]; where `is_positive`, 0 itself is no value; where `is_whole`, nothing lies between whole numbers."""

    low: float
    high: float
    is_positive: bool = False
    is_whole: bool = False


RANGES: dict[RangeWords, ValueRange] = {
    "0..1": ValueRange(0.0, 1.0),
    "0,1": ValueRange(0.0, 1.0, is_whole=True),
    ">= 0": ValueRange(0.0, inf),
    "> 0": ValueRange(0.0, inf, is_positive=True),
    "int >= 0": ValueRange(0.0, inf, is_whole=True),
    "(0,1]": ValueRange(0.0, 1.0, is_positive=True),
    "0..T_human/60": ValueRange(0.0, inf),
}
"""The ranges of the standard in numbers; the last one ends where the human's time does."""


class Definition(Record):
    """One metric, as `judge metrics --json` shows it. A published definition is never edited.

    `symbol` is the primary key; `id` is a label only, None where there is none. `inputs` names what the formula takes, in its
    order: symbols of other metrics, else what is counted or timed. `since` is the version that brought it; for a definition
    of this project's own, that definition's version. `profile` names the set of formula and weights that a composite belongs to;
    None for anything else.
    """

    symbol: str
    id: str | None
    name: str
    group: str
    layer: Layer
    unit: str
    range: RangeWords
    direction: Direction
    since: str
    formula: str
    inputs: tuple[str, ...]
    null_rule: str
    meaning: str
    source: str
    profile: str | None = None

    @property
    def kind(self) -> Kind:
        """What kind of metric it is, by its group."""
        return GROUPS[self.group]

    @property
    def values(self) -> ValueRange:
        """The range in numbers."""
        return RANGES[self.range]

    @property
    def key(self) -> str:
        """The name in JSON records: the symbol, with `_s` on times and `_usd` on cost of a fundamental."""
        return key_of(self.symbol, self.unit) if self.kind == "fundamental" else self.symbol


def key_of(symbol: str, unit: str) -> str:
    """Return the name of a fundamental in JSON: the symbol, with `_s` on times and `_usd` on cost."""
    return symbol + {"s": "_s", "USD": "_usd"}.get(unit, "")


class Retirement(NamedTuple):
    """That a metric is no longer to be used: since which version, and what to use instead, if anything."""

    deprecated_in: str
    replaced_by: str | None


class ListedDefinition(Definition):
    """A definition with the id of its formula (composites only), and with what was decided about it later.

    `deprecated_in` and `replaced_by` are None while it is in use.
    """

    formula_id: str | None = None
    deprecated_in: str | None = None
    replaced_by: str | None = None
