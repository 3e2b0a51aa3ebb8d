"""The game master's hand: places, HP, several people at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.cases import case
from support.cli import Strike
from support.game import Game

from strike_cli.campaign import Campaign
from strike_cli.campaign.journal import START
from strike_cli.play.replay import verify_campaign
from strike_cli.problems import Refused


def test_placing_goes_through_walls_and_costs_nothing(game: Game) -> None:
    """STR-TAC-08: no Opportunity, no action, whosever turn it is."""
    game.draw("Vg#..", "..#..").begin("vex")
    data = game.play("combat place", who="vex", to="E1")
    assert data == {"who": "vex", "from": "A1", "to": "E1"}
    assert game.of("vex", "at") == "E1"
    assert game.of("vex", "hp") == game.of("vex", "max_hp")
    game.play("combat place", who="goblin", to="D1")
    assert game.play("combat attack", who="vex", targets=["goblin"], dice=[4])["attacks"]


def test_only_free_squares_take_somebody(game: Game) -> None:
    """For a large one all its squares."""
    game.draw(".Vg#x.", "...#..").begin("vex")
    for who, to, says in (
        ("vex", "C1", "Goblin stands on C1"), ("vex", "D1", "fit"), ("vex", "Z9", "Z9"),
        ("vex", "B1", "already"), ("ogre", "A1", "Vex stands on A1"),
    ):  # fmt: skip
        with case(who, to), pytest.raises(Refused, match=says):
            game.play("combat place", who=who, to=to)


def test_what_holds_two_together_ends_apart(game: Game) -> None:
    """STR-TAC-25: a grab."""
    game.draw("Vg...").begin("vex")
    game.play("combat status add", who="vex", status="core:grabbed", by="goblin")
    game.play("combat place", who="vex", to="E1")
    assert "grabbed" not in game.statuses("vex")


def hp_of(strike: Strike, who: str) -> int:
    return int(strike.json("combat show")["data"]["fight"]["combatants"][who]["hp"])


def test_a_zone_hurts_nobody_who_is_put_there(fight: Strike) -> None:
    """STR-TAC-21 is about coming in; this is not."""
    fight("combat zone add Fire A2 --damage 3")
    fight("place vex A2")
    assert hp_of(fight, "vex") == 10


def test_hp_as_one_writes_them(fight: Strike) -> None:
    """Taken, given back, set; by labels of the map."""
    assert fight.json("hp g1 -3")["data"]["hp_after"] == 1
    assert fight.json("combat hp g1 +1")["data"]["hp_after"] == 2
    ran = fight("hp g1 3")
    assert "sets Goblin 1: 2 to 3 HP" in ran.out and "sets HP since this version" in ran.err
    assert fight.json("hp g1 =2")["data"]["hp_after"] == 2
    assert "Bloodied" in fight("combat show").out
    assert "sets Goblin 1: 2 to 4 HP" in fight("hp g1 =4").out
    assert "Bloodied" not in fight("combat show").out
    assert "can have 0 to 4 HP, not 5" in fight("hp g1 =5", 1).err
    assert "not a change of HP" in fight("hp g1 lots", 2).err
    assert "not a change of HP" in fight("hp g1 --dyr-run", 2).err
    assert fight.json("hp vex =-2")["data"]["hp_after"] == -2
    assert fight.json("hp g1 =0")["data"]["taken_out"]


def test_several_at_once_are_one_command(fight: Strike) -> None:
    data = fight.json("damage g1 g2 vex 2")["data"]
    assert (data["who"], data["hp_after"]) == ("goblin-1", 2)
    assert [(one["who"], one["hp_after"]) for one in data["others"]] == [("goblin-2", 2), ("vex", 8)]
    fight("undo")
    assert [hp_of(fight, who) for who in ("goblin-1", "goblin-2", "vex")] == [4, 4, 10]
    fight("hp g1 vex -2")
    data = fight.json("heal g1 g2 vex 1")["data"]
    assert [data["hp_after"], *(one["hp_after"] for one in data["others"])] == [3, 4, 9]
    assert "Goblin 2 has 4 of 4 HP and Odo has 10 of 10 HP" in fight("heal g2 odo 1", 1).err.replace(
        ", ", " and "
    )
    data = fight.json("token vex odo 2")["data"]
    assert (data["miss_tokens"], data["others"]) == (2, [{"who": "odo", "miss_tokens": 2}])
    assert fight.json("combat strike vex odo")["data"]["strikes"] == 1
    fight("status add g1 g2 prone")
    assert "are Prone already" in fight("status add g1 g2 prone", 1).err
    fight("undo")
    shown = fight.json("combat show")["data"]["fight"]["combatants"]
    assert not any(shown[who].get("statuses") for who in ("goblin-1", "goblin-2"))


def test_what_the_hand_did_is_said_so_and_taken_back(fight: Strike) -> None:
    """Through the journal, and replayed."""
    assert "The game master puts Goblin 1 on C2, from A1." in fight("place g1 c2").out
    fight("hp g1 =1")
    assert fight.json("replay --verify")["data"]["differences"] == []
    fight("undo 2")
    fight("redo 2")
    assert hp_of(fight, "goblin-1") == 1


# What is asked before it costs anything


@pytest.fixture
def beside(fight: Strike) -> Strike:
    """Vex's turn with a goblin beside her and one at 2 squares."""
    fight("place g2 D1")
    return fight


