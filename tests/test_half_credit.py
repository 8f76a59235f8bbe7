"""The option of half credit for an answer that names no decoy: its values, where it is told, and what it may not be ranked with."""

import json
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.errors import ConfigError
from judge.metrics.bounds import Bounds
from judge.metrics.reasoning import half_credit, half_credit_bounds, noise_resistance, noise_resistance_bounds
from judge.schema.crux import CruxSummary, SessionMetric
from judge.schema.labels import Label, UnjudgedReason
from judge.schema.outcomes import Outcome, Unjudged, Verdict
from judge.standard.noise_credit import HALF_CREDIT, RESTS_ON_NOISE
from pipelines.api import ScoreResult, score
from pipelines.measuring import CruxFiles, CruxRules, measure_sessions
from pipelines.ranking import rank_runs
from pipelines.reports.crux_page import crux_page
from pipelines.reports.pages import page_html, page_markdown, page_text
from tests.runs.items import Fields, read_lines, write_items
from tests.runs.running import ROOT, command, written

NOISE = "R_noise_resistance"
EXAMPLES = ROOT / "examples"
RECORDED = EXAMPLES / "recorded" / "run"
TRACES = sorted((EXAMPLES / "session").glob("trace-*.json"))

YES = Verdict(label=Label.SUPPORTED, quote="so", quote_verified=True, rationale="")
NO = Verdict(label=Label.CONTRADICTED, quote="not so", quote_verified=True, rationale="")
SILENT = Verdict(label=Label.NOT_ADDRESSED, quote=None, quote_verified=None, rationale="")
FAILED = Unjudged(reason=UnjudgedReason.NETWORK_ERROR, detail="")
NOT_ASKED = Unjudged(reason=UnjudgedReason.NOT_OFFERED, detail="")


# --- the values ---


@pytest.mark.parametrize(
    ("is_engaged", "decoys", "value", "bounds"),
    [
        pytest.param(True, [SILENT, SILENT], 0.5, (0.5, 0.5), id="none-named"),
        pytest.param(True, [SILENT, NO], 1.0, (1.0, 1.0), id="one-rejected"),
        pytest.param(True, [SILENT, NO, YES, SILENT], 0.75, (0.75, 0.75), id="one-of-four-adopted-one-rejected"),
        pytest.param(True, [SILENT, YES], 0.5, (0.5, 0.5), id="adopting-is-naming"),
        pytest.param(True, [YES], 0.0, (0.0, 0.0), id="all-adopted"),
        pytest.param(False, [SILENT, SILENT], 0.0, (0.0, 0.0), id="not-engaged"),
        pytest.param(False, [SILENT, NOT_ASKED], 0.0, (0.0, 0.0), id="not-engaged-and-one-never-asked"),
        pytest.param(True, [SILENT, FAILED], None, (0.5, 1.0), id="one-of-two-open"),
        pytest.param(True, [SILENT, SILENT, SILENT, FAILED], None, (0.5, 1.0), id="none-named-is-the-worst"),
        pytest.param(True, [SILENT, FAILED, FAILED, FAILED], None, (0.25, 1.0), id="all-adopted-is-the-worst"),
        pytest.param(True, [FAILED], None, (0.0, 1.0), id="all-open"),
        pytest.param(True, [NO, SILENT, FAILED, NOT_ASKED], None, (0.5, 1.0), id="named-already"),
        pytest.param(True, [YES, FAILED], None, (0.0, 0.5), id="adopted-already"),
        pytest.param(None, [SILENT, SILENT], None, (0.0, 0.5), id="engagement-open-none-named"),
        pytest.param(None, [SILENT, NO], None, (0.0, 1.0), id="engagement-open-one-rejected"),
        pytest.param(None, [SILENT, FAILED], None, (0.0, 1.0), id="engagement-and-a-decoy-open"),
    ],
)
def test_half_is_earned_where_no_decoy_is_named(
    is_engaged: bool | None, decoys: list[Outcome], value: float | None, bounds: tuple[float, float]
) -> None:
    """Adopting a decoy or rejecting it is naming it; silence on all of them halves, and 0 stays 0."""
    plain, between = noise_resistance(is_engaged, decoys, ()), noise_resistance_bounds(is_engaged, decoys)
    assert between is not None
    assert half_credit(plain, decoys) == value
    assert half_credit_bounds(between, decoys) == bounds


