"""A measurement of how far each bot is from the best possible play: the table of docs/sim.md.

All fights together take an hour, so `make bench` leaves them out. The fights of one kit or of one goal take
minutes:

    python -m benchmarks.best_response reach

There are forty small fights of 2 or 3 people. Each has one of eight kits (the party's power) and one of five
goals (map and objective). The bot `quick` plays the enemies. It also makes the choices in the middle of an
action.

A brute-force search finds the best play against `quick`, the best response. It tries every candidate option
in every position, with every result of the dice, to the last round. The same search computes each bot's
chance to win. So all chances are exact. A fight that is undecided after its last round is not won.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple, cast

from benchmarks.paired_timing import TRIAL_RUN
from strike_cli.content.merged_content import Book, open_book
from strike_cli.kernel.driver import SeededDice, play_until_open_decision
from strike_cli.kernel.exact_odds import TooManyWays
from strike_cli.kernel.procedure import World
from strike_cli.kernel.state_changes import State
from strike_cli.play.legal_options import Option
from strike_cli.play.playable_moves_and_time_limit import find_move
from strike_cli.registry import load_known_system
from strike_cli.sim.bot_players import PLAYER_NAMES, find_player
from strike_cli.sim.simulation_hooks import Lineup
from strike_cli.systems.combat.bots.endgame_search import EndgameSearch
from strike_cli.systems.combat.bots.legal_options import INITIATIVE, candidate_options
from strike_cli.systems.combat.bots.outcome_forecast import USUAL_POLICY
from strike_cli.systems.combat.fight_state import PARTY, Fight
from strike_cli.systems.combat.simulation import SIMULATED

if TYPE_CHECKING:
    from strike_cli.systems.combat.data import FightState

LAST_ROUND = 3
KINDS = ("power", "charge", "move", "stand", "escape", "other", "end")
IDLE = ("combat hide", "combat delay", "combat assess")
"""Options that a best response leaves out, since they never end, or only tell people something."""
MAX_DICE_PLAYS = 600_000
"""The most plays of the dice before a fight is given up."""

KITS = {
    "strike": 'action = "attack"\nreach = 1\ndamage = 2\n',
    "shot": 'action = "attack"\nrange = 4\ndamage = 1\n',
    "once": 'action = "attack"\nreach = 1\ndamage = 4\nusage = "encounter"\n',
    "push": 'action = "attack"\nreach = 1\ndamage = 1\neffect = [{ do = "push", amount = 2 }]\n',
    "daze": 'action = "role"\nrange = 2\neffect = [{ do = "apply", status = "dazed" }]\n',
    "burn": 'action = "attack"\nrange = 3\ndamage = 1\n'
    'effect = [{ do = "apply", status = "ongoing", amount = 1 }]\n',
    "heal": 'action = "role"\nwho = "friends"\nrange = 3\nusage = "encounter"\n'
    'effect = [{ do = "heal", amount = 2 }]\n',
    "burst": 'action = "attack"\nburst = 1\ndamage = 1\n',
}
GOALS = {
    "fell": ("P..g.", 2, ""),
    "reach": ("P.g.\n....", 4, '{ reach = ["D1:D2"], rounds = 2 }'),
    "hold": ("P.g..", 2, '{ hold = ["C1"], rounds = 2 }'),
    "protect": ("PgP\n...", 5, '{ protect = ["bob"], rounds = 2 }'),
    "last": ("P.g.\n....", 5, "{ rounds = 2 }"),
}
"""The map, the HP that a foe's blow takes, and the objective."""


class SmallFight(NamedTuple):
    """A small fight, named by its kit (a key of `KITS`) and its goal (a key of `GOALS`)."""

    kit: str
    goal: str

    def build_book(self) -> Book:
        """Return the book of a campaign with this fight as its encounter."""
        rows, blow, objective = GOALS[self.goal]
        text = (
            f'schema = 1\nname = "Small fights"\n[powers.own]\nname = "Own"\n{KITS[self.kit]}'
            '[characters.ann]\nname = "Ann"\nhp = 4\nspeed = 2\npowers = ["own"]\n'
            '[characters.bob]\nname = "Bob"\nhp = 2\nspeed = 1\nranged = false\n'
            '[creatures.foe]\nname = "Foe"\nhp = 4\nspeed = 2\nranged = false\n'
            f'melee = {{ damage = {blow}, reach = 1 }}\n[encounters.small]\nname = "Small"\n'
            f'map = """\n{rows}\n"""\nplace = {{ P = "party", g = "foe" }}\n'
        )
        with tempfile.TemporaryDirectory() as folder:
            more = f"objective = {objective}\n" if objective else ""
            (Path(folder) / "campaign.toml").write_text(text + more, encoding="utf-8")
            return open_book(Path(folder))

    def begin_fight(self) -> World:
        """Return the world at the start of the fight, after initiative was rolled."""
        world = World(self.build_book(), {})
        people = ("ann", "bob") if self.goal == "protect" else ("ann",)
        dice = SeededDice(self.kit, list(GOALS).index(self.goal))
        for option in (SIMULATED.begin(world, "small", Lineup(people)), INITIATIVE):
            play_until_open_decision(
                find_move(option.command).start(world, option.args), world, dice, USUAL_POLICY
            )
        return world


