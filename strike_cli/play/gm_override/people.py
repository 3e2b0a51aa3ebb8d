"""Plays the game master's commands for people in a scene: hide, place, join, leave, set a number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from strike_cli.refusals import AlreadyOnSquare, NoEntrySquare, NoSheet

from ...kernel.procedure import Args, Data, PersonArgs, Procedure, Sets, World
from ...kernel.statements import BeforeAfter
from ...problems import Refused, listed
from ...registry.gm_override_hooks import LEFT
from ...registry.system_declaration import System
from ...tabletop.grid import Square, format_square, parse_square
from ...tabletop.new_creatures_and_made_up_content import (
    find_squares_on_spots_or_near_first,
    new_creature_ids_and_names,
)
from ...tabletop.scene_change_facts import Hidden, Joined, Left, MeterSet, Placed, Revealed
from .overridden_and_parked_scenes import OverriddenScene, out_in_words

if TYPE_CHECKING:
    from ...tabletop.data import PersonKept


PARTY, ENEMIES = "party", "enemies"


class HideArgs(Args):
    """The arguments of `hide`: `who` is the id of the person to hide.

    With `now` the person is hidden without any roll, by the game master's word.
    """

    who: str
    now: bool = False


class PlaceArgs(Args):
    """The arguments of `place`: `who` is the id of the person, and `to` the square to move to.

    In a scene without a map, `to` is a place in words.
    """

    who: str
    to: str


class JoinArgs(Args):
    """The arguments of `join`: a character or creature (`ref`), how many of it join, and on which squares.

    If more people join than squares are given, the rest are placed next to these squares. If `side` is "",
    characters join the party, and creatures join the enemies.
    """

    ref: str
    at: Sequence[str] = ()
    count: int = 1
    side: Literal["", "party", "enemies"] = ""


class LeaveArgs(Args):
    """The arguments of `leave`: `who` is the id of the person, and `why` the reason in words."""

    who: str
    why: str = ""


def play_reveal(system: System, world: World, args: PersonArgs) -> Procedure[Data]:
    """Play `reveal`: show a hidden person to everybody.

    Raises Refused if the person isn't hidden or isn't in the scene.
    """
    table = OverriddenScene(system, world, "reveal")
    table.require_present(args.who)
    reveals = table.hand.play_revealing(world, args.who)
    if reveals is not None:
        return (yield from reveals)
    if not table.people[args.who].get("hidden"):
        hidden = [person for person, one in table.people.items() if one.get("hidden") and "out" not in one]
        raise Refused(
            f"{table.name(args.who)} is not hidden.",
            f"Hidden: {listed(hidden)}." if hidden else "Nobody here is hidden.",
        )
    yield world.tell(Revealed(args.who), {table.state_path(args.who, "hidden"): None})
    return {"who": args.who, "hidden": False}


def play_hide(system: System, world: World, args: HideArgs) -> Procedure[Data]:
    """Play `hide`: a person tries to hide by the system's rule.

    With `now`, the person is hidden at once, and no rule is played. Raises Refused if the person is hidden
    already. Without `now`, it also raises Refused if the system has no rule for hiding.
    """
    table = OverriddenScene(system, world, "hide")
    if table.require_present(args.who).get("hidden"):
        raise Refused(
            f"{table.name(args.who)} is hidden already.",
            f"`strike {system.name} reveal {args.who}` shows them.",
        )
    if not args.now:
        hides = table.hand.play_hiding(world, args.who)
        if hides is None:
            raise Refused(
                "This game has no rule for hiding.",
                f"`strike {system.name} hide {args.who} --now` says that it has worked.",
            )
        return (yield from hides)
    sets: Sets = {
        table.state_path(args.who, "hidden"): True,
        **table.hand.changes_after_hiding(world, args.who),
    }
    yield world.tell(Hidden(args.who), sets)
    return {"who": args.who, "hidden": True}


def play_place(system: System, world: World, args: PlaceArgs) -> Procedure[Data]:
    """Play `place`: put a person on another square, without any rule of movement.

    In a scene without a map, the place is a name in words. Raises Refused if the square isn't free, if the
    name is empty, or if the person is there already.
    """
    table = OverriddenScene(system, world, "place")
    one, to = table.require_present(args.who), args.to.strip()
    here = one.get("at")
    if not table.has_squares:
        if not to:
            raise Refused("The place has no name.", 'Give it in words, such as "on the roof".')
        if to == here:
            raise Refused(f"{table.name(args.who)} is there already: {to}.", "Name another place.")
        yield world.tell(Placed(args.who, place=to), {table.state_path(args.who, "at"): to})
        return {"who": args.who, "from": here, "to": to}
    square = table.square_on_map(to)
    to = format_square(square)
    if to == here:
        raise AlreadyOnSquare(table.name(args.who), to, "Name another square.")
    table.must_be_free(square, table.size(args.who), table.name(args.who), skip=args.who)
    yield world.tell(Placed(args.who, to, here or ""), {table.state_path(args.who, "at"): to})
    yield from table.play_after_map_change()
    return {"who": args.who, "from": here, "to": to}


# Coming and going


def play_join(system: System, world: World, args: JoinArgs) -> Procedure[Data]:
    """Play `join`: add people to the scene from their sheets.

    A person who left the scene comes back with the values they had. Raises NoSheet for an unknown id, and
    Refused for a wrong number of creatures or a person who can't come back.
    """
    table = OverriddenScene(system, world, "join")
    book = world.book
    if args.ref in table.people and not _join_adds_another_creature(table, args.ref):
        return (yield from _return_to_scene(table, args))
    sheet = book.characters.get(args.ref) or book.creatures.get(args.ref)
    if sheet is None:
        raise NoSheet(repr(args.ref), "`strike content list creatures` has them.")
    is_character = args.ref in book.characters
    if args.count < 1:
        raise Refused(f"{sheet['name']} can't come {args.count} times.", "Give a number of 1 or more.")
    if is_character and args.count > 1:
        raise Refused(
            f"{sheet['name']} is a character, and can join only once.", "Creatures can join in any number."
        )
    side = args.side or (PARTY if is_character else ENEMIES)
    named = (
        [(args.ref, str(sheet["name"]))]
        if is_character
        else list(
            new_creature_ids_and_names(
                world, args.ref, args.count, table.people, words_for_numbers="seen" in table.data
            )
        )
    )
    size = int(sheet.get("size", 1))
    places = _places_of_newcomers(table, args, side, size, str(sheet["name"]))
    newcomers = []
    for (person_id, name), at in zip(named, places, strict=True):
        person: dict[str, object] = {"name": name, "ref": args.ref, "side": side, "size": size}
        person |= {"at": at} if at else {}
        person |= {key: sheet[key] for key in ("hidden", "image") if sheet.get(key)}
        whole = dict(table.hand.table_of_newcomer(world, args.ref, person))
        yield world.tell(Joined(person_id), {table.state_path(person_id, "")[:-1]: whole})
        newcomers.append(person_id)
    return (yield from _play_consequences_of_joining(table, newcomers))


def _join_adds_another_creature(table: OverriddenScene, ref: str) -> bool:
    """Return whether `join` adds one more creature with the id `ref` to a scene that has one already.

    One more is added if the first one is still in the scene, or is gone for good. If the first one can
    return, it comes back instead. A character is never added twice.
    """
    out = table.people[ref].get("out")
    return ref in table.world.book.creatures and (out is None or out in table.hand.gone_for_good)


def _places_of_newcomers(
    table: OverriddenScene, args: JoinArgs, side: str, size: int, name: str
) -> list[str]:
    """Return a place for each person who joins the scene.

    If squares are named, the newcomers stand on these or near the first of them. If none is named, they stand
    near somebody of their side. In a scene without squares, each place is the typed words, or "".

    Raises Refused if a named square isn't free, or if there is no room. Raises NoEntrySquare if no square is
    named and nobody of the side is on the map.
    """
    if not table.has_squares:
        return [(args.at[0].strip() if args.at else "")] * args.count
    spots = [table.square_on_map(text) for text in args.at] or _square_of_first_person_of_side(table, side)
    if not spots:
        raise NoEntrySquare("Nobody of their side stands on the map. Add a square, such as `--at C7`.")
    if args.at:
        for spot in spots:
            table.must_be_free(spot, size, name)
    return [
        format_square(at)
        for at in find_squares_on_spots_or_near_first(
            table.grid, size, args.count, spots, table.occupied_squares(), name
        )
    ]


def _square_of_first_person_of_side(table: OverriddenScene, side: str) -> list[Square]:
    found = []
    for one in table.people.values():
        if one.get("side") == side and "out" not in one and one.get("at"):
            found.append(parse_square(one["at"]))
    return found[:1]


def _return_to_scene(table: OverriddenScene, args: JoinArgs) -> Procedure[Data]:
    person, one = args.ref, table.people[args.ref]
    name = table.name(person)
    if "out" not in one:
        raise Refused(
            f"{name} is here already.", f"`strike {table.system.name} show` lists the people there."
        )
    if one["out"] in table.hand.gone_for_good:
        raise Refused(f"{name} is {out_in_words(one['out'])}.", table.how_to_return(person))
    sets: Sets = {table.state_path(person, "out"): None, table.state_path(person, "gone_unseen"): None}
    if args.side:
        sets |= {table.state_path(person, "side"): args.side}
    if table.has_squares:
        sets |= {table.state_path(person, "at"): _place_of_returner(table, args, one)}
    elif args.at:
        sets |= {table.state_path(person, "at"): args.at[0].strip()}
    yield table.world.tell(Joined(person, back=True), sets)
    return (yield from _play_consequences_of_joining(table, [person]))


def _place_of_returner(table: OverriddenScene, args: JoinArgs, person: PersonKept) -> str:
    """Return the square on which a person comes back.

    It is the named square, if one is named. Otherwise it is a free square near the person's last square. If
    there is no last square, it is a free square near the person's side. Raises Refused if the named square
    isn't free, or if no square can be found.
    """
    person_id, size = args.ref, table.size(args.ref)
    if args.at:
        square = table.square_on_map(args.at[0])
        table.must_be_free(square, size, table.name(person_id))
        return format_square(square)
    last = [parse_square(person["at"])] if person.get("at") else []
    spots = last or _square_of_first_person_of_side(table, args.side or person.get("side", ""))
    if not spots:
        raise Refused(
            f"{table.name(person_id)} has no square to come back to.", "Add one, such as `--at C7`."
        )
    return format_square(
        find_squares_on_spots_or_near_first(
            table.grid, size, 1, spots, table.occupied_squares(), table.name(person_id)
        )[0]
    )


def _play_consequences_of_joining(table: OverriddenScene, newcomers: Sequence[str]) -> Procedure[Data]:
    joined = table.hand.play_after_joining(table.world, newcomers)
    data = (yield from joined) if joined is not None else None
    yield from table.play_after_map_change()
    return {"joined": list(newcomers), **(data or {})}


def play_leave(system: System, world: World, args: LeaveArgs) -> Procedure[Data]:
    """Play `leave`: somebody leaves the scene, for a reason that the game master gives."""
    table = OverriddenScene(system, world, "leave")
    table.require_present(args.who)
    leaves = table.hand.play_leaving(world, args.who, args.why)
    if leaves is not None:
        return (yield from leaves)
    sets: Sets = {table.state_path(args.who, "out"): LEFT, table.state_path(args.who, "hidden"): None}
    if table.data.get("active") == args.who:
        sets |= {f"{system.scene.key}.active": None}
    sets |= table.hand.changes_after_leaving(world, args.who)
    yield world.tell(Left(args.who, args.why.strip().rstrip(".")), sets)
    return {"who": args.who, "why": args.why}


class SetNumberArgs(Args):
    """The arguments of `set`: `who` is the id of the person, and `meter` the id of the number.

    `to` is the new value. If it is None, `by` is added to the present value.
    """

    who: str
    meter: str
    to: int | None = None
    by: int = 0


def play_set(system: System, world: World, args: SetNumberArgs) -> Procedure[Data]:
    """Play `set`: set or change one of a person's numbers, with all consequences of the new value.

    If the system has rules of harm or healing for that number, a change follows them. Raises Refused for an
    unknown number, for a value that the number can't have, or if nothing would change.
    """
    table = OverriddenScene(system, world, "set")
    table.require_present(args.who)
    meters = table.shown_and_counted_meters(args.who)
    if args.meter not in meters:
        raise Refused(
            f"{table.name(args.who)} has no {args.meter!r}.", f"Numbers here: {listed(meters) or 'none'}."
        )
    meter = meters[args.meter]
    if args.to is None:
        if not args.by:
            raise Refused("A change of 0 does nothing.", "`7` sets a number; `+2` and `-4` change it.")
        changed = table.hand.play_harm_or_healing(world, args.who, meter.id, args.by)
        if changed is not None:
            data = yield from changed
            return {"who": args.who, "meter": meter.id, "before": meter.value, **data}
    to = args.to if args.to is not None else meter.value + args.by
    if to == meter.value:
        raise Refused(f"{table.name(args.who)} has {meter.name} {meter} already.", "Nothing was changed.")
    written = table.hand.play_setting_number(world, args.who, meter.id, to)
    if written is not None:
        return {"who": args.who, "meter": meter.id, "before": meter.value, **(yield from written)}
    sets = table.hand.changes_for_number(world, args.who, meter.id, to)
    if sets is None:
        if to < 0 or (meter.most is not None and to > meter.most):
            most = f"0 to {meter.most}" if meter.most is not None else "0 or more"
            raise Refused(
                f"{meter.name} of {table.name(args.who)} is {most}, not {to}.", "Nothing was changed."
            )
        sets = {table.state_path(args.who, meter.id): to}
        if meter.vital and meter.most is not None:  # at 0 of a vital one a person is down
            sets = {**sets, table.state_path(args.who, "down"): True if to == 0 else None}
    told = MeterSet(args.who, meter.name, BeforeAfter(meter.value, to), meter.sign)
    yield world.tell(told, sets)
    return {"who": args.who, "meter": meter.id, "before": meter.value, "after": to}
