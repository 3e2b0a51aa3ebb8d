"""Ten APIs of nobody's, as unlike as can be, each with the table by which strike speaks to it.

What each shows is asked for in our words: `tokens` by our id, in squares from the top left; `lines`, what was
said.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from pathlib import Path
from typing import Any, ClassVar, NamedTuple
from urllib.parse import parse_qsl, unquote
from xml.sax.saxutils import escape

from .base import Call, Reply, Server

KEY = "k3y-of-the-hall"


class Token(NamedTuple):
    """What a tabletop shows of one of ours."""

    x: int
    y: int
    hp: int


class Api(Server):
    """A server with things, lines and whose turn it is."""

    has_statuses: ClassVar[bool] = True
    path: ClassVar[str] = ""
    """Behind the address."""
    height = 3
    """Rows of the map on the table, for who counts them from the bottom."""

    @classmethod
    def table(cls) -> str:
        """The target's, after kind and url: the TOML file beside this one."""
        name = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()
        return Path(__file__).with_name("rest_apis").joinpath(f"{name}.toml").read_text("utf-8")

    def __init__(self) -> None:
        super().__init__()
        self.things: dict[str, dict[str, Any]] = {}
        self.said: list[str] = []
        self.refs: list[str] = []
        """What lines were sent under, where it keeps that."""
        self.turn: Any = None
        self.count = 0

    def new_id(self) -> str:
        self.count += 1
        return f"t{self.count}"

    def tokens(self) -> dict[str, Token]:
        """By our id."""
        found = {}
        for thing in self.things.values():
            if "ours" in thing and "x" in thing:
                assert thing["ours"] not in found, "twice"
                found[thing["ours"]] = Token(thing["x"], thing["y"], thing["hp"])
        return found

    def statuses(self) -> dict[str, list[str]]:
        """Of each, in alphabetical order."""
        return {
            thing["ours"]: sorted(thing.get("tags") or []) for thing in self.things.values() if "x" in thing
        }

    def active(self) -> str | None:
        """Whose turn it is, by name."""
        return self.turn

    def lines(self) -> list[str]:
        """The numbers of results that were said."""
        return [line.partition(" ")[0].removeprefix("#") for line in self.said]


class Pixels(Api):
    """REST, in pixels from the middle, and ids of its own."""

    def refusal(self, call: Call) -> Reply | None:
        return None if call.headers.get("x-api-key") == KEY else Reply(401, {"error": "who?"})

    def respond(self, call: Call) -> Reply:
        _, _, what, *rest = call.path.split("/")
        if what == "chat" and call.method == "GET":
            return Reply(200, {"data": [{"ref": ref} for ref in self.refs[::-1][:20]]})
        if what == "chat":
            self.said.append(call.body["text"])
            self.refs.append(call.body["ref"])
            return Reply(201, {"data": {"id": len(self.said)}})
        if what == "turn":
            self.turn = call.body["who"]
            return Reply(204)
        if call.method == "GET":
            return Reply(200, {"data": list(self.things.values())})
        if call.method == "POST":
            id = self.new_id()
            self.things[id] = {"id": id, **call.body}
            return Reply(201, {"data": {"id": id}})
        if unquote(rest[0]) not in self.things:
            return Reply(404, {"error": "no such token"})
        if call.method == "DELETE":
            del self.things[rest[0]]
            return Reply(204)
        assert all(isinstance(call.body.get(key, 0), int) for key in ("x", "y", "hp"))
        self.things[rest[0]].update(call.body)
        return Reply(200, self.things[rest[0]])

    def tokens(self) -> dict[str, Token]:
        half = {thing["ours"]: thing.get("size", 1) / 2 for thing in self.things.values() if "ours" in thing}
        return {
            ours: Token(round((x - 35) / 70 - half[ours]), round(y / 70 - half[ours]), hp)
            for ours, (x, y, hp) in super().tokens().items()
        }


class JsonRpc(Api):
    """One address for everything, and refusals inside of a 200. Things go by our ids."""

    path = "/rpc"

    def refusal(self, call: Call) -> Reply | None:
        return None if call.headers.get("authorization") == f"Bearer {KEY}" else Reply(401)

    def meets_faults(self, call: Call) -> bool:
        return call.body["method"] not in ("lines", "pieces")

    def respond(self, call: Call) -> Reply:
        asked = call.body
        params, id = asked.get("params"), asked["id"]

        def refused(why: str) -> Reply:
            return Reply(200, {"jsonrpc": "2.0", "id": id, "error": {"code": -32000, "message": why}})

        if asked["method"] == "piece.put":
            x, y = params["at"]
            if not isinstance(x, int):
                return refused("at should be numbers")
            self.things[params["id"]] = {**params, "ours": params["id"], "x": x, "y": y}
        elif asked["method"] == "piece.drop":
            self.things.pop(params[0], None)
        elif asked["method"] == "say":
            self.said.append(params[0])
            self.refs.append(id)
        elif asked["method"] == "pieces":
            return Reply(200, {"jsonrpc": "2.0", "id": id, "result": list(self.things.values())})
        elif asked["method"] == "lines":
            begin = 5 * (params["page"] - 1)
            found = [{"of": ref} for ref in self.refs[::-1][begin : begin + 5]]
            return Reply(200, {"jsonrpc": "2.0", "id": id, "result": found})
        elif asked["method"] == "turn":
            self.turn = next((each["name"] for each in params["names"]), None) and params["of"]
        elif asked["method"] == "wipe":
            self.things.clear()
        else:
            return refused("no such method")
        return Reply(200, {"jsonrpc": "2.0", "id": id, "result": True})


