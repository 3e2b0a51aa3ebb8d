"""Types of the payloads that targets are sent: scenes, tokens, turn orders, results and so on.

A module that names them only in annotations need not import this one when it runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NotRequired, TypedDict

from strike_cli.kernel.roll_types import ModifierTold, SourceTold
from strike_table.schemas import (
    BannerPayload,
    HitPointsPayload,
    MeterNumbersPayload,
    NamedPayload,
    OptionPayload,
    PointPayload,
    SquarePayload,
    TrackPayload,
    TurnPayload,
    ZonePayload,
)


class ShownImage(TypedDict, total=False):
    """The source of a picture: a file of the campaign with its digest, or a web address.

    For a map's picture, `pixels` is the length of a square's side in the picture, and `offset` is where a
    corner of a square lies. Once the picture was read, `place` says where it lies on the grid.
    """

    file: str
    url: str
    sha256: str
    media_type: str
    pixels: float | Sequence[float]
    offset: Sequence[float]
    place: Mapping[str, float]


class ShownDoor(TypedDict):
    """A door that can be open, as a line from `at` to `to`.

    `square` is there only for a door that fills a square, and names that square.
    """

    at: PointPayload
    to: PointPayload
    open: bool
    square: NotRequired[str]


class ShownLight(TypedDict):
    """A light on a map.

    `range` is its reach in squares, an `intensity` of 1 is normal, and `shadows` says whether walls stop it.
    """

    at: PointPayload
    range: float
    color: str
    intensity: float
    shadows: bool


class ShownMap(TypedDict):
    """The fixed parts of a map: squares, walls, doors and lights.

    If a map has nothing of a kind, a key that isn't required is left out.
    """

    rows: list[str]
    walls: list[list[PointPayload]]
    one_way_walls: list[list[PointPayload]]
    doors: list[ShownDoor]
    see_through_walls: NotRequired[list[list[PointPayload]]]
    walk_through_walls: NotRequired[list[list[PointPayload]]]
    terrain_walls: NotRequired[list[list[PointPayload]]]
    lights: NotRequired[list[ShownLight]]


class ShownGround(ShownMap):
    """A map's fixed parts, and its zones."""

    zones: list[ZonePayload]


class ShownFog(TypedDict):
    """The squares of a map that the party has seen, and the map as the players see it.

    `seen` has a text for each row of the map: `.` for a seen square, a blank for any other. `ground` is the
    map as the players see it. It is only given to an audience that sees everything; for other audiences it is
    None.
    """

    seen: list[str]
    ground: ShownGround | None


class ShownCard(TypedDict):
    """The card that somebody on a side has picked; `what` is None while it is face down."""

    who: str
    what: str | None
    hidden: NotRequired[bool]


class ShownSide(TypedDict):
    """A side of a contest, such as a team conflict."""

    id: str
    name: str
    intent: str
    team: list[str]
    numbers: dict[str, int]
    traits: list[str]
    lost_traits: list[str]
    cards: list[ShownCard]
    taken: NotRequired[int]


class ShownScene(ShownGround):
    """A scene; without `rows` it has no map."""

    id: str
    name: str
    goal: str | None
    image: ShownImage | None
    measure: NotRequired[Mapping[str, object]]
    fog: NotRequired[ShownFog | None]
    track: NotRequired[TrackPayload]
    sides: NotRequired[list[ShownSide]]
    round: NotRequired[int | None]
    over: NotRequired[bool]


class ShownMeter(TypedDict):
    """A creature's meter, such as HP, with the numbers that the audience may know.

    If the game master's true numbers are different, they are in `gm`.
    """

    id: str
    name: str
    one: str
    sign: str
    value: int | None
    max: int | None
    shown: str
    wounds: str | None
    gm: MeterNumbersPayload | None


class ShownBar(TypedDict):
    """A creature's first meter, which most tabletops show as HP."""

    hp: HitPointsPayload | None
    hp_shown: str
    wounds: str | None


class ShownToken(ShownBar):
    """A creature in the form in which targets are sent it. It is on the map, or away from it.

    `map` is the size of the map. Only some targets fill it in, for their templates.
    """

    id: str
    name: str
    side: str
    position: SquarePayload | None
    away: bool
    size: int
    meters: list[ShownMeter]
    statuses: list[str]
    status_ids: list[str]
    hidden: bool
    initiative: float | None
    active: bool
    state: str
    image: ShownImage | None
    gm_hp: NotRequired[HitPointsPayload]
    map: NotRequired[MapSize | None]


class MapSize(TypedDict):
    """The size of a map, in squares."""

    width: int
    height: int


class ShownEntry(TypedDict):
    """A creature's entry in the turn order."""

    id: str
    initiative: float | None
    state: str
    count: int
    hidden: NotRequired[bool]


