"""The actions that everybody has, walking, collisions, summons (WSH-07, 17, 19, 20)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from support.cli import Strike
from support.momentum import Fight
from support.plugins import told_odds

from strike_cli.plugin import Refused
from strike_cli.refusals import TargetHidden
from strike_momentum.actions import ACTION_PROCEDURES
from strike_momentum.rule_constants import ACTION_AP_COSTS

SMOKE = {"smoke": {"name": "Smoke", "sight": "obscured", "squares": ["C2", "C3", "C4", "B4"]}}


def test_what_actions_cost() -> None:
    """WSH-07: ten basic and eight advanced ones, and what goes with them."""
    assert ACTION_AP_COSTS == {
        "attack": 2, "defend": 2, "interact": 1, "move": 1, "sprint": 3, "stabilize": 3, "switch-places": 1,
        "switch-weapons": 1, "take-cover": 1, "use-item": 3, "blind": 2, "climb": 2, "shake-off": 2,
        "command": 1, "disarm": 2, "grab": 2, "hide": 2, "shove": 1, "trip": 2, "stand": 1, "break-free": 2,
        "keep-up": 2,
    }  # fmt: skip
    assert ACTION_PROCEDURES.keys() == ACTION_AP_COSTS.keys()


def test_defend(kits: Fight) -> None:
    """WSH-07: attackers have Disadvantage, one's Defense Rolls Advantage, until the next turn."""
    kits.act("kit", "defend")
    data = kits("resist", who="kit", stat="dex", power=14, dice=[2, 15])
    assert (data["roll"]["mode"], data["success"]) == ("advantage", True)
    kits.turn_of("goblin")
    assert kits("attack", who="goblin", target="kit", dice=[18, 3])["roll"]["mode"] == "disadvantage"
    kits.turn_of("kit")
    assert kits.statuses("kit") == []


def test_move_and_sprint(kits: Fight) -> None:
    """WSH-07: once more, and four times more, as far as one walks for nothing."""
    assert kits.act("kit", "move")["movement_left"] == 6
    kits.turn_of("goblin")
    assert kits.act("goblin", "sprint")["movement_left"] == 15
    with pytest.raises(Refused, match="costs 1 AP, and Goblin has 0") as refused:
        kits.act("goblin", "move")
    assert "15 m of movement are left" in refused.value.hint


def test_interact_is_free_once(kits: Fight) -> None:
    """WSH-07: unless a weapon was switched for nothing."""
    assert kits.act("kit", "interact", what="Kick the bucket.")["ap_spent"] == 0
    assert kits.act("kit", "interact", what="And again.")["ap_spent"] == 1
    assert kits.act("kit", "switch-weapons", items=[])["ap_spent"] == 1
    with pytest.raises(Refused, match="with what"):
        kits.act("kit", "interact")


def test_switching_weapons(kits: Fight) -> None:
    """WSH-07: free once for putting away, and for drawing with a hand that is free; not for both at a
    time."""
    assert kits.act("kit", "switch-weapons", items=["spear"])["ap_spent"] == 1
    assert kits.one("kit")["holding"] == ["spear"]
    assert kits.act("kit", "switch-weapons", items=["spear", "shield"])["ap_spent"] == 0
    assert kits.act("kit", "interact", what="Nod.")["ap_spent"] == 1
    with pytest.raises(Refused, match="doesn't have enough hands"):
        kits.act("kit", "switch-weapons", items=["bow", "shield"])
    with pytest.raises(Refused, match="no 'halberd'"):
        kits.act("kit", "switch-weapons", items=["halberd"])


def test_switching_places(kits: Fight) -> None:
    """WSH-07: with an ally beside one, for 1 RP of theirs."""
    kits.act("kit", "switch-places", "mira", choices=["agree"])
    assert (kits.one("kit")["at"], kits.one("mira")["at"], kits.one("mira")["rp"]) == ("B3", "B2", 1)
    with pytest.raises(Refused, match="not an ally"):
        kits.act("kit", "switch-places", "goblin")
    kits.set("mira", rp=0)
    with pytest.raises(Refused, match="Mira has 0"):
        kits.act("kit", "switch-places", "mira")
    assert kits.one("kit")["ap"] == 2


