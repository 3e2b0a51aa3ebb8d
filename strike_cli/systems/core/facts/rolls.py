"""Facts, reasons and decisions about Skill Rolls and Opposed Rolls."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from strike_cli.kernel.statements import (
    Clause,
    Decision,
    Fact,
    FieldType,
    NamedId,
    Person,
    Reason,
    Shown,
    Speaker,
    Statement,
    TypedNameId,
    Words,
)
from strike_cli.tabletop.dice import DiceRoll
from strike_cli.tabletop.facts import Skill


class CostOf(Clause):
    """A reason for a Condition: the Cost of a roll."""

    what: Clause | None

    says = "the Cost of {what:?{what}|a roll}"


class SuccessWith(Clause):
    """A reason why a Condition ends: a success with a Skill."""

    what: Clause

    says = "a success with {what}"


class Helps(Clause):
    """A reason for Advantage: a second Skill helps, which costs an Action Point.

    `paid` is whether the point has been spent yet.
    """

    skill: Skill
    paid: bool = False

    says = "{skill} helps{paid:?| (1 AP)}"


class TwistFromFlaw(Clause):
    """A reason for gaining an Action Point: a Flaw that made a Twist."""

    on: Words

    says = "a Twist from the Flaw on {on}"


class MakeshiftTools(Clause):
    """A reason for Disadvantage: makeshift tools."""

    says = "makeshift tools"


class UnskilledHelp(Clause):
    """A reason for Disadvantage on a helper's die: the helper is Unskilled."""

    says = "Unskilled help"


class OfFlaw(Clause):
    """A reason for Disadvantage: a Flaw of the item in use."""

    on: Words
    text: Words = ""

    says = "{on}: {text:?{text}|flawed}"


class OwesFavor(Clause):
    """A reason for Disadvantage: a bad reputation, or a Favor that is owed to the people asked.

    `to` names those to whom the Favor is owed, or with whom the reputation is bad. If the people asked are
    only their associates, `asked` names the people asked.
    """

    who: Person
    to: Words
    reputation: bool
    asked: Words = ""

    says = "{reputation:?bad reputation with {to}|{who} owes {to} a favor}[, and {asked} is with them]"


class BankedBonus(Clause):
    """A reason for Advantage or Disadvantage: a banked bonus, with its id."""

    id: str
    why: Words = ""

    says = "{why:?{why} ({id})|banked {id}}"


OUTCOME = (
    "{outcome:success=Success|twist=Twist}{bonus:? with a Bonus}"
    "{costs:?{bonus:? and| with} {costs:a Cost|{costs} Costs}}"
)


class HelpedWith(Clause):
    """One helper's help: the helper's roll, and how much it added (STR-CORE-20).

    `side` is the side that got the help in an Opposed Roll.
    """

    name: Person
    roll: DiceRoll
    added: int
    side: str = ""

    says = "{name} helps with {roll} ({added:0=nothing added|+1})"


class DiceRolled(Fact, kind="rolled"):
    """Somebody rolls dice. Subclasses add the purpose and the result."""

    who: Person
    roll: DiceRoll

    section = "Rolls"
    in_short = True
    is_roll = True
    event = "roll"
    names_rollers = True


