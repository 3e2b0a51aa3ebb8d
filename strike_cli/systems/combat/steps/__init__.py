"""The vocabulary of powers and statuses: their steps, shapes, parts, conditions, events and measures.

Each step is a class in a module of this package. The step `push = 2`, for example, is in `displacement.py`.
Begin with `step`, which has the base class of all steps. Content checks, play and screens all use this
vocabulary, so it imports nothing of a fight.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, cast, get_args

from strike_cli.immutable_records import Value
from strike_cli.registry.installed_plugins import load_plugin_word
from strike_cli.tabletop.rules_vocabulary import ZoneEnd

if TYPE_CHECKING:
    from typing import Literal

    from strike_cli.tabletop.data import ReactionWritten

    from ..data import BonusWritten, ContentOfFights, PowerWritten, StepWritten
    from ..data import StepOption as StepOption
    from ..facts.step_descriptions import Measured

    StepTable = StepWritten
    """A step, as it is written in a power."""
    Shape = Literal["burst", "area", "line", "cone"]
    Way = Literal["reach", "range", "burst", "line", "cone"]
    Part = Literal["before", "effect", "hit", "miss", "always"]
else:
    StepTable = StepOption = Mapping

Faces = Mapping[str, Sequence[StepTable]]
"""The steps for each face of a d6, or for a span of faces such as `3-4`."""

STEPS: Mapping[str, str] = {
    "apply": "branching_and_statuses:ApplyStep",
    "end": "saves_and_endings:EndStatusStep",
    "damage": "damage_step:DamageStep",
    "heal": "resource_changes:HealStep",
    "push": "displacement:PushStep",
    "pull": "displacement:PullStep",
    "slide": "displacement:SlideStep",
    "teleport": "displacement:TeleportStep",
    "shift": "displacement:ShiftStep",
    "swap": "displacement:SwapStep",
    "choose": "branching_and_statuses:ChooseStep",
    "repeat": "branching_and_statuses:RepeatStep",
    "roll": "branching_and_statuses:RollStep",
    "reroll": "event_changes:RerollStep",
    "reduce": "event_changes:ReduceStep",
    "halve": "event_changes:HalveStep",
    "prevent": "event_changes:PreventStep",
    "redirect": "event_changes:RedirectStep",
    "save": "saves_and_endings:SaveStep",
    "zone": "zones:ZoneStep",
    "move-zone": "zones:MoveZoneStep",
    "grow-zone": "zones:GrowZoneStep",
    "end-zone": "zones:EndZoneStep",
    "summon": "summon:SummonStep",
    "dismiss": "saves_and_endings:DismissStep",
    "token": "resource_changes:TokenStep",
    "strike": "resource_changes:StrikeStep",
    "ap": "resource_changes:ApStep",
    "regain": "resource_changes:RegainStep",
    "raise": "status_number:RaiseStep",
    "lower": "status_number:LowerStep",
    "attack": "granted_attacks:AttackStep",
    "move": "displacement:MoveStep",
    "note": "resource_changes:NoteStep",
    "handler": "plugin_handler_step:HandlerStep",
    "opportunity": "granted_attacks:OpportunityStep",
    "lose-control": "loss_of_control:LoseControlStep",
    "run-at": "loss_of_control:RunAtStep",
    "run-from": "loss_of_control:RunFromStep",
    "take-cover": "loss_of_control:TakeCoverStep",
    "charge": "loss_of_control:ChargeStep",
    "melee": "loss_of_control:MeleeStep",
    "ranged": "loss_of_control:RangedStep",
}
"""The class of each step, by its module in this package. It is imported when the step is first needed."""
SHAPES: tuple[Shape, ...] = ("burst", "area", "line", "cone")
WAYS: tuple[Way, ...] = ("reach", "range", "burst", "line", "cone")
"""The keys that say how far a power reaches."""
PARTS: Mapping[Part, str] = {
    "before": "first",
    "effect": "",
    "hit": "on a hit",
    "miss": "on a miss",
    "always": "in any case",
}
"""The parts of a power, with the words for when their steps happen; docs/campaign-file.md explains them."""
UNROLLED: tuple[Part, ...] = ("before", "effect", "always")
"""The parts of a power whose steps don't depend on an attack roll."""
PART_HEADINGS: Mapping[Part, str] = {
    "before": "First, before any die",
    "effect": "Effect",
    "hit": "On a hit by the die itself",
    "miss": "On a miss",
    "always": "Afterwards, in any case",
}
"""The headings of the parts in an explanation of a power."""
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
"""The words for the creatures that a step affects.

`around` are all other creatures, friend or foe. `doer` and `befallen` cause and suffer the event that is
reacted to. `giver` gave the status that has the step, and `other` is the other creature of its moment.
`inside` are all in a zone, and `summons` the creatures that the user has summoned.
"""
WAYS_OF_ZONES = ("chosen", "away", "nearer", "random")
"""The words for the direction in which a zone moves.

The maker chooses it, or it is away from the maker, nearer to the affected creature, or rolled with a die.
"""
TURNS = ("own", "maker", "none")
"""The words for when summoned creatures act: by their own initiative, right after their maker, or never."""
USER = "the user"
"""The words for the user of a power, in texts about the power itself."""
WHOM_AS_SUBJECTS = {
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
"""The words for the creatures of WHOM as subjects of sentences, in explanations of a power."""
MOST_TIMES = 10
"""The most times that steps are repeated."""
KEYS_WITH_STEPS = ("steps", "options", "faces", "otherwise")
"""The keys of a step whose values contain steps. The conditions of the outer step hold for these, too."""
MOST_NESTED_LEVELS = 4
"""How deep steps may be nested in steps, for instance a choice in a repetition in a roll."""
ZONE_ENDS = get_args(ZoneEnd)
"""The words for the end of a zone: the start or end of its maker's next turn, or the end of the fight."""
DISPLACED = {
    "push": "pushed",
    "pull": "pulled",
    "slide": "slid",
    "shift": "shifted",
    "teleport": "teleported",
}
"""The kinds of movement by an effect, with the participle for the creature that is moved."""


class Condition(Value):
    """A condition of a step or of bonus damage: about the target, the power's user or the attack's die.

    It is worded in three ways: `reason` where a bonus is explained, `sentence` on a sheet, and `told` in an
    explanation of the power. If `told` is "", `sentence` is used there.
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
"""The word for a scene in durations."""


# Events that powers react to


class ReactionEventKind(Value):
    """A kind of event to which powers may react (`on`).

    Attributes:
        befalls: What happens to the affected creature, such as "is hit"; "" if no creature is affected.
        doer: What the creature does that causes the event, such as "hits".
        steps: The steps that may change the event; empty if the event can't be changed any more.
        held: The moment of the event in the words of a status's reaction, such as "before it is hit". "It" is
            the bearer of the status.
    """

    befalls: str
    doer: str
    steps: tuple[str, ...] = ()
    held: str = ""


REACTION_EVENTS: Mapping[str, ReactionEventKind] = {
    "declared": ReactionEventKind("is attacked", "attacks", ("prevent", "redirect"), "before it is attacked"),
    "rolled": ReactionEventKind(
        "has been rolled against", "has rolled an attack", ("reroll",), "when the die against it is rolled"
    ),
    "struck": ReactionEventKind("would be hit", "would hit", ("prevent", "redirect"), "before it is hit"),
    "harmed": ReactionEventKind(
        "would take damage",
        "would deal damage",
        ("reduce", "halve", "prevent", "redirect"),
        "before it takes damage",
    ),
    "falls": ReactionEventKind(
        "would fall", "would take somebody out", ("reduce", "halve", "prevent", "redirect"), "before it falls"
    ),
    "displaced": ReactionEventKind(
        "would be moved", "would move somebody", ("reduce", "halve", "prevent"), "before another moves it"
    ),
    "moves": ReactionEventKind("", "moves", ("prevent",), "before it moves"),
    "uses": ReactionEventKind("", "uses a power", ("prevent",), "before it uses a power"),
    "missed": ReactionEventKind("is missed", "misses", held="when an attack misses it"),
    "hit": ReactionEventKind("is hit", "hits", held="when an attack hits it"),
}
DAMAGING = ("damaged", "harmed", "falls")
"""The moments with damage that an amount can measure."""
COMPULSION_STEPS = ("run-at", "run-from", "take-cover", "charge", "melee", "ranged")
"""The steps of lost control, which are only allowed in the faces of its die."""
EVENT_CHANGING_STEPS = ("reroll", "reduce", "halve", "prevent", "redirect")
"""The steps that change an event before it happens."""
SIDES = {
    "self": "oneself",
    "ally": "an ally",
    "friend": "you or an ally",
    "foe": "a foe",
    "anybody": "anybody",
}
"""The words for the creature that an event affects or that causes it, relative to the reacting creature."""
PLANS = ("always", "bloodied", "deadly", "never")
"""The words for when a creature of the game master's reacts.

It reacts always, for a Bloodied creature only, for one that would fall only, or never by itself.
"""
RESULTS = ("hit", "miss", "critical", "solid", "glancing")
"""The results of a die, for reactions that only react to some of them."""
ONCE = ("turn", "round", "scene", "fight")
"""The periods in which something may happen once. `scene` means the fight, too."""


def trigger_in_words(power: PowerWritten) -> str:
    """Return a power's trigger in words: `when hit`, `when a foe attacks (miss)`."""
    kind, befalls, by = REACTION_EVENTS[power["on"]], victim_side_key(power), doer_side_word(power)
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
    return f"when {words}" + (f", {once_limit_words(power)}" if "once" in power else "")


def once_limit_words(limited_item: Mapping[str, object]) -> str:
    """Return a limit in words: `once a round`."""
    return f"once a {'fight' if limited_item['once'] == 'scene' else limited_item['once']}"


def victim_side_key(power: PowerWritten) -> str:
    """Return the word of SIDES for the creature that a power's trigger affects.

    If the power has the key `befalls`, its value is the word. If the trigger's event affects nobody, the word
    is "". If the power has the key `by`, the word is "" as well, because any creature may be affected. In
    every other case, the word is "self".
    """
    if "befalls" in power or not REACTION_EVENTS[power["on"]].befalls:
        return str(power.get("befalls", ""))
    return "" if "by" in power else "self"


def doer_side_word(power: PowerWritten) -> str:
    """Return who can cause the trigger of a power, as a word of SIDES.

    The power can say so with its key `by`. If it doesn't, the word depends on the power's event. For an event
    that happens to somebody it is "", which means any creature. For any other event it is "foe".
    """
    return str(power.get("by", "" if REACTION_EVENTS[power["on"]].befalls else "foe"))


# Amounts


class AmountKind(Value):
    """A measure from which a step can take an amount.

    `measure` names the function that computes the amount. It gets the fight, the `PowerUse` and the creature
    that the step affects. `words` describes the measure. For strike's own measures, the words are in
    `facts.step_descriptions.Measured`.
    """

    measure: str
    words: str = ""


AMOUNTS: Mapping[str, AmountKind] = {
    "dealt": AmountKind(".step_amounts:damage_of_this_roll_so_far"),
    "this": AmountKind(".step_amounts:damage_reacted_to"),
    "value": AmountKind(".step_amounts:status_number_at_reaction"),
    "missing": AmountKind(".step_amounts:hp_missing_from_target"),
    "round": AmountKind(".step_amounts:round_now"),
    "strikes": AmountKind(".step_amounts:users_strikes"),
    "tokens": AmountKind(".step_amounts:users_miss_tokens"),
    "targets": AmountKind(".step_amounts:target_count"),
    "enemies-adjacent": AmountKind(".step_amounts:count_adjacent_enemies"),
    "allies-adjacent": AmountKind(".step_amounts:count_adjacent_allies"),
    "max-hp": AmountKind(".step_amounts:users_max_hp"),
    "speed": AmountKind(".step_amounts:users_speed"),
    "melee-damage": AmountKind(".step_amounts:users_melee_damage"),
}


def amount_kind_named(book: object, word: str) -> AmountKind:
    """Return the kind of amount with this name, such as the damage dealt.

    `word` is a name from the rules, or one that a plugin adds.
    """
    found: AmountKind = AMOUNTS.get(word) or load_plugin_word(book, "amounts", word)
    return found


def amount_in_words(book: object, amount: object) -> str:
    """Return an amount in words: `3`, `half the damage dealt, rounded up`, `1d6 + 1`."""
    from strike_cli.kernel.statements import say  # what says amounts is worth loading where one is said
    from strike_cli.tabletop.characters_and_names import GameMasterSpeaker

    words = measured_amount_clause(book, amount)
    return (say(words, GameMasterSpeaker(book)) or "") if words else str(amount)


def measured_amount_clause(book: object, amount: object) -> Measured | None:
    """Return a measured amount as a clause, None if it is a plain number."""
    from ..facts.step_descriptions import Measured

    if not isinstance(amount, Mapping):
        return None
    of = amount.get("of", "")
    words = "" if of in AMOUNTS or not of else amount_kind_named(book, of).words
    return Measured(**{**amount, "words": words})


def steps_of_reaction(checked_reaction: ReactionWritten) -> Sequence[StepTable]:
    """Return the steps of a reaction that a status or a trait gives."""
    return cast("Sequence[StepTable]", checked_reaction["steps"])


def steps_with_nested(steps: Iterable[StepTable]) -> Iterator[StepTable]:
    """Yield steps and all steps nested in them."""
    for step in steps:
        yield step
        for _, inner in nested_step_lists(step):
            yield from steps_with_nested(inner)


def nested_step_lists(step: StepTable) -> Iterator[tuple[str, Sequence[StepTable]]]:
    """Yield the lists of steps directly inside a step, each with its place, such as `faces.1-3`."""
    for key in ("steps", "otherwise"):
        if key in step:
            yield key, step[key]
    for number, option in enumerate(step.get("options", ()), 1):
        yield f"options[{number}].steps", option["steps"]
    for faces, inner in step.get("faces", {}).items():
        yield f"faces.{faces}", inner


def condition_words_on_sheet(book: ContentOfFights, step: StepTable | BonusWritten) -> str:
    """Return the words of a sheet for the conditions of a step or of bonus damage: ` if flanked`.

    Without conditions, return "".
    """
    words = [CONDITIONS[step["if"]].sentence] if "if" in step else []
    words += [f"if {book.statuses[step['if_status']]['name']}"] if "if_status" in step else []
    return "".join(f" {word}" for word in words)


def conditions_and_other_target(step: StepTable) -> list[str]:
    """Return the keys of a step that set a condition, or a target other than "target"."""
    other = ["to"] if step.get("to", "target") != "target" else []
    return [*(key for key in ("if", "if_status", "once") if key in step), *other]
