"""Whether a fight is as good as lost for the party: it is played on a few times by habit, by the rules
themselves, and never won."""

from __future__ import annotations

from strike_cli.kernel.drive import SeededDice, drive
from strike_cli.kernel.procedure import World
from strike_cli.play.moves import find_move
from strike_cli.problems import Refused

from .fight import PARTY, Fight
from .quick import Quick

WEAKER = 0.5
"""Who has more than this share of the others' HP has not lost: nothing is tried."""
TRIES = 6
"""Times that it is played on."""
MOST_COMMANDS = 400


def is_lost(fight: Fight) -> bool:
    """Whether the party, much the weaker, loses however often it is tried."""
    ours = theirs = 0
    for who in fight.in_the_fight():
        one = fight.combatant(who)
        hp = max(0, one["hp"]) * one.get("threshold", 1)
        if one["side"] == PARTY:
            ours += hp
        else:
            theirs += hp
    if ours > WEAKER * theirs:
        return False
    return all(_loses(fight.world, number) for number in range(TRIES))


def _loses(world: World, number: int) -> bool:
    """Whether the party loses it once, with dice of that number; a fight without end it doesn't."""
    player, now = Quick(), World(world.book, world.state)
    for command in range(MOST_COMMANDS):
        fight = Fight(now)
        if decided := fight.decided():
            return decided == "lost"
        option = player.choose_command(now)
        if option is None:
            return False
        procedure = find_move(option.command).start(now, option.args)
        dice = SeededDice(f"is it lost {number}", command)
        try:
            drive(procedure, now, dice, lambda question: player.decide(now, question))
        except Refused:
            return False
    return False
