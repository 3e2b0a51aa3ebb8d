"""Edits on a virtual tabletop, and their meaning for a scene's system.

Nothing here contacts a tabletop or plays a move.
"""

# Annotations are left as they are: kept as text, a NamedTuple would compile each of them at every start.

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ..kernel.procedure import Args
else:
    Args = Mapping

MOVED = "moved"
"""The kind of edit that moves somebody."""
METER = "meter"
"""The kind of edit that sets a number of somebody."""
DOOR = "door"
"""The kind of edit that opens or closes a door."""


_NOTHING: Mapping[str, object] = {}


class TabletopChange(NamedTuple):
    """An edit on a virtual tabletop, in the scene with this key.

    If `kind` is MOVED, `who` is now on the square `to`. If it is METER, the number `meter` of `who` is now
    `to`. If it is DOOR, a door is open now if `to` is True. The door is at the square `at`, or in the wall
    between `at` and `beyond`.
    """

    kind: str
    scene: str
    who: str = ""
    to: str | int | bool = ""
    meter: str = ""
    at: str = ""
    beyond: str = ""


class InterpretedChange(NamedTuple):
    """What an edit on a virtual tabletop means in a system: a move that has the same effect.

    `command` is the move, or "" if there is none. `args` has the move's arguments, and `typed` the words to
    type after `strike`. `by_rules` is whether the rules allow the move without an override by the game
    master. If the move is refused, the game master can change the state directly. `sets` has the new values
    for that, by their paths in the state.
    """

    command: str = ""
    args: Args | Mapping[str, object] = _NOTHING
    typed: Sequence[str] = ()
    by_rules: bool = False
    sets: Mapping[str, object] = {}
