"""The forms of fights: statuses, powers, creatures, encounters, and the fight under way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from inspect import get_annotations
from types import UnionType
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, NamedTuple, Union, get_args, get_origin

from strike_cli.faults import Fault, Faults, Place
from strike_cli.problems import listed
from strike_cli.reading import is_number
from strike_cli.tabletop.contribution_schemas import DURATION, REACTIONS, ROLL, UNTIL_FACT
from strike_cli.tabletop.data import PICTURE, SEEN, Contributions
from strike_cli.tabletop.grid import LEGEND, parse_square
from strike_cli.tabletop.map_file import FARTHEST, LARGEST, is_color
from strike_cli.tabletop.pictures import WANTED_FILE, is_address, may_be_picture
from strike_cli.tabletop.vocabularies import DURATIONS, MOMENTS, OF_ZONES, STANDINGS, TIMES, UNTIL
from strike_cli.type_forms import fields_in
from strike_cli.validation import (
    NAME,
    Either,
    Fields,
    Flag,
    Kind,
    Known,
    ListOf,
    Measure,
    Names,
    Number,
    OneOf,
    Record,
    Reference,
    TableOf,
    Text,
    Unchecked,
    Word,
)

from .reactions.reactions import OF_REACTION, as_step
from .steps import (
    AMOUNTS,
    ANSWERS,
    CHANGING,
    COMPELLED,
    CONDITIONS,
    DAMAGING,
    DEEPEST,
    NESTING,
    ONCE,
    PARTS,
    PLANS,
    RESULTS,
    ROUNDING,
    SHAPES,
    SIDES,
    SIGHT,
    TURNS,
    WHOM,
    ZONE_ENDS,
    ZONE_WHO,
    StepTable,
    branches,
)
from .steps.step import STEPS, EffectStep, step_in

if TYPE_CHECKING:
    from strike_cli.tabletop.data import (
        EffectWritten,
        EncounterWritten,
        MeasuredWritten,
        ObjectiveKept,
        PictureKept,
        ReactionWritten,
        StepWritten,
        ZoneWritten,
    )
    from strike_cli.validation import CheckedTable

    from .data import ContentOfFights, PowerWritten

_GROUPS = ("ally", "allies", "enemies", "around", "doer", "befallen", "giver", "inside", "summons")
"""Whom `within` may narrow: all but those whom a step has anyway."""


def _check_step(step: StepWritten, where: Place, faults: Faults) -> None:
    if step["do"] in STEPS:
        check_keys(step_in(None, step), step, where, faults)  # type: ignore[arg-type]  # it is completed
    if step.get("from") == "target" and "within" not in step:
        faults.append(Fault(where / "from", "goes with within, how near to the target"))
    if "within" in step and step["to"] not in _GROUPS:
        faults.append(Fault(where / "within", f"narrows {listed(_GROUPS)}; here it changes nothing"))
    if step["to"] != "target" and step["do"] in CHANGING and step["do"] != "redirect":
        faults.append(Fault(where / "to", f"{step['do']} changes what comes, whomever it is for"))
    if "faces" in step:
        check_faces(step["faces"], where, faults)


def check_keys(kind: type[EffectStep], step: CheckedTable, where: Place, faults: Faults) -> None:
    """Check a step for keys that it lacks, keys that it doesn't read, and what else its class says of it."""
    do = str(step["do"])
    keys = _OWN_KEYS.get(do) or keys_of(kind)
    for key, (_, needed) in keys.items():
        if needed and key not in step:
            article = "" if key in ("options", "steps", "faces") else "an " if key[0] in "ae" else "a "
            faults.append(Fault(where, f"{do} needs {article}{key}"))
    for key in step:
        if key in _ANY_STEP or (key == "zone" and step["to"] == "inside"):
            continue
        if key not in keys:
            users = [user for user, own in _OWN_KEYS.items() if key in own]
            belongs = f"it belongs to {listed(users)}" if users else 'it goes with to = "inside"'
            faults.append(Fault(where / key, f"{do} has none; {belongs}"))
        elif isinstance(keys[key].form, OneOf) or key not in _PLAIN_STEP.fields:
            keys[key].form.check(step[key], where / key, faults)
    kind.check(step, where, faults)


def _are_faces(text: str) -> bool:
    first, _, last = text.partition("-")
    return first in tuple("123456") and (last or first) in tuple("123456") and first <= (last or first)


FACES = Text(_are_faces, "a face or a span of faces of a d6, like 3-4")


def check_faces(faces: Iterable[str], where: Place, faults: Faults) -> None:
    """Faces of a die, and spans of them: each face once."""
    spans = [span.partition("-") for span in faces]
    seen = [face for first, _, last in spans for face in range(int(first), int(last or first) + 1)]
    if sorted(seen) != [1, 2, 3, 4, 5, 6]:
        faults.append(Fault(where / "faces", "should say once for each face from 1 to 6 what happens"))


