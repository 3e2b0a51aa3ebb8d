"""The embedded table's HTTP, with a table that shows twice what it is sent twice."""

from __future__ import annotations

from typing import Any

from .base import Call, Reply, Server

KEY = "the-key-that-nobody-may-see"


class BadTable(Server):
    """Keeps what it is told as the embedded table does, but for its faults. Not `idempotent`: a result that
    comes twice is kept twice."""

    def __init__(self) -> None:
        super().__init__()
        self.scene: dict[str, Any] | None = None
        self.order: dict[str, Any] | None = None
        self.tokens: dict[str, Any] = {}
        self.beside: list[dict[str, Any]] = []
        self.asked: list[dict[str, Any]] = []
        self.exhibits: list[dict[str, Any]] = []
        self.supports = {"boardless": True, "beside": True, "asked": True, "exhibits": True}
        self.results: list[dict[str, Any]] = []
        self.idempotent = False

    @property
    def keys(self) -> list[str]:
        """The idempotency keys, in the order of the requests."""
        return [call.headers.get("idempotency-key", "") for call in self.calls]

    def texts(self) -> list[str]:
        return [result["text"] for result in self.results]

    def refusal(self, call: Call) -> Reply | None:
        key = call.headers.get("authorization")
        if key == f"Bearer {KEY}":
            return None
        # Some servers quote what they were sent.
        return Reply(401, {"error": {"code": "unauthorized", "message": f"{key} is wrong"}})

    def respond(self, call: Call) -> Reply:
        if call.method == "GET":
            return self._read(call)
        part, body = call.path.removeprefix("/api/v1/"), call.body
        if part == "scene":
            self.scene = body
            if call.method == "DELETE":
                self.order, self.tokens, self.beside, self.asked = None, {}, [], []
            elif not (body["rows"] or self.supports.get("boardless")):
                return Reply(400, {"error": {"code": "bad_request", "message": "rows: needs a square"}})
        elif part == "order":
            self.order = body
        elif self.supports.get(part):
            setattr(self, part, body["scenes" if part == "beside" else part])
        elif part.startswith("tokens/"):
            if call.method == "DELETE":
                self.tokens.pop(part.removeprefix("tokens/"), None)
            else:
                assert body["id"] == part.removeprefix("tokens/")
                self.tokens[body["id"]] = body
        elif part == "results":
            self._add(body)
        else:
            return Reply(404, {"error": {"code": "not_found", "message": "no such thing"}})
        return Reply(204) if call.method == "DELETE" else Reply(200, body)

    def _add(self, result: dict[str, Any]) -> None:
        places = [n for n, old in enumerate(self.results) if old["id"] == result["id"]]
        if places and (self.idempotent or result["undone"] != self.results[places[-1]]["undone"]):
            self.results[places[-1]] = result
        else:
            self.results.append(result)

    def _read(self, call: Call) -> Reply:
        if call.path == "/api/v1":
            return Reply(200, {"name": "bad", "api": 1, "units": "squares", "supports": self.supports})
        if call.path.endswith("/tokens"):
            return Reply(200, {"tokens": list(self.tokens.values())})
        after = int(call.query.get("after", -1))
        return Reply(200, {"results": [result for result in self.results if result["seq"] > after]})