def test_who_is_in_the_dark_isnt_seen(kits: Fight) -> None:
    """WSH-18: nor aimed at, and hides there; past it one shoots as over any ground, without cover."""
    kits.place(kit="B2", goblin="F2", mira="B6", ogre="G5", barrel="B4")
    kits.set("kit", holding=["bow"])
    dark = {"name": "Night", "sight": "dark", "squares": ["C2", "D2", "E2"]}
    kits.put("zones", {"night": dark})
    assert kits("attack", who="kit", target="goblin", dice=[1])["cover"] is False
    kits.set("kit", ap=3)
    kits.set("goblin", at="E2")
    with pytest.raises(Refused, match="Goblin is in the dark"):
        kits("attack", who="kit", target="goblin")
    lamp = {"name": "Lamp", "sight": "light", "squares": ["E2", "F2"]}
    kits.put("zones", {"night": dark, "lamp": lamp})
    assert kits("attack", who="kit", target="goblin", dice=[1])["cover"] is False


def test_an_ally_may_refuse_to_switch_places(kits: Fight) -> None:
    """WSH-07: they must use a reaction, or the action fails."""
    with pytest.raises(AssertionError, match="still asks.*switch places"):
        kits.act("kit", "switch-places", "mira")
    assert not kits.act("kit", "switch-places", "mira", choices=["refuse"])["agreed"]
    assert (kits.one("kit")["at"], kits.one("mira")["at"]) == ("B2", "B3")
    assert (kits.one("kit")["ap"], kits.one("mira")["rp"]) == (2, 2)


def test_using_an_item(kits: Fight) -> None:
    """WSH-07: a consumable, as long as there is one."""
    kits("hurt", who="mira", amount=10)
    data = kits.act("kit", "use-item", "mira", items=["salve"], dice=[4])
    assert (data["healed"], kits.one("kit")["items"]) == (4, {"salve": 1})
    kits.set("kit", ap=3, items={"salve": 0})
    with pytest.raises(Refused, match="no salve"):
        kits.act("kit", "use-item", items=["salve"])


# Checks against somebody's


def test_trip(kits: Fight) -> None:
    """WSH-07: Athletics or Raw Force, the best unless one says, against Athletics or Nimbleness."""
    data = kits.act("kit", "trip", "goblin", dice=[10, 11])
    assert (data["roll"]["total"], data["against"]["total"], data["success"]) == (13, 12, True)
    assert kits.statuses("goblin") == ["prone"]
    kits.turn_of("goblin")
    assert kits("attack", who="goblin", target="kit", dice=[18, 3])["roll"]["mode"] == "disadvantage"
    kits.act("goblin", "stand")
    assert kits.statuses("goblin") == []


def test_a_tie_is_for_the_other(kits: Fight) -> None:
    """WSH-07."""
    assert kits.act("kit", "trip", "goblin", skill="athletics", dice=[10, 11])["success"] is False
    kits.set("kit", ap=3)
    with pytest.raises(Refused, match="can't be used here"):
        kits.act("kit", "trip", "goblin", skill="presence")


def test_sizes(kits: Fight) -> None:
    """WSH-07: one category larger at most, who then has Advantage; the larger has it, too, who acts."""
    kits.set("ogre", at="C3")
    data = kits.act("kit", "shove", "ogre", dice=[10, 3, 9])
    assert (data["roll"]["mode"], data["against"]["mode"]) == ("plain", "advantage")
    kits.turn_of("ogre")
    assert kits.act("ogre", "trip", "kit", dice=[1, 9, 8])["roll"]["mode"] == "advantage"
    kits.turn_of("kit")
    kits.set("ogre", size=3)
    with pytest.raises(Refused, match="too large"):
        kits.act("kit", "trip", "ogre")


