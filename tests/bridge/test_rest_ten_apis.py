"""Ten APIs, each by a TOML file alone: an evening arrives there, through storms, kills and undos."""

from __future__ import annotations

import contextlib
import os
import random
from pathlib import Path

import pytest
from support.evening import Evening
from support.thorough import few_of

from strike_bridge.delivery_operations import push
from strike_bridge.journal_reader import JournalReader
from strike_bridge.settings import Settings
from strike_bridge.state_projection import ShownTable, project_state
from strike_bridge.target_differences import diff_target

from .helpers import HASTY, Killed, cursor_of, told
from .rest_helpers import hall, settings_for
from .servers.base import running
from .servers.rest_apis import APIS, Api, Token
from .servers.webhook import SECRET, Receiver
from .test_faulty_servers import dying_after
from .test_faulty_targets import FAULTS, is_within, one_thing, results

SEEDS = range(20 if os.environ.get("STRIKE_THOROUGH") else 1)


@pytest.fixture(params=few_of(APIS, 5), ids=lambda api: api.__name__)
def api(request: pytest.FixtureRequest) -> type[Api]:
    found: type[Api] = request.param
    return found


def now(folder: Path) -> ShownTable:
    """What players may see."""
    return project_state(JournalReader(folder).read_backlog(("", 0), 0).now, boardless=False)


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
        settings = settings_for(evening.folder, server)
        evening.start()
        seqs = [evening.roll(face) for face in (1, 2)]
        told(evening.folder, settings)
        assert server.tokens()["vex"] == Token(0, 0, 10)
        assert set(server.tokens()) == {"vex", "brann", "goblin-1", "goblin-2"}
        evening.happen(("fell", "vex", "", {"fight.combatants.vex.statuses": [{"id": "core:prone"}]}))
        evening.move("vex", "C3")
        told(evening.folder, settings)
        as_it_should(server, evening.folder, settings)
        evening.undo(2)
        told(evening.folder, settings)
        as_it_should(server, evening.folder, settings)
        assert not cursor_of(evening.folder, settings).review
        assert len(server.lines()) == 2 + len(seqs)
        assert push(evening.folder, settings, HASTY).sent == 0
        evening.happen(("hid", "goblin-1", "", {"fight.combatants.goblin-1.hidden": True}))
        told(evening.folder, settings)
        assert "goblin-1" not in server.tokens()
        evening.undo()
        told(evening.folder, settings)
        as_it_should(server, evening.folder, settings)
        assert server.most_at_once == 1


@pytest.mark.parametrize("seed", few_of(SEEDS, 5))
def test_through_storms_kills_and_undos(
    api: type[Api], evening: Evening, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(seed)
    evening.start()
    with hall(api, monkeypatch) as server:
        settings = settings_for(evening.folder, server)
        told(evening.folder, settings)
        for _ in range(4):
            for _ in range(rng.randint(1, 4)):
                one_thing(evening, rng)
            server.faults = rng.sample(FAULTS, rng.randint(0, 5))
            with pytest.MonkeyPatch.context() as patch:
                dying_after(rng.randint(1, 25), patch)
                with contextlib.suppress(Killed):
                    push(evening.folder, settings, HASTY)
        server.faults = []
        told(evening.folder, settings)
        as_it_should(server, evening.folder, settings)
        monkeypatch.setenv("STRIKE_WEBHOOK_SECRET", SECRET)
        with running(Receiver()) as oracle:
            expected = [result["id"] for result in results(evening.folder, oracle)]
        found, review = server.lines(), {item["id"] for item in cursor_of(evening.folder, settings).review}
        assert is_within(found, expected), "in order, and none twice"
        assert set(expected) - set(found) <= review
        assert {id for id in review if ":" in id} == set()
