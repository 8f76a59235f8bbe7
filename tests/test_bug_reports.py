"""Public bug reports about other tools, by number: where each is covered, and those that only a whole run shows."""

import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.errors import InputError
from judge.schema.labels import AbstentionValue, Flag, Label, RequestKind
from judge.schema.outcomes import AbstentionVerdict, Verdict
from judge.schema.results import ItemResult
from pipelines.api import score
from tests.endpoint import faults
from tests.endpoint.server import Endpoint, Rule
from tests.runs.items import Fields, read_lines, tram, trams, write_items
from tests.runs.running import Bench, command, written

DECOMPOSE, LABEL = RequestKind.DECOMPOSE, RequestKind.LABEL
HERE = Path(__file__).resolve().parent

COVERED: dict[str, tuple[str, ...]] = {
    "BR-001": ("tests/test_bug_reports.py::test_br_001_two_equal_abstentions_have_no_recall",),
    "BR-002": ("tests/test_bug_reports.py::test_br_002_a_blank_ground_truth_is_an_input_error",),
    "BR-004": ("tests/test_bug_reports.py::test_br_004_an_empty_list_of_verdicts_is_one_unscored_item",),
    "BR-005": ("tests/test_bug_reports.py::test_br_005_one_failed_item_leaves_the_mean_of_the_others",),
    "BR-007": (
        "tests/test_reported_replies.py::test_what_is_in_doubt_is_asked_once_more_and_never_guessed",
        "tests/test_reply.py::test_what_cannot_be_used_is_refused",
    ),
    "BR-008": (
        "tests/test_llm_judge.py::test_what_may_pass_is_sent_three_times",
        "tests/test_scorecard.py::test_item_that_failed_is_a_null_and_not_a_zero",
    ),
    "BR-010": ("tests/test_bug_reports.py::test_br_010_013_labels_become_the_rates_they_name",),
    "BR-011": (
        "tests/test_reported_replies.py::test_what_is_in_doubt_is_asked_once_more_and_never_guessed",
        "tests/test_checks.py::test_any_other_mark_is_refused",
    ),
    "BR-013": ("tests/test_bug_reports.py::test_br_010_013_labels_become_the_rates_they_name",),
    "BR-014": ("tests/test_bug_reports.py::test_br_014_a_richer_answer_loses_nothing",),
    "BR-016": ("tests/test_bug_reports.py::test_br_016_every_item_and_proposition_is_written",),
    "BR-017": ("tests/test_bug_reports.py::test_br_017_a_text_that_yields_nothing_stands_whole",),
    "BR-019": (
        "tests/test_reported_replies.py::test_what_is_in_doubt_is_asked_once_more_and_never_guessed",
        "tests/test_checks.py::test_any_other_word_is_no_label",
    ),
    "BR-020": ("tests/test_lint.py::test_findings",),
    "BR-022": (
        "tests/test_reported_runs.py::test_br_022_a_proposition_from_nowhere_is_refused_and_asked_for_again",
        "tests/test_checks.py::test_propositions_keep_the_span_they_come_from",
    ),
    "BR-023": (
        "tests/test_reported_runs.py::test_br_023_one_fact_counts_once",
        "tests/test_checks.py::test_equal_propositions_are_merged_and_told",
    ),
    "BR-025": ("tests/test_bug_reports.py::test_br_025_propositions_are_frozen",),
    "BR-026": ("tests/test_text.py::test_sentences",),
    "BR-028": ("tests/test_lint.py::test_questions_and_opinions_that_a_model_left_out_are_listed",),
    "BR-029": (
        "tests/test_reported_replies.py::test_what_can_be_read_costs_one_call",
        "tests/test_reply.py::test_one_object_is_found",
    ),
    "BR-031": (
        "tests/test_reported_replies.py::test_what_is_in_doubt_is_asked_once_more_and_never_guessed",
        "tests/test_reported_replies.py::test_br_031_the_answer_cannot_bring_its_own_verdict",
        "tests/test_reply.py::test_an_object_of_the_answer_is_never_a_reply",
    ),
    "BR-032": (
        "tests/test_reported_replies.py::test_what_can_be_read_costs_one_call",
        "tests/test_reply.py::test_a_thought_tag_inside_a_string_is_text",
    ),
    "BR-034": (
        "tests/test_reported_replies.py::test_what_can_be_read_costs_one_call",
        "tests/test_reply.py::test_control_characters_inside_a_string_are_kept",
    ),
    "BR-035": (
        "tests/test_reported_replies.py::test_what_can_be_read_costs_one_call",
        "tests/test_reply.py::test_hostile_text_is_read_in_linear_time",
    ),
    "BR-037": (
        "tests/test_llm_judge.py::test_a_reply_that_was_cut_off_gets_more_room",
        "tests/test_llm_judge.py::test_a_request_that_fails_as_a_whole",
    ),
    "BR-038": ("tests/test_bug_reports.py::test_br_038_a_wrong_key_costs_one_re_ask_and_one_item",),
    "BR-040": (
        "tests/test_reported_replies.py::test_what_is_in_doubt_is_asked_once_more_and_never_guessed",
        "tests/test_reported_runs.py::test_br_040_one_verdict_of_five_is_no_perfect_recall",
    ),
    "BR-041": (
        "tests/test_reported_replies.py::test_what_is_in_doubt_is_asked_once_more_and_never_guessed",
        "tests/test_checks.py::test_verdicts_are_matched_by_id_and_never_by_position",
    ),
    "BR-043": (
        "tests/test_reported_replies.py::test_what_is_in_doubt_is_asked_once_more_and_never_guessed",
        "tests/test_llm_judge.py::test_a_doubled_or_unquoted_verdict_is_asked_again_alone",
    ),
    "BR-044": (
        "tests/test_reported_replies.py::test_what_can_be_read_costs_one_call",
        "tests/test_reported_replies.py::test_what_is_in_doubt_is_asked_once_more_and_never_guessed",
        "tests/test_checks.py::test_the_spelling_of_a_label_is_folded",
    ),
    "BR-046": (
        "tests/test_reported_replies.py::test_what_is_in_doubt_is_asked_once_more_and_never_guessed",
        "tests/test_checks.py::test_any_other_word_is_no_label",
    ),
    "BR-047": (
        "tests/test_reported_replies.py::test_what_can_be_read_costs_one_call",
        "tests/test_checks.py::test_the_spelling_of_a_label_is_folded",
    ),
    "BR-049": (
        "tests/test_reported_replies.py::test_what_is_in_doubt_is_asked_once_more_and_never_guessed",
        "tests/test_reported_replies.py::test_br_049_each_label_comes_through_a_reply_of_plain_text",
    ),
    "BR-050": ("tests/test_llm_judge.py::test_any_number_of_tool_calls",),
    "BR-052": ("tests/test_llm_judge.py::test_what_is_found_out_costs_one_call_for_the_whole_run",),
    "BR-053": ("tests/test_bug_reports.py::test_br_053_an_answer_that_is_an_object_is_judged_as_its_json",),
    "BR-055": ("tests/test_reported_replies.py::test_br_055_a_filtered_prompt_is_not_sent_again",),
    "BR-056": ("tests/test_bug_reports.py::test_br_056_an_abstention_where_an_answer_is_known",),
    "BR-058": ("tests/test_bug_reports.py::test_br_058_an_abstention_where_none_is_known",),
    "BR-059": ("tests/test_bug_reports.py::test_br_059_a_guess_after_a_disclaimer_earns_nothing", "tests/test_lexical.py::test_abstention"),
    "BR-061": ("tests/test_bug_reports.py::test_br_061_a_file_of_one_abstention",),
    "BR-062": ("tests/test_reported_runs.py::test_br_062_rows_of_another_form_are_listed_up_front",),
    "BR-064": ("tests/test_lexical.py::test_a_number_and_its_digits_are_not_the_same", "tests/test_text.py::test_equal_values_are_equal"),
    "BR-065": ("tests/test_lexical.py::test_labels", "tests/test_lexical.py::test_a_number_and_its_digits_are_not_the_same"),
    "BR-067": (
        "tests/test_lexical.py::test_labels",
        "tests/test_prompt.py::test_the_policy_stands_in_label_prompts_only",
        "tests/test_scoring.py::test_offline_says_what_differs_from_the_cache",
    ),
    "BR-068": ("tests/test_lexical.py::test_labels", "tests/test_text.py::test_equal_values_are_equal"),
    "BR-070": (
        "tests/test_reported_replies.py::test_br_070_markers_in_an_answer_close_nothing",
        "tests/test_prompt.py::test_a_hostile_text_stands_literally_in_its_own_region",
        "tests/test_text.py::test_attacks_raise_the_flag",
    ),
    "BR-071": (
        "tests/test_reported_replies.py::test_br_071_an_override_without_a_fact_supports_nothing",
        "tests/test_checks.py::test_without_a_quote_of_the_answer_there_is_no_verdict",
    ),
    "BR-073": (
        "tests/test_reported_runs.py::test_br_073_braces_are_text",
        "tests/test_prompt.py::test_a_prompt_file_is_read_strictly",
        "tests/test_llm_judge.py::test_template_syntax_reaches_the_model_literally",
    ),
    "BR-074": ("tests/test_consistency.py::test_br_074_a_judge_that_favours_the_first_statement_is_exposed_by_the_orders",),
    "BR-076": (
        "tests/test_hostile_lengths.py::test_row35_br_076_a_long_answer_is_refused_by_default",
        "tests/test_hostile_lengths.py::test_row35_br_076_a_long_answer_is_judged_in_parts_when_told_to",
    ),
    "BR-077": (
        "tests/test_scoring.py::test_no_majority_among_repeats_is_unjudged",
        "tests/test_consistency.py::test_br_077_a_statement_that_flips_twice_in_five_repeats_is_listed_first",
    ),
    "BR-079": (
        "tests/test_panel.py::test_br_079_a_verdict_takes_a_majority_or_all_of_all_judges",
        "tests/test_panel.py::test_br_079_the_order_of_judges_never_matters",
    ),
    "BR-080": (
        "tests/test_panel.py::test_br_080_every_vote_keeps_its_quote_and_its_rationale",
        "tests/test_panel.py::test_br_080_every_repeat_keeps_its_rationale",
    ),
    "BR-082": ("later: compare",),
    "BR-083": ("tests/test_cache.py::test_another_judge_is_asked_itself",),
    "BR-085": (
        "tests/test_cache.py::test_another_judge_is_asked_itself",
        "tests/test_scoring.py::test_offline_says_what_differs_from_the_cache",
    ),
    "BR-086": ("tests/test_bug_reports.py::test_br_086_another_process_finds_everything_in_the_cache",),
    "BR-088": (
        "tests/test_cache.py::test_what_is_not_judged_is_never_kept",
        "tests/test_scoring.py::test_what_failed_is_tried_again_by_the_next_run_and_by_nobody_else",
    ),
    "BR-089": (
        "tests/test_cache.py::test_a_value_of_another_form_is_judged_anew",
        "tests/test_cache.py::test_a_pickled_value_does_not_run",
    ),
    "BR-091": ("tests/test_cache.py::test_another_judge_is_asked_itself",),
    "BR-092": ("tests/test_bug_reports.py::test_br_092_a_verdict_can_be_audited_later",),
    "BR-094": ("tests/test_bug_reports.py::test_br_094_a_call_that_hangs_costs_its_deadline_and_one_item",),
    "BR-095": (
        "tests/test_llm_judge.py::test_a_wait_for_one_request_holds_up_no_other",
        "tests/test_llm_judge.py::test_retry_after_is_honoured",
    ),
    "BR-097": ("tests/test_scoring.py::test_a_killed_run_resumes_to_the_same_bytes",),
    "BR-098": ("tests/test_bug_reports.py::test_br_098_usage_covers_both_parts_of_a_resumed_run",),
    "BR-100": ("tests/test_bug_reports.py::test_br_100_a_pipe_holds_the_output_and_nothing_else",),
    "BR-101": ("tests/test_bug_reports.py::test_br_101_a_gate_states_its_statistic_and_ends_as_it_says",),
    "BR-103": ("tests/test_readers.py::test_csv_cells_keep_their_newlines",),
    "BR-104": ("tests/test_readers.py::test_csv_empty_cells_are_absent_but_an_empty_answer_is_empty",),
    "BR-106": ("tests/test_bug_reports.py::test_br_106_a_file_of_another_shape_is_refused",),
    "BR-107": ("tests/test_bug_reports.py::test_br_107_what_a_metric_needs_is_shown_beforehand",),
    "BR-109": ("tests/test_bug_reports.py::test_br_109_duplicate_ids_are_refused",),
    "BR-110": ("tests/test_bug_reports.py::test_br_110_ids_are_text",),
    "BR-112": (
        "tests/test_reported_runs.py::test_br_112_the_policy_is_stated_and_extra_detail_costs_nothing",
        "tests/test_audit_agreement.py::test_the_policy_is_part_of_the_audit_and_a_second_time_asks_nothing",
    ),
    "BR-113": ("tests/test_bug_reports.py::test_br_113_reports_list_each_proposition_with_its_verdict",),
    "BR-115": ("tests/test_lexical.py::test_labels", "tests/test_lexical.py::test_words_that_stand_in_the_answer_must_be_asserted_there"),
    "BR-116": ("tests/test_statistics.py::test_clustered_values_match_statsmodels", "later: compare"),
}
"""Number of a report to the tests that cover it, whole files where several tests do, or `later:` and what will."""


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with Endpoint() as endpoint:
        yield Bench(endpoint, tmp_path)


