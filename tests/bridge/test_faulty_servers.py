"""Random evenings over servers that misbehave, and workers that die: the server is as the campaign after it.

What holds for every kind of target: order; each result exactly once where the server can be asked, at most
once else, unless it is up for review; and never a word of anybody hidden.
"""

from __future__ import annotations

import itertools
import os
import random
import shutil
from typing import Any

import pytest
from support.evening import Evening

from strike_bridge import http_conversation
from strike_bridge import table_file_with_change_log as kept
from strike_bridge.delivery_record import Cursor
from strike_bridge.push_follow_and_sync import push
from strike_bridge.settings import Settings
from strike_bridge.worker import Patience
from strike_cli.problems import Refused

from .helpers import Killed, cursor_of, mortal, shown_of, state_of
from .servers.base import Fault, Handler, answers, applies_and, cut_short, drips, drops, html, running, silent
from .servers.inn import Inn
from .servers.table import BadTable

SEEDS = range(60 if os.environ.get("STRIKE_THOROUGH") else 2)
STRIDE = 1 if os.environ.get("STRIKE_THOROUGH") else 7
HASTY = Patience(20.0, 0.05, at_once=True)
SPITEFUL: list[Fault] = [
    answers(500), answers(408), answers(425), answers(429), answers(429, {"Retry-After": "0.005"}),
    answers(429, {}, {"retry_after": 0.005}), html(502), html(500), drops,
    applies_and(drops), applies_and(answers(500)), applies_and(answers(408)), applies_and(html(502)),
    applies_and(cut_short), applies_and(answers(200, {"Content-Type": "text/html"}, "<p>done</p>")),
    answers(503, {"Retry-After": "0.005"}),
]  # fmt: skip
LONG_WINDED: list[Fault] = [silent, applies_and(drips), applies_and(silent)]


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_conversation, "READ_TIMEOUT", 0.1)


def play_on(evening: Evening, chance: random.Random, count: int) -> None:
    """Some of what happens in an evening: blows, steps, hiding, secrets, taking back."""
    people = ["vex", "brann", "goblin-1", "goblin-2", "lurker"]
    for _ in range(count):
        fighting = "fight" in state_of(evening)
        who, what = chance.choice(people), chance.randrange(0 if fighting else 5, 8)
        try:
            if what == 0:
                evening.play("combat damage", who=who, amount=chance.randint(1, 3), why="a branch")
            elif what == 1:
                evening.play("combat heal", who=who, amount=1, why="")
            elif what in (2, 3):
                evening.move(who, f"{chance.choice('ABCDEFGH')}{chance.randint(1, 3)}")
            elif what == 4:
                who = chance.choice(people[:4])  # the lurker is never seen
                hidden = f"fight.combatants.{who}.hidden"
                evening.happen(("hid", who, f"{who} hides.", {hidden: chance.choice([True, None])}))
            elif what == 5:
                evening.roll(chance.randint(1, 6), secret=chance.random() < 0.3)
            elif what == 6:
                evening.undo(chance.randint(1, 2))
            else:
                evening.redo(1)
        except Refused:
            continue


def expected_posts(evening: Evening, server: Any) -> list[Any]:
    """What the evening leaves on a server that never fails."""
    folder = evening.folder.with_name("calm")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(evening.folder, folder, ignore=shutil.ignore_patterns("bridge"))
    with running(type(server)()) as calm:
        assert not push(folder, settings_of(calm), HASTY).error
        return posted(calm)


def settings_of(server: Any, kind: str = "inn") -> Settings:
    if isinstance(server, BadTable):
        return Settings("here", "table", server.url)
    return Settings("here", kind, server.url, create=True)


def posted(server: Any) -> list[Any]:
    """Every result that it shows, in its order."""
    if isinstance(server, BadTable):
        return [(result["id"], result["undone"]) for result in server.results]
    return [line["id"] for line in server.chat]


def shown(server: Any) -> dict[str, tuple[Any, Any]]:
    """Of each token its place and HP, by our ids; and none twice."""
    if isinstance(server, BadTable):
        return {id: (token["position"], token["hp"]) for id, token in server.tokens.items()}
    found = [(each["ours"], each) for each in server.tokens.values() if "ours" in each]
    assert len({ours for ours, _ in found}) == len(found)
    return {ours: ({"x": each["x"], "y": each["y"]}, each["hp"]) for ours, each in found}


