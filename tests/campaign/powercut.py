"""A disk that keeps only what was synced: what is done below a folder is recorded, and what of it a power
cut leaves.

`Tape(folder)` patches the calls of `os` that reach a disk and looks at the folder after each: what is new in
it is what was done. What was written to a file lasts once the file is synced, a name (new, moved, taken away)
once the folder that it is in is. What was not synced may be there, be lost or be half there, each on its own.
"""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

_CALLS = ("open", "write", "ftruncate", "truncate", "unlink", "mkdir", "rmdir")
LOST, HALF, KEPT = 0, 1, 2
Fate = Callable[["Deed"], int]
"""What becomes of something that was not synced."""


class Deed(NamedTuple):
    """Something done to a file's content or to a folder's names. `at`: where, in a file."""

    number: int
    what: str
    node: int
    name: str = ""
    other: str = ""
    at: int = 0
    data: bytes = b""

    def __str__(self) -> str:
        return f"{self.what} {self.name or self.at}{f' -> {self.other}' if self.other else ''}"


class Event(NamedTuple):
    """A deed, a sync of a node, or a mark that somebody has set, in their order."""

    deed: Deed | None = None
    synced: int = -1
    mark: Any = None


class Tape:
    """While it runs, everything below the folder is on it. `stop_at` raises `Cut` in place of the deed or
    sync of that number, as a kill does."""

    def __init__(self, folder: Path, stop_at: int = 0) -> None:
        self.folder = folder
        self.events: list[Event] = []
        self.stop_at = stop_at
        self.calls = 0
        self.root = 1
        self.nodes = {os.stat(folder).st_ino: self.root}
        """The system's number of a file or folder to ours, which is given once."""
        self.names: dict[int, dict[str, int]] = {}
        self.content: dict[int, bytes] = {}
        self._real: dict[str, Any] = {}
        self._newest = self.root
        self._count = 0
        self._look()
        self.first = {node: dict(names) for node, names in self.names.items()}
        self.first_content = dict(self.content)
        self.events.clear()

    def __enter__(self) -> Tape:
        for name in (*_CALLS, "fsync", "replace", "rename"):
            self._real[name] = getattr(os, name)
        for name in _CALLS:
            setattr(os, name, self._called(name))
        os.fsync = self._fsync
        os.replace = os.rename = self._replace  # type: ignore[assignment]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for name, function in self._real.items():
            setattr(os, name, function)
        self._look()

    def mark(self, what: Any) -> None:
        """Something that people or programs have seen by now."""
        self._look()
        self.events.append(Event(mark=what))

    # Recording

    def _called(self, name: str) -> Callable[..., Any]:
        real = self._real[name]

        def called(*args: Any, **more: Any) -> Any:
            if name == "open" and not args[1] & (os.O_CREAT | os.O_TRUNC):
                return real(*args, **more)
            self._may_stop()
            done = real(*args, **more)
            self._look()
            return done

        return called

    def _fsync(self, file: int) -> None:
        self._may_stop()
        self._look()  # what others wrote to it by means of their own
        node = self.nodes.get(os.fstat(file).st_ino)
        if node is not None:
            self.events.append(Event(synced=node))

    def _replace(self, source: Any, target: Any) -> None:
        self._may_stop()
        self._look()
        self._real["replace"](source, target)
        source, target = Path(source), Path(target)
        folder = self.nodes.get(os.stat(target.parent).st_ino)
        if folder in self.names:  # a folder elsewhere may have the number of a file that is gone
            names = self.names[folder]
            names[target.name] = names.pop(source.name)
            self._did("move", folder, source.name, target.name, at=names[target.name])
        self._look()

    def _may_stop(self) -> None:
        self.calls += 1
        if self.calls == self.stop_at:
            raise Cut

    def _did(
        self, what: str, node: int, name: str = "", other: str = "", at: int = 0, data: bytes = b""
    ) -> None:
        self._count += 1
        self.events.append(Event(Deed(self._count, what, node, name, other, at, data)))

    def _look(self) -> None:
        self._look_at(self.folder, self.root)

    def _look_at(self, folder: Path, node: int) -> None:
        known = self.names.setdefault(node, {})
        with os.scandir(folder) as found:
            there = {entry.name: entry for entry in found if entry.name != ".lock"}
        for name in [name for name in known if name not in there]:
            del known[name]
            self._did("take away", node, name)
        for name, entry in sorted(there.items()):
            inner = self.nodes.get(entry.inode())
            if inner is None or known.get(name) != inner:
                # A number that is free again is given to the next file: that one is another.
                self._newest += 1
                inner = known[name] = self.nodes[entry.inode()] = self._newest
                is_folder = entry.is_dir(follow_symlinks=False)
                self._did("make folder" if is_folder else "make", node, name, at=inner)
            if entry.is_dir(follow_symlinks=False):
                self._look_at(Path(entry.path), inner)
            else:
                self._look_into(Path(entry.path), inner)

    def _look_into(self, file: Path, node: int) -> None:
        old, new = self.content.get(node, b""), file.read_bytes()
        self.content[node] = new
        if old == new:
            return
        pairs = enumerate(zip(old, new, strict=False))
        longest = min(len(old), len(new))
        same = longest if old[:longest] == new[:longest] else next(at for at, (a, b) in pairs if a != b)
        if same < len(old):
            self._did("cut", node, at=same)
        if same < len(new):
            self._did("write", node, at=same, data=new[same:])

    # What a power cut leaves

    def cuts(self) -> Iterator[tuple[int, Disk]]:
        """The disk after each number of events, from none to all of them."""
        disk = Disk(self)
        yield 0, disk
        for number, event in enumerate(self.events, 1):
            disk.take(event)
            yield number, disk

    def marks(self, number: int) -> list[Any]:
        """What was seen by then."""
        return [event.mark for event in self.events[:number] if event.mark is not None]


