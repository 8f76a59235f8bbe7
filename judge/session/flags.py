"""Which inputs a staleness tool calls stale, as far as its calls hold that as data. Prose can say anything, and decides nothing."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from judge.text.normalise import folded

_STALE = frozenset({"flagged", "stale", "stale_inputs", "outdated", "is_stale", "is_outdated"})
_LINE = re.compile(r"^\W*(?:flagged|stale|outdated)(?:[ _]inputs?)?\s*[:=]\s*(\S.*)$", re.IGNORECASE | re.MULTILINE)
_NAMES = ("id", "input", "document", "doc", "source", "name")
_MOST = 10_000


def flagged_in(value: Any) -> set[str]:
    """Return the folded ids that JSON data calls stale.

    Those are the members of a list under such a key (`flagged`, `stale`, ...) or of a list alone, and what has an id and such a key
    that is true, or such a word as its `status`.
    """
    found = {folded(name) for name in _members(value)} if isinstance(value, list) else set()
    rest, seen = [value], 0
    while rest and seen < _MOST:
        part = rest.pop()
        seen += 1
        if isinstance(part, list):
            rest.extend(part)
        elif isinstance(part, Mapping):
            rest.extend(part.values())
            found |= {folded(name) for name in _called(part)}
    return found


def flag_lines(text: str) -> list[str]:
    """Return what lines such as `stale: runbook-2023, wiki-old` list."""
    return _LINE.findall(text)


def _called(part: Mapping[str, Any]) -> Iterator[str]:
    """Yield what an object calls stale: the members of its lists, and itself."""
    for key, value in part.items():
        if folded(key) in _STALE and isinstance(value, list):
            yield from _members(value)
    status = part.get("status")
    is_stale = any(folded(key) in _STALE and value is True for key, value in part.items())
    if is_stale or (isinstance(status, str) and folded(status) in _STALE):
        yield from (part[name] for name in _NAMES if isinstance(part.get(name), str))


def _members(values: list[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            yield from (value[name] for name in _NAMES if isinstance(value.get(name), str) and not _is_denied(value))


def _is_denied(part: Mapping[str, Any]) -> bool:
    """Return whether an entry says itself that it is not stale."""
    return any(folded(key) in _STALE and value is False for key, value in part.items())
