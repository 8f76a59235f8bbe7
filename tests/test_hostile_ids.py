"""Ids and file names are data: every result appears once, no file is named by one, nothing lands outside the run folder."""

from pathlib import Path

import pytest

from judge.text.likeness import skeleton
from pipelines.run_names import default_run_folder
from tests.runs.items import write_items
from tests.runs.running import command
from tests.test_hostile_reports import CONTROLS, results_in

pytestmark = pytest.mark.faults

IDS = [
    *(
        "../../x",
        "/etc/x",
        "C:\\x",
        "CON",
        "con",
        "nul.txt",
        ".",
        "..",
        "...",
        "a/b/../../c",
        "~root",
        "$(touch x)",
        "`x`",
        "-rf",
        "--out=x",
    ),
    *(
        "x" * 300,
        "caf\u00e9",
        "cafe\u0301",
        "Alpha",
        "alpha",
        "ALPHA",
        "p\u0430ypal",
        "paypal",
        "\u202egnp.x",
        "\u05d0\u05d1",
        "two\nlines",
    ),
    *("tab\there", " padded ", "padded", "\u200bzero", "zero", "\ufeffbom", "line-1", "{{ id }}", "%s", "${id}", "null", "0", "007", "7"),
    *("a\u2028b", "\U000e0041tag", "results.jsonl", ".lock", "manifest.json", "\x1b[2J", "q1", "q\uff11"),
]
RUN_FILES = {
    "manifest.json",
    "items.jsonl",
    "propositions.jsonl",
    "journal.jsonl",
    "results.jsonl",
    "summary.json",
    "report.md",
    "report.html",
}


def test_row37_hostile_ids_are_kept_and_name_no_file(tmp_path: Path) -> None:
    """Every id comes back exactly once, as it was, in order; the run folder holds its own files and nothing else was written."""
    place = tmp_path / "deep" / "down"
    place.mkdir(parents=True)
    items = [
        {"id": name, "agent": name, "question_id": name, "cluster": name, "answer": "It rained.", "ground_truth": "It rained."}
        for name in IDS
    ]
    run = command("score", write_items(place / "items.jsonl", items), "--judge", "lexical", cwd=place)
    assert run.returncode == 0, run.stderr
    assert [line["item_id"] for line in results_in(place / "runs" / "items" / "results.jsonl")] == IDS
    written = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert written == {"deep/down/items.jsonl", *(f"deep/down/runs/items/{name}" for name in RUN_FILES)}
    assert not CONTROLS.search(run.stdout + run.stderr)


@pytest.mark.parametrize(("name", "said"), [("a\\u0000b", "holds a NUL character"), ("", "is blank"), (" \\u200b ", "is blank")])
def test_row37_an_id_that_no_file_can_hold_is_refused(tmp_path: Path, name: str, said: str) -> None:
    """A NUL or a blank id is an input error with its line, before anything is judged."""
    lines = ['{"id": "ok", "answer": "x"}', '{"id": "' + name + '", "answer": "x"}', ""]
    (tmp_path / "items.jsonl").write_text("\n".join(lines), encoding="utf-8")
    run = command("score", "items.jsonl", "--judge", "lexical", cwd=tmp_path)
    assert run.returncode == 2
    assert "items.jsonl:2" in run.stderr
    assert said in run.stderr
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("caf\u00e9", "cafe\u0301"),
        ("Alpha", "alpha"),
        ("p\u0430ypal", "paypal"),
        ("\u039fmega", "Omega"),
        ("q\uff11", "q1"),
        ("zero\u200b", "zero"),
        ("bidi\u202e", "bidi"),
        ("two words", "two  words"),
    ],
    ids=["normal-forms", "case", "cyrillic", "greek", "full-width", "zero-width", "bidi", "spaces"],
)
def test_row37_ids_that_look_alike_are_told(tmp_path: Path, first: str, second: str) -> None:
    """They are different items all the same; a warning names both, so that nobody takes one for the other."""
    items = [{"id": name, "answer": "It rained.", "propositions": ["It rained."]} for name in (first, "other", second)]
    path = write_items(tmp_path / "items.jsonl", items)
    run = command("score", path, "--judge", "lexical", "--out", tmp_path / "run")
    shown = " ".join(run.stdout.split())
    assert " ".join(f"the ids {first!a} and {second!a} look alike".split()) in shown
    assert "look alike" in command("validate", path).stdout
    assert len(results_in(tmp_path / "run" / "results.jsonl")) == 3


def test_row37_ordinary_ids_raise_no_warning() -> None:
    """Numbers, prefixes and words of one script differ."""
    names = [
        "q1",
        "q10",
        "q-1",
        "q_1",
        "item l",
        "item 1",
        "O",
        "0",
        "\u0430\u0431\u0432",
        "\u0430\u0431\u0433",
        "\u4e2d\u6587",
        "\u4e2d\u56fd",
    ]
    assert len({skeleton(name) for name in names}) == len(names)


@pytest.mark.parametrize(
    "name",
    [
        *("CON.jsonl", "con.jsonl", "aux.v1.jsonl", "COM1.jsonl", "..jsonl", "...jsonl", ".jsonl.jsonl", "a\nb.jsonl", "a\x1b[2Jb.jsonl"),
        *("x\u202egpj.jsonl", "trailing .jsonl", "dot..jsonl", "a:b.jsonl", "a\\b.jsonl", f"{'x' * 200}.jsonl", "star*.jsonl"),
    ],
)
def test_row37_an_input_that_names_no_folder_gets_one(tmp_path: Path, name: str) -> None:
    """The default run folder lies one level below `runs`, under a plain name, whatever the input is called."""
    place = tmp_path / "place"
    place.mkdir()
    write_items(place / name, [{"id": "q1", "answer": "It rained.", "propositions": ["It rained."]}])
    run = command("score", place / name, "--judge", "lexical", cwd=place)
    assert run.returncode == 0, run.stderr
    [folder] = (place / "runs").iterdir()
    assert folder.name.startswith("input-")
    assert {path.name for path in folder.iterdir()} == RUN_FILES
    assert {path.name for path in tmp_path.iterdir()} == {"place"}
    assert not CONTROLS.search(run.stdout + run.stderr)


def test_row37_ordinary_inputs_keep_their_names() -> None:
    """Words of any language, spaces and dots inside are names of folders."""
    for name in ("answers", "My answers 2", "v1.2", "R\u00e9ponses", "\u7b54\u6848", "console", "com10"):
        assert default_run_folder(Path(f"{name}.jsonl")) == Path("runs") / name
