"""Leaderboards of real run folders: what ranks, what is refused and why, and what the reports say."""

import json
import random
import re
import shutil
from collections.abc import Callable, Iterable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from judge.errors import ConfigError
from judge.schema.leaderboards import Estimate, Leaderboard, LeaderboardEntry, Standing
from judge.schema.summaries import JudgeName, Summary
from judge.standard.leaderboard import leaderboard
from pipelines.api import score
from pipelines.gates import KNOWN
from pipelines.ranking import rank_runs, ranking_symbol
from pipelines.reports.pages import page_html, page_markdown, page_text
from pipelines.reports.standings import leaderboard_page
from tests.runs.items import Fields
from tests.runs.running import ROOT, command

RECORDED = ROOT / "examples" / "recorded" / "run"
SAFE: Fields = {"Q_info": 0.5, "C_tokens_usd": 0.07, "S_gate": 1, "T_human_s": 4200, "automated": True}

PUBLISHED = {
    "alpha-c0-claude-haiku-4-5": (0.5, 0.07, 4200, 65, 1, 30.7),
    "alpha-c0-claude-sonnet-4-6": (0.75, 0.226, 4200, 180, 1, 36.16),
    "alpha-c0-gpt-5.4-mini": (0.88, 0.015, 4200, 60, 1, 59.81),
    "alpha-c2-claude-opus-4-6": (1, 1.07, 4200, 24, 1, 22.29),
    "alpha-c2-gpt-5.4": (0.88, 0.13, 4200, 120, 1, 48.89),
    "alpha-t2-claude-sonnet-4-6": (0.88, 0.785, 4200, 300, 1, 23.97),
    "alpha-t2-gpt-5.4-mini": (0.75, 0.02, 4200, 90, 1, 50.48),
    "beta-f1-claude-opus-4-6": (0, 0.3604, 1800, 55, 0, 0),
    "delta-c0-claude-haiku-4-5": (0.6, 0.07, 9000, 65, 1, 78.95),
    "delta-c0-claude-sonnet-4-6": (0.44, 0.7, 9000, 406, 1, 27.5),
    "delta-c2-claude-opus-4-6": (0.4, 66.96, 9000, 456, 1, 0.44),
    "delta-c2-gpt-5.4": (0.08, 10.04, 9000, 202, 1, 0.57),
    "delta-f1-claude-sonnet-4-6": (1, 6.28, 9000, 453, 1, 11.06),
    "delta-t2-claude-sonnet-4-6": (1, 2.59, 9000, 1048, 1, 24.27),
    "delta-t3-claude-sonnet-4-6": (0.96, 2.42, 9000, 1768, 1, 24.66),
    "gamma-c0-claude-haiku-4-5": (0.4375, 0.07, 9900, 65, 1, 63.32),
    "gamma-c0-claude-sonnet-4-6": (0.69, 0.88, 9900, 120, 1, 41.25),
    "gamma-c0-gpt-5.4-mini": (0.5, 0.06, 9900, 60, 1, 73.66),
    "gamma-c2-claude-opus-4-6": (0.9375, 2.33, 9900, 25, 1, 27.33),
    "gamma-c2-gpt-5.4": (0.69, 0.93, 9900, 200, 1, 39.81),
    "gamma-f1-claude-sonnet-4-6": (0.81, 4.05, 9900, 360, 1, 14.69),
    "gamma-f1-gpt-5.4-mini": (0.63, 0.09, 9900, 100, 1, 88.09),
    "gamma-t2-gpt-5.4": (0.75, 0.97, 9900, 300, 1, 42.09),
    "gamma-t3-claude-sonnet-4-6": (0.81, 5.34, 9900, 500, 1, 11.44),
    "gamma-t3-gpt-5.4-mini": (0.56, 0.06, 9900, 80, 1, 82.5),
}
"""The published v1.5 records: Q_info, cost, T_human and T_task in seconds, S_gate, and the Em that was published."""


def questions(count: int, right: int, *, wrong: int = 0) -> list[Fields]:
    """Return so many items of one proposition each, of which the first `right` are supported and the next `wrong` contradicted."""
    said = ["80"] * right + ["95"] * wrong
    answers = [f"Tram {n} carries {said[n]} people." if n < len(said) else "Nobody knows anything about trams." for n in range(count)]
    return [
        {
            "id": f"q{n}",
            "question": f"How many people fit into tram {n}?",
            "answer": answers[n],
            "propositions": [f"Tram {n} carries 80 people."],
        }
        for n in range(count)
    ]


