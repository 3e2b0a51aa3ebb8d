"""What harm, attacks and powers tell in a fight, and ask. No rule is here."""

from collections.abc import Sequence
from typing import Annotated

from strike_cli.kernel.statements import (
    NESTED,
    BookWords,
    Clause,
    Decision,
    Fact,
    Hp,
    HpNumber,
    Listed,
    Named,
    Person,
    Reason,
    Shown,
    Square,
    Words,
    Zone,
)
from strike_cli.systems.core.facts import DiceRolled
from strike_cli.tabletop.dice import DiceRoll
from strike_cli.tabletop.facts import Skill, Status

Power = Annotated[str, Named("powers")]
"""A power of the book, by its full id."""
Creature = Annotated[str, Named("creatures")]
"""A creature of the book, by its full id."""

RESULT = "critical=critical hit|solid=solid hit|glancing=glancing hit|miss"
DISPLACED = "push=pushed|pull=pulled|slide=slid|shift=shifted|teleported"


# What something comes of


class ByPower(Clause):
    """A cause: a power `of` somebody, of whom whoever is told it has to know."""

    power: Power
    of: Person = ""

    needs = ("of",)
    says = "{power}"


class ImprovisedAttack(Clause):
    """A cause: an attack that is on no sheet and that nobody has named (STR-TAC-14)."""

    says = "an improvised attack"


class ImprovisedEffect(Clause):
    """What an improvised attack does besides its damage, less when somebody does it `again` (STR-TAC-14)."""

    again: bool

    says = "an effect, {again:?weaker than before|strong}, as the game master says."


class OpportunityOf(Clause):
    """A cause: somebody's Opportunity (STR-TAC-08)."""

    who: Person

    says = "{who's} Opportunity"


class Because(Clause):
    """A cause with the reasons why it came to that: what gave damage a bonus, who stood in the way."""

    cause: Reason
    reasons: Sequence[Reason]

    says = "[{cause}][ ({reasons})]"


class GameMaster(Clause):
    """A cause: the game master."""

    says = "the game master"


class GameMasterSays(Clause):
    """Why somebody takes a Strike: the game master says so."""

    says = "the game master says so"


class OfZone(Clause):
    """A cause: a zone."""

    zone: Zone

    says = "{zone}"


class AllOf(Clause):
    """A cause: several together."""

    causes: Sequence[Reason]

    says = "{causes:and}"


class ComebackRoll(Clause):
    """A cause: a Comeback Roll (STR-TAC-16)."""

    says = "the Comeback Roll"


class AttackRollOfOne(Clause):
    """Why somebody takes a Strike (STR-TAC-09)."""

    says = "an attack roll of 1"


class CostOfRoll(Clause):
    """Why somebody takes a Strike: the Cost of a Skill Roll (STR-TAC-14)."""

    skill: Skill = ""

    says = "the Cost of {skill:?{skill}|a roll}"


class HouseStrike(Clause):
    """Why somebody takes a Strike by the house rule `hp_strikes`."""

    why: str

    says = "{why:incapacitated=Incapacitated|taken-out=Taken Out|first Bloodied}"


# What changes a number


class Adds(Clause):
    """Why a number is so much more, or less."""

    amount: int
    what: Reason

    says = "{amount:+} {what}"


class Halves(Clause):
    """Why a number is half of what it was."""

    what: Reason

    says = "half: {what}"


class Limits(Clause):
    """Why a number is no more than `most`."""

    most: int
    what: Reason

    says = "at most {most}: {what}"


class Prevents(Clause):
    """Why nothing of it is left."""

    what: Reason

    says = "prevented: {what}"


class Standing(Clause):
    """Why damage has a bonus: what the target has, and how things stand (`steps.CONDITIONS`)."""

    status: Status = ""
    condition: str = ""

    says = (
        "{status}{both:? and }{condition:bloodied=Bloodied|self-bloodied=oneself Bloodied|flanked=flanked"
        "|adjacent=adjacent|hidden=Hidden|critical=critical|}"
    )

    @property
    def both(self) -> bool:
        """Whether it is both."""
        return bool(self.status and self.condition)


# How long something lasts


