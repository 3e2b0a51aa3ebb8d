"""Skills on nobody's sheet: asked about once, and then rolled Unskilled (STR-CORE-02)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar, cast

from strike_cli.kernel.procedure import Choose, Procedure, World
from strike_cli.tabletop.people import knows, must_have_points

from .circumstances import must_have_another
from .facts.rolls import AsOnSheet, Helps, MeantAsTyped, WhichSkillIsMeant

if TYPE_CHECKING:
    from .skill import RollingSide

S = TypeVar("S", bound="RollingSide")
UNLISTED = "unlisted_skills"
"""Where the state has Skills that are on nobody's sheet and were rolled Unskilled, each with who did."""


def which_skill(world: World, side: S) -> Procedure[S]:
    """Return the side with the Skill that is meant.

    Where `near` has others for a word on nobody's sheet, the person who typed it is asked. Before that it
    raises Refused for an extra Skill that they don't have, or can't pay for.
    """
    near = [skill for skill in side.near if skill not in (side.also, side.skill)]
    if not near:
        return side
    if side.also:
        must_have_another(world, side.who, side.also)
        must_have_points(world, side.who, Helps(side.also, paid=True), 1)
    options = (*near, side.skill)
    labels = (*(AsOnSheet(knows(world, side.who, skill)) for skill in near), MeantAsTyped())
    about = WhichSkillIsMeant(side.who, side.skill)
    answer = yield Choose(side.who, "the Skill that is meant", options, labels, about=about)
    if answer == side.skill:
        return side.but(near=())
    skilled = knows(world, side.who, answer)
    return side.but(skill=answer, skilled=skilled, near=(), unlisted=False)


def sets_unlisted(world: World, sides: Sequence[RollingSide]) -> dict[str, object]:
    """Return the change that remembers Skills on nobody's sheet, to go with the fact of a roll.

    They are not asked about again.
    """
    return remember_unlisted(
        world, [(side.skill, side.who) for side in sides if side.known and side.unlisted and not side.skilled]
    )


def remember_unlisted(world: World, rolled: Sequence[tuple[str, str]]) -> dict[str, object]:
    """Return the same change for Skills, each with the person who rolled it Unskilled for the first time."""
    new = [{"skill": skill, "who": who} for skill, who in rolled]
    return {UNLISTED: [*unlisted_of(world.state), *new]} if new else {}


def unlisted_of(state: Mapping[str, object]) -> Sequence[Mapping[str, str]]:
    """Return the Skills that are on nobody's sheet and were rolled: `skill`, and `who` rolled it."""
    return cast("Sequence[Mapping[str, str]]", state.get(UNLISTED, ()))