def of(is_engaged: bool, decoys: tuple[Outcome, ...]) -> float:
    """Return the value of a fully judged item, counted here from its labels."""
    labels = [outcome.label for outcome in decoys if isinstance(outcome, Verdict)]
    share = labels.count(Label.NOT_ADDRESSED) + labels.count(Label.CONTRADICTED)
    return is_engaged * share / len(labels) / (2 if set(labels) == {Label.NOT_ADDRESSED} else 1)


@given(st.sampled_from([True, False, None]), st.lists(st.sampled_from([YES, NO, SILENT, FAILED, NOT_ASKED]), min_size=1, max_size=5))
def test_bounds_are_the_extremes_over_all_completions(is_engaged: bool | None, decoys: list[Outcome]) -> None:
    """No completion passes a bound, one reaches each; a value there is is the only one, and never above the plain one."""
    plain, between = noise_resistance(is_engaged, decoys, ()), noise_resistance_bounds(is_engaged, decoys)
    assert between is not None
    ways = [(YES, NO, SILENT) if isinstance(outcome, Unjudged) else (outcome,) for outcome in decoys]
    whole = [of(known, said) for known in ([True, False] if is_engaged is None else [is_engaged]) for said in product(*ways)]
    bounds, value = half_credit_bounds(between, decoys), half_credit(plain, decoys)
    assert bounds == Bounds(min(whole), max(whole))
    assert bounds.low <= between.low
    assert bounds.high <= between.high
    assert (value is None) == (plain is None)
    if value is not None and plain is not None:
        assert set(whole) == {value}
        assert value <= plain


# --- a run ---

SILENT_ITEM: Fields = {
    "id": "silent",
    "question": "What colour is the bridge?",
    "answer": "The bridge is grey.",
    "propositions": ["The bridge is grey."],
    "decoys": ["The ferry was built in 1950."],
}
ADOPTING: Fields = {**SILENT_ITEM, "id": "adopting", "answer": "The bridge is grey. The ferry was built in 1950."}
NO_DECOYS: Fields = {key: value for key, value in SILENT_ITEM.items() if key != "decoys"}
PLAIN_WORDS = "judge signals by signals-v1, this project's own definition"
HALF_WORDS = "judge signals by signals-v1 with half credit where no decoy is named (options-v1), this project's own definition"


def run(folder: Path, items: list[Fields], **settings: Any) -> ScoreResult:
    return score(items, **{"judge": "lexical", "no_cache": True, "out": folder, **settings})


def test_a_run_says_which_rule_made_its_number(tmp_path: Path) -> None:
    """1 and 0 have the mean 1/2; by the option 1/2 and 0 have 1/4. Nothing else of the run changes."""
    plain = run(tmp_path / "plain", [SILENT_ITEM, ADOPTING])
    half = run(tmp_path / "half", [SILENT_ITEM, ADOPTING], noise_half_credit=True)
    found = [(one.summary.metrics[NOISE].value, one.summary.metrics[NOISE].basis) for one in (plain, half)]
    assert found == [(0.5, None), (0.25, HALF_CREDIT)]
    assert half.summary.metrics[NOISE].bounds == (0.25, 0.25)
    assert [item.signals[NOISE] for item in half.items()] == [0.5, 0.0]
    assert [item.bounds[NOISE] for item in half.items()] == [(0.5, 0.5), (0.0, 0.0)]
    assert (plain.summary.signals_version, half.summary.signals_version) == ("signals-v1", "signals-v1")
    same = {symbol: metric for symbol, metric in half.summary.metrics.items() if symbol != NOISE}
    assert same == {symbol: metric for symbol, metric in plain.summary.metrics.items() if symbol != NOISE}
    assert half.summary.diagnostics == plain.summary.diagnostics


@pytest.mark.parametrize(
    ("settings", "told", "untold"), [({}, PLAIN_WORDS, HALF_WORDS), ({"noise_half_credit": True}, HALF_WORDS, PLAIN_WORDS)]
)
def test_every_output_discloses_the_rule(tmp_path: Path, settings: Fields, told: str, untold: str) -> None:
    """Summary, Markdown, HTML; the manifest has the setting beside all others."""
    result = run(tmp_path / "run", [SILENT_ITEM], **settings)
    assert result.manifest.config["noise_half_credit"] is bool(settings)
    for name in ("summary.json", "report.md", "report.html"):
        text = (result.folder / name).read_text("utf-8").replace("&#39;", "'")
        assert (told in text, untold in text) == (True, False), name
    assert ("basis half credit if no decoy is named" in (result.folder / "report.md").read_text("utf-8")) == bool(settings)


