"""Opposed Rolls: who wins, by how much, ties, the loser's choice and learning (STR-CORE-16 to 18)."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from support.game import Game

from strike_cli.rules.procedure import Choose

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


# --- who wins


def test_every_pair_of_dice(game: Game) -> None:
    """STR-CORE-16: the higher die wins; by three or more completely; even dice are a tie."""
    for ours, theirs in product(range(1, 7), repeat=2):
        data = oppose(game, ours, theirs)
        assert data["winner"] == ("ours" if ours > theirs else "theirs" if theirs > ours else None)
        assert data["margin"] == abs(ours - theirs)
        assert data["complete"] is (abs(ours - theirs) >= 3)
        close = data["winner"] is not None and not data["complete"]
        assert tuple(data["loser_options"]) == (OPTIONS if close else ())


@pytest.mark.parametrize(
    ("dice", "winner", "complete"), [((6, 3), "ours", True), ((5, 3), "ours", False), ((4, 4), None, False)]
)
def test_the_golden_rolls(game: Game, dice: tuple[int, int], winner: str | None, complete: bool) -> None:
    """STR-CORE-16 and golden example 9."""
    data = oppose(game, *dice)
    assert (data["winner"], data["complete"]) == (winner, complete)


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


def test_advantage_cancels_the_unskilled_sides_disadvantage(game: Game) -> None:
    """STR-CORE-04, STR-CORE-16."""
    data = oppose(game, 5, 2, ours=side(False, adv=["high ground"]))
    assert (data["ours"]["mode"], data["winner"], data["margin"]) == ("plain", "ours", 3)


def test_each_side_has_reasons_of_its_own(game: Game) -> None:
    """STR-CORE-04, STR-CORE-16: our dice, then theirs."""
    data = oppose(game, 2, 5, 6, 1, ours=side(adv=["a"]), theirs=side(dis=["b"]))
    assert (data["ours"]["kept"], data["theirs"]["kept"], data["winner"], data["complete"]) == (
        5,
        1,
        "ours",
        True,
    )


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


@pytest.mark.parametrize("dice", [(6, 3), (1, 6)])
def test_a_complete_loser_chooses_nothing(game: Game, dice: tuple[int, int]) -> None:
    """STR-CORE-16: by three or more there is nothing to choose."""
    assert oppose(game, *dice, ours=vex())["loser_options"] == []


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
        ((6, 2), True, False, None),
        ((6, 5, 1), False, True, True),
        ((6, 6, 1), False, True, True),
        ((6, 4, 1), False, True, False),
        ((6, 5, 6), False, True, True),
    ],
)
def test_an_opposed_roll_teaches_like_any_other(
    game: Game, dice: tuple[int, ...], ours: bool, theirs: bool, can: bool | None
) -> None:
    """STR-CORE-18: as STR-CORE-06, won or lost; the natural dice decide."""
    if can is None:  # the other side is Unskilled, so it throws two dice, and we are Skilled
        assert oppose(game, *dice, 2, ours=side(ours), theirs=side(theirs))["can_learn"]["ours"] is False
        return
    assert oppose(game, *dice, ours=side(ours), theirs=side(theirs))["can_learn"]["ours"] is can


def test_what_is_learned_in_an_opposed_roll_is_kept(game: Game) -> None:
    """STR-CORE-18: there is no Bonus to trade it for."""
    ours = side(False, who="vex", skill="Riding", known=True)
    question = asked(game, 6, 1, ours=ours, theirs=side(False))
    assert question.options == ("learn", "pass")
    oppose(game, 6, 1, ours=ours, theirs=side(False), choose=("learn",))
    assert game.get("characters.vex.skills_learned") == ["Riding"]
