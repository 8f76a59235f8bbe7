"""Ctrl-C and SIGTERM: the first stops a run and lets it write what it has, the second ends the process at once."""

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from pipelines.cli.output import say
from pipelines.running import Stop

_EXIT_CODE = 130


@contextmanager
def interruptible(stop: Stop) -> Iterator[None]:
    """Listen for both signals while the block runs in an event loop of the main thread."""
    loop = asyncio.get_running_loop()
    signals = 0

    def interrupted(_number: int, _frame: FrameType | None) -> None:
        nonlocal signals
        signals += 1
        if signals > 1:
            os._exit(_EXIT_CODE)
        say("\nstopping; once more to leave at once", err=True)
        loop.call_soon_threadsafe(stop.now, "interrupted", _EXIT_CODE)

    # Handlers of the loop would wait for the loop, and a second Ctrl-C is for when it does not come.
    before = {number: signal.signal(number, interrupted) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
