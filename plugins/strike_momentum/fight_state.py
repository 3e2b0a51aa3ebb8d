"""The fight under way, read from the state: people, their sides, what they hold, and places (WSH-01)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.plugin import Sets
from strike_cli.plugin.board import Measure, Predicate, Square, parse_square
from strike_cli.plugin.tactics import Combat, Spot

from .sheet_and_formulas import SHIELD, Sheet, sheet_of

if TYPE_CHECKING:
    from .data import MomentumFighter, MomentumState, MomentumWeapon
else:
    MomentumFighter = MomentumState = object

METRES = Measure("m", "m")
"""The unit of length: a square is 1 m wide, and 1 m along the diagonal too (WSH-17)."""
SHARING_SIZE_GAP = 2
"""How many size categories two creatures must be apart to share a space (WSH-17)."""
DEAD, DESTROYED = "dead", "destroyed"


class Battle(Combat[MomentumState, MomentumFighter]):
    """The current fight, read from the state. Creating it raises Refused if there is none."""

    key, title = "momentum", "by Momentum"

    # People

    def sheet(self, person: str) -> Sheet:
        """Return a combatant's sheet."""
        return sheet_of(self.world, self.people[person]["ref"])

    def is_up(self, combatant: str) -> bool:
        """Return whether a combatant is in the fight and can act; False for an object."""
        one = self.people[combatant]
        return "out" not in one and not one.get("down") and not one.get("object")

    def union_members(self, combatant: str) -> list[str]:
        """Return everybody who acts together with a combatant in this round, themselves included (WSH-05)."""
        leader = self.people[combatant].get("union")
        return [
            other
            for other in self.combatants_there()
            if other == combatant or (leader and self.people[other].get("union") == leader)
        ]

    def is_acting(self, combatant: str) -> bool:
        """Return whether it is a combatant's turn, alone or in a union."""
        return bool(self.active) and self.active in self.union_members(combatant)

    def commander_or_self(self, combatant: str) -> str:
        """Return who makes the decisions of a combatant (WSH-07).

        For a summon that was commanded, it is the summoner; for anybody else, the combatant.
        """
        summoner = self.people[combatant].get("summoner")
        return str(summoner) if summoner and self.has_status(combatant, "momentum:commanded") else combatant

    def has_status(self, combatant: str, id: str) -> bool:
        """Return whether a combatant has the Status Effect or stance with this id."""
        return any(status["id"] == id for status in self.people[combatant].get("statuses", ()))

    # Hands

    def has_in_hand(self, combatant: str, thing: str) -> bool:
        """Return whether a combatant has a weapon or the shield in hand."""
        return thing in self.people[combatant].get("holding", ())

    def weapons(self, combatant: str) -> dict[str, MomentumWeapon]:
        """Return all weapons of a combatant by id, in hand or not, including those taken from others."""
        one, own = self.people[combatant], self.sheet(combatant).written_weapons
        found = {id: weapon for id, weapon in own.items() if id not in one.get("lost", ())}
        taken = one.get("others", {})
        others = {id: ref for id, ref in taken.items() if id != SHIELD}
        return found | {
            weapon: sheet_of(self.world, ref).written_weapons[weapon] for weapon, ref in others.items()
        }

    def owned_shield_kind(self, combatant: str) -> str:
        """Return the kind of a combatant's shield, in hand or not; "" if they have none.

        It may be their own, or one taken from somebody else.
        """
        one = self.people[combatant]
        own = "" if SHIELD in one.get("lost", ()) else one["ref"]
        ref = one.get("others", {}).get(SHIELD, own)
        return sheet_of(self.world, ref).table.get("shield", "") if ref else ""

    def held_shield_kind(self, combatant: str) -> str:
        """Return the kind of shield that a combatant has in hand; "" for none (WSH-12)."""
        return self.owned_shield_kind(combatant) if self.has_in_hand(combatant, SHIELD) else ""

    def ids_of_owned_weapons_and_shield(self, combatant: str) -> list[str]:
        """Return the ids of a combatant's weapons, and of the shield if there is one."""
        return [*self.weapons(combatant), *([SHIELD] if self.owned_shield_kind(combatant) else [])]

    def free_hands(self, combatant: str, without: tuple[str, ...] = ()) -> int:
        """Return how many of a combatant's hands are free if the things in `without` are put away.

        Each creature that the combatant grabs takes a hand.
        """
        weapons = self.weapons(combatant)
        held = [thing for thing in self.people[combatant].get("holding", ()) if thing not in without]
        full = sum(
            1 if thing == SHIELD else weapons[thing]["hands"]
            for thing in held
            if thing == SHIELD or thing in weapons
        )
        grabs = sum(
            status["id"] == "momentum:grabbed" and status.get("by") == combatant
            for other in self.combatants_there()
            for status in self.people[other].get("statuses", ())
        )
        return self.sheet(combatant).table["hands"] - full - grabs

    # Places

    @property
    def obscured_squares(self) -> frozenset[Square]:
        """The squares that hide whatever is on them or behind them, such as squares with smoke."""
        return self.squares_of_zones("sight", "obscured")

    @property
    def dark_squares(self) -> frozenset[Square]:
        """The squares without light.

        Nobody on such a square can be seen, but the square doesn't hide what is behind it.
        """
        return self.squares_of_zones("sight", "dark") - self.squares_of_zones("sight", "light")

    def spots_standing_and_leaning(self, target: str) -> list[Spot]:
        """Return the spots at which an attack can aim to hit a target: where it is, and where it leans."""
        lean = self.people[target].get("lean")
        return [self.spot(target), *([Spot(parse_square(lean))] if lean else [])]

    def sees(self, one: str | Spot, other: str | Spot) -> bool:
        """Return whether a straight line of sight leads from `one` to `other` (WSH-18).

        Each of the two is a combatant or a place. Obstacles and obscured squares, such as smoke, block the
        line; darkness doesn't. If `other` is a combatant who leans out of cover, the line may also lead to
        the place where they lean.
        """
        (here, size), veil = self.spot(one), self.obscured_squares
        spots = [other] if isinstance(other, Spot) else self.spots_standing_and_leaning(other)
        return any(self.grid.has_line_of_sight_past(veil, here, there, size, large) for there, large in spots)

    def size_category(self, combatant: str) -> int:
        """Return a combatant's size category (WSH-07, 17, 18).

        If the sheet names none, it is the combatant's size in squares.
        """
        return self.sheet(combatant).table.get("size_category", self.size(combatant))

    def combatants_on(self, squares: tuple[Square, ...], *, except_for: tuple[str, ...] = ()) -> list[str]:
        """Return everybody who is on any of these squares, except those in `except_for`."""
        wanted = set(squares)
        return [
            combatant
            for combatant in self.combatants_there()
            if combatant not in except_for and wanted.intersection(self.squares(combatant))
        ]

    def passable(self, combatant: str, through: str = "") -> Predicate:
        """Return a function that tells whether a combatant may walk through a square.

        The combatant may walk through allies, through the creature `through`, and through their own mount.
        They may also walk through creatures whose size category differs by two or more. Other creatures and
        objects block their squares.
        """

        def may_pass(other: str) -> bool:
            return (
                other == through
                or self._sizes_allow_sharing(combatant, other)
                or self.people[combatant].get("on") == other
                or (self.side(other) == self.side(combatant) and not self.people[other].get("object"))
            )

        own = (combatant, *self.riders(combatant))
        return lambda square: all(map(may_pass, self.combatants_on((square,), except_for=own)))

    def standable(self, combatant: str) -> Predicate:
        """Return a function that returns True for squares on which a combatant may end a move."""
        own, mounted = (combatant, *self.riders(combatant)), self.people[combatant].get("on")

        def may_share(other: str) -> bool:
            return other != mounted and self._sizes_allow_sharing(combatant, other)

        return lambda square: all(map(may_share, self.combatants_on((square,), except_for=own)))

    def _sizes_allow_sharing(self, combatant: str, other: str) -> bool:
        """Return whether a combatant may share the space of `other` (WSH-17).

        They may share it if their sizes differ by enough categories and `other` isn't an object.
        """
        if self.people[other].get("object"):
            return False
        return abs(self.size_category(combatant) - self.size_category(other)) >= SHARING_SIZE_GAP

    def riders(self, combatant: str) -> list[str]:
        """Return everybody who has climbed onto a combatant (WSH-07)."""
        return [other for other in self.combatants_there() if self.people[other].get("on") == combatant]

    # Changes for facts

    def sets(self, combatant: str, **values: object) -> Sets:
        """Return the changes that set a combatant's values.

        A value of 0 or "" is removed from the state, except for numbers that are always stored, such as
        Vitality.
        """
        kept = ("vitality", "momentum", "ap", "rp", "movement", "wp")
        return super().sets(
            combatant, **{key: value if value or key in kept else None for key, value in values.items()}
        )