def test_without_decoys_the_option_changes_no_byte(tmp_path: Path) -> None:
    """It has no part in any number, so nothing speaks of it but the manifest."""
    plain, half = run(tmp_path / "plain", [NO_DECOYS]), run(tmp_path / "half", [NO_DECOYS], noise_half_credit=True)
    assert written(plain) == written(half)


def test_a_value_without_enough_verdicts_keeps_basis_and_words(tmp_path: Path) -> None:
    """A replay that holds no verdict on the decoy leaves null, and bounds by the option, which are told."""
    run(tmp_path / "other", [NO_DECOYS])
    half = run(tmp_path / "half", [SILENT_ITEM], judge=f"replay:{tmp_path / 'other'}", noise_half_credit=True)
    metric = half.summary.metrics[NOISE]
    assert (metric.value, metric.bounds, metric.basis) == (None, (0.0, 1.0), HALF_CREDIT)
    assert HALF_WORDS in half.summary.disclosure


def test_a_folder_is_rebuilt_either_way_without_a_judgment(tmp_path: Path) -> None:
    """The option is no part of the run key: on, and off again, gives the bytes of a new run."""
    first = run(tmp_path / "run", [SILENT_ITEM])
    before = written(first)
    on = run(tmp_path / "run", [SILENT_ITEM], noise_half_credit=True)
    after = written(on)
    assert (on.manifest.made_now.judgments, on.manifest.key) == (0, first.manifest.key)
    assert on.summary.metrics[NOISE].value == 0.5
    assert written(run(tmp_path / "new", [SILENT_ITEM], noise_half_credit=True)) == after != before
    off = run(tmp_path / "run", [SILENT_ITEM])
    assert (off.manifest.made_now.judgments, written(off)) == (0, before)


@pytest.mark.parametrize(
    ("flags", "env"),
    [
        pytest.param(["--noise-half-credit"], {}, id="flag"),
        pytest.param([], {"JUDGE_NOISE_HALF_CREDIT": "true"}, id="variable"),
        pytest.param(["--config", "half.toml"], {}, id="file"),
    ],
)
def test_the_command_takes_the_option(tmp_path: Path, flags: list[str], env: Mapping[str, str]) -> None:
    """As a flag, a variable and a line of a settings file; the terminal and the JSON say so."""
    (tmp_path / "half.toml").write_text("noise-half-credit = true\n", encoding="utf-8")
    write_items(tmp_path / "items.jsonl", [SILENT_ITEM])
    call = ("score", "items.jsonl", "--judge", "lexical", "--no-cache", *flags)
    shown = command(*call, cwd=tmp_path, env=env)
    assert (shown.returncode, HALF_WORDS in " ".join(shown.stdout.split())) == (0, True), shown.stderr
    summary = json.loads(command(*call, "--json", cwd=tmp_path, env=env).stdout)
    assert (summary["metrics"][NOISE]["value"], HALF_WORDS in summary["disclosure"]) == (0.5, True)


def test_the_recorded_example_with_the_option(tmp_path: Path) -> None:
    """One answer names no decoy (1 becomes 1/2), one adopts its decoy (0): 1/4; Q_reasoning (1/2 + 1/2 + 1/4) / 3 = 5/12."""
    half = score(EXAMPLES / "quickstart.jsonl", judge=f"replay:{RECORDED}", out=tmp_path / "run", noise_half_credit=True).summary
    assert half.metrics[NOISE].value == 0.25
    assert half.derived["Q_reasoning"].value == pytest.approx(5 / 12)
    assert {agent: card.metrics[NOISE].value for agent, card in half.by_agent.items()} == {"atlas": 0.5, "borea": 0.0}
    assert {card.metrics[NOISE].basis for card in half.by_agent.values()} == {HALF_CREDIT}


# --- leaderboards ---

RULE = "- one rule for answers that name no decoy (--noise-half-credit): half has half credit; plain has full credit"


def replayed(folder: Path, **settings: Any) -> Path:
    record = EXAMPLES / "recorded" / "run-record.json"
    return score(EXAMPLES / "quickstart.jsonl", judge=f"replay:{RECORDED}", out=folder, run_record=record, **settings).folder


