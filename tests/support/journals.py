"""Journals that a test has changed by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from strike_cli.campaign.journal import START, Journal, line_hash, relink_line


def entries_of(folder: Path) -> list[dict[str, Any]]:
    """All entries of a campaign, whole: a line leaves out what goes without saying."""
    return [entry for entry, _, _ in Journal(folder).entries_since(START)]


def linked_anew(folder: Path) -> None:
    """A journal with other words in it is a chain again, and the state is what it comes to."""
    (folder / "state.toml").unlink(missing_ok=True)
    after = ""
    for file in sorted((folder / "journal").glob("*.jsonl")):
        lines = file.read_bytes().splitlines(keepends=True)
        for number, line in enumerate(lines):
            lines[number] = relink_line(line, after) or line
            after = line_hash(lines[number])
        file.write_bytes(b"".join(lines))
