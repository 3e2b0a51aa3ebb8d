"""The effects of powers besides damage: their steps, in order."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Choose, Happen, Procedure, World
from strike_cli.kernel.statements import Clause, Decision, Reason, Somebody
from strike_cli.problems import Refused, Stated
from strike_cli.tabletop.dice import Modifier

from ..board.sight import is_hidden_from
from ..facts.powers import Noted
from ..facts.statuses import Lasting, LastingInFull, StatusIs, WhichStatus
from ..fight import Fight, shape_of, short_names
from ..harm import duration_in, has_status, is_bloodied, lasting_words, until_in
from ..reactions.reactions import is_done, mark_done, word_for
from ..steps import (
    CHANGING,
    NESTING,
    PARTS,
    SCENE,
    UNROLLED,
    StepTable,
    amount_in_words,
    measured_amount,
    with_nested,
)
from ..steps.step import step_in
from .amounts import amount_of
from .power import Deed, is_rolled, others_in_fight, power_with_owner, sign_with_user

if TYPE_CHECKING:
    from ..facts.steps import Unmet
    from ..harm import Status


def do_steps(
    world: World, deed: Deed, steps: Sequence[StepTable], target: str = "", holding: Collection[str] = ()
) -> Procedure[list[str]]:
    """Play the steps of a power in order. A step that is only text is left to the players.

    `target` is the creature that they affect, "" for none; `holding` are the conditions (`if`) that hold.
    Returns the ids of the statuses that took hold.
    """
    added: list[str] = []
    for table in steps:
        if "if" in table and table["if"] not in holding:
            continue
        if "once" in table and not (yield from _note_first_time(world, deed, table)):
            continue
        if any(key in table for key in NESTING):
            deed = deed._replace(holding=frozenset(holding))
        kind = step_in(world.book, table)
        for one in (yield from _choose_people(world, deed, table, target)):
            if Fight(world).is_out(one):
                continue
            if "if_status" in table and not has_status(world, one, table["if_status"]):
                continue
            amount = None
            if isinstance(table.get("amount"), Mapping):
                amount = yield from amount_of(world, deed, table["amount"], one)
                if not amount or Fight(world).is_out(one):
                    continue
            added += (yield from kind(table, amount).play(world, deed, one)) or ()
    return added


def _note_first_time(world: World, deed: Deed, step: StepTable) -> Procedure[bool]:
    """Record that a step limited to once a turn, round or fight happens; return False if it already had."""
    word = _word_of(deed, step)
    if is_done(world, word, step["once"]):
        return False
    yield from mark_done(world, deed.who, word, step["once"])
    return True


def _word_of(deed: Deed, step: StepTable) -> str:
    """Return the key under which the fight records that a step of a power has happened."""
    written = [each for part in PARTS for each in with_nested(deed.power.get(part, ()))]
    number = next((number for number, each in enumerate(written) if each is step), len(written))
    return word_for(deed.who, deed.power["id"], "step", number)


def conditions_before_roll(fight: Fight, deed: Deed, target: str, flanked: bool = False) -> frozenset[str]:
    """Return the conditions of steps and bonuses that hold between user and target before the attack roll."""
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


def bonus_damage(fight: Fight, deed: Deed, target: str, holding: Collection[str]) -> list[Modifier]:
    """Return the damage that a hit does beyond the power's printed damage, with reasons.

    A 6 doubles it only by the house rule `crit_doubles_bonus` (STR-TAC-09).
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
    """Return a short description of a power's Effect on a target, given the conditions that hold."""
    return steps_in_short(fight, deed._replace(holding=frozenset(holding)), deed.power["effect"], target)


