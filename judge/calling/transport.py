"""The one owner of retries: how often, after what wait, and until when the calls of one judgment are sent."""

import asyncio
import json
import random
import time
from functools import cache, partial
from typing import NamedTuple, Protocol

from judge.calling.budget import Tokens
from judge.calling.negotiation import Negotiation, Parameters
from judge.calling.traffic import Traffic
from judge.errors import CallFault, CredentialError
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


class Route(NamedTuple):
    """The way to one endpoint that the judgments of a run share: how to send, on which terms, past which limits."""

    send: Send
    negotiation: Negotiation[ModelReply]
    traffic: Traffic


class Line:
    """The calls of one judgment: counts them, retries transport faults, and ends at one deadline.

    The clock starts when it is the turn of the first call, not while the judgment waits for it.
    """

    def __init__(self, route: "Route", deadline: float, seed: str) -> None:
        """Keep the way to the endpoint, the seconds allowed in total, and a seed that makes the jitter repeatable."""
        self._send = route.send
        self._negotiation = route.negotiation
        self._traffic = route.traffic
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
                least = max(fault.retry_after or 0.0, backoff)
                wait = least * (1 + self._jitter())
                if not fault.retryable or sent == MAX_SENDS or not self.may_call:
                    raise
                if least > RETRY_AFTER_CAP:
                    raise CallFault(
                        fault.reason, f"{fault.detail}; the endpoint asks to wait {least:.0f} s, the cap is {RETRY_AFTER_CAP:.0f} s"
                    ) from fault
                if wait >= self._remaining():
                    raise CallFault(fault.reason, f"{fault.detail}; a wait of {least:.1f} s would pass the deadline") from fault
                await asyncio.sleep(wait)
                backoff *= 2
            else:
                return reply
        raise AssertionError("the loop returns or raises")

    async def _within_deadline(self, call: Call, mode: Mode, parameters: Parameters) -> ModelReply:
        call = call._replace(parameters=parameters)
        before = self.calls
        try:
            # The endpoint's own time-out counts per read; a slow drip passes it for ever, so the task is cut as well.
            async with (
                asyncio.timeout_at(self._ends_at) as clock,
                self._traffic.passage(worst_tokens(call), partial(self._start, clock)) as paid,
            ):
                self.calls += 1
                # The client is given the same number each time: it keeps one pool of connections for each time-out.
                reply = await self._send(call, mode, self._deadline)
                self._traffic.settle(paid, reply.usage)
        except CallFault as fault:
            self.calls = before + (fault.was_sent and self.calls > before)
            raise
        except CredentialError as error:
            raise CredentialError(str(error), self.calls) from error
        except TimeoutError as error:
            missed = "no complete reply" if self.calls > before else "no turn to send the next call"
            raise CallFault(UnjudgedReason.DEADLINE_EXCEEDED, f"{missed} within {self._deadline:g} s") from error
        # Kept here and not by the caller, so that a reply which the negotiation discards is paid for as well.
        self._usages.append(reply.usage)
        self.reported_model = reply.model
        return reply

    def _start(self, clock: asyncio.Timeout) -> float:
        """Start the clock of the judgment unless it runs already; return when it ends."""
        if self._ends_at is None:
            self._ends_at = time.monotonic() + self._deadline
            clock.reschedule(self._ends_at)
        return self._ends_at

    def _jitter(self) -> float:
        """Return a share of the wait, up to a quarter, that differs between judgments and is the same each time."""
        return random.Random(f"{self._seed}/{self.calls}").random() / 4  # noqa: S311 - spreads retries; nothing secret

    def _remaining(self) -> float:
        assert self._ends_at is not None, "a call was made"
        return max(self._ends_at - time.monotonic(), 0.0)


def _total(counts: list[int | None]) -> int | None:
    return None if None in counts else sum(count for count in counts if count is not None)


_ROUND_MESSAGE = 64
_ROUND_SCHEMA = 1000
_WRITTEN_OUT = 3


def worst_tokens(call: Call) -> Tokens:
    """Return the most tokens that a call can cost.

    A token is never shorter than a byte. Beside the messages counts the reply's form, which the client may write out with
    white space and words of its own round it; a reply is never longer than the room it is given.
    """
    messages = sum(len(message.content.encode("utf-8", "surrogatepass")) + _ROUND_MESSAGE for message in call.messages)
    room = call.parameters["max_tokens"]
    assert isinstance(room, int)
    return Tokens(input=messages + _WRITTEN_OUT * _form_bytes(call.reply_type) + _ROUND_SCHEMA, output=room)


@cache
def _form_bytes(reply_type: type[Reply]) -> int:
    return len(json.dumps(reply_type.model_json_schema()).encode())
