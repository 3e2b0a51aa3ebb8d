"""What players see, in a real browser."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Dialog, Locator, Page, expect, sync_playwright

from strike_table import live
from strike_table.serve import watch_link

NASTY = "<script>alert(1)</script>"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
CALM = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)

expect.set_options(timeout=4000)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        missing = f"no browser found, looked for {', '.join(BROWSERS)}"
        if os.environ.get("STRIKE_REQUIRE_BROWSER") == "1":
            pytest.fail(missing)
        pytest.skip(missing)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=CALM.split())
        yield browser
        browser.close()


@pytest.fixture
def table(start):
    return start(title="The Salt Road")


@pytest.fixture(scope="module")
def one_page(browser: Browser) -> Page:
    return browser.new_page()


@pytest.fixture
def page(one_page: Page) -> Iterator[Page]:
    """A wide page that fails its test when anything goes wrong on it, even unseen."""
    wrong: list[str] = []

    def on_dialog(dialog: Dialog) -> None:
        wrong.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    listeners = {
        "dialog": on_dialog,
        "pageerror": lambda error: wrong.append(str(error)),
        "console": lambda said: wrong.append(said.text) if "Content Security Policy" in said.text else None,
    }
    one_page.set_viewport_size({"width": 1440, "height": 900})
    one_page.emulate_media(color_scheme="light", reduced_motion="reduce")
    for event, listener in listeners.items():
        one_page.on(event, listener)
    yield one_page
    one_page.goto("about:blank")
    for event, listener in listeners.items():
        one_page.remove_listener(event, listener)
    assert wrong == []


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages knock again sooner than they do for players."""
    monkeypatch.setattr(live, "RETRY", 100)


def watch(page: Page, table: Any) -> None:
    page.goto(table.url)
    expect(page.locator("body")).to_have_attribute("data-connection", "live")


def piece(page: Page, token_id: str) -> Locator:
    return page.locator(f'[data-token="{token_id}"]')


def row(page: Page, token_id: str) -> Locator:
    return page.locator(f'[data-row="{token_id}"]')


def test_between_scenes_the_page_is_calm(page, table):
    watch(page, table)
    expect(page.get_by_text("The Salt Road")).to_be_visible()
    expect(page.get_by_text("Between scenes")).to_be_visible()
    expect(page.locator("#map")).to_be_hidden()


def test_a_scene_comes_and_goes(page, table, scene, a_token):
    watch(page, table)
    table.tell("PUT", "scene", scene)
    expect(page.get_by_role("heading", name="Ambush at the ford")).to_be_visible()
    expect(page.get_by_text("Hold the bridge")).to_be_visible()
    expect(page.locator("#map")).to_be_visible()
    expect(page.locator(".label")).to_have_text([*"ABCDEFGH", *"12345"])
    expect(page.locator(".door title")).to_have_text("Closed door")

    table.tell("PUT", "tokens/vex", a_token())
    expect(piece(page, "vex")).to_be_visible()
    table.tell("DELETE", "scene")
    expect(page.get_by_text("Between scenes")).to_be_visible()
    expect(piece(page, "vex")).to_have_count(0)


def test_pieces_stand_where_they_are_told(page, table, scene, a_token):
    table.tell("PUT", "scene", scene)
    table.tell("PUT", "tokens/vex", a_token(position={"x": 2, "y": 2}))
    table.tell("PUT", "tokens/bran", a_token("bran", position={"x": 2, "y": 3}))
    watch(page, table)
    square = (
        piece(page, "bran").locator(".disc").bounding_box()["y"]
        - piece(page, "vex").locator(".disc").bounding_box()["y"]
    )

    before = piece(page, "vex").locator(".disc").bounding_box()
    table.tell("PUT", "tokens/vex", a_token(position={"x": 5, "y": 1}))
    expect(piece(page, "vex")).to_have_attribute("data-x", "5")
    expect(piece(page, "vex")).to_have_attribute("data-y", "1")
    after = piece(page, "vex").locator(".disc").bounding_box()
    assert after["x"] - before["x"] == pytest.approx(3 * square, abs=1)
    assert after["y"] - before["y"] == pytest.approx(-square, abs=1)

    table.tell("PUT", "tokens/vex", a_token(position=None))
    expect(piece(page, "vex")).to_have_count(0)
    expect(row(page, "vex")).to_be_visible()


