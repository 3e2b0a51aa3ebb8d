"""Commands for actions that everybody has besides attacks: charge, rally, assess, improvise, Skill Rolls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, cast

import typer

from strike_cli.systems.core.commands.argument_completions import ANY_SKILL
from strike_cli.terminal.argument_completions import WHO, choice_metavar
from strike_cli.terminal.command_output import Block
from strike_cli.terminal.move_commands import Call, plays

from . import app, argument_completions
from .argument_parsers import (
    COMBATANT,
    DURATION,
    SQUARE,
    STATUS,
    Acting,
    choice_parser,
    must_find_fight,
    set_confirmation_and_give_no_args,
)
from .attacks_and_powers import Adv, Dis, Mods, Targets, Yes
from .remaining_actions_and_map import make_show_of_blocks_below_report

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign


@plays(app, "charge", "combat charge")
def charge(
    call: Call,
    who: Acting,
    target: Annotated[
        str,
        typer.Argument(metavar=argument_completions.COMBATANT.with_text("TARGET"), help="The target."),
        COMBATANT,
    ],
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar=argument_completions.SQUARE,
            help="A square next to the target. Default: the safest.",
        ),
        SQUARE,
    ] = "",
    adv: Adv = None,
    dis: Dis = None,
    mods: Mods = None,
    yes: Yes = False,
) -> dict[str, object]:
    """Charge: move up to Speed towards the target, then make a Melee Basic Attack (STR-TAC-13).

    It takes an Attack Action. Each square of the way must be closer to the target, and none may be difficult
    terrain. If you leave the reach of others on the way, they get Opportunities. As before a move, the player
    is asked first, unless you add --yes.

    Example: `strike combat charge brann goblin-2`
    """
    return set_confirmation_and_give_no_args(call, yes)


@plays(app, "rally", "combat use")
def rally(who: Acting) -> dict[str, object]:
    """Rally for an Action Point, once a fight (STR-TAC-13).

    Regain 4 HP and a spent Encounter power of your class.

    It works on your own turn, takes no action, and no status stops it, not even Incapacitated.
    Same as `combat use WHO rally`.

    Example: `strike combat rally vex`
    """
    from ..powers.standard_powers_and_use_limits import RALLY

    return {"power": RALLY}


def _assess_question_blocks(campaign: Campaign, data: Mapping[str, object]) -> Iterator[Block]:
    for about, questions in cast("Mapping[str, Sequence[str]]", data["ask"]).items():
        yield f"  About {'an enemy' if about == 'enemy' else 'the fight'}:", "dim"
        yield from (f"    {question}" for question in questions)


@plays(app, "assess", "combat assess", show=make_show_of_blocks_below_report(_assess_question_blocks))
def assess(who: Acting) -> None:
    """Assess (a Role Action): a die gives the number of questions that the player may ask (STR-TAC-13).

    Example: `strike combat assess sela`
    """


@plays(app, "improvise", "combat improvise")
def improvise(
    call: Call,
    who: Acting,
    targets: Targets = None,
    what: Annotated[str, typer.Option("--what", metavar="TEXT", help="The attack, in words.")] = "",
    damage: Annotated[
        int | None,
        typer.Option("--damage", metavar="N", min=0, help="The damage. Default: 3, or 2 when repeated."),
    ] = None,
    range: Annotated[
        int | None,
        typer.Option("--range", metavar="N", min=1, help="Squares. Default: as the ranged basic attack."),
    ] = None,
    status: Annotated[
        str,
        typer.Option("--status", metavar=argument_completions.STATUS, help="The effect of a hit."),
        STATUS,
    ] = "",
    ends: Annotated[
        str,
        typer.Option("--ends", metavar=argument_completions.DURATION, help="The status's duration."),
        DURATION,
    ] = "save",
    adv: Adv = None,
    dis: Dis = None,
    mods: Mods = None,
    yes: Yes = False,
) -> dict[str, object]:
    """Improvise an attack that isn't on the sheet: about 3 damage, and an effect of your choice (STR-TAC-14).

    If the same person improvises again in this fight, the attack is weaker. If you leave out --status, play
    the effect by hand.

    Example: `strike combat improvise vex goblin-1 --what "the kettle, lid first" --status blinded`
    """
    return set_confirmation_and_give_no_args(call, yes)


@plays(app, "skill", "combat skill")
def skill(
    call: Call,
    who: Acting,
    skill: Annotated[str, typer.Argument(metavar=ANY_SKILL, help="The Skill to roll.")],
    action: Annotated[
        str,
        typer.Option(
            "--action",
            metavar=choice_metavar("attack", "move", "role", "free", "none"),
            help="The action it takes, as the game master decides.",
        ),
        choice_parser(_skill_action_words, "--action", "action"),
    ] = "role",
    skilled: Annotated[
        bool | None,
        typer.Option("--skilled/--unskilled", help="Overrides the sheet.", show_default="as on the sheet"),
    ] = None,
    help_from: Annotated[
        list[str] | None, typer.Option(metavar=WHO.with_text("NAME[:skilled]"), help="A helper.")
    ] = None,
    adv: Adv = None,
    dis: Dis = None,
    mods: Mods = None,
) -> dict[str, object]:
    """Roll a Skill in a fight. If the result has a Cost, the Cost is a Strike (STR-TAC-14).

    If it is a Twist, the action may simply be wasted.

    Example: `strike combat skill vex Climbing --action move`
    """
    from strike_cli.systems.core.commands.roll import skill_args

    campaign = call.required_campaign
    sheet = must_find_fight(campaign)["combatants"][who]["ref"]
    known = sheet if sheet in campaign.book.characters else who
    args = skill_args(campaign, known, skill, skilled, None, None, None, help_from, may_ask=call.can_ask)
    looked_up: Mapping[str, object] = args
    own = ("skill", "skilled", "known", "helpers", "unlisted", "near")
    return {name: looked_up[name] for name in own if name in looked_up}


def _skill_action_words() -> tuple[str, ...]:
    from ..turns.common_actions import ACTIONS_FOR_SKILL_ROLL

    return ACTIONS_FOR_SKILL_ROLL
