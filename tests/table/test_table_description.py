"""openapi.json is complete and true: every route answers as it says, and as nothing else."""

from __future__ import annotations

import errno
import hashlib
import json
from collections.abc import Iterator
from typing import Any

import pytest
from support.cases import case
from support.schema import faults

from strike_table import app, event_stream, images, schemas, table_store

DESCRIPTION = json.loads(schemas.openapi_description())


def described_operations(*, of_players: bool) -> dict[tuple[str, str], Any]:
    return {
        (method.upper(), path): operation
        for path, operations in DESCRIPTION["paths"].items()
        for method, operation in operations.items()
        if method != "parameters" and ("play" in operation["tags"]) == of_players
    }


OPERATIONS = described_operations(of_players=False)
"""All but those of test_table_players."""
PNG = b"\x89PNG\r\n\x1a\n and so on"
IMAGE = hashlib.sha256(PNG).hexdigest()
EXAMPLES = {
    name: schema["examples"][0]
    for name, schema in DESCRIPTION["components"]["schemas"].items()
    if "examples" in schema
}
FILLED = {"{id}": "vex", "{hash}": IMAGE, "{name}": "table.js", "{size}": "70"}
BODIES: dict[tuple[str, str], dict[str, Any]] = {
    ("PUT", "/api/v1/scene"): {"json": EXAMPLES["Scene"]},
    ("PUT", "/api/v1/tokens/{id}"): {"json": EXAMPLES["Token"]},
    ("PUT", "/api/v1/order"): {"json": EXAMPLES["Order"]},
    ("PUT", "/api/v1/beside"): {"json": EXAMPLES["Beside"]},
    ("PUT", "/api/v1/asked"): {"json": EXAMPLES["Decisions"]},
    ("PUT", "/api/v1/exhibits"): {"json": EXAMPLES["Exhibits"]},
    ("PUT", "/api/v1/evening"): {"json": EXAMPLES["Evening"]},
    ("POST", "/api/v1/ping"): {"json": EXAMPLES["Ping"]},
    ("POST", "/api/v1/results"): {"json": EXAMPLES["Result"], "headers": {"Idempotency-Key": "a"}},
    ("PUT", "/api/v1/images/{hash}"): {"content": PNG, "headers": {"Content-Type": "image/png"}},
}


class Described:
    """Asks a table, and holds each answer against the description."""

    def __init__(self, ask: Any, operations: dict[tuple[str, str], Any] = OPERATIONS) -> None:
        self._ask, self._operations = ask, operations
        self.seen: set[tuple[str, str, str]] = set()

    def __call__(self, method: str, path: str, status: int, **request: Any) -> Any:
        request = BODIES.get((method, path), {}) | request
        address = path
        for name, value in (FILLED | request.pop("fill", {})).items():
            address = address.replace(name, value)
        ask = request.pop("by", self._ask)
        answer = ask(method, address + request.pop("query", ""), **request)
        assert answer.status_code == status, (method, path, answer.text)
        described = self._operations[method, path]["responses"][str(status)]
        if "$ref" in described:
            described = DESCRIPTION["components"]["responses"][described["$ref"].rpartition("/")[2]]
        media_type = answer.headers.get("content-type", "").partition(";")[0]
        if "content" in described:
            schema = described["content"][media_type].get("schema")
            if schema:
                assert list(faults(answer.json(), schema, DESCRIPTION)) == []
        elif status != 200:
            assert answer.content == b""
        self.seen.add((method, path, str(status)))
        return answer

    def all_that_list(self, status: str) -> Iterator[tuple[str, str]]:
        return (key for key, operation in self._operations.items() if status in operation["responses"])

    def unseen(self) -> set[tuple[str, str, str]]:
        """What is described, and was not answered."""
        listed = {(*key, status) for key, each in self._operations.items() for status in each["responses"]}
        return listed - self.seen


