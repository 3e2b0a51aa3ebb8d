"""The facts that fights by Grit report and the decisions that they ask for, with their wording.

No rule is here.
"""

from collections.abc import Sequence

from strike_cli.plugin.facts import (
    BookWords,
    Clause,
    Decision,
    DiceRoll,
    Fact,
    Hp,
    HpNumber,
    Person,
    Reason,
    Shown,
    Square,
    Words,
)

ATTRIBUTE = "str=STR|dex=DEX|wil=WIL"
ATTACK = "{by:?{by} attacks {who} with {weapon:?{weapon}|bare hands}|An attack}: {roll}."
HIT_ONE = "{who:?{who}|Target}"
"""The target of an attack as it is worded; it has no name in an attack with bare numbers."""
CRITICAL, COMPANION = "critical", "companion"
OCCASIONS = {CRITICAL: "first Critical Damage", COMPANION: "first companion fallen"}
"""The occasions on which a rule calls for a Morale Save, each once in a fight, with their wording.

The game master decides on others: the tide turns, something is beyond a combatant's understanding, a hireling
is asked for too much.
"""
OCCASION = "|".join(f"{each}={words}" for each, words in OCCASIONS.items())
CLOSE, NEAR, FAR = RANGES = "close", "near", "far"
"""How far weapons reach: to those beside one, as far as one moves in a round, or as far as one sees."""
DEAD = "dead"
FLEES, SURRENDERS = "flees", "surrenders"
GONE = {FLEES: "fled", SURRENDERS: "surrendered"}
"""How somebody is out who has done this after a failed Morale Save."""


class Cover(Clause):
    """A reason: the target stands in cover."""

    says = "cover"


class WeaponAt(Clause):
    """The purpose of damage dice: the weapon and the target.

    `weapon` is "" for bare hands. `at` is "" if the target has no name.
    """

    at: Person
    weapon: BookWords

    says = "{weapon:?{weapon}|bare hands}{at:? at {at}}"


class DiceChanged(Clause):
    """The purpose of a roll (`about`), and the reasons why its dice are enhanced or impaired (GRT-02)."""

    about: Reason
    impaired: bool
    reasons: Sequence[Reason]

    says = "[{about}, ]{impaired:?impaired|enhanced}[: {reasons}]"


class OverDirect(Clause):
    """What a Critical Damage Save needs: a roll above `amount`, the Direct Damage."""

    who: Person
    amount: HpNumber

    says = "more than {amount} saves"


class Unarmed(Clause):
    """A reason: an attack with bare hands."""

    says = "unarmed"


class Occasion(Clause):
    """An occasion on which a rule calls for a Morale Save (GRT-11)."""

    what: str

    says = "{what:" + OCCASION + "}"


class GameMasterAsks(Clause):
    """An occasion of a Morale Save: the game master asks for it."""

    says = "the game master asks"


class MoraleReasons(Clause):
    """The reasons for one Morale Save, joined by "and"."""

    reasons: Sequence[Clause]

    says = "{reasons:and}"


class GritStarted(Fact):
    """A fight begins; the players' side acts first."""

    name: BookWords

    style = "title"
    event = "scene"
    says = "{name} begins. The party acts first."


class GritSurprised(Fact):
    """A surprised combatant does nothing in round 1."""

    who: Person

    tone = "bad"
    headline = "{who} is surprised"
    says = "{who} is taken by surprise, and does nothing in round 1."


class GritSideBegan(Fact):
    """The turn of a side begins; `round` is its number if a new round begins, else 0."""

    side: str
    round: int = 0

    style = "title"
    begins_turn = True
    event = "turn"
    says = "{round:?Round {round}: the {side:party=party|enemies}.|The {side:party=party|enemies}.}"


class GritEnded(Fact):
    """A fight is over.

    `outcome` is what the game master says about the end. If it is "", the text names the side that holds the
    field (`field`), or says that the fight is undecided.
    """

    name: BookWords
    field: str
    outcome: Words = ""

    style = "title"
    closes_scene = True
    event = "scene"
    says = (
        "{name} is over: {outcome:?{outcome}|{field:party=the party holds the field"
        "|enemies=the enemies hold the field|undecided}}."
    )


class GritSaved(Fact):
    """Somebody makes a Save (GRT-02).

    `what` is the attribute of the Save, or "morale", or "die". `foe` is the opponent in an opposed Save, and
    `against` is the opponent's roll. If there is no die left for the Save, `roll` is None and the Save fails.
    """

    who: Person
    what: str
    outcome: str
    roll: DiceRoll | None = None
    against: DiceRoll | None = None
    foe: Person = ""

    section = "Saves"
    is_roll = True
    in_short = True
    event = "save"
    unseen = ("who", "foe")
    headline = "{outcome:success=Saved|failure=Not saved|A compromise}"
    says = (
        "{who:?{who} makes a {what:" + ATTRIBUTE + "|morale=Morale|die} Save|A Save}[ against {foe}]"
        "{roll:?: {roll}[ against {against}]. "
        "{outcome:success=Saved.|failure=Not saved.|A tie: a compromise.}"
        "|, and has no die left for it. Not saved.}"
    )

    def shown(self) -> Shown:
        """Return how screens mark the Save: good if it succeeded, bad if it failed."""
        return Shown("save", {"success": "good", "failure": "bad"}.get(self.outcome, ""))