def only(results: Iterator[ItemResult]) -> ItemResult:
    [result] = results
    return result


def labels(result: ItemResult) -> list[Label | str]:
    """Return the label of each proposition, or why there is none."""
    return [part.outcome.label if isinstance(part.outcome, Verdict) else part.outcome.reason for part in result.propositions]


# --- the table ---


@pytest.mark.gold
@pytest.mark.skipif("CRUX_GOLD_DIR" not in os.environ, reason="CRUX_GOLD_DIR is not set")
def test_every_report_is_in_the_table() -> None:
    text = (Path(os.environ["CRUX_GOLD_DIR"]) / "bug-reports.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^## (BR-\d+)", text, re.MULTILINE)) == sorted(COVERED)


@pytest.mark.parametrize("place", sorted({place for places in COVERED.values() for place in places}))
def test_every_place_in_the_table_exists(place: str) -> None:
    if place.startswith("later: "):
        return
    file, _, name = place.partition("::")
    source = (HERE.parent / file).read_text(encoding="utf-8")
    assert re.search(rf"^(async )?def {name or 'test_'}", source, re.MULTILINE)


# --- nothing to score ---


def test_br_001_two_equal_abstentions_have_no_recall(bench: Bench) -> None:
    """A ground truth without a fact yields no proposition: rates are null with a reason, abstaining is right."""
    bench.endpoint.script(Rule(faults.edit_entries(lambda _: []), kind=DECOMPOSE))
    item = {"answer": "I do not know.", "ground_truth": "The notes do not say."}
    result = bench.score([item])
    assert only(result.items()).state == "no_propositions"
    for metric in ("R_proposition", "C_contradiction"):
        assert (result.summary.metrics[metric].value, result.summary.metrics[metric].reason) == (None, "no_propositions")
    assert result.summary.derived["Q_proposition"].value is None
    assert result.exit_code == 0
    unanswerable = bench.score([{**item, "answerable": False}], out="unanswerable")
    assert unanswerable.summary.metrics["A_abstention"].value == 1.0


