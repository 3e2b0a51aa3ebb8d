"""What facts say, as the game master is told; and to somebody who doesn't know all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from strike_cli.kernel.procedure import Happened, World
from strike_cli.kernel.statements import ENGLISH, Clause, say
from strike_cli.tabletop.characters_and_names import GameMasterSpeaker


def as_json(fact: Happened, world: World | None = None) -> dict[str, Any]:
    """A fact as journals keep it; people are called as in `world`, else by their ids."""
    return fact.as_json(GameMasterSpeaker(world.book, [world.state]) if world else GameMasterSpeaker())


def words_of(reason: str | Clause, world: World | None = None) -> str:
    """A reason in words."""
    speaker = GameMasterSpeaker(world.book, [world.state]) if world else GameMasterSpeaker()
    return reason if isinstance(reason, str) else say(reason, speaker) or ""


def text_of(fact: Happened | Mapping[str, Any], world: World | None = None) -> str:
    """The words of a fact."""
    told = as_json(fact, world) if isinstance(fact, Happened) else fact
    return str(told["text"])


class Listener:
    """Somebody who is told something: everything, or as a player who knows of nobody and nothing whose id
    begins with shadow, nor the HP of anybody but Vex."""

    language = ENGLISH
    names: ClassVar[Mapping[str, str]] = {
        "runners": "the Runners",
        "reet": "von Reet",
        "goblin-1": "goblin-1",
        "rivals": "Shadow's Own",
    }

    def __init__(self, gm: bool = False) -> None:
        self.gm = gm

    def name(self, sort: str, id: str) -> str:
        """The name of somebody, or the id of anything else, with a capital."""
        return self.names.get(id) or id.rpartition(":")[2].capitalize()

    def audience_may_know(self, sort: str, id: str) -> bool:
        """All but people, zones and squares that are shadows."""
        return self.gm or sort not in ("person", "zone", "square") or not id.startswith("shadow")

    def may_know_numbers_of(self, who: str) -> bool:
        """Vex's alone, even where nobody sees them."""
        return self.gm or who in ("vex", "shadow-vex")

    def audience_may_read(self, words: str) -> bool:
        """What doesn't name Shadow."""
        return self.gm or "Shadow" not in words
