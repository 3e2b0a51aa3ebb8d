"""Parts that games of combat share: the fight under way, sheets, points to pay with, durations.

Begin with `Combat`, which a game subclasses; `encounters.set_up_new_fight` sets a fight up, and
`commands.PeopleOfGame` reads the words of its commands.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar, Generic, NamedTuple, TypeVar

from ..deprecated_api_names import OldName, make_module_getattr_for_old_names
from ..immutable_records import Value
from ..kernel.procedure import Sets, World
from ..problems import Refused, listed
from ..tabletop.doors import changes_moving_door
from ..tabletop.grid import (
    Grid,
    Predicate,
    Square,
    distance_between_spaces,
    footprint,
    format_square,
    grid_of,
    parse_square,
)
from ..tabletop.squares_and_lines import ALTERNATE, DIAGONALS_OF_MAP
from ..tabletop.walking_distances import WalkingDistances, ways_of

if TYPE_CHECKING:
    from ..kernel.procedure import Table
    from ..tabletop.data import InScene, SceneHead, ZoneKept

__all__ = [
    "ENEMIES",
    "PARTY",
    "Combat",
    "Points",
    "Spot",
    "numbers_left",
    "sheet_with",
    "statuses_ending_now_and_later",
]

PARTY, ENEMIES = "party", "enemies"
"""The two sides."""

SceneT = TypeVar("SceneT", bound="SceneHead")
PersonT = TypeVar("PersonT", bound="InScene")


class Spot(NamedTuple):
    """A place on the map: its top left square, and how many squares long its sides are."""

    square: Square
    size: int = 1


class Combat(Generic[SceneT, PersonT]):
    """The fight under way, read from its table in the state.

    If there is no fight, the constructor raises Refused. The object stores no values of its own, so it is
    always up to date. A subclass sets `key`, the name of the fight's table and of its command. It also sets
    `title`, which names the kind of fight in messages:

        class DuelFight(Combat[DuelScene, DuelPerson]):
            key, title = "duel", "by wits"
    """

    key: ClassVar[str]
    title: ClassVar[str]

    def __init__(self, world: World) -> None:
        if not world.get(self.key):
            raise Refused(
                f"No fight {self.title} is under way.", f"`strike {self.key} start ENCOUNTER` begins one."
            )
        self.world = world

    @property
    def data(self) -> SceneT:
        """The scene's table in the state."""
        return self.world.state[self.key]  # type: ignore[return-value]  # the form of the game's table

    @property
    def people(self) -> Mapping[str, PersonT]:
        """The tables of everybody in the fight, by id."""
        return self.world.state[self.key]["people"]  # type: ignore[index,no-any-return]  # as in `data`

    @property
    def round(self) -> int:
        """The number of the round."""
        return self.data["round"]

    @property
    def active(self) -> str:
        """The person or side whose turn it is; "" between turns."""
        scene: SceneHead = self.data
        return scene.get("active", "")

    # People

    def person(self, combatant: str) -> PersonT:
        """Return a combatant's table. Raises Refused for a person who isn't in the fight."""
        if combatant not in self.people:
            from ..refusals import NotInScene
            from ..tabletop.characters_and_names import display_name

            raise NotInScene(display_name(self.world, combatant), f"There: {listed(self.people)}.")
        return self.people[combatant]

    def require_present(self, combatant: str) -> PersonT:
        """Return the table of a combatant who is still in the fight.

        Raises Refused for a person who was never in the fight, or is out of it.
        """
        one = self.person(combatant)
        if "out" in one:
            raise Refused(
                f"{one['name']} is {one['out']}.", f"Still there: {listed(self.combatants_there())}."
            )
        return one

    def name(self, combatant: str) -> str:
        """Return a combatant's name."""
        return self.people[combatant]["name"]

    def side(self, combatant: str) -> str:
        """Return the side that a combatant is on."""
        return self.people[combatant]["side"]

    def combatants_there(self) -> Iterator[str]:
        """Yield every combatant who isn't out of the fight."""
        return (combatant for combatant, one in self.people.items() if "out" not in one)

    def is_up(self, combatant: str) -> bool:
        """Return whether a combatant is still in the fight and not down."""
        one = self.people[combatant]
        return "out" not in one and not one.get("down")

    def enemies(self, combatant: str) -> Iterator[str]:
        """Yield every combatant on another side who isn't out of the fight."""
        return (other for other in self.combatants_there() if self.side(other) != self.side(combatant))

    def sides_up(self) -> set[str]:
        """Return the sides that have somebody up."""
        return {self.side(combatant) for combatant in self.people if self.is_up(combatant)}

    def result(self) -> str:
        """Return "won" or "lost" for the party, or "" while both sides have somebody up."""
        up = self.sides_up()
        return "" if up >= {PARTY, ENEMIES} else "won" if PARTY in up else "lost"

    # Places

    @property
    def zones(self) -> Mapping[str, ZoneKept]:
        """The zones of the map, by id."""
        scene: SceneHead = self.data
        return scene.get("zones", {})

    def squares_of_zones(self, does: str, what: object = True) -> frozenset[Square]:
        """Return the squares of the zones in which the key `does` has the value `what`.

        For example, `squares_of_zones("difficult")` are the squares that zones make difficult.
        """
        return frozenset(
            parse_square(at)
            for zone in self.zones.values()
            if zone.get(does) == what
            for at in zone["squares"]
        )

    @property
    def grid(self) -> Grid:
        """The map, with the squares that zones make difficult or wall off."""
        return grid_of(self.data["map"], self.squares_of_zones("difficult"), self.squares_of_zones("blocks"))

    @property
    def ways(self) -> WalkingDistances:
        """The distances that people have to walk on the map.

        Closed doors are taken into account. Other people are not in the way.
        """
        ways: WalkingDistances = ways_of(self.data["map"])
        return ways

    def square(self, text: str) -> Square:
        """Return the square that a text like C7 names, on the map or off it.

        Raises Refused for any other text.
        """
        try:
            return parse_square(text.strip())
        except ValueError as fault:
            raise Refused(f"{fault}.", f"`strike {self.key} show` has the map.") from None

    def square_on_map(self, text: str) -> Square:
        """Return the square of the map that a text names. Raises Refused for any other text or square."""
        square = self.square(text)
        if not self.grid.is_on_map(square):
            from ..refusals import NotOnMap

            raise NotOnMap(format_square(square), f"`strike {self.key} show` has the map.")
        return square

    def at(self, combatant: str) -> Square:
        """Return the square of a combatant on the map; of a large one, the top left square."""
        return parse_square(self.people[combatant]["at"])

    def size(self, combatant: str) -> int:
        """Return a combatant's size: the number of squares along a side."""
        one: InScene = self.people[combatant]
        return one.get("size", 1)

    def squares(self, combatant: str) -> tuple[Square, ...]:
        """Return every square that a combatant on the map occupies."""
        return footprint(self.at(combatant), self.size(combatant))

    def is_on_map(self, combatant: str) -> bool:
        """Return whether a combatant is on a square, not off the map or at a place in words."""
        one: InScene = self.person(combatant)
        try:
            parse_square(one.get("at", ""))
        except ValueError:
            return False
        return True

    def spot(self, one: str | Spot) -> Spot:
        """Return the place of a combatant on the map. A place is returned as it is."""
        return one if isinstance(one, Spot) else Spot(self.at(one), self.size(one))

    def gap(self, one: str | Spot, other: str | Spot) -> int:
        """Return the distance between two combatants or places in squares.

        Adjacent combatants are at distance 1.

        Args:
            one: The first combatant's id, or a place.
            other: The second combatant's id, or a place.

        Returns:
            The distance. On a map with alternating diagonals, every second diagonal counts 2.
        """
        alternate = self.data["map"].get(DIAGONALS_OF_MAP) == ALTERNATE
        return distance_between_spaces(*self.spot(one), *self.spot(other), alternate)

    def sees(self, one: str | Spot, other: str | Spot) -> bool:
        """Return whether a line of sight leads from a combatant or a place to another."""
        (here, size), (there, as_large) = self.spot(one), self.spot(other)
        return self.grid.has_line_of_sight(here, there, size, as_large)

    def combatants_in_area(self, middle: Spot, squares: int) -> Iterator[str]:
        """Yield every combatant who is within some squares of a place, and in line of sight from it.

        Combatants who are at the place itself are included.

        Args:
            middle: The place in the middle of the area. It may be the place of a combatant.
            squares: How far the area reaches from the middle.

        Yields:
            The ids of combatants who are on the map and not out of the fight.
        """
        for other in self.combatants_there():
            if self.is_on_map(other):
                apart = self.gap(middle, other)
                if not apart or (apart <= squares and self.sees(middle, other)):
                    yield other

    def changes_moving_door(self, square: Square, beyond: Square | None, opens: bool) -> dict[str, object]:
        """Return the keys of the scene's `map` that change if a door is opened or closed.

        Args:
            square: The square of the door. For a door in a wall, it is a square beside the wall.
            beyond: The square on the other side of a door in a wall. If it is None, the door is any door at
                `square`, or in a wall beside it.
            opens: Whether the door is to be open.

        Returns:
            The changed keys; {} if the door is already as wanted.

        Raises:
            Refused: There is no such door, or there are several. Or somebody stands in a door that is a
                square.
        """
        here = filter(self.is_on_map, self.combatants_there())
        standing = {part: self.name(combatant) for combatant in here for part in self.squares(combatant)}
        return changes_moving_door(self.data["map"], square, beyond, opens, standing)

    def passable(self, combatant: str) -> Predicate:
        """Return a function that says whether a combatant may walk through a square.

        The combatant may walk through every square except those of enemies who are up.
        """
        taken = self._occupied_squares(other for other in self.enemies(combatant) if self.is_up(other))
        return lambda square: square not in taken

    def standable(self, combatant: str) -> Predicate:
        """Return a function that says whether a combatant may stop on a square.

        The combatant may stop on every square that nobody else occupies.
        """
        taken = self._occupied_squares(other for other in self.combatants_there() if other != combatant)
        return lambda square: square not in taken

    def _occupied_squares(self, people: Iterable[str]) -> frozenset[Square]:
        return frozenset(
            square
            for combatant in people
            if "at" in self.people[combatant]
            for square in self.squares(combatant)
        )

    def reachable(self, combatant: str, left: int, odd: bool = False) -> dict[Square, int]:
        """Return every square where a combatant may stop, with the movement that it costs.

        Args:
            combatant: The combatant's id.
            left: The squares of movement that are left.
            odd: Whether the combatant has moved an odd number of diagonals in this turn. It matters only
                where every second diagonal costs 2.

        Returns:
            Each square within `left`, with its cost in squares.
        """
        return self.grid.reachable(
            self.at(combatant),
            left,
            passable=self.passable(combatant),
            standable=self.standable(combatant),
            size=self.size(combatant),
            odd=odd,
        )

    def shortest_path(
        self, combatant: str, goal: Square, left: int | None = None, odd: bool = False
    ) -> list[Square] | None:
        """Return a combatant's shortest path to a square, both ends included.

        Args:
            combatant: The combatant's id.
            goal: The square to reach.
            left: The squares of movement that are left; None for any number.
            odd: As in `reachable`.

        Returns:
            The squares of the path. None if there is no path within `left`, or if somebody else is on
            `goal`.
        """
        if not all(map(self.standable(combatant), footprint(goal, self.size(combatant)))):
            return None
        return self.grid.shortest_path(
            self.at(combatant),
            goal,
            passable=self.passable(combatant),
            limit=left,
            size=self.size(combatant),
            odd=odd,
        )

    # Changes for facts

    def state_path(self, combatant: str, key: str) -> str:
        """Return the path in the state of one value of a combatant."""
        return f"{self.key}.people.{combatant}.{key}"

    def sets(self, combatant: str, **values: object) -> Sets:
        """Return the changes that set these values of a combatant; None removes a key."""
        return {self.state_path(combatant, key): value for key, value in values.items()}

    there = OldName("combatants_there")
    present = OldName("require_present")
    ground = OldName("squares_of_zones")
    way = OldName("shortest_path")
    path = OldName("state_path")


