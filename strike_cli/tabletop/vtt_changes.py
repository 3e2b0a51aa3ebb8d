"""Edits made on a virtual tabletop, in terms of a scene, and their meaning to the scene's system.

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
    """An edit made on a virtual tabletop, in the scene with this key.

    If its `kind` is MOVED, `who` is now on the square `to`. If it is METER, the number `meter` of `who` is
    now `to`. If it is DOOR, the door at the square `at`, or in the wall between it and `beyond`, is now open
    or closed, as `to` says.
    """

    kind: str
    scene: str
    who: str = ""
    to: str | int | bool = ""
    meter: str = ""
    at: str = ""
    beyond: str = ""


class TakenChange(NamedTuple):
    """What an edit on a virtual tabletop means to a system.

    `command` is the move that plays the edit, "" for none; `args` are its arguments, and `typed` is what one
    types after `strike`. `by_rules` is whether the person may do this by the rules, without an override by
    the game master. `sets` are the values, by paths in the state, that the game master sets instead if the
    move is refused.
    """

    command: str = ""
    args: Args | Mapping[str, object] = _NOTHING
    typed: Sequence[str] = ()
    by_rules: bool = False
    sets: Mapping[str, object] = {}
