"""The progress line on standard error; nothing where that is not a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipelines.open_run import Progress


@contextmanager
def progress_display(*, quiet: bool) -> Iterator[Callable[["Progress"], None]]:
    """Yield a function that shows how far a run is: rate, calls, cost and time left."""
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TextColumn("{task.fields[facts]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks = {}

        def show(progress: "Progress") -> None:
            if progress.stage not in tasks:
                tasks[progress.stage] = bar.add_task(progress.stage, total=progress.total or None, facts="")
            task = tasks[progress.stage]
            bar.update(task, completed=progress.done, facts=_facts(progress, bar.tasks[task].speed))

        yield show


def _facts(progress: "Progress", speed: float | None) -> str:
    cost = "cost unknown" if progress.cost_usd is None else f"${progress.cost_usd:.4f}"
    rate = "" if speed is None else f"{speed:.1f}/s, "
    at_once = "" if progress.connections is None else f" ({progress.connections} at once)"
    return f"{rate}{progress.calls} calls{at_once}, {progress.reused} reused, {cost}"
