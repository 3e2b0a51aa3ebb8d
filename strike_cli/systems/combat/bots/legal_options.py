"""The legal commands of the creature whose turn it is, as data that can be played.

The creature's sheet and the map give the candidates. Each candidate is tried on the rules of its command, and
is left out if they refuse it. Not every legal command is listed: `legal_actions_worth_listing` says what is
left out. `outcome_forecast` estimates what options are worth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import NamedTuple

from strike_cli.kernel.procedure import Args, World
from strike_cli.play.gm_override.maps import DoorArgs
from strike_cli.play.gm_override.people import HideArgs
from strike_cli.play.legal_options import Option, refusal_of_move
from strike_cli.problems import Refused, is_not_refused
from strike_cli.tabletop.grid import Square, format_square
from strike_cli.tabletop.walking_distances import closed_doors_beside_on_blocked_way, grid_with_doors_open

from ..board.areas import AIMED, squares_to_aim_at
from ..board.move import MoveAction, destinations
from ..encounter.ending_and_parking import FinishFight
from ..encounter.joining_and_leaving import LeaveFight, may_leave_by_distance_or_way_out
from ..fight_state import ENEMIES, ActorArgs, Fight, area_shape_of, ids_by_last_part_or_whole_id
from ..health_and_statuses import statuses_given_to
from ..powers.charge import Charge
from ..powers.power_use import UsePower
from ..powers.powers_and_targets import (
    aim_power,
    has_attack_roll,
    is_treated_as_friend,
    powers_of,
    require_power_as_user_has_it,
    target_group_key,
)
from ..powers.standard_powers_and_use_limits import Power
from ..turns.turn import Escape, Stand

INITIATIVE = Option("combat initiative", Args(), ("initiative",))
TURN = Option("combat turn", Args(), ("turn",))
END_TURN = Option("combat end-turn", Args(), ("end-turn",))
FINISH = Option("combat finish", FinishFight(), ("finish",))


def commands_that_may_be_legal(world: World) -> Iterator[Option]:
    """Yield the commands that may be possible next in a fight.

    If the fight is decided, the command that ends it comes first. During a turn, the options of the acting
    creature follow. If the fight isn't decided and nobody has a turn, the only command is the one that
    continues the fight.
    """
    if not world.state.get("fight"):
        return
    fight = Fight(world)
    active = fight.data.get("active")
    if fight.fight_outcome():
        yield FINISH
    elif not fight.data["round"]:
        yield INITIATIVE
    elif active is None:
        yield TURN
    if active is not None:
        yield from candidate_options(fight, active)


def candidate_options(fight: Fight, combatant: str, kinds: Iterable[str] = ()) -> Iterator[Option]:
    """Yield the options that a combatant might have in its turn; `kinds` (of KINDS) limits them.

    Some of them may turn out to be illegal. All options of `legal_actions_worth_listing` are among them.
    """
    wanted = set(kinds) or KINDS.keys()
    for kind, make in KINDS.items():
        if kind in wanted:
            yield from make(fight, combatant)


def legal_actions_worth_listing(world: World, combatant: str, kinds: Iterable[str] = ()) -> list[Option]:
    """Return the legal actions of a combatant in its turn, as far as they are worth listing.

    If `kinds` is given, only actions of these kinds (from KINDS) are returned. Actions that nobody wants are
    left out: attacks on one's own side, moves along a path that isn't the best, and area powers used on fewer
    targets than are in the area. Actions with countless forms are left out, too: Skill Rolls, improvised
    attacks, prepared actions, and the game master's commands. If a power can be aimed in very many ways, only
    the likeliest are returned (see `count_unlisted_aims`).
    """
    found = candidate_options(Fight(world), combatant, kinds)
    return [option for option in found if refusal_of_move(world, option.command, option.args) is None]


def _power_options(fight: Fight, combatant: str) -> Iterator[Option]:
    for word, power in _untriggered_powers_by_word(fight, combatant):
        for targets, at in _ways_to_aim(fight, combatant, power).ways:
            yield power_option(combatant, power, word, targets, at, bool(fight.times_taken("move")))


def _untriggered_powers_by_word(fight: Fight, combatant: str) -> Iterator[tuple[str, Power]]:
    for word, key in ids_by_last_part_or_whole_id(powers_of(fight, combatant)).items():
        power = require_power_as_user_has_it(fight, combatant, key)
        if (
            "trigger" not in power and "on" not in power
        ):  # a power that reacts to something is no action of a turn
            yield word, power


def power_option(
    actor: str, power: Power, name: str, targets: tuple[str, ...], at: Square | None, move_spent: bool
) -> Option:
    """Return the option to use a power on some targets, or on an area at a square.

    `name` is the power's name as it is typed. `move_spent` is whether the actor's Move Action is spent. If it
    is, a power that takes a Move Action costs the Attack Action instead.
    """
    where = format_square(at) if at else ""
    args = UsePower(who=actor, targets=targets, power=power["id"], at=where)
    aimed = ("--at", where) if where else ()
    if power["action"] == "move" and move_spent:  # STR-TAC-04: the Attack Action for a second Move Action
        typed = ("use", actor, name, *targets, *aimed, "--trade")
        return Option("combat use", args.but(trade=True), typed)
    if has_attack_roll(power):
        return Option("combat attack", args, ("attack", actor, *targets, "--power", name, *aimed))
    return Option("combat use", args, ("use", actor, name, *targets, *aimed))


Aim = tuple[tuple[str, ...], Square | None]
"""One way to aim a power: its targets, and the square at which its area is aimed."""

MOST_SETS = 60
"""The most sets of targets that are all listed; else only single targets and likely sets are."""
MOST_AREAS = 8
"""The most areas that are all listed; if there are more, only those with most suitable targets are."""


class Aims(NamedTuple):
    """The ways to aim a power, and how many further ways are not listed."""

    ways: Sequence[Aim]
    left_out: int = 0


def legal_uses_of(world: World, combatant: str, key: str) -> list[Option]:
    """Return the legal uses of one power of a creature, also of a power that has a trigger."""
    fight = Fight(world)
    power = require_power_as_user_has_it(fight, combatant, key)
    word = next(
        word
        for word, full in ids_by_last_part_or_whole_id(powers_of(fight, combatant)).items()
        if full == key
    )
    moved = bool(fight.times_taken("move"))
    found = [
        power_option(combatant, power, word, targets, at, moved)
        for targets, at in _ways_to_aim(fight, combatant, power).ways
    ]
    return [option for option in found if refusal_of_move(world, option.command, option.args) is None]


def count_unlisted_aims(world: World, combatant: str) -> dict[str, int]:
    """Return how many ways to aim each power are left out of `candidate_options`, by the power's name.

    A power isn't in the result if all its ways are among the options.
    """
    fight, found = Fight(world), {}
    for word, power in _untriggered_powers_by_word(fight, combatant):
        if more := _ways_to_aim(fight, combatant, power).left_out:
            found[word] = more
    return found


def _ways_to_aim(fight: Fight, actor: str, power: Power) -> Aims:
    """Return the ways to aim a power.

    If the user of the power names targets, each way is a set of targets. If the user aims an area at a
    square, each way is a square. If there is nothing to choose, the only way has neither targets nor a
    square.
    """
    shape = area_shape_of(power)
    if shape in AIMED:  # a creature off the map, which fell in its own turn, can't aim
        return _best_area_aims_in_map_order(fight, actor, power) if fight.is_on_map(actor) else Aims([])
    if shape or target_group_key(power) == "self" or power.get("targets") == "all":
        return Aims([((), None)])
    return _target_set_aims(fight, actor, power)


def _best_area_aims_in_map_order(fight: Fight, actor: str, power: Power) -> Aims:
    """Return the ways to aim an area: for each possible set of creatures in the area, one square.

    If there are many sets, only the best MOST_AREAS are kept.
    """
    found: dict[tuple[str, ...], Square] = {}
    for square in squares_to_aim_at(fight, actor, power):
        with suppress(Refused):
            found.setdefault(aim_power(fight, actor, power, (), format_square(square)).targets, square)

    def wanted_targets_less_friends(inside: tuple[str, ...]) -> int:
        friends = sum(is_treated_as_friend(fight, actor, power, one) for one in inside)
        return len(inside) - 2 * friends if has_attack_roll(power) else len(inside)

    # The sort is stable: of areas as good the first ones stay.
    best = sorted(found, key=lambda inside: -wanted_targets_less_friends(inside))[:MOST_AREAS]
    ways = [(inside, square) for inside, square in found.items() if inside in best]
    return Aims(ways, len(found) - len(ways))


def _target_set_aims(fight: Fight, actor: str, power: Power) -> Aims:
    harmless = target_group_key(power) not in ("others", "enemies") and not has_attack_roll(power)
    possible = [
        one
        for one in fight.still_in_fight()
        if fight.is_on_map(one) and (harmless or not is_treated_as_friend(fight, actor, power, one))
    ]
    most, repeats = int(power.get("targets", 1)), bool(power.get("repeats"))
    none: list[tuple[str, ...]] = [] if has_attack_roll(power) else [()]
    alone = [(one,) for one in possible]
    more = sum(_count_sets(len(possible), count, repeats) for count in range(2, most + 1))
    if len(alone) + more <= MOST_SETS:
        sets = combinations_with_replacement if repeats else combinations
        several = [each for count in range(2, most + 1) for each in sets(possible, count)]
    else:
        several = list(_likely_sets(fight, actor, power, possible, most, repeats))
    ways: list[Aim] = [(targets, None) for targets in (*none, *alone, *several)]
    return Aims(ways, more - len(several))


def _count_sets(people: int, count: int, repeats: bool) -> int:
    return comb(people + count - 1, count) if repeats else comb(people, count)


def _likely_sets(
    fight: Fight, actor: str, power: Power, possible: Sequence[str], count: int, repeats: bool
) -> Iterator[tuple[str, ...]]:
    """Yield a few likely choices of several targets for a power.

    The first choice has the `count` nearest targets, and the second has the `count` weakest. If a power may
    name the same target more than once (`repeats`), there is also a choice for each target that names it
    `count` times. Choices of a single target are left out.
    """
    reached = [one for one in possible if is_not_refused(aim_power, fight, actor, power, (one,))]
    nearest = sorted(reached, key=lambda one: fight.gap(actor, one))
    weakest = sorted(reached, key=lambda one: int(fight.combatant(one)["hp"]))
    found = [tuple(order[:count]) for order in (nearest, weakest)]
    found += [(one,) * count for one in reached] if repeats else []
    order = {one: number for number, one in enumerate(possible)}
    yield from dict.fromkeys(tuple(sorted(each, key=order.__getitem__)) for each in found if len(each) > 1)


def _charge_options(fight: Fight, combatant: str) -> Iterator[Option]:
    for foe in filter(fight.is_on_map, fight.opponents_of(combatant)):
        yield Option("combat charge", Charge(who=combatant, target=foe), ("charge", combatant, foe))


def _move_and_shift_options(fight: Fight, combatant: str) -> Iterator[Option]:
    if not fight.is_on_map(combatant):
        return
    trade, flags = _costs_attack_action_and_flags(fight)
    for square in sorted(destinations(fight, combatant), key=lambda square: (square[1], square[0])):
        yield move_option_to(combatant, square, trade)
    for square in fight.grid.neighbours(fight.at(combatant), fight.size(combatant)):
        to = format_square(square)
        args = MoveAction(who=combatant, to=to, shift=True, trade=trade)
        yield Option("combat move", args, ("move", combatant, to, "--shift", *flags))


def move_option_to(combatant: str, square: Square, trade: bool = False) -> Option:
    """Return the option to move to a square along the best path."""
    to = format_square(square)
    args = MoveAction(who=combatant, to=to, trade=trade)
    return Option("combat move", args, ("move", combatant, to, *(("--trade",) if trade else ())))


def _costs_attack_action_and_flags(fight: Fight) -> tuple[bool, tuple[str, ...]]:
    """Return whether a Move Action would now cost the Attack Action, and the flags to type (STR-TAC-04).

    It costs the Attack Action if the creature has already taken a Move Action in this turn. Then the flag is
    `--trade`. Otherwise there are no flags.
    """
    trade = bool(fight.times_taken("move"))
    return trade, ("--trade",) if trade else ()


def _stand_candidate(fight: Fight, combatant: str) -> Iterator[Option]:
    trade, flags = _costs_attack_action_and_flags(fight)
    yield Option("combat stand", Stand(who=combatant, trade=trade), ("stand", combatant, *flags))


def _escape_options(fight: Fight, combatant: str) -> Iterator[Option]:
    trade, flags = _costs_attack_action_and_flags(fight)
    held = dict.fromkeys(
        status["id"] for status in statuses_given_to(fight.world, combatant) if status["ends"] == "escape"
    )
    for status in held:
        named = (status,) if len(held) > 1 else ()
        args = Escape(who=combatant, status=status, trade=trade)
        yield Option("combat escape", args, ("escape", combatant, *named, *flags))


def _assess_hide_delay_leave_options(fight: Fight, combatant: str) -> Iterator[Option]:
    yield Option("combat assess", ActorArgs(who=combatant), ("assess", combatant))
    yield Option("combat hide", HideArgs(who=combatant), ("hide", combatant))
    yield Option("combat delay", ActorArgs(who=combatant), ("delay", combatant))
    for surrender in (False, True):
        if should_flee(fight, combatant) if surrender else may_leave_by_distance_or_way_out(fight, combatant):
            yield leave_option(combatant, surrender=surrender)


def _end_turn_option(fight: Fight, combatant: str) -> Iterator[Option]:
    if fight.data.get("active") == combatant:
        yield END_TURN


KINDS: Mapping[str, Callable[[Fight, str], Iterator[Option]]] = {
    "power": _power_options,
    "charge": _charge_options,
    "move": _move_and_shift_options,
    "stand": _stand_candidate,
    "escape": _escape_options,
    "other": _assess_hide_delay_leave_options,
    "end": _end_turn_option,
}
"""The functions that yield the options of each kind, in the order in which kinds are listed."""


def should_flee(fight: Fight, combatant: str) -> bool:
    """Return whether a creature has to flee, by its own sheet or by the encounter.

    Two values called `flees_at` decide this. In the creature's sheet, `flees_at` is a number of HP: the
    creature flees if it has this many HP or fewer. In the encounter, `flees_at` is a number of enemies: if
    this many enemies or fewer are left in the fight, all of them flee.
    """
    one, data = fight.combatant(combatant), fight.data
    if one["hp"] <= fight.sheet(combatant).get("flees_at", 0):
        return True
    if "flees_at" not in data or one["side"] != ENEMIES:
        return False
    left = sum(fight.side(other) == ENEMIES for other in fight.still_in_fight())
    return left <= int(data["flees_at"])


def leave_option(combatant: str, *, surrender: bool = False) -> Option:
    """Return the option by which a creature leaves the fight; with `surrender` it gives up."""
    flags = ("--surrender",) if surrender else ()
    return Option(
        "combat leave", LeaveFight(who=combatant, surrender=surrender), ("leave", combatant, *flags)
    )


def adjacent_door_opening_options(fight: Fight, combatant: str, goal: Square) -> Iterator[Option]:
    """Yield options to open a door next to a creature, if nothing else bars the way to `goal`.

    `goal` is the square that the creature wants to reach. The door fills a square, or is in the wall between
    two squares. Opening it takes no action: the command is a game master's override.
    """
    found = closed_doors_beside_on_blocked_way(
        fight.grid, grid_with_doors_open(fight.data["map"]), fight.at(combatant), fight.size(combatant), goal
    )
    for square, beyond in found:
        where = [format_square(one) for one in (square, beyond) if one]
        args = DoorArgs(at=where[0], beyond=where[-1] if beyond else "", open=True)
        yield Option("combat door", args, ("door", "open", *where))
