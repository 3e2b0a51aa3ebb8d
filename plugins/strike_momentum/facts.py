"""The facts and decisions of fights by Momentum. No rule is here."""

from collections.abc import Sequence
from typing import Annotated

from strike_cli.plugin.facts import (
    BookWords,
    Clause,
    Decision,
    DiceRoll,
    Fact,
    HpNumber,
    Named,
    Person,
    Shown,
    Square,
    Words,
)

from .numbers import CRITICAL_FACE

Status = Annotated[str, Named("status_effects")]
"""The id of a Status Effect or a stance."""
Encounter = Annotated[str, Named("encounters")]
"""The id of an encounter."""

TYPE = (
    "physical=Physical|psychic=Psychic|reality=Reality|chemical=Chemical|cold=Cold|heat=Heat|poison=Poison"
    "|shock=Shock|curse=Curse|holy=Holy|spirit=Spirit"
)
STAT = "str=STR|dex=DEX|con=CON|int=INT|cha=CHA|ins=INS|wil=WIL"


def thing_name(id: str) -> str:
    """Return the name of a thing in words: `great-axe`."""
    return id.replace("-", " ")


# Reasons


class HitBonus(Clause):
    """A modifier: the bonus of a weapon or of Abilities (WSH-09)."""

    says = "hit bonus"


class BareBonus(Clause):
    """A modifier: the bonus from the numbers of a bare roll."""

    says = "bonus"


class DefenseBonus(Clause):
    """A modifier: a Stat's bonus and its Skill (WSH-14)."""

    stat: str
    skill: BookWords

    says = "{stat:" + STAT + "} and {skill}"


class InHalfCover(Clause):
    """A modifier: half cover (WSH-18)."""

    says = "half cover"


class FromStatus(Clause):
    """A reason: a Status Effect or a stance, of `whose` where it isn't the roller's (WSH-16)."""

    status: Status
    whose: Person = ""

    says = "{whose:?{whose} is {status}|{status}}"


class AttackFromHiding(Clause):
    """A reason: the attacker is hidden (WSH-07)."""

    says = "hidden"


class RiddenBy(Clause):
    """A reason: the target has climbed onto the attacker (WSH-07)."""

    who: Person

    says = "{who} has climbed onto them"


class EnemyNear(Clause):
    """A reason: an enemy is too near to shoot (WSH-09)."""

    who: Person

    says = "{who} is within 1 m"


class SmallerThan(Clause):
    """A reason: the opponent has a smaller size category (WSH-07)."""

    who: Person

    says = "{who} is smaller"


class LargerThan(Clause):
    """A reason: the roller has a larger size category (WSH-07, 19)."""

    who: Person

    says = "larger than {who}"


class HeavyGear(Clause):
    """A reason: heavy armor or a shield makes Stealth hard (WSH-12)."""

    what: str

    says = "heavy {what:shield=shield|armor}"


class ActingTogether(Clause):
    """A reason: several act together in a Cinematic Action (WSH-08)."""

    says = "together"


# The subject of a roll, for the roller


class AimedWith(Clause):
    """The subject of an attack roll: the weapon and the target (WSH-09)."""

    target: Person
    weapon: BookWords

    says = "{weapon} against {target}"


class AgainstDifficulty(Clause):
    """The subject of a check: the number to reach."""

    difficulty: int

    says = "against {difficulty}"


class AgainstSomebody(Clause):
    """The subject of a contested check: the opponent (WSH-07)."""

    who: Person

    says = "against {who}"


# Rolls by themselves


class MomentumReckoned(Fact):
    """The result of numbers alone: Initiative, or a bare roll, which must reach `needed`."""

    initiative: int = 0
    roll: DiceRoll | None = None
    needed: int | None = None
    outcome: str = ""

    says = (
        "{roll:?{roll}[ against {needed}: {outcome:hits=hits|misses=misses|resisted=resisted"
        "|success=a success|failure=a failure|not resisted}]."
        "|Initiative {initiative}.}"
    )


class StatBonus(Clause):
    """A reason: the bonus of a Stat."""

    stat: str

    says = (
        "{stat:str=Strength|dex=Dexterity|con=Constitution|int=Intelligence|cha=Charisma|ins=Instinct|Will}"
    )