class Bench:
    """A folder of runs by the offline baseline."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, name: str, items: Iterable[Fields] | None = None, record: Fields | None = None, **settings: Any) -> Path:
        """Make a run folder of this name, with a run record if there is one."""
        if record is not None:
            path = self.folder / f"{name.replace('/', '-')}.json"
            path.write_text(json.dumps(record), encoding="utf-8")
            settings["run_record"] = path
        given = list(questions(4, 2) if items is None else items)
        return score(given, judge="lexical", out=self.folder / name, no_cache=True, **settings).folder

    def changed(self, name: str, source: Path, change: Callable[[Fields], object], file: str = "summary.json") -> Path:
        """Copy a run folder and change one of its files."""
        folder = Path(shutil.copytree(source, self.folder / name))
        fields = json.loads((folder / file).read_text(encoding="utf-8"))
        change(fields)
        (folder / file).write_text(json.dumps(fields), encoding="utf-8")
        return folder


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def order(board: Leaderboard) -> list[tuple[str, tuple[int, int] | None]]:
    return [(each.run, each.rank_range) for each in board.standings]


def refused(*paths: Path, **more: Any) -> list[str]:
    with pytest.raises(ConfigError) as error:
        rank_runs(paths, **more)
    return str(error.value).splitlines()


# --- what ranks ---


def test_runs_rank_by_recall_where_nothing_else_is_there(bench: Bench) -> None:
    """Recalls 1 and 0 over 12 items are told apart; a third run overlaps with one of them and shares its places."""
    runs = [bench.run("low", questions(12, 0)), bench.run("high", questions(12, 12)), bench.run("most", questions(12, 11))]
    board = rank_runs(runs)
    assert order(board) == [("high", (1, 2)), ("most", (1, 2)), ("low", (3, 3))]
    assert [each.rank for each in board.standings] == [1, 1, 3]
    assert [each.value for each in board.standings] == [1.0, pytest.approx(11 / 12), 0.0]
    assert (board.by, board.direction, board.layer, board.unit) == ("R_proposition", "up", "llm", "ratio")
    assert "Cx_community_em has no value in high (no_run_record), low (no_run_record), most (no_run_record)" in board.by_reason
    assert board.warnings == ()


def test_a_rate_of_errors_ranks_the_other_way(bench: Bench) -> None:
    """Fewer contradictions are better."""
    runs = [bench.run("wrong", questions(12, 0, wrong=12)), bench.run("right", questions(12, 12))]
    assert order(rank_runs(runs, "C_contradiction")) == [("right", (1, 1)), ("wrong", (2, 2))]


def test_community_minutes_rank_where_every_run_has_them(bench: Bench) -> None:
    """70 min x 0.5 / 1.14 = 30.70 Em against 70 x 0.5 / 2 = 17.5; a closed gate is last at 0 and says so."""
    runs = [
        bench.run("dear", record={**SAFE, "C_tokens_usd": 0.5}),
        bench.run("cheap", record=SAFE),
        bench.run("unsafe", record={**SAFE, "S_gate": 0, "Q_info": 1}),
    ]
    board = rank_runs(runs)
    assert (board.by, board.by_reason, board.unit) == ("Cx_community_em", "the first choice that every run has", "Em")
    assert order(board) == [("cheap", (1, 1)), ("dear", (2, 2)), ("unsafe", (3, 3))]
    assert [each.value for each in board.standings] == [pytest.approx(35 / 1.14), 17.5, 0.0]
    assert [each.band for each in board.standings] == ["significant", "significant", "unsafe"]
    assert [each.S_gate for each in board.standings] == [1.0, 1.0, 0.0]
    first = board.standings[0]
    assert (first.weights["Q_info"], first.active_components, first.active_weight_sum) == (3, ("Q_info",), 3)
    assert (first.C_tokens_usd, first.T_human_s, first.judge_cost_usd, first.ci_method) == (0.07, 4200.0, 0.0, "exact")
    assert "includes values given by a run record" in board.disclosure


def test_combined_quality_ranks_where_minutes_cannot(bench: Bench) -> None:
    """One run without a cost has no community minutes, and the reason names it."""
    runs = [bench.run("whole", record=SAFE), bench.run("uncosted", record={**SAFE, "C_tokens_usd": None, "Q_info": 0.75})]
    board = rank_runs(runs)
    assert board.by == "Q_combined_v1_5"
    assert board.by_reason == "the first choice that every run has; Cx_community_em has no value in uncosted (cost_not_measured)"
    assert order(board) == [("uncosted", (1, 1)), ("whole", (2, 2))]


def test_equal_values_share_a_rank(bench: Bench) -> None:
    """Two runs at 0 Em are both third of four, for nothing tells them apart."""
    closed = {**SAFE, "S_gate": 0}
    runs = [
        bench.run("a", record=SAFE),
        bench.run("b", record=closed),
        bench.run("c", record=closed),
        bench.run("d", record={**SAFE, "Q_info": 1}),
    ]
    assert order(rank_runs(runs)) == [("d", (1, 1)), ("a", (2, 2)), ("b", (3, 4)), ("c", (3, 4))]


def test_published_records_rank_by_their_published_minutes(bench: Bench) -> None:
    """All 25, each to 0.02 Em, in the order of the Em that were published; the one unsafe run is last."""
    keys = ("Q_info", "C_tokens_usd", "T_human_s", "T_task_s", "S_gate")
    runs = [
        bench.run(name, questions(1, 1), {**dict(zip(keys, figures, strict=False)), "automated": True})
        for name, figures in PUBLISHED.items()
    ]
    board = rank_runs(runs)
    assert board.by == "Cx_community_em"
    assert [each.run for each in board.standings] == sorted(PUBLISHED, key=lambda name: -PUBLISHED[name][-1])
    assert [each.rank_range for each in board.standings] == [(place, place) for place in range(1, 26)]
    for each in board.standings:
        assert each.value == pytest.approx(PUBLISHED[each.run][-1], abs=0.02)
        assert each.components == {"Q_info": PUBLISHED[each.run][0], "Q_context": None, "Q_continuity": None, "Q_reasoning": None}
    assert (board.standings[-1].run, board.standings[-1].band) == ("beta-f1-claude-opus-4-6", "unsafe")
    assert any(warning.startswith("T_human differs, so effective minutes speak of different tasks: ") for warning in board.warnings)
    shown = page_text(leaderboard_page(board))
    assert max(map(len, shown.splitlines())) <= 100
    assert "…" not in shown


@pytest.mark.parametrize(
    ("by", "best"),
    [("C_tokens_usd", "cheap"), ("C_tokens", "cheap"), ("E1", "cheap"), ("v_time", "quick"), ("V_time", "quick"), ("T_task_s", "quick")],
)
def test_any_number_of_the_standard_can_rank(bench: Bench, by: str, best: str) -> None:
    """By symbol, id or JSON key in any letter case, each in its own direction."""
    runs = [
        bench.run("cheap", record={**SAFE, "C_tokens_usd": 0.01, "T_task_s": 90}),
        bench.run("quick", record={**SAFE, "C_tokens_usd": 0.5, "T_task_s": 30}),
    ]
    board = rank_runs(runs, by)
    assert (board.standings[0].run, board.standings[0].rank_range) == (best, (1, 1))
    assert board.by_reason == "named by --by"


def test_a_run_without_the_value_is_last_and_has_no_rank(bench: Bench) -> None:
    """The reason stands where the rank would."""
    board = rank_runs([bench.run("a-plain"), bench.run("rich", record={**SAFE, "T_task_s": 60})], "V_time")
    assert [(each.run, each.rank, each.rank_range, each.unranked) for each in board.standings] == [
        ("rich", 1, (1, 1), None),
        ("a-plain", None, None, "no_run_record"),
    ]
    assert "No run could be ranked." in page_text(leaderboard_page(rank_runs([bench.folder / "a-plain"], "V_time")))


def test_an_incomplete_run_is_listed_and_not_ranked(bench: Bench) -> None:
    """It does not decide what ranks either, and its missing components are no reason to refuse."""
    whole = bench.run("whole", record=SAFE)
    cut = bench.changed("cut", bench.run("plain"), lambda fields: fields.update(complete=False))
    board = rank_runs([cut, whole])
    assert board.by == "Cx_community_em"
    assert [(each.run, each.rank, each.unranked) for each in board.standings] == [("whole", 1, None), ("cut", None, "incomplete")]
    assert "incomplete; no_run_record" in page_text(leaderboard_page(board))


def test_a_run_that_goes_on_is_incomplete(bench: Bench) -> None:
    """Its summary may be that of an earlier attempt."""
    going = bench.changed("going", bench.run("done"), lambda fields: fields.update(state="running"), "manifest.json")
    board = rank_runs([going, bench.folder / "done"])
    assert [(each.run, each.unranked) for each in board.standings] == [("done", None), ("going", "incomplete")]


def test_one_cluster_has_no_interval_and_says_so(bench: Bench) -> None:
    """Differing values in one cluster say nothing of another one: the value alone is compared, and a note tells."""
    one = [{**each, "cluster": "all"} for each in questions(4, 2)]
    board = rank_runs([bench.run("one", one), bench.run("other", [{**each, "cluster": "all"} for each in questions(4, 3)])])
    assert order(board) == [("other", (1, 1)), ("one", (2, 2))]
    assert board.standings[0].ci95 is None
    assert "one: no 95 % interval (one-cluster)" in page_text(leaderboard_page(board))


def test_one_run_alone_is_allowed() -> None:
    """The recorded run: a model judged, values were given, and the disclosure says both."""
    board = rank_runs([RECORDED])
    assert order(board) == [("run", (1, 1))]
    assert "includes an LLM judge signal; not fully objective" in board.disclosure
    assert board.standings[0].ci_reason == "no interval of R_conflict_resolution (one-cluster), R_noise_resistance (one-cluster)"


def test_the_order_of_arguments_changes_nothing(bench: Bench) -> None:
    """Text, Markdown, HTML and JSON are the same whichever run is named first."""
    runs = [bench.run(name, questions(6, right), SAFE) for name, right in (("b", 1), ("a", 5), ("d", 3), ("c", 3))]
    shown: set[tuple[str, ...]] = set()
    for _ in range(4):
        board = rank_runs(random.Random(len(shown)).sample(runs, k=4), "R_proposition")
        shown.add((board.model_dump_json(), *(draw(leaderboard_page(board)) for draw in (page_text, page_markdown, page_html))))
        runs.append(runs.pop(0))
    assert len(shown) == 1


def test_runs_of_one_name_are_told_apart(bench: Bench) -> None:
    """By as much of the path as it takes."""
    board = rank_runs([bench.run("may/run"), bench.run("june/run"), bench.run("other")])
    assert sorted(each.run for each in board.standings) == ["june/run", "may/run", "other"]


# --- what is refused ---


def test_what_cannot_be_compared_is_refused_with_all_reasons(bench: Bench) -> None:
    """Each broken rule with what each run has."""
    first = bench.run("first", record=SAFE)

    def differ(fields: Fields) -> None:
        fields.update(metrics_version="1.4", signals_version="signals-v0", null_policy="available", policy="lenient-v1")
        fields["judge"].update(spec="openai/other", id="f" * 64)
        fields["composite"]["Cx_community_em"].update(active_components=["Q_info", "Q_context"])

    assert refused(first, bench.changed("other", first, differ)) == [
        "these runs cannot be ranked together by Cx_community_em; there must be",
        "- one metrics version: first has 1.5; other has 1.4",
        "- one null policy: first has strict; other has available",
        "- one version of the judge signals: first has signals-v1; other has signals-v0",
        "- one label policy: first has standard-v1; other has lenient-v1",
        "- one judge, unless --across-judges is given: first has lexical; other has openai/other",
        "- one set of active components of Cx_community_em: first has Q_info; other has Q_info, Q_context",
    ]


def test_another_null_policy_is_refused(bench: Bench) -> None:
    """And nothing else is named."""
    lines = refused(bench.run("a"), bench.run("b"), bench.run("c", null_policy="available"))
    assert lines[1:] == ["- one null policy: a, b have strict; c has available"]


def test_another_label_policy_is_refused_as_such(bench: Bench) -> None:
    """The policy is part of the judge's identity, yet the judge is the same; --across-judges does not help."""
    runs = (bench.run("a"), bench.run("b", policy="strict"))
    for across in (False, True):
        assert refused(*runs, across_judges=across)[1:] == ["- one label policy: a has standard-v1; b has strict-v1"]


