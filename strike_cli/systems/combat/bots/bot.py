"""A player that needs nobody: picks one of the legal options, by a plain policy over their exact odds.

It looks one action ahead, and for a move at the action after it, as far as a stated effort goes. It knows
what everybody at the table can see, asks the rules and repeats none of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from math import fsum
from typing import TYPE_CHECKING

from strike_cli.kernel.facts import State, apply_changes
from strike_cli.kernel.procedure import World
from strike_cli.play.legal import Option, why_not
from strike_cli.problems import Refused
from strike_cli.tabletop.grid import FAR, Square, footprint, format_square, gap, parse_square
from strike_cli.tabletop.people import squares_a_side
from strike_cli.tabletop.zones import acts_on

from ..board.move import destinations, find_way
from ..board.opportunity import provoking
from ..encounter.objective import LEFT, progress
from ..fight import Fight, combatants_in, fight_in
from ..numbers import numbers
from ..powers.power import is_rolled, power_of, powers_of
from ..steps import WAYS
from .forecast import (
    EFFORT,
    FEW_PLAYS,
    USUAL,
    Effort,
    ForeseenOutcome,
    Plan,
    apart,
    foreseen,
    rolled_for,
)
from .legal_options import END_TURN, candidates, move_to
from .status_worth import worth_of_a_turn, worth_of_status

if TYPE_CHECKING:
    from ..data import Combatant, ContentOfFights, FightState

# What a bot holds dear, in HP.
STANDING_UP = 4.0
"""Somebody who is still in the fight, besides their HP."""
SAFE = 2.0
"""Somebody who has left the fight of their own will."""
DOWN = 1.0
"""Somebody who is Incapacitated and may come back."""
ZONE = 0.3
"""A zone that one's side has made, whoever stands in it."""
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
"""Rolls that may count on the Miss Tokens; of more none does."""
THOUGHT = EFFORT // 6
"""What may be played to choose an action, and again to choose a move: a turn among thirty takes no second."""
LOOKED_AT = 6
"""Moves that are looked at closely."""


def choose_option(world: World, who: str) -> Option:
    """The next command of a combatant whose turn it is: what gains most, a move towards it, or the end."""
    now, action = _best_act(world, who, ACTIONS, Effort(world, THOUGHT))
    moved, move = best_move(world, who)
    if move is not None and moved > max(now, 0.0) + WORTH_IT:
        return move
    return action if now > WORTH_IT else END_TURN


def _best_act(world: World, who: str, kinds: Sequence[str], effort: Effort) -> tuple[float, Option]:
    """What gains most, of equals the first. What promises most is looked at first, and what there is no
    effort left for is not."""
    acts = list(candidates(Fight(world), who, kinds))
    gains = [NEVER] * len(acts)
    for number in sorted(range(len(acts)), key=lambda number: -_most_damage(world, acts[number])):
        gains[number] = gain(world, who, acts[number], effort)
        if effort.left <= 0:
            break
    best = max(range(len(acts)), key=gains.__getitem__, default=None)
    return (0.0, END_TURN) if best is None else (gains[best], acts[best])


def _most_damage(world: World, option: Option) -> int:
    """HP of damage that an option does where every roll of it hits."""
    power = world.book.powers.get(getattr(option.args, "power", ""), {})
    return int(power.get("damage", 0)) * len(rolled_for(world, option))


def gain(world: World, who: str, option: Option, effort: Effort | None = None) -> float:
    """How much better off a side is expected to be, in HP, after an option; by an estimate where there is too
    much to play it all."""
    power = world.book.powers.get(getattr(option.args, "power", ""), {})
    paid = ACTION_POINT * int(power.get("ap", 0))
    fight = Fight(world)
    if paid and fight.acts_for(who) != fight.side(who):  # Action Points stay their own
        return NEVER
    targets, effort = rolled_for(world, option), effort or Effort(world)
    # Tokens can be spent once, so that no more rolls may count on them.
    plan = USUAL if len(targets) <= MOST_TOGETHER else KEEPING_TOKENS
    try:
        return _gain(world, who, option, targets, plan, effort) - paid
    except Refused:
        return NEVER


