"""What a system shows of a character, for whoever lays out the whole sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .result import Block, Span

NEW: Span = ("+", "good")
LOST: Span = ("-", "bad")
CHANGED: Span = ("~", "warn")
MARKS = {"+": "gained in play", "-": "lost in play", "~": "changed in play"}
"""What a sheet marks, and how it says so at its foot."""


class SheetView(NamedTuple):
    """A system's part of a sheet: `data` for scripts; `vitals` for the line of what is looked at first;
    `column`, a heading and a cell, for the list of everybody; `blocks` below everything else."""

    data: Mapping[str, Any] = {}
    vitals: Sequence[Span] = ()
    column: tuple[str, str] | None = None
    blocks: Sequence[Block] = ()
