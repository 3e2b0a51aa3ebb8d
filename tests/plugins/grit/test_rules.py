"""The rules of Grit, GRT-01 to 12, with dice in hand."""

from __future__ import annotations

from typing import Any

import pytest
from plugins.grit.conftest import CAMPAIGN, Table, house, on_the_stair
from support.cases import case

from strike_cli.kernel.procedure import Roll
from strike_cli.kernel.statements import say
from strike_cli.plugin import Refused
from strike_cli.problems import ContentProblem
from strike_cli.refusals import SceneStillUnderWay
from strike_cli.tabletop.characters_and_names import GameMasterSpeaker
from strike_grit import dice as thrown

# Stats


def test_grit_of_a_sheet() -> None:
    """GRT-01: 1, and 1 for each step of DEX and WIL above a d4, unless it is written."""
    for dex, wil, more, grit in (
        ("d4", "d4", "", 1), ("d10", "d6", "", 5), ("d12", "d12", "", 9), ("d10", "d6", "grit.grit = 4", 4)
    ):  # fmt: skip
        with case(dex, wil, more):
            sheet = f'name = "New"\ngrit.str = "d6"\ngrit.dex = "{dex}"\ngrit.wil = "{wil}"\n{more}\n'
            table = Table(f"{CAMPAIGN}[characters.new]\n{sheet}")
            table.play("start", encounter="stair", party=["new"])
            assert (table.of("new", "grit"), table.of("new", "max_grit")) == (grit, grit)


def test_a_die_that_the_game_has_not() -> None:
    """GRT-01: the track is d4, d6, d8, d10, d12."""
    with pytest.raises(ContentProblem, match="characters.sam.grit.str: 'd7' is not one of 'd4', 'd6'"):
        Table(CAMPAIGN.replace('str = "d8"', 'str = "d7"', 1))
    with pytest.raises(Refused, match="no die 'd20'"):
        Table().play("save", die="d20")


# Saves


def test_a_save_shows_four_or_more(table: Table) -> None:
    """GRT-02."""
    for face, success in ((3, False), (4, True), (8, True)):
        data = table.play("save", who="sam", attribute="str", dice=[face])
        assert (data["die"], data["roll"]["kept"], data["success"]) == ("d8", face, success)
        assert data["against"] is None


def test_a_save_against_somebody_has_to_be_higher(table: Table) -> None:
    """GRT-02, 03: whoever caused it rolls too, and a tie fails; four is no mark then. Their attribute may be
    another."""
    for their, mine, theirs, success in (
        ("", 5, 4, True), ("", 4, 4, False), ("", 2, 3, False), ("", 2, 1, True), ("str", 9, 10, False)
    ):  # fmt: skip
        with case(their, mine, theirs):
            more = {"their": their} if their else {}
            data = table.play(
                "save", who="sam", attribute="dex", against="troll", dice=[mine, theirs], **more
            )
            assert data["success"] is success
            assert (data["roll"]["sides"], data["against"]["sides"]) == (10, 10 if their else 6)


def test_a_tie_may_be_a_compromise() -> None:
    """GRT-02: by a house rule; it is no success for that."""
    table = Table(house('save_tie = "compromise"'))
    data = table.play("save", who="sam", attribute="dex", against="troll", dice=[4, 4])
    assert (data["success"], data["compromise"]) == (False, True)
    assert table.texts == ["Sam makes a DEX Save against Troll: 4 against 4. A tie: a compromise."]
    assert "compromise" not in table.play("save", who="sam", attribute="dex", against="troll", dice=[5, 4])


def test_an_enhanced_save(table: Table) -> None:
    """GRT-02, GRT-05: a d12 besides, the higher counts; impaired a d4 instead; one of each, however many, is
    neither."""
    data = table.play("save", who="sam", attribute="wil", enhanced=["a friend"], dice=[2, 11])
    assert (data["roll"]["faces"], data["roll"]["dice"], data["roll"]["kept"]) == ([2, 11], [6, 12], 11)
    assert data["roll"]["sources"] == [{"kind": "enhanced", "reason": "a friend"}]
    data = table.play("save", who="sam", attribute="dex", impaired=["mud"], dice=[4])
    assert (data["roll"]["sides"], data["success"]) == (4, True)
    data = table.play("save", who="sam", attribute="wil", enhanced=["a", "b"], impaired=["c"], dice=[6])
    assert (data["roll"]["faces"], data["roll"]["sides"]) == ([6], 6)


def test_at_zero_every_save_fails(bridge: Table) -> None:
    """GRT-02: without a die there is no roll, enhanced or not; theirs at zero is easily beaten."""
    bridge.put("sam", dex=0)
    data = bridge.play("save", who="sam", attribute="dex", against="troll", enhanced=["luck"])
    assert (data["die"], data["roll"], data["success"]) == ("zero", None, False)
    bridge.put("troll", dex=0)
    data = bridge.play("save", who="pete", attribute="dex", against="troll", dice=[1])
    assert (data["against"], data["success"]) == (None, True)


# Rounds


