"""The fight under way as the state has it: people, sides, hands and places (WSH-01)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.plugin import Sets
from strike_cli.plugin.board import Measure, Predicate, Square
from strike_cli.plugin.tactics import Combat

from .sheets import SHIELD, Sheet, sheet_of

if TYPE_CHECKING:
    from .data import MomentumFighter, MomentumState, MomentumWeapon
else:
    MomentumFighter = MomentumState = object

METRES = Measure("m", "m")
"""The unit of length: a square is 1 m wide, and 1 m along the diagonal too (WSH-17)."""
SHARES = 2
"""How many size categories two creatures must be apart to share a space (WSH-17)."""
DEAD, DESTROYED = "dead", "destroyed"


class Battle(Combat[MomentumState, MomentumFighter]):
    """The current fight. Raises Refused if there is none."""

    key, title = "momentum", "by Momentum"

    # People

    def sheet(self, person: str) -> Sheet:
        """Return a combatant's sheet."""
        return sheet_of(self.world, self.people[person]["ref"])

    def is_up(self, combatant: str) -> bool:
        """Return whether a combatant is in the fight and can act; objects can't."""
        one = self.people[combatant]
        return "out" not in one and not one.get("down") and not one.get("object")

    def union(self, combatant: str) -> list[str]:
        """Return everybody who acts together with a combatant in this round, themselves included (WSH-05)."""
        leader = self.people[combatant].get("union")
        return [
            other
            for other in self.there()
            if other == combatant or (leader and self.people[other].get("union") == leader)
        ]

    def is_acting(self, combatant: str) -> bool:
        """Return whether it is a combatant's turn, on their own or in a union."""
        return bool(self.active) and self.active in self.union(combatant)

    def decides(self, combatant: str) -> str:
        """Return the decider for a combatant: the combatant, or the commander of a summon (WSH-07)."""
        summoner = self.people[combatant].get("summoner")
        return str(summoner) if summoner and self.has_status(combatant, "momentum:commanded") else combatant

    def has_status(self, combatant: str, id: str) -> bool:
        """Return whether a combatant has the Status Effect or stance with this id."""
        return any(status["id"] == id for status in self.people[combatant].get("statuses", ()))

    # Hands

    def holds(self, combatant: str, thing: str) -> bool:
        """Return whether a combatant has a thing in hand."""
        return thing in self.people[combatant].get("holding", ())

    def weapons(self, combatant: str) -> dict[str, MomentumWeapon]:
        """Return all weapons that a combatant has, in hand or not, with those taken from others."""
        one, own = self.people[combatant], self.sheet(combatant).weapons
        found = {id: weapon for id, weapon in own.items() if id not in one.get("lost", ())}
        taken = one.get("others", {})
        others = {id: ref for id, ref in taken.items() if id != SHIELD}
        return found | {weapon: sheet_of(self.world, ref).weapons[weapon] for weapon, ref in others.items()}

    def shield(self, combatant: str) -> str:
        """Return the kind of shield that a combatant has, in hand or not, their own or a taken one; or ""."""
        one = self.people[combatant]
        own = "" if SHIELD in one.get("lost", ()) else one["ref"]
        ref = one.get("others", {}).get(SHIELD, own)
        return sheet_of(self.world, ref).table.get("shield", "") if ref else ""

    def held_shield(self, combatant: str) -> str:
        """Return the kind of shield that a combatant has in hand, or "" (WSH-12)."""
        return self.shield(combatant) if self.holds(combatant, SHIELD) else ""

    def things(self, combatant: str) -> list[str]:
        """Return what a combatant has that hands can hold: weapons and a shield."""
        return [*self.weapons(combatant), *([SHIELD] if self.shield(combatant) else [])]

    def free_hands(self, combatant: str, without: tuple[str, ...] = ()) -> int:
        """Return how many hands of a combatant are free, if the things in `without` were put away."""
        weapons = self.weapons(combatant)
        held = [thing for thing in self.people[combatant].get("holding", ()) if thing not in without]
        full = sum(
            1 if thing == SHIELD else weapons[thing]["hands"]
            for thing in held
            if thing == SHIELD or thing in weapons
        )
        grabs = sum(
            status["id"] == "momentum:grabbed" and status.get("by") == combatant
            for other in self.there()
            for status in self.people[other].get("statuses", ())
        )
        return self.sheet(combatant).table["hands"] - full - grabs

    # Places

    @property
    def veil(self) -> frozenset[Square]:
        """The squares that hide what is on them and behind them, such as smoke."""
        return self.ground("sight", "obscured")

    @property
    def dark(self) -> frozenset[Square]:
        """The squares without light: nobody on them is seen, but one can see past them."""
        return self.ground("sight", "dark") - self.ground("sight", "light")

    def category(self, combatant: str) -> int:
        """Return the size category of a combatant (WSH-07, 17, 18)."""
        return self.sheet(combatant).table.get("size_category", self.size(combatant))

    def on_squares(self, squares: tuple[Square, ...], *, but: tuple[str, ...] = ()) -> list[str]:
        """Return everybody who is on any of these squares, except those in `but`."""
        wanted = set(squares)
        return [
            combatant
            for combatant in self.there()
            if combatant not in but and wanted.intersection(self.squares(combatant))
        ]

    def passable(self, combatant: str, through: str = "") -> Predicate:
        """Return a function that tells whether a combatant may walk through a square.

        One may walk through the spaces of allies. One may not walk through those of enemies, except
        `through`, or if the sizes are far enough apart.
        """

        def may_pass(other: str) -> bool:
            return (
                other == through
                or self._may_share(combatant, other)
                or self.people[combatant].get("on") == other
                or (self.side(other) == self.side(combatant) and not self.people[other].get("object"))
            )

        own = (combatant, *self.riders(combatant))
        return lambda square: all(map(may_pass, self.on_squares((square,), but=own)))

    def standable(self, combatant: str) -> Predicate:
        """Return a function that tells whether a combatant may stop on a square."""
        own, mounted = (combatant, *self.riders(combatant)), self.people[combatant].get("on")

        def may_share(other: str) -> bool:
            return other != mounted and self._may_share(combatant, other)

        return lambda square: all(map(may_share, self.on_squares((square,), but=own)))

    def _may_share(self, combatant: str, other: str) -> bool:
        return abs(self.category(combatant) - self.category(other)) >= SHARES

    def riders(self, combatant: str) -> list[str]:
        """Return everybody who has climbed onto a combatant (WSH-07)."""
        return [other for other in self.there() if self.people[other].get("on") == combatant]

    # Changes for facts

    def sets(self, combatant: str, **values: object) -> Sets:
        """Return the changes that set a combatant's values.

        Most values are not stored while they are 0 or "".
        """
        kept = ("vitality", "momentum", "ap", "rp", "movement", "wp")
        return super().sets(
            combatant, **{key: value if value or key in kept else None for key, value in values.items()}
        )
