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
from judge.text.normalise import is_empty

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
        pytest.param("The call was at 15:00 on 7 May 2024.", "3pm on May 7th '24", None, "supported", id="bare-equal-date-and-time"),
        pytest.param("The call was at 15:00 on 7 May 2024.", "3pm on 7/5", None, "not_addressed", id="ambiguous-date"),
        pytest.param("The call was on 7 May 2024.", "It was on 2024-05-07.", None, "supported", id="iso-date"),
        pytest.param("The trip took 18 days.", "19 days", None, "contradicted", id="bare-other-value-without-a-question"),
        pytest.param("The path is 3 km long.", "The path is 3,000 m long.", None, "supported", id="equal-length"),
        pytest.param("The path is 3 km long.", "The path is 3 miles long.", None, "contradicted", id="other-length"),
        pytest.param("Half the members voted.", "50 percent of the members voted.", None, "supported", id="equal-share"),
        pytest.param("The mill has 12 sails.", "The mill has 40 sails. The barn has 12.", None, "contradicted", id="value-of-another"),
        pytest.param("Oda sold the mill.", "The mill was being sold by Oda.", None, "supported", id="irregular-verb"),
        pytest.param("A ship/vessel left Tarn.", "A vessel left Tarn at dawn.", None, "supported", id="one-side-of-a-slash"),
        pytest.param("Karl owns the red boat.", "Bruno owns the red boat.", None, "not_addressed", id="another-name-first"),
        pytest.param("The red boat belongs to Karl.", "The red boat belongs to Bruno.", None, "not_addressed", id="another-name-last"),
        pytest.param("Karl owns a car.", "Karl owns a boat. Bruno owns a car.", None, "not_addressed", id="names-with-other-things"),
        pytest.param("Karl owns the red boat.", "Karl sails. He owns the red boat.", None, "supported", id="name-before"),
        pytest.param("The shop delivers daily.", "The shop never fails to deliver daily.", None, "supported", id="double-negation"),
        pytest.param("The shop does not deliver.", "The shop doesn't deliver on Mondays.", None, "supported", id="both-deny"),
        pytest.param("The shop does not deliver.", "The shop delivers on Mondays.", None, "contradicted", id="only-the-statement-denies"),
        pytest.param("Bruno slept.", "No guest complained, and Bruno slept.", None, "supported", id="denial-of-something-else"),
        pytest.param("The mill closed.", "The mill stands.", "Has the mill closed?", "not_addressed", id="nothing-beyond-the-question"),
        pytest.param("The mill … burnt.", "The mill stands. The barn burnt.", None, "not_addressed", id="scattered-pieces"),
        pytest.param("The ferry sank. It burnt.", "It is not true that the ferry sank. It burnt.", None, "contradicted", id="half-denied"),
        pytest.param("The ferry sank. It burnt.", "So: the ferry sank. It burnt. We wept.", None, "supported", id="over-two-sentences"),
        pytest.param("It ran on v2.1.3.", "It ran on v2.1.4.", None, "not_addressed", id="another-version"),
        pytest.param("It listens on 10.0.0.1.", "The server listens on 10.0.0.1 only.", None, "supported", id="the-same-address"),
        pytest.param("The train left platform B.", "The train left platform C.", None, "not_addressed", id="another-letter"),
        pytest.param("The film lasts 1 hour.", "The film lasts 1 hour 30 minutes.", None, "contradicted", id="a-value-that-goes-on"),
        pytest.param("The sample has 102 cells.", "The sample has 10² cells.", None, "contradicted", id="raised-digits"),
        pytest.param("The bottle holds 2 litres.", "The bottle holds 1½ litres.", None, "contradicted", id="a-fraction-in-one-character"),
        pytest.param("The unit draws 5 MW.", "The unit draws 5 mW.", None, "contradicted", id="units-that-differ-in-case"),
        pytest.param("Oda was born in 1912.", "Oda was born in 1912 in Tarn.", None, "supported", id="a-year-is-no-measure"),
        pytest.param("The theatre opened in 1850.", "The theatre opened with 1850 seats.", None, "not_addressed", id="a-count-is-no-year"),
        pytest.param("Oda owns one boat.", "Oda owns two boats.", None, "contradicted", id="one-is-a-number"),
        pytest.param("It needs version 2.1.", "It needs version 2.10.", None, "not_addressed", id="a-version-is-no-decimal"),
        pytest.param("The lights are on.", "The lights are off.", None, "contradicted", id="on-and-off"),
        pytest.param("Sales rose by 5%.", "Sales fell by 5%.", None, "contradicted", id="up-and-down"),
        pytest.param("Sales rose by 5%.", "Sales fell by 3%.", None, "not_addressed", id="another-fall"),
        pytest.param("Most members voted.", "Few members voted.", None, "contradicted", id="most-and-few"),
        pytest.param("Most voted for the plan.", "Most voted against the plan.", None, "contradicted", id="for-and-against"),
        pytest.param("The ball is under the table.", "The ball is over the table.", None, "contradicted", id="under-and-over"),
        pytest.param("The path is longer than 5 km.", "The path is shorter than 5 km.", None, "contradicted", id="opposite-bounds"),
        pytest.param("Oda was born in 1912.", "Oda died in 1912.", None, "not_addressed", id="two-events-of-one-year"),
        pytest.param("It opened in May and closed in June.", "It opened in May; it closed in June.", None, "supported", id="both-sides"),
        pytest.param("Oda is taller than Karl.", "Karl is shorter than Oda.", None, "supported", id="opposite-and-swapped"),
        pytest.param("The cat chased the dog.", "The dog chased the cat.", None, "contradicted", id="swapped-nouns"),
        pytest.param("The cat chased the dog.", "The dog was chased by the cat.", None, "supported", id="nouns-in-the-passive"),
        pytest.param("Team Red beat Team Blue.", "Team Blue beat Team Red.", None, "contradicted", id="swapped-long-names"),
        pytest.param("Oda was hired by Karl.", "Karl was hired by Oda.", None, "contradicted", id="swapped-in-the-passive"),
        pytest.param("Oda built the mill.", "Oda or Karl built the mill.", None, "not_addressed", id="a-choice-of-names"),
        pytest.param("It covers fire.", "It covers everything except fire.", None, "contradicted", id="except"),
        pytest.param("The plan covers fire.", "The plan excludes fire.", None, "contradicted", id="excludes"),
        pytest.param("The pill is safe for children.", "The pill is unsafe for children.", None, "contradicted", id="un"),
        pytest.param("The pill is safe for children.", "The pill isn't unsafe for children.", None, "supported", id="not-un"),
        pytest.param("The mayor is Oda Lind.", "Oda Lind is no longer the mayor.", None, "contradicted", id="no-longer"),
        pytest.param("It opened in 1912.", "It did not open in 1921; it opened in 1912.", None, "supported", id="denial-of-another-year"),
        pytest.param("It opened in 1921.", "It did not open in 1921; it opened in 1912.", None, "contradicted", id="denial-of-this-year"),
        pytest.param("It was signed in Rome.", "It was not signed in Paris but in Rome.", None, "supported", id="not-here-but-there"),
        pytest.param("It was signed in Paris.", "It was not signed in Paris but in Rome.", None, "contradicted", id="but-not-here"),
        pytest.param("Le train est complet.", "Le train n'est pas complet.", None, "contradicted", id="french"),
        pytest.param("Il treno è veloce.", "Il treno non è veloce.", None, "contradicted", id="italian"),
        pytest.param("O trem é rápido.", "O trem não é rápido.", None, "contradicted", id="portuguese"),
        pytest.param("De trein is snel.", "De trein is niet snel.", None, "contradicted", id="dutch"),
        pytest.param("ट्रेन तेज़ है।", "ट्रेन तेज़ नहीं है।", None, "contradicted", id="hindi"),
        pytest.param("電車は速い。", "電車は速くない。", None, "contradicted", id="japanese"),
        pytest.param("The May fair is old.", "The fair in June is old.", None, "contradicted", id="may-is-a-month"),
        pytest.param("The hotel offers refunds.", "We do not offer refunds.", None, "contradicted", id="a-denial-that-declines-nothing"),
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


