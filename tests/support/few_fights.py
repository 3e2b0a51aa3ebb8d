"""Few simulated fights, in this process, for tests that are about what is typed."""

from __future__ import annotations

from typing import Any

import pytest

from strike_cli.sim import run

MOST = 2


def play_few_fights(patch: pytest.MonkeyPatch) -> None:
    """No more than two, however many are asked for."""
    play = run.play

    def a_few(plan: run.SimPlan, *more: Any, **named: Any) -> run.FightPlayed:
        return play(plan._replace(fights=min(plan.fights, MOST)), *more, **named)

    patch.setattr(run, "play", a_few)
    patch.setattr(run, "FEWEST_CHECKED", 1)
    patch.setattr("strike_cli.sim.spread.cores", lambda: 1)
