"""`odds attack` against an enumeration of its own: the table of STR-TAC-09, written out once more here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from support.cli import Strike
from support.game import Game, book_with

from strike_cli.kernel.procedure import Choose
from strike_cli.problems import Refused
from strike_cli.systems.combat.bots.outcome_forecast import (
    GLANCING,
    OPPORTUNITIES,
    TOKENS,
    AttackLine,
    ChoicePolicy,
    attack_odds,
)
from strike_cli.systems.combat.powers.power_use import UsePower

TABLE = {
    6: ("critical", 2),
    5: ("solid", 1),
    4: ("solid", 1),
    3: ("glancing", 1),
    2: ("miss", 0),
    1: ("miss", 0),
}
DOUBLE_TAP = "powers.double-tap = { range = 5, targets = 2, repeats = true, damage = 1 }"
ATTACK: dict[str, Any] = {"power": "core:melee-basic", "adv": [], "dis": [], "mods": []}


def odds(
    game: Game, who: str, *targets: str, plan: ChoicePolicy | None = None, **more: Any
) -> dict[Any, Fraction]:
    args = {"who": who, "targets": list(targets), **ATTACK, **more}
    return attack_odds(game.world, UsePower.read(args), plan or ChoicePolicy())


def enumerated(
    printed: int,
    hp: int,
    *,
    keep: Callable[[Sequence[int]], int] | None = None,
    modifier: int = 0,
    tokens: int = 0,
    spend: str = "hit",
    effect: bool = False,
    glancing: str = "damage",
    guarded: bool = False,
    weakened: bool = False,
) -> dict[Any, Fraction]:
    """Every fall of one die, or two of which one is kept, worked out by hand."""
    found: Counter[Any] = Counter()
    falls = list(product(range(1, 7), repeat=2 if keep else 1))
    for faces in falls:
        natural = min(max((keep or max)(faces) + modifier, 1), 6)

        def after(spent: int, natural: int = natural) -> int:
            die = natural
            for number in range(spent):
                die = 3 if die == 1 and number == 0 else min(die + 1, 6)
            return {6: 5, 4: 3}.get(die, die) if guarded else die

        results = {spent: TABLE[after(spent)][0] for spent in range(tokens + 1)}
        rank = ["miss", "glancing", "solid", "critical"].index
        spent = 0
        if spend == "best":
            spent = max(results, key=lambda count: (rank(results[count]), -count))
        elif spend == "hit" and results[0] == "miss":
            hits = [count for count, result in results.items() if result != "miss"]
            spent = hits[0] if hits else 0
        result, times = TABLE[after(spent)]
        damage, does = printed * times, result in ("critical", "solid") and effect
        if result == "glancing" and effect and glancing == "effect":
            damage, does = 0, True
        damage = damage // 2 if weakened else damage
        line = AttackLine(result, damage, does, natural == 1, spent, damage >= hp)
        found[(line,)] += 1
    return {key: Fraction(count, len(falls)) for key, count in found.items()}


@pytest.fixture
def duel(game: Game) -> Game:
    """Vex (melee 3) next to a Goblin of 4 HP, in Vex's turn."""
    return game.draw("....", ".Vg.", "....").begin("vex")


def test_a_plain_attack(duel: Game) -> None:
    """STR-TAC-09."""
    assert odds(duel, "vex", "goblin") == enumerated(3, 4)


def test_two_dice(duel: Game) -> None:
    """STR-TAC-20."""
    assert odds(duel, "vex", "goblin", adv=["a word"]) == enumerated(3, 4, keep=max)
    assert odds(duel, "vex", "goblin", dis=["a word"]) == enumerated(3, 4, keep=min)


@pytest.mark.parametrize("guarded", [False, True])
def test_miss_tokens_and_guarded(duel: Game, guarded: bool) -> None:
    """STR-TAC-10 and 11, under each plan for the tokens."""
    if guarded:
        duel.afflict("goblin", "guarded")
    for tokens, spend in product(range(4), ("keep", "hit", "best")):
        duel.put("vex", miss_tokens=tokens)
        found = odds(duel, "vex", "goblin", plan=ChoicePolicy(tokens=spend))
        assert found == enumerated(3, 4, tokens=tokens, spend=spend, guarded=guarded), (tokens, spend)


def test_effect_modifier_and_weakened(duel: Game) -> None:
    duel.afflict("vex", "weakened")
    for glancing, modifier in product(("damage", "effect"), (-2, 0, 1)):
        mods, plan = [[modifier, "x"]] if modifier else [], ChoicePolicy(glancing=glancing)
        found = odds(duel, "vex", "goblin", power="trip", mods=mods, plan=plan)
        expected = enumerated(3, 4, modifier=modifier, effect=True, glancing=glancing, weakened=True)
        assert found == expected, (glancing, modifier)


def test_several_targets_are_rolled_for_one_by_one(game: Game) -> None:
    """STR-TAC-10: a roll for each; together they are what each is by itself."""
    game.draw("....", "gVg.", "....").begin("vex")
    found = odds(game, "vex", "goblin-1", "goblin-2", power="trip")
    one, other = (odds(game, "vex", target, power="trip") for target in ("goblin-1", "goblin-2"))
    assert found == {(*a, *b): p * q for (a, p), (b, q) in product(one.items(), other.items())}


