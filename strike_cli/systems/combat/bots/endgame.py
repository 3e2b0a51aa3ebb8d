"""The end of a fight for a goal, solved by search.

The search finds the chance that the party reaches its objective in the rounds that are left, over every
result of the dice, by the procedures that play the turns.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice
from math import exp
from typing import NamedTuple

from strike_cli.kernel.exhaustive import TooManyWays, play_all_outcomes
from strike_cli.kernel.facts import State
from strike_cli.kernel.procedure import Data, Procedure, World
from strike_cli.play.legal_options import Option, why_not
from strike_cli.play.moves import find_move
from strike_cli.problems import Refused
from strike_cli.tabletop.grid import Square, gap, parse_square

from ..board.move import MoveAction, destinations, strikers_on_the_way
from ..encounter.objective import is_way_out, objective_targets, steps_to
from ..fight import PARTY, Fight, place_of
from .bot import side_value
from .creature_tactics import Habit
from .evasion import Evasion
from .forecast import USUAL
from .legal_options import END_TURN, leave_option
from .objective_moves import doors_to_aim, shift_option
from .quick_bot import HABITS, Quick, QuickTurn

PLAYS = 1_000
"""The most plays of commands for all decisions of a side in one fight; then the search stops."""
FOR_ONE = (40, 200, PLAYS)
"""The most plays for one option, in each pass over all options, so that cheap results come first."""
MOST_WAYS = 216
"""The most results of the dice of one command; a command with more is not searched."""
MOST_PEOPLE = 5
"""The most creatures that may still be in a fight whose end is searched."""
ROUNDS = 1
"""How many rounds after the present one are searched."""
SURE = 0.02
"""How much an option must raise the chance to win in order to replace the usual one."""
BROAD, NARROW = 3, 1
"""How many options of each kind are searched in the present position (BROAD), and in later ones (NARROW)."""
CERTAIN = 1 - 1e-9


class Endgame:
    """The chance to win of positions near the end of a fight, so far as it has been computed."""

    def __init__(self) -> None:
        self.habitual: dict[bytes, Bound] = {}
        self.searched: dict[bytes, Bound] = {}
        self.certain: dict[bytes, Bound] = {}
        self.left = dict[str, int]()

    def better(self, world: World, usual: Option) -> Option:
        """Return the option with the best chance that the acting side reaches its goal, or `usual`.

        If the goal is no place on the map, it first looks for an option that wins whatever the others do.
        Otherwise the others play by habit; the acting side plays by habit, too, and then its best as far as
        the plays last. `usual` is returned if no option is clearly better, or if the end of the fight isn't
        near.
        """
        fight = Fight(world)
        active = fight.data.get("active")
        if active is None or "at" not in fight.combatant(active) or not _is_small(fight):
            return usual
        if option := _evade(QuickTurn(fight, active), usual):
            return option
        if not _is_near(fight):
            return usual
        if self.left.get(fight.acts_for(active), PLAYS) <= 0:
            return usual
        options = [usual, *likely_options(fight, active, BROAD)]
        chances = self._chances(fight, active, options)
        best, known = max(chances), chances[0] if chances[0] >= 0 else CERTAIN - SURE
        return options[chances.index(best)] if best > known + SURE else usual

    def _chances(self, fight: Fight, active: str, options: Sequence[Option]) -> Sequence[float]:
        """Return the chance to win after each option, -1 for one that isn't known."""
        chances = [-1.0] * len(options)
        side, last = fight.acts_for(active), _last_round(fight)
        habit = Search(self.habitual, quick_options, side, last)
        search = Search(self.searched, likely_options, side, last)

        def look(search: Search, number: int, most: int, least: float) -> None:
            search.left = given = min(most, self.left.get(side, PLAYS))
            with suppress(TooManyWays):
                found = search.after(fight.world, options[number], least)
                if found.chance > max(least, chances[number]):
                    chances[number] = found.chance
            self.left[side] = self.left.get(side, PLAYS) - given + max(search.left, 0)

        if not objective_targets(fight.data, active):
            sure = Search(self.certain, likely_options, side, last, _any_reply)
            for number in range(len(options)):
                if self.left.get(side, PLAYS) > PLAYS // 2 and max(chances) <= CERTAIN:
                    look(sure, number, FOR_ONE[1], CERTAIN)
        for going_on, most in ((habit, FOR_ONE[1]), *((search, most) for most in FOR_ONE)):
            for number in sorted(range(len(options)), key=lambda one: -chances[one]):
                if max(chances) <= CERTAIN:
                    look(going_on, number, most, max(chances))
        look(search, 0, FOR_ONE[1], max(chances) - SURE)
        return chances


