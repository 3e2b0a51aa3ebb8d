"""Skill Rolls: the table, Advantage, modifiers, helpers and learning (STR-CORE-02 to 06, 20)."""

from __future__ import annotations

from contextlib import suppress
from itertools import product
from typing import Any

import pytest
from support.cases import case
from support.cli import Strike
from support.game import Game

from strike_cli.kernel.procedure import Choose, Roll
from strike_cli.problems import Refused
from strike_cli.systems.core.skill_roll import Helper, outcome_row, outcome_words, roll_helpers_dice
from strike_cli.tabletop.dice import Modifier, Source

BONUS, SUCCESS, COST = ("success", True, 0), ("success", False, 0), ("success", False, 1)
TWIST, TWIST_COST = ("twist", False, 0), ("twist", False, 1)
TABLE = {
    True: {6: BONUS, 5: SUCCESS, 4: SUCCESS, 3: COST, 2: TWIST, 1: TWIST_COST},
    False: {6: BONUS, 5: SUCCESS, 4: COST, 3: TWIST, 2: TWIST, 1: TWIST_COST},
}
"""Outcome, bonus and costs by die, Skilled and Unskilled: the table of STR-CORE-03."""


def came_to(data: dict[str, Any]) -> tuple[str, bool, int]:
    return data["outcome"], data["bonus"], data["costs"]


def roll(game: Game, *dice: int, **args: Any) -> dict[str, Any]:
    """A roll by nobody in particular, so that nothing is asked after it."""
    return game.play("roll skill", dice=dice, **{"known": False, **args})


def test_outcomes_in_words() -> None:
    """STR-CORE-03, 09."""
    for outcome, bonus, costs, words in (
        ("success", True, 0, "Success with a Bonus"), ("success", False, 0, "Success"),
        ("twist", False, 1, "Twist with a Cost"), ("twist", False, 2, "Twist with 2 Costs"),
        ("success", True, 1, "Success with a Bonus and a Cost"),
    ):  # fmt: skip
        with case(words):
            assert outcome_words({"outcome": outcome, "bonus": bonus, "costs": costs}) == words


# --- which roll it is


def test_a_skill_on_the_sheet_is_rolled_skilled(in_campaign: Strike) -> None:
    """STR-CORE-02, 14: Skilled where it is on the sheet, case aside, and for no other that resembles it; the
    table may say otherwise."""
    for skill, skilled in (
        ("Climbing", True),
        ("climbing", True),
        ("Cooking", False),
        ("Climbing --unskilled", False),
        ("Cooking --skilled", True),
    ):
        with case(skill):
            assert in_campaign.json(f"roll skill vex {skill} --dice 2")["data"]["skilled"] is skilled
    for skill in ("'Climbing trees'", "Balancing"):
        assert "--unskilled" in in_campaign(f"roll skill vex {skill} --dice 2", 2).err
        in_campaign(f"roll skill vex {skill} --dice 2 --unskilled")


def test_a_learned_skill_is_on_the_sheet(in_campaign: Strike) -> None:
    """STR-CORE-02, STR-CORE-06: what was learned for good counts from then on, until it is undone."""
    in_campaign("roll skill vex Cooking --dice 6 --choose learn")
    assert in_campaign.json("roll skill vex cooking --dice 2")["data"]["skilled"] is True
    in_campaign("undo 2")
    assert in_campaign.json("roll skill vex cooking --dice 2")["data"]["skilled"] is False


# --- the table


def test_the_table(game: Game) -> None:
    """STR-CORE-03, and golden example 1."""
    for skilled, die in product((True, False), range(1, 7)):
        with case(skilled, die):
            assert came_to(roll(game, die, skilled=skilled)) == TABLE[skilled][die]


def test_a_look_up_clamps() -> None:
    """STR-CORE-05: beyond the table its last row counts."""
    for skilled, total in product((True, False), (-9, 0, 7, 12)):
        with case(skilled, total):
            row = outcome_row(total, skilled)
            assert (row["outcome"], row["bonus"], row["costs"]) == TABLE[skilled][1 if total < 1 else 6]


