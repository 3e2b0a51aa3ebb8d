"""`strike odds`: the exact chances of a roll, computed by the procedure that plays it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from strike_cli.kernel.exact_odds import exact_chances
from strike_cli.kernel.procedure import Procedure, World
from strike_cli.terminal.command_output import Result, reasons_in_words
from strike_cli.terminal.commands_and_options import new_app
from strike_cli.terminal.move_commands import Call, Typed, commands_declared_in
from strike_cli.terminal.odds_view import chances_result_and_chart_file, odds_command

from ..skill_roll import (
    RollSkill,
    SkillRoll,
    may_learn_rolled_skill,
    outcome_words,
    prepare_side,
    roll_skill_and_helpers_dice,
)
from .roll import app as rolls

app = new_app("""Exact odds of a roll: the options of `strike roll`, without rolling.

    Example: `strike odds skill vex Climbing --adv "a good rope"`
    """)

OPTIONS_NOT_IN_ODDS = ("help_dice", "no_tools", "bank", "costs", "task", "intent", "changed")
"""The options of a Skill Roll that don't change its odds."""


@odds_command(app, "skill", commands_declared_in(rolls)["skill"], excluded=OPTIONS_NOT_IN_ODDS)
def skill(call: Call, args: Typed, svg: str | None) -> Result:
    """Show the exact chance of each outcome of a Skill Roll, for that character as they stand now.

    Example: `strike odds skill --skilled --adv "a good rope"`
    """
    world, asked = world_of_call(call), RollSkill.read(args)
    found = skill_odds(world, asked)
    rows = [
        (
            {"outcome": outcome, "bonus": bonus, "costs": costs, "can_learn": learns},
            outcome_words({"outcome": outcome, "bonus": bonus, "costs": costs})
            + (", may learn" if learns else ""),
            chance,
        )
        for (outcome, bonus, costs, learns), chance in sorted(found.items(), key=_best_first_sort_key)
    ]
    result = chances_result_and_chart_file("odds skill", args, rows, svg)
    reasons = prepare_side(world, asked).roll_reasons.reasons_as_json(world)
    if words := reasons_in_words(reasons):
        result.blocks.append((words, "dim"))
    result.data |= reasons
    return result


SkillOddsKey = tuple[str, bool, int, bool]
"""What the odds of a Skill Roll distinguish in a result: outcome, bonus, costs, and can_learn."""


def world_of_call(call: Call) -> World:
    """Return the campaign's world; without a campaign, a world without a book."""
    return World(call.campaign.book, call.campaign.state) if call.campaign else World(None)


def skill_odds(world: World, args: RollSkill) -> dict[SkillOddsKey, Fraction]:
    """Return the exact chance of each result of a Skill Roll, computed from the dice alone.

    The whole move isn't played for each result: with four Unskilled helpers, this would take seconds.
    """
    _, matters, helpers = prepare_side(world, args)

    def start_roll() -> tuple[Procedure[SkillRoll], None]:
        return roll_skill_and_helpers_dice(
            "", "", args.skilled, matters.sources, matters.modifiers, helpers
        ), None

    def outcome_key(roll: SkillRoll) -> SkillOddsKey:
        row = roll.row
        return row["outcome"], row["bonus"], row["costs"], may_learn_rolled_skill(world, args, roll)

    return exact_chances(start_roll, outcome_key)


def chance_of_success(world: World, args: Mapping[str, object]) -> Fraction:
    """Return the chance that a Skill Roll succeeds, with or without Costs."""
    found = skill_odds(world, RollSkill.read(args))
    return sum((chance for key, chance in found.items() if key[0] == "success"), Fraction())


def _best_first_sort_key(item: tuple[SkillOddsKey, Fraction]) -> tuple[bool, bool, int, bool]:
    outcome, bonus, costs, can_learn = item[0]
    return outcome != "success", not bonus, costs, not can_learn
