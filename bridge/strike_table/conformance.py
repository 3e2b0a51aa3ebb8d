"""`python -m strike_table.conformance URL`: does a table keep what openapi.json promises to the bridge?

For authors of other tables. It puts a scene of its own onto the table and takes it off again, so run it where
nobody plays. Standard library only; the key comes from STRIKE_TABLE_KEY.
"""

from __future__ import annotations

import argparse
import hashlib
import http.client
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, TypedDict
from urllib.parse import urlsplit

API = "/api/v1"
SCENE = {"id": "conformance", "name": "Conformance", "goal": None, "rows": ["....", ".##.", "~~+/"]}
TOKEN: dict[str, object] = {
    "id": "conformance vex/1",
    "name": "Vex <b>",
    "side": "party",
    "position": {"x": 1, "y": 0},
    "size": 2,
    "hp": {"value": 7, "max": 10},
    "statuses": ["Prone", "Burning 2"],
    "initiative": 4,
    "state": "up",
}
METERS: list[dict[str, object]] = [
    {"id": "hp", "name": "HP", "one": "", "sign": "", "value": 7, "max": 10, "shown": "exact",
     "wounds": "hurt", "gm": None},
    {"id": "nerve", "name": "Nerve", "one": "", "sign": "d", "value": 1, "max": 4, "shown": "bar",
     "wounds": None, "gm": {"value": 3, "max": 12}},
]  # fmt: skip
BOARDLESS: dict[str, object] = {
    "id": "conformance-boardless",
    "name": "Conformance",
    "rows": [],
    "round": 2,
    "track": {"name": "Range", "steps": ["close", "far"], "at": "far"},
    "sides": [{"id": "runners", "name": "Runners", "team": ["vex"], "numbers": {"Strikes": 1},
               "cards": [{"who": "vex", "what": "flee", "hidden": True}]}],
}  # fmt: skip
ASKED = {"id": "roll vex", "what": "cost", "name": "Vex", "options": [{"name": "flaw"}], "said": ["A 3."]}
EXHIBIT = {"id": "flood", "kind": "clock", "name": "The river rises", "filled": 2, "segments": 6}
PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415478da63502aa8020001c401"
    "0dd50209a60000000049454e44ae426082"
)
"""A PNG of one pixel."""
TOKEN_PATH = f"{API}/tokens/conformance%20vex%2F1"
SEQ = 2**40
RESULT: dict[str, object] = {
    "id": "conformance-1",
    "seq": SEQ,
    "title": "Vex attacks",
    "text": "A hit.\nFour damage.",
    "dice": [{"who": "Vex", "purpose": "attack", "sides": 6, "faces": [5, 2], "kept": 5}],
    "undone": False,
}


class HttpAnswer(NamedTuple):
    status: int
    body: object


class TableAnswer(TypedDict, total=False):
    """The keys that are read of a body, where it is as it should be."""

    api: int
    units: str
    supports: dict[str, object]
    tokens: list[dict[str, object]]
    results: list[dict[str, object]]


class Failed(Exception):
    """A promise that is not kept."""


