"""The shapes of what a table is told, and how a JSON body becomes one or is refused with the field's name.

Nothing here knows HTTP or keeps anything. Keys that a shape doesn't name are dropped, so that a newer sender
still gets through and nothing that players shouldn't see is kept by accident.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from typing import Literal, TypedDict, TypeVar, cast

LARGEST_MAP = 200
"""Squares along one side of a map."""

SQUARES = {
    ".": "floor",
    "#": "wall",
    "~": "difficult terrain",
    "+": "closed door",
    "/": "open door",
    " ": "outside",
}
SIDES = ("party", "enemies", "neutral")
STATES = ("up", "down", "out")

_SHORT, _NAME, _LONG = 64, 200, 20_000  # characters
_FAR = 10_000  # squares, HP, initiative: beyond this it is a mistake
_SEQ_LIMIT = 2**53 - 1  # the largest whole number that a page's JavaScript holds exactly

Side = Literal["party", "enemies", "neutral"]
Upright = Literal["up", "down", "out"]
T = TypeVar("T")


class Scene(TypedDict):
    id: str
    name: str
    goal: str | None
    rows: list[str]


class Position(TypedDict):
    """Of the top-left corner, in squares from 0."""

    x: int
    y: int


class HitPoints(TypedDict):
    value: int
    max: int


class Token(TypedDict):
    id: str
    name: str
    side: Side
    position: Position | None
    size: int
    hp: HitPoints | None
    statuses: list[str]
    hidden: bool
    initiative: float | None
    active: bool
    state: Upright


class Entry(TypedDict):
    id: str
    initiative: float | None


class Order(TypedDict):
    round: int
    active: str | None
    entries: list[Entry]


class Dice(TypedDict):
    who: str
    purpose: str
    sides: int
    faces: list[int]
    kept: int | None


class Result(TypedDict):
    id: str
    seq: int
    title: str
    text: str
    dice: list[Dice]
    at: str | None
    undone: bool


class Snapshot(TypedDict):
    version: int
    title: str
    scene: Scene | None
    tokens: list[Token]
    order: Order | None
    results: list[Result]


class Refusal(ValueError):
    """What was sent is not taken, and nothing has changed."""


class BadShape(Refusal):
    """A body that isn't what it should be. `field` says where, as a path such as `hp.max`."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}")
        self.field = field


class HiddenToken(Refusal):
    """A hidden creature was sent to a table that players look at."""


def parse_json(raw: bytes) -> object:
    """The value of a JSON body. Raises BadShape, also for NaN and Infinity, which aren't JSON."""

    def refuse(constant: str) -> object:
        raise BadShape("body", f"{constant} is not JSON")

    try:
        return json.loads(raw, parse_constant=refuse)
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as problem:
        raise BadShape("body", f"not JSON ({problem})") from problem


def scene(body: object) -> Scene:
    """Raises BadShape."""
    fields = _Fields(body)
    return {
        "id": fields.text("id"),
        "name": fields.text("name", most=_NAME),
        "goal": fields.optional("goal", lambda field: fields.text(field, most=_NAME * 5)),
        "rows": _rows(fields),
    }


def token(body: object, token_id: str) -> Token:
    """Raises BadShape, and HiddenToken for one that players must not see."""
    fields = _Fields(body)
    if fields.text("id", token_id) != token_id:
        raise BadShape("id", f"differs from the one in the address, {token_id!r}")
    if fields.flag("hidden"):
        raise HiddenToken(f"{token_id} is hidden, and players see this table: delete the token instead")
    return {
        "id": token_id,
        "name": fields.text("name", most=_NAME),
        "side": cast(Side, fields.one_of("side", SIDES)),
        "position": fields.optional("position", lambda field: _position(fields.inner(field))),
        "size": fields.whole("size", 1, least=1, most=20),
        "hp": fields.optional("hp", lambda field: _hit_points(fields.inner(field))),
        "statuses": fields.texts("statuses"),
        "hidden": False,
        "initiative": fields.optional("initiative", fields.number),
        "active": fields.flag("active"),
        "state": cast(Upright, fields.one_of("state", STATES, "up")),
    }


def order(body: object) -> Order:
    """Raises BadShape."""
    fields = _Fields(body)
    return {
        "round": fields.whole("round", least=0),
        "active": fields.optional("active", fields.text),
        "entries": [
            {"id": entry.text("id"), "initiative": entry.optional("initiative", entry.number)}
            for entry in fields.inners("entries", most=500)
        ],
    }


