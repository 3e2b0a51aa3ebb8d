"""The cache of derived data in the user's own cache folder, and the folder of the user's own data.

All cached data can be deleted safely. The data in `data_folder` is no cache.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path
from typing import TypeVar
from zlib import crc32

Stamps = Mapping[str, object]
MOST_FILES = 100
"""The most files in the cache: some two for each campaign, one for each folder of plugins, and one for each
file that comes for campaigns to include.
"""


INDEXED_KEYS = ("of", "on")
"""Keys by which rules search whole tables: numbers that something changes, moments that something answers."""


Thing = TypeVar("Thing")


class LazyTable(Mapping[str, Thing]):
    """A cached table that parses an item only when somebody asks for the item.

    This saves time, since most commands need only a few of the many items.
    """

    def __init__(self, line: bytes) -> None:
        self._line = line
        self._read: dict[str, Thing] = {}

    @property
    def indexed_words_by_key(self) -> Mapping[str, list[str]]:
        """The strings in the table's items, grouped by the key under which they stand.

        Only the keys in INDEXED_KEYS count. Tables nested in the items count, too.
        """
        return self._ids_and_words[1]

    @cached_property
    def _ids_and_words(self) -> tuple[list[str], Mapping[str, list[str]]]:
        head = json.loads(self._line.partition(_BETWEEN)[0])
        return head["ids"], head["words"]

    def __getitem__(self, id: str) -> Thing:
        if id not in self._read:
            self._read[id] = json.loads(self._raw_items_by_id[id])
        return self._read[id]

    @cached_property
    def _raw_items_by_id(self) -> Mapping[str, bytes]:
        _, *things = self._line.split(_BETWEEN)
        return dict(zip(self._ids_and_words[0], things, strict=True))

    def __contains__(self, id: object) -> bool:
        return id in self._raw_items_by_id

    def __iter__(self) -> Iterator[str]:
        return iter(self._raw_items_by_id)

    def __len__(self) -> int:
        return len(self._raw_items_by_id)


_BETWEEN = b"\t"
"""The separator of a table's things on its line; within a thing JSON escapes it."""


def strings_under_indexed_key_in_items(table: Mapping[str, object], indexed_key: str) -> Collection[str]:
    """Return all strings that the items of a table have under the key `indexed_key`.

    Tables nested in the items count, too. `indexed_key` is one of INDEXED_KEYS.
    """
    return (
        table.indexed_words_by_key[indexed_key]
        if isinstance(table, LazyTable)
        else _indexed_words_by_key(table)[indexed_key]
    )


def _indexed_words_by_key(table: Mapping[str, object]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {key: set() for key in INDEXED_KEYS}
    left = list(table.values())
    while left:
        value = left.pop()
        if isinstance(value, dict):
            for key in INDEXED_KEYS:
                if isinstance(word := value.get(key), str):
                    found[key].add(word)
            value = value.values()
        elif not isinstance(value, list):
            continue
        left += [each for each in value if isinstance(each, dict | list)]
    return found


def cache_folder() -> Path:
    """Return the folder for derived data that is stored between commands.

    The folder can be deleted safely at any time.
    """
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return Path(base or os.path.join(os.path.expanduser("~"), ".cache")) / "strike"


def data_folder() -> Path:
    """Return the folder for data of the user's own that all campaigns share.

    The data are packs, presets and backups. This folder is not a cache.
    """
    base = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA")
    return Path(base or os.path.join(os.path.expanduser("~"), ".local", "share")) / "strike"


def read_cache(name: str, key: object) -> object:
    """Return the value cached under this name and key; None if there is none that can be used.

    A damaged value isn't used. Neither is a value in a file of another user, or in a file that others may
    write to: a cache is trusted like its source, and may refer to code.
    """
    return read_cache_with_tables(name, key)[0]


def read_cache_with_tables(name: str, key: object) -> tuple[object, Mapping[str, bytes]]:
    """Return the value cached under this name and key, and the lines of the tables cached with it.

    `LazyTable` reads these lines. If no cached value can be used (see `read_cache`), return None and {}.
    """
    try:
        file = os.open(cache_folder() / name, os.O_RDONLY | _SAFE_OPEN_FLAGS)
        with open(file, "rb") as opened:
            status = os.fstat(file)
            if not (
                stat.S_ISREG(status.st_mode)
                and (
                    not hasattr(os, "geteuid")
                    or (status.st_uid == os.geteuid() and not status.st_mode & 0o022)
                )
            ):
                return _NOTHING
            check, *lines = opened
        if check.rstrip() != _checksum(lines):
            return _NOTHING
        whole, *tables = lines
        cached = json.loads(whole)
    except (OSError, ValueError, RecursionError):
        return _NOTHING
    if not isinstance(cached, dict) or cached.get("key") != key:
        return _NOTHING
    return cached.get("value"), dict(zip(cached.get("tables", ()), tables, strict=False))


def write_cache(
    name: str, key: object, value: object, tables: Mapping[str, Mapping[str, object]] | None = None
) -> None:
    """Cache a value under a name and key, with tables whose items can be read one by one.

    A failure to write is ignored.
    """
    folder = cache_folder()
    tables = tables or {}
    first = {"key": key, "value": value, "tables": list(tables)}
    lines = [json.dumps(first).encode() + b"\n", *map(_table_line, tables.values())]
    scratch = folder / f"{name}.{os.getpid()}"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            os.unlink(scratch)
        file = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _SAFE_OPEN_FLAGS, 0o600)
        with open(file, "wb") as opened:
            opened.writelines([_checksum(lines) + b"\n", *lines])
        is_new = not (folder / name).exists()
        os.replace(scratch, folder / name)
        if is_new:
            _delete_oldest_files_over_limit(folder)
    except OSError:
        return


