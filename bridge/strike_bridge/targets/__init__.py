"""The kinds of virtual tabletop: one file each, and those that plugins bring."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.problems import PluginProblem, listed, nearest

from ..settings import Settings

if TYPE_CHECKING:
    from .base import Target

KINDS = {
    "table": "strike_bridge.targets.table:TableTarget",
    "webhook": "strike_bridge.targets.webhook:WebhookTarget",
    "foundry": "strike_bridge.targets.foundry:FoundryTarget",
    "discord": "strike_bridge.targets.discord:DiscordTarget",
    "encounterplus": "strike_bridge.targets.encounterplus:EncounterPlusTarget",
    "cozyvtt": "strike_bridge.targets.cozyvtt:CozyTarget",
    "dungeon-revealer": "strike_bridge.targets.dungeon_revealer:DungeonRevealerTarget",
}
"""What comes with strike: kind to "module:Class"."""

GROUP = "strike_cli.plugins"


def find_kind(kind: str) -> type[Target]:
    """The class of a kind. Plugins are asked only for one that doesn't come with strike.

    Raises PluginProblem where there is none, or where the plugin that has it is broken.
    """
    reference = KINDS.get(kind)
    if reference is not None:
        return _load(kind, reference)
    found, broken = _from_plugins()
    if kind in found:
        if len(found[kind]) > 1:
            raise PluginProblem(_clash(kind, found[kind]), "Remove one of them.")
        return _load(kind, found[kind][0].reference)
    trouble = f" Broken plugins: {'; '.join(broken)}." if broken else ""
    known = sorted({*KINDS, *found})
    raise PluginProblem(
        f"There is no kind of target {kind!r}.{nearest(kind, known)}{trouble}", f"Known: {listed(known)}."
    )


def troubles() -> list[str]:
    """What is wrong with the kinds that plugins bring. Imports all of them."""
    found, _ = _from_plugins()
    said = []
    for kind, bringers in found.items():
        if kind in KINDS:
            who = " and ".join(each.distribution for each in bringers)
            said.append(f"{who} brings a kind of target {kind!r}, which comes with strike.")
        elif len(bringers) > 1:
            said.append(_clash(kind, bringers))
        else:
            try:
                _load(kind, bringers[0].reference)
            except PluginProblem as problem:
                said.append(f"{bringers[0].distribution}: {problem.message}")
    return said


def _clash(kind: str, bringers: list[_Brought]) -> str:
    who = " and from ".join(each.distribution for each in bringers)
    return f"The kind of target {kind!r} comes from {who}."


def make_target(folder: Path, settings: Settings, *, with_key: bool = True) -> Target:
    """The target of these settings; without its key it is good for showing, and has "***" in its place.

    Raises Problem for a kind, an address, an option or a key that is no good.
    """
    from ..secrets import read_key, read_session
    from .base import HIDDEN_KEY

    kind = find_kind(settings.kind)
    key, session = "", ""
    if kind.key_variable:
        key, session = HIDDEN_KEY, HIDDEN_KEY if kind.has_session else ""
    if kind.key_variable and with_key:
        key = read_key(folder, settings.name, kind.key_variable, kind.key_words)
        session = read_session(folder, settings.name) if kind.has_session else ""
    target = kind(settings, key, session)
    target.folder = folder
    return target


class _Brought(NamedTuple):
    """ "module:Class" of a kind, and the distribution that brings it."""

    reference: str
    distribution: str


def _from_plugins() -> tuple[dict[str, list[_Brought]], list[str]]:
    from importlib.metadata import entry_points

    found: dict[str, list[_Brought]] = {}
    broken: list[str] = []
    for point in entry_points(group=GROUP):
        who = f"{point.dist.name} {point.dist.version}" if point.dist else point.name
        try:
            for kind, reference in getattr(point.load(), "targets", {}).items():
                if not isinstance(reference, str):
                    raise TypeError(f'the target {kind!r} should be "module:Class"')
                found.setdefault(kind, []).append(_Brought(reference, who))
        except (Exception, SystemExit) as error:  # a plugin may fail in any way; it must not stop the others
            broken.append(f"{point.name} ({type(error).__name__}: {error})")
    return found, broken


def _load(kind: str, reference: str) -> type[Target]:
    from .base import Target

    module, _, name = reference.partition(":")
    try:
        found = getattr(import_module(module), name)
    except Exception as error:  # the same
        raise PluginProblem(
            f"The target {kind!r} can't be loaded from {reference}: {type(error).__name__}: {error}",
            "Mend or remove the plugin that brings it.",
        ) from error
    if not (isinstance(found, type) and issubclass(found, Target)):
        raise PluginProblem(
            f"{reference} is no Target.", "It should be a subclass of strike_bridge's Target."
        )
    return found
