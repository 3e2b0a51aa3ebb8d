"""Parsers of the words that commands of chases take, with the words that Tab offers for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from strike_cli.kernel.procedure import World
from strike_cli.problems import Usage
from strike_cli.refusals import NotSkilledOrUnskilled
from strike_cli.tabletop.characters_and_names import display_name, slug
from strike_cli.terminal.argument_completions import Metavar, choice_metavar
from strike_cli.terminal.move_commands import Typed, WordParser
from strike_cli.terminal.name_lookup import (
    find_id_by_name,
    find_id_if_any,
    find_word,
    people_still_in_scene_suggester,
    short_content_id_suggester,
)

from ..moves_without_dice import must_find_chase
from ..rule_tables import CHASERS, DANGER_CHANGES, RUNNERS, SIDES, actions, ranges

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign

PREPARED = Metavar("NAME", short_content_id_suggester("chases"))
"""A prepared chase."""
ACTION_NOUN = Metavar("ACTION", words=actions)
"""An action of a round."""
_WHICH = "flee, hide, double-back, set-up or risk."

ACTION = WordParser(lambda call, text: find_word(slug(text), list(actions()), "action"))
RANGE = WordParser(lambda call, text: find_range(text))
CHANGE = WordParser(lambda call, text: _parse_danger_change(text))
SIDE = WordParser(lambda call, text: find_word(text.strip().lower(), SIDES, "side"))
MEMBER = WordParser(lambda call, name: _find_person_in_chase(call.required_campaign, name))

Action = Annotated[
    list[str],
    typer.Argument(metavar=ACTION_NOUN, help=_WHICH),
    WordParser(lambda call, texts: ACTION.read(call, " ".join(texts))),
]
ActionOption = Annotated[str, typer.Option("--action", metavar=ACTION_NOUN, help=_WHICH), ACTION]
PredictionOption = Annotated[
    str, typer.Option("--predict", metavar=ACTION_NOUN, help="The Chasers' prediction."), ACTION
]
Range = Annotated[
    str | None,
    typer.Option("--range", metavar=choice_metavar("close", "medium", "far"), help="The range."),
    RANGE,
]
Danger = Annotated[
    int | None, typer.Option("--danger", metavar="N", min=0, max=2, help="The Danger Level, 0 to 2.")
]
RunnersAdv = Annotated[
    bool, typer.Option("--runners-adv", help="The Runners have Advantage from their last move.")
]
RunnersTraining = Annotated[
    str | None,
    typer.Option(
        "--runners", metavar=choice_metavar("skilled", "unskilled"), help="The Runners' training for a Hide."
    ),
]
ChasersTraining = Annotated[
    str | None,
    typer.Option(
        "--chasers",
        metavar=choice_metavar("skilled", "unskilled"),
        help="The Chasers' training for the search.",
    ),
]
Shooting = Annotated[
    str,
    typer.Option(
        "--shooters",
        metavar="R/C",
        help="How many Runners and Chasers shoot in every round: 0/1, 1/0 or 1/1.",
    ),
]
DangerStays = Annotated[bool, typer.Option("--danger-stays", help="Nobody changes the Danger Level.")]
Who = Annotated[
    str,
    typer.Argument(
        metavar=Metavar("WHO", people_still_in_scene_suggester("chase")), help="Somebody in the chase."
    ),
    MEMBER,
]
At = Annotated[
    str, typer.Option("--at", metavar=choice_metavar("runners", "chasers"), help="The target."), SIDE
]


def find_range(text: str) -> str:
    """Return the range that a word means. Raises Usage for an unknown word."""
    return find_word(text.strip().lower(), ranges(), "range")


def _parse_danger_change(text: str) -> int:
    if (by := DANGER_CHANGES.get(text.strip().lower())) is None:
        raise Usage(f"{text!r}: change the Danger Level how?", "Write up, down or keep.")
    return by


# The chase under way


def world_of(campaign: Campaign) -> World:
    """Return the world of a campaign: its book with its present state."""
    return World(campaign.book, campaign.state)


def _find_person_in_chase(campaign: Campaign, name: str) -> str:
    world = world_of(campaign)
    chase = must_find_chase(world)
    names = {person: display_name(world, person) for side in SIDES for person in chase[side]}
    return find_id_by_name(name, names, "side with that name: Runner or Chaser", "")


# Names before a chase begins


def find_prepared_chase_id(campaign: Campaign, name: str, allow_unknown: bool) -> str:
    """Return the id of the prepared chase that a name means.

    For an unknown name it is "" if `allow_unknown` is true; otherwise Usage is raised.
    """
    table = {key: str(item["name"]) for key, item in campaign.book.chases.items()}
    try:
        return find_id_by_name(name, table, "chase", f" in {campaign.book.name}") if name else ""
    except Usage:
        if allow_unknown:
            return ""
        raise


def find_team_or_keep_names(campaign: Campaign, typed: Sequence[str]) -> list[str]:
    """Return the ids of the characters and creatures that were typed for a side.

    A word is a name, or several names with commas. Unknown names are returned as they are.
    """
    book = campaign.book
    characters, creatures = (
        {key: str(item["name"]) for key, item in table.items()} for table in (book.characters, book.creatures)
    )
    names = [word.strip() for text in typed for word in text.split(",") if word.strip()]
    return [
        _find_id_or_none(name, characters) or _find_id_or_none(name, creatures | characters) or name
        for name in names
    ]


def _find_id_or_none(name: str, table: dict[str, str]) -> str | None:
    try:
        return find_id_if_any(name, table)
    except Usage:
        return None


# How a Hide is rolled


def parse_only_unskilled_side(runners: str | None, chasers: str | None) -> str:
    """Return the side that is Unskilled in a Hide while the other is Skilled; "" if there is none.

    Raises Usage for words other than skilled and unskilled.
    """
    typed = {RUNNERS: runners, CHASERS: chasers}
    for side, text in typed.items():
        if text not in (None, "skilled", "unskilled"):
            raise NotSkilledOrUnskilled(side, repr(text))
    without = [side for side in SIDES if typed[side] == "unskilled"]
    return without[0] if len(without) == 1 else ""


def driver_args(
    campaign: Campaign,
    side: str,
    person: str,
    adv: list[str] | None,
    dis: list[str] | None,
    mods: list[int] | None,
    skill: str,
    helpers: list[str] | None,
) -> Typed:
    """Return the typed options about a side's driver as arguments. Raises Usage if one is wrong."""
    from strike_cli.systems.core.commands.roll import parse_skill_roll_helper

    said: Typed = {"who": person, "adv": adv, "dis": dis}
    said["mods"] = [[value, "modifier"] for value in mods or ()]
    said |= _skill_args(campaign, side, person, skill)
    # Where no Skill is named every helper is Skilled, unless the text says otherwise.
    named = str(said.get("skill", ""))
    said["helpers"] = [
        parse_skill_roll_helper(campaign, one if named or ":" in one else f"{one}:skilled", named)
        for one in helpers or ()
    ]
    return {what: value for what, value in said.items() if value not in ("", None, [])}


