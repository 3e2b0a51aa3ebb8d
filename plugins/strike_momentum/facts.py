"""What fights by Momentum report (facts), and what they ask (decisions), with their wording.

No rule is here.
"""

from collections.abc import Sequence
from typing import Annotated

from strike_cli.plugin.facts import (
    BookWords,
    Clause,
    Decision,
    DiceRoll,
    Fact,
    HpNumber,
    NamedId,
    Person,
    Shown,
    Square,
    Words,
)

from .rule_constants import CRITICAL_FACE

Status = Annotated[str, NamedId("status_effects")]
"""The id of a Status Effect or a stance."""
Encounter = Annotated[str, NamedId("encounters")]
"""The id of an encounter."""

TYPE = (
    "physical=Physical|psychic=Psychic|reality=Reality|chemical=Chemical|cold=Cold|heat=Heat|poison=Poison"
    "|shock=Shock|curse=Curse|holy=Holy|spirit=Spirit"
)
STAT = "str=STR|dex=DEX|con=CON|int=INT|cha=CHA|ins=INS|wil=WIL"


def id_in_words(id: str) -> str:
    """Return the words for an id, such as `great axe` for `great-axe`."""
    return id.replace("-", " ")


# Reasons


class HitBonus(Clause):
    """A modifier: the hit bonus with a weapon or with Abilities (WSH-09)."""

    says = "hit bonus"


class BareBonus(Clause):
    """A modifier: the bonus of a roll that is made from typed numbers, without a sheet."""

    says = "bonus"


class DefenseBonus(Clause):
    """A modifier of a Defense Roll: the bonus of a Stat, with the level of its Skill (WSH-14)."""

    stat: str
    skill: BookWords

    says = "{stat:" + STAT + "} and {skill}"


class InHalfCover(Clause):
    """A modifier: half cover (WSH-18)."""

    says = "half cover"


class FromStatus(Clause):
    """A reason: a Status Effect or a stance. `whose` is "" if the roller has it (WSH-16)."""

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
    """A reason: an enemy is within 1 m, too near for shooting (WSH-09)."""

    who: Person

    says = "{who} is within 1 m"


class SmallerThan(Clause):
    """A reason for Advantage: the opponent (`who`) is smaller than the one who rolls (WSH-07).

    Sizes are compared by their size categories.
    """

    who: Person

    says = "{who} is smaller"


class LargerThan(Clause):
    """A reason: the roller is of a larger size category (WSH-07, 19)."""

    who: Person

    says = "larger than {who}"


class HeavyGear(Clause):
    """A reason: heavy armor or a heavy shield hinders Stealth (WSH-12)."""

    what: str

    says = "heavy {what:shield=shield|armor}"


class ActingTogether(Clause):
    """A reason: several people take part in a Cinematic Action (WSH-08)."""

    says = "together"


# The subject of a roll, for the roller


class AimedWith(Clause):
    """What an attack roll is for: the weapon and the target (WSH-09)."""

    target: Person
    weapon: BookWords

    says = "{weapon} against {target}"


class AgainstDifficulty(Clause):
    """What a check is for: to reach a number."""

    difficulty: int

    says = "against {difficulty}"


class AgainstSomebody(Clause):
    """What a contested check is for: to beat an opponent (WSH-07)."""

    who: Person

    says = "against {who}"


# Rolls by themselves


class MomentumReckoned(Fact):
    """The result of a calculation from typed numbers.

    It is an Initiative, or a roll that has to reach `needed`.
    """

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
    """A modifier: the bonus of a Stat."""

    stat: str

    says = (
        "{stat:str=Strength|dex=Dexterity|con=Constitution|int=Intelligence|cha=Charisma|ins=Instinct|Will}"
    )


class MomentumRolled(Fact):
    """Dice are rolled. This fact only shows the faces; another fact has the result."""

    who: Person
    roll: DiceRoll


class MomentumChecked(Fact):
    """Somebody makes a Skill Check, against a number, an opponent or nothing (WSH-07)."""

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
        """The Skill that is checked, with its name as it is written in a sentence."""
        return id_in_words(self.skill)

    def shown(self) -> Shown:
        """Return how screens mark the check: good if it succeeded, bad if it failed."""
        return Shown("roll", "good" if self.outcome == "success" else "bad")


class CheckedAlone(MomentumChecked, variant="alone"):
    """A Skill Check without a number or an opponent: the game master judges the total."""

    headline = "{called:cap}"
    says = "{who}, {called}: {roll}."


class CheckedAgainstNumber(MomentumChecked, variant="number"):
    """A Skill Check against a number."""

    difficulty: int

    says = (
        "{who}, {called} against {difficulty}: {roll}, {outcome:success=a success|a failure}"
        "{critical:? and critical}."
    )

    @property
    def critical(self) -> bool:
        """Whether the die shows a critical success (WSH-08)."""
        return self.roll.kept == CRITICAL_FACE