FIGHTS = [SmallFight(kit, goal) for kit, goal in product(KITS, GOALS)]


class WinChanceSearch(EndgameSearch):
    """A search for the party's chance to win by the end of the last round.

    `options` yields the moves that the search tries for the party.
    """

    def __init__(self, options: Callable[[Fight, str], Iterator[Option]]) -> None:
        super().__init__({}, options, PARTY, LAST_ROUND)
        self.plays_left = MAX_DICE_PLAYS

    def distinguishing_state(self, state: State) -> State:
        """Return a state without anybody's Strikes.

        Two positions that differ only in Strikes then count as the same. Strikes cost something only after
        the fight, so they don't affect the chance to win.
        """
        fight = cast("FightState", state["fight"])
        people = {
            person: {key: value for key, value in one.items() if key != "strikes"}
            for person, one in fight["combatants"].items()
        }
        return {**state, "fight": {**fight, "combatants": people}}

    def chance_beyond_last_round(self, world: World) -> float:
        """Return 0: a fight that isn't decided isn't won."""
        return 0.0


def _bot_choice(name: str, fight: Fight, person: str) -> Iterator[Option]:
    # As who comes to the table just now.
    if option := find_player(name, load_known_system("combat")).choose_command(fight.world):
        yield option


def _options_but_idle(fight: Fight, person: str) -> Iterator[Option]:
    return (option for option in candidate_options(fight, person, KINDS) if option.command not in IDLE)


class WinChances(NamedTuple):
    """The chances to win one small fight.

    `best_response` is the chance of the best response. `bots` has the chance of each bot, by the bot's name.
    """

    fight: SmallFight
    best_response: float
    bots: dict[str, float]


def win_chances(fight: SmallFight) -> WinChances | None:
    """Return the chances to win a fight, or None if the fight has too many positions."""
    sys.setrecursionlimit(20_000)
    world, found = fight.begin_fight(), dict[str, float]()
    try:
        for name in PLAYER_NAMES:
            found[name] = WinChanceSearch(partial(_bot_choice, name)).chance_to_win(world).chance
        most = max(found.values())
        best = WinChanceSearch(_options_but_idle).chance_to_win(world, most).chance
    except TooManyWays:
        return None
    return WinChances(fight, max(best, most), found)


def main() -> None:
    """Print a table of fights: the best chance to win, and how much less each bot achieves.

    Below the table are each bot's average loss and worst loss.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("words", nargs="*", help="kits and goals; otherwise all")
    given = parser.parse_args()
    chosen = [fight for fight in FIGHTS if {*given.words} <= {*fight}][: 1 if TRIAL_RUN else None]
    print(f"| fight | best | {' | '.join(PLAYER_NAMES)} |\n|{'-|' * (len(PLAYER_NAMES) + 2)}")
    found: list[WinChances] = []
    with ProcessPoolExecutor(given.jobs) as pool:
        for fight, each in zip(chosen, pool.map(win_chances, chosen), strict=True):
            if each is None:
                print(f"| {fight.kit}, {fight.goal} | too many positions |", flush=True)
                continue
            found.append(each)
            own = " | ".join(f"{each.best_response - each.bots[name]:.1%}" for name in PLAYER_NAMES)
            print(f"| {fight.kit}, {fight.goal} | {each.best_response:.1%} | {own} |", flush=True)
    for name in PLAYER_NAMES:
        lost = [each.best_response - each.bots[name] for each in found]
        print(f"  {name}: loses {fmean(lost):.1%} on average, {max(lost):.1%} in the worst of {len(lost)}")


if __name__ == "__main__":
    main()
