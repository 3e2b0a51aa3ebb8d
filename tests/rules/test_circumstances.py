"""What bears on a roll by itself, what is left out of it, what it uses up (STR-CORE-07, 10 to 12, 19, 20)."""

from __future__ import annotations

from copy import copy
from typing import Any

import pytest
from support.cases import case
from support.cli import Strike
from support.game import Game

from strike_cli.kernel.procedure import World
from strike_cli.problems import Refused
from strike_cli.systems.core.facts.rolls import Helps
from strike_cli.systems.core.roll_circumstances import (
    StatedCircumstances,
    favor_dependency_key,
    find_reasons,
    keys_of_changed_favors_and_attempts,
    task_attempt_key,
)
from strike_cli.tabletop.characters_and_names import TooFewPoints


def bank(game: Game, who: str, for_: str, gives: str = "advantage") -> None:
    game.play("bonus bank", who=who, gives=gives, why="a good word", **{"for": for_})


def helpers(*names: str, skilled: bool = True) -> list[dict[str, Any]]:
    return [{"name": name, "skilled": skilled} for name in names]


DEAL: dict[str, Any] = {
    "who": "vex", "price": 1, "what": "", "seller": "", "costs": [], "adv": [], "dis": [], "mods": []
}  # fmt: skip


def test_an_extra_skill_must_be_theirs_to_pay_before_it_is_asked_which_is_meant(game: Game) -> None:
    """STR-CORE-22: nobody decides anything for a roll that can't be made."""
    rolled = {"skill": "Climbin", "skilled": False, "near": ["Climbing"]}
    game.set("characters.vex.ap", 0)
    with pytest.raises(TooFewPoints):
        game.play("roll skill", **rolled, also="Sneaking")
    game.set("characters.vex.ap", 1)
    data = game.play("roll skill", dice=[1, 4], choose=["Climbing"], **rolled, also="Sneaking")
    assert (data["skill"], data["total"], game.get("characters.vex.ap")) == ("Climbing", 4, 0)
    (spent,) = (fact for fact in game.facts if fact.kind == "ap-spent")
    assert spent.details["because"] == Helps("Sneaking", paid=True)


# --- a helper's banked bonus


def test_a_helper_s_bonus_counts_once(game: Game) -> None:
    """STR-CORE-07, STR-CORE-20: on the helping die, which uses it up."""
    bank(game, "odo", "Climbing")
    data = game.play("roll skill", dice=[4, 2, 6], helpers=helpers("odo"))
    assert (data["helpers"][0]["roll"]["mode"], data["total"]) == ("advantage", 5)
    assert game.get("characters.odo.banked") is None
    again = game.play("roll skill", dice=[4, 2], helpers=helpers("odo"))
    assert again["helpers"][0]["roll"]["mode"] == "plain"


def test_a_helper_s_disadvantage_of_a_linked_roll(game: Game) -> None:
    """STR-CORE-19: what a Cost was moved to is used up in the same way; another Skill's stays."""
    bank(game, "odo", "Climbing", "disadvantage")
    bank(game, "odo", "Cooking")
    data = game.play("roll skill", dice=[4, 6, 1], helpers=helpers("odo"))
    assert (data["helpers"][0]["roll"]["mode"], data["total"]) == ("disadvantage", 4)
    assert [item["id"] for item in game.get("characters.odo.banked")] == ["b2"]


def test_a_helper_s_bonus_on_wealth(game: Game) -> None:
    """STR-CORE-20, 28: Wealth is helped as any Skill is."""
    game.set("characters.vex.wealth", 1)
    game.set("characters.odo.wealth", 1)
    bank(game, "odo", "Wealth")
    data = game.play("wealth buy", dice=[5, 1, 6], helpers=[{"name": "odo"}], **DEAL)
    assert (data["helpers"][0]["roll"]["mode"], data["total"]) == ("advantage", 6)
    assert game.get("characters.odo.banked") is None
    assert game.play("wealth buy", dice=[5, 6], helpers=[{"name": "odo"}], **DEAL)["total"] == 6


