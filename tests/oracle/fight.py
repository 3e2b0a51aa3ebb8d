"""One attack in Tactical Combat, as the rules put it. Nothing here knows the program.

A `Board` has the ground and who stands where. Squares are (column, row), from 0. What the rules leave to a
judgement of the eye, such as a line that squeezes between two corners, raises UnclearError: it is no test.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from .core import MAJOR, NOTHING, Rolled, Weight, clamp, roll
from .dice import Decisions, Dice

Square = tuple[int, int]
Point = tuple[int, int]  # four to a square

# STR-TAC-25: statuses that come with others.
IMPLIES = {
    "incapacitated": ("prone", "stunned"),
    "prone": ("slowed",),
    "grabbed": ("immobilized",),
    "restrained": ("immobilized",),
}
# STR-TAC-25: "No O/M".
NO_OPPORTUNITY_NO_MISS = {
    "blinded", "dazed", "distracted", "dominated", "grabbed", "prone", "restrained", "stunned",
}  # fmt: skip
INCAPACITATED_AT = 0
TAKEN_OUT_AT = -5


class UnclearError(Exception):
    """The rules don't say, or leave it to the eye."""


class RefusedError(Exception):
    """The rules forbid the attack."""


@dataclass(frozen=True)
class House:
    """The house rules of section E that bear on an attack."""

    less_than_half: bool = False  # Bloodied
    any_missed: bool = False  # a Miss Token where any target was missed
    crit_doubles_bonus: bool = False
    cover_in_melee: bool = True
    hp_strikes: bool = False


DEFAULT = House()


@dataclass
class Fighter:
    """Somebody in a fight. `statuses` are those that were given, without what they imply."""

    id: str
    side: str
    at: Square
    player: bool = False
    size: int = 1
    hp: int = 10
    max_hp: int = 10
    statuses: set[str] = field(default_factory=set)
    marked_by: str = ""
    conditions: tuple[str, ...] = ()
    hidden: bool = False
    tokens: int = 0
    strikes: int = 0
    reach: int = 1
    melee: int = 2  # damage of the Melee Basic Attack
    opportunity: int = 2
    speed: int = 6
    out: bool = False
    house: House = DEFAULT
    was_bloodied: bool = False

    @property
    def squares(self) -> list[Square]:
        column, row = self.at
        return [(column + right, row + down) for right in range(self.size) for down in range(self.size)]

    @property
    def all_statuses(self) -> set[str]:
        """STR-TAC-15, 25: with those that come along. Incapacitated at 0 HP."""
        found = set(self.statuses)
        if self.hp <= INCAPACITATED_AT:
            found.add("incapacitated")
        waiting = list(found)
        while waiting:
            for more in IMPLIES.get(waiting.pop(), ()):
                if more not in found:
                    found.add(more)
                    waiting.append(more)
        return found

    def has(self, status: str) -> bool:
        return status in self.all_statuses

    @property
    def bloodied(self) -> bool:
        """STR-TAC-15, C-1."""
        return 2 * self.hp < self.max_hp if self.house.less_than_half else self.hp <= self.max_hp // 2


@dataclass
class Board:
    """The ground and the fighters, in whichever round."""

    columns: int
    rows: int
    fighters: dict[str, Fighter]
    walls: frozenset[Square] = frozenset()
    obscured: frozenset[Square] = frozenset()
    dark: frozenset[Square] = frozenset()
    round: int = 1
    house: House = DEFAULT

    @property
    def closed(self) -> frozenset[Square]:
        """Walls, and the squares around the map."""
        return self.walls | rim(self.columns, self.rows)

    def enemies_of(self, one: Fighter) -> list[Fighter]:
        return [other for other in self.fighters.values() if other.side != one.side and not other.out]

    def allies_of(self, one: Fighter) -> list[Fighter]:
        others = self.fighters.values()
        return [other for other in others if other.side == one.side and other is not one and not other.out]


@lru_cache
def rim(columns: int, rows: int) -> frozenset[Square]:
    """The squares around a map of so many columns and rows."""
    across, down = range(-1, columns + 1), range(-1, rows + 1)
    return frozenset(
        (column, row) for column in across for row in down if column in (-1, columns) or row in (-1, rows)
    )


