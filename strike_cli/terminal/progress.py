"""A line on stderr that shows progress on a terminal, and is cleared afterwards."""

from __future__ import annotations

import sys
import time

from .result import obeys_escape_codes

WIDTH = 24
OFTEN = 0.1
"""Seconds between two drawings."""
PATIENCE = 0.5
"""Seconds before the first progress is shown."""


def draw_bar(done: float) -> str:
    """Return a coloured bar of WIDTH columns, filled up to the share `done`, from 0 to 1."""
    full = round(min(1.0, max(0.0, done)) * WIDTH)
    return f"\033[36m{'━' * full}\033[0;2m{'━' * (WIDTH - full)}\033[0m"


def time_left(done: float, spent: float) -> str:
    """Return the estimated time left, such as "  3:05 left" with the blanks in front.

    `done` is the share of the task that is done, from 0 to 1, and `spent` is the time so far in seconds.
    Return "" in the first second, and while nothing or everything is done.
    """
    if not 0 < done < 1 or spent < 1:
        return ""
    seconds = round(spent / done - spent)
    return f"  {seconds // 60}:{seconds % 60:02} left"


class StatusLine:
    """A line on stderr that is replaced again and again.

    Nothing is written if stderr isn't a terminal.
    """

    def __init__(self, *, quiet: bool = False) -> None:
        self.on = not quiet and obeys_escape_codes(sys.stderr)
        self.began = self.drawn = time.monotonic()

    def is_due(self) -> bool:
        """Return whether enough time has passed to draw the line again.

        If so, the time is counted from now on.
        """
        if not self.on or time.monotonic() - self.drawn < OFTEN:
            return False
        self.drawn = time.monotonic()
        return True

    @property
    def spent(self) -> float:
        """The seconds since the line was made."""
        return time.monotonic() - self.began

    def say(self, text: str) -> None:
        """Replace the text of the line."""
        if self.on:
            sys.stderr.write(f"\r\033[K{text}")
            sys.stderr.flush()


class Progress(StatusLine):
    """A progress bar, which appears only if the task takes longer than PATIENCE seconds."""

    def __init__(self, what: str) -> None:
        super().__init__()
        self.what = what

    def show(self, done: float) -> None:
        """Draw the bar with the time left, unless the last drawing was a moment ago.

        `done` is the share of the task that is done, from 0 to 1.
        """
        if self.is_due() and self.spent > PATIENCE:
            self.say(f"{draw_bar(done)} {self.what}{time_left(done, self.spent)}")

    def close(self) -> None:
        """Clear the line."""
        if self.drawn > self.began:
            self.say("")
