"""Types with schemas: the tables of scenes, characters in the state, and the book's content.

`scene.py` explains the keys of a scene's table. If a module uses these types only in annotations, it needn't
import `data.py` when it runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, NotRequired, Protocol, TypedDict

from ..deprecated_api_names import accepts_old_arguments
from ..file_faults import Fault, Faults, Place
from ..untrusted_input import is_safe_unsigned_number
from ..validation import (
    NAME,
    Either,
    Field,
    Fields,
    Flag,
    KnownItemId,
    ListOf,
    Names,
    Number,
    OneOf,
    RealNumber,
    Record,
    Reference,
    TableOf,
    Text,
    UncheckedTable,
    VocabularyWord,
)
from ..validation_schemas_from_types import Default, fields_of_typed_dict, form, form_of
from .campaign_pictures import (
    WANTED,
    WANTED_FILE,
    begins_with_https,
    can_name_picture,
    is_argb_color_without_hash,
)
from .fog import parse_seen_squares
from .grid import LEGEND
from .rules_vocabulary import DURATIONS, STANDINGS, TIMES, UNTIL, Sight, ZoneEnd, ZoneWho
from .squares_and_lines import FARTHEST, LARGEST, parse_square
from .status_effect_schemas import (
    REACTIONS,
    UNTIL_FACT,
    BanWritten,
    NumberWritten,
    RemapWritten,
    SourceWritten,
)

_COUNT = Number(0)


def _are_lettered_column_runs(text: str) -> bool:
    try:
        return bool(parse_seen_squares({"1": text}))
    except ValueError:
        return False


SQUARES = ListOf(Text())
"""The form of squares, and of rectangles such as A1:C3."""
SEEN = TableOf(
    Text(_are_lettered_column_runs, "columns of the row, like A-C F"),
    Text(lambda key: key.isascii() and key.isdecimal(), "the number of a row"),
)
"""The form of the squares that the party has seen on a map with fog, row by row."""


def _is_square(text: str) -> bool:
    try:
        parse_square(text)
    except ValueError:
        return False
    return True


SquareName = Annotated[str, Text(_is_square, "a square like C7")]
Points = Annotated[Sequence[Sequence[float]], ListOf(ListOf(RealNumber(-1, 1000), 2, 2), 2)]
"""A line from point to point, in squares from the top left corner of the map: `[[0, 2], [3.5, 2]]`."""
_Color = Annotated[str, Text(is_argb_color_without_hash, "a colour as AARRGGBB, such as ffeccd8b")]
_STRENGTH = RealNumber(0, FARTHEST)
_PIXELS = RealNumber(0.01, 10_000)


class DoorKept(TypedDict):
    """A door in the walls between squares: the line that it closes, and whether it is open."""

    at: Points
    open: bool


@form(keys={"open": (Flag(), False)})
class DoorWritten(DoorKept):
    """A door in an encounter's file; it is closed by default."""


def _check_offset_has_pixels(image: PictureKept, where: Place, faults: Faults) -> None:
    if "offset" in image and "pixels" not in image:
        faults.append(Fault(where, "offset counts pixels; say how many a square has, too: pixels = 70"))


@form(_check_offset_has_pixels)
class PictureKept(TypedDict):
    """The picture under a map: its file in the campaign's folder, and its place under the squares.

    `sha256` is the hash of the file. `pixels` is the side of a square in pixels, or two numbers: a square's
    width and height. Without `pixels`, the picture is stretched over the whole map.

    `offset` is the pixel of the picture that lies at the top left corner of square A1. Its two numbers count
    from the picture's left side and from its top. They are negative if that corner of A1 is outside the
    picture.
    """

    file: str
    sha256: NotRequired[str]
    pixels: NotRequired[Annotated[float | Sequence[float], Either(list, ListOf(_PIXELS, 2, 2), _PIXELS)]]
    offset: NotRequired[Annotated[Sequence[float], ListOf(RealNumber(-20_000, 20_000), 2, 2)]]