@dataclass(frozen=True)
class Power:
    """STR-TAC-12: an attack. `kind` is melee, ranged or burst; N is `damage`."""

    name: str
    kind: str
    reach: int
    damage: int
    bonus: int = 0
    effect: str = ""  # the status that is its Effect
    on_hit_strike: bool = False  # an extra on a Hit that can be seen: a Strike for the attacker
    on_miss: int = 0  # what a Miss does in damage
    targets: int = 1
    repeats: bool = False  # one target may be named several times


def gap(one: Fighter, other: Fighter) -> int:
    """STR-TAC-07: a diagonal is 1, so the distance is that of the nearest squares, Chebyshev."""
    return min(
        max(abs(mine[0] - theirs[0]), abs(mine[1] - theirs[1]))
        for mine in one.squares
        for theirs in other.squares
    )


def adjacent(one: Fighter, other: Fighter) -> bool:
    return gap(one, other) == 1


# Lines and squares, in whole numbers: a square is 4 wide, so that middles are whole, too.


class Met(NamedTuple):
    """How a line meets a square: from when to when along it, and whether inside or only along the rim.

    Numbers are quotients of small whole numbers: equal ones are equal as floats, too.
    """

    enter: float
    leave: float
    inside: bool


def meets(start: Point, end: Point, square: Square) -> Met | None:
    """How the straight line meets a square; None where it does not."""
    enter, leave = 0.0, 1.0
    strictly = start != end
    for axis in (0, 1):
        low, high = 4 * square[axis], 4 * square[axis] + 4
        along = end[axis] - start[axis]
        if along == 0:
            if not low <= start[axis] <= high:
                return None
            strictly = strictly and low < start[axis] < high
            continue
        times = ((low - start[axis]) / along, (high - start[axis]) / along)
        enter, leave = max(enter, min(times)), min(leave, max(times))
    return None if enter > leave else Met(enter, leave, strictly and enter < leave)


def centre(one: Fighter) -> Point:
    return 4 * one.at[0] + 2 * one.size, 4 * one.at[1] + 2 * one.size


def corners(one: Fighter) -> list[Point]:
    """Corners of each square that somebody stands on."""
    column, row = one.at
    across = range(one.size + 1)
    return [(4 * (column + right), 4 * (row + down)) for right in across for down in across]


def near_line(start: Point, end: Point, ground: Iterable[Square]) -> list[Square]:
    """Those squares that the line could meet."""
    left, right = sorted((start[0], end[0]))
    top, bottom = sorted((start[1], end[1]))
    return [
        square
        for square in ground
        if 4 * square[0] <= right and left <= 4 * square[0] + 4
        and 4 * square[1] <= bottom and top <= 4 * square[1] + 4
    ]  # fmt: skip


@lru_cache(maxsize=4096)
def crosses(start: Point, end: Point, ground: frozenset[Square]) -> str:
    """How a line meets some ground: `through` it, `grazes` one side, `squeezes` between two, or `clear`."""
    rims: tuple[list[Met], list[Met]] = ([], [])
    for square in near_line(start, end, ground):
        met = meets(start, end, square)
        if met is None:
            continue
        if met.inside:
            return "through"
        middle = (4 * square[0] + 2 - start[0], 4 * square[1] + 2 - start[1])
        turn = (end[0] - start[0]) * middle[1] - (end[1] - start[1]) * middle[0]
        rims[turn > 0].append(met)
    # Along the rims of two squares that lie side by side is through them.
    if any(max(one.enter, other.enter) < min(one.leave, other.leave) for one in rims[0] for other in rims[1]):
        return "through"
    return ["clear", "grazes", "squeezes"][bool(rims[0]) + bool(rims[1])]


def any_free(lines: Iterable[tuple[Point, Point]], ground: frozenset[Square]) -> bool:
    """Whether one of the lines is free of some ground. Raises UnclearError where one only squeezes by."""
    met = {crosses(start, end, ground) for start, end in lines}
    if met & {"clear", "grazes"}:
        return True
    if "squeezes" in met:
        raise UnclearError
    return False


def between(one: Fighter, other: Fighter) -> list[tuple[Point, Point]]:
    """Lines from each corner to each other corner."""
    return [(mine, theirs) for mine in corners(one) for theirs in corners(other) if mine != theirs]


def walled_off(board: Board, one: Fighter, other: Fighter) -> bool:
    """STR-TAC-22: no line between corners of the two is free of walls. The map ends in one."""
    return not any_free(between(one, other), board.closed)


