"""Times as other programs write them."""

import math
from datetime import UTC, datetime
from typing import Any

from judge.schema.events import Moment
from judge.standard.stated import number_of, shown

_FIRST_MILLISECONDS = 1e11
"""Seconds since 1970 do not come this far before the year 5138; programs that count milliseconds passed it in 1973."""


def moment_of(value: Any) -> Moment | None:
    """Return a time: seconds since 1970 (milliseconds are divided), or ISO 8601 text, which without a zone is UTC.

    Raises ValueError for anything else.
    """
    if value is None:
        return None
    number = number_of(value)
    if number is not None:
        return number / 1000.0 if abs(number) >= _FIRST_MILLISECONDS else number
    if isinstance(value, str):
        try:
            found = datetime.fromisoformat(value.strip())
        except ValueError:
            pass
        else:
            return found if found.tzinfo else found.replace(tzinfo=UTC)
    raise ValueError(f"is {shown(value)}, expected seconds since 1970, or a date and time such as 2026-04-01T12:00:00Z")


def as_dates(moment: Moment | None) -> Moment | None:
    """Return seconds since 1970 as a date, where a session tells the other times as dates; beyond the calendar there is none."""
    if not isinstance(moment, float) or not math.isfinite(moment):
        return moment
    try:
        return datetime.fromtimestamp(moment, UTC)
    except (OverflowError, ValueError, OSError):
        return None
