"""Opposed Rolls: who wins, by how much, ties, the loser's choice and learning (STR-CORE-16 to 18)."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from support.cases import case
from support.game import Game
from support.told import as_json

from strike_cli.kernel.procedure import Choose
from strike_cli.kernel.statements import ENGLISH
from strike_cli.problems import Refused
from strike_cli.terminal.command_output import fact_and_reason_lines

OPTIONS = ("insecure", "costly", "cheap", "extra")


def side(skilled: bool = True, **more: Any) -> dict[str, Any]:
    return {
        "who": "", "skill": "", "skilled": skilled, "known": False, "adv": [], "dis": [], **more,
    }  # fmt: skip


def vex(skilled: bool = True, **more: Any) -> dict[str, Any]:
    return side(skilled, who="vex", skill="Sneaking", known=True, **more)


def oppose(game: Game, *dice: int, ours: Any = None, theirs: Any = None, choose: tuple[str, ...] = ()) -> Any:
    sides = {"ours": ours or side(), "theirs": theirs or side()}
    return game.play("roll opposed", dice=dice, choose=choose, who=sides["ours"]["who"], **sides)


def asked(game: Game, *dice: int, ours: Any, theirs: Any = None, choose: tuple[str, ...] = ()) -> Choose:
    sides = {"ours": ours, "theirs": theirs or side()}
    return game.asked("roll opposed", dice=dice, choose=choose, who=sides["ours"]["who"], **sides)


@pytest.mark.parametrize("skilled", [True, False])
def test_whose_die_each_is_and_what_for(game: Game, skilled: bool) -> None:
    """STR-CORE-16: with the Skill, where one is named."""
    rolled = oppose(game, 6, *([1] if skilled else [1, 1]), ours=vex(), theirs=side(skilled))
    assert [rolled[key]["purpose"] for key in ("ours", "theirs")] == ["opposed: Sneaking", "opposed"]


def test_a_side_that_can_t_roll_is_refused_before_the_other_is_asked_for_its_skill(game: Game) -> None:
    """STR-CORE-22: nobody chooses for a roll that isn't made."""
    unclear = side(False, who="odo", skill="sneek", known=True, near=["Sneaking"])
    for ours, theirs in ((vex(also="Hauling"), unclear), (unclear, vex(also="Hauling"))):
        with case(ours["who"]), pytest.raises(Refused, match="Hauling"):
            oppose(game, ours=ours, theirs=theirs)


# --- who wins


def test_every_pair_of_dice(game: Game) -> None:
    """STR-CORE-16, golden example 9: the higher die wins; by three or more completely; even ones tie."""
    for ours, theirs in product(range(1, 7), repeat=2):
        data = oppose(game, ours, theirs)
        assert data["winner"] == ("ours" if ours > theirs else "theirs" if theirs > ours else None)
        assert data["margin"] == abs(ours - theirs)
        assert data["complete"] is (abs(ours - theirs) >= 3)
        close = data["winner"] is not None and not data["complete"]
        assert tuple(data["loser_options"]) == (OPTIONS if close else ())


@pytest.mark.parametrize(
    ("ours", "theirs", "modes"),
    [
        (True, True, ("plain", "plain")),
        (False, False, ("plain", "plain")),
        (False, True, ("disadvantage", "plain")),
        (True, False, ("plain", "disadvantage")),
    ],
)
def test_unskilled_against_skilled_has_disadvantage(
    game: Game, ours: bool, theirs: bool, modes: tuple[str, str]
) -> None:
    """STR-CORE-16: exactly one Unskilled side has Disadvantage, with its reason."""
    dice = [4] * (2 + modes.count("disadvantage"))
    data = oppose(game, *dice, ours=side(ours), theirs=side(theirs))
    assert (data["ours"]["mode"], data["theirs"]["mode"]) == modes
    for key in ("ours", "theirs"):
        assert bool(data[key]["sources"]) is (data[key]["mode"] == "disadvantage")


def test_each_side_has_reasons_of_its_own(game: Game) -> None:
    """STR-CORE-04, STR-CORE-16: our dice, then theirs."""
    data = oppose(game, 2, 5, 6, 1, ours=side(adv=["a"]), theirs=side(dis=["b"]))
    assert (data["ours"]["kept"], data["theirs"]["kept"]) == (5, 1)
    assert (data["winner"], data["complete"]) == ("ours", True)


