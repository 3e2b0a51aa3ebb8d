"""What the embedded table promises over HTTP to whoever delivers to it and whoever watches."""

from __future__ import annotations

import base64
import errno
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path, PurePath
from typing import Any

import httpx
import pytest
from support.cases import case
from support.schema import faults

from strike_table import asset_bundle, event_stream, images, schemas, table_store
from strike_table.access_control import watch_token
from strike_table.app import create_app
from strike_table.audience_views import LinkAudience
from strike_table.serve import PortInUse, watch_link
from strike_table.table_store import NewerFile, TableStore

ORDER = {
    "round": 2,
    "active": "vex",
    "entries": [{"id": "vex", "initiative": 6}, {"id": "goblin-1", "initiative": 4}],
}
ORDER_KEPT = {
    **ORDER,
    "kind": "list",
    "next": [],
    "entries": [{**entry, "state": "", "count": 1, "hidden": False} for entry in ORDER["entries"]],
}
"""The same as it is told: with every key, where a sender of version 1 left those out that came later."""
DESCRIPTION = json.loads(schemas.openapi_description())


def problem(answer: httpx.Response) -> str:
    """The message of a refusal, which always has the same shape."""
    error = answer.json()["error"]
    assert set(error) == {"code", "message"}
    return error["message"]


# What it is


def test_it_says_what_it_can_do_without_a_key(ask):
    about = ask("GET", "/api/v1", key=None).json()
    assert (about["name"], about["api"], about["title"]) == ("strike table", 1, "The Salt Road")
    assert about["units"] == "squares"
    assert about["supports"]["hidden"] is True, "hidden things may be sent: it keeps them from players"


def test_the_description_lists_exactly_the_routes(ask):
    described = {
        (path, method.upper())
        for path, operations in DESCRIPTION["paths"].items()
        for method in operations
        if method != "parameters"
    }
    served = {
        (route.path.replace(":whole", ""), method)
        for route in ask._app.routes
        for method in route.methods - {"HEAD"}
    }
    assert described == served
    assert ask("GET", "/openapi.json", key=None).json() == DESCRIPTION


def test_the_examples_of_the_description_are_accepted(ask):
    schemas = DESCRIPTION["components"]["schemas"]
    for method, path, shape in [
        ("PUT", "scene", "Scene"),
        ("PUT", "tokens/vex", "Token"),
        ("PUT", "order", "Order"),
        ("PUT", "beside", "Beside"),
        ("PUT", "asked", "Decisions"),
        ("PUT", "exhibits", "Exhibits"),
        ("PUT", "evening", "Evening"),
        ("POST", "results", "Result"),
    ]:
        for example in schemas[shape]["examples"]:
            answer = ask(method, f"/api/v1/{path}", json=example)
            assert answer.is_success, answer.text
            assert answer.json() == example, "an example names every key"


# Who may do what


def test_writing_needs_the_key_and_a_wrong_one_reads_nothing(ask):
    for path, methods in (
        ("scene", "GET PUT DELETE"),
        ("tokens", "GET"),
        ("tokens/vex", "GET PUT DELETE"),
        ("order", "GET PUT"),
        ("beside", "GET PUT"),
        ("asked", "GET PUT"),
        ("exhibits", "GET PUT"),
        ("results", "GET POST"),
    ):
        for method, key in product(methods.split(), [None, "wrong", "the-key-of-this-table2", "ключ"]):
            with case(method, path, key):
                reads = method == "GET" and key is None  # which is for those on this machine
                answer = ask(method, f"/api/v1/{path}", key=key, peer="192.168.1.9" if reads else "127.0.0.1")
                assert answer.status_code == 401
                assert reads or "Bearer" in problem(answer)


def test_players_read_back_what_they_see_and_the_key_all(ask, a_token):
    for who, more in (("vex", {}), ("goblin-1", {"hidden": True, "gm_hp": {"value": 3, "max": 4}})):
        ask("PUT", f"/api/v1/tokens/{who}", json=a_token(who, **more))
    own = watch_token("the-key-of-this-table")
    for where in ({}, {"peer": "192.168.1.9", "params": {"watch": own}}):
        seen = ask("GET", "/api/v1/tokens", key=None, **where).json()["tokens"]
        assert [token["id"] for token in seen] == ["vex"]
        assert ask("GET", "/api/v1/tokens/goblin-1", key=None, **where).status_code == 404
    assert len(ask("GET", "/api/v1/tokens").json()["tokens"]) == 2


def test_named_sites_read_what_players_see_and_nothing_else(asker, data_dir, a_token):
    ask = asker(TableStore(data_dir), origins=["https://here.example"])
    ask("PUT", "/api/v1/tokens/goblin-1", json=a_token("goblin-1", hidden=True))
    ours = {"Origin": "https://here.example"}
    answer = ask("GET", "/api/v1/tokens", headers=ours)
    assert answer.status_code == 200 and answer.json() == {"tokens": []}, "with the key, too"
    assert answer.headers["access-control-allow-origin"] == "https://here.example"
    asks = {**ours, "Access-Control-Request-Method": "GET"}
    assert ask("OPTIONS", "/api/v1/tokens", key=None, headers=asks).status_code == 204
    assert ask("PUT", "/api/v1/tokens/vex", headers=ours, json=a_token()).status_code == 403
    for other in ("https://there.example", "null", "http://here.example", "https://here.example.evil"):
        answer = ask("GET", "/api/v1/tokens", key=None, headers={"Origin": other})
        assert answer.status_code == 403 and "access-control-allow-origin" not in answer.headers
        asks = {"Origin": other, "Access-Control-Request-Method": "GET"}
        assert ask("OPTIONS", "/api/v1/tokens", key=None, headers=asks).status_code == 403
    asks = {**ours, "Access-Control-Request-Method": "PUT"}
    assert ask("OPTIONS", "/api/v1/tokens", key=None, headers=asks).status_code == 403


