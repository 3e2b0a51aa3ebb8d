"""Few simulated fights, in this process, for tests that are about what is typed."""

from __future__ import annotations

import pytest


def play_few_fights(patch: pytest.MonkeyPatch) -> None:
    """As many as an example needs that plays one of them again, unless it says how many."""
    patch.setattr("strike_cli.sim.spread.cores", lambda: 1)
    patch.setattr("strike_cli.sim.run.DEFAULT_FIGHTS", {"quick": 20, "good": 2, "full": 1})
    patch.setattr("strike_cli.sim.run.FEWEST_CHECKED", 1)
    patch.setattr("strike_cli.cli.sim.ODDS_FIGHTS", 5)
    patch.setattr("strike_cli.cli.encounter.FIGHTS", 4)
