"""Attacks: nobody rolls to hit; the damage dice are rolled at once (GRT-05 to 09).

An attack in a fight and an attack on a target given by numbers differ only in what comes before the damage
dice; from then on, the same code plays both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.plugin import Args, Procedure, Refused, World, listed
from strike_cli.plugin.facts import BeforeAfter
from strike_cli.plugin.tactics import Spot

from .dice import ATTRIBUTES, IMPAIRED, DieReasons, roll_for_highest, sides_of
from .facts import CLOSE, Cover, GritActed, GritAttacked, Unarmed, WeaponAt
from .fight_state import GritFight
from .harm import (
    DamageResult,
    DamageType,
    absorb_damage,
    deal_direct_damage,
    defer_direct_damage,
    defers_direct_damage,
)
from .morale import make_morale_saves_if_immediate
from .movement_and_distances import (
    distance_unit,
    is_covered,
    must_reach_and_see,
    place_on_map,
    uses_worded_places,
)
from .vitals import GritVitals, sheet_of

if TYPE_CHECKING:
    from .data import GritAttackData, GritWeapon

UNARMED = "unarmed"
ASSUMED_SIDES = 12
"""The sides of the die that a bare attack assumes for an attribute that was not given."""


class GritAttack(Args):
    """The arguments of `grit attack`: `who` attacks `targets` with `weapon`.

    A blast that has an area may be aimed `at` a square instead. Without `who`, the dice in `damage` are
    rolled against a target that is given by numbers alone: `armor`, `grit`, and the dice `str_`, `dex` and
    `wil`.
    """

    who: str = ""
    targets: Sequence[str] = ()
    at: str = ""
    weapon: str = ""
    enhanced: Sequence[str] = ()
    impaired: Sequence[str] = ()
    save_enhanced: Sequence[str] = ()
    save_impaired: Sequence[str] = ()
    damage: Sequence[str] = ()
    armor: int = 0
    grit: int = 0
    str_: str = ""
    dex: str = ""
    wil: str = ""

    def people(self) -> list[str]:
        return [self.who, *self.targets]


class Weapon(NamedTuple):
    """A weapon, with the values that an attack uses.

    `dice` are the numbers of sides of its damage dice. `attribute` is the attribute that its Direct Damage
    reduces. `blast` is False for a weapon that hits one target. It is True for a weapon that hits several
    targets, which the game master picks; a number is the radius in squares within which the weapon hits
    everybody. `critical` is the further effect of the weapon's Critical Damage, in words.
    """

    name: str
    dice: tuple[int, ...] = (IMPAIRED,)
    range: str = CLOSE
    attribute: str = "str"
    blast: bool | int = False
    critical: str = ""
    bulky: int = 0

    @classmethod
    def from_table(cls, name: str, table: GritWeapon) -> Weapon:
        """Return a Weapon with a name and the values of its table in a sheet or in the book."""
        return cls(
            name,
            tuple(map(sides_of, table["dice"])),
            table["range"],
            table["attribute"],
            table["blast"],
            table["critical"],
            table["bulky"],
        )

    @property
    def blast_radius(self) -> int:
        """The radius in squares within which everybody is hit; 0 if the game master names the targets."""
        return 0 if isinstance(self.blast, bool) else self.blast

    @property
    def damage_type(self) -> DamageType:
        """The kind of Direct Damage that the weapon deals.

        It says which attribute the damage reduces, and what else Critical Damage does.
        """
        return DamageType(self.attribute, self.critical)


BARE_HANDS = Weapon("bare hands")


def weapons_and_bare_hands(world: World, combatant: str) -> dict[str, Weapon]:
    """Return a combatant's weapons by name; bare hands come last."""
    written = sheet_of(world, combatant)["weapons"]
    return {
        **{name: Weapon.from_table(name, weapon) for name, weapon in written.items()},
        UNARMED: BARE_HANDS,
    }


