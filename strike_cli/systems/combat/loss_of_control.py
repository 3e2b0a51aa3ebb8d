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
from strike_cli.tabletop.grid import Square, format_square, gap

from .attack import play_attack
from .charge import play_charge
from .fight import ACTIONS, Fight
from .harm import add_status, given_status
from .move import destinations, play_move
from .powers import MELEE_BASIC, RANGED_BASIC
from .sight import in_cover

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
    text = f"{fight.name(who)} is {held.name}: {rolled.words()}, {_told(fight, steps, origin)}."
    yield world.happen("rolled", who, text, roll=rolled.as_json())
    yield from _take(world, who, held, origin, steps)
    if any(step["do"] != "apply" for step in steps):
        spent = {f"fight.turn.{action}": max(1, fight.taken(action)) for action in ACTIONS}
        yield world.happen("turn-spent", who, "", spent)


def _origin(fight: Fight, who: str, held: Held) -> str | None:
    giver = str(held.instance.get("by", ""))
    if giver in fight.data["combatants"] and "at" in fight.combatant(giver):
        return giver
    there = [foe for foe in fight.enemies_of(who) if "at" in fight.combatant(foe)]
    return min(there, key=lambda foe: fight.gap(who, foe), default=None)


def _steps_for(faces: Mapping[str, Steps], die: int) -> Steps:
    for span, steps in faces.items():
        first, _, last = span.partition("-")
        if int(first) <= die <= int(last or first):
            return steps
    raise AssertionError(f"no steps for {die}")


def _told(fight: Fight, steps: Steps, origin: str | None) -> str:
    words = {
        "run-at": "a run at {}",
        "run-from": "a run from {}",
        "take-cover": "into cover from {}",
        "charge": "a charge at {}",
        "melee": "a Melee Basic Attack on {}",
        "ranged": "a Ranged Basic Attack on {}",
    }
    named = fight.name(origin) if origin else "nobody"
    statuses = fight.world.book.statuses
    return " and ".join(
        statuses[step["status"]]["name"] if step["do"] == "apply" else words[step["do"]].format(named)
        for step in steps
    )


def _take(world: World, who: str, held: Held, origin: str | None, steps: Steps) -> Procedure[None]:
    for step in steps:
        if step["do"] == "apply":
            giver = str(held.instance.get("by", "")) or origin or ""
            yield from add_status(world, who, given_status(Fight(world), step, giver, of=who), "")
            continue
        done = False
        if origin and not ban_on(world, who, "act", 1):
            done = yield from _STEPS[step["do"]](
                world, who, origin, held.name if step["disadvantage"] else ""
            )
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


def _melee(world: World, who: str, origin: str, dis: str) -> Procedure[bool]:
    return (yield from _attack(world, who, origin, MELEE_BASIC, dis))


def _ranged(world: World, who: str, origin: str, dis: str) -> Procedure[bool]:
    return (yield from _attack(world, who, origin, RANGED_BASIC, dis))


def _attack(world: World, who: str, origin: str, power: str, dis: str) -> Procedure[bool]:
    if "out" in Fight(world).combatant(origin):
        return False
    args = {
        "who": who,
        "targets": [origin],
        "power": power,
        "adv": [],
        "dis": [dis] if dis else [],
        "mods": [],
    }
    return (yield from _tried(play_attack(world, args)))


def _charge(world: World, who: str, origin: str, dis: str) -> Procedure[bool]:
    """A charge; of who is next to its origin the attack of one."""
    if Fight(world).gap(who, origin) <= 1:
        return (yield from _melee(world, who, origin, dis))
    args = {"who": who, "target": origin, "adv": [], "dis": [dis] if dis else [], "mods": []}
    return (yield from _tried(play_charge(world, args)))


def _run_at(world: World, who: str, origin: str, dis: str) -> Procedure[bool]:
    """As near as one Move Action goes, by the way that walking would take."""
    fight = Fight(world)
    if fight.gap(who, origin) <= 1:
        return True
    walk = _walk_from(fight, who, origin)
    return (yield from _run(world, who, lambda square: (walk(square), _apart(fight, who, origin, square))))


def _run_from(world: World, who: str, origin: str, dis: str) -> Procedure[bool]:
    """As far as one Move Action goes."""
    fight = Fight(world)
    walk = _walk_from(fight, who, origin)
    return (yield from _run(world, who, lambda square: (-_apart(fight, who, origin, square), -walk(square))))


def _take_cover(world: World, who: str, origin: str, dis: str) -> Procedure[bool]:
    """To the nearest square in cover from the origin, if a Move Action reaches one; where there is one that
    it can still be shot from, there."""
    fight = Fight(world)
    worth: dict[Square, tuple[bool, int]] = {}
    for square, cost in {fight.at(who): 0, **destinations(fight, who)}.items():
        there = fight.with_at(who, square)
        seen = there.sees(origin, who)
        if not seen or in_cover(there, origin, who, melee=False):
            worth[square] = not seen, cost
    if not worth:
        return False
    best = min(worth, key=lambda square: (worth[square], square))
    return best == fight.at(who) or (yield from _tried(_moved(world, who, best)))


def _run(world: World, who: str, worth: Callable[[Square], tuple[int, ...]]) -> Procedure[bool]:
    """One Move Action to the square worth most (the least number), staying where none is better."""
    fight = Fight(world)
    here = fight.at(who)
    there = destinations(fight, who)
    best = min(there, key=lambda square: (worth(square), there[square], square), default=here)
    if worth(best) >= worth(here):
        return False
    return (yield from _tried(_moved(world, who, best)))


def _moved(world: World, who: str, to: Square) -> Procedure[dict[str, Any]]:
    args = {"who": who, "to": format_square(to), "via": [], "shift": False, "trade": False}
    return play_move(world, args)


def _apart(fight: Fight, who: str, origin: str, square: Square) -> int:
    return gap(square, fight.size(who), fight.at(origin), fight.size(origin))


def _walk_from(fight: Fight, who: str, origin: str) -> Callable[[Square], int]:
    """Squares of movement between the origin and a square, whoever stands in between; very many where no
    way leads."""
    found = fight.grid.reachable(
        fight.at(origin), 999, passable=lambda _: True, standable=lambda _: True, size=fight.size(who)
    )
    return lambda square: found.get(square, 999)


_STEPS: dict[str, Callable[[World, str, str, str], Procedure[bool]]] = {
    "run-at": _run_at,
    "run-from": _run_from,
    "take-cover": _take_cover,
    "charge": _charge,
    "melee": _melee,
    "ranged": _ranged,
}
