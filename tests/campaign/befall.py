"""What can befall a command at each point where it touches the disk: death, an error, Ctrl-C.

`Befall(folder, number, what)` counts the calls that open for writing, write, sync, replace, make, cut or
remove anything below the folder, and lets `what` happen at the one of that number.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

What = Callable[[str], None]
"""Called with the path concerned, or "" where the system's own error names none."""

_BY_PATH = ("mkdir", "replace", "rename", "truncate", "unlink", "rmdir")
_BY_FILE = ("write", "fsync", "ftruncate")


def die(path: str) -> None:
    """As by kill -9: nothing is cleaned up, nothing is flushed."""
    os.kill(os.getpid(), signal.SIGKILL)


def interrupt(path: str) -> None:
    """As by Ctrl-C, with the call itself going on."""
    signal.raise_signal(signal.SIGINT)


def fail(code: int) -> What:
    """As where the disk is full, read-only or broken."""

    def befall(path: str) -> None:
        raise OSError(code, os.strerror(code), *([path] if path else []))

    return befall


class Befall:
    """`struck` names the call that it happened at, and is empty where there are fewer calls than that;
    `calls` names all of them.

    With `half` only writes count, and half of the bytes are written before it happens.
    """

    def __init__(self, folder: Path, number: int, what: What, *, half: bool = False) -> None:
        self.folder = str(folder.resolve())
        self.number = number
        self.what = what
        self.half = half
        self.count = 0
        self.calls: list[str] = []
        self.struck = ""
        self.files: dict[int, str] = {}
        self.real: dict[str, Any] = {}

    def __enter__(self) -> Befall:
        for name in ("open", "close", *_BY_PATH, *_BY_FILE):
            self.real[name] = getattr(os, name)
        os.open, os.close = self._open, self._close
        for name in _BY_PATH:
            setattr(os, name, self._by_path(name))
        for name in _BY_FILE:
            setattr(os, name, self._by_file(name))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for name, function in self.real.items():
            setattr(os, name, function)

    def _inside(self, path: Any) -> str:
        if isinstance(path, int):
            return ""
        full = os.path.abspath(os.fsdecode(path))
        return full if full == self.folder or full.startswith(self.folder + os.sep) else ""

    def _here(self, call: str, path: str) -> bool:
        if self.half and call != "write":
            return False
        self.count += 1
        self.calls.append(f"{call} {os.path.relpath(path, self.folder)}")
        if self.count != self.number:
            return False
        self.struck = self.calls[-1]
        return True

    def _open(self, path: Any, flags: int, *rest: Any, **more: Any) -> int:
        inside = self._inside(path)
        writing = flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) or os.path.isdir(path)
        if inside and writing and self._here("open", inside):
            self.what(inside)
        file: int = self.real["open"](path, flags, *rest, **more)
        if inside:
            self.files[file] = inside
        return file

    def _close(self, file: int) -> None:
        self.files.pop(file, None)
        self.real["close"](file)

    def _by_path(self, call: str) -> Callable[..., Any]:
        def called(path: Any, *rest: Any, **more: Any) -> Any:
            inside = self._inside(path)
            if inside and self._here(call, inside):
                self.what(inside)
            return self.real[call](path, *rest, **more)

        return called

    def _by_file(self, call: str) -> Callable[..., Any]:
        def called(file: Any, *rest: Any) -> Any:
            inside = self.files.get(file, "")
            if inside and self._here(call, inside):
                if self.half:
                    done = self.real["write"](file, bytes(rest[0])[: len(rest[0]) // 2])
                    self.what("")
                    return done
                self.what("")
            return self.real[call](file, *rest)

        return called
