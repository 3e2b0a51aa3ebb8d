"""What makes thousands of commands in one process cheap. Nothing here changes what a command does: the disk
is not waited for, and what is the same for hundreds of folders is read once."""

from __future__ import annotations

import gc
import json
import os
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from strike_cli import user_cache
from strike_cli.campaign import state
from strike_cli.content import CAMPAIGN_FILE
from strike_cli.content import compile as compiling
from strike_cli.content.compile import Compiler
from strike_cli.content.packs import pack_folders
from strike_cli.registry import installed
from strike_cli.user_cache import stamp, unchanged

compile_anew = Compiler.compile
"""As strike does it. Tests of compiling put it back."""
parse = compiling.toml_of


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

    def compile(self, compiler: Compiler) -> dict[str, Any]:
        files = written(compiler.folder) if compiler.folder and not compiler.more else None
        if compiler.folder is None or files is None:
            return compile_anew(compiler)
        plugins = installed.index()
        key = (id(plugins), str(pack_folders(None)[0]), files)
        kept = self._kept.get(key)
        if kept and unchanged(kept.elsewhere):
            own = [f"{compiler.folder}{path}" for path in kept.here]
            compiler.stamps = kept.elsewhere | {path: stamp(path) for path in own}
            compiler.text = kept.text
            again: dict[str, Any] = pickle.loads(kept.book)
            return again if kept.named else again | {"name": compiler.folder.name}
        made = compile_anew(compiler)
        below = str(compiler.folder)
        if not compiler.troubles and not compiler.left_out:
            self._kept[key] = Kept(
                plugins,
                {path: kept for path, kept in compiler.stamps.items() if not path.startswith(below)},
                [path[len(below) :] for path in compiler.stamps if path.startswith(below)],
                "name" in parse((compiler.folder / CAMPAIGN_FILE).read_bytes()),
                compiler.text,
                pickle.dumps(made),
            )
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
