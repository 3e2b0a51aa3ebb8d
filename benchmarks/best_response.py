"""What players of code lose against a best response: the table of docs/sim.md.

All of it takes hours, so `make bench` leaves it out; the fights of a kit or a goal take minutes:

    python -m benchmarks.best_response reach

Forty fights of 2 or 3 people, by eight kits and five goals. The enemies play by habit (`quick`), as do all
choices within an action. The best response is found by brute force: every legal option in every position that
can come about, every fall of the dice, to the end. The chance to win of a player is counted in the same way,
so no number here is an estimate. A fight that isn't decided by its last round is not won.
"""

from __future__ import annotations

import argparse
import marshal
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from benchmarks.measure import ONCE
from strike_cli.content.book import Book, open_book
from strike_cli.kernel.drive import SeededDice, drive
from strike_cli.kernel.exhaustive import plays
from strike_cli.kernel.facts import State
from strike_cli.kernel.procedure import Data, Procedure, World
from strike_cli.play.legal import Option
from strike_cli.play.moves import find_move
from strike_cli.problems import Refused
from strike_cli.registry import system
from strike_cli.sim.plan import WON, Lineup
from strike_cli.sim.players import NAMES, Player, player_named
from strike_cli.systems.combat.bots.forecast import USUAL
from strike_cli.systems.combat.bots.legal_options import INITIATIVE, candidates
from strike_cli.systems.combat.fight import PARTY, Fight
from strike_cli.systems.combat.simulated import SIMULATED

LAST_ROUND = 3
KINDS = ("power", "charge", "move", "stand", "escape", "other", "end")
IDLE = ("combat hide", "combat delay", "combat assess")
"""What a best response leaves out: it has no end, or tells people something."""
MOST = 150_000
"""Plays of the dice after which a fight is given up."""

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
    """A fight by its kit and goal."""

    kit: str
    goal: str

    def book(self) -> Book:
        """Return the book that it is in."""
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
        """Return its beginning, with the order of turns thrown for."""
        world = World(self.book(), {})
        people = ("ann", "bob") if self.goal == "protect" else ("ann",)
        dice = SeededDice(self.kit, list(GOALS).index(self.goal))
        for option in (SIMULATED.begin(world, "small", Lineup(people)), INITIATIVE):
            drive(find_move(option.command).start(world, option.args), world, dice, USUAL)
        return world


FIGHTS = [SmallFight(kit, goal) for kit, goal in product(KITS, GOALS)]


class TooMuch(Exception):
    """A fight has too many positions."""


class Search:
    """The chance to win of the party, as `choose` has it play."""

    def __init__(self, book: Book, choose: Callable[[World, str], list[Option]]) -> None:
        self.book = book
        self.choose = choose
        self.habit = player_named("quick", system("combat"))
        self.known: dict[bytes, float] = {}
        self.plays = 0

    def chance(self, state: State) -> float:
        """Return the chance from a position on."""
        key = marshal.dumps(state, 2)  # with nothing in it of which objects are the same
        if key not in self.known:
            self.known[key] = self._chance(World(self.book, state))
        return self.known[key]

    def _chance(self, world: World) -> float:
        if result := SIMULATED.result(world):
            return float(result == WON)
        fight = Fight(world)
        if fight.data["round"] > LAST_ROUND:
            return 0.0
        active = fight.data.get("active")
        if active and fight.acts_for(active) == PARTY:
            options = self.choose(world, active)
        else:
            options = [_first(self.habit, world)]
        best = 0.0
        for option in options:
            with suppress(Refused):  # candidates may be illegal, which the move itself says
                best = max(best, self._after(world, option, best))
            if best > 1 - 1e-9:
                break
        return best

    def _after(self, world: World, option: Option, least: float) -> float:
        """Return the chance after an option, or less than `least` where it can't be more."""
        total, open_to = 0.0, 1.0
        for state, share in self._falls(world, option):
            total, open_to = total + self.chance(state) * share, open_to - share
            if total + open_to < least:
                break
        return total

    def _falls(self, world: World, option: Option) -> Iterator[tuple[State, float]]:
        latest = world

        def start() -> tuple[Procedure[Data], World]:
            nonlocal latest
            latest = World(world.book, world.state)
            return find_move(option.command).start(latest, option.args), latest

        for _, ways, out_of in plays(start, USUAL):
            self.plays += 1
            if self.plays > MOST:
                raise TooMuch
            yield latest.state, ways / out_of


def _first(player: Player, world: World) -> Option:
    option = player.choose_command(world)
    assert option is not None
    return option


def _choice(name: str, world: World, who: str) -> list[Option]:
    return [_first(player_named(name, system("combat")), world)]  # as who comes to the table just now


def _every_option(world: World, who: str) -> list[Option]:
    return [option for option in candidates(Fight(world), who, KINDS) if option.command not in IDLE]


class Losses(NamedTuple):
    """The chance to win of a best response, and of each player, in a fight."""

    fight: SmallFight
    best: float
    players: dict[str, float]


def losses(fight: SmallFight) -> Losses | None:
    """Return what each player loses in a fight; None where it is too much to go through."""
    sys.setrecursionlimit(20_000)
    world = fight.begin()
    try:
        best = Search(world.book, _every_option).chance(world.state)
        found = {}
        for name in NAMES:
            found[name] = Search(world.book, partial(_choice, name)).chance(world.state)
    except TooMuch:
        return None
    return Losses(fight, max(best, *found.values()), found)


def main() -> None:
    """Print a row for each fight, and what each player loses on average and in the worst of them."""
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
