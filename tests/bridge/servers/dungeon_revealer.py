"""Dungeon Revealer: maps with tokens in image pixels, a password for each of two roles, pages for errors;
beside them its pages' GraphQL, for new tokens and a chat that throws dice and fills in templates."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime
from typing import Any

from .base import Call, Reply
from .socket_io import Connection, SocketServer

DM_PASSWORD, PC_PASSWORD = "the-password-of-the-gm-alone", "what-players-type"
_DM_FIELDS = (
    "description", "label", "color", "radius", "isVisibleForPlayers", "isLocked", "isMovableByPlayers",
    "title",
)  # fmt: skip
_PAGE = "<!DOCTYPE html><html><body><pre>TypeError: Cannot read properties of null</pre></body></html>"


class DungeonRevealer(SocketServer):
    """One map `cave` of 60 by 60 pixels a square, shifted by (12, 6), with the tokens it is given."""

    socket_path = "/api/socket.io/"

    def __init__(self, **tokens: str) -> None:
        super().__init__()
        grid = {"color": "red", "offsetX": 12, "offsetY": 6, "columnWidth": 60, "columnHeight": 60}
        made = [_token(id, label) for id, label in tokens.items()]
        self.maps: dict[str, dict[str, Any]] = {
            "cave": {"id": "cave", "title": "The Cave", "grid": grid, "tokens": made}
        }
        self.current = "cave"
        self.lost: list[dict[str, Any]] = []
        self.chat: list[dict[str, Any]] = []
        self.users: dict[str, str] = {}

    @property
    def tokens(self) -> dict[str, dict[str, Any]]:
        return {token["id"]: token for token in self.maps["cave"]["tokens"]}

    def refusal(self, call: Call) -> Reply | None:
        if self._role(call) is None and call.path not in ("/api/auth", self.socket_path):
            error = {"message": "Unauthenticated Access", "code": "ERR_UNAUTHENTICATED_ACCESS"}
            return Reply(401, {"data": None, "error": error})
        return None

    def respond(self, call: Call) -> Reply:
        if call.path == self.socket_path:
            return self.respond_socket(call)
        self.do_what_is_late()
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

    # What pages say and hear

    def named(self, title: str) -> dict[str, Any]:
        """The one token whose title begins so."""
        [token] = [each for each in self.tokens.values() if str(each.get("title", "")).startswith(title)]
        return token

    @property
    def lines(self) -> list[str]:
        """What its chat shows, as a reader has it."""
        return [
            html.unescape(each["content"]).replace("**", "") for each in self.chat if "authorName" in each
        ]

    def on_event(self, one: Connection, name: str, data: Any) -> None:
        if name == "authenticate":
            role = {DM_PASSWORD: "DM", PC_PASSWORD: "PC"}.get(data["password"])
            if role:
                one.room = data["desiredRole"] if role == "DM" else "user"
                one.tell("authenticated")
        elif one.room:
            asked = re.search(r"\b(mapToken\w+|chatMessageCreate|logIn|chat|usersCount)\b", data["operation"])
            assert name == "@graphql/execute"
            assert asked
            result = self._executed(one, asked[1], data["variables"].get("input", {}))
            one.tell("@graphql/result", {**result, "id": data["id"], "isFinal": True})

    def _executed(self, one: Connection, asked: str, given: dict[str, Any]) -> dict[str, Any]:
        if asked.startswith("mapToken"):
            return self._tokens_changed(one, asked, given)
        if asked == "logIn":
            one.who = given["id"]
            if one.who not in self.users:
                self.users[one.who] = given["name"]
                self.chat.append({"content": f"**{given['name']}** connected."})
            return {"data": {"logIn": {"user": {"id": one.who}}}}
        if asked == "chatMessageCreate":
            fault = self._said(one, given["rawContent"])
            return {"data": {"chatMessageCreate": {"error": {"reason": fault} if fault else None}}}
        if asked == "chat":
            return {"data": {"chat": {"edges": [{"node": dict(each)} for each in self.chat]}}}
        return {"data": {"usersCount": len(self.users)}}

    def _tokens_changed(self, one: Connection, asked: str, given: dict[str, Any]) -> dict[str, Any]:
        if one.room != "admin":
            return {"errors": [{"message": "Insufficient permissions."}], "data": {asked: None}}
        shown = self.maps.get(given["mapId"])
        if shown is None:
            return {"errors": [{"message": f'Map with id "{given["mapId"]}" not found.'}]}
        if asked == "mapTokenRemoveMany":
            shown["tokens"] = [each for each in shown["tokens"] if each["id"] not in given["tokenIds"]]
        else:
            for token in given["tokens"]:  # it says of none which id it has, and takes no title
                made = {key: value for key, value in token.items() if key not in ("title", "description")}
                shown["tokens"].append({**_token(f"made-{next(self._ids)}", ""), **made})
        return {"data": {asked: None}}

    def _said(self, one: Connection, text: str) -> str:
        if one.who not in self.users:
            return "Not authenticated."
        if re.search(r"\{[{%]", text):
            return "unexpected token, line:1"
        thrown = re.sub(r"\[\d*d\d+.*?\]", "{0}", text)
        now = datetime.now(UTC).isoformat()
        self.chat.append({"content": thrown, "authorName": self.users[one.who], "createdAt": now})
        return ""

    def _role(self, call: Call) -> str | None:
        words = call.headers.get("authorization", "").split(" ")
        password = words[1] if len(words) > 1 else ""
        return {DM_PASSWORD: "DM", PC_PASSWORD: "PC"}.get(password)


def _token(id: str, label: str) -> dict[str, Any]:
    return {
        "id": id, "label": label, "x": 0, "y": 0, "radius": 30, "rotation": 0, "color": "red",
        "isVisibleForPlayers": False, "isMovableByPlayers": False, "isLocked": False,
    }  # fmt: skip
