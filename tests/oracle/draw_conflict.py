"""Random rounds of Team Conflicts, brought about in the program and held against the oracle."""

from __future__ import annotations

import random
from collections import Counter
from copy import deepcopy
from dataclasses import dataclass, field

from . import conflict, core
from . import program as p
from .conflict import Chosen, Side, Told
from .core import Person, Rolled
from .dice import Decisions, Dice
from .draw_core import SHEETS, few, some_condition
from .trial import NoTest, Trial

SKILL = "Climbing"
PLAIN_TRAITS = ["Old money", "Friends"]
TRAITS = [
    "Aggressive", "Defensive", "Versatility", "Superior Versatility", "Attrition", "Dangerous", "Crafty",
    "Superior Crafty", "Penetrating", "Superior Penetrating", "Ablating", "Draining", "Superior Draining",
    "Recovery", "Fortified", "Fated", "Final", "Costly", "Consequential", "Invulnerability",
    "Increasing Power", "Increasing Defense",
]  # fmt: skip
SHOWN = {"shaken": "shaken to the core", "lost-confidence": "lost confidence"}
TEAM_ACTIONS = [one for one in conflict.ACTIONS if one != "obscure"]
OPPOSITION_ACTIONS = [
    one for one in conflict.ACTIONS if one not in ("observe", "take-one-for-the-team", "pass")
]


@dataclass
class Conflict:
    """A Team Conflict under way, here and in the program."""

    sides: tuple[Side, Side]
    people: dict[str, Person]
    picks: dict[str, str] = field(default_factory=dict)
    default: str = "advance"
    single_tie: str = "push-or-draw"

    def weigh(self, who: str, condition: str) -> str:
        return self.picks.get(condition, self.default)


def draw_rounds(chance: random.Random, trial: Trial) -> None:
    """STR-TC-02 to 09, 11, 13, 15, 16: up to three rounds, and the end where it comes."""
    single_tie = "push-or-draw"
    if chance.random() < 0.15:
        single_tie = chance.choice(["tie-is-success", "tie-is-failure"])
        trial.under_house(conflict_single_tie=single_tie)
    scene = some_conflict(chance, trial)
    scene.single_tie = single_tie
    for _ in range(chance.choice([1, 1, 2, 3])):
        if chance.random() < 0.05 and not scene.sides[1].members:
            give_in(chance, trial, scene)
            return
        scout(chance, trial, scene)
        told = play(chance, trial, scene)
        if told is None or trial.wrong:
            return
        if told.ended:
            end(chance, trial, scene, told)
            return


def some_conflict(chance: random.Random, trial: Trial) -> Conflict:
    """Teams, numbers, traits, Conditions and Strikes."""
    people = {
        who: Person(
            who,
            frozenset(sheet["skills"]),
            complications=tuple(sheet["complications"]),
            action_points=sheet["ap"],
        )
        for who, sheet in SHEETS.items()
    }
    for who in people:
        for _ in range(few(chance, 2, 0.75)):
            people[who] = some_condition(chance, trial, people[who])
    names = chance.sample(list(people), 4)
    both = chance.random() < 0.2
    ours, theirs = (names[:2], names[2:]) if both else (names[: chance.randint(2, 4)], [])
    numbers = (0, 0) if both else (chance.randint(0, 4), chance.randint(0, 4))
    traits = some_traits(chance)
    sides = (
        Side("ours", [people[who] for who in ours], traits=traits[0]),
        Side("theirs", [people[who] for who in theirs], *numbers, traits=traits[1]),
    )
    trial.play(p.conflict_start(ours, theirs, numbers, (list(traits[0]), list(traits[1]))))
    for side in sides:
        side.strikes = few(chance, 5, 0.4)
        side.irremovable = chance.randint(0, side.strikes) if chance.random() < 0.2 else 0
        for key in ("strikes", "irremovable"):
            if getattr(side, key):
                trial.play(p.override(f"conflict.{side.name}.{key}", getattr(side, key)))
    return Conflict(sides, people)


def some_traits(chance: random.Random) -> tuple[list[str], list[str]]:
    """None, or a few that do something and such as only take a Hit."""
    made = []
    for plain in PLAIN_TRAITS:
        names = chance.sample(TRAITS, few(chance, 3, 0.5))
        made.append(names + [plain] * (chance.random() < 0.3))
    if any(one in made[0] and one in made[1] for one in ("Ablating", "Draining")):
        raise NoTest  # Which side's choice came first would matter, and the rules don't say.
    if any("Superior Draining" in side and {"Draining", "Ablating"} & set(side) for side in made):
        raise NoTest  # Nor whether anything comes as well as what comes instead of a Hit's effect.
    return made[0], made[1]


