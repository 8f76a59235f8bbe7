"""Readers: every line of an input file becomes an item or a fault that says where and what."""

import contextlib
import hashlib
import json
import sys
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.errors import InputError
from judge.schema.items import Conflict, GivenProposition, Item, ItemTest
from pipelines.readers.checking import InputCheck, check_items
from pipelines.readers.items import item_json
from pipelines.readers.reading import convert_items, read_items
from pipelines.readers.values import is_blank

QUICKSTART = Path(__file__).parent.parent / "examples" / "quickstart.jsonl"


def jsonl(folder: Path, *lines: object) -> Path:
    path = folder / "answers.jsonl"
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines), encoding="utf-8")
    return path


def raw(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def items_of(path: Path, **mapping: str) -> list[Item]:
    return list(read_items(path, mapping=mapping))


def item_of(folder: Path, **fields: object) -> Item:
    [item] = items_of(jsonl(folder, {"id": "a", "answer": "x", **fields}))
    return item


def faults_of(path: Path, **mapping: str) -> list[tuple[int | None, str]]:
    with pytest.raises(InputError) as caught:
        check_items(path, mapping=mapping)
    with pytest.raises(InputError) as first:
        items_of(path, **mapping)
    assert all(fault.file == str(path) for fault in caught.value.faults)
    assert {fault.line for fault in first.value.faults} <= {fault.line for fault in caught.value.faults}
    return [(fault.line, fault.message) for fault in caught.value.faults]


def needs_of(check: InputCheck) -> dict[str, int]:
    return {need.metric: need.items for need in check.metrics}


# JSON Lines


def test_a_line_without_anything_to_measure_against_is_an_item(tmp_path: Path) -> None:
    """An abstaining first and only line is read like any other."""
    assert items_of(jsonl(tmp_path, {"id": "a", "answer": "Sorry, I can't do that."})) == [Item(id="a", answer="Sorry, I can't do that.")]


def test_marks_of_other_systems_do_not_break_lines(tmp_path: Path) -> None:
    """A byte order mark, CRLF, blank lines and a missing last line end change nothing; line numbers stay physical."""
    path = raw(tmp_path, "a.jsonl", '\ufeff{"answer": "a"}\r\n\r\n  \n{"answer": "b"}\r\n{"answer": "c"}')
    assert [(item.id, item.answer) for item in items_of(path)] == [("line-1", "a"), ("line-4", "b"), ("line-5", "c")]


def test_only_a_line_feed_ends_a_line(tmp_path: Path) -> None:
    """U+2028, U+0085 and a form feed may stand inside a text."""
    text = "one\u2028two\x85three\u2029four"
    assert [item.answer for item in items_of(jsonl(tmp_path, json.dumps({"answer": text}, ensure_ascii=False)))] == [text]


def test_nan_is_null(tmp_path: Path) -> None:
    """Tools write it for a missing number; what we write back has none."""
    [item] = items_of(raw(tmp_path, "a.jsonl", '{"answer": "a", "score": NaN, "ground_truth": NaN}'))
    assert (item.metadata, item.ground_truth) == ({"score": None}, ())
    assert "NaN" not in item_json(item)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        pytest.param('{"answer": NaN}', "answer", id="nan-is-absent"),
        pytest.param('{"answer": "a", "score": -Infinity}', "-Infinity is not a JSON number", id="infinity"),
        pytest.param('{"answer": "a", "score": 1e999}', "1e999 is not a number", id="overflow"),
        pytest.param('{"answer": "a", "answer": "b"}', "the key `answer` occurs twice", id="duplicate-key"),
        pytest.param('{"answer": "a", "metadata": {"k": 1, "k": 1}}', "the key `k` occurs twice", id="duplicate-key-inside"),
        pytest.param('{"answer": "a\\u0000b"}', "NUL", id="nul"),
        pytest.param('{"answer": "a", "metadata": {"k": ["\\ud83d"]}}', "unpaired surrogate", id="surrogate"),
        pytest.param('{"answer": "a", "\\uDC00": 1}', "unpaired surrogate", id="surrogate-in-a-key"),
        pytest.param('{"answer": "a"', "not valid JSON: Expecting ',' delimiter at column 15", id="torn"),
        pytest.param('["a"]', "expected one object a line, found a list of 1", id="list"),
        pytest.param('[{"vars": 1, "assert": []}]', "a list of 1 objects with the fields vars, assert", id="list-of-objects"),
        pytest.param('{"answer": ' + "[" * 5000 + "]" * 5000 + "}", "nested deeper", id="nested-beyond-reading"),
        pytest.param('{"answer": ' + "[" * 300 + "]" * 300 + "}", "nested deeper", id="nested-beyond-sense"),
    ],
)
def test_what_json_lines_must_not_hold(tmp_path: Path, line: str, message: str) -> None:
    """A line that other programs would read differently, or not at all, is a fault."""
    [(number, found)] = faults_of(jsonl(tmp_path, {"answer": "fine"}, line))
    assert number == 2
    assert message in found


