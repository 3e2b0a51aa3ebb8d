"""Evasion: how long a creature can keep out of reach of every attack, whatever its enemies do.

It is computed as a game on the map: a runner, which moves twice a turn, and a chaser, which moves and then
attacks, take turns. The game is solved backwards for all pairs of squares. Of several enemies only one is the
chaser; the others count as being on all squares that they can reach at once. A set of squares is an integer
with a bit for each square. Begin with `Evasion`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, reduce
from operator import and_, or_
from typing import NamedTuple

from strike_cli.tabletop.grid import DIRECTIONS, Grid, Square
from strike_cli.tabletop.walking_paths import opened_grid

from ..fight_state import PARTY, Fight, place_on_map
from .quick_bot import QuickTurn

MOST_TURNS = 6
"""The most turns of a chaser that are looked at."""
MOST_SQUARES = 800
"""The most squares of a map on which it is computed."""

Table = Mapping[Square, int]
"""A set of the runner's squares for each square of the chaser."""


class Mover(NamedTuple):
    """How a creature moves: the map, the creature's side length, and how far it may walk in a turn.

    Lengths are in squares.
    """

    grid: Grid
    size: int
    walk: int


class Chaser(NamedTuple):
    """What a creature can attack in its turn.

    With a whole walk it can attack what is then within `near` of it. With ranged attacks it can attack what
    is within `far` after a walk of `step` squares.
    """

    mover: Mover
    near: int
    step: int
    far: int


class Evasion:
    """The number of turns for which a creature of the party can avoid all attacks.

    It is computed during the creature's own turn.

    `turns` is how many turns its enemies have until the objective decides the fight. It is 0 if running gains
    nothing. Running gains something only if the party wins by lasting a number of rounds. If a creature is to
    be protected, only that one gains by running.
    """

    def __init__(self, turn: QuickTurn) -> None:
        fight, foes = turn.fight, [(foe, place_on_map(one)[0]) for _, foe, one in turn.foes]
        grid, self.turns = fight.grid, 0
        self.runner = Mover(grid, turn.size, fight.speed(turn.who)[0])
        self.safe: dict[tuple[int, int], int] = {}
        if foes and grid.width * grid.height <= MOST_SQUARES and _gains_by_running(turn):
            self.turns = min(_turns_left(fight, [foe for foe, _ in foes]), MOST_TURNS)
            self.foes = [(at, _chaser(fight, foe)) for foe, at in foes]

    def turns_safe(self, square: Square, moves: int) -> int:
        """Return for how many enemy turns in a row the creature can avoid all attacks, at most `turns`.

        It is on `square`, and has `moves` Move Actions left in its turn.
        """
        bit = _bit(self.runner.grid, square)
        turns = (turns for turns in range(self.turns) if not self._safe(moves, turns + 1) >> bit & 1)
        return next(turns, self.turns)

    def _safe(self, moves: int, turns: int) -> int:
        """Return the squares from which all attacks can be avoided in the next `turns` enemy turns.

        The creature has `moves` Move Actions left in its turn.
        """
        known = self.safe.get((moves, turns))
        if known is None:
            (at, chaser), *others = self.foes
            size = self.runner.size
            barred = tuple(
                reduce(or_, (_barred(size, *other, turn) for other in others), 0) for turn in range(turns)
            )
            goals = _safe_squares(self.runner, chaser, barred).get(at, 0)
            near = _around(self.runner.grid, size, at, chaser.mover.size, chaser.near)
            known = self.safe[moves, turns] = _can_reach(self.runner, goals, moves, near)
        return known


def _gains_by_running(turn: QuickTurn) -> bool:
    objective = turn.fight.data.get("objective", {})
    if turn.side != PARTY or turn.is_commanded or "at" not in turn.one or turn.one["hp"] <= 0:
        return False
    if "rounds" not in objective or "reach" in objective or "hold" in objective:
        return False
    return turn.who in objective.get("protect", (turn.who,))


def _turns_left(fight: Fight, foes: list[str]) -> int:
    """Return how many turns the enemies have until the last round is over.

    Each enemy counts as having one turn a round.
    """
    now, people = fight.data["round"], fight.data["combatants"]
    later = any(people[foe].get("acted") != now for foe in foes)
    return fight.data["objective"].get("rounds", now) - now + later


def _chaser(fight: Fight, foe: str) -> Chaser:
    turn = QuickTurn(fight, foe)
    speed, turns = fight.speed(foe)[0], fight.turns_a_round(foe)
    far = max((tool.far for tool in (*turn.tools.attacks, *turn.tools.areas)), default=1)
    near = max(turn.tools.near, fight.reach(foe))
    mover = Mover(opened_grid(fight.data["map"]), turn.size, 2 * turns * speed)
    return Chaser(mover, near, mover.walk - speed, far)


def _bit(grid: Grid, square: Square) -> int:
    return square[1] * grid.width + square[0]