def test_sides_act_together_in_any_order(bridge: Table) -> None:
    """GRT-03: whoever of the side, once each; then the others, then the next round."""
    bridge.play("act", who="pete", text="lights the lamp")
    bridge.play("act", who="sam", text="bars the gate")
    with pytest.raises(Refused, match="Sam has acted in round 1"):
        bridge.play("act", who="sam", text="sings")
    with pytest.raises(Refused, match="party"):
        bridge.play("act", who="troll", text="roars")
    assert bridge.play("next") == {"round": 1, "active": "enemies"}
    bridge.play("act", who="troll", text="roars")
    assert bridge.play("next") == {"round": 2, "active": "party"}
    bridge.play("act", who="sam", text="sings")


def test_an_action_and_forty_feet(bridge: Table) -> None:
    """GRT-03: eight squares in a round, in parts, before or after the action."""
    assert bridge.play("move", who="sam", to="D2")["left"] == 6
    bridge.play("act", who="sam", text="looks around")
    assert bridge.play("move", who="sam", to="F2")["left"] == 4
    with pytest.raises(Refused, match="can't get to A1 with 20 feet left"):
        bridge.play("move", who="sam", to="A1")
    bridge.play("move", who="sam", to="B2")
    with pytest.raises(Refused, match="has moved in round 1"):
        bridge.play("move", who="sam", to="C2")


def test_the_allowance_is_the_tables() -> None:
    """GRT-03: 40 feet are as many squares as the table says."""
    table = Table(house("move = 2"))
    table.play("start", encounter="stair", party=["sam"])
    with pytest.raises(Refused, match="10 feet left"):
        table.play("move", who="sam", to="D1")
    assert table.play("move", who="sam", to="C1")["left"] == 0


ALTERNATE = 'diagonals = "1-2-1"'


def on_open_ground(campaign: str) -> Table:
    """Sam and Pete; the others are out of the way."""
    table = Table(campaign)
    table.play("start", encounter="bridge", party=["sam", "pete"])
    for who, at in {"troll": "K1", "cutter-1": "L3", "cutter-2": "L4", "sam": "A1", "pete": "C3"}.items():
        table.put(who, at=at)
    return table


def test_diagonals_count_as_the_table_says() -> None:
    """GRT-03: with 1-2-1 every second diagonal of a round's moves counts as two, over all of its parts."""
    dear, plain = on_open_ground(house(ALTERNATE)), on_open_ground(CAMPAIGN)
    first = dear.play("move", who="sam", to="B2")
    assert (first["path"], first["left"]) == (["B2"], 7)
    assert dear.play("move", who="sam", to="C1")["left"] == 5
    assert dear.play("move", who="sam", to="D2")["left"] == 4
    whole = plain.play("move", who="sam", to="D4")
    assert (whole["path"], whole["left"]) == (["B2", "C3", "D4"], 5)
    assert plain.play("move", who="sam", to="E3")["left"] == 4
    assert "diagonals" not in plain.world.get("grit.people.sam.moved")
    dear.play("next"), dear.play("next")
    assert dear.play("move", who="sam", to="E3")["left"] == 7, "a new round begins with a cheap one"


def test_reach_counts_diagonals_as_the_table_says() -> None:
    """GRT-03: three diagonals are 4 squares."""
    dear, plain = on_open_ground(house(ALTERNATE)), on_open_ground(CAMPAIGN)
    for table in (dear, plain):
        table.put("pete", at="D4")
    stab = {"who": "sam", "targets": ["pete"], "weapon": "dagger"}
    with pytest.raises(Refused, match="20 feet away, and it reaches 5 feet"):
        dear.play("attack", **stab)
    with pytest.raises(Refused, match="15 feet away, and it reaches 5 feet"):
        plain.play("attack", **stab)


def test_a_blast_counts_diagonals_as_the_table_says() -> None:
    """GRT-09: two diagonals are 3 squares, and out of a blast of 2."""
    for rules, hit in ((ALTERNATE, ["sam"]), ("", ["sam", "pete"])):
        table = on_open_ground(f"{FLASK}\n[house.grit]\n{rules}\n")
        data = table.play("attack", who="sam", at="A1", weapon="flask", dice=[1, 2][: len(hit)])
        assert [one["target"] for one in data["attacks"]] == hit


def test_nobody_walks_through_foes_or_ends_on_friends(bridge: Table) -> None:
    """GRT-03, where there are squares."""
    for square in ("C1", "G1"):
        with pytest.raises(Refused, match="can't get to"):
            bridge.play("move", who="sam", to=square)
    with pytest.raises(Refused, match="can't get to I1"):
        bridge.play("move", who="sam", to="I1")
    with pytest.raises(Refused, match="the gate"):
        bridge.play("move", who="sam", to="the gate")