# --- a close loss


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize(("dice", "loser"), [((5, 3), "Brann"), ((3, 5), "Vex"), ((2, 1), "Brann")])
def test_a_close_loser_chooses(game: Game, option: str, dice: tuple[int, int], loser: str) -> None:
    """STR-CORE-16: by one or two, the loser chooses how the win is spoiled."""
    brann = side(who="brann", skill="Hauling", known=True)
    question = asked(game, *dice, ours=vex(), theirs=brann)
    assert (question.who, question.what, question.options) == (loser.lower(), "loser's option", OPTIONS)
    data = oppose(game, *dice, ours=vex(), theirs=brann, choose=(option,))
    assert data["loser_chose"] == option
    assert game.texts()[-1].startswith(f"{loser} chooses")


def test_a_close_loser_against_somebody_without_a_sheet(game: Game) -> None:
    """STR-CORE-16: whoever starts it, the loser chooses."""
    question = asked(game, 5, 3, ours=side(who="goblin"), theirs=vex())
    assert (question.who, question.what) == ("vex", "loser's option")


# --- ties


def test_a_tie_may_be_broken_against_oneself(game: Game) -> None:
    """STR-CORE-17 and golden example 9: a Complication makes the other side win, for an Action Point."""
    question = asked(game, 4, 4, ours=vex())
    assert (question.who, question.options) == ("vex", ("stand", "complication-1", "complication-2"))
    assert "geese" in question.labels[2]
    data = oppose(game, 4, 4, ours=vex(), choose=("complication-2", "cheap"))
    assert data["winner"] == "theirs"
    assert data["complication"] == "Afraid of geese"
    assert data["loser_chose"] == "cheap", "a broken tie is a loss by one or two: the loser still chooses"
    assert game.get("characters.vex.ap") == 2


def test_the_other_side_may_break_it_too(game: Game) -> None:
    """STR-CORE-17: whoever has a Complication is asked, ours first."""
    odo = side(who="odo", skill="Cooking", known=True)
    data = oppose(game, 3, 3, ours=vex(), theirs=odo, choose=("stand", "complication-1", "extra"))
    assert (data["winner"], data["loser_chose"]) == ("ours", "extra")
    assert game.get("characters.odo.ap") == 3
    assert game.get("characters.vex.ap") is None


def test_a_tie_that_stands_gives_nobody_anything(game: Game) -> None:
    """STR-CORE-17: neither gets what they wanted, and no Action Point is earned."""
    data = oppose(game, 2, 2, ours=vex(), choose=("stand",))
    assert (data["winner"], data["loser_options"]) == (None, [])
    assert game.get("characters.vex.ap") is None


def test_who_has_nothing_to_break_it_with_is_not_asked(game: Game) -> None:
    """STR-CORE-17: no Complication, no question."""
    brann = side(who="brann", skill="Hauling", known=True)
    assert oppose(game, 2, 2, ours=brann)["winner"] is None


# --- learning


@pytest.mark.parametrize(
    ("dice", "ours", "theirs", "can"),
    [
        ((6, 2), False, False, True),
        ((5, 2), False, False, False),
        ((6, 2, 2), True, False, False),
        ((6, 5, 1), False, True, True),
        ((6, 6, 1), False, True, True),
        ((6, 4, 1), False, True, False),
        ((6, 5, 6), False, True, True),
    ],
)
def test_an_opposed_roll_teaches_like_any_other(
    game: Game, dice: tuple[int, ...], ours: bool, theirs: bool, can: bool
) -> None:
    """STR-CORE-18: as STR-CORE-06, won or lost; the natural dice decide."""
    assert oppose(game, *dice, ours=side(ours), theirs=side(theirs))["can_learn"]["ours"] is can


def test_what_is_learned_in_an_opposed_roll_is_kept(game: Game) -> None:
    """STR-CORE-18: there is no Bonus to trade it for."""
    ours = side(False, who="vex", skill="Riding", known=True)
    question = asked(game, 6, 1, ours=ours, theirs=side(False))
    assert question.options == ("learn", "pass")
    oppose(game, 6, 1, ours=ours, theirs=side(False), choose=("learn",))
    assert game.get("characters.vex.skills_learned") == ["Riding"]


# --- what else is true of it as of any Skill Roll


def doubting(game: Game, *skills: str) -> None:
    game.play("condition add", who="vex", condition="core:lost-confidence", about=list(skills))


@pytest.mark.parametrize(("dice", "left"), [((6, 6, 1), None), ((1, 1, 6), ["core:lost-confidence"])])
def test_winning_ends_lost_confidence(game: Game, dice: tuple[int, ...], left: Any) -> None:
    """STR-CORE-13: an Opposed Roll that is won is a success with the Skill, despite the Disadvantage."""
    doubting(game, "Sneaking")
    oppose(game, *dice, ours=vex())
    assert game.get("characters.vex.conditions") == left


