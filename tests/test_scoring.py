"""Whole runs against the scripted endpoint: how many calls, the same bytes on every way, and what happens when things fail."""

import json
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.errors import ConfigError, InputError, RunFolderError
from judge.schema.labels import RequestKind
from judge.schema.manifests import MadeNow
from judge.schema.outcomes import Unjudged
from pipelines.api import ScoreResult, score
from pipelines.files import RunFolder
from tests.endpoint import faults
from tests.endpoint.server import Endpoint, Rule
from tests.runs.items import given as given_item
from tests.runs.items import read_lines, tram, trams, write_items
from tests.runs.running import MODEL, ROOT, Bench, Written, line_count, started, wait_until, written

DECOMPOSE, LABEL, APPRAISE = RequestKind


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with Endpoint() as endpoint:
        yield Bench(endpoint, tmp_path)


def calls(endpoint: Endpoint) -> tuple[int, int, int]:
    """Return the calls of each kind: decompose, label, appraise."""
    return endpoint.calls(DECOMPOSE), endpoint.calls(LABEL), endpoint.calls(APPRAISE)


def states(result: ScoreResult) -> list[str]:
    return [str(item.state) for item in result.items()]


def reasons(result: ScoreResult) -> set[str]:
    """Return every reason for which anything is unjudged in the results."""
    found: set[str] = set()
    for item in result.items():
        parts = [item.abstention, item.mark, *(proposition.outcome for proposition in item.propositions)]
        found |= {str(part.reason) for part in parts if isinstance(part, Unjudged)}
    return found


# --- how many calls ---


@pytest.mark.parametrize(
    ("items", "options", "expected"),
    [
        pytest.param([tram(1)], {}, (1, 1, 1), id="one-of-each"),
        pytest.param(trams(3), {}, (3, 3, 3), id="per-item"),
        pytest.param([tram(1), tram(1, id="again")], {}, (1, 1, 1), id="duplicates-share"),
        pytest.param([tram(1), tram(1, id="b", answer="It is blue.")], {}, (1, 2, 2), id="answers-share-a-ground-truth"),
        pytest.param([tram(1), tram(1, id="b", question="And tram 1?")], {}, (2, 2, 2), id="the-question-belongs-to-the-ground-truth"),
        pytest.param([tram(1, ground_truth=["Trams are red.", "Trams have bells."])], {}, (2, 1, 1), id="alternatives-are-judged-at-once"),
        pytest.param([given_item(25)], {}, (0, 1, 0), id="25-statements"),
        pytest.param([given_item(26)], {}, (0, 2, 0), id="26-statements"),
        pytest.param([given_item(26)], {"batch_size": 10}, (0, 3, 0), id="batches-of-10"),
        pytest.param([given_item(26, ground_truth="Fact 1 holds.")], {}, (0, 2, 1), id="propositions-stand-for-the-ground-truth"),
        pytest.param(
            [given_item(2, conflicts=[{"current": "A.", "superseded": ["B."]}], decoys=["C."], gaps=["D."])], {}, (0, 1, 0), id="roles"
        ),
        pytest.param([tram(1)], {"no_mark": True}, (1, 1, 0), id="no-mark"),
        pytest.param([tram(1, answerable=False)], {}, (1, 1, 0), id="unanswerable-is-not-appraised"),
        pytest.param([tram(1, answer=" …\n")], {}, (1, 0, 0), id="empty-answer"),
        pytest.param([{"answer": "It is red."}], {}, (0, 1, 0), id="abstention-alone"),
        pytest.param([tram(1)], {"repeats": 3}, (1, 3, 3), id="repeats"),
    ],
)
def test_calls_are_what_the_items_need(bench: Bench, items: list[Any], options: dict[str, Any], expected: tuple[int, int, int]) -> None:
    """One label call per 25 statements, one appraisal, one split per distinct ground truth; none of them twice."""
    result = bench.score(items, **options)
    assert calls(bench.endpoint) == expected
    assert result.exit_code == 0
    assert result.manifest.made_now == MadeNow(judgments=sum(expected), calls=sum(expected))
    bench.endpoint.reset()
    again = bench.score(items, out="again", **options)
    assert bench.endpoint.calls() == 0
    assert (again.manifest.made_now, again.manifest.from_cache) == (MadeNow(), sum(expected))
    assert written(again) == written(result)


