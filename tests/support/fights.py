"""Fights that are made up, for whoever spreads and counts fights and plays none: workers import this."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from strike_cli.kernel.procedure import Roll
from strike_cli.sim.chunk_worker import Arm, Task, WorkerAnswer
from strike_cli.sim.simulated_fight import DayResult, FightResult, KeyedDice, PersonResult, UseCounts
from strike_cli.sim.tallies import ChunkResult

FALLS = 3
"""The chunk whose player falls."""
MARK = "STRIKE_TEST_MARK"
"""Where a player notes that it has fallen."""


def made_up(seed: int, number: int, edge: int = 0) -> DayResult:
    """A fight that dice alone decide: won by 10 + `edge` of 20."""
    dice = KeyedDice(seed, str(number))
    (die,) = dice(Roll(1, 20, "fate", "vex"))
    (rounds,) = dice(Roll(1, 6, "rounds", ""))
    (luck,) = dice(Roll(1, 4, "luck", ""))
    won = die <= 10 + edge
    people = {
        "vex": PersonResult("Vex", "party", "vex", max(0, 12 - die), 10, int(not won), not won, luck, die, 0,
                            {"strikes": luck}, {"knife": UseCounts(rounds, luck, 0, int(won))}),
        "goblin": PersonResult("Goblin", "enemies", "goblin", 0 if won else 4, 4, int(won), won, die, luck),
    }  # fmt: skip
    margin = people["vex"].left - people["goblin"].left + edge
    fight = FightResult(
        number, "ring", "won" if won else "lost", rounds, margin, people, {"concession": "none"}, 9
    )
    return DayResult(number, (fight,))


def tasks(fights: int, size: int, arms: int = 1, seed: int = 1) -> list[Task]:
    """So many fights in chunks of a size."""
    from strike_cli.sim.sim_plan import split_into_chunks

    return [
        Task(chunk, (Arm("", "quick"),) * arms, seed, {}, {}) for chunk in split_into_chunks(fights, size)
    ]


def play(task: Task) -> WorkerAnswer:
    """A chunk of such fights; with two arms the second has an edge."""
    found = ChunkResult(len(task.arms))
    for number in range(task.chunk.first, task.chunk.first + task.chunk.fights):
        found.add_day([made_up(task.seed, number, 2 * arm) for arm in range(len(task.arms))])
    return WorkerAnswer(f"test:{os.getpid()}", played=found)


def falls_once(task: Task) -> WorkerAnswer:
    """Killed over one chunk, the first time."""
    mark = Path(os.environ[MARK])
    if task.chunk.number == FALLS and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return play(task)


def always_falls(task: Task) -> WorkerAnswer:
    """Killed over one chunk, whenever it is sent."""
    if task.chunk.number == FALLS:
        with open(os.environ[MARK], "a") as file:
            file.write("x")
        os.kill(os.getpid(), signal.SIGKILL)
    return play(task)


def lacks_at_first(task: Task) -> WorkerAnswer:
    """Wants the book once in each process, as one does that came late."""
    mark = Path(f"{os.environ[MARK]}-{os.getpid()}")
    if task.packed:
        mark.touch()
    if not mark.exists():
        return WorkerAnswer(f"test:{os.getpid()}", lacks=("book",))
    return play(task)
