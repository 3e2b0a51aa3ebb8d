"""The kinds of virtual tabletop, strike's own and plugins', and the making of targets.

Begin with `base`, the interface of all kinds; `webhook` is a short example of a complete one.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from strike_cli.problems import CampaignProblem, PluginProblem, did_you_mean, listed
from strike_cli.registry import installed_plugins
from strike_cli.registry.installed_plugins import import_object

from ..address import HIDDEN, Origin, origin_of
from ..settings import Settings, TableProblem

if TYPE_CHECKING:
    from ..consent import OwnTable, Terms
    from .base import Target

KINDS = {
    "table": "strike_bridge.targets.table:TableTarget",
    "webhook": "strike_bridge.targets.webhook:WebhookTarget",
    "foundry": "strike_bridge.targets.foundry:FoundryTarget",
    "discord": "strike_bridge.targets.discord:DiscordTarget",
    "encounterplus": "strike_bridge.targets.encounterplus:EncounterPlusTarget",
    "improved-initiative": "strike_bridge.targets.improved_initiative:ImprovedInitiativeTarget",
    "cozyvtt": "strike_bridge.targets.cozyvtt:CozyTarget",
    "dungeon-revealer": "strike_bridge.targets.dungeon_revealer:DungeonRevealerTarget",
    "rest": "strike_bridge.targets.rest:RestTarget",
}
"""The kinds that come with strike: kind to "module:Class"."""


def target_class_of_kind(kind: str) -> type[Target]:
    """Return the class of a kind of target: one of strike's own kinds, or a kind that a plugin adds.

    Raises PluginProblem for an unknown kind, and for a plugin that can't be loaded.
    """
    reference = KINDS.get(kind)
    if reference is not None:
        return _load_kind(kind, reference)
    brought = {name: reference for name, reference, _ in installed_plugins.all_kinds_of_target()}
    if brought.get(kind, "").endswith(".toml"):
        raise PluginProblem(f"{kind!r} is a preset.", f'Write kind = "rest" and base = "{kind}".')
    if kind in brought:
        return _load_kind(kind, brought[kind])
    broken = installed_plugins.plugin_index().broken_messages
    trouble = f" Broken plugins: {' '.join(broken)}" if broken else ""
    known = sorted({*KINDS, *brought})
    raise PluginProblem(
        f"There is no kind of target {kind!r}.{did_you_mean(kind, known)}{trouble}",
        f"Known: {listed(known)}.",
    )


def target_class(settings: Settings) -> type[Target]:
    """Return the class of a target with these settings.

    Usually the kind alone determines the class, but other settings may matter, too. Raises PluginProblem as
    `target_class_of_kind` does, and CampaignProblem for faulty settings.
    """
    return target_class_of_kind(settings.kind).with_settings(settings)


def plugin_kind_faults() -> list[str]:
    """Return the faults of the kinds of targets that plugins add, and of the presets that they add.

    These kinds are imported for the check.
    """
    from ..rest.merged_target_table import read_preset

    said = []
    for kind, reference, plugin in installed_plugins.all_kinds_of_target():
        if reference.endswith(".toml"):
            try:
                read_preset(kind, Path(plugin.file).with_name(reference))
            except CampaignProblem as problem:
                said.append(f"{plugin.origin}: {problem.message}")
            continue
        if kind in KINDS:
            said.append(f"{plugin.origin} defines a kind of target {kind!r}, which is built in.")
            continue
        try:
            _load_kind(kind, reference)
        except PluginProblem as problem:
            said.append(f"{plugin.origin}: {problem.message}")
    return said


def make_target_checking_consent(
    folder: Path, settings: Settings, *, with_key: bool = True, own_table: OwnTable | None = None
) -> Target:
    """Return the target for these settings.

    Args:
        folder: The campaign's folder.
        settings: The target's settings.
        with_key: If False, "***" takes the place of the key, and the target can only show its requests.
        own_table: The table that this process itself serves; it needs no consent.

    Raises:
        NotAgreed: Nobody has agreed to the address, and `with_key` is True.
        Problem: The kind, the address, an option or the key is invalid.
    """
    try:
        target = _build_target_checking_consent(folder, settings, with_key, own_table)
    except TableProblem as problem:
        raise problem.with_locations(folder) from None
    target.folder = folder
    return target


def require_sound_settings(settings: Settings) -> None:
    """Raise CampaignProblem if a target's table in campaign.toml has a fault."""
    if settings.fault:
        raise CampaignProblem(settings.fault, f"Nothing is sent to {settings.name} before this is fixed.")


def _build_target_checking_consent(
    folder: Path, settings: Settings, with_key: bool, own_table: OwnTable | None
) -> Target:
    from ..consent import require_consent

    require_sound_settings(settings)
    kind = target_class(settings)
    target = kind(settings, HIDDEN if kind.key_variable else "", HIDDEN if kind.has_session else "")
    if own_table and settings.kind == "table" and origin_of(own_table.address) == origin_of(target.address):
        return kind(settings, own_table.key) if with_key else target
    served = None if kind.key_is_address else _last_origin_of_own_table(folder, target)
    if served is not None and served != origin_of(target.address):
        settings = settings._replace(url=str(served))  # `strike table --port` goes before campaign.toml
        target = kind(settings, HIDDEN)
    if not with_key:
        return target
    if kind.key_is_address:
        target = _build_requiring_and_binding_key(kind, folder, settings, None)
        require_consent(folder, settings.name, target.terms())
        return target
    if served is None:
        require_consent(folder, settings.name, target.terms())
    return (
        _build_requiring_and_binding_key(kind, folder, settings, origin_of(target.address))
        if kind.key_variable
        else target
    )


def terms_unless_own_table(folder: Path, settings: Settings) -> Terms | None:
    """Return the terms to which somebody must agree before anything is sent to a target.

    Return None if nobody has to agree. Raises Problem if the target's settings can't be used.
    """
    kind = target_class(settings)
    if kind.key_is_address:
        return _build_requiring_and_binding_key(kind, folder, settings, None).terms()
    target = make_target_checking_consent(folder, settings, with_key=False)
    return None if _last_origin_of_own_table(folder, target) else target.terms()


def _last_origin_of_own_table(folder: Path, target: Target) -> Origin | None:
    """Return the address at which this machine last served its own table.

    The result is None if `target` isn't that table.
    """
    from ..credential_store import last_origin_if_own_table

    own = target.settings.kind == "table"
    return last_origin_if_own_table(folder, target.name, origin_of(target.address)) if own else None


def _build_requiring_and_binding_key(
    kind: type[Target], folder: Path, settings: Settings, origin: Origin | None
) -> Target:
    from ..credential_store import read_and_bind_key, read_session

    key = read_and_bind_key(folder, settings.name, origin, kind.key_variable, kind.key_words)
    session = read_session(folder, settings.name, origin) if kind.has_session and origin else ""
    return kind(settings, key, session)


def _load_kind(kind: str, reference: str) -> type[Target]:
    from .base import Target

    try:
        found: object = import_object(reference)
    except (Exception, SystemExit) as error:  # a plugin's module may fail in any way
        raise PluginProblem(
            f"The target {kind!r} can't be loaded from {reference}: {type(error).__name__}: {error}",
            "Fix or remove its plugin.",
        ) from error
    if not (isinstance(found, type) and issubclass(found, Target)):
        raise PluginProblem(
            f"{reference} is not a Target.", "It should be a subclass of strike_bridge's Target."
        )
    return found