class Lasting(Clause):
    """How long a status or a zone lasts, as it stands with whoever has it: until a turn `of` somebody, the
    `next` or the one under way; until a fact. `words` are those of a plugin's duration or moment, `after`
    what they have after whose turn it is."""

    ends: str
    of: Person = ""
    next: bool = False
    until: str = ""
    words: Reason = ""
    after: Reason = ""

    says = (
        "{ends:save=(save ends)|escape=(until it escapes)|encounter=(this fight)|permanent="
        "|turn-start=until the start of {of's} next turn"
        "|turn-end=until the end of {of's} {next:?next turn|turn}"
        "|until={until:damaged=(until hurt)|attacks=(until it attacks)|attacked=(until attacked)"
        "|moved=(until moved)|apart=(while near)|giver-down=(while the giver stands)|[({words})]}"
        "|[({words}[{of's} turn][{after}])]}"
    )


class StatusIs(Clause):
    """A status with its number, who gave it and how long it lasts, as far as there is any."""

    status: Status
    value: int | None = None
    by: Person = ""
    lasts: Lasting | None = None

    says = "{status}[ {value}][ by {by}][ {lasts}]"


class Compelled(Clause):
    """What somebody does who isn't their own master: about whoever it comes of, or what it gives them;
    `words` for what else befalls them."""

    do: str
    origin: Person = ""
    status: Status = ""
    words: Reason = ""

    unseen = ("origin",)
    says = (
        "{words:?{words}|{do:run-at=a run at |run-from=a run from |take-cover=into cover from "
        "|charge=a charge at |melee=a Melee Basic Attack on |ranged=a Ranged Basic Attack on |{status}}"
        "{status:?|{origin:?{origin}|nobody}}}"
    )


# HP


class Damaged(Fact):
    """Somebody loses HP, or boxes (STR-TAC-15, 27). `how` says what comes of it for who has boxes of
    `threshold`: "boxes" are checked, a "dent", "nothing"; `reasons` why the amount is what it is, `by` who
    did it."""

    who: Person
    amount: int
    cause: Reason
    hp: Hp
    reasons: Sequence[Reason] = ()
    by: Person = ""
    how: str = ""
    threshold: HpNumber = 0
    boxes: HpNumber = 0
    most: HpNumber = 0

    event = "harm"
    tone = "bad"
    headline = "{who} takes {amount} damage"
    says = (
        "{who} takes {amount} damage[ from {cause}][ ({reasons})]{how:nothing="
        "|dent=, less than {threshold}: a dent, and the next one checks a box"
        "|boxes=: {boxes:a box|{boxes} boxes} checked, {hp.after} of {most} left"
        "|: {hp.before} to {hp.after} HP}."
    )
    says_without_hp = "{who} takes {amount} damage[ from {cause}][ ({reasons})]."

    def shown(self) -> Shown:
        """No harm where nothing is lost."""
        return Shown(self.event, self.tone) if self.amount else Shown()


class Healed(Fact):
    """Somebody regains HP, or boxes (STR-TAC-15). How much shows how much was lacking."""

    who: Person
    amount: HpNumber
    cause: Reason
    hp: Hp
    in_boxes: bool = False

    event = "heal"
    tone = "good"
    headline = "{who} regains {amount} {in_boxes:?boxes|HP}"
    says = (
        "{who} regains {nothing:?nothing|{amount} {in_boxes:?boxes|HP}}[ from {cause}]"
        "{nothing:?|: {hp.before} to {hp.after} {in_boxes:?boxes|HP}}."
    )
    says_without_hp = "{who} regains {nothing:?nothing|{in_boxes:?boxes|HP}}[ from {cause}]."

    @property
    def nothing(self) -> bool:
        """Whether nothing was lacking."""
        return not self.amount

    def shown(self) -> Shown:
        """Nothing where nothing was lacking."""
        return Shown(self.event, self.tone) if self.amount else Shown()


class HpSet(Fact):
    """The game master sets somebody's HP, or boxes."""

    who: Person
    hp: Hp
    in_boxes: bool = False

    says = "The game master sets {who}: {hp.before} to {hp.after} {in_boxes:?boxes|HP}."
    says_without_hp = "The game master changes how {who} is."


class HpPaid(Fact):
    """Somebody pays HP, or boxes, for something, and has so many `left`."""

    who: Person
    amount: HpNumber
    what: Reason
    left: HpNumber
    in_boxes: bool = False

    event = "cost"
    says = "{who} pays {amount} {in_boxes:?boxes|HP}[ for {what}]: {left} left."
    says_without_hp = "{who} pays[ for {what}]."


class FirstBloodied(Fact):
    """Somebody has been Bloodied in this fight."""

    who: Person


