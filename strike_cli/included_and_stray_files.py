"""The files of a campaign: which of them belong to it, and which match an `include` pattern.

All of them are inside the campaign's folder, even if they are reached through links.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Collection, Iterator
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

LARGEST = 8 * 1024 * 1024
"""The most bytes of a file that people write."""
RULE = "a campaign includes files of its own folder alone"
_SIGNS = "*?["
_ANY_DEPTH = "**"


HIDDEN, BACKUP, COPY, CONFLICT = "hidden", "a backup", "a copy", "a conflict copy"
"""The reasons for which a file in a campaign's folder doesn't belong to the campaign."""
_BACKUP = re.compile(
    r""".*~ | \#.*\# | ~\$.* | ~syncthing~.* | (thumbs\.db|ehthumbs\.db|desktop\.ini|icon\r)
    | .*\.(~\d+~ | bak\d* | bk | backup | old | orig | rej | sw[a-p] | te?mp | part | partial
    | crdownload | download | save? | autosave | mine | r\d+ | ds_store)
    | .*[._](BACKUP|BASE|LOCAL|REMOTE)[._]\d+(\.\w+)? | .*\.(bak|backup|orig|old|tmp|autosave)\.\w+""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
"""Names of the private files of editors, mergers, browsers and operating systems."""
_CONFLICT = re.compile(
    r""".*(sync-conflict-\d{8} | [(\[][^)\]]*conflict[^)\]]*[)\]] | conflicted\ copy | case\ conflict
    | _conflict-\d{8} | _\w{3}-\d\d-\d{6}-\d{4}_conflict).* | .*\.conflict(\.\w+)?""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
"""Names that file-sharing programs give to the second version of a file."""
_COPIED = re.compile(
    r"""(copy|kopie|copie|copia|c\u00f3pia)\ (of|von|de|di)\ (?P<of>.+)
    | (?P<stem>.+?)(\ ?[-_]\ ?(copy|kopie|copie|copia|c\u00f3pia)(\ ?\(?\d+\)?)? | \ (copy|kopie)(\ \d+)?
    | \ ?\((\d+ | (another\ |\d+\w\w\ )?copy(\ \d+)? | kopie(\ \d+)?)\) | -(DESKTOP|LAPTOP)-[A-Z0-9]+)""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
"""Names that a copy gets beside its original."""


def stray_file_kind(name: str, siblings: Collection[str]) -> str:
    """Return the reason why a file or folder isn't part of the campaign: HIDDEN, BACKUP, COPY or CONFLICT.

    Return "" if it is part of the campaign. `siblings` are all names in the same folder: a copy is recognised
    only beside its original.
    """
    if name.startswith("."):
        return HIDDEN
    if _BACKUP.fullmatch(name):
        return BACKUP
    stem, dot, ending = name.rpartition(".")
    stem, ending = (stem, dot + ending) if dot else (name, "")
    if _CONFLICT.fullmatch(stem):
        return CONFLICT
    if found := _COPIED.fullmatch(stem):
        first = (found["of"] or found["stem"]) + ending
        if any(first.lower() == other.lower() for other in siblings):
            return COPY
    return ""


def campaign_file_names(folder: str | os.PathLike[str]) -> list[str]:
    """Return the sorted names in a folder that belong to the campaign. Raises OSError."""
    names = sorted(os.listdir(folder))
    return [name for name in names if not stray_file_kind(name, names)]


_OF_STRIKE = (".git", ".gitignore", ".gitattributes", ".lock")


def stray_files_and_folders_below(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield what doesn't belong to the campaign in its folder: the path of a file or folder, and the reason.

    Each path is relative to the campaign's folder. Files of strike and of git are left out. The search
    doesn't enter folders that don't belong to the campaign, and it doesn't enter the folder `bridge`.
    """
    for place, folders, files in os.walk(folder):
        names = [*folders, *files]
        kinds = {name: stray_file_kind(name, names) for name in names}
        kept = "bridge" if Path(place) == folder else ""  # strike's own bookkeeping
        folders[:] = sorted(name for name in folders if not kinds[name] and name != kept)
        for name in sorted(names):
            if (
                kinds[name]
                and name not in _OF_STRIKE
                and not (name.startswith(".") and name.endswith(".new"))
            ):
                yield Path(os.path.relpath(os.path.join(place, name), folder)).as_posix(), kinds[name]


class OutsideCampaign(Exception):
    """The error for a path that leads out of the campaign's folder."""


def is_inside(folder: Path, path: Path) -> bool:
    """Return whether a path is a folder itself or below it, after links are followed."""
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError):  # a link to itself, a name that no system has
        return False


def read_authored_file(path: Path, max_bytes: int = LARGEST) -> bytes:
    """Return the bytes of a file that people write.

    Raises:
        OSError: The file can't be read.
        ValueError: It is no plain file, or has more than `max_bytes` bytes.
    """
    file = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(file, "rb") as opened:
        status = os.fstat(file)
        if not stat.S_ISREG(status.st_mode):
            raise ValueError("it is not a plain file")
        if status.st_size > max_bytes:
            raise ValueError(f"it is larger than {max_bytes // 2**20} MiB")
        return opened.read()


class IncludedFiles:
    """The files that match an `include` pattern, and the folders that were searched for them.

    If the modification time of one of these folders changes, other files may match. The constructor raises
    OutsideCampaign for a path outside the campaign, and ValueError for an invalid pattern.
    """

    def __init__(self, folder: Path, pattern: str) -> None:
        parts = PurePosixPath(pattern.replace(os.sep, "/")).parts
        if not parts or not pattern.isprintable():
            raise ValueError(pattern)
        if ".." in parts or os.path.isabs(pattern):
            raise OutsideCampaign(pattern)
        self.folder = folder
        self.folders: list[Path] = []
        # `wolf.toml` comes before `wolf 2.toml`.
        found = dict.fromkeys(self._find_files(folder, parts))
        self.files = sorted(found, key=lambda path: (path.parent, path.stem, path.suffix))

    def _find_files(self, folder: Path, parts: tuple[str, ...]) -> Iterator[Path]:
        first, *others = parts
        rest = tuple(others)
        if first == _ANY_DEPTH:
            for below in self._folders_below(folder):
                yield from self._find_files(below, rest or ("*",))
        elif not any(sign in first for sign in _SIGNS):
            if not rest:
                self.folders.append(folder)
            yield from self._enter_path(folder / first, rest)
        else:
            self.folders.append(folder)
            for name in self._names_in(folder):
                if fnmatch(name, first):
                    yield from self._enter_path(folder / name, rest)

    def _enter_path(self, path: Path, rest: tuple[str, ...]) -> Iterator[Path]:
        if not os.path.lexists(path):
            if not rest:
                return
            self.folders.append(path)  # where it may be created
        elif not is_inside(self.folder, path):
            raise OutsideCampaign(path.relative_to(self.folder).as_posix())
        elif not rest:
            if not path.is_dir():
                yield path
        elif path.is_dir():
            yield from self._find_files(path, rest)

    def _names_in(self, folder: Path) -> list[str]:
        try:
            return campaign_file_names(folder)
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            return []

    def _folders_below(self, folder: Path) -> Iterator[Path]:
        """Yield a folder and the folders below it, without following links.

        Folders that aren't part of the campaign are left out, such as hidden folders and backups.
        """
        for below, names, files in os.walk(folder):
            names[:] = sorted(name for name in names if not stray_file_kind(name, [*names, *files]))
            self.folders.append(Path(below))
            yield Path(below)
