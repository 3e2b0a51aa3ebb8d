"""Skills that a sheet gains and loses by hand; rolls teach them too (STR-CORE-06, 14)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Args, Procedure, World
from strike_cli.problems import Refused, listed
from strike_cli.tabletop.people import display_name, kept, knows

from .facts.learned import SkillForgotten, SkillLearned

if TYPE_CHECKING:
    from .data import ForgetData, LearnData


class CharacterSkill(Args):
    """Somebody and a Skill."""

    who: str
    skill: str


def play_learn(world: World, args: CharacterSkill) -> Procedure[LearnData]:
    """`skill learn`: a Skill comes to the sheet, without its Tools (STR-CORE-25)."""
    who, skill = args.who, args.skill
    name = display_name(world, who)
    if knows(world, who, skill):
        raise Refused(f"{name} has {skill} already.", f"`strike character show {who}` has the Skills.")
    path = f"characters.{who}.skills_learned"
    now = [*kept(world, who).get("skills_learned", []), skill]
    yield world.tell(SkillLearned(who, skill), {path: now})
    return {"who": who, "skill": skill, "learned": now}


def play_forget(world: World, args: CharacterSkill) -> Procedure[ForgetData]:
    """`skill forget`: a Skill learned in play is taken back."""
    who, low = args.who, args.skill.lower()
    name = display_name(world, who)
    path = f"characters.{who}.skills_learned"
    held = kept(world, who).get("skills_learned", [])
    found = next((skill for skill in held if skill.lower() == low), None)
    if found is None:
        if knows(world, who, args.skill):
            raise Refused(
                f"{args.skill} is on {name}'s sheet as written.",
                "strike never changes that: take it out of the file yourself.",
            )
        raise Refused(f"{name} has not learned {args.skill}.", f"Learned in play: {listed(held)}.")
    left = [skill for skill in held if skill != found]
    yield world.tell(SkillForgotten(who, found), {path: left or None})
    return {"who": who, "skill": found, "learned": left}
