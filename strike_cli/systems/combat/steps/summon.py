"""The step that summons creatures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Choose, Procedure, Sets, World
from strike_cli.kernel.statements import Reason
from strike_cli.tabletop.grid import Square, distance_between_spaces, footprint, format_square
from strike_cli.tabletop.new_creatures_and_made_up_content import new_creature_ids_and_names
from strike_cli.tabletop.rules_vocabulary import ZoneEnd

from ..board.zones import add_auras_of
from ..encounter.creatures_and_budgets import new_combatant
from ..encounter.fight_setup import roll_initiative_die_for_each_turn
from ..encounter.joining_and_leaving import (
    MOST_SUMMONED,
    add_turn_to_order_by_initiative,
    present_creatures_summoned_by,
)
from ..facts.powers_and_fight_events import Noted
from ..facts.turns_and_actions import InitiativeRolled
from ..facts.zones_and_summons import NoRoomFor, SummonAt, Summoned, SummonIs
from ..fight_state import Fight
from ..powers.powers_and_targets import PowerUse, mark_with_power_user
from ..powers.step_amounts import determine_step_amount
from ..powers.step_play_and_summaries import duration_in_explanation, no_effect_note, step_duration_clause
from . import amount_in_words, measured_amount_clause
from .step import EffectStep, duration_words_on_sheet
from .zones import MOST_PLACES

if TYPE_CHECKING:
    from typing import Literal

    Number = Literal["hp", "damage", "speed"]

    from ..data import ContentOfFights, SummonedBy


class SummonStep(EffectStep):
    """A step that summons `amount` creatures of one kind near the target, on the side of the power's user."""

    creature: str
    amount: int = 1
    near: int = 1
    turns: str = "own"
    duration: ZoneEnd = "encounter"
    stays: bool = False
    """Whether they stay when their maker is out of the fight."""
    hp: int | None = None
    damage: int | None = None
    """The damage of their basic attacks, in HP; None for that of their sheet."""
    speed: int | None = None

    def play(self, world: World, use: PowerUse, target: str) -> Procedure[None]:
        """Summon `amount` creatures, or as many as MOST_SUMMONED and the free squares allow."""
        for _ in range(self.amount):
            fight = Fight(world)
            if not (
                len(present_creatures_summoned_by(fight, use.who)) < MOST_SUMMONED and fight.is_on_map(target)
            ):
                yield no_effect_note(world, use, use.who, "full" if fight.is_on_map(target) else "")
                break
            if not (yield from self._summon_one(world, use, target)):
                break

    def has_effect_on(self, fight: Fight, use: PowerUse, target: str) -> bool:
        """Return whether the power's user may have another summoned creature.

        At most MOST_SUMMONED are allowed.
        """
        return len(present_creatures_summoned_by(fight, use.who)) < MOST_SUMMONED

    def _summon_one(self, world: World, use: PowerUse, target: str) -> Procedure[bool]:
        fight, ref = Fight(world), self.creature
        sheet = world.book.creatures[ref]
        size = sheet.get("size", 1)
        places = {
            format_square(square): square for square in _squares_for_summoned(fight, target, size, self.near)
        }
        name = str(sheet["name"])
        if not places:
            yield mark_with_power_user(use, target, world.tell(Noted(target, NoRoomFor(name, use.who))))
            return False
        where = next(iter(places))
        if len(places) > 1:
            where = yield Choose(
                use.who,
                f"{ref} comes to",
                tuple(places),
                about=SummonAt(use.who, ref),
                formerly=f"{name} comes to",
            )
        fog = "seen" in fight.data
        ((key, called),) = new_creature_ids_and_names(
            world, ref, 1, fight.data["combatants"], words_for_numbers=fog
        )
        lasts: SummonedBy = {"by": use.who, "ends": self.duration}
        if self.stays:
            lasts["stays"] = True
        if self.duration == "turn-end" and fight.data.get("active") == use.who:
            lasts["later"] = True
        new = {
            **new_combatant(world, ref, fight.side(use.who), places[where], called),
            **(yield from self._roll_overridden_numbers(world, use, target)),
            "summoned": lasts,
        }
        for key_of in ("hidden", *(["turns"] if self.turns != "own" else [])):
            new.pop(key_of, None)
        yield world.tell(Summoned(key, use.who, where), {f"fight.combatants.{key}": new})
        yield from add_auras_of(world, key)
        yield from _give_place_in_turn_order(world, key, use.who, self.turns)
        return True

    def _roll_overridden_numbers(
        self, world: World, use: PowerUse, target: str
    ) -> Procedure[Mapping[str, object]]:
        """Return the summoned creature's values that differ from its sheet: HP, damage and Speed."""
        found: Mapping[str, object] = {}
        own: dict[str, int] = {}
        if self.hp is not None:
            hp = yield from determine_step_amount(world, use, self.hp, target)
            found = {"hp": max(hp, 1), "max_hp": max(hp, 1)}
        if self.damage is not None:
            own["damage"] = yield from determine_step_amount(world, use, self.damage, target)
        if self.speed is not None:
            own["speed"] = yield from determine_step_amount(world, use, self.speed, target)
        return {**found, **({"numbers": own} if own else {})}

    def summarize(self, book: ContentOfFights) -> str:
        """Return the step in the words of a sheet: `calls 2 x Goblin`."""
        count = self.amount_in_words(book)
        name = str(book.creatures[self.creature]["name"])
        turns = {"maker": ", acting after them", "none": ", without turns"}.get(self.turns, "")
        near = f" within {self.near}" if "near" in self.table else ""
        stays = ", that stays" if self.stays else ""
        more = self._overridden_numbers_in_words(book) + duration_words_on_sheet(book, self.table)
        return f"calls {'' if count == '1' else f'{count} x '}{name}{near}{turns}{stays}{more}"

    def _overridden_numbers_in_words(self, book: ContentOfFights) -> str:
        keys: Mapping[Number, str] = {"hp": "HP", "damage": "damage", "speed": "Speed"}
        own = [
            f"its {words} {amount_in_words(book, self.table[key])}"
            for key, words in keys.items()
            if key in self.table
        ]
        return f", {', '.join(own)}" if own else ""

    def describe(self, book: ContentOfFights, target: str) -> str:
        count, name = self.amount_in_words(book), book.creatures[self.creature]["name"]
        near = f" within {self.near}" if "near" in self.table else ""
        turns = {
            "own": "with turns of their own",
            "maker": "acting after their summoner",
            "none": "without turns",
        }[self.turns]
        lasts = f", {duration_in_explanation(book, self.table)}" if "duration" in self.table else ""
        stays = "; they stay when their summoner is gone" if self.stays else ""
        numbers = self._overridden_numbers_in_words(book)
        return f"{target} calls {count} x {name}{near}{numbers}, {turns}{lasts}{stays}"

    def label(self, fight: Fight, use: PowerUse, target: str) -> Reason:
        amount = measured_amount_clause(fight.world.book, self.amount)
        number = 0 if amount else self.amount
        return SummonIs(self.creature, number, step_duration_clause(fight, use, self.table), amount)