@pytest.mark.parametrize("ground_truth", ["", "   ", "\n\t"])
def test_br_002_a_blank_ground_truth_is_an_input_error(bench: Bench, ground_truth: str) -> None:
    """It is named by its line and id, and nobody is asked."""
    source = write_items(bench.folder / "in.jsonl", [{"id": "t1", "answer": "The tram leaves at nine.", "ground_truth": ground_truth}])
    with pytest.raises(InputError, match=r"in\.jsonl:1: item `t1`: `ground_truth`"):
        bench.score(source)
    assert bench.endpoint.connections == 0


def test_br_004_an_empty_list_of_verdicts_is_one_unscored_item(bench: Bench) -> None:
    """Items 1 and 3 are scored, item 2 is null with its reason, and the run ends with 3."""
    bench.endpoint.script(Rule(faults.edit_entries(lambda _: []), kind=LABEL, containing="tram 2?"))
    result = bench.score(trams(3))
    assert [item.signals["R_proposition"] for item in result.items()] == [pytest.approx(1 / 3), None, pytest.approx(1 / 3)]
    assert result.summary.unjudged["missing_verdict"] == 3
    assert result.exit_code == 3


def test_br_005_one_failed_item_leaves_the_mean_of_the_others(bench: Bench) -> None:
    """Recalls 0.9, failed, 0.8: the mean is 0.85 over 2 of 3, and the report says so."""
    facts = [f"Fact {number} holds." for number in range(10)]
    items = [{"id": str(held), "answer": " ".join(facts[:held]), "propositions": facts} for held in (9, 5, 8)]
    bench.endpoint.script(Rule(faults.refusal(), containing=f"{' '.join(facts[:5])}\n</answer"))
    result = bench.score(items, min_coverage=0.5)
    recall = result.summary.metrics["R_proposition"]
    assert recall.value == pytest.approx(0.85)
    assert (recall.n, recall.nulls, result.summary.items.total) == (2, 1, 3)
    assert re.search(r"R_proposition.*0\.850.*\b2\b.*\b1\b", (result.folder / "report.md").read_text(encoding="utf-8"))


