"""From a fixture and a trace to every fundamental of the standard."""

from collections.abc import Callable, Mapping

from judge.schema.fixtures import Fixture
from judge.schema.traces import Trace
from judge.session.answers import constraint_recall, decision_recall, incident_recall
from judge.session.awareness import abstention, coverage_awareness
from judge.session.causes import causal_integrity
from judge.session.context import context_precision, retrieval_recall
from judge.session.continuity import decision_preservation
from judge.session.economy import corrections, tool_calls, turns
from judge.session.finding import Finding
from judge.session.reasons import NullReason, unmeasured
from judge.session.safety import constraint_detection, safety_gate
from judge.session.snapshots import checkpoint_quality
from judge.session.staleness import staleness_awareness
from judge.session.times import human_time, orient_time, task_time
from judge.session.versions import supersession_accuracy, synthesis, temporal_accuracy
from judge.session.view import Session
from judge.standard.fundamentals import FUNDAMENTALS

_Measure = Callable[[Session], Finding]

_FROM_EVENTS: Mapping[str, _Measure] = {
    "T_orient": orient_time,
    "T_task": task_time,
    "P_context": context_precision,
    "A_coverage": coverage_awareness,
    "R_retrieval": retrieval_recall,
    "K_decision": decision_preservation,
    "K_causal": causal_integrity,
    "K_checkpoint": checkpoint_quality,
    "S_gate": safety_gate,
    "S_detect": constraint_detection,
    "S_stale": staleness_awareness,
    "N_tools": tool_calls,
    "N_turns": turns,
}

_FROM_ANY_RECORD: Mapping[str, _Measure] = {
    "T_human": human_time,
    "R_decision": decision_recall,
    "R_constraint": constraint_recall,
    "R_incident": incident_recall,
    "R_temporal": temporal_accuracy,
    "R_supersession": supersession_accuracy,
    "A_abstention": abstention,
    "K_synthesis": synthesis,
    "N_corrections": corrections,
}


def measure(fixture: Fixture, trace: Trace, cost: Finding) -> dict[str, Finding]:
    """Return all fundamentals by symbol in the order of the standard, each with what it was made of; `cost` is the priced C_tokens.

    A trace without events leaves null whatever needs them. What only a judge can tell is null here.
    """
    session = Session(fixture, trace)
    return {symbol: cost if symbol == "C_tokens" else _measured(symbol, session) for symbol in FUNDAMENTALS}


def _measured(symbol: str, session: Session) -> Finding:
    if symbol in _FROM_ANY_RECORD:
        return _FROM_ANY_RECORD[symbol](session)
    if symbol not in _FROM_EVENTS:
        return unmeasured(NullReason.NO_RUN)
    return _FROM_EVENTS[symbol](session) if session.trace.events else unmeasured(NullReason.NOTHING_RECORDED)
