"""The attack table, which turns an attack die into the attack's result (STR-TAC-09 to 11).

Miss Tokens and statuses can change the result.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from strike_cli.immutable_records import Value
from strike_cli.kernel.procedure import Args, Choose, Procedure, World
from strike_cli.kernel.statements import Reason
from strike_cli.tabletop.active_effects import halve_damage_if_effect_says, remap_die
from strike_cli.tabletop.dice import Rolled, clamp_total

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
    """Return a function that tells which faces of the attack die lead to the same result.

    The function returns a key for a face. Faces with the same key have the same result. The function is for
    attacks without Miss Tokens.

    Args:
        counts_as: For each number from 1 up, the number that it counts as.
        modifier: The sum of the modifiers, which is added to the face first.
        takes_strikes: Whether the attacker can take Strikes.
    """

    def result_key(face: int) -> Hashable:
        die = clamp_total(face + modifier)
        row = attack_row(counts_as[die - 1])
        strike = takes_strikes and die == combat_numbers()["attack_rules"]["strike_on"]
        return row["result"], row["damage"], row["effect"], attack_row(die)["result"], strike

    return result_key


def raise_die_by_miss_tokens(die: int, tokens: int) -> int:
    """Return the attack die after `tokens` Miss Tokens are spent (STR-TAC-10).

    If the die shows a 1, the first token turns it into a 3, and each further token adds 1. If it shows
    another face, each token adds 1. The result is at most 6.
    """
    if tokens and die == 1:
        die, tokens = combat_numbers()["attack_rules"]["token_raises_one_to"], tokens - 1
    return min(die + tokens, 6)


def results_by_tokens_worth_spending(die: int, held: int, counts_as: Mapping[int, int]) -> dict[int, str]:
    """Return the numbers of Miss Tokens that are worth spending, each with its result (STR-TAC-10).

    A number is worth spending if no smaller number gives the same result. So 0 is always among them.

    Args:
        die: The die that was rolled.
        held: How many Miss Tokens the attacker has.
        counts_as: The number as which each die counts against the target.
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
    def may_deal_damage(self) -> bool:
        """Whether the result deals damage.

        It can be True even if the power itself has no damage, since a bonus may add some.
        """
        return bool(self.times)


class UndecidedAttack(Value):
    """What the questions about an attack roll show to the attacker.

    The questions name the attacker (`who`), the `power` and the `target`. `effect` is a function that returns
    the power's Effect in words.
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
    """Ask for the attacker's choices after an attack roll, and return the result of the roll.

    The attacker may spend Miss Tokens to raise the die. If the die then counts as a 3, the attacker chooses
    between damage and the Effect. Nobody is asked if there is only one possibility.

    Args:
        attack: The attack, for the words of the questions.
        rolled: The roll.
        printed: The power's damage in HP.
        has_effect: Whether the power has an Effect.
        tokens: The number of Miss Tokens that the attacker has.
        counts_as: For each die, the die that it counts as against this target (STR-TAC-11).
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
    """Return the result of an attack die.

    First, the spent Miss Tokens (`spent`) raise the die. Then the target's statuses may change what it counts
    as (`die_counts_as`). If it counts as a 3, and the power has both damage (`printed`) and an Effect
    (`has_effect`), the attacker chooses one of the two.
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
    """The arguments of `combat ladder`, which looks up the result of an attack die outside of a fight.

    `die` is the natural die, `mod` a flat modifier, and `tokens` the number of Miss Tokens spent. `damage` is
    the power's printed damage in HP. `attacker` has the ids of the attacker's statuses, and `target` those of
    the target's statuses.
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
    damage, _ = halve_damage_if_effect_says(bare, "attacker", outcome.damage)
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
