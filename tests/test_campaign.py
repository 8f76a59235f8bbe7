"""A Top Floor campaign: scores of floors, what counts, the total, and the command."""

import json
import math
import os
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.errors import ConfigError
from judge.schema.manifests import FileFacts
from judge.standard.campaign import ScoredAttempt, best_cleared, floor_score, running_totals
from judge.standard.campaign_scoring import score_campaign
from judge.standard.composites import COMPOSITES, WEIGHTS
from judge.standard.derived import DERIVATIONS
from judge.standard.formulas import campaign_score
from judge.standard.fundamentals import FUNDAMENTALS
from judge.standard.sub_metrics import SUB_METRICS
from pipelines.reports.campaign_page import campaign_page
from pipelines.reports.pages import page_text
from tests.runs.running import ROOT, command
from tests.support.campaigns import attempt, campaign

EXAMPLE = ROOT / "examples" / "campaign.json"
FILE = FileFacts(name="campaign.json", sha256="0" * 64)
PUBLISHED = Path(os.environ.get("CRUX_GOLD_DIR", ".")) / "scorecrux" / "topfloor-campaign.json"

PUBLISHED_FLOORS = [
    (118_624, 23, 21.99129731061095),
    (48_644, 17, 72.55595273221533),
    (127_065, 13, 36.32302062239496),
    (251_560, 27, 8.833766187876538),
    (356_142, 32, 5.2647539464595585),
    (47_631, 12, 104.97365161344503),
    (401_104, 39, 3.8355676793588156),
    (280_473, 27, 7.923123517137913),
    (102_357, 17, 34.48139125517436),
    (465_158, 46, 2.8040962986489677),
]
"""Milliseconds, turns and score of the ten floors of the published campaign (CueCrux/CruxScore public-data, MIT)."""

PUBLISHED_TOTAL = 298.9866211633224


# --- the score of a floor ---


def test_the_example_of_the_standard() -> None:
    """100 % in 0.8 minutes with 17 turns."""
    assert floor_score(1.0, 48_000, 17) == pytest.approx(73.5294, abs=5e-5)


@pytest.mark.parametrize(
    ("minutes", "turns", "from_table", "duration_ms", "unrounded"),
    [(1.98, 23, 21.9587, 118_624, 21.9913), (0.81, 17, 72.6216, 48_644, 72.5560), (2.12, 13, 36.2845, 127_065, 36.3230)],
    ids=["floor-1", "floor-2", "floor-3"],
)
def test_both_columns_of_the_worked_example(minutes: float, turns: int, from_table: float, duration_ms: int, unrounded: float) -> None:
    """Minutes rounded to two decimals give one column, the milliseconds the other; only the second is the score."""
    assert floor_score(1.0, minutes * 60_000, turns) == pytest.approx(from_table, abs=5e-5)
    assert floor_score(1.0, duration_ms, turns) == pytest.approx(unrounded, abs=5e-5)


def test_the_sums_of_the_worked_example() -> None:
    """130.8648 from the rounded table, 130.8703 from milliseconds."""
    table = [floor_score(1.0, minutes * 60_000, turns) for minutes, turns in ((1.98, 23), (0.81, 17), (2.12, 13))]
    exact = [floor_score(1.0, duration_ms, turns) for duration_ms, turns, _ in PUBLISHED_FLOORS[:3]]
    assert campaign_score(table) == pytest.approx(130.8648, abs=5e-5)
    assert campaign_score(exact) == pytest.approx(130.8703, abs=5e-5)


def test_the_published_campaign_is_reproduced() -> None:
    """Every floor, and the sum of all ten, to 1e-9."""
    scores = [floor_score(1.0, duration_ms, turns) for duration_ms, turns, _ in PUBLISHED_FLOORS]
    assert scores == pytest.approx([published for *_, published in PUBLISHED_FLOORS], abs=1e-9)
    assert campaign_score(scores) == pytest.approx(PUBLISHED_TOTAL, abs=1e-9)