FERRY = "The ferry sank in 1912."


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        pytest.param("It is not true that the ferry sank in 1912.", "contradicted", id="not-true-that"),
        pytest.param("Some say the ferry sank in 1912, but that is wrong.", "contradicted", id="denied-in-the-same-sentence"),
        pytest.param("A leaflet says 'The ferry sank in 1912'. That is a mistake.", "contradicted", id="denied-in-the-next-sentence"),
        pytest.param("The claim that the ferry sank in 1912 is unfounded.", "contradicted", id="claim-is-unfounded"),
        pytest.param("Nobody believes that the ferry sank in 1912.", "contradicted", id="nobody-believes"),
        pytest.param("The archive denies that the ferry sank in 1912.", "contradicted", id="somebody-denies"),
        pytest.param("Some say the ferry sank in 1912.", "not_addressed", id="unnamed-others-say"),
        pytest.param("Oda says the ferry sank in 1912; I take no position.", "not_addressed", id="left-open"),
        pytest.param("The ferry sank either in 1912 or in 1913.", "not_addressed", id="a-choice"),
        pytest.param("Is it likely the ferry sank in 1912?", "not_addressed", id="a-question"),
        pytest.param("I do not know whether the ferry sank in 1912.", "not_addressed", id="unknown"),
        pytest.param("It matters little whether the ferry sank in 1912.", "not_addressed", id="whether"),
        pytest.param("It is not wrong that the ferry sank in 1912.", "supported", id="denial-of-a-denial"),
        pytest.param("The ferry sank in 1912 or 1913.", "not_addressed", id="one-of-two-years"),
        pytest.param("The ferry sank in 1912. That is wrong.", "contradicted", id="taken-back"),
        pytest.param("The ferry sank in 1912. Correction: in 1921.", "contradicted", id="corrected"),
        pytest.param("Had the ferry sank in 1912, it would be famous.", "not_addressed", id="counterfactual"),
        pytest.param("Oda falsely said the ferry sank in 1912.", "contradicted", id="falsely-said"),
        pytest.param("There is no evidence that the ferry sank in 1912.", "not_addressed", id="no-evidence"),
        pytest.param("I am not sure that the ferry sank in 1912.", "not_addressed", id="not-sure"),
        pytest.param("There is no doubt that the ferry sank in 1912.", "supported", id="no-doubt"),
        pytest.param("Nobody denies that the ferry sank in 1912.", "supported", id="nobody-denies"),
        pytest.param("It is not disputed that the ferry sank in 1912.", "supported", id="not-disputed"),
        pytest.param("As we all know, the ferry sank in 1912.", "supported", id="asserted-by-the-way"),
        pytest.param("I think the ferry sank in 1912.", "supported", id="hedged"),
        pytest.param("Some say the ferry burnt. The ferry sank in 1912.", "supported", id="after-what-others-say"),
    ],
)
def test_words_that_stand_in_the_answer_must_be_asserted_there(answer: str, expected: str) -> None:
    """A statement may be repeated word for word only to be denied, left open or passed on."""
    assert verdict(FERRY, answer).label is Label(expected)