class TakenOut(Fact):
    """Somebody is Taken Out (STR-TAC-15)."""

    who: Person

    style = "bad"
    highlight = True
    event = "fall"
    tone = "bad"
    headline = "{who} falls"
    says = "{who} is Taken Out."


class DamageDue(Fact):
    """Damage that would bring somebody down waits until they have had one final action (STR-TAC-25)."""

    who: Person
    why: Reason

    event = "harm"
    tone = "bad"
    headline = "One final action"
    says = "[{why} will bring {who} down: ]one final action first, an Attack, Role or Move."


class FinalAction(Fact):
    """The damage that waited for somebody's final action waits no more."""

    who: Person


# Statuses


class StatusGaining(Fact):
    """A status is about to take hold, given `by` somebody."""

    who: Person
    status: Status
    by: Person = ""


class StatusAdded(Fact):
    """A status takes hold; a `silent` one goes without saying."""

    who: Person
    status: Status
    value: int | None = None
    lasts: Lasting | None = None
    silent: bool = False

    event = "status"
    headline = "{who} is {status}"
    says = "{silent:?|{who} is {status}[ {value}][ {lasts}].}"

    def shown(self) -> Shown:
        """Nothing where it goes without saying."""
        return Shown() if self.silent else Shown(self.event, self.tone)


class StatusEnded(Fact):
    """A status ends; `how` says it otherwise: "silent", "back" in the fight, or who was Prone "stands"."""

    who: Person
    status: Status
    how: str = ""

    event = "status"
    headline = "{who} is no longer {status}"
    says = (
        "{how:silent=|back={who} is back, and still Prone.|stands={who} stands up."
        "|{who} is no longer {status}.}"
    )

    def shown(self) -> Shown:
        """Nothing where it goes without saying."""
        return Shown() if self.how == "silent" else Shown(self.event, self.tone)


class StatusLasts(Fact):
    """A status has one turn less to last."""

    who: Person


# Attacks


class Attacking(Fact):
    """An attack is about to be rolled."""

    who: Person
    targets: Sequence[Person]


class Attacked(Fact):
    """An attack roll and what it comes to (STR-TAC-09 to 11). `tokens` Miss Tokens have raised it to
    `raised`; it counts as `die` where what the target has (`guard`) says so. `turned`: the Miss Tokens made a
    hit of a miss. A basic attack goes without its `power`."""

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
        """A critical, a hit, a glancing hit or a miss: good or bad for whoever attacks."""
        event = "hit" if self.result == "solid" else self.result
        return Shown(event, "good" if self.hits else "bad")


class AttackLineRead(Fact):
    """What an attack die comes to by the table, between nobody and nobody (STR-TAC-09)."""

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
        """Whether it is a miss."""
        return self.result == "miss"


class OpportunityTaken(Fact):
    """Somebody takes an Opportunity that the `target` gives (STR-TAC-08)."""

    who: Person
    target: Person
    why: Reason

    style = "warn"
    event = "hit"
    headline = "An Opportunity"
    unseen = ("who", "target")
    says = "{target} gives {who} an Opportunity[ by {why}]."


class Improvised(Fact):
    """Somebody has improvised an attack in this fight (STR-TAC-14)."""

    who: Person


class TurnSpent(Fact):
    """Somebody has no action left in this turn."""

    who: Person


class StrikeTaken(Fact):
    """A player takes a Strike, or several, and has so many now (STR-TAC-17)."""

    who: Person
    strikes: int
    why: Reason

    style = "warn"
    event = "cost"
    tone = "bad"
    headline = "A Strike"
    says = "{who} takes a Strike ({strikes} now)[: {why}]."


class TokenGained(Fact):
    """A player gains Miss Tokens and has so many `now` (STR-TAC-10)."""

    who: Person
    n: int
    now: int

    style = "dim"
    in_story = False
    event = "gain"
    tone = "good"
    headline = "{n:A Miss Token|{n} Miss Tokens}"
    says = "{who} gains {n:a Miss Token|{n} Miss Tokens} ({now} now)."


# Rolls


class SaveRolled(DiceRolled, variant="save"):
    """A Saving Throw against a status, with its number where it is one of several (STR-TAC-03)."""

    status: Status
    ended: bool
    value: int | None = None

    event = "save"
    headline = "{ended:?Saved|Not saved} against {status}"
    says = "{who} saves against {status}[ {value}]: {roll}, it {ended:?ends|stays}."

    def shown(self) -> Shown:
        """Good where the status ends."""
        return Shown(self.event, "good" if self.ended else "bad")


