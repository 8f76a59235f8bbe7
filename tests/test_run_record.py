"""What a user states about a run: how it is read, what is refused, and which of two numbers counts."""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.errors import ConfigError
from judge.schema.manifests import FileFacts, GateResult
from judge.standard.derived import DERIVATIONS
from judge.standard.fundamentals import FUNDAMENTALS
from pipelines.api import ScoreResult, score
from pipelines.run_record import read_run_record
from tests.endpoint.server import Endpoint
from tests.runs.items import tram, write_items
from tests.runs.running import Bench, command, written

GOLDEN: dict[str, Any] = {
    "T_orient_s": 4.2,
    "T_task_s": 156.3,
    "T_human_s": 1800,
    "R_decision": 0.875,
    "R_constraint": 1,
    "R_incident": 1,
    "P_context": 0.72,
    "A_coverage": 0,
    "K_decision": 0.88,
    "S_gate": 1,
    "S_detect": 1,
    "S_stale": 1,
    "C_tokens_usd": 0.024,
    "N_tools": 8,
    "N_turns": 14,
    "N_corrections": 0,
}
JUDGED = {"R_judge": 0.896, "R_conflict_resolution": 1, "R_noise_resistance": 0.5}
ITEM = {"id": "bridge", "answer": "The bridge opened in 1964.", "propositions": ["The bridge opened in 1964."]}
GAP = "The notes do not say who paid."


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with Endpoint() as endpoint:
        yield Bench(endpoint, tmp_path)


def wrote(folder: Path, record: Any, name: str = "run.json") -> Path:
    """Write a record, as JSON or as the very text, and return its path."""
    path = folder / name
    path.write_text(record if isinstance(record, str) else json.dumps(record), encoding="utf-8")
    return path


def scored(folder: Path, record: Any, items: Any = (ITEM,), **more: Any) -> ScoreResult:
    """Run the offline baseline with a record."""
    out = more.pop("out", folder / "run")
    return score(list(items), judge="lexical", out=out, no_cache=True, run_record=wrote(folder, record), **more)


# --- what is refused ---