class MomentumRolled(Fact):
    """A roll of dice, to show the faces; another fact has the result."""

    who: Person
    roll: DiceRoll


class MomentumChecked(Fact):
    """A Skill Check, against a number or contested (WSH-07)."""

    who: Person
    skill: BookWords
    roll: DiceRoll
    outcome: str

    section = "Checks"
    is_roll = True
    in_short = True
    event = "roll"
    headline = "{called:cap}: {outcome:success=success|failure}"

    @property
    def called(self) -> BookWords:
        """The Skill's name as it is written in a sentence."""
        return thing_name(self.skill)

    def shown(self) -> Shown:
        """Return a roll as a success or failure, good or bad for its roller."""
        return Shown("roll", "good" if self.outcome == "success" else "bad")


class CheckedAlone(MomentumChecked, variant="alone"):
    """A check without a difficulty or opponent: the game master judges the total."""

    headline = "{called:cap}"
    says = "{who}, {called}: {roll}."


class CheckedAgainstNumber(MomentumChecked, variant="number"):
    """A check against a number."""

    difficulty: int

    says = (
        "{who}, {called} against {difficulty}: {roll}, {outcome:success=a success|a failure}"
        "{critical:? and critical}."
    )

    @property
    def critical(self) -> bool:
        """Whether it is a critical roll (WSH-08)."""
        return self.roll.kept == CRITICAL_FACE


class CheckedAgainstSomebody(MomentumChecked, variant="contest"):
    """A contested check: the actor has to be higher."""

    target: Person
    their_skill: BookWords
    against: DiceRoll

    unseen = ("who", "target")
    says = (
        "{who}, {called}: {roll} against {target}, {theirs}: {against}, "
        "{outcome:success=a success|a failure}."
    )

    @property
    def theirs(self) -> BookWords:
        """The target's Skill, as it is worded in a sentence."""
        return thing_name(self.their_skill)


class ShakenOff(MomentumChecked, variant="shake-off"):
    """A check to shake off the climber `target`, who has to be higher once more."""

    target: Person
    their_skill: BookWords
    against: DiceRoll

    unseen = ("who", "target")
    says = (
        "{who}, {called}: {roll} against {target}, {theirs}: {against}. "
        "{target:cap} {outcome:success=falls off|holds on}."
    )

    @property
    def theirs(self) -> BookWords:
        """The target's Skill, as it is worded in a sentence."""
        return thing_name(self.their_skill)


class MomentumResisted(Fact):
    """A Defense Roll (WSH-14); without a roll, the target `lets` it fail or can't resist."""

    who: Person
    outcome: str
    stat: str = ""
    power: int = 0
    roll: DiceRoll | None = None
    lets: bool = False

    section = "Checks"
    is_roll = True
    in_short = True
    event = "save"
    headline = "{outcome:success=Resisted|Not resisted}"
    says = (
        "{roll:?{who} resists with {stat:" + STAT + "} against {power}: {roll}, "
        "{outcome:success=and does|in vain}.|{who} {lets:?lets it happen|resists nothing}.}"
    )

    def shown(self) -> Shown:
        return Shown("save", "good" if self.outcome == "success" else "bad")


class MomentumHid(Fact):
    """A combatant tries to hide from all enemies (WSH-07)."""

    who: Person
    roll: DiceRoll
    outcome: str
    noticed_by: Person = ""

    section = "Checks"
    is_roll = True
    in_short = True
    headline = "{outcome:success={who} is hidden|{who} is noticed}"
    says = (
        "{who}, stealth: {roll}. "
        "{outcome:success=Hidden.|{noticed_by:?{noticed_by} notices.|Somebody notices.}}"
    )

    def shown(self) -> Shown:
        return Shown("roll", "good" if self.outcome == "success" else "bad")


# The fight, rounds and turns


class MomentumStarted(Fact):
    """A fight begins (WSH-01, 06)."""

    encounter: Encounter
    surprised: Sequence[Person] = ()

    style = "title"
    event = "scene"
    headline = "{encounter}"
    says = "{encounter} begins.[ Surprised: {surprised}.]"


