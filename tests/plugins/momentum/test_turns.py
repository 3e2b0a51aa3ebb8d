"""Rounds, Initiative, holding, unions, surprise, what lasts until when (WSH-01 to 06)."""

from __future__ import annotations

import pytest
from support.momentum import Fight

from strike_cli.plugin import Refused, World
from strike_cli.refusals import HasBegunToAct


def order(fight: Fight) -> list[str]:
    found: list[str] = fight.world.get("momentum.order")
    return found


def test_high_initiative_first(fight: Fight) -> None:
    """WSH-03: twice Instinct and five levels, the highest first; objects have 0, and no turn."""
    assert [(who, fight.one(who)["initiative"]) for who in order(fight)] == [
        ("mira", 29), ("kit", 26), ("ogre", 22), ("goblin", 20),
    ]  # fmt: skip
    assert "initiative" not in fight.one("barrel")


def test_the_game_master_settles_ties(quarry: World) -> None:
    """WSH-03."""
    fight = Fight(quarry)
    fight("start", encounter="quarry", creatures={"goblin": 1})
    fight("initiative", choices=["goblin-2"])
    assert order(fight)[-2:] == ["goblin-2", "goblin"]


def test_a_turn(fight: Fight) -> None:
    """WSH-02: 3 AP and Basic Movement in one's turn, 2 RP for the round; each has one turn a round."""
    data = fight("turn")
    assert (data["who"], data["ap"], data["rp"], data["movement_left"], data["momentum"]) == (
        "mira",
        3,
        2,
        3,
        8,
    )
    fight("end-turn")
    assert (fight.one("mira")["ap"], fight.one("mira")["movement"]) == (0, 0)
    fight("react", who="mira", ability="ward", targets=["kit"])
    assert fight.one("mira")["rp"] == 1
    for who in ("kit", "ogre", "goblin"):
        assert fight("turn")["who"] == who
        fight("end-turn")
    assert fight.world.get("momentum.round") == 2
    assert fight.one("mira")["rp"] == 2


def test_initiative_changes_with_the_next_round(fight: Fight) -> None:
    """WSH-03: what alters it matters from the next round on."""
    fight("status add", who="mira", status="momentum:dazed")
    assert order(fight)[0] == "mira"
    assert fight("turn")["ap"] == 2
    fight.turn_of("goblin")
    fight("end-turn")
    assert fight.one("mira")["initiative"] == 24
    assert order(fight)[:2] == ["kit", "mira"]


def test_a_turn_is_held(fight: Fight) -> None:
    """WSH-04: and taken later, between two others."""
    fight("turn")
    fight("hold", who="mira")
    assert fight("turn")["who"] == "kit"
    with pytest.raises(Refused, match="Kit's turn"):
        fight("resume", who="mira")
    fight("end-turn")
    assert fight("resume", who="mira")["ap"] == 3
    with pytest.raises(Refused, match="already held this turn"):
        fight("hold", who="mira")
    fight("end-turn")
    assert fight("turn")["who"] == "ogre"


def test_who_has_acted_holds_nothing(kits: Fight) -> None:
    """WSH-04."""
    kits("move", who="kit", to="B4")
    with pytest.raises(HasBegunToAct):
        kits("hold", who="kit")


def test_held_turns_at_the_end_of_a_round(fight: Fight) -> None:
    """WSH-04: by Initiative; who refuses loses it."""
    for who in ("mira", "kit"):
        assert fight("turn")["who"] == who
        fight("hold", who=who)
    fight.turn_of("goblin")
    fight("end-turn")
    assert fight("turn", choices=["lose", "take"])["who"] == "kit"
    fight("end-turn")
    assert fight.world.get("momentum.round") == 2
    assert fight("turn")["who"] == "mira"


def test_all_let_it_go(fight: Fight) -> None:
    """WSH-04: then the next round begins."""
    fight("turn")
    fight("hold", who="mira")
    fight.turn_of("goblin")
    fight("end-turn")
    assert fight("turn", choices=["lose"]) == {"who": None, "lost": ["mira"], "round": 2}


def test_until_the_next_turn_and_until_the_end(fight: Fight) -> None:
    """WSH-04: what lasts until a turn begins is over when it would have; what lasts until it ends goes on."""
    fight("status add", who="goblin", status="momentum:prone", until="start", of="mira")
    fight("status add", who="goblin", status="momentum:blinded", until="end", of="mira")
    fight("turn")
    assert fight.statuses("goblin") == ["blinded"]
    fight("hold", who="mira")
    fight.turn_of("kit")
    fight("end-turn")
    assert fight.statuses("goblin") == ["blinded"]
    fight("resume", who="mira")
    fight("end-turn")
    assert fight.statuses("goblin") == []


