"""The words that powers are written in: shapes, parts, conditions, and the steps of an effect. Each stands
here once, with its sentence and, for a step, what it can't do without and what plays it.

Forms, play and screens read this alike, so that it imports nothing of a fight.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from strike_cli.registry.installed import brought_word, load_object
from strike_cli.tabletop.vocabularies import DURATIONS, UNTIL, Duration, EndingFact, MomentKind

Step = Mapping[str, Any]
"""A step as a power has it."""

SHAPES = ("burst", "area", "line", "cone")
PARTS = {"before": "first", "effect": "", "hit": "on a hit", "miss": "on a miss", "always": "in any case"}
"""When the steps of a power are done; docs/campaign-file.md says when that is."""
PARTS_TOLD = {
    "before": "First, before any die",
    "effect": "Effect",
    "hit": "On any hit of the die itself",
    "miss": "On a miss",
    "always": "Afterwards, in any case",
}
"""The same at the head of a line that reads a power back."""
WHOM = {
    "target": "",
    "self": "oneself",
    "ally": "an ally",
    "allies": "allies",
    "enemies": "enemies",
    "around": "all",
    "doer": "who does it",
    "befallen": "whom it befalls",
    "giver": "who gave it",
    "inside": "all in it",
    "summons": "one's summons",
}
"""Whom a step is for; `around` are all others, friend or foe, `doer` and `befallen` those of what is
answered, `giver` who gave the status that does it, `inside` all in a zone, `summons` whoever was called."""
ZONE_WHO = ("enemies", "allies", "friends", "others")
"""For whom what a zone gives and takes is, seen from who made it; for anybody unless said."""
WAYS_OF_ZONES = ("chosen", "away", "nearer", "random")
"""Where a zone is moved: as its maker says, away from them, nearer to whom the step is for, as a die says."""
TURNS = ("own", "maker", "none")
"""When summons act: by a die of their own, right after their maker, or not by themselves."""
USER = "who uses it"
"""Whoever uses a power, in words about powers alone."""
WHOM_TOLD = {
    "target": "the target",
    "self": USER,
    "ally": "an ally, chosen",
    "allies": "each ally",
    "enemies": "each enemy",
    "around": "everybody else",
    "doer": "who does it",
    "befallen": "whom it befalls",
    "giver": "who gave it",
    "inside": "each in it",
    "summons": "each of one's summons",
}
"""The same as the subject of a sentence, for reading a power back."""
ROUNDING = ("down", "up")
"""How half of an amount is rounded."""
MOST_TIMES = 10
"""How often steps are repeated at most."""
NESTING = ("choose", "repeat", "roll")
"""Steps that have steps in them, for which the same conditions hold."""
DEEPEST = 4
"""Steps that may stand in one another: a choice in a repetition in a roll, say."""
ZONE_ENDS = ("turn-start", "turn-end", "encounter")
"""Until when a zone may last: the next start or end of its maker's turn, or the end of the fight."""
SIGHT = ("obscured", "dark", "light")
"""How a zone hides: what is in it is concealed, or can't be seen at all (STR-TAC-22); or that it is light,
and nothing there is hidden by either."""
DISPLACED = {
    "push": "pushed",
    "pull": "pulled",
    "slide": "slid",
    "shift": "shifted",
    "teleport": "teleported",
}
"""Ways of being moved by an effect, and what is said of whom it befalls."""


class Condition(NamedTuple):
    """What must be so for a step or for bonus damage, beside `if_status`: of the target, unless it says self.
    As a reason, in a sentence on a sheet, and `told` in full."""

    reason: str
    sentence: str
    told: str = ""


CONDITIONS = {
    "bloodied": Condition("Bloodied", "if Bloodied", "where the target is Bloodied"),
    "self-bloodied": Condition("oneself Bloodied", "if oneself is Bloodied", "where who uses it is Bloodied"),
    "flanked": Condition("flanked", "if flanked", "where the target is flanked"),
    "adjacent": Condition("adjacent", "if adjacent", "where the target is adjacent"),
    "hidden": Condition("Hidden", "if Hidden", "where who uses it was Hidden from the target"),
    "critical": Condition("critical", "on a critical hit", "on a critical hit"),
}


SCENE = "fight"
"""What the scene is called, in words of how long something lasts."""


def duration_in(book: Any, word: str) -> Duration:
    """A duration, strike's own or a plugin's."""
    found: Duration = DURATIONS.get(word) or brought_word(book, "durations", word)
    return found


