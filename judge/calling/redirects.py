"""Redirects refused: an endpoint does not decide where texts and keys are sent.

The client libraries make HTTP clients of their own and let them follow redirects. So the clients are told here, by the hook
that they have for responses, and only while a call of ours is under way: other users of the same library in this process
notice nothing.
"""

from contextvars import ContextVar
from functools import cache, wraps
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from judge.redaction import Redactor, shown_address

_LIBRARIES = ("httpx", "httpx2")
"""litellm and the providers' SDKs send through one of these."""

_REFUSED: ContextVar[list[str]] = ContextVar("refused redirects")
"""Where the redirects of the call under way wanted to go."""


class RedirectRefused(Exception):
    """An endpoint answered with a redirect. Whatever the client libraries make of this error, `watch_redirects` keeps it."""


def watch_redirects() -> list[str]:
    """Refuse redirects for the rest of this task, and return a list that will hold where they wanted to go."""
    _install()
    refused: list[str] = []
    _REFUSED.set(refused)
    return refused


@cache
def _install() -> None:
    for name in _LIBRARIES:
        if find_spec(name) is not None:
            library = import_module(name)
            library.AsyncClient.send = _watched(library.AsyncClient.send, _refuse_async)
            library.Client.send = _watched(library.Client.send, _refuse)


def _watched(send: Any, hook: Any) -> Any:
    """Return the method with the hook put into its client before the first request."""

    @wraps(send)
    def watched(client: Any, *arguments: Any, **named: Any) -> Any:
        hooks = client.event_hooks
        if hook not in hooks["response"]:
            client.event_hooks = {**hooks, "response": [hook, *hooks["response"]]}
        return send(client, *arguments, **named)

    return watched


def _refuse(response: Any) -> None:
    """Raise RedirectRefused for a redirect of a call of ours."""
    refused = _REFUSED.get(None)
    if refused is not None and response.has_redirect_location:
        refused.append(str(response.headers.get("location", "")))
        raise RedirectRefused(f"a redirect to {refused[-1]}")


async def _refuse_async(response: Any) -> None:
    _refuse(response)


def refusal_words(location: str, redactor: Redactor) -> str:
    """Return what to say of a redirect: where it wanted to send, without what may be secret in that."""
    wanted = redactor.error(shown_address(" ".join(location.split())))[:200]
    return f"the endpoint redirects to {wanted}; a redirect is never followed: give the final address with --api-base"
