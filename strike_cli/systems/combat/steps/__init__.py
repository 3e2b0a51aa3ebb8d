"""The words of powers and statuses: shapes, parts, conditions, moments, amounts; and the steps themselves.

Forms, play and screens read these alike, so this imports nothing of a fight. Begin with `step`, which defines
a step of an effect; `push = 2`, for example, is in `displacement.py`.
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
    """A step as it is written in a power."""
    Shape = Literal["burst", "area", "line", "cone"]
    Way = Literal["reach", "range", "burst", "line", "cone"]
    Part = Literal["before", "effect", "hit", "miss", "always"]
else:
    StepTable = Mapping

SHAPES: tuple[Shape, ...] = ("burst", "area", "line", "cone")
WAYS: tuple[Way, ...] = ("reach", "range", "burst", "line", "cone")
"""Keys for the reach of a power."""
PARTS: Mapping[Part, str] = {
    "before": "first",
    "effect": "",
    "hit": "on a hit",
    "miss": "on a miss",
    "always": "in any case",
}
"""The parts of a power, by the time of their steps; docs/campaign-file.md explains these."""
UNROLLED: tuple[Part, ...] = ("before", "effect", "always")
"""The parts of a power whose steps don't depend on an attack roll."""
PARTS_TOLD: Mapping[Part, str] = {
    "before": "First, before any die",
    "effect": "Effect",
    "hit": "On a hit by the die itself",
    "miss": "On a miss",
    "always": "Afterwards, in any case",
}
"""The names of the parts at the head of a line that explains a power."""
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
"""Words for the creatures that a step affects. `around` are all others, friend or foe; `doer` and `befallen`
belong to the event that is reacted to; `giver` gave the status that has the step, `other` is the other
creature of the moment; `inside` are all in a zone, `summons` the summoned creatures.
"""
WAYS_OF_ZONES = ("chosen", "away", "nearer", "random")
"""Words for the direction in which a zone moves: its maker's choice, away from the maker, nearer to the
affected creature, or by a die.
"""
TURNS = ("own", "maker", "none")
"""Words for the turns of summons: by their own initiative, right after their maker, or none."""
USER = "the user"
"""Words for the user of a power, in texts about powers alone."""
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
"""The same creatures as subjects of sentences, for texts that explain a power."""
MOST_TIMES = 10
"""The most repetitions of steps."""
NESTING = ("steps", "options", "faces", "otherwise")
"""Keys of steps whose values are steps, for which the same conditions hold."""
DEEPEST = 4
"""The greatest depth of steps in steps: a choice in a repetition in a roll, say."""
ZONE_ENDS = ("turn-start", "turn-end", "encounter")
"""Words for the end of a zone: the next start or end of its maker's turn, or the end of the fight."""
DISPLACED = {
    "push": "pushed",
    "pull": "pulled",
    "slide": "slid",
    "shift": "shifted",
    "teleport": "teleported",
}
"""Kinds of movement by an effect, with the verb for the victim."""


class Condition(Value):
    """A condition of a step or of bonus damage, about the target unless it names the user.

    It has the words for a reason, for a sentence on a sheet, and for a full text (`describe`).
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
"""The word for the scene in durations."""


# Moments that powers answer


class AnswerKind(Value):
    """A moment that powers may answer (`on`).

    `befalls` are words for its effect on the creature affected, empty if there is none; `doer` words for the
    creature that causes it. `steps` are the steps that may change the event, none once it is over; `held` are
    the words for a status' reaction to it, about the status' holder.
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
"""Moments with damage that can be measured."""
COMPELLED = ("run-at", "run-from", "take-cover", "charge", "melee", "ranged")
"""Steps of lost control, which stand in the faces of its die."""
CHANGING = ("reroll", "reduce", "halve", "prevent", "redirect")
"""Steps that change a coming event."""
SIDES = {
    "self": "oneself",
    "ally": "an ally",
    "friend": "you or an ally",
    "foe": "a foe",
    "anybody": "anybody",
}
"""Words for the creature affected by a moment, or for its actor, relative to the reacting creature."""
PLANS = ("always", "bloodied", "deadly", "never")
"""Words for when creatures use a reaction: always, for somebody Bloodied, for somebody who would fall, or
never by themselves.
"""
RESULTS = ("hit", "miss", "critical", "solid", "glancing")
"""Results of the current die, for reactions to some of them only."""
ONCE = ("turn", "round", "scene", "fight")
"""Limits of use; a fight is a scene."""


def occasion_in_words(power: PowerWritten) -> str:
    """Return a trigger in words: `when hit`, `when a foe attacks: a miss`."""
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
    """Return the words for the creature affected by a trigger: oneself by default; empty for anybody."""
    if "befalls" in power or not ANSWERS[power["on"]].befalls:
        return str(power.get("befalls", ""))
    return "" if "by" in power else "self"


def doers_words(power: PowerWritten) -> str:
    """Return the words for the doer of a trigger: a foe, if nobody is affected; empty for anybody."""
    return str(power.get("by", "" if ANSWERS[power["on"]].befalls else "foe"))


# Amounts


class AmountKind(Value):
    """A measure of an amount, and its words; `facts.steps.Measured` has the words for strike's own.

    `measure` is the reference of the function that computes it, called with the fight, the `Deed` and the
    creature that the step affects.
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
    """Return the measure of a name, strike's own or a plugin's."""
    found: AmountKind = AMOUNTS.get(word) or brought_word(book, "amounts", word)
    return found


def amount_in_words(book: object, amount: object) -> str:
    """Return an amount in words: `3`, `half the damage dealt, rounded up`, `1d6 + 1`."""
    from strike_cli.kernel.statements import say  # what says amounts is worth loading where one is said
    from strike_cli.tabletop.people import GameMaster

    words = measured(book, amount)
    return (say(words, GameMaster(book)) or "") if words else str(amount)


def measured(book: object, amount: object) -> Measured | None:
    """Return a measured amount as a clause; None for a plain number."""
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
    """Return the conditions of a step or of bonus damage, ` if flanked`; empty without any."""
    words = [CONDITIONS[step["if"]].sentence] if "if" in step else []
    words += [f"if {book.statuses[step['if_status']]['name']}"] if "if_status" in step else []
    return "".join(f" {word}" for word in words)
