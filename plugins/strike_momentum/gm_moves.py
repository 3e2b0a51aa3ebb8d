"""The game master's moves (WSH-02, 08, 16).

They are about harm, healing, Narrative Momentum, Status Effects, leaving the fight, and rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from strike_cli.plugin import Args, Procedure, Refused, Sets, World

from .checks_and_defense_rolls import defense_roll
from .damage_and_healing import Blow, deal_blow, leave_fight_keeping_statuses, restore_vitality_and_revive
from .damage_reduction import ALL_ARMOR, IgnoredArmor
from .damage_reduction import DamagePart as Damage
from .facts import MomentumGained, MomentumRested
from .fight_start_end_and_summons import summon_creature
from .fight_state import Battle
from .refusals import NoEndOfStatus, NoStat, NoStatusEffect
from .rule_constants import DAMAGE_TYPE_NAMES, STATS, UNTIL_WORDS
from .statuses import UPKEEP, Upkeep, add_or_replace_status, remove_statuses

if TYPE_CHECKING:
    from .data import (
        MomentumGainData,
        MomentumHealData,
        MomentumHurtData,
        MomentumLeaveData,
        MomentumResistData,
        MomentumRestData,
        MomentumStatusAddData,
        MomentumSummonData,
    )


class Hurt(Args):
    """The arguments of `momentum hurt`: who is hurt, by how much damage of which type.

    They also say how much Armor the damage ignores.
    """

    who: str
    amount: int
    type: str = "physical"
    ignored: int = 0
    all_armor: bool = False
    nonlethal: bool = False


class Amount(Args):
    """The arguments of `momentum heal` and `momentum gain`: a combatant, and an amount."""

    who: str
    amount: int = 1


class ChangeStatus(Args):
    """The arguments of `momentum status add` and `status remove`: a combatant and a Status Effect.

    `until` says when the effect ends, and `of` on whose turn that is. `by` is who caused the effect.
    """

    who: str
    status: str
    until: str = ""
    of: str = ""
    by: str = ""
    upkeep: int = 0


class Resist(Args):
    """The arguments of `momentum resist`: a combatant, a Stat, and the DR Power to reach."""

    who: str
    stat: str
    power: int
    cover: bool = False
    fails: bool = False


class LeaveBattle(Args):
    """The arguments of `momentum leave`: a combatant, and how they leave the fight."""

    who: str
    how: str = "gone"


class CallCreature(Args):
    """The arguments of `momentum summon`: who summons which creature, and to which square."""

    who: str
    creature: str
    at: str


class RestoreSheets(Args):
    """The arguments of `momentum rest`: the characters whose numbers are reset to their sheets."""

    who: Sequence[str]

    def people(self) -> Sequence[str]:
        return self.who


def play_hurt(world: World, args: Hurt) -> Procedure[MomentumHurtData]:
    """Play `momentum hurt`: damage that defenses reduce, like the damage of an attack.

    The arguments may say that it ignores Armor. Raises Refused for an unknown type, and for an amount below
    0.
    """
    Battle(world).require_present(args.who)
    if args.type not in DAMAGE_TYPE_NAMES or args.amount < 0:
        raise Refused(f"{args.amount} {args.type} is not damage.", f"Types: {', '.join(DAMAGE_TYPE_NAMES)}.")
    blow = Blow(
        [Damage(args.type, args.amount)],
        IgnoredArmor(ALL_ARMOR if args.all_armor else args.ignored),
        args.nonlethal,
    )
    return {"who": args.who, **(yield from deal_blow(world, args.who, blow))}


def play_heal(world: World, args: Amount) -> Procedure[MomentumHealData]:
    """Play `momentum heal`: restore Vitality of a combatant (WSH-16).

    A dead combatant comes back to life if the new Vitality is 1 or more. Status Effects stay. Raises Refused
    for an amount below 1.
    """
    Battle(world).person(args.who)
    if args.amount < 1:
        raise Refused("That heals nothing.", "Give an amount, 1 or more.")
    healed = yield from restore_vitality_and_revive(world, args.who, args.amount)
    return {"who": args.who, "healed": healed, "vitality_after": Battle(world).people[args.who]["vitality"]}


def play_gain(world: World, args: Amount) -> Procedure[MomentumGainData]:
    """Play `momentum gain`: give Narrative Momentum. An amount below 0 takes some away.

    Raises Refused for the amount 0, or if the new total would be below 0.
    """
    battle = Battle(world)
    one = battle.require_present(args.who)
    now = one["momentum"] + args.amount
    if now < 0 or not args.amount:
        raise Refused(f"{one['name']} has {one['momentum']} Narrative Momentum.", "It doesn't fall below 0.")
    yield world.tell(MomentumGained(args.who, now), battle.sets(args.who, momentum=now))
    return {"who": args.who, "momentum": now}


def play_status_add(world: World, args: ChangeStatus) -> Procedure[MomentumStatusAddData]:
    """Play `momentum status add`.

    Raises NoStatusEffect for an unknown Status Effect, and NoEndOfStatus for an unknown `until`.
    """
    battle = Battle(world)
    battle.require_present(args.who)
    if args.status not in world.book.status_effects:
        raise NoStatusEffect(repr(args.status), f"{', '.join(world.book.status_effects)}.")
    if args.until and args.until not in UNTIL_WORDS:
        raise NoEndOfStatus(repr(args.until), f"Use one of {', '.join(UNTIL_WORDS)}.")
    for one in filter(None, (args.of, args.by)):
        battle.person(one)
    kept = Upkeep(min(3, max(0, args.upkeep))) if args.until == UPKEEP else None
    yield from add_or_replace_status(
        world, args.who, args.status, until=args.until, of=args.of, by=args.by, upkeep=kept
    )
    return {"who": args.who, "status": args.status}


def play_status_remove(world: World, args: ChangeStatus) -> Procedure[MomentumStatusAddData]:
    """Play `momentum status remove`. Raises Refused if the combatant doesn't have that Status Effect."""
    one = Battle(world).person(args.who)
    gone = [status for status in one.get("statuses", ()) if status["id"] == args.status]
    if not gone:
        has = ", ".join(status["id"] for status in one.get("statuses", ())) or "none"
        raise Refused(f"{one['name']} has no {args.status}.", f"Status Effects: {has}.")
    yield from remove_statuses(world, args.who, gone)
    return {"who": args.who, "status": args.status}


