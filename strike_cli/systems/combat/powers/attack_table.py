"""The attack table: what a die comes to after Miss Tokens and the target's changes (STR-TAC-09 to 11)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Args, Choose, Procedure, World
from strike_cli.kernel.statements import Reason
from strike_cli.tabletop.dice import Rolled, clamp
from strike_cli.tabletop.status_effects import remap_damage, remap_die
from strike_cli.values import Value

from ..facts.attacks import AttackLineRead, Glancing, SpendTokens, Spent
from ..numbers import numbers

if TYPE_CHECKING:
    from ..data import AttackLineData, AttackRow


FACES = range(1, 7)
"""The faces of an attack die."""


@cache
def _table() -> tuple[AttackRow, ...]:
    rows = numbers()["attack"]
    return tuple(rows[str(face)] for face in FACES)


def row_of(die: int) -> AttackRow:
    """Return the row of the attack table for a die: result, damage (a factor) and effect (STR-TAC-09)."""
    return _table()[clamp(die) - 1]


@cache
def attack_die_key(counts_as: Sequence[int], plus: int, strikes: bool) -> Callable[[int], Hashable]:
    """Return a function that gives faces of the attack die the same key if they have the same result.

    It is for an attack on which no Miss Token is spent. `counts_as` is the value of each face and `plus` the
    sum of the modifiers. `strikes` is whether the attacker can take Strikes.
    """

    def matters(face: int) -> Hashable:
        die = clamp(face + plus)
        row = row_of(counts_as[die - 1])
        strike = strikes and die == numbers()["attack_rules"]["strike_on"]
        return row["result"], row["damage"], row["effect"], row_of(die)["result"], strike

    return matters


def add_miss_tokens(die: int, tokens: int) -> int:
    """Return the attack die after Miss Tokens (STR-TAC-10).

    The first token turns a 1 into a 3; every other adds 1. The die is at most 6.
    """
    if tokens and die == 1:
        die, tokens = numbers()["attack_rules"]["token_raises_one_to"], tokens - 1
    return min(die + tokens, 6)


def useful_tokens(die: int, held: int, guard: Mapping[int, int]) -> dict[int, str]:
    """Return the numbers of Miss Tokens that are worth spending, each with its result (STR-TAC-10, 11).

    These are 0, and each number that gives a result that no smaller number gives, after the target's changes
    of the die (`guard`).
    """
    useful: dict[int, str] = {}
    for tokens in range(held + 1):
        raised = add_miss_tokens(die, tokens)
        result = str(row_of(guard[raised])["result"])
        if result not in useful.values():
            useful[tokens] = result
    return useful


class AttackResult(Value):
    """The result of an attack die after Miss Tokens, the target's changes of the die, and choices.

    `damage` is the printed damage times `times`, in HP. `turned` is true if a miss became a hit.
    """

    __slots__ = ("damage", "die", "effect", "result", "strike", "times", "tokens", "turned")

    def __init__(
        self,
        die: int,
        result: str,
        damage: int,
        times: int,
        effect: bool,
        strike: bool,
        tokens: int,
        turned: bool = False,
    ) -> None:
        self.die = die
        self.result = result
        self.damage = damage
        self.times = times
        self.effect = effect
        self.strike = strike
        self.tokens = tokens
        self.turned = turned

    @property
    def deals_damage(self) -> bool:
        """Whether the result deals damage, even if only a bonus."""
        return bool(self.times)


class AttackInQuestion(Value):
    """An attack roll on which its attacker still decides: the power, the target, and the Effect in words."""

    __slots__ = ("effect", "power", "target", "who")

    def __init__(
        self,
        who: str = "",
        power: Reason = "",
        target: str = "",
        effect: Callable[[], Sequence[Reason]] = tuple,
    ) -> None:
        self.who = who
        self.power = power
        self.target = target
        self.effect = effect


def attack_result(
    asked: AttackInQuestion,
    rolled: Rolled,
    printed: int,
    has_effect: bool,
    tokens: int,
    guard: Mapping[int, int],
) -> Procedure[AttackResult]:
    """Return the result of an attack roll after Miss Tokens, the target's changes, and the choice for a 3.

    `asked` is the attack with the creature that decides. `printed` is the power's damage in HP, `tokens` how
    many Miss Tokens may be spent, and `guard` the die that counts for each die, by the target's statuses
    (STR-TAC-11).
    """
    die = clamp(rolled.total)
    spent = 0
    if tokens:
        useful = useful_tokens(die, tokens, guard)
        if len(useful) > 1:
            labels = tuple(Spent(count, result) for count, result in useful.items())
            counts, results = tuple(map(str, useful)), tuple(useful.values())
            about = SpendTokens(asked.who, asked.power, asked.target, die, useful[0], tokens)
            question = Choose(
                asked.who, "miss tokens", counts, labels, kind="tokens", outcomes=results, about=about
            )
            spent = int((yield question))
    return (yield from _settle_die(asked, die, printed, has_effect, spent, guard))


def _settle_die(
    asked: AttackInQuestion, die: int, printed: int, has_effect: bool, spent: int, guard: Mapping[int, int]
) -> Procedure[AttackResult]:
    """Return the result of a die once Miss Tokens are spent.

    First the target's statuses change the die; then a 3 asks for the choice of damage or effect.
    """
    raised = add_miss_tokens(die, spent)
    counts_as = guard[raised]
    row = row_of(counts_as)
    times, effect = int(row["damage"]), bool(row["effect"]) and has_effect
    if row["result"] == "glancing":
        taken = "effect" if has_effect else "damage"
        if has_effect and printed:
            about = Glancing(asked.who, asked.power, asked.target, printed, asked.effect())
            taken = yield Choose(asked.who, "glancing", ("damage", "effect"), kind="glancing", about=about)
        times, effect = (times, False) if taken == "damage" else (0, effect)
    strike = die == numbers()["attack_rules"]["strike_on"]
    turned = row_of(die)["result"] == "miss" != row["result"]
    return AttackResult(counts_as, str(row["result"]), printed * times, times, effect, strike, spent, turned)


class BareAttack(Args):
    """The arguments of `combat ladder`: an attack die without an attacker or a target.

    `die` is the natural die, `damage` the power's printed damage in HP, `tokens` the Miss Tokens spent, and
    `mod` a flat modifier. `attacker` and `target` are the ids of statuses of each side.
    """

    die: int
    damage: int
    tokens: int = 0
    mod: int = 0
    attacker: Sequence[str] = ()
    target: Sequence[str] = ()


def play_bare_attack(world: World, args: BareAttack) -> Procedure[AttackLineData]:
    """Play `combat ladder`: find one result on the attack table."""
    sides = {
        side: {"statuses": [{"id": key} for key in statuses]}
        for side, statuses in (("attacker", args.attacker), ("target", args.target))
    }
    bare = World(world.book, {"fight": {"combatants": sides}})
    guard = {face: remap_die(bare, "target", face)[0] for face in FACES}
    outcome = yield from _settle_die(
        AttackInQuestion(), clamp(args.die + args.mod), args.damage, True, args.tokens, guard
    )
    damage, _ = remap_damage(bare, "attacker", outcome.damage)
    missed = outcome.result == "miss"
    yield world.tell(
        AttackLineRead(args.die, outcome.die, outcome.result, damage, outcome.effect, outcome.strike)
    )
    return {
        "die": outcome.die,
        "result": outcome.result,
        "damage": damage,
        "effect": outcome.effect,
        "strike": outcome.strike,
        "miss_token": missed,
    }