@pytest.mark.parametrize(
    ("die", "majors", "comes_to"), [(6, 1, SUCCESS), (1, 2, TWIST_COST), (4, 1, COST), (3, 2, TWIST_COST)]
)
def test_modifiers_change_the_total_and_not_the_face(
    game: Game, die: int, majors: int, comes_to: tuple[str, bool, int]
) -> None:
    """STR-CORE-05 and golden example 8: a Major Condition is -1 each; the look-up is clamped, not the die."""
    data = roll(game, die, mods=[[-1, "Injured"], [-1, "Sick"]][:majors])
    assert came_to(data) == comes_to
    assert data["roll"]["kept"] == die
    assert data["total"] == data["roll"]["total"] == die - majors
    assert [item["reason"] for item in data["roll"]["modifiers"]] == ["Injured", "Sick"][:majors]


# --- Advantage and Disadvantage


@pytest.mark.parametrize(
    ("advantages", "disadvantages", "mode"),
    [
        (0, 0, "plain"), (1, 0, "advantage"), (0, 1, "disadvantage"),
        (3, 0, "advantage"), (0, 4, "disadvantage"),
        (1, 1, "plain"), (5, 1, "plain"), (1, 5, "plain"), (2, 2, "plain"),
    ],
)  # fmt: skip
def test_sources_cancel_and_never_stack(game: Game, advantages: int, disadvantages: int, mode: str) -> None:
    """STR-CORE-04 and golden example 2: one of each is one die, whatever the counts."""
    args = {"adv": [f"a{n}" for n in range(advantages)], "dis": [f"d{n}" for n in range(disadvantages)]}
    dice = (4,) if mode == "plain" else (2, 5)
    kept = {"plain": 4, "advantage": 5, "disadvantage": 2}[mode]
    data = roll(game, *dice, **args)
    assert (data["roll"]["mode"], data["roll"]["kept"]) == (mode, kept)
    assert data["roll"]["faces"] == list(dice)
    assert [source["reason"] for source in data["roll"]["sources"]] == args["adv"] + args["dis"]


def test_every_pair_of_dice_keeps_the_better_or_the_worse(game: Game) -> None:
    """STR-CORE-04: the higher with Advantage, the lower with Disadvantage, in whatever order they fell."""
    for one, other in product(range(1, 7), repeat=2):
        better = roll(game, one, other, adv=["rope"])
        worse = roll(game, one, other, dis=["rain"])
        assert better["roll"]["kept"] == max(one, other)
        assert worse["roll"]["kept"] == min(one, other)
        assert came_to(better) == TABLE[True][max(one, other)]
        assert came_to(worse) == TABLE[True][min(one, other)]


# --- learning


def learns(dice: tuple[int, ...]) -> bool:
    """One die: a 6. Two: 6 and 6, or 6 and 5."""
    return dice == (6,) or sorted(dice) in ([6, 6], [5, 6])


@pytest.mark.parametrize("mode", ["plain", "advantage", "disadvantage", "cancelled"])
def test_which_dice_may_teach(game: Game, mode: str) -> None:
    """STR-CORE-06, golden example 3: every fall of the dice under each mode; 6 and 4 teach nothing."""
    args = {
        "plain": {},
        "advantage": {"adv": ["rope"]},
        "disadvantage": {"dis": ["rain"]},
        "cancelled": {"adv": ["rope", "light"], "dis": ["rain"]},
    }[mode]
    count = 2 if mode in ("advantage", "disadvantage") else 1
    for dice in product(range(1, 7), repeat=count):
        data = roll(game, *dice, skilled=False, **args)
        assert data["can_learn"] is learns(dice), dice
        assert not roll(game, *dice, skilled=True, **args)["can_learn"]


@pytest.mark.parametrize(
    ("dice", "mode", "comes_to", "options"),
    [
        ((6,), {}, BONUS, ("learn", "bonus")),
        ((6, 5), {"adv": ["rope"]}, BONUS, ("learn", "bonus")),
        ((6, 6), {"adv": ["rope"]}, BONUS, ("learn", "bonus")),
        ((5, 6), {"dis": ["rain"]}, SUCCESS, ("learn", "pass")),
        ((6, 6), {"dis": ["rain"]}, BONUS, ("learn", "bonus")),
        ((6,), {"mods": [[-1, "Injured"]]}, SUCCESS, ("learn", "pass")),
        ((6,), {"mods": [[-3, "Injured"]]}, TWIST, ("learn", "pass")),
    ],
)
def test_what_learning_is_traded_for(
    game: Game,
    dice: tuple[int, ...],
    mode: dict[str, Any],
    comes_to: tuple[str, bool, int],
    options: tuple[str, ...],
) -> None:
    """STR-CORE-06: the Bonus where there is one; natural dice decide, modifiers don't."""
    args = {"who": "vex", "skill": "Cooking", "skilled": False, **mode}
    question = game.asked("roll skill", dice=dice, **args)
    assert (question.who, question.what, question.options) == ("vex", "learn", options)

    left = game.play("roll skill", dice=dice, choose=[options[1]], **args)
    assert came_to(left) == comes_to
    assert game.get("characters.vex.skills_learned") is None

    learned = game.play("roll skill", dice=dice, choose=["learn"], **args)
    assert came_to(learned) == (comes_to[0], False, comes_to[2])
    assert game.get("characters.vex.skills_learned") == ["Cooking"]