def test_only_a_site_by_its_name_can_be_allowed(asker, data_dir) -> None:
    for origin in ("*", "null", "example.org", "https://", ""):
        with case(origin), pytest.raises(ValueError, match="origin"):
            asker(TableStore(data_dir), origins=[origin])


def test_watching_from_elsewhere_needs_the_players_link(ask) -> None:
    for path, params in product(("/api/v1/state", "/events"), ({}, {"watch": "guess"})):
        with case(path, params):
            assert ask("GET", path, key=None, peer="192.168.1.9", params=params).status_code == 401


def test_a_link_lets_watch_and_nothing_more(ask, a_token) -> None:
    for audience in LinkAudience:
        with case(audience):
            token = watch_token("the-key-of-this-table", audience)
            link = watch_link("http://127.0.0.1:4747", "the-key-of-this-table", audience)
            assert link == f"http://127.0.0.1:4747/?watch={token}"
            watch = {"watch": token}
            assert ask("GET", "/api/v1/state", key=None, peer="192.168.1.9", params=watch).status_code == 200
            assert ask("PUT", "/api/v1/tokens/vex", key=watch["watch"], json=a_token()).status_code == 401
            assert ask("PUT", "/api/v1/tokens/vex", key=None, params=watch, json=a_token()).status_code == 401


def test_a_tunnel_on_this_machine_does_not_count_as_this_machine(asker, data_dir):
    ask = asker(TableStore(data_dir), allowed_hosts=["table.example"])
    assert ask("GET", "/api/v1/state", key=None, base="https://table.example").status_code == 401
    forwarded = {"X-Forwarded-For": "127.0.0.1"}
    assert ask("GET", "/api/v1/state", key=None, headers=forwarded).status_code == 401


def test_it_answers_to_the_names_of_this_machine(ask) -> None:
    for base in ("http://127.0.0.1:9", "http://localhost", "http://[::1]:4747", "http://LOCALHOST:1"):
        with case(base):
            assert ask("GET", "/api/v1", base=base).status_code == 200


def test_it_answers_to_no_other_name(ask):
    others = ("http://evil.example", "http://127.0.0.1.evil.example:4747", "http://192.168.1.2")
    for base, path in product(others, ("/", "/api/v1", "/api/v1/state", "/events", "/static/table.js")):
        with case(base, path):
            answer = ask("GET", path, base=base)
            assert answer.status_code == 421
            assert "name" in problem(answer)


def test_it_answers_to_a_name_it_was_given(asker, data_dir):
    ask = asker(TableStore(data_dir), allowed_hosts=["table.local"])
    assert ask("GET", "/api/v1", base="http://table.local:4747").status_code == 200


def test_another_site_is_refused(ask):
    sites = ("https://evil.example", "null", "http://127.0.0.1:4748", "http://localhost:4747", "http://[")
    for origin in sites:
        for method, path in (("GET", "/api/v1/state"), ("PUT", "/api/v1/order"), ("GET", "/nowhere")):
            with case(method, path, origin):
                assert ask(method, path, headers={"Origin": origin}, json=ORDER).status_code == 403


def test_its_own_page_is_not_another_site(ask):
    assert ask("GET", "/api/v1/state", headers={"Origin": "http://127.0.0.1:4747"}).status_code == 200


def test_every_answer_is_fenced_in(ask) -> None:
    fence = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    for path in ("/", "/static/table.js", "/api/v1", "/nowhere"):
        with case(path):
            headers = ask("GET", path).headers
            assert headers["content-security-policy"] == fence
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"


def test_a_table_without_a_key_does_not_start(data_dir):
    with pytest.raises(ValueError, match="key"):
        create_app(TableStore(data_dir), "")


# Scene, tokens, order


def test_a_scene_is_set_read_back_and_ended(ask, scene, a_token, a_result):
    assert ask("GET", "/api/v1/scene").status_code == 404
    assert ask("PUT", "/api/v1/scene", json=scene).status_code == 200
    assert ask("GET", "/api/v1/scene").json() == scene
    ask("PUT", "/api/v1/tokens/vex", json=a_token())
    ask("PUT", "/api/v1/order", json=ORDER)
    ask("POST", "/api/v1/results", json=a_result())

    assert ask("DELETE", "/api/v1/scene").is_success
    state = ask("GET", "/api/v1/state").json()
    assert (state["scene"], state["tokens"], state["order"]) == (None, [], None)
    assert state["results"] == [a_result()]
    assert ask("DELETE", "/api/v1/scene").is_success


