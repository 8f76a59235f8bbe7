"""`judge crux` as users meet it: the shipped example, many sessions, judged values, gates, and what is refused."""

import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from judge.errors import ConfigError, InputError
from judge.schema.crux import CruxSummary, Spread
from judge.standard.composites import COMPOSITES
from judge.standard.fundamentals import FUNDAMENTALS
from pipelines.measuring import CruxFiles, CruxRules, measure_sessions
from pipelines.reports.crux_page import crux_page
from pipelines.reports.pages import page_html, page_markdown, page_text
from tests.runs.running import ROOT, command

EXAMPLE = ROOT / "examples" / "session"
RUN = ROOT / "examples" / "recorded" / "run"
TRACES = sorted(EXAMPLE.glob("trace-*.json"))


def written(folder: Path, name: str, value: Any) -> Path:
    path = folder / name
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def measured(folder: Path, trace: Mapping[str, Any], fixture: Mapping[str, Any], **rules: Any) -> CruxSummary:
    """Return the numbers of one made-up session."""
    files = CruxFiles([written(folder, "trace.json", {"id": "s", **trace})], written(folder, "fixture.json", {"id": "f", **fixture}))
    return measure_sessions(files, CruxRules(**rules))


# --- the shipped example ---


def test_the_example_prints_every_metric_or_why_it_has_none() -> None:
    """All fundamentals, derived values and composites are there, each with a value or a reason."""
    run = command("crux", TRACES[0])
    assert run.returncode == 0
    lines = run.stdout.splitlines()
    assert max(map(len, lines)) <= 100
    # The first row of a name is the one in the table of its layer; later ones tell what is made of it.
    rows = {line.split()[0]: line.split() for line in reversed(lines) if re.match(r"  \S+ +(\S+ +){3}\S", line)}
    found = measure_sessions(CruxFiles(TRACES[:1]), CruxRules())
    for symbol, number in (found.metrics | found.derived).items():
        assert (rows[symbol][1] == "n/a") == (number.value is None), symbol
        assert isinstance(number, Spread) or number.reason is None or number.reason in rows[symbol], symbol
    assert all(any(line.startswith(f"  {name} ") for line in lines) for name in COMPOSITES)


def test_the_json_holds_the_numbers_of_a_single_session_at_the_top() -> None:
    """`metrics`, `derived` and `composite` as in the summary of a run; nothing else on standard output."""
    run = command("crux", TRACES[0], "--json")
    found = json.loads(run.stdout)
    assert found["metrics_version"] == "1.5"
    assert set(found["metrics"]) == set(FUNDAMENTALS)
    assert found["metrics"] == found["sessions"][0]["metrics"]
    for number in (*found["metrics"].values(), *found["derived"].values(), *found["composite"].values()):
        assert (number["value"] is None) == (number["reason"] is not None)
    assert found["composite"]["Cx_community_em"]["band"] == "significant"
    assert found["sessions"][0]["missed"] == [
        {"kind": "decision", "key": "two-person sign-off", "document": "policy-7", "fate": "never found"}
    ]
    assert "litellm" in found["metrics"]["C_tokens"]["made_of"]
    assert CruxSummary.model_validate_json(run.stdout) == measure_sessions(CruxFiles(TRACES[:1]), CruxRules())


def test_the_same_files_give_the_same_bytes() -> None:
    assert command("crux", *TRACES, "--json").stdout == command("crux", *TRACES, "--json").stdout


def test_many_sessions_and_their_relations() -> None:
    """Both of one agent pass, the unsafe one of the other never does; over two agents there is no common pass^k."""
    found = measure_sessions(CruxFiles(TRACES, run=RUN), CruxRules(pass_threshold=0.75))
    assert [session.session for session in found.sessions] == ["norvik-1", "norvik-2", "norvik-3"]
    assert [session.passed for session in found.sessions] == [True, True, False]
    assert [(each.agent, each.passed, each.trials) for each in found.relations] == [("atlas", 2, 2), ("borea", 0, 1)]
    assert [each.time_horizon_min for each in found.relations] == [90.0, 0.0]
    assert found.relations[0].pass_hat_k == {"1": 1.0, "2": 1.0}
    assert not found.pass_hat_k
    assert found.sessions[2].composite["Cx_em"].band == "unsafe"
    assert found.metrics["S_gate"].value == pytest.approx(2 / 3)
    assert "includes an LLM judge signal; not fully objective" in found.disclosure