class LightKept(TypedDict):
    """A light: its place, its range in squares, and its colour as AARRGGBB in hexadecimal.

    An `intensity` of 1 is normal. `shadows` is true if walls stop the light.
    """

    at: Annotated[Sequence[float], ListOf(RealNumber(-1, 1000), 2, 2)]
    range: Annotated[float, _STRENGTH]
    color: NotRequired[_Color]
    intensity: NotRequired[Annotated[float, _STRENGTH]]
    shadows: NotRequired[bool]


class AmbientKept(TypedDict):
    """The ambient light of a map: its colour.

    `baked` is true if the map's picture already shows the lights.
    """

    color: NotRequired[_Color]
    baked: NotRequired[bool]


_Row = Annotated[
    str, Text(lambda text: all(sign in LEGEND for sign in text), "a row of . # ~ + / and blanks")
]


# `diagonals` are those of games whose rules let a table choose.
@form(keys={"rows": (ListOf(form_of(_Row)), ...), "diagonals": None})
class BoardKept(TypedDict, total=False):
    """A map: its rows of signs, walls of several kinds, doors, lights, and a background picture."""

    rows: Sequence[_Row]
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
    """A zone in a scene: its squares, its effects, the people affected, and its end.

    `hit` has, for each person, the last round in which the zone hurt that person.
    """

    name: str
    squares: list[SquareName]
    by: NotRequired[str]
    damage: NotRequired[Annotated[int, _COUNT]]
    difficult: NotRequired[bool]
    sight: NotRequired[Sight]
    status: NotRequired[Annotated[str, KnownItemId("statuses")]]
    secret: NotRequired[bool]
    blocks: NotRequired[bool]
    cover: NotRequired[bool]
    along: NotRequired[str]
    spread: NotRequired[Annotated[int, _COUNT]]
    who: NotRequired[ZoneWho]
    ends: ZoneEnd
    later: NotRequired[bool]
    hit: NotRequired[dict[str, Annotated[int, _COUNT]]]


class InOrder(TypedDict):
    """A person in a turn order.

    `initiative` is the roll for the person's place in the order. `acted` is the last round in which the
    person had a turn.
    """

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
    """A person in a scene.

    Statuses, and the numbers that the scene's `meters` name, are further keys.
    """

    ref: NotRequired[str]
    side: NotRequired[str]
    size: NotRequired[Annotated[int, Number(1, 6)]]
    down: NotRequired[bool]


class StatusHeld(TypedDict):
    """A status of a person.

    `ends` is the status's duration. `until` is the moment at which the status ends, and `of` the person in
    whose turn that is. `by` is the id of the giver. `value` is the status's number, if it has one.
    """

    id: Annotated[str, KnownItemId("statuses")]
    ends: Annotated[str, VocabularyWord("durations", DURATIONS)]
    until: NotRequired[Annotated[str, VocabularyWord("moments", UNTIL)]]
    of: NotRequired[str]
    by: NotRequired[str]
    later: NotRequired[bool]
    value: NotRequired[Annotated[int, _COUNT]]
    zone: NotRequired[str]


class PersonKept(InScene):
    """Somebody in a scene, with their statuses."""

    statuses: NotRequired[Annotated[list[StatusHeld], ListOf(UncheckedTable())]]


COMBATANT: Mapping[str, object] = {"ref": (Text(), ...), "side": (OneOf("party", "enemies"), ...)}
"""The keys that everybody in a fight has: `@form(keys=COMBATANT)` adds them to a game's type of a person."""


class MeterKept(TypedDict):
    """A number, such as HP, that a scene shows for each person, and its appearance."""

    name: str
    max: NotRequired[str]
    one: NotRequired[str]
    sign: NotRequired[str]
    vital: NotRequired[bool]


class TrackKept(TypedDict):
    """A row of steps, and the step that has been reached (`at`)."""

    name: str
    steps: Sequence[str]
    at: str


@form(keys={"taken": None})  # derived
class SideKept(TypedDict, total=False):
    """A side of a conflict or a chase, as the state stores it."""

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
    """The objective of a fight besides defeating everybody: squares, people to protect, rounds."""

    reach: Sequence[SquareName]  # the way out, which the party has to reach, within `rounds` if there are any
    hold: Sequence[SquareName]  # the party wins if it and no enemy stands there once `rounds` are over
    protect: Sequence[str]  # people of the party's side who must not be Taken Out
    rounds: Annotated[int, Number(1)]  # how many rounds the party has to last, or has time