def test_grab(kits: Fight) -> None:
    """WSH-07: with a free hand, which is free no longer, and only within 1 m."""
    with pytest.raises(Refused, match="no free hand"):
        kits.act("kit", "grab", "goblin")
    kits.act("kit", "switch-weapons", items=["axe"])
    assert kits.act("kit", "grab", "goblin", dice=[15, 2])["success"]
    kits.set("kit", ap=3)
    with pytest.raises(Refused, match="no free hand"):
        kits.act("kit", "grab", "goblin")
    kits.turn_of("goblin")
    with pytest.raises(Refused, match="can't move"):
        kits("move", who="goblin", to="D3")
    assert kits.act("goblin", "break-free", "kit", dice=[15, 2])["success"]
    kits("move", who="goblin", to="E3")
    with pytest.raises(Refused, match="3 m off"):
        kits.act("goblin", "trip", "kit")


def test_a_grab_ends_apart(kits: Fight) -> None:
    """WSH-07."""
    kits("status add", who="goblin", status="momentum:grabbed", by="kit")
    kits("move", who="kit", to="B5")
    assert kits.statuses("goblin") == []


def test_blind(fight: Fight) -> None:
    """WSH-07: Quick Fingers or Nimbleness against Improvisation or Endurance, to the end of the next turn."""
    fight.set("goblin", at="C2")
    fight.turn_of("goblin")
    assert fight.act("goblin", "blind", "kit", dice=[15, 2])["success"]
    fight.turn_of("kit")
    assert fight("attack", who="kit", target="goblin", dice=[15, 3])["roll"]["mode"] == "disadvantage"
    fight("end-turn")
    assert fight.statuses("kit") == []


def test_disarm(kits: Fight) -> None:
    """WSH-07: what is dropped may be taken with a free hand, and lies there otherwise."""
    kits.act("kit", "switch-weapons", items=["axe"])
    data = kits.act("kit", "disarm", "goblin", dice=[15, 2], choices=["take"])
    assert (data["item"], data["taken"]) == ("sword", True)
    assert (kits.one("kit")["holding"], kits.one("goblin").get("holding")) == (["axe", "sword"], None)
    kits.set("kit", ap=3)
    kits("attack", who="kit", target="goblin", with_="sword", dice=[15, 3])
    kits.turn_of("goblin")
    assert kits("attack", who="goblin", target="kit", dice=[1])["with"] == "bare hands"


def test_disarming_a_shield(kits: Fight) -> None:
    """WSH-07, 12: a shield is something held, too: it protects whoever has it in hand, and nobody else."""
    mine = kits("attack", who="kit", target="goblin", dice=[1])["evasion"]
    kits.turn_of("goblin")
    theirs = kits("attack", who="goblin", target="kit", dice=[1])["evasion"]
    kits.set("goblin", ap=2, holding=[], lost=["sword"])
    kits.act("goblin", "disarm", "kit", items=["shield"], dice=[19, 2], choices=["take"])
    assert (kits.one("kit")["holding"], kits.one("goblin")["holding"]) == (["axe"], ["shield"])
    kits.set("goblin", ap=2)
    assert kits("attack", who="goblin", target="kit", dice=[1])["evasion"] == theirs - 2
    kits.turn_of("kit")
    with pytest.raises(Refused, match="Kit has no 'shield'"):
        kits.act("kit", "switch-weapons", items=["axe", "shield"])
    assert kits("attack", who="kit", target="goblin", dice=[1])["evasion"] == mine + 1
    kits.set("kit", ap=2)
    assert kits.act("kit", "disarm", "goblin", dice=[19, 2], choices=["take"])["item"] == "shield"
    assert (kits.one("kit")["holding"], kits.one("kit").get("lost")) == (["axe", "shield"], None)


def test_what_was_dropped_is_picked_up(kits: Fight) -> None:
    """WSH-07."""
    kits.act("kit", "disarm", "goblin", dice=[15, 2])
    assert list(kits.world.get("momentum.dropped").values()) == [
        {"weapon": "sword", "of": "goblin", "at": "C2"}
    ]
    kits.turn_of("goblin")
    assert kits.act("goblin", "interact", items=["sword"])["ap_spent"] == 0
    assert (kits.one("goblin")["holding"], kits.world.get("momentum.dropped")) == (["sword"], None)
    kits.turn_of("kit")
    kits.act("kit", "interact", "mira", items=["axe"])
    assert kits.one("mira")["holding"] == ["knife", "axe"]


