"""What somebody changed on a virtual tabletop is to a fight by Momentum."""

from __future__ import annotations

from strike_cli.plugin import World
from strike_cli.plugin.board import TabletopChange, TakenChange


def takes(world: World, change: TabletopChange) -> TakenChange:
    """Turn a tabletop's change into a command.

    A token that was moved goes there in its turn; numbers are the game master's hand.
    """
    who, to = change.who, change.to
    if change.kind == "moved":
        sets = {f"momentum.people.{who}.at": to}
        move = {"who": who, "to": to}
        return TakenChange("momentum move", move, ("momentum", "move", who, str(to)), True, sets)
    return TakenChange(sets={f"momentum.people.{who}.{change.meter}": to} if change.meter else {})
