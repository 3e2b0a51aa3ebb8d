"""`strike odds`: the exact chances of a roll, from the very procedure that plays it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from ..play.exhaustive import probabilities
from ..rules.matters import Matters
from ..rules.opposed import OpposedRoll
from ..rules.procedure import World
from ..rules.skill import SkillRoll, can_learn, outcome_words, ready, skill_roll
from .options import Options, command, new_app
from .result import Bars, Block, Result
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
from .shared_options import Adv, Dis, Mod, Svg

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
    world = World(campaign.book, campaign.state) if campaign else World(None)
    matters, _ = ready(world, args)
    found = _skill_odds(world, args)
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


def _skill_odds(world: World, args: Mapping[str, Any]) -> SkillOdds:
    matters, helpers = ready(world, args)

    def start() -> Any:
        roll = skill_roll("", "", args["skilled"], matters.sources, matters.modifiers, helpers)
        return roll, None

    return probabilities(start, lambda came: (*skill_key(came)[:3], can_learn(world, args, came)))


def chance_of_success(world: World, args: Mapping[str, Any]) -> Fraction:
    """How likely a Skill Roll succeeds, whatever it costs."""
    return sum(
        (chance for key, chance in _skill_odds(world, args).items() if key[0] == "success"), Fraction()
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


def exact(chance: Fraction) -> dict[str, Any]:
    """A chance as `--json` shows it."""
    return {"probability": str(chance), "p": round(float(chance), 4)}


def percent(chance: Fraction) -> str:
    """A chance as people read it."""
    return f"{float(chance) * 100:.1f}%"


def _short(chance: Fraction) -> str:
    """A fraction that people can read; of others the percentage says enough."""
    return shown if len(shown := str(chance)) <= READABLE else ""


READABLE = 15


def chances(
    name: str, args: Mapping[str, Any], rows: list[tuple[dict[str, Any], str, Fraction]], svg: str | None
) -> Result:
    longest = max(chance for _, _, chance in rows)
    bars = [
        (words, float(chance / longest), f"{percent(chance):>6}  {_short(chance)}")
        for _, words, chance in rows
    ]
    blocks: list[Block] = [Bars(bars)]
    if svg:
        _write(svg, lambda: chart_svg([(words, chance) for _, words, chance in rows]))
        blocks.append(f"The chart is in {svg}.")
    outcomes = [{**key, **exact(chance)} for key, _, chance in rows]
    return Result(name, {"outcomes": outcomes, "of": dict(args)}, blocks)


def _write(path: str, draw: Callable[[], str]) -> None:
    from pathlib import Path

    from ..campaign.files import unwritable

    try:
        Path(path).write_text(draw(), encoding="utf-8")
    except OSError as error:
        raise unwritable(Path(path), error) from None


def chart_svg(rows: list[tuple[str, Fraction]]) -> str:
    """A bar chart as an SVG picture: a label, a bar and a percentage for each row."""
    from html import escape

    longest = max(chance for _, chance in rows)
    height = 28 * len(rows) + 16
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 {height}" width="640" height="{height}" '
        'font-family="system-ui, sans-serif" font-size="14">',
        f'<rect width="640" height="{height}" fill="#fff"/>',
    ]
    for number, (words, chance) in enumerate(rows):
        y = 12 + 28 * number
        width = float(chance / longest) * 320
        parts.append(f'<text x="212" y="{y + 15}" text-anchor="end" fill="#333">{escape(words)}</text>')
        parts.append(f'<rect x="220" y="{y}" width="{width:.1f}" height="20" rx="3" fill="#3b7ea1"/>')
        parts.append(
            f'<text x="{228 + width:.1f}" y="{y + 15}" fill="#333">{percent(chance)} ({chance})</text>'
        )
    return "\n".join([*parts, "</svg>", ""])
