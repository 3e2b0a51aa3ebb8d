"""Compelled actions: the moves, charges and attacks of a creature without control (STR-TAC-25).

They are the very moves of a turn, so that they give Opportunities and roll dice as always.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.kernel.statements import Reason
from strike_cli.problems import Refused
from strike_cli.tabletop.contributions import ban_on
from strike_cli.tabletop.grid import FAR, Grid, Square, format_square, gap

from ..board.move import MoveAction, destinations, play_move
from ..facts.control import Compelled
from ..fight import Fight
from ..powers.attack import UsePower, play_attack
from ..powers.power import Deed
from .keys import Steps
from .step import EffectStep, all_in_words, all_told

if TYPE_CHECKING:
    from ..data import ContentOfFights


class CompulsionStep(EffectStep):
    """Something that a creature does about the one whom it comes of (`origin`), as an action of its turn.

    Where it can't, the steps of `otherwise` come instead.
    """

    disadvantage: bool = False
    otherwise: Steps = ()

    does: ClassVar[str]
    """Of who does it, in full."""

    def play(self, world: World, deed: Deed, target: str) -> Procedure[None]:
        """Compel the target. In the faces of `lose-control` the step is played by `compel`."""
        yield from self.compel(world, deed, target, deed.giver)

    def compel(self, world: World, deed: Deed, target: str, origin: str) -> Procedure[bool]:
        """Compel the target; return whether it acted."""
        fight = Fight(world)
        there = bool(origin) and fight.is_on_map(origin) and fight.is_on_map(target)
        if not there or ban_on(world, target, "act"):
            return False
        return (yield from self.act(world, target, origin, [deed.power["name"]] if self.disadvantage else []))

    def act(self, world: World, target: str, origin: str, drawbacks: Sequence[str]) -> Procedure[bool]:
        """Act, with these reasons for Disadvantage; return whether it came about."""
        raise NotImplementedError

    def short(self, fight: Fight, deed: Deed, target: str) -> Reason:
        return Compelled(self.table["do"], deed.giver or deed.who)

    def sheet(self, book: ContentOfFights) -> str:
        words = self.does + (" with Disadvantage" if self.disadvantage else "")
        return words + (f" (or else {all_in_words(book, self.otherwise)})" if self.otherwise else "")

    def told(self, book: ContentOfFights, who: str) -> str:
        words = f"{who} {self.does}" + (" with Disadvantage" if self.disadvantage else "")
        return words + (f" (or else {all_told(book, self.otherwise, who)})" if self.otherwise else "")


def tried(procedure: Procedure[object]) -> Procedure[bool]:
    """Play a command if the rules let it begin; return whether they did."""
    try:
        question = next(procedure)
    except Refused:
        return False
    while True:
        answer = yield question
        try:
            question = procedure.send(answer)
        except StopIteration:
            return True


def attack(world: World, who: str, origin: str, power: str, drawbacks: Sequence[str]) -> Procedure[bool]:
    """Make a basic attack; return whether it came about."""
    if Fight(world).is_out(origin):
        return False
    args = UsePower(who=who, targets=[origin], power=power, dis=drawbacks)
    return (yield from tried(play_attack(world, args)))


def run(world: World, who: str, worth: Callable[[Square], tuple[int, ...]]) -> Procedure[bool]:
    """Take one Move Action to the square worth most (the least number), or stay where none is better."""
    fight = Fight(world)
    here, costs = fight.at(who), destinations(fight, who)
    best = min(costs, key=lambda square: (worth(square), costs[square], square), default=here)
    if worth(best) >= worth(here):
        return False
    return (yield from go(world, who, best))


def go(world: World, who: str, to: Square) -> Procedure[bool]:
    """Take a Move Action to a square; return whether it came about."""
    return (yield from tried(play_move(world, MoveAction(who=who, to=format_square(to)))))


def apart(fight: Fight, who: str, origin: str, square: Square) -> int:
    """Return the squares between the two, if the mover stood there."""
    return gap(square, fight.size(who), fight.at(origin), fight.size(origin))


def walk_from(fight: Fight, who: str, origin: str, grid: Grid) -> Callable[[Square], int]:
    """Return a function for the squares of movement from the origin to a square, past creatures in between.

    They are very many where no way leads there.
    """
    found = grid.reachable(
        fight.at(origin), FAR, passable=lambda _: True, standable=lambda _: True, size=fight.size(who)
    )
    return lambda square: found.get(square, FAR)
