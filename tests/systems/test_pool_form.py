"""Scenes without a list of turns and without a map: a pool of who may still act."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.cli import Strike

from strike_cli.plugin import Refused, World
from strike_cli.plugin.encounters import set_up_encounter
from strike_cli.plugin.testing import CAMPAIGN, play, world_of
from strike_cli.tabletop.scene import Order, Scene, read_scene
from strike_cli.tabletop.turn_order import ACTING, HELD, Entry
from strike_cli.terminal.command_output import blocks_as_unwrapped_text
from strike_cli.terminal.scene_view import map_or_other_scene_blocks

WITHOUT_MAP = """
[creatures.rat]
name = "Rat"

[encounters.cellar]
name = "The Cellar"
creatures = { rat = 2 }
"""


def _pool() -> Scene:
    people = {
        "ana": {"name": "Ana", "side": "party"},
        "bo": {"name": "Bo", "side": "party", "acted": 2},
        "cy": {"name": "Cy", "side": "party", "delayed": True, "acted": 2},
        "rats": {"name": "Rats", "side": "enemies", "count": 3},
        "dee": {"name": "Dee", "side": "enemies", "out": "fled"},
    }
    table = {"name": "The Cellar", "round": 2, "turns": "pool", "active": "ana", "people": people}
    return read_scene("test", "test", table)


def test_a_pool_is_two_rows_of_cards() -> None:
    text = blocks_as_unwrapped_text(map_or_other_scene_blocks(_pool()))
    assert "Face down: ▸[Ana] [Rats x3]\nFace up: [Bo] [Cy, delayed]\n" in text


def test_who_holds_lies_face_down() -> None:
    order = Order("pool", 2, (Entry("ana", ACTING), Entry("bo", HELD)), "ana")
    text = blocks_as_unwrapped_text(map_or_other_scene_blocks(_pool()._replace(order=order)))
    assert "Face down: ▸[Ana] [Bo, held]\nFace up: none\n" in text


def test_an_encounter_needs_no_map() -> None:
    """Everybody is there, and stands nowhere."""
    world = world_of(CAMPAIGN + WITHOUT_MAP)
    found = set_up_encounter(world, "cellar", ["ana"], {"rat": 1})
    assert (found.board, found.zones) == ({}, {})
    assert {who: (one["side"], "at" in one) for who, one in found.people.items()} == {
        "ana": ("party", False),
        **dict.fromkeys(("rat-1", "rat-2", "rat-3"), ("enemies", False)),
    }


def test_a_fight_on_squares_does(strike: Strike, tmp_path: Path) -> None:
    world: World = world_of(CAMPAIGN + WITHOUT_MAP)
    with pytest.raises(Refused, match="The Cellar has no map"):
        play(world, "combat start", {"encounter": "cellar", "goal": "", "party": ["ana"]})
    (tmp_path / "campaign.toml").write_text(CAMPAIGN + WITHOUT_MAP, encoding="utf-8")
    assert "The Cellar has no map" in strike(f"-C {tmp_path} doctor", 3).out
    assert "has no map" in strike(f"-C {tmp_path} map show cellar", 1).err