def test_a_denied_statement_supports_its_opposite() -> None:
    """Denying a denial is no denial, and a denied denial denies."""
    assert verdict("The ferry did not sink.", "It is not true that the ferry sank.").label is Label.SUPPORTED
    assert verdict("The ferry did not sink.", "It is false that the ferry did not sink.").label is Label.CONTRADICTED


@pytest.mark.parametrize(
    ("statement", "answer", "expected"),
    [
        ("The mill is red.", "Bake a cake.", "shares enough words"),
        ("Oda's mill burnt.", "Oda sold the mill.", "lacks the word"),
        ("Oda owns 12 red boats.", "Oda owns red boats.", "does not give the value"),
        ("The call with Oda was on 7 May 2024.", "The call with Oda was on 7/5/2024.", "two ways"),
        ("The ferry sank in Tarn.", "Some say the ferry sank in Tarn at night.", "only reports it"),
        ("The red boat belongs to Karl.", "The red boat belongs to Bruno.", "something else"),
    ],
)
def test_nothing_found_has_a_reason(statement: str, answer: str, expected: str) -> None:
    """A statement that is not addressed comes with what was missing."""
    outcome = verdict(statement, answer)
    assert outcome.label is Label.NOT_ADDRESSED
    assert expected in outcome.rationale


