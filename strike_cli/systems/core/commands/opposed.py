"""`strike roll opposed` and `strike odds opposed`: rolls of two sides against each other."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from copy import copy
from fractions import Fraction
from typing import Annotated, cast

import typer

from strike_cli.kernel.exact_odds import exact_chances
from strike_cli.problems import Usage
from strike_cli.refusals import NotSkilledOrUnskilled
from strike_cli.terminal.argument_completions import WHO, choice_metavar
from strike_cli.terminal.command_output import Result, reasons_in_words
from strike_cli.terminal.commands_and_options import new_app
from strike_cli.terminal.move_commands import Call, MoveCommand, Typed, commands_declared_in, plays
from strike_cli.terminal.odds_view import (
    chances_result_and_chart_file,
    exact_chance_as_json,
    odds_command,
    percent,
)

from ..opposed_rolls import Oppose, ready_both_sides, roll_both_sides
from . import argument_completions
from .roll import (
    ONE_SKILL,
    Changed,
    Ignore,
    Intent,
    New,
    Task,
    TypedSkill,
    extra_skill_args,
    find_character_or_allow_name,
    find_skill_or_allow_typed,
    has_skill_as_typed,
    move_name_words_from_skill_to_person,
    must_be_distinct_people,
    parse_skill_roll_helper,
    without_empty,
)
from .roll_option_name_lookup import resolve_known_names_in_roll_options
from .skill_roll_odds import world_of_call

roll_app = new_app()
odds_app = new_app()

Texts = list[str] | None
Us = Annotated[str, typer.Argument(metavar=WHO.with_text("[WHO]"), help="Our character.")]
OurSkill = Annotated[
    list[str] | None,
    typer.Argument(metavar=argument_completions.SKILL.with_text("[SKILL]"), help="Our Skill."),
    ONE_SKILL,
]
Against = Annotated[
    tuple[str, str] | None, typer.Option(metavar=argument_completions.OPPONENT, help="The other side.")
]
Ours = Annotated[
    str | None, typer.Option(metavar=choice_metavar("skilled", "unskilled"), help="Our training.")
]
Theirs = Annotated[
    str | None, typer.Option(metavar=choice_metavar("skilled", "unskilled"), help="Their training.")
]
Specific = Annotated[
    str,
    typer.Option(metavar=choice_metavar("ours", "theirs"), help="The more specific of two similar Skills."),
]
AdvOurs = Annotated[Texts, typer.Option("--adv-ours", "--adv", metavar="REASON", help="Advantage for us.")]
DisOurs = Annotated[Texts, typer.Option("--dis-ours", "--dis", metavar="REASON", help="Disadvantage for us.")]
AdvTheirs = Annotated[Texts, typer.Option(metavar="REASON", help="Advantage for them.")]
DisTheirs = Annotated[Texts, typer.Option(metavar="REASON", help="Disadvantage for them.")]
ModOurs = Annotated[
    list[int] | None, typer.Option("--mod-ours", "--mod", metavar="N", help="A flat modifier to our roll.")
]
ModTheirs = Annotated[list[int] | None, typer.Option(metavar="N", help="A flat modifier to their roll.")]
HelpOurs = Annotated[
    Texts,
    typer.Option("--help-ours", "--help-from", metavar=WHO.with_text("NAME[:skilled]"), help="Our helper."),
]
HelpTheirs = Annotated[Texts, typer.Option(metavar=WHO.with_text("NAME[:skilled]"), help="Their helper.")]
TagOurs = Annotated[
    Texts,
    typer.Option(
        "--tag-ours",
        "--tag",
        metavar=argument_completions.TAG,
        help="The kind of our roll: physical, social, ...",
    ),
]
TagTheirs = Annotated[
    Texts, typer.Option("--tag-theirs", metavar=argument_completions.TAG, help="The kind of their roll.")
]
UsingOurs = Annotated[
    str,
    typer.Option(
        "--using-ours", "--using", metavar=argument_completions.ITEM, help="Our item; its Flaws count."
    ),
]
UsingTheirs = Annotated[str, typer.Option(metavar=argument_completions.ITEM, help="Their item.")]
AskingOurs = Annotated[
    str,
    typer.Option(
        "--asking-ours",
        "--asking",
        metavar=argument_completions.CREDITOR,
        help="The person we ask; Favors owed to them count.",
    ),
]
AskingTheirs = Annotated[
    str, typer.Option(metavar=argument_completions.CREDITOR, help="The person they ask.")
]
MakeshiftOurs = Annotated[
    bool, typer.Option("--makeshift-ours", "--makeshift", help="Our shoddy tools: Disadvantage.")
]
MakeshiftTheirs = Annotated[bool, typer.Option("--makeshift-theirs", help="Their shoddy tools.")]
AlsoOurs = Annotated[
    str,
    typer.Option(
        "--also-ours",
        "--also",
        metavar=argument_completions.SKILL,
        help="Another Skill helps us: Advantage for 1 AP.",
    ),
]
AlsoTheirs = Annotated[
    str, typer.Option(metavar=argument_completions.SKILL, help="Another Skill helps them.")
]
UseOurs = Annotated[
    Texts,
    typer.Option("--use-ours", "--use", metavar=argument_completions.BONUS, help="Spend our banked bonus."),
]
UseTheirs = Annotated[
    Texts, typer.Option(metavar=argument_completions.BONUS, help="Spend their banked bonus.")
]


OPTIONS_OF_EACH_SIDE = ("adv", "dis", "tags", "using", "asking", "makeshift", "also", "use")
"""The options of a Skill Roll that exist for each side, as `adv_ours`, `adv_theirs` and so on."""


SIDED_OPTION = re.compile("--.+-(ours|theirs)")
"""Options that name a side."""


class OpposedRollCommand(MoveCommand):
    """The class of the command for an Opposed Roll.

    A typed line begins with the words of our side. After --against come the opponent's name and the
    opponent's Skill, which needs no quotes. Many options exist once for each side, such as `--adv-ours` and
    `--adv-theirs`. The help leaves these out, and lists only the plain option, such as `--adv`.
    """

    def format_help(self, ctx, formatter):  # type: ignore[no-untyped-def]  # classes of Typer that are private
        """Write the help. Option names that end in the name of a side are left out."""
        shown = copy(self)
        shown.params = []
        for each in self.params:
            listed = copy(each)
            listed.opts = [name for name in each.opts if not SIDED_OPTION.fullmatch(name)]
            shown.params += [listed] if listed.opts else []
        MoveCommand.format_help(shown, ctx, formatter)  # type: ignore[no-untyped-call]  # as above

    def join_unquoted_texts(self, ctx: typer.Context, args: Sequence[str]) -> list[str]:
        """Return the typed words, with the opponent's Skill joined into one word.

        The opponent and the opponent's Skill come after `--against`. The Skill may consist of several words
        without quotes. It ends at the next option.
        """
        words = super().join_unquoted_texts(ctx, args)
        at = words.index("--against") if "--against" in words[1:] else len(words)
        options = self.which_options_take_value(ctx)
        end = next((n for n in range(at + 1, len(words)) if words[n] in options), len(words))
        if end - at > 3 and not words[0].startswith("-"):
            words[at + 2 : end] = [" ".join(words[at + 2 : end])]
        return words


@roll_app.callback()
@odds_app.callback()
def _opposed_group_callback() -> None:
    """Make an Opposed Roll."""


@plays(
    roll_app,
    "opposed",
    "roll opposed",
    cls=OpposedRollCommand,
    dice="ours, then our helpers', then theirs, then their helpers'",
)
def roll_opposed(
    call: Call,
    who: Us = "",
    skill: OurSkill = None,
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
    tags_ours: TagOurs = None,
    tags_theirs: TagTheirs = None,
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
    new: New = False,
) -> dict[str, object]:
    """Make an Opposed Roll: the side with the higher total wins (STR-CORE-16).

    A win by three or more is complete. After a closer win, the loser chooses what to salvage. In a tie,
    either side can use a Complication to lose on purpose, and gains an Action Point. If exactly one side is
    Unskilled, it has Disadvantage. If the two Skills are similar, the more general one has Disadvantage.
    Helpers raise their side's total, as in a Skill Roll. Either roller can be somebody new. Options such as
    --adv are for our side. The same options for the other side end in -theirs: `--adv-theirs "the high
    wall"`.

    Example: `strike roll opposed vex Sneaking --against warden Watching --theirs skilled --help-from brann`
    """
    them = _checked_opponent_and_skill(against)
    sides = {
        "ours": _side_args(call, "ours", (who, str(skill or "")), ours),
        "theirs": _side_args(call, "theirs", them, theirs),
    }
    return _opposed_args(call, sides, specific, ignore)


def _opposed_args(
    call: Call, sides: dict[str, dict[str, object]], specific: str, ignore: list[str] | None
) -> dict[str, object]:
    if specific not in ("", "ours", "theirs"):
        raise Usage(f"--specific: {specific!r} should be ours or theirs.")
    if specific:  # the side with the more general Skill counts as Unskilled
        sides["theirs" if specific == "ours" else "ours"]["skilled"] = False
    helpers = [
        str(helper["name"])
        for side in sides.values()
        for helper in cast("Sequence[Mapping[str, object]]", side.get("helpers", ()))
    ]
    people = [cast("str", side["who"]) for side in sides.values() if side["who"]]
    left_out = resolve_known_names_in_roll_options(
        call.campaign, people, without_empty(ignore=ignore), helpers
    )
    for side in sides.values():
        person = cast("str", side["who"])
        if call.campaign is not None:
            must_be_distinct_people(person, helpers)
        side |= (
            resolve_known_names_in_roll_options(call.campaign, [person] if person else [], side) | left_out
        )
    return {"who": sides["ours"]["who"], **sides}


def _checked_opponent_and_skill(against: tuple[str, str] | None) -> tuple[str, str]:
    """Return the opponent and the opponent's Skill, both "" if none was typed.

    Raises Usage if an option was typed in place of the Skill.
    """
    if against is None:
        return "", ""
    if against[1].startswith("-"):
        raise Usage(
            f"--against {against[0]}: their Skill is missing.", "`--against brann Watching`, or '' for none."
        )
    return against


def _side_args(
    call: Call, side: str, person_and_skill: tuple[str, str], training: str | None
) -> dict[str, object]:
    """Return the arguments for one side of an Opposed Roll.

    `person_and_skill` has the person and the Skill as typed. The person is looked up in the campaign, and the
    Skill on the person's sheet.
    """
    campaign, typed = call.campaign, call.typed
    if training not in (None, "skilled", "unskilled"):
        raise NotSkilledOrUnskilled(side, repr(training))
    person_and_skill = move_name_words_from_skill_to_person(campaign, *person_and_skill)
    person, known = find_character_or_allow_name(
        campaign, person_and_skill[0], improvised=person_and_skill[1], new="new" in typed
    )
    say = f"--{side} unskilled"
    meant = training is not None
    found = TypedSkill(person_and_skill[1])
    if known:
        found = find_skill_or_allow_typed(
            campaign, person, person_and_skill[1], training_is_stated=meant, may_ask=call.can_ask, option=say
        )
    skill = found.name
    # Somebody without a sheet counts as Skilled unless told otherwise, so that two strangers roll evenly.
    skilled = (
        training == "skilled"
        if training
        else (has_skill_as_typed(campaign, person, skill) if known and skill else True)
    )
    bearing = {key: typed[f"{key}_{side}"] for key in OPTIONS_OF_EACH_SIDE if f"{key}_{side}" in typed}
    bearing |= extra_skill_args(campaign, person, call.text_of(f"also_{side}"), known=known)
    return {
        "who": person,
        **found.args_without_training,
        "skilled": skilled,
        "known": known,
        "adv": [],
        "dis": [],
        **bearing,
        **without_empty(
            mods=[[value, "modifier"] for value in call.values_of(f"mod_{side}")],
            helpers=[
                parse_skill_roll_helper(campaign, text, skill) for text in call.texts_of(f"help_{side}")
            ],
        ),
    }


@odds_command(
    odds_app,
    "opposed",
    commands_declared_in(roll_app)["opposed"],
    excluded=("task", "intent", "changed"),
    cls=OpposedRollCommand,
)
def odds_opposed(call: Call, args: Typed, svg: str | None) -> Result:
    """Show the exact chance to win, lose or tie an Opposed Roll, by margin.

    Example: `strike odds opposed --ours skilled --theirs unskilled`
    """
    world = world_of_call(call)
    ready = ready_both_sides(world, Oppose.read(args))
    # Only the dice: the whole move would take seconds with Unskilled helpers on both sides.
    found = exact_chances(
        lambda: (roll_both_sides(*ready), None), lambda roll: (roll.winner, roll.margin, roll.complete)
    )

    def margin_of_their_win(item: tuple[tuple[str | None, int, bool], Fraction]) -> int:
        (winner, margin, _), _ = item
        return margin if winner == "theirs" else -margin

    rows = [
        (
            {"winner": winner, "margin": margin, "complete": complete},
            "A tie"
            if winner is None
            else f"{'We' if winner == 'ours' else 'They'} win by {margin}"
            + (", completely" if complete else ""),
            chance,
        )
        for (winner, margin, complete), chance in sorted(found.items(), key=margin_of_their_win)
    ]
    result = chances_result_and_chart_file("odds opposed", args, rows, svg)
    sides: tuple[str | None, ...] = ("ours", "theirs", None)
    wins = {
        side: sum((chance for key, _, chance in rows if key["winner"] == side), Fraction()) for side in sides
    }
    result.data["win"] = {side or "tie": exact_chance_as_json(chance) for side, chance in wins.items()}
    result.blocks.append(
        f"We win {percent(wins['ours'])}, they win {percent(wins['theirs'])}, a tie {percent(wins[None])}."
    )
    for side, one in zip(("Ours", "Theirs"), ready, strict=True):
        if reasons := reasons_in_words(one.roll_reasons.reasons_as_json(world)):
            result.blocks.append((f"{side}: {reasons}", "dim"))
    return result
