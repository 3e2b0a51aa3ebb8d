"""Schemas of the table's bodies: types, limits, and the text of `/openapi.json`.

Each is declared once. Nothing here knows HTTP or stores anything.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated, Literal, NotRequired, TypedDict

from .forms import Check, Default, InvalidBody, Key, Limits, Refusal, read, schemas_of

__all__ = ["InvalidBody", "Refusal"]

LARGEST_MAP = 400
"""Squares along one side of a map."""
LARGEST_WHOLE = 2**53 - 1
"""That a page's JavaScript holds exactly."""
SQUARES = {
    ".": "floor",
    "#": "wall",
    "~": "difficult terrain",
    "+": "closed door",
    "/": "open door",
    " ": "outside",
}
_HASH = "^[0-9a-f]{64}$"


def _no_square(row: object) -> str:
    """Return what is wrong with a row of a map."""
    for square in str(row):
        if square not in SQUARES:
            known = ", ".join(f"{mark!r} {meaning}" for mark, meaning in SQUARES.items())
            return f"{square!r} is no square; known are {known}"
    return ""


def _no_map(rows: object) -> str:
    """Return what is wrong with rows that there are."""
    return (
        "needs at least one square" if isinstance(rows, list) and rows and not "".join(rows).strip() else ""
    )


Id = Annotated[str, Limits(1, 64)]
Word = Annotated[str, Limits(most=64)]
Name = Annotated[str, Limits(most=200)]
Sentence = Annotated[str, Limits(most=1000)]
Paragraph = Annotated[str, Limits(most=2000)]
Text = Annotated[str, Limits(most=20_000)]
Sign = Annotated[str, Limits(most=8)]
Hash = Annotated[str, Limits(pattern=_HASH, words="must be a SHA-256 in lower-case hexadecimal")]
Row = Annotated[str, Limits(most=LARGEST_MAP, pattern="^[.#~+/ ]*$"), Check(_no_square)]
Seen = Annotated[
    str, Limits(most=LARGEST_MAP, pattern="^[. ]*$", words="has other marks than dots and blanks")
]
Flag = Annotated[bool, Default(False)]
Count = Annotated[int, Limits(0)]
Length = Annotated[float, Limits(above=0)]
Upright = Literal["up", "down", "out"]
HpShown = Literal["exact", "bar", "wounds", "none"]
Mode = Literal["plain", "advantage", "disadvantage"]


class SquarePayload(TypedDict):
    """A square, counted from 0 at the top left."""

    x: int
    y: int


class PointPayload(TypedDict):
    """Anywhere on the map, in squares from its top-left corner."""

    x: float
    y: float


Lines = Annotated[list[Annotated[list[PointPayload], Limits(2, 5000)]], Limits(most=5000), Default([])]


class DoorPayload(TypedDict):
    at: Annotated[PointPayload, "Without `to`, the square that the door fills."]
    to: Annotated[
        PointPayload | None, "The other end of a door that stands on a line, as between two squares."
    ]
    open: Flag
    hidden: Annotated[Flag, "Not for players."]


class ZonePayload(TypedDict):
    """Squares of which something is so: they burn, they are obscured."""

    id: Id
    name: Annotated[Name, Default("")]
    kind: Annotated[
        Word,
        Default(""),
        "`obscured`, `hazard`, `difficult`, `cover`, `light` or another; it gives the colour.",
    ]
    squares: Annotated[list[SquarePayload], Limits(most=LARGEST_MAP**2), Default([])]
    hidden: Annotated[Flag, "Not for players."]


class LightPayload(TypedDict):
    at: PointPayload
    range: Annotated[float, Limits(0), "How far it reaches, in squares."]


class ImagePayload(TypedDict):
    """A picture that was uploaded before, by the SHA-256 of its bytes."""

    hash: Hash


class PlacePayload(TypedDict):
    """A rectangle in squares, from A1's corner."""

    x: float
    y: float
    width: Length
    height: Length


class MapImagePayload(ImagePayload):
    """A picture below a map. It covers the whole of it, or what `place` says."""

    place: NotRequired[PlacePayload]


