"""Labels that come back of a stratified sheet: figures stand for the whole run, and what they cannot stand for is told."""

import csv
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.endpoint.server import Endpoint
from tests.runs.items import Fields, trams, write_items
from tests.runs.running import Bench, command

SIZES = {"contradicted": 3, "not_addressed": 27, "supported": 15}
DRAWN = {"contradicted": 3, "not_addressed": 5, "supported": 4}
Rule = Callable[[Fields], str]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """One judge for a whole test."""
    with Endpoint() as endpoint:
        yield Bench(endpoint, tmp_path)


@pytest.fixture
def run(bench: Bench) -> Path:
    """A run of 45 statements, of which few are contradicted."""
    silent = ["It is red.", "There is a bell.", "Someone owns a horn."]
    items = [*trams(3), *({"id": f"given-{number}", "answer": "It is red.", "propositions": silent} for number in range(12))]
    return bench.score(write_items(bench.folder / "in.jsonl", items)).folder


@pytest.fixture
def key(run: Path) -> Fields:
    """The key of a sheet of 12 statements that was drawn from the run."""
    drawn = command("audit", "sheet", run, "--size", "12", "--out", run.parent / "sheet")
    assert drawn.returncode == 0, drawn.stderr
    found: Fields = json.loads((run.parent / "sheet" / "key.json").read_text(encoding="utf-8"))
    return found


def filled(run: Path, key: Fields, rule: Rule, number: int = 1, *, delimiter: str = ",", encoding: str = "utf-8-sig") -> Path:
    """Fill in a sheet as an annotator who knows the key would, save it as a spreadsheet may, and return its path."""
    rows = {row["row"]: row for row in key["rows"]}
    text = (run.parent / "sheet" / f"sheet-{number}.csv").read_text(encoding="utf-8-sig")
    lines = [{**line, "label": rule(rows[line["row"]])} for line in csv.DictReader(io.StringIO(text))]
    path = run.parent / f"filled-{number}.csv"
    with path.open("w", encoding=encoding, newline="") as file:
        writer = csv.DictWriter(file, lines[0].keys(), delimiter=delimiter)
        writer.writeheader()
        writer.writerows(lines)
    return path


def read_back(run: Path, *labels: Path) -> Fields:
    """Return the figures of sheets that came back."""
    given_back = [part for path in labels for part in ("--labels", path)]
    done = command("audit", "sheet", run, *given_back, "--key", run.parent / "sheet" / "key.json", "--out", run.parent / "back", "--json")
    assert done.returncode == 0, done.stderr
    found: Fields = json.loads(done.stdout)
    return found


def as_judged(row: Fields) -> str:
    """Say what the judge says."""
    return str(row["stratum"])


def test_a_rare_label_is_drawn_whole_and_each_row_knows_its_chance(key: Fields) -> None:
    """Of three contradictions all are drawn, the rest is shared evenly; a weight is the size of the stratum over what was drawn."""
    assert {name: (each["size"], each["drawn"]) for name, each in key["strata"].items()} == {
        name: (size, DRAWN[name]) for name, size in SIZES.items()
    }
    for row in key["rows"]:
        assert row["probability"] == pytest.approx(DRAWN[row["stratum"]] / SIZES[row["stratum"]])
        assert row["weight"] == pytest.approx(SIZES[row["stratum"]] / DRAWN[row["stratum"]])


def test_figures_are_those_of_the_run_and_not_of_the_sample(run: Path, key: Fields) -> None:
    """One supported row denied and one silent row taken as supported count as many statements as each stands for."""
    denied = next(row["row"] for row in key["rows"] if row["stratum"] == "supported")
    taken = next(row["row"] for row in key["rows"] if row["stratum"] == "not_addressed")

    def rule(row: Fields) -> str:
        return {denied: "contradicted", taken: "supported"}.get(row["row"], as_judged(row))

    found = read_back(run, filled(run, key, rule), filled(run, key, rule, 2, delimiter=";", encoding="utf-8"))
    labels = found["labels"]
    assert labels["n"] == 12
    assert labels["accuracy"] == pytest.approx((45 - 15 / 4 - 27 / 5) / 45)
    assert labels["confusion"]["contradicted"] == pytest.approx({"supported": 15 / 4, "contradicted": 3, "not_addressed": 0})
    assert labels["confusion"]["supported"] == pytest.approx({"supported": 45 / 4, "contradicted": 0, "not_addressed": 27 / 5})
    assert labels["human"]["agreement"] == 1.0
    assert found["calibration"]["weighted"] is True
    assert found["calibration"]["sampled_from"] == key["input"]["sha256"]
    assert found["warnings"] == []


def test_rows_left_blank_leave_their_weight_to_their_stratum(run: Path, key: Fields) -> None:
    """Three of five silent rows are blank; the two others stand for all 27, and accuracy is still that of the run."""
    silent = [row["row"] for row in key["rows"] if row["stratum"] == "not_addressed"]
    said = {**dict.fromkeys(silent[:3], ""), silent[3]: "supported"}
    found = read_back(run, filled(run, key, lambda row: said.get(row["row"], as_judged(row))))
    assert found["labels"]["accuracy"] == pytest.approx((45 - 27 / 2) / 45)
    assert (found["sheet"]["labelled"], found["sheet"]["blank"]) == (9, 3)


def test_a_stratum_that_nobody_labels_is_told(run: Path, key: Fields) -> None:
    """Where all contradictions are unsure, no weight makes up for them: a warning says what the figures are not of."""
    found = read_back(run, filled(run, key, lambda row: "unsure" if row["stratum"] == "contradicted" else as_judged(row)))
    [warning] = found["warnings"]
    assert "contradicted" in warning
    assert "3 of the 45 statements" in warning
    assert found["sheet"]["unsure"] == 3


def test_weights_are_not_said_to_be_labelled_by_people(bench: Bench, run: Path, key: Fields) -> None:
    """A corrected run says that the 12 labels stand for 45 statements, not that 45 were labelled."""
    read_back(run, filled(run, key, as_judged))
    calibration = bench.folder / "back" / "audit.json"
    done = command("score", bench.folder / "in.jsonl", *bench.flags("corrected"), "--calibration", calibration)
    assert done.returncode == 0, done.stderr
    told = " ".join(done.stdout.split())
    assert "labelled by people, weighted to stand for 45 (15 supported, 3 contradicted, 27 not addressed), drawn from this run" in told
