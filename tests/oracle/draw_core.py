"""Random Skill Rolls, Opposed Rolls and purchases, brought about and held against the oracle."""

from __future__ import annotations

import random
import tomllib
from dataclasses import replace

from . import core, wealth
from . import program as p
from .core import Help, Person, Rolled, SkillRoll, Task, Weight
from .dice import Decisions, Dice
from .trial import NoTest, Trial

SHEETS = tomllib.loads((p.CAMPAIGN / "campaign.toml").read_text("utf-8"))["characters"]
KNOWN = ["Climbing", "Haggling", "Chess", "Baking"]
UNKNOWN = ["Brewing", "Weaving"]
LATER = "the feast"
PARTIES, ITEM = ["guild", "abbot"], "rope"
HELD = [
    "angry", "winded", "winded", "exhausted", "lost-confidence", "injured", "sick", "shaken", "short",
    "broke",
]  # fmt: skip
COSTS = ["winded", "angry", "exhausted", "injured", "sick", "flaw", "favor", "waive"]


def few(chance: random.Random, most: int, none: float = 0.5) -> int:
    """Mostly none, else a small number."""
    return 0 if chance.random() < none else chance.randint(1, most)


def some_more(chance: random.Random) -> p.More:
    modifiers = tuple(chance.choice([-2, -1, 1, 2]) for _ in range(few(chance, 2, 0.7)))
    return p.More(few(chance, 2, 0.7), few(chance, 2, 0.7), modifiers)


def weight_of(more: p.More) -> Weight:
    return Weight(more.advantages, more.disadvantages, sum(more.modifiers))


def some_people(
    chance: random.Random, trial: Trial, skill: str, wealth_skill: bool = False
) -> dict[str, Person]:
    """Everybody of the party, with Conditions, Flaws, Favors and banked bonuses, here and in the program."""
    people = {}
    for who, sheet in SHEETS.items():
        person = Person(
            who, frozenset(sheet["skills"]), wealth=sheet["wealth"], action_points=sheet["ap"],
            complications=tuple(sheet["complications"]), fallback="fallback" in sheet,
        )  # fmt: skip
        for _ in range(few(chance, 3, 0.6)):
            person = some_condition(chance, trial, person)
        if chance.random() < 0.15:
            trial.play(p.flaw_add(who, ITEM))
            person = replace(person, flawed=frozenset({ITEM}))
        if chance.random() < 0.1:
            party = chance.choice(PARTIES)
            trial.play(p.favor_add(who, party))
            person = replace(person, owes=frozenset({party}))
        for _ in range(few(chance, 2, 0.8)):
            advantage = chance.random() < 0.7
            about = "Wealth" if wealth_skill else skill
            trial.play(p.bonus_bank(who, about, advantage))
            person = replace(person, banked=(*person.banked, (about, advantage)))
        people[who] = person
    return people


def some_condition(chance: random.Random, trial: Trial, person: Person) -> Person:
    condition = chance.choice(HELD)
    if condition == "lost-confidence":
        about = chance.choice(KNOWN)
        if condition in person.conditions:
            return person
        trial.play(p.condition_add(person.name, condition, [about]))
        return replace(person, conditions=(*person.conditions, condition), doubted=frozenset({about}))
    if condition in ("angry", "exhausted") and condition in person.conditions:
        return person
    trial.play(p.condition_add(person.name, condition))
    return core.take_cost(person, condition)


def tags_of(skill: str, more: tuple[str, ...]) -> frozenset[str]:
    return frozenset({*SHEETS["ana"]["tags"].get(skill, ()), *more})


def program_helpers(data: list[dict]) -> list[Help]:  # type: ignore[type-arg]
    return [Help(one["name"], Rolled(*p.mean(one["roll"])), one["added"]) for one in data]


def some_skill_roll(
    chance: random.Random, trial: Trial, most_helpers: int = 3
) -> tuple[dict[str, Person], SkillRoll, p.SkillRolled]:
    """Everybody, the roll to be made, and how it is typed."""
    skill = chance.choice([*KNOWN, *UNKNOWN])
    people = some_people(chance, trial, skill)
    who, *others = chance.sample(list(people.values()), 4)
    skilled = (skill in KNOWN) != (chance.random() < 0.2)
    helpers = [(one, chance.random() < 0.6) for one in others[: few(chance, most_helpers, 0.4)]]
    also = [one for one in KNOWN if one != skill] if who.action_points and chance.random() < 0.15 else [""]
    typed = p.SkillRolled(
        who.name, skill, skilled, [(one.name, good) for one, good in helpers], some_more(chance),
        tags=tuple(chance.sample(["physical", "social", "concentration", "oven"], few(chance, 2, 0.8))),
        using=ITEM if chance.random() < 0.3 else "",
        asking=chance.choice(PARTIES) if chance.random() < 0.2 else "",
        makeshift=chance.random() < 0.1,
        also=chance.choice(also),
        linked=LATER if chance.random() < 0.15 else "",
    )  # fmt: skip
    position = SkillRoll(
        who, Task(skill, tags_of(skill, typed.tags), typed.using, typed.asking), skilled, helpers,
        tuple(others), weight_of(typed.more), typed.makeshift, bool(typed.also),
    )  # fmt: skip
    return people, position, typed


