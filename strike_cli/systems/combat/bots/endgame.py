"""The end of a fight for a goal, searched.

It is the chance that the party has its objective in the turns that are left, over every fall of the dice, by
the procedures that play it.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterator
from itertools import islice
from math import exp

from strike_cli.kernel.exhaustive import TooManyWays, plays
from strike_cli.kernel.facts import State
from strike_cli.kernel.procedure import Data, Procedure, World
from strike_cli.play.legal import Option, why_not
from strike_cli.play.moves import find_move
from strike_cli.problems import Refused
from strike_cli.tabletop.grid import Square, gap

from ..board.move import destinations, strikers_on_the_way
from ..encounter.objective import aims_at, is_way_out, steps_to
from ..fight import PARTY, Fight
from .bot import standing
from .breaking_off import leaving
from .forecast import USUAL
from .goal import doors_to_aim, shift
from .heuristic import HABITS, Quick, QuickTurn
from .legal_options import END_TURN
from .tactics import Habit
from .unwinnable import is_always

PLAYS, PLAYS_IN_ALL = 1_000, 1_500
"""Plays of the dice for one decision, and for all of a fight; what would take more is not searched."""
MOST_WAYS = 216
"""Ways of the dice of one command; of more it is not searched either."""
MOST_PEOPLE = 5
"""People still in a fight whose end is searched."""
ROUNDS = 1
"""Rounds after the present one that are looked at."""
SURE = 0.02
"""The chance to win by which an option has to be better than the usual one."""
BROAD, NARROW = 3, 1
"""Acts of each kind that are looked at in the present position, and in those after it."""
CERTAIN = 1 - 1e-9


class Endgame:
    """The chance to win of positions near the end of a fight, as far as it was looked for."""

    def __init__(self) -> None:
        self.known: dict[bytes, float] = {}
        self.left = PLAYS_IN_ALL

    def better(self, world: World, usual: Option) -> Option:
        """Return the option after which the acting side most often has its goal; `usual` if none is better.

        It is `usual`, too, where that seems to have it in any case, or the end is too far off to be searched.
        """
        fight = Fight(world)
        active = fight.data.get("active")
        if active is None or "at" not in fight.combatant(active) or not _is_near(fight):
            return usual
        if is_always("won" if fight.acts_for(active) == PARTY else "lost", fight, usual):
            return usual
        search, found = _Search(self.known, fight, min(PLAYS, self.left)), list[tuple[float, Option]]()
        before, most = search.left, 0.0
        try:
            for option in search.options(fight, active, BROAD):
                found.append((search.after(world, option, most), option))
                most = max(most, found[-1][0])
                if most >= CERTAIN:
                    break
            found.append((search.after(world, usual, most - SURE) + SURE, usual))
        except TooManyWays:
            found = [(chance, option) for chance, option in found if chance >= CERTAIN]
        self.left -= before - max(search.left, 0)
        return max(found, key=lambda one: one[0])[1] if found else usual


def _is_near(fight: Fight) -> bool:
    """Return whether the objective decides a fight soon, and few are left in it."""
    objective = fight.data.get("objective")
    if not objective or sum(1 for _ in fight.in_the_fight()) > MOST_PEOPLE:
        return False
    return 0 <= objective.get("rounds", fight.data["round"]) - fight.data["round"] <= ROUNDS


class _Search:
    """The search for one decision of a side, while the other side plays by habit."""

    def __init__(self, known: dict[bytes, float], fight: Fight, most: int) -> None:
        active = str(fight.data["active"])
        self.known = known
        self.side = fight.acts_for(active)
        self.last = fight.data["round"] + ROUNDS
        self.left = most
        self.habit = Quick()

    def after(self, world: World, option: Option, least: float = -1.0) -> float:
        """Return the chance to win after an option; below 0 where it turns out to be none.

        Once it can't be more than `least` any more, it is no longer looked at.
        """
        latest = world

        def start() -> tuple[Procedure[Data], World]:
            nonlocal latest
            self.left -= 1
            if self.left < 0:
                raise TooManyWays
            latest = World(world.book, world.state)
            return find_move(option.command).start(latest, option.args), latest

        try:
            total, open_to = 0.0, 1.0
            for _, own, out_of in plays(start, USUAL, MOST_WAYS):
                total += self.chance(world, latest.state) * own / out_of
                open_to -= own / out_of
                if total + open_to <= least:
                    break
        except Refused:
            return -1.0
        return total

    def chance(self, world: World, state: State) -> float:
        """Return the chance to win from a position on."""
        key = marshal.dumps((self.side, self.last, state), 2)
        if key not in self.known:
            self.known[key] = self._chance(World(world.book, state))
        return self.known[key]

    def _chance(self, world: World) -> float:
        fight = Fight(world)
        if decided := fight.decided():
            return float((decided == "won") == (self.side == PARTY))
        if fight.data["round"] > self.last:
            return 1 / (1 + exp(-standing(world.book, world.state, self.side) / SPREAD))
        active = fight.data.get("active")
        if active is None or fight.acts_for(active) != self.side:
            option = self.habit.choose_command(world)
            return self.after(world, option) if option else 0.0
        best = 0.0
        for option in self.options(fight, active, NARROW):
            best = max(best, self.after(world, option, best))
            if best > CERTAIN:
                break
        return best

    def options(self, fight: Fight, who: str, most: int) -> Iterator[Option]:
        """Yield what may be worth doing in a position, so many acts of each kind, the likeliest first."""
        turn = QuickTurn(fight, who)

        def few(options: Iterator[Option], most: int) -> Iterator[Option]:
            legal = (one for one in options if why_not(turn.world, one.command, one.args) is None)
            return islice(legal, most)

        if "at" in turn.one:
            if is_way_out(fight.data, who) and not turn.told:
                yield leaving(who)
            yield from few(_ways(turn), 2 * most)
            yield from few(doors_to_aim(turn), 1)
            for word in ("escape", "stand", "rally", "help", "area"):
                yield from few(HABITS[word](turn, Habit(word, "anyhow" if word == "rally" else "")), most)
            if turn.may("attack"):
                yield from few(turn.attacks(turn.tools.attacks, ""), most)
                yield from few(HABITS["charge"](turn, Habit("charge")), 1)
        yield END_TURN


SPREAD = 8.0
"""HP of standing by which a fight that nothing has decided is likely to be won, some three times in four."""


def _ways(turn: QuickTurn) -> Iterator[Option]:
    """Yield moves to squares that differ in the enemies beside and within reach, and in Opportunities.

    Of alike ones it is that nearest to the goal, or furthest from the enemies where the goal is no place.
    """
    if not turn.may("move"):
        return
    fight, who, size = turn.fight, turn.who, turn.size
    aims = aims_at(fight.data, who)
    foes = [(fight.at(foe), fight.size(foe)) for _, foe, _ in turn.foes]

    def far(square: Square) -> int:
        if aims:
            return steps_to(fight.data, aims, turn.one, square)
        return -min((gap(square, size, at, large) for at, large in foes), default=0)

    best: dict[tuple[bool, ...], tuple[int, int, Option]] = {}

    def offer(square: Square, option: Option, struck: bool) -> None:
        apart = [gap(square, size, at, large) for at, large in foes]
        key = struck, *(each == 1 for each in apart), *(each <= turn.tools.far for each in apart)
        offered = far(square), len(best), option
        best[key] = min(best.get(key, offered), offered, key=lambda one: one[:2])

    for square in turn.fight.grid.neighbours(turn.at, size) if turn.beside else ():
        if turn.is_free(square) and (option := turn.first(iter([shift(turn, square)]))):
            offer(square, option, False)
    for square in destinations(fight, who):
        offer(square, turn.move(square), bool(strikers_on_the_way(fight, who, square)))
    yield from (option for *_, option in sorted(best.values(), key=lambda one: one[:2]))