def _around(grid: Grid, size: int, at: Square, large: int, reach: int) -> int:
    """Return the squares on which a creature is within `reach` of another creature.

    The first is `size` squares wide and high. The other is at `at`, and `large` squares wide and high.
    """
    left, right = max(0, at[0] - reach - size + 1), min(grid.width, at[0] + large + reach)
    top, bottom = max(0, at[1] - reach - size + 1), min(grid.height, at[1] + large + reach)
    row = (1 << right) - (1 << left)
    return sum(row << line * grid.width for line in range(top, bottom))


class Ground(NamedTuple):
    """The map for creatures of one size: the squares where they fit, those that cost 2, and the steps.

    For each direction, `steps` has how far a step shifts the bits of a set of squares, and the squares from
    which it can be taken.
    """

    squares: tuple[Square, ...]
    hard: int
    steps: tuple[tuple[int, int], ...]


@lru_cache(maxsize=16)
def _ground(grid: Grid, size: int) -> Ground:
    squares = tuple((x, y) for y in range(grid.height) for x in range(grid.width) if grid.fits((x, y), size))
    hard, steps = 0, dict.fromkeys(DIRECTIONS, 0)
    for x, y in squares:
        for (right, down), cost in grid.steps_from((x, y), size):
            steps[right - x, down - y] |= 1 << _bit(grid, (x, y))
            hard |= (cost > 1) << _bit(grid, (right, down))
    return Ground(
        squares, hard, tuple((right + down * grid.width, at) for (right, down), at in steps.items())
    )


def _before(ground: Ground, goals: int) -> int:
    """Return the squares from which a single step leads to one of the goals."""
    found = 0
    for bits, at in ground.steps:
        found |= (goals >> bits if bits > 0 else goals << -bits) & at
    return found


def _can_walk(ground: Ground, goals: int, walk: int, near: int) -> int:
    """Return the squares from which a walk of at most `walk` squares leads to one of the goals.

    No step of the walk begins on a square of `near`.
    """
    earlier, found = 0, goals
    for _ in range(walk):
        step = _before(ground, found & ~ground.hard) | _before(ground, earlier & ground.hard)
        earlier, found = found, found | (step & ~near)
    return found


def _can_reach(runner: Mover, goals: int, moves: int, near: int) -> int:
    """Return the squares from which the runner reaches one of the goals with `moves` Move Actions.

    No step may begin on a square of `near`, which is within the chaser's reach. The only exception is the
    first move: it may be a Shift by one square.
    """
    ground, speed = _ground(runner.grid, runner.size), runner.walk
    found = _can_walk(ground, goals, speed * moves, near)
    if moves and speed:
        found |= _before(ground, _can_walk(ground, goals, speed * (moves - 1), near) & ~ground.hard) & near
    return found


def _spread(mover: Mover, table: Table, walk: int, join: Callable[[int, int], int]) -> Table:
    """Return for each square one set: that of all squares within a walk of it, joined.

    `table` has the set of each square, `walk` is the length of the walk, and `join` joins two sets.
    """
    earlier: Table = {}
    for _ in range(walk):
        found = {}
        for square, joined in table.items():
            for step, cost in mover.grid.steps_from(square, mover.size):
                if cost == 1:
                    joined = join(joined, table[step])
                elif earlier:
                    joined = join(joined, earlier[step])
            found[square] = joined
        earlier, table = table, found
    return table


@lru_cache(maxsize=64)
def _attacked(size: int, chaser: Chaser) -> Table:
    """Return, for each square where the chaser may be, the squares that it may attack in its turn.

    They are the squares on which a creature of `size` may be attacked.
    """
    grid, large, walk = chaser.mover
    squares = _ground(grid, large).squares

    def within(reach: int, walk: int) -> Table:
        around = {square: _around(grid, size, square, large, reach) for square in squares}
        return _spread(chaser.mover, around, walk, or_)

    near, far = within(chaser.near, walk), within(chaser.far, chaser.step)
    return {square: near[square] | far[square] for square in squares}


@lru_cache(maxsize=256)
def _barred(size: int, at: Square, chaser: Chaser, turn: int) -> int:
    """Return the squares on which a creature of `size` may be attacked in a later turn of an enemy.

    The enemy is at `at` now. It has `turn` turns before the later one, in which it may walk anywhere.
    """
    grid, large, walk = chaser.mover
    attacked, away = _attacked(size, chaser), grid.distances(at, large)
    return reduce(or_, (attacked[square] for square, far in away.items() if far <= turn * walk), 0)


@lru_cache(maxsize=64)
def _safe_squares(runner: Mover, chaser: Chaser, barred: tuple[int, ...]) -> Table:
    """Return the squares to which the runner may move and be safe for as many turns as `barred` has.

    They are given for each square of the chaser. `barred` has, for each of these turns, the squares that
    other enemies may attack.
    """
    attacked, (grid, large, walk) = _attacked(runner.size, chaser), chaser.mover
    if not barred:
        return dict.fromkeys(attacked, (1 << grid.width * grid.height) - 1)
    later = _safe_squares(runner, chaser, barred[1:])

    def escapes(square: Square) -> int:
        near = _around(grid, runner.size, square, large, chaser.near)
        return _can_reach(runner, later[square], 2, near)

    left = _spread(chaser.mover, {square: escapes(square) for square in attacked}, walk, and_)
    return {square: left[square] & ~attacked[square] & ~barred[0] for square in attacked}
