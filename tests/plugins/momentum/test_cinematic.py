"""Cinematic Actions and Reactions, together and by a Burst (WSH-08)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from support.cli import Strike
from support.momentum import Fight
from support.plugins import told_odds

from strike_cli.plugin import Refused

SLAM = {"who": "kit", "what": "Slam the table into them.", "skill": "raw-force", "difficulty": 11}


def test_the_barbarians_table(kits: Fight) -> None:
    """WSH-08: Raw Force against 11, 3 AP and 3 Momentum; 4d6 Physical, and pinned as long as 2 AP are
    paid, once for everybody, and they stand at the table."""
    args = {
        **SLAM,
        "targets": ["goblin", "ogre"],
        "damage": "4d6",
        "status": "momentum:restrained",
        "upkeep": 2,
        "while": "standing at the table",
    }
    kits.set("goblin", vitality=50)
    data = kits("cinematic", **args, dice=[8, 3, 3, 3, 3])
    assert (data["success"], data["targets"][0]["damage"][0]["taken"]) == (True, 11)
    assert (kits.one("kit")["ap"], kits.one("kit")["momentum"]) == (0, 3)
    assert "It lasts as long as Kit pays 2 AP a turn: standing at the table." in kits.said()
    kits("end-turn")
    assert kits.statuses("goblin") == kits.statuses("ogre") == ["restrained"]
    kits.turn_of("goblin")
    assert (kits.one("goblin")["ap"], kits.one("goblin")["movement"]) == (1, 3)
    kits.turn_of("kit")
    data = kits.act("kit", "keep-up")
    assert (data["ap_spent"], data["targets"]) == (2, ["goblin", "ogre"])
    assert "Kit doesn't let go of Goblin and Ogre: standing at the table." in kits.said()
    with pytest.raises(Refused, match="already kept up for this turn"):
        kits.act("kit", "keep-up", "ogre")
    kits("end-turn")
    assert (kits.statuses("goblin"), kits.statuses("ogre")) == (["restrained"], ["restrained"])
    kits.turn_of("kit")
    kits("end-turn")
    assert (kits.statuses("goblin"), kits.statuses("ogre")) == ([], [])


def test_each_cinematic_is_kept_up_by_itself(kits: Fight) -> None:
    """WSH-08: and so is what the game master has added by hand."""
    held = {"status": "momentum:restrained", "upkeep": 1, "reaction": True}
    kits.set("goblin", vitality=50)
    kits("cinematic", **SLAM, **held, targets=["goblin"], dice=[8])
    kits.set("kit", rp=2, momentum=6)
    kits("cinematic", **SLAM, **held, targets=["ogre"], dice=[8])
    kits("end-turn")
    kits.turn_of("kit")
    with pytest.raises(Refused, match="kept up separately") as refused:
        kits.act("kit", "keep-up")
    assert "Goblin, Ogre" in refused.value.hint
    assert kits.act("kit", "keep-up", "ogre")["ap_spent"] == 1
    kits("end-turn")
    assert (kits.statuses("goblin"), kits.statuses("ogre")) == ([], ["restrained"])


def test_upkeep_needs_something_to_keep_up(kits: Fight) -> None:
    """WSH-08."""
    with pytest.raises(Refused, match="Nothing is there to keep up"):
        kits("cinematic", **SLAM, upkeep=2)
    held = {"targets": ["goblin"], "status": "momentum:restrained"}
    with pytest.raises(Refused, match="costs AP"):
        kits("cinematic", **SLAM, **held, while_="standing there")


def test_momentum_is_spent_on_a_failure_too(kits: Fight) -> None:
    """WSH-08: and nothing where it isn't allowed, which is not to set a difficulty."""
    assert kits("cinematic", **SLAM, dice=[7])["success"] is False
    assert kits.one("kit")["momentum"] == 3


def test_what_cant_be_paid(kits: Fight) -> None:
    """WSH-08."""
    kits.set("kit", momentum=2)
    with pytest.raises(Refused, match="costs 3 Narrative Momentum, and Kit has 2"):
        kits("cinematic", **SLAM)
    kits.set("kit", momentum=6, ap=2)
    with pytest.raises(Refused, match="costs 3 AP, and Kit has 2"):
        kits("cinematic", **SLAM)
    with pytest.raises(Refused, match="no Skill 'cooking'"):
        kits("cinematic", **{**SLAM, "skill": "cooking"})