def test_a_number_and_its_digits_are_not_the_same() -> None:
    """Counts that share digits or units do not stand for one another."""
    answer = "977,633 people came; 27 percent; ten yrs"
    assert [verdict(text, answer).label for text in ("977633 people came.", "27%", "10 years")] == [Label.SUPPORTED] * 3
    assert verdict("977633 visitors", answer).label is Label.SUPPORTED
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


TORN = st.lists(st.sampled_from(["Oda", "sold", "the mill", "…", " ... ", "[…]", ".", " ", "\n", "not", "12", "½"]), max_size=14).map(
    "".join
)


@given(statement=st.text(max_size=60) | TORN, answer=st.text(max_size=120) | TORN)
def test_what_is_decided_is_quoted(statement: str, answer: str) -> None:
    """Supported and contradicted always come with a span that can be found again."""
    outcome = verdict(statement, answer)
    assert outcome.quote is None or outcome.quote in answer
    assert (outcome.label is Label.NOT_ADDRESSED) is (outcome.quote is None)


SENTENCES = [
    "The mill was built in 1702.",
    "Oda Lind sold the mill for 900 crowns.",
    "Some say the mill burnt, but that is wrong.",
    "The mill does not stand in Tarn.",
    "Karl owns 12 boats.",
    "Bruno reports to Alice.",
]
DECOYS = [
    *SENTENCES,
    "The mill was built in 1720.",
    "The mill burnt.",
    "Alice reports to Bruno.",
    "Karl owns a dozen boats.",
    "The mill stands in Tarn.",
]
texts_of_statements = st.lists(st.sampled_from(DECOYS), min_size=1, max_size=6, unique=True)


decoys = st.sampled_from(DECOYS) | st.text(max_size=40)
answers = st.lists(st.sampled_from(SENTENCES)).map(" ".join)


