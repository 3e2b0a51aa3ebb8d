"""A zone goes elsewhere."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from strike_cli.kernel.procedure import Choose, Procedure, Roll, World
from strike_cli.kernel.statements import Reason
from strike_cli.tabletop.grid import Square

from ..board.auras import moved_by, place_zone
from ..facts.steps import ZoneChanges
from ..facts.zones import MoveZone, Onto, ZoneDrifts, ZoneStays
from ..fight import Fight
from ..powers.named_zones import has_zone, the_zone, zone_of, zones_meant
from ..powers.power import Deed
from ..powers.read_back import squares
from . import measured
from .keys import Amount
from .step import EffectStep

STAY = "stay"
COMPASS: dict[Square, str] = {
    (0, -1): "north", (1, -1): "north-east", (1, 0): "east", (1, 1): "south-east",
    (0, 1): "south", (-1, 1): "south-west", (-1, 0): "west", (-1, -1): "north-west",
}  # fmt: skip
"""Directions as a map has them, with north at the top."""


class MoveZoneStep(EffectStep):
    """Zones move so many squares, each in one direction.

    It is chosen, away from their maker, nearer to the one whom the step is for, or as a die of eight says. A
    zone that goes along with somebody doesn't move by itself.
    """

    zone: str = ""
    amount: Amount = 1
    way: Literal["chosen", "away", "nearer", "random"] = "chosen"

    def play(self, world: World, deed: Deed, target: str) -> Procedure[None]:
        for key in zones_meant(Fight(world), deed, self.table):
            fight = Fight(world)
            if "along" in fight.zones[key]:
                continue
            way = yield from self._direction(world, deed, target, key)
            if way != (0, 0):
                yield from place_zone(world, key, moved_by(fight.zone_squares(key), way, self.amount))

    def would(self, fight: Fight, deed: Deed, target: str) -> bool:
        return has_zone(fight, deed, self.table)

    def _direction(self, world: World, deed: Deed, target: str, key: str) -> Procedure[Square]:
        fight = Fight(world)
        middle = _middle(fight.zone_squares(key))
        match self.way:
            case "random":
                name = fight.zones[key]["name"]
                faces: list[int] = yield Roll(1, 8, name, deed.who, why=ZoneDrifts(key), id=f"{key} goes")
                return list(COMPASS)[faces[0] - 1]
            case "away":
                return _towards(fight.at(deed.who), middle) if fight.is_on_map(deed.who) else (0, 0)
            case "nearer":
                return _towards(middle, fight.at(target)) if fight.is_on_map(target) else (0, 0)
        chosen: Square = yield from self._chosen(fight, deed, key)
        return chosen

    def _chosen(self, fight: Fight, deed: Deed, key: str) -> Procedure[Square]:
        """Ask the maker for the square; one with most enemies and fewest friends comes first."""
        area, side = fight.zone_squares(key), fight.acts_for(deed.who)
        there = [one for one in fight.in_the_fight() if fight.is_on_map(one)]

        def onto(way: Square) -> list[str]:
            moved = set(moved_by(area, way, self.amount))
            return [one for one in there if not moved.isdisjoint(fight.squares_of(one))]

        def worth(way: Square) -> int:
            return sum(1 if fight.side(one) != side else -1 for one in onto(way))

        ways = sorted([*COMPASS, (0, 0)], key=lambda way: (-worth(way), way != (0, 0)))
        words = {COMPASS.get(way, STAY): way for way in ways}
        answer: str = yield Choose(
            deed.who,
            f"{key} moves",
            tuple(words),
            tuple(Onto(onto(way)) if way != (0, 0) else ZoneStays() for way in ways),
            about=MoveZone(deed.who, key, self.amount),
            formerly=f"{fight.zones[key]['name']} moves",
        )
        return words[answer]

    def sheet(self, book: object) -> str:
        way = {"away": " away", "nearer": " nearer", "random": " at random"}.get(self.way, "")
        return f"{zone_of(self.zone)} moves {self.amount_in_words(book)}{way}"

    def short(self, fight: Fight, deed: Deed, target: str) -> Reason:
        far = measured(fight.world.book, self.amount) or str(self.amount)
        return ZoneChanges("move-zone", self.zone, far, self.way)

    def told(self, book: object, who: str) -> str:
        ways = {
            "chosen": ", each square chosen",
            "away": ", away from it",
            "nearer": ", nearer",
            "random": ", at random",
        }
        way = ways[self.way] if "way" in self.table else ""
        return f"{the_zone(self.zone)} moves {squares(book, self.amount)}{way}"


def _middle(area: Collection[Square]) -> Square:
    columns, rows = zip(*area, strict=True)
    return (min(columns) + max(columns)) // 2, (min(rows) + max(rows)) // 2


def _towards(start: Square, end: Square) -> Square:
    return _sign(end[0] - start[0]), _sign(end[1] - start[1])


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
