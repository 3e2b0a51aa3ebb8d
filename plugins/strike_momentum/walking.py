"""Walking: the cost of ground, paths past allies and enemies, shared spaces (WSH-02, 07, 17)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.plugin import Args, Procedure, Refused, Sets, World
from strike_cli.plugin.board import Grid, Square, footprint, format_square, grid_of

from .action_costs import MOVEMENT, must_be_able_to_act
from .checks_and_defense_rolls import contested_check, pick_skill
from .damage_and_healing import Blow, deal_blow
from .damage_reduction import DamagePart
from .facts import MomentumExposed, MomentumMoved, MomentumRevealed
from .fight_state import Battle
from .refusals import CantMove, OnItAlready
from .statuses import TAKING_COVER, end_broken_grabs, has_effect_flag, is_beside_half_cover, remove_statuses
from .targeting import enemies_who_see

if TYPE_CHECKING:
    from .data import MomentumMoveData

FORCING_SKILLS, BLOCKING_SKILLS = ("raw-force", "athletics", "nimbleness"), ("raw-force", "athletics")
"""The Skills that force a way through an enemy's space, and those that keep others out (WSH-17)."""


class WalkTo(Args):
    """The arguments of `momentum move`: who walks to which square.

    `through` is an enemy whose space the walker tries to pass by force.
    """

    who: str
    to: str
    through: str = ""
    skill: str = ""
    their_skill: str = ""


def play_move(world: World, args: WalkTo) -> Procedure[MomentumMoveData]:
    """Play `momentum move`: walk to a square on the shortest path.

    If the path leads through the space of the enemy in `args.through`, the walker and then the enemy roll
    dice. If the walker fails, the walk ends before that space. Raises Refused if the walker can't go to the
    square.
    """
    battle = Battle(world)
    must_be_able_to_act(battle, args.who)
    if has_effect_flag(battle, args.who, "stuck"):
        raise CantMove(battle.name(args.who))
    if args.through and battle.require_present(args.through)["side"] == battle.side(args.who):
        raise Refused("Allies' spaces are open anyway.", "Leave out --through.")
    way = _find_affordable_path(battle, args)
    stopped = ""
    if args.through and any(args.through in _others_in_space_at(battle, args.who, square) for square in way):
        ours = pick_skill(battle, args.who, FORCING_SKILLS, args.skill)
        theirs = pick_skill(battle, args.through, BLOCKING_SKILLS, args.their_skill)
        if not (yield from contested_check(world, args.who, ours, args.through, theirs))["success"]:
            way = _path_stopping_before_foe(battle, args.who, way, args.through)
            stopped = args.through
    start = battle.at(args.who)
    cost = _path_cost(battle, args, way)
    end = way[-1] if way else start
    paid = MOVEMENT.pay(battle, args.who, cost)
    moved = MomentumMoved(args.who, format_square(start), format_square(end), stopped)
    yield world.tell(moved, {**paid, **changes_to_square_with_riders(battle, args.who, end)})
    yield from play_arrival_effects(world, args.who)
    after = Battle(world).people[args.who]
    return {
        "who": args.who,
        "from": format_square(start),
        "to": after.get("at"),
        "path": [format_square(square) for square in way],
        "stopped_by": stopped or None,
        "movement_left": after["movement"],
    }


def _others_in_space_at(battle: Battle, combatant: str, square: Square) -> list[str]:
    return battle.combatants_on(
        footprint(square, battle.size(combatant)), except_for=(combatant, *battle.riders(combatant))
    )


def _find_affordable_path(battle: Battle, args: WalkTo) -> list[Square]:
    """Return the squares of a walk, without the square where it begins; the last is where it ends.

    Raises OnItAlready for the walker's own square, NotOnMap for a square off the map, and Refused for a
    square that is taken, can't be reached or is too far.
    """
    combatant, name = args.who, battle.name(args.who)
    goal, left = battle.square_on_map(args.to), battle.people[combatant]["movement"]
    if goal == battle.at(combatant):
        raise OnItAlready(name, args.to, "Name another square.")
    if not _may_stand_at(battle, combatant, goal):
        raise Refused(f"{name} can't stop on {args.to}.", "That square is taken; name a free square.")
    way = _walking_grid(battle, args).shortest_path(
        battle.at(combatant),
        goal,
        passable=battle.passable(combatant, args.through),
        size=battle.size(combatant),
    )
    if way is None:
        raise Refused(
            f"No path leads {name} to {args.to}.", "--through FOE forces a way through an enemy's space."
        )
    cost = _path_cost(battle, args, way[1:])
    if cost > left:
        raise Refused(
            f"It is {cost} m to {args.to}, and {name} has {left} m left.",
            f"`strike momentum act {combatant} move` gives more for 1 AP, "
            f"`strike momentum act {combatant} sprint` for 3.",
        )
    return way[1:]


