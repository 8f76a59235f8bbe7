"""`judge audit sheet`: a blinded sample of a scripted run, labelled by rule, and what comes back."""

import csv
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from judge.auditing.annotators import agreement_of_annotators, majority
from judge.auditing.drawing import allocate, draw
from judge.auditing.keys import cluster_digest
from tests.endpoint.server import Endpoint
from tests.runs.items import Fields, read_lines, tram, write_items
from tests.runs.running import Bench, command
from tests.test_hostile_reports import PAYLOADS

ITEMS = 20
"""Each with one statement that the scripted judge supports, one that it contradicts, one that it does not find."""

Rule = Callable[[Fields], str]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of 60 judged statements, by several agents, in clusters of two and questions of their own."""
    folder = tmp_path_factory.mktemp("run")
    items = [tram(number, agent=f"agent {number % 3}", question_id=f"q{number}") for number in range(1, ITEMS + 1)]
    for number in range(0, ITEMS, 4):
        items[number]["cluster"] = items[number + 1]["cluster"] = f"line {number}"
    write_items(folder / "in.jsonl", items)
    with Endpoint() as endpoint:
        Bench(endpoint, folder).score(folder / "in.jsonl")
    return folder / "run"


@pytest.fixture
def sheet(run: Path, tmp_path: Path) -> Path:
    """The folder of a sheet of 12 statements."""
    return drawn(run, tmp_path / "sheet", "--size", "12")


def drawn(run: Path, out: Path, *more: str) -> Path:
    """Draw a sheet and return its folder."""
    done = command("audit", "sheet", run, "--out", out, *more)
    assert done.returncode == 0, done.stderr
    return out


def key_of(sheet: Path) -> Fields:
    """Return the key of a sheet."""
    key: Fields = json.loads((sheet / "key.json").read_text(encoding="utf-8"))
    return key


def judged(run: Path) -> dict[tuple[str, str], str]:
    """Return the judge's labels by item and proposition."""
    return {
        (one["item_id"], part["id"]): part["outcome"]["label"] for one in read_lines(run / "results.jsonl") for part in one["propositions"]
    }