def steps_in_short(fight: Fight, deed: Deed, steps: Sequence[StepTable], target: str) -> list[Reason]:
    """Return short descriptions of steps that affect a target, without those that would have no effect now.

    If none would have an effect, it returns the reason for the first.
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

    step = step_in(fight.world.book, table)(table)
    if unmet := _unmet(fight, deed, table, target):
        return StepIs(table["do"], unmet=unmet)
    said = step.label(fight, deed, target)
    if table["do"] == "note" and table["to"] in ("target", "self"):
        return said.rstrip(".") if isinstance(said, str) else said or ""
    whom, combatant, among, middle = _people_summary(fight, deed, table, target)
    if named and whom == "target" and target and table["do"] not in (*CHANGING, "zone"):
        whom, combatant = "person", target
    given = table.get("amount")
    amount = measured_amount(fight.world.book, given) if isinstance(given, Mapping) else None
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


def _unmet(fight: Fight, deed: Deed, table: StepTable, target: str) -> Unmet | None:
    """Return the reason why a step would affect nobody now, or None."""
    from ..facts.steps import Unmet

    if "if" in table and table["if"] not in deed.holding:
        return Unmet(table["if"], deed.who, target)
    if "once" in table and is_done(fight.world, _word_of(deed, table), table["once"]):
        return Unmet(table["once"])
    return None


def _people_summary(
    fight: Fight, deed: Deed, table: StepTable, target: str
) -> tuple[str, str, Sequence[str], str]:
    """Return the creatures that a step affects, as StepIs has them: `whom`, `who`, `among` and `middle`."""
    whom = table["to"]
    found = people_for_step(fight, deed, table, [target] if target else [])
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


def duration_of_effect(fight: Fight, deed: Deed, table: StepTable, of: str = "") -> Lasting | None:
    """Return the duration in a step as a clause, by turns of the power's user or of another creature `of`.

    `turn-end` is worded as the end of the next turn, even in that creature's turn. None if the step has no
    duration.
    """
    if "duration" not in table:
        return None
    made: Status = {"id": "", "ends": table["duration"], "until": table.get("until", ""), "later": True}
    return lasting_words(fight, of or deed.who, made, LastingInFull)


# The targets of a step


_WHOM: Mapping[str, Callable[[Fight, Deed, Sequence[str]], Iterable[str]]] = {
    "target": lambda fight, deed, targets: targets,
    "self": lambda fight, deed, targets: [deed.who],
    "enemies": lambda fight, deed, targets: others_in_fight(fight, deed, friends=False),
    "allies": lambda fight, deed, targets: others_in_fight(fight, deed, friends=True),
    "ally": lambda fight, deed, targets: others_in_fight(fight, deed, friends=True),
    "doer": lambda fight, deed, targets: _if_in_fight(fight, _person_of_answer(deed, "doer")),
    "befallen": lambda fight, deed, targets: _if_in_fight(fight, _person_of_answer(deed, "befallen")),
    "giver": lambda fight, deed, targets: _if_in_fight(fight, deed.giver),
    "other": lambda fight, deed, targets: _if_in_fight(fight, deed.moment.other if deed.moment else ""),
    "around": lambda fight, deed, targets: (one for one in fight.in_the_fight() if one != deed.who),
    "inside": lambda fight, deed, targets: (),
    "summons": lambda fight, deed, targets: _summons(fight, deed.who),
}


def _summons(fight: Fight, combatant: str) -> list[str]:
    from ..encounter.reinforcements import summoned_by  # few ever need it

    return summoned_by(fight, combatant)


def _person_of_answer(deed: Deed, combatant: str) -> str:
    return str(getattr(deed.answering, combatant, ""))


def _if_in_fight(fight: Fight, combatant: str | None) -> list[str]:
    return (
        [combatant]
        if combatant and combatant in fight.data["combatants"] and not fight.is_out(combatant)
        else []
    )


def people_for_step(fight: Fight, deed: Deed, step: StepTable, targets: Sequence[str]) -> list[str]:
    """Return all creatures that a step may affect.

    Creatures other than the target and the user must be within a distance of the user, or with `from` of any
    target; the middle itself is left out.
    """
    if step["do"] in CHANGING and step["do"] != "redirect":
        return [deed.who]
    if step["to"] == "inside":
        from .named_zones import people_in_zones  # few ever need it

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


def _choose_people(world: World, deed: Deed, step: StepTable, target: str) -> Procedure[list[str]]:
    fight, combatant = Fight(world), deed.who
    people = people_for_step(fight, deed, step, [target] if target else [])
    if step["to"] != "ally":
        return people
    if not people:
        yield tell_no_effect(world, deed, combatant, "nobody")
        return []
    if step["do"] == "heal":  # most hurt first
        people.sort(key=lambda ally: fight.combatant(ally)["hp"] - fight.combatant(ally)["max_hp"])
    if len(people) > 1:
        from ..facts.effects import WhichAlly

        labels, about = (
            tuple(map(Somebody, people)),
            WhichAlly(combatant, power_with_owner(deed.power, combatant)),
        )
        people = [(yield choose_for_power(deed, combatant, "who", tuple(people), about, labels))]
    return people


# Parts that several steps share


def tell_no_effect(world: World, deed: Deed, one: str, how: str, other: str = "", status: str = "") -> Happen:
    """Return the fact that a step has no effect on a creature, for the reason `how`."""
    from ..facts.effects import ComesToNothing

    noun = bool(world.book.statuses.get(status, {}).get("noun"))
    return note_about(world, deed, other or one, ComesToNothing(how, one, other, status, noun))


def note_about(world: World, deed: Deed, target: str, what: Reason) -> Happen:
    """Return a note about a creature that names a power, and so is only for those who know of its user."""
    return sign_with_user(
        deed, target, world.tell(Noted(target, what, power_with_owner(deed.power, deed.who)))
    )


def choose_for_power(
    deed: Deed,
    combatant: str,
    what: str,
    options: tuple[str, ...],
    about: Decision,
    labels: tuple[str | Clause, ...] = (),
) -> Choose:
    """Return the question for a decision about a power."""
    key, formerly = f"{deed.power['id']}: {what}", f"{deed.power['name']}: {what}"
    return Choose(combatant, key, options, labels, about=about, formerly=formerly)


def choose_status(
    world: World, deed: Deed, combatant: str, what: str, statuses: Sequence[str]
) -> Procedure[str]:
    """Ask for one of a creature's statuses. Returns the only one without asking, and "" if there is none."""
    names = list(dict.fromkeys(statuses))
    if len(names) < 2:
        return names[0] if names else ""
    words = short_names(names)
    labels = tuple(map(StatusIs, words.values()))
    about = WhichStatus(combatant, what.partition(" ")[0], power_with_owner(deed.power, deed.who))
    return words[(yield Choose(combatant, what, tuple(words), labels, about=about))]