class InitiativeOf(Clause):
    """A combatant's Initiative."""

    who: Person
    initiative: int

    says = "{who}: {initiative}"


class MomentumRoundBegan(Fact):
    """A round begins, with its order of turns (WSH-02, 03)."""

    round: int
    order: Sequence[InitiativeOf]

    style = "title"
    event = "scene"
    says = "Round {round}[: {order}]."


class MomentumTakesPlace(Fact):
    """A reinforcement gets a place in the order; `later` if that place has passed in this round (WSH-03)."""

    who: Person
    initiative: int
    later: bool = False

    says = "{who} has Initiative {initiative}{later:? and acts from the next round on|}."


class MomentumUnited(Fact):
    """Several combatants form a union for this round, led by `who` (WSH-05)."""

    who: Person
    others: Sequence[Person]
    round: int
    initiative: int

    says = "{members} act as one in round {round}, at Initiative {initiative}."

    @property
    def members(self) -> Sequence[Person]:
        """The ids of the union's members."""
        return [self.who, *self.others]


class MomentumTurnBegan(Fact):
    """A turn begins, of a combatant or of a union."""

    who: Person
    others: Sequence[Person] = ()

    style = "title"
    begins_turn = True
    event = "turn"
    headline = "{who's} turn"
    says = "{others:?{members} begin their turn as one.|{who's} turn.}"

    @property
    def members(self) -> Sequence[Person]:
        """The ids of those whose turn begins."""
        return [self.who, *self.others]


class MomentumReady(Fact):
    """A combatant receives the AP and movement of a turn."""

    who: Person


class MomentumTurnEnded(Fact):
    """A turn ends."""

    who: Person

    style = "dim"
    says = "{who's} turn ends."
    in_story = False


class MomentumTurnLost(Fact):
    """A held turn is lost, since the round is over (WSH-04)."""

    who: Person

    says = "{who} skips the turn."


class MomentumHeld(Fact):
    """A combatant holds their turn for later (WSH-04)."""

    who: Person

    says = "{who} holds their turn."


class MomentumResumed(Fact):
    """A combatant takes a held turn."""

    who: Person

    style = "title"
    begins_turn = True
    event = "turn"
    headline = "{who's} turn"
    says = "{who} takes the held turn."


class MomentumEnded(Fact):
    """A fight is over (WSH-16)."""

    encounter: Encounter
    outcome: str

    style = "title"
    closes_scene = True
    names_scene = True
    event = "scene"
    headline = "The fight is {outcome:won=won|lost=lost|over}"
    says = "{encounter} is over. {outcome:won=The party has won.|lost=The party has lost.|It ends there.}"

    def shown(self) -> Shown:
        return Shown("scene", {"won": "good", "lost": "bad"}.get(self.outcome, ""))


class MomentumRested(Fact):
    """A rest between fights restores the sheets' numbers."""

    rested: Sequence[Person]

    section = "Harm"
    style = "good"
    event = "heal"
    tone = "good"
    says = "{rested:list}: as on the sheet again."


# Actions


class MomentumActed(Fact):
    """A combatant pays for an action (WSH-07)."""

    who: Person
    action: str


class Acts(MomentumActed, variant="plain"):
    """An action that another fact describes."""


class BanksAttack(MomentumActed, variant="bank-attack"):
    """The action that banks an attack for any moment of the turn."""

    says = "{who} is about to attack."


class GoesFurther(MomentumActed, variant="further"):
    """The action that adds metres of movement."""

    meters: int

    says = "{who} has {meters} m to walk."


class SwitchesPlaces(MomentumActed, variant="switch-places"):
    """The action of switching places with an ally, who agrees or refuses."""

    ally: Person
    agreed: bool

    event = "move"
    says = "{agreed:?{who} and {ally} switch places.|{ally} stays where they are.}"


class UsesItem(MomentumActed, variant="item"):
    """The use of a consumable; `effect` is its effect on the sheet."""

    item: BookWords
    effect: BookWords = ""

    says = "{who} uses {item}. {effect}"


class HoldsThings(MomentumActed, variant="hands"):
    """The action that changes the things in hand."""

    things: Sequence[BookWords]

    says = "{who} now holds {empty:?nothing|{things:list}}."

    @property
    def empty(self) -> bool:
        """Whether both hands are empty."""
        return not self.things


