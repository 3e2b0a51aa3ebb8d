"""Powers that everybody has, and limits on the use of powers (STR-TAC-12, 13)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Happen
from strike_cli.problems import Refused
from strike_cli.tabletop.characters_and_names import charges_spent

from ..facts.powers_and_fight_events import PowerRegained
from ..fight_state import Fight, combatant_path

if TYPE_CHECKING:
    from ..data import Power as Power
else:
    Power = Mapping  # only type checkers need its form

MELEE_BASIC = "core:melee-basic"
RANGED_BASIC = "core:ranged-basic"
RALLY = "core:rally"
STANDARD = (MELEE_BASIC, RANGED_BASIC, RALLY)
"""Powers that everybody has (STR-TAC-13).

Charge, Assess and improvised attacks have commands of their own.
"""


def uses_per_fight(fight: Fight, actor: str, power: Power) -> int | None:
    """Return how many times a combatant may use a power in a fight; None if there is no limit.

    For creatures, the power's charges are such a limit. For players' characters they aren't, since their
    charges last across fights.
    """
    if "uses" in power:
        return int(power["uses"])
    if "charges" in power and not fight.is_player(actor):
        return int(power["charges"])
    return 1 if power["usage"] == "encounter" else None


def uses_left_and_in_all(fight: Fight, actor: str, power: Power) -> tuple[int, int] | None:
    """Return the uses of a power that a combatant has left, and the uses in all; None without a limit."""
    if "charges" in power and fight.is_player(actor):
        spent = charges_spent(fight.world, fight.combatant(actor)["ref"], power["id"])
        return max(0, power["charges"] - spent), power["charges"]
    most = uses_per_fight(fight, actor, power)
    used = fight.combatant(actor).get("used", []).count(power["id"])
    return None if most is None else (max(0, most - used), most)


def must_have_uses(fight: Fight, actor: str, power: Power) -> None:
    """Raise Refused if a creature has no use of a power left.

    The message says how often the power can be used, or what restores it.
    """
    found = uses_left_and_in_all(fight, actor, power)
    if found is None or found[0]:
        return
    name = fight.name(actor)
    if "charges" in power and fight.is_player(actor):
        back = f"`strike rest {power.get('back', 'long')} {actor}` restores them."
        raise Refused(f"{name} has no charge of {power['name']} left.", back)
    once = "Once a fight." if power["kind"] == "special" else "Encounter powers work once a fight."
    often = once if found[1] == 1 else f"It has {found[1]} uses a fight."
    if "recharge" in power:
        often = f"A {power['recharge']} or more at the start of a turn restores it."
    raise Refused(f"{name} has used {power['name']} in this fight.", often)


def power_regained_fact(fight: Fight, actor: str, power: str) -> Happen:
    """Return the fact that a combatant regains one use of a power."""
    left = list(fight.combatant(actor)["used"])
    left.remove(power)
    return fight.world.tell(PowerRegained(actor, power), {combatant_path(actor, "used"): left or None})
