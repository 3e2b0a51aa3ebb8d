"""A scene in one form for every game: people with meters, turn order, board, track or sides.

A program that shows a scene (a screen, the page, a virtual tabletop) needs only this form: it knows no
system. Begin with `Scene` and `read_scene`.

`read_scene` reads the scene's table in the state. It reads these keys, if the table has them:

- `name`, `goal`, `round`.
- `people`, by id. Each has `name`, `side`, `ref` (the sheet's id), `at`, `size`, `image`, `hidden`, `down`,
  `out`, `gone_unseen`, `surprised` (no turn in the first round) and `statuses` ([{id, value}]). Each also has
  the game's own numbers, such as HP.
- `meters`: the numbers of people to show. Each is id -> {name, max, one, sign, vital}, where `max` is the key
  of the greatest value. The first meter is shown as a bar.
- `order`, `active`, and the other keys of `turn_order`.
- `map` and `zones`. A map has `diagonals` if its diagonals count one and two squares in turn.
- `seen`, on a map with fog: the squares that the party has seen (`fog.py`).
- `track`: {name, steps, at}.
- `sides`, by id. Each has `name`, `intent`, `team`, `numbers` (name -> number), `traits`, `lost_traits`,
  `cards` (person -> their pick), `secret` and `taken`. `taken` is the harm to the side: the side with less
  harm is ahead.
- `borders`, in a game that measures by zones: the neighbours of each place.

Open decisions (`asked`) aren't in the scene's table. They are in the state's `pending`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from ..deprecated_api_names import add_old_names
from .characters_and_names import checked_creature_size
from .distance_units import Measure, count_borders_between
from .squares_and_lines import DIAGONALS_COUNT_ONE, DIAGONALS_OF_MAP, Square, footprint, parse_square
from .turn_order import (
    ACTED,
    ACTING,
    DELAYED,
    HELD,
    INITIATIVE,
    WAITING,
    Entry,
    has_acted,
    next_two_or_first_of_next_round,
    order_entries,
    person_of_each_turn,
    turns_left_in_round,
)
from .zones import zone_effects_in_words

if TYPE_CHECKING:
    from ..kernel.journal_types import WaitingDecision
    from .data import (
        BoardKept,
        DoorKept,
        GroundKept,
        LightKept,
        MeterKept,
        OrderKept,
        PersonKept,
        PictureKept,
        SceneKept,
        SideKept,
        TrackKept,
        ZoneKept,
    )
    from .grid import Grid
else:
    # Types that only annotations of NamedTuples name; no start may spend time on them.
    DoorKept = GroundKept = LightKept = MeterKept = OrderKept = PersonKept = PictureKept = SceneKept = Mapping
    SideKept = TrackKept = WaitingDecision = ZoneKept = Mapping


class Meter(NamedTuple):
    """A number of a person that a scene shows, such as HP, Grit or a Reaction Pool.

    - `most` is the number at full strength.
    - `low` is the limit for Bloodied: a person whose number is `low` or less is Bloodied.
    - `one` is the name of a single unit, such as a Strike, if units are counted.
    - `sign` is printed before the number, like the d of a die.
    - `vital` is true if the number can make a person Bloodied, or down at 0.
    """

    id: str
    name: str
    value: int
    most: int | None = None
    low: int | None = None
    one: str = ""
    sign: str = ""
    vital: bool = True

    def __str__(self) -> str:
        """Return the number in short: `4/10`, `3`, `d6/d10`."""
        most = None if self.sign and self.most == self.value else self.most
        return "/".join(f"{self.sign}{n}" if n else "0" for n in (self.value, most) if n is not None)


class Status(NamedTuple):
    """A status of a person: its `id` in the book, and its name. Only the game master sees a `secret` one."""

    id: str
    name: str
    secret: bool = False


class Person(NamedTuple):
    """A person in a scene.

    `state` is "up", "down" or "out". `out` is the reason for being out, if it is known ("left"). `down` is
    the word for being down, if it isn't the usual one. `at` is a square such as C7, or the name of a place. A
    `hidden` person is secret from the other sides; players don't see hidden people outside the party. An
    `unseen` person is in the fog, on squares that the party has never seen, and so is secret from players.
    `gone_unseen` is true if a person who is out was in the fog before.
    """

    id: str
    name: str
    side: str = ""
    ref: str = ""
    at: str | None = None
    size: int = 1
    image: str | None = None
    state: str = "up"
    out: str = ""
    hidden: bool = False
    statuses: tuple[Status, ...] = ()
    meters: tuple[Meter, ...] = ()
    initiative: int | None = None
    down: str = ""
    unseen: bool = False
    gone_unseen: bool = False


class Order(NamedTuple):
    """The turn order of a scene.

    `kind` is "list", "pool" or "sides". In a "list", people act one after the other. In a "pool", anybody who
    hasn't acted may be next. With "sides", the sides act one after the other.

    `active` is the person who has the turn, and `next` are the people who can have the next turn. With
    "sides", both have names of sides instead. `entries` has the people; with "sides", the sides come before
    the people.

    For a "list", `left` has the people who have a turn left in this round after the present turn, and `again`
    has all people with a turn in the next round. For a "pool", `again` has the people who may begin the next
    round.
    """

    kind: str
    round: int
    entries: tuple[Entry, ...] = ()
    active: str | None = None
    next: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    again: tuple[str, ...] = ()


class Zone(NamedTuple):
    """A zone: squares of a map that have an effect.

    `kind` is the most important effect: "wall", "obscured", "dark", "light", "hazard", "difficult", "cover"
    or "". `does` has all effects in words. `by` is the zone's maker, and `along` is the person with whom the
    zone moves. `unseen` is true if all of the zone is in the fog.
    """

    id: str
    name: str
    squares: tuple[str, ...] = ()
    kind: str = ""
    does: tuple[str, ...] = ()
    damage: int = 0
    difficult: bool = False
    secret: bool = False
    by: str = ""
    along: str = ""
    unseen: bool = False


class Board(NamedTuple):
    """A map in squares: rows of signs, walls and doors, a picture, and zones.

    A one-way wall has a direction. Seen along it, the wall stops movement and sight that come from its left.
    `seen` has the squares that the party has seen, or None if there is no fog. `diagonals` is the way to
    count diagonals, "1-1-1" or "1-2-1".
    """

    rows: tuple[str, ...] = ()
    walls: tuple[Sequence[Sequence[float]], ...] = ()
    doors: tuple[DoorKept, ...] = ()
    image: PictureKept | None = None
    zones: tuple[Zone, ...] = ()
    lights: tuple[LightKept, ...] = ()
    seen: "frozenset[Square] | None" = None
    one_way_walls: tuple[Sequence[Sequence[float]], ...] = ()
    see_through_walls: tuple[Sequence[Sequence[float]], ...] = ()
    walk_through_walls: tuple[Sequence[Sequence[float]], ...] = ()
    diagonals: str = DIAGONALS_COUNT_ONE
    terrain_walls: tuple[Sequence[Sequence[float]], ...] = ()

    @property
    def grid(self) -> "Grid":
        """The map as a grid. The squares of a zone of the kind "wall" are blocked."""
        from .grid import grid_of  # callers that don't draw need no geometry

        walls = (square for zone in self.zones if zone.kind == "wall" for square in zone.squares)
        board: BoardKept = {
            "rows": self.rows,
            "walls": self.walls,
            "doors": self.doors,
            "one_way_walls": self.one_way_walls,
            "see_through_walls": self.see_through_walls,
            "walk_through_walls": self.walk_through_walls,
            "terrain_walls": self.terrain_walls,
            DIAGONALS_OF_MAP: self.diagonals,
        }
        return grid_of(board, blocked=frozenset(map(parse_square, walls)))


class Track(NamedTuple):
    """A row of steps, and the step that has been reached (`at`), such as the range in a chase."""

    name: str
    steps: tuple[str, ...]
    at: str


class Card(NamedTuple):
    """A pick that a person made. For a pick of a whole side, `who` is "".

    `what` is None for an audience that may not see the pick yet.
    """

    who: str
    what: str | None


class Side(NamedTuple):
    """A side of a conflict or a chase.

    `team` has the side's people by id, and `numbers` has the side's own numbers by name. With `secret`, the
    side's picks are face down until the dice are rolled. `taken` is the harm to the side, if harm decides the
    contest. The side with less harm is ahead.
    """

    id: str
    name: str
    intent: str = ""
    team: tuple[str, ...] = ()
    numbers: Mapping[str, int] = {}
    traits: tuple[str, ...] = ()
    lost_traits: tuple[str, ...] = ()
    cards: tuple[Card, ...] = ()
    secret: bool = False
    taken: int | None = None


class ShownDice(NamedTuple):
    """Rolled dice: the roller, the purpose, and the faces."""

    who: str
    purpose: str
    sides: int
    faces: tuple[int, ...]

    @property
    def words(self) -> str:
        """The faces of the dice, separated by commas."""
        return ",".join(map(str, self.faces))


class Asked(NamedTuple):
    """An open decision: who decides, the key of the question, and the options.

    Attributes:
        who: The person who decides.
        what: The key of the question.
        labels: The meanings of the options, in words.
        said: The facts that led to the decision.
        dice: The dice that led to the decision.
        text: The question in words, if the key alone isn't clear enough.
        item: The decision as the state stores it. It serves to word the decision for another audience.
    """

    who: str
    what: str
    options: tuple[str, ...]
    labels: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    secret: bool = False
    text: str = ""
    dice: tuple[ShownDice, ...] = ()
    item: WaitingDecision | None = None

    @property
    def question(self) -> str:
        """The question in words."""
        return self.text or self.what


add_old_names(Asked, asks="question")


class Scene(NamedTuple):
    """A scene under way.

    `system` is the system that plays the scene, and `key` is the key of the scene's table in the state. If
    the scene is over, `over` is its outcome; otherwise it is "". `measure` says how distances are measured;
    None means that they aren't. `borders` has the neighbours of each zone.
    """

    system: str
    key: str
    id: str
    name: str
    goal: str = ""
    round: int = 0
    over: str = ""
    people: Mapping[str, Person] = {}
    order: Order | None = None
    board: Board | None = None
    track: Track | None = None
    sides: tuple[Side, ...] = ()
    asked: Asked | None = None
    measure: Measure | None = None
    borders: Mapping[str, Sequence[str]] = {}

    def distance_between(self, person: str, other_person: str) -> int | None:
        """Return the distance between two people; None if the distance isn't known.

        It is a number of squares, or of borders in a game that measures by zones.
        """
        here, there = self.people[person], self.people[other_person]
        if self.measure is None:
            return None
        if not self.measure.by_squares:
            return count_borders_between(here.at, there.at, self.borders)
        squares = _square_or_none(here.at), _square_or_none(there.at)
        if squares[0] is None or squares[1] is None:
            return None
        from .grid import distance_between_spaces  # callers that measure nothing need no geometry

        return distance_between_spaces(
            squares[0], here.size, squares[1], there.size, self.measure.diagonals_alternate
        )


add_old_names(Scene, apart="distance_between")


def read_scene(system: str, key: str, stored: Mapping[str, object]) -> Scene:
    """Return the scene from its table in the state. The module's docstring lists the table's keys."""
    table = cast("SceneKept", stored)
    people = read_people(table.get("people", {}), table.get("meters", {}))
    if int(table.get("round", 0)) < 2:
        people = {
            person: with_surprised_status_if_due(one, table["people"][person])
            for person, one in people.items()
        }
    return Scene(
        system,
        key,
        str(table.get("id", key)),
        str(table.get("name", system.capitalize())),
        str(table.get("goal", "")),
        int(table.get("round", 0)),
        str(table.get("ended", "")),
        people,
        read_order(table, table.get("people", {})),
        read_board(table),
        read_track(table.get("track")),
        tuple(read_side(id, side) for id, side in table.get("sides", {}).items()),
        borders=table.get("borders", {}),
    )


SURPRISED = Status("surprised", "Surprised")
"""The status of somebody who has no turn in the first round."""


def with_surprised_status_if_due(person: Person, stored: PersonKept) -> Person:
    """Return a person, with the status SURPRISED if `stored` marks the person as surprised.

    A person who is out doesn't get the status.
    """
    if not stored.get("surprised") or person.out:
        return person
    return person._replace(statuses=(*person.statuses, SURPRISED))


def scene_table_in(state: Mapping[str, object], key: str) -> SceneKept | None:
    """Return the table of a scene in the state, or None if there is none under this key."""
    return cast("SceneKept | None", state.get(key))


def people_table(table: SceneKept, key: str) -> Mapping[str, PersonKept]:
    """Return everybody in a scene: the table of each person, by id.

    `key` is the key in the scene's table that has the people: "people" or "combatants". Without that key
    nobody is in the scene.
    """
    found: Mapping[str, object] = table
    return cast("Mapping[str, PersonKept]", found.get(key, {}))


def read_people(people: Mapping[str, PersonKept], meters: Mapping[str, MeterKept]) -> dict[str, Person]:
    """Return the people from a table of people, by id. `meters` has the numbers to show."""
    return {person: read_person(person, one, meters) for person, one in people.items()}


_read: dict[int, tuple[PersonKept, Mapping[str, MeterKept], Person]] = {}
_MOST_READ = 512


def read_person(person_id: str, stored: PersonKept, meters: Mapping[str, MeterKept]) -> Person:
    """Return a person from the person's table in a scene.

    `meters` has the numbers to show. The result is cached by the identity of the table.
    """
    # States share unchanged tables, so a follower of a journal reads the same people
    # again and again.
    cached = _read.get(id(stored))
    if cached is not None and cached[0] is stored and cached[1] is meters:
        return cached[2]
    numbers: Mapping[str, object] = stored
    found = [
        Meter(
            key,
            str(meter.get("name", key.capitalize())),
            value,
            most if isinstance(most := numbers.get(meter.get("max", "")), int) else None,
            one=str(meter.get("one", "")),
            sign=str(meter.get("sign", "")),
            vital=bool(meter.get("vital", True)),
        )
        for key, meter in meters.items()
        if isinstance(value := numbers.get(key), int)
    ]
    out = str(stored.get("out", ""))
    person = Person(
        person_id,
        str(stored.get("name") or person_id),
        str(stored.get("side", "")),
        str(stored.get("ref", person_id)),
        stored.get("at"),
        checked_creature_size(stored.get("size", 1)),
        stored.get("image") or None,
        "out" if out else "down" if stored.get("down") else "up",
        out,
        bool(stored.get("hidden")),
        tuple(
            Status(str(status.get("id", "")), status_name_from_id(status))
            for status in stored.get("statuses", ())
        ),
        tuple(found),
        stored.get(INITIATIVE),
        gone_unseen=bool(stored.get("gone_unseen")),
    )
    if len(_read) >= _MOST_READ:
        _read.clear()
    _read[id(stored)] = (stored, meters, person)
    return person


def status_name_from_id(status: Mapping[str, object]) -> str:
    """Return the name of a status: `Knocked down` for `core:knocked-down`, or `Burning 2`."""
    words = str(status.get("id", "")).rpartition(":")[2].replace("-", " ")
    value = f" {status['value']}" if "value" in status else ""
    return words[:1].upper() + words[1:] + value


def word_for_visible_state(meter: Meter) -> str | None:
    """Return a word for the visible state of a meter; None for a meter without a maximum.

    A vital meter, such as HP, is `unhurt`, `hurt`, `bloodied` or `down`. If it has no limit for Bloodied, it
    is `badly hurt` at half or less, and never `bloodied`. Any other meter is `unhurt` or `hurt`.
    """
    if not meter.most:
        return None
    if not meter.vital:
        return "unhurt" if meter.value >= meter.most else "hurt"
    if meter.value <= 0:
        return "down"
    if meter.value >= meter.most:
        return "unhurt"
    if meter.low is None:
        return "badly hurt" if meter.value <= meter.most // 2 else "hurt"
    return "bloodied" if meter.value <= meter.low else "hurt"


def read_order(table: OrderKept, people: Mapping[str, PersonKept], kind: str = "") -> Order | None:
    """Return the turn order of a scene, or None if the scene has none.

    Args:
        table: The scene's table, with its round and its turn order.
        people: The people of the scene.
        kind: The kind of turn order to assume if `table` doesn't name one.
    """
    kind = table.get("turns", kind or ("list" if "order" in table else ""))
    now, active = int(table.get("round", 0)), table.get("active")
    if not kind:
        return None
    if kind == "list":
        left = [person for person in turns_left_in_round(table, people) if person in people]
        if active in left:
            left.remove(active)
        again = [*person_of_each_turn(table, people)]
        next_ = next_two_or_first_of_next_round(left, again, active)
        return Order(kind, now, tuple(order_entries(table, people)), active, next_, tuple(left), tuple(again))
    if kind == "sides":
        sides = dict.fromkeys(str(one.get("side", "")) for one in people.values() if "out" not in one)
        entries = tuple(Entry(side, ACTING if side == active else WAITING) for side in sides)
        entries += _entries_without_turn_list(people, active, now)
        return Order(kind, now, entries, active, tuple(side for side in sides if side != active))
    entries = _entries_without_turn_list(people, active, now)
    return Order(kind, now, entries, active, tuple(one.who for one in entries if one.state == WAITING))


def _entries_without_turn_list(
    people: Mapping[str, PersonKept], active: object, now: int
) -> tuple[Entry, ...]:
    """Return the entries of a turn order that has no list of turns: one for each person who isn't out.

    Each entry says, for example, whether the person is acting, has acted or is waiting in round `now`.
    `active` is the id of the person whose turn it is.
    """
    return tuple(
        Entry(
            person,
            _turn_state_without_list(person, one, active, now),
            one.get(INITIATIVE),
            one.get("count", 1),
        )
        for person, one in people.items()
        if "out" not in one
    )


def _turn_state_without_list(person_id: str, person: PersonKept, active: object, now: int) -> str:
    if person_id == active:
        return ACTING
    if person.get(DELAYED):
        return DELAYED
    if person.get(HELD):
        return HELD
    return ACTED if has_acted(person, now) else WAITING


def read_board(table: GroundKept) -> Board | None:
    """Return the map of a scene, with its zones; None if it has no map."""
    board = table.get("map")
    if not board:
        return None
    return Board(
        tuple(board.get("rows", ())),
        tuple(board.get("walls", ())),
        tuple(board.get("doors", ())),
        board.get("image"),
        tuple(read_zone(id, zone) for id, zone in table.get("zones", {}).items()),
        tuple(board.get("lights", ())),
        _read_seen(table["seen"]) if "seen" in table else None,
        tuple(board.get("one_way_walls", ())),
        tuple(board.get("see_through_walls", ())),
        tuple(board.get("walk_through_walls", ())),
        str(board.get(DIAGONALS_OF_MAP, DIAGONALS_COUNT_ONE)),
        tuple(board.get("terrain_walls", ())),
    )


def _read_seen(rows: Mapping[str, str]) -> "frozenset[Square]":
    from .fog import parse_seen_squares  # few scenes have any

    return parse_seen_squares(rows)


def mark_people_and_zones_in_fog(scene: Scene) -> Scene:
    """Return a scene with marks on the people and zones that are in the fog.

    A scene without fog is returned as it is.
    """
    board = scene.board
    if board is None or board.seen is None:
        return scene
    seen = board.seen
    people = {person: one._replace(unseen=_is_in_fog(seen, one)) for person, one in scene.people.items()}
    zones = tuple(
        zone._replace(unseen=not any(_square_or_none(square) in seen for square in zone.squares))
        for zone in board.zones
    )
    return scene._replace(people=people, board=board._replace(zones=zones))


def _is_in_fog(seen: "frozenset[Square]", person: Person) -> bool:
    """Return whether a person is in the fog: on none of the squares in `seen`.

    For a person without a square, return whether the person was in the fog before leaving the map.
    """
    at = _square_or_none(person.at)
    return person.gone_unseen if at is None else seen.isdisjoint(footprint(at, person.size))


def _square_or_none(text: str | None) -> "Square | None":
    try:
        return parse_square(text) if text else None
    except ValueError:  # a place by words
        return None


def read_zone(id: str, zone: ZoneKept) -> Zone:
    """Return a zone, made from its id and its table in the state."""
    sight, damage, difficult = zone.get("sight", ""), zone.get("damage", 0), bool(zone.get("difficult"))
    kinds = {"wall": zone.get("blocks"), sight: sight, "hazard": damage, "difficult": difficult}
    kinds["cover"] = zone.get("cover")
    return Zone(
        id,
        str(zone.get("name") or id),
        tuple(zone.get("squares", ())),
        next((kind for kind, holds in kinds.items() if holds), ""),
        tuple(zone_effects_in_words(zone)),
        damage,
        difficult,
        bool(zone.get("secret")),
        str(zone.get("by", "")),
        str(zone.get("along", "")),
    )


def read_track(track: TrackKept | None) -> Track | None:
    """Return the track from its table, or None without a table."""
    return Track(str(track["name"]), tuple(track["steps"]), str(track["at"])) if track else None


def read_side(id: str, side: SideKept) -> Side:
    """Return a side of a conflict or chase from its table."""
    return Side(
        id,
        str(side.get("name", id)),
        str(side.get("intent", "")),
        tuple(side.get("team", ())),
        dict(side.get("numbers", {})),
        tuple(side.get("traits", ())),
        tuple(side.get("lost_traits", ())),
        tuple(Card(person, str(what)) for person, what in side.get("cards", {}).items()),
        bool(side.get("secret")),
        side.get("taken"),
    )


def read_people_of_teams(
    teams: Iterable[tuple[str, Iterable[str]]], tables: Mapping[str, Mapping[str, object]]
) -> dict[str, Person]:
    """Return the people of a scene whose teams are lists of ids.

    `teams` has the ids on each side. `tables` has the `name` and `image` of each person.
    """
    found: dict[str, Person] = {}
    for side, team in teams:
        for person in team:
            one = tables.get(person, {})
            name, image = one.get("name") or person.replace("-", " ").capitalize(), one.get("image")
            found[person] = Person(person, str(name), side, person, image=str(image) if image else None)
    return found


SCENE, DAY, CLOCK, HANDOUT = "scene", "day", "clock", "handout"


class TableItem(NamedTuple):
    """An item on the table outside of scenes, such as a text, a clock or a picture.

    Attributes:
        text: The item's text, or clauses as the state stores them. `exhibits_on_the_table` puts clauses
            into words.
        filled: The number of a clock's segments that are filled.
        segments: The number of all segments of a clock; 0 for other items.
        image: A picture: its `file` in the campaign's folder, and the `sha256` of that file's content.
        hidden: Whether only the game master sees the item.
    """

    id: str
    kind: str
    name: str
    text: str | Sequence[Mapping[str, object]] = ""
    filled: int = 0
    segments: int = 0
    image: Mapping[str, object] | None = None
    hidden: bool = False

    def __str__(self) -> str:
        """Return the item as one line: `The flood 2/6`."""
        if self.segments:
            return f"{self.name} {self.filled}/{self.segments}"
        return f"{self.name}, {self.text}" if self.kind == DAY and self.text else self.name
