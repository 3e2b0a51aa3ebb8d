"""Chases in `strike sim`: how they begin and end, their winner, and a bot (STR-CH-05 to 07)."""

from __future__ import annotations

from collections.abc import Mapping

from strike_cli.kernel.procedure import Args, Choose, Data, World
from strike_cli.play.decision_weighing import CommandUnderway
from strike_cli.play.legal_options import Option, refusal_of_move
from strike_cli.problems import Refused
from strike_cli.sim.bot_players import RandomChoicePlayer
from strike_cli.sim.simulation_hooks import DRAWN, LOST, WON, Lineup, SimulationRules

from . import options_and_position_value
from .moves_without_dice import ChangeDanger, PickAction, StartChase, must_find_chase
from .options_and_position_value import commands_that_may_be_legal
from .rule_tables import CHASERS, ESCAPED, FOLLOW, RUNNERS, SIDES

MOST_ROUNDS = 100
ESCAPES = (ESCAPED, "hidden")
UNDECIDED = ("pinned", "stopped")
"""The ends that neither side has won."""


def start_chase_option(world: World, prepared: str, lineup: Lineup) -> Option:
    """Return the option to start a prepared chase with everybody in it.

    If the lineup names characters, all other characters are left out. Raises Refused if the lineup has
    creatures or a difficulty.
    """
    if lineup.creatures or lineup.difficulty:
        raise Refused("A chase has two named sides.", "Leave out --with and --difficulty.")
    known = world.book.chases[prepared]
    away = set(world.book.characters) - set(lineup.party) if lineup.party else set()
    sides = {side: [person for person in known[side] if person not in away] for side in SIDES}
    args = StartChase(name=known["name"], range=known["range"], danger=known["danger"], id=prepared, **sides)
    return Option("chase start", args, ("start", prepared))


def chase_result_for_party(world: World) -> str:
    """Return the result of the chase for the party; "" until the chase has ended.

    The party's side is the Chasers if all characters in the chase are Chasers. Otherwise it is the Runners.
    The result is a draw if the chase ends undecided, or if both sides crash.
    """
    chase = must_find_chase(world)
    ended = chase.get("ended")
    if not ended or ended in UNDECIDED or "crashed" in chase:
        return DRAWN if ended else ""
    ours = {side for side in SIDES if any(person in world.book.characters for person in chase[side])}
    runners_won = ended in ESCAPES
    return WON if runners_won != (ours == {CHASERS}) else LOST


def end_chase_option(world: World) -> Option | None:
    """Return the option to end the chase, or None if the chase isn't decided yet."""
    return Option("chase end", Args(), ("end",)) if "ended" in must_find_chase(world) else None


def action_or_prediction_in(option: Option, data: Data) -> str:
    """Return the Runners' action or the Chasers' prediction in an option.

    It is "" for any other command.
    """
    return str(option.given(PickAction).action) if option.command in ("chase run", "chase predict") else ""


def chase_end_as_result(data: Data) -> Mapping[str, str]:
    """Return a chase's end for the report: `ended`, with the kind of end or "both crashed"."""
    return {"ended": "both crashed" if "crashed" in data else str(data["ended"])}


SIMULATED = SimulationRules(
    start_chase_option,
    chase_result_for_party,
    end_chase_option,
    health=(),
    unit="",
    scene="chase",
    prepared="chases",
    ours=RUNNERS,
    used=action_or_prediction_in,
    came_of_it=chase_end_as_result,
    most_rounds=MOST_ROUNDS,
)


SIDES_BY_CHOICE = {"chase run": RUNNERS, "chase predict": CHASERS}
ORDER = ("chase danger", *SIDES_BY_CHOICE, "chase roll", "chase end")
"""The order in which commands are tried. Shooting is left to players."""


class PerfectChaseBot(RandomChoicePlayer):
    """A bot that plays each side as well as possible by the rules (STR-CH-02, 03, 05, 06)."""

    def __init__(self, name: str = "quick") -> None:
        super().__init__()
        self.name = name

    def choose_command(self, world: World, person: str = "") -> Option | None:
        """Return the command that the bot plays next, or None if it has none.

        `person` is the side that is to play. If it is "", the command may be of any side.
        """
        legal = [
            one
            for one in commands_that_may_be_legal(world)
            if refusal_of_move(world, one.command, one.args) is None
        ]
        for command in ORDER:
            if found := [one for one in legal if one.command == command and person in ("", one.side)]:
                return self._draw_or_choose_option(world, command, found)
        return None

    def _draw_or_choose_option(self, world: World, command: str, options: list[Option]) -> Option:
        """Return the option that the bot plays, among the options of one command.

        An action or a prediction is drawn at random, with the chances of the best mix. For a change of the
        Danger Level, the best change is returned. For any other command, the first option is returned.
        """
        if side := SIDES_BY_CHOICE.get(command):
            shares = options_and_position_value.best_mixed_strategy(world, side)
            chances = [shares.get(one.given(PickAction).action, 0.0) for one in options]
            seen = {key: world.get(f"chase.{key}") for key in SEEN}
            return options[self.draw(chances, side, f"what the {side} pick", seen)]
        if command == "chase danger":
            by = options_and_position_value.best_danger_change(world)
            return next(one for one in options if one.given(ChangeDanger).by == by)
        return options[0]

    def decide(self, world: World, question: Choose, underway: CommandUnderway | None = None) -> str:
        """Return the answer to a question that comes up in a chase.

        If the question is whether the Chasers follow the Runners after a Risk, the bot gives the answer that
        is better for the Chasers. It answers any other question with the default. If the question has no
        default, it takes the first option.
        """
        return (
            options_and_position_value.best_answer_to_risk(world, question)
            if question.what == FOLLOW
            else self.default_answer_counted_unweighed(question)
        )


SEEN = ("id", "round", "range", "danger", "runners_advantage")
"""What both sides know of a chase. The lots for their choices are drawn from it."""
