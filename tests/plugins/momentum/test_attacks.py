"""Attacks: hits, critical hits, mercy, cover, leaning, who stands in the way; Abilities and Defense Rolls
(WSH-09 to 15, 18)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from support.cli import Strike
from support.momentum import Fight
from support.plugins import told_odds

from strike_cli.plugin import Refused


def test_an_attack_with_the_axe(kits: Fight) -> None:
    """WSH-07, 09, 12, 13: d20 and 4 against Evasion 12; 2d6 less 1 Armor; 2 AP."""
    data = kits("attack", who="kit", target="goblin", dice=[8, 3, 4])
    assert (data["total"], data["evasion"], data["hits"], data["critical"]) == (12, 12, True, False)
    assert data["damage"] == [{"type": "physical", "rolled": 7, "reduced": 1, "taken": 6}]
    assert (data["vitality_after"], data["bleeding"]) == (6, False)
    assert kits.one("kit")["ap"] == 1
    with pytest.raises(Refused, match="costs 2 AP, and Kit has 1"):
        kits("attack", who="kit", target="goblin")


def test_a_miss(kits: Fight) -> None:
    """WSH-09: one less is a miss, and missing can be meant."""
    assert kits("attack", who="kit", target="goblin", dice=[7])["hits"] is False
    kits.set("kit", ap=3)
    data = kits("attack", who="kit", target="goblin", miss=True)
    assert (data["hits"], data["roll"]) == (False, None)


def test_a_critical_hit(kits: Fight) -> None:
    """WSH-10: a natural 20 hits whatever it has to reach, and adds 6."""
    kits.set("goblin", vitality=50)
    data = kits("attack", who="kit", target="goblin", dice=[20, 3, 4])
    assert data["damage"][0]["rolled"] == 13


def test_a_critical_hit_with_a_maneuver(kits: Fight) -> None:
    """WSH-10: 6, and 3 for each Tier of the Maneuver; it costs what it says besides."""
    kits.set("goblin", vitality=50)
    data = kits("attack", who="kit", target="goblin", maneuver="cleave", dice=[20, 3, 4, 5])
    assert data["damage"][0]["rolled"] == 12 + 6 + 6
    assert data["ap"] == 3


def test_a_critical_hit_with_an_ability(fight: Fight) -> None:
    """WSH-09, 10: the bonus of the Archetype's Stats, 4 and half of 3; 6 and 3 for each of 2 Tiers."""
    fight.turn_of("mira")
    fight.set("goblin", vitality=50)
    data = fight("use", who="mira", ability="fire-bolt", targets=["goblin"], dice=[20, 1, 1, 1, 1])[
        "targets"
    ][0]
    assert data["roll"]["modifiers"] == [{"value": 5, "reason": "hit bonus"}]
    assert data["damage"] == [{"type": "heat", "rolled": 16, "reduced": 1, "taken": 15}]


def test_an_object_is_hit_without_a_roll(kits: Fight) -> None:
    """WSH-09, 14: and resists nothing; below 1 Vitality it is destroyed."""
    kits.place(barrel="B3", mira="B6")
    data = kits("attack", who="kit", target="barrel", dice=[3, 4])
    assert (data["roll"], data["hits"], data["bleeding"]) == (None, True, False)
    assert kits.one("barrel")["out"] == "destroyed"


def test_an_attack_that_is_paid_for(kits: Fight) -> None:
    """WSH-07: it need not be made in the same action, but in that turn."""
    assert kits.act("kit", "attack")["ap_spent"] == 2
    kits("move", who="kit", to="C3")
    kits("attack", who="kit", target="goblin", dice=[1])
    assert kits.one("kit")["ap"] == 1
    kits.act("kit", "interact", what="Look.")
    kits("end-turn")
    kits.turn_of("kit")
    assert "attacks" not in kits.one("kit")


def test_mercy_with_a_weapon(kits: Fight) -> None:
    """WSH-11: a d4 less; nobody bleeds or dies of it."""
    kits.set("goblin", vitality=2)
    data = kits("attack", who="kit", target="goblin", nonlethal=True, dice=[15, 6, 6, 4])
    assert data["damage"][0] == {"type": "physical", "rolled": 8, "reduced": 1, "taken": 7}
    assert (data["vitality_after"], data["bleeding"]) == (1, False)
    kits.set("mira", vitality=1, at="B3")
    kits.set("kit", ap=3)
    kits("attack", who="kit", target="mira", nonlethal=True, dice=[20, 6, 6, 1])
    assert (kits.one("mira")["vitality"], kits.one("mira")["down"], kits.statuses("mira")) == (-16, True, [])