def test_escapes_that_only_look_forbidden_are_kept(tmp_path: Path) -> None:
    """A surrogate pair is one character, and an escaped backslash before `u0000` is plain text."""
    path = jsonl(tmp_path, '{"answer": "\\ud83d\\ude00 \\\\u0000 \\\\ud800"}')
    assert items_of(path)[0].answer == "\U0001f600 \\u0000 \\ud800"


def test_every_line_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    """A Latin-1 file is refused by line, with the encoding that is expected."""
    path = raw(tmp_path, "a.jsonl", '{"answer": "fine"}\n{"answer": "Gebühr"}\n{"answer": "Größe"}\n'.encode("latin-1"))
    faults = faults_of(path)
    assert [line for line, _ in faults] == [2, 3]
    assert "byte 0xfc" in faults[0][1]
    assert "UTF-8 is expected" in faults[0][1]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param('[{"vars": {"answer": "x"}, "assert": []}]', "found a list of 1 objects with the fields vars, assert", id="list"),
        pytest.param('{"results": []}', "found an object with the fields results", id="object"),
        pytest.param('{"answer": "a"}\n{"answer": "b"}', "rename it", id="lines-under-another-name"),
        pytest.param("Gebühr".encode("latin-1"), "not UTF-8", id="latin-1"),
    ],
)
def test_a_json_file_is_refused_with_what_it_holds(tmp_path: Path, content: str | bytes, message: str) -> None:
    """A file of another shape never becomes a run of zero items."""
    [(line, found)] = faults_of(raw(tmp_path, "tests.json", content))
    assert line is None
    assert found.startswith("JSON Lines is expected")
    assert message in found


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        pytest.param("a.jsonl", "", "no items", id="empty"),
        pytest.param("a.jsonl", "\n \n", "no items", id="blank-lines"),
        pytest.param("a.csv", "", "no items", id="empty-csv"),
        pytest.param("a.csv", "id,answer\n", "no items", id="header-only"),
        pytest.param("a.xlsx", "x", "unknown format", id="unknown-suffix"),
        pytest.param("a", "x", "unknown format", id="no-suffix"),
        pytest.param("a.parquet", "x", "not a readable Parquet file", id="broken-parquet"),
    ],
)
def test_a_file_without_items_is_refused(tmp_path: Path, name: str, content: str, message: str) -> None:
    [(line, found)] = faults_of(raw(tmp_path, name, content))
    assert line is None
    assert message in found


def test_a_file_that_cannot_be_opened_is_refused_at_once(tmp_path: Path) -> None:
    """`read_items` does not wait for its first item."""
    with pytest.raises(InputError, match="no such file"):
        read_items(tmp_path / "none.jsonl")
    with pytest.raises(InputError, match="is a folder"):
        read_items(tmp_path)


# Ids


def test_ids_are_kept_as_text(tmp_path: Path) -> None:
    """`007` and `7` are two items, and the number 8 is the text 8."""
    path = jsonl(tmp_path, *({"id": given, "answer": "x"} for given in ("007", "7", "a-1", 8)))
    assert [item.id for item in items_of(path)] == ["007", "7", "a-1", "8"]


