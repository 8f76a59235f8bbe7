"""Whether the agent noticed outdated inputs before it relied on them: S_stale."""

from judge.schema.events import ContextLoaded, ContextUsed, StalenessCheck
from judge.session.answers import distinct
from judge.session.finding import Finding
from judge.session.flags import flag_lines, flagged_in
from judge.session.json_values import parsed
from judge.session.matching import ids_in
from judge.session.reasons import NullReason, unmeasured
from judge.session.view import Session, calls_for, placed, results_for
from judge.session.wording import listed, parts_of
from judge.standard.formulas import staleness
from judge.text.normalise import folded


def staleness_awareness(session: Session) -> Finding:
    """Return S_stale: stale inputs flagged before the agent relied on them / stale inputs that reached it; 1 where none did.

    Those reached it that the trace says were loaded or used, and all of them where it records no context.
    """
    stale = session.fixture.stale_inputs
    if stale is None:
        return unmeasured(NullReason.STALE_INPUTS_UNKNOWN)
    if not stale:
        return Finding(staleness(0, 0), "the fixture has no stale inputs", basis="fixture")
    if not session.can_tell("staleness_check"):
        return unmeasured(NullReason.NOT_RECORDED)
    uses = _first_uses(session, distinct(stale))
    if not uses:
        return Finding(staleness(0, 0), f"0 of {len(stale)} stale inputs loaded or used", basis="trace")
    flags = _first_flags(session, list(uses))
    flagged = {name for name, place in uses.items() if flags.get(name, session.end) < place}
    if told := _told_in_prose(session, [name for name in uses if name not in flagged]):
        return unmeasured(NullReason.FLAGS_NOT_READABLE, listed(told))
    return Finding(staleness(len(flagged), len(uses)), parts_of("stale inputs flagged before use", list(uses), flagged), basis="trace")


def _told_in_prose(session: Session, names: list[str]) -> list[str]:
    """Return the inputs that a check speaks of in prose, which may call them stale or fresh."""
    prose = [text for _, text in results_for(session, "staleness_check") if isinstance(parsed(text), str)]
    mentioned = ids_in(names, prose)
    return [name for name in names if name in mentioned]


def _first_uses(session: Session, stale: list[str]) -> dict[str, int]:
    """Return where each stale input that reached the agent was first relied on: its first use, else the final answer."""
    used = {folded(name): place for place, event in reversed(placed(session, ContextUsed)) for name in event.ids}
    loaded = {folded(item.id) for _, event in placed(session, ContextLoaded) for item in event.items}
    is_recorded = bool(placed(session, ContextUsed) or placed(session, ContextLoaded))
    there = [name for name in stale if not is_recorded or folded(name) in loaded | used.keys()]
    return {name: used.get(folded(name), session.final_answer) for name in there}


def _first_flags(session: Session, names: list[str]) -> dict[str, int]:
    """Return the place of the first check that called each of the inputs stale."""
    wanted = {folded(name): name for name in names}
    checks = [
        (place, {wanted[folded(flag)] for flag in event.flagged if folded(flag) in wanted})
        for place, event in placed(session, StalenessCheck)
    ]
    for place, call in calls_for(session, "staleness_check"):
        if call.outcome == "ok":
            flags = flagged_in(parsed(call.result or "")) | flagged_in(parsed(call.arguments))
            listed_ids = ids_in(names, flag_lines(call.result or ""))
            checks.append((place, listed_ids | {wanted[flag] for flag in flags if flag in wanted}))
    return {name: place for place, found in sorted(checks, key=lambda check: check[0], reverse=True) for name in found}
