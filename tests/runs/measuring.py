"""What a process costs, measured from outside it; and the scripted endpoint as a process of its own."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.runs.running import ROOT


class Cost(NamedTuple):
    """Seconds on the wall, seconds of processor time, peak memory in MB, and what the process printed."""

    wall: float
    cpu: float
    peak_mb: float
    output: str


def cost_of(*arguments: str | Path) -> Cost:
    """Run Python with these arguments and return what it cost. Raises RuntimeError, with its errors, if it fails."""
    started_at = time.monotonic()
    line = [sys.executable, *map(str, arguments)]
    with subprocess.Popen(line, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        output, errors = process.stdout.read(), process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(line)} ended with {process.returncode}: {errors}")
    return Cost(time.monotonic() - started_at, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, output)


def judge_cost(*arguments: str | Path) -> Cost:
    """Run the command `judge` and return what it cost."""
    return cost_of("-m", "pipelines", *arguments)


@contextmanager
def endpoint_process(*options: str) -> Iterator[str]:
    """Serve the scripted endpoint from a process of its own and yield its address."""
    with subprocess.Popen([sys.executable, "-m", "tests.endpoint", *options], cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()