def draw_skill_roll(chance: random.Random, trial: Trial) -> None:
    """STR-CORE-03 to 06, 10 to 13, 19, 20, 22, 25, 31."""
    people, position, typed = some_skill_roll(chance, trial)
    who, task = position.who, position.task
    dice, decide = Dice(chance=chance), Decisions(chance=chance)
    made = core.skill_roll(position, dice, decide)
    learned = False
    if made.can_learn:
        learned = decide.take("learn", ["learn", "bonus" if made.result.bonus else "pass"]) == "learn"
    after = dict(people)
    after[who.name] = replace(who, action_points=who.action_points - bool(typed.also))
    for one in (who, *(helper for helper, _ in position.helpers)):
        after[one.name] = core.spend_banked(after[one.name], task)
    after[who.name] = core.regain_confidence(after[who.name], task, made.result)
    costs = []
    for name in made.owing:
        kinds = [*COSTS, "later", "later"] if typed.linked and name == who.name else COSTS
        costs.append(decide.take("cost", kinds))
        after[name] = core.take_cost(after[name], costs[-1])
    grants = core.linked(made.result, "later" in costs) if typed.linked else ()
    banked = (*after[who.name].banked, *((LATER, good) for good in grants))
    after[who.name] = replace(after[who.name], banked=banked)
    if any(one.banked for one, _ in position.helpers):
        trial.under.add("STR-CORE-20 banked")
    data = trial.play(typed.step().rolled(dice.fallen, decide.taken))
    hold_skill_roll(trial, made, learned, data)
    for person in after.values():
        hold_person(trial, person)
    if typed.linked:
        words = {(): None, (True,): "advantage", (False,): "disadvantage", (True, False): "both"}
        trial.same("grants", words[grants], data["grants"])
    trial.same(
        "learned", [task.skill] if learned else [], trial.table.character(who.name, "skills_learned", [])
    )


def hold_skill_roll(trial: Trial, made: core.SkillOutcome, learned: bool, data: dict) -> None:  # type: ignore[type-arg]
    trial.same("roll", made.rolled, Rolled(*p.mean(data["roll"])))
    trial.same("helpers", made.helpers, program_helpers(data["helpers"]))
    trial.same("total", made.total, data["total"])
    trial.same("outcome", made.result.outcome, data["outcome"])
    trial.same("bonus", made.result.bonus and not learned, data["bonus"])
    trial.same("costs", made.result.costs, data["costs"])
    trial.same("can learn", made.can_learn, data["can_learn"])


def hold_person(trial: Trial, person: Person) -> None:
    """What the state says of somebody against what the oracle does."""
    who = person.name
    trial.same(f"conditions of {who}", sorted(person.conditions), trial.table.conditions(who))
    banked = [(one["for"], one["gives"] == "advantage") for one in trial.table.character(who, "banked", [])]
    trial.same(f"banked by {who}", list(person.banked), banked)
    trial.same(f"AP of {who}", person.action_points, trial.table.character(who, "ap", SHEETS[who]["ap"]))


def draw_opposed_roll(chance: random.Random, trial: Trial) -> None:
    """STR-CORE-16, 17, 18, 20."""
    skills = (chance.choice([*KNOWN, *UNKNOWN]), chance.choice([*KNOWN, *UNKNOWN]))
    people = some_people(chance, trial, skills[0])
    one, two, *others = chance.sample(list(people.values()), 4)
    # Who has the Skill is never made Unskilled in it: what there would be to learn?
    skilled = tuple(skill in KNOWN or chance.random() < 0.3 for skill in skills)
    fitting = [side for side, general in (("ours", skills[1]), ("theirs", skills[0])) if general in KNOWN]
    specific = chance.choice(fitting) if all(skilled) and fitting and chance.random() < 0.4 else ""
    sides = []
    for who, skill, good, general in zip((one, two), skills, skilled, ("theirs", "ours"), strict=True):
        more, helpers = p.More(few(chance, 2, 0.8), few(chance, 2, 0.8)), []
        if chance.random() < 0.1:
            more = some_more(chance)
            helpers = [(others.pop(), chance.random() < 0.6)]
        task = Task(skill, tags_of(skill, ()))
        sides.append((core.Side(who, task, good, specific == general, weight_of(more), helpers), more))
    hold_opposed_roll(chance, trial, people, (sides[0], sides[1]), specific)