class ComebackRolled(DiceRolled, variant="comeback"):
    """A Comeback Roll: HP are `lost`, or who is Incapacitated is `back`, or nothing (STR-TAC-16)."""

    result: str
    hp: int

    event = "save"
    headline = "{result:lost=No comeback|back=A comeback|No comeback yet}"
    says = (
        "{who's} Comeback Roll: {roll}, {result:lost=loses {hp} HP|back=is back in the fight"
        "|nothing changes}."
    )

    def shown(self) -> Shown:
        """Good for who is back."""
        return Shown(self.event, {"lost": "bad", "back": "good"}.get(self.result, ""))


class AssessRolled(DiceRolled, variant="assess"):
    """A die says how many questions may be asked (STR-TAC-13)."""

    questions: int

    headline = "{questions:One question|{questions} questions}"
    says = "{who} assesses: {roll}, {questions:one question|{questions} questions}."


class ControlRolled(DiceRolled, variant="control"):
    """A die says what somebody does who isn't their own master (STR-TAC-25)."""

    status: Reason
    does: Sequence[Compelled]

    says = "{who} is {status}: {roll}, {does:and}."


# Why somebody gets an Opportunity


class Leaving(Clause):
    """By leaving a square."""

    square: Square

    says = "leaving {square}"


class AttackingBeside(Clause):
    """By an attack at range next to whoever gets it."""

    says = "making a ranged attack next to it"


class DoingWhile(Clause):
    """By what somebody does while they have something; `words` for it are a plugin's."""

    act: str
    status: Reason
    words: Reason = ""

    says = (
        "{act:gaining=becoming {status}|{act:shifting=shifting|attacking=attacking|being=being|{words}} "
        "while {status}}"
    )


# Powers


class PowerTold(Fact):
    """Somebody uses a power that isn't rolled, on others than themselves or on nobody."""

    who: Person
    power: Power
    on: Sequence[Person] = ()

    headline = "{power}"
    says = "{who} uses {power}[ on {on:list}]."


class PowerUsed(Fact):
    """A use of a power is spent."""

    who: Person


class PowerRegained(Fact):
    """Somebody may use a power once more that they had used."""

    who: Person
    power: Power

    event = "gain"
    tone = "good"
    headline = "{power} again"
    says = "{who} may use {power} again."


class Noted(Fact):
    """Something to be known at the table of which no rule makes anything: `what`, in words; of a `power` it
    has its name before it."""

    who: Person
    what: Reason
    power: Reason = ""

    says = "[{power}: ]{what}"


class NoEffect(Clause):
    """A power's Effect doesn't happen: nobody can explain it (STR-TAC-26)."""

    power: Reason
    why: Words

    says = "[{power} has ]no Effect[: {why}]."


class TwistWastes(Clause):
    """What a Twist of a Skill Roll in a fight may be (STR-TAC-14)."""

    action: str

    says = "A Twist: it may be no more than the {action:attack=attack|move=move|role} action wasted."


class RechargeRolled(Clause):
    """A die for a power that it may bring back."""

    who: Person
    power: Power
    face: int

    says = "{who} rolls for {power}: {face}."


class CantAttack(Clause):
    """Somebody who was granted an attack, or charged at a `target`, can't make it, for a reason that is known
    or not."""

    who: Person
    how: str = ""
    target: Person = ""
    because: Reason = ""

    unseen = ("target",)
    says = (
        "{who} {how:now=can't attack now.|nobody=has nobody to attack.|can't attack {target}[: {because}].}"
    )


class NoRoomFor(Clause):
    """Nothing comes of a summon or a zone, by somebody's power: there is no square for it."""

    what: BookWords
    of: Person

    needs = ("of",)
    says = "There is no room for {what}."


class CantBeMoved(Clause):
    """Somebody isn't moved by an effect, not at all or to nowhere else; can't shift for what they have,
    `held`."""

    who: Person
    how: str
    held: Reason = ""
    anywhere: bool = False

    says = "{who} can't {held:?shift: {held}|be {how:" + DISPLACED + "}{anywhere:? anywhere}}."


class ComesToNothing(Clause):
    """Why a step of a power does nothing to somebody."""

    how: str
    who: Person = ""
    other: Person = ""
    status: Status = ""

    says = (
        "{how:nobody=nobody is there whom {who} could choose|has={who} is {status} already"
        "|end={who} has nothing that it could end|save={who} has nothing to save against"
        "|go={who} has nowhere to go|swap={who} and {other} can't change places|it comes to nothing}."
    )