def play_attack(world: World, args: GritAttack) -> Procedure[GritAttackData]:
    """Play `grit attack`: attack each target with a weapon.

    Dice: for each target the damage dice, then its Save if it has to make one. Morale Saves follow, if the
    house rule `grit.morale` is "immediate".

    Raises Refused if the attacker can't act now, and for a weapon or targets that can't be used.
    """
    saves = DieReasons(args.save_enhanced, args.save_impaired)
    if not args.who:
        return (yield from _attack_target_given_by_numbers(world, args, saves))
    fight = GritFight(world)
    fight.must_be_free_to_act(args.who)
    weapon = _named_held_or_only_weapon(fight, args)
    area = weapon.blast_radius if not uses_worded_places(fight) else 0
    targets = _people_in_reachable_area(fight, args, weapon) if area else args.targets
    if not area:
        _must_have_legal_targets(fight, args, weapon)
    held = {} if weapon is BARE_HANDS else {"wields": weapon.name}
    seen = fight.sets(args.who, hidden=None, **held)  # the attacker is seen doing it
    several = len(targets) != 1 or bool(args.at)
    told = GritActed(args.who, weapon.name if several else "", at=args.at.upper())
    yield world.tell(told, fight.changes_marking_acted(args.who) | seen)
    attacks = []
    for combatant in targets:
        unarmed = [Unarmed()] if weapon is BARE_HANDS else []
        origin = args.who if not area or [combatant] == list(args.targets) else _blast_aim(fight, args)
        cover = [Cover()] if is_covered(fight, origin, combatant) else []
        reasons = DieReasons(args.enhanced, [*args.impaired, *unarmed, *cover])
        struck = yield from _attack_one_target(
            world, fight.vitals_of(combatant), weapon, reasons, saves, args.who
        )
        attacks.append(struck.as_json())
    data: GritAttackData = {"who": args.who, "attacks": attacks, "morale": []}
    if weapon.blast:
        data["blast"] = area or None
    data["morale"] = yield from make_morale_saves_if_immediate(world)
    return data


def _people_in_reachable_area(fight: GritFight, args: GritAttack, weapon: Weapon) -> list[str]:
    """Return everybody in the area of a blast, in the order of `grit show`.

    The area covers everybody within the radius and in sight of its centre, friends and the attacker included
    (GRT-09). Raises Refused if not exactly one target or square is named, if the aim is out of reach, and if
    nobody is in the area.
    """
    if (len(args.targets) == 1) == bool(args.at):
        raise Refused(
            f"{weapon.name} hits everybody within "
            f"{distance_unit(fight).words(weapon.blast_radius)} of its target.",
            "Name the target, or a square: --at C7.",
        )
    aim = _blast_aim(fight, args)
    if isinstance(aim, str):
        fight.require_present(aim)
    must_reach_and_see(fight, args.who, aim, weapon.range)
    middle = place_on_map(fight, aim)
    found = list(fight.combatants_in_area(middle, weapon.blast_radius) if middle else args.targets)
    if not found:
        raise Refused(
            f"Nobody is within {distance_unit(fight).words(weapon.blast_radius)} of {args.at}.",
            "`strike grit show` has the map.",
        )
    return found


def _blast_aim(fight: GritFight, args: GritAttack) -> str | Spot:
    """Return the aim of a blast: a combatant's id or a square.

    Raises Refused for a square off the map.
    """
    return Spot(fight.square_on_map(args.at)) if args.at else args.targets[0]


def odds_key(data: GritAttackData) -> dict[str, object]:
    """Return the values by which `strike odds grit attack` tells results apart.

    They are the Direct Damage, the Critical Damage and the state of each target.
    """
    counted = ("direct", "critical", "state")
    attacks: Sequence[Mapping[str, object]] = data["attacks"]
    if len(attacks) == 1:
        return {key: attacks[0][key] for key in counted}
    return {f"{attack['target']} {key}": attack[key] for attack in attacks for key in counted}


def _attack_target_given_by_numbers(
    world: World, args: GritAttack, saves: DieReasons
) -> Procedure[GritAttackData]:
    typed = {"str": args.str_, "dex": args.dex, "wil": args.wil}
    attribute = next((each for each in ATTRIBUTES if typed[each]), "")
    if not args.damage or not attribute:
        raise Refused(
            "The attack needs an attacker and a target.",
            "Name both, or give dice and a target's numbers: --damage d6,d6 --armor 1 --grit 2 --str d10.",
        )
    dice = {each: sides_of(typed[each]) if typed[each] else ASSUMED_SIDES for each in ATTRIBUTES}
    target = GritVitals("", "Target", {"grit": args.grit, "armor": args.armor, **dice})
    weapon = Weapon("", tuple(map(sides_of, args.damage)), attribute=attribute)
    reasons = DieReasons(args.enhanced, args.impaired)
    struck = yield from _attack_one_target(world, target, weapon, reasons, saves)
    return {"who": "", "attacks": [struck.as_json()], "morale": []}