def test_duplicate_ids_name_both_lines(tmp_path: Path) -> None:
    """The number 7 and the text 7 are one id; a made id can clash too."""
    path = jsonl(tmp_path, {"id": 7, "answer": "a"}, {"id": "line-3", "answer": "b"}, {"answer": "c"}, {"id": "7", "answer": "d"})
    assert faults_of(path) == [(3, "the id `line-3` stands on line 2 already"), (4, "the id `7` stands on line 1 already")]


@pytest.mark.parametrize("given", [True, 1.5, "", " \u200b", ["a"]])
def test_what_is_no_id(tmp_path: Path, given: object) -> None:
    [(line, message)] = faults_of(jsonl(tmp_path, {"id": given, "answer": "x"}))
    assert (line, "`id`" in message) == (1, True)


# Names of fields


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        pytest.param({"output": "A", "reference": "G", "input": "Q"}, ("Q", "A", ("G",)), id="output-reference-input"),
        pytest.param({"prediction": "A", "gold": "G", "query": "Q"}, ("Q", "A", ("G",)), id="prediction-gold-query"),
        pytest.param({"actual_output": "A", "expected_output": "G", "prompt": "Q"}, ("Q", "A", ("G",)), id="actual-expected-prompt"),
        pytest.param({"answer": "A", "ideal": ["G", "H"]}, (None, "A", ("G", "H")), id="answer-ideal"),
    ],
)
def test_common_other_names_are_understood(tmp_path: Path, fields: dict[str, Any], expected: tuple[object, ...]) -> None:
    [item] = items_of(jsonl(tmp_path, fields))
    assert (item.question, item.answer, item.ground_truth) == expected
    assert item.metadata == {}


def test_two_candidates_for_a_field_are_reported_once_with_the_flags_to_give(tmp_path: Path) -> None:
    line = {"output": "A", "response": "B"}
    assert faults_of(jsonl(tmp_path, {"answer": "x"}, line, line)) == [
        (2, "`output` and `response` could each be the field `answer`; say which with --map answer=output or --map answer=response")
    ]
    [item] = items_of(jsonl(tmp_path, line), answer="response")
    assert (item.answer, item.metadata) == ("B", {"output": "A"})


@pytest.mark.parametrize("rival", ["hypothesis", "prediction"])
def test_an_answer_beside_a_rival_may_be_the_reference(tmp_path: Path, rival: str) -> None:
    """Nothing is guessed; both ways of reading the file can be said with `--map`."""
    path = jsonl(tmp_path, {"id": "a", "answer": "The gold text.", rival: "The agent's text."})
    [(_, message)] = faults_of(path)
    assert f"--map answer={rival}" in message
    assert "--map ground_truth=answer" in message
    [swapped] = items_of(path, answer=rival, ground_truth="answer")
    assert swapped == Item(id="a", answer="The agent's text.", ground_truth=("The gold text.",))
    [kept] = items_of(path, answer="answer")
    assert kept == Item(id="a", answer="The gold text.", metadata={rival: "The agent's text."})


def test_a_mapped_field_takes_no_other_name(tmp_path: Path) -> None:
    """A line without the mapped column lacks the field, whatever else it has."""
    path = jsonl(tmp_path, {"hypothesis": "A"}, {"answer": "B"})
    [(line, message)] = faults_of(path, answer="hypothesis")
    assert line == 2
    assert "found: answer" in message


def test_one_column_may_serve_two_fields(tmp_path: Path) -> None:
    [item] = items_of(jsonl(tmp_path, {"doc": "d", "answer": "x"}), cluster="doc", question_id="doc")
    assert (item.cluster, item.question_id, item.metadata) == ("d", "d", {})


def test_a_map_that_names_nothing_is_refused(tmp_path: Path) -> None:
    path = jsonl(tmp_path, {"id": "a", "text": "x"})
    assert "there is no field `reply`" in faults_of(path, reply="text")[0][1]
    faults = faults_of(path, answer="txt")
    assert faults[0] == (None, "--map answer=txt: nothing here is named `txt` (found: id, text)")
    assert faults[1][0] == 1


