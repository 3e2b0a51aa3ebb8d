"""Abilities: attacks, effects that a Defense Roll resists, and effects without a roll (WSH-02, 09, 10, 14).

An Ability costs AP in the actor's turn, or RP if it is a reaction. Begin with `play_use`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from strike_cli.plugin import Args, Procedure, Refused, Sets, World, listed
from strike_cli.plugin.board import Square, distance_between_spaces, squares_between_spaces
from strike_cli.plugin.dice import Modifier
from strike_cli.plugin.tactics import Spot

from .action_costs import AP, RP, WP, must_be_able_to_act, must_be_able_to_react
from .attack import (
    ATTACK_AP,
    PreparedAttack,
    apply_pushes_damage_and_statuses,
    damage_dice_of,
    read_armor_order,
    resolve_attack,
    roll_damage_parts,
    sets_exposed_till_turn_end_if_hidden,
    subtract_mercy,
    sum_of_damage_taken,
)
from .checks_and_defense_rolls import defense_roll, given_reasons
from .damage_and_healing import Blow, restore_vitality_and_revive
from .damage_reduction import DamagePart, ignored_armor
from .dice import Dice, parse_dice, roll_dice
from .facts import HitBonus, MomentumUsed, id_in_words
from .fight_start_end_and_summons import must_have_room, summon_creature
from .fight_state import Battle
from .forced_movement import teleport_or_collide
from .refusals import AimsAtNothing, NoRoomOn
from .rule_constants import CRITICAL_DAMAGE, CRITICAL_DAMAGE_PER_TIER
from .targeting import (
    attack_origin,
    half_cover_from,
    require_attack_origin_seeing_target,
    require_distance_within,
)
from .walking import reveal_combatant

if TYPE_CHECKING:
    from .data import (
        AffectedTold,
        MomentumAbility,
        MomentumReactData,
        MomentumUseData,
        MomentumWeapon,
        UpcastDice,
        UpcastWritten,
    )


class UseAbility(Args):
    """The arguments of `momentum use` and `momentum react`: an Ability, and its targets or a square.

    `fails` are the targets who choose not to resist. `upcast` is how many WP are spent on a stronger effect.
    `off` are the types of damage that Armor reduces before others. `lean` is the square to which the actor
    leans.
    """

    who: str
    ability: str
    targets: Sequence[str] = ()
    at: str = ""
    nonlethal: bool = False
    lethal: bool = False
    off: str = ""
    lean: str = ""
    fails: Sequence[str] = ()
    upcast: int = 0
    adv: Sequence[str] = ()
    dis: Sequence[str] = ()

    def people(self) -> Sequence[str]:
        return (self.who, *self.targets)


def play_use(world: World, args: UseAbility) -> Procedure[MomentumUseData]:
    """Play `momentum use`: the acting combatant uses an Ability, for AP.

    If the Ability is an attack, the dice are a d20 and the damage for each target. Otherwise the damage is
    rolled once for all targets. If the Ability can be resisted, a Defense Roll for each target follows.

    Raises Refused if the Ability is a reaction, can't be paid for, or doesn't reach.
    """
    battle = Battle(world)
    must_be_able_to_act(battle, args.who)
    ability = ability_unless_maneuver(battle, args.who, args.ability)
    if "rp" in ability:
        raise Refused(
            f"{args.ability} is a reaction.", f"`strike momentum react {args.who} {args.ability}` uses it."
        )
    cost = ability.get("ap", ATTACK_AP)
    must_be_able_to_act(battle, args.who, cost)
    ability, wp = upcast_and_pay_for_ability(battle, args, ability)
    return (yield from _play_ability(world, args, ability, {**AP.pay(battle, args.who, cost), **wp}))


def play_react(world: World, args: UseAbility) -> Procedure[MomentumReactData]:
    """Play `momentum react`: use an Ability that is a reaction, in anybody's turn, for RP.

    The dice are the same as for `momentum use`. Raises Refused if the Ability isn't a reaction, can't be paid
    for, or doesn't reach.
    """
    battle = Battle(world)
    battle.require_present(args.who)
    ability = ability_unless_maneuver(battle, args.who, args.ability)
    if "rp" not in ability:
        raise Refused(
            f"{args.ability} is not a reaction.",
            f"`strike momentum use {args.who} {args.ability}` on their turn.",
        )
    must_be_able_to_react(battle, args.who, ability["rp"])
    paid = RP.pay(battle, args.who, ability["rp"])
    ability, wp = upcast_and_pay_for_ability(battle, args, ability)
    data = yield from _play_ability(world, args, ability, {**paid, **wp})
    now = Battle(world)
    if now.people[args.who].get("exposed") and not now.is_acting(args.who):
        yield from reveal_combatant(world, args.who)
    return cast("MomentumReactData", data)


def ability_unless_maneuver(battle: Battle, combatant: str, name: str) -> MomentumAbility:
    """Return a combatant's Ability by name. Raises Refused if they don't have it, or if it is a Maneuver."""
    abilities = battle.sheet(combatant).table["abilities"]
    if name not in abilities:
        raise Refused(
            f"{battle.name(combatant)} has no Ability {name!r}.", f"Abilities: {listed(abilities) or 'none'}."
        )
    if abilities[name]["maneuver"]:
        raise Refused(
            f"{name} is a Maneuver.",
            f"Add it to an attack: `strike momentum attack {combatant} TARGET --maneuver {name}`.",
        )
    return abilities[name]


def upcast_and_pay_for_ability(
    battle: Battle, args: UseAbility, ability: MomentumAbility
) -> tuple[MomentumAbility, Sets]:
    """Return an Ability strengthened by `args.upcast` WP, and the changes that pay for it (WSH-08).

    Raises Refused for more WP than the actor has, or than the Ability or the sheet allows.
    """
    combatant, name = args.who, battle.name(args.who)
    more: UpcastWritten = ability.get("upcast", {})
    sheet = battle.sheet(combatant)
    if args.upcast:
        step = more.get("wp", 1)
        most = min(more.get("limit", sheet.upcast_wp_limit), sheet.upcast_wp_limit) if more else 0
        if not more or args.upcast < 0 or args.upcast % step or args.upcast > most:
            raise Refused(
                f"{name} can't upcast {args.ability} by {args.upcast} WP.",
                f"Upcast in steps of {step} WP, {most} at most."
                if more and most
                else "It can't be upcast by them.",
            )
        times = args.upcast // step
        dice: UpcastDice = {}
        if "damage" in more:
            dice["damage"] = _add_dice_of_one_size(ability.get("damage", "0"), more["damage"], times)
        if "heal" in more:
            dice["heal"] = _add_dice_of_one_size(ability.get("heal", "0"), more["heal"], times)
        ability = {**ability, **dice}
    cost = ability.get("wp", 0) + args.upcast
    WP.must_have(battle.people[combatant], cost, "A rest restores WP.")
    return ability, WP.pay(battle, combatant, cost)


def _add_dice_of_one_size(base: str, addition: str, times: int) -> str:
    own, added = parse_dice(base), parse_dice(addition)
    if own.n and added.n and own.sides != added.sides:
        raise Refused(f"{addition} can't be added to {base}.", "Write dice of one size.")
    n, plus = own.n + times * added.n, own.plus + times * added.plus
    return str(Dice(n, own.sides if own.n else added.sides, plus))


def _play_ability(
    world: World, args: UseAbility, ability: MomentumAbility, paid: Mapping[str, object]
) -> Procedure[MomentumUseData]:
    battle = Battle(world)
    place, targets = _origin_and_targets(battle, args, ability)
    if "summon" in ability:
        must_have_room(battle, ability["summon"], _require_typed_square(battle, args))
    dice = damage_dice_of(ability)
    off, by = read_armor_order(args.off, dice), battle.commander_or_self(args.who)
    blow = Blow((), ignored_armor(ability["ignore_armor"]), args.nonlethal, args.lethal, off, by)
    name = ability.get("name", id_in_words(args.ability))
    sets = {
        **paid,
        **(sets_exposed_till_turn_end_if_hidden(battle, args.who) if targets != [args.who] else {}),
    }
    sets |= battle.sets(args.who, lean=args.lean) if args.lean else {}
    yield world.tell(MomentumUsed(args.who, args.ability, name), sets)
    data: MomentumUseData = {"who": args.who, "ability": args.ability, "targets": []}
    if "summon" in ability:
        data["summoned"] = yield from summon_creature(
            world, args.who, ability["summon"], _require_typed_square(battle, args)
        )
    if ability["attack"]:
        for target in targets:
            if "out" not in Battle(world).people[target]:  # an earlier hit may have removed them
                swing = _prepare_ability_attack(battle, args, ability, place, target, blow)._replace(
                    weapon_name=name
                )
                swung = yield from resolve_attack(world, swing)
                data["targets"].append(swung)  # type: ignore[arg-type]  # it has what an attack has
        return data
    parts = yield from roll_damage_parts(world, args.who, dice)
    if args.nonlethal and parts:
        mercy = yield from roll_dice(world, args.who, "mercy", Dice(1 + ability["tier"], 4))
        parts = subtract_mercy(parts, mercy)
    for target in targets:
        data["targets"].append(
            (
                yield from _affect_target_without_attack(
                    world, args, ability, target, place, blow._replace(parts=parts)
                )
            )
        )
    return data


def _require_typed_square(battle: Battle, args: UseAbility) -> Square:
    if not args.at:
        raise Refused(f"{args.ability} needs a square.", "Add --at SQUARE.")
    return battle.square(args.at)


def _prepare_ability_attack(
    battle: Battle, args: UseAbility, ability: MomentumAbility, origin: Spot, target: str, blow: Blow
) -> PreparedAttack:
    """Return an Ability's attack on one target, ready to be rolled.

    A critical hit adds 6 to the damage, and 3 more for each Tier. In an attack that isn't to kill, one d4 is
    subtracted from the damage, and another d4 for each Tier (WSH-10, 11).
    """
    bonus = battle.sheet(args.who).ability_hit_bonus
    tier = ability["tier"]
    return PreparedAttack(
        args.who,
        target,
        origin,
        "range" not in ability,
        [Modifier(bonus, HitBonus())] if bonus else [],
        damage_dice_of(ability),
        [DamagePart(ability["type"], CRITICAL_DAMAGE + CRITICAL_DAMAGE_PER_TIER * tier)],
        blow,
        given_reasons(args.adv, args.dis),
        1 + tier if args.nonlethal else 0,
        effects=[ability],
    )


def _affect_target_without_attack(
    world: World, args: UseAbility, ability: MomentumAbility, target: str, origin: Spot, blow: Blow
) -> Procedure[AffectedTold]:
    """Play the effects of an Ability on one target. The Ability isn't an attack.

    The target may be able to resist. If it succeeds, it is not affected, or takes only half the damage. A
    target that is already out of the fight isn't affected, unless the Ability heals.
    """
    battle = Battle(world)
    data: AffectedTold = {"target": target, "resisted": None, "damage": []}
    if "out" in battle.people[target] and "heal" not in ability:
        return data  # an earlier effect has removed it
    stat = ability.get("dr") or ("dex" if "line" in ability else "")  # a line is dodged (WSH-14)
    if stat:
        cover = half_cover_from(battle, origin, target, (args.who,)).half
        power = battle.sheet(args.who).defense_roll_power
        resisted = yield from defense_roll(
            world,
            target,
            stat,
            power,
            cover=cover,
            fails=target in args.fails,
            why=given_reasons(args.dis, args.adv),
        )
        data |= {"roll": resisted.as_json(), "resisted": resisted.success}
        if resisted.success:
            if not ability["half"]:
                return data
            half = blow._replace(parts=[DamagePart(type, amount // 2) for type, amount in blow.parts])
            return {
                **data,
                **(yield from apply_pushes_damage_and_statuses(world, target, half, args.who, [])),
            }
    if "heal" in ability:
        amount = yield from roll_dice(world, args.who, "healing", parse_dice(ability["heal"]))
        data["healed"] = yield from restore_vitality_and_revive(world, target, amount)
    if "teleport" in ability:
        data["moved"] = yield from teleport_or_collide(world, target, _require_typed_square(battle, args))
    return {**data, **(yield from apply_pushes_damage_and_statuses(world, target, blow, args.who, [ability]))}


# Whom it is aimed at


def _origin_and_targets(battle: Battle, args: UseAbility, ability: MomentumAbility) -> tuple[Spot, list[str]]:
    """Return the place from which an Ability comes, and its targets. There can be no targets.

    Raises Refused in these cases:

    - The Ability needs a target or an aim, and has none.
    - Too many targets are named, or one is named twice.
    - A target or the centre of an area is out of reach or unseen.
    """
    combatant = args.who
    if "burst" in ability:
        place = attack_origin(battle, combatant, args.lean)
        return place, _combatants_in_area_unless_spared(
            battle, combatant, place, ability["burst"], ability["spares"], except_for=combatant
        )
    if "area" in ability:
        return _centre_and_unspared_area_targets(battle, args, ability)
    if "line" in ability:
        return _line_targets(battle, args, ability)
    if "summon" in ability and not args.targets:
        return attack_origin(battle, combatant), []
    targets = [*args.targets] or [combatant]
    if len(targets) > ability["targets"] or len(set(targets)) < len(targets):
        raise Refused(
            f"{args.ability} has {ability['targets']} targets at most.", "Name each target once, and no more."
        )
    if not args.targets and (ability["attack"] or "dr" in ability):
        raise Refused(
            f"{args.ability} of {battle.name(combatant)} needs a target.",
            f"There: {listed(battle.combatants_there())}.",
        )
    if "teleport" in ability:
        _must_fit_and_be_within_teleport(battle, args, ability)
    for target in targets:
        battle.person(target) if "heal" in ability else battle.require_present(target)
        if target != combatant:
            place = require_attack_origin_seeing_target(battle, combatant, target, args.lean)
            require_distance_within(battle, combatant, place, target, reach_in_metres(ability))
    return attack_origin(battle, combatant, args.lean), targets


def reach_in_metres(tool: MomentumAbility | MomentumWeapon) -> int:
    """Return how many metres an Ability or a weapon reaches."""
    return tool.get("range", tool.get("reach", 1))


def _must_fit_and_be_within_teleport(battle: Battle, args: UseAbility, ability: MomentumAbility) -> None:
    target = args.targets[0] if args.targets else args.who
    battle.require_present(target)
    if not battle.grid.fits(_require_typed_square(battle, args), battle.size(target)):
        raise NoRoomOn(args.at, "Name a square without a wall.")
    meters = distance_between_spaces(battle.at(target), 1, _require_typed_square(battle, args), 1)
    if meters > ability["teleport"]:
        raise Refused(f"{args.at} is {meters} m off.", f"{args.ability} goes {ability['teleport']} m.")


def _centre_and_unspared_area_targets(
    battle: Battle, args: UseAbility, ability: MomentumAbility
) -> tuple[Spot, list[str]]:
    """Return the centre of an Ability's area, and the combatants in the area that it affects.

    The centre is `args.at`, or the first target's square. Raises Refused if the centre is out of reach or
    can't be seen.
    """
    if not args.at and not args.targets:
        raise AimsAtNothing(battle.name(args.who), args.ability)
    if args.targets:
        battle.require_present(args.targets[0])
    square = battle.square(args.at) if args.at else battle.at(args.targets[0])
    here = attack_origin(battle, args.who, args.lean)
    meters = battle.gap(here, Spot(square))
    if meters > reach_in_metres(ability):
        raise Refused(f"That is {meters} m off.", f"{args.ability} reaches {reach_in_metres(ability)} m.")
    if battle.grid.is_blocked(square) or not battle.sees(here, Spot(square)):
        raise Refused(f"{battle.name(args.who)} doesn't see that square.", "Aim at a visible square.")
    return Spot(square), _combatants_in_area_unless_spared(
        battle, args.who, Spot(square), ability["area"], ability["spares"]
    )


def _line_targets(battle: Battle, args: UseAbility, ability: MomentumAbility) -> tuple[Spot, list[str]]:
    """Return the actor's place, and the combatants whom an Ability along a line reaches.

    The line is one square wide. It begins at the actor's place and leads towards `args.at`, or else towards
    the first target. The actor isn't reached, nor is anybody whom the actor can't see from there. If the
    Ability spares allies, they aren't reached either.

    Raises Refused if there is neither a square nor a target, or if the line would lead to the actor's own
    square.
    """
    if not args.at and not args.targets:
        raise AimsAtNothing(battle.name(args.who), args.ability)
    if args.targets:
        battle.require_present(args.targets[0])
    towards = battle.square(args.at) if args.at else battle.at(args.targets[0])
    here = attack_origin(battle, args.who, args.lean)
    right, down = (to - start for to, start in zip(towards, here.square, strict=True))
    far = max(abs(right), abs(down))
    if not far:
        raise Refused("A line needs a direction.", "Name a square other than your own.")
    end = tuple(
        start + round(step * ability["line"] / far)
        for start, step in zip(here.square, (right, down), strict=True)
    )
    goal = (end[0], end[1])
    on_it = {*squares_between_spaces(here.square, goal), goal}
    found = [
        other
        for other in battle.combatants_there()
        if other != args.who
        and not on_it.isdisjoint(battle.squares(other))
        and not (ability["spares"] and battle.side(other) == battle.side(args.who))
        and battle.sees(here, other)
    ]
    return here, found


def _combatants_in_area_unless_spared(
    battle: Battle, combatant: str, origin: Spot, meters: int, spare_allies: bool, except_for: str = ""
) -> list[str]:
    return [
        other
        for other in battle.combatants_in_area(origin, meters)
        if other != except_for and not (spare_allies and battle.side(other) == battle.side(combatant))
    ]


def odds_key(data: MomentumUseData) -> dict[str, object]:
    """Return the values by which `strike odds` tells the results of an Ability apart.

    For each target they are, for example, whether it is hit, and the damage that it takes. With several
    targets, each key begins with the target's id.
    """
    told: dict[str, object] = {}
    for one in data["targets"]:
        stem = f"{one['target']}_" if len(data["targets"]) > 1 else ""
        row: Mapping[str, object] = one
        counted = {
            key: row[key] for key in ("hits", "critical", "resisted", "healed") if row.get(key) is not None
        }
        counted["damage"] = sum_of_damage_taken(one)
        told |= {f"{stem}{key}": value for key, value in counted.items()}
    return told
