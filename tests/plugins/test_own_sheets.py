"""What players of the three other systems see on their phones of their own characters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from strike_cli.content.merged_content import open_book
from strike_cli.kernel.procedure import World
from strike_cli.registry.installed_plugins import failure_messages
from strike_cli.terminal.sheet_and_party_views import own_sheet_parts

PLUGINS = Path(__file__).parents[2] / "plugins"


def _shown(system: str, who: str, state: dict[str, Any]) -> tuple[dict[str, str], dict[str, str]]:
    """Numbers by name, and what they have with what it does and how it stands."""
    book = open_book(PLUGINS / f"strike_{system}" / "example")
    sheets = [*own_sheet_parts(World(book, state), who)]
    numbers = dict(number for sheet in sheets for number in sheet.numbers)
    held = {
        item.name: f"{item.text} {item.note}".strip()
        for sheet in sheets
        for part in sheet.parts
        for item in part.items
    }
    return numbers, held


def test_grit() -> None:
    numbers, held = _shown("grit", "sam", {"characters": {"sam": {"grit": {"grit": 2, "dex": 8}}}})
    assert numbers == {"Grit": "2/4", "STR": "d8", "DEX": "d8", "WIL": "d6", "Armor": "0"}
    assert held["sling-of-fear"].startswith("d6, near, against WIL, blast. Critical Damage: ")


def test_karma() -> None:
    numbers, held = _shown("karma", "ana", {})
    assert numbers == {"Hero Dice": "3d6", "Luck Die": "d8"}
    assert held == {"Harpooner": "Trope d8", "Never misses": "Trademark d6"}


def test_momentum() -> None:
    numbers, held = _shown("momentum", "runa", {"characters": {"runa": {"momentum": {"vitality": 20}}}})
    assert numbers["Vitality"] == "20/28" and numbers["Momentum"] == "6" and numbers["STR"] == "14 (+4)"
    assert held["axe"].endswith("1 m 2 AP") and "2d6" in held["axe"]


def test_what_meters_show_is_not_said_twice() -> None:
    sides = {"str": 8, "dex": 8, "wil": 6, "max_str": 8, "max_dex": 8, "max_wil": 6}
    sam = {"name": "Sam", "grit": 2, "max_grit": 4, "armor": 0, **sides}
    assert set(_shown("grit", "sam", {"grit": {"people": {"sam": sam}}})[0]) == {"Armor"}
    assert "Vitality" not in _shown("momentum", "runa", {"momentum": {"people": {"runa": {}}}})[0]
    assert failure_messages() == []


def test_a_game_that_is_not_played_shows_nothing() -> None:
    """No Action Points and no Wealth where another system is played alone."""
    assert not {"Action Points", "Wealth"} & _shown("karma", "ana", {})[0].keys()
