"""Plain Skill Checks, WP, upcasting, lines, Temporary Vitality (WSH-08, WSH-14)."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.cli import Once, Strike

from strike_cli.campaign import Campaign
from strike_cli.campaign.create import create_campaign_folder

LANCE = """
[characters.ilse.momentum.abilities.lance]
tier = 1
line = 12
damage = "2d6"
type = "cold"
wp = 1
upcast = { wp = 1, damage = "1d6", limit = 2 }
half = true
"""


@pytest.fixture
def gate(strike: Strike, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, once: Once) -> Strike:
    """A fight at the example's gate, where Ilse has WP and a line."""
    folder = tmp_path / "glass"

    def begin() -> None:
        create_campaign_folder(folder, system="momentum")
        sheet = folder / "campaign.toml"
        text = sheet.read_text(encoding="utf-8")
        own = 'wp = 5\nupcast_limit = 3\nskill_stats = { athletics = "str" }\n'
        text = text.replace("[characters.ilse.momentum]\n", "[characters.ilse.momentum]\n" + own)
        sheet.write_text(text + LANCE, encoding="utf-8")
        monkeypatch.chdir(folder)
        strike("momentum start gate --surprised tam")

    once("the gate", folder, begin)
    monkeypatch.chdir(folder)
    return strike


def test_bare(strike: Strike) -> None:
    """A number's equal succeeds; critical is a natural 20 (gap 35)."""
    data = strike.json("momentum check --stat 12 --level 3 --difficulty 15 --dice 10")["data"]
    keys = ("bonus", "total", "success", "critical")
    assert [data[key] for key in keys] == [5, 15, True, False]
    assert not strike.json("momentum check --stat 12 --level 3 --difficulty 16 --dice 10")["data"]["success"]
    alone = strike.json("momentum check --stat 10 --dice 20")["data"]
    assert (alone["success"], alone["critical"], alone["difficulty"], alone["against"]) == (
        None, True, None, None,
    )  # fmt: skip


def test_against_somebody_more_is_needed(gate: Strike) -> None:
    """Surprise is Stealth against Perception: the actor's die, then the other's."""
    line = "momentum check ilse stealth --against shardling-1 perception"
    even = gate.json(f"{line} --dice 10,11")["data"]
    assert even["total"] == even["against"]["total"]
    assert even["success"] is False
    assert gate.json(f"{line} --dice 11,11")["data"]["success"] is True


def test_the_stat_of_a_skill(gate: Strike) -> None:
    """That of its Defense Roll, or as the sheet says, or as is asked."""
    with Campaign(Path()) as campaign:
        sheet = campaign.book.characters["ilse"]["momentum"]

    def bonus(line: str) -> int:
        return int(gate.json(f"momentum check ilse {line} --dice 10")["data"]["bonus"])

    stats, skills = sheet["stats"], sheet["skills"]
    assert bonus("perseverance") == stats.get("wil", 10) - 10 + skills.get("perseverance", 0)
    assert bonus("athletics") == stats.get("str", 10) - 10 + skills.get("athletics", 0)
    assert bonus("athletics --stat ins") == stats.get("ins", 10) - 10 + skills.get("athletics", 0)


def test_wp_upcast_and_a_line(gate: Strike) -> None:
    """An Ability costs WP, and more of it; a line hits all on it, who get out of its way by DEX."""
    for line in ("initiative", "next", "place ilse C7"):
        gate(f"momentum {line}")
    for who, square in (("shardling-1", "F7"), ("shardling-2", "H7")):
        gate(f"momentum place {who} {square}")
    assert "2 at most" in gate("momentum use ilse lance shardling-1 --upcast 3", 1).err
    used = gate.json("momentum use ilse lance --at M7 --upcast 2 --dice 6,6,6,6,1,1")["data"]
    assert [one["target"] for one in used["targets"]] == ["shardling-1", "shardling-2"]
    assert all(one["damage"] for one in used["targets"])
    scene = gate.json("momentum show")["data"]
    wp = {one["id"]: one["value"] for one in scene["people"]["ilse"]["meters"]}["wp"]
    assert wp == 2
    gate("momentum set ilse wp 0")
    gate("momentum set ilse ap 3")
    assert "costs 1 WP, and Ilse has 0" in gate("momentum use ilse lance --at M7", 1).err


def test_temporary_vitality_goes_first(gate: Strike) -> None:
    """It takes damage before Vitality, and healing gives none of it back."""
    gate("momentum set ilse temp_vitality 4")
    data = gate.json("momentum hurt ilse 6")["data"]
    gate("momentum heal ilse 9")
    people = gate.json("momentum show")["data"]["people"]["ilse"]
    meters = {one["id"]: one["value"] for one in people["meters"]}
    assert data["vitality_after"] == meters["vitality"] - 2
    assert "temp_vitality" not in meters


def test_show_says_who_holds_and_is_surprised(gate: Strike) -> None:
    """Who has acted, holds or is surprised, and the RP that somebody can really use."""
    for line in ("initiative", "next", "hold", "status add runa momentum:stunned"):
        gate(f"momentum {line}")
    data = gate.json("momentum show")["data"]
    assert (data["holding"], data["surprised"], data["usable_rp"]["runa"]) == (["ilse"], ["tam"], 0)


def test_next_stops_where_a_union_may_be_formed(gate: Strike) -> None:
    """WSH-05: at the start of a round, once; nobody's turn has begun then, and a short verb says so."""
    gate("momentum initiative")
    assert "`strike next` begins the next" in gate("defend", 1).err
    said = ""
    for _ in range(8):
        said = gate("next", None).out
        if "union" in said:
            break
    assert "A union can be formed now" in said
    assert gate.json("momentum show")["data"]["order"]["active"] is None
    gate("union runa tam", None)
    assert "turn." in gate("next").out
