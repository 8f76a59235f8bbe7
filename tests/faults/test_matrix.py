"""The matrix itself: 42 rows, each with a test that runs, and the page that shows them."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from judge.schema.labels import UnjudgedReason
from tests.faults.matrix import ROWS
from tests.faults.page import PAGE, with_table
from tests.faults.report import Outcome, matrix_lines, row_state
from tests.faults.rows import missing_rows, rows_in
from tests.runs.running import ROOT


def test_rows_are_numbered_and_end_as_the_contract_says() -> None:
    """The rows are 1 to 42, and their exit codes are of the contract."""
    assert [row.number for row in ROWS] == list(range(1, 43))
    assert {code for row in ROWS for code in row.exit_codes} <= {0, 1, 2, 3, 4, 5, 70, 130}


def test_reasons_named_in_words_are_reasons() -> None:
    """A word in code marks that looks like a reason is one, or a flag or state that the page knows."""
    known = {*UnjudgedReason, "repaired", "injection_suspected", "no_propositions", "complete"}
    for row in ROWS:
        assert set(re.findall(r"`(\w+)`", f"{row.outcome} {row.retry}")) <= known, row.name


def test_the_page_shows_the_matrix() -> None:
    """`docs/reliability.md` holds the table as it is now; `python -m tests.faults` writes it."""
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_table(page)
    assert all(f"| {row.number} | {row.fault} |" in page for row in ROWS)


@pytest.mark.parametrize(
    ("test_id", "rows"),
    [
        ("tests/faults/test_replies.py::test_replies[row09-half]", {9}),
        ("tests/test_cache.py::test_row26_and_row27_are_set_aside", {26, 27}),
        ("tests/test_api.py::test_to_rows_of_row100", set()),
        ("tests/test_api.py::test_row00_and_row43_are_none", set()),
    ],
)
def test_a_test_carries_rows_by_its_name(test_id: str, rows: set[int]) -> None:
    """Two digits after `row`, no more, and only of rows that there are."""
    assert rows_in(test_id) == rows


def pytest_in(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run pytest in a process of its own, with the hooks of these tests."""
    line = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(line, cwd=folder, env=environment, capture_output=True, text=True, timeout=100, check=False)


ROW = """
import pytest
pytestmark = pytest.mark.faults
{mark}
def test_row07_example(record_property):
    record_property("calls", 3)
@pytest.mark.long
def test_row08_takes_minutes():
    raise AssertionError
"""


@pytest.mark.parametrize(
    ("mark", "code", "line"),
    [
        ("", 0, "test_row07_example  passed: calls 3"),
        ("@pytest.mark.skip", 1, "test_row07_example  skipped"),
        ("@pytest.mark.xfail", 1, "test_row07_example  xpassed: calls 3"),
    ],
    ids=["passed", "skipped", "expected-to-fail"],
)
def test_the_run_ends_with_the_matrix(tmp_path: Path, mark: str, code: int, line: str) -> None:
    """Every row is printed with what its tests measured; a row that was not shown fails the run, and long tests stay out."""
    (tmp_path / "conftest.py").write_text("from tests.conftest import *\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n faults: rows\n long: minutes\n")
    (tmp_path / "test_example.py").write_text(ROW.format(mark=mark))
    done = pytest_in(tmp_path, "-q", "-m", "faults")
    assert done.returncode == code, done.stdout
    assert line in done.stdout
    assert [f"row{number:02}  " in done.stdout for number in range(1, 43)] == [True] * 42
    assert "test_row08" not in done.stdout


def test_every_row_has_a_test() -> None:
    """Collected with all others, the tests of the matrix carry all 42 rows."""
    done = pytest_in(ROOT, "--collect-only", "-n", "0", "-m", "faults")
    assert done.returncode == 0, done.stdout
    assert missing_rows(line for line in done.stdout.splitlines() if "::" in line) == []


@pytest.mark.parametrize(
    ("ended", "state"),
    [
        ([], "no test"),
        (["passed", "passed"], "passed"),
        (["passed", "skipped"], "skipped"),
        (["skipped", "failed", "passed"], "failed"),
        (["passed", "error"], "error"),
    ],
)
def test_a_row_stands_as_the_worst_of_its_tests(ended: list[str], state: str) -> None:
    """A row without a test, or with a skipped one, has not passed, and the last line counts it."""
    outcomes = [Outcome(f"tests/test_x.py::test_row01[{number}]", each, "calls 3") for number, each in enumerate(ended)]
    lines = list(matrix_lines({row.number: outcomes if row.number == 1 else [] for row in ROWS}))
    assert row_state(outcomes) == state
    assert state in lines[0]
    assert lines[-1] == f"{int(state == 'passed')} of 42 rows passed"
    assert len(lines) == len(ROWS) + len(outcomes) + 1
