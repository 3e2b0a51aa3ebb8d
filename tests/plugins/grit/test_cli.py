"""Grit on the command line: what is typed, shown, asked, refused, taken back."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.cases import case
from support.cli import Once, Strike
from support.current_campaign import state, told_to

from strike_cli.campaign import Campaign
from strike_cli.campaign_on_screen import campaign_on_one_screen
from strike_cli.content.merged_content import book_of_core_and_plugins
from strike_cli.terminal.command_output import blocks_as_unwrapped_text
from strike_cli.terminal.move_commands import commands_declared_in
from strike_cli.terminal.name_lookup import people_still_in_scene_suggester
from strike_cli.visibility.audiences import PLAYERS, Audience
from strike_grit import argument_parsers, commands


@pytest.fixture
def fight(grit: Strike, tmp_path: Path, once: Once) -> Strike:
    """On the bridge: Sam, Pete, a troll, two cutters, and a moth that nobody sees."""
    once("grit on the bridge", tmp_path, lambda: grit("grit start bridge --party sam --party pete"))
    return grit


# What commands give


def test_what_a_save_gives(grit: Strike) -> None:
    """GRT-02: the contract's keys, in a campaign and without one."""
    data = grit.json("grit save --die d8 --against-die d6 --dice 5,4")["data"]
    assert (data["die"], data["success"]) == ("d8", True)
    assert (data["roll"]["kept"], data["against"]["kept"]) == (5, 4)
    data = grit.json("grit save sam dex --against troll str --dice 5,6")["data"]
    assert (data["who"], data["success"], data["against"]["sides"]) == ("sam", False, 10)


def test_what_an_attack_gives(fight: Strike) -> None:
    """GRT-05 to 08: the contract's keys."""
    fight("override grit.people.troll.grit 0 --why mid-battle")
    data = fight.json("grit attack pete troll --dice 9,8")["data"]
    (one,) = data["attacks"]
    assert {key: one[key] for key in one if key != "rolled"} == {
        "target": "troll", "armor": 1, "grit_before": 0, "grit_after": 0, "direct": 8, "critical": 1,
        "save": {"die": "d10", "rolled": 8, "success": False},
        "attribute": "str", "die_after": "d8", "state": "up",
    }  # fmt: skip
    assert one["rolled"]["faces"] == [9]
    assert data["morale"] == [{"who": "troll", "why": "first Critical Damage"}]


def test_bare_dice_need_no_campaign(strike: Strike) -> None:
    """GRT-05: `grit attack` and `grit save` of nobody."""
    line = "grit attack --damage d6,d6 --armor 1 --grit 2 --str d10 --dice 5,6,3"
    (one,) = strike.json(line)["data"]["attacks"]
    assert (one["rolled"]["kept"], one["direct"], one["die_after"]) == (6, 3, "d8")
    assert "Saved." in strike("grit save --die d6 --dice 4").out
    assert "d6 + d12" in strike("grit save --die d6 --enhanced luck --dice 2,11 --explain").out


def test_why_a_roll_was_so(fight: Strike) -> None:
    out = fight("grit attack pete troll --enhanced asleep --dice 1,2 --explain").out
    assert "enhanced: asleep" in out
    assert "damage: d10 + d12 advantage, faces 1, 2, kept 2" in out


def test_creatures_besides(grit: Strike) -> None:
    """As many as one says, beside those of the encounter."""
    people = grit.json("grit start bridge --with cutter:2 --with troll")["data"]["people"]
    assert {"cutter-1", "cutter-2", "cutter-3", "cutter-4", "troll-2"} <= set(people)
    assert "no creature 'ogre'" in grit("grit start stair --with ogre:2", 2).err


# Screens


