"""The test for a fight that is as good as lost for the party.

Bots play the fight to its end a few times by habit. It counts as lost if the party never wins.
"""

from __future__ import annotations

from strike_cli.kernel.driver import SeededDice, play_until_open_decision
from strike_cli.kernel.procedure import World
from strike_cli.play.playable_moves_and_time_limit import find_move
from strike_cli.problems import Refused

from ..fight_state import PARTY, Fight
from .quick_bot import QuickBot

WEAKER, WORN = 0.5, 0.5
"""Limits: the party may be losing if its HP are at most WEAKER of the enemies' and WORN of its maximum."""
TRIES = 6
"""How many times a fight is played to its end."""
MOST_COMMANDS = 400


def is_party_much_weaker_and_worn(fight: Fight) -> bool:
    """Return whether the party is much weaker than its enemies and has lost much of its HP."""
    ours = theirs = most = 0
    for one in fight.data["combatants"].values():
        hp = max(0, one["hp"]) * one.get("threshold", 1) if "out" not in one else 0
        if one["side"] == PARTY:
            ours, most = ours + hp, most + one["max_hp"]
        else:
            theirs += hp
    return ours <= WEAKER * theirs and ours <= WORN * most


def party_loses_every_trial(fight: Fight) -> bool:
    """Return whether the party loses the fight in each of TRIES simulated plays to its end."""
    return all(_outcome_played_to_end(fight.world, number) == "lost" for number in range(TRIES))


def _outcome_played_to_end(world: World, seed: int) -> str | None:
    """Let bots play a fight on to its end, and return the outcome; None if the fight doesn't end.

    `seed` is the seed of the dice.
    """
    player, now = QuickBot(), World(world.book, world.state)
    for command in range(MOST_COMMANDS):
        fight = Fight(now)
        if decided := fight.fight_outcome():
            return decided
        option = player.choose_command(now)
        if option is None:
            return None
        procedure = find_move(option.command).start(now, option.args)
        dice = SeededDice(f"is it lost {seed}", command)
        try:
            play_until_open_decision(procedure, now, dice, lambda question: player.decide(now, question))
        except Refused:
            return None
    return None
