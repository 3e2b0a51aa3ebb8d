"""What somebody changed on a virtual tabletop is to a fight by Grit."""

from __future__ import annotations

from strike_cli.plugin import World
from strike_cli.plugin.board import TabletopChange, TakenChange


def takes(world: World, change: TabletopChange) -> TakenChange:
    """Turn a tabletop's change into a command.

    A token that was moved goes there, a door is opened or closed; numbers are the game master's hand.
    """
    who, to = change.who, change.to
    if change.kind == "door":
        words = ("grit", "door", change.at, change.beyond, *([] if to else ["--close"]))
        door = {"at": change.at, "beyond": change.beyond, "open": to}
        return TakenChange("grit door", door, words, by_rules=True)
    key = "at" if change.kind == "moved" else change.meter
    sets = {f"grit.people.{who}.{key}": to}
    if change.kind == "moved":
        return TakenChange("grit move", {"who": who, "to": to}, ("grit", "move", who, str(to)), True, sets)
    return TakenChange(sets=sets)