class TilePayload(TypedDict):
    """A part of a painted map with fog, as players have it. It lies at so many squares from A1's corner."""

    id: Annotated[str, Limits(1, 64), "GET /api/v1/tiles/{id}/{35, 70 or 140}"]
    x: float
    y: float
    width: Length
    height: Length


class TrackPayload(TypedDict):
    """A row of steps, at one of which things stand."""

    name: Annotated[Name, Default("")]
    steps: Annotated[list[Name], Limits(most=50)]
    at: Annotated[Name, Default(""), "One of the steps."]


class CardPayload(TypedDict):
    """What somebody has picked."""

    who: Annotated[Word, Default(""), "A token's id. Empty where the side picks as one."]
    what: Annotated[Name | None, "Null: it lies face down."]
    hidden: Annotated[Flag, "For players it lies face down."]


class SidePayload(TypedDict):
    """A side of a contest."""

    id: Id
    name: Annotated[Name, Default("")]
    intent: Annotated[Sentence, Default(""), "The goal of the side."]
    team: Annotated[list[Word], Limits(most=500), Default([]), "Its members, by the ids of tokens."]
    numbers: Annotated[
        dict[Name, int], Limits(most=20), Default({}), "Its own numbers by name, such as Strikes."
    ]
    traits: Annotated[list[Name], Limits(most=50), Default([])]
    lost_traits: Annotated[list[Name], Limits(most=50), Default([])]
    cards: Annotated[list[CardPayload], Limits(most=500), Default([]), "The cards that have been picked."]
    taken: NotRequired[Annotated[int, Limits(0), "Harm taken so far: the side with less is ahead."]]


class GroundPayload(TypedDict):
    """What doesn't move of a map."""

    rows: Annotated[
        list[Row],
        Limits(most=LARGEST_MAP),
        Check(_no_map),
        "The map from the top, one character a square: `.` floor, `#` wall, `~` difficult "
        "terrain, `+` closed door, `/` open door, space outside. Empty for a scene without a map;"
        " else at least one square is no space.",
    ]
    doors: Annotated[list[DoorPayload], Limits(most=1000), Default([]), "Doors beside those in the rows."]
    zones: Annotated[list[ZonePayload], Limits(most=200), Default([])]
    walls: Annotated[Lines, "Lines of wall beside those in the rows, each from point to point."]
    one_way_walls: Annotated[
        Lines,
        "Lines of wall that stop who comes from the left of their direction, and let through who "
        "comes from the right.",
    ]
    see_through_walls: Annotated[Lines, "Lines of wall that stop steps and not sight: a window, a railing."]
    walk_through_walls: Annotated[Lines, "Lines of wall that stop sight and not steps: a curtain."]
    terrain_walls: Annotated[
        Lines, "Lines that are seen past until there is a second one: the outline of a tree, of a rock."
    ]


class FogPayload(TypedDict):
    seen: Annotated[
        list[Seen],
        Limits(most=LARGEST_MAP),
        "Row by row a dot for each square that the party has seen, a space for each that it has not.",
    ]
    ground: Annotated[
        GroundPayload | None,
        "The map as players have it; then the scene's own is the game master's. Null where players "
        "have the scene's own.",
    ]


class MeasurePayload(TypedDict):
    """How far things are told to be."""

    one: Annotated[Word, "The name of a single one of the unit: `foot`."]
    many: Annotated[Word, "The name of several: `feet`."]
    side: Annotated[Length, "How many of the unit the side of a square counts: 5."]
    diagonals: Annotated[
        Literal["1-1-1", "1-2-1", "zones"],
        "`1-1-1` counts each diagonal as one square, `1-2-1` every second one as two. With `zones` there are "
        "no squares to measure by.",
    ]