@pytest.mark.parametrize(
    ("record", "told"),
    [
        pytest.param({"T_human": 60}, ["$.T_human: is no known key; the closest is `T_human_s`"], id="unit-forgotten"),
        pytest.param({"C_tokens": 1}, ["$.C_tokens: is no known key; the closest is `C_tokens_usd`"], id="currency-forgotten"),
        pytest.param({"r_decison": 1}, ["$.r_decison: is no known key; the closest is `R_decision`"], id="misspelt"),
        pytest.param({"Cx_em": 25}, ["$.Cx_em: is a composite, which is computed and never stated"], id="composite"),
        pytest.param({"over_abstention_rate": 0}, ["$.over_abstention_rate: is no known key"], id="no-fundamental"),
        pytest.param({"metrics_version": "1.6"}, ["$.metrics_version: is a stamp that no formula follows: leave it out"], id="stamp"),
        pytest.param([], ["holds a list, expected one JSON object"], id="list"),
        pytest.param("null", ["holds null, expected one JSON object"], id="null"),
        pytest.param("3", ["holds 3, expected one JSON object"], id="number"),
        pytest.param("{", ["not valid JSON"], id="no-json"),
        pytest.param("[" * 100_000, ["nested deeper than 100 levels"], id="too-deep"),
        pytest.param('{"T_human_s": NaN}', ["$.T_human_s: is NaN, expected a number of seconds above 0"], id="nan"),
        pytest.param('{"T_task_s": Infinity}', ["$.T_task_s: is Infinity"], id="infinity"),
        pytest.param('{"T_task_s": 1e999}', ["$.T_task_s: is 1e999, expected a number of seconds above 0"], id="overflow"),
        pytest.param(f'{{"N_turns": 1{"0" * 400}}}', ["$.N_turns: is 1000"], id="huge"),
        pytest.param({"R_decision": True}, ["$.R_decision: is true, expected a number from 0 to 1"], id="bool"),
        pytest.param({"R_decision": "0.5"}, ['$.R_decision: is "0.5", expected a number from 0 to 1'], id="text"),
        pytest.param({"R_decision": {"value": 1}}, ["$.R_decision: is an object, expected a number from 0 to 1"], id="object"),
        pytest.param({"R_decision": [1]}, ["$.R_decision: is a list, expected a number from 0 to 1"], id="list-value"),
        pytest.param({"R_decision": 1.1}, ["$.R_decision: is 1.1, expected a number from 0 to 1"], id="ratio-above"),
        pytest.param({"Q_info": -0.1}, ["$.Q_info: is -0.1, expected a number from 0 to 1"], id="ratio-below"),
        pytest.param({"S_gate": 0.5}, ["$.S_gate: is 0.5, expected 0 or 1"], id="gate"),
        pytest.param({"R_incident": 2}, ["$.R_incident: is 2, expected 0 or 1"], id="incident"),
        pytest.param({"S_detect": -1}, ["$.S_detect: is -1, expected 0 or 1"], id="detect"),
        pytest.param({"N_tools": 2.5}, ["$.N_tools: is 2.5, expected a whole number, 0 or more"], id="count"),
        pytest.param({"N_corrections": -1}, ["$.N_corrections: is -1, expected a whole number, 0 or more"], id="count-below"),
        pytest.param({"T_human_s": 0}, ["$.T_human_s: is 0, expected a number of seconds above 0"], id="human-time"),
        pytest.param({"T_task_s": -5}, ["$.T_task_s: is -5, expected a number of seconds above 0"], id="task-time"),
        pytest.param({"T_orient_s": -1}, ["$.T_orient_s: is -1, expected a number of seconds, 0 or more"], id="orient-time"),
        pytest.param({"C_tokens_usd": -1}, ["$.C_tokens_usd: is -1, expected a number of US dollars, 0 or more"], id="cost"),
        pytest.param({"V_time": 0}, ["$.V_time: is 0, expected a number above 0"], id="derived-positive"),
        pytest.param({"V_cost": -1}, ["$.V_cost: is -1, expected a number, 0 or more"], id="derived-cost"),
        pytest.param({"automated": 1}, ["$.automated: is 1, expected true or false"], id="automated"),
        pytest.param({"N_turns": 0, "N_corrections": 2}, ["`N_corrections` is 2 and `N_turns` is 0"], id="no-turns"),
        pytest.param('{"S_gate": 1, "S_gate": 1}', ["$.S_gate: stands twice in one object"], id="twice"),
        pytest.param('{"automated": true, "automated": true}', ["$.automated: stands twice in one object"], id="automated-twice"),
        pytest.param(
            {"T_human": 1, "S_gate": 7, "N_turns": 0, "N_corrections": 1, "x\u001b": 1},
            ["$.T_human: is no", "$.S_gate: is 7", '$["x\\u001b"]: is no known key', "`N_corrections` is 1 and"],
            id="all-at-once",
        ),
        pytest.param(
            {"R_decision": 1, "R_constraint": 1, "R_incident": 1, "Q_info": 0.9},
            ["`Q_info` is 0.9, yet by the record's own values (`R_decision` 1, `R_constraint` 1, `R_incident` 1) it can only be 1"],
            id="contradicts-itself",
        ),
        pytest.param(
            {"C_tokens_usd": 0.5, "C_efficiency": 0.51, "S_gate": 0, "Q_safety": 0.5},
            [
                "`C_efficiency` is 0.51, yet by the record's own values (`C_tokens_usd` 0.5) it can only be 0.5",
                "`Q_safety` is 0.5, yet by the record's own values (`S_gate` 0) it can only be 0",
            ],
            id="contradicts-itself-twice",
        ),
        pytest.param(
            {"R_decision": 0.1, "Q_info": 0.9},
            ["`Q_info` is 0.9, yet by the record's own values (`R_decision` 0.1) it can only be 0.0333333333333 to 0.7"],
            id="beyond-what-one-input-allows",
        ),
        pytest.param(
            {"C_tokens_usd": 0.5, "V_cost": 0.4},
            ["`V_cost` is 0.4, yet by the record's own values (`C_tokens_usd` 0.5) it can only be 0.5 to 50"],
            id="cheaper-than-its-cost",
        ),
        pytest.param(
            {"N_tools": 4, "V_retrieval": 0.3},
            ["`V_retrieval` is 0.3, yet by the record's own values (`N_tools` 4) it can only be 0 to 0.25"],
            id="more-than-its-calls-allow",
        ),
        pytest.param(
            {"automated": True, "P_context": 0.5, "Q_context": 0.6},
            ["`Q_context` is 0.6, yet by the record's own values (`P_context` 0.5, `N_corrections` 0) it can only be 0.5"],
            id="automated-has-no-corrections",
        ),
        pytest.param(
            {"automated": True, "N_corrections": 2},
            ["$.N_corrections: is 2 and `automated` is true: in an automated run nobody corrects"],
            id="automated-and-corrected",
        ),
    ],
)
def test_faults_are_listed_with_file_and_key(tmp_path: Path, record: Any, told: list[str]) -> None:
    """Every fault is named, with what was found and what is expected, and the run never begins."""
    with pytest.raises(ConfigError) as caught:
        scored(tmp_path, record)
    lines = str(caught.value).splitlines()
    assert len(lines) == len(told)
    assert all(str(tmp_path / "run.json") in line for line in lines)
    for part in told:
        assert any(part in line for line in lines), part
    assert not (tmp_path / "run").exists()


