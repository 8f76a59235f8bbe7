"""What went wrong with one HTTP call: the many errors of the client libraries as our few reasons."""

import json
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from judge.errors import CallFault, CredentialError
from judge.redaction import Redactor
from judge.schema.labels import UnjudgedReason


def fault_of(error: BaseException, redactor: Redactor) -> CallFault | CredentialError:
    """Return what the client raised for a call, in our own words and without secrets."""
    status = getattr(error, "status_code", None)
    text = _one_line(error, redactor)
    said = f"{text} {getattr(error, 'code', None) or ''} {_codes(error)}".casefold()
    if status in (401, 403):
        return CredentialError(f"the endpoint refused the credentials ({status}): {text}")
    if (reason := _reason_by_text(type(error).__name__, said, status)) is not None:
        is_network = reason is UnjudgedReason.NETWORK_ERROR
        if is_network and (cause := _one_line(_causes(error)[-1], redactor)) not in text:
            text = f"{text} ({cause})"  # the libraries only say "connection error", whether a name, a port or TLS was wrong
        may_be_billed = reason is UnjudgedReason.DEADLINE_EXCEEDED or (is_network and not _never_connected(error))
        return CallFault(reason, text, retryable=is_network, may_be_billed=may_be_billed)
    if status == 429:
        return CallFault(UnjudgedReason.RATE_LIMITED, text, retryable=True, retry_after=_retry_after(error))
    if status is not None and status >= 500:
        return CallFault(UnjudgedReason.SERVER_ERROR, text, retryable=True, retry_after=_retry_after(error))
    if status is not None and status >= 400:
        return CallFault(UnjudgedReason.BAD_REQUEST, text, was_sent=type(error).__name__ != "UnsupportedParamsError")
    return CallFault(UnjudgedReason.INTERNAL_ERROR, f"{type(error).__name__}: {text}")


def _reason_by_text(name: str, said: str, status: int | None) -> UnjudgedReason | None:
    """Return the reason where the status alone would mislead: one status stands for several faults."""
    if name == "ContextWindowExceededError" or "context_length_exceeded" in said or "maximum context length" in said:
        return UnjudgedReason.INPUT_TOO_LONG
    if name == "ContentPolicyViolationError" or "content_filter" in said:
        return UnjudgedReason.FILTERED
    if status == 402 or (status == 429 and any(word in said for word in ("insufficient_quota", "exceeded your current quota", "billing"))):
        return UnjudgedReason.QUOTA_EXHAUSTED
    if name in ("Timeout", "APITimeoutError") or status == 408:
        return UnjudgedReason.DEADLINE_EXCEEDED
    if name == "APIConnectionError" or "connection error" in said or "cannot connect" in said or "disconnected" in said:
        return UnjudgedReason.NETWORK_ERROR
    return None


def _codes(error: BaseException) -> str:
    """Return the `code` and `type` of an error object in the body: some endpoints say nothing else of use."""
    body = next((found for each in _causes(error) if (found := _body(each)) is not None), {})
    inner = body.get("error")
    fields = inner if isinstance(inner, dict) else body
    return " ".join(str(fields[name])[:100] for name in ("code", "type") if fields.get(name))


def _body(error: BaseException) -> dict[str, Any] | None:
    """Return the JSON object that came with an error, if there is one."""
    found = getattr(error, "body", None)
    if not isinstance(found, dict):
        try:
            found = json.loads(getattr(getattr(error, "response", None), "text", "") or "")
        except Exception:  # noqa: BLE001 - a body that cannot be read says nothing
            return None
    return found if isinstance(found, dict) else None


def _causes(error: BaseException) -> list[BaseException]:
    """Return an error and what it was raised from, the first cause last."""
    causes = [error]
    while (cause := causes[-1].__cause__ or causes[-1].__context__) is not None and cause not in causes:
        causes.append(cause)
    return causes


def _never_connected(error: BaseException) -> bool:
    """Return whether a call failed before anything of it reached the endpoint."""
    names = [type(each).__name__.casefold() for each in _causes(error)]
    return any("connector" in name or "connecterror" in name for name in names)


_LONGEST_ERROR = 20_000
"""Characters of an error's text that are looked at."""


def _one_line(error: BaseException, redactor: Redactor) -> str:
    """Return the first part of an error's text on one line, without keys: endpoints put whole pages into it, and keys."""
    return redactor.error(" ".join(str(error).split())[:_LONGEST_ERROR])[:400]


def _retry_after(error: BaseException) -> float | None:
    """Return the seconds an endpoint asked to wait, a date taken against the endpoint's clock, or ours; garbage counts as not said."""
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    said = headers.get("retry-after", "")
    try:
        seconds = float(said)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(said) - _clock(headers.get("date", ""))).total_seconds()
        except (ValueError, TypeError):
            return None
    return seconds if 0 <= seconds < float("inf") else None


def _clock(date: str) -> datetime:
    """Return the time of the endpoint as its response states it, else ours."""
    try:
        return parsedate_to_datetime(date)
    except ValueError:
        return datetime.now(UTC)
