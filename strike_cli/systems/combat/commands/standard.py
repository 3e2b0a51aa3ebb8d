"""What everybody can do besides attacking: charge, rally, assess, improvise, roll a Skill."""

from __future__ import annotations

from typing import Annotated

import typer

from strike_cli.systems.core.commands.words import SKILLS
from strike_cli.terminal.options import Options, command
from strike_cli.terminal.result import Block, Result

from . import app
from .attack import Adv, Dis, Mod, Targets, reasons
from .common import Who, combatant, fight_played, square_of
from .words import COMBATANTS, STATUSES


@command(app, "charge")
def charge(
    options: Options,
    who: Who,
    target: Annotated[
        str,
        typer.Argument(metavar="TARGET", help="Whom to charge.", autocompletion=COMBATANTS),
    ],
    to: Annotated[
        str, typer.Option("--to", metavar="SQUARE", help="Which square next to the target; else the safest.")
    ] = "",
    adv: Adv = None,
    dis: Dis = None,
    mod: Mod = None,
) -> Result:
    """An Attack Action: up to Speed, each square closer, then a Melee Basic Attack (STR-TAC-13).

    Not over difficult terrain. Leaving others' reach on the way gives them Opportunities.

    Example: `strike combat charge brann goblin-2`
    """
    with options.campaign(writing=True) as campaign:
        args = {
            "who": combatant(campaign, who),
            "target": combatant(campaign, target),
            "to": square_of(to) if to else "",
            **reasons(adv, dis, mod),
        }
        return fight_played(options, campaign, "charge", args)


@command(app, "rally")
def rally(options: Options, who: Who) -> Result:
    """Once a fight, for an Action Point: 4 HP, and a spent Encounter power of one's class (STR-TAC-13).

    In one's own turn, for no action, under any status, even Incapacitated. Same as `combat use WHO rally`.

    Example: `strike combat rally vex`
    """
    with options.campaign(writing=True) as campaign:
        from ..powers import RALLY

        args = {"who": combatant(campaign, who), "targets": [], "power": RALLY, **reasons(None, None, None)}
        return fight_played(options, campaign, "use", args)


@command(app, "assess")
def assess(options: Options, who: Who) -> Result:
    """A Role Action: a die says how many questions the player may ask (STR-TAC-13).

    Example: `strike combat assess sela`
    """
    with options.campaign(writing=True) as campaign:
        result = fight_played(options, campaign, "assess", {"who": combatant(campaign, who)})
        for about, questions in (result.data or {}).get("ask", {}).items():
            lines: list[Block] = [(f"  About {'an enemy' if about == 'enemy' else 'the fight'}:", "dim")]
            lines += [f"    {question}" for question in questions]
            result.blocks += lines
        return result


@command(app, "improvise")
def improvise(
    options: Options,
    who: Who,
    targets: Targets = None,
    what: Annotated[str, typer.Option("--what", metavar="TEXT", help="What they do.")] = "",
    damage: Annotated[
        int | None, typer.Option("--damage", metavar="N", min=0, help="Else 3, and 2 when done again.")
    ] = None,
    range_: Annotated[
        int | None, typer.Option("--range", metavar="N", min=1, help="Squares; else as the ranged basic.")
    ] = None,
    status: Annotated[
        str,
        typer.Option(
            "--status",
            metavar="STATUS",
            help="The effect of a hit.",
            autocompletion=STATUSES,
        ),
    ] = "",
    ends: Annotated[str, typer.Option("--ends", metavar="WHEN", help="When that ends.")] = "save",
    adv: Adv = None,
    dis: Dis = None,
    mod: Mod = None,
) -> Result:
    """An attack that is on no sheet: about 3 damage, and an effect as the game master says (STR-TAC-14).

    Strong the first time, weaker when the same one improvises again in a fight. Without --status the effect
    is told, and played by hand.

    Example: `strike combat improvise vex goblin-1 --what "the kettle, lid first" --status blinded`
    """
    from .gm import duration_args

    with options.campaign(writing=True) as campaign:
        duration = duration_args(campaign.book, ends)
        args = {
            "who": combatant(campaign, who),
            "targets": [combatant(campaign, target) for target in targets or []],
            "what": what,
            **({} if damage is None else {"damage": damage}),
            **({} if range_ is None else {"range": range_}),
            **({"status": campaign.book.find("statuses", status), **duration} if status else {}),
            **reasons(adv, dis, mod),
        }
        return fight_played(options, campaign, "improvise", args)


@command(app, "skill")
def skill(
    options: Options,
    who: Who,
    skill: Annotated[str, typer.Argument(metavar="SKILL", help="The Skill rolled.", autocompletion=SKILLS)],
    action: Annotated[
        str,
        typer.Option(
            "--action", metavar="attack|move|role|free|none", help="What the game master says it takes."
        ),
    ] = "role",
    skilled: Annotated[
        bool | None,
        typer.Option(
            "--skilled/--unskilled", help="Whatever the sheet says.", show_default="as on the sheet"
        ),
    ] = None,
    help_from: Annotated[
        list[str] | None, typer.Option(metavar="NAME[:skilled]", help="Somebody helps.")
    ] = None,
    adv: Adv = None,
    dis: Dis = None,
    mod: Mod = None,
) -> Result:
    """A Skill Roll in a fight: each Cost is a Strike in its place (STR-TAC-14).

    A Twist may be no more than the action wasted.

    Example: `strike combat skill vex Climbing --action move`
    """
    from strike_cli.problems import Usage, listed, nearest
    from strike_cli.systems.core.commands.roll import skill_args

    from ..standard import SKILL_ACTIONS

    if action not in SKILL_ACTIONS:
        raise Usage(
            f"--action {action!r}: no such action.{nearest(action, SKILL_ACTIONS)}",
            f"One of {listed(SKILL_ACTIONS)}.",
        )
    with options.campaign(writing=True) as campaign:
        roller = combatant(campaign, who)
        sheet = campaign.state["fight"]["combatants"][roller]["ref"]
        known = sheet if sheet in campaign.book.characters else roller
        args = skill_args(campaign, known, skill, skilled, adv, dis, None, help_from)
        args |= {"mods": reasons(None, None, mod)["mods"], "who": roller, "action": action}
        return fight_played(options, campaign, "skill", args)
