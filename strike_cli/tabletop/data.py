"""Types of a scene's tables, of characters' state, and of the book's entries.

Keys of a scene are those that `scene.py` names. Types, with forms: where only annotations name them, they
cost nothing at a start.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, NotRequired, Protocol, TypedDict

from ..kernel.statements import Reason
from ..type_forms import Default, fields_in, form, form_of
from ..validation import (
    NAME,
    Anything,
    Either,
    Field,
    Fields,
    Known,
    ListOf,
    Number,
    OneOf,
    Record,
    TableOf,
    Text,
)
from .contribution_schemas import REACTIONS, BanWritten, NumberWritten, RemapWritten, SourceWritten
from .fog import seen_squares
from .pictures import WANTED, may_be_picture
from .vocabularies import TIMES

_COUNT = Number(0)


def _is_columns(text: str) -> bool:
    try:
        return bool(seen_squares({"1": text}))
    except ValueError:
        return False


SEEN = TableOf(
    Text(_is_columns, "columns of the row, like A-C F"),
    Text(lambda key: key.isascii() and key.isdecimal(), "the number of a row"),
)
"""What the party has seen of a map with fog, row by row."""

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
    acted: NotRequired[Annotated[int, _COUNT]]
    turns: NotRequired[Annotated[int, Number(1)]]
    taken: NotRequired[Annotated[int, _COUNT]]
    delayed: NotRequired[bool]
    held: NotRequired[bool]
    count: NotRequired[Annotated[int, Number(1)]]


class InScene(InOrder):
    """Somebody in a scene. The numbers that its `meters` name, and statuses, are beside these."""

    ref: NotRequired[str]
    side: NotRequired[str]
    size: NotRequired[Annotated[int, Number(1, 6)]]
    down: NotRequired[bool]


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


class PersonKept(InScene):
    """Somebody in a scene, with their statuses."""

    statuses: NotRequired[Annotated[list[StatusHeld], ListOf(Anything())]]


class MeterKept(TypedDict):
    """Which number of people's is shown, and how."""

    name: str
    max: NotRequired[str]
    one: NotRequired[str]
    sign: NotRequired[str]
    vital: NotRequired[bool]


class TrackKept(TypedDict):
    """A row of steps, and the one where things stand."""

    name: str
    steps: Sequence[str]
    at: str


@form(keys={"taken": None})  # derived
class SideKept(TypedDict, total=False):
    """A side, by its id."""

    name: str
    intent: str
    team: Sequence[str]
    numbers: Mapping[str, int]
    traits: Sequence[str]
    lost_traits: Sequence[str]
    cards: Mapping[str, str]
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
    round: Annotated[int, _COUNT]
    active: str
    order: list[str]


class GroundKept(OrderKept, total=False):
    """A scene that may have a map.

    It has zones by their ids, and where there is fog what the party has seen: columns by row.
    """

    map: Annotated[BoardKept, Anything()]
    zones: Annotated[dict[str, ZoneKept], TableOf(Anything())]
    seen: Annotated[dict[str, str], SEEN]


class SceneHead(GroundKept, total=False):
    """A scene without its name, and the people in it."""

    id: str
    goal: str
    meters: Mapping[str, MeterKept]
    track: TrackKept
    borders: Mapping[str, Sequence[str]]
    sides: Mapping[str, SideKept]


class SceneKept(SceneHead, total=False):
    """A scene. Where people are `combatants`, they have the same form."""

    name: str
    ended: str
    people: Mapping[str, PersonKept]
    combatants: Mapping[str, PersonKept]


def scene_form(person: Mapping[str, Field] | None = None, **more: Field) -> Record:
    """Return the form of a scene's table in state.toml that keeps to the common keys.

    `person` are the fields of each person besides the common ones, `more` those of the table. The state's
    `meters` says which of the numbers that `person` names are meters.
    """
    someone = Record(**{**fields_in(PersonKept), **(person or {})})
    own: Fields = {"name": (Text(), ...), "people": (TableOf(someone), ...)}
    return Record(**{**fields_in(SceneHead), **own, **more})


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


class GainedTrick(TypedDict):
    """A Trick that was gained in play, and the Skill that it is tied to."""

    name: str
    skill: NotRequired[str]


