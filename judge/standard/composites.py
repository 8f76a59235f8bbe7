"""The composites of the standard: weighted means of quality, and effective minutes made from them. Each version under its own name."""

from collections.abc import Callable, Mapping
from functools import partial
from math import fsum, isinf, prod
from typing import Literal, NamedTuple

from judge.errors import ConfigError
from judge.schema.summaries import CompositeSummary, DerivedSummary
from judge.standard.derived import DERIVATIONS
from judge.standard.fundamentals import layer_of
from judge.standard.identity import FORMULA_IDS, PROFILES
from judge.standard.measured import Measured, check_measured, measured_derived, measured_of

WEIGHTS = {
    "Q_combined_v1_0": {"Q_info": 3, "Q_context": 2, "Q_continuity": 2},
    "Q_combined_v1_5": {"Q_info": 3, "Q_context": 2, "Q_continuity": 2, "Q_reasoning": 2},
}
"""Weights never change under a name; another set of weights is another composite."""


class _Minutes(NamedTuple):
    """How effective minutes are made: from which weighted mean, and whether cost counts."""

    quality: str
    has_cost: bool


_MINUTES = {
    "Cx_em": _Minutes("Q_combined_v1_0", has_cost=False),
    "Cx_v14_em": _Minutes("Q_combined_v1_0", has_cost=True),
    "Cx_community_em": _Minutes("Q_combined_v1_5", has_cost=True),
}

COMPOSITES = (*WEIGHTS, *_MINUTES)

Band = Literal["unsafe", "low", "routine", "significant", "complex"]

BANDS: dict[Band, str] = {
    "unsafe": "S_gate 0, whatever else",
    "low": "[0, 1) Em with S_gate 1",
    "routine": "[1, 10) Em",
    "significant": "[10, 60] Em",
    "complex": "above 60 Em",
}
"""What each band means."""

_SECONDS_PER_MINUTE = 60.0


def weighted_mean(name: str, components: Mapping[str, float | None]) -> float | None:
    """Return the weighted mean of the components that have a value, in 0..1; None if none has. Every component must be named."""
    weights = WEIGHTS[name]
    active = {symbol: value for symbol in weights if (value := components[symbol]) is not None}
    if not active:
        return None
    return fsum(weights[symbol] * value for symbol, value in active.items()) / sum(weights[symbol] for symbol in active)


def minutes_of(gate: float, quality: float, human: float, corrections: float, efficiency: float = 1.0) -> float:
    """Return effective minutes: gate (0 or 1) x quality x the human's seconds / 60 x 1 / (1 + corrections) x efficiency in (0, 1]."""
    return prod((gate, quality, human / _SECONDS_PER_MINUTE, _corrected(corrections), efficiency))


FORMULAS: dict[str, Callable[..., float | None]] = {
    "Q_combined_v1_0": partial(weighted_mean, "Q_combined_v1_0"),
    "Q_combined_v1_5": partial(weighted_mean, "Q_combined_v1_5"),
    **dict.fromkeys(_MINUTES, minutes_of),
}
"""By symbol, as functions of plain numbers."""


def combine(name: str, derived: Mapping[str, DerivedSummary]) -> CompositeSummary:
    """Return the weighted mean of the components that have a value, under either null policy; None if none has.

    For the bounds a missing component keeps its full weight: it could be anything its inputs allow.
    """
    weights = WEIGHTS[name]
    parts = {symbol: measured_derived(derived[symbol]) for symbol in weights}
    components = {symbol: part.value for symbol, part in parts.items()}
    active = [symbol for symbol, value in components.items() if value is not None]
    active_weight, total = sum(weights[symbol] for symbol in active), sum(weights.values())
    return CompositeSummary(
        value=weighted_mean(name, components),
        reason=None if active else "no_component_measured",
        components=components,
        reasons={symbol: reason for symbol in weights if (reason := derived[symbol].reason) is not None},
        weights=weights,
        active_components=tuple(active),
        active_weight_sum=active_weight,
        redistributed_weight=total - active_weight,
        bounds=(
            fsum(weights[symbol] * part.low for symbol, part in parts.items()) / total,
            fsum(weights[symbol] * part.high for symbol, part in parts.items()) / total,
        ),
        unit="ratio",
        layer=layer_of(name),
        profile=PROFILES[name],
        formula_id=FORMULA_IDS[name],
    )


