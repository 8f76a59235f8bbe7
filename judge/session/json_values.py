"""Values that came as JSON, of any shape and depth: the arguments of calls, the fields of checkpoints, results of tools."""

import json
from collections.abc import Iterator, Mapping
from typing import Any


def parsed(value: Any) -> Any:
    """Return what JSON text holds, and anything else as it is."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def leaves(value: Any) -> Iterator[Any]:
    """Yield what is neither list nor object, in no particular order, however deep it lies."""
    rest = [value]
    while rest:
        found = rest.pop()
        if isinstance(found, Mapping):
            rest.extend(found.values())
        elif isinstance(found, list | tuple):
            rest.extend(found)
        else:
            yield found


def searchable(value: Any) -> list[str]:
    """Return the texts in which to seek a word: the value as JSON in both usual spacings, and its texts without JSON's escapes."""
    texts = "\n".join(leaf for leaf in leaves(value) if isinstance(leaf, str))
    try:
        return [texts, *(json.dumps(value, ensure_ascii=False, default=str, separators=pair) for pair in ((", ", ": "), (",", ":")))]
    except RecursionError:
        # Too deep to be written; what it says is searched all the same.
        return [texts]