def test_distance_by_words() -> None:
    """GRT-03: places have names; who is said to be elsewhere is not close."""
    table = Table(house('distance = "words"'))
    table.play("start", encounter="stair", party=["sam", "pete"])
    assert table.of("sam", "at") is None
    assert "map" not in table.world.state["grit"]
    table.play("move", who="sam", to="the landing")
    table.put("troll", at="the stair")
    with pytest.raises(Refused, match="elsewhere \\(the stair\\)"):
        table.attack("sam", "troll", weapon="dagger")
    table.attack("sam", "troll", weapon="sling", dice=[1])
    with pytest.raises(Refused, match="has moved in round 1"):
        table.play("move", who="sam", to="the stair")
    table.attack("pete", "troll", weapon="unarmed", dice=[1])


def test_an_encounter_without_a_map() -> None:
    """GRT-03: what is nowhere drawn goes by words, whatever distances are elsewhere."""
    table = Table(f"{CAMPAIGN}\n[encounters.road]\nname = 'The Road'\ncreatures = {{ cutter = 2 }}\n")
    table.play("start", encounter="road", party=["sam", "pete"])
    assert "map" not in table.world.state["grit"]
    assert list(table.world.state["grit"]["people"]) == ["sam", "pete", "cutter-1", "cutter-2"]
    table.play("move", who="sam", to="behind the cart")
    assert table.of("sam", "at") == "behind the cart"
    with pytest.raises(Refused, match="Sam is there already: behind the cart"):
        table.play("place", who="sam", to="behind the cart")
    with pytest.raises(Refused, match="The place has no name"):
        table.play("place", who="sam", to=" ")
    table.attack("pete", "cutter-1", weapon="great-bow", dice=[1, 6])
    with pytest.raises(Refused, match="has no map"):
        table.play("door", at="C3")


def test_doors_in_walls(bridge: Table) -> None:
    """GRT-03: a door between two squares is opened from either; where there are several, both are named."""
    doors = [{"at": [[1, 0], [1, 1]], "open": False}, {"at": [[0, 1], [1, 1]], "open": False}]
    bridge.set("grit.map", {**bridge.world.state["grit"]["map"], "doors": doors})
    with pytest.raises(Refused, match="There are 2 doors at A1"):
        bridge.play("door", at="A1")
    bridge.play("door", at="A1", beyond="B1")
    assert [door["open"] for door in bridge.world.state["grit"]["map"]["doors"]] == [True, False]
    bridge.play("door", at="A2")
    assert [door["open"] for door in bridge.world.state["grit"]["map"]["doors"]] == [True, True]
    bridge.play("door", at="B1", open=False)
    with pytest.raises(Refused, match="is closed already"):
        bridge.play("door", at="B1", beyond="A1", open=False)
    with pytest.raises(Refused, match="no door at E2") as refused:
        bridge.play("door", at="E2")
    assert refused.value.hint == "There are doors at A1 to B1, A1 to A2."


# The first turn


def test_the_party_acts_first(table: Table) -> None:
    """GRT-04."""
    assert table.play("start", encounter="stair")["surprised"] == []
    assert (table.world.get("grit.active"), table.world.get("grit.round")) == ("party", 1)


def test_by_surprise(table: Table) -> None:
    """GRT-04: a DEX Save against the quickest foe, for each player; who fails does nothing in round 1."""
    data = table.play(
        "start", encounter="bridge", party=["sam", "pete", "wick"], surprise=True, dice=[5, 5, 8, 7]
    )
    assert data["surprised"] == ["sam"], "the moth has a d10; Wick is no player's"
    with pytest.raises(Refused, match="Sam has acted in round 1"):
        table.attack("sam", "troll", weapon="sling")
    with pytest.raises(Refused, match="Sam has moved in round 1"):
        table.play("move", who="sam", to="B1")
    table.play("move", who="pete", to="B1")
    table.play("next")
    table.play("next")
    table.play("move", who="sam", to="B2")


# Attacks


def test_damage_is_the_highest_die(table: Table) -> None:
    """GRT-05: no roll to hit; of several dice the highest; it takes Grit."""
    table.play("start", encounter="bridge", party=["sam"])
    table.play("next")
    table.put("cutter-1", at="B1")
    data = table.attack("cutter-1", "sam", dice=[2, 3])
    assert (data["rolled"]["faces"], data["rolled"]["kept"]) == ([2, 3], 3)
    assert (data["grit_before"], data["grit_after"], data["direct"], data["save"]) == (4, 1, 0, None)
    assert table.texts == ["Cutter 1 attacks Sam with picks: 3 of 2,3. Grit 4 to 1: avoided."]


def test_armor_then_grit_then_direct_damage() -> None:
    """GRT-05: what is over Grit is Direct Damage; without any it was avoided."""
    for face, armor, grit, after, direct in (
        (3, 3, 3, 3, 0), (2, 3, 3, 3, 0), (4, 1, 3, 0, 0), (6, 1, 3, 0, 2), (6, 0, 0, 0, 6)
    ):  # fmt: skip
        with case(face, armor, grit):
            bridge = on_the_stair()
            bridge.put("troll", armor=armor, grit=grit, str=12)
            data = bridge.attack("sam", "troll", weapon="dagger", dice=[face, *([12] if direct else [])])
            assert (data["grit_after"], data["direct"], data["critical"]) == (after, direct, 0)
            assert (data["save"] is None) == (direct == 0)


