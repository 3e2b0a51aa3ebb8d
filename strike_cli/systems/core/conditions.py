"""Conditions: gaining them, escalation, recovery and rest (STR-CORE-12, 13, 29)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.kernel.procedure import Args, Procedure, Sets, World
from strike_cli.kernel.statements import Reason
from strike_cli.problems import Refused, listed
from strike_cli.tabletop.active_effects import roll_reasons_from_effects
from strike_cli.tabletop.characters_and_names import (
    clause_of_skill_or_typed_words,
    display_name,
    state_path_of,
    stored_changes_of,
)
from strike_cli.tabletop.dice import clamp_total, roll_die
from strike_cli.tabletop.facts import typed_reason
from strike_cli.tabletop.rules_vocabulary import TIMES as TIMES

from .facts.conditions import (
    SEVERITIES,
    ConditionGained,
    ConditionHeld,
    ConditionLost,
    NothingEnded,
    RecoveryBegun,
    RecoveryRolled,
)
from .facts.rolls import SuccessWith
from .points_tricks_and_fallback import regain_power_charges

if TYPE_CHECKING:
    from strike_cli.systems.core.data import ContentOfCore
    from strike_cli.tabletop.data import ConditionCourse

    from .data import ConditionAddData, ConditionGoneData, ConditionWritten, RestData


def applicable_built_in_severity(book: ContentOfCore, definition: Mapping[str, object]) -> str:
    """Return the built-in severity whose rules apply to a Condition, "" if there is none."""
    severity = str(definition.get("severity", ""))
    return severity if severity in SEVERITIES else str(book.severities.get(severity, {}).get("like", ""))


def severity_name(book: ContentOfCore, severity: str) -> str:
    """Return the name of a severity: a built-in word such as `minor`, or the name in the book."""
    return (
        severity if severity in SEVERITIES else str(book.severities.get(severity, {}).get("name", severity))
    )


def instances_count_separately(book: ContentOfCore, definition: Mapping[str, object]) -> bool:
    """Return whether several instances of a Condition count separately.

    The Condition itself may say so (`stacks`); otherwise its severity decides. Of the built-in severities,
    Minor is the only one whose instances don't count separately.
    """
    if "stacks" in definition:
        return bool(definition["stacks"])
    severity = str(definition["severity"])
    return bool(severity != "minor" if severity in SEVERITIES else book.severities[severity]["stacks"])


_NO_OTHER_MINOR = "no-other-minor"
_NO_OTHER_ALIKE = "no-other"
_ARGUMENTS_BY_NEED = {"doctor": "doctor", "success": "succeeded", "cause": "cause_met"}


class CharacterCondition(Args):
    """The arguments of a command about a character and a Condition (its full id). `why` is the reason."""

    who: str
    condition: str
    why: str = ""


class AddCondition(CharacterCondition):
    """The arguments of `condition add`.

    `about` are the Skills that the Condition makes the character doubt.
    """

    about: Sequence[str] = ()


class Recover(Args):
    """The arguments of `recover`: a person, the Condition to end, and what the person has done to recover.

    `rest` is the time that the person rested: one of TIMES, or "" for none. `doctor` means that a doctor
    helped. `succeeded` means that the person had a success with an affected Skill. `cause_met` means that the
    cause of the Condition is dealt with. `met` lists further needs that are met, in the Condition's own
    words.
    """

    who: str
    condition: str
    rest: str = ""
    doctor: bool = False
    succeeded: bool = False
    cause_met: bool = False
    met: Sequence[str] = ()


class Rest(Args):
    """The arguments of `rest`: a character, other characters who rest too (`also`), and the length.

    The length is one of TIMES.
    """

    who: str
    rest: str
    also: Sequence[str] = ()

    def people(self) -> Iterable[str]:
        return dict.fromkeys((self.who, *self.also))


def gain_escalate_or_keep_condition(
    world: World, person: str, condition: str, why: Reason, about: Sequence[str] = ()
) -> Procedure[str]:
    """Give a person a Condition, and return the Condition that the person has as a result.

    Some Conditions escalate when the person has a certain number of them: another Condition replaces them,
    and is the result. If the person already has the Condition, and its instances aren't counted, the person
    doesn't get another one.

    `about` has the Skills that a Condition with doubts makes the person doubt.
    """
    definition = world.book.conditions[condition]
    path = state_path_of(world, person)
    held = stored_changes_of(world, person).get("conditions", [])
    escalates = definition.get("escalates")
    sets: Sets = {}
    doubts = _doubts_with_new_skills(world, person, about) if definition.get("doubts") else None
    skills = [clause_of_skill_or_typed_words(world, person, skill) for skill in about] if doubts else []
    has, noun = bool(definition.get("doubts")), bool(definition.get("noun"))
    if doubts:
        sets[f"{path}.doubts"] = doubts
    if condition in held and not (escalates or instances_count_separately(world.book, definition)):
        if sets:
            gained = ConditionGained(
                person, condition, about=skills, why=why, how="held", doubts=has, noun=noun
            )
            yield world.tell(gained, sets)
        else:
            yield world.tell(ConditionHeld(person, condition, why=why, doubts=has, noun=noun))
        return condition
    now = [*held, condition]
    count = now.count(condition)
    if escalates and count >= escalates["at"]:
        into = str(escalates["to"])
        worse = world.book.conditions[into]
        now = [item for item in now if item != condition]
        if into not in now or instances_count_separately(world.book, worse):
            now.append(into)
        gained = ConditionGained(person, into, count, skills, why, "escalated", condition, has, noun)
        yield world.tell(gained, {f"{path}.conditions": now})
        return into
    sets[f"{path}.conditions"] = now
    yield world.tell(ConditionGained(person, condition, count, skills, why, doubts=has, noun=noun), sets)
    return condition


def _doubts_with_new_skills(world: World, person: str, about: Sequence[str]) -> list[str] | None:
    doubts: list[str] = stored_changes_of(world, person).get("doubts", [])
    low = {skill.lower() for skill in doubts}
    new = [skill for skill in about if skill.lower() not in low]
    return [*doubts, *new] if new else None


def condition_definition(world: World, condition: str) -> ConditionWritten:
    """Return the book's definition of a Condition. Raises Refused if there is none."""
    found: ConditionWritten | None = world.book.conditions.get(condition)
    if found is None:
        raise Refused(f"There is no condition {condition!r}.", f"Known: {listed(world.book.conditions)}.")
    return found


