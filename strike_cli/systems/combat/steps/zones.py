"""Steps that make, enlarge, move and end zones."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Literal

from strike_cli.file_faults import Fault, Faults, Place
from strike_cli.kernel.procedure import Choose, Procedure, Roll, World
from strike_cli.kernel.statements import Reason
from strike_cli.problems import pluralize
from strike_cli.tabletop.grid import DIRECTIONS, Square, format_square
from strike_cli.tabletop.rules_vocabulary import Sight, ZoneEnd, ZoneWho
from strike_cli.tabletop.scene_change_facts import ZoneDoes

from ..board.areas import burst_squares_in_sight
from ..board.zones import (
    AddZone,
    add_zone,
    end_zone_with_its_reactions,
    grow_squares,
    move_or_grow_zone_to,
    shift_squares,
    squares_for_new_zone,
)
from ..facts.powers_and_fight_events import Noted
from ..facts.step_descriptions import ZoneChanges
from ..facts.zones_and_summons import DrawZone, MoveZone, NoRoomFor, Onto, ZoneDrifts, ZoneIs, ZoneStays
from ..fight_state import Fight
from ..powers.powers_and_targets import PowerUse, longest_reach_or_range, mark_with_power_user
from ..powers.step_play_and_summaries import duration_in_explanation, squares_in_words, step_duration_clause
from ..powers.zones_named_by_steps import (
    has_zone_step_is_about,
    ids_of_zones_step_is_about,
    zone_words_in_sentence,
    zone_words_on_sheet,
)
from . import SCENE, measured_amount_clause
from .step import EffectStep, duration_words_on_sheet

if TYPE_CHECKING:
    from strike_cli.validation import CheckedTable

    from ..data import ContentOfFights


ENOUGH = "enough"
MOST_PLACES = 40
"""The most squares that are offered for the start of a wall or for a summoned creature.

