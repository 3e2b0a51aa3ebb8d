"""`strike chase`: runners, chasers, and what each round comes to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from strike_cli.problems import Refused, Usage
from strike_cli.terminal.narrate import pending_lines, played
from strike_cli.terminal.options import Options, command, new_app
from strike_cli.terminal.result import Block, Result, Table
from strike_cli.terminal.runner import play
from strike_cli.terminal.shared_options import Adv, Dis, Mod

from .typed import (
    Action,
    Danger,
    DangerStays,
    Did,
    HelpChasers,
    HelpRunners,
    HowChasers,
    HowRunners,
    Predict,
    Range,
    RunnersAdv,
    Shooting,
    SkillChasers,
    SkillRunners,
    WhichDanger,
    WhichRange,
    action_typed,
    anybody,
    bare_args,
    chase_of,
    hide_help,
    hide_skill,
    member,
    prepared_as,
    range_typed,
    shooters_typed,
    side_typed,
    unskilled_args,
    world_of,
)
from .words import CHASES, IN_CHASE

if TYPE_CHECKING:
    from ..matrix_game import Best, Sides, State

app = new_app()


@app.callback()
def _group() -> None:
    """Chases. Runners flee, Chasers follow; a range of Close, Medium or Far lies between them.

    A round: `chase run` (the Runners' action, in secret), `chase predict`, maybe `chase shoot`, then
    `chase roll`; its winner may say `chase danger up` or `down`. Closer than Close they are caught, farther
    than Far they escape.

    Example: `strike chase start --runners vex odo --chasers toll-guard`
    """


class SeveralNames(TyperCommand):
    """A command whose options --runners and --chasers take every word up to the next option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """The arguments, with such an option before each of its words."""
        spread: list[str] = []
        option = ""
        before = ""
        for word in args:
            if word.startswith("-") and word != "-":
                option = word if word in ("--runners", "--chasers") else ""
                spread.append(word)
            else:
                spread += [option, word] if option and before != option else [word]
            before = word
        return super().parse_args(ctx, spread)


@command(app, "start", kind="writes", cls=SeveralNames)
def start(
    options: Options,
    name: Annotated[
        str,
        typer.Argument(
            metavar="[NAME]",
            help="A chase of campaign.toml, or what to call it.",
            autocompletion=CHASES,
        ),
    ] = "",
    runners: Annotated[
        list[str] | None, typer.Option("--runners", metavar="WHO...", help="Who runs; the first drives.")
    ] = None,
    chasers: Annotated[
        list[str] | None, typer.Option("--chasers", metavar="WHO...", help="Who chases; the first drives.")
    ] = None,
    range_: Annotated[
        str | None, typer.Option("--range", metavar="close|medium|far", help="Medium, unless said.")
    ] = None,
    danger: Annotated[
        int | None, typer.Option("--danger", metavar="N", min=0, max=2, help="The Danger Level, 0 to 2.")
    ] = None,
) -> Result:
    """Begin a chase, one prepared in campaign.toml or any other (STR-CH-01). The name stands first.

    Runners and Chasers are characters, creatures or anybody by name.

    Example: `strike chase start "Over the roofs" --runners vex odo --chasers "the watch" --range far`
    """
    from ..numbers import numbers

    with options.campaign(writing=True) as campaign:
        which = prepared_as(campaign, name, bool(runners and chasers))
        book = campaign.book.chases.get(which, {})
        sides = {}
        for side, typed in (("runners", runners), ("chasers", chasers)):
            words = [word.strip() for text in typed or book.get(side, []) for word in text.split(",")]
            sides[side] = [anybody(campaign, word) for word in words if word]
            if not sides[side]:
                raise Usage(f"Who are the {side.capitalize()}?", f"Name them: --{side} WHO.")
        for who in (everybody := sides["runners"] + sides["chasers"]):
            if everybody.count(who) > 1:
                raise Usage(f"{who} is named twice.", "Everybody takes part once.")
        args = {
            "id": which,
            "name": book.get("name") or name or "The chase",
            **sides,
            "range": range_typed(range_) if range_ else book.get("range", numbers()["start"]),
            "danger": book.get("danger", 0) if danger is None else danger,
        }
        return played(play(options, campaign, "chase start", args), campaign)


@command(app, "run", kind="writes")
def run(options: Options, action: Action) -> Result:
    """The Runners pick their action for the round, in secret until the roll (STR-CH-02).

    Not Hide at Close range, nor Double Back at Far. It is kept from the players' screens as with --secret.

    Example: `strike chase run double-back`
    """
    options.secret = True
    return _plain(options, "run", action=action_typed(action))


@command(app, "predict", kind="writes")
def predict(options: Options, action: Action) -> Result:
    """The Chasers predict: right gives Advantage, the opposite Disadvantage (STR-CH-03).

    Where the game master plays the Chasers, --secret lets them predict before the Runners pick.

    Example: `strike chase predict flee`
    """
    return _plain(options, "predict", action=action_typed(action), secret=options.secret)


@command(app, "shoot", kind="writes")
def shoot(
    options: Options,
    who: Annotated[
        str,
        typer.Argument(metavar="WHO", help="Somebody in the chase.", autocompletion=IN_CHASE),
    ],
    at: Annotated[str, typer.Option("--at", metavar="runners|chasers", help="Whom they shoot at.")],
    driving: Annotated[
        bool, typer.Option("--driving", help="They drive too: Disadvantage on both rolls.")
    ] = False,
) -> Result:
    """Somebody shoots in this round; `chase roll` rolls for it, after the drivers (STR-CH-07).

    A roll above the opponents' is -1 to theirs, once. A 6 takes one of them out: Injured.

    Example: `strike chase shoot odo --at chasers`
    """
    with options.campaign(writing=True) as campaign:
        args = {"who": member(campaign, who), "at": side_typed(at), "driving": driving}
        return played(play(options, campaign, "chase shoot", args), campaign)


@command(app, "roll")
def roll(
    options: Options,
    runner: Annotated[str, typer.Option("--runner", metavar="WHO", help="Who drives the Runners.")] = "",
    chaser: Annotated[str, typer.Option("--chaser", metavar="WHO", help="Who drives the Chasers.")] = "",
    adv_runners: Adv = None,
    dis_runners: Dis = None,
    mod_runners: Mod = None,
    adv_chasers: Adv = None,
    dis_chasers: Dis = None,
    mod_chasers: Mod = None,
    skill_runners: SkillRunners = "",
    skill_chasers: SkillChasers = "",
    help_runners: HelpRunners = None,
    help_chasers: HelpChasers = None,
) -> Result:
    """Roll the round (STR-CH-04, 05, 06). The first of each side who doesn't shoot drives, unless said.

    After a Risk that the Runners survive, the Chasers follow or give up. A side that rolls the Danger Level
    or less crashes. A Hide is an Opposed Roll: a close loser chooses, a tie may be broken; where Skills are
    named, the one side that is Unskilled has Disadvantage, :skilled or :unskilled saying what no sheet does;
    and either side may be helped.

    Dice: the Runners' (two with Advantage or Disadvantage), the Chasers', then each shooter's; helpers' after
    those of their side.

    Example: `strike chase roll --dice 4,5,3`
    """
    with options.campaign(writing=True) as campaign:
        given = {
            "runners": (runner, adv_runners, dis_runners, mod_runners),
            "chasers": (chaser, adv_chasers, dis_chasers, mod_chasers),
        }
        args: dict[str, dict[str, Any]] = {
            side: {
                "who": member(campaign, who) if who else "",
                "adv": adv or [],
                "dis": dis or [],
                "mods": [[value, "modifier"] for value in mods or []],
            }
            for side, (who, adv, dis, mods) in given.items()
        }
        hiding = (("runners", skill_runners, help_runners), ("chasers", skill_chasers, help_chasers))
        for side, text, helpers in hiding:
            args[side] |= hide_skill(campaign, side, str(args[side]["who"]), text)
            args[side] |= hide_help(campaign, helpers, args[side].get("skill", ""))
        return played(play(options, campaign, "chase roll", args), campaign, explain=options.explain)


@command(app, "danger", kind="writes")
def danger_(
    options: Options, change: Annotated[str, typer.Argument(metavar="up|down|keep", help="What they do.")]
) -> Result:
    """The winner of the round moves the Danger Level by one, or keeps it (STR-CH-06).

    Once, before the next round's action is picked; without it the level stays.

    Example: `strike chase danger up`
    """
    by = {"up": 1, "down": -1, "keep": 0}.get(change.strip().lower())
    if by is None:
        raise Usage(f"{change!r}: change the Danger Level how?", "Write up, down or keep.")
    return _plain(options, "danger", by=by)


@command(app, "show", kind="reads")
def show(
    options: Options,
    gm: Annotated[bool, typer.Option("--gm", help="With what was picked in secret.")] = False,
) -> Result:
    """The chase as it stands: range, Danger Level, who is in it, what the round waits for.

    Example: `strike chase show`
    """
    from .show import shown

    with options.campaign() as campaign:
        result = shown(world_of(campaign), chase_of(campaign), gm)
        waiting = campaign.state.get("pending", {}).get("chase")
        if waiting and (gm or not waiting.get("secret")):
            result.blocks += pending_lines(waiting)
        result.notices = list(campaign.notices)
        return result


@command(app, "end", kind="writes")
def end(options: Options) -> Result:
    """Call a chase off, or put one away that is over.

    Example: `strike chase end`
    """
    return _plain(options, "end")


@command(app, "round")
def round_(
    options: Options,
    action: Did,
    predict: Predict,
    range_: Range = "medium",
    danger: Danger = 0,
    runners_adv: RunnersAdv = False,
    runners: HowRunners = None,
    chasers: HowChasers = None,
) -> Result:
    """One bare round, of no chase; it needs no campaign, and nothing is kept.

    Dice: the Runners', then the Chasers'. For a Risk, --choose follow or --choose give-up.

    Example: `strike chase round --action flee --predict hide --range medium --dice 4,5,3`
    """
    args = bare_args(action, predict, range_, danger, runners_adv) | unskilled_args(runners, chasers)
    return played(play(options, None, "chase round", args), None, explain=options.explain)


@command(app, "options", kind="reads")
def options_(
    options: Options,
    range_: WhichRange = None,
    danger: WhichDanger = None,
    runners_adv: RunnersAdv = False,
    danger_stays: DangerStays = False,
    shooters: Shooting = "",
    runners: HowRunners = None,
    chasers: HowChasers = None,
) -> Result:
    """How two perfect sides would mix their actions and predictions, and the Runners' chance of getting away.

    For the chase under way, with what weighs on its drivers, or for the range that is named, with plain dice.
    The whole chase counts, and what winners make of the Danger Level. With --shooters somebody beside the
    driver shoots in every round, as long as there is one; else nobody does. Being pinned down counts as half
    got away, being hidden by one or two as three quarters, being found so as one. `gap` is how far the mixes
    are from perfect.

    Example: `strike chase options --range close --danger 1`
    """
    from ..matrix_game import danger_advice

    unskilled = unskilled_args(runners, chasers).get("unskilled", "")
    found, sides, state = pursuit_of(options, range_, danger, runners_adv, danger_stays, shooters, unskilled)
    best = found[state]
    keys = ("range", "runners_advantage", "danger")
    data = {**dict(zip(keys, state, strict=True)), **best._asdict(), "gap": best.gap}
    rows = [
        [action, f"{best.runners.get(action, 0) * 100:.1f}%", f"{share * 100:.1f}%"]
        for action, share in best.predictions.items()
    ]
    blocks: list[Block] = [
        f"{state[0].capitalize()} range, Danger Level {state[2]}: the Runners get away "
        f"{best.value * 100:.1f}% of the time",
        Table(["Action", ">Runners do", ">Chasers predict"], rows),
    ]
    if sides.danger_moves:
        data["danger_advice"] = danger_advice(found, state)
        told = [
            f"the {side.capitalize()} {_move(level - state[2])}"
            for side, level in data["danger_advice"].items()
        ]
        blocks.append(f"Danger Level, for whoever has just won a round: {', '.join(told)}.")
    blocks.append((f"gap {best.gap:.1e}", "dim"))
    return Result("chase options", data, blocks)


def _move(by: int) -> str:
    return {1: "raise it", -1: "lower it", 0: "keep it"}[by]


def pursuit_of(
    options: Options,
    range_: str | None,
    danger: int | None,
    advantage: bool,
    danger_stays: bool,
    shooters: str = "",
    unskilled: str = "",
) -> tuple[dict[State, Best], Sides, State]:
    """The chase under way, or one at the range named, as a game: every state, who drives, and where it is."""
    from ..declare import still_in
    from ..matrix_game import Sides, solved
    from ..resolve import driver_of
    from ..tables import CHASERS, RUNNERS

    campaign = None if range_ else options.campaign()
    chase: dict[str, Any] = (
        chase_of(campaign) if campaign else {"range": range_typed(range_ or ""), "danger": 0}
    )
    if "ended" in chase:
        raise Refused(f"{chase['name']} is over: {chase['ended']}.", "--range asks about any other.")
    sides = Sides(danger_moves=not danger_stays, unskilled=unskilled)
    if campaign:
        world = world_of(campaign)
        # Whose roll it is makes no difference to the odds.
        drivers = {side: driver_of(world, side)._replace(who="") for side in (RUNNERS, CHASERS)}
        sides = sides._replace(runners=drivers[RUNNERS], chasers=drivers[CHASERS])
    if shooters:
        shoot = shooters_typed(shooters)
        people = [len(still_in(chase, side)) if campaign else 0 for side in (RUNNERS, CHASERS)]
        left = tuple(max(1 + one, most) for one, most in zip(shoot, people, strict=True))
        sides = sides._replace(shooters=shoot, left=(left[0], left[1]))
    level = chase["danger"] if danger is None else danger
    state = (chase["range"], advantage or bool(chase.get("runners_advantage")), level)
    return solved(sides, level if danger_stays else None), sides, state


def _plain(options: Options, name: str, **args: Any) -> Result:
    with options.campaign(writing=True) as campaign:
        return played(play(options, campaign, f"chase {name}", args), campaign)