def test_hp_and_statuses_change(page, table, scene, a_token):
    table.tell("PUT", "scene", scene)
    table.tell("PUT", "tokens/vex", a_token(hp={"value": 10, "max": 10}))
    watch(page, table)
    expect(piece(page, "vex")).to_have_attribute("data-hp", "10")

    table.tell("PUT", "tokens/vex", a_token(hp={"value": 3, "max": 10}, statuses=["Bloodied", "Prone"]))
    expect(piece(page, "vex")).to_have_attribute("data-hp", "3")
    expect(piece(page, "vex").locator("title")).to_have_text("Vex, 3 of 10 HP, Bloodied, Prone, at C3")
    expect(row(page, "vex")).to_contain_text("3/10")
    expect(row(page, "vex").locator(".pill")).to_have_text(["Bloodied", "Prone"])

    table.tell("PUT", "tokens/vex", a_token(hp=None))
    expect(piece(page, "vex")).to_have_attribute("data-hp", "")
    expect(row(page, "vex")).not_to_contain_text("/10")


def test_the_turn_order_shows_who_acts(page, table, scene, a_token):
    table.tell("PUT", "scene", scene)
    for name in ("vex", "bran", "goblin-1"):
        table.tell("PUT", f"tokens/{name}", a_token(name, active=name == "bran"))
    entries = [{"id": name, "initiative": 6} for name in ("goblin-1", "vex", "bran", "unseen")]
    watch(page, table)
    table.tell("PUT", "order", {"round": 2, "active": "vex", "entries": entries})
    expect(page.get_by_text("Round 2")).to_be_visible()
    expect(page.locator("#turns .name")).to_have_text(["Goblin 1", "Vex", "Bran"])
    expect(page.locator("[aria-current]")).to_have_attribute("data-row", "vex")
    expect(page.locator("#map .active")).to_have_attribute("data-token", "vex")
    expect(page).to_have_title("Ambush at the ford · Round 2 · Vex")

    table.tell("PUT", "order", {"round": 3, "active": "goblin-1", "entries": entries})
    expect(page.locator("[aria-current]")).to_have_attribute("data-row", "goblin-1")
    expect(page.locator("#map .active")).to_have_count(1)


def test_who_is_taken_out_leaves_the_map_and_is_crossed_out(page, table, scene, a_token):
    table.tell("PUT", "scene", scene)
    table.tell("PUT", "tokens/vex", a_token(state="down"))
    watch(page, table)
    expect(piece(page, "vex")).to_have_class(re.compile("down"))
    table.tell("PUT", "tokens/vex", a_token(state="out"))
    expect(piece(page, "vex")).to_have_count(0)
    expect(row(page, "vex").locator(".name")).to_have_css("text-decoration-line", "line-through")


