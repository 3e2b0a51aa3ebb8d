"""What a Fallback gives, at once or later in the scene, on Skills and on Wealth (STR-CORE-31)."""

from __future__ import annotations

from typing import Any

import pytest
from support.game import Game
from support.party import deal, do, pooled

from strike_cli.problems import Refused
from strike_cli.refusals import LacksSkill


@pytest.fixture
def planner(game: Game) -> Game:
    """Vex has a Fallback, and is Poor."""
    game.set("characters.vex.fallback", "meticulous planning")
    for who in ("vex", "odo", "brann", "vesna"):
        game.set(f"characters.{who}.wealth", 1)
    return game


def linked(game: Game, die: int, *choose: str, **more: Any) -> dict[str, Any]:
    args = {"who": "vex", "skill": "Climbing", "skilled": True, "known": True, "linked": "Sneaking"}
    return game.play("roll linked", dice=[die], choose=choose, **args, **more)


def test_a_roll_with_no_skill_named_has_costs_and_a_fallback(planner: Game) -> None:
    """STR-CORE-09, 31: what is asked names no Skill, and reads back from what TOML can hold."""
    for die, choose, data in ((3, ["favor"], ("success", 1)), (2, ["use"], ("success", 0))):
        args = {"who": "vex", "skill": "", "skilled": True, "known": True}
        asked = planner.asked("roll skill", dice=[die], **args)
        assert asked.about is not None
        kept = {
            key: value for key, value in asked.about.as_json(planner.speaker()).items() if value is not None
        }
        assert type(asked.about).from_json(kept) == asked.about
        done = planner.play("roll skill", dice=[die], choose=choose, **args)
        assert (done["outcome"], done["costs"]) == data


def fall_back(game: Game) -> dict[str, Any]:
    return do(game, "fallback", who="vex", text="there is a second rope")


def banked(game: Game, who: str) -> list[tuple[str, str]]:
    return [(item["gives"], item["for"]) for item in game.get(f"characters.{who}.banked", [])]


# --- Skills


@pytest.mark.parametrize("later", [False, True])
@pytest.mark.parametrize("whose", ["vex", "brann"])
def test_a_linked_roll_gives_its_advantage(planner: Game, later: bool, whose: str) -> None:
    """STR-CORE-19, STR-CORE-31: a Twist that is turned is a Success, whenever it is turned."""
    data = linked(planner, 2, "keep" if later else "use", **({} if whose == "vex" else {"linked_for": whose}))
    if later:
        assert data["grants"] is None
        data = fall_back(planner)
    assert data["grants"] == "advantage"
    assert banked(planner, whose) == [("advantage", "Sneaking")]
    with pytest.raises(Refused):
        fall_back(planner)


def test_a_cost_that_was_moved_stays_moved(planner: Game) -> None:
    """STR-CORE-19, STR-CORE-31: the Cost stays, and with the Advantage it cancels."""
    assert linked(planner, 1, "keep", "later")["grants"] == "disadvantage"
    fall_back(planner)
    assert banked(planner, "vex") == [("disadvantage", "Sneaking"), ("advantage", "Sneaking")]


@pytest.mark.parametrize("later", [False, True])
def test_lost_confidence_ends(planner: Game, later: bool) -> None:
    """STR-CORE-13, STR-CORE-31: as by any success with a Skill that it touches."""
    planner.play("condition add", who="vex", condition="core:lost-confidence", about=["Climbing"])
    planner.play("roll skill", dice=[2, 2], choose=["keep" if later else "use"])
    assert bool(planner.get("characters.vex.conditions")) is later
    if later:
        fall_back(planner)
    assert planner.get("characters.vex.conditions") is None
    assert planner.get("characters.vex.doubts") is None


def test_nothing_is_learned_by_it(planner: Game) -> None:
    """STR-CORE-06, STR-CORE-31: what the natural dice didn't teach a Fallback doesn't teach."""
    planner.play("roll skill", skill="Riding", skilled=False, dice=[3], choose=["keep"])
    fall_back(planner)
    assert planner.get("characters.vex.skills_learned") is None


def test_only_the_last_roll_is_turned(planner: Game) -> None:
    """STR-CORE-31: a purchase that worked is the last roll, too."""
    planner.play("roll skill", dice=[2], choose=["keep"])
    planner.play("wealth buy", dice=[6], **deal("vex", 1))
    with pytest.raises(Refused, match="Success"):
        fall_back(planner)