def test_shove_and_collision(kits: Fight) -> None:
    """WSH-07, 19: 1 m straight away; into somebody both take 1, or half of it, which is nothing."""
    kits.act("kit", "shove", "goblin", dice=[15, 2])
    assert kits.one("goblin")["at"] == "D2"
    kits.place(kit="C2", ogre="E2")
    data = kits.act("kit", "shove", "goblin", dice=[15, 2, 1, 1])
    assert (data["moved"]["into"], data["moved"]["damage"]) == ("ogre", 1)
    assert (kits.one("goblin")["at"], kits.one("goblin")["vitality"]) == ("D2", 12)  # 1 less 1 Armor
    kits.set("barrel", at="B2")
    with pytest.raises(Refused, match="is an object"):
        kits.act("kit", "shove", "barrel")


def test_a_collision_is_added_to_its_cause(kits: Fight) -> None:
    """WSH-19: the whole way of 4 m, with one subtraction of Armor; as much for whoever is in the way."""
    kits.set("goblin", vitality=30)
    kits.set("mira", at="F2")
    args = {"who": "kit", "ability": "bash", "targets": ["goblin"]}
    data = kits("use", **args, dice=[15, 5, 10], choices=["together"])["targets"][0]
    assert data["damage"] == [{"type": "physical", "rolled": 9, "reduced": 1, "taken": 8}]
    assert (kits.one("goblin")["at"], kits.one("mira")["vitality"]) == ("E2", 14)
    kits.set("kit", ap=3)
    kits.set("goblin", at="C2")
    data = kits("use", **args, dice=[15, 5, 20], choices=["apart"])["targets"][0]
    assert [part["taken"] for part in data["damage"]] == [4, 1]
    assert kits.one("mira")["vitality"] == 12


def test_against_a_wall(kits: Fight) -> None:
    """WSH-19: a wall is an object, and resists nothing."""
    kits.set("ogre", at="G4")
    data = kits("push", who="goblin", meters=7, from_="kit")
    assert (data["to"], data["into"], kits.one("goblin")["vitality"]) == ("H2", "obstacle", 6)


def test_whom_a_zone_kills_on_arrival_collides_with_nothing(kits: Fight) -> None:
    """WSH-16, 19: one death, and no damage after it, by whatever else is on the square or in the way."""
    fire = {"name": "Fire", "squares": ["H2"], "damage": 99}
    kits.put("zones", {"fire": fire, "thorns": {**fire, "name": "Thorns"}})
    kits.set("ogre", at="G4")
    data = kits("push", who="goblin", meters=7, from_="kit")
    assert (data["to"], data["into"], data["damage"]) == ("H2", "", 0)
    assert [fact["kind"] for fact in kits.facts].count("momentum-died") == 1, kits.said()


def test_pulling(fight: Fight) -> None:
    """WSH-19: up to the one who pulls."""
    fight.turn_of("kit")
    fight("use", who="kit", ability="drag", targets=["goblin"], dice=[19])
    assert fight.one("goblin")["at"] == "C2"


def test_teleporting_into_somebody(fight: Fight) -> None:
    """WSH-20: Reality damage for the way to both, past all Armor; and back again; 100 at most."""
    fight("teleport", who="kit", to="H6")
    assert fight.one("kit")["at"] == "H6"
    data = fight("teleport", who="kit", to="G3")
    assert (data["into"], data["damage"]) == ("ogre", 3)
    assert (fight.one("kit")["at"], fight.one("kit")["vitality"], fight.one("ogre")["vitality"]) == (
        "H6",
        27,
        37,
    )
    fight.turn_of("mira")
    fight("use", who="mira", ability="step", at="C5")
    assert fight.one("mira")["at"] == "C5"
    fight.set("mira", at="B2", ap=3)
    with pytest.raises(Refused, match="6 m off"):
        fight("use", who="mira", ability="step", at="H2")