def _walking_grid(battle: Battle, args: WalkTo) -> Grid:
    """Return the map for a walk. The space of the enemy `args.through` counts as difficult ground."""
    grid = battle.grid
    if not args.through:
        return grid
    return grid_of(battle.data["map"], frozenset({*grid.rough, *battle.squares(args.through)}))


def _may_stand_at(battle: Battle, combatant: str, goal: Square) -> bool:
    size = battle.size(combatant)
    return battle.grid.fits(goal, size) and all(map(battle.standable(combatant), footprint(goal, size)))


def _path_cost(battle: Battle, args: WalkTo, path: list[Square]) -> int:
    grid = _walking_grid(battle, args)
    return sum(grid.step_cost(square, size=battle.size(args.who)) for square in path)


def _path_stopping_before_foe(battle: Battle, combatant: str, path: list[Square], foe: str) -> list[Square]:
    """Return the part of the path `path` that lies before a foe's space.

    This part ends on a square where the combatant may stop. It is empty if there is no such square.
    """
    reached: list[Square] = []
    for square in path:
        if foe in _others_in_space_at(battle, combatant, square):
            break
        reached.append(square)
    while reached and not _may_stand_at(battle, combatant, reached[-1]):
        reached.pop()
    return reached


# Standing elsewhere


def changes_to_square_with_riders(battle: Battle, combatant: str, square: Square) -> Sets:
    """Return the changes that put a combatant and their riders on a square."""
    sets = battle.sets(combatant, at=format_square(square), lean="", on="")
    for rider in battle.riders(combatant):
        sets |= battle.sets(rider, at=format_square(square), lean="")
    return sets


def play_arrival_effects(world: World, combatant: str) -> Procedure[None]:
    """Play what happens when a combatant arrives on a new square.

    Grabs may end, and so may taking cover. Hidden people may be seen. Zones on the square may deal damage.
    """
    yield from end_broken_grabs(world)
    battle = Battle(world)
    if not is_beside_half_cover(battle, combatant):
        gone = [one for one in battle.people[combatant].get("statuses", ()) if one["id"] == TAKING_COVER]
        yield from remove_statuses(world, combatant, gone)
    yield from reveal_or_expose_seen_combatants(world)
    yield from deal_zone_damage(world, combatant)


def reveal_or_expose_seen_combatants(world: World) -> Procedure[None]:
    """Reveal the hidden combatants whom an enemy can see (WSH-07).

    Combatants whose turn it is are only marked as exposed: they stay hidden until the turn ends.
    """
    for combatant in list(Battle(world).combatants_there()):
        battle = Battle(world)
        if not battle.people[combatant].get("hidden") or not (seen_by := enemies_who_see(battle, combatant)):
            continue
        if battle.is_acting(combatant):
            yield world.tell(MomentumExposed(combatant), battle.sets(combatant, exposed=True))
        else:
            yield from reveal_combatant(world, combatant, seen_by[0])


def reveal_combatant(world: World, target: str, by: str = "") -> Procedure[None]:
    """End a combatant's hiding. `by` is the enemy who sees them; "" for any other reason."""
    sets = Battle(world).sets(target, hidden=False, exposed=False)
    yield world.tell(MomentumRevealed(target, by), sets)


def deal_zone_damage(world: World, combatant: str) -> Procedure[None]:
    """Deal the damage of the zones in which a combatant stands, such as fire or thorns."""
    battle = Battle(world)
    own = {format_square(square) for square in battle.squares(combatant)}
    for zone in battle.zones.values():
        if zone.get("damage") and own.intersection(zone["squares"]) and Battle(world).is_up(combatant):
            yield from deal_blow(world, combatant, Blow([DamagePart("physical", zone["damage"])]))
