"""Rounds and turns: a side acts together, everybody with a move and one significant action (GRT-03)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.plugin import Args, Procedure, Refused, Sets, World, listed
from strike_cli.plugin.board import Square, format_square
from strike_cli.plugin.refusals import DoorAlreadyInPosition
from strike_cli.plugin.tactics import ENEMIES, PARTY, numbers_left

from .facts import DEAD, GritActed, GritDoorMoved, GritEnded, GritMoved, GritSideBegan
from .fight_state import GritFight
from .harm import people_with_deferred_damage
from .morale import due_saves_as_data_by_combatant
from .movement_and_distances import (
    CRAWLED,
    find_path_within_movement,
    moved_record_of_combatant_after_path,
    path_cost,
    place_on_map,
    squares_left_to_move,
    uses_worded_places,
)
from .vitals import KEPT, full_strength_numbers, sheet_of

if TYPE_CHECKING:
    from .data import GritActData, GritDoorData, GritEndData, GritMoveData, GritNextData


class GritMove(Args):
    """The arguments of `grit move`: the combatant, and the square or the place in words to move to."""

    who: str
    to: str


class SetGritDoor(Args):
    """The arguments of `grit door`: a door, and whether it is to be `open`.

    With `beyond`, the door is in the wall between the squares `at` and `beyond`. Without it, the door is any
    door at the square `at`, or in a wall beside this square.
    """

    at: str
    beyond: str = ""
    open: bool = True


class SignificantAction(Args):
    """The arguments of `grit act`: a significant action other than an attack, in words."""

    who: str
    text: str


class Next(Args):
    """The arguments of `grit next`, which takes none."""


class EndGritFight(Args):
    """The arguments of `grit end`: the outcome in words, if any."""

    outcome: str = ""


def play_move(world: World, args: GritMove) -> Procedure[GritMoveData]:
    """Play `grit move`: a combatant moves within the round's movement.

    The incapacitated crawl one square (GRT-08). Raises Refused if no movement is left in this round, or if
    the place can't be reached.
    """
    fight = GritFight(world)
    one, crawls = (
        fight.must_be_able_to_act_on_own_turn(args.who, or_crawl=True),
        fight.can_only_crawl(args.who),
    )
    left = squares_left_to_move(fight, args.who)
    if left < 1:
        raise Refused(f"{one['name']} has moved in round {fight.round}.", "`strike grit next` goes on.")
    here, to, cost, way = place_on_map(fight, args.who), args.to.strip(), left, list[Square]()
    if not uses_worded_places(fight) and here:
        goal = fight.square_on_map(to)
        way = find_path_within_movement(fight, args.who, goal)
        to, cost = to.upper(), CRAWLED if crawls else path_cost(fight, args.who, way, here.size)
    elif crawls:
        raise Refused(
            f"{one['name']} can only crawl one square in a round, and can't reach another place.",
            f"First aid gets them up: `strike grit aid WHO {args.who}`.",
        )
    if not to or to == one.get("at"):
        raise Refused(f"{one['name']} is there.", "Name another square or place.")
    sets = fight.sets(args.who, at=to, moved=moved_record_of_combatant_after_path(fight, args.who, cost, way))
    telling = (
        GritMoved(args.who, place=to) if uses_worded_places(fight) else GritMoved(args.who, to, crawls=crawls)
    )
    yield world.tell(telling, sets)
    path = [format_square(square) for square in way[1:]]
    return {"who": args.who, "from": one.get("at"), "to": to, "path": path, "left": left - cost}


def play_door(world: World, args: SetGritDoor) -> Procedure[GritDoorData]:
    """Play `grit door`: open or close a door. This costs no action.

    Raises Refused in a fight without a map. Raises DoorAlreadyInPosition if an open door is to be opened, or
    a closed one closed.
    """
    fight = GritFight(world)
    if "map" not in fight.data:
        raise Refused("This fight has no map.", "Without a map the table keeps track of doors.")
    square, beyond = fight.square(args.at), fight.square(args.beyond) if args.beyond else None
    changed = fight.changes_moving_door(square, beyond, args.open)
    at = format_square(square) + (f" to {format_square(beyond)}" if beyond else "")
    doing = "open" if args.open else "closed"
    if not changed:
        raise DoorAlreadyInPosition(at, doing, "`strike grit show` has the map.")
    sets = {f"grit.map.{key}": value for key, value in changed.items()}
    moved_one = GritDoorMoved(format_square(square), args.open, format_square(beyond) if beyond else "")
    yield world.tell(moved_one, sets)
    return {"at": at, "open": args.open}


def play_act(world: World, args: SignificantAction) -> Procedure[GritActData]:
    """Play `grit act`: a significant action in words. No Save is rolled here.

    For a risky action, the people at the table make a Save with `grit save`.
    """
    fight = GritFight(world)
    one = fight.must_be_free_to_act(args.who)
    if not args.text.strip():
        raise Refused(f"What does {one['name']} do?", 'Give it: `strike grit act sam "bars the gate"`.')
    yield world.tell(GritActed(args.who, doing=args.text.strip()), fight.changes_marking_acted(args.who))
    return {"who": args.who, "text": args.text.strip()}


def changes_giving_turn_and_action(world: World, combatant: str) -> Sets:
    """Return the changes to the state that begin the turn of a combatant's side.

    Of the side, only this combatant gets the significant action of the round back. If the combatant isn't in
    the fight, the result is empty.
    """
    fight = GritFight(world)
    if combatant not in fight.people:
        return {}
    return {"grit.active": fight.side(combatant), **fight.sets(combatant, acted=None)}


def play_next(world: World, args: Next) -> Procedure[GritNextData]:
    """Play `grit next`: the turn goes to the other side; after both sides, a new round begins.

    Raises Refused while Direct Damage or a Morale Save is due, and if nobody is up.
    """
    fight = GritFight(world)
    if waiting := people_with_deferred_damage(fight):
        names = listed(fight.people[combatant]["name"] for combatant in waiting)
        raise Refused(f"Direct Damage needs a Save: {names}.", "`strike grit settle` first.")
    if waiting := [one["who"] for one in due_saves_as_data_by_combatant(fight)]:
        names = listed(fight.people[combatant]["name"] for combatant in waiting)
        saves = "A Morale Save is" if len(waiting) == 1 else "Morale Saves are"
        raise Refused(f"{saves} due: {names}.", f"`strike grit morale {waiting[0]}` first.")
    sides = [side for side in (PARTY, ENEMIES) if any(fight.combatants_up_or_able_to_crawl(side))]
    if not any(fight.combatants_up()):
        raise Refused("Nobody is left standing.", "`strike grit end` ends the fight.")
    to_come = [side for side in sides if side == ENEMIES and fight.active == PARTY]
    side, number = (to_come[0], fight.round) if to_come else (sides[0], fight.round + 1)
    sets = {"grit.active": side, "grit.round": number}
    yield world.tell(GritSideBegan(side, 0 if to_come else number), sets)
    return {"round": number, "active": side}


def play_end(world: World, args: EndGritFight) -> Procedure[GritEndData]:
    """Play `grit end`, which ends the fight.

    The characters keep their numbers. The story decides what becomes of everybody else.
    """
    fight = GritFight(world)
    sets: Sets = {"grit": None}
    for one in fight.people.values():
        ref = one["ref"]
        if ref in world.book.characters:
            left_over = numbers_left(one, full_strength_numbers(sheet_of(world, ref)), KEPT)
            if left_over.get("out") != DEAD:  # people who fled or surrendered may return
                left_over.pop("out", None)
            sets[f"characters.{ref}.grit"] = left_over or None
    left = {side: list(fight.combatants_up(side)) for side in (PARTY, ENEMIES)}
    standing = [side for side in (PARTY, ENEMIES) if left[side]]
    said, field = args.outcome.strip(), standing[0] if len(standing) == 1 else "undecided"
    outcome = said or OUTCOME_WORDS[field]
    details: GritEndData = {"outcome": outcome, "rounds": fight.round, "up": left}
    yield world.tell(GritEnded(fight.data["name"], field, said), sets)
    return details


OUTCOME_WORDS = {
    PARTY: "the party holds the field",
    ENEMIES: "the enemies hold the field",
    "undecided": "undecided",
}
"""The outcome of a fight, in the data of `grit end`."""