def test_climbing(kits: Fight) -> None:
    """WSH-07: onto who is larger, with whom one moves; it attacks with Disadvantage, and misses go at it."""
    kits.set("ogre", at="C3", vitality=40)
    with pytest.raises(Refused, match="not larger"):
        kits.act("kit", "climb", "goblin")
    kits.act("kit", "switch-weapons", items=["axe"])
    assert kits.act("kit", "climb", "ogre", dice=[15, 2])["success"]
    assert (kits.one("kit")["at"], kits.one("kit")["on"]) == ("C3", "ogre")
    kits.turn_of("ogre")
    data = kits("attack", who="ogre", target="kit", dice=[18, 2])
    assert (data["roll"]["mode"], data["instead"]) == ("disadvantage", None)
    kits("move", who="ogre", to="E2")
    assert kits.one("kit")["at"] == "E2"
    kits.turn_of("goblin")
    kits.set("goblin", at="D3")
    data = kits("attack", who="goblin", target="kit", dice=[9, 5])
    assert (data["total"], data["hits"], data["instead"]["target"]) == (11, False, "ogre")
    kits.turn_of("ogre")
    assert kits.act("ogre", "shake-off", "kit", dice=[5, 9])["success"] is False
    kits.set("ogre", ap=3)
    assert kits.act("ogre", "shake-off", "kit", dice=[5, 7])["success"] is True
    assert "on" not in kits.one("kit")


def test_hiding(fight: Fight) -> None:
    """WSH-07: where no enemy sees one, Stealth above the Perception of each; then attacks have Advantage."""
    fight.turn_of("mira")
    with pytest.raises(Refused, match="sees Mira"):
        fight.act("mira", "hide")
    fight.put("zones", SMOKE)
    fight.place(goblin="H6", ogre="G2", kit="B2", barrel="H5")
    assert fight.act("mira", "hide", dice=[10, 12, 13])["noticed_by"] == ["goblin", "ogre"]
    fight.set("mira", ap=3)
    assert fight.act("mira", "hide", dice=[11, 12, 13])["hidden"]
    assert fight.one("mira")["hidden"]
    fight.set("mira", ap=3)
    fight.put("zones", None)
    data = fight("use", who="mira", ability="fire-bolt", targets=["goblin"], dice=[2, 15, 1, 1, 1, 1])
    assert data["targets"][0]["roll"]["mode"] == "advantage"
    assert fight.one("mira")["hidden"] and fight.one("mira")["exposed"]
    fight("end-turn")
    assert "hidden" not in fight.one("mira")


def test_who_is_seen_is_hidden_no_longer(kits: Fight) -> None:
    """WSH-07: at once in another's turn; nobody aims at whom they don't see."""
    kits.set("goblin", hidden=True)
    with pytest.raises(TargetHidden, match="Goblin"):
        kits("attack", who="kit", target="goblin")
    kits("move", who="kit", to="B4")
    assert "hidden" not in kits.one("goblin")


def test_a_reaction_gives_one_away(kits: Fight) -> None:
    """WSH-07: in another's turn at once."""
    kits.set("mira", hidden=True)
    kits("react", who="mira", ability="ward", targets=["mira"])
    assert kits.one("mira")["hidden"]
    kits("react", who="mira", ability="ward", targets=["kit"])
    assert "hidden" not in kits.one("mira")


def test_heavy_things_and_stealth(fight: Fight) -> None:
    """WSH-12: Disadvantage."""
    fight.on_sheet("mira", armor="heavy")
    fight.turn_of("mira")
    fight.set("ogre", down=True)
    fight.put("zones", SMOKE)
    fight.place(goblin="H6", kit="B2", barrel="H5")
    assert fight.act("mira", "hide", dice=[18, 10, 5])["roll"]["kept"] == 10


def test_a_heavy_shield_hinders_stealth_while_it_is_in_hand(fight: Fight) -> None:
    """WSH-12: `momentum check` asks what is in hand now, not what the sheet begins with."""
    fight.on_sheet("kit", shield="heavy")
    fight.set("kit", holding=["axe", "shield"])
    assert fight("check", who="kit", skill="stealth", dice=[18, 10])["roll"]["kept"] == 10
    fight.set("kit", holding=["axe"])
    assert fight("check", who="kit", skill="stealth", dice=[18])["roll"]["kept"] == 18