class ScenePayload(GroundPayload):
    """A scene, or the ground of one: without `rows` it has no map."""

    id: Id
    name: Name
    goal: Sentence | None
    image: Annotated[
        MapImagePayload | None, "An uploaded image. It covers the whole map, or what its `place` says."
    ]
    fog: Annotated[
        FogPayload | None,
        "Where players see of the map only what the party has seen. Sent where `supports` says "
        "`fog`. With fog on it players don't get the image, but `tiles` of it.",
    ]
    tiles: NotRequired[
        Annotated[list[TilePayload], Limits(most=10_000), "Made by the table, for players. Not sent to it."]
    ]
    lights: NotRequired[
        Annotated[
            list[LightPayload], Limits(most=2000), "Not for players. Sent where `supports` says `lights`."
        ]
    ]
    round: Annotated[Count | None, "Where there is no turn order to tell it."]
    over: Annotated[Flag, "It has ended, and what came of it is being settled."]
    measure: NotRequired[Annotated[MeasurePayload, "Left out: by squares, a diagonal counting as one."]]
    track: Annotated[
        TrackPayload | None, "A row of steps, at one of which things stand: how far apart two sides are."
    ]
    sides: Annotated[
        list[SidePayload],
        Limits(most=20),
        Default([]),
        "The sides of a contest, each with its goal and its cards.",
    ]


class HitPointsPayload(TypedDict):
    value: int
    max: Count


class MeterNumbersPayload(TypedDict):
    value: int
    max: int | None


class MeterPayload(TypedDict):
    """A number of somebody's."""

    id: Id
    name: Annotated[Name, Default("")]
    one: Annotated[Name, Default(""), "The name of a single one, where it is counted: a Strike."]
    sign: Annotated[Sign, Default(""), "A sign before its numbers, other than 0: the d of a die."]
    value: Annotated[int | None, "As players may know it. Null: they aren't told."]
    max: Annotated[int | None, "Null: it has no end, or they aren't told."]
    shown: Annotated[
        HpShown,
        Default("exact"),
        "How: the number itself, a bar of which only the share counts, the word in `wounds`, or not at all.",
    ]
    wounds: Word | None
    gm: Annotated[
        MeterNumbersPayload | None, "The number itself, for the game master alone, where `value` isn't that."
    ]


class TokenPayload(TypedDict):
    """Somebody on the map, or of a side."""

    id: Annotated[Id, Key(False), "As in the address, or left out. Tokens that are read back always have it."]
    name: Name
    side: Annotated[
        Word,
        "`party`, `enemies` or `neutral`; to a table with `boardless` also the id of one of the "
        "scene's sides, or any other word.",
    ]
    position: Annotated[SquarePayload | None, "Of the top-left square. Null: not on the map."]
    size: Annotated[int, Limits(1, 20), Default(1), "Squares along one side."]
    hp: Annotated[HitPointsPayload | None, "As players may know it. Null: they aren't told."]
    hp_shown: Annotated[
        HpShown,
        Default("exact"),
        "How: the number itself, a bar of which only the share counts, the word in `wounds`, or not at all.",
    ]
    wounds: Annotated[Word | None, "How they look, as `unhurt`, `hurt`, `bloodied`, `down`."]
    gm_hp: Annotated[
        HitPointsPayload | None, "The number itself, for the game master alone, where `hp` isn't that."
    ]
    meters: Annotated[
        list[MeterPayload],
        Limits(most=20),
        Default([]),
        "Every number that is shown of them. The first is the one in `hp`; a table that knows "
        "`meters` shows these instead.",
    ]
    statuses: Annotated[list[Name], Limits(most=50), Default([])]
    hidden: Annotated[Flag, "Not for players, whatever else names it."]
    initiative: float | None
    active: Annotated[Flag, "It is this one's turn. A turn order that is set has the last word."]
    state: Annotated[Upright, Default("up")]
    image: Annotated[
        ImagePayload | None,
        "An uploaded picture of the creature, shown as large as its token. Null: initials will do.",
    ]


class EntryPayload(TypedDict):
    """A place in the order."""

    id: Id
    initiative: float | None
    state: Annotated[Word, Default(""), "`waiting`, `acting`, `acted`, `held`, `delayed`. Empty: not told."]
    count: Annotated[int, Limits(1), Default(1), "How many act as one."]
    hidden: Annotated[Flag, "Not for players."]