class DieRolled(DiceRolled, variant="die"):
    """A roll of plain dice, without any rule.

    If `keep` is positive, that many of the highest dice count. If it is negative, that many of the lowest
    dice count. If it is 0, all dice count.

    A roll such as `2d6+1d4`, or one with rerolls, also has `written`, its notation. Then `roll` is the first
    term, `more` has the other terms, and `all_faces` has all faces in words.
    """

    keep: int = 0
    plus: int = 0
    written: str = ""
    all_faces: str = ""
    more: Sequence[DiceRoll] = ()
    total: int | None = None

    says = "{dice}: {faces}{written:?. Total {total}|{summed:? ({kept:?keeps {kept}, |}sum {roll.total})}}."

    @property
    def dice(self) -> str:
        """The dice in notation: `4d6kh3`."""
        if self.written:
            return self.written
        n = len(self.roll.faces)
        dice = f"{n}d{self.roll.sides}" if n != 1 else f"d{self.roll.sides}"
        keep = f"k{'h' if self.keep > 0 else 'l'}{abs(self.keep)}" if self.keep else ""
        return f"{dice}{keep}{self.plus:+d}" if self.plus else f"{dice}{keep}"

    @property
    def faces(self) -> str:
        """The faces of the dice."""
        return self.all_faces or ", ".join(map(str, self.roll.faces))

    @property
    def kept(self) -> str:
        """The dice that count, "" if all do."""
        best_first = sorted(self.roll.faces, reverse=True)
        counted = best_first[: self.keep] if self.keep > 0 else best_first[self.keep :] if self.keep else ()
        return ", ".join(map(str, counted))

    @property
    def summed(self) -> bool:
        """Whether there is a sum to show: it is True for several dice, or with a modifier."""
        return len(self.roll.faces) > 1 or bool(self.plus)


class SkillRolled(DiceRolled, variant="skill"):
    """A Skill Roll (STR-CORE-03), with its helpers and its result."""

    skilled: bool
    helpers: Sequence[HelpedWith]
    outcome: str
    bonus: bool
    costs: int
    skill: Clause | None = None

    headline = OUTCOME
    says = (
        "{who:?{who}|Somebody} rolls {skill:?{skill} ({skilled:?Skilled|Unskilled})"
        "|{skilled:?Skilled|Unskilled}}: {roll}[, {helpers}]. "
        + OUTCOME
        + "{all_pay:?, and one for each helper}."
    )

    @property
    def all_pay(self) -> bool:
        """Whether each helper has a Cost, too (STR-CORE-20)."""
        return bool(self.helpers) and self.costs > 0

    def shown(self) -> Shown:
        """Return how the roll is displayed: a Twist as bad, a Success without Costs as good."""
        tone = "bad" if self.outcome == "twist" else "" if self.costs else "good"
        return Shown("cost" if self.costs else "roll", tone)


class WhichSkillIsMeant(Decision):
    """The question about a typed word that is on nobody's sheet: which Skill does it mean?"""

    who: Person
    word: Words

    asks = "'{word}' is on nobody's sheet. What does {who} roll?"


class AsOnSheet(Clause):
    """An option: a Skill that is on somebody's sheet. `skilled` is whether the roller has the Skill."""

    skilled: bool

    says = "{skilled:?Skilled|on another's sheet: Unskilled}"


class MeantAsTyped(Clause):
    """The option to keep a Skill as it was typed.

    It is one of the options when strike asks which Skill the roller means.
    """

    says = "as typed: Unskilled, and not asked about again"


class TaskTried(Fact):
    """The party has tried a task (STR-CORE-15)."""

    who: Person
    task: Words


Trick = Annotated[str, NamedId("trick")]
"""The name of a Trick on a sheet."""
Complication = Annotated[str, NamedId("complication")]
"""The name of a Complication on a sheet."""
Fallback = Annotated[str, NamedId("fallback")]
"""A character's Fallback, as the sheet words it."""
Player = Annotated[str, NamedId("player")]
"""The player of a character, as the sheet names them."""
Severity = Annotated[str, NamedId("severities")]
"""The severity of a Condition."""
Power = Annotated[str, NamedId("powers")]
"""The full id of a power of the book."""


class _UsedAsComplicationName(FieldType[str]):
    """The type of a field that names a Complication, or a thing that is used in place of a Complication.

    Such a thing is a Condition, a Flaw or a Favor. The name of a Flaw or Favor is a text that somebody typed.
    If this text names a person whom the audience may not know of, the field isn't shown.
    """

    def words(self, value: str, statement: Statement, speaker: Speaker, joint: str = "") -> str | None:
        return value if self.is_known(value, statement, speaker) else None

    def ids(self, value: str) -> Iterator[tuple[str, str]]:
        yield "complication", value

    def is_known(self, value: str, statement: Statement, speaker: Speaker) -> bool:
        fields = vars(statement)  # a fact can't have `of`: in the journal that is a list of entries
        return fields.get("sort", fields.get("of")) not in ("flaw", "favor") or speaker.audience_may_read(
            value
        )


