"""Actions of the hands: to draw weapons, move doors, pick things up or give them away (WSH-07)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from strike_cli.plugin import Procedure, Refused, World, listed
from strike_cli.plugin.board import format_square, has_door, is_door_open, parse_square
from strike_cli.plugin.tactics import Spot

from .action_costs import MomentumAction, pay_for_and_report_action
from .facts import (
    Gives,
    HoldsThings,
    Interacts,
    MomentumDoor,
    MomentumDropped,
    MomentumTaken,
    MovesDoor,
    PicksUp,
    id_in_words,
)
from .fight_state import Battle
from .refusals import NoFreeHand
from .sheet_and_formulas import SHIELD
from .walking import reveal_or_expose_seen_combatants

ActionProcedure = Procedure[Mapping[str, object]]


def switch_weapons(world: World, args: MomentumAction) -> ActionProcedure:
    """Change what the actor has in hand; `args.items` is everything held afterwards.

    The first change in a turn is free if things are only drawn, or only put away. Raises Refused for things
    that the actor doesn't have, and for more than the actor's hands can hold.
    """
    battle = Battle(world)
    combatant, wanted = args.who, list(dict.fromkeys(args.items))
    weapons, before = battle.weapons(combatant), list(battle.people[combatant].get("holding", ()))
    known = battle.ids_of_owned_weapons_and_shield(combatant)
    for thing in wanted:
        if thing not in known:
            raise Refused(
                f"{battle.name(combatant)} has no {thing!r}.", f"There: {listed(known) or 'nothing'}."
            )
    if wanted == before:
        raise Refused(
            f"{battle.name(combatant)} already holds exactly that.",
            "--item names everything held afterwards.",
        )
    hands = battle.free_hands(combatant, tuple(before)) - sum(
        1 if one == SHIELD else weapons[one]["hands"] for one in wanted
    )
    if hands < 0:
        raise Refused(f"{battle.name(combatant)} doesn't have enough hands.", "Leave one out.")
    drawn, put_away = set(wanted) - set(before), set(before) - set(wanted)
    args = _with_free_cost_if_unused(battle, args, may_be_free=not (drawn and put_away))
    held = HoldsThings(combatant, args.action, [id_in_words(thing) for thing in wanted])
    yield pay_for_and_report_action(
        world, args, held, holding=wanted, **_keyword_marking_free_action_used(args)
    )
    return {"holding": wanted, "free": not args.ap}


def _keyword_marking_free_action_used(args: MomentumAction) -> dict[str, object]:
    return {"free": args.action} if not args.ap else {}


def _with_free_cost_if_unused(
    battle: Battle, args: MomentumAction, may_be_free: bool = True
) -> MomentumAction:
    """Return an Interact or Switch Weapons action, with a cost of 0 if this turn's free one is unused.

    One such action is free in each turn. If it has been used, or if `may_be_free` is False, return the action
    unchanged.
    """
    return args.but(ap=0) if may_be_free and not battle.people[args.who].get("free") else args


def interact(world: World, args: MomentumAction) -> ActionProcedure:
    """Play the action `interact`, with a door, a thing, or anything else.

    `args.at` is the square of a door. `args.items` is a thing: it is given to `args.target` or, without a
    target, picked up from the ground. `args.what` describes anything else in words.
    """
    battle = Battle(world)
    args = _with_free_cost_if_unused(battle, args)
    if args.at:
        return (yield from _toggle_adjacent_door(world, args))
    if args.items:
        return (yield from (_give_to_ally(world, args) if args.target else _pick_up_weapon(world, args)))
    if not args.what.strip():
        raise Refused("Interact with what?", "--what describes it; --at SQUARE is a door, --item a thing.")
    if args.target:
        battle.require_present(args.target)
    yield pay_for_and_report_action(
        world,
        args,
        Interacts(args.who, args.action, args.what.strip()),
        **_keyword_marking_free_action_used(args),
    )
    return {"free": not args.ap}


def _toggle_adjacent_door(world: World, args: MomentumAction) -> ActionProcedure:
    """Open a closed door, or close an open one.

    The door fills an adjacent square, or is in the wall between that square and the actor's own. Raises
    Refused if there is no door within 1 m.
    """
    battle = Battle(world)
    board, square = battle.data["map"], battle.square(args.at)
    if not has_door(board, square) or battle.gap(args.who, Spot(square)) > 1:
        raise Refused(f"There is no door on {args.at} within 1 m.", "Name the square of an adjacent door.")
    own = (part for part in battle.squares(args.who) if part != square)
    beyond = next((part for part in own if has_door(board, square, part)), None)
    opens = not is_door_open(board, square, beyond)
    changed = battle.changes_moving_door(square, beyond, opens)
    door = MovesDoor(args.who, args.action, format_square(square), opens)
    yield pay_for_and_report_action(world, args, door, **_keyword_marking_free_action_used(args))
    yield world.tell(MomentumDoor(args.who), {"momentum.map": {**board, **changed}})
    yield from reveal_or_expose_seen_combatants(world)
    return {"door": args.at, "open": opens, "free": not args.ap}


def _pick_up_weapon(world: World, args: MomentumAction) -> ActionProcedure:
    battle = Battle(world)
    dropped = battle.data.get("dropped", {})
    near = {
        one["weapon"]: key
        for key, one in dropped.items()
        if battle.gap(args.who, Spot(parse_square(one["at"]))) <= 1
    }
    weapon = args.items[0]
    if weapon not in near:
        raise Refused(f"No {id_in_words(weapon)} lies within 1 m.", f"There: {listed(near) or 'nothing'}.")
    if not has_free_hand_and_lacks_thing(battle, args.who, weapon):
        raise NoFreeHand(battle.name(args.who), "Put something away first.")
    of = dropped[near[weapon]]["of"]
    yield pay_for_and_report_action(
        world,
        args,
        PicksUp(args.who, args.action, id_in_words(weapon)),
        **_keyword_marking_free_action_used(args),
    )
    yield from take_into_hand(world, args.who, weapon, of, near[weapon])
    return {"item": weapon, "free": not args.ap}


def has_free_hand_and_lacks_thing(battle: Battle, actor: str, weapon: str) -> bool:
    """Return whether a combatant may take a weapon or shield in hand.

    It is True if a hand is free, and if the combatant has no weapon or shield with the same id yet.
    """
    return battle.free_hands(actor) > 0 and weapon not in battle.ids_of_owned_weapons_and_shield(actor)


def take_into_hand(
    world: World, actor: str, weapon: str, owner_ref: str, key_on_ground: str = ""
) -> Procedure[None]:
    """Put a weapon or shield of the sheet `owner_ref` into a combatant's hand.

    `key_on_ground` is the key of the thing among the dropped things; "" if it wasn't on the ground.
    """
    battle = Battle(world)
    one = battle.people[actor]
    sets = battle.sets(actor, holding=[*one.get("holding", ()), weapon])
    if one["ref"] == owner_ref:
        sets |= battle.sets(actor, lost=_without_thing(one.get("lost", ()), weapon))
    else:
        sets |= battle.sets(actor, others={**one.get("others", {}), weapon: owner_ref})
    if key_on_ground:
        left = {key: item for key, item in battle.data["dropped"].items() if key != key_on_ground}
        sets["momentum.dropped"] = left or None
    yield world.tell(MomentumTaken(actor, weapon), sets)


def drop_weapon(world: World, actor: str, weapon: str) -> Procedure[str]:
    """Drop a weapon or shield at the actor's feet; return its key among the dropped things."""
    battle = Battle(world)
    one = battle.people[actor]
    of = one.get("others", {}).get(weapon, one["ref"])
    dropped = battle.data.get("dropped", {})
    key = next(f"{weapon}-{n}" for n in range(1, len(dropped) + 2) if f"{weapon}-{n}" not in dropped)
    sets = battle.sets(actor, holding=_without_thing(one.get("holding", ()), weapon))
    if weapon in one.get("others", {}):
        sets |= battle.sets(actor, others={id: ref for id, ref in one["others"].items() if id != weapon})
    else:
        sets |= battle.sets(actor, lost=[*one.get("lost", ()), weapon])
    sets[f"momentum.dropped.{key}"] = {"weapon": weapon, "of": of, "at": one["at"]}
    yield world.tell(MomentumDropped(actor, id_in_words(weapon)), sets)
    return key


