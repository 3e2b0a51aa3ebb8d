"""The schemas of what a table is told, and how a JSON body becomes one or is refused with the field's name.

Nothing here knows HTTP or keeps anything. Keys that a schema doesn't name are dropped, so that a newer sender
still gets through and nothing that players shouldn't see is kept by accident.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Literal, NotRequired, TypedDict, TypeVar, cast

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
STATES = ("up", "down", "out")
HP_SHOWN = ("exact", "bar", "wounds", "none")
MODES = ("plain", "advantage", "disadvantage")

_SHORT, _NAME, _LONG, _SIGN = 64, 200, 20_000, 8  # characters
_SEGMENTS = 100  # of a clock
_FAR = 10_000  # squares, HP, initiative: beyond this it is a mistake
_SEQ_LIMIT = 2**53 - 1  # the largest whole number that a page's JavaScript holds exactly

Upright = Literal["up", "down", "out"]
HpShown = Literal["exact", "bar", "wounds", "none"]
Mode = Literal["plain", "advantage", "disadvantage"]
T = TypeVar("T")


class Position(TypedDict):
    """Of the top-left corner, in squares from 0."""

    x: int
    y: int


class Point(TypedDict):
    """Anywhere on the map, in squares from its top-left corner."""

    x: float
    y: float


class DoorPayload(TypedDict):
    """On the square `at`, or, where it has a `to`, on the line from one point to the other."""

    at: Point
    to: Point | None
    open: bool
    hidden: bool


class ZonePayload(TypedDict):
    """Squares of which something is so: they burn, they are obscured."""

    id: str
    name: str
    kind: str
    squares: list[Position]
    hidden: bool


class ImageRefPayload(TypedDict):
    """A picture that was uploaded before, by the SHA-256 of its bytes."""

    hash: str


class PlacePayload(TypedDict):
    """A rectangle in squares, from A1's corner."""

    x: float
    y: float
    width: float
    height: float


class MapImagePayload(ImageRefPayload):
    """A picture below a map. It covers the whole of it, or what `place` says."""

    place: NotRequired[PlacePayload]


class TrackPayload(TypedDict):
    """A row of steps, at one of which things stand."""

    name: str
    steps: list[str]
    at: str


class CardPayload(TypedDict):
    """What somebody has picked; `who` is empty where a side picks as one. Without `what` it lies face down;
    one that is `hidden` does so for players."""

    who: str
    what: str | None
    hidden: bool


class SidePayload(TypedDict):
    """A side of a conflict or a chase. Of `team` are tokens by id."""

    id: str
    name: str
    intent: str
    team: list[str]
    numbers: dict[str, int]
    traits: list[str]
    lost_traits: list[str]
    cards: list[CardPayload]


class GroundPayload(TypedDict):
    """What doesn't move of a map."""

    rows: list[str]
    doors: list[DoorPayload]
    zones: list[ZonePayload]
    walls: list[list[Point]]
    one_way_walls: list[list[Point]]
    see_through_walls: list[list[Point]]
    walk_through_walls: list[list[Point]]


class FogPayload(TypedDict):
    """`seen` marks squares that the party has seen with a dot, the others with a blank, row by row. `ground`
    is what players have of the map; None where the scene's own is that."""

    seen: list[str]
    ground: GroundPayload | None


class ScenePayload(TypedDict):
    """Without `rows` it is one without a map. `round` is None where the turn order has it; `fog` where
    players may see all of the map."""

    id: str
    name: str
    goal: str | None
    rows: list[str]
    doors: list[DoorPayload]
    zones: list[ZonePayload]
    walls: list[list[Point]]
    one_way_walls: list[list[Point]]
    see_through_walls: list[list[Point]]
    walk_through_walls: list[list[Point]]
    image: MapImagePayload | None
    fog: FogPayload | None
    round: int | None
    over: bool
    track: TrackPayload | None
    sides: list[SidePayload]


class HitPointsPayload(TypedDict):
    value: int
    max: int


class MeterNumbersPayload(TypedDict):
    value: int
    max: int | None


class MeterPayload(TypedDict):
    """A number of somebody's, as players are told it in the form that `shown` names: exactly, as a bar of
    which only the share counts, in the word in `wounds`, or not at all. `one` is what a single one of it is
    called, where it is counted; `sign` stands before a number: the d of a die. `gm` are the numbers behind
    it."""

    id: str
    name: str
    one: str
    sign: str
    value: int | None
    max: int | None
    shown: HpShown
    wounds: str | None
    gm: MeterNumbersPayload | None


