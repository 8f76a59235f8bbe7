"""What the final output holds of what the fixture expects: R_decision, R_constraint, R_incident."""

from collections.abc import Sequence

from judge.schema.fixtures import ExpectedKey
from judge.session.finding import Finding
from judge.session.matching import holds_key
from judge.session.reasons import NullReason, unmeasured
from judge.session.view import Session
from judge.session.wording import shared
from judge.standard.formulas import surfaced
from judge.text.normalise import folded


def decision_recall(session: Session) -> Finding:
    """Return R_decision: expected decisions in the final output, as substrings whatever their case; never those in tool results."""
    return _recall(session, "decisions", session.fixture.expected_decisions, NullReason.NO_EXPECTED_DECISIONS)


def constraint_recall(session: Session) -> Finding:
    """Return R_constraint: constraints in the final output, matched as decisions are."""
    return _recall(session, "constraints", session.fixture.constraints, NullReason.NO_CONSTRAINTS)


def incident_recall(session: Session) -> Finding:
    """Return R_incident: 1 if the final output holds the incident, else 0."""
    incident = session.fixture.incident
    if incident is None:
        return unmeasured(NullReason.NO_INCIDENT)
    output = session.final_output
    if output is None:
        return unmeasured(without_output(session))
    found = holds_key(incident.key, output)
    return Finding(surfaced(found=found), f"incident {'found' if found else 'missing'}: {incident.key}", basis="trace")


def without_output(session: Session) -> NullReason:
    """Return why there is no final output."""
    return NullReason.NO_FINAL_OUTPUT if session.trace.events else NullReason.NOTHING_RECORDED


def _recall(session: Session, noun: str, expected: Sequence[ExpectedKey], none_expected: NullReason) -> Finding:
    if not expected:
        return unmeasured(none_expected)
    output = session.final_output
    if output is None:
        return unmeasured(without_output(session))
    keys = distinct([item.key for item in expected])
    return shared(noun, keys, {key for key in keys if holds_key(key, output)})


def distinct(names: Sequence[str]) -> list[str]:
    """Return the names without those that repeat an earlier one in another case or spelling."""
    return list({folded(name): name for name in reversed(names)}.values())[::-1]
