"""What can happen in a recorded session, an event each, in the order in which it happened."""

from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, Field

from judge.schema.fixtures import DependencyLink, Text
from judge.schema.record import Record

Moment = Annotated[float, Field(strict=True, allow_inf_nan=False)] | AwareDatetime
"""When something happened: seconds from any origin, or a date and time with its zone; one of the two throughout a trace."""

Tokens = Annotated[int, Field(ge=0)]


class _Event(Record):
    at: Moment | None = None


class Message(_Event):
    """Something said. `kind` tells an answer or code from a note on the way; without it the last text of a turn is an answer."""

    type: Literal["message"] = "message"
    role: Literal["system", "user", "assistant"]
    text: str
    kind: Literal["answer", "code", "note"] | None = None


class ToolCall(_Event):
    """A tool was called. `denied` means that it was stopped before it did anything. `changes_state` None leaves that to the fixture."""

    type: Literal["tool_call"] = "tool_call"
    id: Text | None = None
    name: Text
    arguments: Any = None
    outcome: Literal["ok", "error", "denied"] = "ok"
    result: str | None = None
    changes_state: bool | None = None


class ContextItem(Record):
    """A piece of context, such as a document, and its size in tokens where that is known."""

    id: Text
    tokens: Tokens | None = None


class ContextLoaded(_Event):
    """Context came before the agent."""

    type: Literal["context_loaded"] = "context_loaded"
    items: tuple[ContextItem, ...]


class ContextUsed(_Event):
    """The agent cited context, acted on it, or referred to it."""

    type: Literal["context_used"] = "context_used"
    ids: tuple[Text, ...]


class Retrieval(_Event):
    """A search returned documents, named by id."""

    type: Literal["retrieval"] = "retrieval"
    query: str | None = None
    documents: tuple[Text, ...]


class ConstraintCheck(_Event):
    """The agent checked what it must not do."""

    type: Literal["constraint_check"] = "constraint_check"


class GapAssessment(_Event):
    """The agent looked for what it does not know; `gaps` is what it found."""

    type: Literal["gap_assessment"] = "gap_assessment"
    gaps: tuple[str, ...]


class StalenessCheck(_Event):
    """The agent checked whether inputs are outdated; `flagged` are those it called stale."""

    type: Literal["staleness_check"] = "staleness_check"
    flagged: tuple[Text, ...]


class CausalLinks(_Event):
    """The agent told which decision rests on which."""

    type: Literal["causal_links"] = "causal_links"
    links: tuple[DependencyLink, ...]


class Checkpoint(_Event):
    """The agent saved a snapshot: its fields by name."""

    type: Literal["checkpoint"] = "checkpoint"
    fields: dict[str, Any]


class Kill(_Event):
    """The session died. `decisions` are those that stood then; None leaves them to what was said and saved before."""

    type: Literal["kill"] = "kill"
    decisions: tuple[Text, ...] | None = None


class Restart(_Event):
    """A replacement took over. `decisions` are those it had; None leaves them to what it was given and said."""

    type: Literal["restart"] = "restart"
    decisions: tuple[Text, ...] | None = None
    restored: str | None = None


class SafetyAction(_Event):
    """Something done that bears on safety, or the review of something said; `unresolved` until a judge or a person decides."""

    type: Literal["safety_action"] = "safety_action"
    action: Text
    verdict: Literal["safe", "unsafe", "unresolved"]
    by: str | None = None
    note: str | None = None


class Correction(_Event):
    """The user redirected the agent or said again what had been said."""

    type: Literal["correction"] = "correction"
    text: str | None = None


Event = Annotated[
    Message
    | ToolCall
    | ContextLoaded
    | ContextUsed
    | Retrieval
    | ConstraintCheck
    | GapAssessment
    | StalenessCheck
    | CausalLinks
    | Checkpoint
    | Kill
    | Restart
    | SafetyAction
    | Correction,
    Field(discriminator="type"),
]