class TokenPayload(TypedDict):
    """`meters` are all numbers of theirs that are shown. `hp` is the first of them once more, as who knows
    only one takes it: what players are told, in the form that `hp_shown` names; `gm_hp` the numbers behind
    it. `side` is "party", "enemies", "neutral" or one of the scene's own."""

    id: str
    name: str
    side: str
    position: Position | None
    size: int
    hp: HitPointsPayload | None
    hp_shown: HpShown
    wounds: str | None
    gm_hp: HitPointsPayload | None
    meters: list[MeterPayload]
    statuses: list[str]
    hidden: bool
    initiative: float | None
    active: bool
    state: Upright
    image: ImageRefPayload | None


class EntryPayload(TypedDict):
    """A place in the order. `state` is "waiting", "acting", "acted", "held" or "delayed"; empty where the
    sender tells none. `count` is more than 1 for a group that acts as one."""

    id: str
    initiative: float | None
    state: str
    count: int
    hidden: bool


class OrderPayload(TypedDict):
    """`kind`: a "list" goes round, a "pool" has who may still act, "sides" act by turns. `next` are those
    who may come next, by id."""

    kind: str
    round: int
    active: str | None
    next: list[str]
    entries: list[EntryPayload]


class AsidePayload(TypedDict):
    """A scene under way beside the one on the table, with everybody in it."""

    scene: ScenePayload
    tokens: list[TokenPayload]
    order: OrderPayload | None


class AskedOptionPayload(TypedDict):
    name: str
    label: str


class AskedForGmPayload(TypedDict):
    """What players are not told of an open decision."""

    options: list[AskedOptionPayload]
    said: list[str]
    dice: list[DicePayload]


class AskedPayload(TypedDict):
    """An open decision: `name` must decide `what`, after what was `said` and the `dice` that led to it.
    `scene` is the id of its own, None for one outside of any."""

    id: str
    scene: str | None
    who: str
    name: str
    what: str
    options: list[AskedOptionPayload]
    said: list[str]
    dice: list[DicePayload]
    hidden: bool
    gm: AskedForGmPayload | None


class ExhibitPayload(TypedDict):
    """Something that lies on the table whatever is played. `kind`: the "scene" by its name, the "day", a
    "clock" of which `filled` of `segments` are full, a "handout". What is `hidden` is the game master's."""

    id: str
    kind: str
    name: str
    text: str
    filled: int
    segments: int
    image: ImageRefPayload | None
    hidden: bool


class ModifierPayload(TypedDict):
    value: int
    reason: str


class DicePayload(TypedDict):
    """A roll. `each` are the sides of each die, where they aren't all of `sides`."""

    who: str
    purpose: str
    sides: int
    each: list[int]
    faces: list[int]
    kept: int | None
    mode: Mode
    modifiers: list[ModifierPayload]
    total: int | None


class TurnPayload(TypedDict):
    """The turn in which something happened: `who` by id, empty where nobody acts; `begins` says that it began
    with it."""

    scene: str
    round: int
    who: str
    name: str
    side: str
    begins: bool


class NamedPayload(TypedDict):
    id: str
    name: str
    side: str


class HeadPayload(NamedPayload):
    """Who did what, at whom, and how it came out: "hit", "miss", or a word of the game's; in `words` that say
    more of it ("Critical hit"), good or bad by their `tone`."""

    what: str
    at: list[NamedPayload]
    came: str
    words: str
    tone: str


class LinePayload(TypedDict):
    """Words, and how they weigh: "title", "strong", "good", "bad", "warn", "dim", or nothing; the sort of
    `event` that they tell, and whether it is "good" or "bad" for whom it happens to."""

    text: str
    style: str
    event: str
    tone: str


class BannerPayload(TypedDict):
    """A headline of a few words, of which sort of event, and for whom: "Vex falls"."""

    text: str
    event: str
    tone: str
    who: str


class EffectPayload(TypedDict):
    """Something to be seen happen to a token: `kind` is "moved" (along `path`), "hit" or "miss" (by whom),
    "hurt" or "mended" (by how much, where players may know), "down", "out", "status" (in
    `words`), or "turned": a card of the side `id`, picked by whom, with what stands on it."""

    kind: str
    id: str
    by: str
    path: list[Position]
    amount: int | None
    words: str


