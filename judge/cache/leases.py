"""Leases: while one process asks for a judgment, the others that share its cache wait for it instead of asking as well.

A lease is a lock on a file named after the key. The system releases it when the process that holds it ends, however it
ends, so nothing stale is left behind. Leases save calls and decide nothing: where none can be had, the work goes on.
"""

import asyncio
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

from judge.cache.folder import LEASES
from judge.schema.judgments import Judgment

try:
    import fcntl
except ImportError:  # a system without such locks works as if every lease were free
    _fcntl: Any = None
else:
    _fcntl = fcntl

_FIRST_PAUSE, _LONGEST_PAUSE = 0.02, 0.2
"""Seconds between two looks at what another process is asking for."""


class Lease:
    """The right to ask for one judgment; `end` gives it up."""

    def __init__(self, path: Path, descriptor: int | None, held: set[int]) -> None:
        """Hold a locked file, which is in `held` while it is open; no descriptor stands for a lease that nobody else sees."""
        self._path = path
        self._descriptor = descriptor
        self._held = held

    def end(self) -> None:
        """Let the next one ask. The file goes while it is locked, so that nobody has just locked it."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is None:
            return
        try:
            self._path.unlink(missing_ok=True)
        except OSError:
            pass  # a file that stays is free all the same once it is closed
        finally:
            self._held.discard(descriptor)
            os.close(descriptor)


class Leases:
    """The leases of one cache folder, each known by the key of a judgment."""

    def __init__(self, cache: Path, patience: float) -> None:
        """Name the folder, which is made with the first lease, and how many seconds to wait for another process at most."""
        self.warnings: list[str] = []
        self._patience = patience
        self._folder = cache / LEASES
        self._is_made = False
        self._held: set[int] = set()
        # A file is open per lease: most of what a process may have open is needed for connections.
        self._most_held = max(16, os.sysconf("SC_OPEN_MAX") // 4) if _fcntl is not None else 0

    async def wait(self, key: str, find: Callable[[], Judgment | None]) -> Lease | Judgment:
        """Return the lease of a key, or the judgment that another process came to meanwhile, which `find` looks for.

        Who holds a lease for longer than our patience loses it: then the lease returned is one that nobody else sees.
        """
        clock = asyncio.get_running_loop()
        ends_at = clock.time() + self._patience
        pause = _FIRST_PAUSE
        while True:
            lease = self.take(key)
            # Whoever had the lease before may have kept a judgment since the caller looked.
            try:
                found = find()
            except BaseException:  # whatever it was, it is raised again once the lease is free
                if lease is not None:
                    lease.end()
                raise
            if found is not None:
                if lease is not None:
                    lease.end()
                return found
            if lease is not None:
                return lease
            if (left := ends_at - clock.time()) <= 0:
                return Lease(self._path(key), None, self._held)
            await asyncio.sleep(min(pause, left))
            pause = min(pause * 1.5, _LONGEST_PAUSE)

    def take(self, key: str) -> Lease | None:
        """Return the lease of a key, or None while another holds it. Where none can be made, the work is not held up."""
        path = self._path(key)
        if len(self._held) >= self._most_held:
            return Lease(path, None, self._held)
        try:
            descriptor = self._locked(path)
        except OSError as error:
            self._warn(error)
            return Lease(path, None, self._held)
        if descriptor is None:
            return None
        self._held.add(descriptor)
        return Lease(path, descriptor, self._held)

    def _path(self, key: str) -> Path:
        return self._folder / f"{key}.lock"

    def _locked(self, path: Path) -> int | None:
        """Return a locked file, or None where another holds it. Raises OSError if the system cannot do it."""
        descriptor = self._opened(path)
        try:
            _fcntl.flock(descriptor, _fcntl.LOCK_EX | _fcntl.LOCK_NB)
            # The holder before may have removed the file between our opening and our locking it.
            if os.fstat(descriptor).st_nlink > 0:
                return descriptor
        except BlockingIOError:
            pass
        except OSError:
            os.close(descriptor)
            raise
        os.close(descriptor)
        return None

    def _opened(self, path: Path) -> int:
        if not self._is_made:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            self._folder.chmod(0o700)
            self._is_made = True
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        if stat.S_IMODE(os.fstat(descriptor).st_mode) != 0o600:
            os.fchmod(descriptor, 0o600)
        return descriptor

    def _warn(self, error: OSError) -> None:
        if not self.warnings:
            why = error.strerror or error
            self.warnings.append(f"{self._folder} cannot be used ({why}): processes that share the cache may ask for the same judgment")
