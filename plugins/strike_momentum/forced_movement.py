"""Forced movement: pushes and pulls, collisions, teleports (WSH-19, 20)."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from strike_cli.plugin import Args, Data, Procedure, Refused, World
from strike_cli.plugin.board import Square, distance, footprint, format_square
from strike_cli.plugin.dice import ADVANTAGE, Source

from .checks_and_defense_rolls import defense_roll
from .damage_and_healing import Blow, deal_blow
from .damage_reduction import ALL_ARMOR, DamagePart, IgnoredArmor
from .facts import LargerThan, MomentumCollided, MomentumPushed, MomentumTeleported
from .fight_state import Battle
from .sheet_and_formulas import collision_damage, teleport_onto_creature_damage
from .walking import changes_to_square_with_riders, play_arrival_effects

if TYPE_CHECKING:
    from .data import ForcedTold, MomentumPushData, MomentumTeleportData

OBSTACLES = "#+"
"""The signs on a map for objects with which somebody can collide; the edge of the map is none."""


class Push(Args):
    """The arguments of `momentum push`: `who` is moved by `meters`, away from `from_`.

    With `pull`, `who` is moved towards `from_`. A creature in the way makes a Defense Roll against `power`;
    by default this is the DR Power of `from_`.
    """

    who: str
    meters: int
    from_: str
    power: int | None = None
    pull: bool = False


class Teleport(Args):
    """The arguments of `momentum teleport`: a combatant, and a square."""

    who: str
    to: str


def forced_to(to: Square, damage: int = 0, into: str = "", success: bool = False) -> ForcedTold:
    """Return the result of forced movement to a square."""
    return {"to": format_square(to), "damage": damage, "into": into, "success": success}


def play_push(world: World, args: Push) -> Procedure[MomentumPushData]:
    """Play `momentum push`: the game master pushes or pulls a combatant.

    A collision also damages the combatant who is moved. Dice: a creature in the way makes a STR Defense Roll.
    """
    battle = Battle(world)
    battle.require_present(args.who)
    battle.require_present(args.from_)
    power = battle.sheet(args.from_).defense_roll_power if args.power is None else args.power
    forced = yield from push_or_pull_straight(world, args.who, args.from_, args.meters, power, pull=args.pull)
    data: Data = {"who": args.who, **forced}
    if forced["damage"]:
        came = yield from deal_blow(
            world, args.who, Blow([DamagePart("physical", forced["damage"])], by=args.from_)
        )
        data = {**data, **came}
    return cast("MomentumPushData", data)


def push_or_pull_straight(
    world: World, target: str, by: str, meters: int, power: int, *, pull: bool = False
) -> Procedure[ForcedTold]:
    """Push or pull a target up to `meters` in a straight line, until something is in the way (WSH-19).

    If a creature is in the way, that creature makes a STR Defense Roll. It has Advantage if it is larger than
    the target. It takes Physical damage from the collision, which a success halves.

    The target takes no damage of the collision here. The result has it as `damage`, and the caller has to
    deal it. A target that a zone kills where it arrives collides with nothing.
    """
    battle = Battle(world)
    right, down = _push_direction(battle, by, target, pull)
    here, size = battle.at(target), battle.size(target)
    blocked, there = "", list[str]()
    for _ in range(meters if (right or down) else 0):
        step = here[0] + right, here[1] + down
        if pull and set(footprint(step, size)) & set(battle.squares(by)):
            break
        there = battle.combatants_on(footprint(step, size), except_for=(target, *battle.riders(target)))
        if there:
            break
        if step not in battle.grid.neighbours(here, size):
            blocked = "".join(battle.grid.sign_at(square) for square in footprint(step, size)).strip()
            break
        here = step
    if here != battle.at(target):
        yield world.tell(
            MomentumPushed(target, format_square(here), pull),
            changes_to_square_with_riders(battle, target, here),
        )
        yield from play_arrival_effects(world, target)
        if "out" in Battle(world).people[target]:  # a zone on the way killed it
            return forced_to(here)
    if there:
        return (yield from _collide_and_hurt_only_other(world, target, there[0], meters, power, here))
    if any(sign in OBSTACLES for sign in blocked):
        damage = collision_damage(meters, False)
        yield world.tell(MomentumCollided(target, damage=damage))
        return forced_to(here, damage, "obstacle")
    return forced_to(here)


def _push_direction(battle: Battle, by: str, target: str, pull: bool) -> Square:
    """Return the direction in which a push or pull moves `target`, as a step of one square.

    The step leads away from `by` or, with `pull`, towards `by`.
    """
    (x, y), (a, b) = battle.at(by), battle.at(target)
    half_by, half_who = battle.size(by) - 1, battle.size(target) - 1
    across, along = 2 * a + half_who - 2 * x - half_by, 2 * b + half_who - 2 * y - half_by
    most = max(abs(across), abs(along))
    sign = -1 if pull else 1
    return sign * _axis_step(across, most), sign * _axis_step(along, most)


def _axis_step(part: int, most: int) -> int:
    """Return the step that a direction has along one of the two axes: 1, -1 or 0.

    `part` is the distance along this axis, and `most` is the larger of the distances along both axes. The
    step is 0 if `part` is 0, or shorter than half of `most`.
    """
    return 0 if 2 * abs(part) < most or not part else 1 if part > 0 else -1


def _collide_and_hurt_only_other(
    world: World, combatant: str, other: str, meters: int, power: int, here: Square
) -> Procedure[ForcedTold]:
    battle = Battle(world)
    larger = battle.size_category(other) > battle.size_category(combatant)
    why = [Source(ADVANTAGE, LargerThan(combatant))] if larger else []
    yield world.tell(MomentumCollided(combatant, other))
    resisted = yield from defense_roll(world, other, "str", power, why=why)
    damage = collision_damage(meters, resisted.success)
    yield from deal_blow(world, other, Blow([DamagePart("physical", damage)]))
    return forced_to(here, damage, other, resisted.success)


def play_teleport(world: World, args: Teleport) -> Procedure[MomentumTeleportData]:
    """Play `momentum teleport`: the game master teleports a combatant to a square."""
    Battle(world).require_present(args.who)
    forced = yield from teleport_or_collide(world, args.who, Battle(world).square(args.to))
    return {"who": args.who, **forced}


def teleport_or_collide(world: World, combatant: str, square: Square) -> Procedure[ForcedTold]:
    """Teleport a combatant to a square.

    If another combatant is in the way there, nobody moves. Instead, both combatants take Reality damage that
    Armor doesn't reduce (WSH-20). The damage is the distance in metres, up to a limit. Raises Refused if a
    wall or the edge of the map leaves no room.
    """
    battle = Battle(world)
    size, way = battle.size(combatant), distance(battle.at(combatant), square)
    if not battle.grid.fits(square, size):
        raise Refused(
            f"There is no room for {battle.name(combatant)} on {format_square(square)}.",
            "Name a square without a wall.",
        )
    there = battle.combatants_on(footprint(square, size), except_for=(combatant, *battle.riders(combatant)))
    if not there:
        yield world.tell(
            MomentumTeleported(combatant, format_square(square)),
            changes_to_square_with_riders(battle, combatant, square),
        )
        yield from play_arrival_effects(world, combatant)
        return forced_to(square)
    damage = teleport_onto_creature_damage(way)
    yield world.tell(MomentumCollided(combatant, there[0], teleported=True))
    for one in (combatant, there[0]):
        yield from deal_blow(
            world, one, Blow([DamagePart("reality", damage)], ignoring=IgnoredArmor(ALL_ARMOR))
        )
    return forced_to(battle.at(combatant), damage, there[0])
