"""Readers for the people and creatures in other programs' files.

Numbers from other games become text, since they mean nothing in Strike!. Begin with `read_foreign_file`.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import unescape
from pathlib import Path
from typing import NamedTuple

from strike_cli.included_and_stray_files import read_authored_file
from strike_cli.problems import Usage, listed
from strike_cli.refusals import UnreadableArgument
from strike_cli.untrusted_input import describe_unreadable_part

FOUNDRY, INITIATIVE, CSV = "Foundry VTT", "Improved Initiative", "CSV"
LONGEST_TEXT = 4000
"""The most characters of a text that are imported, since notes are for use at the table."""
SQUARES_WIDE_BY_SIZE = {
    "tiny": 1, "sm": 1, "small": 1, "med": 1, "medium": 1, "lg": 2, "large": 2, "huge": 3, "grg": 4,
    "gargantuan": 4,
}  # fmt: skip
"""How many squares a creature is wide, by other games' names for its size."""
Table = Mapping[str, object]


class ForeignSheet(NamedTuple):
    """A character or creature from another program's file.

    `note_texts` has pairs of a subject and a text; they become notes on the sheet. `unread_parts` names the
    parts that aren't imported. For a row of a CSV file, `cells` has the row's cells by column heading, and
    `line` is the row's line number. A heading may be a key of strike's own sheets.
    """

    name: str
    program: str
    is_character: bool = False
    player: str = ""
    summary: str = ""
    size: int = 1
    note_texts: Sequence[tuple[str, str]] = ()
    unread_parts: Sequence[str] = ()
    cells: Mapping[str, str] = {}
    line: int = 0


class FileContents(NamedTuple):
    """The contents of a file: people and creatures (`people`), and other items (`unread_counts`).

    The other items are counted by kind.
    """

    people: Sequence[ForeignSheet]
    unread_counts: Mapping[str, int] = {}


def read_foreign_file(path: Path, encoding: str) -> FileContents:
    """Return the people and creatures in a file of another program.

    Raises Usage if the file can't be read, or has no people or creatures. The message names the file and,
    where possible, the line.
    """
    try:
        raw = read_authored_file(path)
    except (OSError, ValueError) as error:
        raise UnreadableArgument(path, getattr(error, "strerror", None) or error) from None
    try:
        text = raw.decode(encoding)
    except LookupError:
        raise Usage(f"--encoding {encoding}: there is no such encoding.", "Like cp1252 or utf-16.") from None
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise Usage(
            f"{path}, line {line}: this is not {encoding.removesuffix('-sig')}.",
            "Give its encoding, like --encoding cp1252 for files from Excel.",
        ) from None
    is_json = path.suffix.lower() == ".json"
    found = _read_json(path, text) if is_json else FileContents(list(_read_csv(path, text)))
    if not found.people:
        raise Usage(
            f"{path} has no creatures that strike can read.",
            f"It reads actors of {FOUNDRY}, statblocks of {INITIATIVE}, and {CSV} with a column `name`.",
        )
    return found


def _read_json(path: Path, text: str) -> FileContents:
    try:
        data = json.loads(text)
    except ValueError as error:
        raise Usage(f"{path}: this is not JSON: {error}.", "Export it again.") from None
    except RecursionError:
        raise Usage(f"{path}: this JSON is too deeply nested.") from None
    if fault := describe_unreadable_part(data):
        raise Usage(f"{path}: {fault}.")
    found = [
        _read_actor(each) if _is_actor(each) else _read_statblock(each)
        for each in _actor_and_statblock_tables(data)
        if _is_actor(each) or _is_statblock(each)
    ]
    people = list({(one.name, one.is_character): one for one in reversed(found)}.values())[::-1]
    return FileContents(people, _count_unread(data))


def _count_unread(data: object) -> dict[str, int]:
    """Return how many items other than people and creatures a file has, by kind.

    The kinds are named as in the file: for example encounters, spells, scenes or journals.
    """
    left: dict[str, int] = {}
    if not isinstance(data, Mapping) or _is_actor(data) or _is_statblock(data):
        return left
    for key, value in data.items():
        words = key.removeprefix("ImprovedInitiative.").split(".")
        count = len(value) if isinstance(value, list) else 1
        is_index = len(words) == 1 and isinstance(value, str) and value.startswith("[")
        if count and not is_index and ("Encounter" in key or not any(_actor_and_statblock_tables(value))):
            left[words[0]] = left.get(words[0], 0) + count
    return left


