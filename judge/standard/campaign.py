"""The scores of a Top Floor campaign. They are not effective minutes and enter no composite."""

import sys
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from judge.errors import ConfigError
from judge.schema.campaign_events import MOST
from judge.standard import formulas
from judge.standard.formulas import campaign_score

SHORTEST_MS = 1e-6
"""No clock measures a shorter attempt; its score would be beyond all numbers."""


class ScoredAttempt(NamedTuple):
    """An attempt at a floor: its place among all attempts from 1 on, its score, and whether the key of the floor was obtained."""

    attempt: int
    floor: int
    score: float
    cleared: bool


def floor_score(completion: float, duration_ms: float, turns: int) -> float:
    """Return completion / minutes / turns x 1000, the minutes from unrounded milliseconds; 0 or more, not bounded above.

    Raises ConfigError for a completion outside 0..1, a duration or turns of 0 or less, and for what is no number.
    """
    if not 0 <= completion <= 1:
        raise ConfigError(f"`completion` is {completion!r}, expected a number from 0 to 1")
    if not SHORTEST_MS <= duration_ms <= sys.float_info.max:
        raise ConfigError(f"`duration_ms` is {duration_ms!r}, expected milliseconds above 0, {SHORTEST_MS:g} or more")
    if isinstance(turns, bool) or not (1 <= turns <= MOST and turns == int(turns)):
        raise ConfigError(f"`turns` is {turns!r}, expected a whole number above 0, up to 2^53 = {MOST:,}")
    # Adding 0.0 turns a completion of -0.0, which is 0, into 0.0.
    return formulas.floor_score(completion + 0.0, duration_ms, turns)


def best_cleared(attempts: Iterable[ScoredAttempt]) -> dict[int, ScoredAttempt]:
    """Return by floor the cleared attempt with the highest score, the earliest of equals; floors never cleared are left out."""
    best: dict[int, ScoredAttempt] = {}
    for attempt in attempts:
        if attempt.cleared and (attempt.floor not in best or attempt.score > best[attempt.floor].score):
            best[attempt.floor] = attempt
    return best


def running_totals(attempts: Sequence[ScoredAttempt]) -> tuple[float, ...]:
    """Return the campaign score after each attempt; it never falls, since an attempt can only better the best one of its floor."""
    best: dict[int, float] = {}
    totals = []
    for attempt in attempts:
        if attempt.cleared:
            best[attempt.floor] = max(best.get(attempt.floor, 0.0), attempt.score)
        totals.append(campaign_score(best.values()))
    return tuple(totals)
