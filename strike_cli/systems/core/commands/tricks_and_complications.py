"""`strike trick` and `strike complication`: using Tricks and Complications (STR-CORE-22 to 24)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from strike_cli.terminal.argument_completions import choice_metavar
from strike_cli.terminal.command_output import Block, NumberHeading, Result, Span, Table
from strike_cli.terminal.commands_and_options import Options, command, new_app
from strike_cli.terminal.move_commands import plays
from strike_cli.terminal.name_lookup import find_character_by_name_or_player

from . import argument_completions
from .argument_completions import Who

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign
    from strike_cli.play.command_execution import PerformedCommand


app = new_app("""Tricks (STR-CORE-22, 23): narrow uses of a Skill that succeed for an Action Point.

    Characters start with two and gain more: `strike advance --help`.

    Example: `strike trick use vex "A lock is only a question"`
    """)


@plays(app, "use", "trick use", kind="writes")
def use(
    who: Who,
    trick: Annotated[
        str,
        typer.Argument(metavar=argument_completions.TRICK, help="The Trick, or the beginning of its name."),
    ],
) -> None:
    """Use a Trick: spend 1 Action Point for a Success with a Bonus, without rolling dice.

    Refused if the character has no Action Point, or has Lost Confidence in the Trick's Skill.

    Example: `strike trick use vex "a lock"`
    """


@command(app, "list", kind="reads")
def list_(options: Options, who: Who) -> Result:
    """List a character's Tricks: how often each was used, and what it does or why it can't be used now.

    Example: `strike trick list vex`
    """
    from strike_cli.kernel.procedure import World
    from strike_cli.tabletop.characters_and_names import action_points

    from ..points_tricks_and_fallback import doubt_barring_trick_in_words, trick_uses_counted_up_to_limit
    from ..skills_tricks_and_complications import present_tricks_of

    with options.open_campaign() as campaign:
        one = find_character_by_name_or_player(campaign, who)
        world = World(campaign.book, campaign.state)
        name, ap = campaign.book.characters[one]["name"], action_points(world, one)
        most = campaign.book.house["trick_uses"]
        rows: list[list[Span]] = []
        data = []
        for trick in present_tricks_of(world, one):
            blocked = doubt_barring_trick_in_words(world, one, trick)
            uses = trick_uses_counted_up_to_limit(world, one, trick)
            data.append(
                {
                    "name": trick.name,
                    "skill": trick.skill,
                    "text": trick.text,
                    "uses": uses,
                    "of": most,
                    "blocked": blocked,
                }
            )
            note: Span = (f"Not now: {blocked}", "warn") if blocked else trick.text or ("-", "dim")
            rows.append([(trick.name, "name"), trick.skill or ("-", "dim"), str(uses), note])
        count = "1 Action Point" if ap == 1 else f"{ap} Action Points"
        blocks: list[Block] = [
            [(name, "strong"), f" has {count}; a Trick costs one."],
            Table(["Trick", "Skill", NumberHeading("Used"), "Effect"], rows)
            if rows
            else ("No Tricks.", "dim"),
        ]
        return Result("trick list", {"who": one, "ap": ap, "tricks": data}, blocks, notices=campaign.notices)


complications = new_app(
    """Complications (STR-CORE-24): how characters get into trouble, and earn Action Points by it.

    Only the owner decides when one comes up; the game master never gives Disadvantage for it. A Condition, a
    Flaw or a Favor can also serve as one.

    Example: `strike complication use vex "Wanted in Harrowgate" --how trouble`
    """
)


def _hint_to_choose_new_complication(campaign: Campaign | None, performed: PerformedCommand) -> list[Block]:
    """Return a line with the command that chooses a new Complication, or no line if none is earned."""
    if not performed.data or not performed.data["earned"]:
        return []
    choose = f"strike advance complication {performed.data['who']} NAME"
    return [[("A new one is earned: ", "dim"), (choose, "command")]]


@plays(complications, "use", "complication use", kind="writes", show=_hint_to_choose_new_complication)
def take_complication(
    who: Who,
    complication: Annotated[
        str,
        typer.Argument(
            metavar=argument_completions.COMPLICATION,
            help="The Complication, or one of their Conditions, Flaws or Favors; its beginning is enough.",
        ),
    ],
    how: Annotated[
        str,
        typer.Option(
            "--how",
            metavar=choice_metavar("tie", "twist", "trouble", "concede"),
            help="Its effect; see above.",
            show_default=False,
        ),
    ],
) -> None:
    """Use a Complication: it makes trouble for its owner, who gains an Action Point.

    There are four ways.

    `tie`: an Opposed tie goes to the opponent. `twist`: a Twist in place of a roll. `trouble`: trouble where
    no roll was called for. `concede`: the party concedes a Team Conflict because of it.

    Uses are counted; at ten a new Complication is earned: `strike advance complication`.

    Example: `strike complication use sela "Corrects people" --how twist`
    """


@command(complications, "list", kind="reads")
def list_complications(options: Options, who: Who) -> Result:
    """List a character's Complications, and the Conditions, Flaws and Favors that can serve as one.

    Example: `strike complication list vex`
    """
    from strike_cli.kernel.procedure import World

    from ..points_tricks_and_fallback import complication_uses_and_earned, complications_and_substitutes

    with options.open_campaign() as campaign:
        one = find_character_by_name_or_player(campaign, who)
        world = World(campaign.book, campaign.state)
        found = complications_and_substitutes(world, one)
        towards, earned = complication_uses_and_earned(world, one)
        need = campaign.book.house["complication_uses"]
        rows: list[list[Span]] = [
            [(item.name, "name"), item.kind.capitalize(), item.text or ("-", "dim")] for item in found
        ]
        chosen = f", and {earned} earned and not chosen yet" if earned else ""
        blocks: list[Block] = [
            Table(["Name", "Kind", "More"], rows) if rows else ("No Complications.", "dim"),
            (f"Used {towards} of {need} times towards a new one{chosen}.", "dim"),
        ]
        data = {
            "who": one,
            "complications": [{"name": item.name, "kind": item.kind, "text": item.text} for item in found],
            "uses": towards,
            "of": need,
            "earned": earned,
        }
        return Result("complication list", data, blocks, notices=campaign.notices)
