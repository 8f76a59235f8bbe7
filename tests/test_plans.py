"""Plans: how many labels a wanted width takes, and what a comparison of two runs can detect."""

from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from judge.auditing.comparison_plans import QuestionScore, one_run, two_runs
from judge.auditing.label_plans import corrected_labels, expected_recall, human_only
from judge.schema.plans import LabelPlan
from judge.statistics.planning import minimum_detectable_effect
from judge.statistics.rogan_gladen import TwoLabels, rogan_gladen_variance
from pipelines.api import score
from pipelines.audits.planning import Wanted, make_plan
from pipelines.reports.pages import page_html, page_text
from pipelines.reports.plan_page import plan_page
from tests.runs.running import command

Z = 1.959963984540054
LARGE = 1e9


def test_people_alone_need_walds_number_times_the_design_effect() -> None:
    """139 statements for a half width of 0.05 at 0.9; with clusters more."""
    assert human_only(0.9, 0.1, 1.0).statements == 139
    assert human_only(0.9, 0.1, 2.0).statements == 277


@given(share=st.floats(0.2, 0.8), right=st.floats(0.75, 0.95), deff=st.floats(1, 4))
def test_planned_labels_give_the_wanted_width(share: float, right: float, deff: float) -> None:
    """The delta method with the planned numbers, and a run and a pilot so large that nothing is smoothed."""
    width = 0.1
    sample = TwoLabels(share, LARGE, right, LARGE, right, LARGE)
    theta = (share + right - 1) / (2 * right - 1)
    assume(0.06 < theta < 0.94)
    plan = corrected_labels(sample, width, deff)
    assert plan.positives is not None
    assert plan.negatives is not None
    assert plan.statements == plan.positives + plan.negatives
    variance = rogan_gladen_variance(sample._replace(negatives=plan.negatives / deff, positives=plan.positives / deff))
    assert variance is not None
    assert 2 * Z * sqrt(variance) == pytest.approx(width, rel=0.02)
    assert plan.drawn is not None
    assert plan.drawn >= plan.statements - 1


def test_no_labels_mend_a_run_that_is_too_small() -> None:
    """Fifty statements alone leave a wider interval than wanted, and the plan says how wide."""
    plan = corrected_labels(TwoLabels(0.5, 50, 0.9, 100, 0.9, 100), 0.1, 1.0)
    assert (plan.statements, plan.reason) == (None, "run_too_small")
    assert plan.narrowest == pytest.approx(2 * Z * sqrt(0.25 / 50) / (2 * 91 / 102 - 1), rel=1e-6)


def test_judge_without_information_has_no_plan() -> None:
    """A coin needs infinitely many labels."""
    plan = corrected_labels(TwoLabels(0.5, 500, 0.5, 100, 0.55, 100), 0.1, 1.0)
    assert (plan.statements, plan.reason) == (None, "judge_too_poor")


def test_expected_recall_keeps_away_from_the_ends() -> None:
    """A plan for a recall of 1 would find that no label is needed."""
    assert expected_recall(TwoLabels(0.99, LARGE, 0.9, LARGE, 0.9, LARGE)) == 0.95
    assert expected_recall(TwoLabels(0.02, LARGE, 0.9, LARGE, 0.9, LARGE)) == 0.05


def scores(*recalls: float, cluster: str | None = None) -> dict[str, QuestionScore]:
    """Return questions with these recalls, each its own cluster unless one is named."""
    return {f"q{place}": QuestionScore(recall, cluster or f"q{place}") for place, recall in enumerate(recalls)}


def test_two_runs_are_compared_by_question() -> None:
    """Ten questions with a difference of 0.15: what was found, and what could have been; others are counted."""
    first = scores(1, 1, 0.5, 0, 1, 0.75, 1, 0.5, 0.25, 1, 0.7)
    second = scores(0.5, 1, 0.5, 0, 0.75, 0.5, 1, 0, 0.5, 0.75)
    plan = two_runs(first, second)
    assert (plan.questions, plan.left_out, plan.assumed, plan.reason) == (10, 1, False, None)
    assert plan.difference is not None
    assert plan.difference.value == pytest.approx(0.15)
    assert plan.p == pytest.approx(0.0811261888)
    assert plan.deviation == pytest.approx(0.0763762616 * sqrt(10))
    assert plan.deff == pytest.approx(1)
    assert plan.detectable == pytest.approx(minimum_detectable_effect(0.0763762616 * sqrt(10), 10))


