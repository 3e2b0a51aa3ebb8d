"""The fight under way, as its table in the state has it: who is there, on which side, and where (WSH-01)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, cast

from strike_cli.plugin import Refused, Sets, World, display_name, listed
from strike_cli.plugin.board import Grid, Measure, Square, footprint, gap, grid_of, parse_square
from strike_cli.plugin.refusals import NotThere

from .sheets import SHIELD, Sheet, sheet_of

if TYPE_CHECKING:
    from strike_cli.plugin.scene_types import ZoneKept

    from .data import MomentumFighter, MomentumState, MomentumWeapon

METRES = Measure("m", "m")
"""A square is 1 m, a diagonal one too (WSH-17)."""
PARTY, ENEMIES = "party", "enemies"
DEAD, DESTROYED = "dead", "destroyed"


def read_square(text: str) -> Square:
    """Read a square as it is written, like C7. Raises Refused."""
    try:
        return parse_square(text)
    except ValueError as error:
        raise Refused(f"{error}.", "`strike momentum map` has the squares.") from None


class Battle:
    """A look at the fight as it is now. Raises Refused where none is under way."""

    def __init__(self, world: World) -> None:
        if not world.get("momentum"):
            raise Refused(
                "No fight by Momentum is under way.", "`strike momentum start ENCOUNTER` begins one."
            )
        self.world = world

    @property
    def data(self) -> MomentumState:
        """The scene's table."""
        return cast("MomentumState", self.world.state["momentum"])

    @property
    def people(self) -> Mapping[str, MomentumFighter]:
        return self.data["people"]

    @property
    def round(self) -> int:
        """The number of the round; 0 before Initiative."""
        return self.data["round"]

    @property
    def active(self) -> str:
        """Whose turn it is, of a union who leads it; empty between turns."""
        return self.data.get("active", "")

    # People

    def person(self, who: str) -> MomentumFighter:
        """Return somebody's table. Raises Refused for a person who isn't there."""
        if who not in self.people:
            raise NotThere(display_name(self.world, who), f"There: {listed(self.people)}.")
        return self.people[who]

    def present(self, who: str) -> MomentumFighter:
        """As `person`, and refuses for the dead and what is destroyed."""
        one = self.person(who)
        if "out" in one:
            raise Refused(f"{one['name']} is {one['out']}.", f"Still there: {listed(self.there())}.")
        return one

    def name(self, who: str) -> str:
        return self.people[who]["name"]

    def sheet(self, who: str) -> Sheet:
        """Return somebody's sheet."""
        return sheet_of(self.world, self.people[who]["ref"])

    def there(self) -> Iterator[str]:
        """Return everybody who is not out of it."""
        return (who for who, one in self.people.items() if "out" not in one)

    def is_up(self, who: str) -> bool:
        """Return whether somebody is there and can do anything."""
        one = self.people[who]
        return "out" not in one and not one.get("down") and not one.get("object")

    def side(self, who: str) -> str:
        return self.people[who]["side"]

    def enemies(self, who: str) -> Iterator[str]:
        """Yield everybody there who is on another side (WSH-01)."""
        return (other for other in self.there() if self.side(other) != self.side(who))

    def union(self, who: str) -> list[str]:
        """Return everybody who acts together with somebody in this round, themselves too (WSH-05)."""
        leader = self.people[who].get("union")
        return [
            other
            for other in self.there()
            if other == who or (leader and self.people[other].get("union") == leader)
        ]

    def is_acting(self, who: str) -> bool:
        """Return whether it is somebody's turn, alone or in a union."""
        return bool(self.active) and self.active in self.union(who)

    def decides(self, who: str) -> str:
        """Return the one who decides for somebody: themselves, or a summon's commander (WSH-07)."""
        summoner = self.people[who].get("summoner")
        return str(summoner) if summoner and self.has_status(who, "momentum:commanded") else who

    def has_status(self, who: str, id: str) -> bool:
        """Return whether somebody has a Status Effect or a stance of this id."""
        return any(status["id"] == id for status in self.people[who].get("statuses", ()))

    # Hands

    def holds(self, who: str, thing: str) -> bool:
        """Return whether somebody has something in hand."""
        return thing in self.people[who].get("holding", ())

    def weapons(self, who: str) -> dict[str, MomentumWeapon]:
        """Return every weapon that somebody has, in hand or not, their own and those taken from others."""
        one, own = self.people[who], self.sheet(who).weapons
        found = {id: weapon for id, weapon in own.items() if id not in one.get("lost", ())}
        taken = one.get("others", {})
        others = {id: ref for id, ref in taken.items() if id != SHIELD}
        return found | {weapon: sheet_of(self.world, ref).weapons[weapon] for weapon, ref in others.items()}

    def shield(self, who: str) -> str:
        """Return the kind of somebody's shield, in hand or not, their own or one taken; "" for none."""
        one = self.people[who]
        own = "" if SHIELD in one.get("lost", ()) else one["ref"]
        ref = one.get("others", {}).get(SHIELD, own)
        return sheet_of(self.world, ref).table.get("shield", "") if ref else ""

    def held_shield(self, who: str) -> str:
        """Return the kind of somebody's shield in hand (WSH-12); "" for none."""
        return self.shield(who) if self.holds(who, SHIELD) else ""

    def things(self, who: str) -> list[str]:
        """Whatever somebody may hold: weapons and a shield."""
        return [*self.weapons(who), *([SHIELD] if self.shield(who) else [])]

    def free_hands(self, who: str, without: tuple[str, ...] = ()) -> int:
        """Hands that hold nothing, and nobody; `without` leaves things out that would be put away."""
        weapons = self.weapons(who)
        held = [thing for thing in self.people[who].get("holding", ()) if thing not in without]
        full = sum(
            1 if thing == SHIELD else weapons[thing]["hands"]
            for thing in held
            if thing == SHIELD or thing in weapons
        )
        grabs = sum(
            status["id"] == "momentum:grabbed" and status.get("by") == who
            for other in self.there()
            for status in self.people[other].get("statuses", ())
        )
        return self.sheet(who).table["hands"] - full - grabs

    # Places

    @property
    def grid(self) -> Grid:
        """The map, with the ground that zones make difficult (WSH-17)."""
        rough = {
            square for zone in self.zones.values() if zone.get("difficult") for square in zone["squares"]
        }
        return grid_of(self.data["map"], frozenset(map(parse_square, rough)))

    @property
    def zones(self) -> Mapping[str, ZoneKept]:
        """Zones of the map."""
        return self.data.get("zones", {})

    @property
    def veil(self) -> frozenset[Square]:
        """Squares that hide what is behind and on them: smoke."""
        return self._zones_of("obscured")

    @property
    def dark(self) -> frozenset[Square]:
        """Squares on which nobody is seen, though one sees past them: those that no light falls on."""
        return self._zones_of("dark") - self._zones_of("light")

    def _zones_of(self, sight: str) -> frozenset[Square]:
        return frozenset(
            parse_square(square)
            for zone in self.zones.values()
            if zone.get("sight") == sight
            for square in zone["squares"]
        )

    def at(self, who: str) -> Square:
        """Return the top left square of somebody."""
        return parse_square(self.people[who]["at"])

    def size(self, who: str) -> int:
        """Return the squares of a side."""
        return self.people[who].get("size", 1)

    def category(self, who: str) -> int:
        """Return somebody's size category (WSH-07, 17, 18)."""
        return self.sheet(who).table.get("size_category", self.size(who))

    def squares(self, who: str) -> tuple[Square, ...]:
        """Return every square that somebody stands on."""
        return footprint(self.at(who), self.size(who))

    def gap(self, one: str, other: str) -> int:
        """Metres between two: 1 is beside each other."""
        return gap(self.at(one), self.size(one), self.at(other), self.size(other))

    def on_squares(self, squares: tuple[Square, ...], *, but: tuple[str, ...] = ()) -> list[str]:
        """Return who stands on any of these squares."""
        wanted = set(squares)
        return [who for who in self.there() if who not in but and wanted.intersection(self.squares(who))]

    def riders(self, who: str) -> list[str]:
        """Return who has climbed onto somebody (WSH-07)."""
        return [other for other in self.there() if self.people[other].get("on") == who]

    # What facts set

    def path(self, who: str, key: str) -> str:
        """Return where something of somebody stands in the state."""
        return f"momentum.people.{who}.{key}"

    def sets(self, who: str, **values: object) -> Sets:
        """Return the changes of somebody's numbers; 0 and nothing are left out of the state if possible."""
        kept = ("vitality", "momentum", "ap", "rp", "movement", "wp")
        return {self.path(who, key): value if value or key in kept else None for key, value in values.items()}
