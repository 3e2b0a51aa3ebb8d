"""Exact chances: all falls of the dice, played by the oracle, against `strike odds`, as fractions."""

from __future__ import annotations

import itertools
import os
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from support.thorough import few_of, some_of

from . import chase, conflict, core, draw_chase, draw_conflict, draw_core, draw_fight, fight, wealth
from . import program as p
from .core import Person, SkillRoll, Task, Weight
from .dice import Decisions, Dice, every_fall
from .expected import EXPECTED, EXPECTED_ODDS
from .trial import NoTest, Trial

THOROUGH = bool(os.environ.get("STRIKE_THOROUGH"))
TIMES = 20 if THOROUGH else 1
Odds = dict[tuple[Any, ...], Fraction]


def summed(falls: Iterable[tuple[Fraction, dict[str, Any]]]) -> Odds:
    """The chance of each outcome."""
    found: Odds = defaultdict(Fraction)
    for chance, outcome in falls:
        found[p.outcome_key(outcome)] += chance
    return dict(found)


def some(count: int, what: str) -> list[random.Random]:
    return [random.Random(f"odds of {what} {number}") for number in range(count * TIMES)]


# Without a campaign


def skill_outcome(made: core.SkillOutcome) -> dict[str, Any]:
    result = made.result
    return {
        "outcome": result.outcome, "bonus": result.bonus, "costs": result.costs, "can_learn": made.can_learn,
    }  # fmt: skip


def keep(question: str, options: list[str]) -> str:
    """Nobody uses anything up: no Fallback, no Complication, no bank broken."""
    return options[0] if question != "fallback" else "keep"


@pytest.mark.parametrize("chance", some(3, "a skill roll"))
def test_a_bare_skill_roll(chance: random.Random) -> None:
    """STR-CORE-03 to 06, 20."""
    skilled, more = chance.random() < 0.5, draw_core.some_more(chance)
    helpers = [(f"h{number}", chance.random() < 0.5) for number in range(chance.randint(0, 2))]
    typed = f"odds skill --{'' if skilled else 'un'}skilled{more.typed()}"
    typed += p.options("--help-from", p.helping_words(helpers))
    position = SkillRoll(
        Person(""), Task(), skilled, [(Person(name), good) for name, good in helpers],
        more=draw_core.weight_of(more),
    )  # fmt: skip
    falls = every_fall(lambda dice: skill_outcome(core.skill_roll(position, dice, Decisions(keep))))
    assert summed(falls) == p.odds(typed), typed


@pytest.mark.parametrize(
    "skilled", few_of([(both,) for both in itertools.product([True, False], repeat=2)], 2)
)
def test_a_bare_opposed_roll(skilled: tuple[bool, bool]) -> None:
    """STR-CORE-16: ours and theirs with all of Advantage and Disadvantage."""
    both = itertools.product([(0, 0), (1, 0), (0, 1), (2, 1)], repeat=2)
    for weights in some_of(both, first=sum(skilled)):
        mores = [p.More(*weight) for weight in weights]
        sides = [
            core.Side(Person(""), Task(), good, more=draw_core.weight_of(more))
            for good, more in zip(skilled, mores, strict=True)
        ]
        words = ["unskilled", "skilled"]
        typed = f"odds opposed --ours {words[skilled[0]]} --theirs {words[skilled[1]]}"
        typed += mores[0].typed("-ours") + mores[1].typed("-theirs")
        falls = every_fall(lambda dice, sides=sides: opposed_outcome((sides[0], sides[1]), dice))
        assert summed(falls) == p.odds(typed), typed


def opposed_outcome(sides: tuple[core.Side, core.Side], dice: Dice) -> dict[str, Any]:
    made = core.opposed_roll(sides, dice, Decisions(keep), (False, False))
    winner = {None: None, 0: "ours", 1: "theirs"}[made.winner]
    return {"winner": winner, "margin": made.margin, "complete": made.complete}


