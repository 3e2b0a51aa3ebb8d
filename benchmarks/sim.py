"""Measure how many fights a second each bot simulates, and how much faster several cores are.

The numbers are compared with those of another simulator.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from benchmarks.paired_timing import TRIAL_RUN, usual_or_trial_amount
from strike_cli.campaign.create import create_campaign_folder
from strike_cli.content.merged_content import open_book
from strike_cli.sim.bot_players import PLAYER_NAMES
from strike_cli.sim.sim_plan import SimPlan, play_plan
from strike_cli.sim.simulated_fight import FrozenCampaign, play_day_until_not_won
from strike_cli.sim.simulation_hooks import Lineup
from strike_cli.sim.task_backends import InProcess, LocalProcesses, usable_core_count

NATURAL20 = 0.16
"""Fights a second of natural20, a program that plays fights of another game, measured once."""
SECONDS = usual_or_trial_amount(8.0, 0.0)
"""The seconds for each player; a fight that has begun is played to its end."""
FIGHTS = usual_or_trial_amount(160, 2)
"""The fights that are played by one process and by all cores."""


def main() -> None:
    """Print each bot's fights a second on one core, and the gain from using all cores."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = create_campaign_folder(Path(scratch) / "campaign")
        frozen = FrozenCampaign.freeze(open_book(folder), {}, "combat", ["ford"], Lineup())
        for name in PLAYER_NAMES:
            fights = _fights_a_second(frozen, name)
            print(
                f"  {f'ford, ten people, {name}: fights a second':<58} {fights:6.2f}  "
                f"({fights / NATURAL20:.0f} times natural20's {NATURAL20})"
            )
        one, many = (_seconds_for_fights(frozen, workers) for workers in (1, usable_core_count()))
        print(
            f"  {f'{FIGHTS} of quick, {usable_core_count()} processes for 1: times as fast':<58}"
            f" {one / many:6.2f}"
        )


def _fights_a_second(frozen: FrozenCampaign, player: str) -> float:
    if not TRIAL_RUN:
        play_day_until_not_won(frozen, 1, 0, player)  # what is imported and cached once
    began, number = time.process_time(), 0
    while not number or time.process_time() - began < SECONDS:
        number += 1
        play_day_until_not_won(frozen, 1, number, player)
    return number / (time.process_time() - began)


def _seconds_for_fights(frozen: FrozenCampaign, workers: int) -> float:
    backend = InProcess() if workers == 1 else LocalProcesses(workers)
    try:
        play_plan(SimPlan([(frozen, "quick")], 1, 2 * workers, None, 1), backend)  # processes have begun
        began = time.perf_counter()
        play_plan(SimPlan([(frozen, "quick")], 1, FIGHTS), backend)
        return time.perf_counter() - began
    finally:
        backend.close()
