"""The move `momentum check`: a d20, a Stat's bonus and a Skill's level (WSH-08, 14).

The check is made against a number, against another person, or against nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.plugin import Args, Procedure, Refused, World
from strike_cli.plugin.dice import DISADVANTAGE, Modifier, Rolled, Source
from strike_cli.plugin.facts import Reason

from .checks_and_defense_rolls import given_reasons
from .dice import roll_d20
from .facts import (
    AgainstDifficulty,
    AgainstSomebody,
    BareBonus,
    CheckedAgainstNumber,
    CheckedAgainstSomebody,
    CheckedAlone,
    HeavyGear,
    MomentumReckoned,
    StatBonus,
    id_in_words,
)
from .fight_state import Battle
from .refusals import NoStat
from .rule_constants import CRITICAL_FACE, DR_SKILLS, STATS
from .sheet_and_formulas import Sheet, defense_roll_bonus, sheet_of, stat_bonus

if TYPE_CHECKING:
    from .data import MomentumCheckData


class CheckSkill(Args):
    """The arguments of `momentum check`.

    Attributes:
        who: The person who checks.
        skill: The Skill of the check.
        difficulty: The number to reach, if there is no opponent.
        against: The opponent, whose total must be beaten.
        their_skill: The opponent's Skill; by default the same as `skill`.
        stat: The Stat to use instead of the usual one.
        bare: The value of the Stat, for a check without a sheet.
        level: The level of the Skill, for a check without a sheet.
    """

    who: str = ""
    skill: str = ""
    difficulty: int | None = None
    against: str = ""
    their_skill: str = ""
    stat: str = ""
    bare: int | None = None
    level: int = 0
    adv: Sequence[str] = ()
    dis: Sequence[str] = ()

    def people(self) -> Sequence[str]:
        return [combatant for combatant in (self.who, self.against) if combatant]


class Checker(NamedTuple):
    """Somebody who makes a Skill Check, with their bonus, and the reasons for Advantage and Disadvantage."""

    who: str
    skill: str
    bonus: Sequence[Modifier]
    why: Sequence[Source]

    def roll(self, against: int | None, about: Reason) -> Procedure[Rolled]:
        reaching = () if against is None else (against,)
        return roll_d20(self.who, self.skill, self.why, self.bonus, reaching, about)


def play_check(world: World, args: CheckSkill) -> Procedure[MomentumCheckData]:
    """Play `momentum check`: a check of a Skill.

    The check can be against a difficulty, against an opponent, or against nothing. To succeed, the actor's
    total must reach the difficulty, or beat the opponent's total. The actor's dice are rolled first, then the
    opponent's.

    If the Stat was typed as a number (`args.bare`), the check needs no person and no Skill. Otherwise,
    Refused is raised if one of them is missing, or if both a difficulty and an opponent are given. Refused is
    also raised for an object, which can't make a check.
    """
    if args.bare is not None:
        return (yield from _check_with_bare_bonus(world, args))
    if not args.who or not args.skill:
        raise Refused(
            "The person and the Skill are missing.", "Name both: `strike momentum check WHO SKILL`."
        )
    if args.against and args.difficulty is not None:
        raise Refused("A check needs a number or an opponent.", "Give --difficulty or --against.")
    mine = _checker_of(world, args.who, args.skill, args.stat, given_reasons(args.adv, args.dis))
    if args.against:
        return (yield from _play_contested_check(world, mine, args))
    about: Reason = "" if args.difficulty is None else AgainstDifficulty(args.difficulty)
    rolled = yield from mine.roll(args.difficulty, about)
    if args.difficulty is None:
        yield world.tell(CheckedAlone(args.who, args.skill, rolled, ""))
        return _result_of_check(rolled, None, None)
    success = rolled.total >= args.difficulty
    outcome = "success" if success else "failure"
    yield world.tell(CheckedAgainstNumber(args.who, args.skill, rolled, outcome, args.difficulty))
    return _result_of_check(rolled, args.difficulty, success)


def _play_contested_check(world: World, mine: Checker, args: CheckSkill) -> Procedure[MomentumCheckData]:
    theirs = _checker_of(world, args.against, args.their_skill or args.skill, "", ())
    ours = yield from mine.roll(None, AgainstSomebody(args.against))
    others = yield from theirs.roll(ours.total, AgainstSomebody(args.who))
    success = ours.total > others.total
    outcome = "success" if success else "failure"
    told = CheckedAgainstSomebody(args.who, args.skill, ours, outcome, args.against, theirs.skill, others)
    yield world.tell(told)
    data = _result_of_check(ours, None, success)
    data["against"] = others.as_json()
    return data


def _check_with_bare_bonus(world: World, args: CheckSkill) -> Procedure[MomentumCheckData]:
    bonus = [Modifier(defense_roll_bonus(args.bare or 0, args.level), BareBonus())]
    reaching = () if args.difficulty is None else (args.difficulty,)
    rolled = yield from roll_d20("", "Skill Check", given_reasons(args.adv, args.dis), bonus, reaching)
    success = None if args.difficulty is None else rolled.total >= args.difficulty
    outcome = "success" if success else "failure"
    yield world.tell(MomentumReckoned(roll=rolled, needed=args.difficulty, outcome=outcome))
    return _result_of_check(rolled, args.difficulty, success)


def _result_of_check(rolled: Rolled, difficulty: int | None, success: bool | None) -> MomentumCheckData:
    return {
        "roll": rolled.as_json(),
        "bonus": sum(item.value for item in rolled.modifiers),
        "total": rolled.total,
        "difficulty": difficulty,
        "against": None,
        "success": success,
        "critical": rolled.kept == CRITICAL_FACE,
    }


def _checker_of(world: World, combatant: str, skill: str, stat: str, why: Sequence[Source]) -> Checker:
    """Return the person who checks, with the bonus and the Disadvantage that follow from their sheet.

    `combatant` is somebody in the fight, a character or a creature. Heavy gear gives Disadvantage on checks
    of stealth. A shield counts only while it is in hand (WSH-12). Raises Refused for an object, and NoStat
    for an unknown Stat.
    """
    here: Mapping[str, object] = world.get(f"momentum.people.{combatant}", {})
    sheet = sheet_of(world, str(here.get("ref", combatant)))
    if sheet.is_object:
        raise Refused(
            f"{here.get('name', combatant)} is an object, and makes no Skill Checks.",
            "Name a living creature.",
        )
    if stat and stat not in STATS:
        raise NoStat(repr(stat), f"Stats: {', '.join(STATS)}.")
    of = stat or _stat_for_skill(sheet, skill)
    bonus = [Modifier(value, StatBonus(of))] if of and (value := stat_bonus(sheet.stat(of))) else []
    bonus += [Modifier(sheet.skill_level(skill), id_in_words(skill))] if sheet.skill_level(skill) else []
    shield = Battle(world).held_shield_kind(combatant) if here else sheet.shield_at_start
    heavy = sheet.armor_or_shield_hindering_stealth(shield) if skill == "stealth" else ""
    return Checker(
        combatant, skill, bonus, [*why, *([Source(DISADVANTAGE, HeavyGear(heavy))] if heavy else [])]
    )


def _stat_for_skill(sheet: Sheet, skill: str) -> str:
    """Return the Stat that a Skill uses, by the sheet or by the rules; "" if neither names one."""
    pairs = {of: stat for stat, of in DR_SKILLS.items()}
    return str(sheet.table.get("skill_stats", {}).get(skill) or pairs.get(skill, ""))


def odds_key(data: Mapping[str, object]) -> dict[str, object]:
    """Return the values by which `strike odds momentum check` tells results apart."""
    return {"success": data["success"], "critical": data["critical"]}
