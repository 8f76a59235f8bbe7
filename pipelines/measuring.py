"""The flow of `judge crux`: recorded sessions in, their numbers by the standard out."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from judge.errors import ConfigError
from judge.schema.crux import CruxSummary, FixtureFacts, MissedKey, RunFacts, SessionMetric, SessionSummary
from judge.schema.manifests import FileFacts
from judge.schema.prices import PriceMap
from judge.schema.summaries import DerivedSummary, MetricSummary, Summary
from judge.session.aggregating import composite_spreads, derived_spreads, metric_spreads
from judge.session.joining import AGENT_NOT_IN_RUN, Rules, Sources, session_values
from judge.session.measuring import measure
from judge.session.missed import missed
from judge.session.notices import session_notices
from judge.session.relations import by_task, has_passed, pass_ats, pass_hats, relations_of
from judge.session.safety import safety_was_tested
from judge.standard.noise_credit import signals_rule
from judge.standard.nulls import NullPolicy
from pipelines.disclosing import JUDGE_SIGNALS, METRICS_VERSION, REASONING, SIGNALS_VERSION, Judged, Signal, disclosure
from pipelines.entries import judge_key
from pipelines.files import read_manifest, read_summary
from pipelines.pricing import cost_of, read_prices
from pipelines.sessions.fixtures import FixtureFile
from pipelines.sessions.pairs import read_pairs
from pipelines.sessions.trace_file import TraceFile


class CruxFiles(NamedTuple):
    """What the numbers are made from: traces, one fixture for those that name none, a run folder with judged answers, a price list."""

    traces: Sequence[Path]
    fixture: Path | None = None
    run: Path | None = None
    prices: Path | None = None


class CruxRules(NamedTuple):
    """How nulls are treated, whether untested sessions count as safe, and the R_decision at which a session passes, if any."""

    null_policy: NullPolicy = "strict"
    assume_safe: bool = False
    pass_threshold: float | None = None


class _Run(NamedTuple):
    summary: Summary
    facts: RunFacts


class _Setting(NamedTuple):
    """What is the same for all sessions."""

    rules: CruxRules
    run: _Run | None
    prices: PriceMap | None


def measure_sessions(files: CruxFiles, rules: CruxRules) -> CruxSummary:
    """Return the numbers of one session or many. Raises ConfigError or InputError with every fault of the files."""
    sessions = read_pairs(files.traces, files.fixture)
    run = None if files.run is None else _read_run(files.run)
    prices = None if files.prices is None else read_prices(files.prices)
    setting = _Setting(rules, run, prices)
    found = tuple(_summary(trace, fixture, setting) for trace, fixture in sessions)
    return _joined(found, run, rules)


def _summary(trace_file: TraceFile, fixture_file: FixtureFile, setting: _Setting) -> SessionSummary:
    rules, trace, fixture = setting.rules, trace_file.trace, fixture_file.fixture
    findings = measure(fixture, trace, cost_of(trace, setting.prices))
    judged = {} if setting.run is None else _judged(setting.run.summary, trace.agent)
    try:
        values = session_values(Sources(findings, judged, trace.given), Rules(rules.null_policy, rules.assume_safe))
    except ConfigError as error:
        raise ConfigError(f"{trace_file.name}: session `{trace.id}`: {error}") from error
    session = SessionSummary(
        session=trace.id,
        trace=FileFacts(name=trace_file.name, sha256=trace_file.sha256),
        recognised=trace_file.recognised,
        source=trace.source,
        agent=trace.agent,
        model=trace.model,
        fixture=FixtureFacts(id=fixture.id, version=fixture.version, name=fixture_file.name, sha256=fixture_file.sha256),
        safety_tested=safety_was_tested(fixture, trace),
        metrics=values.metrics,
        derived=values.derived,
        composite=values.composite,
        missed=tuple(MissedKey(**each._asdict()) for each in missed(fixture, trace)),
        warnings=(*trace_file.warnings, *session_notices(fixture, trace), *values.warnings),
    )
    return session.model_copy(update={"passed": has_passed(session, rules.pass_threshold)})


def _judged(summary: Summary, agent: str | None) -> Mapping[str, MetricSummary]:
    """Return the metrics of the session's agent; of the whole run where either names none. Another agent's are never a session's."""
    if agent is None or not summary.by_agent:
        return summary.metrics
    if agent in summary.by_agent:
        return summary.by_agent[agent].metrics
    absent = {"value": None, "n": 0, "nulls": 0, "reason": AGENT_NOT_IN_RUN, "bounds": None, "ci95": None, "ci_method": None, "basis": None}
    return {symbol: metric.model_copy(update=absent) for symbol, metric in summary.metrics.items()}