def test_numbers_of_a_small_run(bench: Bench) -> None:
    """Two items: 1 of 3 and 2 of 2 supported, 1 of 3 and 0 of 2 contradicted, marks 2 and 4."""
    result = bench.score([tram(1), {"id": "b", "answer": "It is up. It runs.", "ground_truth": "It is up. It runs."}])
    metrics = result.summary.metrics
    assert metrics["R_proposition"].value == pytest.approx((1 / 3 + 1) / 2)
    assert metrics["R_proposition"].pooled is not None
    assert metrics["R_proposition"].pooled.value == pytest.approx(3 / 5)
    assert metrics["C_contradiction"].value == pytest.approx(1 / 6)
    assert metrics["R_judge"].value == pytest.approx(0.75)
    assert result.summary.labels == {"supported": 3, "contradicted": 1, "not_addressed": 1}
    assert (result.summary.complete, result.exit_code, result.manifest.state) == (True, 0, "complete")


# --- the same bytes on every way ---


def test_bytes_do_not_depend_on_the_way(bench: Bench) -> None:
    """Cold, cached, from the journal, offline, replayed, uncached: one result."""
    items = trams(6)
    cold = bench.score(items, out="cold")
    bench.endpoint.reset()
    cached = bench.score(items, out="cached")
    offline = bench.score(items, out="offline", offline=True)
    resumed = bench.score(items, out="cold", cache=bench.folder / "empty")
    shutil.rmtree(bench.cache)
    replayed = bench.score(items, out="replayed", judge=f"replay:{bench.folder / 'cold'}")
    assert bench.endpoint.calls() == bench.endpoint.connections == 0
    uncached = bench.score(items, out="uncached", no_cache=True)
    once_more = bench.score(items, out="once-more", no_cache=True)
    assert bench.endpoint.calls() == 36
    for other in (cached, offline, resumed, replayed, uncached, once_more):
        assert written(other) == written(cold)
    assert not bench.cache.exists()


def test_manifest_says_where_judgments_came_from(bench: Bench) -> None:
    """What was made, cached, journalled and replayed stands in the manifest and nowhere else."""
    items = trams(2)
    cold = bench.score(items, out="cold").manifest
    assert (cold.made_now, cold.from_cache, cold.from_journal, cold.replayed_from) == (MadeNow(judgments=6, calls=6), 0, 0, None)
    cached = bench.score(trams(3), out="cached").manifest
    assert (cached.made_now, cached.from_cache, cached.from_journal) == (MadeNow(judgments=3, calls=3), 6, 0)
    resumed = bench.score(items, out="cold").manifest
    assert (resumed.made_now, resumed.from_cache, resumed.from_journal) == (MadeNow(), 0, 6)
    offline = bench.score(items, out="offline", offline=True).manifest
    assert (offline.made_now, offline.from_cache, offline.from_journal) == (MadeNow(), 6, 0)
    replayed = bench.score(items, out="replayed", judge=f"replay:{bench.folder / 'cold'}").manifest
    assert (replayed.made_now, replayed.from_cache, replayed.replayed_from) == (MadeNow(), 0, str(bench.folder / "cold"))
    assert replayed.judge == cold.judge
    assert {run.state for run in (cold, cached, resumed, offline, replayed)} == {"complete"}


def test_judgments_shared_within_a_run_are_not_called_journalled(bench: Bench) -> None:
    """Forty items with one answer are three judgments, made now; none of them comes from an earlier run."""
    result = bench.score([tram(1, id=str(number)) for number in range(40)], max_connections=1)
    assert (result.manifest.made_now.judgments, result.manifest.from_journal, result.summary.usage.judgments) == (3, 0, 3)


def test_bytes_do_not_depend_on_concurrency(bench: Bench) -> None:
    """One connection or 32: the same results in the same order."""
    bench.endpoint.latency = 0.002
    one = bench.score(trams(12), out="one", no_cache=True, max_connections=1)
    assert bench.endpoint.max_in_flight == 1
    many = bench.score(trams(12), out="many", no_cache=True, max_connections=32)
    assert written(one) == written(many)


def test_bytes_do_not_depend_on_the_input_format_of_proposition_order(bench: Bench) -> None:
    """Statements are shown by content, so that the order of propositions changes no request, only the order of results."""
    texts = ["Fact 1 holds.", "Fact 2 holds.", "Fact 3 holds."]
    forth = bench.score([{"id": "x", "answer": "Fact 2 holds.", "propositions": texts}], out="forth")
    back = bench.score([{"id": "x", "answer": "Fact 2 holds.", "propositions": texts[::-1]}], out="back")
    assert bench.endpoint.calls() == 1
    assert forth.summary.metrics == back.summary.metrics


