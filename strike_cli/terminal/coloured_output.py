"""Prints coloured blocks, without the library Rich where that is possible.

Importing Rich takes longer than playing most commands. Most output is simple text in short lines, and can
look the same without Rich. Rich prints the rest: long lines, letters that may take two columns, frames,
columns, and everything on special terminals.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from ..untrusted_input import replace_unprintable
from . import command_output
from .command_output import (
    STYLES,
    BarChart,
    Block,
    Columns,
    Frame,
    Line,
    NumberHeading,
    Picture,
    Section,
    Table,
    styled_spans,
)

if TYPE_CHECKING:
    from rich.console import Console

RICH_VARIABLES = ("FORCE_COLOR", "JUPYTER_COLUMNS", "TTY_COMPATIBLE")
"""Environment variables that tell Rich the terminal's abilities."""
Piece = tuple[str, str]
"""A text, and its style in Rich's notation."""
_ATTRIBUTES = {"bold": 1, "dim": 2, "italic": 3, "reverse": 7}
_COLOURS = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")


class OutputTerminal:
    """The terminal to which stdout writes: its width and colours, and how blocks are printed on it."""

    def __init__(self) -> None:
        self.can_draw_without_rich = os.name == "posix" and not any(
            name in os.environ for name in RICH_VARIABLES
        )
        self.width = terminal_columns()
        if os.environ.get("COLORTERM", "").strip().lower() in ("truecolor", "24bit"):
            self.colour_count = 2**24
        else:
            kind = os.environ.get("TERM", "").strip().lower().rpartition("-")[2]
            self.colour_count = 256 if kind in ("256color", "kitty") else 0
        self._rich: Console | None = None

    def print_block(self, block: Block) -> None:
        """Print a block.

        Raises OSError if nothing can be written to stdout.
        """
        drawn = self._text_without_rich_if_possible(block) if self.can_draw_without_rich else None
        if drawn is not None:
            command_output.write_text_to_stdout(drawn)
            return
        if self._rich is None:
            self._rich = command_output.make_rich_console()
        self._rich.print(command_output.rich_block(block, self._rich.width), highlight=False)

    def show_in_pager_if_too_long(self, blocks: Sequence[Block]) -> bool:
        """Show blocks in the user's pager, if they don't fit the terminal and it is interactive.

        Return whether the pager was used.
        """
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            return False
        import shlex
        import shutil
        import subprocess

        pager = shlex.split(os.environ.get("PAGER") or "less")
        if not pager or not shutil.which(pager[0]):
            return False
        text = "".join(map(self._text_of_block, blocks))
        if text.count("\n") < shutil.get_terminal_size().lines:
            return False
        sys.stdout.flush()
        environment = {"LESS": "-RX", "LESSCHARSET": "utf-8", **os.environ}
        return subprocess.run(pager, input=text.encode(), env=environment, check=False).returncode == 0

    def _text_of_block(self, block: Block) -> str:
        if self.can_draw_without_rich and (drawn := self._text_without_rich_if_possible(block)) is not None:
            return drawn
        self._rich = self._rich or command_output.make_rich_console()
        with self._rich.capture() as captured:
            self._rich.print(command_output.rich_block(block, self._rich.width), highlight=False)
        return captured.get()

    def _text_without_rich_if_possible(self, block: Block) -> str | None:
        """Return a block as text with escape codes, made without Rich; None if the block needs Rich."""
        if isinstance(block, Table):
            return self._table_text_without_rich(block)
        if isinstance(block, Picture):
            if block.pieces is None or not self.colour_count:
                return None
            lines = block.pieces(self.width)
            return "".join(
                self._coded_line_with_line_end([(replace_unprintable(text), style) for text, style in line])
                for line in lines
            )
        if isinstance(block, BarChart | Section | Columns | Frame):
            return None
        line = [(text, STYLES.get(style, "")) for text, style in styled_spans(block)]
        return (
            self._coded_line_with_line_end(line)
            if self._surely_fits_width(line) or _is_command_to_copy(line)
            else None
        )

    def _coded_line_with_line_end(self, pieces: Sequence[Piece]) -> str:
        return "".join(self._coded_piece(text, style) for text, style in pieces) + "\n"

    def _coded_piece(self, text: str, style: str) -> str:
        codes = _escape_code_numbers(style, self.colour_count)
        return f"\x1b[{codes}m{text}\x1b[0m" if codes and text else text

    def _surely_fits_width(self, line: Sequence[Piece]) -> bool:
        text = "".join(text for text, _ in line)
        return len(text) <= self.width and has_surely_single_column_letters(text)

    def _table_text_without_rich(self, table: Table) -> str | None:
        heads = [[(heading, "bold dim")] for heading in table.headings]
        body = [
            [[(text, STYLES.get(style, "")) for text, style in styled_spans(cell)] for cell in row]
            for row in table.rows
        ]
        rows = [heads, *body]
        widths = [max(sum(len(text) for text, _ in row[at]) for row in rows) for at in range(len(heads))]
        # Rich drops spaces at the end of text that it aligns to the right.
        simple = all(
            has_surely_single_column_letters(text) and not text.endswith(" ")
            for row in rows
            for cell in row
            for text, _ in cell
        )
        if table.title or not simple or sum(widths) + 2 * (len(widths) - 1) > self.width or 0 in widths:
            return None
        lines = []
        for row in rows:
            line: list[Piece] = []
            for cell, width, heading in zip(row, widths, table.headings, strict=True):
                room = (" " * (width - sum(len(text) for text, _ in cell)), "")
                line += [
                    ("  " if line else "", ""),
                    *([room, *cell] if isinstance(heading, NumberHeading) else [*cell, room]),
                ]
            while line and not line[-1][0].strip():
                line.pop()
            lines.append(self._coded_line_with_line_end(line))
        return "".join(lines)