def end_condition_instances(
    world: World, person: str, condition: str, why: Reason, *, every: bool = False
) -> Procedure[int]:
    """End the newest instance of a person's Condition; return how many instances of it remain.

    With `every`, all instances end. Some Conditions give the person doubts about Skills. If no such Condition
    remains, the doubts end, too. Raises Refused if the person doesn't have the Condition.
    """
    definition = condition_definition(world, condition)
    path = state_path_of(world, person)
    held = require_condition_among_held(world, person, condition)
    left = 0 if every else held.count(condition) - 1
    now = [item for item in held if item != condition]
    if left:  # remove the newest instance, keep the order of the others
        last = len(held) - 1 - held[::-1].index(condition)
        now = held[:last] + held[last + 1 :]
    sets: Sets = {f"{path}.conditions": now or None}
    if not left and world.get(f"{path}.course.{condition}") is not None:
        sets[f"{path}.course.{condition}"] = None
    if not any(world.book.conditions.get(item, {}).get("doubts") for item in now):
        sets[f"{path}.doubts"] = None
    doubts, noun = bool(definition.get("doubts")), bool(definition.get("noun"))
    yield world.tell(ConditionLost(person, condition, left, why, doubts, noun), sets)
    return left


def end_condition_by_recovery(world: World, person: str, condition: str, why: Reason) -> Procedure[int]:
    """End a Condition by recovery; return how many instances are left.

    If several instances count separately, as for a Major Condition or Broke, only one of them ends. A
    Condition that escalates, such as Winded or Short, ends as a whole (a ruling).
    """
    definition = world.book.conditions[condition]
    every = "escalates" in definition or not instances_count_separately(world.book, definition)
    return (yield from end_condition_instances(world, person, condition, why, every=every))