def until_in(book: Any, word: str) -> EndingFact | MomentKind:
    """What ends something, strike's own or a plugin's."""
    found: EndingFact | MomentKind = UNTIL.get(word) or brought_word(book, "moments", word)
    return found


# Moments that powers answer


class AnswerKind(NamedTuple):
    """A moment that powers may answer (`on`). What is said of whom it `befalls`, empty where it befalls
    nobody, and of its `doer`; `steps` are those that change what comes, none once it is over; `held` is when
    a status reacts to it, said of who has that."""

    befalls: str
    doer: str
    steps: tuple[str, ...] = ()
    held: str = ""


ANSWERS: Mapping[str, AnswerKind] = {
    "declared": AnswerKind("is attacked", "attacks", ("prevent", "redirect"), "before it is attacked"),
    "rolled": AnswerKind(
        "has been rolled against", "has rolled an attack", ("reroll",), "as the die against it lies there"
    ),
    "struck": AnswerKind("would be hit", "would hit", ("prevent", "redirect"), "before it is hit"),
    "harmed": AnswerKind(
        "would take damage",
        "would deal damage",
        ("reduce", "halve", "prevent", "redirect"),
        "before it takes damage",
    ),
    "falls": AnswerKind(
        "would fall",
        "would fell somebody",
        ("reduce", "halve", "prevent", "redirect"),
        "before it falls",
    ),
    "displaced": AnswerKind(
        "would be moved", "would move somebody", ("reduce", "halve", "prevent"), "before another moves it"
    ),
    "moves": AnswerKind("", "moves", ("prevent",), "before it moves"),
    "uses": AnswerKind("", "uses a power", ("prevent",), "before it uses a power"),
    "missed": AnswerKind("is missed", "misses", held="when an attack misses it"),
    "hit": AnswerKind("is hit", "hits", held="when an attack hits it"),
}
CHANGING = ("reroll", "reduce", "halve", "prevent", "redirect")
"""Steps that change what is about to come."""
SIDES = {
    "self": "oneself",
    "ally": "an ally",
    "friend": "oneself or an ally",
    "foe": "a foe",
    "anybody": "anybody",
}
"""Whom a moment may befall, or who does it, seen from who answers."""
PLANS = ("always", "bloodied", "deadly", "never")
"""When creatures give an answer: always, for somebody Bloodied, or who would fall, or not by themselves."""
RESULTS = ("hit", "miss", "critical", "solid", "glancing")
"""What a die on the table comes to, where an answer is for some of it."""
ONCE = ("turn", "round", "scene", "fight")
"""How often something may be done that has no other end; a fight is a scene."""


def occasion_in_words(power: Mapping[str, Any]) -> str:
    """`when hit`, `when an ally within 2 would take damage`, `when a foe attacks: a miss`."""
    kind, befalls, by = ANSWERS[power["on"]], whom_it_befalls(power), who_does_it(power)
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
    return f"when {words}" + (f", {once_in_words(power)}" if "once" in power else "")


def once_in_words(item: Mapping[str, Any]) -> str:
    """`once a round`."""
    return f"once a {'fight' if item['once'] == 'scene' else item['once']}"


def whom_it_befalls(power: Mapping[str, Any]) -> str:
    """Whom what a power answers must befall: oneself, unless it says whom or by whom; empty for anybody."""
    if "befalls" in power or not ANSWERS[power["on"]].befalls:
        return str(power.get("befalls", ""))
    return "" if "by" in power else "self"


def who_does_it(power: Mapping[str, Any]) -> str:
    """Who must do what a power answers: a foe, where it befalls nobody; empty for anybody."""
    return str(power.get("by", "" if ANSWERS[power["on"]].befalls else "foe"))


# Amounts


class AmountKind(NamedTuple):
    """What an amount may be measured by, and how that is said. `measure` is the reference of what counts it,
    called with the fight, the `Deed` and the one that the step is for."""

    measure: str
    words: str


AMOUNTS: Mapping[str, AmountKind] = {
    "dealt": AmountKind(".amounts:dealt", "the damage dealt"),
    "missing": AmountKind(".amounts:missing", "the HP that are missing"),
    "round": AmountKind(".amounts:round_now", "the round"),
    "strikes": AmountKind(".amounts:strikes", "one's Strikes"),
    "tokens": AmountKind(".amounts:tokens", "one's Miss Tokens"),
    "targets": AmountKind(".amounts:targets", "the number of targets"),
    "enemies-adjacent": AmountKind(".amounts:enemies_adjacent", "the adjacent enemies"),
    "allies-adjacent": AmountKind(".amounts:allies_adjacent", "the adjacent allies"),
}