class Interacts(MomentumActed, variant="interact"):
    """An interaction described in words."""

    what: Words

    says = "{who}: {what}"


class MovesDoor(MomentumActed, variant="door"):
    """The action that opens or shuts a door."""

    door: Square
    opens: bool

    says = "{who} {opens:?opens|shuts} the door on {door}."


class PicksUp(MomentumActed, variant="pick-up"):
    """The action of picking a thing up from the ground."""

    thing: BookWords

    says = "{who} picks up the {thing}."


class Gives(MomentumActed, variant="give"):
    """The action of giving an ally a thing."""

    thing: BookWords
    to: Person

    unseen = ("who", "to")
    says = "{who} gives {to} the {thing}."


class MomentumUsed(Fact):
    """A combatant uses an Ability, called `name` (WSH-09)."""

    who: Person
    ability: str
    name: BookWords

    headline = "{name:cap}"
    says = "{who} uses {name}."


class MomentumAttacked(Fact):
    """An attack, and whether it hits (WSH-09, 10).

    It is against `evasion`, or without a roll against a target that can't evade; `with_` is the weapon or the
    Ability.
    """

    who: Person
    target: Person
    hits: bool
    with_: BookWords
    evasion: int
    roll: DiceRoll | None = None

    unseen = ("who", "target")
    headline = "{result:critical=Critical hit|hit=Hit|Miss}"
    says = (
        "{who} attacks {target} ({with_})[: {roll} against {evasion}], "
        "{result:critical=a critical hit|hit=a hit|a miss}."
    )

    @property
    def result(self) -> str:
        """The attack's result in one word."""
        if not self.hits:
            return "miss"
        return "critical" if self.roll and self.roll.kept == CRITICAL_FACE else "hit"

    def shown(self) -> Shown:
        """Return a critical hit, a hit or a miss as good or bad for the attacker."""
        return Shown(self.result, "good" if self.hits else "bad")


class MomentumCinematic(Fact):
    """A combatant attempts a Cinematic Action or Reaction (WSH-08)."""

    who: Person
    what: Words
    reaction: bool = False

    style = "title"
    highlight = True
    headline = "A Cinematic {reaction:?Reaction|Action} of {who}"
    says = "A Cinematic {reaction:?Reaction|Action} of {who}: {what}"


class MomentumCinematicOver(Fact):
    """The end of a Cinematic Action or Reaction (WSH-08)."""

    who: Person
    outcome: str

    style = "strong"
    highlight = True
    headline = "{outcome:success=It succeeds|It fails}"
    says = "{outcome:success=It succeeds.|It fails: the game master decides what happens.}"

    def shown(self) -> Shown:
        """Return the outcome as good or bad for the actor."""
        return Shown("roll", "good" if self.outcome == "success" else "bad")


class MomentumSummoned(Fact):
    """A summoned creature appears on a square (WSH-07)."""

    who: Person
    summoned: Person

    event = "scene"
    unseen = ("who", "summoned")
    headline = "{summoned} appears"
    says = "{summoned} is there, called by {who}."


# Hands and places


class MomentumDoor(Fact):
    """A door of the map opens or closes."""

    who: Person


class MomentumTaken(Fact):
    """A combatant takes a weapon, or a shield, in hand."""

    who: Person
    weapon: BookWords


class MomentumDropped(Fact):
    """A thing falls from a combatant's hand to their feet."""

    who: Person
    weapon: BookWords

    says = "{who} drops the {weapon}."


class MomentumMoved(Fact):
    """A combatant walks, perhaps not as far as they wanted; or changes place without a report."""

    who: Person
    from_: Square = ""
    to: Square = ""
    stopped_by: Person = ""

    event = "move"
    says = "{to:?{who} goes[ from {from_}] to {to}[, held up by {stopped_by}].|}"


class MomentumClimbed(Fact):
    """A combatant climbs onto a larger one (WSH-07)."""

    who: Person
    target: Person

    event = "move"
    unseen = ("who", "target")
    says = "{who} is on {target}."


