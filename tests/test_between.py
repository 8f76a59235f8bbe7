"""`judge audit between`: two real runs over HTTP side by side, with figures known beforehand."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sklearn.metrics import cohen_kappa_score

from judge.auditing.run_figures import BothSaid, runs_agreement
from judge.schema.labels import Label, RequestKind, UnjudgedReason
from judge.statistics.krippendorff import krippendorff_alpha
from tests.endpoint.replies import STATEMENT, Json, ParsedRequest, well_behaved
from tests.endpoint.server import Endpoint
from tests.runs.items import Fields, trams, write_items
from tests.runs.running import ROOT, Bench, command

PROMPT = (ROOT / "prompts" / "label" / "v1.toml").read_text(encoding="utf-8")
STRICTER = "Say contradicted where in doubt."
S, C, N = Label.SUPPORTED, Label.CONTRADICTED, Label.NOT_ADDRESSED


def swayed(request: ParsedRequest) -> Json | None:
    """Reply well, but for a prompt with the other sentence: then a bell that is not mentioned is denied, and tram 1 is not red."""
    made = well_behaved(request)
    if request.kind is RequestKind.LABEL and made is not None and STRICTER in request.text:
        texts = dict(STATEMENT.findall(request.blocks["statements"]))
        for verdict, text in zip(made["verdicts"], texts.values(), strict=True):
            if "bell" in text or text == "Tram 1 is red.":
                verdict.update(label="contradicted", quote=request.blocks["answer"].split(". ")[0] + ".")
    return made


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """A judge that another prompt sways."""
    with Endpoint(reply=swayed) as endpoint:
        yield Bench(endpoint, tmp_path)


def between(first: Path | str, second: Path | str, *more: str | Path, cwd: Path = ROOT) -> Fields:
    """Run the command and return its figures."""
    run = command("audit", "between", first, second, *more, "--json", cwd=cwd)
    assert run.returncode == 0, run.stderr
    found: Fields = json.loads(run.stdout)
    return found


def scored(bench: Bench, items: list[Fields], out: str, *more: str | Path, code: int = 0) -> Path:
    """Score items into a folder by the command."""
    run = command("score", write_items(bench.folder / "in.jsonl", items), *bench.flags(out), "--no-mark", "--quiet", *more)
    assert run.returncode == code, run.stderr
    return bench.folder / out


def another_prompt(folder: Path) -> Path:
    """Write the label prompt with one more sentence, under the name and version that it has."""
    path = folder / "mine.toml"
    path.write_text(PROMPT.replace("One hedged", f"{STRICTER}\nOne hedged"), encoding="utf-8")
    return path


def test_two_prompts_of_one_model_are_two_judges(bench: Bench) -> None:
    """The prompt's hash is all that differs; figures, rates and disagreements are those of the known replies, and nothing is asked."""
    plain = scored(bench, trams(4), "plain/run")
    mine = scored(bench, trams(4), "mine/run", "--prompt", f"label={another_prompt(bench.folder)}")
    asked = bench.endpoint.calls()
    found = between(plain, mine, cwd=bench.folder)
    assert bench.endpoint.calls() == asked
    assert (found["first"]["run"], found["second"]["run"]) == ("plain/run", "mine/run")
    assert [each["part"] for each in found["differs"]] == ["prompt"]
    assert found["first"]["judge"]["key"] != found["second"]["judge"]["key"]
    assert found["first"]["identity"]["prompt"]["sha256"] != found["second"]["identity"]["prompt"]["sha256"]
    labels = found["propositions"]
    assert labels["confusion"] == {
        "supported": {"supported": 3, "contradicted": 1, "not_addressed": 0},
        "contradicted": {"supported": 0, "contradicted": 4, "not_addressed": 0},
        "not_addressed": {"supported": 0, "contradicted": 4, "not_addressed": 0},
    }
    first, second = [S] * 4 + [C] * 4 + [N] * 4, [C] + [S] * 3 + [C] * 8
    assert labels["n"] == 12
    assert labels["agreement"] == pytest.approx(7 / 12)
    assert labels["cohen_kappa"] == pytest.approx(cohen_kappa_score(first, second))
    assert labels["krippendorff_alpha"] == pytest.approx(krippendorff_alpha(zip(first, second, strict=True)))
    assert labels["by_word"]["contradicted"] == {"first": 4, "second": 9, "specific_agreement": pytest.approx(8 / 13)}
    assert {each["statement"] for each in found["disagreements"]} == {"Tram 1 is red.", *(f"Tram {n} has a bell." for n in range(1, 5))}
    gravest = found["disagreements"][0]
    assert (gravest["statement"], gravest["first"]["label"], gravest["second"]["label"]) == ("Tram 1 is red.", "supported", "contradicted")
    assert (gravest["question"], gravest["answer"]) == (trams(1)[0]["question"], trams(1)[0]["answer"])
    recall, contradiction = found["rates"]
    assert (recall["first"], recall["second"]) == (pytest.approx(1 / 3), pytest.approx(1 / 4))
    assert recall["difference"]["value"] == pytest.approx(-1 / 12)
    assert contradiction["difference"]["value"] == pytest.approx(5 / 12)
    assert contradiction["p"] == pytest.approx(2 / 2**4)
    assert found["abstention"]["agreement"] == 1.0