def covered(board: Board, attacker: Fighter, target: Fighter, power: Power) -> bool:
    """STR-TAC-24: an obstacle on the straight line; for Ranged not from a clear side of the target."""
    if power.kind == "burst" or (power.kind == "melee" and not board.house.cover_in_melee):
        return False
    line = crosses(centre(attacker), centre(target), board.walls)
    if line in ("grazes", "squeezes"):
        raise UnclearError
    if line == "clear":
        return False
    if power.kind == "ranged" and adjacent(attacker, target):
        raise UnclearError
    return True


def concealed(board: Board, attacker: Fighter, target: Fighter) -> bool:
    """STR-TAC-22: one of the two is in an obscured area, or seen only through one."""
    return hides(board, board.obscured, attacker, target)


def unseen(board: Board, attacker: Fighter, target: Fighter) -> bool:
    """STR-TAC-22, 25: completely obscured in the same way, or Invisible."""
    return hides(board, board.dark, attacker, target) or target.has("invisible")


def hides(board: Board, ground: frozenset[Square], attacker: Fighter, target: Fighter) -> bool:
    """Whether some ground lies over either of the two, or over every line on which the one sees the other."""
    for one in (attacker, target):
        within = [square in ground for square in one.squares]
        if all(within):
            return True
        if any(within):
            # Who stands partly outside is seen there; what that is to the other one is not said.
            raise UnclearError
    if not ground:
        return False
    middle = (centre(attacker), centre(target))
    lines = [middle, *between(attacker, target)]
    free_of_walls = [line for line in lines if crosses(*line, board.closed) != "through"]
    if not any_free(free_of_walls, ground):
        return True
    if all(
        crosses(*line, ground) == "clear"
        for line in (free_of_walls if middle not in free_of_walls else [middle])
    ):
        return False
    raise UnclearError


def opposite(board: Board, attacker: Fighter, ally: Fighter, target: Fighter) -> bool:
    """STR-TAC-20: on opposite sides or corners. Raises UnclearError where large ones are half so."""
    middle = centre(target)
    across = (2 * middle[0] - centre(attacker)[0], 2 * middle[1] - centre(attacker)[1])
    if across == centre(ally):
        return True
    if target.size == attacker.size == ally.size == 1:
        return False
    left = [one.at[0] + one.size <= target.at[0] for one in (attacker, ally)]
    right = [one.at[0] >= target.at[0] + target.size for one in (attacker, ally)]
    above = [one.at[1] + one.size <= target.at[1] for one in (attacker, ally)]
    below = [one.at[1] >= target.at[1] + target.size for one in (attacker, ally)]
    if (left[0] and right[1]) or (right[0] and left[1]) or (above[0] and below[1]) or (below[0] and above[1]):
        raise UnclearError
    return False


def flanked(board: Board, attacker: Fighter, target: Fighter) -> bool:
    """STR-TAC-20, 25: attacker and an ally next to the target and opposite; a Stunned ally gives none."""
    if not adjacent(attacker, target):
        return False
    return any(
        adjacent(ally, target) and not ally.has("stunned") and opposite(board, attacker, ally, target)
        for ally in board.allies_of(attacker)
    )


def may_attack(board: Board, attacker: Fighter, target: Fighter, power: Power) -> None:
    """STR-TAC-12, 22, 23, 25: raises RefusedError where the attack is forbidden."""
    if attacker.has("stunned"):
        raise RefusedError("Stunned: no actions")
    if gap(attacker, target) > power.reach:
        raise RefusedError("out of reach")
    if walled_off(board, attacker, target):
        raise RefusedError("a wall between them")
    if power.kind == "burst":
        return
    if target.hidden:
        raise RefusedError("Hidden: cannot be targeted")
    if unseen(board, attacker, target):
        raise RefusedError("cannot be seen")
    if power.kind == "melee" and attacker.has("flying") != target.has("flying"):
        raise RefusedError("Flying: no melee to or from who does not fly")


