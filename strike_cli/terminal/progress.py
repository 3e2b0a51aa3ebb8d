"""A line on a terminal's stderr that shows progress, and disappears afterwards."""

from __future__ import annotations

import sys
import time

from .result import acts_on_escapes

WIDTH = 24
OFTEN = 0.1
"""Seconds between two drawings."""
PATIENCE = 0.5
"""Seconds before the first progress is shown."""


def draw_bar(done: float) -> str:
    """Return a bar of `WIDTH` columns, filled up to the share `done`."""
    full = round(min(1.0, max(0.0, done)) * WIDTH)
    return f"\033[36m{'━' * full}\033[0;2m{'━' * (WIDTH - full)}\033[0m"


def time_left(done: float, spent: float) -> str:
    """Return the estimated time left, such as "  3:05 left" with its leading blanks.

    `done` is the share done, from 0 to 1, and `spent` the seconds so far. Returns "" in the first second, and
    while nothing or once everything is done.
    """
    if not 0 < done < 1 or spent < 1:
        return ""
    seconds = round(spent / done - spent)
    return f"  {seconds // 60}:{seconds % 60:02} left"


class StatusLine:
    """A line on stderr where that is a terminal; elsewhere it is not drawn."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.on = not quiet and acts_on_escapes(sys.stderr)
        self.began = self.drawn = time.monotonic()

    def is_due(self) -> bool:
        """Return whether it is time to draw again."""
        if not self.on or time.monotonic() - self.drawn < OFTEN:
            return False
        self.drawn = time.monotonic()
        return True

    @property
    def spent(self) -> float:
        """Seconds since the line began."""
        return time.monotonic() - self.began

    def say(self, text: str) -> None:
        """Replace the text of the line."""
        if self.on:
            sys.stderr.write(f"\r\033[K{text}")
            sys.stderr.flush()


class Progress(StatusLine):
    """A progress bar that appears only when a task takes long."""

    def __init__(self, what: str) -> None:
        super().__init__()
        self.what = what

    def show(self, done: float) -> None:
        """Show the finished share, from 0 to 1."""
        if self.is_due() and self.spent > PATIENCE:
            self.say(f"{draw_bar(done)} {self.what}{time_left(done, self.spent)}")

    def close(self) -> None:
        """Clear the line."""
        if self.drawn > self.began:
            self.say("")