def test_judged_values_are_those_of_the_agent() -> None:
    """The run holds answers of two agents, and each session takes its own."""
    found = measure_sessions(CruxFiles(TRACES, run=RUN), CruxRules())
    summary = json.loads((RUN / "summary.json").read_text("utf-8"))
    for session in found.sessions:
        assert session.agent is not None
        own = summary["by_agent"][session.agent]["metrics"]["R_proposition"]
        assert session.metrics["R_proposition"].value == own["value"]
        assert session.metrics["R_proposition"].basis == "judge"


def test_an_agent_that_the_run_does_not_know_is_told(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "session")
    path = tmp_path / "session" / "trace-1.json"
    path.write_text(path.read_text("utf-8").replace('"agent": "atlas"', '"agent": "cetus"'), encoding="utf-8")
    found = measure_sessions(CruxFiles([path], run=RUN), CruxRules())
    assert "none of cetus" in found.warnings[0]
    metric = found.sessions[0].metrics["R_proposition"]
    assert (metric.value, metric.reason) == (None, "agent_not_in_run")


# --- what is wrong ---


def test_faults_of_all_files_are_told_at_once(tmp_path: Path) -> None:
    """Each stands with the file that it is of, a shared one once; a user corrects all files and measures again."""
    fixture = written(tmp_path, "fixture.json", {"id": "f", "T_human_s": 60, "tools": [{"name": "x"}, {"name": "x"}]})
    sound = written(tmp_path, "sound.json", {"id": "f", "T_human_s": 60})
    restart = {"type": "restart"}
    traces = [
        written(tmp_path, "one.json", {"id": "1", "fixture": {"path": "fixture.json"}, "events": [restart]}),
        written(tmp_path, "two.json", [{"id": "2", "fixture": {"path": "fixture.json"}}, {"id": "3", "fixture": {"path": "fixture.json"}}]),
        written(tmp_path, "three.json", {"id": "4", "fixture": {"path": "sound.json"}, "T_human_s": 61}),
        written(tmp_path, "four.json", [{"id": "5"}, {"id": "6", "events": [restart]}]),
    ]
    with pytest.raises(InputError) as caught:
        measure_sessions(CruxFiles(traces), CruxRules())
    names = "names this fixture by a path relative to the trace:"
    assert [str(fault).replace(f"{tmp_path}/", "") for fault in caught.value.faults] == [
        "one.json: $.events[0]: is a restart, expected a kill before it",
        "four.json: $[1].events[0]: is a restart, expected a kill before it",
        'fixture.json: $.tools[1].name: is "x", expected a name that no earlier tool has',
        f"two.json: session `2`: {names} fixture.json",
        f"two.json: session `3`: {names} fixture.json",
        'three.json: $.T_human_s: is 61, expected 60, which the fixture "f" states; it comes from there alone',
    ]
    fine = written(tmp_path, "five.json", {"id": "7"})
    with pytest.raises(InputError) as caught:
        measure_sessions(CruxFiles([traces[0], traces[0], fine], fixture), CruxRules())
    assert [fault.file for fault in caught.value.faults] == [str(fixture), str(traces[0]), str(traces[0])]
    assert measure_sessions(CruxFiles([fine], sound), CruxRules()).sessions[0].session == "7"


def test_of_very_many_faults_the_first_are_listed(tmp_path: Path) -> None:
    """A thousand sessions without a fixture are one mistake."""
    path = written(tmp_path, "many.json", [{"id": str(number)} for number in range(1000)])
    with pytest.raises(InputError) as caught:
        measure_sessions(CruxFiles([path]), CruxRules())
    assert len(caught.value.faults) == 201
    assert str(caught.value.faults[-1]) == f"{path}: ... and 800 more"


# --- what is given ---


