"""An evening to tell of, and a table that behaves as real servers do: badly, when it is told to."""

from __future__ import annotations

import contextlib
import json
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from strike_bridge import outcome, wire
from strike_bridge.settings import Settings
from strike_cli.campaign import Campaign
from strike_cli.play.perform import How, perform
from strike_cli.rules.procedure import World

KEY = "the-key-that-nobody-may-see"

CAMPAIGN = """\
schema = 1
name = "The Ferry"
seed = 7

[characters.vex]
name = "Vex"
[characters.brann]
name = "Brann"

[creatures.goblin]
name = "Goblin"
hp = 4
[creatures.lurker]
name = "Reed Lurker"
hidden = true
hp = 6

[encounters.ford]
name = "The Ford"
goal = "Get across"
map = '''
P..g....
P..g..L.
........
'''
place = { P = "party", g = "goblin", L = "lurker" }

[encounters.mill]
name = "The Mill"
map = "P.P.g"
place = { P = "party", g = "goblin" }

[bridge.targets.table]
kind = "table"
url = "http://127.0.0.1:4747"
"""


class Evening:
    """A campaign in a folder, played by name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        (folder / "campaign.toml").write_text(CAMPAIGN, encoding="utf-8")

    def start(self, encounter: str = "ford") -> None:
        """A session, and a fight in it with initiative rolled: vex, brann, then the rest."""
        self.play("session start", at="tonight", title="")
        self.play("combat start", encounter=encounter, goal="", party=["vex", "brann"])

    def play(self, command: str, dice: list[int] | None = None, secret: bool = False, **args: Any) -> int:
        with Campaign(self.folder, writing=True) as campaign:
            came = perform(campaign, command, args, How(dice=dice, secret=secret, note="for the GM alone"))
            assert came.seq is not None
            return came.seq

    def roll(self, face: int, secret: bool = False) -> int:
        """A bare die: the shortest command with a result."""
        return self.play("roll die", [face], secret, n=1, sides=6, who="vex")

    def happen(
        self, *facts: tuple[str, str, str, dict[str, Any]], command: str = "combat move", secret: bool = False
    ) -> int:
        """Facts that no rule has made: (kind, who, text, sets)."""
        with Campaign(self.folder, writing=True) as campaign:
            world, made = World(campaign.book, campaign.state), []
            for kind, who, text, sets in facts:
                fact = world.happen(kind, who, text, sets).fact
                made.append(fact.as_json())
                for path, _, after in fact.changes:
                    world.state = _with(world.state, path, after)
            kept = {"secret": True} if secret else {}
            return campaign.commit(command, {}, [], made, world.state, **kept)

    def move(self, who: str, square: str) -> int:
        """Somebody stands elsewhere, and nothing is said about it."""
        return self.happen(("stepped", who, "", {f"fight.combatants.{who}.at": square}))

    def undo(self, count: int = 1) -> None:
        with Campaign(self.folder, writing=True) as campaign:
            campaign.undo(count)

    def redo(self, count: int = 1) -> None:
        with Campaign(self.folder, writing=True) as campaign:
            campaign.redo(count)


def _with(state: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    from strike_cli.facts import apply_changes

    return apply_changes(state, [(path, None, value)])


Fault = Callable[["Handler"], None]


class BadTable(ThreadingHTTPServer):
    """Keeps what it is told as the embedded table does, but for the faults it is given.

    `faults` are used up one by one by writes; `always` stays. Not `idempotent`: a result that comes twice is
    kept twice. It has no mercy on parallel requests either: `most_at_once` tells.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.lock = threading.Lock()
        self.scene: dict[str, Any] | None = None
        self.order: dict[str, Any] | None = None
        self.tokens: dict[str, Any] = {}
        self.results: list[dict[str, Any]] = []
        self.seen: list[tuple[str, str, Any]] = []
        self.keys: list[str] = []
        self.faults: list[Fault] = []
        self.always: Fault | None = None
        self.idempotent = False
        self.heard_out = False
        self.delay = 0.0
        self.most_at_once = self.at_once = 0

    def writes(self, kind: str = "") -> list[tuple[str, str, Any]]:
        """Requests that change something, as (method, path, body)."""
        return [seen for seen in self.seen if seen[0] != "GET" and kind in seen[1]]

    def apply(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        part = path.removeprefix("/api/v1/")
        if part == "scene":
            self.scene = body
            if method == "DELETE":
                self.order, self.tokens = None, {}
        elif part == "order":
            self.order = body
        elif part.startswith("tokens/"):
            if method == "DELETE":
                self.tokens.pop(part.removeprefix("tokens/"), None)
            else:
                assert body["id"] == part.removeprefix("tokens/")
                self.tokens[body["id"]] = body
        elif part == "results":
            places = [n for n, old in enumerate(self.results) if old["id"] == body["id"]]
            if places and (self.idempotent or body["undone"] != self.results[places[-1]]["undone"]):
                self.results[places[-1]] = body
            else:
                self.results.append(body)
        else:
            return 404, {"error": {"code": "not_found", "message": "no such thing"}}
        return (204, None) if method == "DELETE" else (200, body)

    def texts(self) -> list[str]:
        return [result["text"] for result in self.results]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 65536  # an answer in one piece, else the client's side waits 40 ms for the second one
    server: BadTable

    def log_message(self, *args: Any) -> None:
        pass

    def handle_any(self) -> None:
        with self.server.lock:
            self.server.at_once += 1
            self.server.most_at_once = max(self.server.most_at_once, self.server.at_once)
        try:
            self._handle()
        finally:
            with self.server.lock:
                self.server.at_once -= 1

    do_GET = do_PUT = do_POST = do_DELETE = handle_any  # noqa: N815

    def _handle(self) -> None:
        table = self.server
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        self.body = json.loads(raw) if raw else None
        path, _, query = self.path.partition("?")
        table.seen.append((self.command, path, self.body))
        table.keys.append(self.headers.get("idempotency-key") or "")
        time.sleep(table.delay)
        if self.headers.get("authorization") != f"Bearer {KEY}":
            # Some servers quote what they were sent.
            said = f"{self.headers.get('authorization')} is wrong"
            return self.answer(401, {"error": {"code": "unauthorized", "message": said}})
        if self.command == "GET":
            if path.endswith("/tokens"):
                return self.answer(200, {"tokens": list(table.tokens.values())})
            after = int(query.removeprefix("after=") or -1)
            return self.answer(200, {"results": [r for r in table.results if r["seq"] > after]})
        if table.faults:
            return table.faults.pop(0)(self)
        if table.always:
            return table.always(self)
        return self.apply()

    def apply(self) -> None:
        self.answer(*self.server.apply(self.command, self.path, self.body))

    def answer(self, status: int, body: Any = None, headers: dict[str, str] | None = None) -> None:
        text = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def hang_up(self) -> None:
        self.close_connection = True
        with contextlib.suppress(OSError):
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_RDWR)