def _check_objective(objective: ObjectiveWritten, where: Place, faults: Faults) -> None:
    if "hold" in objective and "rounds" not in objective:
        faults.append(Fault(where, "holding a place needs rounds, how many it takes"))
    if {"reach", "hold"} <= objective.keys():
        faults.append(Fault(where, "either reach or hold, not both"))
    if not objective:
        faults.append(Fault(where, "needs reach, hold, protect or rounds"))


@form(_check_objective, keys={"reach": SQUARES, "hold": SQUARES, "rounds": Number(1, 99)})
class ObjectiveWritten(ObjectiveKept, total=False):
    """The objective of an encounter, as a campaign's file has it.

    Unlike an objective in the state, it may name rectangles of squares, and people by their sheets.
    """


class OrderKept(TypedDict, total=False):
    """The turn order of a scene.

    `turns` is the kind of order: a `list` that goes round, a `pool`, or `sides`.
    """

    turns: str
    round: Annotated[int, _COUNT]
    active: str
    order: list[str]


class GroundKept(OrderKept, total=False):
    """The table of a scene that may have a map, with its zones by id.

    `seen` is there if the map has fog. It gives, for each row of the map, the columns that the party has
    seen.
    """

    map: Annotated[BoardKept, UncheckedTable()]
    zones: Annotated[dict[str, ZoneKept], TableOf(UncheckedTable())]
    seen: Annotated[dict[str, str], SEEN]


class SceneHead(GroundKept, total=False):
    """The table of a scene, but without the scene's name and its people."""

    id: str
    goal: str
    meters: Mapping[str, MeterKept]
    track: TrackKept
    borders: Mapping[str, Sequence[str]]
    sides: Mapping[str, SideKept]


class SceneKept(SceneHead, total=False):
    """The table of a scene.

    A game may keep the people under `combatants`; these have the same form as `people`.
    """

    name: str
    ended: str
    people: Mapping[str, PersonKept]
    combatants: Mapping[str, PersonKept]


@accepts_old_arguments(person="person_fields")
def scene_schema(person_fields: Mapping[str, Field] | None = None, **table_fields: Field) -> Record:
    """Return the schema of a scene's table in the state.

    `person_fields` has the fields that a game adds to each person, and `table_fields` has those that it adds
    to the table. The key `meters` of the table itself names the numbers to show.
    """
    someone = Record(**{**fields_of_typed_dict(PersonKept), **(person_fields or {})})
    own: Fields = {"name": (Text(), ...), "people": (TableOf(someone), ...)}
    return Record(**{**fields_of_typed_dict(SceneHead), **own, **table_fields})


# Characters in the state


class FlawKept(TypedDict):
    """A Flaw: its id, the item or the knowledge that has it (`on`), and its description."""

    id: str
    on: str
    text: NotRequired[str]


class FavorKept(TypedDict):
    """A Favor that somebody owes to `to`, or to one of their `associates`."""

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
    """A Trick that was gained in play, and the Skill that it belongs to."""

    name: str
    skill: NotRequired[str]


@form(keys={"name": NAME})
class NamedTrick(GainedTrick):
    """A Trick on a sheet, and the Skill that it belongs to."""

    text: NotRequired[str]


class ConditionCourse(TypedDict, total=False):
    """The progress of a Condition: the rests that count towards its end, and the untended rests.

    After enough untended rests it turns into another Condition.
    """

    rests: Annotated[int, _COUNT]
    untended: Annotated[int, _COUNT]


class ChargesKept(TypedDict):
    """The number of charges that were spent, and the kind of rest (`back`) that restores them."""

    spent: Annotated[int, Number(1)]
    back: Annotated[str, OneOf(*TIMES)]


class OtherKept(TypedDict, total=False):
    """The Conditions of somebody without a sheet, or of a whole side."""

    conditions: list[Annotated[str, KnownItemId("conditions")]]
    doubts: list[str]  # the Skills to which Lost Confidence applies
    course: dict[str, ConditionCourse]


