"""A fight in memory, in the small campaign of these tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.cli import Once, Strike
from support.momentum import CAMPAIGN, Fight

from strike_cli.plugin import World
from strike_cli.plugin.testing import world_of


@pytest.fixture(scope="session")
def quarry(_environment: None) -> World:
    """The small campaign in memory."""
    return world_of(CAMPAIGN.read_text(encoding="utf-8"))


@pytest.fixture
def fight(quarry: World) -> Fight:
    """The fight in the quarry, in its first round before anybody's turn: mira, kit, ogre, goblin."""
    found = Fight(quarry)
    found("start", encounter="quarry")
    found("initiative")
    return found


@pytest.fixture
def kits(fight: Fight) -> Fight:
    """The same in Kit's turn, with the goblin beside her."""
    fight.set("goblin", at="C2")
    fight.turn_of("kit")
    return fight


@pytest.fixture
def with_house(quarry: World) -> Callable[..., Fight]:
    """A fight under other house rules."""

    def make(**rules: Any) -> Fight:
        lines = "\n".join(f"{key} = {str(value).lower()}" for key, value in rules.items())
        text = CAMPAIGN.read_text(encoding="utf-8") + f"\n[house.momentum]\n{lines}\n"
        found = Fight(world_of(text))
        found("start", encounter="quarry")
        found("initiative")
        return found

    return make


@pytest.fixture
def in_quarry(strike: Strike, tmp_path: Path) -> Strike:
    """The command line in a folder with the small campaign."""
    (tmp_path / "campaign.toml").write_bytes(CAMPAIGN.read_bytes())
    return strike


@pytest.fixture
def kits_turn(in_quarry: Strike, tmp_path: Path, once: Once) -> Strike:
    """In Kit's turn in the quarry, beside the goblin."""
    lines = ("start quarry", "initiative", "turn", "end-turn", "turn", "move kit C3")
    once("kit in the quarry", tmp_path, lambda: [in_quarry(f"momentum {line}") for line in lines])
    return in_quarry