def test_policies_of_one_name_are_told_apart(bench: Bench) -> None:
    """A changed policy under the same name shows the beginning of its hash."""
    first = bench.run("first")
    other = bench.changed("other", first, lambda fields: fields["key"].update(policy="0" * 64), "manifest.json")
    key = json.loads((first / "manifest.json").read_text())["key"]["policy"]
    assert refused(first, other)[1:] == [f"- one label policy: first has standard-v1 ({key[:12]}); other has standard-v1 (000000000000)"]


def test_other_components_are_refused(bench: Bench) -> None:
    """A mean over one component and a mean over two are different measures."""
    runs = (bench.run("one", record=SAFE), bench.run("two", record={**SAFE, "Q_continuity": 0.5}))
    assert refused(*runs)[1:] == [
        "- one set of active components of Cx_community_em: one has Q_info; two has Q_info, Q_continuity",
    ]
    assert rank_runs(runs, "Q_info").by == "Q_info"


def test_a_derived_value_needs_the_same_known_inputs(bench: Bench) -> None:
    """Under `available` a mean over one input is another measure than a mean over two; as a component it is told."""
    one, two = (
        {"R_decision": 1, "S_gate": 1, "T_human_s": 60, "C_tokens_usd": 0, "automated": True, **more} for more in ({}, {"R_constraint": 1})
    )
    runs = (bench.run("one", record=one, null_policy="available"), bench.run("two", record=two, null_policy="available"))
    assert refused(*runs, by="Q_info")[1:] == ["- one set of known inputs of Q_info: one has R_decision; two has R_decision, R_constraint"]
    told = "Q_info is not made of the same inputs everywhere: one has R_decision; two has R_decision, R_constraint"
    assert told in rank_runs(runs, "Cx_em").warnings