def _skill_args(campaign: Campaign, side: str, person: str, text: str) -> Typed:
    """Return the arguments for the Skill that was typed for a Hide, or none if no Skill was typed.

    The argument `skilled` is whether the driver has the Skill. The user may type `SKILL:skilled` or
    `SKILL:unskilled`. Otherwise the sheet decides, and a driver without a sheet is Skilled. Raises Usage for
    another word after the colon.
    """
    from strike_cli.systems.core.commands.roll import find_skill_or_allow_typed, has_skill_as_typed

    from ..round_under_way import free_driver_of

    name, sign, how = text.partition(":")
    if not name.strip():
        return {}
    if sign and how not in ("skilled", "unskilled"):
        raise Usage(f"--skill-{side} {text!r}: write SKILL, SKILL:skilled or SKILL:unskilled.")
    driver = person or free_driver_of(world_of(campaign), side).who
    known = driver in campaign.book.characters
    say = f"--skill-{side} {name.strip()!r}:unskilled"
    typed = find_skill_or_allow_typed(
        campaign if known else None, driver, name.strip(), training_is_stated=bool(sign), option=say
    )
    skilled = how == "skilled" if sign else not known or has_skill_as_typed(campaign, driver, typed.name)
    return {**typed.args_without_training, "skilled": skilled}
