"""Skill Checks of actions, contested or against a number, and Defense Rolls (WSH-07, 08, 14).

These Skill Checks are a d20 plus the level of the Skill, without a Stat. The rules text that strike has says
no more about them. The move `momentum check` (`check_move.py`) also adds a Stat's bonus.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.plugin import Procedure, Refused, World, did_you_mean, listed
from strike_cli.plugin.dice import ADVANTAGE, DISADVANTAGE, Modifier, Rolled, Source
from strike_cli.plugin.facts import Reason, Said

from .dice import roll_d20
from .facts import (
    AgainstDifficulty,
    AgainstSomebody,
    CheckedAgainstNumber,
    CheckedAgainstSomebody,
    DefenseBonus,
    HeavyGear,
    InHalfCover,
    LargerThan,
    MomentumResisted,
    SmallerThan,
    id_in_words,
)
from .fight_state import Battle
from .rule_constants import DR_SKILLS, HALF_COVER_DR, SKILLS
from .statuses import effect_modifiers, status_advantages_and_disadvantages

if TYPE_CHECKING:
    from strike_cli.plugin.dice import RollTold

    from .data import ContestTold

Skills = Sequence[str]


def given_reasons(adv: Sequence[str], dis: Sequence[str]) -> list[Source]:
    """Return the reasons for Advantage and Disadvantage that were typed with a command."""
    return [Source(ADVANTAGE, Said(reason)) for reason in adv] + [
        Source(DISADVANTAGE, Said(reason)) for reason in dis
    ]


def pick_skill(battle: Battle, combatant: str, allowed: Skills, wanted: str = "") -> str:
    """Return the Skill for a check: `wanted` or, if that is "", the allowed Skill with the highest level.

    Raises Refused if `wanted` is not allowed.
    """
    if wanted and wanted not in allowed:
        raise Refused(f"{wanted!r} can't be used here.", f"One of: {listed(allowed)}.")
    sheet = battle.sheet(combatant)
    return wanted or max(allowed, key=sheet.skill_level)


def require_existing_skill(battle: Battle, combatant: str, skill: str) -> str:
    """Check that there is a Skill with the name `skill`, and return `skill`.

    Raises Refused if neither the rules nor the combatant's sheet have the Skill.
    """
    known = dict.fromkeys([*SKILLS, *battle.sheet(combatant).table["skills"]])
    if skill not in known:
        raise Refused(
            f"There is no Skill {skill!r}.{did_you_mean(skill, known)}", f"One of: {listed(known, 30)}."
        )
    return skill


def roll_skill_check(
    battle: Battle,
    combatant: str,
    skill: str,
    why: Sequence[Source] = (),
    against: int | None = None,
    about: Reason = "",
) -> Procedure[Rolled]:
    """Roll for a Skill Check, without reporting it.

    Heavy gear gives Disadvantage on Stealth (WSH-12). `against` is the number that the total has to exceed or
    equal, if there is one. The odds then only distinguish success from failure. `about` tells the roller what
    the roll is for.
    """
    sheet = battle.sheet(combatant)
    heavy = (
        sheet.armor_or_shield_hindering_stealth(battle.held_shield_kind(combatant))
        if skill == "stealth"
        else ""
    )
    why = [*why, *([Source(DISADVANTAGE, HeavyGear(heavy))] if heavy else [])]
    level = [Modifier(sheet.skill_level(skill), id_in_words(skill))] if sheet.skill_level(skill) else []
    return (yield from roll_d20(combatant, skill, why, level, () if against is None else (against,), about))


def skill_check(
    world: World, combatant: str, skill: str, difficulty: int, why: Sequence[Source] = ()
) -> Procedure[tuple[Rolled, bool]]:
    """Play a Skill Check against a number. Return the roll, and whether it succeeds."""
    battle = Battle(world)
    rolled = yield from roll_skill_check(
        battle, combatant, skill, why, difficulty, AgainstDifficulty(difficulty)
    )
    success = rolled.total >= difficulty
    outcome = "success" if success else "failure"
    yield world.tell(CheckedAgainstNumber(combatant, skill, rolled, outcome, difficulty))
    return rolled, success


def contested_check(
    world: World,
    combatant: str,
    skill: str,
    other: str,
    their_skill: str,
    reasons: Sequence[Source] = (),
    their_reasons: Sequence[Source] = (),
) -> Procedure[ContestTold]:
    """Play a contested check: the actor's roll, then the roll of `other` (WSH-07).

    In a tie, `other` wins.
    """
    battle = Battle(world)
    mine = yield from roll_skill_check(battle, combatant, skill, reasons, about=AgainstSomebody(other))
    their = yield from roll_skill_check(
        battle, other, their_skill, their_reasons, mine.total, AgainstSomebody(combatant)
    )
    success = mine.total > their.total
    outcome = "success" if success else "failure"
    yield world.tell(CheckedAgainstSomebody(combatant, skill, mine, outcome, other, their_skill, their))
    return {"roll": mine.as_json(), "against": their.as_json(), "success": success}


def contest_advantages_unless_too_large(
    battle: Battle, actor: str, target: str
) -> tuple[list[Source], list[Source]]:
    """Return the actor's and the target's reasons for Advantage in a contest in which size matters.

    Raises Refused if the target is more than one size category larger (WSH-07).
    """
    larger = battle.size_category(target) - battle.size_category(actor)
    if larger > 1:
        raise Refused(
            f"{battle.name(target)} is too large for that.", "It may be one size category above its own."
        )
    return (
        [Source(ADVANTAGE, SmallerThan(target))] if larger < 0 else [],
        [Source(ADVANTAGE, LargerThan(actor))] if larger > 0 else [],
    )


class DefenseRollResult(NamedTuple):
    """The result of a Defense Roll. `roll` is None if the target is an object or chose to fail."""

    roll: Rolled | None
    success: bool

    def as_json(self) -> RollTold | None:
        return self.roll.as_json() if self.roll else None


def defense_roll(
    world: World,
    combatant: str,
    stat: str,
    power: int,
    *,
    why: Sequence[Source] = (),
    cover: bool = False,
    fails: bool = False,
) -> Procedure[DefenseRollResult]:
    """Play a Defense Roll: a d20 with the Stat's bonus and Skill, against a DR Power.

    An object fails the roll without rolling, and so does anybody with `fails` (WSH-14). With `cover`, half
    cover adds a bonus (WSH-18).
    """
    battle = Battle(world)
    if fails or battle.people[combatant].get("object"):
        yield world.tell(MomentumResisted(combatant, "failure", lets=fails))
        return DefenseRollResult(None, False)
    value = battle.sheet(combatant).defense_roll_bonus(stat)
    bonus = [Modifier(value, DefenseBonus(stat, DR_SKILLS[stat]))] if value else []
    bonus += [Modifier(HALF_COVER_DR, InHalfCover())] if cover else []
    bonus += effect_modifiers(battle, combatant, "dr_bonus")
    sources = [*why, *status_advantages_and_disadvantages(battle, combatant, "dr")]
    rolled = yield from roll_d20(
        combatant, f"{stat.upper()} Defense Roll", sources, bonus, (power,), AgainstDifficulty(power)
    )
    success = rolled.total >= power
    outcome = "success" if success else "failure"
    yield world.tell(MomentumResisted(combatant, outcome, stat, power, rolled))
    return DefenseRollResult(rolled, success)