class GraphQl(Api):
    """Mutations with variables; errors stand beside data in a 200, limits too."""

    def refusal(self, call: Call) -> Reply | None:
        return None if call.query.get("token") == KEY else Reply(401)

    def respond(self, call: Call) -> Reply:
        if call.method == "GET":
            return Reply(
                200, {"data": {"pieces": [thing for thing in self.things.values() if "col" in thing]}}
            )
        query, given = call.body["query"], call.body["variables"]
        field = query.partition("{ ")[2].partition("(")[0]
        return Reply(200, getattr(self, f"_{field}")(**given))

    def _updatePiece(self, id: str, **more: Any) -> Any:
        given = more["in"]
        if id not in self.things:
            return {"errors": [{"message": "not found"}], "data": None}
        self.things[id].update(given, hp=given["health"])
        if "col" in given:
            self.things[id].update(x=given["col"] - 1, y=given["row"] - 1)
        self.things[id]["tags"] = [each for each in given["marks"].split(";") if each]
        return {"data": {"updatePiece": {"id": id}}}

    def _createPiece(self, ref: str) -> Any:
        id = self.new_id()
        self.things[id] = {"id": id, "ref": ref, "ours": ref, "col": 1, "row": 1, "health": 0}
        return {"data": {"createPiece": {"id": id}}}

    def _deletePiece(self, id: str) -> Any:
        self.things.pop(id, None)
        return {"data": {"deletePiece": True}}

    def _say(self, t: str) -> Any:
        self.said.append(t)
        return {"data": {"say": True}}

    def _turn(self, id: str | None) -> Any:
        self.turn = self.things[id]["ours"] if id in self.things else None
        return {"data": {"turn": True}}


class Whole(Api):
    """A scene that is put as a whole, and only by who knows the one before."""

    def __init__(self) -> None:
        super().__init__()
        self.scene: dict[str, Any] = {"keep": "lamps", "tokens": []}
        self.edition = 0
        self.meddlers = 0
        self.log: dict[str, str] = {}

    def refusal(self, call: Call) -> Reply | None:
        both = base64.b64encode(f"gm:{KEY}".encode()).decode()
        return None if call.headers.get("authorization") == f"Basic {both}" else Reply(401)

    def respond(self, call: Call) -> Reply:
        if call.path.startswith("/log/"):
            self.log[call.path.removeprefix("/log/")] = call.body["text"]
            return Reply(200, {})
        if call.method == "GET":
            reply = Reply(200, self.scene, {"ETag": f'"{self.edition}"'})
            self.edition += self.meddlers > 0  # somebody else moves a lamp right after
            self.meddlers -= 1
            return reply
        if call.headers.get("if-match") != f'"{self.edition}"':
            return Reply(412)
        assert call.body["keep"] == "lamps"
        self.scene, self.edition = call.body, self.edition + 1
        return Reply(200, {})

    def tokens(self) -> dict[str, Token]:
        return {
            each["id"]: Token(each["x"], each["y"], (each["hp"] or {"value": 0})["value"])
            for each in self.scene["tokens"]
        }

    def statuses(self) -> dict[str, list[str]]:
        return {each["id"]: sorted(each["statuses"]) for each in self.scene["tokens"]}

    def active(self) -> str | None:
        return self.scene.get("turn")

    def lines(self) -> list[str]:
        return list(self.log)


class Forms(Api):
    """Forms to one script, which answers in words."""

    def refusal(self, call: Call) -> Reply | None:
        signed = base64.b64encode(hmac.digest(KEY.encode(), call.raw, "sha256")).decode()
        return None if call.headers.get("x-sum") == f"v1={signed}" else Reply(401)

    def respond(self, call: Call) -> Reply:
        form = parse_qsl(call.raw.decode(), keep_blank_values=True)
        fields, do, who = dict(form), call.query["do"], call.query.get("who", "")
        if do == "put":
            place = {key: int(fields[key]) for key in ("x", "y", "hp")}
            tags = [value for key, value in form if key == "tag"]
            assert fields["seen"] == "true"
            self.things[who] = {"ours": who, **place, "tags": tags}
        elif do == "drop":
            self.things.pop(who, None)
        elif do == "say":
            self.said.append(fields["text"])
        else:
            self.turn = fields["who"] or None
        return Reply(200, "<p>ok</p>")


