"""docs/judge-quality.md is what its script makes of the public sets and of the account by hand."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from benchmarks.judge_quality.__main__ import PAGE, made
from benchmarks.judge_quality.document import READERS, readings
from tests.runs.running import ROOT, environment

FOLDER = Path(os.environ.get("CRUX_GOLD_DIR", "."))
FILES = sorted(FOLDER.glob("judge-gold/*.jsonl"))

needs_sets = pytest.mark.skipif("CRUX_GOLD_DIR" not in os.environ, reason="CRUX_GOLD_DIR is not set")


def script(*arguments: str, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run the script in a process of its own."""
    line = [sys.executable, "-m", "benchmarks.judge_quality", *arguments]
    return subprocess.run(line, cwd=ROOT, env=environment(env), capture_output=True, text=True, timeout=100, check=False)


@cache
def page() -> str:
    """Make the page once."""
    return made(FOLDER)


@pytest.mark.gold
@needs_sets
def test_the_committed_page_is_what_the_script_makes() -> None:
    """Byte for byte; `python -m benchmarks.judge_quality` writes it anew."""
    assert PAGE.read_text(encoding="utf-8") == page()


@pytest.mark.gold
@needs_sets
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_set_is_named_with_its_hash(path: Path) -> None:
    """The hash is that of the bytes of the file."""
    assert f"| `{path.name}` | `{hashlib.sha256(path.read_bytes()).hexdigest()}` |" in page()


def test_the_account_by_hand_stands_in_the_page_as_it_was_written() -> None:
    """Whole, and with the readers' figures beside the baseline's."""
    account = READERS.read_text(encoding="utf-8").strip()
    text = PAGE.read_text(encoding="utf-8")
    assert account in text
    assert "| fm2 | readers, round 3, 70 statements | 0.743 | 0.581 |" in text
    assert "| contractnli | readers, round 1, 102 statements | 0.853 | 0.746 |" in text
    assert [reading.name for reading in readings(account)][3:] == ["FM2"] * 3 + ["ContractNLI"] * 3


def test_an_account_without_its_table_is_refused() -> None:
    """A page without the readers' figures is not made in silence."""
    with pytest.raises(ValueError, match=r"readers\.md holds no table"):
        readings("Nothing was read.")


@pytest.mark.parametrize(
    ("content", "arguments", "told"),
    [
        pytest.param(None, [], "no *.dev.jsonl and no judge-gold/*.jsonl in", id="no-sets"),
        pytest.param("{not json\n", ["--check"], "x.dev.jsonl: not valid JSON", id="no-json"),
        pytest.param(
            '{"id": "a", "answer": "x", "abstained": true}\n', ["--check"], "x.dev.jsonl: record 1 names no `source`", id="no-source"
        ),
        pytest.param(None, ["--chek"], "--chek is not known, expected --check or nothing", id="flag"),
    ],
)
def test_what_cannot_be_made_is_said(content: str | None, arguments: list[str], told: str, tmp_path: Path) -> None:
    """Exit code 2 with a sentence, and no page is written."""
    before = PAGE.read_bytes()
    if content is not None:
        (tmp_path / "x.dev.jsonl").write_text(content, encoding="utf-8")
    run = script(*arguments, env={"CRUX_GOLD_DIR": str(tmp_path)})
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.startswith("judge_quality: ")
    assert told in run.stderr
    assert PAGE.read_bytes() == before


def test_a_page_of_other_sets_is_not_up_to_date(tmp_path: Path) -> None:
    """--check ends with 1, shows what differs, and writes nothing."""
    before = PAGE.read_bytes()
    line = '{"id": "a", "doc_id": "d", "answer": "I cannot say.", "abstained": true, "source": "o/r@c:f", "licence": "MIT"}\n'
    (tmp_path / "tiny.dev.jsonl").write_text(line, encoding="utf-8")
    run = script("--check", env={"CRUX_GOLD_DIR": str(tmp_path)})
    assert run.returncode == 1
    assert "+| tiny | 1 | 1 | abstained 1 |" in run.stdout
    assert "not up to date" in run.stderr
    assert PAGE.read_bytes() == before