class CharacterKept(OtherKept, total=False):
    """The changes that play has made to a character. Each game adds a table of its own."""

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
    fallback_used: Annotated[int, _COUNT]  # the session in which it was used
    awesome_given: Annotated[int, _COUNT]  # the session in which they gave the Awesome Point
    levels: Annotated[int, _COUNT]
    skill_uses: dict[str, Annotated[int, _COUNT]]
    trick_uses: dict[str, Annotated[int, _COUNT]]
    complication_uses: Annotated[int, _COUNT]
    charges: dict[str, ChargesKept]
    last_roll: Mapping[str, object]


# People in the book

PICTURE = Text(can_name_picture, WANTED)
_Named = Annotated[str | NamedTrick, Either(str, NAME, form_of(NamedTrick))]


class CharacterWritten(TypedDict):
    """A character's sheet: the keys that it has in every game."""

    name: str
    player: Annotated[str, Default("")]
    concept: Annotated[str, Default("")]
    notes: Annotated[str, Default("")]
    image: NotRequired[Annotated[str, PICTURE]]  # for tabletops that show it
    draft: NotRequired[bool]  # whether it was imported and is not checked yet
    skills: Annotated[Sequence[str], Default([])]
    tags: Annotated[Mapping[str, Sequence[str]], Default({})]  # for Skills that strike would guess wrong
    connections: Annotated[Sequence[str], Default([])]
    tools: Annotated[Sequence[str], Default([])]
    tricks: Annotated[Sequence[_Named], Default([])]
    complications: Annotated[Sequence[_Named], Default([])]
    relationships: Annotated[Sequence[str], Default([])]
    fallback: NotRequired[str]
    ap: Annotated[int, Number(0, 99), Default(1)]


class CreatureWritten(TypedDict):
    """A creature's sheet: the keys that it has in every game.

    It has Tricks and Complications if it is more than an opponent in a fight.
    """

    name: str
    summary: Annotated[str, Default("")]
    notes: Annotated[str, Default("")]
    hidden: Annotated[bool, Default(False)]
    image: NotRequired[Annotated[str, PICTURE]]
    draft: NotRequired[bool]
    override: Annotated[bool, Default(False)]
    tricks: NotRequired[Sequence[_Named]]
    complications: NotRequired[Sequence[_Named]]


# Statuses and traits in the book


class StepNamed(TypedDict):
    """A step of an effect with only its kind (`do`). Each game has its own form of steps."""

    do: str


class ReactionWritten(TypedDict):
    """A reaction: the moment (`on`), and the steps to play then."""

    on: str
    when: NotRequired[
        Annotated[
            str,
            OneOf("without-giver", "next-to-giver", *(each for each in STANDINGS if each != "without-giver")),
        ]
    ]
    once: NotRequired[Literal["turn", "round", "scene"]]
    echoes: NotRequired[bool]  # whether it also reacts to what the same status has done
    steps: Sequence[StepNamed]


class Contributions(TypedDict):
    """The effects of a status, a trait or a Condition.

    `sources` are bonuses, penalties, Advantage and Disadvantage on rolls. `bans` are forbidden actions.
    `remaps` are changes to attack dice and damage. `numbers` are changes to a person's numbers, such as
    speed. `reactions` are the steps that follow certain events.
    """

    sources: Annotated[Sequence[SourceWritten], Default([])]
    bans: Annotated[Sequence[BanWritten], Default([])]
    remaps: Annotated[Sequence[RemapWritten], Default([])]
    numbers: NotRequired[Annotated[Sequence[NumberWritten], Default([])]]
    reactions: Annotated[Sequence[ReactionWritten], REACTIONS, Default([])]
    by_hand: NotRequired[str]  # what strike leaves to the game master, in words


class NamedEffect(TypedDict):
    """The name and the summary of a status, a trait or a Condition."""

    name: Annotated[str, NAME]
    summary: NotRequired[Annotated[str, Default("")]]