# --- numbers ---

S, C, N = Label


def item_of(*wanted: Label) -> Fields:
    """Return an item whose propositions get these labels from the scripted model."""
    said = {S: "Part {0} is red.", C: "Part {0} weighs 90 kg.", N: ""}
    asked = {S: "Part {0} is red.", C: "Part {0} weighs 80 kg.", N: "Part {0} is new."}
    names = "ABCDEFGH"[: len(wanted)]
    answer = " ".join(said[label].format(name) for name, label in zip(names, wanted, strict=True)).strip()
    return {"answer": answer, "propositions": [asked[label].format(name) for name, label in zip(names, wanted, strict=True)]}


@pytest.mark.parametrize(
    ("wanted", "recall", "contradiction", "quality"),
    [
        pytest.param([S, N, C, S], 0.5, 0.25, 0.375, id="BR-010"),
        pytest.param([S, C, N, N], 0.25, 0.25, 0.1875, id="BR-013"),
    ],
)
def test_br_010_013_labels_become_the_rates_they_name(
    bench: Bench, wanted: list[Label], recall: float, contradiction: float, quality: float
) -> None:
    """The three shares sum to 1, and quality is recall x (1 - contradiction), as the documentation says."""
    result = only(bench.score([item_of(*wanted)]).items())
    assert labels(result) == wanted
    assert (result.signals["R_proposition"], result.signals["C_contradiction"], result.signals["Q_proposition"]) == (
        recall,
        contradiction,
        quality,
    )