def cells(path: Path) -> list[Fields]:
    """Return the rows of a sheet."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def filled(path: Path, to: Path, rule: Rule, delimiter: str = ",") -> Path:
    """Write a sheet filled in by a rule, as a spreadsheet would."""
    rows = cells(path)
    with to.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), delimiter=delimiter)
        writer.writeheader()
        writer.writerows({**row, "label": rule(row)} for row in rows)
    return to


def truth(row: Fields) -> str:
    """Label as a person would who thinks that the bell was heard: the judge misses that."""
    text = row["proposition"]
    return "contradicted" if "80 people" in text else "supported"


def back(run: Path, sheet: Path, *files: Path) -> Fields:
    """Read labels back and return the figures."""
    flags = [flag for file in files for flag in ("--labels", file)]
    done = command("audit", "sheet", run, "--out", sheet, *flags, "--json")
    assert done.returncode == 0, done.stderr
    found: Fields = json.loads(done.stdout)
    assert found == json.loads((sheet / "audit.json").read_text(encoding="utf-8"))
    return found


def refused(run: Path, sheet: Path, *files: Path) -> str:
    """Return what is said where labels are refused."""
    flags = [flag for file in files for flag in ("--labels", file)]
    done = command("audit", "sheet", run, "--out", sheet, *flags)
    assert (done.returncode, "Traceback" in done.stderr, done.stdout) == (2, False, "")
    assert not (sheet / "audit.json").exists()
    return done.stderr


@pytest.mark.parametrize(
    ("sizes", "wanted", "expected"),
    [
        pytest.param({"a": 50, "b": 50, "c": 50}, 12, {"a": 4, "b": 4, "c": 4}, id="even"),
        pytest.param({"a": 200, "b": 80, "c": 3}, 60, {"a": 29, "b": 28, "c": 3}, id="a-rare-one-whole"),
        pytest.param({"a": 2, "b": 1}, 60, {"a": 2, "b": 1}, id="all-there-is"),
        pytest.param({"a": 9, "b": 9, "c": 9}, 2, {"a": 1, "b": 1, "c": 1}, id="one-of-each-at-least"),
        pytest.param({"a": 5, "b": 0}, 3, {"a": 3}, id="an-empty-one"),
        pytest.param({}, 3, {}, id="nothing"),
    ],
)
def test_allocation(sizes: dict[str, int], wanted: int, expected: dict[str, int]) -> None:
    """The same of each stratum, all of one that holds fewer, and the rest from the others."""
    assert allocate(sizes, wanted) == expected


def test_every_thing_of_a_stratum_is_drawn_as_often() -> None:
    """Over many seeds each of ten is drawn in about four of ten draws, and one seed draws the same again."""
    things, strata = list(range(10)), ["a"] * 10
    counts = Counter(thing for seed in range(2000) for thing in draw(things, strata, 4, seed)[0])
    assert all(abs(counts[thing] / 2000 - 0.4) < 0.05 for thing in things)
    assert draw(things, strata, 4, 7) == draw(things, strata, 4, 7)
    found, by_stratum = draw(things, strata, 4, 7)
    assert (len(set(found)), by_stratum["a"].probability, by_stratum["a"].weight) == (4, 0.4, 2.5)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        pytest.param(["supported", "supported", "contradicted"], "supported", id="two-of-three"),
        pytest.param(["supported", "contradicted"], None, id="tie"),
        pytest.param(["supported", "supported", "contradicted", "contradicted", "not_addressed"], None, id="tie-of-two-ahead-of-one"),
        pytest.param(["not_addressed"], "not_addressed", id="one"),
        pytest.param([], None, id="nobody"),
    ],
)
def test_majority(said: list[str], expected: str | None) -> None:
    """What more people say than anything else."""
    assert majority({str(place): label for place, label in enumerate(said)}) == expected


def test_people_are_compared_on_what_two_of_them_labelled() -> None:
    """Kappa and AC1 of two by hand: 3 of 4 alike, chance 1/2 by shares of 3/4 and 1/2; one voice alone is left out."""
    first, second = ["s", "s", "s", "n"], ["s", "s", "n", "n"]
    found = agreement_of_annotators([*({"a": a, "b": b} for a, b in zip(first, second, strict=True)), {"a": "s"}], ["s", "n"])
    assert found is not None
    assert (found.things, found.agreement) == (4, 0.75)
    assert found.cohen_kappa == pytest.approx(0.5)
    assert found.gwet_ac1 == pytest.approx((0.75 - 2 * 0.625 * 0.375) / (1 - 2 * 0.625 * 0.375))
    assert agreement_of_annotators([{"a": "s"}, {}], ["s", "n"]) is None
    three = agreement_of_annotators([{"a": "s", "b": "s", "c": "n"}, {"a": "n", "b": "n", "c": "n"}], ["s", "n"])
    assert three is not None
    assert three.agreement == pytest.approx(2 / 3)
    assert three.cohen_kappa is None
    assert three.fleiss_kappa == pytest.approx((2 / 3 - 5 / 9) / (4 / 9))
    assert three.gwet_ac1 == pytest.approx((2 / 3 - 4 / 9) / (5 / 9))


def test_a_sheet_is_blinded_and_stratified(run: Path, sheet: Path) -> None:
    """Four of each label; the sheets hold what a person needs and no more, in two orders; the key knows the rest."""
    key, labels = key_of(sheet), judged(run)
    assert Counter(labels[row["item_id"], row["proposition_id"]] for row in key["rows"]) == dict.fromkeys(key["strata"], 4)
    assert {row["weight"] for row in key["rows"]} == {5.0}
    assert {row["probability"] for row in key["rows"]} == {0.2}
    first, second = cells(sheet / "sheet-1.csv"), cells(sheet / "sheet-2.csv")
    assert list(first[0]) == ["row", "question", "answer", "proposition", "label", "comment", "annotator"]
    assert [row["row"] for row in first] != [row["row"] for row in second]
    assert {row["row"] for row in first} == {row["row"] for row in second} == {row["row"] for row in key["rows"]}
    for name in ("sheet-1.csv", "sheet-2.csv"):
        text = (sheet / name).read_text(encoding="utf-8-sig")
        told = ["tram-", "agent ", "line ", "openai", "scripted", "supported", "contradicted", "addressed", "rationale", *_ids(run)]
        assert not [word for word in told if word in text]
    page = (sheet / "sheet.html").read_text(encoding="utf-8")
    assert not [word for word in ("tram-", "agent ", "openai", "scripted", *_ids(run)) if word in page]


def _ids(run: Path) -> list[str]:
    return [f'"{part["id"]}"' for one in read_lines(run / "results.jsonl") for part in one["propositions"]]


def test_labels_come_back_as_figures_of_the_run(run: Path, tmp_path: Path) -> None:
    """Weights make the sample speak for the run: an uneven draw gives the run's own confusion, and its clusters and input are known."""
    sheet = drawn(run, tmp_path / "sheet", "--size", "12", "--stratify", "agent", "--annotators", "1")
    key = key_of(sheet)
    assert {name: each["size"] for name, each in key["strata"].items()} == {"agent agent 0": 18, "agent agent 1": 21, "agent agent 2": 21}
    found = back(run, sheet, filled(sheet / "sheet-1.csv", tmp_path / "a.csv", truth))
    assert sum(map(sum, (row.values() for row in found["labels"]["confusion"].values()))) == pytest.approx(60)
    labels, weights = judged(run), {(row["item_id"], row["proposition_id"]): row["weight"] for row in key["rows"]}
    bells = sum(weight for place, weight in weights.items() if labels[place] == "not_addressed")
    assert found["labels"]["confusion"]["supported"]["not_addressed"] == pytest.approx(bells)
    assert found["labels"]["accuracy"] == pytest.approx(1 - bells / 60)
    calibration = found["calibration"]
    assert (calibration["weighted"], calibration["items"], found["usage"], found["recall"]) == (True, [], None, None)
    assert calibration["sampled_from"] == key["input"]["sha256"]
    items = {one["item_id"]: one for one in read_lines(run / "results.jsonl")}
    clusters = {
        cluster_digest(items[row["item_id"]]["cluster"], items[row["item_id"]]["question_id"], row["item_id"]) for row in key["rows"]
    }
    assert {document["cluster"] for document in calibration["documents"]} == clusters
    assert found["sheet"] == {
        "annotators": ["annotator-1"],
        "rows": 12,
        "labelled": 12,
        "adjudicated": 0,
        "tied": 0,
        "without_label": 0,
        "unsure": 0,
        "blank": 0,
    }


