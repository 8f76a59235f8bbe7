"""Which run a folder holds, and when a command may take it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from judge.errors import ConfigError, InputError, RunFolderError
from pipelines.api import score
from tests.endpoint import faults
from tests.endpoint.server import Endpoint
from tests.runs.items import tram, trams, write_items
from tests.runs.running import MODEL, Bench, command


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with Endpoint() as endpoint:
        yield Bench(endpoint, tmp_path)


@pytest.mark.parametrize("model", ["opneai/x", "no-provider", ""])
def test_a_wrong_model_name_leaves_the_folder_free(bench: Bench, model: str) -> None:
    """Nothing was asked, so there is no run; the corrected command finds no other one in its way."""
    with pytest.raises(ConfigError):
        score(trams(2), judge=model, out=bench.folder / "run", no_cache=True)
    assert bench.score(trams(2)).exit_code == 0


def test_a_missing_key_is_a_setting(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names the variable, and no result file is written."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ConfigError, match="OPENAI_API_KEY"):
        score(trams(1), judge="openai/gpt-5-mini", out=bench.folder / "run", no_cache=True)
    assert not (bench.folder / "run" / "results.jsonl").exists()


def test_a_refused_key_is_counted_as_one_call(bench: Bench) -> None:
    """The endpoint was asked once, and the manifest says so."""
    bench.endpoint.script(faults.status(401, "bad key"))
    result = bench.score(trams(3))
    assert (result.exit_code, result.manifest.made_now.calls, bench.endpoint.calls()) == (2, 1, 1)


def test_edited_propositions_are_another_run(bench: Bench) -> None:
    """Their content counts, not only which ground truths they are for."""
    frozen = bench.folder / "frozen.jsonl"
    frozen.write_bytes((bench.score([tram(1)], out="first").folder / "propositions.jsonl").read_bytes())
    bench.score([tram(1)], propositions=frozen)
    frozen.write_text(frozen.read_text().replace("has a bell", "has two bells"))
    with pytest.raises(RunFolderError, match="differs in propositions"):
        bench.score([tram(1)], propositions=frozen)
    result = bench.score([tram(1)], propositions=frozen, overwrite=True)
    assert "Tram 1 has two bells." in [proposition.text for item in result.items() for proposition in item.propositions]


def test_a_run_is_not_replayed_over_itself(bench: Bench) -> None:
    """Overwriting would remove the recording before it is read."""
    recorded = bench.score(trams(2))
    before = (recorded.folder / "journal.jsonl").read_bytes()
    with pytest.raises(ConfigError, match="replayed"):
        score(trams(2), judge=f"replay:{recorded.folder}", out=recorded.folder, overwrite=True)
    assert (recorded.folder / "journal.jsonl").read_bytes() == before


def test_nothing_judged_is_5_although_rules_decided_something(bench: Bench) -> None:
    """The mark 0 of an empty answer is no answer of the judge."""
    bench.endpoint.script(faults.status(500, "down"))
    assert bench.score([tram(1, ground_truth=None, propositions=["A."]), tram(2, answer="")], deadline=3).exit_code == 5


def test_the_hint_to_freeze_needs_propositions_worth_freezing(bench: Bench) -> None:
    """It is given when a model split everything now, and not for a replay or with a frozen file."""
    items = write_items(bench.folder / "answers.jsonl", trams(2))
    first = command("score", items, *bench.flags("first"))
    assert "to freeze these propositions" in first.stderr
    replayed = command("score", items, "--judge", f"replay:{bench.folder / 'first'}", "--out", bench.folder / "again")
    assert "to freeze" not in replayed.stderr
    (bench.folder / "answers.propositions.jsonl").write_bytes((bench.folder / "first" / "propositions.jsonl").read_bytes())
    assert "to freeze" not in command("score", items, *bench.flags("frozen")).stderr


def test_a_doubled_id_is_listed_beside_other_faults(tmp_path: Path) -> None:
    """One look at the list is enough, in a file and in Python."""
    items: list[dict[str, Any]] = [
        {"id": "a", "answer": "x"},
        {"id": "a", "answer": "y", "ground_truth": " "},
        {"answer": "z", "propositions": [""]},
    ]
    shown = command("validate", write_items(tmp_path / "answers.jsonl", items)).stderr
    assert [line for line in (2, 3) if f"answers.jsonl:{line}:" in shown] == [2, 3]
    assert "the id `a` stands on line 1 already" in shown
    with pytest.raises(InputError) as raised:
        score(items, judge="lexical")
    assert len(raised.value.faults) == 3


def test_the_cache_commands_work_on_what_a_run_left(bench: Bench) -> None:
    """Count, check, explain, move to another folder, clear."""
    bench.score(trams(2))
    items = write_items(bench.folder / "answers.jsonl", trams(2))
    cache, other = ["--cache", str(bench.cache)], ["--cache", str(bench.folder / "other")]
    assert "label      2" in command("cache", "stats", *cache).stdout
    assert command("cache", "verify", *cache).stdout == "6 entries are whole, 0 were damaged and set aside\n"
    same = command("cache", "explain", items, "--judge", MODEL, "--api-base", bench.endpoint.url, *cache).stdout
    assert [line.split() for line in same.splitlines()[1:]] == [["decompose", "2", "0"], ["label", "2", "0"], ["appraise", "2", "0"]]
    changed = command("cache", "explain", items, "--judge", "openai/other", "--api-base", bench.endpoint.url, *cache).stdout
    assert "the nearest entry differs in: model" in changed
    exported = bench.folder / "cache.jsonl"
    assert command("cache", "export", exported, *cache).stdout == f"6 judgments written to {exported}\n"
    assert command("cache", "import", exported, *other).stdout == "6 judgments taken over, 0 were there already\n"
    assert command("cache", "import", exported, *other).stdout == "0 judgments taken over, 6 were there already\n"
    assert command("cache", "clear", "--yes", *other).stdout == "6 judgments removed\n"
    assert command("cache", "stats", "--cache", bench.folder / "none").returncode == 2


def test_a_damaged_entry_is_judged_again_and_said(bench: Bench) -> None:
    """The run gives the same result; `verify` ends with 1 for what it sets aside."""
    import sqlite3

    first = bench.score(trams(1))
    with sqlite3.connect(bench.cache / "cache.db") as store:
        store.execute("UPDATE Cache SET value = replace(value, 'supported', 'contradicted')")
    store.close()
    again = bench.score(trams(1), out="again")
    assert (again.folder / "results.jsonl").read_bytes() == (first.folder / "results.jsonl").read_bytes()
    assert again.manifest.cache_entries_set_aside >= 1
    assert any("damaged" in warning for warning in again.manifest.warnings)


def test_decompose_writes_what_can_be_passed_back(bench: Bench) -> None:
    """A file that is there is kept unless told; passed back, nothing is split again."""
    items = write_items(bench.folder / "answers.jsonl", trams(2))
    frozen = bench.folder / "frozen.jsonl"
    judge = ["--judge", MODEL, "--api-base", bench.endpoint.url, "--cache", str(bench.cache)]
    made = command("decompose", items, "-o", frozen, *judge)
    assert (made.returncode, made.stdout.splitlines()[0]) == (0, f"2 ground truths, 6 propositions, written to {frozen}")
    assert {json.loads(line)["origin"] for line in frozen.read_text().splitlines()} == {"model"}
    assert command("decompose", items, "-o", frozen, *judge).returncode == 2
    bench.endpoint.reset()
    locked = command("score", items, *bench.flags(), "--propositions", frozen, "--locked")
    assert locked.returncode == 0, locked.stderr
    assert bench.endpoint.calls() == 4
    frozen.write_text(frozen.read_text().splitlines()[0] + "\n")
    refused = command("score", items, *bench.flags("other"), "--propositions", frozen, "--locked")
    assert refused.returncode == 2
    assert "1 ground truth without frozen propositions" in refused.stderr