@form(keys={"name": NAME})
class NamedTrick(GainedTrick):
    """A Trick, and the Skill that it is tied to."""

    text: NotRequired[str]


class ConditionCourse(TypedDict, total=False):
    """How often somebody has had what a condition needs, or has left it untended."""

    rests: Annotated[int, _COUNT]
    untended: Annotated[int, _COUNT]


class ChargesKept(TypedDict):
    """How many charges somebody has spent, and the rest that brings them back."""

    spent: Annotated[int, Number(1)]
    back: Annotated[str, OneOf(*TIMES)]


class OtherKept(TypedDict, total=False):
    """What ails somebody else than a character, or a whole side."""

    conditions: list[Annotated[str, Known("conditions")]]
    doubts: list[str]  # the Skills that Lost Confidence touches
    course: dict[str, ConditionCourse]


class CharacterKept(OtherKept, total=False):
    """What play has changed of a character. What a game keeps besides is in its own table."""

    ap: Annotated[int, _COUNT]
    skills_learned: list[str]
    flaws: list[FlawKept]
    favors: list[FavorKept]
    banked: list[BankedKept]
    tricks_gained: list[GainedTrick]
    tricks_lost: list[str]
    complications_gained: list[str]
    complications_lost: list[str]
    fallback: str
    fallback_used: Annotated[int, _COUNT]  # the session in which it was
    awesome_given: Annotated[int, _COUNT]  # the session in which the Awesome Point was
    levels: Annotated[int, _COUNT]
    skill_uses: dict[str, Annotated[int, _COUNT]]
    trick_uses: dict[str, Annotated[int, _COUNT]]
    complication_uses: Annotated[int, _COUNT]
    charges: dict[str, ChargesKept]
    last_roll: Mapping[str, object]


# What the book says of people

PICTURE = Text(may_be_picture, WANTED)
_Named = Annotated[str | NamedTrick, Either(str, NAME, form_of(NamedTrick))]


class CharacterWritten(TypedDict):
    """A character's sheet, whatever is played."""

    name: str
    player: Annotated[str, Default("")]
    concept: Annotated[str, Default("")]
    notes: Annotated[str, Default("")]
    image: NotRequired[Annotated[str, PICTURE]]  # for tabletops that show it
    draft: NotRequired[bool]  # imported, and not looked through yet
    skills: Annotated[Sequence[str], Default([])]
    tags: Annotated[Mapping[str, Sequence[str]], Default({})]  # of a Skill, where a guess would be wrong
    connections: Annotated[Sequence[str], Default([])]
    tools: Annotated[Sequence[str], Default([])]
    tricks: Annotated[Sequence[_Named], Default([])]
    complications: Annotated[Sequence[_Named], Default([])]
    relationships: Annotated[Sequence[str], Default([])]
    fallback: NotRequired[str]
    ap: Annotated[int, Number(0, 99), Default(1)]


class CreatureWritten(TypedDict):
    """A creature's sheet, whatever is played; it has Tricks where it is more than a number in a fight."""

    name: str
    summary: Annotated[str, Default("")]
    notes: Annotated[str, Default("")]
    hidden: Annotated[bool, Default(False)]
    image: NotRequired[Annotated[str, PICTURE]]
    draft: NotRequired[bool]
    override: Annotated[bool, Default(False)]
    tricks: NotRequired[Sequence[_Named]]
    complications: NotRequired[Sequence[_Named]]


# What the book says of what people have


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


class Contributions(TypedDict):
    """What somebody's status, trait or Condition does."""

    sources: Annotated[Sequence[SourceWritten], Default([])]
    bans: Annotated[Sequence[BanWritten], Default([])]
    remaps: Annotated[Sequence[RemapWritten], Default([])]
    numbers: NotRequired[Annotated[Sequence[NumberWritten], Default([])]]
    reactions: Annotated[Sequence[ReactionWritten], REACTIONS, Default([])]
    by_hand: NotRequired[str]  # what the game master still plays without help


class EffectWritten(Contributions):
    """What somebody may have: a status, a trait or a Condition."""

    name: str
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