def test_the_screen_shows_what_the_table_needs(fight: Strike) -> None:
    """GRT-01, 03: the map, Grit, dice, who may act, what is due."""
    fight("override grit.people.cutter-1.str 4 --why hurt")
    fight("grit attack pete cutter-1 --dice 4")  # there is cover
    out = fight("grit show").out
    for words in ("The Bridge · Round 1", "STR d10, DEX d6, WIL d6", "To act: Sam", "Acted: Pete"):
        assert words in out
    data = fight.json("grit show")["data"]
    assert data["order"]["kind"] == "sides"
    assert (data["order"]["active"], data["order"]["next"]) == ("party", ["enemies"])
    people = data["people"]
    assert [(meter["name"], meter["value"], meter["most"]) for meter in people["sam"]["meters"]] == [
        ("Grit", 4, 4), ("STR", 8, 8), ("DEX", 10, 10), ("WIL", 6, 6)
    ]  # fmt: skip
    for who, id, name in (
        ("cutter-1", "incapacitated", "Incapacitated"), ("cutter-2", "morale-due", "Morale due")
    ):  # fmt: skip
        assert people[who]["statuses"] == [{"id": id, "name": name, "secret": False}]
    assert "grit morale troll" in data["next"]


def test_without_squares_it_is_a_list(grit: Strike, tmp_path: Path) -> None:
    """GRT-03: distances by words."""
    with Path("campaign.toml").open("a", encoding="utf-8") as file:
        file.write('\n[house.grit]\ndistance = "words"\n')
    grit("grit start stair")
    grit('grit move sam "the landing"')
    out = grit("grit show").out
    assert "the landing" in out
    assert "acted" not in out
    assert "d8" in out


def test_every_screen_knows_it(fight: Strike) -> None:
    assert "The Bridge: round 1, Party's turn. strike grit show" in fight("status").out
    with Campaign(Path()) as campaign:
        watched = blocks_as_unwrapped_text(campaign_on_one_screen(campaign, 30, 100, PLAYERS))
    assert "Troll" in watched
    assert "Moth" not in watched, "nobody sees it"
    assert "By Grit  4/4 Grit · Armor 0 · STR d8 · DEX d10 · WIL d6" in fight("character show sam").out
    sheet = fight.json("character show sam")["data"]["merged"]["grit"]
    assert (sheet["dex"], sheet["max_grit"], sheet["weapons"]["dagger"]["range"]) == ("d10", 4, "close")
    assert "The Bridge" in fight("log").out
    assert "fight NAME" in fight("--help").out


def test_a_card_has_what_the_sheet_has(grit: Strike) -> None:
    """What is of a system that reads nothing back in words is as it is written."""
    (card,) = grit.json("card troll")["data"]["cards"]
    about = {line["about"]: line["text"] for line in card["lines"]}
    assert about["Str"] == "d10" and about["Tier"] == "standard: 10 HP"


def test_a_report_tells_it(grit: Strike) -> None:
    """Harm of a fight with the fight, harm between fights by itself."""
    grit("session start")
    grit("grit trap sam --save dex --dice 1")
    grit("grit start stair")
    grit("override grit.people.troll.str 4 --why old")
    grit("grit attack pete troll --dice 9")
    grit("grit end")
    report = grit.json("session report")["data"]
    assert report["deeds"]["pete"] == {"attacks": 1, "dice": 1, "dealt": 6, "felled": 1}
    (scene,) = report["scenes"]
    assert scene["outcome"] == "The Stair is over: the party holds the field."
    assert [told["text"] for told in report["sections"]["Harm"]] == [
        "Critical Damage to Sam (no fight, so no Save): STR d8 to d6."
    ]


def test_tab_knows_its_words(fight: Strike) -> None:
    with Campaign(Path()) as campaign:
        assert "pete" in people_still_in_scene_suggester("grit")(campaign, {})
        assert {"dagger", "picks", "unarmed"} <= set(argument_parsers._all_weapon_names(campaign))
        for name, declared in commands_declared_in(commands.app).items():
            for word, reads in declared.parsers.items():
                assert reads.complete is None or list(reads.complete(campaign)), (name, word)


def test_a_virtual_tabletop_is_told(fight: Strike) -> None:
    """By the common form alone: tokens with meters, the order, and not the moth."""
    with Path("campaign.toml").open("a", encoding="utf-8") as file:
        file.write('\n[bridge.targets.table]\nkind = "table"\nurl = "http://127.0.0.1:1"\n')
    out = fight("bridge push --dry-run --json").out
    for word in ('"troll"', '"Grit"', '"STR"', '"sides"'):
        assert word in out


