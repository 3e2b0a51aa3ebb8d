"""The campaign commands' arguments: their placeholders in the help, such as KIND, and completions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from strike_cli.kernel.state_changes import open_or_last_session_in
from strike_cli.terminal.argument_completions import Metavar

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign

Typed = Mapping[str, object]


def _content_kinds(campaign: Campaign) -> Iterable[str]:
    from strike_cli.content.schemas import schemas_of_working_systems

    return schemas_of_working_systems(campaign.book.registry).campaign


def _last_parts_of_all_content_ids(campaign: Campaign, typed: Typed) -> Iterator[str]:
    for kind in _content_kinds(campaign):
        yield from (key.rpartition(":")[2] for key in campaign.book.table(kind))


def _target_names(campaign: Campaign, typed: Typed) -> Iterable[str]:
    return campaign.book.targets


def _target_kinds() -> Iterable[str]:
    from strike_bridge.targets import KINDS
    from strike_cli.registry import installed_plugins

    return [*KINDS, *(kind for kind, _, _ in installed_plugins.all_kinds_of_target())]


def _preset_names() -> Iterable[str]:
    from strike_bridge.rest.merged_target_table import preset_files

    return preset_files()


def _event_names() -> Iterable[str]:
    from strike_cli.bridge_target_schema import EVENTS

    return EVENTS


SESSION = Metavar(
    "[N]",
    lambda campaign, typed: [
        str(number) for number in range(open_or_last_session_in(campaign.state).get("number", 0), 0, -1)
    ],
)
"""A session, by its number."""
KIND = Metavar("[KIND]", lambda campaign, typed: _content_kinds(campaign))
"""A kind of content."""
CONTENT_ID = Metavar("ID", _last_parts_of_all_content_ids)
"""Anything of the content."""
PLUGIN = Metavar("NAME", lambda campaign, typed: (plugin.name for plugin in campaign.book.plugins))
"""A plugin that the campaign plays with."""
TARGET = Metavar("TARGET", _target_names)
"""A tabletop of the campaign."""
TARGET_OR_KIND = Metavar("KIND|TARGET", _target_names, words=_target_kinds)
"""A tabletop of the campaign, or a kind of tabletop."""
PRESET = Metavar("PRESET", words=_preset_names)
"""A preset for a tabletop that is described in TOML, from those that strike brings."""
EVENT = Metavar("EVENT", words=_event_names)
"""An event that a tabletop described in TOML is sent."""
