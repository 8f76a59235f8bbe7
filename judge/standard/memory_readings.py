"""Sub-metrics of memory from the events of an attempt at a floor: what was stored, wiped, needed and recalled."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from judge.schema.campaign_events import FactNeeded, FactRecalled, FactStored, FloorEvent, Wipe, WipeMentioned
from judge.standard.sub_metrics import Reading, ratio

Events = Sequence[FloorEvent]


class _Wiped(NamedTuple):
    """A wipe, what came before it, and what came after it up to the next one."""

    turn: int
    before: Events
    after: Events


def memory_readings(events: Events, floor: int) -> dict[str, Reading]:
    """Return preparation, recovery, recall across floors, and how fast the first wipe was noticed; facts count once each."""
    wiped = tuple(_wipes(events))
    return {
        "pre_wipe_preparation": _preparation(events, floor),
        "recovery_rate": _recovery(wiped),
        "cross_floor_recall": _cross_floor(events, floor),
        "wipe_detection_speed": _detection(wiped),
    }


def _wipes(events: Events) -> Iterator[_Wiped]:
    places = [place for place, event in enumerate(events) if isinstance(event, Wipe)]
    for place, following in pairwise([*places, len(events)]):
        yield _Wiped(events[place].turn, events[:place], events[place + 1 : following])


def _preparation(events: Events, floor: int) -> Reading:
    """Count the facts that were needed after a wipe, and of these those stored before it; without a wipe all needed, stored before.

    What an earlier floor taught enters once it was stored on this floor. If it was not, whether it was stored there is not known here,
    and it is left to the recall across floors.
    """
    is_wiped = any(isinstance(event, Wipe) for event in events)
    earlier = facts_of_earlier_floors(events, floor)
    stored: set[str] = set()
    kept: set[str] | None = None if is_wiped else stored
    needed: dict[str, bool] = {}
    for event in events:
        if isinstance(event, Wipe):
            kept = set(stored)
        elif isinstance(event, FactStored):
            stored.add(event.id)
        elif isinstance(event, FactNeeded | FactRecalled) and kept is not None and (event.id in stored or event.id not in earlier):
            needed[event.id] = needed.get(event.id, False) or event.id in kept
    words = "facts needed after a wipe were stored" if is_wiped else "facts needed later were stored"
    return ratio(sum(needed.values()), len(needed), words, "no_fact_needed")


def _recovery(wiped: Sequence[_Wiped]) -> Reading:
    """Pool over the wipes the facts stored before each, and those of them that were recalled before the next."""
    if not wiped:
        return Reading(None, "no wipe happened", "no_wipe", "events")
    stored = [_stored(wipe.before) for wipe in wiped]
    recovered = [facts & _recalled(wipe.after) for facts, wipe in zip(stored, wiped, strict=True)]
    return ratio(sum(map(len, recovered)), sum(map(len, stored)), "stored facts recovered after a wipe", "nothing_stored")


def _cross_floor(events: Events, floor: int) -> Reading:
    needed = facts_of_earlier_floors(events, floor)
    return ratio(len(needed & _recalled(events)), len(needed), "needed facts of earlier floors used", "no_fact_needed")


def _detection(wiped: Sequence[_Wiped]) -> Reading:
    """Take the turns from the first wipe to the first mention after it, even if the memory was wiped again in between."""
    if not wiped:
        return Reading(None, "no wipe happened", "no_wipe", "events")
    wipe = wiped[0].turn
    turn = next((event.turn for one in wiped for event in one.after if isinstance(event, WipeMentioned)), None)
    if turn is None:
        return Reading(None, f"wiped in turn {wipe}, not mentioned", "wipe_not_mentioned", "events")
    return Reading(float(turn - wipe), f"wiped in turn {wipe}, mentioned in turn {turn}", None, "events")


def _stored(events: Events) -> set[str]:
    return {event.id for event in events if isinstance(event, FactStored)}


def _recalled(events: Events) -> set[str]:
    return {event.id for event in events if isinstance(event, FactRecalled)}


def facts_of_earlier_floors(events: Events, floor: int) -> set[str]:
    """Return the facts that some event says were learned on an earlier floor than `floor`: one with a lower number."""
    uses = (event for event in events if isinstance(event, FactNeeded | FactRecalled))
    return {event.id for event in uses if event.from_floor is not None and event.from_floor < floor}
