"""The door for other programs, served on a free port for as long as a test asks, and called with its key."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from support.cli import Once
from support.hasty_servers import end_at_once

import strike_cli
from strike_cli.serve.hosted_game import HostedGame
from strike_cli.serve.serve_command import run_http_server_in_thread

KEY = "the-key-of-this-door"
SHADOW = """
[creatures]
shqzxv = { name = "Shqzxv", hidden = true, hp = 6, melee = { damage = 1 } }
"""
"""Somebody in hiding of whom no player may read."""


class Served(NamedTuple):
    """A door that is open: its folder, game and address, and what asks it."""

    folder: Path
    game: HostedGame
    url: str
    http: httpx.Client

    def post(self, *words: str, code: int = 200, **more: Any) -> Any:
        """What a command answers; its status is checked."""
        came = self.http.post("/api/v1/commands", json={"words": list(words), **more})
        assert came.status_code == code, came.text
        return came.json()

    def post_all(self, *commands: Any, code: int = 200, **more: Any) -> Any:
        """What each command of a list answers; the status of all is checked."""
        came = self.http.post("/api/v1/commands", json={"commands": commands, **more})
        assert came.status_code == code, came.text
        return came.json()["answers"] if code == 200 else came.json()

    def get(self, path: str, code: int = 200, **query: Any) -> Any:
        """What is read at a path below /api/v1; its status is checked."""
        came = self.http.get(f"/api/v1/{path}", params=query)
        assert came.status_code == code, came.text
        return came.json() if came.content else None

    @property
    def recorded(self) -> list[dict[str, Any]]:
        """The journal."""
        return list(strike_cli.Campaign(self.folder).entries())


@contextmanager
def opened(folder: Path, **how: Any) -> Iterator[Served]:
    """The door of a campaign."""
    with ExitStack() as stack:
        end_at_once(stack.enter_context(pytest.MonkeyPatch.context()))
        game, url = stack.enter_context(run_http_server_in_thread(folder, KEY, **how))
        thread = threading.Thread(target=game.play_until_stopped, daemon=True)
        thread.start()
        stack.callback(thread.join, 10)
        stack.callback(game.stop)
        headers = {"Authorization": f"Bearer {KEY}"}
        # All connections stay open: the pool may close an idle one just as another thread takes it.
        limits = httpx.Limits(max_keepalive_connections=None, keepalive_expiry=None)
        http = stack.enter_context(
            httpx.Client(base_url=url, headers=headers, timeout=60, verify=False, limits=limits)
        )
        yield Served(folder, game, url, http)


@pytest.fixture
def campaign(tmp_path: Path, once: Once) -> Path:
    """The example campaign, with somebody in hiding."""
    folder = tmp_path / "campaign"
    once("example with a shadow", folder, lambda: example(folder))
    return folder


def example(folder: Path) -> Path:
    """The example campaign in a folder, with somebody in hiding."""
    strike_cli.Campaign.new(folder, seed=3)
    file = folder / "campaign.toml"
    file.write_text(file.read_text(encoding="utf-8") + SHADOW, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def asked_in(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A door that stays open for a module's tests: none of them changes anything."""
    with opened(example(tmp_path_factory.mktemp("asked") / "campaign")) as found:
        yield found


@pytest.fixture
def door(campaign: Path) -> Iterator[Served]:
    """Its door, open."""
    with opened(campaign, origins=["https://here.example"]) as found:
        yield found
