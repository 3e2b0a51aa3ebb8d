"""Acting without one's own will: what a die makes the Frenzied and the Panicked do (STR-TAC-25).

What each face means is the status's own table; here are the steps that such a table may name. A run, an
attack and a charge are the same procedures as anybody's, so they give Opportunities and roll dice as always.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.problems import Refused
from strike_cli.tabletop.contributions import Held, ban_on, reasons_for
from strike_cli.tabletop.dice import clamp, roll_die
from strike_cli.tabletop.grid import Grid, Square, format_square, gap

from .attack import UsePower, play_attack
from .charge import Charge, play_charge
from .facts.control import Compelled, ControlRolled, TurnSpent
from .fight import ACTIONS, Fight
from .move import Move, destinations, play_move
from .powers import MELEE_BASIC, RANGED_BASIC
from .sight import in_cover
from .statuses import add_status, given_status

Steps = Sequence[Mapping[str, Any]]


def lose_control(world: World, who: str, held: Held, does: Mapping[str, Any]) -> Procedure[None]:
    """Roll for what somebody does this turn, and play it. What moves or attacks takes up the whole turn.

    The origin is who gave the status; where that is nobody in the fight it is the nearest enemy.
    """
    fight = Fight(world)
    if ban_on(world, who, "act", 1):
        return
    origin = _origin(fight, who, held)
    rolled = yield from roll_die(who, held.name, *reasons_for(world, who, does["roll"]))
    steps = _steps_for(does["faces"], clamp(rolled.total))
    does_what = tuple(Compelled(step["do"], origin or "", step.get("status", "")) for step in steps)
    yield world.tell(ControlRolled(who, rolled, held.reason, does_what))
    yield from _take(world, who, held, origin, steps)
    if any(step["do"] != "apply" for step in steps):
        spent = {f"fight.turn.{action}": max(1, fight.taken(action)) for action in ACTIONS}
        yield world.tell(TurnSpent(who), spent)


def _origin(fight: Fight, who: str, held: Held) -> str | None:
    giver = str(held.instance.get("by", ""))
    if giver in fight.data["combatants"] and fight.is_on_map(giver):
        return giver
    return min(fight.foes_on_map(who), key=lambda foe: fight.gap(who, foe), default=None)


def _steps_for(faces: Mapping[str, Steps], die: int) -> Steps:
    for span, steps in faces.items():
        first, _, last = span.partition("-")
        if int(first) <= die <= int(last or first):
            return steps
    raise AssertionError(f"no steps for {die}")


def _take(world: World, who: str, held: Held, origin: str | None, steps: Steps) -> Procedure[None]:
    for step in steps:
        if step["do"] == "apply":
            giver = str(held.instance.get("by", "")) or origin or ""
            yield from add_status(world, who, given_status(Fight(world), step, giver, of=who), silent=True)
            continue
        done = False
        if origin and not ban_on(world, who, "act", 1):
            drawbacks = [held.name] if step["disadvantage"] else []
            done = yield from _DO[step["do"]](world, who, origin, drawbacks)
        if not done and step.get("otherwise"):
            yield from _take(world, who, held, origin, step["otherwise"])
            return


def _tried(procedure: Procedure[Any]) -> Procedure[bool]:
    """Play a command if the rules let it begin; whether they did."""
    try:
        question = next(procedure)
    except Refused:
        return False
    while True:
        answer = yield question
        try:
            question = procedure.send(answer)
        except StopIteration:
            return True


def _melee(world: World, who: str, origin: str, drawbacks: Sequence[str]) -> Procedure[bool]:
    return (yield from _attack(world, who, origin, MELEE_BASIC, drawbacks))


def _ranged(world: World, who: str, origin: str, drawbacks: Sequence[str]) -> Procedure[bool]:
    return (yield from _attack(world, who, origin, RANGED_BASIC, drawbacks))


def _attack(world: World, who: str, origin: str, power: str, drawbacks: Sequence[str]) -> Procedure[bool]:
    if Fight(world).is_out(origin):
        return False
    args = UsePower(who=who, targets=[origin], power=power, dis=drawbacks)
    return (yield from _tried(play_attack(world, args)))


def _charge(world: World, who: str, origin: str, drawbacks: Sequence[str]) -> Procedure[bool]:
    """A charge; of who is next to its origin the attack of one."""
    if Fight(world).gap(who, origin) <= 1:
        return (yield from _melee(world, who, origin, drawbacks))
    return (yield from _tried(play_charge(world, Charge(who=who, target=origin, dis=drawbacks))))


def _run_at(world: World, who: str, origin: str, drawbacks: Sequence[str]) -> Procedure[bool]:
    """As near as one Move Action goes, by the way that walking would take."""
    fight = Fight(world)
    if fight.gap(who, origin) <= 1:
        return True
    walk = _walk_from(fight, who, origin, fight.grid.backwards)  # from there to the origin, that is
    return (yield from _run(world, who, lambda square: (walk(square), _apart(fight, who, origin, square))))


def _run_from(world: World, who: str, origin: str, drawbacks: Sequence[str]) -> Procedure[bool]:
    """As far as one Move Action goes."""
    fight = Fight(world)
    walk = _walk_from(fight, who, origin, fight.grid)
    return (yield from _run(world, who, lambda square: (-_apart(fight, who, origin, square), -walk(square))))


def _take_cover(world: World, who: str, origin: str, drawbacks: Sequence[str]) -> Procedure[bool]:
    """To the nearest square in cover from the origin, if a Move Action reaches one; where there is one that
    it can still be shot from, there."""
    fight = Fight(world)
    worth: dict[Square, tuple[bool, int]] = {}
    for square, cost in {fight.at(who): 0, **destinations(fight, who)}.items():
        moved = fight.with_at(who, square)
        seen = moved.sees(origin, who)
        if not seen or in_cover(moved, origin, who, melee=False):
            worth[square] = not seen, cost
    if not worth:
        return False
    best = min(worth, key=lambda square: (worth[square], square))
    return best == fight.at(who) or (yield from _go(world, who, best))


def _run(world: World, who: str, worth: Callable[[Square], tuple[int, ...]]) -> Procedure[bool]:
    """One Move Action to the square worth most (the least number), staying where none is better."""
    fight = Fight(world)
    here, costs = fight.at(who), destinations(fight, who)
    best = min(costs, key=lambda square: (worth(square), costs[square], square), default=here)
    if worth(best) >= worth(here):
        return False
    return (yield from _go(world, who, best))


def _go(world: World, who: str, to: Square) -> Procedure[bool]:
    return (yield from _tried(play_move(world, Move(who=who, to=format_square(to)))))


def _apart(fight: Fight, who: str, origin: str, square: Square) -> int:
    return gap(square, fight.size(who), fight.at(origin), fight.size(origin))


def _walk_from(fight: Fight, who: str, origin: str, grid: Grid) -> Callable[[Square], int]:
    """Squares of movement from the origin to a square, whoever stands in between; very many where no way
    leads."""
    found = grid.reachable(
        fight.at(origin), 999, passable=lambda _: True, standable=lambda _: True, size=fight.size(who)
    )
    return lambda square: found.get(square, 999)


_DO: Mapping[str, Callable[[World, str, str, Sequence[str]], Procedure[bool]]] = {
    "run-at": _run_at,
    "run-from": _run_from,
    "take-cover": _take_cover,
    "charge": _charge,
    "melee": _melee,
    "ranged": _ranged,
}
"""What contribution_schemas.COMPELLED names, but `apply`: called with the world, who does it, the origin and
reasons for Disadvantage, telling whether it came about."""
