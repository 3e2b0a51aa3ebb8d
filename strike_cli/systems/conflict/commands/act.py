"""`strike conflict act`: what a member of a team does in a round, and the roll for a secondary goal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, NamedTuple, cast

import typer

from strike_cli.problems import Usage
from strike_cli.systems.core.commands.meant import as_meant
from strike_cli.systems.core.commands.nouns import ANY_SKILL, ITEM
from strike_cli.systems.core.commands.roll import (
    Also,
    Asking,
    Changed,
    Cost,
    HelpFrom,
    Ignore,
    Intent,
    Makeshift,
    Tag,
    Task,
    Use,
    also_typed,
    given,
    helper_typed,
    must_be_others,
    skill_typed,
)
from strike_cli.terminal.declare import play
from strike_cli.terminal.lookup import find_character
from strike_cli.terminal.nouns import choice
from strike_cli.terminal.options import Options, command, new_app
from strike_cli.terminal.result import Result, played
from strike_cli.terminal.shared_options import Adv, Dis, Mod

from . import nouns
from .words import Instead, Next, Recover, Who, between_teams, roll_of

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign

app = new_app()


@app.callback()
def _only_act() -> None:
    """What a member of a team does."""


Action = Annotated[
    str,
    typer.Argument(
        metavar=nouns.ACTION.called("[ACTION]"), help="progress, block, calculated-risk ..., or pass."
    ),
]
Skill = Annotated[
    str,
    typer.Option(metavar=ANY_SKILL, help="The Skill for it; basic actions need none."),
]
Using = Annotated[str, typer.Option(metavar=ITEM, help="An item used; its Flaws count.")]
Secondary = Annotated[
    str,
    typer.Option(
        metavar=choice("advance", "defense"), help="Instead of an action: roll --skill for a goal beside it."
    ),
]
Unskilled = Annotated[
    bool, typer.Option("--unskilled", help="With --secondary: a Skill on nobody's sheet, meant so.")
]


@command(app, "act")
def act(
    options: Options,
    who: Who,
    action: Action = "",
    skill: Skill = "",
    using: Using = "",
    secondary: Secondary = "",
    unskilled: Unskilled = False,
    recover: Recover = "",
    next_: Next = "",
    adv: Adv = None,
    dis: Dis = None,
    mod: Mod = None,
    help_from: HelpFrom = None,
    ignore: Ignore = None,
    tag: Tag = None,
    asking: Asking = "",
    makeshift: Makeshift = False,
    also: Also = "",
    use: Use = None,
    cost: Cost = None,
    task: Task = "",
    intent: Intent = "",
    changed: Changed = "",
    instead: Instead = False,
) -> Result:
    """Choose what a member of a team does this round (STR-TC-02, 13): once, or --instead of what they chose.

    Basic, without a Skill: progress, reckless-effort, block, take-one-for-the-team, pass. With one, twice a
    round at most: all-out-effort, calculated-risk, win-at-all-costs, targeted-effort, total-defense, prepare,
    observe, recover; obscure too where there are players on both sides.

    With --secondary the Skill is rolled at once, with the options of `strike roll skill`. The team's roll
    gets 1 all the same. Where there are players on both sides, what they choose
    stays secret.

    Example: `strike conflict act vex calculated-risk --skill Climbing`
    """
    bearing = given(
        adv=adv, dis=dis, mods=[[value, "modifier"] for value in mod or []], help_from=help_from,
        ignore=ignore, tags=tag, asking=asking, makeshift=makeshift, also=also, use=use, costs=cost,
        task=task, intent=intent, changed=changed,
    )  # fmt: skip
    chosen = {"action": action, "recover": recover, "next": next_}
    return _act(options, _SkillTyped(who, skill, using, unskilled, instead), chosen, secondary, bearing)


class _SkillTyped(NamedTuple):
    """Who does something, and with what, as typed."""

    who: str
    skill: str
    using: str
    unskilled: bool
    instead: bool


def _act(
    options: Options,
    typed: _SkillTyped,
    chosen: Mapping[str, str],
    secondary: str,
    bearing: Mapping[str, object],
) -> Result:
    """The action that is `chosen`, or a `secondary` goal, with what bears on its roll."""
    with options.campaign(writing=True) as campaign:
        options.secret = options.secret or between_teams(campaign)
        who = find_character(campaign, typed.who)
        # An action rolls none: only a Skill that is rolled can be Unskilled by accident.
        meant, asked = typed.unskilled or not secondary, options.somebody_answers
        named = skill_typed(campaign, who, typed.skill, meant=meant, asked=asked)
        args = {"who": who, "skill": named.name, "using": typed.using, "instead": typed.instead}
        if not secondary:
            args |= _action(chosen, bearing) | _meant(campaign, args, {})
            return _play(options, campaign, "conflict act", args)
        if any(chosen.values()):
            raise Usage("A secondary goal is instead of an action.", "Leave the action out.")
        goal = {"to": roll_of(secondary, "--secondary"), **named.words}
        args |= goal | _meant(campaign, args, bearing)
        return _play(options, campaign, "conflict secondary", args)


def _action(chosen: Mapping[str, str], bearing: Mapping[str, object]) -> dict[str, object]:
    if not chosen["action"]:
        raise Usage("Which action?", "`strike conflict act WHO ACTION`, or --secondary advance|defense.")
    if bearing:
        raise Usage(
            "An action rolls no Skill: what bears on one is for a secondary goal.",
            "`strike conflict roll` has --dis and --weigh for the team's rolls; --secondary is a Skill Roll.",
        )
    return {**chosen, "next": roll_of(chosen["next"], "--next") if chosen["next"] else ""}


def _meant(campaign: Campaign, args: Mapping[str, object], typed: Mapping[str, object]) -> dict[str, object]:
    """What was typed about the item, and of what bears on the Skill Roll for a secondary goal, as it is
    meant."""
    who, texts = cast("str", args["who"]), cast("Sequence[str]", typed.get("help_from", ()))
    helpers = [helper_typed(campaign, text, cast("str", args["skill"])) for text in texts]
    names = [helper["name"] for helper in helpers]
    must_be_others(who, names)
    more = {key: value for key, value in typed.items() if key != "help_from"} | given(using=args["using"])
    also = also_typed(campaign, who, cast("str", typed.get("also", "")))
    return given(helpers=helpers) | as_meant(campaign, [who], more, names) | also


def _play(options: Options, campaign: Campaign, move: str, args: Mapping[str, object]) -> Result:
    return played(play(options, campaign, move, args), campaign, explain=options.explain)