def test_the_figures_and_both_reports_stand_in_a_folder_of_their_own(bench: Bench) -> None:
    """Without --out it is named after the first run; what is printed and what is written are the same, and it may be made again."""
    scored(bench, trams(2), "runs/plain")
    scored(bench, trams(2), "runs/mine", "--prompt", f"label={another_prompt(bench.folder)}")
    found = between("runs/plain", "runs/mine", cwd=bench.folder)
    made = bench.folder / "runs" / "plain-audit-between"
    assert json.loads((made / "audit.json").read_text(encoding="utf-8")) == found
    again = command("audit", "between", "runs/plain", "runs/mine", cwd=bench.folder)
    assert (again.returncode, json.loads((made / "audit.json").read_text(encoding="utf-8"))) == (0, found)
    for text in (again.stdout, (made / "report.md").read_text(encoding="utf-8"), (made / "report.html").read_text(encoding="utf-8")):
        assert "Krippendorff" in text
        assert "Where they differ (3)" in text
        assert "includes an LLM judge signal" in " ".join(text.split())


def test_only_what_is_the_same_is_compared(bench: Bench) -> None:
    """An item with another answer, one in a single run and a statement in a single run are counted, and enter no figure."""
    items = trams(4)
    others = [items[0], {**items[1], "answer": "Tram 2 is blue."}, {**items[3], "propositions": ["Tram 4 is red.", "Tram 4 is old."]}]
    found = between(scored(bench, items, "one"), scored(bench, others, "other"), "--out", bench.folder / "audit")
    assert found["joined"] == {
        "items": 2,
        "only_in_first": 1,
        "only_in_second": 0,
        "another_answer": 1,
        "another_question": 0,
        "statements": 4,
        "statements_only_in_first": 2,
        "statements_only_in_second": 1,
    }
    assert (found["propositions"]["n"], found["propositions"]["agreement"]) == (4, 1.0)
    assert [(rate["difference"]["n"], rate["other_statements"]) for rate in found["rates"]] == [(1, 1), (1, 1)]
    page = " ".join((bench.folder / "audit" / "report.md").read_text(encoding="utf-8").split())
    assert "1 items with another answer" in page


def test_what_a_run_left_unjudged_is_counted_by_run_and_reason(tmp_path: Path) -> None:
    """An incomplete run is compared as far as it goes, and both the page and a warning say so."""

    def spoiled(request: ParsedRequest) -> Json | None:
        made = swayed(request)
        if request.kind is RequestKind.LABEL and made is not None and STRICTER in request.text:
            made["verdicts"][0]["label"] = "perhaps"
        return made

    with Endpoint(reply=spoiled) as endpoint:
        bench = Bench(endpoint, tmp_path)
        plain = scored(bench, trams(3), "plain")
        spoilt = scored(bench, trams(3), "spoilt", "--prompt", f"label={another_prompt(tmp_path)}", code=3)
    run = command("audit", "between", plain, spoilt, "--out", tmp_path / "audit")
    found = json.loads((tmp_path / "audit" / "audit.json").read_text(encoding="utf-8"))
    labels = found["propositions"]
    assert (run.returncode, found["complete"]) == (0, False)
    assert (labels["things"], labels["n"], labels["unjudged"]) == (9, 6, {"first": {}, "second": {"bad_label": 3}})
    alike = round(labels["agreement"] * 6)
    assert labels["agreement_bounds"] == pytest.approx([alike / 9, (alike + 3) / 9])
    assert "INCOMPLETE" in run.stdout
    assert "3 bad_label" in run.stdout
    assert "warning: spoilt is incomplete" in run.stdout


def test_a_judge_is_compared_with_a_panel_and_with_an_agreement_audit(bench: Bench) -> None:
    """Their folders are run folders too; what differs is told in words."""
    gold = [
        {
            "id": f"g{number}",
            "question": f"What of {number}?",
            "answer": f"Tram {number} is red.",
            "propositions": [{"id": "p1", "text": f"Tram {number} is red.", "label": "supported"}],
        }
        for number in range(3)
    ]
    source = write_items(bench.folder / "gold.jsonl", gold)
    audited = command("audit", "agreement", source, *bench.flags("agreement"), "--quiet")
    panel = command("score", source, *bench.flags("panel"), "--judge", "lexical", "--no-mark", "--quiet")
    assert (audited.returncode, panel.returncode) == (0, 0), audited.stderr + panel.stderr
    found = between(bench.folder / "agreement", bench.folder / "panel", "--out", bench.folder / "audit")
    assert (found["joined"]["statements"], found["propositions"]["agreement"]) == (3, 1.0)
    assert {"part": "judges of the panel", "first": None, "second": "lexical, openai/scripted"} in found["differs"]