def test_nothing_is_used_up_where_nothing_is_rolled(game: Game) -> None:
    """STR-CORE-27: a price that needs no roll."""
    game.set("characters.vex.wealth", 3)
    bank(game, "vex", "Wealth")
    game.play("wealth buy", helpers=[], **DEAL)
    assert len(game.get("characters.vex.banked")) == 1


def test_a_helper_s_bonus_is_left_out_by_name(game: Game) -> None:
    """STR-CORE-20: what is said with a helper's id in front is theirs alone, and it is not used up."""
    bank(game, "odo", "Climbing")
    bank(game, "vex", "Climbing")
    data = game.play("roll skill", dice=[4, 2, 6], helpers=helpers("odo"), ignore=["odo:b1"])
    assert (data["roll"]["mode"], data["helpers"][0]["roll"]["mode"]) == ("advantage", "plain")
    assert game.get("characters.odo.banked")[0]["id"] == "b1"
    assert game.get("characters.vex.banked") is None
    data = game.play("roll skill", skill="Cooking", dice=[4, 2, 6], helpers=helpers("odo"), use=["odo:b1"])
    assert data["helpers"][0]["roll"]["mode"] == "advantage"
    assert game.get("characters.odo.banked") is None


# --- what is left out


def test_a_condition_is_left_out_by_its_name(game: Game) -> None:
    """STR-CORE-12."""
    game.play("condition add", who="vex", condition="core:winded", why="", about=[])
    for words, mode in (
        (("winded", "core:winded", "Winded", "wind", "vex:winded"), "plain"),
        (("angry", "", "odo:winded"), "disadvantage"),
    ):
        for word in words:
            with case(word):
                data = game.play("roll skill", dice=[5] if mode == "plain" else [5, 5], ignore=[word])
                assert data["roll"]["mode"] == mode


def test_a_flaw_is_left_out_by_what_it_is_on(game: Game) -> None:
    """STR-CORE-10: by id or name, and never by the words in which the reason is told."""
    game.play("flaw add", who="vex", on="rope", text="frayed")
    for words, mode in ((("rope", "f1"), "plain"), (("frayed", "rope: frayed"), "disadvantage")):
        for word in words:
            with case(word):
                dice = [5] if mode == "plain" else [5, 5]
                data = game.play("roll skill", dice=dice, using="rope", ignore=[word])
                assert data["roll"]["mode"] == mode


def test_a_favor_is_left_out_by_whom_it_is_owed_to(game: Game) -> None:
    """STR-CORE-11: one by its id, those of one party by its name."""
    for who in ("odo", "brann"):
        game.play("favor add", who=who, to="The Guild", text="", reputation=False)
    odos, branns = (f"{who} owes The Guild a favor" for who in ("Odo", "Brann"))
    for words, reasons in (
        ([], [branns, odos]), (["odo:v1"], [branns]), (["odo:v1", "brann:v1"], []), (["the guild"], [])
    ):  # fmt: skip
        with case(words):
            dice = [5, 5] if reasons else [5]
            data = game.play("roll skill", dice=dice, asking="The Guild", ignore=words)
            assert [source["reason"] for source in data["roll"]["sources"]] == reasons


def test_a_bonus_that_is_left_out_is_kept(game: Game) -> None:
    """STR-CORE-07."""
    bank(game, "vex", "Climbing")
    for word in ("b1", "climbing", "a good word"):
        with case(word):
            assert game.play("roll skill", dice=[5], ignore=[word])["roll"]["mode"] == "plain"
            assert len(game.get("characters.vex.banked")) == 1


def test_what_is_said_is_never_left_out(game: Game) -> None:
    """STR-CORE-04: a reason given for this roll is no Condition of that name."""
    data = game.play(
        "roll skill", dice=[5, 5], dis=["Winded"], makeshift=True, ignore=["winded", "makeshift"]
    )
    assert [source["reason"] for source in data["roll"]["sources"]] == ["Winded", "makeshift tools"]


