"""What makes thousands of commands in one process cheap. Nothing here changes what a command does: the disk
is not waited for, and what is the same for hundreds of folders is read once."""

from __future__ import annotations

import gc
import json
import os
import pickle
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from strike_cli import user_cache
from strike_cli.campaign import state
from strike_cli.content import CAMPAIGN_FILE, CONTENT_FOLDER
from strike_cli.content import compile as compiling
from strike_cli.content.compile import Compiler
from strike_cli.content.packs import pack_folders
from strike_cli.registry import installed, systems
from strike_cli.user_cache import stamp, unchanged

compile_anew = Compiler.compile
"""As strike does it. Tests of compiling put it back."""
parse = compiling.toml_of


def own_folders(folder: Path) -> list[Path]:
    """Where a campaign's book may come from besides its campaign.toml."""
    without_a_word = {pattern.partition("/")[0] for each in systems() for pattern in each.folders}
    return [*pack_folders(folder), folder / CONTENT_FOLDER, *(folder / name for name in without_a_word)][1:]


def sole_text(folder: Path | None) -> bytes | None:
    """The text of a campaign that is one plain campaign.toml and nothing else that a book comes from."""
    if folder is None or any(map(os.path.lexists, own_folders(folder))):
        return None
    try:
        if not stat.S_ISREG(os.lstat(folder / CAMPAIGN_FILE).st_mode):
            return None
        text = (folder / CAMPAIGN_FILE).read_bytes()
    except OSError:
        return None
    return None if b"include" in text else text


class Books:
    """Books that were compiled, by all that they come from: where the same text stands in another folder, its
    book is this one."""

    def __init__(self) -> None:
        self._kept: dict[tuple[Any, ...], tuple[Any, dict[str, Any], bool, bytes]] = {}

    def compile(self, compiler: Compiler) -> dict[str, Any]:
        text = sole_text(compiler.folder)
        if compiler.folder is None or text is None or compiler.more:
            return compile_anew(compiler)
        plugins = installed.index()
        key = (id(plugins), str(pack_folders(None)[0]), text)
        if key in self._kept:
            _, elsewhere, named, book = self._kept[key]
            if unchanged(elsewhere):
                here = compiler.folder
                own = (here / CAMPAIGN_FILE, *pack_folders(here), *own_folders(here))
                compiler.stamps = elsewhere | {str(file): stamp(str(file)) for file in own}
                compiler.text = text
                again: dict[str, Any] = pickle.loads(book)
                return again if named else again | {"name": compiler.folder.name}
        made = compile_anew(compiler)
        below = str(compiler.folder)
        if not compiler.troubles:
            # The index is kept as well: another one must not come to have its number.
            elsewhere = {file: kept for file, kept in compiler.stamps.items() if not file.startswith(below)}
            self._kept[key] = (plugins, elsewhere, "name" in parse(text), pickle.dumps(made))
        return made


@lru_cache(maxsize=256)
def _parsed(text: bytes) -> bytes:
    return pickle.dumps(parse(text))


def parse_once(text: bytes) -> dict[str, Any]:
    """What a file says. Plugins' files are parsed once, not for each campaign; a state once for all."""
    found: dict[str, Any] = pickle.loads(_parsed(text))
    return found


class Cached:
    """How what strike has cached is read: the same text is parsed once. Nobody changes what a book says
    (`Book`), so all commands on a folder may have the same."""

    dumps = staticmethod(json.dumps)

    @staticmethod
    @lru_cache(maxsize=256)
    def loads(text: bytes) -> Any:
        return json.loads(text)


@contextmanager
def swift() -> Iterator[None]:
    """No test can cut the power, so no test waits for the disk: those of what is synced, and when, watch the
    calls. Processes of their own do as strike does."""
    books = Books()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda file: None)
        patch.setattr(Compiler, "compile", lambda compiler: books.compile(compiler))
        for module in (compiling, state):
            patch.setattr(module, "toml_of", parse_once)
        patch.setattr(user_cache, "json", Cached)
        yield


def collect_garbage_seldom() -> None:
    """What the collected tests hold is no garbage, and is not looked through again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