def scout(chance: random.Random, trial: Trial, scene: Conflict) -> None:
    """STR-TC-02, Observe: dice of the enemy's that fall before the round."""
    for side, enemy in (scene.sides, scene.sides[::-1]):
        if any(enemy_member.conditions for enemy_member in enemy.members):
            continue  # A scouted die with Disadvantage: the rules don't say when the second one falls.
        for which in chance.sample(["advance", "defense"], chance.randint(0, side.may_scout)):
            face = chance.randint(1, 6)
            enemy.scouted[which] = face
            trial.play(p.conflict_scout(which, side.name).rolled([face]))


def play(chance: random.Random, trial: Trial, scene: Conflict) -> Told | None:
    """A round: chosen, rolled, Hits decided, all of it compared. None where a choice was refused."""
    chosen = (choose_for(chance, scene, 0), choose_for(chance, scene, 1))
    if not choose(trial, scene, chosen):
        return None
    scene.default = chance.choice(["advance", "defense"])
    held = sorted({condition for person in scene.people.values() for condition in person.conditions})
    scene.picks = {
        one: chance.choice(["advance", "defense"])
        for one in held
        if one not in core.WEALTH and chance.random() < 0.4 and burdens(scene, one)
    }
    before = deepcopy(scene.sides)
    asked: list[tuple[str, str]] = []
    dice = Dice(chance=chance)
    decide = Decisions(plan=lambda question, options: note(asked, question, chance.choice(options)))
    told = conflict.play_round(scene.sides, chosen, dice, decide, scene.weigh, scene.single_tie)
    if unsettled(before, scene.sides, told):
        raise NoTest
    if brings_back(before, chosen):
        regained = any(one.recover in side.lost for side, one in both_chosen(before, chosen))
        if told.hits or regained:
            trial.under.add("STR-TC-07")
        if told.ended and any(side.has("Costly") for side in before):
            trial.under.add("STR-TC-07 Costly")
    picks = [(SHOWN.get(name, name), which) for name, which in scene.picks.items()]
    roll = p.conflict_roll(picks, scene.default)
    answers = [answer for question, answer in asked if question.startswith("versatile")]
    data = trial.play(roll.rolled(dice.fallen, answers))
    for question, answer in asked:
        if question.startswith("hit"):
            trial.play(p.conflict_hit(question.split()[1], answer))
    hold(trial, scene, told, data)
    return told


def burdens(scene: Conflict, condition: str) -> bool:
    """Whether somebody in the conflict has it."""
    return any(condition in one.conditions for side in scene.sides for one in side.members)


def note(asked: list[tuple[str, str]], question: str, answer: str) -> str:
    asked.append((question, answer))
    return answer


def choose_for(chance: random.Random, scene: Conflict, place: int) -> list[Chosen]:
    """What a side does."""
    side = scene.sides[place]
    if not side.members:
        return [some_choice(chance, side, "", OPPOSITION_ACTIONS)]
    actions = list(conflict.ACTIONS) if scene.sides[1].members else TEAM_ACTIONS
    return [some_choice(chance, side, one.name, actions) for one in side.members]


def some_choice(chance: random.Random, side: Side, who: str, actions: list[str]) -> Chosen:
    if who and chance.random() < 0.05:
        return Chosen(who, "", secondary=chance.choice(["advance", "defense"]))
    action = chance.choice([*actions, "recover", "calculated-risk", "targeted-effort"])
    # "Friends" and the like can be regained when they are lost.
    return Chosen(
        who, action, chance.choice(["strike", "none", *side.lost]), chance.choice(["advance", "defense"])
    )


def choose(trial: Trial, scene: Conflict, chosen: tuple[list[Chosen], list[Chosen]]) -> bool:
    """What everybody does, typed, until somebody may not: that is refused."""
    for side, choices, enemy in zip(scene.sides, chosen, scene.sides[::-1], strict=True):
        for number, one in enumerate(choices, start=1):
            step = act(side, one)
            if not conflict.legal(choices[:number], side, enemy):
                trial.refused(f"{one.action} of {one.who or 'the opposition'}", step)
                return False
            trial.play(step)
    return True


def act(side: Side, one: Chosen) -> p.Step:
    """The choice, to be typed."""
    recover = one.recover if one.action == "recover" else ""
    next_roll = one.next_roll if one.action == "obscure" else ""
    if not side.members:
        return p.conflict_oppose(one.action, recover, next_roll)
    if not one.secondary:
        skill = "" if conflict.ACTIONS[one.action].basic else SKILL
        return p.conflict_act(one.who, one.action, skill, recover, next_roll)
    [person] = [member for member in side.members if member.name == one.who]
    if person.conditions:
        raise NoTest  # Other tests are about what bears on a Skill Roll.
    return p.conflict_secondary(one.who, one.secondary, SKILL).rolled([5])


