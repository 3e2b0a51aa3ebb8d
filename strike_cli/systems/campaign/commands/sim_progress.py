"""How far a run has come, on a terminal's stderr: a bar, the chance to win so far, and how it narrows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.sim.intervals import at_any_time, chance
from strike_cli.sim.run import Plan
from strike_cli.sim.tally import Chunked
from strike_cli.terminal.progress import StatusLine, bar, time_left

if TYPE_CHECKING:
    from strike_cli.sim.intervals import Interval

RULER = 30


class Progress(StatusLine):
    """How a run of fights goes."""

    def __init__(self, plan: Plan, *, quiet: bool) -> None:
        super().__init__(quiet=quiet)
        self.plan = plan
        self.say("Playing the first fights ...")

    def show(self, found: Chunked) -> None:
        """What is known so far."""
        tally = found.arms[0]
        if not self.is_due():
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
        self.say("Playing some of them again, better ...")

    def end(self) -> None:
        """Leave the line empty."""
        self.say("")

    def _draw(self, known: Interval, done: float, count: str) -> None:
        low, at, high = (round(share * (RULER - 1)) for share in (known.low, known.value, known.high))
        ruler = "".join(
            "\033[0;1m●\033[0;2m" if x == at else "\033[0;36m━\033[0;2m" if low <= x <= high else "·"
            for x in range(RULER)
        )
        words = f"won {known.value * 100:3.0f}% ±{known.within * 100:.0f}"
        left = time_left(done, self.spent)
        self.say(f"{bar(done)} {count}  \033[2m0 {ruler} 1\033[0m {words}{left}")
