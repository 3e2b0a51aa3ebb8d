"""The words of powers and statuses: shapes, parts, conditions, moments, amounts; and the steps themselves.

Forms, play and screens read these alike, so this imports nothing of a fight. Begin with `step`, which says
what a step of an effect is; `push = 2`, for example, is in `displacement.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from strike_cli.registry.installed import brought_word
from strike_cli.values import Value

if TYPE_CHECKING:
    from typing import Literal

    from strike_cli.tabletop.data import StepWritten

    from ..data import BonusWritten, ContentOfFights, PowerWritten
    from ..facts.steps import Measured

    StepTable = StepWritten
    """A step as a power has it: what somebody wrote."""
    Shape = Literal["burst", "area", "line", "cone"]
    Way = Literal["reach", "range", "burst", "line", "cone"]
    Part = Literal["before", "effect", "hit", "miss", "always"]
else:
    StepTable = Mapping

SHAPES: tuple[Shape, ...] = ("burst", "area", "line", "cone")
WAYS: tuple[Way, ...] = ("reach", "range", "burst", "line", "cone")
"""How far a power goes."""
PARTS: Mapping[Part, str] = {
    "before": "first",
    "effect": "",
    "hit": "on a hit",
    "miss": "on a miss",
    "always": "in any case",
}
"""When the steps of a power are done; docs/campaign-file.md says when that is."""
UNROLLED: tuple[Part, ...] = ("before", "effect", "always")
"""Parts that no attack roll decides about."""
PARTS_TOLD: Mapping[Part, str] = {
    "before": "First, before any die",
    "effect": "Effect",
    "hit": "On a hit by the die itself",
    "miss": "On a miss",
    "always": "Afterwards, in any case",
}
"""The same at the head of a line that reads a power back."""
WHOM = {
    "target": "",
    "self": "oneself",
    "ally": "an ally",
    "allies": "each ally",
    "enemies": "each enemy",
    "around": "all",
    "doer": "the actor",
    "befallen": "the victim",
    "giver": "the giver",
    "other": "the other one",
    "inside": "everybody in it",
    "summons": "one's summons",
}
"""Whom a step is for; `around` are all others, friend or foe, `doer` and `befallen` those of what is
answered, `giver` who gave the status that does it, `other` who is on the other side of what it reacts to,
`inside` all in a zone, `summons` the called creatures."""
WAYS_OF_ZONES = ("chosen", "away", "nearer", "random")
"""Where a zone is moved: as its maker says, away from them, nearer to whom the step is for, as a die says."""
TURNS = ("own", "maker", "none")
"""When summons act: by a die of their own, right after their maker, or not by themselves."""
USER = "the user"
"""The user of a power, in words about powers alone."""
WHOM_TOLD = {
    "target": "the target",
    "self": USER,
    "ally": "a chosen ally",
    "allies": "each ally",
    "enemies": "each enemy",
    "around": "everybody else",
    "doer": "the actor",
    "befallen": "the victim",
    "giver": "the giver",
    "other": "the other one",
    "inside": "each creature in it",
    "summons": "each of your summons",
}
"""The same as the subject of a sentence, for reading a power back."""
MOST_TIMES = 10
"""How often steps are repeated at most."""
NESTING = ("steps", "options", "faces", "otherwise")
"""Keys of steps that have steps in them, for which the same conditions hold."""
DEEPEST = 4
"""Steps that may stand in one another: a choice in a repetition in a roll, say."""
ZONE_ENDS = ("turn-start", "turn-end", "encounter")
"""Until when a zone may last: the next start or end of its maker's turn, or the end of the fight."""
DISPLACED = {
    "push": "pushed",
    "pull": "pulled",
    "slide": "slid",
    "shift": "shifted",
    "teleport": "teleported",
}
"""Ways of being moved by an effect, and what is said of the victim."""


class Condition(Value):
    """A condition of a step or of bonus damage, beside `if_status`: of the target, unless it names the user.

    It has the form of a reason, of a sentence on a sheet, and `told` in full.
    """

    reason: str
    sentence: str
    told: str = ""