def expected_tokens(evening: Evening) -> dict[str, tuple[Any, Any]]:
    return {id: (token["position"], token["hp"]) for id, token in shown_of(evening).tokens.items()}


def as_it_should(evening: Evening, server: Any, expected: list[Any] | None = None) -> None:
    """The server is as the campaign, and nobody there was ever told of who hides."""
    assert shown(server) == expected_tokens(evening)
    assert cursor_of(evening, "here").review == []
    assert posted(server) == (expected or expected_posts(evening, server))
    assert "lurker" not in " ".join(call.raw.decode().lower() for call in server.calls)


@pytest.mark.parametrize("seed", SEEDS)
def test_after_the_storm_the_server_is_as_the_campaign(evening: Evening, server: Any, seed: int) -> None:
    chance, settings = random.Random(seed), settings_of(server)
    evening.start()
    for _ in range(2):
        play_on(evening, chance, 6)
        server.faults = storm(chance)
        report = push(evening.folder, settings, HASTY)
        assert not report.error, report.error
    server.faults = []
    assert push(evening.folder, settings, HASTY).lag == 0
    as_it_should(evening, server)


def storm(chance: random.Random) -> list[Fault]:
    faults = [chance.choice(SPITEFUL) for _ in range(12)] + [chance.choice(LONG_WINDED)]
    chance.shuffle(faults)
    return [each for fault in faults for each in (fault, *[Handler.apply] * chance.randint(0, 2))]


@pytest.mark.parametrize("seed", SEEDS)
def test_who_can_not_be_asked_is_told_at_most_once_and_the_rest_is_reviewed(
    evening: Evening, seed: int
) -> None:
    chance = random.Random(seed)
    evening.start()
    play_on(evening, chance, 8)
    with running(Inn()) as inn:
        settings = settings_of(inn, "deaf-inn")
        inn.faults = storm(chance)
        push(evening.folder, settings, HASTY)
        inn.faults = []
        assert push(evening.folder, settings, HASTY).lag == 0
        review = {item["id"] for item in cursor_of(evening, "here").review}
        expected = expected_posts(evening, inn)
        found = posted(inn)
        assert len(set(found)) == len(found)
        assert found == [id for id in expected if id in found]
        assert set(expected) - set(found) <= review
        there = shown(inn)
        for id, token in expected_tokens(evening).items():
            assert there.get(id) == token or f"token:{id}" in review


def dying_after(events: int, patch: pytest.MonkeyPatch) -> None:
    """The worker dies at its n-th event: before or after a request went out, before or after a cursor was
    written."""
    dies = mortal(events)
    patch.setattr(http_conversation.Wire, "send", dies(http_conversation.Wire.send))
    patch.setattr(Cursor, "save", dies(Cursor.save))
    patch.setattr(kept.os, "replace", dies(os.replace))


@pytest.mark.slow
@pytest.mark.parametrize("kind", [BadTable, Inn])
def test_a_worker_may_die_anywhere(fight: Evening, kind: type[Any]) -> None:
    play_on(fight, random.Random(5), 8)
    with running(kind()) as calm:
        expected = expected_posts(fight, calm)
    died = 0
    for events in itertools.count(1, STRIDE):
        shutil.rmtree(fight.folder / "bridge", ignore_errors=True)
        with running(kind()) as server:
            settings = settings_of(server)
            killed = [lives_for(life, fight, settings) for life in (events, 1 + events // 3)]
            assert not push(fight.folder, settings, HASTY).error
            as_it_should(fight, server, expected)
            assert server.most_at_once == 1
        died += killed.count(True)
        if not killed[0]:
            break
    assert died > 5


def lives_for(events: int, evening: Evening, settings: Settings) -> bool:
    """Whether a worker died before it was through."""
    with pytest.MonkeyPatch.context() as patch:
        dying_after(events, patch)
        try:
            push(evening.folder, settings, HASTY)
        except Killed:
            return True
    return False
