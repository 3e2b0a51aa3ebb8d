"""Types of a scene's tables, of characters' state, and of the book's entries.

Keys of a scene are those that `scene.py` names. Types alone: where only annotations name them, they cost
nothing at a start.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NotRequired, Protocol, TypedDict

from ..kernel.statements import Reason

Points = Sequence[Sequence[float]]
"""A line from point to point, in squares: `[[3, 0], [3, 4]]`."""


class DoorKept(TypedDict):
    """A door in the walls between squares: the line that it closes, and whether it is open."""

    at: Points
    open: bool


class PictureKept(TypedDict):
    """The picture below a map: its file, in the campaign's folder, its scale and its offset.

    `pixels` are those of a square, or of a square's width and height; the offset of its corner is in pixels.
    """

    file: str
    pixels: NotRequired[float | Sequence[float]]
    offset: NotRequired[Sequence[float]]


class LightKept(TypedDict):
    """A light: where it is, how far it shines, in squares, its colour AARRGGBB in hexadecimal."""

    at: Sequence[float]
    range: float
    color: str
    intensity: NotRequired[float]
    shadows: NotRequired[bool]


class AmbientKept(TypedDict):
    """The light that is everywhere, and whether the picture shows the lights already."""

    color: NotRequired[str]
    baked: NotRequired[bool]


class BoardKept(TypedDict, total=False):
    """A map: rows of signs, lines of walls by what they stop, doors, lights, the picture below."""

    rows: Sequence[str]
    diagonals: str
    walls: Sequence[Points]
    one_way_walls: Sequence[Points]
    see_through_walls: Sequence[Points]
    walk_through_walls: Sequence[Points]
    terrain_walls: Sequence[Points]
    doors: Sequence[DoorKept]
    lights: Sequence[LightKept]
    ambient: AmbientKept
    image: PictureKept


class ZoneKept(TypedDict):
    """A zone. `hit` is the round in which it last hurt each."""

    name: str
    squares: list[str]
    ends: str
    by: NotRequired[str]
    damage: NotRequired[int]
    difficult: NotRequired[bool]
    sight: NotRequired[str]
    status: NotRequired[str]
    secret: NotRequired[bool]
    blocks: NotRequired[bool]
    cover: NotRequired[bool]
    along: NotRequired[str]
    spread: NotRequired[int]
    who: NotRequired[str]
    later: NotRequired[bool]
    hit: NotRequired[dict[str, int]]


class InOrder(TypedDict):
    """Somebody who has a turn: what they rolled, the last round in which they had one."""

    name: str
    at: NotRequired[str]
    image: NotRequired[str]
    hidden: NotRequired[bool]
    out: NotRequired[str]
    gone_unseen: NotRequired[bool]
    initiative: NotRequired[int]
    initiatives: NotRequired[list[int]]
    acted: NotRequired[int]
    turns: NotRequired[int]
    taken: NotRequired[int]
    delayed: NotRequired[bool]
    held: NotRequired[bool]
    count: NotRequired[int]


class StatusHeld(TypedDict):
    """A status that somebody has: until when, `of` whose turn that is, who gave it, its number."""

    id: str
    ends: str
    until: NotRequired[str]
    of: NotRequired[str]
    by: NotRequired[str]
    later: NotRequired[bool]
    value: NotRequired[int]
    zone: NotRequired[str]


class PersonKept(InOrder):
    """Somebody in a scene. The numbers that its `meters` name are beside these."""

    ref: NotRequired[str]
    side: NotRequired[str]
    size: NotRequired[int]
    down: NotRequired[bool]
    surprised: NotRequired[bool]
    statuses: NotRequired[list[StatusHeld]]


class MeterKept(TypedDict):
    """Which number of people's is shown, and how."""

    name: NotRequired[str]
    max: NotRequired[str]
    one: NotRequired[str]
    sign: NotRequired[str]
    vital: NotRequired[bool]


class TrackKept(TypedDict):
    """A row of steps, and the one where things stand."""

    name: str
    steps: Sequence[str]
    at: str


class SideKept(TypedDict, total=False):
    """A side, by its id."""

    name: str
    intent: str
    team: Sequence[str]
    numbers: Mapping[str, int]
    traits: Sequence[str]
    lost_traits: Sequence[str]
    cards: Mapping[str, str | None]
    secret: bool
    taken: int


class ObjectiveKept(TypedDict, total=False):
    """The objective of a fight besides defeating everybody: squares, people by id, rounds.

    An encounter names rectangles of squares, too, and people by their sheets.
    """

    reach: Sequence[str]
    hold: Sequence[str]
    protect: Sequence[str]
    rounds: int


class OrderKept(TypedDict, total=False):
    """What of a scene says whose turn it is: a `list` that goes round, a `pool`, or `sides`."""

    turns: str
    round: int
    active: str
    order: list[str]


