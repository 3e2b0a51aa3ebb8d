"""Measure how many fights a second each bot plays in memory.

Ten combatants fight on the example's ford. Every bot is compared with `full`, which `combat auto` and `sim`
use by default.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path
from random import Random

from benchmarks.paired_timing import TRIAL_RUN, usual_or_trial_amount
from strike_cli.content.merged_content import Book, open_book
from strike_cli.kernel.driver import play_until_open_decision
from strike_cli.kernel.procedure import Roll, World
from strike_cli.play.playable_moves_and_time_limit import find_move
from strike_cli.registry import load_known_system
from strike_cli.sim.bot_players import Player, find_player

FIGHTS = usual_or_trial_amount({"full": 6, "good": 12, "quick": 60}, {"full": 1, "good": 1, "quick": 1})
"""The fights of each player."""
MOVES = usual_or_trial_amount(10_000, 10)
"""The commands after which a fight is abandoned."""


def play_fight(book: Book, player: Player, seed: int) -> None:
    """Play one fight to its end."""
    world, source = World(book, {}), Random(seed)

    def dice(roll: Roll) -> list[int]:
        return [source.randint(1, roll.sides) for _ in range(roll.n)]

    def play(name: str, args: object) -> None:
        play_until_open_decision(
            find_move(name).start(world, args), world, dice, lambda one: player.decide(world, one)
        )  # type: ignore[arg-type]  # the move checks its arguments

    play("combat start", {"encounter": "ford", "party": list(book.characters)})
    for _ in range(MOVES):
        if not world.state.get("fight"):
            break
        option = player.choose_command(world)
        assert option is not None
        play(option.command, option.args)


def main() -> None:
    """Print how many fights a second each bot plays, and its speed in relation to that of the bot `full`."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(Path(__file__).parent.parent / "campaign.example.toml", Path(folder) / "campaign.toml")
        book = open_book(Path(folder))
        seconds: dict[str, float] = {}
        for name, count in FIGHTS.items():
            player = find_player(name, load_known_system("combat"))
            if not TRIAL_RUN:
                play_fight(book, player, 999)
            start = time.process_time()
            for seed in range(count):
                play_fight(book, player, seed)
            seconds[name] = (time.process_time() - start) / count
            ratio = seconds["full"] / seconds[name]
            print(f"  {name:<10} {1 / seconds[name]:7.2f} fights a second   {ratio:6.1f} times `full`")


if __name__ == "__main__":
    main()
