"""`strike chase`: Runners, Chasers, and the rounds between them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from strike_cli.kernel.procedure import World
from strike_cli.kernel.state_changes import pending_decisions_in
from strike_cli.play.legal_options import Option, legal_options_listed_by_bot
from strike_cli.problems import Usage
from strike_cli.refusals import SceneIsOver
from strike_cli.systems.core.commands.argument_completions import SKILL
from strike_cli.tabletop.characters_and_names import display_name
from strike_cli.terminal.argument_completions import IN_SCENE, WHO, choice_metavar
from strike_cli.terminal.command_output import (
    Block,
    Line,
    NumberHeading,
    Result,
    Span,
    Table,
    open_decision_lines,
)
from strike_cli.terminal.commands_and_options import Options, command, new_app
from strike_cli.terminal.move_commands import Call, Typed, plays
from strike_cli.terminal.roll_and_chart_options import Adv, Dis, Mod, command_with_repeated_options
from strike_cli.visibility.audiences import Audience
from strike_cli.visibility.secret_picks import scene_table_without_face_down_picks

from ..chase_as_scene import chase_as_scene
from ..moves_without_dice import must_find_chase
from ..rule_tables import CHASERS, RUNNERS, SIDES, actions, cast_to_side_id, track_places
from ..system import CHASE
from . import argument_parsers

if TYPE_CHECKING:
    from ..chase_solver import Sides, State
    from ..data import ChaseState, PreparedChase


app = new_app("""Chases. Runners flee, Chasers follow; the range between them is Close, Medium or Far.

    A round: `chase run` (the Runners' action, in secret), `chase predict`, maybe `chase shoot`, then
    `chase roll`; its winner may choose `chase danger up` or `down`. Closer than Close they are caught,
    farther than Far they escape.

    Example: `strike chase start --runners vex odo --chasers toll-guard`
    """)
VERBS = {1: "raise", -1: "lower", 0: "keep"}
"""The verbs for changes of the Danger Level."""


@plays(
    app, "start", "chase start", kind="writes", cls=command_with_repeated_options("--runners", "--chasers")
)
def start(
    call: Call,
    name: Annotated[
        str,
        typer.Argument(
            metavar=argument_parsers.PREPARED.with_text("[NAME]"),
            help="A chase of campaign.toml, or a new name.",
        ),
    ] = "",
    runners: Annotated[
        list[str] | None,
        typer.Option(
            "--runners", metavar=IN_SCENE.with_text("WHO..."), help="The Runners; the first drives."
        ),
    ] = None,
    chasers: Annotated[
        list[str] | None,
        typer.Option(
            "--chasers", metavar=IN_SCENE.with_text("WHO..."), help="The Chasers; the first drives."
        ),
    ] = None,
    range_: Annotated[
        str | None,
        typer.Option("--range", metavar=choice_metavar("close", "medium", "far"), help="Default: Medium."),
        argument_parsers.RANGE,
    ] = None,
    danger: argument_parsers.Danger = None,
) -> Typed:
    """Begin a chase (STR-CH-01).

    NAME is a chase of campaign.toml, or the name of a new one. Give it before the options. Runners and
    Chasers are characters, creatures or other people by name.

    Example: `strike chase start "Over the roofs" --runners vex odo --chasers "the watch" --range far`
    """
    from ..rule_tables import numbers

    which = argument_parsers.find_prepared_chase_id(call.required_campaign, name, bool(runners and chasers))
    unnamed: PreparedChase = {
        "name": name or "The chase",
        "range": numbers()["start"],
        "danger": 0,
        "runners": [],
        "chasers": [],
    }
    book: PreparedChase = call.required_campaign.book.chases.get(which, unnamed)
    sides: Typed = {
        side: argument_parsers.find_team_or_keep_names(call.required_campaign, typed or book[side])
        for side, typed in zip(SIDES, (runners, chasers), strict=True)
    }
    level = book["danger"] if danger is None else danger
    return {"id": which, "name": book["name"], **sides, "range": range_ or book["range"], "danger": level}


@plays(app, "run", "chase run", kind="writes", secret=True)
def run(action: argument_parsers.Action) -> None:
    """Pick the Runners' action for the round, in secret until the roll (STR-CH-02).

    The Runners can't Hide at Close range, and can't Double Back at Far range. Until the roll, players'
    screens don't show the choice.

    Example: `strike chase run double-back`
    """


@plays(app, "predict", "chase predict", kind="writes")
def predict(call: Call, action: argument_parsers.Action) -> Typed:
    """Predict the Runners' action for the Chasers (STR-CH-03).

    If the prediction is right, the Chasers have Advantage. If the Runners take the opposite action, the
    Chasers have Disadvantage. If the game master plays the Chasers, they can predict in secret with --secret,
    before the Runners choose.

    Example: `strike chase predict flee`
    """
    return {"secret": call.options.secret}


@plays(app, "shoot", "chase shoot", kind="writes")
def shoot(
    who: argument_parsers.Who,
    at: argument_parsers.At,
    driving: Annotated[
        bool, typer.Option("--driving", help="The shooter also drives: Disadvantage on both rolls.")
    ] = False,
) -> None:
    """Let somebody shoot in this round (STR-CH-07).

    `chase roll` rolls for the shooter, after the drivers have rolled. If the shot is above the total of the
    opponents' driver, that driver gets -1, but only once a round. A 6 takes one of the opponents out. A
    character who is taken out is Injured.

    Example: `strike chase shoot odo --at chasers`
    """


@plays(
    app,
    "roll",
    "chase roll",
    dice="the Runners' (two with Advantage or Disadvantage), the Chasers', then each shooter's; helpers "
    "after their side",
)
def roll(
    call: Call,
    runner: Annotated[
        str, typer.Option("--runner", metavar=IN_SCENE, help="The Runners' driver."), argument_parsers.MEMBER
    ] = "",
    chaser: Annotated[
        str, typer.Option("--chaser", metavar=IN_SCENE, help="The Chasers' driver."), argument_parsers.MEMBER
    ] = "",
    adv_runners: Adv = None,
    dis_runners: Dis = None,
    mod_runners: Mod = None,
    adv_chasers: Adv = None,
    dis_chasers: Dis = None,
    mod_chasers: Mod = None,
    skill_runners: Annotated[
        str, typer.Option(metavar=SKILL.with_text("SKILL[:skilled]"), help="The Runners' Skill for a Hide.")
    ] = "",
    skill_chasers: Annotated[
        str,
        typer.Option(metavar=SKILL.with_text("SKILL[:skilled]"), help="The Chasers' Skill against a Hide."),
    ] = "",
    help_runners: Annotated[
        list[str] | None,
        typer.Option(metavar=WHO.with_text("NAME[:skilled]"), help="A helper of the Runners' Hide."),
    ] = None,
    help_chasers: Annotated[
        list[str] | None,
        typer.Option(metavar=WHO.with_text("NAME[:skilled]"), help="A helper of the Chasers' search."),
    ] = None,
) -> Typed:
    """Roll the round (STR-CH-04, 05, 06): each side's driver rolls.

    By default the driver is the side's first person who doesn't shoot. A side that rolls the Danger Level or
    less crashes. If the Runners survive a Risk, the Chasers follow or give up. A Hide is an Opposed Roll: a
    close loser chooses, a tie may be broken, and both sides may have helpers. If you name Skills and one side
    is Unskilled, that side has Disadvantage. For people without a sheet, add :skilled or :unskilled.

    Example: `strike chase roll --dice 4,5,3`
    """
    said = {
        RUNNERS: (runner, adv_runners, dis_runners, mod_runners, skill_runners, help_runners),
        CHASERS: (chaser, adv_chasers, dis_chasers, mod_chasers, skill_chasers, help_chasers),
    }
    return {
        side: argument_parsers.driver_args(call.required_campaign, side, *each) for side, each in said.items()
    }


@plays(app, "danger", "chase danger", kind="writes")
def danger(
    by: Annotated[
        str,
        typer.Argument(metavar=choice_metavar("up", "down", "keep"), help="The change."),
        argument_parsers.CHANGE,
    ],
) -> None:
    """Move the Danger Level by one, or keep it, for the winner of the round (STR-CH-06).

    Use it once, before the next round's action; otherwise the level stays.

    Example: `strike chase danger up`
    """


@command(app, "show", kind="reads")
def show(
    options: Options, gm: Annotated[bool, typer.Option("--gm", help="With secret picks.")] = False
) -> Result:
    """Show the chase: range, Danger Level, people, and the next step.

    Example: `strike chase show`
    """
    with options.open_campaign() as campaign:
        result = show_chase(argument_parsers.world_of(campaign), gm)
        waiting = pending_decisions_in(campaign.state).get("chase")
        if waiting and (gm or not waiting.get("secret")):
            result.blocks += open_decision_lines(waiting, campaign.book.locale())
        result.notices = list(campaign.notices)
        return result


@plays(app, "end", "chase end", kind="writes")
def end() -> None:
    """Call off a chase, or clear away a finished one.

    Example: `strike chase end`
    """


@plays(app, "round", "chase round", kept=False, dice="the Runners', then the Chasers'")
def round_(
    action: argument_parsers.ActionOption,
    prediction: argument_parsers.PredictionOption,
    range_: argument_parsers.Range = "medium",
    danger: argument_parsers.Danger = 0,
    advantage: argument_parsers.RunnersAdv = False,
    runners: argument_parsers.RunnersTraining = None,
    chasers: argument_parsers.ChasersTraining = None,
) -> Typed:
    """Roll one round outside any chase; it needs no campaign, and records nothing.

    For a Risk, --choose follow or --choose give-up.

    Example: `strike chase round --action flee --predict hide --range medium --dice 4,5,3`
    """
    unskilled = argument_parsers.parse_only_unskilled_side(runners, chasers) or None
    return {"range": range_, "danger": danger, "advantage": advantage, "unskilled": unskilled}


@command(app, "options", kind="reads")
def options_(
    options: Options,
    range_: argument_parsers.Range = None,
    danger: argument_parsers.Danger = None,
    runners_adv: argument_parsers.RunnersAdv = False,
    danger_stays: argument_parsers.DangerStays = False,
    shooters: argument_parsers.Shooting = "",
    runners: argument_parsers.RunnersTraining = None,
    chasers: argument_parsers.ChasersTraining = None,
) -> Result:
    """Show the best mix of actions and predictions, and the Runners' chance of getting away.

    Without --range, the mix is for the chase under way, with its drivers' modifiers. With --range, it is for
    a new chase with plain dice. The chance is for the whole chase, in which the winner of each round may
    change the Danger Level (not with --danger-stays).

    Without --shooters, nobody shoots. With it, people besides the drivers shoot in every round, as long as
    their side has any.

    Some ends count as a part of an escape. Pinned down is half of one. A Hide won by one or two is three
    quarters, and one lost by one or two a quarter. `gap` is how far the mixes are from perfect.

    Example: `strike chase options --range close --danger 1`
    """
    from ..chase_solver import best_danger_level_by_winner, solve_chase

    unskilled = argument_parsers.parse_only_unskilled_side(runners, chasers)
    sides, state = game_from_options(options, range_, danger, runners_adv, danger_stays, shooters, unskilled)
    best = solve_chase(sides)[state]
    of = dict(zip(("range", "runners_advantage", "danger"), state, strict=True))
    rows = [
        [action, f"{best.runners.get(action, 0) * 100:.1f}%", f"{share * 100:.1f}%"]
        for action, share in best.predictions.items()
    ]
    data = {**of, **best._asdict()}
    result = Result("chase options", data)
    result.blocks = [
        f"{state[0].capitalize()} range, Danger Level {state[2]}: the Runners get away "
        f"{best.value * 100:.1f}% of the time",
        Table(["Action", NumberHeading("Runners do"), NumberHeading("Chasers predict")], rows),
    ]
    if sides.danger is None:
        data["best_danger_level_by_winner"] = advice = best_danger_level_by_winner(sides, state)
        moves = [f"the {side.capitalize()} {VERBS[level - state[2]]} it" for side, level in advice.items()]
        result.blocks.append(f"Danger Level, for the winner of a round: {', '.join(moves)}.")
    result.blocks.append((f"gap {best.gap:.1e}", "dim"))
    return result


def game_from_options(
    options: Options,
    range_of_new_chase: str | None,
    danger: int | None,
    advantage: bool,
    danger_stays: bool,
    shooters: str,
    unskilled: str,
) -> tuple[Sides, State]:
    """Return the chase that the options describe: its two sides and its state, as the solver needs them.

    If `range_of_new_chase` is given, it is a new chase at that range. Otherwise it is the chase under way.

    Raises Refused if a chase under way is needed and there is none. Raises SceneIsOver if that chase is over,
    and Usage for a wrong `shooters`.
    """
    from ..chase_solver import Sides
    from ..moves_without_dice import must_find_chase, people_still_in
    from ..round_under_way import free_driver_of

    sides = Sides(unskilled=unskilled)
    people = [0, 0]
    if range_of_new_chase:
        place, advanced, level = argument_parsers.find_range(range_of_new_chase), False, 0
    else:
        world = argument_parsers.world_of(options.open_campaign())
        chase = must_find_chase(world)
        if "ended" in chase:
            raise SceneIsOver(chase["name"], chase["ended"], "--range shows another range.")
        # The names of the rollers make no difference to the odds.
        runners, chasers = (free_driver_of(world, side)._replace(who="") for side in SIDES)
        sides = sides._replace(runners=runners, chasers=chasers)
        people = [len(people_still_in(chase, side)) for side in SIDES]
        place, advanced = chase["range"], bool(chase.get("runners_advantage"))
        level = chase["danger"]
    if shooters:
        shoot = SHOOTER_COUNTS.get(shooters.strip())
        if shoot is None:
            raise Usage(f"--shooters {shooters!r} should be RUNNERS/CHASERS.", "0/1, 1/0 or 1/1.")
        left = [max(1 + one, most) for one, most in zip(shoot, people, strict=True)]
        sides = sides._replace(shooters=shoot, left=(left[0], left[1]))
    level = level if danger is None else danger
    state = (place, advantage or advanced, level)
    return sides._replace(danger=level if danger_stays else None), state


SHOOTER_COUNTS = {"0/0": (0, 0), "0/1": (0, 1), "1/0": (1, 0), "1/1": (1, 1)}
"""The numbers of shooting Runners and Chasers that a game may have, as typed. More would take minutes."""


def show_chase(world: World, gm: bool) -> Result:
    """Return the state of the chase, with secret choices only for the game master.

    Raises Refused if there is no chase.
    """
    chase = must_find_chase(world)
    public = scene_table_without_face_down_picks(chase_as_scene("chase", "chase", chase), chase, Audience(gm))
    picked = {"runners_picked": "runners_action" in chase, "chasers_predicted": "prediction" in chase}
    legal = list(legal_options_listed_by_bot(CHASE, world))
    waits = bool(world.get("pending.chase"))
    steps = [("strike choose OPTION", "a decision is open")] if waits else next_steps(world, legal)
    data = {"chase": {**public, **picked}, "next": [step for step, _ in steps]}
    over = "ended" in chase
    when = f"over after round {chase['round']}" if over else f"round {chase['round'] + 1}"
    blocks: list[Block] = [
        (f"{chase['name']}: {when}, Danger Level {chase['danger']}", "title"),
        _track_line(chase),
        Table(
            ["Side", "Who", "This round"], [_side_row(world, chase, public, picked, side) for side in SIDES]
        ),
    ]
    if over:
        blocks.append(f"Ended: {chase['ended']}.")
    elif possible := [option.typed[1] for option in legal if option.command == "chase run"]:
        blocks.append(f"Possible: {', '.join(possible)}")
    for step, why in steps:
        blocks.append([("  ", ""), (step, "command"), (f"  {why}", "dim")])
    return Result("chase show", data, blocks)


def _track_line(chase: ChaseState) -> Line:
    """Return the track as text: `caught - Close - [Medium] - Far - escaped`."""
    ends = (track_places()[0], track_places()[-1])
    spans: list[tuple[str, str]] = []
    for place in track_places():
        name = place if place in ends else place.capitalize()
        here = place == chase["range"]
        spans += [(" - ", "dim")] if spans else []
        spans.append((f"[{name}]", "name") if here else (name, "dim"))
    return spans


def _side_row(
    world: World, chase: ChaseState, public: Mapping[str, object], picked: Mapping[str, bool], side: str
) -> list[Span]:
    out = chase.get("out", ())
    person = ", ".join(
        display_name(world, one) + (" (out)" if one in out else "") for one in chase[cast_to_side_id(side)]
    )
    if "ended" in chase:
        return [(side.capitalize(), "name"), person, ""]
    key, flag = {RUNNERS: ("runners_action", "runners_picked"), CHASERS: ("prediction", "chasers_predicted")}[
        side
    ]
    if key in public:
        does = "predict " * (side == CHASERS) + actions()[str(public[key])]["name"]
    else:
        does = "picked, in secret" if picked[flag] else "not picked" if side == RUNNERS else "not predicted"
    if side == RUNNERS and chase.get("runners_advantage"):
        does += "; Advantage"
    for item in chase.get("shooters", ()):
        if item["who"] in chase[cast_to_side_id(side)]:
            does += f"; {display_name(world, item['who'])} shoots{' while driving' * item['driving']}"
    return [(side.capitalize(), "name"), person, does]


def next_steps(world: World, legal: Iterable[Option]) -> list[tuple[str, str]]:
    """Return the commands that are legal next, each with its purpose."""
    words: dict[str, list[str]] = {}
    for option in legal:
        name, *more = option.typed
        words.setdefault(name, []).extend(more[:1])
    chase = must_find_chase(world)
    changes = "|".join(words.get("danger", ()))
    steps = {
        "danger": (f"danger {changes}", f"the {chase.get('winner', '').capitalize()} may"),
        "run": ("run ACTION", "the Runners, in secret"),
        "predict": ("predict ACTION", "the Chasers"),
        "roll": ("roll", "both have picked"),
        "shoot": (f"shoot WHO --at {'|'.join(reversed(SIDES))}", "if somebody shoots"),
    }
    if "ended" in chase:
        steps = {"end": ("end", "clears it away")}
    return [(f"strike chase {step}", why) for name, (step, why) in steps.items() if name in words]
