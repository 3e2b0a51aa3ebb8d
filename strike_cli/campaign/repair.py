"""Mending a journal. Of two branches one is kept (`branches.py`). Line ends that a program has turned round
are put back as strike writes them. Where a power cut left a hole, what can't be read and what came after it
is set aside: only where state.toml is not true for it yet, as for the last entries of a script that was cut
off, so that what stands before the hole is whole by itself. Nothing is deleted.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ..problems import CampaignProblem
from . import branches, files
from . import state as state_file
from .journal import FOLDER, START, Break, Gap, Hole, Journal, Position
from .state import follows


def mend(folder: Path) -> list[str]:
    """Put line ends back; keep one of several branches; set aside what stands from the first hole of the
    journal on, and a state.toml that no journal gives. What was done, a line for each file.

    Raises CampaignProblem where the hole is in what state.toml was made from, and changes nothing then.
    """
    lock = files.Lock(folder)
    lock.acquire()
    try:
        journal = Journal(folder)
        done = _put_line_ends_back(journal)
        hole, entries, linked = _first_hole(journal)
        found = _state(folder)
        beyond = found is None or hole is None or hole >= tuple(found.head.end)
        copies, marked = branches.copies(folder), branches.marked(folder)
        if copies or marked or hole is not None:
            tree = branches.Tree(folder)
            if copies or marked or tree.forks or (linked and not beyond):
                done += branches.untangle(folder, tree, found.head.after if found else "")
                hole = None
        if hole is not None:
            if not beyond:
                raise _within_the_state(hole)
            done += _set_aside(folder, journal, hole, entries)
        if _is_of_another(folder, journal):
            done.append(branches.set_state_aside(folder))
        return done
    finally:
        lock.release()


def _put_line_ends_back(journal: Journal) -> list[str]:
    """Where all lines of a file end as Windows ends them, a program has turned them round, as git and those
    for sharing files may: no entry has such an end, and places in the journal are counted in bytes."""
    lines = []
    for name in journal.files():
        path = journal.folder / name
        try:
            raw = files.read_plain(path, sys.maxsize)
            if raw.endswith(b"\r\n") and raw.count(b"\n") == raw.count(b"\r\n"):
                files.replace(files.write_scratch(path, raw.replace(b"\r\n", b"\n")), path)
                lines.append(
                    f"{FOLDER}/{name}: its lines ended as on Windows, and end as strike writes them again."
                )
        except OSError as error:
            raise files.unwritable(path, error) from None
    return lines


def _first_hole(journal: Journal) -> tuple[Position | None, int, bool]:
    """Where the first entry stands that can't be read or doesn't follow, how many are whole before it, and
    whether it is the next one by its number."""
    count = 0
    try:
        for entry, start, _ in journal.since(START):
            if entry["seq"] != count + 1:
                return start, count, False
            count += 1
    except (Hole, Break, Gap) as hole:
        return hole.position, count, isinstance(hole, Break)
    return None, count, False


def _state(folder: Path) -> state_file.ReadState | None:
    """state.toml as far as it says what it follows."""
    try:
        return state_file.read(folder)
    except CampaignProblem:
        return None


def _is_of_another(folder: Path, journal: Journal) -> bool:
    """Whether a state.toml is there that follows no entry of the journal, or is of two branches."""
    try:
        found = state_file.read(folder)
        if found is not None:
            return not follows(journal, found.head)
    except CampaignProblem:
        return False  # told where it is read
    return os.path.lexists(folder / state_file.STATE_FILE)


def _within_the_state(hole: Position) -> CampaignProblem:
    return CampaignProblem(
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
