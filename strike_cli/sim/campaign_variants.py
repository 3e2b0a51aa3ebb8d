"""Variants of a campaign, for comparison: for example with another house rule, or another number on a sheet.

The campaign's own files stay as they are. A variant is checked like a campaign that somebody wrote. Begin
with `files_with_values_set`.
"""

from __future__ import annotations

import json
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

from ..content import CAMPAIGN_FILE
from ..content.compiler import Compiler
from ..content.merged_content import Book
from ..problems import ContentProblem, Usage

PARTY, WITHOUT, DIFFICULTY = "party", "without", "difficulty"
"""What may be changed, besides paths of campaign.toml."""


def read_campaign_files(folder: Path) -> dict[str, bytes]:
    """Return every file in the campaign's folder from which its book is compiled, by relative path."""
    compiler = Compiler(folder)
    compiler.compile()
    root = folder.resolve()
    found = {}
    for name in [str(root / CAMPAIGN_FILE), *compiler.stamps]:
        path = Path(name)
        resolved = path if path.is_absolute() else folder / path
        if resolved.is_file() and resolved.resolve().is_relative_to(root):
            found[resolved.resolve().relative_to(root).as_posix()] = resolved.read_bytes()
    return found


def files_with_values_set(
    files: Mapping[str, bytes], values: Sequence[Mapping[str, object]]
) -> dict[str, bytes]:
    """Return the campaign's files after setting values in them.

    A value belongs to a thing, such as a character. It is set in the file that defines this thing. If no file
    defines the thing, the value is set in campaign.toml.
    """
    import tomli_w

    if not values:
        return dict(files)
    tables = {
        name: tomllib.loads(text.decode("utf-8-sig"))
        for name, text in files.items()
        if name.endswith(".toml")
    }
    for value in values:
        _merge_tables(tables[_file_that_defines(tables, value)], value)
    return {**files, **{name: tomli_w.dumps(table).encode() for name, table in tables.items()}}


def _file_that_defines(tables: Mapping[str, Mapping[str, object]], value: Mapping[str, object]) -> str:
    """Return the file that defines the thing to which a value belongs, such as `characters.vex`.

    It is campaign.toml if no file defines the thing yet.
    """
    kind, below = next(iter(value.items()))
    for name, table in tables.items():
        things = table.get(kind)
        if isinstance(below, dict) and isinstance(things, dict) and next(iter(below)) in things:
            return name
    return CAMPAIGN_FILE


def _merge_tables(table: dict[str, object], value: Mapping[str, object]) -> None:
    for key, item in value.items():
        if isinstance(item, dict) and isinstance(table.get(key), dict):
            _merge_tables(cast("dict[str, object]", table[key]), item)
        else:
            table[key] = item


def compile_book(files: Mapping[str, bytes], typed: Sequence[str] = ()) -> Book:
    """Return the book compiled from a campaign's files.

    `typed` has values that the user typed and that may cause a fault. If the files have a fault, Usage is
    raised with a message that names these values. Without `typed`, ContentProblem is raised instead.
    """
    with tempfile.TemporaryDirectory(prefix="strike-sim-") as place:
        for name, text in files.items():
            path = Path(place) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text)
        try:
            return Book(Compiler(Path(place)).compile())
        except ContentProblem as problem:
            if not typed:
                raise
            raise Usage(
                f"{', '.join(typed)}: {problem.message}", "docs/campaign-file.md has every key."
            ) from None


def parse_path_value(typed: str) -> dict[str, object]:
    """Parse `PATH=VALUE` into nested tables: `characters.vex.hp=12`. Text needs no quotes.

    Raises Usage for any other form.
    """
    path, sign, text = typed.partition("=")
    if not sign or not path.strip() or not text.strip():
        raise Usage(f"{typed!r} changes nothing.", "Write PATH=VALUE, like characters.vex.hp=12.")
    for value in (text.strip(), json.dumps(text.strip())):
        try:
            found = tomllib.loads(f"{path.strip()} = {value}")
        except tomllib.TOMLDecodeError:
            continue
        if _is_empty_table(found):
            raise Usage(f"{typed!r} changes nothing.", "Name a key of it, like characters.vex.hp=12.")
        return found
    raise Usage(f"{path.strip()!r} is not a path.", "Write it with dots, like house.hp_strikes=true.")


def _is_empty_table(value: object) -> bool:
    return isinstance(value, dict) and all(map(_is_empty_table, value.values()))