def test_another_judge_is_refused_unless_allowed(bench: Bench) -> None:
    """With --across-judges it is ranked, and every output says so."""
    mine = bench.run("mine", questions(6, 3))
    assert refused(mine, RECORDED)[1:] == ["- one judge, unless --across-judges is given: mine has lexical; run has openai/reader"]
    board = rank_runs([mine, RECORDED], across_judges=True)
    assert board.across_judges
    assert board.warnings[0] == "the runs were judged by different judges, which may differ more than the runs do"
    assert "includes an LLM judge signal (1 of 2 runs)" in board.disclosure
    assert "different ones, allowed by --across-judges" in page_markdown(leaderboard_page(board))
    assert not rank_runs([mine], across_judges=True).across_judges


def test_what_is_no_run_is_refused_all_at_once(bench: Bench) -> None:
    """Missing, empty, cut off, a file, a run named twice, other formats, broken JSON, unknown fields: one line each."""
    good = bench.run("good")
    (bench.folder / "empty").mkdir()
    (bench.folder / "file.json").write_text("{}", encoding="utf-8")
    cut = Path(shutil.copytree(good, bench.folder / "cut"))
    (cut / "summary.json").unlink()
    broken = Path(shutil.copytree(good, bench.folder / "broken"))
    (broken / "summary.json").write_text('{"format": NaN}', encoding="utf-8")
    newer = bench.changed("newer", good, lambda fields: fields.update(format=2))
    older = bench.changed("older", good, lambda fields: fields.pop("format"), "manifest.json")
    faulty = bench.changed("faulty", good, lambda fields: (fields.update(speed=3), fields.pop("policy")))
    odd = bench.changed("odd", good, lambda fields: fields.update(null_policy="lax"))
    listed = Path(shutil.copytree(good, bench.folder / "listed"))
    (listed / "items.jsonl").write_text("[1]\n", encoding="utf-8")
    there = bench.folder
    paths = (good, good / ".", there / "nope", there / "empty", there / "file.json", cut, broken, newer, older, faulty, odd, listed)
    known = ", ".join(Summary.model_fields)
    cut_off = "the run was cut off; the `judge score` command that began it finishes it"
    assert refused(*paths) == [
        f"{good} is named 2 times: a run stands in a table once",
        f"{there}/nope is not there: expected a run folder of `judge score`, or a file that `judge crux --json` wrote",
        f"{there}/empty is not a run folder: it holds no manifest.json",
        f"{there}/file.json: $.format: is null, expected 1: it was written by another version of this tool, or not by it",
        f"{cut} is not a finished run folder: it holds no summary.json: {cut_off}",
        f"{broken}/summary.json: $.format: is NaN, expected 1: it was written by another version of this tool, or not by it",
        f"{newer}/summary.json: $.format: is 2, expected 1: it was written by another version of this tool, or not by it",
        f"{older}/manifest.json: $.format: is null, expected 1: it was written by another version of this tool, or not by it",
        f"{faulty}/summary.json: $.policy: is missing, expected text",
        f"{faulty}/summary.json: $.speed: is no known field; known are {known}",
        f"{odd}/summary.json: `null_policy` is 'lax', expected strict or available",
        f"{listed}/items.jsonl:1: is a list, expected an object",
    ]