def _named_held_or_only_weapon(fight: GritFight, args: GritAttack) -> Weapon:
    """Return the weapon of an attack.

    If `args` names none, it is the weapon used last, or else the only one that reaches the targets, or else
    the only one that the attacker has. A combatant without weapons uses bare hands. Raises Refused if the
    attacker lacks the named weapon, or if several weapons remain.
    """
    weapons, name = weapons_and_bare_hands(fight.world, args.who), args.weapon
    own = [each for each in weapons if each != UNARMED]
    if not name:
        held = fight.people[args.who].get("wields", "")
        fit = [each for each in own if _reaches_all_targets(fight, args, weapons[each])]
        name = held if held in own else fit[0] if len(fit) == 1 else own[0] if len(own) == 1 else ""
        if not own:
            return BARE_HANDS
    if name not in weapons:
        what = f"has no {name!r}" if name else "has several weapons, and no weapon in hand"
        raise Refused(f"{fight.people[args.who]['name']} {what}.", f"--with one of {listed(weapons)}.")
    return weapons[name]


def _reaches_all_targets(fight: GritFight, args: GritAttack, weapon: Weapon) -> bool:
    """Return whether a weapon reaches all targets of the attack that are in the fight."""
    aims = [combatant for combatant in args.targets if combatant in fight.people]
    try:
        for aim in aims:
            must_reach_and_see(fight, args.who, aim, weapon.range)
    except Refused:
        return False
    return True


def _must_have_legal_targets(fight: GritFight, args: GritAttack, weapon: Weapon) -> None:
    if args.at:
        raise Refused(
            f"{weapon.name} needs a target: it has no area on the map.",
            f"Name the target. `blast = 2` on the sheet is an area of 2 squares: "
            f"{distance_unit(fight).words(2)}.",
        )
    if not args.targets:
        others = [combatant for combatant in fight.combatants_there() if combatant != args.who]
        raise Refused("The attack has no target.", f"Name the target: {listed(others)}.")
    if len(args.targets) > 1 and not weapon.blast:
        raise Refused(
            f"{weapon.name} hits one target at a time: it has no blast.",
            "Name one target, or another weapon.",
        )
    if args.who in args.targets or len(set(args.targets)) < len(args.targets):
        raise Refused("A target is named twice, or attacks itself.", "Name each target once.")
    for combatant in args.targets:
        fight.require_present(combatant)
        must_reach_and_see(fight, args.who, combatant, weapon.range)


def _attack_one_target(
    world: World, target: GritVitals, weapon: Weapon, reasons: DieReasons, saves: DieReasons, actor: str = ""
) -> Procedure[DamageResult]:
    """Play an attack on one target (GRT-05, 09).

    Armor and Grit reduce the damage, and the rest is Direct Damage.
    """
    called = "" if weapon is BARE_HANDS else weapon.name
    rolled = yield from roll_for_highest(
        actor, "damage", weapon.dice, reasons, about=WeaponAt(target.who, called)
    )
    before = target["grit"]
    sets, direct = absorb_damage(target, rolled.kept)
    armor, grit = target["armor"], BeforeAfter(before, target["grit"])
    left = max(0, rolled.kept - armor)
    attacked = GritAttacked(target.who, rolled, armor, left, grit, direct, bool(direct), actor, called)
    yield world.tell(attacked, sets)
    if direct and defers_direct_damage(world, target):
        yield from defer_direct_damage(world, target, direct, weapon.damage_type, saves)
        return DamageResult(target, weapon.attribute, before, direct, rolled=rolled, held=True)
    wounds = yield from deal_direct_damage(world, target, direct, weapon.damage_type, saves)
    return DamageResult(target, weapon.attribute, before, direct, wounds, rolled)