NEVER = float("-inf")
"""The gain of what turns out to be no option once it has begun."""


def _gain(
    world: World, who: str, option: Option, targets: Sequence[str], plan: Plan, effort: Effort
) -> float:
    side = Fight(world).acts_for(who)

    def gained(outcome: ForeseenOutcome, number: int | None) -> float:
        first, _ = outcome.first or (outcome.state, 0)
        before = first if number else world.state
        return round(_difference(world.book, before, outcome.state, side), 6)

    if len(targets) > 1:
        leaves = apart(world, option, targets, gained, _in_all, plan, effort, rounds=0)
        if leaves is not None:
            return fsum(leaf.value * float(leaf.chance) for own in leaves for leaf in own)
    ways = foreseen(
        world, option, lambda outcome: gained(outcome, None), plan, effort, len(targets), FEW_PLAYS
    )
    return ways.mean(float)


def _in_all(gains: Sequence[float]) -> float:
    return round(sum(gains), 6)


KEEPING_TOKENS = Plan(tokens="keep")


def worth(world: World, side: str) -> float:
    """What the standing of a side in the fight is worth, in HP."""
    return standing(world.book, world.state, side)


def standing(book: ContentOfFights, state: State, side: str) -> float:
    """How a side stands in a fight, in HP: its own people's worth less the others'."""
    fight = fight_in(state)
    if not fight:
        return 0.0
    total = fsum(
        _worth(book, one) * (1 if one["side"] == side else -1) for one in fight["combatants"].values()
    )
    if fight.get("zones"):
        total += _worth_of_zones(book, fight, side)
    return total + progress(fight, side) if "objective" in fight else total


def _worth_of_zones(book: ContentOfFights, fight: FightState, side: str) -> float:
    """What zones that somebody made are worth to a side: a little for each kind there is, and what they give
    and take of those who stand in them."""
    people, worth = fight["combatants"], 0.0
    kinds = set[tuple[str, str]]()
    for zone in fight["zones"].values():
        maker = people.get(zone.get("by", ""))
        if maker is None:
            continue
        own = 1 if maker["side"] == side else -1
        if (zone["by"], zone["name"]) not in kinds:
            kinds.add((zone["by"], zone["name"]))
            worth += own * ZONE
        status = book.statuses[zone["status"]] if "status" in zone else None
        for who, one in people.items() if "damage" in zone or status else ():
            if "at" in one and "out" not in one and acts_on(zone, who, people):
                squares = footprint(parse_square(one["at"]), squares_a_side(one["size"]))
                if any(format_square(square) in zone["squares"] for square in squares):
                    gives = worth_of_a_turn(book, one, status) if status else 0.0
                    gives = (gives - zone.get("damage", 0)) / 2
                    worth += gives if one["side"] == side else -gives
    return worth


def _difference(book: ContentOfFights, before: State, after: State, side: str) -> float:
    """How much better a side stands in a fight than before, in HP."""
    earlier, later = fight_in(before), fight_in(after)
    was, now = combatants_in(before), combatants_in(after)
    total = 0.0
    if earlier and earlier.get("zones"):
        total -= _worth_of_zones(book, earlier, side)
    if later and later.get("zones"):
        total += _worth_of_zones(book, later, side)
    if earlier and later and "objective" in earlier and "objective" in later:
        total += progress(later, side) - progress(earlier, side)
    for who in {**was, **now}:
        one, other = now.get(who), was.get(who)
        there = one or other
        if there is None or one is other:
            continue
        change = (_worth(book, one) if one else 0.0) - (_worth(book, other) if other else 0.0)
        total += change if there["side"] == side else -change
    return total


