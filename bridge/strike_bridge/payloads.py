"""Types of the payloads that targets are sent: scenes, tokens, turn orders, decisions, exhibits, results.

This module holds types only: where only annotations name them, it need not be imported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NotRequired, TypedDict

from strike_cli.kernel.roll_data import ModifierTold, SourceTold
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
    """The source of a picture: a file of the campaign with its digest, or an address.

    A map's picture has `pixels` to a square and the offset of its corner, and, once it was read, its `place`
    on the grid.
    """

    file: str
    url: str
    sha256: str
    media_type: str
    pixels: float | Sequence[float]
    offset: Sequence[float]
    place: Mapping[str, float]


class ShownDoor(TypedDict):
    """A door, as a line that can be open.

    A door that fills a square has its name too where it is drawn as a line.
    """

    at: PointPayload
    to: PointPayload
    open: bool
    square: NotRequired[str]


class ShownLight(TypedDict):
    """A light of a map: its square, reach, colour and strength."""

    at: PointPayload
    range: float
    color: str
    intensity: float
    shadows: bool


class ShownMap(TypedDict):
    """The fixed parts of a map. The rarer kinds of walls are present only where there are any."""

    rows: list[str]
    walls: list[list[PointPayload]]
    one_way_walls: list[list[PointPayload]]
    doors: list[ShownDoor]
    see_through_walls: NotRequired[list[list[PointPayload]]]
    walk_through_walls: NotRequired[list[list[PointPayload]]]
    terrain_walls: NotRequired[list[list[PointPayload]]]
    lights: NotRequired[list[ShownLight]]


class ShownGround(ShownMap):
    """The fixed parts of a map, with its zones."""

    zones: list[ZonePayload]


class ShownFog(TypedDict):
    """The squares that the party has seen, row by row.

    `ground` is the ground as players see it, for an audience that sees everything.
    """

    seen: list[str]
    ground: ShownGround | None


class ShownCard(TypedDict):
    """A card that a side has picked."""

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
    """A meter of a creature, as it may be shown; `gm` is the true number where that differs."""

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
    """The first meter, which most tabletops show as HP."""

    hp: HitPointsPayload | None
    hp_shown: str
    wounds: str | None


class ShownToken(ShownBar):
    """A creature on the map, or beside it. Some targets add the `map`, which their templates use."""

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
    """The turn order. Some targets add `out` (the defeated), `told` (people beside it) and the `map`."""

    kind: str
    round: int
    active: str | None
    next: list[str]
    entries: list[ShownEntry]
    out: NotRequired[list[str]]
    told: NotRequired[Mapping[str, Mapping[str, object]]]
    map: NotRequired[MapSize | None]


class ShownAside(TypedDict):
    """A scene that is played beside the one on the table."""

    scene: ShownScene
    tokens: list[ShownToken]
    order: ShownOrder | None


class DecisionWords(TypedDict):
    """The words of a decision."""

    options: list[OptionPayload]
    said: list[str]
    dice: list[ToldDie]


class ShownDecision(DecisionWords):
    """An open decision.

    `mark` is what the decision is made of; `decision` is the same in sealed form, for answers from the
    target.
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
    """An exhibit, which is on the table whatever is played: a clock, the day or a handout."""

    id: str
    kind: str
    name: str
    text: str
    filled: int
    segments: int
    image: ShownImage | None
    hidden: bool


class ToldDie(TypedDict):
    """A roll, and the reasons for how it counts."""

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


class ToldHead(NamedPayload):
    """The heading of an action: actor, targets, purpose and result."""

    what: str
    power: NotRequired[str]
    at: list[NamedPayload]
    came: str
    words: NotRequired[str]
    tone: NotRequired[str]


class ToldLine(TypedDict):
    """A line of a result, with its style."""

    text: str
    style: str
    event: NotRequired[str]
    tone: NotRequired[str]
    headline: NotRequired[str]
    deed: NotRequired[bool]


class ToldEffect(TypedDict):
    """An effect on a token for screens to animate."""

    kind: str
    id: str
    by: NotRequired[str]
    path: NotRequired[list[SquarePayload]]
    amount: NotRequired[int | None]
    words: NotRequired[str]


class ToldPlay(TypedDict):
    """The drawable parts of a result."""

    turn: TurnPayload | None
    head: ToldHead | None
    lines: list[ToldLine]
    banners: list[BannerPayload]
    outcome: bool
    effects: list[ToldEffect]


class ToldBoard(TypedDict):
    """The map at the end of a round, as players see it."""

    scene: ShownScene
    tokens: list[ShownToken]


class ToldOccasion(TypedDict, total=False):
    """Additional fields that some targets want with results."""

    session: int
    board: ToldBoard


class ToldResult(ToldOccasion):
    """The result of a command. Several results that are posted as one are its `parts`."""

    id: str
    seq: int
    title: str
    text: str
    html: str
    dice: list[ToldDie]
    at: str | None
    undone: bool
    secret: bool
    play: ToldPlay | None
    image: NotRequired[ShownImage]
    parts: NotRequired[list[ToldResult]]


class ReadNumbers(TypedDict, total=False):
    """The paths of a number and its maximum in an answer."""

    value: object
    max: object


class ReadToken(TypedDict, total=False):
    """A token of ours as far as a target shows it."""

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
    """The fields that were taken over from a target."""

    position: SquarePayload | None
    hp: int


class ReviewItem(TypedDict):
    """An item for people to look at."""

    id: str
    seq: int
    summary: str
    why: str
    result: NotRequired[ToldResult]
    event: NotRequired[str]
