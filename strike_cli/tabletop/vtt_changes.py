"""Edits made on a virtual tabletop, in a scene's terms, and their meaning to its system.

Nothing here asks a tabletop or plays a move.
"""

# Annotations are left as they are: kept as text, a NamedTuple would compile each of them at every start.

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ..kernel.procedure import Args
else:
    Args = Mapping

MOVED = "moved"
"""The kind of change that moves a person."""
METER = "meter"
"""The kind of change that sets a person's number."""
DOOR = "door"
"""The kind of change that opens or closes a door."""


_NOTHING: Mapping[str, object] = {}


class TabletopChange(NamedTuple):
    """An edit at a tabletop, in the scene with this key.

    `kind`: MOVED: `who` is now on the square `to`. METER: `who`'s number `meter` is now `to`. DOOR: the door
    at the square `at`, or in the wall between it and `beyond`, is now open or not: `to`.
    """

    kind: str
    scene: str
    who: str = ""
    to: str | int | bool = ""
    meter: str = ""
    at: str = ""
    beyond: str = ""


class TakenChange(NamedTuple):
    """A tabletop's change in a system's terms.

    `command` is the move that plays it, "" for none; `args` are its arguments, and `typed` is the command
    line after `strike`. `by_rules`: it is an action open to the person, not a game master's override. `sets`
    are the values that the game master would set instead, by paths of the state, where the move is refused.
    """

    command: str = ""
    args: Args | Mapping[str, object] = _NOTHING
    typed: Sequence[str] = ()
    by_rules: bool = False
    sets: Mapping[str, object] = {}