@pytest.mark.parametrize("lines", [pytest.param(5, id="while-splitting"), pytest.param(24, id="while-judging")])
def test_a_killed_run_resumes_to_the_same_bytes(bench: Bench, lines: int) -> None:
    """After SIGKILL the same command repeats at most what was in flight."""
    source = write_items(bench.folder / "input.jsonl", trams(16))
    undisturbed = bench.score(source, out="undisturbed", no_cache=True)
    bench.endpoint.reset()
    bench.endpoint.latency = 0.05
    with started("score", source, *bench.flags("killed"), "--no-cache", "--max-connections", "4") as process:
        wait_until(lambda: line_count(bench.folder / "killed" / "journal.jsonl") >= lines)
        process.kill()
        process.communicate()
    assert json.loads((bench.folder / "killed" / "manifest.json").read_text())["state"] == "running"
    assert not (bench.folder / "killed" / "summary.json").exists()
    bench.endpoint.latency = 0.0
    resumed = bench.score(source, out="killed", no_cache=True)
    assert bench.endpoint.calls() <= 48 + 4
    assert written(resumed) == written(undisturbed)
    assert resumed.manifest.from_journal >= lines
    assert resumed.manifest.from_journal + resumed.manifest.made_now.judgments == 48


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Written]:
    """Return the folder of a small finished run by the baseline, and its files."""
    folder = tmp_path_factory.mktemp("recorded") / "run"
    return folder, written(score(trams(3), judge="lexical", out=folder))


@given(cut=st.floats(0, 1), leftover=st.sampled_from([None, "results.jsonl.partial", "propositions.jsonl.partial", ".lock"]))
@settings(max_examples=25, deadline=None)
def test_a_journal_cut_anywhere_resumes_to_the_same_bytes(recorded: tuple[Path, Written], cut: float, leftover: str | None) -> None:
    """Wherever a crash cuts the journal off, the whole lines before count and the rest is judged again."""
    source, expected = recorded
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "run"
        run.mkdir()
        shutil.copy(source / "manifest.json", run)
        journal = (source / "journal.jsonl").read_bytes()
        (run / "journal.jsonl").write_bytes(journal[: int(len(journal) * cut)])
        if leftover is not None:
            (run / leftover).write_text("half a li")
        result = score(trams(3), judge="lexical", out=run)
        assert written(result) == expected
        assert not result.manifest.warnings


def test_a_run_killed_before_its_manifest_stood_begins_anew(tmp_path: Path) -> None:
    """A manifest under way is no foreign file."""
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "manifest.json.partial").write_text('{"for')
    assert score([tram(1)], judge="lexical", out=tmp_path / "run").exit_code == 0


def test_ctrl_c_keeps_what_was_judged_and_resumes(bench: Bench) -> None:
    """SIGINT ends with 130 and complete files; the same command then gives what an undisturbed run gives."""
    source = write_items(bench.folder / "input.jsonl", trams(12))
    undisturbed = bench.score(source, out="undisturbed", no_cache=True)
    bench.endpoint.latency = 0.2
    with started("score", source, *bench.flags(), "--no-cache", "--max-connections", "2") as process:
        wait_until(lambda: line_count(bench.folder / "run" / "journal.jsonl") >= 16)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "Traceback" not in errors
    results = read_lines(bench.folder / "run" / "results.jsonl")
    assert [item["item_id"] for item in results] == [f"tram-{number}" for number in range(1, 13)]
    assert results[-1]["mark"]["reason"] == "not_run"
    manifest = json.loads((bench.folder / "run" / "manifest.json").read_text())
    assert (manifest["state"], manifest["exit_code"], manifest["stopped"]) == ("interrupted", 130, "interrupted")
    assert json.loads((bench.folder / "run" / "summary.json").read_text())["complete"] is False
    bench.endpoint.latency = 0.0
    resumed = bench.score(source, no_cache=True)
    assert written(resumed) == written(undisturbed)
    assert resumed.exit_code == 0


# --- offline and replay ---


def test_offline_with_an_empty_cache_judges_nothing_and_connects_to_nobody(bench: Bench) -> None:
    """Everything is not_recorded, exit 5, and the endpoint sees no connection."""
    result = bench.score(trams(3), offline=True)
    assert (result.exit_code, result.manifest.state, bench.endpoint.connections) == (5, "incomplete", 0)
    assert reasons(result) == {"not_recorded"}
    assert result.summary.metrics["R_proposition"].value is None
    assert any("the cache holds no decompose judgment at all" in warning for warning in result.manifest.warnings)