class _OwnOfStatus(NamedEffect):
    noun: NotRequired[Annotated[bool, Default(False)]]  # whether one has it (Mud in the Eyes), not is it
    implies: NotRequired[Annotated[Sequence[Annotated[str, Reference("statuses")]], Default([])]]
    harmful: NotRequired[Annotated[bool, Default(True)]]
    flies: NotRequired[bool]  # whether one moves with it over others and over difficult ground
    # moments that end it, whatever its duration is
    ends_when: NotRequired[Annotated[Sequence[Annotated[str, UNTIL_FACT]], Default([])]]
    stacks: NotRequired[Annotated[str | bool, OneOf("once", "by-source", "highest"), Default("once")]]
    override: NotRequired[Annotated[bool, Default(False)]]


class EffectWritten(_OwnOfStatus, Contributions):
    """The definition of a status. Traits and Conditions have fewer of these keys."""


class CreatureTraits(TypedDict, total=False):
    """The part of a creature's sheet that has its traits.

    A trait that is only a word has no effect.
    """

    name: str
    hidden: bool
    traits: Sequence[EffectWritten | str]


class ContentOfScenes(Protocol):
    """The parts of the book that people in scenes refer to."""

    statuses: Mapping[str, EffectWritten]
    conditions: Mapping[str, EffectWritten]
    creatures: Mapping[str, CreatureTraits]


# Encounters in the book

_Sign = Annotated[str, Text(lambda key: len(key) == 1, "one character of the map")]
_MAP_FILE = Text(lambda text: can_name_picture(text) and not begins_with_https(text), WANTED_FILE)
SIDE_SQUARES = ("party", "enemies")
"""What a sign of a map can mean besides a person: squares for people of this side."""


class GroundWritten(TypedDict):
    """The ground of a zone, or of a sign on a map. With `gm`, players don't see it."""

    name: Annotated[str, NAME]
    difficult: NotRequired[Annotated[bool, Default(False)]]
    obscured: NotRequired[Annotated[bool, Default(False)]]
    dark: NotRequired[Annotated[bool, Default(False)]]
    damage: NotRequired[Annotated[int, Number(0, 100), Default(0)]]
    gm: NotRequired[Annotated[bool, Default(False)]]
    status: NotRequired[Annotated[str, Reference("statuses")]]  # the status of a creature in it


class HazardWritten(GroundWritten):
    """Named ground in the book. Encounters and zones refer to it by its name."""

    summary: Annotated[str, Default("")]
    override: Annotated[bool, Default(False)]


class _HazardName(Reference):
    def resolve(self, value: object, where: Place, names: Names) -> object:
        id = str(super().resolve(value, where, names))
        if not names.has("hazards", id):
            return {"name": value}
        hazard = names.resolved_item("hazards", id)
        return {key: hazard[key] for key in hazard if key not in ("summary", "override")}


class _Zone(Record):
    """The schema of a zone of an encounter.

    A zone with a `hazard` gets all values from that entry of the book. Its own `name` stays, if it has one.
    """

    def resolve(self, value: object, where: Place, names: Names) -> Mapping[str, object]:
        zone: Mapping[str, object] = super().resolve(value, where, names)
        hazard = zone.get("hazard")
        if not isinstance(hazard, Mapping):
            return zone
        return {**zone, **hazard, **({"name": zone["name"]} if "name" in zone else {})}


def _check_zone_has_name_or_hazard(zone: ZoneWritten, where: Place, faults: Faults) -> None:
    if "name" not in zone and "hazard" not in zone:
        faults.append(Fault(where, "needs a name, or a hazard"))


@form(_check_zone_has_name_or_hazard, of=_Zone, keys={"name": (NAME, None)})
class ZoneWritten(GroundWritten):
    """Ground on the named squares and rectangles of an encounter's map."""

    hazard: NotRequired[Annotated[object, _HazardName("hazards")]]
    squares: Annotated[Sequence[str], SQUARES]


class TerrainWritten(GroundWritten):
    """The meaning of a sign for ground on an encounter's map."""

    wall: NotRequired[Annotated[bool, Default(False)]]


_Terrain = Annotated[TerrainWritten, Either(str, _HazardName("hazards"), form_of(TerrainWritten))]


def _check_wall_stops_something(wall: WallWritten, where: Place, faults: Faults) -> None:
    if wall.get("sight") is False and wall.get("steps") is False:
        faults.append(Fault(where, "stops neither sight nor steps: leave the wall out"))


