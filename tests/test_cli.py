"""The command as users meet it: in a process of its own, by what it prints and how it ends."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from judge.version import __version__
from pipelines.files import RunFolder
from tests.endpoint.server import Endpoint
from tests.runs.items import tram, trams, write_items
from tests.runs.running import MODEL, ROOT, command, started

QUICKSTART = ROOT / "examples" / "quickstart.jsonl"


# --- help ---


@pytest.mark.parametrize("arguments", [[], ["--help"], ["score", "-h"], ["validate", "--help"]], ids=" ".join)
def test_help_fits_the_terminal_and_names_the_input(arguments: list[str]) -> None:
    """Help goes to standard output, at most 100 columns wide; the bare command shows it and ends with 2."""
    run = command(*arguments)
    shown = run.stdout or run.stderr
    assert run.returncode == (0 if arguments else 2)
    assert shown.startswith("Usage: ")
    assert max(map(len, shown.splitlines())) <= 100


def test_every_option_of_the_contract_has_help() -> None:
    """An option that is offered is explained."""
    shown = command("score", "--help").stdout
    for option in (
        "--judge",
        "--api-base",
        "--offline",
        "--repeats",
        "--batch-size",
        "--policy",
        "--locked",
        "--run-record",
        "--fail-under",
        "--min-coverage",
    ):
        assert f"  {option} " in shown


def test_version() -> None:
    run = command("--version")
    assert (run.returncode, run.stdout) == (0, f"judge, version {__version__}\n")


# --- score ---


def test_score_needs_nothing_but_an_input(tmp_path: Path) -> None:
    """Without a judge the baseline speaks and says so, and the run folder lies under runs/."""
    run = command("score", QUICKSTART, cwd=tmp_path)
    assert run.returncode == 0
    assert "no judge is configured: the offline word-overlap baseline speaks" in run.stderr
    assert "lexical (offline baseline, no model)" in run.stdout
    assert "judged by an offline word-overlap baseline" in " ".join(run.stdout.split())
    assert max(map(len, run.stdout.splitlines())) <= 100
    written = {path.name for path in (tmp_path / "runs" / "quickstart").iterdir()}
    lines = ("items.jsonl", "propositions.jsonl", "journal.jsonl", "results.jsonl")
    assert written == {*lines, "manifest.json", "summary.json", "report.md", "report.html"}
    assert [path.name for path in tmp_path.iterdir()] == ["runs"]


def test_json_is_all_that_stands_on_standard_output(tmp_path: Path) -> None:
    """The summary as in the file; gates are told on standard error."""
    run = command("score", QUICKSTART, "--judge", "lexical", "--json", "--fail-under", "R_proposition=0.1", cwd=tmp_path)
    assert run.returncode == 0
    assert run.stdout == (tmp_path / "runs" / "quickstart" / "summary.json").read_text(encoding="utf-8")
    assert "PASS" in run.stderr


def test_quiet_prints_nothing(tmp_path: Path) -> None:
    run = command("score", QUICKSTART, "--quiet", cwd=tmp_path)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


def test_settings_come_from_the_file_of_the_folder(tmp_path: Path) -> None:
    """judge.toml beside the user counts, a variable is stronger, and the manifest says which was which."""
    (tmp_path / "judge.toml").write_text('judge = "lexical"\nlimit = 3\nout = "here"\nquiet = true\n')
    run = command("score", QUICKSTART, cwd=tmp_path, env={"JUDGE_LIMIT": "2"})
    assert (run.returncode, run.stderr) == (0, "")
    manifest = json.loads((tmp_path / "here" / "manifest.json").read_text())
    assert manifest["input"]["items"] == manifest["config"]["limit"] == 2
    assert manifest["config_sources"]["limit"] == "environment variable JUDGE_LIMIT"
    assert manifest["config_sources"]["judge"] == "judge.toml"


def test_file_names_may_hold_anything(tmp_path: Path) -> None:
    """Spaces, quotes and other scripts in input and output names."""
    folder = tmp_path / "my data (v2)"
    folder.mkdir()
    source = write_items(folder / "Fragen & 'Antworten' ü.jsonl", [tram(1)])
    run = command("score", source, "--judge", "lexical", "--out", folder / "the run", cwd=tmp_path)
    assert run.returncode == 0
    assert (folder / "the run" / "report.md").exists()


def test_a_closed_reader_changes_neither_the_exit_code_nor_the_run(tmp_path: Path) -> None:
    """`judge score ... | head -1` is quiet, finishes its files, and a missed gate is still 1."""
    with started("score", QUICKSTART, "--judge", "lexical", "--fail-under", "R_proposition=0.99", cwd=tmp_path) as process:
        assert process.stdout is not None
        process.stdout.close()
        process.stdout = None
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert errors == f"run folder: {Path('runs') / 'quickstart'}\n"
    assert (tmp_path / "runs" / "quickstart" / "report.html").exists()


def test_a_resumed_command_says_what_it_made(tmp_path: Path) -> None:
    """The second run of the same command finds everything in the journal."""
    command("score", QUICKSTART, "--judge", "lexical", cwd=tmp_path)
    run = command("score", QUICKSTART, "--judge", "lexical", cwd=tmp_path)
    assert "0 made now, 0 from the cache, 25 from the journal" in run.stdout


def test_a_model_run_says_how_to_freeze_its_propositions(tmp_path: Path) -> None:
    """With a model the disclosure says so, and the hint can be pasted into a shell."""
    source = write_items(tmp_path / "my answers.jsonl", trams(2))
    with Endpoint() as endpoint:
        flags = ["--judge", MODEL, "--api-base", endpoint.url, "--cache", str(tmp_path / "cache"), "--out", str(tmp_path / "a run")]
        run = command("score", source, *flags, cwd=tmp_path)
    assert run.returncode == 0
    assert "includes an LLM judge signal; not fully objective" in " ".join(run.stdout.split())
    hint = next(line for line in run.stderr.splitlines() if "freeze" in line)
    subprocess.run(["sh", "-c", hint.split(": ", 1)[1]], check=True)
    assert (tmp_path / "my answers.propositions.jsonl").read_bytes() == (tmp_path / "a run" / "propositions.jsonl").read_bytes()


# --- gates ---


@pytest.mark.parametrize(
    ("gates", "told", "code"),
    [
        pytest.param(["--fail-under", "R_proposition=0.4"], ["gate R_proposition (mean over items) >= 0.4: 0.452381 PASS"], 0, id="met"),
        pytest.param(["--fail-under", "R_proposition=0.5"], ["gate R_proposition (mean over items) >= 0.5: 0.452381 FAIL"], 1, id="missed"),
        pytest.param(
            ["--fail-over", "C_contradiction=0.05"], ["gate C_contradiction (mean over items) <= 0.05: 0.0833333 FAIL"], 1, id="over"
        ),
        pytest.param(["--fail-under", "R_judge=0"], ["gate R_judge (mean over items) >= 0: null (not_offered) FAIL"], 1, id="null-misses"),
        pytest.param(
            ["--fail-over", "R_judge=1"], ["gate R_judge (mean over items) <= 1: null (not_offered) FAIL"], 1, id="null-misses-over"
        ),
        pytest.param(
            ["--fail-under", "Q_proposition=0.1", "--fail-over", "Q_proposition=0.2"],
            ["gate Q_proposition (derived) >= 0.1: 0.41", "gate Q_proposition (derived) <= 0.2: 0.41"],
            1,
            id="both",
        ),
        pytest.param(["--fail-under", "Cx_em=1"], ["gate Cx_em (composite) >= 1: null (no_run_record) FAIL"], 1, id="needs-a-record"),
        pytest.param(["--fail-under", "Q_reasoning=0"], ["gate Q_reasoning (derived) >= 0: null (input_null) FAIL"], 1, id="derived-null"),
    ],
)
def test_gates_are_told_as_they_end(tmp_path: Path, gates: list[str], told: list[str], code: int) -> None:
    """Every gate has a line with its bound, its value and PASS or FAIL; one FAIL and only a FAIL is exit 1."""
    run = command("score", QUICKSTART, "--judge", "lexical", *gates, cwd=tmp_path)
    lines = [line for line in run.stdout.splitlines() if line.startswith("gate ")]
    assert len(lines) == len(told)
    for line, expected in zip(lines, told, strict=True):
        assert line.startswith(expected)
    assert run.returncode == code == int(any(line.endswith("FAIL") for line in lines))


# --- what is refused ---


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        pytest.param(
            ["--fail-under", "R_recall=0.5", "--judge", "lexical"], "no metric is named R_recall; the closest is R_retrieval", id="metric"
        ),
        pytest.param(["--fail-under", "R_judge=0.5"], "a gate needs a named judge", id="gate-without-judge"),
        pytest.param(["--fail-under", "R_judge=x"], "fail_under.R_judge (--fail-under): Input should be a valid number", id="gate-value"),
        pytest.param(["--wat"], "No such option '--wat'", id="option"),
        pytest.param(["--map", "answer"], "--map takes NAME=VALUE, got 'answer'", id="map-form"),
        pytest.param(["--map", "reply=answer"], "there is no field `reply`", id="map-field"),
        pytest.param(["--map", "answer=reply"], "nothing here is named `reply`", id="map-column"),
        pytest.param(["--max-connections", "many"], "max_connections (--max-connections): Input should be a valid integer", id="number"),
        pytest.param(["--judge", "lexical", "--judge", "lexical"], "lexical is named several times", id="panel"),
        pytest.param(["--judge", "some model"], "is neither lexical, replay:RUN, nor a model name", id="judge"),
        pytest.param(["--judge", "replay:nowhere"], "nowhere is not a run folder", id="replay"),
        pytest.param(["--judge", MODEL, "--api-base", "localhost:8000"], "--api-base takes an address", id="api-base"),
        pytest.param(["--judge", MODEL, "--api-key-env", "NO_SUCH_KEY"], "this environment variable is not set", id="api-key-env"),
        pytest.param(["--policy", "soft"], "policy 'soft' is neither one of standard, strict, lenient nor a file", id="policy"),
        pytest.param(["--propositions", "none.jsonl"], "there is no such file", id="propositions"),
        pytest.param(["--locked"], "--locked: ", id="locked"),
        pytest.param(["--config", "none.toml"], "the settings file none.toml cannot be read", id="config"),
    ],
)
def test_a_wrong_command_ends_with_2_and_says_why(tmp_path: Path, arguments: list[str], told: str) -> None:
    """Nothing is judged, no result is printed, no traceback shown, no run folder left that would have to be removed."""
    run = command("score", QUICKSTART, "--out", "run", *arguments, cwd=tmp_path)
    assert (run.returncode, run.stdout) == (2, "")
    assert told in run.stderr
    assert "Traceback" not in run.stderr
    assert not (tmp_path / "run").exists()


def test_unknown_settings_of_file_and_environment_are_refused(tmp_path: Path) -> None:
    (tmp_path / "judge.toml").write_text("jugde = 'lexical'\n")
    run = command("score", QUICKSTART, cwd=tmp_path)
    assert run.returncode == 2
    assert "unknown setting 'jugde' (judge.toml)" in run.stderr
    (tmp_path / "judge.toml").unlink()
    run = command("score", QUICKSTART, cwd=tmp_path, env={"JUDGE_TEMPRATURE": "1"})
    assert run.returncode == 2
    assert "unknown setting 'temprature' (environment variable JUDGE_TEMPRATURE)" in run.stderr


def test_faults_are_listed_with_file_and_line_before_any_call(tmp_path: Path) -> None:
    """All of them, one a line, exit 2, and the endpoint hears nothing."""
    source = tmp_path / "bad.jsonl"
    source.write_text('{"id": "a", "answer": "x"}\n{"id": "a", "answer": "y"}\nno json\n{"answer": "x", "ground_truth": " "}\n')
    with Endpoint() as endpoint:
        run = command("score", source, "--judge", MODEL, "--api-base", endpoint.url, "--out", tmp_path / "run", cwd=tmp_path)
        assert endpoint.connections == 0
    assert (run.returncode, run.stdout) == (2, "")
    assert [f"bad.jsonl:{line}: " in text for line, text in zip((2, 3, 4), run.stderr.splitlines(), strict=True)] == [True] * 3
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("name", [".", "missing.jsonl", "data.xml"])
def test_what_is_no_input_file_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "data.xml").write_text("<x/>")
    run = command("score", name, "--judge", "lexical", cwd=tmp_path)
    assert run.returncode == 2
    assert name in run.stderr
    assert "Traceback" not in run.stderr


def test_a_run_folder_in_use_ends_with_2(tmp_path: Path) -> None:
    """The second of two processes is refused while the first one has the folder, and told which one that is."""
    folder = RunFolder(tmp_path / "run")
    run = command("score", QUICKSTART, "--judge", "lexical", "--out", "run", cwd=tmp_path)
    folder.close()
    holder = f"another process ({os.getpid()} on {socket.gethostname()})"
    assert (run.returncode, run.stderr) == (2, f"judge: the run folder run is in use by {holder}\n")


# --- validate ---


def test_validate_shows_how_the_input_is_understood() -> None:
    """Fields, items, and for every metric how many items have what it needs; 100 columns at most."""
    run = command("validate", QUICKSTART)
    assert (run.returncode, run.stderr) == (0, "")
    assert f"{QUICKSTART}: 16 items, no faults" in run.stdout
    assert "R_proposition" in run.stdout


def test_validate_as_json() -> None:
    found = json.loads(command("validate", QUICKSTART, "--json").stdout)
    assert found["items"] == 16
    assert {need["metric"] for need in found["metrics"]} >= {"R_proposition", "A_abstention"}


def test_validate_lists_faults(tmp_path: Path) -> None:
    source = tmp_path / "bad.jsonl"
    source.write_text('{"question": "?"}\n{"answer": "x", "propositions": [1]}\n')
    run = command("validate", source)
    assert (run.returncode, run.stdout) == (2, "")
    assert "bad.jsonl:1: " in run.stderr
    assert "bad.jsonl:2: " in run.stderr


def test_an_unknown_command_is_named() -> None:
    run = command("judge-it")
    assert run.returncode == 2
    assert "No such command 'judge-it'" in run.stderr


def test_the_package_runs_from_anywhere(tmp_path: Path) -> None:
    """`python -m pipelines` finds prompts and policies whatever the folder it is called in."""
    run = subprocess.run([sys.executable, "-P", "-m", "pipelines", "--version"], cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, check=False)
    assert run.returncode == 0
