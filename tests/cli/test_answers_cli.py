"""Answers at the table: asked in the middle of a command, given later, replayed, undone, counted by odds."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.cli import Strike

from strike_cli.registry.scenes import asked_of
from strike_cli.terminal.result import pending_lines

POWERS = """
[powers.luck]
name = "Luck"
action = "interrupt"
usage = "encounter"
on = "rolled"
result = "hit"
effect = [{ do = "reroll" }]

[powers.parry]
name = "Parry"
action = "interrupt"
on = "harmed"
once = "round"
effect = [{ do = "reduce", amount = 1 }]
"""


@pytest.fixture
def fight(in_campaign: Strike, folder: Path) -> Strike:
    """Vex, who has Luck and Parry, between two goblins; the turn of the first."""
    file = folder / "campaign.toml"
    old, new = (
        'powers = ["trip", "plain-cut", "snare"',
        'powers = ["luck", "parry", "trip", "plain-cut", "snare"',
    )
    text = file.read_text(encoding="utf-8")
    assert old in text
    text = text.replace(old, new, 1)
    file.write_text(text + POWERS, encoding="utf-8")
    for line in ("start ring --party vex --party brann", "initiative --dice 1,3,6,2", "turn"):
        in_campaign(f"combat {line}")
    return in_campaign


def test_a_decision_with_the_die_on_the_table(fight: Strike) -> None:
    """The command waits with its die; what is chosen goes on from there; the journal says the same again."""
    before = fight.json("combat show")["data"]
    active = "goblin-1"
    asked = fight(f"combat attack {active} vex --dice 6,2", 6).out
    assert "A decision for vex: Goblin 1's die against Vex: 6, a critical hit." in asked
    assert fight.json("status")["data"]
    fight("choose use --dice 4,4", 6)
    after = fight("choose use").out
    assert "Parry" in after
    assert fight.json("replay --verify")["data"]["differences"] == []
    assert all(finding["ok"] for finding in fight.json("doctor")["data"]["findings"])
    fight("undo")
    assert fight.json("combat show")["data"] == before


def test_odds_say_what_an_answer_makes_of_an_attack(fight: Strike) -> None:
    """Flanked, 8 in 9 hit; of these Luck has each rolled again: 64 in 81."""
    active = "goblin-1"
    odds = fight(f"odds attack {active} vex").out
    assert "79.0%" in odds


def test_a_decision_is_shown_by_names_and_known_by_its_key(fight: Strike) -> None:
    """What people read may be worded anew: a journal knows its answers by the key."""
    shown = fight("combat attack goblin-1 vex --dice 6,2", 6).out
    assert "Does Vex use Luck against Goblin 1?" in shown
    assert "Luck against Goblin 1" in fight("status").out
    assert "Does Vex use Luck against Goblin 1?" in fight("combat end-turn", 1).err
    assert fight.json("status")["data"]["pending"][0]["what"] == "luck against goblin-1"
    fight("choose use --dice 4,4", 6)
    (entry,) = fight.json("log --last 1")["data"]["entries"]
    assert ["luck against goblin-1", "use"] in entry["answers"]


def test_a_decision_without_words_is_shown_by_its_key() -> None:
    """As it stands in states of before there were any."""
    item = {"who": "vex", "what": "opportunity against goblin-1", "options": ["take", "pass"]}
    assert asked_of(item).asks == "opportunity against goblin-1"
    assert "opportunity against goblin-1" in str(pending_lines(item)[0])