def test_a_missing_answer_names_what_was_found_on_every_line(tmp_path: Path) -> None:
    faults = faults_of(jsonl(tmp_path, {"vars": 1, "assert": []}, {"id": "b", "answer": None}))
    assert faults == [
        (1, "there is no `answer` (found: vars, assert); if another field holds it, give --map answer=FIELD"),
        (2, "item `b`: `answer` is null; an answer is a text, which may be empty"),
    ]


def test_what_no_field_takes_goes_to_metadata(tmp_path: Path) -> None:
    """Human labels and the references of other data sets are carried along, never used."""
    item = item_of(tmp_path, adversarial_answer="red", abstained=None, label="supported", metadata={"k": 1, "label": "supported"})
    assert item.metadata == {"adversarial_answer": "red", "abstained": None, "label": "supported", "k": 1}
    assert item.ground_truth == ()


def test_a_clash_with_metadata_is_a_fault_only_if_the_values_differ(tmp_path: Path) -> None:
    assert faults_of(jsonl(tmp_path, {"answer": "x", "k": 1, "metadata": {"k": 2}})) == [(1, "`k` and `metadata.k` differ")]


# Values


@pytest.mark.parametrize(
    ("given", "text"),
    [
        pytest.param({"city": "Turin", "days": 3}, '{"city": "Turin", "days": 3}', id="object-in-its-order"),
        pytest.param(["Zürich", None], '["Zürich", null]', id="list"),
        pytest.param(12.5, "12.5", id="number"),
        pytest.param(False, "false", id="false-is-an-answer"),
    ],
)
def test_an_answer_that_is_no_text_becomes_json_text(tmp_path: Path, given: object, text: str) -> None:
    item = item_of(tmp_path, answer=given)
    assert (item.answer, item.answer_serialised) == (text, True)


