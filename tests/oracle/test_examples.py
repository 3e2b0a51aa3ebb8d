"""The oracle itself, held against the worked examples of the rules."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from .chase import Round
from .chase import play_round as chase_round
from .conflict import Chosen, Side, concede, concessions_for, condition_for
from .conflict import play_round as conflict_round
from .core import Person, SkillRoll, Task, Weight, opposed_roll, skill_roll, take_cost
from .core import Side as Roller
from .dice import Decisions, Dice, every_fall
from .fight import (
    Blow,
    Board,
    Fighter,
    Power,
    UnclearError,
    attack,
    concealed,
    covered,
    flanked,
    hurt,
    walled_off,
    with_tokens,
)
from .wealth import Purchase, buy, column, pooled_wealth

NOBODY = Decisions(plan=lambda question, options: options[0])
ANA, BEN, CAS = Person("ana"), Person("ben"), Person("cas")


def skill(*faces: int, skilled: bool, weight: tuple[int, int, int] = (0, 0, 0), helpers: int = 0) -> tuple:  # type: ignore[type-arg]
    helping = [(one, True) for one in (BEN, CAS)[:helpers]]
    made = skill_roll(
        SkillRoll(ANA, Task("Climbing"), skilled, helping, more=Weight(*weight)), Dice(faces), NOBODY
    )
    return made.result.outcome, made.result.bonus, made.result.costs, made.can_learn, made.owing


@pytest.mark.parametrize(
    ("faces", "skilled", "weight", "outcome", "bonus", "costs", "learn"),
    [
        ((3,), True, (0, 0, 0), "success", False, 1, False),
        ((3,), False, (0, 0, 0), "twist", False, 0, False),
        ((4,), False, (0, 0, 0), "success", False, 1, False),
        ((4,), True, (5, 1, 0), "success", False, 0, False),
        ((6, 4), False, (1, 0, 0), "success", True, 0, False),
        ((6, 5), False, (1, 0, 0), "success", True, 0, True),
        ((6, 5), False, (0, 1, 0), "success", False, 0, True),
        ((6,), True, (0, 0, -1), "success", False, 0, False),
        ((1,), True, (0, 0, -2), "twist", False, 1, False),
        ((6,), False, (0, 0, 0), "success", True, 0, True),
    ],
)
def test_a_skill_roll_reads_its_table(
    faces: tuple[int, ...], skilled: bool, weight: tuple[int, int, int], outcome: str, bonus: bool,
    costs: int, learn: bool,
) -> None:  # fmt: skip
    """STR-CORE-03 to 06: examples 1, 2, 3, 8."""
    assert skill(*faces, skilled=skilled, weight=weight)[:4] == (outcome, bonus, costs, learn)


def test_helping_goes_from_the_lowest() -> None:
    """STR-CORE-20: examples 5 and 7."""
    helped = skill_roll(
        SkillRoll(ANA, Task("Climbing"), True, [(BEN, True), (CAS, True)]), Dice((2, 5, 3)), NOBODY
    )
    assert (helped.total, [one.added for one in helped.helpers]) == (4, [1, 1])
    assert skill(2, 3, skilled=True, helpers=1)[4] == ["ana", "ben"]


def test_learning_with_two_dice_is_half_as_likely() -> None:
    """STR-CORE-06: 3/36."""
    for weight in ((1, 0, 0), (0, 1, 0)):
        falls = every_fall(
            lambda dice, weight=weight: skill_roll(
                SkillRoll(ANA, Task("Climbing"), False, more=Weight(*weight)), dice, NOBODY
            )
        )
        assert sum(chance for chance, made in falls if made.can_learn) == Fraction(1, 12)


@pytest.mark.parametrize(
    ("faces", "winner", "complete", "chooses"),
    [((6, 3), 0, True, False), ((5, 3), 0, False, True), ((4, 4), 1, False, True)],
)
def test_an_opposed_roll(faces: tuple[int, ...], winner: int, complete: bool, chooses: bool) -> None:
    """STR-CORE-16, 17: example 9; the tie is broken by the first side."""
    breaker = Decisions(plan=lambda question, options: options[1])
    sides = (
        Roller(Person("ana", complications=("Proud",)), Task("Chess"), True),
        Roller(BEN, Task("Chess"), True),
    )
    made = opposed_roll(sides, Dice(faces), breaker, (True, True))
    assert (made.winner, made.complete, made.loser_chooses) == (winner, complete, chooses)


def test_conditions_grow_worse() -> None:
    """STR-CORE-12: example 12."""
    person = ANA
    for _ in range(3):
        person = take_cost(person, "winded")
    assert person.conditions == ("exhausted",)


@pytest.mark.parametrize(
    ("price", "face", "outcome", "costs", "flaw"),
    [
        (2, 4, "success", 1, False),
        (1, 1, "success", 2, True),
        (3, 3, "twist", 0, False),
        (3, 1, "twist", 1, True),
    ],
)
def test_buying(price: int, face: int, outcome: str, costs: int, flaw: bool) -> None:
    """STR-CORE-27: example 13, for Wealth 2."""
    made = buy(Purchase(Person("sela", wealth=2), price), Dice((face,)), NOBODY)
    assert (made.result.outcome, made.result.costs, made.flaw_sure) == (outcome, costs, flaw)


def test_pools_and_columns() -> None:
    """STR-CORE-27, 28: examples 13 and 15."""
    assert column(4, 2) == "impossible"
    assert pooled_wealth([ANA, BEN, CAS], [1, 1]) == 2
    assert pooled_wealth([ANA, BEN], [1, 1, 1]) is None


def round_of(ours: list[str], theirs: str, *faces: int, numbers: tuple[int, int] = (3, 3)) -> tuple:  # type: ignore[type-arg]
    sides = (
        Side("ours", [Person(str(place)) for place in range(4)]),
        Side("theirs", advance=numbers[0], defense=numbers[1]),
    )
    chosen = ([Chosen(str(place), one) for place, one in enumerate(ours)], [Chosen("", theirs)])
    told = conflict_round(sides, chosen, Dice(faces), NOBODY)
    return told, sides


def test_a_conflict_draws_with_a_calculated_risk() -> None:
    """STR-TC-02 to 05: example 18."""
    told, (ours, _) = round_of(
        ["progress", "block", "calculated-risk", "observe"], "total-defense", 4, 2, 3, 5
    )
    assert told.bonuses == ((6, 3), (2, 6))
    assert told.comparison == ("lose", "tie")
    assert (told.outcome, told.hits, ours.strikes, ours.may_scout) == ("draw", ["ours"], 1, 1)


def test_a_conflict_pushes_for_one_side() -> None:
    """STR-TC-05: example 19."""
    told, (_, theirs) = round_of(["progress", "block", "calculated-risk", "observe"], "progress", 5, 3, 1, 6)
    assert (told.comparison, told.outcome, theirs.strikes) == (("win", "tie"), "push", 1)


def test_a_conflict_is_won() -> None:
    """STR-TC-05: example 22."""
    told, _ = round_of(
        ["progress", "block", "calculated-risk", "observe"], "pass", 5, 3, 2, 3, numbers=(2, 6)
    )
    assert (told.comparison, told.outcome) == (("win", "lose"), "win")


def test_the_aftermath_goes_by_strikes() -> None:
    """STR-TC-09, 11: examples 24 and 26."""
    assert (condition_for(5), concessions_for(5)) == ("major", ["major", "minor"])
    assert (condition_for(2), concessions_for(2)) == ("minor", ["minor"])
    assert (condition_for(1), concessions_for(1)) == ("none", ["minor"])
    assert concede(Side("ours", strikes=4), ["ana"])[:2] == (2, "minor")


@pytest.mark.parametrize(
    ("action", "predicted", "where", "faces", "winner", "after"),
    [
        ("flee", "hide", "medium", (4, 5, 3), "runners", "far"),
        ("set-up", "set-up", "far", (3, 2, 5), "chasers", "medium"),
        ("flee", "risk", "close", (3, 4), None, "close"),
        ("double-back", "risk", "close", (3, 4), "chasers", "caught"),
    ],
)
def test_a_chase_round(
    action: str, predicted: str, where: str, faces: tuple[int, ...], winner: str | None, after: str
) -> None:
    """STR-CH-03 to 05: examples 28, 29, 31."""
    made = chase_round(Round(action, predicted, where), Dice(faces), NOBODY)
    assert (made.winner, made.where) == (winner, after)


def test_a_risk_and_a_hiding() -> None:
    """STR-CH-05: examples 32 and 34."""
    gives_up = Decisions(plan=lambda question, options: options[-1])
    assert chase_round(Round("risk", "flee", "close"), Dice((5,)), gives_up).where == "far"
    assert chase_round(Round("risk", "flee", "medium"), Dice((5,)), gives_up).ended == "escaped"
    assert chase_round(Round("hide", "risk", "far"), Dice((3, 4)), NOBODY).ended == "pinned"


def one_blow(face: int, weakened: bool = False, tokens: int = 0, spend: str = "0") -> tuple[Blow, Fighter]:
    ana = Fighter("ana", "party", (0, 0), player=True, tokens=tokens)
    ana.statuses |= {"weakened"} if weakened else set()
    board = Board(4, 4, {"ana": ana, "rat": Fighter("rat", "enemies", (1, 0))})
    choose = Decisions(plan=lambda question, options: spend if question.startswith("tokens") else "damage")
    power = Power("cut", "melee", 1, 3, effect="dazed")
    [blow] = attack(board, "ana", ["rat"], power, Dice((face,)), choose).blows
    return blow, ana


def test_the_ladder() -> None:
    """STR-TAC-09, 10: examples 35 and 36."""
    assert (one_blow(6)[0].damage, one_blow(6, weakened=True)[0].damage) == (6, 3)
    assert one_blow(4, weakened=True)[0].damage == 1
    blow, ana = one_blow(1, tokens=1, spend="1")
    assert (blow.result, blow.strike, ana.strikes, ana.tokens) == ("glancing", True, 1, 0)
    blow, ana = one_blow(1, tokens=2, spend="2")
    assert (blow.result, ana.strikes, ana.tokens) == ("solid", 1, 0)
    assert one_blow(2)[1].tokens == 1
    assert with_tokens(5, 4) == 6


def test_hit_points() -> None:
    """STR-TAC-15: examples 39 and 40."""
    assert Fighter("ana", "party", (0, 0), hp=5, max_hp=10).bloodied
    assert Fighter("ana", "party", (0, 0), hp=6, max_hp=13).bloodied
    ana = Fighter("ana", "party", (0, 0), player=True, hp=-3)
    hurt(ana, 2)
    assert ana.out


def test_flanking_is_from_opposite_sides() -> None:
    """STR-TAC-20, 25."""
    ana, ben = (Fighter("ana", "party", (0, 0), player=True), Fighter("ben", "party", (2, 2), player=True))
    board = Board(5, 5, {"ana": ana, "ben": ben, "rat": Fighter("rat", "enemies", (1, 1))})
    assert flanked(board, ana, board.fighters["rat"])
    ben.at = (2, 1)
    assert not flanked(board, ana, board.fighters["rat"])
    ben.at = (2, 2)
    ben.statuses = {"stunned"}
    assert not flanked(board, ana, board.fighters["rat"])


def test_lines() -> None:
    """STR-TAC-22, 24: cover, concealment and walls, and what is left to the eye."""
    ana, rat = Fighter("ana", "party", (0, 1), player=True), Fighter("rat", "enemies", (4, 1))
    bow = Power("bow", "ranged", 9, 2)
    pillar = Board(5, 3, {}, walls=frozenset({(2, 1)}))
    assert covered(pillar, ana, rat, bow)
    assert not walled_off(pillar, ana, rat)
    assert walled_off(Board(5, 3, {}, walls=frozenset({(2, 0), (2, 1), (2, 2)})), ana, rat)
    beside = Board(5, 5, {}, walls=frozenset({(1, 0)}))
    with pytest.raises(UnclearError):
        covered(beside, Fighter("ana", "party", (0, 0)), Fighter("rat", "enemies", (2, 2)), bow)
    assert concealed(Board(5, 3, {}, obscured=frozenset({(2, 0), (2, 1), (2, 2)})), ana, rat)
    assert not concealed(Board(5, 3, {}, obscured=frozenset({(2, 2)})), ana, rat)


def test_every_fall_of_the_dice_adds_up() -> None:
    """Chances are exact, and sum to 1."""
    falls = list(every_fall(lambda dice: chase_round(Round("flee", "hide", "medium"), dice, NOBODY).winner))
    assert sum(chance for chance, _ in falls) == 1
    assert sum(chance for chance, winner in falls if winner == "runners") == Fraction(125, 216)
    assert Dice(chance=random.Random(1)).one() in range(1, 7)
