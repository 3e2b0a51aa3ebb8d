"""What makes thousands of commands in one process cheap. Nothing here changes what a command does: the disk
is not waited for, and what is the same for hundreds of folders is read once."""

from __future__ import annotations

import gc
import json
import os
import pickle
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from strike_bridge import settings
from strike_bridge.rest import merged_target_table as rest_table
from strike_cli import user_folders_and_cache
from strike_cli.campaign import state_file
from strike_cli.content import CAMPAIGN_FILE, campaign_json_schema, grid_line_recognition
from strike_cli.content import compiler as compiling
from strike_cli.content.compiler import Compiler
from strike_cli.content.merged_content import Book
from strike_cli.content.packs import possible_pack_folders
from strike_cli.registry import installed_plugins, plugin_discovery
from strike_cli.user_folders_and_cache import are_files_unchanged, file_stamp, is_older_than_stamp_step

compile_anew = Compiler.compile
add_anew = Compiler._add_plugins_without_faults
"""As strike does it. Tests of compiling put both back."""
parse = compiling.parse_toml
look = grid_line_recognition.find_alignment_of_grid_lines
make_schema = campaign_json_schema.campaign_schema
make_schema_text = campaign_json_schema.schema_text
entry_points = metadata.entry_points
make_line = user_folders_and_cache._table_line
forget_the_oldest = user_folders_and_cache._delete_oldest_files_over_limit
"""As strike does it. The tests of that cache put it back."""


STRIKES_OWN = {"state.toml", "journal", ".lock", "bridge"}
"""What strike itself keeps in a campaign's folder: no book comes from it."""
MOST_FILES = 100


def written(folder: Path) -> tuple[tuple[str, bytes], ...] | None:
    """Everything that people wrote in a campaign's folder; None where it is no plain folder of a few plain
    files."""
    files: list[tuple[str, bytes]] = []
    waiting = [folder]
    try:
        while waiting:
            for entry in os.scandir(waiting.pop()):
                if entry.name in STRIKES_OWN:
                    continue
                if entry.is_dir(follow_symlinks=False):
                    files.append((entry.path, b""))
                    waiting.append(Path(entry.path))
                elif entry.is_file(follow_symlinks=False) and len(files) < MOST_FILES:
                    files.append((entry.path, Path(entry.path).read_bytes()))
                else:
                    return None
    except OSError:
        return None
    below = len(str(folder))
    return tuple(sorted((path[below:], text) for path, text in files))


class Kept(NamedTuple):
    """A book that was compiled, and what it came from besides the files of its campaign."""

    index: Any
    """The plugins that there were: kept, so that another index can't come to have its number."""
    elsewhere: dict[str, Any]
    here: list[str]
    """The files and folders of the campaign that were looked at, below it."""
    named: bool
    text: bytes
    book: bytes


class Books:
    """Books that were compiled, by all that they come from: where the same files stand in another folder, its
    book is this one."""

    def __init__(self) -> None:
        self._kept: dict[tuple[Any, ...], Kept] = {}
        self._brought: dict[tuple[int, str], tuple[Any, dict[str, Any], list[Any], dict[str, Any]]] = {}
        self._schemas: dict[tuple[int, bytes], Any] = {}
        self._texts: dict[int, str] = {}
        self._newest: tuple[Any, dict[str, Any]] = (None, {})
        self._lines: dict[tuple[Any, str], bytes] = {}

    def compile(self, compiler: Compiler) -> dict[str, Any]:
        files = written(compiler.folder) if compiler.folder and not compiler.more else None
        if compiler.folder is None or files is None:
            return compile_anew(compiler)
        plugins = installed_plugins.plugin_index()
        key = (id(plugins), str(possible_pack_folders(compiler.folder)[0]), files)
        kept = self._kept.get(key)
        if kept and are_files_unchanged(kept.elsewhere):
            own = [f"{compiler.folder}{path}" for path in kept.here]
            compiler.stamps = kept.elsewhere | {path: file_stamp(path) for path in own}
            compiler.text = kept.text
            again: dict[str, Any] = pickle.loads(kept.book)
            self._newest = key, again
            return again if kept.named else again | {"name": compiler.folder.name}
        made = compile_anew(compiler)
        below = str(compiler.folder)
        elsewhere = {path: kept for path, kept in compiler.stamps.items() if not path.startswith(below)}
        newest = max((kept[0] for kept in elsewhere.values() if kept), default=0)  # it may change once more
        if not compiler.troubles and not compiler.left_out and is_older_than_stamp_step(newest):
            self._kept[key] = Kept(
                plugins,
                elsewhere,
                [path[len(below) :] for path in compiler.stamps if path.startswith(below)],
                "name" in parse_once((compiler.folder / CAMPAIGN_FILE).read_bytes()),
                compiler.text,
                pickle.dumps(made),
            )
            self._lines = {line: text for line, text in self._lines.items() if line[0] != key}
            self._newest = key, made
        return made

    def line(self, table: Mapping[str, object]) -> bytes:
        """What is cached of a table of the book that was asked for last."""
        key, book = self._newest
        for name, each in book.items():
            if each is table:
                if (key, name) not in self._lines:
                    self._lines[key, name] = make_line(table)
                return self._lines[key, name]
        return make_line(table)

    def brought(self, compiler: Compiler) -> Any:
        """What the plugins bring: the same for every campaign, where there are no packs."""
        packs = possible_pack_folders(compiler.folder)
        if any(folder.exists() for folder in packs):
            return add_anew(compiler)
        plugins, place = compiler.registry, f"{packs[0]} {compiler.order}"
        _, stamps, found, made = self._brought.get((id(plugins), place), (None, {"": 0}, [], {}))
        compiler.stamps |= dict.fromkeys(map(str, packs))
        if are_files_unchanged(stamps):
            compiler.stamps |= stamps
            vars(compiler).update(_copied(made))
            return list(found)
        found = add_anew(compiler)
        made = {name: vars(compiler)[name] for name in ("tables", "where", "owner", "troubles", "text")}
        if not compiler.troubles and not compiler.left_out:
            stamps = {path: kept for path, kept in compiler.stamps.items() if path not in map(str, packs)}
            self._brought[id(plugins), place] = plugins, stamps, list(found), _copied(made)
        return found

    def schema(self, book: Book) -> Any:
        """The schema for editors of a new campaign."""
        key = (id(installed_plugins.plugin_index()), pickle.dumps(book.compiled()))
        if key not in self._schemas:
            self._schemas[key] = make_schema(book)
        return self._schemas[key]

    def schema_text(self, schema: Any) -> str:
        """The text of such a schema."""
        if all(schema is not each for each in self._schemas.values()):
            return make_schema_text(schema)
        if id(schema) not in self._texts:
            self._texts[id(schema)] = make_schema_text(schema)
        return self._texts[id(schema)]


