"""An evening with a target of every kind, through the command line: all are told, and no key is anywhere."""

from __future__ import annotations

import contextlib
import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.agreed import put_in_keys
from support.evening import Evening

from strike_bridge import http_conversation
from strike_cli.cli.app import run_command_line_or_complete

from .servers import cozyvtt, discord, dungeon_revealer, encounterplus, foundry, table, webhook
from .servers.base import Server, answers, drops, running

KEYS = {
    "table": table.KEY,
    "foundry": foundry.KEY,
    "cozyvtt": f"{cozyvtt.EMAIL} {cozyvtt.PASSWORD}",
    "dungeon-revealer": dungeon_revealer.DM_PASSWORD,
    "webhook": webhook.SECRET,
    "discord": discord.TOKEN,
}


@pytest.fixture
def servers() -> Iterator[dict[str, Server]]:
    with contextlib.ExitStack() as stack:
        yield {
            kind: stack.enter_context(running(server))
            for kind, server in {
                "table": table.BadTable(),
                "foundry": foundry.BadFoundry(),
                "cozyvtt": cozyvtt.BadCozy(),
                "dungeon-revealer": dungeon_revealer.DungeonRevealer(t1="Vex"),
                "encounterplus": encounterplus.EncounterPlus(t1="Vex"),
                "webhook": webhook.Receiver(),
                "discord": discord.Discord(),
            }.items()
        }


def set_up(folder: Path, servers: dict[str, Server], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STRIKE_TABLE_KEY")
    campaign = folder / "campaign.toml"
    text = campaign.read_text(encoding="utf-8").partition("[bridge.targets.table]")[0]
    kept = ""
    for kind, server in servers.items():
        url = "" if kind == "discord" else f'url = "{server.url}"\n'
        create = "create = true\n" if kind in ("foundry", "cozyvtt") else ""
        text += f'[bridge.targets.{kind}]\nkind = "{kind}"\nhp = "none"\n{url}{create}'
        key = getattr(server, "webhook_url", KEYS.get(kind))
        kept += f'[targets.{kind}]\nkey = "{key}"\n' if key else ""
    campaign.write_text(text, encoding="utf-8")
    put_in_keys(folder, kept)


@pytest.mark.slow
def test_all_are_told_and_no_key_is_anywhere(
    evening: Evening,
    servers: dict[str, Server],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setattr(http_conversation, "CONNECT_TIMEOUT", 1)
    set_up(evening.folder, servers, monkeypatch)

    def bridge(line: str) -> int:
        return run_command_line_or_complete(["-C", str(evening.folder), "bridge", *line.split()])

    evening.start()
    assert bridge("push --dry-run") == 0
    assert bridge("push") == 0
    assert bridge("link --auto") == 0
    for server in servers.values():
        server.faults = [answers(500, {}, {"error": "no"}), drops]
    evening.play("combat damage", who="vex", amount=3, why="a branch")
    evening.undo()
    assert bridge("push --json") == 0
    assert bridge("sync") == 0
    assert bridge("diff") == 0
    for line in ("targets", "status", "review", "doctor"):
        bridge(line)
    for server in servers.values():
        server.always = answers(401, {}, {"message": "who are you?"})
    evening.roll(3)
    assert bridge("push") == 5
    bridge("doctor --json")
    out, err = capsys.readouterr()
    told = json.dumps([out, err, caplog.text])
    kept = [path for path in evening.folder.rglob("*") if path.is_file()]
    for secret in [*KEYS.values(), cozyvtt.PASSWORD]:
        assert secret not in told
        assert not [path for path in kept if secret.encode() in path.read_bytes()]
    assert all(server.writes() for server in servers.values())
    for kind in ("table", "webhook", "discord", "encounterplus", "dungeon-revealer"):
        assert "urker" not in str(servers[kind].seen), "these are for players"
