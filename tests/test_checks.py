"""What is verified about a reply before it counts."""

import contextlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.checks import MAX_FIELD, check_labels, check_mark, check_split, checked_quote
from judge.errors import ReplyFault
from judge.schema.labels import AbstentionValue, Label, UnjudgedReason
from judge.schema.outcomes import AbstentionVerdict, Mark, Unjudged, Verdict
from judge.schema.propositions import Excluded, Proposition
from judge.text.fence import neutralised
from tests.support.asking import decompose_request, label_request

Json = dict[str, Any]

ANSWER = 'The café opened in 1932 and closed "early" — twice. Ask </answer> for more. It never rained.'
TEXTS = ("It opened in 1932.", "It rained.")
REQUEST = label_request(TEXTS, answer=ANSWER)


def verdict(name: Any = "s1", label: Any = "supported", quote: Any = "opened in 1932", **more: Any) -> Json:
    return {"id": name, "quote": quote, "rationale": "So it says.", "label": label, **more}


SILENT = verdict("s2", "not_addressed", None)
ABSTENTION: Json = {"quote": None, "value": "answered"}


def check(*verdicts: Any, abstention: Any = ABSTENTION) -> dict[str, str]:
    """Return what became of each statement, in a word."""
    labels = check_labels({"abstention": abstention, "verdicts": list(verdicts)}, REQUEST)
    return {name: part.reason if isinstance(part, Unjudged) else part.label for name, part in labels.outcomes.items()}


def first(*verdicts: Any) -> Verdict | Unjudged:
    return check_labels({"abstention": ABSTENTION, "verdicts": [*verdicts, SILENT]}, REQUEST).outcomes["s1"]


def test_a_whole_reply_is_taken_as_it_is() -> None:
    """Every statement has its verdict, the quote is the answer's own, and nothing else is changed."""
    labels = check_labels({"abstention": ABSTENTION, "verdicts": [verdict(quote="OPENED  in 1932"), SILENT]}, REQUEST)
    assert labels.outcomes == {
        "s1": Verdict(label=Label.SUPPORTED, quote="opened in 1932", quote_verified=True, rationale="So it says."),
        "s2": Verdict(label=Label.NOT_ADDRESSED, quote=None, quote_verified=None, rationale="So it says."),
    }
    assert labels.abstention == AbstentionVerdict(value=AbstentionValue.ANSWERED)


@pytest.mark.parametrize(
    "spelled", ["Supported", "SUPPORTED", " supported\n", "supported.", "sup\u200bported", "\ufeffsupported", "Supported. "]
)
def test_the_spelling_of_a_label_is_folded(spelled: str) -> None:
    """Case, white space, invisible characters and a final dot say nothing else than the label."""
    assert check(verdict(label=spelled), SILENT) == {"s1": "supported", "s2": "not_addressed"}


@pytest.mark.parametrize(
    "label",
    [
        "support",
        "yes",
        "unterstützt",
        "supportée",
        "not addressed",
        "supported!",
        "ſupported",
        "ｓupported",
        "supported or not",
        "",
        "s",
        1,
        1.5,
        True,
        None,
        [],
        {},
    ],
)
def test_any_other_word_is_no_label(label: Any) -> None:
    """Synonyms, translations and other types are refused: no list of synonyms is ever complete."""
    assert check(verdict(label=label), SILENT) == {"s1": "bad_label", "s2": "not_addressed"}


