"""Attack rolls and Defense Rolls from typed numbers, without a campaign (WSH-09, 10, 14)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from strike_cli.plugin import Args, Procedure, Refused, World
from strike_cli.plugin.dice import Modifier, Rolled

from .checks_and_defense_rolls import given_reasons
from .dice import roll_d20
from .facts import BareBonus, MomentumReckoned
from .rule_constants import CRITICAL_FACE
from .sheet_and_formulas import defense_roll_bonus, hit_bonus

if TYPE_CHECKING:
    from .data import MomentumDrData, MomentumHitData, MomentumHitsCounts


class BareHit(Args):
    """The arguments of `momentum hit`: two Stats, the Evasion, and the d20's face if already rolled."""

    primary: int
    secondary: int
    evasion: int | None = None
    die: int | None = None
    adv: Sequence[str] = ()
    dis: Sequence[str] = ()


class BareResist(Args):
    """The arguments of `momentum dr`: a Stat, its Skill, a DR Power, and the d20's face if already rolled."""

    stat: int
    skill: int = 0
    power: int | None = None
    die: int | None = None
    adv: Sequence[str] = ()
    dis: Sequence[str] = ()


def play_hit(world: World, args: BareHit) -> Procedure[MomentumHitData]:
    """Play `momentum hit`: roll an attack's d20 with numbers that were typed.

    With Advantage or Disadvantage, two d20 are rolled. If `die` is given, nothing is rolled. If no Evasion is
    given, `hits` is None in the result.
    """
    bonus = hit_bonus(args.primary, args.secondary)
    rolled = yield from _roll_or_use_given_die("attack", bonus, args, args.evasion)
    critical = rolled.kept == CRITICAL_FACE
    hits = None if args.evasion is None else critical or rolled.total >= args.evasion
    outcome = "hits" if hits else "misses"
    yield world.tell(MomentumReckoned(roll=rolled, needed=args.evasion, outcome=outcome))
    return {
        "bonus": bonus,
        "roll": rolled.as_json(),
        "total": rolled.total,
        "hits": hits,
        "critical": critical,
    }


def play_dr(world: World, args: BareResist) -> Procedure[MomentumDrData]:
    """Play `momentum dr`: a Defense Roll, made from numbers alone.

    The dice are one d20, or two with Advantage or Disadvantage. If `die` is given, nothing is rolled.
    """
    value = defense_roll_bonus(args.stat, args.skill)
    rolled = yield from _roll_or_use_given_die("Defense Roll", value, args, args.power)
    success = None if args.power is None else rolled.total >= args.power
    outcome = "resisted" if success else "not-resisted"
    yield world.tell(MomentumReckoned(roll=rolled, needed=args.power, outcome=outcome))
    return {"value": value, "roll": rolled.as_json(), "total": rolled.total, "success": success}


def _roll_or_use_given_die(
    purpose: str, bonus: int, args: BareHit | BareResist, against: int | None
) -> Procedure[Rolled]:
    modifiers, die, why = [Modifier(bonus, BareBonus())], args.die, given_reasons(args.adv, args.dis)
    if die is None:
        reaching = () if against is None else (against,)
        return (yield from roll_d20("", purpose, why, modifiers, reaching))
    if why:
        raise Refused(
            "--die is one face, and --adv or --dis needs two.",
            "Leave out --die. A roll takes both faces from `--dice 12,7`.",
        )
    if not 1 <= die <= CRITICAL_FACE:
        raise Refused(f"{die} is not a face of a d20.", "A face is a number from 1 to 20.")
    return Rolled("", purpose, [die], modifiers=modifiers, sides=20)


def odds_key_of_hit(data: Mapping[str, object]) -> MomentumHitsCounts:
    """Return the values by which `strike odds momentum hit` tells results apart."""
    return {"hits": bool(data["hits"]), "critical": bool(data["critical"])}


def odds_key_of_defense_roll(data: Mapping[str, object]) -> dict[str, object]:
    """Return the values by which `strike odds momentum dr` tells results apart."""
    return {"success": data["success"]}
