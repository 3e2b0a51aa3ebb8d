"""What players see, in a real browser."""

from __future__ import annotations

import hashlib
import math
import re
from typing import TYPE_CHECKING, Any

import pytest

from strike_cli.pages import html
from strike_table import event_stream
from strike_table.serve import LinkAudience

from .browsing import becomes, expect, marker, row, watch

if TYPE_CHECKING:
    from playwright.sync_api import Page

NASTY = "<script>alert(1)</script>"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages knock again sooner than they do for players."""
    monkeypatch.setattr(event_stream, "RETRY", 100)


def test_between_scenes_the_page_is_calm(page, table):
    watch(page, table)
    expect(page.get_by_text("The Salt Road")).to_be_visible()
    expect(page.get_by_text("Between scenes")).to_be_visible()
    expect(page.locator("#map")).to_be_hidden()


def test_clocks_and_handouts_lie_on_the_table(page, table, scene):
    """They outlast scenes; a handout that comes opens by itself, and goes with what takes it back; what is
    hidden is the game master's."""
    clock = {"id": "flood", "kind": "clock", "name": "The flood", "filled": 2, "segments": 6}
    secret = {"id": "plot", "kind": "clock", "name": "The plot", "filled": 1, "segments": 4, "hidden": True}
    letter = {"id": "letter", "kind": "handout", "name": "A letter", "text": "<b>Come.</b>"}
    name = {"id": "scene", "kind": "scene", "name": "The Weir"}
    table.tell("PUT", "exhibits", {"exhibits": [name, clock, secret]})
    watch(page, table)
    expect(page.locator("[data-exhibit]")).to_have_text(["The flood2 of 6"])
    expect(page.locator("[data-exhibit=flood] .on")).to_have_count(2)
    expect(page.locator("#calm-title")).to_have_text("The Weir")
    table.tell("PUT", "exhibits", {"exhibits": [clock, letter]})
    expect(page.get_by_role("dialog")).to_contain_text("<b>Come.</b>")
    table.tell("PUT", "scene", scene)
    table.tell("PUT", "exhibits", {"exhibits": [clock]})
    expect(page.get_by_role("dialog")).to_have_count(0)
    table.tell("DELETE", "scene")
    expect(page.get_by_text("Between scenes")).to_be_visible()
    expect(page.locator("[data-exhibit]")).to_have_count(1)


def test_a_scene_comes_and_goes(page, table, scene):
    watch(page, table)
    table.tell("PUT", "scene", scene)
    expect(page.get_by_role("heading", name="Ambush at the ford")).to_be_visible()
    expect(page.get_by_text("Hold the bridge")).to_be_visible()
    expect(page.locator("#map")).to_be_visible()
    expect(page.locator(".label")).to_have_text([*"ABCDEFGH", *"12345"])
    expect(page.locator(".door title")).to_have_text("Closed door")

    table.token()
    expect(marker(page, "vex")).to_be_visible()
    table.tell("DELETE", "scene")
    expect(page.get_by_text("Between scenes")).to_be_visible()
    expect(marker(page, "vex")).to_have_count(0)


def test_tokens_stand_where_they_are_told(page, staged):
    staged.token(position={"x": 2, "y": 2})
    staged.token("bran", position={"x": 2, "y": 3})
    watch(page, staged)
    square = (
        marker(page, "bran").locator(".disc").bounding_box()["y"]
        - marker(page, "vex").locator(".disc").bounding_box()["y"]
    )

    before = marker(page, "vex").locator(".disc").bounding_box()
    staged.token(position={"x": 5, "y": 1})
    expect(marker(page, "vex")).to_have_attribute("data-x", "5")
    expect(marker(page, "vex")).to_have_attribute("data-y", "1")

    def gone() -> tuple[float, float]:
        after = marker(page, "vex").locator(".disc").bounding_box()
        return after["x"] - before["x"], after["y"] - before["y"]

    becomes(gone, pytest.approx((3 * square, -square), abs=1))

    staged.token(position=None)
    expect(marker(page, "vex")).to_have_count(0)
    expect(row(page, "vex")).to_be_visible()