def _copied(made: Mapping[str, Any]) -> dict[str, Any]:
    """What plugins bring, for a compiler that adds a campaign's own to its tables."""
    tables = {kind: dict(table) for kind, table in made["tables"].items()}
    return {**{name: copy(value) for name, value in made.items()}, "tables": tables}


@lru_cache(maxsize=256)
def _parsed(text: bytes) -> bytes:
    return pickle.dumps(parse(text))


def parse_once(text: bytes) -> dict[str, Any]:
    """What a file says. Plugins' files are parsed once, not for each campaign; a state once for all."""
    found: dict[str, Any] = pickle.loads(_parsed(text))
    return found


@lru_cache(maxsize=16)
def _looked(picture: bytes, place: tuple[tuple[str, float], ...]) -> grid_line_recognition.GridLines:
    return look(picture, dict(place))


def look_once(picture: bytes, place: Mapping[str, float]) -> grid_line_recognition.GridLines:
    """Where the lines of a picture lie: `doctor` looks at those of the example for each copy of it."""
    return _looked(picture, tuple(place.items()))


class Cached:
    """How what strike has cached is read: the same text is parsed once. Nobody changes what a book says
    (`Book`), so all commands on a folder may have the same."""

    dumps = staticmethod(json.dumps)

    @staticmethod
    @lru_cache(maxsize=256)
    def loads(text: bytes) -> Any:
        return json.loads(text)


def brought_by(place: str) -> dict[str, list[metadata.EntryPoint]]:
    """The plugins of the distributions in one place of Python's path, by the names of those."""
    found: dict[str, list[metadata.EntryPoint]] = {}
    for each in metadata.distributions(path=[place]):
        points = list(each.entry_points.select(group=plugin_discovery.ENTRY_POINT_GROUP))
        if each.name not in found:
            found[each.name] = points
            known = SimpleNamespace(name=each.name, version=each.version) if points else None
            for point in points:
                vars(point).update(dist=known)
    return found


class Environment:
    """What is installed where the tests themselves are run from is asked once: no test changes that. Each has
    the plugins of its own elsewhere."""

    def __init__(self) -> None:
        self._standing = {place: brought_by(place) for place in sys.path}

    def entry_points(self, **chosen: str) -> metadata.EntryPoints:
        if chosen != {"group": plugin_discovery.ENTRY_POINT_GROUP}:
            return entry_points(**chosen)
        found: dict[str, list[metadata.EntryPoint]] = {}
        for place in sys.path:
            here = self._standing.get(place)
            found = {**(brought_by(place) if here is None else here), **found}
        return metadata.EntryPoints(point for points in found.values() for point in points)


@contextmanager
def swift() -> Iterator[None]:
    """No test can cut the power, so no test waits for the disk: those of what is synced, and when, watch the
    calls. Processes of their own do as strike does."""
    books = Books()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda file: None)
        patch.setattr(metadata, "entry_points", Environment().entry_points)
        patch.setattr(Compiler, "compile", lambda compiler: books.compile(compiler))
        patch.setattr(Compiler, "_add_plugins_without_faults", lambda compiler: books.brought(compiler))
        for module in (compiling, state_file, settings, rest_table):
            patch.setattr(module, "parse_toml", parse_once)
        patch.setattr(grid_line_recognition, "find_alignment_of_grid_lines", look_once)
        patch.setattr(campaign_json_schema, "campaign_schema", books.schema)
        patch.setattr(campaign_json_schema, "schema_text", books.schema_text)
        patch.setattr(user_folders_and_cache, "json", Cached)
        patch.setattr(user_folders_and_cache, "_table_line", books.line)
        patch.setattr(user_folders_and_cache, "_delete_oldest_files_over_limit", lambda folder: None)
        yield


def collect_garbage_seldom() -> None:
    """What the collected tests hold is no garbage, and is not looked through again and again."""
    gc.enable()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
