"""A Skill is never Unskilled by the way it was typed."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.cli import Strike

from strike_cli.problems import Usage
from strike_cli.systems.core.commands.skill_words import find_skill, nearest_skill

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


@pytest.mark.parametrize(
    ("typed", "skill"),
    [
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
    ],
)
def test_a_skill_goes_by_its_words(typed: str, skill: str | None) -> None:
    assert find_skill(typed, SKILLS) == skill


def test_what_may_be_several_is_refused() -> None:
    with pytest.raises(Usage, match="may be Reading Faces, Reading Maps"):
        find_skill("to read", ["Reading Faces", "Reading Maps"])


def test_the_nearest_is_told() -> None:
    assert nearest_skill("sneek", SKILLS) == "Sneaking"
    assert nearest_skill("hagling", SKILLS) == "Haggling"
    assert nearest_skill("cooking", SKILLS) is None


def test_the_sheet_says_who_is_skilled(in_campaign: Strike) -> None:
    """Vex has Climbing: on her own rolls and as a helper, whatever form is typed; the odds agree."""
    rolled = in_campaign.json("roll vex climb --dry-run --dice 4")["data"]
    assert (rolled["skill"], rolled["skilled"]) == ("Climbing", True)
    helped = "odds skill odo climbing --unskilled --help-from"
    by_sheet = in_campaign.json(f"{helped} vex")["data"]["outcomes"]
    assert by_sheet == in_campaign.json(f"{helped} vex:skilled")["data"]["outcomes"]


def test_a_helper_is_found_by_their_own_words(in_campaign: Strike, folder: Path) -> None:
    """The one who rolls says it one way, the sheet of the helper another."""
    campaign = folder / "campaign.toml"
    text = campaign.read_text(encoding="utf-8")
    campaign.write_text(text.replace('"Climbing"', '"Climber of Walls"', 1), encoding="utf-8")
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


def test_a_roll_without_a_skill_is_refused(in_campaign: Strike) -> None:
    """It rolled, and left a decision open."""
    assert "Which Skill does Vex roll?" in in_campaign("roll vex", 2).err
    assert in_campaign.json("status")["data"]["pending"] == []