def test_offline_needs_no_endpoint(tmp_path: Path) -> None:
    """A port that nobody listens on makes no difference."""
    with Endpoint() as endpoint:
        bench = Bench(endpoint, tmp_path)
        online = bench.score(trams(2), out="online")
    assert written(bench.score(trams(2), out="offline", offline=True)) == written(online)


@pytest.mark.parametrize(
    ("changed", "part"),
    [
        pytest.param({"temperature": 0.5}, "settings", id="temperature"),
        pytest.param({"seed": 7}, "settings", id="seed"),
        pytest.param({"judge": "openai/other"}, "model", id="model"),
        pytest.param({"policy": "strict"}, "policy", id="policy"),
        pytest.param({"api_base": "http://127.0.0.1:9/v1"}, "endpoint", id="endpoint"),
        pytest.param({"batch_size": 2}, "statements", id="batches"),
    ],
)
def test_offline_says_what_differs_from_the_cache(bench: Bench, changed: dict[str, Any], part: str) -> None:
    """A miss names the part of the key that is not as it was."""
    bench.score([tram(1)], out="before")
    offline = {"judge": MODEL, "api_base": bench.endpoint.url, "cache": bench.cache, "offline": True, **changed}
    result = score([tram(1)], out=bench.folder / "offline", **offline)
    missed = [warning for warning in result.manifest.warnings if warning.startswith("not in the cache (label)")]
    assert missed
    assert missed[0].split(": ")[-1].split(", ")[0] == part


def test_replay_under_another_policy_names_the_policy(bench: Bench) -> None:
    """Labels are not taken over from a run under other rules; marks and splits are."""
    bench.score([tram(1)], out="recorded")
    result = bench.score([tram(1)], out="replayed", judge=f"replay:{bench.folder / 'recorded'}", policy="strict")
    item = next(result.items())
    assert isinstance(item.abstention, Unjudged)
    assert item.abstention.reason == "not_recorded"
    assert "standard-v1" in item.abstention.detail
    assert "--policy standard" in item.abstention.detail
    assert item.signals["R_judge"] == 0.5
    assert result.exit_code == 3


def test_replay_of_other_items_has_no_record_of_them(bench: Bench) -> None:
    """Known requests are answered, unknown ones are not_recorded; nothing is asked."""
    bench.score([tram(1)], out="recorded")
    bench.endpoint.reset()
    result = bench.score(trams(2), out="replayed", judge=f"replay:{bench.folder / 'recorded'}")
    assert states(result) == ["judged", "unjudged"]
    assert reasons(result) == {"not_recorded"}
    assert bench.endpoint.connections == 0


def test_replay_brings_failures_back_with_their_reason(bench: Bench) -> None:
    """What a run could not judge stays unjudged for the same reason, in the same bytes."""
    bench.endpoint.script(Rule(faults.refusal(), kind=LABEL, containing="tram 2?"))
    recorded = bench.score(trams(2), out="recorded")
    replayed = bench.score(trams(2), out="replayed", judge=f"replay:{bench.folder / 'recorded'}")
    assert "refused" in reasons(replayed)
    assert written(replayed) == written(recorded)


def test_replay_of_something_that_is_no_run_is_a_wrong_setting(tmp_path: Path) -> None:
    """The message says which folder and why."""
    with pytest.raises(ConfigError, match=r"nowhere is not a run folder: it holds no manifest\.json"):
        score([tram(1)], judge=f"replay:{tmp_path / 'nowhere'}", out=tmp_path / "run")


# --- when things fail ---


def test_a_failed_item_is_unjudged_and_bounds_show_what_it_could_be(bench: Bench) -> None:
    """Nine of ten items judged: below 0.95 there is no headline, but bounds from 0.3 to 0.4 (one third of nine, the tenth 0 or 1)."""
    bench.endpoint.script(Rule(faults.refusal(), kind=LABEL, containing="tram 4?"))
    result = bench.score(trams(10))
    recall = result.summary.metrics["R_proposition"]
    assert states(result) == [*["judged"] * 3, "partly_judged", *["judged"] * 6]
    assert (recall.value, recall.reason, recall.n, recall.nulls) == (None, "coverage", 9, 1)
    assert recall.bounds == pytest.approx((0.3, 0.4))
    assert (result.exit_code, result.manifest.state, result.summary.complete) == (3, "incomplete", False)
    assert result.summary.unjudged == {"refused": 4}
    fourth = list(result.items())[3]
    assert (fourth.signals["R_proposition"], fourth.bounds["R_proposition"], fourth.signals["R_judge"]) == (None, (0.0, 1.0), 0.5)


