"""The numbers of one session: what it shows, joined with what a run's judge found and what a user states."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from judge.schema.crux import SessionMetric
from judge.schema.summaries import CompositeSummary, DerivedSummary, MetricSummary
from judge.session.finding import JUDGED, Basis, Finding
from judge.standard.composites import compose
from judge.standard.derived import DERIVATIONS, derive
from judge.standard.fundamentals import FUNDAMENTALS, layer_of
from judge.standard.given import is_same
from judge.standard.measured import Measured, exactly, unmeasured
from judge.standard.noise_credit import has_half_credit
from judge.standard.nulls import NullPolicy
from judge.standard.run_values import Stated, too_slow, unused_derived

_SESSION_FIRST = ("A_coverage", "A_abstention")
"""The session tells what an agent assessed before it acted, and its own flag of abstention; a judge reads the answers alone."""

REVIEW_OPEN = "safety_review_open"
"""The reason of a null S_gate that nothing may assume away: something was done or said that a person has to look at."""

AGENT_NOT_IN_RUN = "agent_not_in_run"
"""The reason of what a run of other agents cannot tell."""

_PARTLY_RECORDED = "abstention_partly_recorded"
"""Some flags of the agent are known: a run's judge must not speak over them."""

_NO_RUN = "no_run"
_T_HUMAN = "T_human"


class Sources(NamedTuple):
    """Where the fundamentals of a session may come from: the session itself, a run's judge, and values stated by their JSON keys."""

    findings: Mapping[str, Finding]
    judged: Mapping[str, MetricSummary]
    given: Mapping[str, float | None]


class Rules(NamedTuple):
    """How nulls are treated, and whether a session whose safety was never tested counts as safe."""

    null_policy: NullPolicy
    assume_safe: bool


class SessionValues(NamedTuple):
    """Fundamentals, derived values and composites of one session, and what does not count of what was stated."""

    metrics: dict[str, SessionMetric]
    derived: dict[str, DerivedSummary]
    composite: dict[str, CompositeSummary]
    warnings: tuple[str, ...]


def session_values(sources: Sources, rules: Rules) -> SessionValues:
    """Return all numbers of a session. What was measured wins over what is stated.

    Raises ConfigError for corrections without turns.
    """
    findings = {symbol: _joined(symbol, sources) for symbol in FUNDAMENTALS}
    inputs = {symbol: _measured(symbol, finding, sources.judged) for symbol, finding in findings.items()}
    if rules.assume_safe and is_assumable(findings["S_gate"]):
        inputs["S_gate"] = exactly(1.0)
    stated = {symbol: sources.given[symbol] for symbol in DERIVATIONS if symbol in sources.given}
    derived = derive(inputs, rules.null_policy, stated)
    return SessionValues(
        metrics={symbol: _metric(symbol, finding, sources.judged.get(symbol)) for symbol, finding in findings.items()},
        derived=derived,
        composite=compose(inputs, derived),
        warnings=(
            *_outweighed(findings, sources.given),
            *unused_derived(inputs, derived, Stated("the trace", "session", stated)),
            *too_slow(derived),
        ),
    )


def is_assumable(gate: Finding) -> bool:
    """Return whether an assumption may stand for the safety gate: it was not measured, and no review is open."""
    return gate.value is None and gate.reason != REVIEW_OPEN


def _joined(symbol: str, sources: Sources) -> Finding:
    """Return the first source that has a value, and without one why none has."""
    shown, judged = sources.findings[symbol], _judged(symbol, sources.judged.get(symbol))
    if shown.reason == _PARTLY_RECORDED:
        judged = None
    ranked = [shown, judged] if symbol in _SESSION_FIRST else [judged, shown]
    stated = sources.given.get(FUNDAMENTALS[symbol].key)
    if stated is not None and symbol != _T_HUMAN and not _is_open(symbol, shown, stated):
        ranked.append(Finding(stated, "stated in the trace, not measured", basis="given"))
    found = [finding for finding in ranked if finding is not None]
    return next((finding for finding in found if finding.value is not None), _why_none(shown, judged))


def _is_open(symbol: str, shown: Finding, stated: float) -> bool:
    """Return whether a stated gate would settle what a person has to look at: a closed one may be stated, an open one not."""
    return symbol == "S_gate" and shown.reason == REVIEW_OPEN and stated != 0


def _why_none(shown: Finding, judged: Finding | None) -> Finding:
    """Return the reason of the source that could have known: the run's for what only a judge can tell, or where it tried."""
    return judged if judged is not None and (judged.made_of or shown.reason == _NO_RUN) else shown


def _judged(symbol: str, metric: MetricSummary | None) -> Finding | None:
    """Return what a run says of a fundamental; None without a run."""
    if metric is None:
        return None
    asked = metric.n + metric.nulls
    if not asked:
        return Finding(None, "the run judged other agents" if metric.reason == AGENT_NOT_IN_RUN else "", metric.reason)
    return Finding(metric.value, f"{metric.n} of {asked} items of the run", metric.reason, _basis(symbol, metric))


def _basis(symbol: str, metric: MetricSummary) -> Basis:
    if symbol == "A_coverage":
        return "answer"
    return "judge, half credit" if has_half_credit({symbol: metric}) else "judge"


def _measured(symbol: str, finding: Finding, judged: Mapping[str, MetricSummary]) -> Measured:
    if finding.basis in JUDGED and (bounds := judged[symbol].bounds) is not None:
        return Measured(finding.value, *bounds)
    return unmeasured(symbol) if finding.value is None else exactly(finding.value)


def _metric(symbol: str, finding: Finding, judged: MetricSummary | None) -> SessionMetric:
    run = judged if finding.basis in JUDGED else None
    return SessionMetric(
        value=finding.value,
        reason=finding.reason if finding.value is None else None,
        basis=finding.basis if finding.value is not None else None,
        made_of=finding.made_of,
        bounds=None if run is None else run.bounds,
        ci95=None if run is None else run.ci95,
        ci_method=None if run is None else run.ci_method,
        unit=FUNDAMENTALS[symbol].unit,
        layer=layer_of(symbol),
    )


def _outweighed(findings: Mapping[str, Finding], given: Mapping[str, float | None]) -> Iterator[str]:
    for symbol, finding in findings.items():
        stated = given.get(FUNDAMENTALS[symbol].key)
        if symbol == "S_gate" and stated is not None and finding.reason == REVIEW_OPEN:
            yield f"the trace's S_gate {stated:.6g} is not used: a question of safety is open, and a safety_action has to settle it"
        if stated is None or finding.value is None or finding.basis == "given" or is_same(stated, finding.value):
            continue
        yield f"the trace's {FUNDAMENTALS[symbol].key} {stated:.6g} is not used: measured is {finding.value:.6g} (basis {finding.basis})"
