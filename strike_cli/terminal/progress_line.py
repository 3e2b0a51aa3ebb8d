"""A line on stderr that shows progress on a terminal, and is cleared afterwards."""

from __future__ import annotations

import sys
import time

from .command_output import try_to_enable_escape_codes

WIDTH = 24
SECONDS_BETWEEN_DRAWINGS = 0.1
"""Seconds between two drawings."""
SECONDS_BEFORE_FIRST = 0.5
"""Seconds before the first progress is shown."""


def coloured_bar_text(share_done: float) -> str:
    """Return a coloured bar of WIDTH columns, filled up to the share `share_done`, from 0 to 1."""
    full = round(min(1.0, max(0.0, share_done)) * WIDTH)
    return f"\033[36m{'━' * full}\033[0;2m{'━' * (WIDTH - full)}\033[0m"


def time_left_in_words(share_done: float, seconds_spent: float) -> str:
    """Return the estimated time left, such as "  3:05 left", with two blanks in front.

    `share_done` is the share of the task that is done, from 0 to 1. `seconds_spent` is the time so far in
    seconds. Return "" in the first second, and while nothing or everything is done.
    """
    if not 0 < share_done < 1 or seconds_spent < 1:
        return ""
    seconds = round(seconds_spent / share_done - seconds_spent)
    return f"  {seconds // 60}:{seconds % 60:02} left"


class StatusLine:
    """A line on stderr that is replaced again and again.

    Nothing is written if stderr isn't a terminal.
    """

    def __init__(self, *, quiet: bool = False) -> None:
        self.on = not quiet and try_to_enable_escape_codes(sys.stderr)
        self.began = self.drawn = time.monotonic()

    def claim_drawing_if_due(self) -> bool:
        """Return whether the line should be drawn now; if so, count this as a drawing.

        It should be drawn if SECONDS_BETWEEN_DRAWINGS have passed since the last drawing. Return False if
        nothing may be written.
        """
        if not self.on or time.monotonic() - self.drawn < SECONDS_BETWEEN_DRAWINGS:
            return False
        self.drawn = time.monotonic()
        return True

    @property
    def elapsed_seconds(self) -> float:
        """The seconds since the line was made."""
        return time.monotonic() - self.began

    def write(self, text: str) -> None:
        """Replace the text of the line."""
        if self.on:
            sys.stderr.write(f"\r\033[K{text}")
            sys.stderr.flush()


class Progress(StatusLine):
    """A progress bar, which appears only if the task takes longer than SECONDS_BEFORE_FIRST seconds."""

    def __init__(self, what: str) -> None:
        super().__init__()
        self.what = what

    def show_if_due(self, share_done: float) -> None:
        """Draw the bar and the time left, unless the last drawing is younger than SECONDS_BETWEEN_DRAWINGS.

        Nothing is drawn in the first SECONDS_BEFORE_FIRST seconds. `share_done` is the share of the task that
        is done, from 0 to 1.
        """
        if self.claim_drawing_if_due() and self.elapsed_seconds > SECONDS_BEFORE_FIRST:
            self.write(
                f"{coloured_bar_text(share_done)} {self.what}"
                f"{time_left_in_words(share_done, self.elapsed_seconds)}"
            )

    def close(self) -> None:
        """Clear the line."""
        if self.drawn > self.began:
            self.write("")