def test_a_doubt_is_left_out_by_its_condition(game: Game) -> None:
    """STR-CORE-12: Lost Confidence bears on the Skills that it touches."""
    args = {"who": "vex", "condition": "core:lost-confidence", "why": "", "about": ["Climbing"]}
    game.play("condition add", **args)
    assert game.play("roll skill", dice=[2, 2])["roll"]["mode"] == "disadvantage"
    assert game.play("roll skill", dice=[2], ignore=["lost-confidence"])["roll"]["mode"] == "plain"


def test_a_doubt_is_told_by_the_condition_that_brings_it(game: Game) -> None:
    """STR-CORE-12: a campaign's own Condition may bring doubts, and is what a roll with that Skill names."""
    shaken = {**game.book.conditions["core:lost-confidence"], "name": "Shaken"}
    game.book = copy(game.book)
    game.book.conditions = {**game.book.conditions, "shaken": shaken}
    for condition, about in (("core:winded", []), ("shaken", ["Climbing"])):
        game.play("condition add", who="vex", condition=condition, why="", about=about)
    data = game.play("roll skill", dice=[2, 2], ignore=["core:winded"])
    assert [source["reason"] for source in data["roll"]["sources"]] == ["Shaken"]
    assert game.play("roll skill", dice=[2], ignore=["core:winded", "shaken"])["roll"]["mode"] == "plain"


def test_a_doubt_without_a_condition_is_told_as_lost_confidence(game: Game) -> None:
    """STR-CORE-12: as after a Condition was taken off by hand."""
    game.set("characters.vex.doubts", ["Climbing"])
    data = game.play("roll skill", dice=[2, 2])
    assert [source["reason"] for source in data["roll"]["sources"]] == ["Lost Confidence"]
    assert game.play("roll skill", dice=[2], ignore=["lost-confidence"])["roll"]["mode"] == "plain"


def test_a_bonus_that_is_kept_is_advantage_unless_said(game: Game) -> None:
    """STR-CORE-07: and who wins a bonus by a roll is told which roll it is kept for."""
    game.play("bonus bank", who="vex", why="", **{"for": "Climbing"})
    assert game.play("roll skill", dice=[4, 2])["roll"]["mode"] == "advantage"
    data = game.play("roll skill", dice=[6], bank="Sneaking")
    assert data["banked"] == "Sneaking"
    assert "banked" not in game.play("roll skill", dice=[4], bank="Sneaking")
    assert game.get("characters.vex.banked")[0]["gives"] == "advantage"


def test_ignoring_as_it_is_typed(in_campaign: Strike) -> None:
    """STR-CORE-12: by a unique beginning, for odds as for rolls; a word that is nothing is asked about."""
    in_campaign("condition add vex winded")
    in_campaign("condition add odo winded")
    for line in ("roll skill vex climbing", "odds skill vex climbing", "roll opposed vex climbing",
                 "odds opposed vex climbing"):  # fmt: skip
        error = in_campaign.json(f"{line} --ignore windded", 2)["error"]
        assert "Did you mean 'Winded'?" in error["message"]
        in_campaign(f"{line} --ignore wind", None)
    assert in_campaign.json("odds skill vex climbing --ignore wind")["data"]["sources"] == []
    helped = "odds skill vex climbing --help-from odo:skilled"
    best = in_campaign.json(f"{helped} --ignore wind --ignore odo:wind")["data"]["outcomes"]
    worse = in_campaign.json(f"{helped} --ignore wind")["data"]["outcomes"]
    assert best[0]["p"] > worse[0]["p"]
    in_campaign("roll skill vex climbing --ignore s", 2)


# --- an extra Skill


def test_the_skill_that_is_rolled_is_no_other_one(game: Game) -> None:
    """STR-CORE-22, 31: another Skill helps, never that very one; in the odds neither."""
    with pytest.raises(Refused, match="is what Vex rolls"):
        game.play("roll skill", also="climbing")
    assert game.state == {}


