"""The `opposed` of `strike roll` and `strike odds`: two sides against each other, and their exact odds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

from strike_cli.problems import Usage
from strike_cli.terminal.narrate import played
from strike_cli.terminal.odds_view import chances, exact, percent
from strike_cli.terminal.options import Options, command, new_app
from strike_cli.terminal.result import Result
from strike_cli.terminal.runner import play
from strike_cli.terminal.shared_options import Svg

from .odds import opposed_key, reasons_told
from .roll import (
    Changed,
    Ignore,
    Intent,
    Task,
    character_typed,
    close,
    given,
    helper_typed,
    knows_typed,
    must_be_others,
    skill_typed,
)

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign

roll_app = new_app()
odds_app = new_app()

Texts = list[str] | None
Us = Annotated[str, typer.Argument(metavar="[WHO]", help="Our character.")]
OurSkill = Annotated[str, typer.Argument(metavar="[SKILL]", help="Our Skill.")]
Against = Annotated[tuple[str, str] | None, typer.Option(metavar="WHO2 SKILL2", help="The other side.")]
Ours = Annotated[str | None, typer.Option(metavar="skilled|unskilled", help="How we roll.")]
Theirs = Annotated[str | None, typer.Option(metavar="skilled|unskilled", help="How they roll.")]
Specific = Annotated[str, typer.Option(metavar="ours|theirs", help="Like Skills, but this one fits better.")]
AdvOurs = Annotated[Texts, typer.Option("--adv-ours", "--adv", metavar="REASON", help="Advantage for us.")]
DisOurs = Annotated[Texts, typer.Option("--dis-ours", "--dis", metavar="REASON", help="Disadvantage for us.")]
AdvTheirs = Annotated[Texts, typer.Option(metavar="REASON", help="Advantage for them.")]
DisTheirs = Annotated[Texts, typer.Option(metavar="REASON", help="Disadvantage for them.")]
ModOurs = Annotated[
    list[int] | None, typer.Option("--mod-ours", "--mod", metavar="N", help="A flat modifier to ours.")
]
ModTheirs = Annotated[list[int] | None, typer.Option(metavar="N", help="A flat modifier to theirs.")]
HelpOurs = Annotated[
    Texts, typer.Option("--help-ours", "--help-from", metavar="NAME[:skilled]", help="Somebody helps us.")
]
HelpTheirs = Annotated[Texts, typer.Option(metavar="NAME[:skilled]", help="Somebody helps them.")]
TagOurs = Annotated[
    Texts,
    typer.Option("--tag-ours", "--tag", metavar="TAG", help="What ours is about: physical, social, ..."),
]
TagTheirs = Annotated[Texts, typer.Option(metavar="TAG", help="What theirs is about.")]
UsingOurs = Annotated[
    str, typer.Option("--using-ours", "--using", metavar="ITEM", help="An item of ours, whose Flaws count.")
]
UsingTheirs = Annotated[str, typer.Option(metavar="ITEM", help="An item of theirs.")]
AskingOurs = Annotated[
    str,
    typer.Option(
        "--asking-ours", "--asking", metavar="PARTY", help="Whom we ask; Favors owed to them count."
    ),
]
AskingTheirs = Annotated[str, typer.Option(metavar="PARTY", help="Whom they ask.")]
MakeshiftOurs = Annotated[
    bool, typer.Option("--makeshift-ours", "--makeshift", help="Shoddy tools of ours: Disadvantage.")
]
MakeshiftTheirs = Annotated[bool, typer.Option("--makeshift-theirs", help="Shoddy tools of theirs.")]
AlsoOurs = Annotated[
    str,
    typer.Option(
        "--also-ours", "--also", metavar="SKILL", help="Another Skill helps us: Advantage for 1 AP."
    ),
]
AlsoTheirs = Annotated[str, typer.Option(metavar="SKILL", help="Another Skill helps them.")]
UseOurs = Annotated[
    Texts, typer.Option("--use-ours", "--use", metavar="ID", help="Spend this banked bonus of ours.")
]
UseTheirs = Annotated[Texts, typer.Option(metavar="ID", help="Spend this banked bonus of theirs.")]


@roll_app.callback()
@odds_app.callback()
def _only_opposed() -> None:
    """The Opposed Roll."""


@command(roll_app, "opposed")
def roll_opposed(
    options: Options,
    who: Us = "",
    skill: OurSkill = "",
    against: Against = None,
    ours: Ours = None,
    theirs: Theirs = None,
    adv_ours: AdvOurs = None,
    dis_ours: DisOurs = None,
    adv_theirs: AdvTheirs = None,
    dis_theirs: DisTheirs = None,
    mod_ours: ModOurs = None,
    mod_theirs: ModTheirs = None,
    help_ours: HelpOurs = None,
    help_theirs: HelpTheirs = None,
    tag_ours: TagOurs = None,
    tag_theirs: TagTheirs = None,
    using_ours: UsingOurs = "",
    using_theirs: UsingTheirs = "",
    asking_ours: AskingOurs = "",
    asking_theirs: AskingTheirs = "",
    makeshift_ours: MakeshiftOurs = False,
    makeshift_theirs: MakeshiftTheirs = False,
    also_ours: AlsoOurs = "",
    also_theirs: AlsoTheirs = "",
    use_ours: UseOurs = None,
    use_theirs: UseTheirs = None,
    specific: Specific = "",
    ignore: Ignore = None,
    task: Task = "",
    intent: Intent = "",
    changed: Changed = "",
) -> Result:
    """An Opposed Roll (STR-CORE-16): the higher total wins, by three or more completely.

    Exactly one side Unskilled: that side has Disadvantage; so has the more general of two like Skills. A
    close loser chooses how the win is spoiled; a tie may be broken against oneself with a Complication, for
    an Action Point. Whoever helps raises their side's total as in any Skill Roll.

    Dice: ours, then our helpers', then theirs, then their helpers'.

    Example: `strike roll opposed vex Sneaking --against warden Watching --theirs skilled --help-ours brann`
    """
    more = _by_side(
        adv=(adv_ours, adv_theirs), dis=(dis_ours, dis_theirs), mods=(mod_ours, mod_theirs),
        helpers=(help_ours, help_theirs), tags=(tag_ours, tag_theirs), using=(using_ours, using_theirs),
        asking=(asking_ours, asking_theirs), makeshift=(makeshift_ours, makeshift_theirs),
        also=(also_ours, also_theirs), use=(use_ours, use_theirs),
    )  # fmt: skip
    campaign = options.campaign_if_any(writing=True)
    try:
        args = opposed_args(campaign, (who, skill), against, (ours, theirs), more, ignore, specific)
        args |= given(task=task, intent=intent, changed=changed)
        return played(play(options, campaign, "roll opposed", args), campaign, explain=options.explain)
    finally:
        close(campaign)


@command(odds_app, "opposed", kind="reads")
def odds_opposed(
    options: Options,
    who: Us = "",
    skill: OurSkill = "",
    against: Against = None,
    ours: Ours = None,
    theirs: Theirs = None,
    adv_ours: AdvOurs = None,
    dis_ours: DisOurs = None,
    adv_theirs: AdvTheirs = None,
    dis_theirs: DisTheirs = None,
    mod_ours: ModOurs = None,
    mod_theirs: ModTheirs = None,
    help_ours: HelpOurs = None,
    help_theirs: HelpTheirs = None,
    tag_ours: TagOurs = None,
    tag_theirs: TagTheirs = None,
    using_ours: UsingOurs = "",
    using_theirs: UsingTheirs = "",
    asking_ours: AskingOurs = "",
    asking_theirs: AskingTheirs = "",
    makeshift_ours: MakeshiftOurs = False,
    makeshift_theirs: MakeshiftTheirs = False,
    also_ours: AlsoOurs = "",
    also_theirs: AlsoTheirs = "",
    use_ours: UseOurs = None,
    use_theirs: UseTheirs = None,
    specific: Specific = "",
    ignore: Ignore = None,
    svg: Svg = None,
) -> Result:
    """The chance of winning, losing and tying an Opposed Roll, by margin, exact.

    Example: `strike odds opposed --ours skilled --theirs unskilled`
    """
    more = _by_side(
        adv=(adv_ours, adv_theirs), dis=(dis_ours, dis_theirs), mods=(mod_ours, mod_theirs),
        helpers=(help_ours, help_theirs), tags=(tag_ours, tag_theirs), using=(using_ours, using_theirs),
        asking=(asking_ours, asking_theirs), makeshift=(makeshift_ours, makeshift_theirs),
        also=(also_ours, also_theirs), use=(use_ours, use_theirs),
    )  # fmt: skip
    campaign = options.campaign_if_any()
    args = opposed_args(campaign, (who, skill), against, (ours, theirs), more, ignore, specific)
    return _odds(campaign, args, svg)


# --- the odds


def _odds(campaign: Campaign | None, args: Mapping[str, Any], svg: str | None) -> Result:
    from strike_cli.kernel.exhaustive import probabilities
    from strike_cli.kernel.procedure import World

    from ..opposed import Oppose, opposed_roll, ready_opposed

    asked = Oppose.read(args)
    world = World(campaign.book, campaign.state) if campaign else World(None)
    ready = ready_opposed(world, asked.ours, asked.theirs)
    found = probabilities(lambda: (opposed_roll(*ready), None), opposed_key)

    def signed(item: tuple[tuple[str | None, int, bool], Fraction]) -> int:
        (winner, margin, _), _ = item
        return margin if winner == "theirs" else -margin

    rows = [
        (
            {"winner": winner, "margin": margin, "complete": complete},
            "A tie"
            if winner is None
            else f"{winner.capitalize()} by {margin}" + (", complete" if complete else ""),
            chance,
        )
        for (winner, margin, complete), chance in sorted(found.items(), key=signed)
    ]
    result = chances("odds opposed", args, rows, svg)
    sides: tuple[str | None, ...] = ("ours", "theirs", None)
    wins = {
        side: sum((chance for key, _, chance in rows if key["winner"] == side), Fraction()) for side in sides
    }
    result.data["win"] = {side or "tie": exact(chance) for side, chance in wins.items()}
    result.blocks.append(
        f"We win {percent(wins['ours'])}, they win {percent(wins['theirs'])}, a tie {percent(wins[None])}."
    )
    for side, one in zip(("Ours", "Theirs"), ready, strict=True):
        if told := reasons_told(one.matters):
            result.blocks.append((f"{side}: {told}", "dim"))
    return result


# --- reading what was typed


def opposed_args(
    campaign: Campaign | None,
    us: tuple[str, str],
    them: tuple[str, str] | None,
    how: tuple[str | None, str | None],
    more: Mapping[str, Mapping[str, Any]],
    ignore: list[str] | None = None,
    specific: str = "",
) -> dict[str, Any]:
    """The arguments of an Opposed Roll, with names looked up and what the sheets say filled in."""
    if specific not in ("", "ours", "theirs"):
        raise Usage(f"--specific: {specific!r} should be ours or theirs.")
    ours = _side(campaign, us, how[0], more["ours"], "--ours")
    theirs = _side(campaign, them or ("", ""), how[1], more["theirs"], "--theirs")
    if specific:  # the more general Skill counts as Unskilled
        (theirs if specific == "ours" else ours)["skilled"] = False
    if campaign is not None:
        helpers = [helper["name"] for side in (ours, theirs) for helper in side.get("helpers", ())]
        for side in (ours, theirs):
            must_be_others(side["who"], helpers)
    _as_meant(campaign, ours, theirs, ignore)
    return {"who": ours["who"], "ours": ours, "theirs": theirs}


def _by_side(**typed: tuple[Any, Any]) -> dict[str, dict[str, Any]]:
    """What was typed as (ours, theirs) of each option, by side."""
    return {
        side: {key: pair[number] for key, pair in typed.items()}
        for number, side in enumerate(("ours", "theirs"))
    }


def _as_meant(
    campaign: Campaign | None, ours: dict[str, Any], theirs: dict[str, Any], ignore: list[str] | None
) -> None:
    """The sides' items and parties as they are meant; what is left out is so for both."""
    from .meant import as_meant

    sides = (ours, theirs)
    people = [side["who"] for side in sides if side["who"]]
    helpers = [helper["name"] for side in sides for helper in side.get("helpers", ())]
    for side in sides:
        side |= as_meant(campaign, [side["who"]] if side["who"] else [], side)
        side |= as_meant(campaign, people, given(ignore=ignore), helpers)


def _side(
    campaign: Campaign | None, names: Sequence[str], how: str | None, more: Mapping[str, Any], option: str
) -> dict[str, Any]:
    if how not in (None, "skilled", "unskilled"):
        raise Usage(f"{option}: {how!r} should be skilled or unskilled.")
    who, known = character_typed(campaign, names[0])
    skill = skill_typed(campaign, who, names[1]) if known else names[1]
    # Who has no sheet counts as Skilled unless told otherwise: two strangers roll evenly.
    skilled = how == "skilled" if how else (knows_typed(campaign, who, skill) if known and skill else True)
    own = {
        **more,
        "mods": [[value, "modifier"] for value in more["mods"] or []],
        "helpers": [helper_typed(campaign, text, skill) for text in more["helpers"] or []],
    }
    return {
        "who": who,
        "skill": skill,
        "skilled": skilled,
        "known": known,
        "adv": more["adv"] or [],
        "dis": more["dis"] or [],
        **given(**{key: value for key, value in own.items() if key not in ("adv", "dis")}),
    }
