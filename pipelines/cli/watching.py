"""Running something long to its end: progress is drawn, and Ctrl-C is listened for."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from pipelines.open_run import Progress
    from pipelines.running import Stop

Outcome = TypeVar("Outcome")


async def watched(make: "Callable[[Stop], AsyncGenerator[Progress | Outcome, None]]", kind: type[Outcome], *, quiet: bool) -> Outcome:
    """Run to the end, drawing progress, and return the outcome, which is of this kind.

    The first Ctrl-C stops the run, the second ends the process.
    """
    from pipelines.cli.interrupting import interruptible
    from pipelines.cli.progress import progress_display
    from pipelines.open_run import Progress
    from pipelines.running import Stop

    stop = Stop()
    outcome: Outcome | None = None
    with interruptible(stop), progress_display(quiet=quiet) as show:
        async with aclosing(make(stop)) as events:
            async for event in events:
                if isinstance(event, kind):
                    outcome = event
                elif isinstance(event, Progress):
                    show(event)
    assert outcome is not None, "what does not raise ends with its outcome"
    return outcome
