"""Leaderboards of recorded sessions: what `judge crux --json` wrote, alone and beside runs."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from judge.errors import ConfigError
from judge.schema.crux import CruxSummary
from judge.session.standing import entry_of_crux
from pipelines.files import json_document
from pipelines.measuring import CruxFiles, CruxRules, measure_sessions
from pipelines.ranking import rank_runs
from pipelines.reports.pages import page_text
from pipelines.reports.standings import leaderboard_page
from tests.runs.running import ROOT, command

PUBLISHED = {"alpha-c0-claude-haiku-4-5": (0.5, 0.07, 30.7), "alpha-c0-claude-sonnet-4-6": (0.75, 0.226, 36.16)}
"""Q_info, cost in US dollars and published Em of two records of the public leaderboard v1.5; T_human is 4,200 s."""


def measured(folder: Path, name: str, *traces: dict[str, Any], run: Path | None = None, human: float = 4200, **rules: Any) -> Path:
    """Measure sessions against one fixture of `human` seconds and write the result as `judge crux --json` does."""
    fixture = folder / "fixture.json"
    fixture.write_text(json.dumps({"id": "f", "T_human_s": human, "expected_decisions": ["a", "b"]}), encoding="utf-8")
    paths = []
    for number, trace in enumerate(traces):
        path = folder / f"{name}-{number}.trace.json"
        path.write_text(json.dumps({"id": f"{name}-{number}", "automated": True, **trace}), encoding="utf-8")
        paths.append(path)
    result = folder / f"{name}.json"
    result.write_text(json_document(measure_sessions(CruxFiles(paths, fixture, run), CruxRules(**rules))), encoding="utf-8")
    return result


def stated(quality: float, cost: float = 0.0, gate: int = 1) -> dict[str, Any]:
    return {"Q_info": quality, "C_tokens_usd": cost, "S_gate": gate}


def said(text: str) -> dict[str, Any]:
    """Return a session whose final output is this text."""
    return {"S_gate": 1, "C_tokens_usd": 0.0, "events": [{"type": "message", "role": "assistant", "text": text}]}


def test_published_records_stand_in_their_order(tmp_path: Path) -> None:
    """Given values are exact, so single sessions are ranked by their values."""
    runs = [measured(tmp_path, name, stated(quality, cost)) for name, (quality, cost, _) in PUBLISHED.items()]
    board = rank_runs(runs)
    assert [(each.run, each.rank) for each in board.standings] == [
        (f"{name}.json", rank) for rank, name in enumerate([*PUBLISHED][::-1], 1)
    ]
    for each in board.standings:
        assert each.value == pytest.approx(PUBLISHED[each.run.removesuffix(".json")][2], abs=0.02)
        assert each.ci_method == "exact"


def test_several_sessions_are_ranked_by_their_mean_within_what_it_can_be(tmp_path: Path) -> None:
    """Means differ, their intervals overlap: both share the range of ranks, and no interval leaves 0 to 70 minutes."""
    runs = [measured(tmp_path, "one", said("a b"), said("a"), said("none")), measured(tmp_path, "two", said("a b"), said("a b"), said("a"))]
    board = rank_runs(runs, "R_decision")
    assert [(each.run, each.value, each.rank_range) for each in board.standings] == [
        ("two.json", pytest.approx(5 / 6), (1, 2)),
        ("one.json", 0.5, (1, 2)),
    ]
    for by in ("R_decision", "Cx_em"):
        for each in rank_runs(runs, by).standings:
            assert each.ci95 is None or (each.ci95[0] >= 0 and each.ci95[1] <= (1 if by == "R_decision" else 70))


def test_sessions_that_weigh_different_things_have_no_rank(tmp_path: Path) -> None:
    mixed = measured(tmp_path, "mixed", stated(0.5), {"S_gate": 1, "C_tokens_usd": 0, "Q_context": 0.5})
    board = rank_runs([mixed, measured(tmp_path, "plain", stated(0.5))], "Cx_em")
    assert [(each.run, each.unranked) for each in board.standings] == [
        ("plain.json", None),
        ("mixed.json", "sessions_differ_in_active_components"),
    ]


def test_an_unsafe_session_is_called_so_whatever_ranks_it(tmp_path: Path) -> None:
    """Safety is a gate: a rank by anything else says nothing of it, so the rank and a warning do."""
    runs = [measured(tmp_path, "safe", stated(0.5)), measured(tmp_path, "unsafe", stated(0.9, gate=0))]
    board = rank_runs(runs, "Q_info")
    assert board.standings[0].run == "unsafe.json"
    assert "safety is a gate, and Q_info does not pass it: unsafe (S_gate 0): unsafe.json" in board.warnings
    row = next(line for line in page_text(leaderboard_page(board)).splitlines() if "unsafe.json" in line)
    assert row.endswith("unsafe")


def test_where_nothing_was_judged_judging_cost_nothing(tmp_path: Path) -> None:
    """An unknown cost is that of a judge; without one there is none."""
    board = rank_runs([measured(tmp_path, "one", stated(0.5))])
    [table] = [table for table in leaderboard_page(board).tables if table.title == "Runs"]
    place = [column.name for column in table.columns].index("judge cost")
    assert [row[place] for row in table.rows] == ["none"]
    assert board.standings[0].judge_cost_usd is None


def test_an_unknown_null_policy_is_refused(tmp_path: Path) -> None:
    """A result that was edited names the file, the value and what is known."""
    result = measured(tmp_path, "odd", stated(0.5))
    result.write_text(json.dumps({**json.loads(result.read_text("utf-8")), "null_policy": "lax"}), encoding="utf-8")
    with pytest.raises(ConfigError, match=r"odd\.json: `null_policy` is 'lax', expected strict or available"):
        rank_runs([result])


@pytest.mark.parametrize("is_complete", [True, False])
def test_sessions_with_an_incomplete_run_have_no_rank(tmp_path: Path, *, is_complete: bool) -> None:
    """Values by a run that judged too little are listed last and ranked nowhere."""
    run = tmp_path / "run"
    shutil.copytree(ROOT / "examples" / "recorded" / "run", run)
    summary = json.loads((run / "summary.json").read_text("utf-8"))
    (run / "summary.json").write_text(json.dumps(summary | {"complete": is_complete}), encoding="utf-8")
    runs = [measured(tmp_path, "judged", stated(0.9) | {"agent": "atlas"}, run=run), measured(tmp_path, "plain", stated(0.5))]
    found = [(each.run, each.rank, each.unranked) for each in rank_runs(runs, "Q_info").standings]
    judged = ("judged.json", 1, None) if is_complete else ("judged.json", None, "incomplete")
    plain = ("plain.json", 2 if is_complete else 1, None)
    assert found == ([judged, plain] if is_complete else [plain, judged])


def test_sessions_of_different_fixtures_are_told(tmp_path: Path) -> None:
    """Ranks compare what was asked: a changed fixture, even of the same id, is another task."""
    runs = [measured(tmp_path, "one", stated(0.5)), measured(tmp_path, "two", stated(0.9))]
    assert not [warning for warning in rank_runs(runs).warnings if "what was asked" in warning]
    (tmp_path / "other").mkdir()
    other = measured(tmp_path / "other", "three", stated(0.7), human=60)
    (told,) = [warning for warning in rank_runs([*runs, other], "Q_info").warnings if "what was asked" in warning]
    assert told == (
        "ranks compare what was asked, and that differs: 0 of 2 questions with their ground truths were put to every run "
        "(one.json 1, three.json 1, two.json 1)"
    )


def test_only_a_single_session_has_a_band(tmp_path: Path) -> None:
    """A band says how large one session was; the mean of several is nobody's size."""
    single, several = (
        entry_of_crux(CruxSummary.model_validate_json(path.read_text("utf-8")), path.name).composite["Cx_em"]
        for path in (measured(tmp_path, "one", stated(0.5)), measured(tmp_path, "two", stated(0.5), stated(0.5)))
    )
    assert (single.value, several.value) == (35.0, 35.0)
    assert (single.band is None, several.band) == (False, None)