class CheckedAgainstSomebody(MomentumChecked, variant="contest"):
    """A contested Skill Check: the actor succeeds with the higher total."""

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
        return id_in_words(self.their_skill)


class ShakenOff(MomentumChecked, variant="shake-off"):
    """Somebody tries to shake off a climber (`target`).

    Both roll. The climber holds on if the climber's total is higher.
    """

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
        """The Skill that the target rolls, with its name as it is written in a sentence."""
        return id_in_words(self.their_skill)


class MomentumResisted(Fact):
    """Somebody makes a Defense Roll (WSH-14).

    `roll` is None for somebody who chose to fail (`lets`), and for an object, which can't resist.
    """

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
    """Somebody tries to hide from all enemies (WSH-07)."""

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
    """A round begins; `order` is the turn order (WSH-02, 03)."""

    round: int
    order: Sequence[InitiativeOf]

    style = "title"
    event = "scene"
    says = "Round {round}[: {order}]."


class MomentumTakesPlace(Fact):
    """Somebody who joined gets a place in the turn order (WSH-03).

    With `later`, this place has passed in this round, so that the newcomer acts only from the next round on.
    """

    who: Person
    initiative: int
    later: bool = False

    says = "{who} has Initiative {initiative}{later:? and acts from the next round on|}."


class MomentumUnited(Fact):
    """Several combatants act as one in this round; `who` leads the union (WSH-05)."""

    who: Person
    others: Sequence[Person]
    round: int
    initiative: int

    says = "{members} act as one in round {round}, at Initiative {initiative}."

    @property
    def members(self) -> Sequence[Person]:
        """Everybody in the union."""
        return [self.who, *self.others]


class MomentumTurnBegan(Fact):
    """The turn of a combatant begins; `others` are further members of the union that takes the turn."""

    who: Person
    others: Sequence[Person] = ()

    style = "title"
    begins_turn = True
    event = "turn"
    headline = "{who's} turn"
    says = "{others:?{members} begin their turn as one.|{who's} turn.}"

    @property
    def members(self) -> Sequence[Person]:
        """Everybody whose turn begins."""
        return [self.who, *self.others]


class MomentumReady(Fact):
    """The acting combatants get the AP and the movement of a new turn."""

    who: Person


class MomentumTurnEnded(Fact):
    """The turn of a combatant ends, or the turn of the union that the combatant leads."""

    who: Person

    style = "dim"
    says = "{who's} turn ends."
    in_story = False


class MomentumTurnLost(Fact):
    """A held turn is lost, since its holder declined to take it before the round ended (WSH-04)."""

    who: Person

    says = "{who} skips the turn."


class MomentumHeld(Fact):
    """Somebody holds their turn, to take it later in the round (WSH-04)."""

    who: Person

    says = "{who} holds their turn."


class MomentumResumed(Fact):
    """Somebody takes a turn that they have held (WSH-04)."""

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
    """Characters rest between fights, which resets their numbers to the sheets' values."""

    rested: Sequence[Person]

    section = "Harm"
    style = "good"
    event = "heal"
    tone = "good"
    says = "{rested:list}: as on the sheet again."


# Actions


class MomentumActed(Fact):
    """Somebody takes an action and pays for it (WSH-07)."""

    who: Person
    action: str


class Acts(MomentumActed, variant="plain"):
    """An action that needs no words here, since another fact describes it."""


class BanksAttack(MomentumActed, variant="bank-attack"):
    """Somebody pays for an attack, which they can then make at any moment of the turn."""

    says = "{who} is about to attack."


class GoesFurther(MomentumActed, variant="further"):
    """Somebody gains movement; `meters` is how far they can now walk."""

    meters: int

    says = "{who} has {meters} m to walk."


class SwitchesPlaces(MomentumActed, variant="switch-places"):
    """Somebody asks an ally to switch places; `agreed` says whether the ally does."""

    ally: Person
    agreed: bool

    event = "move"
    says = "{agreed:?{who} and {ally} switch places.|{ally} stays where they are.}"


class UsesItem(MomentumActed, variant="item"):
    """Somebody uses a consumable; `effect` is the sheet's text on what it does."""

    item: BookWords
    effect: BookWords = ""

    says = "{who} uses {item}. {effect}"


class HoldsThings(MomentumActed, variant="hands"):
    """Somebody changes what they have in hand; `things` is everything that they hold now."""

    things: Sequence[BookWords]

    says = "{who} now holds {empty:?nothing|{things:list}}."

    @property
    def empty(self) -> bool:
        """Whether the combatant holds nothing now."""
        return not self.things


class Interacts(MomentumActed, variant="interact"):
    """Somebody interacts with something; `what` describes it."""

    what: Words

    says = "{who}: {what}"


