"""An evening with a target of every kind, through the command line: all are told, and no key is anywhere."""

from __future__ import annotations

import base64
import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial

import pytest
from support.agreed import put_in_keys

from strike_bridge import http_conversation

from .conftest import KEYS as IN_THE_ENVIRONMENT
from .helpers import Told, Typed, everything_kept
from .servers import cozyvtt, discord, dungeon_revealer, encounterplus, foundry, table, webhook
from .servers.base import Server, answers, drops, running

KINDS: dict[str, tuple[Callable[[], Server], str]] = {
    "table": (table.BadTable, table.KEY),
    "foundry": (foundry.BadFoundry, foundry.KEY),
    "cozyvtt": (cozyvtt.BadCozy, f"{cozyvtt.EMAIL} {cozyvtt.PASSWORD}"),
    "dungeon-revealer": (partial(dungeon_revealer.DungeonRevealer, t1="Vex"), dungeon_revealer.DM_PASSWORD),
    "encounterplus": (partial(encounterplus.EncounterPlus, t1="Vex"), ""),
    "webhook": (webhook.Receiver, webhook.SECRET),
    "discord": (discord.Discord, discord.TOKEN),
}
"""A stand-in of each, and its key."""


@pytest.fixture
def servers(evening: Told, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Server]]:
    """All of them, as the campaign's targets."""
    for variable in IN_THE_ENVIRONMENT:
        monkeypatch.delenv(variable)
    with ExitStack() as stack:
        found = {kind: stack.enter_context(running(make())) for kind, (make, _) in KINDS.items()}
        targets = kept = ""
        for kind, server in found.items():
            url = "" if kind == "discord" else f'url = "{server.url}"\n'
            create = "create = true\n" if kind in ("foundry", "cozyvtt") else ""
            targets += f'[bridge.targets.{kind}]\nkind = "{kind}"\nhp = "none"\n{url}{create}'
            key = getattr(server, "webhook_url", KINDS[kind][1])
            kept += f'[targets.{kind}]\nkey = "{key}"\n' if key else ""
        evening.set_targets(targets)
        put_in_keys(evening.folder, kept)
        yield found


@pytest.mark.slow
def test_all_are_told_and_no_key_is_anywhere(
    evening: Told, servers: dict[str, Server], monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """Though each server quotes its own."""
    caplog.set_level(logging.DEBUG)
    monkeypatch.setattr(http_conversation, "CONNECT_TIMEOUT", 1)
    bridge = Typed(evening.folder, capsys)
    evening.start()
    said = [bridge(line) for line in ("push --dry-run", "push", "link --auto")]
    for kind, server in servers.items():
        server.faults = [answers(500, {}, {"error": f"not {KINDS[kind][1]}"}), drops]
    evening.play("combat damage", who="vex", amount=3, why="a branch")
    evening.undo()
    said += [bridge(line) for line in ("push --json", "sync", "diff")]
    said += [bridge(line, None) for line in ("targets", "status", "review", "doctor")]
    for kind, server in servers.items():
        server.always = answers(401, {}, {"message": f"who is {KINDS[kind][1]}?"})
    evening.roll(3)
    said += [bridge("push", 5), bridge("doctor --json", None)]
    raw = base64.b64decode(webhook.SECRET.removeprefix("whsec_")).hex()
    secrets = [key for _, key in KINDS.values() if key]
    for secret in (*secrets, cozyvtt.PASSWORD, webhook.SECRET.removeprefix("whsec_"), raw):
        assert secret not in "".join(said) + caplog.text + everything_kept(evening)
    assert all(server.writes() for server in servers.values())
    for kind in ("table", "webhook", "discord", "encounterplus", "dungeon-revealer"):
        assert "urker" not in str(servers[kind].seen), "these are for players"
