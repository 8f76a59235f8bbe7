"""How many calls may be under way at once: halved when an endpoint says that it is too many, grown slowly again."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Slot:
    """One place among the calls under way; tells the throttle how its call went."""

    def __init__(self, throttle: "Throttle", round_: int) -> None:
        """Remember in which round the call began."""
        self._throttle = throttle
        self._round = round_

    def was_too_many(self) -> None:
        """Halve the number of calls; of all calls that were under way together only the first one does."""
        self._throttle.halve(self._round)

    def went_well(self) -> None:
        """Let the number of calls grow a little."""
        self._throttle.grow()


class Throttle:
    """Bounds the calls under way: at most `most`, at least 1.

    The additive increase and multiplicative decrease of TCP: about as many successes as calls are allowed add one call, one
    "too many requests" halves them.
    """

    def __init__(self, most: int) -> None:
        """Begin with all `most` calls allowed."""
        self._most = most
        self._allowed = float(most)
        self._under_way = 0
        self._round = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    @property
    def limit(self) -> int:
        """How many calls may be under way now."""
        return int(self._allowed)

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[Slot]:
        """Wait for a free place, first come first served, and hold it."""
        await self._take()
        try:
            yield Slot(self, self._round)
        finally:
            self._free()

    def halve(self, round_: int) -> None:
        """Halve what is allowed, once for all calls that began in the same round."""
        if round_ == self._round:
            self._round += 1
            self._allowed = max(1.0, self._allowed / 2)

    def grow(self) -> None:
        """Allow a fraction of a call more, one in all after about as many successes as are allowed."""
        self._allowed = min(float(self._most), self._allowed + 1 / self._allowed)
        self._admit()

    async def _take(self) -> None:
        if self._under_way < self.limit:
            self._under_way += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            # The place may have been given at the same moment: it goes to the next one.
            if turn.done() and not turn.cancelled():
                self._free()
            raise

    def _free(self) -> None:
        self._under_way -= 1
        self._admit()

    def _admit(self) -> None:
        """Give free places to those who wait; a place counts as taken from now on."""
        while self._waiting and self._under_way < self.limit:
            turn = self._waiting.popleft()
            if not turn.done():
                self._under_way += 1
                turn.set_result(None)
