"""Few simulated fights, in this process, for tests that are about what is typed."""

from __future__ import annotations

from typing import Any

import pytest

from strike_cli.sim import sim_plan

MOST = 1
PLAYER = "quick"
"""Who plays: what comes of fights is no business of these tests."""


def play_few_fights(patch: pytest.MonkeyPatch) -> None:
    """No more than one, however many are asked for, by habit whoever is asked for."""
    play = sim_plan.play_plan

    def a_few(plan: sim_plan.SimPlan, *more: Any, **named: Any) -> sim_plan.PlayedPlan:
        arms = [(frozen, PLAYER) for frozen, _ in plan.arms]
        return play(plan._replace(fights=min(plan.fights, MOST), arms=arms), *more, **named)

    patch.setattr(sim_plan, "play_plan", a_few)
    patch.setattr(sim_plan, "MIN_REPLAYED", 1)
    patch.setattr("strike_cli.sim.task_backends.usable_core_count", lambda: 1)