def amount_in(book: Any, word: str) -> AmountKind:
    """What an amount is measured by, strike's own or a plugin's."""
    found: AmountKind = AMOUNTS.get(word) or brought_word(book, "amounts", word)
    return found


def amount_in_words(book: Any, amount: Any) -> str:
    """`3`, `half the damage dealt, rounded up`, `1d6 + 1`."""
    if not isinstance(amount, Mapping):
        return str(amount)
    dice = f"{amount.get('dice', 1)}d{amount['die']}" if "die" in amount else ""
    words = dice or amount_in(book, amount["of"]).words
    if amount.get("times", 1) > 1:
        words = f"{amount['times']} times {words}"
    if "half" in amount:
        words = f"half {words}, rounded {amount['half']}"
    if plus := amount.get("plus"):
        words += f" {'+' if plus > 0 else '-'} {abs(plus)}"
    words += f", at least {amount['least']}" if "least" in amount else ""
    return words + (f", at most {amount['most']}" if "most" in amount else "")


def with_nested(steps: Iterable[Step]) -> Iterator[Step]:
    """The steps, and those that stand in them."""
    for step in steps:
        yield step
        for _, inner in branches(step):
            yield from with_nested(inner)


def branches(step: Step) -> Iterator[tuple[str, list[Step]]]:
    """Lists of steps that stand in a step, each with where."""
    if "steps" in step:
        yield "steps", step["steps"]
    for number, option in enumerate(step.get("options", ()), 1):
        yield f"options[{number}].steps", option["steps"]
    for faces, inner in step.get("faces", {}).items():
        yield f"faces.{faces}", inner


# Sentences of steps


Sentence = Callable[[Any, Step], str]
"""Called with the book and the step."""


def _says(words: str, of_one: str = "") -> Sentence:
    """Words with the step's amount in place of `{}`; others where it is 1."""

    def sentence(book: Any, step: Step) -> str:
        amount = step.get("amount", 1)
        return of_one if of_one and amount == 1 else words.format(amount_in_words(book, amount))

    return sentence


def _applied(book: Any, step: Step) -> str:
    value = f" {amount_in_words(book, step['amount'])}" if "amount" in step else ""
    return f"{book.statuses[step['status']]['name']}{value}{_lasting(book, step)}"


def _ended(book: Any, step: Step) -> str:
    return f"ends {book.statuses[step['status']]['name'] if 'status' in step else 'a harmful status'}"


def _zone(book: Any, step: Step) -> str:
    what = [f"{amount_in_words(book, step['amount'])} damage"] if "amount" in step else []
    what += ["difficult"] if step.get("difficult") else []
    what += [str(step["sight"])] if "sight" in step else []
    what += ["a wall"] if step.get("blocks") else []
    what += ["cover"] if step.get("cover") else []
    what += [str(book.statuses[step["status"]]["name"])] if "status" in step else []
    what += [f"for {step['who']}"] if "who" in step else []
    where = f" within {step['spread']}" if "spread" in step else ""
    where += f", {step['length']} squares drawn" if "length" in step else ""
    where += ", that goes along" if step.get("along") else ""
    words = f" ({', '.join(what)})" if what else ""
    return f"a zone of {step['name']}{where}{words}{_lasting(book, step)}"


def _zone_of(step: Step) -> str:
    return str(step.get("zone", "the zone"))


def _zone_moved(book: Any, step: Step) -> str:
    way = {"away": " away", "nearer": " nearer", "random": " at random"}.get(step.get("way", ""), "")
    return f"{_zone_of(step)} moves {amount_in_words(book, step.get('amount', 1))}{way}"


def _zone_grown(book: Any, step: Step) -> str:
    return f"{_zone_of(step)} grows by {amount_in_words(book, step.get('amount', 1))}"


def _zone_ended(book: Any, step: Step) -> str:
    return f"{_zone_of(step)} ends"


def _summoned(book: Any, step: Step) -> str:
    count = amount_in_words(book, step.get("amount", 1))
    name = str(book.creatures[step["creature"]]["name"])
    turns = {"maker": ", acting after them", "none": ", without turns"}.get(step.get("turns", ""), "")
    near = f" within {step['near']}" if "near" in step else ""
    stays = ", that stays" if step.get("stays") else ""
    return f"calls {'' if count == '1' else f'{count} x '}{name}{near}{turns}{stays}{_lasting(book, step)}"


def _lasting(book: Any, step: Step) -> str:
    if "duration" not in step:
        return ""
    if step["duration"] == "until":
        return f" ({until_in(book, step['until']).given})"
    return f" ({duration_in(book, step['duration']).given.format(scene=SCENE)})"