def _is_command_to_copy(line: Sequence[Piece]) -> bool:
    """Return whether a line is just a command for the user to type.

    Such a line is never wrapped, so that it can be copied.
    """
    said = [(text, style) for text, style in line if text.strip()]
    return len(said) == 1 and said[0][1] == STYLES["command"]


def has_surely_single_column_letters(text: str) -> bool:
    """Return whether each character of a text takes exactly one column on any terminal."""
    if text.isascii():
        return text.isprintable()
    return text.isprintable() and all(_is_surely_single_column(ord(letter)) for letter in text)


def _is_surely_single_column(code_point: int) -> bool:
    """Return whether a character takes one column on any terminal.

    It is True for Latin letters, dashes, quotes, arrows, mathematical signs and block signs.
    """
    return (
        code_point < 0x300
        or 0x2010 <= code_point <= 0x2027
        or 0x2190 <= code_point <= 0x22FF
        or 0x2500 <= code_point <= 0x25FC
    )


def terminal_columns() -> int:
    """Return the width of the terminal in columns, found as Rich does; 80 if it is unknown."""
    typed = os.environ.get("COLUMNS", "")
    if typed.isdigit() and int(typed):
        return int(typed)
    for stream in (0, 1, 2):
        try:
            return os.get_terminal_size(stream).columns or 80
        except (OSError, ValueError):
            continue
    return 80


def fold_to_terminal_columns(text: str) -> str:
    """Return a text with line breaks between words, at the width of the terminal.

    Commands between backticks are not broken.
    """
    import re

    width, lines = terminal_columns(), [""]
    for word in re.findall(r"\n|[^\s`]*`[^`\n]*`[^\s`]*|[^\s]+|[^\S\n]+", text):
        if word == "\n":
            lines.append("")
        elif lines[-1].strip() and len(lines[-1]) + len(word.rstrip()) > width:
            lines[-1] = lines[-1].rstrip()
            lines.append(word.lstrip())
        else:
            lines[-1] += word
    return "\n".join(lines)


HANGING_INDENT = 6
"""The indent of the second line of an item in a list."""


def break_line_with_hanging_indent(line: Line, width: int) -> Line:
    """Return a line with line breaks between words, so that it fits into `width` columns.

    After each new break, the text is indented by HANGING_INDENT columns. A word is never broken, even if it
    is wider than `width`.
    """
    import re

    pieces = styled_spans(line)
    text, begin, breaks = "".join(part for part, _ in pieces), 0, set[int]()
    for word in re.finditer(r"\S+", text):
        told = text[begin : word.start()]
        if "\n" in told:
            begin += told.rindex("\n") + 1
        elif word.end() - begin > width and told.strip() and told.endswith(" "):
            breaks.add(word.start() - 1)
            begin = word.start() - HANGING_INDENT
    found: list[Piece] = []
    at = 0
    for part, style in pieces:
        letters = (f"\n{' ' * HANGING_INDENT}" if at + n in breaks else each for n, each in enumerate(part))
        found.append(("".join(letters), style))
        at += len(part)
    return found


@cache
def _escape_code_numbers(style: str, colour_count: int) -> str:
    """Return the numbers of the escape codes for a style in Rich's notation.

    `colour_count` is how many colours the terminal has.
    """
    attributes: set[int] = set()
    colours: list[str] = []
    ground = 0
    for word in style.split():
        if word in _ATTRIBUTES:
            attributes.add(_ATTRIBUTES[word])
        elif word == "on":
            ground = 10
        elif word.startswith("#"):
            colours.append(f"{38 + ground};{_colour_code_arguments(word, colour_count)}")
        elif word != "none":
            bright = word.startswith("bright_")
            number = _COLOURS.index(word.removeprefix("bright_"))
            colours.append(str((90 if bright else 30) + ground + number))
    return ";".join([*map(str, sorted(attributes)), *colours])


def _colour_code_arguments(hex_colour: str, colour_count: int) -> str:
    """Return the escape code of the colour `#rrggbb`, or of the nearest of 256 colours.

    `colour_count` is how many colours the terminal has.
    """
    parts = [int(hex_colour[at : at + 2], 16) for at in (1, 3, 5)]
    if colour_count > 256:
        return f"2;{parts[0]};{parts[1]};{parts[2]}"
    low, high = min(parts) / 255, max(parts) / 255
    light = (low + high) / 2
    spread = high - low
    if spread < 0.15 * (high + low if light <= 0.5 else 2 - high - low) or not spread:
        grey = round(light * 25)
        return f"5;{16 if grey == 0 else 231 if grey == 25 else 231 + grey}"
    red, green, blue = (round(part / 95 if part < 95 else 1 + (part - 95) / 40) for part in parts)
    return f"5;{16 + 36 * red + 6 * green + blue}"
