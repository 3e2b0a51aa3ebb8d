"""Encounters as any system may set them up: the map, and who stands where."""

from __future__ import annotations

import pytest

from strike_cli.plugin import Refused, World
from strike_cli.plugin.encounters import set_up_encounter
from strike_cli.plugin.testing import CAMPAIGN, world_of
from strike_cli.refusals import TooFewPartySquares

ENCOUNTERS = """
[creatures]
goblin = { name = "Goblin" }
ogre = { name = "Ogre", size = 2, hidden = true }

[encounters.yard]
name = "The Yard"
map = '''
P..#....
P..#.O..
.A.....g
'''
place = { P = "party", O = "ogre", g = "goblin", A = "dee" }

[encounters.crowd]
name = "The Crowd"
map = '''
P.......
.....e..
'''
place = { P = "party", e = "enemies" }
creatures = { goblin = 2 }
"""


@pytest.fixture(scope="module")
def world() -> World:
    return world_of(CAMPAIGN + ENCOUNTERS)


def test_everybody_has_a_square(world: World) -> None:
    """The party in the order of its squares; whoever has a sign of their own on that."""
    setting = set_up_encounter(world, "yard", ["bo", "ana", "dee"])
    places = {who: one["at"] for who, one in setting.people.items()}
    assert places == {"bo": "A1", "ana": "A2", "dee": "B3", "ogre": "F2", "goblin": "H3"}
    assert {who for who, one in setting.people.items() if one["side"] == "enemies"} == {"ogre", "goblin"}
    assert setting.people["ogre"]["size"] == 2
    assert setting.people["ogre"]["hidden"] is True
    assert setting.board["rows"] == ["...#....", "...#....", "........"]


def test_creatures_by_count(world: World) -> None:
    """The encounter's and more, on the squares for enemies and beside them."""
    people = set_up_encounter(world, "crowd", ["ana"], {"goblin": 1, "ogre": 1}).people
    assert [who for who in people if who != "ana"] == ["goblin-1", "goblin-2", "goblin-3", "ogre"]
    assert people["goblin-1"]["at"] == "F2"
    squares = [one["at"] for one in people.values()]
    assert len(set(squares)) == len(squares)


def test_where_there_is_no_room(world: World) -> None:
    with pytest.raises(TooFewPartySquares, match="1.* 2 "):
        set_up_encounter(world, "crowd", ["ana", "bo"])
    with pytest.raises(Refused, match="no room for 30 Goblin"):
        set_up_encounter(world, "crowd", ["ana"], {"goblin": 28})