def test_pieces_can_be_told_apart(page, table, scene, a_token):
    table.tell("PUT", "scene", scene)
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
        table.tell(
            "PUT", f"tokens/{token_id}", a_token(token_id, name=name, position={"x": at % 6, "y": at // 6})
        )
    watch(page, table)
    expect(page.locator(".token")).to_have_count(len(names))
    short = [piece(page, token_id).locator(".short").text_content() for token_id in names]
    assert short[:5] == ["G1", "G2", "Vex", "Ver", "IR"]
    assert len(set(short)) == len(names)
    assert all(1 <= len(name) <= 4 for name in short)


def test_results_show_their_dice_newest_first(page, table, a_result):
    table.tell("POST", "results", a_result(1))
    watch(page, table)
    table.tell("POST", "results", a_result(2, title="Vex attacks Goblin 1", text="Hit.\nBloodied."))
    cards = page.locator("#feed [data-result]")
    expect(cards).to_have_count(2)
    newest = cards.first
    expect(newest).to_have_attribute("data-result", "2")
    expect(newest).to_contain_text("Vex attacks Goblin 1")
    expect(newest.get_by_role("img")).to_have_attribute("aria-label", "d6: 5, 2 dropped")
    expect(newest.locator(".die.kept")).to_have_attribute("data-face", "5")
    expect(newest.locator(".die.kept .pip")).to_have_count(5)
    expect(newest.locator(".die.dropped")).to_have_attribute("data-face", "2")
    expect(page.locator("#feed")).to_have_attribute("aria-live", "polite")

    table.tell("POST", "results", a_result(1, undone=True))
    undone = page.locator('[data-result="1"]')
    expect(undone.locator("s")).to_have_text("Result 1")
    expect(undone).to_contain_text("Undone")
    expect(cards).to_have_count(2)


def test_names_are_text_and_nothing_else(page, table, scene, a_token, a_result):
    watch(page, table)
    scripts = page.locator("script").count()
    nasty = NASTY + '<img src=x onerror="alert(1)">'
    table.tell("PUT", "scene", scene | {"name": nasty, "goal": nasty})
    table.tell("PUT", "tokens/goblin", a_token("goblin", name=nasty, statuses=[NASTY]))
    table.tell("PUT", 'tokens/"><b>', a_token('"><b>', name="Bold"))
    table.tell(
        "PUT", "order", {"round": 1, "active": "goblin", "entries": [{"id": "goblin", "initiative": 1}]}
    )
    dice = [{"who": nasty, "purpose": nasty, "sides": 6, "faces": [3], "kept": 3}]
    table.tell("POST", "results", a_result(id=nasty, title=nasty, text=nasty, dice=dice))
    expect(row(page, "goblin").locator(".name")).to_have_text(nasty)
    expect(page.locator("#feed .card-title")).to_have_text(nasty)
    expect(page.get_by_role("heading", name=nasty)).to_be_visible()
    page.reload()
    expect(page.locator("#feed .card-title")).to_have_text(nasty)
    assert page.locator("script").count() == scripts
    assert page.locator("body img").count() == page.locator("body b").count() == 0


def test_a_lost_connection_is_shown_and_caught_up(page, impatient, start, scene, a_token, a_result):
    table = start()
    table.tell("PUT", "scene", scene)
    table.tell("PUT", "tokens/vex", a_token())
    table.tell("PUT", "tokens/goblin", a_token("goblin"))
    watch(page, table)
    expect(page.get_by_role("status")).to_have_text("Live")
    table.stop()
    expect(page.locator("body")).to_have_attribute("data-connection", "lost")
    expect(page.get_by_role("status")).to_have_text("Reconnecting")
    expect(piece(page, "vex")).to_be_visible()

    table = start(port=table.port)
    table.tell("PUT", "tokens/vex", a_token(position={"x": 6, "y": 3}, hp={"value": 1, "max": 10}))
    table.tell("DELETE", "tokens/goblin")
    table.tell("POST", "results", a_result(7))
    expect(page.locator("body")).to_have_attribute("data-connection", "live")
    expect(piece(page, "vex")).to_have_attribute("data-x", "6")
    expect(piece(page, "vex")).to_have_attribute("data-hp", "1")
    expect(piece(page, "goblin")).to_have_count(0)
    expect(page.locator('[data-result="7"]')).to_be_visible()
    table.tell("POST", "results", a_result(8))
    expect(page.locator("#feed [data-result]")).to_have_count(2)


def test_a_table_that_lost_its_data_is_shown_as_it_is_now(page, impatient, start, tmp_path, scene, a_token):
    table = start()
    table.tell("PUT", "scene", scene)
    table.tell("PUT", "tokens/vex", a_token())
    watch(page, table)
    expect(piece(page, "vex")).to_be_visible()
    table.stop()
    start(port=table.port, data_dir=tmp_path / "elsewhere")
    expect(page.get_by_text("Between scenes")).to_be_visible()
    expect(page.locator(".token, .turn")).to_have_count(0)


def test_from_elsewhere_the_page_needs_the_players_link(page, table):
    page.set_extra_http_headers({"X-Forwarded-For": "192.0.2.7"})
    page.goto(table.url)
    expect(page.get_by_text("Ask your game master")).to_be_visible()
    expect(page.get_by_text("The Salt Road")).to_be_hidden()

    page.goto(watch_link(table.url, "the-key-of-this-table"))
    expect(page.locator("body")).to_have_attribute("data-connection", "live")
    expect(page.get_by_text("The Salt Road")).to_be_visible()
    page.set_extra_http_headers({})


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_all_without_scrolling_sideways(page, table, scene, a_token, a_result, scheme):
    many = ["Bloodied", "Prone", "Dazed", "Guarded", "Harried by wolves from the northern woods"]
    table.tell(
        "PUT", "scene", scene | {"name": "An ambush at the old ford below the mill", "rows": ["." * 40] * 9}
    )
    far = {"x": 38, "y": 4}
    table.tell("PUT", "tokens/vex", a_token(name="Vexandria" * 9, statuses=many, position=far))
    table.tell("POST", "results", a_result(text="long" * 90, dice=a_result()["dice"] * 9))
    table.tell("POST", "results", a_result(2, title="unbroken" * 30, undone=True))
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme=scheme)
    watch(page, table)
    expect(row(page, "vex")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    table.tell("PUT", "order", {"round": 1, "active": "vex", "entries": [{"id": "vex"}]})
    expect(piece(page, "vex").locator(".disc")).to_be_in_viewport()
    tops = [page.locator(part).bounding_box()["y"] for part in ("#map", "#turns", "#feed")]
    assert tops == sorted(tops), "the map on top, then the order, then the feed"


def test_the_page_moves_pieces_only_for_those_who_like_motion(page, table, scene, a_token):
    table.tell("PUT", "scene", scene)
    table.tell("PUT", "tokens/vex", a_token())
    watch(page, table)
    for motion, moves in [("no-preference", True), ("reduce", False)]:
        page.emulate_media(reduced_motion=motion)
        duration = piece(page, "vex").evaluate("piece => getComputedStyle(piece).transitionDuration")
        assert (max(float(part.rstrip("s")) for part in duration.split(", ")) > 0) == moves
