"""A campaign of version 0.1, in the middle of a fight, a conflict and a chase, goes on as it was.

`tests/data/played/0.1` was written by that version: two evenings, 51 entries, a Skill Roll that waits for its
Cost, one command taken back, a hidden creature, a secret zone, and what the bridge remembers of its table.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from campaign.evening import entries
from conftest import DATA
from support.cli import Strike

from strike_cli.campaign import Campaign
from strike_cli.campaign.campaign import state_differences


@pytest.fixture
def played(strike: Strike, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Strike:
    """The command line in a copy of that campaign."""
    shutil.copytree(DATA / "played" / "0.1", tmp_path / "road")
    monkeypatch.chdir(tmp_path / "road")
    return strike


OTHERWISE_NOW = ["wealth buy", "conflict start", "chase start"]
"""What rules of today play otherwise: a purchase is remembered, so that a Fallback may save it (STR-CORE-31);
a conflict and a chase keep the names of everybody in it."""


def differing(played: Strike) -> list[str]:
    """The commands that come out otherwise when the journal is played again."""
    return [one["command"] for one in played.json("replay --verify", code=3)["data"]["differences"]]


def test_it_is_read_as_it_was_left(played: Strike) -> None:
    with Campaign(Path()) as campaign:
        assert campaign.notices == []
        _, folded = campaign._replay_journal()
        assert list(state_differences(folded, campaign.state)) == []
    assert played.json("doctor")["ok"]
    assert differing(played) == OTHERWISE_NOW
    status = played.json("status")["data"]
    assert status["fight"]["active"] == "sela"
    assert status["conflict"]["round"] == 2
    assert [waiting["who"] for waiting in status["pending"]] == ["odo"]


@pytest.mark.slow
def test_each_scene_plays_on(played: Strike) -> None:
    played("choose favor")
    played("combat attack sela goblin-1 --dice 2")
    played("combat end-turn")
    assert played.json("combat turn")["data"]["who"] == "odo"
    played("chase predict set-up")
    assert played.json("chase roll")["data"]["runners_action"] == "set-up"
    played("conflict act sela pass")
    played("conflict act odo pass")
    assert played.json("conflict roll")["data"]["theirs"]["advance"] is not None
    assert played.json("doctor")["ok"]
    assert differing(played) == OTHERWISE_NOW


def test_all_of_it_can_be_taken_back_and_put_back(played: Strike) -> None:
    with Campaign(Path()) as campaign:
        before = campaign.state
        count = campaign.head.commands
    played("redo")
    played(f"undo {count + 1}")
    with Campaign(Path()) as campaign:
        assert campaign.state == {}
    played(f"redo {count}")
    with Campaign(Path()) as campaign:
        assert campaign.state == before
    assert len(entries(Path())) == 54


def test_a_lost_state_is_rebuilt_from_its_journal(played: Strike) -> None:
    with Campaign(Path()) as campaign:
        before = campaign.state
    Path("state.toml").unlink()
    with Campaign(Path(), writing=True) as campaign:
        assert campaign.state == before


@pytest.mark.parametrize(
    "screen", ["combat show", "conflict show --gm", "chase show --gm", "log --last 60", "status"]
)
def test_its_screens_are_shown(played: Strike, screen: str) -> None:
    assert played(screen).out


def test_a_command_that_nobody_knows_any_more_is_a_difference(played: Strike) -> None:
    """A replay that can't play a command says so: it must not pass for one that agrees."""
    journal = Path("journal/0002.jsonl")
    text = journal.read_bytes()
    journal.write_bytes(text.replace(b'"command":"conflict prep"', b'"command":"conflict prey"'))
    assert sorted(differing(played)) == sorted([*OTHERWISE_NOW, "conflict prey"])
