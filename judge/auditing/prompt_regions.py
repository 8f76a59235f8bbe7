"""Whether a prompt keeps every text in its field: one region each, and nothing of it lost."""

from collections.abc import Sequence

from judge.hashing import request_sha256
from judge.prompt import Policy, Prompt, render
from judge.schema.requests import LabelRequest
from judge.text.fence import boundary


def fence_of(request: LabelRequest) -> str:
    """Return the digits by which the prompt of a request keeps data apart."""
    texts = [statement.text for statement in request.statements]
    return boundary(request_sha256(request), [request.question or "", request.answer, *texts])


def keeps_regions(prompt: Prompt, policy: Policy, requests: Sequence[LabelRequest], payload: str | None = None) -> bool:
    """Return whether each prompt has exactly one region per field, and one of them holds a payload byte for byte where one is given."""
    users = [render(prompt, policy, request)[-1].content for request in requests]
    is_whole = all(_has_regions(user, request) for user, request in zip(users, requests, strict=True))
    return is_whole and (payload is None or any(payload in user for user in users))


def _has_regions(user: str, request: LabelRequest) -> bool:
    digits = fence_of(request)
    names = ["statements", "answer"] if request.question is None else ["question", "statements", "answer"]
    return all(user.count(f"<{mark}{name}-{digits}>") == 1 for name in names for mark in ("", "/"))
