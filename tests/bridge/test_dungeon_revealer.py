"""Dungeon Revealer: linked tokens by pixels, with all else in their titles; pages in place of errors."""

from __future__ import annotations

import pytest
from support.cases import case

from strike_bridge.doctor import check_target
from strike_bridge.push_follow_and_sync import push, resend_whole_state
from strike_bridge.settings import Settings
from strike_bridge.targets.base import ListedToken
from strike_bridge.targets.dungeon_revealer import DungeonRevealerTarget, short_label
from strike_look import LIGHT

from .helpers import HASTY, Told, link, wired
from .servers.base import Handler
from .servers.dungeon_revealer import DM_PASSWORD, PC_PASSWORD, DungeonRevealer


@pytest.fixture
def screen(revealer: DungeonRevealer) -> Settings:
    return Settings("screen", "dungeon-revealer", revealer.url)


@pytest.fixture
def fight(evening: Told, revealer: DungeonRevealer, screen: Settings) -> Told:
    """The fight at the ford, with Vex and the first goblin linked."""
    evening.start()
    link(evening, screen, vex="t1", goblin_1="t2")
    return evening.tell(revealer, screen)


def test_linked_tokens_stand_where_they_should_and_say_the_rest_in_their_titles(fight: Told) -> None:
    fight.told()
    vex = fight.server.tokens["t1"]
    # The middle of A1, of squares of 60 pixels from (12, 6).
    assert (vex["x"], vex["y"], vex["radius"]) == (42, 36, 30)
    assert (vex["title"], vex["label"], vex["isVisibleForPlayers"]) == ("Vex — 10/10 HP", "Ve", True)
    assert vex["isMovableByPlayers"] is False
    goblin = fight.server.tokens["t2"]
    assert (goblin["title"], goblin["label"]) == ("Goblin 1 — 4/4 HP", "G1")
    assert vex["color"] != goblin["color"]
    assert fight.cursor.unlinked == ["brann", "goblin-2"]


def test_hp_and_statuses_change_the_title(fight: Told) -> None:
    fight.happen(
        ("hurt", "vex", "", {
            "fight.combatants.vex.hp": 3, "fight.combatants.vex.size": 2,
            "fight.combatants.vex.statuses": [{"id": "core:prone"}, {"id": "x:burning", "value": 2}],
        }),
    )  # fmt: skip
    fight.told(statuses={"prone": "liegt"})
    vex = fight.server.tokens["t1"]
    assert vex["title"] == "Vex — 3/10 HP, liegt, Burning 2"
    assert (vex["x"], vex["y"], vex["radius"]) == (72, 66, 60)
    fight.undo()
    fight.told()
    assert fight.server.tokens["t1"]["title"] == "Vex — 10/10 HP"


def test_hp_are_told_as_the_game_master_set(fight: Told) -> None:
    fight.change("goblin-1", hp=2)
    for hp, title in [("bar", "Goblin 1 — ▮▮▯▯"), ("wounds", "Goblin 1 — bloodied"), ("none", "Goblin 1")]:
        with case(hp, title):
            fight.told(hp=hp)
            assert fight.server.tokens["t2"]["title"] == title


def test_who_hides_is_hidden_there_and_told_nothing_of(fight: Told) -> None:
    fight.told()
    before = fight.server.tokens["t2"]["x"]
    fight.change("goblin-1", hidden=True, at="H3")
    fight.told()
    assert fight.server.tokens["t2"]["isVisibleForPlayers"] is False
    assert fight.server.tokens["t2"]["x"] == before
    assert "lurker" not in b"".join(call.raw for call in fight.server.calls).decode().lower()


def test_labels_are_short_or_whole_or_left_alone(fight: Told) -> None:
    names = ("Vex", "Goblin 12", "Reed Lurker", "X")
    assert [short_label(name) for name in names] == ["Ve", "G12", "RL", "X"]
    fight.told(options={"label": "keep"})
    assert fight.server.tokens["t2"]["label"] == "G"
    resend_whole_state(fight.folder, fight.settings._replace(options={"label": "name"}))
    assert fight.server.tokens["t2"]["label"] == "Goblin 1"


def test_an_unknown_map_stops_the_queue_before_it_answers_with_a_page(fight: Told) -> None:
    report = push(fight.folder, fight.settings._replace(options={"map": "attic"}), HASTY)
    assert report.error == "it has no map 'attic': check options.map"
    assert not fight.server.writes()
    # The very page, should the map go between question and write: asked again, and then known.
    fight.server.faults = [vanishes]
    report = fight.push()
    assert report.error == "it has no map 'cave': check options.map"
    fight.server.maps["cave"] = fight.server.lost.pop()
    fight.told()
    assert fight.server.tokens["t1"]["title"].startswith("Vex")