def _table_line(table: Mapping[str, object]) -> bytes:
    words = {key: sorted(found) for key, found in _indexed_words_by_key(table).items()}
    things = ({"ids": list(table), "words": words}, *table.values())
    return _BETWEEN.join(json.dumps(each).encode() for each in things) + b"\n"


def _delete_oldest_files_over_limit(folder: Path) -> None:
    """Delete the oldest files of the cache, so that MOST_FILES remain."""
    with os.scandir(folder) as found:
        dated = sorted((each.stat(follow_symlinks=False).st_mtime_ns, each.path) for each in found)
    for _, path in dated[:-MOST_FILES]:
        os.unlink(path)


_NOTHING: tuple[None, Mapping[str, bytes]] = (None, {})
_SAFE_OPEN_FLAGS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def _checksum(lines: Iterable[bytes]) -> bytes:
    """Return a checksum of a cache file's lines, by which damage is noticed."""
    found = 0
    for line in lines:
        found = crc32(line, found)
    return b"%08x" % found


def is_older_than_stamp_step(nanoseconds: int) -> bool:
    """Return whether a time is more than 50 milliseconds ago.

    If so, a change made now certainly gets another time stamp. `nanoseconds` is the time in nanoseconds since
    1970.
    """
    import time

    return time.time_ns() - nanoseconds > 50_000_000


def file_stamp(path: str) -> list[int] | None:
    """Return a file's time of change in nanoseconds, its size and its inode; None if it is missing."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return [status.st_mtime_ns, status.st_size, status.st_ino]


def are_files_unchanged(stamps: Stamps) -> bool:
    """Return whether each of these files still has its stored stamp, and can still be read."""
    # An unreadable file has to be reported, even if its content is cached.
    return all(
        file_stamp(path) == kept and (kept is None or os.access(path, os.R_OK))
        for path, kept in stamps.items()
    )


@cache
def load_checked_packaged_file(
    package: str, file_type_name: str, file_stem: str = "numbers"
) -> dict[str, object]:
    """Return the tables in a package's `numbers.toml`, or in another TOML file with the stem `file_stem`.

    `file_type_name` is the name of a TypedDict in the package's `data.py`, which is the type of the tables.
    The file is read once per process. The checked tables are cached, since Python's TOML parser alone takes
    longer than most rolls. Raises PluginProblem with all faults of the file.
    """
    from importlib import import_module

    # importlib.resources would do, and takes a tenth of a start.
    folder = os.path.dirname(import_module(package).__file__ or "")
    path = os.path.join(folder, f"{file_stem}.toml")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    kept = f"numbers-{crc32(text.encode()):08x}.json"
    found: object = read_cache(kept, text)
    if not isinstance(found, dict):
        from .untrusted_input import parse_bundled_toml
        from .validation_schemas_from_types import check_typed_table

        found = parse_bundled_toml(text, path)
        check_typed_table(found, vars(import_module(f"{package}.data"))[file_type_name], path, text)
        write_cache(kept, text, found)
    tables: dict[str, object] = found
    return tables