def test_an_empty_answer_is_an_answer(tmp_path: Path) -> None:
    item = item_of(tmp_path, answer="")
    assert (item.answer, item.answer_serialised) == ("", False)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        pytest.param({"ground_truth": "G"}, {"ground_truth": ("G",)}, id="one-reference"),
        pytest.param({"ground_truth": 6}, {"ground_truth": ("6",)}, id="a-number-stands-for-its-digits"),
        pytest.param({"ground_truth": [], "propositions": [], "question": None}, {}, id="empty-and-null-are-absent"),
        pytest.param({"question_id": 3, "agent": 4.5, "cluster": " "}, {"question_id": "3", "agent": "4.5"}, id="group-names"),
        pytest.param({"trial": 2.0}, {"trial": 2}, id="whole-float"),
        pytest.param({"gaps": "g", "decoys": ["d"], "sources": []}, {"gaps": ("g",), "decoys": ("d",)}, id="a-text-is-a-list-of-one"),
        pytest.param({"tests": ["temporal", "temporal"]}, {"tests": (ItemTest.TEMPORAL,)}, id="tests-once"),
        pytest.param({"answerable": None, "declared_abstained": False}, {"declared_abstained": False}, id="null-is-absent"),
        pytest.param(
            {"propositions": ["one", {"text": "two", "label": "supported", "source_quote": "q"}, {"id": 7, "text": "three"}]},
            {
                "propositions": (
                    GivenProposition(id="p1", text="one"),
                    GivenProposition(id="p2", text="two", source_quote="q"),
                    GivenProposition(id="7", text="three"),
                )
            },
            id="propositions",
        ),
        pytest.param(
            {"propositions": ["one", {"id": "p1", "text": "two"}, {"id": "p4", "text": "three"}]},
            {
                "propositions": (
                    GivenProposition(id="p5", text="one"),
                    GivenProposition(id="p1", text="two"),
                    GivenProposition(id="p4", text="three"),
                )
            },
            id="made-ids-avoid-given-ones",
        ),
        pytest.param(
            {"conflicts": [{"current": "new", "superseded": "old", "note": 1}]},
            {"conflicts": (Conflict(id="c1", current="new", superseded=("old",)),)},
            id="conflict",
        ),
    ],
)
def test_values_as_understood(tmp_path: Path, fields: dict[str, Any], expected: dict[str, Any]) -> None:
    assert item_of(tmp_path, **fields) == Item(id="a", answer="x", **expected)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        pytest.param({"ground_truth": "  "}, "`ground_truth`: is blank, expected text", id="blank-reference"),
        pytest.param({"ground_truth": ["G", "\u200b"]}, "`ground_truth`: entry 2: is blank", id="blank-alternative"),
        pytest.param({"ground_truth": True}, "expected text, found true", id="reference-true"),
        pytest.param({"question": ["Q"]}, "`question`: expected text, found a list of 1", id="question-list"),
        pytest.param({"agent": {}}, "expected text or a number, found an object without fields", id="agent-object"),
        pytest.param({"trial": True}, "expected a whole number, found true", id="trial-true"),
        pytest.param({"trial": 1.5}, "expected a whole number, found a number", id="trial-fraction"),
        pytest.param({"answerable": "false"}, "expected true or false, found a text", id="word-for-false"),
        pytest.param({"declared_abstained": 0}, "expected true or false, found a number", id="number-for-false"),
        pytest.param({"propositions": "p"}, "expected a list, found a text", id="propositions-text"),
        pytest.param({"propositions": ["p", " "]}, "entry 2: is blank", id="blank-proposition"),
        pytest.param(
            {"propositions": [{"id": "p1", "claim": "x"}]}, "expected `text`, found an object with the fields id, claim", id="no-text"
        ),
        pytest.param({"propositions": [1]}, "expected text or an object with `text`, found a number", id="proposition-number"),
        pytest.param({"propositions": [{"text": "x", "source_quote": 1}]}, "`source_quote` expected text", id="quote-number"),
        pytest.param({"propositions": [{"id": "a", "text": "x"}, {"id": "a", "text": "y"}]}, "the id `a` occurs twice", id="same-id"),
        pytest.param({"conflicts": [{"current": "new"}]}, "expected `superseded`, found", id="nothing-superseded"),
        pytest.param({"conflicts": [{"current": "new", "superseded": []}]}, "`superseded` is empty", id="superseded-empty"),
        pytest.param({"conflicts": [{"current": " ", "superseded": "old"}]}, "`current` is blank", id="blank-current"),
        pytest.param({"conflicts": ["old"]}, "expected an object with `current` and `superseded`", id="conflict-text"),
        pytest.param({"gaps": ["g", ""]}, "`gaps`: entry 2: is blank", id="blank-gap"),
        pytest.param({"decoys": " "}, "`decoys`: is blank", id="blank-decoy"),
        pytest.param({"tests": ["spatial"]}, "expected temporal, supersession, synthesis, found 'spatial'", id="unknown-test"),
        pytest.param({"metadata": []}, "`metadata`: expected an object, found a list of 0", id="metadata-list"),
    ],
)
def test_values_that_are_faults(tmp_path: Path, fields: dict[str, Any], message: str) -> None:
    """A fault names the item and the field as the file calls it."""
    [(line, found)] = faults_of(jsonl(tmp_path, {"id": "q7", "answer": "x", **fields}))
    assert line == 1
    assert found.startswith("item `q7`: ")
    assert message in found


def test_all_faults_are_listed_in_file_order(tmp_path: Path) -> None:
    """Several on one line too; reading stops at the first."""
    path = jsonl(tmp_path, {"answer": "a", "gaps": "", "trial": "x"}, "{", {"answer": "b"}, {"question": "?"})
    assert [line for line, _ in faults_of(path)] == [1, 1, 2, 4]


def test_a_long_list_of_faults_is_cut(tmp_path: Path) -> None:
    """200 are shown, and the last line says how many more there are."""
    faults = faults_of(jsonl(tmp_path, *["{"] * 230))
    assert len(faults) == 201
    assert faults[-1] == (None, "... and 30 more")


# CSV


