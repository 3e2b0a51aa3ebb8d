"""The effects of powers besides damage: their steps, in order."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Choose, Happen, Procedure, World
from strike_cli.kernel.statements import Clause, Decision, Reason, Somebody
from strike_cli.problems import Refused, Stated
from strike_cli.tabletop.dice import Modifier

from ..board.sight_and_hiding import is_hidden_from
from ..facts.powers import Noted
from ..facts.statuses import Lasting, LastingInFull, StatusIs, WhichStatus
from ..fight_state import Fight, area_shape_of, ids_by_short_name
from ..health_and_statuses import duration_clause, duration_named, ending_event_named, has_status, is_bloodied
from ..reactions.status_and_trait_reactions import record_done_in_period, state_key_for, was_done_in_period
from ..steps import (
    CHANGING,
    NESTING,
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
    Deed,
    has_attack_roll,
    mark_with_power_user,
    other_creatures_treated_as,
    power_with_owner,
)
from .step_amounts import roll_step_amount

if TYPE_CHECKING:
    from ..facts.steps import Unmet
    from ..health_and_statuses import Status


def do_steps(
    world: World, deed: Deed, steps: Sequence[StepTable], target: str = "", holding: Collection[str] = ()
) -> Procedure[list[str]]:
    """Play the steps of a power in order. Steps that are only text are left to the players.

    `target` is the creature that the steps affect, "" if there is none. `holding` has those conditions of
    steps (`if`) that are met. Returns the ids of the statuses that were given.
    """
    added: list[str] = []
    for table in steps:
        if "if" in table and table["if"] not in holding:
            continue
        if "once" in table and not (yield from _record_limited_step(world, deed, table)):
            continue
        if any(key in table for key in NESTING):
            deed = deed._replace(holding=frozenset(holding))
        kind = step_class_of(world.book, table)
        for one in (yield from _choose_affected_people(world, deed, table, target)):
            if Fight(world).is_out(one):
                continue
            if "if_status" in table and not has_status(world, one, table["if_status"]):
                continue
            amount = None
            if isinstance(table.get("amount"), Mapping):
                amount = yield from roll_step_amount(world, deed, table["amount"], one)
                if not amount or Fight(world).is_out(one):
                    continue
            added += (yield from kind(table, amount).play(world, deed, one)) or ()
    return added


def _record_limited_step(world: World, deed: Deed, step: StepTable) -> Procedure[bool]:
    """Record that a step with a limit in a period happens now; return whether it may happen.

    It returns False, and records nothing, if the step has already happened in this period.
    """
    word = _limited_step_key(deed, step)
    if was_done_in_period(world, word, step["once"]):
        return False
    yield from record_done_in_period(world, deed.who, word, step["once"])
    return True


def _limited_step_key(deed: Deed, step: StepTable) -> str:
    """Return the key under which the state records that a limited step of a power has happened."""
    written = [each for part in PARTS for each in steps_with_nested(deed.power.get(part, ()))]
    number = next((number for number, each in enumerate(written) if each is step), len(written))
    return state_key_for(deed.who, deed.power["id"], "step", number)


def conditions_met_before_roll(
    fight: Fight, deed: Deed, target: str, flanked: bool = False
) -> frozenset[str]:
    """Return which conditions of steps and bonuses are met before the attack roll.

    The conditions are about the power's user, about the target, or about both. `flanked` is whether the
    target is flanked.
    """
    combatant, own = fight.combatant(target), fight.combatant(deed.who)
    near = fight.is_on_map(target) and fight.is_on_map(deed.who) and fight.is_within(deed.who, target, 1)
    hold = {
        "bloodied": is_bloodied(fight.world, combatant["hp"], combatant["max_hp"]),
        "self-bloodied": is_bloodied(fight.world, own["hp"], own["max_hp"]),
        "flanked": flanked,
        "hidden": bool(own.get("hidden")) and (target == deed.who or is_hidden_from(fight, deed.who, target)),
        "adjacent": near,
    }
    return frozenset(key for key, holds in hold.items() if holds)


def damage_bonuses(fight: Fight, deed: Deed, target: str, holding: Collection[str]) -> list[Modifier]:
    """Return the bonuses to the power's printed damage on a hit, each with its reason.

    A 6 doubles them only by the house rule `crit_doubles_bonus` (STR-TAC-09).
    """
    found = []
    for bonus in deed.power.get("bonus", ()):
        status = bonus.get("if_status")
        if bonus.get("if", "") in ("", *holding) and (not status or has_status(fight.world, target, status)):
            from ..facts.effects import Standing

            standing = Standing(status or "", bonus.get("if", ""))
            bare = not status and "if" not in bonus
            found.append(
                Modifier(bonus["amount"], power_with_owner(deed.power, deed.who) if bare else standing)
            )
    return found


# Steps in short, for decisions


def effect_in_short(fight: Fight, deed: Deed, target: str, holding: Collection[str]) -> Sequence[Reason]:
    """Return short descriptions of what a power's Effect would do to a target, one for each step.

    `holding` has the conditions that are met.
    """
    return steps_in_short(fight, deed._replace(holding=frozenset(holding)), deed.power["effect"], target)


def steps_in_short(fight: Fight, deed: Deed, steps: Sequence[StepTable], target: str) -> list[Reason]:
    """Return short descriptions of those steps that would have an effect on a target now.

    If none would have an effect, the only description is the reason why the first step has none.
    """
    from ..facts.steps import StepIs

    found: list[Reason] = []
    for step in steps:
        # After a step about others, the text has to name the target again.
        others = any(isinstance(one, StepIs) and one.others and not one.unmet for one in found)
        found.append(_step_summary(fight, deed, step, target, named=others))
    return [step for step in found if not (isinstance(step, StepIs) and step.unmet)] or list(found[:1])


def _step_summary(fight: Fight, deed: Deed, table: StepTable, target: str, *, named: bool) -> Reason:
    from ..facts.steps import StepIs

    step = step_class_of(fight.world.book, table)(table)
    if unmet := _unmet_condition(fight, deed, table, target):
        return StepIs(table["do"], unmet=unmet)
    said = step.label(fight, deed, target)
    if table["do"] == "note" and table["to"] in ("target", "self"):
        return said.rstrip(".") if isinstance(said, str) else said or ""
    whom, combatant, among, middle = _affected_people_summary(fight, deed, table, target)
    if named and whom == "target" and target and table["do"] not in (*CHANGING, "zone"):
        whom, combatant = "person", target
    given = table.get("amount")
    amount = measured_amount_clause(fight.world.book, given) if isinstance(given, Mapping) else None
    status = said if isinstance(said, StatusIs) else None
    standing = target if whom == "target" else combatant
    has = "if_status" in table and standing and has_status(fight.world, standing, table["if_status"])
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


def _unmet_condition(fight: Fight, deed: Deed, table: StepTable, target: str) -> Unmet | None:
    """Return the reason why a step would affect nobody now, or None."""
    from ..facts.steps import Unmet

    if "if" in table and table["if"] not in deed.holding:
        return Unmet(table["if"], deed.who, target)
    if "once" in table and was_done_in_period(fight.world, _limited_step_key(deed, table), table["once"]):
        return Unmet(table["once"])
    return None


def _affected_people_summary(
    fight: Fight, deed: Deed, table: StepTable, target: str
) -> tuple[str, str, Sequence[str], str]:
    """Return which creatures a step affects, as four values of StepIs.

    The values are `whom`, `who`, `among` and `middle`.
    """
    whom = table["to"]
    found = people_step_may_affect(fight, deed, table, [target] if target else [])
    if table["do"] == "redirect":
        return "target", "".join(found[:1]), (), ""
    on_area = table["do"] == "zone" and not (table.get("spread") or table.get("along"))
    if table["do"] in CHANGING or whom == "target" or (whom == "self" and on_area):
        return "target", "", (), ""
    if whom in ("self", "summons"):
        return whom, deed.who, (), ""
    if whom in ("doer", "befallen", "giver", "other"):
        return ("person" if found else "target"), "".join(found[:1]), (), ""
    if whom not in ("ally", "allies", "enemies", "around") or "within" not in table:
        return whom, "", (), ""
    return whom, "", found, target if table.get("from") == "target" else ""


def step_duration_clause(fight: Fight, deed: Deed, table: StepTable, of: str = "") -> Lasting | None:
    """Return a clause for a step's duration, or None if the step has none.

    The turns that it counts are those of the power's user or, if `of` is given, of that creature. `turn-end`
    is worded as the end of the next turn, even if it is that creature's turn now.
    """
    if "duration" not in table:
        return None
    made: Status = {"id": "", "ends": table["duration"], "until": table.get("until", ""), "later": True}
    return duration_clause(fight, of or deed.who, made, LastingInFull)


# The targets of a step


_WHOM: Mapping[str, Callable[[Fight, Deed, Sequence[str]], Iterable[str]]] = {
    "target": lambda fight, deed, targets: targets,
    "self": lambda fight, deed, targets: [deed.who],
    "enemies": lambda fight, deed, targets: other_creatures_treated_as(fight, deed, friends=False),
    "allies": lambda fight, deed, targets: other_creatures_treated_as(fight, deed, friends=True),
    "ally": lambda fight, deed, targets: other_creatures_treated_as(fight, deed, friends=True),
    "doer": lambda fight, deed, targets: _listed_if_in_fight(fight, _person_in_event(deed, "doer")),
    "befallen": lambda fight, deed, targets: _listed_if_in_fight(fight, _person_in_event(deed, "befallen")),
    "giver": lambda fight, deed, targets: _listed_if_in_fight(fight, deed.giver),
    "other": lambda fight, deed, targets: _listed_if_in_fight(
        fight, deed.moment.other if deed.moment else ""
    ),
    "around": lambda fight, deed, targets: (one for one in fight.still_in_fight() if one != deed.who),
    "inside": lambda fight, deed, targets: (),
    "summons": lambda fight, deed, targets: _summons_of(fight, deed.who),
}


def _summons_of(fight: Fight, combatant: str) -> list[str]:
    from ..encounter.joining_and_leaving import summoned_by  # few ever need it

    return summoned_by(fight, combatant)


def _person_in_event(deed: Deed, combatant: str) -> str:
    return str(getattr(deed.answering, combatant, ""))


def _listed_if_in_fight(fight: Fight, combatant: str | None) -> list[str]:
    return (
        [combatant]
        if combatant and combatant in fight.data["combatants"] and not fight.is_out(combatant)
        else []
    )


def people_step_may_affect(fight: Fight, deed: Deed, step: StepTable, targets: Sequence[str]) -> list[str]:
    """Return all creatures that a step may affect.

    If the step has `within`, it affects only creatures at most that many squares from a middle, and not the
    creature in the middle. The middle is the power's user, or with `from = "target"` each of `targets`.
    `within` doesn't limit a step that affects the target or the user itself.
    """
    if step["do"] in CHANGING and step["do"] != "redirect":
        return [deed.who]
    if step["to"] == "inside":
        from .zones_named_by_steps import people_in_zones  # few ever need it

        return people_in_zones(fight, deed, step)
    to = "self" if step["do"] == "redirect" and step["to"] == "target" else step["to"]
    found = _WHOM[to](fight, deed, targets)
    if step["to"] in ("target", "self") or "within" not in step:
        return list(found)
    around = targets if step.get("from") == "target" else [deed.who]
    middles = [middle for middle in around if fight.is_on_map(middle)]
    return [
        one
        for one in found
        if fight.is_on_map(one)
        and one not in middles
        and any(fight.gap(middle, one) <= step["within"] for middle in middles)
    ]


def _choose_affected_people(world: World, deed: Deed, step: StepTable, target: str) -> Procedure[list[str]]:
    fight, combatant = Fight(world), deed.who
    people = people_step_may_affect(fight, deed, step, [target] if target else [])
    if step["to"] != "ally":
        return people
    if not people:
        yield no_effect_note(world, deed, combatant, "nobody")
        return []
    if step["do"] == "heal":  # most hurt first
        people.sort(key=lambda ally: fight.combatant(ally)["hp"] - fight.combatant(ally)["max_hp"])
    if len(people) > 1:
        from ..facts.effects import WhichAlly

        labels, about = (
            tuple(map(Somebody, people)),
            WhichAlly(combatant, power_with_owner(deed.power, combatant)),
        )
        people = [(yield question_about_power(deed, combatant, "who", tuple(people), about, labels))]
    return people


# Parts that several steps share


def no_effect_note(
    world: World, deed: Deed, creature: str, reason: str, other: str = "", status: str = ""
) -> Happen:
    """Return a note that a step has no effect on a creature. `reason` is a key of `ComesToNothing`."""
    from ..facts.effects import ComesToNothing

    noun = bool(world.book.statuses.get(status, {}).get("noun"))
    return note_naming_power(
        world, deed, other or creature, ComesToNothing(reason, creature, other, status, noun)
    )


def note_naming_power(world: World, deed: Deed, target: str, what: Reason) -> Happen:
    """Return a note about the creature `target` that names the deed's power.

    Only audiences that know of the power's user see it.
    """
    return mark_with_power_user(
        deed, target, world.tell(Noted(target, what, power_with_owner(deed.power, deed.who)))
    )


def question_about_power(
    deed: Deed,
    combatant: str,
    what: str,
    options: tuple[str, ...],
    about: Decision,
    labels: tuple[str | Clause, ...] = (),
) -> Choose:
    """Return the question for a decision about the deed's power.

    `what` distinguishes it from other questions about the same power.
    """
    key, formerly = f"{deed.power['id']}: {what}", f"{deed.power['name']}: {what}"
    return Choose(combatant, key, options, labels, about=about, formerly=formerly)


def choose_one_status(
    world: World, deed: Deed, combatant: str, what: str, statuses: Sequence[str]
) -> Procedure[str]:
    """Ask which of a creature's `statuses` is meant, and return its id.

    If there is only one, its id is returned without a question. If there is none, "" is returned.
    """
    names = list(dict.fromkeys(statuses))
    if len(names) < 2:
        return names[0] if names else ""
    words = ids_by_short_name(names)
    labels = tuple(map(StatusIs, words.values()))
    about = WhichStatus(combatant, what.partition(" ")[0], power_with_owner(deed.power, deed.who))
    return words[(yield Choose(combatant, what, tuple(words), labels, about=about))]


def change_event_amount(world: World, deed: Deed, by: int, reason: Reason) -> Procedure[None]:
    """Add `by`, usually negative, to the amount of the event that a power reacts to.

    The amount isn't reduced below 0. If the power doesn't react to an event, nothing happens.
    """
    if coming := deed.answering:
        from ..facts.effects import IsLeft

        coming.amount = max(coming.amount + by, 0)
        coming.reasons.append(reason)
        yield note_naming_power(
            world, deed, coming.befallen, IsLeft(coming.amount, coming.kind == "displaced")
        )


# Powers without an effect


class WouldDoNothing(Stated, Refused):
    """Refuses the use of a power that would have no effect now."""

    power: str
    hint: str

    says = "{power} would do nothing now."


def must_do_something(fight: Fight, deed: Deed) -> None:
    """Raise Refused if a power would affect nobody in the present state.

    An example is a power that heals, when nobody is hurt. The error is NobodyInArea if nobody is in the
    power's area, otherwise WouldDoNothing.
    """
    power = deed.power
    if has_attack_roll(power) and deed.aim.targets:
        return
    steps = [step for part in UNROLLED for step in power.get(part, ())]
    if not steps or any(_step_affects_anybody(fight, deed, step) for step in steps):
        return
    name, nothing_spent = power["name"], "Nothing is spent; `strike combat show` shows everybody's state."
    if area_shape_of(power) and not deed.aim.targets:
        from strike_cli.refusals import NobodyInArea

        raise NobodyInArea(name, nothing_spent)
    raise WouldDoNothing(name, nothing_spent)


def _step_affects_anybody(fight: Fight, deed: Deed, step: StepTable) -> bool:
    """Return whether a step would affect anybody; True if its effect can't be foreseen."""
    people = people_step_may_affect(fight, deed, step, deed.aim.targets)
    return any(_has_effect(fight, deed, step, one) for one in people)