@pytest.mark.parametrize(
    ("by", "told"),
    [
        ("T_human_s", "--by T_human: it describes the task and ranks nobody; expected a value of which more or less is better"),
        ("R_porposition", "--by `R_porposition` is no known symbol, id or key of a metric; the closest is `R_proposition`"),
        (
            "floor_score",
            "--by floor_score: it is no number that a run can be ranked by; expected a fundamental, a derived value, a composite",
        ),
    ],
)
def test_what_cannot_rank_is_refused(bench: Bench, by: str, told: str) -> None:
    assert refused(bench.run("a"), by=by)[0].startswith(told)


def entry(run: str, value: float, **more: Any) -> LeaderboardEntry:
    """Build what a leaderboard needs of recorded sessions that no judge saw."""
    made = LeaderboardEntry(
        run=run,
        metrics_version="1.5",
        null_policy="strict",
        complete=True,
        estimates={"R_decision": Estimate(value=value, ci95=(value - 0.1, value + 0.1), ci_method="session-t")},
        inputs={},
        composite={},
        disclosure="metrics_version 1.5",
    )
    return made.model_copy(update=more)


def test_where_nothing_was_judged_there_is_no_judge_to_differ() -> None:
    """Sessions alone stand beside judged ones; two judged by different judges do not."""
    judged = {"judge": JudgeName(spec="lexical", id="1"), "judge_key": "1", "policy": "standard-v1", "signals_version": "signals-v1"}
    board = leaderboard([entry("alone", 0.5), entry("judged", 0.9, **judged)], "R_decision")
    assert order(board) == [("judged", (1, 1)), ("alone", (2, 2))]
    assert (board.policy, board.across_judges, board.standings[1].judge) == ("standard-v1", False, None)
    assert board.warnings == ("what was asked is not known of alone, judged: ranks compare what was asked",)
    other = entry("other", 0.7, **{**judged, "judge": JudgeName(spec="openai/x", id="2"), "judge_key": "2"})
    with pytest.raises(ConfigError, match="one judge, unless --across-judges is given: judged has lexical; other has openai/x"):
        leaderboard([entry("judged", 0.9, **judged), other], "R_decision")
    nothing = page_text(leaderboard_page(leaderboard([entry("alone", 0.5)], "R_decision")))
    assert "label policy:    none, nothing was judged" in nothing
    assert "judge: " not in nothing


