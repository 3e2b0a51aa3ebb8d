"""The part of a character sheet about fights: HP, attacks, powers, and the state in the present fight."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, cast

from strike_cli.kernel.procedure import World
from strike_cli.tabletop.characters_and_names import charges_spent, written_sheet
from strike_cli.terminal.command_output import Block, NumberHeading, Span, Table
from strike_cli.terminal.sheet_and_party_views import SheetView

from ..encounter.creatures_and_budgets import creature_numbers_with_tier_defaults
from ..fight_state import fight_in
from ..rule_numbers import combat_numbers
from .power_descriptions import aura_effects_in_words, cost_and_effects_line, reach_range_and_area_words

if TYPE_CHECKING:
    from ..data import Combatant, FighterWritten


def fight_part_of_sheet(world: World, combatant_id: str) -> SheetView:
    """Return the part of a sheet about fights."""
    written, defaults = (
        cast("FighterWritten", written_sheet(world, combatant_id)),
        combat_numbers()["defaults"],
    )
    parts = [f"{written.get('hp', defaults['hp'])} HP", f"Speed {written.get('speed', defaults['speed'])}"]
    if written.get("size", 1) > 1:
        parts.append(f"size {written['size']}")
    lines: list[Block] = [[("In a fight  ", "strong"), " · ".join(parts)]]
    fight = fight_in(world.state)
    combatant = fight["combatants"].get(combatant_id) if fight else None
    if fight and combatant:
        lines.append([f"  {fight['name']}: ", (_hp_strikes_and_status_words(world, combatant), "warn")])
    lines.append(
        Table(
            ["  Attack", "Where", NumberHeading("Damage"), "Effect"],
            _attack_power_and_aura_rows(world, combatant_id, written),
        )
    )
    return SheetView(blocks=lines)


def hp_and_strike_boxes_on_card(
    book: object, kind: str, written: Mapping[str, object]
) -> list[tuple[str, int]]:
    """Return the rows of boxes to tick on a printed card: the title and the number of boxes of each.

    A character has HP and Strikes. A creature has HP, or its boxes (STR-TAC-27).
    """
    if kind == "characters":
        own = written.get("hp")
        strikes = max(row["strikes"] for row in combat_numbers()["aftermath"])
        return [
            ("HP", own if isinstance(own, int) else combat_numbers()["defaults"]["hp"]),
            ("Strikes", strikes),
        ]
    tier = creature_numbers_with_tier_defaults(written)
    return [("Boxes", tier["boxes"])] if "boxes" in tier else [("HP", tier["hp"])]


def _hp_strikes_and_status_words(world: World, combatant: Combatant) -> str:
    parts = [f"{combatant['hp']} of {combatant['max_hp']} HP"]
    for key, one in (("strikes", "Strike"), ("miss_tokens", "Miss Token")):
        count = combatant.get(key, 0)
        if count:
            parts.append(f"{count} {one}{'' if count == 1 else 's'}")
    parts += [
        str(world.book.statuses.get(status["id"], {}).get("name", status["id"]))
        for status in combatant.get("statuses", [])
    ]
    return ", ".join(parts) + (f", {combatant['out'].replace('-', ' ')}" if "out" in combatant else "")


def _attack_power_and_aura_rows(
    world: World, combatant: str, written: FighterWritten
) -> Iterable[list[Span]]:
    defaults = combat_numbers()["defaults"]
    melee = written.get("melee", {"damage": defaults["basic_damage"], "reach": 1})
    ranged = written.get("ranged", {"damage": defaults["basic_damage"], "range": defaults["ranged"]})
    chance = written.get("opportunity", defaults["opportunity_damage"])
    yield ["  Melee", f"reach {melee['reach']}", str(melee["damage"]), ("basic", "dim")]
    if ranged:  # false for a fighter without a ranged attack
        yield ["  Ranged", f"range {ranged['range']}", str(ranged["damage"]), ("basic", "dim")]
    when = "when an enemy leaves that reach"
    yield ["  Opportunity", f"reach {melee['reach']}", str(chance), (when, "dim")]
    for key in written["powers"]:
        power = world.book.powers[key]
        name = (f"  {power['name']}", "name")
        what = cost_and_effects_line(world.book, power)
        if "charges" in power:
            left = max(0, power["charges"] - charges_spent(world, combatant, key))
            what += f" ({left} of {power['charges']} charges left)"
        yield [name, reach_range_and_area_words(power), str(power.get("damage", "-")), what]
    for aura in written.get("auras", ()):
        yield [(f"  {aura['name']}", "name"), f"aura {aura['spread']}", str(aura.get("amount", "-")),
               aura_effects_in_words(world.book, aura)]  # fmt: skip