def weigh(
    board: Board, attacker: Fighter, target: Fighter, power: Power, first: bool, more: Weight
) -> Weight:
    """STR-TAC-20, 22, 23, 24, 25: all that bears on the roll against one target."""
    melee = power.kind == "melee"
    advantages = [
        melee and target.has("prone"),
        melee and target.has("blinded"),
        melee and flanked(board, attacker, target),
        attacker.hidden and first,
    ]
    disadvantages = [
        attacker.has("blinded"),
        attacker.has("restrained"),
        board.round == 1 and bool({"winded", "exhausted"} & set(attacker.conditions)),
        covered(board, attacker, target, power),
        power.kind != "burst" and concealed(board, attacker, target),
    ]
    majors = sum(condition in MAJOR for condition in attacker.conditions)
    return Weight(sum(advantages), sum(disadvantages), -majors).plus(more)


def with_tokens(number: int, tokens: int) -> int:
    """STR-TAC-10, 11: the first token makes a 1 a 3; any other adds 1; never above 6."""
    for _ in range(tokens):
        number = 3 if number == 1 else min(6, number + 1)
    return number


def guarded(number: int, target: Fighter) -> int:
    """STR-TAC-11, 25: last of all a 6 counts as a 5 and a 4 as a 3."""
    return {6: 5, 4: 3}.get(number, number) if target.has("guarded") else number


# STR-TAC-09
LADDER = {6: "critical", 5: "solid", 4: "solid", 3: "glancing", 2: "miss", 1: "miss"}


class Blow(NamedTuple):
    """What came of the roll against one target."""

    target: str
    rolled: Rolled
    spent: int
    number: int  # after modifiers, tokens and Guarded
    result: str
    damage: int
    effect: bool
    strike: bool
    hp: int
    out: bool


class Attack(NamedTuple):
    """What came of an attack."""

    blows: list[Blow]
    miss_token: bool
    opportunities: list[tuple[str, int]]


def halved(attacker: Fighter, damage: int) -> int:
    """STR-TAC-25: Weakened deals half, rounded down."""
    return damage // 2 if attacker.has("weakened") else damage


def hurt(fighter: Fighter, damage: int) -> None:
    """STR-TAC-15, 17: HP go down: a creature is Taken Out at 0, a player at -5. Strikes are a house rule."""
    down, out = fighter.hp <= INCAPACITATED_AT, fighter.out
    fighter.hp -= damage
    fighter.out = fighter.hp <= (TAKEN_OUT_AT if fighter.player else 0)
    if fighter.house.hp_strikes and fighter.player and damage:
        fighter.strikes += fighter.bloodied and not fighter.was_bloodied
        fighter.strikes += fighter.hp <= INCAPACITATED_AT and not down
        fighter.strikes += fighter.out and not out
    fighter.was_bloodied = fighter.was_bloodied or fighter.bloodied


def useful_spendings(number: int, tokens: int, target: Fighter) -> list[int]:
    """Numbers of tokens with which a roll comes to another row of the table than with fewer."""
    useful = {LADDER[guarded(number, target)]: 0}
    for spent in range(1, tokens + 1):
        useful.setdefault(LADDER[guarded(with_tokens(number, spent), target)], spent)
    return list(useful.values())


def strike_at(
    board: Board, attacker: Fighter, target: Fighter, power: Power, first: bool, more: Weight, dice: Dice,
    decide: Decisions,
) -> Blow:  # fmt: skip
    """STR-TAC-09, 10, 11: one roll and what it does to one target, its HP and the attacker's Strikes."""
    if target.out:
        raise UnclearError  # Named a second time, and out by the first.
    rolled = roll(dice, weigh(board, attacker, target, power, first, more))
    number = clamp(rolled.total)
    strike = number == 1 and attacker.player
    spent = 0
    if attacker.player and attacker.tokens:
        useful = useful_spendings(number, attacker.tokens, target)
        if len(useful) > 1:
            now = "a miss" if LADDER[guarded(number, target)] == "miss" else "a hit"
            spent = int(decide.take(f"tokens on {now}", [str(one) for one in useful]))
    attacker.tokens -= spent
    was_miss = number <= 2
    number = guarded(with_tokens(number, spent), target)
    result = LADDER[number]
    damage, effect = damage_and_effect(board.house, attacker, power, result, decide)
    if result == "miss" and not attacker.all_statuses & NO_OPPORTUNITY_NO_MISS:
        hurt(target, halved(attacker, power.on_miss))
    if effect and power.effect:
        target.statuses.add(power.effect)
    if power.on_hit_strike and result != "miss" and not was_miss:
        attacker.strikes += 1
    attacker.strikes += strike
    hurt(target, damage)
    return Blow(
        target.id, rolled, spent, number, result, damage, effect and bool(power.effect), strike, target.hp,
        target.out,
    )  # fmt: skip


