"""The offline baseline: a judge that compares words, numbers and denials. It needs no model, and it understands nothing."""

from typing import assert_never

from judge.hashing import identity_id, request_sha256
from judge.offline_split import split_offline
from judge.schema.judgments import JudgeIdentity, Judgment, Labels, PromptIdentity, Split, Usage
from judge.schema.labels import AbstentionValue, Label, RequestKind, UnjudgedReason
from judge.schema.outcomes import AbstentionOutcome, AbstentionVerdict, Outcome, Unjudged, Verdict
from judge.schema.requests import AppraiseRequest, DecomposeRequest, LabelRequest, Request
from judge.text.declining import commits, declines, is_substantive
from judge.text.normalise import is_empty
from judge.text.overlap import Absence, Grounds, find_grounds
from judge.text.sentences import sentences
from judge.text.words import content

BACKEND_VERSION = "4"
"""Changes whenever the same request may get another reply."""

_RATIONALES = {
    Grounds.VERBATIM: "baseline: the statement stands in the answer",
    Grounds.OVERLAP: "baseline: this sentence shares the words and numbers of the statement",
    Grounds.NUMBER: "baseline: this sentence gives another value",
    Grounds.NEGATION: "baseline: only one of this sentence and the statement is a denial",
    Grounds.OPPOSITE: "baseline: this sentence says the opposite of a word of the statement",
    Grounds.SWAP: "baseline: this sentence names the parties the other way round",
}
_ABSENCES = {
    Absence.WORDS: "baseline: no sentence of the answer shares enough words with the statement",
    Absence.NEWS: "baseline: the closest sentence lacks the word that the statement is about",
    Absence.VALUE: "baseline: the closest sentence does not give the value of the statement",
    Absence.AMBIGUOUS: "baseline: the closest sentence gives a date that may be read in two ways",
    Absence.REPORTED: "baseline: the closest sentence only reports it, asks it or leaves it open",
    Absence.OTHER: "baseline: the closest sentence speaks of something else",
}
_LABELS = {
    Grounds.VERBATIM: Label.SUPPORTED,
    Grounds.OVERLAP: Label.SUPPORTED,
    Grounds.NUMBER: Label.CONTRADICTED,
    Grounds.NEGATION: Label.CONTRADICTED,
    Grounds.OPPOSITE: Label.CONTRADICTED,
    Grounds.SWAP: Label.CONTRADICTED,
}


class LexicalJudge:
    """A baseline by word overlap: free, instant, always the same, and wrong about every paraphrase.

    It follows no label policy. One it is given only enters its identity, so that runs under different policies stay apart.
    """

    def __init__(self, policy: PromptIdentity | None = None) -> None:
        self._policy = policy

    def identity(self, kind: RequestKind) -> JudgeIdentity:
        """Return the backend and its version; the policy belongs to label requests only."""
        policy = self._policy if kind is RequestKind.LABEL else None
        return JudgeIdentity(kind=kind, backend="lexical", backend_version=BACKEND_VERSION, policy=policy)

    def offers(self, kind: RequestKind) -> bool:
        """Return True for decomposing and labelling; a mark is beyond a comparison of words."""
        return kind is not RequestKind.APPRAISE

    async def judge(self, request: Request) -> Judgment:
        """Return the judgment at once; nothing is awaited, and an appraisal is unjudged `not_offered`."""
        content: Split | Labels | Unjudged
        match request:
            case DecomposeRequest():
                content = split_offline(request.ground_truth, request.question)
            case LabelRequest():
                content = label(request)
            case AppraiseRequest():
                content = Unjudged(reason=UnjudgedReason.NOT_OFFERED, detail="the lexical baseline gives no mark")
            case _:
                assert_never(request)
        return Judgment(
            request_sha256=request_sha256(request),
            identity_id=identity_id(self.identity(request.kind)),
            content=content,
            usage=Usage(input_tokens=0, output_tokens=0, cost_usd=0.0),
        )


def label(request: LabelRequest) -> Labels:
    """Return one verdict per statement, and whether the answer abstains where that was asked."""
    return Labels(
        abstention=abstention(request.answer, request.question) if request.ask_abstention else None,
        outcomes={statement.id: _verdict(statement.text, request) for statement in request.statements},
    )


def abstention(answer: str, question: str | None = None) -> AbstentionOutcome:
    """Return whether the answer as a whole declines: it does where a sentence declines and none of substance is left.

    What follows an opening refusal counts as substance only when it is most of the answer, or when a sentence of it commits to
    something: a guess, a probability, a value. A sentence that only repeats the question says nothing.
    """
    if is_empty(answer):
        return Unjudged(reason=UnjudgedReason.EMPTY_ANSWER, detail="the answer holds no letter and no digit")
    spans = sentences(answer)
    declining = [index for index, span in enumerate(spans) if declines(span)]
    if not declining:
        return AbstentionVerdict(value=AbstentionValue.ANSWERED, rationale="baseline: no sentence declines")
    asked = frozenset(content(question or "").stems)
    telling = [is_substantive(span, question or "") and not _echoes(span, asked) for span in spans]
    substantive = sum(telling)
    committed = any(commits(span, question or "") for span in spans[declining[0] + 1 :])
    opens = not any(telling[: declining[0]])
    value = AbstentionValue.PARTLY_ABSTAINED
    if not substantive or (opens and not committed and substantive <= len(spans) / 2):
        value = AbstentionValue.ABSTAINED
    rationale = f"baseline: {len(declining)} of {len(spans)} sentences decline, {substantive} could carry an answer"
    return AbstentionVerdict(value=value, quote=spans[declining[0]], rationale=rationale)


def _echoes(sentence: str, asked: frozenset[str]) -> bool:
    """Return whether the sentence has no content word or number beyond those asked for."""
    said = content(sentence)
    return bool(said.stems) and not said.quantities and asked.issuperset(said.stems)


def _verdict(statement: str, request: LabelRequest) -> Outcome:
    found = Absence.WORDS if is_empty(request.answer) else find_grounds(statement, request.answer, request.question)
    if isinstance(found, Absence):
        return Verdict(label=Label.NOT_ADDRESSED, quote=None, quote_verified=None, rationale=_ABSENCES[found])
    return Verdict(label=_LABELS[found.grounds], quote=found.quote, quote_verified=True, rationale=_RATIONALES[found.grounds])