def _moved(book: Any, step: Step) -> str:
    return f"moves up to {amount_in_words(book, step['amount'])}" if "amount" in step else "moves"


def _attacked(book: Any, step: Step) -> str:
    words = "attacks" if step.get("uses") == "any" else "makes a basic attack"
    if "power" in step:
        words = f"attacks with {book.powers[step['power']]['name']}"
    words += {"melee": " in melee", "ranged": " at range"}.get(step.get("range", ""), "")
    words += {"target": " the target", "other": " another"}.get(step.get("at", ""), "")
    return words + (f" within {step['near']} of the target" if "near" in step else "")


def _handled(book: Any, step: Step) -> str:
    return str(step.get("text") or step["handler"].rpartition(":")[2].replace("-", " "))


def _displaced(done: str) -> Sentence:
    said = _says(f"{done} {{}}")

    def sentence(book: Any, step: Step) -> str:
        return said(book, step) + (", square by square" if step.get("way") == "chosen" else "")

    return sentence


def _all_in_words(book: Any, steps: Iterable[Step]) -> str:
    return ", then ".join(in_words(book, step) for step in steps)


def _chosen(book: Any, step: Step) -> str:
    each = (f"{option['name']} ({_all_in_words(book, option['steps'])})" for option in step["options"])
    return f"{'chooses' if step.get('by') == 'target' else 'one of'}: {' or '.join(each)}"


def _halved(book: Any, step: Step) -> str:
    return f"half of it, rounded {step.get('half', 'down')}"


def _repeated(book: Any, step: Step) -> str:
    return f"{amount_in_words(book, step['amount'])} times: {_all_in_words(book, step['steps'])}"


def _rolled(book: Any, step: Step) -> str:
    each = (f"{faces}: {_all_in_words(book, inner) or 'nothing'}" for faces, inner in step["faces"].items())
    return f"a die each ({'; '.join(each)})"


def _noted(book: Any, step: Step) -> str:
    return str(step["text"])


# The steps


class StepKind(NamedTuple):
    """What a step of a power may do. `play` is the reference of its procedure, called with the world, the
    `Deed`, the step and one of those whom it is for; it returns the ids of statuses that took hold, or None.

    `would` is the reference of what tells whether it would do anything, called with the fight, the `Deed`,
    the step and that one; without it a step counts as doing something. `takes` are keys that it reads besides
    those that it `needs`.

    `sentence` is how a sheet says it, in few words; `tells` the reference of how `strike content explain`
    reads it back in full, called with the book, the step and whom it is for, in words (`told`): without it
    as the sheet does.
    """

    play: str
    sentence: Sentence
    needs: tuple[str, ...] = ()
    would: str = ""
    takes: tuple[str, ...] = ()
    tells: str = ""


