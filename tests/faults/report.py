"""The fault matrix as pytest prints it: every row with its tests, how they ended, and what they measured."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from tests.faults.matrix import ROWS
from tests.faults.rows import SWEEP, measured_words, rows_in

_BAD = ("failed", "error", "skipped", "xfailed", "xpassed")
"""What a row may not show, worst first."""


class Outcome(NamedTuple):
    """How one test of a row ended, and what it measured."""

    test: str
    ended: str
    measured: str


def row_outcomes(stats: Mapping[str, Sequence[Any]]) -> dict[int, list[Outcome]]:
    """Return the outcomes of the tests of each row, from the reports that pytest has sorted by how they ended."""
    found: dict[int, list[Outcome]] = {row.number: [] for row in ROWS}
    for ended in ("passed", *_BAD):
        for report in stats.get(ended, ()):
            outcome = Outcome(report.nodeid, ended, measured_words(getattr(report, "user_properties", ())))
            for number in rows_in(report.nodeid):
                found[number].append(outcome)
    return found


def sweep_lines(stats: Mapping[str, Sequence[Any]]) -> Iterator[str]:
    """Yield the line that each sweep recorded, whether it passed or failed."""
    for ended in ("passed", "failed"):
        for report in stats.get(ended, ()):
            lines = [str(value) for name, value in getattr(report, "user_properties", ()) if name == SWEEP]
            yield from (line if ended == "passed" else f"{line} (failed)" for line in lines)


def matrix_lines(found: Mapping[int, Sequence[Outcome]]) -> Iterator[str]:
    """Yield the matrix: a line for each row, below it one for each of its tests, and a count at the end."""
    for row in ROWS:
        outcomes = sorted(found[row.number])
        yield f"{row.name}  {row.fault:<58}  {row_state(outcomes):<8}  {len(outcomes)} test{'' if len(outcomes) == 1 else 's'}"
        for outcome in outcomes:
            name = outcome.test.removeprefix("tests/")
            yield f"        {name}  {outcome.ended}" + (f": {outcome.measured}" if outcome.measured else "")
    shown = sum(row_state(found[row.number]) == "passed" for row in ROWS)
    yield f"{shown} of {len(ROWS)} rows passed"


def row_state(outcomes: Sequence[Outcome]) -> str:
    """Return how a row stands: as the worst of its tests, `no test` where it has none."""
    if not outcomes:
        return "no test"
    ended = {outcome.ended for outcome in outcomes}
    return next((state for state in _BAD if state in ended), "passed")