def _check_amount(amount: MeasuredWritten, where: Place, faults: Faults) -> None:
    if ("die" in amount) == ("of" in amount):
        faults.append(Fault(where, "needs either of, what it is measured by, or die, the sides of a die"))
    if "status" in amount and amount.get("of") != "value":
        faults.append(Fault(where / "status", 'goes with of = "value"'))
    if "dice" in amount and "die" not in amount:
        faults.append(Fault(where / "dice", "goes with die, the sides of each"))
    if amount.get("least", 0) > amount.get("most", 100):
        faults.append(Fault(where, "least is more than most"))


AMOUNT = Either(
    int,
    Number(0, 100),
    Record(
        _check_amount,
        of=Word("amounts", AMOUNTS),
        status=Reference("statuses"),  # of a "value": the number of this status, with whom the step is for
        die=Number(2, 20),
        dice=Number(1, 4),
        times=Number(1, 10),
        share=Number(2, 10),  # one part in so many
        half=OneOf(*ROUNDING),
        plus=Number(-20, 20),
        least=Number(0, 100),
        most=Number(0, 100),
    ),
)
"""A number, or a table of what it is measured by: times so much, then halved, then plus so much."""


_GIVES: dict[str, Kind] = {
    "difficult": Flag(),
    "cover": Flag(),
    "sight": OneOf(*SIGHT),
    "who": OneOf(*ZONE_WHO),
}
"""What a zone may be, or an aura."""
_ANY_STEP: Fields = {
    "do": (Word("steps", STEPS), ...),
    "to": (OneOf(*WHOM), "target"),
    "within": Number(1, 20),  # how near an ally, the allies or the enemies must be, in squares
    "from": OneOf("self", "target"),  # to whom: to who uses the power, unless said
    "if": OneOf(*CONDITIONS),
    "if_status": Reference("statuses"),  # only for who has it
    "once": OneOf(*ONCE),
}
"""Keys that any step may have."""
STEP_KEYS: dict[str, Kind] = {
    "amount": AMOUNT,
    "status": Reference("statuses"),
    "power": Reference("powers"),
    "creature": Reference("creatures"),
    "handler": Reference("handlers"),
    "squares": Number(1, 20),
    "count": Number(1, 100),
    "duration": DURATION,
    "fact": UNTIL_FACT,
    "roll": ROLL,
    "sight": _GIVES["sight"],
    "zone-who": _GIVES["who"],
    "turns": OneOf(*TURNS),
    **dict.fromkeys(NESTING, Unchecked()),  # as deep as they stand
}
"""Forms of the types of keys (steps/keys.py), by the word that stands beside each."""


class StepKey(NamedTuple):
    """A key of a step: its form, and whether the step can't do without it."""

    form: Kind
    needed: bool


def keys_of(kind: type[EffectStep]) -> Mapping[str, StepKey]:
    """Return the keys that a step reads besides those of any step: the annotated attributes of its class."""
    found = {}
    for above in reversed(kind.__mro__):
        for name, hint in _annotations(above).items():
            if get_origin(hint) is not ClassVar:
                found[name] = StepKey(_form_of(hint), not hasattr(kind, name))
    return found


@cache
def _annotations(own: type[object]) -> Mapping[str, object]:
    """Return those of a class alone: most steps have what they share from the same one."""
    return get_annotations(own, eval_str=True)


def _form_of(hint: object) -> Kind:
    """Return the form of a key's value by its type."""
    if get_origin(hint) is Literal:
        return OneOf(*get_args(hint))
    if get_origin(hint) is Annotated:
        return STEP_KEYS[get_args(hint)[1]]
    if get_origin(hint) in (Union, UnionType):  # with None, for what need not be said
        return _form_of(get_args(hint)[0])
    plain: dict[object, Kind] = {bool: Flag(), str: Text(), int: Number()}
    return plain[hint]


_OWN_KEYS = {do: keys_of(step_in(None, {"do": do})) for do in STEPS}


def _all_keys() -> dict[str, Kind]:
    """Return the keys of all of strike's own steps; for a word that several have, everything it may be."""
    found: dict[str, Kind] = {}
    for own in _OWN_KEYS.values():
        for name, (form, _) in own.items():
            known = found.get(name, form)
            if isinstance(known, OneOf) and isinstance(form, OneOf):
                form = OneOf(*dict.fromkeys((*known.values, *form.values))) if known is not form else form
            found[name] = form
    return found


class _StepForm(Record):
    """A step. One of a plugin's may have keys of its own, which its class is asked about once all is read."""

    def check(self, value: object, where: Place, faults: Faults) -> CheckedTable:
        do = value.get("do") if isinstance(value, Mapping) else ""
        if not isinstance(value, Mapping) or not isinstance(do, str) or ":" not in do:
            return super().check(value, where, faults)
        own = {key: item for key, item in value.items() if key not in self.fields}
        known = {key: item for key, item in value.items() if key in self.fields}
        return {**super().check(known, where, faults), **own}


