"""CozyVTT's open pages: what they show at once, by the connection that they have themselves."""

from __future__ import annotations

import copy
import random
from pathlib import Path
from typing import Any

import pytest
from support.cases import case
from support.thorough import few_of

from strike_bridge.result_markup import PLAIN, text_with_number_and_dice
from strike_bridge.settings import Settings, settings_from_unchecked_table
from strike_bridge.targets.cozyvtt_campaign import Tracker, TrackerRow
from strike_bridge.targets.socket_io import Event, decode_events

from .helpers import ToldWhole, told
from .servers.base import Fault, Handler, answers, applies_and, drops, html
from .servers.cozyvtt import MAP, BadCozy
from .servers.socket_io import Connection


def settings_for(cozy: BadCozy, **options: Any) -> Settings:
    table = {"kind": "cozyvtt", "url": cozy.url, "create": True, "options": options}
    return settings_from_unchecked_table("cozy", table)


@pytest.fixture
def evening(tmp_path: Path, cozy: BadCozy) -> ToldWhole:
    evening = ToldWhole(tmp_path / "ferry")
    evening.tell(cozy, settings_for(cozy))
    return evening


def test_open_pages_show_tokens_at_once_and_never_whom_they_must_not(fight: ToldWhole) -> None:
    fight.told()
    assert set(fight.server.seen_by_players()) == {"Vex", "Brann", "Goblin 1", "Goblin 2"}
    fight.move("vex", "B2")
    fight.told()
    assert len(fight.server.told("token.moved")) == 1, "it walks there"
    fight.happen(("hit", "goblin-1", "Goblin is hit.", {"fight.combatants.goblin-1.hp": 1}))
    fight.move("lurker", "A3")
    fight.told()
    seen = fight.server.seen_by_players()
    assert (seen["Vex"]["position"], seen["Goblin 1"]["hp"]["current"]) == ({"x": 1, "y": 1}, 1)
    assert len(fight.server.told("token.moved")) == 1, "nobody hears where the hidden walk"
    assert "lurker" not in " ".join(fight.server.pages.waiting).lower()


def test_a_map_that_is_not_shown_is_not_thrown_onto_peoples_pages(fight: ToldWhole) -> None:
    told(fight, settings_for(fight.server, map="The Ford"))
    fight.server.add_map("map-mill", "The Mill")
    fight.server.campaigns[0]["currentMapId"] = "map-mill"
    shown = len(fight.server.told("map.changed"))
    fight.happen(("hit", "goblin-1", "Goblin is hit.", {"fight.combatants.goblin-1.hp": 1}))
    told(fight, settings_for(fight.server, map="The Ford"))
    assert fight.server.named("Goblin 1")["hp"]["current"] == 1
    assert len(fight.server.told("map.changed")) == shown


def test_chat_says_results_with_our_number_and_no_secret(fight: ToldWhole) -> None:
    fight.roll(5)
    fight.roll(4, secret=True)
    fight.happen(("said", "vex", "x" * 3000, {}))
    fight.told()
    assert [line.partition(" ")[0] for line in fight.server.said] == ["#1", "#2", "#3", "#4"]
    assert [len(line) <= 2000 for line in fight.server.said] == [True] * 4
    fight.undo()
    fight.told()
    assert fight.server.said[-1].startswith("#5 Undone: #4")
    fight.server.cooldown = 2
    fight.roll(3)
    fight.told()
    assert fight.server.said[-1].startswith("#6 ")


@pytest.mark.parametrize("slow", [False, True])
@pytest.mark.parametrize(
    "fault",
    few_of([drops, applies_and(drops), applies_and(answers(500)), answers(502), applies_and(html(504))]),
)
def test_a_line_is_said_once_whatever_becomes_of_the_answer(
    fight: ToldWhole, fault: Fault, slow: bool
) -> None:
    fight.told()
    fight.server.slow = slow
    met: list[str] = []

    def meets(handler: Handler) -> None:
        if "chat.message" in str(handler.call.body) and not met:
            met.append("")
            return fault(handler)
        return handler.apply()

    fight.server.always = meets
    fight.roll(5)
    fight.told()
    assert met
    assert [line.partition(" ")[0] for line in fight.server.said] == ["#1", "#2", "#3"]


