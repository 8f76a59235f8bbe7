"""Whatever is in an input file: items that come back as they were read, or faults with file and line; nothing else is raised."""

import csv
import io
import json
from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import pyarrow
import pyarrow.parquet
from hypothesis import strategies as st

from judge.errors import InputError, InputFault
from pipelines.readers.checking import check_items
from pipelines.readers.items import item_json
from pipelines.readers.reading import convert_items, read_items
from tests.fuzz.effort import FILES, fuzzed
from tests.fuzz.files import DEEP, objects, torn
from tests.fuzz.replies import ANY_JSON, ODD, PLAIN

Found = TypeVar("Found")

FULL: dict[str, Any] = {
    "id": "q1",
    "question_id": "q",
    "trial": 1,
    "agent": "a",
    "question": "Which colour?",
    "answer": "The shed is green.",
    "ground_truth": ["The shed is green.", "Green."],
    "propositions": ["The shed is green.", {"id": "p9", "text": "It is new.", "source_quote": "new"}],
    "answerable": True,
    "declared_abstained": False,
    "sources": ["A note."],
    "gaps": ["Nobody says when."],
    "conflicts": [{"current": "Green.", "superseded": ["Red."]}],
    "decoys": ["Red."],
    "tests": ["temporal"],
    "metadata": {"label": 1},
}
NAMES = st.sampled_from(["Id", "output", "prediction", "expected", "query", "adversarial_answer", "answer "]) | PLAIN
LINES = objects(FULL, NAMES) | DEEP | ODD | st.just("") | ANY_JSON.map(json.dumps)


def assert_read_or_refused(path: Path) -> None:
    """Reading and checking agree: all items, each of which can be written and read again, or faults that name the file."""
    checked, faults = outcome_of(lambda: check_items(path).items)
    items, first_faults = outcome_of(lambda: list(read_items(path)))
    assert all(fault.file == str(path) for fault in faults)
    if items is None or checked is None:
        assert faults
        assert first_faults
        return
    assert checked == len({item.id for item in items}) == len(items) > 0
    again = path.with_name("again.jsonl")
    again.write_text("".join(f"{item_json(item)}\n" for item in items), encoding="utf-8")
    assert list(read_items(again)) == items


def outcome_of(read: Callable[[], Found]) -> tuple[Found | None, Sequence[InputFault]]:
    """Return what was read, or the faults."""
    try:
        return read(), ()
    except InputError as error:
        return None, error.faults


@st.composite
def json_lines(draw: st.DrawFn) -> bytes:
    lines = draw(st.lists(LINES, min_size=1, max_size=3))
    return draw(torn(draw(st.sampled_from(["\n", "\r\n", "\n\n"])).join(lines).encode("utf-8", "surrogatepass")))


@fuzzed(data=json_lines() | st.binary(max_size=60))
def test_json_lines(folder: Path, data: bytes) -> None:
    """Fields of any kind, doubled or unknown, cut lines, bytes of other encodings, nesting without end."""
    path = folder / "items.jsonl"
    path.write_bytes(data)
    assert_read_or_refused(path)


CELLS = PLAIN | ODD | st.sampled_from(["", "nan", "true", "007", '["a", "b"]', '{"a": 1}', "[1", "9" * 5_000, "²", "a\r\nb", '"', "=1+1"])


@st.composite
def tables(draw: st.DrawFn) -> bytes:
    names = draw(st.lists(st.sampled_from(sorted(FULL)) | NAMES, min_size=1, max_size=6))
    rows = draw(st.lists(st.lists(CELLS, min_size=len(names) - 1, max_size=len(names)), max_size=3))
    text = io.StringIO()
    writer = csv.writer(text, delimiter=draw(st.sampled_from(",;\t")), lineterminator=draw(st.sampled_from(["\n", "\r\n"])))
    writer.writerows([names, *rows])
    return draw(torn(text.getvalue().encode("utf-8", "surrogatepass")))


@fuzzed(data=tables() | st.binary(max_size=60))
def test_csv(folder: Path, data: bytes) -> None:
    """Cells of any text under any header, rows of other lengths, quotes out of place."""
    path = folder / "items.csv"
    path.write_bytes(data)
    assert_read_or_refused(path)


COLUMNS = {
    "text": pyarrow.array(["The shed is green.", None]),
    "number": pyarrow.array([1.5, float("nan")]),
    "whole": pyarrow.array([2**62, None]),
    "list": pyarrow.array([["a", "b"], []]),
    "object": pyarrow.array([{"current": "a", "superseded": ["b"]}, None]),
    "time": pyarrow.array([0, 2**62], pyarrow.timestamp("us")),
    "nanoseconds": pyarrow.array([1, 2], pyarrow.timestamp("ns")),
    "duration": pyarrow.array([1, 2**62], pyarrow.duration("s")),
    "day": pyarrow.array([2**30, -(2**30)], pyarrow.date32()),
    "bytes": pyarrow.array([b"\xff", b""]),
    "pairs": pyarrow.array([[("a", 1)], None], pyarrow.map_(pyarrow.string(), pyarrow.int64())),
    "words": pyarrow.array(["x", "y"]).dictionary_encode(),
}


@lru_cache(maxsize=512)
def _parquet(columns: tuple[tuple[str, str], ...]) -> bytes:
    buffer = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table({name: COLUMNS[kind] for name, kind in columns}), buffer, compression="none")
    return buffer.getvalue()


PARQUET = st.lists(
    st.tuples(st.sampled_from(["id", "answer", "ground_truth", "trial", "conflicts", "note"]), st.sampled_from(sorted(COLUMNS))),
    min_size=1,
    max_size=3,
    unique_by=lambda column: column[0],
).map(tuple)


@fuzzed(data=PARQUET.map(_parquet).flatmap(torn))
def test_parquet(folder: Path, data: bytes) -> None:
    """Columns of any type, and files that were cut or written into."""
    path = folder / "items.parquet"
    path.write_bytes(data)
    assert_read_or_refused(path)


@fuzzed(
    cost=FILES,
    values=st.lists(
        st.dictionaries(
            st.sampled_from(sorted(FULL)) | NAMES,
            ANY_JSON | st.sampled_from([b"a", date(1, 1, 1), Decimal("1.50"), Decimal("NaN"), (1, 2), {1: 2}, object()]),
            max_size=4,
        ),
        max_size=2,
    ),
)
def test_python_values(values: list[dict[str, Any]]) -> None:
    """Mappings as a notebook holds them, dates, decimals and NaN among them."""
    items, faults = outcome_of(lambda: list(convert_items(values)))
    assert all(fault.file == "items" for fault in faults)
    for item in items or ():
        item_json(item).encode()
