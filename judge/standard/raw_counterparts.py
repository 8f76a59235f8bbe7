"""Published raw values beside what is computed here: sub-metrics, and what the events count."""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from judge.schema.campaign_events import (
    CodeChallenge,
    DocumentOpened,
    FactRecalled,
    FactStored,
    FalseLeadFollowed,
    FalseLeadMet,
    FloorEvent,
    Search,
    Wipe,
    WipeMentioned,
)
from judge.schema.campaign_scorecards import AttemptScore
from judge.schema.campaign_values import RawDiagnostics
from judge.schema.campaigns import FloorAttempt
from judge.standard.floor_readings import busy_turns
from judge.standard.memory_readings import facts_of_earlier_floors
from judge.standard.queries import unique_queries

Events = Sequence[FloorEvent]


class Counterpart(NamedTuple):
    """A published raw value and ours, under the name of the sub-metric, else of the raw field; without ours the reason."""

    what: str
    published: float | None
    ours: float | None
    reason: str | None


_COMPUTED = {
    ("retrieval", "document_triage_precision"): "triage_precision",
    ("reasoning", "false_lead_resistance"): "false_lead_resistance",
    ("efficiency", "avg_turns_per_objective"): "turns_per_objective",
    ("efficiency", "avg_tokens_per_objective"): "tokens_per_objective",
}
"""Raw values of which ours are computed from counts or from the attempt in any case, by group and field."""

_TAKEN = {
    ("retrieval", "query_refinement_rate"): "query_refinement_rate",
    ("retrieval", "time_to_first_signal_turn"): "time_to_first_signal",
    ("reasoning", "hypotheses_formed"): "hypothesis_formation",
    ("reasoning", "deduction_accuracy"): "deduction_accuracy",
    ("reasoning", "synthesis_events"): "synthesis_events",
    ("problem_solving", "ordering_score"): "dependency_aware_ordering",
    ("problem_solving", "elevator_key_derivation_turns"): "elevator_key_turns",
    ("memory", "recovery_rate"): "recovery_rate",
    ("memory", "pre_wipe_preparation_score"): "pre_wipe_preparation",
}
"""Raw values that are taken over where there are no events, and compared where there are."""


def counterparts(given: FloorAttempt, ours: AttemptScore) -> Iterator[Counterpart]:
    """Yield every raw value of an attempt of which there is one of ours made of something else; without events those are few."""
    if given.diagnostics is None:
        return
    pairs = _COMPUTED if given.events is None else _COMPUTED | _TAKEN
    for (group, field), metric in pairs.items():
        found = ours.dimensions[group].sub_metrics[metric]
        yield Counterpart(metric, _published(given.diagnostics, group, field), found.value, found.reason)
    if given.events is not None:
        for group, counts in _counts(given.events, given).items():
            for field, count in counts.items():
                yield Counterpart(field, _published(given.diagnostics, group, field), *_with_reason(count))


def _published(raw: RawDiagnostics, group: str, field: str) -> float | None:
    """Return a raw value as a number, true as 1 and false as 0."""
    value: float | bool | None = getattr(getattr(raw, group), field)
    return None if value is None else float(value)


def _with_reason(count: float | None) -> tuple[float | None, str | None]:
    return (None, "did_not_happen") if count is None else (float(count), None)


def _counts(events: Events, attempt: FloorAttempt) -> dict[str, dict[str, float | None]]:
    """Return what the events count, by group and field of the raw values; None for a turn of what did not happen."""
    return {
        "retrieval": _retrieval(events),
        "reasoning": _reasoning(events),
        "problem_solving": _solving(events),
        "efficiency": {"idle_turns": attempt.turns - len(busy_turns(events))},
        "memory": _memory(events, attempt.floor),
    }


def _retrieval(events: Events) -> dict[str, float | None]:
    opened = {event.id: event.kind for event in events if isinstance(event, DocumentOpened)}
    queries = [event.query for event in events if isinstance(event, Search)]
    return {
        "signal_docs_found": list(opened.values()).count("signal"),
        "noise_docs_accessed": list(opened.values()).count("noise"),
        "search_count": len(queries),
        "unique_queries": unique_queries(queries),
    }


def _reasoning(events: Events) -> dict[str, float | None]:
    followed = {event.id for event in events if isinstance(event, FalseLeadFollowed)}
    met = followed | {event.id for event in events if isinstance(event, FalseLeadMet)}
    return {"false_leads_met": len(met), "false_leads_followed": len(followed)}


def _solving(events: Events) -> dict[str, float | None]:
    """Return whether a code was tried, and whether a try passed; the raw values know of one challenge only."""
    tries = [event.passed for event in events if isinstance(event, CodeChallenge)]
    return {"code_attempted": bool(tries), "code_passed": any(tries) if tries else None}


def _memory(events: Events, floor: int) -> dict[str, float | None]:
    before = list(takewhile(lambda event: not isinstance(event, Wipe), events))
    after = events[len(before) :]
    recalled = {event.id for event in events if isinstance(event, FactRecalled)}
    mentioned = next((event.turn for event in after if isinstance(event, WipeMentioned)), None)
    return {
        "wipe_occurred": bool(after),
        "wipe_turn": after[0].turn if after else None,
        "pre_wipe_memory_stores": len({event.id for event in before if isinstance(event, FactStored)}),
        "cross_floor_recalls": len(recalled & facts_of_earlier_floors(events, floor)),
        "wipe_detected": mentioned is not None,
        "wipe_detected_turn": mentioned,
    }
