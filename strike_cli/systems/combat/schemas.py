"""The forms of steps, reactions, powers and traits, with checks that concern several keys at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from inspect import get_annotations
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple, Union

from strike_cli.file_faults import Fault, Faults, Place
from strike_cli.problems import listed
from strike_cli.tabletop.data import EffectWritten, ReactionWritten
from strike_cli.tabletop.rules_vocabulary import MOMENTS, OF_ZONES
from strike_cli.tabletop.status_effect_schemas import REACTIONS
from strike_cli.validation import Either, Kind, ListOf, Names, OneOf, Record, TableOf, Text, VocabularyWord
from strike_cli.validation_schemas_from_types import fields_of_typed_dict, form, form_of, parse_annotation

from .data import (
    AMOUNT,
    AnyStep,
    CreatureInFights,
    PowerWritten,
    StepOption,
    StepWritten,
    TraitInBook,
    TraitWritten,
)
from .reactions.status_and_trait_reactions import KEYS_OF_REACTION_ONLY, step_from_older_reaction
from .steps import (
    COMPULSION_STEPS,
    DAMAGING,
    EVENT_CHANGING_STEPS,
    KEYS_WITH_STEPS,
    MOST_NESTED_LEVELS,
    PARTS,
    REACTION_EVENTS,
    SHAPES,
    STEPS,
    StepTable,
    conditions_and_other_target,
    nested_step_lists,
    steps_of_reaction,
)
from .steps.step import EffectStep, step_class_of

if TYPE_CHECKING:
    from strike_cli.validation import CheckedTable

_GROUPS_WITH_WITHIN = (
    "ally",
    "allies",
    "enemies",
    "around",
    "doer",
    "befallen",
    "giver",
    "inside",
    "summons",
)
"""The words for creatures that `within` can restrict to those nearby."""


def _check_step(step: StepWritten, where: Place, faults: Faults) -> None:
    if step["do"] in STEPS:
        check_step_keys(step_class_of(None, step), step, where, faults)  # type: ignore[arg-type]  # it is completed
    if step.get("from") == "target" and "within" not in step:
        faults.append(Fault(where / "from", "needs within, the distance to the target"))
    if "within" in step and step["to"] not in _GROUPS_WITH_WITHIN:
        faults.append(
            Fault(where / "within", f"narrows {listed(_GROUPS_WITH_WITHIN)}; here it changes nothing")
        )
    if step["to"] != "target" and step["do"] in EVENT_CHANGING_STEPS and step["do"] != "redirect":
        faults.append(Fault(where / "to", f"{step['do']} changes the coming event, for any target"))
    if "faces" in step:
        check_faces_are_complete(step["faces"], where, faults)


def check_step_keys(kind: type[EffectStep], step: CheckedTable, where: Place, faults: Faults) -> None:
    """Add faults for keys that a step lacks or can't have, and the faults that the step's class finds."""
    do = str(step["do"])
    keys = _KEYS_OF_BUILT_IN_STEPS.get(do) or keys_of_step_class(kind)
    for key, (_, needed) in keys.items():
        if needed and key not in step:
            article = "" if key in ("options", "steps", "faces") else "an " if key[0] in "ae" else "a "
            faults.append(Fault(where, f"{do} needs {article}{key}"))
    for key in step:
        if key in _KEYS_OF_ANY_STEP or (key == "zone" and step["to"] == "inside"):
            continue
        if key not in keys:
            users = [user for user, own in _KEYS_OF_BUILT_IN_STEPS.items() if key in own]
            belongs = f"it belongs to {listed(users)}" if users else 'it needs to = "inside"'
            faults.append(Fault(where / key, f"{do} has none; {belongs}"))
        elif isinstance(keys[key].form, OneOf) or key not in _PLAIN_STEP.fields:
            keys[key].form.check(step[key], where / key, faults)
    kind.check(step, where, faults)


def _is_face_span(text: str) -> bool:
    first, _, last = text.partition("-")
    return first in tuple("123456") and (last or first) in tuple("123456") and first <= (last or first)


FACES = Text(_is_face_span, "a face or a span of faces of a d6, like 3-4")


def check_faces_are_complete(faces: Iterable[str], where: Place, faults: Faults) -> None:
    """Add a fault if some face of a die is missing or named twice in `faces`.

    Each of `faces` is a face, or a span of faces.
    """
    spans = [span.partition("-") for span in faces]
    seen = [face for first, _, last in spans for face in range(int(first), int(last or first) + 1)]
    if sorted(seen) != [1, 2, 3, 4, 5, 6]:
        faults.append(Fault(where / "faces", "should name each face from 1 to 6 once"))


_KEYS_OF_ANY_STEP = fields_of_typed_dict(AnyStep)
_SHARED = {name: kind for name, (kind, _) in Record(**fields_of_typed_dict(StepWritten)).fields.items()}


class StepKey(NamedTuple):
    """A key of a step: its form, and whether it is required."""

    form: Kind
    needed: bool


def keys_of_step_class(kind: type[EffectStep]) -> Mapping[str, StepKey]:
    """Return the keys that a kind of step has in addition to those of every step (AnyStep).

    They are the annotated attributes of the step's class.
    """
    return {
        name: StepKey(_form_of_key(name, hint), not hasattr(kind, name))
        for above in reversed(kind.__mro__)
        for name, hint in _own_annotations(above).items()
        if parse_annotation(hint).kind is not ClassVar
    }


@cache
def _own_annotations(cls: type[object]) -> Mapping[str, object]:
    """Return the annotations of a class without those of its bases.

    The result is cached, since many steps share bases.
    """
    return get_annotations(cls, eval_str=True)


def _form_of_key(name: str, hint: object) -> Kind:
    """Return the form of a key of a step class, that is, the schema of the key's value.

    `name` is the key, and `hint` is its annotation. If the annotation is a Literal, the form allows the words
    of the Literal. Otherwise, if steps share a form for keys with this name, the shared form is returned. In
    any other case the form is made from the annotation.
    """
    read = parse_annotation(hint)
    if read.kind is Union:  # an optional key: its type, or None
        return _form_of_key(name, read.parts[0])
    return form_of(hint) if read.kind is Literal or name not in _SHARED else _SHARED[name]


_KEYS_OF_BUILT_IN_STEPS = {do: keys_of_step_class(step_class_of(None, {"do": do})) for do in STEPS}


def _forms_of_built_in_step_keys() -> dict[str, Kind]:
    """Return the form of each key that strike's own steps have.

    Keys of plugins' steps aren't included. If several steps have the same key with different words, the form
    allows all of these words.
    """
    found: dict[str, Kind] = {}
    for own in _KEYS_OF_BUILT_IN_STEPS.values():
        for name, (kind, _) in own.items():
            known = found.get(name, kind)
            if isinstance(known, OneOf) and isinstance(kind, OneOf):
                kind = OneOf(*dict.fromkeys((*known.values, *kind.values))) if known is not kind else kind
            found[name] = kind
    return found | {name: kind for name, kind in _SHARED.items() if name in found}


class _StepForm(Record):
    """The schema of a step of a power or status.

    If a plugin declares the step, the step may have keys that this schema doesn't know. The step's class
    checks these keys later.
    """

    def check(self, value: object, where: Place, faults: Faults) -> CheckedTable:
        do = value.get("do") if isinstance(value, Mapping) else ""
        if not isinstance(value, Mapping) or not isinstance(do, str) or ":" not in do:
            return super().check(value, where, faults)
        own = {key: item for key, item in value.items() if key not in self.fields}
        known = {key: item for key, item in value.items() if key in self.fields}
        return {**super().check(known, where, faults), **own}


_PLAIN_STEP = _StepForm(
    _check_step,
    **_KEYS_OF_ANY_STEP,
    **{name: form for name, form in _forms_of_built_in_step_keys().items() if name not in KEYS_WITH_STEPS},
)


def _make_step_form(depth: int) -> Record:
    """Return the form of a step in which other steps may be nested, `depth` levels deep."""
    if not depth:
        return _PLAIN_STEP
    inner = ListOf(_make_step_form(depth - 1), 1)
    return _PLAIN_STEP.with_fields(
        {
            "steps": inner,
            "otherwise": inner,
            "options": ListOf(Record(**{**fields_of_typed_dict(StepOption), "steps": (inner, ...)}), 2),
            "faces": TableOf(ListOf(_make_step_form(depth - 1)), FACES),
        }
    )


EFFECT = _make_step_form(MOST_NESTED_LEVELS - 1)


def _check_power(power: PowerWritten, where: Place, faults: Faults) -> None:
    """Add faults if keys of a power don't fit together.

    These are keys about the area, the reach, the targets, the reaction, the limits and the parts.
    """
    shapes = [shape for shape in SHAPES if shape in power]
    if len(shapes) > 1:
        faults.append(Fault(where, f"has {' and '.join(shapes)}; a power has one area"))
    if "area" in power and "range" not in power:
        faults.append(Fault(where, "area needs a range, the distance of its middle"))
    if "damage" in power and not shapes and "reach" not in power and "range" not in power:
        faults.append(Fault(where, f"damage needs reach, range, {', '.join(SHAPES)}: it needs targets"))
    if "on" in power and power.get("action") not in ("interrupt", "free", "none"):
        faults.append(Fault(where / "on", "an automatic power is an interrupt, a free action or no action"))
    _check_reaction_keys(power, where, faults)
    _check_use_limits(power, where, faults)
    _check_parts_and_roll_keys(power, where, faults)


def _check_use_limits(power: PowerWritten, where: Place, faults: Faults) -> None:
    limits: list[str] = [key for key in ("uses", "charges") if key in power]
    limits += ["usage"] if power["usage"] == "encounter" else []
    if len(limits) > 1:
        faults.append(Fault(where, f"has {' and '.join(limits)}; choose one of them"))
    if "back" in power and "charges" not in power:
        faults.append(Fault(where / "back", "needs charges, which a rest restores"))
    if "recharge" in power and not {"uses", "usage"} & set(limits):
        faults.append(
            Fault(where / "recharge", 'needs uses, or usage = "encounter"; nothing is used up here')
        )


def _check_reaction_keys(power: PowerWritten, where: Place, faults: Faults) -> None:
    on = power.get("on")
    for key in ("befalls", "by", "near", "result", "plan", "once"):
        if key in power and not on:
            faults.append(Fault(where / key, "needs on, the moment that triggers the power"))
    if "result" in power and on != "rolled":
        faults.append(Fault(where / "result", 'needs on = "rolled", when the die is on the table'))
    if on and "befalls" in power and not REACTION_EVENTS[on].befalls:
        faults.append(Fault(where / "befalls", f"{on} has no victim; by names the actor"))
    for part in PARTS:
        for number, step in enumerate(power[part], 1):
            _check_step_fits_moment(step, on, where / part / number, faults)


def _check_parts_and_roll_keys(power: PowerWritten, where: Place, faults: Faults) -> None:
    """Add the faults in the steps of a power, and the faults of keys that don't fit together.

    For example, `hit` needs an attack roll, and only a power with `damage` has one. `reach` and `range` don't
    fit an area that spreads from its maker.
    """
    rolled = "damage" in power
    for key in ("hit", "miss", "bonus") if not rolled else ():
        if power[key]:
            faults.append(Fault(where / key, "needs damage, even 0: without damage nothing is rolled"))
    for part in filter(power.get, PARTS):
        own = ("critical", "flanked") if not rolled or part in ("before", "always") else ()
        for at, step in _each_step_with_nested(power[part], where / part):
            _check_condition_needs_no_attack_roll(step, own, at, faults)
            faults += _status_only_faults_in_power(step, at)
        _check_compulsions_are_in_faces(power[part], where / part, faults)
    for shape in ("burst", "line", "cone"):
        for key in ("reach", "range"):
            if shape in power and key in power:
                faults.append(Fault(where / key, f"a {shape} spreads from its maker"))


def _status_only_faults_in_power(step: StepTable, at: Place) -> Iterator[Fault]:
    """Yield a fault for each part of a power's step that makes sense only elsewhere.

    For example, the step of a status may be about the status's giver, but a power has no giver.
    """
    if step["to"] in ("giver", "other"):
        combatant = "the giver of a status" if step["to"] == "giver" else "on the other side of a reaction"
        yield Fault(at / "to", f"{step['to']} is {combatant}; a power has none")
    if step.get("by") == "giver":
        yield Fault(at / "by", "only a status has a giver, a power has none")
    if step.get("this") or _uses_number_of_own_status(step):
        key = "this" if step.get("this") else "amount"
        yield Fault(at / key, "means the reacting status; name the status")
    if "zone" not in step and (
        step["to"] == "inside" or step["do"] in ("move-zone", "grow-zone", "end-zone")
    ):
        yield Fault(at, "needs zone, the name of a zone")


def _each_step_with_nested(steps: Iterable[StepTable], where: Place) -> Iterator[tuple[Place, StepTable]]:
    for number, step in enumerate(steps, 1):
        at = where / number
        yield at, step
        for inside, inner in nested_step_lists(step):
            yield from _each_step_with_nested(inner, at / inside)


def _check_condition_needs_no_attack_roll(
    step: Mapping[str, object], unknown_conditions: Sequence[str], where: Place, faults: Faults
) -> None:
    if step.get("if") in unknown_conditions:
        faults.append(Fault(where / "if", f"{step['if']} is known only of an attack roll, and here is none"))


def _check_step_fits_moment(step: StepTable, on: str | None, where: Place, faults: Faults) -> None:
    """Add a fault for each part of a step that makes no sense at the moment `on`.

    `on` is the event to which a reaction reacts; it is None if the step belongs to no reaction. For example,
    a step may affect the event's victim. This makes no sense if the event has no victim.

    The steps within the step are checked, too.
    """
    may = REACTION_EVENTS[on].steps if on and on in REACTION_EVENTS else ()
    if step["do"] in EVENT_CHANGING_STEPS and step["do"] not in may:
        moments = [kind for kind, answer in REACTION_EVENTS.items() if step["do"] in answer.steps]
        faults.append(Fault(where, f"{step['do']} needs on = {listed(moments)}; here it changes nothing"))
    if step["to"] in ("doer", "befallen") and on not in REACTION_EVENTS:
        faults.append(Fault(where / "to", f"{step['to']} needs on, the moment that triggers it"))
    elif on and step["to"] == "befallen" and not REACTION_EVENTS[on].befalls:
        faults.append(Fault(where / "to", f"{on} has no victim"))
    measure = step.get("amount")
    if isinstance(measure, Mapping) and measure.get("of") == "this" and on not in DAMAGING:
        faults.append(Fault(where / "amount", f"only on = {listed(DAMAGING)} has this damage"))
    for inside, inner in nested_step_lists(step):
        for number, one in enumerate(inner, 1):
            _check_step_fits_moment(one, on, where / inside / number, faults)


def _check_reaction(reaction: ReactionWritten, where: Place, faults: Faults) -> None:
    for number, step in enumerate(steps_of_reaction(reaction), 1):
        _check_step_fits_moment(step, reaction["on"], where / "steps" / number, faults)
    for at, step in _each_step_with_nested(steps_of_reaction(reaction), where / "steps"):
        _check_condition_needs_no_attack_roll(step, ("critical", "flanked"), at, faults)
    _check_compulsions_are_in_faces(steps_of_reaction(reaction), where / "steps", faults)


def _check_compulsions_are_in_faces(
    steps: Sequence[StepTable], where: Place, faults: Faults, in_faces: bool = False
) -> None:
    """Add faults for steps that force an act, outside the faces of a `lose-control` die.

    In the faces, such a step has no condition and no target of its own: whoever rolled acts. `in_faces` says
    whether `steps` are in such faces.
    """
    for number, step in enumerate(steps, 1):
        at = where / number
        if step["do"] in COMPULSION_STEPS and not in_faces:
            faults.append(Fault(at, f'{step["do"]} belongs in the faces of do = "lose-control"'))
        elif step["do"] in COMPULSION_STEPS:
            faults += [
                Fault(at / key, f"{step['do']} has no {key}: the roller does it")
                for key in conditions_and_other_target(step)
            ]
        for inside, inner in nested_step_lists(step):
            lost = step["do"] == "lose-control" or inside == "otherwise"
            _check_compulsions_are_in_faces(inner, at / inside, faults, lost)


def _uses_number_of_own_status(step: StepTable) -> bool:
    """Return whether a step's amount is the number of the status that has the step."""
    amount = step.get("amount")
    return isinstance(amount, Mapping) and amount.get("of") == "value" and "status" not in amount


