"""Pictures dropped on the game master's page, stored in the campaign's folder.

Each has a name of ours, and overwrites nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ..campaign.files import portable, read_plain, real_folder, remove, write_below
from ..problems import Refused, Usage
from ..tabletop.people import slug
from ..tabletop.pictures import LARGEST, LARGEST_MAP, media_type_of, size_of

KEPT = "pictures"
"""The folder that they are kept in until they are used."""
WIDEST = 10_000
"""Pixels of a side."""
_ENDS = {"image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp"}
_LONGEST = 60
"""Characters of a name."""


class Dropped(NamedTuple):
    """A picture in the campaign's folder: its path from there, and its size in pixels."""

    file: str
    width: int
    height: int
    bytes: int

    @property
    def uses(self) -> tuple[str, ...]:
        """What it may be used as. A handout goes to every phone: it may be no larger than a portrait."""
        return ("handout", "map") if self.bytes <= LARGEST else ("map",)


def keep(folder: Path, name: str, content: bytes) -> Dropped:
    """Keep a picture by the name of its file, cleaned, with the ending that it is. The same one is kept once.

    Raises Usage for what is no picture, or too large; OSError where it can't be written.
    """
    kind = _ENDS.get(media_type_of(content))
    if kind is None:
        raise Usage("That is no png, jpg or webp.", "Save the picture as one of these. Nothing was kept.")
    if len(content) > LARGEST_MAP:
        raise Usage(f"It has {len(content) / 2**20:.1f} MiB, and {LARGEST_MAP // 2**20} are allowed.")
    try:
        width, height = size_of(content)
    except ValueError as why:
        raise Usage(f"The picture {why}.", "Save it anew in a program that shows it.") from None
    if not 0 < min(width, height) <= max(width, height) <= WIDEST:
        raise Usage(f"It has {width} x {height} pixels, and {WIDEST} a side are allowed.")
    file = _put(folder, KEPT, _clean(name), kind, content)
    return Dropped(file, width, height, len(content))


def move(folder: Path, file: str, to: str, taken: Iterable[str] = ()) -> str:
    """Move one that was kept into another folder of the campaign's: its path there. `taken` are others'.

    Raises Refused for a file that was not kept here; OSError.
    """
    path = kept_at(folder, file)
    moved = _put(folder, to, path.stem, path.suffix, read_plain(path, LARGEST_MAP), frozenset(taken))
    remove(path)
    return moved


def kept_at(folder: Path, file: str) -> Path:
    """Return where one lies that was kept. Raises Refused for any other file; OSError."""
    path = Path(file)
    if (
        path.parent.as_posix() != KEPT
        or path.suffix not in _ENDS.values()
        or portable(slug(path.stem)) != path.stem
    ):
        raise Refused(f"{file[:_LONGEST]} was not dropped here.", "Drop the picture anew.")
    if not real_folder(folder / KEPT) or not (folder / path).is_file():
        raise Refused(f"{file} is not there any more.", "Drop the picture anew.")
    return folder / path


def _clean(name: str) -> str:
    """Reduce a file's name to letters, digits and hyphens, without folders and ending."""
    stem = name.replace("\\", "/").rpartition("/")[2].rpartition(".")
    return portable(slug(stem[0] or stem[2])[:_LONGEST].strip("-") or "picture")


def _put(
    folder: Path, place: str, stem: str, end: str, content: bytes, taken: frozenset[str] = frozenset()
) -> str:
    """Write it under the first free name. One of the same bytes has the name already."""
    number = 1
    while True:
        called = stem if number == 1 else f"{stem}-{number}"
        path = Path(place, f"{called}{end}")
        number += 1
        if os.path.lexists(folder / path):
            if _same(folder / path, content):
                return path.as_posix()
        elif called not in taken:
            write_below(folder, path, content)
            return path.as_posix()


def _same(path: Path, content: bytes) -> bool:
    try:
        return read_plain(path, len(content)) == content
    except OSError:
        return False
