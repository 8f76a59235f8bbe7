"""Recorded sessions as a leaderboard needs them."""

from collections.abc import Iterator, Mapping, Sequence
from math import inf

from judge.errors import ConfigError
from judge.schema.crux import CruxSummary, MinutesSpread, SessionMetric, SessionSummary, Spread
from judge.schema.leaderboards import Estimate, LeaderboardEntry
from judge.schema.summaries import CompositeSummary, DerivedSummary, JudgeName
from judge.session.completeness import lacking
from judge.session.finding import JUDGED
from judge.standard.composites import COMPOSITES, WEIGHTS
from judge.standard.formulas import item_mean
from judge.standard.intervals import estimates_from, exact
from judge.standard.noise_credit import NOISE
from judge.standard.nulls import NullPolicy, null_policy_of
from judge.standard.registry import definition

MINUTES = tuple(name for name in COMPOSITES if name not in WEIGHTS)
"""The composites in effective minutes."""

_ROUNDING = 1e-9
_MIXED = "sessions_differ_in_active_components"


def entry_of_crux(summary: CruxSummary, name: str) -> LeaderboardEntry:
    """Return the sessions of a `judge crux` result as one entry under a name.

    A single session has the intervals that its judged values bring; what it recorded is exact. Several sessions have the intervals
    of their means, and no value of a composite where they differ in its active components. Raises ConfigError for an unknown
    null policy, and for what the standard does not allow.
    """
    policy = null_policy_of(summary.null_policy, where=f"{name}: ")
    if faults := list(lacking(summary)) or list(_changed(summary)):
        raise ConfigError("\n".join(f"{name}: {fault}" for fault in faults))
    run, first = summary.run, summary.sessions[0]
    is_single = len(summary.sessions) == 1
    return LeaderboardEntry(
        run=name,
        metrics_version=summary.metrics_version,
        null_policy=policy,
        signals_version=None if run is None else summary.signals_version,
        policy=None if run is None else run.policy,
        judge=None if run is None else JudgeName(spec=run.judge, id=run.judge_id),
        judge_key="" if run is None else run.judge_key,
        complete=run is None or run.complete,
        coverage={} if run is None else run.coverage,
        judge_cost_usd=None if run is None else run.judge_cost_usd,
        estimates=_of_one(first, policy) if is_single else _of_many(summary),
        inputs=_shared_inputs(summary.sessions),
        composite=first.composite if is_single else {name: _joined(name, summary) for name in first.composite},
        asked=frozenset(session.fixture.sha256 for session in summary.sessions),
        noise_half_credit=_noise_half_credit(summary.sessions),
        disclosure=summary.disclosure,
    )


def _noise_half_credit(sessions: Sequence[SessionSummary]) -> bool | None:
    """Return by which rule the noise resistance of a run's judge was made; None where no session has such a one."""
    judged = [basis for session in sessions if (basis := session.metrics[NOISE].basis) in JUDGED]
    return "judge, half credit" in judged if judged else None


def _changed(summary: CruxSummary) -> Iterator[str]:
    """Yield what the standard does not allow: other weights, another profile, more minutes than a person takes."""
    for session in summary.sessions:
        human = session.metrics["T_human"].value
        for name, composite in session.composite.items():
            profile = definition(name).profile
            if name in WEIGHTS and composite.weights != WEIGHTS[name]:
                yield f"session `{session.session}`: the weights of {name} are {composite.weights}, expected {WEIGHTS[name]}"
            if composite.profile not in (None, profile):
                yield f"session `{session.session}`: the profile of {name} is {composite.profile}, expected {profile}"
            ceiling = 1.0 if name in WEIGHTS else inf if human is None else human / 60
            if composite.value is not None and not 0 <= composite.value <= ceiling * (1 + _ROUNDING):
                yield f"session `{session.session}`: {name} is {composite.value:.6g}, expected 0 to {ceiling:.6g}"


def _of_one(session: SessionSummary, policy: NullPolicy) -> dict[str, Estimate]:
    found = {symbol: _estimate(metric) for symbol, metric in session.metrics.items()}
    return estimates_from(found, session.derived, session.composite, policy)


def _estimate(metric: SessionMetric) -> Estimate:
    if metric.value is None:
        return Estimate(value=None, reason=metric.reason)
    if metric.basis not in JUDGED:
        return exact(metric.value)
    if metric.ci95 is None:
        return Estimate(value=metric.value, ci_reason=metric.ci_method or "no_interval")
    low, high = max(metric.ci95[0], 0.0), min(metric.ci95[1], 1.0)
    return Estimate(value=metric.value, ci95=(min(low, metric.value), max(high, metric.value)), ci_method=metric.ci_method)


def _of_many(summary: CruxSummary) -> dict[str, Estimate]:
    numbers: Mapping[str, object] = {**summary.metrics, **summary.derived, **summary.composite}
    humans = [human / 60 for session in summary.sessions if (human := session.metrics["T_human"].value) is not None]
    ceilings = dict.fromkeys(MINUTES, max(humans, default=inf))
    return {
        symbol: _of_spread(spread, ceilings.get(symbol, definition(symbol).values.high))
        for symbol, spread in numbers.items()
        if isinstance(spread, Spread)
    }


def _of_spread(spread: Spread, ceiling: float) -> Estimate:
    """Return a mean with its interval, clipped to what the number can be: 0 to `ceiling`."""
    if isinstance(spread, MinutesSpread) and spread.value is not None and spread.active_components is None:
        return Estimate(value=None, reason=_MIXED)
    if spread.value is None:
        return Estimate(value=None, reason=spread.reason or "not_measured")
    why = None if spread.ci95 is not None else "median" if spread.statistic == "median" else "no_spread_between_sessions"
    clipped = None if spread.ci95 is None else (max(spread.ci95[0], 0.0), min(spread.ci95[1], ceiling))
    return Estimate(value=spread.value, ci95=clipped, ci_method=spread.ci_method, ci_reason=why)


def _shared_inputs(sessions: Sequence[SessionSummary]) -> dict[str, dict[str, float | None]]:
    """Return the inputs of each derived value: of one session its own, of several their means, None where any session lacks one."""
    return {symbol: _means([session.derived[symbol] for session in sessions]) for symbol in sessions[0].derived}


def _means(derived: Sequence[DerivedSummary]) -> dict[str, float | None]:
    columns = {name: [each.inputs[name] for each in derived] for name in derived[0].inputs}
    return {name: _mean(values) for name, values in columns.items()}


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return item_mean(known) if len(known) == len(values) else None


def _joined(name: str, summary: CruxSummary) -> CompositeSummary:
    """Return a composite over several sessions in the form of a single one: means of its components and factors."""
    each, spread = [session.composite[name] for session in summary.sessions], summary.composite[name]
    assert isinstance(spread, MinutesSpread)
    first = each[0]
    factors = None
    if first.factors is not None:
        factors = {factor: _mean([(one.factors or {}).get(factor) for one in each]) for factor in first.factors}
    total = sum(spread.weights.values())
    active = spread.active_weight_sum or 0
    return first.model_copy(
        update={
            "value": spread.value,
            "reason": spread.reason,
            "components": {symbol: _mean([one.components[symbol] for one in each]) for symbol in spread.weights},
            "active_components": spread.active_components or (),
            "active_weight_sum": active,
            "redistributed_weight": total - active,
            "bounds": None,
            "factors": factors,
            "band": None,
        }
    )
