"""What the sheet, a player's phone and `momentum show` display of fights by Momentum."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from strike_cli.plugin import World, listed
from strike_cli.plugin.board import DELAYED, has_acted
from strike_cli.plugin.views import (
    Holding,
    Line,
    NumberHeading,
    OwnSheet,
    SheetPart,
    SheetView,
    Span,
    Table,
    Views,
)

from .abilities import reach_in_metres
from .action_costs import usable_rp
from .attack import ATTACK_AP, damage_dice_of
from .fight_state import Battle
from .rule_constants import ACTION_AP_COSTS
from .sheet_and_formulas import Sheet, stat_bonus
from .statuses import holds_kept_up_by_payment
from .turns import points_and_vitality_in_turn

if TYPE_CHECKING:
    from .data import (
        MomentumAbility,
        MomentumKept,
        MomentumSheet,
        MomentumStatus,
        MomentumWeapon,
        StandingShown,
        TurnsShown,
    )


class MomentumViews(Views):
    """What screens show of fights by Momentum, and of Momentum on a character's sheet."""

    def sheet(self, world: World, person: str) -> SheetView:
        """Return Vitality, defenses, Stats and attacks; empty if the sheet has no `momentum` table."""
        written = world.book.characters.get(person, {}).get("momentum")
        if written is None:
            return SheetView()
        sheet = Sheet(written)
        now = _current_vitality_and_momentum(world, person, written)
        defenses = sheet.defenses
        data = {
            **written,
            **now,
            "evasion_value": sheet.evasion(sheet.shield_at_start),
            "armor_value": sheet.armor_value,
            "initiative": sheet.initiative,
            "power": sheet.defense_roll_power,
            "dr": {stat: sheet.defense_roll_bonus(stat) for stat in written["stats"]},
        }
        parts = [
            f"Vitality {now['vitality']}/{written['vitality']}",
            f"Momentum {now['narrative']}",
            f"Evasion {data['evasion_value']}",
            f"Armor {defenses.armor}",
            f"Initiative {sheet.initiative}",
            f"DR Power {sheet.defense_roll_power}",
        ]
        stats = ", ".join(
            f"{stat.upper()} {value} ({stat_bonus(value):+d})" for stat, value in written["stats"].items()
        )
        lines: list[Line] = [[("By Momentum  ", "strong"), " · ".join(parts)], f"  {stats}"]
        rows: list[list[Span]] = [
            [(f"  {way.id}", "name"), *way[1:]] for way in _weapon_and_ability_rows(sheet)
        ]
        table = Table(["  Attack", NumberHeading("Hit"), "Damage", "Where", "Costs"], rows)
        column = ("Vitality", f"{now['vitality']}/{written['vitality']}")
        return SheetView(data={"momentum": data}, column=column, blocks=[*lines, table])

    def own_sheet(self, world: World, person: str) -> OwnSheet:
        """Return what players see of their character: defenses, Stats and attacks.

        Outside fights, Vitality and Narrative Momentum are included too. In a fight they are left out, since
        the view of the fight shows them.
        """
        written = world.book.characters.get(person, {}).get("momentum")
        if written is None:
            return OwnSheet()
        sheet, now = Sheet(written), _current_vitality_and_momentum(world, person, written)
        numbers = [
            ("Evasion", str(sheet.evasion(sheet.shield_at_start))),
            ("Armor", str(sheet.defenses.armor)),
            ("DR Power", str(sheet.defense_roll_power)),
            *(
                (str(stat).upper(), f"{value} ({stat_bonus(value):+d})")
                for stat, value in written["stats"].items()
            ),
        ]
        if person not in world.get("momentum.people", {}):
            meters = [
                ("Vitality", f"{now['vitality']}/{written['vitality']}"),
                ("Momentum", str(now["narrative"])),
            ]
            numbers = [*meters, *numbers]
        attacks = [
            Holding(way.id, way.in_words_without_name(), way.cost) for way in _weapon_and_ability_rows(sheet)
        ]
        return OwnSheet(numbers, parts=[SheetPart("Attacks", attacks)])

    def scene(self, world: World) -> SheetView:
        """Return the data of the fight for `momentum show --json`, and the lines shown with it.

        The lines say what the acting combatants have left, what lies on the ground, who leans or rides, who
        has acted, and which holds are kept up.
        """
        battle = Battle(world)
        dropped, turns = battle.data.get("dropped", {}), _turns_of_round(battle)
        data: dict[str, object] = {"dropped": dropped}
        lines: list[Line] = []
        if battle.active:
            data |= points_and_vitality_in_turn(battle, battle.active)
            for combatant in battle.union_members(battle.active):
                left = points_and_vitality_in_turn(battle, combatant)
                told = f"{left['ap']} AP, {left['rp']} RP, {left['movement_left']} m to walk"
                lines.append(
                    [
                        (battle.name(combatant), "name"),
                        (" has ", "dim"),
                        told,
                        _unused_actions_text(battle, combatant),
                    ]
                )
                lines += [
                    _upkeep_line(battle, combatant, group)
                    for group in holds_kept_up_by_payment(battle, combatant).values()
                ]
        data |= turns
        lines += _turn_lines(battle, turns)
        for thing in dropped.values():
            lines.append([("On the ground: ", "dim"), f"{thing['weapon']} at {thing['at']}"])
        for combatant in battle.combatants_there():
            one = battle.people[combatant]
            if lean := one.get("lean"):
                lines.append([(battle.name(combatant), "name"), f" leans towards {lean}"])
            if on := one.get("on"):
                lines.append([(battle.name(combatant), "name"), f" is on {battle.name(on)}"])
        return SheetView(data=data, blocks=lines)


