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


class Purse:
    """Calls and dollars that one command may spend, by however many judges; None bounds nothing."""

    def __init__(self, max_calls: int | None = None, max_usd: float | None = None) -> None:
        """Begin with nothing spent."""
        self.max_calls = max_calls
        self.max_usd = max_usd
        self.calls = 0
        self.spent = 0.0
        self.reserved: set[Reservation] = set()
        self.changed = asyncio.Event()

    def refusal(self, usd: float) -> str | None:
        """Return why a call that may cost so much does not fit, or None if it does."""
        if self.max_calls is not None and self.calls >= self.max_calls:
            return f"--max-calls {self.max_calls}: {self.calls} calls were made"
        if self.max_usd is None or self.spent + sum(held.usd for held in self.reserved) + usd <= self.max_usd:
            return None
        return f"--budget-usd {self.max_usd:g}: ${self.spent:.6f} are spent, and the next call may cost ${usd:.6f}"


class Budget:
    """What one judge may spend of a purse, at the prices of its model, which are per token.

    A call that does not fit waits while others are under way, for they may turn out cheaper than their worst case.
    """

    def __init__(self, purse: Purse, price: ModelPrice | None = None) -> None:
        """Take from the purse; one that bounds dollars needs both prices."""
        assert purse.max_usd is None or (price is not None and price.input is not None and price.output is not None)
        self._purse = purse
        self._price = price

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
            self._purse.reserved.discard(reservation)
            self._purse.calls -= not reservation.was_sent
            self._purse.spent += reservation.usd if reservation.was_sent else 0.0
            self._purse.changed.set()

    def sent(self, reservation: Reservation) -> None:
        """Note that the call goes out now: from here on it counts, whatever becomes of it."""
        reservation.was_sent = True

    def settle(self, reservation: Reservation, usage: Usage) -> None:
        """Put what a reply cost in place of what was reserved for it."""
        reservation.settle(usage, self._price)

    async def _reserve(self, tokens: Tokens) -> Reservation:
        purse, reservation = self._purse, Reservation(self._worst_usd(tokens))
        while (refusal := purse.refusal(reservation.usd)) is not None:
            if not purse.reserved:
                raise CallFault(UnjudgedReason.BUDGET_STOP, refusal, was_sent=False)
            purse.changed.clear()
            await purse.changed.wait()
        purse.calls += 1
        purse.reserved.add(reservation)
        return reservation

    def _worst_usd(self, tokens: Tokens) -> float:
        if self._purse.max_usd is None:
            return 0.0
        worst = cost_of(Usage(input_tokens=tokens.input, output_tokens=tokens.output), self._price)
        assert worst is not None
        return worst


def cost_of(usage: Usage, price: ModelPrice | None) -> float | None:
    """Return what tokens cost in US dollars; None where a count or a price is unknown."""
    if price is None or None in (price.input, price.output, usage.input_tokens, usage.output_tokens):
        return None
    assert price.input is not None
    assert price.output is not None
    assert usage.input_tokens is not None
    assert usage.output_tokens is not None
    return usage.input_tokens * price.input + usage.output_tokens * price.output
