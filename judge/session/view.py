"""A session as its measures look at it: the fixture, the trace, and what lies before what."""

from collections.abc import Iterator
from typing import NamedTuple, TypeVar

from judge.schema.events import Checkpoint, ConstraintCheck, GapAssessment, Kill, Message, Retrieval, StalenessCheck, ToolCall
from judge.schema.fixtures import Fixture, Tool, ToolRole
from judge.schema.record import Record
from judge.schema.traces import Trace

_E = TypeVar("_E", bound=Record)

_EVENT_OF: dict[ToolRole, type[Record]] = {
    "retrieval": Retrieval,
    "constraint_check": ConstraintCheck,
    "gap_assessment": GapAssessment,
    "staleness_check": StalenessCheck,
    "checkpoint": Checkpoint,
}


class Session(NamedTuple):
    """A fixture and a trace; places are positions in `trace.events`, and what never happened lies behind the last of them."""

    fixture: Fixture
    trace: Trace

    @property
    def end(self) -> int:
        """The place behind the last event."""
        return len(self.trace.events)

    @property
    def tools(self) -> dict[str, Tool]:
        """The tools of the fixture by name."""
        return {tool.name: tool for tool in self.fixture.tools}

    @property
    def final_output(self) -> str | None:
        """What the agent left at the end: as recorded, else its last text. Empty where all it said is empty, None where it said nothing."""
        if self.trace.final_output is not None:
            return self.trace.final_output
        said = [message.text for _, message in placed(self, Message) if message.role == "assistant"]
        return next((text for text in reversed(said) if text.strip()), "" if said else None)

    @property
    def final_answer(self) -> int:
        """The place of the agent's last text; the end where it said nothing, or something else was its final output."""
        said, apart = agent_texts(self)[-1:], self.trace.final_output
        return next((place for place, message in said if apart is None or message.text.strip() == apart.strip()), self.end)

    @property
    def first_change(self) -> int:
        """The place of the first call that changed state; the end where none did."""
        tools = self.tools
        return next((place for place, call in placed(self, ToolCall) if changes_state(call, tools)), self.end)

    @property
    def acting(self) -> int:
        """The place before which a check came in time: the first change of state, else the last answer or code, else the end."""
        change, answers = self.first_change, answer_places(self)
        return change if change < self.end or not answers else answers[-1]

    def has_role(self, role: ToolRole) -> bool:
        """Return whether the fixture names a tool for this."""
        return any(tool.role == role for tool in self.fixture.tools)

    def can_tell(self, role: ToolRole) -> bool:
        """Return whether the record would show it: a trace can, any other source only through a tool of the fixture."""
        if self.trace.source == "trace" or self.has_role(role):
            return True
        return any(isinstance(event, _EVENT_OF.get(role, ())) for event in self.trace.events)


def placed(session: Session, kind: type[_E]) -> list[tuple[int, _E]]:
    """Return the events of one kind with their places."""
    return [(place, event) for place, event in enumerate(session.trace.events) if isinstance(event, kind)]


def agent_texts(session: Session) -> list[tuple[int, Message]]:
    """Return the messages of the agent that hold text, with their places."""
    return [(place, message) for place, message in placed(session, Message) if message.role == "assistant" and message.text.strip()]


def answer_places(session: Session) -> list[int]:
    """Return the places of the agent's answers and code; where a message does not say so, whether no tool call follows in its turn."""
    found, calls_follow = [], False
    for place in range(session.end - 1, -1, -1):
        event = session.trace.events[place]
        if isinstance(event, ToolCall):
            calls_follow = True
        elif isinstance(event, Kill) or (isinstance(event, Message) and event.role == "user"):
            calls_follow = False
        elif isinstance(event, Message) and _is_answer(event, calls_follow=calls_follow):
            found.append(place)
    return found[::-1]


def _is_answer(message: Message, *, calls_follow: bool) -> bool:
    if message.role != "assistant" or not message.text.strip():
        return False
    return not calls_follow if message.kind is None else message.kind != "note"


def calls_for(session: Session, role: ToolRole) -> Iterator[tuple[int, ToolCall]]:
    """Yield the calls to tools that the fixture gives this role, whatever became of them."""
    names = {tool.name for tool in session.fixture.tools if tool.role == role}
    yield from ((place, call) for place, call in placed(session, ToolCall) if call.name in names)


def results_for(session: Session, role: ToolRole) -> Iterator[tuple[int, str]]:
    """Yield the results of those calls that succeeded; a denied or failed call showed the agent nothing."""
    yield from ((place, call.result or "") for place, call in calls_for(session, role) if call.outcome == "ok")


def changes_state(call: ToolCall, tools: dict[str, Tool]) -> bool:
    """Return whether a call changed the world, or may have before it failed; a denied one did nothing, an unknown tool is taken not to."""
    if call.outcome == "denied":
        return False
    if call.changes_state is not None:
        return call.changes_state
    return call.name in tools and tools[call.name].changes_state