def _actor_and_statblock_tables(value: object, depth: int = 4) -> Iterator[Table]:
    """Yield the tables inside a value that look like an actor or a statblock.

    The value itself may be such a table. Tables inside such a table aren't yielded. The search goes `depth`
    levels deep. A text that begins with `{` is read as JSON and searched, too.
    """
    if isinstance(value, str) and value.startswith("{") and depth:
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return
        if describe_unreadable_part(value):
            return
    if isinstance(value, Mapping):
        if _is_actor(value) or _is_statblock(value):
            yield value
        elif depth:
            for inner in value.values():
                yield from _actor_and_statblock_tables(inner, depth - 1)
    elif isinstance(value, list) and depth:
        for inner in value:
            yield from _actor_and_statblock_tables(inner, depth - 1)


# Foundry VTT


def _is_actor(value: Table) -> bool:
    name, system = value.get("name"), value.get("system", value.get("data"))
    return isinstance(name, str) and bool(name.strip()) and isinstance(system, Mapping) and "items" in value


_HOSTILE = -1
"""The disposition of a hostile token. Some Foundry systems have only characters."""
_EMPTY_VALUES: tuple[object, ...] = ({}, [], None, "", False, 0)
_DETAIL_LABELS = {
    "cr": "Challenge",
    "level": "Level",
    "alignment": "Alignment",
    "race": "People",
    "ancestry": "People",
}
_READ_KEYS: Mapping[str, Sequence[str]] = {
    "abilities": (),
    "attributes": ("hp", "ac", "movement", "speed"),
    "biography": (),
    "details": ("biography", "publicNotes", "type", *_DETAIL_LABELS),
    "health": (),
    "hp": (),
    "traits": ("size",),
}
"""The parts of an actor's `system` that are read. If keys are listed for a table, only these are."""
_KNOWN_ACTOR_KEYS = ("_id", "name", "type", "img", "system", "data", "items", "prototypeToken", "token")


def _read_actor(actor: Table) -> ForeignSheet:
    system = _table_at(actor, "system" if "system" in actor else "data")
    attributes, details, traits = (_table_at(system, key) for key in ("attributes", "details", "traits"))
    items = actor["items"] if isinstance(actor["items"], Iterable) else ()
    token = _table_at(actor, "prototypeToken") or _table_at(actor, "token")
    hp = next(
        (t for t in (_table_at(attributes, "hp"), _table_at(system, "hp"), _table_at(system, "health")) if t),
        {},
    )
    biography = _plain_text_of_any_value(details.get("biography")) or _plain_text_of_any_value(
        system.get("biography")
    )
    most, formula = hp.get("max"), _plain_text_of_any_value(hp.get("formula"))
    told = [
        (
            "HP",
            " ".join(
                filter(
                    None, [_plain_text_of_any_value(most if most is not None else hp.get("value")), formula]
                )
            ),
        ),
        ("Armour", _plain_text_of_any_value(attributes.get("ac"))),
        ("Moves", _movement_words(attributes)),
        ("Abilities", _ability_words(_table_at(system, "abilities"))),
        *((word, _plain_text_of_any_value(details.get(key))) for key, word in _DETAIL_LABELS.items()),
        ("Picture", str(actor.get("img") or "")),
        *(_item_name_and_words(item) for item in items if isinstance(item, Mapping)),
        ("Description", _plain_text_of_any_value(details.get("publicNotes")) or biography),
    ]
    left = [key for key in actor if key not in _KNOWN_ACTOR_KEYS and actor[key] not in _EMPTY_VALUES]
    left += _unread_places(system)
    left += ["items' data besides damage and description"] if items else []
    kind = str(actor.get("type") or "")
    return ForeignSheet(
        str(actor["name"]).strip(),
        FOUNDRY,
        kind in ("character", "pc", "player") and token.get("disposition") != _HOSTILE,
        "",
        " ".join(
            part
            for part in (
                _plain_text_of_any_value(traits.get("size")),
                _plain_text_of_any_value(details.get("type")),
            )
            if part
        ),
        _squares_wide(token.get("width"), _plain_text_of_any_value(traits.get("size"))),
        [(about, text[:LONGEST_TEXT]) for about, text in told if text],
        left,
    )


def _unread_places(system: Table) -> Iterator[str]:
    """Yield the places in an actor's `system` that have content but aren't imported."""
    for key, value in system.items():
        if key not in _READ_KEYS:
            yield from [f"system.{key}"] if value not in _EMPTY_VALUES else []
        elif _READ_KEYS[key] and isinstance(value, Mapping):
            inside = [
                inner for inner in value if inner not in _READ_KEYS[key] and value[inner] not in _EMPTY_VALUES
            ]
            yield from (f"system.{key}.{inner}" for inner in inside)


def _table_at(value: Table, key: str) -> Table:
    inner = value.get(key)
    return inner if isinstance(inner, Mapping) else {}


