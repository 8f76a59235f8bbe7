"""The events of an Inspect sample: when its messages were said, and which tools were called."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from judge.schema.events import Moment
from judge.standard.stated import shown
from pipelines.documents.places import child
from pipelines.sessions.messages import Unusable, text_of
from pipelines.sessions.moments import moment_of
from pipelines.sessions.steps import Called, Returned, Said, Step, outcome_of


class _Generation(NamedTuple):
    """A call of the model: when it was asked, when it had answered, and the answer's id and text."""

    asked: Moment | None
    answered: Moment | None
    id: str | None
    text: str | None


class Timeline(NamedTuple):
    """What the events tell: generations and tool calls, each in its order."""

    generations: tuple[_Generation, ...]
    calls: tuple[Called, ...]

    @classmethod
    def of(cls, events: Any, path: str) -> "Timeline":
        """Return the timeline of a sample's events. Raises Unusable for events that cannot be read; unknown kinds are passed over."""
        if isinstance(events, dict):
            # Older logs keep the events in an object of their own.
            events = events.get("events")
        if events is not None and not isinstance(events, list):
            raise Unusable(path, f"is {shown(events)}, expected a list")
        told = [(event, child(path, number)) for number, event in enumerate(events or []) if isinstance(event, dict)]
        return cls(
            tuple(_generation(event, place) for event, place in told if event.get("event") == "model"),
            tuple(_called(event, place) for event, place in told if event.get("event") == "tool" and not event.get("pending")),
        )

    def merged(self, messages: Sequence[tuple[str | None, Sequence[Step]]]) -> list[Step]:
        """Return the steps of the messages with their times, and every tool call once, as its event tells it."""
        timed = self._timed(messages)
        by_id = {call.id: call for call in self.calls if call.id is not None}
        steps: list[Step] = []
        told: set[str] = set()
        for step in timed:
            known = by_id.get(step.id) if isinstance(step, Called | Returned) and step.id is not None else None
            if known is None:
                steps.append(step)
            elif isinstance(step, Called) and step.id not in told:
                steps.append(known)
                told.add(str(step.id))
        for call in self.calls:
            if call.id is None or call.id not in told:
                _insert(steps, call)
        return steps

    def _timed(self, messages: Sequence[tuple[str | None, Sequence[Step]]]) -> list[Step]:
        """Give an answer the time when its generation ended; what the agent was told, the time when it was next asked."""
        left = list(self.generations)
        found: list[_Generation | None] = []
        for identifier, steps in messages:
            generation = _match(left, identifier, steps)
            if generation is not None:
                left.remove(generation)
            found.append(generation)
        timed: list[Step] = []
        asked: Moment | None = None
        for (_, steps), generation in zip(reversed(messages), reversed(found), strict=True):
            asked = generation.asked if generation is not None else asked
            answered = generation.answered if generation is not None else None
            timed += [_at(step, asked, answered) for step in reversed(steps)]
            if generation is None and _is_of_agent(steps):
                # Of an answer without a generation nobody knows when it was asked, nor of anything told before it.
                asked = None
        return timed[::-1]


def _match(left: Sequence[_Generation], identifier: str | None, steps: Sequence[Step]) -> _Generation | None:
    """Return the generation that an agent's message came from: by id, in logs without ids by its text."""
    if not _is_of_agent(steps):
        return None
    said = next((step.text for step in steps if isinstance(step, Said)), None)
    by_id = next((one for one in left if identifier is not None and one.id == identifier), None)
    if by_id is not None or identifier is not None:
        return by_id
    return next((one for one in left if one.id is None and one.text == said), None)


def _is_of_agent(steps: Sequence[Step]) -> bool:
    return any(isinstance(step, Called) or (isinstance(step, Said) and step.role == "assistant") for step in steps)


def _at(step: Step, asked: Moment | None, answered: Moment | None) -> Step:
    if isinstance(step, Said):
        return step._replace(at=answered if step.role == "assistant" else asked)
    return step._replace(at=answered) if isinstance(step, Called) else step


def _generation(event: dict[str, Any], path: str) -> _Generation:
    output = event.get("output")
    choices = output.get("choices") if isinstance(output, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    told = message if isinstance(message, dict) else {}
    identifier = told.get("id")
    asked, answered = _time(event, "timestamp", path), _time(event, "completed", path)
    return _Generation(
        asked,
        asked if answered is None else answered,
        identifier if isinstance(identifier, str) else None,
        text_of(told.get("content"), child(path, "output")),
    )


def _called(event: dict[str, Any], path: str) -> Called:
    name = event.get("function")
    if not isinstance(name, str) or not name.strip():
        raise Unusable(child(path, "function"), f"is {shown(name)}, expected the name of a tool")
    identifier = event.get("id")
    return Called(
        identifier if isinstance(identifier, str) and identifier.strip() else None,
        name,
        event.get("arguments"),
        _time(event, "timestamp", path),
        outcome_of(event),
        result=_result(event.get("result"), child(path, "result")),
        awaits_result=False,
    )


def _result(result: Any, path: str) -> str | None:
    """Return a tool's result as text; numbers and truth values as JSON writes them."""
    return shown(result) if isinstance(result, bool | int | float) else text_of(result, path)


def _time(event: dict[str, Any], key: str, path: str) -> Moment | None:
    try:
        return moment_of(event.get(key))
    except ValueError as error:
        raise Unusable(child(path, key), str(error)) from error


def _insert(steps: list[Step], call: Called) -> None:
    """Put a call that no message tells of before the first step that came later; without a time, at the end."""
    later = (
        number
        for number, step in enumerate(steps)
        if not isinstance(step, Returned) and isinstance(step.at, datetime) and isinstance(call.at, datetime) and step.at > call.at
    )
    steps.insert(next(later, len(steps)), call)
