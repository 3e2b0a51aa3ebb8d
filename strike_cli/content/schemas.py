"""The form of campaign.toml and of content files, assembled from the installed systems.

One name here is one table in campaign.toml or in a plugin's content file. A key that is in no form is an
error that names file, key and the nearest known one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.validation import Field, Fields

from ..bridge_target_form import ByKind
from ..faults import Fault, Faults, Place
from ..registry import command_groups, contained, installed, installed_systems, path_beside
from ..registry.declaration import System
from ..registry.installed import load_object
from ..type_forms import fields_at, form_at
from ..validation import Either, Flag, Kind, ListOf, Number, OneOf, Record, TableOf, Text, is_id

if TYPE_CHECKING:
    from typing import NotRequired, TypedDict

    class HouseRuleWritten(TypedDict):
        """A house rule in a system's file: its default, and `values`, or `low` and `high`.

        With `handler` its value may also be the name of a plugin's handler.
        """

        default: object
        values: NotRequired[list[str]]
        low: NotRequired[int]
        high: NotRequired[int]
        handler: NotRequired[bool]


CHARACTERS, CREATURES = "characters", "creatures"
TARGET = ByKind()
"""A tabletop that receives results; each kind defined in TOML alone has keys of its own."""


def _is_command(text: str) -> bool:
    import shlex

    try:
        return bool(shlex.split(text))
    except ValueError:
        return False


def _is_free(word: str) -> bool:
    return is_id(word) and word not in command_groups()


ALIASES = TableOf(
    Text(_is_command, "a command as you would type it, without `strike`, with closed quotes"),
    Text(_is_free, "a word of letters and digits that is not a command of strike"),
)
"""Short commands: word -> command, with {1}, {2} or {*} for the words that follow."""


def _check_own_turn(table: Mapping[str, object], where: Place, faults: Faults) -> None:
    """Check that players who play their own turn also send commands."""
    if table.get("own_turn") == "play" and table.get("answers") == "off":
        what = 'phones send nothing while answers is "off"; write answers = "on", or "ask", or leave it out'
        faults.append(Fault(where / "own_turn", what))


TABLE = Record(
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
    """A key of [house]: its possible values, and its default."""

    form: Kind
    default: object


class Schemas(NamedTuple):
    """All forms.

    `content` are the kinds that plugins and campaigns may define, `campaign` those and the kinds that only a
    campaign may have; `house` are the house rules. Play goes on without a faulty thing of an `optional` kind,
    and without faulty `settings`, which are single tables.
    """

    content: Mapping[str, Kind]
    campaign: Mapping[str, Kind]
    house: Mapping[str, HouseRule]
    optional: tuple[str, ...] = ()
    settings: Mapping[str, Kind] = {}


def schemas(of: installed.Index | None = None) -> Schemas:
    """Return the forms of the installed systems, or of those `of` a campaign's index.

    No two systems have the same name, which is checked where they are found. A system whose forms fail is
    left out.
    """
    return _schemas(of or installed.index())


@lru_cache(maxsize=8)
def _schemas(index: installed.Index) -> Schemas:
    everybody = [system for system in installed_systems(index) if _are_sound(system)]
    sheets: dict[str, Fields] = {}
    content: dict[str, Kind] = {}
    campaign: dict[str, Kind] = {}
    settings: dict[str, Kind] = {}
    house: dict[str, HouseRule] = {}
    for system in everybody:
        for kind, each in system.content.items():
            if each.fields:
                sheets.setdefault(kind, {}).update(fields_of(system, kind))
            if each.single:
                settings[kind] = _form(system, each.form)
            elif each.form:
                (campaign if each.prepared else content)[kind] = _form(system, each.form)
        house |= _house_rules(system)
    content[CREATURES] = Record(**sheets[CREATURES])
    campaign = {**content, CHARACTERS: Record(**sheets[CHARACTERS]), **campaign}
    for kind in sheets.keys() & campaign.keys() - {CHARACTERS, CREATURES}:
        form = campaign[kind]
        campaign[kind] = form.extended(sheets[kind]) if isinstance(form, Record) else form
    optional = tuple(kind for each in everybody for kind, of in each.content.items() if of.optional)
    return Schemas(content, campaign, house, optional, settings)


def _are_sound(system: System) -> bool:
    """Return whether everything that a system's forms name exists; switch its plugin off otherwise."""
    with contained(system.name):
        for kind, each in system.content.items():
            if not isinstance(fields_of(system, kind), Mapping):
                raise TypeError(f"the fields of {kind!r} are not a table")
            for reference in filter(None, (each.form,)):
                if not isinstance(_form(system, reference), Kind):
                    raise TypeError(f"{reference} is not a form")
        for _ in _house_rules(system):
            pass
        return True
    return False


def fields_of(system: System, kind: str) -> Mapping[str, Field]:
    """Return the fields that a system adds to the form of a kind, by name; none where it adds nothing."""
    of = system.content.get(kind)
    if of is None or not of.fields:
        return {}
    return fields_at(load_object(system.absolute(of.fields)))


def is_prepared_kind(system: System, kind: str) -> bool:
    """Return whether a system has a kind of content that only campaigns may define."""
    of = system.content.get(kind)
    return of is not None and of.prepared


def _form(system: System, reference: str) -> Kind:
    return form_at(load_object(system.absolute(reference)))


def _house_rules(system: System) -> Iterator[tuple[str, HouseRule]]:
    if not system.house:
        return
    import tomllib

    for key, rule in tomllib.loads(house_file(system).read_text(encoding="utf-8")).items():
        yield key, HouseRule(_house_form(rule), rule["default"])


def _house_form(rule: HouseRuleWritten) -> Kind:
    """Return the form of a rule: some values or a number, and the name of a handler if allowed."""
    if "values" not in rule:
        return Number(rule["low"], rule["high"])
    known = rule["values"]
    if not rule.get("handler"):
        return OneOf(*known)
    return Text(
        lambda text: text in known or ":" in text, f"{', '.join(known)}, or a plugin's handler, plugin:name"
    )


def house_file(system: System) -> Path:
    """Return the file of a system's house rules."""
    return path_beside(system, system.house)


def systems_files(of: installed.Index) -> Iterator[Path]:
    """Yield the files that contain the forms of the systems."""
    for system in installed_systems(of):
        references = (
            each
            for of in system.content.values()
            for each in (of.form, of.fields, *of.files.values())
            if each
        )
        for module in dict.fromkeys(system.absolute(each).partition(":")[0] for each in references):
            yield Path(import_module(module).__file__ or "")
        if system.house:
            yield house_file(system)


def vocabularies(of: installed.Index | None = None) -> tuple[str, ...]:
    """Return the vocabularies that plugins may add words to."""
    return tuple(name for system in installed_systems(of) for name in system.vocabularies)


def content_kinds(of: installed.Index | None = None) -> tuple[str, ...]:
    """Return the kinds of content that plugins and campaigns may define, in the order of listing."""
    return tuple(schemas(of).content)