def test_mercy_with_an_ability(fight: Fight) -> None:
    """WSH-11: a d4, and one for each Tier."""
    fight.turn_of("mira")
    args = {"who": "mira", "ability": "fire-bolt", "targets": ["ogre"], "nonlethal": True}
    data = fight("use", **args, dice=[15, 6, 6, 6, 6, 4, 4, 4])["targets"][0]
    assert data["damage"] == [{"type": "heat", "rolled": 12, "reduced": 4, "taken": 16}]


def test_bleeding_and_death(kits: Fight) -> None:
    """WSH-11, 16: below 1 somebody is down and bleeds, at the lethal value dead, with what ailed them."""
    kits("hurt", who="mira", amount=18)
    assert (kits.one("mira")["down"], kits.statuses("mira")) == (True, ["bleeding"])
    kits("status add", who="mira", status="momentum:poisoned")
    kits("hurt", who="mira", amount=18)
    assert kits.one("mira")["out"] == "dead"
    kits("heal", who="mira", amount=20)
    assert "out" not in kits.one("mira")
    assert (kits.one("mira")["vitality"], kits.statuses("mira")) == (2, ["bleeding", "poisoned"])


def test_bleeding_hurts(fight: Fight) -> None:
    """WSH-07, 16: at the start of each turn, until First Aid against 8 stops it."""
    fight("hurt", who="mira", amount=18)
    assert fight("turn")["ap"] == 0
    assert fight.one("mira")["vitality"] == -2
    with pytest.raises(Refused, match="Mira is down"):
        fight("move", who="mira", to="C3")
    fight("end-turn")
    fight.turn_of("kit")
    assert fight.act("kit", "stabilize", "mira", dice=[3])["success"] is False
    fight.set("kit", ap=3)
    assert fight.act("kit", "stabilize", "mira", dice=[4])["success"] is True
    assert fight.statuses("mira") == []


# Evasion, reach and cover


def test_evasion_of_a_sheet(kits: Fight) -> None:
    """WSH-12: 13 + 3, under the cap of medium armor and a light shield, 15, and 1 for the shield; 14
    without."""
    kits.turn_of("goblin")
    assert kits("attack", who="goblin", target="kit", dice=[1])["evasion"] == 16
    kits.set("kit", holding=["axe"])
    kits.set("goblin", ap=3)
    assert kits("attack", who="goblin", target="kit", dice=[1])["evasion"] == 14


def test_reach(kits: Fight) -> None:
    """WSH-09: a melee attack reaches 1 m, unless the weapon reaches further."""
    kits.set("goblin", at="D2")
    with pytest.raises(Refused, match="2 m off, and Kit reaches 1 m"):
        kits("attack", who="kit", target="goblin")
    with pytest.raises(Refused, match="hasn't the spear in hand"):
        kits("attack", who="kit", target="goblin", with_="spear")
    kits.set("kit", holding=["spear"])
    assert kits("attack", who="kit", target="goblin", dice=[8, 1])["hits"]


def test_weapons_that_nobody_has(kits: Fight) -> None:
    with pytest.raises(Refused, match="no 'halberd'"):
        kits("attack", who="kit", target="goblin", with_="halberd")
    with pytest.raises(Refused, match="can't attack Kit"):
        kits("attack", who="kit", target="kit")
    kits.set("kit", holding=[])
    data = kits("attack", who="kit", target="goblin", with_="bare hands", dice=[15])
    assert data["damage"][0]["rolled"] == 1


def test_shooting_with_an_enemy_near(kits: Fight) -> None:
    """WSH-09: Disadvantage."""
    kits.set("kit", holding=["bow"])
    data = kits("attack", who="kit", target="goblin", dice=[15, 2])
    assert (data["roll"]["mode"], data["roll"]["kept"]) == ("disadvantage", 2)
    assert data["roll"]["sources"] == [{"kind": "disadvantage", "reason": "Goblin is within 1 m"}]