def play_resist(world: World, args: Resist) -> Procedure[MomentumResistData]:
    """Play `momentum resist`: a combatant makes a Defense Roll with the d20.

    Raises NoStat for an unknown Stat.
    """
    Battle(world).require_present(args.who)
    if args.stat not in STATS:
        raise NoStat(repr(args.stat), f"Stats: {', '.join(STATS)}.")
    found = yield from defense_roll(
        world, args.who, args.stat, args.power, cover=args.cover, fails=args.fails
    )
    return {"who": args.who, "roll": found.as_json(), "success": found.success}


def play_leave(world: World, args: LeaveBattle) -> Procedure[MomentumLeaveData]:
    """Play `momentum leave`: a combatant leaves the fight."""
    Battle(world).require_present(args.who)
    yield from leave_fight_keeping_statuses(world, args.who, args.how)
    return {"who": args.who, "out": args.how}


def play_summon(world: World, args: CallCreature) -> Procedure[MomentumSummonData]:
    """Play `momentum summon`: put a creature on a square, on the side of its summoner.

    Raises Refused for an unknown creature, and NoRoomOn if the creature can't stand on the square.
    """
    battle = Battle(world)
    battle.require_present(args.who)
    if args.creature not in world.book.creatures:
        raise Refused(f"There is no creature {args.creature!r}.", "campaign.toml has them under [creatures].")
    return {"summoned": (yield from summon_creature(world, args.who, args.creature, battle.square(args.at)))}


def play_rest(world: World, args: RestoreSheets) -> Procedure[MomentumRestData]:
    """Play `momentum rest`: characters get back the numbers on their sheets.

    The rules leave the details of a rest to the game master. Raises Refused during a fight. Also raises
    Refused if all the characters have the numbers on their sheets already.
    """
    if world.get("momentum"):
        raise Refused("A fight is under way.", "`strike momentum end` ends it.")
    tired = [combatant for combatant in args.who if world.get(f"characters.{combatant}.momentum")]
    if not tired:
        raise Refused("Nobody needs a rest.", "Everything is as on the sheets.")
    sets: Sets = {f"characters.{combatant}.momentum": None for combatant in tired}
    yield world.tell(MomentumRested(tired), sets)
    return {"rested": tired}


def odds_key_of_resist(data: dict[str, object]) -> dict[str, object]:
    """Return the values by which `strike odds momentum resist` tells results apart."""
    return {"success": data["success"]}
