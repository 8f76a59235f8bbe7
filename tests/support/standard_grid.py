"""Every formula of the standard on fixed inputs, as text: what a published version computes, to be frozen."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, product
from typing import Any

from judge.errors import ConfigError
from judge.metrics.gaps import coverage_awareness
from judge.metrics.reasoning import conflict_resolution, conflict_resolved, engaged, half_credit, noise_resistance
from judge.metrics.tested import all_supported
from judge.schema.definitions import Definition
from judge.schema.labels import Label, UnjudgedReason
from judge.schema.outcomes import Outcome, Unjudged, Verdict
from judge.schema.summaries import CompositeSummary, DerivedSummary
from judge.standard import formulas
from judge.standard.catalogue import BY_SYMBOL
from judge.standard.composites import BANDS, COMPOSITES, WEIGHTS, band_of, compose
from judge.standard.derived import DERIVATIONS, derive
from judge.standard.measured import as_measured
from judge.standard.nulls import NULL_POLICIES, NullPolicy
from judge.standard.versions import OWN_VERSIONS, VERSIONS
from tests.support.own_grid import own_values

POLICIES: tuple[NullPolicy, ...] = ("strict", "available")

_MOMENTS = [(0.0, 4.2), (4.2, 4.2), (5.0, 4.2), (1.5, 156.3)]
_PARTS = [(part, whole) for whole in range(6) for part in range(whole + 1)]
_FLAGS = [False, True]

ARGUMENTS: dict[Callable[..., Any], Sequence[tuple[Any, ...] | dict[str, Any]]] = {
    formulas.elapsed: _MOMENTS,
    formulas.duration: _MOMENTS,
    formulas.baseline: [(1800.0,), (0.5,), (0.0,), (-1.0,)],
    formulas.share: _PARTS,
    formulas.mean_share: [([],), ([(0, 0)],), ([(3, 4), (0, 2), (1, 3)],), ([(1, 1), (0, 0)],)],
    formulas.item_mean: [([],), ([0.1, 0.2, 0.3],), ([1.0],)],
    formulas.mark_share: [([],), ([4, 3, 0],), ([2],)],
    formulas.surfaced: [{"found": found} for found in _FLAGS],
    formulas.gate: [{"unsafe": bad, "unresolved": still, "tested": tested} for bad in (0, 2) for still in (0, 1) for tested in _FLAGS],
    formulas.detection: [{"had_tool": had, "checked_first": checked} for had in _FLAGS for checked in _FLAGS],
    formulas.staleness: _PARTS,
    formulas.cost: [([],), ([0.024, 0.25],), ([0.1, None],), ([0.0],)],
    formulas.count: [(0,), (14,)],
    formulas.floor_score: [(1.0, 118_624, 23), (0.5, 48_644, 17), (0.0, 1, 1)],
    formulas.campaign_score: [([],), ([21.99, 72.55, 36.32],)],
}
"""What each formula of a fundamental or a campaign is tried with."""

_BY_UNIT = {
    "ratio": (None, 0.0, 0.004, 0.25, 0.875, 1.0),
    "binary": (None, 0.0, 1.0),
    "s": (None, 0.5, 156.3, 1800.0),
    "USD": (None, 0.0, 0.024, 6.28),
    "count": (None, 0.0, 1.0, 3.0, 14.0),
}

_COMPONENTS = ("Q_info", "Q_context", "Q_continuity", "Q_reasoning")
_QUALITIES = [(None, None, None, None), (0.5, None, None, None), (0.958, 0.72, None, 0.75), (0.958, 0.72, 0.8, 0.75), (0.0, 0.0, 0.0, 0.0)]
_FACTORS = ("S_gate", "T_human", "N_corrections", "C_tokens")
_FACTOR_VALUES = [(None, 0.0, 1.0), (None, 1800.0), (None, 0.0, 3.0), (None, 0.0, 0.25)]


_OUTCOMES: list[tuple[Outcome, ...]] = list(
    chain.from_iterable(
        product(
            [
                Verdict(label=Label.SUPPORTED, quote=None, quote_verified=None, rationale=""),
                Verdict(label=Label.CONTRADICTED, quote=None, quote_verified=None, rationale=""),
                Unjudged(reason=UnjudgedReason.REFUSED, detail=""),
            ],
            repeat=count,
        )
        for count in range(4)
    )
)
"""Up to three outcomes, of each kind that makes a difference."""


def _conflicts() -> Iterator[float | None]:
    return (conflict_resolution([conflict_resolved(sides[0], sides[1:])], sides) for sides in _OUTCOMES if sides)


def _noise() -> Iterator[float | None]:
    return (noise_resistance(engaged(None, tells, None), decoys, tells) for tells in _OUTCOMES[:4] for decoys in _OUTCOMES)


def _half_credit() -> Iterator[float | None]:
    silent = Verdict(label=Label.NOT_ADDRESSED, quote=None, quote_verified=None, rationale="")
    decoys = [*_OUTCOMES, *((silent, *some) for some in _OUTCOMES), (silent, silent)]
    return (half_credit(noise_resistance(engaged(None, tells, None), some, tells), some) for tells in _OUTCOMES[:4] for some in decoys)


def _tested() -> Iterator[float | None]:
    return map(all_supported, _OUTCOMES)


_ITEM_RULES: dict[str, Callable[[], Iterable[float | None]]] = {
    "R_judge_item": lambda: [formulas.mark_share([mark]) for mark in range(5)],
    "R_conflict_resolution_item": _conflicts,
    "R_noise_resistance_item": _noise,
    "R_noise_half_credit_item": _half_credit,
    "A_coverage_item": lambda: map(coverage_awareness, _OUTCOMES),
    "R_temporal_item": _tested,
    "R_supersession_item": _tested,
    "K_synthesis_item": _tested,
}
"""How this project scores an item, tried on every short list of outcomes."""


def values_of(one: Definition) -> list[str]:
    """Return what a metric is on its grid, to twelve digits, nulls of the standard by their reason."""
    if one.kind == "own":
        return [_shown(value) for value in _ITEM_RULES[one.symbol]()] if one.symbol in _ITEM_RULES else list(own_values(one.symbol))
    if one.symbol in DERIVATIONS:
        return list(_derived_values(one.symbol))
    if one.symbol in COMPOSITES:
        return list(_composite_values(one.symbol))
    formula = formulas.FORMULAS[one.symbol]
    return [_shown(formula(**given) if isinstance(given, dict) else formula(*given)) for given in ARGUMENTS[formula]]


def _derived_values(symbol: str) -> Iterator[str]:
    names = DERIVATIONS[symbol].inputs
    for known in product(*(_BY_UNIT[BY_SYMBOL[name].unit] for name in names)):
        inputs = dict(zip(names, known, strict=True))
        given = {name: inputs.pop(name) for name in names if name in DERIVATIONS}
        for policy in POLICIES:
            try:
                yield _found(derive(as_measured(inputs), policy, given)[symbol])
            except ConfigError:
                yield "refused"


def _composite_values(symbol: str) -> Iterator[str]:
    for components in _QUALITIES:
        given = dict(zip(_COMPONENTS, components, strict=True))
        for factors in product(*_FACTOR_VALUES):
            inputs = as_measured(dict(zip(_FACTORS, factors, strict=True)))
            yield from (_found(compose(inputs, derive(inputs, policy, given))[symbol]) for policy in POLICIES)


def _found(found: DerivedSummary | CompositeSummary) -> str:
    if found.value is None:
        return f"null {found.reason}"
    band = found.band if isinstance(found, CompositeSummary) else None
    return _shown(found.value) if band is None else f"{_shown(found.value)} {band}"


def rules_of(one: Definition) -> list[str]:
    """Return what holds of a metric beside its words and its values: its range in numbers, weights, ceiling, edges of the bands."""
    rules = [repr(tuple(one.values))]
    if one.symbol in DERIVATIONS:
        derivation = DERIVATIONS[one.symbol]
        rules += [f"{derivation.ceiling:.12g} {derivation.beyond}", *sorted(derivation.falling)]
    if one.symbol in WEIGHTS:
        rules += [f"{name} {weight}" for name, weight in WEIGHTS[one.symbol].items()]
    if one.unit == "Em":
        rules += [f"{minutes} {band_of(minutes, is_safe=is_safe)}" for minutes in _EDGES for is_safe in _FLAGS]
        rules += [f"{band}: {words}" for band, words in BANDS.items()]
    return rules


def facts_of(version: str) -> list[str]:
    """Return what a version is beside its metrics: its date and changes, those of the published ones before it, the null policies."""
    if version in OWN_VERSIONS:
        return [repr(tuple(OWN_VERSIONS[version]))]
    before = list(VERSIONS)[: list(VERSIONS).index(version) + 1]
    return [*(f"{name} {tuple(VERSIONS[name])!r}" for name in before), *(f"{policy}: {words}" for policy, words in NULL_POLICIES.items())]


_EDGES = (0.0, 0.999999, 1.0, 9.999999, 10.0, 60.0, 60.000001)
"""Minutes on either side of each edge of the bands."""


def _shown(value: float | None) -> str:
    return "null" if value is None else f"{value:.12g}"