def test_half_cover(kits: Fight) -> None:
    """WSH-18: 2 more Evasion against what is shot from that side, and 1 on Defense Rolls; melee ignores
    it."""
    kits.set("kit", holding=["bow"], at="B4")
    kits.set("goblin", at="F4")
    assert kits("attack", who="kit", target="goblin", dice=[1])["evasion"] == 14
    kits.set("kit", ap=3, at="F6")
    assert kits("attack", who="kit", target="goblin", dice=[1])["evasion"] == 12
    kits.set("kit", ap=3, at="E4", holding=["axe"])
    kits.set("barrel", at="B6")
    assert kits("attack", who="kit", target="goblin", dice=[1])["evasion"] == 12


def test_a_creature_in_the_way(kits: Fight) -> None:
    """WSH-18: one of the same size category is half cover, and a miss goes at it instead."""
    kits.set("kit", holding=["bow"], at="B6")
    kits.set("mira", at="B2")
    kits.set("ogre", at="G5", vitality=40)
    kits.place(goblin="E6", barrel="B2")
    data = kits("attack", who="kit", target="ogre", dice=[9, 8])
    assert (data["evasion"], data["hits"]) == (11, True)  # too small to cover an ogre
    kits.set("kit", ap=3)
    kits.place(ogre="D5", goblin="G6")
    data = kits("attack", who="kit", target="goblin", dice=[10, 8])
    assert (data["total"], data["evasion"], data["hits"]) == (14, 14, True)
    kits.set("kit", ap=3)
    data = kits("attack", who="kit", target="goblin", dice=[9, 8])
    assert (data["total"], data["hits"], data["instead"]["target"]) == (13, False, "ogre")
    assert data["instead"]["damage"][0]["taken"] == 4


def test_full_cover_and_leaning(kits: Fight) -> None:
    """WSH-18: nobody behind a wall is a target; leaning out one aims from the square beside, and has half
    cover there."""
    rows = ["#########", "#.......#", "#..#....#", "#..#....#", "#..#....#", "#.......#", "#########"]
    board = {**kits.world.get("momentum.map"), "rows": rows}
    kits.put("map", board)
    kits.set("kit", at="C4", holding=["bow"])
    kits.set("goblin", at="H4")
    kits.place(mira="B2", ogre="F5", barrel="B6")
    with pytest.raises(Refused, match="full cover"):
        kits("attack", who="kit", target="goblin")
    with pytest.raises(Refused, match="can't lean towards D4"):
        kits("attack", who="kit", target="goblin", lean="D4")
    kits.set("kit", at="C3")
    data = kits("attack", who="kit", target="goblin", lean="C2", dice=[1])
    assert data["hits"] is False
    kits.set("goblin", holding=["bow"], others={"bow": "kit"})
    kits.turn_of("goblin")
    assert kits("attack", who="goblin", target="kit", with_="bow", dice=[1])["cover"] is True
    kits.turn_of("mira")
    kits.set("mira", at="H2")
    with pytest.raises(Refused, match="without leaning"):
        kits("use", who="mira", ability="fire-bolt", targets=["goblin"], lean="H3")
    kits.turn_of("kit")
    assert "lean" not in kits.one("kit")


def test_taking_cover(kits: Fight) -> None:
    """WSH-07, 18: 2 more and 1 more, on top of half cover, as long as one is in it."""
    kits.act("kit", "take-cover")
    with pytest.raises(Refused, match="already"):
        kits.act("kit", "take-cover")
    kits.turn_of("goblin")
    assert kits("attack", who="goblin", target="kit", dice=[1])["evasion"] == 18
    kits.turn_of("kit")
    assert kits.statuses("kit") == ["taking-cover"]
    kits("move", who="kit", to="C3")
    assert kits.statuses("kit") == []
    with pytest.raises(Refused, match="nothing to take cover behind"):
        kits.act("kit", "take-cover")


# Damage


def test_the_attackers_choice(kits: Fight) -> None:
    """WSH-13: of mixed damage the lowest value is taken off once, off the type that the attacker says."""
    kits.set("goblin", vitality=30)
    data = kits("attack", who="kit", target="goblin", with_="fang", off="poison", dice=[15])
    assert [(part["type"], part["taken"]) for part in data["damage"]] == [("physical", 5), ("poison", 4)]
    kits.set("kit", ap=3)
    data = kits("attack", who="kit", target="goblin", with_="fang", off="1", dice=[15])
    assert [(part["type"], part["taken"]) for part in data["damage"]] == [("physical", 4), ("poison", 5)]