class GroundKept(OrderKept, total=False):
    """A scene that may have a map.

    It has zones by their ids, and where there is fog what the party has seen: columns by row.
    """

    map: BoardKept
    zones: dict[str, ZoneKept]
    seen: dict[str, str]


class SceneKept(GroundKept, total=False):
    """A scene. Where people are `combatants`, they have the same form."""

    id: str
    name: str
    goal: str
    ended: str
    people: Mapping[str, PersonKept]
    combatants: Mapping[str, PersonKept]
    meters: Mapping[str, MeterKept]
    track: TrackKept
    borders: Mapping[str, Sequence[str]]
    sides: Mapping[str, SideKept]


# What play keeps of characters


class FlawKept(TypedDict):
    """A Flaw: on what, and what is wrong with it."""

    id: str
    on: str
    text: NotRequired[str]


class FavorKept(TypedDict):
    """A Favor that is owed, to whom; `associates` are of those."""

    id: str
    to: str
    text: NotRequired[str]
    reputation: NotRequired[bool]
    associates: NotRequired[list[str]]


BankedKept = TypedDict(
    "BankedKept",
    {"id": str, "gives": Literal["advantage", "disadvantage"], "for": str, "why": NotRequired[str]},
)
"""An Advantage or Disadvantage that waits for a roll."""


class NamedTrick(TypedDict):
    """A Trick, and the Skill that it is tied to."""

    name: str
    skill: NotRequired[str]
    text: NotRequired[str]


class ConditionCourse(TypedDict, total=False):
    """How often somebody has had what a condition needs, or has left it untended."""

    rests: int
    untended: int


class ChargesKept(TypedDict):
    """How many charges somebody has spent, and the rest that brings them back."""

    spent: int
    back: str


class OtherKept(TypedDict, total=False):
    """What ails somebody else than a character, or a whole side."""

    conditions: list[str]
    doubts: list[str]
    course: dict[str, ConditionCourse]


class CharacterKept(OtherKept, total=False):
    """What play has changed of a character. What a game keeps besides is in its own table."""

    ap: int
    skills_learned: list[str]
    flaws: list[FlawKept]
    favors: list[FavorKept]
    banked: list[BankedKept]
    tricks_gained: list[NamedTrick]
    tricks_lost: list[str]
    complications_gained: list[str]
    complications_lost: list[str]
    fallback: str
    fallback_used: int
    awesome_given: int
    levels: int
    skill_uses: dict[str, int]
    trick_uses: dict[str, int]
    complication_uses: int
    charges: dict[str, ChargesKept]
    last_roll: Mapping[str, object]


# What the book says of people


class SheetWritten(TypedDict, total=False):
    """What a sheet says of anybody."""

    name: str
    notes: str
    image: str
    draft: bool
    tricks: Sequence[str | NamedTrick]
    complications: Sequence[str | NamedTrick]


class CharacterWritten(SheetWritten, total=False):
    """What a character's sheet says, whatever is played."""

    player: str
    concept: str
    skills: Sequence[str]
    tags: Mapping[str, Sequence[str]]
    connections: Sequence[str]
    tools: Sequence[str]
    relationships: Sequence[str]
    fallback: str
    ap: int


class CreatureWritten(SheetWritten, total=False):
    """What a creature's sheet says, whatever is played."""

    summary: str


# What the book says of what people have


class SourceWritten(TypedDict):
    """What a status, a Condition or a trait gives to rolls."""

    on: str
    gives: int | Literal["advantage", "disadvantage"]
    side: Literal["own", "against"]
    range: Literal["any", "melee", "ranged"]
    tags: Sequence[str]
    round: NotRequired[int]
    when: NotRequired[str]


class BanWritten(TypedDict):
    """What it forbids."""

    action: str
    side: Literal["own", "against"]
    over: NotRequired[int]
    unless: NotRequired[str]


class RemapWritten(TypedDict):
    """What faces of attack dice, or damage, count as by it."""

    stage: Literal["die", "damage"]
    side: Literal["own", "against"]
    half: bool
    faces: NotRequired[Mapping[str, int]]


class NumberWritten(TypedDict):
    """A number of somebody's that it changes."""

    of: str
    gives: NotRequired[int]
    half: NotRequired[Literal["down", "up"]]
    most: NotRequired[int]
    when: NotRequired[str]
    only: NotRequired[Sequence[str]]


class MeasuredWritten(TypedDict, total=False):
    """A number that the fight gives, by what it is measured."""

    of: str
    status: str
    die: int
    dice: int
    times: int
    share: int
    half: Literal["down", "up"]
    plus: int
    least: int
    most: int


