"""What can happen on a floor of a Top Floor campaign, an event each, in the order in which it happened."""

from typing import Annotated, Literal

from pydantic import Field

from judge.schema.fixtures import Text
from judge.schema.record import Record

MOST = 2**53
"""The largest whole number that every JSON reader keeps exactly."""

Whole = Annotated[int, Field(strict=True, ge=0, le=MOST)]
"""A count: 0 or more."""

Positive = Annotated[int, Field(strict=True, ge=1, le=MOST)]
"""A turn, or a count of at least 1."""

Flag = Annotated[bool, Field(strict=True)]


class _FloorEvent(Record):
    turn: Positive


class Search(_FloorEvent):
    """The agent searched the documents."""

    type: Literal["search"] = "search"
    query: Text


class DocumentOpened(_FloorEvent):
    """The agent opened a document: one that matters on this floor (`signal`), or one that does not (`noise`)."""

    type: Literal["document_opened"] = "document_opened"
    id: Text
    kind: Literal["signal", "noise"]


class ConclusionStated(_FloorEvent):
    """The agent drew a conclusion; `documents` are those it cites."""

    type: Literal["conclusion"] = "conclusion"
    correct: Flag
    documents: tuple[Text, ...] = ()
    text: str | None = None


class HypothesisStated(_FloorEvent):
    """The agent stated a hypothesis."""

    type: Literal["hypothesis"] = "hypothesis"
    text: str | None = None


class FalseLeadMet(_FloorEvent):
    """The agent came across a false lead."""

    type: Literal["false_lead_met"] = "false_lead_met"
    id: Text


class FalseLeadFollowed(_FloorEvent):
    """The agent followed a false lead; it has met it then, whether that is written or not."""

    type: Literal["false_lead_followed"] = "false_lead_followed"
    id: Text


class ObjectiveAttempted(_FloorEvent):
    """The agent took up an objective; only its first attempt counts for the order.

    `optimal_order` is its place where the dependencies are kept, the same for objectives that may come in either order. `order` is
    the place in which it was attempted; without it the order of the events says that. Either all objectives of a floor have it, or none.
    """

    type: Literal["objective_attempted"] = "objective_attempted"
    objective: Text
    optimal_order: Positive
    order: Positive | None = None


class CodeChallenge(_FloorEvent):
    """The agent tried a code challenge. Tries with one `id` are one challenge, passed if one passed; a try without an id stands alone."""

    type: Literal["code_challenge"] = "code_challenge"
    passed: Flag
    id: Text | None = None


class ElevatorKeyDerived(_FloorEvent):
    """The agent derived the elevator key."""

    type: Literal["elevator_key"] = "elevator_key"


class FloorToolCall(_FloorEvent):
    """The agent called a tool; `ok` says whether the call succeeded."""

    type: Literal["tool_call"] = "tool_call"
    ok: Flag
    name: Text | None = None


class FindingMade(_FloorEvent):
    """The agent found something out."""

    type: Literal["finding"] = "finding"
    text: str | None = None


class FactStored(_FloorEvent):
    """The agent stored a fact where a wipe of its memory does not reach."""

    type: Literal["fact_stored"] = "fact_stored"
    id: Text


class Wipe(_FloorEvent):
    """The memory of the agent was wiped."""

    type: Literal["wipe"] = "wipe"


class WipeMentioned(_FloorEvent):
    """The agent said that its memory was wiped."""

    type: Literal["wipe_mentioned"] = "wipe_mentioned"


class FactNeeded(_FloorEvent):
    """A fact was needed, whether the agent had it or not; `from_floor` says on which floor it could be learned, None on this one."""

    type: Literal["fact_needed"] = "fact_needed"
    id: Text
    from_floor: Whole | None = None


class FactRecalled(_FloorEvent):
    """The agent used a fact that it had learned before; it was needed then, whether that is written or not."""

    type: Literal["fact_recalled"] = "fact_recalled"
    id: Text
    from_floor: Whole | None = None


FloorEvent = Annotated[
    Search
    | DocumentOpened
    | ConclusionStated
    | HypothesisStated
    | FalseLeadMet
    | FalseLeadFollowed
    | ObjectiveAttempted
    | CodeChallenge
    | ElevatorKeyDerived
    | FloorToolCall
    | FindingMade
    | FactStored
    | Wipe
    | WipeMentioned
    | FactNeeded
    | FactRecalled,
    Field(discriminator="type"),
]