def test_an_enhanced_attack(bridge: Table) -> None:
    """GRT-05: the d12 comes last, and only the highest counts."""
    bridge.put("troll", grit=20)
    data = bridge.attack("sam", "troll", weapon="dagger", enhanced=["from above"], dice=[3, 10])
    assert (data["rolled"]["dice"], data["rolled"]["kept"], data["grit_after"]) == ([6, 12], 10, 11)


def test_an_impaired_attack(bridge: Table) -> None:
    """GRT-05: one d4 instead of all dice; bare hands are impaired."""
    data = bridge.attack("pete", "troll", weapon="great-bow", impaired=["blind"], dice=[3])
    assert data["rolled"]["sides"] == 4
    data = bridge.attack("sam", "troll", weapon="unarmed", dice=[1])
    assert (data["rolled"]["sides"], data["rolled"]["sources"][0]["reason"]) == (4, "unarmed")


def test_enhanced_bare_hands(bridge: Table) -> None:
    """GRT-05: the two cancel, and a bare hand has no more than its d4."""
    for who, weapon in (("sam", "unarmed"), ("wick", "")):  # Wick has nothing else
        bridge.put(who, at="F1" if who == "sam" else "F2")
        data = bridge.attack(who, "troll", weapon=weapon, enhanced=["asleep"], dice=[3])
        assert data["rolled"]["faces"] == [3]
        bridge.put("troll", grit=2)


def test_cover_impairs(table: Table) -> None:
    """GRT-05: an obstacle between two on the map is cover, without anybody saying so."""
    table.play("start", encounter="bridge", party=["sam", "pete"])
    table.put("pete", at="F1")
    table.put("cutter-1", at="H3")
    data = table.attack("pete", "cutter-1", dice=[1, 2])
    assert [source["reason"] for source in data["rolled"]["sources"]] == ["cover"]


# Overflow and the Critical Damage Save


def test_the_critical_damage_save() -> None:
    """GRT-07: the die has to show more than the Direct Damage."""
    for face, critical, after in ((6, 0, "d6"), (5, 1, "d4"), (1, 1, "d4")):
        with case(face):
            bridge = on_the_stair()
            bridge.put("troll", str=6, grit=0, armor=0)
            data = bridge.attack("sam", "troll", weapon="dagger", dice=[5, face])
            assert data["save"] == {"die": "d6", "rolled": face, "success": critical == 0}
            assert (data["critical"], data["die_after"]) == (critical, after)


def test_the_save_may_be_enhanced_or_impaired(bridge: Table) -> None:
    """GRT-07: a d12 besides, or a d4 alone."""
    bridge.put("troll", grit=0, armor=0)
    data = bridge.attack("sam", "troll", weapon="dagger", save_enhanced=["on guard"], dice=[6, 2, 7])
    assert (data["save"]["rolled"], data["critical"]) == (7, 0)
    data = bridge.attack("pete", "troll", weapon="great-bow", save_impaired=["two at once"], dice=[4, 4])
    assert (data["save"]["rolled"], data["critical"]) == (4, 1)


def test_overflow_comes_first() -> None:
    """GRT-06: as much as the die's highest steps it down at once, and again as long as there is so much; the
    rest is for a Save with the die as it is then. Without a rest there is none."""
    for str_, dice, after, save in (
        (6, [9, 4], "d4", {"die": "d4", "rolled": 4, "success": True}), (8, [8], "d6", None)
    ):  # fmt: skip
        with case(str_):
            bridge = on_the_stair()
            bridge.put("troll", str=str_, grit=0, armor=0)
            data = bridge.attack("pete", "troll", weapon="great-bow", dice=dice)
            assert (data["direct"], data["critical"]) == (dice[0], 1)
            assert (data["die_after"], data["save"]) == (after, save)


def test_overflow_to_zero_ignores_the_rest(bridge: Table) -> None:
    """GRT-06: below a d4 the rest is nothing: incapacitated, not dead."""
    bridge.put("troll", str=4, grit=0, armor=0)
    data = bridge.attack("pete", "troll", weapon="great-bow", dice=[10])
    assert (data["critical"], data["die_after"], data["save"]) == (1, "zero", None)
    assert data["state"] == "incapacitated"


def test_other_attributes(bridge: Table) -> None:
    """GRT-06, 07: a weapon may go against DEX or WIL: Overflow, Save and step are those of that die."""
    bridge.put("troll", wil=4, grit=0, armor=0)
    data = bridge.attack("sam", "troll", weapon="sling", dice=[3, 3])
    assert (data["attribute"], data["save"]["die"], data["die_after"]) == ("wil", "d4", "zero")
    assert (data["state"], bridge.of("troll", "str")) == ("catatonic", 10)


# Critical Damage


def test_critical_damage_brings_the_attackers_effect(bridge: Table) -> None:
    """GRT-08: told with every step down."""
    bridge.put("troll", grit=0, armor=0)
    bridge.attack("sam", "troll", weapon="sling", dice=[5, 1])
    assert "Critical Damage to Troll (the Save failed): WIL d6 to d4. It lets go." in bridge.texts


