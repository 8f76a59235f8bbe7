"""What the client libraries may take from an endpoint: no redirect, and no body without end.

They make HTTP clients of their own, let them follow redirects, and read and search whatever arrives. So the clients are told
here, by the hook that they have for responses, and only while a call of ours is under way: other users of the same library
in this process notice nothing.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, wraps
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from judge.redaction import Redactor, shown_address

MAX_BODY = 500_000
"""Bytes of a response, unpacked. A reply of 16,000 tokens has some 100,000; far longer ones would hold the process up."""

MAX_ERROR = 20_000
"""Bytes of an error's body that are read; the rest says nothing more."""

_LIBRARIES = ("httpx", "httpx2")
"""litellm and the providers' SDKs send through one of these."""


class Refused:
    """What was refused of the responses to one call."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.redirects: list[str] = []
        self.is_too_large = False


_REFUSED: ContextVar[Refused | None] = ContextVar("refused responses", default=None)


class ResponseRefused(Exception):
    """A response is not taken. Whatever the client libraries make of this error, `watched_responses` keeps why."""


@contextmanager
def watched_responses() -> Iterator[Refused]:
    """Refuse what must not be taken from the responses of this task while the block runs; yield what comes to be refused."""
    _install()
    refused = Refused()
    before = _REFUSED.set(refused)
    try:
        yield refused
    finally:
        _REFUSED.reset(before)


@cache
def _install() -> None:
    for name in _LIBRARIES:
        if find_spec(name) is not None:
            library = import_module(name)
            library.AsyncClient.send = _watched(library.AsyncClient.send, _check_async)
            library.Client.send = _watched(library.Client.send, _check)


def _watched(send: Any, hook: Any) -> Any:
    """Return the method with the hook put into its client before the first request."""

    @wraps(send)
    def watched(client: Any, *arguments: Any, **named: Any) -> Any:
        hooks = client.event_hooks
        if _REFUSED.get() is not None and hook not in hooks["response"]:
            client.event_hooks = {**hooks, "response": [hook, *hooks["response"]]}
        return send(client, *arguments, **named)

    return watched


def _check(response: Any) -> None:
    refused = _REFUSED.get()
    if refused is None:
        return
    _refuse_redirect(response, refused)
    body = _Body(response, refused)
    for part in response.iter_bytes():
        if body.add(part):
            response.close()
            break
    body.keep()


async def _check_async(response: Any) -> None:
    refused = _REFUSED.get()
    if refused is None:
        return
    _refuse_redirect(response, refused)
    body = _Body(response, refused)
    async for part in response.aiter_bytes():
        if body.add(part):
            await response.aclose()
            break
    body.keep()


def _refuse_redirect(response: Any, refused: Refused) -> None:
    if response.has_redirect_location:
        refused.redirects.append(str(response.headers.get("location", "")))
        raise ResponseRefused(f"a redirect to {refused.redirects[-1]}")


class _Body:
    """The body of a response while it is read, up to what is enough of it."""

    def __init__(self, response: Any, refused: Refused) -> None:
        self._response = response
        self._refused = refused
        self._is_error = response.status_code >= 400
        self._most = MAX_ERROR if self._is_error else MAX_BODY
        self._content = bytearray()

    def add(self, part: bytes) -> bool:
        """Take a part; return whether there is more than is read."""
        self._content += part
        return len(self._content) > self._most

    def keep(self) -> None:
        """Hand over what was read, as if it were all. Raises ResponseRefused for a reply that is longer."""
        if len(self._content) > self._most and not self._is_error:
            self._refused.is_too_large = True
            raise ResponseRefused(f"the body is longer than {MAX_BODY:,} bytes")
        # Where a response keeps its body once it was read; there is no other way to give it one.
        self._response._content = bytes(self._content[: self._most])


def redirect_words(location: str, redactor: Redactor) -> str:
    """Return what to say of a redirect: where it wanted to send, without what may be secret in that."""
    wanted = redactor.error(shown_address(" ".join(location.split())))[:200]
    return f"the endpoint redirects to {wanted}; a redirect is never followed: give the final address with --api-base"
