"""The costs of actions: AP of a turn, RP of a round, Narrative Momentum (WSH-02, 07, 08)."""

from __future__ import annotations

from collections.abc import Sequence

from strike_cli.plugin import Args, Happen, Refused, World, listed
from strike_cli.plugin.tactics import Points

from .facts import Acts, MomentumActed
from .fight_state import Battle
from .refusals import NoRoundYet
from .statuses import effects_total

AP, RP, MOVEMENT = Points("ap", "AP", "spent"), Points("rp", "RP", "reacted"), Points("movement", "m", "gone")
WP, NARRATIVE = Points("wp", "WP"), Points("momentum", "Narrative Momentum")


def must_be_able_to_act(battle: Battle, combatant: str, ap: int = 0) -> None:
    """Raise Refused if it isn't the combatant's turn, if they are down, or if they lack `ap` AP."""
    one = battle.require_present(combatant)
    if not battle.is_acting(combatant):
        now = f"It is {battle.name(battle.active)}'s turn" if battle.active else "Nobody's turn is under way"
        hint = (
            f"Now: {listed(battle.union_members(battle.active))}."
            if battle.active
            else "`strike momentum turn` begins one."
        )
        raise Refused(f"{now}, not {one['name']}'s.", hint)
    if one.get("down"):
        raise Refused(f"{one['name']} is down.", "`strike momentum end-turn`, or a Cinematic Burst.")
    left = f"`strike momentum options` lists the rest; {one['movement']} m of movement are left."
    AP.must_have(one, ap, left)


def usable_rp(battle: Battle, combatant: str) -> int:
    """Return how many RP a combatant can use now; 0 if the combatant is down.

    The number is the RP left in this round, raised or lowered by Status Effects, and at least 0.
    """
    one = battle.people[combatant]
    return max(0, one["rp"] + effects_total(battle, combatant, "rp")) if battle.is_up(combatant) else 0


def must_be_able_to_react(battle: Battle, combatant: str, rp: int) -> None:
    """Raise Refused if a combatant can use fewer than `rp` RP.

    Raises NoRoundYet before the first round.
    """
    one = battle.require_present(combatant)
    if not battle.round:
        raise NoRoundYet()
    RP.must_have(one, rp, "RP return with the next round.", usable_rp(battle, combatant))


class MomentumAction(Args):
    """The arguments of `momentum act`: who does which action, with the arguments of that action.

    `ap` is the cost of the action.
    """

    who: str
    action: str
    target: str = ""
    skill: str = ""
    their_skill: str = ""
    items: Sequence[str] = ()
    at: str = ""
    what: str = ""
    adv: Sequence[str] = ()
    dis: Sequence[str] = ()
    ap: int = 0

    def people(self) -> Sequence[str]:
        return (self.who, self.target)


def pay_for_and_report_action(
    world: World, args: MomentumAction, report: MomentumActed | None = None, **sets: object
) -> Happen:
    """Pay for an action, and report it by the fact `report`.

    `sets` are further changes to the actor's values. Raises Refused if it isn't the actor's turn, or if the
    actor can't pay.
    """
    battle = Battle(world)
    must_be_able_to_act(battle, args.who, args.ap)
    changes = {**AP.pay(battle, args.who, args.ap), **battle.sets(args.who, **sets)}
    return world.tell(report or Acts(args.who, args.action), changes)