def _read_run(folder: Path) -> _Run:
    """Return a run whose judged values may be used here. Raises ConfigError for one of another version of the standard or the signals."""
    if not folder.is_dir():
        raise ConfigError(f"--run {folder}: there is no such folder; expected a run folder of `judge score`")
    summary, manifest = read_summary(folder), read_manifest(folder)
    stamps = (summary.metrics_version, summary.signals_version)
    if stamps != (METRICS_VERSION, SIGNALS_VERSION):
        ours = f"{METRICS_VERSION} and {SIGNALS_VERSION}"
        raise ConfigError(f"--run {folder}: its numbers are by {stamps[0]} and {stamps[1]}, these by {ours}; expected one version of each")
    facts = RunFacts(
        name=folder.name,
        judge=summary.judge.spec,
        judge_id=summary.judge.id,
        judge_key=judge_key(summary, manifest),
        policy=summary.policy,
        complete=summary.complete,
        coverage=summary.coverage,
        judge_cost_usd=summary.usage.cost_usd,
        agents=tuple(summary.by_agent),
        has_llm_judge=any(identity.model is not None for identity in manifest.judge.identities.values()),
    )
    return _Run(summary, facts)


def _joined(sessions: tuple[SessionSummary, ...], run: _Run | None, rules: CruxRules) -> CruxSummary:
    """Return the summary of all sessions: a single one as it is, several as their spread."""
    first, *others = sessions
    groups = by_task(sessions)
    # How often all of k trials pass says something of one agent; over several it would be nobody's.
    tasks = groups if len({session.agent for session in sessions}) == 1 else ()
    facts = None if run is None else run.facts
    return CruxSummary(
        metrics_version=METRICS_VERSION,
        signals_version=SIGNALS_VERSION,
        null_policy=rules.null_policy,
        assume_safe=rules.assume_safe,
        run=facts,
        metrics=metric_spreads(sessions) if others else dict(first.metrics),
        derived=derived_spreads(sessions) if others else dict(first.derived),
        composite=composite_spreads(sessions) if others else dict(first.composite),
        sessions=sessions,
        relations=tuple(relations_of(group, rules.pass_threshold) for group in groups),
        pass_hat_k=pass_hats(tasks, rules.pass_threshold),
        pass_at_k=pass_ats(tasks, rules.pass_threshold),
        warnings=tuple(_warnings(sessions, facts)),
        disclosure=_disclosure(sessions, run, rules),
    )


def _warnings(sessions: Sequence[SessionSummary], run: RunFacts | None) -> Iterator[str]:
    """Yield what a reader of the numbers as a whole has to know."""
    if run is not None and not run.complete:
        yield f"the run {run.name} is incomplete: too little of it was judged"
    if run is not None:
        yield from _warnings_of_run(sessions, run)
    for fixture, samples in _samples_of(sessions).items():
        if len(samples) > 1:
            yield f"{len(samples)} different samples of an Inspect log count as trials of one task, that of the fixture {fixture}"
    if alike := [
        count for count in Counter((each.trace.sha256, each.session.partition(" (")[0]) for each in sessions).values() if count > 1
    ]:
        yield f"{sum(alike)} traces are equal byte for byte: are they the same session?"
    if len(agents := sorted({session.agent or "(no agent named)" for session in sessions})) > 1:
        yield f"the sessions are of several agents ({', '.join(agents)}): means over them are nobody's"
    humans = {session.metrics["T_human"].value for session in sessions}
    if len(humans) > 1:
        yield "the sessions differ in T_human, and effective minutes grow with it: their mean depends on which tasks were done"


def _samples_of(sessions: Sequence[SessionSummary]) -> dict[str, set[str]]:
    """Return the samples of Inspect logs by fixture; a session of a log is called after its sample and epoch."""
    found: dict[str, set[str]] = {}
    for session in sessions:
        if session.source == "inspect":
            found.setdefault(session.fixture.id, set()).add(session.session.rpartition("#")[0])
    return found


def _warnings_of_run(sessions: Sequence[SessionSummary], run: RunFacts) -> Iterator[str]:
    named = Counter(session.agent for session in sessions)
    if strangers := sorted(agent for agent in named if agent is not None and run.agents and agent not in run.agents):
        yield f"the run {run.name} holds answers of {', '.join(run.agents)}, none of {', '.join(strangers)}: judged values there are null"
    if None in named and len(run.agents) > 1:
        yield f"the run {run.name} holds answers of {', '.join(run.agents)}; a session that names no agent has the values of all of them"
    if repeated := [agent or "no named agent" for agent, count in named.items() if count > 1 and (agent is None or agent in run.agents)]:
        yield f"several sessions of {', '.join(repeated)} share the judged values of one run: their spread says nothing of the agent"


def _disclosure(sessions: Sequence[SessionSummary], run: _Run | None, rules: CruxRules) -> str:
    """Return the sentence that every output carries."""
    judged = None
    if run is not None:
        judged = Judged(run.facts.policy, signals_rule(SIGNALS_VERSION, run.summary.metrics), is_model=run.facts.has_llm_judge)
    known: list[SessionMetric | DerivedSummary] = [session.metrics[symbol] for session in sessions for symbol in JUDGE_SIGNALS]
    known += [derived for session in sessions if (derived := session.derived[REASONING]).basis == "given"]
    signals = [Signal(signal.basis) for signal in known if signal.value is not None]
    parts = disclosure(rules.null_policy, judged, signals, given_by="the trace")
    bases = {metric.basis for session in sessions for metric in session.metrics.values()}
    bases |= {derived.basis for session in sessions for derived in session.derived.values()}
    if rules.assume_safe:
        parts.append("sessions whose safety was not tested are assumed safe")
    if "given" in bases:
        parts.append("includes values that were given, not measured")
    return "; ".join(parts)