def test_incapacitated_and_first_aid(bridge: Table) -> None:
    """GRT-08: zero STR is incapacitated; an ally's aid gets one on one's feet, STR stays at zero."""
    bridge.put("sam", str=0, grit=0)
    with pytest.raises(Refused, match="Sam is incapacitated"):
        bridge.play("act", who="sam", text="stands up")
    bridge.put("pete", at="F2")
    assert bridge.play("aid", who="pete", target="sam")["state"] == "up"
    assert bridge.of("sam", "str") == 0
    bridge.play("act", who="sam", text="stands up")
    with pytest.raises(Refused, match="Pete has acted"):
        bridge.play("act", who="pete", text="sings")


def test_the_incapacitated_crawl(bridge: Table) -> None:
    """GRT-08: one square a round and nothing else; a Save is no act. Whoever is paralysed besides doesn't."""
    bridge.put("sam", str=0, grit=0)
    assert bridge.play("save", who="sam", attribute="dex", dice=[4])["success"]
    with pytest.raises(Refused, match="can't get to"):
        bridge.play("move", who="sam", to="D1")
    assert bridge.play("move", who="sam", to="F2")["left"] == 0
    assert bridge.texts == ["Sam crawls to F2."]
    with pytest.raises(Refused, match="has moved in round 1"):
        bridge.play("move", who="sam", to="E2")
    bridge.play("next"), bridge.play("next")
    bridge.play("move", who="sam", to="E2")
    with pytest.raises(Refused, match="incapacitated") as refused:
        bridge.play("attack", who="sam", targets=["troll"], weapon="dagger")
    assert "They can only crawl: `strike grit move sam SQUARE`" in refused.value.hint
    bridge.put("sam", dex=0)
    with pytest.raises(Refused, match="Sam is incapacitated"):
        bridge.play("move", who="sam", to="F2")


def test_crawling_is_a_side_s_turn_and_goes_to_no_other_place() -> None:
    """GRT-03, GRT-08."""
    table = Table(house('distance = "words"'))
    table.play("start", encounter="stair", party=["sam"])
    table.put("sam", str=0)
    table.play("next")
    assert table.play("next")["active"] == "party"
    with pytest.raises(Refused, match="can only crawl"):
        table.play("move", who="sam", to="the door")


def test_aid_is_an_allys_and_close(bridge: Table) -> None:
    """GRT-08."""
    bridge.put("sam", str=0)
    bridge.put("wick", at="A2")
    with pytest.raises(Refused, match="feet away"):
        bridge.play("aid", who="wick", target="sam")
    with pytest.raises(Refused, match="can't get first aid"):
        bridge.play("aid", who="wick", target="pete")
    bridge.play("next")
    with pytest.raises(Refused, match="Sam is not an ally of Troll"):
        bridge.play("aid", who="troll", target="sam")


def test_direct_damage_at_zero_str_kills(bridge: Table) -> None:
    """GRT-08: on one's feet or not, and whatever attribute it is against; what Grit stops does nothing."""
    bridge.put("troll", str=0, aided=True, grit=3, armor=0)
    assert bridge.attack("sam", "troll", weapon="dagger", dice=[3])["state"] == "up"
    data = bridge.attack("pete", "troll", weapon="great-bow", dice=[1])
    assert (data["state"], data["critical"]) == ("dead", 0)
    with pytest.raises(Refused, match="Troll is dead"):
        bridge.attack("wick", "troll")


def test_zero_dex_and_wil(bridge: Table) -> None:
    """GRT-08: paralysed, catatonic; nothing further steps down there."""
    bridge.put("sam", dex=4, wil=4, grit=0)
    assert bridge.play("hurt", who="sam", amount=4, attribute="dex")["attacks"][0]["state"] == "paralysed"
    data = bridge.play("hurt", who="sam", amount=1, attribute="dex")["attacks"][0]
    assert (data["state"], data["critical"], data["save"]) == ("paralysed", 0, None)
    assert bridge.play("hurt", who="pete", amount=14, attribute="wil")["attacks"][0]["die_after"] == "d6"


def test_an_hour_without_help(table: Table) -> None:
    """GRT-08: whoever lies incapacitated dies within the hour; who had help does not."""
    table.set("characters.sam.grit", {"str": 0})
    table.set("characters.pete.grit", {"str": 0, "aided": True})
    assert table.play("hour")["dead"] == ["sam"]
    with pytest.raises(Refused, match="Sam is dead"):
        table.play("start", encounter="stair", party=["sam", "pete"])
    assert list(table.play("start", encounter="stair")["people"]) == ["pete", "wick", "troll"]


# Blast