@form(_check_wall_stops_something)
class WallWritten(TypedDict):
    """A wall that stops only sight or only steps, or stops sight only in part.

    A wall with `sight = false` doesn't stop sight. A wall with `steps = false` can be walked through. With
    `sight = "terrain"`, as for the outline of a tree, sight is stopped only if another such wall is in the
    way, too.
    """

    line: Points
    sight: NotRequired[Annotated[str | bool, Either(str, OneOf("terrain"), Flag())]]
    steps: NotRequired[bool]


_Wall = Annotated[Points | WallWritten, Either(dict, form_of(WallWritten), form_of(Points))]


class _Encounter(Record):
    """The schema of an encounter.

    `place` gives the person for each sign of the map. `at` gives the squares for each person. In `place`, a
    number may follow the person, as in `goblin:4`. This number is stored in `counts`, under the same sign.
    """

    def resolve(self, value: object, where: Place, names: Names) -> Mapping[str, object]:
        encounter: EncounterWritten = super().resolve(value, where, names)  # type: ignore[assignment]  # of this form
        counts: dict[str, int] = {}
        place = {}
        for sign, person in encounter["place"].items():
            name, _, count = person.rpartition(":")
            if name and is_safe_unsigned_number(count) and not names.has("characters", person):
                counts[sign], person = int(count), name
            place[sign] = _resolve_person(person, where / "place" / sign, names)
        creatures = {
            names.full_id("creatures", person, where / "creatures"): count
            for person, count in encounter["creatures"].items()
        }
        at = {
            _resolve_person(person, where / "at" / person, names): squares
            for person, squares in encounter["at"].items()
        }
        found = {**encounter, "place": place, "at": at, "creatures": creatures}
        objective = encounter.get("objective", {})
        if protect := objective.get("protect"):
            people = [_resolve_person(person, where / "objective" / "protect", names) for person in protect]
            found["objective"] = {**objective, "protect": people}
        return {**found, "counts": counts} if counts else found


def _resolve_person(person: str, where: Place, names: Names) -> str:
    known = person in SIDE_SQUARES or names.has("characters", person)
    return person if known else names.full_id("creatures", person, where)


@form(of=_Encounter, keys={"counts": None})
class EncounterWritten(TypedDict):
    """An encounter as campaign.toml has it: the map as drawn, the people, and further creatures.

    A person's square is drawn on the map as a sign, which `place` explains. Without a sign, `at` lists the
    person's squares. `creatures` has the number of each further kind of creature.
    """

    name: str
    goal: Annotated[str, Default("")]
    summary: Annotated[str, Default("")]
    # empty for a scene without squares
    map: Annotated[str, Text(most=(LARGEST + 1) * LARGEST), Default("")]
    place: Annotated[Mapping[_Sign, str], Default({})]
    # the squares of people without a sign: creatures, characters, or "party"
    at: Annotated[Mapping[str, Annotated[Sequence[str], SQUARES]], Default({})]
    counts: Mapping[str, int]
    terrain: Annotated[Mapping[_Sign, _Terrain], Default({})]
    zones: Annotated[Sequence[ZoneWritten], Default([])]
    walls: Annotated[Sequence[_Wall], Default([])]
    one_way_walls: Annotated[Sequence[Points], Default([])]
    doors: Annotated[Sequence[DoorWritten], Default([])]
    lights: Annotated[Sequence[LightKept], Default([])]
    ambient: NotRequired[AmbientKept]
    image: NotRequired[Annotated[str | PictureKept, Either(str, _MAP_FILE, form_of(PictureKept))]]
    side: Annotated[Mapping[str, Literal["party", "enemies"]], Default({})]
    # how many of each come on the squares for "enemies"
    creatures: Annotated[Mapping[str, Annotated[int, Number(1, 99)]], Default({})]
    fog: NotRequired[bool]  # whether players see only what the party has seen; by default as [table] says
    objective: NotRequired[ObjectiveWritten]
    flees_at: NotRequired[Annotated[int, Number(1, 99)]]  # how few enemies must be left for them to flee
