"""What somebody in the room may do to a table: bytes by socket, and what comes back."""

from __future__ import annotations

import contextlib
import json
import random
import socket
import struct
import time
from collections.abc import Callable, Iterator

KEY = "the-key-of-this-table"
STRANGE_HOSTS = (
    "[::1]evil.example",
    "[::1]]",
    "[::1",
    "[",
    "]",
    "[]:1",
    "[::1]:1:2",
    "[evil]:80",
    "127.0.0.1:80:80",
    "127.0.0.1:" + "9" * 5000,
    "127.0.0.1@evil.example",
    "evil.example/127.0.0.1",
    "127.0.0.1.evil.example",
    "",
    " ",
    "a" * 5000,
    "\xff\xfe",
    "[" + "1:" * 5000 + "]",
)
NUMBERS = ("9" * 5000, "-" + "9" * 5000, "\u0669" * 30, "1e999", "0x10", "١", "²", "")


class Line:
    """One connection to a table at this port of this machine."""

    def __init__(self, port: int, source: str = "", patience: float = 60.0) -> None:
        came_from = (source, 0) if source else None
        self.socket = socket.create_connection(("127.0.0.1", port), patience, source_address=came_from)

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.socket.close()

    def reset(self) -> None:
        """Go without a word, as a device that is switched off."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    def say(self, *words: bytes | str) -> Line:
        """Send, as far as it is taken."""
        with contextlib.suppress(OSError):
            for word in words:
                self.socket.sendall(word if isinstance(word, bytes) else word.encode("latin-1", "replace"))
        return self

    def ends(self, seconds: float) -> bool:
        """Whether the table closes it within so many seconds, whatever it says before."""
        deadline = time.monotonic() + seconds
        with contextlib.suppress(ConnectionError):
            while time.monotonic() < deadline:
                self.socket.settimeout(max(0.01, deadline - time.monotonic()))
                try:
                    if not self.socket.recv(65536):
                        return True
                except TimeoutError:
                    return False
            return False
        return True

    def status(self, seconds: float = 60.0) -> int:
        """Of the answer that comes; 0 where the line ends without one. Fails where neither comes in time."""
        heard = b""
        self.socket.settimeout(seconds)
        with contextlib.suppress(ConnectionError):
            while b"\r\n" not in heard:
                piece = self.socket.recv(4096)
                if not piece:
                    break
                heard += piece
        if not heard:
            return 0
        assert heard.startswith(b"HTTP/1.1 "), heard[:80]
        return int(heard[9:12])


def head(method: str = "GET", path: str = "/", host: str = "127.0.0.1", **headers: str) -> str:
    """The head of a request; `_` in a header's name stands for `-`."""
    lines = [f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items()]
    return f"{method} {path} HTTP/1.1\r\nHost: {host}\r\n{''.join(lines)}\r\n"


def keyed(method: str, path: str, **headers: str) -> str:
    """The same with the key."""
    return head(method, path, Authorization=f"Bearer {KEY}", **headers)


BODIES = (
    ("PUT", "/api/v1/order", {"round": 1, "entries": [{"id": "vex", "initiative": 3}]}),
    ("PUT", "/api/v1/tokens/vex", {"name": "Vex", "side": "party", "position": {"x": 1, "y": 2}}),
    ("PUT", "/api/v1/scene",
     {"id": "s", "name": "S", "rows": ["..."], "zones": [{"id": "z", "squares": []}]}),
    ("POST", "/api/v1/results", {"id": "1", "seq": 1, "title": "T", "dice": [{"faces": [1]}]}),
    ("PUT", "/api/v1/asked", {"asked": [{"id": "a", "who": "vex", "what": "w"}]}),
    ("PUT", "/api/v1/beside", {"scenes": [{"scene": {"id": "s", "name": "S", "rows": []}}]}),
)  # fmt: skip
ODD = (
    b"1" + b"0" * 5000,
    b"-1e400",
    b"[" * 20_000,
    b'{"a":' * 20_000,
    b'"\\ud800"',
    b"NaN",
    b"null",
    b"[]",
    b"{}",
    b"true",
    b'"\\u0000"',
    b"1" + b"0" * 400,
)
VERBS = ("GET", "HEAD", "PUT", "POST", "DELETE", "OPTIONS", "CONNECT", "TRACE", "PRI", "get", "\x00")
PATHS = (
    "/",
    "/static/table.js",
    "/static/../app.py",
    "/static/%2e%2e%2fapp.py",
    "/static/%00",
    "/api/v1",
    "/api/v1/state",
    "/api/v1/state/",
    "/api/v1/images/" + "0" * 64,
    "/api/v1/results?after=" + "9" * 5000,
    "/events?after=" + "9" * 5000,
    "/?watch=" + "%" * 500,
    "/?watch=%ff%fe",
    "/?" + "a&" * 5000,
    "*",
    "http://evil.example/",
    "http://[::1",
    "//evil.example/",
    "/api/v1/tokens/" + "%2f" * 2000,
    "/" + "a" * 70_000,
)