def damage_and_effect(
    house: House, attacker: Fighter, power: Power, result: str, decide: Decisions
) -> tuple[int, bool]:
    """STR-TAC-09, 25: damage (of which only N is doubled; Weakened halves the sum), and the Effect."""
    doubled_bonus = power.bonus * (2 if house.crit_doubles_bonus else 1)
    full = halved(attacker, power.damage + power.bonus)
    if result == "critical":
        return halved(attacker, 2 * power.damage + doubled_bonus), True
    if result == "solid":
        return full, True
    if result == "miss":
        return 0, False
    if not power.effect:
        return full, False
    took = decide.take("glancing", ["damage", "effect"])
    return (full, False) if took == "damage" else (0, True)


def opportunities(board: Board, attacker: Fighter, targets: Sequence[Fighter], power: Power) -> list[Fighter]:
    """STR-TAC-08, 25: who has one before the attack: a Marker left out, all next to a ranged attack.

    Who is granted two may take one of them.
    """
    # STR-TAC-22, 23: who attacks unseen is revealed by it; who is Hidden is so until the action ends.
    if attacker.hidden:
        return []
    able = [
        enemy
        for enemy in board.enemies_of(attacker)
        if not enemy.all_statuses & NO_OPPORTUNITY_NO_MISS
        and enemy.has("flying") == attacker.has("flying")
        and not walled_off(board, enemy, attacker)
    ]
    left_out = [enemy for enemy in able if attacker.marked_by == enemy.id and enemy not in targets]
    return left_out + [enemy for enemy in able if power.kind == "ranged" and adjacent(attacker, enemy)]


def attack(
    board: Board, who: str, at: Sequence[str], power: Power, dice: Dice, decide: Decisions,
    more: Weight = NOTHING,
) -> Attack:  # fmt: skip
    """STR-TAC-08 to 11, 20, 22 to 25: an attack from beginning to end. Raises RefusedError, UnclearError."""
    attacker = board.fighters[who]
    targets = [board.fighters[name] for name in at]
    for target in targets:
        may_attack(board, attacker, target, power)
    if len(set(at)) < len(at) and not power.repeats:
        raise RefusedError("one target may be named once")
    if len(targets) > power.targets and power.kind != "burst":
        raise RefusedError("too many targets")
    taken: list[tuple[str, int]] = []
    for enemy in opportunities(board, attacker, targets, power):
        if attacker.out or enemy.id in [name for name, _ in taken]:
            continue
        if attacker.has("stunned"):
            raise UnclearError  # Down already: whether the others strike, too.
        if enemy.player and decide.take(f"opportunity {enemy.id}", ["take", "pass"]) == "pass":
            continue
        dealt = halved(enemy, enemy.opportunity)
        hurt(attacker, dealt)
        taken.append((enemy.id, dealt))
    if attacker.out or attacker.has("stunned"):
        return Attack([], False, taken)
    blows = [
        strike_at(board, attacker, target, power, place == 0, more, dice, decide)
        for place, target in enumerate(targets)
    ]
    attacker.hidden = False
    misses = [blow.result == "miss" for blow in blows]
    missed = attacker.player and (any(misses) if board.house.any_missed else all(misses))
    attacker.tokens += missed
    return Attack(blows, missed, taken)


def charge(
    board: Board, who: str, at: str, to: Square, dice: Dice, decide: Decisions, more: Weight = NOTHING
) -> Attack:
    """STR-TAC-13, 23, 25: up to Speed, each square closer, then a Melee Basic Attack.

    Who was Hidden is so until the action is over. Nobody else is near enough for an Opportunity.
    """
    attacker, target = board.fighters[who], board.fighters[at]
    speed = 2 if attacker.has("slowed") else attacker.speed
    steps = gap(attacker, target) - 1
    if attacker.has("stunned"):
        raise RefusedError("Stunned: no actions")
    if attacker.has("immobilized"):
        raise RefusedError("Immobilized: cannot move")
    if steps > speed:
        raise RefusedError("too far")
    attacker.at = to
    assert adjacent(attacker, target)
    return attack(
        board,
        who,
        [at],
        Power("core:melee-basic", "melee", attacker.reach, attacker.melee),
        dice,
        decide,
        more,
    )
