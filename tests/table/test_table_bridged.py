"""The bridge and this table together: players see a campaign's tokens, less the hidden ones."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from support.agreed import agree_to
from support.evening import PNG, Evening

from strike_bridge.picture_files import read_picture
from strike_bridge.push_follow_and_sync import push
from strike_bridge.settings import Settings
from strike_bridge.target_differences import diff_target
from strike_cli.content.map_picture_draw_and_shrink import draw_map
from strike_table import images

DIGEST = hashlib.sha256(PNG).hexdigest()
IMAGE = f'image = {{ file = "ford.png", sha256 = "{DIGEST}" }}'
LURKER = PNG + b"of a lurker"
HIDDEN = hashlib.sha256(LURKER).hexdigest()


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Evening:
    """A fight on a map with a picture."""
    monkeypatch.setenv("STRIKE_TABLE_KEY", "the-key-of-this-table")
    evening = Evening(tmp_path / "ferry")
    (evening.folder / "ford.png").write_bytes(PNG)
    evening.edit('goal = "Get across"', f'goal = "Get across"\n{IMAGE}')
    evening.start()
    return evening


def told(evening: Evening, table: Any, **settings: Any) -> None:
    there = Settings("table", "table", url=table.url, **settings)
    agree_to(evening.folder, there)
    report = push(evening.folder, there)
    assert (report.error, report.review) == ("", 0)


def test_the_picture_of_the_map_is_uploaded_once(evening, start, monkeypatch):
    table = start()
    told(evening, table)
    assert table.tell("GET", "scene").json()["image"] == {"hash": DIGEST}
    assert table.tell("GET", f"images/{DIGEST}").content == PNG

    (evening.folder / "ford.png").write_bytes(PNG + b"painted over")
    assert read_picture(evening.folder, {"file": "ford.png", "sha256": DIGEST}) is None
    for elsewhere in ("../ford.png", "/etc/passwd", "campaign.toml", "gone.png"):
        assert read_picture(evening.folder, {"file": elsewhere, "sha256": DIGEST}) is None


def test_a_map_with_a_picture_is_one_line_and_another_file_is_shown(evening, start):
    evening.edit(IMAGE, 'image = "ford.png"')
    evening.start_over()
    table = start()
    told(evening, table)
    assert table.tell("GET", "scene").json()["image"] == {"hash": DIGEST}
    (evening.folder / "ford.png").write_bytes(LURKER)
    evening.roll(3)
    told(evening, table)
    assert table.tell("GET", "scene").json()["image"] == {"hash": HIDDEN}


def test_a_picture_with_a_rim_lies_where_its_pixels_say(evening, start):
    """Pixels to a square, and the pixel on which A1's corner lies."""
    (evening.folder / "ford.png").write_bytes(draw_map(["." * 8] * 5, 20))
    evening.edit(IMAGE, 'image = { file = "ford.png", pixels = 20, offset = [30, -10] }')
    evening.start_over()
    table = start()
    told(evening, table)
    place = table.tell("GET", "scene").json()["image"]["place"]
    assert place == {"x": -1.5, "y": 0.5, "width": 8.0, "height": 5.0}


def test_a_handout_lies_there_with_its_picture_until_it_is_taken_back(evening, start):
    """Through the end of the scene, too; its picture goes with the next scene."""
    table = start()
    told(evening, table)
    sheet = {"name": "A map", "image": {"file": "ford.png", "sha256": DIGEST}}
    evening.happen(("shown", "", "Handout: A map.", {"handouts.map": sheet}))
    told(evening, table)
    [one] = table.tell("GET", "exhibits").json()["exhibits"]
    assert (one["id"], one["kind"], one["image"]) == ("map", "handout", {"hash": DIGEST})
    evening.happen(("over", "", "It is over.", {"fight": None}))
    told(evening, table)
    assert [one["id"] for one in table.tell("GET", "exhibits").json()["exhibits"]] == ["map"]
    assert table.tell("GET", f"images/{DIGEST}").content == PNG
    evening.undo(2)
    told(evening, table)
    assert table.tell("GET", "exhibits").json()["exhibits"] == []


