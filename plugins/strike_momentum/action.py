"""What every action is played with, and how it is paid for."""

from __future__ import annotations

from collections.abc import Sequence

from strike_cli.plugin import Args, Happen, World

from .battle import Battle
from .costs import must_act, paying
from .facts import Acts, MomentumActed


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
