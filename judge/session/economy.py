"""How much went into the session: N_tools, N_turns, N_corrections. The cost is priced elsewhere."""

from collections import Counter

from judge.schema.events import Correction, Message, ToolCall
from judge.session.finding import Finding
from judge.session.reasons import NullReason, unmeasured
from judge.session.view import Session, placed
from judge.session.wording import listed
from judge.standard.formulas import count


def tool_calls(session: Session) -> Finding:
    """Return N_tools: calls with distinct ids, and each call without one; denied and failed ones are calls too."""
    calls = {place if call.id is None else call.id: call for place, call in placed(session, ToolCall)}
    by_name = Counter(call.name for call in calls.values())
    denied = sum(call.outcome == "denied" for call in calls.values())
    words = f"calls: {len(calls)}" + (f"; {listed([f'{name} {number}' for name, number in by_name.most_common()])}" if calls else "")
    return Finding(count(len(calls)), words + (f"; {denied} denied" if denied else ""), basis="trace")


def turns(session: Session) -> Finding:
    """Return N_turns: rounds in which the user spoke and the agent replied in text; several messages before one reply are one round."""
    found, users, waits = 0, 0, False
    spoken = [message for _, message in placed(session, Message) if message.role != "system"]
    for message in spoken:
        if message.role == "user":
            users, waits = users + 1, True
        elif waits and message.text.strip():
            found, waits = found + 1, False
    if not spoken:
        return unmeasured(NullReason.NO_MESSAGES)
    return Finding(count(found), f"rounds of user and agent: {found}; user messages: {users}", basis="trace")


def corrections(session: Session) -> Finding:
    """Return N_corrections: 0 where nobody was there to correct, else the corrections of a trace; other records do not tell them apart."""
    found = len(placed(session, Correction))
    if session.trace.automated:
        return Finding(0.0, "the session was automated", basis="automated")
    if not session.trace.events:
        return unmeasured(NullReason.NOTHING_RECORDED)
    if session.trace.source != "trace" and not found:
        return unmeasured(NullReason.CORRECTIONS_NOT_RECORDED)
    return Finding(count(found), f"corrections recorded: {found}", basis="trace")