class StepNamed(TypedDict):
    """What a step does, in a word."""

    do: str


StepWritten = TypedDict(
    "StepWritten",
    {
        "do": str,
        "to": str,
        "within": NotRequired[int],
        "from": NotRequired[str],
        "if": NotRequired[str],
        "if_status": NotRequired[str],
        "once": NotRequired[str],
        "amount": NotRequired[int | MeasuredWritten],
        "status": NotRequired[str],
        "duration": NotRequired[str],
        "until": NotRequired[str],
        "half": NotRequired[str],
        "way": NotRequired[str],
        "near": NotRequired[int],
        "range": NotRequired[str],
        "whose": NotRequired[str],
        "by": NotRequired[str],
        "this": NotRequired[bool],
        "final": NotRequired[bool],
        "zone": NotRequired[str],
        "creature": NotRequired[str],
        "power": NotRequired[str],
        "hp": NotRequired[int | MeasuredWritten],
        "damage": NotRequired[int | MeasuredWritten],
        "speed": NotRequired[int | MeasuredWritten],
        "said": NotRequired[Reason],
        "handler": NotRequired[str],
        "steps": NotRequired[Sequence["StepWritten"]],
        "otherwise": NotRequired[Sequence["StepWritten"]],
        "options": NotRequired[Sequence["StepOption"]],
        "faces": NotRequired[Mapping[str, Sequence["StepWritten"]]],
    },
)
"""A step of an effect: what any may say, what many do, and steps that stand in it. What one alone reads is in
its class. What strike itself has done in the form of a step is `said` so."""


class StepOption(TypedDict):
    """What somebody may choose to have done."""

    name: str
    steps: Sequence[StepWritten]


class StepLasts(TypedDict):
    """How long what a step brings lasts."""

    duration: str
    until: NotRequired[str]


class GivenStatus(StepLasts):
    """A status as it is given, perhaps with a number."""

    status: str
    amount: NotRequired[int | MeasuredWritten]


class ReactionWritten(TypedDict):
    """What follows by it from a moment: steps, by the keys of each."""

    on: str
    steps: Sequence[StepWritten]
    when: NotRequired[str]
    once: NotRequired[str]
    echoes: NotRequired[bool]


class EffectWritten(TypedDict):
    """What somebody may have: a status, a trait or a Condition."""

    name: str
    sources: Sequence[SourceWritten]
    bans: Sequence[BanWritten]
    remaps: Sequence[RemapWritten]
    reactions: Sequence[ReactionWritten]
    numbers: NotRequired[Sequence[NumberWritten]]
    by_hand: NotRequired[str]
    summary: NotRequired[str]
    flies: NotRequired[bool]
    stacks: NotRequired[str | bool]
    implies: NotRequired[Sequence[str]]
    noun: NotRequired[bool]
    harmful: NotRequired[bool]
    ends_when: NotRequired[Sequence[str]]


class CreatureTraits(TypedDict, total=False):
    """What a creature's sheet says that its traits do; a word alone is for the table."""

    name: str
    hidden: bool
    traits: Sequence[EffectWritten | str]


class ContentOfScenes(Protocol):
    """What of the book people in scenes have and are."""

    statuses: Mapping[str, EffectWritten]
    conditions: Mapping[str, EffectWritten]
    creatures: Mapping[str, CreatureTraits]


# What the book says of encounters


class GroundWritten(TypedDict):
    """What ground is: of a sign of a map, or of a zone; `gm` where players are not shown it."""

    name: str
    wall: NotRequired[bool]
    difficult: NotRequired[bool]
    obscured: NotRequired[bool]
    dark: NotRequired[bool]
    damage: NotRequired[int]
    gm: NotRequired[bool]
    status: NotRequired[str]


class ZoneWritten(GroundWritten):
    """Ground by its squares and rectangles."""

    squares: Sequence[str]


class EncounterWritten(TypedDict):
    """An encounter: its map as it is drawn, people's places, and those who come by count.

    A place is a sign of the map, or squares.
    """

    name: str
    map: str
    goal: str
    side: Mapping[str, str]
    place: Mapping[str, str]
    at: Mapping[str, Sequence[str]]
    counts: Mapping[str, int]
    creatures: Mapping[str, int]
    terrain: Mapping[str, GroundWritten]
    zones: Sequence[ZoneWritten]
    walls: NotRequired[Sequence[Points | Mapping[str, object]]]
    one_way_walls: NotRequired[Sequence[Points]]
    doors: NotRequired[Sequence[DoorKept]]
    lights: NotRequired[Sequence[LightKept]]
    ambient: NotRequired[AmbientKept]
    image: NotRequired[str | PictureKept]
    objective: NotRequired[ObjectiveKept]
    flees_at: NotRequired[int]
    fog: NotRequired[bool]
