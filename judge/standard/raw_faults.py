"""What in the raw values of an attempt contradicts the attempt, or another raw value."""

from collections.abc import Iterator

from judge.schema.campaign_values import RawDiagnostics, RawMemory
from judge.schema.campaigns import FloorAttempt
from judge.standard.campaign_fault import CampaignFault


def raw_faults(raw: RawDiagnostics, attempt: FloorAttempt) -> Iterator[CampaignFault]:
    """Yield the faults with paths from the attempt on: counts against the attempt, counts against each other, what never happened."""
    for path, found, rule in (*_against_attempt(raw, attempt), *_above_limits(raw, attempt.turns), *_without_cause(raw)):
        yield CampaignFault(f"diagnostics.{path}", found, rule)


_Faults = Iterator[tuple[str, object, str]]


def _against_attempt(raw: RawDiagnostics, attempt: FloorAttempt) -> _Faults:
    pairs = (
        ("efficiency.totalTurns", raw.efficiency.total_turns, attempt.turns, "turns"),
        ("retrieval.signalDocsTotal", raw.retrieval.signal_docs_total, attempt.signal_documents, "signal_documents"),
    )
    for path, found, stated, name in pairs:
        if found is not None and stated is not None and found != stated:
            yield path, found, f"the {stated} of `{name}`"


def _above_limits(raw: RawDiagnostics, turns: int) -> _Faults:
    retrieval, reasoning, memory = raw.retrieval, raw.reasoning, raw.memory
    limits = (
        ("retrieval.signalDocsFound", retrieval.signal_docs_found, retrieval.signal_docs_total, "signalDocsTotal"),
        ("retrieval.uniqueQueries", retrieval.unique_queries, retrieval.search_count, "searchCount"),
        ("retrieval.timeToFirstSignalTurn", retrieval.time_to_first_signal_turn, turns, "turns"),
        ("reasoning.falseLeadsFollowed", reasoning.false_leads_followed, reasoning.false_leads_met, "falseLeadsMet"),
        ("problemSolving.elevatorKeyDerivationTurns", raw.problem_solving.elevator_key_derivation_turns, turns, "turns"),
        ("efficiency.idleTurns", raw.efficiency.idle_turns, turns, "turns"),
        ("memory.wipeTurn", memory.wipe_turn, turns, "turns"),
        ("memory.wipeTurn", memory.wipe_turn, memory.wipe_detected_turn, "wipeDetectedTurn"),
        ("memory.wipeDetectedTurn", memory.wipe_detected_turn, turns, "turns"),
    )
    for path, found, most, name in limits:
        if found is not None and most is not None and found > most:
            yield path, found, f"no more than the {most} of `{name}`"


def _without_cause(raw: RawDiagnostics) -> _Faults:
    """Yield what cannot be, since what it rests on did not happen. A 0 or false over nothing is how publishers write nothing."""
    first, solving = raw.retrieval.time_to_first_signal_turn, raw.problem_solving
    if raw.retrieval.signal_docs_found == 0 and first is not None:
        yield "retrieval.timeToFirstSignalTurn", first, "null, since `signalDocsFound` is 0"
    if solving.code_attempted is False and solving.code_passed:
        yield "problemSolving.codePassed", True, "false or null, since `codeAttempted` is false"
    yield from _without_wipe(raw.memory)
    if raw.memory.wipe_detected is False and raw.memory.wipe_occurred is not False and raw.memory.wipe_detected_turn is not None:
        yield "memory.wipeDetectedTurn", raw.memory.wipe_detected_turn, "null, since `wipeDetected` is false"


def _without_wipe(memory: RawMemory) -> _Faults:
    if memory.wipe_occurred is not False:
        return
    for path, found in (("wipeTurn", memory.wipe_turn), ("wipeDetectedTurn", memory.wipe_detected_turn)):
        if found is not None:
            yield f"memory.{path}", found, "null, since `wipeOccurred` is false"
    if memory.recovery_rate:
        yield "memory.recoveryRate", memory.recovery_rate, "0 or null, since `wipeOccurred` is false"
    if memory.wipe_detected:
        yield "memory.wipeDetected", True, "false or null, since `wipeOccurred` is false"