def test_missing_record_ends_with_2_before_the_first_call(tmp_path: Path) -> None:
    """The command says which file it is, asks nobody and leaves no folder."""
    source = write_items(tmp_path / "a.jsonl", [tram(1)])
    with Endpoint() as endpoint:
        flags: list[str | Path] = ["--judge", "openai/scripted", "--api-base", endpoint.url]
        flags += ["--out", tmp_path / "run", "--cache", tmp_path / "cache"]
        missing = command("score", source, *flags, "--run-record", tmp_path / "none.json")
        faulty = command("score", source, *flags, "--run-record", wrote(tmp_path, {"S_gate": 2}))
        assert endpoint.calls() == 0
    assert (missing.returncode, faulty.returncode) == (2, 2)
    assert "none.json: cannot be read: there is no such file" in missing.stderr
    assert "run.json: $.S_gate: is 2, expected 0 or 1" in faulty.stderr
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("record", "is_fine"),
    [
        pytest.param({"R_decision": 0.875, "R_constraint": 1, "R_incident": None, "Q_info": 0.625}, True, id="least-of-an-open-mean"),
        pytest.param({"R_decision": 0.875, "R_constraint": 1, "R_incident": None, "Q_info": 0.6249}, False, id="below-an-open-mean"),
        pytest.param({"R_decision": 0.875, "R_constraint": 1, "R_incident": 1, "Q_info": 0.958333}, True, id="six-digits"),
        pytest.param({"R_decision": 0.5, "R_constraint": 0, "R_incident": 0, "Q_info": 0.166667}, True, id="six-digits-of-a-sixth"),
        pytest.param({"R_decision": 0.5, "R_constraint": 0, "R_incident": 0, "Q_info": 0.16667}, True, id="five-digits-of-a-sixth"),
        pytest.param({"R_decision": 0.5, "R_constraint": 0, "R_incident": 0, "Q_info": 0.17}, True, id="two-digits-of-a-sixth"),
        pytest.param({"R_decision": 0.5, "R_constraint": 0, "R_incident": 0, "Q_info": 0.16}, False, id="not-rounded-but-cut"),
        pytest.param({"C_tokens_usd": 0.1, "C_efficiency": 0.8333334}, True, id="within-a-millionth"),
        pytest.param({"C_tokens_usd": 0.1, "C_efficiency": 0.833336}, False, id="beyond-a-millionth"),
        pytest.param({"T_human_s": 12345678, "T_task_s": 3, "V_time": 4115226.5}, True, id="within-a-millionth-of-a-large-one"),
        pytest.param({"T_orient_s": 90, "T_task_s": 60, "V_orient": 0.5}, True, id="no-ratio-to-differ-from"),
    ],
)
def test_given_value_contradicts_what_its_inputs_do_not_allow(tmp_path: Path, record: dict[str, Any], is_fine: bool) -> None:
    """What is known of the inputs bounds it, to a millionth or six digits; no null policy has a say."""
    path = wrote(tmp_path, record)
    if is_fine:
        assert read_run_record(path).derived == {name: value for name, value in record.items() if name in DERIVATIONS}
    else:
        with pytest.raises(ConfigError, match="can only be"):
            read_run_record(path)


def test_record_is_read_as_it_stands(tmp_path: Path) -> None:
    """Symbols without their units, null as not measured, whole numbers also with a point, and a byte order mark."""
    text = '\ufeff{"T_human_s": 60, "N_turns": 3.0, "K_causal": null, "automated": true, "V_cost": 7}'
    record = read_run_record(wrote(tmp_path, text))
    assert record.fundamentals == {"T_human": 60.0, "N_turns": 3.0, "K_causal": None}
    assert (record.derived, record.automated, record.name) == ({"V_cost": 7.0}, True, "run.json")
    assert read_run_record(wrote(tmp_path, {})).fundamentals == {}
    assert not read_run_record(wrote(tmp_path, {"automated": None})).automated


# --- what comes of it ---


