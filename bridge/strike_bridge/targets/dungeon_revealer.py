"""Dungeon Revealer: tokens on a map by their middle in image pixels. Meters and statuses go into the title,
since there is no other place for them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar
from urllib.parse import quote, unquote

from .base import (
    Answer,
    Conversation,
    Finding,
    Found,
    Kind,
    Looked,
    Option,
    Outcome,
    Payload,
    Request,
    Supports,
    Target,
    Wire,
    differs,
)
from .in_words import meter_words
from .pixels import Grid, grid_of

_MAPS = Request("GET", "/api/map")
_AFTER_NAME = " \N{EM DASH} "
"""Between the name and the rest of a title, so that the name can be read out of it again."""
_COLORS = {"party": "#3b82f6", "allies": "#22c55e", "enemies": "#ef4444"}
_DOWN = "#6b7280"
_TITLE = 200
_SPACE = "it reads a password up to its first space alone: give it a DM_PASSWORD without spaces"


class DungeonRevealerTarget(Target):
    """Tokens alone. They are the game master's own: linked, and neither made nor deleted. Players are sent
    every token, shown or not, so it is not told of the hidden."""

    supports = Supports(
        units="pixels", anchor="center", hp=True, statuses=True, links=True, find=True, read_back=True
    )
    default_url = "http://127.0.0.1:3000"
    key_variable = "STRIKE_DUNGEON_REVEALER_PASSWORD"
    key_words = "game master's password"
    OPTIONS: ClassVar = {
        "map": Option(str, "", "The id of the map; without it the one that players see."),
        "label": Option(str, "short", "What stands on a token.", ("short", "name", "keep")),
    }

    def headers(self) -> dict[str, str]:
        """The password, as a bearer."""
        return {"authorization": f"Bearer {self.key}"}

    # What it is sent

    def put_token(self, token: Payload, before: Payload | None) -> Conversation:
        """One PATCH, once the map's grid is known."""
        answer = yield _MAPS
        body: dict[str, Any] = {
            "title": self._title(token),
            "color": _DOWN if token["state"] != "up" else _COLORS.get(token["side"], _DOWN),
            "isVisibleForPlayers": not self.out_of_sight(token),
        }
        if self.options["label"] != "keep":
            body["label"] = token["name"] if self.options["label"] == "name" else short(token["name"])
        if answer.planned:
            place = {} if token["position"] is None else {"x": "<pixels>", "y": "<pixels>"}
            yield Request("PATCH", self._path("<map>", token["id"]), {**place, **body})
            return None
        shown = self._map(answer)
        if isinstance(shown, Outcome):
            return shown
        if token["position"] is not None:
            grid = _grid(shown)
            if grid is None:
                return Outcome(Kind.REJECTED, f"its map {_named(shown)} has no grid: give it one", all=True)
            body["x"], body["y"] = grid.center(token["position"], token["size"])
            body["radius"] = round(token["size"] * grid.width / 2)
        answer = yield Request("PATCH", self._path(str(shown["id"]), token["id"]), body)
        return self._unless_a_player(answer, token["id"], body)

    def clear_scene(self) -> Conversation:
        """The titles say names alone again: what a fight has left of HP and statuses is over."""
        answer = yield _MAPS
        shown = None if answer.planned else self._map(answer)
        if shown is None or isinstance(shown, Outcome):
            return shown if shown and shown.all else None
        ours = set(self.links.values())
        for token in _list(shown.get("tokens")):
            if token.get("id") in ours and _AFTER_NAME in str(token.get("title") or ""):
                path = f"/api/map/{quote(str(shown['id']))}/token/{quote(str(token['id']), safe='')}"
                yield Request("PATCH", path, {"title": _name(token)}, gone_will_do=True)
        return None

    def remove_token(self, id: str) -> Conversation:
        """Not shown to players any more: the token is the game master's."""
        if id not in self.links:
            return None
        answer = yield _MAPS
        shown = {"id": "<map>"} if answer.planned else self._map(answer)
        if isinstance(shown, Outcome):
            return shown
        body = {"isVisibleForPlayers": False}
        yield Request("PATCH", self._path(str(shown["id"]), id), body, gone_will_do=True)
        return None

    def _path(self, map: str, id: str) -> str:
        return f"/api/map/{quote(map, safe='<>')}/token/{quote(self.links.get(id, id), safe='')}"

    def _title(self, token: Payload) -> str:
        """`Vex — 7/10 HP, Prone`."""
        words = [word for word in (*meter_words(token), *self._statuses(token)) if word]
        title = f"{token['name']}{_AFTER_NAME}{', '.join(words)}" if words else token["name"]
        return title if len(title) <= _TITLE else title[: _TITLE - 1] + "…"

    def _statuses(self, token: Payload) -> Iterable[str]:
        for id, name in zip(token["status_ids"], token["statuses"], strict=True):
            word = self.status(id, name)
            yield name if word is None else word

    def _map(self, answer: Answer) -> Payload | Outcome:
        """The map to draw on: asked for first, since the question for a token of an unknown one is answered
        with a page of an error (500) like any mishap."""
        wanted = self.options["map"] or answer.value("data", "currentMapId")
        if not wanted:
            return Outcome(Kind.NOT_SENT, "it shows no map to the players")
        for shown in _list(answer.value("data", "maps")):
            if shown.get("id") == wanted:
                return shown
        return Outcome(Kind.REJECTED, f"it has no map {wanted!r}: check options.map", all=True)

    def _unless_a_player(self, answer: Answer, id: str, body: Payload) -> Outcome | None:
        """With the players' password all but the place is passed over in silence."""
        for token in _list(answer.value("data", "map", "tokens")):
            if token.get("id") == self.links.get(id) and token.get("title") != body["title"]:
                return Outcome(Kind.REJECTED, "the password is the players', not the game master's", all=True)
        return None

    def outcome(self, request: Request, answer: Answer, now: float) -> Outcome:
        """404 in JSON is about one token. Of a password with a space it reads the first word alone."""
        outcome = super().outcome(request, answer, now)
        if answer.status == 401 and " " in self.key:
            return outcome._replace(why=_SPACE)
        if answer.value("error", "code") == "ERR_TOKEN_DOES_NOT_EXIST" and outcome.kind is Kind.REJECTED:
            return outcome._replace(why="it has no such token any more: link it again", all=False)
        return outcome

    def is_anothers(self, request: Request, answer: Answer) -> bool:
        """By the map's id, and whether the token is on it as it was sent."""
        _, _, path = request.path.partition("/api/map/")
        map, _, token = path.partition("/token/")
        if not token or differs(unquote(map), answer.value("data", "map", "id")):
            return bool(token)
        shown = {each.get("id"): each for each in _list(answer.value("data", "map", "tokens"))}
        return bool(shown) and unquote(token) not in shown

    # What it shows

    def read_tokens(self, wire: Wire) -> dict[str, Payload] | Outcome:
        """The linked tokens of the map: name, place and whether players see them."""
        shown = self._shown(wire)
        if isinstance(shown, Outcome):
            return shown
        return self._read(shown)

    def _read(self, shown: Payload) -> dict[str, Payload]:
        grid = _grid(shown)
        theirs = {str(token.get("id")): token for token in _list(shown.get("tokens"))}
        found: dict[str, Payload] = {}
        for ours, id in self.links.items():
            token = theirs.get(id)
            if token is not None and token.get("isVisibleForPlayers"):
                found[ours] = {"id": ours, "name": _name(token), "hidden": False}
                if grid is not None:
                    size = max(1, round(2 * token.get("radius", 0) / grid.width))
                    found[ours]["position"] = grid.square(token.get("x", 0), token.get("y", 0), size)
        return found

    def look(self, wire: Wire) -> Looked | Outcome:
        """Places, and which of the linked tokens are on the map no more."""
        shown = self._shown(wire)
        if isinstance(shown, Outcome):
            return shown
        there = {str(token.get("id")) for token in _list(shown.get("tokens"))}
        return Looked(self._read(shown), [id for id, link in self.links.items() if link not in there])

    def find_tokens(self, wire: Wire) -> list[Found] | Outcome:
        """Those of the map, by title, else by what stands on them."""
        shown = self._shown(wire)
        if isinstance(shown, Outcome):
            return shown
        return [Found(str(token.get("id")), _name(token)) for token in _list(shown.get("tokens"))]

    def _shown(self, wire: Wire) -> Payload | Outcome:
        answer = self.ask(wire, _MAPS)
        return answer if isinstance(answer, Outcome) else self._map(answer)

    def probe(self) -> Request:
        """Every map, for whoever has a password."""
        return _MAPS

    def checks(self, wire: Wire) -> Iterable[Finding]:
        """Whose password it is, and whether the map is there and has a grid."""
        answer = self.ask(wire, Request("GET", "/api/auth"))
        if not isinstance(answer, Outcome):
            well = answer.value("data", "role") == "DM"
            whose = "game master's" if well else "players'"
            remedy = "" if well else f"`strike bridge login {self.name}`, with the game master's password."
            yield Finding(f"the password is the {whose}", well, remedy)
        shown = self._shown(wire)
        if isinstance(shown, Outcome):
            yield Finding(shown.why, False, "Show a map to the players, or name one in options.map.")
        elif _grid(shown) is None:
            yield Finding(f"the map {_named(shown)} has no grid", False, "Give it one in Dungeon Revealer.")
        else:
            yield Finding(f"the map {_named(shown)}, with a grid")


def short(name: str) -> str:
    """A name in few letters: `Goblin 2` is G2, `Reed Lurker` is RL, `Vex` is Ve."""
    words = name.split()
    if len(words) == 1:
        return name[:2]
    return "".join(word if word.isdigit() else word[0].upper() for word in words)[:4]


def _name(token: Payload) -> str:
    return str(token.get("title") or "").partition(_AFTER_NAME)[0] or str(token.get("label") or "")


def _named(shown: Payload) -> str:
    return str(shown.get("title") or shown.get("id"))


def _grid(shown: Payload) -> Grid | None:
    grid = shown.get("grid") or {}
    return grid_of(*(grid.get(key) for key in ("offsetX", "offsetY", "columnWidth", "columnHeight")))


def _list(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
