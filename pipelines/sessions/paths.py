"""Where a value stands in a JSON document: `$.events[3].at`."""

import json
import re
from collections.abc import Sequence
from typing import Any

ROOT = "$"

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


def child(path: str, key: str | int) -> str:
    """Return the path of a part; a key that is no plain name is quoted, so that no file can draw on a terminal."""
    if isinstance(key, int):
        return f"{path}[{key}]"
    return f"{path}.{key}" if _PLAIN.fullmatch(key) else f"{path}[{json.dumps(key)}]"


def path_of(value: Any, location: Sequence[str | int]) -> str:
    """Return the path to a location as a validation reports it, without the names of alternatives, which are not in the data."""
    path, current = ROOT, value
    for position, key in enumerate(location):
        is_last = position == len(location) - 1
        if isinstance(key, int) and isinstance(current, list):
            current = current[key] if key < len(current) else None
        elif isinstance(key, str) and isinstance(current, dict) and not is_tag(current, location, position):
            if key not in current and not is_last:
                continue
            current = current.get(key)
        else:
            continue
        path = child(path, key)
    return path


def is_tag(current: Any, location: Sequence[str | int], position: int) -> bool:
    """Return whether a key of a location names the kind of an event, not a field of it."""
    after_index = position > 0 and isinstance(location[position - 1], int)
    return after_index and position < len(location) - 1 and isinstance(current, dict) and current.get("type") == location[position]