Sided = tuple[core.Side, p.More]


def hold_opposed_roll(
    chance: random.Random, trial: Trial, people: dict[str, Person], sided: tuple[Sided, Sided], specific: str
) -> None:
    sides = (sided[0][0], sided[1][0])
    dice, decide = Dice(chance=chance), Decisions(chance=chance)
    made = core.opposed_roll(sides, dice, decide, (True, True))
    answers = tie_answers(sides, decide.taken)
    if made.loser_chooses:
        answers.append(chance.choice(["insecure", "costly", "cheap", "extra"]))
    answers += [chance.choice(["learn", "pass"]) for can in made.can_learn if can]
    typed = [
        p.OpposedSide(
            side.who.name,
            side.task.skill,
            side.skilled,
            more,
            [(one.name, good) for one, good in side.helpers],
        )
        for side, more in sided
    ]
    if any(side.helpers or more.modifiers for side, more in sided):
        trial.under.add("STR-CORE-20 opposed")
    data = trial.play(p.roll_opposed(typed[0], typed[1], specific).rolled(dice.fallen, answers))
    for place, name in enumerate(("ours", "theirs")):
        trial.same(name, made.rolled[place], Rolled(*p.mean(data[name])))
        trial.same(f"{name} can learn", made.can_learn[place], data["can_learn"][name])
    trial.same("winner", {None: None, 0: "ours", 1: "theirs"}[made.winner], data["winner"])
    trial.same("margin", made.margin, data["margin"])
    trial.same("complete", made.complete, data["complete"])
    trial.same("options", 4 if made.loser_chooses else 0, len(data["loser_options"]))
    after = dict(people)
    for place, side in enumerate(sides):
        for one in (side.who, *(helper for helper, _ in side.helpers)):
            after[one.name] = core.spend_banked(after[one.name], side.task)
        gained = made.broken_by == place
        name = side.who.name
        after[name] = replace(after[name], action_points=side.who.action_points + gained)
        if made.winner == place and side.task.skill in side.who.doubted:
            after[name] = core.regain_confidence(after[name], side.task, core.SUCCESS)
            trial.under.add("STR-CORE-13")
    for person in after.values():
        hold_person(trial, person)


def tie_answers(sides: tuple[core.Side, core.Side], taken: list[str]) -> list[str]:
    """The oracle's answers to a tie, as the program names them."""
    answers = []
    for side, answer in zip(sides, taken, strict=False):
        usable = core.costs_as_complications(side.who)
        answers.append("stand" if answer == "leave" else f"complication-{usable.index(answer) + 1}")
    return answers


def some_purchase(chance: random.Random, trial: Trial) -> tuple[dict[str, Person], wealth.Purchase, p.More]:
    """Everybody, what is to be bought, and what the table adds."""
    people = some_people(chance, trial, "", wealth_skill=True)
    buyer, *others = chance.sample(list(people.values()), 4)
    price, more = chance.randint(0, 4), some_more(chance)
    own = wealth.effective(buyer)
    able = [one for one in others if -1 <= wealth.effective(one) - own <= 1]
    rolls = wealth.column(price, own) in wealth.TABLE
    helpers = able[: few(chance, 2, 0.5)] if rolls else []
    return people, wealth.Purchase(buyer, price, helpers, weight_of(more)), more


def draw_purchase(chance: random.Random, trial: Trial) -> None:
    """STR-CORE-26 to 29, 20, 31."""
    people, position, more = some_purchase(chance, trial)
    buyer, price, helpers = position.buyer, position.price, position.helpers
    dice, decide = Dice(chance=chance), Decisions(chance=chance)
    made = wealth.buy(position, dice, decide)
    after = dict(people)
    if made.rolled:
        for one in (buyer, *helpers):
            after[one.name] = core.spend_banked(after[one.name], wealth.BUYING)
    if made.broke_the_bank:
        after[buyer.name] = core.take_cost(after[buyer.name], "broke")
        for one in helpers:
            after[one.name] = core.take_cost(after[one.name], "short")
    for number, name in enumerate(made.owing):
        if made.flaw_sure and name == buyer.name and number == 0:
            continue  # A Flaw, without a choice.
        kinds = ["short", "favor"] if made.flaw_sure and name == buyer.name else ["flaw", "short", "favor"]
        after[name] = core.take_cost(after[name], decide.take("cost", kinds))
    if any(one.banked for one in helpers):
        trial.under.add("STR-CORE-20 banked")
    if (made.rolled and made.result.outcome == "twist" and buyer.fallback) or made.fell_back:
        trial.under.add("STR-CORE-31")
    step = p.wealth_buy(buyer.name, price, [one.name for one in helpers], more)
    hold_purchase(trial, made, step.rolled(dice.fallen, decide.taken))
    for person in after.values():
        hold_person(trial, person)