_PLAIN_STEP = _StepForm(
    _check_step, **_ANY_STEP, **{name: form for name, form in _all_keys().items() if name not in NESTING}
)


def _step(depth: int) -> Record:
    """Return the form of a step in which others may stand, so deep."""
    if not depth:
        return _PLAIN_STEP
    inner = ListOf(_step(depth - 1), 1)
    return _PLAIN_STEP.extended(
        {
            "steps": inner,
            "otherwise": inner,
            "options": ListOf(Record(name=(NAME, ...), steps=(inner, ...)), 2),
            "faces": TableOf(ListOf(_step(depth - 1)), FACES),
        }
    )


EFFECT = _step(DEEPEST - 1)


def _check_shape(power: PowerWritten, where: Place, faults: Faults) -> None:
    """Check the area, reach and targets of a power, whatever else there is."""
    shapes = [shape for shape in SHAPES if shape in power]
    if len(shapes) > 1:
        faults.append(Fault(where, f"has {' and '.join(shapes)}; a power has one area"))
    if "area" in power and "range" not in power:
        faults.append(Fault(where, "area needs a range: how far off the middle of it may be"))
    if "damage" in power and not shapes and "reach" not in power and "range" not in power:
        faults.append(Fault(where, f"damage needs reach, range, {', '.join(SHAPES)}: whom it can hit"))
    if "on" in power and power.get("action") not in ("interrupt", "free", "none"):
        faults.append(Fault(where / "on", "what happens by itself is an interrupt, free or no action"))
    _check_answer(power, where, faults)
    _check_costs(power, where, faults)
    _check_rolled(power, where, faults)


def _check_costs(power: PowerWritten, where: Place, faults: Faults) -> None:
    limits: list[str] = [key for key in ("uses", "charges") if key in power]
    limits += ["usage"] if power["usage"] == "encounter" else []
    if len(limits) > 1:
        faults.append(Fault(where, f"has {' and '.join(limits)}; one of them says how often it comes"))
    if "back" in power and "charges" not in power:
        faults.append(Fault(where / "back", "goes with charges, which a rest brings back"))
    if "recharge" in power and not {"uses", "usage"} & set(limits):
        faults.append(
            Fault(where / "recharge", 'goes with uses, or usage = "encounter"; nothing is used up here')
        )


def _check_answer(power: PowerWritten, where: Place, faults: Faults) -> None:
    on = power.get("on")
    for key in ("befalls", "by", "near", "result", "plan", "once"):
        if key in power and not on:
            faults.append(Fault(where / key, "goes with on, the moment that the power answers"))
    if "result" in power and on != "rolled":
        faults.append(Fault(where / "result", 'goes with on = "rolled", when the die is on the table'))
    if on and "befalls" in power and not ANSWERS[on].befalls:
        faults.append(Fault(where / "befalls", f"{on} befalls nobody; by says who does it"))
    for part in PARTS:
        for number, step in enumerate(power[part], 1):
            _check_moments_of(step, on, where / part / number, faults)


def _check_rolled(power: PowerWritten, where: Place, faults: Faults) -> None:
    """Check a power that isn't rolled for what an attack roll alone brings."""
    rolled = "damage" in power
    for key in ("hit", "miss", "bonus") if not rolled else ():
        if power[key]:
            faults.append(Fault(where / key, "needs damage, if only 0: without damage nothing is rolled"))
    for part in filter(power.get, PARTS):
        own = ("critical", "flanked") if not rolled or part in ("before", "always") else ()
        for at, step in _each_step(power[part], where / part):
            _check_conditions(step, own, at, faults)
            faults += _of_no_status(step, at)
        _check_compelled(power[part], where / part, faults)
    for shape in ("burst", "line", "cone"):
        for key in ("reach", "range"):
            if shape in power and key in power:
                faults.append(Fault(where / key, f"a {shape} spreads from who makes it"))


def _of_no_status(step: StepTable, at: Place) -> Iterator[Fault]:
    """Yield the faults of a power's step that names what only a step of a status can."""
    if step["to"] in ("giver", "other"):
        who = "who gave a status" if step["to"] == "giver" else "on the other side of a reaction"
        yield Fault(at / "to", f"{step['to']} is {who}; nobody gave a power")
    if step.get("by") == "giver":
        yield Fault(at / "by", "giver is who gave a status; nobody gave a power")
    if step.get("this") or _is_own_number(step):
        key = "this" if step.get("this") else "amount"
        yield Fault(at / key, "is of the status that does it; name the status")
    if "zone" not in step and (
        step["to"] == "inside" or step["do"] in ("move-zone", "grow-zone", "end-zone")
    ):
        yield Fault(at, "needs a zone, the name of one that was made")


