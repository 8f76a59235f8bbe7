"""docs/probes.md says what the tool does."""

import re
from pathlib import Path

import pytest

from judge.auditing.probe_gates import probe_gates
from judge.auditing.probe_scores import order_figures
from judge.relations.catalogue import NOT_MADE, RELATIONS
from judge.schema.probes import ProbeCase
from tests.runs.running import command

PAGE = (Path(__file__).resolve().parent.parent / "docs" / "probes.md").read_text(encoding="utf-8")


def test_every_relation_stands_in_the_page() -> None:
    """Each row is that of the catalogue."""
    for one in RELATIONS:
        assert f"| {one.id} | {one.threat} | {one.meaning} | {', '.join(one.expects)} |" in PAGE
    for by_hand in NOT_MADE:
        assert f"| {by_hand.id} | {by_hand.meaning} | {', '.join(by_hand.kinds)} |" in PAGE


def test_every_gate_and_every_field_is_named() -> None:
    """A reader finds what a name in the report means."""
    assert all(f"`{gate.name}`" in PAGE for gate in probe_gates([], order_figures([], 1), 1))
    assert all(f"`{name}`" in PAGE for name in ProbeCase.model_fields)


@pytest.mark.parametrize("line", re.findall(r"^\$ judge (.*)$", PAGE, re.MULTILINE))
def test_the_commands_run(line: str, tmp_path: Path) -> None:
    """What the page tells to type works offline."""
    arguments = line.replace("runs/", f"{tmp_path}/").split()
    done = command(*arguments)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