def hold_purchase(trial: Trial, made: wealth.Bought, step: p.Step) -> None:
    if made.column == "impossible":
        trial.refused("two levels too expensive", step)
        return
    data = trial.play(step)
    trial.same("column", made.column, data["column"])
    trial.same("got", made.got, data["got"])
    if made.rolled is None:
        return
    trial.same("roll", made.rolled, Rolled(*p.mean(data["roll"])))
    trial.same("helpers", made.helpers, program_helpers(data["helpers"]))
    trial.same("total", made.total, data["total"])
    trial.same("outcome", made.result.outcome, data["outcome"])
    trial.same("bonus", made.result.bonus, data["bonus"])
    trial.same("costs", made.result.costs, data["costs"])
    trial.same("flaws", int(made.flaw_sure), data["flaws"])
    trial.same("broke the bank", made.broke_the_bank, data["broke_the_bank"])


def draw_pool(chance: random.Random, trial: Trial) -> None:
    """STR-CORE-28: some of the party and parcels of one level."""
    people = some_people(chance, trial, "", wealth_skill=True)
    level = chance.choice([0, 1, 1])
    for who in people:
        while wealth.effective(people[who]) > level and chance.random() < 0.9:
            trial.play(p.condition_add(who, "broke"))
            people[who] = core.take_cost(people[who], "broke")
    fitting = [one for one in people.values() if wealth.effective(one) == level]
    members = chance.sample(fitting, chance.randint(1, len(fitting))) if fitting else []
    parcels = [level] * chance.randint(0, 3)
    if not members or len(members) + len(parcels) not in (4, 5):
        raise NoTest
    holder = chance.choice(members).name
    for rank in parcels:
        trial.play(p.cash_add(holder, rank))
    price, more = chance.randint(0, 3), some_more(chance)
    pooled = wealth.pooled_wealth(members, parcels)
    helpers = []
    if chance.random() < 0.15:
        trial.under.add("STR-CORE-20 pool")
        helpers = [
            one
            for one in people.values()
            if one not in members and abs(wealth.effective(one) - level - 1) <= 1
        ]
    step = p.wealth_pool([one.name for one in members], parcels, price, [one.name for one in helpers], more)
    if pooled is None or wealth.column(price, pooled) not in wealth.TABLE:
        # Whether a pool may buy what needs no roll, the rules don't say.
        if pooled is None or wealth.column(price, pooled) == "impossible":
            trial.refused("no pool", step)
        return
    dice, decide = Dice(chance=chance), Decisions(chance=chance)
    position = wealth.Purchase(members[0], price, helpers, weight_of(more), tuple(members), pooled)
    made = wealth.buy(position, dice, decide)
    after = dict(people)
    for one in (members[0], *helpers):
        after[one.name] = core.spend_banked(one, wealth.BUYING)
    for one in members:
        if made.broke_the_bank:
            after[one.name] = core.take_cost(after[one.name], "broke")
        for number in range(made.result.costs):
            if made.flaw_sure and number == 0:
                continue
            kinds = ["short", "favor"] if made.flaw_sure else ["flaw", "short", "favor"]
            after[one.name] = core.take_cost(after[one.name], decide.take("cost", kinds))
    for one in helpers:
        if made.broke_the_bank:
            after[one.name] = core.take_cost(after[one.name], "short")
        if made.result.costs:
            after[one.name] = core.take_cost(after[one.name], decide.take("cost", ["flaw", "short", "favor"]))
    if (made.result.outcome == "twist" and members[0].fallback) or made.fell_back:
        trial.under.add("STR-CORE-31")
    hold_purchase(trial, made, step.rolled(dice.fallen, decide.taken))
    for person in after.values():
        hold_person(trial, person)
    held = trial.table.character(holder, "cash", [])
    trial.same("parcels left", [], held)
