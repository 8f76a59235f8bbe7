"""OpenAI-style transcripts: chat messages or Responses-style items, alone or in an object with what is known of the session."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from judge.schema.events import Message, Moment, ToolCall
from judge.schema.traces import TokenUsage, Trace
from pipelines.documents.file_bytes import PlacedFault
from pipelines.documents.places import ROOT, child
from pipelines.documents.strict_json import Part
from pipelines.sessions.messages import Unusable, steps_of
from pipelines.sessions.moments import as_dates, moment_of
from pipelines.sessions.native import read_native
from pipelines.sessions.steps import Step, joined
from pipelines.sessions.usages import usages_of

_STARTED = ("started_at", "created_at", "created")
_READ = ("messages", "usage", *_STARTED)
_TAKEN = ("id", "fixture", "agent", "model", "automated", "context_unit", "final_output", "T_human_s", "answers", "given")
"""What else an object with messages may say, as a trace says it."""


class Told(NamedTuple):
    """One message, with its path, and in JSON Lines its line."""

    message: Any
    path: str
    line: int | None = None


class Transcript(NamedTuple):
    """A trace made of messages, and what is odd about it."""

    trace: Trace
    warnings: list[str]


def read_messages(messages: Sequence[Told], name: str) -> Transcript | list[PlacedFault]:
    """Return the trace of messages of which nothing else is known; `name` becomes its id."""
    return _transcript({"id": name}, messages, ROOT)


def read_object(part: Part, root: str, name: str) -> Transcript | list[PlacedFault]:
    """Return the trace of an object with `messages`; `name` is its id if it has none."""
    told = part.value
    place = child(root, "messages")
    if not isinstance(told["messages"], list):
        return [PlacedFault(place, "is no list of messages", part.line)]
    messages = [Told(message, child(place, number), part.line) for number, message in enumerate(told["messages"])]
    found = _transcript({"id": name, **told}, messages, root)
    if isinstance(found, list):
        return [fault._replace(line=part.line) for fault in found]
    unused = [key for key in told if key not in (*_READ, *_TAKEN)]
    return found._replace(warnings=[*found.warnings, f"fields that a session has no use for: {', '.join(unused)}"]) if unused else found


def _transcript(told: dict[str, Any], messages: Sequence[Told], root: str) -> Transcript | list[PlacedFault]:
    faults: list[PlacedFault] = []
    steps: list[Step] = []
    for message in messages:
        try:
            steps += steps_of(message.message, message.path)
        except Unusable as unusable:
            faults.append(unusable.fault._replace(line=message.line))
    usage, started = _usage(told, messages, root, faults), _started(told, root, faults)
    found = joined(steps)
    events, started, note = _same_clock(found.events, started)
    record = {key: told[key] for key in _TAKEN if told.get(key) is not None}
    record |= {
        "id": str(told["id"]) if isinstance(told["id"], int) else told["id"],
        "source": "transcript",
        "started_at": _written(started),
        "events": [event.model_dump(mode="json") for event in events],
        "usage": [entry.model_dump(mode="json") for entry in usage],
    }
    if isinstance(record.get("fixture"), str):
        record["fixture"] = {"path": record["fixture"]}
    trace = read_native(record, root)
    if isinstance(trace, list):
        faults += [_as_of_messages(fault, root) for fault in trace]
    return faults if faults or isinstance(trace, list) else Transcript(trace, [*found.warnings, *note])


def _as_of_messages(fault: PlacedFault, root: str) -> PlacedFault:
    """Return a fault of an event as what it is: the file holds messages, and no events."""
    is_of_event = fault.path.startswith(f"{child(root, 'events')}[")
    return PlacedFault(root, f"read as a trace: {fault}", fault.line) if is_of_event else fault


def _usage(told: dict[str, Any], messages: Sequence[Told], root: str, faults: list[PlacedFault]) -> list[TokenUsage]:
    """Return the tokens told for the whole session, else those told with its messages."""
    named = told.get("model")
    model = named if isinstance(named, str) and named.strip() else None
    try:
        if told.get("usage") is not None:
            return usages_of(told["usage"], child(root, "usage"), model)
        return _usage_of_messages([message.message for message in messages if isinstance(message.message, dict)], root, model)
    except Unusable as unusable:
        faults.append(unusable.fault)
        return []


def _usage_of_messages(messages: Sequence[dict[str, Any]], root: str, model: str | None) -> list[TokenUsage]:
    told = [
        {"model": message.get("model"), **message["usage"]}
        for message in messages
        if message.get("role") == "assistant" and isinstance(message.get("usage"), dict)
    ]
    # Some agents' answers have no usage: then the sum would be a part of the bill, passed off as all of it.
    answers = sum(1 for message in messages if message.get("role") == "assistant")
    return usages_of(told, child(root, "usage"), model) if told and len(told) == answers else []


def _started(told: dict[str, Any], root: str, faults: list[PlacedFault]) -> Moment | None:
    key = next((key for key in _STARTED if told.get(key) is not None), None)
    try:
        return None if key is None else moment_of(told[key])
    except ValueError as error:
        faults.append(PlacedFault(child(root, str(key)), str(error)))
        return None


def _same_clock(events: Sequence[Message | ToolCall], started: Moment | None) -> tuple[list[Message | ToolCall], Moment | None, list[str]]:
    """Return all times as dates where some are: both forms count from 1970."""
    moments = [moment for moment in (started, *(event.at for event in events)) if moment is not None]
    kinds = {isinstance(moment, float) for moment in moments}
    if len(kinds) < 2:
        return list(events), started, []
    changed = [event.model_copy(update={"at": as_dates(event.at)}) for event in events]
    return changed, as_dates(started), ["some times are dates, others seconds, which are read as seconds since 1970"]


def _written(moment: Moment | None) -> float | str | None:
    return moment if moment is None or isinstance(moment, float) else moment.isoformat()
