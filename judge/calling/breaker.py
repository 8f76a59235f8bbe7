"""Whether an endpoint can be reached: after some failures in a row nobody calls any more but one probe at a time."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from judge.errors import CallFault
from judge.schema.labels import UnjudgedReason

FAILURES_IN_A_ROW = 5
"""HTTP calls in a row that did not reach the endpoint, after which it counts as away."""

PATIENCE = 30.0
"""Seconds an endpoint that has answered before may be away before the run gives it up."""

FIRST_PAUSE = 1.0
"""Seconds until the first probe; each further pause is twice as long, up to LONGEST_PAUSE."""

LONGEST_PAUSE = 8.0

_LOOK_AGAIN = 0.1


class Breaker:
    """Lets calls pass while an endpoint can be reached.

    Closed: everybody passes. Open, after FAILURES_IN_A_ROW: everybody waits, and after each pause one call goes out as a
    probe; an answer of any kind closes the breaker. Given up: an endpoint that never answered, or stays away for PATIENCE
    seconds, gets no call any more.
    """

    def __init__(self) -> None:
        """Begin closed."""
        self._failures = 0
        self._has_answered = False
        self._is_probing = False
        self._away_since: float | None = None
        self._pause = FIRST_PAUSE
        self._next_probe = 0.0
        self._given_up: str | None = None
        self._seen = ""

    @asynccontextmanager
    async def passing(self, ends_at: float) -> AsyncIterator[None]:
        """Wait until a call may go out, and learn from how it went.

        Raises CallFault once the endpoint was given up, or at `ends_at` on the monotonic clock.
        """
        is_probe = await self._enter(ends_at)
        try:
            yield
        except CallFault as fault:
            self._learn(fault)
            raise
        else:
            self._close()
        finally:
            if is_probe:
                self._is_probing = False

    async def _enter(self, ends_at: float) -> bool:
        """Return whether the call is the one that finds out whether the endpoint is back."""
        while self._away_since is not None:
            now = time.monotonic()
            if self._given_up is not None:
                raise CallFault(UnjudgedReason.NETWORK_ERROR, self._given_up, was_sent=False)
            # Just before the deadline, which would only say that no reply came.
            if now + _LOOK_AGAIN >= ends_at:
                raise CallFault(UnjudgedReason.NETWORK_ERROR, f"the endpoint stayed away until the deadline: {self._seen}", was_sent=False)
            if not self._is_probing and now >= self._next_probe:
                self._is_probing = True
                return True
            await asyncio.sleep(_LOOK_AGAIN)
        return False

    def _learn(self, fault: CallFault) -> None:
        if fault.reason is UnjudgedReason.NETWORK_ERROR:
            self._failures += 1
            self._seen = fault.detail
            if self._failures >= FAILURES_IN_A_ROW:
                self._open()
        elif fault.was_sent and fault.reason is not UnjudgedReason.DEADLINE_EXCEEDED:
            self._close()

    def _close(self) -> None:
        self._has_answered = True
        self._failures = 0
        self._away_since = self._given_up = None
        self._pause = FIRST_PAUSE

    def _open(self) -> None:
        """Note that the endpoint is away; give it up if it never answered or has been away for too long."""
        now = time.monotonic()
        if self._away_since is None:
            self._away_since = now
            self._next_probe = now + self._pause
        elif now >= self._next_probe:
            self._pause = min(2 * self._pause, LONGEST_PAUSE)
            self._next_probe = now + self._pause
        away = now - self._away_since
        if not self._has_answered:
            self._given_up = f"{self._failures} calls in a row did not reach the endpoint, none was ever answered: {self._seen}"
        elif away + self._pause > PATIENCE:
            self._given_up = f"the endpoint was away for {away:.0f} s: {self._seen}"
