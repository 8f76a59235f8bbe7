"""`docs/session-record.md` and the README against the records and the command."""

import json
import re
import shlex
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel

from judge.schema.crux import CruxSummary, MinutesSpread, SessionMetric, Spread
from judge.schema.events import Event
from judge.schema.fixtures import Fixture
from judge.schema.summaries import CompositeSummary
from judge.schema.traces import TokenUsage, Trace
from pipelines.pricing import read_prices
from tests.runs.running import ROOT, command

DOC = (ROOT / "docs" / "session-record.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
EVENTS: tuple[type[BaseModel], ...] = get_args(get_args(Event)[0])
_PROSE = re.sub(r"```.*?```", "", DOC, flags=re.DOTALL)
NAMED = {word for span in re.findall(r"`([^`]+)`", _PROSE) for word in re.findall(r"\w+", span)}
"""The words that the document sets as code outside of its blocks."""
COMMANDS = [
    line.split("  #")[0].strip()
    for text in (README, DOC)
    for block in re.findall(r"```sh\n(.*?)```", text, flags=re.DOTALL)
    for line in block.splitlines()
    if re.match(r"judge (crux|metrics|campaign)\b", line) and "transcript.json" not in line and ">" not in line
]


def fields(*records: type[BaseModel]) -> list[Any]:
    return [pytest.param(name, id=f"{record.__name__}.{name}") for record in records for name in record.model_fields]


@pytest.mark.parametrize("name", fields(Fixture, Trace, TokenUsage, *EVENTS))
def test_every_field_of_the_two_files_is_described(name: str) -> None:
    assert name in NAMED


@pytest.mark.parametrize("name", fields(CruxSummary, SessionMetric, Spread, MinutesSpread, CompositeSummary))
def test_every_field_of_the_result_is_described(name: str) -> None:
    assert name in NAMED


@pytest.mark.parametrize("kind", [record.model_fields["type"].default for record in EVENTS])
def test_every_event_is_described(kind: str) -> None:
    assert f"`{kind}`" in DOC


def test_the_price_list_of_the_document_can_be_read(tmp_path: Path) -> None:
    """The example is a file that the command takes."""
    example = next(block for block in re.findall(r"```json\n(.*?)```", DOC, flags=re.DOTALL) if "per_million" in block)
    path = tmp_path / "prices.json"
    path.write_text(example, encoding="utf-8")
    assert read_prices(path).models["my-model"].input == pytest.approx(3e-6)
    assert json.loads(example)["version"] in read_prices(path).version


@pytest.mark.parametrize("line", dict.fromkeys(COMMANDS))
def test_the_commands_of_the_documents_run(line: str) -> None:
    """As they stand, in the folder of the project; the shell's star stands for the files that are there."""
    words = [path for word in shlex.split(line)[1:] for path in (sorted(map(str, ROOT.glob(word))) if "*" in word else [word])]
    run = command(*words)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout
