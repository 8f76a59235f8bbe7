"""What an Inspect log writes in a way of its own: long texts kept apart, and NaN."""

from collections.abc import Mapping
from typing import Any

from judge.standard.stated import NotANumber

_SCHEMES = ("attachment://", "tc://")


def resolved(value: Any, attachments: Mapping[str, Any]) -> Any:
    """Return a value with every text that only points to an attachment replaced by it; one that is not there stays as it is.

    The attachments themselves are not searched again.
    """
    if isinstance(value, str):
        scheme = next((scheme for scheme in _SCHEMES if value.startswith(scheme)), None)
        found = None if scheme is None else attachments.get(value.removeprefix(scheme))
        return found if isinstance(found, str) else value
    if isinstance(value, dict):
        return {key: resolved(part, attachments) for key, part in value.items()}
    return [resolved(part, attachments) for part in value] if isinstance(value, list) else value


def without_nan(value: Any) -> Any:
    """Return a value with null in place of NaN, by which Inspect marks what was not scored."""
    if isinstance(value, NotANumber):
        return None
    if isinstance(value, dict):
        return {key: without_nan(part) for key, part in value.items()}
    return [without_nan(part) for part in value] if isinstance(value, list) else value