def _check_trait(trait: EffectWritten, where: Place, faults: Faults) -> None:
    check_no_status_only_words(trait, where, faults, "trait")


def check_no_status_only_words(trait: EffectWritten, where: Place, faults: Faults, owner_word: str) -> None:
    """Add a fault for each part of a trait or Condition that makes sense only in a status.

    Only a status has a giver, an end, and a number. `owner_word` is "trait" or "Condition", for the messages.
    """
    for number, reaction in enumerate(trait["reactions"], 1):
        at = where / "reactions" / number
        if reaction["on"] in ("gaining", *OF_ZONES):
            faults.append(
                Fault(at / "on", f"{reaction['on']} comes from statuses; a {owner_word} is always there")
            )
        if reaction.get("when") in _CONDITIONS_ABOUT_GIVER:
            faults.append(Fault(at, f"a {owner_word} has no giver"))
        for inner, step in _each_step_with_nested(steps_of_reaction(reaction), at / "steps"):
            faults += _status_only_faults_in_trait(step, inner, owner_word)
    for key in ("sources", "numbers"):
        for number, item in enumerate(trait[key], 1):
            if item.get("when") in _CONDITIONS_ABOUT_GIVER:
                faults.append(Fault(where / key / number / "when", f"a {owner_word} has no giver"))


