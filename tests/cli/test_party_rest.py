"""The whole party's rest, fights that are parked, and what an evening leaves open."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.cli import Strike

from strike_cli.campaign import Campaign


def conditions(folder: Path, who: str) -> list[str]:
    with Campaign(folder) as campaign:
        return list(campaign.state.get("characters", {}).get(who, {}).get("conditions", []))


def test_a_rest_is_for_everybody(in_campaign: Strike, folder: Path) -> None:
    """STR-CORE-13: Winded goes, then Angry; what needs more stays, and is named."""
    for who, condition in (("vex", "angry"), ("vex", "winded"), ("odo", "winded"), ("brann", "exhausted")):
        in_campaign(f"condition add {who} {condition}")
    told = in_campaign("rest minutes")
    assert "Brann still: Exhausted (a long rest somewhere safe)" in told.out
    assert [conditions(folder, who) for who in ("vex", "odo", "brann")] == [[], [], ["core:exhausted"]]
    in_campaign("undo")
    assert conditions(folder, "vex") == ["core:angry", "core:winded"]
    assert in_campaign.json("rest long brann odo")["data"]["ended"].keys() == {"brann", "odo"}
    assert conditions(folder, "vex") == ["core:angry", "core:winded"]


def test_a_rest_that_ends_nothing_passes_time_and_says_so(in_campaign: Strike) -> None:
    in_campaign("condition add vex injured")
    told = in_campaign("rest year vex").out
    assert "it ends nothing" in told
    assert "Vex still: Injured" in told
    assert "There is no rest 'hour'" in in_campaign("rest hour", 2).err


def test_a_condition_that_adds_up_ends_once(in_campaign: Strike, folder: Path) -> None:
    """STR-CORE-13: one year for each Broke."""
    in_campaign("condition add vex broke")
    in_campaign("condition add vex broke")
    in_campaign("rest year")
    assert conditions(folder, "vex") == ["core:broke"]


@pytest.mark.slow
def test_a_fight_waits_while_another_is_played(fight: Strike, folder: Path) -> None:
    fight("damage vex 3")
    with Campaign(folder) as campaign:
        before = campaign.state["fight"]
    assert "`strike combat park` parks it" in fight("combat start yard", 1).err
    fight("park")
    assert "There is no fight" in fight("combat show", 1).err
    fight("combat start yard --party vex")
    assert "Back to The Ring, round 1." in fight("combat return").out
    with Campaign(folder) as campaign:
        assert campaign.state["fight"] == before
        assert list(campaign.state["parked_fights"]) == ["yard"]
    fight("move B2 --shift")
    fight("combat return yard")
    fight("combat abandon")
    assert "'yard'" in fight("combat return yard", 2).err
    fight("return ring", 2)  # no fight is under way whose verb it would be
    fight("combat return ring")
    with Campaign(folder) as campaign:
        assert campaign.state["fight"]["combatants"]["vex"]["at"] == "B2"
        assert "parked_fights" not in campaign.state
    assert fight.json("replay --verify")["data"]["differences"] == []
    assert fight.json("doctor")["ok"]


def test_the_same_encounter_may_wait_twice(in_campaign: Strike) -> None:
    for _ in range(2):
        in_campaign("combat start ring --party vex")
        in_campaign("combat park")
    assert "Several scenes are parked: ring, ring-2" in in_campaign("combat return", 2).err.replace(
        " and", ","
    )
    in_campaign("combat return ring-2")


def test_an_open_decision_keeps_its_fight_here(fight: Strike) -> None:
    fight("combat attack vex goblin-1 --power trip --dice 3", 6)
    assert "A decision is open" in fight("combat park", 1).err
    fight("choose damage")
    fight("combat park")
    fight("roll skill vex Climbing --dice 3", 6)
    fight("combat return")  # no roll rests on a fight that is parked
    fight("choose waive", None)


def test_the_end_names_what_is_open(in_campaign: Strike) -> None:
    in_campaign("session start")
    in_campaign("combat start ring --party vex")
    in_campaign("combat park")
    in_campaign("chase start roofs --runners vex --chasers goblin --range close")
    in_campaign("roll skill vex Climbing --dice 3", 6)
    refused = in_campaign("session end", 1).err
    assert "Vex" in refused
    in_campaign("undo")
    assert "The Ring is parked: strike combat return ring" in in_campaign("status").out
    parked = in_campaign.json("status")["data"]["parked"]
    assert parked == [{"what": "The Ring is parked", "next": "strike combat return ring"}]
    told = in_campaign("session end").out
    assert ": strike chase show" in told
    assert "The Ring is parked: strike combat return ring" in told


@pytest.mark.slow
def test_a_trial_of_a_turn_shows_all_of_it(in_campaign: Strike, folder: Path) -> None:
    """`auto --dry-run` and `next --dry-run`: what would be played, and then is with the same seed."""
    in_campaign("combat start ring --party vex --party odo")
    in_campaign("combat initiative --dice 1,2,6,5")
    state = (folder / "state.toml").read_bytes()
    tried = in_campaign.json("combat auto --until-player --seed 7 --dry-run")["data"]["played"]
    assert [one["command"] for one in tried].count("combat turn") == 2
    assert {one["seq"] for one in tried} == {None}
    assert (folder / "state.toml").read_bytes() == state
    played = in_campaign.json("combat auto --until-player --seed 7")["data"]["played"]
    assert [(one["command"], one["args"], one["data"]) for one in played] == [
        (one["command"], one["args"], one["data"]) for one in tried
    ]
    in_campaign("turn")
    assert "Vex's turn" in in_campaign("next --dry-run").out
    assert in_campaign.json("combat show")["data"]["fight"]["active"] == "odo"


def test_dice_on_the_table_are_for_all_of_a_next(fight: Strike) -> None:
    """In the order asked: a save as the turn ends, a Comeback Roll as the next begins. What nobody needs is
    said; what lacks stops it there, and the next go takes it."""
    fight("combat status add vex dazed")
    fight("combat damage odo 10")
    both = fight("next --dice 4,6,2 --choose wet").out
    assert "Vex saves against Dazed: 4, it ends." in both
    assert "Odo's Comeback Roll: 6" in both
    assert "Nothing needed these dice after all: 2." in both
    assert "Nothing needed these choices after all: wet." in both
    fight("undo")
    lacks = fight("next --dice 4", 2).err
    assert "d6 for Odo, comeback" in lacks and "Before that" in lacks
    assert "Odo's Comeback Roll: 6" in fight("next --dice 6").out
    fight("undo 2")
    fight("combat status remove vex dazed")
    assert "Odo's Comeback Roll: 5" in fight("next --dice 5").out


def test_a_trial_of_a_fight_shows_who_would_be_there(in_campaign: Strike) -> None:
    told = in_campaign("combat start ring --party vex --dry-run").out
    assert "Goblin 2" in told
    assert "Vex" in told
    assert "There is no fight" in in_campaign("combat show", 1).err