@pytest.mark.parametrize("by", sorted(RESTS_ON_NOISE))
def test_different_rules_are_refused_where_they_could_decide(tmp_path: Path, by: str) -> None:
    """Whatever may hold a noise resistance; the message names the rule and what each run has, and nothing else."""
    runs = [replayed(tmp_path / "plain"), replayed(tmp_path / "half", noise_half_credit=True)]
    with pytest.raises(ConfigError) as error:
        rank_runs(runs, by)
    assert str(error.value).splitlines()[1:] == [RULE]
    assert len(rank_runs([runs[1], replayed(tmp_path / "other", noise_half_credit=True)], by).standings) == 2


@pytest.mark.parametrize("by", ["R_proposition", "Cx_em", "Q_info"])
def test_what_holds_no_noise_resistance_ranks_them(tmp_path: Path, by: str) -> None:
    """The disclosure says of how many runs each rule is."""
    board = rank_runs([replayed(tmp_path / "plain"), replayed(tmp_path / "half", noise_half_credit=True)], by)
    assert f"{HALF_WORDS} (1 of 2 runs)" in board.disclosure
    assert f"{PLAIN_WORDS} (1 of 2 runs)" in board.disclosure


def test_a_run_that_measured_none_has_no_rule(tmp_path: Path) -> None:
    """Neither without decoys nor where a run record gives the value: full and half credit are rules of judging."""
    record = tmp_path / "record.json"
    record.write_text(json.dumps({NOISE: 0.75}), encoding="utf-8")
    stated = run(tmp_path / "given", [NO_DECOYS], run_record=record, noise_half_credit=True).folder
    plain = run(tmp_path / "plain", [SILENT_ITEM]).folder
    assert [each.value for each in rank_runs([plain, stated], NOISE).standings] == [1.0, 0.75]


# --- sessions ---


def crux(run_folder: Path, traces: list[Path]) -> CruxSummary:
    return measure_sessions(CruxFiles(traces, run=run_folder), CruxRules())


def test_sessions_take_the_rule_of_their_run(tmp_path: Path) -> None:
    """Their own basis and the disclosure of every output tell it; bounds and interval stay those of the judged value."""
    runs = [replayed(tmp_path / "plain"), replayed(tmp_path / "half", noise_half_credit=True)]
    plain, half = (crux(folder, TRACES[:1]) for folder in runs)
    before, after = plain.metrics[NOISE], half.metrics[NOISE]
    assert isinstance(before, SessionMetric)
    assert isinstance(after, SessionMetric)
    assert (before.value, before.basis, after.value, after.basis) == (1.0, "judge", 0.5, "judge, half credit")
    assert after.bounds == (0.5, 0.5)
    assert after.ci95 is not None
    assert (PLAIN_WORDS in plain.disclosure, HALF_WORDS in half.disclosure) == (True, True)
    page = crux_page(half, with_each=True)
    for text in (page_text(page), page_markdown(page), page_html(page).replace("&#39;", "'")):
        assert HALF_WORDS in " ".join(text.split())


@pytest.mark.parametrize("count", [1, 2])
def test_sessions_of_different_rules_are_refused(tmp_path: Path, count: int) -> None:
    """One session or several: a leaderboard knows their rule from the file that `judge crux --json` wrote."""
    runs = [replayed(tmp_path / "run-plain"), replayed(tmp_path / "run-half", noise_half_credit=True)]
    files = [tmp_path / "plain", tmp_path / "half"]
    for file, folder in zip(files, runs, strict=True):
        file.write_text(crux(folder, TRACES[:count]).model_dump_json(), encoding="utf-8")
    with pytest.raises(ConfigError) as error:
        rank_runs(files, NOISE)
    assert str(error.value).splitlines()[1:] == [RULE]
    assert rank_runs(files, "R_decision").by == "R_decision"


def test_the_journal_is_the_same_either_way(tmp_path: Path) -> None:
    """The option asks nothing new."""
    folders = [run(tmp_path / name, [SILENT_ITEM], noise_half_credit=on).folder for name, on in (("off", False), ("on", True))]
    off, on = ([line["request_sha256"] for line in read_lines(folder / "journal.jsonl")] for folder in folders)
    assert off == on