def test_a_failed_item_above_the_least_coverage_leaves_a_headline(bench: Bench) -> None:
    """The headline is the mean over the judged items, and the null is counted beside it."""
    bench.endpoint.script(Rule(faults.refusal(), kind=LABEL, containing="tram 4?"))
    result = bench.score(trams(10), min_coverage=0.9)
    recall = result.summary.metrics["R_proposition"]
    assert recall.value == pytest.approx(1 / 3)
    assert (recall.n, recall.nulls) == (9, 1)
    assert (result.exit_code, result.summary.complete) == (0, True)


def test_a_failed_split_is_one_unjudged_statement(bench: Bench) -> None:
    """A ground truth that could not be split stays in the denominator of coverage."""
    bench.endpoint.script(Rule(faults.refusal(), kind=DECOMPOSE, containing="Tram 1 "))
    result = bench.score(trams(2))
    first = next(result.items())
    assert [part.outcome.kind for part in first.propositions] == ["unjudged"]
    assert "decomposition_failed" in reasons(result)
    assert result.summary.coverage["statements"].denominator == 4
    assert result.exit_code == 3


def test_what_failed_is_tried_again_by_the_next_run_and_by_nobody_else(bench: Bench) -> None:
    """Failures are journalled but never cached: two items share one failure, and a resumed run asks once more."""
    bench.endpoint.script(Rule(faults.refusal(), kind=LABEL, first=1))
    items = [tram(1), tram(1, id="same"), *trams(4)[1:]]
    failed = bench.score(items, max_connections=1)
    assert bench.endpoint.calls(LABEL) == 4
    assert states(failed) == ["partly_judged", "partly_judged", "judged", "judged", "judged"]
    bench.endpoint.reset()
    resumed = bench.score(items)
    assert calls(bench.endpoint) == (0, 1, 0)
    assert written(resumed) == written(bench.score(items, out="fresh", no_cache=True))


def test_a_refused_key_costs_one_call_and_ends_with_2(bench: Bench) -> None:
    """The rest is not run, and the files say so."""
    bench.endpoint.script(faults.status(401, "bad key"))
    result = bench.score(trams(20))
    assert bench.endpoint.calls() == 1
    assert (result.exit_code, result.manifest.state) == (2, "stopped")
    assert "401" in str(result.manifest.stopped)
    assert reasons(result) == {"not_run"}
    assert len(read_lines(result.folder / "results.jsonl")) == 20
    assert (result.folder / "report.html").exists()


def test_an_exhausted_quota_stops_with_4_and_resumes(bench: Bench) -> None:
    """What was judged before is kept; the next run asks only for the rest."""
    bench.endpoint.script(Rule(faults.quota_exhausted(), nth=9))
    stopped = bench.score(trams(6), max_connections=1, no_cache=True)
    assert (stopped.exit_code, stopped.manifest.state, bench.endpoint.calls()) == (4, "stopped", 9)
    assert {"not_run", "quota_exhausted"} & reasons(stopped)
    bench.endpoint.reset()
    resumed = bench.score(trams(6), no_cache=True)
    assert bench.endpoint.calls() == 18 - 8
    assert written(resumed) == written(bench.score(trams(6), out="fresh", no_cache=True))


def test_an_endpoint_that_is_gone_stops_the_run_after_five_failures(tmp_path: Path) -> None:
    """Two of 30 items were judged before; those stay, five calls fail, and the rest is not run."""
    with Endpoint() as endpoint:
        bench = Bench(endpoint, tmp_path)
        bench.score(trams(30), limit=2)
    result = bench.score(trams(30), max_connections=8)
    assert (result.exit_code, result.manifest.state) == (3, "stopped")
    assert str(result.manifest.stopped).startswith("5 judgments in a row did not reach the endpoint")
    assert states(result)[:3] == ["judged", "judged", "unjudged"]
    assert reasons(result) == {"decomposition_failed", "not_run"}
    assert line_count(result.folder / "journal.jsonl") == 6 + 5


def test_refused_requests_at_the_start_mean_a_wrong_setting(bench: Bench) -> None:
    """Three 400s before any success end the run with 2, as every later request would fail as well."""
    bench.endpoint.script(faults.status(400, "no such model"))
    result = bench.score(trams(10), max_connections=1)
    assert (result.exit_code, bench.endpoint.calls()) == (2, 3)


