"""Socket.IO by long polling, as servers of its own library speak it: connections that are closed when nobody
is heard of, events in order, and a 400 to whom it doesn't know."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from typing import Any

from .base import Call, Reply, Server

OPEN, CLOSE, PING, BETWEEN = "0", "1", "2", "\x1e"


class Connection:
    """Somebody's. `waiting` is what the next poll brings; `who` and `room` are whatever the game makes of
    it."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.waiting: list[str] = []
        self.who = self.room = ""

    def tell(self, name: str, *data: Any) -> None:
        self.waiting.append("42" + json.dumps([name, *data]))


class SocketServer(Server):
    """A server with a Socket.IO beside its HTTP. Faults meet what is said there and what is heard."""

    socket_path = "/socket.io/"

    def __init__(self) -> None:
        super().__init__()
        self.connections: dict[str, Connection] = {}
        self.opened = 0
        """How many connections there were."""
        self.pages = Connection("pages")
        """A page that a player has open: it stays, and nobody polls for it."""
        self.later: list[Callable[[], None]] = []
        """What is done only once somebody asks for something else, where it is `slow`."""
        self.slow = False
        self._ids = itertools.count(1)

    def meets_faults(self, call: Call) -> bool:
        return super().meets_faults(call) or call.path == self.socket_path

    def everybody(self) -> list[Connection]:
        """Connections that are in the game, and the page."""
        return [self.pages, *(each for each in self.connections.values() if each.room)]

    def tell_all(self, name: str, *data: Any) -> None:
        for each in self.everybody():
            each.tell(name, *data)

    def told(self, name: str) -> list[Any]:
        """What the page was told by events of a name."""
        events = [json.loads(packet[2:]) for packet in self.pages.waiting]
        return [event[1] for event in events if event[0] == name]

    def hang_up_all(self) -> None:
        """It was started anew."""
        self.connections.clear()

    def respond_socket(self, call: Call) -> Reply:
        """One request of the protocol."""
        if "sid" not in call.query:
            self.opened += 1
            id = f"c{next(self._ids)}"
            self.connections[id] = Connection(id)
            says = {"sid": id, "upgrades": ["websocket"], "pingInterval": 25000, "pingTimeout": 60000}
            return Reply(200, OPEN + json.dumps(says))
        one = self.connections.get(call.query["sid"])
        if one is None:
            return Reply(400, {"code": 1, "message": "Session ID unknown"})
        if call.method == "GET":
            return self._heard(one)
        for packet in call.raw.decode().split(BETWEEN):
            self._hear(one, packet)
        return Reply(200, "ok")

    def _heard(self, one: Connection) -> Reply:
        """All that waits; a ping where nothing does, as after a while."""
        self.do_what_is_late()
        told, one.waiting = one.waiting or [PING], []
        return Reply(200, BETWEEN.join(told))

    def do_what_is_late(self) -> None:
        while self.later:
            self.later.pop(0)()

    def _hear(self, one: Connection, packet: str) -> None:
        if packet == "40":
            one.waiting.append('40{"sid":"' + one.id + '"}')
            self.on_connect(one)
        elif packet.startswith("42"):
            name, *data = json.loads(packet[2:])
            if self.slow:
                self.later.append(lambda: self.on_event(one, name, data[0] if data else {}))
            else:
                self.on_event(one, name, data[0] if data else {})
        else:
            assert packet == "3", packet

    def on_connect(self, one: Connection) -> None:
        """Somebody came."""

    def on_event(self, one: Connection, name: str, data: Any) -> None:
        """Somebody said something."""
        raise NotImplementedError
