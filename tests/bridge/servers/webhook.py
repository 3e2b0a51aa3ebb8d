"""A receiver of Standard Webhooks: verifies by itself, hears each message once, and keeps what it is told."""

from __future__ import annotations

import base64
import hashlib
import hmac
import time
from typing import Any

from .base import Call, Reply, Server

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OLD_SECRET = "whsec_c3RyaWtlLW9sZC1zZWNyZXQtb2YtdGhlLWZlcnJ5"
_TOLERANCE = 300


class Receiver(Server):
    """Knows one `secret`. Once `gone`, it wants nothing any more."""

    def __init__(self, secret: str = SECRET) -> None:
        super().__init__()
        self.secret = secret
        self.gone = False
        self.ids: list[str] = []
        self.events: list[dict[str, Any]] = []
        self.scene: dict[str, Any] | None = None
        self.order: dict[str, Any] | None = None
        self.tokens: dict[str, Any] = {}
        self.beside: list[dict[str, Any]] = []
        self.exhibits: list[dict[str, Any]] = []
        self.asked: list[dict[str, Any]] = []
        self.results: list[dict[str, Any]] = []

    def refusal(self, call: Call) -> Reply | None:
        if self.gone:
            return Reply(410, {"message": "Unsubscribed"})
        if abs(time.time() - int(call.headers.get("webhook-timestamp", 0))) > _TOLERANCE:
            return Reply(400, {"message": "Message timestamp too old"})
        signed = b".".join(
            [call.headers["webhook-id"].encode(), call.headers["webhook-timestamp"].encode(), call.raw]
        )
        key = base64.b64decode(self.secret.removeprefix("whsec_"))
        wanted = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        if wanted not in call.headers["webhook-signature"].split(" "):
            return Reply(401, {"message": "No matching signature found"})
        return None

    def respond(self, call: Call) -> Reply:
        if call.headers["webhook-id"] not in self.ids:
            self.ids.append(call.headers["webhook-id"])
            self._hear(call.body)
        return Reply(204)

    def _hear(self, event: dict[str, Any]) -> None:
        self.events.append(event)
        kind, data = event["type"], event["data"]
        if kind == "strike.scene.updated":
            self.scene = data
        elif kind == "strike.scene.cleared":
            self.scene, self.order, self.tokens = None, None, {}
            self.beside, self.asked = [], []
        elif kind == "strike.token.updated":
            self.tokens[data["id"]] = data
        elif kind == "strike.token.removed":
            self.tokens.pop(data["id"], None)
        elif kind == "strike.order.updated":
            self.order = data
        elif kind == "strike.exhibits.updated":
            self.exhibits = data["exhibits"]
        elif kind == "strike.beside.updated":
            self.beside = data["scenes"]
        elif kind == "strike.asked.updated":
            self.asked = data["asked"]
        elif kind == "strike.result.created":
            self.results.append(data)
        elif kind == "strike.result.updated":
            place = next(n for n, result in enumerate(self.results) if result["id"] == data["id"])
            self.results[place] = data
        else:
            raise AssertionError(kind)
