"""How far a run has come, on a terminal's stderr: a bar, the chance to win so far, and how it narrows."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

from strike_cli.sim.intervals import at_any_time, chance
from strike_cli.sim.run import Plan
from strike_cli.sim.tally import Chunked

if TYPE_CHECKING:
    from strike_cli.sim.intervals import Interval

WIDTH, RULER = 24, 30
OFTEN = 0.1
"""Seconds between two drawings."""


class Progress:
    """Draws on stderr where that is a terminal, and nothing elsewhere."""

    def __init__(self, plan: Plan, *, quiet: bool) -> None:
        self.plan = plan
        self.on = not quiet and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self.began = time.monotonic()
        self.drawn = 0.0
        self.what = ""
        if self.on:
            self._say("Playing the first fights ...")

    def show(self, found: Chunked) -> None:
        """What is known so far."""
        tally = found.arms[0]
        if not self.on or time.monotonic() - self.drawn < OFTEN:
            return
        if self.plan.until is None:
            known, done = chance(tally.won, tally.days), tally.days / self.plan.fights
            count = f"{tally.days} of {self.plan.fights}"
        else:
            known = at_any_time(tally.won, tally.days)
            done = min(1.0, (self.plan.until / known.within) ** 2)
            count = f"{tally.days}"
        self._draw(known, done, count)

    def checking(self) -> None:
        """A sample is played again by a better player."""
        if self.on:
            self._say("Playing some of them again, better ...")

    def end(self) -> None:
        """Leave the line empty."""
        if self.on:
            self._say("")

    def _draw(self, known: Interval, done: float, count: str) -> None:
        self.drawn = time.monotonic()
        full = round(done * WIDTH)
        bar = f"\033[36m{'━' * full}\033[0;2m{'━' * (WIDTH - full)}\033[0m"
        low, at, high = (round(share * (RULER - 1)) for share in (known.low, known.value, known.high))
        ruler = "".join(
            "\033[0;1m●\033[0;2m" if x == at else "\033[0;36m━\033[0;2m" if low <= x <= high else "·"
            for x in range(RULER)
        )
        left = self._left(done)
        words = f"won {known.value * 100:3.0f}% ±{known.within * 100:.0f}"
        self._say(f"{bar} {count}  \033[2m0 {ruler} 1\033[0m {words}{left}")

    def _left(self, done: float) -> str:
        spent = time.monotonic() - self.began
        if not 0 < done < 1 or spent < 1:
            return ""
        seconds = round(spent / done - spent)
        return f"  {seconds // 60}:{seconds % 60:02} left"

    def _say(self, text: str) -> None:
        sys.stderr.write(f"\r\033[K{text}")
        sys.stderr.flush()
