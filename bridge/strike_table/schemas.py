"""The JSON bodies that the table program receives and sends: types, limits, OpenAPI description.

Each type and limit is declared once. Nothing here depends on HTTP or stores anything.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated, Literal, NotRequired, TypedDict

from .json_bodies import (
    Check,
    Default,
    InvalidBody,
    KeyRequired,
    Limits,
    Refusal,
    check_body_and_drop_unknown,
    component_schemas,
)

__all__ = ["InvalidBody", "Refusal"]

LARGEST_MAP = 400
"""Squares along one side of a map."""
LARGEST_WHOLE = 2**53 - 1
"""The largest integer that JavaScript represents exactly."""
SQUARES = {
    ".": "floor",
    "#": "wall",
    "~": "difficult terrain",
    "+": "closed door",
    "/": "open door",
    " ": "outside",
}
_HASH = "^[0-9a-f]{64}$"


def _map_row_fault(row: object) -> str:
    """Return the fault of a map's row, in words; "" if it has none."""
    for square in str(row):
        if square not in SQUARES:
            known = ", ".join(f"{mark!r} {meaning}" for mark, meaning in SQUARES.items())
            return f"{square!r} is not a map character; known: {known}"
    return ""


def _blank_map_fault(rows: object) -> str:
    """Return the fault of a map's rows as a whole, in words; "" if they have none."""
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
Row = Annotated[str, Limits(most=LARGEST_MAP, pattern="^[.#~+/ ]*$"), Check(_map_row_fault)]
Seen = Annotated[
    str, Limits(most=LARGEST_MAP, pattern="^[. ]*$", words="has other characters than dots and spaces")
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
    """A point on the map, in squares from its top-left corner."""

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
    """An area of squares with a property, such as fire or smoke."""

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
    range: Annotated[float, Limits(0), "Its reach, in squares."]


class ImagePayload(TypedDict):
    """A picture that was uploaded before, named by the SHA-256 of its bytes."""

    hash: Hash


class PlacePayload(TypedDict):
    """A rectangle in squares, measured from the top left corner of the square A1."""

    x: float
    y: float
    width: Length
    height: Length


class MapImagePayload(ImagePayload):
    """A picture that lies under a map. It covers the whole map, or the rectangle `place`."""

    place: NotRequired[PlacePayload]


class TilePayload(TypedDict):
    """A part of a map picture with fog, masked for players.

    Its place is in squares, measured from the top left corner of the square A1.
    """

    id: Annotated[str, Limits(1, 64), "GET /api/v1/tiles/{id}/{35, 70 or 140}"]
    x: float
    y: float
    width: Length
    height: Length


class TrackPayload(TypedDict):
    """A row of steps, of which `at` is the one that is marked."""

    name: Annotated[Name, Default("")]
    steps: Annotated[list[Name], Limits(most=50)]
    at: Annotated[Name, Default(""), "One of the steps."]


class CardPayload(TypedDict):
    """The card that a person has picked."""

    who: Annotated[Word, Default(""), "A token's id. Empty if the side picks as one."]
    what: Annotated[Name | None, "Null: it is face down."]
    hidden: Annotated[Flag, "For players it is face down."]


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
    """A map: its rows, doors, zones and walls."""

    rows: Annotated[
        list[Row],
        Limits(most=LARGEST_MAP),
        Check(_blank_map_fault),
        "The map from the top, one character a square: `.` floor, `#` wall, `~` difficult "
        "terrain, `+` closed door, `/` open door, space outside. Empty for a scene without a map;"
        " otherwise at least one square is not a space.",
    ]
    doors: Annotated[list[DoorPayload], Limits(most=1000), Default([]), "Doors besides those in the rows."]
    zones: Annotated[list[ZonePayload], Limits(most=200), Default([])]
    walls: Annotated[Lines, "Lines of wall besides those in the rows, each from point to point."]
    one_way_walls: Annotated[
        Lines,
        "Lines of wall that stop movement from the left of their direction, and let it through from the "
        "right.",
    ]
    see_through_walls: Annotated[Lines, "Lines of wall that stop steps and not sight: a window, a railing."]
    walk_through_walls: Annotated[Lines, "Lines of wall that stop sight and not steps: a curtain."]
    terrain_walls: Annotated[Lines, "Lines of which only two block sight: the outline of a tree, of a rock."]


class FogPayload(TypedDict):
    seen: Annotated[
        list[Seen],
        Limits(most=LARGEST_MAP),
        "Row by row a dot for each square that the party has seen, a space for each that it has not.",
    ]
    ground: Annotated[
        GroundPayload | None,
        "The players' map; then the scene's own is the game master's. Null if players have the scene's own.",
    ]


class MeasurePayload(TypedDict):
    """The units in which distances are shown."""

    one: Annotated[Word, "The name of a single one of the unit: `foot`."]
    many: Annotated[Word, "The name of several: `feet`."]
    side: Annotated[Length, "The length of a square's side in that unit: 5."]
    diagonals: Annotated[
        Literal["1-1-1", "1-2-1", "zones"],
        "`1-1-1` counts each diagonal as one square, `1-2-1` every second one as two. With `zones` there are "
        "no squares to measure by.",
    ]


class ScenePayload(GroundPayload):
    """A scene as the table shows it, with its map. Without a map, `rows` is empty."""

    id: Id
    name: Name
    goal: Sentence | None
    image: Annotated[MapImagePayload | None, "An uploaded image. It covers the whole map, or its `place`."]
    fog: Annotated[
        FogPayload | None,
        "Whether players see only squares that the party has seen. Sent if `supports` has `fog`. With fog, "
        "players get `tiles` in place of the image.",
    ]
    tiles: NotRequired[
        Annotated[list[TilePayload], Limits(most=10_000), "Made by the table, for players. Not sent to it."]
    ]
    lights: NotRequired[
        Annotated[list[LightPayload], Limits(most=2000), "Not for players. Sent if `supports` has `lights`."]
    ]
    round: Annotated[Count | None, "Used without a turn order."]
    over: Annotated[Flag, "It has ended, and its aftermath is being settled."]
    measure: NotRequired[Annotated[MeasurePayload, "Left out: by squares, a diagonal counting as one."]]
    track: Annotated[
        TrackPayload | None, "A row of steps with a marker on one: the distance between two sides."
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
    """A number that a creature has, such as its HP."""

    id: Id
    name: Annotated[Name, Default("")]
    one: Annotated[Name, Default(""), "The name of a single one, if it is counted: a Strike."]
    sign: Annotated[Sign, Default(""), "A prefix of its numbers other than 0: the d of a die."]
    value: Annotated[int | None, "The players' value. Null: hidden from them."]
    max: Annotated[int | None, "Null: it has no maximum, or it is hidden from them."]
    shown: Annotated[
        HpShown,
        Default("exact"),
        "Its display: the number itself, a bar of which only the share counts, the word in `wounds`, or "
        "none.",
    ]
    wounds: Word | None
    gm: Annotated[
        MeterNumbersPayload | None, "The number itself, for the game master alone, if `value` isn't."
    ]


class TokenPayload(TypedDict):
    """A creature in the scene, on its map or off it."""

    id: Annotated[
        Id, KeyRequired(False), "As in the address, or left out. Tokens that are read back always have it."
    ]
    name: Name
    side: Annotated[
        Word,
        "`party`, `enemies` or `neutral`; to a table with `boardless` also the id of one of the "
        "scene's sides, or any other word.",
    ]
    position: Annotated[SquarePayload | None, "Of the top-left square. Null: not on the map."]
    size: Annotated[int, Limits(1, 20), Default(1), "Squares along one side."]
    hp: Annotated[HitPointsPayload | None, "The players' value. Null: hidden from them."]
    hp_shown: Annotated[
        HpShown,
        Default("exact"),
        "Its display: the number itself, a bar of which only the share counts, the word in `wounds`, or "
        "none.",
    ]
    wounds: Annotated[Word | None, "Their look: `unhurt`, `hurt`, `bloodied` or `down`."]
    gm_hp: Annotated[HitPointsPayload | None, "The number itself, for the game master alone, if `hp` isn't."]
    meters: Annotated[
        list[MeterPayload],
        Limits(most=20),
        Default([]),
        "Every number shown. The first is the one in `hp`; a table that knows `meters` shows these instead.",
    ]
    statuses: Annotated[list[Name], Limits(most=50), Default([])]
    hidden: Annotated[Flag, "Not for players, in any other field either."]
    initiative: float | None
    active: Annotated[Flag, "It is this one's turn. A turn order overrides it."]
    state: Annotated[Upright, Default("up")]
    image: Annotated[
        ImagePayload | None, "An uploaded picture of the creature, as large as its token. Null: initials."
    ]


class EntryPayload(TypedDict):
    """An entry of the turn order."""

    id: Id
    initiative: float | None
    state: Annotated[Word, Default(""), "`waiting`, `acting`, `acted`, `held`, `delayed`. Empty: not told."]
    count: Annotated[int, Limits(1), Default(1), "The number that act as one."]
    hidden: Annotated[Flag, "Not for players."]


class OrderPayload(TypedDict):
    kind: Annotated[
        Word,
        Default("list"),
        "In a `list`, entries act from the top; in a `pool`, any waiting entry may act; in `sides`, the "
        "entries are sides that alternate. Show any other as a pool.",
    ]
    round: Count
    active: Annotated[Word | None, "The one whose turn it is."]
    next: Annotated[
        list[Word], Limits(most=500), Default([]), "The possible next entries: one or two, or all of a pool."
    ]
    entries: Annotated[
        list[EntryPayload],
        Limits(most=500),
        Default([]),
        "In the order in which they act. An entry appears once for each of its turns in a round.",
    ]


class AsidePayload(TypedDict):
    """A scene beside the main scene, with its tokens and its turn order.

    Both scenes are played at the same time.
    """

    scene: ScenePayload
    tokens: Annotated[
        list[TokenPayload],
        Limits(most=500),
        Default([]),
        "Everybody in it, each with an `id`; some may also be on the map.",
    ]
    order: OrderPayload | None


class OptionPayload(TypedDict):
    name: Name
    label: Annotated[Sentence, Default(""), "The consequence of choosing it."]


class DecisionWordsPayload(TypedDict):
    """The words of a decision.

    Players who know only a part of the decision are sent only that part.
    """

    options: Annotated[list[OptionPayload], Limits(most=100), Default([])]
    said: Annotated[list[Paragraph], Limits(most=100), Default([]), "The words and rolls that led to it."]
    dice: Annotated[list[DicePayload], Limits(most=100), Default([]), "The dice that led to it."]


class DecisionPayload(DecisionWordsPayload):
    """An open decision."""

    id: Annotated[str, Limits(1, 200)]
    scene: Annotated[Word | None, "The id of the scene that waits for it. Null: none does."]
    who: Annotated[Name, Default(""), "A token's id, or a word for the decider."]
    name: Annotated[Name, Default(""), "The same for people."]
    what: Annotated[Sentence, "The decision, in words."]
    hidden: Annotated[Flag, "Not for players."]
    gm: Annotated[
        DecisionWordsPayload | None,
        "Options and text in full, for the game master alone, if players know less.",
    ]


class ExhibitPayload(TypedDict):
    """A thing that stays on the table through all scenes."""

    id: Id
    kind: Annotated[
        Id,
        "`scene` (the name of the evening's scene), `day` (of the campaign's calendar), `clock`, "
        "or `handout`.",
    ]
    name: Annotated[str, Limits(1, 200)]
    text: Annotated[Text, Default("")]
    filled: Annotated[int, Limits(0, 100), Default(0), "Segments of a clock that are full,"]
    segments: Annotated[int, Limits(0, 100), Default(0), "of this number; 0 for anything else."]
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
        "The sides of each die, if they differ.",
    ]
    faces: Annotated[list[int], Limits(most=200), Default([])]
    kept: Annotated[int | None, "The face that counted. Null: all of them."]
    mode: Annotated[Mode, Default("plain")]
    modifiers: Annotated[list[ModifierPayload], Limits(most=50), Default([])]
    total: Annotated[int | None, "After modifiers."]


class TurnPayload(TypedDict):
    scene: Annotated[Word, Default("")]
    round: Annotated[Count, Default(0)]
    who: Annotated[Word, Default(""), "The actor's id, or the side. Empty: nobody known to players."]
    name: Annotated[Name, Default("")]
    side: Annotated[Word, Default("")]
    begins: Annotated[Flag, "A turn begins with it."]


class NamedPayload(TypedDict):
    id: Id
    name: Name
    side: Annotated[Word, Default("")]


class HeadPayload(NamedPayload):
    """The headline of a result: the actor, the action, the targets and the outcome."""

    what: Annotated[Name, Default(""), "The subject of the roll."]
    power: Annotated[Name, Default(""), "The power used."]
    at: Annotated[list[NamedPayload], Limits(most=50), Default([])]
    came: Annotated[Word, Default(""), "`hit`, `miss`, or a word of the game's such as `success`."]
    words: Annotated[Name, Default(""), "The same for people, if it says more: Critical hit."]
    tone: Annotated[Word, Default(""), "`good` or `bad`, or nothing."]


class LinePayload(TypedDict):
    text: Paragraph
    style: Annotated[Word, Default(""), "`title`, `strong`, `good`, `bad`, `warn`, `dim`, or nothing."]
    event: Annotated[
        Word,
        Default(""),
        "The sort of event: `critical`, `hit`, `miss`, `fall`, `heal`, `save`; others may come.",
    ]
    tone: Annotated[Word, Default(""), "`good` or `bad` for the affected one, or nothing."]
    headline: Annotated[Name, Default(""), "The same in a few words."]
    deed: Annotated[Flag, "The headline and the dice show everything."]


class BannerPayload(TypedDict):
    """A headline of a few words: "Vex falls"."""

    text: Name
    event: Annotated[Word, Default("")]
    tone: Annotated[Word, Default("")]
    who: Annotated[Word, Default(""), "The affected one's id."]


class EffectPayload(TypedDict):
    """An effect on a token for screens to animate."""

    kind: Annotated[
        Word,
        "`moved` goes along `path`. `hit` and `miss` name the attacker, `hurt` and `mended` the amount, if "
        "players may know. `down`, `out`. `status` is in `words`. `turned` is a card of the side `id`, with "
        "its picker and text. Others may come.",
    ]
    id: Annotated[Id, "The token's."]
    by: Annotated[Word, Default("")]
    path: Annotated[list[SquarePayload], Limits(most=200), Default([])]
    amount: int | None
    words: Annotated[Name, Default("")]


class PlayPayload(TypedDict):
    """The parts of a result that can be drawn."""

    turn: Annotated[TurnPayload | None, "The turn in which it happened."]
    head: Annotated[HeadPayload | None, "The actor, the action, the targets and the outcome."]
    lines: Annotated[list[LinePayload], Limits(most=200), Default([]), "The text once more, line by line."]
    banners: Annotated[
        list[BannerPayload], Limits(most=100), Default([]), "The headlines of the events, in order."
    ]
    outcome: Annotated[Flag, "It is a scene's outcome."]
    effects: Annotated[
        list[EffectPayload], Limits(most=200), Default([]), "Visible things that happen to tokens, in order."
    ]


class ResultPayload(TypedDict):
    id: Id
    seq: Annotated[int, Limits(0, LARGEST_WHOLE)]
    title: Sentence
    text: Annotated[Text, Default(""), "Plain text; line breaks are kept."]
    dice: Annotated[list[DicePayload], Limits(most=100), Default([])]
    at: Annotated[Word | None, "The time, by RFC 3339."]
    undone: Flag
    secret: Annotated[Flag, "Not for players."]
    play: Annotated[PlayPayload | None, "The part that can be drawn."]


class PartyNumberPayload(TypedDict):
    name: Name
    value: int


class MemberPayload(TypedDict):
    """A party member between scenes: statuses, and some numbers."""

    id: Id
    name: Name
    image: ImagePayload | None
    conditions: Annotated[list[Name], Limits(most=50), Default([])]
    numbers: Annotated[list[PartyNumberPayload], Limits(most=20), Default([])]


class EveningPayload(TypedDict):
    """The table between scenes: the session's number and title, and the party."""

    number: Annotated[Count, Default(0), "The session's."]
    title: Annotated[Name, Default("")]
    open: Annotated[Flag, "The session is under way."]
    party: Annotated[list[MemberPayload], Limits(most=50), Default([])]


class PingPayload(TypedDict):
    """A ping: a point on a scene's map to which somebody draws attention.

    `x` and `y` are measured in squares.
    """

    scene: Id
    x: float
    y: float


class StatePayload(TypedDict):
    version: Annotated[
        int, Limits(0, LARGEST_WHOLE), "Grows with every change visible to this audience, even over restarts."
    ]
    title: str
    audience: Literal["players", "gm"]
    scene: Annotated[ScenePayload | None, KeyRequired(True)]
    tokens: list[TokenPayload]
    order: Annotated[OrderPayload | None, KeyRequired(True)]
    beside: Annotated[list[AsidePayload], Limits(most=20)]
    asked: Annotated[list[DecisionPayload], Limits(most=50)]
    exhibits: Annotated[list[ExhibitPayload], Limits(most=100)]
    evening: Annotated[EveningPayload | None, KeyRequired(True)]
    results: list[ResultPayload]


def read_scene(body: object) -> ScenePayload:
    """Return a JSON body as a scene. Raises InvalidBody."""
    return check_body_and_drop_unknown(ScenePayload, body)


def read_token(body: object, token_id: str) -> TokenPayload:
    """Return a JSON body as a token.

    Raises InvalidBody for an invalid body, and for one whose id isn't `token_id`, the id in the address.
    """
    if isinstance(body, dict) and body.setdefault("id", token_id) != token_id:
        raise InvalidBody("id", f"differs from the one in the address, {token_id!r}")
    return check_body_and_drop_unknown(TokenPayload, body)


def read_order(body: object) -> OrderPayload:
    """Return a JSON body as a turn order. Raises InvalidBody."""
    return check_body_and_drop_unknown(OrderPayload, body)


def read_side_scenes(body: object) -> list[AsidePayload]:
    """Return the side scenes in a JSON body. Raises InvalidBody."""
    return check_body_and_drop_unknown(BesidePayload, body)["scenes"]


def read_decisions(body: object) -> list[DecisionPayload]:
    """Return the open decisions in a JSON body. Raises InvalidBody."""
    return check_body_and_drop_unknown(DecisionsPayload, body)["asked"]


def read_exhibits(body: object) -> list[ExhibitPayload]:
    """Return the exhibits in a JSON body. Raises InvalidBody."""
    return check_body_and_drop_unknown(ExhibitsPayload, body)["exhibits"]


def read_result(body: object) -> ResultPayload:
    """Return a JSON body as a result. Raises InvalidBody."""
    return check_body_and_drop_unknown(ResultPayload, body)


def read_evening(body: object) -> EveningPayload:
    """Return a JSON body as an evening, without unknown keys.

    Raises InvalidBody if the body has another form.
    """
    return check_body_and_drop_unknown(EveningPayload, body)


def read_ping(body: object) -> PingPayload:
    """Return a JSON body as a ping. Raises InvalidBody."""
    return check_body_and_drop_unknown(PingPayload, body)


def parse_json(raw: bytes) -> object:
    """Return the value of a JSON body.

    Raises InvalidBody for a body that isn't valid JSON. NaN and Infinity aren't valid.
    """

    def refuse(constant: str) -> object:
        raise InvalidBody("body", f"{constant} is not JSON")

    try:
        return json.loads(raw, parse_constant=refuse)
    except InvalidBody:
        raise
    except (ValueError, RecursionError) as problem:  # a number of 5,000 digits raises ValueError, too
        raise InvalidBody("body", f"not JSON ({problem})") from problem


def is_sha256_hex(text: str) -> bool:
    """Return whether a text has the form of a SHA-256: 64 hexadecimal digits in lower case."""
    return re.fullmatch(_HASH, text) is not None


def openapi_description() -> bytes:
    """Return the OpenAPI 3.1 description of the table, as JSON.

    It has the paths, answers and examples of the file `openapi.json`, and the schemas of everything that the
    table receives.
    """
    written = json.loads(Path(__file__).with_name("openapi.json").read_text(encoding="utf-8"))
    schemas = written["components"]["schemas"]
    told: list[type] = [
        ScenePayload, TokenPayload, OrderPayload, BesidePayload, DecisionsPayload, ExhibitsPayload,
        EveningPayload, ResultPayload, PingPayload, StatePayload,
    ]  # fmt: skip
    for name, schema in component_schemas(told).items():
        schemas[name] = schema | schemas.get(name, {})
    return json.dumps(written).encode()
