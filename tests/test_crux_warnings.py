"""What `judge crux` says of the numbers as a whole, beside them."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from pipelines.measuring import CruxFiles, CruxRules, measure_sessions
from tests.runs.running import ROOT

RUN = ROOT / "examples" / "recorded" / "run"
NAMELESS = "a session that names no agent has the values of all of them"


def written(folder: Path, name: str, value: Any) -> Path:
    path = folder / name
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def warnings(folder: Path, session: Any, run: Path | None = None) -> str:
    """Return the warnings of one file of sessions as one text."""
    files = CruxFiles([written(folder, "sessions.json", session)], written(folder, "fixture.json", {"id": "ferry"}), run)
    return "\n".join(measure_sessions(files, CruxRules()).warnings)


@pytest.mark.parametrize("is_complete", [True, False])
def test_an_incomplete_run_is_told(tmp_path: Path, *, is_complete: bool) -> None:
    """Judged values of a run that judged too little are no measurement of its agent."""
    run = tmp_path / "run"
    shutil.copytree(RUN, run)
    summary = json.loads((run / "summary.json").read_text("utf-8"))
    written(run, "summary.json", summary | {"complete": is_complete})
    found = warnings(tmp_path, {"id": "s", "agent": "atlas"}, run)
    assert ("the run run is incomplete: too little of it was judged" in found) is not is_complete


@pytest.mark.parametrize("agent", [None, "atlas"])
def test_a_session_without_an_agent_has_the_values_of_all(tmp_path: Path, agent: str | None) -> None:
    """A run of several agents says nothing of one whose name is not told."""
    found = warnings(tmp_path, {"id": "s", "agent": agent}, RUN)
    assert (f"the run run holds answers of atlas, borea; {NAMELESS}" in found) is (agent is None)


@pytest.mark.parametrize(
    ("samples", "number"),
    [
        pytest.param([("q1", 1), ("q1", 2)], None, id="epochs-of-one-sample"),
        pytest.param([("q1", 1), ("q2", 1), ("q2", 2)], 2, id="two-samples"),
    ],
)
def test_samples_of_a_log_are_no_trials_of_one_task(tmp_path: Path, samples: list[tuple[str, int]], number: int | None) -> None:
    """Epochs repeat a task; samples are tasks of their own, and one fixture cannot be right for all."""
    told = [{"id": name, "epoch": epoch, "messages": [{"role": "user", "content": "When?"}]} for name, epoch in samples]
    found = warnings(tmp_path, {"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}, "samples": told})
    sentence = f"{number} different samples of an Inspect log count as trials of one task, that of the fixture ferry"
    assert (sentence in found) if number is not None else ("different samples" not in found)


def test_traces_of_one_task_are_its_trials(tmp_path: Path) -> None:
    """Only a log tells samples from epochs: other sessions are called what their files call them."""
    assert "different samples" not in warnings(tmp_path, [{"id": "a#1"}, {"id": "b#1"}])
