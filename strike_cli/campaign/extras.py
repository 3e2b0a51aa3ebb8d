"""Packages that strike does without, each for a few commands: what is not installed, and who needs it."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from typing import NamedTuple

from ..content import CAMPAIGN_FILE
from ..content.book import Book


class Extra(NamedTuple):
    """An extra of pyproject.toml: its name, the modules that it brings, and what needs them.

    The name is that in `pip install "strike-cli[NAME]"`.
    """

    name: str
    modules: tuple[str, ...]
    needed_by: str


EXTRAS = (
    Extra("table", ("PIL", "segno", "starlette", "uvicorn"), "`strike table`, `serve`, `demo`"),
    Extra("play", ("textual",), "`strike play`"),
    Extra("mcp", ("mcp", "starlette", "uvicorn"), "`strike mcp`"),
    Extra("pictures", ("PIL",), "maps as pictures on Discord"),
    Extra("pdf", ("reportlab",), "`strike cheat --pdf`"),
    Extra("cluster", ("distributed",), "`strike sim run ENCOUNTER --on tcp://HOST:PORT`"),
)


def lacking() -> list[Extra]:
    """Return those of which a module is not installed."""
    return [extra for extra in EXTRAS if not all(map(_is_installed, extra.modules))]


def findings(book: Book) -> Iterator[tuple[bool, str, str]]:
    """Yield each missing extra: whether the campaign can do without it, in words, and the line to type."""
    for extra in lacking():
        # The key of the campaign that implies one of its commands; "" where none does
        key = "serve.origins" if extra.name == "table" and book.origins else ""
        what = f'the extra "{extra.name}" is not installed, for {extra.needed_by}'
        hint = f'pip install "strike-cli[{extra.name}]"'
        yield (False, f"{CAMPAIGN_FILE}: {key}: {what}", hint) if key else (True, what, hint)


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):  # ValueError: what stands in sys.modules has no spec
        return False