def recover_from_conditions_with_doubts(world: World, person: str, skill: str) -> Procedure[None]:
    """Let a person recover from doubts after a success with a doubted Skill (STR-CORE-13).

    The person recovers from each Condition that makes people doubt Skills. Nothing happens if `skill` isn't a
    Skill that the person doubts.
    """
    if skill.lower() not in {name.lower() for name in stored_changes_of(world, person).get("doubts", [])}:
        return
    for condition in dict.fromkeys(stored_changes_of(world, person).get("conditions", [])):
        definition = world.book.conditions.get(condition)  # None: its plugin is gone
        if definition is not None and definition.get("doubts"):
            yield from end_condition_by_recovery(
                world, person, condition, SuccessWith(clause_of_skill_or_typed_words(world, person, skill))
            )


def recovery_words(definition: ConditionWritten) -> str:
    """Return the terms of a Condition's recovery in words."""
    recovery = definition.get("recovery")
    if recovery is None:
        return "the game master says when"
    words = str(recovery["text"])
    words += f", {recovery['times']} times" if "times" in recovery else ""
    words += ", while holding no other Minor Condition" if _NO_OTHER_MINOR in recovery["needs"] else ""
    words += ", while holding no other of its severity" if _NO_OTHER_ALIKE in recovery["needs"] else ""
    return words + (f", and a die of {recovery['roll']['at_least']} or more" if "roll" in recovery else "")


def require_condition_among_held(world: World, person_id: str, condition: str) -> list[str]:
    """Return the ids of all of a person's Conditions.

    Raises Refused if `condition` is not among them.
    """
    held: list[str] = stored_changes_of(world, person_id).get("conditions", [])
    if condition not in held:
        definition = world.book.conditions[condition]
        lacks = "does not have" if definition.get("noun") else "is not"
        have = listed(dict.fromkeys(_condition_name(world, item) for item in held))
        person = display_name(world, person_id)
        raise Refused(f"{person} {lacks} {definition['name']}.", f"Conditions of {person}: {have}.")
    return held


def _condition_name(world: World, condition: str) -> str:
    return str(world.book.conditions.get(condition, {}).get("name", condition))


def play_add(world: World, args: AddCondition) -> Procedure[ConditionAddData]:
    """Play `condition add`: the game master gives a person a Condition.

    Raises Refused if the person has the Condition already, and a second instance wouldn't count. Raises
    Refused also if the Condition needs Skills and none are named, or if it needs none and some are named.
    """
    person, condition, about = args.who, args.condition, args.about
    definition = condition_definition(world, condition)
    name = display_name(world, person)
    held = condition in stored_changes_of(world, person).get("conditions", [])
    if definition.get("doubts") and not about:
        raise Refused(
            f"{definition['name']} affects some Skills, and none is named.",
            "Name them: --about Climbing,Sneaking.",
        )
    if about and not definition.get("doubts"):
        raise Refused(f"{definition['name']} is not about Skills.", "Leave out --about.")
    counts = instances_count_separately(world.book, definition) or "escalates" in definition
    if held and not counts and not _doubts_with_new_skills(world, person, about):
        verb = "has" if definition.get("noun") else "is"
        raise Refused(
            f"{name} {verb} {definition['name']} already, and it doesn't add up.",
            "Choose another condition, maybe a Major one: `strike condition list`.",
        )
    gained = yield from gain_escalate_or_keep_condition(
        world, person, condition, typed_reason(args.why), about
    )
    return {
        "who": person,
        "condition": gained,
        "escalated": gained != condition,
        "conditions": stored_changes_of(world, person).get("conditions", []),
        "doubts": stored_changes_of(world, person).get("doubts", []),
    }


def play_remove(world: World, args: CharacterCondition) -> Procedure[ConditionGoneData]:
    """Play `condition remove`: end one instance of a Condition, because the game master says so."""
    left = yield from end_condition_instances(world, args.who, args.condition, typed_reason(args.why))
    return {"who": args.who, "condition": args.condition, "left": left}