def test_who_is_not_of_the_campaign_is_asked_nothing(game: Game) -> None:
    """STR-CORE-06: a stranger's Skill can't be kept, so nobody decides about it; the roll still says so."""
    data = roll(game, 6, who="a stranger", skill="Cooking", skilled=False)
    assert data["can_learn"] is True
    assert game.state == {}


# --- helping


def helper(how: str, number: int = 0) -> dict[str, Any]:
    return {"name": f"{how} {number}", "skilled": how == "skilled"}


@pytest.mark.parametrize(
    ("die", "helps", "added", "total"),
    [
        (2, (5, 3), (1, 1), 4),  # the seed's example: 3 > 2 is 3, then 5 > 3 is 4
        (2, (3, 5), (1, 1), 4),
        (2, (3, 3), (1, 0), 3),
        (2, (2, 3), (0, 1), 3),
        (5, (6, 6), (1, 0), 6),
        (6, (6, 6), (0, 0), 6),
        (1, (2, 3, 4), (1, 1, 1), 4),
        (1, (4, 3, 2), (1, 1, 1), 4),
        (4, (1, 2, 3), (0, 0, 0), 4),
    ],
)
def test_helpers_add_one_each_lowest_first(
    game: Game, die: int, helps: tuple[int, ...], added: tuple[int, ...], total: int
) -> None:
    """STR-CORE-20 and golden example 5."""
    data = roll(game, die, *helps, helpers=[helper("skilled", n) for n in range(len(helps))])
    assert data["total"] == total
    assert tuple(help_["added"] for help_ in data["helpers"]) == added
    assert [help_["roll"]["faces"] for help_ in data["helpers"]] == [[face] for face in helps]
    assert came_to(data) == TABLE[True][total]


def test_help_counts_from_the_modified_total(game: Game) -> None:
    """STR-CORE-05, STR-CORE-20: 4 - 1 is 3, and a helper's 4 is more than that."""
    assert roll(game, 4, 4, mods=[[-1, "Injured"]], helpers=[helper("skilled")])["total"] == 4


def test_an_unskilled_helper_has_disadvantage(game: Game) -> None:
    """STR-CORE-20: two dice, the worse counts, and the roll says why."""
    data = roll(game, 2, 6, 1, helpers=[helper("unskilled")])
    help_ = data["helpers"][0]
    assert (help_["roll"]["mode"], help_["roll"]["faces"]) == ("disadvantage", [6, 1])
    assert help_["roll"]["kept"] == 1
    assert help_["roll"]["sources"][0]["kind"] == "disadvantage"
    assert data["total"] == 2


def test_helpers_dice_are_asked_in_the_order_named(game: Game) -> None:
    """STR-CORE-20: the roller's dice, then each helper's, Skilled and Unskilled as they come."""
    kinds = ["skilled", "unskilled", "skilled", "skilled", "unskilled"]
    dice = (1, 2, 3, 4, 5, 6, 1, 2)
    data = roll(game, *dice, helpers=[helper(kind, n) for n, kind in enumerate(kinds)])
    assert data["roll"]["faces"] == [1]
    assert [(item["name"], item["roll"]["faces"]) for item in data["helpers"]] == [
        ("skilled 0", [2]),
        ("unskilled 1", [3, 4]),
        ("skilled 2", [5]),
        ("skilled 3", [6]),
        ("unskilled 4", [1, 2]),
    ]


def test_what_helpers_are_asked_for() -> None:
    """STR-CORE-20: each for a die of theirs; those in a row on whose die nothing bears throw together."""
    helpers = (
        Helper("ana", True), Helper("bo", True), Helper("cy", True, modifiers=(Modifier(1, "luck"),)),
        Helper("di", True, (Source("advantage", "a map"),)), Helper("ed", False),
    )  # fmt: skip
    procedure, asked = roll_helpers_dice(3, helpers), []
    roll = next(procedure)
    with suppress(StopIteration):
        while True:
            assert isinstance(roll, Roll)
            asked.append((roll.purpose, roll.who, roll.n, roll.sides))
            roll = procedure.send([1] * roll.n)
    dice = [("ana, bo", 2), ("cy", 1), ("di", 2), ("ed", 2)]
    assert asked == [("help", who, n, 6) for who, n in dice]


