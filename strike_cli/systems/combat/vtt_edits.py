"""The meaning of a virtual tabletop's edits to a fight: a move by the rules, or an override."""

from __future__ import annotations

from strike_cli.kernel.procedure import World
from strike_cli.play.gm_override.ground import DoorByHand
from strike_cli.tabletop.vtt_changes import DOOR, TabletopChange, TakenChange

from .board.move import MoveAction
from .fight import Fight, path_of
from .gm import SetHitPoints


def takes(world: World, change: TabletopChange) -> TakenChange:
    """Turn a tabletop's change into a command.

    A token that was moved is a Move Action, asked for what it costs (STR-TAC-07, 08); HP are the game
    master's hand with all that follows from it; a door is opened or closed.
    """
    who, to = change.who, change.to
    if change.kind == DOOR:
        squares = [square for square in (change.at, change.beyond) if square]
        words = ("combat", "door", "open" if to else "close", *squares)
        return TakenChange(
            "combat door", DoorByHand(at=change.at, beyond=change.beyond, open=bool(to)), words, by_rules=True
        )
    if who not in Fight(world).data["combatants"]:
        return TakenChange()
    if isinstance(to, str):
        move = MoveAction(who=who, to=to)
        return TakenChange("combat move", move, ("combat", "move", who, to), True, {path_of(who, "at"): to})
    if change.meter == "hp":
        hp = SetHitPoints(who=who, to=to)
        return TakenChange("combat hp", hp, ("combat", "hp", who, f"={to}"), False, {path_of(who, "hp"): to})
    return TakenChange()