@pytest.mark.parametrize("chance", some(4, "a wealth roll"))
def test_a_bare_wealth_roll(chance: random.Random) -> None:
    """STR-CORE-27, 28."""
    own = chance.randint(0, 3)
    price, more = own + chance.choice([-1, 0, 1]), draw_core.some_more(chance)
    if not 0 <= price <= 4:
        price = own
    helpers = [chance.choice([max(0, own - 1), own, min(3, own + 1)]) for _ in range(chance.randint(0, 2))]
    typed = f"odds wealth --wealth {own} --price {price}{more.typed()}"
    typed += p.options("--help-from", (f"h{number}:{level}" for number, level in enumerate(helpers)))
    position = wealth.Purchase(
        Person("", wealth=own), price,
        [Person(f"h{place}", wealth=level) for place, level in enumerate(helpers)],
        draw_core.weight_of(more),
    )  # fmt: skip
    falls = every_fall(lambda dice: wealth_outcome(position, dice))
    assert summed(falls) == p.odds(typed), typed


def wealth_outcome(position: wealth.Purchase, dice: Dice) -> dict[str, Any]:
    made = wealth.buy(position, dice, Decisions(keep))
    return {
        "outcome": made.result.outcome, "bonus": made.result.bonus, "costs": made.result.costs,
        "flaws": int(made.flaw_sure),
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("chance", few_of(some(2, "a conflict's round"), 2))
def test_a_bare_round_of_a_conflict(chance: random.Random) -> None:
    """STR-TC-04, 05."""
    numbers = [(chance.randint(-2, 6), chance.randint(-2, 6)) for _ in range(2)]
    typed = f"odds conflict --ours={numbers[0][0]}/{numbers[0][1]} --theirs={numbers[1][0]}/{numbers[1][1]}"
    sides = (conflict.Side("ours", [], *numbers[0]), conflict.Side("theirs", [], *numbers[1]))
    falls = every_fall(lambda dice: conflict_outcome(sides, ([], []), dice))
    assert summed(falls) == p.odds(typed), typed


def conflict_outcome(
    sides: tuple[conflict.Side, conflict.Side],
    chosen: tuple[list[conflict.Chosen], list[conflict.Chosen]],
    dice: Dice,
    weigh: Callable[[str, str], str] = lambda who, condition: "advance",
) -> dict[str, Any]:
    told = conflict.play_round(deepcopy(sides), chosen, dice, Decisions(keep), weigh)
    return {"outcome": told.outcome, "hits": sorted(told.hits)}


@pytest.mark.parametrize("action", few_of(chase.ACTIONS, 2))
def test_a_bare_round_of_a_chase(action: str) -> None:
    """STR-CH-03 to 06: every prediction at every range and Danger Level, with and without Advantage."""
    choices = list(
        itertools.product(chase.ACTIONS, draw_chase.RANGES, (0, 1, 2), (False, True), (False, True))
    )
    chance = random.Random(f"odds of {action}")
    for predicted, where, danger, advantage, give_up in chance.sample(choices, min(len(choices), 12 * TIMES)):
        if not chase.possible(action, where) or (give_up and action != "risk"):
            continue
        position = chase.Round(action, predicted, where, danger, advantage)
        typed = f"odds chase --action {action} --predict {predicted} --range {where} --danger {danger}"
        typed += " --runners-adv" * advantage + " --give-up" * give_up
        decide = Decisions(lambda question, options, place=int(give_up): options[place])
        falls = every_fall(
            lambda dice, position=position, decide=decide: chase_outcome(position, dice, decide)
        )
        assert summed(falls) == p.odds(typed), typed


def chase_outcome(position: chase.Round, dice: Dice, decide: Decisions) -> dict[str, Any]:
    made = chase.play_round(position, dice, decide)
    close = "-close" if made.close_loser and "STR-CH-05" not in EXPECTED else ""
    return {"winner": made.winner, "range_after": made.where, "ended": made.ended and made.ended + close}


# Of characters and fights as they stand


def drawn(chance: random.Random, draw: Callable[[random.Random, Trial], Any]) -> tuple[Trial, Any]:
    """A position brought about, and not played."""
    while True:
        trial = Trial(p.Table(p.the_book()))
        try:
            return trial, draw(chance, trial)
        except NoTest:
            continue


def told(trial: Trial, tmp_path: Path, typed: str) -> Any:
    """What the command line says of it, when the position is typed in."""
    folder = tmp_path / f"typed-{len(list(tmp_path.iterdir()))}"
    return p.typed_in(folder, [*(step.line for step in trial.table.steps), typed])[-1]["data"]


@pytest.mark.parametrize("chance", few_of(some(4, "somebody's skill roll"), 2))
def test_a_skill_roll_of_somebody(chance: random.Random, tmp_path: Path) -> None:
    """STR-CORE-10 to 12, 22, 25: Conditions, Flaws, Favors and bonuses count."""
    trial, (_, position, typed) = drawn(
        chance, lambda *given: draw_core.some_skill_roll(*given, most_helpers=1)
    )
    typed.linked = ""
    if "known Skills" in EXPECTED_ODDS and position.task.skill in position.who.skills:
        typed.skilled = position.skilled = True
    line = typed.step().typed.replace("roll skill", "odds skill", 1)
    falls = every_fall(lambda dice: skill_outcome(core.skill_roll(position, dice, Decisions(keep))))
    assert summed(falls) == p.chances(told(trial, tmp_path, line)), trial.table.script() + "\n" + line


@pytest.mark.parametrize("chance", few_of(some(4, "somebody's purchase"), 2))
def test_a_purchase_of_somebody(chance: random.Random, tmp_path: Path) -> None:
    """STR-CORE-27 to 29."""

    def one_that_rolls(chance: random.Random, trial: Trial) -> tuple[wealth.Purchase, p.More]:
        _, position, more = draw_core.some_purchase(chance, trial)
        if wealth.column(position.price, wealth.effective(position.buyer)) not in wealth.TABLE:
            raise NoTest
        return position, more

    trial, (position, more) = drawn(chance, one_that_rolls)
    line = p.typed_like("odds", "wealth", position.buyer.name, position.price) + more.typed()
    line += p.options("--help-from", (one.name for one in position.helpers))
    falls = every_fall(lambda dice: wealth_outcome(position, dice))
    assert summed(falls) == p.chances(told(trial, tmp_path, line)), trial.table.script() + "\n" + line


PLANS: dict[str, Callable[[str, list[str]], str]] = {
    "keep": lambda question, options: options[0],
    "hit": lambda question, options: options[1] if question == "tokens on a miss" else options[0],
    "best": lambda question, options: options[-1],
}


@pytest.mark.parametrize("chance", few_of(some(4, "an attack"), 2))
def test_an_attack(chance: random.Random, tmp_path: Path) -> None:
    """STR-TAC-08 to 11, 20 to 25: one target, or several whose hits and damage are looked at one by one."""
    trial, (board, who, targets, power, more) = drawn(chance, one_attack)
    plan, glancing = chance.choice(list(PLANS)), chance.choice(["damage", "effect"])
    decide = Decisions(
        lambda question, options: (
            PLANS[plan](question, options)
            if question.startswith("tokens")
            else {"glancing": glancing}.get(question, "take")
        )
    )
    weight = draw_core.weight_of(more)
    falls = list(
        every_fall(lambda dice: fight.attack(deepcopy(board), who, targets, power, dice, decide, weight))
    )
    line = p.attack(who, targets, power.name, more).typed.replace("combat attack", "odds attack", 1)
    line += f" --tokens {plan} --glancing {glancing}"
    data, script = told(trial, tmp_path, line), trial.table.script() + "\nstrike " + line
    if len(targets) == 1:
        assert summed((chance, attack_outcome(made)) for chance, made in falls) == p.chances(data), script
    for target in targets:
        blows = [(chance, blow) for chance, made in falls for blow in made.blows if blow.target == target]
        hit = sum((chance for chance, blow in blows if blow.result != "miss"), Fraction(0))
        expected = sum((chance * blow.damage for chance, blow in blows), Fraction(0))
        out = sum((chance for chance, blow in blows if blow.out), Fraction(0))
        shown = data["targets"][target]
        assert (hit, expected, out) == tuple(
            Fraction(shown[key]) for key in ("hit", "expected_damage", "taken_out")
        ), script


def attack_outcome(made: fight.Attack) -> dict[str, Any]:
    [blow] = made.blows
    return {
        "result": blow.result, "damage": blow.damage, "effect": blow.effect, "strike": blow.strike,
        "tokens_spent": blow.spent, "taken_out": blow.out,
    }  # fmt: skip


def one_attack(
    chance: random.Random, trial: Trial
) -> tuple[fight.Board, str, list[str], fight.Power, p.More]:
    """An attack that may be made and grants no Opportunity, by a power that does no damage on a Miss."""
    who = chance.choice(draw_fight.EVERYBODY)
    board = draw_fight.some_board(chance, trial, chance.choice(draw_fight.BOARDS), who)
    if trial.table.house:
        raise NoTest
    names = [*draw_fight.sheet_of(who)["powers"], "core:melee-basic", "core:ranged-basic"]
    power = draw_fight.power_of(who, chance.choice(names))
    try:
        targets = draw_fight.some_targets(chance, board, board.fighters[who], power)
        if "several targets" in EXPECTED_ODDS and len(targets) > 1:
            raise NoTest
        more = draw_core.some_more(chance)
        made = fight.attack(
            deepcopy(board), who, targets, power, Dice(chance=chance), Decisions(chance=chance),
            draw_core.weight_of(more),
        )  # fmt: skip
    except (fight.UnclearError, fight.RefusedError):
        raise NoTest from None
    # Expected.py would have nothing to say of the rules here: these are other questions about the same
    # attack.
    if made.opportunities or power.on_miss or len(targets) > 2 or len(set(targets)) < len(targets):
        raise NoTest
    return board, who, targets, power, more


@pytest.mark.slow
@pytest.mark.parametrize("chance", some(1, "a round under way"))
def test_a_round_of_a_conflict_under_way(chance: random.Random, tmp_path: Path) -> None:
    """STR-TC-02 to 05, 15, 16: as everybody has chosen."""

    def one_round(chance: random.Random, trial: Trial) -> Any:
        scene = draw_conflict.some_conflict(chance, trial)
        if any(trait.endswith("Versatility") for side in scene.sides for trait in side.traits):
            raise NoTest  # Whose choice, to what end?
        minor = set(core.MINOR)
        if any(minor & set(one.conditions) for side in scene.sides for one in side.members) and not THOROUGH:
            raise NoTest  # Too many dice to count every day.
        chosen = (draw_conflict.choose_for(chance, scene, 0), draw_conflict.choose_for(chance, scene, 1))
        if not draw_conflict.choose(trial, scene, chosen):
            raise NoTest
        return scene, chosen

    trial, (scene, chosen) = drawn(chance, one_round)
    falls = every_fall(lambda dice: conflict_outcome(scene.sides, chosen, dice, scene.weigh))
    shown, counted = p.chances(told(trial, tmp_path, "odds conflict --gm")), summed(falls)
    if "Hits of actions" in EXPECTED_ODDS:
        shown, counted = without_hits(shown), without_hits(counted)
    assert counted == shown, trial.table.script()


def without_hits(odds: Odds) -> Odds:
    return summed((chance, {"outcome": dict(key)["outcome"]}) for key, chance in odds.items())


def test_fractions_add_up() -> None:
    """STR-CORE-04: Advantage once more, by counting."""
    kept = Counter(max(one, two) for one, two in itertools.product(range(1, 7), repeat=2))
    falls = every_fall(lambda dice: {"kept": core.roll(dice, Weight(3, 0, 0)).kept})
    assert summed(falls) == {(("kept", face),): Fraction(count, 36) for face, count in kept.items()}
