"""`strike odds`: the exact chances of a roll, from the very move that plays it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from strike_cli.kernel.procedure import Choose, World
from strike_cli.play import forecast
from strike_cli.terminal.declare import Call, Typed, declared_in
from strike_cli.terminal.narrate import reasons_in_words
from strike_cli.terminal.odds_view import asks_odds, chances
from strike_cli.terminal.options import new_app
from strike_cli.terminal.result import Result

from ..skill import outcome_words
from .roll import app as rolls

app = new_app()

NO_MATTER = ("help_dice", "no_tools", "bank", "costs", "task", "intent", "changed")
"""Words of a Skill Roll that change no odds."""
AS_IT_FELL = ("keep", "waive", "bonus", "pass")
"""Answers that leave a roll as the dice have it."""


@app.callback()
def _group() -> None:
    """Exact odds of a roll: the options of `strike roll`, no dice thrown.

    Example: `strike odds skill vex Climbing --adv "a good rope"`
    """


@asks_odds(app, "skill", declared_in(rolls)["skill"], without=NO_MATTER)
def skill(call: Call, args: Typed, svg: str | None) -> Result:
    """The chance of each outcome of a Skill Roll, exact, for that character as they stand now.

    Example: `strike odds skill --skilled --adv "a good rope"`
    """
    seen: dict[str, Any] = {}

    def read(data: dict[str, Any], _: World) -> SkillKey:
        seen.update(data)
        return data["outcome"], data["bonus"], data["costs"], data["can_learn"]

    found = forecast.chances(world_of(call), "roll skill", args, read, as_it_fell)
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
    if reasons := reasons_in_words(seen["roll"]):
        result.blocks.append((reasons, "dim"))
    result.data |= {key: seen["roll"][key] for key in ("sources", "modifiers")}
    return result


SkillKey = tuple[str, bool, int, bool]
"""What tells outcomes of a Skill Roll apart: outcome, bonus, costs, can_learn."""


def world_of(call: Call) -> World:
    """The campaign as rules see it, or that of nobody in particular."""
    return World(call.campaign.book, call.campaign.state) if call.campaign else World(None)


def as_it_fell(question: Choose) -> str:
    """The answer that leaves a roll as the dice have it."""
    return next((word for word in AS_IT_FELL if word in question.options), question.options[0])


def chance_of_success(world: World, args: Mapping[str, Any]) -> Fraction:
    """How likely a Skill Roll succeeds, whatever it costs."""
    found = forecast.chances(world, "roll skill", args, lambda data, _: str(data["outcome"]), as_it_fell)
    return found.get("success", Fraction())


def _best_first(item: tuple[SkillKey, Fraction]) -> tuple[bool, bool, int, bool]:
    outcome, bonus, costs, can_learn = item[0]
    return outcome != "success", not bonus, costs, not can_learn