# --- Wealth


def test_a_purchase_is_saved_at_once(planner: Game) -> None:
    """STR-CORE-27, STR-CORE-31: a Twist is a Success, and nobody is asked about the bank."""
    data = planner.play("wealth buy", dice=[2], choose=["use"], **deal("vex", 1))
    assert (data["outcome"], data["got"], data["costs"], data["fallback"]) == (
        "success", True, 0, "meticulous planning",
    )  # fmt: skip
    with pytest.raises(Refused, match="already"):
        fall_back(planner)


def test_the_flaw_of_a_twist_stays_a_cost(planner: Game) -> None:
    """STR-CORE-27, STR-CORE-31: Twist with a Flaw becomes Success with a Flaw, on the thing; helpers have
    theirs."""
    args = deal("vex", 1, "odo")
    data = planner.play("wealth buy", dice=[1, 1], choose=["use", "favor"], **args)
    assert [(item["who"], item["kind"]) for item in data["paid"]] == [("vex", "flaw"), ("odo", "favor")]
    assert planner.get("characters.vex.flaws") == [{"id": "f1", "on": "the boat"}]


def test_a_purchase_is_saved_later(planner: Game) -> None:
    """STR-CORE-31: they get it after all, and the Flaws of the failed deal are on it."""
    planner.play("wealth buy", dice=[1, 1], choose=["keep", "go-without", "flaw"], **deal("vex", 1, "odo"))
    assert planner.get("characters.odo.flaws")[0]["on"] == "the failed deal for the boat"
    planner.play("flaw mend", who="vex", id="f1")
    planner.play("flaw add", who="vex", on="rope", text="")
    data = fall_back(planner)
    assert (data["outcome"], data["what"], data["got"]) == ("success", "the boat", True)
    assert planner.get("characters.odo.flaws") == [{"id": "f1", "on": "the boat"}]


def test_there_is_nothing_to_turn_once_the_bank_is_broken(planner: Game) -> None:
    """STR-CORE-27, STR-CORE-31."""
    planner.play("wealth buy", dice=[2], choose=["keep", "break-the-bank"], **deal("vex", 1))
    before = planner.state
    with pytest.raises(Refused, match="broken the bank"):
        fall_back(planner)
    assert planner.state is before


def test_a_pool_is_saved_by_who_rolls(planner: Game) -> None:
    """STR-CORE-28, STR-CORE-31: for everybody in it."""
    planner.set("characters.brann.cash", [1, 1])
    args = pooled(["vex", "brann", "odo"], 2, 1, 1)
    data = planner.play("wealth pool", dice=[2], choose=["use"], **args)
    assert (data["got"], planner.get("characters.brann.conditions")) == (True, None)


def test_lost_confidence_about_wealth(planner: Game) -> None:
    """STR-CORE-13: Wealth is a Skill; a purchase that works ends doubts about it."""
    planner.play("condition add", who="vex", condition="core:lost-confidence", about=["Wealth"])
    planner.play("wealth buy", dice=[6, 5], **deal("vex", 1))
    assert planner.get("characters.vex.conditions") is None


# --- what else holds for Wealth as for any Skill


def test_another_skill_helps_a_purchase(planner: Game) -> None:
    """STR-CORE-22, STR-CORE-31: for an Action Point, before the dice."""
    data = planner.play("wealth buy", dice=[2, 6], **deal("vex", 1, also="Climbing"))
    assert (data["roll"]["mode"], planner.get("characters.vex.ap")) == ("advantage", 0)
    with pytest.raises(LacksSkill):
        planner.play("wealth buy", **deal("vex", 1, also="Cooking"))
    with pytest.raises(Refused, match="is what"):
        planner.play("wealth buy", **deal("vex", 1, also="Wealth"))


def test_a_favor_binds_whoever_helped(planner: Game) -> None:
    """STR-CORE-20: by the same party, for Skills and for Wealth, unless another one is said."""
    data = planner.play(
        "roll skill", dice=[3, 1, 1], helpers=[{"name": who, "skilled": True} for who in ("odo", "brann")],
        costs=["favor:the ferrymen", "favor"], choose=["favor"],
    )  # fmt: skip
    assert data["costs"] == 1
    owed = [planner.get(f"characters.{who}.favors")[0]["to"] for who in ("vex", "odo", "brann")]
    assert owed == ["the ferrymen"] * 3
    costs = ["favor:Odo's aunt", "favor", "favor:the smith"]
    planner.play("wealth buy", dice=[4, 1, 1], **deal("vex", 1, "odo", "brann", costs=costs))
    owed = [planner.get(f"characters.{who}.favors")[1]["to"] for who in ("vex", "odo", "brann")]
    assert owed == ["Odo's aunt", "Odo's aunt", "the smith"]


