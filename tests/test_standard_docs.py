"""docs/standard-in-python.md tells the truth: its snippets run and print what stands below them."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "docs" / "standard-in-python.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("snippet", "shown"), list(zip(blocks("python"), blocks("text"), strict=True)), ids=["values", "faults"])
def test_a_snippet_prints_what_is_shown(snippet: str, shown: str, tmp_path: Path) -> None:
    """From a folder of its own, with warnings as errors."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", snippet],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(ROOT), "HOME": str(tmp_path)},
        check=False,
    )
    assert (done.returncode, done.stderr, done.stdout) == (0, "", shown)


@pytest.mark.parametrize("target", re.findall(r"\]\(([^)#]+)\)", TEXT))
def test_links_lead_somewhere(target: str) -> None:
    """Every linked file is there."""
    assert (ROOT / "docs" / target).is_file()