def test_hp_and_statuses_change(page, staged):
    staged.token(hp={"value": 10, "max": 10})
    watch(page, staged)
    expect(marker(page, "vex")).to_have_attribute("data-hp", "10")

    staged.token(hp={"value": 3, "max": 10}, statuses=["Bloodied", "Prone"])
    expect(marker(page, "vex")).to_have_attribute("data-hp", "3")
    expect(marker(page, "vex")).to_have_attribute("aria-label", "Vex, 3 of 10 HP, Bloodied, Prone, at C3")
    expect(marker(page, "vex").locator(".badge-sign")).to_have_count(2)
    expect(marker(page, "vex").locator(".badges title")).to_have_text(["Bloodied", "Prone"])
    expect(row(page, "vex")).to_contain_text("3/10")
    expect(row(page, "vex").locator(".pill")).to_have_text(["Bloodied", "Prone"])

    staged.token(hp=None)
    expect(marker(page, "vex")).to_have_attribute("data-hp", "")
    expect(row(page, "vex")).not_to_contain_text("/10")


def test_the_turn_order_shows_who_acts(page, staged):
    for name in ("vex", "bran", "goblin-1"):
        staged.token(name, active=name == "bran")
    entries = [{"id": name, "initiative": 6} for name in ("goblin-1", "vex", "bran", "unseen")]
    watch(page, staged)
    staged.tell("PUT", "order", {"round": 2, "active": "vex", "entries": entries})
    expect(page.get_by_text("Round 2 · Vex’s turn")).to_be_visible()
    expect(page.locator("#turns .name")).to_have_text(["Goblin 1", "Vex", "Bran"])
    expect(page.locator("[aria-current]")).to_have_attribute("data-row", "vex")
    expect(page.locator("#map .active")).to_have_attribute("data-token", "vex")
    expect(page).to_have_title("Ambush at the ford · Round 2 · Vex")

    staged.tell("PUT", "order", {"round": 3, "active": "goblin-1", "entries": entries})
    expect(page.locator("[aria-current]")).to_have_attribute("data-row", "goblin-1")
    expect(page.locator("#map .active")).to_have_count(1)


def test_who_is_taken_out_leaves_the_map_and_is_crossed_out(page, staged):
    staged.token(state="down")
    watch(page, staged)
    expect(marker(page, "vex")).to_have_class(re.compile("down"))
    staged.token(state="out")
    expect(marker(page, "vex")).to_have_count(0)
    expect(row(page, "vex").locator(".name")).to_have_css("text-decoration-line", "line-through")