def test_a_token_is_placed_replaced_and_taken_away(ask, a_token):
    assert ask("GET", "/api/v1/tokens/vex").status_code == 404
    assert ask("PUT", "/api/v1/tokens/vex", json=a_token()).status_code == 200
    moved = a_token(position={"x": 5, "y": 1}, hp=None, statuses=["Prone"], state="down")
    assert ask("PUT", "/api/v1/tokens/vex", json=moved).json() == moved
    assert ask("GET", "/api/v1/tokens/vex").json() == moved
    assert ask("GET", "/api/v1/tokens").json() == {"tokens": [moved]}
    assert ask("DELETE", "/api/v1/tokens/vex").status_code == 204
    assert ask("DELETE", "/api/v1/tokens/vex").status_code == 204
    assert ask("GET", "/api/v1/tokens").json() == {"tokens": []}


def test_the_order_is_set_and_read_back(ask):
    assert ask("GET", "/api/v1/order").status_code == 404
    assert ask("PUT", "/api/v1/order", json=ORDER).status_code == 200
    assert ask("GET", "/api/v1/order").json() == ORDER_KEPT


def test_only_what_a_shape_names_is_kept(ask, a_token):
    ask("PUT", "/api/v1/tokens/vex", json=a_token(gm_note="will betray them"))
    assert "betray" not in ask("GET", "/api/v1/state").text


def test_saying_the_same_again_is_no_change(ask, scene, a_token):
    def tell_all(vex: dict[str, Any]) -> int:
        ask("PUT", "/api/v1/scene", json=scene)
        ask("PUT", "/api/v1/tokens/vex", json=vex)
        ask("PUT", "/api/v1/order", json=ORDER)
        return ask("GET", "/api/v1/state").json()["version"]

    version = tell_all(a_token())
    assert tell_all(a_token()) == version
    assert tell_all(a_token(size=2)) == version + 1


# Images

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def upload(ask: Any, content: bytes, media_type: str = "image/png", name: str = "") -> httpx.Response:
    path = f"/api/v1/images/{name or sha256(content)}"
    return ask("PUT", path, content=content, headers={"Content-Type": media_type})


def test_an_image_lies_under_the_map_until_the_next_scene(ask, scene, data_dir):
    image = {"hash": sha256(PNG)}
    missing = ask("PUT", "/api/v1/scene", json=scene | {"image": image})
    assert missing.status_code == 409
    assert "images/" in problem(missing)
    assert upload(ask, PNG).status_code == upload(ask, PNG).status_code == 204

    path = f"/api/v1/images/{sha256(PNG)}"
    assert ask("GET", path, key=None).status_code == 404, "players don't see the map to come"
    assert ask("PUT", "/api/v1/scene", json=scene | {"image": image}).json()["image"] == image
    shown = ask("GET", path, key=None)
    assert (shown.content, shown.headers["content-type"]) == (PNG, "image/png")
    assert "immutable" in shown.headers["cache-control"]
    assert ask("GET", path, key=None, peer="192.168.1.9").status_code == 401
    assert ask("PUT", path, key=None, content=PNG).status_code == 401

    ask("PUT", "/api/v1/scene", json=scene)
    assert ask("GET", path).status_code == 404
    assert list((data_dir / "images").iterdir()) == []


def test_an_image_that_nothing_names_yet_outlasts_a_scene(ask, scene, a_token, monkeypatch):
    monkeypatch.setattr(images, "UNNAMED_KEPT", 3)
    waiting = [b"\x89PNG\r\n\x1a\n %d" % number for number in range(images.UNNAMED_KEPT + 1)]
    digests = [*map(sha256, waiting)]
    assert {upload(ask, content).status_code for content in waiting} == {204}
    ask("PUT", "/api/v1/scene", json=scene)
    vex = a_token(image={"hash": digests[-1]})
    assert ask("PUT", "/api/v1/tokens/vex", json=vex).status_code == 200
    first = a_token("goblin", image={"hash": digests[0]})
    assert ask("PUT", "/api/v1/tokens/goblin", json=first).status_code == 409, "so many wait, and no more"
    ask("DELETE", "/api/v1/tokens/vex")
    ask("PUT", "/api/v1/scene", json=scene | {"id": "another"})
    assert ask("PUT", "/api/v1/tokens/vex", json=vex).status_code == 409, (
        "it was named, and nobody has it any more"
    )


def test_a_creatures_image_stays_with_it_and_is_shown_to_whoever_sees_it(ask, scene, a_token, data_dir):
    pictured = {"image": {"hash": sha256(PNG)}}
    path = f"/api/v1/images/{sha256(PNG)}"
    assert ask("PUT", "/api/v1/tokens/vex", json=a_token(**pictured)).status_code == 409
    upload(ask, PNG)
    assert ask("PUT", "/api/v1/tokens/vex", json=a_token(**pictured, hidden=True)).json()["hidden"]
    assert ask("GET", path, key=None).status_code == 404
    ask("PUT", "/api/v1/tokens/vex", json=a_token(**pictured))
    assert ask("PUT", "/api/v1/scene", json=scene).status_code == 200
    assert ask("GET", path, key=None).content == PNG

    restarted = TableStore(data_dir)
    with restarted.open_image(LinkAudience.PLAYERS, sha256(PNG)) as file:
        assert file.read() == PNG
    ask("DELETE", "/api/v1/scene")
    assert list((data_dir / "images").iterdir()) == []


def test_what_is_no_image_or_another_is_refused(ask, data_dir) -> None:
    for content, media_type, name in (
        (b"<svg onload='alert(1)'/>", "image/svg+xml", ""),
        (b"<script>alert(1)</script>", "text/html", ""),
        (b"<script>alert(1)</script>", "image/png", ""),
        (PNG, "image/jpeg", ""),
        (PNG, "image/png", "0" * 64),
        (PNG, "image/png", "..%2f..%2ftable.json"),
    ):
        with case(content, media_type, name):
            assert upload(ask, content, media_type, name).status_code in (400, 404)
            assert not (data_dir / "images").exists()