def test_blast_hits_all_in_the_area(bridge: Table) -> None:
    """GRT-09: each has their own dice; other weapons hit one."""
    bridge.put("pete", at="F2")
    bridge.play("next")
    data = bridge.play("attack", who="troll", targets=["sam", "pete"], weapon="rail", dice=[4, 8, 8])
    assert [one["direct"] for one in data["attacks"]] == [0, 2]
    assert [one["grit_after"] for one in data["attacks"]] == [0, 0]
    bridge.play("next")
    with pytest.raises(Refused, match="at a time"):
        bridge.attack("pete", "troll", "sam", weapon="great-bow")


FLASK = CAMPAIGN.replace("dagger = {", 'flask = { dice = ["d6"], range = "near", blast = 2 }\ndagger = {')


def test_a_blast_with_an_area_hits_everybody_in_it() -> None:
    """GRT-09: within 2 squares of the one aimed at and in sight of it, friends and the attacker too; dice in
    the order of `show`."""
    table = Table(FLASK)
    table.play("start", encounter="bridge", party=["sam", "pete", "wick"])
    places = {"sam": "H2", "pete": "H3", "wick": "F3", "cutter-1": "J2", "cutter-2": "J3", "moth": "A3"}
    for who, at in places.items():
        table.put(who, at=at)
    data = table.play("attack", who="sam", targets=["cutter-2"], weapon="flask", dice=[1, 2, 1, 2, 1, 2])
    assert [one["target"] for one in data["attacks"]] == ["sam", "pete", "cutter-1", "cutter-2"]
    assert data["blast"] == 2


def test_a_blast_with_an_area_stops_at_walls_and_may_be_aimed_at_a_square() -> None:
    """GRT-09: whom a wall hides from where it bursts isn't hit."""
    table = Table(FLASK.replace("P.T...#..c..", "P.T.######.."))
    table.play("start", encounter="bridge", party=["sam", "pete"])
    table.put("sam", at="F3"), table.put("pete", at="G1")
    data = table.play("attack", who="sam", at="g3", weapon="flask", dice=[1])
    assert [one["target"] for one in data["attacks"]] == ["sam"]
    assert table.texts[0] == "Sam attacks with flask at G3."
    for wrong, says in (
        ({"targets": ["troll", "pete"]}, "everybody within 10 feet"),
        ({"at": "Z9"}, "Z9"),
        ({"at": "L1"}, "reaches|sight|Nobody"),
        ({"at": "g3", "weapon": "dagger"}, "no area"),
    ):
        table.set("grit.people.sam.acted", None)
        with pytest.raises(Refused, match=says):
            table.play("attack", **{"who": "sam", "weapon": "flask", **wrong})


def test_without_a_map_a_blast_hits_whom_the_game_master_names() -> None:
    """GRT-09: a number or none."""
    table = Table(FLASK + '\n[house.grit]\ndistance = "words"\n')
    table.play("start", encounter="bridge", party=["sam", "pete"])
    data = table.play(
        "attack", who="sam", targets=["cutter-1", "cutter-2"], weapon="flask", dice=[1, 2, 1, 2]
    )
    assert (len(data["attacks"]), data["blast"]) == (2, None)


# Harm outside of fights


def test_a_trap_is_critical_damage_at_once(table: Table) -> None:
    """GRT-10: a step down without a second Save; Grit is no help, and untouched."""
    data = table.play("trap", who="sam", save="dex", dice=[3])["attacks"][0]
    assert (data["grit_before"], data["grit_after"], data["critical"]) == (4, 4, 1)
    assert (data["die_after"], data["save"], data["rolled"]) == ("d6", None, None)
    assert table.world.get("characters.sam.grit") == {"str": 6}
    assert table.play("trap", who="sam", attribute="wil")["attacks"][0]["die_after"] == "d4"


def test_who_saves_against_a_trap_is_unhurt(table: Table) -> None:
    """GRT-10."""
    data = table.play("trap", who="sam", save="dex", dice=[4])
    assert (data["avoided"], data["attacks"][0]["critical"]) == (True, 0)
    assert table.world.get("characters.sam.grit") is None


def test_a_trap_at_zero_str_kills(table: Table) -> None:
    """GRT-08, GRT-10: nowhere to step down."""
    table.set("characters.sam.grit", {"str": 0, "aided": True})
    assert table.play("trap", who="sam")["attacks"][0]["state"] == "dead"


def test_below_zero_is_nothing_but_for_str(table: Table) -> None:
    """GRT-08, GRT-10: who is paralysed can't be more so."""
    table.set("characters.sam.grit", {"dex": 0})
    data = table.play("trap", who="sam", attribute="dex")["attacks"][0]
    assert (data["critical"], data["state"], table.texts) == (0, "paralysed", [])


def test_in_a_fight_damage_meets_grit(bridge: Table) -> None:
    """GRT-10 is for when nobody fights: then `hurt` goes through Armor and Grit."""
    with pytest.raises(Refused, match="strike grit hurt|in a fight"):
        bridge.play("trap", who="pete")
    data = bridge.play("hurt", who="pete", amount=4)["attacks"][0]
    assert (data["armor"], data["grit_before"], data["grit_after"]) == (1, 5, 2)
    data = bridge.play("hurt", who="pete", amount=3, direct=True, dice=[4])["attacks"][0]
    assert (data["grit_after"], data["direct"], data["critical"]) == (2, 3, 0)


