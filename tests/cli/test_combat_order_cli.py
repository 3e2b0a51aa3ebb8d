"""The commands for acting out of order, for newcomers and for creatures by count, as they are typed."""

from __future__ import annotations

from typing import Any

import pytest
from cli.conftest import Typed
from support.cases import case
from support.cli import Strike


@pytest.fixture
def yard(in_campaign: Strike) -> Strike:
    """The mill yard, Vex's turn under way, then the goblins', then Brann's."""
    in_campaign("combat start yard --party vex --party brann")
    in_campaign("combat initiative --dice 6,1,4,3")
    in_campaign("combat turn")
    return in_campaign


def test_preparing_and_a_trigger(yard: Strike) -> None:
    """STR-TAC-05: what is typed is checked at once, and played when it comes."""
    yard('combat prepare vex --trigger "one is near" --then "attack goblin-1 --power sting"')
    assert "Vex will attack goblin-1 --power sting when one is near." in yard("combat show").out
    yard("combat end-turn")
    yard("combat turn")
    yard("combat move goblin-1 E2")
    data = yard.json("combat trigger vex --dice 6")["data"]
    assert (data["trigger"], data["attacks"][0]["target"]) == ("one is near", "goblin-1")
    assert "Vex will" not in yard("combat show").out
    yard("combat trigger vex", code=1)


def test_what_cant_be_prepared(yard: Strike) -> None:
    """STR-TAC-05: an attack or a move, of and at somebody who is there."""
    for then, says in (
        ("atack goblin-1", "attack"),
        ("attack goblin-9", "goblin-9"),
        ("move Z0", "Z0"),
        ("rally", "can't be prepared"),
        ("attack goblin-1 --loud", "--loud"),
        ("move C2 --at C2", "--at"),
        ("stand goblin-1", "one word too many"),
        ("use nonsense", "nonsense"),
        ("use --at C2", "no power"),
        ("'", "can't be read"),
    ):
        with case(then):
            ran = yard(f'combat prepare vex --trigger "it comes" --then "{then}"', code=2)
            assert says in ran.err


def test_what_was_left_open_is_said_later(yard: Strike) -> None:
    """STR-TAC-05."""
    yard('combat prepare vex --trigger "it comes" --then move')
    yard("combat end-turn")
    assert "leaves open the target or square" in yard("combat trigger vex", code=2).err
    assert yard.json('combat trigger vex --then "move C2"')["data"]["to"] == "C2"


def test_what_was_named_and_is_illegal_then_is_wasted(yard: Strike) -> None:
    """STR-TAC-05: with the reason; what was named can't be exchanged for something else."""
    yard('combat prepare vex --trigger "one is near" --then "attack goblin-1 --power sting"')
    yard("combat end-turn")
    yard("combat turn")
    refused = yard('combat trigger vex --then "attack goblin-2 --power sting"', 1).err
    assert "It was prepared as: attack goblin-1 --power sting." in refused
    yard("combat leave goblin-1 --why surrenders")
    told = yard("combat trigger vex").out
    assert "Vex's prepared action can't be done now, and is wasted." in told
    assert "Goblin 1 is out of this fight." in told
    assert "hasn't prepared an action" in yard("combat trigger vex", 1).err


def test_what_takes_no_attack_is_refused_while_one_may_still_choose(yard: Strike) -> None:
    """STR-TAC-05: rallying is No Action; getting up is a Move."""
    refused = yard('combat prepare vex --trigger "it comes" --then "use rally"', code=1).err
    assert "Rally" in refused
    yard("combat status add vex prone --ends encounter")
    yard('combat prepare vex --trigger "it comes" --then stand')
    yard("combat end-turn")
    assert yard.json("combat trigger vex")["data"]["action"] == "interrupt"