def _each_step(steps: Iterable[StepTable], where: Place) -> Iterator[tuple[Place, StepTable]]:
    for number, step in enumerate(steps, 1):
        at = where / number
        yield at, step
        for inside, inner in branches(step):
            yield from _each_step(inner, at / inside)


def _check_conditions(step: Mapping[str, object], never: Sequence[str], where: Place, faults: Faults) -> None:
    if step.get("if") in never:
        faults.append(Fault(where / "if", f"{step['if']} is known of an attack roll alone, and here is none"))


def _check_moments_of(step: StepTable, on: str | None, where: Place, faults: Faults) -> None:
    """Check a step that belongs to an answer: outside one it has nothing to change, and nobody to be for."""
    may = ANSWERS[on].steps if on and on in ANSWERS else ()
    if step["do"] in CHANGING and step["do"] not in may:
        moments = [kind for kind, answer in ANSWERS.items() if step["do"] in answer.steps]
        faults.append(Fault(where, f"{step['do']} needs on = {listed(moments)}; here it changes nothing"))
    if step["to"] in ("doer", "befallen") and on not in ANSWERS:
        faults.append(Fault(where / "to", f"{step['to']} goes with on, the moment that is answered"))
    elif on and step["to"] == "befallen" and not ANSWERS[on].befalls:
        faults.append(Fault(where / "to", f"{on} befalls nobody"))
    measure = step.get("amount")
    if isinstance(measure, Mapping) and measure.get("of") == "this" and on not in DAMAGING:
        faults.append(Fault(where / "amount", f"only on = {listed(DAMAGING)} has this damage"))
    for inside, inner in branches(step):
        for number, one in enumerate(inner, 1):
            _check_moments_of(one, on, where / inside / number, faults)


def _check_reaction(reaction: ReactionWritten, where: Place, faults: Faults) -> None:
    for number, step in enumerate(reaction["steps"], 1):
        _check_moments_of(step, reaction["on"], where / "steps" / number, faults)
    for at, step in _each_step(reaction["steps"], where / "steps"):
        _check_conditions(step, ("critical", "flanked"), at, faults)
    _check_compelled(reaction["steps"], where / "steps", faults)


def _check_compelled(
    steps: Sequence[StepTable], where: Place, faults: Faults, in_faces: bool = False
) -> None:
    """Check for acts of somebody who has lost control without a die that decides them."""
    for number, step in enumerate(steps, 1):
        at = where / number
        if step["do"] in COMPELLED and not in_faces:
            faults.append(Fault(at, f'{step["do"]} goes in the faces of do = "lose-control"'))
        for inside, inner in branches(step):
            lost = step["do"] == "lose-control" or inside == "otherwise"
            _check_compelled(inner, at / inside, faults, lost)


def _is_own_number(step: StepTable) -> bool:
    """Return whether a step is measured by the number of the status that does it."""
    amount = step.get("amount")
    return isinstance(amount, Mapping) and amount.get("of") == "value" and "status" not in amount


def _check_trait(trait: EffectWritten, where: Place, faults: Faults) -> None:
    must_need_no_giver(trait, where, faults, "trait")


def must_need_no_giver(trait: EffectWritten, where: Place, faults: Faults, what: str) -> None:
    """Check a trait or a Condition (`what`) for what only a status can have, which has a giver and an end."""
    for number, reaction in enumerate(trait["reactions"], 1):
        at = where / "reactions" / number
        if reaction["on"] in ("gaining", *OF_ZONES):
            faults.append(Fault(at / "on", f"{reaction['on']} comes of statuses; a {what} is always there"))
        if reaction.get("when") in _OF_GIVERS:
            faults.append(Fault(at, f"nobody gave a {what}, so there is no giver"))
        for inner, step in _each_step(reaction["steps"], at / "steps"):
            faults += _of_no_giver(step, inner, what)
    for key in ("sources", "numbers"):
        for number, item in enumerate(trait[key], 1):
            if item.get("when") in _OF_GIVERS:
                faults.append(
                    Fault(where / key / number / "when", f"nobody gave a {what}, so there is no giver")
                )


def _of_no_giver(step: StepTable, at: Place, what: str) -> Iterator[Fault]:
    if step["to"] == "giver":
        yield Fault(at / "to", f"nobody gave a {what}, so there is no giver")
    if step.get("this"):
        yield Fault(at / "this", f"a {what} doesn't end by itself, and has no number")
    if _is_own_number(step):
        yield Fault(at / "amount", f"a {what} was given no number")


_OF_GIVERS = ("from-giver", "without-giver", "next-to-giver")


