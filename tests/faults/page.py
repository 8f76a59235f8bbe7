"""The table of the fault matrix in `docs/reliability.md`, made from the data."""

from pathlib import Path

from tests.faults.matrix import ROWS
from tests.faults.row import Row

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reliability.md"
BEGIN, END = "<!-- fault matrix: made by `python -m tests.faults` -->", "<!-- end of the fault matrix -->"


def matrix_table() -> str:
    """Return the matrix as a Markdown table."""
    head = "| # | fault | reason | what it comes to | asked again | exit | how it is tested |"
    return "\n".join([head, "| ---: | --- | --- | --- | --- | --- | --- |", *map(_table_line, ROWS)])


def with_table(page: str) -> str:
    """Return the page with the present table between its two marks. Raises ValueError if they are not both there, in order."""
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n\n{matrix_table()}\n\n{END}{after}"


def _table_line(row: Row) -> str:
    reasons = ", ".join(f"`{reason}`" for reason in row.reasons) or "–"
    codes = " or ".join(map(str, row.exit_codes))
    return f"| {row.number} | {row.fault} | {reasons} | {row.outcome} | {row.retry} | {codes} | {row.tested} |"
