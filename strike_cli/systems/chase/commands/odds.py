"""`strike odds chase`: of a bare round, of the round as picked, of the whole chase between perfect sides."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

from strike_cli.problems import Usage
from strike_cli.terminal.odds_view import chances
from strike_cli.terminal.options import Options, command, new_app
from strike_cli.terminal.result import Bars, Result

from .chase import pursuit_of
from .typed import (
    Danger,
    DangerStays,
    Did,
    HowChasers,
    HowRunners,
    Predict,
    RunnersAdv,
    Shooting,
    WhichRange,
    bare_args,
    unskilled_args,
    world_of,
)

if TYPE_CHECKING:
    from ..resolve import Left
    from ..round import Round

app = new_app()

DRIVERS: dict[str, Any] = {side: {"who": ""} for side in ("runners", "chasers")}


@app.callback()
def _only_chase() -> None:
    """The odds of a chase."""


@command(app, "chase", kind="reads")
def odds_chase(
    options: Options,
    action: Did = "",
    predict: Predict = "",
    range_: WhichRange = None,
    danger: Danger = 0,
    runners_adv: RunnersAdv = False,
    give_up: Annotated[
        bool, typer.Option("--give-up", help="After a Risk the Chasers give up; else they follow.")
    ] = False,
    whole: Annotated[
        bool, typer.Option("--whole", help="How the whole chase ends if both sides play perfectly.")
    ] = False,
    danger_stays: DangerStays = False,
    shooters: Shooting = "",
    runners: HowRunners = None,
    chasers: HowChasers = None,
    gm: Annotated[
        bool, typer.Option("--gm", help="The round under way as picked, secrets and shooters and all.")
    ] = False,
    svg: Annotated[
        str | None, typer.Option("--svg", metavar="FILE", help="Draw the chart into a file.")
    ] = None,
) -> Result:
    """The chance of each outcome of a round, exact (STR-CH-03 to 07), or of the whole chase.

    With --action and --predict a bare round. With --gm the round under way, once both sides have picked. With
    --whole how the chase under way ends, or one at --range, between sides that mix as `strike chase options`
    says; nobody shoots but --shooters. --runners and --chasers say who is Skilled where the Runners Hide.

    Example: `strike odds chase --action flee --predict hide --range far --danger 1`
    """
    unskilled = unskilled_args(runners, chasers)
    if whole:
        level = danger if range_ else None
        without = unskilled.get("unskilled", "")
        return _whole(options, range_, level, runners_adv, danger_stays, shooters, without)
    if gm:
        from ..resolve import people_in, ready

        with options.campaign() as campaign:
            one, left = ready(world_of(campaign), DRIVERS), people_in(world_of(campaign))
        one = one._replace(unskilled=unskilled.get("unskilled", ""))
        return _of_round({"range": one.range, "danger": one.danger}, one, give_up, svg, left)
    if not action or not predict:
        raise Usage("Odds of what?", "--action A --predict P of a bare round, --gm of this one, or --whole.")
    from ..round import bare

    args = bare_args(action, predict, range_ or "medium", danger, runners_adv) | unskilled
    return _of_round(args, bare(args), give_up, svg)


def _of_round(of: dict[str, Any], one: Round, give_up: bool, svg: str | None, left: Left = (1, 1)) -> Result:
    rows = [
        ({"winner": winner, "range_after": after, "ended": ended}, _words(winner, after, ended), chance)
        for (winner, after, ended), chance in sorted(
            odds_of(one, give_up, left).items(), key=lambda item: (-item[1], str(item[0]))
        )
    ]
    return chances("odds chase", {**of, "give_up": give_up}, rows, svg)


def odds_of(
    one: Round, give_up: bool = False, left: Left = (1, 1)
) -> dict[tuple[str | None, str, str | None], Fraction]:
    """The exact chance of each (winner, range_after, end), from the procedure that plays the round between
    so many on each side. A Hide that leaves its loser a choice ends `hidden-close` or `caught-close`."""
    from strike_cli.kernel.exhaustive import probabilities
    from strike_cli.kernel.procedure import World

    from ..resolve import round_with_losses
    from ..tables import FOLLOW, GIVE_UP

    world = World(None)
    return probabilities(
        lambda: (round_with_losses(world, one, left), None),
        lambda result: (result[0].winner, result[0].range, result[0].end),
        lambda question: GIVE_UP if give_up else FOLLOW,
    )


def _words(winner: str | None, after: str, ended: str | None) -> str:
    who = f"{winner.capitalize()} win" if winner else "Nobody wins"
    return f"{who}: {ended}" if ended else f"{who}: {after.capitalize()}"


def _whole(
    options: Options,
    range_: str | None,
    danger: int | None,
    advantage: bool,
    danger_stays: bool,
    shooters: str,
    unskilled: str,
) -> Result:
    from ..matrix_game import ends_of

    found, sides, state = pursuit_of(options, range_, danger, advantage, danger_stays, shooters, unskilled)
    ends = sorted(ends_of(found, sides, state).items(), key=lambda item: -item[1])
    best = found[state]
    data = {
        "outcomes": [{"ended": ended, "p": chance} for ended, chance in ends],
        "of": {"range": state[0], "danger": state[2], "runners_advantage": state[1]},
        "value": best.value,
        "gap": best.gap,
    }
    most = ends[0][1]
    bars = [(ended.capitalize(), chance / most, f"{chance * 100:5.1f}%") for ended, chance in ends]
    told = "the Danger Level stays" if danger_stays else "winners move the Danger Level as suits them"
    shots = f"shooters {shooters} (Runners/Chasers)" if any(sides.shooters) else "nobody shoots"
    note = f"Both sides play perfectly, {shots}, {told}; gap {best.gap:.1e}."
    return Result("odds chase", data, [Bars(bars), (note, "dim")])