@pytest.mark.parametrize("judge", ["lexical", "openai/scripted"])
def test_br_014_a_richer_answer_loses_nothing(bench: Bench, judge: str) -> None:
    """What the ground truth does not mention lowers no recall and contradicts nothing."""
    answer = "Lena moved to Oslo in May, rented a flat near the harbour and bought a bike."
    result = only(bench.score([{"answer": answer, "ground_truth": "Lena moved to Oslo in May."}], judge=judge).items())
    assert (result.signals["R_proposition"], result.signals["C_contradiction"]) == (1.0, 0.0)


def test_br_016_every_item_and_proposition_is_written(bench: Bench) -> None:
    """Recalls 1 of 1 and 0 of 3: each item and proposition stands in the files, macro 0.5 and micro 1 of 4 are told apart."""
    result = bench.score([{**item_of(S), "id": "full"}, {**item_of(N, N, N), "id": "none", "answer": "Nothing."}])
    assert [(line["item_id"], line["signals"]["R_proposition"]) for line in read_lines(result.folder / "results.jsonl")] == [
        ("full", 1.0),
        ("none", 0.0),
    ]
    recall = result.summary.metrics["R_proposition"]
    assert recall.pooled is not None
    assert (recall.value, recall.pooled.numerator, recall.pooled.denominator) == (0.5, 1, 4)
    assert len(result.to_rows()) == 4


# --- ground truths ---


