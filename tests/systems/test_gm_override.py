"""The game master's hand, in every system's scenes: reveal, hide, join, leave, place, set, door, zone, fog,
park, return; with undo, and nothing of it for players who may not know."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.cli import Once, Strike

from strike_cli.campaign import Campaign
from strike_cli.campaign.create import create_campaign_folder
from strike_cli.registry.scenes_and_decisions_in_state import scenes_of
from strike_cli.tabletop.fog import parse_seen_squares
from strike_cli.tabletop.grid import Square
from strike_cli.visibility.audiences import PLAYERS
from strike_cli.visibility.known_scene import scene_for_audience

BEGUN = {
    "grit": ("grit start gallery", "sam", "cutter", "H3"),
    "karma": ("karma start sluice --first ana", "ana", "rakers", "L4"),
    "momentum": ("momentum start gate", "runa", "hound", "K1"),
    "combat": ("combat start ford", "vex", "goblin", "M6"),
}


@pytest.fixture(params=BEGUN)
def game(
    request: pytest.FixtureRequest,
    strike: Strike,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    once: Once,
) -> Any:
    """A scene of each game under way: the game's name, what is typed, and whom, what and which door there
    is."""
    name, there = request.param, tmp_path / "there"
    begins, who, creature, door = BEGUN[name]

    def begin() -> None:
        create_campaign_folder(there, system="" if name == "combat" else name)
        strike(f"-C {there} {begins}", None)

    once(f"a scene of {name}", there, begin)
    monkeypatch.chdir(there)
    return name, strike, who, creature, door


def people(*, player: bool = False) -> dict[str, Any]:
    """Everybody in the scene, as the game master or the players know it."""
    with Campaign(Path()) as campaign:
        (scene,) = scenes_of(campaign.state)
        return dict((scene_for_audience(scene, PLAYERS) if player else scene).people)


def test_hidden_and_shown(game: Any) -> None:
    """By the game master's word; players see nobody hidden."""
    name, strike, _, creature, _ = game
    strike(f"{name} join {creature} --at F4" if name != "karma" else f"{name} join {creature} --at K3")
    newest = list(people())[-1]
    strike(f"{name} hide {newest} --now")
    assert newest in people()
    assert newest not in people(player=True)
    strike(f"{name} reveal {newest}")
    assert newest in people(player=True)
    assert strike(f"{name} reveal {newest}", 1).err


def test_coming_and_going(game: Any) -> None:
    """Reinforcements by their sheets; who left comes back as they were, and undo takes it back."""
    name, strike, who, creature, _ = game
    before = people()
    strike(f"{name} join {creature} 2 --at {'K2' if name == 'karma' else 'F4'}")
    assert len(people()) == len(before) + 2
    strike("undo")
    assert people() == before
    strike(f'{name} leave {who} --why "runs"')
    assert people()[who].state == "out"
    back = " --at D4" if name == "combat" else ""
    strike(f"{name} join {who}{back}")
    now = people()[who]
    assert (now.state, now.meters) == ("up", before[who].meters)


def test_put_somewhere(game: Any) -> None:
    """On a free square, whatever lies between; on nobody, and in no wall."""
    name, strike, who, _, _ = game
    other = next(one for id, one in people().items() if id != who and one.at)
    strike(f"{name} place {who} E4" if name != "karma" else f"{name} place {who} E3")
    assert people()[who].at in ("E4", "E3")
    if name != "karma":  # there a square may be shared
        assert other.name in strike(f"{name} place {who} {other.at}", 1).err
        assert strike(f"{name} place {who} A1", 1).err


def test_the_ground(game: Any) -> None:
    """Doors, zones and fog of a map; what no rule reads of a zone is refused."""
    name, strike, _, _, door = game
    strike(f"{name} door open {door}")
    assert "already" in strike(f"{name} door open {door}", 1).err
    strike(f"{name} door close {door}")
    strike(f'{name} zone add "Wet salt" C3:D3')
    strike(f"{name} zone remove wet")
    if name != "combat":
        assert "no rule for a zone with --cover" in strike(f"{name} zone add Crate C3 --cover", 1).err
    strike(f"{name} fog on")
    assert strike.json(f"{name} show")["data"]
    strike(f"{name} fog off")


def test_a_secret_zone_of_the_same_name(game: Any) -> None:
    """Words that name it are for players once that is meant, or where they see one of that name."""
    name, strike, who, _, _ = game
    strike(f"{name} zone add Salt C3:D3 --secret")
    left = f'{name} leave {who} --why "slips on the salt"'
    assert "names Salt" in strike(left, 1).err
    strike(f"{left} --yes")
    assert "slips on the salt" in strike("log --player").out.lower()
    strike("undo")
    strike(f"{name} zone add Salt C4:D4")
    strike(left)
    told = strike("log --player").out.lower()
    assert "slips on the salt" in told
    assert "c3" not in told


def seen() -> frozenset[Square]:
    with Campaign(Path()) as campaign:
        return parse_seen_squares(campaign.state["grit"]["seen"])


def test_fog_shows_what_the_party_sees(strike: Strike, tmp_path: Path, monkeypatch: Any) -> None:
    """Walls and shut doors keep the rest from players; an open door shows what is behind it."""
    monkeypatch.chdir(create_campaign_folder(tmp_path / "stair", system="grit"))
    strike("grit start gallery")
    strike("grit fog on")
    before = seen()
    strike("grit door open H3")
    after = seen()
    assert before < after
    assert (12, 2) in after - before


def test_numbers(strike: Strike, tmp_path: Path, monkeypatch: Any) -> None:
    """A number is written, with the state that follows; + and - go by the system's own rules."""
    monkeypatch.chdir(create_campaign_folder(tmp_path / "stair", system="grit"))
    strike("grit start bridge")
    strike("grit set sam str 0")
    assert people()["sam"].down == "incapacitated"
    strike("grit set pete grit 2")
    data = strike.json("grit set pete grit -4 --dice 8")["data"]
    assert data["attacks"][0]["direct"] == 1, "1 Armor and 2 Grit are before it"
    assert strike("grit set pete str 7", 1).err
    assert strike("grit set pete hp 7", 2).err


def test_a_scene_waits(game: Any) -> None:
    """While another is played, and goes on as it stood."""
    name, strike, who, _, _ = game
    before = people()
    strike(f"{name} park")
    waiting = strike.json("status")["data"]["parked"]
    assert waiting[0]["next"].startswith(f"strike {name} return ")
    strike("session start", None)
    assert waiting[0]["next"] in strike("session end").out
    assert who in strike(f"{name} return").out.lower()
    assert people() == before
    assert strike.json("replay --verify")["ok"]


def test_conflicts_and_chases_keep_names_alone(in_campaign: Strike) -> None:
    """Scenes that keep no more of people than names have no hand."""
    assert in_campaign("chase reveal vex", 2).err
