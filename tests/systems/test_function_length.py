"""A page holds every function: what is longer does several things."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import strike_cli

ROOT = Path(strike_cli.__file__).parent.parent
LONGEST = 60
"""Lines of a function, with its head and what it says of itself."""
_HEAD = re.compile(r"( *)(?:async )?def (\w+)")


def long_functions(text: str) -> list[str]:
    """The functions that are longer, by name. A function ends before the first line that stands no further in
    than its `def`, its own `)` aside."""
    found: list[str] = []
    open_: list[tuple[int, str, int]] = []
    last = 0
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        indent = len(line) - len(line.lstrip())
        while open_ and indent <= open_[-1][0] and not line.lstrip().startswith(")"):
            _, name, begin = open_.pop()
            found += [name] if last - begin + 1 > LONGEST else []
        if head := _HEAD.match(line):
            open_.append((indent, head[2], number))
        last = number
    return found + [name for _, name, begin in open_ if last - begin + 1 > LONGEST]


@pytest.mark.slow  # it reads every file
def test_no_function_is_longer_than_a_page() -> None:
    files = [
        file
        for place in ("strike_cli", "bridge", "plugins", "website")
        for file in (ROOT / place).rglob("*.py")
        if "node_modules" not in file.parts
    ]
    assert len(files) > 500
    found = {
        f"{file.relative_to(ROOT)}: {name}": None
        for file in files
        for name in long_functions(file.read_text("utf-8"))
    }
    assert list(found) == []
