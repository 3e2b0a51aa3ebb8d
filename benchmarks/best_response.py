"""What players of code lose against a best response: the table of docs/sim.md.

All of it takes an hour, so `make bench` leaves it out; the fights of a kit or a goal take minutes:

    python -m benchmarks.best_response reach

Forty fights of 2 or 3 people, by eight kits and five goals. The enemies play by habit (`quick`), as do all
choices within an action. The best response is found by brute force: every legal option in every position that
can come about, every fall of the dice, to the end. The chance to win of a player is counted in the same way,
so no number here is an estimate. A fight that isn't decided by its last round is not won.
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

from benchmarks.measure import ONCE
from strike_cli.content.merged_content import Book, open_book
from strike_cli.kernel.driver import SeededDice, drive
from strike_cli.kernel.exact_odds import TooManyWays
from strike_cli.kernel.procedure import World
from strike_cli.kernel.state_changes import State
from strike_cli.play.legal_options import Option
from strike_cli.play.playable_moves import find_move
from strike_cli.registry import load_system
from strike_cli.sim.bot_players import NAMES, find_player
from strike_cli.sim.simulation_hooks import Lineup
from strike_cli.systems.combat.bots.endgame_search import EndgameSearch
from strike_cli.systems.combat.bots.forecast import USUAL
from strike_cli.systems.combat.bots.legal_options import INITIATIVE, candidate_options
from strike_cli.systems.combat.fight_state import PARTY, Fight
from strike_cli.systems.combat.simulation import SIMULATED

if TYPE_CHECKING:
    from strike_cli.systems.combat.data import FightState

LAST_ROUND = 3
KINDS = ("power", "charge", "move", "stand", "escape", "other", "end")
IDLE = ("combat hide", "combat delay", "combat assess")
"""Options that a best response leaves out, since they never end, or only tell people something."""
MOST = 600_000
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
    """A small fight, by its kit and goal."""

    kit: str
    goal: str

    def book(self) -> Book:
        """Return the book with the fight."""
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

    def begin(self) -> World:
        """Return the world at its beginning, with the order of turns rolled."""
        world = World(self.book(), {})
        people = ("ann", "bob") if self.goal == "protect" else ("ann",)
        dice = SeededDice(self.kit, list(GOALS).index(self.goal))
        for option in (SIMULATED.begin(world, "small", Lineup(people)), INITIATIVE):
            drive(find_move(option.command).start(world, option.args), world, dice, USUAL)
        return world


FIGHTS = [SmallFight(kit, goal) for kit, goal in product(KITS, GOALS)]


class Counted(EndgameSearch):
    """The party's chance to win when `options` chooses its moves, to the end of the last round."""

    def __init__(self, options: Callable[[Fight, str], Iterator[Option]]) -> None:
        super().__init__({}, options, PARTY, LAST_ROUND)
        self.left = MOST

    def position(self, state: State) -> State:
        """Return a position without Strikes, which only cost something after the fight."""
        fight = cast("FightState", state["fight"])
        people = {
            person: {key: value for key, value in one.items() if key != "strikes"}
            for person, one in fight["combatants"].items()
        }
        return {**state, "fight": {**fight, "combatants": people}}

    def beyond(self, world: World) -> float:
        """Return 0: a fight that isn't decided isn't won."""
        return 0.0


def _choice(name: str, fight: Fight, person: str) -> Iterator[Option]:
    # As who comes to the table just now.
    if option := find_player(name, load_system("combat")).choose_command(fight.world):
        yield option


def _every_option(fight: Fight, person: str) -> Iterator[Option]:
    return (option for option in candidate_options(fight, person, KINDS) if option.command not in IDLE)


class Losses(NamedTuple):
    """The chance to win of a best response, and of each player, in a fight."""

    fight: SmallFight
    best: float
    players: dict[str, float]


def losses(fight: SmallFight) -> Losses | None:
    """Return what each player loses in a fight; None where there are too many positions."""
    sys.setrecursionlimit(20_000)
    world, found = fight.begin(), dict[str, float]()
    try:
        for name in NAMES:
            found[name] = Counted(partial(_choice, name)).chance(world).chance
        most = max(found.values())
        best = Counted(_every_option).chance(world, most).chance
    except TooManyWays:
        return None
    return Losses(fight, max(best, most), found)


def main() -> None:
    """Print a row for each fight, and each player's average and worst loss."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("words", nargs="*", help="kits and goals; otherwise all")
    given = parser.parse_args()
    chosen = [fight for fight in FIGHTS if {*given.words} <= {*fight}][: 1 if ONCE else None]
    print(f"| fight | best | {' | '.join(NAMES)} |\n|{'-|' * (len(NAMES) + 2)}")
    found: list[Losses] = []
    with ProcessPoolExecutor(given.jobs) as pool:
        for fight, each in zip(chosen, pool.map(losses, chosen), strict=True):
            if each is None:
                print(f"| {fight.kit}, {fight.goal} | too many positions |", flush=True)
                continue
            found.append(each)
            own = " | ".join(f"{each.best - each.players[name]:.1%}" for name in NAMES)
            print(f"| {fight.kit}, {fight.goal} | {each.best:.1%} | {own} |", flush=True)
    for name in NAMES:
        lost = [each.best - each.players[name] for each in found]
        print(f"  {name}: loses {fmean(lost):.1%} on average, {max(lost):.1%} in the worst of {len(lost)}")


if __name__ == "__main__":
    main()
