"""A campaign whose target is one of the ten APIs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from support.evening import Evening

from strike_bridge.rest.merged_target_table import with_target_headings
from strike_bridge.settings import Settings, read_targets, settings_from_unchecked_table
from strike_bridge.targets import target_class
from strike_cli.untrusted_input import parse_toml

from .helpers import folder_of
from .servers.base import running
from .servers.rest_apis import KEY, Api, OAuth, UpsideDown


def write_target(evening: Path | Evening, text: str, url: str = "", more: str = "") -> Settings:
    """Put a rest target into campaign.toml in place of all targets."""
    folder = folder_of(evening)
    file = folder / "campaign.toml"
    head = file.read_text("utf-8").partition("[bridge.targets.")[0]
    address = f'url = "{url}"\n' if url else ""
    whole = head + with_target_headings(f'kind = "rest"\n{address}{more}{text}', "hall")
    file.write_text(whole, "utf-8")
    return read_targets(folder)["hall"]


def rest_target(text: str, key: str = "", url: str = "https://vtt.example/api") -> Any:
    """A target of TOML alone, that no campaign names."""
    address = {"url": url} if url else {}
    settings = settings_from_unchecked_table("hall", {"kind": "rest", **address, **parse_toml(text.encode())})
    return target_class(settings)(settings, key)


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


def settings_for(evening: Path | Evening, server: Api, more: str = "") -> Settings:
    """The target of one of the ten."""
    table = server.table()
    if isinstance(server, OAuth):
        table = table.replace("DOORS", server.doors.url)
    url = "" if isinstance(server, UpsideDown) else server.url + server.path
    return write_target(evening, table, url, more)