def _evade(turn: QuickTurn, usual: Option) -> Option | None:
    """Return an option after which nobody can attack the creature until it has won, None if there is none.

    It is `usual` if that is one.
    """
    evasion = Evasion(turn)
    moves = (not turn.turn.get("move")) + (not turn.turn.get("attack"))
    if not evasion.turns or evasion.turns_safe(turn.at, moves) < evasion.turns:
        return None

    def is_safe(option: Option) -> bool:
        """Return whether the creature can still evade all attacks after an option."""
        if isinstance(option.args, MoveAction):
            to = parse_square(option.args.to)
            if not option.args.shift and strikers_on_the_way(turn.fight, turn.who, to):
                return False
            return evasion.turns_safe(to, moves - 1) == evasion.turns
        if option.command == "combat charge":
            return False
        takes_attack = option.command == "combat attack" and not turn.turn.get("attack")
        left = 0 if option == END_TURN else moves - takes_attack
        return evasion.turns_safe(turn.at, left) == evasion.turns

    return next(filter(is_safe, chain([usual], _distinct_moves(turn))), None)


def _is_small(fight: Fight) -> bool:
    """Return whether the fight has an objective, and few creatures are left in it."""
    return "objective" in fight.data and sum(1 for _ in fight.in_the_fight()) <= MOST_PEOPLE


def _is_near(fight: Fight) -> bool:
    """Return whether the objective is decided within ROUNDS."""
    objective = fight.data["objective"]
    return objective.get("rounds", fight.data["round"]) - fight.data["round"] <= ROUNDS


def _last_round(fight: Fight) -> int:
    """Return the last round that is searched: that of the decision if there is one."""
    objective = fight.data["objective"]
    decides = "hold" not in objective and objective.get("rounds", 0)
    return max(decides, fight.data["round"]) if decides else fight.data["round"] + ROUNDS


def quick_options(fight: Fight, combatant: str) -> Iterator[Option]:
    """Yield the option that `quick` would choose."""
    if option := HABIT.choose_command(fight.world):
        yield option


HABIT = Quick()


def _any_reply(fight: Fight, combatant: str) -> Iterator[Option]:
    yield from quick_options(fight, combatant)
    yield from likely_options(fight, combatant)


Options = Callable[[Fight, str], Iterator[Option]]


class Bound(NamedTuple):
    """A chance to win; if it isn't exact, it is an upper bound."""

    chance: float
    exact: bool


class Search:
    """A search for the chance of `side` to win by the end of round `last`.

    `options` are the options of this side and `theirs` those of the other. Results are stored in `known`. It
    raises TooManyWays after more plays than `left`.
    """

    def __init__(
        self, known: dict[bytes, Bound], options: Options, side: str, last: int, theirs: Options | None = None
    ) -> None:
        self.known = known
        self.options = options
        self.theirs = theirs or quick_options
        self.side = side
        self.last = last
        self.left = 0

    def after(self, world: World, option: Option, least: float = -1.0) -> Bound:
        """Return the chance to win after an option, below 0 if the option turns out to be illegal.

        Once it can't exceed `least`, an upper bound is returned.
        """
        latest = world

        def start() -> tuple[Procedure[Data], World]:
            nonlocal latest
            self.left -= 1
            if self.left < 0:
                raise TooManyWays
            latest = World(world.book, world.state)
            return find_move(option.command).start(latest, option.args), latest

        total, open_to = 0.0, 1.0
        try:
            for _, own, out_of in play_all_outcomes(start, USUAL, MOST_WAYS):
                share = own / out_of
                open_to -= share
                total += share * self.chance(latest, (least - total - open_to) / share).chance
                if total + open_to <= least:
                    return Bound(total + open_to, False)
        except Refused:
            return Bound(-1.0, True)
        return Bound(total, True)

    def chance(self, world: World, least: float = -1.0) -> Bound:
        """Return the chance to win from a position; it is exact if it is more than `least`."""
        key = marshal.dumps((self.side, self.last, self.position(world.state)), 2)
        known = self.known.get(key)
        if known is None or not (known.exact or known.chance <= least):
            known = self.known[key] = self._chance(World(world.book, world.state), least)
        return known

    def position(self, state: State) -> State:
        """Return the parts of a state that make a position different from another."""
        return state

    def beyond(self, world: World) -> float:
        """Return the estimated chance to win if the fight is undecided after the last round."""
        return 1 / (1 + exp(-side_value(world.book, world.state, self.side) / SPREAD))

    def _chance(self, world: World, least: float) -> Bound:
        fight = Fight(world)
        if decided := fight.decided():
            return Bound(float((decided == "won") == (self.side == PARTY)), True)
        if fight.data["round"] > self.last:
            return Bound(self.beyond(world), True)
        active = fight.data.get("active")
        if active is None or fight.acts_for(active) != self.side:
            return self._worst(world, (self.theirs if active else quick_options)(fight, active or ""), least)
        best = Bound(0.0, True)
        for option in self.options(fight, active):
            best = max(best, self.after(world, option, max(least, best.chance)))
            if best.chance > CERTAIN:
                break
        return best if best.chance > least else best._replace(exact=False)

    def _worst(self, world: World, options: Iterator[Option], least: float) -> Bound:
        worst = Bound(1.0, True)
        for option in options:
            found = self.after(world, option, least)
            if found.chance >= 0:
                worst = min(worst, found)
            if worst.chance <= least:
                return worst._replace(exact=False)
        return worst