# Deciding, taking back


def test_a_decision_waits(fight: Strike) -> None:
    """GRT-11: whether one flees or surrenders; its dice stand."""
    asked = fight.json("grit morale troll --because fire --dice 1", 6)["pending"]
    assert (asked["who"], asked["options"]) == ("the game master", ["flees", "surrenders"])
    assert fight.json("grit next", 6)["pending"] == asked
    assert fight.json("choose flees")["data"]["does"] == "flees"
    fight("undo 2")
    assert state()["grit"]["people"]["troll"].get("out") is None


def test_numbers_of_foes_may_be_kept(fight: Strike) -> None:
    """Where a target shows none of them, no fact does either; those of the party are theirs."""
    fight("grit attack pete troll --dice 9,2")
    fight("grit morale troll --dice 4")
    fight("grit next")
    fight("override grit.people.troll.at B1 --why charging")
    fight("grit attack troll sam --dice 8,1")
    told = told_to(Audience(meters="none"))
    assert "Pete attacks Troll with great-bow: 9. It gets through." in told
    assert "Critical Damage to Troll." in told
    assert "Troll attacks Sam with rail: 8. Grit 4 to 0, 4 Direct Damage." in told


def test_who_attacks_is_seen(fight: Strike) -> None:
    """A hidden creature stays so until it attacks."""
    fight("grit next")
    assert state()["grit"]["people"]["moth"]["hidden"]
    fight("override grit.people.moth.at B1 --why fluttering")
    fight("grit attack moth sam --dice 1")
    assert "hidden" not in state()["grit"]["people"]["moth"]
    assert "Pit Moth attacks Sam" in fight("log --player").out


# Refusals


def test_what_is_refused(fight: Strike) -> None:
    """Each says what is possible, and changes nothing."""
    before = state()
    for line, code, says in (
        ("grit start bridge", 1, "The Bridge is still going on"),
        ("grit start brige", 2, "Did you mean 'bridge'"),
        ("grit attack sam troll --with sword", 1, "--with one of dagger, sling, unarmed"),
        ("grit attack sam trol --with spear", 1, "Sam has no 'spear'"),
        ("grit attack sam cutter-2 -w d", 1, "5 feet"),  # a dagger of Sam's own
        ("grit attack sam ogre --with dagger", 2, "no person 'ogre'"),
        ("grit attack pete", 1, "The attack has no target"),
        ("grit attack pete pete", 1, "attacks itself"),
        ("grit attack pete troll troll", 1, "one target at a time"),
        ("grit attack sam cutter-2 --with dagger", 1, "5 feet"),
        ("grit attack troll sam", 1, "It is the turn of the party"),
        ("grit attack", 1, "--damage d6,d6"),
        ("grit attack --damage d7 --str d6", 1, "The dice are d4, d6, d8, d10, d12"),
        ("grit attack --damage d6 --str d20", 1, "The dice are d4, d6, d8, d10, d12"),
        ("grit attack pete troll --dice 11", 2, "You gave 2 dice; this takes 1"),
        ("grit attack pete troll --dice 1,2", 2, "You gave 2 dice"),
        ("grit save sam luck", 2, "One of: str, dex, wil"),
        ("grit save sam", 1, "'' is not an attribute"),
        ("grit save", 1, "Whose Save is it?"),
        ("grit save sam dex --die d6", 1, "--die is without a person"),
        ("grit save sam dex --against sam", 1, "can't save against Sam"),
        ("grit morale sam", 1, "players decide for themselves"),
        ("grit aid pete sam", 1, "first aid"),
        ("grit move sam Z9", 1, "Z9"),
        ("grit move sam A1", 1, "Sam is there"),
        ("grit door A1", 1, "This map has no doors."),
        ("grit hurt sam none", 2, "'none' is not an amount"),
        ("grit mend sam luck", 1, "grit, str, dex or wil"),
        ("grit mend sam str", 1, "nothing to restore"),
        ("grit rest", 1, "strike grit end"),
        ("grit settle", 1, "There is no Direct Damage"),
        ("override grit.people.sam.str 5 --why x", 3, "grit.people.sam.str"),
        ("override grit.active nobody --why x", 3, "'nobody' is not one of 'party', 'enemies'"),
        ("override grit.people.sam.out gone --why x", 3, "'dead', 'left', 'fled', 'surrendered'"),
    ):
        with case(line):
            assert says in fight(line, code).err
            assert state() == before


