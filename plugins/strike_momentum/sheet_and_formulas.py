"""Character and creature sheets of Momentum, and formulas of the rules.

The formulas give bonuses, Evasion, Initiative, and the damage of critical hits, collisions and teleports.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.plugin import World
from strike_cli.plugin.tactics import sheet_with

from .damage_reduction import Defenses
from .rule_constants import (
    ARMORS,
    AVERAGE_STAT,
    CRITICAL_DAMAGE,
    CRITICAL_DAMAGE_PER_TIER,
    DR_SKILLS,
    HALF_COVER_EVASION,
    INITIATIVE_SKILLS,
    MAX_TELEPORT_DAMAGE,
    SHIELDS,
)

if TYPE_CHECKING:
    from .data import ArchetypeWritten, MomentumSheet, MomentumWeapon


def stat_bonus(stat: int) -> int:
    """Return the bonus of a Stat; a Stat of 13 has the bonus 3 (WSH-09)."""
    return stat - AVERAGE_STAT


def hit_bonus(primary: int, secondary: int) -> int:
    """Return the hit bonus with a weapon or with Abilities.

    It is the bonus of the primary Stat, and half the bonus of the secondary one, rounded down (WSH-09).
    """
    return stat_bonus(primary) + stat_bonus(secondary) // 2


def defense_roll_bonus(stat: int, skill: int) -> int:
    """Return the bonus of a Defense Roll: the Stat's bonus plus the Skill's level (WSH-14)."""
    return stat_bonus(stat) + skill


def initiative(instinct: int, levels: Iterable[int]) -> int:
    """Return the Initiative: twice the Instinct, plus the sum of the levels of five Skills (WSH-03)."""
    return 2 * instinct + sum(levels)


def union_initiative(initiatives: Iterable[int]) -> int:
    """Return the Initiative of a union: the average of its members', rounded down (WSH-05)."""
    each = list(initiatives)
    return sum(each) // len(each)


class Evasion(NamedTuple):
    """The number that an attack has to reach, with its parts (WSH-12); `cap` is None without armor."""

    base: int
    cap: int | None
    evasion: int


def evasion(dex: int, stat: int, armor: str = "", shield: str = "", other: int = 0) -> Evasion:
    """Return the Evasion: Dexterity plus the bonus of the Evasion Stat, and extras.

    Armor caps the sum of Dexterity and that bonus. The extras are the shield's bonus and `other`, which have
    no cap. With armor, a shield also changes the cap. Raises KeyError for an unknown armor or shield.
    """
    return evasion_from_base_capped_by_armor(dex + stat_bonus(stat), armor, shield, other)


def evasion_from_base_capped_by_armor(
    base: int, armor: str = "", shield: str = "", other: int = 0
) -> Evasion:
    """Return the Evasion that follows from the number `base`, after armor and shield.

    If armor is worn, it limits `base`, and a shield can change this limit. The shield's bonus and `other` are
    added after that. Raises KeyError for an unknown armor or shield.
    """
    cap = ARMORS[armor].cap + (SHIELDS[shield].cap if shield else 0) if armor else None
    more = other + (SHIELDS[shield].evasion if shield else 0)
    return Evasion(base, cap, (base if cap is None else min(base, cap)) + more)


def half_cover_evasion_bonus(melee: bool) -> int:
    """Return the bonus that half cover adds to Evasion; 0 against melee attacks (WSH-09, 18)."""
    return 0 if melee else HALF_COVER_EVASION


def extra_damage_of_critical_hit(
    *, weapon: bool = False, ability_tier: int | None = None, maneuver_tier: int | None = None
) -> int:
    """Return the damage that a critical hit adds (WSH-10).

    A weapon adds 6. An Ability adds 6, and 3 more for each of its Tiers (`ability_tier`). A Maneuver adds 3
    for each of its Tiers (`maneuver_tier`). For a Maneuver with a weapon, both are added.
    """
    extra = CRITICAL_DAMAGE if weapon else 0
    extra += CRITICAL_DAMAGE + CRITICAL_DAMAGE_PER_TIER * ability_tier if ability_tier is not None else 0
    return extra + (CRITICAL_DAMAGE_PER_TIER * maneuver_tier if maneuver_tier is not None else 0)


def collision_damage(push_meters: int, is_resisted: bool) -> int:
    """Return the damage that each side of a collision takes: the distance in metres (WSH-19).

    With `is_resisted` it is half of that.
    """
    return push_meters // 2 if is_resisted else push_meters


def teleport_onto_creature_damage(meters: int) -> int:
    """Return the damage that both take when somebody is teleported onto a creature (WSH-20).

    It is the distance in metres, at most 100.
    """
    return min(meters, MAX_TELEPORT_DAMAGE)


SHIELD = "shield"
"""The id of a shield among the things that somebody holds."""