def test_equal_strata_are_not_weighted(run: Path, sheet: Path, tmp_path: Path) -> None:
    """Where every row stands for as many statements, counts are plain."""
    found = back(run, sheet, filled(sheet / "sheet-1.csv", tmp_path / "a.csv", truth))
    assert found["calibration"]["weighted"] is False
    assert found["labels"]["accuracy"] == pytest.approx(8 / 12)
    assert found["labels"]["confusion"]["supported"]["not_addressed"] == 4


def test_rows_without_a_label_leave_their_weight_to_their_stratum(run: Path, sheet: Path, tmp_path: Path) -> None:
    """A contradiction that nobody could decide: the other three stand for all twenty."""
    skipped = next(row["row"] for row in cells(sheet / "sheet-1.csv") if "80 people" in row["proposition"])
    found = back(
        run, sheet, filled(sheet / "sheet-1.csv", tmp_path / "a.csv", lambda row: "unsure" if row["row"] == skipped else truth(row))
    )
    assert found["labels"]["n"] == 11
    assert found["labels"]["confusion"]["contradicted"]["contradicted"] == pytest.approx(20)
    assert (found["sheet"]["labelled"], found["sheet"]["unsure"], found["sheet"]["without_label"]) == (11, 1, 1)


def test_annotators_who_are_tied_are_decided_by_a_third(run: Path, sheet: Path, tmp_path: Path) -> None:
    """Ties are in no figure of the judge but in that of people; a sheet of them comes back as the last word."""
    first = filled(sheet / "sheet-1.csv", tmp_path / "a.csv", truth)
    second = filled(
        sheet / "sheet-2.csv", tmp_path / "b.csv", lambda row: "Not addressed" if "bell" in row["proposition"] else truth(row), ";"
    )
    found = back(run, sheet, first, second)
    assert (found["sheet"]["labelled"], found["sheet"]["tied"], found["labels"]["accuracy"]) == (8, 4, 1.0)
    human = found["labels"]["human"]
    assert (human["things"], human["agreement"]) == (12, pytest.approx(8 / 12))
    assert human["cohen_kappa"] == pytest.approx((8 / 12 - (8 * 4 + 4 * 4) / 144) / (1 - (8 * 4 + 4 * 4) / 144))
    assert human["gwet_ac1"] is not None
    assert {row["annotator"] for row in cells(sheet / "adjudicate.csv")} == {"adjudicator"}
    ruled = filled(sheet / "adjudicate.csv", sheet / "adjudicate.csv", lambda _: "not_addressed")
    again = back(run, sheet, first, second, ruled)
    assert (again["sheet"]["labelled"], again["sheet"]["adjudicated"], again["sheet"]["annotators"]) == (
        12,
        4,
        ["annotator-1", "annotator-2"],
    )
    assert again["labels"]["accuracy"] == 1.0
    assert again["labels"]["human"] == human
    assert back(run, sheet, first, second)["sheet"]["tied"] == 4
    assert {row["label"] for row in cells(sheet / "adjudicate.csv")} == {"not_addressed"}, "what was filled in stays"