def test_no_majority_among_repeats_is_unjudged(bench: Bench) -> None:
    """Two repeats that differ have no strict majority; of three, two decide."""
    spoil = faults.edit_entries(lambda entries: [{**entry, "label": "not_addressed"} for entry in entries])
    bench.endpoint.script(Rule(spoil, kind=LABEL, nth=1))
    two = bench.score([given_item(1)], out="two", repeats=2, no_cache=True, max_connections=1)
    bench.endpoint.reset()
    bench.endpoint.script(Rule(spoil, kind=LABEL, nth=1))
    three = bench.score([given_item(1)], out="three", repeats=3, no_cache=True, max_connections=1)
    assert reasons(two) == {"no_majority", "no_reference"}
    assert three.summary.metrics["R_proposition"].value == 1.0


FAULTS = {
    "refusal": faults.refusal(),
    "filtered": faults.reply_filtered(),
    "prompt-filtered": faults.prompt_filtered(),
    "empty": faults.empty_text(),
    "truncated": faults.truncated(),
    "too-few": faults.too_few(),
    "duplicate-ids": faults.duplicate_ids(label="contradicted"),
    "unknown-ids": faults.unknown_ids(),
    "wrong-key": faults.wrong_top_level(),
    "no-quote": faults.quote_not_found(),
    "no-choices": faults.no_choices(),
    "null-message": faults.null_message(),
    "bad-request": faults.status(400, "no"),
    "too-long": faults.context_length_exceeded(),
    "html": faults.html(404),
}


@given(
    rules=st.lists(
        st.tuples(st.sampled_from(sorted(FAULTS)), st.sampled_from([None, *RequestKind]), st.integers(1, 5)),
        max_size=4,
    ),
    connections=st.sampled_from([1, 8]),
)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_item_comes_out_exactly_once(bench: Bench, rules: list[tuple[str, RequestKind | None, int]], connections: int) -> None:
    """Whatever the endpoint does, no item is lost or doubled, every state is counted, and no failure has a label."""
    bench.endpoint.reset()
    bench.endpoint.script(*(Rule(FAULTS[name], kind=kind, nth=nth) for name, kind, nth in rules))
    result = bench.score(trams(4), out="mixed", overwrite=True, no_cache=True, max_connections=connections)
    lines = read_lines(result.folder / "results.jsonl")
    assert [line["item_id"] for line in lines] == ["tram-1", "tram-2", "tram-3", "tram-4"]
    counts = result.summary.items
    assert counts.total == counts.judged + counts.partly_judged + counts.unjudged + counts.no_propositions == 4
    for line in lines:
        for outcome in (part["outcome"] for part in line["propositions"]):
            assert (outcome["kind"] == "verdict") == ("label" in outcome) == ("reason" not in outcome)
        assert (line["signals"]["R_proposition"] is None) == any(part["outcome"]["kind"] == "unjudged" for part in line["propositions"])
    for rate in result.summary.coverage.values():
        assert 0 <= rate.numerator <= rate.denominator
    assert (result.exit_code == 0) == result.summary.complete


# --- the run folder ---


def test_a_folder_in_use_is_refused(tmp_path: Path) -> None:
    """Two runs never write into one folder."""
    folder = RunFolder(tmp_path / "run")
    try:
        with pytest.raises(RunFolderError, match="in use by another process"):
            score([tram(1)], judge="lexical", out=tmp_path / "run")
    finally:
        folder.close()
    assert score([tram(1)], judge="lexical", out=tmp_path / "run").exit_code == 0


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        pytest.param({"items": trams(2)}, "input", id="input"),
        pytest.param({"judge": MODEL, "api_base": "http://127.0.0.1:9/v1", "offline": True}, "judge", id="judge"),
        pytest.param({"policy": "lenient"}, "judge, policy", id="policy"),
        pytest.param({"repeats": 2}, "repeats", id="repeats"),
        pytest.param({"batch_size": 5}, "batch size", id="batch-size"),
        pytest.param({"map": {"answer": "answer"}}, "columns", id="columns"),
    ],
)
def test_a_folder_of_another_run_is_refused_naming_the_difference(tmp_path: Path, changed: dict[str, Any], named: str) -> None:
    """Only --overwrite replaces it."""
    score([tram(1)], judge="lexical", out=tmp_path / "run")
    other = {"items": [tram(1)], "judge": "lexical", "cache": tmp_path / "cache", **changed, "out": tmp_path / "run"}
    with pytest.raises(RunFolderError, match=f"it differs in {named} ") as caught:
        score(**other)
    assert "--overwrite" in str(caught.value)
    assert score(**other, overwrite=True).manifest.from_journal == 0