def test_a_table_without_pictures_still_gets_the_scene(evening, start, monkeypatch):
    monkeypatch.setattr(images, "MEDIA_TYPES", ())
    table = start()
    told(evening, table)
    assert table.tell("GET", "scene").json()["image"] is None
    assert table.tell("GET", "scene").json()["name"] == "The Ford"


@pytest.mark.parametrize("audience", ["", "players", "gm"])
def test_hidden_creatures_are_sent_only_where_the_game_master_may_look(evening, start, audience):
    evening.roll(4, secret=True)
    table = start()
    told(evening, table, audience=audience, hp="bar")
    for_gm = table.tell("GET", "state").text
    for_players = httpx.get(f"{table.url}/api/v1/state", verify=False).text
    assert ("Reed Lurker" in for_gm) is (audience == "gm")
    assert '"secret":true' not in for_players
    assert "lurker" not in for_players.lower()
    assert 'gm_hp":{' not in for_players
    goblin = next(one for one in json.loads(for_players)["tokens"] if one["name"].startswith("Goblin"))
    assert (goblin["hp_shown"], goblin["hp"]) == ("bar", {"value": 4, "max": 4})
    there = Settings("table", "table", url=table.url, audience=audience, hp="bar")
    assert diff_target(evening.folder, there) == []


def test_pictures_of_creatures_reach_whoever_may_see_them(evening, start):
    evening.picture("characters.vex", "faces/vex.png", PNG)
    evening.picture("creatures.lurker", "faces/lurker.png", LURKER)
    evening.picture("characters.brann", "https://pictures.example/brann.webp")
    evening.start_over()
    table = start()
    told(evening, table, audience="gm")
    shown = {one["id"]: one["image"] for one in table.tell("GET", "tokens").json()["tokens"]}
    assert (shown["vex"], shown["lurker"]) == ({"hash": DIGEST}, {"hash": HIDDEN})
    assert shown["brann"] is None, "its page loads nothing from elsewhere"

    def seen_by_players(digest: str) -> int:
        return httpx.get(f"{table.url}/api/v1/images/{digest}", verify=False).status_code

    assert (seen_by_players(DIGEST), seen_by_players(HIDDEN)) == (200, 404)
    assert HIDDEN not in httpx.get(f"{table.url}/api/v1/state", verify=False).text
    evening.happen(("seen", "lurker", "There!", {"fight.combatants.lurker.hidden": False}))
    told(evening, table, audience="gm")
    assert seen_by_players(HIDDEN) == 200
    assert diff_target(evening.folder, Settings("table", "table", url=table.url, audience="gm")) == []


def test_the_picture_of_who_is_hidden_is_not_even_uploaded(evening, start):
    evening.picture("creatures.lurker", "faces/lurker.png", LURKER)
    evening.start_over()
    table = start()
    told(evening, table)
    assert table.client.get(f"/api/v1/images/{HIDDEN}").status_code == 404
    evening.happen(("seen", "lurker", "There!", {"fight.combatants.lurker.hidden": False}))
    told(evening, table)
    assert table.tell("GET", f"images/{HIDDEN}").content == LURKER


def test_a_picture_that_changed_is_sent_anew_and_one_that_is_none_is_left_out(evening, start):
    evening.picture("characters.vex", "faces/vex.png", PNG)
    evening.start_over()
    table = start()

    def shown() -> object:
        told(evening, table)
        return table.tell("GET", "tokens/vex").json()["image"]

    assert shown() == {"hash": DIGEST}
    (evening.folder / "faces" / "vex.png").write_bytes(LURKER)
    assert shown() == {"hash": HIDDEN}
    for none in (b"GIF89a", LURKER + bytes(4 * 1024 * 1024)):
        (evening.folder / "faces" / "vex.png").write_bytes(none)
        assert shown() is None