_LASTING = ("duration", "until", "whose")
_WAY = ("push", "pull", "slide")
STEPS: Mapping[str, StepKind] = {
    "apply": StepKind(
        ".effects:do_apply", _applied, ("status",), takes=("amount", *_LASTING), tells=".told:applied"
    ),
    "end": StepKind(
        ".effects:do_end", _ended, would=".idle:would_end", takes=("status",), tells=".told:ended"
    ),
    "damage": StepKind(".effects:do_damage", _says("{} more damage"), ("amount",), tells=".told:damaged"),
    "heal": StepKind(
        ".effects:do_heal", _says("heals {}"), ("amount",), ".idle:would_heal", tells=".told:healed"
    ),
    **{
        kind: StepKind(
            ".effects:do_displace",
            _displaced(done),
            ("amount",),
            takes=("way",) if kind in _WAY else (),
            tells=f".told:{done}",
        )
        for kind, done in {**DISPLACED, "shift": "shifts"}.items()
    },
    "swap": StepKind(
        ".effects:do_swap",
        _says("changes places with the other"),
        (),
        ".idle:would_swap",
        tells=".told:swapped",
    ),
    "choose": StepKind(".effects:do_choose", _chosen, ("options",), takes=("by",), tells=".told:chosen"),
    "repeat": StepKind(".effects:do_repeat", _repeated, ("amount", "steps"), tells=".told:repeated"),
    "roll": StepKind(".effects:do_roll", _rolled, ("faces",), tells=".told:rolled"),
    "reroll": StepKind(".effects:do_reroll", _says("the die is rolled again"), tells=".told:rerolled"),
    "reduce": StepKind(".effects:do_reduce", _says("{} less"), ("amount",), tells=".told:reduced"),
    "halve": StepKind(".effects:do_halve", _halved, takes=("half",), tells=".told:halved"),
    "prevent": StepKind(".effects:do_prevent", _says("it doesn't happen"), tells=".told:prevented"),
    "redirect": StepKind(".effects:do_redirect", _says("it befalls them instead"), tells=".told:redirected"),
    "save": StepKind(
        ".effects:do_save",
        _says("a Saving Throw at once"),
        would=".idle:would_save",
        takes=("status",),
        tells=".told:saves",
    ),
    "zone": StepKind(
        ".ground:do_zone",
        _zone,
        ("name",),
        takes=(
            "amount",
            "difficult",
            "sight",
            "status",
            "duration",
            "blocks",
            "cover",
            "along",
            "spread",
            "length",
            "who",
        ),
        tells=".told:zone",
    ),
    "move-zone": StepKind(
        ".ground:do_move_zone",
        _zone_moved,
        (),
        ".idle:has_zone",
        ("zone", "amount", "way"),
        ".told:zone_moved",
    ),
    "grow-zone": StepKind(
        ".ground:do_grow_zone", _zone_grown, (), ".idle:has_zone", ("zone", "amount"), ".told:zone_grown"
    ),
    "end-zone": StepKind(
        ".ground:do_end_zone", _zone_ended, (), ".idle:has_zone", ("zone",), ".told:zone_ended"
    ),
    "summon": StepKind(
        ".summons:do_summon",
        _summoned,
        ("creature",),
        ".idle:would_summon",
        takes=("amount", "near", "turns", "duration", "stays"),
        tells=".told:summoned",
    ),
    "dismiss": StepKind(".summons:do_dismiss", _says("is gone"), tells=".told:dismissed"),
    "token": StepKind(
        ".effects:do_token",
        _says("{} Miss Tokens", "a Miss Token"),
        would=".idle:is_for_players",
        takes=("amount",),
        tells=".told:tokens",
    ),
    "strike": StepKind(
        ".effects:do_strike",
        _says("{} Strikes", "a Strike"),
        would=".idle:is_for_players",
        takes=("amount",),
        tells=".told:strikes",
    ),
    "ap": StepKind(
        ".effects:do_ap",
        _says("{} Action Points", "an Action Point"),
        would=".idle:is_for_players",
        takes=("amount",),
        tells=".told:points",
    ),
    "regain": StepKind(
        ".effects:do_regain",
        _says("an Encounter power again"),
        would=".idle:would_regain",
        tells=".told:regained",
    ),
    "attack": StepKind(
        ".grants:do_attack", _attacked, takes=("uses", "power", "range", "at", "near"), tells=".told:attacks"
    ),
    "move": StepKind(".effects:do_move", _moved, takes=("amount",), tells=".told:moves"),
    "note": StepKind(".effects:do_note", _noted, ("text",), tells=".told:noted"),
    "handler": StepKind(
        ".effects:do_handler", _handled, ("handler",), takes=("text",), tells=".told:handled"
    ),
}
ANY_STEP = ("do", "to", "within", "from", "if", "if_status", "once")
"""Keys that any step may have; `zone` too, where it is for those inside one."""


def keys_of(step: Step, kind: StepKind) -> set[str]:
    """The keys that a step of a kind reads."""
    return {*ANY_STEP, *kind.needs, *kind.takes, *(["zone"] if step["to"] == "inside" else [])}


def step_in(book: Any, step: Step) -> StepKind:
    """What a step does, strike's own or a plugin's."""
    found: StepKind = STEPS.get(step["do"]) or brought_word(book, "steps", step["do"])
    return found


def in_words(book: Any, step: Step) -> str:
    """A step as a sheet says it: `Prone (save ends)`, `oneself: heals 3`, `pushed 2 if flanked`."""
    whom = WHOM[step["to"]] + (f" within {step['within']}" if "within" in step else "")
    whom += " of the target" if step.get("from") == "target" else ""
    words = step_in(book, step).sentence(book, step).rstrip(".") + if_in_words(book, step)
    words += f", {once_in_words(step)}" if "once" in step else ""
    return f"{whom}: {words}" if whom else words


def if_in_words(book: Any, step: Step) -> str:
    """What must be so for a step or for bonus damage: ` if flanked`; empty for one without conditions."""
    words = [CONDITIONS[step["if"]].sentence] if "if" in step else []
    words += [f"if {book.statuses[step['if_status']]['name']}"] if "if_status" in step else []
    return "".join(f" {word}" for word in words)


@cache
def load_part(reference: str) -> Any:
    """What a reference of a StepKind names."""
    return load_object(f"{__package__}{reference}" if reference.startswith(".") else reference)
