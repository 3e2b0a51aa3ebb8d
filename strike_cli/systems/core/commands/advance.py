"""`strike advance`: level-ups, new Tricks and Complications, and replacing old ones."""

from __future__ import annotations

from typing import Annotated

import typer

from strike_cli.terminal.argument_completions import FREE
from strike_cli.terminal.command_output import Block, NumberHeading, Result, Span, Table
from strike_cli.terminal.commands_and_options import Options, command, new_app
from strike_cli.terminal.move_commands import plays
from strike_cli.terminal.name_lookup import find_character_by_name_or_player

from . import argument_completions
from .argument_completions import Who

app = new_app("""Advancement (STR-CORE-31 to 33): how characters grow and change.

    The first level-up brings a Fallback, each later one a Trick or a Complication. A Skill used six times
    brings a Trick, ten uses of Complications bring a Complication: `strike advance show` counts. All of
    it goes to state.toml; campaign.toml stays as you wrote it.

    Example: `strike advance show vex`
    """)

_GIVEN_UP = "The old one, or the beginning of its name."
OldTrick = Annotated[str, typer.Argument(metavar=argument_completions.TRICK.with_text("OLD"), help=_GIVEN_UP)]
OldComplication = Annotated[
    str, typer.Argument(metavar=argument_completions.COMPLICATION.with_text("OLD"), help=_GIVEN_UP)
]
Old = Annotated[str, typer.Argument(metavar=argument_completions.TRAIT.with_text("OLD"), help=_GIVEN_UP)]
New = Annotated[str, typer.Argument(metavar="NEW", help="The new one, in quotes.")]
NewSkill = Annotated[
    str,
    typer.Option(
        "--skill",
        metavar=argument_completions.SKILL,
        help="The Skill of the new Trick. Default: the old one's.",
    ),
]


@command(app, "show", kind="reads")
def show(options: Options, who: Who) -> Result:
    """Show a character's gains and counters.

    Example: `strike advance show vex`
    """
    from strike_cli.kernel.procedure import World
    from strike_cli.tabletop.characters_and_names import fallback_of, skills_and_connections_of

    from ..points_tricks_and_fallback import (
        complication_uses_and_earned,
        has_unused_fallback,
        trick_uses_counted_up_to_limit,
    )
    from ..skill_roll import uses_towards_trick
    from ..skills_tricks_and_complications import present_tricks_of

    with options.open_campaign() as campaign:
        one = find_character_by_name_or_player(campaign, who)
        world, house = World(campaign.book, campaign.state), campaign.book.house
        levels = world.get(f"characters.{one}.levels", 0)
        fallback, ready = fallback_of(world, one), has_unused_fallback(world, one)
        skills = {
            skill: uses_towards_trick(world, one, skill) for skill in skills_and_connections_of(world, one)
        }
        tricks = {
            trick.name: trick_uses_counted_up_to_limit(world, one, trick)
            for trick in present_tricks_of(world, one)
        }
        towards, earned = complication_uses_and_earned(world, one)
        need, most = house["skill_uses_for_trick"], house["trick_uses"]
        of_complications = house["complication_uses"]
        rows: list[list[Span]] = []
        for skill, uses in skills.items():
            if uses:
                full: Span = ("brings a Trick", "good") if uses >= need else ""
                rows.append(["Skill", (skill, "name"), f"{uses} of {need}", full])
        rows += [["Trick", (name, "name"), f"{uses} of {most}", ""] for name, uses in tricks.items() if uses]
        got: Span = (f"{earned} earned and not chosen yet", "good") if earned else ""
        rows.append(["Complications", ("all together", "dim"), f"{towards} of {of_complications}", got])
        used = "" if ready or not fallback else " (used this session)"
        lines: list[Block] = [
            [(campaign.book.characters[one]["name"], "strong"), f", level-ups: {levels}"],
            [("Fallback: ", "dim"), f"{fallback}{used}" if fallback else "the first level-up brings it"],
            Table(["Counter", "", NumberHeading("Uses"), ""], rows),
        ]
        data = {
            "who": one,
            "levels": levels,
            "fallback": fallback,
            "fallback_ready": ready,
            "skills": [{"name": name, "uses": uses, "of": need} for name, uses in skills.items()],
            "tricks": [{"name": name, "uses": uses, "of": most} for name, uses in tricks.items()],
            "complications": {"uses": towards, "of": of_complications, "earned": earned},
        }
        return Result("advance show", data, lines, notices=campaign.notices)