def test_a_favor_is_the_likeliest_cost_of_whoever_helped(planner: Game) -> None:
    """STR-CORE-20: where the roller owes one."""
    helpers = [{"name": "odo", "skilled": True}]
    question = planner.asked("roll skill", dice=[3, 1], helpers=helpers, costs=["favor:the ferrymen"])
    assert (question.who, question.options[0]) == ("odo", "favor")
    question = planner.asked("roll skill", dice=[3, 1], helpers=helpers, costs=["winded"])
    assert question.options[0] == "winded"


def test_a_pool_is_helped(planner: Game) -> None:
    """STR-CORE-20, STR-CORE-28: next to the Wealth that the pool buys as; with their share of the Costs."""
    planner.set("characters.brann.cash", [1, 1])
    args = {**pooled(["vex", "brann", "odo"], 2, 1, 1), "helpers": [{"name": "vesna"}]}
    before = planner.state
    data = planner.play("wealth pool", dice=[3, 5, 6], **args, costs=["short"] * 4)
    assert (data["helpers"][0]["roll"]["mode"], data["total"]) == ("disadvantage", 4)
    assert [item["who"] for item in data["paid"]] == ["vex", "brann", "odo", "vesna"]
    planner.state = before
    planner.set("characters.vesna.wealth", 0)
    with pytest.raises(Refused, match="too poor"):
        planner.play("wealth pool", **args)


def test_a_secondary_goal_is_helped(planner: Game) -> None:
    """STR-CORE-20, STR-TC-13: the helper's die, bonus and Cost as in any Skill Roll."""
    planner.play("bonus bank", who="odo", gives="advantage", why="", **{"for": "Climbing"})
    start = {"name": "Race", "intent": "first", "against": "them", "their_intent": "first", "traits": []}
    planner.drive("conflict start", {**start, "team": ["vex"]})
    data = planner.play(
        "conflict secondary", who="vex", to="advance", skill="Climbing", dice=[2, 1, 6],
        helpers=[{"name": "odo", "skilled": True}], choose=["winded", "angry"],
    )  # fmt: skip
    assert (data["total"], data["costs"]) == (3, 1)
    assert planner.get("characters.odo.banked") is None
    assert planner.get("characters.odo.conditions") == ["core:angry"]


def test_help_and_more_as_they_are_typed(in_campaign: Any) -> None:
    """STR-CORE-05, 20, 22: on secondary goals, pools, purchases and Opposed Rolls."""
    in_campaign("conflict start Race --intent first --against them --their-intent first")
    in_campaign("conflict act vex progress --help-from odo", 2)
    line = "conflict act vex --secondary advance --skill Climbing --help-from odo:skilled --also Sneaking"
    data = in_campaign.json(f"{line} --dice 3,4,6")["data"]
    assert (data["total"], data["roll"]["mode"]) == (5, "advantage")
    line = "roll opposed vex Climbing --against brann Hauling --help-from odo:skilled"
    more = "--help-theirs vesna:skilled --mod 1 --mod-theirs -1 --tag social --makeshift --using lamp"
    more += " --asking nobody --dis-theirs rain"
    data = in_campaign.json(f"{line} {more} --dice 5,5,6,1,1,1")["data"]
    assert (data["ours"]["mode"], data["totals"]) == ("disadvantage", {"ours": 6, "theirs": 1})
    odds = in_campaign.json("odds opposed vex Climbing --help-ours odo:skilled --theirs skilled")["data"]
    assert odds["win"]["ours"]["p"] > odds["win"]["theirs"]["p"]
    in_campaign("roll opposed vex Climbing --against brann Hauling --help-ours brann", 2)
    in_campaign("override characters.vex.wealth 1 --why test")
    before = in_campaign.json("odds wealth vex 1")["data"]["outcomes"][0]["p"]
    assert in_campaign.json("odds wealth vex 1 --also Climbing")["data"]["outcomes"][0]["p"] > before
    in_campaign("wealth buy vex 1 --also Climbing", 1)
    in_campaign("wealth pool vex odo brann --price 1 --help-from odo", 2)
    in_campaign("replay --verify")