If there are more, those nearest to enemies are offered.
"""


class ZoneStep(EffectStep):
    """A step that makes a zone.

    The zone is on the power's area, around a creature, or on squares that are chosen one by one. The zone
    deals `amount` damage to a creature that enters it or begins a turn in it.
    """

    name: str
    amount: int = 0
    difficult: bool = False
    sight: Literal["", Sight] = ""
    status: str = ""
    duration: ZoneEnd = "encounter"
    blocks: bool = False
    cover: bool = False
    along: bool = False
    spread: int = 0
    """The radius of the zone around a creature, in squares."""
    length: int = 0
    """How many squares are drawn one by one, at most."""
    who: Literal["", ZoneWho] = ""

    def play(self, world: World, use: PowerUse, target: str) -> Procedure[None]:
        fight = Fight(world)
        if not use.aim.squares and not fight.is_on_map(target):
            return
        squares = squares_for_new_zone(
            Fight(world), (yield from self._squares_to_cover(world, use, target)), self.blocks
        )
        if not squares:
            yield mark_with_power_user(use, target, world.tell(Noted(target, NoRoomFor(self.name, use.who))))
            return
        zone = AddZone(
            called=self.name,
            squares=[*map(format_square, squares)],
            by=use.who,
            damage=self.amount,
            difficult=self.difficult,
            status=self.status,
            sight=self.sight,
            ends=self.duration,
            blocks=self.blocks,
            cover=self.cover,
            along=target if self.along else "",
            spread=self.spread if self.along else 0,
            who=self.who,
        )
        yield from add_zone(world, zone)

    def _squares_to_cover(self, world: World, use: PowerUse, target: str) -> Procedure[Collection[Square]]:
        if self.length:
            return (yield from self._ask_for_squares(world, use))
        if use.aim.squares and not self.along:
            return use.aim.squares
        return burst_squares_in_sight(Fight(world), target, self.spread)

    def _ask_for_squares(self, world: World, use: PowerUse) -> Procedure[list[Square]]:
        """Ask the maker for the squares of the zone, one by one, and return them.

        The first square is within the power's range, and each further square is adjacent to the one before.
        """
        fight, found = Fight(world), list[Square]()
        if not fight.is_on_map(use.who):
            return found
        to_foes, taken = fight.nearest_foe_distance_function(use.who), fight.occupied_squares()

        def foe_distance_then_place(square: Square) -> tuple[int, int, int]:
            return to_foes(square, 1), square[1], square[0]

        while len(found) < self.length:
            places = (
                _open_neighbours(fight, found[-1])
                if found
                else burst_squares_in_sight(fight, use.who, longest_reach_or_range(use.power) or 1)
            )
            free = [square for square in places if square not in taken and square not in found]
            names = {
                format_square(square): square
                for square in sorted(free, key=foe_distance_then_place)[:MOST_PLACES]
            }
            if not names:
                break
            number = len(found) + 1
            answer = yield Choose(
                use.who,
                f"{use.power['id']}: square {number}",
                (*names, ENOUGH) if found else tuple(names),
                about=DrawZone(use.who, self.name, number, self.length),
                formerly=f"{self.name}: square {number}",
            )
            if answer == ENOUGH:
                break
            found.append(names[answer])
        return found

    def summarize(self, book: ContentOfFights) -> str:
        what = [f"{self.amount_in_words(book)} damage"] if "amount" in self.table else []
        what += ["difficult"] if self.difficult else []
        what += [self.sight] if self.sight else []
        what += ["a wall"] if self.blocks else []
        what += ["cover"] if self.cover else []
        what += [str(book.statuses[self.status]["name"])] if self.status else []
        what += [f"for {self.who}"] if self.who else []
        where = f" within {self.spread}" if self.spread else ""
        where += f", {pluralize(self.length, 'square')} drawn" if self.length else ""
        where += ", that moves along" if self.along else ""
        words = f" ({', '.join(what)})" if what else ""
        return f"a zone, {self.name}{where}{words}{duration_words_on_sheet(book, self.table)}"

    def describe(self, book: ContentOfFights, target: str) -> str:
        what = []
        if "amount" in self.table:
            what.append(
                f"{self.amount_in_words(book)} damage to each creature that enters it or begins a turn in it"
            )
        what += ["difficult terrain"] if self.difficult else []
        sight = {"obscured": "creatures in it are concealed", "dark": "creatures in it can't be seen"}
        what += [sight.get(self.sight, "its squares are lit")] if self.sight else []
        what += ["a wall that blocks movement and sight"] if self.blocks else []
        what += ["cover for creatures behind it"] if self.cover else []
        what += [f"each creature in it is {book.statuses[self.status]['name']}"] if self.status else []
        what += [f"for {self.who} of its maker alone"] if self.who else []
        lasts = f"for the rest of the {SCENE}"
        if "duration" in self.table:
            lasts = duration_in_explanation(book, self.table)
        where = f", within {self.spread} of {target}" if self.spread else ""
        where += f", {self.length} squares, drawn one by one" if self.length else ""
        where += ", that moves along" if self.along else ""
        return f"a zone, {self.name}{where}, {lasts}" + (f": {'; '.join(what)}" if what else "")

    def label(self, fight: Fight, use: PowerUse, target: str) -> Reason:
        """Return a clause with the zone's effects and duration."""
        amount = measured_amount_clause(fight.world.book, self.amount)
        number = 0 if amount else self.amount
        does = {
            "damage": self.amount,
            "difficult": self.difficult,
            self.sight: self.sight,
            "wall": self.blocks,
            "cover": self.cover,
        }
        return ZoneIs(
            self.name,
            [ZoneDoes(what, number, amount or "") for what, so in does.items() if so],
            self.status,
            self.spread,
            self.along,
            step_duration_clause(fight, use, self.table),
        )

    @classmethod
    def check(cls, table: CheckedTable, where: Place, faults: Faults) -> None:
        """Add faults for keys that exclude or need each other."""
        if table.get("blocks") and table.get("along"):
            faults.append(Fault(where / "blocks", "a wall can't move along"))
        if "length" in table and ("spread" in table or table.get("along")):
            faults.append(Fault(where / "length", "squares are drawn one by one, or within spread, not both"))
        if table.get("along") and "spread" not in table:
            faults.append(Fault(where, "a zone that moves along needs a spread, in squares"))
        if "who" in table and "amount" not in table and "status" not in table:
            faults.append(Fault(where / "who", "limits damage or a status, and there is neither"))


