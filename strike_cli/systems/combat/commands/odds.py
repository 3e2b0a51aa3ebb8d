"""`strike odds attack`: the exact odds of an attack in the present state."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from fractions import Fraction
from typing import Annotated, NamedTuple

import typer

from strike_cli.kernel.procedure import World
from strike_cli.problems import Usage, did_you_mean, listed
from strike_cli.terminal.argument_completions import choice_metavar
from strike_cli.terminal.command_output import Block, NumberHeading, Result, Table
from strike_cli.terminal.commands_and_options import new_app
from strike_cli.terminal.move_commands import Call, Typed, commands_declared_in
from strike_cli.terminal.odds_view import (
    MOST_LISTED_COMBINATIONS,
    Row,
    at_least_words,
    chance_margin,
    chance_words,
    chances_result_and_chart_file,
    margin_of_error_of_mean,
    mean_and_at_least_as_json,
    mean_words,
    odds_command,
    uncertain_chances_at_least,
)
from strike_cli.terminal.roll_and_chart_options import Joint

from ..bots.outcome_forecast import (
    GLANCING,
    OPPORTUNITIES,
    TOKENS,
    AttackLine,
    AttackTotals,
    ChoicePolicy,
    Lines,
    attack_odds,
    attack_odds_by_target,
    targets_of_use,
)
from ..fight_state import Fight
from ..powers.power_use import UsePower, power_or_basic_attack_from_args
from . import app
from . import attacks_and_powers as _attack  # noqa: F401 - which declares it

odds_app = new_app()


@odds_app.callback()
def _attack_odds_group_callback() -> None:
    """Show the odds of an attack in a fight."""


_PLAN = {
    "glancing": (GLANCING, "The choice on a glancing hit."),
    "tokens": (TOKENS, "Miss Tokens: kept, spent to turn a miss into a hit, or spent for the best result."),
    "opportunities": (OPPORTUNITIES, "Opportunities that come up: taken or passed."),
}
"""The options for choices that no player makes: for each its words and its help."""


def _choice_policy_parameters() -> Iterator[inspect.Parameter]:
    usual = ChoicePolicy()
    for name, (words, text) in _PLAN.items():
        kind = Annotated[str, typer.Option(f"--{name}", metavar=choice_metavar(*words), help=text)]
        default = getattr(usual, name)
        yield inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)


@odds_command(
    odds_app,
    "attack",
    commands_declared_in(app)["attack"],
    excluded=("no_effect",),
    more_parameters=[
        *_choice_policy_parameters(),
        inspect.Parameter("joint", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Joint),
    ],
)
def odds_attack(call: Call, typed: Typed, svg: str | None) -> Result:
    """Show the chance of each outcome of an attack, as the fight stands now (STR-TAC-09 to 11).

    The attack is played as in the attacker's own turn. The options say how choices are made. With several
    targets, the chances of each target come first. Chances are exact, except where many targets affect each
    other: there, they are an estimate, and say so.

    Example: `strike odds attack vex goblin-1 --tokens best`
    """
    for name, (words, _) in _PLAN.items():
        if (word := str(call.typed[name])) not in words:
            raise Usage(f"--{name} {word!r}: unknown.{did_you_mean(word, words)}", f"One of {listed(words)}.")
    plan = ChoicePolicy(*(str(call.typed[name]) for name in _PLAN))
    world = World(call.required_campaign.book, call.required_campaign.state)
    args = UsePower.read(typed)
    chosen = targets_of_use(world, args)
    args = args.but(targets=chosen, power=power_or_basic_attack_from_args(Fight(world), args)["id"])
    names = {target: Fight(world).name(target) for target in chosen}
    of = {**args.in_full(), "plan": asdict(plan)}
    if len(chosen) == 1:
        odds = attack_odds(world, args, plan)
        plays = odds.plays
        each = {chosen[0]: _summarize_hits_damage_and_taken_out(odds)}
        result = chances_result_and_chart_file("odds attack", of, _rows_of_target(odds), svg, plays)
        result.blocks += _summary_blocks(names, each, plays)
    else:
        several = attack_odds_by_target(world, args, plan)
        plays = several.plays
        each = {
            target: _summarize_hits_damage_and_taken_out(lines) for target, lines in several.by_target.items()
        }
        first = [*_summary_blocks(names, each, plays), *_at_least_total_blocks(several.totals, plays)]
        rows = [
            (
                {"hit": hit, "damage": damage, "taken_out": out},
                f"{hit} hit, {damage} damage" + (f", {out} Taken Out" if out else ""),
                chance,
            )
            for (hit, damage, out), chance in sorted(several.totals.items(), reverse=True)
        ]
        every = bool(call.typed["joint"]) or len(rows) <= MOST_LISTED_COMBINATIONS
        result = chances_result_and_chart_file(
            "odds attack", of, rows, svg, plays, blocks_above=first, show_rows=every
        )
        result.data["each"] = {
            field: mean_and_at_least_as_json(_chances_of_total(several.totals, field), plays)
            for field in AttackTotals._fields
        }
    result.data["targets"] = {target: _summary_data(summary, plays) for target, summary in each.items()}
    return result


def _at_least_total_blocks(chances: Mapping[AttackTotals, Fraction], sampled_plays: int) -> Iterator[Block]:
    """Yield the totals of all targets: for each amount, the chance of at least that much."""
    for field, words in (("hit", "Hit"), ("damage", "Damage in all"), ("taken_out", "Taken Out")):
        values = _chances_of_total(chances, field)
        if uncertain_chances_at_least(values):
            yield [(f"{words}: ", "dim"), at_least_words(values, sampled_plays)]


def _chances_of_total(chances: Mapping[AttackTotals, Fraction], field: str) -> dict[int, Fraction]:
    found: dict[int, Fraction] = {}
    for totals, chance in chances.items():
        value = getattr(totals, field)
        found[value] = found.get(value, Fraction()) + chance
    return found


def _rows_of_target(odds: Mapping[Lines, Fraction]) -> list[Row]:
    return [
        (_line_data(line), _attack_words(line), chance)
        for (line,), chance in sorted(odds.items(), key=lambda item: _best_first_key(item[0][0]))
    ]


def _line_data(line_if_attacked: AttackLine | None) -> dict[str, object]:
    return {"result": "none"} if line_if_attacked is None else line_if_attacked._asdict()


def _attack_words(line_if_attacked: AttackLine | None) -> str:
    if line_if_attacked is None:
        return "no attack happens"
    words = [line_if_attacked.result]
    words += [f"{line_if_attacked.damage} damage"] if line_if_attacked.damage else []
    words += ["the effect"] if line_if_attacked.effect else []
    words += ["a Strike"] if line_if_attacked.strike else []
    words += ["Taken Out"] if line_if_attacked.taken_out else []
    spent = f" ({line_if_attacked.tokens_spent} Miss Token{'s' if line_if_attacked.tokens_spent > 1 else ''})"
    return ", ".join(words) + (spent if line_if_attacked.tokens_spent else "")


def _best_first_key(line: AttackLine | None) -> tuple[int, int, bool, int]:
    if line is None:
        return 9, 0, False, 0
    order = ("critical", "solid", "glancing", "miss")
    return order.index(line.result), line.tokens_spent, line.strike, -line.damage


class _Summary(NamedTuple):
    """The expected result of an attack for one target.

    `hit` is the chance of at least one hit, `damages` the chance of each damage in HP, and `taken_out` the
    chance that the target is Taken Out.
    """

    hit: Fraction
    damages: Mapping[int, Fraction]
    taken_out: Fraction

    @property
    def average_damage(self) -> Fraction:
        """The average damage in HP."""
        return sum((damage * chance for damage, chance in self.damages.items()), Fraction())


def _summarize_hits_damage_and_taken_out(odds: Mapping[Lines, Fraction]) -> _Summary:
    hit = taken_out = Fraction()
    damages: dict[int, Fraction] = {}
    for lines, chance in odds.items():
        own = [line for line in lines if line]
        damage = sum(line.damage for line in own)
        hit += chance * any(line.result != "miss" for line in own)
        damages[damage] = damages.get(damage, Fraction()) + chance
        taken_out += chance * any(line.taken_out for line in own)
    return _Summary(hit, damages, taken_out)


def _summary_data(summary: _Summary, sampled_plays: int) -> dict[str, object]:
    found = {"p_hit": round(float(summary.hit), 4), "p_taken_out": round(float(summary.taken_out), 4)}
    if sampled_plays:
        within = {
            "p_hit": round(chance_margin(summary.hit, sampled_plays), 4),
            "p_taken_out": round(chance_margin(summary.taken_out, sampled_plays), 4),
            "expected_damage": round(margin_of_error_of_mean(summary.damages, sampled_plays), 4),
        }
        return {**found, "expected_damage": f"{float(summary.average_damage):.2f}", "within": within}
    return {
        "hit": str(summary.hit),
        "expected_damage": str(summary.average_damage),
        "taken_out": str(summary.taken_out),
        **found,
    }


def _summary_blocks(
    names: Mapping[str, str], each: Mapping[str, _Summary], sampled_plays: int
) -> list[Block]:
    rows = [
        [
            names[target],
            chance_words(summary.hit, sampled_plays),
            mean_words(summary.damages, sampled_plays),
            chance_words(summary.taken_out, sampled_plays),
        ]
        for target, summary in each.items()
    ]
    return [
        Table(["Target", NumberHeading("Hit"), NumberHeading("Damage"), NumberHeading("Taken Out")], rows)
    ]
