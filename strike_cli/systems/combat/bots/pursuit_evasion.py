"""Evasion: for how many turns a creature can avoid every attack, whatever its enemies do.

It is computed as a game on the map. A runner moves twice a turn. A chaser moves, then attacks. The game is
solved backwards for all pairs of squares. Of several enemies only one is the chaser; the others count as
being on all squares that they can reach at once. A set of squares is an integer with a bit for each square.
Begin with `Evasion`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, reduce
from operator import and_, or_
from typing import NamedTuple

from strike_cli.tabletop.grid import DIRECTIONS, Grid, Square
from strike_cli.tabletop.walking_distances import grid_with_doors_open

from ..fight_state import PARTY, Fight, square_and_size_on_map
from .quick_bot import QuickTurn

MOST_ENEMY_TURNS = 6
"""The most turns of a chaser that are looked at."""
MOST_SQUARES = 800
"""The most squares of a map on which it is computed."""

Table = Mapping[Square, int]
"""A set of the runner's squares for each square of the chaser."""


class Mover(NamedTuple):
    """A creature that moves on a map (`grid`).

    `size` is the length of its side, and `walk` is how far it can walk in a turn, both in squares.
    """

    grid: Grid
    size: int
    walk: int


class Chaser(NamedTuple):
    """An enemy that chases, and how far it can walk and attack in its turn.

    After a full walk, it can attack creatures within `near` squares. After a walk of only `step` squares, it
    can attack creatures within `far` squares.
    """

    mover: Mover
    near: int
    step: int
    far: int


class Evasion:
    """A search for squares where a party's creature can avoid all attacks for several enemy turns.

    The search is made in the creature's own turn. `turns` is the number of enemy turns ahead that are
    searched. It reaches to the end of the fight's last round, up to a limit. It is 0 if the creature gains
    nothing by running away, or if the map is too large.

    The creature gains something only if the party wins by lasting a number of rounds. If the objective names
    creatures to protect, only these creatures gain something.
    """

    def __init__(self, turn: QuickTurn) -> None:
        fight, foes = (
            turn.fight,
            [(foe, square_and_size_on_map(one)[0]) for _, foe, one in turn.known_foes_nearest_first],
        )
        grid, self.turns = fight.grid, 0
        self.runner = Mover(grid, turn.size, fight.speed(turn.who)[0])
        self.safe: dict[tuple[int, int], int] = {}
        if foes and grid.width * grid.height <= MOST_SQUARES and _does_own_survival_win_for_party(turn):
            self.turns = min(_rounds_left_with_enemy_turns(fight, [foe for foe, _ in foes]), MOST_ENEMY_TURNS)
            self.foes = [(at, _make_chaser(fight, foe)) for foe, at in foes]

    def turns_safe(self, square: Square, moves: int) -> int:
        """Return for how many enemy turns in a row the creature can avoid all attacks.

        The creature is on `square`, and has `moves` Move Actions left in its turn. Only the next `self.turns`
        turns are examined, so the result is never higher than that.
        """
        bit = _bit_number(self.runner.grid, square)
        turns = (
            turns
            for turns in range(self.turns)
            if not self._square_bits_safe_for(moves, turns + 1) >> bit & 1
        )
        return next(turns, self.turns)

    def _square_bits_safe_for(self, moves: int, turns: int) -> int:
        """Return, as the bits of a number, the squares from which all attacks can be avoided.

        This is for the next `turns` enemy turns. The creature has `moves` Move Actions left in its turn.
        """
        known = self.safe.get((moves, turns))
        if known is None:
            (at, chaser), *others = self.foes
            size = self.runner.size
            barred = tuple(
                reduce(or_, (_square_bits_attacked_later(size, *other, turn) for other in others), 0)
                for turn in range(turns)
            )
            goals = _squares_safe_in_all_barred_turns(self.runner, chaser, barred).get(at, 0)
            near = _square_bits_within_reach(self.runner.grid, size, at, chaser.mover.size, chaser.near)
            known = self.safe[moves, turns] = _square_bits_reaching(self.runner, goals, moves, near)
        return known


