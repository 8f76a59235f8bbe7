"""Whether the agent still knows why: K_causal."""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from judge.schema.events import CausalLinks, Restart
from judge.schema.fixtures import DependencyLink
from judge.session.finding import Finding
from judge.session.json_values import parsed
from judge.session.reasons import NullReason, unmeasured
from judge.session.view import Session, calls_for, placed
from judge.session.wording import shared
from judge.text.normalise import folded

_Pair = tuple[str, str]


def causal_integrity(session: Session) -> Finding:
    """Return K_causal: links of the fixture that the agent stated / all of them; after the first restart where there is one.

    None if it never stated any. Links stated only before a restart were not rebuilt after it, and count as missing.
    """
    links = {_pair(link): f"{link.decision} <- {link.depends_on}" for link in session.fixture.dependency_links}
    if not links:
        return unmeasured(NullReason.NO_DEPENDENCY_LINKS)
    stated = list(_stated(session))
    if not stated:
        told = session.trace.source == "trace" or session.has_role("causal_chain")
        return unmeasured(NullReason.NO_LINKS_STATED if told else NullReason.NOT_RECORDED)
    restarts = placed(session, Restart)
    start = restarts[0][0] if restarts else 0
    right = {_pair(link) for place, found in stated if place >= start for link in found}
    noun = "links stated after the restart" if restarts else "links"
    return shared(noun, list(links.values()), {words for pair, words in links.items() if pair in right})


def _stated(session: Session) -> Iterator[tuple[int, tuple[DependencyLink, ...]]]:
    """Yield the links that were stated, with the place where; an empty statement is one too, while prose may state anything."""
    yield from ((place, event.links) for place, event in placed(session, CausalLinks))
    for place, call in calls_for(session, "causal_chain"):
        for told in (call.result, call.arguments) if call.outcome == "ok" else ():
            found = parsed(told)
            # Arguments without links are a question; a result without any is an answer.
            entries = found.get("links", [] if told is call.result else None) if isinstance(found, Mapping) else found
            if isinstance(entries, list):
                yield place, tuple(_links(entries))


def _links(entries: list[Any]) -> Iterator[DependencyLink]:
    for entry in entries:
        try:
            yield DependencyLink.model_validate({name: entry[name] for name in DependencyLink.model_fields})
        except (ValidationError, TypeError, KeyError, IndexError):
            continue


def _pair(link: DependencyLink) -> _Pair:
    return folded(link.decision), folded(link.depends_on)
