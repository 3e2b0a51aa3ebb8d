"""The legal options of a Team Conflict, and the value of each side's position.

The rules are imported when they are first used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from strike_cli.kernel.procedure import World
from strike_cli.play.legal_options import Bot, Option
from strike_cli.tabletop.characters_and_names import skills_and_connections_of, slug

from .conflict_under_way import (
    ACTIONS,
    LIMITS,
    action_names_for_kind_of_side_by_key,
    active_members,
    are_players_on_both_sides,
    other_side,
    people_without_action,
    side_in,
)
from .endings import Avert, Concede, EndConflict, SecondaryGoal, Withdraw
from .hits import hit_options
from .moves_before_dice import ChooseAction, DeclareAction, Prep, Scout
from .round_play import DecideHit, RollConflictRound
from .rule_numbers import ROLLS, SIDES, numbers


class ConflictBot(Bot):
    """The bot of Team Conflicts."""

    def options(self, world: World) -> Iterable[Option]:
        """Yield every command of the conflict that may be legal now, in the usual order."""
        return commands_that_may_be_legal(world)

    def evaluate(self, world: World, side: str) -> float:
        """Return how much the conflict is worth to a side, in Strikes."""
        from .conflict_odds import conflict_value_or_forecast_for_side

        return conflict_value_or_forecast_for_side(world, side)


def commands_that_may_be_legal(world: World) -> Iterator[Option]:
    """Yield every command of the conflict that may be legal now, in the usual order.

    There are none if no conflict is under way, or while a decision about it is open.
    """
    if not world.get("conflict") or world.get("pending.conflict"):
        return
    everybody = [person for side in SIDES for person in active_members(world, side)]
    for side in SIDES:
        for what in hit_options(world, side):
            yield Option(
                "conflict hit", DecideHit(side=side, what=what), ("hit", side, slug(what)), other_side(side)
            )
    for person in everybody:
        yield Option("conflict avert", Avert(who=person), ("avert", person))
    yield Option("conflict end", EndConflict(), ("end",))
    yield from _options_before_dice(world, everybody)
    yield Option("conflict roll", RollConflictRound(), ("roll",))
    for side in SIDES:
        yield Option(
            "conflict concede", Concede(side=side), ("concede", *(("--theirs",) if side == "theirs" else ()))
        )
    for person in everybody:
        yield Option("conflict withdraw", Withdraw(who=person), ("withdraw", person))
    yield Option("conflict end", EndConflict(undecided=True), ("end", "--undecided"))


def _options_before_dice(world: World, everybody: list[str]) -> Iterator[Option]:
    for which in ROLLS:
        if side_in(world, "ours").get("scouts"):  # without this, a line without a side is the other side's
            yield Option("conflict scout", Scout(which=which), ("scout", which))
        yield Option("conflict scout", Scout(which=which, side="theirs"), ("scout", which, "--theirs"))
    for person in everybody:
        for action in numbers()["prep"]["actions"]:
            yield Option("conflict prep", Prep(who=person, action=action), ("prep", person, action))
    has_chosen = "opposition" in side_in(world, "theirs")  # it may be changed, but isn't listed again
    for action in action_names_for_kind_of_side_by_key(world, "theirs") if not has_chosen else ():
        yield Option("conflict oppose", ChooseAction(action=action), ("oppose", action), "theirs")
    for side in SIDES:
        for person in people_without_action(world, side):
            yield from _action_options(world, side, person)


def _action_options(world: World, side: str, person: str) -> Iterator[Option]:
    # Between two teams of players, which limited actions are left could reveal secret choices.
    picked = len(active_members(world, side)) - len(people_without_action(world, side))
    known = not are_players_on_both_sides(world) or picked < LIMITS["same_action"]
    skill = next(iter(skills_and_connections_of(world, person)), "")
    for action in action_names_for_kind_of_side_by_key(world, side):
        if ACTIONS[action].get("basic"):
            yield Option("conflict act", DeclareAction(who=person, action=action), ("act", person, action))
        elif known and skill:
            act = DeclareAction(who=person, action=action, skill=skill)
            yield Option("conflict act", act, ("act", person, action, "--skill", skill))
    for to in ROLLS if skill else ():
        goal = SecondaryGoal(who=person, to=to, skill=skill)
        yield Option("conflict secondary", goal, ("act", person, "--secondary", to, "--skill", skill))
