"""Sub-metrics from the raw values of a published campaign, as far as these allow; the rest was not recorded."""

from judge.schema.campaign_values import RawDiagnostics, RawMemory, RawProblemSolving, RawReasoning, RawRetrieval
from judge.schema.campaigns import FloorAttempt
from judge.schema.diagnostics import NullReason
from judge.standard.sub_metrics import Reading, ratio


def raw_readings(raw: RawDiagnostics, attempt: FloorAttempt) -> dict[str, dict[str, Reading]]:
    """Return the readings by dimension. Counts are computed with; a rate that stands as such is taken and marked as given."""
    return {
        "retrieval": _retrieval(raw.retrieval, attempt),
        "reasoning": _reasoning(raw.reasoning),
        "problem_solving": _solving(raw.problem_solving),
        "efficiency": {
            "idle_turn_ratio": _counted(raw.efficiency.idle_turns, attempt.turns, "turns were idle", "not_recorded"),
            "tool_call_success_rate": _missing("tool calls"),
        },
        "memory": _memory(raw.memory),
    }


def _retrieval(raw: RawRetrieval, attempt: FloorAttempt) -> dict[str, Reading]:
    found, noise = raw.signal_docs_found, raw.noise_docs_accessed
    opened = None if found is None or noise is None else found + noise
    exist = raw.signal_docs_total if raw.signal_docs_total is not None else attempt.signal_documents
    return {
        "triage_precision": _given(raw.document_triage_precision, "documentTriagePrecision")
        if opened is None
        else _counted(found, opened, "documents opened are signal", "no_document_opened"),
        "recall": _counted(found, exist, "signal documents opened", "no_signal_document"),
        "search_efficiency": _counted(raw.unique_queries, raw.search_count, "queries are unique", "no_search"),
        "query_refinement_rate": _refinement(raw),
        **_first_signal(raw, attempt.turns),
    }


def _refinement(raw: RawRetrieval) -> Reading:
    if raw.search_count is not None and raw.search_count < 2:
        few: NullReason = "one_search" if raw.search_count else "no_search"
        return Reading(None, f"searchCount is {raw.search_count}", few, "raw")
    return _given(raw.query_refinement_rate, "queryRefinementRate")


def _first_signal(raw: RawRetrieval, turns: int) -> dict[str, Reading]:
    turn = raw.time_to_first_signal_turn
    if turn is not None:
        return {
            "time_to_first_signal": Reading(float(turn), f"turn {turn}", None, "raw"),
            "first_signal_share": ratio(turn, turns, "turns until the first signal document", "not_recorded", "raw"),
        }
    never = raw.signal_docs_found == 0
    missing = Reading(None, "no signal document was opened", "no_signal_opened", "raw") if never else _missing("timeToFirstSignalTurn")
    return {"time_to_first_signal": missing, "first_signal_share": missing}


def _reasoning(raw: RawReasoning) -> dict[str, Reading]:
    met, followed = raw.false_leads_met, raw.false_leads_followed
    resisted = None if met is None or followed is None else met - followed
    counted = _counted(resisted, met, "false leads met were not followed", "no_false_lead")
    return {
        "deduction_accuracy": _given(raw.deduction_accuracy, "deductionAccuracy"),
        "false_lead_resistance": counted if resisted is not None else _given(raw.false_lead_resistance, "falseLeadResistance"),
        "synthesis_events": _given(raw.synthesis_events, "synthesisEvents"),
        "hypothesis_formation": _given(raw.hypotheses_formed, "hypothesesFormed"),
    }


def _solving(raw: RawProblemSolving) -> dict[str, Reading]:
    turns = raw.elevator_key_derivation_turns
    # No number of turns says either that the key was not derived or that nobody looked, so it is no 0.
    derived = _missing("elevator key") if turns is None else Reading(1.0, "the key was derived", None, "raw")
    return {
        "dependency_aware_ordering": _given(raw.ordering_score, "orderingScore"),
        "code_challenge_pass_rate": _code(raw),
        "elevator_key_derivation": derived,
        "elevator_key_turns": _missing("elevator key") if turns is None else Reading(float(turns), f"turn {turns}", None, "raw"),
    }


def _code(raw: RawProblemSolving) -> Reading:
    if raw.code_attempted is False:
        return Reading(None, "codeAttempted is false", "no_code_challenge", "raw")
    if raw.code_passed is None:
        return _missing("codePassed")
    return Reading(float(raw.code_passed), f"codePassed is {'true' if raw.code_passed else 'false'}", None, "raw")


def _memory(raw: RawMemory) -> dict[str, Reading]:
    unharmed = Reading(None, "no wipe happened", "no_wipe", "raw")
    used = raw.cross_floor_recalls
    recalls = "facts of earlier floors" if used is None else f"used: {used}; needed"
    return {
        "pre_wipe_preparation": _given(raw.pre_wipe_preparation_score, "preWipePreparationScore"),
        "recovery_rate": unharmed if raw.wipe_occurred is False else _given(raw.recovery_rate, "recoveryRate"),
        "cross_floor_recall": _missing(recalls),
        "wipe_detection_speed": unharmed if raw.wipe_occurred is False else _detection(raw),
    }


def _detection(raw: RawMemory) -> Reading:
    if raw.wipe_detected is False:
        return Reading(None, "wipeDetected is false", "wipe_not_mentioned", "raw")
    if raw.wipe_turn is None or raw.wipe_detected_turn is None:
        return _missing("wipeTurn" if raw.wipe_turn is None else "wipeDetectedTurn")
    made_of = f"wiped in turn {raw.wipe_turn}, mentioned in turn {raw.wipe_detected_turn}"
    return Reading(float(raw.wipe_detected_turn - raw.wipe_turn), made_of, None, "raw")


def _counted(part: int | None, whole: int | None, words: str, empty: NullReason) -> Reading:
    if part is None or whole is None:
        return _missing(f"how many {words}")
    return ratio(part, whole, words, empty, "raw")


def _given(value: float | None, field: str) -> Reading:
    return _missing(field) if value is None else Reading(float(value), f"given as {field}", None, "given")


def _missing(what: str) -> Reading:
    return Reading(None, f"{what}: not recorded", "not_recorded", "raw")
