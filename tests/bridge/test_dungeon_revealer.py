"""Dungeon Revealer: linked tokens by pixels, with all else in their titles; pages in place of errors."""

from __future__ import annotations

import contextlib
import json

import pytest
from support.evening import Evening

from strike_bridge.delivery_operations import push, sync
from strike_bridge.doctor import check_target
from strike_bridge.dry_run import dry_run
from strike_bridge.settings import Settings
from strike_bridge.target_differences import diff_target
from strike_bridge.targets.base import ListedToken, Wire
from strike_bridge.targets.dungeon_revealer import DungeonRevealerTarget, short_label
from strike_look import LIGHT

from .helpers import HASTY, cursor_of, everything_kept, link, told
from .servers.base import Handler, answers
from .servers.dungeon_revealer import DM_PASSWORD, PC_PASSWORD, DungeonRevealer


@pytest.fixture
def screen(revealer: DungeonRevealer) -> Settings:
    return Settings("screen", "dungeon-revealer", revealer.url)


@pytest.fixture
def fight(evening: Evening, screen: Settings) -> Evening:
    """The fight at the ford, with Vex and the first goblin linked."""
    evening.start()
    link(evening.folder, screen, vex="t1", goblin_1="t2")
    return evening


def test_linked_tokens_stand_where_they_should_and_say_the_rest_in_their_titles(
    fight: Evening, revealer: DungeonRevealer, screen: Settings
) -> None:
    told(fight.folder, screen)
    vex = revealer.tokens["t1"]
    # The middle of A1, of squares of 60 pixels from (12, 6).
    assert (vex["x"], vex["y"], vex["radius"]) == (42, 36, 30)
    assert (vex["title"], vex["label"], vex["isVisibleForPlayers"]) == ("Vex — 10/10 HP", "Ve", True)
    assert vex["isMovableByPlayers"] is False
    goblin = revealer.tokens["t2"]
    assert (goblin["title"], goblin["label"]) == ("Goblin 1 — 4/4 HP", "G1")
    assert vex["color"] != goblin["color"]
    assert cursor_of(fight.folder, screen).unlinked == ["brann", "goblin-2"]


def test_hp_and_statuses_change_the_title(
    fight: Evening, revealer: DungeonRevealer, screen: Settings
) -> None:
    fight.happen(
        ("hurt", "vex", "", {
            "fight.combatants.vex.hp": 3, "fight.combatants.vex.size": 2,
            "fight.combatants.vex.statuses": [{"id": "core:prone"}, {"id": "x:burning", "value": 2}],
        }),
    )  # fmt: skip
    told(fight.folder, screen._replace(statuses={"prone": "liegt"}))
    vex = revealer.tokens["t1"]
    assert vex["title"] == "Vex — 3/10 HP, liegt, Burning 2"
    assert (vex["x"], vex["y"], vex["radius"]) == (72, 66, 60)
    fight.undo()
    told(fight.folder, screen)
    assert revealer.tokens["t1"]["title"] == "Vex — 10/10 HP"


@pytest.mark.parametrize(
    ("hp", "title"), [("bar", "Goblin 1 — ▮▮▯▯"), ("wounds", "Goblin 1 — bloodied"), ("none", "Goblin 1")]
)
def test_hp_are_told_as_the_game_master_set(
    fight: Evening, revealer: DungeonRevealer, screen: Settings, hp: str, title: str
) -> None:
    fight.happen(("hurt", "goblin-1", "", {"fight.combatants.goblin-1.hp": 2}))
    told(fight.folder, screen._replace(hp=hp))
    assert revealer.tokens["t2"]["title"] == title


def test_who_hides_is_hidden_there_and_told_nothing_of(
    fight: Evening, revealer: DungeonRevealer, screen: Settings
) -> None:
    told(fight.folder, screen)
    before = revealer.tokens["t2"]["x"]
    fight.happen(
        ("hid", "goblin-1", "", {
            "fight.combatants.goblin-1.hidden": True, "fight.combatants.goblin-1.at": "H3",
        }),
    )  # fmt: skip
    told(fight.folder, screen)
    assert revealer.tokens["t2"]["isVisibleForPlayers"] is False
    assert revealer.tokens["t2"]["x"] == before
    assert "lurker" not in b"".join(call.raw for call in revealer.calls).decode().lower()