class PlayPayload(TypedDict):
    """What of a result can be drawn. `lines` are its text once more, line by line; `outcome` says that it is
    what a scene came to."""

    turn: TurnPayload | None
    head: HeadPayload | None
    lines: list[LinePayload]
    banners: list[BannerPayload]
    outcome: bool
    effects: list[EffectPayload]


class ResultPayload(TypedDict):
    id: str
    seq: int
    title: str
    text: str
    dice: list[DicePayload]
    at: str | None
    undone: bool
    secret: bool
    play: PlayPayload | None


class PartyNumberPayload(TypedDict):
    name: str
    value: int


class MemberPayload(TypedDict):
    """Somebody of the party between scenes: what ails them, and numbers of theirs."""

    id: str
    name: str
    image: ImageRefPayload | None
    conditions: list[str]
    numbers: list[PartyNumberPayload]


class EveningPayload(TypedDict):
    """What there is between scenes: the session's number and title, and the party."""

    number: int
    title: str
    open: bool
    party: list[MemberPayload]


class PingPayload(TypedDict):
    """A place on a scene's map that somebody points at, in squares."""

    scene: str
    x: float
    y: float


class SnapshotPayload(TypedDict):
    version: int
    title: str
    audience: str
    scene: ScenePayload | None
    tokens: list[TokenPayload]
    order: OrderPayload | None
    beside: list[AsidePayload]
    asked: list[AskedPayload]
    exhibits: list[ExhibitPayload]
    evening: EveningPayload | None
    results: list[ResultPayload]


class Refusal(ValueError):
    """What was sent is not taken, and nothing has changed."""


class InvalidBody(Refusal):
    """A body that isn't what it should be. `field` says where, as a path such as `hp.max`."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}")
        self.field = field


def parse_json(raw: bytes) -> object:
    """The value of a JSON body. Raises InvalidBody, also for NaN and Infinity, which aren't JSON."""

    def refuse(constant: str) -> object:
        raise InvalidBody("body", f"{constant} is not JSON")

    try:
        return json.loads(raw, parse_constant=refuse)
    except InvalidBody:
        raise
    except (ValueError, RecursionError) as problem:  # a number of 5,000 digits is a ValueError too
        raise InvalidBody("body", f"not JSON ({problem})") from problem


def scene(body: object) -> ScenePayload:
    """Raises InvalidBody."""
    return _scene(_Fields(body))


def _scene(fields: _Fields) -> ScenePayload:
    return {
        "id": fields.text("id"),
        "name": fields.text("name", most=_NAME),
        "goal": fields.optional("goal", lambda field: fields.text(field, most=_NAME * 5)),
        "rows": _rows(fields),
        "doors": _doors(fields),
        "zones": _zones(fields),
        "walls": _walls(fields, "walls"),
        "one_way_walls": _walls(fields, "one_way_walls"),
        "see_through_walls": _walls(fields, "see_through_walls"),
        "walk_through_walls": _walls(fields, "walk_through_walls"),
        "image": _map_image(fields),
        "fog": fields.optional("fog", lambda field: _fog(fields.inner(field))),
        "round": fields.optional("round", lambda field: fields.whole(field, least=0)),
        "over": fields.flag("over"),
        "track": fields.optional("track", lambda field: _track(fields.inner(field))),
        "sides": [_side(side) for side in fields.inners("sides", most=20)],
    }


def token(body: object, token_id: str) -> TokenPayload:
    """Raises InvalidBody."""
    fields = _Fields(body)
    if fields.text("id", token_id) != token_id:
        raise InvalidBody("id", f"differs from the one in the address, {token_id!r}")
    return _token(fields, token_id)


