"""Row 7: an endpoint that cannot be reached, never or no longer, as the real command meets it."""

import socket
import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest

from judge.schema.labels import RequestKind
from tests.endpoint import faults
from tests.endpoint.server import Endpoint, Rule
from tests.faults.conftest import Shows
from tests.faults.station import Station
from tests.runs.items import trams

pytestmark = pytest.mark.faults

Address = Callable[[Endpoint], AbstractContextManager[str]]

ONE = ["--max-connections", "1"]
IN_A_ROW = 5
"""Calls in a row that reach nobody, after which no other is made."""


class PlainSpeaker(socketserver.BaseRequestHandler):
    """Answers whatever comes, a TLS greeting too, as a plain web server does."""

    def handle(self) -> None:
        self.request.recv(4096)
        self.request.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")


@contextmanager
def closed_port(endpoint: Endpoint) -> Iterator[str]:
    """Yield an address of this machine at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    yield f"http://127.0.0.1:{port}/v1"


@contextmanager
def cut_at_once(endpoint: Endpoint) -> Iterator[str]:
    """Yield an address that takes connections and drops them."""
    endpoint.script(faults.closed())
    yield endpoint.url


@contextmanager
def cut_in_the_middle(endpoint: Endpoint) -> Iterator[str]:
    """Yield an address that drops connections in the middle of the reply."""
    endpoint.script(faults.closed(0.6))
    yield endpoint.url


@contextmanager
def unknown_name(endpoint: Endpoint) -> Iterator[str]:
    """Yield an address whose name does not resolve."""
    yield "http://no-such-host.invalid/v1"


@contextmanager
def no_tls(endpoint: Endpoint) -> Iterator[str]:
    """Yield an address that is asked for TLS and speaks plain HTTP."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), PlainSpeaker) as server:
        serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        serving.start()
        yield f"https://127.0.0.1:{server.server_address[1]}/v1"
        server.shutdown()
        serving.join()


ADDRESSES = {
    "row07-closed-port": (closed_port, "Connect call failed"),
    "row07-reset": (cut_at_once, "Server disconnected"),
    "row07-reset-in-the-reply": (cut_in_the_middle, "Not enough data"),
    "row07-dns": (unknown_name, "name"),
    "row07-tls": (no_tls, "SSL"),
}
"""Where nobody answers, and what of the cause the message must name."""


@pytest.mark.parametrize(("address", "cause"), ADDRESSES.values(), ids=ADDRESSES.keys())
def test_an_endpoint_that_never_answers(station: Station, shows: Shows, address: Address, cause: str) -> None:
    """Five calls in a row reach nobody: no other is made, nothing is judged, exit 5, and the message says what was seen."""
    with address(station.endpoint) as url:
        ended = station.score(trams(6), *ONE, api_base=url)
    assert ended.code == 5
    assert "not_run" in ended.reasons
    _, _, seen = ended.stderr.partition("5 judgments in a row did not reach the endpoint")
    assert cause.casefold() in seen.casefold(), ended.stderr
    assert ended.manifest["made_now"]["calls"] == IN_A_ROW
    assert station.endpoint.calls() in (0, IN_A_ROW)
    assert station.cached() == 0
    shows(ended, calls=f"{IN_A_ROW} in all")


def test_row07_a_connection_that_is_cut_once_is_made_again(station: Station, shows: Shows) -> None:
    """One item's labels are cut off each time: three sends and unjudged; another's once: a verdict, and the run goes on."""
    station.endpoint.script(Rule(faults.closed(), kind=RequestKind.LABEL, containing="tram 2?"))
    station.endpoint.script(Rule(faults.closed(0.5), kind=RequestKind.LABEL, containing="tram 3?", first=1))
    ended = station.score(trams(4))
    assert ended.reasons == {"network_error": 4}
    assert [len(station.sent(f"tram {number}?", RequestKind.LABEL)) for number in (1, 2, 3, 4)] == [1, 3, 2, 1]
    assert ended.code == 3
    assert station.cached() == 12 - 1
    shows(ended, calls="3 per judgment")


def test_row07_an_endpoint_that_comes_back_is_waited_for(station: Station, shows: Shows) -> None:
    """After an outage of seven calls, two of them probes, the rest is judged; the same command then judges what was hit."""
    station.endpoint.script(*(Rule(faults.closed(), nth=number) for number in range(8, 15)))
    ended = station.score(trams(6), *ONE)
    assert ended.manifest["stopped"] is None
    assert ended.code == 3
    assert "not_run" not in ended.reasons
    assert ended.outcomes("tram-6")[-1]["kind"] == "verdict"
    shows(ended, calls="3 per judgment")
    assert station.score(trams(6), *ONE).code == 0


@pytest.mark.long
def test_row07_an_endpoint_that_stays_away_is_given_up(station: Station, shows: Shows) -> None:
    """An endpoint that answered before has half a minute to come back; then the rest is not run."""
    station.endpoint.script(*(Rule(faults.closed(), nth=number) for number in range(8, 100)))
    ended = station.score(trams(6), *ONE)
    assert "the endpoint was away for" in ended.stderr
    assert "not_run" in ended.reasons
    assert ended.code == 3
    shows(ended)
