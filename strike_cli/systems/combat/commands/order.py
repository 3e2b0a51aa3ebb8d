"""Acting out of order: delaying, preparing, triggers; joining the fight and leaving it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated, Any

import typer

from strike_cli.problems import Usage, listed, nearest
from strike_cli.terminal import completion
from strike_cli.terminal.options import Options, command
from strike_cli.terminal.result import Result
from strike_cli.terminal.runner import find_one

from . import app
from .attack import attack_args
from .common import Who, combatant, fight_of, fight_played, square_of, what_is_left

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign


@command(app, "delay")
def delay(options: Options, who: Who) -> Result:
    """Give up the turn at its start, to act later: no actions and no Saving Throws now.

    Beneficial statuses that would end with this turn end; harmful ones wait for the delayed one.

    Example: `strike combat delay vex`
    """
    with options.campaign(writing=True) as campaign:
        return fight_played(options, campaign, "delay", {"who": combatant(campaign, who)})


@command(app, "resume")
def resume(options: Options, who: Who) -> Result:
    """Act now, after delaying, once somebody's turn has ended; the place in the order moves here.

    Example: `strike combat resume vex`
    """
    with options.campaign(writing=True) as campaign:
        actor = combatant(campaign, who)
        result = fight_played(options, campaign, "resume", {"who": actor})
        if not options.dry_run:
            result.blocks += what_is_left(campaign, actor)
        return result


@command(app, "prepare")
def prepare(
    options: Options,
    who: Who,
    trigger: Annotated[str, typer.Option("--trigger", metavar="TEXT", help="When it shall happen.")],
    then: Annotated[
        str,
        typer.Option(
            "--then", metavar="WHAT", help='"attack goblin-1 --power trip", "charge goblin-1" or "move C7".'
        ),
    ],
) -> Result:
    """Spend the Attack Action on an attack or a move that a trigger sets off, before your next turn.

    Whom to attack or where to go may be left open until then: `--then attack`.

    Example: `strike combat prepare vex --trigger "the door opens" --then "attack goblin-1"`
    """
    with options.campaign(writing=True) as campaign:
        actor = combatant(campaign, who)
        do, _ = _parsed(campaign, actor, then, whole=False)
        args = {"who": actor, "trigger": trigger, "then": " ".join(then.split()), "do": do}
        return fight_played(options, campaign, "prepare", args)


@command(app, "trigger")
def trigger(
    options: Options,
    who: Who,
    then: Annotated[
        str, typer.Option("--then", metavar="WHAT", help="What was left open, or is otherwise now.")
    ] = "",
) -> Result:
    """What somebody prepared happens now, before what set it off: trigger first, then play that.

    Example: `strike combat trigger vex`
    """
    from strike_cli.kernel.procedure import World

    from ..delay_and_ready import must_be_prepared
    from ..fight import Fight

    with options.campaign(writing=True) as campaign:
        actor = combatant(campaign, who)
        prepared = must_be_prepared(Fight(World(campaign.book, campaign.state)), actor)
        do, args = _parsed(campaign, actor, then or prepared["then"], whole=True)
        return fight_played(options, campaign, "trigger", {"who": actor, "do": do, "args": args})


def _parsed(campaign: Campaign, who: str, text: str, *, whole: bool) -> tuple[str, dict[str, Any]]:
    """What a prepared action is played with: attack, charge or move, and its arguments, checked. Unless it
    must be `whole`, targets and square may still be open."""
    try:
        verb, *words = shlex.split(text) or [""]
    except ValueError as error:
        raise Usage(f"--then {text!r} can't be read: {error}.") from None
    verb = verb.lower()
    kinds = ("attack", "charge", "move")
    if verb not in kinds:
        raise Usage(
            f"--then {text!r}: {verb or 'nothing'} can't be prepared.{nearest(verb, kinds)}",
            f'One of {listed(kinds)}, as in: --then "attack goblin-1".',
        )
    names, told = _options(words)
    if not names and not whole:
        return verb, {}
    if not names:
        raise Usage(f"{text!r} says not whom or where.", f'--then "{verb} ..." says it now.')
    if verb == "attack":
        return verb, attack_args(campaign, who, names, told.get("power", ""), None, None, None)
    if verb == "charge":
        return verb, {"target": combatant(campaign, names[0]), "adv": [], "dis": [], "mods": []}
    shift = "shift" in told
    return verb, {"to": square_of(names[0]), "via": [], "shift": shift, "trade": False}


def _options(words: list[str]) -> tuple[list[str], dict[str, str]]:
    """Names, and the options --power P and --shift."""
    names: list[str] = []
    told: dict[str, str] = {}
    rest = iter(words)
    for word in rest:
        if word in ("--power", "-p"):
            told["power"] = next(rest, "")
        elif word == "--shift":
            told["shift"] = "yes"
        elif word.startswith("-"):
            raise Usage(f"--then knows no {word}.", "It knows --power and --shift.")
        else:
            names.append(word)
    return names, told


@command(app, "join")
def join(
    options: Options,
    who: Annotated[
        str,
        typer.Argument(
            metavar="WHO|CREATURE", help="A character or a creature.", autocompletion=completion.newcomers
        ),
    ],
    count: Annotated[int, typer.Argument(metavar="[N]", min=1, max=50, help="How many of it.")] = 1,
    at: Annotated[
        list[str] | None, typer.Option("--at", metavar="SQUARE", help="Where; more stand beside the first.")
    ] = None,
    side: Annotated[
        str, typer.Option("--side", metavar="SIDE", help="party or enemies, if not the usual one.")
    ] = "",
) -> Result:
    """Come into the fight that is under way, with a die of initiative and a place in the order.

    Example: `strike combat join goblin 2 --at C7`
    """
    if side not in ("", "party", "enemies"):
        raise Usage(f"--side {side!r}: a side is party or enemies.")
    if not at:
        raise Usage("Where do they come in?", "--at C7 says it.")
    with options.campaign(writing=True) as campaign:
        fight_of(campaign)
        names = {key: str(item["name"]) for key, item in campaign.book.characters.items()}
        creatures = {key: str(item["name"]) for key, item in campaign.book.creatures.items()}
        ref = find_one(who, {**creatures, **names}, "character or creature", f" in {campaign.book.name}")
        if ref in names and count > 1:
            raise Usage(f"There is one {names[ref]}.")
        args = {
            "ref": ref,
            "count": count,
            "at": [square_of(square) for square in at],
            "side": side or ("party" if ref in names else "enemies"),
        }
        return fight_played(options, campaign, "join", args)


@command(app, "leave")
def leave(
    options: Options,
    who: Who,
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="How, where an enemy is near.")] = "",
) -> Result:
    """Out of the fight without being Taken Out: away from every enemy by 20 squares, in surrender, unseen.

    Example: `strike combat leave goblin-2 --why "runs for the reeds"`
    """
    with options.campaign(writing=True) as campaign:
        return fight_played(options, campaign, "leave", {"who": combatant(campaign, who), "why": why})