def test_a_flat_record_is_a_trace_of_given_values(tmp_path: Path) -> None:
    """A published record reproduces its minutes: 30.70 from Q_info 0.5, 0.07 dollars and 70 minutes."""
    stated = {"Q_info": 0.5, "C_tokens_usd": 0.07, "S_gate": 1, "T_task_s": 65, "automated": True}
    for trace in (stated, {"automated": True, "given": {key: value for key, value in stated.items() if key != "automated"}}):
        found = measured(tmp_path, trace, {"T_human_s": 4200})
        assert found.composite["Cx_community_em"].value == pytest.approx(30.7018, abs=1e-4)
        assert "includes values that were given, not measured" in found.disclosure


@pytest.mark.parametrize(
    ("trace", "fixture", "told"),
    [
        pytest.param(
            {"given": {"T_human_s": 60}}, {"T_human_s": 4200}, r"\$\.given\.T_human_s: is 60, .* 4200.*from there alone", id="human"
        ),
        pytest.param({"T_human_s": 60}, {}, r"\$\.T_human_s: is 60, .* states none; it comes from there alone", id="human-none"),
        pytest.param({"C_tokens_usd": -1}, {}, r"C_tokens_usd: is -1, expected a number of US dollars, 0 or more", id="cost"),
        pytest.param({"R_decision": 1.2}, {}, r"R_decision: is 1.2, expected a number from 0 to 1", id="ratio"),
        pytest.param({"R_decison": 1}, {}, r"R_decison.*known", id="unknown"),
        pytest.param({"N_turns": 0, "N_corrections": 2}, {}, r"`N_corrections` is 2 and `N_turns` is 0", id="turns"),
        pytest.param({"N_turns": 3, "given": {"N_turns": 4}}, {}, r"N_turns: stands in `given` too", id="twice"),
    ],
)
def test_bad_values_name_field_value_and_rule(tmp_path: Path, trace: Any, fixture: Any, told: str) -> None:
    """Nothing is measured from a file with a fault."""
    with pytest.raises((ConfigError, InputError), match=told):
        measured(tmp_path, trace, fixture)


def test_assumed_safety_is_told_everywhere(tmp_path: Path) -> None:
    """S_gate stays null; the composites take it as 1, and every output says so."""
    trace = {"automated": True, "given": {"Q_info": 1.0}}
    assert measured(tmp_path, trace, {"T_human_s": 600}).composite["Cx_em"].reason == "safety_not_measured"
    found = measured(tmp_path, trace, {"T_human_s": 600}, assume_safe=True)
    assert (found.composite["Cx_em"].value, found.metrics["S_gate"].value) == (10.0, None)
    for render in (page_text, page_markdown, page_html):
        assert "assumed safe" in " ".join(render(crux_page(found, with_each=True)).split())


# --- outputs ---


def test_reports_are_written_beside_the_terminal(tmp_path: Path) -> None:
    """Markdown and HTML hold every session whole; the page loads nothing."""
    run = command("crux", *TRACES, "--markdown", tmp_path / "r.md", "--html", tmp_path / "r.html", "--quiet")
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    markdown, page = (tmp_path / "r.md").read_text("utf-8"), (tmp_path / "r.html").read_text("utf-8")
    for text in (markdown, page):
        assert "norvik-3: Agent: what the session did" in text
        assert "metrics_version 1.5" in text
    assert "default-src &#39;none&#39;" in page or "default-src 'none'" in page
    assert "<script" not in page


def test_hostile_text_stays_text(tmp_path: Path) -> None:
    """What a trace holds cannot mark up a page or steer a terminal."""
    trace = {"agent": "<b>x</b>\x1b[31m|", "events": [{"type": "message", "role": "assistant", "text": "none"}]}
    page = crux_page(measured(tmp_path, trace, {"expected_decisions": ["<img src=x>|\x1b]0;y"]}), with_each=True)
    assert "<b>x</b>" not in page_html(page)
    assert "<img" not in page_html(page)
    assert "\x1b" not in page_text(page) + page_html(page) + page_markdown(page)


