"""Charging: a straight move to an enemy and a Melee Basic Attack, with one Attack Action (STR-TAC-13)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.kernel.state_changes import cached_values_of
from strike_cli.problems import Refused
from strike_cli.tabletop.active_effects import can_fly, effect_banning
from strike_cli.tabletop.dice import ADVANTAGE, DISADVANTAGE, PLAIN, mode_of
from strike_cli.tabletop.distance_units import SQUARES
from strike_cli.tabletop.grid import Square, distance_between_spaces, footprint, format_square

from ..board.areas import with_combatant_and_zones_at
from ..board.move import ask_whether_to_stay, make_walk_data, walk_path_until_stopped
from ..board.opportunity_attacks import make_provocation_counter
from ..board.sight_and_hiding import is_hidden_from, known_occupied_squares, must_see
from ..facts.movement_and_sight import Stayed
from ..facts.powers_and_fight_events import Noted
from ..facts.turns_and_actions import CantAttack
from ..fight_state import Fight, action_taken_fact
from .power_use import attack_roll_reasons, perform_power, power_result
from .powers_and_targets import (
    ActorWithRollReasons,
    Aim,
    PowerUse,
    aim_power,
    melee_ban,
    must_be_usable,
    require_power_as_user_has_it,
)
from .standard_powers_and_use_limits import MELEE_BASIC, Power

if TYPE_CHECKING:
    from ..data import ChargeData


class Charge(ActorWithRollReasons):
    """The arguments of `combat charge`: a target, and the square `to` at which the charge ends.

    If `to` is "", the charge ends at the best square.
    """

    target: str
    to: str = ""

    RETIRED = ("sure",)


def play_charge(world: World, args: Charge) -> Procedure[ChargeData]:
    """Play `combat charge`.

    Returns the attack's data; its key `charge` has the squares walked before the attack. Raises Refused if no
    path is a legal charge.
    """
    fight, combatant, target = Fight(world), args.who, args.target
    action = fight.action_to_spend(combatant, "attack")
    power = require_power_as_user_has_it(fight, combatant, MELEE_BASIC)
    must_be_usable(fight, combatant, power)
    way = least_provoking_charge_path(fight, combatant, power, target, args.to)
    if world.confirms and (yield from ask_whether_to_stay(fight, combatant, way)):
        here = format_square(fight.at(combatant))
        yield world.tell(Stayed(combatant, here))
        none = power_result(fight, PowerUse(combatant, power, Aim(())))
        return {**none, "charge": make_walk_data(here, here)}
    yield action_taken_fact(fight, combatant, action, "charge")
    gone = yield from walk_path_until_stopped(world, combatant, way, charging=True)
    aim = yield from _aim_after_charge_if_possible(world, combatant, power, target, way[-1])
    if aim:
        attack = yield from perform_power(
            world, PowerUse(combatant, power, aim, args.sources, args.modifiers)
        )
    else:
        attack = power_result(fight, PowerUse(combatant, power, Aim(())))
    attack["opportunities"] = [*gone["opportunities"], *attack["opportunities"]]
    return {**attack, "charge": gone}


def _aim_after_charge_if_possible(
    world: World, actor: str, power: Power, target: str, end: Square
) -> Procedure[Aim | None]:
    """Return the aim of the attack at the end of a charge, or None if no attack is possible.

    If the charge was stopped, the charging creature can't act, or the target is out of the fight, return
    None. If the attack can't be aimed at the target for any other reason, report this and return None.
    """
    fight = Fight(world)
    arrived = not fight.is_out(actor) and fight.at(actor) == end
    if not arrived or effect_banning(world, actor, "act") or fight.is_out(target):
        return None
    try:
        return aim_power(fight, actor, power, [target])
    except Refused:
        ban = melee_ban(fight, actor, target)
        yield world.tell(Noted(actor, CantAttack(actor, target=target, because=ban.reason if ban else "")))
        return None


def least_provoking_charge_path(
    fight: Fight, actor: str, power: Power, target: str, to: str = ""
) -> list[Square]:
    """Return the squares of a charge to a square from which the target can be attacked.

    The charge is no longer than the Speed. Each square is nearer to the target than the one before, and none
    is difficult. The path is one with the fewest Opportunities, and among these the one with the best odds.
    With `to`, the path ends at that square. Raises Refused if there is no such path.
    """
    known, asked = cached_values_of(fight.world), (_find_charge_path, actor, target, to)
    way: list[Square] | None = known.get(asked)
    if way is None:
        way = known[asked] = _find_charge_path(fight, actor, power, target, to)
    return way


def _find_charge_path(fight: Fight, actor: str, power: Power, target: str, to: str) -> list[Square]:
    name, named = fight.name(actor), fight.name(target)
    fight.must_be_in_fight(target)
    if is_hidden_from(fight, target, actor):
        must_see(fight, actor, target)
    start, apart = fight.at(actor), fight.gap(actor, target)
    if apart <= 1:
        raise Refused(f"{name} is next to {named} already.", "`strike combat attack` needs no charge.")
    speed, limit = fight.speed(actor)
    if apart - 1 > speed:
        because = f" ({limit.name})" if limit else ""
        raise Refused(f"{named} is {SQUARES.words(apart)} away; {name}'s Speed is {speed}{because}.")
    ways: dict[Square, tuple[int, list[Square]]] = {start: (0, [])}
    penalty, nearer = (
        make_provocation_counter(fight, actor),
        _make_next_squares_function(fight, actor, target),
    )
    for left in range(apart - 1, 0, -1):
        onward: dict[Square, tuple[int, list[Square]]] = {}
        for here, (given, way) in ways.items():
            for square in nearer(here, left):
                cost = given + penalty(here, square)
                if square not in onward or cost < onward[square][0]:
                    onward[square] = cost, [*way, square]
        ways = onward
    taken, size = known_occupied_squares(fight, actor), fight.size(actor)
    ways = {
        square: way
        for square, way in ways.items()
        if to in ("", format_square(square)) and taken.keys().isdisjoint(footprint(square, size))
    }
    if not ways:
        raise Refused(
            f"No straight path leads to {named}{f' on {to}' if to else ''}.",
            "Each square of a charge must be nearer than the last, and none difficult (STR-TAC-13).",
        )
    return _best_charge_path_allowing_attack(fight, actor, power, target, ways)


def _best_charge_path_allowing_attack(
    fight: Fight, actor: str, power: Power, target: str, paths: Mapping[Square, tuple[int, list[Square]]]
) -> list[Square]:
    """Return the best of several paths for a charge.

    `paths` maps the last square of each path to the number of Opportunities and the path. Paths that end
    where the attack isn't allowed are dropped. The best path has the fewest Opportunities, then the best
    odds. Raises Refused if no path is left, with the reason for the first one.
    """
    refusals: list[Refused] = []
    best: tuple[tuple[int, int, int], list[Square]] | None = None
    for square, (given, way) in sorted(paths.items(), key=lambda item: item[1]):
        if best and given > best[0][0]:
            break
        there = with_combatant_and_zones_at(fight, actor, square)
        try:
            aim_power(there, actor, power, [target])
        except Refused as refused:
            refusals.append(refused)
            continue
        bearing = attack_roll_reasons(there, actor, target, power, melee=True, first=True)
        mode = (ADVANTAGE, PLAIN, DISADVANTAGE).index(mode_of(bearing.sources))
        rank = (given, mode, -sum(each.value for each in bearing.modifiers))
        if best is None or rank < best[0]:
            best = rank, way
    if best is None:
        raise refusals[0]
    return best[1]


def _make_next_squares_function(
    fight: Fight, actor: str, target: str
) -> Callable[[Square, int], list[Square]]:
    """Return a function that finds the squares that a charging creature may enter next.

    The function takes the creature's present square, and the distance from the target that the next square
    must have. Unless the creature flies, it can't enter difficult squares, or squares where it knows of an
    enemy.
    """
    size, grid = fight.size(actor), fight.grid
    at, as_large = fight.at(target), fight.size(target)
    flying, side = can_fly(fight.world, actor), fight.side(actor)
    foes = {
        square for square, other in known_occupied_squares(fight, actor).items() if fight.side(other) != side
    }

    def squares_at_distance(here: Square, wanted_distance: int) -> list[Square]:
        return [
            square
            for square in grid.neighbours(here, size)
            if distance_between_spaces(square, size, at, as_large) == wanted_distance
            and (flying or foes.isdisjoint(footprint(square, size)))
            and (flying or not any(map(grid.is_difficult, footprint(square, size))))
        ]

    return squares_at_distance
