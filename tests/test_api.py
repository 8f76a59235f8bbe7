"""The flows as functions: in scripts, in notebooks, on lists and on files."""

import asyncio
import gc
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import pipelines
from judge.errors import ConfigError, InputError
from judge.schema.items import Item
from pipelines import ascore, score
from tests.endpoint import faults
from tests.endpoint.server import Endpoint, Rule
from tests.runs.items import given, tram, trams, write_items
from tests.runs.running import MODEL, ROOT, Bench, written


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with Endpoint() as endpoint:
        yield Bench(endpoint, tmp_path)


def test_a_list_of_dicts_is_scored() -> None:
    """No folder, no file, no judge named: the baseline answers, and the numbers are there."""
    result = score([{"answer": "The mill is red.", "ground_truth": "The mill is red."}])
    assert result.summary.metrics["R_proposition"].value == 1.0
    assert [item.item_id for item in result.items()] == ["line-1"]
    assert result.exit_code == 0


def test_items_dicts_and_a_file_give_the_same_numbers(tmp_path: Path) -> None:
    """The three ways in differ in nothing but the name of the input."""
    dicts = trams(3)
    items = [Item(id=each["id"], question=each["question"], answer=each["answer"], ground_truth=(each["ground_truth"],)) for each in dicts]
    path = write_items(tmp_path / "trams.jsonl", dicts)
    results = [score(source, judge="lexical") for source in (dicts, items, path, str(path), iter(dicts))]
    assert len({written(result) for result in results}) == 1
    assert [result.manifest.input.name for result in results] == ["items", "items", "trams.jsonl", "trams.jsonl", "items"]


class Frame(NamedTuple):
    """What a data frame of either kind offers of itself."""

    columns: list[str]
    records: list[dict[str, Any]]

    def to_dict(self, orient: str) -> list[dict[str, Any]]:
        assert orient == "records"
        return self.records


def test_a_data_frame_is_read_by_rows() -> None:
    """NaN, as pandas writes an absent value, is absent."""
    frame = Frame(["answer", "ground_truth"], [{"answer": "It is red.", "ground_truth": float("nan")}])
    assert [str(item.state) for item in score(frame, judge="lexical").items()] == ["no_propositions"]


@pytest.mark.parametrize(
    ("items", "told"),
    [
        pytest.param([], "there are no items", id="none"),
        pytest.param([{"question": "?"}], "there is no `answer`", id="no-answer"),
        pytest.param([{"answer": "x"}, Item(id="a", answer="x")], "either all dicts or all Item objects", id="mixed"),
        pytest.param(["text"], "either all dicts or all Item objects", id="texts"),
        pytest.param([{"id": "a", "answer": "x"}, {"id": "a", "answer": "y"}], "stands on line 1 already", id="same-id"),
        pytest.param([Item(id="a", answer="x"), Item(id="a", answer="y")], "several items have the id `a`", id="same-id-of-items"),
    ],
)
def test_wrong_items_are_refused(items: list[Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        score(items)


def test_wrong_settings_are_refused() -> None:
    """A misspelt setting is never ignored."""
    with pytest.raises(ConfigError, match="unknown setting 'modle'"):
        score(trams(1), modle="x")


async def test_score_works_inside_a_running_loop(bench: Bench) -> None:
    """As in a notebook, where a loop is running already."""
    result = bench.score(trams(2))
    assert result.exit_code == 0


async def test_ascore_leaves_the_loop_free(bench: Bench) -> None:
    """Other tasks of the caller go on while a run waits for its model."""
    bench.endpoint.latency = 0.05
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0.01)

    ticking = asyncio.create_task(tick())
    result = await ascore(trams(2), judge=MODEL, api_base=bench.endpoint.url, no_cache=True)
    ticking.cancel()
    assert result.exit_code == 0
    assert ticks > 5


async def test_runs_go_on_side_by_side() -> None:
    """Two runs in one loop share nothing that one could close on the other."""
    first, second = await asyncio.gather(ascore(trams(3), judge="lexical"), ascore(trams(3), judge="lexical"))
    assert written(first) == written(second)
    assert first.folder != second.folder


def test_runs_follow_one_another_in_one_process(bench: Bench) -> None:
    """Each call has its own loop and its own connections."""
    assert [bench.score(trams(1), out=str(number), no_cache=True).exit_code for number in range(3)] == [0, 0, 0]


def test_a_temporary_run_goes_with_its_result() -> None:
    """Without `out` nothing is left behind; while the result lives, its files do."""
    result = score(trams(1), judge="lexical")
    folder = result.folder
    assert len(list(result.items())) == 1
    del result
    gc.collect()
    assert not folder.exists()


def test_out_keeps_the_run(tmp_path: Path) -> None:
    score(trams(1), judge="lexical", out=tmp_path / "kept")
    assert (tmp_path / "kept" / "summary.json").exists()


def test_rows_show_each_proposition_with_what_became_of_it(bench: Bench) -> None:
    """A verdict has label, quote and rationale; an unjudged one a reason and no label."""
    bench.endpoint.script(Rule(faults.refusal(), containing="Fact 1"))
    rows = bench.score([tram(1, agent="atlas"), given(1)]).to_rows()
    assert [(row["item_id"], row["proposition_id"], row["label"], row["reason"]) for row in rows] == [
        ("tram-1", "p1", "supported", None),
        ("tram-1", "p2", "contradicted", None),
        ("tram-1", "p3", "not_addressed", None),
        ("given-1", "p1", None, "refused"),
    ]
    assert rows[1] == {
        "item_id": "tram-1",
        "agent": "atlas",
        "proposition_id": "p2",
        "text": "Tram 1 carries 80 people.",
        "label": "contradicted",
        "quote": "Tram 1 carries 90 people.",
        "rationale": "The answer says otherwise.",
        "reason": None,
        "detail": None,
    }


@pytest.mark.skipif(find_spec("pandas") is None, reason="pandas is not installed")
def test_frame_has_the_same_rows() -> None:
    result = score(trams(2), judge="lexical")
    assert len(result.to_frame()) == len(result.to_rows()) == 6


@pytest.mark.skipif(find_spec("pandas") is not None, reason="pandas is installed")
def test_frame_without_pandas_says_what_to_do() -> None:
    with pytest.raises(ConfigError, match="to_frame needs pandas"):
        score(trams(1), judge="lexical").to_frame()


def test_a_callers_variables_and_settings_file_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The function reads the same places as the command."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JUDGE_LIMIT", "1")
    (tmp_path / "judge.toml").write_text("judge = 'lexical'\nlimit = 2\n")
    assert score(trams(3)).summary.items.total == 1


def test_the_facade_names_what_it_offers() -> None:
    """Sorted, documented, and loaded only when used."""
    assert sorted(pipelines.__all__) == pipelines.__all__
    assert all(getattr(pipelines, name).__doc__ for name in pipelines.__all__)
    assert set(pipelines.__all__) <= set(dir(pipelines))
    code = "import sys, pipelines; sys.exit('pipelines.api' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
