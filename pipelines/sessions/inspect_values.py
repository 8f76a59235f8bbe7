"""What an Inspect log writes in a way of its own: long texts kept apart, and NaN."""

from collections.abc import Mapping
from typing import Any

from judge.standard.stated import NotANumber
from pipelines.readers.json_values import MAX_DEPTH

_SCHEMES = ("attachment://", "tc://")


def resolved(value: Any, attachments: Mapping[str, Any], levels: int = MAX_DEPTH) -> Any:
    """Return a value with every text that only points to an attachment replaced by it; one that is not there stays as it is.

    The attachments themselves are not searched again. What is nested deeper than `levels` is left alone: nobody may use it.
    """
    if isinstance(value, str):
        scheme = next((scheme for scheme in _SCHEMES if value.startswith(scheme)), None)
        found = None if scheme is None else attachments.get(value.removeprefix(scheme))
        return found if isinstance(found, str) else value
    if levels == 0 or not isinstance(value, dict | list):
        return value
    if isinstance(value, dict):
        return {key: resolved(part, attachments, levels - 1) for key, part in value.items()}
    return [resolved(part, attachments, levels - 1) for part in value]


def without_nan(value: Any, levels: int = MAX_DEPTH) -> Any:
    """Return a value with null in place of NaN, by which Inspect marks what was not scored, down to `levels` of nesting."""
    if isinstance(value, NotANumber):
        return None
    if levels == 0 or not isinstance(value, dict | list):
        return value
    if isinstance(value, dict):
        return {key: without_nan(part, levels - 1) for key, part in value.items()}
    return [without_nan(part, levels - 1) for part in value]