CONDITIONS = {
    "bloodied": Condition("Bloodied", "if Bloodied", "if the target is Bloodied"),
    "self-bloodied": Condition("you are Bloodied", "if you are Bloodied", "if the user is Bloodied"),
    "flanked": Condition("flanked", "if flanked", "if the target is flanked"),
    "adjacent": Condition("adjacent", "if adjacent", "if the target is adjacent"),
    "hidden": Condition("Hidden", "if Hidden", "if the user was Hidden from the target"),
    "critical": Condition("critical", "on a critical hit", "on a critical hit"),
}


SCENE = "fight"
"""What the scene is called, in words of how long something lasts."""


# Moments that powers answer


class AnswerKind(Value):
    """A moment that powers may answer (`on`).

    `befalls` is said of the creature that it befalls, empty where it befalls nobody; `doer` of the creature
    that does it. `steps` are those that change what comes, none once it is over; `held` is the moment at
    which a status reacts to it, said of the status' holder.
    """

    befalls: str
    doer: str
    steps: tuple[str, ...] = ()
    held: str = ""


ANSWERS: Mapping[str, AnswerKind] = {
    "declared": AnswerKind("is attacked", "attacks", ("prevent", "redirect"), "before it is attacked"),
    "rolled": AnswerKind(
        "has been rolled against", "has rolled an attack", ("reroll",), "when the die against it is rolled"
    ),
    "struck": AnswerKind("would be hit", "would hit", ("prevent", "redirect"), "before it is hit"),
    "harmed": AnswerKind(
        "would take damage",
        "would deal damage",
        ("reduce", "halve", "prevent", "redirect"),
        "before it takes damage",
    ),
    "falls": AnswerKind(
        "would fall", "would take somebody out", ("reduce", "halve", "prevent", "redirect"), "before it falls"
    ),
    "displaced": AnswerKind(
        "would be moved", "would move somebody", ("reduce", "halve", "prevent"), "before another moves it"
    ),
    "moves": AnswerKind("", "moves", ("prevent",), "before it moves"),
    "uses": AnswerKind("", "uses a power", ("prevent",), "before it uses a power"),
    "missed": AnswerKind("is missed", "misses", held="when an attack misses it"),
    "hit": AnswerKind("is hit", "hits", held="when an attack hits it"),
}
DAMAGING = ("damaged", "harmed", "falls")
"""Moments of which there is damage to measure."""
COMPELLED = ("run-at", "run-from", "take-cover", "charge", "melee", "ranged")
"""Steps of who has lost control: they stand in the faces of its die."""
CHANGING = ("reroll", "reduce", "halve", "prevent", "redirect")
"""Steps that change what is about to come."""
SIDES = {
    "self": "oneself",
    "ally": "an ally",
    "friend": "you or an ally",
    "foe": "a foe",
    "anybody": "anybody",
}
"""Whom a moment may befall, or the actor, seen from who answers."""
PLANS = ("always", "bloodied", "deadly", "never")
"""When creatures give an answer: always, for somebody Bloodied, or who would fall, or not by themselves."""
RESULTS = ("hit", "miss", "critical", "solid", "glancing")
"""What a die on the table comes to, where an answer is for some of it."""
ONCE = ("turn", "round", "scene", "fight")
"""How often something may be done that has no other end; a fight is a scene."""


def occasion_in_words(power: PowerWritten) -> str:
    """Return an occasion in words: `when hit`, `when a foe attacks: a miss`."""
    kind, befalls, by = ANSWERS[power["on"]], victims_words(power), doers_words(power)
    near = f" within {power['near']}" if "near" in power else ""
    if befalls == "self":
        words = kind.befalls.removeprefix("is ")
    elif befalls:
        words = f"{SIDES[befalls]}{near} {kind.befalls}"
    else:
        words = f"{SIDES[by]}{near} {kind.doer}"
    if befalls and by:
        words += f" by {SIDES[by]}"
    words += f" ({power['result']})" if "result" in power else ""
    return f"when {words}" + (f", {limit_words(power)}" if "once" in power else "")