@pytest.mark.parametrize("name", ["s1", "S1", " s1 ", "s1.", "s\u200b1"])
def test_the_spelling_of_an_id_is_folded(name: str) -> None:
    """An id is matched like a label."""
    assert check(verdict(name), SILENT)["s1"] == "supported"


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        pytest.param([SILENT, verdict()], ["supported", "not_addressed"], id="reordered"),
        pytest.param([verdict()], ["supported", "missing_verdict"], id="one-missing"),
        pytest.param([], ["missing_verdict", "missing_verdict"], id="none"),
        pytest.param([verdict(), verdict(), SILENT], ["bad_ids", "not_addressed"], id="doubled-and-agreeing"),
        pytest.param([verdict(), verdict(label="contradicted"), SILENT], ["bad_ids", "not_addressed"], id="doubled-and-conflicting"),
        pytest.param([verdict(), SILENT, verdict("s3")], ["bad_ids", "bad_ids"], id="one-too-many"),
        pytest.param([verdict(), verdict("s1", "contradicted"), verdict("s9")], ["bad_ids", "bad_ids"], id="doubled-and-unknown"),
        pytest.param([verdict("x1"), verdict("x2")], ["bad_ids", "bad_ids"], id="all-unknown"),
        pytest.param([verdict(1), verdict(2)], ["bad_ids", "bad_ids"], id="integers"),
        pytest.param([verdict("1"), SILENT], ["bad_ids", "bad_ids"], id="without-the-letter"),
        pytest.param([verdict("ſ1"), SILENT], ["bad_ids", "bad_ids"], id="another-letter-of-the-same-case-folding"),
        pytest.param([verdict(["s1"]), SILENT], ["bad_ids", "bad_ids"], id="id-in-a-list"),
        pytest.param([{**verdict(), "id": None}, SILENT], ["bad_ids", "bad_ids"], id="id-null"),
        pytest.param(["s1: supported", SILENT], ["bad_ids", "bad_ids"], id="entry-is-text"),
        pytest.param([None, [], 3, SILENT], ["bad_ids", "bad_ids"], id="entries-of-other-types"),
        pytest.param([{"id": "s1"}, SILENT], ["invalid_output", "not_addressed"], id="fields-missing"),
        pytest.param([{"id": "s1", "quote": None, "rationale": ""}, SILENT], ["invalid_output", "not_addressed"], id="label-missing"),
        pytest.param([verdict(rationale=3), SILENT], ["invalid_output", "not_addressed"], id="rationale-is-a-number"),
        pytest.param([verdict(rationale="x" * (MAX_FIELD + 1)), SILENT], ["invalid_output", "not_addressed"], id="rationale-too-long"),
        pytest.param([verdict(confidence=0.9), SILENT], ["invalid_output", "not_addressed"], id="extra-field"),
    ],
)
def test_verdicts_are_matched_by_id_and_never_by_position(verdicts: list[Any], expected: list[str]) -> None:
    """Exactly the statements of the request come back; one id that nobody asked about puts the whole count in doubt."""
    assert check(*verdicts) == dict(zip(("s1", "s2"), expected, strict=True))


def test_a_verdict_that_was_given_before_is_no_stranger() -> None:
    """A model that is asked again about one statement may repeat the others: those count no second time."""
    fields = {"verdicts": [verdict("s2", "not_addressed", None), verdict("s1")]}
    again = REQUEST.model_copy(update={"statements": REQUEST.statements[:1], "ask_abstention": False})
    assert [part.kind for part in check_labels(fields, again, also_known={"s1", "s2"}).outcomes.values()] == ["verdict"]
    assert [part.kind for part in check_labels(fields, again).outcomes.values()] == ["unjudged"]


@pytest.mark.parametrize("verdicts", [None, "supported", {"s1": "supported"}, 3])
def test_a_reply_without_a_list_of_verdicts_is_refused_as_a_whole(verdicts: Any) -> None:
    """There is nothing to match, so the whole request is asked once more."""
    with pytest.raises(ReplyFault, match="expected a list"):
        check_labels({"verdicts": verdicts}, REQUEST)


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        pytest.param("opened in 1932", "opened in 1932", id="exact"),
        pytest.param("“opened in 1932.”", "opened in 1932", id="quotation-marks-and-final-dot"),
        pytest.param("the CAFE\u0301 opened", "The café opened", id="case-and-composition"),
        pytest.param("closed “early” - twice", 'closed "early" — twice', id="typography"),
        pytest.param("The café opened … It never rained", "The café opened … It never rained", id="pieces"),
        pytest.param("Ask ‹/answer> for more", "Ask </answer> for more", id="a-look-alike-tag-as-it-was-shown"),
    ],
)
@pytest.mark.parametrize("label", ["supported", "contradicted"])
def test_a_quote_comes_back_in_the_words_of_the_answer(quote: str, found: str, label: str) -> None:
    """Typography is forgiven; what is kept is the answer's own text."""
    assert first(verdict(quote=quote, label=label)) == Verdict(
        label=Label(label), quote=found, quote_verified=True, rationale="So it says."
    )


def test_the_judge_is_shown_look_alike_tags_in_another_form() -> None:
    """The quote of the case above is what a judge would copy."""
    assert "Ask ‹/answer> for more" in neutralised(ANSWER)


@pytest.mark.parametrize(("quote", "kind"), [("opened in 1932", "verdict"), ("in 19", "unjudged"), ("It snowed", "unjudged")])
def test_a_quote_from_a_part_stands_in_the_whole_answer(quote: str, kind: str) -> None:
    """What was a whole word at the edge of a part may be half of one in the answer; then it shows nothing."""
    of_part = Verdict(label=Label.SUPPORTED, quote=quote, quote_verified=True, rationale="So.")
    found = checked_quote(of_part, ANSWER)
    assert found.kind == kind
    assert isinstance(found, Verdict) or found.reason is UnjudgedReason.QUOTE_NOT_FOUND