def _current_vitality_and_momentum(world: World, combatant: str, written: MomentumSheet) -> StandingShown:
    """Return a character's Vitality and Narrative Momentum.

    In a fight, these are the present numbers. Without a fight, they are the numbers that the last fight left.
    Before the first fight, they are the numbers on the sheet, `written`.
    """
    in_fight = world.get(f"momentum.people.{combatant}")
    left = cast("MomentumKept", in_fight or world.get(f"characters.{combatant}.momentum", {}))
    narrative = left.get("momentum", written["momentum"])
    return {
        "vitality": left.get("vitality", written["vitality"]),
        "max_vitality": written["vitality"],
        "narrative": narrative,
    }


class AttackRow(NamedTuple):
    """A weapon or an Ability as a row of the table of attacks, in words.

    The row says what the attack needs, what it does and what it costs.
    """

    id: str
    hit: str
    damage: str
    where: str
    cost: str

    def in_words_without_name(self) -> str:
        """Return the attack in words: `+4, 2d6 Physical, 2 m`."""
        return ", ".join(word for word in (self.hit, self.damage, self.where) if word != "-")


def _weapon_and_ability_rows(sheet: Sheet) -> Iterator[AttackRow]:
    for id, weapon in sheet.written_weapons.items():
        where = f"range {weapon['range']} m" if "range" in weapon else f"{weapon['reach']} m"
        yield AttackRow(
            id,
            f"{sheet.weapon_hit_bonus_from_stats(weapon):+d}",
            _damage_in_words(weapon),
            where,
            f"{ATTACK_AP} AP",
        )
    for id, ability in sheet.table["abilities"].items():
        hit = f"{sheet.ability_hit_bonus:+d}" if ability["attack"] else ability.get("dr", "-").upper()
        ap = ability.get("ap", 0 if ability["maneuver"] else ATTACK_AP)
        cost = f"{ability['rp']} RP" if "rp" in ability else f"{ap} AP"
        yield AttackRow(id, hit, _damage_in_words(ability) or "-", f"{reach_in_metres(ability)} m", cost)


def _damage_in_words(tool: MomentumWeapon | MomentumAbility) -> str:
    return " and ".join(f"{dice} {type.capitalize()}" for type, dice in damage_dice_of(tool))


def _turn_lines(battle: Battle, turns: TurnsShown) -> Iterator[Line]:
    """Yield lines on who has acted, holds a turn, is surprised, or can't use all their RP."""
    told = {"Acted: ": turns["acted"], "Holding: ": turns["holding"], "Surprised: ": turns["surprised"]}
    for heading, people in told.items():
        if people:
            yield [(heading, "dim"), ", ".join(map(battle.name, people))]
    for combatant, rp in turns["usable_rp"].items():
        if rp < battle.people[combatant]["rp"]:
            yield [
                (battle.name(combatant), "name"),
                f" can use {rp} of {battle.people[combatant]['rp']} RP now",
            ]


def _turns_of_round(battle: Battle) -> TurnsShown:
    there = [
        combatant for combatant in battle.combatants_there() if not battle.people[combatant].get("object")
    ]
    acted = [
        combatant for combatant in there if battle.round and has_acted(battle.people[combatant], battle.round)
    ]
    surprised = [
        combatant for combatant in there if battle.round < 2 and battle.people[combatant].get("surprised")
    ]
    return {
        "acted": [combatant for combatant in acted if combatant not in surprised],
        "holding": [combatant for combatant in there if battle.people[combatant].get(DELAYED)],
        "surprised": surprised,
        "usable_rp": {combatant: usable_rp(battle, combatant) for combatant in there} if battle.round else {},
    }


def _upkeep_line(battle: Battle, combatant: str, group: Sequence[tuple[str, MomentumStatus]]) -> Line:
    """Return a line that says whom a combatant holds and how many AP a turn this costs.

    It also names the condition, if the cost comes with one, and says if this turn is already paid for.
    """
    people, one = listed(list(dict.fromkeys(battle.name(held) for held, _ in group))), group[0][1]
    price = f"{one.get('upkeep', ACTION_AP_COSTS['keep-up'])} AP a turn"
    paid = ", kept up for this turn" if all(each.get("later") for _, each in group) else ""
    besides = f" ({one['condition']})" if one.get("condition") else ""
    return [(battle.name(combatant), "name"), f" holds {people}: {price}{besides}{paid}"]


def _unused_actions_text(battle: Battle, combatant: str) -> str:
    more = []
    if attacks := battle.people[combatant].get("attacks"):
        more.append(f"{attacks} attack{'s' if attacks > 1 else ''} to make")
    if not battle.people[combatant].get("free"):
        more.append("a free Interact or Switch Weapons")
    return "".join(f", {word}" for word in more)
