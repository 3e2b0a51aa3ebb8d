"""Attacks and powers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from strike_cli.problems import Usage
from strike_cli.terminal.narrate import played
from strike_cli.terminal.options import Options, command
from strike_cli.terminal.result import Result
from strike_cli.terminal.runner import find_one

from . import app
from .common import Trade, Who, combatant, fight_played, square_of
from .words import COMBATANTS, POWERS

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign


Targets = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="TARGET...",
        help="Whom it is aimed at; all in its area, for one that has an area.",
        autocompletion=COMBATANTS,
    ),
]
WithPower = Annotated[
    str, typer.Option("--power", "-p", metavar="P", help="Else a basic attack that reaches.")
]
At = Annotated[str, typer.Option("--at", metavar="SQUARE", help="Where an area is aimed.")]
Adv = Annotated[list[str] | None, typer.Option(metavar="REASON", help="Advantage, and why.")]
Dis = Annotated[list[str] | None, typer.Option(metavar="REASON", help="Disadvantage, and why.")]
Mod = Annotated[list[str] | None, typer.Option(metavar="N[:REASON]", help="A flat modifier, and why.")]
NoEffect = Annotated[
    str, typer.Option(metavar="REASON", help="Why its Effect can't be explained, and so doesn't happen.")
]


@command(app, "attack")
def attack(
    options: Options,
    who: Who,
    targets: Targets = None,
    power: WithPower = "",
    at: At = "",
    adv: Adv = None,
    dis: Dis = None,
    mod: Mod = None,
    no_effect: NoEffect = "",
) -> Result:
    """An Attack Action (STR-TAC-09): a roll for each target, then damage, effect, or both.

    Without --power it is a basic attack: melee where the target is in reach, else ranged, for who has one. On
    a 3 the attacker chooses damage or effect; Miss Tokens may be spent after the roll. An area is aimed where
    it takes in those named, or at --at.

    Example: `strike combat attack vex goblin-1 --power "lantern flare"`
    """
    with options.campaign(writing=True) as campaign:
        args = attack_args(campaign, who, targets, power, adv, dis, mod, at)
        args |= {"no_effect": no_effect} if no_effect else {}
        return fight_played(options, campaign, "attack", args)


@command(app, "use")
def use(
    options: Options,
    who: Who,
    power: Annotated[
        str,
        typer.Argument(metavar="POWER", help="One of theirs.", autocompletion=POWERS),
    ],
    targets: Targets = None,
    at: At = "",
    adv: Adv = None,
    dis: Dis = None,
    mod: Mod = None,
    no_effect: NoEffect = "",
    trade: Trade = False,
) -> Result:
    """Use any power: a Role Action, a Free Action, an Interrupt in another's turn, an attack (STR-TAC-12).

    It takes the action that it says, and Action Points where it costs any. What has damage is rolled.

    Example: `strike combat use odo "kind word" vex`
    """
    with options.campaign(writing=True) as campaign:
        args = attack_args(campaign, who, targets, power, adv, dis, mod, at)
        args |= {"no_effect": no_effect} if no_effect else {}
        args |= {"trade": True} if trade else {}
        return fight_played(options, campaign, "use", args)


def attack_args(
    campaign: Campaign,
    who: str,
    targets: list[str] | None,
    power: str,
    adv: list[str] | None,
    dis: list[str] | None,
    mod: list[str] | None,
    at: str = "",
) -> dict[str, Any]:
    """What `combat attack` is played with, from what was typed; `odds attack` takes the same."""
    attacker = combatant(campaign, who)
    chosen = [combatant(campaign, target) for target in targets or []]
    args = {
        "who": attacker,
        "targets": chosen,
        "power": _power(campaign, attacker, chosen, power),
        **reasons(adv, dis, mod),
    }
    return {**args, "at": square_of(at)} if at else args


def reasons(adv: list[str] | None, dis: list[str] | None, mod: list[str] | None) -> dict[str, list[Any]]:
    """Advantage, Disadvantage and modifiers as typed, as a command is played with them."""
    return {"adv": adv or [], "dis": dis or [], "mods": [list(_modifier(text)) for text in mod or []]}


def _modifier(text: str) -> tuple[int, str]:
    """`1`, or `-2:mud to the knees`. Raises Usage for what is no number."""
    number, _, reason = text.partition(":")
    try:
        return int(number), reason.strip() or "modifier"
    except ValueError:
        raise Usage(f"--mod {text!r}: {number!r} is no number.", "Write --mod 1 or --mod=-2:mud.") from None


def _power(campaign: Campaign, who: str, targets: list[str], name: str) -> str:
    """The power's full id: the one named, else the basic attack that reaches the first target."""
    from strike_cli.kernel.procedure import World

    from ..fight import Fight, short_names
    from ..powers import MELEE_BASIC, RANGED_BASIC, STANDARD, powers_of

    fight = Fight(World(campaign.book, campaign.state))
    if name:
        own = [*fight.sheet(who).get("powers", []), *STANDARD]
        table = {key: str(campaign.book.powers[key]["name"]) for key in own}
        words = short_names(own)
        if name.lower() in words:
            return words[name.lower()]
        return find_one(name, table, "power", f" on {fight.name(who)}'s sheet")
    if any(fight.is_out(target) for target in targets):
        return MELEE_BASIC
    near = all(fight.gap(who, target) <= fight.reach(who) for target in targets)
    return MELEE_BASIC if near or RANGED_BASIC not in powers_of(fight, who) else RANGED_BASIC


@command(app, "ladder")
def ladder(
    options: Options,
    damage: Annotated[int, typer.Option("--damage", metavar="N", min=0, help="The power's printed damage.")],
    die: Annotated[int, typer.Option("--die", metavar="D", min=1, max=6, help="The natural face.")],
    tokens: Annotated[int, typer.Option("--tokens", metavar="N", min=0, help="Miss Tokens spent.")] = 0,
    mod: Annotated[int, typer.Option("--mod", metavar="N", help="A flat modifier.")] = 0,
    guarded: Annotated[bool, typer.Option("--guarded", help="The target is Guarded.")] = False,
    weakened: Annotated[bool, typer.Option("--weakened", help="The attacker is Weakened.")] = False,
) -> Result:
    """One bare attack line (STR-TAC-09 to 11), no campaign needed: what a die comes to.

    A glancing hit counts as damage unless `--choose effect`.

    Example: `strike combat ladder --damage 3 --die 1 --tokens 1`
    """
    from strike_cli.content.book import bare_book
    from strike_cli.kernel.drive import Scripted, drive, no_more_dice
    from strike_cli.kernel.procedure import World
    from strike_cli.play.execute import Performed

    from ..attack_table import BareAttack, play_bare_attack

    args = BareAttack(
        damage=damage,
        die=die,
        tokens=tokens,
        mod=mod,
        attacker=["core:weakened"] if weakened else [],
        target=["core:guarded"] if guarded else [],
    )
    world = World(bare_book())
    choices = Scripted(options.choices or ["damage"])
    came = drive(play_bare_attack(world, args), world, no_more_dice, choices)
    return played(Performed("combat ladder", came, None), None)