def limit_words(item: Mapping[str, object]) -> str:
    """Return a limit in words: `once a round`."""
    return f"once a {'fight' if item['once'] == 'scene' else item['once']}"


def victims_words(power: PowerWritten) -> str:
    """Return the victims of an occasion: oneself, unless it names others; empty for anybody."""
    if "befalls" in power or not ANSWERS[power["on"]].befalls:
        return str(power.get("befalls", ""))
    return "" if "by" in power else "self"


def doers_words(power: PowerWritten) -> str:
    """Return the doers of an occasion: a foe, where it befalls nobody; empty for anybody."""
    return str(power.get("by", "" if ANSWERS[power["on"]].befalls else "foe"))


# Amounts


class AmountKind(Value):
    """A measure of an amount, and its words; strike's own are put in words by `facts.steps.Measured`.

    `measure` is the reference of the function that counts it, called with the fight, the `Deed` and the
    creature that the step is for.
    """

    measure: str
    words: str = ""


AMOUNTS: Mapping[str, AmountKind] = {
    "dealt": AmountKind(".amounts:dealt"),
    "this": AmountKind(".amounts:this"),
    "value": AmountKind(".amounts:value"),
    "missing": AmountKind(".amounts:missing"),
    "round": AmountKind(".amounts:round_now"),
    "strikes": AmountKind(".amounts:strikes"),
    "tokens": AmountKind(".amounts:tokens"),
    "targets": AmountKind(".amounts:targets"),
    "enemies-adjacent": AmountKind(".amounts:enemies_adjacent"),
    "allies-adjacent": AmountKind(".amounts:allies_adjacent"),
    "max-hp": AmountKind(".amounts:max_hp"),
    "speed": AmountKind(".amounts:speed"),
    "melee-damage": AmountKind(".amounts:melee_damage"),
}


def amount_in(book: object, word: str) -> AmountKind:
    """Return the measure of an amount, strike's own or a plugin's."""
    found: AmountKind = AMOUNTS.get(word) or brought_word(book, "amounts", word)
    return found


def amount_in_words(book: object, amount: object) -> str:
    """Return an amount in words: `3`, `half the damage dealt, rounded up`, `1d6 + 1`."""
    from strike_cli.kernel.statements import say  # what says amounts is worth loading where one is said
    from strike_cli.tabletop.people import GameMaster

    words = measured(book, amount)
    return (say(words, GameMaster(book)) or "") if words else str(amount)


def measured(book: object, amount: object) -> Measured | None:
    """Return an amount that is no number in a form that can be put in words; None for a number."""
    from ..facts.steps import Measured

    if not isinstance(amount, Mapping):
        return None
    of = amount.get("of", "")
    words = "" if of in AMOUNTS or not of else amount_in(book, of).words
    return Measured(**{**amount, "words": words})


def with_nested(steps: Iterable[StepTable]) -> Iterator[StepTable]:
    """Yield the steps, and the steps inside them."""
    for step in steps:
        yield step
        for _, inner in branches(step):
            yield from with_nested(inner)


def branches(step: StepTable) -> Iterator[tuple[str, Sequence[StepTable]]]:
    """Yield the lists of steps inside a step, each with its place."""
    for key in ("steps", "otherwise"):
        if key in step:
            yield key, step[key]
    for number, option in enumerate(step.get("options", ()), 1):
        yield f"options[{number}].steps", option["steps"]
    for faces, inner in step.get("faces", {}).items():
        yield f"faces.{faces}", inner


def condition_words(book: ContentOfFights, step: StepTable | BonusWritten) -> str:
    """Return the conditions of a step or of bonus damage, ` if flanked`; empty for one without any."""
    words = [CONDITIONS[step["if"]].sentence] if "if" in step else []
    words += [f"if {book.statuses[step['if_status']]['name']}"] if "if_status" in step else []
    return "".join(f" {word}" for word in words)