def _does_own_survival_win_for_party(turn: QuickTurn) -> bool:
    objective = turn.fight.data.get("objective", {})
    if (
        turn.side_acted_for != PARTY
        or turn.acts_for_another_side
        or "at" not in turn.combatant
        or turn.combatant["hp"] <= 0
    ):
        return False
    if "rounds" not in objective or "reach" in objective or "hold" in objective:
        return False
    return turn.who in objective.get("protect", (turn.who,))


def _rounds_left_with_enemy_turns(fight: Fight, foes: list[str]) -> int:
    """Return how many turns an enemy has until the last round is over.

    An enemy counts as having one turn in each round. The present round counts if at least one of `foes`
    hasn't acted in it.
    """
    now, people = fight.data["round"], fight.data["combatants"]
    later = any(people[foe].get("acted") != now for foe in foes)
    return fight.data["objective"].get("rounds", now) - now + later


def _make_chaser(fight: Fight, foe: str) -> Chaser:
    turn = QuickTurn(fight, foe)
    speed, turns = fight.speed(foe)[0], fight.turns_a_round(foe)
    far = max((tool.range for tool in (*turn.repertoire.attacks, *turn.repertoire.areas)), default=1)
    near = max(turn.repertoire.reach_of_best_melee_attack, fight.reach(foe))
    mover = Mover(grid_with_doors_open(fight.data["map"]), turn.size, 2 * turns * speed)
    return Chaser(mover, near, mover.walk - speed, far)


def _bit_number(grid: Grid, square: Square) -> int:
    return square[1] * grid.width + square[0]


def _square_bits_within_reach(grid: Grid, size: int, other_at: Square, other_size: int, reach: int) -> int:
    """Return the squares on which a creature is within `reach` squares of another creature.

    The squares are the bits of the returned number. The first creature is `size` squares wide and high. The
    other creature is at `other_at`, and is `other_size` squares wide and high.
    """
    left, right = max(0, other_at[0] - reach - size + 1), min(grid.width, other_at[0] + other_size + reach)
    top, bottom = max(0, other_at[1] - reach - size + 1), min(grid.height, other_at[1] + other_size + reach)
    row = (1 << right) - (1 << left)
    return sum(row << line * grid.width for line in range(top, bottom))


class Ground(NamedTuple):
    """The map for creatures of one size.

    Attributes:
        squares: The squares on which such a creature fits.
        hard: The squares that cost 2, as bits of a number.
        steps: A pair for each direction: how far a step shifts the bit of a square, and the squares from
            which the step is possible, as bits.
    """

    squares: tuple[Square, ...]
    hard: int
    steps: tuple[tuple[int, int], ...]


def _square_bits_reaching(runner: Mover, goals: int, moves: int, reached_squares: int) -> int:
    """Return the squares from which the runner can reach one of the goals with `moves` Move Actions.

    Sets of squares are numbers with a bit for each square. `reached_squares` are the squares within the
    chaser's reach. On these squares, the runner must not begin a step. But as its first Move Action, it may
    leave them with a Shift, which is a single step.
    """
    ground, speed = _make_ground(runner.grid, runner.size), runner.walk
    found = _square_bits_walking_to(ground, goals, speed * moves, reached_squares)
    if moves and speed:
        found |= (
            _square_bits_one_step_before(
                ground,
                _square_bits_walking_to(ground, goals, speed * (moves - 1), reached_squares) & ~ground.hard,
            )
            & reached_squares
        )
    return found


def _square_bits_one_step_before(ground: Ground, goals: int) -> int:
    """Return the squares from which a single step leads to one of the goals.

    Sets of squares are whole numbers here, with one bit for each square. `goals` and the result have this
    form.
    """
    found = 0
    for bits, at in ground.steps:
        found |= (goals >> bits if bits > 0 else goals << -bits) & at
    return found