def test_the_choice_is_asked_where_it_matters(kits: Fight) -> None:
    """WSH-13: with what costs the attacker least taken where nobody is asked."""
    kits.on_sheet("goblin", resist=["poison"])
    data = kits("attack", who="kit", target="goblin", with_="fang", dice=[15], choices=["physical"])
    assert sum(part["taken"] for part in data["damage"]) == 4 + 2


def test_each_next_type_is_asked_for_too(kits: Fight) -> None:
    """WSH-13: a whole order of types, where what is left of Armor makes a difference; a type that ignores
    Armor takes no part."""
    weapons = kits.world.book.characters["kit"]["momentum"]["weapons"]
    fang = {**weapons["fang"], "damage": "2", "more": {"curse": "3", "heat": "5"}}
    kits.on_sheet("kit", weapons={**weapons, "fang": fang})
    kits.on_sheet("goblin", armor=6, resist=["curse"])
    args = {"who": "kit", "target": "goblin", "with_": "fang", "dice": [15]}
    for more, taken in (
        ({"choices": ["physical", "heat"]}, [0, 1, 1]), ({"off": "heat,physical"}, [1, 1, 0])
    ):  # fmt: skip
        kits.set("kit", ap=3), kits.set("goblin", vitality=30)
        assert [part["taken"] for part in kits("attack", **args, **more)["damage"]] == taken
    kits.set("kit", ap=3)
    kits.on_sheet("kit", weapons={**weapons, "fang": {**fang, "ignore_armor": ["heat"]}})
    assert [part["taken"] for part in kits("attack", **args)["damage"]] == [0, 0, 5]


def test_resistance_and_vulnerability(fight: Fight, with_house: Callable[..., Fight]) -> None:
    """WSH-15: after Armor, unless the house rule has it the other way."""
    fight("hurt", who="ogre", amount=10, type="heat")
    assert fight.one("ogre")["vitality"] == 40 - 12
    fight("hurt", who="ogre", amount=10, type="cold")
    assert fight.one("ogre")["vitality"] == 28 - 3
    other = with_house(armor_before_multiplier=False)
    other("hurt", who="ogre", amount=10, type="heat")
    assert other.one("ogre")["vitality"] == 40 - 16


def test_holy_damage_spares_what_lives(fight: Fight) -> None:
    """WSH-15: unless it is wished otherwise; what doesn't live is destroyed by it."""
    fight.turn_of("mira")
    fight.set("goblin", vitality=3)
    use = {"who": "mira", "ability": "light", "targets": ["goblin"]}
    data = fight("use", **use, dice=[15, 6, 6, 6])["targets"][0]
    assert (data["vitality_after"], data["bleeding"]) == (1, False)
    fight.set("mira", ap=3)
    fight("use", **use, lethal=True, dice=[15, 6, 6, 6])
    assert fight.one("goblin")["out"] == "dead"
    fight.set("mira", ap=3)
    fight("use", who="mira", ability="light", targets=["barrel"], dice=[6, 6, 6])
    assert fight.one("barrel")["out"] == "destroyed"


# Abilities with Defense Rolls


def test_an_area_and_its_defense_rolls(fight: Fight) -> None:
    """WSH-14, 16, 18: the damage once, then each resists d20 + Dexterity's bonus + Nimbleness against the
    user's Primary Stat; half where they do, a Status Effect where they don't."""
    fight.turn_of("mira")
    fight.place(kit="E2", goblin="D3")
    data = fight("use", who="mira", ability="frost", at="D2", dice=[6, 5, 11, 10])
    kit, goblin = data["targets"]
    assert (kit["target"], kit["resisted"], kit["damage"][0]["taken"]) == ("kit", True, 3)
    assert (goblin["target"], goblin["resisted"], goblin["damage"][0]["taken"]) == ("goblin", False, 10)
    assert fight.statuses("goblin") == ["chilled"]
    fight.turn_of("goblin")
    assert fight.one("goblin")["movement"] == 1
    fight("end-turn")
    assert fight.statuses("goblin") == []


def test_letting_it_happen(fight: Fight) -> None:
    """WSH-14: no roll; objects never have one."""
    fight.turn_of("mira")
    fight.set("barrel", at="D3")
    data = fight("use", who="mira", ability="frost", at="D2", fails=["goblin"], dice=[1, 1])
    assert [one["resisted"] for one in data["targets"]] == [False, False]
    assert fight("resist", who="kit", stat="con", power=5, fails=True)["success"] is False


