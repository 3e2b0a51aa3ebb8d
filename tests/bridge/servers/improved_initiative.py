"""Improved Initiative's server, as far as its player views go: whoever knows an id may set what it shows."""

from __future__ import annotations

import json
from typing import Any

from .base import Call, Reply
from .socket_io import CLOSE, Connection, SocketServer

EMPTY = {"ActiveCombatantId": None, "RoundCounter": 0, "ElapsedSeconds": 0, "Combatants": []}


class ImprovedInitiative(SocketServer):
    """Views by id, each kept as it was told last."""

    def __init__(self) -> None:
        super().__init__()
        self.views: dict[str, dict[str, Any]] = {}

    def respond(self, call: Call) -> Reply:
        if call.path == self.socket_path:
            if call.raw == CLOSE.encode():
                self.connections.pop(call.query["sid"], None)
                return Reply(200, "ok")
            return self.respond_socket(call)
        _, start, id = call.path.split("/")
        if start != "playerviews":
            return Reply(404, f"<pre>Cannot {call.method} {call.path}</pre>")
        return Reply(200, {"encounterState": self.views.get(id, EMPTY), "settings": {}})

    def _hear(self, one: Connection, packet: str) -> None:
        if packet.startswith("42"):
            name, id, state = json.loads(packet[2:])
            assert name == "update encounter"
            self.views[id] = state
        else:
            super()._hear(one, packet)

    def on_event(self, one: Connection, name: str, data: Any) -> None:
        raise AssertionError(name)