SPREAD = 8.0
"""The lead, in HP, with which an undecided fight counts as won about three times in four."""


def likely_options(fight: Fight, combatant: str, most: int = NARROW) -> Iterator[Option]:
    """Yield the likeliest options in a position, the best first, at most `most` of each kind.

    There are twice as many moves.
    """
    turn = QuickTurn(fight, combatant)

    def few(options: Iterator[Option], most: int) -> Iterator[Option]:
        legal = (one for one in options if why_not(turn.world, one.command, one.args) is None)
        return islice(legal, most)

    if "at" in turn.one:
        if is_way_out(fight.data, combatant) and not turn.is_commanded:
            yield leave_option(combatant)
        yield from few(_distinct_moves(turn), 2 * most)
        yield from few(doors_to_aim(turn), 1)
        for word in ("escape", "stand", "rally", "help", "area"):
            yield from few(HABITS[word](turn, Habit(word, "anyhow" if word == "rally" else "")), most)
        if turn.may("attack"):
            yield from few(turn.attacks(turn.tools.attacks, ""), most)
            yield from few(HABITS["charge"](turn, Habit("charge")), 1)
    yield END_TURN


def _distinct_moves(turn: QuickTurn) -> Iterator[Option]:
    """Yield moves to squares that differ in adjacent enemies, in enemies in range, or in Opportunities.

    Of equivalent squares it takes the one nearest to the goal. If the goal is no place on the map, the party
    prefers squares that are safe for most turns, then those far from its enemies, and these prefer squares
    near it.
    """
    if not turn.may("move"):
        return
    fight, combatant, size = turn.fight, turn.who, turn.size
    aims = objective_targets(fight.data, combatant)
    foes = [place_of(foe) for *_, foe in turn.foes]

    evasion, moves = Evasion(turn), not turn.turn.get("move") and not turn.turn.get("attack")

    def far(square: Square) -> tuple[int, int]:
        if aims:
            return 0, steps_to(fight.data, aims, turn.one, square)
        apart = min((gap(square, size, at, large) for at, large in foes), default=0)
        return -evasion.turns_safe(square, moves), -apart if turn.side == PARTY else apart

    best: dict[tuple[bool, ...], tuple[tuple[int, int], int, Option]] = {}

    def offer(square: Square, option: Option, struck: bool) -> None:
        apart = [gap(square, size, at, large) for at, large in foes]
        key = struck, *(each == 1 for each in apart), *(each <= turn.tools.far for each in apart)
        offered = far(square), len(best), option
        best[key] = min(best.get(key, offered), offered, key=lambda one: one[:2])

    for square in turn.fight.grid.neighbours(turn.at, size) if turn.beside else ():
        if turn.is_free(square) and (option := turn.first(iter([shift_option(turn, square)]))):
            offer(square, option, False)
    for square in destinations(fight, combatant):
        offer(square, turn.move(square), bool(strikers_on_the_way(fight, combatant, square)))
    yield from (option for *_, option in sorted(best.values(), key=lambda one: one[:2]))
