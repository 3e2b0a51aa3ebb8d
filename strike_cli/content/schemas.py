"""The schemas of campaign.toml and of content files, put together from the installed systems.

Each kind of content is a table in campaign.toml or in a plugin's content file. A key that no schema allows is
an error that names the file, the key and the nearest known one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.validation import Field, Fields

from ..bridge_target_schema import TargetTableForm
from ..file_faults import Fault, Faults, Place
from ..registry import (
    command_apps_by_group,
    contain_failures,
    installed_plugins,
    load_usable_systems,
    path_beside,
)
from ..registry.installed_plugins import import_object
from ..registry.system_declaration import System
from ..validation import Either, Flag, Kind, ListOf, Number, OneOf, Record, TableOf, Text, can_be_id
from ..validation_schemas_from_types import declared_fields, declared_form

if TYPE_CHECKING:
    from typing import NotRequired, TypedDict

    class HouseRuleSource(TypedDict):
        """A house rule in a system's file: its default, and the values that it may have.

        The values are listed in `values`, or are the numbers from `low` to `high`. With `handler`, the name
        of a plugin's handler is also allowed.
        """

        default: object
        values: NotRequired[list[str]]
        low: NotRequired[int]
        high: NotRequired[int]
        handler: NotRequired[bool]


CHARACTERS, CREATURES = "characters", "creatures"
TARGET = TargetTableForm()
"""A tabletop that receives results; each kind defined in TOML alone has keys of its own."""


def _can_split_into_words(text: str) -> bool:
    import shlex

    try:
        return bool(shlex.split(text))
    except ValueError:
        return False


def _is_free_alias(word: str) -> bool:
    return can_be_id(word) and word not in command_apps_by_group()


ALIASES = TableOf(
    Text(_can_split_into_words, "a command as you would type it, without `strike`, with closed quotes"),
    Text(_is_free_alias, "a word of letters and digits that is not a command of strike"),
)
"""Short commands: word -> command, with {1}, {2} or {*} for the words that follow."""


def _check_own_turn(table: Mapping[str, object], where: Place, faults: Faults) -> None:
    """Add a fault if `own_turn` is "play" while `answers` is "off".

    Players could then play their own turns on their phones, but the phones may send nothing.
    """
    if table.get("own_turn") == "play" and table.get("answers") == "off":
        what = 'phones send nothing while answers is "off"; write answers = "on", or "ask", or leave it out'
        faults.append(Fault(where / "own_turn", what))


PLAYERS_PERMISSIONS = Record(
    _check_own_turn,
    answers=(OneOf("off", "ask", "on"), None),
    own_turn=(OneOf("propose", "play"), "propose"),
    fog=(Flag(), False),
    signs=(Flag(), True),
)
"""The permissions of players' phones.

They say whether phones only look, ask the game master, or answer by themselves; whether the acts of players'
own turn wait for the game master; whether maps show only what the party has seen; and whether players may
show signs, such as a raised hand."""


def _is_origin(text: str) -> bool:
    scheme, _, rest = text.partition("://")
    return bool(scheme and rest) and not any(sign in rest for sign in "/*? ")


SERVE = Record(origins=ListOf(Text(_is_origin, "a site's address, like https://example.org")))
"""Sites whose pages may read the players' data from `strike serve` and the table."""
BACKUP = Record(keep=(Number(0, 1000), 10))
"""How many backups by `strike session end` are kept; 0 makes none."""
SCHEMA = 1
"""The version of campaign.toml's form that this strike reads."""
CAMPAIGN_HEAD: Fields = {
    "schema": (OneOf(SCHEMA), ...),
    "name": Text(),
    "seed": Number(0),
    "summary": Text(),
    "language": Text(),
    "include": ListOf(Text()),
    "plugins": Either(list, ListOf(Text()), TableOf(Text())),
    "systems": ListOf(Text()),
}
"""The keys of campaign.toml about the campaign itself."""

_WHOSE = OneOf("strike", "physical")
DICE = Record(mode=_WHOSE, creatures=_WHOSE, players=TableOf(_WHOSE))
"""The dice to type in from the table: everybody's, the creatures', or one player's."""


class HouseRule(NamedTuple):
    """The schema of a key of [house], and the key's default value."""

    form: Kind
    default: object


class Schemas(NamedTuple):
    """The schemas of all content.

    `content` has the kinds that plugins and campaigns may define. `campaign` has these kinds, and the kinds
    that only a campaign may define. `house` has the house rules. `optional` names kinds: faulty items of
    these kinds don't stop play. `settings` are single tables, and faulty ones don't stop play either.
    """

    content: Mapping[str, Kind]
    campaign: Mapping[str, Kind]
    house: Mapping[str, HouseRule]
    optional: tuple[str, ...] = ()
    settings: Mapping[str, Kind] = {}