def test_between_fights(grit: Strike) -> None:
    for line in ("attack sam troll", "move sam A1", "end", "settle", "door A1"):
        assert "No fight by Grit is under way" in grit(f"grit {line}", 1).err
    assert "No scene of Fights by Grit is under way" in grit("grit show", 1).err
    assert "Troll is not in a fight" in grit("grit trap troll", 1).err


def test_who_has_no_sheet(grit: Strike) -> None:
    with Path("campaign.toml").open("a", encoding="utf-8") as file:
        file.write('\n[characters.new]\nname = "New"\n')
    assert "no person 'new'" in grit("grit save new dex", 2).err
    assert "no character 'new'" in grit("grit start stair --party new", 2).err
    assert "new" not in grit.json("grit start stair")["data"]["people"]


# A bot, and scripts


@pytest.mark.slow
def test_a_bot_plays_both_sides_to_the_end(fight: Strike) -> None:
    for _ in range(60):
        if "grit" not in state():
            break
        fight("grit auto", None)
        while state().get("pending"):
            fight("choose surrenders")
    assert "is over: " in fight("log --last 1").out
    assert fight.json("replay --verify")["data"]["differences"] == []


def test_a_bot_shoots_whom_it_can_drop(fight: Strike) -> None:
    """It plays what brings its side most; nobody shoots at who isn't seen."""
    options = [each["typed"] for each in fight.json("grit options")["data"]["options"]]
    assert "attack pete cutter-1 --with great-bow" in options
    assert not [typed for typed in options if "moth" in typed]
    fight("override grit.people.sam.acted 1 --why busy")
    assert "Pete attacks Cutter" in fight("grit auto").out


def test_who_moves_goes_eight_squares_unless_the_house_says_otherwise() -> None:
    assert book_of_core_and_plugins(["grit"]).house["grit.move"] == 8


def test_a_round_in_few_keys(grit: Strike) -> None:
    """GRT-03: verbs without their group, letters, labels of the map; the last of a side need not be named."""
    grit("grit start stair --party sam --party pete")
    assert "The turn belongs to a side: party." in grit("act looks", 1).err
    grit("d sam looks")
    assert grit.json("a T1 --dice 3 --dry-run", None)["command"] == "grit attack"
    assert grit.json("attack troll --with great-bow --dice 3")["data"]["who"] == "pete"
    assert grit.json("n")["command"] == "grit next"
    data = grit.json("m E1 --dry-run")["data"]
    assert data["who"] == "troll"
    assert grit.json("v sam dex --dice 4 --dry-run")["command"] == "grit save"


def test_a_weapon_in_hand_needs_no_name(grit: Strike) -> None:
    """The one attacked with last; before that the only one that reaches."""
    grit("grit start bridge")
    only = grit.json("grit attack sam troll --dice 1 --dry-run")["facts"]
    assert any(fact.get("weapon") == "sling" for fact in only), "a dagger doesn't reach"
    beside = state()["grit"]["people"]["troll"]["at"]
    grit(f"place sam {chr(ord(beside[0]) - 1)}{beside[1:]}")
    assert "several weapons, and no weapon in hand" in grit("grit attack sam troll", 1).err
    grit("grit attack sam troll --with dagger --dice 1")
    grit("next")
    grit("next")
    again = grit.json("grit attack sam troll --dice 1 --dry-run")["facts"]
    assert any(fact.get("weapon") == "dagger" for fact in again)


def test_a_blast_without_an_area_says_who_else_may_be_in_it(grit: Strike) -> None:
    """GRT-09: whom it hits is the game master's to say."""
    grit("grit start bridge")
    grit("grit move sam E2")
    grit("grit move pete B2")
    told = grit("grit attack sam troll --with sling --dice 3").out
    assert "Beside Troll: Pete. A blast without an area hits the targets that you name." in told