@given(texts=texts_of_statements, decoy=decoys, answer=answers, data=st.data())
def test_a_label_depends_on_its_own_statement_alone(texts: list[str], decoy: str, answer: str, data: st.DataObject) -> None:
    """Neither the order of the statements nor a further one changes a verdict, and every decision quotes a span of the answer."""
    alone = [verdict(one, answer) for one in texts]
    asked = data.draw(st.permutations([*texts, decoy]))
    statements = tuple(Statement(id=f"s{place}", text=one) for place, one in enumerate(asked))
    outcomes = label(LabelRequest(question=None, answer=answer, statements=statements, ask_abstention=True)).outcomes
    assert [outcomes[f"s{asked.index(one)}"] for one in texts] == alone
    assert all(one.quote in answer for one in alone if one.quote is not None)


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
        pytest.param("I don't know.", AbstentionValue.ABSTAINED, id="short"),
        pytest.param("The document doesn't say.", AbstentionValue.ABSTAINED, id="document-does-not-say"),
        pytest.param("There is no mention of the colour.", AbstentionValue.ABSTAINED, id="no-mention"),
        pytest.param("It's unclear from the notes.", AbstentionValue.ABSTAINED, id="unclear"),
        pytest.param("I can't help with that. You should consult a doctor.", AbstentionValue.ABSTAINED, id="advice-only"),
        pytest.param("I can't say. The files of 1900 were lost.", AbstentionValue.ABSTAINED, id="why-it-is-not-known"),
        pytest.param("Not mentioned. But I guess it was red.", AbstentionValue.PARTLY_ABSTAINED, id="guess"),
        pytest.param("I can't say. Perhaps a fox.", AbstentionValue.PARTLY_ABSTAINED, id="perhaps"),
        pytest.param("I don't know for certain. It was probably Oda.", AbstentionValue.PARTLY_ABSTAINED, id="probably"),
        pytest.param("I do not know. It could have been a boat.", AbstentionValue.PARTLY_ABSTAINED, id="could-have-been"),
        pytest.param("I don't know the exact year. It opened in 1850.", AbstentionValue.PARTLY_ABSTAINED, id="value"),
        pytest.param("The notes do not say, but it might have been red.", AbstentionValue.ANSWERED, id="guess-in-the-same-sentence"),
        pytest.param("It opened in May. The notes do not say who paid.", AbstentionValue.PARTLY_ABSTAINED, id="one-part-answered"),
        pytest.param('The clerk wrote: "I cannot help with that." Then he left.', AbstentionValue.ANSWERED, id="quoted-refusal"),
        pytest.param("He said 'I don't know' and left. The mill was built by Oda.", AbstentionValue.ANSWERED, id="quoted-in-passing"),
        pytest.param("We do not know who painted it, the label reads.", AbstentionValue.ANSWERED, id="attributed-refusal"),
        pytest.param("The film I Cannot Tell a Lie was made in 1999.", AbstentionValue.ANSWERED, id="title"),
        pytest.param("I don't know. Paris.", AbstentionValue.PARTLY_ABSTAINED, id="bare-answer"),
        pytest.param("I cannot help with that. The answer is Paris.", AbstentionValue.PARTLY_ABSTAINED, id="the-answer-is"),
        pytest.param("I don't know. I'd guess Oda.", AbstentionValue.PARTLY_ABSTAINED, id="i-would-guess"),
        pytest.param("I can't help with that. Kicking a horse is dangerous. Please seek help.", AbstentionValue.ABSTAINED, id="morals"),
        pytest.param("I can't help with that. It is illegal in Norway since 1990.", AbstentionValue.PARTLY_ABSTAINED, id="facts-in-morals"),
        pytest.param("Ich kann Ihnen sagen, dass der Turm nicht 300 Meter hoch ist.", AbstentionValue.ANSWERED, id="german-answer"),
        pytest.param("No puedo creer que mida 300 metros, pero así es.", AbstentionValue.ANSWERED, id="spanish-answer"),
        pytest.param("The author is unknown to most readers, yet she sold 3,000 copies.", AbstentionValue.ANSWERED, id="keyword-alone"),
    ],
)
def test_abstention(answer: str, expected: AbstentionValue) -> None:
    """The whole answer decides, not one keyword."""
    outcome = abstention(answer)
    assert isinstance(outcome, AbstentionVerdict)
    assert outcome.value is expected
    assert outcome.quote is None or outcome.quote in answer


@pytest.mark.parametrize(
    "answer",
    [
        *("No idea.", "Not sure.", "N/A", "Insufficient information.", "It is impossible to say.", "None of the documents say who paid."),
        *("I respectfully decline to answer.", "i dont know", "I dunno", "The notes give no answer.", "I lack the information to answer."),
        *("The answer is not in the provided documents.", "That's beyond my knowledge.", "I wasn't able to find that."),
        *("Keine Ahnung.", "Das weiß ich nicht.", "Das steht nicht im Text.", "Je n'ai pas d'information.", "मुझे नहीं पता।", "Nie wiem."),
    ],
)
def test_short_and_foreign_ways_to_decline(answer: str) -> None:
    """Whoever has nothing to say says so in few words and in any language."""
    assert getattr(abstention(answer), "value", None) is AbstentionValue.ABSTAINED


