"""What other programs' files tell of a session: texts, tool calls and their results, brought into one sequence."""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from judge.schema.events import Message, Moment, ToolCall

Role = Literal["system", "user", "assistant"]
Outcome = Literal["ok", "error", "denied"]

_ERRORS = ("error", "failed", "failure")
_DENIALS = ("denied", "rejected")


class Said(NamedTuple):
    """Something was said."""

    role: Role
    text: str
    at: Moment | None = None


class Called(NamedTuple):
    """A tool was called. `awaits_result` says that its result is told apart from it."""

    id: str | None
    name: str
    arguments: Any
    at: Moment | None = None
    outcome: Outcome = "ok"
    result: str | None = None
    awaits_result: bool = True


class Returned(NamedTuple):
    """A tool returned; the call is told by its id, in old files by the tool's name."""

    id: str | None
    name: str | None
    result: str
    outcome: Outcome


Step = Said | Called | Returned


class Steps(NamedTuple):
    """The events of a session, and what is odd about the steps they come from."""

    events: list[Message | ToolCall]
    warnings: list[str]


def joined(steps: Sequence[Step]) -> Steps:
    """Return the events of the steps: every result joins the earliest call of its id (or name) that has none yet."""
    events: list[Message | ToolCall] = []
    waiting: list[int] = []
    lost = 0
    for step in steps:
        if isinstance(step, Said):
            events.append(Message(role=step.role, text=step.text, at=step.at))
        elif isinstance(step, Called):
            if step.awaits_result:
                waiting.append(len(events))
            events.append(_call(step))
        else:
            place = next((number for number in waiting if _answers(step, events[number])), None)
            if place is None:
                lost += 1
                continue
            waiting.remove(place)
            events[place] = _with_result(events[place], step)
    warnings = [f"tool results without a call, left out: {lost}"] if lost else []
    if waiting:
        warnings.append(f"tool calls without a result: {len(waiting)}")
    return Steps(events, warnings)


def outcome_of(told: dict[str, Any]) -> Outcome:
    """Return how a call ended by explicit fields alone; what the result says is never searched for words."""
    status = told.get("status")
    word = status.casefold() if isinstance(status, str) else ""
    error = told.get("error")
    # Inspect calls it an error of this type when a person or a rule did not let the call through.
    if word in _DENIALS or (isinstance(error, dict) and error.get("type") == "approval"):
        return "denied"
    is_error = told.get("is_error") is True or told.get("failed") is True or word in _ERRORS or error not in (None, False, "")
    return "error" if is_error else "ok"


def _call(step: Called) -> ToolCall:
    return ToolCall(id=step.id, name=step.name, arguments=step.arguments, at=step.at, outcome=step.outcome, result=step.result)


def _with_result(event: Message | ToolCall, step: Returned) -> Message | ToolCall:
    outcome = {} if step.outcome == "ok" else {"outcome": step.outcome}
    return event.model_copy(update={"result": step.result, **outcome})


def _answers(step: Returned, event: Message | ToolCall) -> bool:
    if not isinstance(event, ToolCall):
        return False
    return event.id == step.id if step.id is not None else step.name is not None and event.name == step.name