def test_whole_items_give_recall_beside_recall(run: Path, tmp_path: Path) -> None:
    """Five items with all their statements: both recalls of each, and no weights."""
    sheet = drawn(run, tmp_path / "sheet", "--items", "--size", "5", "--annotators", "1")
    key = key_of(sheet)
    assert (len(key["rows"]), key["strata"], {row["weight"] for row in key["rows"]}) == (15, {"all": {"size": 20, "drawn": 5}}, {4.0})
    found = back(run, sheet, filled(sheet / "sheet-1.csv", tmp_path / "a.csv", truth))
    assert [(one["judged"], one["human"]) for one in found["calibration"]["items"]] == [(pytest.approx(1 / 3), pytest.approx(2 / 3))] * 5
    assert (found["recall"]["n"], found["calibration"]["weighted"]) == (5, False)


def test_the_gold_file_can_be_judged_again(run: Path, sheet: Path, tmp_path: Path) -> None:
    """Another judge on the same labels: the file is in the form that `judge audit agreement` takes."""
    found = back(run, sheet, filled(sheet / "sheet-1.csv", tmp_path / "a.csv", truth))
    done = command("audit", "agreement", sheet / "gold.jsonl", "--out", tmp_path / "again", "--json")
    assert done.returncode == 0, done.stderr
    again = json.loads(done.stdout)
    assert again["labels"]["n"] == found["labels"]["n"] == 12
    assert {each["cluster"] for each in again["calibration"]["documents"]} == {
        each["cluster"] for each in found["calibration"]["documents"]
    }


def test_hostile_texts_come_back_as_they_were(tmp_path: Path) -> None:
    """Formulas, controls, separators: no cell runs, a spreadsheet's own changes are forgiven, and the gold file holds the exact texts."""
    texts = [*PAYLOADS.values(), "-1 degree.\r\nA second line.", "  spaced  "]
    items = [{"id": f"i{n}", "question": t, "answer": f"{t} x", "propositions": [f"{t} It is {n}."]} for n, t in enumerate(texts)]
    with Endpoint() as endpoint:
        Bench(endpoint, tmp_path).score(write_items(tmp_path / "in.jsonl", items))
    sheet = drawn(tmp_path / "run", tmp_path / "sheet", "--annotators", "1")
    for row in cells(sheet / "sheet-1.csv"):
        for name in ("question", "answer", "proposition"):
            assert not row[name].lstrip().startswith(("=", "+", "-", "@")), row[name]
    lines = filled(sheet / "sheet-1.csv", tmp_path / "a.csv", lambda _: "supported", "\t").read_text(encoding="utf-8")
    (tmp_path / "b.csv").write_text(lines.replace("'=", "=").replace("'-", "-"), encoding="utf-8", newline="\r\n")
    assert back(tmp_path / "run", sheet, tmp_path / "b.csv")["sheet"]["labelled"] == len(texts)
    gold = {record["id"]: record for record in read_lines_exactly(sheet / "gold.jsonl")}
    kept = {item["id"]: item for item in read_lines_exactly(tmp_path / "run" / "items.jsonl")}
    assert {name: (one["question"], one["answer"]) for name, one in gold.items()} == {
        name: (one["question"], one["answer"]) for name, one in kept.items()
    }


