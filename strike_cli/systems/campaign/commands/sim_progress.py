"""The progress of a simulation on stderr: a bar, the chance to win so far, and its precision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.pages.plots import short_percentage
from strike_cli.sim.sim_plan import SimPlan, outcome_chances
from strike_cli.sim.sim_report import interval_bounds_words
from strike_cli.sim.simulation_hooks import WON
from strike_cli.sim.tallies import ChunkResult
from strike_cli.terminal.progress_line import StatusLine, coloured_bar_text, time_left_in_words

if TYPE_CHECKING:
    from strike_cli.sim.confidence_intervals import Interval

RULER = 30
COST_IN_EVERY_ARM = 8
"""How many times as long a fight takes when every arm plays it."""


class SimProgress(StatusLine):
    """A line that shows the progress of a simulation."""

    def __init__(self, plan: SimPlan, label: str = "", *, quiet: bool) -> None:
        super().__init__(quiet=quiet)
        self.plan = plan
        self.what = label
        self.write(f"{label}Playing the first fights ...")

    def show_results_so_far(self, results: ChunkResult) -> None:
        """Show the results so far, unless the line was drawn just before."""
        if not self.claim_drawing_if_due():
            return
        known = outcome_chances(self.plan, results)[WON]
        tally = results.arms[0]
        if self.plan.until is None:
            left = (
                COST_IN_EVERY_ARM * (self.plan.fights_shared_by_all_arms - results.arms[-1].days)
                + self.plan.fights
                - tally.days
            )
            done = 1 - left / (COST_IN_EVERY_ARM * self.plan.fights_shared_by_all_arms + self.plan.fights)
            count = f"{tally.days} of {self.plan.fights}"
        else:
            done = min(1.0, self.plan.until / known.half_width)
            count = f"{tally.days}"
        self._draw(known, done, count)

    def end(self) -> None:
        """Clear the line."""
        self.write("")

    def _draw(self, known: Interval, done: float, count: str) -> None:
        low, at, high = (round(share * (RULER - 1)) for share in (known.low, known.value, known.high))
        ruler = "".join(
            "\033[0;1m●\033[0;2m" if x == at else "\033[0;36m━\033[0;2m" if low <= x <= high else "·"
            for x in range(RULER)
        )
        words = f"{short_percentage(known.value)} won ({interval_bounds_words(known)})"
        left = time_left_in_words(done, self.elapsed_seconds)
        self.write(f"{self.what}{coloured_bar_text(done)} {count}  \033[2m0 {ruler} 1\033[0m {words}{left}")
