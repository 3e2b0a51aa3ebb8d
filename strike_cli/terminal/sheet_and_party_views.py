"""Collects what each system shows of one character's sheet, or of all characters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from .command_output import Block, Span

if TYPE_CHECKING:
    from ..kernel.procedure import World
    from ..registry.system_declaration import System
    from ..tabletop.own_sheet_types import OwnSheet

NEW: Span = ("+", "good")
LOST: Span = ("-", "bad")
CHANGED: Span = ("~", "warn")
MARKS = {"+": "gained in play", "-": "lost in play", "~": "changed in play"}
"""The marks on a sheet, and their explanations at its foot."""


class SheetView(NamedTuple):
    """What one system shows of a sheet or of a scene.

    `data` is for scripts, and `vitals` is for the line at the top. `column` is a heading and a cell, for
    lists of characters. `blocks` is shown below everything else.
    """

    data: Mapping[str, object] = {}
    vitals: Sequence[Span] = ()
    column: tuple[str, str] | None = None
    blocks: Sequence[Block] = ()
    changed: bool = False
    """Whether part of it is marked as changed in play."""


class SheetItem(NamedTuple):
    """Something that a person has, such as a Condition.

    `who` is the person's id, `id` is the id of the thing, and `what` describes it.
    """

    who: str
    id: str
    what: str


class PartyView(NamedTuple):
    """What one system shows of all characters.

    `data` is for scripts, by person. `numbers` has numbers that everybody at the table may see, by person and
    by the number's name. `columns` has a cell for each person, by heading. `held` has ailments, and
    `unresolved` has tasks that are still open.
    """

    data: Mapping[str, Mapping[str, object]] = {}
    numbers: Mapping[str, Mapping[str, int]] = {}
    columns: Mapping[str, Mapping[str, Span]] = {}
    held: Sequence[SheetItem] = ()
    unresolved: Sequence[SheetItem] = ()


def party_views(world: World, people: Iterable[str]) -> list[PartyView]:
    """Return what each system shows of these people; systems that show nothing are left out."""
    from .system_views import collect_from_systems_with_views

    everybody = list(people)
    found = collect_from_systems_with_views(world, lambda views: views.party(world, everybody))
    return [view for view in found if view is not None]


def sheet_views(world: World, person: str) -> list[SheetView]:
    """Return the parts of a character's sheet, one for each system that has something to show.

    If the campaign doesn't play a system and the sheet has no values of it, the system's part has only its
    `data`.
    """
    from ..registry import contain_failures, load_usable_systems, plugin_index_of
    from .system_views import views_of

    found = []
    for system in load_usable_systems(plugin_index_of(world)):
        with contain_failures(system.name):
            if (part := views_of(system).sheet(world, person)) is not None:
                found.append(part if shows_part(world, system, person) else SheetView(part.data))
    return found


def own_sheet_parts(world: World, person: str) -> Iterator[OwnSheet]:
    """Yield the part that each system shows of a character's sheet to the character's player.

    `world` is as the players know it. A system that fails is left out.
    """
    from ..registry import load_usable_systems, plugin_index_of
    from .system_views import views_of

    for system in load_usable_systems(plugin_index_of(world)):
        with suppress(Exception):  # a system that fails over what players know must not stop the rest
            if (
                shows_part(world, system, person)
                and (own := views_of(system).own_sheet(world, person)) is not None
            ):
                yield own


def shows_part(world: World, system: System, person: str) -> bool:
    """Return whether a character's sheet shows a system's part.

    It does if the campaign plays the system, or if the sheet has values of that system.
    """
    return is_listed_in_campaign_or_no_list(world, system.name) or _has_values_on_sheet_or_in_state(
        world, system, person
    )


def is_listed_in_campaign_or_no_list(world: World, system_name: str) -> bool:
    """Return whether a campaign plays a system.

    A campaign plays the systems that it lists. If it lists no systems, it plays all of them. If it lists any
    of strike's own systems, it also plays the core.
    """
    from ..registry import installed_plugins

    named = world.book.systems
    own = installed_plugins.plugin_index().plugins[0].systems
    return not named or system_name in named or (system_name == "core" and any(each in own for each in named))


KEYS_OF_ANY_GAME = {"size"}
"""Keys of sheets for any game with a map."""


def _has_values_on_sheet_or_in_state(world: World, system: System, person: str) -> bool:
    """Return whether a character has a value that belongs to a system.

    The value may be written on the sheet, or stored in the state by play. Keys that every game uses don't
    count.
    """
    from ..content.schemas import added_fields

    written = world.book.characters.get(person, {})
    kept: Mapping[str, object] = world.get(f"characters.{person}", {})
    for name, field in added_fields(system, "characters").items():
        default = field[1] if isinstance(field, tuple) else None
        if name not in KEYS_OF_ANY_GAME and (written.get(name, default) != default or name in kept):
            return True
    return False