class MomentumPushed(Fact):
    """A combatant is pushed or pulled (WSH-19)."""

    who: Person
    to: Square
    pulled: bool = False

    event = "move"
    tone = "bad"
    headline = "{who} is {pulled:?pulled|pushed}"
    says = "{who} is {pulled:?pulled|pushed}[ to {to}]."


class MomentumCollided(Fact):
    """A forced movement ends in a collision with a creature or an obstacle, with its damage (WSH-19, 20)."""

    who: Person
    into: Person = ""
    damage: int = 0
    teleported: bool = False

    event = "harm"
    tone = "bad"
    unseen = ("who", "into")
    headline = "A collision"
    says = (
        "{who} is {teleported:?teleported into {into}, and back again"
        "|thrown against {obstacle:?something hard|{into}}}."
    )

    @property
    def obstacle(self) -> bool:
        """Whether the collision is with an obstacle, not with a creature."""
        return not self.into


class MomentumTeleported(Fact):
    """A combatant is teleported (WSH-20)."""

    who: Person
    to: Square

    event = "move"
    says = "{who} is on {to} at once."


class MomentumExposed(Fact):
    """A hidden combatant does something conspicuous (WSH-07)."""

    who: Person


class MomentumRevealed(Fact):
    """A combatant is no longer hidden; `by` is the enemy who sees them."""

    who: Person
    by: Person = ""

    event = "reveal"
    headline = "{who} is revealed"
    says = "{by:?{by} sees {who}.|{who} is no longer hidden.}"


# Harm and help


class DamageOf(Clause):
    """Damage of one type, the part that gets through."""

    type: str
    amount: int

    says = "{amount} {type:" + TYPE + "}"


class MomentumDamaged(Fact):
    """The damage of a blow (WSH-13, 15).

    It has the parts that get through by type, the defenses, and the Vitality left.
    """

    who: Person
    amount: int
    damage: Sequence[DamageOf]
    reduced_by: HpNumber
    vitality: HpNumber
    buffered: HpNumber = 0

    section = "Harm"
    style = "warn"
    event = "harm"
    tone = "bad"
    headline = "{who} takes {amount} damage"
    says = (
        "{who} takes {damage:?{damage}|no} damage{less:?, reduced by {less}|}"
        "{buffered:?, {buffered} of it from Temporary Vitality|}{damage:?: Vitality {vitality}|}."
    )
    says_without_hp = "{who} takes {damage:?{damage}|no} damage."

    @property
    def less(self) -> HpNumber:
        """The amount by which defenses reduced the damage."""
        return max(0, self.reduced_by)

    def shown(self) -> Shown:
        return Shown(self.event, self.tone) if self.amount else Shown()


class MomentumFell(Fact):
    """A combatant is down (WSH-11)."""

    who: Person

    section = "Harm"
    style = "bad"
    highlight = True
    event = "fall"
    tone = "bad"
    headline = "{who} falls"
    says = "{who} goes down."


class MomentumDied(Fact):
    """A combatant dies, or an object is destroyed (WSH-11)."""

    who: Person
    out: str

    section = "Harm"
    style = "bad"
    highlight = True
    event = "fall"
    tone = "bad"
    headline = "{who} {out:dead=dies|is destroyed}"
    says = "{who} is {out:dead=dead|destroyed}."


class MomentumLeft(Fact):
    """A combatant leaves the fight, by the game master's word."""

    who: Person
    how: Words

    event = "fall"
    headline = "{who} is out of it"
    says = "{who} leaves the fight{how:gone=|: {how}}."


class MomentumHealed(Fact):
    """A combatant regains Vitality, and may be `up` again (WSH-16)."""

    who: Person
    amount: HpNumber
    vitality: HpNumber
    up: bool = False

    section = "Harm"
    style = "good"
    event = "heal"
    tone = "good"
    headline = "{who} regains {amount} Vitality"
    says = "{who} regains {amount} Vitality ({vitality}){up:? and is up again}."
    says_without_hp = "{who} regains Vitality{up:? and is up again}."


class MomentumGained(Fact):
    """The game master sets a combatant's Narrative Momentum (WSH-08)."""

    who: Person
    momentum: HpNumber

    event = "gain"
    says = "{who} has {momentum} Narrative Momentum."