def test_br_017_a_text_that_yields_nothing_stands_whole(bench: Bench) -> None:
    """A short ground truth in which the model finds nothing is one proposition, flagged on the item and in the propositions file."""
    bench.endpoint.script(Rule(faults.edit_entries(lambda _: []), kind=DECOMPOSE))
    result = bench.score([{"answer": "It was in Kraków, 14 March.", "ground_truth": "Kraków, 14 March."}])
    item = only(result.items())
    assert [part.text for part in item.propositions] == ["Kraków, 14 March."]
    assert Flag.WHOLE_TEXT_PROPOSITION in item.flags
    assert item.signals["R_proposition"] == 1.0
    [line] = read_lines(result.folder / "propositions.jsonl")
    assert [finding["kind"] for finding in line["lint"]] == ["whole_text"]


def test_br_025_propositions_are_frozen(bench: Bench) -> None:
    """A model that splits into 4 and later into 7 changes no score unless it is told to split again."""
    text = "Ada has A, B, C, D, E, F and G."

    def split(count: int) -> faults.Fault:
        return faults.edit_entries(lambda _: [{"source_quote": letter, "text": f"Ada has {letter}."} for letter in "ABCDEFG"[:count]])

    bench.endpoint.script(Rule(split(4), kind=DECOMPOSE, nth=1), Rule(split(7), kind=DECOMPOSE, nth=2))
    source = write_items(
        bench.folder / "in.jsonl", [{"id": str(number), "answer": f"Ada has A, {number}.", "ground_truth": text} for number in (1, 2)]
    )
    first = bench.score(source, out="first", no_cache=True)
    assert [len(item.propositions) for item in first.items()] == [4, 4]
    shutil.copy(first.folder / "propositions.jsonl", bench.folder / "in.propositions.jsonl")
    assert [len(item.propositions) for item in bench.score(source, out="later", no_cache=True).items()] == [4, 4]
    assert bench.endpoint.calls(DECOMPOSE) == 1
    again = bench.score(source, out="again", no_cache=True, redecompose=True)
    assert [len(item.propositions) for item in again.items()] == [7, 7]


def test_br_038_a_wrong_key_costs_one_re_ask_and_one_item(bench: Bench) -> None:
    """Valid JSON of another shape is asked for once more, then that item failed; the others go on."""
    bench.endpoint.script(Rule(faults.wrong_top_level(), kind=DECOMPOSE, containing="Tram 1 "))
    result = bench.score(trams(3))
    assert bench.endpoint.calls(DECOMPOSE) == 2 + 1 + 1
    assert [labels(item) for item in result.items()] == [["decomposition_failed"], [S, C, N], [S, C, N]]


# --- answers ---


def test_br_053_an_answer_that_is_an_object_is_judged_as_its_json(bench: Bench) -> None:
    """The judge sees stable JSON text, and the item says that it was made."""
    source = write_items(bench.folder / "in.jsonl", [{"answer": {"city": "Turin", "days": 3}, "propositions": ["Turin"]}])
    item = only(bench.score(source).items())
    assert labels(item) == [S]
    assert Flag.ANSWER_SERIALISED in item.flags
    assert '{\\"city\\": \\"Turin\\", \\"days\\": 3}' in json.dumps(bench.endpoint.requests[0].body)


def test_br_056_an_abstention_where_an_answer_is_known() -> None:
    """Nothing is supported, nothing contradicted, and declining was wrong."""
    item = {"question": "Which colour is the shed?", "ground_truth": "The shed is green.", "answer": "The document doesn't say."}
    result = score([item], judge="lexical")
    metrics = result.summary.metrics
    assert (metrics["R_proposition"].value, metrics["C_contradiction"].value, metrics["over_abstention_rate"].value) == (0.0, 0.0, 1.0)


def test_br_058_an_abstention_where_none_is_known() -> None:
    """The field says that the item cannot be answered, never its id; declining is right and the propositions enter no rate."""
    item = {"id": "q7_abs", "ground_truth": "Not stated; only the cat is mentioned.", "answer": "I have no information on that."}
    result = score([{**item, "answerable": False}], judge="lexical")
    assert (result.summary.metrics["A_abstention"].value, result.summary.metrics["R_proposition"].value) == (1.0, None)
    assert score([item], judge="lexical").summary.metrics["A_abstention"].value is None


