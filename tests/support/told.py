"""What facts say, as the game master is told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from strike_cli.kernel.procedure import Happened, World
from strike_cli.kernel.statements import Clause, say
from strike_cli.tabletop.people import GameMaster


def as_json(fact: Happened, world: World | None = None) -> dict[str, Any]:
    """A fact as journals keep it; people are called as in `world`, else by their ids."""
    return fact.as_json(GameMaster(world.book, [world.state]) if world else GameMaster())


def words_of(reason: str | Clause, world: World | None = None) -> str:
    """A reason in words."""
    speaker = GameMaster(world.book, [world.state]) if world else GameMaster()
    return reason if isinstance(reason, str) else say(reason, speaker) or ""


def text_of(fact: Happened | Mapping[str, Any], world: World | None = None) -> str:
    """The words of a fact."""
    told = as_json(fact, world) if isinstance(fact, Happened) else fact
    return str(told["text"])