class Xml(Api):
    """XML both ways."""

    def refusal(self, call: Call) -> Reply | None:
        return None if call.headers.get("x-hall") == KEY else Reply(401)

    def respond(self, call: Call) -> Reply:
        from xml.etree import ElementTree

        kind = {"Content-Type": "application/xml"}
        _, what, *rest = call.path.split("/")
        sent = ElementTree.fromstring(call.raw) if call.raw else None
        if what == "lines":
            assert sent is not None
            self.said.append(sent.text or "")
            return Reply(200, "<ok/>", kind)
        if what == "turn":
            assert sent is not None
            self.turn = sent.text
            return Reply(200, "<ok/>", kind)
        if call.method == "GET":
            each = [
                f'<piece ref="{escape(one["ours"])}"><id>{id}</id><x>{one.get("x", 0)}</x>'
                f"<y>{one.get('y', 0)}</y><hp>{one.get('hp', 0)}</hp></piece>"
                for id, one in self.things.items()
            ]
            return Reply(200, f"<pieces>{''.join(each)}</pieces>", kind)
        if call.method == "POST":
            assert sent is not None
            id = self.new_id()
            self.things[id] = {"ours": sent.attrib["ref"]}
            return Reply(200, f"<made><id>{id}</id></made>", kind)
        if rest[0] not in self.things:
            return Reply(404, "<fault><reason>gone</reason></fault>", kind)
        if call.method == "DELETE":
            del self.things[rest[0]]
            return Reply(200, "<ok/>", kind)
        assert sent is not None
        place = {key: int(sent.findtext(key) or 0) for key in ("x", "y", "hp")}
        tags = [each for each in (sent.find("name").tail or "").split(",") if each]  # type: ignore[union-attr]
        self.things[rest[0]].update(place, tags=tags)
        return Reply(200, "<ok/>", kind)


class Pages(Api):
    """A list by cursors, two a page, and a login whose cookie is forgotten now and then."""

    def __init__(self) -> None:
        super().__init__()
        self.session = 0
        self.asked = 0

    def refusal(self, call: Call) -> Reply | None:
        if call.path == "/login":
            return None
        self.asked += 1
        if self.asked % 9 == 0:
            self.session += 1
        return None if call.headers.get("cookie") == f"sid=s{self.session}" else Reply(401)

    def meets_faults(self, call: Call) -> bool:
        return call.method != "GET" and call.path != "/login"

    def respond(self, call: Call) -> Reply:
        _, what, *rest = call.path.split("/")
        if what == "login":
            if call.body != {"user": "gm", "password": KEY}:
                return Reply(401)
            return Reply(200, {}, {"Set-Cookie": f"sid=s{self.session}; HttpOnly; Path=/"})
        if what == "lines":
            self.said.append(call.body)
            return Reply(200, {})
        if what == "turn":
            who = call.body["who"]
            self.turn = self.things[who]["ours"] if who in self.things else None
            return Reply(200, {})
        if call.method == "GET":
            begin = int(call.query.get("cursor", 0))
            things = [{"id": id, **thing} for id, thing in self.things.items()]
            after = {"after": str(begin + 2)} if begin + 2 < len(things) else {}
            page = [{"x": 0, "y": 0, "hp": 0, **thing} for thing in things[begin : begin + 2]]
            return Reply(200, {"items": page, **after})
        if call.method == "POST":
            id = self.new_id()
            self.things[id] = dict(call.body)
            return Reply(201, {"id": id})
        if rest[0] not in self.things:
            return Reply(404)
        if call.method == "DELETE":
            del self.things[rest[0]]
        else:
            self.things[rest[0]].update(call.body)
        return Reply(200, {})


class Doors(Server):
    """Who hands out access tokens for the next one."""

    def __init__(self) -> None:
        super().__init__()
        self.handed = 0

    def respond(self, call: Call) -> Reply:
        form = dict(parse_qsl(call.raw.decode()))
        both = base64.b64encode(f"strike:{KEY}".encode()).decode()
        if call.headers.get("authorization") != f"Basic {both}" or form["scope"] != "tokens:write":
            return Reply(400, {"error": "invalid_client"})
        self.handed += 1
        return Reply(200, {"access_token": f"a{self.handed}", "token_type": "bearer", "expires_in": 3600})


