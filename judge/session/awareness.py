"""Whether the agent knew what it does not know: A_coverage, A_abstention."""

from judge.schema.events import GapAssessment
from judge.session.answers import distinct
from judge.session.finding import Finding
from judge.session.json_values import searchable
from judge.session.matching import holds_key
from judge.session.reasons import NullReason, unmeasured
from judge.session.view import Session, calls_for, placed, results_for
from judge.session.wording import shared


def coverage_awareness(session: Session) -> Finding:
    """Return A_coverage: gaps named by an assessment before acting / all gaps; 0 if there was no assessment."""
    gaps = distinct(session.fixture.gaps)
    if not gaps:
        return unmeasured(NullReason.NO_GAPS)
    if not session.can_tell("gap_assessment"):
        return unmeasured(NullReason.NOT_RECORDED)
    texts = [(place, gap) for place, event in placed(session, GapAssessment) for gap in (*event.gaps, "")]
    texts += results_for(session, "gap_assessment")
    # What the agent itself hands to such a tool is its assessment too.
    texts += [
        (place, text) for place, call in calls_for(session, "gap_assessment") for text in searchable(call.arguments) if call.outcome == "ok"
    ]
    if not texts:
        return Finding(0.0, f"no gap assessment; gaps: {len(gaps)}", basis="trace")
    acting = session.acting
    early = [text for place, text in texts if place < acting]
    if not early:
        return Finding(0.0, f"the gap assessment came only after acting; gaps: {len(gaps)}", basis="trace")
    return shared("gaps named before acting", gaps, {gap for gap in gaps if any(holds_key(gap, text) for text in early)})


def abstention(session: Session) -> Finding:
    """Return A_abstention: unanswerable questions to which the answer is flagged as abstaining / all of them. Phrases decide nothing."""
    questions = [question.id for question in session.fixture.unanswerable_questions]
    if not questions:
        return unmeasured(NullReason.NO_UNANSWERABLE_QUESTIONS)
    flags = {answer.id: answer.abstained for answer in session.trace.answers if answer.abstained is not None}
    known = sum(question in flags for question in questions)
    if known < len(questions):
        reason = NullReason.ABSTENTION_PARTLY_RECORDED if known else NullReason.ABSTENTION_NOT_RECORDED
        return unmeasured(reason, f"{known} of {len(questions)} known")
    return shared("abstained", questions, {question for question in questions if flags[question]}, other="answered")