def test_br_059_a_guess_after_a_disclaimer_earns_nothing(bench: Bench) -> None:
    """A judge that reads past "not mentioned" decides: the guess is contradicted, and abstention is counted on its own."""
    item = {"question": "Which colour was the shed?", "propositions": ["It was blue."], "answer": "Not mentioned. But I guess it was red."}
    guessed = {"id": "s1", "quote": "I guess it was red", "rationale": "Red is not blue.", "label": "contradicted"}
    bench.endpoint.script(faults.edit_entries(lambda _: [guessed]))
    result = bench.score([item])
    metrics = result.summary.metrics
    assert (metrics["R_proposition"].value, metrics["C_contradiction"].value, metrics["over_abstention_rate"].value) == (0.0, 1.0, 0.0)


def test_br_061_a_file_of_one_abstention(tmp_path: Path) -> None:
    """A first and only line that declines is an item like any other."""
    result = score(write_items(tmp_path / "in.jsonl", [{"id": "a", "answer": "Sorry, I can't do that."}]), judge="lexical")
    found = only(result.items())
    assert isinstance(found.abstention, AbstentionVerdict)
    assert found.abstention.value is AbstentionValue.ABSTAINED
    assert result.exit_code == 0


# --- cache, time, resuming ---


def test_br_086_another_process_finds_everything_in_the_cache(bench: Bench) -> None:
    """Nothing in the key is random: a second process makes no call, and its files are the same bytes."""
    source = write_items(bench.folder / "in.jsonl", trams(3))
    first = bench.score(source, out="first")
    bench.endpoint.reset()
    assert command("score", source, *bench.flags("second"), "--offline").returncode == 0
    assert bench.endpoint.connections == 0
    second = bench.folder / "second"
    assert ((second / "results.jsonl").read_bytes(), (second / "summary.json").read_bytes()) == written(first)
    manifest = json.loads((second / "manifest.json").read_text())
    assert (manifest["made_now"]["calls"], manifest["from_cache"]) == (0, 9)


def test_br_092_a_verdict_can_be_audited_later(bench: Bench) -> None:
    """A contradicted proposition stands with text, id, quote, label and rationale; the manifest has judge, prompts and settings."""
    result = bench.score([tram(1)])
    [line] = read_lines(result.folder / "results.jsonl")
    assert line["propositions"][1] == {
        "id": "p2",
        "text": "Tram 1 carries 80 people.",
        "source_quote": "Tram 1 carries 80 people.",
        "outcome": {
            "kind": "verdict",
            "label": "contradicted",
            "quote": "Tram 1 carries 90 people.",
            "quote_verified": True,
            "rationale": "The answer says otherwise.",
        },
    }
    label = result.manifest.judge.identities["label"]
    assert label.prompt is not None
    assert label.policy is not None
    assert (label.model, label.prompt.label, label.policy.label) == ("openai/scripted", "label-v1", "standard-v1")
    assert label.parameters == {"temperature": 0.0}
    assert (result.manifest.made_now.judgments, result.manifest.from_cache) == (3, 0)


def test_br_094_a_call_that_hangs_costs_its_deadline_and_one_item(bench: Bench) -> None:
    """Item 3 of 4 hangs for a minute: it is unjudged after the deadline, and the run ends."""
    bench.score([tram(9)], out="warm")
    bench.endpoint.script(Rule(faults.delay(60), kind=LABEL, containing="tram 3?"))
    result = bench.score(trams(4), deadline=1)
    assert [labels(item) for item in result.items()] == [[S, C, N], [S, C, N], ["deadline_exceeded"] * 3, [S, C, N]]
    assert bench.endpoint.calls(LABEL) <= 4 + 4
    assert result.exit_code == 3


def test_br_098_usage_covers_both_parts_of_a_resumed_run(bench: Bench) -> None:
    """Tokens are those of all judgments, whichever run of the two paid for them."""
    whole = bench.score(trams(4), out="whole", no_cache=True)
    bench.endpoint.script(Rule(faults.quota_exhausted(), nth=7))
    part = bench.score(trams(4), out="part", no_cache=True, max_connections=1)
    assert part.exit_code == 4
    resumed = bench.score(trams(4), out="part", no_cache=True)
    assert resumed.summary.usage == whole.summary.usage
    assert whole.summary.usage.judgments == 12
    assert (whole.summary.usage.input_tokens or 0) > 1000


# --- the command ---