def sheet_with(world: World, ref: str, key: str, lacks: str, example: str) -> Table:
    """Return the sheet of a character or a creature that has a game's table.

    Args:
        world: The world that has the book.
        ref: The sheet's id.
        key: The key of the game's table.
        lacks: The game's word for the table, such as "Grit"; the refusal says that the sheet has none.
        example: An example of the table's content for the refusal, such as 'str = "d8"'.

    Raises:
        Refused: There is no such sheet, or it has no such table.
    """
    kind = "characters" if ref in world.book.characters else "creatures"
    written: Table | None = world.book.table(kind).get(ref)
    if written is None:
        from ..refusals import UnknownPerson

        raise UnknownPerson(repr(ref))
    if key not in written:
        raise Refused(
            f"{written['name']} has no {lacks} on the sheet.",
            f"Write [{kind}.{ref}.{key}] in campaign.toml, with {example}.",
        )
    return written


def numbers_left(
    one: Mapping[str, object], full: Mapping[str, object], keys: Iterable[str]
) -> dict[str, object]:
    """Return the numbers that a fight leaves a character with, as far as they differ from full ones.

    A game stores them in `characters.ID.KEY` at the end of a fight; a rest removes them.

    Args:
        one: The character's table in the fight.
        full: The numbers by the character's sheet.
        keys: The keys of the numbers that stay after a fight.

    Returns:
        The numbers by their keys, in the order of `keys`.
    """
    return {key: one[key] for key in keys if key in one and one[key] != full.get(key)}


