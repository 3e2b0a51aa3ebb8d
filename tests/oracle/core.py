"""Skill Rolls, Opposed Rolls, helping, learning and Conditions, as the rules put them.

Somebody's stand is a `Person`; a roll takes dice and gives a plain result. Nothing here knows the program.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from .dice import Decisions, Dice

# STR-CORE-12: Conditions, by what they do. Several Winded are several entries.
MINOR = ("angry", "winded", "exhausted", "lost-confidence")
MAJOR = ("injured", "sick", "shaken")
WEALTH = ("short", "broke")


class Rolled(NamedTuple):
    """One side's die or dice: natural faces, how they counted, and the total that is not clamped."""

    faces: tuple[int, ...]
    mode: str
    kept: int
    total: int


class Weight(NamedTuple):
    """What bears on a roll: reasons for Advantage and Disadvantage, and the sum of flat modifiers."""

    advantages: int = 0
    disadvantages: int = 0
    modifier: int = 0

    def plus(self, other: Weight) -> Weight:
        return Weight(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


NOTHING = Weight()


@dataclass(frozen=True)
class Person:
    """What the core rules know of a character."""

    name: str
    skills: frozenset[str] = frozenset()
    conditions: tuple[str, ...] = ()
    doubted: frozenset[str] = frozenset()  # the Skills of Lost Confidence
    flawed: frozenset[str] = frozenset()  # items or information with a Flaw
    owes: frozenset[str] = frozenset()  # parties owed a Favor, or with whom the Reputation is bad
    banked: tuple[tuple[str, bool], ...] = ()  # (what for, Advantage or else Disadvantage)
    wealth: int = 1
    action_points: int = 0
    complications: tuple[str, ...] = ()
    fallback: bool = False  # gained, and unused in this session


def mode_of(weight: Weight) -> str:
    """STR-CORE-04: neither stacks, and one of each is one die, whatever the counts."""
    if bool(weight.advantages) == bool(weight.disadvantages):
        return "plain"
    return "advantage" if weight.advantages else "disadvantage"


def roll(dice: Dice, weight: Weight) -> Rolled:
    """STR-CORE-04, 05: one die, or two of which the higher or lower counts, and flat modifiers."""
    mode = mode_of(weight)
    faces = (dice.one(),) if mode == "plain" else (dice.one(), dice.one())
    kept = min(faces) if mode == "disadvantage" else max(faces)
    return Rolled(faces, mode, kept, kept + weight.modifier)


def clamp(total: int) -> int:
    """STR-CORE-05: for looking something up, 1 to 6."""
    return max(1, min(6, total))


class Task(NamedTuple):
    """What a roll is about: the Skill, and whether the task is physical, social, ..."""

    skill: str = ""
    tags: frozenset[str] = frozenset()
    item: str = ""
    asked: str = ""  # the party that is asked for help


def conditions_weigh(person: Person, task: Task) -> Weight:
    """STR-CORE-12: what Conditions do to a roll that is no attack."""
    disadvantages = 0
    disadvantages += "angry" in person.conditions and bool(task.tags & {"social", "concentration"})
    disadvantages += "winded" in person.conditions and "physical" in task.tags
    disadvantages += "exhausted" in person.conditions
    disadvantages += "lost-confidence" in person.conditions and task.skill in person.doubted
    return Weight(0, disadvantages, -majors(person))


def majors(person: Person) -> int:
    """STR-CORE-12: each Major Condition is 1 off all rolls, cumulative."""
    return sum(condition in MAJOR for condition in person.conditions)


def bears(person: Person, task: Task, friends: Iterable[Person] = ()) -> Weight:
    """STR-CORE-07, 10 to 12: Conditions, the Flaw of what is used, Favors of the party, what is banked."""
    weight = conditions_weigh(person, task)
    flaws = int(bool(task.item) and task.item in person.flawed)
    owed = int(bool(task.asked) and any(task.asked in one.owes for one in (person, *friends)))
    good = sum(skill == task.skill and advantage for skill, advantage in person.banked)
    bad = sum(skill == task.skill and not advantage for skill, advantage in person.banked)
    return weight.plus(Weight(good, flaws + owed + bad, 0))


def spend_banked(person: Person, task: Task) -> Person:
    """STR-CORE-07, 19, 20: what was banked for this roll is gone, the helper's like the roller's."""
    return replace(person, banked=tuple(one for one in person.banked if one[0] != task.skill))


class Result(NamedTuple):
    """A cell of a table."""

    outcome: str
    bonus: bool = False
    costs: int = 0


BONUS, SUCCESS = Result("success", bonus=True), Result("success")
COST, TWO_COSTS = Result("success", costs=1), Result("success", costs=2)
TWIST, TWIST_COST = Result("twist"), Result("twist", costs=1)

# STR-CORE-03
SKILLED = {6: BONUS, 5: SUCCESS, 4: SUCCESS, 3: COST, 2: TWIST, 1: TWIST_COST}
UNSKILLED = {6: BONUS, 5: SUCCESS, 4: COST, 3: TWIST, 2: TWIST, 1: TWIST_COST}


def may_learn(rolled: Rolled) -> bool:
    """STR-CORE-06: a natural 6 of one die; of two dice two 6s, or a 6 and a 5. Modifiers don't count."""
    if rolled.mode == "plain":
        return rolled.faces == (6,)
    return sorted(rolled.faces) in ([6, 6], [5, 6])


class Help(NamedTuple):
    """A helper's die, and whether it helped."""

    name: str
    rolled: Rolled
    added: int


def help_with(total: int, helping: Sequence[tuple[str, Rolled]]) -> tuple[int, list[Help]]:
    """STR-CORE-20: from the lowest helping result to the highest, each above the total so far adds 1."""
    added = dict.fromkeys(range(len(helping)), 0)
    for place in sorted(range(len(helping)), key=lambda place: helping[place][1].total):
        if helping[place][1].total > total:
            total += 1
            added[place] = 1
    return total, [Help(name, rolled, added[place]) for place, (name, rolled) in enumerate(helping)]


def helping_die(dice: Dice, helper: Person, skilled: bool, task: Task, more: Weight = NOTHING) -> Rolled:
    """STR-CORE-20: a helper's die: Disadvantage where Unskilled, Conditions, banked bonuses.

    The item is used, and the party asked, by whoever is helped.
    """
    unskilled = Weight(0, int(not skilled), 0)
    return roll(dice, bears(helper, Task(task.skill, task.tags)).plus(unskilled).plus(more))


@dataclass
class SkillRoll:
    """A Skill Roll to be made: who, on what, with what and with whose help."""

    who: Person
    task: Task
    skilled: bool
    helpers: list[tuple[Person, bool]] = field(default_factory=list)  # each with: Skilled?
    friends: tuple[Person, ...] = ()  # the party, whose Favors bind too
    more: Weight = NOTHING  # what the table says besides
    makeshift: bool = False
    also: bool = False  # another Skill helps, for an Action Point


class SkillOutcome(NamedTuple):
    """What a Skill Roll came to."""

    rolled: Rolled
    helpers: list[Help]
    total: int
    result: Result
    can_learn: bool
    fell_back: bool
    owing: list[str]  # who has Costs to take, once for each


def skill_roll(position: SkillRoll, dice: Dice, decide: Decisions) -> SkillOutcome:
    """STR-CORE-03 to 06, 20, 22 (another Skill), 25 (makeshift Tools), 31 (the Fallback)."""
    who, task = position.who, position.task
    weight = bears(who, task, position.friends).plus(position.more)
    weight = weight.plus(Weight(int(position.also), int(position.makeshift), 0))
    rolled = roll(dice, weight)
    helping = [(one.name, helping_die(dice, one, skilled, task)) for one, skilled in position.helpers]
    total, helpers = help_with(rolled.total, helping)
    result = (SKILLED if position.skilled else UNSKILLED)[clamp(total)]
    fell_back = (
        result.outcome == "twist" and who.fallback and decide.take("fallback", ["use", "keep"]) == "use"
    )
    if fell_back:
        result = fall_back(result)
    known = task.skill in who.skills
    can_learn = not position.skilled and not known and may_learn(rolled)
    owing = [who.name] * result.costs + [one.name for one in helpers if result.costs]
    return SkillOutcome(rolled, helpers, total, result, can_learn, fell_back, owing)


def fall_back(result: Result) -> Result:
    """STR-CORE-31: a Twist becomes a Success, with a Cost if it had one. No Bonus comes of it."""
    return Result("success", costs=result.costs)


def linked(result: Result, cost_is_later: bool) -> tuple[bool, ...]:
    """STR-CORE-19: what the later roll has: Advantage for a Success, Disadvantage in place of a Cost."""
    return (True,) * (result.outcome == "success") + (False,) * cost_is_later


def regain_confidence(person: Person, task: Task, result: Result) -> Person:
    """STR-CORE-13: a success with a Skill that one has Lost Confidence in ends that."""
    if result.outcome != "success" or task.skill not in person.doubted:
        return person
    left = tuple(one for one in person.conditions if one != "lost-confidence")
    return replace(person, conditions=left, doubted=frozenset())


def take_cost(person: Person, cost: str) -> Person:
    """STR-CORE-09, 12: a Condition, `flaw`, `favor` or `waive`. Three Winded or Short become worse."""
    if cost in ("waive", "flaw", "favor", "later"):
        return person
    worse = {"winded": "exhausted", "short": "broke"}
    held = person.conditions
    if cost in worse and held.count(cost) == 2:
        held = tuple(one for one in held if one != cost)
        cost = worse[cost]
    if cost in ("angry", "exhausted") and cost in held:
        return replace(person, conditions=held)
    return replace(person, conditions=(*held, cost))


@dataclass
class Side:
    """One side of an Opposed Roll. `counts_skilled` is false for the more general of two like Skills, too."""

    who: Person
    task: Task
    skilled: bool
    general: bool = False
    more: Weight = NOTHING
    helpers: list[tuple[Person, bool]] = field(default_factory=list)

    @property
    def counts_skilled(self) -> bool:
        return self.skilled and not self.general


class OpposedOutcome(NamedTuple):
    """What an Opposed Roll came to, seen from the first side."""

    rolled: tuple[Rolled, Rolled]
    totals: tuple[int, int]
    winner: int | None  # 0 or 1
    margin: int
    complete: bool
    loser_chooses: bool
    can_learn: tuple[bool, bool]
    broken_by: int | None


def opposed_roll(
    sides: tuple[Side, Side], dice: Dice, decide: Decisions, players: tuple[bool, bool]
) -> OpposedOutcome:
    """STR-CORE-16, 17, 18, 20: the higher total wins, not clamped; a tie may be broken against oneself."""
    rolled, totals = [], []
    for side, other in zip(sides, reversed(sides), strict=True):
        unskilled = int(not side.counts_skilled and other.counts_skilled)
        weight = bears(side.who, side.task).plus(side.more).plus(Weight(0, unskilled, 0))
        rolled.append(roll(dice, weight))
        helping = [(one.name, helping_die(dice, one, skilled, side.task)) for one, skilled in side.helpers]
        totals.append(help_with(rolled[-1].total, helping)[0])
    learn = [
        not side.counts_skilled and may_learn(one) and to_learn(side, other) not in side.who.skills
        for side, other, one in zip(sides, reversed(sides), rolled, strict=True)
    ]
    broken_by = None
    if totals[0] == totals[1]:
        broken_by = break_tie(sides, decide, players)
        winner = None if broken_by is None else 1 - broken_by
    else:
        winner = 0 if totals[0] > totals[1] else 1
    margin = abs(totals[0] - totals[1])
    close = broken_by is not None or 1 <= margin <= 2
    return OpposedOutcome(
        (rolled[0], rolled[1]), (totals[0], totals[1]), winner, margin, margin >= 3, close,
        (learn[0], learn[1]), broken_by,
    )  # fmt: skip


def costs_as_complications(person: Person) -> list[str]:
    """STR-CORE-24: one's Complications, and Costs that may be used as one."""
    conditions = list(dict.fromkeys(person.conditions))
    return [*person.complications, *conditions, *sorted(person.flawed), *sorted(person.owes)]


def to_learn(side: Side, other: Side) -> str:
    """STR-CORE-16, 18: the Skill rolled; for the more general of two like Skills, the other's."""
    return other.task.skill if side.general else side.task.skill


def break_tie(sides: tuple[Side, Side], decide: Decisions, players: tuple[bool, bool]) -> int | None:
    """STR-CORE-17, 24: which player, if any, breaks the tie against their own side, for an Action Point."""
    for place, side in enumerate(sides):
        usable = costs_as_complications(side.who)
        if players[place] and usable and decide.take(f"tie {side.who.name}", ["leave", *usable]) != "leave":
            return place
    return None
