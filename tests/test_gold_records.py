"""What the benchmark on human labels makes of files that are none."""

import json
from pathlib import Path

import pytest

from benchmarks.baseline_on_gold import measure
from tests.runs.items import Fields

ITEM: Fields = {
    "question": None,
    "answer": "The mill was built in 1702.",
    "propositions": [{"id": "p1", "text": "The mill was built in 1702.", "supported": True, "label": None}],
    "abstained": None,
}
PAIR: Fields = {
    "question": "When was it built?",
    "answer": "In 1702, of stone.",
    "answer_b": "No.",
    "gold_answer": "In 1702.",
    "human_preference": {"completeness": [-1, -1]},
}


def test_records_of_both_shapes_are_measured(tmp_path: Path) -> None:
    """Labelled answers and labelled pairs, in one file."""
    (tmp_path / "a.jsonl").write_text(f"{json.dumps(ITEM)}\n{json.dumps(PAIR)}\n", encoding="utf-8")
    assert [(line.kind, line.pairs) for line in measure(tmp_path)] == [
        ("supported", [("True", "True")]),
        ("preference", [("answer", "answer")]),
    ]


@pytest.mark.parametrize(
    ("content", "named"),
    [
        pytest.param(b"{not json\n", ":1: expected one JSON object", id="no-json"),
        pytest.param(b"\xff\xfe\n", ":1: cannot be read as UTF-8 text", id="no-text"),
        pytest.param(b"[1]\n", ":1: expected a labelled answer", id="no-object"),
        pytest.param(b'{"answer": "x"}\n', "question: Field required", id="no-labels"),
        pytest.param(json.dumps({**ITEM, "propositions": ITEM["propositions"] * 2}).encode(), "the same id", id="equal-ids"),
        pytest.param(json.dumps({**PAIR, "human_preference": None}).encode(), "human_preference", id="no-votes"),
        pytest.param(b"1\n" * 3, "2 more of this file are passed over", id="many"),
    ],
)
def test_what_has_another_shape_is_named_and_passed_over(
    content: bytes, named: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line per file says where and why, and nothing is measured."""
    path = tmp_path / "odd.jsonl"
    path.write_bytes(content)
    assert measure(tmp_path) == []
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith(f"passed over: {path}:1: ")
    assert named in line