def test_labels_are_short_or_whole_or_left_alone(
    fight: Evening, revealer: DungeonRevealer, screen: Settings
) -> None:
    assert [short_label(name) for name in ("Vex", "Goblin 12", "Reed Lurker", "X")] == [
        "Ve",
        "G12",
        "RL",
        "X",
    ]
    told(fight.folder, screen._replace(options={"label": "keep"}))
    assert revealer.tokens["t2"]["label"] == "G"
    sync(fight.folder, screen._replace(options={"label": "name"}))
    assert revealer.tokens["t2"]["label"] == "Goblin 1"


def test_an_unknown_map_stops_the_queue_before_it_answers_with_a_page(
    fight: Evening, revealer: DungeonRevealer, screen: Settings
) -> None:
    report = push(fight.folder, screen._replace(options={"map": "attic"}), HASTY)
    assert report.error == "it has no map 'attic': check options.map"
    assert not revealer.writes()
    # The very page, should the map go between question and write: asked again, and then known.
    revealer.faults = [vanishes]
    report = push(fight.folder, screen, HASTY)
    assert report.error == "it has no map 'cave': check options.map"
    revealer.maps["cave"] = revealer.lost.pop()
    told(fight.folder, screen)
    assert revealer.tokens["t1"]["title"].startswith("Vex")


def vanishes(handler: Handler) -> None:
    """The map is deleted at this very moment."""
    assert isinstance(handler.server, DungeonRevealer)
    handler.server.lost.append(handler.server.maps.pop("cave"))
    handler.apply()


def test_no_map_for_the_players_is_waited_for(
    fight: Evening, revealer: DungeonRevealer, screen: Settings
) -> None:
    revealer.current = ""
    assert push(fight.folder, screen, HASTY._replace(total=0.02)).error == "it shows no map to the players"
    revealer.current = "cave"
    told(fight.folder, screen)


def test_a_map_without_a_grid_is_named(fight: Evening, revealer: DungeonRevealer, screen: Settings) -> None:
    revealer.maps["cave"]["grid"] = None
    assert push(fight.folder, screen, HASTY).error == "its map The Cave has no grid: give it one"


def test_a_token_that_is_gone_is_set_aside(
    fight: Evening, revealer: DungeonRevealer, screen: Settings
) -> None:
    revealer.maps["cave"]["tokens"].pop()
    told(fight.folder, screen)
    (item,) = cursor_of(fight.folder, screen).review
    assert (item["id"], item["why"]) == ("token:goblin-1", "it no longer has such a token: link it again")


@pytest.mark.parametrize(
    ("password", "words"),
    [
        (PC_PASSWORD, "the password is the players', not the game master's"),
        ("wrong", "not accept the key"),
        ("the gm's", "reads a password only up to its first space"),
    ],
)
def test_a_password_that_will_not_do_is_named(
    fight: Evening,
    revealer: DungeonRevealer,
    screen: Settings,
    monkeypatch: pytest.MonkeyPatch,
    password: str,
    words: str,
) -> None:
    for token in revealer.tokens.values():
        token["isVisibleForPlayers"] = True
    monkeypatch.setenv("STRIKE_DUNGEON_REVEALER_PASSWORD", password)
    report = push(fight.folder, screen, HASTY)
    assert words in report.error
    assert report.lag


def test_tokens_are_made_whole_found_again_and_taken_away(
    fight: Evening, revealer: DungeonRevealer, screen: Settings
) -> None:
    screen = screen._replace(create=True)
    told(fight.folder, screen)
    assert not cursor_of(fight.folder, screen).unlinked
    brann = revealer.named("Brann")
    assert (brann["title"], brann["label"], brann["isVisibleForPlayers"]) == ("Brann — 10/10 HP", "Br", True)
    assert (brann["x"], brann["y"]) == (42, 96)
    assert "lurker" not in b"".join(call.raw for call in revealer.calls).decode().lower()
    (fight.folder / "bridge" / "screen.json").unlink()
    link(fight.folder, screen, vex="t1", goblin_1="t2")
    told(fight.folder, screen)
    assert len(revealer.tokens) == 4
    assert not any(finding.what for finding in check_target(fight.folder, screen) if not finding.well)
    del revealer.maps["cave"]["tokens"][2]
    fight.move("brann", "B3")
    told(fight.folder, screen)
    assert revealer.named("Brann")["x"] == 102, "somebody deleted it, and it is made again"
    fight.happen(("finished", "", "Over.", {"fight": None}), command="combat finish")
    told(fight.folder, screen)
    assert list(revealer.tokens) == ["t1", "t2"], "those that people placed stay"