def test_opportunities_are_taken_or_passed(game: Game) -> None:
    """STR-TAC-08: who shoots beside a player falls to the Opportunity, unless that one lets it pass; a plan
    that says nothing takes it."""
    game.draw("gV..B").begin("goblin").put("goblin", hp=1)
    for plan, falls in (
        (ChoicePolicy(opportunities="take"), 1),
        (ChoicePolicy(opportunities="pass"), 0),
        (ChoicePolicy(), 1),
    ):
        found = odds(game, "goblin", "brann", power="core:ranged-basic", plan=plan)
        assert found.get((None,), 0) == falls


def test_a_target_that_is_named_twice_is_rolled_for_twice() -> None:
    """STR-TAC-10, STR-TAC-12: two rolls of 2/3 each hit twice, once, never with 4/9, 4/9, 1/9."""
    game = Game(book_with(DOUBLE_TAP, "vex")).draw("V.p").begin("vex")
    found = odds(game, "vex", "post", "post", power="double-tap")
    hits: Counter[int] = Counter()
    for lines, chance in found.items():
        hits[sum(line.result != "miss" for line in lines)] += chance
    assert hits == {2: Fraction(4, 9), 1: Fraction(4, 9), 0: Fraction(1, 9)}


def test_a_roll_after_the_target_fell_does_not_come() -> None:
    """STR-TAC-10, STR-TAC-15."""
    game = Game(book_with(DOUBLE_TAP, "vex")).draw("V.g").begin("vex").put("goblin", hp=1)
    found = odds(game, "vex", "goblin", "goblin", power="double-tap")
    assert sum(chance for (_, second), chance in found.items() if second is None) == Fraction(2, 3)


def test_damage_of_steps_counts(duel: Game) -> None:
    """STR-TAC-09, STR-TAC-12: a glancing hit with its Effect, which is damage, too."""
    found = odds(duel, "vex", "goblin", power="scold", plan=ChoicePolicy(glancing="effect"))
    damage = {line.result: line.damage for (line,) in found}
    assert damage == {"critical": 4, "solid": 3, "glancing": 2, "miss": 0}


def test_a_miss_token_is_spent_once_of_several_targets(fight: Strike) -> None:
    """STR-TAC-10: what the first roll takes the second lacks; so each target's odds add up to the whole's."""
    fight("combat token vex")
    data = fight.json("odds attack vex goblin-1 goblin-2 --power trip --tokens hit")["data"]
    joint = sum(row["damage"] * Fraction(row["probability"]) for row in data["outcomes"])
    each = {target: Fraction(item["expected_damage"]) for target, item in data["targets"].items()}
    assert sum(each.values()) == joint
    first, second = (Fraction(data["targets"][target]["hit"]) for target in each)
    # With a token a roll always hits; for the second it is there where the first didn't miss.
    assert (first, second) == (1, Fraction(2, 3) + Fraction(1, 3) * Fraction(2, 3))


def test_a_plan_reads_no_labels() -> None:
    """STR-TAC-10: how a plan spends tokens hangs on what each number of them comes to."""
    question = Choose("vex", "miss tokens", ("0", "1", "2"), ("a miss", "", ""), kind="tokens")
    assert ChoicePolicy()(question.but(outcomes=("miss", "glancing", "solid"))) == "1"
    assert ChoicePolicy()(question.but(outcomes=("glancing", "solid", "critical"))) == "0"
    assert ChoicePolicy(opportunities="pass")(Choose("vex", "attack whom", ("goblin", "pass"))) == "goblin"


def test_an_area_without_names_is_all_in_it(fight: Strike) -> None:
    """STR-TAC-12."""
    assert set(fight.json("odds attack vex --power blast")["data"]["targets"]) >= {"goblin-1", "goblin-2"}


def test_it_is_looked_at_as_in_the_attackers_turn(duel: Game) -> None:
    before = duel.state
    assert sum(odds(duel, "goblin", "vex").values()) == 1
    assert duel.state is before


def test_what_would_be_refused_has_no_odds(game: Game) -> None:
    game.draw("V...g").begin("vex")
    with pytest.raises(Refused, match="4 squares away"):
        odds(game, "vex", "goblin")


def test_odds_attack_by_command(fight: Strike) -> None:
    data = fight.json("odds attack vex goblin-1 --tokens best")["data"]
    assert sum(Fraction(row["probability"]) for row in data["outcomes"]) == 1
    assert set(data["targets"]) == {"goblin-1"}
    assert data["of"]["plan"]["tokens"] == "best"
    assert "Vex" in fight("odds attack goblin-1 vex").out
    for option, words in {"glancing": GLANCING, "tokens": TOKENS, "opportunities": OPPORTUNITIES}.items():
        assert f"--{option}" in fight(f"odds attack vex goblin-1 --{option} some", 2).err
        for word in words:
            plan = fight.json(f"odds attack vex goblin-1 --{option} {word}")["data"]["of"]["plan"]
            assert plan == {"glancing": "damage", "tokens": "hit", "opportunities": "take", option: word}
    assert {*GLANCING} == {"damage", "effect"}
    assert {*OPPORTUNITIES} == {"take", "pass"}


def test_odds_before_initiative_are_those_of_the_first_round(game: Game) -> None:
    """STR-TAC-20: what weighs on the first round does, and on no later one."""
    game.draw("V.g")
    game.set("characters.vex.conditions", ["core:exhausted"])
    shot = UsePower(who="vex", targets=["goblin"], power="core:ranged-basic")
    first = attack_odds(game.world, shot)
    game.begin("vex")
    assert attack_odds(game.world, shot) == first
    game.set("fight.round", 2)
    assert attack_odds(game.world, shot) != first
