"""Parts that games of combat share: the fight under way, sheets, points to pay with, durations.

Begin with `Combat`, which a game subclasses; `encounters.begin` sets a fight up, and
`commands.PeopleOf` reads the words of its commands.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from ..kernel.procedure import Sets, World
from ..problems import Refused, listed
from ..tabletop.grid import Grid, Predicate, Square, footprint, format_square, gap, grid_of, parse_square
from ..tabletop.squares_and_lines import ALTERNATE, DIAGONALS_OF_MAP
from ..tabletop.walking_paths import Ways, ways_of
from ..values import Value

if TYPE_CHECKING:
    from ..content.merged_content import Table
    from ..tabletop.data import InScene, SceneHead, ZoneKept

__all__ = ["ENEMIES", "PARTY", "Combat", "Points", "lapse", "sheet_with"]

PARTY, ENEMIES = "party", "enemies"
"""The two sides."""

SceneT = TypeVar("SceneT", bound="SceneHead")
PersonT = TypeVar("PersonT", bound="InScene")


class Combat(Generic[SceneT, PersonT]):
    """The fight under way, read from its table in the state.

    Making one raises Refused if there is no fight. It stores nothing, so it is up to date after every fact. A
    subclass names its `key` (of the table in the state, and of the command) and its `title`:

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
            from ..refusals import NotThere
            from ..tabletop.people import display_name

            raise NotThere(display_name(self.world, combatant), f"There: {listed(self.people)}.")
        return self.people[combatant]

    def present(self, combatant: str) -> PersonT:
        """Return a combatant's table. Raises Refused for a person who isn't in the fight, or is out of it."""
        one = self.person(combatant)
        if "out" in one:
            raise Refused(f"{one['name']} is {one['out']}.", f"Still there: {listed(self.there())}.")
        return one

    def name(self, combatant: str) -> str:
        """Return a combatant's name."""
        return self.people[combatant]["name"]

    def side(self, combatant: str) -> str:
        """Return the side that a combatant is on."""
        return self.people[combatant]["side"]

    def there(self) -> Iterator[str]:
        """Yield every combatant who isn't out of the fight."""
        return (combatant for combatant, one in self.people.items() if "out" not in one)

    def is_up(self, combatant: str) -> bool:
        """Return whether a combatant is still in the fight and not down."""
        one = self.people[combatant]
        return "out" not in one and not one.get("down")

    def enemies(self, combatant: str) -> Iterator[str]:
        """Yield every combatant on another side who isn't out of the fight."""
        return (other for other in self.there() if self.side(other) != self.side(combatant))

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

    def ground(self, does: str, what: object = True) -> frozenset[Square]:
        """Return the squares of the zones in which the key `does` has the value `what`.

        `ground("difficult")` are the squares that zones make difficult.
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
        return grid_of(self.data["map"], self.ground("difficult"), self.ground("blocks"))

    @property
    def ways(self) -> Ways:
        """The ways to walk on the map, with the closed doors on them. People are never in the way."""
        ways: Ways = ways_of(self.data["map"])
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
        if not self.grid.inside(square):
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

    def gap(self, one: str, other: str) -> int:
        """Return the distance between two combatants in squares: 1 is adjacent."""
        alternate = self.data["map"].get(DIAGONALS_OF_MAP) == ALTERNATE
        return gap(self.at(one), self.size(one), self.at(other), self.size(other), alternate)

    def passable(self, combatant: str) -> Predicate:
        """Return a test of whether a combatant may walk through a square.

        The combatant may walk through any square but those of enemies who are up.
        """
        taken = self._taken(other for other in self.enemies(combatant) if self.is_up(other))
        return lambda square: square not in taken

    def standable(self, combatant: str) -> Predicate:
        """Return a test of whether a combatant may stop on a square.

        The combatant may stop on any square that nobody else occupies.
        """
        taken = self._taken(other for other in self.there() if other != combatant)
        return lambda square: square not in taken

    def _taken(self, people: Iterable[str]) -> frozenset[Square]:
        return frozenset(
            square
            for combatant in people
            if "at" in self.people[combatant]
            for square in self.squares(combatant)
        )

    def reachable(self, combatant: str, left: int, odd: bool = False) -> dict[Square, int]:
        """Return every square where a combatant may stop within `left` squares of movement, with its cost.

        In a game where every second diagonal costs 2, `odd` says whether the combatant has moved an odd
        number of diagonals in this turn.
        """
        return self.grid.reachable(
            self.at(combatant),
            left,
            passable=self.passable(combatant),
            standable=self.standable(combatant),
            size=self.size(combatant),
            odd=odd,
        )

    def way(
        self, combatant: str, goal: Square, left: int | None = None, odd: bool = False
    ) -> list[Square] | None:
        """Return a combatant's shortest path to a square, both ends included.

        Return None if there is no path within `left` squares of movement (None: any number), or if somebody
        else occupies the square. `odd` is as in `reachable`.
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

    def path(self, combatant: str, key: str) -> str:
        """Return the path in the state of one value of a combatant."""
        return f"{self.key}.people.{combatant}.{key}"

    def sets(self, combatant: str, **values: object) -> Sets:
        """Return the changes that set these values of a combatant; None removes a key."""
        return {self.path(combatant, key): value for key, value in values.items()}


def sheet_with(world: World, ref: str, key: str, lacks: str, example: str) -> Table:
    """Return the sheet of a character or a creature that has a game's table.

    Args:
        world: The world that has the book.
        ref: The sheet's id.
        key: The key of the game's table.
        lacks: The name of what is missing without the table ("Grit").
        example: An example of the table's content ('str = "d8"').

    Raises:
        Refused: There is no such sheet, or it has no such table.
    """
    kind = "characters" if ref in world.book.characters else "creatures"
    written: Table | None = world.book.table(kind).get(ref)
    if written is None:
        from ..refusals import NobodyCalled

        raise NobodyCalled(repr(ref))
    if key not in written:
        raise Refused(
            f"{written['name']} has no {lacks} on the sheet.",
            f"Write [{kind}.{ref}.{key}] in campaign.toml, with {example}.",
        )
    return written


class Points(Value):
    """Points that people pay with, in a turn, a round or a scene: a number in each person's table.

    `key` is the number's key, and `name` what people call it ("AP"). `spent`, if a rule needs it, is the key
    that counts how many were paid since the number was last full.
    """

    __slots__ = ("key", "name", "spent")

    def __init__(self, key: str, name: str, spent: str = "") -> None:
        self.key = key
        self.name = name
        self.spent = spent

    def must_have(self, one: Mapping[str, object], cost: int, hint: str, left: int | None = None) -> None:
        """Raise Refused if a person can't pay a cost.

        `one` is the person's table. They may use all their points or, if `left` is given, only that many.
        `hint` is the refusal's hint.
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


def lapse(
    held: Iterable[LastingT], moment: str, turn_of: Collection[str]
) -> tuple[list[LastingT], list[LastingT]]:
    """Return the statuses that end at this moment, and those that will end at the next such moment.

    Args:
        held: Statuses: `until` is the moment of their end, `of` the person in whose turn that is; `later`
            marks a status
            that began in this very turn, and so lasts until the next one.
        moment: The present moment, as in `until`.
        turn_of: The people whose turn it is.
    """
    due = [one for one in held if one.get("of") in turn_of and one.get("until") == moment]
    return [one for one in due if not one.get("later")], [one for one in due if one.get("later")]