@pytest.mark.parametrize(
    ("completion", "duration_ms", "turns", "field"),
    [
        (1.2, 60_000, 10, "completion"),
        (-0.1, 60_000, 10, "completion"),
        (math.nan, 60_000, 10, "completion"),
        (1.0, 0, 10, "duration_ms"),
        (1.0, -5, 10, "duration_ms"),
        (1.0, math.nan, 10, "duration_ms"),
        (1.0, math.inf, 10, "duration_ms"),
        (1.0, 1e-300, 10, "duration_ms"),
        (1.0, 10**400, 10, "duration_ms"),
        (1.0, 60_000, 0, "turns"),
        (1.0, 60_000, -3, "turns"),
        (1.0, 60_000, 2.5, "turns"),
        (1.0, 60_000, math.nan, "turns"),
        (1.0, 60_000, math.inf, "turns"),
        (1.0, 60_000, 10**400, "turns"),
        (1.0, 60_000, 2**53 + 1, "turns"),
        (1.0, 60_000, True, "turns"),
    ],
)
def test_what_no_score_can_be_made_of_is_an_error(completion: float, duration_ms: float, turns: Any, field: str) -> None:
    """The message names the field."""
    with pytest.raises(ConfigError, match=f"`{field}` is "):
        floor_score(completion, duration_ms, turns)


def test_nothing_done_is_zero() -> None:
    """Completion 0 is a score, not an error, and so is -0, which is the same number; neither is shown with a sign."""
    assert str(floor_score(0.0, 60_000, 10)) == "0.0"
    assert str(floor_score(-0.0, 60_000, 10)) == "0.0"
    card = score_campaign(campaign(attempt(completion=-0.0)), file=FILE, metrics_version="1.5")
    assert "-0.0" not in card.model_dump_json() + page_text(campaign_page(card))


def test_too_many_turns_name_the_limit() -> None:
    """Beyond 2^53 a JSON reader may lose digits; 2^53 itself is a number of turns."""
    assert floor_score(1.0, 60_000, 2**53) > 0
    with pytest.raises(ConfigError, match=r"expected a whole number above 0, up to 2\^53 = 9,007,199,254,740,992"):
        floor_score(1.0, 60_000, 2**60)


def test_an_absurd_duration_floods_no_table() -> None:
    """Three hundred digits are a power of ten."""
    card = score_campaign(campaign(attempt(duration_ms=1e300)), file=FILE, metrics_version="1.5")
    text = page_text(campaign_page(card))
    assert "2.8e+293 h" in text
    assert max(map(len, text.splitlines())) <= 100


# --- what counts ---

ATTEMPTS = st.lists(
    st.builds(
        lambda floor, score, cleared: (floor, score, cleared),
        st.integers(0, 6),
        st.floats(0, 1e6, allow_nan=False),
        st.booleans(),
    ),
    max_size=30,
)


def _scored(parts: list[tuple[int, float, bool]]) -> list[ScoredAttempt]:
    return [ScoredAttempt(number, *part) for number, part in enumerate(parts, start=1)]


@given(parts=ATTEMPTS)
def test_the_total_never_falls(parts: list[tuple[int, float, bool]]) -> None:
    """Whatever is appended: better, worse, not cleared."""
    totals = running_totals(_scored(parts))
    assert list(totals) == sorted(totals)


@given(parts=ATTEMPTS)
def test_the_last_total_is_the_campaign_score(parts: list[tuple[int, float, bool]]) -> None:
    """The running total and the sum over the best cleared attempts are one number."""
    scored = _scored(parts)
    total = campaign_score(best.score for best in best_cleared(scored).values())
    assert (running_totals(scored)[-1] if scored else 0.0) == total


@given(parts=ATTEMPTS, rng=st.randoms(use_true_random=False))
def test_the_order_of_floors_changes_no_digit(parts: list[tuple[int, float, bool]], rng: random.Random) -> None:
    """The same attempts in another order give exactly the same total."""
    shuffled = rng.sample(parts, k=len(parts))
    totals = [campaign_score(best.score for best in best_cleared(_scored(order)).values()) for order in (parts, shuffled)]
    assert totals[0] == totals[1]


