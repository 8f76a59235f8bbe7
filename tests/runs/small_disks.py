"""Disks and folders that refuse what is asked of them, for real."""

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.runs.running import ROOT

_DROP_FROM_BOUNDING_SET = 24
_OVERRIDE, _READ_SEARCH = 1, 2


class SmallDisk:
    """A folder with room for 1 MiB; `grow` makes room. `largest_file` is set where a limit of the process has to stand for the disk."""

    def __init__(self, folder: Path, largest_file: int | None) -> None:
        self.folder = folder
        self.largest_file = largest_file

    def grow(self) -> None:
        """Make room for as much as anyone wants."""
        if self.largest_file is None:
            _mount("-o", "remount,size=64m", str(self.folder))
        self.largest_file = None


@contextmanager
def small_disk(folder: Path) -> Iterator[SmallDisk]:
    """Mount a file system of 1 MiB at a folder, or where that is not permitted stand in for it by RLIMIT_FSIZE."""
    folder.mkdir()
    if not _mount("-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)):
        yield SmallDisk(folder, 300_000)
        return
    try:
        yield SmallDisk(folder, None)
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def _mount(*arguments: str) -> bool:
    try:
        return subprocess.run(["mount", *arguments], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


def without_override() -> None:
    """Give up, before a program begins, the superuser's right to write where nobody may; for anyone else it changes nothing."""
    if os.geteuid() == 0:
        library = ctypes.CDLL(None, use_errno=True)
        for capability in (_OVERRIDE, _READ_SEARCH):
            if library.prctl(_DROP_FROM_BOUNDING_SET, capability, 0, 0, 0) != 0:
                raise OSError(ctypes.get_errno(), "the capability cannot be dropped")


def command_without_override(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run `judge` as someone to whom a read-only folder is read-only."""
    before: Callable[[], None] = without_override
    return subprocess.run(
        [sys.executable, "-m", "pipelines", *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        preexec_fn=before,
    )
