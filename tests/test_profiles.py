"""By which published formula a composite was made: told wherever one stands, and compared where runs are ranked."""

import json
from pathlib import Path
from typing import Any

import pytest

from judge.errors import ConfigError
from judge.standard.identity import FORMULA_IDS, PROFILES
from pipelines.ranking import rank_runs
from pipelines.reports.pages import page_text
from pipelines.reports.standings import leaderboard_page
from tests.runs.running import ROOT, command
from tests.test_leaderboard import Bench

RECORD: dict[str, Any] = {"Q_info": 0.5, "T_human_s": 4200, "S_gate": 1, "automated": True, "C_tokens_usd": 0.07}
SESSIONS = [ROOT / "examples" / "session" / f"trace-{number}.json" for number in (1, 2, 3)]
STATED = {name: (PROFILES[name], FORMULA_IDS[name]) for name in FORMULA_IDS}
IN_WORDS = "Profiles: core-v1.0 (Q_combined_v1_0, Cx_em); community-v1.5 (Q_combined_v1_5, Cx_community_em); community-v1.4 (Cx_v14_em)."


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def stated(composites: dict[str, Any]) -> dict[str, tuple[str, str]]:
    return {name: (each["profile"], each["formula_id"]) for name, each in composites.items()}


def test_a_run_states_them(bench: Bench) -> None:
    """In summary.json for each composite, and in words in every report."""
    folder = bench.run("a", record=RECORD)
    assert stated(json.loads((folder / "summary.json").read_text(encoding="utf-8"))["composite"]) == STATED
    for name in ("report.md", "report.html"):
        assert IN_WORDS in " ".join((folder / name).read_text(encoding="utf-8").replace("\\", "").split())


@pytest.mark.parametrize("traces", [SESSIONS[:1], SESSIONS], ids=["one", "several"])
def test_sessions_state_them(traces: list[Path]) -> None:
    """One session in its composites, several in the spread over them and in each."""
    found = json.loads(command("crux", *traces, "--json").stdout)
    assert stated(found["composite"]) == STATED
    assert [stated(each["composite"]) for each in found["sessions"]] == [STATED] * len(traces)
    assert IN_WORDS in " ".join(command("crux", *traces).stdout.split())


def test_a_leaderboard_states_that_of_the_composite_that_ranks(bench: Bench) -> None:
    """On top, in each standing and in words; where no composite ranks there is none."""
    runs = [bench.run("a", record=RECORD), bench.run("b", record=RECORD)]
    board = rank_runs(runs, "Cx_em")
    assert (board.profile, board.formula_id) == STATED["Cx_em"]
    assert {(each.profile, each.formula_id) for each in board.standings} == {STATED["Cx_em"]}
    text = page_text(leaderboard_page(board))
    assert "profile:         core-v1.0" in text
    assert f"formula:         {FORMULA_IDS['Cx_em']}" in text
    other = rank_runs(runs, "R_proposition")
    assert (other.profile, other.formula_id, other.standings[0].profile) == (None, None, None)
    assert "profile:" not in page_text(leaderboard_page(other))


def test_another_formula_under_one_name_is_refused(bench: Bench) -> None:
    """Whatever the stamp says; a file that does not tell is no other formula."""
    own = bench.run("own", record=RECORD)
    other = bench.changed("other", own, lambda fields: fields["composite"]["Cx_em"].update(formula_id="Cx_em@1.0:000000000000"))
    silent = bench.changed("silent", own, lambda fields: fields["composite"]["Cx_em"].update(formula_id=None, profile=None))
    with pytest.raises(ConfigError, match=r"one formula of Cx_em: other has Cx_em@1\.0:000000000000; own has Cx_em@1\.0:"):
        rank_runs([own, other], "Cx_em")
    assert rank_runs([own, silent], "Cx_em").formula_id == FORMULA_IDS["Cx_em"]
    assert "profile:         not stated by any run" in page_text(leaderboard_page(rank_runs([silent], "Cx_em")))


@pytest.mark.parametrize(
    ("stamp", "told"),
    [
        ("9.9", "metrics_version of a, b: 9.9 is no known version of the standard (known are 1.0, 1.1, 1.2, 1.4, 1.5); a stamp alone"),
        ("1.3", "metrics_version of a, b: 1.3 was only ever a stamp of the public package, with two dates and no definitions; a stamp"),
    ],
)
def test_an_unknown_stamp_is_accepted_with_a_warning(bench: Bench, stamp: str, told: str) -> None:
    """It does not tell by which formulas the numbers were made."""
    whole = bench.run("whole", record=RECORD)
    runs = [bench.changed(name, whole, lambda fields: fields.update(metrics_version=stamp)) for name in ("a", "b")]
    [warning] = [each for each in rank_runs(runs).warnings if each.startswith("metrics_version")]
    assert warning.startswith(told)
    assert not [each for each in rank_runs([whole]).warnings if each.startswith("metrics_version")]