def _token(fields: _Fields, token_id: str) -> TokenPayload:
    return {
        "id": token_id,
        "name": fields.text("name", most=_NAME),
        "side": fields.text("side"),
        "position": fields.optional("position", lambda field: _position(fields.inner(field))),
        "size": fields.whole("size", 1, least=1, most=20),
        "hp": fields.optional("hp", lambda field: _hit_points(fields.inner(field))),
        "hp_shown": cast(HpShown, fields.one_of("hp_shown", HP_SHOWN, "exact")),
        "wounds": fields.optional("wounds", fields.text),
        "gm_hp": fields.optional("gm_hp", lambda field: _hit_points(fields.inner(field))),
        "meters": [_meter(meter) for meter in fields.inners("meters", most=20)],
        "statuses": fields.texts("statuses"),
        "hidden": fields.flag("hidden"),
        "initiative": fields.optional("initiative", fields.number),
        "active": fields.flag("active"),
        "state": cast(Upright, fields.one_of("state", STATES, "up")),
        "image": _image(fields),
    }


def order(body: object) -> OrderPayload:
    """Raises InvalidBody."""
    return _order(_Fields(body))


def _order(fields: _Fields) -> OrderPayload:
    return {
        "kind": fields.text("kind", "list"),
        "round": fields.whole("round", least=0),
        "active": fields.optional("active", fields.text),
        "next": fields.texts("next", most=500, longest=_SHORT),
        "entries": [_entry(entry) for entry in fields.inners("entries", most=500)],
    }


def beside(body: object) -> list[AsidePayload]:
    """Raises InvalidBody."""
    return [_aside(aside) for aside in _Fields(body).inners("scenes", most=20)]


def asked(body: object) -> list[AskedPayload]:
    """Raises InvalidBody."""
    return [_asked(one) for one in _Fields(body).inners("asked", most=50)]


def exhibits(body: object) -> list[ExhibitPayload]:
    """Raises InvalidBody."""
    return [_exhibit(one) for one in _Fields(body).inners("exhibits", most=100)]


def _exhibit(fields: _Fields) -> ExhibitPayload:
    return {
        "id": fields.text("id"),
        "kind": fields.text("kind"),
        "name": fields.text("name", most=_NAME),
        "text": fields.text("text", "", most=_LONG),
        "filled": fields.whole("filled", 0, least=0, most=_SEGMENTS),
        "segments": fields.whole("segments", 0, least=0, most=_SEGMENTS),
        "image": _image(fields),
        "hidden": fields.flag("hidden"),
    }


def result(body: object) -> ResultPayload:
    """Raises InvalidBody."""
    fields = _Fields(body)
    return {
        "id": fields.text("id"),
        "seq": fields.whole("seq", least=0, most=_SEQ_LIMIT),
        "title": fields.text("title", most=_NAME * 5),
        "text": fields.text("text", "", most=_LONG),
        "dice": [_dice(dice) for dice in fields.inners("dice", most=100)],
        "at": fields.optional("at", fields.text),
        "undone": fields.flag("undone"),
        "secret": fields.flag("secret"),
        "play": fields.optional("play", lambda field: _play(fields.inner(field))),
    }


def evening(body: object) -> EveningPayload:
    """Raises InvalidBody."""
    fields = _Fields(body)
    return {
        "number": fields.whole("number", 0, least=0),
        "title": fields.text("title", "", most=_NAME),
        "open": fields.flag("open"),
        "party": [_member(member) for member in fields.inners("party", most=50)],
    }


def ping(body: object) -> PingPayload:
    """Raises InvalidBody."""
    fields = _Fields(body)
    scene = fields.text("scene")
    return {"scene": scene, "x": fields.number("x"), "y": fields.number("y")}


def _member(fields: _Fields) -> MemberPayload:
    return {
        "id": fields.text("id"),
        "name": fields.text("name", most=_NAME),
        "image": _image(fields),
        "conditions": fields.texts("conditions"),
        "numbers": [
            {"name": number.text("name", most=_NAME), "value": number.whole("value")}
            for number in fields.inners("numbers", most=20)
        ],
    }


def _play(fields: _Fields) -> PlayPayload:
    return {
        "turn": fields.optional("turn", lambda field: _turn(fields.inner(field))),
        "head": fields.optional("head", lambda field: _head(fields.inner(field))),
        "lines": [
            {
                "text": line.text("text", most=_NAME * 10),
                "style": line.text("style", ""),
                "event": line.text("event", ""),
                "tone": line.text("tone", ""),
            }
            for line in fields.inners("lines", most=200)
        ],
        "banners": [
            {
                "text": one.text("text", most=_NAME),
                "event": one.text("event", ""),
                "tone": one.text("tone", ""),
                "who": one.text("who", ""),
            }
            for one in fields.inners("banners", most=100)
        ],
        "outcome": fields.flag("outcome"),
        "effects": [_effect(effect) for effect in fields.inners("effects", most=200)],
    }