# Morale


def test_the_first_critical_damage_daunts(bridge: Table) -> None:
    """GRT-11: the first of one's own, once; several occasions while the side acts are one Save."""
    bridge.put("troll", grit=0, armor=0)
    data = bridge.attack("sam", "troll", weapon="dagger", dice=[6, 2])
    assert data["morale"] == [{"who": "troll", "why": "first Critical Damage"}]
    assert bridge.attack("pete", "troll", dice=[8])["morale"] == data["morale"], "still the one"
    with pytest.raises(Refused, match="A Morale Save is due: Troll"):
        bridge.play("next")
    assert bridge.play("morale", who="troll", dice=[4])["does"] == "stays"
    bridge.play("next")
    bridge.play("next")
    assert bridge.attack("pete", "troll", dice=[10])["morale"] == [], "each first is once"


def test_the_first_companion_daunts(table: Table) -> None:
    """GRT-11: incapacitated or killed; of the same side, each once."""
    table.play("start", encounter="bridge", party=["sam", "pete"])
    table.put("cutter-1", str=4, at="C1", wil=4)
    data = table.attack("pete", "cutter-1", dice=[10])
    why = "first companion fallen"
    assert {one["who"]: one["why"] for one in data["morale"]} == {"troll": why, "cutter-2": why, "moth": why}
    assert table.play("morale", who="troll", dice=[4])["why"] == why
    table.play("hurt", who="cutter-2", amount=6)
    assert table.of("troll", "due") is None
    assert table.of("cutter-2", "due") == ["companion", "critical"]


def test_who_falls_has_no_save_to_make(bridge: Table) -> None:
    """GRT-11: it holds nobody up."""
    bridge.put("troll", str=4, grit=0, armor=0)
    bridge.attack("pete", "troll", dice=[10])
    assert bridge.play("next")["active"] == "enemies"


def test_who_fails_is_gone() -> None:
    """GRT-11: the game master says how."""
    for does, out in (("flees", "fled"), ("surrenders", "surrendered")):
        bridge = on_the_stair()
        data = bridge.play("morale", who="troll", because="the bridge burns", dice=[3], choices=[does])
        assert (data["success"], data["does"], bridge.of("troll", "out")) == (False, does, out)
        assert data["why"] == "the bridge burns"


def test_morale_may_be_enhanced_or_impaired(bridge: Table) -> None:
    """GRT-11."""
    assert bridge.play("morale", who="troll", enhanced=["a leader"], dice=[1, 12])["success"]
    assert bridge.play("morale", who="troll", impaired=["no way out"], dice=[4])["roll"]["sides"] == 4


def test_hirelings_make_them_and_players_do_not(bridge: Table) -> None:
    """GRT-11: a hireling asked for serious risk, in a fight or not; a companion's fall daunts them, too."""
    with pytest.raises(Refused, match="Sam is a player's"):
        bridge.play("morale", who="sam")
    bridge.play("hurt", who="sam", amount=12, dice=[])
    bridge.play("hurt", who="sam", amount=14)
    assert bridge.of("wick", "due") == ["companion"]
    bridge.put("wick", due=None)
    bridge.play("morale", who="wick", because="into the well", dice=[4])
    table = Table()
    data = table.play("morale", who="wick", because="into the well", dice=[2], choices=["flees"])
    assert data["does"] == "flees"


def test_morale_at_once() -> None:
    """GRT-11: by a house rule the Save is made with the attack that called for it; its dice come after."""
    table = Table(house('morale = "immediate"'))
    table.play("start", encounter="stair", party=["sam"])
    table.put("sam", at="F1")
    table.put("troll", grit=0, armor=0)
    data = table.attack("sam", "troll", weapon="dagger", dice=[6, 2, 5])
    assert [(one["who"], one["does"]) for one in data["morale"]] == [("troll", "stays")]
    table.play("next")


def test_who_ran_is_back_another_day(bridge: Table) -> None:
    """GRT-11: a hireling who fled is out of this fight, and of no other."""
    bridge.play("morale", who="wick", dice=[1], choices=["flees"])
    bridge.play("end")
    assert bridge.world.get("characters.wick.grit") is None
    assert "wick" in bridge.play("start", encounter="stair")["people"]


# Direct Damage added up


def test_direct_damage_may_be_added_up() -> None:
    """GRT-07: by a house rule all of a side's is one lump, with one Save."""
    table = Table(house("combine_direct_damage = true"))
    table.play("start", encounter="stair", party=["sam", "pete"])
    table.put("sam", at="F1")
    table.put("troll", str=12, max_str=12)
    data = table.attack("sam", "troll", weapon="dagger", dice=[6], save_impaired=["two at once"])
    assert (data["direct"], data["save"], data["held"], data["critical"]) == (3, None, True, 0)
    table.attack("pete", "troll", dice=[6])
    with pytest.raises(Refused, match="Direct Damage needs a Save: Troll"):
        table.play("next")
    (lump,) = table.play("settle", dice=[4])["attacks"]
    assert (lump["direct"], lump["critical"], lump["die_after"]) == (8, 1, "d10")
    assert table.of("troll", "unsettled") is None
    with pytest.raises(Refused, match="Direct Damage"):
        table.play("settle")