def test_the_best_cleared_attempt_counts_the_earliest_of_equals() -> None:
    """A better attempt that was not cleared, a worse one, and an equal one later change nothing."""
    best = best_cleared(_scored([(1, 50.0, True), (1, 90.0, False), (1, 20.0, True), (1, 50.0, True)]))
    assert best[1].attempt == 1


def test_a_later_attempt_changes_only_its_own_floor() -> None:
    """Two floors of 100 and 50 points; then one attempt is better, one worse, one not cleared."""
    card = score_campaign(
        campaign(
            attempt(1),
            attempt(2, turns=20),
            attempt(2, turns=40),
            attempt(1, cleared=False, turns=1),
            attempt(2, turns=5),
        ),
        file=FILE,
        metrics_version="1.5",
    )
    after = {one.attempt: one.campaign_score_after for floor in card.floors for one in floor.attempts}
    assert after == {1: 100, 2: 150, 3: 150, 4: 150, 5: 300}
    assert card.campaign_score == 300
    assert [floor.counting_attempt for floor in card.floors] == [1, 5]


def test_no_cleared_floor_is_zero_and_said() -> None:
    """A floor that nobody cleared has no score, and the campaign has 0."""
    card = score_campaign(campaign(attempt(cleared=False)), file=FILE, metrics_version="1.5")
    assert (card.campaign_score, card.cleared_floors) == (0.0, 0)
    assert (card.floors[0].floor_score, card.floors[0].reason) == (None, "not_cleared")
    assert any("No floor is cleared" in note for note in card.notes)
    assert any("without the key" in note for note in card.notes)


def test_the_campaign_score_is_no_effective_minutes() -> None:
    """The disclosure says so, with the versions."""
    card = score_campaign(campaign(), file=FILE, metrics_version="1.5")
    assert "not in effective minutes (Em)" in card.disclosure
    assert "metrics_version 1.5" in card.disclosure
    assert "diagnostics-v1" in card.disclosure


def test_nothing_of_a_campaign_enters_the_standard() -> None:
    """No derived value and no composite has a score or a diagnostic of a campaign among its inputs."""
    inputs = {name for derivation in DERIVATIONS.values() for name in derivation.inputs} | {
        name for parts in WEIGHTS.values() for name in parts
    }
    own = {"floor_score", "campaign_score", *SUB_METRICS, *(name for metrics in SUB_METRICS.values() for name in metrics)}
    assert not own & (inputs | FUNDAMENTALS.keys() | set(COMPOSITES))


# --- published values ---


def test_published_values_that_differ_are_told() -> None:
    """A wrong floor score, a wrong total, another dimension score, and a flag of nobody's rules."""
    card = score_campaign(
        campaign(
            attempt(
                published_floor_score=99.0,
                published_dimension_scores={"retrieval": 0.2, "memory": None},
                published_recommendation_keys=["FEATURE_ENTITY_GRAPH_EXPAND"],
                diagnostics={"retrieval": {"signalDocsFound": 1, "noiseDocsAccessed": 3, "documentTriagePrecision": 0.5}},
            ),
            published_campaign_score=100.0,
        ),
        file=FILE,
        metrics_version="1.5",
    )
    assert card.published is not None
    assert (card.published.floor_scores, card.published.floor_scores_agreeing, card.published.campaign_score_agrees) == (1, 0, True)
    found = {difference.what: (difference.published, difference.ours) for difference in card.published.differences}
    assert found == {"floor_score": (99.0, 100.0), "retrieval": (0.2, 0.25), "triage_precision": (0.5, 0.25)}
    keys = card.published.recommendations[0]
    assert (keys.published_only, keys.ours_only) == (("FEATURE_ENTITY_GRAPH_EXPAND",), ("FEATURE_CROSS_ENCODER_RERANK",))


def test_nothing_published_is_nothing_compared() -> None:
    """Without published fields there is no comparison."""
    assert score_campaign(campaign(attempt()), file=FILE, metrics_version="1.5").published is None


