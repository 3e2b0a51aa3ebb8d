"""Dice on the table: asked for roll by roll at a terminal, by whose they are, and which of two counts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from cli.conftest import Typed
from support.cases import case
from support.cli import Strike
from support.edits import append_to

from strike_cli.kernel.procedure import Roll
from strike_cli.terminal.physical_dice import parse_faces


def test_every_roll_asks_for_its_faces(in_campaign: Strike, at_terminal: Typed) -> None:
    asked = at_terminal("5")
    assert "5. Success" in in_campaign("roll skill vex Climbing --dice ask").out
    assert asked == ["Vex, d6 for Climbing: "]
    asked = at_terminal("2 6")
    in_campaign('roll skill vex Climbing --dis "in the rain" --dice ask --cost waive')
    assert asked == ["Vex, 2d6 for Climbing (the worse counts: in the rain): "]
    entry = in_campaign.json("log --last 1")["data"]["entries"][0]
    assert ["skill: Climbing", [2, 6]] in entry["answers"]


def test_an_attack_says_at_whom_and_with_what(in_campaign: Strike, at_terminal: Typed) -> None:
    """Of several targets one knows whose die is asked for."""
    in_campaign("combat start ring --party vex --party odo")
    in_campaign("combat initiative --dice 6,5,2,1")
    in_campaign("combat turn")
    asked = at_terminal("5")
    in_campaign("combat attack vex goblin-1 --power trip --dice ask --yes")
    assert asked == ["Vex, d6 for attack (Trip at Goblin 1): "]


def test_a_wrong_face_is_asked_again_and_an_empty_line_lets_strike_roll(
    in_campaign: Strike, at_terminal: Typed
) -> None:
    asked = at_terminal("7", "x", "5 5", "")
    out = in_campaign("roll skill vex Climbing --dice ask --cost waive").out
    assert len(asked) == 4
    assert out.count("a face from 1 to 6") == 3


def test_undo_at_the_question_takes_the_command_back(in_campaign: Strike, at_terminal: Typed) -> None:
    at_terminal("undo")
    assert "taken back" in in_campaign("roll skill vex Climbing --dice ask", 1).err
    assert in_campaign.json("log")["data"]["entries"] == []


def test_the_campaign_says_whose_dice_are_on_the_table(
    in_campaign: Strike, folder: Path, at_terminal: Typed
) -> None:
    sheet = folder / "campaign.toml"
    text = sheet.read_text()
    sheet.write_text(text + '\n[dice]\nmode = "physical"\ncreatures = "strike"\n')
    in_campaign("combat start ring --party vex --party odo")
    asked = at_terminal("6", "5")
    in_campaign("combat initiative")
    assert [each.split(",")[0] for each in asked] == ["Vex", "Odo"]
    in_campaign("undo")
    asked = at_terminal("6", "5", "4", "3", "2")
    in_campaign("combat initiative --dice ask")  # all rolls, whatever the campaign says
    assert {each.split(",")[0] for each in asked} > {"Vex", "Odo"}
    sheet.write_text(text + '\n[dice]\nmode = "physical"\n[dice.players]\nana = "strike"\n')
    for line in ("[dice]\nmode = 3\n", '[dice]\nmode = "thrown"\n'):
        sheet.write_text(text + "\n" + line)
        assert "dice.mode" in in_campaign("status").err


@pytest.mark.parametrize(
    ("begin", "rolls", "asked_of"),
    [
        (
            "conflict start road --intent win --against them --their-intent win; conflict act vex pass; "
            "conflict act odo pass; conflict act brann pass; conflict act vesna pass; "
            "conflict oppose progress",
            "conflict roll",
            ["The team"],
        ),
        ("chase start road --runners vex odo --chasers goblin; chase run flee; chase predict flee",
         "chase roll", ["Vex"]),
        ("chase start road --runners goblin --chasers vex; chase run flee; chase predict flee",
         "chase roll", ["Vex"]),
    ],
)  # fmt: skip
def test_the_dice_of_a_side_are_those_of_who_is_on_it(
    begin: str, rolls: str, asked_of: list[str], in_campaign: Strike, folder: Path, at_terminal: Typed
) -> None:
    """The players' team, the Runners and the Chasers have the players' dice, the others the creatures'."""
    append_to(folder / "campaign.toml", '[dice]\nmode = "physical"\ncreatures = "strike"\n')
    for line in begin.split("; "):
        in_campaign(line, None)
    asked = at_terminal(*["4", "5 4", "3", "5"] * 5)
    in_campaign(rolls)
    assert [*dict.fromkeys(each.split(",")[0] for each in asked)] == asked_of


def test_where_nobody_can_be_asked_it_is_refused_or_strike_rolls(in_campaign: Strike, folder: Path) -> None:
    assert "needs a terminal" in in_campaign("roll die --dice ask", 2).err
    helped = "roll skill vex Climbing --help-from odo --dice ask --help-dice 3"
    assert "asks for the helpers' dice, too" in in_campaign(helped, 2).err
    append_to(folder / "campaign.toml", '[dice]\nmode = "physical"\n')
    in_campaign("roll die")


def test_faces_as_people_type_them() -> None:
    for typed, faces in (("5 2", [5, 2]), ("5,2", [5, 2]), ("52", [5, 2]), ("5", None), ("0 2", None)):
        with case(typed):
            assert parse_faces(typed, Roll(2, 6, "skill", "vex")) == faces


def test_faces_of_a_large_die() -> None:
    assert parse_faces("17", Roll(1, 20, "save", "sam")) == [17]
    assert parse_faces("17", Roll(2, 20, "save", "sam")) is None


def test_a_decision_is_folded_between_words(
    in_campaign: Strike, at_terminal: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_terminal("")
    monkeypatch.setattr("strike_cli.terminal.command_output.stdout_shows_colour", lambda: True)
    monkeypatch.setenv("COLUMNS", "40")
    out = re.sub(r"\x1b\[[0-9;]*m", "", in_campaign("roll skill vex Climbing --dice 3", 6).out)
    asked = out.partition("A name or a number")[0]
    assert "has a Cost" in " ".join(asked.split())
    assert max(map(len, asked.splitlines())) <= 40
