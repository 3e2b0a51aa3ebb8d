"""A closed door between the sides stalls no game that has maps."""

from __future__ import annotations

import pytest
from plugins.grit.conftest import CAMPAIGN as STAIR
from support.momentum import CAMPAIGN as QUARRY
from support.thorough import few_of

from strike_cli.plugin.testing import world_of
from strike_cli.sim.simulated_fight import FrozenCampaign, play_day_until_not_won
from strike_cli.sim.simulation_hooks import Lineup

DOOR = """
[encounters.door]
name = "The Door"
map = '''
P..#....
P..+..e.
...#....
'''
place = { P = "party", e = "enemies" }
creatures = { %s = 1 }
"""
IN_A_WALL = """
doors = [{ at = [[3, 1], [3, 2]], open = false }]
walls = [[[3, 0], [3, 1]], [[3, 2], [3, 3]]]
"""
GAMES = {"grit": (STAIR, "pete", "cutter"), "momentum": (QUARRY.read_text(encoding="utf-8"), "kit", "goblin")}


@pytest.mark.parametrize(
    "player", ["quick", *(pytest.param(name, marks=pytest.mark.slow) for name in ("good", "full"))]
)
@pytest.mark.parametrize("game", few_of(GAMES, 4))
@pytest.mark.parametrize("wall", ["", IN_A_WALL], ids=["square", "wall"])
def test_a_closed_door_is_opened(game: str, player: str, wall: str) -> None:
    campaign, hero, foe = GAMES[game]
    encounter = DOOR % foe
    if wall:
        encounter = encounter.replace("#", ".").replace("+", ".") + wall
    world = world_of(campaign + encounter)
    frozen = FrozenCampaign.freeze(world.book, world.state, game, ["door"], Lineup((hero,)))
    played = list[str]()
    fight = play_day_until_not_won(frozen, 1, 1, player, lambda option, _: played.append(str(option))).fights[
        0
    ]
    assert fight.outcome in ("won", "lost"), fight.stuck
    assert any("door" in line or "interact" in line for line in played), played