class MovesDoor(MomentumActed, variant="door"):
    """Somebody opens or shuts a door."""

    door: Square
    opens: bool

    says = "{who} {opens:?opens|shuts} the door on {door}."


class PicksUp(MomentumActed, variant="pick-up"):
    """Somebody picks up a thing from the ground."""

    thing: BookWords

    says = "{who} picks up the {thing}."


class Gives(MomentumActed, variant="give"):
    """Somebody gives an ally a thing."""

    thing: BookWords
    to: Person

    unseen = ("who", "to")
    says = "{who} gives {to} the {thing}."


class MomentumUsed(Fact):
    """Somebody uses an Ability; `ability` is its id, `name` its name (WSH-09)."""

    who: Person
    ability: str
    name: BookWords

    headline = "{name:cap}"
    says = "{who} uses {name}."


class MomentumAttacked(Fact):
    """Somebody attacks, and hits or misses (WSH-09, 10).

    `with_` is the weapon or the Ability. `roll` is None if the target is an object, or if the attacker misses
    on purpose.
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
        """The result of the attack: "critical", "hit" or "miss"."""
        if not self.hits:
            return "miss"
        return "critical" if self.roll and self.roll.kept == CRITICAL_FACE else "hit"

    def shown(self) -> Shown:
        """Return how screens mark the attack: good if it hits, bad if it misses."""
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
    """A Cinematic Action or Reaction succeeds or fails (WSH-08)."""

    who: Person
    outcome: str

    style = "strong"
    highlight = True
    headline = "{outcome:success=It succeeds|It fails}"
    says = "{outcome:success=It succeeds.|It fails: the game master decides what happens.}"

    def shown(self) -> Shown:
        """Return how screens mark the outcome: good if it succeeded, bad if it failed."""
        return Shown("roll", "good" if self.outcome == "success" else "bad")


class MomentumSummoned(Fact):
    """Somebody summons a creature, which appears on a square (WSH-07)."""

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
    """Somebody takes a weapon or a shield in hand."""

    who: Person
    weapon: BookWords


class MomentumDropped(Fact):
    """Somebody drops a weapon or a shield at their feet."""

    who: Person
    weapon: BookWords

    says = "{who} drops the {weapon}."


class MomentumMoved(Fact):
    """Somebody walks.

    `stopped_by` is the enemy who kept the walker from going on. Without `to`, the fact only changes the
    walker's place, and has no text.
    """

    who: Person
    from_: Square = ""
    to: Square = ""
    stopped_by: Person = ""

    event = "move"
    says = "{to:?{who} goes[ from {from_}] to {to}[, held up by {stopped_by}].|}"


class MomentumClimbed(Fact):
    """Somebody climbs onto a larger creature (WSH-07)."""

    who: Person
    target: Person

    event = "move"
    unseen = ("who", "target")
    says = "{who} is on {target}."


class MomentumPushed(Fact):
    """Somebody is pushed or, if `pulled`, pulled (WSH-19)."""

    who: Person
    to: Square
    pulled: bool = False

    event = "move"
    tone = "bad"
    headline = "{who} is {pulled:?pulled|pushed}"
    says = "{who} is {pulled:?pulled|pushed}[ to {to}]."


class MomentumCollided(Fact):
    """Somebody who is moved by force collides with something (WSH-19, 20).

    `into` is the creature in the way; "" for an obstacle.
    """

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
    """A hidden combatant is exposed, and stays hidden only until the end of the turn (WSH-07)."""

    who: Person


class MomentumRevealed(Fact):
    """Somebody is no longer hidden. `by` is the enemy who sees them; "" for any other reason."""

    who: Person
    by: Person = ""

    event = "reveal"
    headline = "{who} is revealed"
    says = "{by:?{by} sees {who}.|{who} is no longer hidden.}"


# Harm and help


class DamageOf(Clause):
    """An amount of damage of one type, after defenses have reduced it."""

    type: str
    amount: int

    says = "{amount} {type:" + TYPE + "}"


class MomentumDamaged(Fact):
    """Somebody takes damage, or defenses stop all of it (WSH-13, 15).

    `damage` is what gets through, by type. `reduced_by` is what defenses subtracted. `vitality` is the
    Vitality that is left. `buffered` is the part of the damage that reduced Temporary Vitality.
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
        """How much defenses subtracted; 0 if Armor below 0 added to the damage."""
        return max(0, self.reduced_by)

    def shown(self) -> Shown:
        return Shown(self.event, self.tone) if self.amount else Shown()


class MomentumFell(Fact):
    """Somebody goes down (WSH-11)."""

    who: Person

    section = "Harm"
    style = "bad"
    highlight = True
    event = "fall"
    tone = "bad"
    headline = "{who} falls"
    says = "{who} goes down."


