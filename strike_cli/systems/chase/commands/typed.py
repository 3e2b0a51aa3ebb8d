"""What is typed about a chase, read: actions, ranges, sides, who is meant, what the Runners Hide with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from strike_cli.problems import Refused, Usage
from strike_cli.terminal.runner import find_one, find_word

from .words import ACTION_WORDS

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign
    from strike_cli.kernel.procedure import World

Action = Annotated[
    str,
    typer.Argument(
        metavar="ACTION",
        help="flee, hide, double-back, set-up or risk.",
        autocompletion=ACTION_WORDS,
    ),
]
Did = Annotated[
    str,
    typer.Option(
        "--action",
        metavar="ACTION",
        help="flee, hide, double-back, set-up or risk.",
        autocompletion=ACTION_WORDS,
    ),
]
Predict = Annotated[
    str,
    typer.Option(
        "--predict",
        metavar="ACTION",
        help="What the Chasers predicted.",
        autocompletion=ACTION_WORDS,
    ),
]
Range = Annotated[str, typer.Option("--range", metavar="close|medium|far", help="The range.")]
Danger = Annotated[int, typer.Option("--danger", metavar="N", min=0, max=2, help="The Danger Level, 0 to 2.")]
RunnersAdv = Annotated[
    bool, typer.Option("--runners-adv", help="The Runners have Advantage from their last move.")
]
WhichRange = Annotated[str | None, typer.Option("--range", metavar="close|medium|far", help="The range.")]
WhichDanger = Annotated[
    int | None, typer.Option("--danger", metavar="N", min=0, max=2, help="The Danger Level, 0 to 2.")
]
Shooting = Annotated[
    str,
    typer.Option(
        "--shooters",
        metavar="R/C",
        help="How many Runners and Chasers shoot in every round: 0/1, 1/0 or 1/1.",
    ),
]
HowRunners = Annotated[
    str | None, typer.Option("--runners", metavar="skilled|unskilled", help="How the Runners hide.")
]
HowChasers = Annotated[
    str | None, typer.Option("--chasers", metavar="skilled|unskilled", help="How the Chasers search.")
]
SkillRunners = Annotated[
    str, typer.Option("--skill-runners", metavar="SKILL[:skilled]", help="What the Runners Hide with.")
]
SkillChasers = Annotated[
    str, typer.Option("--skill-chasers", metavar="SKILL[:skilled]", help="What the Chasers search with.")
]
HelpRunners = Annotated[
    list[str] | None,
    typer.Option("--help-runners", metavar="NAME[:skilled]", help="Somebody helps the Runners Hide."),
]
HelpChasers = Annotated[
    list[str] | None,
    typer.Option("--help-chasers", metavar="NAME[:skilled]", help="Somebody helps the Chasers search."),
]
DangerStays = Annotated[bool, typer.Option("--danger-stays", help="Nobody changes the Danger Level.")]


def unskilled_args(runners: str | None, chasers: str | None) -> dict[str, str]:
    """The side that is Unskilled against a Skilled one in a Hide, as an argument. Raises Usage."""
    how = {}
    for side, text in (("runners", runners), ("chasers", chasers)):
        if text not in (None, "skilled", "unskilled"):
            raise Usage(f"--{side}: {text!r} should be skilled or unskilled.")
        how[side] = text == "unskilled"
    without = [side for side, is_so in how.items() if is_so]
    return {"unskilled": without[0]} if len(without) == 1 else {}


def hide_skill(campaign: Campaign, side: str, who: str, text: str) -> dict[str, Any]:
    """A Skill for a Hide, and whether whoever drives is Skilled: as on the sheet, or as said; who has no
    sheet is, unless said. Raises Usage."""
    from strike_cli.systems.core.commands.roll import knows_typed, skill_typed

    from ..resolve import driver_of

    name, sign, how = text.partition(":")
    if not name.strip():
        return {}
    if sign and how not in ("skilled", "unskilled"):
        raise Usage(f"--skill-{side} {text!r}: write SKILL, SKILL:skilled or SKILL:unskilled.")
    driver = who or driver_of(world_of(campaign), side).who
    known = driver in campaign.book.characters
    skill = skill_typed(campaign, driver, name.strip()) if known else name.strip()
    skilled = how == "skilled" if sign else not known or knows_typed(campaign, driver, skill)
    return {"skill": skill, "skilled": skilled}


def hide_help(campaign: Campaign, names: list[str] | None, skill: str) -> dict[str, Any]:
    """Who helps with a Hide, as an argument: Skilled as on their sheets, or as said; where no Skill is named
    everybody is, unless said. Raises Usage."""
    from strike_cli.systems.core.commands.roll import helper_typed

    found = [
        helper_typed(campaign, text if skill or ":" in text else f"{text}:skilled", skill)
        for text in names or []
    ]
    people = [helper["name"] for helper in found]
    twice = next((who for who in people if people.count(who) > 1), "")
    if twice:
        raise Usage(f"{twice} is named twice.", "Each helper rolls once.")
    return {"helpers": found} if found else {}


def shooters_typed(text: str) -> tuple[int, int]:
    """`1/0`: how many of each side shoot. More than one a side would take minutes."""
    found = {"0/0": (0, 0), "0/1": (0, 1), "1/0": (1, 0), "1/1": (1, 1)}.get(text.strip())
    if found is None:
        raise Usage(f"--shooters {text!r} should be RUNNERS/CHASERS.", "0/1, 1/0 or 1/1.")
    return found


def bare_args(action: str, predict: str, range_: str, danger: int, advantage: bool) -> dict[str, Any]:
    """The arguments of a bare round as typed."""
    return {
        "action": action_typed(action),
        "prediction": action_typed(predict),
        "range": range_typed(range_),
        "danger": danger,
        "advantage": advantage,
    }


def action_typed(text: str) -> str:
    """The action that a word means. Raises Usage."""
    from strike_cli.tabletop.people import slug

    from ..tables import actions

    return find_word(slug(text), list(actions()), "action")


def range_typed(text: str) -> str:
    """The range that a word means. Raises Usage."""
    from ..tables import ranges

    return find_word(text.strip().lower(), ranges(), "range")


def side_typed(text: str) -> str:
    """Runners or Chasers. Raises Usage."""
    return find_word(text.strip().lower(), ["runners", "chasers"], "side")


def prepared_as(campaign: Campaign, name: str, any_name: bool) -> str:
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


def anybody(campaign: Campaign, name: str) -> str:
    """The id of a character or creature, or the name itself of anybody else."""
    book = campaign.book
    table = {key: str(item["name"]) for key, item in (*book.creatures.items(), *book.characters.items())}
    for known in (book.characters, table):
        try:
            return find_one(name, {key: table[key] for key in known}, "character or creature", "")
        except Usage:
            continue
    return name


def chase_of(campaign: Campaign) -> dict[str, Any]:
    """The chase, under way or over. Raises Refused where there is none."""
    chase: dict[str, Any] | None = campaign.state.get("chase")
    if not chase:
        raise Refused("There is no chase.", "`strike chase start --runners WHO --chasers WHO` begins one.")
    return chase


def world_of(campaign: Campaign) -> World:
    """The campaign as rules see it."""
    from strike_cli.kernel.procedure import World

    return World(campaign.book, campaign.state)


def names_in(campaign: Campaign, chase: dict[str, Any]) -> dict[str, str]:
    """Everybody in a chase, with how they are called."""
    from strike_cli.tabletop.people import display_name

    world = world_of(campaign)
    return {who: display_name(world, who) for who in (*chase["runners"], *chase["chasers"])}


def member(campaign: Campaign, name: str) -> str:
    """Somebody in the chase. Raises Usage."""
    chase = chase_of(campaign)
    return find_one(name, names_in(campaign, chase), "side with that name: Runner or Chaser", "")
