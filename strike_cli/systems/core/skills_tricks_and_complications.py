"""Learning and forgetting Skills by hand, and a character's present Tricks and Complications."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from strike_cli.kernel.procedure import Args, Procedure, World
from strike_cli.problems import Refused, listed
from strike_cli.tabletop.characters_and_names import (
    character_changes_of,
    display_name,
    has_skill,
    slug,
    written_sheet,
)

from .facts.points_tricks_and_growth import SkillForgotten, SkillLearned

if TYPE_CHECKING:
    from .data import LearnData


class CharacterSkill(Args):
    """The arguments of `skill learn` and `skill forget`: a character and a Skill."""

    who: str
    skill: str


def play_learn(world: World, args: CharacterSkill) -> Procedure[LearnData]:
    """Play `skill learn`: add a Skill to the sheet, but not the Skill's Tools (STR-CORE-25).

    Raises Refused if the character has the Skill already.
    """
    person, skill = args.who, args.skill
    name = display_name(world, person)
    if has_skill(world, person, skill):
        raise Refused(f"{name} has {skill} already.", f"`strike character show {person}` lists the Skills.")
    path = f"characters.{person}.skills_learned"
    now = [*character_changes_of(world, person).get("skills_learned", []), skill]
    yield world.tell(SkillLearned(person, skill), {path: now})
    return {"who": person, "skill": skill, "learned": now}


def play_forget(world: World, args: CharacterSkill) -> Procedure[LearnData]:
    """Play `skill forget`: remove a Skill that was learned in play. Raises Refused for any other Skill."""
    person, low = args.who, args.skill.lower()
    name = display_name(world, person)
    path = f"characters.{person}.skills_learned"
    held = character_changes_of(world, person).get("skills_learned", [])
    found = next((skill for skill in held if skill.lower() == low), None)
    if found is None:
        if has_skill(world, person, args.skill):
            raise Refused(
                f"{args.skill} is on {name}'s sheet as written.",
                "strike never changes that file: remove it yourself.",
            )
        raise Refused(f"{name} has not learned {args.skill}.", f"Learned in play: {listed(held)}.")
    left = [skill for skill in held if skill != found]
    yield world.tell(SkillForgotten(person, found), {path: left or None})
    return {"who": person, "skill": found, "learned": left}


class Trick(NamedTuple):
    """A narrow use of a Skill (STR-CORE-23). `skill` is "" if the sheet names none for it."""

    name: str
    skill: str = ""
    text: str = ""


class Complication(NamedTuple):
    """A way in which a character gets into trouble (STR-CORE-24)."""

    name: str
    text: str = ""


def present_tricks_of(world: World, person: str) -> list[Trick]:
    """Return a character's present Tricks.

    First come the Tricks of the sheet that the character hasn't given up, then the Tricks gained in play.
    """
    lost = {slug(name) for name in character_changes_of(world, person).get("tricks_lost", [])}
    found = {slug(trick.name): trick for trick in sheet_tricks(world, person) if slug(trick.name) not in lost}
    for item in character_changes_of(world, person).get("tricks_gained", []):
        found.setdefault(slug(item["name"]), Trick(item["name"], item.get("skill", "")))
    return list(found.values())


def present_complications_of(world: World, person: str) -> list[Complication]:
    """Return a character's present Complications.

    First come the Complications of the sheet that the character hasn't given up, then those gained in play.
    """
    lost = {slug(name) for name in character_changes_of(world, person).get("complications_lost", [])}
    written = [one for one in sheet_complications(world, person) if slug(one.name) not in lost]
    found = {slug(one.name): one for one in written}
    for name in character_changes_of(world, person).get("complications_gained", []):
        found.setdefault(slug(name), Complication(name))
    return list(found.values())


def sheet_tricks(world: World, person: str) -> list[Trick]:
    """Return the Tricks on the written sheet, without changes made in play."""
    return [
        Trick(item)
        if isinstance(item, str)
        else Trick(item["name"], item.get("skill", ""), item.get("text", ""))
        for item in written_sheet(world, person).get("tricks", [])
    ]


def sheet_complications(world: World, person: str) -> list[Complication]:
    """Return the Complications on the written sheet, without changes made in play."""
    return [
        Complication(item) if isinstance(item, str) else Complication(item["name"], item.get("text", ""))
        for item in written_sheet(world, person).get("complications", [])
    ]