@pytest.mark.parametrize(
    ("gate", "code", "told"),
    [
        pytest.param(("--fail-under", "Cx_em=10"), 0, "gate Cx_em >= 10: 32", id="met"),
        pytest.param(("--fail-under", "Q_info=0.95"), 1, "gate Q_info >= 0.95: 0.916667 FAIL", id="missed"),
        pytest.param(("--fail-over", "R_judge=1"), 1, "gate R_judge <= 1: null (no_run) FAIL", id="null-misses"),
        pytest.param(("--fail-under", "Q_inf=1"), 2, "no metric is named Q_inf", id="unknown"),
    ],
)
def test_gates_decide_the_exit_code(gate: tuple[str, str], code: int, told: str) -> None:
    run = command("crux", TRACES[0], *gate)
    assert run.returncode == code
    assert told in run.stdout + run.stderr


@pytest.mark.parametrize("name", ["fixture", "trace"])
def test_the_schemas_are_printed(name: str) -> None:
    found = json.loads(command("crux", "--schema", name).stdout)
    assert found["additionalProperties"] is False


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        pytest.param([], "no trace is named", id="nothing"),
        pytest.param(["nope.json"], "nope.json", id="missing"),
        pytest.param([TRACES[0], TRACES[0]], "trace-1.json: is named 2 times: each trace counts once", id="twice"),
        pytest.param([TRACES[0], "--run", "nope"], "--run nope: there is no such folder", id="no-run"),
        pytest.param([TRACES[0], "--pass-threshold", "2"], "--pass-threshold is 2, expected an R_decision from 0 to 1", id="threshold"),
        pytest.param([TRACES[0], "--fixture", TRACES[0]], "holds a trace", id="trace-as-fixture"),
        pytest.param([EXAMPLE / "fixture.json"], "holds a fixture", id="fixture-as-trace"),
    ],
)
def test_mistakes_end_with_words(arguments: list[Any], told: str) -> None:
    """Exit code 2, one message, no traceback."""
    run = command("crux", *arguments)
    assert (run.returncode, run.stdout) == (2, "")
    assert told in run.stderr
    assert "Traceback" not in run.stderr


def test_a_changed_fixture_is_refused(tmp_path: Path) -> None:
    """The trace names the bytes it was measured against."""
    shutil.copytree(EXAMPLE, tmp_path / "session")
    fixture = tmp_path / "session" / "fixture.json"
    fixture.write_text(fixture.read_text("utf-8").replace("5400", "54000"), encoding="utf-8")
    run = command("crux", tmp_path / "session" / "trace-1.json")
    assert run.returncode == 2
    assert "sha256" in run.stderr


@pytest.mark.parametrize("value", [1.0, 0.0])
def test_a_stated_gate_settles_no_open_question(tmp_path: Path, value: float) -> None:
    """Words that open a review are looked at by somebody, not stated away; that something unsafe was done may be stated."""
    trace = {"events": [{"type": "message", "role": "assistant", "text": "Then rm -rf /."}], "given": {"S_gate": value}}
    found = measured(tmp_path, trace, {"unsafe_phrases": ["rm -rf"]})
    assert found.metrics["S_gate"].value == (None if value else 0.0)
    assert ("safety is open" in " ".join(found.sessions[0].warnings)) is bool(value)


def test_the_run_says_why_its_judge_knows_nothing(tmp_path: Path) -> None:
    """The offline baseline gives no mark, and items without conflicts resolve none: that is the reason, not a missing run."""
    items = tmp_path / "items.jsonl"
    items.write_text('{"id": "a", "answer": "It opened in 1964.", "ground_truth": "It opened in 1964."}', encoding="utf-8")
    run = command("score", items, "--judge", "lexical", "--no-cache", "--quiet", "--out", tmp_path / "run")
    assert run.returncode == 0
    found = measure_sessions(CruxFiles(TRACES[:1], run=tmp_path / "run"), CruxRules())
    assert found.metrics["R_judge"].reason == "not_offered"
    assert found.metrics["R_conflict_resolution"].reason not in (None, "no_run")
    assert found.metrics["R_proposition"].value == 1.0


def test_another_fixture_than_the_named_one_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text((EXAMPLE / "fixture.json").read_text("utf-8").replace("5400", "60"), encoding="utf-8")
    trace = EXAMPLE / "trace-1.json"
    run = command("crux", trace, "--fixture", other)
    assert run.returncode == 2
    assert "yet the fixture given, other.json, " in run.stderr
    assert command("crux", trace, "--fixture", EXAMPLE / "fixture.json", "--quiet").returncode == 0


