"""Random evenings through a storm, to each of five kinds: what is so arrives, once, in order, and no secret.

`STRIKE_THOROUGH=1` plays more of them.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.evening import Evening

from strike_bridge.settings import Settings, settings_from_unchecked_table
from strike_bridge.target_differences import diff_target
from strike_bridge.targets.discord import discord_message
from strike_cli.problems import Problem

from .helpers import SECRET_PICK, asked, council, cursor_of, link, shown_of, state_of, told
from .servers.base import Fault, Handler, Server, answers, applies_and, cut_short, drops, html, running
from .servers.cozyvtt import BadCozy
from .servers.discord import Discord
from .servers.dungeon_revealer import DungeonRevealer
from .servers.encounterplus import EncounterPlus
from .servers.webhook import Receiver

SEEDS = range(40 if os.environ.get("STRIKE_THOROUGH") else 1)
FAULTS: list[Fault] = [
    *[Handler.apply] * 6, drops, answers(500), answers(408), answers(429), html(502),
    answers(503, {"Retry-After": "0.001"}), answers(429, {}, {"retry_after": 0.002}), applies_and(drops),
    applies_and(answers(500)), applies_and(answers(408)), applies_and(html(502)), applies_and(cut_short),
]  # fmt: skip


@pytest.fixture(params=SEEDS)
def rng(request: pytest.FixtureRequest) -> random.Random:
    return random.Random(request.param)


@pytest.fixture
def oracle(monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    """A receiver without faults, which is told everything at the end."""
    with running(Receiver()) as server:
        yield server


def take_back(evening: Evening) -> None:
    """Undo, but for the beginning of the fight: the rest is about its people."""
    evening.undo()
    if "fight" not in state_of(evening):
        evening.redo()


CLOCKS = {"flood": {"name": "The flood", "segments": 6, "filled": 2, "public": True}}


def one_thing(evening: Evening, rng: random.Random) -> None:
    """Something happens, or cannot."""
    who = rng.choice(["vex", "goblin-1", "goblin-2", "lurker"])
    path = f"fight.combatants.{who}"
    statuses = rng.sample([{"id": "core:prone"}, {"id": "core:dazed"}, {"id": "x:burning", "value": 2}], 2)
    things: list[Callable[[], object]] = [
        lambda: evening.move(who, f"{rng.choice('ABCDEFGH')}{rng.randint(1, 3)}"),
        lambda: evening.happen(("hurt", who, f"{who} is hurt.", {f"{path}.hp": rng.randint(0, 4)})),
        lambda: evening.change(who, statuses=statuses),
        lambda: evening.change("goblin-2", hidden=rng.random() < 0.5),
        lambda: evening.roll(rng.randint(1, 6), secret=rng.random() < 0.3),
        lambda: evening.happen(("begun", "", "", {"conflict": rng.choice([None, council(SECRET_PICK)])})),
        lambda: evening.happen(("asked", "", "", {f"pending.{rng.choice(['fight', 'roll odo'])}": asked()})),
        lambda: evening.happen(("ticked", "", "", {"clocks": rng.choice([None, CLOCKS])})),
        lambda: evening.happen(("chosen", "", "", {"pending": None})),
        lambda: take_back(evening),
        evening.redo,
    ]
    try:
        rng.choice(things)()
    except (Problem, KeyError):
        return  # nothing to undo or redo; or no roll while a decision is open that no move has asked for


def storm(
    evening: Evening, settings: Settings, server: Server, rng: random.Random, *, secret: bool = True
) -> None:
    """An evening of a few things at a time, each told through faults. `secret`: what players may not know
    isn't told at all."""
    for _ in range(6):
        for _ in range(rng.randint(1, 5)):
            one_thing(evening, rng)
        server.faults = rng.sample(FAULTS, rng.randint(0, 6))
        told(evening, settings)
    server.faults = []
    told(evening, settings)
    assert server.most_at_once == 1
    if not secret:
        return
    sent = b"".join(call.raw for call in server.calls).lower()
    assert b"lurker" not in sent
    assert SECRET_PICK.encode() not in sent


def results(folder: Path, oracle: Receiver) -> list[dict[str, Any]]:
    """Every result of the evening, as who was never disturbed heard it."""
    told(folder, Settings("oracle", "webhook", oracle.url))
    return oracle.results


