"""Files that are broken: every fault is told with file and line, exit code 2, before the first call."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from judge.errors import InputError
from pipelines.pricing import read_prices
from tests.endpoint.server import Endpoint
from tests.runs.items import read_lines, tram, write_items
from tests.runs.running import Bench, command

pytestmark = pytest.mark.faults

GOOD = json.dumps(tram(1)).encode()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with Endpoint() as endpoint:
        yield Bench(endpoint, tmp_path)


def line(text: str) -> bytes:
    return text.encode("utf-8")


FAULTY = [
    pytest.param(line('{"id": "a", "answer": "half \\ud800 of it"}'), "unpaired surrogate", id="escaped-surrogate"),
    pytest.param(line('{"id": "a", "answer": "x", "metadata": {"\\udfff": 1}}'), "unpaired surrogate", id="escaped-surrogate-in-a-key"),
    pytest.param(b'{"id": "a", "answer": "\xed\xa0\x80"}', "not UTF-8", id="raw-surrogate"),
    pytest.param(line('{"id": "a", "answer": "a\\u0000b"}'), "NUL", id="escaped-nul"),
    pytest.param(b'{"id": "a", "answer": "a\x00b"}', "not valid JSON", id="raw-nul"),
    pytest.param(b'{"id": "a", "answer": "caf\xe9"}', "not UTF-8", id="latin-1"),
    pytest.param('{"id": "a", "answer": "x"}'.encode("utf-16"), "UTF-8", id="utf-16"),
    pytest.param(line('{"id": "a", "answer": "caf\u00e9"}') + b" \x80", "not UTF-8", id="mixed-encodings"),
    pytest.param(line('{"id": "tram-1", "answer": "x"}'), "stands on line 1 already", id="duplicate-id"),
    pytest.param(line('{"id": "a", "id": "b", "answer": "x"}'), "occurs twice", id="duplicate-key"),
    pytest.param(line('{"id": "a", "answer": "x", "trial": Infinity}'), "Infinity", id="infinity"),
    pytest.param(line('{"id": "a", "answer": "x", "metadata": {"m": 1e999}}'), "1e999", id="over-long-float"),
    pytest.param(line('{"id": "a", "answer": "x", "trial": ' + "9" * 5000 + "}"), "digits", id="over-long-integer"),
    pytest.param(line('{"id": "a", "answer": "x", "metadata": {"m": ' + "[" * 500 + "]" * 500 + "}}"), "nested deeper", id="deep"),
    pytest.param(line('{"id": "a", "answer": ' + "[" * 100_000 + "]" * 100_000 + "}"), "nested deeper", id="very-deep"),
    pytest.param(line('{"id": "a", "answer": "x", "ground_truth": " \\u200b\\n"}'), "blank", id="blank-ground-truth"),
    pytest.param(line('["a"]'), "expected one object", id="no-object"),
    pytest.param(line('{"id": "a", "answer": "cut'), "not valid JSON", id="cut"),
]


@pytest.mark.parametrize(("faulty", "said"), FAULTY)
def test_row33_a_faulty_line_is_named_before_any_call(bench: Bench, faulty: bytes, said: str) -> None:
    """The fault stands with file and line, beside every other one of the file, and nothing was asked or written."""
    path = bench.folder / "items.jsonl"
    path.write_bytes(GOOD + b"\n" + faulty + b"\n" + b'{"id": 3.5}\n')
    run = command("score", path, *bench.flags())
    assert (run.returncode, "Traceback" in run.stderr) == (2, False)
    assert any(shown.startswith(("judge: ", str(path))) and f"{path}:2: " in shown and said in shown for shown in run.stderr.splitlines())
    assert f"{path}:3: " in run.stderr or f"{path}:4: " in run.stderr
    assert bench.endpoint.calls() == 0
    assert not (bench.folder / "run").exists()


def test_row33_a_mark_and_line_ends_change_nothing(bench: Bench) -> None:
    """A byte order mark, CRLF and blank lines are tolerated: the same items, the same requests."""
    path = bench.folder / "items.jsonl"
    write_items(path, [tram(1), tram(2)])
    assert command("score", path, *bench.flags("plain")).returncode == 0
    calls = bench.endpoint.calls()
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n\r\n"))
    assert command("score", path, *bench.flags("marked")).returncode == 0
    assert bench.endpoint.calls() == calls
    assert read_lines(bench.folder / "plain" / "results.jsonl") == read_lines(bench.folder / "marked" / "results.jsonl")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(b"id,answer\na,caf\xe9\n", "not UTF-8", id="latin-1"),
        pytest.param("id,answer\na,x\n".encode("utf-16"), "UTF-8", id="utf-16"),
        pytest.param(b"id,answer\na,x\x00y\n", "NUL", id="nul"),
        pytest.param(b"id,answer\na,x\na,y\n", "stands on line 2 already", id="duplicate-id"),
        pytest.param(b'id,answer\na,"open\n', "not valid CSV", id="open-quote"),
        pytest.param(b"id,answer\na,x,y\n", "3 cells", id="cells"),
        pytest.param(b"id,answer,answer\na,x,y\n", "same name", id="columns"),
        pytest.param(b"id,answer,ground_truth\na,x,\xe2\x80\x8b\n", "blank", id="blank-ground-truth"),
        pytest.param(b'id,answer,propositions\na,x,"[""a\\ud800""]"\n', "surrogate", id="surrogate-in-a-cell"),
    ],
)
def test_row33_a_faulty_table_is_named_before_any_call(bench: Bench, content: bytes, said: str) -> None:
    """The same of CSV, with the physical line."""
    path = bench.folder / "items.csv"
    path.write_bytes(content)
    run = command("score", path, *bench.flags())
    assert (run.returncode, "Traceback" in run.stderr) == (2, False)
    assert f"{path}:" in run.stderr
    assert said in run.stderr
    assert bench.endpoint.calls() == 0


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        pytest.param([{"id": "a", "answer": "x\0y"}], "NUL", id="nul"),
        pytest.param([{"id": "a", "answer": "x"}, {"id": "a", "answer": "y"}], "already", id="duplicate-id"),
        pytest.param([{"id": "a", "answer": "x", "trial": float("inf")}], "inf", id="infinity"),
        pytest.param([{"id": "a", "answer": b"\xff"}], "bytes", id="bytes"),
        pytest.param([{"id": "a", "answer": "x", "ground_truth": " "}], "blank", id="blank-ground-truth"),
    ],
)
def test_row33_a_faulty_parquet_file_is_named_before_any_call(bench: Bench, rows: list[dict[str, Any]], said: str) -> None:
    """The same of Parquet, with the row."""
    import pyarrow
    import pyarrow.parquet

    path = bench.folder / "items.parquet"
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    run = command("score", path, *bench.flags())
    assert (run.returncode, "Traceback" in run.stderr) == (2, False)
    assert f"{path}:" in run.stderr
    assert said in run.stderr
    assert bench.endpoint.calls() == 0


SIDE_FAULTS = [
    pytest.param(b"\xff\xfe{\x00}\x00", id="utf-16"),
    pytest.param(b'{"a": "caf\xe9"}', id="latin-1"),
    pytest.param(b'{"key": "k", "ground_truth": "a\\ud800", "propositions": ["x"]}', id="surrogate"),
    pytest.param(b'{"key": "k", "ground_truth": "x", "propositions": ["a\x00b"]}', id="nul"),
    pytest.param(b'{"key": "k", "key": "l", "ground_truth": "x", "propositions": ["x"]}', id="duplicate-key"),
    pytest.param(b'{"key": "k", "ground_truth": "x", "propositions": ["x"], "lint": Infinity}', id="infinity"),
    pytest.param(b'{"key": "k", "ground_truth": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", id="deep"),
    pytest.param(b'{"key": "k", "ground_truth": "x", "n": ' + b"9" * 5000 + b"}", id="over-long-integer"),
    pytest.param(b"\x00\x01\x02", id="binary"),
]


@pytest.mark.parametrize("content", SIDE_FAULTS)
@pytest.mark.parametrize("flag", ["--propositions", "--run-record", "--prompt", "--policy", "--config"])
def test_row33_a_faulty_side_file_is_named_before_any_call(bench: Bench, flag: str, content: bytes) -> None:
    """Propositions, run records, prices, prompts, policies and settings: none ends in a traceback or in a call."""
    path = bench.folder / ("side.toml" if flag in ("--prompt", "--policy", "--config") else "side.jsonl")
    path.write_bytes(content)
    value = f"label={path}" if flag == "--prompt" else str(path)
    run = command("score", write_items(bench.folder / "items.jsonl", [tram(1)]), *bench.flags(), flag, value)
    assert "Traceback" not in run.stderr
    assert run.returncode == 2, run.stderr
    assert str(path) in run.stderr
    assert bench.endpoint.calls() == 0


@pytest.mark.parametrize("content", SIDE_FAULTS)
def test_row33_a_faulty_price_file_is_named(tmp_path: Path, content: bytes) -> None:
    """A price list is read as strictly; the error names the file."""
    path = tmp_path / "prices.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"prices\.json"):
        read_prices(path)


def test_row34_a_blank_ground_truth_is_an_input_error(bench: Bench) -> None:
    """Given and blank is a fault with file and line; absent is none."""
    path = write_items(bench.folder / "items.jsonl", [tram(1), {"id": "a", "answer": "x", "ground_truth": ["fine", "\u200b "]}])
    run = command("score", path, *bench.flags())
    assert run.returncode == 2
    assert f"{path}:2: item `a`: `ground_truth`: entry 2: is blank" in run.stderr
    assert bench.endpoint.calls() == 0


def test_row34_an_item_without_propositions_is_counted_and_has_no_recall(bench: Bench) -> None:
    """Nothing to measure against is a state of its own, never a recall of 0 or 1, and the run is complete."""
    result = bench.score(
        [{"id": "bare", "answer": "It rained."}, {"id": "null", "answer": "Yes.", "ground_truth": None, "propositions": []}]
    )
    assert [item.state for item in result.items()] == ["no_propositions"] * 2
    assert all(item.signals["R_proposition"] is None for item in result.items())
    assert result.summary.items.no_propositions == 2
    assert result.summary.metrics["R_proposition"].value is None
    assert result.exit_code == 0