# The faults


def answers(status: int, headers: dict[str, str] | None = None, body: Any = None) -> Fault:
    """It does nothing and says so."""
    return lambda handler: handler.answer(status, body, headers)


def html(status: int) -> Fault:
    """It fails with a page."""

    def fault(handler: Handler) -> None:
        text = b"<html><h1>Internal Server Error</h1></html>"
        handler.send_response(status)
        handler.send_header("Content-Type", "text/html")
        handler.send_header("Content-Length", str(len(text)))
        handler.end_headers()
        handler.wfile.write(text)

    return fault


def applies_and(then: Fault) -> Fault:
    """It does what it was asked, and then fails."""

    def fault(handler: Handler) -> None:
        handler.server.apply(handler.command, handler.path, handler.body)
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


# Fixtures


@pytest.fixture(autouse=True)
def _surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("STRIKE_TABLE_KEY", KEY)
    monkeypatch.delenv("STRIKE_CAMPAIGN", raising=False)
    monkeypatch.setattr(outcome, "FIRST_WAIT", 0.002)
    monkeypatch.setattr(outcome, "LONGEST_BACKOFF", 0.02)
    monkeypatch.setattr(wire, "READ_TIMEOUT", 0.25)


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    return Evening(tmp_path / "ferry")


@pytest.fixture
def bad_table() -> Iterator[BadTable]:
    table = BadTable()
    thread = threading.Thread(target=table.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield table
    table.shutdown()
    table.server_close()


@pytest.fixture
def settings(bad_table: BadTable) -> Settings:
    return Settings("table", "table", bad_table.url)


@pytest.fixture
def nobody() -> Settings:
    """A target at an address where nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return Settings("table", "table", f"http://127.0.0.1:{free.getsockname()[1]}")


@pytest.fixture
def copy_of(tmp_path: Path) -> Callable[[Path], Path]:
    return lambda folder: Path(shutil.copytree(folder, tmp_path / "copy"))