def test_every_number_of_a_run_can_rank_but_the_humans_time() -> None:
    """The registry explains each of them, and its direction decides."""
    assert {ranking_symbol(name) for name in KNOWN if name != "T_human"} == set(KNOWN) - {"T_human"}


# --- what is warned about ---


def test_other_questions_are_warned_about(bench: Bench) -> None:
    """Ranks compare what was asked: two of six questions are shared."""
    board = rank_runs([bench.run("few", questions(2, 1)), bench.run("many", questions(6, 1))])
    assert board.warnings == (
        "ranks compare what was asked, and that differs: 2 of 6 questions with their ground truths were put to every run (few 2, many 6)",
    )


def test_another_ground_truth_is_another_question(bench: Bench) -> None:
    """The same words asked, another reference."""
    item = {"question": "Who paid?", "answer": "The city paid."}
    runs = [bench.run(name, [{**item, "ground_truth": f"The {name} paid."}]) for name in ("city", "state")]
    assert "0 of 2 questions with their ground truths were put to every run" in rank_runs(runs).warnings[0]


def test_other_propositions_are_warned_about(bench: Bench) -> None:
    """One ground truth, split in two ways."""
    first = bench.run("first", [{"question": "Who paid?", "answer": "The city paid.", "ground_truth": "The city paid. It rained."}])
    other = Path(shutil.copytree(first, bench.folder / "other"))
    lines = (other / "propositions.jsonl").read_text(encoding="utf-8")
    (other / "propositions.jsonl").write_text(lines.replace("It rained.", "It snowed."), encoding="utf-8")
    assert rank_runs([first, other]).warnings == (
        "1 ground truth was not split into the same propositions in every run: score all with one --propositions file",
    )


