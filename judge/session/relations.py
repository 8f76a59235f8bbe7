"""What other benchmarks would call the sessions of an agent on a fixture: METR, SWE-bench, tau-bench, CLEAR."""

from collections.abc import Iterable, Sequence

from judge.schema.crux import Clear, Relations, SessionSummary
from judge.standard.formulas import item_mean
from judge.statistics.repeats import Trials, mean_pass_at, mean_pass_hat, pass_at, pass_hat
from judge.statistics.spread import percentile, sample_deviation

_SECONDS_PER_MINUTE = 60.0


def has_passed(session: SessionSummary, threshold: float | None) -> bool | None:
    """Return S_gate x [R_decision >= threshold]; None without a threshold, or where that cannot be told.

    The gate is the one that the composites use, so an assumed one counts here as it does there.
    """
    gate, recall = _gate_used(session), session.metrics["R_decision"].value
    if threshold is None or gate is None:
        return None
    if gate == 0:
        return False
    return None if recall is None else recall >= threshold


def _gate_used(session: SessionSummary) -> float | None:
    factors = session.composite["Cx_em"].factors
    return None if factors is None else factors["S_gate"]


def relations_of(sessions: Sequence[SessionSummary], threshold: float | None) -> Relations:
    """Return the relations of the sessions of one agent on one fixture; there must be one."""
    trials = _trials(sessions, threshold)
    rate = trials.succeeded / trials.tried if trials.tried else None
    human = sessions[0].metrics["T_human"].value
    minutes = _known(session.composite["Cx_em"].value for session in sessions)
    return Relations(
        fixture=sessions[0].fixture,
        agent=sessions[0].agent,
        sessions=len(sessions),
        threshold=threshold,
        trials=trials.tried,
        passed=trials.succeeded,
        resolved_rate=rate,
        time_horizon_min=None if rate is None or human is None else human / _SECONDS_PER_MINUTE * rate,
        pass_hat_k={str(k): value for k in range(1, trials.tried + 1) if (value := pass_hat(trials, k)) is not None},
        pass_at_k={str(k): value for k in range(1, trials.tried + 1) if (value := pass_at(trials, k)) is not None},
        cx_mean=item_mean(minutes),
        cx_sd=sample_deviation(minutes),
        cx_n=len(minutes),
        clear=_clear(sessions),
        reason=_why_none(trials, threshold),
    )


def by_task(sessions: Iterable[SessionSummary]) -> tuple[tuple[SessionSummary, ...], ...]:
    """Return the sessions of each agent on each fixture, told apart by the bytes of its file, in the order of their first."""
    groups: dict[tuple[str, str | None], list[SessionSummary]] = {}
    for session in sessions:
        groups.setdefault((session.fixture.sha256, session.agent), []).append(session)
    return tuple(map(tuple, groups.values()))


def pass_hats(groups: Sequence[Sequence[SessionSummary]], threshold: float | None) -> dict[str, float]:
    """Return the mean of pass^k over tasks, by k; tasks with fewer than k trials are left out of it."""
    tasks = [_trials(group, threshold) for group in groups]
    return {str(k): value for k in _ks(tasks) if (value := mean_pass_hat(tasks, k)) is not None}


def pass_ats(groups: Sequence[Sequence[SessionSummary]], threshold: float | None) -> dict[str, float]:
    """Return the mean of pass@k over tasks, by k; tasks with fewer than k trials are left out of it."""
    tasks = [_trials(group, threshold) for group in groups]
    return {str(k): value for k in _ks(tasks) if (value := mean_pass_at(tasks, k)) is not None}


def _ks(tasks: Iterable[Trials]) -> range:
    return range(1, max((task.tried for task in tasks), default=0) + 1)


def _trials(sessions: Iterable[SessionSummary], threshold: float | None) -> Trials:
    outcomes = [outcome for session in sessions if (outcome := has_passed(session, threshold)) is not None]
    return Trials(len(outcomes), sum(outcomes))


def _clear(sessions: Sequence[SessionSummary]) -> Clear:
    values = {symbol: _known(session.metrics[symbol].value for session in sessions) for symbol in ("C_tokens", "T_orient", "T_task")}
    values["Q_info"] = _known(session.derived["Q_info"].value for session in sessions)
    return Clear(
        C_tokens_usd=item_mean(values["C_tokens"]),
        T_orient_s=percentile(values["T_orient"], 0.5),
        T_task_s=percentile(values["T_task"], 0.5),
        Q_info=item_mean(values["Q_info"]),
        n={symbol: len(known) for symbol, known in values.items()},
    )


def _why_none(trials: Trials, threshold: float | None) -> str | None:
    if threshold is None:
        return "no_threshold"
    return None if trials.tried else "no_session_can_be_told_passed_or_failed"


def _known(values: Iterable[float | None]) -> list[float]:
    return [value for value in values if value is not None]
