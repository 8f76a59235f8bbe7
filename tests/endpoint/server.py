"""The endpoint itself: HTTP/1.1 with keep-alive on a port of this machine, served by a thread of its own."""

import asyncio
import json
import socket
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from types import TracebackType
from typing import NamedTuple, Self

from judge.schema.labels import RequestKind
from tests.endpoint.faults import Fault, HttpReply, rate_limited, status
from tests.endpoint.replies import Json, ParsedRequest, completion, parse_request, well_behaved, written

Replier = Callable[[ParsedRequest], Json | None]
"""Makes the reply that faults then edit."""

PHRASES = {code.value: code.phrase for code in HTTPStatus}


@dataclass(frozen=True)
class Rule:
    """Which requests a fault meets: of a kind, with a text, and of these the nth alone or the first few; `first=1` means once."""

    fault: Fault
    kind: RequestKind | None = None
    containing: str | None = None
    nth: int | None = None
    first: int | None = None

    def matches(self, request: ParsedRequest) -> bool:
        """Return whether the request is of the kind and holds the text, in a message or anywhere in its body."""
        if self.kind is not None and request.kind is not self.kind:
            return False
        return self.containing is None or self.containing in request.text or self.containing in json.dumps(request.body, ensure_ascii=False)

    def strikes(self, count: int) -> bool:
        """Return whether the fault meets the matching request of this number, counted from 1 since the rule was scripted."""
        return (self.nth is None or count == self.nth) and (self.first is None or count <= self.first)


class HttpRequest(NamedTuple):
    """One HTTP request; header names are in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    content: bytes


class Received(NamedTuple):
    """One chat-completions request as it arrived; `arrived` is in seconds of the monotonic clock."""

    body: Json
    kind: RequestKind | None
    arrived: float
    headers: dict[str, str]


class Endpoint:
    """An OpenAI-compatible endpoint for tests: `with Endpoint() as endpoint:`, then call `endpoint.url`.

    Every method may be called from any thread. `latency` (seconds before each completion) may be changed at any time.
    With `record=False` requests are counted but not kept. `most_at_once` answers 429 to every request beyond so many.
    """

    def __init__(
        self, *, port: int = 0, latency: float = 0.0, record: bool = True, reply: Replier = well_behaved, most_at_once: int | None = None
    ) -> None:
        self.latency = latency
        self._most_at_once = most_at_once
        self._port = port
        self._record = record
        self._reply = reply
        self._lock = threading.Lock()
        self._writers: set[asyncio.StreamWriter] = set()
        self._errors: list[Exception] = []
        self._in_flight = 0
        self.reset()

    def reset(self) -> None:
        """Forget rules, requests and counts; the port, the latency and open connections stay."""
        with self._lock:
            self._rules: list[Rule] = []
            self._matched: list[int] = []
            self._requests: list[Received] = []
            self._calls: dict[RequestKind | None, int] = {}
            self._max_in_flight = self._in_flight
            self._connections = 0

    def script(self, *rules: Rule | Fault) -> None:
        """Add rules after those already there; a bare fault meets every request."""
        with self._lock:
            self._rules += [Rule(rule) if isinstance(rule, Fault) else rule for rule in rules]
            self._matched += [0] * len(rules)

    @property
    def url(self) -> str:
        """The base URL for a client, ending in /v1."""
        return f"http://127.0.0.1:{self._port}/v1"

    @property
    def requests(self) -> list[Received]:
        """The chat-completions requests in order of arrival; empty with `record=False`."""
        with self._lock:
            return list(self._requests)

    @property
    def headers(self) -> list[dict[str, str]]:
        """The headers of each request in `requests`."""
        return [request.headers for request in self.requests]

    def calls(self, kind: RequestKind | None = None) -> int:
        """Return how many chat-completions requests arrived, of one kind or of all and none."""
        with self._lock:
            return sum(self._calls.values()) if kind is None else self._calls.get(kind, 0)

    @property
    def max_in_flight(self) -> int:
        """The most chat-completions requests that were open at once."""
        return self._max_in_flight

    @property
    def connections(self) -> int:
        """How many connections were opened since the last reset."""
        return self._connections

    def start(self) -> Self:
        """Bind the port and serve from a thread; raises OSError if the port is taken."""
        listener = socket.create_server(("127.0.0.1", self._port), backlog=1024)
        self._port = listener.getsockname()[1]
        ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve(listener, ready)), name="endpoint", daemon=True)
        self._thread.start()
        ready.wait()
        return self

    def stop(self) -> None:
        """Drop all connections and end the thread; raises what a scripted edit raised, since that is a mistake in the test."""
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join()
        if self._errors:
            raise self._errors[0]

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()

    async def _serve(self, listener: socket.socket, ready: threading.Event) -> None:
        self._loop, self._stopping = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._converse, sock=listener, backlog=1024)
        ready.set()
        await self._stopping.wait()
        server.close()
        # Transports close a turn of the loop later, and what was just accepted has no writer yet.
        for _ in range(10):
            for writer in list(self._writers):
                writer.transport.abort()
            await asyncio.sleep(0)

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection until either side closes it."""
        with self._lock:
            self._connections += 1
        self._writers.add(writer)
        try:
            while (request := await read_request(reader)) is not None and await self._respond(request, writer):
                pass
        except (ConnectionError, asyncio.CancelledError):
            pass  # the client left, or the endpoint stops
        except Exception as error:  # noqa: BLE001 - raised by `stop` in the test's own thread
            self._errors.append(error)
        finally:
            self._writers.discard(writer)
            writer.close()

    async def _respond(self, request: HttpRequest, writer: asyncio.StreamWriter) -> bool:
        """Answer one request and return whether the connection stays open."""
        stays = request.headers.get("connection", "").lower() != "close"
        match request.method, request.path:
            case "POST", "/v1/chat/completions":
                return await self._complete(request, writer) and stays
            case "GET", "/v1/models":
                reply = json_reply({"object": "list", "data": [{"id": "scripted", "object": "model", "created": 0, "owned_by": "tests"}]})
            case _:
                reply = status(404, f"no {request.method} {request.path} here").http or json_reply({})
        writer.write(framed(reply))
        await writer.drain()
        return stays

    async def _complete(self, http: HttpRequest, writer: asyncio.StreamWriter) -> bool:
        request = parse_request(json.loads(http.content))
        faults = self._arrive(request, http.headers)
        try:
            pause = self.latency + sum(fault.delay for fault in faults)
            if pause > 0:
                await asyncio.sleep(pause)
            return await send(writer, answered(request, self._reply, faults), faults)
        finally:
            with self._lock:
                self._in_flight -= 1

    def _arrive(self, request: ParsedRequest, headers: dict[str, str]) -> list[Fault]:
        """Count a request in and return the faults that meet it."""
        arrived, faults = time.monotonic(), []
        with self._lock:
            self._in_flight += 1
            self._max_in_flight = max(self._max_in_flight, self._in_flight)
            self._calls[request.kind] = self._calls.get(request.kind, 0) + 1
            if self._record:
                self._requests.append(Received(request.body, request.kind, arrived, headers))
            for index, rule in enumerate(self._rules):
                if rule.matches(request):
                    self._matched[index] += 1
                    if rule.strikes(self._matched[index]):
                        faults.append(rule.fault)
            if self._most_at_once is not None and self._in_flight > self._most_at_once:
                faults.append(rate_limited(0))
        return faults