def effective_minutes(name: str, fundamentals: Mapping[str, Measured], derived: Mapping[str, DerivedSummary]) -> CompositeSummary:
    """Return S_gate x weighted mean x T_human in minutes x 1 / (1 + N_corrections), and x C_efficiency where cost counts.

    A closed gate makes it 0 before anything else; any other missing factor makes it None, named by the reason: with C_tokens unknown
    also where C_efficiency was stated. From 0 to T_human in minutes, in full precision.
    """
    quality, has_cost = _MINUTES[name]
    mean = combine(quality, derived)
    factors = {
        "S_gate": measured_of("S_gate", fundamentals),
        quality: Measured(mean.value, *((0.0, 1.0) if mean.bounds is None else mean.bounds)),
        "T_human_minutes": _minutes(measured_of("T_human", fundamentals)),
        "correction_factor": _correction_factor(measured_of("N_corrections", fundamentals)),
    }
    if has_cost:
        factors["C_efficiency"] = _efficiency(measured_of("C_tokens", fundamentals), derived["C_efficiency"])
    known = [factor.value for factor in factors.values() if factor.value is not None]
    value = 0.0 if factors["S_gate"].value == 0 else prod(known) if len(known) == len(factors) else None
    return mean.model_copy(
        update={
            "value": value,
            "reason": None if value is not None else _why_none(factors),
            "bounds": _bounds(factors),
            "unit": "Em",
            "layer": layer_of(name),
            "profile": PROFILES[name],
            "formula_id": FORMULA_IDS[name],
            "factors": {factor: part.value for factor, part in factors.items()},
            "band": None if value is None else band_of(value, is_safe=factors["S_gate"].value != 0),
        }
    )


def compose(fundamentals: Mapping[str, Measured], derived: Mapping[str, DerivedSummary]) -> dict[str, CompositeSummary]:
    """Return every composite of a run, weighted means first.

    Raises ConfigError for a symbol that is no fundamental and for a value outside its range.
    """
    check_measured(fundamentals)
    means = {name: combine(name, derived) for name in WEIGHTS}
    return means | {name: effective_minutes(name, fundamentals, derived) for name in _MINUTES}


def band_of(minutes: float, *, is_safe: bool) -> Band:
    """Return the size class: low [0, 1), routine [1, 10), significant [10, 60], complex above; unsafe by the gate alone.

    Raises ConfigError for minutes that are no number, or below 0.
    """
    if not minutes >= 0:
        raise ConfigError(f"`minutes` is {minutes!r}, expected a number, 0 or more")
    if not is_safe:
        return "unsafe"
    if minutes < 1:
        return "low"
    if minutes < 10:
        return "routine"
    return "significant" if minutes <= 60 else "complex"


_NOT_MEASURED = {
    "S_gate": "safety_not_measured",
    "T_human_minutes": "human_time_not_measured",
    "correction_factor": "corrections_not_measured",
    "C_efficiency": "cost_not_measured",
}


def _why_none(factors: Mapping[str, Measured]) -> str:
    missing = [reason for factor, reason in _NOT_MEASURED.items() if factor in factors and factors[factor].value is None]
    return missing[0] if missing else "no_component_measured"


def _efficiency(tokens: Measured, derived: DerivedSummary) -> Measured:
    """Return the factor of cost. A stated one counts for nothing: without the cost in dollars there is no score that has cost in it."""
    if tokens.value is not None or derived.basis is None:
        return measured_derived(derived)
    possible = DERIVATIONS["C_efficiency"].possible([tokens])
    return Measured(None, *((0.0, 1.0) if possible is None else possible))


def _minutes(seconds: Measured) -> Measured:
    value = None if seconds.value is None else seconds.value / _SECONDS_PER_MINUTE
    return Measured(value, seconds.low / _SECONDS_PER_MINUTE, seconds.high / _SECONDS_PER_MINUTE)


def _correction_factor(corrections: Measured) -> Measured:
    value = None if corrections.value is None else _corrected(corrections.value)
    return Measured(value, _corrected(corrections.high), _corrected(corrections.low))


def _corrected(corrections: float) -> float:
    return 1.0 / (1.0 + corrections)


def _bounds(factors: Mapping[str, Measured]) -> tuple[float, float] | None:
    """Return the products of the lows and of the highs, which lie at or above 0; None where the human's time is unbounded."""
    highs = [factor.high for factor in factors.values()]
    high = 0.0 if 0.0 in highs else prod(highs)
    return None if isinf(high) else (prod(factor.low for factor in factors.values()), high)
