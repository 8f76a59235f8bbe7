"""Sub-metrics of an attempt at a floor from its events, and from its own fields; those of memory stand apart."""

from collections.abc import Sequence

from judge.schema.campaign_events import (
    CodeChallenge,
    ConclusionStated,
    DocumentOpened,
    ElevatorKeyDerived,
    FactStored,
    FalseLeadFollowed,
    FalseLeadMet,
    FindingMade,
    FloorEvent,
    FloorToolCall,
    HypothesisStated,
    ObjectiveAttempted,
    Search,
)
from judge.schema.campaigns import FloorAttempt
from judge.standard.ordering import ordering_score
from judge.standard.queries import refinements, unique_queries
from judge.standard.sub_metrics import Reading, ratio

Events = Sequence[FloorEvent]

_BUSY = (FloorToolCall, Search, DocumentOpened, CodeChallenge, FactStored, FindingMade, ConclusionStated, ElevatorKeyDerived)
"""What keeps a turn from being idle: to search, to open a document, to try a code and to store a fact are tool calls; a conclusion
and the elevator key are findings."""


def retrieval_readings(events: Events, attempt: FloorAttempt) -> dict[str, Reading]:
    """Return triage, recall, searches and the first signal; documents count once however often they are opened."""
    opened = [event for event in events if isinstance(event, DocumentOpened)]
    signal = {event.id for event in opened if event.kind == "signal"}
    queries = [event.query for event in events if isinstance(event, Search)]
    return {
        "triage_precision": ratio(len(signal), len({event.id for event in opened}), "documents opened are signal", "no_document_opened"),
        "recall": _recall(len(signal), attempt.signal_documents),
        "search_efficiency": ratio(unique_queries(queries), len(queries), "queries are unique", "no_search"),
        "query_refinement_rate": ratio(
            refinements(queries),
            max(len(queries) - 1, 0),
            "later searches refine the query before",
            "one_search" if queries else "no_search",
        ),
        **first_signal(min((event.turn for event in opened if event.kind == "signal"), default=None), attempt.turns),
    }


def _recall(found: int, exist: int | None) -> Reading:
    if exist is None:
        return Reading(None, f"opened: {found}; signal_documents: not recorded", "not_recorded", "events")
    return ratio(found, exist, "signal documents opened", "no_signal_document")


def first_signal(turn: int | None, turns: int) -> dict[str, Reading]:
    """Return the turn in which the first signal document was opened, and its share of all turns; null if it never was."""
    if turn is None:
        never = Reading(None, "no signal document was opened", "no_signal_opened", "events")
        return {"time_to_first_signal": never, "first_signal_share": never}
    return {
        "time_to_first_signal": Reading(float(turn), f"turn {turn}", None, "events"),
        "first_signal_share": ratio(turn, turns, "turns until the first signal document", "not_recorded"),
    }


def reasoning_readings(events: Events) -> dict[str, Reading]:
    """Return conclusions, false leads and hypotheses; false leads count once each."""
    conclusions = [event for event in events if isinstance(event, ConclusionStated)]
    followed = {event.id for event in events if isinstance(event, FalseLeadFollowed)}
    met = followed | {event.id for event in events if isinstance(event, FalseLeadMet)}
    return {
        "deduction_accuracy": ratio(
            sum(event.correct for event in conclusions), len(conclusions), "conclusions are correct", "no_conclusion"
        ),
        "false_lead_resistance": ratio(len(met - followed), len(met), "false leads met were not followed", "no_false_lead"),
        "synthesis_events": _count(sum(len(set(event.documents)) > 1 for event in conclusions), "conclusions citing two or more documents"),
        "hypothesis_formation": _count(sum(isinstance(event, HypothesisStated) for event in events), "hypotheses stated"),
    }


def _count(number: int, words: str) -> Reading:
    return Reading(float(number), f"{words}: {number}", None, "events")


def solving_readings(events: Events) -> dict[str, Reading]:
    """Return the order of the objectives, the code challenges and the elevator key."""
    tries = [event for event in events if isinstance(event, CodeChallenge)]
    # A challenge without a name stands alone: its place among the tries is its name.
    names = [event.id if event.id is not None else place for place, event in enumerate(tries)]
    passed = {name for name, event in zip(names, tries, strict=True) if event.passed}
    key = min((event.turn for event in events if isinstance(event, ElevatorKeyDerived)), default=None)
    return {
        "dependency_aware_ordering": _ordering(events),
        "code_challenge_pass_rate": ratio(len(passed), len(set(names)), "code challenges passed", "no_code_challenge"),
        **elevator_key(key),
    }


def elevator_key(turn: int | None) -> dict[str, Reading]:
    """Return 1 and the turn for a key that was derived, 0 and no turn for one that was not."""
    if turn is None:
        return {
            "elevator_key_derivation": Reading(0.0, "the key was not derived", None, "events"),
            "elevator_key_turns": Reading(None, "the key was not derived", "key_not_derived", "events"),
        }
    return {
        "elevator_key_derivation": Reading(1.0, "the key was derived", None, "events"),
        "elevator_key_turns": Reading(float(turn), f"turn {turn}", None, "events"),
    }


def _ordering(events: Events) -> Reading:
    first: dict[str, ObjectiveAttempted] = {}
    for event in events:
        if isinstance(event, ObjectiveAttempted):
            first.setdefault(event.objective, event)
    if not first:
        return Reading(None, "no objective was attempted", "no_objective_attempted", "events")
    order = [place if event.order is None else event.order for place, event in enumerate(first.values(), start=1)]
    score = ordering_score(order, [event.optimal_order for event in first.values()])
    shown = f"objectives in order: {len(first)}"
    if score is None:
        return Reading(None, f"{shown}, all tied", "all_tied", "events")
    return Reading(score, shown, None, "events")


def efficiency_readings(events: Events, attempt: FloorAttempt) -> dict[str, Reading]:
    """Return idle turns and tool calls; only a `tool_call` says whether it succeeded, so no other event enters their rate."""
    busy = busy_turns(events)
    calls = [event for event in events if isinstance(event, FloorToolCall)]
    return {
        "idle_turn_ratio": ratio(attempt.turns - len(busy), attempt.turns, "turns without call or finding", "not_recorded"),
        "tool_call_success_rate": ratio(sum(call.ok for call in calls), len(calls), "tool calls succeeded", "no_tool_call"),
    }


def busy_turns(events: Events) -> set[int]:
    """Return the turns with a tool call or a finding; all other turns are idle."""
    return {event.turn for event in events if isinstance(event, _BUSY)}


def spent_readings(attempt: FloorAttempt) -> dict[str, Reading]:
    """Return turns and tokens per objective solved, from the fields of the attempt."""
    return {
        "turns_per_objective": _per_objective(attempt.turns, "turns", attempt.objectives_solved),
        "tokens_per_objective": _per_objective(attempt.tokens, "tokens", attempt.objectives_solved),
    }


def _per_objective(spent: int | None, unit: str, solved: int | None) -> Reading:
    if spent is None or solved is None:
        return Reading(None, f"{unit if spent is None else 'objectives_solved'} not recorded", "not_recorded", "attempt")
    made_of = f"{unit}: {spent} / objectives solved: {solved}"
    return Reading(spent / solved, made_of, None, "attempt") if solved else Reading(None, made_of, "no_objective_solved", "attempt")
