"""The attack table: what a die comes to, with Miss Tokens and Guarded (STR-TAC-09 to 11)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from strike_cli.kernel.procedure import Choose, Procedure, World
from strike_cli.tabletop.contributions import remap_damage, remap_die
from strike_cli.tabletop.dice import Rolled, clamp

from .numbers import numbers


@cache
def _ladder() -> tuple[Mapping[str, Any], ...]:
    table = numbers()["attack"]
    return tuple(table[str(face)] for face in range(1, 7))


def rung(die: int) -> Mapping[str, Any]:
    """`result`, `damage` (times the printed number) and `effect` for an attack die (STR-TAC-09)."""
    return _ladder()[clamp(die) - 1]


def with_tokens(die: int, tokens: int) -> int:
    """The attack die after Miss Tokens (STR-TAC-10): the first makes a 1 a 3, others add 1, never above 6."""
    if tokens and die == 1:
        die, tokens = numbers()["attack_rules"]["token_raises_one_to"], tokens - 1
    return min(die + tokens, 6)


def useful_tokens(die: int, held: int, guard: Mapping[int, int]) -> dict[int, str]:
    """Numbers of Miss Tokens worth spending, with the result: none, and each that reaches a better one once
    the target's remap is read (STR-TAC-10, 11)."""
    useful: dict[int, str] = {}
    for tokens in range(held + 1):
        raised = with_tokens(die, tokens)
        result = str(rung(guard.get(raised, raised))["result"])
        if result not in useful.values():
            useful[tokens] = result
    return useful


class Line:
    """One attack line: what a die comes to once tokens, Guarded and a glancing choice are settled. `turned`
    says that Miss Tokens made a hit of a miss."""

    __slots__ = ("damage", "die", "effect", "result", "strike", "times", "tokens", "turned")

    def __init__(self, die: int, printed: int, strike: bool, tokens: int) -> None:
        row = rung(die)
        self.die = die
        self.result = str(row["result"])
        self.times = int(row["damage"])
        self.damage = printed * self.times
        self.effect = bool(row["effect"])
        self.strike = strike
        self.tokens = tokens
        self.turned = False

    @property
    def deals_damage(self) -> bool:
        """Whether it comes to damage, be it only a bonus."""
        return self.times > 0


def attack_line(
    who: str,
    rolled: Rolled,
    printed: int,
    has_effect: bool,
    tokens: int,
    guard: Mapping[int, int],
) -> Procedure[Line]:
    """From the dice to the result: tokens, the target's remap, then damage or effect on a glancing hit.

    `printed` is the power's damage in HP, `tokens` how many Miss Tokens may be spent, `guard` what the
    target's statuses make of a die (STR-TAC-11).
    """
    die = clamp(rolled.total)
    strike = die == numbers()["attack_rules"]["strike_on"]
    spent = 0
    if tokens:
        useful = useful_tokens(die, tokens, guard)
        if len(useful) > 1:
            labels = tuple(
                f"spend {count}: {result}" if count else f"keep: {result}" for count, result in useful.items()
            )
            counts, results = tuple(map(str, useful)), tuple(useful.values())
            spent = int((yield Choose(who, "miss tokens", counts, labels, kind="tokens", outcomes=results)))
    line = yield from settled_line(who, with_tokens(die, spent), printed, has_effect, strike, spent, guard)
    line.turned = rung(die)["result"] == "miss" != line.result
    return line


def settled_line(
    who: str,
    die: int,
    printed: int,
    has_effect: bool,
    strike: bool,
    spent: int,
    guard: Mapping[int, int],
) -> Procedure[Line]:
    """The result of a die with its tokens spent: the target's remap, then damage or effect on a 3."""
    line = Line(guard.get(die, die), printed, strike, spent)
    if line.result == "glancing":
        taken = "damage"
        if has_effect and printed:
            labels = (f"{printed} damage", "the effect")
            taken = yield Choose(who, "glancing", ("damage", "effect"), labels, kind="glancing")
        elif has_effect:
            taken = "effect"
        if taken == "damage":
            line.effect = False
        else:
            line.damage = line.times = 0
    line.effect = line.effect and has_effect
    return line


def play_ladder(world: World, args: Mapping[str, Any]) -> Procedure[dict[str, Any]]:
    """`combat ladder`: one bare attack line between nobody and nobody.

    Args: die (natural), damage, mod, tokens, attacker and target (lists of status ids).
    """
    sides = {side: {"statuses": [{"id": key} for key in args[side]]} for side in ("attacker", "target")}
    bare = World(world.book, {"fight": {"combatants": sides}})
    die = clamp(args["die"] + args["mod"])
    strike = die == numbers()["attack_rules"]["strike_on"]
    guard = {face: remap_die(bare, "target", face)[0] for face in range(1, 7)}
    after = with_tokens(die, args["tokens"])
    line = yield from settled_line("", after, args["damage"], True, strike, args["tokens"], guard)
    damage, _ = remap_damage(bare, "attacker", line.damage)
    missed = line.result == "miss"
    words = [f"{args['die']} comes to {line.die}: {line.result}", f"{damage} damage"]
    words += (["the effect"] if line.effect else []) + (["a Strike"] if strike else [])
    words += ["a Miss Token"] if missed else []
    yield world.happen("attacked", "", ", ".join(words) + ".")
    return {
        "die": line.die,
        "result": line.result,
        "damage": damage,
        "effect": line.effect,
        "strike": strike,
        "miss_token": missed,
    }
