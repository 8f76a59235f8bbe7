"""Which row a test shows, and what it measured: the words between a test and the printed matrix."""

import re
from collections.abc import Iterable
from typing import Any

from tests.faults.matrix import ROWS

_CARRIED = re.compile(r"row(\d\d)(?!\d)")

SWEEP = "sweep"
"""The property under which a sweep records its one line; any other is shown beside the test that recorded it."""


def rows_in(test_id: str) -> set[int]:
    """Return the numbers of the rows that a test id carries: `row01` to `row42` anywhere in it."""
    known = {row.number for row in ROWS}
    return {number for number in map(int, _CARRIED.findall(test_id)) if number in known}


def missing_rows(test_ids: Iterable[str]) -> list[str]:
    """Return the rows that none of the tests carries, by their names."""
    carried = set().union(*map(rows_in, test_ids))
    return [row.name for row in ROWS if row.number not in carried]


def measured_words(properties: Iterable[tuple[str, Any]]) -> str:
    """Return what a test recorded, in the order in which it did."""
    return ", ".join(f"{name} {value}" for name, value in properties if name != SWEEP)
