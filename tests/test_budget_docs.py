"""docs/budget.md tells the truth: its command prints what stands below it, its price file is the shipped one, every field is named."""

import re
import shlex
from pathlib import Path

import pytest

from judge.calling.transport import MAX_CALLS
from judge.schema.estimates import BudgetCheck, Estimate, NoCalls, PriceFacts, RequestEstimate, Spending, SplitEstimate
from judge.schema.record import Record
from pipelines.config import RunConfig
from pipelines.estimates.request_sizes import finding_out_calls
from tests.runs.running import ROOT, command

TEXT = (ROOT / "docs" / "budget.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    """Return the one block of a language."""
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", TEXT, flags=re.MULTILINE | re.DOTALL)
    return str(found)


def test_the_command_prints_what_is_shown(tmp_path: Path) -> None:
    """Exactly, with no key, no cache and no run folder, and none of them afterwards."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    arguments = shlex.split(block("console").removeprefix("$ judge "))
    done = command(*arguments, cwd=tmp_path, env={"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache"), "OPENAI_API_KEY": ""})
    assert (done.returncode, done.stderr, done.stdout) == (0, "", block("text"))
    assert [entry.name for entry in tmp_path.iterdir()] == ["examples"]


def test_the_price_file_is_the_shipped_one() -> None:
    """Byte for byte."""
    assert block("json") == (ROOT / "examples" / "prices.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("record", [Estimate, RequestEstimate, Spending, SplitEstimate, PriceFacts, BudgetCheck])
def test_every_field_is_named(record: type[Record]) -> None:
    """In code type."""
    assert [name for name in record.model_fields if f"`{name}`" not in TEXT] == []


@pytest.mark.parametrize("reason", NoCalls.__args__)  # type: ignore[attr-defined]
def test_every_reason_for_no_calls_is_named(reason: str) -> None:
    """In code type."""
    assert f"`{reason}`" in TEXT


def test_the_calls_of_the_worst_case_are_those_of_the_transport() -> None:
    """The page names the numbers."""
    assert f"{MAX_CALLS} calls a judgment" in TEXT
    assert f"up to {finding_out_calls(RunConfig())} calls a" in TEXT
    assert f"({finding_out_calls(RunConfig(seed=1))} with `--seed`)" in TEXT


@pytest.mark.parametrize("option", ["--estimate", "--budget-usd", "--max-calls", "--prices"])
def test_the_options_exist(option: str) -> None:
    """As the help lists them."""
    assert f"`{option}" in TEXT
    assert re.search(rf"^  {option}\b", command("score", "--help").stdout, flags=re.MULTILINE)