class GritAttacked(Fact):
    """The damage dice of an attack are rolled and compared with Armor and Grit (GRT-05).

    `weapon` is "" for bare hands. `left` is the damage after Armor, `grit` the target's Grit before and
    after, and `direct` the Direct Damage. `through` says whether there is any Direct Damage.
    """

    who: Person
    roll: DiceRoll
    armor: HpNumber
    left: HpNumber
    grit: Hp
    direct: HpNumber
    through: bool
    by: Person = ""
    weapon: BookWords = ""

    unseen = ("by", "who")
    headline = "{through:?It gets through|Avoided}"
    says = (
        ATTACK + "{armor:0=| {left} after Armor {armor}.}"
        "{left:0= Nothing gets through.|{grit.before:0= No Grit left| Grit {grit.before} to {grit.after}}"
        "{through:?, {direct} Direct Damage.|: avoided.}}"
    )
    says_without_hp = ATTACK + " {through:?It gets through.|Avoided.}"

    def shown(self) -> Shown:
        """Return how screens mark the attack: a hit if damage gets through, else a miss."""
        return Shown("hit", "bad") if self.through else Shown("miss", "good")


class GritHurt(Fact):
    """Somebody takes damage that doesn't come from an attack.

    `amount` is the damage. If `lump` isn't 0, it is the Direct Damage that now waits to be settled, and the
    text is only about `lump`. If both are 0, the fact has no text. It then marks that the waiting Direct
    Damage is settled.
    """

    who: Person
    amount: int = 0
    direct: bool = False
    grit: Hp | None = None
    lump: HpNumber = 0

    section = "Harm"
    style = "warn"
    in_short = True
    event = "harm"
    tone = "bad"
    says = (
        "{lump:?{who} has {lump} Direct Damage to settle.|{amount:?{who} takes {amount} damage"
        "{direct:?, all of it Direct.|.}[ Grit {grit.before} to {grit.after}.]|}}"
    )
    says_without_hp = "{amount:?{who} takes {amount} damage{direct:?, all of it Direct.|.}|}"


class GritWithstood(Fact):
    """Somebody makes a Critical Damage Save: the die has to show more than the Direct Damage (GRT-07)."""

    who: Person
    attribute: str
    over: int
    roll: DiceRoll
    outcome: str

    section = "Saves"
    is_roll = True
    in_short = True
    event = "save"
    headline = "{outcome:success=Saved|Not saved}"
    says = (
        HIT_ONE + " rolls {attribute:" + ATTRIBUTE + "} to be above {over}: {roll}."
        "{outcome:success= No Critical Damage.|}"
    )

    def shown(self) -> Shown:
        """Return how screens mark the Save: good if it succeeded, bad if it failed."""
        return Shown("save", "good" if self.outcome == "success" else "bad")


class Overflow(Clause):
    """The reason for a smaller die: the Direct Damage is at least the die's number of sides (GRT-07)."""

    says = "Overflow"


class SaveFailed(Clause):
    """The reason for a smaller die: the Critical Damage Save failed (GRT-07)."""

    says = "the Save failed"


class NoFight(Clause):
    """The reason for a smaller die: outside a fight, harm is Critical Damage at once (GRT-10)."""

    says = "no fight, so no Save"


class GritSteppedDown(Fact):
    """Critical Damage: the die of an attribute becomes one step smaller (GRT-08).

    `die` is the number of the die's sides, before and after; 0 for an attribute at zero. `effect` is the
    further effect of the attacker's Critical Damage, in words.
    """

    who: Person
    attribute: str
    why: Clause
    die: Hp
    effect: BookWords = ""

    section = "Harm"
    style = "warn"
    in_short = True
    event = "critical"
    tone = "bad"
    headline = "Critical Damage to {who}"
    says = (
        "Critical Damage to "
        + HIT_ONE
        + " ({why}): {attribute:"
        + ATTRIBUTE
        + "} {before:0=zero|d{before}} to "
        "{after:0=zero|d{after}}.[ {effect}]"
    )
    says_without_hp = "Critical Damage to " + HIT_ONE + ".[ {effect}]"

    @property
    def before(self) -> HpNumber:
        """The number of sides of the attribute's die before the damage; 0 for an attribute at zero."""
        return self.die.before

    @property
    def after(self) -> HpNumber:
        """The number of sides of the attribute's die after the damage; 0 for an attribute at zero."""
        return self.die.after


class GritFell(Fact):
    """The die of an attribute falls to zero, so that the combatant goes down (GRT-08)."""

    who: Person
    attribute: str
    to: str

    section = "Harm"
    style = "bad"
    in_short = True
    highlight = True
    event = "fall"
    tone = "bad"
    headline = "{who} falls"
    says = (
        HIT_ONE
        + " {attribute:str=is incapacitated: can only crawl, and dies within the hour unless somebody helps"
        "|dex=is paralysed|is catatonic}."
    )