class _Reaction(Either):
    """The steps that follow from a moment.

    A reaction of an earlier form, with a `do` in place of steps, is read as the steps that it meant.
    """

    def check(self, value: object, where: Place, faults: Faults) -> object:
        if not isinstance(value, Mapping) or "do" not in value:
            return self.first.check(value, where, faults)
        before, own = len(faults), {key: value[key] for key in OF_REACTION if key in value}
        if value["do"] == "steps":
            return self.first.check({**own, "steps": value.get("steps", [])}, where, faults)
        step = as_step(value)
        EFFECT.check(step, where, faults)  # named as it is written
        return self.first.check({**own, "steps": [step]}, where, [] if len(faults) > before else faults)

    def resolve(self, value: object, where: Place, names: Names) -> object:
        return self.first.resolve(value, where, names)


_OF_REACTION: Fields = {
    "on": (Word("moments", dict.fromkeys((*MOMENTS, *ANSWERS))), ...),
    "when": OneOf("without-giver", "next-to-giver", *(word for word in STANDINGS if word != "without-giver")),
    "once": OneOf("turn", "round", "scene"),
    "echoes": Flag(),  # whether what the same status did sets it off
}
REACTION = _Reaction(
    dict,
    Record(_check_reaction, **_OF_REACTION, steps=(ListOf(EFFECT, 1), ...)),
    EFFECT.extended(
        {**_OF_REACTION, "do": OneOf(*STEPS, "steps"), "amount": Either(str, OneOf("value"), AMOUNT)}
    ),
)
REACTIONS.item = REACTION
STATUS = Record(
    name=(NAME, ...),
    summary=(Text(), ""),
    noun=(Flag(), False),  # somebody has it: has Mud in the Eyes, not is
    implies=(ListOf(Reference("statuses")), []),
    harmful=(Flag(), True),
    flies=Flag(),  # its holder moves over others and difficult terrain
    ends_when=(ListOf(UNTIL_FACT), []),  # ends it whatever duration it was given
    stacks=(OneOf("once", "by-source", "highest"), "once"),
    override=(Flag(), False),
    **fields_in(Contributions),
)
POWER = Record(
    _check_shape,
    name=(Text(), ...),
    summary=(Text(), ""),
    action=(OneOf("attack", "move", "role", "free", "interrupt", "none"), "attack"),
    usage=(OneOf("at-will", "encounter"), "at-will"),
    kind=(OneOf("class", "role", "basic", "special"), "class"),
    uses=Number(1, 20),  # a fight
    recharge=Number(2, 6),  # a die so high at the start of one's turn brings a use back
    charges=Number(1, 20),  # of a character kept between fights
    back=OneOf(*TIMES),  # the rest that brings them back, a long one unless said
    ap=Number(0, 9),  # Action Points that it costs a player
    hp=Number(1, 100),  # HP that it costs
    level=Number(1, 10),  # from which a character may have it
    trigger=Text(),
    on=OneOf(*ANSWERS),  # a trigger that strike sees by itself
    befalls=OneOf(*SIDES),  # whom that befalls, oneself unless said
    by=OneOf(*SIDES),  # who does it
    near=Number(1, 100),  # how near whom it befalls must be, or who does it, in squares
    result=OneOf(*RESULTS),  # of the die that was rolled
    plan=OneOf(*PLANS),  # when creatures do it
    once=OneOf(*ONCE),
    reach=Number(1, 20),
    range=Number(1, 100),
    burst=Number(1, 20),  # around oneself
    area=Number(1, 20),  # a burst around a square in range
    line=Number(1, 100),
    cone=Number(1, 20),
    who=OneOf("enemies", "allies", "friends", "others", "any", "self"),
    targets=Either(str, OneOf("all"), Number(1, 20)),
    repeats=Flag(),  # whether one target may be named several times
    damage=Number(0, 100),
    bonus=(
        ListOf(Record(amount=(Number(1, 100), ...), if_=OneOf(*CONDITIONS), if_status=Reference("statuses"))),
        [],
    ),
    **{part: (ListOf(EFFECT), []) for part in PARTS},
    keywords=(ListOf(Text()), []),
    override=(Flag(), False),
)
SENSE = Record(
    name=(Text(), ...),
    ignores=(ListOf(Text()), ...),  # obscured, dark, hidden, invisible, walls, or a zone's name
    range=Number(1, 100),
)
AURA = Record(
    name=(Text(), ...),
    spread=(Number(1, 20), ...),  # squares around who has it
    amount=Number(1, 100),  # HP of damage
    status=Reference("statuses"),
    **_GIVES,
)
_FIGHTER: Fields = {
    "hp": Number(1, 500),
    "speed": Number(0, 50),
    "size": Number(1, 6),
    "powers": (ListOf(Reference("powers")), []),
    "statuses": (ListOf(Reference("statuses")), []),  # that a fight begins with
    "melee": Record(damage=(Number(0, 100), 2), reach=(Number(1, 20), 1)),
    # false for who has no ranged attack
    "ranged": Either(bool, OneOf(False), Record(damage=(Number(0, 100), 2), range=(Number(1, 100), 5))),
    "opportunity": Number(0, 100),
    "senses": (ListOf(SENSE), []),
    "auras": ListOf(AURA),  # zones that go along with them
    "tactics": (ListOf(Text()), []),  # habits of who is played by the quick player (tactics.WORDS)
    "flees_at": Number(0, 500),  # HP, or boxes, with which they break off
}
# A trait that acts, like a status that never ends: a Miss Trigger is a reaction on `missed` or `misses`.
ACTING_TRAIT = Record(_check_trait, name=(NAME, ...), summary=(Text(), ""), **fields_in(Contributions))
CREATURE_TRAIT = ACTING_TRAIT.extended({"override": (Flag(), False)})
"""A trait with a name of its own in the book, which creatures have by naming it."""


