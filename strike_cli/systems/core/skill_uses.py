"""Uses of Skills are counted: so many of one make a Trick tied to it (STR-CORE-32)."""

from __future__ import annotations

from strike_cli.kernel.procedure import World
from strike_cli.tabletop.people import kept, skills_of, slug


def skill_uses(world: World, who: str, skill: str) -> int:
    """Return the uses of a Skill towards a new Trick, up to the house's `skill_uses_for_trick`."""
    return kept(world, who).get("skill_uses", {}).get(slug(skill), 0)


def count_skill_use(world: World, who: str, skill: str) -> dict[str, int]:
    """Return the change that counts a use of a Skill, to go with the fact of the roll (STR-CORE-32).

    Only one's own Skills are counted, and no further than the house's number: a full counter waits.
    """
    if world.book is None or not skill:
        return {}
    own = {name.lower() for name in skills_of(world, who)}
    uses, most = skill_uses(world, who, skill), world.book.house["skill_uses_for_trick"]
    if skill.lower() not in own or uses >= most:
        return {}
    return {f"characters.{who}.skill_uses.{slug(skill)}": uses + 1}
