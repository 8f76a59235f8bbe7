"""What is flagged in a decomposition: loss, invention, pronouns, compounds, doubles."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.checks import check_split
from judge.lint.findings import lint
from judge.offline_split import split_offline
from judge.resplitting import better_split, split_note
from judge.schema.propositions import Proposition
from judge.schema.requests import DecomposeRequest
from judge.text.assertions import joins_assertions, opens_with_pronoun, split_assertions
from judge.text.checkable import is_checkable


def kinds(ground_truth: str, texts: Sequence[str], question: str | None = None) -> list[str]:
    """Return the kinds of findings for propositions that all have the whole text as their span."""
    propositions = [Proposition(id=f"p{number}", text=text, source_quote=ground_truth) for number, text in enumerate(texts, start=1)]
    return sorted(finding.kind for finding in lint(ground_truth, question, propositions))


@pytest.mark.parametrize(
    ("ground_truth", "texts", "expected"),
    [
        pytest.param("The mill has 340 looms.", ["The mill has looms."], ["lost_number"], id="number"),
        pytest.param("The mill has twelve looms.", ["The mill has looms."], ["lost_number"], id="number-word"),
        pytest.param("The mill has 1,200 looms.", ["The mill has 1200 looms."], [], id="number-in-other-digits"),
        pytest.param("The mill has twelve looms.", ["The mill has 12 looms."], [], id="number-in-words-and-digits"),
        pytest.param("The code is QX12.", ["The code is secret."], ["lost_number"], id="name-with-digits"),
        pytest.param("Use v1.2.3.", ["Use v1.2."], ["lost_number"], id="version-cut-short"),
        pytest.param("The mill opened on 4 May 1964.", ["The mill opened in May 1964."], ["lost_date"], id="day"),
        pytest.param("The shop opens at 15:00.", ["The shop opens at 3 pm."], [], id="clock-in-another-form"),
        pytest.param("The shop opens at 15:00.", ["The shop opens."], ["lost_date"], id="clock"),
        pytest.param("The road is 12 km long.", ["The road is 12 long."], ["lost_unit"], id="unit"),
        pytest.param("The road is 12 km long.", ["The road is 12,000 m long."], [], id="unit-converted"),
        pytest.param("The mill is not open.", ["The mill is open."], ["lost_negation"], id="negation"),
        pytest.param("Nobody may enter the mill.", ["Entering the mill is not allowed."], [], id="negation-in-other-words"),
        pytest.param("The mill is open daily except Monday.", ["The mill is open daily."], ["lost_exception"], id="exception"),
        pytest.param(
            "The mill is open daily except Monday.",
            ["The mill is open daily.", "The mill is not open on Monday."],
            [],
            id="exception-as-denial",
        ),
        pytest.param("Dogs are not allowed, except on Sundays.", ["Dogs are not allowed."], ["lost_exception"], id="denied-exception"),
        pytest.param("No group of more than 9 may enter.", ["No group of 9 may enter."], ["lost_comparison"], id="denied-comparison"),
        pytest.param("Only members may enter the mill.", ["Members may enter the mill."], ["lost_exception"], id="only"),
        pytest.param("The mill closes if it snows.", ["The mill closes."], ["lost_condition"], id="condition"),
        pytest.param("The mill has more looms than Dain.", ["The mill has looms."], ["lost_comparison"], id="comparison"),
        pytest.param("The mill has at least 5 looms.", ["The mill has 5 looms."], ["lost_comparison"], id="at-least"),
        pytest.param("The mill has about 5 looms.", ["The mill has 5 looms."], ["lost_hedge"], id="hedge"),
        pytest.param("大桥不长。", ["大桥长。"], ["lost_negation"], id="chinese-negation"),
        pytest.param("桥长38.5公里，1926年开放。", ["桥长38.5公里。"], ["lost_number"], id="chinese-year"),
        pytest.param("公司营业额3.4亿元。", ["公司营业额3.4亿元。"], [], id="chinese-scale"),
        pytest.param("橋は通れない。", ["橋は通れる。"], ["lost_negation"], id="japanese-negation"),
        pytest.param("بُني الجسر عام ١٩٣٢.", ["بُني الجسر."], ["lost_date"], id="arabic-digits"),
        pytest.param("बाँध नहीं टूटा।", ["बाँध टूटा।"], ["lost_negation"], id="hindi-negation"),
        pytest.param("Il museo non è aperto.", ["Il museo è aperto."], ["lost_negation"], id="italian-negation"),
        pytest.param("O museu não abre.", ["O museu abre."], ["lost_negation"], id="portuguese-negation"),
        pytest.param("Few visitors came.", ["Visitors came."], ["lost_negation"], id="few"),
        pytest.param("Bus No. 5 is red.", ["Bus number 5 is red."], [], id="no-as-number"),
        pytest.param("Rain fell on 7/5/2024.", ["Rain fell on 7/6/2024."], ["invented_number", "lost_number"], id="slashed-date"),
        pytest.param("The ticket costs 5 Swiss francs.", ["The ticket costs 5."], ["lost_unit"], id="unit-of-no-table"),
        pytest.param("The net runs at 230 V.", ["The net runs at 230 A."], ["lost_unit"], id="short-unit"),
        pytest.param("Im Mai ist der Park nicht offen.", ["Im Mai ist der Park offen."], ["lost_negation"], id="may-is-no-never"),
        pytest.param("Bach was not only rich but also old.", ["Bach was rich.", "Bach was old."], [], id="not-only"),
        pytest.param("The book is about cats.", ["The topic of the book is cats."], [], id="about-a-topic"),
        pytest.param("If it rains, the fair closes.", ["The fair closes when it rains."], [], id="when-for-if"),
        pytest.param("Als Mozart nach Wien zog, war er alt.", ["Mozart war alt.", "Mozart zog nach Wien."], [], id="als-as-when"),
        pytest.param("O museu fica no Porto.", ["O museu está em Porto."], [], id="portuguese-no"),
        pytest.param("Der Preis ist 3.500 Euro.", ["Der Preis ist 3500 Euro."], [], id="grouped-by-a-stop"),
        pytest.param("Das Haus ist nicht rot.", ["Das Haus ist rot."], ["lost_negation"], id="german-negation"),
        pytest.param("The mill is old [3].", ["The mill is old."], [], id="footnote-marks-are-no-numbers"),
        pytest.param("3. The mill is old.", ["The mill is old."], [], id="clause-numbers-are-no-numbers"),
        pytest.param("The mill is old.", ["The mill is old.", "The mill has 7 looms."], ["invented", "invented_number"], id="invented"),
        pytest.param("| | Range (km) |\n|---|---|\n| Zef | 310 |", ["The Zef has a range of 310 km."], [], id="unit-from-the-head"),
        pytest.param(
            "Mira sold the boat. She kept the trailer.", ["Mira sold the boat.", "She kept the trailer."], ["pronoun"], id="pronoun"
        ),
        pytest.param("Mira sold the boat and kept the trailer.", ["Mira sold the boat and kept the trailer."], ["compound"], id="compound"),
        pytest.param(
            "The gate opens at 6.",
            ["The gate opens at 6.", "The gate opens at six o'clock."],
            ["probable_duplicate"],
            id="probable-duplicate",
        ),
        pytest.param("The gate opens.", ["The gate opens.", "The gate never opens."], [], id="a-denial-is-no-duplicate"),
    ],
)
def test_findings(ground_truth: str, texts: list[str], expected: list[str]) -> None:
    """Each kind is found, and wordings that keep the fact raise nothing."""
    assert kinds(ground_truth, texts) == expected


def test_a_number_of_the_question_is_not_invented() -> None:
    """A bare value is completed from the question."""
    question = "How long is the bridge of 1932?"
    assert kinds("12 km", ["The bridge of 1932 is 12 km long."], question) == []


def test_a_sentence_without_a_proposition_is_lost() -> None:
    """What no proposition comes from is named, unless its words are repeated elsewhere or it states nothing."""
    text = "# The mill\nThe mill is old. Its owner is Dain. Is it open? Old is the mill."
    propositions = [Proposition(id="p1", text="The mill is old.", source_quote="The mill is old.")]
    assert [(finding.kind, finding.detail) for finding in lint(text, None, propositions)] == [
        ("lost_sentence", "no proposition comes from 'Its owner is Dain.'")
    ]


@pytest.mark.parametrize("second", ["The north gate opens at 6.", "The north gate is not open on Monday.", "Bob pays 6 euros."])
def test_a_sentence_like_another_one_is_lost_all_the_same(second: str) -> None:
    """Common words do not stand for a fact about somebody else."""
    first = "The south gate opens at 6 and is open on Monday for Ann, who pays 6 euros."
    propositions = [Proposition(id="p1", text=first, source_quote=first)]
    assert "lost_sentence" in [finding.kind for finding in lint(f"{first} {second}", None, propositions)]


@pytest.mark.parametrize("quote", ["The mill is old. The barn is red. The shed is new.", "The"])
def test_a_source_quote_covers_only_what_is_told_of_it(quote: str) -> None:
    """Neither a span over the whole text nor one word of it stands for all sentences."""
    text = "The mill is old. The barn is red. The shed is new."
    propositions = [Proposition(id="p1", text="The mill is old.", source_quote=quote)]
    assert [finding.kind for finding in lint(text, None, propositions)] == ["lost_sentence", "lost_sentence"]


def test_a_source_quote_that_a_person_broke_is_flagged() -> None:
    """Edited files are not refused for it."""
    propositions = [Proposition(id="p1", text="The mill is old.", source_quote="The mill was old.")]
    assert "no_source_span" in [finding.kind for finding in lint("The mill is old.", None, propositions)]


@pytest.mark.parametrize(
    "statement",
    [
        "She left.",
        "It opened in 1964.",
        "This made her rich.",
        "Their roof is red.",
        "他卖了船。",
        "彼は船を売った。",
        "هو باع القارب.",
        "वह चला गया।",
        "Elle est partie.",
        "Er ging.",
    ],
)
def test_pronoun_openings(statement: str) -> None:
    """Words that only another sentence explains, in several languages."""
    assert opens_with_pronoun(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "It is forbidden to smoke in the mill.",
        "Es gibt eine Mühle.",
        "Theydon is a village.",
        "Il museo apre alle 9.",
        "Es obligatorio.",
        "Er is een museum.",
        "IT staff left.",
        "彼得大帝建城。",
        "The mill is old.",
        "Itten painted.",
    ],
)
def test_no_pronoun_openings(statement: str) -> None:
    """Expletives and words that only begin like pronouns."""
    assert not opens_with_pronoun(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "The mill opened in 1990 and closed in 2000.",
        "Mira sold the boat, but she kept the trailer.",
        "The mill, which opened in 1990, is red.",
        "The mill is red; the barn is green.",
        "The mill is red. The barn is green.",
        "The tram stops at noon, while the bus runs all day.",
        "The mill is old as well as red.",
        "Das Haus ist alt und wurde verkauft.",
    ],
)
def test_compounds(statement: str) -> None:
    """Two clauses, two sentences, a relative clause between commas."""
    assert joins_assertions(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "The shop sells bread and red wine.",
        "If the bill is paid and signed, it counts.",
        "Dain and Ferrow have 205 employees.",
        "The factor is approx. 1.75.",
        "Dr. J. P. Amo answers questions.",
        "The Alps, the Jura, and much of the plain have cold winters.",
    ],
)
def test_no_compounds(statement: str) -> None:
    """Joined nouns, conditions, abbreviations."""
    assert not joins_assertions(statement)


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        ("The mill is red; the barn is green.", ["The mill is red", "the barn is green."]),
        ("Mira sold the boat, but she kept the trailer.", ["Mira sold the boat", "she kept the trailer."]),
        ("The milk is heated, and the cream is cooled.", ["The milk is heated", "the cream is cooled."]),
        ("If the lamp is red, and the door is shut, wait.", ["If the lamp is red, and the door is shut, wait."]),
        ("In 2021 the mill was sold, and the barn was shut.", ["In 2021 the mill was sold, and the barn was shut."]),
        ("No one but they have the key.", ["No one but they have the key."]),
        ("Ann and she moved the sofa.", ["Ann and she moved the sofa."]),
        ("The hours (it is open; it is free) vary.", ["The hours (it is open; it is free) vary."]),
        ("`a; b` is the syntax; it is old.", ["`a; b` is the syntax", "it is old."]),
        ("He claimed the mill was lost and it was rebuilt.", ["He claimed the mill was lost and it was rebuilt."]),
        ("Bread and wine are sold.", ["Bread and wine are sold."]),
    ],
)
def test_offline_seams(sentence: str, parts: list[str]) -> None:
    """A sentence is cut only where a second clause has a subject of its own."""
    assert split_assertions(sentence) == parts


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Shall we go?", False),
        ("Hello there!", False),
        ("I think the film was lovely.", False),
        ("I think it runs 97 minutes.", True),
        ("Hey Jude was released in 1968.", True),
        ("Hi, the code is 4711.", True),
        ("Welcome Inn never closes.", True),
        ("Dear colleagues,", False),
        ("你好！", False),
        ("नमस्ते!", False),
        ("Thank you very much!", False),
        ("Personally identifiable information stays here.", True),
        ("Personally, it is lovely.", False),
        ("I think the shop is not open on Sundays.", True),
        ("Her last book is called 'Who pays 42 euros?'", True),
        ("'Who pays?'", False),
        ("The film was lovely.", True),
        ("你去吗？", False),
    ],
)
def test_checkable(sentence: str, expected: bool) -> None:
    """An opinion that gives a figure can be checked."""
    assert is_checkable(sentence) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("977633 visitors, 27%, 10 years", ["977633 visitors", "27%", "10 years"], id="values-in-a-row"),
        pytest.param("Kraków, 14 March.", ["Kraków, 14 March."], id="a-place-and-a-date"),
        pytest.param("The mill is old.\nthe MILL is old!", ["The mill is old."], id="duplicates"),
        pytest.param("- red\n- green\n", ["red", "green"], id="list"),
        pytest.param("| a | b |\n|---|---|\n| 1 | 2 |", ["| 1 | 2 |"], id="table"),
        pytest.param("# Pumps\nOpening hours:\n- 9 to 5", ["9 to 5"], id="headings"),
        pytest.param("# Marathon 2022\nThe course is flat.", ["Marathon 2022", "The course is flat."], id="heading-with-a-figure"),
        pytest.param("1958年に完成した。333メートルである。", ["1958年に完成した。", "333メートルである。"], id="figures-after-a-stop"),
        pytest.param("Das Museum öffnete am 12. März 2020. Es regnete.", ["Das Museum öffnete am 12. März 2020.", "Es regnete."], id="day"),
        pytest.param("```\nx = 1\ny = 2\n```", ["```\nx = 1\ny = 2\n```"], id="code"),
        pytest.param("这座桥很长。它是红色的。", ["这座桥很长。", "它是红色的。"], id="chinese"),
        pytest.param("橋は長い。赤い。", ["橋は長い。", "赤い。"], id="japanese"),
        pytest.param("هل هو جسر؟ الجسر طويل.", ["الجسر طويل."], id="arabic"),
        pytest.param("बाँध लंबा है। वह पुराना है।", ["बाँध लंबा है।", "वह पुराना है।"], id="hindi"),
        pytest.param("the mill is old", ["the mill is old"], id="no-final-punctuation"),
        pytest.param("The mill is old; the barn is new.", ["The mill is old", "the barn is new."], id="semicolon"),
    ],
)
def test_splitting_offline(text: str, expected: list[str]) -> None:
    """Lists, tables, code and several languages; each proposition is its own span."""
    split = split_offline(text, None)
    assert [part.text for part in split.propositions] == expected
    assert all(part.source_quote == part.text and part.text in text for part in split.propositions)


def test_merging_leaves_a_trace() -> None:
    """Offline as with a model, a merged duplicate is told."""
    assert [(finding.kind, finding.proposition) for finding in split_offline("The mill is old. The MILL is old!", None).lint] == [
        ("duplicate", "p1")
    ]


def test_offline_what_states_nothing_is_left_out() -> None:
    """Opinions, questions and greetings are listed as excluded."""
    result = split_offline("Hello there! I think the film was lovely. It runs 97 minutes. Shall we go?", None)
    assert [(one.id, one.text, one.source_quote) for one in result.propositions] == [("p1", "It runs 97 minutes.", "It runs 97 minutes.")]
    assert [one.reason for one in result.excluded] == ["not_checkable"] * 3
    assert [(one.kind, one.proposition) for one in result.lint] == [("pronoun", "p1")]


@pytest.mark.parametrize("text", ["Who wrote it?", "Kraków, 14 March.", "42", "你好", "---a"])
def test_offline_a_text_is_never_empty(text: str) -> None:
    """A short or unusual text still is one proposition."""
    assert len(split_offline(text, None).propositions) == 1


def test_offline_the_whole_text_is_told() -> None:
    """The fallback is visible."""
    assert [one.kind for one in split_offline("Who wrote it?", None).lint] == ["whole_text"]


def request(ground_truth: str) -> DecomposeRequest:
    return DecomposeRequest(question=None, ground_truth=ground_truth)


def entries(ground_truth: str, *texts: str) -> dict[str, object]:
    return {"propositions": [{"source_quote": ground_truth, "text": text} for text in texts]}


def test_a_proposition_without_a_word_of_the_text_is_refused() -> None:
    """A real span does not excuse an invented fact."""
    text = "Dana repaired the heater on Monday."
    checked = check_split(entries(text, text, "Einstein won a Nobel Prize."), request(text))
    assert [part.text for part in checked.split.propositions] == [text]
    assert checked.refused == ("invented",)


def test_questions_and_opinions_that_a_model_left_out_are_listed() -> None:
    """What was left out stays in sight."""
    text = "I think the film was lovely. The film runs 97 minutes. Shall we go?"
    checked = check_split(
        {"propositions": [{"source_quote": "The film runs 97 minutes.", "text": "The film runs 97 minutes."}]}, request(text)
    )
    assert [(part.text, part.reason) for part in checked.split.excluded] == [
        ("I think the film was lovely.", "not_checkable"),
        ("Shall we go?", "not_checkable"),
    ]
    assert split_note(checked, request(text)) == ""


def test_the_note_names_the_kinds_of_fault_and_no_text() -> None:
    """What is said of a first reply is ours alone."""
    text = "Mira sold 12 boats and kept the trailer. She left."
    checked = check_split(entries(text, "Mira sold boats and kept the trailer.", "She left."), request(text))
    note = split_note(checked, request(text))
    assert note == (
        "An earlier reply began a proposition with a pronoun instead of naming its subject; it joined several facts in one proposition; "
        "it lost a number. Give the whole list again without these faults."
    )


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        pytest.param(["She left."], ["Mira left."], ["Mira left."], id="fewer-faults"),
        pytest.param(["Mira left."], ["She left."], ["Mira left."], id="more-faults"),
        pytest.param(["Mira left."], ["Mira went away left."], ["Mira left."], id="equal-ones-keep-the-first"),
        pytest.param([], ["She left."], ["She left."], id="something-before-nothing"),
        pytest.param(["She left."], [], ["She left."], id="nothing-replaces-nothing"),
    ],
)
def test_the_better_split_is_kept(first: list[str], second: list[str], kept: list[str]) -> None:
    """Fewer faults win."""
    text = "Mira left."
    splits = [check_split(entries(text, *texts), request(text)) for texts in (first, second)]
    assert [part.text for part in better_split(*splits).split.propositions] == kept
    assert better_split(splits[0], None) is splits[0]


WORDS = st.lists(
    st.sampled_from(["Mira", "sold", "12", "km", "not", "except", "桥", "1990年", ".", "\n", "- ", "and", "she", "|", "?", "4 May 1964"]),
    max_size=25,
).map(" ".join)


@given(text=WORDS | st.text(max_size=80))
def test_nothing_is_lost_offline(text: str) -> None:
    """Whatever the text, the baseline keeps every number, date, unit and qualifier of what it does not leave out."""
    text = text.encode("utf-8", "replace").decode()
    assert not [finding for finding in split_offline(text, None).lint if finding.kind.startswith(("lost", "invented", "no_source"))]
