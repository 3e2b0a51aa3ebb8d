"""What the presets are for, as each API's documentation has it: who may ask, forms, limits, refusals."""

from __future__ import annotations

import re
from typing import Any, ClassVar
from urllib.parse import unquote

from .base import Call, Reply, Server

TOKEN = "t0ken-of-the-tower"


class Documented(Server):
    """A server with a token, which keeps what it was told in `lines`."""

    name: ClassVar[str]
    table: ClassVar[str] = ""
    """What its preset needs besides."""
    path: ClassVar[str] = ""
    """Behind the address, where the address is the key."""
    busy: ClassVar[Reply]
    """How it asks to be left alone for a moment."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def refusal(self, call: Call) -> Reply | None:
        known = call.headers.get("authorization") == f"Bearer {TOKEN}" or (self.path and TOKEN in call.path)
        return None if known else Reply(401, self.unknown)

    unknown: ClassVar[Any] = {}


class HomeAssistant(Documented):
    """Events, fired by POST; their data is an object. Automations that listen are nobody's business here."""

    name, unknown = "home-assistant", "401: Unauthorized"
    busy = Reply(429)  # as what stands in front of it may say: it has no limit of its own

    def respond(self, call: Call) -> Reply:
        if (call.method, call.path) == ("GET", "/api/"):
            return Reply(200, {"message": "API running."})
        event = re.fullmatch(r"/api/events/(\w+)", call.path)
        if event is None:
            return Reply(404, "404: Not Found")
        if call.method != "POST" or not isinstance(call.body, dict):
            return Reply(400, {"message": "Event data should be a JSON object"})
        if event[1] == "strike_result":
            self.lines.append(call.body["text"])
        return Reply(200, {"message": f"Event {event[1]} fired."})


class Matrix(Documented):
    """A room: an event under a transaction's id that was taken before is not sent again."""

    name, table = "matrix", 'vars = { room = "!tower:example.org" }\n'
    unknown: ClassVar[Any] = {"errcode": "M_UNKNOWN_TOKEN", "error": "Unrecognised access token"}
    busy = Reply(429, {"errcode": "M_LIMIT_EXCEEDED", "retry_after_ms": 3}, {"Retry-After": "0.003"})

    def __init__(self) -> None:
        super().__init__()
        self.sent: dict[str, str] = {}

    def respond(self, call: Call) -> Reply:
        _, _, client, v3, *rest = map(unquote, call.path.split("/"))
        assert (client, v3) == ("client", "v3")
        if rest == ["account", "whoami"]:
            return Reply(200, {"user_id": "@strike:example.org"})
        rooms, room, send, kind, transaction = rest
        assert (call.method, rooms, send, kind) == ("PUT", "rooms", "send", "m.room.message")
        if room != "!tower:example.org":
            return Reply(403, {"errcode": "M_FORBIDDEN", "error": "not in the room"})
        message = call.body
        assert message["msgtype"] == "m.notice" and message["format"] == "org.matrix.custom.html"
        assert isinstance(message["formatted_body"], str)
        if transaction not in self.sent:
            self.lines.append(message["body"])
        return Reply(200, {"event_id": self.sent.setdefault(transaction, f"$e{len(self.sent)}")})


class Mattermost(Documented):
    """An incoming webhook: it says `ok` as text, and has no way to be asked. & < > are to be written out."""

    name, path, busy = "mattermost", f"/hooks/{TOKEN}", Reply(429, "limit exceeded")

    def respond(self, call: Call) -> Reply:
        text = call.body.get("text")
        if not text:
            return Reply(400, {"id": "web.incoming_webhook.text.app_error", "message": "No text specified"})
        assert not re.search(r"[<>]|&(?!(?:amp|lt|gt);)", text)
        self.lines.append(text)
        return Reply(200, "ok", {"Content-Type": "text/plain"})


class Ntfy(Documented):
    """Notifications to a topic, as JSON; a long one would be a file."""

    name, table = "ntfy", 'vars = { topic = "tower" }\n'
    unknown: ClassVar[Any] = {"code": 40101, "http": 401, "error": "unauthorized"}
    busy = Reply(429, {"code": 42901, "http": 429, "error": "limit reached: too many requests"})

    def respond(self, call: Call) -> Reply:
        if call.method == "GET":
            return Reply(200, {"username": "gm", "role": "user"} if call.path == "/v1/account" else {})
        assert call.path == "/"
        assert call.body["topic"] == "tower" and len(call.body["message"].encode()) <= 4096
        self.lines.append(call.body["message"])
        return Reply(200, {"id": "x", "event": "message", "topic": "tower"})


class Telegram(Documented):
    """A bot: methods behind its token, and how long to wait inside of the answer."""

    name, path, table = "telegram", f"/bot{TOKEN}", "vars = { chat = -100 }\n"
    unknown: ClassVar[Any] = {"ok": False, "error_code": 401, "description": "Unauthorized"}
    busy = Reply(429, {"ok": False, "error_code": 429, "description": "Too Many Requests: retry after 1",
                       "parameters": {"retry_after": 0.003}})  # fmt: skip

    def respond(self, call: Call) -> Reply:
        method = call.path.removeprefix(f"{self.path}/")
        if method == "getMe":
            return Reply(200, {"ok": True, "result": {"id": 1, "is_bot": True, "first_name": "strike"}})
        assert method == "sendMessage"
        if call.body["chat_id"] != -100:
            return Reply(400, {"ok": False, "error_code": 400, "description": "Bad Request: chat not found"})
        assert 0 < len(call.body["text"].encode("utf-16-le")) // 2 <= 4096
        self.lines.append(call.body["text"])
        return Reply(200, {"ok": True, "result": {"message_id": len(self.lines)}})


PRESETS: list[type[Documented]] = [HomeAssistant, Matrix, Mattermost, Ntfy, Telegram]