class OAuth(Api):
    """Access tokens that end sooner than they say; things go by our ids."""

    def __init__(self) -> None:
        super().__init__()
        self.doors = Doors()
        self.used: dict[str, int] = {}
        self.keys: set[str] = set()

    def refusal(self, call: Call) -> Reply | None:
        token = call.headers.get("authorization", "")
        self.used[token] = self.used.get(token, 0) + 1
        current = token == f"Bearer a{self.doors.handed}"
        return None if current and self.used[token] < 8 else Reply(401)

    def respond(self, call: Call) -> Reply:
        _, what, *rest = call.path.split("/")
        if what == "lines":
            if call.headers["idempotency-key"] not in self.keys:
                self.keys.add(call.headers["idempotency-key"])
                self.said.append(call.body["text"])
        elif what == "turn":
            self.turn = call.body["active"]
        elif call.method == "DELETE":
            if self.things.pop(rest[0], None) is None:
                return Reply(404)
        else:
            self.things[rest[0]] = {"ours": rest[0], **call.body}
        return Reply(200, {"ok": True})


class Numbers(Api):
    """Ids are numbers, statuses come and go one by one, and what is so already is a 409."""

    def new_id(self) -> str:
        self.count += 1
        return str(self.count)

    def refusal(self, call: Call) -> Reply | None:
        signed = hmac.new(KEY.encode(), call.raw, hashlib.sha256).hexdigest()
        return None if call.headers.get("x-signature") == f"sha256={signed}" else Reply(401)

    def respond(self, call: Call) -> Reply:
        _, _, id, *rest = map(unquote, call.path.split("/"))
        if id == "all":
            return Reply(
                200, [{"id": int(id), "x": 0, "y": 0, "hp": 0, **one} for id, one in self.things.items()]
            )
        if id == "new":
            made = self.new_id()
            self.things[made] = {**call.body, "tags": []}
            return Reply(201, {"id": int(made)})
        if id == "say":
            self.said.append(call.body["text"])
            return Reply(200, {})
        if id == "turn":
            of = call.body["of"]
            self.turn = self.things[str(of)]["ours"] if str(of) in self.things else None
            return Reply(200, {})
        if id not in self.things:
            return Reply(404)
        if call.method == "DELETE" and not rest:
            del self.things[id]
            return Reply(200, {})
        if rest[0] == "place":
            assert call.body.pop("id") == int(id)
            self.things[id].update(call.body)
            return Reply(200, {})
        tags, tag = self.things[id]["tags"], rest[1]
        if call.method == "POST":
            if tag in tags:
                return Reply(409)
            tags.append(tag)
            return Reply(201, {})
        if tag not in tags:
            return Reply(410)
        tags.remove(tag)
        return Reply(200, {})


class UpsideDown(Api):
    """It says row before column and counts rows from the bottom; its ids have slashes, its list the next page
    in a header; the address as a whole is the secret."""

    def new_id(self) -> str:
        self.count += 1
        return f"a/b c/{self.count}?x=#1"

    def refusal(self, call: Call) -> Reply | None:
        return None if call.path.startswith(f"/{KEY}/") else Reply(404)

    def respond(self, call: Call) -> Reply:
        what, *rest = call.path.removeprefix(f"/{KEY}/").split("/")
        parts = {name: value.decode() for name, value in call.parts.items()}
        if what == "say":
            self.said.append(parts["line"])
            return Reply(200, [])
        if what == "turn":
            self.turn = parts["who"] or None
            return Reply(200, [])
        assert what == "board"
        if call.method == "GET":
            begin = int(call.query.get("from", 0))
            page = [
                {"row": 0, "col": 0, "life": 0, **one, "ref": id}
                for id, one in list(self.things.items())[begin : begin + 3]
            ]
            more = {"Link": f'<{self.url}/{KEY}/board?from={begin + 3}>; rel="next"'}
            return Reply(200, page, more if begin + 3 < len(self.things) else {})
        if not rest:
            id = self.new_id()
            self.things[id] = parts
            return Reply(201, [{"ref": id}])
        (id,) = map(unquote, rest)
        if id not in self.things:
            return Reply(422, {"message": "never heard of"})
        if call.query.get("gone"):
            del self.things[id]
        else:
            x, y, hp = int(parts["col"]), int(parts["row"]), int(parts["life"])
            self.things[id].update(col=x, row=y, life=hp, x=x, y=y, hp=hp)
        return Reply(200, [])

    def tokens(self) -> dict[str, Token]:
        return {ours: Token(x, self.height - 1 - y, hp) for ours, (x, y, hp) in super().tokens().items()}

    has_statuses = False


APIS: list[type[Api]] = [
    Pixels, JsonRpc, GraphQl, Whole, Forms, Xml, Pages, OAuth, Numbers, UpsideDown,
]  # fmt: skip