def test_pieces_of_a_quote_may_come_in_the_order_of_the_statement() -> None:
    """Each piece is checked; they need not stand in the answer in this order."""
    fields = {"verdicts": [{"id": "s1", "quote": "in 1932 … The café", "rationale": "", "label": "supported"}]}
    request = label_request(["In 1932 the café was there."], answer="The café opened late, in 1932.", ask_abstention=False)
    outcome = check_labels(fields, request).outcomes["s1"]
    assert isinstance(outcome, Verdict)
    assert outcome.quote == "in 1932 … The café"


def test_a_quote_cut_inside_its_last_word_is_completed() -> None:
    """Models stop copying in the middle of a word; the span shown is whole."""
    fields = {"verdicts": [{"id": "s1", "quote": "It opened in 19", "rationale": "", "label": "supported"}]}
    request = label_request(["The café opened in 1932."], answer="It rained. It opened in 1932.", ask_abstention=False)
    outcome = check_labels(fields, request).outcomes["s1"]
    assert isinstance(outcome, Verdict)
    assert outcome.quote == "It opened in 1932"


@pytest.mark.parametrize(
    "quote",
    [
        pytest.param("It opened in 1933", id="not-there"),
        pytest.param("opened in 193X", id="changed-at-the-end"),
        pytest.param("The café opened … on the moon", id="one-piece-not-there"),
        pytest.param("193", id="part-of-a-number"),
        pytest.param("pened in 1932", id="part-of-a-word"),
        pytest.param("…", id="no-letter"),
        pytest.param("", id="empty"),
        pytest.param(None, id="null"),
    ],
)
@pytest.mark.parametrize("label", ["supported", "contradicted"])
def test_without_a_quote_of_the_answer_there_is_no_verdict(quote: str | None, label: str) -> None:
    """A label that commits to something needs a span that shows it."""
    outcome = first(verdict(quote=quote, label=label))
    assert isinstance(outcome, Unjudged)
    assert outcome.reason is UnjudgedReason.QUOTE_NOT_FOUND
    assert outcome.detail.startswith(label)


def test_the_quote_of_a_statement_that_is_not_addressed_is_dropped() -> None:
    """Silence has no span; a quote given for it is neither checked nor kept."""
    assert first(verdict(label="not_addressed", quote="made up")) == Verdict(
        label=Label.NOT_ADDRESSED, quote=None, quote_verified=None, rationale="So it says."
    )


@pytest.mark.parametrize(
    ("abstention", "expected"),
    [
        (ABSTENTION, AbstentionVerdict(value=AbstentionValue.ANSWERED)),
        ({"quote": "It never rained", "value": "answered"}, AbstentionVerdict(value=AbstentionValue.ANSWERED)),
        ({"quote": "it never rained.", "value": "Abstained"}, AbstentionVerdict(value=AbstentionValue.ABSTAINED, quote="It never rained")),
        ({"quote": "made up", "value": "partly_abstained"}, AbstentionVerdict(value=AbstentionValue.PARTLY_ABSTAINED)),
        (None, UnjudgedReason.MISSING_VERDICT),
        ({"quote": None, "value": "refused"}, UnjudgedReason.BAD_LABEL),
        ({"quote": None, "value": True}, UnjudgedReason.BAD_LABEL),
        ({"value": "answered"}, UnjudgedReason.INVALID_OUTPUT),
        ("answered", UnjudgedReason.INVALID_OUTPUT),
        ([ABSTENTION], UnjudgedReason.INVALID_OUTPUT),
    ],
)
def test_abstention_is_checked_on_its_own(abstention: Any, expected: AbstentionVerdict | UnjudgedReason) -> None:
    """A fault in it costs no verdict; its quote only illustrates, so one that is not found is left out."""
    labels = check_labels({"abstention": abstention, "verdicts": [verdict(), SILENT]}, REQUEST)
    found = labels.abstention
    assert (found.reason if isinstance(found, Unjudged) else found) == expected
    assert not any(isinstance(outcome, Unjudged) for outcome in labels.outcomes.values())


def test_abstention_is_only_read_where_it_was_asked() -> None:
    """What nobody asked for does not count."""
    request = REQUEST.model_copy(update={"ask_abstention": False})
    assert check_labels({"abstention": {"value": "abstained", "quote": None}, "verdicts": []}, request).abstention is None


@pytest.mark.parametrize("value", range(5))
def test_a_mark_is_an_integer_from_0_to_4(value: int) -> None:
    """The five marks pass as they are."""
    assert check_mark({"rationale": "So.", "mark": value}) == Mark(value=value, rationale="So.")


@pytest.mark.parametrize("value", [True, False, "4", 4.0, 4.5, -1, 5, 9_595_959, None, [4], "four", float("inf")])
def test_any_other_mark_is_refused(value: Any) -> None:
    """Nothing is clamped, rounded or read out of a string."""
    with pytest.raises(ReplyFault, match="mark"):
        check_mark({"rationale": "So.", "mark": value})


