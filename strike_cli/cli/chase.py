"""`strike chase`, and the `chase` of `strike odds`: runners, chasers, and what each round comes to."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from ..problems import Refused, Usage, listed, nearest
from .options import Options, command, new_app
from .playing import find_one, play
from .result import Block, Result, Table
from .views import pending_lines, played

if TYPE_CHECKING:
    from ..campaign import Campaign
    from ..rules.chase import Round

app = new_app()
odds_app = new_app()

Action = Annotated[str, typer.Argument(metavar="ACTION", help="flee, hide, double-back, set-up or risk.")]
Did = Annotated[
    str, typer.Option("--action", metavar="ACTION", help="flee, hide, double-back, set-up or risk.")
]
Predict = Annotated[str, typer.Option("--predict", metavar="ACTION", help="What the Chasers predicted.")]
Range = Annotated[str, typer.Option("--range", metavar="close|medium|far", help="The range.")]
Danger = Annotated[int, typer.Option("--danger", metavar="N", min=0, max=2, help="The Danger Level, 0 to 2.")]
RunnersAdv = Annotated[
    bool, typer.Option("--runners-adv", help="The Runners have Advantage from their last move.")
]
Adv = Annotated[list[str] | None, typer.Option(metavar="REASON", help="Advantage, and why.")]
Dis = Annotated[list[str] | None, typer.Option(metavar="REASON", help="Disadvantage, and why.")]
Mod = Annotated[list[int] | None, typer.Option(metavar="N", help="A flat modifier.")]


@app.callback()
def _group() -> None:
    """Chases. Runners flee, Chasers follow; a range of Close, Medium or Far lies between them.

    A round: `chase run` (the Runners' action, in secret), `chase predict`, maybe `chase shoot`, then
    `chase roll`; its winner may say `chase danger up` or `down`. Closer than Close they are caught, farther
    than Far they escape.

    Example: `strike chase start --runners vex odo --chasers toll-guard`
    """


@odds_app.callback()
def _only_chase() -> None:
    """The odds of a chase's round."""


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
        str, typer.Argument(metavar="[NAME]", help="A chase of campaign.toml, or what to call it.")
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
    from ..rules.numbers import numbers

    with options.campaign(writing=True) as campaign:
        which = _prepared(campaign, name, bool(runners and chasers))
        book = campaign.book.chases.get(which, {})
        sides = {}
        for side, typed in (("runners", runners), ("chasers", chasers)):
            words = [word.strip() for text in typed or book.get(side, []) for word in text.split(",")]
            sides[side] = [_anybody(campaign, word) for word in words if word]
            if not sides[side]:
                raise Usage(f"Who are the {side.capitalize()}?", f"Name them: --{side} WHO.")
        for who in (everybody := sides["runners"] + sides["chasers"]):
            if everybody.count(who) > 1:
                raise Usage(f"{who} is named twice.", "Everybody takes part once.")
        args = {
            "id": which,
            "name": book.get("name") or name or "The chase",
            **sides,
            "range": _range(range_) if range_ else book.get("range", numbers("chase")["start"]),
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
    return _plain(options, "run", action=_action(action))


@command(app, "predict", kind="writes")
def predict(options: Options, action: Action) -> Result:
    """The Chasers predict: right gives Advantage, the opposite Disadvantage (STR-CH-03).

    Where the game master plays the Chasers, --secret lets them predict before the Runners pick.

    Example: `strike chase predict flee`
    """
    return _plain(options, "predict", action=_action(action), secret=options.secret)


@command(app, "shoot", kind="writes")
def shoot(
    options: Options,
    who: Annotated[str, typer.Argument(metavar="WHO", help="Somebody in the chase.")],
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
        args = {"who": _member(campaign, who), "at": _side(at), "driving": driving}
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
) -> Result:
    """Roll the round (STR-CH-04, 05, 06). The first of each side who doesn't shoot drives, unless said.

    After a Risk that the Runners survive, the Chasers follow or give up. A side that rolls the Danger Level
    or less crashes.

    Dice: the Runners' (two with Advantage or Disadvantage), the Chasers', then each shooter's.

    Example: `strike chase roll --dice 4,5,3`
    """
    with options.campaign(writing=True) as campaign:
        given = {
            "runners": (runner, adv_runners, dis_runners, mod_runners),
            "chasers": (chaser, adv_chasers, dis_chasers, mod_chasers),
        }
        args = {
            side: {
                "who": _member(campaign, who) if who else "",
                "adv": adv or [],
                "dis": dis or [],
                "mods": [[value, "modifier"] for value in mods or []],
            }
            for side, (who, adv, dis, mods) in given.items()
        }
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
    with options.campaign() as campaign:
        chase = dict(_chase(campaign))
        picked, predicted = "runners_action" in chase, "prediction" in chase
        if not gm:
            chase.pop("runners_action", None)
            if chase.pop("prediction_secret", False):
                chase.pop("prediction", None)
        chase |= {"runners_picked": picked, "chasers_predicted": predicted}
        blocks: list[Block] = [
            (f"{chase['name']}: {chase['range'].capitalize()} range, Danger Level {chase['danger']}", "title")
        ]
        rows = [[side.capitalize(), _who_line(campaign, chase, side)] for side in ("runners", "chasers")]
        blocks.append(Table(["Side", "Who"], rows))
        if "ended" in chase:
            blocks.append(f"Over after {chase['round']} rounds: {chase['ended']}.")
        else:
            blocks += _round_lines(campaign, chase)
        waiting = campaign.state.get("pending", {}).get("chase")
        if waiting:
            blocks += pending_lines(waiting)
        return Result("chase show", {"chase": chase}, blocks, notices=campaign.notices)


def _who_line(campaign: Campaign, chase: dict[str, Any], side: str) -> str:
    names = _names(campaign, chase)
    return ", ".join(names[who] + (" (out)" if who in chase.get("out", []) else "") for who in chase[side])


def _round_lines(campaign: Campaign, chase: dict[str, Any]) -> list[Block]:
    """The round under way, as far as it may be told."""
    from ..rules.chase import actions, possible

    shown = {True: "picked", False: "not yet"}
    did, predicted = (
        actions()[chase[key]]["name"] if key in chase else shown[chase[flag]]
        for key, flag in (("runners_action", "runners_picked"), ("prediction", "chasers_predicted"))
    )
    lines: list[Block] = [f"Round {chase['round'] + 1}. Runners' action: {did}. Prediction: {predicted}."]
    if not chase["runners_picked"]:
        lines.append(f"Possible: {', '.join(one for one in actions() if possible(one, chase['range']))}")
    if chase.get("runners_advantage"):
        lines.append("The Runners have Advantage on this move.")
    names = _names(campaign, chase)
    for item in chase.get("shooters", []):
        both = " while driving" if item["driving"] else ""
        lines.append(f"{names[item['who']]} shoots at the {item['at'].capitalize()}{both}.")
    if "winner" in chase and not chase["runners_picked"]:
        lines.append(f"The {chase['winner'].capitalize()} may change the Danger Level.")
    return lines


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
) -> Result:
    """One bare round, of no chase; it needs no campaign, and nothing is kept.

    Dice: the Runners', then the Chasers'. For a Risk, --choose follow or --choose give-up.

    Example: `strike chase round --action flee --predict hide --range medium --dice 4,5,3`
    """
    args = _bare(action, predict, range_, danger, runners_adv)
    return played(play(options, None, "chase round", args), None, explain=options.explain)


@command(app, "options", kind="reads")
def options_(
    options: Options,
    range_: Annotated[
        str | None, typer.Option("--range", metavar="close|medium|far", help="The range.")
    ] = None,
    danger: Annotated[
        int | None, typer.Option("--danger", metavar="N", min=0, max=2, help="The Danger Level, 0 to 2.")
    ] = None,
    runners_adv: RunnersAdv = False,
) -> Result:
    """How two perfect sides would mix their actions and predictions, and the Runners' chance of getting away.

    For the chase under way, or the range that is named. The whole chase counts, with plain dice and a Danger
    Level that stays; being pinned down counts as half got away. `gap` is how far the mixes are from perfect.

    Example: `strike chase options --range close --danger 1`
    """
    from ..play.pursuit import solved

    campaign = None if range_ else options.campaign()
    chase: dict[str, Any] = _chase(campaign) if campaign else {"range": _range(range_ or ""), "danger": 0}
    if "ended" in chase:
        raise Refused(f"{chase['name']} is over: {chase['ended']}.", "--range asks about any other.")
    level = chase["danger"] if danger is None else danger
    advantage = runners_adv or bool(chase.get("runners_advantage"))
    best = solved(level)[chase["range"], advantage]
    data = {"range": chase["range"], "danger": level, "runners_advantage": advantage, **best._asdict()}
    rows = [
        [action, f"{best.runners.get(action, 0) * 100:.1f}%", f"{share * 100:.1f}%"]
        for action, share in best.predictions.items()
    ]
    blocks: list[Block] = [
        f"{chase['range'].capitalize()} range, Danger Level {level}: the Runners get away "
        f"{best.value * 100:.1f}% of the time",
        Table(["Action", ">Runners do", ">Chasers predict"], rows),
        (f"gap {best.gap:.1e}", "dim"),
    ]
    return Result("chase options", data, blocks)


@command(odds_app, "chase", kind="reads")
def odds_chase(
    options: Options,
    action: Did,
    predict: Predict,
    range_: Range = "medium",
    danger: Danger = 0,
    runners_adv: RunnersAdv = False,
    give_up: Annotated[
        bool, typer.Option("--give-up", help="After a Risk the Chasers give up; else they follow.")
    ] = False,
    svg: Annotated[
        str | None, typer.Option("--svg", metavar="FILE", help="Draw the chart into a file.")
    ] = None,
) -> Result:
    """The chance of each outcome of a bare round, exact (STR-CH-03 to 06).

    Example: `strike odds chase --action flee --predict hide --range far --danger 1`
    """
    from ..rules.chase import bare
    from .odds import chances

    args = _bare(action, predict, range_, danger, runners_adv)
    rows = [
        ({"winner": winner, "range_after": after, "ended": ended}, _words(winner, after, ended), chance)
        for (winner, after, ended), chance in sorted(
            odds_of(bare(args), give_up).items(), key=lambda item: (-item[1], str(item[0]))
        )
    ]
    return chances("odds chase", {**args, "give_up": give_up}, rows, svg)


def odds_of(one: Round, give_up: bool = False) -> dict[tuple[str | None, str, str | None], Fraction]:
    """The exact chance of each (winner, range_after, ended), from the procedure that plays the round."""
    from ..play.exhaustive import probabilities
    from ..rules.chase import FOLLOW, GIVE_UP, chase_round
    from ..rules.procedure import World

    world = World(None)
    return probabilities(
        lambda: (chase_round(world, one), None),
        lambda came: (came.winner, came.range, came.ended),
        lambda question: GIVE_UP if give_up else FOLLOW,
    )


def _words(winner: str | None, after: str, ended: str | None) -> str:
    who = f"{winner.capitalize()} win" if winner else "Nobody wins"
    return f"{who}: {ended}" if ended else f"{who}: {after.capitalize()}"


# --- reading what was typed


def _plain(options: Options, name: str, **args: Any) -> Result:
    with options.campaign(writing=True) as campaign:
        return played(play(options, campaign, f"chase {name}", args), campaign)


def _bare(action: str, predict: str, range_: str, danger: int, advantage: bool) -> dict[str, Any]:
    return {
        "action": _action(action),
        "prediction": _action(predict),
        "range": _range(range_),
        "danger": danger,
        "advantage": advantage,
    }


def _action(text: str) -> str:
    from ..rules.chase import actions
    from ..rules.people import slug

    return _word(slug(text), list(actions()), "action")


def _range(text: str) -> str:
    from ..rules.chase import ranges

    return _word(text.strip().lower(), ranges(), "range")


def _side(text: str) -> str:
    return _word(text.strip().lower(), ["runners", "chasers"], "side")


def _word(low: str, known: list[str], what: str) -> str:
    """The known word that was typed, whole or by a unique beginning."""
    found = [word for word in known if low and word.startswith(low)]
    if len(found) != 1:
        raise Usage(f"There is no {what} {low!r}.{nearest(low, known)}", f"One of: {listed(known)}.")
    return found[0]


def _prepared(campaign: Campaign, name: str, any_name: bool) -> str:
    """The id of the chase that a name means; empty where it is just a name, for those who are named."""
    table = {key: str(item["name"]) for key, item in campaign.book.chases.items()}
    if not name:
        return ""
    try:
        return find_one(name, table, "chase", f" in {campaign.book.name}")
    except Usage:
        if any_name:
            return ""
        raise


def _anybody(campaign: Campaign, name: str) -> str:
    """The id of a character or creature, or the name itself of anybody else."""
    book = campaign.book
    table = {key: str(item["name"]) for key, item in (*book.creatures.items(), *book.characters.items())}
    for known in (book.characters, table):
        try:
            return find_one(name, {key: table[key] for key in known}, "character or creature", "")
        except Usage:
            continue
    return name


def _chase(campaign: Campaign) -> dict[str, Any]:
    chase: dict[str, Any] | None = campaign.state.get("chase")
    if not chase:
        raise Refused("There is no chase.", "`strike chase start --runners WHO --chasers WHO` begins one.")
    return chase


def _names(campaign: Campaign, chase: dict[str, Any]) -> dict[str, str]:
    from ..rules.people import display_name
    from ..rules.procedure import World

    world = World(campaign.book, campaign.state)
    return {who: display_name(world, who) for who in (*chase["runners"], *chase["chasers"])}


def _member(campaign: Campaign, name: str) -> str:
    chase = _chase(campaign)
    return find_one(name, _names(campaign, chase), "side with that name: Runner or Chaser", "")
