"""Legal options of a Team Conflict, and the value of a side's position.

The rules are imported on first use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from strike_cli.kernel.procedure import World
from strike_cli.play.legal import Bot, Option
from strike_cli.tabletop.people import skills_of, slug

from .declare import Choice, DeclareAction, Prep, Scout
from .endings import Avert, Concede, EndConflict, Secondary, Withdraw
from .hits import hit_options
from .numbers import ROLLS, SIDES, numbers
from .resolve import Decide, RollConflictRound
from .state import ACTIONS, LIMITS, actions_of, both_are_teams, foe, members, missing, side_in


class ConflictBot(Bot):
    """What may be done in a Team Conflict."""

    def options(self, world: World) -> Iterable[Option]:
        """Return all that may be typed now, in the order in which one would."""
        return options(world)

    def evaluate(self, world: World, side: str) -> float:
        """Return the worth of a side's standing, in Strikes."""
        from .chain import worth

        return worth(world, side)


def options(world: World) -> Iterator[Option]:
    """Yield everything that may be typed in the conflict under way, in the usual order.

    Yields nothing while a decision of it waits.
    """
    if not world.get("conflict") or world.get("pending.conflict"):
        return
    everybody = [who for side in SIDES for who in members(world, side)]
    for side in SIDES:
        for what in hit_options(world, side):
            yield Option("conflict hit", Decide(side=side, what=what), ("hit", side, slug(what)), foe(side))
    for who in everybody:
        yield Option("conflict avert", Avert(who=who), ("avert", who))
    yield Option("conflict end", EndConflict(), ("end",))
    yield from _before_the_dice(world, everybody)
    yield Option("conflict roll", RollConflictRound(), ("roll",))
    for side in SIDES:
        yield Option("conflict concede", Concede(side=side), ("concede", *_flag(side)))
    for who in everybody:
        yield Option("conflict withdraw", Withdraw(who=who), ("withdraw", who))
    yield Option("conflict end", EndConflict(undecided=True), ("end", "--undecided"))


def _before_the_dice(world: World, everybody: list[str]) -> Iterator[Option]:
    for which in ROLLS:
        if side_in(world, "ours").get("scouts"):  # a line without a side is else the other's
            yield Option("conflict scout", Scout(which=which), ("scout", which))
        yield Option("conflict scout", Scout(which=which, side="theirs"), ("scout", which, "--theirs"))
    for who in everybody:
        for action in numbers()["prep"]["actions"]:
            yield Option("conflict prep", Prep(who=who, action=action), ("prep", who, action))
    has_chosen = "opposition" in side_in(world, "theirs")  # which may be done again, and isn't listed again
    for action in actions_of(world, "theirs") if not has_chosen else ():
        yield Option("conflict oppose", Choice(action=action), ("oppose", action), "theirs")
    for side in SIDES:
        for who in missing(world, side):
            yield from _actions(world, side, who)


def _actions(world: World, side: str, who: str) -> Iterator[Option]:
    """Yield the possible actions of a member of a team who has not chosen yet."""
    known = _limited_are_free(world, side)
    skill = next(iter(skills_of(world, who)), "")
    for action in actions_of(world, side):
        if ACTIONS[action].get("basic"):
            yield Option("conflict act", DeclareAction(who=who, action=action), ("act", who, action))
        elif known and skill:
            act = DeclareAction(who=who, action=action, skill=skill)
            yield Option("conflict act", act, ("act", who, action, "--skill", skill))
    for to in ROLLS if skill else ():
        goal = Secondary(who=who, to=to, skill=skill)
        yield Option("conflict secondary", goal, ("act", who, "--secondary", to, "--skill", skill))


def _limited_are_free(world: World, side: str) -> bool:
    """Return whether it is safe to show which of the actions that are limited to two are left.

    Between teams the others might learn from it what was picked.
    """
    picked = len(members(world, side)) - len(missing(world, side))
    return not both_are_teams(world) or picked < LIMITS["same_action"]


def _flag(side: str) -> tuple[str, ...]:
    return ("--theirs",) if side == "theirs" else ()
