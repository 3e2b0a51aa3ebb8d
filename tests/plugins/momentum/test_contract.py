"""Random evenings of every move: the contract that every system keeps."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.evenings import EVENINGS

from strike_cli.plugin.testing import Contract, check_plugin
from strike_momentum.rule_constants import ACTION_AP_COSTS, DAMAGE_TYPE_NAMES, SKILLS, STATS

CAMPAIGN = (Path(__file__).parent / "campaign.toml").read_text(encoding="utf-8")
WORDS = {
    "encounter": ["quarry", "cellar"],
    "party": [[], ["kit"], ["mira", "kit"]],
    "creatures": [{}, {"goblin": 1}],
    "surprised": [[], ["goblin"], ["party"]],
    "action": list(ACTION_AP_COSTS),
    "skill": [*SKILLS, "cooking"],
    "their_skill": list(SKILLS),
    "items": [[], ["axe"], ["spear", "shield"], ["bow"], ["knife"], ["sword"], ["salve"]],
    "with": ["axe", "spear", "bow", "fang", "knife", "sword", "club", "bite", []],
    "maneuver": ["cleave", "bash"],
    "ability": ["fire-bolt", "frost", "mend", "ward", "step", "call", "light", "bash", "drag"],
    "to": ["B2", "C3", "D4", "E5", "F6", "H6", "A1", "Z9"],
    "at": ["B2", "C3", "D4", "E5", "F6", "H6", "A1"],
    "lean": ["", "B2", "C3"],
    "type": list(DAMAGE_TYPE_NAMES),
    "off": ["", "physical"],
    "stat": list(STATS),
    "status": ["momentum:prone", "momentum:restrained", "momentum:burning", "momentum:grabbed"],
    "until": ["", "start", "end", "upkeep"],
    "creature": ["goblin", "hound"],
    "what": ["a bold stroke"],
    "damage": ["", "2d6"],
    "how": ["", "won", "fled"],
    "difficulty": [8, 15],
    "amount": [1, 5, 12, 40],
}
CELLAR = """
[encounters.cellar]
name = "The Cellar"
map = '''
K.#.g
M.+..
..#.~
'''
place = { K = "kit", M = "mira", g = "goblin" }
"""
BEGINS = [
    [("momentum start", {"encounter": place}), ("momentum initiative", {})] for place in ("quarry", "cellar")
]


def test_it_is_sound() -> None:
    """WSH-16: with the Status Effects that it brings."""
    check_plugin("momentum")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, EVENINGS + 1, 4))
def test_it_keeps_the_contract(seed: int) -> None:
    """WSH-01 to 20."""
    for begin in BEGINS:
        Contract("momentum", campaign=CAMPAIGN + CELLAR, begin=begin, words=WORDS, tries=8).check(
            evenings=2, seed=seed
        )