def test_an_image_has_a_limit(ask, monkeypatch):
    monkeypatch.setattr(images, "IMAGE_LIMIT", len(PNG) - 1)
    assert upload(ask, PNG).status_code == 413


# Results


def test_results_are_told_and_read_back_from_where_one_was(ask, a_result):
    for seq in (41, 42, 45):
        assert ask("POST", "/api/v1/results", json=a_result(seq)).status_code == 201
    assert ask("GET", "/api/v1/results").json() == {"results": [a_result(41), a_result(42), a_result(45)]}
    assert ask("GET", "/api/v1/results?after=42").json() == {"results": [a_result(45)]}
    assert ask("GET", "/api/v1/results?after=soon").status_code == 400


def test_the_same_idempotency_key_adds_nothing(ask, a_result):
    key = {"Idempotency-Key": "strike-42"}
    assert ask("POST", "/api/v1/results", json=a_result(42), headers=key).status_code == 201
    ask("POST", "/api/v1/results", json=a_result(42, undone=True), headers={"Idempotency-Key": "strike-43"})
    again = ask("POST", "/api/v1/results", json=a_result(42), headers=key)
    assert again.status_code == 200
    assert again.json() == a_result(42, undone=True), "what is kept, not what was repeated"
    assert ask("GET", "/api/v1/results").json()["results"] == [a_result(42, undone=True)]


def test_the_same_idempotency_key_with_another_body_is_refused(ask, a_result):
    key = {"Idempotency-Key": "strike-42"}
    ask("POST", "/api/v1/results", json=a_result(42), headers=key)
    answer = ask("POST", "/api/v1/results", json=a_result(43), headers=key)
    assert answer.status_code == 409
    assert "Idempotency-Key" in problem(answer)
    assert len(ask("GET", "/api/v1/results").json()["results"]) == 1


def test_a_known_result_changes_in_its_place(ask, a_result):
    for seq in (1, 2, 3):
        ask("POST", "/api/v1/results", json=a_result(seq))
    assert ask("POST", "/api/v1/results", json=a_result(2, undone=True)).status_code == 200
    assert ask("GET", "/api/v1/results").json()["results"] == [
        a_result(1),
        a_result(2, undone=True),
        a_result(3),
    ]


def test_only_the_last_results_are_kept(data_dir, a_result, monkeypatch):
    monkeypatch.setattr(table_store, "RESULTS_KEPT", 5)
    table = TableStore(data_dir)
    for seq in range(8):
        table.add_or_replace_result(a_result(seq))
    assert [kept["seq"] for kept in table.everything.results] == [3, 4, 5, 6, 7]


def test_five_hundred_results_are_kept():
    assert table_store.RESULTS_KEPT == 500


# What is refused