class Cut(BaseException):
    """The process is killed, or the power cut: nobody catches it."""


class Disk:
    """What lasts, and what was done since."""

    def __init__(self, tape: Tape) -> None:
        self.root = tape.root
        self.folders = {node: dict(names) for node, names in tape.first.items()}
        self.files = dict(tape.first_content)
        self.pending: list[Deed] = []

    def take(self, event: Event) -> None:
        """Go on by an event."""
        if event.deed is not None:
            self.pending.append(event.deed)
        elif event.synced >= 0:
            for deed in [deed for deed in self.pending if deed.node == event.synced]:
                _do(deed, KEPT, self.folders, self.files)
                self.pending.remove(deed)

    def left(self, fate: Fate) -> dict[str, bytes | None]:
        """What there is after a power cut: bytes by path, None for a folder."""
        folders = {node: dict(names) for node, names in self.folders.items()}
        files = dict(self.files)
        for deed in self.pending:
            _do(deed, fate(deed), folders, files)
        found: dict[str, bytes | None] = {}
        _tree(self.root, "", folders, files, found)
        return found

    def fates(self, chance: random.Random, more: int) -> Iterator[tuple[str, Fate]]:
        """All lost, all kept, and `more` by chance."""
        yield "all lost", lambda deed: LOST
        if not self.pending:
            return
        yield "all kept", lambda deed: KEPT
        for _ in range(more):
            drawn = {deed.number: chance.choice((LOST, HALF, KEPT, KEPT)) for deed in self.pending}
            told = ("lost", "half", "kept")
            names = ", ".join(f"{deed} {told[drawn[deed.number]]}" for deed in self.pending)
            yield names, lambda deed, drawn=drawn: drawn[deed.number]  # type: ignore[misc]


def _do(deed: Deed, fate: int, folders: dict[int, dict[str, int]], files: dict[int, bytes]) -> None:
    if fate == LOST:
        return
    if deed.what in ("cut", "write"):
        content = files.get(deed.node, b"")
        data = deed.data if fate == KEPT else deed.data[: len(deed.data) // 2]
        rest = content[deed.at + len(data) :] if deed.what == "write" else b""
        files[deed.node] = content[: deed.at].ljust(len(data) and deed.at, b"\0") + data + rest
        return
    names = folders.setdefault(deed.node, {})
    names.pop(deed.name, None)
    if deed.what == "make folder":
        folders.setdefault(deed.at, {})
    if deed.what != "take away":
        names[deed.other or deed.name] = deed.at


def _tree(
    node: int,
    path: str,
    folders: dict[int, dict[str, int]],
    files: dict[int, bytes],
    found: dict[str, bytes | None],
) -> None:
    for name, inner in folders.get(node, {}).items():
        here = f"{path}{name}"
        if inner in folders:
            found[here] = None
            _tree(inner, f"{here}/", folders, files, found)
        else:
            found[here] = files.get(inner, b"")


def lay_out(left: dict[str, bytes | None], folder: Path, whole: Path) -> None:
    """Make a folder of what a power cut left. campaign.toml is shared with `whole` where it is the same, so
    that what is cached of it holds."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, content in left.items():
        path, same = folder / name, whole / name
        if content is None:
            path.mkdir()
        elif name.endswith("campaign.toml") and same.exists() and same.read_bytes() == content:
            os.link(same, path)
        else:
            path.write_bytes(content)
            path.chmod(0o600)