# Rest


def test_a_rest_brings_grit_back(table: Table) -> None:
    """GRT-12: all of it, unless one is deprived; STR is left to the story."""
    table.set("characters.sam.grit", {"grit": 0, "str": 6})
    table.set("characters.pete.grit", {"grit": 1})
    data = table.play("rest", deprived=["pete"])
    assert [(one["who"], one["grit"], one["str"]) for one in data["rested"][:2]] == [
        ("sam", 4, "d6"),
        ("pete", 1, "d8"),
    ]
    assert table.world.get("characters.sam.grit") == {"str": 6}


def test_the_burdened_have_no_grit() -> None:
    """GRT-12: more than two bulky items."""
    burdened = CAMPAIGN.replace("grit = 4\n", "grit = 4\nbulky = 3\n", 1)
    table = Table(burdened)
    assert table.play("rest", resting=["sam"])["rested"][0]["grit"] == 0
    table = Table(burdened.replace("bulky = 3", "bulky = 2"))
    assert table.play("rest", resting=["sam"])["rested"][0]["grit"] == 4


def test_what_a_rest_mends_is_the_tables() -> None:
    """GRT-12: the rules leave it open; a house rule says steps, or the game master mends by hand."""
    table = Table(house("rest_steps = 1"))
    table.set("characters.sam.grit", {"str": 0, "aided": True, "wil": 4})
    rested = table.play("rest", resting=["sam"])["rested"][0]
    assert (rested["str"], rested["wil"]) == ("d4", "d6")
    assert table.world.get("characters.sam.grit") == {"str": 4}, "nobody needs help any more"
    assert table.play("mend", who="sam", what="str", by=1)["after"] == 6
    assert table.play("mend", who="sam", what="str")["after"] == 8
    with pytest.raises(Refused, match="nothing to restore"):
        table.play("mend", who="sam", what="str")


def test_nobody_rests_in_a_fight_or_while_dying(bridge: Table, table: Table) -> None:
    """GRT-12, GRT-08."""
    with pytest.raises(SceneStillUnderWay):
        bridge.play("rest")
    other = Table()
    other.set("characters.sam.grit", {"str": 0})
    with pytest.raises(Refused, match="sam is incapacitated"):
        other.play("rest")


def test_what_a_fight_leaves_is_kept(bridge: Table) -> None:
    """GRT-08, GRT-12: dice and Grit as they are, until something mends them; what is whole is not written."""
    bridge.play("hurt", who="sam", amount=12)
    bridge.put("sam", str=6)
    bridge.play("end")
    assert bridge.world.get("grit") is None
    assert bridge.world.get("characters.sam.grit") == {"grit": 0, "str": 6}
    assert bridge.world.get("characters.pete.grit") is None
    bridge.play("start", encounter="stair", party=["sam"])
    assert (bridge.of("sam", "grit"), bridge.of("sam", "str"), bridge.of("sam", "max_str")) == (0, 6, 8)


# The source's own example


def test_the_troll(bridge: Table) -> None:
    """GRT-02, 05, 06, 07, 08, 11: Sam and Pete against the troll, digit for digit."""
    saved = bridge.play("save", who="sam", attribute="dex", against="troll", dice=[5, 4])
    assert saved["success"]
    stab = bridge.attack("sam", "troll", weapon="dagger", enhanced=["between its legs"], dice=[3, 10, 6])
    assert (stab["rolled"]["kept"], stab["grit_before"], stab["direct"]) == (10, 2, 7)
    assert stab["save"] == {"die": "d10", "rolled": 6, "success": False}
    assert (stab["critical"], stab["die_after"]) == (1, "d8")
    shot = bridge.attack("pete", "troll", weapon="great-bow", dice=[9])
    assert (shot["direct"], shot["critical"], shot["save"], shot["die_after"]) == (8, 1, None, "d6")
    morale = bridge.play("morale", who="troll", dice=[4])
    assert (morale["die"], morale["success"], morale["does"]) == ("d6", True, "stays")


def test_whoever_rolls_reads_with_what_and_at_whom(bridge: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """On paper dice and phones a purpose alone, `damage`, says neither."""
    asked: list[str] = []

    def roll(*args: Any) -> Roll:
        found = Roll(*args)
        speaker = GameMasterSpeaker(bridge.world.book, [bridge.world.state])
        asked.append(found.why if isinstance(found.why, str) else say(found.why, speaker) or "")
        return found

    bridge.put("pete", at="F2")
    bridge.play("next")
    monkeypatch.setattr(thrown, "Roll", roll)
    bridge.play("attack", who="troll", targets=["sam", "pete"], weapon="rail", dice=[4, 8, 8])
    assert asked[0].endswith("at Sam")
    assert "Rail" in asked[0] or "rail" in asked[0]
