"""Random rounds of a chase, brought about in the program and held against the oracle."""

from __future__ import annotations

import random
from dataclasses import replace

from . import chase, core
from . import program as p
from .core import Person, Rolled
from .dice import Decisions, Dice
from .draw_core import KNOWN, UNKNOWN, hold_person, some_more, some_people, tags_of, tie_answers, weight_of
from .trial import NoTest, Trial

RANGES = ["close", "medium", "far"]


def draw_round(chance: random.Random, trial: Trial) -> None:
    """STR-CH-01 to 07: one round, from a start or after a Set Up."""
    people = some_people(chance, trial, "Nothing")
    party = list(people.values())
    chance.shuffle(party)
    runners, chasers = party[: chance.randint(1, 3)], party[3:]
    position = chase.Round(
        chance.choice(chase.ACTIONS), chance.choice(chase.ACTIONS), chance.choice(RANGES),
        danger=chance.choice([0, 0, 1, 2]), runners_advantage=chance.random() < 0.3,
        several=(len(runners), len(chasers)), players=(True, True),
    )  # fmt: skip
    position.runners_shoot, position.runner = some_shooters(chance, runners)
    position.chasers_shoot, position.chaser = some_shooters(chance, chasers)
    mores = (some_more(chance), some_more(chance))
    position.runners_more, position.chasers_more = weight_of(mores[0]), weight_of(mores[1])
    steps = [
        p.chase_start(
            [one.name for one in runners], [one.name for one in chasers], position.where, position.danger
        )
    ]
    if position.runners_advantage:
        steps.append(p.override("chase.runners_advantage", True))
    if not chase.possible(position.action, position.where):
        trial.play(*steps)
        trial.refused(f"{position.action} at {position.where}", p.chase_run(position.action))
        return
    steps += [p.chase_run(position.action), p.chase_predict(position.predicted)]
    for shooters, at in ((position.runners_shoot, "chasers"), (position.chasers_shoot, "runners")):
        steps += [p.chase_shoot(one.who.name, at, one.drives) for one in shooters]
    trial.play(*steps)
    named = position.action == "hide" and chance.random() < 0.3
    skills = [chance.choice([*KNOWN, *UNKNOWN]) for _ in range(2)] if named else []
    if named:
        position.hiding = (
            core.Task(skills[0], tags_of(skills[0], ())),
            core.Task(skills[1], tags_of(skills[1], ())),
        )
    dice, decide = Dice(chance=chance), Decisions(chance=chance)
    made = chase.play_round(position, dice, decide)
    if unsettled(position, made):
        raise NoTest
    if named or made.close_loser or (position.action == "hide" and decide.taken):
        trial.under.add("STR-CH-05")
    targets = who_is_hit(chance, made, runners, chasers)
    drivers = (position.runner, position.chaser)
    having = [(skill, skill in who.skills) for skill, who in zip(skills, drivers, strict=False)]
    roll = p.chase_roll((drivers[0].name, drivers[1].name), mores, having)
    after_risk, in_hiding = answers(chance, position, made, decide.taken)
    data = trial.play(roll.rolled(dice.fallen, [*after_risk, *targets.asked, *in_hiding]))
    hold_round(trial, position, made, data)
    options = 4 if made.close_loser else 0
    trial.same("loser's options", options, len(data.get("loser_options", [])))
    for person in party:
        after = core.take_cost(person, "injured") if person.name in targets.hit else person
        if made.broken_by is not None and person is drivers[made.broken_by]:
            after = replace(after, action_points=after.action_points + 1)
        won = made.winner and person is drivers[("runners", "chasers").index(made.winner)]
        if position.hiding and won and made.ended in ("hidden", "caught"):
            after = core.regain_confidence(after, position.task(drivers.index(person)), core.SUCCESS)
        hold_person(trial, after)


def answers(
    chance: random.Random, position: chase.Round, made: chase.ChaseOutcome, taken: list[str]
) -> tuple[list[str], list[str]]:
    """What the program is told: after a Risk; on a tie in a Hide, and by the loser of a close one."""
    if position.action != "hide":
        return taken, []
    sides = (core.Side(position.runner, chase.RIDING, True), core.Side(position.chaser, chase.RIDING, True))
    chosen = [chance.choice(["insecure", "costly", "cheap", "extra"])] if made.close_loser else []
    return [], tie_answers(sides, taken) + chosen


def some_shooters(chance: random.Random, side: list[Person]) -> tuple[list[chase.Shooter], Person]:
    """Who of a side shoots, and who drives."""
    driver = side[0]
    shooters = [chase.Shooter(one) for one in side[1:] if chance.random() < 0.4]
    if chance.random() < 0.2:
        shooters.append(chase.Shooter(driver, drives=True))
    return shooters, driver


def unsettled(position: chase.Round, made: chase.ChaseOutcome) -> bool:
    """What the rules leave open: a shot that brings a Risk that was survived down to a crash."""
    return position.action == "risk" and made.chasers is not None and made.runners.total <= 3


class Targets:
    """Whom each 6 takes out, and what the program is told where it asks."""

    def __init__(self) -> None:
        self.hit: list[str] = []
        self.asked: list[str] = []


def who_is_hit(
    chance: random.Random, made: chase.ChaseOutcome, runners: list[Person], chasers: list[Person]
) -> Targets:
    """A 6 takes one opponent out; where there are several somebody chooses."""
    targets = Targets()
    left = {"runners": [one.name for one in runners], "chasers": [one.name for one in chasers]}
    shooting = {one.name: "chasers" for one in runners} | {one.name: "runners" for one in chasers}
    for shot in made.shots:
        opponents = left[shooting[shot.name]]
        if not shot.hits or not opponents:
            continue
        name = chance.choice(opponents)
        if len(opponents) > 1:
            targets.asked.append(name)
        opponents.remove(name)
        targets.hit.append(name)
    return targets


def hold_round(trial: Trial, position: chase.Round, made: chase.ChaseOutcome, data: dict) -> None:  # type: ignore[type-arg]
    modifiers = chase.range_modifiers(position.action, position.where)
    runners = made.runners
    shown = Rolled(*p.mean(data["runners"]))
    if made.chasers is None:
        trial.same("chasers", None, data["chasers"])
        trial.same("runners", runners, shown)
    else:
        trial.same("runners", runners._replace(total=runners.total + modifiers[0]), shown)
        chasers = made.chasers._replace(total=made.chasers.total + modifiers[1])
        trial.same("chasers", chasers, Rolled(*p.mean(data["chasers"])))
    shots = [(shot["roll"]["who"], Rolled(*p.mean(shot["roll"])), shot["beats"]) for shot in data["shots"]]
    trial.same("shots", [(shot.name, shot.rolled, shot.slows) for shot in made.shots], shots)
    trial.same("crashed", list(made.crashed), data["crashed"])
    chose = {None: None, True: "give-up", False: "follow"}[made.gave_up]
    trial.same("after a Risk", chose, data["chasers_chose"])
    if any(out == there for out, there in zip(made.out, position.several, strict=True)):
        return  # Nobody is left on a side: what the round would have come to is no matter any more.
    trial.same("winner", made.winner, data["winner"])
    trial.same("range", made.where, data["range_after"])
    trial.same("advantage next", made.advantage_next, data["runners_advantage_next"])
    trial.same("ended", made.ended, data["ended"])