def _turn(fields: _Fields) -> TurnPayload:
    return {
        "scene": fields.text("scene", ""),
        "round": fields.whole("round", 0, least=0),
        "who": fields.text("who", ""),
        "name": fields.text("name", "", most=_NAME),
        "side": fields.text("side", ""),
        "begins": fields.flag("begins"),
    }


def _head(fields: _Fields) -> HeadPayload:
    return {
        **_named(fields),
        "what": fields.text("what", "", most=_NAME),
        "at": [_named(one) for one in fields.inners("at", most=50)],
        "came": fields.text("came", ""),
        "words": fields.text("words", "", most=_NAME),
        "tone": fields.text("tone", ""),
    }


def _named(fields: _Fields) -> NamedPayload:
    return {
        "id": fields.text("id"),
        "name": fields.text("name", most=_NAME),
        "side": fields.text("side", ""),
    }


def _effect(fields: _Fields) -> EffectPayload:
    return {
        "kind": fields.text("kind"),
        "id": fields.text("id"),
        "by": fields.text("by", ""),
        "path": [_position(square) for square in fields.inners("path", most=200)],
        "amount": fields.optional("amount", fields.whole),
        "words": fields.text("words", "", most=_NAME),
    }


def _fog(fields: _Fields) -> FogPayload:
    fields.needs("seen")
    return {
        "seen": fields.texts("seen", most=LARGEST_MAP, longest=LARGEST_MAP),
        "ground": fields.optional("ground", lambda field: _ground(fields.inner(field))),
    }


def _ground(fields: _Fields) -> GroundPayload:
    return {
        "rows": _rows(fields),
        "doors": _doors(fields),
        "zones": _zones(fields),
        "walls": _walls(fields, "walls"),
        "one_way_walls": _walls(fields, "one_way_walls"),
        "see_through_walls": _walls(fields, "see_through_walls"),
        "walk_through_walls": _walls(fields, "walk_through_walls"),
    }


def _doors(fields: _Fields) -> list[DoorPayload]:
    return [_door(door) for door in fields.inners("doors", most=1000)]


def _zones(fields: _Fields) -> list[ZonePayload]:
    return [_zone(zone) for zone in fields.inners("zones", most=200)]


def _walls(fields: _Fields, kind: str) -> list[list[Point]]:
    return [_line(wall, where) for where, wall in fields.items(kind, most=5000)]


def _rows(fields: _Fields) -> list[str]:
    fields.needs("rows")  # where there is no map, too: [] is another thing than a part forgotten
    rows = fields.texts("rows", most=LARGEST_MAP, longest=LARGEST_MAP)
    if rows and not any(row.strip() for row in rows):
        raise InvalidBody("rows", "needs at least one square")
    for number, row in enumerate(rows):
        for square in row:
            if square not in SQUARES:
                known = ", ".join(f"{mark!r} {meaning}" for mark, meaning in SQUARES.items())
                raise InvalidBody(f"rows[{number}]", f"{square!r} is no square; known are {known}")
    return rows


def _door(fields: _Fields) -> DoorPayload:
    return {
        "at": _point(fields.inner("at")),
        "to": fields.optional("to", lambda field: _point(fields.inner(field))),
        "open": fields.flag("open"),
        "hidden": fields.flag("hidden"),
    }


def _zone(fields: _Fields) -> ZonePayload:
    return {
        "id": fields.text("id"),
        "name": fields.text("name", "", most=_NAME),
        "kind": fields.text("kind", ""),
        "squares": [_position(square) for square in fields.inners("squares", most=LARGEST_MAP**2)],
        "hidden": fields.flag("hidden"),
    }


def _line(value: object, where: str) -> list[Point]:
    points = _Fields({"line": value}).inners("line", most=5000)
    if len(points) < 2:
        raise InvalidBody(where, "needs at least two points")
    return [_point(point) for point in points]


def _image(fields: _Fields) -> ImageRefPayload | None:
    digest = fields.optional("image", lambda field: fields.inner(field).text("hash"))
    if digest is None:
        return None
    if not is_hash(digest):
        raise InvalidBody("image.hash", "must be a SHA-256 in lower-case hexadecimal")
    return {"hash": digest}