class Promises:
    """The promises, each a method that raises Failed. They build on each other, first to last."""

    def __init__(self, url: str, key: str) -> None:
        self._at = urlsplit(url)
        self._key = key

    def ask(
        self, method: str, path: str, body: object = None, *, key: str | None = None, **headers: str
    ) -> HttpAnswer:
        """Send one request. Raises OSError where nobody answers."""
        kind = http.client.HTTPSConnection if self._at.scheme == "https" else http.client.HTTPConnection
        connection = kind(self._at.netloc, timeout=10)
        sent = {"Authorization": f"Bearer {self._key if key is None else key}", **headers}
        content = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        if content is not None:
            sent["Content-Type"] = "image/png" if content is body else "application/json"
        try:
            connection.request(method, self._at.path.rstrip("/") + path, content, sent)
            answer = connection.getresponse()
            raw = answer.read()
        finally:
            connection.close()
        try:
            return HttpAnswer(answer.status, json.loads(raw) if raw else None)
        except ValueError:
            return HttpAnswer(answer.status, raw)

    def expect(self, method: str, path: str, *statuses: int, body: object = None, **more: str) -> TableAnswer:
        """Return the body of an answer that has one of these statuses. Raises Failed for any other."""
        answer = self.ask(method, f"{API}{path}", body, **more)
        if answer.status not in statuses:
            wanted = " or ".join(map(str, statuses))
            raise Failed(f"{method} {API}{path} answered {answer.status}, not {wanted}: {answer.body!r:.200}")
        return answer.body  # type: ignore[return-value]  # what it isn't raises where it is read

    def tells_what_it_is(self) -> None:
        about = self.expect("GET", "", 200)
        if not isinstance(about, dict) or about.get("api") != 1 or about.get("units") != "squares":
            raise Failed(f'GET {API} should say "api": 1 and "units": "squares", not {about!r:.200}')

    def wants_the_key(self) -> None:
        for method, path, body in (
            ("PUT", "/scene", SCENE),
            ("PUT", "/tokens/x", TOKEN),
            ("PUT", "/order", {"round": 1}),
            ("POST", "/results", RESULT),
            ("GET", "/tokens", None),
            ("DELETE", "/scene", None),
        ):
            self.expect(method, path, 401, body=body, key="not the key")

    def takes_a_scene(self) -> None:
        more = {
            "doors": [{"at": {"x": 2, "y": 0}, "to": {"x": 2, "y": 1}, "open": True}],
            "zones": [],
            "walls": [],
            "one_way_walls": [[{"x": 0, "y": 1}, {"x": 1, "y": 1}]],
            "see_through_walls": [[{"x": 0, "y": 0}, {"x": 1, "y": 0}]],
            "walk_through_walls": [],
            "terrain_walls": [[{"x": 0, "y": 0}, {"x": 1, "y": 1}]],
        }
        for body in (SCENE, {**SCENE, **more}, {**SCENE, "a key to come": [1]}):
            self.expect("PUT", "/scene", 200, 201, 204, body=body)

    def refuses_what_is_no_scene(self) -> None:
        self.expect("PUT", "/scene", 400, 422, body={"name": "no rows"})

    def keeps_a_token_as_it_was_sent(self) -> None:
        for token in (TOKEN, {**TOKEN, "position": None, "hp": None, "statuses": []}, TOKEN, TOKEN):
            self.expect("PUT", TOKEN_PATH.removeprefix(API), 200, 201, 204, body=token)
            _same(token, self._tokens().get(TOKEN["id"]), "the token")

    def keeps_hidden_tokens_back_or_refuses_them(self) -> None:
        hidden = {**TOKEN, "id": "conformance-lurker", "hidden": True}
        answer = self.ask("PUT", f"{API}/tokens/conformance-lurker", hidden)
        if answer.status == 422:
            return
        if answer.status not in (200, 201, 204):
            raise Failed(f"a hidden token was answered with {answer.status}, not 200 or 422")
        if self._tokens().get("conformance-lurker", {}).get("hidden") is not True:
            raise Failed("a hidden token was taken and is no longer hidden: refuse it with 422 instead")

    def shows_a_picture_of_a_token_if_it_says_so(self) -> None:
        if not self._supports("images"):
            return
        digest = hashlib.sha256(PICTURE).hexdigest()
        self.expect("PUT", f"/images/{digest}", 200, 201, 204, body=PICTURE)
        pictured = {**TOKEN, "image": {"hash": digest}}
        self.expect("PUT", TOKEN_PATH.removeprefix(API), 200, 201, 204, body=pictured)
        _same(pictured, self._tokens().get(TOKEN["id"]), "the token")
        if self.ask("HEAD", f"{API}/images/{digest}").status != 200:
            raise Failed("the picture that a token has should be told of by HEAD, so that it is sent once")

    def takes_a_token_away_twice(self) -> None:
        for _ in range(2):
            self.expect("DELETE", TOKEN_PATH.removeprefix(API), 200, 204, 404, 410)
        if TOKEN["id"] in self._tokens():
            raise Failed("a token that was deleted is still there")

    def takes_a_turn_order(self) -> None:
        order = {"round": 2, "active": "vex", "entries": [{"id": "vex", "initiative": 6}, {"id": "bran"}]}
        pool: dict[str, object] = {
            "kind": "pool",
            "round": 2,
            "active": None,
            "next": ["bran"],
            "entries": [{"id": "vex", "state": "acted"}, {"id": "bran", "state": "waiting", "count": 3}],
        }
        nobody: dict[str, object] = {"round": 0, "active": None, "entries": []}
        for body in (order, order, pool, nobody):
            self.expect("PUT", "/order", 200, 201, 204, body=body)

    def keeps_every_meter_if_it_says_so(self) -> None:
        if self._supports("meters"):
            token = {**TOKEN, "meters": METERS}
            self.expect("PUT", TOKEN_PATH.removeprefix(API), 200, 201, 204, body=token)
            _same(token, self._tokens().get(TOKEN["id"]), "the token")

    def takes_a_scene_without_a_map_if_it_says_so(self) -> None:
        if self._supports("boardless"):
            self.expect("PUT", "/scene", 200, 201, 204, body=BOARDLESS)
            runner = {**TOKEN, "side": "runners", "position": None}
            self.expect("PUT", TOKEN_PATH.removeprefix(API), 200, 201, 204, body=runner)
            _same(runner, self._tokens().get(TOKEN["id"]), "the token")

    def takes_what_is_beside_and_what_is_asked_if_it_says_so(self) -> None:
        if self._supports("beside"):
            for scenes in ([{"scene": BOARDLESS, "tokens": [TOKEN], "order": None}], []):
                self.expect("PUT", "/beside", 200, 201, 204, body={"scenes": scenes})
        if self._supports("asked"):
            for asked in ([ASKED], []):
                self.expect("PUT", "/asked", 200, 201, 204, body={"asked": asked})

    def takes_what_lies_on_the_table_besides_if_it_says_so(self) -> None:
        if self._supports("exhibits"):
            for exhibits in ([EXHIBIT], []):
                self.expect("PUT", "/exhibits", 200, 201, 204, body={"exhibits": exhibits})

    def shows_a_result_once(self) -> None:
        for _ in range(2):
            self.expect("POST", "/results", 200, 201, body=RESULT, **{"Idempotency-Key": "conformance-1"})
        _same(RESULT, self._result(), "the result")

    def marks_a_result_in_its_place(self) -> None:
        undone = {**RESULT, "undone": True}
        self.expect("POST", "/results", 200, body=undone, **{"Idempotency-Key": "conformance-2"})
        _same(undone, self._result(), "the result that was undone")

    def tells_results_from_where_one_was(self) -> None:
        found = self.expect("GET", f"/results?after={SEQ}", 200)
        if any(result.get("id") == RESULT["id"] for result in found["results"]):
            raise Failed("?after=N should leave out the result N itself")

    def ends_a_scene(self) -> None:
        for _ in range(2):
            self.expect("DELETE", "/scene", 200, 204, 404)
        if self._tokens():
            raise Failed("with the scene its tokens should go")

    def __iter__(self) -> Iterator[Callable[[], None]]:
        names = [name for name, value in vars(Promises).items() if callable(value) and name[0] != "_"]
        return (getattr(self, name) for name in names if name not in ("ask", "expect"))

    def _supports(self, what: str) -> bool:
        return self.expect("GET", "", 200).get("supports", {}).get(what) is True

    def _tokens(self) -> dict[object, dict[str, object]]:
        return {token["id"]: token for token in self.expect("GET", "/tokens", 200)["tokens"]}

    def _result(self) -> object:
        found = self.expect("GET", f"/results?after={SEQ - 1}", 200)["results"]
        ours = [result for result in found if result.get("id") == RESULT["id"]]
        if len(ours) != 1:
            raise Failed(f"the result was sent again, and is there {len(ours)} times")
        return ours[0]


