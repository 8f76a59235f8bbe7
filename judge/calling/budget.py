"""What one command may spend: calls and US dollars, reserved before each call at their worst, settled after it."""

import asyncio
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

from judge.errors import CallFault
from judge.schema.judgments import Usage
from judge.schema.labels import UnjudgedReason
from judge.schema.prices import ModelPrice


class Tokens(NamedTuple):
    """Tokens of one call."""

    input: int
    output: int


class Reservation:
    """What one call may cost at most, until it is known what it did cost."""

    def __init__(self, usd: float) -> None:
        """Begin with the worst case of a call that has not gone out yet."""
        self.usd = usd
        self.was_sent = False

    def settle(self, usage: Usage, price: ModelPrice | None) -> None:
        """Put the cost of the reply in place of the worst case; where it is unknown, the worst case stays."""
        known = usage.cost_usd if usage.cost_usd is not None else cost_of(usage, price)
        if known is not None and 0 <= known < math.inf:
            self.usd = known


class Budget:
    """Calls and dollars that may be spent; None bounds nothing. `price` is per token and needed where dollars are bounded.

    A call that does not fit waits while others are under way, for they may turn out cheaper than their worst case.
    """

    def __init__(self, max_calls: int | None = None, max_usd: float | None = None, price: ModelPrice | None = None) -> None:
        """Begin with nothing spent. `max_usd` needs both prices."""
        assert max_usd is None or (price is not None and price.input is not None and price.output is not None)
        self._max_calls = max_calls
        self._max_usd = max_usd
        self._price = price
        self._calls = 0
        self._spent = 0.0
        self._reserved: set[Reservation] = set()
        self._changed = asyncio.Event()

    @asynccontextmanager
    async def reserved(self, tokens: Tokens) -> AsyncIterator[Reservation]:
        """Hold the worst case of one call, of at most these tokens, while it is made.

        Raises CallFault with reason `budget_stop` if it does not fit although nothing is under way any more.
        """
        reservation = await self._reserve(tokens)
        try:
            yield reservation
        except CallFault as fault:
            reservation.was_sent = reservation.was_sent and fault.was_sent
            if not fault.may_be_billed:
                reservation.usd = 0.0
            raise
        finally:
            # A call that was cut off, or never answered, counts with its worst case: it may have been billed.
            self._reserved.discard(reservation)
            self._calls -= not reservation.was_sent
            self._spent += reservation.usd if reservation.was_sent else 0.0
            self._changed.set()

    def sent(self, reservation: Reservation) -> None:
        """Note that the call goes out now: from here on it counts, whatever becomes of it."""
        reservation.was_sent = True

    def settle(self, reservation: Reservation, usage: Usage) -> None:
        """Put what a reply cost in place of what was reserved for it."""
        reservation.settle(usage, self._price)

    async def _reserve(self, tokens: Tokens) -> Reservation:
        reservation = Reservation(self._worst_usd(tokens))
        while (refusal := self._refusal(reservation.usd)) is not None:
            if not self._reserved:
                raise CallFault(UnjudgedReason.BUDGET_STOP, refusal, was_sent=False)
            self._changed.clear()
            await self._changed.wait()
        self._calls += 1
        self._reserved.add(reservation)
        return reservation

    def _worst_usd(self, tokens: Tokens) -> float:
        if self._max_usd is None:
            return 0.0
        worst = cost_of(Usage(input_tokens=tokens.input, output_tokens=tokens.output), self._price)
        assert worst is not None
        return worst

    def _refusal(self, usd: float) -> str | None:
        """Return why a call does not fit, or None if it does."""
        if self._max_calls is not None and self._calls >= self._max_calls:
            return f"--max-calls {self._max_calls}: {self._calls} calls were made"
        if self._max_usd is None or self._spent + sum(held.usd for held in self._reserved) + usd <= self._max_usd:
            return None
        return f"--budget-usd {self._max_usd:g}: ${self._spent:.6f} are spent, and the next call may cost ${usd:.6f}"


def cost_of(usage: Usage, price: ModelPrice | None) -> float | None:
    """Return what tokens cost in US dollars; None where a count or a price is unknown."""
    if price is None or None in (price.input, price.output, usage.input_tokens, usage.output_tokens):
        return None
    assert price.input is not None
    assert price.output is not None
    assert usage.input_tokens is not None
    assert usage.output_tokens is not None
    return usage.input_tokens * price.input + usage.output_tokens * price.output