class _TraitName(Text):
    """A trait in words: one that the book has acts as it says there, any other is a word for the table."""

    def resolve(self, value: object, where: Place, names: Names) -> object:
        id = names.known("creature_traits", str(value))
        return _without(names.thing("creature_traits", id), "override") if id else value


def _without(table: Mapping[str, object], *keys: str) -> dict[str, object]:
    return {key: value for key, value in table.items() if key not in keys}


CREATURE: Fields = {
    "tier": (OneOf("stooge", "goon", "standard", "elite", "champion"), "standard"),
    "boxes": Number(1, 20),  # instead of HP; a hit of the threshold checks one
    "threshold": Number(1, 100),
    "turns": Number(1, 6),  # a round
    "shares_initiative": Flag(),  # with others of its kind
    "traits": (ListOf(Either(str, _TraitName(), ACTING_TRAIT)), []),
    **_FIGHTER,
}
"""What a creature's sheet says of fights."""
CHARACTER: Fields = {"role": (Text(), ""), "class": (Text(), ""), **_FIGHTER}
"""What a character's sheet says of fights."""

_SIGN = Text(lambda key: len(key) == 1, "one character of the map")
POLYLINE = ListOf(ListOf(Measure(-1, 1000), 2, 2), 2)
"""Points in squares from the map's top left corner: `[[0, 2], [3.5, 2]]`."""


def _stops_something(wall: Mapping[str, object], where: Place, faults: Faults) -> None:
    if wall.get("sight") is False and wall.get("steps") is False:
        faults.append(Fault(where, "stops neither sight nor steps: leave the wall out"))


_WALL = Record(
    _stops_something, line=(POLYLINE, ...), sight=Either(str, OneOf("terrain"), Flag()), steps=Flag()
)
"""A wall that stops sight or steps alone: the other is false. With sight = "terrain" it is seen past until
there is a second one, as a tree's outline is."""
DOOR = Record(at=(POLYLINE, ...), open=(Flag(), False))
_COLOR = Text(is_color, "a colour as AARRGGBB, such as ffeccd8b")
_STRENGTH = Measure(0, FARTHEST)
LIGHT = Record(
    at=(ListOf(Measure(-1, 1000), 2, 2), ...),
    range=(_STRENGTH, ...),
    color=_COLOR,
    intensity=_STRENGTH,
    shadows=Flag(),
)
AMBIENT = Record(color=_COLOR, baked=Flag())
SQUARES = ListOf(Text())
_GROUND: Fields = {
    "name": (NAME, ...),
    "difficult": (Flag(), False),
    "obscured": (Flag(), False),
    "dark": (Flag(), False),
    "damage": (Number(0, 100), 0),
    "gm": (Flag(), False),  # players are not shown it
    "status": Reference("statuses"),  # of a creature in it
}
HAZARD = Record(**_GROUND, summary=(Text(), ""), override=(Flag(), False))
"""Ground with a name of its own in the book, which encounters and zones have by naming it."""


class _HazardName(Reference):
    def resolve(self, value: object, where: Place, names: Names) -> object:
        id = str(super().resolve(value, where, names))
        known = names.has("hazards", id)
        return _without(names.thing("hazards", id), "summary", "override") if known else {"name": value}


class _Zone(Record):
    """A zone of an encounter.

    With `hazard` it is as the book says of that, by that name unless it has one of its own.
    """

    def resolve(self, value: object, where: Place, names: Names) -> Mapping[str, object]:
        zone: Mapping[str, object] = super().resolve(value, where, names)
        hazard = zone.get("hazard")
        if not isinstance(hazard, Mapping):
            return zone
        return {**zone, **hazard, **({"name": zone["name"]} if "name" in zone else {})}


def _check_named_zone(zone: ZoneWritten, where: Place, faults: Faults) -> None:
    if "name" not in zone and "hazard" not in zone:
        faults.append(Fault(where, "needs a name, or a hazard"))


