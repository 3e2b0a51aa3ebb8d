"""`strike odds chase`: the odds of a round of a chase, or of a whole chase.

The round is the one under way, or a single round outside any chase. In a whole chase, both sides play
perfectly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

import typer

from strike_cli.kernel.procedure import World
from strike_cli.refusals import OddsWithoutSubject
from strike_cli.terminal.command_output import BarChart, Result
from strike_cli.terminal.commands_and_options import Options, command, new_app
from strike_cli.terminal.move_commands import Call, Typed, commands_declared_in, parse_arguments_into_call
from strike_cli.terminal.odds_view import Row, chances_result_and_chart_file
from strike_cli.terminal.roll_and_chart_options import Svg

from ..moves_without_dice import must_find_chase
from ..rule_tables import GIVE_UP, SIDES
from . import argument_parsers as chase_arguments
from .chase import app as chase_commands
from .chase import game_from_options

if TYPE_CHECKING:
    from strike_cli.kernel.exact_odds import Policy
    from strike_cli.kernel.procedure import Choose
    from strike_cli.play.forecast import Outcomes

    from ..chase_solver import Sides, State
    from ..data import ChaseCounts

app = new_app()


@app.callback()
def _odds_group() -> None:
    """Show the odds of a chase."""


@command(app, "chase", kind="reads")
def odds_chase(
    options: Options,
    action: chase_arguments.ActionOption = "",
    prediction: chase_arguments.PredictionOption = "",
    range_: chase_arguments.Range = None,
    danger: chase_arguments.Danger = 0,
    runners_adv: chase_arguments.RunnersAdv = False,
    give_up: Annotated[
        bool, typer.Option("--give-up", help="After a Risk the Chasers give up. Default: they follow.")
    ] = False,
    whole: Annotated[
        bool, typer.Option("--whole", help="The whole chase, with perfect play on both sides.")
    ] = False,
    danger_stays: chase_arguments.DangerStays = False,
    shooters: chase_arguments.Shooting = "",
    runners: chase_arguments.RunnersTraining = None,
    chasers: chase_arguments.ChasersTraining = None,
    gm: Annotated[
        bool, typer.Option("--gm", help="The round under way, with secret picks and shooters.")
    ] = False,
    svg: Svg = None,
) -> Result:
    """Show the exact chance of each outcome of a round (STR-CH-03 to 07), or of the whole chase.

    With --action and --predict, it is a round outside any chase. With --gm, it is the round under way, once
    both sides have picked.

    With --whole, it is the end of the chase under way, or of a new chase that begins at --range. Both sides
    then play as `strike chase options` advises, and only --shooters shoot. --runners and --chasers say
    whether a side is trained for a Hide.

    Example: `strike odds chase --action flee --predict hide --range far --danger 1`
    """
    from strike_cli.play.forecast import outcomes_of_move

    unskilled = chase_arguments.parse_only_unskilled_side(runners, chasers)
    if whole:
        by = runners_adv, danger_stays, shooters, unskilled
        return _whole_chase_result(*game_from_options(options, range_, danger if range_ else None, *by))
    if gm:
        of, found = _odds_of_round_under_way(options, unskilled, give_up)
    elif action and prediction:
        typed = {"action": action, "prediction": prediction, "range_": range_ or "medium", "danger": danger}
        typed |= {"advantage": runners_adv, "runners": runners, "chasers": chasers}
        of = parse_arguments_into_call(
            Call(options, None, {}), commands_declared_in(chase_commands)["round"], typed
        )
        found = outcomes_of_move(World(None), "chase round", of, _risk_policy(give_up))
    else:
        raise OddsWithoutSubject(
            "`--action A --predict P`: a bare round; `--gm`: this round; `--whole`: the whole chase."
        )
    rows: list[Row] = [(key, _outcome_words(cast("ChaseCounts", key)), chance) for key, chance in found]
    return chances_result_and_chart_file("odds chase", {**of, "give_up": give_up}, rows, svg, found.plays)


def _odds_of_round_under_way(
    options: Options, unskilled: str, give_up: bool
) -> tuple[dict[str, object], Outcomes]:
    """Return the range and Danger Level of the round under way as data, and the round's outcomes.

    `unskilled` is the side that is Unskilled in a Hide. `give_up` is whether the Chasers give up in a Risk.
    """
    from strike_cli.play.forecast import outcomes_of_move

    with options.open_campaign() as campaign:
        args: Typed = {unskilled: {"skilled": False}} if unskilled else {}
        world = chase_arguments.world_of(campaign)
        found = outcomes_of_move(world, "chase roll", args, _risk_policy(give_up))
        chase = must_find_chase(world)
        return {"range": chase["range"], "danger": chase["danger"]}, found


def _risk_policy(give_up: bool) -> Policy:
    """Return a policy for a round's decisions: the Chasers follow in a Risk, and nobody breaks a tie.

    With `give_up` the Chasers give up instead of following.
    """

    def answer(question: Choose) -> str:
        return GIVE_UP if give_up and GIVE_UP in question.options else question.options[0]

    return answer


def _outcome_words(counts: ChaseCounts) -> str:
    person = f"{counts['winner'].capitalize()} win" if counts["winner"] else "Nobody wins"
    return f"{person}: {counts['ended'] or counts['range_after'].capitalize()}"


def _whole_chase_result(sides: Sides, state: State) -> Result:
    from ..chase_solver import end_chances, solve_chase

    ends = sorted(end_chances(sides, state).items(), key=lambda item: -item[1])
    best = solve_chase(sides)[state]
    data = {
        "outcomes": [{**_end_and_crashed_sides_data(ended), "p": chance} for ended, chance in ends],
        "of": {"range": state[0], "danger": state[2], "runners_advantage": state[1]},
        "value": best.value,
        "gap": best.gap,
    }
    most = ends[0][1]
    bars = [
        (
            _CRASHES.get(ended, ended.capitalize().replace("-close", ", a close win")),
            chance / most,
            f"{chance * 100:5.1f}%",
        )
        for ended, chance in ends
    ]
    moved = "winners move the Danger Level to their advantage"
    level = moved if sides.danger is None else "the Danger Level stays"
    shooting = "/".join(map(str, sides.shooters))
    shots = f"shooters {shooting} (Runners/Chasers)" if any(sides.shooters) else "nobody shoots"
    note = f"Both sides play perfectly, {shots}, {level}; gap {best.gap:.1e}."
    return Result("odds chase", data, [BarChart(bars), (note, "dim")])


_CRASHES = {
    "crash-runners": "The Runners crash: lost",
    "crash-both": "Both sides crash",
    "escaped-chasers": "The Chasers crash: escaped",
}
"""The words for ends by a crash."""


def _end_and_crashed_sides_data(ended: str) -> dict[str, object]:
    """Return the end of a chase as data.

    `ended` is the kind of end, in the same words as in the data of a round. `crashed` has the sides that
    crashed.
    """
    if ended not in _CRASHES:
        return {"ended": ended, "crashed": []}
    how, _, side = ended.partition("-")
    return {"ended": how, "crashed": list(SIDES) if side not in SIDES else [side]}
