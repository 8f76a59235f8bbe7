"""Whether the agent used what holds now, and brought together what belongs together: R_temporal, R_supersession, K_synthesis."""

from bisect import bisect_left
from collections.abc import Sequence

from judge.schema.fixtures import VersionedQuery
from judge.session.answers import without_output
from judge.session.finding import Finding
from judge.session.matching import holds_token, token_places
from judge.session.reasons import NullReason, unmeasured
from judge.session.view import Session
from judge.session.wording import shared
from judge.text.folding import Span
from judge.text.normalise import folded


def temporal_accuracy(session: Session) -> Finding:
    """Return R_temporal: queries answered with the current value and with no older one / all of them."""
    return _versions(session, session.fixture.temporal_queries, NullReason.NO_TEMPORAL_QUERIES)


def supersession_accuracy(session: Session) -> Finding:
    """Return R_supersession: the same over the queries that have an older value; the others tell nothing of it."""
    superseded = [query for query in session.fixture.supersession_queries if query.older]
    found = _versions(session, superseded, NullReason.NO_SUPERSESSION_QUERIES)
    others = len(session.fixture.supersession_queries) - len(superseded)
    return found._replace(made_of=f"{found.made_of}; {others} without an older value left out") if others else found


def synthesis(session: Session) -> Finding:
    """Return K_synthesis: facts of which the answer holds every part, each as a whole word or number / all facts."""
    facts = session.fixture.synthesis_facts
    if not facts:
        return unmeasured(NullReason.NO_SYNTHESIS_FACTS)
    answers = {fact.id: answer_to(session, fact.id) for fact in facts}
    unknown = _unanswered(session, answers)
    if unknown is not None:
        return unknown
    right = {fact.id for fact in facts if all(holds_token(part, answers[fact.id] or "") for part in fact.parts)}
    return shared("facts", [fact.id for fact in facts], right, other="not whole")


def answer_to(session: Session, name: str) -> str | None:
    """Return the text of the trace's answer with this id, else the final output."""
    texts = (answer.text for answer in session.trace.answers if answer.id == name and answer.text is not None and answer.text.strip())
    return next(texts, session.final_output)


def is_current(query: VersionedQuery, answer: str) -> bool:
    """Return whether the answer holds the current value and none of the older ones.

    A value that stands within a longer one of the same query, as `22:00` does in `22:00 on Friday`, does not count there.
    """
    current = token_places(query.current, answer)
    older = [token_places(value, answer) for value in query.older if folded(value) != folded(query.current)]
    stands = any(not any(_is_within(place, places) for places in older) for place in current)
    return stands and all(_is_within(place, current) for places in older for place in places)


def _is_within(place: Span, others: Sequence[Span]) -> bool:
    """Return whether a place lies in one of the others, which are places of one longer value in their order."""
    if not others or others[0].end - others[0].start <= place.end - place.start:
        return False
    nearest = bisect_left(others, place.end, key=lambda other: other.end)
    return nearest < len(others) and others[nearest].start <= place.start


def _versions(session: Session, queries: Sequence[VersionedQuery], none: NullReason) -> Finding:
    if not queries:
        return unmeasured(none)
    answers = {query.id: answer_to(session, query.id) for query in queries}
    unknown = _unanswered(session, answers)
    if unknown is not None:
        return unknown
    right = {query.id for query in queries if is_current(query, answers[query.id] or "")}
    return shared("queries", [query.id for query in queries], right, other="wrong")


def _unanswered(session: Session, answers: dict[str, str | None]) -> Finding | None:
    """Return the null of a session that leaves questions without any text to look at."""
    missing = [name for name, text in answers.items() if text is None]
    if not missing:
        return None
    return unmeasured(without_output(session), f"{len(answers) - len(missing)} of {len(answers)} have an answer of their own")