def test_a_summary_and_manifest_are_enough(bench: Bench) -> None:
    """Without the items the ranks stand, and it is told that nobody knows what was asked."""
    run = bench.run("bare")
    (run / "items.jsonl").unlink()
    board = rank_runs([run])
    assert order(board) == [("bare", (1, 1))]
    assert board.warnings == ("what was asked is not known of bare: ranks compare what was asked",)


def test_a_summary_that_lacks_what_a_value_is_made_of(bench: Bench) -> None:
    """It was changed by hand: the value stands, and it has no interval."""
    changed = bench.changed("changed", bench.run("whole", record=SAFE), lambda fields: fields["metrics"].pop("T_human"))
    board = rank_runs([changed])
    assert board.standings[0].ci_reason == "no interval of T_human_minutes (no_interval)"


# --- the command ---


def test_help_fits_the_terminal() -> None:
    """The options are explained within 100 columns, and the root lists the command."""
    shown = command("leaderboard", "--help").stdout
    assert max(map(len, shown.splitlines())) <= 100
    for option in ("--by", "--across-judges", "--json", "--markdown", "--html"):
        assert f"  {option} " in shown
    assert "  leaderboard  " in command("--help").stdout


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.text: list[str] = []

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_every_field_of_the_json_is_documented() -> None:
    """docs/leaderboard.md names them all, and its tables name nothing else."""
    rows = re.findall(
        r"^\| (`.*?) \|", (ROOT / "docs" / "leaderboard.md").read_text(encoding="utf-8").partition("## The JSON")[2], re.MULTILINE
    )
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert named == {*Leaderboard.model_fields, *Standing.model_fields}


def test_the_command_prints_and_writes_every_form(bench: Bench) -> None:
    """Text on standard output, Markdown and HTML into files; with --json the record and nothing else."""
    runs = [bench.run("a", questions(6, 5)), bench.run("b", questions(6, 1))]
    markdown, html = bench.folder / "board.md", bench.folder / "board.html"
    done = command("leaderboard", *runs, "--markdown", markdown, "--html", html, cwd=bench.folder)
    assert (done.returncode, done.stderr) == (0, "")
    page = _Text()
    page.feed(html.read_text(encoding="utf-8"))
    for text in (done.stdout, markdown.read_text(encoding="utf-8"), " ".join(page.text)):
        for word in ("Leaderboard by R", "strict", "standard-v1", "not fully", "lexical", "100.0 % (6 of 6)"):
            assert word in text
    assert max(map(len, done.stdout.splitlines())) <= 100
    as_json = command("leaderboard", *runs, "--json", cwd=bench.folder)
    assert Leaderboard.model_validate_json(as_json.stdout) == rank_runs(runs)


def test_the_command_ends_with_2_where_it_refuses(bench: Bench) -> None:
    """Messages on standard error, no traceback, and nothing is written."""
    done = command("leaderboard", bench.run("a"), bench.run("b", null_policy="available"), "--html", bench.folder / "x.html")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("judge: these runs cannot be ranked together")
    assert not (bench.folder / "x.html").exists()
    assert command("leaderboard").returncode == 2
    unwritable = command("leaderboard", bench.folder / "a", "--markdown", bench.folder / "no" / "x.md")
    assert (unwritable.returncode, "cannot be written: there is no folder" in unwritable.stderr) == (2, True)


@pytest.mark.parametrize("draw", [page_text, page_markdown, page_html])
def test_data_in_names_stays_data(bench: Bench, draw: Callable[..., str]) -> None:
    """A folder may have any name; none of it is live in a report."""
    board = rank_runs([bench.run("<b>x|`y`\x1b[31m")])
    shown = draw(leaderboard_page(board))
    assert "\x1b" not in shown
    assert "<b>" not in shown or draw is page_text
