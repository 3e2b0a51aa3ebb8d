"""Commands that only calculate, from typed numbers, without a campaign."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import typer

from strike_cli.plugin import Usage, listed
from strike_cli.plugin.commands import Options, Result, choice_metavar, command, find_word, plays

from .. import sheet_and_formulas
from ..attack import read_armor_order
from ..damage_reduction import ALL_ARMOR, DamagePart, Defenses, IgnoredArmor, damage_through
from ..rule_constants import ARMORS, DAMAGE_TYPE_NAMES, SHIELDS
from .argument_parsers import ARMOR, SHIELD, TYPE, Adv, Dis, app

HALF = "half"
Given = Mapping[str, object]


def calculation_result(name: str, data: Given, text: str) -> Result:
    """Return the Result of a command that only calculates: its data, and one line of text."""
    return Result(f"momentum {name}", data, [text])


@plays(app, "hit", "momentum hit")
def hit(
    primary: Annotated[int, typer.Option(help="The Primary Stat of the weapon or of Abilities.")],
    secondary: Annotated[int, typer.Option(help="The Secondary Stat.")],
    evasion: Annotated[int | None, typer.Option(help="The number to reach.")] = None,
    die: Annotated[int | None, typer.Option(help="The d20, if it is already rolled.")] = None,
    adv: Adv = None,
    dis: Dis = None,
) -> None:
    """Roll an attack without a campaign (WSH-09, 10).

    The total is a d20, plus the bonus of the first Stat, plus half the bonus of the second Stat.

    Example: `strike momentum hit --primary 13 --secondary 13 --evasion 16 --die 12`
    """


@plays(app, "dr", "momentum dr")
def dr(
    stat: Annotated[int, typer.Option(help="The Stat.")],
    skill: Annotated[int, typer.Option(help="The level of its Skill.")] = 0,
    power: Annotated[int | None, typer.Option(help="The DR Power: the other side's Primary Stat.")] = None,
    die: Annotated[int | None, typer.Option(help="The d20, if it is already rolled.")] = None,
    adv: Adv = None,
    dis: Dis = None,
) -> None:
    """Make a Defense Roll against a DR Power without a campaign (WSH-14).

    Example: `strike momentum dr --stat 12 --skill 2 --power 14 --die 10`
    """


@command(app, "evasion", kind="reads")
def evasion(
    options: Options,
    dex: Annotated[int, typer.Option(help="Dexterity.")],
    stat: Annotated[int, typer.Option(help="The Evasion Stat of the Archetype.")],
    armor: Annotated[str, typer.Option(metavar=ARMOR, help=f"One of {listed(ARMORS)}.")] = "",
    shield: Annotated[str, typer.Option(metavar=SHIELD, help=f"One of {listed(SHIELDS)}.")] = "",
    other: Annotated[int, typer.Option(help="Other bonuses, which have no cap.")] = 0,
    cover: Annotated[str, typer.Option(metavar=choice_metavar(HALF), help="The cover.")] = "",
    melee: Annotated[
        bool, typer.Option("--melee", help="Against a melee attack, which ignores cover.")
    ] = False,
) -> Result:
    """Calculate Evasion (WSH-12, 18).

    Its base is Dexterity and the bonus of the Evasion Stat. Worn armor may cap it. The shield, cover and
    other bonuses count, too.

    Example: `strike momentum evasion --dex 13 --stat 14 --armor medium`
    """
    worn = find_word(armor, list(ARMORS), "armor") if armor else ""
    held = find_word(shield, list(SHIELDS), "shield") if shield else ""
    if cover:
        find_word(cover, [HALF], "cover")
        other += sheet_and_formulas.half_cover_evasion_bonus(melee)
    found = sheet_and_formulas.evasion(dex, stat, worn, held, other)
    under = "" if found.cap is None else f", capped at {found.cap}"
    return calculation_result(
        "evasion", found._asdict(), f"Evasion {found.evasion}: base {found.base}{under}."
    )


@command(app, "damage", kind="reads")
def damage(
    options: Options,
    amount: Annotated[str, typer.Option(metavar="N:TYPE,...", help="Damage that arrives at once.")],
    armor: Annotated[int, typer.Option(help="Armor.")] = 0,
    con_dr: Annotated[int, typer.Option(help="The Constitution DR value, against Poison.")] = 0,
    will_dr: Annotated[int, typer.Option(help="The Will DR value, against Psychic.")] = 0,
    ignore_armor: Annotated[
        str,
        typer.Option(
            metavar=TYPE.with_text("N|TYPE,..."),
            help="The Armor to ignore, or the damage types that ignore it.",
        ),
    ] = "",
    resist: Annotated[list[str] | None, typer.Option(metavar=TYPE, help="Types that are halved.")] = None,
    immune: Annotated[list[str] | None, typer.Option(metavar=TYPE, help="Types that do nothing.")] = None,
    vulnerable: Annotated[
        list[str] | None, typer.Option(metavar=TYPE, help="Types that are doubled.")
    ] = None,
    off: Annotated[
        str,
        typer.Option(
            metavar=TYPE.with_text("TYPE,..."),
            help="The types that Armor reduces, in order. Default: the best.",
        ),
    ] = "",
    multiplied_first: Annotated[
        bool, typer.Option("--multiplied-first", help="Halve and double types before Armor.")
    ] = False,
) -> Result:
    """Calculate the damage that gets through: Armor once, then each type by itself (WSH-13, 15).

    Example: `strike momentum damage --amount 5:physical,5:poison --armor 4 --con-dr 1`
    """
    parts = [_parse_damage_part(text) for text in amount.split(",")]
    defenses = Defenses(
        armor, con_dr, will_dr, *(_parse_damage_types(words) for words in (resist, immune, vulnerable))
    )
    taken = damage_through(
        parts,
        defenses,
        ignoring=_parse_ignored_armor(ignore_armor),
        armor_order=read_armor_order(off, parts),
        armor_first=not multiplied_first,
    )
    by_type = {part["type"]: part["taken"] for part in taken.parts}
    told = ", ".join(f"{count} {type.capitalize()}" for type, count in by_type.items())
    data = {"taken": taken.total, "by_type": by_type, "reduced_by": taken.reduced_by}
    return calculation_result("damage", data, f"{taken.total} taken: {told} ({taken.reduced_by} came off).")


def _parse_ignored_armor(text: str) -> IgnoredArmor:
    if text.isdigit():
        return IgnoredArmor(int(text))
    return (
        IgnoredArmor(ALL_ARMOR)
        if text == "all"
        else IgnoredArmor(0, _parse_damage_types([text] if text else None))
    )


def _parse_damage_types(words: list[str] | None) -> list[str]:
    return [
        find_word(word, DAMAGE_TYPE_NAMES, "damage type") for item in words or () for word in item.split(",")
    ]


def _parse_damage_part(text: str) -> DamagePart:
    number, _, type = text.strip().partition(":")
    if not number.isdigit():
        raise Usage(f"{text!r} is not damage.", "Write an amount and its type, like 5:physical,5:poison.")
    return DamagePart(find_word(type or "physical", DAMAGE_TYPE_NAMES, "damage type"), int(number))


@command(app, "critical", kind="reads")
def critical(
    options: Options,
    weapon: Annotated[bool, typer.Option("--weapon", help="For a weapon.")] = False,
    ability: Annotated[
        int | None, typer.Option(metavar="TIER", help="For an Ability of this Tier.", min=0)
    ] = None,
    maneuver: Annotated[
        int | None, typer.Option(metavar="TIER", help="For a weapon with a Maneuver of this Tier.", min=0)
    ] = None,
) -> Result:
    """Calculate the extra damage of a critical hit (WSH-10).

    Example: `strike momentum critical --ability 2`
    """
    of_weapon = weapon or maneuver is not None
    if of_weapon == (ability is not None):
        raise Usage(
            "What hits?", "Add --weapon, --ability TIER, or --maneuver TIER for a weapon with a Maneuver."
        )
    extra = sheet_and_formulas.extra_damage_of_critical_hit(
        weapon=of_weapon, ability_tier=ability, maneuver_tier=maneuver
    )
    return calculation_result("critical", {"extra": extra}, f"{extra} more damage.")


@command(app, "collide", kind="reads")
def collide(
    options: Options,
    meters: Annotated[int, typer.Option(min=0, help="The whole distance of the movement.")],
    success: Annotated[bool, typer.Option("--success", help="The Strength DR succeeded.")] = False,
    teleport: Annotated[bool, typer.Option("--teleport", help="A collision by teleport.")] = False,
) -> Result:
    """Calculate the damage when a creature is moved into another creature (WSH-19, 20).

    Both take this damage. With --teleport, the creature was teleported into the other.

    Example: `strike momentum collide --meters 5 --success`
    """
    found = (
        sheet_and_formulas.teleport_onto_creature_damage(meters)
        if teleport
        else sheet_and_formulas.collision_damage(meters, success)
    )
    return calculation_result("collide", {"damage": found}, f"{found} damage to both.")