class ShowsFace(Clause):
    """A die for somebody, of a power."""

    who: Person
    face: int

    says = "{who}: {face}."


class DieBecomes(Clause):
    """The die on the table is another."""

    before: int
    after: int

    says = "{before} becomes {after}."


class IsLeft(Clause):
    """How much is left of what was about to come: squares, or HP of damage."""

    amount: int
    in_squares: bool

    says = "{amount} {in_squares:?squares|damage} is left."


class Befalls(Clause):
    """What was about to come befalls somebody else."""

    who: Person

    says = "it befalls {who}."


# What is about to come


class AttackOn(Clause):
    """What an attack roll is about."""

    power: Reason
    target: Person
    again: bool = False

    unseen = ("target",)
    says = "{power} at {target}{again:?, again}"


class Flanking(Clause):
    """Why an attack has Advantage: an ally on the other side (STR-TAC-20)."""

    ally: Person

    says = "flanking with {ally}"


class WillTake(Clause):
    """Somebody is about to take damage."""

    who: Person
    amount: int
    cause: Reason

    says = "{amount} damage to {who}[ from {cause}]"


class WillMove(Clause):
    """Somebody is about to move to a square."""

    who: Person
    to: Square

    says = "{who} moves[ to {to}]"


class WillBeMoved(Clause):
    """Somebody is about to be moved by an effect, so many squares."""

    who: Person
    how: str
    squares: int

    says = "{who} would be {how:" + DISPLACED + "} {squares}"


class WillAttack(Clause):
    """Somebody is about to attack."""

    who: Person
    target: Person
    power: Reason

    unseen = ("who", "target")
    says = "{who} attacks {target}[ with {power}]"


class WillUse(Clause):
    """Somebody is about to use a power."""

    who: Person
    power: Reason

    says = "{who} uses {power}"


class DieOnTable(Clause):
    """The die of an attack that lies on the table."""

    who: Person
    target: Person
    die: int = 0
    result: str = ""

    unseen = ("who", "target")
    says = "{who's} die against {target}{result:?: {die}, a {result:" + RESULT + "}}"


class WillHit(Clause):
    """An attack is about to hit."""

    who: Person
    target: Person
    result: str

    unseen = ("who", "target")
    says = "a {result:" + RESULT + "} of {who} on {target}"


class HasHit(Clause):
    """An attack has hit, or missed."""

    who: Person
    target: Person
    hit: bool

    unseen = ("who", "target")
    says = "{who} has {hit:?hit|missed} {target}"


# What an Effect comes to, in few words


class StepIs(Clause):
    """A step of a power in few words, for whoever decides about it: whom it is for, where that isn't the
    target, what it does, and on what condition. `words` say one that has no words here."""

    do: str
    whom: str = "target"
    amount: int = 0
    status: StatusIs | None = None
    ends: Status = ""
    words: Reason = ""

    says = (
        "{whom:self=oneself: |ally=an ally: |allies=allies: |enemies=enemies: |around=all: |}"
        "{do:apply={status}|damage={amount} more damage|heal=heals {amount}|push=pushed {amount}"
        "|pull=pulled {amount}|slide=slid {amount}|shift=shifts {amount}|teleport=teleported {amount}"
        "|swap=changes places|end=ends {ends:?{ends}|a harmful status}|save=a Saving Throw at once"
        "|token={amount:a Miss Token|{amount} Miss Tokens}|strike={amount:a Strike|{amount} Strikes}"
        "|ap={amount:an Action Point|{amount} Action Points}|regain=an Encounter power again|{words}}"
    )


class OptionIs(Clause):
    """One of several things that a power may do, by its name, and what it comes to."""

    name: Reason
    comes_to: Sequence[Reason] = ()

    says = "{name}[: {comes_to}]"


class OneOf(Clause):
    """One of several lists of steps, as somebody will say."""

    options: Sequence[OptionIs]

    says = "one of {options:or}"


class FaceIs(Clause):
    """What comes of some faces of a die."""

    faces: BookWords
    steps: Sequence[Reason]

    says = "{faces}: {steps:?{steps}|nothing}"


class DieEach(Clause):
    """A die for each, and what comes of its face."""

    faces: Annotated[Sequence[FaceIs], Listed(NESTED, "; ")]

    says = "a die each ({faces})"


class TimesOver(Clause):
    """Steps that are done several times."""

    times: int
    steps: Sequence[Reason]

    says = "{times} times: {steps}"