def _open_neighbours(fight: Fight, square: Square) -> Iterator[Square]:
    for right, down in DIRECTIONS:
        near = square[0] + right, square[1] + down
        if fight.grid.is_on_map(near) and not fight.grid.is_blocked(near):
            yield near


class EndZoneStep(EffectStep):
    """A step that ends zones."""

    zone: str = ""

    def play(self, world: World, use: PowerUse, target: str) -> Procedure[None]:
        for key in ids_of_zones_step_is_about(Fight(world), use, self.table):
            if key in Fight(world).zones:
                yield from end_zone_with_its_reactions(world, key)

    def has_effect_on(self, fight: Fight, use: PowerUse, target: str) -> bool:
        return has_zone_step_is_about(fight, use, self.table)

    def summarize(self, book: object) -> str:
        return f"{zone_words_on_sheet(self.zone)} ends"

    def label(self, fight: Fight, use: PowerUse, target: str) -> Reason:
        return ZoneChanges("end-zone", self.zone)

    def describe(self, book: object, target: str) -> str:
        return f"{zone_words_in_sentence(self.zone)} ends"


MOST_SPREAD = 20


class GrowZoneStep(EffectStep):
    """A step that enlarges zones by `amount` squares on every side."""

    zone: str = ""
    amount: int = 1

    def play(self, world: World, use: PowerUse, target: str) -> Procedure[None]:
        for key in ids_of_zones_step_is_about(Fight(world), use, self.table):
            fight = Fight(world)
            if bearer := fight.zones[key].get("along"):
                spread = min(fight.zones[key].get("spread", 0) + self.amount, MOST_SPREAD)
                if fight.is_on_map(bearer):
                    area = burst_squares_in_sight(fight, bearer, spread)
                    yield from move_or_grow_zone_to(world, key, area, grown=True, spread=spread)
            else:
                larger = grow_squares(fight, fight.zone_squares(key), self.amount)
                yield from move_or_grow_zone_to(world, key, larger, grown=True)

    def has_effect_on(self, fight: Fight, use: PowerUse, target: str) -> bool:
        return has_zone_step_is_about(fight, use, self.table)

    def summarize(self, book: object) -> str:
        return f"{zone_words_on_sheet(self.zone)} grows by {self.amount_in_words(book)}"

    def label(self, fight: Fight, use: PowerUse, target: str) -> Reason:
        far = measured_amount_clause(fight.world.book, self.amount) or str(self.amount)
        return ZoneChanges("grow-zone", self.zone, far)

    def describe(self, book: object, target: str) -> str:
        return f"{zone_words_in_sentence(self.zone)} grows by {squares_in_words(book, self.amount)} all round"


STAY = "stay"
COMPASS: dict[Square, str] = {
    (0, -1): "north", (1, -1): "north-east", (1, 0): "east", (1, 1): "south-east",
    (0, 1): "south", (-1, 1): "south-west", (-1, 0): "west", (-1, -1): "north-west",
}  # fmt: skip
"""The steps to the eight neighbouring squares, with their directions; north is at the top of the map."""