@pytest.mark.parametrize(
    "changed",
    [
        {"limit": 1},
        {"min_coverage": 0.5},
        {"max_connections": 2},
        {"null_policy": "available"},
        {"no_mark": True},
        {"noise_half_credit": True},
    ],
)
def test_a_folder_is_the_same_run_whatever_changes_no_judgment(tmp_path: Path, changed: dict[str, Any]) -> None:
    """Limit, gates, null policy and connections may differ."""
    score(trams(2), judge="lexical", out=tmp_path / "run")
    assert score(trams(2), judge="lexical", out=tmp_path / "run", **changed).manifest.made_now.judgments == 0


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_folder_that_is_no_run_is_left_alone(tmp_path: Path, overwrite: bool) -> None:
    """Not even --overwrite deletes files that are not a run's, whatever their names."""
    (tmp_path / "items.jsonl").write_text("mine")
    with pytest.raises(RunFolderError, match="is not empty and holds no run"):
        score([tram(1)], judge="lexical", out=tmp_path, overwrite=overwrite)
    assert [path.name for path in tmp_path.iterdir()] == ["items.jsonl"]


def test_an_input_inside_the_run_folder_is_refused(tmp_path: Path) -> None:
    """A run writes its own items.jsonl and would destroy what it reads."""
    score([tram(1)], judge="lexical", out=tmp_path / "run")
    with pytest.raises(ConfigError, match="lies in the run folder"):
        score(tmp_path / "run" / "items.jsonl", judge="lexical", out=tmp_path / "run", overwrite=True)
    assert (tmp_path / "run" / "items.jsonl").exists()


def test_a_corrupt_journal_line_is_reported_and_judged_again(bench: Bench) -> None:
    """One damaged line costs one call and leaves a warning; a line that is no judgment at all is named by number."""
    before = bench.score(trams(2), no_cache=True)
    journal = before.folder / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    lines[2] = lines[2].replace(b'"kind":', b'"kjnd":')
    journal.write_bytes(b"".join([*lines[:3], b"garbage\n", *lines[3:]]))
    bench.endpoint.reset()
    after = bench.score(trams(2), no_cache=True)
    assert bench.endpoint.calls() == 1
    assert written(after) == written(before)
    assert any("journal.jsonl:4: not a judgment" in warning for warning in after.manifest.warnings)
    assert any("cannot be read and its request is judged again" in warning for warning in after.manifest.warnings)


def test_a_corrupt_line_of_a_replayed_run_is_reported(bench: Bench) -> None:
    """A recording that is damaged says so in the run that uses it."""
    journal = bench.score([tram(1)], out="recorded").folder / "journal.jsonl"
    journal.write_bytes(journal.read_bytes() + b"garbage\n")
    result = bench.score([tram(1)], out="replayed", judge=f"replay:{bench.folder / 'recorded'}")
    assert any("journal.jsonl:4: not a judgment" in warning for warning in result.manifest.warnings)


# --- concurrency and memory ---


def test_connections_are_used_and_never_exceeded(bench: Bench) -> None:
    """With calls that take long enough, as many are in flight as were allowed, over as many connections."""
    bench.endpoint.latency = 1.0
    bench.score([given_item(1, id=str(number), question=f"{number}?") for number in range(65)], max_connections=32)
    assert bench.endpoint.max_in_flight == 32
    assert bench.endpoint.connections <= 32 + 2


