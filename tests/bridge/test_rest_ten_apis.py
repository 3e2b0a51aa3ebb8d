"""Ten APIs, each by a TOML file alone: an evening arrives there. test_random_walk.py has storms and kills."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.evening import Evening
from support.thorough import few_of

from strike_bridge.journal_reader import JournalReader
from strike_bridge.push_follow_and_sync import push
from strike_bridge.settings import Settings
from strike_bridge.state_projection import ShownTable, project_state
from strike_bridge.target_differences import diff_target

from .helpers import HASTY, cursor_of, told
from .rest_helpers import hall, settings_for
from .servers.rest_apis import APIS, Api, Token


@pytest.fixture(params=few_of(APIS, 5), ids=lambda api: api.__name__)
def api(request: pytest.FixtureRequest) -> type[Api]:
    found: type[Api] = request.param
    return found


def now(folder: Path) -> ShownTable:
    """What players may see."""
    return project_state(JournalReader(folder).read_backlog(("", 0), 0).now, every_boardless=False)


def as_it_should(server: Api, folder: Path, settings: Settings) -> None:
    """The server shows what the campaign says, and heard of nobody who hides."""
    shown = now(folder)
    server.height = len(shown.scene["rows"]) if shown.scene else 0
    on_map = {id: token for id, token in shown.tokens.items() if token["position"]}
    found = {id: token for id, token in server.tokens().items() if id in on_map}
    assert found == {
        id: Token(token["position"]["x"], token["position"]["y"], (token["hp"] or {"value": 0})["value"])
        for id, token in on_map.items()
    }
    left = {id for id, token in shown.tokens.items() if token["state"] == "out"}
    assert set(server.tokens()) - set(on_map) <= left, "who left is there no more"
    if server.has_statuses:
        statuses = server.statuses()
        assert {id: statuses[id] for id in on_map} == {
            id: sorted(token["statuses"]) for id, token in on_map.items()
        }
    who = (shown.order or {}).get("active")
    name = shown.tokens[who]["name"] if who in shown.tokens else None
    assert server.active() in (who, name, *([None] if settings.create and who not in on_map else []))
    if "read" in settings.own:
        assert diff_target(folder, settings) == []
    sent = b"".join(call.raw + call.path.encode() for call in server.calls).lower()
    assert b"lurker" not in sent


def test_an_evening_arrives(api: type[Api], evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    with hall(api, monkeypatch) as server:
        settings = settings_for(evening, server)
        evening.start()
        seqs = [evening.roll(face) for face in (1, 2)]
        told(evening, settings)
        assert server.tokens()["vex"] == Token(0, 0, 10)
        assert set(server.tokens()) == {"vex", "brann", "goblin-1", "goblin-2"}
        evening.change("vex", statuses=[{"id": "core:prone"}])
        evening.move("vex", "C3")
        told(evening, settings)
        as_it_should(server, evening.folder, settings)
        evening.undo(2)
        told(evening, settings)
        as_it_should(server, evening.folder, settings)
        assert not cursor_of(evening, settings).review
        assert len(server.lines()) == 2 + len(seqs)
        assert push(evening.folder, settings, HASTY).sent == 0
        evening.change("goblin-1", hidden=True)
        told(evening, settings)
        assert "goblin-1" not in server.tokens()
        evening.undo()
        told(evening, settings)
        as_it_should(server, evening.folder, settings)
        assert server.most_at_once == 1