def _status_only_faults_in_trait(step: StepTable, at: Place, owner_word: str) -> Iterator[Fault]:
    if step["to"] == "giver":
        yield Fault(at / "to", f"a {owner_word} has no giver")
    if step.get("this"):
        yield Fault(at / "this", f"a {owner_word} doesn't end, and has no number")
    if _uses_number_of_own_status(step):
        yield Fault(at / "amount", f"a {owner_word} has no number")


_CONDITIONS_ABOUT_GIVER = ("from-giver", "without-giver", "next-to-giver")


class _ReactionForm(Either):
    """The form of a reaction: a moment, and the steps that are played at that moment.

    A reaction in the older form, with `do` in place of `steps`, is converted.
    """

    def check(self, value: object, where: Place, faults: Faults) -> object:
        if not isinstance(value, Mapping) or "do" not in value:
            return self.first.check(value, where, faults)
        before, own = len(faults), {key: value[key] for key in KEYS_OF_REACTION_ONLY if key in value}
        if value["do"] == "steps":
            return self.first.check({**own, "steps": value.get("steps", [])}, where, faults)
        step = step_from_older_reaction(value)
        EFFECT.check(step, where, faults)  # so that faults name the keys as they are written
        return self.first.check({**own, "steps": [step]}, where, [] if len(faults) > before else faults)

    def resolve(self, value: object, where: Place, names: Names) -> object:
        return self.first.resolve(value, where, names)