def play_recover(world: World, args: Recover) -> Procedure[ConditionGoneData]:
    """Play `recover`: end a Condition, or count a recovery towards its end (STR-CORE-13, 29).

    Raises Refused if a need isn't met, if another Condition blocks the recovery, or if only the game master
    can end the Condition.
    """
    person, condition = args.who, args.condition
    definition = condition_definition(world, condition)
    require_condition_among_held(world, person, condition)
    recovery = definition.get("recovery")
    if recovery is None:
        raise Refused(
            f"{definition['name']}: the game master says when it ends.",
            f"Then `strike condition remove {person} {condition.rpartition(':')[2]}`.",
        )
    missing = [said for need in recovery["needs"] if (said := _missing_option(need, args))]
    met = {one.strip().lower() for one in args.met}
    missing += [f'--met "{need}"' for need in recovery.get("own", ()) if need.strip().lower() not in met]
    if missing:
        raise Refused(
            f"{definition['name']}: {recovery_words(definition)}: {' '.join(missing)}",
            f"Add it once {display_name(world, person)} has had that.",
        )
    others = _blocking_condition_names(world, person, condition)
    if others:
        kind = "Minor" if _NO_OTHER_MINOR in recovery["needs"] else "such"
        raise Refused(
            f"{definition['name']} stays while {display_name(world, person)} has another {kind} Condition: "
            f"{listed(others)}.",
            f"Recover from {others[0]} first.",
        )
    left = yield from _count_recovery_then_roll_or_end(world, person, condition)
    return {"who": person, "condition": condition, "left": left}


def _count_recovery_then_roll_or_end(world: World, person: str, condition: str) -> Procedure[int]:
    """Count one more recovery from a Condition, and return how many instances of it are left.

    After enough recoveries, the Condition ends. But if the recovery has a die roll, this roll decides whether
    the Condition ends, stays, or turns into another Condition.
    """
    definition = world.book.conditions[condition]
    recovery, path = definition["recovery"], state_path_of(world, person)
    course = f"{path}.course.{condition}"
    rests, needed = _condition_course(world, person, condition).get("rests", 0) + 1, recovery.get("times", 1)
    if rests < needed:
        doubts, noun = bool(definition.get("doubts")), bool(definition.get("noun"))
        begun = RecoveryBegun(person, condition, rests, needed, doubts, noun)
        yield world.tell(begun, {f"{course}.rests": rests})
        return require_condition_among_held(world, person, condition).count(condition)
    if "roll" in recovery:
        reasons, modifiers = roll_reasons_from_effects(world, person, "recovery")
        rolled = yield from roll_die(person, "recovery", reasons, modifiers)
        die, roll = clamp_total(rolled.total), recovery["roll"]
        ended = die >= roll["at_least"]
        worse = not ended and "worse_on" in roll and die <= roll["worse_on"]
        comes_to = "ends" if ended else "worsens" if worse else "stays"
        yield world.tell(RecoveryRolled(person, rolled, condition, comes_to))
        if worse:
            yield from _replace_condition(world, person, condition, roll["to"])
            return 0
        if not ended:
            return require_condition_among_held(world, person, condition).count(condition)
    return (yield from end_condition_by_recovery(world, person, condition, recovery["text"]))


def _condition_course(world: World, person: str, condition: str) -> ConditionCourse:
    return stored_changes_of(world, person).get("course", {}).get(condition, {})


def _replace_condition(world: World, person: str, condition: str, replacement: str) -> Procedure[None]:
    """Replace every instance of a Condition by another Condition."""
    path, conditions = state_path_of(world, person), world.book.conditions
    now = [item for item in stored_changes_of(world, person).get("conditions", []) if item != condition]
    if replacement not in now or instances_count_separately(world.book, conditions[replacement]):
        now.append(replacement)
    sets = {f"{path}.conditions": now, f"{path}.course.{condition}": None}
    yield world.tell(ConditionGained(person, replacement, how="became", before=condition), sets)


class RestResult(NamedTuple):
    """The result of a rest for one person.

    `ended` has the Conditions that ended, at least one instance of each. It also has those that a failed
    recovery roll replaced by another Condition.

    `charges` has the ids of the powers whose charges were restored. `changed` is whether the rest had any
    effect, even if it was only counted towards a recovery.
    """

    ended: list[str]
    charges: list[str]
    changed: bool


def rest_person(world: World, person: str, rest: str) -> Procedure[RestResult]:
    """End those of a person's Conditions that a rest ends by itself (STR-CORE-13, 29).

    The length of the rest is `rest`. The rest also counts for Conditions that need several rests. It restores
    charges, and worsens untended Conditions.
    """
    tried: list[str] = []
    ended: list[str] = []
    while (ripe := _next_condition_rest_counts_for(world, person, rest, tried)) is not None:
        tried.append(ripe)
        held = require_condition_among_held(world, person, ripe).count(ripe)
        if (yield from _count_recovery_then_roll_or_end(world, person, ripe)) < held:
            ended.append(ripe)
    back = yield from regain_power_charges(world, person, rest)
    worse = yield from _count_rest_or_worsen_untended(world, person, rest)
    return RestResult(ended, back, bool(tried or back or worse))