def test_br_100_a_pipe_holds_the_output_and_nothing_else(tmp_path: Path) -> None:
    """Fifty items and standard output into a file: the summary alone; no progress where no terminal is."""
    source = write_items(tmp_path / "in.jsonl", trams(50))
    run = command("score", source, "--judge", "lexical", "--json", "--out", tmp_path / "run")
    assert json.loads(run.stdout)["items"]["total"] == 50
    assert run.stderr == f"run folder: {tmp_path / 'run'}\n"


@pytest.mark.parametrize(("bound", "said", "code"), [("0.8", "PASS", 0), ("0.93", "FAIL", 1)])
def test_br_101_a_gate_states_its_statistic_and_ends_as_it_says(tmp_path: Path, bound: str, said: str, code: int) -> None:
    """28 of 31 items at 1 and three at 0.25: the mean is 0.927, whatever single items have."""
    facts = ["The gate is red.", "Oslo lies in Norway.", "Mira sold seven boats.", "Snow fell in April."]
    items = [{"answer": " ".join(facts if number < 28 else facts[:1]), "propositions": facts} for number in range(31)]
    run = command(
        "score", write_items(tmp_path / "in.jsonl", items), "--judge", "lexical", "--fail-under", f"R_proposition={bound}", cwd=tmp_path
    )
    assert f"gate R_proposition (mean over items) >= {bound}: 0.927419 {said}" in run.stdout
    assert run.returncode == code


@pytest.mark.parametrize("name", ["tests.json", "tests.jsonl"])
def test_br_106_a_file_of_another_shape_is_refused(tmp_path: Path, name: str) -> None:
    """A list of test cases of another tool is no input, and the message says what was found; nothing exits 0 unscored."""
    (tmp_path / name).write_text('[{"vars": {"answer": "x"}, "assert": []}]\n')
    run = command("score", name, "--judge", "lexical", cwd=tmp_path)
    assert (run.returncode, run.stdout) == (2, "")
    assert name in run.stderr
    (tmp_path / "rows.jsonl").write_text('{"vars": {"answer": "x"}, "assert": []}\n')
    assert "(found: vars, assert)" in command("score", "rows.jsonl", "--judge", "lexical", cwd=tmp_path).stderr


def test_br_107_what_a_metric_needs_is_shown_beforehand(tmp_path: Path) -> None:
    """Items without questions are judged; what is missing for a metric is listed, and the metric is null."""
    source = write_items(tmp_path / "in.jsonl", [{"answer": "The mill is red.", "ground_truth": "The mill is red."}])
    shown = command("validate", source).stdout
    assert re.search(r"R_proposition +1 +", shown)
    assert re.search(r"A_abstention +0 .*will be null", shown)
    metrics = score(source, judge="lexical").summary.metrics
    assert (metrics["R_proposition"].value, metrics["A_abstention"].value, metrics["A_abstention"].reason) == (
        1.0,
        None,
        "no_unanswerable_items",
    )


# --- ids and reports ---


def test_br_109_duplicate_ids_are_refused(tmp_path: Path) -> None:
    """Both lines are named, so that neither overwrites the other."""
    source = write_items(tmp_path / "in.jsonl", [{"id": "7", "answer": "a"}, {"id": "8", "answer": "b"}, {"id": 7, "answer": "c"}])
    with pytest.raises(InputError, match=r"in\.jsonl:3: the id `7` stands on line 1 already"):
        score(source, judge="lexical")


def test_br_110_ids_are_text(tmp_path: Path) -> None:
    """`007`, `7` and `a-1` are three items, and come out as they went in."""
    source = write_items(tmp_path / "in.jsonl", [{"id": name, "answer": "x"} for name in ("007", "7", "a-1")])
    assert [item.item_id for item in score(source, judge="lexical").items()] == ["007", "7", "a-1"]


@pytest.mark.parametrize("name", ["report.md", "report.html"])
def test_br_113_reports_list_each_proposition_with_its_verdict(bench: Bench, name: str) -> None:
    """Text, label, quote and rationale of all three propositions stand in both reports."""
    report = (bench.score([tram(1)]).folder / name).read_text(encoding="utf-8")
    for text in ("Tram 1 is red.", "Tram 1 carries 80 people.", "Tram 1 has a bell.", "Tram 1 carries 90 people."):
        assert text in report
    for text in ("supported", "contradicted", "not addressed", "The answer says otherwise."):
        assert text in report