@pytest.mark.parametrize(
    ("policy", "more", "expected"),
    [
        ("strict", {}, {"Q_continuity": None, "Q_combined_v1_0": 0.8630, "Cx_em": 25.89, "Cx_v14_em": 24.7042, "Cx_community_em": 24.7042}),
        (
            "available",
            {},
            {"Q_continuity": 0.88, "Q_combined_v1_0": 0.867857, "Cx_em": 26.0357, "Cx_v14_em": 24.8432, "Cx_community_em": 24.8432},
        ),
        ("strict", JUDGED, {"Q_reasoning": 0.798667, "Q_combined_v1_5": 0.844619, "Cx_community_em": 24.1780}),
        ("available", JUDGED, {"Q_reasoning": 0.798667, "Q_combined_v1_5": 0.852481, "Cx_community_em": 24.4031}),
        ("strict", {"N_corrections": 3}, {"Q_context": 0.565714, "Cx_em": 6.00964}),
    ],
)
def test_golden_input_through_a_run(tmp_path: Path, policy: str, more: dict[str, Any], expected: dict[str, float | None]) -> None:
    """The published example as a run record beside one judged item."""
    summary = scored(tmp_path, GOLDEN | more, null_policy=policy).summary
    for name, value in expected.items():
        found = summary.derived.get(name) or summary.composite[name]
        assert found.value == (None if value is None else pytest.approx(value, rel=5e-6)), name
    assert list(summary.derived)[:3] == ["Q_proposition", "Q_abstention", "Q_reasoning"]
    assert summary.derived.keys() == DERIVATIONS.keys()
    assert list(summary.composite) == ["Q_combined_v1_0", "Q_combined_v1_5", "Cx_em", "Cx_v14_em", "Cx_community_em"]
    assert summary.composite["Cx_em"].band == ("routine" if "N_corrections" in more else "significant")


def test_published_record_through_a_run(tmp_path: Path) -> None:
    """Q_info alone, given: 0.5 x 70 minutes / 1.14."""
    record = {"Q_info": 0.5, "C_tokens_usd": 0.07, "T_human_s": 4200, "S_gate": 1, "automated": True}
    summary = scored(tmp_path, record).summary
    assert summary.composite["Cx_community_em"].value == pytest.approx(30.7018, rel=5e-6)
    assert (summary.derived["Q_info"].basis, summary.derived["Q_info"].bounds) == ("given", (0.5, 0.5))
    assert (summary.metrics["N_corrections"].value, summary.metrics["N_corrections"].basis) == (0.0, "automated")


def test_a_stated_cost_factor_enters_no_composite(tmp_path: Path) -> None:
    """Without the cost in dollars the scores with cost are null, and it is told that the factor does not count."""
    result = scored(tmp_path, {"Q_info": 0.5, "T_human_s": 4200, "S_gate": 1, "automated": True, "C_efficiency": 0.8})
    found = result.summary.composite
    assert [found[name].reason for name in ("Cx_v14_em", "Cx_community_em")] == ["cost_not_measured"] * 2
    assert found["Cx_em"].value == 35.0
    assert (result.summary.derived["C_efficiency"].value, result.summary.derived["C_efficiency"].basis) == (0.8, "given")
    assert result.manifest.warnings == (
        "the run record's C_efficiency 0.8 enters no composite: while C_tokens is null those with cost are null",
    )


def test_an_automated_run_says_why_nobody_corrected(tmp_path: Path) -> None:
    """The 0 was not given but follows: basis automated, exact, in every report; a stated 0 is given."""
    result = scored(tmp_path, {"Q_context": 0.5, "S_gate": 1, "T_human_s": 60, "automated": True})
    assert result.summary.derived["Q_context"].bounds == (0.5, 0.5)
    for name in ("report.md", "report.html"):
        assert re.search(r"N\\?_corrections\W+agent\W+0\W+count\W+automated", _cells(result, name))
    stated = scored(tmp_path, {"N_corrections": 0, "automated": True}, out=tmp_path / "stated").summary
    assert stated.metrics["N_corrections"].basis == "given"


