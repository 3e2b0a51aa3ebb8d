"""Joining a fight that is under way, and leaving one (STR-TAC-01, 15)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from strike_cli.kernel.procedure import Args, Procedure, Sets, World
from strike_cli.problems import Refused
from strike_cli.refusals import NoSheet, WhereTheyComeIn
from strike_cli.tabletop.grid import Square, footprint, format_square
from strike_cli.tabletop.hand_facts import Joined, Left
from strike_cli.tabletop.newcomers import name_them, room_for
from strike_cli.tabletop.turn_order import INITIATIVE, INITIATIVES, Entry, begun, entries_of

from ..board.auras import begin_auras
from ..facts.initiative import InitiativeRolled
from ..fight import ENEMIES, PARTY, Actor, Fight, path_of, square_named
from ..harm import let_go, nothing_left, settle
from ..numbers import numbers
from .creatures import combatant
from .objective import is_way_out
from .setup import initiative_groups, roll_initiative

if TYPE_CHECKING:
    from ..data import JoinData, LeaveData


class Join(Args):
    """So many of a character or creature, on the squares `at`, those who have none of their own next to the
    first; on the usual side, unless said."""

    ref: str
    at: Sequence[str]
    count: int = 1
    side: Literal["", "party", "enemies"] = ""


class Leave(Actor):
    """`why` says how they get away where an enemy is near."""

    why: str = ""


def play_join(world: World, args: Join) -> Procedure[JoinData]:
    """`combat join`: newcomers, each with a place in the order where initiative has been rolled.

    They act in this round where their place is still to come. A character who left comes back as they were,
    to the place that they had; their statuses have ended.
    """
    fight, ref, count = Fight(world), args.ref, args.count
    known = fight.data["combatants"]
    spots = [square_named(square) for square in args.at]
    character = world.book.characters.get(ref)
    if character is not None and ref in known and known[ref].get("out") == "left":
        return (yield from _come_back(world, ref, spots[0]))
    if character is not None and ref in known:
        raise Refused(f"{character['name']} is in this fight{_gone(known[ref])}.", "`strike combat show`")
    if ref not in world.book.creatures and character is None:
        raise NoSheet(repr(ref), "`strike content list creatures`")
    if not spots or count < 1:
        raise WhereTheyComeIn("--at C7 says it.")
    sheet, side = character or world.book.creatures[ref], args.side or (PARTY if character else ENEMIES)
    _must_be_free(fight, spots, sheet.get("size", 1), sheet["name"])
    taken = fight.occupied()
    squares = room_for(fight.grid, sheet.get("size", 1), count, spots, taken, sheet["name"])
    named = name_them(world, ref, count, known, uncounted="seen" in fight.data)
    names = [(ref, sheet["name"])] if character else list(named)
    newcomers = []
    for (key, name), square in zip(names, squares, strict=True):
        sets = {f"fight.combatants.{key}": combatant(world, ref, side, square, name)}
        yield world.tell(Joined(key), sets)
        yield from begin_auras(world, key)
        newcomers.append(key)
    rolls = []
    if fight.data["round"]:
        for group in initiative_groups(fight, newcomers):
            for rolled in (yield from roll_initiative(fight, group[0])):
                rolls.append(rolled.as_json())
                yield from take_places(world, group, rolled.total)
    return {"joined": newcomers, "rolls": rolls, "order": fight.data.get("order", [])}


def _come_back(world: World, who: str, square: Square) -> Procedure[JoinData]:
    fight = Fight(world)
    name = fight.name(who)
    _must_be_free(fight, [square], fight.size(who), name)
    sets = {path_of(who, "at"): format_square(square), path_of(who, "out"): None}
    yield world.tell(Joined(who, back=True), sets)
    yield from begin_auras(world, who)
    yield from settle(world, who)
    return {"joined": [who], "rolls": [], "order": fight.data.get("order", [])}


def _gone(one: Mapping[str, object]) -> str:
    return ", Taken Out" if one.get("out") == "taken-out" else ""


def _must_be_free(fight: Fight, spots: Sequence[tuple[int, int]], size: int, name: str) -> None:
    taken = fight.occupied()
    for spot in spots:
        if not fight.grid.fits(spot, size) or not taken.keys().isdisjoint(footprint(spot, size)):
            raise Refused(
                f"There is no room for {name} there.", "`strike combat map` shows who stands where."
            )


def take_places(world: World, group: Sequence[str], total: int) -> Procedure[None]:
    """Places in the order by initiative: of those who rolled the same enemies come before the party, and
    newcomers after their own side. Who never rolled goes by whoever they come after."""
    fight = Fight(world)
    side, people = fight.side(group[0]), fight.data["combatants"]
    places = entries_of(fight.data, people)

    def comes_after(other: Entry) -> bool:
        if other.initiative is None:
            return False
        tied = other.initiative == total and side == ENEMIES and fight.side(other.who) != ENEMIES
        return other.initiative < total or tied

    place = next((number for number, other in enumerate(places) if comes_after(other)), len(places))
    past = any(begun(fight.data, people)[place:])
    order = [other.who for other in places]
    order[place:place] = group
    sets: Sets = {"fight.order": order}
    for who in group:
        one = fight.combatant(who)
        sets[path_of(who, INITIATIVE)] = max(total, one.get(INITIATIVE, total))
        if INITIATIVE in one:  # a second turn of theirs
            totals = [*one.get(INITIATIVES, [one[INITIATIVE]]), total]
            sets[path_of(who, INITIATIVES)] = sorted(totals, reverse=True)
        if past:
            sets |= fight.count_turn(who)
    yield world.tell(InitiativeRolled(group[0], group=group, total=total), sets)


def play_leave(world: World, args: Leave) -> Procedure[LeaveData]:
    """`combat leave`: somebody is out of the fight by their own choice, far from every enemy, or as the story
    has it (STR-TAC-15)."""
    fight = Fight(world)
    who, name = args.who, fight.name(args.who)
    fight.must_be_in(who)
    near = fight.nearest_enemy(who) if fight.is_on_map(who) else None
    safe = numbers()["defaults"]["leave_distance"]
    if not args.why and near is not None and near < safe and not is_way_out(fight.data, who):
        squares = f"{near} square{'' if near == 1 else 's'}"
        raise Refused(
            f"{name} is {squares} from an enemy, and leaving takes {safe}.",
            "--why says how they get away all the same: in surrender, unseen, by the story.",
        )
    yield from go(world, who, Left(who, args.why.rstrip(".")))
    return {"who": who, "decided": fight.decided()}


def go(world: World, who: str, told: Left) -> Procedure[None]:
    """Somebody is out of the fight without being Taken Out, with what they kept up; a turn of theirs that is
    under way is over."""
    fight = Fight(world)
    sets: Sets = {**nothing_left(fight, who), path_of(who, "out"): "left"}
    if fight.data.get("active") == who:
        sets |= {"fight.active": None, "fight.turn": None, "fight.due": None, **fight.count_turn(who)}
    yield world.tell(told, sets)
    yield from let_go(world, who)