def test_a_lost_turn_ends_what_lasted_until_its_end(fight: Fight) -> None:
    """WSH-04."""
    fight("status add", who="goblin", status="momentum:blinded", until="end", of="mira")
    fight("turn")
    fight("hold", who="mira")
    fight.turn_of("goblin")
    fight("end-turn")
    fight("turn", choices=["lose"])
    assert fight.statuses("goblin") == []


def test_the_end_of_the_next_turn(fight: Fight) -> None:
    """WSH-04: what begins in somebody's own turn and lasts until the end of their next outlives this one."""
    fight("turn")
    fight("status add", who="mira", status="momentum:blinded", until="end")
    fight("end-turn")
    assert fight.statuses("mira") == ["blinded"]
    fight.turn_of("goblin")
    fight("end-turn")
    fight.turn_of("mira")
    fight("end-turn")
    assert fight.statuses("mira") == []


def test_who_is_gone_has_no_turns(fight: Fight) -> None:
    """WSH-04: what lasted until one of theirs is over."""
    fight("status add", who="kit", status="momentum:prone", until="start", of="goblin")
    fight("leave", who="goblin", how="fled")
    assert fight.statuses("kit") == []
    assert [fight("turn")["who"], fight("end-turn")["round"]] == ["mira", 1]


def test_who_leads_a_union_may_fall(fight: Fight) -> None:
    """WSH-05: the others go on with the turn."""
    fight("union", who=["mira", "kit"])
    assert fight("turn")["who"] == "mira"
    fight("hurt", who="mira", amount=99)
    fight.act("kit", "defend")
    fight("end-turn")
    assert fight("turn")["who"] == "ogre"


def test_a_union(fight: Fight) -> None:
    """WSH-05: the average of 29 and 26, rounded down; one turn, actions in any order; for that round."""
    assert fight("union", who=["mira", "kit"])["initiative"] == 27
    assert fight("turn")["union"] == ["kit", "mira"]
    fight("move", who="kit", to="B4")
    fight.act("mira", "defend")
    fight("move", who="kit", to="B5")
    fight("end-turn")
    assert fight("turn")["who"] == "ogre"
    fight.turn_of("goblin")
    fight("end-turn")
    assert fight.one("mira")["initiative"] == 29
    assert "union" not in fight.one("kit")


def test_unions_are_formed_at_the_start_of_a_round(fight: Fight) -> None:
    """WSH-05: of allies."""
    with pytest.raises(Refused, match="not an ally"):
        fight("union", who=["mira", "ogre"])
    with pytest.raises(Refused, match="two or more"):
        fight("union", who=["mira", "mira"])
    fight("turn")
    fight("end-turn")
    with pytest.raises(Refused, match="start of a round"):
        fight("union", who=["mira", "kit"])


def test_who_is_surprised_has_no_turn_in_round_1(quarry: World) -> None:
    """WSH-06."""
    fight = Fight(quarry)
    assert fight("start", encounter="quarry", surprised=["enemies"])["surprised"] == [
        "goblin",
        "ogre",
        "barrel",
    ]
    fight("initiative")
    assert [fight("turn")["who"], *fight("end-turn").values()][0] == "mira"
    assert fight("turn")["who"] == "kit"
    fight("end-turn")
    assert fight.world.get("momentum.round") == 2
    fight.turn_of("goblin")


def test_two_sides_who_can_fight(quarry: World) -> None:
    """WSH-01: rocks and barrels are no foes; everybody on one's side is an ally, all others are enemies."""
    fight = Fight(quarry)
    with pytest.raises(Refused, match="no opponent"):
        fight("start", encounter="barrels", party=["kit"])
    with pytest.raises(Refused, match="troll: no such creature"):
        fight("start", encounter="quarry", creatures={"troll": 1})
    with pytest.raises(Refused, match="Momentum"):
        fight("turn")


def test_a_fight_ends(kits: Fight) -> None:
    """WSH-16: what is left stays with the characters: Vitality, Momentum, Status Effects that have no end."""
    kits("hurt", who="kit", amount=10)
    kits("status add", who="kit", status="momentum:burning")
    kits("status add", who="kit", status="momentum:prone", until="fight")
    kits.act("kit", "defend")
    kits("gain", who="kit", amount=-2)
    kits("leave", who="ogre", how="fled")
    kits("hurt", who="goblin", amount=50)
    assert kits("end") == {"outcome": "won", "rounds": 1, "standing": ["kit", "mira"]}
    kept = kits.world.get("characters.kit.momentum")
    assert kept == {"vitality": 22, "momentum": 4, "statuses": [{"id": "momentum:burning"}]}
    kits("start", encounter="quarry")
    assert (kits.one("kit")["vitality"], kits.statuses("kit")) == (22, ["burning"])
    kits("end", how="over")
    kits("rest", who=["kit"])
    assert kits.world.get("characters.kit") in (None, {})