def test_csv_cells_keep_their_newlines(tmp_path: Path) -> None:
    """Line breaks inside quotes shift no row, and a row is named by the line on which it starts."""
    path = raw(tmp_path, "a.csv", '\ufeffanswer,note\r\n"line one\r\nline two",ok\r\n\r\nlast,\r\n')
    assert items_of(path) == [
        Item(id="line-2", answer="line one\r\nline two", metadata={"note": "ok"}),
        Item(id="line-5", answer="last"),
    ]


def test_csv_empty_cells_are_absent_but_an_empty_answer_is_empty(tmp_path: Path) -> None:
    """The words nan and NA stay texts; a ground truth of `[1]` is a text, a JSON list of texts is a list."""
    path = raw(
        tmp_path,
        "a.csv",
        "id,answer,ground_truth,propositions,answerable,trial,gaps\n"
        '007,,NA,"[""a is b"",""c is d""]",No,3,plain\n'
        '7,nan,"[""G"",""H""]",,1,,"[""g""]"\n'
        "8,None,[1],,,,\n"
        "9,NA,[1] says so,,,,\n",
    )
    propositions = (GivenProposition(id="p1", text="a is b"), GivenProposition(id="p2", text="c is d"))
    assert items_of(path) == [
        Item(id="007", answer="", ground_truth=("NA",), propositions=propositions, answerable=False, trial=3, gaps=("plain",)),
        Item(id="7", answer="nan", ground_truth=("G", "H"), answerable=True, gaps=("g",)),
        Item(id="8", answer="None", ground_truth=("[1]",)),
        Item(id="9", answer="NA", ground_truth=("[1] says so",)),
    ]


@pytest.mark.parametrize("separator", [";", "\t"])
def test_csv_separators_of_other_countries(tmp_path: Path, separator: str) -> None:
    path = raw(tmp_path, "a.csv", f'id{separator}answer\na{separator}"1,5{separator}2"\n')
    assert items_of(path) == [Item(id="a", answer=f"1,5{separator}2")]


def test_csv_big_cells_and_nameless_columns(tmp_path: Path) -> None:
    """The index column that data frames write has no name; answers may be long."""
    [item] = items_of(raw(tmp_path, "a.csv", f",answer\n0,{'x' * 200_000}\n,\n"))
    assert (len(item.answer), item.metadata) == (200_000, {"column 1": "0"})


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        pytest.param("id,answer\na,b\nc,d,e\n", 3, "the row has 3 cells, the header 2", id="ragged"),
        pytest.param("answer,note,note\na,b,c\n", 1, "several columns have the same name: `note`", id="same-names"),
        pytest.param('id,answer\na,"b\nc,d\n', 2, "not valid CSV", id="quote-never-closed"),
        pytest.param("id,answer\na,b\0\n", 2, "NUL", id="nul"),
        pytest.param("answer,propositions\nx,['a']\n", 2, "`propositions`: not valid JSON", id="python-list"),
        pytest.param("answer,answerable\nx,maybe\n", 2, "expected true or false (or yes, no, 1, 0), found 'maybe'", id="maybe"),
        pytest.param("answer,trial\nx,1.5\n", 2, "expected a whole number, found '1.5'", id="trial"),
        pytest.param("answer,ground_truth\nx, \n", 2, "`ground_truth`: is blank", id="blank-reference"),
        pytest.param("id,vars\na,b\nc,d\n", 2, "there is no `answer` (found: id, vars)", id="no-answer-said-once"),
        pytest.param("output,response\na,b\nc,d\n", 2, "--map answer=output or --map answer=response", id="ambiguous-said-once"),
        pytest.param("id,answer\na,b\nc,Gebühr\n".encode("latin-1"), 3, "not UTF-8 (byte 0xfc at position 6)", id="latin-1"),
    ],
)
def test_csv_faults(tmp_path: Path, content: str | bytes, line: int, message: str) -> None:
    [(number, found)] = faults_of(raw(tmp_path, "a.csv", content))
    assert number == line
    assert message in found


# Parquet


