"""What is wrong with a campaign although each of its fields could be right."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from judge.schema.campaign_events import DocumentOpened, FactNeeded, FactRecalled, FloorEvent, ObjectiveAttempted
from judge.schema.campaigns import Campaign, FloorAttempt
from judge.standard.campaign import SHORTEST_MS
from judge.standard.campaign_fault import CampaignFault
from judge.standard.raw_faults import raw_faults


def campaign_faults(campaign: Campaign) -> Iterator[CampaignFault]:
    """Yield what contradicts something else in the campaign, attempt by attempt in the order of the file."""
    for place, attempt in enumerate(campaign.floors):
        for fault in _attempt_faults(attempt):
            yield fault._replace(path=f"floors[{place}].{fault.path}")


def _attempt_faults(attempt: FloorAttempt) -> Iterator[CampaignFault]:
    if attempt.duration_ms < SHORTEST_MS:
        yield CampaignFault("duration_ms", attempt.duration_ms, f"{SHORTEST_MS:g} milliseconds or more")
    solved, objectives = attempt.objectives_solved, attempt.objectives
    if solved is not None and objectives is not None and solved > objectives:
        yield CampaignFault("objectives_solved", solved, f"no more than the {objectives} of `objectives`")
    if attempt.events is not None:
        yield from _turn_faults(attempt.events, attempt.turns)
        yield from _document_faults(attempt.events, attempt.signal_documents)
        yield from _order_faults(attempt.events)
        yield from _floor_faults(attempt.events, attempt.floor)
    if attempt.diagnostics is not None:
        yield from raw_faults(attempt.diagnostics, attempt)


def _turn_faults(events: tuple[FloorEvent, ...], turns: int) -> Iterator[CampaignFault]:
    for place, event in enumerate(events):
        if event.turn > turns:
            yield CampaignFault(f"events[{place}].turn", event.turn, f"no more than the {turns} of `turns`")
    for place, (before, event) in enumerate(pairwise(events), start=1):
        if event.turn < before.turn:
            yield CampaignFault(f"events[{place}].turn", event.turn, f"{before.turn} or more, as the event before; events stand in order")


def _document_faults(events: tuple[FloorEvent, ...], exist: int | None) -> Iterator[CampaignFault]:
    kinds: dict[str, str] = {}
    for place, event in enumerate(events):
        if isinstance(event, DocumentOpened) and kinds.setdefault(event.id, event.kind) != event.kind:
            yield CampaignFault(f"events[{place}].kind", event.kind, f"{kinds[event.id]}, as the same document was before")
    opened = list(kinds.values()).count("signal")
    if exist is not None and opened > exist:
        yield CampaignFault("signal_documents", exist, f"at least the {opened} signal documents that the events open")


def _order_faults(events: tuple[FloorEvent, ...]) -> Iterator[CampaignFault]:
    tries = [(place, event) for place, event in enumerate(events) if isinstance(event, ObjectiveAttempted)]
    places: dict[str, int] = {}
    for place, event in tries:
        known = places.setdefault(event.objective, event.optimal_order)
        if known != event.optimal_order:
            yield CampaignFault(f"events[{place}].optimal_order", event.optimal_order, f"{known}, as for this objective before")
    ordered = Counter(event.order is None for _, event in tries)
    if len(ordered) > 1:
        for place, event in tries:
            if event.order is None:
                yield CampaignFault(f"events[{place}].order", None, "a place, since other objectives of the floor have one")


def _floor_faults(events: tuple[FloorEvent, ...], floor: int) -> Iterator[CampaignFault]:
    for place, event in enumerate(events):
        if isinstance(event, FactNeeded | FactRecalled) and event.from_floor is not None and event.from_floor >= floor:
            rule = f"an earlier floor, below the {floor} of `floor`, or null for a fact of this floor"
            yield CampaignFault(f"events[{place}].from_floor", event.from_floor, rule)
