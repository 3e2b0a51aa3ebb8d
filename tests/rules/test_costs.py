"""Flaws, Favors, bonuses kept for later, Skills by hand (STR-CORE-06, 07, 10, 11, 14, 25)."""

from __future__ import annotations

from typing import Any

import pytest
from support.game import Game
from support.told import text_of, words_of

from strike_cli.problems import Refused
from strike_cli.systems.core.roll_circumstances import disadvantages_from_favors


def flaw(game: Game, on: str, text: str = "", who: str = "vex") -> str:
    return str(game.play("flaw add", who=who, on=on, text=text)["id"])


def favor(game: Game, to: str, text: str = "", who: str = "vex", reputation: bool = False) -> str:
    return str(game.play("favor add", who=who, to=to, text=text, reputation=reputation)["id"])


# --- Flaws


def test_a_flaw_is_kept(game: Game) -> None:
    """STR-CORE-10: a Flaw is on an item or on information."""
    assert flaw(game, "rope", "frayed") == "f1"
    assert flaw(game, "what the ferryman said") == "f2"
    assert game.get("characters.vex.flaws") == [
        {"id": "f1", "on": "rope", "text": "frayed"},
        {"id": "f2", "on": "what the ferryman said"},
    ]


def test_ids_are_each_characters_own(game: Game) -> None:
    """STR-CORE-10: and a Flaw that is mended is gone."""
    flaw(game, "rope")
    assert flaw(game, "pole", who="brann") == "f1"
    flaw(game, "cloak")
    game.play("flaw mend", who="vex", id="f1")
    assert flaw(game, "boots") == "f3"
    game.play("flaw mend", who="vex", id="f2")
    game.play("flaw mend", who="vex", id="f3")
    assert game.get("characters.vex") == {}


def test_a_flaw_used_is_a_twist_for_a_point(game: Game) -> None:
    """STR-CORE-10: the owner may use a Flaw for an automatic Twist and an Action Point; it stays."""
    flaw(game, "rope", "frayed")
    data = game.play("flaw use", who="vex", id="f1")
    assert data == {"who": "vex", "id": "f1", "on": "rope", "outcome": "twist", "ap": 2}
    used, gained = game.facts
    assert (used.kind, used.details["outcome"], used.details["item"].on) == ("flaw-used", "twist", "rope")
    assert gained.kind == "ap-gained"
    assert game.get("characters.vex.flaws") == [{"id": "f1", "on": "rope", "text": "frayed"}]


@pytest.mark.parametrize("name", ["flaw use", "flaw mend"])
def test_no_such_flaw(game: Game, name: str) -> None:
    flaw(game, "rope")
    with pytest.raises(Refused, match="no Flaw f7") as refused:
        game.play(name, who="vex", id="f7")
    assert "f1 (rope)" in refused.value.hint


# --- Favors


def test_what_becomes_of_a_favor_is_told(game: Game) -> None:
    """STR-CORE-11: repaid, it is as it was; of a Bad Reputation only the story makes an end."""
    assert favor(game, "the ferrymen", "a crossing") == "v1"
    assert game.texts() == ["Vex owes the ferrymen a Favor, a crossing (v1)."]
    favor(game, "the toll", reputation=True)
    game.play("favor repay", who="vex", id="v1")
    assert game.texts() == ["Vex repays the Favor to the ferrymen."]
    with pytest.raises(Refused, match="Bad Reputation with the toll"):
        game.play("favor repay", who="vex", id="v2")
    carters = game.drive("favor associate", {"who": "vex", "id": "v2", "name": "The Carters"})
    assert carters.data == {"who": "vex", "id": "v2", "to": "the toll", "associates": ["The Carters"]}
    assert text_of(carters.facts[0], game.world) == "The Carters is with the toll, whom Vex owes a Favor."
    for name in ("the carters", "The Toll"):
        with pytest.raises(Refused, match="known to be with the toll"):
            game.drive("favor associate", {"who": "vex", "id": "v2", "name": name})
    game.play("favor repay", who="vex", id="v2", lived_down=True)
    assert game.texts() == ["Vex lives down the Bad Reputation with the toll."]
    assert game.get("characters.vex") == {}


def test_a_bonus_is_let_go(game: Game) -> None:
    """STR-CORE-07: the one that is named, whatever it gave."""
    for to, gives in (("Rowing", "advantage"), ("Hauling", "disadvantage")):
        game.play("bonus bank", who="vex", gives=gives, why="", **{"for": to})
    with pytest.raises(Refused, match="no banked bonus b3"):
        game.play("bonus drop", who="vex", id="b3")
    assert game.play("bonus drop", who="vex", id="b2") == {"who": "vex", "id": "b2", "for": "Hauling"}
    assert game.texts() == ["Vex lets Disadvantage on Hauling go."]
    assert [item["id"] for item in game.get("characters.vex.banked")] == ["b1"]
    game.play("bonus drop", who="vex", id="b1")
    assert game.get("characters.vex") == {}


