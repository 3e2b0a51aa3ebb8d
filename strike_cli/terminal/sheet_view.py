"""What a system shows of a character, for whoever lays out the whole sheet; and what of everybody."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from .result import Block, Span

if TYPE_CHECKING:
    from ..kernel.procedure import World

NEW: Span = ("+", "good")
LOST: Span = ("-", "bad")
CHANGED: Span = ("~", "warn")
MARKS = {"+": "gained in play", "-": "lost in play", "~": "changed in play"}
"""What a sheet marks, and how it says so at its foot."""


class SheetView(NamedTuple):
    """A system's part of a sheet: `data` for scripts; `vitals` for the line of what is looked at first;
    `column`, a heading and a cell, for the list of everybody; `blocks` below everything else."""

    data: Mapping[str, Any] = {}
    vitals: Sequence[Span] = ()
    column: tuple[str, str] | None = None
    blocks: Sequence[Block] = ()
    changed: bool = False
    """Whether something of it is marked as changed in play."""


class SheetItem(NamedTuple):
    """Something that somebody has: whose, its id, and what it is in words."""

    who: str
    id: str
    what: str


class PartyView(NamedTuple):
    """A system's part of what is shown of everybody: `data` of each for scripts; `columns` by heading, with a
    cell for each; what ails them (`held`), and what of theirs is `unresolved`."""

    data: Mapping[str, Mapping[str, Any]] = {}
    columns: Mapping[str, Mapping[str, Span]] = {}
    held: Sequence[SheetItem] = ()
    unresolved: Sequence[SheetItem] = ()


def party_views(world: World, people: Iterable[str]) -> list[PartyView]:
    """What each system shows of these people."""
    from ..registry import hooks

    everybody = list(people)
    return [view(world, everybody) for view in hooks(lambda system: system.on_party)]


def sheet_views(world: World, who: str) -> list[SheetView]:
    """What each system shows of a character."""
    from ..registry import hooks

    return [view(world, who) for view in hooks(lambda system: system.on_sheets)]
