"""The suite is offline by construction: what would leave this machine fails the test that tries it."""

import socket
import subprocess
import sys

import pytest

from tests.offline.sitecustomize import EXIT_CODE, TRIED, is_local
from tests.runs.running import environment

LOOK_UP = "import socket; socket.getaddrinfo('example.com', 443)"
CONNECT = "import socket; socket.create_connection(('192.0.2.1', 9), 0.1)"


@pytest.mark.parametrize("host", [None, "", "localhost", "127.0.0.1", "127.8.8.8", "::1", b"localhost"])
def test_this_machine_is_local(host: str | bytes | None) -> None:
    assert is_local(host)


@pytest.mark.parametrize(
    "host", ["example.com", "192.0.2.1", "169.254.169.254", "2001:db8::1", "0.0.0.0", b"example.com", "localhost.example.com"]
)
def test_everything_else_is_not(host: str | bytes) -> None:
    assert not is_local(host)


def test_a_connection_elsewhere_fails_the_test_that_makes_it() -> None:
    """It is refused before a byte is sent, and kept for the check after each test."""
    for reach in (lambda: socket.create_connection(("192.0.2.1", 9), 0.1), lambda: socket.getaddrinfo("example.com", 443)):
        with pytest.raises(OSError, match="reached out"):
            reach()
    assert TRIED == ["socket.getaddrinfo '192.0.2.1'", "socket.getaddrinfo 'example.com'"]
    TRIED.clear()


def test_a_name_that_nobody_has_is_unknown_without_a_look_up() -> None:
    with pytest.raises(socket.gaierror):
        socket.getaddrinfo("no-such-host.invalid", 80)
    assert not TRIED


@pytest.mark.parametrize("code", [LOOK_UP, CONNECT])
def test_a_child_process_that_reaches_out_ends_at_once(code: str) -> None:
    """Whatever it would have made of an error: the exit code is one that no command has."""
    run = subprocess.run(
        [sys.executable, "-c", f"try:\n    {code}\nexcept OSError: pass"], env=environment(), capture_output=True, check=False
    )
    assert run.returncode == EXIT_CODE
    assert b"reached out" in run.stderr
