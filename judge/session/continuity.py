"""What survives when a session dies and another takes over: K_decision."""

from typing import NamedTuple

from judge.schema.events import ContextLoaded, Kill, Restart, ToolCall
from judge.session.answers import distinct
from judge.session.finding import Finding
from judge.session.json_values import searchable
from judge.session.matching import holds_key
from judge.session.reasons import NullReason, unmeasured
from judge.session.snapshots import checkpoints
from judge.session.view import Session, agent_texts, placed
from judge.session.wording import parts_of
from judge.standard.formulas import share
from judge.text.normalise import folded


class _Gap(NamedTuple):
    """A kill and the restart after it; `end` is the place of the next kill."""

    kill: int
    restart: int
    end: int


def decision_preservation(session: Session) -> Finding:
    """Return K_decision: decisions after the restart that stood before the kill / those before; several kills are pooled.

    What the events list wins; else it is the fixture's decisions as they stand in what the agent said and saved before, and in what
    it was given, shown by tools, and said after.
    """
    if not placed(session, Kill):
        return unmeasured(NullReason.NO_KILL)
    gaps = _gaps(session)
    if not gaps:
        return unmeasured(NullReason.NO_RESTART)
    stood = [_before(session, gap) for gap in gaps]
    kept = [_kept(session, gap, before) for gap, before in zip(gaps, stood, strict=True)]
    value = share(sum(map(len, kept)), sum(map(len, stood)))
    if value is None:
        return unmeasured(NullReason.NO_DECISIONS_BEFORE)
    words = (parts_of("decisions kept", before, after, other="lost") for before, after in zip(stood, kept, strict=True))
    return Finding(value, "; next kill: ".join(words), basis="trace")


def _gaps(session: Session) -> list[_Gap]:
    kills = [place for place, _ in placed(session, Kill)]
    found = []
    for kill, end in zip(kills, [*kills[1:], session.end], strict=True):
        restart = next((place for place, _ in placed(session, Restart) if kill < place < end), None)
        if restart is not None:
            found.append(_Gap(kill, restart, end))
    return found


def _before(session: Session, gap: _Gap) -> list[str]:
    event = session.trace.events[gap.kill]
    if isinstance(event, Kill) and event.decisions is not None:
        return distinct(event.decisions)
    texts = _said(session, 0, gap.kill)
    texts += [text for place, fields in checkpoints(session) if place < gap.kill for text in searchable(fields)]
    keys = distinct([item.key for item in session.fixture.expected_decisions])
    return [key for key in keys if any(holds_key(key, text) for text in texts)]


def _kept(session: Session, gap: _Gap, before: list[str]) -> set[str]:
    """Return which of the decisions are there after the restart; two lists hold the same where they are equal but for case and spacing."""
    killed, event = session.trace.events[gap.kill], session.trace.events[gap.restart]
    if not isinstance(event, Restart) or event.decisions is None:
        texts = _given(session, gap) + _said(session, gap.restart, gap.end)
        return {key for key in before if any(holds_key(key, text) for text in texts)}
    if isinstance(killed, Kill) and killed.decisions is not None:
        had = {folded(decision) for decision in event.decisions}
        return {decision for decision in before if folded(decision) in had}
    return {key for key in before if any(holds_key(key, decision) for decision in event.decisions)}


def _said(session: Session, start: int, end: int) -> list[str]:
    """Return what the agent said between two places; what it left at the end belongs to the last stretch."""
    said = [message.text for place, message in agent_texts(session) if start <= place < end]
    return [*said, session.trace.final_output or ""] if end == session.end else said


def _given(session: Session, gap: _Gap) -> list[str]:
    restored = [event.restored or "" for place, event in placed(session, Restart) if gap.restart <= place < gap.end]
    loads = [event for place, event in placed(session, ContextLoaded) if gap.restart <= place < gap.end]
    shown = [call.result for place, call in placed(session, ToolCall) if gap.restart <= place < gap.end and call.outcome == "ok"]
    return restored + [item.id for event in loads for item in event.items] + [result for result in shown if result is not None]
