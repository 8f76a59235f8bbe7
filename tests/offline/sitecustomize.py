"""No socket of a test leaves this machine. Python runs this file by its name in every process that has its folder on the path.

An audit hook sees each connection and each look-up of a name before it happens, whichever library asks for it. A child process ends
at once with code 99; the process of the tests keeps what was tried in `TRIED`, and the test that tried it fails.
"""

import ipaddress
import os
import socket
import sys

EXIT_CODE = 99
TRIED: list[str] = []
"""What was tried beyond this machine in the process of the tests."""

_NAMES = frozenset({"", "localhost", "localhost.", "ip6-localhost", "testserver"})
_HOST_AT = {"socket.connect": 1, "socket.sendto": 1, "socket.getaddrinfo": 0, "socket.gethostbyname": 0}
_IS_CHILD = __name__ == "sitecustomize"


def is_local(host: object) -> bool:
    """Return whether a host, as a library names it, is this machine; a path of a local socket is."""
    text = host.decode("ascii", "replace") if isinstance(host, bytes) else host
    if not isinstance(text, str):
        return text is None
    try:
        return text in _NAMES or ipaddress.ip_address(text.partition("%")[0]).is_loopback
    except ValueError:
        return False


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    place = _HOST_AT.get(event)
    if place is None:
        return
    target = arguments[place]
    if event in {"socket.connect", "socket.sendto"}:
        if not isinstance(target, tuple):
            return
        target = target[0]
    if is_local(target):
        return
    if str(target).endswith(".invalid"):
        # A name that nobody has by its standard: what the resolver would say, without asking one.
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
    if _IS_CHILD:
        os.write(2, f"a test reached out to {target!r}\n".encode())
        os._exit(EXIT_CODE)
    TRIED.append(f"{event} {target!r}")
    raise OSError(f"a test reached out to {target!r}")


sys.addaudithook(_watch)