def _square_bits_walking_to(ground: Ground, goals: int, walk: int, reached_squares: int) -> int:
    """Return the squares from which a walk of at most `walk` squares leads to one of the goals.

    `goals`, `reached_squares` and the result are sets of squares, as bits of numbers. No step of the walk may
    begin on a square in `reached_squares`.
    """
    earlier, found = 0, goals
    for _ in range(walk):
        step = _square_bits_one_step_before(ground, found & ~ground.hard) | _square_bits_one_step_before(
            ground, earlier & ground.hard
        )
        earlier, found = found, found | (step & ~reached_squares)
    return found


@lru_cache(maxsize=16)
def _make_ground(grid: Grid, size: int) -> Ground:
    squares = tuple((x, y) for y in range(grid.height) for x in range(grid.width) if grid.fits((x, y), size))
    hard, steps = 0, dict.fromkeys(DIRECTIONS, 0)
    for x, y in squares:
        for (right, down), cost in grid.steps_from((x, y), size):
            steps[right - x, down - y] |= 1 << _bit_number(grid, (x, y))
            hard |= (cost > 1) << _bit_number(grid, (right, down))
    return Ground(
        squares, hard, tuple((right + down * grid.width, at) for (right, down), at in steps.items())
    )


@lru_cache(maxsize=256)
def _square_bits_attacked_later(size: int, at: Square, chaser: Chaser, turn: int) -> int:
    """Return, as bits, the squares on which an enemy may attack a creature in a later turn.

    `size` is the creature's size. `at` is the square on which the enemy is now. `turn` is the number of whole
    turns in which the enemy may walk before the turn of the attack.
    """
    grid, large, walk = chaser.mover
    attacked, away = _squares_attacked_from(size, chaser), grid.distances_from(at, large)
    return reduce(or_, (attacked[square] for square, far in away.items() if far <= turn * walk), 0)


@lru_cache(maxsize=64)
def _squares_attacked_from(size: int, chaser: Chaser) -> Table:
    """Return where a chaser can attack a creature in one turn.

    The result has an entry for each square on which the chaser may begin the turn. The entry has the squares
    on which the chaser can attack the creature. The creature is `size` squares wide and high.
    """
    grid, large, walk = chaser.mover
    squares = _make_ground(grid, large).squares

    def within(reach: int, walk: int) -> Table:
        around = {square: _square_bits_within_reach(grid, size, square, large, reach) for square in squares}
        return _join_within_walk(chaser.mover, around, walk, or_)

    near, far = within(chaser.near, walk), within(chaser.far, chaser.step)
    return {square: near[square] | far[square] for square in squares}


def _join_within_walk(mover: Mover, table: Table, walk: int, join: Callable[[int, int], int]) -> Table:
    """Return, for each square, a single set: the joined sets of all squares within a walk of it.

    Args:
        mover: The creature that walks.
        table: The set that belongs to each square.
        walk: The greatest length of the walk, in squares.
        join: A function that joins two sets, for example to their union.
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
def _squares_safe_in_all_barred_turns(
    runner: Mover, chaser: Chaser, barred_by_turn: tuple[int, ...]
) -> Table:
    """Return where the runner is safe from all enemies in the next `len(barred)` enemy turns.

    The result has an entry for each square on which the chaser may stand now. The entry is the set of squares
    on which the runner is safe if it stands there when the first of these turns begins. Between the enemy
    turns, the runner moves on as well as possible.

    `barred[n]` is the set of squares that the other enemies may attack in turn `n`, counted from 0. A set is
    a number with a bit for each square.
    """
    attacked, (grid, large, walk) = _squares_attacked_from(runner.size, chaser), chaser.mover
    if not barred_by_turn:
        return dict.fromkeys(attacked, (1 << grid.width * grid.height) - 1)
    later = _squares_safe_in_all_barred_turns(runner, chaser, barred_by_turn[1:])

    def escapes(square: Square) -> int:
        near = _square_bits_within_reach(grid, runner.size, square, large, chaser.near)
        return _square_bits_reaching(runner, later[square], 2, near)

    left = _join_within_walk(chaser.mover, {square: escapes(square) for square in attacked}, walk, and_)
    return {square: left[square] & ~attacked[square] & ~barred_by_turn[0] for square in attacked}