def test_parquet_holds_the_same_items(tmp_path: Path) -> None:
    """Null and NaN are absent, whole floats are integers, dates in metadata become text, lists and objects are read as they are."""
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = pyarrow.table(
        {
            "id": [7, 8],
            "answer": ["", "b"],
            "trial": pyarrow.array([1.0, float("nan")]),
            "propositions": [[{"id": None, "text": "t"}], None],
            "gaps": [None, ["g"]],
            "day": [date(2026, 3, 1), None],
        }
    )
    path = tmp_path / "a.parquet"
    parquet.write_table(table, path)
    assert items_of(path) == [
        Item(id="7", answer="", trial=1, propositions=(GivenProposition(id="p1", text="t"),), metadata={"day": "2026-03-01"}),
        Item(id="8", answer="b", gaps=("g",)),
    ]
    parquet.write_table(pyarrow.table({"answer": ["a", None], "raw": [None, None]}), path)
    assert faults_of(path) == [(2, "`answer` is null; an answer is a text, which may be empty")]
    parquet.write_table(pyarrow.table({"answer": ["a"], "raw": [b"\xff"]}), path)
    assert faults_of(path) == [(1, "`raw`: JSON cannot hold a value of type bytes")]
    parquet.write_table(pyarrow.Table.from_arrays([pyarrow.array(["a"])] * 2, names=["answer", "answer"]), path)
    assert faults_of(path) == [(None, "several columns have the same name: `answer`")]


def test_parquet_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    """Dates and durations beyond what Python can hold, and a file damaged anywhere, are faults of the file and nothing else."""
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "a.parquet"
    beyond = {
        "day": pyarrow.array([2**30], pyarrow.date32()),
        "duration": pyarrow.array([2**62], pyarrow.duration("s")),
        "time": pyarrow.array([2**62], pyarrow.timestamp("us")),
    }
    for name, column in beyond.items():
        parquet.write_table(pyarrow.table({"answer": ["a"], name: column}), path)
        [(_, said)] = faults_of(path)
        assert said.startswith("not a readable Parquet file: ")
    parquet.write_table(pyarrow.table({"answer": ["a", "b"]}), path, compression="none")
    whole = path.read_bytes()
    for place in range(4, len(whole) - 8):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 255]) + whole[place + 1 :])
        with contextlib.suppress(InputError):
            list(read_items(path))


def test_parquet_without_pyarrow_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert faults_of(raw(tmp_path, "a.parquet", "PAR1")) == [(None, "Parquet needs pyarrow: install crux-judge[parquet]")]


# Python values