def _has_effect(fight: Fight, deed: Deed, step: StepTable, target: str) -> bool:
    if "if" in step and step["if"] not in conditions_met_before_roll(fight, deed, target):
        return False
    if "if_status" in step and not has_status(fight.world, target, step["if_status"]):
        return False
    return step_class_of(fight.world.book, step)(step).has_effect_on(fight, deed, target)


def squares_in_words(book: object, amount: object) -> str:
    """Return an amount as a number of squares in words.

    Examples are `1 square` and `a number of squares equal to the round`.
    """
    if isinstance(amount, Mapping):
        return f"a number of squares equal to {amount_in_words(book, amount)}"
    return f"{amount} square{'' if amount == 1 else 's'}"


def amount_words(book: object, amount: object, what: str) -> str:
    """Return an amount in words: `2 damage`, `damage equal to half the damage dealt`."""
    words = amount_in_words(book, amount)
    return f"{what} equal to {words}" if isinstance(amount, Mapping) and "of" in amount else f"{words} {what}"


def duration_in_explanation(book: object, step: StepTable) -> str:
    """Return a step's duration in words: `until a Saving Throw ends it`."""
    if step["duration"] == "until":
        return str(ending_event_named(book, step["until"]).given)
    duration = duration_named(book, step["duration"])
    whose = "its" if step.get("whose") == "target" else "the user's"
    return (duration.told or duration.given).format(whose, scene=SCENE)