_ON = VocabularyWord("moments", dict.fromkeys((*MOMENTS, *REACTION_EVENTS)))
_REACTION = form(_check_reaction, keys={"on": (_ON, ...), "steps": (ListOf(EFFECT, 1), ...)})(ReactionWritten)
REACTION = _ReactionForm(
    dict,
    form_of(_REACTION),
    EFFECT.with_fields(
        {
            **{key: field for key, field in fields_of_typed_dict(_REACTION).items() if key != "steps"},
            "do": OneOf(*STEPS, "steps"),
            "amount": Either(str, OneOf("value"), AMOUNT),
        }
    ),
)
REACTIONS.item = REACTION
STATUS = form_of(EffectWritten)
POWER = form_of(form(_check_power, keys={part: (ListOf(EFFECT), []) for part in PARTS})(PowerWritten))
CREATURE_TRAIT = form_of(form(_check_trait)(TraitInBook))


class _TraitNameForm(Text):
    """The form of a trait that a creature's sheet gives by name.

    A name in the book's traits is replaced by that trait. Any other word stays, and has no effect.
    """

    def resolve(self, value: object, where: Place, names: Names) -> object:
        id = names.id_if_known("creature_traits", str(value))
        if not id:
            return value
        trait = names.resolved_item("creature_traits", id)
        return {key: trait[key] for key in trait if key != "override"}


_TRAIT = Either(str, _TraitNameForm(), form_of(form(_check_trait)(TraitWritten)))
CREATURE = form(keys={"traits": (ListOf(_TRAIT), [])})(CreatureInFights)
