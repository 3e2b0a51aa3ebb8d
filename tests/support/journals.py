"""Journals that a test has changed by hand."""

from __future__ import annotations

from pathlib import Path

from strike_cli.campaign.journal import link, relinked


def linked_anew(folder: Path) -> None:
    """A journal with other words in it is a chain again, and the state is what it comes to."""
    (folder / "state.toml").unlink(missing_ok=True)
    after = ""
    for file in sorted((folder / "journal").glob("*.jsonl")):
        lines = file.read_bytes().splitlines(keepends=True)
        for number, line in enumerate(lines):
            lines[number] = relinked(line, after) or line
            after = link(lines[number])
        file.write_bytes(b"".join(lines))