class MomentumDied(Fact):
    """Somebody dies, or an object is destroyed (WSH-11)."""

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
    """Somebody leaves the fight, by the game master's ruling."""

    who: Person
    how: Words

    event = "fall"
    headline = "{who} is out of it"
    says = "{who} leaves the fight{how:gone=|: {how}}."


class MomentumHealed(Fact):
    """Somebody regains Vitality; `up` is True if this gets them on their feet again (WSH-16)."""

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
    """The game master gives or takes Narrative Momentum; `momentum` is the new number (WSH-08)."""

    who: Person
    momentum: HpNumber

    event = "gain"
    says = "{who} has {momentum} Narrative Momentum."


class MomentumStatusAdded(Fact):
    """Somebody gets a Status Effect or a stance; `by` is who caused it (WSH-07, 16).

    `takes` is True for a stance, which is taken by an action or by obeying a command.
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
        """The stance's id without "momentum:"; "" for a status that is no stance."""
        return self.status.removeprefix("momentum:") if self.takes else ""


class MomentumStatusEnded(Fact):
    """Status Effects of a combatant end.

    `how` chooses the words: "stabilized" for bleeding, "up" for standing up, "let-go" for a hold.
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
    """A Status Effect that could have ended lasts on (WSH-08).

    It lasts because it ends only in the next turn. In old journals, `by` can be somebody who keeps it up.
    """

    who: Person
    by: Person = ""

    says = "{by:?{by} doesn't let go of {who}.|}"


class MomentumUpkeep(Fact):
    """A cinematic's effect lasts as long as somebody keeps it up (WSH-08).

    To keep it up, that person pays AP each turn and meets the `condition`.
    """

    who: Person
    ap: int
    condition: Words = ""

    says = "It lasts as long as {who} pays {ap} AP a turn[: {condition}]."


class MomentumKeptUp(Fact):
    """Somebody pays to keep up their hold on the people in `held` (WSH-08)."""

    who: Person
    held: Sequence[Person]
    condition: Words = ""

    unseen = ("held",)
    says = "{who} doesn't let go of {held}[: {condition}]."


# Decisions


class SwitchPlacesWith(Decision):
    """The question whether an ally agrees to switch places with somebody (WSH-07)."""

    who: Person
    ally: Person

    asks = "{who} wants to switch places with {ally}. Does {ally} agree?"
    options = {
        "agree": "{ally} pays 1 RP, and they change places",
        "refuse": "{ally} stays, and {who} has spent the AP for nothing",
    }


class HowCollisionCounts(Decision):
    """The attacker decides whether a collision's damage is dealt together with the blow (WSH-19).

    `who` is the creature that takes the damage.
    """

    who: Person
    damage: int

    asks = "{who} takes {damage} more Physical damage from the collision. How is it dealt?"
    options = {"together": "together with the blow", "apart": "as separate damage"}


class TotalDamage(Clause):
    """An answer to WhichTypeArmorReduces: how much damage gets through if Armor reduces `type`."""

    amount: int
    type: str

    says = "{type:" + TYPE + "}: {amount} damage in all"


class WithCollision(Clause):
    """An answer to HowCollisionCounts: whether the damage of a collision is dealt as separate damage.

    `amount` is how much damage gets through in all with this answer.
    """

    amount: int
    apart: bool

    says = "{apart:?as separate damage|together with the blow}: {amount} damage in all"


class WhichTypeArmorReduces(Decision):
    """The choice of the type of damage that Armor reduces first, if an attack deals several types (WSH-13).

    If `then` is True, it is the choice of the type that Armor reduces next.
    """

    who: Person
    by: Person = ""
    then: bool = False

    unseen = ("by",)
    asks = "[{by} deals damage of several types. ]Which does {who's} protection reduce {then:?next|first}?"


class WhoGoesFirst(Decision):
    """Several combatants have the same Initiative, and the game master decides who goes first (WSH-03)."""

    initiative: int

    asks = "Several have Initiative {initiative}. Who goes first?"
    answers = "person"


class TakeDisarmed(Decision):
    """Somebody (`who`) decides whether to take the thing that `of` dropped when disarmed (WSH-07)."""

    who: Person
    thing: BookWords
    of: Person = ""

    unseen = ("of",)
    asks = "Does {who} take the {thing}[ that {of} has dropped]?"
    options = {"take": "{who} takes it into the free hand", "leave": "the {thing} stays where it lies"}


class TakeHeldTurn(Decision):
    """The question whether a combatant takes a held turn at the end of a round (WSH-04).

    If the combatant declines, the turn is lost.
    """

    who: Person
    round: int

    asks = "Round {round} ends. Does {who} take the held turn?"
    options = {"take": "{who} acts now", "lose": "no turn in this round"}
