"""Plays the game master's commands for people in a scene: hide, place, join, leave, set a number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from strike_cli.refusals import NoSheet, StandsThere, ThereAlready, WhereTheyComeIn

from ...kernel.procedure import Args, Data, OfOne, Procedure, Sets, World
from ...kernel.statements import BeforeAfter
from ...problems import Refused, listed
from ...registry.gm_override_hooks import LEFT
from ...registry.system_declaration import System
from ...tabletop.gm_override_facts import Hidden, Joined, Left, MeterSet, Placed, Revealed
from ...tabletop.grid import Square, format_square, parse_square
from ...tabletop.reinforcements import find_room, name_creatures
from .scenes import SceneByHand, out_in_words

if TYPE_CHECKING:
    from ...tabletop.data import PersonKept


PARTY, ENEMIES = "party", "enemies"


class HideByHand(Args):
    """The arguments of `hide`: `who` hides.

    With `now` they succeed without any roll, by the game master's word.
    """

    who: str
    now: bool = False


class PlaceByHand(Args):
    """The arguments of `place`: whom to move, and the square to move them to.

    In a scene without a map, the person is moved to a place in words.
    """

    who: str
    to: str


class JoinByHand(Args):
    """The arguments of `join`: a character or creature (`ref`), how many join, and on which squares.

    If there are fewer squares than newcomers, the others stand next to them. `side` is by default "party" for
    a character and "enemies" for a creature.
    """

    ref: str
    at: Sequence[str] = ()
    count: int = 1
    side: Literal["", "party", "enemies"] = ""


class LeaveByHand(Args):
    """The arguments of `leave`: who leaves, and the reason in words."""

    who: str
    why: str = ""


def play_reveal(system: System, world: World, args: OfOne) -> Procedure[Data]:
    """Play `reveal`: somebody is no longer hidden.

    Raises Refused if they aren't hidden, or aren't in the scene.
    """
    table = SceneByHand(system, world, "reveal")
    table.present(args.who)
    reveals = table.hand.reveals(world, args.who)
    if reveals is not None:
        return (yield from reveals)
    if not table.people[args.who].get("hidden"):
        hidden = [person for person, one in table.people.items() if one.get("hidden") and "out" not in one]
        raise Refused(
            f"{table.name(args.who)} is not hidden.",
            f"Hidden: {listed(hidden)}." if hidden else "Nobody here is hidden.",
        )
    yield world.tell(Revealed(args.who), {table.path(args.who, "hidden"): None})
    return {"who": args.who, "hidden": False}


def play_hide(system: System, world: World, args: HideByHand) -> Procedure[Data]:
    """Play `hide`: by the system's rule for hiding or, with `now`, without any rule.

    Raises Refused if the person is hidden already, or if there is no such rule and not `now`.
    """
    table = SceneByHand(system, world, "hide")
    if table.present(args.who).get("hidden"):
        raise Refused(
            f"{table.name(args.who)} is hidden already.",
            f"`strike {system.name} reveal {args.who}` shows them.",
        )
    if not args.now:
        hides = table.hand.hides(world, args.who)
        if hides is None:
            raise Refused(
                "This game has no rule for hiding.",
                f"`strike {system.name} hide {args.who} --now` says that it has worked.",
            )
        return (yield from hides)
    sets: Sets = {table.path(args.who, "hidden"): True, **table.hand.sets_hidden(world, args.who)}
    yield world.tell(Hidden(args.who), sets)
    return {"who": args.who, "hidden": True}


def play_place(system: System, world: World, args: PlaceByHand) -> Procedure[Data]:
    """Play `place`: put somebody on another square, whatever lies between. No rule of movement applies.

    Raises Refused if the place isn't free, and StandsThere or ThereAlready if they are there already.
    """
    table = SceneByHand(system, world, "place")
    one, to = table.present(args.who), args.to.strip()
    here = one.get("at")
    if not table.has_squares:
        if not to or to == here:
            raise ThereAlready(table.name(args.who), "Name another place.")
        yield world.tell(Placed(args.who, place=to), {table.path(args.who, "at"): to})
        return {"who": args.who, "from": here, "to": to}
    square = table.square(to)
    to = format_square(square)
    if to == here:
        raise StandsThere(table.name(args.who), to, "Name another square.")
    table.must_be_free(square, table.size(args.who), table.name(args.who), skip=args.who)
    yield world.tell(Placed(args.who, to, here or ""), {table.path(args.who, "at"): to})
    yield from _update_what_is_seen(table)
    return {"who": args.who, "from": here, "to": to}


def _update_what_is_seen(table: SceneByHand) -> Procedure[None]:
    looked = table.hand.looked(table.world)
    if looked is not None:
        yield from looked


# Coming and going


def play_join(system: System, world: World, args: JoinByHand) -> Procedure[Data]:
    """Play `join`: add people to the scene from their sheets. Somebody who left comes back as they were."""
    table = SceneByHand(system, world, "join")
    book = world.book
    if args.ref in table.people and not _adds_another_creature(table, args.ref):
        return (yield from _return_to_scene(table, args))
    sheet = book.characters.get(args.ref) or book.creatures.get(args.ref)
    if sheet is None:
        raise NoSheet(repr(args.ref), "`strike content list creatures` has them.")
    is_character = args.ref in book.characters
    if args.count < 1 or (is_character and args.count > 1):
        raise Refused(f"{sheet['name']} can't come {args.count} times.", "Give a number of creatures.")
    side = args.side or (PARTY if is_character else ENEMIES)
    named = (
        [(args.ref, str(sheet["name"]))]
        if is_character
        else list(name_creatures(world, args.ref, args.count, table.people, uncounted="seen" in table.data))
    )
    size = int(sheet.get("size", 1))
    places = _places_of_newcomers(table, args, side, size, str(sheet["name"]))
    newcomers = []
    for (person_id, name), at in zip(named, places, strict=True):
        person: dict[str, object] = {"name": name, "ref": args.ref, "side": side, "size": size}
        person |= {"at": at} if at else {}
        person |= {key: sheet[key] for key in ("hidden", "image") if sheet.get(key)}
        whole = dict(table.hand.newcomer(world, args.ref, person))
        yield world.tell(Joined(person_id), {table.path(person_id, "")[:-1]: whole})
        newcomers.append(person_id)
    return (yield from _finish_joining(table, newcomers))


def _adds_another_creature(table: SceneByHand, ref: str) -> bool:
    """Return whether `join` adds another creature of the kind `ref`.

    It adds another if the first one is in the scene or is gone for good. Otherwise the first one comes back.
    A character is never added twice.
    """
    out = table.people[ref].get("out")
    return ref in table.world.book.creatures and (out is None or out in table.hand.gone_for_good)


def _places_of_newcomers(table: SceneByHand, args: JoinByHand, side: str, size: int, name: str) -> list[str]:
    """Return each newcomer's place: on or next to the named squares, or near people of their side.

    In a scene without squares it is a place in words, or "". Raises WhereTheyComeIn if no square is named and
    nobody of their side is on the map.
    """
    if not table.has_squares:
        return [(args.at[0].strip() if args.at else "")] * args.count
    spots = [table.square(text) for text in args.at] or _first_square_of_side(table, side)
    if not spots:
        raise WhereTheyComeIn("`--at C7` says it: nobody of their side stands on the map.")
    if args.at:
        for spot in spots:
            table.must_be_free(spot, size, name)
    return [format_square(at) for at in find_room(table.grid, size, args.count, spots, table.taken(), name)]


def _first_square_of_side(table: SceneByHand, side: str) -> list[Square]:
    found = []
    for one in table.people.values():
        if one.get("side") == side and "out" not in one and one.get("at"):
            found.append(parse_square(one["at"]))
    return found[:1]


def _return_to_scene(table: SceneByHand, args: JoinByHand) -> Procedure[Data]:
    person, one = args.ref, table.people[args.ref]
    name = table.name(person)
    if "out" not in one:
        raise Refused(
            f"{name} is here already.", f"`strike {table.system.name} show` lists the people there."
        )
    if one["out"] in table.hand.gone_for_good:
        raise Refused(f"{name} is {out_in_words(one['out'])}.", table.how_to_return(person))
    sets: Sets = {table.path(person, "out"): None, table.path(person, "gone_unseen"): None}
    if args.side:
        sets |= {table.path(person, "side"): args.side}
    if table.has_squares:
        sets |= {table.path(person, "at"): _place_of_returner(table, args, one)}
    elif args.at:
        sets |= {table.path(person, "at"): args.at[0].strip()}
    yield table.world.tell(Joined(person, back=True), sets)
    return (yield from _finish_joining(table, [person]))


def _place_of_returner(table: SceneByHand, args: JoinByHand, person: PersonKept) -> str:
    """Return the square on which somebody comes back.

    If a square is named, it is used. Otherwise the square is near the one where the person last was. If that
    isn't known, it is near the person's side. Raises Refused if none of these is known.
    """
    person_id, size = args.ref, table.size(args.ref)
    if args.at:
        square = table.square(args.at[0])
        table.must_be_free(square, size, table.name(person_id))
        return format_square(square)
    last = [parse_square(person["at"])] if person.get("at") else []
    spots = last or _first_square_of_side(table, args.side or person.get("side", ""))
    if not spots:
        raise Refused(f"Where does {table.name(person_id)} come back?", "`--at C7` says it.")
    return format_square(find_room(table.grid, size, 1, spots, table.taken(), table.name(person_id))[0])


def _finish_joining(table: SceneByHand, newcomers: Sequence[str]) -> Procedure[Data]:
    joined = table.hand.joined(table.world, newcomers)
    data = (yield from joined) if joined is not None else None
    yield from _update_what_is_seen(table)
    return {"joined": list(newcomers), **(data or {})}


def play_leave(system: System, world: World, args: LeaveByHand) -> Procedure[Data]:
    """Play `leave`: somebody leaves the scene, for a reason that the game master gives."""
    table = SceneByHand(system, world, "leave")
    table.present(args.who)
    leaves = table.hand.leaves(world, args.who, args.why)
    if leaves is not None:
        return (yield from leaves)
    sets: Sets = {table.path(args.who, "out"): LEFT, table.path(args.who, "hidden"): None}
    if table.data.get("active") == args.who:
        sets |= {f"{system.scene.key}.active": None}
    sets |= table.hand.left(world, args.who)
    yield world.tell(Left(args.who, args.why.strip().rstrip(".")), sets)
    return {"who": args.who, "why": args.why}


class SetByHand(Args):
    """The arguments of `set`: whose number, and its id (`meter`).

    `to` is the new value; if it is None, `by` is added to the present one.
    """

    who: str
    meter: str
    to: int | None = None
    by: int = 0


def play_set(system: System, world: World, args: SetByHand) -> Procedure[Data]:
    """Play `set`: set a number of somebody, or change it, with everything that follows from the new value.

    A change follows the system's rules of harm and healing, if it has any for that number. Raises Refused for
    an unknown number, or if nothing would change.
    """
    table = SceneByHand(system, world, "set")
    table.present(args.who)
    meters = table.meters(args.who)
    if args.meter not in meters:
        raise Refused(
            f"{table.name(args.who)} has no {args.meter!r}.", f"Numbers here: {listed(meters) or 'none'}."
        )
    meter = meters[args.meter]
    if args.to is None:
        if not args.by:
            raise Refused("+0 changes nothing.", "`7` sets a number; `+2` and `-4` change it.")
        changed = table.hand.changes(world, args.who, meter.id, args.by)
        if changed is not None:
            data = yield from changed
            return {"who": args.who, "meter": meter.id, "before": meter.value, **data}
    to = args.to if args.to is not None else meter.value + args.by
    if to == meter.value:
        raise Refused(f"{table.name(args.who)} has {meter.name} {meter} already.", "Nothing was changed.")
    written = table.hand.writes(world, args.who, meter.id, to)
    if written is not None:
        return {"who": args.who, "meter": meter.id, "before": meter.value, **(yield from written)}
    sets = table.hand.sets_number(world, args.who, meter.id, to)
    if sets is None:
        if to < 0 or (meter.most is not None and to > meter.most):
            most = f"0 to {meter.most}" if meter.most is not None else "0 or more"
            raise Refused(
                f"{meter.name} of {table.name(args.who)} is {most}, not {to}.", "Nothing was changed."
            )
        sets = {table.path(args.who, meter.id): to}
        if meter.vital and meter.most is not None:  # at 0 of a vital one a person is down
            sets = {**sets, table.path(args.who, "down"): True if to == 0 else None}
    told = MeterSet(args.who, meter.name, BeforeAfter(meter.value, to), meter.sign)
    yield world.tell(told, sets)
    return {"who": args.who, "meter": meter.id, "before": meter.value, "after": to}
