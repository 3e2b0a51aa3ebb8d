"""The parts of Team Conflicts that `strike sim` uses: their start and end, and two bots (STR-TC-09)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from strike_cli.kernel.procedure import Choose, World
from strike_cli.play.decision_weighing import CommandUnderway, best_answer
from strike_cli.play.forecast import best_option
from strike_cli.play.legal_options import Option, refusal_of_move
from strike_cli.problems import Refused
from strike_cli.registry import load_known_system
from strike_cli.sim.bot_players import UnweighedAnswers
from strike_cli.sim.simulation_hooks import DRAWN, LOST, WON, Lineup, SimulationRules, number_word_or_more
from strike_cli.tabletop.characters_and_names import skills_and_connections_of

from .conflict_odds import USUAL_POLICY, ActionJudge, policies_by_name
from .conflict_under_way import (
    ACTIONS,
    LOSER_BY_ENDING,
    active_members,
    current_or_ended_conflict,
    is_team_of_players,
    people_without_action,
    side_in,
)
from .endings import EndConflict
from .hits import hit_options
from .moves_before_dice import ChooseAction, DeclareAction, StartConflict
from .options_and_position_value import commands_that_may_be_legal
from .round_play import DecideHit, RollConflictRound
from .rule_numbers import SIDES

MOST_ROUNDS = 40


def start_conflict_option(world: World, prepared: str, lineup: Lineup) -> Option:
    """Return the option to start a prepared conflict.

    The team is the lineup's party. If the lineup has no party, it is the team that was prepared. If no team
    was prepared either, it is every character who isn't on the opposing team. Raises Refused if the lineup
    has creatures or a difficulty.
    """
    if lineup.creatures or lineup.difficulty:
        raise Refused("A conflict has no creatures.", "Leave out --with and --difficulty.")
    known = world.book.conflicts[prepared]
    others = known.get("their_team", ())
    team = (
        lineup.party
        or known.get("team")
        or [person for person in world.book.characters if person not in others]
    )
    written = {key: known[key] for key in StartConflict.FIELDS if known.get(key) is not None}
    args = StartConflict(**{**written, "team": team, "id": prepared})
    return Option("conflict start", args, ("start", prepared))


def result_for_our_side(world: World) -> str:
    """Return the conflict's result for our side, "" until it has ended."""
    ended = world.get("conflict.ended", "")
    if not ended:
        return ""
    loser = LOSER_BY_ENDING.get(ended)
    return {"ours": LOST, "theirs": WON}.get(loser or "", DRAWN)


def end_conflict_option(world: World) -> Option | None:
    """Return the option to end the conflict if it is decided, else None."""
    return Option("conflict end", EndConflict(), ("end",)) if world.get("conflict.ended") else None


def action_chosen_in_option(option: Option, data: Mapping[str, object]) -> str:
    """Return the name of the action or preparation in an option, "" for another command."""
    return (
        str(getattr(option.args, "action", "")) if option.command in ("conflict act", "conflict prep") else ""
    )


def aftermath_by_kind(data: Mapping[str, object]) -> Mapping[str, str]:
    """Return the consequences of a conflict in words, by kind.

    "concession" has the Concessions that are owed. "conditions" has the number of people who get a Condition.
    """
    owed = ", ".join(cast("Sequence[str]", data["concessions"])) or "none"
    return {
        "concession": owed,
        "conditions": number_word_or_more(len(cast("Sequence[str]", data["conditions"]))),
    }


SIMULATED = SimulationRules(
    start_conflict_option,
    result_for_our_side,
    end_conflict_option,
    health=(),
    unit="",
    scene="conflict",
    prepared="conflicts",
    ours="ours",
    used=action_chosen_in_option,
    came_of_it=aftermath_by_kind,
    most_rounds=MOST_ROUNDS,
)


class PolicyBot(UnweighedAnswers):
    """A bot that plays both sides of a Team Conflict by the usual policy.

    For each member of a team, it chooses the policy's action for that member. An opposition takes one action
    a round. For it, the policy has a list of actions, and the bot goes through the list round by round.
    """

    name = USUAL_POLICY

    def choose_command(self, world: World, person: str = "") -> Option | None:
        """Return the next command of either side, None if there is none."""
        return next(
            (
                one
                for one in _commands_by_policy(world)
                if refusal_of_move(world, one.command, one.args) is None
            ),
            None,
        )

    def decide(self, world: World, question: Choose, underway: CommandUnderway | None = None) -> str:
        """Return the default answer to a question, or its first option if it has no default."""
        return self.default_answer_counted_unweighed(question)


class JudgingBot(PolicyBot):
    """A bot that chooses the best action for each team member, judged by the position after the round.

    The members choose one after another. Commands other than such actions are chosen by the usual policy. But
    if the bot plays only one side, it chooses every command by its value for this side. For a decision in the
    middle of a command, the bot takes the answer with the highest value.
    """

    name = "judging"

    def choose_command(self, world: World, person: str = "") -> Option | None:
        """Return the next command, or None if there is none.

        If `person` is "ours" or "theirs", return the best command for that side. Otherwise the usual policy
        chooses a command. If it chooses an action for a team member, return the best action of that member
        instead.
        """
        if person in SIDES:
            return best_option(load_known_system("conflict"), world, person, person)
        option = super().choose_command(world)
        if option is None or option.command != "conflict act":
            return option
        side = next(side for side in SIDES if option.given(DeclareAction).who in active_members(world, side))
        legal = [
            one
            for one in commands_that_may_be_legal(world)
            if one.command == option.command
            and one.given(DeclareAction).who == option.given(DeclareAction).who
            and refusal_of_move(world, one.command, one.args) is None
        ]
        return ActionJudge(world).best_option(side, [option, *legal])

    def decide(self, world: World, question: Choose, underway: CommandUnderway | None = None) -> str:
        """Return the answer with the highest value for the side that decides.

        If no such answer can be found, or if `underway` is None, it is the answer by the usual policy.
        """
        best = underway and best_answer(load_known_system("conflict"), underway, question)
        return best or super().decide(world, question)


def _commands_by_policy(world: World) -> Iterator[Option]:
    if not world.get("conflict"):
        return
    for side in SIDES:
        for what in hit_options(world, side):
            yield Option("conflict hit", DecideHit(side=side, what=what), ("hit", side, what))
    yield Option("conflict end", EndConflict(), ("end",))
    policy, number = policies_by_name()[USUAL_POLICY], current_or_ended_conflict(world)["round"]
    for side in SIDES:
        for person in people_without_action(world, side):
            place = active_members(world, side).index(person)
            for action in (policy["each"][place % len(policy["each"])], policy["or_else"]):
                skill = (
                    ""
                    if ACTIONS[action].get("basic")
                    else next(iter(skills_and_connections_of(world, person)), "")
                )
                typed = ("act", person, action, *(("--skill", skill) if skill else ()))
                yield Option("conflict act", DeclareAction(who=person, action=action, skill=skill), typed)
    has_chosen = "opposition" in side_in(world, "theirs")  # it may be changed, and would be changed for ever
    if not is_team_of_players(world, "theirs") and not has_chosen:
        takes = policy["one_of"]
        for more in range(len(takes)):
            action = takes[(number + more) % len(takes)]
            yield Option("conflict oppose", ChooseAction(action=action), ("oppose", action), "theirs")
    yield Option("conflict roll", RollConflictRound(), ("roll",))
    yield Option("conflict end", EndConflict(undecided=True), ("end", "--undecided"))
