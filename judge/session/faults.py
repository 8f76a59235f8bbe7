"""What a fixture and a trace cannot both say: each fault names the field, the value found and the rule."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import chain, pairwise

from judge.schema.events import Correction, Kill, Moment, Restart, ToolCall
from judge.schema.fixtures import Fixture
from judge.schema.traces import Trace
from judge.session.economy import turns
from judge.session.view import Session, placed
from judge.text.normalise import folded


def session_faults(fixture: Fixture, trace: Trace) -> Iterator[str]:
    """Yield what is wrong with a session as a whole, the fixture's faults first; nothing where it can be measured."""
    session = Session(fixture, trace)
    return chain(
        _doubled_in_fixture(fixture),
        _repeated_values(fixture),
        _human_time(session),
        _doubled_in_trace(trace),
        _moments(trace),
        _order(session),
        _corrections(session),
    )


def _human_time(session: Session) -> Iterator[str]:
    expected = session.fixture.T_human_s
    stated = {"T_human_s": session.trace.T_human_s, "given.T_human_s": session.trace.given.get("T_human_s")}
    for field, value in stated.items():
        if value is None or value == expected:
            continue
        has = f"has no T_human_s (version {session.fixture.version})" if expected is None else f"says {expected:.12g}"
        yield f"{field}: found {value:.12g}, but the fixture {session.fixture.id} {has}; rule: T_human comes from the fixture alone"


def _doubled_in_fixture(fixture: Fixture) -> Iterator[str]:
    lists = {
        "tools": [tool.name for tool in fixture.tools],
        "temporal_queries": [query.id for query in fixture.temporal_queries],
        "supersession_queries": [query.id for query in fixture.supersession_queries],
        "synthesis_facts": [fact.id for fact in fixture.synthesis_facts],
        "unanswerable_questions": [question.id for question in fixture.unanswerable_questions],
    }
    for field, names in lists.items():
        yield from _doubled(f"fixture.{field}", "name" if field == "tools" else "id", names)


def _repeated_values(fixture: Fixture) -> Iterator[str]:
    for field, queries in (("temporal_queries", fixture.temporal_queries), ("supersession_queries", fixture.supersession_queries)):
        for place, query in enumerate(queries):
            for number, value in enumerate(query.older):
                if folded(value) == folded(query.current):
                    where = f"fixture.{field}[{place}].older[{number}]"
                    yield f"{where}: found {value!r}, which is the current value; rule: an older value differs from it"


def _doubled_in_trace(trace: Trace) -> Iterator[str]:
    yield from _doubled("answers", "id", [answer.id for answer in trace.answers])
    first: dict[str, tuple[int, ToolCall]] = {}
    for place, event in enumerate(trace.events):
        if not isinstance(event, ToolCall) or event.id is None:
            continue
        earlier, call = first.setdefault(event.id, (place, event))
        if (call.name, call.arguments) != (event.name, event.arguments):
            yield f"events[{place}].id: found {event.id!r}, as on a different call in events[{earlier}]; rule: an id names one call"


def _doubled(field: str, part: str, names: Iterable[str]) -> Iterator[str]:
    for name, number in Counter(names).items():
        if number > 1:
            yield f"{field}: found the {part} {name!r} {number} times; rule: each {part} stands once"


def _moments(trace: Trace) -> Iterator[str]:
    times = [("started_at", trace.started_at), *((f"events[{place}].at", event.at) for place, event in enumerate(trace.events))]
    told = [(field, at) for field, at in times if at is not None]
    for (earlier, before), (field, at) in pairwise(told):
        found = f"{field}: found {_shown(at)} after {_shown(before)} in {earlier}"
        if isinstance(before, datetime) != isinstance(at, datetime):
            yield f"{found}; rule: a trace has seconds throughout or dates throughout"
        elif _runs_back(before, at):
            yield f"{found}; rule: times do not run backwards"


def _runs_back(before: Moment, at: Moment) -> bool:
    if isinstance(before, datetime) and isinstance(at, datetime):
        return at < before
    return not isinstance(before, datetime) and not isinstance(at, datetime) and at < before


def _shown(at: Moment) -> str:
    return at.isoformat() if isinstance(at, datetime) else f"{at:.12g}"


def _order(session: Session) -> Iterator[str]:
    is_dead = False
    for place, event in enumerate(session.trace.events):
        if isinstance(event, Restart) and not is_dead:
            yield f"events[{place}]: found a restart without a kill before it; rule: each restart follows a kill"
        if isinstance(event, Kill | Restart):
            is_dead = isinstance(event, Kill)


def _corrections(session: Session) -> Iterator[str]:
    recorded, given = len(placed(session, Correction)), session.trace.given
    found, field = (recorded, "events") if recorded else (given.get("N_corrections") or 0, "given.N_corrections")
    if not found:
        return
    if session.trace.automated:
        yield f"{field}: found {found:g} corrections in a session with automated true; rule: nobody corrects an automated session"
    measured = turns(session).value
    if (given.get("N_turns") if measured is None else measured) == 0:
        yield f"{field}: found {found:g} corrections and N_turns 0; rule: a correction needs a turn of user and agent"
