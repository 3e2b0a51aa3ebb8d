"""A player that needs nobody: picks one of the legal options, by a plain policy over their exact odds.

It looks one action ahead, and for a move at the action after it. It knows what everybody at the table can
see, asks the rules and repeats none of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from strike_cli.kernel.facts import State, apply_changes
from strike_cli.kernel.procedure import World
from strike_cli.play.legal import Option, why_not
from strike_cli.problems import Refused
from strike_cli.tabletop.grid import Square, footprint, format_square, gap

from .fight import Fight
from .forecast import USUAL, Plan, each_alone, foreseen, rolled_for
from .move import destinations, find_way
from .numbers import numbers
from .opportunity import provoking
from .options import END_TURN, legal, move_to
from .powers import is_rolled, power_of, powers_of

# What a bot holds dear, in HP.
STANDING_UP = 4.0
"""Somebody who is still in the fight, besides their HP."""
DOWN = 1.0
"""Somebody who is Incapacitated and may come back."""
STATUS = 1.0
"""A harmful status, or one that helps."""
ACTION_POINT = 4.0
"""An Action Point that a power costs: what Rally gives back for one."""
STEP = 0.01
"""A square of movement: of two moves as good the shorter is made."""
BURNS = 3
"""Squares that somebody goes further for each HP that a zone would take there."""
WORTH_IT = 0.05
"""What is gained by less is left alone."""

ACTIONS = ("power", "charge", "stand", "escape")
"""What a bot considers besides moving."""
MOST_TOGETHER = 3
"""Targets whose rolls are looked at together; of more, each by itself."""
LOOKED_AT = 6
"""Moves that are looked at closely."""


def choose_option(world: World, who: str) -> Option:
    """The next command of a combatant whose turn it is: what gains most, a move towards it, or the end."""
    acts = [(gain(world, who, option), option) for option in legal(world, who, ACTIONS)]
    now, action = max(acts, key=lambda item: item[0], default=(0.0, END_TURN))
    moved, move = best_move(world, who)
    if move is not None and moved > max(now, 0.0) + WORTH_IT:
        return move
    return action if now > WORTH_IT else END_TURN


def gain(world: World, who: str, option: Option) -> float:
    """How much better off a side is expected to be, in HP, after an option."""
    power = world.book.powers.get(getattr(option.args, "power", ""), {})
    paid = ACTION_POINT * int(power.get("ap", 0))
    targets = rolled_for(world, option)
    try:
        if len(targets) <= MOST_TOGETHER:
            return _gain(world, who, option, USUAL) - paid
        # Tokens can be spent once, so that none of these rolls may count on them.
        alone = (_gain(world, who, one, KEEPING_TOKENS) for one in each_alone(option, targets))
        return sum(alone) - paid
    except Refused:
        return NEVER


NEVER = float("-inf")
"""The gain of what turns out to be no option once it has begun."""


def _gain(world: World, who: str, option: Option, plan: Plan) -> float:
    side = Fight(world).side(who)
    before = standing(world.book, world.state, side)
    ways = foreseen(world, option, lambda outcome: standing(world.book, outcome.state, side), plan)
    return sum(after * float(chance) for after, chance in ways.items()) - before


KEEPING_TOKENS = Plan(tokens="keep")


def worth(world: World, side: str) -> float:
    """What the standing of a side in the fight is worth, in HP."""
    return standing(world.book, world.state, side)


def standing(book: Any, state: State, side: str) -> float:
    """How a side stands in a fight, in HP: its own people's worth less the others'."""
    fight = state.get("fight")
    if not fight:
        return 0.0
    return sum(_worth(book, one) * (1 if one["side"] == side else -1) for one in fight["combatants"].values())


def _worth(book: Any, one: Mapping[str, Any]) -> float:
    if "out" in one:
        return 0.0
    helps = sum(
        -STATUS if book.statuses[status["id"]]["harmful"] else STATUS for status in one.get("statuses", ())
    )
    if one["hp"] <= 0:
        return DOWN + float(one["hp"]) / 10
    return STANDING_UP + float(one["hp"]) + helps


# Where to go


def best_move(world: World, who: str) -> tuple[float, Option | None]:
    """The move that leads to the best attack after it, and what the two gain; without one within a move, a
    move towards the nearest enemy."""
    fight = Fight(world)
    if not fight.is_on_map(who) or fight.taken("attack"):
        return 0.0, None
    trade = fight.taken("move") > 0
    found = {} if trade else destinations(fight, who)
    best: tuple[float, Option | None] = (0.0, None)
    for square in sorted(found, key=lambda square: -_promise(fight, who, square, found[square]))[:LOOKED_AT]:
        if (option := _move(world, who, square)) is None:
            continue
        moved = _moved(world, who, square)
        after = max((gain(moved, who, act) for act in legal(moved, who, ("power",))), default=0.0)
        worth = after - _harm_on_the_way(fight, who, square) - STEP * found[square]
        if after > WORTH_IT and worth > best[0]:
            best = worth, option
    return best if best[1] else _approach(fight, who, trade)


def _promise(fight: Fight, who: str, square: Square, cost: int) -> float:
    """What attacking from a square may be worth, told from distances alone."""
    size = fight.size(who)
    best = -float(cost)
    for foe in fight.enemies_of(who):
        if not fight.is_on_map(foe) or fight.combatant(foe).get("hidden"):
            continue
        apart = gap(square, size, fight.at(foe), fight.size(foe))
        for key in powers_of(fight, who):
            power = power_of(fight, who, key)
            reach = max(power.get(field, 0) for field in ("reach", "range", "burst", "line", "cone"))
            if is_rolled(power) and apart <= reach:
                hp = fight.combatant(foe)["hp"]
                deals = min(power["damage"], hp) + (STANDING_UP if power["damage"] >= hp else 0)
                best = max(
                    best, 10.0 + deals - STEP * cost - (0.5 if apart > power.get("reach", 0) == 0 else 0)
                )
    return best


def _move(world: World, who: str, square: Square, trade: bool = False) -> Option | None:
    """The move to a square, where it is legal."""
    option = move_to(who, square, trade)
    return option if why_not(world, option.command, option.args) is None else None


def _moved(world: World, who: str, square: Square) -> World:
    """The world with somebody elsewhere, the Move Action spent, and nothing having happened on the way."""
    at, taken = f"fight.combatants.{who}.at", "fight.turn.move"
    return World(
        world.book,
        apply_changes(
            world.state,
            [(at, world.get(at), format_square(square)), (taken, world.get(taken), world.get(taken, 0) + 1)],
        ),
    )


def _harm_on_the_way(fight: Fight, who: str, square: Square) -> float:
    way = [fight.at(who), *find_way(fight, who, [square], shift=False)]
    count = provoking(fight, who)
    blows = sum(count(start, end) for start, end in pairwise(way))
    return float(blows * numbers()["defaults"]["opportunity_damage"])


def _approach(fight: Fight, who: str, trade: bool) -> tuple[float, Option | None]:
    """A move to where the way to the nearest enemy is shortest, rather not where a zone hurts; where no step
    leads nearer, one out of such a zone."""
    here, found = fight.at(who), destinations(fight, who)
    hurts = partial(_zone_damage, fight, who)
    far = _ways_to_foes(fight, who, [here, *(square for square in found if hurts(square) <= hurts(here))])
    now = far.get(here, FAR)
    nearer = [square for square in found if far.get(square, FAR) < now]
    if not nearer:
        nearer = [square for square in found if hurts(square) < hurts(here)]
    for square in sorted(
        nearer, key=lambda square: (far.get(square, FAR) + BURNS * hurts(square), found[square])
    ):
        if (option := _move(fight.world, who, square, trade)) is not None:
            return 2 * WORTH_IT, option
    return 0.0, None


def _ways_to_foes(fight: Fight, who: str, squares: Sequence[Square]) -> dict[Square, int]:
    """From each of these squares, the first of which is somebody's own, how far it is to an enemy: by the way
    one would walk, or as the crow flies where none is wide enough."""
    size = fight.size(who)
    foes = [
        foe
        for foe in fight.enemies_of(who)
        if fight.is_on_map(foe) and not fight.combatant(foe).get("hidden")
    ]
    far: dict[Square, int] = {}
    for foe in foes:
        # From the enemy outwards, through whoever stands there: they may have moved by then.
        for square, cost in fight.grid.reachable(
            fight.at(foe), FAR, passable=_anything, standable=_anything, size=size
        ).items():
            far[square] = min(cost, far.get(square, FAR))
    if foes and squares[0] not in far:
        far = {
            square: min(gap(square, size, fight.at(foe), fight.size(foe)) for foe in foes)
            for square in squares
        }
    return far


def _zone_damage(fight: Fight, who: str, square: Square) -> int:
    """HP that zones would take from somebody who begins a turn on a square."""
    inside = footprint(square, fight.size(who))
    return sum(
        zone.get("damage", 0)
        for key, zone in fight.zones.items()
        if not zone.get("secret") and not fight.zone_squares(key).isdisjoint(inside)
    )


FAR = 10_000


def _anything(square: Square) -> bool:
    return True
