"""Rolls as they are typed: who may help, names cut short, what a script reads while a decision is open."""

from __future__ import annotations

from support.cases import case
from support.cli import Strike


def test_who_may_not_help(in_campaign: Strike) -> None:
    """STR-CORE-20."""
    for helpers, why in (
        ("--help-from vex", "nobody helps with their own roll"),
        ("--help-from odo --help-from od", "named twice"),
        ("--help-from odo:perhaps", "odo:perhaps"),
    ):
        with case(helpers):
            assert why in in_campaign(f"roll skill vex Climbing {helpers}", 2).err


def test_a_skill_goes_by_its_beginning(in_campaign: Strike) -> None:
    for typed in ("climb", "CLIMBING", "Climbing"):
        with case(typed):
            data = in_campaign(f"roll skill vex {typed} --dice 5 --json").json["data"]
            assert (data["skill"], data["skilled"]) == ("Climbing", True)


def test_what_is_known_is_there_while_a_cost_is_open(in_campaign: Strike) -> None:
    """A script need not wait for the Cost to read the roll."""
    said = in_campaign("roll skill vex Climbing --dice 3 --json", 6).json
    assert said["pending"]["what"] == "cost"
    assert (said["data"]["outcome"], said["data"]["costs"]) == ("success", 1)


def test_who_is_in_a_scene_of_any_kind_rolls(in_campaign: Strike) -> None:
    """STR-CORE-03, 20: a chaser who is in no file, by the beginning of the name."""
    in_campaign("chase start --runners vex --chasers 'toll riders' --range far")
    assert in_campaign.json("roll skill toll Riding --skilled --dice 4")["data"]["who"] == "toll riders"
    assert in_campaign.json("odds skill vex Riding --help-from toll:skilled")["ok"]


def test_somebody_who_is_in_no_file_rolls(in_campaign: Strike) -> None:
    """A name like none that is known plays; a typo, a Skill in its place and a lone word are refused."""
    line = "roll opposed vex Climbing --against stoker Brawling --theirs skilled --dice 2,6"
    assert in_campaign.json(line)["data"]["winner"] == "theirs"
    assert (
        in_campaign.json("roll skill 'old Magritte' Haggling --skilled --dice 5")["data"]["outcome"]
        == "success"
    )
    assert "Old Magritte" in in_campaign("log").out
    for typed in ("roll skill vxe climbing", "roll climbing vex", "roll stoker", "roll skill opposd vexing"):
        in_campaign(typed, 2)
    in_campaign("roll skill vxe climbing --new --dice 4")
