"""openapi.json is enough to be bridged: a table that was written from it alone is told all, once."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from support.agreed import agree_to
from support.evening import Evening

from strike_bridge.push_follow_and_sync import push
from strike_bridge.settings import Settings
from strike_bridge.target_differences import diff_target
from strike_table import schemas

KEY = "the-key-of-this-table"
API = "/api/v1"
TAGS = ("deliver", "optional", "watch", "play")

DESCRIPTION = json.loads(schemas.openapi_description())


class OtherTable(BaseHTTPRequestHandler):
    """A table in as few lines as openapi.json allows: what is tagged `deliver`, kept in memory."""

    protocol_version = "HTTP/1.1"

    def __init__(self, kept: dict[str, Any], *rest: Any) -> None:
        self.kept = kept
        super().__init__(*rest)

    def answer(self, status: int, body: object = None) -> None:
        raw = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def handle_it(self) -> None:
        at = urlsplit(self.path)
        part, _, id = at.path.removeprefix(API).strip("/").partition("/")
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = json.loads(raw) if raw else {}
        if part and self.headers["Authorization"] != f"Bearer {KEY}":
            self.answer(401, {"error": {"code": "unauthorized", "message": "the key"}})
        else:
            handler = getattr(self, f"{self.command}_{part or 'about'}".lower())
            handler(body, unquote(id), parse_qs(at.query))

    do_GET = do_PUT = do_POST = do_DELETE = handle_it  # noqa: N815

    def get_about(self, *_: Any) -> None:
        self.answer(
            200, {"name": "other", "api": 1, "title": "", "supports": {"hidden": False}, "units": "squares"}
        )

    def put_scene(self, scene: Any, *_: Any) -> None:
        if "rows" not in scene:
            return self.answer(400, {"error": {"code": "bad_request", "message": "rows: is missing"}})
        self.kept["scene"] = scene
        return self.answer(204)

    def delete_scene(self, *_: Any) -> None:
        self.kept.update(scene=None, tokens={}, order=None)
        self.answer(204)

    def get_tokens(self, *_: Any) -> None:
        self.answer(200, {"tokens": list(self.kept["tokens"].values())})

    def put_tokens(self, token: Any, id: str, *_: Any) -> None:
        if token.get("hidden"):
            return self.answer(422, {"error": {"code": "hidden", "message": "players see this"}})
        self.kept["tokens"][id] = token
        return self.answer(204)

    def delete_tokens(self, _: Any, id: str, *__: Any) -> None:
        self.answer(204 if self.kept["tokens"].pop(id, None) else 404)

    def put_order(self, order: Any, *_: Any) -> None:
        self.kept["order"] = order
        self.answer(204)

    def get_results(self, _: Any, __: str, query: dict[str, list[str]]) -> None:
        after = int(query.get("after", ["-1"])[0])
        self.answer(200, {"results": [one for one in self.kept["results"].values() if one["seq"] > after]})

    def post_results(self, result: Any, *_: Any) -> None:
        new = result["id"] not in self.kept["results"]
        self.kept["results"][result["id"]] = result
        self.answer(201 if new else 200, result)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def kept() -> dict[str, Any]:
    return {"scene": None, "tokens": {}, "order": None, "results": {}}


@pytest.fixture
def other(kept: dict[str, Any]) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), lambda *rest: OtherTable(kept, *rest)) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_another_table_is_bridged(other, kept, tmp_path, monkeypatch):
    monkeypatch.setenv("STRIKE_TABLE_KEY", KEY)
    evening = Evening(tmp_path / "ferry")
    evening.start()
    there = Settings("inn", "table", url=other)
    agree_to(evening.folder, there)
    report = push(evening.folder, there)
    assert report.error == ""
    assert kept["scene"]["name"] == "The Ford"
    assert "vex" in kept["tokens"]
    assert len(kept["results"]) > 0
    assert diff_target(evening.folder, there) == []
    kept["tokens"]["vex"]["position"] = {"x": 7, "y": 2}
    assert [each["field"] for each in diff_target(evening.folder, there)] == ["position"]


def test_every_operation_says_for_whom_it_is():
    operations = [
        operation
        for methods in DESCRIPTION["paths"].values()
        for method, operation in methods.items()
        if method != "parameters"
    ]
    assert {tag for operation in operations for tag in operation["tags"]} == set(TAGS)
    assert sum("deliver" in operation["tags"] for operation in operations) == 9