UsedAsComplication = Annotated[str, _UsedAsComplicationName()]
"""The name of something that is used as a Complication.

The field `sort` or `of` of the statement says what it is: "complication", "condition", "flaw" or "favor".
"""


_SkillTyped = Annotated[str, TypedNameId("skill")]
"""A Skill, or the word that was typed in place of one."""
LOSERS_OPTIONS = {
    "insecure": "the winner's hold on it is shaky",
    "costly": "it costs the winner more than expected",
    "cheap": "it costs the loser less than expected",
    "extra": "the loser gets something out of it too",
}
"""The options of the loser of a close Opposed Roll (STR-CORE-16)."""
LOSERS_OPTION_CHOICE = "|".join(map("=".join, LOSERS_OPTIONS.items()))


class UnskilledAgainst(Clause):
    """A reason for Disadvantage: the roller is Unskilled, and the opponent is Skilled."""

    says = "Unskilled against Skilled"


class OpposedRolled(DiceRolled, variant="opposed"):
    """Two sides roll against each other (STR-CORE-16). `winner` is "ours", "theirs", or "" for a tie."""

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
        """The opponent."""
        return self.against.who

    @property
    def ours(self) -> _SkillTyped:
        """The Skill of our side, "" if none is named."""
        return self.roll.purpose.partition(": ")[2]

    @property
    def theirs(self) -> _SkillTyped:
        """The opponent's Skill, "" if none is named."""
        return self.against.purpose.partition(": ")[2]

    @property
    def our_help(self) -> Sequence[HelpedWith]:
        """The helpers of our side."""
        return [one for one in self.helpers if one.side == "ours"]

    @property
    def their_help(self) -> Sequence[HelpedWith]:
        """The helpers of the opponent."""
        return [one for one in self.helpers if one.side == "theirs"]

    def shown(self) -> Shown:
        return Shown("roll", {"ours": "good", "theirs": "bad"}.get(self.winner, ""))


class OurSide(Clause):
    """A side of an Opposed Roll that has no character: "ours" or "theirs"."""

    side: str

    says = "{side:ours=Our side|Their side}"


class SideWins(Clause):
    """The result after a tie is broken: the side that wins."""

    side: str
    who: Person

    says = "{who:?{who}|{side:ours=Our side|Their side}} wins"


class TieBroken(Fact):
    """A person's Complication breaks a tie in the opponent's favour (STR-CORE-17).

    `so` is the outcome of the roll after the tie is broken.
    """

    who: Person
    so: Clause

    section = "Rolls"
    event = "roll"
    headline = "A tie broken"
    says = "{who} breaks the tie: {so}."


class LoserChose(Fact):
    """The loser of an Opposed Roll has chosen how a narrow win is spoiled (STR-CORE-16).

    `who` is the loser. If the loser has no sheet, `who` is "", and the field `nobody` says in words who has
    lost.
    """

    who: Person
    option: str
    nobody: Reason = ""

    section = "Rolls"
    says = "{who:?{who}|{nobody}} chooses: {option:" + LOSERS_OPTION_CHOICE + "}."


class LetTieStand(Clause):
    """An option of BreakTheTie: the tie stays."""

    says = "let the tie stand"


class LoseBy(Clause):
    """An option of BreakTheTie: the Complication by which the tie is lost."""

    used: UsedAsComplication
    of: str

    says = "lose by {used}, +1 AP"


class BreakTheTie(Decision):
    """The question whether to break a tie in the opponent's favour (STR-CORE-17)."""

    who: Person

    asks = "{who} has tied. Lose the tie by a Complication, for an Action Point?"


class LosersOption(Decision):
    """The loser's choice of a way to spoil the win, after a close roll (STR-CORE-16).

    `who` is the loser. If the loser has no sheet, `who` is "", and the field `nobody` says in words who has
    lost.
    """

    who: Person
    nobody: Reason = ""

    asks = "{who:?{who}|{nobody}} has lost narrowly. What does the loser salvage?"
    options = LOSERS_OPTIONS
