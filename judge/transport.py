"""The one owner of retries: how often, after what wait, and until when the calls of one judgment are sent."""

import asyncio
import random
import time
from functools import partial
from typing import NamedTuple, Protocol

from judge.errors import CallFault, CredentialError
from judge.negotiation import Negotiation, Parameters
from judge.prompt import Message
from judge.schema.judgments import Usage
from judge.schema.labels import Mode, UnjudgedReason
from judge.schema.replies import Reply

MAX_CALLS = 4
"""HTTP calls for one judgment over all layers: transport retries and the re-ask together."""

MAX_SENDS = 3
"""Times the same bytes are sent when the transport fails."""

RETRY_AFTER_CAP = 60.0
"""Seconds; an endpoint that asks for a longer wait is given up at once."""

FIRST_BACKOFF = 0.5
"""Seconds before the first retry when the endpoint names none; doubles each time."""


class Call(NamedTuple):
    """What to ask for: the messages and the type of the reply."""

    messages: list[Message]
    reply_type: type[Reply]
    parameters: Parameters


class ModelReply(NamedTuple):
    """What an endpoint returned: `texts` holds the content, or the arguments of each tool call."""

    texts: tuple[str, ...]
    finish_reason: str | None
    refusal: str | None
    usage: Usage
    model: str | None


class Send(Protocol):
    """Makes HTTP calls; raises CallFault, CredentialError or ConfigError."""

    def prepare(self) -> None:
        """Do once what takes long and is no part of a call, so that no deadline counts it."""
        ...

    async def __call__(self, call: Call, mode: Mode, timeout: float) -> ModelReply:  # noqa: ASYNC109 - handed to the client, which has its own
        """Make one call and return the reply, in the given mode, within the given seconds."""
        ...


class Line:
    """The calls of one judgment: counts them, retries transport faults, and ends at one deadline.

    The clock starts with the first call, not while the judgment waits for its turn.
    """

    def __init__(self, send: Send, negotiation: Negotiation[ModelReply], deadline: float, seed: str) -> None:
        """Keep how to send, on which terms, the seconds allowed in total, and a seed that makes the jitter repeatable."""
        self._send = send
        self._negotiation = negotiation
        self._deadline = deadline
        self._ends_at: float | None = None
        self._seed = seed
        self._usages: list[Usage] = []
        self.calls = 0
        self.reported_model: str | None = None

    @property
    def usage(self) -> Usage:
        """Tokens and cost of all replies so far; a figure unknown for one of them is unknown for the sum."""
        if not self._usages:
            return Usage()
        costs = [usage.cost_usd for usage in self._usages]
        return Usage(
            input_tokens=_total([usage.input_tokens for usage in self._usages]),
            output_tokens=_total([usage.output_tokens for usage in self._usages]),
            cost_usd=None if None in costs else sum(cost for cost in costs if cost is not None),
        )

    @property
    def may_call(self) -> bool:
        """Whether another call is within the limit."""
        return self.calls < MAX_CALLS

    async def call(self, call: Call) -> ModelReply:
        """Send one call, again after transport faults that may pass. Raises CallFault when it is given up."""
        backoff = FIRST_BACKOFF
        for sent in range(1, MAX_SENDS + 1):
            try:
                reply = await self._negotiation.send(partial(self._within_deadline, call), call.parameters)
            except CallFault as fault:
                wait = max(fault.retry_after or 0.0, backoff * (1 + self._jitter()))
                if not fault.retryable or sent == MAX_SENDS or not self.may_call:
                    raise
                if wait > RETRY_AFTER_CAP:
                    raise CallFault(
                        fault.reason, f"{fault.detail}; the endpoint asks to wait {wait:.0f} s, the cap is {RETRY_AFTER_CAP:.0f} s"
                    ) from fault
                if wait >= self._remaining():
                    raise CallFault(fault.reason, f"{fault.detail}; a wait of {wait:.1f} s would pass the deadline") from fault
                await asyncio.sleep(wait)
                backoff *= 2
            else:
                return reply
        raise AssertionError("the loop returns or raises")

    async def _within_deadline(self, call: Call, mode: Mode, parameters: Parameters) -> ModelReply:
        remaining = self._remaining()
        self.calls += 1
        try:
            # The endpoint's own time-out counts per read; a slow drip passes it for ever, so the task is cut as well.
            async with asyncio.timeout(remaining):
                # The client is given the same number each time: it keeps one pool of connections for each time-out.
                reply = await self._send(call._replace(parameters=parameters), mode, self._deadline)
        except CallFault as fault:
            self.calls -= not fault.was_sent
            raise
        except CredentialError as error:
            raise CredentialError(str(error), self.calls) from error
        except TimeoutError as error:
            raise CallFault(UnjudgedReason.DEADLINE_EXCEEDED, f"no complete reply within {self._deadline:g} s") from error
        # Kept here and not by the caller, so that a reply which the negotiation discards is paid for as well.
        self._usages.append(reply.usage)
        self.reported_model = reply.model
        return reply

    def _jitter(self) -> float:
        """Return a share of the wait, up to a quarter, that differs between judgments and is the same each time."""
        return random.Random(f"{self._seed}/{self.calls}").random() / 4  # noqa: S311 - spreads retries; nothing secret

    def _remaining(self) -> float:
        now = time.monotonic()
        if self._ends_at is None:
            self._ends_at = now + self._deadline
        return max(self._ends_at - now, 0.0)


def _total(counts: list[int | None]) -> int | None:
    return None if None in counts else sum(count for count in counts if count is not None)
