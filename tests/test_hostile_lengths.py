"""Texts that are too long: refused with a reason or judged in parts, as configured; never cut silently, never lost."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.batches import SHORTEST_PART, Texts, batches_of
from judge.lengths import Limits, size_of
from judge.merging import merge_abstentions, merge_outcomes
from judge.schema.labels import AbstentionValue, Flag, Label, RequestKind, UnjudgedReason
from judge.schema.outcomes import AbstentionOutcome, AbstentionVerdict, Outcome, Unjudged, Verdict
from judge.schema.results import ItemResult
from judge.text.parts import overlapping_parts
from tests.endpoint import faults
from tests.endpoint.server import Endpoint, Rule
from tests.runs.items import Fields, read_lines, tram, write_items
from tests.runs.measuring import judge_cost
from tests.runs.running import Bench, written
from tests.support.judges import unjudged, verdict

pytestmark = pytest.mark.faults

DECOMPOSE, LABEL, APPRAISE = RequestKind.DECOMPOSE, RequestKind.LABEL, RequestKind.APPRAISE
FACT = "The ferry sank in 1931."
YES, NO, SILENT = verdict(Label.SUPPORTED, FACT), verdict(Label.CONTRADICTED, "The ferry sank in 1932."), verdict()
FAILED = unjudged(UnjudgedReason.SERVER_ERROR)
TOO_LONG = UnjudgedReason.INPUT_TOO_LONG


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with Endpoint() as endpoint:
        yield Bench(endpoint, tmp_path)


def filler(size: int, sentence: str = "Nothing else of note is known about number {}. ") -> str:
    """Return sentences of so many characters in all, two thousand different ones."""
    return "".join(sentence.format(number % 2_000) for number in range(size // len(sentence) + 1))[: size - 1] + " "


def long_item(answer: str, **more: Any) -> Fields:
    return {"id": "long", "answer": answer, "propositions": [FACT], **more}


def outcome_of(result: ItemResult, place: int = 0) -> Outcome:
    return result.propositions[place].outcome


def reason_of(outcome: Any) -> UnjudgedReason:
    assert isinstance(outcome, Unjudged)
    return outcome.reason


def label_of(outcome: Any) -> Label:
    assert isinstance(outcome, Verdict), outcome
    return outcome.label


# What fits.


TEXTS = st.text(st.sampled_from("ab .!\n\u200b\u4e2d1"), max_size=3000)


@settings(max_examples=150, deadline=None)
@given(TEXTS, st.integers(SHORTEST_PART, 900))
def test_row35_parts_cover_the_text_and_fit(text: str, room: int) -> None:
    """Parts are exact substrings, in order, each within the room, each beginning at or before the end of the one before."""
    position = reached = 0
    for part in overlapping_parts(text, room):
        assert len(part) <= room
        starts = [start for start in range(position, reached + 1) if text.startswith(part, start) and start + len(part) > reached]
        assert starts or not text
        if starts:
            position, reached = starts[-1], starts[-1] + len(part)
    assert reached == len(text)


@pytest.mark.parametrize("gap", [" ", "\n", "\n\n", "  "], ids=["space", "line", "paragraph", "spaces"])
def test_row35_a_sentence_at_a_seam_is_whole_in_one_part(gap: str) -> None:
    """Wherever the cuts fall, every sentence stands whole in some part."""
    sentences = [f"Sentence {number} of {'many ' * (number % 7)}says so." for number in range(400)]
    for room in range(300, 420, 17):
        parts = overlapping_parts(gap.join(sentences), room)
        assert all(any(sentence in part for part in parts) for sentence in sentences)


@settings(max_examples=200, deadline=None)
@given(
    answer=st.integers(1, 6000),
    question=st.integers(0, 1200),
    statements=st.lists(st.integers(1, 1500), max_size=30),
    batch=st.integers(1, 8),
    splits=st.booleans(),
)
def test_row35_every_request_fits_and_every_statement_is_asked_or_refused(
    answer: int, question: int, statements: list[int], batch: int, splits: bool
) -> None:
    """No request is longer than the limit; nothing is asked and refused, nothing is forgotten, abstention included."""
    texts = Texts("q" * question, "word " * (answer // 5 + 1), [f"{number} ".ljust(size, "s") for number, size in enumerate(statements)])
    limits = Limits(1000, splits)
    found = batches_of(texts, batch, limits)
    for each in found.batches:
        assert size_of(texts.question, each.answer, *each.texts) <= limits.max_chars
        assert len(each.texts) <= batch
    asked = {text for each in found.batches for text in each.texts}
    assert asked | set(found.too_long) == set(texts.statements)
    assert not asked & set(found.too_long)
    assert any(each.asks_abstention for each in found.batches) is (found.abstention is None)
    assert found.is_split is any(each.answer != texts.answer for each in found.batches)
    assert splits or not found.is_split


def test_row35_without_limits_nothing_changes() -> None:
    """Within the limit the batches are those of no limit: what was judged before is not asked again."""
    texts = Texts("Q?", "An answer.", [f"Statement {number}." for number in range(60)])
    assert batches_of(texts, 25, Limits(300_000)) == batches_of(texts, 25, None)


# What parts say together.


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        pytest.param([SILENT, YES, SILENT], "supported", id="one-part-supports"),
        pytest.param([SILENT, SILENT], "not_addressed", id="no-part-says-anything"),
        pytest.param([NO, SILENT], "contradicted", id="one-part-contradicts"),
        pytest.param([YES, NO], "contradicted", id="supported-and-then-corrected"),
        pytest.param([YES, NO, SILENT], "contradicted", id="the-last-decision-counts"),
        pytest.param([NO, YES], "input_too_long", id="contradicted-and-then-supported-may-be-a-correction"),
        pytest.param([YES, NO, YES], "input_too_long", id="back-and-forth"),
        pytest.param([YES, FAILED], "server_error", id="an-unjudged-later-part-could-contradict"),
        pytest.param([FAILED, YES], "server_error", id="an-unjudged-earlier-part-could-contradict"),
        pytest.param([FAILED, NO], "contradicted", id="a-contradiction-decides-whatever-stood-before"),
        pytest.param([NO, FAILED], "server_error", id="an-unjudged-later-part-could-support"),
        pytest.param([SILENT, FAILED], "server_error", id="silence-needs-every-part"),
        pytest.param([FAILED], "server_error", id="one-part-is-the-answer"),
    ],
)
def test_row35_parts_merge_by_the_labelling_rules(parts: list[Outcome], expected: str) -> None:
    """Each case is decided as the whole answer would be, or not at all; a failure never becomes a label."""
    merged = merge_outcomes(parts)
    assert str(merged.reason if isinstance(merged, Unjudged) else merged.label) == expected


ANSWERS, DECLINES, MIXED = (AbstentionVerdict(value=value) for value in ("answered", "abstained", "partly_abstained"))


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        pytest.param([ANSWERS, ANSWERS], "answered", id="no-part-declines"),
        pytest.param([DECLINES, DECLINES], "abstained", id="every-part-declines"),
        pytest.param([ANSWERS, DECLINES], "partly_abstained", id="one-part-declines"),
        pytest.param([MIXED, ANSWERS], "partly_abstained", id="one-part-declines-partly"),
        pytest.param([ANSWERS, FAILED], "server_error", id="unjudged"),
        pytest.param([ANSWERS, DECLINES, FAILED], "partly_abstained", id="decided-all-the-same"),
    ],
)
def test_row35_abstention_of_parts(parts: list[AbstentionOutcome], expected: str) -> None:
    """An answer abstains if all of it does."""
    merged = merge_abstentions(parts)
    assert str(merged.reason if isinstance(merged, Unjudged) else merged.value) == expected


# Whole runs.


def test_row35_br_076_a_long_answer_is_refused_by_default(bench: Bench) -> None:
    """400,000 characters are not sent and not cut: every part of the result says why, the run is incomplete, and no call is made."""
    result = bench.score([long_item(filler(400_000) + FACT, ground_truth=FACT, question="When?"), tram(1)])
    long, short = result.items()
    assert [reason_of(part) for part in (outcome_of(long), long.abstention, long.mark)] == [TOO_LONG] * 3
    found = outcome_of(long)
    assert isinstance(found, Unjudged)
    assert "400,051" in found.detail
    assert "300,000" in found.detail
    assert "--max-chars" in found.detail
    assert "--long-answers split" in found.detail
    assert long.state == "unjudged"
    assert short.state == "judged"
    assert bench.endpoint.calls() == 3
    assert result.exit_code == 3
    assert result.summary.unjudged["input_too_long"] == 3


def test_row35_br_076_a_long_answer_is_judged_in_parts_when_told_to(bench: Bench) -> None:
    """The fact in the last sentence is found, quoted from the whole answer, flagged, and paid for visibly; the mark stays open."""
    answer = filler(400_000) + FACT
    result = bench.score([long_item(answer, ground_truth=FACT)], long_answers="split")
    [long] = result.items()
    found = outcome_of(long)
    assert isinstance(found, Verdict)
    assert (found.label, found.quote_verified) == (Label.SUPPORTED, True)
    assert found.quote is not None
    assert found.quote in answer
    assert isinstance(long.abstention, AbstentionVerdict)
    assert long.abstention.value is AbstentionValue.ANSWERED
    assert reason_of(long.mark) is TOO_LONG
    assert long.flags == (Flag.ANSWER_SPLIT,)
    assert result.manifest.made_now.calls == bench.endpoint.calls(LABEL) == 2
    assert bench.endpoint.calls(APPRAISE) == 0
    sent = [request.body["messages"][1]["content"] for request in bench.endpoint.requests]
    assert all(len(text) < 301_000 for text in sent)


def test_row35_the_refused_folder_is_completed_by_the_flag(bench: Bench) -> None:
    """The command that the message asks for resumes in the same folder; cached, resumed and replayed give the same bytes."""
    items = [long_item(filler(5_000) + FACT), tram(1)]
    refused = bench.score(items, max_chars=2_000, no_mark=True)
    assert refused.summary.unjudged == {"input_too_long": 2}
    told = bench.score(items, max_chars=2_000, no_mark=True, long_answers="split")
    assert told.exit_code == 0
    assert told.manifest.from_journal == 2
    calls = bench.endpoint.calls()
    cached = bench.score(items, "cached", max_chars=2_000, no_mark=True, long_answers="split")
    again = bench.score(items, max_chars=2_000, no_mark=True, long_answers="split")
    replayed = bench.score(items, "replayed", judge=f"replay:{bench.folder / 'run'}", no_mark=True)
    assert bench.endpoint.calls() == calls
    assert written(told) == written(cached) == written(again) == written(replayed)


def test_row35_repeats_and_failures_of_parts(bench: Bench) -> None:
    """With repeats each whole answer is decided first; a part that fails leaves the statement unjudged and says which part."""
    bench.endpoint.script(Rule(faults.status(400), kind=LABEL, containing="MARKER"))
    answer = f"{FACT} {filler(3_000)} MARKER {filler(500)}"
    [long] = bench.score([long_item(answer)], max_chars=2_000, long_answers="split", no_mark=True, repeats=3).items()
    found = outcome_of(long)
    assert reason_of(found) is UnjudgedReason.BAD_REQUEST
    assert isinstance(found, Unjudged)
    assert "part 2 of" in found.detail or "part 3 of" in found.detail


def test_row35_a_long_ground_truth_stays_in_sight(bench: Bench) -> None:
    """A ground truth that cannot be sent is one unjudged statement; the answer is still judged for abstention."""
    result = bench.score([{"id": "long", "answer": "Yes.", "ground_truth": filler(2_000)}], max_chars=1_000)
    [long] = result.items()
    found = outcome_of(long)
    assert reason_of(found) is UnjudgedReason.DECOMPOSITION_FAILED
    assert isinstance(found, Unjudged)
    assert found.detail.startswith("input_too_long: the request would hold 2,000 characters")
    assert (bench.endpoint.calls(DECOMPOSE), bench.endpoint.calls(LABEL), bench.endpoint.calls(APPRAISE)) == (0, 1, 0)


def test_row35_long_sources_cost_the_mark_only(bench: Bench) -> None:
    """What is shown to the appraisal alone keeps nothing else from being judged."""
    [long] = bench.score([tram(1, sources=[filler(1_500)])], max_chars=1_000).items()
    assert reason_of(long.mark) is TOO_LONG
    assert [label_of(part.outcome) for part in long.propositions] == [Label.SUPPORTED, Label.CONTRADICTED, Label.NOT_ADDRESSED]


def test_row35_statements_that_do_not_fit_together_make_more_requests(bench: Bench) -> None:
    """A batch that is too long beside the answer becomes several, and every statement is judged."""
    texts = [f"{number} {filler(300)}" for number in range(10)]
    result = bench.score([{"id": "many", "answer": "Yes.", "propositions": texts}], max_chars=1_000)
    [many] = result.items()
    assert [label_of(part.outcome) for part in many.propositions] == [Label.NOT_ADDRESSED] * 10
    assert bench.endpoint.calls(LABEL) == 4


@pytest.mark.timeout(300)
@pytest.mark.parametrize("judge", ["lexical", "model"])
def test_row35_ten_thousand_propositions_and_five_megabytes(bench: Bench, judge: str) -> None:
    """Every proposition of ten thousand comes out, once, in order, and so does the fact at the end of five megabytes."""
    many = {"id": "many", "answer": FACT, "propositions": [*(f"Fact {number} holds." for number in range(9_999)), FACT]}
    long = long_item(filler(5_000_000) + FACT)
    flags = bench.flags() if judge == "model" else ["--judge", "lexical", "--out", str(bench.folder / "run")]
    path = write_items(bench.folder / "big.jsonl", [many, long])
    cost = judge_cost("score", path, *flags, "--long-answers", "split", "--no-mark", "--quiet", "--batch-size", "200")
    assert cost.cpu < 60
    assert cost.peak_mb < 900
    first, second = read_lines(bench.folder / "run" / "results.jsonl")
    assert [part["text"] for part in first["propositions"]] == many["propositions"]
    labels = [part["outcome"]["label"] for part in first["propositions"]]
    assert labels == ["not_addressed"] * 9_999 + ["supported"]
    assert second["propositions"][0]["outcome"]["label"] == "supported"
    page = (bench.folder / "run" / "report.html").stat().st_size
    assert page < 30_000_000
    assert json.loads((bench.folder / "run" / "summary.json").read_text())["complete"]