def test_delaying_and_resuming(yard: Strike) -> None:
    """STR-TAC-06: shown until it is over."""
    yard("combat delay vex")
    assert "Vex has delayed." in yard("combat show").out
    yard("combat turn")
    yard("combat end-turn")
    assert "Left to do: Attack, Move, Role" in yard("combat resume vex").out
    assert "delayed" not in yard("combat show").out


def test_coming_and_going(yard: Strike) -> None:
    """STR-TAC-01, STR-TAC-15."""
    data: dict[str, Any] = yard.json("combat join goblin 2 --at F4 --dice 5,2")["data"]
    assert data["joined"] == ["goblin-3", "goblin-4"]
    assert data["order"] == ["vex", "goblin-3", "goblin-1", "goblin-2", "goblin-4", "brann"]
    yard("combat leave goblin-3 --why 'into the reeds'")
    assert "left" in yard("combat show").out
    yard("undo 2")
    assert "goblin-3" not in yard("combat show").out
    yard("combat join goblon --at F4", code=2)
    assert yard.json("combat join goblin")["data"]["joined"] == ["goblin-3"], "beside their own side"


def test_how_statuses_end_is_shown(yard: Strike) -> None:
    """STR-TAC-25."""
    yard("combat status add brann marked --by goblin-1 --ends turn-end --of goblin-1")
    yard("combat status add brann guarded --ends attacked")
    shown = yard("combat show").out
    assert "Marked by Goblin 1 until the end of Goblin 1's next turn, Guarded (until attacked)" in shown
    yard("combat hide goblin-2 --now")
    assert "Hidden" in yard("combat show").out
    assert yard("combat status add brann slowed --ends teatime", code=2).err.startswith("--ends 'teatime'")


def test_creatures_by_count_and_difficulty(in_campaign: Strike) -> None:
    """STR-TAC-27."""
    data = in_campaign.json("combat start ring --party vex --with ogre:1 --dry-run", code=1)
    assert "no room" in data["error"]["message"]
    data = in_campaign.json("combat start yard --with goblin:2 --with wild:goblin --party vex --party odo")[
        "data"
    ]
    refs = [item["ref"] for item in data["combatants"].values()]
    assert (refs.count("goblin"), refs.count("wild:goblin")) == (4, 1)
    in_campaign("combat abandon")
    assert "hard" in in_campaign("combat start yard --with goblin --difficulty hrd", code=2).err


def test_at_a_terminal_the_game_master_breaks_ties_of_creatures(
    in_campaign: Strike, at_terminal: Typed
) -> None:
    """STR-TAC-02: by a name or a number; an empty line leaves them as listed."""
    in_campaign("combat start ring --party vex")
    for line, first in (("goblin-2", "goblin-2"), ("2", "goblin-1"), ("", "goblin-1"), ("as", "goblin-1")):
        at_terminal(line)
        assert "tie for initiative on 5" in in_campaign("combat initiative --dice 1,5,5").out
        assert in_campaign.json("combat show")["data"]["fight"]["order"][0] == first, line
        in_campaign("undo")


def test_a_script_does_not_stop_for_ties(in_campaign: Strike) -> None:
    """STR-TAC-02: those who tie act as listed, unless it says who is first."""
    in_campaign("combat start ring --party vex --party odo")
    in_campaign("combat initiative --dice 3,3,5,5")
    order = in_campaign.json("combat show")["data"]["fight"]["order"]
    assert order == ["goblin-1", "goblin-2", "vex", "odo"]
    in_campaign("undo")
    in_campaign("combat initiative --dice 3,3,5,5 --choose odo")
    order = in_campaign.json("combat show")["data"]["fight"]["order"]
    assert order == ["goblin-1", "goblin-2", "odo", "vex"]
    in_campaign("undo")
    in_campaign("combat initiative --dice 3,3,5,5 --choose vex,goblin-2")
    assert in_campaign.json("combat show")["data"]["fight"]["order"][0] == "goblin-2"
    assert in_campaign.json("replay --verify")["data"]["differences"] == []
