"""The form of campaign.toml and of content files, put together from what the systems bring.

One name here is one table in campaign.toml or in a plugin's content file. A key that is in no form is an
error that names file, key and the nearest known one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from ..registry import beside, installed, systems
from ..registry.installed import load_object
from ..registry.system import System
from ..tabletop.pictures import WANTED, may_be_picture
from ..validation import Anything, Flag, Kind, Number, OneOf, Record, TableOf, Text

PICTURE = Text(may_be_picture, WANTED)
CHARACTERS, CREATURES = "characters", "creatures"
SHEETS: dict[str, dict[str, Any]] = {
    CHARACTERS: {
        "name": (Text(), ...),
        "player": (Text(), ""),
        "concept": (Text(), ""),
        "notes": (Text(), ""),
        "image": PICTURE,  # for tabletops that show it
    },
    CREATURES: {
        "name": (Text(), ...),
        "summary": (Text(), ""),
        "notes": (Text(), ""),
        "hidden": (Flag(), False),
        "image": PICTURE,
        "override": (Flag(), False),
    },
}
"""What every sheet has, whatever is played."""
TARGET = Record(
    kind=(Text(), ...),
    url=Text(),
    auto=(Flag(), False),
    insecure=(Flag(), False),
    audience=OneOf("players", "gm"),
    hp=(OneOf("exact", "bar", "wounds", "none"), "exact"),  # how enemies' HP is shown
    create=(Flag(), False),  # tokens that it lacks may be made
    statuses=TableOf(Text()),  # ours to theirs
    attributes=TableOf(Text()),  # "hp", "max_hp" to where it keeps them
    preset=Text(),
    options=Anything(),  # the kind's own, which knows them
)


class HouseRule(NamedTuple):
    """A key of [house]: what it may be, and what it is unless a table says otherwise."""

    form: OneOf | Number
    default: Any


class Schemas(NamedTuple):
    """Every form there is. `content` are the kinds that plugins and campaigns may bring, `campaign` those and
    what a campaign alone may have; `house` are the house rules."""

    content: Mapping[str, Kind]
    campaign: Mapping[str, Kind]
    house: Mapping[str, HouseRule]


def schemas() -> Schemas:
    """The forms, as the systems that are installed have them: no two bring one name, which is seen to where
    they are found."""
    return _schemas(installed.index())


@lru_cache(maxsize=1)
def _schemas(index: installed.Index) -> Schemas:
    everybody = systems()
    sheets = {kind: dict(fields) for kind, fields in SHEETS.items()}
    content: dict[str, Kind] = {}
    campaign: dict[str, Kind] = {}
    house: dict[str, HouseRule] = {}
    for system in everybody:
        for kind, reference in system.sheets.items():
            sheets[kind] |= load_object(system.absolute(reference))
        content |= {kind: _form(system, of) for kind, of in system.content.items()}
        campaign |= {kind: _form(system, of) for kind, of in system.prepared.items()}
        house |= _house_rules(system)
    content[CREATURES] = Record(**sheets[CREATURES])
    campaign = {**content, CHARACTERS: Record(**sheets[CHARACTERS]), **campaign}
    return Schemas(content, campaign, house)


def _form(system: System, reference: str) -> Kind:
    form: Kind = load_object(system.absolute(reference))
    return form


def _house_rules(system: System) -> Iterator[tuple[str, HouseRule]]:
    if not system.house:
        return
    import tomllib

    for key, rule in tomllib.loads(house_file(system).read_text(encoding="utf-8")).items():
        form = OneOf(*rule["values"]) if "values" in rule else Number(rule["low"], rule["high"])
        yield key, HouseRule(form, rule["default"])


def house_file(system: System) -> Path:
    """The file of a system's house rules."""
    return beside(system, system.house)


def systems_files() -> Iterator[Path]:
    """The files that the forms of the systems stand in."""
    for system in systems():
        references = [*system.content.values(), *system.prepared.values(), *system.sheets.values()]
        for module in dict.fromkeys(system.absolute(each).partition(":")[0] for each in references):
            yield Path(sys.modules[module].__file__ or "")
        if system.house:
            yield house_file(system)


def vocabularies() -> tuple[str, ...]:
    """The vocabularies that plugins may bring words to."""
    return tuple(name for system in systems() for name in system.vocabularies)


def content_kinds() -> tuple[str, ...]:
    """The kinds of content that plugins and campaigns may bring, in the order in which they are listed."""
    return tuple(schemas().content)