def result(body: object) -> Result:
    """Raises BadShape."""
    fields = _Fields(body)
    return {
        "id": fields.text("id"),
        "seq": fields.whole("seq", least=0, most=_SEQ_LIMIT),
        "title": fields.text("title", most=_NAME * 5),
        "text": fields.text("text", "", most=_LONG),
        "dice": [_dice(dice) for dice in fields.inners("dice", most=100)],
        "at": fields.optional("at", fields.text),
        "undone": fields.flag("undone"),
    }


def _rows(fields: _Fields) -> list[str]:
    rows = fields.texts("rows", most=LARGEST_MAP, longest=LARGEST_MAP)
    if not any(row.strip() for row in rows):
        raise BadShape("rows", "needs at least one square")
    for number, row in enumerate(rows):
        for square in row:
            if square not in SQUARES:
                known = ", ".join(f"{mark!r} {meaning}" for mark, meaning in SQUARES.items())
                raise BadShape(f"rows[{number}]", f"{square!r} is no square; known are {known}")
    return rows


def _position(fields: _Fields) -> Position:
    return {"x": fields.whole("x", least=-_FAR), "y": fields.whole("y", least=-_FAR)}


def _hit_points(fields: _Fields) -> HitPoints:
    return {"value": fields.whole("value", least=-_FAR), "max": fields.whole("max", least=0)}


def _dice(fields: _Fields) -> Dice:
    faces = [_whole(face, where) for where, face in fields.items("faces", most=200)]
    return {
        "who": fields.text("who", "", most=_NAME),
        "purpose": fields.text("purpose", "", most=_NAME),
        "sides": fields.whole("sides", least=1),
        "faces": faces,
        "kept": fields.optional("kept", fields.whole),
    }


class _Fields:
    """One JSON object on its way in. Every getter raises BadShape with the path of its field."""

    def __init__(self, value: object, where: str = "") -> None:
        if not isinstance(value, dict):
            raise BadShape(where or "body", "must be an object")
        self._values = cast(dict[str, object], value)
        self._where = f"{where}." if where else ""

    def text(self, field: str, default: str | None = None, *, most: int = _SHORT) -> str:
        value = self._get(field, default)
        if field == "id" and value == "":
            raise BadShape(self._path(field), "must not be empty")
        return _text(value, self._path(field), most)

    def texts(self, field: str, *, most: int = 50, longest: int = _NAME) -> list[str]:
        return [_text(value, where, longest) for where, value in self.items(field, most=most)]

    def whole(self, field: str, default: int | None = None, *, least: int = -_FAR, most: int = _FAR) -> int:
        return _whole(self._get(field, default), self._path(field), least, most)

    def number(self, field: str) -> float:
        value = self._get(field)
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise BadShape(self._path(field), "must be a number")
        return value

    def flag(self, field: str) -> bool:
        value = self._values.get(field, False)
        if not isinstance(value, bool):
            raise BadShape(self._path(field), "must be true or false")
        return value

    def one_of(self, field: str, known: Iterable[str], default: str | None = None) -> str:
        value = self.text(field, default)
        if value not in known:
            raise BadShape(self._path(field), f"must be one of {', '.join(known)}")
        return value

    def optional(self, field: str, read: Callable[[str], T]) -> T | None:
        return None if self._values.get(field) is None else read(field)

    def inner(self, field: str) -> _Fields:
        return _Fields(self._get(field), self._path(field))

    def inners(self, field: str, *, most: int) -> list[_Fields]:
        return [_Fields(value, where) for where, value in self.items(field, most=most)]

    def items(self, field: str, *, most: int) -> list[tuple[str, object]]:
        """The items of a list, each with its path."""
        values = self._values.get(field, [])
        if not isinstance(values, list):
            raise BadShape(self._path(field), "must be a list")
        if len(values) > most:
            raise BadShape(self._path(field), f"has {len(values)} items, at most {most} are allowed")
        return [(f"{self._path(field)}[{number}]", value) for number, value in enumerate(values)]

    def _get(self, field: str, default: object = None) -> object:
        value = self._values.get(field, default)
        if value is None:
            raise BadShape(self._path(field), "is missing")
        return value

    def _path(self, field: str) -> str:
        return f"{self._where}{field}"


def _text(value: object, where: str, most: int) -> str:
    if not isinstance(value, str):
        raise BadShape(where, "must be text")
    if len(value) > most:
        raise BadShape(where, f"has {len(value)} characters, at most {most} are allowed")
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise BadShape(where, "holds half a character (a lone surrogate)")
    return value


def _whole(value: object, where: str, least: int = -_FAR, most: int = _FAR) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadShape(where, "must be a whole number")
    if not least <= value <= most:
        raise BadShape(where, f"must be from {least} to {most}")
    return value
