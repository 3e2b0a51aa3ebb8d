"""`strike conflict act`: team members' actions for a round, and rolls for secondary goals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, cast

import typer

from strike_cli.kernel.procedure import World
from strike_cli.problems import Refused, Usage, listed
from strike_cli.systems.core.commands.argument_completions import ANY_SKILL, ITEM
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
    extra_skill_args,
    find_skill_or_allow_typed,
    must_be_distinct_people,
    parse_skill_roll_helper,
    without_empty,
)
from strike_cli.systems.core.commands.roll_option_name_lookup import resolve_known_names_in_roll_options
from strike_cli.terminal.argument_completions import FREE, choice_metavar
from strike_cli.terminal.command_output import Result, performed_result
from strike_cli.terminal.commands_and_options import TEXTS, Options, StrikeCommand, command, new_app
from strike_cli.terminal.move_commands import play_move
from strike_cli.terminal.name_lookup import find_character_by_name_or_player
from strike_cli.terminal.roll_and_chart_options import Adv, Dis, Mod

from . import argument_parsers
from .argument_parsers import Instead, Next, Recover, Who, has_players_on_both_sides, parse_roll_name

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign

app = new_app()


@app.callback()
def _act_group_callback() -> None:
    """Choose what a member of a team does."""


Action = Annotated[
    list[str] | None,
    typer.Argument(
        metavar=argument_parsers.ACTION.with_text("[ACTION]"),
        help="progress, block, calculated-risk ..., or pass.",
    ),
]
Skill = Annotated[str, typer.Option(metavar=ANY_SKILL, help="The Skill for it; basic actions need none.")]
Using = Annotated[str, typer.Option(metavar=ITEM, help="An item to use; its Flaws count.")]
Secondary = Annotated[
    str,
    typer.Option(
        metavar=choice_metavar("advance", "defense"),
        help="In place of an action: roll --skill for a side goal.",
    ),
]
Unskilled = Annotated[
    bool, typer.Option("--unskilled", help="With --secondary: allow a Skill that is on no sheet.")
]


class SeveralActorsCommand(StrikeCommand):
    """A command line that names one or more actors, each with options of their own.

    The actors are separated by commas.
    """

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]  # Typer passes its own
        """Parse the first actor's words as the command's own, and return the words left over.

        `ctx.params["others"]` gets the parsed parameters of each further actor. Options that all commands
        have may stand in any actor's part.
        """
        first, *others = self._split_actors_at_commas(ctx, args)
        left = super().parse_args(ctx, first)
        more = [self.make_context(ctx.info_name, words, parent=ctx.parent).params for words in others]
        for each in more:  # common options may be typed in any actor's part
            ctx.params |= {key: each[key] for key in each if key.startswith("common_") and each[key]}
        ctx.params["others"] = more
        return left

    def _split_actors_at_commas(self, ctx: typer.Context, args: Sequence[str]) -> list[list[str]]:
        found: list[list[str]] = [[]]
        for place, word in enumerate(args):
            if word in TEXTS and self.which_options_take_value(ctx).get(
                word
            ):  # free text goes up to the end of the line
                found[-1] += args[place:]
                break
            if word.rstrip(","):
                found[-1].append(word.rstrip(","))
            if word.endswith(","):
                found.append([])
        return [words for words in found if words] or [[]]


@command(app, "act", cls=SeveralActorsCommand)
def act(
    options: Options,
    who: Who,
    action: Action = None,
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
    others: Annotated[list[str] | None, typer.Option("--others-of-line", hidden=True, metavar=FREE)] = None,
) -> Result:
    """Choose a team member's action for this round (STR-TC-02, 13).

    You can change the choice until the dice are rolled. If players are on both sides, choices are secret. To
    choose for several members, put commas between them: `act vex progress, brann block, odo calculated risk
    --skill Haggling`.

    Basic actions, without a Skill: progress, reckless-effort, block, take-one-for-the-team, pass.

    Actions with a Skill: all-out-effort, calculated-risk, win-at-all-costs, targeted-effort, total-defense,
    prepare, observe, recover. If players are on both sides, there is also obscure. In a round, at most two
    members of a team can choose the same one of these actions.

    With --secondary, the member pursues another goal, and rolls the Skill for it at once. The roll has the
    options of `strike roll skill`. The member still adds 1 to the team's roll.

    Example: `strike conflict act vex calculated-risk --skill Climbing`
    """
    typed = {key: value for key, value in locals().items() if key not in ("options", "others")}
    with options.open_campaign(writing=True) as campaign:
        options.secret = options.secret or has_players_on_both_sides(campaign)
        moves = [_parse_move_of_actor(options, campaign, each) for each in (typed, *(others or ()))]
        if len(moves) == 1:
            return _play_and_report(options, campaign, *moves[0])
        if any(move != ACT for move, _ in moves):
            raise Usage("A secondary goal is rolled.", "It needs a line of its own, with --secondary.")
        return _play_and_report(options, campaign, "conflict acts", {"acts": [args for _, args in moves]})


ACT = "conflict act"
OPTIONS_BESIDES_ROLL = frozenset(
    ["who", "action", "skill", "using", "secondary", "unskilled", "recover", "next_", "instead", "others"]
)
"""The options that are not about the roll for a secondary goal."""


def _parse_move_of_actor(
    options: Options, campaign: Campaign, typed: Mapping[str, object]
) -> tuple[str, dict[str, object]]:
    """Return the move that one actor's words mean, with its arguments.

    The move is `conflict act` or `conflict secondary`.

    Raises Usage if the words don't fit together.
    """
    bearing = without_empty(
        **{
            {"mod": "mods", "tag": "tags", "cost": "costs"}.get(key, key): value
            for key, value in typed.items()
            if key not in OPTIONS_BESIDES_ROLL and not key.startswith("common_")
        }
    )
    if "mods" in bearing:
        bearing["mods"] = [[value, "modifier"] for value in cast("Sequence[int]", bearing["mods"])]
    secondary, words = str(typed["secondary"]), [str(typed["who"]), *cast("list[str]", typed["action"] or [])]
    person, action = _find_actor_and_action_word(campaign, words)
    # An action doesn't roll its Skill: only a rolled one could be Unskilled by accident.
    meant, asked = bool(typed["unskilled"]) or not secondary, options.can_be_answered
    named = find_skill_or_allow_typed(
        campaign, person, str(typed["skill"]), training_is_stated=meant, may_ask=asked
    )
    args: dict[str, object] = {"who": person, "skill": named.name, "using": typed["using"]}
    chosen = {"action": action, "recover": str(typed["recover"]), "next": str(typed["next_"])}
    if not secondary:
        return ACT, args | _action_args_without_roll(chosen, bearing) | _additional_item_and_roll_args(
            campaign, args, {}
        )
    if any(chosen.values()):
        raise Usage("A secondary goal replaces an action.", "Leave out the action.")
    goal = {"to": parse_roll_name(secondary, "--secondary"), **named.args_without_training}
    return "conflict secondary", args | goal | _additional_item_and_roll_args(campaign, args | goal, bearing)


def _find_actor_and_action_word(campaign: Campaign, words: Sequence[str]) -> tuple[str, str]:
    """Return the id of the actor and the word for the action.

    Either may be typed as several words. Raises Usage if the words are ambiguous.
    """
    person = words[0]
    found = dict.fromkeys(
        (one, action)
        for place in range(1, len(words) + 1)
        if (one := _find_character_by_words_if_any(campaign, words[:place]))
        and (action := _find_action_if_words_mean_one(campaign, one, words[place:])) is not None
    )
    if len(found) > 1:
        readings = listed([f"`strike conflict act {one} {action}`" for one, action in found])
        raise Usage(f"'{' '.join(words)}' can be read as {readings}.", "Type one of them.")
    return (
        next(iter(found))
        if found
        else (find_character_by_name_or_player(campaign, person), " ".join(words[1:]))
    )


def _find_character_by_words_if_any(campaign: Campaign, words: Sequence[str]) -> str:
    with suppress(Usage):
        return find_character_by_name_or_player(campaign, " ".join(words))
    return ""


def _find_action_if_words_mean_one(campaign: Campaign, person: str, words: Sequence[str]) -> str | None:
    """Return the action that a person's words mean.

    If there are no words, it is "". It is None if the words mean no action, if no conflict is under way, or
    if the person isn't in the conflict.
    """
    from ..conflict_under_way import find_action, require_side_of_active_person

    if not words or not campaign.state.get("conflict"):
        return None if words else ""
    world = World(campaign.book, campaign.state)
    with suppress(Usage, Refused):
        return find_action(world, require_side_of_active_person(world, person), " ".join(words))
    return None


def _action_args_without_roll(
    chosen: Mapping[str, str], roll_options: Mapping[str, object]
) -> dict[str, object]:
    if not chosen["action"]:
        raise Usage("Which action?", "`strike conflict act WHO ACTION`, or --secondary advance|defense.")
    if roll_options:
        raise Usage(
            "An action rolls no Skill: these options are for a secondary goal.",
            "`strike conflict roll` has --dis and --weigh for the team's rolls; --secondary is a Skill Roll.",
        )
    return {**chosen, "next": parse_roll_name(chosen["next"], "--next") if chosen["next"] else ""}


def _additional_item_and_roll_args(
    campaign: Campaign, args: Mapping[str, object], typed: Mapping[str, object]
) -> dict[str, object]:
    """Return the arguments for the item in use, and for the roll of a secondary goal.

    They are read from the typed options.
    """
    person, texts = cast("str", args["who"]), cast("Sequence[str]", typed.get("help_from", ()))
    helpers = [parse_skill_roll_helper(campaign, text, cast("str", args["skill"])) for text in texts]
    names = [helper["name"] for helper in helpers]
    must_be_distinct_people(person, names)
    more = {key: value for key, value in typed.items() if key != "help_from"} | without_empty(
        using=args["using"]
    )
    also = extra_skill_args(campaign, person, cast("str", typed.get("also", "")))
    return (
        without_empty(helpers=helpers)
        | resolve_known_names_in_roll_options(campaign, [person], more, names)
        | also
    )


def _play_and_report(options: Options, campaign: Campaign, move: str, args: Mapping[str, object]) -> Result:
    return performed_result(play_move(options, campaign, move, args), campaign, explain=options.explain)
