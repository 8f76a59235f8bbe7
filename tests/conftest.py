"""What holds for all tests: long ones run only when asked for, and `pytest -m faults` ends with the matrix, row by row."""

from collections.abc import Iterator

import pytest

from tests.faults.report import matrix_lines, row_outcomes, sweep_lines
from tests.offline.sitecustomize import TRIED

LONG = "long"


@pytest.fixture(autouse=True)
def stays_on_this_machine() -> Iterator[None]:
    """Fail a test during which anything was to be sent beyond this machine."""
    TRIED.clear()
    yield
    assert not TRIED


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave tests of minutes out unless the marker expression names them."""
    if LONG in _expression(config):
        return
    left_out = [item for item in items if item.get_closest_marker(LONG) is not None]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item.get_closest_marker(LONG) is None]


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Count a row of the fault matrix that was skipped, or expected to fail, as failed."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and session.exitstatus == pytest.ExitCode.OK:
        outcomes = [outcome for several in row_outcomes(reporter.stats).values() for outcome in several]
        if any(outcome.ended != "passed" for outcome in outcomes):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print what sweeps came to, and the fault matrix after a run of its tests."""
    sweeps = list(sweep_lines(terminalreporter.stats))
    if sweeps:
        terminalreporter.section("sweeps")
        for line in sweeps:
            terminalreporter.write_line(line)
    if "faults" in _expression(config):
        terminalreporter.section("fault matrix")
        for line in matrix_lines(row_outcomes(terminalreporter.stats)):
            terminalreporter.write_line(line)


def _expression(config: pytest.Config) -> str:
    return str(config.getoption("markexpr"))
