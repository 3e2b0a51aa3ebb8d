"""The attack table: the result of an attack die after Miss Tokens and statuses (STR-TAC-09 to 11)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Args, Choose, Procedure, World
from strike_cli.kernel.statements import Reason
from strike_cli.tabletop.active_effects import remap_damage, remap_die
from strike_cli.tabletop.dice import Rolled, clamp_total
from strike_cli.values import Value

from ..facts.attacks import AttackLineRead, Glancing, SpendTokens, Spent
from ..rule_numbers import combat_numbers

if TYPE_CHECKING:
    from ..data import AttackLineData, AttackRow


FACES = range(1, 7)
"""The faces of an attack die."""


def attack_row(die: int) -> AttackRow:
    """Return the row of the attack table for a die (STR-TAC-09).

    The row has the result, the factor for the damage, and whether the Effect happens.
    """
    return _attack_rows()[clamp_total(die) - 1]


@cache
def _attack_rows() -> tuple[AttackRow, ...]:
    rows = combat_numbers()["attack"]
    return tuple(rows[str(face)] for face in FACES)


@cache
def make_attack_result_key_function(
    counts_as: Sequence[int], modifier: int, takes_strikes: bool
) -> Callable[[int], Hashable]:
    """Return a function from a face of the attack die to a key; faces with the same result have the same key.

    It is for attacks without Miss Tokens. `counts_as` gives, for each face in order, the face it counts as.
    `modifier` is the sum of the modifiers. `takes_strikes` says whether the attacker can take Strikes.
    """

    def result_key(face: int) -> Hashable:
        die = clamp_total(face + modifier)
        row = attack_row(counts_as[die - 1])
        strike = takes_strikes and die == combat_numbers()["attack_rules"]["strike_on"]
        return row["result"], row["damage"], row["effect"], attack_row(die)["result"], strike

    return result_key


def raise_die_by_miss_tokens(die: int, tokens: int) -> int:
    """Return the attack die after `tokens` Miss Tokens are spent (STR-TAC-10).

    The first token turns a 1 into a 3; every other token adds 1. The die is at most 6.
    """
    if tokens and die == 1:
        die, tokens = combat_numbers()["attack_rules"]["token_raises_one_to"], tokens - 1
    return min(die + tokens, 6)


def results_by_tokens_worth_spending(die: int, held: int, counts_as: Mapping[int, int]) -> dict[int, str]:
    """Return the numbers of Miss Tokens that are worth spending, each with its result (STR-TAC-10).

    A number is worth spending if no smaller number gives the same result; 0 always is. The attacker holds
    `held` tokens. `counts_as` maps each die to the die it counts as against this target.
    """
    useful: dict[int, str] = {}
    for tokens in range(held + 1):
        raised = raise_die_by_miss_tokens(die, tokens)
        result = str(attack_row(counts_as[raised])["result"])
        if result not in useful.values():
            useful[tokens] = result
    return useful


class AttackResult(Value):
    """The result of an attack die after Miss Tokens, the target's statuses, and the attacker's choices.

    `damage`, in HP, is the printed damage multiplied by `times`. `turned` is true if a miss became a hit.
    """

    die: int
    result: str
    damage: int
    times: int
    effect: bool
    strike: bool
    tokens: int
    turned: bool = False

    @property
    def deals_damage(self) -> bool:
        """Whether the result deals damage, even if the power has no damage of its own, only a bonus."""
        return bool(self.times)


class UndecidedAttack(Value):
    """An attack roll whose attacker may still have choices to make.

    `who`, `power` and `target` word the questions. `effect` is a function that returns the power's Effect in
    words.
    """

    who: str = ""
    power: Reason = ""
    target: str = ""
    effect: Callable[[], Sequence[Reason]] = tuple


def decide_attack_result(
    attack: UndecidedAttack,
    rolled: Rolled,
    printed: int,
    has_effect: bool,
    tokens: int,
    counts_as: Mapping[int, int],
) -> Procedure[AttackResult]:
    """Return the result of an attack roll after Miss Tokens, statuses, and the attacker's choices.

    The attacker may spend some of its `tokens`. If the die then counts as a 3, the attacker chooses damage or
    the Effect. `attack` words these questions. `printed` is the power's damage in HP. `counts_as` maps each
    die to the die it counts as against this target (STR-TAC-11).
    """
    die = clamp_total(rolled.total)
    spent = 0
    if tokens:
        useful = results_by_tokens_worth_spending(die, tokens, counts_as)
        if len(useful) > 1:
            labels = tuple(Spent(count, result) for count, result in useful.items())
            counts, results = tuple(map(str, useful)), tuple(useful.values())
            about = SpendTokens(attack.who, attack.power, attack.target, die, useful[0], tokens)
            question = Choose(
                attack.who, "miss tokens", counts, labels, kind="tokens", outcomes=results, about=about
            )
            spent = int((yield question))
    return (yield from _decide_result_of_die(attack, die, printed, has_effect, spent, counts_as))


def _decide_result_of_die(
    attack: UndecidedAttack,
    die: int,
    printed: int,
    has_effect: bool,
    spent: int,
    die_counts_as: Mapping[int, int],
) -> Procedure[AttackResult]:
    """Return the result of a die on which `spent` Miss Tokens are spent.

    First the tokens raise the die, then the target's statuses change it (`die_counts_as`). If it then counts
    as a 3, and damage and the Effect are both possible, the attacker is asked to choose one of the two.
    """
    raised = raise_die_by_miss_tokens(die, spent)
    counts_as = die_counts_as[raised]
    row = attack_row(counts_as)
    times, effect = int(row["damage"]), bool(row["effect"]) and has_effect
    if row["result"] == "glancing":
        taken = "effect" if has_effect else "damage"
        if has_effect and printed:
            about = Glancing(attack.who, attack.power, attack.target, printed, attack.effect())
            taken = yield Choose(attack.who, "glancing", ("damage", "effect"), kind="glancing", about=about)
        times, effect = (times, False) if taken == "damage" else (0, effect)
    strike = die == combat_numbers()["attack_rules"]["strike_on"]
    turned = attack_row(die)["result"] == "miss" != row["result"]
    return AttackResult(counts_as, str(row["result"]), printed * times, times, effect, strike, spent, turned)


class LookUpAttackDie(Args):
    """The arguments of `combat ladder`: an attack die without an attacker or a target.

    `die` is the natural die, `damage` the power's printed damage in HP, `tokens` the Miss Tokens spent, and
    `mod` a flat modifier. `attacker` and `target` are the ids of statuses that each side has.
    """

    die: int
    damage: int
    tokens: int = 0
    mod: int = 0
    attacker: Sequence[str] = ()
    target: Sequence[str] = ()


def play_attack_table_lookup(world: World, args: LookUpAttackDie) -> Procedure[AttackLineData]:
    """Play `combat ladder`: look up one die on the attack table, without a fight."""
    sides = {
        side: {"statuses": [{"id": key} for key in statuses]}
        for side, statuses in (("attacker", args.attacker), ("target", args.target))
    }
    bare = World(world.book, {"fight": {"combatants": sides}})
    guard = {face: remap_die(bare, "target", face)[0] for face in FACES}
    outcome = yield from _decide_result_of_die(
        UndecidedAttack(), clamp_total(args.die + args.mod), args.damage, True, args.tokens, guard
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
