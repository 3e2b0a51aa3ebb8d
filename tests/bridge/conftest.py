"""An evening to tell of, and whom to tell it to."""

from __future__ import annotations

import shutil
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.cli import Once
from support.evening import Evening

from strike_bridge import (
    consent,
    http_conversation,
    push_follow_and_sync,
    request_outcome,
    targets,
    worker,
    worker_launcher,
)
from strike_bridge.settings import Settings
from strike_bridge.targets.cozyvtt import CozyTarget
from strike_bridge.targets.discord import DiscordTarget
from strike_bridge.targets.dungeon_revealer import DungeonRevealerTarget
from strike_bridge.targets.foundry import FoundryTarget

from .helpers import Told, Typed, point_at
from .servers import cozyvtt, dungeon_revealer, inn, table, webhook
from .servers import foundry as foundry_relay
from .servers.base import running
from .servers.cozyvtt import BadCozy
from .servers.discord import Discord
from .servers.dungeon_revealer import DungeonRevealer
from .servers.foundry import BadFoundry
from .servers.raw import Raw, Speak
from .servers.table import BadTable
from .servers.webhook import Receiver

KEYS = {
    "STRIKE_TABLE_KEY": table.KEY,
    "STRIKE_FOUNDRY_KEY": foundry_relay.KEY,
    "STRIKE_COZYVTT_KEY": f"{cozyvtt.EMAIL} {cozyvtt.PASSWORD}",
    "STRIKE_DUNGEON_REVEALER_PASSWORD": dungeon_revealer.DM_PASSWORD,
    "STRIKE_WEBHOOK_SECRET": webhook.SECRET,
    "STRIKE_INN_PASSWORD": inn.PASSWORD,
}
"""What the stand-ins let in."""


@pytest.fixture(autouse=True)
def _surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for variable, key in KEYS.items():
        monkeypatch.setenv(variable, key)
    for kind, name in (("inn", "InnTarget"), ("deaf-inn", "DeafInnTarget")):
        monkeypatch.setitem(targets.KINDS, kind, f"{inn.__name__}:{name}")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("STRIKE_CAMPAIGN", raising=False)
    # Somebody agreed to every address here; test_agreement.py has what comes before that.
    monkeypatch.setattr(consent, "is_agreed", lambda *_: True)
    monkeypatch.setattr(worker_launcher, "are_settings_as_agreed", lambda *_: True)
    monkeypatch.setattr(request_outcome, "FIRST_WAIT", 0.002)
    monkeypatch.setattr(request_outcome, "LONGEST_BACKOFF", 0.02)
    monkeypatch.setattr(http_conversation, "READ_TIMEOUT", 5)
    monkeypatch.setattr(push_follow_and_sync, "RETRY_SECONDS", 0.05)
    monkeypatch.setattr(worker, "AGAIN", 0.05)
    monkeypatch.setattr(worker, "poll_interval", lambda last_change: 0.005)
    for kind in (FoundryTarget, CozyTarget, DungeonRevealerTarget):
        monkeypatch.setattr(kind, "recheck_delays", (0.002, 0.004))
    for kind in (FoundryTarget, DiscordTarget):  # a message for each result; test_gathering.py has the rest
        monkeypatch.setattr(kind, "most_combined", 1)
        monkeypatch.setattr(kind, "combine_seconds", 0.0)


@pytest.fixture
def evening(tmp_path: Path) -> Told:
    return Told(tmp_path / "ferry")


@pytest.fixture
def fight(evening: Told, once: Once) -> Told:
    """The same in the fight at the ford."""
    campaign = (evening.folder / "campaign.toml").read_text("utf-8")
    once(f"the ford of {campaign}", evening.folder, evening.start)
    return evening


@pytest.fixture
def bad_table() -> Iterator[BadTable]:
    with running(BadTable()) as table:
        yield table


@pytest.fixture
def bridge(evening: Evening, bad_table: BadTable, capsys: pytest.CaptureFixture[str]) -> Typed:
    """Whoever types `strike bridge` in the folder of an evening that has a table."""
    point_at(evening, bad_table.url)
    return Typed(evening.folder, capsys)


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
def receiver() -> Iterator[Receiver]:
    with running(Receiver()) as server:
        yield server


@pytest.fixture
def discord(monkeypatch: pytest.MonkeyPatch) -> Iterator[Discord]:
    with running(Discord()) as server:
        monkeypatch.setenv("STRIKE_DISCORD_WEBHOOK", server.webhook_url)
        yield server


@pytest.fixture
def cozy() -> Iterator[BadCozy]:
    with running(BadCozy()) as server:
        yield server


@pytest.fixture
def foundry() -> Iterator[BadFoundry]:
    """A world with an actor for each of the evening's people."""
    with running(BadFoundry()) as server:
        for name in ("Vex", "Brann", "Goblin", "Lurker"):
            server.world.add_actor(name, health={"value": 1, "max": 1})
        yield server


@pytest.fixture
def revealer() -> Iterator[DungeonRevealer]:
    with running(DungeonRevealer(t1="V", t2="G")) as server:
        yield server


@pytest.fixture
def raw() -> Iterator[Callable[[Speak], Raw]]:
    made: list[Raw] = []

    def make(speak: Speak) -> Raw:
        made.append(Raw(speak))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """An environment without any."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    return monkeypatch


@pytest.fixture(params=["table", "inn"])
def server(request: pytest.FixtureRequest) -> Iterator[Any]:
    """One that knows a result by its id, and one that can be asked for it."""
    with running(BadTable() if request.param == "table" else inn.Inn()) as up:
        yield up


@pytest.fixture
def copy_of(tmp_path: Path) -> Callable[[Path], Path]:
    return lambda folder: Path(shutil.copytree(folder, tmp_path / "copy"))