class ShownOrder(TypedDict):
    """The turn order, in the form in which a target gets it.

    The last three fields are only for targets that use them. `out` has the ids of defeated creatures. `told`
    has further fields of creatures, by the creatures' ids. `map` is the size of the map.
    """

    kind: str
    round: int
    active: str | None
    next: list[str]
    entries: list[ShownEntry]
    out: NotRequired[list[str]]
    told: NotRequired[Mapping[str, Mapping[str, object]]]
    map: NotRequired[MapSize | None]


class ShownAside(TypedDict):
    """A scene that is under way at the same time as the main one, with its tokens and turn order."""

    scene: ShownScene
    tokens: list[ShownToken]
    order: ShownOrder | None


class DecisionWords(TypedDict):
    """The texts of a decision: its options, its description, and the dice to roll."""

    options: list[OptionPayload]
    said: list[str]
    dice: list[ShownRoll]


class ShownDecision(DecisionWords):
    """An open decision.

    `mark` identifies the decision. `decision` is the same mark in sealed form. If a player answers at the
    target, the answer has the sealed form, so that the decision can be found.
    """

    id: str
    scene: str | None
    who: str
    name: str
    what: str
    hidden: bool
    gm: DecisionWords | None
    mark: NotRequired[str]
    decision: NotRequired[str]


class ShownExhibit(TypedDict):
    """Something that stays on the table from scene to scene: a clock, the day or a handout."""

    id: str
    kind: str
    name: str
    text: str
    filled: int
    segments: int
    image: ShownImage | None
    hidden: bool


class ShownRoll(TypedDict):
    """A roll of one or several dice, with the person who rolled (`who`).

    `kept` is the face that counts. It is None if all dice count together. `mode` is Advantage, Disadvantage
    or plain, and `sources` are the reasons for it.
    """

    who: str
    purpose: str
    sides: int
    each: NotRequired[list[int]]
    faces: list[int]
    kept: int | None
    mode: str
    modifiers: list[ModifierTold]
    sources: NotRequired[list[SourceTold]]
    total: int | None


class ShownHeading(NamedPayload):
    """The heading of an action: actor, targets, purpose and result."""

    what: str
    power: NotRequired[str]
    at: list[NamedPayload]
    came: str
    words: NotRequired[str]
    tone: NotRequired[str]


class ShownLine(TypedDict):
    """A line of a result, with its style."""

    text: str
    style: str
    event: NotRequired[str]
    tone: NotRequired[str]
    headline: NotRequired[str]
    deed: NotRequired[bool]


class ShownEffect(TypedDict):
    """A visual effect on a token, which a screen can show as an animation."""

    kind: str
    id: str
    by: NotRequired[str]
    path: NotRequired[list[SquarePayload]]
    amount: NotRequired[int | None]
    words: NotRequired[str]


class ShownAnimation(TypedDict):
    """What screens draw and animate for a result."""

    turn: TurnPayload | None
    head: ShownHeading | None
    lines: list[ShownLine]
    banners: list[BannerPayload]
    outcome: bool
    effects: list[ShownEffect]


class ShownBoard(TypedDict):
    """A scene with its tokens at the end of a round, as players see it."""

    scene: ShownScene
    tokens: list[ShownToken]


class ResultExtras(TypedDict, total=False):
    """Fields that some targets want with results: the session's number, and the map."""

    session: int
    board: ShownBoard


class ShownResult(ResultExtras):
    """The result of a command. A message that combines several has them as `parts`."""

    id: str
    seq: int
    title: str
    text: str
    html: str
    dice: list[ShownRoll]
    at: str | None
    undone: bool
    secret: bool
    play: ShownAnimation | None
    image: NotRequired[ShownImage]
    parts: NotRequired[list[ShownResult]]


class ReadNumbers(TypedDict, total=False):
    """A token's HP as read from a target: the value and its maximum."""

    value: object
    max: object


class ReadToken(TypedDict, total=False):
    """One of our tokens as read from a target; fields that the target doesn't show are missing."""

    id: str
    name: object
    side: str
    position: SquarePayload | None
    size: object
    hp: ReadNumbers | None
    statuses: list[str]
    hidden: bool
    initiative: object
    unreadable: Mapping[str, str]
    """Fields that can't be read, each with the reason."""


class PulledFields(TypedDict, total=False):
    """The values of a token that were taken over from a target."""

    position: SquarePayload | None
    hp: int


class ReviewItem(TypedDict):
    """Something that could not be delivered, for people to resend or drop."""

    id: str
    seq: int
    summary: str
    why: str
    result: NotRequired[ShownResult]
    event: NotRequired[str]
