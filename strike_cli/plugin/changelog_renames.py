"""Changed names of the plugin API: the changelog's table of old and new names.

`renamed_names_used_by` returns the rows of the table that concern one plugin.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

TABLE_HEAD = "| version 1 | version 2 |"
PACKAGE = Path(__file__).parents[1]


def changelog_text() -> str:
    """Return the changelog's text, from the installed package or a checkout; "" if neither has it."""
    places = (PACKAGE / "CHANGELOG.md", PACKAGE.parent / "CHANGELOG.md")
    return next((place.read_text("utf-8") for place in places if place.is_file()), "")


def renamed_name_pairs() -> Iterator[tuple[str, str]]:
    """Yield each row of the changelog's table: the old name, and the new one."""
    table = changelog_text().partition(TABLE_HEAD)[2].partition("\n\n")[0]
    for line in table.splitlines()[2:]:
        was, _, now = line.strip("| ").partition(" | ")
        yield was, now


def renamed_names_used_by(module: str) -> list[tuple[str, str]]:
    """Return the renamed names that a plugin's code uses: pairs of the old names and the new ones.

    Each pair comes from a row of the changelog's table. Of the row's old names, only those in the code of
    `module` or its package are kept.
    """
    text = "\n".join(_source_texts(module))
    words, fields = set(re.findall(r"\w+", text)), set(re.findall(r"^ *(\w+) *=", text, re.MULTILINE))
    found = []
    for was, now in renamed_name_pairs():
        first, *rest = re.findall(r"`([\w.]+)`", was)
        names = [name for name in rest if name in fields] if first == "System" else []
        names = names or [name for name in (first, *rest) if name in words and first != "System"]
        if names and now != "as they were":
            found.append(
                (", ".join(names) + (" of System" if first == "System" else ""), now.replace("`", ""))
            )
    return found


def _source_texts(module: str) -> Iterator[str]:
    """Yield the text of each Python file of a plugin's package. Nothing is imported."""
    try:
        spec = find_spec(module.partition(".")[0])
    except (ImportError, ValueError):
        return
    if spec is None or spec.origin is None:
        return
    file = Path(spec.origin)
    for each in sorted(file.parent.rglob("*.py")) if file.name == "__init__.py" else [file]:
        yield each.read_text("utf-8", errors="replace")
