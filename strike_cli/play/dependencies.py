"""The changes of a command in the words of its readers: sheets, scenes, and anything else a roll rests on.

While a decision is open, nothing that its command has read may change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..kernel.facts import State
from ..kernel.procedure import MADE_UP
from ..registry import systems
from ..registry.installed import Index, index, load_object
from ..tabletop.people import characters_in

ALL = "all"
"""What everything rests on: the session, and every table of the state that nobody says less of."""

Touches = Callable[[State, State], Iterable[str]]


def sheet_of(who: str) -> str:
    """Return the name of somebody's sheet as a dependency, by which decisions about them wait, too."""
    return f"roll {who}".replace(".", "-")


def touched(before: State, after: State, of: Index | None = None) -> set[str]:
    """Return all that is otherwise in one state than in the other, by the systems `of` a campaign."""
    changed = {key for key in {**before, **after} if before.get(key) != after.get(key)} - {"pending"}
    if not changed:
        return set()
    scenes, tables, unread = index().scenes, set[str](), set[str]()
    found = changed & scenes.keys()
    for system in systems(of):
        unread.update(system.sheets.unread)
        if system.touches:
            tables.update(system.state)
            touches: Touches = load_object(system.absolute(system.touches))
            found.update(touches(before, after))
    if changed - scenes.keys() - tables - {"characters", "parked", MADE_UP}:
        found.add(ALL)
    was, now = characters_in(before), characters_in(after)
    for who in {**was, **now}:
        old, new = was.get(who, {}), now.get(who, {})
        if old is not new and any(old.get(key) != new.get(key) for key in {**old, **new}.keys() - unread):
            found.add(sheet_of(who))
    return found
