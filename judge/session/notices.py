"""What is odd about a session without being wrong: names that nothing else in its two files knows."""

from collections.abc import Iterator

from judge.schema.events import ContextLoaded, ContextUsed
from judge.schema.fixtures import Fixture
from judge.schema.traces import Trace
from judge.session.wording import listed
from judge.text.normalise import folded


def session_notices(fixture: Fixture, trace: Trace) -> Iterator[str]:
    """Yield what may be a slip of the pen: context used that was never loaded, answers to questions that the fixture does not ask."""
    loaded = {folded(item.id) for event in trace.events if isinstance(event, ContextLoaded) for item in event.items}
    used = [name for event in trace.events if isinstance(event, ContextUsed) for name in event.ids]
    if strange := [name for name in dict.fromkeys(used) if loaded and folded(name) not in loaded]:
        yield f"context that was used and never loaded does not count for P_context: {listed(strange)}"
    asked = {query.id for query in (*fixture.temporal_queries, *fixture.supersession_queries)}
    asked |= {fact.id for fact in fixture.synthesis_facts} | {question.id for question in fixture.unanswerable_questions}
    if strange := [answer.id for answer in trace.answers if answer.id not in asked]:
        yield f"answers to questions that the fixture does not ask count for nothing: {listed(strange)}"