def test_the_odds_know_who_has_a_skill(in_campaign: Strike) -> None:
    """STR-CORE-22: what the roll refuses the odds refuse."""
    for roll in ("skill", "opposed"):
        in_campaign(f"odds {roll} vex Climbing --also Climbing", 1)
    in_campaign("odds skill vex Climbing --also Hauling", 1)
    in_campaign("odds skill vex Climbing --also Sneaking")


# --- items and parties by their names


def test_an_item_is_found_as_names_are(in_campaign: Strike) -> None:
    """STR-CORE-10: by a beginning of it or of a word in it; what is only near is asked about, never silently
    without Disadvantage."""
    in_campaign("flaw add vex 'black rope' --text frayed")
    in_campaign("flaw add vex 'what the ferryman said'")
    line = "roll skill vex climbing --using"
    for typed in ("black", "rope", "'BLACK ROPE'", "f1", "'black rope'", "'the rope'"):
        data = in_campaign.json(f"{line} {typed} --dice 5,5")["data"]
        assert data["roll"]["mode"] == "disadvantage", typed
    for typed in ("'blck rope'", "'a rope of black silk'"):
        refused = in_campaign.json(f"{line} {typed}", 2)["error"]["message"]
        assert "did you mean 'black rope'?" in refused
    assert in_campaign.json(f"{line} lamp --dice 5")["data"]["roll"]["mode"] == "plain"
    in_campaign("conflict start Race --intent first --against them --their-intent first")
    in_campaign("conflict act vex observe --skill Climbing --using 'blck rope'", 2)
    in_campaign("conflict act vex observe --skill Climbing --using black")
    assert "black rope" in in_campaign.json("conflict show")["data"]["weighs"][0]


def test_a_party_is_found_as_names_are(in_campaign: Strike) -> None:
    """STR-CORE-11: whom anybody owes; what is only near is asked about."""
    in_campaign("favor add odo 'The Guild of Thieves'")
    line = "roll skill vex Haggling --unskilled --asking"
    for typed in ("'the guild'", "guild", "thieves", "'the guild of thieves'"):
        data = in_campaign.json(f"{line} {typed} --dice 5,5")["data"]
        assert data["roll"]["mode"] == "disadvantage"
    for typed in ("'Gild of Thieves'", "'guild thieves'"):
        error = in_campaign.json(f"odds skill vex Haggling --unskilled --asking {typed}", 2)["error"]
        assert "did you mean 'The Guild of Thieves'?" in error["message"]
    assert in_campaign.json(f"{line} dockers --dice 5")["data"]["roll"]["mode"] == "plain"


def test_a_party_s_associates_count(in_campaign: Strike) -> None:
    """STR-CORE-11: Disadvantage to ask them too, said with the Favor or found out later."""
    in_campaign("favor add odo 'The Guild' --associate 'The Dockers'")
    in_campaign("favor add vex 'Ferry folk'")
    line = "roll skill brann Haggling --unskilled --asking {} --dice 5,5"
    data = in_campaign.json(line.format("'the dockers'"))["data"]
    assert data["roll"]["sources"][0]["reason"] == "Odo owes The Guild a favor, and The Dockers is with them"
    in_campaign("roll skill brann Haggling --unskilled --asking Carters --dice 5")
    in_campaign("favor associate vex ferry Carters")
    assert in_campaign.json(line.format("carters"))["data"]["roll"]["mode"] == "disadvantage"
    in_campaign("favor associate vex ferry Carters", 1)
    in_campaign("replay --verify")


# --- who helps


def test_somebody_who_is_in_no_file_may_help(in_campaign: Strike) -> None:
    """STR-CORE-20: said to be Skilled or Unskilled; a name that is like somebody's is asked about."""
    data = in_campaign.json("roll skill vex climbing --help-from 'Old Tom:skilled' --dice 4,6")["data"]
    assert (data["helpers"][0]["name"], data["total"]) == ("Old Tom", 5)
    data = in_campaign.json("roll skill vex climbing --help-from 'Old Tom:unskilled' --dice 4,6,6")["data"]
    assert data["total"] == 5
    assert ":skilled" in in_campaign.json("roll skill vex climbing --help-from 'Old Tom'", 2)["error"]["hint"]
    error = in_campaign.json("roll skill vex climbing --help-from brnn:skilled", 2)["error"]
    assert "Did you mean 'Brann'?" in error["message"]
    in_campaign("roll skill vex climbing --help-from 'Old Tom:skilled' --dice 3,1 --cost winded")
    in_campaign("replay --verify")


