"""Dice and Skill Rolls, and why a roll is as it is."""

from collections.abc import Sequence

from strike_cli.kernel.statements import Clause, Decision, Fact, Person, Shown, Words
from strike_cli.tabletop.dice import DiceRoll
from strike_cli.tabletop.facts import Skill


class CostOf(Clause):
    """A reason: the Cost of a roll."""

    what: Clause | None

    says = "the Cost of {what:?{what}|a roll}"


class SuccessWith(Clause):
    """A reason: a success with a Skill."""

    what: Clause

    says = "a success with {what}"


class Helps(Clause):
    """A reason: another Skill helps, for an Action Point `paid` or to be paid."""

    skill: Skill
    paid: bool = False

    says = "{skill} helps{paid:?| (1 AP)}"


class TwistFromFlaw(Clause):
    """A reason: a Flaw that went wrong."""

    on: Words

    says = "a Twist from the Flaw on {on}"


class MakeshiftTools(Clause):
    """A reason: the tools are none."""

    says = "makeshift tools"


class UnskilledHelp(Clause):
    """A reason: a helper is Unskilled."""

    says = "Unskilled help"


class OfFlaw(Clause):
    """A reason: a Flaw of what is used."""

    on: Words
    text: Words = ""

    says = "{on}: {text:?{text}|flawed}"


class OwesFavor(Clause):
    """A reason: what somebody of the party owes whom they ask, or those who are `asked` and with them."""

    who: Person
    to: Words
    reputation: bool
    asked: Words = ""

    says = "{reputation:?bad reputation with {to}|{who} owes {to} a favor}[, and {asked} is with them]"


class BankedBonus(Clause):
    """A reason: a bonus that was kept, by its id."""

    id: str
    why: Words = ""

    says = "{why:?{why} ({id})|banked {id}}"


OUTCOME = (
    "{outcome:success=Success|twist=Twist}{bonus:? with a Bonus}"
    "{costs:?{bonus:? and| with} {costs:a Cost|{costs} Costs}}"
)


class HelpedWith(Clause):
    """Somebody's help with a roll: their own roll, and what it adds (STR-CORE-20).

    `side` is the side of the roll where there are two.
    """

    name: Person
    roll: DiceRoll
    added: int
    side: str = ""

    says = "{name} helps with {roll} ({added:0=nothing added|+1})"


class DiceRolled(Fact, kind="rolled"):
    """Somebody rolls. What for, and what came of it, say its variants."""

    who: Person
    roll: DiceRoll

    section = "Rolls"
    in_short = True
    is_roll = True
    event = "roll"
    names_rollers = True


class DieRolled(DiceRolled, variant="die"):
    """Bare dice, with no rule: of them so many of the highest count, or below 0 of the lowest; 0 for all.

    Dice of several terms, or with more done to them, are `written` out: `roll` is then the first term, `more`
    the others, `all_faces` what they showed.
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
        """As people write them: `4d6kh3`."""
        if self.written:
            return self.written
        n = len(self.roll.faces)
        dice = f"{n}d{self.roll.sides}" if n != 1 else f"d{self.roll.sides}"
        keep = f"k{'h' if self.keep > 0 else 'l'}{abs(self.keep)}" if self.keep else ""
        return f"{dice}{keep}{self.plus:+d}" if self.plus else f"{dice}{keep}"

    @property
    def faces(self) -> str:
        """What they show."""
        return self.all_faces or ", ".join(map(str, self.roll.faces))

    @property
    def kept(self) -> str:
        """Those that count, where not all do."""
        best_first = sorted(self.roll.faces, reverse=True)
        counted = best_first[: self.keep] if self.keep > 0 else best_first[self.keep :] if self.keep else ()
        return ", ".join(map(str, counted))

    @property
    def summed(self) -> bool:
        """Whether there is a sum to tell."""
        return len(self.roll.faces) > 1 or bool(self.plus)


class SkillRolled(DiceRolled, variant="skill"):
    """A Skill Roll (STR-CORE-03): who helps, and what it came to."""

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
        """Return how it is shown: a Twist is bad, a Success without Costs good."""
        tone = "bad" if self.outcome == "twist" else "" if self.costs else "good"
        return Shown("cost" if self.costs else "roll", tone)


class WhichSkillIsMeant(Decision):
    """Which Skill somebody rolls, where the one that was typed is on nobody's sheet."""

    who: Person
    word: Words

    asks = "'{word}' is on nobody's sheet. What does {who} roll?"


class AsOnSheet(Clause):
    """That a Skill is on somebody's sheet, and whether it is the roller's own."""

    skilled: bool

    says = "{skilled:?Skilled|on another's sheet: Unskilled}"


class MeantAsTyped(Clause):
    """That a Skill is meant as it was typed."""

    says = "as typed: Unskilled, and not asked about again"


class TaskTried(Fact):
    """The party has tried something (STR-CORE-15)."""

    who: Person
    task: Words
