"""Judges whose every word is decided by a test."""

from judge.hashing import identity_id, request_sha256
from judge.schema.judgments import JudgeIdentity, Judgment, Labels
from judge.schema.labels import Label, RequestKind, UnjudgedReason
from judge.schema.outcomes import Outcome, Unjudged, Verdict
from judge.schema.requests import LabelRequest, Request


def verdict(label: Label = Label.NOT_ADDRESSED, quote: str = "rain", rationale: str = "So.") -> Verdict:
    """Return a verdict; the quote counts only where the label has one."""
    if label is Label.NOT_ADDRESSED:
        return Verdict(label=label, quote=None, quote_verified=None, rationale=rationale)
    return Verdict(label=label, quote=quote, quote_verified=True, rationale=rationale)


def unjudged(reason: UnjudgedReason = UnjudgedReason.RATE_LIMITED) -> Unjudged:
    """Return an outcome that is none."""
    return Unjudged(reason=reason, detail="scripted")


class OneWordJudge:
    """Gives every statement the same outcome under the identity it is given, and keeps the requests it was asked."""

    def __init__(self, identity: JudgeIdentity, outcome: Outcome) -> None:
        """Keep who this judge is and what it says."""
        self._identity = identity
        self._outcome = outcome
        self.asked: list[Request] = []

    def identity(self, kind: RequestKind) -> JudgeIdentity:
        """Return the given identity, for this kind."""
        return self._identity.model_copy(update={"kind": kind})

    def offers(self, kind: RequestKind) -> bool:
        """Return whether the kind is labelling."""
        return kind is RequestKind.LABEL

    async def judge(self, request: Request) -> Judgment:
        """Return the one outcome for every statement of a label request."""
        assert isinstance(request, LabelRequest)
        self.asked.append(request)
        return Judgment(
            request_sha256=request_sha256(request),
            identity_id=identity_id(self.identity(request.kind)),
            content=Labels(abstention=None, outcomes={statement.id: self._outcome for statement in request.statements}),
            attempts=1,
        )
