"""Conversion of a system's stored state from an earlier version, by `System.migrations`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, cast

from ..file_faults import faults_as_text
from ..kernel.procedure import Happened, World
from ..kernel.state_changes import apply_changes, look_up
from ..problems import PluginProblem, Refused
from ..registry import load_known_system
from ..registry.installed_plugins import import_object
from ..registry.plugin_failures import failures_as_plugin_problem
from ..tabletop.characters_and_names import GameMasterSpeaker
from .state_checks import schema_faults
from .state_versions import VERSIONS, StateVersionMismatch, find_version_mismatches, state_paths_of_system
from .undo_and_repair_facts import StateMigrated

if TYPE_CHECKING:
    from .campaign import Campaign

MIGRATED = "migrate"
"""The command of an entry that converts state."""


def migrate_state(campaign: Campaign) -> list[str]:
    """Convert the stored state of systems that read a newer version. Return a line of text for each system.

    Each conversion is recorded in an entry of its own.

    Raises:
        PluginProblem: A system's function fails or returns a value that doesn't fit the schema.
        Refused: A decision of the system is open.
    """
    lines = []
    for each in find_version_mismatches(campaign.state, campaign.book):
        if each.kept < each.read:
            lines.append(_migrate_system(campaign, each))
    return lines


def _migrate_system(campaign: Campaign, mismatch: StateVersionMismatch) -> str:
    state, book = campaign.state, campaign.book
    found = load_known_system(mismatch.system)
    if found.scene.key in cast("Mapping[str, object]", state.get("pending", {})):
        raise Refused(
            f"A decision of {mismatch.system!r} is open.", "`strike undo` takes it back. Nothing was changed."
        )
    sets: dict[str, object] = {f"{VERSIONS}.{mismatch.system}": mismatch.read}
    with failures_as_plugin_problem(mismatch.plugin):
        sets |= {
            path: look_up(state, path) for path, _ in state_paths_of_system(mismatch.system, state, book)
        }
        for reference in found.migrations[mismatch.kept - 1 :]:
            bring_up: Callable[[str, object], object] = import_object(found.absolute(reference))
            for path, key in state_paths_of_system(mismatch.system, state, book):
                sets[path] = bring_up(key, sets[path])
    world = World(book, state)
    told = world.tell(StateMigrated(mismatch.system, mismatch.kept, mismatch.read), sets).fact
    after = apply_changes(state, told.changes)
    if faults := schema_faults(after, book, state):
        raise PluginProblem(
            f"{mismatch.plugin.origin} migrates {mismatch.system!r} to an impossible value:\n"
            f"{faults_as_text(faults)}",
            "Please tell its author. Nothing was changed.",
        )
    fact = Happened(told.told, told.changes, tuple(told.places)).as_json(GameMasterSpeaker(book, [state]))
    args = {"system": mismatch.system, "from": mismatch.kept, "to": mismatch.read}
    campaign.commit(MIGRATED, args, [], [fact], after, names={})
    return f"{fact['text']} `strike undo` takes it back."
