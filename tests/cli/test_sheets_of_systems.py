"""One campaign may play several systems: everybody is shown with the sheets that they have."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.cli import Strike

CAMPAIGN = """
schema = 1
name = "Two games"
{systems}
[characters.sam]
name = "Sam"
concept = "Nobody's hero"
size = 2
grit = {{ str = "d8", dex = "d10", wil = "d6" }}

[characters.ana]
name = "Ana"
hp = 12
karma = {{ hero = 3 }}
"""


def write(folder: Path, systems: str) -> None:
    (folder / "campaign.toml").write_text(CAMPAIGN.format(systems=systems), encoding="utf-8")


AP, WEALTH, FIGHT, GRIT, KARMA = "Action Points", "Wealth", "In a fight", "By Grit", "By Karma"


@pytest.mark.parametrize(
    ("systems", "of_sam", "of_ana"),
    [
        ("", [AP, WEALTH, FIGHT, GRIT], [AP, WEALTH, FIGHT, KARMA]),
        ('systems = ["grit"]', [GRIT], [FIGHT, KARMA]),
        ('systems = ["grit", "karma"]', [GRIT], [FIGHT, KARMA]),
        ('systems = ["grit", "combat"]', [AP, FIGHT, GRIT], [AP, FIGHT, KARMA]),
        ('systems = ["wealth"]', [AP, WEALTH, GRIT], [AP, WEALTH, FIGHT, KARMA]),
    ],
)
def test_a_sheet_shows_what_is_played_and_what_it_has(
    strike: Strike, tmp_path: Path, systems: str, of_sam: list[str], of_ana: list[str]
) -> None:
    write(tmp_path, systems)
    for who, shown in (("sam", of_sam), ("ana", of_ana)):
        out = strike(f"character show {who}").out
        assert [part for part in (AP, WEALTH, FIGHT, GRIT, KARMA) if part in out] == shown
    points = strike.json("character list")["data"]["characters"][0]["ap"]
    assert points == (1 if AP in [*of_sam, *of_ana] else None), "scripts are told that the game has none"


def test_the_party_is_listed_with_the_sheets_that_it_has(strike: Strike, tmp_path: Path) -> None:
    write(tmp_path, 'systems = ["grit", "karma"]')
    head, sam, ana = strike("character list").out.splitlines()[:3]
    assert head.split() == ["Id", "Name", "Player", "Grit", "Karma"]
    assert (sam.split()[3:5], ana.split()[3:5]) == (["5/5", "-"], ["-", "3d6"])
    assert "AP" not in strike("status").out
    strike("override characters.ana.ap 2 --why 'a favour'")
    assert "AP" in strike("status").out, "somebody has gained some"
