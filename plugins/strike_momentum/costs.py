"""What acting costs: AP in one's turn, RP in a round, Narrative Momentum (WSH-02, 07, 08)."""

from __future__ import annotations

from collections.abc import Sequence

from strike_cli.plugin import Args, Happen, Refused, Sets, World, listed

from .battle import Battle
from .facts import Acts, MomentumActed
from .refusals import NoRoundYet
from .statuses import total


def must_act(battle: Battle, who: str, ap: int = 0) -> None:
    """Refuse an action unless it is somebody's turn, they can act, and have so many AP left."""
    one = battle.present(who)
    if not battle.is_acting(who):
        now = f"It is {battle.name(battle.active)}'s turn" if battle.active else "Nobody's turn is under way"
        hint = (
            f"Now: {listed(battle.union(battle.active))}."
            if battle.active
            else "`strike momentum turn` begins one."
        )
        raise Refused(f"{now}, not {one['name']}'s.", hint)
    if one.get("down"):
        raise Refused(f"{one['name']} is down.", "`strike momentum end-turn`, or a Cinematic Burst.")
    if one["ap"] < ap:
        raise Refused(
            f"That costs {ap} AP, and {one['name']} has {one['ap']}.",
            f"`strike momentum options` lists the rest; {one['movement']} m of movement are left.",
        )


def paying(battle: Battle, who: str, ap: int) -> Sets:
    """Return the changes where so many AP are spent."""
    one = battle.people[who]
    return battle.sets(who, ap=one["ap"] - ap, spent=one.get("spent", 0) + ap) if ap else {}


def rp_left(battle: Battle, who: str) -> int:
    """RP that somebody can use now: what ails them may keep them from it."""
    one = battle.people[who]
    return max(0, one["rp"] + total(battle, who, "rp")) if battle.is_up(who) else 0


def must_react(battle: Battle, who: str, rp: int) -> None:
    """Refuse a reaction where somebody has not so many RP left."""
    one = battle.present(who)
    if not battle.round:
        raise NoRoundYet()
    if (left := rp_left(battle, who)) < rp:
        raise Refused(
            f"That costs {rp} RP, and {one['name']} has {left}.", "RP come back with the next round."
        )


def reacting(battle: Battle, who: str, rp: int) -> Sets:
    """Return the changes where so many RP are spent."""
    one = battle.people[who]
    return battle.sets(who, rp=one["rp"] - rp, reacted=one.get("reacted", 0) + rp) if rp else {}


def must_have_momentum(battle: Battle, who: str, n: int) -> None:
    """Refuse where somebody has less Narrative Momentum."""
    one = battle.present(who)
    if one["momentum"] < n:
        raise Refused(
            f"That costs {n} Narrative Momentum, and {one['name']} has {one['momentum']}.",
            f"The game master gives some: `strike momentum gain {who}`.",
        )


class MomentumAction(Args):
    """The arguments of `momentum act`: an actor, a target, Skills, things, a square, words.

    `ap` is the price, as the list of actions has it.
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


def acted(world: World, args: MomentumAction, telling: MomentumActed | None = None, **sets: object) -> Happen:
    """Report an action that is paid for, by `telling`. Raises Refused where it can't be."""
    battle = Battle(world)
    must_act(battle, args.who, args.ap)
    changes = {**paying(battle, args.who, args.ap), **battle.sets(args.who, **sets)}
    return world.tell(telling or Acts(args.who, args.action), changes)