def test_the_connection_outlives_who_opened_it_and_is_made_anew_when_it_is_lost(fight: ToldWhole) -> None:
    fight.told()
    for face in (2, 3):
        fight.roll(face)
        fight.told()
    assert (fight.server.opened, fight.server.tries) == (1, 1)
    fight.server.hang_up_all()
    fight.server.forget_logins()
    fight.roll(4)
    fight.told()
    assert (fight.server.opened, fight.server.tries, len(fight.server.said)) == (2, 2, 5)
    kept = fight.cursor.memory["socket"]
    assert kept.startswith("c2 ")
    assert "sid=c2" not in fight.push().error


def test_what_it_refuses_holds_the_queue_or_is_put_aside(fight: ToldWhole) -> None:
    fight.told()
    fight.roll(4)
    told_by = fight.server.on_event

    def refuses(one: Connection, name: str, data: Any) -> None:
        if name == "chat.message":
            one.tell("error", {"message": "Message content required"})
        else:
            told_by(one, name, data)

    fight.server.on_event = refuses  # type: ignore[method-assign]
    report = fight.push()
    assert (report.error, report.review) == ("", 1)
    (item,) = fight.cursor.review
    assert item["why"] == "it refused (Message content required)"


def test_without_pages_all_is_as_it_was(fight: ToldWhole) -> None:
    told(fight, settings_for(fight.server, live=False))
    assert (len(fight.server.tokens), fight.server.opened, fight.server.said) == (5, 0, [])


# The tracker


class Server:
    """The tracker as its server keeps it."""

    def __init__(self, people: list[TrackerRow]) -> None:
        self.cozy = BadCozy()
        self.cozy.server_close()
        self.one = Connection("c")
        self.one.room = "x"
        self.cozy.maps[MAP]["tokens"] = [
            {"id": row.token, "name": row.name, "hp": row.hp, "initiative": row.initiative} for row in people
        ]

    def say(self, events: list[Any]) -> None:
        for name, *data in events:
            self.cozy.on_event(self.one, name, data[0] if data else None)
        assert not any("error" in packet for packet in self.one.waiting), self.one.waiting

    @property
    def state(self) -> dict[str, Any]:
        return copy.deepcopy(self.cozy.fight)


def row(name: str, hp: int, initiative: int | None) -> TrackerRow:
    return TrackerRow(f"t-{name}", name, {"current": hp, "max": 9, "temp": 0}, initiative)


def test_the_tracker_comes_to_any_line_turn_and_round() -> None:
    for seed in range(30):
        with case(seed):
            chance = random.Random(seed)
            everybody = [row(name, 9, chance.choice([None, 3, 5])) for name in "abcde"]
            server = Server(everybody)
            for _ in range(8):
                people = chance.sample(everybody, chance.randint(1, 5))
                line = [each.token for each in people]
                round, active = chance.randint(1, 4), chance.choice(line)
                server.say(Tracker(server.state).events_for_people_unapplied(people, MAP, round))
                server.say(Tracker(server.state).events_for_turn(line, active, round))
                fight = server.state
                assert [each["tokenId"] for each in fight["combatants"]] == line
                assert (fight["active"], fight["currentTokenId"], fight["round"]) == (True, active, round)
                again = Tracker(fight)
                assert not again.events_for_people_unapplied(people, MAP, round)
                assert not again.events_for_turn(line, active, round)


