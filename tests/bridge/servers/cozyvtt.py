"""CozyVTT: a login that bears few tries, and maps whose tokens are one column of a table, written whole."""

from __future__ import annotations

import copy
import threading
from typing import Any

from .base import Call, Reply, Server

EMAIL, PASSWORD = "gm@example.org", "the password that nobody may see"
CAMPAIGN, MAP = "campaign-1", "map-ford"
_TRIES = 5
_KEPT = ("position", "size", "visible", "type", "disposition", "hp", "showHpBar", "initiative", "notes")
"""Fields of a token that an update sets."""


def problem(status: int, error: str, message: str) -> Reply:
    return Reply(status, {"error": error, "message": message})


class BadCozy(Server):
    """One campaign that its game master is in, with a map."""

    def __init__(self) -> None:
        super().__init__()
        self.role = "DM"
        self.second_factor = False
        self.tries = 0
        self.sessions: set[str] = set()
        self.campaigns = [{"id": CAMPAIGN, "name": "The Ferry"}]
        self.maps: dict[str, dict[str, Any]] = {}
        self.add_map(MAP, "The Ford")
        self.work = 0.0
        """Seconds that the database takes between reading a map and writing it."""
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

    def forget_logins(self) -> None:
        """The server was started anew, or an hour went by."""
        self.sessions.clear()

    # Who may ask

    def refusal(self, call: Call) -> Reply | None:
        if call.path == "/health" or call.path == "/api/auth/login":
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
        parts = call.path.strip("/").split("/")[1:]
        match (call.method, parts):
            case ("POST", ["auth", "login"]):
                return self._login(call)
            case ("GET", ["campaigns"]):
                return Reply(200, {"campaigns": [{**each, "userRole": self.role} for each in self.campaigns]})
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
        """Read the whole column, change one token of it, write the whole column."""
        tokens = copy.deepcopy(found["tokens"])
        if self.work:
            threading.Event().wait(self.work)
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