def test_summons_under_command(fight: Fight) -> None:
    """WSH-07: all of one's summons obey until one's next turn, but for those that nobody controls."""
    fight.turn_of("mira")
    with pytest.raises(Refused, match="summoned nobody"):
        fight.act("mira", "command")
    assert fight("use", who="mira", ability="call", at="C4")["summoned"] == "hound-1"
    assert (fight.one("hound-1")["side"], fight.one("hound-1")["summoner"]) == ("party", "mira")
    assert fight.act("mira", "command")["commanded"] == ["hound-1"]
    fight.turn_of("goblin")
    fight("end-turn", choices=["kit"])  # as quick as the hound is, which the game master says more of
    assert fight.world.get("momentum.order")[:2] == ["mira", "kit"]
    assert "hound-1" in fight.world.get("momentum.order")
    fight.turn_of("mira")
    assert fight.statuses("hound-1") == []
    fight("status add", who="hound-1", status="momentum:enraged")
    assert fight.act("mira", "command")["commanded"] == []


# Walking


def test_difficult_ground(kits: Fight) -> None:
    """WSH-17: 2 m for 1; a diagonal step is 1 m."""
    kits.set("kit", at="C5")
    assert kits("move", who="kit", to="D6")["movement_left"] == 2
    assert kits("move", who="kit", to="D5")["movement_left"] == 0
    with pytest.raises(Refused, match="1 m to D4, and Kit has 0"):
        kits("move", who="kit", to="D4")


def test_spaces_of_others(kits: Fight) -> None:
    """WSH-17: an ally's may be passed, not stopped on; an enemy's takes force, and is difficult ground."""
    with pytest.raises(Refused, match="can't stop on B3"):
        kits("move", who="kit", to="B3")
    kits.set("kit", at="B2")
    kits.place(goblin="C2", ogre="C3", barrel="H5")
    kits.act("kit", "move")
    data = kits("move", who="kit", to="D2", through="goblin", dice=[15, 2])
    assert (data["to"], data["movement_left"]) == ("D2", 3)
    data = kits("move", who="kit", to="B2", through="goblin", dice=[3, 12])
    assert (data["to"], data["stopped_by"], data["movement_left"]) == ("D2", "goblin", 3)


def test_sharing_a_space(kits: Fight) -> None:
    """WSH-17: with a creature two size categories larger or smaller; a barrel is none."""
    kits.on_sheet("goblin", size_category=3)
    kits.on_sheet("barrel", size_category=4)
    assert kits("move", who="kit", to="C2")["to"] == "C2"
    kits.set("barrel", at="D2")
    with pytest.raises(Refused):
        kits("move", who="kit", to="D2")


def test_doors(kits: Fight) -> None:
    """WSH-07: opening one is an interaction."""
    rows = list(kits.world.get("momentum.map")["rows"])
    rows[3] = "#.+...../"[:8] + "#"
    kits.put("map", {**kits.world.get("momentum.map"), "rows": rows})
    kits.set("kit", at="B4")
    assert kits.act("kit", "interact", at="C4")["open"]
    assert kits.world.get("momentum.map")["rows"][3][2] == "/"
    with pytest.raises(Refused, match="no door on E4"):
        kits.act("kit", "interact", at="E4")


def test_a_door_in_a_wall(kits: Fight) -> None:
    """WSH-07: between two squares, from either side of it."""
    door = {"at": [[2, 1], [2, 2]], "open": False}
    kits.put("map", {**kits.world.get("momentum.map"), "doors": [door]})
    kits.set("goblin", at="D5")
    assert kits.act("kit", "interact", at="C2")["open"]
    assert kits.world.get("momentum.map")["doors"][0]["open"]
    assert not kits.act("kit", "interact", at="B2")["open"]


def test_odds_of_a_trip(kits_turn: Strike) -> None:
    """WSH-07: both d20, counted without the program."""
    wins = sum(ours + 3 > theirs + 1 for ours, theirs in product(range(1, 21), repeat=2))
    assert told_odds(kits_turn, "momentum act kit trip goblin", "success") == {
        True: Fraction(wins, 400), False: 1 - Fraction(wins, 400)
    }  # fmt: skip
