"""The steps of powers, played and summarized: targets, previews, notes and questions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Choose, Happen, Procedure, World
from strike_cli.kernel.statements import Clause, Decision, Reason, Somebody
from strike_cli.problems import Refused, TemplateRefusal
from strike_cli.tabletop.dice import Modifier

from ..board.sight_and_hiding import is_hidden_from
from ..facts.powers_and_fight_events import Noted
from ..facts.statuses import Lasting, LastingInFull, StatusIs, WhichStatus
from ..fight_state import Fight, area_shape_of, ids_by_last_part_or_whole_id
from ..health_and_statuses import (
    duration_clause,
    duration_named,
    ending_event_named,
    has_been_given_status,
    is_bloodied,
)
from ..reactions.status_and_trait_reactions import record_done_in_period, state_key_for, was_done_in_period
from ..steps import (
    EVENT_CHANGING_STEPS,
    KEYS_WITH_STEPS,
    PARTS,
    SCENE,
    UNROLLED,
    StepTable,
    amount_in_words,
    measured_amount_clause,
    steps_with_nested,
)
from ..steps.step import step_class_of
from .powers_and_targets import (
    PowerUse,
    has_attack_roll,
    mark_with_power_user,
    other_creatures_treated_as,
    power_as_reason,
)
from .step_amounts import determine_step_amount

if TYPE_CHECKING:
    from ..facts.step_descriptions import Unmet
    from ..health_and_statuses import Status


def play_steps_and_get_statuses_given(
    world: World,
    use: PowerUse,
    steps: Sequence[StepTable],
    target: str = "",
    conditions_met: Collection[str] = (),
) -> Procedure[list[str]]:
    """Play the steps of a power in order, and return the ids of the statuses that they gave.

    `target` is the power's target, or "" for none. A step may have a condition, `if`. It is played only if
    the condition is in `conditions_met`.
    """
    added: list[str] = []
    for table in steps:
        if "if" in table and table["if"] not in conditions_met:
            continue
        if "once" in table and not (yield from _record_step_if_still_allowed(world, use, table)):
            continue
        if any(key in table for key in KEYS_WITH_STEPS):
            use = use._replace(conditions_met=frozenset(conditions_met))
        kind = step_class_of(world.book, table)
        for one in (yield from _affected_people_or_chosen_ally(world, use, table, target)):
            if Fight(world).is_out(one):
                continue
            if "if_status" in table and not has_been_given_status(world, one, table["if_status"]):
                continue
            amount = None
            if isinstance(table.get("amount"), Mapping):
                amount = yield from determine_step_amount(world, use, table["amount"], one)
                if not amount or Fight(world).is_out(one):
                    continue
            added += (yield from kind(table, amount).play(world, use, one)) or ()
    return added


def _record_step_if_still_allowed(world: World, use: PowerUse, step: StepTable) -> Procedure[bool]:
    """Record that a limited step happens, and return True. If its limit is reached, return False.

    A limited step can happen once in a turn, a round or a fight. If it has already happened in that time,
    nothing is recorded.
    """
    word = _limited_step_key(use, step)
    if was_done_in_period(world, word, step["once"]):
        return False
    yield from record_done_in_period(world, use.who, word, step["once"])
    return True


def _limited_step_key(use: PowerUse, step: StepTable) -> str:
    """Return the key under which the state records that a limited step of a power has happened."""
    written = [each for part in PARTS for each in steps_with_nested(use.power.get(part, ()))]
    number = next((number for number, each in enumerate(written) if each is step), len(written))
    return state_key_for(use.who, use.power["id"], "step", number)


def conditions_met_before_roll(
    fight: Fight, use: PowerUse, target: str, flanked: bool = False
) -> frozenset[str]:
    """Return the conditions for steps and bonuses that are met before the attack roll, such as `bloodied`.

    `flanked` says whether the target is flanked. The condition `critical` depends on the roll, so it is never
    in the result.
    """
    combatant, own = fight.combatant(target), fight.combatant(use.who)
    near = fight.is_on_map(target) and fight.is_on_map(use.who) and fight.is_within(use.who, target, 1)
    hold = {
        "bloodied": is_bloodied(fight.world, combatant["hp"], combatant["max_hp"]),
        "self-bloodied": is_bloodied(fight.world, own["hp"], own["max_hp"]),
        "flanked": flanked,
        "hidden": bool(own.get("hidden")) and (target == use.who or is_hidden_from(fight, use.who, target)),
        "adjacent": near,
    }
    return frozenset(key for key, holds in hold.items() if holds)


def damage_bonuses(
    fight: Fight, use: PowerUse, target: str, conditions_met: Collection[str]
) -> list[Modifier]:
    """Return the bonuses to the power's printed damage on a hit, each with its reason.

    A 6 doubles them only by the house rule `crit_doubles_bonus` (STR-TAC-09).
    """
    found = []
    for bonus in use.power.get("bonus", ()):
        status = bonus.get("if_status")
        if bonus.get("if", "") in ("", *conditions_met) and (
            not status or has_been_given_status(fight.world, target, status)
        ):
            from ..facts.effects_and_causes import Standing

            standing = Standing(status or "", bonus.get("if", ""))
            bare = not status and "if" not in bonus
            found.append(Modifier(bonus["amount"], power_as_reason(use.power, use.who) if bare else standing))
    return found


# Steps in short, for decisions


def summarize_steps_of_effect_part(
    fight: Fight, use: PowerUse, target: str, conditions_met: Collection[str]
) -> Sequence[Reason]:
    """Return short descriptions of the steps of a power's Effect that would affect a target now.

    If no step would affect the target, return only the reason why the first step wouldn't. `conditions_met`
    has the conditions of the power that count as met.
    """
    return summarize_effective_else_first_step(
        fight, use._replace(conditions_met=frozenset(conditions_met)), use.power["effect"], target
    )


def summarize_effective_else_first_step(
    fight: Fight, use: PowerUse, steps: Sequence[StepTable], target: str
) -> list[Reason]:
    """Return short descriptions of the steps that would have an effect on a target now.

    If no step would have an effect, return only the reason why the first step has none.
    """
    from ..facts.step_descriptions import StepIs

    found: list[Reason] = []
    for step in steps:
        # After a step about others, the text has to name the target again.
        others = any(isinstance(one, StepIs) and one.others and not one.unmet for one in found)
        found.append(_step_summary(fight, use, step, target, named=others))
    return [step for step in found if not (isinstance(step, StepIs) and step.unmet)] or list(found[:1])


def _step_summary(fight: Fight, use: PowerUse, table: StepTable, target: str, *, named: bool) -> Reason:
    from ..facts.step_descriptions import StepIs

    step = step_class_of(fight.world.book, table)(table)
    if unmet := _unmet_condition(fight, use, table, target):
        return StepIs(table["do"], unmet=unmet)
    said = step.label(fight, use, target)
    if table["do"] == "note" and table["to"] in ("target", "self"):
        return said.rstrip(".") if isinstance(said, str) else said or ""
    whom, combatant, among, middle = _whom_who_among_and_middle_of_step(fight, use, table, target)
    if named and whom == "target" and target and table["do"] not in (*EVENT_CHANGING_STEPS, "zone"):
        whom, combatant = "person", target
    given = table.get("amount")
    amount = measured_amount_clause(fight.world.book, given) if isinstance(given, Mapping) else None
    status = said if isinstance(said, StatusIs) else None
    standing = target if whom == "target" else combatant
    has = (
        "if_status" in table and standing and has_been_given_status(fight.world, standing, table["if_status"])
    )
    return StepIs(
        table["do"],
        whom,
        0 if amount or status else given if isinstance(given, int) else 1,
        status=status,
        ends=table.get("status", "") if table["do"] == "end" else "",
        words="" if status else said or "",
        who=combatant,
        within=table.get("within", 0),
        middle=middle,
        among=among,
        measured=amount,
        chosen="way" in table,
        half=table.get("half", ""),
        if_status="" if has else table.get("if_status", ""),
        once=table.get("once", ""),
        noun=bool(status and whom != "target" and fight.world.book.statuses[status.status].get("noun")),
    )


def _unmet_condition(fight: Fight, use: PowerUse, table: StepTable, target: str) -> Unmet | None:
    """Return the condition or limit that stops a step now; None if nothing stops it.

    A step is stopped if its condition (`if`) isn't met. It is also stopped if it may happen only once in a
    period (`once`), and has already happened in the present period.
    """
    from ..facts.step_descriptions import Unmet

    if "if" in table and table["if"] not in use.conditions_met:
        return Unmet(table["if"], use.who, target)
    if "once" in table and was_done_in_period(fight.world, _limited_step_key(use, table), table["once"]):
        return Unmet(table["once"])
    return None


def _whom_who_among_and_middle_of_step(
    fight: Fight, use: PowerUse, table: StepTable, target: str
) -> tuple[str, str, Sequence[str], str]:
    """Return the part of a `StepIs` that says whom a step affects.

    It consists of the values for `whom`, `who`, `among` and `middle`, in this order.
    """
    whom = table["to"]
    found = people_step_may_affect(fight, use, table, [target] if target else [])
    if table["do"] == "redirect":
        return "target", "".join(found[:1]), (), ""
    on_area = table["do"] == "zone" and not (table.get("spread") or table.get("along"))
    if table["do"] in EVENT_CHANGING_STEPS or whom == "target" or (whom == "self" and on_area):
        return "target", "", (), ""
    if whom in ("self", "summons"):
        return whom, use.who, (), ""
    if whom in ("doer", "befallen", "giver", "other"):
        return ("person" if found else "target"), "".join(found[:1]), (), ""
    if whom not in ("ally", "allies", "enemies", "around") or "within" not in table:
        return whom, "", (), ""
    return whom, "", found, target if table.get("from") == "target" else ""


def step_duration_clause(fight: Fight, use: PowerUse, table: StepTable, of: str = "") -> Lasting | None:
    """Return a clause that tells how long a step's effect lasts, or None if the step has no duration.

    If the duration is counted in turns, these are the turns of the creature `of`. If `of` is "", they are the
    turns of the power's user. A duration `turn-end` is told as the end of that creature's next turn.
    """
    if "duration" not in table:
        return None
    made: Status = {"id": "", "ends": table["duration"], "until": table.get("until", ""), "later": True}
    return duration_clause(fight, of or use.who, made, LastingInFull)


# The targets of a step


_WHOM: Mapping[str, Callable[[Fight, PowerUse, Sequence[str]], Iterable[str]]] = {
    "target": lambda fight, use, targets: targets,
    "self": lambda fight, use, targets: [use.who],
    "enemies": lambda fight, use, targets: other_creatures_treated_as(fight, use, friends=False),
    "allies": lambda fight, use, targets: other_creatures_treated_as(fight, use, friends=True),
    "ally": lambda fight, use, targets: other_creatures_treated_as(fight, use, friends=True),
    "doer": lambda fight, use, targets: _as_list_if_in_fight(fight, _person_in_event(use, "doer")),
    "befallen": lambda fight, use, targets: _as_list_if_in_fight(fight, _person_in_event(use, "befallen")),
    "giver": lambda fight, use, targets: _as_list_if_in_fight(fight, use.giver),
    "other": lambda fight, use, targets: _as_list_if_in_fight(fight, use.moment.other if use.moment else ""),
    "around": lambda fight, use, targets: (one for one in fight.still_in_fight() if one != use.who),
    "inside": lambda fight, use, targets: (),
    "summons": lambda fight, use, targets: _summons_of(fight, use.who),
}


def _summons_of(fight: Fight, combatant: str) -> list[str]:
    from ..encounter.joining_and_leaving import present_creatures_summoned_by  # few ever need it

    return present_creatures_summoned_by(fight, combatant)


def _person_in_event(use: PowerUse, role: str) -> str:
    return str(getattr(use.event, role, ""))


def _as_list_if_in_fight(fight: Fight, combatant: str | None) -> list[str]:
    return (
        [combatant]
        if combatant and combatant in fight.data["combatants"] and not fight.is_out(combatant)
        else []
    )


def people_step_may_affect(fight: Fight, use: PowerUse, step: StepTable, targets: Sequence[str]) -> list[str]:
    """Return all creatures that a step may affect.

    The step may have a distance `within`. Then it affects only creatures that are at most that far from a
    centre. The creature at the centre isn't affected. The centre is the user of the power. With `from =
    "target"`, each of `targets` is a centre. A step for the target or for the user ignores the distance.
    """
    if step["do"] in EVENT_CHANGING_STEPS and step["do"] != "redirect":
        return [use.who]
    if step["to"] == "inside":
        from .zones_named_by_steps import people_in_zones_step_is_about  # few ever need it

        return people_in_zones_step_is_about(fight, use, step)
    to = "self" if step["do"] == "redirect" and step["to"] == "target" else step["to"]
    found = _WHOM[to](fight, use, targets)
    if step["to"] in ("target", "self") or "within" not in step:
        return list(found)
    around = targets if step.get("from") == "target" else [use.who]
    middles = [middle for middle in around if fight.is_on_map(middle)]
    return [
        one
        for one in found
        if fight.is_on_map(one)
        and one not in middles
        and any(fight.gap(middle, one) <= step["within"] for middle in middles)
    ]


def _affected_people_or_chosen_ally(
    world: World, use: PowerUse, step: StepTable, target: str
) -> Procedure[list[str]]:
    fight, combatant = Fight(world), use.who
    people = people_step_may_affect(fight, use, step, [target] if target else [])
    if step["to"] != "ally":
        return people
    if not people:
        yield no_effect_note(world, use, combatant, "nobody")
        return []
    if step["do"] == "heal":  # most hurt first
        people.sort(key=lambda ally: fight.combatant(ally)["hp"] - fight.combatant(ally)["max_hp"])
    if len(people) > 1:
        from ..facts.effects_and_causes import WhichAlly

        labels, about = (
            tuple(map(Somebody, people)),
            WhichAlly(combatant, power_as_reason(use.power, combatant)),
        )
        people = [(yield question_about_power(use, combatant, "who", tuple(people), about, labels))]
    return people


# Parts that several steps share


def no_effect_note(
    world: World, use: PowerUse, creature: str, reason: str, other: str = "", status: str = ""
) -> Happen:
    """Return a note that a step has no effect on a creature. `reason` is a key of `ComesToNothing`."""
    from ..facts.effects_and_causes import ComesToNothing

    noun = bool(world.book.statuses.get(status, {}).get("noun"))
    return note_naming_power(
        world, use, other or creature, ComesToNothing(reason, creature, other, status, noun)
    )


def note_naming_power(world: World, use: PowerUse, target: str, what: Reason) -> Happen:
    """Return a note about the creature `target` that names the power in use.

    Audiences that don't know of the power's user don't see the note.
    """
    return mark_with_power_user(
        use, target, world.tell(Noted(target, what, power_as_reason(use.power, use.who)))
    )


def question_about_power(
    use: PowerUse,
    combatant: str,
    topic: str,
    options: tuple[str, ...],
    about: Decision,
    labels: tuple[str | Clause, ...] = (),
) -> Choose:
    """Return a question about a power that is being used, for a combatant to answer.

    `topic` distinguishes the question from others about the same power.
    """
    key, formerly = f"{use.power['id']}: {topic}", f"{use.power['name']}: {topic}"
    return Choose(combatant, key, options, labels, about=about, formerly=formerly)


def choose_one_status(
    world: World, use: PowerUse, combatant: str, purpose: str, statuses: Sequence[str]
) -> Procedure[str]:
    """Ask which of a creature's `statuses` is meant, and return its id.

    If there is only one status, it is returned without a question. If there is none, "" is returned.
    `purpose` is the key of the question. Its first word says what happens to the status, such as "end" or
    "save" (see `WhichStatus`).
    """
    names = list(dict.fromkeys(statuses))
    if len(names) < 2:
        return names[0] if names else ""
    words = ids_by_last_part_or_whole_id(names)
    labels = tuple(map(StatusIs, words.values()))
    about = WhichStatus(combatant, purpose.partition(" ")[0], power_as_reason(use.power, use.who))
    return words[(yield Choose(combatant, purpose, tuple(words), labels, about=about))]


def add_to_event_amount(world: World, use: PowerUse, by: int, reason: Reason) -> Procedure[None]:
    """Add `by` to the amount of the event to which a power reacts, such as the damage.

    `by` is usually negative, but the amount never falls below 0. If the power reacts to no event, nothing
    happens.
    """
    if coming := use.event:
        from ..facts.effects_and_causes import IsLeft

        coming.amount = max(coming.amount + by, 0)
        coming.reasons.append(reason)
        yield note_naming_power(
            world, use, coming.befallen, IsLeft(coming.amount, coming.kind == "displaced")
        )


# Powers without an effect


class WouldDoNothing(TemplateRefusal, Refused):
    """The refusal of a power that would have no effect now."""

    power: str
    hint: str

    says = "{power} would do nothing now."


def must_affect_somebody(fight: Fight, use: PowerUse) -> None:
    """Raise Refused if a power would affect nobody now, such as healing when nobody is hurt.

    The error is NobodyInArea if nobody is in the power's area, otherwise WouldDoNothing.
    """
    power = use.power
    if has_attack_roll(power) and use.aim.targets:
        return
    steps = [step for part in UNROLLED for step in power.get(part, ())]
    if not steps or any(_step_affects_anybody(fight, use, step) for step in steps):
        return
    name, nothing_spent = power["name"], "Nothing is spent; `strike combat show` shows everybody's state."
    if area_shape_of(power) and not use.aim.targets:
        from strike_cli.refusals import NobodyInArea

        raise NobodyInArea(name, nothing_spent)
    raise WouldDoNothing(name, nothing_spent)


def _step_affects_anybody(fight: Fight, use: PowerUse, step: StepTable) -> bool:
    """Return whether a step would affect anybody; True if its effect can't be foreseen."""
    people = people_step_may_affect(fight, use, step, use.aim.targets)
    return any(_would_affect(fight, use, step, one) for one in people)


def _would_affect(fight: Fight, use: PowerUse, step: StepTable, target: str) -> bool:
    if "if" in step and step["if"] not in conditions_met_before_roll(fight, use, target):
        return False
    if "if_status" in step and not has_been_given_status(fight.world, target, step["if_status"]):
        return False
    return step_class_of(fight.world.book, step)(step).has_effect_on(fight, use, target)


def squares_in_words(book: object, amount: object) -> str:
    """Return an amount as a number of squares in words.

    Examples are `1 square` and `a number of squares equal to the round`.
    """
    if isinstance(amount, Mapping):
        return f"a number of squares equal to {amount_in_words(book, amount)}"
    return f"{amount} square{'' if amount == 1 else 's'}"


def amount_with_unit_in_words(book: object, amount: object, unit: str) -> str:
    """Return an amount in words: `2 damage`, `damage equal to half the damage dealt`."""
    words = amount_in_words(book, amount)
    return f"{unit} equal to {words}" if isinstance(amount, Mapping) and "of" in amount else f"{words} {unit}"


def duration_in_explanation(book: object, step_with_duration: StepTable) -> str:
    """Return a step's duration in words: `until a Saving Throw ends it`."""
    if step_with_duration["duration"] == "until":
        return str(ending_event_named(book, step_with_duration["until"]).given)
    duration = duration_named(book, step_with_duration["duration"])
    whose = "its" if step_with_duration.get("whose") == "target" else "the user's"
    return (duration.told or duration.given).format(whose, scene=SCENE)
