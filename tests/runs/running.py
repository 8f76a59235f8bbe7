"""Ways to run: in this process against the scripted endpoint, and as the command in a process of its own."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pipelines.api import ScoreResult, score
from tests.endpoint.server import Endpoint

MODEL = "openai/scripted"
ROOT = Path(__file__).resolve().parents[2]


class Bench:
    """One endpoint, and a folder that holds runs and their cache."""

    def __init__(self, endpoint: Endpoint, folder: Path) -> None:
        self.endpoint = endpoint
        self.folder = folder

    @property
    def cache(self) -> Path:
        """The cache that runs share unless they name another."""
        return self.folder / "cache"

    def score(self, items: Any, out: str = "run", **settings: Any) -> ScoreResult:
        """Run in this process, by the scripted model unless another judge is named."""
        given = {"judge": MODEL, "api_base": self.endpoint.url, "out": self.folder / out, "cache": self.cache, **settings}
        if given["judge"] != MODEL:
            given.pop("api_base")
        return score(items, **given)

    def flags(self, out: str = "run") -> list[str]:
        """Return the flags that give the command the same judge, cache and run folder."""
        return ["--judge", MODEL, "--api-base", self.endpoint.url, "--out", str(self.folder / out), "--cache", str(self.cache)]


class Written(NamedTuple):
    """The two files of a run that must not depend on how it came about."""

    results: bytes
    summary: bytes


def written(result: ScoreResult) -> Written:
    """Return the bytes of `results.jsonl` and `summary.json`."""
    return Written((result.folder / "results.jsonl").read_bytes(), (result.folder / "summary.json").read_bytes())


def command(*arguments: str | Path, cwd: Path = ROOT, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run `judge` with these arguments to its end; settings of the caller's environment do not reach it."""
    return subprocess.run(_line(*arguments), cwd=cwd, env=environment(env), capture_output=True, text=True, timeout=100, check=False)


def started(*arguments: str | Path, cwd: Path = ROOT, stdout: int = subprocess.PIPE) -> subprocess.Popen[str]:
    """Start `judge` with these arguments and return its process."""
    return subprocess.Popen(_line(*arguments), cwd=cwd, env=environment(None), stdout=stdout, stderr=subprocess.PIPE, text=True)


def wait_until(holds: Callable[[], bool], seconds: float = 60) -> None:
    """Return once something holds. Raises TimeoutError if it does not within the seconds."""
    ends_at = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > ends_at:
            raise TimeoutError("it did not happen in time")
        time.sleep(0.01)


def line_count(path: Path) -> int:
    """Return how many whole lines a file has; none if it is not there."""
    return path.read_bytes().count(b"\n") if path.exists() else 0


def _line(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "pipelines", *map(str, arguments)]


def environment(env: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the variables of a child process: none of the caller's settings, this project on the path, and no way off this machine."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("JUDGE_")}
    return {**own, "PYTHONPATH": f"{ROOT / 'tests' / 'offline'}{os.pathsep}{ROOT}", **(env or {})}
