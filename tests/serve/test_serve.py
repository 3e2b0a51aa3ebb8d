"""`strike serve`: commands in, envelopes out, once for each key, for whoever holds the key."""

from __future__ import annotations

import http.client
import json
import shutil
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from serve.conftest import KEY, Served, opened
from support.cases import case
from support.cli import Strike

import strike_cli
from strike_bridge.credential_store import ensure_serve_key, keys_file
from strike_cli.campaign import Campaign
from strike_cli.serve import hosted_game as games
from strike_cli.serve import serve_command
from strike_cli.serve.http_app import BODY_LIMIT
from strike_table.connection_limits import H11Connection
from strike_table.httptools_connection import HttpToolsConnection


def test_a_command_answers_with_its_envelope_as_the_command_line_prints_it(
    door: Served, tmp_path: Path, strike: Strike
) -> None:
    other = tmp_path / "beside"
    strike_cli.Campaign.new(other, seed=3)
    for words in (["combat", "start", "ford"], ["init"], ["turn"], ["status"]):
        answer = door.post(*words)
        printed = strike.json(f"-C {other} {' '.join(words)}")
        for envelope in (answer, printed):
            if words == ["status"]:
                envelope["data"].pop("folder"), envelope["data"].pop("name")
        assert answer == {**printed, "exit": 0}


def test_what_the_rules_refuse_or_leave_open_is_an_answer_too(door: Served) -> None:
    refused = door.post("combat", "turn")
    assert (refused["ok"], refused["exit"], refused["error"]["code"]) == (False, 1, "refused")
    wrong = door.post("roll", "skill", "nobody", "Climbing", "--nonsense")
    assert (wrong["exit"], wrong["error"]["code"]) == (2, "usage")
    waits = door.post("roll", "skill", "vex", "Climbing", dice=[1], note="the wall")
    assert waits["exit"] == 6 and "winded" in waits["pending"]["options"]
    done = door.post("choose", "winded")
    assert done["exit"] == 0 and done["data"]["costs"] == 1
    assert done["seq"] == 2 and len(door.recorded) == 2


@pytest.mark.slow
def test_a_dry_run_and_what_only_looks_change_nothing(door: Served) -> None:
    door.post("combat", "start", "ford")
    door.post("combat", "initiative", dice=[6, 5, 4, 3, 2, 2, 2, 1, 1, 1])
    before = door.recorded
    first = door.post("combat", "next", dry_run=True)
    assert first["seq"] is None and first["facts"]
    assert door.post("combat", "next", dry_run=True) == first
    assert door.post("undo", dry_run=True)["error"]["code"] == "usage", "it takes no dry run"
    for path in ("options", "status", "log", "state", "tokens", "order", "scene"):
        door.get(path)
    assert door.recorded == before
    assert door.post("combat", "next")["facts"] == first["facts"]
    tried = door.post("combat", "auto", "vex", "--bot", "quick", "--seed", "4", dry_run=True)
    assert tried["ok"] and len(door.recorded) == 3, tried
    assert door.post("combat", "auto", "vex", "--bot", "quick", "--seed", "4")["facts"] == tried["facts"]


def test_the_same_key_plays_once_and_answers_the_same(door: Served) -> None:
    first = door.post("roll", "die", "2d6", key="a", note="first")
    assert door.post("roll", "die", "2d6", key="a", note="first") == first
    assert len(door.recorded) == 1
    used = door.post("roll", "die", "2d6", key="a", code=409)
    assert used["error"]["code"] == "key_reused", "the note was another"
    refused = door.post("combat", "turn", key="b")
    door.post("combat", "start", "ford", key="c")
    door.post("combat", "initiative", key="d")
    assert door.post("combat", "turn", key="b") == refused
    assert door.recorded[0]["key"] == "a"