def _count_rest_or_worsen_untended(world: World, person: str, rest: str) -> Procedure[bool]:
    """Count a rest for each Condition that worsens if nobody tends it.

    After enough rests, the worse Condition replaces it. A rest that is too short for a Condition isn't
    counted. Returns whether the rest was counted for any Condition.
    """
    found = False
    path = state_path_of(world, person)
    for condition in dict.fromkeys(stored_changes_of(world, person).get("conditions", [])):
        worsens = world.book.conditions.get(condition, {}).get("worsens")
        if worsens is None or TIMES.index(worsens["after"]) > TIMES.index(rest):
            continue
        found, course = True, f"{path}.course.{condition}.untended"
        times = _condition_course(world, person, condition).get("untended", 0) + 1
        if times >= worsens["times"]:
            yield from _replace_condition(world, person, condition, worsens["to"])
        else:
            definition = world.book.conditions[condition]
            doubts, noun = bool(definition.get("doubts")), bool(definition.get("noun"))
            yield world.tell(RecoveryBegun(person, condition, doubts=doubts, noun=noun), {course: times})
    return found


def play_rest(world: World, args: Rest) -> Procedure[RestData]:
    """Play `rest` for each person who rests.

    If the rest has no effect on anybody, that is reported.
    """
    found: dict[str, RestResult] = {}
    for person in args.people():
        found[person] = yield from rest_person(world, person, args.rest)
    if not any(each.changed for each in found.values()):
        yield world.tell(NothingEnded(tuple(found)))
    left = {person: stored_changes_of(world, person).get("conditions", []) for person in found}
    data: RestData = {
        "rest": args.rest,
        "ended": {person: each.ended for person, each in found.items() if each.ended},
        "left": {person: held for person, held in left.items() if held},
    }
    if charges := {person: each.charges for person, each in found.items() if each.charges}:
        data["charges"] = charges
    return data


def _next_condition_rest_counts_for(
    world: World, person: str, rest: str, skipped: Sequence[str]
) -> str | None:
    """Return the first of a person's Conditions whose recovery this rest counts for; None if none is left.

    The recovery must need nothing but the rest, and no other Condition may block it. Conditions in `skipped`
    are passed over.
    """
    had = Recover(who=person, condition="", rest=rest)
    for condition in dict.fromkeys(stored_changes_of(world, person).get("conditions", [])):
        recovery = world.book.conditions.get(condition, {}).get("recovery")
        if recovery is None or condition in skipped or not set(recovery["needs"]).intersection(TIMES):
            continue
        blocked = "own" in recovery or _blocking_condition_names(world, person, condition)
        if not blocked and not any(_missing_option(need, had) for need in recovery["needs"]):
            return str(condition)
    return None


def _missing_option(need: str, args: Recover) -> str:
    """Return the option that is still missing to say that `need` is met.

    Return "" if `args` already say that it is met. Also return "" if no option can say so. An example is the
    need to have no other Minor Condition.
    """
    if need in TIMES:
        enough = TIMES[TIMES.index(need) :]
        return "" if args.rest in enough else f"--rest {need}"
    said = _ARGUMENTS_BY_NEED.get(need)
    return "" if said is None or getattr(args, said) else f"--{said.replace('_', '-')}"


def _blocking_condition_names(world: World, person: str, condition: str) -> list[str]:
    """Return the names of a person's other Conditions that block the recovery from `condition`."""
    own = world.book.conditions[condition]
    needs = own["recovery"]["needs"]
    held: list[str] = stored_changes_of(world, person).get("conditions", [])
    return list(
        dict.fromkeys(
            _condition_name(world, item)
            for item in held
            if item != condition
            and (other := world.book.conditions.get(item))
            and (
                (_NO_OTHER_MINOR in needs and applicable_built_in_severity(world.book, other) == "minor")
                or (_NO_OTHER_ALIKE in needs and other["severity"] == own["severity"])
            )
        )
    )
