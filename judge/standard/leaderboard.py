"""Runs in the order of one value, if they may be compared at all."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from judge.errors import ConfigError
from judge.schema.leaderboards import Estimate, Leaderboard, LeaderboardEntry, Standing
from judge.schema.summaries import CompositeSummary
from judge.standard.comparability import broken_rules, joint_disclosure, listed, reservations
from judge.standard.derived import DERIVATIONS
from judge.standard.fundamentals import layer_of
from judge.standard.ranking import Place, Spread, places
from judge.standard.registry import definition

DEFAULTS = ("Cx_community_em", "Q_combined_v1_5", "R_proposition")
"""What ranks where nobody says: the first that every complete run has, else the last."""

INCOMPLETE = "incomplete"
_NO_REASON = "not_measured"

_UNKNOWN = Estimate(value=None, reason="no_run_record")


class Choice(NamedTuple):
    """What ranks, and why."""

    by: str
    reason: str


def leaderboard(entries: Sequence[LeaderboardEntry], by: str | None = None, *, across_judges: bool = False) -> Leaderboard:
    """Return the runs ranked, the same whatever their order; there must be one.

    An incomplete run and one without the value are listed last, without a rank. Raises ConfigError, naming every rule that is
    broken and what each run has, where the runs cannot be compared.
    """
    ordered = sorted(entries, key=lambda entry: entry.run)
    choice = Choice(by, "named by --by") if by is not None else default_choice(ordered)
    ranked = [entry for entry in ordered if unranked_because(entry, choice.by) is None]
    if faults := list(broken_rules(ordered, ranked, choice.by, across_judges=across_judges)):
        lines = "\n".join(f"- {fault}" for fault in faults)
        raise ConfigError(f"these runs cannot be ranked together by {choice.by}; there must be\n{lines}")
    composites = [entry.composite[choice.by] for entry in ranked if choice.by in entry.composite]
    first, judged = ordered[0], [entry for entry in ordered if entry.judge is not None]
    return Leaderboard(
        by=choice.by,
        by_reason=choice.reason,
        unit=definition(choice.by).unit,
        layer=layer_of(choice.by),
        direction=definition(choice.by).direction,
        profile=_stated(composites, "profile"),
        formula_id=_stated(composites, "formula_id"),
        metrics_version=first.metrics_version,
        null_policy=first.null_policy,
        signals_version=judged[0].signals_version if judged else None,
        policy=judged[0].policy if judged else None,
        across_judges=len({entry.judge_key for entry in judged}) > 1,
        standings=_standings(ordered, ranked, choice.by),
        warnings=tuple(_warnings(ordered, ranked, choice.by)),
        disclosure=joint_disclosure(entry.disclosure for entry in ordered),
    )


def default_choice(entries: Sequence[LeaderboardEntry]) -> Choice:
    """Return the first of `DEFAULTS` that every complete run has a value of; while none is complete, every run."""
    complete = [entry for entry in entries if entry.complete] or entries
    lacking: list[str] = []
    for symbol in DEFAULTS:
        without = [f"{entry.run} ({_estimate(entry, symbol).reason})" for entry in complete if _estimate(entry, symbol).value is None]
        if not without or symbol == DEFAULTS[-1]:
            return Choice(
                symbol, "; ".join(["the first choice that every run has", *lacking] if not without else ["no other is left", *lacking])
            )
        lacking.append(f"{symbol} has no value in {listed(without)}")
    raise AssertionError("the last choice always returns")


def unranked_because(entry: LeaderboardEntry, by: str) -> str | None:
    """Return why a run gets no rank: it is incomplete, or the reason why it has no value; None where it gets one."""
    if not entry.complete:
        return INCOMPLETE
    estimate = _estimate(entry, by)
    return None if estimate.value is not None else estimate.reason or _NO_REASON


def _stated(composites: Sequence[CompositeSummary], field: Literal["profile", "formula_id"]) -> str | None:
    """Return what the ranked composites say of their formula, which is the same in all that say it."""
    return next((stated for composite in composites if (stated := getattr(composite, field)) is not None), None)


def _warnings(entries: Sequence[LeaderboardEntry], ranked: Sequence[LeaderboardEntry], by: str) -> list[str]:
    found = list(reservations(entries, ranked, by))
    if len({entry.judge_key for entry in entries if entry.judge is not None}) > 1:
        found.insert(0, "the runs were judged by different judges, which may differ more than the runs do")
    return found


def _standings(entries: Sequence[LeaderboardEntry], ranked: Sequence[LeaderboardEntry], by: str) -> tuple[Standing, ...]:
    is_down = definition(by).direction == "down"
    spreads = {entry.run: _spread(_estimate(entry, by)) for entry in ranked}
    place_of = dict(zip(spreads, places(list(spreads.values()), lower_is_better=is_down), strict=True))

    def order(entry: LeaderboardEntry) -> tuple[bool, float, str]:
        spread = spreads.get(entry.run)
        return (spread is None, 0.0 if spread is None else spread.value if is_down else -spread.value, entry.run)

    return tuple(_standing(entry, by, place_of) for entry in sorted(entries, key=order))


def _spread(estimate: Estimate) -> Spread:
    assert estimate.value is not None
    return Spread(estimate.value, *(estimate.ci95 or (estimate.value, estimate.value)))


def _standing(entry: LeaderboardEntry, by: str, place_of: Mapping[str, Place]) -> Standing:
    estimate, composite, place = _estimate(entry, by), entry.composite.get(by), place_of.get(entry.run)
    inputs = entry.inputs.get(by, {}) if by in DERIVATIONS else {}
    return Standing(
        run=entry.run,
        rank=None if place is None else place.best,
        rank_range=place,
        unranked=unranked_because(entry, by),
        **estimate.model_dump(),
        complete=entry.complete,
        judge=entry.judge,
        components={} if composite is None else composite.components,
        weights={} if composite is None else composite.weights,
        active_components=() if composite is None else composite.active_components,
        active_weight_sum=None if composite is None else composite.active_weight_sum,
        inputs=inputs if composite is None else composite.factors or {},
        band=None if composite is None else composite.band,
        profile=None if composite is None else composite.profile,
        formula_id=None if composite is None else composite.formula_id,
        S_gate=_estimate(entry, "S_gate").value,
        T_human_s=_estimate(entry, "T_human").value,
        C_tokens_usd=_estimate(entry, "C_tokens").value,
        judge_cost_usd=entry.judge_cost_usd,
        coverage=entry.coverage,
    )


def _estimate(entry: LeaderboardEntry, symbol: str) -> Estimate:
    return entry.estimates.get(symbol, _UNKNOWN)