@pytest.mark.parametrize(
    ("dice", "comes_to", "payers"),
    [
        ((2, 6, 1), COST, ["vex", "odo", "brann"]),
        ((1, 1, 1), TWIST_COST, ["vex", "odo", "brann"]),
        ((4, 6, 1), SUCCESS, []),
        ((2, 1, 1), TWIST, []),
    ],
)
def test_a_cost_is_every_helpers_too(
    game: Game, dice: tuple[int, ...], comes_to: tuple[str, bool, int], payers: list[str]
) -> None:
    """STR-CORE-20 and golden example 7: a 2 helped to 3 is a Success with a Cost, and one for each helper."""
    helpers = [{"name": "odo", "skilled": True}, {"name": "brann", "skilled": True}]
    paid = []
    while played := game.drive("roll skill", {"helpers": helpers}, dice, ["angry"] * len(paid)).pending:
        assert played.what == "cost"
        paid.append(played.who)
    assert paid == payers
    data = game.play("roll skill", dice=dice, helpers=helpers, choose=["angry"] * len(paid))
    assert came_to(data) == comes_to
    angry = [who for who in ("vex", "odo", "brann") if game.get(f"characters.{who}.conditions")]
    assert sorted(angry) == sorted(payers)


# --- bare dice, and what a decision looks like


def test_bare_dice_are_shown_and_summed(game: Game) -> None:
    """STR-CORE-02: dice with no rule to them."""
    for text, dice, total, told in (
        ("d6", (4,), 4, "d6: 4."), ("d6+3", (3,), 6, "d6+3: 3 (sum 6)."),
        ("d20-3", (1,), -2, "d20-3: 1 (sum -2)."),
        ("2d6+1", (2, 3), 6, "2d6+1: 2, 3 (sum 6)."), ("3d20", (20, 1, 9), 30, "3d20: 20, 1, 9 (sum 30)."),
        ("4d6kh3", (2, 6, 1, 5), 13, "4d6kh3: 2, 6, 1, 5 (keeps 6, 5, 2, sum 13)."),
        ("4d6dl1", (2, 6, 1, 5), 13, "4d6kh3: 2, 6, 1, 5 (keeps 6, 5, 2, sum 13)."),
        ("2d6kh1+2", (2, 6), 8, "2d6kh1+2: 2, 6 (keeps 6, sum 8)."),
        ("3d6kl2", (2, 6, 1), 3, "3d6kl2: 2, 6, 1 (keeps 2, 1, sum 3)."),
        ("2d6kh2", (2, 6), 8, "2d6kh2: 2, 6 (keeps 6, 2, sum 8)."),
        ("d6 + (d8+1)x2", (3, 4), 13, "d6+(d8+1)x2: 3; 4. Total 13."),
        ("4dF", (1, 2, 3, 3), 1, "4dF: -1, 0, 1, 1. Total 1."),
        ("2d6ro1!+d4", (1, 6, 3, 5, 6, 2), 22, "2d6ro1!+d4: 1, 6, 5, 6, 2 (keeps 5, 6, 6, 2); 3. Total 22."),
        ("5d6s5", (2, 5, 6, 1, 4), 2, "5d6s5: 2, 5, 6, 1, 4. Total 2."),
    ):  # fmt: skip
        with case(text):
            data = game.play("roll die", dice=dice, formula=text)
            assert data["total"] == total
            assert [face for roll in data["rolls"] for face in roll["faces"]] == list(dice) or "!" in text
            assert game.texts() == [told]


def test_dice_that_nobody_can_throw(game: Game) -> None:
    with pytest.raises(Refused, match="'0d6' is not dice"):
        game.play("roll die", formula="0d6")


def test_a_decision_says_what_each_option_means(game: Game) -> None:
    """STR-CORE-06: a label for each option, in its words."""
    question = game.asked("roll skill", dice=[6], skill="Cooking", skilled=False)
    assert isinstance(question, Choose)
    assert len(question.labels) == len(question.options)
    assert "Cooking" in question.labels[0]
