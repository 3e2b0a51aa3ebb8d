"""Attacks: a d20 against Evasion, the effects of a hit, and misses that hit others (WSH-09, 10, 11)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from strike_cli.plugin import Args, Choose, Procedure, Refused, Sets, World, listed
from strike_cli.plugin.commands import find_word
from strike_cli.plugin.dice import Modifier, Source
from strike_cli.plugin.tactics import Spot

from .action_costs import AP, must_be_able_to_act
from .checks_and_defense_rolls import given_reasons
from .damage_and_healing import Blow, deal_blow, total_damage_through
from .damage_reduction import IGNORES_NO_ARMOR, DamagePart, ignored_armor
from .dice import Dice, parse_dice, roll_d20, roll_dice
from .facts import Acts, AimedWith, HitBonus, HowCollisionCounts, MomentumAttacked, WithCollision, id_in_words
from .fight_state import Battle
from .forced_movement import push_or_pull_straight
from .rule_constants import CRITICAL_DAMAGE, CRITICAL_DAMAGE_PER_TIER, CRITICAL_FACE
from .statuses import BLEEDING, add_or_replace_status
from .targeting import (
    CoverBetween,
    attack_advantages_and_disadvantages,
    evasion_against_attack,
    half_cover_from,
    require_attack_origin_seeing_target,
    require_distance_within,
)

if TYPE_CHECKING:
    from .data import (
        DamageDealt,
        DealtData,
        MomentumAbility,
        MomentumAttackCounts,
        MomentumAttackData,
        MomentumWeapon,
        SwungData,
    )

ATTACK_AP = 2
"""How many AP an Attack costs (WSH-07)."""
UNARMED: MomentumWeapon = {
    "primary": "str", "secondary": "dex", "damage": "1", "type": "physical", "more": {}, "reach": 1,
    "hands": 0, "ignore_armor": 0,
}  # fmt: skip
"""Bare hands, which everybody can attack with."""


class MomentumAttack(Args):
    """The arguments of `momentum attack`: who attacks whom, with which weapon and which Maneuver.

    `off` are the types of damage that Armor reduces before others. With `miss` the attack misses on purpose.
    `lean` is the square to which the attacker leans.
    """

    who: str
    target: str
    with_: str = ""
    maneuver: str = ""
    nonlethal: bool = False
    lethal: bool = False
    off: str = ""
    miss: bool = False
    lean: str = ""
    adv: Sequence[str] = ()
    dis: Sequence[str] = ()

    def people(self) -> Sequence[str]:
        return (self.who, self.target)


class PreparedAttack(NamedTuple):
    """An attack with a weapon or an Ability, ready to be rolled.

    `dice` are the damage dice by type, in written order. `critical_damage` is the damage that a critical hit
    adds. `mercy_dice` is how many d4 are subtracted from the damage of an attack that isn't to kill.
    `effects` are the Abilities that take effect on a hit. `weapon_name` is the name of the weapon or Ability.
    """

    who: str
    target: str
    origin: Spot
    melee: bool
    bonus: Sequence[Modifier]
    dice: Sequence[tuple[str, Dice]]
    critical_damage: Sequence[DamagePart]
    blow: Blow
    why: Sequence[Source] = ()
    mercy_dice: int = 0
    miss: bool = False
    effects: Sequence[MomentumAbility] = ()
    weapon_name: str = ""


def play_attack(world: World, args: MomentumAttack) -> Procedure[MomentumAttackData]:
    """Play `momentum attack`: an attack with a weapon.

    First the d20 is rolled, then the damage dice in their order. If the attack isn't to kill, some d4 are
    rolled last, and they reduce the damage.

    Raises Refused in these cases:

    - It isn't the attacker's turn, the attacker can't pay, or the attacker lacks the weapon.
    - The target is out of reach or unseen, or is the attacker.
    """
    battle = Battle(world)
    must_be_able_to_act(battle, args.who)
    combatant = args.who
    battle.require_present(args.target)
    if combatant == args.target:
        raise Refused(
            f"{battle.name(combatant)} can't attack {battle.name(combatant)}.", "Name another target."
        )
    id, weapon = chosen_weapon_or_bare_hands(battle, args.who, args.with_)
    maneuver = find_maneuver(battle, args.who, args.maneuver) if args.maneuver else None
    one = battle.people[args.who]
    cost = (0 if one.get("attacks") else ATTACK_AP) + (maneuver.get("ap", 0) if maneuver else 0)
    must_be_able_to_act(battle, args.who, cost)
    place = require_attack_origin_seeing_target(battle, args.who, args.target, args.lean)
    require_distance_within(battle, args.who, place, args.target, weapon.get("range", weapon["reach"]))
    swing = _prepare_weapon_attack(battle, args, weapon, maneuver, place)._replace(
        weapon_name=id_in_words(id)
    )
    left = one.get("attacks", 0) or battle.sheet(args.who).table["attacks"]
    spent = {**AP.pay(battle, args.who, cost), **sets_exposed_till_turn_end_if_hidden(battle, args.who)}
    spent |= battle.sets(args.who, attacks=left - 1, **({"lean": args.lean} if args.lean else {}))
    yield world.tell(Acts(args.who, "attack"), spent)
    return {"who": args.who, "with": id, "ap": cost, **(yield from resolve_attack(world, swing))}


def chosen_weapon_or_bare_hands(battle: Battle, combatant: str, wanted: str) -> tuple[str, MomentumWeapon]:
    """Return the id and the data of the weapon for an attack.

    It is `wanted`. If `wanted` is "", it is the first weapon in hand, or bare hands if there is none. Weapons
    that take no hand count as in hand. Raises Refused for a weapon that the attacker lacks, or doesn't have
    in hand.
    """
    weapons = battle.weapons(combatant)
    ready = [id for id, weapon in weapons.items() if battle.has_in_hand(combatant, id) or not weapon["hands"]]
    if not wanted:
        return next(((id, weapons[id]) for id in ready), ("bare hands", UNARMED))
    if wanted in ("bare hands", *ready):
        return wanted, weapons.get(wanted, UNARMED)
    if wanted in weapons:
        raise Refused(
            f"{battle.name(combatant)} hasn't the {id_in_words(wanted)} in hand.",
            f"`strike momentum act {combatant} switch-weapons --item {wanted}` draws it.",
        )
    raise Refused(
        f"{battle.name(combatant)} has no {wanted!r}.", f"In hand: {listed([*ready, 'bare hands'])}."
    )


def find_maneuver(battle: Battle, combatant: str, name: str) -> MomentumAbility:
    """Return a combatant's Maneuver by name. Raises Refused if they don't have it."""
    abilities = battle.sheet(combatant).table["abilities"]
    if name not in abilities or not abilities[name]["maneuver"]:
        known = [id for id, ability in abilities.items() if ability["maneuver"]]
        raise Refused(f"{battle.name(combatant)} has no Maneuver {name!r}.", f"Maneuvers: {listed(known)}.")
    return abilities[name]


def sets_exposed_till_turn_end_if_hidden(battle: Battle, combatant: str) -> Sets:
    """Return the change that marks a hidden combatant as exposed; {} for one who isn't hidden.

    An exposed combatant stays hidden until the end of the turn, and no longer (WSH-07).
    """
    return battle.sets(combatant, exposed=True) if battle.people[combatant].get("hidden") else {}


def damage_dice_of(tool: MomentumWeapon | MomentumAbility) -> list[tuple[str, Dice]]:
    """Return the damage dice of a weapon or an Ability by type, in written order."""
    each = [(tool["type"], tool["damage"])] if tool.get("damage") else []
    return [(type, parse_dice(dice)) for type, dice in [*each, *tool["more"].items()]]


def _prepare_weapon_attack(
    battle: Battle,
    args: MomentumAttack,
    weapon: MomentumWeapon,
    maneuver: MomentumAbility | None,
    origin: Spot,
) -> PreparedAttack:
    """Return an attack with a weapon, ready to be rolled.

    A critical hit adds 6 to the damage, and 3 more for each Tier of the Maneuver, if there is one (WSH-10).
    """
    bonus = battle.sheet(args.who).weapon_hit_bonus_from_stats(weapon)
    more = damage_dice_of(maneuver) if maneuver else []
    extra = [DamagePart(weapon["type"], CRITICAL_DAMAGE)]
    extra += [DamagePart(maneuver["type"], CRITICAL_DAMAGE_PER_TIER * maneuver["tier"])] if maneuver else []
    ignoring = ignored_armor(weapon["ignore_armor"]).combined_with(
        ignored_armor(maneuver["ignore_armor"]) if maneuver else IGNORES_NO_ARMOR
    )
    dice = [*damage_dice_of(weapon), *more]
    return PreparedAttack(
        args.who,
        args.target,
        origin,
        "range" not in weapon,
        [Modifier(bonus, HitBonus())] if bonus else [],
        dice,
        extra,
        Blow(
            (),
            ignoring,
            args.nonlethal,
            args.lethal,
            read_armor_order(args.off, dice),
            battle.commander_or_self(args.who),
        ),
        given_reasons(args.adv, args.dis),
        1 if args.nonlethal else 0,
        args.miss,
        [maneuver] if maneuver else [],
    )


def read_armor_order(off: str, typed_damage: Sequence[tuple[str, object]]) -> list[str]:
    """Return the types of damage in `off`, in the order in which Armor reduces them.

    `off` gives each type by name, or as a number that counts the attack's damage dice. Raises Usage for any
    other word, and Refused for a type that is named twice.
    """
    types, order = [type for type, _ in typed_damage], list[str]()
    for word in filter(None, map(str.strip, off.split(","))):
        numbered = word.isdigit() and 1 <= int(word) <= len(types)
        order.append(types[int(word) - 1] if numbered else find_word(word, types, "type of this damage"))
    if len(set(order)) < len(order):
        raise Refused(f"--off {off} names a type twice.", f"The types of this damage: {listed(types)}.")
    return order


def resolve_attack(world: World, swing: PreparedAttack) -> Procedure[SwungData]:
    """Play an attack: the roll to hit and, on a hit, its damage and effects.

    A miss may hit another creature instead: the creature that the target rides on, or the creature that gives
    the target cover (WSH-07, 18).
    """
    battle = Battle(world)
    target = swing.target
    cover = CoverBetween() if swing.melee else half_cover_from(battle, swing.origin, target, (swing.who,))
    evasion = evasion_against_attack(battle, target, cover, swing.melee)
    behind = battle.people[target].get("on") or cover.creature
    next_evasion = (
        evasion_against_attack(battle, behind, CoverBetween(), swing.melee)
        if behind and behind != swing.who
        else None
    )
    rolled = None
    if not battle.people[target].get("object") and not swing.miss:
        why = [*swing.why, *attack_advantages_and_disadvantages(battle, swing.who, target, swing.melee)]
        goals = [evasion] if next_evasion is None else [evasion, next_evasion]
        about = AimedWith(target, swing.weapon_name)
        rolled = yield from roll_d20(swing.who, "attack", why, swing.bonus, goals, about)
    critical = rolled is not None and rolled.kept == CRITICAL_FACE
    hits = critical or rolled.total >= evasion if rolled else not swing.miss
    yield world.tell(MomentumAttacked(swing.who, target, hits, swing.weapon_name, evasion, rolled))
    data: dict[str, object] = {
        "target": target,
        "roll": rolled.as_json() if rolled else None,
        "total": rolled.total if rolled else None,
        "evasion": evasion,
        "cover": cover.half,
        "hits": hits,
        "critical": critical,
        "damage": [],
        "instead": None,
    }
    if hits:
        data |= yield from _deal_hit_damage(world, swing, target, critical)
    elif next_evasion is not None and rolled is not None and rolled.total >= next_evasion:
        yield world.tell(MomentumAttacked(swing.who, behind, True, swing.weapon_name, next_evasion, rolled))
        data["instead"] = yield from _deal_hit_damage(world, swing, behind, False)
    now = Battle(world)
    standing = {
        "vitality_after": now.people[target]["vitality"],
        "bleeding": now.has_status(target, BLEEDING),
    }
    return cast("SwungData", {**data, **standing})


def _deal_hit_damage(
    world: World, swing: PreparedAttack, target: str, critical: bool
) -> Procedure[DealtData]:
    """Roll and deal the damage of a hit, and apply its effects (WSH-10, 11, 19)."""
    parts = yield from roll_damage_parts(world, swing.who, swing.dice)
    parts = append_critical_parts_if_any_damage(parts, swing.critical_damage) if critical else parts
    if swing.mercy_dice:
        mercy = yield from roll_dice(world, swing.who, "mercy", Dice(swing.mercy_dice, 4))
        parts = subtract_mercy(parts, mercy)
    return (
        yield from apply_pushes_damage_and_statuses(
            world, target, swing.blow._replace(parts=parts), swing.who, swing.effects
        )
    )


def roll_damage_parts(
    world: World, combatant: str, dice: Sequence[tuple[str, Dice]]
) -> Procedure[list[DamagePart]]:
    """Roll damage dice in written order, and return the damage by type."""
    parts = []
    for type, one in dice:
        parts.append(DamagePart(type, (yield from roll_dice(world, combatant, f"{type} damage", one))))
    return parts


def append_critical_parts_if_any_damage(
    parts: Sequence[DamagePart], extra: Sequence[DamagePart]
) -> list[DamagePart]:
    """Return the damage of a critical hit: the parts of the hit's damage, and the extra damage.

    If the hit has no damage, nothing is added.
    """
    return [*parts, *extra] if parts else []


def subtract_mercy(parts: Sequence[DamagePart], mercy_total: int) -> list[DamagePart]:
    """Return the damage after `mercy_total` is subtracted.

    `mercy_total` is the total of the d4 that are rolled for an attack that isn't to kill. It is subtracted
    from the first part. If `mercy_total` exceeds that part, the rest of `mercy_total` is subtracted from the
    next part, and so on (WSH-11).
    """
    left = []
    for type, amount in parts:
        left.append(DamagePart(type, max(0, amount - mercy_total)))
        mercy_total = max(0, mercy_total - amount)
    return left


def apply_pushes_damage_and_statuses(
    world: World, target: str, blow: Blow, by: str, effects: Sequence[MomentumAbility]
) -> Procedure[DealtData]:
    """Push or pull a target, deal damage to it, and give it Status Effects, in this order.

    The push comes first, since the damage of a collision may be dealt together with the damage of the attack
    (WSH-19). `effects` are the Abilities that push, pull or have a Status Effect.
    """
    collision = 0
    for effect in effects:
        for word in ("push", "pull"):
            if effect.get(word) and "out" not in Battle(world).people[target]:
                power = Battle(world).sheet(by).defense_roll_power
                forced = yield from push_or_pull_straight(
                    world, target, by, effect[word], power, pull=word == "pull"
                )
                collision += forced["damage"]
    own = [DamagePart("physical", collision)] if collision else []
    data: DealtData = {"target": target, "damage": []}
    for parts in (yield from _ask_and_split_off_collision_damage(world, target, blow, by, own)):
        if parts and "out" not in Battle(world).people[target]:
            came = yield from deal_blow(world, target, blow._replace(parts=parts))
            data = {**came, "damage": [*data["damage"], *came["damage"]]}
    for effect in effects:
        if effect.get("status") and "out" not in Battle(world).people[target]:
            of = by if effect["whose"] == "self" else target
            yield from add_or_replace_status(
                world, target, effect["status"], until=effect.get("until", ""), of=of, by=by
            )
    return data


def _ask_and_split_off_collision_damage(
    world: World, target: str, blow: Blow, by: str, collision: list[DamagePart]
) -> Procedure[list[list[DamagePart]]]:
    """Return the damage of an attack and of its collision, in one portion or in two.

    Armor reduces each portion by itself. So if both deal damage, the attacker chooses between one portion and
    two (WSH-19). `collision` is the damage of the collision.
    """
    together, apart = [[*blow.parts, *collision]], [list(blow.parts), collision]
    if not (blow.parts and collision):
        return together
    battle = Battle(world)
    comes_to = [
        WithCollision(
            sum(total_damage_through(battle, target, blow._replace(parts=each)) for each in blows), number > 0
        )
        for number, blows in enumerate((together, apart))
    ]
    answer = yield Choose(
        blow.by or by,
        "the collision",
        ("together", "apart"),
        tuple(comes_to),
        default="together",
        about=HowCollisionCounts(target, sum(part.amount for part in collision)),
    )
    return apart if answer == "apart" else together


def odds_key(data: MomentumAttackData) -> MomentumAttackCounts:
    """Return the values by which `strike odds momentum attack` tells results apart."""
    instead = data["instead"]
    told: MomentumAttackCounts = {
        "hits": data["hits"],
        "critical": data["critical"],
        "damage": sum_of_damage_taken(data),
    }
    if instead:
        told["instead"], told["their_damage"] = instead["target"], sum_of_damage_taken(instead)
    return told


def sum_of_damage_taken(data: DamageDealt) -> int:
    """Return how much damage was taken, of all types together."""
    return sum(part["taken"] for part in data["damage"])
