"""Powers in words: every one there is, and no key of the form left out."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.cases import case
from support.cli import Strike

from strike_cli.content.merged_content import Book, open_book
from strike_cli.systems.combat.commands.power_descriptions import (
    cost_and_effects_line,
    power_details_in_one_line,
    reach_range_and_area_words,
    step_in_words,
)
from strike_cli.systems.combat.steps import trigger_in_words
from strike_cli.systems.combat.steps.step import STEPS

EXAMPLE = Path(__file__).parents[2] / "campaign.example.toml"


def test_every_power_of_the_example_has_words(example: Book) -> None:
    for power in example.powers.values():
        assert reach_range_and_area_words(power)
        assert cost_and_effects_line(example, power)
        assert "None" not in power_details_in_one_line(example, power)


def test_every_step_has_words(example: Book) -> None:
    inner = [{"do": "damage", "to": "target", "amount": 1}]
    for do in STEPS:
        step = {
            "steps": inner, "options": [{"name": "A", "steps": inner}], "faces": {"1-6": inner},
            "do": do, "to": "target", "amount": 2, "status": "core:prone", "duration": "save",
            "name": "mud", "text": "it", "handler": "elements:leap", "creature": "goblin",
        }  # fmt: skip
        assert step_in_words(example, step), do


def test_a_step(example: Book) -> None:
    for step, words in (
        ({"do": "apply", "status": "core:prone", "duration": "save", "to": "target"}, "Prone (save ends)"),
        ({"do": "push", "amount": 2, "to": "target", "if": "flanked"}, "pushed 2 if flanked"),
        ({"do": "heal", "amount": 3, "to": "allies", "within": 5}, "each ally within 5: heals 3"),
        ({"do": "move-zone", "to": "target", "zone": "Mud", "amount": 2}, "Mud moves 2"),
        ({"do": "move-zone", "to": "target", "way": "away"}, "the zone moves 1 away"),
        ({"do": "move-zone", "to": "target", "way": "nearer"}, "the zone moves 1 nearer"),
        ({"do": "move-zone", "to": "target", "way": "random"}, "the zone moves 1 at random"),
        ({"do": "grow-zone", "to": "target", "zone": "Mud"}, "Mud grows by 1"),
        ({"do": "note", "text": "It blushes.", "to": "self"}, "oneself: It blushes"),
    ):
        with case(step, words):
            assert step_in_words(example, step) == words


def test_what_a_power_answers() -> None:
    """STR-TAC-12: what befalls oneself, unless it says whom or by whom."""
    for power, words in (
        ({"on": "hit"}, "when hit"),
        ({"on": "declared", "once": "round"}, "when attacked, once a round"),
        ({"on": "missed", "once": "scene"}, "when missed, once a fight"),
        ({"on": "harmed", "befalls": "ally", "near": 2}, "when an ally within 2 would take damage"),
        ({"on": "struck", "befalls": "foe", "by": "friend"}, "when a foe would be hit by you or an ally"),
        ({"on": "rolled", "by": "foe", "result": "miss"}, "when a foe has rolled an attack (miss)"),
        ({"on": "moves", "near": 1}, "when a foe within 1 moves"),
        ({"on": "uses", "by": "ally"}, "when an ally uses a power"),
        ({"on": "falls", "befalls": "anybody"}, "when anybody would fall"),
    ):
        with case(power, words):
            assert trigger_in_words(power) == words


def test_a_sheet_and_the_content_say_what_a_power_does(in_campaign: Strike) -> None:
    assert "Prone (save ends)" in in_campaign("character show vex").out
    assert "in words: reach 1, 3 damage. Prone (save ends)" in in_campaign("content show trip").out
    (shown,) = in_campaign.json("content show trip")["data"]
    book = open_book(Path())
    assert shown == {"kind": "powers", "id": "trip", "from": book.where["powers.trip"], **book.powers["trip"]}


def test_every_sheet_of_the_example_can_be_looked_at(
    strike: Strike, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copyfile(EXAMPLE, tmp_path / "campaign.toml")
    for who in ("vex", "brann", "sela", "odo"):
        strike(f"character show {who}")
