"""`judge score --calibration`: a judge with known errors, audited against people and corrected by that; and files that cannot correct."""

import json
from collections.abc import Iterator
from itertools import count, cycle
from pathlib import Path
from typing import Any

import pytest

from judge.auditing.keys import cluster_digest, item_digest
from judge.errors import ConfigError
from judge.schema.labels import Label, RequestKind
from pipelines.api import ScoreResult
from tests.endpoint.replies import STATEMENT, Json, ParsedRequest, well_behaved
from tests.endpoint.server import Endpoint
from tests.runs.items import write_items
from tests.runs.running import Bench, command

ANSWER = "The tram is red."

S, C, N = Label.SUPPORTED, Label.CONTRADICTED, Label.NOT_ADDRESSED

SAID = {S: (S,) * 8 + (C,) + (N,), C: (C,) * 8 + (S,) + (N,), N: (N,) * 8 + (S,) * 2}
"""What the scripted judge says of ten statements that people give each label: its errors, exactly."""

Item = dict[str, Any]


def as_told(request: ParsedRequest) -> Json | None:
    """Label every statement as it says that the judge will; anything else as a well-behaved judge."""
    if request.kind is not RequestKind.LABEL:
        return well_behaved(request)
    verdicts = []
    for name, text in STATEMENT.findall(request.blocks["statements"]):
        label = text.rpartition(" ")[2].rstrip(".")
        verdicts.append({"id": name, "quote": None if label == N else ANSWER, "rationale": "So.", "label": label})
    return {"abstention": {"quote": None, "value": "answered"}, "verdicts": verdicts}


class Author:
    """Writes statements with the label that people give and the one that the judge will, in exact shares over all it wrote."""

    def __init__(self) -> None:
        self._number = count(1)
        self._said = {label: cycle(said) for label, said in SAID.items()}

    def statements(self, *labels: Label) -> list[tuple[Label, str]]:
        """Return one statement for each label of people."""
        return [(label, f"Fact {next(self._number)} is judged {next(self._said[label])}.") for label in labels]


def gold_records(number: int, *labels: Label) -> list[Item]:
    """Return records of as many documents, in the form of labelled files."""
    author = Author()
    return [
        {
            "id": f"gold-{k}",
            "kind": "entail3",
            "doc_id": f"doc-{k}",
            "question": None,
            "answer": ANSWER,
            "propositions": [
                {"id": f"p{place}", "text": text, "label": str(label), "supported": label is S, "human_label_raw": str(label)}
                for place, (label, text) in enumerate(author.statements(*labels))
            ],
        }
        for k in range(number)
    ]


def run_items(number: int, *labels: Label) -> list[Item]:
    """Return as many items to be scored, all with these labels in truth."""
    author = Author()
    return [{"id": f"item-{k}", "answer": ANSWER, "propositions": [text for _, text in author.statements(*labels)]} for k in range(number)]


RUN = run_items(20, S, S, S, C, N, N, N, N, N, N)
"""In truth 30 % supported and 10 % contradicted; this judge says 37 % and 11 %."""


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Endpoint]:
    """A judge that errs as it is told; its address is part of who it is, so all tests ask the same."""
    with Endpoint(reply=as_told) as served:
        yield served