def _worth(book: ContentOfFights, one: Combatant) -> float:
    if "out" in one:
        return SAFE if one["out"] == LEFT and "summoned" not in one else 0.0
    helps = sum(worth_of_status(book, one, status) for status in one.get("statuses", ()))
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
    effort = Effort(world, THOUGHT)
    for square in sorted(found, key=lambda square: -_promise(fight, who, square, found[square]))[:LOOKED_AT]:
        if (option := move_if_legal(world, who, square)) is None:
            continue
        moved = moved_to(world, who, square)
        if effort.left <= 0:
            break
        after, _ = _best_act(moved, who, ("power",), effort)
        worth = after - harm_on_the_way(fight, who, square) - STEP * found[square]
        if after > WORTH_IT and worth > best[0]:
            best = worth, option
    return best if best[1] else _approach(fight, who, trade)


def _promise(fight: Fight, who: str, square: Square, cost: int) -> float:
    """What attacking from a square may be worth, told from distances alone."""
    size = fight.size(who)
    best = -float(cost)
    for foe in fight.targets_of(who):
        if not fight.is_on_map(foe) or fight.combatant(foe).get("hidden"):
            continue
        apart = gap(square, size, fight.at(foe), fight.size(foe))
        for key in powers_of(fight, who):
            power = power_of(fight, who, key)
            reach = max(power.get(field, 0) for field in WAYS)
            if is_rolled(power) and apart <= reach:
                hp = fight.combatant(foe)["hp"]
                deals = min(power["damage"], hp) + (STANDING_UP if power["damage"] >= hp else 0)
                best = max(
                    best, 10.0 + deals - STEP * cost - (0.5 if apart > power.get("reach", 0) == 0 else 0)
                )
    return best


def move_if_legal(world: World, who: str, square: Square, trade: bool = False) -> Option | None:
    """The move to a square, where it is legal."""
    option = move_to(who, square, trade)
    return option if why_not(world, option.command, option.args) is None else None


def moved_to(world: World, who: str, square: Square) -> World:
    """The world with somebody elsewhere, the Move Action spent, and nothing having happened on the way."""
    at, taken = f"fight.combatants.{who}.at", "fight.turn.move"
    return World(
        world.book,
        apply_changes(
            world.state,
            [(at, world.get(at), format_square(square)), (taken, world.get(taken), world.get(taken, 0) + 1)],
        ),
    )


def harm_on_the_way(fight: Fight, who: str, square: Square) -> float:
    """HP that Opportunities on the way to a square would cost the side that somebody plays for: less than
    none where that is not their own."""
    way = [fight.at(who), *find_way(fight, who, [square], shift=False)]
    count = provoking(fight, who)
    blows = sum(count(start, end) for start, end in pairwise(way))
    own = 1 if fight.acts_for(who) == fight.side(who) else -1
    return float(own * blows * numbers()["defaults"]["opportunity_damage"])


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
        if (option := move_if_legal(fight.world, who, square, trade)) is not None:
            return 2 * WORTH_IT, option
    return 0.0, None


def _ways_to_foes(fight: Fight, who: str, squares: Sequence[Square]) -> dict[Square, int]:
    """From each of these squares, the first of which is somebody's own, how far it is to an enemy: by the way
    one would walk, or as the crow flies where none is wide enough."""
    size = fight.size(who)
    foes = [
        foe
        for foe in fight.targets_of(who)
        if fight.is_on_map(foe) and not fight.combatant(foe).get("hidden")
    ]
    far: dict[Square, int] = {}
    for foe in foes:
        # From the enemy outwards, through whoever stands there: they may have moved by then.
        for square, cost in fight.grid.backwards.reachable(
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
        if not zone.get("secret")
        and acts_on(zone, who, fight.data["combatants"])
        and not fight.zone_squares(key).isdisjoint(inside)
    )


def _anything(square: Square) -> bool:
    return True