def nested(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


def test_mappings_are_read_like_lines() -> None:
    items = convert_items(
        [{"id": "a", "output": "x", "trial": float("nan")}, {"response": "y", "sources": ("s",), "paid": Decimal("1.50")}]
    )
    assert list(items) == [Item(id="a", answer="x"), Item(id="line-2", answer="y", sources=("s",), metadata={"paid": "1.50"})]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        pytest.param({"answer": "\ud800"}, "items:1: `answer`: holds an unpaired surrogate", id="surrogate"),
        pytest.param({"answer": "x", "score": float("inf")}, "inf is not a number that JSON can hold", id="infinity"),
        pytest.param({"answer": "x", "note": {1, 2}}, "JSON cannot hold a value of type set", id="set"),
        pytest.param({"answer": "x", "note": nested(150)}, "`note`: nested deeper than 100 levels", id="depth"),
        pytest.param({"text": "x"}, "items:1: there is no `answer` (found: text)", id="no-answer"),
    ],
)
def test_mappings_with_faults(value: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        list(convert_items([value]))
    assert message in str(caught.value)


# Checking


def test_a_check_describes_how_the_file_was_understood(tmp_path: Path) -> None:
    """Hand-counted over five lines, one of them unanswerable."""
    path = jsonl(
        tmp_path,
        {"answer": "a", "reference": "G", "agent": "x", "label": "supported", "tests": ["synthesis"]},
        {"answer": "...", "reference": "G", "agent": "y", "decoys": ["d"]},
        {"answer": {"k": 1}, "propositions": ["p"], "agent": "y", "sources": ["s"]},
        {"answer": "b", "answerable": False, "reference": "none", "decoys": ["d"], "gaps": ["g"]},
        {"id": "e", "answer": "c", "decoys": ["d"], "conflicts": [{"current": "n", "superseded": "o"}]},
    )
    check = check_items(path)
    assert (check.items, check.agents, check.metadata_fields) == (5, {"x": 1, "y": 2}, ("label",))
    assert check.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert (check.fields["id"], check.fields["ground_truth"]) == ("id, made", "reference")
    assert check.counts.model_dump() == {
        "with_answer": 4,
        "empty_answers": 1,
        "serialised_answers": 1,
        "with_ground_truth": 3,
        "with_propositions": 1,
        "unanswerable": 1,
        "with_conflicts": 1,
        "with_decoys": 3,
        "with_gaps": 1,
        "with_sources": 1,
    }
    assert needs_of(check) == {
        "R_proposition": 3,
        "C_contradiction": 3,
        "R_judge": 2,
        "A_abstention": 1,
        "over_abstention_rate": 3,
        "R_conflict_resolution": 1,
        "R_noise_resistance": 2,
        "A_coverage": 1,
        "R_temporal": 0,
        "R_supersession": 0,
        "K_synthesis": 1,
    }


def test_a_limit_shortens_the_description_but_not_the_search_for_faults(tmp_path: Path) -> None:
    path = jsonl(tmp_path, {"answer": "a"}, {"answer": "b"}, {"answer": "c"})
    assert check_items(path, limit=2).items == 2
    assert [item.answer for item in read_items(path, limit=2)] == ["a", "b"]
    broken = jsonl(tmp_path, {"answer": "a"}, {"answer": "b"}, "{")
    assert len(list(read_items(broken, limit=2))) == 2
    with pytest.raises(InputError, match=r":3: not valid JSON"):
        check_items(broken, limit=2)


def test_the_quickstart_shows_every_field() -> None:
    """The shipped example is valid and can feed every metric that a judge makes."""
    check = check_items(QUICKSTART)
    assert check.metadata_fields == ()
    assert set(check.fields) == set(Item.model_fields) - {"answer_serialised"}
    assert 0 not in needs_of(check).values()
    items = list(read_items(QUICKSTART))
    assert len([item for item in items if item.ground_truth and item.ground_truth[0].count(". ") >= 1]) >= 6
    assert any(len(item.ground_truth) > 1 for item in items)


# Normalised lines

texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20)
visible = texts.filter(lambda text: not is_blank(text))
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts
json_values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3), max_leaves=5)


def some(values: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(values, max_size=3).map(tuple)


def some_by_id(values: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(values, max_size=3, unique_by=lambda value: value.id).map(tuple)


item_strategy = st.builds(
    Item,
    id=visible,
    question_id=st.none() | visible,
    trial=st.none() | st.integers(),
    agent=st.none() | visible,
    cluster=st.none() | visible,
    question=st.none() | texts,
    answer=texts,
    ground_truth=some(visible),
    propositions=some_by_id(st.builds(GivenProposition, id=visible, text=visible, source_quote=st.none() | visible)),
    answerable=st.none() | st.booleans(),
    declared_abstained=st.none() | st.booleans(),
    sources=some(visible),
    gaps=some(visible),
    conflicts=some_by_id(st.builds(Conflict, id=visible, current=visible, superseded=st.lists(visible, min_size=1, max_size=2).map(tuple))),
    decoys=some(visible),
    tests=st.lists(st.sampled_from(ItemTest), unique=True).map(tuple),
    answer_serialised=st.booleans(),
    metadata=st.dictionaries(texts, json_values, max_size=3),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None, max_examples=60)
@given(item=item_strategy)
def test_a_normalised_line_reads_back_as_the_same_item(tmp_path: Path, item: Item) -> None:
    """Whatever can be read can be written and read again, on one line."""
    line = item_json(item)
    assert "\n" not in line
    assert items_of(jsonl(tmp_path, line)) == [item]