def test_tokens_can_be_told_apart(page, staged):
    names = {
        "a": "Goblin 1",
        "b": "Goblin 2",
        "c": "Vex",
        "d": "Vera",
        "e": "Ilse of the Reeds",
        "f": "Bandit",
        "g": "Bandit",
        "h": "Éowyn",
        "i": "🐉",
        "j": NASTY,
    }
    for at, (token_id, name) in enumerate(names.items()):
        staged.token(token_id, name=name, position={"x": at % 6, "y": at // 6})
    watch(page, staged)
    expect(page.locator(".token")).to_have_count(len(names))
    short = [marker(page, token_id).locator(".short").text_content() for token_id in names]
    assert short[:5] == ["G1", "G2", "Vex", "Ver", "IR"]
    assert len(set(short)) == len(names)
    assert all(1 <= len(name) <= 4 for name in short)


def test_results_show_their_dice_newest_first(page, table, a_result):
    reasons = [{"value": 1, "reason": "flanking"}, {"value": -2, "reason": "dark"}]
    dice = a_result()["dice"][0] | {"modifiers": reasons, "total": 4}
    table.result(1)
    watch(page, table)
    table.result(2, title="Vex attacks Goblin 1", text="Hit.", dice=[dice])
    cards = page.locator("#feed [data-result]")
    expect(cards).to_have_count(2)
    newest = cards.first
    expect(newest).to_have_attribute("data-result", "2")
    expect(newest).to_contain_text("Vex attacks Goblin 1")
    expect(newest.get_by_role("img")).to_have_attribute("aria-label", "d6: 5, 2 dropped")
    expect(newest.locator(".die.kept")).to_have_attribute("data-face", "5")
    expect(newest.locator(".die.kept .pip")).to_have_count(5)
    expect(newest.locator(".die.dropped")).to_have_attribute("data-face", "2")
    expect(newest.locator(".mode")).to_have_text("▲ Advantage")
    expect(newest.locator(".modifiers")).to_have_text("+1 flanking, -2 dark = 4")
    expect(page.locator("#feed")).to_have_attribute("aria-live", "polite")

    table.result(1, undone=True)
    undone = page.locator('[data-result="1"]')
    expect(undone.locator("s")).to_have_text("Result 1")
    expect(undone).to_contain_text("Undone")
    expect(cards).to_have_count(2)


# What only one of two links shows


def test_the_game_master_sees_what_players_do_not(page, browser, table, scene):
    order = {"round": 1, "active": "lurker", "entries": [{"id": "lurker"}, {"id": "vex"}]}
    table.tell("PUT", "scene", scene | {"zones": [zone("lurkers-pit", hidden=True)]})
    table.token(hp=None, hp_shown="none", gm_hp={"value": 7117, "max": 9119})
    table.token("lurker", hidden=True, position={"x": 5, "y": 3})
    table.tell("PUT", "order", order)
    table.result(1, title="Lurker hides.", secret=True)

    watch(page, table, LinkAudience.GM)
    expect(page.get_by_text("Game master")).to_be_visible()
    expect(page.locator('.token.unseen[data-token="lurker"]')).to_be_visible()
    expect(row(page, "lurker")).to_contain_text("Hidden")
    expect(row(page, "vex")).to_contain_text("7117/9119")
    expect(page.locator(".zone.unseen, .card.secret")).to_have_count(2)

    players = browser.new_page()
    players.add_init_script(
        "window.heard = []; const was = EventSource.prototype.addEventListener;"
        "EventSource.prototype.addEventListener = function (kind, listen) {"
        " return was.call(this, kind, (event) => { window.heard.push(event.data); listen(event); }); };"
    )
    watch(players, table)
    # Hidden things move, act and go; then something that players may see.
    table.token("lurker", hidden=True, position={"x": 4, "y": 3})
    table.result(2, title="Lurker waits.", secret=True)
    table.token("bran")
    expect(marker(players, "bran")).to_be_visible()
    expect(marker(page, "lurker")).to_have_attribute("data-x", "4")
    heard = "".join(players.evaluate("window.heard"))
    assert "Bran" in heard
    said = players.content() + heard
    assert [secret for secret in ("urker", ":7117", "/9119") if secret in said] == []

    table.token("lurker", position={"x": 4, "y": 3})
    expect(marker(players, "lurker")).to_be_visible()
    expect(players.locator("[aria-current]")).to_have_attribute("data-row", "lurker")
    table.token("lurker", hidden=True)
    expect(marker(players, "lurker")).to_have_count(0)
    players.close()


@pytest.mark.parametrize(
    ("told", "number", "words"),
    [
        ({"hp": {"value": 7, "max": 10}}, "7/10", "7 of 10 HP"),
        ({"hp": {"value": 3, "max": 4}, "hp_shown": "bar"}, "", "about 75% of HP"),
        ({"hp": None, "hp_shown": "wounds", "wounds": "bloodied"}, "bloodied", "bloodied"),
        ({"hp": None, "hp_shown": "none"}, "", ""),
    ],
)
def test_hp_is_shown_as_the_game_master_set(page, staged, told, number, words):
    staged.token(**told)
    watch(page, staged)
    expect(row(page, "vex").locator(".hp-number")).to_have_text(number)
    label = ", ".join(filter(None, ["Vex", words, "at C3"]))
    expect(marker(page, "vex")).to_have_attribute("aria-label", label)
    expect(marker(page, "vex").locator(".hp")).to_be_visible(visible=bool(words))


# The map, moved and looked at


def zone(zone_id: str, **changes: Any) -> dict[str, Any]:
    squares = [{"x": x, "y": 2} for x in (3, 4)]
    return {"id": zone_id, "name": zone_id.title(), "kind": "obscured", "squares": squares} | changes


def width_of(page: Page, token_id: str) -> float:
    return marker(page, token_id).locator(".disc").bounding_box()["width"]


def test_the_map_is_moved_by_hand_and_stays_where_it_was_put(page, staged, scene):
    staged.token()
    watch(page, staged)
    vex = marker(page, "vex").locator(".disc")
    fitting = vex.bounding_box()
    x, y = fitting["x"] + fitting["width"] / 2, fitting["y"] + fitting["height"] / 2

    page.mouse.move(x, y)
    page.mouse.wheel(0, -400)
    nearer = becomes(vex.bounding_box, lambda box: box["width"] > fitting["width"] * 1.5)
    assert nearer["x"] + nearer["width"] / 2 == pytest.approx(x, abs=2), "what one points at stays"

    page.mouse.down()
    page.mouse.move(x + 60, y + 20, steps=3)
    ground = "getComputedStyle(document.querySelector('.terrain')).willChange"
    becomes(lambda: page.evaluate(ground), "transform")  # the ground is moved as it was drawn
    page.mouse.up()
    becomes(lambda: page.evaluate(ground), "auto")  # and is sharp again however near one goes

    def dragged_by() -> tuple[float, float]:
        box = vex.bounding_box()
        return box["x"] - nearer["x"], box["y"] - nearer["y"]

    becomes(dragged_by, pytest.approx((60, 20), abs=2))
    page.mouse.move(5, 5)
    expect(page.locator("#creature")).to_be_hidden()  # a drag picks nobody
    dragged = vex.bounding_box()

    staged.token("bran", position={"x": 4, "y": 3})
    staged.tell("PUT", "scene", scene | {"doors": [{"at": {"x": 7, "y": 2}, "open": True}]})
    staged.tell("PUT", "order", {"round": 1, "active": "bran", "entries": []})
    expect(page.locator(".door.open")).to_have_count(1)
    expect(page.get_by_text("Bran’s turn")).to_be_visible()
    assert vex.bounding_box() == dragged, "an update doesn't take the view away"

    page.locator("#map").focus()
    page.keyboard.press("ArrowRight")
    becomes(vex.bounding_box, lambda box: box["x"] < dragged["x"] - 50)
    page.keyboard.press("-")
    becomes(lambda: width_of(page, "vex"), lambda width: width < dragged["width"])
    page.get_by_role("button", name="Whole map").click()
    becomes(vex.bounding_box, pytest.approx(fitting, abs=1))
    page.get_by_role("button", name="Nearer").click()
    becomes(lambda: width_of(page, "vex"), lambda width: width > fitting["width"])

    page.keyboard.press("Tab")
    staged.tell("PUT", "scene", scene | {"id": "another"})
    expect(page.locator(".door.closed")).to_have_count(1)
    # Another map is looked at anew.
    becomes(lambda: width_of(page, "vex"), pytest.approx(fitting["width"], abs=1))


def test_two_fingers_zoom(page, staged):
    staged.token()
    page.set_viewport_size({"width": 390, "height": 844})
    watch(page, staged)
    before = width_of(page, "vex")
    fingers = page.context.new_cdp_session(page)
    fingers.send("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 2})

    def touch(kind: str, *xs: int) -> None:
        points = [{"x": x, "y": 250, "id": at} for at, x in enumerate(xs)]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 170)
    touch("touchStart", 170, 220)
    for step in range(1, 6):
        touch("touchMove", 170 - 10 * step, 220 + 10 * step)
    touch("touchEnd")
    fingers.detach()
    becomes(lambda: width_of(page, "vex"), lambda width: width > before * 1.8)


def test_zones_doors_and_walls_are_drawn(page, table, scene):
    table.tell(
        "PUT",
        "scene",
        scene
        | {
            "zones": [zone("smoke"), zone("embers", kind="a kind of its own")],
            "doors": [
                {"at": {"x": 7, "y": 2}, "open": True},
                {"at": {"x": 3, "y": 2}, "to": {"x": 3, "y": 3}, "open": False},
            ],
            "walls": [[{"x": 3, "y": 1}, {"x": 3, "y": 2}]],
            "one_way_walls": [[{"x": 4, "y": 2}, {"x": 6, "y": 2}]],
        },
    )
    watch(page, table)
    expect(page.locator(".zone-name")).to_have_text(["Smoke", "Embers"])
    expect(page.locator(".zone-obscured title")).to_have_text("Smoke, obscured")
    expect(page.locator(".door title")).to_have_text(["Open door", "Closed door"])
    box = page.locator(".door.closed").bounding_box()
    assert box["height"] > box["width"], "it stands on the line between two squares"
    expect(page.locator(".wall-line")).to_have_attribute("d", "M3 1L3 2")
    arrows = page.locator(".one-way-arrows")
    expect(arrows).to_have_attribute("d", "M4.37 2L4.5 1.76L4.63 2zM5.37 2L5.5 1.76L5.63 2z")


def test_under_fog_the_camera_frames_what_was_seen_and_a_key_shows_all(page, table, scene):
    page.set_viewport_size({"width": 1280, "height": 800})
    rows = ["." * 60] * 40
    seen = [("." * 8).rjust(18).ljust(60) if 10 <= y < 16 else " " * 60 for y in range(40)]
    wider = [("." * 16).rjust(26).ljust(60) if 10 <= y < 16 else " " * 60 for y in range(40)]

    def fogged(rows_seen):
        ground = {"rows": rows_seen, "doors": [], "zones": [], "walls": []}
        table.tell("PUT", "scene", scene | {"rows": rows, "fog": {"seen": rows_seen, "ground": ground}})

    def scale():
        return page.locator("div.world").evaluate("(one) => new DOMMatrix(getComputedStyle(one).transform).a")

    fogged(seen)
    watch(page, table)
    near = becomes(scale, lambda now: now > 50)
    fogged(wider)
    becomes(scale, lambda now: 25 < now < near)
    page.locator("#map").focus()
    page.keyboard.press("0")
    becomes(scale, lambda now: now < 17)


def test_the_fog_is_dark_for_players_and_a_veil_for_the_game_master(page, table, scene):
    ground = {"rows": ["###     ", "#..     ", "#..     ", "#..     ", "###     "]}
    seen = ["...     "] * len(ground["rows"])
    sight = {"squares": [{"x": 1, "y": y} for y in range(5)]}
    page.route("**/api/v1/sight*", lambda route: route.fulfill(json=sight))
    table.tell("PUT", "scene", scene | {"fog": {"seen": seen, "ground": ground}})
    watch(page, table)
    expect(page.locator(".out-of-sight")).to_have_attribute("d", "M2 1h1v1h-1zM2 2h1v1h-1zM2 3h1v1h-1z")
    dark = page.locator(".unseen-ground.dark .unseen-area")
    expect(dark).to_have_attribute("d", "".join(f"M3 {y}h5v1h-5z" for y in range(5)))
    expect(dark).to_have_css("fill-opacity", "1")
    expect(page.locator(".rough")).to_have_attribute("d", "")
    watch(page, table, LinkAudience.GM)
    expect(page.locator(".unseen-ground.veiled title")).to_have_text("Not seen by players")
    expect(page.locator(".rough")).to_have_attribute("d", re.compile("."))  # what is there
    page.unroute_all()


def test_a_picture_lies_under_the_map(page, table, scene):
    picture = page.screenshot()
    digest = hashlib.sha256(picture).hexdigest()
    table.client.put(f"/api/v1/images/{digest}", content=picture, headers={"Content-Type": "image/png"})
    table.tell("PUT", "scene", scene | {"image": {"hash": digest}})
    watch(page, table)
    expect(page.locator("image.picture")).to_be_visible()
    address = page.locator("image.picture").get_attribute("href") or ""
    assert digest in address
    assert page.evaluate("async (address) => (await fetch(address)).ok", address)
    expect(page.locator(".wall-bricks")).to_be_hidden()


def test_a_picture_stands_in_for_the_initials_where_it_can_be_had(page, table, scene):
    picture = page.screenshot()
    digest = hashlib.sha256(picture).hexdigest()
    table.tell("PUT", "scene", scene)
    table.client.put(f"/api/v1/images/{digest}", content=picture, headers={"Content-Type": "image/png"})
    for at, id in enumerate(("vex", "goblin-1", "goblin-2")):
        table.token(id, position={"x": at + 1, "y": 1}, statuses=["Prone"])
    watch(page, table)
    vex = marker(page, "vex")
    expect(vex.locator(".short")).to_be_visible()
    table.token(position={"x": 1, "y": 1}, image={"hash": digest})
    expect(vex.locator("image.loaded")).to_be_visible()
    expect(vex.locator(".short")).to_be_hidden()
    expect(page.locator('[data-row="vex"] .chip img.loaded')).to_be_visible()
    vex.click()
    expect(page.locator("#creature img.loaded")).to_be_visible()
    marker(page, "goblin-1").click()
    expect(page.locator("#creature img")).to_be_hidden()

    # Whose picture is another's, too, keeps the initials; and so does whose picture can't be had.
    table.token("goblin-1", position={"x": 2, "y": 1}, image={"hash": digest})
    expect(marker(page, "goblin-1").locator("image.loaded")).to_be_visible()
    expect(marker(page, "goblin-1").locator(".short")).to_be_visible()
    expect(vex.locator(".short")).to_be_visible()
    other = picture + b"!"
    broken = hashlib.sha256(other).hexdigest()
    table.client.put(f"/api/v1/images/{broken}", content=other, headers={"Content-Type": "image/png"})
    page.route(f"**/{broken}*", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        table.token(position={"x": 1, "y": 1}, image={"hash": broken})
    expect(vex.locator(".short")).to_be_visible()
    expect(vex.locator("image")).to_be_hidden()
    page.unroute_all()


def test_tokens_on_one_square_do_not_lie_on_each_other(page, staged):
    for at in range(5):
        staged.token(f"t{at}", position={"x": 2 if at < 3 else 5, "y": 2})
    watch(page, staged)
    expect(page.locator(".token")).to_have_count(5)
    discs = [marker(page, f"t{at}").locator(".disc").bounding_box() for at in range(5)]
    middles = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in discs]
    for at, one in enumerate(middles):
        for other, box in zip(middles[:at], discs[:at], strict=True):
            assert math.dist(one, other) > (discs[at]["width"] + box["width"]) / 2 - 1


def test_whoever_is_picked_is_told_of_in_full(page, staged):
    statuses = ["Weakened", "Burning 2", "Marked", "Slowed"]
    staged.token(statuses=statuses, size=2)
    watch(page, staged)
    expect(marker(page, "vex").locator(".badge-mark")).to_have_text(["2", "+2"])
    expect(marker(page, "vex").locator(".badge-sign")).to_have_count(2)
    about = page.locator("#creature")
    marker(page, "vex").click()
    expect(about.locator(".pill")).to_have_text(statuses)
    expect(about).to_contain_text("Party · C3 · size 2")
    expect(about.locator(".meter")).to_have_text("HP7/10")
    staged.token(statuses=[], hp=None)
    expect(about.locator(".pill")).to_have_count(0)
    page.mouse.move(5, 5)
    page.keyboard.press("Escape")
    expect(about).to_be_hidden()
    row(page, "vex").focus()
    page.keyboard.press("Enter")
    expect(about).to_be_visible()


def test_whoever_is_touched_shows_how_far_they_get(page, table, scene):
    """As the rules say, and no page: what comes is drawn, and goes when somebody else is touched."""
    ranges = {"moves": [{"x": 1, "y": 2}, {"x": 2, "y": 2}], "attacks": [{"x": 1, "y": 1}]}
    page.route("**/api/v1/ranges/vex*", lambda route: route.fulfill(json=ranges))
    page.route("**/api/v1/ranges/goblin-1*", lambda route: route.fulfill(status=204))
    table.tell("PUT", "scene", scene)
    table.token(position={"x": 1, "y": 3})
    table.token("goblin-1", position={"x": 5, "y": 3}, side="enemies")
    watch(page, table)
    marker(page, "vex").click()
    expect(page.locator(".may-go")).to_have_attribute("d", "M1 2h1v1h-1zM2 2h1v1h-1z")
    expect(page.locator(".may-go-edge")).to_have_attribute("d", "M1 2h1M1 3h1M1 2v1M2 2h1M2 3h1M3 2v1")
    expect(page.locator(".may-hit-edge")).to_have_attribute("d", "M1 1h1M1 2h1M1 1v1M2 1v1")
    expect(page.locator(".card-reach")).to_have_text("can go therein reach of attacks")
    marker(page, "goblin-1").click()
    expect(page.locator(".reached path")).to_have_count(0)
    expect(page.locator(".card-reach")).to_be_empty()
    page.unroute_all()


ORDER_SEEN = """(line) => {
  const text = document.createTreeWalker(line, NodeFilter.SHOW_TEXT).nextNode();
  const range = document.createRange();
  return [...text.data.matchAll(/\\d/g)].sort((one, other) => {
    const [left, right] = [one, other].map(({ index }) => {
      range.setStart(text, index);
      range.setEnd(text, index + 1);
      return range.getBoundingClientRect().left;
    });
    return left - right;
  }).join("");
}"""
"""The digits of a line as they stand from left to right."""


def test_names_from_right_to_left_leave_numbers_in_their_place(page, table, scene):
    """On pages that are live, in what screen readers say, and on pages that are files."""
    words = "Odds 1: בראן אוטר (2): 3, أودو بل! 4: 5"
    table.result(dice=[], text=words)
    table.tell("PUT", "scene", scene)
    watch(page, table)
    assert page.get_by_text("אוטר").first.evaluate(ORDER_SEEN) == "12345"
    table.token("goblin", name="בראן 2")
    expect(page.locator('[data-token="goblin"]')).to_have_attribute(
        "aria-label", re.compile("\u2068בראן\u2069 2, ")
    )
    page.goto("about:blank")
    page.set_content(html.make_page("Report", [f"<p>{words}</p>"]))
    assert page.locator("p").evaluate(ORDER_SEEN) == "12345"


def test_names_are_text_and_nothing_else(page, table, scene, a_token):
    watch(page, table)
    scripts = page.locator("script").count()
    nasty = NASTY + '<img src=x onerror="alert(1)">'
    table.tell("PUT", "scene", scene | {"name": nasty, "goal": nasty})
    table.token("goblin", name=nasty, statuses=[NASTY])
    table.tell("PUT", 'tokens/"><b>', a_token('"><b>', name="Bold"))
    table.tell(
        "PUT", "order", {"round": 1, "active": "goblin", "entries": [{"id": "goblin", "initiative": 1}]}
    )
    dice = [{"who": nasty, "purpose": nasty, "sides": 6, "faces": [3], "kept": 3}]
    table.result(id=nasty, title=nasty, text=nasty, dice=dice)
    expect(row(page, "goblin").locator(".name")).to_have_text(nasty)
    expect(page.locator("#feed .card-title")).to_have_text(nasty)
    expect(page.get_by_role("heading", name=nasty)).to_be_visible()
    page.reload()
    expect(page.locator("#feed .card-title")).to_have_text(nasty)
    assert page.locator("script").count() == scripts
    assert page.locator("body img:not(.portrait, #join img)").count() == page.locator("body b").count() == 0


def test_a_lost_connection_is_shown_and_caught_up(page, impatient, start, scene):
    table = start()
    table.tell("PUT", "scene", scene)
    table.token()
    table.token("goblin")
    watch(page, table)
    expect(page.get_by_role("status")).to_have_text("Live")
    table.stop()
    expect(page.locator("body")).to_have_attribute("data-connection", "lost")
    expect(page.get_by_role("status")).to_contain_text("Not live since")
    expect(marker(page, "vex")).to_be_visible()

    table = start(port=table.port)
    table.token(position={"x": 6, "y": 3}, hp={"value": 1, "max": 10})
    table.tell("DELETE", "tokens/goblin")
    table.result(7)
    expect(page.locator("body")).to_have_attribute("data-connection", "live")
    expect(marker(page, "vex")).to_have_attribute("data-x", "6")
    expect(marker(page, "vex")).to_have_attribute("data-hp", "1")
    expect(marker(page, "goblin")).to_have_count(0)
    expect(page.locator('[data-result="7"]')).to_be_visible()
    table.result(8)
    expect(page.locator("#feed [data-result]")).to_have_count(2)


def test_a_table_that_lost_its_data_is_shown_as_it_is_now(page, impatient, start, tmp_path, scene):
    table = start()
    table.tell("PUT", "scene", scene)
    table.token()
    watch(page, table)
    expect(marker(page, "vex")).to_be_visible()
    table.stop()
    start(port=table.port, data_dir=tmp_path / "elsewhere")
    expect(page.get_by_text("Between scenes")).to_be_visible()
    expect(page.locator(".token, .turn")).to_have_count(0)


def test_from_elsewhere_the_page_needs_the_players_link(page, table):
    page.set_extra_http_headers({"X-Forwarded-For": "192.0.2.7"})
    page.goto(table.url)
    expect(page.get_by_text("Ask your game master")).to_be_visible()
    expect(page.get_by_text("The Salt Road")).to_be_hidden()

    watch(page, table)
    expect(page.get_by_text("The Salt Road")).to_be_visible()
    page.set_extra_http_headers({})


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_all_without_scrolling_sideways(page, table, scene, a_result, scheme):
    many = ["Bloodied", "Prone", "Dazed", "Guarded", "Harried by wolves from the northern woods"]
    table.tell(
        "PUT", "scene", scene | {"name": "An ambush at the old ford below the mill", "rows": ["." * 40] * 9}
    )
    far = {"x": 38, "y": 4}
    table.token(name="Vexandria" * 9, statuses=many, position=far)
    table.result(text="long" * 90, dice=a_result()["dice"] * 9)
    table.result(2, title="unbroken" * 30, undone=True)
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme=scheme)
    watch(page, table)
    expect(row(page, "vex")).to_be_visible()
    becomes(lambda: page.evaluate("document.documentElement.scrollWidth"), lambda width: width <= 390)
    table.tell("PUT", "order", {"round": 1, "active": "vex", "entries": [{"id": "vex"}]})
    expect(marker(page, "vex").locator(".disc")).to_be_in_viewport()

    def tops() -> list[float]:
        return [page.locator(part).bounding_box()["y"] for part in ("#map", "#turns", "#feed")]

    becomes(tops, lambda seen: seen == sorted(seen))  # the map on top, then the order, then the feed


def test_the_page_moves_tokens_only_for_those_who_like_motion(page, staged):
    staged.token()
    watch(page, staged)
    for motion, moves in [("no-preference", True), ("reduce", False)]:
        page.emulate_media(reduced_motion=motion)

        def duration() -> float:
            told = marker(page, "vex").evaluate("one => getComputedStyle(one).transitionDuration")
            return max(float(part.rstrip("s")) for part in told.split(", "))

        becomes(lambda: duration() > 0, moves)
