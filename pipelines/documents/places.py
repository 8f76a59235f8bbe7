"""Where a value stands in a JSON document: `$.events[3].at`."""

import json
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

ROOT = "$"

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_LONGEST = 60
"""Characters of a key that a message bears."""


class Place(NamedTuple):
    """A path, and the value that stands there; None where there is none."""

    path: str
    value: Any


def child(path: str, key: str | int) -> str:
    """Return the path of a part; a key that is no plain name is quoted, so that no file can draw on a terminal."""
    if isinstance(key, int):
        return f"{path}[{key}]"
    name = key if len(key) <= _LONGEST else f"{key[:_LONGEST]}..."
    return f"{path}.{name}" if _PLAIN.fullmatch(name) else f"{path}[{json.dumps(name)}]"


def place_of(value: Any, location: Sequence[str | int]) -> Place:
    """Return the place that a validation reports, without the names of alternatives, which are not in the data."""
    path, current = ROOT, value
    for position, key in enumerate(location):
        is_last = position == len(location) - 1
        if isinstance(key, int) and isinstance(current, list):
            current = current[key] if key < len(current) else None
        elif isinstance(key, str) and isinstance(current, dict) and not _is_tag(current, location, position):
            if key not in current and not is_last:
                continue
            current = current.get(key)
        else:
            continue
        path = child(path, key)
    return Place(path, current)


def _is_tag(current: Any, location: Sequence[str | int], position: int) -> bool:
    """Return whether a key of a location names the kind of an event, not a field of it."""
    after_index = position > 0 and isinstance(location[position - 1], int)
    return after_index and position < len(location) - 1 and isinstance(current, dict) and current.get("type") == location[position]