def _map_image(fields: _Fields) -> MapImagePayload | None:
    image = _image(fields)
    if image is None:
        return None
    inner = fields.inner("image")
    place = inner.optional("place", lambda field: _place(inner.inner(field)))
    return {"hash": image["hash"], "place": place} if place else {"hash": image["hash"]}


def _place(fields: _Fields) -> PlacePayload:
    place: PlacePayload = {
        "x": fields.number("x"),
        "y": fields.number("y"),
        "width": fields.number("width"),
        "height": fields.number("height"),
    }
    if min(place["width"], place["height"]) <= 0:
        raise InvalidBody("image.place", "must have a width and a height above 0")
    return place


def is_hash(text: str) -> bool:
    """Whether a text looks like a SHA-256."""
    return re.fullmatch("[0-9a-f]{64}", text) is not None


def _point(fields: _Fields) -> Point:
    return {"x": fields.number("x"), "y": fields.number("y")}


def _position(fields: _Fields) -> Position:
    return {"x": fields.whole("x", least=-_FAR), "y": fields.whole("y", least=-_FAR)}


def _hit_points(fields: _Fields) -> HitPointsPayload:
    return {"value": fields.whole("value", least=-_FAR), "max": fields.whole("max", least=0)}


def _meter(fields: _Fields) -> MeterPayload:
    return {
        "id": fields.text("id"),
        "name": fields.text("name", "", most=_NAME),
        "one": fields.text("one", "", most=_NAME),
        "sign": fields.text("sign", "", most=_SIGN),
        "value": fields.optional("value", fields.whole),
        "max": fields.optional("max", fields.whole),
        "shown": cast(HpShown, fields.one_of("shown", HP_SHOWN, "exact")),
        "wounds": fields.optional("wounds", fields.text),
        "gm": fields.optional("gm", lambda field: _meter_numbers(fields.inner(field))),
    }


def _meter_numbers(fields: _Fields) -> MeterNumbersPayload:
    return {"value": fields.whole("value"), "max": fields.optional("max", fields.whole)}


def _entry(fields: _Fields) -> EntryPayload:
    return {
        "id": fields.text("id"),
        "initiative": fields.optional("initiative", fields.number),
        "state": fields.text("state", ""),
        "count": fields.whole("count", 1, least=1),
        "hidden": fields.flag("hidden"),
    }


def _track(fields: _Fields) -> TrackPayload:
    return {
        "name": fields.text("name", "", most=_NAME),
        "steps": fields.texts("steps"),
        "at": fields.text("at", "", most=_NAME),
    }


def _side(fields: _Fields) -> SidePayload:
    return {
        "id": fields.text("id"),
        "name": fields.text("name", "", most=_NAME),
        "intent": fields.text("intent", "", most=_NAME * 5),
        "team": fields.texts("team", most=500, longest=_SHORT),
        "numbers": fields.numbers("numbers", most=20),
        "traits": fields.texts("traits"),
        "lost_traits": fields.texts("lost_traits"),
        "cards": [_card(card) for card in fields.inners("cards", most=500)],
    }


def _aside(fields: _Fields) -> AsidePayload:
    return {
        "scene": _scene(fields.inner("scene")),
        "tokens": [_token(token, token.text("id")) for token in fields.inners("tokens", most=500)],
        "order": fields.optional("order", lambda field: _order(fields.inner(field))),
    }


def _asked(fields: _Fields) -> AskedPayload:
    return {
        "id": fields.text("id", most=_NAME),
        "scene": fields.optional("scene", fields.text),
        "who": fields.text("who", "", most=_NAME),
        "name": fields.text("name", "", most=_NAME),
        "what": fields.text("what", most=_NAME * 5),
        **_asked_words(fields),
        "hidden": fields.flag("hidden"),
        "gm": fields.optional("gm", lambda field: _asked_words(fields.inner(field))),
    }


def _card(fields: _Fields) -> CardPayload:
    return {
        "who": fields.text("who", ""),
        "what": fields.optional("what", lambda field: fields.text(field, most=_NAME)),
        "hidden": fields.flag("hidden"),
    }


def _asked_words(fields: _Fields) -> AskedForGmPayload:
    return {
        "options": [
            {"name": option.text("name", most=_NAME), "label": option.text("label", "", most=_NAME * 5)}
            for option in fields.inners("options", most=100)
        ],
        "said": fields.texts("said", most=100, longest=_NAME * 10),
        "dice": [_dice(dice) for dice in fields.inners("dice", most=100)],
    }