def _cells(result: ScoreResult, name: str) -> str:
    return re.sub(r"<[^>]*>", " ", (result.folder / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("stated", [{}, {"automated": False}, {"automated": None}])
def test_corrections_are_unknown_unless_the_run_was_automated(tmp_path: Path, stated: dict[str, Any]) -> None:
    """Nobody says that nobody corrected, so no effective minutes."""
    record = {"Q_info": 0.5, "C_tokens_usd": 0.07, "T_human_s": 4200, "S_gate": 1, **stated}
    composite = scored(tmp_path, record).summary.composite
    assert {composite[name].reason for name in ("Cx_em", "Cx_v14_em", "Cx_community_em")} == {"corrections_not_measured"}
    assert composite["Q_combined_v1_0"].value == 0.5


def test_run_without_a_record_says_what_it_lacks(tmp_path: Path) -> None:
    """Three derived values and two composites, whose missing components name the missing record."""
    summary = score([ITEM], judge="lexical", out=tmp_path / "run", no_cache=True).summary
    assert list(summary.derived) == ["Q_proposition", "Q_abstention", "Q_reasoning"]
    assert list(summary.composite) == ["Q_combined_v1_0", "Q_combined_v1_5"]
    assert (summary.derived["Q_reasoning"].value, summary.derived["Q_reasoning"].reason) == (None, "input_null")
    assert summary.composite["Q_combined_v1_5"].reasons == {
        "Q_info": "no_run_record",
        "Q_context": "no_run_record",
        "Q_continuity": "no_run_record",
        "Q_reasoning": "input_null",
    }
    assert summary.composite["Q_combined_v1_5"].bounds == (0.0, 1.0)
    assert "run record" not in summary.disclosure
    assert "T_human" not in summary.metrics


def test_only_reasoning_known_leaves_the_composite_wide_open(bench: Bench) -> None:
    """Reasoning (0.5 + 1 + 1) / 3 by the judge alone: the composite is that value, within 2/9 of it and 7/9 more."""
    reasoned = tram(
        1,
        conflicts=[{"current": "Tram 1 is red.", "superseded": ["Tram 1 is blue."]}],
        decoys=["Tram 1 has wings."],
    )
    summary = bench.score([reasoned]).summary
    found = summary.composite["Q_combined_v1_5"]
    assert summary.derived["Q_reasoning"].value == found.value == pytest.approx(2.5 / 3)
    assert found.bounds == pytest.approx((2 * 2.5 / 27, 2 * 2.5 / 27 + 7 / 9))
    assert summary.composite["Q_combined_v1_0"].reason == "no_component_measured"
    assert found.active_weight_sum == 2


# --- which of two numbers counts ---


def test_what_the_run_does_not_measure_is_taken_from_the_record(tmp_path: Path) -> None:
    """The baseline gives no mark: the record's counts, over no item of this run, and says that it was given."""
    metric = scored(tmp_path, {"R_judge": 0.75}).summary.metrics["R_judge"]
    assert (metric.value, metric.n, metric.nulls, metric.bounds, metric.basis) == (0.75, 0, 0, (0.75, 0.75), "given")
    assert (metric.reason, metric.ci95, metric.layer) == (None, None, "llm")


def test_null_in_the_record_leaves_what_the_run_says(tmp_path: Path) -> None:
    """Not measured elsewhere either: the run's own reason stays."""
    metric = scored(tmp_path, {"R_judge": None}).summary.metrics["R_judge"]
    assert (metric.value, metric.reason, metric.basis) == (None, "no_reference", None)


def test_what_the_run_measures_wins_over_the_record(bench: Bench) -> None:
    """A mark of 2 is 0.5; another number in the record is not used, and manifest and report say so; the same one is silent."""
    differing = bench.score([tram(1)], out="differing", run_record=wrote(bench.folder, {"R_judge": 0.9, "R_proposition": 1 / 3}))
    assert (differing.summary.metrics["R_judge"].value, differing.summary.metrics["R_judge"].basis) == (0.5, "reference")
    warning = "the run record's R_judge 0.9 is not used: this run measured 0.5"
    assert differing.manifest.warnings == (warning,)
    assert warning in (differing.folder / "report.md").read_text(encoding="utf-8").replace("\\", "")
    same = bench.score([tram(1)], out="same", run_record=wrote(bench.folder, {"R_judge": 0.5}))
    assert same.manifest.warnings == ()


def test_session_knows_more_of_coverage_awareness_than_the_answer(tmp_path: Path) -> None:
    """Gaps found before acting (trace) win over gaps admitted in the answer; without them the answer counts."""
    item = ITEM | {"answer": f"The bridge opened in 1964. {GAP}", "gaps": [GAP]}
    by_answer = scored(tmp_path, {"A_coverage": None}, [item]).summary.metrics["A_coverage"]
    assert (by_answer.value, by_answer.n, by_answer.basis) == (1.0, 1, "answer")
    assert by_answer.pooled is not None
    assert (by_answer.pooled.numerator, by_answer.pooled.denominator) == (1, 1)
    result = scored(tmp_path, {"A_coverage": 0.25}, [item], out=tmp_path / "traced")
    by_trace = result.summary.metrics["A_coverage"]
    assert (by_trace.value, by_trace.n, by_trace.basis, by_trace.bounds) == (0.25, 0, "trace", (0.25, 0.25))
    assert result.manifest.warnings == ("A_coverage is 0.25 by the session in the run record (basis trace); the answers alone give 1",)
    assert result.summary.coverage["A_coverage"].value == 1.0


def test_given_derived_value_yields_to_a_computed_one(bench: Bench) -> None:
    """Where the run completes the inputs, its number counts; where it cannot, the given one does."""
    record = {"Q_reasoning": 0.9, "R_conflict_resolution": 1, "R_noise_resistance": 1}
    computed = bench.score([tram(1)], out="computed", run_record=wrote(bench.folder, record))
    assert computed.summary.derived["Q_reasoning"].value == pytest.approx(2.5 / 3)
    assert computed.manifest.warnings == (
        "the run record's Q_reasoning 0.9 is not used: computed from the numbers of this run it is 0.833333",
    )
    given_one = bench.score([tram(1)], out="given", run_record=wrote(bench.folder, {"Q_info": 0.9}))
    assert (given_one.summary.derived["Q_info"].value, given_one.summary.derived["Q_info"].basis) == (0.9, "given")
    assert given_one.manifest.warnings == ()


def test_given_derived_value_that_was_measured_otherwise_is_ignored(bench: Bench) -> None:
    """A mark of 2 is 0.5, so reasoning lies in 1/6 to 5/6; a given 0.9 is told and not used, a given 0.8 is, within those bounds."""
    out_of_range = bench.score([tram(1)], out="out", run_record=wrote(bench.folder, {"Q_reasoning": 0.9}))
    ignored = out_of_range.summary.derived["Q_reasoning"]
    assert (ignored.value, ignored.basis, ignored.reason) == (None, None, "input_null")
    assert ignored.bounds == pytest.approx((1 / 6, 5 / 6))
    assert out_of_range.manifest.warnings == (
        "the run record's Q_reasoning 0.9 is not used: the numbers of this run allow 0.166666666667 to 0.833333333333",
    )
    taken = bench.score([tram(1)], out="in", run_record=wrote(bench.folder, {"Q_reasoning": 0.8}))
    used = taken.summary.derived["Q_reasoning"]
    assert (used.value, used.basis, used.bounds) == (0.8, "given", ignored.bounds)
    assert taken.manifest.warnings == ()


@pytest.mark.parametrize("policy", ["strict", "available"])
def test_a_given_orient_ratio_never_replaces_one_that_cannot_be(tmp_path: Path, policy: str) -> None:
    """Orientation that took longer than the task leaves no ratio, whatever the record says."""
    result = scored(tmp_path, {"T_orient_s": 90, "T_task_s": 60, "V_orient": 0.5}, null_policy=policy)
    found = result.summary.derived["V_orient"]
    assert (found.value, found.reason, found.bounds, found.basis) == (None, "orient_exceeds_task", None, None)
    assert result.manifest.warnings == (
        "the run record's V_orient 0.5 is not used: the numbers of this run allow no value (orient_exceeds_task)",
        "T_orient (90 s) exceeds T_task (60 s), so V_orient has no value",
    )


def test_orientation_longer_than_the_task_is_a_warning(tmp_path: Path) -> None:
    """The session may start long before the first message."""
    result = scored(tmp_path, {"T_orient_s": 90, "T_task_s": 60})
    assert result.summary.derived["V_orient"].reason == "orient_exceeds_task"
    assert result.manifest.warnings == ("T_orient (90 s) exceeds T_task (60 s), so V_orient has no value",)


# --- it belongs to the summary alone ---


def test_folder_is_rebuilt_with_another_record_without_a_call(bench: Bench) -> None:
    """The record is no part of what was judged: results stay, the summary follows, the manifest names the file."""
    first = bench.score([tram(1)], run_record=wrote(bench.folder, GOLDEN))
    assert first.manifest.run_record == FileFacts(
        name="run.json", sha256=hashlib.sha256((bench.folder / "run.json").read_bytes()).hexdigest()
    )
    before = written(first)
    bench.endpoint.reset()
    again = bench.score([tram(1)], run_record=wrote(bench.folder, GOLDEN, "copy.json"))
    assert written(again) == before
    other = bench.score([tram(1)], run_record=wrote(bench.folder, GOLDEN | {"T_human_s": 3600}))
    without = bench.score([tram(1)])
    assert bench.endpoint.calls() == 0
    assert other.summary.composite["Cx_em"].value == pytest.approx(51.78)
    assert without.manifest.run_record is None
    for result in (other, without):
        assert written(result).results == before.results
        assert written(result).summary != before.summary


def test_record_may_be_named_in_the_settings(tmp_path: Path) -> None:
    """The environment and the settings file name it as the flag does."""
    source = write_items(tmp_path / "a.jsonl", [ITEM])
    wrote(tmp_path, GOLDEN)
    (tmp_path / "judge.toml").write_text('run-record = "run.json"\njudge = "lexical"\n', encoding="utf-8")
    by_file = command("score", source, "--json", "--out", "by-file", cwd=tmp_path)
    (tmp_path / "judge.toml").unlink()
    by_variable = command(
        "score", source, "--json", "--judge", "lexical", "--out", "by-variable", cwd=tmp_path, env={"JUDGE_RUN_RECORD": "run.json"}
    )
    assert json.loads(by_file.stdout)["composite"]["Cx_em"]["value"] == pytest.approx(25.89)
    assert by_variable.stdout == by_file.stdout


def test_agents_have_reasoning_of_their_own_and_no_composite(tmp_path: Path) -> None:
    """A record speaks of the whole run; an agent's derived values come from its own items."""
    items = [ITEM | {"id": "a", "agent": "a"}, ITEM | {"id": "b", "agent": "b", "answer": "It is grey."}]
    summary = scored(tmp_path, GOLDEN, items).summary
    assert {agent: card.derived["Q_proposition"].value for agent, card in summary.by_agent.items()} == {"a": 1.0, "b": 0.0}
    for card in summary.by_agent.values():
        assert list(card.derived) == ["Q_proposition", "Q_abstention", "Q_reasoning"]
        assert "T_human" not in card.metrics


# --- what a summary says of its signals ---

SIGNALS = "judge signals by signals-v1, this project's own definition"
GIVEN = "includes an LLM judge signal; not fully objective; a judge signal is given by the run record, not judged here"


@pytest.mark.parametrize(
    ("record", "items", "told", "untold"),
    [
        pytest.param(None, [ITEM], [], [SIGNALS, "LLM judge signal"], id="none"),
        pytest.param(None, [ITEM | {"decoys": ["The bridge is red."]}], [SIGNALS], ["LLM judge signal"], id="measured-by-the-baseline"),
        pytest.param({"R_judge": 0.75}, [ITEM], [SIGNALS, GIVEN], [], id="given"),
        pytest.param({"Q_reasoning": 0.75}, [ITEM], [SIGNALS, GIVEN], [], id="given-as-a-whole"),
        pytest.param({"R_judge": None}, [ITEM], [], [SIGNALS, "LLM judge signal"], id="given-null"),
        pytest.param(
            {"R_noise_resistance": 0.5}, [ITEM | {"decoys": ["The bridge is red."]}], [SIGNALS], ["LLM judge signal"], id="given-in-vain"
        ),
    ],
)
def test_disclosure_says_where_judge_signals_come_from(
    tmp_path: Path, record: dict[str, Any] | None, items: list[Any], told: list[str], untold: list[str]
) -> None:
    """The definitions are ours wherever a signal has a value; one that a record gives to a run of the baseline is named as such."""
    stated = {} if record is None else {"run_record": wrote(tmp_path, record)}
    summary = score(items, judge="lexical", out=tmp_path / "run", no_cache=True, **stated).summary
    assert summary.signals_version == "signals-v1"
    assert "not fully objective" in summary.disclosure
    assert all(part in summary.disclosure for part in told)
    assert not any(part in summary.disclosure for part in untold)


def test_disclosure_of_a_model_names_both(bench: Bench) -> None:
    """A model that marks is a judge signal, by our definitions."""
    disclosure = bench.score([tram(1)]).summary.disclosure
    assert SIGNALS in disclosure
    assert "includes an LLM judge signal; not fully objective" in disclosure


def test_marks_say_whether_sources_were_seen(bench: Bench) -> None:
    """One of two items lists a source."""
    metric = bench.score([tram(1, sources=["Tram 1 is red."]), tram(2)]).summary.metrics["R_judge"]
    assert (metric.n, metric.basis) == (2, "reference; 1 of 2 also sources")


@pytest.mark.parametrize("path", ["", "."])
def test_an_empty_path_is_told_with_its_place(tmp_path: Path, path: str) -> None:
    """Nothing is no file, and the message says where nothing was set."""
    with pytest.raises(ConfigError, match=r"run_record \(argument run_record\): .*expected a file, got an empty path"):
        score([ITEM], judge="lexical", out=tmp_path / "run", no_cache=True, run_record=path)


# --- gates and reports ---


def test_gates_hold_every_number_of_the_standard(tmp_path: Path) -> None:
    """A fundamental, a derived value and composites are held; what is null is missed, with and without a record."""
    gates = {"R_decision": 0.8, "Q_context": 0.9, "Cx_em": 20.0, "Q_combined_v1_5": 0.5, "K_causal": 0.0, "Q_continuity": 0.0}
    held = scored(tmp_path, GOLDEN, fail_under=gates, fail_over={"C_tokens": 0.02}).manifest.gates
    assert [gate.met for gate in held] == [True, False, True, True, False, False, False]
    assert held[4] == GateResult(metric="K_causal", kind="fail_under", threshold=0.0, value=None, met=False)
    bare = score([ITEM], judge="lexical", out=tmp_path / "bare", no_cache=True, fail_under={"Cx_em": 0.0, "Q_info": 0.0})
    assert (bare.exit_code, [gate.met for gate in bare.manifest.gates]) == (1, [False, False])


def test_a_gate_says_what_kind_of_number_it_holds(tmp_path: Path) -> None:
    source, record = write_items(tmp_path / "a.jsonl", [ITEM]), wrote(tmp_path, GOLDEN | {"Q_continuity": 0.9})
    names = ("R_proposition", "Q_proposition", "Q_abstention", "Q_info", "Q_continuity", "Cx_em", "T_human", "A_coverage")
    gates = [part for name in names for part in ("--fail-under", f"{name}=0")]
    run = command("score", source, "--judge", "lexical", "--run-record", record, *gates, cwd=tmp_path)
    told = [line.partition(" >= ")[0] for line in run.stdout.splitlines() if line.startswith("gate ")]
    assert told == [
        "gate R_proposition (mean over items)",
        "gate Q_proposition (derived)",
        "gate Q_abstention (derived)",
        "gate Q_info (derived)",
        "gate Q_continuity (from the run record)",
        "gate Cx_em (composite)",
        "gate T_human (from the run record)",
        "gate A_coverage (from the run record)",
    ]


@pytest.mark.parametrize("form", ["text", "report.md", "report.html"])
def test_reports_show_where_every_number_comes_from(tmp_path: Path, form: str) -> None:
    """Values, weights, what is missing and why, what was given; no line of the text is wider than 100 columns."""
    source, record = write_items(tmp_path / "a.jsonl", [ITEM]), wrote(tmp_path, GOLDEN)
    run = command("score", source, "--judge", "lexical", "--out", "run", "--run-record", record, cwd=tmp_path)
    shown = run.stdout if form == "text" else (tmp_path / "run" / form).read_text(encoding="utf-8")
    for part in (
        "run.json (SHA-256",
        "Q_reasoning",
        "Q_combined_v1_5",
        "5 of 9",
        "redistributed",
        "no_conflicts",
        "no_decoys",
        "input_null",
        "Em, significant",
        "25.89",
        "Given by the run record",
        "Not measured: R_retrieval, K_causal, K_checkpoint.",
        "0.70 to 0.89",
        "basis trace",
        "includes values given by a run record",
        "Composites combine the layers llm (Q_info, Q_reasoning) and agent (Q_context, Q_continuity).",
    ):
        assert part in " ".join(shown.replace("\\", "").split()), part
    if form == "text":
        assert max(map(len, shown.splitlines())) <= 100


@pytest.mark.parametrize("record", [None, {}, GOLDEN, {"S_gate": None, "Q_info": 0.5}])
def test_nothing_is_missing_without_a_reason(tmp_path: Path, record: dict[str, Any] | None) -> None:
    """Every line of the two tables that shows n/a ends in a reason, and so does the note of every metric without a value."""
    source = write_items(tmp_path / "a.jsonl", [ITEM])
    stated: list[str | Path] = [] if record is None else ["--run-record", wrote(tmp_path, record)]
    shown = command("score", source, "--judge", "lexical", *stated, cwd=tmp_path).stdout
    blocks = {block.split("\n")[0]: block.split("\n")[1:] for block in shown.split("\n\n")}
    missing = [line for title in ("Derived", "Composites") for line in blocks[title] if "n/a" in line]
    assert missing
    assert all(re.search(r"n/a .*[a-z]+_[a-z_]+$", line) for line in missing), missing
    for name in [line.split()[0] for line in blocks["Metrics"] if re.match(r"  \w+ +n/a", line)]:
        assert re.search(rf"^{name}: n/a, \w+", shown, flags=re.MULTILINE), name


RECORD_VALUES = st.dictionaries(
    st.sampled_from([f.key for f in FUNDAMENTALS.values() if f.unit == "ratio"]), st.none() | st.floats(0, 1), max_size=8
)


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(record=RECORD_VALUES, rng=st.randoms(use_true_random=False))
def test_order_of_items_and_of_keys_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory, record: dict[str, float | None], rng: Any
) -> None:
    """Items and keys in another order give the same numbers, to the last bit."""
    folder = tmp_path_factory.mktemp("order")
    items = [
        ITEM | {"id": "a", "tests": ["temporal", "synthesis"]},
        ITEM | {"id": "b", "answer": f"It opened in 1965. {GAP}", "gaps": [GAP, "The notes do not say when it closed."]},
        ITEM | {"id": "c", "answer": "It is grey.", "tests": ["temporal"], "decoys": ["The bridge is red."]},
        {"id": "d", "answer": "I do not know.", "answerable": False, "gaps": [GAP]},
    ]
    shuffled = rng.sample(items, k=len(items))
    keys = rng.sample(sorted(record), k=len(record))
    first = scored(folder, record, items, out=folder / "one").summary
    second = scored(folder, {key: record[key] for key in keys}, shuffled, out=folder / "two").summary
    assert second.model_copy(update={"usage": first.usage}).model_dump_json() == first.model_dump_json()
