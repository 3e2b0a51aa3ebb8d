"""Skill Checks, alone and against each other, and Defense Rolls (WSH-07, 08, 14).

A Skill Check is a d20 and the level of the Skill: the rules at hand say no more of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from strike_cli.plugin import (
    ADVANTAGE,
    DISADVANTAGE,
    Modifier,
    Procedure,
    Refused,
    Rolled,
    Source,
    World,
    listed,
    nearest,
)

from .battle import Battle
from .dice import roll_d20
from .numbers import CRITICAL_FACE, DR_SKILLS, HALF_COVER_DR, SKILLS
from .statuses import modifiers, reasons

Skills = Sequence[str]


class Contest(NamedTuple):
    """How a check against somebody's went: the actor has to be higher (WSH-07)."""

    ours: Rolled
    theirs: Rolled

    @property
    def success(self) -> bool:
        """Whether the actor has it."""
        return self.ours.total > self.theirs.total

    def as_json(self) -> dict[str, Any]:
        """As `--json` shows it."""
        return {"roll": self.ours.as_json(), "against": self.theirs.as_json(), "success": self.success}


def said(adv: Sequence[str], dis: Sequence[str]) -> list[Source]:
    """Advantage and Disadvantage for reasons that people gave."""
    return [Source(ADVANTAGE, reason) for reason in adv] + [Source(DISADVANTAGE, reason) for reason in dis]


def pick_skill(battle: Battle, who: str, allowed: Skills, wanted: str = "") -> str:
    """The Skill that somebody uses, of those allowed: the one wanted, else the best. Raises Refused."""
    if wanted and wanted not in allowed:
        raise Refused(f"{wanted!r} won't do here.", f"One of: {listed(allowed)}.")
    sheet = battle.sheet(who)
    return wanted or max(allowed, key=sheet.level)


def known_skill(battle: Battle, who: str, skill: str) -> str:
    """A Skill that the rules or the sheet know. Raises Refused."""
    known = dict.fromkeys([*SKILLS, *battle.sheet(who).table["skills"]])
    if skill not in known:
        raise Refused(f"There is no Skill {skill!r}.{nearest(skill, known)}", f"One of: {listed(known, 30)}.")
    return skill


def roll_check(
    battle: Battle, who: str, skill: str, why: Sequence[Source] = (), against: int | None = None
) -> Procedure[Rolled]:
    """A Skill Check's die; `against` is all that matters of it, where that is known. Stealth is hard in heavy
    things (WSH-12)."""
    sheet = battle.sheet(who)
    heavy = sheet.dulls_stealth(battle.held_shield(who)) if skill == "stealth" else ""
    why = [*why, *([Source(DISADVANTAGE, heavy)] if heavy else [])]
    level = [Modifier(sheet.level(skill), skill)] if sheet.level(skill) else []
    return (yield from roll_d20(who, skill, why, level, () if against is None else (against,)))


def check(
    world: World, who: str, skill: str, difficulty: int, why: Sequence[Source] = ()
) -> Procedure[tuple[Rolled, bool]]:
    """A Skill Check against a number; the roll, and whether it succeeds."""
    battle = Battle(world)
    rolled = yield from roll_check(battle, who, skill, why, difficulty)
    success = rolled.total >= difficulty
    text = (
        f"{battle.name(who)}, {skill} against {difficulty}: {rolled.words()}, "
        f"{'a success' if success else 'a failure'}{' and critical' if rolled.kept == CRITICAL_FACE else ''}."
    )
    outcome = "success" if success else "failure"
    yield world.happen("momentum-checked", who, text, roll=rolled.as_json(), outcome=outcome)
    return rolled, success


def contest(
    world: World,
    who: str,
    skill: str,
    other: str,
    their_skill: str,
    ours: Sequence[Source] = (),
    theirs: Sequence[Source] = (),
) -> Procedure[Contest]:
    """A check against somebody's: the actor's die, then the other's. A tie is for the other (WSH-07)."""
    battle = Battle(world)
    mine = yield from roll_check(battle, who, skill, ours)
    their = yield from roll_check(battle, other, their_skill, theirs, mine.total)
    found = Contest(mine, their)
    text = (
        f"{battle.name(who)}, {skill}: {mine.words()} against "
        f"{battle.name(other)}, {their_skill}: {their.words()}, "
        f"{'a success' if found.success else 'a failure'}."
    )
    outcome = "success" if found.success else "failure"
    yield world.happen(
        "momentum-checked", who, text, roll=mine.as_json(), against=their.as_json(), outcome=outcome
    )
    return found


def by_size(battle: Battle, who: str, target: str) -> tuple[list[Source], list[Source]]:
    """Advantage of the larger or of the actor: what a size category does to a contest, of the actor and of
    the target. Raises Refused for a target that is too large (WSH-07)."""
    larger = battle.category(target) - battle.category(who)
    if larger > 1:
        raise Refused(
            f"{battle.name(target)} is too large for that.", "One size category above one's own will do."
        )
    return (
        [Source(ADVANTAGE, f"{battle.name(target)} is smaller")] if larger < 0 else [],
        [Source(ADVANTAGE, f"larger than {battle.name(who)}")] if larger > 0 else [],
    )


class Defended(NamedTuple):
    """A Defense Roll; none where somebody let it be, or can't resist."""

    roll: Rolled | None
    success: bool

    def as_json(self) -> dict[str, Any] | None:
        """As `--json` shows it."""
        return self.roll.as_json() if self.roll else None


def defense_roll(
    world: World,
    who: str,
    stat: str,
    power: int,
    *,
    why: Sequence[Source] = (),
    cover: bool = False,
    fails: bool = False,
) -> Procedure[Defended]:
    """Somebody resists: d20, the Stat's bonus and the Skill against a DR Power. Objects fail, and so does who
    wants to (WSH-14); cover helps (WSH-18)."""
    battle = Battle(world)
    if fails or battle.people[who].get("object"):
        text = f"{battle.name(who)} {'lets it happen' if fails else 'resists nothing'}."
        yield world.happen("momentum-resisted", who, text, outcome="failure")
        return Defended(None, False)
    value = battle.sheet(who).dr(stat)
    bonus = [Modifier(value, f"{stat.upper()} and {DR_SKILLS[stat]}")] if value else []
    bonus += [Modifier(HALF_COVER_DR, "half cover")] if cover else []
    bonus += modifiers(battle, who, "dr_bonus")
    sources = [*why, *reasons(battle, who, "dr")]
    rolled = yield from roll_d20(who, f"{stat.upper()} Defense Roll", sources, bonus, (power,))
    success = rolled.total >= power
    text = (
        f"{battle.name(who)} resists with {stat.upper()} against {power}: {rolled.words()}, "
        f"{'and does' if success else 'in vain'}."
    )
    outcome = "success" if success else "failure"
    yield world.happen("momentum-resisted", who, text, roll=rolled.as_json(), outcome=outcome)
    return Defended(rolled, success)
