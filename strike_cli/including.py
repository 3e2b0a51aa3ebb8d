"""Which files a campaign is written in: those that `include` names, below the campaign's folder and nowhere
else. One rule for all: what a campaign is made of lies in its folder, whichever links lead to it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

LARGEST = 8 * 1024 * 1024
"""Bytes of a file that people write."""
RULE = "what a campaign includes lies in its own folder"
_SIGNS = "*?["
_ANY_DEPTH = "**"


class OutsideCampaign(Exception):
    """A path that leads out of the campaign's folder."""


def is_inside(folder: Path, path: Path) -> bool:
    """Whether a path leads to somewhere below the folder, links followed."""
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError):  # a link to itself, a name that no system has
        return False


def read_text_file(path: Path, most: int = LARGEST) -> bytes:
    """The bytes of a file that people write, `most` at the most. Raises OSError, ValueError for what is
    none."""
    file = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(file, "rb") as opened:
        status = os.fstat(file)
        if not stat.S_ISREG(status.st_mode):
            raise ValueError("it is no plain file")
        if status.st_size > most:
            raise ValueError(f"it has more than {most // 2**20} MiB")
        return opened.read()


class Included:
    """The files that a pattern means, and the folders that were looked into, whose stamps say whether others
    have come. Raises Outside, ValueError for what is no pattern."""

    def __init__(self, folder: Path, pattern: str) -> None:
        parts = PurePosixPath(pattern.replace(os.sep, "/")).parts
        if not parts or not pattern.isprintable():
            raise ValueError(pattern)
        if ".." in parts or os.path.isabs(pattern):
            raise OutsideCampaign(pattern)
        self.folder = folder
        self.folders: list[Path] = []
        self.files = sorted(dict.fromkeys(self._found(folder, parts)))

    def _found(self, place: Path, parts: tuple[str, ...]) -> Iterator[Path]:
        """What is meant below a folder."""
        first, *others = parts
        rest = tuple(others)
        if first == _ANY_DEPTH:
            for below in self._folders_below(place):
                yield from self._found(below, rest or ("*",))
        elif not any(sign in first for sign in _SIGNS):
            if not rest:
                self.folders.append(place)
            yield from self._step(place / first, rest)
        else:
            self.folders.append(place)
            for name in self._names(place):
                if fnmatch(name, first):
                    yield from self._step(place / name, rest)

    def _step(self, path: Path, rest: tuple[str, ...]) -> Iterator[Path]:
        if not os.path.lexists(path):
            if not rest:
                return
            self.folders.append(path)  # where it may come to be
        elif not is_inside(self.folder, path):
            raise OutsideCampaign(path.relative_to(self.folder).as_posix())
        elif not rest:
            if not path.is_dir():
                yield path
        elif path.is_dir():
            yield from self._found(path, rest)

    def _names(self, place: Path) -> list[str]:
        try:
            return os.listdir(place)
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            return []

    def _folders_below(self, place: Path) -> Iterator[Path]:
        """A folder and all below it, through no links."""
        for below, names, _ in os.walk(place):
            names.sort()
            self.folders.append(Path(below))
            yield Path(below)