def test_a_tie_that_is_broken_is_won_by_the_other_side(game: Game) -> None:
    """STR-CORE-13, STR-CORE-17: and so ends the doubts of the winner alone."""
    doubting(game, "Sneaking")
    odo = side(who="odo", skill="Cooking", known=True)
    oppose(game, 3, 3, 3, ours=vex(), theirs=odo, choose=("stand", "complication-1", "extra"))
    assert game.get("characters.vex.conditions") is None


def test_an_opposed_roll_is_a_use_of_the_skill(game: Game) -> None:
    """STR-CORE-32: for either side, won or lost, as every Skill Roll is; only of one's own Skills."""
    brann = side(who="brann", skill="Hauling", known=True)
    oppose(game, 6, 3, ours=vex(), theirs=brann)
    assert game.get("characters.vex.skill_uses.sneaking") == 1
    assert game.get("characters.brann.skill_uses.hauling") == 1
    oppose(game, 6, 3, ours=side(who="vex", skill="Riding", known=True))
    assert game.get("characters.vex.skill_uses") == {"sneaking": 1}


def helpers(*names: str) -> list[dict[str, Any]]:
    return [{"name": name, "skilled": True} for name in names]


def test_either_side_is_helped(game: Game) -> None:
    """STR-CORE-20: lowest help first, 1 where it beats the total by then; helpers roll after their side."""
    ours, theirs = vex(helpers=helpers("odo", "vesna")), side(helpers=helpers("brann"))
    data = oppose(game, 2, 5, 3, 3, 4, ours=ours, theirs=theirs, choose=("stand",))
    assert (data["totals"], data["winner"]) == ({"ours": 4, "theirs": 4}, None)
    assert [(one["name"], one["side"], one["added"]) for one in data["helpers"]] == [
        ("odo", "ours", 1), ("vesna", "ours", 1), ("brann", "theirs", 1),
    ]  # fmt: skip
    assert "Odo helps with 5 (+1)" in game.texts()[0]
    explained = [
        str(line)
        for line in fact_and_reason_lines([as_json(fact) for fact in game.facts], whole_rolls_in=ENGLISH)
    ]
    assert [line for line in explained if "Sneaking" in line and "faces 2, kept 2" in line]
    for die in ("faces 5, kept 5, total 5", "faces 3, kept 3, total 3", "faces 4, kept 4, total 4"):
        assert any("help: d6" in line and die in line for line in explained), (die, explained)


def test_help_makes_the_margin(game: Game) -> None:
    """STR-CORE-16, STR-CORE-20: totals are not clamped; by three or more it is complete."""
    data = oppose(game, 6, 6, 4, ours=vex(mods=[[1, "high ground"]], helpers=helpers("odo")))
    assert (data["totals"]["ours"], data["margin"], data["complete"]) == (7, 3, True)


def test_a_helper_s_bonus_is_spent(game: Game) -> None:
    """STR-CORE-07, STR-CORE-20."""
    game.play("bonus bank", who="odo", gives="advantage", why="", **{"for": "Sneaking"})
    data = oppose(game, 4, 1, 5, 2, ours=vex(helpers=helpers("odo")))
    assert data["totals"]["ours"] == 5
    assert game.get("characters.odo.banked") is None


def test_items_and_parties_bear_on_a_side(game: Game) -> None:
    """STR-CORE-05, 10, 11, 25: modifiers, Flaws, Favors, makeshift tools; each for its own side."""
    game.play("flaw add", who="vex", on="rope", text="frayed")
    game.play("favor add", who="brann", to="The Guild", text="", reputation=False)
    for more in ({"using": "rope"}, {"asking": "the guild"}, {"makeshift": True}):
        assert oppose(game, 5, 6, 1, ours=vex(**more))["ours"]["mode"] == "disadvantage"
    data = oppose(game, 5, 4, theirs=side(mods=[[2, "a wall"]]))
    assert (data["totals"], data["winner"]) == ({"ours": 5, "theirs": 6}, "theirs")


def test_tags_say_what_a_side_is_about(game: Game) -> None:
    """STR-CORE-12: Winded bears on what is physical."""
    game.play("condition add", who="vex", condition="core:winded", why="", about=[])
    riding = side(who="vex", skill="Doing", known=True)
    assert oppose(game, 5, 1, ours=riding)["ours"]["mode"] == "plain"
    assert oppose(game, 5, 5, 1, ours={**riding, "tags": ["physical"]})["ours"]["mode"] == "disadvantage"
