"""What every HTTP call of a run passes, in this order: the throttle, the budget, the breaker."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager

from judge.calling.breaker import Breaker
from judge.calling.budget import Budget, Purse, Reservation, Tokens
from judge.calling.throttle import Throttle
from judge.errors import CallFault
from judge.schema.judgments import Usage
from judge.schema.labels import UnjudgedReason


class Traffic:
    """The calls of all judgments of one run to one endpoint."""

    def __init__(self, connections: int, budget: Budget | None = None) -> None:
        """Allow that many calls at once, within a budget."""
        self._throttle = Throttle(connections)
        self._budget = Budget(Purse()) if budget is None else budget
        self._breaker = Breaker()

    @property
    def connections(self) -> int:
        """How many calls may be under way now."""
        return self._throttle.limit

    @asynccontextmanager
    async def passage(self, tokens: Tokens, started: Callable[[], float]) -> AsyncIterator[Reservation]:
        """Wait until a call of at most these tokens may go out. Raises CallFault if it never may.

        `started` is called once it is the call's turn among the others, and returns when its judgment must end, on the
        monotonic clock.
        """
        async with AsyncExitStack() as stack:
            slot = await stack.enter_async_context(self._throttle.slot())
            ends_at = started()
            reservation = await stack.enter_async_context(self._budget.reserved(tokens))
            await stack.enter_async_context(self._breaker.passing(ends_at))
            self._budget.sent(reservation)
            try:
                yield reservation
            except CallFault as fault:
                if fault.reason is UnjudgedReason.RATE_LIMITED:
                    slot.was_too_many()
                raise
            slot.went_well()

    def settle(self, reservation: Reservation, usage: Usage) -> None:
        """Note what the reply to a call cost."""
        self._budget.settle(reservation, usage)