@pytest.mark.slow
def test_every_answer_that_is_described_is_given_and_looks_so(ask, monkeypatch):
    asked = Described(ask)
    for path in ("/", "/openapi.json", "/api/v1", "/static/{name}", "/api/v1/state"):
        asked("GET", path, 200)
    tag = ask("GET", "/static/table.js").headers["etag"]
    asked("GET", "/static/{name}", 304, headers={"If-None-Match": tag})
    asked("GET", "/static/{name}", 404, fill={"{name}": "no.js"})

    for path in (
        "/api/v1/scene",
        "/api/v1/tokens/{id}",
        "/api/v1/order",
        "/api/v1/images/{hash}",
        "/api/v1/tiles/{id}/{size}",
        "/api/v1/evening",
    ):
        asked("GET", path, 404)
    picture = EXAMPLES["Scene"] | {"image": {"hash": IMAGE}}
    asked("PUT", "/api/v1/scene", 409, json=picture)
    asked("PUT", "/api/v1/tokens/{id}", 409, json=EXAMPLES["Token"] | {"image": {"hash": IMAGE}})
    asked("PUT", "/api/v1/images/{hash}", 204)
    aside = EXAMPLES["Beside"]["scenes"][0]
    asked("PUT", "/api/v1/beside", 200)
    pictured = {"scenes": [aside | {"tokens": [EXAMPLES["Token"] | {"image": {"hash": "0" * 64}}]}]}
    asked("PUT", "/api/v1/beside", 409, json=pictured)
    lost = EXAMPLES["Exhibits"]["exhibits"][0] | {"image": {"hash": "0" * 64}}
    asked("PUT", "/api/v1/exhibits", 409, json={"exhibits": [lost]})
    for path in ("/api/v1/beside", "/api/v1/asked", "/api/v1/exhibits"):
        asked("PUT", path, 200)
        asked("PUT", path, 400, json=[])
        asked("GET", path, 200)
    party = [EXAMPLES["Evening"]["party"][0] | {"image": {"hash": "0" * 64}}]
    asked("PUT", "/api/v1/evening", 409, json={"party": party})
    asked("GET", "/join.svg", 404)
    asked("POST", "/api/v1/ping", 400, json=[])
    with monkeypatch.context() as patch:
        patch.setattr(event_stream, "monotonic", lambda: 0.0)  # all in one second, however busy it is
        for _ in range(event_stream.PINGS_A_SECOND):
            asked("POST", "/api/v1/ping", 204)
        asked("POST", "/api/v1/ping", 429)
    for path in ("/api/v1/scene", "/api/v1/tokens/{id}", "/api/v1/order", "/api/v1/evening"):
        asked("PUT", path, 200)
        asked("PUT", path, 400, json=[])
        asked("GET", path, 200)
    asked("PUT", "/api/v1/images/{hash}", 400, content=b"else")
    asked("PUT", "/api/v1/images/{hash}", 204)
    asked("PUT", "/api/v1/scene", 200, json=picture)
    asked("GET", "/api/v1/images/{hash}", 200)

    asked("POST", "/api/v1/results", 201)
    asked("POST", "/api/v1/results", 200)
    asked("POST", "/api/v1/results", 400, json={})
    asked("POST", "/api/v1/results", 409, json=EXAMPLES["Result"] | {"title": "Another"})
    asked("GET", "/api/v1/results", 200, query="?after=1")
    asked("GET", "/api/v1/results", 400, query="?after=soon")
    for path in ("/api/v1/tokens", "/api/v1/state"):
        asked("GET", path, 200)
    asked("GET", "/api/v1/ranges/{id}", 204)
    asked("GET", "/api/v1/sight", 204)

    for method, path in asked.all_that_list("401"):
        asked(method, path, 401, key=None, peer="192.0.2.7")
    with monkeypatch.context() as patch:
        patch.setattr(app, "BODY_LIMIT", 10)
        patch.setattr(images, "IMAGE_LIMIT", 10)
        for method, path in asked.all_that_list("413"):
            asked(method, path, 413)
    with monkeypatch.context() as patch:

        def full(*_: object) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        patch.setattr(table_store.os, "fsync", full)
        other = {"json": EXAMPLES["Order"] | {"round": 9}}
        anew = {
            "/api/v1/scene": {"json": EXAMPLES["Scene"] | {"id": "other"}},
            "/api/v1/tokens/{id}": {"json": EXAMPLES["Token"] | {"size": 3}},
            "/api/v1/order": other,
            "/api/v1/beside": {"json": {"scenes": []}},
            "/api/v1/asked": {"json": {"asked": []}},
            "/api/v1/exhibits": {"json": {"exhibits": []}},
            "/api/v1/evening": {"json": {"party": []}},
            "/api/v1/results": {"json": EXAMPLES["Result"] | {"id": "other"}, "headers": {}},
        }
        fresh = PNG + b"!"
        for method, path in asked.all_that_list("507"):
            body = anew.get(path, {}) if method != "DELETE" else {}
            if "images" in path:
                body = {"content": fresh, "fill": {"{hash}": hashlib.sha256(fresh).hexdigest()}}
            asked(method, path, 507, **body)
    asked("DELETE", "/api/v1/tokens/{id}", 204)
    asked("DELETE", "/api/v1/scene", 204)

    # test_table_lan reads the code, test_table_api the stream and what the rules know, test_table_tiles a
    # tile; 422 is for tables that can't keep a secret.
    assert {(path, status) for _, path, status in asked.unseen()} == {
        ("/events", "200"),
        ("/join.svg", "200"),
        ("/api/v1/tiles/{id}/{size}", "200"),
        ("/api/v1/sight", "200"),
        ("/api/v1/ranges/{id}", "200"),
        ("/api/v1/tokens/{id}", "422"),
        ("/api/v1/results", "422"),
    }


def test_the_check_of_shapes_finds_what_is_wrong() -> None:
    for value, schema in [
        ({"a": 1}, {"type": "object", "properties": {"b": {}}}),
        ({}, {"type": "object", "required": ["b"]}),
        ([1, "x"], {"type": "array", "items": {"type": "integer"}}),
        (True, {"type": "integer"}),
        ("abcd", {"type": "string", "maxLength": 3}),
        (3, {"anyOf": [{"type": "null"}, {"type": "integer", "maximum": 2}]}),
        ("x", {"$ref": "#/components/schemas/Image/properties/hash"}),
    ]:
        with case(value, schema):
            assert len(list(faults(value, schema, DESCRIPTION))) == 1
