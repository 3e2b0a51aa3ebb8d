"""Attack rolls: their results, and the decisions about them."""

from collections.abc import Sequence

from strike_cli.kernel.statements import Clause, Decision, Fact, Person, Reason, Shown
from strike_cli.tabletop.dice import DiceRoll

RESULT = "critical=critical hit|solid=solid hit|glancing=glancing hit|miss"


class Attacking(Fact):
    """An attack is about to be rolled."""

    who: Person
    targets: Sequence[Person]


class Attacked(Fact):
    """An attack roll and its result (STR-TAC-09 to 11).

    Attributes:
        power: The power, empty for a basic attack.
        tokens: How many Miss Tokens the attacker spent.
        raised: The die after the Miss Tokens were spent.
        turned: Whether the Miss Tokens turned a miss into a hit.
        guard: The status of the target that changes the die, if there is one.
        die: The die that counts because of `guard`.
    """

    who: Person
    target: Person
    roll: DiceRoll
    result: str
    hits: bool
    power: Reason = ""
    tokens: int = 0
    raised: int = 0
    guard: Reason = ""
    die: int = 0
    turned: bool = False

    unseen = ("who", "target")
    headline = "{result:critical=Critical hit|glancing=Glancing hit|miss=Miss|Hit}"
    says = (
        "{who} attacks {target}[ with {power}]: {roll}"
        "{tokens:?, {raised} with {tokens} {tokens:Miss Token|Miss Tokens}}"
        "[, counts as {die} ({target} is {guard})], a {result:" + RESULT + "}."
    )

    def shown(self) -> Shown:
        """Return the display of the result: good for the attacker if it hits, else bad."""
        event = "hit" if self.result == "solid" else self.result
        return Shown(event, "good" if self.hits else "bad")


class AttackLineRead(Fact):
    """An attack die is looked up on the attack table, without a fight (STR-TAC-09).

    `natural` is the die as rolled, and `die` the die that counts.
    """

    natural: int
    die: int
    result: str
    damage: int
    effect: bool
    strike: bool

    says = (
        "{natural} comes to {die}: {result:critical=critical|solid=solid|glancing=glancing|miss}, "
        "{damage} damage{effect:?, the effect}{strike:?, a Strike}{missed:?, a Miss Token}."
    )

    @property
    def missed(self) -> bool:
        """Whether the attack misses."""
        return self.result == "miss"


class AttackOn(Clause):
    """The power and the target of an attack roll.

    `again` is true if the same use of the power has already made an attack roll.
    """

    power: Reason
    target: Person
    again: bool = False

    unseen = ("target",)
    says = "{power} at {target}{again:?, again}"


class Flanking(Clause):
    """A reason for Advantage on an attack: `ally` is on the opposite side of the target (STR-TAC-20)."""

    ally: Person

    says = "flanking with {ally}"


class WillAttack(Clause):
    """An event: `who` is about to attack `target`."""

    who: Person
    target: Person
    power: Reason

    unseen = ("who", "target")
    says = "{who} attacks {target}[ with {power}]"


class DieOnTable(Clause):
    """An event: the die of an attack roll is about to count, and reactions may still change it.

    `die` and `result` are unset until the attack table has been read.
    """

    who: Person
    target: Person
    die: int = 0
    result: str = ""

    unseen = ("who", "target")
    says = "{who's} die against {target}{result:?: {die}, a {result:" + RESULT + "}}"


class WillHit(Clause):
    """An event: an attack is about to hit."""

    who: Person
    target: Person
    result: str

    unseen = ("who", "target")
    says = "a {result:" + RESULT + "} of {who} on {target}"


class HasHit(Clause):
    """An event: an attack has hit or has missed, as `hit` says."""

    who: Person
    target: Person
    hit: bool

    unseen = ("who", "target")
    says = "{who} has {hit:?hit|missed} {target}"


class Glancing(Decision):
    """The choice of Damage or Effect, on a 3 (STR-TAC-09)."""

    who: Person
    power: Reason
    target: Person
    damage: int
    effect: Sequence[Reason]

    unseen = ("target",)
    asks = "[{power} against ]{target}, a glancing hit: {damage} damage, or {comes_to}?"
    options = {"damage": "{damage} damage", "effect": "{comes_to}"}

    @property
    def comes_to(self) -> Reason:
        """All steps of the power's Effect, as one clause that says what they would do."""
        from .step_descriptions import StepsAre

        return StepsAre(self.effect)


class SpendTokens(Decision):
    """The question of how many Miss Tokens to spend on an attack roll (STR-TAC-10).

    `die` and `result` are those of the roll if no token is spent; `held` is how many Miss Tokens `who` has.
    """

    who: Person
    power: Reason
    target: Person
    die: int
    result: str
    held: int

    unseen = ("target",)
    asks = (
        "[{power} against ]{target}, a {result:" + RESULT + "} with {die:a}. "
        "Does {who} spend {held:a Miss Token|Miss Tokens, of {held}}?"
    )


class Spent(Clause):
    """An option: the result of the attack roll if `n` Miss Tokens are spent."""

    n: int
    result: str

    says = "{n:0=keep|spend {n}}: a {result:" + RESULT + "}"


class AttacksWith(Clause):
    """Part of the question GoOrStay: the creature is about to attack with a power."""

    power: Reason

    says = "attacks with {power}"


class AtOwnSide(Clause):
    """A price: the attack is aimed at the attacker's own side."""

    targets: Sequence[Person]

    says = "at {targets:list}, on their own side"