def test_cover_helps_to_resist(fight: Fight) -> None:
    """WSH-14, 18: 1 more on Defense Rolls behind half cover."""
    data = fight("resist", who="kit", stat="dex", power=14, cover=True, dice=[9])
    assert (data["roll"]["total"], data["success"]) == (14, True)


def test_healing_and_reactions(fight: Fight) -> None:
    """WSH-02: reactions cost RP, at any time."""
    fight("hurt", who="kit", amount=12)
    fight("turn")
    with pytest.raises(Refused, match="is a reaction"):
        fight("use", who="mira", ability="ward", targets=["kit"])
    assert fight("use", who="mira", ability="mend", targets=["kit"], dice=[6])["targets"][0]["healed"] == 6
    with pytest.raises(Refused, match="is not a reaction"):
        fight("react", who="mira", ability="mend", targets=["kit"])
    for _ in range(2):
        fight("react", who="mira", ability="ward", targets=["kit"])
    with pytest.raises(Refused, match="costs 1 RP, and Mira has 0"):
        fight("react", who="mira", ability="ward", targets=["kit"])
    assert fight.statuses("kit") == ["defending"]


def test_abilities_that_are_none(fight: Fight) -> None:
    fight.turn_of("kit")
    with pytest.raises(Refused, match="is a Maneuver"):
        fight("use", who="kit", ability="cleave", targets=["goblin"])
    with pytest.raises(Refused, match="no Ability 'fly'"):
        fight("use", who="kit", ability="fly")
    with pytest.raises(Refused, match="drag of Kit needs a target"):
        fight("use", who="kit", ability="drag")


# Odds


def test_odds_of_an_attack_equal_an_enumeration(kits_turn: Strike) -> None:
    """WSH-09 to 13: every face of the d20 and both d6, counted without the program. Out of turn they are
    those of the attacker's own turn, with all AP; what is refused then is refused, and nothing is played."""
    found = Counter[Any]()
    for face, first, second in product(range(1, 21), range(1, 7), range(1, 7)):
        critical = face == 20
        hits = critical or face + 4 >= 12
        damage = max(0, first + second + (6 if critical else 0) - 1) if hits else 0
        found[hits, critical, damage] += Fraction(1, 20 * 36)
    attack, keys = "momentum attack kit goblin --with axe", ("hits", "critical", "damage")
    assert told_odds(kits_turn, attack, *keys) == found
    kits_turn("momentum end-turn")
    assert told_odds(kits_turn, attack, *keys) == found
    assert "not Kit's" in kits_turn(attack, 1).err
    assert "reaches" in kits_turn("odds momentum attack mira goblin", 1).err


@pytest.mark.slow
def test_odds_with_disadvantage_and_mercy(kits_turn: Strike) -> None:
    """WSH-09, 11: two d20 of which the lower counts, and a d4 off."""
    found = Counter[Any]()
    faces = Counter(min(pair) for pair in product(range(1, 21), repeat=2))
    for face, first, second, mercy in product(faces, *[range(1, 7)] * 2, range(1, 5)):
        rolled = first + second + (6 if face == 20 else 0)
        damage = max(0, max(0, rolled - mercy) - 1) if face == 20 or face + 4 >= 12 else 0
        found[damage] += Fraction(faces[face], 400 * 36 * 4)
    typed = 'momentum attack kit goblin --with axe --nonlethal --dis "mud"'
    assert told_odds(kits_turn, typed, "damage") == found


def test_odds_of_defense_rolls(in_quarry: Strike) -> None:
    """WSH-14: 2d6 and a d20, half of it where Kit resists."""
    for line in ("start quarry", "initiative", "turn"):
        in_quarry(f"momentum {line}")
    found = Counter[Any]()
    for first, second, face in product(range(1, 7), range(1, 7), range(1, 21)):
        resisted = face + 4 >= 14
        damage = max(0, (first + second) // (2 if resisted else 1) - 2)
        found[resisted, damage] += Fraction(1, 36 * 20)
    in_quarry("odds momentum use mira frost --at B1 --fails kit", 1)
    typed = "momentum use mira frost kit --at B2 --fails mira"
    assert told_odds(in_quarry, typed, "kit_resisted", "kit_damage") == found