def test_a_refusal_too_old_to_be_stored_is_tried_again(door: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing was recorded under its key, so nothing can be played twice."""
    monkeypatch.setattr(games, "KEYS_KEPT", 1)
    door.post("combat", "turn", key="early")
    for key, line in (("start", "combat start ford"), ("order", "combat initiative")):
        door.post(*line.split(), key=key)
    assert door.post("combat", "turn", key="early")["command"] == "combat turn"
    assert [entry["key"] for entry in door.recorded] == ["start", "order", "early"]


def test_a_key_holds_over_a_new_start(campaign: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[tuple[str, ...], dict[str, Any]]] = [
        (("roll", "skill", "vex", "Climbing"), {"key": "waits", "dice": [4]}),
        (("choose", "winded"), {"key": "answers"}),
        (("combat", "start", "ford"), {"key": "starts"}),
        (("combat", "initiative"), {"key": "order"}),
        (("combat", "turn"), {"key": "turn", "secret": True}),
    ]
    with opened(campaign) as door:
        before = [door.post(*words, **more) for words, more in asked]
        door.post("undo", key="undone")
        entries = door.recorded
    with opened(campaign) as door:
        assert [door.post(*words, **more) for words, more in asked] == before
        undone = door.post("undo", key="undone")
        assert (undone["ok"], undone["seq"]) == (True, entries[-1]["seq"])
        door.post("combat", "end-turn", key="turn", code=409)
        assert door.recorded == entries


def test_a_list_answers_each_command_as_it_would_be_by_itself(door: Served, tmp_path: Path) -> None:
    other = tmp_path / "beside"
    shutil.copytree(door.folder, other)
    lines = ["combat start ford", "init", "status", "roll skill vex Climbing", "choose winded", "undo"]
    listed = [{"words": line.split(), "dice": [1] * ("skill" in line), "key": line} for line in lines]
    answers = door.post_all(*listed)
    with opened(other) as beside:
        alone = [beside.post(*each.pop("words"), **each) for each in listed]
    for each in (answers, alone):
        each[2]["data"].pop("folder")
    assert answers == alone
    assert [each["exit"] for each in answers] == [0, 0, 0, 6, 0, 0], "what is pending stops nothing"


def test_a_list_stops_at_the_first_that_fails_or_goes_on(door: Served) -> None:
    lines = ("note a", "combat turn", "export", "note b")
    listed = [{"words": line.split(), "key": line} for line in lines]
    answers = door.post_all(*listed)
    assert [each["exit"] for each in answers] == [0, 1]
    answers = door.post_all(*listed, keep_going=True)
    assert [each["exit"] for each in answers] == [0, 1, 2, 0]
    assert answers[2]["error"]["code"] == "not-from-outside"
    assert [entry["key"] for entry in door.recorded] == ["note a", "note b"], "each once for its key"


def test_a_key_with_other_words_is_refused_in_its_place(door: Served) -> None:
    listed = [{"words": ["note", text], "key": key} for text, key in (("a", "1"), ("b", "1"), ("c", "2"))]
    assert [each.get("seq") for each in door.post_all(*listed)] == [1, None]
    answers = door.post_all(*listed, keep_going=True)
    assert [each.get("seq") for each in answers] == [1, None, 2]
    assert answers[1]["error"]["code"] == "key_reused"


def test_a_list_ends_where_another_command_writes(door: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "LOCK_SECONDS", 0.05)
    with Campaign(door.folder, writing=True):
        answers = door.post_all({"words": ["status"]}, *[{"words": ["roll", "die"]}] * 2, keep_going=True)
    assert [each.get("exit") for each in answers] == [0, None]
    assert answers[1]["error"]["code"] == "busy"


@pytest.mark.slow
def test_others_are_answered_between_the_commands_of_a_list(door: Served) -> None:
    with ThreadPoolExecutor(1) as other:
        listed = other.submit(door.post_all, *[{"words": ["roll", "die"]}] * 500)
        while not (rolled := door.get("log", last=1)["data"]["entries"]):
            pass
        assert rolled[0]["seq"] < 500
        assert len(listed.result()) == 500


def test_who_may_not_come_in_plays_nothing(door: Served) -> None:
    paths = ("/api/v1/status", "/api/v1/tokens", "/events", "/openapi.json", "/api/v1/own?as=vex")
    stranger = httpx.Client(base_url=door.url, verify=False)
    for headers, code in (
        ({}, 401),
        ({"Authorization": "Bearer another"}, 401),
        ({"Authorization": f"Basic {KEY}"}, 401),
        ({"Authorization": f"Bearer {KEY}", "Host": "evil.example"}, 403),
        ({"Authorization": f"Bearer {KEY}", "Host": "127.0.0.1.evil.example"}, 403),
        ({"Authorization": f"Bearer {KEY}", "Origin": "https://evil.example"}, 403),
        ({"Authorization": f"Bearer {KEY}", "Origin": "null"}, 403),
        ({"Authorization": f"Bearer {KEY}", "Origin": "https://here.example"}, 403),
    ):
        with case(headers, code):
            answer = stranger.post("/api/v1/commands", json={"words": ["roll", "die"]}, headers=headers)
            assert answer.status_code == code, answer.text
            if headers.get("Origin") != "https://here.example":
                for path in paths:
                    assert stranger.get(path, headers=headers).status_code == code
            assert "access-control-allow-origin" not in answer.headers
            assert door.recorded == []


def test_a_site_that_was_named_reads_with_the_key_and_plays_nothing(door: Served) -> None:
    ours = {"Origin": "https://here.example"}
    answer = door.http.get("/api/v1/status", headers=ours)
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == "https://here.example"
    asks = {**ours, "Access-Control-Request-Method": "GET"}
    assert httpx.options(f"{door.url}/api/v1/status", headers=asks).status_code == 204
    asks = {**ours, "Access-Control-Request-Method": "POST"}
    assert httpx.options(f"{door.url}/api/v1/commands", headers=asks).status_code == 403


def test_what_is_in_a_wrong_form_is_refused(door: Served) -> None:
    for body in (
        b"", b"[]", b"{", b'{"words": []}', b'{"words": "status"}', b'{"words": [1]}', b"[" * 20_000,
        b'{"words": ["\\ud800"]}', b'{"words": ["a"], "x": 1}', b'{"words": ["a"], "note": NaN}',
        b'{"words": ["status"], "dice": [true]}', b'{"words": ["status"], "dice": 5}',
        b'{"words": ["status"], "dry_run": 1}', b'{"words": ["status"], "key": 7}',
        b'{"words": ["status"], "key": "a\\nb"}',
        b'{"commands": []}', b'{"commands": {"words": ["status"]}}', b'{"commands": [["status"]]}',
        b'{"commands": [{"words": ["note", "a"]}, {"words": []}]}',
        b'{"commands": [{"words": ["status"]}], "words": ["status"]}',
        b'{"commands": [{"commands": [{"words": ["status"]}]}]}',
        b'{"commands": [{"words": ["status"]}], "keep_going": 1}',
    ):  # fmt: skip
        with case(body):
            answer = door.http.post("/api/v1/commands", content=body)
            words = "commands[1]: words must be" if b'"note", "a"' in body else ""
            assert answer.status_code == 400 and words in answer.json()["error"]["message"]
    assert not door.recorded
    mistyped = door.http.post("/api/v1/commands", content=b'{"words": ["status"], "secret": 1}')
    assert mistyped.json()["error"]["message"].startswith("`secret` and `dry_run` are true or false")


def test_too_much_is_refused(door: Served) -> None:
    assert door.http.post("/api/v1/commands", content=b"x" * 70_000).status_code == 413
    noted = {"words": ["note", *["x" * 10_000] * 7]}
    door.post(*noted["words"], code=413)
    assert not door.post_all(noted)[0]["exit"], "a list may have more"
    assert door.post_all(*[{"words": ["status"]}] * 501, code=413)["error"]["code"] == "too_large"
    door.post_all(*[noted] * 16, code=413)
    for query in ({"after": "x"}, {"last": "-1"}, {"as": "nobody"}, {"words": "x"}, {"last": "9" * 99}):
        assert door.http.get("/api/v1/log", params=query).status_code == 400
    assert door.get("options", 400, who="--help") and door.get("nothing", 404)


@pytest.fixture(params=[H11Connection, HttpToolsConnection])
def either_door(
    request: pytest.FixtureRequest, campaign: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Served]:
    """A door by each of the two that read requests."""
    monkeypatch.setattr(serve_command, "_connection_class", lambda: request.param)
    with opened(campaign) as door:
        yield door


def connected(door: Served) -> socket.socket:
    address = door.http.base_url
    return socket.create_connection((address.host, address.port or 0), 10)


def test_a_line_that_breaks_is_one_line(either_door: Served) -> None:
    door = either_door
    for sent in (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"x" * 70_000, b"\0nothing\r\n\r\n"):
        with connected(door) as line:
            line.sendall(sent)
            assert line.recv(100).startswith(b"HTTP/1.1 400")
    assert door.http.post("/api/v1/commands", content=b"x" * 70_000).status_code == 413
    assert door.post("roll", "die")["seq"] == 1


def test_a_head_that_begins_behind_a_long_body_is_no_long_head(either_door: Served) -> None:
    known = f"Host: {either_door.http.base_url.netloc.decode()}\r\nAuthorization: Bearer {KEY}\r\n"
    body = b'{"words": ["status"]}'.ljust(BODY_LIMIT)
    write = f"POST /api/v1/commands HTTP/1.1\r\n{known}Content-Length: {len(body)}\r\n\r\n".encode()
    read = f"GET /api/v1/status HTTP/1.1\r\n{known}\r\n".encode()
    with connected(either_door) as line:
        for part in (write + body + read[:20], read[20:] + read[:20], read[20:]):
            line.sendall(part)
            answer = http.client.HTTPResponse(line)
            answer.begin()
            assert answer.status == 200
            answer.read()


def test_others_play_on_beside_it(door: Served, strike: Strike) -> None:
    door.post("roll", "die")
    strike(f"-C {door.folder} roll die")
    assert door.get("status")["data"]["seq"] == 2
    assert door.post("roll", "die")["seq"] == 3
    file = door.folder / "campaign.toml"
    file.write_text(file.read_text(encoding="utf-8").replace("Vex Marlowe", "Vexa Marlowe"), encoding="utf-8")
    assert door.get("status")["data"]["party"][0]["name"] == "Vexa Marlowe"
    assert door.post("roll", "die")["seq"] == 4
    strike(f"-C {door.folder} replay --verify")


def test_while_another_command_writes_nothing_is_played(
    door: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "LOCK_SECONDS", 0.05)
    with Campaign(door.folder, writing=True):
        assert door.post("roll", "die", key="a", code=503)["error"]["code"] == "busy"
        assert door.get("status")["ok"], "who only reads waits for nobody"
    assert door.post("roll", "die", key="a")["seq"] == 1


@pytest.mark.slow
def test_fifty_at_once_with_repeated_keys_play_each_once(door: Served) -> None:
    keys = [f"key-{number // 2}" for number in range(100)]

    def ask(key: str) -> Any:
        return door.post("roll", "die", key=key)

    with ThreadPoolExecutor(50) as crowd:
        came = list(crowd.map(ask, keys))
    assert len(door.recorded) == 50
    seqs = {entry["key"]: entry["seq"] for entry in door.recorded}
    assert seqs == {key: answer["seq"] for key, answer in zip(keys, came, strict=True)}


def test_a_client_that_goes_away_learns_by_its_key_what_came_of_it(door: Served) -> None:
    begun, go_on = threading.Event(), threading.Event()
    door.game.call_on_game_thread(lambda: (begun.set(), go_on.wait(60)))  # something takes a while
    begun.wait(60)
    asked = {"words": ["roll", "die"], "key": "a"}
    with pytest.raises(httpx.ReadTimeout):
        door.http.post("/api/v1/commands", json=asked, timeout=httpx.Timeout(60, read=0.05))
    go_on.set()
    assert door.post("roll", "die", key="a")["seq"] == 1
    assert len(door.recorded) == 1


def test_players_read_nothing_of_the_hidden(door: Served) -> None:
    door.post("combat", "start", "ford", "--with", "shqzxv")
    door.post("combat", "initiative")
    door.post("combat", "next")
    door.post("note", "Shqzxv waits behind the mill", secret=True)
    paths = ["options", "status", "log", "state", "scene", "tokens", "order", "beside", "asked", "exhibits"]
    paths += ["results", "sight", "ranges/vex", "ranges/shqzxv", "tokens/shqzxv", "evening"]
    for audience in ("players", "vex"):
        for path in [*paths, *(["own"] if audience == "vex" else [])]:
            answer = door.http.get(f"/api/v1/{path}", params={"as": audience})
            assert answer.status_code in (200, 204, 404), answer.text
            assert "shqzxv" not in answer.text.lower() or path == "tokens/shqzxv", path
    assert door.http.get("/api/v1/tokens/shqzxv", params={"as": "vex"}).status_code == 404
    assert "shqzxv" in door.http.get("/api/v1/tokens").text
    assert door.get("odds", 403, words=["skill"], **{"as": "players"})
    answer = door.http.post("/api/v1/commands", json={"words": ["status"]}, params={"as": "players"})
    assert answer.status_code == 403


@pytest.mark.slow
def test_what_is_read_of_the_table_is_as_the_last_command_left_it(door: Served) -> None:
    door.post("combat", "start", "ford")
    for hp in (9, 8, 7):
        door.post("combat", "hp", "vex", f"={hp}")
        assert door.get("tokens/vex")["hp"]["value"] == hp


def test_events_tell_what_changes(door: Served) -> None:
    with door.http.stream("GET", "/events", params={"as": "players"}) as events:
        lines = events.iter_lines()
        assert next(line for line in lines if line.startswith("event:")) == "event: snapshot"
        door.post("combat", "start", "ford")
        assert next(line for line in lines if line == "event: scene")


def test_the_key_is_shown_once_and_replaced_on_demand(campaign: Path) -> None:
    key, made = ensure_serve_key(campaign)
    assert made and ensure_serve_key(campaign) == (key, False)
    other, made = ensure_serve_key(campaign, replace=True)
    assert made and other != key
    assert keys_file(campaign).stat().st_mode & 0o777 == 0o600
    assert json.dumps(other) in keys_file(campaign).read_text(encoding="utf-8")


def test_the_log_since_a_number(door: Served) -> None:
    for _ in range(3):
        door.post("roll", "die")
    told = door.get("log", after=1)["data"]["entries"]
    assert [entry["seq"] for entry in told] == [2, 3]
    assert len(door.get("log", last=1)["data"]["entries"]) == 1
    heard = door.get("log", **{"as": "players"})["data"]["entries"]
    assert all("seq" not in entry for entry in heard)
    assert [entry["number"] for entry in heard] == list(range(1, len(heard) + 1))
    door.post("roll", "die", secret=True)
    door.post("roll", "die")
    (last,) = door.get("log", **{"as": "players", "after": len(heard)})["data"]["entries"]
    assert last["number"] == len(heard) + 1
    door.post("undo")
    told = door.get("log", **{"as": "players", "after": len(heard)})["data"]["entries"]
    undone = [(each["number"] - len(heard), each.get("undone", False)) for each in told]
    assert undone == [(1, True), (2, False)]
    door.post("redo")
    told = door.get("log", **{"as": "players", "after": len(heard)})["data"]["entries"]
    assert not any("undone" in each for each in told) and len(told) == 3


def test_a_request_with_two_hosts_is_refused(door: Served) -> None:
    """Also where httptools reads it, which lets it through."""
    line = http.client.HTTPConnection(door.http.base_url.host, door.http.base_url.port)
    line.putrequest("GET", "/api/v1/status", skip_host=True)
    for host in ("127.0.0.1", "evil.example"):
        line.putheader("Host", host)
    line.putheader("Authorization", door.http.headers["authorization"])
    line.endheaders()
    assert line.getresponse().status in (400, 403)
    line.close()