def test_published_values_that_agree_make_no_difference() -> None:
    """The score to 1e-9, a dimension, and the one flag that both recommend; a difference beyond that is one."""
    agreeing = attempt(
        published_floor_score=100.0 + 5e-10,
        published_dimension_scores={"retrieval": 0.25},
        published_recommendation_keys=["FEATURE_CROSS_ENCODER_RERANK"],
        diagnostics={"retrieval": {"signalDocsFound": 1, "noiseDocsAccessed": 3, "documentTriagePrecision": 0.25}},
    )
    found = score_campaign(campaign(agreeing), file=FILE, metrics_version="1.5").published
    assert found is not None
    assert (found.floor_scores_agreeing, found.differences, found.recommendations) == (1, (), ())
    beyond = score_campaign(campaign({**agreeing, "published_floor_score": 100.0 + 5e-9}), file=FILE, metrics_version="1.5").published
    assert beyond is not None
    assert [difference.what for difference in beyond.differences] == ["floor_score"]


def test_a_published_total_that_differs_is_told() -> None:
    """Under its own name, without an attempt."""
    found = score_campaign(campaign(attempt(), published_campaign_score=99.0), file=FILE, metrics_version="1.5").published
    assert found is not None
    assert [(one.what, one.attempt, one.published, one.ours) for one in found.differences] == [("campaign_score", None, 99.0, 100.0)]
    assert found.campaign_score_agrees is False


@pytest.mark.gold
@pytest.mark.skipif(not PUBLISHED.is_file(), reason="CRUX_GOLD_DIR is not set")
def test_the_published_file_is_read_as_it_is() -> None:
    """Every floor score and the total to 1e-9; the flags that its numbers and the standard's rules give."""
    run = command("campaign", PUBLISHED, "--json")
    assert run.returncode == 0, run.stderr
    card = json.loads(run.stdout)
    assert card["campaign_score"] == pytest.approx(PUBLISHED_TOTAL, abs=1e-9)
    assert [floor["floor_score"] for floor in card["floors"]] == pytest.approx([score for *_, score in PUBLISHED_FLOORS], abs=1e-9)
    assert card["published"]["floor_scores_agreeing"] == 10
    assert card["published"]["campaign_score_agrees"] is True
    fired = [(found["floor"], found["config"]) for found in card["recommendations"]]
    assert (10, "FEATURE_DQP_HYDE_RETRIEVAL") in fired
    assert {floor for floor, config in fired if config == "FEATURE_CROSS_ENCODER_RERANK"} == {1, 2, 6, 9, 10}


# --- the command ---


def test_the_example_shows_everything() -> None:
    """A failed, a cleared and a later worse attempt, one wipe, and each of the six rules."""
    run = command("campaign", EXAMPLE)
    assert run.returncode == 0, run.stderr
    assert "campaign score:  92.5" in run.stdout
    assert max(map(len, run.stdout.splitlines())) <= 100
    for config in ("FEATURE_CROSS_ENCODER_RERANK", "FEATURE_DQP_HYDE_RETRIEVAL", "8 → 20", "FEATURE_SURFACE_VERSION_CHAIN", "Arm change"):
        assert config in run.stdout
    card = json.loads(command("campaign", EXAMPLE, "--json").stdout)
    assert len({found["rule"] for found in card["recommendations"]}) == 6
    assert (card["format"], card["metrics_version"], card["diagnostics_version"]) == (1, "1.5", "diagnostics-v1")
    assert [floor["counting_attempt"] for floor in card["floors"]] == [2, 3]


def test_every_null_of_the_example_has_a_reason() -> None:
    """Of the sub-metrics and of the dimensions."""
    card = json.loads(command("campaign", EXAMPLE, "--json").stdout)
    dimensions = [found for floor in card["floors"] for one in floor["attempts"] for found in one["dimensions"].values()]
    metrics = [metric for found in dimensions for metric in found["sub_metrics"].values()]
    assert any(metric["value"] is None for metric in metrics)
    assert all((metric["value"] is None) == (metric["reason"] is not None) and metric["made_of"] for metric in metrics)
    assert all((found["score"] is None) == (found["reason"] is not None) for found in dimensions)