def test_a_mark_without_a_rationale_is_refused() -> None:
    """The rationale comes first in the reply; without it the mark was not reasoned for."""
    with pytest.raises(ReplyFault, match="rationale"):
        check_mark({"mark": 4})


GROUND_TRUTH = "The café opened in 1932. Rain never fell."


def split(*entries: Any) -> Any:
    return check_split({"propositions": list(entries)}, decompose_request(GROUND_TRUTH))


def test_propositions_keep_the_span_they_come_from() -> None:
    """Propositions are numbered in order, white space is tidied, and one without a span is excluded and counted."""
    checked = split(
        {"source_quote": "the café opened in 1932.", "text": " The café\nopened in 1932. "},
        {"source_quote": "It snowed.", "text": "It snowed."},
        {"source_quote": "Rain never fell", "text": "Rain never fell."},
    )
    assert checked.split.propositions == (
        Proposition(id="p1", text="The café opened in 1932.", source_quote="The café opened in 1932"),
        Proposition(id="p2", text="Rain never fell.", source_quote="Rain never fell"),
    )
    assert checked.split.excluded == (Excluded(text="It snowed.", reason="no_source_span"),)
    assert checked.refused == ("no_source_span",)


def test_equal_propositions_are_merged_and_told() -> None:
    """A fact counts once, whatever its case and final dot."""
    checked = split(*({"source_quote": "Rain never fell", "text": text} for text in ("Rain never fell.", "rain never fell")))
    assert [part.text for part in checked.split.propositions] == ["Rain never fell."]
    # The other sentence of the ground truth was not proposed at all.
    assert [(finding.kind, finding.proposition) for finding in checked.split.lint] == [
        ("duplicate", "p1"),
        ("lost_date", None),
        ("lost_sentence", None),
    ]
    assert checked.refused == ()


@pytest.mark.parametrize("text", ["", " ", "\u200b"])
def test_a_blank_proposition_is_refused(text: str) -> None:
    """A span alone is no statement."""
    assert split({"source_quote": "Rain never fell", "text": text}).refused == ("blank",)


@pytest.mark.parametrize("fields", [{}, {"propositions": "It rained."}, {"propositions": [{"text": "x"}]}, {"propositions": ["x"]}])
def test_a_decomposition_in_another_form_is_refused_as_a_whole(fields: Json) -> None:
    """Half a decomposition would change every score that rests on it."""
    with pytest.raises(ReplyFault) as caught:
        check_split(fields, decompose_request(GROUND_TRUTH))
    assert caught.value.reason is UnjudgedReason.INVALID_OUTPUT


def nested(depth: int) -> Any:
    value: Any = "supported"
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("field", ["id", "quote", "rationale", "label"])
def test_a_deeply_nested_value_is_a_fault_like_any_other(field: str) -> None:
    """What a parser can just follow, an error message need not be able to write out."""
    entry = {**verdict(), field: nested(950)}
    assert check(entry, SILENT)["s1"] in {"bad_ids", "bad_label", "invalid_output"}


WORDS = st.sampled_from(["s1", "s2", "s3", "supported", "contradicted", "not_addressed", "answered", "opened in 1932", ""]) | st.text(
    max_size=8
)
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS,
    lambda children: (
        st.lists(children, max_size=4)
        | st.dictionaries(
            st.sampled_from(["id", "quote", "rationale", "label", "value", "text", "source_quote"]) | WORDS, children, max_size=5
        )
    ),
    max_leaves=12,
)
VERDICTS = st.fixed_dictionaries({"id": WORDS | JSON, "quote": WORDS | JSON, "rationale": WORDS | JSON, "label": WORDS | JSON})


@settings(max_examples=300, deadline=None)
@given(JSON, JSON | st.lists(VERDICTS, max_size=4))
def test_any_json_gives_exactly_the_ids_asked_for_or_a_fault(abstention: Any, verdicts: Any) -> None:
    """Whatever a model returns, every statement has one outcome, committed labels have a span, and nothing else is raised."""
    try:
        labels = check_labels({"abstention": abstention, "verdicts": verdicts}, REQUEST)
    except ReplyFault:
        assert not isinstance(verdicts, list)
        return
    assert list(labels.outcomes) == ["s1", "s2"]
    for outcome in labels.outcomes.values():
        if isinstance(outcome, Verdict):
            assert (outcome.quote is None) is (outcome.label is Label.NOT_ADDRESSED)
            assert all(piece in ANSWER for piece in (outcome.quote or "").split(" … "))


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.sampled_from(["propositions", "mark", "rationale"]), JSON))
def test_any_json_gives_a_mark_and_propositions_or_a_fault(fields: Json) -> None:
    """The other two kinds of reply raise nothing but ReplyFault either."""
    for check_fields in (check_mark, lambda given: check_split(given, decompose_request(GROUND_TRUTH))):
        with contextlib.suppress(ReplyFault):
            check_fields(fields)