class CriticalAtZero(Clause):
    """The cause of a death: Critical Damage at zero STR (GRT-08)."""

    says = "Critical Damage at zero STR"


class DirectAtZero(Clause):
    """The cause of a death: Direct Damage at zero STR (GRT-08)."""

    says = "Direct Damage at zero STR"


class HourWithoutHelp(Clause):
    """The cause of a death: an hour incapacitated without help (GRT-08)."""

    says = "an hour without help"


class GritDied(Fact):
    """A combatant dies (GRT-08)."""

    who: Person
    why: Clause

    section = "Harm"
    style = "bad"
    in_short = True
    highlight = True
    event = "fall"
    tone = "bad"
    headline = "{who} dies"
    says = HIT_ONE + " dies[: {why}]."


class GritDaunted(Fact):
    """A Morale Save becomes due for somebody (GRT-11)."""

    who: Person
    occasion: str

    says = "{who} must make a Morale Save: {occasion:" + OCCASION + "}."


class GritMorale(Fact):
    """The Morale Save that was due for somebody has been made, with success or failure."""

    who: Person

    section = "Saves"
    is_roll = True
    in_short = True


class GritBroke(Fact):
    """A combatant flees or surrenders (GRT-11)."""

    who: Person
    does: str
    why: Sequence[Clause]

    section = "Saves"
    in_short = True
    highlight = True
    event = "fall"
    tone = "bad"
    headline = "{who} {does}"
    says = "{who} {does:flees=flees|surrenders}[: {why:and}]."


class MoraleFails(Decision):
    """A Morale Save has failed, and the game master decides between flight and surrender (GRT-11)."""

    who: Person

    asks = "{who's} Morale Save failed. What does {who} do?"
    options = {"flees": "flee, and leave the fight", "surrenders": "surrender"}


class GritAided(Fact):
    """First aid gets an incapacitated ally back on their feet; their STR stays at zero."""

    who: Person
    target: Person

    section = "Harm"
    style = "good"
    in_short = True
    event = "heal"
    tone = "good"
    unseen = ("who", "target")
    headline = "{target} is on their feet"
    says = "{who} gives {target} first aid: on their feet, STR still at zero."


class GritMended(Fact):
    """Grit or an attribute's die is restored, wholly or in part.

    `what` is "grit" or the attribute; `number` is its value before and after.
    """

    who: Person
    what: str
    number: Hp

    section = "Harm"
    style = "good"
    in_short = True
    event = "heal"
    tone = "good"
    says = (
        "{who} is restored: {what:grit=Grit {number.before} to {number.after}|{what:" + ATTRIBUTE + "} "
        "{before:0=zero|d{before}} to {after:0=zero|d{after}}}."
    )
    says_without_hp = "{who} is restored."

    @property
    def before(self) -> HpNumber:
        """The number before the healing: Grit, or the number of sides of the attribute's die.

        It is 0 for an attribute at zero.
        """
        return self.number.before

    @property
    def after(self) -> HpNumber:
        """The number after the healing: the Grit, or the number of sides of the attribute's die.

        For an attribute that is at zero, it is 0.
        """
        return self.number.after


class Regained(Clause):
    """A number that a rest has restored.

    `what` is "grit" or an attribute, and `value` is the Grit, or the number of sides of the attribute's die.
    """

    what: str
    value: int

    says = "{what:grit=Grit {value}|{what:" + ATTRIBUTE + "} d{value}}"


class GritRested(Fact):
    """A party member rests."""

    who: Person
    back: Sequence[Regained] = ()

    section = "Harm"
    style = "good"
    in_short = True
    event = "heal"
    tone = "good"
    says = "{who} rests[: {back}]."


class GritHourPassed(Fact):
    """An hour passes between fights."""

    says = "An hour passes."


class GritMoved(Fact):
    """A combatant moves to a square, or to a place in words; `crawls` if they can only crawl."""

    who: Person
    square: Square = ""
    place: Words = ""
    crawls: bool = False

    event = "move"
    says = "{who} {crawls:?crawls|moves} to {square:?{square}|{place}}."


class GritActed(Fact):
    """A combatant takes their significant action.

    For an attack on several targets or at a square, the text names the weapon (`weapon`) and the square
    (`at`). For an action in words, the text has these words (`doing`). For any other action, this fact has no
    text, since another fact reports the action.
    """

    who: Person
    weapon: BookWords = ""
    doing: Words = ""
    at: Square = ""

    says = "{weapon:?{who} attacks with {weapon}[ at {at}].|{doing:?{who}: {doing}.|}}"


class GritDoorMoved(Fact):
    """A door opens or closes. For a door in the wall between two squares, `beyond` is the second square."""

    at: Square
    open: bool
    beyond: Square = ""

    says = "The door at {at}[ to {beyond}] is {open:?open|closed}."