class OrderPayload(TypedDict):
    kind: Annotated[
        Word,
        Default("list"),
        "A `list` goes round from the top; of a `pool` any may act who is still waiting; `sides` "
        "act by turns, and the entries are the sides. Show any other as a pool.",
    ]
    round: Count
    active: Annotated[Word | None, "The one whose turn it is."]
    next: Annotated[
        list[Word], Limits(most=500), Default([]), "Those who may come next: one or two, or all of a pool."
    ]
    entries: Annotated[
        list[EntryPayload],
        Limits(most=500),
        Default([]),
        "In the order in which they act. Somebody with several turns in a round is there as often.",
    ]


class AsidePayload(TypedDict):
    """A scene under way beside the one on the table, with everybody in it."""

    scene: ScenePayload
    tokens: Annotated[
        list[TokenPayload],
        Limits(most=500),
        Default([]),
        "Everybody in it, each with an `id`; some may be on the map as well.",
    ]
    order: OrderPayload | None


class OptionPayload(TypedDict):
    name: Name
    label: Annotated[Sentence, Default(""), "The consequence of choosing it."]


class DecisionWordsPayload(TypedDict):
    """What a decision is about. Of one that players know less of they are told less."""

    options: Annotated[list[OptionPayload], Limits(most=100), Default([])]
    said: Annotated[list[Paragraph], Limits(most=100), Default([]), "The words and rolls that led to it."]
    dice: Annotated[list[DicePayload], Limits(most=100), Default([]), "The dice that led to it."]


class DecisionPayload(DecisionWordsPayload):
    """An open decision."""

    id: Annotated[str, Limits(1, 200)]
    scene: Annotated[Word | None, "The id of the scene that waits for it. Null: none does."]
    who: Annotated[Name, Default(""), "A token's id, or a word for who decides."]
    name: Annotated[Name, Default(""), "The same for people."]
    what: Annotated[Sentence, "The decision, in words."]
    hidden: Annotated[Flag, "Not for players."]
    gm: Annotated[
        DecisionWordsPayload | None,
        "Options and words in full, for the game master alone, where players know less.",
    ]


class ExhibitPayload(TypedDict):
    """Something that lies on the table whatever is played."""

    id: Id
    kind: Annotated[
        Id,
        "`scene` (the name of the evening's scene), `day` (of the campaign's calendar), `clock`, "
        "or `handout`.",
    ]
    name: Annotated[str, Limits(1, 200)]
    text: Annotated[Text, Default("")]
    filled: Annotated[int, Limits(0, 100), Default(0), "Segments of a clock that are full,"]
    segments: Annotated[int, Limits(0, 100), Default(0), "of so many; 0 for what is none."]
    image: ImagePayload | None
    hidden: Flag


class BesidePayload(TypedDict):
    scenes: Annotated[list[AsidePayload], Limits(most=20)]


class DecisionsPayload(TypedDict):
    asked: Annotated[list[DecisionPayload], Limits(most=50)]


class ExhibitsPayload(TypedDict):
    exhibits: Annotated[list[ExhibitPayload], Limits(most=100)]


class ModifierPayload(TypedDict):
    value: int
    reason: Annotated[Name, Default("")]


class DicePayload(TypedDict):
    """A roll."""

    who: Annotated[Name, Default("")]
    purpose: Annotated[Name, Default("")]
    sides: Annotated[int, Limits(1)]
    each: Annotated[
        list[Annotated[int, Limits(1)]],
        Limits(most=200),
        Default([]),
        "The sides of each die, where they differ.",
    ]
    faces: Annotated[list[int], Limits(most=200), Default([])]
    kept: Annotated[int | None, "The face that counted. Null: all of them."]
    mode: Annotated[Mode, Default("plain")]
    modifiers: Annotated[list[ModifierPayload], Limits(most=50), Default([])]
    total: Annotated[int | None, "After modifiers."]