def vanishes(handler: Handler) -> None:
    """The map is deleted at this very moment."""
    assert isinstance(handler.server, DungeonRevealer)
    handler.server.lost.append(handler.server.maps.pop("cave"))
    handler.apply()


def test_no_map_for_the_players_is_waited_for(fight: Told) -> None:
    fight.server.current = ""
    assert fight.push(HASTY._replace(total=0.02)).error == "it shows no map to the players"
    fight.server.current = "cave"
    fight.told()


def test_a_map_without_a_grid_is_named(fight: Told) -> None:
    fight.server.maps["cave"]["grid"] = None
    assert fight.push().error == "its map The Cave has no grid: give it one"


def test_a_token_that_is_gone_is_set_aside(fight: Told) -> None:
    fight.server.maps["cave"]["tokens"].pop()
    fight.told()
    (item,) = fight.cursor.review
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
    fight: Told, monkeypatch: pytest.MonkeyPatch, password: str, words: str
) -> None:
    for token in fight.server.tokens.values():
        token["isVisibleForPlayers"] = True
    monkeypatch.setenv("STRIKE_DUNGEON_REVEALER_PASSWORD", password)
    report = fight.push()
    assert words in report.error
    assert report.lag


def test_tokens_are_made_whole_found_again_and_taken_away(fight: Told) -> None:
    fight.settings = fight.settings._replace(create=True)
    fight.told()
    assert not fight.cursor.unlinked
    brann = fight.server.named("Brann")
    assert (brann["title"], brann["label"], brann["isVisibleForPlayers"]) == ("Brann — 10/10 HP", "Br", True)
    assert (brann["x"], brann["y"]) == (42, 96)
    assert "lurker" not in b"".join(call.raw for call in fight.server.calls).decode().lower()
    (fight.folder / "bridge" / "screen.json").unlink()
    link(fight, fight.settings, vex="t1", goblin_1="t2")
    fight.told()
    assert len(fight.server.tokens) == 4
    assert not any(finding.what for finding in check_target(fight.folder, fight.settings) if not finding.well)
    del fight.server.maps["cave"]["tokens"][2]
    fight.move("brann", "B3")
    fight.told()
    assert fight.server.named("Brann")["x"] == 102, "somebody deleted it, and it is made again"
    fight.finish()
    fight.told()
    assert list(fight.server.tokens) == ["t1", "t2"], "those that people placed stay"


def test_without_its_pages_no_token_is_made_and_nothing_said(fight: Told) -> None:
    fight.told(create=True, options={"live": False})
    assert set(fight.cursor.unlinked) == {"brann", "goblin-2"}
    assert (fight.server.opened, fight.server.chat) == (0, [])


def test_its_chat_says_results_once_as_they_stand(fight: Told) -> None:
    text = "Vex <b>hits</b> [[1d6]] {{ 7 }} {% x %} *hard* #2 & [1d20]: 1. of 2"
    fight.happen(("hit", "vex", text, {}))
    fight.roll(4, secret=True)
    fight.told()
    assert fight.server.lines[-1] == f"#3 {text}"
    assert len(fight.server.lines) == 3, "nothing secret"
    assert fight.server.chat[0]["content"] == "**strike** connected."
    fight.undo()
    fight.told()
    assert fight.server.opened == 1, "the connection outlives who opened it"
    fight.server.hang_up_all()
    fight.roll(3)
    fight.told()
    assert fight.server.opened == 2
    assert len(fight.server.lines) == len(set(fight.server.lines))


def test_drift_is_seen(fight: Told) -> None:
    fight.told()
    assert fight.drift == []
    fight.take_out("goblin-1")
    fight.told()
    goblin = fight.server.tokens["t2"]
    assert (goblin["title"], goblin["color"]) == ("Goblin 1 — out", LIGHT["soft"])
    assert fight.drift == []
    fight.server.tokens["t1"]["x"] += 60
    (moved,) = fight.drift
    assert (moved["field"], moved["theirs"]) == ("position", {"x": 1, "y": 0})


def test_its_tokens_can_be_found(revealer: DungeonRevealer, screen: Settings) -> None:
    revealer.tokens["t1"]["title"] = "Vex — 3/10 HP"
    target = DungeonRevealerTarget(screen, DM_PASSWORD)
    with wired(target) as wire:
        assert target.find_tokens(wire) == [ListedToken("t1", "Vex"), ListedToken("t2", "G")]
