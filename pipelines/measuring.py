"""The flow of `judge crux`: recorded sessions in, their numbers by the standard out."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from judge.errors import ConfigError
from judge.schema.crux import CruxSummary, FixtureFacts, MissedKey, RunFacts, SessionSummary
from judge.schema.manifests import FileFacts
from judge.schema.prices import PriceMap
from judge.schema.summaries import MetricSummary, Summary
from judge.session.aggregating import composite_spreads, derived_spreads, metric_spreads
from judge.session.faults import session_faults
from judge.session.joining import Rules, Sources, session_values
from judge.session.measuring import measure
from judge.session.missed import missed
from judge.session.relations import by_fixture, pass_ats, pass_hats, relations_of
from judge.session.safety import safety_was_tested
from judge.standard.noise_credit import signals_rule
from judge.standard.nulls import NullPolicy
from pipelines.entries import judge_key
from pipelines.files import read_manifest, read_summary
from pipelines.pricing import cost_of, read_prices
from pipelines.sessions.fixtures import FixtureFile, read_fixture, resolve_fixture
from pipelines.sessions.trace_file import TraceFile
from pipelines.sessions.traces import read_traces
from pipelines.summarising import METRICS_VERSION, SIGNALS_VERSION


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
    sessions = tuple(_sessions(files))
    run = None if files.run is None else _read_run(files.run)
    prices = None if files.prices is None else read_prices(files.prices)
    setting = _Setting(rules, run, prices)
    found = tuple(_summary(trace, fixture, setting) for trace, fixture in sessions)
    return _joined(found, run, rules)


def _sessions(files: CruxFiles) -> Iterator[tuple[TraceFile, FixtureFile]]:
    """Yield each session with its fixture. Raises ConfigError naming what does not fit of all of them."""
    given = None if files.fixture is None else read_fixture(files.fixture)
    traces = [trace for path in files.traces for trace in read_traces(path)]
    pairs = [(trace, resolve_fixture(trace, given)) for trace in traces]
    faults = [f"{trace.name}: {fault}" for trace, fixture in pairs for fault in session_faults(fixture.fixture, trace.trace)]
    seen: dict[tuple[str, str], str] = {}
    for trace, fixture in pairs:
        key = (fixture.sha256, trace.trace.id)
        if key in seen:
            faults.append(f"{trace.name}: the session `{trace.trace.id}` is also in {seen[key]}; expected one trace a session")
        seen[key] = trace.name
    if faults:
        raise ConfigError("\n".join(faults))
    yield from pairs


def _summary(trace_file: TraceFile, fixture_file: FixtureFile, setting: _Setting) -> SessionSummary:
    rules, trace, fixture = setting.rules, trace_file.trace, fixture_file.fixture
    findings = measure(fixture, trace, cost_of(trace, setting.prices))
    judged = {} if setting.run is None else _judged(setting.run.summary, trace.agent)
    try:
        values = session_values(Sources(findings, judged, trace.given), Rules(rules.null_policy, rules.assume_safe))
    except ConfigError as error:
        raise ConfigError(f"{trace_file.name}: session `{trace.id}`: {error}") from error
    return SessionSummary(
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
        warnings=(*trace_file.warnings, *values.warnings),
    )


def _judged(summary: Summary, agent: str | None) -> Mapping[str, MetricSummary]:
    """Return the metrics of the session's agent where the run holds answers of that one, else of the whole run."""
    own = None if agent is None else summary.by_agent.get(agent)
    return summary.metrics if own is None else own.metrics


def _read_run(folder: Path) -> _Run:
    summary, manifest = read_summary(folder), read_manifest(folder)
    facts = RunFacts(
        name=folder.name,
        judge=summary.judge.spec,
        judge_id=summary.judge.id,
        judge_key=judge_key(summary, manifest),
        policy=summary.policy,
        complete=summary.complete,
        agents=tuple(summary.by_agent),
        has_llm_judge=any(identity.model is not None for identity in manifest.judge.identities.values()),
    )
    return _Run(summary, facts)


def _joined(sessions: tuple[SessionSummary, ...], run: _Run | None, rules: CruxRules) -> CruxSummary:
    """Return the summary of all sessions: a single one as it is, several as their spread."""
    first, *others = sessions
    groups = by_fixture(sessions)
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
        pass_hat_k=pass_hats(groups, rules.pass_threshold),
        pass_at_k=pass_ats(groups, rules.pass_threshold),
        warnings=tuple(_warnings(sessions, facts)),
        disclosure=_disclosure(sessions, run, rules),
    )


def _warnings(sessions: Sequence[SessionSummary], run: RunFacts | None) -> Iterator[str]:
    """Yield what a reader of the numbers as a whole has to know."""
    if run is not None and not run.complete:
        yield f"the run {run.name} is incomplete: too little of it was judged"
    if run is not None and len(run.agents) > 1:
        strangers = sorted({session.agent or "(no agent named)" for session in sessions} - set(run.agents))
        if strangers:
            yield (
                f"the run {run.name} holds answers of {', '.join(run.agents)}, none of {', '.join(strangers)}: "
                "judged values there are those of the whole run"
            )
    humans = {session.metrics["T_human"].value for session in sessions}
    if len(humans) > 1:
        yield "the sessions differ in T_human, and effective minutes grow with it: their mean depends on which tasks were done"


def _disclosure(sessions: Sequence[SessionSummary], run: _Run | None, rules: CruxRules) -> str:
    """Return the sentence that every output carries."""
    bases = {metric.basis for session in sessions for metric in session.metrics.values()}
    bases |= {derived.basis for session in sessions for derived in session.derived.values()}
    parts = [f"metrics_version {METRICS_VERSION}", f"null policy {rules.null_policy}"]
    if run is None:
        parts.append("no judge: what only a judge can tell is null")
    else:
        signals = signals_rule(SIGNALS_VERSION, run.summary.metrics)
        parts += [f"label policy {run.facts.policy}", f"judge signals by {signals}, this project's own definition"]
        parts.append(
            "includes an LLM judge signal" if run.facts.has_llm_judge else "judged by an offline word-overlap baseline, not by an LLM"
        )
        parts += ["not fully objective", "rates are not corrected for judge error"]
    if rules.assume_safe:
        parts.append("sessions whose safety was not tested are assumed safe")
    if "given" in bases:
        parts.append("includes values that were given, not measured")
    return "; ".join(parts)