def _squares_for_summoned(fight: Fight, target: str, size: int, near: int) -> Iterator[Square]:
    """Yield the free squares at which a creature of `size` fits, near the creature `target`.

    The squares are at most `near` squares away from `target`, and in its line of sight. The squares nearest
    to the enemies of `target` come first. At most MOST_PLACES squares are yielded.
    """
    taken, at, own = fight.occupied_squares(), fight.at(target), fight.size(target)
    to_foes = fight.nearest_foe_distance_function(target)
    x, y = at
    found = [
        (right, down)
        for down in range(max(0, y - near - size + 1), y + own + near)
        for right in range(max(0, x - near - size + 1), x + own + near)
        if fight.grid.fits((right, down), size)
        and taken.keys().isdisjoint(footprint((right, down), size))
        and 1 <= distance_between_spaces(at, own, (right, down), size) <= near
        and fight.grid.has_line_of_sight(at, (right, down), own, size)
    ]

    def foe_distance_then_place(square: Square) -> tuple[int, int, int]:
        return to_foes(square, size), square[1], square[0]

    yield from sorted(found, key=foe_distance_then_place)[:MOST_PLACES]


def _give_place_in_turn_order(world: World, combatant: str, maker: str, turns: str) -> Procedure[None]:
    """Give a summoned creature its place in the turn order.

    `turns` says whether it rolls its own initiative, acts right after its maker, or has no turns.
    """
    fight = Fight(world)
    if turns == "none" or not fight.data["round"]:
        return
    if turns == "own":
        for rolled in (yield from roll_initiative_die_for_each_turn(fight, combatant)):
            yield from add_turn_to_order_by_initiative(world, [combatant], rolled.total)
        return
    order = list(fight.data["order"])
    place = order.index(maker) + 1 if maker in order else len(order)
    order[place:place] = [combatant]
    sets: Sets = {"fight.order": order}
    if maker in fight.data["order"] and fight.data.get("active") != maker and fight.turns_taken(maker):
        sets |= fight.turn_count_changes(combatant)
    yield world.tell(InitiativeRolled(combatant), sets)
