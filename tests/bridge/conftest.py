"""An evening to tell of, and whom to tell it to."""

from __future__ import annotations

import shutil
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from strike_bridge import outcome, wire
from strike_bridge.settings import Settings
from strike_cli.campaign import Campaign
from strike_cli.play.perform import How, perform
from strike_cli.rules.procedure import World

from .servers.base import running
from .servers.table import KEY, BadTable

CAMPAIGN = """\
schema = 1
name = "The Ferry"
seed = 7

[characters.vex]
name = "Vex"
[characters.brann]
name = "Brann"

[creatures.goblin]
name = "Goblin"
hp = 4
[creatures.lurker]
name = "Reed Lurker"
hidden = true
hp = 6

[encounters.ford]
name = "The Ford"
goal = "Get across"
map = '''
P..g....
P..g..L.
........
'''
place = { P = "party", g = "goblin", L = "lurker" }

[encounters.mill]
name = "The Mill"
map = "P.P.g"
place = { P = "party", g = "goblin" }

[bridge.targets.table]
kind = "table"
url = "http://127.0.0.1:4747"
"""


class Evening:
    """A campaign in a folder, played by name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        (folder / "campaign.toml").write_text(CAMPAIGN, encoding="utf-8")

    def start(self, encounter: str = "ford") -> None:
        """A session, and a fight in it with initiative rolled: vex, brann, then the rest."""
        self.play("session start", at="tonight", title="")
        self.play("combat start", encounter=encounter, goal="", party=["vex", "brann"])

    def play(self, command: str, dice: list[int] | None = None, secret: bool = False, **args: Any) -> int:
        with Campaign(self.folder, writing=True) as campaign:
            came = perform(campaign, command, args, How(dice=dice, secret=secret, note="for the GM alone"))
            assert came.seq is not None
            return came.seq

    def roll(self, face: int, secret: bool = False) -> int:
        """A bare die: the shortest command with a result."""
        return self.play("roll die", [face], secret, n=1, sides=6, who="vex")

    def happen(
        self, *facts: tuple[str, str, str, dict[str, Any]], command: str = "combat move", secret: bool = False
    ) -> int:
        """Facts that no rule has made: (kind, who, text, sets)."""
        with Campaign(self.folder, writing=True) as campaign:
            world, made = World(campaign.book, campaign.state), []
            for kind, who, text, sets in facts:
                fact = world.happen(kind, who, text, sets).fact
                made.append(fact.as_json())
                for path, _, after in fact.changes:
                    world.state = _with(world.state, path, after)
            kept = {"secret": True} if secret else {}
            return campaign.commit(command, {}, [], made, world.state, **kept)

    def move(self, who: str, square: str) -> int:
        """Somebody stands elsewhere, and nothing is said about it."""
        return self.happen(("stepped", who, "", {f"fight.combatants.{who}.at": square}))

    def undo(self, count: int = 1) -> None:
        with Campaign(self.folder, writing=True) as campaign:
            campaign.undo(count)

    def redo(self, count: int = 1) -> None:
        with Campaign(self.folder, writing=True) as campaign:
            campaign.redo(count)


def _with(state: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    from strike_cli.facts import apply_changes

    return apply_changes(state, [(path, None, value)])


# Fixtures


@pytest.fixture(autouse=True)
def _surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("STRIKE_TABLE_KEY", KEY)
    monkeypatch.delenv("STRIKE_CAMPAIGN", raising=False)
    monkeypatch.setattr(outcome, "FIRST_WAIT", 0.002)
    monkeypatch.setattr(outcome, "LONGEST_BACKOFF", 0.02)
    monkeypatch.setattr(wire, "READ_TIMEOUT", 0.25)


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    return Evening(tmp_path / "ferry")


@pytest.fixture
def bad_table() -> Iterator[BadTable]:
    with running(BadTable()) as table:
        yield table


@pytest.fixture
def settings(bad_table: BadTable) -> Settings:
    return Settings("table", "table", bad_table.url)


@pytest.fixture
def nobody() -> Settings:
    """A target at an address where nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return Settings("table", "table", f"http://127.0.0.1:{free.getsockname()[1]}")


@pytest.fixture
def copy_of(tmp_path: Path) -> Callable[[Path], Path]:
    return lambda folder: Path(shutil.copytree(folder, tmp_path / "copy"))