def _plain_text_of_any_value(value: object) -> str:
    """Return a value from another game's file as plain text, without HTML markup.

    For a table, the text is made of its `value`, `flat`, `formula`, `custom` and `subtype`.
    """
    if isinstance(value, Mapping):
        parts = [
            value.get(key) for key in ("value", "flat", "formula", "custom", "subtype") if value.get(key)
        ]
        return " ".join(filter(None, map(_plain_text_of_any_value, parts)))
    if isinstance(value, list):
        return ", ".join(filter(None, map(_plain_text_of_any_value, value)))
    if isinstance(value, bool) or value is None:
        return ""
    # Without markup, in lines
    broken = re.sub(r"(?i)<br\s*/?>|</(?:p|div|li|h\d|tr)>", "\n", str(value))
    bare = unescape(re.sub(r"<[^<>]*>", "", broken))
    lines = (
        " ".join("".join(c if c.isprintable() else " " for c in line).split()) for line in bare.split("\n")
    )
    return "\n".join(filter(None, lines))


def _movement_words(attributes: Table) -> str:
    movement = _table_at(attributes, "movement")
    if not movement:
        return _plain_text_of_any_value(attributes.get("speed"))
    unit = str(movement.get("units") or "")
    ways = [
        f"{way} {far} {unit}".strip()
        for way, far in movement.items()
        if way not in ("units", "hover") and far and str(far).replace(".", "").isdigit()
    ]
    return ", ".join(ways)


def _ability_words(abilities: Table) -> str:
    def score(value: object) -> str:
        return _plain_text_of_any_value(
            value.get("value", value.get("mod")) if isinstance(value, Mapping) else value
        )

    return ", ".join(f"{key.upper()} {score(value)}" for key, value in abilities.items() if score(value))


def _item_name_and_words(item: Table) -> tuple[str, str]:
    """Return an item's name, and words for its kind, damage and description.

    The item is a weapon, a spell or a feature.
    """
    system = _table_at(item, "system") or _table_at(item, "data")
    damage = _table_at(system, "damage")
    parts = damage.get("parts") or [damage.get("base")]
    rolls = [_damage_words(part) for part in parts] if isinstance(parts, list) else []
    kind = f"({item['type']})" if item.get("type") else ""
    words = [kind, ", ".join(filter(None, rolls)), _plain_text_of_any_value(system.get("description"))]
    return str(item.get("name") or "?"), " ".join(filter(None, words))


def _damage_words(part: object) -> str:
    if not isinstance(part, Mapping):
        return (
            " ".join(map(_plain_text_of_any_value, part))
            if isinstance(part, list)
            else _plain_text_of_any_value(part)
        )
    number, sides = part.get("number"), part.get("denomination")
    return f"{number}d{sides}" if number and sides else _plain_text_of_any_value(part)


def _squares_wide(width: object, size_word: str) -> int:
    if isinstance(width, int | float) and not isinstance(width, bool) and 1 <= width <= 6:
        return int(width)
    return SQUARES_WIDE_BY_SIZE.get(size_word.split(" ")[0].lower(), 1)


# Improved Initiative


def _is_statblock(value: Table) -> bool:
    name = value.get("Name")
    return isinstance(name, str) and bool(name.strip()) and isinstance(value.get("HP"), Mapping)


_NAMED_ENTRY_KEYS = ("Traits", "Actions", "BonusActions", "Reactions", "LegendaryActions", "MythicActions")
_LIST_LABELS = {
    "DamageVulnerabilities": "Vulnerable to",
    "DamageResistances": "Resists",
    "DamageImmunities": "Immune to",
    "ConditionImmunities": "Immune to conditions",
    "Senses": "Senses",
    "Languages": "Speaks",
}
_KNOWN_STATBLOCK_KEYS = (
    *(
        *_NAMED_ENTRY_KEYS,
        *_LIST_LABELS,
        "Name",
        "Type",
        "HP",
        "AC",
        "Speed",
        "Abilities",
        "Saves",
        "Skills",
        "Challenge",
    ),
    *("InitiativeModifier", "Source", "Player", "Description", "ImageURL"),
    *("Id", "Version", "Path", "FolderId", "LastUpdateMs"),
)