def test_the_next_turn_is_one_event() -> None:
    people = [row(name, 9, None) for name in "abc"]
    server = Server(people)
    line = [each.token for each in people]
    server.say(Tracker(server.state).events_for_people_unapplied(people, MAP, 1))
    server.say(Tracker(server.state).events_for_turn(line, "t-a", 1))
    for active, round in (("t-b", 1), ("t-c", 1), ("t-a", 2)):
        events = Tracker(server.state).events_for_turn(line, active, round)
        assert events == [["initiative.next"]]
        server.say(events)
    assert Tracker(server.state).events_for_turn(line, None, 2) == [], "between turns nobody loses theirs"


def test_turns_go_round_in_its_tracker_without_the_hidden(fight: ToldWhole) -> None:
    line = ["goblin-1", "lurker", "vex", "brann", "goblin-2"]
    fight.happen(("initiative", "", "", {"fight.round": 1, "fight.order": line}))
    fight.told()
    assert fight.server.line == ["Goblin 1", "Vex", "Brann", "Goblin 2"]
    for active, shown in (("goblin-1", "Goblin 1"), ("lurker", "Goblin 1"), ("vex", "Vex")):
        fight.happen(("turn", active, "", {"fight.active": active}))
        fight.told()
        assert f"{shown}*" in fight.server.line, active
    fight.change("vex", hp=3)
    fight.told()
    assert fight.server.line == ["Goblin 1", "Vex*", "Brann", "Goblin 2"]
    assert [each["hp"]["current"] for each in fight.server.fight["combatants"]] == [4, 3, 10, 4]
    fight.happen(("turn", "goblin-1", "", {"fight.active": "goblin-1", "fight.round": 2}))
    fight.told()
    assert (fight.server.line[0], fight.server.fight["round"]) == ("Goblin 1*", 2)
    fight.undo()
    fight.told()
    assert (fight.server.line[1], fight.server.fight["round"]) == ("Vex*", 1)
    assert "lurker" not in " ".join(fight.server.pages.waiting).lower()
    fight.finish()
    fight.told()
    assert fight.server.line == []
    assert fight.server.seen_by_players() == {}


@pytest.mark.slow
def test_a_fight_asks_for_little(fight: ToldWhole) -> None:
    """It limits requests by the hour. Each command is told by a process of its own, as with `auto`."""
    line = ["goblin-1", "vex", "brann", "goblin-2"]
    fight.happen(("initiative", "", "", {"fight.round": 1, "fight.order": line}))
    fight.told()
    before = len(fight.server.calls)
    for round in (1, 2):
        for who in line:
            fight.happen(("turn", who, "", {"fight.active": who, "fight.round": round}))
            fight.told()
            hp = {"fight.combatants.goblin-1.hp": 1 + (len(who) + round) % 3}
            fight.happen(("hit", "goblin-1", "Goblin is hit.", hp))
            fight.told()
            fight.roll(3)
            fight.told()
    assert fight.server.line == ["Goblin 1", "Vex", "Brann", "Goblin 2*"]
    assert len(fight.server.calls) - before <= 8 * 24, "it was 12.6 for each"


# What comes in


def test_what_is_no_packet_is_told_from_what_is_one() -> None:
    for body, events in (
        (b"", []),
        (b'42["a",{"b":1}]\x1e2\x1e42["c"]', [Event("a", {"b": 1}), Event("<ping>"), Event("c")]),
        (b'4217["acked",1]', [Event("acked", 1)]),
        (b"6", []),
        (b'42["a",{"b":', None),
        (b'{"data": 1}', None),
        (b"<h1>Oops</h1>", None),
        (b"42[]", None),
        (b"\xff", None),
    ):
        with case(body, events):
            assert decode_events(body) == events


def test_a_line_that_is_too_long_is_cut() -> None:
    result = {"id": "7", "text": "One.\nTwo.", "dice": []}
    assert text_with_number_and_dice(result, PLAIN, 100) == "#7 One.\nTwo."
    long = text_with_number_and_dice({**result, "text": "word " * 100}, PLAIN, 60)
    assert len(long) <= 60
    assert long.startswith("#7 word word")
    assert long.endswith("…")