def answered(request: ParsedRequest, reply: Replier, faults: Sequence[Fault]) -> HttpReply:
    """Return the response to a request: the reply, written, wrapped in a completion, and spoilt at each step."""
    for fault in faults:
        if fault.http is not None:
            return fault.http
    typed = reply(request)
    if typed is not None:
        for fault in faults:
            typed = fault.reply(typed)
    text = written(request, typed)
    for fault in faults:
        text = fault.text(text)
    whole = completion(request, text)
    for fault in faults:
        whole = fault.completion(whole)
    return json_reply(whole)


def json_reply(value: Json) -> HttpReply:
    """Return a value as a response with status 200."""
    return HttpReply(200, {"Content-Type": "application/json"}, json.dumps(value).encode())


def framed(reply: HttpReply) -> bytes:
    """Return the bytes of a response."""
    lines = [f"HTTP/1.1 {reply.status} {PHRASES.get(reply.status, 'Unknown')}", f"Content-Length: {len(reply.content)}"]
    lines += [f"{name}: {value}" for name, value in reply.headers.items()]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + reply.content


async def send(writer: asyncio.StreamWriter, reply: HttpReply, faults: Sequence[Fault]) -> bool:
    """Send a response, wholly or in part, at once or in drips; return whether the connection stays open."""
    whole = framed(reply)
    share = min((fault.sent_share for fault in faults), default=1.0)
    part = whole[: int(len(whole) * share)]
    interval = max((fault.drip for fault in faults), default=0.0)
    at_once = len(part) if interval <= 0 else min(len(part), len(whole) - len(reply.content))
    writer.write(part[:at_once])
    await writer.drain()
    for offset in range(at_once, len(part)):
        await asyncio.sleep(interval)
        writer.write(part[offset : offset + 1])
        await writer.drain()
    return share >= 1


async def read_request(reader: asyncio.StreamReader) -> HttpRequest | None:
    """Read one request with a Content-Length, or return None where the client closed the connection."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        content = await reader.readexactly(int(headers.get("content-length", "0")))
    except asyncio.IncompleteReadError:
        return None
    method, path, _ = first.split(" ")
    return HttpRequest(method, path, headers, content)