class MoveZoneStep(EffectStep):
    """A step that moves zones by `amount` squares, each in one direction.

    `way` says how the direction is found:
    - "chosen": the maker of the zone chooses it.
    - "away": it leads away from the maker.
    - "nearer": it leads towards the affected creature.
    - "random": an eight-sided die decides.

    A zone that moves along with a creature isn't moved.
    """

    zone: str = ""
    amount: int = 1
    way: Literal["chosen", "away", "nearer", "random"] = "chosen"

    def play(self, world: World, use: PowerUse, target: str) -> Procedure[None]:
        for key in ids_of_zones_step_is_about(Fight(world), use, self.table):
            fight = Fight(world)
            if "along" in fight.zones[key]:
                continue
            way = yield from self._decide_direction(world, use, target, key)
            if way != (0, 0):
                yield from move_or_grow_zone_to(
                    world, key, shift_squares(fight.zone_squares(key), way, self.amount)
                )

    def has_effect_on(self, fight: Fight, use: PowerUse, target: str) -> bool:
        return has_zone_step_is_about(fight, use, self.table)

    def _decide_direction(self, world: World, use: PowerUse, target: str, key: str) -> Procedure[Square]:
        fight = Fight(world)
        columns, rows = zip(*fight.zone_squares(key), strict=True)
        middle = (min(columns) + max(columns)) // 2, (min(rows) + max(rows)) // 2
        match self.way:
            case "random":
                name = fight.zones[key]["name"]
                faces: list[int] = yield Roll(1, 8, name, use.who, why=ZoneDrifts(key), id=f"{key} goes")
                return list(COMPASS)[faces[0] - 1]
            case "away":
                return _direction_between(fight.at(use.who), middle) if fight.is_on_map(use.who) else (0, 0)
            case "nearer":
                return _direction_between(middle, fight.at(target)) if fight.is_on_map(target) else (0, 0)
        chosen: Square = yield from self._choose_direction(fight, use, key)
        return chosen

    def _choose_direction(self, fight: Fight, use: PowerUse, key: str) -> Procedure[Square]:
        """Ask the zone's maker in which direction the zone moves, and return the direction.

        The direction is a step to a neighbouring square, as numbers of columns and rows. It is (0, 0) if the
        zone stays. The options are sorted: directions in which the zone covers more enemies and fewer friends
        come first.
        """
        area, side = fight.zone_squares(key), fight.side_acted_for(use.who)
        there = [one for one in fight.still_in_fight() if fight.is_on_map(one)]

        def creatures_covered(way: Square) -> list[str]:
            moved = set(shift_squares(area, way, self.amount))
            return [one for one in there if not moved.isdisjoint(fight.squares_of(one))]

        def direction_worth(way: Square) -> int:
            return sum(1 if fight.side(one) != side else -1 for one in creatures_covered(way))

        ways = sorted([*COMPASS, (0, 0)], key=lambda way: (-direction_worth(way), way != (0, 0)))
        words = {COMPASS.get(way, STAY): way for way in ways}
        answer: str = yield Choose(
            use.who,
            f"{key} moves",
            tuple(words),
            tuple(Onto(creatures_covered(way)) if way != (0, 0) else ZoneStays() for way in ways),
            about=MoveZone(use.who, key, self.amount),
            formerly=f"{fight.zones[key]['name']} moves",
        )
        return words[answer]

    def summarize(self, book: object) -> str:
        way = {"away": " away", "nearer": " nearer", "random": " at random"}.get(self.way, "")
        return f"{zone_words_on_sheet(self.zone)} moves {self.amount_in_words(book)}{way}"

    def label(self, fight: Fight, use: PowerUse, target: str) -> Reason:
        far = measured_amount_clause(fight.world.book, self.amount) or str(self.amount)
        return ZoneChanges("move-zone", self.zone, far, self.way)

    def describe(self, book: object, target: str) -> str:
        ways = {
            "chosen": ", in a direction of the user's choice",
            "away": ", away from the user",
            "nearer": f", towards {target}",
            "random": ", in a random direction",
        }
        way = ways[self.way] if "way" in self.table else ""
        return f"{zone_words_in_sentence(self.zone)} moves {squares_in_words(book, self.amount)}{way}"


def _direction_between(start: Square, end: Square) -> Square:
    return _sign(end[0] - start[0]), _sign(end[1] - start[1])


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
