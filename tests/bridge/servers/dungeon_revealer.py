"""Dungeon Revealer: maps with tokens in image pixels, a password for each of two roles, pages for errors."""

from __future__ import annotations

import re
from typing import Any

from .base import Call, Reply, Server

DM_PASSWORD, PC_PASSWORD = "the-password-of-the-gm-alone", "what-players-type"
_DM_FIELDS = ("label", "color", "radius", "isVisibleForPlayers", "isLocked", "isMovableByPlayers", "title")
_PAGE = "<!DOCTYPE html><html><body><pre>TypeError: Cannot read properties of null</pre></body></html>"


class DungeonRevealer(Server):
    """One map `cave` of 60 by 60 pixels a square, shifted by (12, 6), with the tokens it is given."""

    def __init__(self, **tokens: str) -> None:
        super().__init__()
        grid = {"color": "red", "offsetX": 12, "offsetY": 6, "columnWidth": 60, "columnHeight": 60}
        made = [_token(id, label) for id, label in tokens.items()]
        self.maps: dict[str, dict[str, Any]] = {
            "cave": {"id": "cave", "title": "The Cave", "grid": grid, "tokens": made}
        }
        self.current = "cave"
        self.lost: list[dict[str, Any]] = []

    @property
    def tokens(self) -> dict[str, dict[str, Any]]:
        return {token["id"]: token for token in self.maps["cave"]["tokens"]}

    def refusal(self, call: Call) -> Reply | None:
        if self._role(call) is None and call.path != "/api/auth":
            error = {"message": "Unauthenticated Access", "code": "ERR_UNAUTHENTICATED_ACCESS"}
            return Reply(401, {"data": None, "error": error})
        return None

    def respond(self, call: Call) -> Reply:
        if (call.method, call.path) == ("GET", "/api/auth"):
            return Reply(200, {"data": {"role": self._role(call)}})
        if (call.method, call.path) == ("GET", "/api/map"):
            data = {"currentMapId": self.current, "maps": list(self.maps.values())}
            return Reply(200, {"error": None, "data": data})
        match = re.fullmatch(r"/api/map/([^/]+)/token/([^/]+)", call.path)
        if call.method != "PATCH" or match is None:
            return Reply(404, _PAGE)
        shown = self.maps.get(match[1])
        if shown is None:
            return Reply(500, _PAGE)
        return self._change(call, shown, match[2])

    def _change(self, call: Call, shown: dict[str, Any], id: str) -> Reply:
        token = next((token for token in shown["tokens"] if token["id"] == id), None)
        role = self._role(call)
        if token is None or (role == "PC" and not token["isVisibleForPlayers"]):
            error = {"message": f"Token with id '{id}' does not exist.", "code": "ERR_TOKEN_DOES_NOT_EXIST"}
            return Reply(404, {"data": None, "error": error})
        # Who only plays moves what they may move; everything else they send is passed over in silence.
        allowed = ("x", "y") if role == "DM" or token["isMovableByPlayers"] else ()
        for field in (*allowed, *(_DM_FIELDS if role == "DM" else ())):
            if field in call.body:
                token[field] = call.body[field]
        return Reply(200, {"error": None, "data": {"map": shown}})

    def _role(self, call: Call) -> str | None:
        words = call.headers.get("authorization", "").split(" ")
        password = words[1] if len(words) > 1 else ""
        return {DM_PASSWORD: "DM", PC_PASSWORD: "PC"}.get(password)


def _token(id: str, label: str) -> dict[str, Any]:
    return {
        "id": id, "label": label, "x": 0, "y": 0, "radius": 30, "rotation": 0, "color": "red",
        "isVisibleForPlayers": False, "isMovableByPlayers": False, "isLocked": False,
    }  # fmt: skip