def _without_thing(things: Sequence[str], thing: str) -> list[str]:
    return [one for one in things if one != thing]


def _give_to_ally(world: World, args: MomentumAction) -> ActionProcedure:
    """Give a thing that the actor has in hand to an adjacent ally.

    Raises Refused if the actor doesn't hold the thing, and NoFreeHand if the ally can't take it.
    """
    battle = Battle(world)
    weapon, ally = args.items[0], args.target
    battle.require_present(ally)
    if battle.side(ally) != battle.side(args.who) or battle.gap(args.who, ally) > 1 or ally == args.who:
        raise Refused(
            f"{battle.name(ally)} is not an ally within 1 m.", "Go nearer, or give it to another ally."
        )
    if not battle.has_in_hand(args.who, weapon):
        raise Refused(f"{battle.name(args.who)} has no {weapon!r} in hand to give.", "Draw it first.")
    if not has_free_hand_and_lacks_thing(battle, ally, weapon):
        raise NoFreeHand(battle.name(ally), "They must put something away.")
    yield pay_for_and_report_action(
        world,
        args,
        Gives(args.who, args.action, id_in_words(weapon), ally),
        **_keyword_marking_free_action_used(args),
    )
    key = yield from drop_weapon(world, args.who, weapon)
    lying = Battle(world).data["dropped"][key]
    yield from take_into_hand(world, ally, weapon, lying["of"], key)
    return {"item": weapon, "target": ally, "free": not args.ap}
