"""The offline baseline judge."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.backends.lexical import LexicalJudge, abstention, label
from judge.hashing import identity_id, request_sha256
from judge.offline_split import split_offline
from judge.protocol import Judge
from judge.schema.judgments import Labels, PromptIdentity, Split, Usage
from judge.schema.labels import AbstentionValue, Label, RequestKind, UnjudgedReason
from judge.schema.outcomes import AbstentionVerdict, Unjudged, Verdict
from judge.schema.requests import AppraiseRequest, DecomposeRequest, LabelRequest, Statement
from judge.text.normalise import find_quote, is_empty

POLICY = PromptIdentity(name="standard", version="v1", sha256="0" * 64)


def verdict(statement: str, answer: str, question: str | None = None) -> Verdict:
    """Judge one statement."""
    request = LabelRequest(question=question, answer=answer, statements=(Statement(id="s1", text=statement),), ask_abstention=False)
    outcome = label(request).outcomes["s1"]
    assert isinstance(outcome, Verdict)
    return outcome


def test_identity_holds_the_policy_for_labels_only() -> None:
    """Another policy must not re-split a ground truth."""
    judge: Judge = LexicalJudge(POLICY)
    assert judge.identity(RequestKind.LABEL).policy == POLICY
    assert judge.identity(RequestKind.DECOMPOSE).policy is None
    assert judge.identity(RequestKind.LABEL).backend == "lexical"
    assert [judge.offers(kind) for kind in (RequestKind.DECOMPOSE, RequestKind.LABEL, RequestKind.APPRAISE)] == [True, True, False]


async def test_judgment_names_request_and_identity_and_costs_nothing() -> None:
    """A judgment can be journalled: hashes, no call, no tokens."""
    judge = LexicalJudge()
    request = DecomposeRequest(question=None, ground_truth="It rained.")
    judgment = await judge.judge(request)
    assert judgment.request_sha256 == request_sha256(request)
    assert judgment.identity_id == identity_id(judge.identity(RequestKind.DECOMPOSE))
    assert judgment.usage == Usage(input_tokens=0, output_tokens=0, cost_usd=0.0)
    assert judgment.attempts == 0
    assert isinstance(judgment.content, Split)


async def test_appraisal_is_not_offered() -> None:
    """A mark is not made up."""
    judgment = await LexicalJudge().judge(AppraiseRequest(question=None, answer="a", references=("b",)))
    assert isinstance(judgment.content, Unjudged)
    assert judgment.content.reason is UnjudgedReason.NOT_OFFERED


@pytest.mark.parametrize(
    ("statement", "answer", "question", "expected"),
    [
        pytest.param("Oda Lind built the mill.", "The mill was built by Oda Lind.", None, "supported", id="other-voice"),
        pytest.param("The mill was built in 1702.", "The mill was built in 1720.", None, "contradicted", id="other-year"),
        pytest.param("The mill has 1,000 sails.", "The mill has one thousand sails.", None, "supported", id="equal-number"),
        pytest.param("The shop opens at 15:00.", "It opens at 3 pm.", "When does the shop open?", "supported", id="equal-time"),
        pytest.param("The library closes at 18:00.", "18:00.", "When does the library close?", "supported", id="bare-answer"),
        pytest.param(
            "The theatre has 640 seats.", "460 seats.", "How many seats does the theatre have?", "contradicted", id="bare-other-value"
        ),
        pytest.param("The warranty covers fire.", "The warranty does not cover fire.", None, "contradicted", id="negated"),
        pytest.param("Alice reports to Bob.", "Bob reports to Alice.", None, "contradicted", id="swapped-roles"),
        pytest.param("Hale taught Ibsley.", "Ibsley was taught by Hale.", None, "supported", id="passive-is-no-swap"),
        pytest.param("The oven is at 21 °C.", "The cable is 21 m long.", None, "not_addressed", id="other-dimension"),
        pytest.param("The mill was built by Oda Lind.", "Bake a cake with four eggs.", None, "not_addressed", id="off-topic"),
        pytest.param("The mill was built by Oda Lind.", "...", None, "not_addressed", id="empty"),
        pytest.param("The harbour is in Tarn.", "I do not know where the harbour in Tarn is.", None, "not_addressed", id="declined"),
        pytest.param("It is (any one of these is right): Celtic; Keltic.", "The winner was Celtic.", None, "supported", id="alternatives"),
        pytest.param("It is any one of these: ; ;", "The winner was Celtic.", None, "not_addressed", id="no-alternatives"),
        pytest.param("石桥很长。", "这座石桥很长很宽。", None, "supported", id="chinese"),
    ],
)
def test_labels(statement: str, answer: str, question: str | None, expected: str) -> None:
    """Words, values, denials and roles decide; each decision rests on a span of the answer."""
    outcome = verdict(statement, answer, question)
    assert outcome.label is Label(expected)
    assert outcome.rationale.startswith("baseline: ")
    if outcome.label is Label.NOT_ADDRESSED:
        assert (outcome.quote, outcome.quote_verified) == (None, None)
    else:
        assert outcome.quote is not None
        assert outcome.quote in answer
        assert outcome.quote_verified is True


def test_a_number_and_its_digits_are_not_the_same() -> None:
    """Counts that share digits or units do not stand for one another."""
    answer = "977,633 people came; 27 percent; ten yrs"
    assert [verdict(text, answer).label for text in ("977633 people came.", "27%", "10 years")] == [Label.SUPPORTED] * 3
    assert verdict("633 people came.", answer).label is not Label.SUPPORTED


@given(text=st.text(max_size=150) | st.text(alphabet="aB .!?\n-*#|`'\"…1,你。न।\u200b\u0301", max_size=150))
def test_identical_text_has_recall_one(text: str) -> None:
    """Whatever the text: all that is split off it is supported by it, with a span of it."""
    text = text.encode("utf-8", "replace").decode()
    propositions = split_offline(text, None).propositions
    assert bool(propositions) is not is_empty(text)
    for proposition in propositions:
        outcome = verdict(proposition.text, text)
        assert outcome.label is Label.SUPPORTED
        assert outcome.quote is not None
        assert outcome.quote in text


@given(statement=st.text(max_size=60), answer=st.text(max_size=120))
def test_what_is_decided_is_quoted(statement: str, answer: str) -> None:
    """Supported and contradicted always come with a span that can be found again."""
    outcome = verdict(statement, answer)
    assert outcome.quote is None or find_quote(outcome.quote, answer) is not None or outcome.quote in answer
    assert (outcome.label is Label.NOT_ADDRESSED) is (outcome.quote is None)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        pytest.param("I do not know the population.", AbstentionValue.ABSTAINED, id="does-not-know"),
        pytest.param("I'm sorry, but I can't help with that.", AbstentionValue.ABSTAINED, id="refuses"),
        pytest.param("There is not enough information in the notes to answer this.", AbstentionValue.ABSTAINED, id="no-information"),
        pytest.param("Dazu liegen mir leider keine Angaben vor.", AbstentionValue.ABSTAINED, id="german"),
        pytest.param("عذراً، لا أستطيع الإجابة عن هذا السؤال.", AbstentionValue.ABSTAINED, id="arabic"),
        pytest.param("Lou Marsh founded it. It grew fast. I do not know the year.", AbstentionValue.PARTLY_ABSTAINED, id="partly"),
        pytest.param("As an AI, I have no personal opinions. Rome was founded by Romulus.", AbstentionValue.ANSWERED, id="disclaimer"),
        pytest.param("Sorry to keep you waiting! It is 3,000.", AbstentionValue.ANSWERED, id="courtesy"),
        pytest.param("I cannot be sure who founded it, but the year was 1979.", AbstentionValue.ANSWERED, id="turn"),
        pytest.param("The mayor said: 'I do not know.'", AbstentionValue.ANSWERED, id="reported"),
        pytest.param("The author is unknown to most readers, yet she sold 3,000 copies.", AbstentionValue.ANSWERED, id="keyword-alone"),
    ],
)
def test_abstention(answer: str, expected: AbstentionValue) -> None:
    """The whole answer decides, not one keyword."""
    outcome = abstention(answer)
    assert isinstance(outcome, AbstentionVerdict)
    assert outcome.value is expected
    assert outcome.quote is None or outcome.quote in answer


def test_abstention_is_judged_only_where_asked() -> None:
    """Later chunks of a request do not ask again."""
    request = LabelRequest(question=None, answer="I do not know.", statements=(), ask_abstention=False)
    assert label(request) == Labels(abstention=None, outcomes={})


def test_empty_answer_has_no_abstention() -> None:
    """Saying nothing is not declining."""
    outcome = abstention(" … ")
    assert isinstance(outcome, Unjudged)
    assert outcome.reason is UnjudgedReason.EMPTY_ANSWER
