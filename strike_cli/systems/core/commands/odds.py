"""`strike odds`: the exact chances of a roll, from the very procedure that plays it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from strike_cli.kernel.exhaustive import probabilities
from strike_cli.kernel.procedure import World
from strike_cli.terminal.odds_view import chances
from strike_cli.terminal.options import Options, command, new_app
from strike_cli.terminal.result import Result
from strike_cli.terminal.shared_options import Adv, Dis, Mod, Svg

from ..circumstances import Matters
from ..opposed import OpposedRoll
from ..skill import RollSkill, SkillRoll, can_learn, outcome_words, ready, skill_roll
from .roll import (
    Also,
    Asking,
    HelpFrom,
    Ignore,
    Makeshift,
    Skill,
    Skilled,
    Tag,
    Use,
    Using,
    WhoRolls,
    bearing,
    skill_args,
)

app = new_app()


@app.callback()
def _group() -> None:
    """Exact odds of a roll: the options of `strike roll`, no dice thrown.

    Example: `strike odds skill vex Climbing --adv "a good rope"`
    """


@command(app, "skill", kind="reads")
def skill(
    options: Options,
    who: WhoRolls = "",
    skill: Skill = "",
    skilled: Skilled = None,
    adv: Adv = None,
    dis: Dis = None,
    mod: Mod = None,
    help_from: HelpFrom = None,
    ignore: Ignore = None,
    tag: Tag = None,
    using: Using = "",
    asking: Asking = "",
    makeshift: Makeshift = False,
    also: Also = "",
    use: Use = None,
    svg: Svg = None,
) -> Result:
    """The chance of each outcome of a Skill Roll, exact, for that character as they stand now.

    Example: `strike odds skill --skilled --adv "a good rope"`
    """
    campaign = options.campaign_if_any()
    args = skill_args(campaign, who, skill, skilled, adv, dis, mod, help_from)
    args |= bearing(
        campaign, args, ignore=ignore, tags=tag, using=using, asking=asking, makeshift=makeshift, also=also,
        use=use,
    )  # fmt: skip
    world, asked = World(campaign.book, campaign.state) if campaign else World(None), RollSkill.read(args)
    matters, _ = ready(world, asked)
    found = _skill_odds(world, asked)
    rows = [
        (
            {"outcome": outcome, "bonus": bonus, "costs": costs, "can_learn": learns},
            outcome_words({"outcome": outcome, "bonus": bonus, "costs": costs})
            + (", may learn" if learns else ""),
            chance,
        )
        for (outcome, bonus, costs, learns), chance in sorted(found.items(), key=_best_first)
    ]
    result = chances("odds skill", args, rows, svg)
    if told := reasons_told(matters):
        result.blocks.append((told, "dim"))
    result.data |= reasons_given(matters)
    return result


def reasons_told(matters: Matters) -> str:
    """Everything that bears on a roll, for a line."""
    reasons = [f"{source.kind}: {source.reason}" for source in matters.sources]
    reasons += [f"{item.value:+d}: {item.reason}" for item in matters.modifiers]
    return "; ".join(reasons)


def reasons_given(matters: Matters) -> dict[str, Any]:
    """The same for `--json`."""
    return {
        "sources": [source.as_json() for source in matters.sources],
        "modifiers": [item.as_json() for item in matters.modifiers],
    }


SkillOdds = dict[tuple[str, bool, int, bool], Fraction]


def _skill_odds(world: World, args: RollSkill) -> SkillOdds:
    matters, helpers = ready(world, args)

    def start() -> Any:
        roll = skill_roll("", "", args.skilled, matters.sources, matters.modifiers, helpers)
        return roll, None

    return probabilities(start, lambda came: (*skill_key(came)[:3], can_learn(world, args, came)))


def chance_of_success(world: World, args: Mapping[str, Any]) -> Fraction:
    """How likely a Skill Roll succeeds, whatever it costs."""
    return sum(
        (chance for key, chance in _skill_odds(world, RollSkill.read(args)).items() if key[0] == "success"),
        Fraction(),
    )


def skill_key(came: SkillRoll) -> tuple[str, bool, int, bool]:
    """What tells outcomes of a Skill Roll apart: outcome, bonus, costs, can_learn."""
    row = came.row
    return row["outcome"], row["bonus"], row["costs"], came.can_learn


def opposed_key(came: OpposedRoll) -> tuple[str | None, int, bool]:
    """What tells outcomes of an Opposed Roll apart: winner, margin, complete."""
    return came.winner, came.margin, came.complete


def _best_first(item: tuple[tuple[str, bool, int, bool], Fraction]) -> tuple[bool, bool, int, bool]:
    outcome, bonus, costs, can_learn = item[0]
    return outcome != "success", not bonus, costs, not can_learn