def read_lines_exactly(path: Path) -> list[Fields]:
    """Return the objects of a JSON Lines file whose texts may hold other line separators."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def _no_row(lines: list[Fields]) -> None:
    lines[0]["row"] = "feedfeedfeed"


def _twice(lines: list[Fields]) -> None:
    lines.append(lines[0])


def _bad_word(lines: list[Fields]) -> None:
    lines[2]["label"] = "true"


def _changed(lines: list[Fields]) -> None:
    lines[1]["proposition"] = "Another thing."


@pytest.mark.parametrize(
    ("change", "said"),
    [
        pytest.param(_no_row, '.csv:2: row "feedfeedfeed" is none of this sheet', id="another-sheet"),
        pytest.param(_twice, "stands in line 2 already", id="twice"),
        pytest.param(_bad_word, 'the label is "true", expected supported, contradicted, not_addressed, unsure', id="word"),
        pytest.param(_changed, 'the proposition is not the one that was handed out, but "Another thing."', id="text"),
    ],
)
def test_what_was_not_handed_out_is_refused(
    run: Path, sheet: Path, tmp_path: Path, change: Callable[[list[Fields]], None], said: str
) -> None:
    """Every fault with file and line, before anything is written."""
    rows = [{**row, "label": "supported"} for row in cells(sheet / "sheet-1.csv")]
    change(rows)
    with (tmp_path / "a.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    assert said in refused(run, sheet, tmp_path / "a.csv")


def test_all_faults_of_all_files_are_told(run: Path, sheet: Path, tmp_path: Path) -> None:
    """Two files, one fault each."""
    first = filled(sheet / "sheet-1.csv", tmp_path / "a.csv", lambda _: "yes")
    second = filled(sheet / "sheet-2.csv", tmp_path / "b.csv", lambda _: "no")
    said = refused(run, sheet, first, second)
    assert (said.count("a.csv:"), said.count("b.csv:")) == (12, 12)


def test_one_name_for_two_people_is_refused(run: Path, sheet: Path, tmp_path: Path) -> None:
    """The same sheet filled in twice: who is who must be said."""
    first = filled(sheet / "sheet-1.csv", tmp_path / "a.csv", truth)
    second = filled(sheet / "sheet-1.csv", tmp_path / "b.csv", truth)
    assert 'is labelled by "annotator-1" in' in refused(run, sheet, first, second)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(b"", "is empty", id="empty"),
        pytest.param(b"name,value\n1,2\n", "has no column row and no column label", id="columns"),
        pytest.param("row,label\nä,supported\n".encode("latin-1"), "a.csv:2: is not UTF-8", id="latin-1"),
        pytest.param(b"row,label,label\n", "has the column label twice", id="column-twice"),
        pytest.param(b'row,label\n"open', "is no CSV", id="open-quote"),
        pytest.param(b"row,label\n", "no row has a label", id="no-rows"),
    ],
)
def test_what_is_no_sheet_is_refused(run: Path, sheet: Path, tmp_path: Path, content: bytes, said: str) -> None:
    """A message that says what is there and what is expected."""
    (tmp_path / "a.csv").write_bytes(content)
    assert said in refused(run, sheet, tmp_path / "a.csv")


def test_a_changed_run_is_refused(run: Path, sheet: Path, tmp_path: Path) -> None:
    """Labels of other answers say nothing of these; a run of another input is named."""
    other = write_items(tmp_path / "other.jsonl", [tram(99)])
    command("score", other, "--judge", "lexical", "--out", tmp_path / "other")
    labels = filled(sheet / "sheet-1.csv", tmp_path / "a.csv", truth)
    done = command("audit", "sheet", tmp_path / "other", "--key", sheet / "key.json", "--labels", labels)
    assert done.returncode == 2
    assert "another input" in done.stderr
    done = command("audit", "sheet", run, "--out", tmp_path / "nowhere", "--labels", labels)
    assert (done.returncode, "draw a sheet first" in done.stderr) == (2, True)


def test_a_sheet_that_people_may_be_filling_in_is_never_written_over(run: Path, sheet: Path) -> None:
    """The second draw into one folder is refused, and so is one into the run itself."""
    before = (sheet / "sheet-1.csv").read_bytes()
    for folder, said in ((sheet, "holds a sheet already"), (run, "holds a run")):
        done = command("audit", "sheet", run, "--out", folder)
        assert (done.returncode, said in done.stderr) == (2, True)
    assert (sheet / "sheet-1.csv").read_bytes() == before


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        pytest.param(["--items", "--stratify", "label"], "whole items are drawn from all alike", id="strata-of-items"),
        pytest.param(["--labels", "a.csv", "--size", "3"], "--size: how the sample is drawn", id="draw-and-read"),
        pytest.param(["--key", "k.json"], "--key: for reading back", id="key-alone"),
        pytest.param(["--size", "0"], "0 is not in the range", id="size"),
    ],
)
def test_options_that_do_not_go_together(run: Path, tmp_path: Path, flags: list[str], said: str) -> None:
    """Told before anything is read or written."""
    done = command("audit", "sheet", run, "--out", tmp_path / "sheet", *flags)
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)
    assert said in done.stderr
    assert not (tmp_path / "sheet").exists()