@pytest.mark.parametrize(
    "answer",
    [
        *("We do not offer refunds.", "It is not legal to park here.", "It is not possible to enter the museum on Mondays."),
        *("We did not find any survivors.", "The report does not include the pension costs, which were 3 million."),
        *("The constitution does not mention God.", "The text of the treaty does not mention slavery.", "I can help with that."),
    ],
)
def test_denials_about_the_world_are_answers(answer: str) -> None:
    """What is not done, allowed or mentioned elsewhere is a fact like any other."""
    assert getattr(abstention(answer), "value", None) is AbstentionValue.ANSWERED


@pytest.mark.parametrize(("question", "expected"), [("Is the path dangerous?", "partly_abstained"), ("How do I get up?", "abstained")])
def test_a_word_of_morals_may_be_what_was_asked(question: str, expected: str) -> None:
    """A verdict that answers the question is no sermon."""
    answer = "I cannot give you the height. The path along the cliff is dangerous in winter. The path by the river is dangerous too."
    assert getattr(abstention(answer, question), "value", None) == expected


def test_an_echo_of_the_question_is_no_answer() -> None:
    """What the question already says carries nothing; without the question it might."""
    outcomes = [abstention("Who built the mill? I do not know.", question) for question in ("Who built the mill?", None)]
    values = [outcome.value for outcome in outcomes if isinstance(outcome, AbstentionVerdict)]
    assert values == [AbstentionValue.ABSTAINED, AbstentionValue.PARTLY_ABSTAINED]


def test_abstention_is_judged_only_where_asked() -> None:
    """Later chunks of a request do not ask again."""
    request = LabelRequest(question=None, answer="I do not know.", statements=(), ask_abstention=False)
    assert label(request) == Labels(abstention=None, outcomes={})


def test_empty_answer_has_no_abstention() -> None:
    """Saying nothing is not declining."""
    outcome = abstention(" … ")
    assert isinstance(outcome, Unjudged)
    assert outcome.reason is UnjudgedReason.EMPTY_ANSWER


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("The documents do not say who paid for the roof, so I cannot tell.", Label.SUPPORTED),
        ("The documents do not state who paid for the roof.", Label.SUPPORTED),
        ("The Brandt Foundation paid for the roof.", Label.NOT_ADDRESSED),
        ("The roof is red.", Label.NOT_ADDRESSED),
    ],
)
def test_a_gap_is_admitted_by_a_sentence_that_declines(answer: str, expected: Label) -> None:
    """Of what is not known, a refusal to tell is the very statement; of anything else it says nothing."""
    assert verdict("The documents do not say who paid for the roof.", answer, "Who paid for the roof?").label is expected


@pytest.mark.parametrize(
    ("statement", "answer", "expected"),
    [
        ("Dogs are allowed on the beach.", "No dogs are allowed on the beach.", Label.CONTRADICTED),
        ("Fees apply.", "No fees apply.", Label.CONTRADICTED),
        ("Tickets are refundable.", "Tickets are refundable under no circumstances.", Label.CONTRADICTED),
        ("The mill is old.", "The mill is old, but not red.", Label.SUPPORTED),
        ("Der Preis ist 3.500 Euro.", "Der Preis ist 3500 Euro.", Label.SUPPORTED),
        ("The rope is 1.609 km long.", "The rope is 1 mile long.", Label.SUPPORTED),
        ("The rope is 3.500 km long.", "The rope is 3.6 km long.", Label.CONTRADICTED),
        ("Die Brücke wurde am 4. Mai 1964 eröffnet.", "Die Brücke wurde am 04.05.1964 eröffnet.", Label.SUPPORTED),
    ],
)
def test_words_around_a_statement_and_ways_to_write_a_value(statement: str, answer: str, expected: Label) -> None:
    """A statement within a denial is not asserted; a full stop may part thousands; months have names in German."""
    assert verdict(statement, answer).label is expected


@pytest.mark.parametrize("answer", ["I'm not sure, but probably 1964.", "I'm not sure, but probably Anna."])
def test_a_guess_after_a_turn_is_an_answer(answer: str) -> None:
    """However short it is."""
    outcome = abstention(answer, "Who, and when?")
    assert isinstance(outcome, AbstentionVerdict)
    assert outcome.value is AbstentionValue.ANSWERED
