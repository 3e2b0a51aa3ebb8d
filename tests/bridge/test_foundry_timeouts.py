"""Foundry does what it was asked long after its relay gave up: it is looked for thrice, and then sent."""

from __future__ import annotations

from pathlib import Path

import pytest

from strike_bridge.targets.foundry import FoundryTarget
from strike_bridge.worker import Patience

from .clock import TurnedClock
from .helpers import ToldWhole, told_whole
from .servers.base import Fault, Handler, answers
from .servers.foundry import BadFoundry, texts
from .test_foundry import at_foundry, play_a_round, same_as_the_campaign

PATIENT = Patience(600.0, 600.0, at_once=True)
pytestmark = pytest.mark.usefixtures("_waits_as_the_relay_does")


@pytest.fixture
def _waits_as_the_relay_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FoundryTarget, "recheck_delays", (15.0, 30.0, 45.0))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> TurnedClock:
    return TurnedClock(monkeypatch)


@pytest.fixture
def evening(tmp_path: Path, foundry: BadFoundry) -> ToldWhole:
    return at_foundry(tmp_path, foundry)


def first(method: str, path: str, fault: Fault) -> Fault:
    """A fault that the first request of a kind meets."""
    met: list[str] = []

    def choose(handler: Handler) -> None:
        call = handler.call
        if not met and (call.method, call.path) == (method, path):
            met.append(path)
            return fault(handler)
        return handler.apply()

    return choose


def told(evening: ToldWhole) -> None:
    told_whole(evening, evening.settings, PATIENT)


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [12, 22, 38])
@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", "/canvas/tokens"), ("POST", "/start-encounter"), ("POST", "/create"), ("POST", "/chat")],
)
def test_what_is_done_late_is_done_once(
    fight: ToldWhole, clock: TurnedClock, method: str, path: str, seconds: float
) -> None:
    play_a_round(fight)
    fight.world.keeps_ids = path != "/chat"
    fight.server.always = first(method, path, clock.later(seconds))
    told(fight)
    clock.turn(60)
    same_as_the_campaign(fight)
    lines = list(texts(fight.world))
    assert len(lines) == len(set(lines)), "said twice"
    assert sum(clock.slept) < 50


@pytest.mark.parametrize("seconds", [12, 38])
def test_who_joins_late_joins_once(fight: ToldWhole, clock: TurnedClock, seconds: float) -> None:
    play_a_round(fight)
    told(fight)
    fight.happen(("seen", "lurker", "There!", {"fight.combatants.lurker.hidden": False}))
    fight.server.always = first("POST", "/add-to-encounter", clock.later(seconds))
    told(fight)
    clock.turn(60)
    same_as_the_campaign(fight)


@pytest.mark.parametrize("path", ["/canvas/tokens", "/start-encounter", "/chat"])
def test_what_was_never_done_is_sent_once_it_cannot_come_any_more(
    fight: ToldWhole, clock: TurnedClock, path: str
) -> None:
    play_a_round(fight)
    fight.world.keeps_ids = path != "/chat"
    fight.server.always = first("POST", path, answers(408))
    told(fight)
    same_as_the_campaign(fight)
    assert 44 < sum(clock.slept) < 50


def test_an_older_value_that_comes_late_does_not_stay(fight: ToldWhole, clock: TurnedClock) -> None:
    told(fight)
    fight.move("vex", "C1")
    fight.server.always = first("POST", "/move-token", clock.later(22))
    told(fight)
    fight.move("vex", "D2")
    told(fight)
    clock.turn(25)
    vex = fight.world.named("Vex")
    x, y = vex["x"], vex["y"]
    clock.turn(25)
    told(fight)
    assert (vex["x"] - x, vex["y"] - y) == (100, 100), "C1 came after D2, and D2 once more"
    told(fight)
    assert not fight.cursor.again


def test_a_worker_that_died_meanwhile_does_not_shorten_the_wait(fight: ToldWhole, clock: TurnedClock) -> None:
    told(fight)
    fight.roll(4)
    fight.world.keeps_ids = False
    fight.roll(3)
    told(fight)
    fight.server.always = first("POST", "/chat", clock.later(22))
    fight.roll(5)
    fight.push(Patience(1.0, 1.0))
    told(fight)
    assert sum("Vex" in line and "5" in line for line in texts(fight.world)) == 1