def test_without_its_pages_no_token_is_made_and_nothing_said(
    fight: Evening, revealer: DungeonRevealer, screen: Settings
) -> None:
    told(fight.folder, screen._replace(create=True, options={"live": False}))
    assert set(cursor_of(fight.folder, screen).unlinked) == {"brann", "goblin-2"}
    assert (revealer.opened, revealer.chat) == (0, [])


def test_its_chat_says_results_once_as_they_stand(
    fight: Evening, revealer: DungeonRevealer, screen: Settings
) -> None:
    text = "Vex <b>hits</b> [[1d6]] {{ 7 }} {% x %} *hard* #2 & [1d20]: 1. of 2"
    fight.happen(("hit", "vex", text, {}))
    fight.roll(4, secret=True)
    told(fight.folder, screen)
    assert revealer.lines[-1] == f"#3 {text}"
    assert len(revealer.lines) == 3, "nothing secret"
    assert revealer.chat[0]["content"] == "**strike** connected."
    fight.undo()
    told(fight.folder, screen)
    assert revealer.opened == 1, "the connection outlives who opened it"
    revealer.hang_up_all()
    fight.roll(3)
    told(fight.folder, screen)
    assert revealer.opened == 2
    assert len(revealer.lines) == len(set(revealer.lines))


def test_drift_is_seen(fight: Evening, revealer: DungeonRevealer, screen: Settings) -> None:
    told(fight.folder, screen)
    assert diff_target(fight.folder, screen) == []
    fight.take_out("goblin-1")
    told(fight.folder, screen)
    goblin = revealer.tokens["t2"]
    assert (goblin["title"], goblin["color"]) == ("Goblin 1 — out", LIGHT["soft"])
    assert diff_target(fight.folder, screen) == []
    revealer.tokens["t1"]["x"] += 60
    (moved,) = diff_target(fight.folder, screen)
    assert (moved["field"], moved["theirs"]) == ("position", {"x": 1, "y": 0})


def test_its_tokens_can_be_found_and_its_map_looked_at(revealer: DungeonRevealer, screen: Settings) -> None:
    revealer.tokens["t1"]["title"] = "Vex — 3/10 HP"
    target = DungeonRevealerTarget(screen, DM_PASSWORD)
    with contextlib.closing(Wire(target.address, target.prepare)) as wire:
        assert target.find_tokens(wire) == [ListedToken("t1", "Vex"), ListedToken("t2", "G")]
        assert [finding.what for finding in target.own_findings(wire)] == [
            "the password is the game master's", "the map The Cave, with a grid",
        ]  # fmt: skip
        revealer.maps["cave"]["grid"] = None
        assert [finding.well for finding in target.own_findings(wire)] == [True, False]
    target = DungeonRevealerTarget(screen, PC_PASSWORD)
    with contextlib.closing(Wire(target.address, target.prepare)) as wire:
        assert [finding.well for finding in target.own_findings(wire)] == [False, False]


def test_the_password_is_never_shown_or_kept(
    fight: Evening, revealer: DungeonRevealer, screen: Settings
) -> None:
    shown = json.dumps(dry_run(fight.folder, screen))
    assert "Bearer ***" in shown
    assert "<pixels>" in shown
    revealer.faults = [answers(401, body={"error": {"message": f"{DM_PASSWORD} is wrong"}})]
    report = push(fight.folder, screen, HASTY)
    for text in (shown, report.error, everything_kept(fight.folder)):
        assert DM_PASSWORD not in text