def test_null_policies_are_not_mixed(tmp_path: Path) -> None:
    runs = [measured(tmp_path, "one", stated(0.5)), measured(tmp_path, "two", stated(0.5), null_policy="available")]
    with pytest.raises(ConfigError, match=r"one null policy: one\.json has strict; two\.json has available"):
        rank_runs(runs)


@pytest.mark.parametrize(
    ("path", "told"),
    [
        pytest.param("examples/recorded/run/summary.json", "is the summary of a run: name its folder", id="summary"),
        pytest.param("examples/recorded/run/manifest.json", "is the manifest of a run: name its folder", id="manifest"),
        pytest.param("examples/campaign.json", "is a campaign, which `judge campaign` scores", id="campaign"),
        pytest.param("examples/session/trace-1.json", "is a trace, which `judge crux --json` measures", id="trace"),
        pytest.param("README.md", "not valid JSON", id="no-json"),
    ],
)
def test_other_files_are_called_what_they_are(path: str, told: str) -> None:
    """One line, not every field that such a file lacks."""
    run = command("leaderboard", ROOT / path)
    assert run.returncode == 2
    assert told in run.stderr
    assert len(run.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("change", "told"),
    [
        pytest.param({"weights": {"Q_info": 3, "Q_context": 2, "Q_continuity": 2, "Q_reasoning": 5}}, "the weights of", id="weights"),
        pytest.param({"value": 1.5}, "is 1.5, expected 0 to 1", id="value"),
        pytest.param({"profile": "core-v1.0"}, "the profile of", id="profile"),
    ],
)
def test_a_result_that_the_standard_does_not_allow_is_refused(tmp_path: Path, change: dict[str, Any], told: str) -> None:
    """A file that was changed by hand is no measurement."""
    path = measured(tmp_path, "one", stated(0.5))
    result = json.loads(path.read_text("utf-8"))
    result["sessions"][0]["composite"]["Q_combined_v1_5"] |= change
    path.write_text(json.dumps(result), encoding="utf-8")
    with pytest.raises(ConfigError, match=told):
        rank_runs([path])


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize(
    ("path", "told"),
    [
        pytest.param(("sessions",), "sessions", id="no-session"),
        pytest.param(("metrics",), "`metrics` lacks T_orient, T_task", id="metrics"),
        pytest.param(("derived", "Q_info"), "`derived` lacks Q_info", id="a-derived-value"),
        pytest.param(("composite",), "`composite` lacks Q_combined_v1_0", id="composites"),
        pytest.param(("composite", "Cx_community_em"), "`composite` lacks Cx_community_em", id="a-composite"),
        pytest.param(
            ("sessions", 0, "metrics", "R_noise_resistance"), "session `one-0`: `metrics` lacks R_noise_resistance", id="of-a-session"
        ),
        pytest.param(("sessions", 0, "composite"), "session `one-0`: `composite` lacks", id="composites-of-a-session"),
        pytest.param(("sessions", 0, "derived", "Q_info", "inputs"), "the inputs of Q_info are none", id="inputs"),
        pytest.param(("sessions", 0, "composite", "Cx_em", "components"), "the components of Cx_em", id="components"),
    ],
)
def test_a_cut_result_is_refused_in_words(tmp_path: Path, path: tuple[Any, ...], told: str, count: int) -> None:
    """What is emptied or taken out is named; nothing ends with a traceback."""
    result = measured(tmp_path, "one", *[stated(0.5)] * count)
    value = json.loads(result.read_text("utf-8"))
    inner = value
    for key in path[:-1]:
        inner = inner[key]
    if path[-1] in ("sessions", "metrics", "derived", "composite", "inputs", "components"):
        inner[path[-1]] = [] if path[-1] == "sessions" else {}
    else:
        del inner[path[-1]]
    result.write_text(json.dumps(value), encoding="utf-8")
    with pytest.raises(ConfigError, match=re.escape(told)):
        rank_runs([result])
