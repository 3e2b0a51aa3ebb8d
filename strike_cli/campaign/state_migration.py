"""Conversion of a system's stored state from an earlier version, by `System.migrations`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, cast

from ..faults import fault_lines
from ..kernel.procedure import Happened, World
from ..kernel.state_changes import apply_changes, look_up
from ..problems import PluginProblem, Refused
from ..registry import load_system
from ..registry.installed_plugins import load_object
from ..registry.plugin_blame import require_plugin_code
from ..tabletop.people import GameMaster
from .bookkeeping_facts import StateMigrated
from .outdated_state import VERSIONS, Outdated, find_outdated, state_paths_of_system
from .state_checks import form_faults

if TYPE_CHECKING:
    from .campaign import Campaign

MIGRATED = "migrate"
"""The command of an entry that converts state."""


def migrate_state(campaign: Campaign) -> list[str]:
    """Convert the state of each outdated system; return a line for each.

    Each conversion is recorded in an entry of its own. Raises PluginProblem if a system's function fails or
    returns a wrong form, and Refused while one of the system's decisions is open.
    """
    lines = []
    for each in find_outdated(campaign.state, campaign.book):
        if each.kept < each.read:
            lines.append(_migrate_system(campaign, each))
    return lines


def _migrate_system(campaign: Campaign, each: Outdated) -> str:
    state, book = campaign.state, campaign.book
    found = load_system(each.system)
    if found.scene.key in cast("Mapping[str, object]", state.get("pending", {})):
        raise Refused(
            f"A decision of {each.system!r} is open.", "`strike undo` takes it back. Nothing was changed."
        )
    sets: dict[str, object] = {f"{VERSIONS}.{each.system}": each.read}
    with require_plugin_code(each.plugin):
        sets |= {path: look_up(state, path) for path, _ in state_paths_of_system(each.system, state, book)}
        for reference in found.migrations[each.kept - 1 :]:
            bring_up: Callable[[str, object], object] = load_object(found.absolute(reference))
            for path, key in state_paths_of_system(each.system, state, book):
                sets[path] = bring_up(key, sets[path])
    world = World(book, state)
    told = world.tell(StateMigrated(each.system, each.kept, each.read), sets).fact
    after = apply_changes(state, told.changes)
    if faults := form_faults(after, book, state):
        raise PluginProblem(
            f"{each.plugin.origin} migrates {each.system!r} to an impossible value:\n{fault_lines(faults)}",
            "Please tell its author. Nothing was changed.",
        )
    fact = Happened(told.told, told.changes, tuple(told.places)).as_json(GameMaster(book, [state]))
    args = {"system": each.system, "from": each.kept, "to": each.read}
    campaign.commit(MIGRATED, args, [], [fact], after, names={})
    return f"{fact['text']} `strike undo` takes it back."
