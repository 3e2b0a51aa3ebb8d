"""Edits made on a virtual tabletop, in words of a scene, and their meaning to the system that plays it.

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
"""The kind of a change by which somebody stands elsewhere."""
METER = "meter"
"""The kind of a change of somebody's number."""
DOOR = "door"
"""The kind of a change by which a door is opened or closed."""


_NOTHING: Mapping[str, object] = {}


class TabletopChange(NamedTuple):
    """An edit at a tabletop, in the scene with this key.

    `kind`: MOVED: `who` stands on the square `to`. METER: `who`'s number `meter` is `to`. DOOR: the one at
    the square `at` towards `beyond` is open, or not: `to`.
    """

    kind: str
    scene: str
    who: str = ""
    to: str | int | bool = ""
    meter: str = ""
    at: str = ""
    beyond: str = ""


class TakenChange(NamedTuple):
    """A tabletop's change as a system takes it.

    `command` is the move that plays it, "" where none does; `args` are its arguments, and `typed` is what one
    would type after `strike`. `by_rules`: it is an action open to the person, not the game master's hand.
    `sets` are the values that the game master would set instead, by paths of the state, where the move is
    refused.
    """

    command: str = ""
    args: Args | Mapping[str, object] = _NOTHING
    typed: Sequence[str] = ()
    by_rules: bool = False
    sets: Mapping[str, object] = {}