# What is to be decided


class Glancing(Decision):
    """Damage or Effect, on a 3 (STR-TAC-09)."""

    who: Person
    power: Reason
    target: Person
    damage: int
    effect: Sequence[Reason]

    unseen = ("target",)
    asks = "[{power} against ]{target}, a glancing hit: {damage} damage, or {effect}?"
    options = {"damage": "{damage} damage", "effect": "{effect}"}


class SpendTokens(Decision):
    """Whether to spend Miss Tokens on an attack roll, and how many (STR-TAC-10). It shows `die` now."""

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
    """What so many Miss Tokens make of an attack roll."""

    n: int
    result: str

    says = "{n:0=keep|spend {n}}: a {result:" + RESULT + "}"


class TakeOpportunity(Decision):
    """Whether to take an Opportunity (STR-TAC-08)."""

    who: Person
    target: Person
    damage: int
    why: Reason

    asks = "{target} gives {who} an Opportunity[ by {why}]: strike for {damage} damage?"
    options = {"take": "{who} strikes at {target} for {damage} damage", "pass": "let it pass"}


class AttacksWith(Clause):
    """What somebody is about to do: attack with a power."""

    power: Reason

    says = "attacks with {power}"


class AtOwnSide(Clause):
    """A price: it is aimed at one's own side."""

    targets: Sequence[Person]

    says = "at {targets:list}, of their own side"


class OpportunityFrom(Clause):
    """Somebody's Opportunity, and the HP that it would take."""

    who: Person
    damage: int

    says = "{who} ({damage} damage)"


class GivingOpportunities(Clause):
    """A price: Opportunities that are given."""

    to: Sequence[OpportunityFrom]

    says = "giving {to:an Opportunity|Opportunities} to {to}"


class AnswerWith(Decision):
    """Whether to answer what is about to come, or has just come, with a power."""

    who: Person
    power: Reason
    against: Person
    coming: Reason

    unseen = ("against",)
    asks = "[{coming}. ]Does {who} use {power}[ against {against}]?"
    options = {"use": "{who} uses {power}", "pass": "let it pass"}


class WhichAlly(Decision):
    """Whom of several a power is for."""

    who: Person
    power: Reason

    asks = "{power}: which ally?"


class WhichStatus(Decision):
    """Which of several statuses ends, is saved against, or is escaped from; of a `power`, where it is one's.
    `how` is what is done about it."""

    who: Person
    how: str
    power: Reason = ""

    asks = (
        "[{power}: ]{how:end=which status of {who} ends?|save=what does {who} save against?"
        "|escape=what does {who} try to get out of?|order=which save does {who} make first?}"
    )


class WhereTo(Decision):
    """Where somebody goes by a power, if anywhere."""

    who: Person
    power: Reason

    asks = "{power}: where does {who} move?"
    options = {"stay": "{who} stays"}
    answers = "square"


class WhichOption(Decision):
    """Which of several things a power does to somebody."""

    who: Person
    power: Reason
    to: Person = ""

    unseen = ("to",)
    asks = "{power}[ against {to}]: which?"


class RegainWhich(Decision):
    """Which spent power somebody may use again."""

    who: Person

    asks = "Which power does {who} regain?"


class AttackWith(Decision):
    """With what somebody makes an attack that they are granted (STR-TAC-04)."""

    who: Person
    power: Reason

    asks = "[{power}: ]{who} may attack at once. With what?"


class AttackWhom(Decision):
    """Whom somebody attacks who is granted an attack (STR-TAC-04)."""

    who: Person
    power: Reason
    granted_by: Reason

    asks = "[{granted_by}: ]{who} may attack at once with {power}. Whom?"


class NoAttack(Clause):
    """An option: the attack isn't made."""

    says = "no attack"


class WhatFirst(Decision):
    """Which effect of the start or end of a turn comes first (STR-TAC-03)."""

    who: Person

    asks = "What comes first for {who}?"


class DamageFrom(Clause):
    """An effect of a turn: so much damage."""

    amount: int
    cause: Reason

    says = "{amount} damage from {cause}"


class HpFrom(Clause):
    """An effect of a turn: so many HP."""

    amount: int
    cause: Reason

    says = "{amount} HP from {cause}"


class Ends(Clause):
    """An effect of a turn: a status ends."""

    status: Status

    says = "{status} ends"


class Recharges(Clause):
    """An effect of a turn: a die that may bring a power back."""

    power: Power

    says = "{power} recharges"