class MomentumStatusAdded(Fact):
    """A combatant gains a Status Effect or stance, `by` another's doing.

    `takes`: by an action of their own, or obeying one (WSH-07, 16).
    """

    who: Person
    status: Status
    by: Person = ""
    takes: bool = False

    event = "status"
    headline = "{who} is {status}"
    says = "{who} {stance:defending=defends|taking-cover=takes cover|commanded=obeys[ {by}]|is {status}}."

    @property
    def stance(self) -> str:
        """The stance that the combatant takes, if it is one of the game's own."""
        return self.status.removeprefix("momentum:") if self.takes else ""


class MomentumStatusEnded(Fact):
    """Status Effects end.

    `how` selects other words: Bleeding is stopped, a combatant gets up, or is let go.
    """

    who: Person
    statuses: Sequence[Status]
    how: str = ""

    event = "status"
    tone = "good"
    says = (
        "{how:stabilized={who} is no longer bleeding|up={who} gets up|let-go=Nobody holds {who} any longer"
        "|{who} is no longer {statuses}}."
    )


class MomentumStatusLasts(Fact):
    """A Status Effect continues, because it isn't time yet, or `by` a combatant who keeps it up (WSH-08).

    Journals of version 0.2 have it.
    """

    who: Person
    by: Person = ""

    says = "{by:?{by} doesn't let go of {who}.|}"


class MomentumUpkeep(Fact):
    """The upkeep of a cinematic's effect: AP in each turn, and a `condition` that is judged (WSH-08)."""

    who: Person
    ap: int
    condition: Words = ""

    says = "It lasts as long as {who} pays {ap} AP a turn[: {condition}]."


class MomentumKeptUp(Fact):
    """A combatant pays for the upkeep of the hold on these people (WSH-08)."""

    who: Person
    held: Sequence[Person]
    condition: Words = ""

    unseen = ("held",)
    says = "{who} doesn't let go of {held}[: {condition}]."


# Decisions


class SwitchPlacesWith(Decision):
    """An ally's choice whether to switch places (WSH-07)."""

    who: Person
    ally: Person

    asks = "{who} wants to switch places with {ally}. Does {ally} agree?"
    options = {
        "agree": "{ally} pays 1 RP, and they change places",
        "refuse": "{ally} stays, and {who} has spent the AP for nothing",
    }


class HowCollisionCounts(Decision):
    """The choice whether collision damage is added to the damage of the blow that caused it (WSH-19)."""

    who: Person
    damage: int

    asks = "{who} takes {damage} more Physical damage from the collision. How is it dealt?"
    options = {"together": "together with the blow", "apart": "as separate damage"}


class TotalDamage(Clause):
    """The total damage of a blow, if Armor reduces a `type`."""

    amount: int
    type: str

    says = "{type:" + TYPE + "}: {amount} damage in all"


class WithCollision(Clause):
    """The total damage of a blow and its collision, counted together or `apart`."""

    amount: int
    apart: bool

    says = "{apart:?as separate damage|together with the blow}: {amount} damage in all"


class WhichTypeArmorReduces(Decision):
    """The choice of the damage type that Armor reduces first, or `then`, with the Armor left (WSH-13)."""

    who: Person
    by: Person = ""
    then: bool = False

    unseen = ("by",)
    asks = "[{by} deals damage of several types. ]Which does {who's} protection reduce {then:?next|first}?"


class WhoGoesFirst(Decision):
    """The choice of the first among equal Initiatives (WSH-03)."""

    initiative: int

    asks = "Several have Initiative {initiative}. Who goes first?"
    answers = "person"


class TakeDisarmed(Decision):
    """The choice whether to take a weapon that was struck out of a hand (WSH-07)."""

    who: Person
    thing: BookWords
    of: Person = ""

    unseen = ("of",)
    asks = "Does {who} take the {thing}[ that {of} has dropped]?"
    options = {"take": "{who} takes it into the free hand", "leave": "the {thing} stays where it lies"}


class TakeHeldTurn(Decision):
    """The choice whether to take a held turn before the round ends (WSH-04)."""

    who: Person
    round: int

    asks = "Round {round} ends. Does {who} take the held turn?"
    options = {"take": "{who} acts now", "lose": "no turn in this round"}