def lessen_effect(world: World, deed: Deed, by: int, reason: Reason) -> Procedure[None]:
    """Add `by` to the amount of the event that is reacted to; the result is at least 0.

    `by` is negative to reduce it. Nothing happens if there is no such event.
    """
    if coming := deed.answering:
        from ..facts.effects import IsLeft

        coming.amount = max(coming.amount + by, 0)
        coming.reasons.append(reason)
        yield note_about(world, deed, coming.befallen, IsLeft(coming.amount, coming.kind == "displaced"))


# Powers without an effect


class WouldDoNothing(Stated, Refused):
    """Refuses the use of a power that would have no effect now."""

    power: str
    hint: str

    says = "{power} would do nothing now."


def must_do_something(fight: Fight, deed: Deed) -> None:
    """Raise Refused if a power would affect nobody in the present state.

    For example, nobody needs its healing, or nobody has the status that it would end. The error is
    WouldDoNothing, or NobodyInArea if nobody is in its area.
    """
    power = deed.power
    if is_rolled(power) and deed.aim.targets:
        return
    steps = [step for part in UNROLLED for step in power.get(part, ())]
    if not steps or any(_does_something(fight, deed, step) for step in steps):
        return
    name, nothing_spent = power["name"], "Nothing is spent; `strike combat show` shows everybody's state."
    if shape_of(power) and not deed.aim.targets:
        from strike_cli.refusals import NobodyInArea

        raise NobodyInArea(name, nothing_spent)
    raise WouldDoNothing(name, nothing_spent)


def _does_something(fight: Fight, deed: Deed, step: StepTable) -> bool:
    """Return whether a step would affect anybody. An effect that can't be foreseen counts as one."""
    people = people_for_step(fight, deed, step, deed.aim.targets)
    return any(_has_effect(fight, deed, step, one) for one in people)


def _has_effect(fight: Fight, deed: Deed, step: StepTable, target: str) -> bool:
    if "if" in step and step["if"] not in conditions_before_roll(fight, deed, target):
        return False
    if "if_status" in step and not has_status(fight.world, target, step["if_status"]):
        return False
    return step_in(fight.world.book, step)(step).has_effect_on(fight, deed, target)


def squares_words(book: object, amount: object) -> str:
    """Return a number of squares in words: `1 square`, `a number of squares equal to the round`."""
    if isinstance(amount, Mapping):
        return f"a number of squares equal to {amount_in_words(book, amount)}"
    return f"{amount} square{'' if amount == 1 else 's'}"


def amount_words(book: object, amount: object, what: str) -> str:
    """Return an amount in words: `2 damage`, `damage equal to half the damage dealt`."""
    words = amount_in_words(book, amount)
    return f"{what} equal to {words}" if isinstance(amount, Mapping) and "of" in amount else f"{words} {what}"


def duration_words(book: object, step: StepTable) -> str:
    """Return the duration in a step, of a status or a zone, in words: `until a Saving Throw ends it`."""
    if step["duration"] == "until":
        return str(until_in(book, step["until"]).given)
    duration = duration_in(book, step["duration"])
    whose = "its" if step.get("whose") == "target" else "the user's"
    return (duration.told or duration.given).format(whose, scene=SCENE)