def unsettled(before: tuple[Side, Side], after: tuple[Side, Side], told: Told) -> bool:
    """What the rules leave open."""
    hit_both = len(set(told.hits)) == 2
    for side, then in zip(before, after, strict=True):
        gone = set(side.traits) - set(then.traits)
        # A trait that acts at the round's end or on Hits, and is lost by a Hit of the same round.
        if gone & {"Recovery", "Final", "Increasing Power", "Increasing Defense", "Costly", "Consequential"}:
            return True
        # Both are hit at once: whose Hit comes first, where that matters.
        if hit_both and (
            gone & {"Ablating", "Fortified"} or {"Draining", "Superior Draining"} & set(side.traits)
        ):
            return True
    return False


def both_chosen(
    sides: tuple[Side, Side], chosen: tuple[list[Chosen], list[Chosen]]
) -> list[tuple[Side, Chosen]]:
    return [(side, one) for side, choices in zip(sides, chosen, strict=True) for one in choices]


def brings_back(before: tuple[Side, Side], chosen: tuple[list[Chosen], list[Chosen]]) -> bool:
    """Whether anything is brought back in this round."""
    recovers = any(one.action == "recover" for choices in chosen for one in choices)
    takes = any(one.action == "win-at-all-costs" for one in chosen[1])
    return recovers or takes or any(side.has("Recovery") for side in before)


def hold(trial: Trial, scene: Conflict, told: Told, data: dict) -> None:  # type: ignore[type-arg]
    for place, side in enumerate(("ours", "theirs")):
        for number, which in enumerate(("advance", "defense")):
            rolled, shown = told.rolled[place][number], Rolled(*p.mean(data[side][f"{which}_roll"]))
            trial.same(f"{side} {which} dice", rolled[:3], shown[:3])
            trial.same(f"{side} {which}", told.totals[place][number], data[side][which])
        trial.same(f"{side} compared", told.comparison[place], data["comparison"][side])
        trial.same(f"{side} counts as", told.counted[place], data["counts_as"][side])
    trial.same("outcome", told.outcome, data["outcome"])
    trial.same("hits", Counter(told.hits), Counter(data["hits"]))
    trial.same("ended", told.ended, data["ended"])
    trial.same("event", told.event, (data["double_tie"] or {"event": ""})["event"])
    for side in scene.sides:
        hold_side(trial, side)


def hold_side(trial: Trial, side: Side) -> None:
    at = f"conflict.{side.name}"
    trial.same(f"{side.name} Strikes", side.strikes, trial.table.get(f"{at}.strikes", 0))
    trial.same(f"{side.name} irremovable", side.irremovable, trial.table.get(f"{at}.irremovable", 0))
    trial.same(f"{side.name} traits", sorted(side.traits), sorted(trial.table.get(f"{at}.traits", [])))
    trial.same(f"{side.name} may scout", side.may_scout, trial.table.get(f"{at}.scouts", 0))


CONDITION = {"minor": "angry", "major": "injured"}


def end(chance: random.Random, trial: Trial, scene: Conflict, told: Told) -> None:
    """STR-TC-09: the aftermath, and what Conditions come of it."""
    after = told.aftermath
    assert after is not None
    members = {side.name: [one.name for one in side.members] for side in scene.sides}
    severity = {
        who: found for side, found in after.conditions.items() if found != "none" for who in members[side]
    }
    step = p.conflict_end({who: CONDITION[found] for who, found in severity.items()})
    data = trial.play(
        step.rolled([], [chance.choice(["insecure", "costly", "cheap", "extra"])] if after.options else [])
    )
    trial.same("severity", severity, data["conditions"])
    trial.same("Concessions", sorted(after.concessions), sorted(data["concessions"]))
    trial.same("personal Concessions", after.personal, set(data["personal"]))
    trial.same("loser's options", 4 if after.options else 0, len(data["loser_options"]))
    for who, person in scene.people.items():
        if who in severity:
            person = core.take_cost(person, CONDITION[severity[who]])
        trial.same(f"conditions of {who}", sorted(person.conditions), trial.table.conditions(who))


def give_in(chance: random.Random, trial: Trial, scene: Conflict) -> None:
    """STR-TC-11: a Concession, explained by a Complication or not."""
    ours = scene.sides[0]
    explaining = chance.sample(ours.members, few(chance, 2, 0.3))
    step = p.conflict_concede([(one.name, one.complications[0]) for one in explaining])
    if len(explaining) > 1:
        trial.under.add("STR-TC-11")
        trial.refused("two Complications for a Concession", step)
        return
    conceded = conflict.concede(ours, [one.name for one in explaining])
    data = trial.play(step)
    trial.same("Strikes", conceded.strikes, data["strikes"]["ours"])
    for person in ours.members:
        gained = person.name == conceded.earns
        ap = trial.table.character(person.name, "ap", SHEETS[person.name]["ap"])
        trial.same(f"AP of {person.name}", person.action_points + gained, ap)
    condition = {"none": {}}.get(conceded.condition, {one.name: conceded.condition for one in ours.members})
    trial.same("conditions", condition, data["aftermath"]["conditions"])