def _same(sent: Mapping[str, object], kept: object, what: str) -> None:
    if not isinstance(kept, dict):
        raise Failed(f"{what} isn't there")
    for field, value in sent.items():
        shown = kept.get(field)
        if field == "dice" and isinstance(value, list):
            shown = [{part: die.get(part) for part in value[0]} for die in shown or []]
        if shown != value:
            raise Failed(f"{what} was sent with {field} = {value!r}, and is kept with {shown!r}")


def check(url: str, key: str, tell: Callable[[str], None] = print) -> int:
    """Try every promise, telling of each. Returns how many are not kept."""
    failed = 0
    for promise in Promises(url, key):
        name = promise.__name__.replace("_", " ")
        try:
            promise()
            tell(f"ok    {name}")
        except Exception as problem:  # whatever a table under test may answer
            failed += 1
            said = str(problem) if isinstance(problem, Failed) else f"{type(problem).__name__}: {problem}"
            tell(f"FAILS {name}: {said}")
    return failed


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m strike_table.conformance", description=__doc__)
    parser.add_argument("url", help="where the table is, as in http://127.0.0.1:4747")
    failed = check(parser.parse_args().url, os.environ.get("STRIKE_TABLE_KEY", ""))
    print("It can be bridged." if not failed else f"{failed} not as openapi.json says.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
