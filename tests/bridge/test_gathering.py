"""Results that wait go into few messages, each of them once and in order; and a fight costs few requests."""

from __future__ import annotations

import json
import random
import shutil
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from support.cli import Strike
from support.evening import Evening
from support.thorough import THOROUGH, few_of

from strike_bridge.push_follow_and_sync import drop_item_or_queued_result, take_over_target_lock
from strike_bridge.settings import Settings
from strike_bridge.targets import make_target_checking_consent
from strike_bridge.targets.discord import DiscordTarget
from strike_bridge.targets.foundry import FoundryTarget
from strike_bridge.worker import Patience, Worker
from strike_cli.campaign import Campaign

from .clock import TurnedClock
from .helpers import cursor_of, shown_of, storm
from .helpers import told as told_by
from .helpers import told_whole as told
from .servers.base import drops
from .servers.discord import Discord
from .servers.foundry import BadFoundry, texts
from .test_foundry import settings_for

CHANNEL = Settings("channel", "discord")
GATHERING = Patience(600.0, 600.0, at_once=True, gathers=True)


@pytest.fixture(autouse=True)
def _gathers(monkeypatch: pytest.MonkeyPatch, _surroundings: None) -> None:
    for kind, most in ((FoundryTarget, 10), (DiscordTarget, 8)):
        monkeypatch.setattr(kind, "most_combined", most)
        monkeypatch.setattr(kind, "combine_seconds", 30.0)


def cards(foundry: BadFoundry) -> list[list[str]]:
    """The results of each message, by what they begin with."""
    return [
        [one["card"] for one in message["flags"]["strike"]["results"]] for message in foundry.world.messages
    ]


def test_what_waits_is_one_message_with_all_its_dice(fight: Evening, foundry: BadFoundry) -> None:
    for face in (2, 5, 3):
        fight.roll(face)
    told(fight, settings_for(foundry))
    [message] = foundry.world.messages
    [said] = cards(foundry)
    assert len(said) == 5
    assert message["flavor"] == "#1 to #5"
    faces = [json.loads(roll)["terms"][0]["results"][0]["result"] for roll in message["rolls"]]
    assert faces == [2, 5, 3]
    fight.undo()
    told(fight, settings_for(foundry))
    assert message["content"].endswith(f"<hr><p><em>Undone</em></p><s>{said[4]}</s>")
    assert message["content"].startswith(said[0])


def test_the_secret_is_never_in_one_message_with_the_rest(fight: Evening, foundry: BadFoundry) -> None:
    fight.roll(2)
    fight.roll(6, secret=True)
    fight.roll(3)
    told(fight, settings_for(foundry))
    whispered = [message for message in foundry.world.messages if message["whisper"]]
    assert [len(one["flags"]["strike"]["results"]) for one in foundry.world.messages] == [3, 1, 1]
    assert [message["flags"]["strike"]["results"] for message in whispered] == [
        foundry.world.messages[1]["flags"]["strike"]["results"]
    ]


def test_discord_says_in_one_message_what_waited(fight: Evening, discord: Discord) -> None:
    for face in (2, 5, 3):
        fight.roll(face)
    told_by(fight, CHANNEL)
    [message] = discord.messages
    assert [face in message["content"] for face in ("d6: 2", "d6: 5", "d6: 3")] == [True] * 3
    for number in range(12):
        fight.roll(number % 6 + 1)
    told_by(fight, CHANNEL)
    assert len(discord.messages) == 3, "eight at most"


def test_one_of_those_that_wait_may_be_dropped(fight: Evening, discord: Discord) -> None:
    for face in (2, 5, 3):
        fight.roll(face)
    drop_item_or_queued_result(fight.folder, CHANNEL, "4")
    told_by(fight, CHANNEL)
    said = "".join(message["content"] for message in discord.messages)
    assert [face in said for face in ("d6: 2", "d6: 5", "d6: 3")] == [True, False, True]


