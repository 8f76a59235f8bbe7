"""The README tells the truth: its commands run, its output is what they print, its snippet works, its links exist."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def _blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)


def _judge(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {"PYTHONPATH": str(ROOT), "HOME": str(folder), "PATH": "/usr/bin:/bin"}
    return subprocess.run(
        [sys.executable, "-m", "pipelines", *arguments], cwd=folder, capture_output=True, text=True, env=environment, check=False
    )


def test_the_first_command_prints_what_the_readme_shows(tmp_path: Path) -> None:
    """The main job on the shipped example needs no key and no network, exits 0 and prints exactly this."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    command = next(block for block in _blocks("console") if "judge score" in block).strip()
    arguments = command.partition("&& judge ")[2].split()
    done = _judge(*arguments, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == _blocks("text")[0]
    assert all(len(line) <= 100 for line in done.stdout.splitlines())


def test_the_recorded_run_is_replayed_byte_for_byte(tmp_path: Path) -> None:
    """The second command of the README makes the recorded files again and prints what the README shows of it, composites included."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    command = next(block for block in _blocks("console") if "replay:" in block).strip()
    done = _judge(*command.removeprefix("$ judge ").split(), folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert _is_subsequence(_blocks("text")[1].splitlines(), done.stdout.splitlines())
    recorded = ROOT / "examples" / "recorded" / "run"
    for name in ("results.jsonl", "summary.json", "propositions.jsonl", "items.jsonl"):
        assert (tmp_path / "runs" / "recorded" / name).read_bytes() == (recorded / name).read_bytes(), name
    summary = json.loads((tmp_path / "runs" / "recorded" / "summary.json").read_text())
    assert None not in [value["value"] for value in (*summary["derived"].values(), *summary["composite"].values())]


def test_the_shown_verdicts_are_those_of_the_recorded_run() -> None:
    """Label, proposition and reason stand so in the recorded results."""
    lines = (ROOT / "examples" / "recorded" / "run" / "results.jsonl").read_text(encoding="utf-8").splitlines()
    shown = next(item for item in map(json.loads, lines) if item["item_id"] == "ferry-borea")
    parts = [(part["outcome"]["label"], part["text"], part["outcome"]["rationale"]) for part in shown["propositions"]]
    assert [tuple(line.split(" | ")) for line in _blocks("text")[2].splitlines()] == parts


def _is_subsequence(wanted: list[str], given: list[str]) -> bool:
    """Return whether the wanted lines stand among the given ones in this order."""
    rest = iter(given)
    return all(line in rest for line in wanted)


def test_the_test_command_is_the_one_ci_runs() -> None:
    """`.ci/run` installs and tests as the README says."""
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    install, test = next(block for block in _blocks("console") if "pytest" in block).strip().removeprefix("$ ").split(" && ")
    assert install.replace("pip install", "pip install --quiet") in script
    assert script.rstrip().endswith(test)


def test_the_snippet_runs(tmp_path: Path) -> None:
    """The Python example works as it stands."""
    done = subprocess.run(
        [sys.executable, "-c", _blocks("python")[0]],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(ROOT), "HOME": str(tmp_path)},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_the_item_of_the_readme_is_valid(tmp_path: Path) -> None:
    """The example line can be read as it stands."""
    (tmp_path / "answers.jsonl").write_text(_blocks("json")[0], encoding="utf-8")
    assert _judge("validate", "answers.jsonl", folder=tmp_path).returncode == 0


def test_every_command_is_in_the_readme(tmp_path: Path) -> None:
    """What `judge --help` lists is described."""
    help_text = _judge("--help", folder=tmp_path).stdout
    names = re.findall(r"^  (\w+)  ", help_text.partition("Commands:")[2], flags=re.MULTILINE)
    assert names
    for name in names:
        assert f"`judge {name}" in README


@pytest.mark.parametrize("target", re.findall(r"\]\(([^)#]+)\)", README))
def test_links_lead_somewhere(target: str) -> None:
    """Every linked file is there."""
    assert (ROOT / target).is_file()
