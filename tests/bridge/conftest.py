"""An evening to tell of, and whom to tell it to."""

from __future__ import annotations

import shutil
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.cli import Once
from support.evening import Evening

from strike_bridge import consent, http_conversation, request_outcome, worker_launcher
from strike_bridge.settings import Settings
from strike_bridge.targets.cozyvtt import CozyTarget
from strike_bridge.targets.discord import DiscordTarget
from strike_bridge.targets.dungeon_revealer import DungeonRevealerTarget
from strike_bridge.targets.foundry import FoundryTarget

from .servers.base import running
from .servers.discord import Discord
from .servers.dungeon_revealer import DM_PASSWORD, DungeonRevealer
from .servers.foundry import BadFoundry
from .servers.table import KEY, BadTable
from .servers.webhook import SECRET, Receiver


@pytest.fixture(autouse=True)
def _surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("STRIKE_TABLE_KEY", KEY)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("STRIKE_CAMPAIGN", raising=False)
    # Somebody agreed to every address here; test_agreement.py has what comes before that.
    monkeypatch.setattr(consent, "is_agreed", lambda *_: True)
    monkeypatch.setattr(worker_launcher, "is_probably_agreed", lambda *_: True)
    monkeypatch.setattr(request_outcome, "FIRST_WAIT", 0.002)
    monkeypatch.setattr(request_outcome, "LONGEST_BACKOFF", 0.02)
    monkeypatch.setattr(http_conversation, "READ_TIMEOUT", 5)
    for kind in (FoundryTarget, CozyTarget, DungeonRevealerTarget):
        monkeypatch.setattr(kind, "recheck_delays", (0.002, 0.004))
    for kind in (FoundryTarget, DiscordTarget):  # a message for each result; test_gathering.py has the rest
        monkeypatch.setattr(kind, "most_combined", 1)
        monkeypatch.setattr(kind, "combine_seconds", 0.0)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """For faults that keep the bridge waiting: on a busy machine a sound answer may come too late as well."""
    monkeypatch.setattr(http_conversation, "READ_TIMEOUT", 0.25)


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    return Evening(tmp_path / "ferry")


@pytest.fixture
def fight(evening: Evening, once: Once) -> Evening:
    """The same in the fight at the ford."""
    campaign = (evening.folder / "campaign.toml").read_text("utf-8")
    once(f"the ford of {campaign}", evening.folder, evening.start)
    return evening


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
def receiver(monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    monkeypatch.setenv("STRIKE_WEBHOOK_SECRET", SECRET)
    with running(Receiver()) as server:
        yield server


@pytest.fixture
def discord(monkeypatch: pytest.MonkeyPatch) -> Iterator[Discord]:
    with running(Discord()) as server:
        monkeypatch.setenv("STRIKE_DISCORD_WEBHOOK", server.webhook_url)
        yield server


@pytest.fixture
def foundry() -> Iterator[BadFoundry]:
    """A world with an actor for each of the evening's people."""
    with running(BadFoundry()) as server:
        for name in ("Vex", "Brann", "Goblin", "Lurker"):
            server.world.add_actor(name, health={"value": 1, "max": 1})
        yield server


@pytest.fixture
def revealer(monkeypatch: pytest.MonkeyPatch) -> Iterator[DungeonRevealer]:
    monkeypatch.setenv("STRIKE_DUNGEON_REVEALER_PASSWORD", DM_PASSWORD)
    with running(DungeonRevealer(t1="V", t2="G")) as server:
        yield server


@pytest.fixture
def copy_of(tmp_path: Path) -> Callable[[Path], Path]:
    return lambda folder: Path(shutil.copytree(folder, tmp_path / "copy"))