def asked(strike: Strike, line: str) -> str:
    pending = strike.json(line, 6)["pending"]
    assert (pending["what"], pending["options"]) == ("go or stay", ["go", "stay"])
    return str(pending["labels"][0])


def test_an_attack_at_range_beside_an_enemy_is_asked_about(beside: Strike) -> None:
    """STR-TAC-08: as before a move; nothing is spent by who stays."""
    assert "giving an Opportunity to Goblin 1 (2 damage)" in asked(beside, "attack vex g2 -p ranged-basic")
    data = beside.json("choose stay")["data"]
    assert (data["attacks"], data["opportunities"]) == ([], [])
    assert "holds back" in beside("log --last 1").out
    assert "Attack" in beside("combat show").out.partition("Left to do")[2]
    data = beside.json("attack vex g2 -p ranged-basic --dice 5 --choose go")["data"]
    assert [one["by"] for one in data["opportunities"]] == ["goblin-1"]
    beside("undo")
    assert beside.json("attack vex g2 -p ranged-basic --dice 5 --yes")["data"]["attacks"]
    beside("undo")


def test_an_attack_that_gives_none_is_not(beside: Strike) -> None:
    beside.json("attack vex g1 -p plain-cut --dice 5")
    beside("undo")
    beside("end-turn")
    beside("turn")
    beside("end-turn")
    beside("turn")
    who = beside.json("combat show")["data"]["fight"]["active"]
    assert who.startswith("goblin")
    beside(f"attack {who} vex -p ranged-basic --dice 5", None)  # creatures aren't asked
    assert beside.json("log --last 1")["data"]["entries"][0]["command"] == "combat attack"


def test_marked_and_attacking_another_is_asked_about(beside: Strike) -> None:
    """STR-TAC-08: Marked by who isn't attacked."""
    beside("place g2 C1")
    beside("status add vex marked --by g2 --ends turn-end")
    assert "Goblin 2 (2 damage)" in asked(beside, "attack vex g1 -p plain-cut")


def test_attacking_ones_own_side_is_asked_about(beside: Strike) -> None:
    beside("place odo B2")
    assert "at Odo, on their own side" in asked(beside, "attack vex odo -p plain-cut")
    beside("choose stay")
    assert beside.json("attack vex odo -p plain-cut --dice 5 --yes")["data"]["attacks"]


def test_a_charge_out_of_reach_is_asked_about(beside: Strike) -> None:
    """STR-TAC-08, 13: leaving one enemy for another."""
    assert "giving an Opportunity to Goblin 1 (2 damage)" in asked(beside, "charge vex g2")
    assert beside.json("choose stay")["data"]["charge"]["path"] == []
    data = beside.json("charge vex g2 --yes --dice 5")["data"]
    assert [one["by"] for one in data["opportunities"]] == ["goblin-1"]


def test_hp_below_zero_have_the_minus_that_is_typed(
    fight: Strike, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And journals that have another one are replayed as the same words."""
    assert "10 to -2 HP" in fight("damage vex 12").out
    assert "-2/10" in fight("combat show").out
    with Campaign(folder) as campaign:
        entries = [(dict(entry), *more) for entry, *more in campaign.journal.entries_since(START)]
        for entry, *_ in entries:
            for fact in entry["facts"]:
                fact["text"] = fact["text"].replace("to -2 HP", "to \N{MINUS SIGN}2 HP")
        monkeypatch.setattr(campaign.journal, "entries_since", lambda _: iter(entries))
        assert verify_campaign(campaign).differences == []


def test_what_is_set_by_hand_is_told(game: Game) -> None:
    """With the reason; and what it was before."""
    for value, words in ((3, "3"), (None, "nothing"), ("", "nothing"), (0, "0")):
        with case(value):
            game.set("characters.vex.ap", 1)
            data = game.play("override", path="characters.vex.ap", value=value, why="a slip")
            assert game.texts() == [f"The game master sets characters.vex.ap to {words}: a slip."]
            assert (data["before"], data["after"], game.get("characters.vex.ap")) == (1, value, value)