def test_one_run_assumes_how_differences_spread() -> None:
    """As much as single recalls; clusters enlarge what can be detected."""
    plan = one_run(scores(0.2, 0.4, 0.6, 0.8))
    assert plan.assumed
    assert plan.difference is None
    assert plan.deviation == pytest.approx(0.2581988897)
    clustered = {
        name: QuestionScore(score.recall, "low" if score.recall < 0.5 else "high") for name, score in scores(0.2, 0.4, 0.6, 0.8).items()
    }
    other = one_run(clustered)
    assert plan.detectable is not None
    assert other.detectable is not None
    assert other.detectable > plan.detectable


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        pytest.param(scores(0.5), "too_few_questions", id="one-question"),
        pytest.param(scores(0.5, 0.5, 0.5), "no_variation", id="no-variation"),
        pytest.param(scores(0.5, 0.7, cluster="c"), "one_cluster", id="one-cluster"),
    ],
)
def test_what_cannot_be_detected_says_why(found: dict[str, QuestionScore], reason: str) -> None:
    """No number, and never 0."""
    plan = one_run(found)
    assert (plan.detectable, plan.reason) == (None, reason)


def items(*answers: str) -> list[dict[str, Any]]:
    """Return items about the same two facts, one question each."""
    propositions = ["The tram is red.", "The bridge is long."]
    return [
        {"id": f"i{place}", "question_id": f"q{place}", "answer": answer, "propositions": propositions}
        for place, answer in enumerate(answers)
    ]


RED, BOTH, NEITHER = "The tram is red.", "The tram is red. The bridge is long.", "It rains."


def run(folder: Path, *answers: str) -> Path:
    """Return the folder of a run by the offline baseline."""
    return score(items(*answers), out=folder, judge="lexical").folder


def test_plan_of_two_runs_pairs_their_questions(tmp_path: Path) -> None:
    """Assumptions fall away as what they stand for is named."""
    first, second = run(tmp_path / "a", RED, BOTH, NEITHER, RED), run(tmp_path / "b", RED, RED, NEITHER)
    alone = make_plan(Wanted(first, None, None, 0.5))
    both = make_plan(Wanted(first, second, None, 0.5))
    assert (alone.run, alone.against, both.against, alone.statements_in_run) == ("a", None, "b", 8)
    assert alone.comparison is not None
    assert both.comparison is not None
    assert (alone.comparison.assumed, both.comparison.assumed) == (True, False)
    assert (both.comparison.questions, both.comparison.left_out) == (3, 1)
    assert len(alone.assumptions) == len(both.assumptions) + 1
    assert (alone.sensitivity, alone.specificity) == (0.9, 0.9)
    assert "label policy standard-v1" in alone.disclosure


def test_page_says_why_labels_do_not_help(tmp_path: Path) -> None:
    """A run that is too small, a run with fewer statements than needed, a judge that tells nothing, and a plain number."""
    plan = make_plan(Wanted(run(tmp_path / "a", RED, BOTH, NEITHER, RED), None, None, 0.5))
    page = page_text(plan_page(plan))
    assert "no narrower than" in page
    assert "the run has only 8 statements" in page
    assert "assumed: the judge is taken to be right on 90 % of either label" in page
    poor = LabelPlan(statements=None, deff=1.0, reason="judge_too_poor")
    enough = LabelPlan(statements=30, positives=10, negatives=20, drawn=40, deff=1.0, narrowest=0.01)
    other = page_text(plan_page(plan.model_copy(update={"human_only": enough, "corrected": poor, "statements_in_run": None})))
    assert "this judge's labels tell too little" in other
    assert "never narrower than 0.010" in other
    html = page_html(plan_page(plan))
    assert plan.disclosure in html


def test_command_says_what_is_wrong(tmp_path: Path) -> None:
    """Exit 2 and a sentence, never a traceback."""
    first = run(tmp_path / "a", RED, BOTH)
    other = score([{"id": "x", "answer": RED, "propositions": [RED]}], out=tmp_path / "b", judge="lexical").folder
    nothing = score([{"id": "x", "answer": RED, "ground_truth": RED, "answerable": False}], out=tmp_path / "c", judge="lexical").folder
    for arguments, expected in (
        ([], "nothing to plan from"),
        ([first, "--width", "1"], "--width 1: expected the width of a whole interval"),
        ([first, "--width", "nan"], "--width nan: expected"),
        ([tmp_path / "none"], "is not a run folder"),
        ([first, "--against", other], "share no question with a recall in both"),
        ([nothing], "no item of the run has a recall"),
        (["--against", first, "--calibration", "card.json"], "there is no first run to compare it with"),
        ([first, "--calibration", tmp_path / "card.json"], "there is no such file"),
    ):
        done = command("audit", "plan", *arguments)
        assert done.returncode == 2, arguments
        assert expected in done.stderr, arguments
        assert done.stdout == ""
        assert "Traceback" not in done.stderr
