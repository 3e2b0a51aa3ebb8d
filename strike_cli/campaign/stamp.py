"""Whether anything was played or edited since somebody looked, without reading any of it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from .journal import FOLDER
from .state import STATE_FILE


def stamp(folder: Path, more: Iterable[Path] = ()) -> object:
    """What tells whether anything was played or edited since, in `more` files too."""

    def of(path: Path) -> tuple[int, int]:
        try:
            status = path.stat()
        except OSError:
            return 0, 0
        return status.st_mtime_ns, status.st_size

    journals = sorted((folder / FOLDER).glob("*.jsonl")) if (folder / FOLDER).is_dir() else []
    return [(path, of(path)) for path in (*journals[-1:], folder / STATE_FILE, *more)]