TERRAIN = Either(str, _HazardName("hazards"), Record(**_GROUND, wall=(Flag(), False)))
ZONE = _Zone(
    _check_named_zone, **{**_GROUND, "name": NAME}, hazard=_HazardName("hazards"), squares=(SQUARES, ...)
)


def _check_image(image: PictureKept, where: Place, faults: Faults) -> None:
    if "offset" in image and "pixels" not in image:
        faults.append(Fault(where, "offset counts pixels; say how many a square has, too: pixels = 70"))


_PIXELS = Measure(0.01, 10_000)
IMAGE = Record(
    _check_image,
    file=(Text(), ...),
    sha256=Text(),
    pixels=Either(list, ListOf(_PIXELS, least=2, most=2), _PIXELS),
    offset=ListOf(Measure(-20_000, 20_000), least=2, most=2),
)
"""A picture below the map: a path from the campaign's folder. With `sha256` it is that file, and no other
under its name. It covers the whole map; with `pixels`, those to a square (two where it is stretched: across,
down), it is as large as it is, and `offset` is the pixel of it, [from the left, from the top], on which A1's
corner lies; below 0 where it lies outside."""
_MAP_FILE = Text(lambda text: may_be_picture(text) and not is_address(text), WANTED_FILE)
SQUARES_OF = ("party", "enemies")
"""What a sign of an encounter's map may stand for besides somebody."""


def _check_objective(objective: ObjectiveKept, where: Place, faults: Faults) -> None:
    if "hold" in objective and "rounds" not in objective:
        faults.append(Fault(where, "holding a place needs rounds, how many it takes"))
    if {"reach", "hold"} <= objective.keys():
        faults.append(Fault(where, "either reach or hold, not both"))
    if not objective:
        faults.append(Fault(where, "needs reach, hold, protect or rounds"))


OBJECTIVE = Record(
    _check_objective,
    reach=SQUARES,  # the party gets out there, within `rounds` if they are said
    hold=SQUARES,  # the party stands there and no enemy does once `rounds` are over
    protect=ListOf(Text()),  # who of the party's side must not be Taken Out
    rounds=Number(1, 99),  # the party lasts so long
)


class _Encounter(Record):
    """An encounter.

    In `place` a sign names somebody, in `at` somebody has squares; the count of `goblin:4` is stored apart.
    """

    def resolve(self, value: object, where: Place, names: Names) -> Mapping[str, object]:
        encounter: EncounterWritten = super().resolve(value, where, names)  # type: ignore[assignment]  # of this form
        counts: dict[str, int] = {}
        place = {}
        for sign, who in encounter["place"].items():
            name, _, count = who.rpartition(":")
            if name and is_number(count) and not names.has("characters", who):
                counts[sign], who = int(count), name
            place[sign] = _somebody(who, where / "place" / sign, names)
        creatures = {
            names.full_id("creatures", who, where / "creatures"): count
            for who, count in encounter["creatures"].items()
        }
        at = {_somebody(who, where / "at" / who, names): squares for who, squares in encounter["at"].items()}
        found = {**encounter, "place": place, "at": at, "creatures": creatures}
        objective = encounter.get("objective", {})
        if protect := objective.get("protect"):
            people = [_somebody(who, where / "objective" / "protect", names) for who in protect]
            found["objective"] = {**objective, "protect": people}
        return {**found, "counts": counts} if counts else found


def _somebody(who: str, where: Place, names: Names) -> str:
    known = who in SQUARES_OF or names.has("characters", who)
    return who if known else names.full_id("creatures", who, where)


ENCOUNTER = _Encounter(
    name=(Text(), ...),
    goal=(Text(), ""),
    summary=(Text(), ""),
    map=(Text(most=(LARGEST + 1) * LARGEST), ""),  # not needed for a scene without squares
    place=(TableOf(Text(), _SIGN), {}),
    at=(TableOf(SQUARES), {}),  # who else stands where: creatures, characters, or "party"
    terrain=(TableOf(TERRAIN, _SIGN), {}),
    zones=(ListOf(ZONE), []),
    walls=(ListOf(Either(dict, _WALL, POLYLINE)), []),
    one_way_walls=(ListOf(POLYLINE), []),
    doors=(ListOf(DOOR), []),
    lights=(ListOf(LIGHT), []),
    ambient=AMBIENT,
    image=Either(str, _MAP_FILE, IMAGE),
    side=(TableOf(OneOf("party", "enemies")), {}),
    creatures=(TableOf(Number(1, 99)), {}),  # how many of each, on the squares for "enemies"
    fog=Flag(),  # whether players see of the map what the party has seen; else as [table] has it
    objective=OBJECTIVE,
    flees_at=Number(1, 99),  # enemies left in the fight with whom they break off
)


# What play changes


def _is_square(text: str) -> bool:
    try:
        parse_square(text)
    except ValueError:
        return False
    return True


