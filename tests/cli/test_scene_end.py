"""Once a side has nobody left, every door names the command that ends the scene, and `next` plays it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from support.cli import Strike

from strike_cli.campaign import Campaign
from strike_cli.campaign_on_screen import campaign_view
from strike_cli.registry.remote_permissions import RemoteSender
from strike_cli.serve.hosted_game import HostedGame
from strike_cli.serve.mcp_tools import Assistant, Tools
from strike_cli.terminal.screen.campaign_view import legal_moves_in_scene
from strike_cli.terminal.screen.screen_drawing import draw_play_screen
from strike_cli.terminal.screen.screen_state import ScreenState
from strike_cli.terminal.screen.text_rows import text_of_row


class Decided(NamedTuple):
    """A game, what brings its enemies down, and what ends the scene."""

    game: str
    felled: tuple[str, ...]
    ends: str


ENEMIES = (*(f"goblin-{n}" for n in range(1, 6)), "lamp-thief")
FELLED = tuple(f"damage {who} 9" for who in ENEMIES)
OUT = ("out bailiff", *["out rakers"] * 3)
DEAD = tuple(f"hurt {who} 99" for who in ("shardling-1", "shardling-2", "warden"))
GAMES = [
    Decided("combat", ("start ford", "initiative", "turn", *FELLED), "finish"),
    Decided("grit", ("start bridge", "hurt troll 60 --direct"), "end"),
    Decided("karma", ("start wreck --first ana", *OUT), "end"),
    Decided("momentum", ("start gate", "initiative", "turn", *DEAD), "end"),
]


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES, ids=lambda one: one.game)
def test_a_decided_scene_names_its_end(
    game: Decided, strike: Strike, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "evening"
    strike(f"new evening{'' if game.game == 'combat' else f' --system {game.game}'}")
    monkeypatch.chdir(folder)
    *before, last = (f"{game.game} {line}" for line in game.felled)
    for line in before:
        strike(line)
    ends, told = f"{game.game} {game.ends}", f"This is decided. strike {game.game} {game.ends} ends it."
    assert strike.json(f"{game.game} options")["data"]["options"][0]["typed"] != game.ends
    strike(last)
    assert strike.json(f"{game.game} options")["data"]["options"][0]["typed"] == game.ends
    assert ends in strike(f"{game.game} show").out
    only = f"Enter: {game.ends}"  # a game that offers nothing else
    assert any(each in screen(folder) for each in (f"Decided: {game.ends} ends it", only))
    with HostedGame(folder, RemoteSender.MCP).run_in_thread() as asked:
        assert ends in Tools(asked, Assistant()).options().splitlines()[0]
    if game.game == "karma":
        for line in ("act ana -d 1,2,3", "pass bo"):
            said = strike(f"karma {line}").out
        assert said.endswith(f"{told}\n")
    ended = strike.json(f"{ends} --dry-run")["facts"]
    assert strike.json(f"{game.game} next --dry-run")["facts"] == ended != []
    strike(f"{game.game} next")
    assert strike(f"{game.game} show", None).code == 1


def screen(folder: Path) -> str:
    with Campaign(folder) as campaign:
        desk = ScreenState(campaign_view(campaign, 60))
    assert desk.scene
    desk.store_moves_and_pick_obvious(list(legal_moves_in_scene(desk.view, desk.scene)))
    return "\n".join(text_of_row(row) for row in draw_play_screen(desk, 80, 24).rows)
