"""Fights a second and core of each player, beside natural20's, and what another core brings."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from benchmarks.measure import ONCE, size
from strike_cli.campaign.create import create_campaign
from strike_cli.content.merged_content import open_book
from strike_cli.sim.bot_players import NAMES
from strike_cli.sim.scheduler import InProcess, Processes, usable_cores
from strike_cli.sim.sim_plan import SimPlan, play_plan
from strike_cli.sim.simulated_fight import FrozenCampaign, play_day
from strike_cli.sim.simulation_hooks import Lineup

NATURAL20 = 0.16
"""Fights a second of natural20, a program that plays fights of another game, measured once."""
SECONDS = size(8.0, 0.0)
"""The seconds for each player; a fight that has begun is played to its end."""
SPREAD = size(160, 2)
"""The fights that are played by one process and by all cores."""


def main() -> None:
    """Print fights a second of each player, and the gain from another core."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = create_campaign(Path(scratch) / "campaign")
        frozen = FrozenCampaign.freeze(open_book(folder), {}, "combat", ["ford"], Lineup())
        for name in NAMES:
            fights = _fights_a_second(frozen, name)
            print(
                f"  {f'ford, ten people, {name}: fights a second':<58} {fights:6.2f}  "
                f"({fights / NATURAL20:.0f} times natural20's {NATURAL20})"
            )
        one, many = (_seconds(frozen, workers) for workers in (1, usable_cores()))
        print(
            f"  {f'{SPREAD} of quick, {usable_cores()} processes for 1: times as fast':<58} {one / many:6.2f}"
        )


def _fights_a_second(frozen: FrozenCampaign, player: str) -> float:
    if not ONCE:
        play_day(frozen, 1, 0, player)  # what is imported and cached once
    began, number = time.process_time(), 0
    while not number or time.process_time() - began < SECONDS:
        number += 1
        play_day(frozen, 1, number, player)
    return number / (time.process_time() - began)


def _seconds(frozen: FrozenCampaign, workers: int) -> float:
    backend = InProcess() if workers == 1 else Processes(workers)
    try:
        play_plan(SimPlan([(frozen, "quick")], 1, 2 * workers, None, 1), backend)  # processes have begun
        began = time.perf_counter()
        play_plan(SimPlan([(frozen, "quick")], 1, SPREAD), backend)
        return time.perf_counter() - began
    finally:
        backend.close()
