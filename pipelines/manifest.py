"""The facts of a run that no result may depend on: wall clock, host, versions."""

import platform
import socket
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

from judge.version import __version__

_LIBRARIES = ("litellm", "instructor", "pydantic", "diskcache", "nltk", "sentencex")


def utc_now() -> str:
    """Return the time in UTC, ISO 8601, whole seconds."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def host_name() -> str:
    """Return the name of this machine."""
    return socket.gethostname()


def versions() -> dict[str, str | None]:
    """Return the versions of what took part, read from the installed metadata without importing anything."""
    found: dict[str, str | None] = {"crux-judge": __version__, "python": platform.python_version(), "platform": platform.system().lower()}
    for name in _LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    return found
