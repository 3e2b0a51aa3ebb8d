"""CozyVTT: a login that bears few tries, maps whose tokens are one column of a table, written whole, and
beside them the events of its pages: chat, the initiative tracker, which is kept in memory alone, and tokens
that walk."""

from __future__ import annotations

import copy
import json
from datetime import UTC, datetime
from typing import Any

from .base import Call, Reply
from .socket_io import Connection, SocketServer

EMAIL, PASSWORD = "gm@example.org", "the password that nobody may see"
CAMPAIGN, MAP = "campaign-1", "map-ford"
_TRIES = 5
_KEPT = ("position", "size", "visible", "type", "disposition", "hp", "showHpBar", "initiative", "notes")
"""Fields of a token that an update sets."""


def problem(status: int, error: str, message: str) -> Reply:
    return Reply(status, {"error": error, "message": message})


class BadCozy(SocketServer):
    """One campaign that its game master is in, with a map."""

    def __init__(self) -> None:
        super().__init__()
        self.role = "DM"
        self.second_factor = False
        self.tries = 0
        self.sessions: set[str] = set()
        self.campaigns: list[dict[str, Any]] = [{"id": CAMPAIGN, "name": "The Ferry", "currentMapId": MAP}]
        self.messages: list[dict[str, Any]] = []
        self.cooldown = 0
        """Seconds that a line of chat is refused after another."""
        self.no_fight()
        self.maps: dict[str, dict[str, Any]] = {}
        self.add_map(MAP, "The Ford")
        self._count = 0

    def add_map(self, id: str, name: str, width: int = 20, height: int = 15) -> None:
        size = {"width": width, "height": height, "gridSize": 50}
        self.maps[id] = {"id": id, "name": name, "campaignId": CAMPAIGN, **size, "tokens": []}

    @property
    def tokens(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.maps[MAP]["tokens"]
        return found

    def named(self, name: str) -> dict[str, Any]:
        """The one token of a name."""
        [token] = [token for token in self.tokens if token["name"] == name]
        return token

    def no_fight(self) -> None:
        """It was started anew, or the fight is over."""
        self.fight: dict[str, Any] = {"active": False, "round": 0, "currentTokenId": None, "combatants": []}

    @property
    def line(self) -> list[str]:
        """Whom the tracker shows, with an asterisk whose turn it is."""
        turn = self.fight["currentTokenId"]
        return [f"{each['name']}{'*' * (each['tokenId'] == turn)}" for each in self.fight["combatants"]]

    @property
    def said(self) -> list[str]:
        """The lines of its chat that the game master wrote."""
        return [message["content"] for message in self.messages if message["type"] == "DM"]

    def seen_by_players(self) -> dict[str, dict[str, Any]]:
        """The tokens that an open page shows, by name: as of the last map it was sent, moved since."""
        shown: dict[str, dict[str, Any]] = {}
        for packet in self.pages.waiting:
            name, data = json.loads(packet[2:])
            if name == "map.changed":
                shown = {token["id"]: token for token in data["mapData"]["tokens"]}
            elif name == "token.moved" and data["tokenId"] in shown:
                shown[data["tokenId"]]["position"] = {"x": data["x"], "y": data["y"]}
        return {token["name"]: token for token in shown.values()}

    def forget_logins(self) -> None:
        """The server was started anew, or an hour went by."""
        self.sessions.clear()

    # Who may ask

    def refusal(self, call: Call) -> Reply | None:
        if call.path in ("/health", "/api/auth/login") or "sid" in call.query:
            return None
        cookies = dict(part.strip().partition("=")[::2] for part in call.headers.get("cookie", "").split(";"))
        if cookies.get("cozyvtt.sid") not in self.sessions:
            return problem(401, "Unauthorized", "You must be logged in to access this resource")
        return None

    def _login(self, call: Call) -> Reply:
        self.tries += 1
        left = {"RateLimit-Limit": str(_TRIES), "RateLimit-Remaining": str(max(0, _TRIES - self.tries))}
        if self.tries > _TRIES:
            said = "Too many authentication attempts, please try again later"
            return Reply(429, said, {**left, "RateLimit-Reset": "900", "Retry-After": "900"})
        if (call.body.get("email"), call.body.get("password")) != (EMAIL, PASSWORD):
            return problem(401, "Authentication Failed", "Invalid email or password")
        if self.second_factor:
            return Reply(200, {"mfaRequired": True, "message": "MFA verification required."})
        session = f"s%3Asession-{self.tries}.signed"
        self.sessions.add(session)
        cookie = f"cozyvtt.sid={session}; Path=/; HttpOnly; SameSite=Lax"
        return Reply(200, {"message": "Login successful", "user": {"email": EMAIL}}, {"Set-Cookie": cookie})

    # What is asked

    def respond(self, call: Call) -> Reply:
        if call.path == self.socket_path:
            return self.respond_socket(call)
        self.do_what_is_late()
        parts = call.path.strip("/").split("/")[1:]
        match (call.method, parts):
            case ("POST", ["auth", "login"]):
                return self._login(call)
            case ("GET", ["campaigns"]):
                return Reply(200, {"campaigns": [{**each, "userRole": self.role} for each in self.campaigns]})
            case ("GET", ["campaigns", _, "messages"]):
                start, most = int(call.query["offset"]), int(call.query["limit"])
                return Reply(200, {"messages": self.messages[::-1][start : start + most]})
            case (_, ["campaigns", campaign, "maps", *rest]):
                if campaign not in [each["id"] for each in self.campaigns]:
                    return problem(404, "Not Found", "Campaign not found")
                return self._maps(call, rest)
        return problem(404, "Not Found", f"Cannot {call.method} {call.path}")

    def _maps(self, call: Call, parts: list[str]) -> Reply:
        if not parts:
            listed = [{key: each[key] for key in each if key != "tokens"} for each in self.maps.values()]
            return Reply(200, {"maps": listed})
        found = self.maps.get(parts[0])
        if found is None:
            return problem(404, "Not Found", "Map not found")
        if len(parts) == 1:
            return Reply(200, {"map": copy.deepcopy(found)})
        if self.role != "DM" and call.method != "GET":
            return problem(403, "Forbidden", "Only the DM can perform this action")
        return self._change(call, found, parts[2:])

    def _change(self, call: Call, found: dict[str, Any], token: list[str]) -> Reply:
        """Read the whole column, change one token of it, write the whole column: of two at once one is
        lost, so that tests look at `most_at_once`."""
        tokens = copy.deepcopy(found["tokens"])
        reply = self._changed(call, found, tokens, token)
        if reply.status < 300:
            found["tokens"] = tokens
        return reply

    def _changed(
        self, call: Call, found: dict[str, Any], tokens: list[dict[str, Any]], path: list[str]
    ) -> Reply:
        at = next((number for number, token in enumerate(tokens) if path and token["id"] == path[0]), None)
        if path and at is None:
            return problem(404, "Not Found", "Token not found on this map")
        if call.method == "DELETE" and at is not None:
            del tokens[at]
            return Reply(200, {"message": "Token removed successfully"})
        fault = _fault(call.body, found, new=at is None)
        if fault:
            return problem(400, "Validation Error", fault)
        if at is None:
            self._count += 1
            body = {"conditions": [], "metadata": {}, "visible": True, "hp": None, **call.body}
            tokens.append({"id": f"token-{self._count}", "layer": "token", "imageUrl": "", **body})
            return Reply(201, {"message": "Token added successfully", "token": tokens[-1]})
        tokens[at] = _merged(tokens[at], call.body)
        return Reply(200, {"message": "Token updated successfully", "token": tokens[at], "map": found})

    # What pages say and hear

    def on_connect(self, one: Connection) -> None:
        one.tell("connected", {"userId": "gm"})

    def on_event(self, one: Connection, name: str, data: Any) -> None:
        if name == "authenticate":
            return self._join(one, data)
        if not one.room:
            return one.tell("error", {"message": "Not authenticated to a campaign"})
        handler = {
            "chat.message": self._chat, "token.move.end": self._walk, "map.change": self._show,
        }.get(name, self._track)  # fmt: skip
        fault = handler(one, name, data)
        return one.tell("error", {"message": fault}) if fault else None

    def _join(self, one: Connection, data: Any) -> None:
        one.room = data["campaignId"]
        one.tell("authenticated", {"campaignId": one.room, "role": self.role})
        self._write("SYSTEM", "The Game Master has joined the campaign.")

    def _write(self, kind: str, content: str) -> dict[str, Any]:
        now = datetime.now(UTC).isoformat()
        message = {"id": f"m{len(self.messages)}", "type": kind, "content": content, "createdAt": now}
        self.messages.append(message)
        return message

    def _chat(self, one: Connection, name: str, data: Any) -> str:
        if self.cooldown:
            self.cooldown -= 1
            return "Rate limit: wait 0s between messages."
        if not data["content"].strip() or len(data["content"]) > 2000:
            return "Message too long. Maximum 2000 characters."
        message = self._write(data["type"], data["content"].strip())
        self.tell_all("chat.message", {**message, "userId": "gm"})
        return ""

    def _walk(self, one: Connection, name: str, data: Any) -> str:
        shown = self.maps[data["mapId"]]
        token = next((token for token in shown["tokens"] if token["id"] == data["tokenId"]), None)
        if token is None:
            return "Token not found"
        if not (0 <= data["x"] < shown["width"] and 0 <= data["y"] < shown["height"]):
            return "Token position out of bounds"
        token["position"] = {"x": data["x"], "y": data["y"]}
        self.tell_all("token.moved", {**data, "movedBy": "gm"})
        return ""

    def _show(self, one: Connection, name: str, data: Any) -> str:
        """Everybody's page shows this map from now on; players' without what they may not see."""
        shown = copy.deepcopy(self.maps[data["mapId"]])
        one.tell("map.changed", {"mapId": shown["id"], "mapData": copy.deepcopy(shown)})
        shown["tokens"] = [token for token in shown["tokens"] if token["visible"]]
        self.pages.tell("map.changed", {"mapId": shown["id"], "mapData": shown})
        return ""

    def _track(self, one: Connection, name: str, data: Any) -> str:
        """The tracker: every change is told to everybody, whole."""
        fight = self.fight
        if name == "initiative.request_state":
            one.tell("initiative.state", copy.deepcopy(fight))
            return ""
        fault = self._tracked(fight, fight["combatants"], name, data)
        if not fault:
            self.tell_all("initiative.state", copy.deepcopy(self.fight))
        return fault

    def _tracked(self, fight: dict[str, Any], people: list[dict[str, Any]], name: str, data: Any) -> str:
        ids = [each["tokenId"] for each in people]
        match name.partition(".")[2]:
            case "add":
                [token] = [
                    each for each in self.maps[data["mapId"]]["tokens"] if each["id"] == data["tokenId"]
                ]
                if token["id"] in ids:
                    return "Token is already in initiative"
                copied = {key: token.get(key) for key in ("name", "hp", "initiative", "disposition")}
                people.append({"tokenId": token["id"], **copied})
                people.sort(
                    key=lambda each: (each["initiative"] is None, -(each["initiative"] or 0), each["name"])
                )
            case "remove":
                people[:] = [each for each in people if each["tokenId"] != data["tokenId"]]
                if fight["currentTokenId"] == data["tokenId"]:
                    fight["currentTokenId"] = people[0]["tokenId"] if people else None
            case "reorder":
                order = data["orderedTokenIds"]
                people.sort(key=lambda each: order.index(each["tokenId"]) if each["tokenId"] in order else 99)
            case "start":
                if not people:
                    return "Add combatants before starting combat"
                fight.update(active=True, round=1, currentTokenId=ids[0])
            case "next":
                if not (fight["active"] and people):
                    return "Combat is not active"
                at = ids.index(fight["currentTokenId"]) + 1 if fight["currentTokenId"] in ids else 0
                fight["round"] += at == len(ids)
                fight["currentTokenId"] = ids[at % len(ids)]
            case "end":
                self.no_fight()
        return ""


def _fault(body: dict[str, Any], found: dict[str, Any], *, new: bool) -> str:
    if new and not body.get("name"):
        return "Token name is required"
    position = body.get("position")
    if new and not position:
        return "Token position {x, y} is required"
    width, height = found["width"], found["height"]
    if position and not (0 <= position["x"] < width and 0 <= position["y"] < height):
        whose = "Token position" if new else "Position"
        return f"{whose} must be within map bounds (0-{width - 1}, 0-{height - 1})"
    if body.get("type", "npc") not in ("player", "npc", "object"):
        return "Invalid token type"
    if body.get("disposition") not in (None, "friendly", "neutral", "hostile"):
        return "Invalid token disposition"
    return ""


def _merged(token: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
    changed = {**token, **{key: body[key] for key in _KEPT if key in body}}
    for key in ("name", "conditions"):
        if body.get(key) is not None and body[key] != "":
            changed[key] = body[key]
    return {**changed, "metadata": {**token["metadata"], **(body.get("metadata") or {})}}
