"""What somebody changed on a virtual tabletop is to a fight: a move by the rules, or the game master's
hand."""

from __future__ import annotations

from strike_cli.kernel.procedure import World
from strike_cli.tabletop.changed import DOOR, METER, MOVED, Change, Taken

from .doors import Door
from .fight import Fight, path_of
from .gm import SetHitPoints
from .move import Move


def takes(world: World, change: Change) -> Taken:
    """A token that was moved is a Move Action, asked for what it costs (STR-TAC-07, 08); HP are the game
    master's hand with all that follows from it; a door is opened or closed."""
    who, to = change.who, change.to
    if change.kind == DOOR:
        squares = [square for square in (change.at, change.beyond) if square]
        words = ("combat", "door", "open" if to else "close", *squares)
        return Taken("combat door", Door(at=change.at, beyond=change.beyond, open=to), words, by_rules=True)
    if who not in Fight(world).data["combatants"]:
        return Taken()
    if change.kind == MOVED:
        move = Move(who=who, to=to, sure=False)
        return Taken("combat move", move, ("combat", "move", who, to), True, {path_of(who, "at"): to})
    if change.kind == METER and change.meter == "hp":
        hp = SetHitPoints(who=who, to=to)
        return Taken("combat hp", hp, ("combat", "hp", who, f"={to}"), False, {path_of(who, "hp"): to})
    return Taken()