def test_reports_are_written(tmp_path: Path) -> None:
    """Markdown and HTML hold what the terminal shows; what comes from the file is harmless in them."""
    source = tmp_path / "campaign.json"
    source.write_text(
        json.dumps({"id": "<b>x</b>", "agent": "a\u202eb", "floors": [attempt(status="[x](http://e.org)")]}), encoding="utf-8"
    )
    run = command("campaign", source, "--markdown", tmp_path / "c.md", "--html", tmp_path / "c.html")
    assert run.returncode == 0, run.stderr
    markdown, html = (tmp_path / "c.md").read_text("utf-8"), (tmp_path / "c.html").read_text("utf-8")
    assert "- campaign score: 100.0" in markdown
    assert "<dt>campaign score</dt><dd>100.0</dd>" in html
    assert "<b>" not in markdown + html
    assert "[x](" not in markdown
    assert "\u202e" not in markdown + html + run.stdout


def test_no_attempt_is_a_campaign_of_zero(tmp_path: Path) -> None:
    """An empty list is a score of 0 with a note, and every dimension null with its reason."""
    source = tmp_path / "campaign.json"
    source.write_text('{"floors": []}', encoding="utf-8")
    run = command("campaign", source)
    assert run.returncode == 0
    assert "campaign score:  0.0" in run.stdout
    assert "holds no attempt" in run.stdout
    dimensions = json.loads(command("campaign", source, "--json").stdout)["dimensions"]
    assert {(mean["score"], mean["reason"]) for mean in dimensions.values()} == {(None, "no_ratio_measured")}


@pytest.mark.parametrize(
    ("gate", "code", "shown"),
    [
        (["--fail-under", "campaign_score=92"], 0, "campaign_score >= 92: 92.5 PASS"),
        (["--fail-under", "campaign_score=93"], 1, "campaign_score >= 93: 92.5 FAIL"),
        (["--fail-over", "memory=0.5"], 1, "memory <= 0.5: 0.583333 FAIL"),
    ],
)
def test_gates_decide_the_exit_code(gate: list[str], code: int, shown: str) -> None:
    """The score and the dimensions can be held against bounds."""
    run = command("campaign", EXAMPLE, *gate)
    assert (run.returncode, run.stderr) == (code, "")
    assert shown in run.stdout


def test_a_gate_on_a_null_is_missed(tmp_path: Path) -> None:
    """A dimension without a value passes no bound."""
    source = tmp_path / "campaign.json"
    source.write_text(json.dumps({"floors": [attempt()]}), encoding="utf-8")
    run = command("campaign", source, "--fail-over", "memory=1")
    assert run.returncode == 1
    assert "memory <= 1: null (no_ratio_measured) FAIL" in run.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--fail-under", "Cx_em=1"], "nothing is named 'Cx_em'; gates can be set on campaign_score"),
        (["--fail-under", "campaign_score=nan"], "--fail-under campaign_score is 'nan', expected a number"),
        (["--fail-under", "campaign_score"], "--fail-under takes NAME=VALUE"),
        (["--html", "nowhere/c.html"], "there is no folder"),
        (["--markdown", "."], "it is a folder"),
        (["--html", str(EXAMPLE)], "is an input, which would be written over"),
        (["--markdown", "one", "--html", "one"], "is the file of --markdown, which would be written over"),
    ],
)
def test_wrong_settings_end_with_2(arguments: list[str], message: str, tmp_path: Path) -> None:
    """The message says which setting, and nothing is written."""
    run = command("campaign", EXAMPLE, *arguments, cwd=tmp_path)
    assert run.returncode == 2
    assert message in run.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_file_must_be_named() -> None:
    """Without FILE and without --schema the usage is shown."""
    run = command("campaign")
    assert run.returncode == 2
    assert "Missing argument 'FILE'" in run.stderr