class TurnPayload(TypedDict):
    scene: Annotated[Word, Default("")]
    round: Annotated[Count, Default(0)]
    who: Annotated[
        Word,
        Default(""),
        "The one whose turn it was, by id, or the side. Empty: nobody that players know of.",
    ]
    name: Annotated[Name, Default("")]
    side: Annotated[Word, Default("")]
    begins: Annotated[Flag, "A turn begins with it."]


class NamedPayload(TypedDict):
    id: Id
    name: Name
    side: Annotated[Word, Default("")]


class HeadPayload(NamedPayload):
    """The actor, the act, the targets and how it came out."""

    what: Annotated[Name, Default(""), "The subject of the roll."]
    power: Annotated[Name, Default(""), "The power used."]
    at: Annotated[list[NamedPayload], Limits(most=50), Default([])]
    came: Annotated[Word, Default(""), "`hit`, `miss`, or a word of the game's such as `success`."]
    words: Annotated[Name, Default(""), "The same for people, where they say more: Critical hit."]
    tone: Annotated[Word, Default(""), "`good` or `bad`, or nothing."]


class LinePayload(TypedDict):
    text: Paragraph
    style: Annotated[Word, Default(""), "`title`, `strong`, `good`, `bad`, `warn`, `dim`, or nothing."]
    event: Annotated[
        Word,
        Default(""),
        "The sort of event: `critical`, `hit`, `miss`, `fall`, `heal`, `save`; others may come.",
    ]
    tone: Annotated[Word, Default(""), "`good` or `bad` for whom it happens to, or nothing."]
    headline: Annotated[Name, Default(""), "The same in a few words."]
    deed: Annotated[Flag, "The head and the dice say all of it."]


class BannerPayload(TypedDict):
    """A headline of a few words: "Vex falls"."""

    text: Name
    event: Annotated[Word, Default("")]
    tone: Annotated[Word, Default("")]
    who: Annotated[Word, Default(""), "Whom it happens to, by id."]


class EffectPayload(TypedDict):
    """Something to be seen happen to a token."""

    kind: Annotated[
        Word,
        "`moved` goes along `path`. `hit` and `miss` say by whom, `hurt` and `mended` by how much, where "
        "players may know. `down`, `out`. `status` is in `words`. `turned` is a card of the side `id`: "
        "picked by whom, with its words. Others may come.",
    ]
    id: Annotated[Id, "The token's."]
    by: Annotated[Word, Default("")]
    path: Annotated[list[SquarePayload], Limits(most=200), Default([])]
    amount: int | None
    words: Annotated[Name, Default("")]


class PlayPayload(TypedDict):
    """What of a result can be drawn."""

    turn: Annotated[TurnPayload | None, "The turn in which it happened."]
    head: Annotated[HeadPayload | None, "The actor, the act, the targets and how it came out."]
    lines: Annotated[list[LinePayload], Limits(most=200), Default([]), "The text once more, line by line."]
    banners: Annotated[
        list[BannerPayload], Limits(most=100), Default([]), "The headlines of what happened, in order."
    ]
    outcome: Annotated[Flag, "It is what a scene came to."]
    effects: Annotated[
        list[EffectPayload], Limits(most=200), Default([]), "Visible things that happen to tokens, in order."
    ]


class ResultPayload(TypedDict):
    id: Id
    seq: Annotated[int, Limits(0, LARGEST_WHOLE)]
    title: Sentence
    text: Annotated[Text, Default(""), "Plain text; line breaks are kept."]
    dice: Annotated[list[DicePayload], Limits(most=100), Default([])]
    at: Annotated[Word | None, "When, as RFC 3339."]
    undone: Flag
    secret: Annotated[Flag, "Not for players."]
    play: Annotated[PlayPayload | None, "The part of it that can be drawn."]


class PartyNumberPayload(TypedDict):
    name: Name
    value: int


class MemberPayload(TypedDict):
    """Somebody of the party between scenes: what ails them, and numbers of theirs."""

    id: Id
    name: Name
    image: ImagePayload | None
    conditions: Annotated[list[Name], Limits(most=50), Default([])]
    numbers: Annotated[list[PartyNumberPayload], Limits(most=20), Default([])]


