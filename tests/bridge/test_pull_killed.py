"""A fight told and pulled through storms, with kills in the middle of both: in the end both sides agree, each
result was said once and in order or is up for review, and what was dragged was taken once at most.

`make soak` kills hundreds of times (`kills`).
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.agreed import agree_to
from support.evening import Evening

from strike_bridge import http_conversation, table_file_with_change_log
from strike_bridge.delivery_record import Cursor
from strike_bridge.push_follow_and_sync import push
from strike_bridge.settings import read_targets
from strike_cli.campaign import Campaign

from .helpers import HASTY, Killed, Typed, mortal, storm, told
from .servers.base import running
from .servers.foundry import BadFoundry
from .test_pull import KINDS, at, fighting, journal, pulled, state

THOROUGH = bool(os.environ.get("STRIKE_THOROUGH"))
KILLS = int(os.environ.get("SOAK_KILLS", 100 if THOROUGH else 6))
"""Of each kind and seed, where nobody says for how long."""
SECONDS = float(os.environ.get("SOAK_SECONDS", "0"))
"""For as long it goes on, however many."""
SEED = int(os.environ.get("SOAK_SEED", 1))
FIGURES = os.environ.get("SOAK_FIGURES")
PEOPLE = ("vex", "brann", "goblin-1", "goblin-2")
TELLING = {"foundry": "results", "table": "results", "cozyvtt": ""}
"""Kinds that a pull is tried with, and whether they are told results."""


def goes_on(kills: int, ends: float) -> bool:
    """Whether there is to be another."""
    return time.monotonic() < ends if SECONDS else kills < KILLS


@pytest.fixture(params=TELLING)
def server(request: pytest.FixtureRequest) -> Iterator[Any]:
    with running(KINDS[request.param][1]()) as server:
        server.kind = request.param
        yield server


def dies_within(events: int, done: Callable[[], object]) -> bool:
    """Whether it died at its n-th event: before or after a request, a write of what was told, an entry."""
    dies = mortal(events)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(http_conversation.Wire, "send", dies(http_conversation.Wire.send))
        patch.setattr(Cursor, "save", dies(Cursor.save))
        patch.setattr(table_file_with_change_log.os, "replace", dies(os.replace))
        patch.setattr(Campaign, "commit", dies(Campaign.commit))
        try:
            done()
        except Killed:
            return True
    return False


def said_by(server: Any) -> list[tuple[str, bool]]:
    """The results that it shows, in their order, and whether each is marked as undone."""
    if server.kind == "table":
        return [(result["id"], result["undone"]) for result in server.results]
    flags = [message["flags"].get("strike", {}) for message in server.world.messages]
    cards = [card for flag in flags for card in flag.get("results", ())]
    return [(card["id"], bool(card.get("undone"))) for card in cards]


def said_in_calm(evening: Evening, server: Any) -> list[tuple[str, bool]]:
    """The same of a server that never fails and is told all of it at once."""
    folder = evening.folder.with_name("calm")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(evening.folder, folder, ignore=shutil.ignore_patterns("bridge"))
    with running(KINDS[server.kind][1]()) as calm:
        calm.kind = server.kind
        if server.kind == "foundry":
            for actor in server.world.actors.values():
                calm.world.add_actor(actor["name"], **actor["system"])
        told(folder, read_targets(folder)["there"]._replace(url=calm.url))
        return said_by(calm)


def one_thing(evening: Evening, there: Any, rng: random.Random) -> None:
    """Something is dragged there, or played or taken back here."""
    who, square = rng.choice(PEOPLE), f"{rng.choice('ABCDEFGH')}{rng.randint(1, 3)}"
    what = rng.randrange(6)
    if what < 2:
        there.drag(who, square)
    elif what == 2:
        evening.move(who, square)
    elif what == 3:
        evening.roll(rng.randint(1, 6), secret=rng.random() < 0.3)
    elif what == 4:
        evening.happen(("said", who, f"{who} says something.", {}))
    else:
        evening.undo()
        if not state(evening).get("fight", {}).get("active"):
            evening.redo()


def both_agree(server: Any, evening: Evening, there: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """After one more push and pull in calm: places, and what was said."""
    told(evening, there.settings)
    pulled(evening, capsys, "--back")  # two on one square is more than the game master's hand may set
    told(evening, there.settings)
    assert {who: there.square(who) for who in PEOPLE} == {who: at(evening, who) for who in PEOPLE}
    assert pulled(evening, capsys) == {}
    if TELLING[server.kind]:
        cursor = Cursor.load(evening.folder, "there")
        assert cursor is not None
        found, expected = said_by(server), said_in_calm(evening, server)
        assert len({id for id, _ in found}) == len(found), "none twice"
        assert found == [one for one in expected if one in found], "in order, and marked where undone"
        assert len(expected) - len(found) <= len(cursor.review), "or up for review"


@pytest.mark.slow
def test_a_fight_through_storms_and_kills(
    server: Any, evening: Evening, capsys: pytest.CaptureFixture[str]
) -> None:
    there = fighting(server, evening, "all")
    rng, ends = random.Random(SEED), time.monotonic() + SECONDS
    kills, typed = 0, Typed(evening.folder, capsys)
    server.always = storm(rng)
    ways: list[Callable[[], object]] = [
        lambda: typed("pull there", None), lambda: push(evening.folder, there.settings, HASTY)
    ]  # fmt: skip
    while goes_on(kills, ends):
        one_thing(evening, there, rng)
        kills += dies_within(rng.randint(1, 20), rng.choice(ways))
        if state(evening).get("pending"):
            typed.strike(f"choose {rng.choice(['go', 'stay'])}", None)
    server.always = None
    both_agree(server, evening, there, capsys)
    note(f"kills_at_{server.kind}", kills)


def killed_at(server: Any, calls: int, later: float, command: list[str]) -> bool:
    """Whether a process was killed, so many seconds after the server had been asked so often."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and len(server.calls) < calls:
        time.sleep(0.001)
    time.sleep(later)
    was_there = process.poll() is None
    process.kill()
    process.wait()
    return was_there


