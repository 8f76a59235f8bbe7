"""How long it took: T_orient, T_task, T_human, in seconds."""

from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from itertools import takewhile
from math import isfinite
from typing import NamedTuple

from judge.schema.events import Message, Moment, ToolCall
from judge.session.finding import Finding
from judge.session.reasons import NullReason, unmeasured
from judge.session.view import Session, agent_texts, answer_places, placed
from judge.standard.formulas import baseline, duration, elapsed


class _Point(NamedTuple):
    """A moment, and what happened then."""

    at: Moment | None
    what: str


def orient_time(session: Session) -> Finding:
    """Return T_orient, 0 or more: from the session's start to the first call that changed state, or the first answer or code.

    The session starts at `started_at`, else with its first event, and not before the last of the system messages that lead it.
    """
    place = first_substantive(session)
    if place is None:
        return unmeasured(NullReason.NO_SUBSTANTIVE_ACTION)
    event = session.trace.events[place]
    what = f"call of {event.name}" if isinstance(event, ToolCall) else "answer or code"
    return _between(_start(session), _Point(event.at, f"{what}, events[{place}]"), elapsed)


def task_time(session: Session) -> Finding:
    """Return T_task, above 0: from the first message of the user to the last text of the agent."""
    first = next(((place, message) for place, message in placed(session, Message) if message.role == "user"), None)
    if first is None:
        return unmeasured(NullReason.NO_USER_MESSAGE)
    texts = agent_texts(session)
    if not texts:
        return unmeasured(NullReason.NO_AGENT_RESPONSE)
    (place, message), (last, response) = first, texts[-1]
    begin = _Point(message.at, f"first user message, events[{place}]")
    return _between(begin, _Point(response.at, f"last response, events[{last}]"), duration)


def human_time(session: Session) -> Finding:
    """Return T_human, above 0: what the fixture says, whatever the trace does."""
    stated = session.fixture.T_human_s
    seconds = None if stated is None else baseline(stated)
    if seconds is None:
        return unmeasured(NullReason.NO_HUMAN_BASELINE)
    return Finding(seconds, f"T_human_s of fixture {session.fixture.id}, version {session.fixture.version}", basis="fixture")


def first_substantive(session: Session) -> int | None:
    """Return the place of the first call that changed state, or of the first answer or code; None where there is neither."""
    first = min(session.first_change, *answer_places(session)[:1], session.end)
    return None if first == session.end else first


def _start(session: Session) -> _Point:
    trace = session.trace
    begin = _Point(trace.started_at, "session start")
    if begin.at is None:
        begin = _Point(trace.events[0].at, "first event")
    system = [event for event in takewhile(_is_system, trace.events) if event.at is not None]
    if not system or (begin.at is not None and (_seconds(begin.at, system[-1].at) or 0) < 0):
        return begin
    return _Point(system[-1].at, "end of the system prompt")


def _is_system(event: object) -> bool:
    return isinstance(event, Message) and event.role == "system"


def _between(start: _Point, end: _Point, formula: Callable[[float, float], float | None]) -> Finding:
    """Return the seconds between two points by a formula, or why there are none."""
    words = f"from {_shown(start)} to {_shown(end)}"
    if start.at is None or end.at is None:
        return unmeasured(NullReason.NO_TIMES, words)
    seconds = _seconds(start.at, end.at)
    if seconds is None:
        return unmeasured(NullReason.MIXED_TIMES, words)
    # The formula takes the difference as recorded: that of two large moments would lose digits.
    value = formula(0.0, seconds)
    if value is None or not isfinite(value):
        return unmeasured(NullReason.NO_DURATION, words)
    return Finding(value, words, basis="trace")


def _seconds(start: Moment | None, end: Moment | None) -> float | None:
    """Return the seconds from one moment to another, exact in the digits as recorded; None for two kinds of moments."""
    if isinstance(start, datetime) and isinstance(end, datetime):
        return (end - start).total_seconds()
    if isinstance(start, float | int) and isinstance(end, float | int):
        return float(Decimal(str(end)) - Decimal(str(start)))
    return None


def _shown(point: _Point) -> str:
    if point.at is None:
        return f"{point.what} (no time)"
    return f"{point.what} ({point.at.isoformat() if isinstance(point.at, datetime) else f'{point.at:.12g} s'})"
