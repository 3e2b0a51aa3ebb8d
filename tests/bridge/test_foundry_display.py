"""What players of a Foundry world see: cards with real dice, what was undone struck out, who is out, the way
that tokens go, doors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.evening import Evening

from strike_bridge.tabletop_edits import lock_and_open_pull
from strike_bridge.targets.foundry_chat_and_questions import card_html, message_id, rolls_payload

from .helpers import ToldWhole
from .helpers import told_whole as told
from .servers.base import Handler, answers, applies_and, drops
from .servers.foundry import BadFoundry, World, in_turns, origin, texts
from .test_foundry import at_foundry, play_a_round, settings_for


@pytest.fixture
def evening(tmp_path: Path, foundry: BadFoundry) -> ToldWhole:
    return at_foundry(tmp_path, foundry)


def die(*faces: int, **given: Any) -> dict[str, Any]:
    return {
        "who": "Vex", "purpose": "attack", "sides": 6, "faces": list(faces), "kept": None, "mode": "plain",
        "modifiers": [], "sources": [], "total": sum(faces), **given,
    }  # fmt: skip


def test_rolls_have_the_faces_that_fell_and_which_of_them_counts() -> None:
    flank = [{"value": 1, "reason": "Flanking"}]
    [roll] = rolls_payload([die(2, 5, kept=5, mode="advantage", modifiers=flank, total=6)])
    first, sign, number = roll["terms"]
    assert [(one["result"], one["active"]) for one in first["results"]] == [(2, False), (5, True)]
    assert (roll["formula"], roll["total"], roll["evaluated"]) == ("2d6kh + 1", 6, True)
    assert (sign["operator"], number["number"]) == ("+", 1)
    [worst] = rolls_payload([die(2, 5, kept=2, total=1)])
    assert (worst["formula"], worst["total"]) == ("2d6kl - 1", 1)
    [handful] = rolls_payload([die(3, 4, 4)])
    assert (handful["formula"], handful["total"]) == ("3d6", 11)
    assert all(one["active"] for one in handful["terms"][0]["results"])
    assert list(rolls_payload([die()])) == []


def test_a_result_is_a_card_with_its_dice_in_a_fold(fight: ToldWhole) -> None:
    fight.roll(4)
    fight.told()
    message = fight.world.messages[-1]
    [roll] = [json.loads(roll) for roll in message["rolls"]]
    assert [one["result"] for one in roll["terms"][0]["results"]] == [4]
    assert "<details><summary>Why</summary>" in message["content"]
    assert message["content"].index("<strong>") < message["content"].index("<details>")
    assert len(message["_id"]) == 16
    assert message["_id"].isalnum()
    assert not any(path == "/chat" for _, path, _ in fight.server.seen)


def test_what_is_undone_is_struck_out_where_it_stands_and_whole_again_when_redone(fight: ToldWhole) -> None:
    fight.roll(4)
    fight.told()
    said = fight.world.messages[-1]
    whole = said["content"]
    fight.undo()
    fight.told()
    assert said["content"] == f"<p><em>Undone</em></p><s>{whole}</s>"
    assert [one["undone"] for one in said["flags"]["strike"]["results"]] == [True]
    fight.redo()
    fight.told()
    assert said["content"] == whole
    count = len(fight.world.messages)
    fight.world.messages.remove(said)  # the game master deleted it
    fight.undo()
    fight.told()
    assert len(fight.world.messages) == count


@pytest.mark.parametrize(
    "fault", [applies_and(drops), applies_and(answers(408)), applies_and(answers(500)), drops]
)
def test_a_message_of_our_id_is_there_once(fight: ToldWhole, fault: Any) -> None:
    fight.told()
    fight.roll(4)
    fight.server.faults = [fault]
    fight.told()
    (fight.folder / "bridge" / "foundry.json").unlink()  # and whatever we have forgotten
    fight.told()
    ids = [message["_id"] for message in fight.world.messages]
    assert len(ids) == len(set(ids)) == 3


def test_a_world_that_keeps_no_ids_is_told_lines(evening: ToldWhole) -> None:
    evening.world.keeps_ids = False
    evening.start()
    for face in (4, 5):
        evening.roll(face)
        evening.told()
    assert [path for _, path, _ in evening.server.writes() if path in ("/create", "/chat")] == [
        "/create", "/chat", "/chat", "/chat",
    ]  # fmt: skip
    lines = list(texts(evening.world))
    assert len(lines) == len(set(lines)) == 4
    evening.undo()
    evening.told()


def test_ids_differ_from_campaign_to_campaign_and_not_from_mark_to_mark() -> None:
    result = {"id": "3", "at": "2026-11-22T07:00:00Z", "text": "Vex hits.", "secret": False, "undone": False}
    assert message_id(result) == message_id({**result, "undone": True, "title": "x"})
    assert message_id(result) != message_id({**result, "at": "2026-11-22T07:00:01Z"})


def test_names_are_text_and_roll_nothing() -> None:
    said = card_html({"text": "<b>Vex</b> [[1d6]] @UUID[x]", "dice": [], "undone": False})
    assert "<b>" not in said
    assert "[[1d6]]" not in said
    assert "@UUID" not in said


def defeated(world: World) -> list[str]:
    """Who is struck out in the tracker."""
    return [each["name"] for each in in_turns(world.current or {}) if each["defeated"]]


@pytest.mark.slow
def test_who_is_out_lies_there_under_an_overlay_struck_out_in_the_tracker(fight: ToldWhole) -> None:
    play_a_round(fight)
    fight.told()
    fight.take_out("goblin-1")
    fight.happen(("turn", "vex", "", {"fight.active": "vex"}))
    fight.told()
    world = fight.world
    body = world.named("Goblin 1")
    assert (body["hidden"], body["x"]) == (False, 600)
    dead = [each for each in (world.actor_of(body) or {})["effects"] if each["statuses"] == ["dead"]]
    assert [each["flags"]["core"]["overlay"] for each in dead] == [True]
    assert defeated(world) == ["Goblin 1", "Goblin 2"]
    assert fight.drift == []
    fight.undo(2)
    fight.happen(("turn", "vex", "", {"fight.active": "vex"}))
    fight.told()
    assert defeated(world) == ["Goblin 2"]
    hiding = fight.settings._replace(defeated="hide")._replace(options=fight.settings.options)
    fight.take_out("goblin-1")
    told(fight, hiding)
    assert body["hidden"]
    assert "Goblin 1" not in dict(world.turns())


def test_a_turn_costs_one_request_and_none_between_two(fight: ToldWhole) -> None:
    play_a_round(fight)
    fight.told()
    fight.server.seen.clear()
    fight.happen(("ended", "brann", "", {"fight.active": None}))
    fight.told()
    assert fight.server.seen == []
    [combat] = fight.world.combats.values()
    assert in_turns(combat)[combat["turn"]]["name"] == "Brann", "the turn that was is not lost"
    fight.happen(("turn", "vex", "", {"fight.active": "vex"}))
    fight.told()
    assert [(method, path) for method, path, _ in fight.server.seen] == [("PUT", "/update")]
    assert in_turns(combat)[combat["turn"]]["name"] == "Vex"


def test_hp_never_fall_below_the_floor_and_are_no_drift(fight: ToldWhole) -> None:
    fight.happen(("hit", "vex", "Ouch.", {"fight.combatants.vex.hp": -3}))
    fight.told()
    actor = fight.world.actor_of(fight.world.named("Vex"))
    assert actor is not None
    assert actor["system"]["health"]["value"] == 0
    assert fight.drift == []
    with lock_and_open_pull(fight.folder, fight.settings._replace(pull="all")) as looking:
        assert looking.read_edits() == []


def test_tokens_go_the_way_that_their_people_went(fight: ToldWhole) -> None:
    fight.told()
    at = "fight.combatants.vex.at"
    fight.happen(*[("stepped", "vex", "", {at: square}) for square in ("B2", "C3", "D3", "E3", "F2")])
    fight.told()
    scene = fight.world.scene
    assert scene is not None
    left, top = origin(scene)
    [way] = fight.world.ways
    squares = [((each["x"] - left) // 100, (each["y"] - top) // 100) for each in way]
    assert squares == [(2, 2), (4, 2)], "where the way turns"
    fight.move("vex", "A1")
    fight.told()
    assert fight.world.ways[-1] == [], "who is put elsewhere goes straight"


def doors(evening: Evening) -> dict[str, Any]:
    return {
        "rows": ["........"] * 3,
        "doors": [{"at": [[2, 0], [2, 1]], "open": False}, {"at": [[5, 1], [6, 1]], "open": False}],
    }


def test_doors_open_there_and_back(fight: ToldWhole) -> None:
    settings = settings_for(fight.server, pull="all")
    left, top = origin(fight.world.scene or {})
    walls = [
        {"_id": "wallOne000000000", "c": [left + 200, top + 100, left + 204, top], "door": 1, "ds": 0},
        {"_id": "wallTwo000000000", "c": [left + 500, top + 100, left + 600, top + 100], "door": 1, "ds": 0},
        {"_id": "wallThree0000000", "c": [left, top, left + 100, top], "door": 0, "ds": 0},
    ]
    fight.world.walls = walls
    fight.happen(("built", "", "", {"fight.map": doors(fight)}))
    told(fight, settings)
    fight.play("combat door", at="B1", beyond="C1", open=True)
    told(fight, settings)
    assert [wall["ds"] for wall in walls] == [1, 0, 0]
    walls[1]["ds"] = 1
    with lock_and_open_pull(fight.folder, settings) as looking:
        [changed] = looking.read_edits()
    assert changed.words == "the door between F1 and F2 opened"
    assert changed.change is not None
    assert (changed.change.at, changed.change.beyond, changed.change.to) == ("F1", "F2", True)


def lit_house(opens: bool = False) -> dict[str, Any]:
    """A wall with a door, a ledge, a window, a curtain, a door that fills a square between rock, a lamp."""
    return {
        "rows": ["........", "........", f"######{'/' if opens else '+'}#", "........"],
        "walls": [[[2, 0], [2, 2]]],
        "one_way_walls": [[[8, 1], [4, 1]]],
        "see_through_walls": [[[4, 3], [5, 3]]],
        "walk_through_walls": [[[5, 3], [6, 3]]],
        "terrain_walls": [[[6, 3], [7, 3]]],
        "doors": [{"at": [[2, 0], [2, 1]], "open": opens}],
        "lights": [{"at": [1.5, 1], "range": 4, "color": "ffeccd8b", "shadows": False}],
    }


def test_an_empty_scene_is_given_walls_doors_and_lights_once(fight: ToldWhole) -> None:
    """Though both answers are lost, and though the map changes; and doors of both kinds go on from there."""
    lost: set[str] = set()

    def loses_what_is_drawn(handler: Handler) -> None:
        call = handler.call
        drawn = call.method == "POST" and call.path in ("/canvas/walls", "/canvas/lights")
        if not drawn or call.path in lost:
            return handler.apply()
        lost.add(call.path)
        return applies_and(drops)(handler)

    fight.server.always = loses_what_is_drawn
    settings = settings_for(fight.server, options={"walls": True})
    fight.happen(("built", "", "", {"fight.map": lit_house()}))
    told(fight, settings)
    left, top = origin(fight.world.scene or {})
    world = fight.world
    ends = [wall["c"] for wall in world.walls]
    assert [left + 200, top + 100, left + 200, top + 200] in ends, "the wall, as far as no door sits in it"
    assert [left, top + 200, left + 600, top + 200] in ends, "rock as its side"
    ledges = [(wall["c"], wall["dir"]) for wall in world.walls if wall.get("dir")]
    assert ledges == [([left + 800, top + 100, left + 400, top + 100], 1)], "1: it stops from its left"
    window, curtain, tree = (
        next(wall for wall in world.walls if wall["c"] == [left + x, top + 300, left + x + 100, top + 300])
        for x in (400, 500, 600)
    )
    assert (tree["sight"], tree["move"]) == (10, 0), "seen past until there is a second"
    assert (window["sight"], window["light"], window.get("move", 20)) == (0, 0, 20)
    assert (curtain["move"], curtain.get("sight", 20)) == (0, 20)
    doors = [wall for wall in world.walls if wall["door"]]
    assert [door["c"] for door in doors] == [
        [left + 200, top, left + 200, top + 100],
        [left + 600, top + 250, left + 700, top + 250],
    ]
    assert [door["ds"] for door in doors] == [0, 0]
    assert lost == {"/canvas/walls", "/canvas/lights"}
    [lamp] = world.lights
    assert (lamp["x"], lamp["y"], lamp["walls"]) == (left + 150, top + 100, False)
    assert lamp["config"] == {"dim": 20, "bright": 10, "color": "#eccd8b", "alpha": 0.5}
    fight.happen(("built", "", "", {"fight.map": lit_house(opens=True)}))
    told(fight, settings)
    assert [wall["c"] for wall in world.walls] == ends
    assert [wall["ds"] for wall in world.walls if wall["door"]] == [1, 1]
    assert len(world.lights) == 1


@pytest.mark.slow
def test_walls_that_were_begun_are_finished_and_done_once(fight: ToldWhole) -> None:
    settings, walls = settings_for(fight.server, options={"walls": True}), fight.world.walls
    fight.happen(("built", "", "", {"fight.map": lit_house()}))
    told(fight, settings)
    ends, opened = sorted(wall["c"] for wall in walls), {"fight.map": lit_house(opens=True)}
    del walls[2:]
    fight.happen(("built", "", "", opened))
    told(fight, settings)
    assert len(walls) == 2, "what somebody takes away stays away"
    (fight.folder / "bridge" / "foundry.json").unlink()  # as after a kill in the middle
    told(fight, settings)
    assert sorted(wall["c"] for wall in walls) == ends
    walls[2:] = [{"_id": "fence00000000000", "c": [0, 0, 9, 9], "door": 0, "ds": 0}]
    (fight.folder / "bridge" / "foundry.json").unlink()
    told(fight, settings)
    assert len(walls) == 3


def test_what_somebody_drew_is_not_added_to(fight: ToldWhole) -> None:
    fence = {"_id": "fence00000000000", "c": [0, 0, 9, 9], "door": 0, "ds": 0}
    fight.world.walls = [fence]
    fight.happen(("built", "", "", {"fight.map": lit_house()}))
    fight.told()
    assert fight.world.lights == [], "nor is anything drawn that was not asked for"
    told(fight, settings_for(fight.server, options={"walls": True}))
    assert fight.world.walls == [fence]


def test_what_foundry_has_no_word_for_has_a_picture(fight: ToldWhole) -> None:
    play_a_round(fight)
    fight.told()
    actor = fight.world.actor_of(fight.world.named("Goblin 1")) or {}
    icons = {each["name"]: each.get("icon") for each in actor["effects"]}
    assert icons["Dazed"] == "icons/svg/daze.svg"
    assert icons["Ongoing 3"] == "icons/svg/degen.svg"
