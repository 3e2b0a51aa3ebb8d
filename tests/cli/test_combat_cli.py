"""Powers and attacks as one types them."""

from __future__ import annotations

from pathlib import Path

from support.cli import Strike


def test_a_row_of_the_attack_table(strike: Strike) -> None:
    """STR-TAC-09, 25, golden example 35: N=3, die 6 is 6 and the Effect; Weakened 3; die 4 Weakened 1."""
    for more, damage in (("--die 6", 6), ("--die 6 --weakened", 3), ("--die 4 --weakened", 1)):
        data = strike.json(f"combat ladder --damage 3 {more}")["data"]
        assert (data["damage"], data["effect"]) == (damage, True), more


def test_an_effect_that_nobody_can_explain(between: Strike) -> None:
    """STR-TAC-26: it does not happen, and so a glancing hit is damage without a question; the rest does."""
    ran = between("combat attack vex goblin-1 --power sting --no-effect 'it is made of stone' --dice 3")
    assert "Sting has no Effect: it is made of stone." in ran.out
    state = between.json("combat show")["data"]["fight"]["combatants"]["goblin-1"]
    assert state["hp"] == state["max_hp"] - 1
    assert "statuses" not in state


def test_use_and_rally(between: Strike) -> None:
    """STR-TAC-12, 13: a spent power is shown as such and comes back."""
    between("combat attack vex goblin-1 --power 'last word' --dice 2")
    assert "Last Word (used)" in between("combat show").out
    said = between("combat rally vex").out
    assert "spends an Action Point" in said
    assert "may use Last Word again" in said
    shown = between("combat show").out
    assert "Rally (1 AP, used)" in shown
    assert "Last Word (used)" not in shown
    assert "has used Rally" in between("combat use vex rally", 1).err


def test_charge_improvise_and_skill(between: Strike) -> None:
    """STR-TAC-13, 14: as typed, with their data."""
    data = between.json('combat improvise vex goblin-1 --what "a bucket" --status prone --dice 5')["data"]
    assert (data["what"], data["attacks"][0]["statuses_added"]) == ("a bucket", ["core:prone"])
    data = between.json("combat skill vex Climbing --action role --dice 3")["data"]
    assert (data["outcome"], data["strikes"]) == ("success", {"vex": 1})
    assert "no such duration" in between("combat improvise vex goblin-1 --ends soon", 2).err
    assert "no such action" in between("combat skill vex Climbing --action leg", 2).err
    assert "Attack Action" in between("combat charge vex goblin-1", 1).err


def test_a_square_to_aim_at_is_a_square(between: Strike) -> None:
    """STR-TAC-12: and only for powers that have one."""
    assert "nowhere" in between("combat attack vex goblin-1 --at nowhere", 2).err
    assert "Melee Basic Attack" in between("combat attack vex goblin-1 --at A1", 1).err


def test_content_check_knows_what_a_power_can_be(strike: Strike, tmp_path: Path) -> None:
    """STR-TAC-12: before anything is included or installed."""
    (tmp_path / "mine.toml").write_text('[powers.x]\nname = "X"\ndamage = 2\n')
    assert "powers.x: damage" in strike("content check mine.toml", 3).err


def test_a_modifier_has_a_reason(between: Strike) -> None:
    """STR-CORE-05: told with the roll; a number alone is enough."""
    said = between('combat attack vex goblin-1 --mod "-1:mud to the knees" --mod 2 --dice 4').out
    assert "-1: mud to the knees; +2: modifier" in said
    assert "'x' is not a number" in between("combat attack vex goblin-1 --mod x:mud", 2).err


def test_options_tell_costs_and_reasons(between: Strike) -> None:
    """STR-TAC-08, STR-TAC-20: what an attack provokes and costs, and what bears on it."""
    between("combat status add goblin-1 prone")
    said = between("combat options").out
    heading = next(line for line in said.splitlines() if "Hit" in line)
    assert heading.split() == [
        "combat",
        "...",
        "Hit",
        "Damage",
        "Takes",
        "Out",
        "Costs",
        "Provokes",
        "Because",
    ]
    assert "advantage: target is Prone" in said
    data = between.json("combat options")["data"]["options"]
    prone = next(one for one in data if one["typed"] == "attack vex goblin-1 --power plain-cut")
    assert prone["bears"] == [["advantage", "target is Prone"]]