class Points(Value):
    """A kind of points that people in a fight can spend, such as AP.

    The number of points that a person has is in the person's table, at the key `key`. `name` is the name of
    the points for players. If a rule also needs the number of points that were spent since they were last
    full, that number is at the key `spent`.
    """

    key: str
    name: str
    spent: str = ""

    def must_have(self, one: Mapping[str, object], cost: int, hint: str, left: int | None = None) -> None:
        """Raise Refused if a person can't pay a cost.

        Args:
            one: The person's table.
            cost: The cost in points.
            hint: The hint of the refusal.
            left: The most points that the person may use; by default all they have.

        Raises:
            Refused: The cost is higher.
        """
        has: int = one.get(self.key, 0) if left is None else left  # type: ignore[assignment]  # a number
        if has < cost:
            raise Refused(f"That costs {cost} {self.name}, and {one['name']} has {has}.", hint)

    def pay(self, fight: Combat[SceneT, PersonT], combatant: str, cost: int) -> Sets:
        """Return the changes with which a combatant pays a cost; {} for a cost of 0."""
        if not cost:
            return {}
        one: Mapping[str, int] = fight.people[combatant]  # type: ignore[assignment]  # these keys alone
        count = {self.spent: one.get(self.spent, 0) + cost} if self.spent else {}
        return fight.sets(combatant, **{self.key: one[self.key] - cost}, **count)


LastingT = TypeVar("LastingT", bound=Mapping[str, object])


def statuses_ending_now_and_later(
    held: Iterable[LastingT], moment: str, turn_of: Collection[str]
) -> tuple[list[LastingT], list[LastingT]]:
    """Return the statuses that end now, and those that end at the same moment of a later turn.

    Args:
        held: Statuses. `until` is the moment of a turn at which a status ends. `of` is the person whose turn
            is meant. `later` is true if the status began in this very turn; it then lasts until that person's
            next turn.
        moment: The present moment, as in `until`.
        turn_of: The ids of the people whose turn it is.

    Returns:
        Two lists: the statuses that end now, and the statuses that would end now if they weren't marked
        `later`.
    """
    due = [one for one in held if one.get("of") in turn_of and one.get("until") == moment]
    return [one for one in due if not one.get("later")], [one for one in due if one.get("later")]


_NEW_NAMES = {"lapse": "statuses_ending_now_and_later"}
"""The new names of exported objects, by their old names, which go on for a version."""
__getattr__ = make_module_getattr_for_old_names(__name__, _NEW_NAMES)