@plays(app, "level-up", "advance level-up", kind="writes")
def level_up(
    who: Who,
    fallback: Annotated[
        str, typer.Option("--fallback", metavar="TEXT", help="The first time: their Fallback.")
    ] = "",
    trick: Annotated[str, typer.Option("--trick", metavar=FREE, help="Later: a new Trick.")] = "",
    skill: Annotated[
        str, typer.Option("--skill", metavar=argument_completions.SKILL, help="The Skill of that Trick.")
    ] = "",
    complication: Annotated[
        str, typer.Option("--complication", metavar=FREE, help="Later: a new Complication instead.")
    ] = "",
    consent: Annotated[bool, typer.Option("--consent", help="The group agrees to the Complication.")] = False,
) -> None:
    """Level up a character. The first time they gain a Fallback, later a Trick or a Complication.

    A Fallback is something broad that helps in any trouble. Once a session, it turns a Twist into a Success:
    `strike fallback`. For a Trick, give --trick and --skill. For a Complication, give --complication, and
    --consent to say that the group agrees.

    Example: `strike advance level-up vex --fallback "meticulous planning"`
    """


@plays(app, "trick", "advance trick", kind="writes")
def trick(
    who: Who,
    name: Annotated[str, typer.Argument(metavar=FREE, help="The new Trick, in quotes.")],
    skill: Annotated[
        str,
        typer.Option(
            "--skill",
            metavar=argument_completions.SKILL,
            help="The Skill used often enough.",
            show_default=False,
        ),
    ],
) -> None:
    """Add the Trick that a character has earned by using a Skill often enough (usually six times).

    The Trick is a narrow use of the Skill. Then the count of uses starts again.

    Example: `strike advance trick vex "Up the drainpipe" --skill Climbing`
    """


@plays(app, "complication", "advance complication", kind="writes")
def complication(
    who: Who,
    name: Annotated[str, typer.Argument(metavar=FREE, help="The new Complication, in quotes.")],
    consent: Annotated[
        bool, typer.Option("--consent", help="The story brings it, and the whole group agrees.")
    ] = False,
) -> None:
    """Add the Complication earned by ten uses of Complications.

    With --consent the story brings it, and no uses are spent.

    Example: `strike advance complication vex "The toll captain knows her face" --consent`
    """


@plays(app, "swap-trick", "advance swap-trick", kind="writes")
def swap_trick(
    who: Who,
    old: OldTrick,
    new: New,
    skill: NewSkill = "",
    consent: Annotated[bool, typer.Option("--consent", help="Everybody at the table agrees.")] = False,
) -> None:
    """Swap a Trick for another that fits the story. Needs everybody's consent (STR-CORE-33).

    Example: `strike advance swap-trick brann "The river" "Knots hold" --skill Boating --consent`
    """


@plays(app, "swap-complication", "advance swap-complication", kind="writes")
def swap_complication(who: Who, old: OldComplication, new: New) -> None:
    """Swap a Complication for another (STR-CORE-33).

    The owner of the Complication decides when the swap fits the story.

    Example: `strike advance swap-complication odo Defrocked "Reinstated, and watched"`
    """


@plays(app, "replace", "advance replace", kind="writes")
def replace(who: Who, old: Old, new: New, skill: NewSkill = "") -> None:
    """Replace a Trick or Complication that no longer makes sense; nobody has to agree.

    Example: `strike advance replace sela "The unfinished map" "The map is finished, and wrong"`
    """