def garbled(rng: random.Random, words: bytes) -> bytes:
    """The same with a few bytes that are not."""
    data = bytearray(words)
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(len(data) + 1)
        what = rng.randrange(4)
        if what == 0:
            data[at:at] = rng.randbytes(rng.randint(1, 9))
        elif what == 1:
            del data[at : at + rng.randint(1, 9)]
        elif what == 2:
            data[at : at + 1] = rng.choice((b"\r\n", b"\x00", b"\xff", b":", b" ", b"\r", b"\n", b"%"))
        else:
            start = rng.randrange(len(data) + 1)
            data[at:at] = data[start : start + rng.randint(1, 40)]
    return bytes(data)


def request(rng: random.Random) -> bytes:
    """A request that somebody might send who means no good."""
    what = rng.randrange(5)
    if what == 0:
        hosts = ("127.0.0.1", *STRANGE_HOSTS)
        strange = {"Last_Event_ID": rng.choice(NUMBERS), "Content_Length": rng.choice((*NUMBERS, "5", "0"))}
        chosen = {name: value for name, value in strange.items() if rng.random() < 0.4}
        words = head(rng.choice(VERBS), rng.choice(PATHS), rng.choice(hosts), **chosen)
        return words.encode("utf-8" if rng.random() < 0.1 else "latin-1", "replace")
    method, path, body = rng.choice(BODIES)
    sent = json.dumps(body).encode()
    if what == 1:
        place = rng.choice((b"1", b"2", b"3", b'"vex"', b"[", b'"s"', b'"S"'))
        sent = sent.replace(place, rng.choice(ODD), 1)
    elif what == 2:
        sent = garbled(rng, sent)
    if what == 3:
        words = keyed(method, path, Transfer_Encoding="chunked").encode()
        chunked = b"%x\r\n" % len(sent) + sent + b"\r\n0\r\n\r\n"
        return words + garbled(rng, chunked)
    words = keyed(method, path, Content_Length=str(len(sent))).encode()
    return garbled(rng, words + sent) if what == 4 else words + sent


# Each of these does one thing to the table at a port, and asserts that it is answered or gone.

Deed = Callable[[int, random.Random], None]


def strange_request(port: int, rng: random.Random) -> None:
    with Line(port) as line:
        line.say(request(rng))
        line.socket.shutdown(socket.SHUT_WR)
        assert line.status() < 500


def broken_stream(port: int, rng: random.Random) -> None:
    """A page that is open, with a body that breaks."""
    with Line(port) as line:
        line.say(head("GET", "/events", Transfer_Encoding="chunked"), "5\r\nabcde\r\n")
        assert line.status() in (200, 429)
        line.say(rng.randbytes(200), "\r\n\r\n")


def left_in_the_middle(port: int, rng: random.Random) -> None:
    words = request(rng)
    line = Line(port)
    line.say(words[: rng.randrange(len(words))])
    if rng.random() < 0.5:
        line.reset()
    else:
        line.close()


def body_left(port: int, rng: random.Random) -> None:
    """Whoever has the key dies in the middle of a body."""
    line = Line(port)
    line.say(keyed("PUT", "/api/v1/order", Content_Length="1000"), '{"round"')
    time.sleep(rng.random() * 0.05)
    line.reset()


def many_at_once(port: int, rng: random.Random) -> None:
    """A hundred requests in one go, and none of the answers read."""
    with Line(port) as line:
        line.socket.settimeout(0.5)
        line.say(head("GET", "/static/table.js") * 100)
        time.sleep(rng.random() * 0.05)


def picture_not_taken(port: int, rng: random.Random) -> None:
    with Line(port) as line:
        line.say(head("GET", "/openapi.json") * 5)
        time.sleep(rng.random() * 0.1)


def endless_body(port: int, rng: random.Random) -> None:
    """A body without an end, from somebody without the key."""
    with Line(port) as line:
        how = {"Transfer_Encoding": "chunked"} if rng.random() < 0.5 else {"Content_Length": "9" * 18}
        line.say(head("PUT", "/api/v1/order", **how), b"4000\r\n" + b" " * 0x4000 + b"\r\n")
        assert line.status() == 401


def nothing(port: int, rng: random.Random) -> None:
    """Open, say nothing or half a head, and stay for a moment."""
    with Line(port) as line:
        line.say(
            rng.choice(
                (b"", b"G", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n", b"\r\n" * 50, rng.randbytes(300))
            )
        )
        time.sleep(rng.random() * 0.2)


DEEDS: tuple[Deed, ...] = (
    strange_request,
    strange_request,
    strange_request,
    broken_stream,
    left_in_the_middle,
    body_left,
    many_at_once,
    picture_not_taken,
    endless_body,
    nothing,
)


@contextlib.contextmanager
def crowd(port: int, count: int, words: str, source: str = "") -> Iterator[list[socket.socket]]:
    """So many lines at once that each have said these words. Opened without waiting for each."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 2 * count + 500)), hard))
    lines = []
    try:
        for _ in range(count):
            line = socket.socket()
            if source:
                line.bind((source, 0))
            line.setblocking(False)
            line.connect_ex(("127.0.0.1", port))
            lines.append(line)
        deadline = time.monotonic() + 30
        waiting = set(lines)
        while waiting and time.monotonic() < deadline:
            for line in list(waiting):
                try:
                    line.send(words.encode())
                except BlockingIOError:
                    continue
                except OSError:
                    pass  # sent away
                waiting.discard(line)
        yield lines
    finally:
        for line in lines:
            line.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
