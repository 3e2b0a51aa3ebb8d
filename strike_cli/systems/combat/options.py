"""What whoever is up may do now: the legal commands of a fight, as data that can be played.

Candidates come from the sheet and the map; whether one is legal is asked of the command itself, so that what
is listed and what is accepted can't differ. What an option is worth is for `forecast` to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations, combinations_with_replacement

from strike_cli.kernel.args import Args
from strike_cli.kernel.procedure import World
from strike_cli.play.legal import Option, why_not
from strike_cli.problems import Refused
from strike_cli.tabletop.grid import Square, format_square

from .areas import AIMED, aims, shape_of
from .attack import UsePower
from .charge import Charge
from .conclusion import Finish
from .fight import Fight, Somebody, short_names
from .hide import Hide
from .move import Move, destinations
from .powers import Power, fit_for, is_rolled, power_of, powers_of, take_aim
from .statuses import statuses_of
from .turns import Escape, Stand

INITIATIVE = Option("combat initiative", Args(), ("initiative",))
TURN = Option("combat turn", Args(), ("turn",))
END_TURN = Option("combat end-turn", Args(), ("end-turn",))
FINISH = Option("combat finish", Finish(), ("finish",))


def options(world: World) -> Iterator[Option]:
    """What may come next in the fight under way: all that whoever is up may do, or how it goes on."""
    if not world.state.get("fight"):
        return
    fight = Fight(world)
    active = fight.data.get("active")
    if fight.decided():
        yield FINISH
    elif not fight.data["round"]:
        yield INITIATIVE
    elif active is None:
        yield TURN
    if active is not None:
        yield from candidates(fight, active)


def candidates(fight: Fight, who: str, kinds: Iterable[str] = ()) -> Iterator[Option]:
    """What a combatant might do in its turn; of these `kinds` alone (KINDS) where some are named. They may
    name what turns out illegal; they miss nothing but what `legal` says."""
    wanted = set(kinds) or KINDS.keys()
    for kind, make in KINDS.items():
        if kind in wanted:
            yield from make(fight, who)


def legal(world: World, who: str, kinds: Iterable[str] = ()) -> list[Option]:
    """Every legal action of a combatant in its turn; of these `kinds` alone (KINDS) where some are named.

    Not listed are what no rule forbids and nobody wants: attacks on one's own side, moves by a way other than
    the best, fewer targets for an area than are in it; nor what has no end of ways: Skill Rolls, improvising,
    preparing, and what the game master alone may say.
    """
    found = candidates(Fight(world), who, kinds)
    return [option for option in found if why_not(world, option.command, option.args) is None]


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
    args = UsePower(who=who, targets=targets, power=power["id"], at=where)
    aimed = ("--at", where) if where else ()
    if power["action"] == "move" and moved:  # STR-TAC-04: the Attack Action for a second Move Action
        typed = ("use", who, name, *targets, *aimed, "--trade")
        return Option("combat use", args.but(trade=True), typed)
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
        one for one in fight.in_the_fight() if fight.is_on_map(one) and (harmless or fight.side(one) != own)
    ]
    most = int(power.get("targets", 1))
    if not is_rolled(power):
        yield ()
    sets = combinations_with_replacement if power.get("repeats") else combinations
    for count in range(1, most + 1):
        yield from sets(possible, count)


def _charges(fight: Fight, who: str) -> Iterator[Option]:
    for foe in fight.foes_on_map(who):
        yield Option("combat charge", Charge(who=who, target=foe), ("charge", who, foe))


def _moves(fight: Fight, who: str) -> Iterator[Option]:
    if not fight.is_on_map(who):
        return
    trade, flags = _traded(fight)
    for square in sorted(destinations(fight, who), key=lambda square: (square[1], square[0])):
        yield move_to(who, square, trade)
    for square in fight.grid.neighbours(fight.at(who), fight.size(who)):
        to = format_square(square)
        args = Move(who=who, to=to, shift=True, trade=trade)
        yield Option("combat move", args, ("move", who, to, "--shift", *flags))


def move_to(who: str, square: Square, trade: bool = False) -> Option:
    """A move to a square, by the best way."""
    to = format_square(square)
    args = Move(who=who, to=to, trade=trade)
    return Option("combat move", args, ("move", who, to, *(("--trade",) if trade else ())))


def _traded(fight: Fight) -> tuple[bool, tuple[str, ...]]:
    """Whether one more Move Action takes the place of the Attack Action (STR-TAC-04), and what to type."""
    trade = fight.taken("move") > 0
    return trade, ("--trade",) if trade else ()


def _stand(fight: Fight, who: str) -> Iterator[Option]:
    trade, flags = _traded(fight)
    yield Option("combat stand", Stand(who=who, trade=trade), ("stand", who, *flags))


def _escapes(fight: Fight, who: str) -> Iterator[Option]:
    trade, flags = _traded(fight)
    held = dict.fromkeys(
        status["id"] for status in statuses_of(fight.world, who) if status["ends"] == "escape"
    )
    for status in held:
        named = (status,) if len(held) > 1 else ()
        args = Escape(who=who, status=status, trade=trade)
        yield Option("combat escape", args, ("escape", who, *named, *flags))


def _others(fight: Fight, who: str) -> Iterator[Option]:
    yield Option("combat assess", Somebody(who=who), ("assess", who))
    yield Option("combat hide", Hide(who=who), ("hide", who))
    yield Option("combat delay", Somebody(who=who), ("delay", who))


def _end(fight: Fight, who: str) -> Iterator[Option]:
    if fight.data.get("active") == who:
        yield END_TURN


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
