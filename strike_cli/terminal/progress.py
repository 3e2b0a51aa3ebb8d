"""A line on a terminal's stderr that says how far something has come, and leaves nothing behind."""

from __future__ import annotations

import sys
import time

from .result import acts_on_escapes

WIDTH = 24
OFTEN = 0.1
"""Seconds between two drawings."""
PATIENCE = 0.5
"""Seconds that nobody needs to be told about."""


def bar(done: float) -> str:
    """Return a bar of `WIDTH` columns, full up to a share."""
    full = round(min(1.0, max(0.0, done)) * WIDTH)
    return f"\033[36m{'━' * full}\033[0;2m{'━' * (WIDTH - full)}\033[0m"


def time_left(done: float, spent: float) -> str:
    """Return the remaining time after so many seconds, as far as that can be estimated."""
    if not 0 < done < 1 or spent < 1:
        return ""
    seconds = round(spent / done - spent)
    return f"  {seconds // 60}:{seconds % 60:02} left"


class StatusLine:
    """Draws on stderr where that is a terminal, and nothing elsewhere."""

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
        """Put something else on the line."""
        if self.on:
            sys.stderr.write(f"\r\033[K{text}")
            sys.stderr.flush()


class Progress(StatusLine):
    """How much of one thing is done, once it takes longer than people wait for gladly."""

    def __init__(self, what: str) -> None:
        super().__init__()
        self.what = what

    def show(self, done: float) -> None:
        """Show the share that is done, from 0 to 1."""
        if self.is_due() and self.spent > PATIENCE:
            self.say(f"{bar(done)} {self.what}{time_left(done, self.spent)}")

    def close(self) -> None:
        """Clear the line."""
        if self.drawn > self.began:
            self.say("")
