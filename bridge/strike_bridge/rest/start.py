"""The table that a target of one's own begins with."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

_FILE = Path(__file__).with_name("start.toml")


def start_text() -> str:
    """Return the table as text, commented, its heads as those of a file of its own."""
    return _FILE.read_text(encoding="utf-8")


def start_table() -> Mapping[str, object]:
    """Return the table in the file."""
    return tomllib.loads(start_text())


def as_target(text: str, name: str) -> str:
    """Return a table's text as campaign.toml has it."""
    own = f"bridge.targets.{name}"
    lines = [line.replace("[", f"[{own}.", 1) if line.startswith("[") else line for line in text.splitlines()]
    return "\n".join([f"[{own}]", *lines, ""])