def follower(evening: Evening, settings: Settings) -> Worker:
    worker = Worker(evening.folder, make_target_checking_consent(evening.folder, settings), GATHERING)
    worker.adopt_stored_or_new_cursor()
    return worker


def test_who_follows_waits_for_dice_but_not_for_long(
    evening: Evening, foundry: BadFoundry, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = TurnedClock(monkeypatch)
    evening.start()
    worker = follower(evening, settings_for(foundry))
    worker._deliver_until_caught_up()
    assert foundry.world.messages == [], "nobody rolled"
    assert foundry.world.named("Vex"), "tokens don't wait"
    clock.turn(10)
    evening.roll(4)
    worker._deliver_until_caught_up()
    assert [len(said) for said in cards(foundry)] == [3]
    evening.happen(("turn", "vex", "Vex begins.", {"fight.active": "vex"}))
    worker._deliver_until_caught_up()
    assert len(foundry.world.messages) == 1
    clock.turn(29)
    worker._deliver_until_caught_up()
    assert len(foundry.world.messages) == 1
    clock.turn(2)
    assert worker._has_due_resends_or_results()
    worker._deliver_until_caught_up()
    assert list(texts(foundry.world))[-1] == "Vex begins."
    worker.wire.close()


def test_whoever_is_left_behind_by_a_command_ends_when_it_has_told_all(
    evening: Evening, foundry: BadFoundry, monkeypatch: pytest.MonkeyPatch
) -> None:
    TurnedClock(monkeypatch)
    evening.start()
    report = Worker(
        evening.folder, make_target_checking_consent(evening.folder, settings_for(foundry)), GATHERING
    ).deliver_queue()
    assert (report.lag, len(foundry.world.messages)) == (0, 1)


def test_whoever_wants_the_lock_ends_the_waiting(fight: Evening, foundry: BadFoundry) -> None:
    settings = settings_for(foundry)
    worker = Worker(fight.folder, make_target_checking_consent(fight.folder, settings), GATHERING)
    left = threading.Thread(target=worker.deliver_queue)
    left.start()
    while not foundry.world.tokens["sceneFord0000000"]:
        time.sleep(0.01)
    with take_over_target_lock(fight.folder, "foundry"):
        assert len(foundry.world.messages) == 1
    left.join(10)
    assert not left.is_alive()


def _runs_out(left: Iterator[int]) -> bool:
    return next(left, None) is None


@pytest.mark.parametrize("seed", few_of(range(40 if THOROUGH else 2), 2))
def test_through_a_storm_and_kills_each_result_is_said_once_and_in_order(
    evening: Evening, foundry: BadFoundry, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    rng = random.Random(seed)
    foundry.always = storm(rng)
    evening.start()
    settings, played = settings_for(foundry), []
    for number in range(12):
        played.append(f"Line {number}.")
        evening.happen(("said", "vex", played[-1], {}))
        worker = follower(evening, settings)
        if rng.random() < 0.5:
            left = iter(range(rng.randint(1, 4)))
            monkeypatch.setattr(worker, "_should_end", partial(_runs_out, left))
        worker.patience = Patience(0.0, 0.0, at_once=True)
        worker._reconciler.may_hold_results = rng.random() < 0.3
        worker._deliver_until_caught_up()  # and dies here, without a word
        worker.wire.close()
    foundry.always = None
    told(evening, settings)
    said = [line for each in cards(foundry) for line in each]
    assert [line for line in said if "Line" in line] == [f"<p><strong>{line}</strong></p>" for line in played]


def test_a_group_that_was_under_way_is_the_same_group_afterwards(evening: Evening, discord: Discord) -> None:
    """Discord can't be asked: what may have been said is up for review, whole, and nothing else with it."""
    settings = CHANNEL
    evening.start()
    evening.roll(2)
    discord.faults = [drops]
    worker = follower(evening, settings)
    worker.patience = Patience(0.0, 0.0)
    worker._deliver_until_caught_up()
    worker.wire.close()
    evening.roll(5)
    told_by(evening, settings)
    assert [item["id"] for item in cursor_of(evening, settings).review] == ["1+2+3"]
    assert ["d6: 5" in message["content"] for message in discord.messages] == [True]


@pytest.mark.slow
def test_a_fight_costs_little_more_than_a_request_for_each_command(
    evening: Evening, foundry: BadFoundry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten rounds of five: a turn, a blow that hurts, the end of the turn."""
    clock = TurnedClock(monkeypatch)
    evening.start()
    people = list(shown_of(evening, gm=True).tokens)
    order = {f"fight.combatants.{who}.initiative": 9 - number for number, who in enumerate(people)}
    evening.happen(("rolled", "vex", "Initiative.", {"fight.order": people, "fight.round": 1, **order}))
    worker = follower(evening, settings_for(foundry))
    worker._deliver_until_caught_up()
    begun, commands = len(foundry.calls), 0
    for round in range(1, 11):
        for who in people:
            foe = people[people.index(who) - 1]
            hp = f"fight.combatants.{foe}.hp"
            turn = {"fight.active": who, "fight.round": round}
            evening.happen(("turn", who, f"{who} begins.", turn))
            evening.happen(("hurt", foe, f"{foe} is hit.", {hp: 4 - round % 4}))
            evening.happen(("ended", who, f"{who} ends.", {"fight.active": None}))
            for _ in range(3):
                worker._deliver_until_caught_up()
                clock.turn(6)
            commands += 3
    worker.wire.close()
    assert commands == 150
    assert len(foundry.calls) - begun <= 175


@pytest.mark.skipif(not THOROUGH, reason="real fights take their time")
@pytest.mark.parametrize("seed", range(1, 7))
def test_a_real_fight_of_150_commands_costs_at_most_200_requests(
    tmp_path: Path, foundry: BadFoundry, monkeypatch: pytest.MonkeyPatch, strike: Strike, seed: int
) -> None:
    """Four against ten, played by bots, a command every eight seconds, all of it from making tokens on."""
    played = tmp_path / "played"
    strike(f"new {played}")
    text = (played / "campaign.toml").read_text("utf-8")
    (played / "campaign.toml").write_text(text.replace("# seed = 2026", f"seed = {seed}"), "utf-8")
    monkeypatch.chdir(played)
    for line in ("session start", "combat start ford --with goblin:4", "combat initiative"):
        strike(line, None)
    for _ in range(300):
        with Campaign(played) as campaign:
            sheets = [*campaign.book.characters, *campaign.book.creatures]
            asked, count = campaign.state.get("pending", {}), campaign.head.seq
        if count > 150:
            break
        if asked:
            key, item = next(iter(asked.items()))
            strike.words(["choose", "--for", key, item["options"][0]])
        else:
            strike("combat auto --fight --bot quick", None)
    entries = (played / "journal" / "0001.jsonl").read_bytes().splitlines(keepends=True)[:151]
    told = tmp_path / "told"
    shutil.copytree(played, told, ignore=shutil.ignore_patterns("journal", "state.toml", "bridge"))
    (told / "journal").mkdir()
    settings = settings_for(foundry)
    actors = {sheet: foundry.world.add_actor(sheet, health={"value": 1, "max": 1}) for sheet in sheets}
    clock = TurnedClock(monkeypatch)
    settings = settings._replace(options={"actors": actors})
    worker = Worker(told, make_target_checking_consent(told, settings), GATHERING)
    worker.adopt_stored_or_new_cursor()
    for entry in entries:
        with (told / "journal" / "0001.jsonl").open("ab") as journal:
            journal.write(entry)
        clock.turn(8)
        worker._deliver_until_caught_up()
    worker.wire.close()
    print(f"{len(entries)} commands, {len(foundry.calls)} requests")
    assert len(entries) > 100
    assert len(foundry.calls) <= 200
