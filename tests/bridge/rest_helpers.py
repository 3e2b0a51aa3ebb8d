"""A campaign whose target is one of the ten APIs."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from strike_bridge.rest.merged_target_table import with_target_headings
from strike_bridge.settings import Settings, read_targets

from .servers.base import running
from .servers.rest_apis import KEY, Api, OAuth, UpsideDown


def write_target(folder: Path, text: str, url: str = "", more: str = "") -> Settings:
    """Put a rest target into campaign.toml in place of all targets."""
    file = folder / "campaign.toml"
    head = file.read_text("utf-8").partition("[bridge.targets.")[0]
    address = f'url = "{url}"\n' if url else ""
    whole = head + with_target_headings(f'kind = "rest"\n{address}{more}{text}', "hall")
    tomllib.loads(whole)
    file.write_text(whole, "utf-8")
    return read_targets(folder)["hall"]


@contextmanager
def hall(api: type[Api], monkeypatch: Any) -> Iterator[Api]:
    """One of the ten, running, with its key in the environment."""
    with running(api()) as server:
        key = f"{server.url}/{KEY}" if isinstance(server, UpsideDown) else KEY
        monkeypatch.setenv("STRIKE_REST_KEY", key)
        if isinstance(server, OAuth):
            with running(server.doors):
                yield server
        else:
            yield server


def settings_for(folder: Path, server: Api, more: str = "") -> Settings:
    """The target of one of the ten."""
    table = server.table()
    if isinstance(server, OAuth):
        table = table.replace("DOORS", server.doors.url)
    url = "" if isinstance(server, UpsideDown) else server.url + server.path
    return write_target(folder, table, url, more)