def test_somebody_who_is_in_no_file_helps_to_buy(in_campaign: Strike) -> None:
    """STR-CORE-20, 28: with a Wealth of their own; a Cost of theirs is the table's to remember."""
    in_campaign("override characters.vex.wealth 1 --why test")
    line = "wealth buy vex 1 --help-from 'the miller:2'"
    data = in_campaign.json(f"{line} --dice 4,2,5 --cost short")["data"]
    assert (data["helpers"][0]["roll"]["mode"], data["total"]) == ("advantage", 5)
    data = in_campaign.json(f"{line} --dice 3,4,2 --cost short")["data"]
    assert [item["who"] for item in data["paid"]] == ["vex"]
    in_campaign("wealth buy vex 1 --help-from 'the miller'", 2)
    line = "wealth buy vex 0 --help-from Brann:0 --dice 3,1 --cost short --cost short"
    paid = in_campaign.json(line)["data"]["paid"]
    assert [item["who"] for item in paid] == ["vex", "vex", "brann"]
    in_campaign("replay --verify")


def test_doubts_about_connections_and_wealth(in_campaign: Strike, folder: Any) -> None:
    """STR-CORE-12, 14: both are Skills, so Lost Confidence may touch them."""
    text = (folder / "campaign.toml").read_text()
    (folder / "campaign.toml").write_text(text.replace("ap = 1\n", 'ap = 1\nconnections = ["Fences"]\n', 1))
    in_campaign("condition add vex 'lost confidence' --about Fences,wealth")
    assert in_campaign.json("odds skill vex Fences")["data"]["sources"][0]["reason"] == "Lost Confidence"
    assert in_campaign.json("odds wealth vex 0")["data"]["sources"][0]["reason"] == "Lost Confidence"


def test_what_is_said_bears_where_nobody_is_known(game: Game) -> None:
    """STR-CORE-04: without a campaign, or for somebody without a name, only what is said counts."""
    said = StatedCircumstances(adv=["a map"])
    for world, who in ((World(None), "vex"), (game.world, "")):
        found = find_reasons(world, who, "skill", "Climbing", said)
        assert [source.reason for source in found.sources] == ["a map"]
        assert (found.modifiers, found.banked) == ([], [])


FERRY = {"id": "v1", "to": "the ferrymen", "for": "a crossing"}
SHARED = {"id": "v1", "to": "the ferrymen", "for": "a crossing", "associates": ["the miller", "the toll"]}
LOCK = {"task": "A lock", "intent": "get in"}


def owing(*favors: dict[str, Any]) -> dict[str, Any]:
    return {"characters": {"vex": {"favors": list(favors)}}}


def test_what_two_states_differ_in() -> None:
    """STR-CORE-10, STR-CORE-15: a debt binds the party's associates too; both ways alike."""
    for one, other, found in (
        (owing(FERRY), owing(FERRY), set()),
        (owing(), owing(FERRY), {favor_dependency_key("the ferrymen")}),
        ({}, owing(SHARED), set(map(favor_dependency_key, ("the ferrymen", "the miller", "the toll")))),
        ({"tasks": [LOCK]}, {}, {task_attempt_key("a lock", "get in")}),
        ({"tasks": [LOCK]}, {"tasks": [LOCK]}, set()),
        ({"tasks": [LOCK]}, {"tasks": [{**LOCK, "intent": "look in"}]},
         {task_attempt_key("A lock", "get in"), task_attempt_key("a lock", " Look in")}),
    ):  # fmt: skip
        with case(one, other, found):
            assert set(keys_of_changed_favors_and_attempts(one, other)) == found
            assert set(keys_of_changed_favors_and_attempts(other, one)) == found