def test_a_wrong_shape_is_refused_with_the_name_of_the_field(ask) -> None:
    before = ask("GET", "/api/v1/state").json()
    for method, path, body, field in (
        ("PUT", "scene", [], "body"),
        ("PUT", "scene", {"name": "x", "rows": ["."]}, "id"),
        ("PUT", "scene", {"id": "", "name": "x", "rows": ["."]}, "id"),
        ("PUT", "scene", {"id": "a", "name": 4, "rows": ["."]}, "name"),
        ("PUT", "scene", {"id": "a", "name": "x"}, "rows"),
        ("PUT", "scene", {"id": "a", "name": "x", "rows": ["..", ".X"]}, "rows[1]"),
        ("PUT", "scene", {"id": "a", "name": "x", "rows": "..\n.."}, "rows"),
        ("PUT", "scene", {"id": "a", "name": "x", "rows": ["." * 401]}, "rows[0]"),
        ("PUT", "scene", {"id": "a", "name": "x", "rows": ["."] * 401}, "rows"),
        ("PUT", "scene", {"id": "a", "name": "x", "rows": ["."], "doors": [{"open": True}]}, "doors[0].at"),
        ("PUT", "scene",
         {"id": "a", "name": "x", "rows": ["."], "zones": [{"id": "z", "squares": [{"x": 0.5, "y": 0}]}]},
         "zones[0].squares[0].x"),
        ("PUT", "scene", {"id": "a", "name": "x", "rows": ["."], "walls": [[{"x": 1, "y": 1}]]}, "walls[0]"),
        ("PUT", "scene", {"id": "a", "name": "x", "rows": ["."], "image": {"hash": "../x"}}, "image.hash"),
        ("PUT", "tokens/vex", {"id": "bran", "name": "Vex", "side": "party"}, "id"),
        ("PUT", "tokens/vex", {"id": "vex", "side": "party"}, "name"),
        ("PUT", "tokens/vex", {"id": "vex", "name": "Vex"}, "side"),
        ("PUT", "tokens/vex", {"id": "vex", "name": "Vex", "side": "x" * 65}, "side"),
        ("PUT", "tokens/vex", {"name": "Vex", "side": "party", "meters": [{"name": "HP"}]}, "meters[0].id"),
        ("PUT", "tokens/vex", {"name": "Vex", "side": "party", "meters": [{"id": "hp", "shown": "dimly"}]},
         "meters[0].shown"),
        ("PUT", "scene", {"id": "a", "name": "x", "rows": ["  "]}, "rows"),
        ("PUT", "scene", {"id": "a", "name": "x", "rows": [], "track": {"steps": "far"}}, "track.steps"),
        ("PUT", "scene", {"id": "a", "name": "x", "rows": [], "sides": [{"name": "Us"}]}, "sides[0].id"),
        ("PUT", "scene",
         {"id": "a", "name": "x", "rows": [], "sides": [{"id": "us", "numbers": {"Strikes": "two"}}]},
         "sides[0].numbers.Strikes"),
        ("PUT", "scene",
         {"id": "a", "name": "x", "rows": [], "sides": [{"id": "us", "cards": [{"what": 3}]}]},
         "sides[0].cards[0].what"),
        ("PUT", "order", {"round": 1, "entries": [{"id": "vex", "count": 0}]}, "entries[0].count"),
        ("PUT", "beside", {"scenes": [{"tokens": []}]}, "scenes[0].scene"),
        ("PUT", "beside", {"scenes": [{"scene": {"id": "a", "name": "x"}}]}, "scenes[0].scene.rows"),
        ("PUT", "asked", {"asked": [{"id": "a"}]}, "asked[0].what"),
        ("PUT", "asked", {"asked": [{"id": "a", "what": "b", "options": ["c"]}]}, "asked[0].options[0]"),
        ("PUT", "tokens/vex", {"name": "Vex", "side": "party", "position": {"x": 1.5, "y": 2}}, "position.x"),
        ("PUT", "tokens/vex", {"name": "Vex", "side": "party", "position": {"x": 1}}, "position.y"),
        ("PUT", "tokens/vex", {"name": "Vex", "side": "party", "position": [1, 2]}, "position"),
        ("PUT", "tokens/vex", {"name": "Vex", "side": "party", "size": 0}, "size"),
        ("PUT", "tokens/vex", {"name": "Vex", "side": "party", "size": True}, "size"),
        ("PUT", "tokens/vex", {"name": "Vex", "side": "party", "hp": {"value": "7", "max": 10}}, "hp.value"),
        ("PUT", "tokens/vex", {"name": "Vex", "side": "party", "statuses": ["Prone", 3]}, "statuses[1]"),
        ("PUT", "tokens/vex", {"name": "Vex", "side": "party", "hidden": "no"}, "hidden"),
        ("PUT", "tokens/vex", {"name": "Vex", "side": "party", "state": "dead"}, "state"),
        ("PUT", "tokens/vex", {"name": "\ud800", "side": "party"}, "name"),
        ("PUT", "order", {"active": "vex", "entries": []}, "round"),
        ("PUT", "order", {"round": 1, "entries": [{"initiative": 3}]}, "entries[0].id"),
        ("PUT", "order", {"round": 1, "entries": [{"id": "vex", "initiative": "fast"}]},
         "entries[0].initiative"),
        ("POST", "results", {"id": "1", "seq": -1, "title": "x"}, "seq"),
        ("POST", "results", {"id": "1", "seq": 1}, "title"),
        ("POST", "results", {"id": "1", "seq": 1, "title": "x", "dice": [{"sides": 6, "faces": ["5"]}]},
         "dice[0].faces[0]"),
        ("POST", "results", {"id": "1", "seq": 1, "title": "x", "dice": [{"faces": [5]}]}, "dice[0].sides"),
    ):  # fmt: skip
        with case(method, path, body, field):
            answer = ask(method, f"/api/v1/{path}", content=json.dumps(body).encode())
            assert answer.status_code == 400
            assert problem(answer).startswith(f"{field}: ")
    assert ask("GET", "/api/v1/state").json() == before


def test_what_is_not_json_is_refused(ask) -> None:
    for raw in (b"", b"{", b"\xff\xfe", b'{"round": NaN}', b"[" * 100_000):
        with case(raw[:9]):
            answer = ask("PUT", "/api/v1/order", content=raw)
            assert answer.status_code == 400
            assert "JSON" in problem(answer)


def test_an_idempotency_key_has_a_length(ask, a_result):
    for number, (length, status) in enumerate(((1, 201), (255, 201), (256, 400)), 1):
        key = {"Idempotency-Key": "x" * length}
        answer = ask("POST", "/api/v1/results", json=a_result(number), headers=key)
        assert (answer.status_code, status == 400) == (status, "Idempotency-Key" in answer.text)


def test_an_unknown_address_is_404_as_json(ask) -> None:
    for path in ("/nowhere", "/api/v2", "/static/../app.py", "/static/%2e%2e%2fapp.py", "/static/no.js"):
        with case(path):
            answer = ask("GET", path)
            assert answer.status_code == 404
            assert problem(answer)


def test_a_method_that_an_address_lacks_is_405_and_names_the_others(ask):
    answer = ask("POST", "/api/v1/scene")
    assert answer.status_code == 405
    assert problem(answer)
    assert set(answer.headers["allow"].split(", ")) == {"GET", "HEAD", "PUT", "DELETE"}


def test_a_body_has_a_limit_however_it_comes(start):
    table = start()
    many = b'{"round": 1, "entries": []}' + b" " * 1024 * 1024
    answer = table.client.put("/api/v1/order", content=many)
    assert answer.status_code == 413
    assert "1024 KiB" in problem(answer)

    def in_pieces() -> Iterator[bytes]:
        for at in range(0, len(many), 16_384):
            yield many[at : at + 16_384]

    assert table.client.put("/api/v1/order", content=in_pieces()).status_code == 413
    assert table.client.get("/api/v1/order").status_code == 404