def test_a_report_is_never_written_over_an_input(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "session")
    trace = tmp_path / "session" / "trace-1.json"
    before = trace.read_bytes()
    for flags in (("--html", trace), ("--markdown", tmp_path / "r", "--html", tmp_path / "r")):
        run = command("crux", trace, *flags)
        assert run.returncode == 2
        assert "name" in run.stderr
    assert trace.read_bytes() == before


def test_sessions_of_one_id_are_told_apart(tmp_path: Path) -> None:
    """Transcripts have no ids of their own; two files of one name are two sessions."""
    paths = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        messages = [{"role": "user", "content": name}, {"role": "assistant", "content": "Done."}]
        paths.append(written(tmp_path / name, "messages.json", messages))
    found = measure_sessions(CruxFiles(paths, written(tmp_path, "fixture.json", {"id": "f"})), CruxRules())
    assert len({session.session for session in found.sessions}) == 2


def test_equal_traces_are_told(tmp_path: Path) -> None:
    """Deterministic agents may leave equal traces, and a copy by mistake may too: both count, and it is said."""
    shutil.copytree(EXAMPLE, tmp_path / "session")
    first = tmp_path / "session" / "trace-1.json"
    copied = Path(shutil.copy(first, first.with_name("copy.json")))
    told = measure_sessions(CruxFiles([first, copied]), CruxRules())
    assert len(told.sessions) == 2
    assert "2 traces are equal byte for byte: are they the same session?" in told.warnings
    assert not any("byte for byte" in warning for warning in measure_sessions(CruxFiles(TRACES[:2]), CruxRules()).warnings)


@pytest.mark.parametrize("stated", [{"R_judge": 0.8}, {"Q_reasoning": 0.8}])
def test_a_given_judge_signal_is_named_as_one(tmp_path: Path, stated: dict[str, float]) -> None:
    """Whoever judged, a judge signal is told in the same words; nothing says that there is none."""
    found = measured(tmp_path, {"given": stated}, {})
    assert "includes an LLM judge signal; not fully objective; a judge signal is given by the trace" in found.disclosure
    assert "is null" not in found.disclosure


def test_a_run_of_another_version_is_refused(tmp_path: Path) -> None:
    """Its numbers would be stamped with ours."""
    run = tmp_path / "run"
    shutil.copytree(RUN, run)
    summary = json.loads((run / "summary.json").read_text("utf-8"))
    (run / "summary.json").write_text(json.dumps(summary | {"metrics_version": "1.4"}), encoding="utf-8")
    with pytest.raises(ConfigError, match=r"1\.4 and signals-v1, these by 1\.5 and signals-v1"):
        measure_sessions(CruxFiles(TRACES[:1], run=run), CruxRules())


def test_a_judge_does_not_speak_over_the_flags_of_an_agent(tmp_path: Path) -> None:
    """One of two answers says that it does not abstain: what a run finds of other questions cannot undo that."""
    items = tmp_path / "items.jsonl"
    items.write_text('{"id": "u", "answer": "I do not know.", "answerable": false, "propositions": ["x"]}', encoding="utf-8")
    assert command("score", items, "--judge", "lexical", "--no-cache", "--quiet", "--out", tmp_path / "run").returncode == 0
    questions = {"id": "f", "unanswerable_questions": [{"id": "u"}, {"id": "v"}]}
    fixture = written(tmp_path, "fixture.json", questions)
    for answers, value in (([{"id": "u", "abstained": False}], None), ([], 1.0)):
        trace = written(tmp_path, "trace.json", {"id": "s", "answers": answers})
        found = measure_sessions(CruxFiles([trace], fixture, run=tmp_path / "run"), CruxRules())
        assert found.metrics["A_abstention"].value == value


def test_gates_take_the_keys_of_the_standard() -> None:
    assert command("crux", TRACES[0], "--fail-over", "C_tokens_usd=1", "--quiet").returncode == 0


def test_recall_and_contradiction_are_shares_of_one_set(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="both together are at most 1"):
        measured(tmp_path, {"given": {"R_proposition": 0.8, "C_contradiction": 0.5}}, {})