def _is_row(text: str) -> bool:
    return all(sign in LEGEND for sign in text)


_SQUARE = Text(_is_square, "a square like C7")
_BOARD = Record(
    rows=(ListOf(Text(_is_row, "a row of . # ~ + / and blanks")), ...),
    walls=ListOf(POLYLINE),
    one_way_walls=ListOf(POLYLINE),
    see_through_walls=ListOf(POLYLINE),
    walk_through_walls=ListOf(POLYLINE),
    terrain_walls=ListOf(POLYLINE),
    doors=ListOf(Record(at=(POLYLINE, ...), open=(Flag(), ...))),
    lights=ListOf(LIGHT),
    ambient=AMBIENT,
    image=IMAGE,
)
_OF = {"status": Text(), "condition": Text(), "trait": Text()}
_CAUSES = Either(list, ListOf(Either(dict, Record(clause=(Text(), ...), **_OF), Text())), Text())


def _held_status(book: ContentOfFights) -> Record:
    return Record(
        id=(Known("statuses", book.statuses), ...),
        ends=(OneOf(*DURATIONS, *book.durations), ...),
        until=OneOf(*UNTIL, *book.moments),
        of=Text(),
        by=Text(),
        later=Flag(),
        value=Number(0),
    )


def _combatant(book: ContentOfFights) -> Record:
    return Record(
        name=(Text(), ...),
        ref=(Text(), ...),
        side=(OneOf("party", "enemies"), ...),
        at=_SQUARE,
        size=(Number(1, 6), ...),
        hp=(Number(), ...),
        max_hp=(Number(1), ...),
        initiative=Number(-10, 20),
        initiatives=ListOf(Number(-10, 20)),  # of each turn of a round, where they are several
        acted=Number(0),
        turns=Number(2),  # a round, where they are several
        taken=Number(2),  # turns in the round of `acted`, where they are several
        threshold=Number(1),  # damage that checks a box, where `hp` are boxes
        dented=Flag(),
        delayed=Flag(),
        prepared=Record(
            trigger=(Text(), ...),
            then=(Text(), ...),
            do=(OneOf("attack", "charge", "move", "use", "stand", "escape"), ...),
        ),
        miss_tokens=Number(0),
        strikes=Number(0),
        improvised=Number(0),  # how often, in this fight
        statuses=ListOf(_held_status(book)),
        used=ListOf(Known("powers", book.powers)),
        hidden=Flag(),
        hiding=Number(0),  # the round in which it went out of sight
        was_bloodied=Flag(),
        out=OneOf("taken-out", "left"),
        elsewhere=Flag(),  # has left, and not by the way out that the objective names
        gone_unseen=Flag(),
        image=PICTURE,  # as its sheet named it when it joined
        numbers=Record(speed=Number(0), damage=Number(0)),  # of its own, in place of its sheet's
        summoned=Record(by=(Text(), ...), ends=(OneOf(*ZONE_ENDS), ...), later=Flag(), stays=Flag()),
    )


def _zone(book: ContentOfFights) -> Record:
    return Record(
        name=(Text(), ...),
        squares=(ListOf(_SQUARE), ...),
        by=Text(),
        damage=Number(0),
        difficult=Flag(),
        sight=OneOf(*SIGHT),
        status=Known("statuses", book.statuses),
        secret=Flag(),
        blocks=Flag(),
        cover=Flag(),
        along=Text(),
        spread=Number(0),
        who=OneOf(*ZONE_WHO),
        ends=(OneOf(*ZONE_ENDS), ...),
        later=Flag(),
        hit=TableOf(Number(0)),  # the round in which it last hurt each
    )


def scene_state(book: ContentOfFights) -> Record:
    """`[fight]` of state.toml."""
    return Record(
        id=(Text(), ...),
        name=(Text(), ...),
        goal=Text(),
        objective=Record(
            reach=ListOf(_SQUARE), hold=ListOf(_SQUARE), protect=ListOf(Text()), rounds=Number(1)
        ),
        flees_at=Number(1),
        bloodied=OneOf("less-than-half"),  # how this fight counts it, where it isn't half or less
        round=(Number(0), ...),
        active=Text(),
        turn=TableOf(Either(list, ListOf(Text()), Number(0))),
        interrupt=Text(),
        reacted=TableOf(Number(0)),  # the round in which it was last done: once a round or fight
        due=Record(who=(Text(), ...), amount=(Number(1), ...), why=(_CAUSES, ...)),
        map=(_BOARD, ...),
        zones=TableOf(_zone(book)),
        seen=SEEN,
        order=ListOf(Text()),
        combatants=(TableOf(_combatant(book)), ...),
    )


def parked_state(book: ContentOfFights) -> TableOf:
    """`[parked_fights]` of state.toml: fights that wait, by the ids of their encounters."""
    return TableOf(scene_state(book))
