"""What fights by Momentum tell, and ask. No rule is here."""

from collections.abc import Sequence
from typing import Annotated

from strike_cli.plugin.telling import (
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
    """Return a thing's name in words: `great-axe`."""
    return id.replace("-", " ")


# Reasons


class HitBonus(Clause):
    """A modifier: the bonus of a weapon or of Abilities (WSH-09)."""

    says = "hit bonus"


class BareBonus(Clause):
    """A modifier: what the numbers of a bare roll make."""

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
    """A reason: nobody sees the attacker (WSH-07)."""

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
    """A reason: the other is of a smaller size category (WSH-07)."""

    who: Person

    says = "{who} is smaller"


class LargerThan(Clause):
    """A reason: being of a larger size category (WSH-07, 19)."""

    who: Person

    says = "larger than {who}"


class HeavyGear(Clause):
    """A reason: what is worn or held makes Stealth hard (WSH-12)."""

    what: str

    says = "heavy {what:shield=shield|armor}"


class ActingTogether(Clause):
    """A reason: a Cinematic Action of several (WSH-08)."""

    says = "together"


# The subject of a roll, for the roller


class AimedWith(Clause):
    """An attack (WSH-09)."""

    target: Person
    weapon: BookWords

    says = "{weapon} against {target}"


class AgainstDifficulty(Clause):
    """A check against a number."""

    difficulty: int

    says = "against {difficulty}"


class AgainstSomebody(Clause):
    """A check against somebody's (WSH-07)."""

    who: Person

    says = "against {who}"


# Rolls by themselves


class MomentumReckoned(Fact):
    """What numbers alone come to: Initiative, or a bare roll, where `needed` is to be reached."""

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
    """A handful of dice, for the audience; another fact has the result."""

    who: Person
    roll: DiceRoll


class MomentumChecked(Fact):
    """A Skill Check: against a number, or against somebody's (WSH-07)."""

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
        """The Skill as one says it."""
        return thing_name(self.skill)

    def shown(self) -> Shown:
        """Return a roll: a success is good for its roller."""
        return Shown("roll", "good" if self.outcome == "success" else "bad")


class CheckedAlone(MomentumChecked, variant="alone"):
    """A check against nothing that was said: the game master judges the total."""

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
    """A check against somebody's: the one who acts has to be higher."""

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
        """The target's Skill as one says it."""
        return thing_name(self.their_skill)


class ShakenOff(MomentumChecked, variant="shake-off"):
    """The one climbed onto tries to shake the `target` off: the climber has to be higher once more."""

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
        """The target's Skill as one says it."""
        return thing_name(self.their_skill)


class MomentumResisted(Fact):
    """A Defense Roll (WSH-14); without a roll, somebody `lets` it happen or can't resist."""

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
    """Somebody's Initiative."""

    who: Person
    initiative: int

    says = "{who}: {initiative}"


class MomentumRoundBegan(Fact):
    """A round begins, in this order (WSH-02, 03)."""

    round: int
    order: Sequence[InitiativeOf]

    style = "title"
    event = "scene"
    says = "Round {round}[: {order}]."


class MomentumTakesPlace(Fact):
    """Somebody who has joined has a place in the order; `later` if it has passed in this round (WSH-03)."""

    who: Person
    initiative: int
    later: bool = False

    says = "{who} has Initiative {initiative}{later:? and acts from the next round on|}."


class MomentumUnited(Fact):
    """Several act as one in this round, `who` before the others (WSH-05)."""

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
    """A turn begins, of somebody alone or as one with others."""

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
    """AP and movement of a turn are there."""

    who: Person


class MomentumTurnEnded(Fact):
    """A turn is over."""

    who: Person

    style = "dim"
    says = "{who's} turn ends."
    in_story = False


class MomentumTurnLost(Fact):
    """A turn that was held isn't taken in its round (WSH-04)."""

    who: Person

    says = "{who} skips the turn."


class MomentumHeld(Fact):
    """Somebody holds their turn for later (WSH-04)."""

    who: Person

    says = "{who} holds their turn."


class MomentumResumed(Fact):
    """Somebody takes a turn that they held."""

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
    """Between fights: people are as their sheets have them again."""

    rested: Sequence[Person]

    section = "Harm"
    style = "good"
    event = "heal"
    tone = "good"
    says = "{rested:list}: as on the sheet again."


# Actions


class MomentumActed(Fact):
    """Somebody acts, and pays for it (WSH-07)."""

    who: Person
    action: str


class Acts(MomentumActed, variant="plain"):
    """They act; what it is another fact tells."""


class BanksAttack(MomentumActed, variant="bank-attack"):
    """They may attack at any moment of their turn."""

    says = "{who} is about to attack."


class GoesFurther(MomentumActed, variant="further"):
    """They have so many metres left to walk."""

    meters: int

    says = "{who} has {meters} m to walk."


class SwitchesPlaces(MomentumActed, variant="switch-places"):
    """They switch places with an ally, who agrees or refuses."""

    ally: Person
    agreed: bool

    event = "move"
    says = "{agreed:?{who} and {ally} switch places.|{ally} stays where they are.}"


class UsesItem(MomentumActed, variant="item"):
    """They use a consumable; `effect` is what its sheet says of it."""

    item: BookWords
    effect: BookWords = ""

    says = "{who} uses {item}. {effect}"


class HoldsThings(MomentumActed, variant="hands"):
    """They hold these things from now on."""

    things: Sequence[BookWords]

    says = "{who} now holds {empty:?nothing|{things:list}}."

    @property
    def empty(self) -> bool:
        """Whether both hands are empty."""
        return not self.things


class Interacts(MomentumActed, variant="interact"):
    """They do something in words."""

    what: Words

    says = "{who}: {what}"


class MovesDoor(MomentumActed, variant="door"):
    """They open a door, or shut it."""

    door: Square
    opens: bool

    says = "{who} {opens:?opens|shuts} the door on {door}."


class PicksUp(MomentumActed, variant="pick-up"):
    """They pick something up from the ground."""

    thing: BookWords

    says = "{who} picks up the {thing}."


class Gives(MomentumActed, variant="give"):
    """They give an ally something."""

    thing: BookWords
    to: Person

    unseen = ("who", "to")
    says = "{who} gives {to} the {thing}."


class MomentumUsed(Fact):
    """Somebody uses an Ability, called `name` (WSH-09)."""

    who: Person
    ability: str
    name: BookWords

    headline = "{name:cap}"
    says = "{who} uses {name}."


class MomentumAttacked(Fact):
    """An attack, and whether it hits (WSH-09, 10).

    It is against `evasion`, or without a roll where nothing can get out of the way; `with_` is the weapon or
    the Ability.
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
        """What it is, in a word."""
        if not self.hits:
            return "miss"
        return "critical" if self.roll and self.roll.kept == CRITICAL_FACE else "hit"

    def shown(self) -> Shown:
        """Return a critical hit, a hit or a miss: good or bad for the attacker."""
        return Shown(self.result, "good" if self.hits else "bad")


class MomentumCinematic(Fact):
    """Somebody attempts something cinematic (WSH-08)."""

    who: Person
    what: Words
    reaction: bool = False

    style = "title"
    highlight = True
    headline = "A Cinematic {reaction:?Reaction|Action} of {who}"
    says = "A Cinematic {reaction:?Reaction|Action} of {who}: {what}"


class MomentumCinematicOver(Fact):
    """How a cinematic moment ends (WSH-08)."""

    who: Person
    outcome: str

    style = "strong"
    highlight = True
    headline = "{outcome:success=It succeeds|It fails}"
    says = "{outcome:success=It succeeds.|It fails: the game master decides what happens.}"

    def shown(self) -> Shown:
        """Return good or bad for the one who attempted it."""
        return Shown("roll", "good" if self.outcome == "success" else "bad")


class MomentumSummoned(Fact):
    """A creature stands there, called by somebody (WSH-07)."""

    who: Person
    summoned: Person

    event = "scene"
    unseen = ("who", "summoned")
    headline = "{summoned} appears"
    says = "{summoned} is there, called by {who}."


# Hands and places


class MomentumDoor(Fact):
    """A door of the map is as somebody has left it."""

    who: Person


class MomentumTaken(Fact):
    """Somebody has a weapon, or a shield, in hand."""

    who: Person
    weapon: BookWords


class MomentumDropped(Fact):
    """Something falls out of somebody's hand, to their feet."""

    who: Person
    weapon: BookWords

    says = "{who} drops the {weapon}."


class MomentumMoved(Fact):
    """Somebody walks, maybe not as far as they wanted; or stands elsewhere without a word."""

    who: Person
    from_: Square = ""
    to: Square = ""
    stopped_by: Person = ""

    event = "move"
    says = "{to:?{who} goes[ from {from_}] to {to}[, held up by {stopped_by}].|}"


class MomentumClimbed(Fact):
    """Somebody has climbed onto somebody larger (WSH-07)."""

    who: Person
    target: Person

    event = "move"
    unseen = ("who", "target")
    says = "{who} is on {target}."


class MomentumPushed(Fact):
    """Somebody is pushed or pulled (WSH-19)."""

    who: Person
    to: Square
    pulled: bool = False

    event = "move"
    tone = "bad"
    headline = "{who} is {pulled:?pulled|pushed}"
    says = "{who} is {pulled:?pulled|pushed}[ to {to}]."


class MomentumCollided(Fact):
    """Somebody is moved into somebody, or into something hard for so much damage (WSH-19, 20)."""

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
        """Whether nobody is in the way, but a wall."""
        return not self.into


class MomentumTeleported(Fact):
    """Somebody is elsewhere at once (WSH-20)."""

    who: Person
    to: Square

    event = "move"
    says = "{who} is on {to} at once."


class MomentumExposed(Fact):
    """Somebody who is hidden has done what everybody notices (WSH-07)."""

    who: Person


class MomentumRevealed(Fact):
    """Somebody is hidden no longer; `by` is the enemy who sees them."""

    who: Person
    by: Person = ""

    event = "reveal"
    headline = "{who} is revealed"
    says = "{by:?{by} sees {who}.|{who} is no longer hidden.}"


# Harm and help


class DamageOf(Clause):
    """Damage of one type, as much as gets through."""

    type: str
    amount: int

    says = "{amount} {type:" + TYPE + "}"


class MomentumDamaged(Fact):
    """A blow: the damage that gets through by type, the defenses, the Vitality left (WSH-13, 15)."""

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
        """What stood against it, where it made the damage less."""
        return max(0, self.reduced_by)

    def shown(self) -> Shown:
        return Shown(self.event, self.tone) if self.amount else Shown()


class MomentumFell(Fact):
    """Somebody is down (WSH-11)."""

    who: Person

    section = "Harm"
    style = "bad"
    highlight = True
    event = "fall"
    tone = "bad"
    headline = "{who} falls"
    says = "{who} goes down."


class MomentumDied(Fact):
    """Somebody is dead, or something destroyed (WSH-11)."""

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
    """Somebody has no part in the fight any more, by the game master's word."""

    who: Person
    how: Words

    event = "fall"
    headline = "{who} is out of it"
    says = "{who} leaves the fight{how:gone=|: {how}}."


class MomentumHealed(Fact):
    """Somebody gets Vitality back, and may be `up` again (WSH-16)."""

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
    """Somebody has so much Narrative Momentum now, by the game master's hand (WSH-08)."""

    who: Person
    momentum: HpNumber

    event = "gain"
    says = "{who} has {momentum} Narrative Momentum."


class MomentumStatusAdded(Fact):
    """A new Status Effect or stance, `by` somebody's doing.

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
        """Which of the game's own stances they take, if one."""
        return self.status.removeprefix("momentum:") if self.takes else ""


class MomentumStatusEnded(Fact):
    """The end of Status Effects.

    `how` says it in words of its own: Bleeding is stopped, somebody gets up, or is let go.
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
    """A Status Effect that lasts on, because it isn't time yet, or `by` somebody who keeps it up (WSH-08).

    Journals of version 0.2 have it.
    """

    who: Person
    by: Person = ""

    says = "{by:?{by} doesn't let go of {who}.|}"


class MomentumUpkeep(Fact):
    """The price of a cinematic's effect: AP in each turn, and a `condition` that is judged (WSH-08)."""

    who: Person
    ap: int
    condition: Words = ""

    says = "It lasts as long as {who} pays {ap} AP a turn[: {condition}]."


class MomentumKeptUp(Fact):
    """Somebody has paid for what holds these people (WSH-08)."""

    who: Person
    held: Sequence[Person]
    condition: Words = ""

    unseen = ("held",)
    says = "{who} doesn't let go of {held}[: {condition}]."


# Decisions


class SwitchPlacesWith(Decision):
    """Whether an ally lets somebody switch places with them (WSH-07)."""

    who: Person
    ally: Person

    asks = "{who} wants to switch places with {ally}. Does {ally} agree?"
    options = {
        "agree": "{ally} pays 1 RP, and they change places",
        "refuse": "{ally} stays, and {who} has spent the AP for nothing",
    }


class HowCollisionCounts(Decision):
    """Whether the damage of a collision comes with that of the blow that caused it (WSH-19)."""

    who: Person
    damage: int

    asks = "{who} takes {damage} more Physical damage from the collision. How is it dealt?"
    options = {"together": "together with the blow", "apart": "as separate damage"}


class TotalDamage(Clause):
    """What a blow comes to in all, where Armor comes off damage of a `type`."""

    amount: int
    type: str

    says = "{type:" + TYPE + "}: {amount} damage in all"


class WithCollision(Clause):
    """What a blow comes to with the collision that it causes, counted with it or `apart`."""

    amount: int
    apart: bool

    says = "{apart:?as separate damage|together with the blow}: {amount} damage in all"


class WhichTypeArmorReduces(Decision):
    """The type of damage that Armor comes off first, or `then`, what that leaves of it (WSH-13)."""

    who: Person
    by: Person = ""
    then: bool = False

    unseen = ("by",)
    asks = "[{by} deals damage of several types. ]Which does {who's} protection reduce {then:?next|first}?"


class WhoGoesFirst(Decision):
    """Who of equals goes first (WSH-03)."""

    initiative: int

    asks = "Several have Initiative {initiative}. Who goes first?"
    answers = "person"


class TakeDisarmed(Decision):
    """Whether somebody takes what they have struck out of a hand (WSH-07)."""

    who: Person
    thing: BookWords
    of: Person = ""

    unseen = ("of",)
    asks = "Does {who} take the {thing}[ that {of} has dropped]?"
    options = {"take": "{who} takes it into the free hand", "leave": "the {thing} stays where it lies"}


class TakeHeldTurn(Decision):
    """Whether somebody takes the turn that they held, before the round ends (WSH-04)."""

    who: Person
    round: int

    asks = "Round {round} ends. Does {who} take the held turn?"
    options = {"take": "{who} acts now", "lose": "no turn in this round"}