class EveningPayload(TypedDict):
    """What there is between scenes: the session's number and title, and the party."""

    number: Annotated[Count, Default(0), "The session's."]
    title: Annotated[Name, Default("")]
    open: Annotated[Flag, "The session is under way."]
    party: Annotated[list[MemberPayload], Limits(most=50), Default([])]


class PingPayload(TypedDict):
    """A place on a scene's map that somebody points at, in squares."""

    scene: Id
    x: float
    y: float


class StatePayload(TypedDict):
    version: Annotated[
        int, Limits(0, LARGEST_WHOLE), "Grows with every change that this audience sees, over restarts too."
    ]
    title: str
    audience: Literal["players", "gm"]
    scene: Annotated[ScenePayload | None, Key(True)]
    tokens: list[TokenPayload]
    order: Annotated[OrderPayload | None, Key(True)]
    beside: Annotated[list[AsidePayload], Limits(most=20)]
    asked: Annotated[list[DecisionPayload], Limits(most=50)]
    exhibits: Annotated[list[ExhibitPayload], Limits(most=100)]
    evening: Annotated[EveningPayload | None, Key(True)]
    results: list[ResultPayload]


def scene(body: object) -> ScenePayload:
    """Read a scene. Raises InvalidBody."""
    return read(ScenePayload, body)


def token(body: object, token_id: str) -> TokenPayload:
    """Read a token. Raises InvalidBody."""
    if isinstance(body, dict) and body.setdefault("id", token_id) != token_id:
        raise InvalidBody("id", f"differs from the one in the address, {token_id!r}")
    return read(TokenPayload, body)


def order(body: object) -> OrderPayload:
    """Read a turn order. Raises InvalidBody."""
    return read(OrderPayload, body)


def beside(body: object) -> list[AsidePayload]:
    """Read the scenes beside the main one. Raises InvalidBody."""
    return read(BesidePayload, body)["scenes"]


def asked(body: object) -> list[DecisionPayload]:
    """Read the open decisions. Raises InvalidBody."""
    return read(DecisionsPayload, body)["asked"]


def exhibits(body: object) -> list[ExhibitPayload]:
    """Read the exhibits. Raises InvalidBody."""
    return read(ExhibitsPayload, body)["exhibits"]


def result(body: object) -> ResultPayload:
    """Read a result. Raises InvalidBody."""
    return read(ResultPayload, body)


def evening(body: object) -> EveningPayload:
    """Read an evening. Raises InvalidBody."""
    return read(EveningPayload, body)


def ping(body: object) -> PingPayload:
    """Read a ping. Raises InvalidBody."""
    return read(PingPayload, body)


def parse_json(raw: bytes) -> object:
    """Return the value of a JSON body.

    Raises InvalidBody, also for NaN and Infinity, which aren't JSON.
    """

    def refuse(constant: str) -> object:
        raise InvalidBody("body", f"{constant} is not JSON")

    try:
        return json.loads(raw, parse_constant=refuse)
    except InvalidBody:
        raise
    except (ValueError, RecursionError) as problem:  # a number of 5,000 digits is a ValueError too
        raise InvalidBody("body", f"not JSON ({problem})") from problem


def is_hash(text: str) -> bool:
    """Return whether a text looks like a SHA-256."""
    return re.fullmatch(_HASH, text) is not None


def description() -> bytes:
    """Return OpenAPI 3.1 of the table.

    It has the paths, answers and examples of `openapi.json`, and the schemas of all that the table is sent.
    """
    written = json.loads(Path(__file__).with_name("openapi.json").read_text(encoding="utf-8"))
    schemas = written["components"]["schemas"]
    told: list[type] = [
        ScenePayload, TokenPayload, OrderPayload, BesidePayload, DecisionsPayload, ExhibitsPayload,
        EveningPayload, ResultPayload, PingPayload, StatePayload,
    ]  # fmt: skip
    for name, schema in schemas_of(told).items():
        schemas[name] = schema | schemas.get(name, {})
    return json.dumps(written).encode()
