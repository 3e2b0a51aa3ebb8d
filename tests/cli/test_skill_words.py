"""A Skill is never Unskilled by the way it was typed."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.cases import case
from support.cli import Strike
from support.edits import replace_in

from strike_cli.problems import Usage
from strike_cli.systems.core.commands.roll import find_skill, similar_skills
from strike_cli.terminal.invocation import Invocation

AT_SCREEN = Invocation(unattended=True, leaves_decisions_open=True, face_source=lambda roll, name: None)

SKILLS = [
    "Haggling",
    "Wading",
    "Sneaking",
    "Reading Faces",
    "Lamp Mending",
    "Picking Locks",
    "Handling Boats",
    "Climbing",
]


def test_a_skill_goes_by_its_words() -> None:
    for typed, skill in (
        ("haggle", "Haggling"),
        ("haggler", "Haggling"),
        ("wade", "Wading"),
        ("sneaks", "Sneaking"),
        ("read face", "Reading Faces"),
        ("faces reading", "Reading Faces"),
        ("mend lamps", "Lamp Mending"),
        ("mending the lamp", "Lamp Mending"),
        ("lockpicking", "Picking Locks"),
        ("lock-picking", "Picking Locks"),
        ("boats", "Handling Boats"),
        ("climb", "Climbing"),
        ("juggling", None),
        ("sneek", None),
        ("lamps and boats", None),
    ):
        with case(typed, skill):
            assert find_skill(typed, SKILLS) == skill


def test_what_may_be_several_is_refused() -> None:
    with pytest.raises(Usage, match="is ambiguous: Reading Faces, Reading Maps"):
        find_skill("to read", ["Reading Faces", "Reading Maps"])


def test_the_nearest_is_told() -> None:
    assert similar_skills("sneek", SKILLS)[0] == "Sneaking"
    assert similar_skills("hagling", SKILLS)[0] == "Haggling"
    assert similar_skills("cooking", SKILLS) == []


def test_the_sheet_says_who_is_skilled(in_campaign: Strike) -> None:
    """Vex has Climbing: on her own rolls and as a helper, whatever form is typed; the odds agree."""
    rolled = in_campaign.json("roll vex climb --dry-run --dice 4")["data"]
    assert (rolled["skill"], rolled["skilled"]) == ("Climbing", True)
    helped = "odds skill odo climbing --unskilled --help-from"
    by_sheet = in_campaign.json(f"{helped} vex")["data"]["outcomes"]
    assert by_sheet == in_campaign.json(f"{helped} vex:skilled")["data"]["outcomes"]


def test_a_helper_is_found_by_their_own_words(in_campaign: Strike, folder: Path) -> None:
    """The one who rolls says it one way, the sheet of the helper another."""
    replace_in(folder / "campaign.toml", '"Climbing"', '"Climber of Walls"')
    line = "odds skill odo climb --unskilled --help-from"
    skilled = in_campaign.json(f"{line} vex:skilled")["data"]["outcomes"]
    assert in_campaign.json(f"{line} vex")["data"]["outcomes"] == skilled


def test_what_is_on_nobody_s_sheet_is_asked_about(in_campaign: Strike) -> None:
    """With the nearest; said once to be Unskilled it is rolled. Nothing is recorded meanwhile."""
    refused = in_campaign("roll vex sneek", 2).err
    assert "'sneek' is on nobody's sheet. Did you mean 'Sneaking'?" in refused
    assert "--unskilled" in refused
    assert "is on nobody's sheet" in in_campaign("roll vex juggling --dice 3", 2).err
    assert in_campaign.json("roll vex juggling --unskilled --dice 3")["data"]["skill"] == "juggling"


def test_it_is_asked_about_once(in_campaign: Strike) -> None:
    """Rolled Unskilled once it is meant, in whatever form, by odds and by others too; an undo forgets it."""
    in_campaign("roll vex juggling --unskilled --dice 3")
    assert in_campaign.json("roll vex juggle --dice 3")["data"]["skill"] == "juggling"
    assert in_campaign.json("odds skill odo juggling")["data"]["outcomes"]
    in_campaign("undo 2")
    assert "is on nobody's sheet" in in_campaign("roll vex juggling --dice 3", 2).err
    in_campaign("roll opposed vex juggling --against odo Cooking --ours unskilled --dice 5,4,1")
    assert in_campaign("roll odo juggling --dice 3").code == 0


def test_what_is_like_a_skill_of_ones_own_is_asked_about_all_the_same(in_campaign: Strike) -> None:
    """Odo has meant it; Vex has Sneaking."""
    in_campaign("roll odo sneek --unskilled --dice 3")
    assert "Did you mean 'Sneaking'?" in in_campaign("roll vex sneek --dice 3", 2).err
    assert in_campaign.json("roll odo sneek --dice 3")["data"]["skilled"] is False


def test_somebody_at_a_screen_is_asked_which_is_meant(in_campaign: Strike) -> None:
    """The nearest, or as typed; the command goes on with the answer, and odds still refuse."""
    in_campaign.invocation = AT_SCREEN
    asked = in_campaign.json("roll vex sneek --dice 5", 6)["pending"]
    assert asked["options"] == ["Sneaking", "sneek"]
    assert in_campaign.json("choose Sneaking")["data"]["skilled"] is True
    in_campaign("roll vex juggling --dice 5", 6)
    assert in_campaign.json("choose juggling")["data"]["skilled"] is False
    assert in_campaign("roll vex juggling --dice 3").code == 0
    assert "is on nobody's sheet" in in_campaign("odds skill vex sneek", 2).err


def test_what_can_t_be_rolled_is_refused_before_anybody_is_asked(in_campaign: Strike) -> None:
    """STR-CORE-22: an extra Skill that they don't have, and one that they can't pay for."""
    in_campaign.invocation = AT_SCREEN
    assert "Hauling" in in_campaign("roll vex sneek --also Hauling", 1).err
    in_campaign("roll vex climb --also Sneaking --dice 5,4")
    assert "no Action Point" in in_campaign("roll vex sneek --also Climbing", 1).err


def test_a_secondary_goal_and_a_skill_that_helps_go_by_their_words_too(in_campaign: Strike) -> None:
    """They were taken as typed: Unskilled, or refused."""
    in_campaign("conflict start road --intent win --against them --their-intent win --advance 2 --defense 2")
    assert (
        "Did you mean 'Sneaking'?" in in_campaign("conflict act vex --secondary advance --skill sneek", 2).err
    )
    data = in_campaign.json("conflict act vex --secondary advance --skill climb --dice 5")["data"]
    assert (data["skill"], data["skilled"]) == ("Climbing", True)
    in_campaign("conflict abandon", None), in_campaign("conflict end", None)
    assert in_campaign("roll vex climb --also sneaks --dice 5,4").code == 0


def test_a_skill_of_several_words_wants_no_quotes(in_campaign: Strike, folder: Path) -> None:
    """`roll vex read face`."""
    replace_in(folder / "campaign.toml", '"Climbing"', '"Climbing", "Reading Faces"')
    for line in ("roll vex read face --dice 5", 'roll skill vex "read face" --dice 5'):
        assert in_campaign.json(line)["data"]["skill"] == "Reading Faces"
    assert in_campaign("odds skill vex faces reading").code == 0
    assert in_campaign("roll opposed vex read face --against odo Cooking --dice 5,1").code == 0


def test_a_group_rolls_what_nobody_has(in_campaign: Strike) -> None:
    assert "is on nobody's sheet" in in_campaign("roll group one juggling vex odo", 2).err
    assert in_campaign("roll group one juggling vex odo --unskilled --dice 3,2,1").code == 0


def test_a_roll_without_a_skill_is_refused(in_campaign: Strike) -> None:
    """It rolled, and left a decision open."""
    assert "Which Skill does Vex roll?" in in_campaign("roll vex", 2).err
    assert in_campaign.json("status")["data"]["pending"] == []
