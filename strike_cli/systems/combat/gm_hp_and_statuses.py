"""The game master's commands for HP and statuses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.kernel.statements import Said
from strike_cli.problems import Refused, listed
from strike_cli.refusals import NobodysTurn

from .facts.effects_and_causes import GameMasterCause
from .fight_state import Fight, SeveralActorsArgs, combine_results_as_first_and_others
from .health_and_statuses import (
    add_status_by_stacking_rule,
    deal_damage,
    duration_and_until_keys_of_step,
    end_status,
    has_been_given_status,
    heal_combatant,
    hp_change_result,
    make_status,
    set_hp_with_consequences,
    would_heal_nothing,
)

if TYPE_CHECKING:
    from .data import HpOfSeveral, StatusData
    from .steps import StepTable


class ChangeHitPoints(SeveralActorsArgs):
    """The arguments of `combat damage` and `combat heal`: an amount of HP."""

    amount: int
    why: str = ""


class AddStatus(SeveralActorsArgs):
    """The arguments of `combat status add`.

    `status` is the status's full id. `by` is the creature that gives the status. `ends` is what ends the
    status: a duration, a fact or a moment. If the duration is counted in turns, `of` is the creature whose
    turns count. By default it is the creature with the status.

    `until` is only set in older journals. It is then the fact that ends the status, and `ends` is "until".
    """

    status: str
    ends: str = "save"
    value: int = 0
    by: str = ""
    of: str = ""
    until: str = ""


class RemoveStatus(SeveralActorsArgs):
    """The arguments of `combat status remove`. `status` is the full id of the status."""

    status: str


class SetHitPoints(SeveralActorsArgs):
    """The arguments of `combat hp`: the creatures, and the HP or boxes that each shall have."""

    to: int


def play_damage(world: World, args: ChangeHitPoints) -> Procedure[HpOfSeveral]:
    """Play `combat damage`: deal damage to one or more combatants."""
    fight, cause = Fight(world), Said(args.why) if args.why else GameMasterCause()
    _must_be_valid_hp_change(fight, args)
    found: dict[str, Mapping[str, object]] = {}
    for combatant in args.people():
        if fight.is_out(combatant):  # the consequences of damage to the others took it out
            hp = int(fight.combatant(combatant)["hp"])
            found[combatant] = hp_change_result(hp, hp, True)
        else:
            found[combatant] = yield from deal_damage(world, combatant, args.amount, cause)
    return cast("HpOfSeveral", combine_results_as_first_and_others(found))


def play_heal(world: World, args: ChangeHitPoints) -> Procedure[HpOfSeveral]:
    """Play `combat heal`: heal one or more combatants. Raises Refused if none of them would gain anything."""
    fight = Fight(world)
    _must_be_valid_hp_change(fight, args)
    if all(would_heal_nothing(fight, combatant, args.amount) for combatant in args.people()):
        has = [
            f"{fight.name(combatant)} has {one['hp']} of {one['max_hp']} "
            f"{'boxes' if 'threshold' in one else 'HP'}"
            for combatant, one in ((combatant, fight.combatant(combatant)) for combatant in args.people())
        ]
        raise Refused(
            f"{listed(has)}, so this heals nothing.",
            "Nobody is healed beyond their maximum; a box takes as much as its threshold.",
        )
    cause, found = Said(args.why) if args.why else GameMasterCause(), {}
    for combatant in args.people():
        found[combatant] = yield from heal_combatant(world, combatant, args.amount, cause)
    return cast("HpOfSeveral", combine_results_as_first_and_others(found))


def play_hp(world: World, args: SetHitPoints) -> Procedure[HpOfSeveral]:
    """Play `combat hp WHO =N`: set HP, or boxes, with all consequences.

    Raises Refused if the number is above the maximum. Only a player's character can be given a number below
    0.
    """
    fight = Fight(world)
    for combatant in args.people():
        _must_still_be_in_fight(fight, combatant)
        most = int(fight.combatant(combatant)["max_hp"])
        if not (args.to <= most and (args.to >= 0 or fight.is_player(combatant))):
            unit = "boxes" if "threshold" in fight.combatant(combatant) else "HP"
            raise Refused(f"{fight.name(combatant)} can have 0 to {most} {unit}, not {args.to}.")
    found = {}
    for combatant in args.people():
        found[combatant] = yield from set_hp_with_consequences(world, combatant, args.to)
    return cast("HpOfSeveral", combine_results_as_first_and_others(found))


def _must_be_valid_hp_change(fight: Fight, args: ChangeHitPoints) -> None:
    for combatant in args.people():
        _must_still_be_in_fight(fight, combatant)
    if args.amount < 1:
        raise Refused("0 HP can't be given or taken.", "Give a number of HP.")


def _must_still_be_in_fight(fight: Fight, combatant: str) -> None:
    fight.must_be_in_fight(combatant, "`strike help override` says how to bring them back.")


def play_status_add(world: World, args: AddStatus) -> Procedure[StatusData]:
    """Play `combat status add`: give one or more combatants a status.

    Raises Refused if none of the combatants gains the status.
    """
    fight, people = Fight(world), [*args.people()]
    for combatant in people:
        _must_still_be_in_fight(fight, combatant)
    if args.ends == "this-turn" and not fight.data.get("active"):
        raise NobodysTurn("turn-end lasts to the end of somebody's next one.")
    lasts = duration_and_until_keys_of_step(world.book, args.ends, args.until)
    gained = []
    for combatant in people:
        status = make_status(
            fight, cast("StepTable", {"status": args.status, **lasts}), args.by, turns_of=args.of or combatant
        )
        if args.value:
            status["value"] = args.value
        if (yield from add_status_by_stacking_rule(world, combatant, status)):
            gained.append(combatant)
    if not gained:
        one, definition = len(people) == 1, world.book.statuses[args.status]
        are = ("has" if one else "have") if definition.get("noun") else ("is" if one else "are")
        raise Refused(f"{listed(map(fight.name, people))} {are} {definition['name']} already.")
    told = {"status": args.status, "ends": lasts["duration"]}
    return cast(
        "StatusData",
        combine_results_as_first_and_others(
            {
                combatant: {**told, "gained": combatant in gained} if len(people) > 1 else told
                for combatant in people
            }
        ),
    )


def play_status_remove(world: World, args: RemoveStatus) -> Procedure[StatusData]:
    """Play `combat status remove`: end a status of one or more combatants.

    Raises Refused if none of the combatants has the status.
    """
    people = [*args.people()]
    held = [combatant for combatant in people if has_been_given_status(world, combatant, args.status)]
    if not held:
        name = world.book.statuses.get(args.status, {}).get("name", args.status)
        are = "is" if len(people) == 1 else "are"
        raise Refused(f"{listed(map(Fight(world).name, people))} {are} not {name}.")
    for combatant in held:
        yield from end_status(world, combatant, args.status)
    return cast(
        "StatusData",
        combine_results_as_first_and_others({combatant: {"status": args.status} for combatant in held}),
    )