def _read_statblock(block: Table) -> ForeignSheet:
    told = [
        ("HP", _value_and_notes(block.get("HP"))),
        ("Armour", _value_and_notes(block.get("AC"))),
        ("Moves", _plain_text_of_any_value(block.get("Speed"))),
        ("Initiative", _plain_text_of_any_value(block.get("InitiativeModifier"))),
        ("Abilities", _ability_words(_table_at(block, "Abilities"))),
        *((key, _named_modifiers_words(block.get(key))) for key in ("Saves", "Skills")),
        *((words, _plain_text_of_any_value(block.get(key))) for key, words in _LIST_LABELS.items()),
        ("Challenge", _plain_text_of_any_value(block.get("Challenge"))),
        ("Source", _plain_text_of_any_value(block.get("Source"))),
        ("Picture", _plain_text_of_any_value(block.get("ImageURL"))),
        *(pair for key in _NAMED_ENTRY_KEYS for pair in _named_entries(block.get(key))),
        ("Description", _plain_text_of_any_value(block.get("Description"))),
    ]
    kind = _plain_text_of_any_value(block.get("Type"))
    return ForeignSheet(
        str(block["Name"]).strip(),
        INITIATIVE,
        bool(block.get("Player")),
        "" if block.get("Player") == "player" else _plain_text_of_any_value(block.get("Player")),
        kind.split("\n")[0],
        _squares_wide(None, kind),
        [(about, text[:LONGEST_TEXT]) for about, text in told if text],
        [key for key in block if key not in _KNOWN_STATBLOCK_KEYS and block[key] not in _EMPTY_VALUES],
    )


def _value_and_notes(value: object) -> str:
    if not isinstance(value, Mapping):
        return _plain_text_of_any_value(value)
    return " ".join(
        filter(
            None, [_plain_text_of_any_value(value.get("Value")), _plain_text_of_any_value(value.get("Notes"))]
        )
    )


def _named_modifiers_words(value: object) -> str:
    rows = [row for row in value if isinstance(row, Mapping)] if isinstance(value, list) else []
    return ", ".join(
        f"{_plain_text_of_any_value(row.get('Name'))} {_plain_text_of_any_value(row.get('Modifier'))}"
        for row in rows
    )


def _named_entries(value: object) -> Iterator[tuple[str, str]]:
    for row in value if isinstance(value, list) else ():
        if isinstance(row, Mapping):
            usage = f"({_plain_text_of_any_value(row.get('Usage'))})" if row.get("Usage") else ""
            yield (
                _plain_text_of_any_value(row.get("Name")) or "?",
                " ".join(filter(None, [usage, _plain_text_of_any_value(row.get("Content"))])),
            )


# CSV

_NAME_HEADINGS = ("name", "creature", "monster", "character")
"""Column headings that mark the names."""


_SEPARATOR_LINE = re.compile(r"sep=([,;\t|])\r?\n")
"""The first line by which Excel declares the separator of cells."""


def _read_csv(path: Path, text: str) -> Iterator[ForeignSheet]:
    rows = csv.reader(io.StringIO(text, newline=""), _csv_dialect(text), strict=True)
    headings: list[str] = []
    try:
        for row in rows:
            cells = [cell.strip() for cell in row]
            if not any(cells) or (rows.line_num == 1 and _SEPARATOR_LINE.match(text)):
                continue
            if not headings:
                headings = _read_heading_keys_requiring_name(path, rows.line_num, cells)
                continue
            if len(cells) > len(headings):
                wide = f"{len(cells)} cells, and there are {len(headings)} headings"
                raise Usage(f"{path}, line {rows.line_num}: {wide}.", "Put cells with commas in quotes.")
            yield _read_row(path, rows.line_num, dict(zip(headings, cells, strict=False)))
    except csv.Error as error:
        raise Usage(f"{path}, line {rows.line_num}: {error}.", "Save it as CSV again.") from None


def _csv_dialect(text: str) -> type[csv.Dialect]:
    said = _SEPARATOR_LINE.match(text)
    try:
        found = csv.Sniffer().sniff(said[1].join("ab") if said else text[:4000].split("\n")[0], ",;\t|")
    except csv.Error:
        return csv.excel
    return found


def _read_heading_keys_requiring_name(path: Path, line: int, cells: Iterable[str]) -> list[str]:
    found = [cell.lower().replace(" ", "_") for cell in cells]
    if not set(found) & set(_NAME_HEADINGS):
        raise Usage(
            f"{path}, line {line}: no column is called `name`.",
            f"The first line names the columns; it has {listed(found)}.",
        )
    if double := [name for name, count in Counter(found).items() if name and count > 1]:
        raise Usage(f"{path}, line {line}: two columns are called {listed(double)}.", "Rename or remove one.")
    return found


def _read_row(path: Path, line: int, row: Mapping[str, str]) -> ForeignSheet:
    key = next((name for name in _NAME_HEADINGS if name in row), "")
    name = row.get(key, "")
    if not name:
        raise Usage(f"{path}, line {line}: it has no name.", "Add one, or remove the line.")
    own = {heading: cell for heading, cell in row.items() if cell and heading and heading != key}
    return ForeignSheet(name, CSV, cells=own, line=line)
