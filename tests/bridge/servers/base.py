"""A server with real state and with faults to order. What it keeps and answers, each kind says for itself."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import BaseServer
from typing import Any, NamedTuple, TypeVar
from urllib.parse import parse_qsl, urlsplit


class Call(NamedTuple):
    """A request as it came, header names in lower case."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    raw: bytes

    @property
    def body(self) -> Any:
        """The body as JSON, None where there is none; of a form its part that is JSON, and other text as it
        is."""
        kind, raw = self.headers.get("content-type", ""), self.parts.get("payload_json", self.raw)
        if kind.startswith(("text/", "application/xml", "application/x-www")) or raw[:2] == b"--":
            return raw.decode(errors="replace")
        return json.loads(raw) if raw else None

    @property
    def parts(self) -> dict[str, bytes]:
        """The parts of a form, by name."""
        _, form, boundary = self.headers.get("content-type", "").partition("multipart/form-data; boundary=")
        found: dict[str, bytes] = {}
        for part in self.raw.split(f"--{boundary}".encode())[1:-1] if form else ():
            head, _, content = part.partition(b"\r\n\r\n")
            found[head.decode().partition('name="')[2].partition('"')[0]] = content.removesuffix(b"\r\n")
        return found


class Reply(NamedTuple):
    """An answer: a body that is a text goes out as it is, as a page; None as nothing; else as JSON."""

    status: int
    body: Any = None
    headers: Mapping[str, str] = {}


class Server(ThreadingHTTPServer):
    """Writes meet `faults`, used up one by one, then `always`, which stays; reads and refusals don't.

    It has no mercy on parallel requests: `most_at_once` tells.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.lock = threading.Lock()
        self.calls: list[Call] = []
        self.seen: list[tuple[str, str, Any]] = []
        """The same as (method, path, body)."""
        self.faults: list[Fault] = []
        self.always: Fault | None = None
        self.gets: Fault | None = None
        """What those meet that only ask."""
        self.heard_out = False
        self.delay = 0.0
        self.most_at_once = self.at_once = 0

    def writes(self, kind: str = "") -> list[tuple[str, str, Any]]:
        """Requests that change something, as (method, path, body)."""
        return [seen for seen in self.seen if seen[0] != "GET" and kind in seen[1]]

    def refusal(self, call: Call) -> Reply | None:
        """What it says to who may not ask at all."""
        return None

    def meets_faults(self, call: Call) -> bool:
        """Whether a request is one that they meet."""
        return call.method != "GET"

    def respond(self, call: Call) -> Reply:
        """Do what is asked, and answer."""
        raise NotImplementedError


class Handler(BaseHTTPRequestHandler):
    """One request: its `call` to the server, through the faults."""

    protocol_version = "HTTP/1.1"
    wbufsize = 65536  # an answer in one piece, else the client's side waits 40 ms for the second one
    server: Server
    call: Call

    def log_message(self, *args: Any) -> None:
        pass

    def handle_any(self) -> None:
        with self.server.lock:
            self.counts = True
            self.server.at_once += 1
            self.server.most_at_once = max(self.server.most_at_once, self.server.at_once)
        try:
            self._handle()
        finally:
            self.is_over()

    def is_over(self) -> None:
        """The request is under way no more: before its sender can know, who asks again at once."""
        with self.server.lock:
            self.server.at_once -= self.counts
            self.counts = False

    do_GET = do_PUT = do_POST = do_PATCH = do_DELETE = handle_any  # noqa: N815

    def _handle(self) -> None:
        server = self.server
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        parts = urlsplit(self.path)
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.call = Call(self.command, parts.path, dict(parse_qsl(parts.query)), headers, raw)
        server.calls.append(self.call)
        server.seen.append((self.call.method, self.call.path, self.call.body))
        time.sleep(server.delay)
        refusal = server.refusal(self.call)
        if refusal is not None:
            return self.answer(*refusal)
        if server.gets and self.call.method == "GET":
            return server.gets(self)
        if server.faults and server.meets_faults(self.call):
            return server.faults.pop(0)(self)
        if server.always and server.meets_faults(self.call):
            return server.always(self)
        return self.apply()

    def apply(self) -> None:
        """No fault."""
        self.answer(*self.server.respond(self.call))

    def answer(self, status: int, body: Any = None, headers: Mapping[str, str] | None = None) -> None:
        page = isinstance(body, str)
        text = b"" if body is None else body.encode() if page else json.dumps(body).encode()
        self.send_response(status)
        kind = "text/html; charset=utf-8" if page else "application/json"
        for name, value in {"Content-Type": kind, **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(text)))
        self.is_over()
        self.end_headers()
        self.wfile.write(text)

    def hang_up(self) -> None:
        self.close_connection = True
        self.is_over()
        with contextlib.suppress(OSError):
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_RDWR)


AnyServer = TypeVar("AnyServer", bound=BaseServer)


@contextlib.contextmanager
def running(server: AnyServer) -> Iterator[AnyServer]:
    """A server that answers while the block runs."""
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


# The faults

Fault = Callable[[Handler], None]


def answers(status: int, headers: Mapping[str, str] | None = None, body: Any = None) -> Fault:
    """It does nothing and says so."""
    return lambda handler: handler.answer(status, body, headers)


def html(status: int) -> Fault:
    """It fails with a page."""
    return answers(status, body="<html><h1>Internal Server Error</h1></html>")


def applies_and(then: Fault) -> Fault:
    """It does what it was asked, and then fails."""

    def fault(handler: Handler) -> None:
        handler.server.respond(handler.call)
        then(handler)

    return fault


def drops(handler: Handler) -> None:
    """The connection is gone without a word."""
    handler.hang_up()


def cut_short(handler: Handler) -> None:
    """The answer begins, and ends before its end."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "500")
    handler.end_headers()
    handler.wfile.write(b'{"id"')
    handler.hang_up()


def drips(handler: Handler) -> None:
    """The answer comes byte by byte, for longer than anybody waits."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    try:
        for _ in range(100):
            handler.wfile.write(b" ")
            handler.wfile.flush()
            time.sleep(0.03)
        handler.server.heard_out = True
    except OSError:
        pass
    handler.hang_up()


def silent(handler: Handler) -> None:
    """No answer in time."""
    time.sleep(0.5)
    handler.hang_up()
