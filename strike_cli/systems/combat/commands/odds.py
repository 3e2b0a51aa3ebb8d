"""`strike odds attack`: how an attack would come out, exactly, as everybody stands now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Annotated, Any, NamedTuple

import typer

from strike_cli.problems import Usage, listed, nearest
from strike_cli.terminal.options import Options, command, new_app
from strike_cli.terminal.result import Block, Result, Table

from ..attack import UsePower
from ..forecast import (
    GLANCING,
    MOST_TOGETHER,
    OPPORTUNITIES,
    TOKENS,
    AttackLine,
    Lines,
    Plan,
    aimed_at,
    attack_odds,
)
from .attack import Adv, At, Dis, Mod, Targets, WithPower, attack_args
from .common import Who

odds_app = new_app()

Odds = dict[Lines, Fraction]


@odds_app.callback()
def _only_attack() -> None:
    """The odds of an attack in a fight."""


@command(odds_app, "attack", kind="reads")
def odds_attack(
    options: Options,
    who: Who,
    targets: Targets = None,
    power: WithPower = "",
    at: At = "",
    adv: Adv = None,
    dis: Dis = None,
    mod: Mod = None,
    glancing: Annotated[
        str, typer.Option("--glancing", metavar="damage|effect", help="What a glancing hit takes.")
    ] = "damage",
    tokens: Annotated[
        str,
        typer.Option(
            "--tokens",
            metavar="keep|hit|best",
            help="Miss Tokens: kept, spent to turn a miss into a hit, or spent for the best result.",
        ),
    ] = "hit",
    opportunities: Annotated[
        str, typer.Option("--opportunities", metavar="take|pass", help="What players do with those it gives.")
    ] = "take",
    svg: Annotated[
        str | None, typer.Option("--svg", metavar="FILE", help="Draw the chart into a file.")
    ] = None,
) -> Result:
    """The chance of each outcome of an attack, exact, as attacker and targets stand now (STR-TAC-09 to 11).

    It is looked at as in the attacker's own turn. Choices are taken as the options say.

    Example: `strike odds attack vex goblin-1 --tokens best`
    """
    from strike_cli.kernel.procedure import World
    from strike_cli.terminal.odds_view import chances

    plan = Plan(
        _one(glancing, "--glancing", GLANCING),
        _one(tokens, "--tokens", TOKENS),
        _one(opportunities, "--opportunities", OPPORTUNITIES),
    )
    campaign = options.campaign()
    with campaign:
        args = attack_args(campaign, who, targets, power, adv, dis, mod, at)
        world = World(campaign.book, campaign.state)
        args["targets"] = chosen = aimed_at(world, UsePower.read(args))
        if len(chosen) > MOST_TOGETHER:
            raise Usage(
                f"{len(chosen)} rolls at once have too many outcomes to list; {MOST_TOGETHER} is the most.",
                "Each target is rolled for by itself: ask about a few of them.",
            )
        odds = attack_odds(world, UsePower.read(args), plan)
        rows = _rows_of_one(odds) if len(chosen) == 1 else _rows_of_several(odds)
        each = {target: _summary(odds, chosen, target) for target in chosen}
        names = {target: campaign.state["fight"]["combatants"][target]["name"] for target in chosen}
    result = chances("odds attack", {**args, "plan": asdict(plan)}, rows, svg)
    result.data["targets"] = {target: _as_json(summary) for target, summary in each.items()}
    result.blocks += _summary_blocks(names, each)
    return result


def _one(word: str, option: str, known: tuple[str, ...]) -> str:
    if word not in known:
        raise Usage(f"{option} {word!r}: not known.{nearest(word, known)}", f"One of {listed(known)}.")
    return word


Row = tuple[dict[str, Any], str, Fraction]


def _rows_of_one(odds: Odds) -> list[Row]:
    return [
        (_fields(line), _words(line), chance)
        for (line,), chance in sorted(odds.items(), key=lambda item: _best_first(item[0][0]))
    ]


def _rows_of_several(odds: Odds) -> list[Row]:
    """Together: how many rolls hit, what damage in all, how many targets are Taken Out."""
    found: dict[tuple[int, int, int], Fraction] = {}
    for lines, chance in odds.items():
        there = [line for line in lines if line is not None]
        key = (
            sum(line.result != "miss" for line in there),
            sum(line.damage for line in there),
            sum(line.taken_out for line in there),
        )
        found[key] = found.get(key, Fraction()) + chance
    return [
        (
            {"hit": hit, "damage": damage, "taken_out": out},
            f"{hit} hit, {damage} damage" + (f", {out} Taken Out" if out else ""),
            chance,
        )
        for (hit, damage, out), chance in sorted(found.items(), reverse=True)
    ]


def _fields(line: AttackLine | None) -> dict[str, Any]:
    return {"result": "none"} if line is None else line._asdict()


def _words(line: AttackLine | None) -> str:
    if line is None:
        return "no attack comes about"
    words = [line.result]
    words += [f"{line.damage} damage"] if line.damage else []
    words += ["the effect"] if line.effect else []
    words += ["a Strike"] if line.strike else []
    words += ["Taken Out"] if line.taken_out else []
    spent = f" ({line.tokens_spent} Miss Token{'s' if line.tokens_spent > 1 else ''})"
    return ", ".join(words) + (spent if line.tokens_spent else "")


def _best_first(line: AttackLine | None) -> tuple[int, int, bool, int]:
    if line is None:
        return 9, 0, False, 0
    order = ("critical", "solid", "glancing", "miss")
    return order.index(line.result), line.tokens_spent, line.strike, -line.damage


class _Summary(NamedTuple):
    """What is to be expected for one target: the chance to be hit at all, HP of damage, the chance to be
    Taken Out."""

    hit: Fraction
    damage: Fraction
    taken_out: Fraction


def _summary(odds: Odds, chosen: Sequence[str], target: str) -> _Summary:
    """Of the odds of all rolls together, what concerns one target: what one roll spends, another lacks."""
    hit = damage = taken_out = Fraction()
    for lines, chance in odds.items():
        own = [line for name, line in zip(chosen, lines, strict=True) if name == target and line]
        hit += chance * any(line.result != "miss" for line in own)
        damage += chance * sum(line.damage for line in own)
        taken_out += chance * any(line.taken_out for line in own)
    return _Summary(hit, damage, taken_out)


def _as_json(summary: _Summary) -> dict[str, Any]:
    return {
        "hit": str(summary.hit),
        "expected_damage": str(summary.damage),
        "taken_out": str(summary.taken_out),
        "p_hit": round(float(summary.hit), 4),
        "p_taken_out": round(float(summary.taken_out), 4),
    }


def _summary_blocks(names: Mapping[str, str], each: Mapping[str, _Summary]) -> list[Block]:
    rows = [
        [
            names[target],
            f"{float(summary.hit) * 100:.1f}%",
            f"{float(summary.damage):.2f}",
            f"{float(summary.taken_out) * 100:.1f}%",
        ]
        for target, summary in each.items()
    ]
    return [Table(["Target", ">Hit", ">Damage", ">Taken Out"], rows)]