_PEAK = """
import resource, sys
from pathlib import Path
from pipelines.api import score
score(Path(sys.argv[1]), judge="lexical", out=sys.argv[2])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_memory_does_not_grow_with_the_items(tmp_path: Path) -> None:
    """Ten times the items, at most 20 MB more at the peak."""
    peaks = []
    for count in (300, 3000):
        source = write_items(tmp_path / f"{count}.jsonl", trams(count))
        output = subprocess.run(
            [sys.executable, "-c", _PEAK, source, tmp_path / str(count)], cwd=ROOT, capture_output=True, text=True, check=True
        )
        peaks.append(int(output.stdout) / 1024)
    assert peaks[1] - peaks[0] < 20


# --- single rules ---


@pytest.mark.parametrize("judge", ["lexical", MODEL])
def test_an_answer_that_is_its_ground_truth_has_it_all(bench: Bench, judge: str) -> None:
    """Identical texts: recall 1, contradiction 0."""
    texts = ["It rained in Bergen on 3 May 2021.", "The limit is 50 MB.\nIt was 20 MB before.", "Nobody came; 1,000 seats stayed empty."]
    result = bench.score([{"answer": text, "ground_truth": text} for text in texts], judge=judge)
    assert [item.signals["R_proposition"] for item in result.items()] == [1.0, 1.0, 1.0]
    assert [item.signals["C_contradiction"] for item in result.items()] == [0.0, 0.0, 0.0]


def test_an_empty_answer_is_marked_0_without_a_call(bench: Bench) -> None:
    """Nothing is addressed, abstention is empty_answer, and nothing of it is a failure."""
    result = bench.score([given_item(2, answer="…", ground_truth="Fact 1 holds.")])
    item = next(result.items())
    assert bench.endpoint.connections == 0
    assert item.signals["R_proposition"] == item.signals["C_contradiction"] == item.signals["R_judge"] == 0.0
    assert isinstance(item.abstention, Unjudged)
    assert (item.abstention.reason, result.exit_code, result.summary.complete) == ("empty_answer", 0, True)


def test_an_unanswerable_item_counts_for_abstention_only(bench: Bench) -> None:
    """Abstaining is right; its propositions are judged and shown but enter no rate."""
    result = bench.score([tram(1, answerable=False, answer="I do not know. Tram 1 is red.")])
    item = next(result.items())
    assert item.signals["A_abstention"] == 1.0
    assert [part.outcome.kind for part in item.propositions] == ["verdict"] * 3
    assert item.signals["R_proposition"] is None
    assert result.summary.metrics["R_proposition"].reason == "no_answerable_items"
    assert result.exit_code == 0


def test_frozen_propositions_beside_the_input_are_used(bench: Bench) -> None:
    """What an earlier run split is taken over, also under --locked; a changed ground truth is then an error before any call."""
    source = write_items(bench.folder / "answers.jsonl", trams(2))
    first = bench.score(source, out="first")
    shutil.copy(first.folder / "propositions.jsonl", bench.folder / "answers.propositions.jsonl")
    bench.endpoint.reset()
    locked = bench.score(source, out="locked", locked=True, no_cache=True)
    assert calls(bench.endpoint) == (0, 2, 2)
    assert written(locked).results == written(first).results
    write_items(source, [tram(1), tram(2, ground_truth="Something else.")])
    bench.endpoint.reset()
    with pytest.raises(ConfigError, match="1 ground truth without frozen propositions"):
        bench.score(source, out="changed", locked=True)
    assert bench.endpoint.connections == 0


def test_redecompose_splits_again_where_frozen_propositions_stand(bench: Bench) -> None:
    """Splitting anew is an explicit act."""
    source = write_items(bench.folder / "answers.jsonl", [tram(1)])
    first = bench.score(source, out="first")
    shutil.copy(first.folder / "propositions.jsonl", bench.folder / "answers.propositions.jsonl")
    bench.endpoint.reset()
    bench.score(source, out="again", redecompose=True, no_cache=True)
    assert bench.endpoint.calls(DECOMPOSE) == 1


def test_faulty_input_is_refused_before_the_first_call(bench: Bench) -> None:
    """All faults at once, each with its line."""
    source = bench.folder / "bad.jsonl"
    source.write_text('{"answer": 1, "answerable": "maybe"}\n{"question": "?"}\n{"answer": "x", "ground_truth": " "}\n')
    with pytest.raises(InputError) as caught:
        bench.score(source)
    assert [fault.line for fault in caught.value.faults] == [1, 2, 3]
    assert bench.endpoint.connections == 0


def test_a_changed_model_behind_the_endpoint_is_a_warning(bench: Bench) -> None:
    """Two reported models in one run are named."""
    bench.endpoint.script(Rule(faults.reported_model("scripted-2"), kind=LABEL))
    result = bench.score([tram(1)])
    assert any("changed its model during the run: scripted, scripted-2" in warning for warning in result.manifest.warnings)


def test_the_key_stands_in_no_file(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """A canary key reaches the endpoint and no file of the run or the cache."""
    monkeypatch.setenv("OWN_KEY", "sk-canary-4711")
    bench.endpoint.script(Rule(faults.status(401, "Incorrect API key provided: sk-canary-4711"), nth=5))
    bench.score(trams(3), api_key_env="OWN_KEY", max_connections=1)
    assert bench.endpoint.headers[0]["authorization"] == "Bearer sk-canary-4711"
    for path in bench.folder.rglob("*"):
        assert not path.is_file() or b"canary" not in path.read_bytes(), path
