"""Mending a journal that a power cut left a hole in: what can't be read and what came after it is set aside.

Only for entries that state.toml is not true for yet, such as the last ones of a script that was cut off: then
what stands before the hole is whole by itself. Nothing is deleted.
"""

from __future__ import annotations

from pathlib import Path

from ..problems import CampaignProblem
from . import files
from . import state as state_file
from .journal import FOLDER, START, Hole, Journal, Position


def mend(folder: Path) -> list[str]:
    """Set aside what stands from the first hole of the journal on; what was done, a line for each file.

    Raises CampaignProblem where the hole is in what state.toml was made from, and changes nothing then.
    """
    lock = files.Lock(folder)
    lock.acquire()
    try:
        journal = Journal(folder)
        hole, entries = _first_hole(journal)
        if hole is None:
            return []
        _must_be_beyond_the_state(folder, hole)
        return _set_aside(folder, journal, hole, entries)
    finally:
        lock.release()


def _first_hole(journal: Journal) -> tuple[Position | None, int]:
    """Where the first entry stands that can't be read or doesn't follow, and how many are whole before it."""
    count = 0
    try:
        for entry, start, _ in journal.since(START):
            if entry["seq"] != count + 1:
                return start, count
            count += 1
    except Hole as hole:
        return hole.position, count
    return None, count


def _must_be_beyond_the_state(folder: Path, hole: Position) -> None:
    found = state_file.read(folder)
    if found is not None and hole < tuple(found.head.end):
        raise CampaignProblem(
            f"{FOLDER}/{hole[0]} has a hole at byte {hole[1]}, in what state.toml was made from.",
            "Put the file back from a copy: nothing before the hole says how things stand after it.",
        )


def _set_aside(folder: Path, journal: Journal, hole: Position, entries: int) -> list[str]:
    lines = []
    for name in journal.files():
        start = hole[1] if name == hole[0] else 0
        if name < hole[0] or journal.size(name) <= start:
            continue
        try:
            aside = journal.set_aside(name, start, whole_lines=True)
        except OSError as error:
            raise files.unwritable(folder, error) from None
        lines.append(
            f"{FOLDER}/{name} ends with entry {entries} now; what came after is in {FOLDER}/{aside}."
        )
    return lines
