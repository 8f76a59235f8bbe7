"""Real `judge` processes without the seconds that importing takes: one process imports everything and forks the others.

`with Launcher() as launcher: process = launcher.start("score", items, ...)`. Every process started so is one of its own,
with its own memory, files and signals; only the loaded libraries are shared.
"""

import asyncio
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn, Self

from pipelines.cli import main
from tests.runs.running import MODEL, ROOT, environment

_IMPORTED_WHILE_RUNNING = ("judge.backends.llm", "judge.backends.replay", "judge.cache.store", "pipelines.scoring", "pipelines.splitting")
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_TRUNC


class Launched:
    """One running `judge`. `stdout` and `stderr` are the files it writes to."""

    def __init__(self, launcher: "Launcher", pid: int, stdout: Path, stderr: Path) -> None:
        self.pid = pid
        self.stdout = stdout
        self.stderr = stderr
        self._launcher = launcher
        self._code: int | None = None

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the process was seen to end."""
        if self._code is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Send SIGKILL; `wait` then returns -9."""
        self.send_signal(signal.SIGKILL)

    def poll(self) -> int | None:
        """Return the exit code, the negative number of the signal that ended it, or None while it runs."""
        if self._code is None:
            self._code = self._launcher.ask({"poll": self.pid})
        return self._code

    def wait(self, seconds: float = 100) -> int:
        """Return the exit code once the process has ended. Raises TimeoutError if it does not within the seconds."""
        ends_at = time.monotonic() + seconds
        while (code := self.poll()) is None:
            if time.monotonic() > ends_at:
                raise TimeoutError(f"process {self.pid} did not end in time: {self.stderr.read_text()}")
            time.sleep(0.01)
        return code


class Launcher:
    """A process that has imported what `judge` needs and forks one for every start. Not for several threads at once."""

    def __init__(self) -> None:
        self._count = 0

    def __enter__(self) -> Self:
        self._folder = tempfile.TemporaryDirectory(prefix="launched-")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.runs.forking"],
            cwd=ROOT,
            env=environment({"LITELLM_LOCAL_MODEL_COST_MAP": "True"}),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """End the launcher, and with it whatever it started that still runs."""
        self._process.communicate(timeout=60)
        self._folder.cleanup()

    def start(
        self, *arguments: str | Path, cwd: Path = ROOT, env: Mapping[str, str] | None = None, largest_file: int | None = None
    ) -> Launched:
        """Start `judge` with these arguments.

        With `largest_file` no file it writes can grow beyond so many bytes (RLIMIT_FSIZE): its disk is full there.
        """
        self._count += 1
        stdout, stderr = (Path(self._folder.name) / f"{self._count}.{name}" for name in ("stdout", "stderr"))
        job = {
            "arguments": [str(argument) for argument in arguments],
            "cwd": str(cwd),
            "env": dict(env or {}),
            "largest_file": largest_file,
            "stdout": str(stdout),
            "stderr": str(stderr),
        }
        pid = self.ask({"start": job})
        assert pid is not None
        return Launched(self, pid, stdout, stderr)

    def ask(self, message: dict[str, Any]) -> int | None:
        """Send a message to the launching process and return its reply."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()
        reply = self._process.stdout.readline()
        if not reply:
            raise RuntimeError(f"the launching process ended with {self._process.wait()}")
        found: int | None = json.loads(reply)
        return found


def _serve() -> None:
    """Import everything, then start and report on processes as the messages on standard input ask, until they end."""
    _import_everything()
    running: set[int] = set()
    for line in sys.stdin:
        message = json.loads(line)
        if "start" in message:
            reply: int | None = os.fork()
            if reply == 0:
                _become_judge(message["start"])
            assert reply is not None
            running.add(reply)
        else:
            pid, status = os.waitpid(message["poll"], os.WNOHANG)
            running.discard(pid)
            reply = os.waitstatus_to_exitcode(status) if pid else None
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()
    for pid in running:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def _import_everything() -> None:
    """Import every command and what judging by a model needs."""
    from judge.calling.client import LiteLLMClient
    from judge.schema.settings import ModelSettings
    from pipelines.cli.root import COMMANDS

    for name in (*(module for module, _ in COMMANDS.values()), *_IMPORTED_WHILE_RUNNING):
        import_module(name)
    client = LiteLLMClient(ModelSettings(model=MODEL, api_base="http://127.0.0.1:1/v1"), "none")
    client.prepare()
    asyncio.run(client.aclose())


def _become_judge(job: dict[str, Any]) -> NoReturn:
    """Turn this forked process into the command; it ends by leaving the whole program."""
    for path, descriptor, flags in ((os.devnull, 0, os.O_RDONLY), (job["stdout"], 1, _NEW_FILE), (job["stderr"], 2, _NEW_FILE)):
        opened = os.open(path, flags, 0o600)
        os.dup2(opened, descriptor)
        os.close(opened)
    os.chdir(job["cwd"])
    os.environ.update(job["env"])
    if job["largest_file"] is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (job["largest_file"], job["largest_file"]))
    sys.argv = ["judge", *job["arguments"]]
    main()
    raise AssertionError("the command ends the process")


if __name__ == "__main__":
    _serve()
