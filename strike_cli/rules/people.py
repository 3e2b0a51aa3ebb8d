"""Characters as the rules see them: what people wrote on the sheet, and what play has changed."""

from __future__ import annotations

from typing import Any

from .procedure import Procedure, World


def display_name(world: World, who: str) -> str:
    """The name to show for a combatant, a character, or anybody who is only named."""
    name = world.get(f"fight.combatants.{who}.name") if who else None
    if name is None and world.book is not None:
        known = world.book.characters.get(who) or world.book.creatures.get(who) or {}
        name = known.get("name")
    return str(name or who)


def sheet(world: World, who: str) -> dict[str, Any]:
    """The character's sheet as people wrote it, empty for anybody else."""
    found: dict[str, Any] = world.book.characters.get(who, {}) if world.book is not None else {}
    return found


def knows(world: World, who: str, skill: str) -> bool:
    """Whether the Skill is on the sheet, written there or learned in play (STR-CORE-02)."""
    learned = world.get(f"characters.{who}.skills_learned", [])
    return skill.lower() in {name.lower() for name in [*sheet(world, who).get("skills", []), *learned]}


def action_points(world: World, who: str) -> int:
    """Action Points now (STR-CORE-21)."""
    return int(world.get(f"characters.{who}.ap", sheet(world, who).get("ap", 0)))


def gain_action_point(world: World, who: str, why: str) -> Procedure[None]:
    """One more Action Point, with its reason (STR-CORE-21)."""
    now = action_points(world, who) + 1
    text = f"{display_name(world, who)} gains an Action Point ({now} now): {why}."
    yield world.happen("ap-gained", who, text, {f"characters.{who}.ap": now}, why=why)