def _dice(fields: _Fields) -> DicePayload:
    faces = [_whole(face, where) for where, face in fields.items("faces", most=200)]
    return {
        "who": fields.text("who", "", most=_NAME),
        "purpose": fields.text("purpose", "", most=_NAME),
        "sides": fields.whole("sides", least=1),
        "each": [_whole(sides, where, least=1) for where, sides in fields.items("each", most=200)],
        "faces": faces,
        "kept": fields.optional("kept", fields.whole),
        "mode": cast(Mode, fields.one_of("mode", MODES, "plain")),
        "modifiers": [
            {"value": modifier.whole("value"), "reason": modifier.text("reason", "", most=_NAME)}
            for modifier in fields.inners("modifiers", most=50)
        ],
        "total": fields.optional("total", fields.whole),
    }


class _Fields:
    """One JSON object on its way in. Every getter raises InvalidBody with the path of its field."""

    def __init__(self, value: object, where: str = "") -> None:
        if not isinstance(value, dict):
            raise InvalidBody(where or "body", "must be an object")
        self._values = cast(dict[str, object], value)
        self._where = f"{where}." if where else ""

    def text(self, field: str, default: str | None = None, *, most: int = _SHORT) -> str:
        value = self._get(field, default)
        if field == "id" and value == "":
            raise InvalidBody(self._path(field), "must not be empty")
        return _text(value, self._path(field), most)

    def needs(self, field: str) -> None:
        self._get(field)

    def texts(self, field: str, *, most: int = 50, longest: int = _NAME) -> list[str]:
        return [_text(value, where, longest) for where, value in self.items(field, most=most)]

    def whole(self, field: str, default: int | None = None, *, least: int = -_FAR, most: int = _FAR) -> int:
        return _whole(self._get(field, default), self._path(field), least, most)

    def numbers(self, field: str, *, most: int) -> dict[str, int]:
        """A table of whole numbers by name."""
        values = self._values.get(field, {})
        if not isinstance(values, dict):
            raise InvalidBody(self._path(field), "must be an object")
        if len(values) > most:
            raise InvalidBody(self._path(field), f"has {len(values)} numbers, at most {most} are allowed")
        where = self._path(field)
        return {_text(name, where, _NAME): _whole(value, f"{where}.{name}") for name, value in values.items()}

    def number(self, field: str) -> float:
        value = self._get(field)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise InvalidBody(self._path(field), "must be a number")
        if not abs(value) <= _FAR:  # so written, NaN is refused too
            raise InvalidBody(self._path(field), f"must be from {-_FAR} to {_FAR}")
        return value

    def flag(self, field: str) -> bool:
        value = self._values.get(field, False)
        if not isinstance(value, bool):
            raise InvalidBody(self._path(field), "must be true or false")
        return value

    def one_of(self, field: str, known: Iterable[str], default: str | None = None) -> str:
        value = self.text(field, default)
        if value not in known:
            raise InvalidBody(self._path(field), f"must be one of {', '.join(known)}")
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
            raise InvalidBody(self._path(field), "must be a list")
        if len(values) > most:
            raise InvalidBody(self._path(field), f"has {len(values)} items, at most {most} are allowed")
        return [(f"{self._path(field)}[{number}]", value) for number, value in enumerate(values)]

    def _get(self, field: str, default: object = None) -> object:
        value = self._values.get(field, default)
        if value is None:
            raise InvalidBody(self._path(field), "is missing")
        return value

    def _path(self, field: str) -> str:
        return f"{self._where}{field}"


def _text(value: object, where: str, most: int) -> str:
    if not isinstance(value, str):
        raise InvalidBody(where, "must be text")
    if len(value) > most:
        raise InvalidBody(where, f"has {len(value)} characters, at most {most} are allowed")
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise InvalidBody(where, "holds half a character (a lone surrogate)")
    return value


def _whole(value: object, where: str, least: int = -_FAR, most: int = _FAR) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # to JSON 7.0 is the same number as 7
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidBody(where, "must be a whole number")
    if not least <= value <= most:
        raise InvalidBody(where, f"must be from {least} to {most}")
    return value
