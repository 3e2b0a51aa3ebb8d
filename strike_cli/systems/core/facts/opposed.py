"""Opposed Rolls, and how the loser spoils the win."""

from collections.abc import Sequence
from typing import Annotated

from strike_cli.kernel.statements import Clause, Decision, Fact, Person, Reason, Shown, TypedName
from strike_cli.tabletop.dice import DiceRoll

from .field_types import UsedAsComplication
from .rolls import DiceRolled, HelpedWith

_SkillTyped = Annotated[str, TypedName("skill")]
"""A Skill, or whatever somebody typed in place of one."""
LOSERS_OPTIONS = {
    "insecure": "the winner's hold on it is shaky",
    "costly": "it costs the winner more than expected",
    "cheap": "it costs the loser less than expected",
    "extra": "the loser gets something out of it too",
}
"""What the loser of a close Opposed Roll may choose (STR-CORE-16)."""
LOSERS_OPTION = "|".join(f"{option}={words}" for option, words in LOSERS_OPTIONS.items())


class UnskilledAgainst(Clause):
    """A reason: somebody Unskilled meets somebody Skilled."""

    says = "Unskilled against Skilled"


class OpposedRolled(DiceRolled, variant="opposed"):
    """Two rolls against each other (STR-CORE-16): `winner` is "ours", "theirs", or "" for a tie."""

    against: DiceRoll
    winner: str
    margin: int
    complete: bool
    helpers: Sequence[HelpedWith] = ()

    headline = "{winner:ours={who:?{who} wins|We win}|theirs={other:?{other} wins|They win}|A tie}"
    says = (
        "{who:?{who}|Our side} rolls {ours:?{ours}: |}{roll}[, {our_help}]; "
        "{other:?{other}|Their side} rolls {theirs:?{theirs}: |}{against}[, {their_help}]. "
        "{winner:ours={who:?{who}|Our side} wins {complete:?completely|by {margin}}"
        "|theirs={other:?{other}|Their side} wins {complete:?completely|by {margin}}"
        "|A tie: neither gets what they wanted}."
    )

    @property
    def other(self) -> Person:
        """Who rolls against them."""
        return self.against.who

    @property
    def ours(self) -> _SkillTyped:
        """The Skill that `who` rolls; "" where none is named."""
        return self.roll.purpose.partition(": ")[2]

    @property
    def theirs(self) -> _SkillTyped:
        """The Skill that the other rolls; "" where none is named."""
        return self.against.purpose.partition(": ")[2]

    @property
    def our_help(self) -> Sequence[HelpedWith]:
        """The help that `who` has."""
        return [one for one in self.helpers if one.side == "ours"]

    @property
    def their_help(self) -> Sequence[HelpedWith]:
        """The help that the other has."""
        return [one for one in self.helpers if one.side == "theirs"]

    def shown(self) -> Shown:
        return Shown("roll", {"ours": "good", "theirs": "bad"}.get(self.winner, ""))


class OurSide(Clause):
    """A side that is nobody in particular: "ours" or "theirs"."""

    side: str

    says = "{side:ours=Our side|Their side}"


class SideWins(Clause):
    """The result of a broken tie."""

    side: str
    who: Person

    says = "{who:?{who}|{side:ours=Our side|Their side}} wins"


class TieBroken(Fact):
    """A tie that somebody breaks in the opponent's favour with a Complication (STR-CORE-17).

    `so` is the result.
    """

    who: Person
    so: Clause

    section = "Rolls"
    event = "roll"
    headline = "A tie broken"
    says = "{who} breaks the tie: {so}."


class LoserChose(Fact):
    """The choice of a close roll's loser, how the win is spoiled (STR-CORE-16).

    `nobody` is the name of a loser who is nobody in particular.
    """

    who: Person
    option: str
    nobody: Reason = ""

    section = "Rolls"
    says = "{who:?{who}|{nobody}} chooses: {option:" + LOSERS_OPTION + "}."


class LetTieStand(Clause):
    """An answer to BreakTheTie."""

    says = "let the tie stand"


class LoseBy(Clause):
    """An answer to BreakTheTie: a Complication."""

    used: UsedAsComplication
    of: str

    says = "lose by {used}, +1 AP"


class BreakTheTie(Decision):
    """Whether somebody breaks a tie in the opponent's favour (STR-CORE-17)."""

    who: Person

    asks = "{who} has tied. Lose it by a Complication, for an Action Point?"


class LosersOption(Decision):
    """How the loser of a close roll spoils the win (STR-CORE-16)."""

    who: Person
    nobody: Reason = ""

    asks = "{who:?{who}|{nobody}} has lost narrowly. How is the win spoiled?"
    options = LOSERS_OPTIONS
