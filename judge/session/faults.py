"""What a fixture and a trace cannot say, alone and together: each fault names the field, the value found and the rule."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain, pairwise
from typing import NamedTuple

from judge.schema.events import Correction, Kill, Moment, Restart, ToolCall
from judge.schema.fixtures import Fixture
from judge.schema.traces import Trace
from judge.session.economy import turns
from judge.session.view import Session, placed
from judge.standard.stated import shown
from judge.text.normalise import folded


class SessionFault(NamedTuple):
    """A fault: the field as a path in its own file, then the value in it and the rule it breaks, in words."""

    path: str
    message: str


class _Time(NamedTuple):
    path: str
    at: Moment


def fixture_faults(fixture: Fixture) -> Iterator[SessionFault]:
    """Yield what is wrong with a fixture as a whole: names that stand twice, older values that are the current one.

    An answer names its question by id alone, so an id stands once in all lists of questions together.
    """
    questions = {
        "temporal_queries": [query.id for query in fixture.temporal_queries],
        "supersession_queries": [query.id for query in fixture.supersession_queries],
        "synthesis_facts": [fact.id for fact in fixture.synthesis_facts],
        "unanswerable_questions": [question.id for question in fixture.unanswerable_questions],
    }
    yield from _doubled(questions, "id", "an id that no earlier question has")
    yield from _doubled({"tools": [tool.name for tool in fixture.tools]}, "name", "a name that no earlier tool has")
    yield from _repeated_values(fixture)


def trace_faults(trace: Trace) -> Iterator[SessionFault]:
    """Yield what is wrong with a trace as a whole, whatever it is measured against."""
    return chain(
        _doubled({"answers": [answer.id for answer in trace.answers]}, "id", "an id that no earlier answer has"),
        _doubled_calls(trace),
        _mixed_times(trace),
        _backward_times(trace),
        _order(trace),
    )


def session_faults(fixture: Fixture, trace: Trace) -> Iterator[SessionFault]:
    """Yield what is wrong with a trace that is measured against this fixture; all paths are of the trace."""
    session = Session(fixture, trace)
    return chain(_human_time(session), _corrections(session))


def _doubled(names_of: Mapping[str, Sequence[str]], part: str, rule: str) -> Iterator[SessionFault]:
    seen: set[str] = set()
    for field, names in names_of.items():
        for number, name in enumerate(names):
            if name in seen:
                yield SessionFault(f"{field}[{number}].{part}", f"is {shown(name)}, expected {rule}")
            seen.add(name)


def _repeated_values(fixture: Fixture) -> Iterator[SessionFault]:
    for field, queries in (("temporal_queries", fixture.temporal_queries), ("supersession_queries", fixture.supersession_queries)):
        for place, query in enumerate(queries):
            for number, value in enumerate(query.older):
                if folded(value) == folded(query.current):
                    message = f"is {shown(value)}, expected another value than the one of `current`"
                    yield SessionFault(f"{field}[{place}].older[{number}]", message)


def _doubled_calls(trace: Trace) -> Iterator[SessionFault]:
    first: dict[str, tuple[int, ToolCall]] = {}
    for place, event in enumerate(trace.events):
        if not isinstance(event, ToolCall) or event.id is None:
            continue
        earlier, call = first.setdefault(event.id, (place, event))
        if (call.name, call.arguments) != (event.name, event.arguments):
            message = f"is {shown(event.id)}, expected another id than that of the different call in events[{earlier}]"
            yield SessionFault(f"events[{place}].id", message)


def _times(trace: Trace) -> list[_Time]:
    told = [("started_at", trace.started_at), *((f"events[{place}].at", event.at) for place, event in enumerate(trace.events))]
    return [_Time(path, at) for path, at in told if at is not None]


def _mixed_times(trace: Trace) -> Iterator[SessionFault]:
    """Yield the first time of another kind than the first of all: between a number of seconds and a date there is no duration."""
    times = _times(trace)
    for path, at in times:
        if isinstance(at, datetime) != isinstance(times[0].at, datetime):
            kind = "a date" if isinstance(times[0].at, datetime) else "seconds"
            rule = f"{kind}, as `{times[0].path}` has: a trace has seconds or dates throughout"
            yield SessionFault(path, f"is {_written(at)}, expected {rule}")
            return


def _backward_times(trace: Trace) -> Iterator[SessionFault]:
    for before, time in pairwise(_times(trace)):
        if _runs_back(before.at, time.at):
            rule = f"{_written(before.at)} or later, as `{before.path}` before it has"
            yield SessionFault(time.path, f"is {_written(time.at)}, expected {rule}")


def _runs_back(before: Moment, at: Moment) -> bool:
    if isinstance(before, datetime) and isinstance(at, datetime):
        return at < before
    return not isinstance(before, datetime) and not isinstance(at, datetime) and at < before


def _written(at: Moment) -> str:
    return at.isoformat() if isinstance(at, datetime) else f"{at:.12g}"


def _order(trace: Trace) -> Iterator[SessionFault]:
    is_dead = False
    for place, event in enumerate(trace.events):
        if isinstance(event, Restart) and not is_dead:
            yield SessionFault(f"events[{place}]", "is a restart, expected a kill before it")
        if isinstance(event, Kill | Restart):
            is_dead = isinstance(event, Kill)


def _human_time(session: Session) -> Iterator[SessionFault]:
    """Yield another human baseline than the fixture's: it is fixed there, so that nobody can improve a score with it."""
    own, name = session.fixture.T_human_s, shown(session.fixture.id)
    rule = f"none: the fixture {name} states none" if own is None else f"{own:.12g}, which the fixture {name} states"
    stated = {"T_human_s": session.trace.T_human_s, "given.T_human_s": session.trace.given.get("T_human_s")}
    for path, value in stated.items():
        if value is not None and value != own:
            yield SessionFault(path, f"is {value:.12g}, expected {rule}; it comes from there alone")


def _corrections(session: Session) -> Iterator[SessionFault]:
    """Yield corrections that nobody could make. Where both numbers are given, they are checked as any stated values are."""
    recorded, given = len(placed(session, Correction)), session.trace.given
    if recorded and session.trace.automated:
        yield SessionFault(
            "automated", f"is true, expected false, as events hold corrections ({recorded}): nobody corrects an automated session"
        )
    measured = turns(session).value
    rule = "as N_turns is 0: a correction needs a turn of user and agent"
    if recorded and (given.get("N_turns") if measured is None else measured) == 0:
        yield SessionFault("events", f"is a list with corrections ({recorded}), expected none, {rule}")
    stated = given.get("N_corrections")
    if not recorded and stated and measured == 0:
        yield SessionFault("given.N_corrections", f"is {stated:.12g}, expected 0, {rule}")
