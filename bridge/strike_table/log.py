"""What goes wrong inside the table: a line on the terminal, where somebody plays, and the rest in a file."""

from __future__ import annotations

import logging
from pathlib import Path

FILE_NAME = "defects.log"
_BYTES = 1024 * 1024
"""Of the file, before it begins anew; the one before it is kept."""


class _Brief(logging.Formatter):
    """A record in a line, without a traceback, and without words that a stranger may have chosen."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.file = file

    def format(self, record: logging.LogRecord) -> str:
        kind = record.exc_info[0] if record.exc_info else None
        why = kind.__name__ if kind else str(record.msg).partition("\n")[0]
        return f"error: something in the table failed ({why}). It goes on. {self.file} says more."


class _Once(logging.Filter):
    """Lets through what was not said before: a stranger could have it said a thousand times."""

    def __init__(self) -> None:
        super().__init__()
        self._said: set[object] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        what = record.exc_info[0] if record.exc_info else record.msg
        known = what in self._said
        self._said.add(what)
        return not known


def settings(data_dir: Path) -> dict[str, object]:
    """Return settings for `logging.config`.

    Requests that make no sense are no failure of ours, and are not written down.
    """
    file = data_dir / FILE_NAME
    ours = {"level": "ERROR", "handlers": ["terminal", "file"], "propagate": False}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"once": {"()": _Once}},
        "formatters": {
            "brief": {"()": _Brief, "file": file},
            "full": {"format": "%(asctime)s %(name)s: %(message)s"},
        },
        "handlers": {
            "terminal": {"class": "logging.StreamHandler", "formatter": "brief", "filters": ["once"]},
            "file": {
                "class": "logging.handlers.RotatingFileHandler",
                "formatter": "full",
                "filename": str(file),
                "maxBytes": _BYTES,
                "backupCount": 1,
                "encoding": "utf-8",
                "errors": "backslashreplace",
                "delay": True,
            },
        },
        "loggers": {"uvicorn.error": ours, "asyncio": ours},
    }