ARCHETYPE: ArchetypeWritten = {"primary": "str", "secondary": "dex", "evasion": "str"}
"""The Stats of somebody whose sheet names no Archetype."""


class Sheet:
    """The `momentum` table of a sheet, with the numbers that the rules derive from it."""

    def __init__(self, table: MomentumSheet) -> None:
        self.table = table
        self.archetype = table.get("archetype", ARCHETYPE)

    def stat(self, name: str) -> int:
        """Return a Stat; 10, the average, if the sheet doesn't have it."""
        return self.table["stats"].get(name, AVERAGE_STAT)

    def skill_level(self, skill: str) -> int:
        """Return the level of a Skill; 0 if the sheet doesn't have it."""
        return self.table["skills"].get(skill, 0)

    def defense_roll_bonus(self, stat: str) -> int:
        """Return the bonus of a Defense Roll with a Stat (WSH-14)."""
        return defense_roll_bonus(self.stat(stat), self.skill_level(DR_SKILLS[stat]))

    @property
    def defense_roll_power(self) -> int:
        """The DR Power: the value of the primary Stat (WSH-14)."""
        return self.stat(self.archetype["primary"])

    @property
    def ability_hit_bonus(self) -> int:
        """The hit bonus with Abilities (WSH-09)."""
        return hit_bonus(self.stat(self.archetype["primary"]), self.stat(self.archetype["secondary"]))

    def weapon_hit_bonus_from_stats(self, weapon: MomentumWeapon) -> int:
        """Return the hit bonus with a weapon, from the weapon's two Stats (WSH-09)."""
        return hit_bonus(self.stat(weapon["primary"]), self.stat(weapon["secondary"]))

    @property
    def initiative(self) -> int:
        """The Initiative; 0 for an object (WSH-03)."""
        return 0 if self.is_object else initiative(self.stat("ins"), map(self.skill_level, INITIATIVE_SKILLS))

    def evasion(self, shield: str) -> int:
        """Return the Evasion with the armor on the sheet and a kind of shield in hand (WSH-12).

        `shield` is "" without a shield.
        """
        armor = self.table.get("armor")
        base = self.table.get("evasion", self.stat("dex") + stat_bonus(self.stat(self.archetype["evasion"])))
        return evasion_from_base_capped_by_armor(
            base, armor if isinstance(armor, str) else "", shield
        ).evasion

    @property
    def armor_value(self) -> int:
        """The value of the armor on the sheet (WSH-13)."""
        armor = self.table.get("armor", 0)
        return ARMORS[armor].armor if isinstance(armor, str) else armor

    def armor_or_shield_hindering_stealth(self, shield: str) -> str:
        """Return the heavy gear that hinders Stealth: "armor", "shield", or "" for none (WSH-12)."""
        armor = self.table.get("armor")
        if isinstance(armor, str) and ARMORS[armor].dulls_stealth:
            return "armor"
        return "shield" if shield and SHIELDS[shield].dulls_stealth else ""

    @property
    def defenses(self) -> Defenses:
        """The values that reduce damage, and the types of damage with a special effect (WSH-13, 15)."""
        table = self.table
        stands = self.armor_value, self.defense_roll_bonus("con"), self.defense_roll_bonus("wil")
        return Defenses(*stands, table["resist"], table["immune"], table["vulnerable"])

    @property
    def is_object(self) -> bool:
        """Whether the sheet is that of an object (WSH-09, 14).

        An object is hit without a roll, and resists nothing.
        """
        return self.table["object"]

    @property
    def upcast_wp_limit(self) -> int:
        """The most WP that may be spent to upcast one use of an Ability (WSH-08)."""
        return self.table.get("upcast_limit", 0)

    @property
    def dies_at(self) -> int:
        """The Vitality at or below which a combatant dies.

        If the sheet names none, it is 0 for an object. For anybody else it is as far below 0 as the full
        Vitality is above.
        """
        return self.table.get("dies_at", 0 if self.is_object else -self.table["vitality"])

    @property
    def written_weapons(self) -> Mapping[str, MomentumWeapon]:
        """The sheet's weapons by id."""
        return self.table["weapons"]

    @property
    def things_held_at_start(self) -> list[str]:
        """What is in hand when a fight begins: by default the first weapon, and the shield."""
        first = [*list(self.written_weapons)[:1], *([SHIELD] if "shield" in self.table else [])]
        return list(self.table.get("wields", first))

    @property
    def shield_at_start(self) -> str:
        """The kind of shield in hand when a fight begins; "" for none."""
        return self.table.get("shield", "") if SHIELD in self.things_held_at_start else ""


def sheet_of(world: World, ref: str) -> Sheet:
    """Return the sheet of a character or a creature. Raises Refused if it has no `momentum` table."""
    written = sheet_with(world, ref, "momentum", "Vitality", "vitality = 20 and stats")
    return Sheet(written["momentum"])