@pytest.mark.skipif(not THOROUGH or sys.platform == "win32", reason="dear: a process for each kill")
def test_a_fight_with_processes_that_are_killed(
    server: Any, evening: Evening, capsys: pytest.CaptureFixture[str]
) -> None:
    """As the system kills them: nothing of theirs runs any more, no lock is given back by hand."""
    there = fighting(server, evening, "all")
    rng, ends = random.Random(SEED), time.monotonic() + SECONDS
    command = [sys.executable, "-m", "strike_cli", "-C", str(evening.folder), "bridge", "pull", "there"]
    agree_to(evening.folder, there.settings)  # a process of its own looks for it
    kills = 0
    server.always = storm(rng)
    while goes_on(2 * kills, ends):
        one_thing(evening, there, rng)
        kills += killed_at(server, len(server.calls) + rng.randint(1, 4), rng.uniform(0, 0.03), command)
        if state(evening).get("pending"):
            Typed(evening.folder, capsys).strike(f"choose {rng.choice(['go', 'stay'])}", None)
    server.always = None
    both_agree(server, evening, there, capsys)
    assert kills
    note(f"killed_processes_at_{server.kind}", kills)


@pytest.mark.slow
def test_players_answers_through_storms_and_kills(
    evening: Evening, capsys: pytest.CaptureFixture[str]
) -> None:
    """A press counts once at most; who is still asked presses again."""
    rng, ends = random.Random(SEED), time.monotonic() + SECONDS
    kills, pressed = 0, 0
    with running(BadFoundry()) as server:
        server.kind = "foundry"  # type: ignore[attr-defined]
        there = fighting(server, evening, "moves", "..Pg....\nP..g..L.\n........")
        with (evening.folder / "campaign.toml").open("a", encoding="utf-8") as file:
            file.write('\n[bridge.targets.there.options.players]\nvex = "Pia"\n[table]\nanswers = "on"\n')
        typed = Typed(evening.folder, capsys)
        server.always = storm(rng)
        while goes_on(kills, ends):
            if not state(evening).get("pending"):
                typed.strike("combat place vex C1", None)
                typed.strike("combat move vex A1", None)
            push(evening.folder, there.settings, HASTY)
            for question in open_questions(server):
                pressed += 1
                press(server, question, rng.choice(["go", "stay"]))
            kills += dies_within(rng.randint(1, 20), lambda: typed("pull there", None))
        server.always = None
    answered = [entry for entry in journal(evening) if entry.get("player")]
    assert 0 < len(answered) <= pressed
    assert all(entry["player"] == "vex" for entry in answered)
    typed.strike("replay --verify")
    note("kills_of_answers", kills)


def open_questions(server: BadFoundry) -> list[str]:
    """The decisions that are asked there, sealed."""
    flags = [message["flags"].get("strike", {}).get("asked") for message in server.world.messages]
    return [asked["decision"] for asked in flags if asked and not asked["over"]]


def press(server: BadFoundry, decision: str, option: str) -> None:
    """Pia answers."""
    message = {
        "id": server.world.id("answer"), "author": {"id": "userPlayer000000", "name": "Pia"}, "content": "",
        "flags": {"strike": {"answer": {"decision": decision, "option": option}}}, "flavor": "",
        "whisper": [], "rolls": [], "timestamp": 0,
    }  # fmt: skip
    server.world.messages.append(message)


def note(kind: str, count: int) -> None:
    """For `make soak`, which says how many it was."""
    if FIGURES:
        with Path(FIGURES).open("a") as figures:
            figures.write(f"{kind} {count}\n")