@pytest.fixture(scope="module")
def card(endpoint: Endpoint, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What an audit against 30 labelled documents says of that judge."""
    folder = tmp_path_factory.mktemp("card")
    gold = write_items(folder / "gold.jsonl", gold_records(30, S, S, S, S, C, C, N, N, N, N))
    done = command("audit", "agreement", gold, *Bench(endpoint, folder).flags("audit"))
    assert done.returncode == 0, done.stderr
    return folder / "audit" / "audit.json"


@pytest.fixture
def bench(endpoint: Endpoint, tmp_path: Path) -> Bench:
    """A folder of runs by that judge."""
    return Bench(endpoint, tmp_path)


def scored(bench: Bench, **settings: Any) -> ScoreResult:
    """Score the run by the judge that errs."""
    return bench.score(RUN, no_mark=True, **settings)


def test_known_errors_are_taken_out(bench: Bench, card: Path) -> None:
    """The truth comes back to the last digits, beside the rates as judged, and the disclosure names how."""
    result = scored(bench, calibration=card)
    found = result.summary.corrected
    assert found is not None
    rates = {name: [rate.raw.value, rate.corrected.value] for name, rate in found.rates.items()}
    assert rates == {
        "R_proposition": [pytest.approx(0.37), pytest.approx(0.3)],
        "C_contradiction": [pytest.approx(0.11), pytest.approx(0.1)],
    }
    assert {rate.method for rate in found.rates.values()} == {"matrix"}
    assert found.rates["R_proposition"].raw.value == result.summary.metrics["R_proposition"].value
    assert found.sample.calibration.name == "audit.json"
    corrected = "rates are corrected for judge error by matrix inversion (R_proposition, C_contradiction), all others are as judged"
    assert result.summary.disclosure.endswith(corrected)
    assert any("not drawn from this run" in warning for warning in result.manifest.warnings)


def test_every_output_shows_raw_and_corrected(bench: Bench, card: Path) -> None:
    """Terminal, JSON, Markdown and HTML; without a calibration none of them has a word of it."""
    source = write_items(bench.folder / "run.jsonl", RUN)
    plain = command("score", source, "--no-mark", *bench.flags())
    files = {name: (bench.folder / "run" / name).read_bytes() for name in ("summary.json", "report.md", "report.html", "results.jsonl")}
    shown = command("score", source, "--no-mark", "--calibration", card, *bench.flags())
    listed = command("score", source, "--no-mark", "--calibration", card, "--json", *bench.flags())
    assert (plain.returncode, shown.returncode, listed.returncode) == (0, 0, 0), shown.stderr
    assert "Corrected for judge error" in shown.stdout
    assert "0.370" in shown.stdout
    assert "0.300" in shown.stdout
    assert "Corrected" not in plain.stdout
    assert b"corrected" not in files["summary.json"].replace(b"rates are not corrected for judge error", b"")
    assert json.loads(listed.stdout)["corrected"]["rates"]["R_proposition"]["corrected"]["value"] == pytest.approx(0.3)
    for name in ("report.md", "report.html"):
        assert "Corrected for judge error" in (bench.folder / "run" / name).read_text()
    assert (bench.folder / "run" / "results.jsonl").read_bytes() == files["results.jsonl"]
    again = command("score", source, "--no-mark", *bench.flags())
    assert again.returncode == 0
    assert {name: (bench.folder / "run" / name).read_bytes() for name in files}["summary.json"] == files["summary.json"]


def test_calibration_asks_nothing_more(bench: Bench, card: Path) -> None:
    """The folder of the run without it is taken up, and no call is made."""
    scored(bench)
    calls = bench.endpoint.calls()
    scored(bench, calibration=card)
    assert bench.endpoint.calls() == calls


def test_replay_is_corrected_as_its_judge(bench: Bench, card: Path) -> None:
    """A recorded run has the errors of the judge that was recorded."""
    recorded = scored(bench, out="recorded", calibration=card)
    replayed = scored(bench, out="replayed", judge=f"replay:{recorded.folder}", calibration=card)
    assert replayed.summary.corrected == recorded.summary.corrected


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        pytest.param({"judge": "lexical"}, r"is about .openai/scripted. \(key .*this run asks lexical", id="another-judge"),
        pytest.param({"temperature": 0.5}, r"a judge is another one where .* parameters differ", id="other-parameters"),
        pytest.param({"policy": "strict"}, r"under label policy standard-v1, this run labels under strict-v1", id="another-policy"),
    ],
)
def test_errors_of_another_judge_do_not_correct(bench: Bench, card: Path, settings: dict[str, Any], expected: str) -> None:
    """Refused before the first call, naming both."""
    calls = bench.endpoint.calls()
    with pytest.raises(ConfigError, match=expected):
        scored(bench, calibration=card, **settings)
    assert bench.endpoint.calls() == calls
    assert not (bench.folder / "run").exists()


def edited(bench: Bench, card: Path, **changes: Any) -> Path:
    """Return a copy of a card with fields of its calibration changed."""
    content = json.loads(card.read_text())
    content["calibration"].update(changes)
    copy = bench.folder / "edited.json"
    copy.write_text(json.dumps(content))
    return copy


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param(None, "there is no such file", id="missing"),
        pytest.param("", "the file is empty", id="empty"),
        pytest.param("[]", r"\$.calibration: is missing, expected a judge card", id="no-object"),
        pytest.param('{"format": 1}', r"\$.calibration: is missing, expected a judge card", id="no-calibration"),
        pytest.param('{"calibration": null}', r"\$.calibration: is null: this card or audit holds no labels of people", id="no-labels"),
        pytest.param('{"calibration": {"documents": 3}}', r"\$.calibration.documents: is 3, expected a list", id="no-documents"),
        pytest.param('{"calibration": ', "not valid JSON", id="cut-off"),
    ],
)
def test_files_that_hold_no_calibration_are_refused(bench: Bench, content: str | None, expected: str) -> None:
    """The message names the file and the place."""
    path = bench.folder / "given.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(ConfigError, match=f"(?s)--calibration .*given.json.*{expected}"):
        scored(bench, calibration=path)


def test_impossible_counts_are_refused(bench: Bench, card: Path) -> None:
    """A count below 0, and a recall above 1."""
    negative = {"cluster": "d", "three_way": [[-1, 0, 0]] * 3, "two_way": [[1, 0], [0, 1]]}
    with pytest.raises(ConfigError, match=r"documents\[0\]: holds a negative count"):
        scored(bench, calibration=edited(bench, card, documents=[negative]))
    with pytest.raises(ConfigError, match=r"items\[0\]: has a recall outside 0 to 1"):
        scored(bench, calibration=edited(bench, card, items=[{"item": "i", "cluster": "c", "judged": 1.5, "human": 0}]))


def test_labels_drawn_from_the_run_count_its_items_once(bench: Bench, card: Path) -> None:
    """Twelve of the twenty items scored by people, 0.1 below the judge: the recall by PPI++ stands beside the others."""
    source = write_items(bench.folder / "run.jsonl", RUN)
    result = bench.score(source, no_mark=True, out="first")
    recalls = {item.item_id: item.signals["R_proposition"] for item in result.items()}
    scored_items = [
        {"item": item_digest(name), "cluster": cluster_digest(None, None, name), "judged": recall, "human": (recall or 0.0) - 0.1}
        for name, recall in list(recalls.items())[:12]
    ]
    drawn = edited(bench, card, sampled_from=result.manifest.input.sha256, items=scored_items)
    shown = command("score", source, "--no-mark", "--calibration", drawn, *bench.flags())
    found = bench.score(source, no_mark=True, out="second", calibration=drawn).summary.corrected
    assert found is not None
    powered = found.recall_by_method["ppi"]
    assert powered.value == pytest.approx(0.27, abs=0.02)
    assert powered.ci95 is not None
    assert found.sample.drawn_from_this_run
    assert "drawn from this run" in shown.stdout
    assert "PPI++" in shown.stdout
    assert "is assumed" not in shown.stdout


def test_no_path_is_refused(bench: Bench) -> None:
    """Nothing, read as a path, is the current folder."""
    with pytest.raises(ConfigError, match="expected a file, got an empty path"):
        scored(bench, calibration="")


def test_too_few_labels_leave_a_warning_and_the_old_disclosure(bench: Bench, card: Path) -> None:
    """Three documents correct nothing: the rates stand as judged."""
    documents = json.loads(card.read_text())["calibration"]["documents"]
    result = scored(bench, calibration=edited(bench, card, documents=documents[:3]))
    assert result.summary.corrected is not None
    assert [rate.corrected.reason for rate in result.summary.corrected.rates.values()] == ["too_few_labels"] * 2
    assert result.summary.disclosure.endswith("rates are not corrected for judge error")
    assert any("10 examples in 5 documents" in warning for warning in result.manifest.warnings)


def test_plan_from_run_and_card(bench: Bench, card: Path) -> None:
    """Text and JSON, for the run and the labels of its judge; a card of another judge is refused there too."""
    result = scored(bench)
    shown = command("audit", "plan", result.folder, "--calibration", card, "--width", "0.2")
    listed = command("audit", "plan", result.folder, "--calibration", card, "--width", "0.2", "--json")
    assert (shown.returncode, listed.returncode) == (0, 0), shown.stderr
    plan = json.loads(listed.stdout)
    assert (plan["sensitivity"], plan["specificity"]) == (pytest.approx(0.8), pytest.approx(1 - 30 / 180))
    assert plan["statements_in_run"] == 200
    assert f"{plan['corrected']['statements']:,}" in shown.stdout
    assert "the run has only 200 statements" in shown.stdout
    lexical = bench.score(RUN, out="lexical", judge="lexical", no_mark=True)
    refused = command("audit", "plan", lexical.folder, "--calibration", card)
    assert refused.returncode == 2
    assert "is about" in refused.stderr
