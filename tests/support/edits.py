"""Files of a campaign, edited as people do."""

from __future__ import annotations

from pathlib import Path


def append_to(file: Path, text: str) -> None:
    """Write something more at the end of a file."""
    file.write_text(file.read_text("utf-8") + text, "utf-8")


def replace_in(file: Path, old: str, new: str) -> None:
    """Write something else in the place of what stands first in a file."""
    text = file.read_text("utf-8")
    assert old in text, f"{file.name} has no {old!r}"
    file.write_text(text.replace(old, new, 1), "utf-8")