def schemas_of_working_systems(index: installed_plugins.PluginIndex | None = None) -> Schemas:
    """Return the schemas of the systems in `index`, by default of all installed ones.

    A system whose schemas can't be built is left out, and its plugin is switched off.
    """
    return _build_schemas(index or installed_plugins.plugin_index())


@lru_cache(maxsize=8)
def _build_schemas(index: installed_plugins.PluginIndex) -> Schemas:
    everybody = [system for system in load_usable_systems(index) if _try_schemas_or_switch_off(system)]
    sheets: dict[str, Fields] = {}
    content: dict[str, Kind] = {}
    campaign: dict[str, Kind] = {}
    settings: dict[str, Kind] = {}
    house: dict[str, HouseRule] = {}
    for system in everybody:
        for kind, each in system.content.items():
            if each.fields:
                sheets.setdefault(kind, {}).update(added_fields(system, kind))
            if each.single:
                settings[kind] = _load_schema(system, each.form)
            elif each.form:
                (campaign if each.prepared else content)[kind] = _load_schema(system, each.form)
        house |= _house_rules(system)
    content[CREATURES] = Record(**sheets[CREATURES])
    campaign = {**content, CHARACTERS: Record(**sheets[CHARACTERS]), **campaign}
    for kind in sheets.keys() & campaign.keys() - {CHARACTERS, CREATURES}:
        form = campaign[kind]
        campaign[kind] = form.with_fields(sheets[kind]) if isinstance(form, Record) else form
    optional = tuple(kind for each in everybody for kind, of in each.content.items() if of.optional)
    return Schemas(content, campaign, house, optional, settings)


def _try_schemas_or_switch_off(system: System) -> bool:
    """Build the schemas of a system as a test, and return whether that works.

    If it fails, the system's plugin is switched off.
    """
    with contain_failures(system.name):
        for kind, each in system.content.items():
            if not isinstance(added_fields(system, kind), Mapping):
                raise TypeError(f"the fields of {kind!r} are not a table")
            for reference in filter(None, (each.form,)):
                if not isinstance(_load_schema(system, reference), Kind):
                    raise TypeError(f"{reference} is not a form")
        for _ in _house_rules(system):
            pass
        return True
    return False


def added_fields(system: System, kind: str) -> Mapping[str, Field]:
    """Return the fields that a system adds to the schema of a kind of content, by name; {} for none."""
    of = system.content.get(kind)
    if of is None or not of.fields:
        return {}
    return declared_fields(import_object(system.absolute(of.fields)))


def is_campaign_only_kind(system: System, kind: str) -> bool:
    """Return whether a system defines a kind of content that only campaigns may have."""
    of = system.content.get(kind)
    return of is not None and of.prepared


def _load_schema(system: System, reference: str) -> Kind:
    return declared_form(import_object(system.absolute(reference)))


def _house_rules(system: System) -> Iterator[tuple[str, HouseRule]]:
    if not system.house:
        return
    import tomllib

    for key, rule in tomllib.loads(house_rules_file(system).read_text(encoding="utf-8")).items():
        yield key, HouseRule(_house_form(rule), rule["default"])


def _house_form(rule: HouseRuleSource) -> Kind:
    """Return the schema for the value of a house rule.

    The value is a number, or one of some words. If the rule allows it, the value may also be a plugin's
    handler.
    """
    if "values" not in rule:
        return Number(rule["low"], rule["high"])
    known = rule["values"]
    if not rule.get("handler"):
        return OneOf(*known)
    return Text(
        lambda text: text in known or ":" in text, f"{', '.join(known)}, or a plugin's handler, plugin:name"
    )


def house_rules_file(system: System) -> Path:
    """Return the file of a system's house rules."""
    return path_beside(system, system.house)


def schema_source_files(index: installed_plugins.PluginIndex) -> Iterator[Path]:
    """Yield the files that the schemas of the systems come from.

    They are the source files with the schemas of content, and the files of the systems' house rules.
    """
    for system in load_usable_systems(index):
        references = (
            each
            for of in system.content.values()
            for each in (of.form, of.fields, *of.files.values())
            if each
        )
        for module in dict.fromkeys(system.absolute(each).partition(":")[0] for each in references):
            yield Path(import_module(module).__file__ or "")
        if system.house:
            yield house_rules_file(system)


def vocabulary_names(index: installed_plugins.PluginIndex | None = None) -> tuple[str, ...]:
    """Return the names of the vocabularies that plugins may add words to."""
    return tuple(name for system in load_usable_systems(index) for name in system.vocabularies)


def content_kinds_of_plugins(index: installed_plugins.PluginIndex | None = None) -> tuple[str, ...]:
    """Return the kinds of content that plugins and campaigns may define, in the order of listing."""
    return tuple(schemas_of_working_systems(index).content)
