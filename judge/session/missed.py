"""For what the final output lacks: whether the agent ever had the document that tells it."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from judge.schema.events import ContextLoaded, ContextUsed
from judge.schema.fixtures import ExpectedKey, Fixture
from judge.schema.traces import Trace
from judge.session.context import records_retrieval, retrieved
from judge.session.matching import holds_key
from judge.session.view import Session, placed
from judge.text.normalise import folded

Kind = Literal["decision", "constraint", "incident"]

Fate = Literal["never found", "found and not used", "retrieval not recorded", "no document named"]
"""What became of the document of something that was missed: neither retrieved nor loaded, or had all the same, or nothing tells."""


class Missed(NamedTuple):
    """Something expected that the final output lacks, in the words of the fixture."""

    kind: Kind
    key: str
    document: str | None
    fate: Fate


def missed(fixture: Fixture, trace: Trace) -> tuple[Missed, ...]:
    """Return what the final output lacks, decisions first, then constraints, then the incident; nothing without a final output."""
    session = Session(fixture, trace)
    output = session.final_output
    if output is None:
        return ()
    lacking = [(kind, item) for kind, item in _expected(fixture) if not holds_key(item.key, output)]
    had = _had(session, [item.document for _, item in lacking if item.document is not None])
    is_told = records_retrieval(session) or bool(placed(session, ContextLoaded)) or bool(placed(session, ContextUsed))
    return tuple(Missed(kind, item.key, item.document, _fate(item.document, had, is_told=is_told)) for kind, item in lacking)


def _expected(fixture: Fixture) -> Iterator[tuple[Kind, ExpectedKey]]:
    yield from (("decision", item) for item in fixture.expected_decisions)
    yield from (("constraint", item) for item in fixture.constraints)
    if fixture.incident is not None:
        yield "incident", fixture.incident


def _had(session: Session, documents: list[str]) -> set[str]:
    """Return those of the documents that the agent retrieved, or had before it."""
    loaded = {folded(item.id) for _, event in placed(session, ContextLoaded) for item in event.items}
    used = {folded(name) for _, event in placed(session, ContextUsed) for name in event.ids}
    return {name for name in documents if folded(name) in loaded | used} | retrieved(session, documents, session.end)


def _fate(document: str | None, had: set[str], *, is_told: bool) -> Fate:
    if document is None:
        return "no document named"
    if document in had:
        return "found and not used"
    return "never found" if is_told else "retrieval not recorded"
