"""The parts of systems in the display of a character's whole sheet, and in lists of everybody."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from .result import Block, Span

if TYPE_CHECKING:
    from ..kernel.procedure import World
    from ..registry.declaration import System
    from ..tabletop.own_sheet import OwnSheet

NEW: Span = ("+", "good")
LOST: Span = ("-", "bad")
CHANGED: Span = ("~", "warn")
MARKS = {"+": "gained in play", "-": "lost in play", "~": "changed in play"}
"""The marks on a sheet, and their explanations at its foot."""


class SheetView(NamedTuple):
    """A system's part of a sheet.

    `data` is for scripts; `vitals` for the line at the top; `column`, a heading and a cell, for the list of
    everybody; `blocks` come below everything else.
    """

    data: Mapping[str, object] = {}
    vitals: Sequence[Span] = ()
    column: tuple[str, str] | None = None
    blocks: Sequence[Block] = ()
    changed: bool = False
    """Whether part of it is marked as changed in play."""


class SheetItem(NamedTuple):
    """A person's possession: the person, its id, and its description."""

    who: str
    id: str
    what: str


class PartyView(NamedTuple):
    """A system's part of the display of everybody.

    `data` of each person are for scripts; `numbers` are those that everybody at the table may see, by name;
    `columns` are by heading, with a cell for each person; `held` are ailments, and `unresolved` are tasks
    that are still open.
    """

    data: Mapping[str, Mapping[str, object]] = {}
    numbers: Mapping[str, Mapping[str, int]] = {}
    columns: Mapping[str, Mapping[str, Span]] = {}
    held: Sequence[SheetItem] = ()
    unresolved: Sequence[SheetItem] = ()


def party_views(world: World, people: Iterable[str]) -> list[PartyView]:
    """Return each system's view of these people."""
    from .views import shown_by_all

    everybody = list(people)
    found = shown_by_all(world, lambda views: views.party(world, everybody))
    return [view for view in found if view is not None]


def sheet_views(world: World, person: str) -> list[SheetView]:
    """Return each system's view of a character.

    The view has only data for a system that the campaign doesn't play and that has nothing on the sheet.
    """
    from ..registry import contained, installed_systems
    from .views import views_of

    found = []
    for system in installed_systems(world.book.registry):
        with contained(system.name):
            if (part := views_of(system).sheet(world, person)) is not None:
                found.append(part if shows_part(world, system, person) else SheetView(part.data))
    return found


def own_sheets(world: World, person: str) -> Iterator[OwnSheet]:
    """Yield each system's part of a player's own sheet, in the world as players know it."""
    from ..registry import installed_systems
    from .views import views_of

    for system in installed_systems(world.book.registry):
        with suppress(Exception):  # a system that fails over what players know must not stop the rest
            if (
                shows_part(world, system, person)
                and (own := views_of(system).own_sheet(world, person)) is not None
            ):
                yield own


def shows_part(world: World, system: System, person: str) -> bool:
    """Return whether a sheet shows a system's part.

    It does if the campaign plays the system, or the sheet has keys of it.
    """
    return is_played(world, system.name) or _has_sheet(world, system, person)


def is_played(world: World, name: str) -> bool:
    """Return whether a campaign plays a system: it names the system, or none at all.

    The core is played with any other of Strike!'s own systems.
    """
    from ..registry import installed

    named = world.book.systems
    own = installed.index().plugins[0].systems
    return not named or name in named or (name == "core" and any(each in own for each in named))


FOR_ANY_SYSTEM = {"size"}
"""Keys of sheets for any game with a map."""


def _has_sheet(world: World, system: System, person: str) -> bool:
    """Return whether a character's sheet has keys of a system, or play has stored some."""
    from ..content.schemas import fields_of

    written = world.book.characters.get(person, {})
    kept: Mapping[str, object] = world.get(f"characters.{person}", {})
    for name, field in fields_of(system, "characters").items():
        default = field[1] if isinstance(field, tuple) else None
        if name not in FOR_ANY_SYSTEM and (written.get(name, default) != default or name in kept):
            return True
    return False