# The page's files


def test_the_page_and_its_files_are_served_fresh(ask):
    for name, kind in [
        ("/", "text/html"),
        ("/play", "text/html"),
        ("/static/table.js", "text/javascript"),
        ("/static/look.css", "text/css"),
        ("/static/icon.svg", "image/svg+xml"),
    ]:
        file = ask("GET", name, key=None)
        assert file.headers["content-type"].startswith(kind)
        assert file.headers["cache-control"] == "no-cache"
        again = ask("GET", name, headers={"If-None-Match": file.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(("path", "scripts"), [("/", ["table"]), ("/play", ["first", "player"])])
def test_a_page_loads_one_style_and_its_scripts_compressed_and_for_good(ask, path, scripts):
    text = ask("GET", path, key=None).text
    named = re.findall(r'(?:src|href)="(/static/[^"]+)"', text)
    assert [PurePath(name).suffix for name in named] == [".svg", ".css", *[".js" for _ in scripts]]
    assert [PurePath(name).name.partition("-")[0] for name in named[2:]] == scripts
    for apart in named[2:-1]:
        assert f'from "{apart}";' in ask("GET", named[-1]).text, "one address, so that it is run once"
    for name in named[1:]:
        file = ask("GET", name, key=None, headers={"Accept-Encoding": "gzip"})
        assert (file.status_code, file.headers["content-encoding"]) == (200, "gzip")
        assert file.headers["cache-control"].endswith("immutable")
        plain = ask("GET", name, key=None, headers={"Accept-Encoding": "identity"})
        assert "content-encoding" not in plain.headers and plain.content == file.content
        for used in re.findall(r'url\("(/[^"]+)"\)', plain.text):
            assert ask("GET", used, key=None).headers["cache-control"].endswith("immutable")


def test_the_state_is_named_with_the_page_to_who_may_watch_and_comes_compressed(ask, a_result):
    players, gm = (
        watch_token("the-key-of-this-table", audience) for audience in (LinkAudience.PLAYERS, LinkAudience.GM)
    )
    for query, elsewhere, state in (
        ("", False, "/api/v1/state"),
        ("", True, ""),
        (f"?watch={players}", True, f"/api/v1/state?watch={players}"),
        (f"?watch={gm}", False, f"/api/v1/state?watch={gm}"),
        ("?watch=%3E%3B", False, ""),
    ):
        page = ask("GET", f"/{query}", key=None, headers={"Via": "1.1 a-proxy"} if elsewhere else {})
        assert page.headers.get("link", "") == (state and f"<{state}>; rel=preload; as=fetch; crossorigin")
    for number, seen in ((1, [1]), (2, [1, 2])):
        ask("POST", "/api/v1/results", json=a_result(number, text="A blow. " * 20))
        packed, plain = (
            ask("GET", "/api/v1/state", key=None, headers={"Accept-Encoding": coding})
            for coding in ("gzip", "identity")
        )
        assert (packed.headers["content-encoding"], "content-encoding" in plain.headers) == ("gzip", False)
        assert packed.headers["cache-control"] == "no-store"
        assert [result["seq"] for result in packed.json()["results"]] == seen
        assert packed.json() == plain.json()


JOINED = {
    "default": "export default 1;\n",
    "star": 'import * as all from "./b.js";\n',
    "bare": 'import "./b.js";\n',
    "late": 'const b = () => import("./b.js");\n',
    "await": "await 1;\n",
    "twice": "function a() {}\nexport function b() {}\nfunction a() {}\n",
    "circle": 'import { a } from "./a.js";\nexport function a() {}\n',
}


def test_a_form_of_import_that_cannot_be_joined_is_refused(monkeypatch) -> None:
    for form, text in JOINED.items():
        with case(form):
            monkeypatch.setattr(asset_bundle, "read_page_file", lambda address, text=text: text.encode())
            with pytest.raises(ValueError, match="/static/a.js"):
                asset_bundle.bundle_script("/static/a.js")


# Surviving


def test_a_restart_loses_nothing(asker, data_dir, scene, a_token, a_result):
    ask = asker(TableStore(data_dir))
    key = {"Idempotency-Key": "strike-1"}
    ask("PUT", "/api/v1/scene", json=scene)
    ask("PUT", "/api/v1/tokens/vex", json=a_token())
    ask("PUT", "/api/v1/order", json=ORDER)
    ask("POST", "/api/v1/results", json=a_result(), headers=key)
    before = ask("GET", "/api/v1/state").json()

    ask = asker(TableStore(data_dir))
    assert ask("GET", "/api/v1/state").json() == before
    assert ask("POST", "/api/v1/results", json=a_result(), headers=key).status_code == 200
    assert ask("POST", "/api/v1/results", json=a_result(2), headers=key).status_code == 409
    ask("DELETE", "/api/v1/tokens/vex")
    assert ask("GET", "/api/v1/state").json()["version"] > before["version"]


def test_versions_grow_even_when_the_data_is_lost(tmp_path, a_token):
    former = TableStore(tmp_path / "one")
    former.put_token(a_token())
    time.sleep(0.005)
    later = TableStore(tmp_path / "two")
    seen = former.snapshot(LinkAudience.PLAYERS)["version"]
    assert later.snapshot(LinkAudience.PLAYERS)["version"] > seen
    assert later.changes_after(LinkAudience.PLAYERS, seen) is None


def test_an_unreadable_file_is_set_aside(data_dir, a_token, caplog):
    TableStore(data_dir).put_token(a_token())
    (data_dir / table_store.FILE_NAME).write_text('{"schema": 1, "tok', "utf-8")
    assert TableStore(data_dir).everything.tokens == {}
    assert "set aside" in caplog.text
    (aside,) = data_dir.glob("table.json.unreadable-*")
    assert aside.read_text("utf-8") == '{"schema": 1, "tok'


def test_a_newer_file_is_left_alone(data_dir):
    data_dir.mkdir()
    (data_dir / table_store.FILE_NAME).write_text('{"schema": 99}', "utf-8")
    with pytest.raises(NewerFile, match="upgrade"):
        TableStore(data_dir)
    assert (data_dir / table_store.FILE_NAME).read_text("utf-8") == '{"schema": 99}'


def test_what_could_not_be_written_did_not_happen(asker, data_dir, a_token, monkeypatch):
    ask = asker(TableStore(data_dir))

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(table_store.os, "fsync", full)
        answer = ask("PUT", "/api/v1/tokens/vex", json=a_token())
    assert answer.status_code == 507
    assert "No space" in problem(answer)
    assert ask("GET", "/api/v1/tokens/vex").status_code == 404
    assert ask("PUT", "/api/v1/tokens/vex", json=a_token()).status_code == 200


# Watching live


class Watching:
    """The events of one stream, parsed."""

    def __init__(self, table, after: int | str | None = None, *, last_event_id: int | None = None) -> None:
        headers = {} if last_event_id is None else {"Last-Event-ID": str(last_event_id)}
        params = {} if after is None else {"after": after}
        self._client = httpx.Client(base_url=table.url, timeout=60, verify=False)
        self._stream = self._client.stream("GET", "/events", headers=headers, params=params)

    def __enter__(self) -> Watching:
        answer = self._stream.__enter__()
        assert answer.headers["content-type"].startswith("text/event-stream")
        self._lines = answer.iter_lines()
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.__exit__(None, None, None)
        self._client.close()

    def next(self) -> tuple[str, object, int]:
        """The next event: its name, its data, the version."""
        fields: dict[str, str] = {}
        for line in self._lines:
            if line == "" and "data" in fields:
                return fields["event"], json.loads(fields["data"]), int(fields["id"])
            name, _, value = line.partition(": ")
            if line:
                fields[name] = value
        raise EOFError

    def rest(self) -> list[str]:
        return list(self._lines)


def test_a_newcomer_gets_everything_then_each_change(start, scene, a_token, a_result):
    table = start(title="The Salt Road")
    table.tell("PUT", "scene", scene)
    table.token("goblin-1")
    with Watching(table) as watching:
        name, state, version = watching.next()
        assert name == "snapshot"
        assert state == httpx.get(f"{table.url}/api/v1/state", verify=False).json()
        assert (state["title"], state["scene"], state["version"]) == ("The Salt Road", scene, version)

        table.token()
        table.tell("PUT", "order", ORDER)
        table.result()
        table.tell("DELETE", "scene")
        assert [watching.next() for _ in range(7)] == [
            ("token", a_token(), version + 1),
            ("order", ORDER_KEPT, version + 2),
            ("result", a_result(), version + 3),
            ("token-removed", {"id": "goblin-1"}, version + 4),
            ("token-removed", {"id": "vex"}, version + 5),
            ("order", None, version + 6),
            ("scene", None, version + 7),
        ]


@pytest.mark.parametrize("how", ["after", "last_event_id"])
def test_whoever_was_away_is_told_what_was_missed(start, a_token, how):
    table = start()
    table.token()
    seen = table.tell("GET", "state").json()["version"]
    table.token("bran")
    table.tell("DELETE", "tokens/vex")
    with Watching(table, **{how: seen}) as watching:
        assert watching.next() == ("token", a_token("bran"), seen + 1)
        assert watching.next() == ("token-removed", {"id": "vex"}, seen + 2)


@pytest.mark.parametrize("after", ["0", "99999999999999999", "yesterday"])
def test_whoever_was_away_too_long_gets_everything(start, a_token, after):
    table = start()
    table.token()
    with Watching(table, after) as watching:
        name, state, _ = watching.next()
        assert (name, state["tokens"]) == ("snapshot", [a_token()])


def test_after_a_restart_a_stream_goes_on_where_it_was(start, a_token):
    table = start()
    table.token()
    seen = table.tell("GET", "state").json()["version"]
    table.stop()
    table = start()
    with Watching(table, last_event_id=seen) as watching:
        table.token("bran")
        assert watching.next() == ("token", a_token("bran"), seen + 1)
    table.stop()
    table = start()
    with Watching(table, last_event_id=seen) as watching:
        assert watching.next()[0] == "snapshot", "what changed before the restart is known only as a whole"


def test_a_silent_stream_shows_that_it_is_open(start, monkeypatch):
    assert event_stream.HEARTBEAT == 10
    monkeypatch.setattr(event_stream, "HEARTBEAT", 0.05)
    with Watching(start()) as watching:
        watching.next()
        assert next(line for line in watching._lines if line) == "event: beat"


def test_a_beat_comes_as_soon_though_others_are_rung_for(monkeypatch):
    """When it comes tells players nothing of what the game master does meanwhile."""
    import asyncio

    monkeypatch.setattr(event_stream, "HEARTBEAT", 0.2)

    async def rings_until_a_beat() -> int:
        bell, silent, rings = asyncio.Event(), event_stream.HeartbeatTimer(), 0
        bell.set()
        while await silent.wait_for_bell_or_heartbeat(bell):
            bell.clear()
            rings += 1
            asyncio.get_running_loop().call_later(0.01, bell.set)
        return rings

    assert asyncio.run(asyncio.wait_for(rings_until_a_beat(), 10)) > 1


def test_a_ping_is_heard_by_who_is_there_and_forgotten(start):
    table = start()
    place = {"scene": "ford", "x": 3.5, "y": 2}
    with Watching(table) as watching:
        watching.next()
        table.tell("POST", "ping", place | {"more": "is dropped"})
        lines = (line for line in watching._lines if line.startswith(("event", "data")))
        assert [next(lines), json.loads(next(lines).removeprefix("data: "))] == ["event: ping", place]
    with Watching(table) as late:
        assert late.next()[0] == "snapshot"
        table.tell("PUT", "scene", {"id": "a", "name": "A", "rows": ["."]})
        assert late.next()[0] == "scene"


def test_open_streams_end_with_the_server(start, monkeypatch):
    """By themselves: the server needn't cut them off."""
    monkeypatch.setattr("strike_table.serve._PATIENCE", 3600)
    table = start()
    with Watching(table) as watching, Watching(table) as another:
        watching.next()
        another.next()
        table.stop()
        assert watching.rest() == []
        assert another.rest() == []


# Running


def test_a_port_in_use_is_named_with_what_to_do(start, tmp_path):
    first = start()
    with pytest.raises(PortInUse, match=rf"port {first.port} .* choose another port") as refused:
        start(data_dir=tmp_path / "another", port=first.port)
    assert isinstance(refused.value, OSError)
    assert refused.value.errno == errno.EADDRINUSE


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_ctrl_c_ends_the_program_at_once_in_order(data_dir):
    command = [
        sys.executable,
        *["-m", "strike_table", "--port", "0", "--title", "Salt", "--data"],
        str(data_dir),
    ]
    environment = os.environ | {"STRIKE_TABLE_KEY": "k"}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        url = program.stdout.readline().strip()
        assert httpx.get(f"{url}/api/v1", verify=False).json()["title"] == "Salt"
        with httpx.stream("GET", f"{url}/events", verify=False) as answer:
            next(answer.iter_lines())
            program.send_signal(signal.SIGINT)
            _, complaints = program.communicate(timeout=60)
        assert (program.returncode, complaints.count("\n")) == (0, 1), (
            "the game master's link, and no complaint"
        )


def test_how_far_somebody_gets_is_asked_of_whoever_knows_the_rules(data_dir, asker, a_token):
    """Only of who is seen, and as whoever looks may know it."""
    looked: list[tuple[str, bool]] = []

    class Rules:
        def __call__(self, who: str, *, gm: bool) -> dict[str, Any] | None:
            looked.append((who, gm))
            return {"moves": [{"x": 1, "y": 2}], "attacks": []} if who == "vex" else None

        def squares_in_party_sight(self) -> list[dict[str, Any]]:
            return [{"x": 3, "y": 4}]

    ask = asker(TableStore(data_dir), range_finder=Rules())
    for who, hidden in (("vex", False), ("goblin", False), ("lurker", True)):
        ask("PUT", f"/api/v1/tokens/{who}", json=a_token(who, hidden=hidden))
    told = ask("GET", "/api/v1/ranges/vex", key=None)
    assert told.json() == {"moves": [{"x": 1, "y": 2}], "attacks": []}
    shape = DESCRIPTION["components"]["schemas"]["Ranges"]
    assert list(faults(told.json(), shape, DESCRIPTION)) == []
    sight = ask("GET", "/api/v1/sight", key=None)
    assert sight.json() == {"squares": [{"x": 3, "y": 4}]}
    assert list(faults(sight.json(), DESCRIPTION["components"]["schemas"]["Sight"], DESCRIPTION)) == []
    for who in ("goblin", "lurker", "nobody", "of%0Atwo lines"):
        assert ask("GET", f"/api/v1/ranges/{who}", key=None).status_code == 204
    assert ask("GET", "/api/v1/ranges/lurker").status_code == 204
    assert looked == [("vex", False), ("goblin", False), ("lurker", True)]
    assert ask("GET", "/api/v1/ranges/vex", key=None, peer="192.0.2.7").status_code == 401


def test_who_reads_a_file_is_waited_for_on_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a guard against viruses reads what is new: Windows replaces no file that is open."""
    readers, real = [PermissionError(), PermissionError()], Path.replace

    def replace(beside: Path, place: Path) -> Path:
        if readers:
            raise readers.pop()
        return real(beside, place)

    monkeypatch.setattr(images, "WINDOWS", True)
    monkeypatch.setattr(Path, "replace", replace)
    (tmp_path / "new").write_bytes(b"new")
    images.replace_file_without_sync(tmp_path / "new", tmp_path / "table.json")
    assert (tmp_path / "table.json").read_bytes() == b"new"
    monkeypatch.setattr(images, "WINDOWS", False)
    readers.append(PermissionError())
    with pytest.raises(PermissionError):
        images.replace_file_without_sync(tmp_path / "table.json", tmp_path / "new")
