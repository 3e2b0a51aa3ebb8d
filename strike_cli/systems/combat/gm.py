"""The game master's commands: HP and statuses as the table decides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, cast

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.kernel.statements import Said
from strike_cli.problems import Refused, listed
from strike_cli.refusals import NobodysTurn

from .facts.effects import GameMasterCause
from .fight import Fight, SeveralPeople, of_each
from .harm import (
    HpChange,
    add_status,
    end_status,
    has_status,
    heal,
    hurt,
    is_whole,
    lasting,
    make_status,
    set_hp,
)

if TYPE_CHECKING:
    from strike_cli.tabletop.data import GivenStatus

    from .data import HpOfSeveral, StatusData


class HitPoints(SeveralPeople):
    """An amount of HP to take or to give."""

    amount: int
    why: str = ""


class AddStatus(SeveralPeople):
    """A status (its full id), with `ends`, a duration or a fact that ends it; `by` is its giver.

    A duration by turns counts the turns `of` a combatant, by default the holder. (`until` is the ending fact
    where an older journal has `ends` "until".)
    """

    status: str
    ends: str = "save"
    value: int = 0
    by: str = ""
    of: str = ""
    until: str = ""


class RemoveStatus(SeveralPeople):
    """A status to remove, by its full id."""

    status: str


class SetHitPoints(SeveralPeople):
    """The HP, or boxes, to set."""

    to: int


def play_damage(world: World, args: HitPoints) -> Procedure[HpOfSeveral]:
    """Play `combat damage`: take HP from one combatant or several."""
    fight, cause = Fight(world), Said(args.why) if args.why else GameMasterCause()
    _must_be_possible(fight, args)
    found: dict[str, Mapping[str, object]] = {}
    for combatant in args.people():
        if fight.is_out(combatant):  # what came of the others' damage was enough
            hp = int(fight.combatant(combatant)["hp"])
            found[combatant] = HpChange(hp, hp, True).as_json()
        else:
            found[combatant] = (yield from hurt(world, combatant, args.amount, cause)).as_json()
    return cast("HpOfSeveral", of_each(found))


def play_heal(world: World, args: HitPoints) -> Procedure[HpOfSeveral]:
    """Play `combat heal`: give HP back."""
    fight = Fight(world)
    _must_be_possible(fight, args)
    if all(is_whole(fight, combatant, args.amount) for combatant in args.people()):
        raise _nobody_hurt_refusal(fight, args.people())
    cause, found = Said(args.why) if args.why else GameMasterCause(), {}
    for combatant in args.people():
        found[combatant] = (yield from heal(world, combatant, args.amount, cause)).as_json()
    return cast("HpOfSeveral", of_each(found))


def _nobody_hurt_refusal(fight: Fight, people: Iterable[str]) -> Refused:
    """Return the refusal of healing that has no effect on anybody."""
    has = [
        f"{fight.name(combatant)} has {one['hp']} of {one['max_hp']} "
        f"{'boxes' if 'threshold' in one else 'HP'}"
        for combatant, one in ((combatant, fight.combatant(combatant)) for combatant in people)
    ]
    return Refused(
        f"{listed(has)}, so this heals nothing.",
        "Nobody is healed beyond their maximum; a box takes as much as its threshold.",
    )


def play_hp(world: World, args: SetHitPoints) -> Procedure[HpOfSeveral]:
    """Play `combat hp WHO =N`: set HP, or boxes, with all consequences."""
    fight = Fight(world)
    for combatant in args.people():
        _must_be_in(fight, combatant)
        most = int(fight.combatant(combatant)["max_hp"])
        if not (args.to <= most and (args.to >= 0 or fight.is_player(combatant))):
            unit = "boxes" if "threshold" in fight.combatant(combatant) else "HP"
            raise Refused(f"{fight.name(combatant)} can have 0 to {most} {unit}, not {args.to}.")
    found = {}
    for combatant in args.people():
        found[combatant] = (yield from set_hp(world, combatant, args.to)).as_json()
    return cast("HpOfSeveral", of_each(found))


def _must_be_possible(fight: Fight, args: HitPoints) -> None:
    for combatant in args.people():
        _must_be_in(fight, combatant)
    if args.amount < 1:
        raise Refused("0 HP can't be given or taken.", "Give a number of HP.")


def _must_be_in(fight: Fight, combatant: str) -> None:
    fight.must_be_in(combatant, "`strike help override` says how to bring them back.")


def play_status_add(world: World, args: AddStatus) -> Procedure[StatusData]:
    """Play `combat status add`: a status takes hold."""
    fight, people = Fight(world), [*args.people()]
    for combatant in people:
        _must_be_in(fight, combatant)
    if args.ends == "this-turn" and not fight.data.get("active"):
        raise NobodysTurn("turn-end lasts to the end of somebody's next one.")
    lasts = lasting(world.book, args.ends, args.until)
    gained = []
    for combatant in people:
        status = make_status(
            fight, cast("GivenStatus", {"status": args.status, **lasts}), args.by, of=args.of or combatant
        )
        if args.value:
            status["value"] = args.value
        if (yield from add_status(world, combatant, status)):
            gained.append(combatant)
    if not gained:
        one, definition = len(people) == 1, world.book.statuses[args.status]
        are = ("has" if one else "have") if definition.get("noun") else ("is" if one else "are")
        raise Refused(f"{listed(map(fight.name, people))} {are} {definition['name']} already.")
    told = {"status": args.status, "ends": lasts["duration"]}
    return cast(
        "StatusData",
        of_each(
            {
                combatant: {**told, "gained": combatant in gained} if len(people) > 1 else told
                for combatant in people
            }
        ),
    )


def play_status_remove(world: World, args: RemoveStatus) -> Procedure[StatusData]:
    """Play `combat status remove`: a status ends."""
    people = [*args.people()]
    held = [combatant for combatant in people if has_status(world, combatant, args.status)]
    if not held:
        name = world.book.statuses.get(args.status, {}).get("name", args.status)
        are = "is" if len(people) == 1 else "are"
        raise Refused(f"{listed(map(Fight(world).name, people))} {are} not {name}.")
    for combatant in held:
        yield from end_status(world, combatant, args.status)
    return cast("StatusData", of_each({combatant: {"status": args.status} for combatant in held}))