def test_a_webhook_hears_all(fight: Evening, oracle: Receiver, rng: random.Random) -> None:
    with running(Receiver()) as receiver:
        storm(fight, Settings("log", "webhook", receiver.url), receiver, rng)
        shown = shown_of(fight)
        kept = receiver.scene, receiver.tokens, receiver.order, (*receiver.beside,), (*receiver.asked,)
        assert (*kept, (*receiver.exhibits,)) == shown
        assert receiver.results == results(fight.folder, oracle)


@pytest.mark.slow
def test_discord_says_nothing_twice(
    fight: Evening, oracle: Receiver, rng: random.Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    channel = Settings("channel", "discord")
    with running(Discord()) as discord:
        monkeypatch.setenv("STRIKE_DISCORD_WEBHOOK", discord.webhook_url)
        storm(fight, channel, discord, rng)
        expected = results(fight.folder, oracle)
        doubtful = {item["id"] for item in cursor_of(fight.folder, channel).review}
    contents = [discord_message(result)["content"] for result in expected]
    certain = [discord_message(result)["content"] for result in expected if result["id"] not in doubtful]
    said = [message["content"] for message in discord.messages]
    assert is_within(said, contents)
    assert not Counter(certain) - Counter(said)


def is_within(some: list[str], every: list[str]) -> bool:
    """Whether some of a list are in its order, and none twice."""
    rest = iter(every)
    return all(each in rest for each in some)


@pytest.mark.slow
def test_encounterplus_shows_all_and_says_nothing_twice(
    fight: Evening, oracle: Receiver, rng: random.Random
) -> None:
    with running(EncounterPlus(t1="Vex", t2="Goblin")) as app:
        pad = Settings("pad", "encounterplus", app.url)
        link(fight, pad, vex="t1", goblin_1="t2")
        storm(fight, pad, app, rng)
        assert diff_target(fight.folder, pad) == []
        tokens = shown_of(fight).tokens
        for ours, theirs in (("vex", "c-t1"), ("goblin-1", "c-t2")):
            effects = [effect["name"] for effect in app.combatants[theirs]["effects"]]
            assert effects == tokens[ours]["statuses"]
        ids = [result["id"] for result in results(fight.folder, oracle)]
        assert [message["source"] for message in app.messages] == [f"strike #{id}" for id in ids]


@pytest.mark.slow
def test_open_pages_of_cozyvtt_show_all_and_nothing_twice(
    evening: Evening, oracle: Receiver, rng: random.Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.start()
    with running(BadCozy()) as cozy:
        cozy.slow = rng.random() < 0.5
        settings = settings_from_unchecked_table("cozy", {"kind": "cozyvtt", "url": cozy.url, "create": True})
        storm(evening, settings, cozy, rng, secret=False)
        assert diff_target(evening.folder, settings) == []
        shown = shown_of(evening, gm=True, every_boardless=False)
        tokens = {id: token for id, token in shown.tokens.items() if token["position"]}
        seen = cozy.seen_by_players()
        assert {name: each["position"] for name, each in seen.items()} == {
            each["name"]: each["position"] for each in tokens.values() if not each["hidden"]
        }
        said = [line.partition(" ")[0] for line in cozy.said]
        assert said == [f"#{result['id']}" for result in results(evening.folder, oracle)]
        pages = " ".join(cozy.pages.waiting).lower()
        assert "lurker" not in pages
        assert SECRET_PICK not in pages


@pytest.mark.slow
def test_dungeon_revealer_shows_all_and_says_nothing_twice(
    evening: Evening, oracle: Receiver, rng: random.Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.start()
    with running(DungeonRevealer(t1="V", t2="G")) as revealer:
        screen = Settings("screen", "dungeon-revealer", revealer.url, create=True)
        link(evening, screen, vex="t1", goblin_2="t2")
        storm(evening, screen, revealer, rng)
        assert diff_target(evening.folder, screen) == []
        made = [token["description"] for id, token in revealer.tokens.items() if id not in ("t1", "t2")]
        seen = shown_of(evening, every_boardless=False).tokens
        assert sorted(made) == sorted(f"strike:{id}" for id in seen if id not in ("vex", "goblin-2"))
        said = [line.partition(" ")[0] for line in revealer.lines]
        assert said == [f"#{result['id']}" for result in results(evening.folder, oracle)]
        hidden = "goblin-2" not in shown_of(evening).tokens
        assert revealer.tokens["t2"]["isVisibleForPlayers"] is not hidden
