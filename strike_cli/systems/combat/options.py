"""What whoever is up may do now: the legal commands of a fight, as data that can be played.

Candidates come from the sheet and the map; whether one is legal is asked of the command itself, so that what
is listed and what is accepted can't differ. What an option is worth is for `foresee` to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations, combinations_with_replacement

from strike_cli.kernel.procedure import World
from strike_cli.play.legal import Option, why_not
from strike_cli.problems import Refused
from strike_cli.tabletop.grid import Square, format_square

from .areas import AIMED, aims, shape_of
from .fight import Fight, short_names
from .move import destinations
from .powers import Power, fit_for, is_rolled, power_of, powers_of, take_aim


def legal(world: World, who: str, kinds: Iterable[str] = ()) -> list[Option]:
    """Every legal action of a combatant in its turn; of these `kinds` alone (KINDS) where some are named.

    Not listed are what no rule forbids and nobody wants: attacks on one's own side, moves by a way other than
    the best, fewer targets for an area than are in it; nor what has no end of ways: Skill Rolls, improvising,
    preparing, and what the game master alone may say.
    """
    fight = Fight(world)
    wanted = set(kinds) or KINDS.keys()
    found = (option for kind, make in KINDS.items() if kind in wanted for option in make(fight, who))
    return [option for option in found if why_not(world, option.command, option.args) is None]


# Candidates, a maker for each kind. They may name what turns out illegal; they must miss nothing.


def _powers(fight: Fight, who: str) -> Iterator[Option]:
    for word, key in short_names(powers_of(fight, who)).items():
        power = power_of(fight, who, key)
        if "trigger" in power or "on" in power:  # it answers something, and is no action of one's own
            continue
        for targets, at in _aims_of(fight, who, power):
            yield _with_power(who, power, word, targets, at, fight.taken("move") > 0)


def _with_power(
    who: str, power: Power, name: str, targets: tuple[str, ...], at: Square | None, moved: bool
) -> Option:
    where = format_square(at) if at else ""
    args = {"who": who, "targets": list(targets), "power": power["id"], "adv": [], "dis": [], "mods": []}
    args |= {"at": where} if where else {}
    aimed = ("--at", where) if where else ()
    if power["action"] == "move" and moved:  # STR-TAC-04: the Attack Action for a second Move Action
        args |= {"trade": True}
        return Option("combat use", args, ("use", who, name, *targets, *aimed, "--trade"))
    if is_rolled(power):
        return Option("combat attack", args, ("attack", who, *targets, "--power", name, *aimed))
    return Option("combat use", args, ("use", who, name, *targets, *aimed))


Aims = Iterator[tuple[tuple[str, ...], Square | None]]


def _aims_of(fight: Fight, who: str, power: Power) -> Aims:
    """Whom a power may be used on: each set of targets once, with where an area is aimed for it."""
    shape = shape_of(power)
    if shape in AIMED:
        yield from _areas(fight, who, power)
    elif shape or fit_for(power) == "self" or power.get("targets") == "all":
        yield (), None
    else:
        yield from ((targets, None) for targets in _sets_of_targets(fight, who, power))


def _areas(fight: Fight, who: str, power: Power) -> Aims:
    """The areas that differ in who is in them: for each the one that is aimed nearest to the first square."""
    seen = set()
    for square in aims(fight, who, power):
        try:
            inside = take_aim(fight, who, power, (), format_square(square)).targets
        except Refused:
            continue
        if inside not in seen:
            seen.add(inside)
            yield inside, square


def _sets_of_targets(fight: Fight, who: str, power: Power) -> Iterator[tuple[str, ...]]:
    own = fight.side(who)
    harmless = fit_for(power) not in ("others", "enemies") and not is_rolled(power)
    possible = [
        one
        for one in fight.in_the_fight()
        if "at" in fight.combatant(one) and (harmless or fight.side(one) != own)
    ]
    most = int(power.get("targets", 1))
    if not is_rolled(power):
        yield ()
    sets = combinations_with_replacement if power.get("repeats") else combinations
    for count in range(1, most + 1):
        yield from sets(possible, count)


def _charges(fight: Fight, who: str) -> Iterator[Option]:
    for foe in fight.enemies_of(who):
        if "at" in fight.combatant(foe):
            args = {"who": who, "target": foe, "adv": [], "dis": [], "mods": []}
            yield Option("combat charge", args, ("charge", who, foe))


def _moves(fight: Fight, who: str) -> Iterator[Option]:
    if "at" not in fight.combatant(who):
        return
    trade = fight.taken("move") > 0
    flags = ("--trade",) if trade else ()
    for square in sorted(destinations(fight, who), key=lambda square: (square[1], square[0])):
        to = format_square(square)
        args = {"who": who, "to": to, "via": [], "shift": False, "trade": trade}
        yield Option("combat move", args, ("move", who, to, *flags))
    for square in fight.grid.neighbours(fight.at(who), fight.size(who)):
        to = format_square(square)
        args = {"who": who, "to": to, "via": [], "shift": True, "trade": trade}
        yield Option("combat move", args, ("move", who, to, "--shift", *flags))


def _stand(fight: Fight, who: str) -> Iterator[Option]:
    trade = fight.taken("move") > 0
    flags = ("--trade",) if trade else ()
    yield Option("combat stand", {"who": who, "trade": trade}, ("stand", who, *flags))


def _escapes(fight: Fight, who: str) -> Iterator[Option]:
    trade = fight.taken("move") > 0
    flags = ("--trade",) if trade else ()
    held = dict.fromkeys(
        status["id"] for status in fight.combatant(who).get("statuses", ()) if status["ends"] == "escape"
    )
    for status in held:
        args = {"who": who, "status": status, "trade": trade}
        yield Option("combat escape", args, ("escape", who, *((status,) if len(held) > 1 else ()), *flags))


def _others(fight: Fight, who: str) -> Iterator[Option]:
    yield Option("combat assess", {"who": who}, ("assess", who))
    yield Option("combat hide", {"who": who, "now": False}, ("hide", who))
    yield Option("combat delay", {"who": who}, ("delay", who))


def _end(fight: Fight, who: str) -> Iterator[Option]:
    if fight.data.get("active") == who:
        yield Option("combat end-turn", {}, ("end-turn",))


KINDS: Mapping[str, Callable[[Fight, str], Iterator[Option]]] = {
    "power": _powers,
    "charge": _charges,
    "move": _moves,
    "stand": _stand,
    "escape": _escapes,
    "other": _others,
    "end": _end,
}
"""The kinds of option, in the order they are listed."""