def test_answers_without_a_statement_are_compared_by_abstention_alone(tmp_path: Path) -> None:
    """Sets that only ask whether an answer declines have no statements; the abstention of both runs is still compared."""
    gold = [
        {"id": "r1", "question": "How old is it?", "answer": "I am sorry, but I cannot answer that.", "abstained": True},
        {"id": "r2", "question": "Which colour is it?", "answer": "It is red.", "abstained": False},
    ]
    source = write_items(tmp_path / "gold.jsonl", gold)
    runs = [tmp_path / policy for policy in ("standard", "strict")]
    for run in runs:
        audited = command("audit", "agreement", source, "--judge", "lexical", "--policy", run.name, "--out", run, "--quiet")
        assert audited.returncode == 0, audited.stderr
    found = between(*runs, "--out", tmp_path / "audit")
    assert (found["joined"]["items"], found["joined"]["statements"]) == (2, 0)
    assert (found["propositions"], found["other_statements"], found["disagreements"]) == (None, None, [])
    assert (found["abstention"]["n"], found["abstention"]["agreement"]) == (2, 1.0)
    assert found["abstention"]["confusion"]["abstained"]["abstained"] == 1
    assert [rate["difference"]["value"] for rate in found["rates"]] == [None, None]


def test_a_run_beside_itself_is_told(bench: Bench) -> None:
    """Nothing is learnt from it; a second run of the same judge shows its own noise, which is told apart."""
    one, other = scored(bench, trams(1), "one"), scored(bench, trams(1), "other")
    same = between(one, one, "--out", bench.folder / "audit")
    assert same["warnings"] == ["both runs are the same folder: it agrees with itself, which shows nothing"]
    assert same["differs"] == []
    [warning] = between(one, other, "--out", bench.folder / "audit")["warnings"]
    assert "the same judge" in warning


def test_a_wrong_command_is_refused(bench: Bench) -> None:
    """Exit 2 with what is wrong and where; no run is written over and no folder left."""
    run = scored(bench, trams(1), "run")
    stopped, apart, none = bench.folder / "stopped", bench.folder / "apart", bench.folder / "none"
    shutil.copytree(run, stopped)
    manifest = stopped / "manifest.json"
    manifest.write_text(manifest.read_text(encoding="utf-8").replace('"state": "complete"', '"state": "stopped"'), encoding="utf-8")
    scored(bench, [{**trams(1)[0], "id": "another"}], "apart")
    scored(bench, [{**trams(1)[0], "answer": "It is."}], "answered")
    command("audit", "consistency", bench.folder / "in.jsonl", *bench.flags("consistency"), "--quiet")
    out = bench.folder / "audit"
    cases: list[tuple[list[str | Path], str]] = [
        ([run, none], f"{none} is not a run folder: it holds no manifest.json"),
        ([run, stopped], f"{stopped} is not finished (state stopped)"),
        ([run, apart], "no item id is in both runs"),
        ([run, bench.folder / "answered"], "1 with another answer"),
        ([run, bench.folder / "consistency"], "holds an audit and no scored run"),
        ([run, run, "--out", run], f"{run} holds a run"),
        ([run, run, "--out", bench.folder], "holds something other than such an audit"),
        ([run], "Missing argument 'RUN_B'"),
    ]
    for arguments, told in cases:
        refused = command("audit", "between", "--out", out, *arguments)
        assert (refused.returncode, refused.stdout) == (2, ""), arguments
        assert told in refused.stderr
        assert not out.exists()


def test_unjudged_things_are_in_no_figure_but_the_bounds() -> None:
    """Two of six things have both words; the rest is counted by side, and once where both are silent."""
    silent = UnjudgedReason.SERVER_ERROR
    pairs = [(S, S), (S, C), (silent, S), (N, silent), (silent, silent), (silent, N)]
    things = [BothSaid(first, second, str(place)) for place, (first, second) in enumerate(pairs)]
    found = runs_agreement(things, list(Label), 0)
    assert found is not None
    assert (found.things, found.n, found.agreement, found.unjudged_in_both) == (6, 2, 0.5, 1)
    assert found.agreement_bounds == pytest.approx((1 / 6, 5 / 6))
    assert found.unjudged == {"first": {silent: 3}, "second": {silent: 2}}


def test_nothing_judged_has_reasons() -> None:
    """Every figure is null and says why; nothing at all has no block."""
    found = runs_agreement([BothSaid(UnjudgedReason.SERVER_ERROR, S, "a")], list(Label), 0)
    assert found is not None
    assert (found.agreement, found.cohen_kappa, set(found.reasons.values())) == (None, None, {"nothing was judged by both runs"})
    assert runs_agreement([], list(Label), 0) is None
