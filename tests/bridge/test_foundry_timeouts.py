"""Foundry does what it was asked long after its relay gave up: it is looked for thrice, and then sent."""

from __future__ import annotations

import pytest
from support.evening import Evening

from strike_bridge.delivery_operations import push
from strike_bridge.targets.foundry import FoundryTarget
from strike_bridge.worker import Patience

from .clock import TurnedClock
from .servers.base import Fault, Handler, answers
from .servers.foundry import KEY, BadFoundry, texts
from .test_foundry import cursor_of, play_a_round, same_as_the_campaign, settings_for

PATIENT = Patience(600.0, 600.0, at_once=True)
pytestmark = pytest.mark.usefixtures("_waits_as_the_relay_does")


@pytest.fixture
def _waits_as_the_relay_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STRIKE_FOUNDRY_KEY", KEY)
    monkeypatch.setattr(FoundryTarget, "recheck_delays", (15.0, 30.0, 45.0))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> TurnedClock:
    return TurnedClock(monkeypatch)


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


def told(evening: Evening, foundry: BadFoundry) -> None:
    report = push(evening.folder, settings_for(foundry), PATIENT)
    assert (report.error, report.lag, report.review) == ("", 0, 0), cursor_of(evening).review


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [12, 22, 38])
@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", "/canvas/tokens"), ("POST", "/start-encounter"), ("POST", "/create"), ("POST", "/chat")],
)
def test_what_is_done_late_is_done_once(
    fight: Evening, foundry: BadFoundry, clock: TurnedClock, method: str, path: str, seconds: float
) -> None:
    play_a_round(fight)
    foundry.world.keeps_ids = path != "/chat"
    foundry.always = first(method, path, clock.later(seconds))
    told(fight, foundry)
    clock.turn(60)
    same_as_the_campaign(fight, foundry.world)
    lines = list(texts(foundry.world))
    assert len(lines) == len(set(lines)), "said twice"
    assert sum(clock.slept) < 50


@pytest.mark.parametrize("seconds", [12, 38])
def test_who_joins_late_joins_once(
    fight: Evening, foundry: BadFoundry, clock: TurnedClock, seconds: float
) -> None:
    play_a_round(fight)
    told(fight, foundry)
    fight.happen(("seen", "lurker", "There!", {"fight.combatants.lurker.hidden": False}))
    foundry.always = first("POST", "/add-to-encounter", clock.later(seconds))
    told(fight, foundry)
    clock.turn(60)
    same_as_the_campaign(fight, foundry.world)


@pytest.mark.parametrize("path", ["/canvas/tokens", "/start-encounter", "/chat"])
def test_what_was_never_done_is_sent_once_it_cannot_come_any_more(
    fight: Evening, foundry: BadFoundry, clock: TurnedClock, path: str
) -> None:
    play_a_round(fight)
    foundry.world.keeps_ids = path != "/chat"
    foundry.always = first("POST", path, answers(408))
    told(fight, foundry)
    same_as_the_campaign(fight, foundry.world)
    assert 44 < sum(clock.slept) < 50


def test_an_older_value_that_comes_late_does_not_stay(
    fight: Evening, foundry: BadFoundry, clock: TurnedClock
) -> None:
    told(fight, foundry)
    fight.move("vex", "C1")
    foundry.always = first("POST", "/move-token", clock.later(22))
    told(fight, foundry)
    fight.move("vex", "D2")
    told(fight, foundry)
    clock.turn(25)
    at = {"x": foundry.world.named("Vex")["x"], "y": foundry.world.named("Vex")["y"]}
    clock.turn(25)
    told(fight, foundry)
    now = {"x": foundry.world.named("Vex")["x"], "y": foundry.world.named("Vex")["y"]}
    assert (now["x"] - at["x"], now["y"] - at["y"]) == (100, 100), "C1 came after D2, and D2 once more"
    told(fight, foundry)
    assert not cursor_of(fight).again


def test_a_worker_that_died_meanwhile_does_not_shorten_the_wait(
    fight: Evening, foundry: BadFoundry, clock: TurnedClock
) -> None:
    told(fight, foundry)
    fight.roll(4)
    foundry.world.keeps_ids = False
    fight.roll(3)
    told(fight, foundry)
    foundry.always = first("POST", "/chat", clock.later(22))
    fight.roll(5)
    push(fight.folder, settings_for(foundry), Patience(1.0, 1.0))
    told(fight, foundry)
    assert sum("Vex" in line and "5" in line for line in texts(foundry.world)) == 1
