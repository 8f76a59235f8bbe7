"""What an endpoint turns out to accept: the reply mode and the parameters, found out once per run."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from judge.errors import CallFault, CredentialError
from judge.schema.judgments import Setting
from judge.schema.labels import Mode, UnjudgedReason

ORDER = (Mode.JSON_SCHEMA, Mode.TOOLS, Mode.MD_JSON)
"""Best first: the first two leave the prompt as it is, the last one works with anything that writes text."""

PROBE_SECONDS = 10.0
"""How long others wait for the first call. Refusals come at once; a reply that takes longer is under way on good terms."""

DROPPABLE = ("temperature", "seed")
"""Parameters that change how a model samples and that some models refuse."""

_MODE_WORDS = {
    Mode.JSON_SCHEMA: ("response_format", "response_schema", "json_schema", "schema", "structured output"),
    Mode.TOOLS: ("tool", "function"),
    Mode.MD_JSON: (),
}

Parameters = dict[str, Setting]
Reply = TypeVar("Reply")


class Negotiation(Generic[Reply]):
    """The mode and the dropped parameters of one endpoint.

    The first call goes out alone, so that a refused key, mode or parameter costs one call and not one per connection. The
    others wait until it is answered, fails for a reason that is not its terms, or has been under way for PROBE_SECONDS.
    """

    def __init__(self, requested: Mode, is_readable: Callable[[Reply], bool]) -> None:
        """Start with the requested mode, or with the best one for `auto`.

        `is_readable` says whether a first reply shows that the endpoint understood the mode.
        """
        self._open = list(ORDER) if requested is Mode.AUTO else [requested]
        self._is_readable = is_readable
        self._dropped: list[str] = []
        self._free = asyncio.Event()
        self._is_probing = False
        self._has_read = False
        self._settled = False
        self._refusal: str | None = None

    @property
    def mode(self) -> Mode:
        """The mode in use."""
        return self._open[0]

    @property
    def dropped(self) -> tuple[str, ...]:
        """Parameters that the endpoint refused and that are no longer sent."""
        return tuple(self._dropped)

    async def send(self, attempt: Callable[[Mode, Parameters], Awaitable[Reply]], parameters: Parameters) -> Reply:
        """Make the call on the terms found so far; learn from a refusal, at most once per capability.

        Raises what the attempt raises once there is nothing left to learn; a refused key is not tried again.
        """
        while self._is_probing and not self._settled:
            await self._free.wait()
        if not self._settled:
            return await self._probe(attempt, parameters)
        reply = await self._attempt(attempt, parameters)
        self._has_read = self._has_read or self._is_readable(reply)
        return reply

    async def _probe(self, attempt: Callable[[Mode, Parameters], Awaitable[Reply]], parameters: Parameters) -> Reply:
        """Make the call that finds out the terms; the others wait for it, but not for long."""
        self._is_probing = True
        self._free.clear()
        timer = asyncio.get_running_loop().call_later(PROBE_SECONDS, self._settle)
        try:
            reply = await self._attempt(attempt, parameters)
            while not self._is_readable(reply) and not self._has_read and self._next_mode():
                reply = await self._attempt(attempt, parameters)
            self._settle()
        except CallFault as fault:
            # Any other fault says nothing against the terms, and nobody need wait for the next one.
            if fault.reason is not UnjudgedReason.BAD_REQUEST:
                self._settle()
            raise
        finally:
            timer.cancel()
            self._is_probing = False
            self._free.set()
        return reply

    def _settle(self) -> None:
        self._settled = True
        self._free.set()

    async def _attempt(self, attempt: Callable[[Mode, Parameters], Awaitable[Reply]], parameters: Parameters) -> Reply:
        while True:
            if self._refusal is not None:
                raise CredentialError(self._refusal)
            terms = self.mode, self.dropped
            try:
                return await attempt(self.mode, {name: value for name, value in parameters.items() if name not in self._dropped})
            except CredentialError as error:
                self._refusal = str(error)
                raise
            except CallFault as fault:
                # Another call may have learned meanwhile: then the new terms are simply used.
                learned_meanwhile = terms != (self.mode, self.dropped)
                if fault.reason is not UnjudgedReason.BAD_REQUEST or not (learned_meanwhile or self._learns(fault.detail, parameters)):
                    raise

    def _learns(self, detail: str, parameters: Parameters) -> bool:
        said = detail.casefold()
        for name in DROPPABLE:
            if name in parameters and name not in self._dropped and name in said:
                self._dropped.append(name)
                return True
        return any(word in said for word in _MODE_WORDS[self.mode]) and self._next_mode()

    def _next_mode(self) -> bool:
        """Give the present mode up; return False, keeping it, if it is the last one."""
        if len(self._open) == 1:
            return False
        self._open.pop(0)
        return True