def test_a_reaction(fight: Fight) -> None:
    """WSH-08: Pay 2 RP, on any turn."""
    fight.turn_of("ogre")
    fight("cinematic", **SLAM, reaction=True, dice=[8])
    assert (fight.one("kit")["rp"], fight.one("kit")["momentum"]) == (0, 3)
    with pytest.raises(Refused, match="costs 2 RP, and Kit has 0"):
        fight("cinematic", **SLAM, reaction=True)


def test_together(kits: Fight) -> None:
    """WSH-08: 2 Momentum each, 2 RP for those beyond the first, everybody with Advantage; all must succeed,
    and a critical success makes up for a failure."""
    args = {**SLAM, "with": [{"who": "mira", "skill": "presence"}]}
    data = kits("cinematic", **args, dice=[2, 8, 3, 7])
    assert [roll["kept"] for roll in data["rolls"]] == [8, 7]
    assert data["success"]
    assert (kits.one("kit")["momentum"], kits.one("mira")["momentum"], kits.one("mira")["rp"]) == (4, 6, 0)
    kits.set("kit", ap=3)
    kits.set("mira", rp=2)
    assert kits("cinematic", **args, dice=[2, 8, 3, 6])["success"] is False
    kits.set("kit", ap=3)
    kits.set("mira", rp=2)
    assert kits("cinematic", **args, dice=[2, 20, 3, 6])["success"] is True


def test_a_burst(kits: Fight) -> None:
    """WSH-08: 6 Momentum for who can't pay AP or RP and has spent none; 4 together."""
    with pytest.raises(Refused, match="without a Burst"):
        kits("cinematic", **SLAM, burst=True)
    kits("status add", who="kit", status="momentum:stunned")
    assert (kits.one("kit")["ap"], kits.one("kit")["rp"]) == (0, 0), "at once, in their own turn"
    kits.turn_of("goblin")
    kits.turn_of("kit")
    assert (kits.one("kit")["ap"], kits.one("kit")["rp"]) == (0, 0), "none come while it lasts"
    kits("cinematic", **SLAM, burst=True, dice=[8])
    assert kits.one("kit")["momentum"] == 0
    kits.set("kit", momentum=6)
    with pytest.raises(Refused, match="has had a Burst"):
        kits("cinematic", **SLAM, burst=True)
    kits("status remove", who="kit", status="momentum:stunned")
    assert (kits.one("kit")["ap"], kits.one("kit")["rp"]) == (0, 0), "and none come back with its end"


def test_a_burst_is_for_who_has_spent_nothing(kits: Fight) -> None:
    """WSH-08: no AP in this turn, no RP in this round."""
    kits.act("kit", "defend")
    with pytest.raises(Refused, match="has spent AP"):
        kits("cinematic", **SLAM, burst=True)
    kits("react", who="mira", ability="ward", targets=["kit"])
    with pytest.raises(Refused, match="has spent RP"):
        kits("cinematic", **{**SLAM, "who": "mira"}, burst=True, reaction=True)


def test_a_burst_together(kits: Fight) -> None:
    """WSH-08: 4 Momentum."""
    kits("status add", who="mira", status="momentum:stunned")
    with_ = [{"who": "mira", "skill": "presence"}]
    with pytest.raises(Refused, match="costs 2 RP, and Mira has 0"):
        kits("cinematic", **SLAM, with_=with_)
    kits("cinematic", **SLAM, with_=[{**with_[0], "burst": True}], dice=[2, 8, 3, 7])
    assert (kits.one("kit")["momentum"], kits.one("mira")["momentum"]) == (4, 4)


def test_odds_together(kits_turn: Strike) -> None:
    """WSH-08: four d20, counted without the program."""
    chance: dict[str, list[int]] = {"fail": [0, 0], "good": [0, 0], "critical": [0, 0]}
    for one, other in product(range(1, 21), repeat=2):
        face = max(one, other)
        for place, level in enumerate((3, 4)):
            kind = "critical" if face == 20 else "good" if face + level >= 16 else "fail"
            chance[kind][place] += 1
    ways = sum(
        chance[ours][0] * chance[theirs][1]
        for ours, theirs in product(chance, repeat=2)
        if "fail" not in (ours, theirs) or "critical" in (ours, theirs)
    )
    typed = "momentum cinematic kit --what x --skill raw-force --difficulty 16 --with mira:presence"
    assert told_odds(kits_turn, typed, "success")[True] == Fraction(ways, 160_000)