def test_an_overdue_favor_becomes_a_bad_reputation(game: Game) -> None:
    """STR-CORE-11: left too long it is a Bad Reputation, which a Favor done late doesn't mend."""
    favor(game, "The Guild")
    game.play("favor overdue", who="vex", id="v1")
    assert game.get("characters.vex.favors") == [{"id": "v1", "to": "The Guild", "reputation": True}]
    assert [
        words_of(source.reason, game.world) for source in disadvantages_from_favors(game.world, "the guild")
    ] == ["bad reputation with The Guild"]
    game.play("favor associate", who="vex", id="v1", name="Ulf")
    assert [
        words_of(source.reason, game.world) for source in disadvantages_from_favors(game.world, "Ulf")
    ] == ["bad reputation with The Guild, and Ulf is with them"]
    assert disadvantages_from_favors(game.world, "Vesna") == disadvantages_from_favors(game.world, "") == []
    with pytest.raises(Refused, match="already"):
        game.play("favor overdue", who="vex", id="v1")
    with pytest.raises(Refused, match="Bad Reputation"):
        game.play("favor repay", who="vex", id="v1", lived_down=False)
    game.play("favor repay", who="vex", id="v1", lived_down=True)
    assert game.get("characters.vex") == {}


def test_only_the_named_favor_changes(game: Game) -> None:
    favor(game, "The Guild")
    favor(game, "The Dockers")
    game.play("favor overdue", who="vex", id="v2")
    assert [item.get("reputation", False) for item in game.get("characters.vex.favors")] == [False, True]
    game.play("favor repay", who="vex", id="v1", lived_down=False)
    assert [item["id"] for item in game.get("characters.vex.favors")] == ["v2"]


def test_a_favor_bears_on_friends_too(game: Game) -> None:
    """STR-CORE-11: the debtor and every friend have Disadvantage to ask that party for more."""
    favor(game, "The Guild", who="odo")
    data = game.play("roll skill", dice=[5, 6], asking="the guild")
    assert data["roll"]["mode"] == "disadvantage"


# --- Bonuses


def test_a_bonus_kept_for_later(game: Game) -> None:
    """STR-CORE-07: a Bonus is Advantage on a fitting future roll, and that roll uses it up."""
    args: dict[str, Any] = {"who": "vex", "gives": "advantage", "for": "Climbing", "why": "a good map"}
    assert game.play("bonus bank", **args) == {**args, "id": "b1"}
    assert game.play("roll skill", skill="Climbing", dice=[5, 4])["roll"]["mode"] == "advantage"
    assert game.get("characters.vex.banked") is None
    assert game.play("roll skill", skill="Climbing", dice=[5])["roll"]["mode"] == "plain"


# --- Skills by hand


def test_skills_learned_are_kept_one_beside_the_other(game: Game) -> None:
    """STR-CORE-06, 14: by hand or by a roll, for good, each once, whatever the case."""
    for learned in (["Swimming"], ["Swimming", "Rowing"]):
        assert game.play("skill learn", who="vex", skill=learned[-1])["learned"] == learned
    for again in ("swimming", "climbing"):
        with pytest.raises(Refused, match="already"):
            game.play("skill learn", who="vex", skill=again)
    game.play("roll skill", dice=[6], choose=["learn"], skill="Cooking", skilled=False)
    assert game.get("characters.vex.skills_learned") == ["Swimming", "Rowing", "Cooking"]


def test_a_learned_skill_is_forgotten(game: Game) -> None:
    """STR-CORE-14: only what play brought can be taken back; the sheet as written stays."""
    game.play("skill learn", who="vex", skill="Swimming")
    with pytest.raises(Refused, match="as written"):
        game.play("skill forget", who="vex", skill="Climbing")
    with pytest.raises(Refused, match="has not learned"):
        game.play("skill forget", who="vex", skill="Dancing")
    game.play("skill learn", who="vex", skill="Rowing")
    assert game.play("skill forget", who="vex", skill="SWIMMING")["learned"] == ["Rowing"]
    game.play("skill forget", who="vex", skill="rowing")
    assert game.get("characters.vex") == {}


def test_confidence_lost_as_a_cost_is_in_that_skill(game: Game) -> None:
    """STR-CORE-09, STR-CORE-12: and in no Skill where none was named."""
    game.play("roll skill", dice=[3], costs=["lost-confidence"])
    assert game.get("characters.vex.doubts") == ["Climbing"]
